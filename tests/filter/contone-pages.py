#!/usr/bin/env python3
"""Writes a PDF document with pages that a printer's colours may fail on, one subject a page.

    contone-pages.py FILE [PROFILE]

Pages are 216 points wide and high; their subjects are the values of the dictionary SUBJECTS, and
`--list` prints them, one a line.  PROFILE is an ICC profile of RGB for the images that have one."""
import sys
import zlib


class Document:
    """Objects of a PDF file; the first two are the catalogue and the pages."""

    def __init__(self):
        self.objects = [b"", b""]
        self.pages = []

    def add(self, body):
        self.objects.append(body.encode("latin-1") if isinstance(body, str) else body)
        return f"{len(self.objects)} 0 R"

    def stream(self, dictionary, data):
        data = zlib.compress(data.encode("latin-1") if isinstance(data, str) else data)
        head = f"<< {dictionary} /Filter /FlateDecode /Length {len(data)} >>\nstream\n"
        return self.add(head.encode("latin-1") + data + b"\nendstream")

    def page(self, contents, resources="", more=""):
        stream = self.stream("", contents)
        self.pages.append(self.add(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 216 216] /Contents {stream} "
            f"/Resources << {resources} >> {more} >>"))

    def write(self, path):
        self.objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
        self.objects[1] = (f"<< /Type /Pages /Count {len(self.pages)} "
                           f"/Kids [{' '.join(self.pages)}] >>").encode()
        out = bytearray(b"%PDF-1.7\n")
        places = []
        for number, body in enumerate(self.objects, 1):
            places.append(len(out))
            out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
        out += b"".join(b"%010d 00000 n \n" % place for place in places)
        out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
            len(places) + 1, start)
        with open(path, "wb") as file:
            file.write(out)


def font(name, kind="Type1"):
    """A font that is not embedded."""
    return f"<< /Type /Font /Subtype /{kind} /BaseFont /{name} /Encoding /WinAnsiEncoding >>"


def pixels(colours, side=24, bits=8):
    """Samples that change along both axes, each colour in its own way."""
    out = bytearray()
    for y in range(side):
        for x in range(side):
            for c in range(colours):
                value = (x * (c + 3) * 7 + y * (5 - c) * 6) % 256
                out.append(value)
                if bits == 16:
                    out.append((x * 29 + y) % 256)
    return bytes(out)


def image(doc, space, colours, more="", side=24, bits=8, data=None):
    return doc.stream(f"/Type /XObject /Subtype /Image /Width {side} /Height {side} "
                      f"/ColorSpace {space} /BitsPerComponent {bits} {more}",
                      pixels(colours, side, bits) if data is None else data)


def grid(names, columns=3):
    """Draws images or shadings side by side."""
    out = []
    for i, name in enumerate(names):
        x, y = 10 + i % columns * 68, 146 - i // columns * 68
        out.append(f"q 60 0 0 60 {x} {y} cm {name} Q")
    return "\n".join(out)


def objects(names):
    return "/XObject << " + " ".join(f"/{k} {v}" for k, v in names.items()) + " >>"


def text(doc):
    doc.page("BT /F 9 Tf 12 190 Td 11 TL 0 g (Black text, 9 points: full ink) Tj T* "
             "0 0 0 rg (black in RGB: full ink, too) Tj T* 0 G 1 g 2 Tr .4 w (outlined) Tj ET\n"
             "0 g 10 20 196 60 re f BT 0 Tr /F 20 Tf 20 40 Td 1 g (white on black) Tj ET\n"
             "0 G .25 w 10 120 m 206 130 l S 3 w 10 100 m 206 110 l S",
             f"/Font << /F {font('Helvetica')} >>")


def fonts(doc):
    names = ["Times-Roman", "Courier-Bold", "Symbol", "Arial,Italic", "NoSuchFont", "ZapfDingbats"]
    kinds = ["Type1", "Type1", "Type1", "TrueType", "TrueType", "Type1"]
    lines = "".join(f"/F{i} 15 Tf (Sphinx of quartz {i}) Tj T*\n" for i in range(len(names)))
    body = "".join(f"/F{i} " + (font(n, k) if i not in (2, 5) else
                                font(n).replace(" /Encoding /WinAnsiEncoding", "")) + " "
                   for i, (n, k) in enumerate(zip(names, kinds)))
    doc.page(f"0 g BT 12 180 Td 26 TL {lines} ET", f"/Font << {body} >>")


def flat_grey(doc):
    doc.page("".join(f"{i / 16} g {8 + i % 4 * 50} {8 + i // 4 * 50} 46 46 re f\n"
                     for i in range(16)))


