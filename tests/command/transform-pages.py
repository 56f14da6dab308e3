#!/usr/bin/env python3
"""Pages that riptide-transform makes, read without libcups; documents that cannot be printed; and
the sandbox in which PAPPL 2 runs ipptransform.

    transform-pages.py pages FILE PREFIX    PREFIX1.pgm, ...: the pages as light (PPM: RGB); prints
                                            a line for each, with what is in its header
    transform-pages.py count FILE           "N": so many pages, all complete; "N and a part"
    transform-pages.py broken FOLDER FILE   makes 20 documents of FILE that have no page, or none
                                            after some
    transform-pages.py sandbox FILE COMMAND...
                                            runs a command as pappl-exec does: it may read FILE

PWG raster is that of PWG 5102.4; Apple raster has the same lines behind other headers."""
import ctypes
import os
import random
import re
import struct
import sys

K, W, SRGB, CMYK = 3, 18, 19, 6


class Part(Exception):
    """The file ends inside a page."""


class Raster:
    def __init__(self, name):
        self.data = open(name, "rb").read()
        self.apple = self.data[:8] == b"UNIRAST\0"
        assert self.apple or self.data[:4] == b"RaS2" or not self.data, name
        self.at = 12 if self.apple else 4

    def take(self, n):
        if self.at + n > len(self.data):
            raise Part
        self.at += n
        return self.data[self.at - n:self.at]

    def header(self):
        if self.apple:
            bits, space, sides, _, media, tray = self.take(32)[:6]
            width, height, dpi = struct.unpack_from(">III", self.data, self.at - 20)
            return dict(width=width, height=height, bits=bits, dpi=dpi, sides=sides,
                        media=media, tray=tray,
                        space={0: W if bits == 8 else K, 1: SRGB, 6: CMYK}[space],
                        line=(width * bits + 7) // 8)
        page = self.take(1796)

        def number(at):
            return struct.unpack_from(">I", page, at)[0]
        return dict(width=number(372), height=number(376), bits=number(388), dpi=number(276),
                    line=number(392),
                    space=number(400), duplex=number(272), tumble=number(368), copies=number(340),
                    orientation=number(344), total=number(452), cross=number(456), feed=number(460),
                    tray=number(324), media=page[1732:1796].rstrip(b"\0").decode())

    def rows(self, page):
        size, rows = max(page["bits"] // 8, 1), []
        while len(rows) < page["height"]:
            repeat, line = self.take(1)[0] + 1, bytearray()
            while len(line) < page["line"]:
                code = self.take(1)[0]
                if code == 128:  # the rest is white
                    white = bytes([0 if page["space"] in (K, CMYK) else 255])
                    line += white * (page["line"] - len(line))
                elif code < 128:
                    line += self.take(size) * (code + 1)
                else:
                    line += self.take(size * (257 - code))
            assert len(line) == page["line"]
            rows += [bytes(line)] * repeat
        assert len(rows) == page["height"]
        return rows

    def pages(self):
        while self.at < len(self.data):
            page = self.header()
            yield page, self.rows(page)


def pages(name, prefix):
    invert = bytes(range(255, -1, -1))
    for number, (page, rows) in enumerate(Raster(name).pages(), 1):
        print(" ".join(f"{key}={value}" for key, value in page.items()))
        with open(f"{prefix}{number}.pgm", "wb") as file:
            if page["bits"] == 1:
                if page["space"] == W:
                    ink, unused = (1 << page["width"]) - 1, -page["width"] % 8
                    rows = [((int.from_bytes(row, "big") >> unused ^ ink) << unused).to_bytes(
                                len(row), "big")
                            for row in rows]
                file.write(b"P4\n%d %d\n" % (page["width"], page["height"]))
            else:
                if page["space"] in (K, CMYK):
                    rows = [row.translate(invert) for row in rows]
                wide = page["width"] * (4 if page["bits"] == 32 else 1)
                file.write(b"P%d\n%d %d\n255\n" % (
                    6 if page["bits"] == 24 else 5, wide, page["height"]))
            file.write(b"".join(rows))


def count(name):
    found = 0
    try:
        for _ in Raster(name).pages():
            found += 1
    except Part:
        return f"{found} and a part"
    return str(found)


def broken(folder, name):
    whole = open(name, "rb").read()
    made = []

    def add(data):
        made.append(data)

    def without(number):  # an object
        return re.sub(rb"\n%d 0 obj" % number, b"\n9%d 0 obj" % number, whole)
    add(b"")
    add(b"no document")
    add(b"%PDF-1.4\n")
    add(b"%!PS\n%%PDF-1.4\nshowpage\n")
    add(whole[:100])
    add(whole[:len(whole) // 3].replace(b"/Pages", b"/Pegs "))
    add(b"%PDF-1.7\n" + bytes(5000))
    add(b"%PDF-1.7\n" + random.Random(8).randbytes(20000).replace(b"obj", b"xxx"))
    add(whole.replace(b"/Pages", b"/Pegs "))
    add(whole.replace(b"/Kids", b"/Kits"))
    add(whole.replace(b"/Catalog", b"/Cattle ").replace(b"/Root", b"/Rood"))
    add(whole.replace(b" obj", b" jbo"))
    add(whole.replace(b"endobj", b"").replace(b"obj", b"ogj"))
    add(re.sub(rb"/Kids \[[^]]*\]", b"/Kids [2 0 R]", whole))
    add(re.sub(rb"/Kids \[[^]]*\]", b"/Kids []", re.sub(rb"/Count \d", b"/Count 0", whole)))
    add(without(2))  # the pages
    add(without(3))  # the first page
    add(without(4))  # the second one
    add(without(5))  # the last one
    add(re.sub(rb"/MediaBox \[0 0 \d+ \d+\] /Contents 8", b"/MediaBox [0 0 9000000 9] /Contents 8",
               whole))
    assert len(made) == 20 and all(data != whole for data in made)
    for number, data in enumerate(made, 1):
        with open(f"{folder}/{number:02}.pdf", "wb") as file:
            file.write(data)


def sandbox(document, command):
    """As PAPPL 2.0b1's pappl-exec.c restricts files by Landlock.  77: this kernel has none."""
    libc = ctypes.CDLL(None, use_errno=True)
    create, add, restrict, path_beneath = 444, 445, 446, 1
    execute, write, read, folders = 1, 2, 4, 8
    changes = write | 16 | 32 | 128 | 256 | 4096  # make and remove files, folders and links
    rules = libc.syscall(create, struct.pack("Q", 0x1fff), ctypes.c_size_t(8), 0)
    if rules < 0:
        sys.exit(77)

    def allow(path, access):
        if not os.path.exists(path):
            return
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        if not os.path.isdir(path):
            access &= execute | write | read
        if libc.syscall(add, rules, path_beneath, struct.pack("=Qi", access, fd), 0):
            sys.exit(f"{path}: {os.strerror(ctypes.get_errno())}")
        os.close(fd)
    for path in "/dev", "/etc", "/proc", "/run", "/var", document:
        allow(path, read | folders)
    allow(os.environ.get("TMPDIR", "/tmp"), read | folders | changes)
    for path in "/bin", "/lib", "/lib64", "/opt", "/sbin", "/usr", os.path.realpath(command[0]):
        allow(path, execute | read | folders)
    libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    if libc.syscall(restrict, rules, 0):
        sys.exit(77)
    try:
        open("/dev/null", "w").close()
        sys.exit("/dev/null can be written")
    except PermissionError:
        pass
    os.execvp(command[0], command)


task, arguments = sys.argv[1], sys.argv[2:]
if task == "count":
    print(count(*arguments))
elif task == "sandbox":
    sandbox(arguments[0], arguments[1:])
else:
    {"pages": pages, "broken": broken}[task](*arguments)
