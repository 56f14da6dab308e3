#!/usr/bin/python3
"""Prints labels with barcodes, and counts which of them no scanner reads.

    labels.py [--all] [--count N] [--first N] [--workers N] [--only SCREEN,...] [--list]

Each label (label.py) is drawn by Ghostscript once for each way of making dots:

    labels, blue-noise, bi-level   `riptide rip` with this screen, as the queues of ZPL printers do
    Ghostscript                    its own 1 bit, pbmraw
    PAPPL                          a mask of 16 x 16 with clusters of dots, as its drivers have
    LPrint                         the same between its two limits, a threshold beside solid ink

Then a print head with a scanner follows: a heater that is dead (one label of five), dots that are
20 % larger or smaller, and a picture of them, which zbar and zxing-cpp read, as it is and out of
focus by half a module.  A label counts if both its page in greys and a picture of it with five
times the resolution, printed by the same head, can be read: else no screen could help.  It is
missed if neither program reads it.

Prints a table of misses by class; with --list also each label that `labels` misses.  --all: 10000
labels; else 300.  The seed is RIPTIDE_TEST_SEED, or 28.  Fails if `labels` misses more labels than
bi-level does in any class (and one), or more than a fifth of what the best of the peers misses
(and two).
"""
import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile

import numpy as np
import zxingcpp
from PIL import Image, ImageFilter
from pyzbar import pyzbar

from label import GROUNDS, LINEAR, MODULES, SOURCES, SYMBOLOGIES, TURNS, Label, document

RIPTIDE = os.path.join(os.environ.get("RIPTIDE_BUILD", "."), "riptide")
OURS = ("labels", "blue-noise", "bi-level")
PEERS = ("Ghostscript", "PAPPL", "LPrint")
ZXING = {"Code 128": "Code128", "EAN-13": "EAN13", "ITF": "ITF", "DataMatrix": "DataMatrix",
         "QR": "QRCode", "Aztec": "Aztec"}
ZBAR = {"Code 128": "CODE128", "EAN-13": "EAN13", "ITF": "I25", "QR": "QRCODE"}
SCAN = 5        # pixels of the scanner for a dot
CHUNK = 50
SLACK = 10      # of five times the misses: two labels of few


def spot():
    """A mask of 16 x 16 whose thresholds, 0 to 255, make clusters of dots 45 degrees apart."""
    x, y = np.meshgrid(np.arange(16) + .5, np.arange(16) + .5)
    turns = 2 * np.pi / 16
    height = np.cos(turns * (x + y)) + np.cos(turns * (x - y))
    order = np.argsort(-(height + 1e-4 * (x + 16 * y) / 256), axis=None)
    mask = np.empty(256, int)
    mask[order] = np.arange(256) * 255 // 256
    return mask.reshape(16, 16)


SPOT = spot()


