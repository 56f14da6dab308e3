#!/usr/bin/env python3
"""Reads a chart with ArgyllCMS's chartread, in place of a person: chartread.py BASE

chartread -xx asks for the XYZ of each patch of BASE.ti2, on a terminal.  The answers are those of a
printer whose tints cover 1 - (1 - tone)^1.6 of the paper.  chartread writes BASE.ti3.
"""
import os
import pty
import re
import select
import signal
import sys

PAPER = (96.42, 100, 82.49)
SOLID = {"C": (12, 18, 48), "M": (38, 19, 20), "Y": (76, 81, 11), "K": (3, 3, 3)}


def read_places(path):
    """Places of patches, and the amounts of ink there."""
    places, fields, data = {}, [], False
    for line in open(path):
        words = line.split()
        if line.startswith("SAMPLE_ID"):
            fields = words
        elif words and words[0] == "END_DATA":
            data = False
        elif data:
            cells = dict(zip(fields, words))
            inks = {f[-1]: float(v) / 100 for f, v in cells.items() if f[:5] in ("GRAY_", "CMYK_")}
            places[cells["SAMPLE_LOC"].strip('"')] = inks
        elif words and words[0] == "BEGIN_DATA":
            data = True
    return places


def look(inks):
    light = list(PAPER)
    for ink, tone in inks.items():
        area = 1 - (1 - tone) ** 1.6
        light = [v * (1 - area + area * s / p) for v, s, p in zip(light, SOLID[ink], PAPER)]
    return " ".join(f"{v:.5f}" for v in light)


def main():
    places = read_places(sys.argv[1] + ".ti2")
    process, terminal = pty.fork()
    if process == 0:
        os.execvp("chartread", ["chartread", "-xx", sys.argv[1]])
    text, answers = "", 0
    while select.select([terminal], [], [], 60)[0]:
        try:
            got = os.read(terminal, 4096)
        except OSError:
            break
        if not got:
            break
        text += got.decode(errors="replace")
        asked = re.search(r"Ready to read patch '.*?' at '(\w+)'.*?press <return>: ", text, re.S)
        if asked:
            text = text[asked.end():]
            answer = look(places[asked.group(1)]) if answers < len(places) else "d"
            answers += 1
            os.write(terminal, (answer + "\n").encode())
    os.close(terminal)
    os.kill(process, signal.SIGKILL)  # it may wait for an answer to a question unknown here
    os.waitpid(process, 0)  # chartread of Argyll 2.3 may crash when it has written its file
    if not os.path.exists(sys.argv[1] + ".ti3"):
        sys.exit("chartread has written nothing: " + text[-500:])


main()
