#!/usr/bin/python3
# Pages for tests/library/pappl.sh: writes them as PWG raster or PNG, and the part that the printer
# prints as PGM.
#
#	pappl-pages.py FOLDER SEED
import random
import struct
import sys
import zlib

from pictures import PNG, png_chunk as chunk, raster_header

folder, rng = sys.argv[1], random.Random(int(sys.argv[2]))
LEFT, TOP = 150, 100  # pixels that are not printed, on each side
K, SGRAY, SRGB = 3, 18, 19


def save(name, *parts):
    with open(f"{folder}/{name}", "wb") as file:
        for part in parts:
            file.write(part)


def header(width, height, space=SGRAY, bits=8, samples=1, dpi=600):
    page = bytearray(raster_header(">", width, height, bits, space, samples, dpi))
    page[0:9] = b"PwgRaster"
    page[452:456] = struct.pack(">I", 1)
    page[1732:1748] = b"iso_a4_210x297mm"
    return bytes(page)


def compressed(row):
    """A line of PWG raster: not repeated, in literal runs."""
    line = b"\0"
    for at in range(0, len(row), 128):
        part = row[at:at + 128]
        line += (bytes([257 - len(part)]) if len(part) > 1 else b"\0") + part
    return line


def pgm(name, rows):
    save(name, b"P5\n%d %d\n255\n" % (len(rows[0]), len(rows)), *rows)


def page(width, height, space):
    """A page of noise: its raster; and the rows that are printed, as light."""
    rows = [rng.randbytes(width) for _ in range(height)]
    inverse = bytes(range(255, -1, -1))
    printed = [row[LEFT:-LEFT] for row in rows[TOP:-TOP]]
    if space == K:
        printed = [row.translate(inverse) for row in printed]
    return header(width, height, space) + b"".join(compressed(row) for row in rows), printed


first, printed = page(1237, 700, SGRAY)
pgm("raster-1.pgm", printed)
second, printed = page(805, 333, K)
pgm("raster-2.pgm", printed)
save("raster.pwg", b"RaS2", first, second)
third, printed = page(1000, 500, SGRAY)
pgm("grey-1.pgm", printed)
save("grey.pwg", b"RaS2", third)

# What the printer prints of a sheet of A4, at its resolution.
WIDTH, HEIGHT = 4960 - 2 * LEFT, 7015 - 2 * TOP
ramp = bytes(abs(x % 510 - 255) for x in range(WIDTH + HEIGHT))
rows = [ramp[y // 2:y // 2 + WIDTH] for y in range(HEIGHT)]
pgm("picture-1.pgm", rows)
save("picture.png", PNG,
     chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 0, 0, 0, 0)),
     chunk(b"pHYs", struct.pack(">IIB", 23622, 23622, 1)),
     chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows), 1)), chunk(b"IEND", b""))

# Pages that the driver must refuse, or survive.
save("bad-resolution.pwg", b"RaS2", header(400, 300, dpi=300), compressed(bytes(400)) * 300)
save("bad-small.pwg", b"RaS2", header(1, 1), b"\0\0\0")
save("bad-margins.pwg", b"RaS2", header(300, 200), compressed(bytes(300)) * 200)
save("bad-bits.pwg", b"RaS2", header(1200, 300, space=K, bits=1), compressed(bytes(150)) * 300)
save("bad-space.pwg", b"RaS2", header(1200, 300, space=1, bits=1, samples=8),
     compressed(bytes(1200)) * 300)
save("bad-color.pwg", b"RaS2", header(1200, 300, space=SRGB, samples=3),
     compressed(bytes(3600)) * 300)
save("bad-wide.pwg", b"RaS2", header(0x7fffffff, 300), bytes(5000))
save("bad-noise.pwg", b"RaS2", rng.randbytes(50000))
# The height stays: PAPPL 1.3 waits a minute for rows that do not come, and its client gives up
# first.
save("bad-header.pwg", b"RaS2",
     bytes(b if 376 <= at < 380 or rng.random() < 0.9 else rng.randrange(256)
           for at, b in enumerate(header(1200, 300))), rng.randbytes(500000))