def flat_rgb(doc):
    doc.page("".join(f"{i // 9 / 2} {i // 3 % 3 / 2} {i % 3 / 2} rg "
                     f"{6 + i % 6 * 34} {6 + i // 6 * 34} 30 30 re f\n" for i in range(27)))


def flat_cmyk(doc):
    doc.page("".join(f"{i & 1} {i >> 1 & 1} {i >> 2 & 1} {(i >> 3) / 2} k "
                     f"{6 + i % 5 * 41} {6 + i // 5 * 41} 36 36 re f\n" for i in range(24)))


def shadings(doc):
    ends = [("/DeviceGray", "[0]", "[1]"), ("/DeviceRGB", "[1 0 0]", "[0 .5 1]"),
            ("/DeviceCMYK", "[1 0 0 0]", "[0 .2 1 .3]")]
    function = "<< /FunctionType 2 /Domain [0 1] /C0 {} /C1 {} /N 1.3 >>"
    items = {}
    for i, (space, c0, c1) in enumerate(ends):
        items[f"A{i}"] = (f"<< /ShadingType 2 /ColorSpace {space} /Coords [0 0 1 1] "
                          f"/Extend [true true] /Function {function.format(c0, c1)} >>")
        items[f"R{i}"] = (f"<< /ShadingType 3 /ColorSpace {space} /Coords [.5 .5 0 .5 .5 .5] "
                          f"/Function {function.format(c0, c1)} >>")
    doc.page(grid([f"0 0 1 1 re W n /{name} sh" for name in items]),
             "/Shading << " + " ".join(f"/{k} {v}" for k, v in items.items()) + " >>")


def transparency(doc):
    states = {"Half": "/ca .5 /CA .5", "Multiply": "/BM /Multiply", "Screen": "/BM /Screen",
              "Hue": "/BM /Hue"}
    body = "1 0 0 rg 10 60 120 120 re f\n"
    for i, name in enumerate(states):
        body += f"q /{name} gs 0 {i / 4} 1 rg {20 + i * 30} {20 + i * 30} 90 60 re f Q\n"
    group = doc.stream("/Type /XObject /Subtype /Form /BBox [0 0 60 60] "
                       "/Group << /S /Transparency /CS /DeviceRGB /I true >>",
                       "0 1 0 rg 0 0 40 40 re f 0 0 1 rg 20 20 40 40 re f")
    body += "q /Half gs 1 0 0 1 140 10 cm /G Do Q"
    doc.page(body, "/ExtGState << " + " ".join(f"/{k} << {v} >>" for k, v in states.items()) +
             f" >> /XObject << /G {group} >>", "/Group << /S /Transparency /CS /DeviceRGB >>")


def overprint(doc):
    doc.page("/O gs 1 0 0 0 k 10 10 120 120 re f 0 1 0 0 k 60 60 120 120 re f\n"
             "0 0 0 1 k 90 90 20 100 re f /P gs 0 0 1 0 k 30 150 150 30 re f",
             "/ExtGState << /O << /op true /OP true /OPM 1 >> /P << /op true /OPM 0 >> >>")


def images_device(doc):
    names = {"G": image(doc, "/DeviceGray", 1), "R": image(doc, "/DeviceRGB", 3),
             "C": image(doc, "/DeviceCMYK", 4), "W": image(doc, "/DeviceRGB", 3, bits=16),
             "I": image(doc, "[/Indexed /DeviceRGB 255 <" + "".join(
                 f"{i:02x}{255 - i:02x}{i * 7 % 256:02x}" for i in range(256)) + ">]", 1),
             "N": image(doc, "/DeviceRGB", 3, "/Decode [1 0 1 0 1 0]"),
             "U": image(doc, "/DeviceGray", 1, "/Interpolate true", side=8),
             "B": image(doc, "/DeviceGray", 1, "/Decode [1 0]", bits=1,
                        data=bytes(i * 37 % 256 for i in range(72))),
             "K": image(doc, "/DeviceRGB", 3, "/Mask [0 90 0 255 0 255]")}
    doc.page(grid([f"/{name} Do" for name in names]), objects(names))


def images_cie(doc, profile):
    spaces = {"G": ("[/CalGray << /WhitePoint [.9505 1 1.089] /Gamma 1.8 >>]", 1),
              "R": ("[/CalRGB << /WhitePoint [.9505 1 1.089] /Gamma [2.2 2.2 2.2] >>]", 3),
              "L": ("[/Lab << /WhitePoint [.9642 1 .8249] /Range [-100 100 -100 100] >>]", 3)}
    if profile:
        with open(profile, "rb") as file:
            stream = doc.stream("/N 3 /Alternate /DeviceRGB", file.read())
        spaces["P"] = (f"[/ICCBased {stream}]", 3)
    names = {name: image(doc, space, colours) for name, (space, colours) in spaces.items()}
    doc.page(grid([f"/{name} Do" for name in names], 2), objects(names))


