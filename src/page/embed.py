#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a text file as a C array, byte for byte.

usage: embed.py NAME INPUT OUTPUT
"""
import pathlib
import sys


def main():
    """Reads, checks that the page stays XML, writes."""
    name, source, target = sys.argv[1:]
    data = pathlib.Path(source).read_bytes()
    if b"]]>" in data or b"</" in data:
        sys.exit(f"{source}: has ]]> or </, which would end the element that it stands in")
    lines = [", ".join(map(str, data[at:at + 20])) + "," for at in range(0, len(data), 20)]
    pathlib.Path(target).write_text(
        "/* Written by embed.py. */\n#include \"internal.h\"\n\n"
        f"const char {name}[] = {{\n\t" + "\n\t".join(lines) + "\n\t0,\n};\n", encoding="ascii")


if __name__ == "__main__":
    main()
