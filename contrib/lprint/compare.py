#!/usr/bin/env python3
"""Prints on an LPrint with lprint-riptide.patch, and compares its labels with libriptide's dots.

    compare.py LPRINT RIPTIDE

LPRINT and RIPTIDE are the programs lprint and riptide; LD_LIBRARY_PATH or the system must lead to
libriptide.  LPrint runs as a server on the loopback interface, with its state in a temporary
folder, and prints ZPL and EPL to files.  What its drivers do to a page before the dots is computed
here.
"""
import os
import random
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))
WIDTH, HEIGHT, DPI = 812, 1218, 203  # 4 x 6 inches
WHITE, BLACK = 56, 199               # LPrint prints what is darker or lighter without dots


def make_page(rng):
    """Rows of light: ramps, noise, and bars as of a barcode."""
    rows = []
    for y in range(HEIGHT):
        row = bytearray((x * 255 // WIDTH + y // 8) % 256 for x in range(WIDTH))
        if 400 <= y < 700:
            row[:] = rng.randbytes(WIDTH)
        if 800 <= y < 900:
            row[100:700] = bytes(255 * (x // 7 % 2) for x in range(600))
        rows.append(bytes(row))
    return rows


def raster(rows):
    page = bytearray(1796)
    page[0:9] = b"PwgRaster"
    page[1732:1749] = b"na_index-4x6_4x6i"
    for at, value in ((276, DPI), (280, DPI), (340, 1), (352, 288), (356, 432), (372, WIDTH),
                      (376, HEIGHT), (384, 8), (388, 8), (392, WIDTH), (400, 18), (420, 1),
                      (452, 1)):
        page[at:at + 4] = struct.pack(">I", value)
    data = b"RaS2" + page
    for row in rows:
        data += b"\0"
        for at in range(0, WIDTH, 128):
            part = row[at:at + 128]
            data += (bytes([257 - len(part)]) if len(part) > 1 else b"\0") + part
    return data


def samples(rows):
    """The ink of each pixel, 0 to 65535, that LPrint hands to libriptide."""
    ink = [bytes(255 if v < WHITE else 0 if v > BLACK else 255 - v for v in row) for row in rows]
    ink = [bytes(WIDTH)] + ink + [bytes(WIDTH)]
    solid = (0, 255)
    curve = [0 if v < WHITE else 65535 if v > BLACK else
             int(65535 * ((v - WHITE) / (BLACK - WHITE)) + 0.5) for v in range(256)]
    result = []
    for above, row, below in zip(ink, ink[1:], ink[2:]):
        result.append([curve[v] if above[x] not in solid and below[x] not in solid and
                       (x == 0 or row[x - 1] not in solid) and
                       (x == WIDTH - 1 or row[x + 1] not in solid)
                       else 65535 * (v > 127) for x, v in enumerate(row)])
    return result


def decode_zpl(data):
    """The rows of ~DG: hexadecimal digits, letters as counts, comma: zeros, colon: repeat."""
    total, pitch, at = re.search(rb"~DGR:LPRINT\.GRF,(\d+),(\d+),\n", data).group(1, 2, 0)
    at, pitch, rows = data.index(at) + len(at), int(pitch), []
    while len(rows) * pitch < int(total):
        digits, count = b"", 0
        while len(digits) < 2 * pitch:
            c, at = data[at:at + 1], at + 1
            if c == b":":
                digits = rows[-1]
            elif c == b",":
                digits = digits.ljust(2 * pitch, b"0")
            elif b"G" <= c <= b"Y":
                count += ord(c) - ord("F")
            elif b"g" <= c <= b"z":
                count += 20 * (ord(c) - ord("f"))
            else:
                digits, count = digits + c * max(count, 1), 0
        rows.append(digits)
    return [bytes.fromhex(row.decode()) for row in rows]


def decode_epl(data):
    """The rows of GW, whose dots are light; rows of one colour are left out by LPrint."""
    rows = [bytes((WIDTH + 7) // 8)] * HEIGHT
    for match in re.finditer(rb"GW0,(\d+),(\d+),1\n", data):
        row = data[match.end():match.end() + int(match[2])]
        rows[int(match[1]) - 1] = bytes(255 - b for b in row)
    return rows


def halftone(ink, screen, riptide, folder):
    """The dots of a page: by the command riptide, or by libriptide if the screen is no mask."""
    if "mask" not in screen:
        import numpy
        from importlib import import_module
        return [bytes(row) for row in import_module("halftone-numpy").halftone(
            numpy.array(ink, numpy.uint16), screen, light=False)]
    with open(folder + "/page.pgm", "wb") as file:
        file.write(b"P5\n%d %d\n65535\n" % (WIDTH, HEIGHT))
        for row in ink:
            file.write(struct.pack(f">{WIDTH}H", *(65535 - v for v in row)))
    subprocess.run([riptide, "halftone", "--resolution", str(DPI), "--screen", screen, "-o",
                    folder + "/page.pbm", folder + "/page.pgm"], check=True)
    pitch = (WIDTH + 7) // 8
    dots = Path(folder + "/page.pbm").read_bytes()[-pitch * HEIGHT:]
    return [dots[at:at + pitch] for at in range(0, len(dots), pitch)]


PRINT = """{ NAME "Print" OPERATION Print-Job GROUP operation-attributes-tag
  ATTR charset attributes-charset utf-8 ATTR language attributes-natural-language en
  ATTR uri printer-uri $uri ATTR name requesting-user-name me
  ATTR mimeMediaType document-format image/pwg-raster
  FILE $filename STATUS successful-ok EXPECT job-id }
{ NAME "Wait" DELAY "0.1,0.1" OPERATION Get-Job-Attributes GROUP operation-attributes-tag
  ATTR charset attributes-charset utf-8 ATTR language attributes-natural-language en
  ATTR uri printer-uri $uri ATTR integer job-id $job-id ATTR name requesting-user-name me
  STATUS successful-ok EXPECT job-state WITH-VALUE >6 REPEAT-NO-MATCH REPEAT-LIMIT 300 }
"""


def print_labels(lprint, screen, folder):
    """What the drivers print of folder/page.pwg: their data."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    home = f"{folder}/{screen}"
    os.mkdir(home)
    environment = dict(os.environ, SNAP_COMMON=home, TMPDIR=home, HOME=home, LPRINT_SCREEN=screen)
    server = subprocess.Popen([lprint, "server", "-o", "listen-hostname=localhost", "-o",
                               f"server-port={port}", "-o", f"log-file={home}/log", "-o",
                               "log-level=debug"], env=environment)
    printed = {}
    try:
        for language in "zpl", "epl2":
            file = Path(f"{home}/{language}")
            file.touch()
            add = [lprint, "add", "-u", f"ipp://localhost:{port}/", "-d", language, "-m",
                   language + "_4inch-203dpi-dt", "-v", f"file://{file}"]
            for _ in range(100):
                if not subprocess.run(add, env=environment, stderr=subprocess.DEVNULL).returncode:
                    break
                time.sleep(0.1)
            subprocess.run(["ipptool", "-tc", "-f", folder + "/page.pwg",
                            f"ipp://localhost:{port}/ipp/print/{language}", folder + "/print.test"],
                           check=True, timeout=120)
            printed[language] = file.read_bytes()
    finally:
        server.terminate()
        server.wait()
    return printed


def main(lprint, riptide):
    seed = int(os.environ.get("RIPTIDE_TEST_SEED", random.randrange(100000)))
    print(f"# seed: RIPTIDE_TEST_SEED={seed}")
    rows = make_page(random.Random(seed))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        Path(folder + "/page.pwg").write_bytes(raster(rows))
        Path(folder + "/print.test").write_text(PRINT)
        ink = samples(rows)
        for screen in "blue-noise", "blue-noise-mask", "floyd-steinberg":
            dots = halftone(ink, screen, riptide, folder)
            printed = print_labels(lprint, screen, folder)
            for language, decode in ("zpl", decode_zpl), ("epl2", decode_epl):
                found = decode(printed[language])
                wrong = sum(a != b for a, b in zip(dots, found)) + abs(len(dots) - len(found))
                print(f"{language}, {screen}: {len(found)} rows, {wrong} with other dots")
                failed += wrong > 0
    return failed > 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*(os.path.abspath(name) for name in sys.argv[1:])))