def spots(doc):
    tint = "<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 .8 1 .1] /N 1 >>"
    code = doc.stream("/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1 0 1]",
                      "{ 2 copy mul 3 1 roll .5 mul exch .3 mul 0 exch }")
    spaces = (f"/ColorSpace << /S [/Separation /Orange /DeviceCMYK {tint}] "
              f"/A [/Separation /All /DeviceCMYK {tint}] /K [/Separation /Black /DeviceCMYK "
              "<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 0 0 1] /N 1 >>] "
              f"/N [/DeviceN [/Orange /Green] /DeviceCMYK {code}] >>")
    body = ""
    for row, name in enumerate("SAK"):
        body += "".join(f"/{name} cs {i / 4} scn {8 + i * 40} {8 + row * 50} 36 46 re f\n"
                        for i in range(5))
    body += "".join(f"/N cs {i / 4} {1 - i / 4} scn {8 + i * 40} 158 36 46 re f\n"
                    for i in range(5))
    doc.page(body, spaces)


def soft_masks(doc):
    mask = image(doc, "/DeviceGray", 1)
    names = {"S": image(doc, "/DeviceRGB", 3, f"/SMask {mask}")}
    shape = doc.stream("/Type /XObject /Subtype /Form /BBox [0 0 216 216] "
                       "/Group << /S /Transparency /CS /DeviceGray >> /Resources << /Shading << /A "
                       "<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 216 0] /Function "
                       "<< /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >> >> >> >>", "/A sh")
    doc.page("q 0 1 1 rg 0 0 216 216 re f 150 0 0 60 10 140 cm /S Do Q\n"
             "/M gs 0 g 10 10 196 50 re f 1 0 0 rg 10 70 196 50 re f",
             objects(names) + f" /ExtGState << /M << /SMask << /S /Luminosity /G {shape} >> >> >>",
             "/Group << /S /Transparency /CS /DeviceRGB >>")


def patterns(doc):
    tile = doc.stream("/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 12 12] "
                      "/XStep 12 /YStep 12 /Resources << >>",
                      "1 0 0 rg 0 0 6 6 re f 0 0 1 rg 6 6 5 5 re f")
    plain = doc.stream("/Type /Pattern /PatternType 1 /PaintType 2 /TilingType 1 /BBox [0 0 9 9] "
                       "/XStep 9 /YStep 9 /Resources << >>", "2 2 4 4 re f")
    doc.page("/Pattern cs /T scn 10 110 196 96 re f /U cs 0 0 0 /P scn 10 10 196 90 re f",
             f"/Pattern << /T {tile} /P {plain} >> /ColorSpace << /U [/Pattern /DeviceRGB] >>")


def placed(doc):
    """A page that is turned, cropped, in units of its own, and reaches into the margins."""
    doc.page("0 g -20 50 140 4 re f 0 0 108 3 re f 20 20 m 90 95 l 20 60 l f "
             "BT /F 14 Tf 10 80 Td (placed) Tj ET", f"/Font << /F {font('Helvetica')} >>",
             "/Rotate 90 /CropBox [4 4 100 104] /UserUnit 2 /MediaBox [0 0 108 108]")


def annotations(doc):
    look = doc.stream("/Type /XObject /Subtype /Form /BBox [0 0 80 40]",
                      ".8 g 0 0 80 40 re f 0 g 2 2 76 3 re f")
    note = (f"<< /Type /Annot /Subtype /Stamp /Rect [20 20 100 60] /F 4 /AP << /N {look} >> >>")
    hidden = (f"<< /Type /Annot /Subtype /Stamp /Rect [20 120 100 160] /F 2 /AP << /N {look} >> >>")
    screen = ("<< /Type /Annot /Subtype /Stamp /Rect [120 120 200 160] /F 0 "
              f"/AP << /N {look} >> >>")
    doc.page("0 0 1 rg 150 20 40 40 re f", "", f"/Annots [{note} {hidden} {screen}]")


SUBJECTS = {
    "text": text, "fonts": fonts, "flat-grey": flat_grey, "flat-rgb": flat_rgb,
    "flat-cmyk": flat_cmyk, "shadings": shadings, "transparency": transparency,
    "overprint": overprint, "images": images_device, "images-cie": images_cie, "spots": spots,
    "soft-masks": soft_masks, "patterns": patterns, "placed": placed, "annotations": annotations,
}


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(SUBJECTS))
        return
    if not 2 <= len(sys.argv) <= 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    doc = Document()
    for draw in SUBJECTS.values():
        if draw is images_cie:
            draw(doc, sys.argv[2] if len(sys.argv) == 3 else None)
        else:
            draw(doc)
    doc.write(sys.argv[1])


if __name__ == "__main__":
    main()
