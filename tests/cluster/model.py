#!/usr/bin/env python3
"""The time of riptide-mpi's wave: the model of cluster/model.md, in closed form and step by step.

  model.py                                        the predictions of cluster/model.md
  model.py efficiency W H p r k R L B             of p ranks: step by step, closed form

W, H: pixels; p: ranks; r: rows of a strip; k: columns of a message; R: pixels a second of a rank;
L: latency, s; B: bandwidth, bytes a second.
"""
import math
import sys

LANES, SKEW, BLOCK = 64, 4, 64  # of the AVX-512 kernel


def lag(r):
    """Columns that the carry after a strip is behind the front of the strip."""
    return SKEW * r + BLOCK


class Network:
    """What a message costs: latency, bandwidth, and processor time at both ends together.
    node: ranks of a node; within a node the carry goes through shared memory."""

    def __init__(self, latency, bandwidth, overhead=0.0, node=1, k_node=None):
        self.latency, self.bandwidth, self.overhead = latency, bandwidth, overhead
        self.node, self.k_node = node, k_node

    def hop(self, rank, ranks, k):
        """(latency, bandwidth, overhead, columns) from a rank to the next."""
        if ranks > 1 and rank // self.node != (rank + 1) % ranks // self.node:
            return self.latency, self.bandwidth, self.overhead, k
        if self.node > 1:
            return 0.2e-6, 1e99, 0.1e-6, self.k_node or k
        return self.latency, self.bandwidth, self.overhead, k


def closed(width, height, p, r, k, rate, net, io=1e99, reach=1):
    """Seconds: rounds * the longest of computing a strip, reading it, and going round the ring."""
    column = r / rate
    strips = math.ceil(height / r)
    ring = strip_messages = 0.0
    hops = [net.hop(rank, p, k) for rank in range(p)] if p > 1 else []
    delays = []
    for latency, bandwidth, overhead, columns in hops:
        delay = max(columns, lag(r)) * column + overhead + latency + 2 * reach * columns / bandwidth
        delays.append(delay)
        strip_messages = max(strip_messages, width / columns * overhead)
    ring = sum(delays)
    compute = (width + SKEW * LANES) * column + strip_messages
    transfer = width * r * (1 + 1 / 8) / io
    rounds = math.ceil(strips / p)
    last = (strips - 1) % p
    return (rounds - 1) * max(compute, transfer, ring) + sum(delays[:last]) + max(compute, transfer)


def steps(width, height, p, r, k, rate, net, reach=1):
    """Seconds, message by message: a rank takes what has come, at most k columns at a time, and
    sends what is ready when that is k / 2 to 2k columns."""
    column = r / rate
    free = [0.0] * p
    above = None
    end = 0.0
    for strip in range(math.ceil(height / r)):
        rank = strip % p
        latency, bandwidth, overhead, columns = net.hop(rank, p, k)
        t = free[rank]
        out, front, sent, i, link = [], 0, 0, 0, 0.0
        arrived = width if above is None or p == 1 else 0
        while front < width:
            while arrived < width and i < len(above) and above[i][0] <= t:
                arrived = above[i][1]
                i += 1
            if arrived <= front:
                t = max(t, above[i][0])
                continue
            to = min(front + columns, arrived)
            t += (to - front) * column
            front = to
            if front == width:
                t += SKEW * LANES * column
            ready = width if front == width else max(0, front - lag(r))
            while sent < ready and (ready == width or ready - sent >= columns / 2):
                n = min(ready - sent, 2 * columns)
                t += overhead
                link = max(link, t) + 2 * reach * n / bandwidth
                sent += n
                out.append((link + latency, sent))
        free[rank] = t
        above = out
        end = max(end, t)
    return end


def predict():
    rate = 10e9
    nets = (
        ('one node, shared memory', Network(0.2e-6, 1e99, 0.1e-6), 64, (128, 256)),
        ('InfiniBand 2 us, one rank a node', Network(2e-6, 10e9, 0.5e-6), 64, (256, 512, 1024)),
        ('InfiniBand, 16 ranks a node', Network(2e-6, 10e9, 0.5e-6, 16, 128), 64, (256, 512, 1024)),
        ('TCP 30 us 10 Gbit/s, one rank a node', Network(30e-6, 1.2e9, 5e-6), 64, (2048, 4096, 8192)),
        ('the same, r = 256', Network(30e-6, 1.2e9, 5e-6), 256, (1024, 2048)),
        ('TCP, 16 ranks a node', Network(30e-6, 1.2e9, 5e-6, 16, 128), 64, (1024, 2048, 4096)),
    )
    for name, width, height in (('131072 x 131072', 131072, 131072),
                                ('A0 at 1200 dpi, 39732 x 56173', 39732, 56173)):
        print('%s (one rank: %.0f ms)' % (name, 1e3 * width * height / rate))
        for label, net, r, sizes in nets:
            cells = []
            for p in (2, 8, 32, 128):
                t, k = min((steps(width, height, p, r, k, rate, net), k) for k in sizes)
                cells.append('p %d: %.1f (%.2f, %.0f ms)' % (
                    p, width * height / rate / t, width * height / rate / t / p, 1e3 * t))
            print('  %-38s %s' % (label, '; '.join(cells)), flush=True)


def main():
    if len(sys.argv) == 1:
        predict()
        return
    if sys.argv[1] != 'efficiency' or len(sys.argv) != 10:
        sys.exit(__doc__)
    width, height, p, r, k = (int(a) for a in sys.argv[2:7])
    rate, latency, bandwidth = (float(a) for a in sys.argv[7:])
    net = Network(latency, bandwidth)
    ideal = width * height / rate / p
    print('%.3f %.3f' % (ideal / steps(width, height, p, r, k, rate, net),
                         ideal / closed(width, height, p, r, k, rate, net)))


if __name__ == '__main__':
    main()
