#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the schema and the tables of the documentation against those of the program.

usage: check_results.py PRINT_RESULTS ROOT [--promote]

docs/results.schema.json is what PRINT_RESULTS schema prints. In
docs/results-format.md, what stands between `<!-- table NAME -->` and
`<!-- end of table -->` is what PRINT_RESULTS table NAME prints. With --promote
both files are written anew.
"""
import difflib
import pathlib
import re
import subprocess
import sys

TABLE = re.compile(r"(?<=<!-- table )(\w+)( -->\n)(.*?)(?=<!-- end of table -->\n)", re.S)
OBJECTS = ["run", "test", "outcome", "evidence", "control", "seldom", "shown", "code", "confidence", "end"]


def printed(program, *arguments):
    return subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def wanted(program, root):
    """Each file and what it should be."""
    yield root / "docs/results.schema.json", printed(program, "schema")
    path = root / "docs/results-format.md"
    text = path.read_text(encoding="utf-8")
    found = sorted(match[1] for match in TABLE.finditer(text))
    if found != sorted(OBJECTS):
        sys.exit(f"{path}: has tables of {found}, not of {sorted(OBJECTS)}")
    yield path, TABLE.sub(lambda match: match[1] + match[2] + "\n" + printed(program, "table", match[1]) + "\n", text)


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    status = 0
    for path, text in wanted(program, root):
        if "--promote" in sys.argv:
            path.write_text(text, encoding="utf-8")
            continue
        now = path.read_text(encoding="utf-8")
        if now != text:
            status = 1
            print("\n".join(difflib.unified_diff(now.splitlines(), text.splitlines(), str(path),
                                                 "as the program has it", lineterm="")))
    return status


if __name__ == "__main__":
    sys.exit(main())
