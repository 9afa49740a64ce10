#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes texts as C strings: with the prefix oclmm_model_, x86.cat is oclmm_model_x86.

usage: embed.py PREFIX OUTPUT INPUT...
"""
import pathlib
import sys


def array(name, data):
    """A definition in C, by numbers: compilers need not take long strings."""
    lines = [", ".join(map(str, data[at:at + 20])) + "," for at in range(0, len(data), 20)]
    return f"extern const char {name}[];\nconst char {name}[] = {{\n\t" + "\n\t".join(lines) + "\n\t0,\n};\n"


def main():
    """Reads, writes."""
    prefix, target, *sources = sys.argv[1:]
    parts = ["/* Written by embed.py. */\n"]
    for source in map(pathlib.Path, sources):
        parts.append(array(prefix + source.stem, source.read_text(encoding="utf-8").encode("ascii")))
    pathlib.Path(target).write_text("\n".join(parts), encoding="ascii")


if __name__ == "__main__":
    main()
