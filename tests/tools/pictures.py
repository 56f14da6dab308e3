"""Pictures and raster for tests, without the libraries with which riptide reads and writes them."""
import struct
import zlib

PNG = b"\x89PNG\r\n\x1a\n"


def png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def read_png(name):
    """Rows of tuples."""
    data = open(name, "rb").read()
    assert data[:8] == PNG
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    n = {0: 1, 2: 3}[colour]
    assert depth == 8
    raw, rows, above = zlib.decompress(packed), [], bytes(width * n)
    for y in range(height):
        kind, line = raw[y * (width * n + 1)], bytearray(raw[y * (width * n + 1) + 1:][:width * n])
        for i in range(width * n):
            a = line[i - n] if i >= n else 0
            b, c = above[i], above[i - n] if i >= n else 0
            p = a + b - c
            best = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line[i] = line[i] + (0, a, b, (a + b) // 2, best)[kind] & 255
        above = bytes(line)
        rows.append([tuple(line[x * n:x * n + n]) for x in range(width)])
    return rows


def read_pbm(name):
    """Rows of 0 and 1 as text, and their width."""
    _, size, bits = open(name, "rb").read().split(b"\n", 2)
    width, height = map(int, size.split())
    pitch = (width + 7) // 8
    return [f"{int.from_bytes(bits[y * pitch:(y + 1) * pitch], 'big'):0{8 * pitch}b}"[:width]
            for y in range(height)]


def raster_header(order, width, height, bits, space, colours=1, dpi=300, planes=0, copies=1,
                  sheet=(595, 842), line=None):
    """The header of a page (cups_page_header2_t).  order: < or >; line: its bytes, if they are not
    those of chunks."""
    pixel = bits if planes else bits * colours
    page = bytearray(1796)
    for at, *values in ((276, dpi, dpi), (340, copies), (352, *sheet), (372, width, height),
                        (384, bits, pixel, line or (width * pixel + 7) // 8, planes, space),
                        (420, colours)):
        struct.pack_into(f"{order}{len(values)}I", page, at, *values)
    return bytes(page)
