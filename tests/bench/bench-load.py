#!/usr/bin/env python3
"""What print queues get from a daemon that serves many of them at once, beside no daemon.

Some clients halftone pages of A4 in CMYK (--inks 1: K) at 600 dpi at the same time: first
in-process, each with one thread, then through riptided, in turn.  Prints pages a second, and the
processor time a page: that of the clients and that of the daemon.  Figures only: nothing that
takes time is a failure.

    bench-load.py [--clients N,N...] [--pages N] [--runs N] [--device auto|gpu|cpu] [--pipe]
        [--inks 1|4] [--] [OPTION...]

The OPTIONs are those of `riptide halftone`, such as --screen blue-noise; with --pipe, job options
of rastertoriptide, such as halftone-screen=blue-noise.  Each client reads one file of --pages
pages (4), which lies in /dev/shm with 139 MB a page (K: 35); with --pipe the file comes from
`cat`.  The daemon has the priority that its unit gives it, where the user may do that.  To be run
where riptide was built, or with RIPTIDE_BUILD set.
"""
import argparse
import contextlib
import json
import os
import random
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../tools"))
import pictures

WIDTH, HEIGHT, DPI = 4960, 7016, 600
NICE = -10  # contrib/systemd/riptided.service.in
COLOUR_SPACES = {1: 3, 4: 6}  # K and CMYK, by inks: cupsColorSpace


def write_pages(path, pages, inks):
    """Uncompressed raster of a noise without white and solid ink."""
    noise = bytes(random.Random(1).choices(range(1, 255), k=1 << 20))
    row_bytes = WIDTH * inks
    rows = [noise[at:at + row_bytes] for at in range(0, len(noise) - row_bytes, 4099)]
    page = b"".join(rows[y * 7 % len(rows)] for y in range(HEIGHT))
    with open(path, "wb") as file:
        file.write(struct.pack("=I", 0x52615333))  # RaS3
        for _ in range(pages):
            file.write(pictures.raster_header("=", WIDTH, HEIGHT, 8, COLOUR_SPACES[inks], inks,
                                              DPI))
            file.write(page)


def processor_ms(pid):
    if not pid:
        return 0
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def be_nice():
    with contextlib.suppress(PermissionError):
        os.nice(NICE)


@contextlib.contextmanager
def daemon(build, folder, device):
    socket = f"{folder}/socket"
    with open(f"{folder}/log", "w") as log:
        process = subprocess.Popen([f"{build}/riptided", "--device", device, "--socket", socket,
                                    "--config", "/dev/null"], stderr=log, preexec_fn=be_nice)
    try:
        for _ in range(600):
            found = subprocess.run([f"{build}/riptide", "status", "--socket", socket, "--json"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            if found.returncode == 0 and "still looking" not in found.stdout:
                break
            time.sleep(0.1)
        else:
            sys.exit(f"bench-load: no daemon: {open(f'{folder}/log').read()}")
        yield process.pid, socket, json.loads(found.stdout)["device"]
    finally:
        process.terminate()
        process.wait()


def run(command, clients, pages, pid, environment):
    """Pages a second; processor time a page of the clients and of the daemon, in ms."""
    used, before = resource.getrusage(resource.RUSAGE_CHILDREN), processor_ms(pid)
    begin = time.time()
    processes = [subprocess.Popen(command, shell=isinstance(command, str), env=environment,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                 for _ in range(clients)]
    for process in processes:
        message = process.communicate()[1].decode(errors="replace")
        if process.returncode or "WARNING" in message:
            sys.exit(f"bench-load: a client failed: {message[-400:]}")
    seconds, after = time.time() - begin, processor_ms(pid)
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = clients * pages
    return (done / seconds,
            (now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime) * 1000 / done,
            (after - before) / done)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", default="1,8,24")
    parser.add_argument("--pages", type=int, default=4)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--device", choices=["auto", "gpu", "cpu"], default="auto")
    parser.add_argument("--pipe", action="store_true")
    parser.add_argument("--inks", type=int, choices=COLOUR_SPACES, default=4)
    parser.add_argument("options", nargs="*")
    arguments = parser.parse_args()
    build = os.environ.get("RIPTIDE_BUILD", os.getcwd())
    if not os.access(f"{build}/riptided", os.X_OK):
        sys.exit(f"bench-load: no riptided in {build}: run it where riptide was built")
    folder = tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    try:
        measure(arguments, build, folder)
    finally:
        shutil.rmtree(folder)


def measure(arguments, build, folder):
    path = f"{folder}/pages.ras"
    write_pages(path, arguments.pages, arguments.inks)
    with daemon(build, folder, arguments.device) as (pid, socket, device):
        print(f"{os.cpu_count()} processors; riptided on: {device},"
              f" nice {os.getpriority(os.PRIO_PROCESS, pid)};"
              f" medians of {arguments.runs} runs"
              f" (least to most); {' '.join(arguments.options) or 'no options'}")
        for clients in map(int, arguments.clients.split(",")):
            ways = {"in-process": ("none", 0), "riptided": (socket, pid)}
            figures = {way: [] for way in ways}
            for _ in range(arguments.runs):
                for way, (where, process) in ways.items():
                    environment = dict(os.environ, RIPTIDE_SOCKET=where)
                    if arguments.pipe:
                        options = " ".join(arguments.options)
                        command = f"cat {path} | {build}/rastertoriptide 1 user title 1 '{options}'"
                    else:
                        command = [f"{build}/riptide", "halftone", "--socket", where,
                                   *arguments.options,
                                   *([] if process else ["--threads", "1"]), path]
                    figures[way].append(
                        run(command, clients, arguments.pages, process, environment))
            for way, runs in figures.items():
                rate, client, served = zip(*runs)
                print(f"{clients:3} clients, {way:10}: {statistics.median(rate):6.1f} pages/s"
                      f" ({min(rate):.1f} to {max(rate):.1f}), {statistics.median(client):6.1f} +"
                      f" {statistics.median(served):5.1f} ms a page", flush=True)
            rates = [statistics.median(rate for rate, _, _ in runs) for runs in figures.values()]
            costs = [statistics.median(client + served for _, client, served in runs)
                     for runs in figures.values()]
            print(f"{clients:3} clients, ratios    : {rates[1] / rates[0]:.2f} of the pages,"
                  f" {costs[1] / costs[0]:.2f} of the processor time", flush=True)


if __name__ == "__main__":
    main()
