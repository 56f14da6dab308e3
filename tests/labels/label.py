"""Labels with a barcode each, made by number and seed: what is printed, and what it must say.

A label is a matrix of modules (zint makes it), on white, on grey or beside a photo, as vectors, as
a PNG with grey edges, or as a JPEG, turned by 0, 90, 180, 270 or 1 degrees.  `document()` writes
the labels of a resolution as the pages of a PDF.
"""
import io
import math
import random
import subprocess
import zlib

import numpy as np
from PIL import Image

SYMBOLOGIES = ("Code 128", "EAN-13", "ITF", "DataMatrix", "QR", "Aztec")
SOURCES = ("vector", "PNG", "JPEG")
GROUNDS = ("white", "grey", "photo")
TURNS = (0, 90, 180, 270, 1)
MODULES = (1, 1.3, 1.7, 2, 2.4, 3)
ZINT = {"Code 128": "20", "EAN-13": "13", "ITF": "3", "DataMatrix": "71", "QR": "58", "Aztec": "92"}
LINEAR = SYMBOLOGIES[:3]


class Label:
    """One label; its place, in dots of the printer."""

    def __init__(self, seed, number):
        rng = random.Random(f"{seed}:{number}")
        self.number, self.rng = number, rng
        self.dpi = rng.choice((203, 300))
        self.symbology = rng.choice(SYMBOLOGIES)
        self.module = rng.choice(MODULES)
        self.source = rng.choice(SOURCES)
        self.ground = rng.choice(GROUNDS)
        self.turn = rng.choice(TURNS)
        self.paper = 255 if self.ground != "grey" else rng.randint(100, 235)
        self.ink = rng.choice((0, 0, 0, rng.randint(0, self.paper // 4)))
        self.image_dpi = {"vector": 0, "PNG": rng.choice((self.dpi, 300, 600)),
                          "JPEG": rng.choice((150, 200, 300, 400, 600))}[self.source]
        self.quality = rng.randint(60, 95)
        self.bleed = rng.choice((-1, 0, 1))
        self.dead = rng.random() if rng.random() < 0.2 else None
        digits = "".join(rng.choice("0123456789") for _ in range(12))
        letters = "".join(rng.choice("ABCDEFGHJKLMNPRSTUVWXYZ0123456789-")
                          for _ in range(rng.randint(5, 9)))
        self.text = {"EAN-13": digits, "ITF": digits[:10]}.get(self.symbology, letters)
        self.matrix = None

    def classes(self):
        """The rows of the table that it counts in."""
        return (self.symbology, f"{self.module:g} dots", self.source, f"on {self.ground}"
                if self.ground != "photo" else "beside a photo", f"{self.turn} degrees",
                f"{self.dpi} dpi")

    def make(self):
        """Makes the modules, True for ink, with the light ones around them, and its measures."""
        self.matrix = modules(self.symbology, self.text)
        rows, columns = self.matrix.shape
        linear = self.symbology in LINEAR
        quiet = 10 if linear else 4
        if linear:  # bars of a third of their length, but of 44 dots
            rows = max(44 / self.module, columns / 3)
        self.size = (columns * self.module, rows * self.module)
        margin = quiet * self.module + 4
        width, height = self.size
        if self.turn in (90, 270):
            width, height = height, width
        if self.turn == 1:
            width, height = width + height / 50, height + width / 50
        self.picture = 60 if self.ground == "photo" else 0  # columns of a photo, left of the symbol
        edge = 0.3 + self.rng.random()
        self.width = math.ceil(width + 2 * margin + self.picture) + 2
        self.height = math.ceil(height + 2 * margin) + 2
        self.window = (width / 2 + margin - 3, height / 2 + margin - 3)  # around the centre
        self.centre = (self.picture + margin + width / 2 + edge, margin + height / 2 + edge)

    def cover(self, scale, supersample=6):
        """How much of each pixel is ink, 0 to 1, with so many pixels a dot of the printer."""
        rows, columns = self.matrix.shape
        width, height = self.size
        out_w, out_h = round(self.width * scale), round(self.height * scale)
        if self.turn != 1:
            matrix = np.rot90(self.matrix, {0: 0, 90: 1, 180: 2, 270: 3}[self.turn])
            if self.turn in (90, 270):
                width, height = height, width
            left, top = self.centre[0] - width / 2, self.centre[1] - height / 2
            across = shares(matrix.shape[1], left * scale, width * scale, out_w)
            down = shares(matrix.shape[0], top * scale, height * scale, out_h)
            return np.clip(down.T @ matrix.astype(np.float32) @ across, 0, 1)
        angle, n = math.radians(1), supersample if scale < 3 else 1
        cover = np.zeros((out_h, out_w), np.float32)
        for sub in range(n * n):
            x = (np.arange(out_w)[None, :] + (sub % n + .5) / n) / scale - self.centre[0]
            y = (np.arange(out_h)[:, None] + (sub // n + .5) / n) / scale - self.centre[1]
            u = (x * math.cos(angle) + y * math.sin(angle)) / width + .5
            v = (y * math.cos(angle) - x * math.sin(angle)) / height + .5
            inside = (u >= 0) & (u < 1) & (v >= 0) & (v < 1)
            i = np.clip((u * columns).astype(int), 0, columns - 1)
            j = np.clip((v * rows).astype(int), 0, rows - 1)
            cover += inside & self.matrix[j, i]
        return cover / (n * n)

    def picture_pixels(self, width, height):
        """Something like a photo: slopes and some noise of all sizes."""
        noise = np.random.default_rng(self.number)
        grey = np.zeros((height, width))
        for size in (2, 4, 8, 16, 32):
            coarse = noise.random((height // size + 2, width // size + 2)) * 255
            grey += np.asarray(Image.fromarray(coarse.astype(np.uint8)).resize(
                (width, height), Image.BICUBIC), float) * size / 62
        return np.clip((grey - 128) * 2 + 128, 0, 255)

    def scene(self, scale):
        """The label's pixels, 0 to 255."""
        ink = self.cover(scale)
        grey = self.paper + (self.ink - self.paper) * ink
        if self.picture:
            columns = round(self.picture * scale)
            grey[:, :columns] = self.picture_pixels(columns, grey.shape[0])
        return np.rint(grey).astype(np.uint8)

    def page(self, pdf):
        """Writes its page, with 72 units for `dpi` dots."""
        unit = 72 / self.dpi
        draw = [f"{unit:.6f} 0 0 {-unit:.6f} 0 {self.height * unit:.6f} cm"]
        images = []
        if self.source == "vector":
            draw.append(f"{self.paper / 255:.4f} g 0 0 {self.width} {self.height} re f")
            if self.picture:
                images.append(pdf.image(self.picture_pixels(self.picture, self.height), None))
                draw.append(f"q {self.picture} 0 0 {-self.height} 0 {self.height} cm /I Do Q")
            draw.append(f"{self.ink / 255:.4f} g {self.bars()}")
        else:
            pixels = self.scene(self.image_dpi / self.dpi)
            height, width = pixels.shape
            images.append(pdf.image(pixels, self.quality if self.source == "JPEG" else None))
            factor = self.dpi / self.image_dpi
            draw.append(f"q {width * factor:.4f} 0 0 {-height * factor:.4f} 0 "
                        f"{height * factor:.4f} cm /I Do Q")
        pdf.page(self.width * unit, self.height * unit, "\n".join(draw), images)

    def bars(self):
        """Its modules as rectangles, one for each run along a row; of bars one for each bar."""
        rows, columns = self.matrix.shape
        width, height = self.size
        angle = math.radians(self.turn)
        cos, sin = math.cos(angle), math.sin(angle)
        # As cover() turns: 90 degrees are against the clock, 1 degree is with it.
        if self.turn != 1:
            sin = -sin
        path = [f"q {cos:.6f} {sin:.6f} {-sin:.6f} {cos:.6f} {self.centre[0]:.4f} "
                f"{self.centre[1]:.4f} cm"]
        for j in range(rows):
            line = np.concatenate(([0], self.matrix[j].astype(int), [0]))
            starts, ends = np.where(np.diff(line) == 1)[0], np.where(np.diff(line) == -1)[0]
            for a, b in zip(starts, ends):
                path.append(f"{a * width / columns - width / 2:.4f} "
                            f"{j * height / rows - height / 2:.4f} "
                            f"{(b - a) * width / columns:.4f} {height / rows:.4f} re")
        return "\n".join(path) + " f Q"


def modules(symbology, text):
    """What zint makes of a text: a row for a linear one."""
    made = subprocess.run(["zint", "-b", ZINT[symbology], "--dump", "-d", text,
                           *(["--notext"] if symbology in LINEAR else [])],
                          capture_output=True, text=True, check=True).stdout
    rows = ["".join(f"{int(c, 16):04b}" for c in line.replace(" ", "")) for line in made.split("\n")
            if line.strip()]
    if symbology in LINEAR:
        rows = rows[-1:]
    width = max(len(row.rstrip("0")) for row in rows)
    return np.array([[c == "1" for c in row[:width].ljust(width, "0")] for row in rows])


def shares(count, start, length, pixels):
    """A matrix: which share of each pixel belongs to each of `count` equal parts of a length."""
    edges = start + length * np.arange(count + 1) / count
    at = np.arange(pixels)
    low = np.maximum(edges[:-1, None], at[None, :])
    high = np.minimum(edges[1:, None], at[None, :] + 1)
    return np.clip(high - low, 0, 1).astype(np.float32)


class Pdf:
    """A document, as its bytes."""

    def __init__(self):
        self.objects, self.pages = [b"", b""], []

    def add(self, body):
        self.objects.append(body)
        return len(self.objects)

    def stream(self, entries, data):
        return self.add(b"<< %s /Length %d >>\nstream\n%s\nendstream" %
                        (entries.encode(), len(data), data))

    def image(self, pixels, quality):
        pixels = np.rint(pixels).astype(np.uint8)
        height, width = pixels.shape
        if quality is None:
            kind, data = "FlateDecode", zlib.compress(pixels.tobytes(), 1)
        else:
            file = io.BytesIO()
            Image.fromarray(pixels).save(file, "JPEG", quality=quality)
            kind, data = "DCTDecode", file.getvalue()
        return self.stream(f"/Type /XObject /Subtype /Image /Width {width} /Height {height} "
                           f"/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /{kind}", data)

    def page(self, width, height, draw, images):
        content = self.stream("", draw.encode())
        names = "/XObject << " + " ".join(f"/I {i} 0 R" for i in images) + " >>" if images else ""
        self.pages.append(self.add(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.6f} {height:.6f}] "
            f"/Contents {content} 0 R /Resources << {names} >> >>".encode()))

    def data(self):
        self.objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
        self.objects[1] = (f"<< /Type /Pages /Count {len(self.pages)} /Kids [" +
                           " ".join(f"{p} 0 R" for p in self.pages) + "] >>").encode()
        out, places = bytearray(b"%PDF-1.4\n"), []
        for n, body in enumerate(self.objects, 1):
            places.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (n, body)
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(self.objects) + 1)
        out += b"".join(b"%010d 00000 n \n" % place for place in places)
        out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
            len(self.objects) + 1, start)
        return bytes(out)


def document(labels):
    """The labels as pages of a PDF."""
    pdf = Pdf()
    for label in labels:
        label.page(pdf)
    return pdf.data()
