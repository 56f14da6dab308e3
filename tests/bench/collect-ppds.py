#!/usr/bin/env python3
"""Writes every PPD that the printer drivers of a system can offer into a folder.

    collect-ppds.py FOLDER [ROOT]...

ROOT is / or a folder into which packages were unpacked (dpkg -x).  The PPDs come from
usr/share/ppd, cups/model and cups/ppd, from the .drv files through ppdc, and from the programs in
usr/lib/cups/driver: archives by pyppd are read at once, because each call of such a
program decompresses all of it; the others are asked for each PPD.  FOLDER gets one folder for each
source, so that drivers can be counted."""
import base64
import gzip
import io
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys


def static(root, out):
    for folder in ("usr/share/ppd", "usr/share/cups/model", "usr/share/cups/ppd"):
        for path in (root / folder).rglob("*"):
            if re.search(r"\.ppd(\.gz)?$", path.name, re.I) and path.is_file():
                target = out / "static" / path.relative_to(root / "usr/share")
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)


def compiled(root, out):
    for drv in sorted((root / "usr/share/cups/drv").glob("*.drv")):
        target = out / drv.name
        target.mkdir(parents=True, exist_ok=True)
        subprocess.run(["ppdc", "-l", "en", "-I", str(root / "usr/share/cups/ppdc"),
                        "-I", "/usr/share/cups/ppdc", "-d", str(target), str(drv)],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def unpacked(program):
    """The PPDs of an archive by pyppd, or None."""
    try:
        text = program.read_text(encoding="ascii")
    except (UnicodeDecodeError, OSError):
        return None
    if "ppds_compressed_b64" not in text:
        return None
    scope = {"__name__": "archive"}
    exec(compile(text, str(program), "exec"), scope)  # the driver's own program, as CUPS runs it
    index = scope["load"]()
    whole = lzma.decompress(base64.b64decode(index.pop("ARCHIVE")))
    return {uri: whole[entry[0]:entry[0] + entry[1]] for uri, entry in index.items()}


def asked(program):
    listed = subprocess.run([str(program), "list"], capture_output=True, check=False).stdout
    for line in listed.decode(errors="replace").splitlines():
        uri = re.match(r'"([^"]*)"', line)
        if uri:
            yield uri[1], subprocess.run([str(program), "cat", uri[1]], capture_output=True,
                                         check=False).stdout


def programs(root, out):
    for program in sorted((root / "usr/lib/cups/driver").glob("*")):
        if program.name.startswith("driverless") or program.is_symlink():
            continue
        found = unpacked(program)
        target = out / program.name
        target.mkdir(parents=True, exist_ok=True)
        for uri, text in found.items() if found is not None else asked(program):
            if text[:2] == b"\x1f\x8b":
                text = gzip.GzipFile(fileobj=io.BytesIO(text)).read()
            if text.startswith(b"*PPD-Adobe"):
                (target / re.sub(r"[^A-Za-z0-9_.-]", "_", uri)).write_bytes(text)


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[1])
    for root in map(pathlib.Path, sys.argv[2:] or ["/"]):
        static(root, out)
        compiled(root, out)
        programs(root, out)
    total = 0
    for folder in sorted(p for p in out.iterdir() if p.is_dir()):
        count = sum(1 for p in folder.rglob("*") if p.is_file())
        total += count
        print(f"{count:6} {folder.name}")
    print(f"{total:6} PPDs")
    return 0 if total else 1


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main())
