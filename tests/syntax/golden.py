#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what the reader says of each litmus file with the text beside it.

    golden.py SHOW FOLDER SUFFIX STATUS [--promote] [--common FILE] [OPTION ...]

Runs `SHOW OPTION ... NAME.litmus` in FOLDER for every file there; the output
has to equal NAME.SUFFIX and the exit status has to be STATUS. --promote
rewrites the texts: read the difference before keeping it. A function or type of
FILE that an output has letter by letter is one line in its text, which names it.
"""

import pathlib
import re
import subprocess
import sys


def run(show, options, path):
    result = subprocess.run([show, *options, path.name], cwd=path.parent,
                            capture_output=True, timeout=60)
    return result.returncode, result.stdout.decode() + result.stderr.decode()


def items(text):
    """Functions and types with the comments above them."""
    return re.split(r"\n\n(?=\S)", text.rstrip("\n"))


def name_of(item):
    code = re.sub(r"/\*.*?\*/", "", item, flags=re.DOTALL)
    return re.search(r"\} (\w+);$|(\w+)\(", code).group(0).strip("} (;")


def shorten(text, common):
    """The text with a line in place of each item that is common."""
    if not common.intersection(items(text)):
        return text
    return "\n\n".join(f"/* {name_of(item)}: as in common.cl */" if item in common else item
                       for item in items(text)) + "\n"


def first_difference(expected, actual):
    old, new = expected.splitlines(), actual.splitlines()
    for number, (a, b) in enumerate(zip(old, new), 1):
        if a != b:
            return f"line {number}\n  expected {a}\n  actual   {b}"
    return f"{len(old)} lines expected, {len(new)} lines given"


def check(show, options, path, suffix, status, promote, common):
    """Returns the complaint about one file, or None."""
    golden = path.with_suffix("." + suffix)
    code, actual = run(show, options, path)
    if code != status:
        return f"exit status {code}, expected {status}\n{actual}"
    actual = shorten(actual, common)
    if promote:
        golden.write_text(actual)
        return None
    if not golden.exists():
        return f"{golden.name} is missing"
    expected = golden.read_text()
    return None if expected == actual else first_difference(expected, actual)


def main():
    show, folder, suffix, status, *options = sys.argv[1:]
    show = str(pathlib.Path(show).resolve())
    promote = "--promote" in options
    options = [option for option in options if option != "--promote"]
    common = set()
    if "--common" in options:
        at = options.index("--common")
        common = set(items(pathlib.Path(options[at + 1]).read_text()))
        del options[at:at + 2]
    files = sorted(pathlib.Path(folder).glob("*.litmus"))
    stray = {p.stem for p in pathlib.Path(folder).glob("*." + suffix)} - {p.stem for p in files}
    failures = 0
    for path in files:
        complaint = check(show, options, path, suffix, int(status), promote, common)
        if complaint:
            failures += 1
            print(f"{path}: {complaint}")
    for stem in sorted(stray):
        failures += 1
        print(f"{folder}/{stem}.{suffix}: no litmus file beside it")
    print(f"{len(files)} files, {failures} failures")
    return 1 if failures or not files else 0


sys.exit(main())
