# PNG, written and read without libpng, for png.sh.
#
#   png-model.py pictures         writes pictures of all kinds as NAME.png, and what riptide should
#                                 make of them as NAME.pgm; prints the names
#   png-model.py damaged          writes files that must be refused; prints the name and words of
#                                 the message
#   png-model.py bombs            the same for files that ask for much memory
#   png-model.py dots PNG PNM     checks that both have the same dots; prints the bits of a sample
#                                 and the pixels a metre
import random
import struct
import sys
import zlib

from pictures import PNG as SIGNATURE, png_chunk as chunk

CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
          (0, 1, 1, 2))


def header(width, height, depth, colour, interlaced=0):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced))


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def pack(samples, depth):
    if depth == 16:
        return b"".join(struct.pack(">H", s) for s in samples)
    row = bytearray((len(samples) * depth + 7) // 8)
    for i, s in enumerate(samples):
        row[i * depth // 8] |= s << (8 - depth - i * depth % 8)
    return bytes(row)


def filtered(rows, bpp):
    """The bytes of rows, each with a filter by chance."""
    out, before = bytearray(), None
    for row in rows:
        before = before or bytes(len(row))
        kind = random.randrange(5)
        out.append(kind)
        for i, value in enumerate(row):
            a = row[i - bpp] if i >= bpp else 0
            b, c = before[i], before[i - bpp] if i >= bpp else 0
            out.append((value - (0, a, b, (a + b) // 2, paeth(a, b, c))[kind]) & 255)
        before = row
    return bytes(out)


def encode(pixels, depth, colour, interlaced):
    """pixels: rows of tuples of samples."""
    width, height = len(pixels[0]), len(pixels)
    bpp = max(1, CHANNELS[colour] * depth // 8)
    data = b""
    for x, y, dx, dy in PASSES if interlaced else ((0, 0, 1, 1),):
        rows = [[s for pixel in row[x::dx] for s in pixel] for row in pixels[y::dy]]
        if x < width and y < height:
            data += filtered([pack(row, depth) for row in rows], bpp)
    data = zlib.compress(data)
    third = len(data) // 3 + 1
    return b"".join(chunk(b"IDAT", data[i:i + third]) for i in range(0, len(data), third))


def grey(r, g, b):
    return (19595 * r + 38470 * g + 7471 * b + 32768) >> 16


def on_white(value, alpha, most):
    return (value * alpha + most * (most - alpha) + most // 2) // most


def write_pgm(name, rows, most):
    with open(name, "wb") as file:
        file.write(b"P5 %d %d %d\n" % (len(rows[0]), len(rows), most))
        for row in rows:
            file.write(pack(row, 16 if most > 255 else 8))


def picture(name, width, height, depth, colour, interlaced, transparent):
    channels, most = CHANNELS[colour], 2 ** depth - 1
    pixels = [[tuple(random.randrange(most + 1) for _ in range(channels)) for _ in range(width)]
              for _ in range(height)]
    chunks = b""
    if colour == 3:
        palette = [tuple(random.randrange(256) for _ in range(3)) for _ in range(most + 1)]
        alphas = [random.randrange(256) for _ in range((most + 2) // 2 if transparent else 0)]
        chunks = chunk(b"PLTE", bytes(v for entry in palette for v in entry))
        if transparent:
            chunks += chunk(b"tRNS", bytes(alphas))
        alphas += [255] * (most + 1 - len(alphas))
        table = [on_white(grey(*palette[i]), alphas[i], 255) for i in range(most + 1)]
        expected, top = [[table[i] for i, in row] for row in pixels], 255
    else:
        key = pixels[height // 2][width // 2] if transparent else None
        if transparent:
            chunks = chunk(b"tRNS", b"".join(struct.pack(">H", s) for s in key))

        def value(pixel):
            v = grey(*pixel[:3]) if channels > 2 else pixel[0]
            if pixel == key:
                return most
            return on_white(v, pixel[-1], most) if channels % 2 == 0 else v

        expected, top = [[value(pixel) for pixel in row] for row in pixels], most
    with open(name + ".png", "wb") as file:
        file.write(SIGNATURE + header(width, height, depth, colour, interlaced)
                   + chunk(b"gAMA", struct.pack(">I", 100000)) + chunks
                   + chunk(b"zTXt", b"Comment\0\0this is not compressed")
                   + encode(pixels, depth, colour, interlaced) + chunk(b"IEND", b"") + b"more")
    write_pgm(name + ".pgm", expected, top)
    print(name)


def pictures():
    random.seed(1)
    for colour, depths in ((0, (1, 2, 4, 8, 16)), (2, (8, 16)), (3, (1, 2, 4, 8)), (4, (8, 16)),
                           (6, (8, 16))):
        for depth in depths:
            for interlaced in (0, 1):
                for transparent in (0, 1) if colour < 4 else (0,):
                    name = "c%d-%d-%d-%d" % (colour, depth, interlaced, transparent)
                    picture(name, 61, 43, depth, colour, interlaced, transparent)
    for width, height in ((1, 1), (2, 3), (4, 1), (5, 5), (1, 9), (8, 8)):
        for depth, colour in ((1, 0), (16, 6), (4, 3)):
            picture("size%dx%d-%d" % (width, height, colour), width, height, depth, colour, 1, 0)


def damaged():
    random.seed(2)
    cases = 0

    def case(words, data):
        nonlocal cases
        cases += 1
        with open("bad%d.png" % cases, "wb") as file:
            file.write(data)
        print("bad%d.png %s" % (cases, words))

    palette = chunk(b"PLTE", bytes(9))
    for colour, interlaced in ((0, 0), (6, 0), (3, 1), (2, 1)):
        pixels = [[tuple(random.randrange(3) for _ in range(CHANNELS[colour])) for _ in range(40)]
                  for _ in range(30)]
        start = header(40, 30, 8, colour, interlaced)
        middle = palette if colour == 3 else b""
        data = encode(pixels, 8, colour, interlaced)
        whole = SIGNATURE + start + middle + data + chunk(b"IEND", b"")
        for tenth in range(1, 10):
            case("is truncated", whole[:len(whole) * tenth // 10])
        case("is truncated", whole[:-1])
        case("is truncated", whole[:-12])
        case("is truncated", whole[:7])
        # The CRC of each chunk.
        at = 8
        while at < len(whole):
            size = struct.unpack(">I", whole[at:at + 4])[0] + 12
            end = at + size - 1
            case("CRC error", whole[:end] + bytes([whole[end] ^ 1]) + whole[end + 1:])
            at += size
        case("CRC error", SIGNATURE + start + chunk(b"tEXt", b"a\0b")[:-1] + b"?" + middle + data
             + chunk(b"IEND", b""))
        rows = zlib.compress(filtered([bytes(40 * CHANNELS[colour])] * 30, CHANNELS[colour]))
        for wrong in (rows[:-1] + bytes([rows[-1] ^ 1]), rows[:12], b"\0" + rows[1:],
                      zlib.compress(b"\5" + bytes(40 * CHANNELS[colour]) * 40)):
            case("IDAT" if wrong[:1] == b"\0" else "",
                 SIGNATURE + start + middle + chunk(b"IDAT", wrong) + chunk(b"IEND", b""))
    data = zlib.compress(bytes(3))
    rest = chunk(b"IDAT", data) + chunk(b"IEND", b"")
    case("colour 3 of a palette of 3", SIGNATURE + header(4, 1, 2, 3) + palette
         + chunk(b"IDAT", zlib.compress(b"\0\x1b")) + chunk(b"IEND", b""))
    case("PLTE", SIGNATURE + header(2, 1, 8, 3) + rest)
    case("", SIGNATURE + header(0, 1, 8, 0) + rest)
    case("", SIGNATURE + header(1, 0, 8, 0) + rest)
    case("at most 16777215", SIGNATURE + header(2 ** 24, 1, 8, 0) + rest)
    case("at most 16777215", SIGNATURE + header(1, 2 ** 24, 8, 0) + rest)
    for depth, colour in ((3, 0), (16, 3), (4, 2), (8, 5), (8, 1)):
        case("", SIGNATURE + header(2, 1, depth, colour) + palette + rest)
    case("", SIGNATURE + header(2, 1, 8, 0, 2) + rest)
    case("unhandled critical chunk",
         SIGNATURE + header(2, 1, 8, 0) + chunk(b"CgBI", b"1234") + rest)
    case("", SIGNATURE + header(2, 1, 8, 0) + chunk(b"IEND", b""))
    case("", SIGNATURE.replace(b"\r\n", b"\n") + header(2, 1, 8, 0) + rest)
    case("", SIGNATURE + b"\x7f\xff\xff\xffIHDR")
    case("", SIGNATURE + b"\xff\xff\xff\xffIHDR")


def bombs():
    def bomb(name, words, *kind):
        with open(name, "wb") as file:
            file.write(SIGNATURE + header(*kind) + chunk(b"IDAT", zlib.compress(bytes(10000))))
        print(name + " " + words)

    bomb("tall.png", "Not enough image data", 65535, 16777215, 8, 0)
    bomb("wide.png", "a row of 16777215 pixels takes", 16777215, 16777215, 16, 6)
    bomb("interlaced.png", "is an interlaced PNG of 16777215 x 16777215 pixels",
         16777215, 16777215, 8, 0, 1)
    bomb("alpha.png", "is an interlaced PNG", 30000, 30000, 16, 6, 1)


def decode(name):
    with open(name, "rb") as file:
        data = file.read()
    assert data[:8] == SIGNATURE, "signature"
    at, packed, metre, kinds = 8, b"", "unknown", []
    while at < len(data):
        size = struct.unpack(">I", data[at:at + 4])[0]
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + size]
        crc = struct.pack(">I", zlib.crc32(kind + body))
        assert data[at + 8 + size:at + 12 + size] == crc, "CRC"
        kinds.append(kind)
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        elif kind == b"pHYs":
            metre = "%dx%d" % struct.unpack(">II", body[:8])
            assert body[8] == 1, "unit"
        at += 12 + size
    assert kinds[0] == b"IHDR" and kinds[-1] == b"IEND" and colour == 0 and interlaced == 0, kinds
    raw, size = zlib.decompress(packed), (width * depth + 7) // 8
    assert len(raw) == height * (1 + size), "size"
    rows = []
    for y in range(height):
        row = raw[y * (1 + size):(y + 1) * (1 + size)]
        assert row[0] == 0, "filter"
        rows.append([row[1 + x * depth // 8] >> (8 - depth - x * depth % 8) & 2 ** depth - 1
                     for x in range(width)])
    return rows, depth, metre


def dots(png, pnm):
    rows, depth, metre = decode(png)
    with open(pnm, "rb") as file:
        data = file.read()
    words = data.split(None, 4)
    two = words[0] == b"P4"
    width, height, most = int(words[1]), int(words[2]), 1 if two else int(words[3])
    assert (len(rows[0]), len(rows)) == (width, height), "size"
    size = (width + 7) // 8 if two else width
    body = data[len(data) - size * height:]
    for y, row in enumerate(rows):
        line = body[y * size:(y + 1) * size]
        levels = [1 - (line[x // 8] >> (7 - x % 8) & 1) if two else line[x] for x in range(width)]
        want = [(level * (2 ** depth - 1) * 2 + most) // (2 * most) for level in levels]
        assert row == want, "row %d" % y
    print(depth, metre)


if __name__ == "__main__":
    commands = {"pictures": pictures, "damaged": damaged, "bombs": bombs, "dots": dots}
    commands[sys.argv[1]](*sys.argv[2:])
