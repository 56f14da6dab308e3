#!/usr/bin/env python3
"""Patches of many colours, to find out what grey they become.

    black.py document              PostScript of a page of 200 x 200 points
    black.py check LIGHT NEW OLD   two pages of it, as CUPS raster of 72 dpi: of pure black, and of
                                   halftone-black=profile; LIGHT: 1 if 255 is white

The page has 40 x 40 patches: K, the spot colours Black and All from 0 to 100 %, then others."""
import random
import sys

SIDE, POINTS = 40, 5
STEPS = 101


def colours():
    """PostScript that sets the colour of each patch."""
    source = random.Random(28)
    numbers = lambda count, least=0: [round(source.uniform(least, 1), 3) for _ in range(count)]
    tint = "[/Separation /%s /DeviceCMYK {%s}] setcolorspace %.2f setcolor"
    ramp = [i / 100 for i in range(STEPS)]
    for k in ramp:
        yield f"0 0 0 {k} setcmykcolor"
    for k in ramp:
        yield tint % ("Black", "0 exch 0 exch 0 exch", k)
    for k in ramp:
        yield tint % ("All", "dup dup dup", k)
    for number in range(STEPS * 3, SIDE * SIDE):
        kind = number % 4
        if kind == 0:  # one ink beside black
            inks = [0, 0, 0] + numbers(1)
            inks[number // 4 % 3] = numbers(1, .05)[0]
        else:
            inks = numbers(kind if kind != 2 else 4)
        if kind == 2 and max(inks[:3]) < .05:
            inks[0] = .05
        yield " ".join(map(str, inks)) + (" setgray", " setrgbcolor", " setcmykcolor")[
            (1, 3, 4).index(len(inks))]


def document():
    print(f"<< /PageSize [{SIDE * POINTS} {SIDE * POINTS}] >> setpagedevice")
    for number, colour in enumerate(colours()):
        y, x = divmod(number, SIDE)
        print(f"{colour} {x * POINTS} {y * POINTS} {POINTS} {POINTS} rectfill")
    print("showpage")


def patches(path, light):
    width = SIDE * POINTS
    with open(path, "rb") as file:
        samples = file.read()[-width * width:]
    for number in range(SIDE * SIDE):
        y, x = divmod(number, SIDE)
        row = width - 1 - y * POINTS - POINTS // 2
        value = samples[row * width + x * POINTS + POINTS // 2]
        yield 255 - value if light else value


def check(light, new, old):
    new, old = list(patches(new, light)), list(patches(old, light))
    names = list(colours())
    wrong = []
    k, black, everything = (new[i * STEPS:(i + 1) * STEPS] for i in range(3))
    if k[0] != 0 or k[-1] != 255 or everything[-1] != 255:
        wrong.append(f"0 and 100 % K become {k[0]} and {k[-1]}, 100 % All {everything[-1]}")
    if old[STEPS - 1] > 240:
        wrong.append(f"100 % K is {old[STEPS - 1]} as the profile says: nothing to test")
    if k != black:
        wrong.append("K and the spot colour Black differ")
    for i in range(1, STEPS):
        if not 0 < k[i] - k[i - 1] <= 8:
            wrong.append(f"{i} % K becomes {k[i]} after {k[i - 1]}")
    for i in range(86):  # measured: 5 and 14
        if abs(k[i] - old[i]) > (6 if i <= 60 else 16):
            wrong.append(f"{i} % K becomes {k[i]}, and {old[i]} as the profile says")
    for i in range(STEPS * 2, SIDE * SIDE):
        if abs(new[i] - old[i]) > 1:
            wrong.append(f"{names[i]}: {new[i]}, not {old[i]}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if sys.argv[1] == "document":
    document()
else:
    sys.exit(check(int(sys.argv[2]), *sys.argv[3:5]))
