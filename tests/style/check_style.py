#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the C files against .clang-format and its 100 columns; a header begins with what it is for.

usage: check_style.py ROOT

Exit status 77 where there is no clang-format of the version that the style was
written for: another one breaks some lines elsewhere.
"""
import pathlib
import re
import shutil
import subprocess
import sys

VERSION = 14
COLUMNS = 100
TAB = 8
TOPS = ("include", "src", "runner", "tests")


def formatter():
    """The clang-format to use, or None."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        program = shutil.which(name)
        if not program:
            continue
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
        if re.search(rf"version {VERSION}\.", said.stdout):
            return program
    return None


def sources(root):
    return sorted(
        path
        for top in TOPS
        for path in (root / top).glob("**/*.[ch]")
    )


def too_long(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if len(line.expandtabs(TAB)) > COLUMNS:
            yield f"{path}:{number}: longer than {COLUMNS} columns"


def without_purpose(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    if path.suffix == ".h" and not "".join(lines[1:2]).startswith("/*"):
        yield f"{path}:2: a header that does not say what it is for"


def badly_formatted(program, files):
    said = subprocess.run(
        [program, "--style=file", "--dry-run", *map(str, files)],
        capture_output=True, text=True, check=False,
    )
    return re.findall(r"^.*?:\d+:\d+: warning: .*$", said.stderr, re.MULTILINE)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    files = sources(root)
    if not files:
        sys.exit("no files: is this the root of the tree?")
    found = [line for check in (too_long, without_purpose) for path in files for line in check(path)]
    program = formatter()
    if program:
        found += badly_formatted(program, files)
    print("\n".join(found + [f"{len(files)} files, {len(found)} complaints"]))
    if found:
        return 1
    if not program:
        print(f"skipped: no clang-format {VERSION}; only the columns were counted")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
