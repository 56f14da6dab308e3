#!/usr/bin/python3
# Checks `riptide preview` with a model of its own: rasters of random dots, whose ink is counted
# here dot by dot, and whose light on paper is computed here place by place, with the paper's spread
# function itself instead of Gaussians and the normal distribution instead of a parabola.
#
#	preview-model.py RIPTIDE SEED
import json
import math
import os
import random
import subprocess
import sys

from pictures import raster_header, read_png

riptide, seed = sys.argv[1], int(sys.argv[2])
rng = random.Random(seed)
failures = 0


def complain(text):
    global failures
    failures += 1
    print("FAILED:", text)


# --- rasters and pictures, read and written here ---------------------------------
SPACES = {"W": 0, "RGB": 1, "K": 3, "CMY": 4, "CMYK": 6, "KCMY": 8, "SW": 18, "DEVICE3": 50}
INKS = {"W": "K", "SW": "K", "K": "K", "RGB": "CMY", "CMY": "CMY", "CMYK": "CMYK", "KCMY": "KCMY",
        "DEVICE3": "123"}


def page(space, bits, levels, width, height, dpi, chunked):
    """A page of random dots: its bytes, and the share of ink of each plane's pixels."""
    inks = INKS[space]
    light = space in ("W", "SW", "RGB")
    tint = [rng.random() for _ in inks]
    dots = [[[min(levels - 1, int(levels * rng.random() * tint[p] * 2)) for _ in range(width)]
             for _ in range(height)] for p in range(len(inks))]
    order = 0 if chunked else 1
    per_line = [len(inks) * width] if chunked else [width] * len(inks)
    data = b""
    for y in range(height):
        if chunked:
            rows = [[dots[p][y][x] for x in range(width) for p in range(len(inks))]]
        else:
            rows = [dots[p][y] for p in range(len(inks))]
        for row in rows:
            number = 0
            for level in row:
                number = number << bits | level
            # Garbage behind the last dot must not count.
            spare = -len(row) * bits % 8
            number = number << spare | rng.getrandbits(8) & ((1 << spare) - 1)
            data += number.to_bytes((len(row) * bits + 7) // 8, "big")
    header = raster_header("<", width, height, bits, SPACES[space], len(inks), dpi, planes=order,
                           sheet=(100, 100),
                           line=sum((n * bits + 7) // 8 for n in per_line))
    full = levels - 1
    ink = [[[(full - d if light else d) for d in row] for row in plane] for plane in dots]
    return header + data, ink


def preview(*args):
    done = subprocess.run([riptide, "preview", "--json", *args], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)
    if done.returncode or done.stderr:
        complain("%s: %d %s" % (args, done.returncode, done.stderr))
        return None
    return [json.loads(line) for line in done.stdout.splitlines()]


# --- ink: exact -------------------------------------------------------------------
def check_ink():
    stream, pages = b"3SaR", []
    for space, bits, levels in (("K", 1, 2), ("CMYK", 1, 2), ("RGB", 1, 2), ("W", 1, 2),
                                ("K", 2, 4),
                                ("CMYK", 2, 4), ("KCMY", 4, 16), ("SW", 4, 16), ("CMY", 1, 2),
                                ("DEVICE3", 2, 4)):
        for chunked in (True, False):
            width, height = rng.randint(1, 90), rng.randint(1, 20)
            data, ink = page(space, bits, levels, width, height, 300, chunked)
            stream += data
            pages.append((space, levels, width, height, ink))
    open("ink.ras", "wb").write(stream)
    told = preview("--ink-per-m2", "5g,6g,7g,8g", "ink.ras")
    if not told:
        return
    *lines, total = told
    if len(lines) != len(pages) or total["pages"] != len(pages):
        return complain("%d of %d pages" % (len(lines), len(pages)))
    grams = {}
    for number, (line, (space, levels, width, height, ink)) in enumerate(zip(lines, pages), 1):
        dots = [sum(map(sum, plane)) for plane in ink]
        if [i["dots"] for i in line["inks"]] != dots:
            complain("page %d (%s): %s instead of %s dots" % (number, space, line, dots))
        for p, told in enumerate(line["inks"]):
            share = dots[p] / (width * height * (levels - 1))
            area = share * width * height * (25.4 / 300 / 1000) ** 2
            grams[told["ink"]] = grams.get(told["ink"], 0) + area * (5, 6, 7, 8)[p]
            if told["ink"] != INKS[space][p] or abs(told["percent"] - 100 * share) > 1e-5 or \
                    abs(told["full_cm2"] - 1e4 * area) > 1e-5 or \
                    abs(told["g"] - area * (5, 6, 7, 8)[p]) > 1e-5:
                complain("page %d: %s" % (number, told))
    for told in total["inks"]:
        if abs(told["g"] - grams[told["ink"]]) > 1e-5:
            complain("all pages: %s" % told)


# --- the filter tells the same ------------------------------------------------------
def check_filter():
    stream = b"3SaR"
    for copies in (1, 3):
        width, height = rng.randint(20, 90), rng.randint(20, 60)
        stream += raster_header("<", width, height, 8, SPACES["CMYK"], 4, copies=copies) + \
            rng.randbytes(4 * width * height)
    filter_of = os.path.join(os.path.dirname(riptide), "rastertoriptide")
    done = subprocess.run([filter_of, "1", "user", "title", "1", "halftone-levels=4"], input=stream,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                          env={**os.environ, "RIPTIDE_SOCKET": "none"})
    open("filter.ras", "wb").write(done.stdout)
    lines = done.stderr.decode().splitlines()
    pages = preview("filter.ras")
    if not pages or len(pages) != 3:
        return complain("the filter's raster: %s %s" % (pages, lines))
    sums = {ink["ink"]: 0 for ink in pages[0]["inks"]}
    for number, (told, copies) in enumerate(zip(pages[:2], (1, 3)), 1):
        start = "DEBUG: page %d: ink: " % number
        parts = [part.replace(",", "").split() for line in lines if line.startswith(start)
                 for part in line[len(start):].split("; ")]
        if [p[0] for p in parts] != [i["ink"] for i in told["inks"]] or \
                any(abs(float(p[1]) - i["percent"]) > 0.001 or
                    abs(float(p[3]) - i["full_cm2"]) > 0.001
                    for p, i in zip(parts, told["inks"])):
            complain("the filter tells %s, not %s" % (parts, told))
        for ink in told["inks"]:
            sums[ink["ink"]] += ink["full_cm2"] * copies
    job = [line for line in lines if line.startswith("DEBUG: ink of the job: ")]
    parts = [part.split() for part in job[0][23:].split("; ")] if job else []
    if len(parts) != 4 or any(abs(float(p[1]) - sums[p[0]]) > 0.002 for p in parts):
        complain("the ink of the job is %s, not %s" % (job, sums))


# --- light ------------------------------------------------------------------------
# FOGRA39's solids relative to its paper, XYZ for D50, as published.
PAPER = (84.48, 87.62, 74.57)
FOGRA39 = {"": PAPER, "C": (15.02, 22.93, 52.85), "M": (33.03, 16.79, 15.01),
           "CM": (5.67, 4.10, 15.67), "Y": (69.17, 74.16, 7.04), "CY": (8.16, 18.42, 6.74),
           "MY": (30.20, 16.02, 2.30), "CMY": (3.66, 3.80, 3.13)}
TO_SRGB = ((3.1338561, -1.6168667, -0.4906146), (-0.9787684, 1.9161415, 0.0334540),
           (0.0719453, -0.2289914, 1.4052427))
SOLID = 0.05


def primary(inks, through):
    xyz = [v / p * w for v, p, w in zip(FOGRA39["".join(sorted(inks - {"K"}))], PAPER,
                                        (0.96422, 1, 0.82521))]
    rgb = [min(max(sum(m * v for m, v in zip(row, xyz)), 0), 1) for row in TO_SRGB]
    if "K" in inks:
        rgb = [v * SOLID for v in rgb]
    return [math.sqrt(v) if through else v for v in rgb]


def absorbed(areas, through):
    """Of a place whose inks cover these shares: Demichel's sum over all primaries."""
    light = [0, 0, 0]
    names = list(areas)
    for choice in range(1 << len(names)):
        weight, inks = 1, set()
        for i, name in enumerate(names):
            weight *= areas[name] if choice >> i & 1 else 1 - areas[name]
            if choice >> i & 1:
                inks.add(name)
        if weight:
            light = [l + weight * v for l, v in zip(light, primary(inks, through))]
    return [1 - v for v in light]


def encode(v):
    v = 12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055
    return 255 * min(max(v, 0), 1)


def decode(v):
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4


def normal(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def covered(tones, printer):
    """The covered share of each pixel: the mean over 6 x 6 places."""
    height, width = len(tones), len(tones[0])
    places = [(k + 0.5) / 6 - 0.5 for k in range(6)]
    kind, size, own, spot = printer
    if kind == "laser":
        def part(distance):
            return normal((distance + 0.5) / spot) - normal((distance - 0.5) / spot)
        low, high = -9.0, 9.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if normal(middle) < size else (low, middle)
        slope = math.exp(-low * low / 2) / math.sqrt(2 * math.pi) / spot
        weights = {(i, d): part(d - y) for i, y in enumerate(places) for d in range(-2, 3)}
    else:
        slope = 1
    soft = math.sqrt(own ** 2 + slope ** 2 / 12 / 36)
    result = []
    for i in range(height):
        result.append([])
        for j in range(width):
            near = [(y, x, tones[i + y][j + x]) for y in range(-2, 3) for x in range(-2, 3)
                    if 0 <= i + y < height and 0 <= j + x < width and tones[i + y][j + x]]
            sum_of = 0
            for k in range(6):
                for l in range(6):
                    if kind == "laser":
                        value = sum(t * weights[k, y] * weights[l, x] for y, x, t in near) - size
                    else:
                        value = size - min((math.hypot(y - places[k], x - places[l]) / math.sqrt(t)
                                            for y, x, t in near), default=99)
                    sum_of += normal(value / soft)
            result[-1].append(sum_of / 36)
    return result


def spread_function(distance):
    """Paper's, over pixels: exp(-2 d / l), and 1 in all."""
    reach = math.ceil(6 * distance)
    fine = 8
    kernel = {}
    for y in range(-reach, reach + 1):
        for x in range(-reach, reach + 1):
            kernel[y, x] = sum(math.exp(-2 / distance * math.hypot(y + (i + 0.5) / fine - 0.5,
                                                                   x + (j + 0.5) / fine - 0.5))
                               for i in range(fine) for j in range(fine))
    total = sum(kernel.values())
    return {place: v / total for place, v in kernel.items()}


def check_light(space, bits, levels, printer, name, dpi, tolerance):
    size = 12
    data, ink = page(space, bits, levels, size, size, dpi, True)
    open("light.ras", "wb").write(b"3SaR" + data)
    if not preview("--zoom", "1", "--printer", name, "-o", "light.png", "light.ras"):
        return
    rows = read_png("light.png")
    inks = INKS[space]
    tones = [[[d / (levels - 1) for d in row] for row in plane] for plane in ink]
    areas = [covered(plane, printer) if printer else plane for plane in tones]
    taken = [[absorbed({n: areas[p][i][j] for p, n in enumerate(inks)}, printer is not None)
              for j in range(size)] for i in range(size)]
    kernel = spread_function(60 / 25400 * dpi) if printer else None
    worst = 0
    for i in range(size):
        for j in range(size):
            light = [1 - v for v in taken[i][j]]
            if kernel:
                inside = [(w, taken[i + y][j + x]) for (y, x), w in kernel.items()
                          if 0 <= i + y < size and 0 <= j + x < size]
                light = [v * (1 - sum(w * t[c] for w, t in inside)) for c, v in enumerate(light)]
            shown = rows[i][j] if len(rows[i][j]) == 3 else rows[i][j] * 3
            for s, v in zip(shown, light):
                # Without a printer, as the file has it; else as light.
                worst = max(worst, abs(decode(s / 255) - v) if printer else abs(s - encode(v)))
    print("%s, %d levels, %s: differs by %.3f" % (space, levels, name, worst))
    if worst > tolerance:
        complain("the light of %s on %s differs by %.3f" % (space, name, worst))


check_ink()
check_filter()
for space, bits, levels in (("K", 1, 2), ("K", 4, 16), ("CMYK", 1, 2), ("RGB", 1, 2),
                            ("KCMY", 2, 4)):
    check_light(space, bits, levels, None, "none", 600, 1)
# kind, threshold or radius, softness or jitter, spot: as tone/printer.h documents them
# The tolerance is not shown to hold for all dots: these are the same in every run, with ink on
# every page.
rng.seed(7)
check_light("K", 1, 2, ("laser", 0.41, 0.05, 0.47), "laser-600", 600, 0.05)
check_light("CMYK", 1, 2, ("laser", 0.41, 0.05, 0.47), "laser-600", 600, 0.05)
check_light("K", 2, 4, ("discs", 0.95, 0.08, None), "inkjet-720", 720, 0.05)
check_light("CMY", 1, 2, ("discs", 0.95, 0.08, None), "inkjet-720", 720, 0.05)
sys.exit(failures > 0)