def pappl(grey):
    tiles = np.tile(SPOT, (grey.shape[0] // 16 + 1, grey.shape[1] // 16 + 1))
    return 255 - grey.astype(int) > tiles[:grey.shape[0], :grey.shape[1]]


def lprint(grey):
    """lprintDitherLine() of LPrint 1.3."""
    ink = 255 - grey.astype(int)
    ink[grey < 56] = 255
    ink[grey > 199] = 0
    solid = (ink == 0) | (ink == 255)
    beside = np.zeros_like(solid)
    beside[:, 1:] |= solid[:, :-1]
    beside[:, :-1] |= solid[:, 1:]
    beside[1:] |= solid[:-1]
    beside[:-1] |= solid[1:]
    mask = 56 + (199 - 56) * SPOT / 255
    tiles = np.tile(mask, (grey.shape[0] // 16 + 1, grey.shape[1] // 16 + 1))
    return np.where(beside | solid, ink > 127, ink > tiles[:grey.shape[0], :grey.shape[1]])


def pages(data):
    """The pages of a PBM or PGM with several: bool, ink, or greys."""
    at, made = 0, []
    while at < len(data):
        words = []
        while len(words) < (3 if data[at:at + 2] == b"P4" or words[:1] == [b"P4"] else 4):
            if data[at:at + 1].isspace():
                at += 1
            elif data[at:at + 1] == b"#":
                at = data.index(b"\n", at)
            else:
                end = at
                while not data[end:end + 1].isspace():
                    end += 1
                words.append(data[at:end])
                at = end
        at += 1
        width, height = int(words[1]), int(words[2])
        pitch = (width + 7) // 8 if words[0] == b"P4" else width
        rows = np.frombuffer(data, np.uint8, pitch * height, at).reshape(height, pitch)
        at += pitch * height
        made.append(np.unpackbits(rows, axis=1)[:, :width].astype(bool) if words[0] == b"P4"
                    else rows)
    return made


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr.decode()}")
    return pages(done.stdout)


def ghostscript(device, dpi, path):
    return run("gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", f"-sDEVICE={device}", f"-r{dpi}",
               "-sOutputFile=-", path)


def printed(label, ink):
    """What the head makes of ink, SCAN pixels a dot, and a scanner sees of it: greys, upright."""
    if label.dead is not None:  # within the symbol, the photo left out
        column = int(label.picture + label.dead * (label.width - label.picture)) * SCAN
        ink[:, column:column + SCAN] = False
    grown = ink.copy()
    if label.bleed > 0:
        grown[:, 1:] |= ink[:, :-1]
        grown[1:] |= grown[:-1].copy()
    elif label.bleed < 0:
        grown[:, 1:] &= ink[:, :-1]
        grown[1:] &= grown[:-1].copy()
    return seen(label, 255 - 255 * grown.astype(np.float32))


def seen(label, grey):
    """A scanner's picture of the symbol, with four or five pixels for a module."""
    (x, y), (half, tall) = label.centre, label.window
    grey = grey[max(0, int((y - tall) * SCAN)):int((y + tall) * SCAN),
                max(0, int((x - half) * SCAN)):int((x + half) * SCAN)]
    k = max(1, round(label.module * SCAN / 4.5))
    height, width = grey.shape[0] // k * k, grey.shape[1] // k * k
    small = grey[:height, :width].reshape(height // k, k, width // k, k).mean(axis=(1, 3))
    turn = label.turn // 90
    return np.ascontiguousarray(np.rot90(small, -turn if turn < 4 else 0).astype(np.uint8))


def read(label, image):
    """Whether a program reads the label's text: as it is, or out of focus by half a module."""
    return decode(label, image) or decode(label, np.asarray(
        Image.fromarray(image).filter(ImageFilter.GaussianBlur(2))))


def decode(label, image):
    # Not read_barcodes(), whose 1.4 compares results and aborts.
    kind = getattr(zxingcpp.BarcodeFormat, ZXING[label.symbology])
    for factor in (1,) if label.symbology in LINEAR else (1, 2):
        larger = np.repeat(np.repeat(image, factor, axis=0), factor, axis=1)
        found = zxingcpp.read_barcode(larger, kind)
        if found and found.text.startswith(label.text):
            return True
    if label.symbology in ZBAR:
        kind = getattr(pyzbar.ZBarSymbol, ZBAR[label.symbology])
        for found in pyzbar.decode(Image.fromarray(image), symbols=[kind]):
            if found.data.decode(errors="replace").startswith(label.text):
                return True
    return False


def upscaled(grey):
    image = Image.fromarray(grey)
    return np.asarray(image.resize((image.width * SCAN, image.height * SCAN), Image.BICUBIC))


def blow_up(dots):
    return np.repeat(np.repeat(dots, SCAN, axis=0), SCAN, axis=1)


def judge(job):
    """Prints some labels, and returns for each its classes and whether each screen is missed."""
    seed, numbers, screens = job
    labels = [Label(seed, n) for n in numbers]
    verdicts = []
    with tempfile.TemporaryDirectory() as folder:
        for dpi in (203, 300):
            some = [label for label in labels if label.dpi == dpi]
            if not some:
                continue
            for label in some:
                label.make()
            path = os.path.join(folder, f"{dpi}.pdf")
            with open(path, "wb") as file:
                file.write(document(some))
            greys = ghostscript("pgmraw", dpi, path)
            made = {}
            for name in screens:
                if name in OURS:
                    made[name] = run(RIPTIDE, "rip", "-r", str(dpi), "--workers", "1", "--screen",
                                     name, "--printer", "thermal", "--format", "pnm", path)
            if "Ghostscript" in screens:
                made["Ghostscript"] = ghostscript("pbmraw", dpi, path)
            made["PAPPL"] = [pappl(grey) for grey in greys]
            made["LPrint"] = [lprint(grey) for grey in greys]
            for i, label in enumerate(some):
                verdicts.append(verdict(label, greys[i], {s: made[s][i] for s in screens}))
    return verdicts


def verdict(label, grey, made):
    ideal = label.cover(SCAN) >= .5
    counts = (read(label, seen(label, upscaled(grey).astype(np.float32))) and
              read(label, printed(label, ideal)))
    missed = {name: counts and not read(label, printed(label, blow_up(dots)))
              for name, dots in made.items()}
    return label.number, label.classes(), counts, missed


def table(verdicts, screens):
    rows = [*SYMBOLOGIES, *(f"{m:g} dots" for m in MODULES), *SOURCES,
            *("on " + g if g != "photo" else "beside a photo" for g in GROUNDS),
            *(f"{t} degrees" for t in TURNS), "203 dpi", "300 dpi", "all"]
    print(f"{'misses':16}{'labels':>8}" + "".join(f"{s:>13}" for s in screens))
    worse = []
    for row in rows:
        mine = [v for v in verdicts if v[2] and (row == "all" or row in v[1])]
        misses = {s: sum(v[3][s] for v in mine) for s in screens}
        print(f"{row:16}{len(mine):8}" + "".join(f"{misses[s]:13}" for s in screens))
        if misses.get("labels", 0) > misses.get("bi-level", len(mine)) + 1:
            worse.append(row)
    return misses, worse


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--count", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--only", default=",".join(OURS + PEERS))
    parser.add_argument("--list", action="store_true")
    wish = parser.parse_args()
    seed = os.environ.get("RIPTIDE_TEST_SEED", "28")
    screens = wish.only.split(",")
    count = wish.count or (10000 if wish.all else 300)
    print(f"RIPTIDE_TEST_SEED={seed}, {count} labels", flush=True)
    jobs = [(seed, range(wish.first + i, wish.first + min(i + CHUNK, count)), screens)
            for i in range(0, count, CHUNK)]
    verdicts = []
    with multiprocessing.Pool(wish.workers) as pool:
        for some in pool.imap(judge, jobs):
            verdicts += some
    misses, worse = table(verdicts, screens)
    if wish.list:
        for number, classes, counts, missed in sorted(verdicts):
            if counts and any(missed.values()):
                print(number, *classes, "missed by", *(s for s in screens if missed[s]))
    if not {"labels", "bi-level", "LPrint", "PAPPL", "Ghostscript"} <= set(misses):
        return 0
    print("more misses than bi-level:", ", ".join(worse) or "in no class")
    best = min(misses[peer] for peer in PEERS)
    if misses["labels"] * 5 > best + SLACK or worse:
        print(f"FAILED: {misses['labels']} misses with labels, {misses['bi-level']} with bi-level, "
              f"{best} with the best of the others")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
