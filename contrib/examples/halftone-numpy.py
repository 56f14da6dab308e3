#!/usr/bin/env python3
"""Halftones a NumPy array with libriptide, by ctypes.

    from importlib import import_module
    dots = import_module("halftone-numpy").halftone(grey, screen="blue-noise")

As a program: halftone-numpy.py IN.pgm OUT.pbm [SCREEN]
"""
import ctypes
import re
import sys

import numpy as np

lib = ctypes.CDLL("libriptide.so.0")


class Page(ctypes.Structure):
    """struct riptide_page of riptide.h"""
    _fields_ = [("size", ctypes.c_size_t)] + [(name, ctypes.c_uint32) for name in (
        "width", "height", "planes", "sample_bits", "levels", "light", "x_dpi", "y_dpi")] + [
        ("inks", ctypes.c_char_p), ("screen", ctypes.c_char_p), ("curves", ctypes.c_void_p),
        ("preset", ctypes.c_char_p), ("calibration", ctypes.c_char_p),
        ("target", ctypes.c_char_p)] + [(name, ctypes.c_uint32) for name in (
            "density", "gamma", "flags", "number", "band_rows")] + [("method", ctypes.c_char_p)]


lib.riptide_error.restype = ctypes.c_char_p
lib.riptide_error.argtypes = [ctypes.c_void_p]
lib.riptide_dot_bytes.restype = ctypes.c_size_t
lib.riptide_dot_bytes.argtypes = [ctypes.c_uint32, ctypes.c_uint32]
lib.riptide_begin.argtypes = [ctypes.c_void_p, ctypes.POINTER(Page)]
lib.riptide_push.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_ssize_t,
                             ctypes.c_uint32]
lib.riptide_pull.argtypes = lib.riptide_push.argtypes
lib.riptide_flush.argtypes = [ctypes.c_void_p]
lib.riptide_free.argtypes = [ctypes.c_void_p]


def halftone(grey, screen="floyd-steinberg", light=True, **fields):
    """The dots of an array of uint8 or uint16, packed as numpy.packbits packs them: uint8.

    grey: rows of samples, or planes of rows.  fields: others of struct riptide_page; texts as
    bytes.
    """
    planes = np.ascontiguousarray(grey if grey.ndim == 3 else grey[np.newaxis])
    count, height, width = planes.shape
    if planes.dtype not in (np.uint8, np.uint16):
        raise TypeError("samples must be uint8 or uint16")
    page = Page(size=ctypes.sizeof(Page), width=width, height=height, planes=count,
                sample_bits=8 * planes.itemsize, light=light, screen=screen.encode(), **fields)
    dots = np.empty((count, height, lib.riptide_dot_bytes(width, page.levels or 2)), np.uint8)
    riptide = ctypes.c_void_p()

    def check(result):
        if result < 0:
            raise OSError(-result, lib.riptide_error(riptide).decode())
        return result

    check(lib.riptide_new(None, ctypes.byref(riptide)))
    try:
        check(lib.riptide_begin(riptide, page))
        for p in range(count):
            check(lib.riptide_push(riptide, p, planes[p].ctypes.data, 0, height))
        check(lib.riptide_flush(riptide))
        for p in range(count):
            rows = check(lib.riptide_pull(riptide, p, dots[p].ctypes.data, 0, height))
            assert rows == height
    finally:
        lib.riptide_free(riptide)
    return dots if grey.ndim == 3 else dots[0]


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4:
        sys.exit("Usage: halftone-numpy.py IN.pgm OUT.pbm [SCREEN]")
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    # Comments go from # to the end of the line.
    header = re.match(rb"P5" + rb"(?:\s|#.*\n)+(\d+)" * 3 + rb"\s", data)
    if not header or header[3] != b"255":
        sys.exit(f"{sys.argv[1]}: not a PGM picture (P5) with a maxval of 255")
    width, height = int(header[1]), int(header[2])
    if len(data) < header.end() + width * height:
        sys.exit(f"{sys.argv[1]}: the picture is cut")
    picture = np.frombuffer(data, np.uint8, width * height, header.end()).reshape(height, width)
    light = halftone(picture, *sys.argv[3:4])
    ink = np.packbits(1 - np.unpackbits(light, axis=1, count=picture.shape[1]), axis=1)
    with open(sys.argv[2], "wb") as file:
        file.write(b"P4\n%d %d\n" % picture.shape[::-1] + ink.tobytes())
