#!/usr/bin/env python3
"""Damages PDF files.

    damage-pdf.py SEED COUNT FOLDER FILE...

Writes COUNT files into FOLDER, each one of the FILEs with some damage: cut off, bytes changed,
parts removed, repeated, exchanged or taken from another file, numbers and names changed.  The same
seed makes the same files."""
import random
import re
import sys


def cut(data, rng, _):
    return data[:rng.randrange(len(data))]


def change_bytes(data, rng, _):
    data = bytearray(data)
    for _ in range(rng.choice((1, 10, 100))):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def remove(data, rng, _):
    start = rng.randrange(len(data))
    return data[:start] + data[start + rng.randrange(1, 2000):]


def repeat(data, rng, _):
    start = rng.randrange(len(data))
    return data[:start + 500] + data[start:]


def exchange(data, rng, _):
    a, b = sorted(rng.randrange(len(data)) for _ in range(2))
    return data[:a] + data[b:b + 300] + data[a + 300:b] + data[a:a + 300] + data[b + 300:]


def splice(data, rng, other):
    return data[:rng.randrange(len(data))] + other[rng.randrange(len(other)):]


def numbers(data, rng, _):
    values = (b"0", b"-1", b"1", b"99999", b"2147483648", b"1e30", b"-0.001", b"99999999999999")
    places = list(re.finditer(rb"(?<![\w.])-?\d+(?![\w.])", data))
    for place in sorted(rng.sample(places, min(len(places), rng.choice((1, 3, 20)))),
                        key=lambda m: -m.start()):
        data = data[:place.start()] + rng.choice(values) + data[place.end():]
    return data


def names(data, rng, _):
    places = list(re.finditer(rb"/[A-Z]\w+", data))
    if not places:
        return data
    a, b = rng.choice(places), rng.choice(places)
    return data[:a.start()] + b.group() + data[a.end():]


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    rng = random.Random(int(sys.argv[1]))
    files = []
    for path in sys.argv[4:]:
        with open(path, "rb") as file:
            files.append(file.read())
    damages = (cut, change_bytes, remove, repeat, exchange, splice, numbers, numbers, names)
    for i in range(int(sys.argv[2])):
        data = rng.choice(files)
        for _ in range(rng.choice((1, 1, 2))):
            data = rng.choice(damages)(data or b"%PDF-1.4\n", rng, rng.choice(files))
        with open(f"{sys.argv[3]}/{i:04}.pdf", "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()
