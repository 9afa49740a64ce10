#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes text files, one after the other, as a C array, and the hash by which a page may name them.

usage: embed.py NAME OUTPUT INPUT...
"""
import base64
import hashlib
import pathlib
import sys

# to HTML the marks of CDATA are comments of the style and the script; to XML they keep `<` and `&`
OPEN, CLOSE = b"/*<![CDATA[*/\n", b"/*]]>*/"


def array(name, data):
    """A definition in C, whose characters may be signed."""
    lines = [", ".join(str(byte - 256 if byte > 127 else byte) for byte in data[at:at + 20]) + "," for at in range(0, len(data), 20)]
    return f"const char {name}[] = {{\n\t" + "\n\t".join(lines) + "\n\t0,\n};\n"


def main():
    """Reads, checks that the page stays XML, writes."""
    name, target, *sources = sys.argv[1:]
    data = b"".join(pathlib.Path(source).read_bytes() for source in sources)
    if b"]]>" in data or b"</" in data:
        sys.exit(f"{sources}: ]]> or </ would end the element that it stands in")
    data = OPEN + data + CLOSE
    digest = base64.b64encode(hashlib.sha256(data).digest())
    pathlib.Path(target).write_text(
        f"/* Written by embed.py. */\nextern const char {name}[], {name}_hash[];\n\n" + array(name, data) + array(name + "_hash", digest),
        encoding="ascii")


if __name__ == "__main__":
    main()
