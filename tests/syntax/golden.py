#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what the reader says of each litmus file with the text beside it.

    golden.py SHOW FOLDER SUFFIX STATUS [--promote] [--common FILE] [--base FILE] [OPTION ...]

Runs `SHOW OPTION ... NAME.litmus` in FOLDER for every file there; the output
has to equal NAME.SUFFIX and the exit status has to be STATUS. --promote
rewrites the texts: read the difference before keeping it, and promote the base first.

What a text shares with another one is not repeated. A function or type of the common FILE that an output has
letter by letter is one line in its text, which names it. One that is much like that of the base, and a section
(from a line `--- NAME` on) that is much like the first one, is written as its changes: `7-` before the line 7 that goes,
`9+` before the new line 9.
"""

import difflib
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
    named = re.search(r"\} (\w+);$|struct (\w+) \{|(\w+)\(", code)
    return named and named.group(0).removeprefix("struct ").strip("} {(;")


def changes(base, text):
    """The lines that go and the new ones, each with its number; None where that is hardly shorter than the text."""
    old, new, lines = base.splitlines(), text.splitlines(), []
    for what, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what != "equal":
            lines += [f"{i + 1}-\t{old[i]}" for i in range(i1, i2)]
            lines += [f"{j + 1}+\t{new[j]}" for j in range(j1, j2)]
    return lines if len(lines) + 1 < 0.7 * len(new) and len(lines) + 6 < len(new) else None


class Shortener:
    def __init__(self, common=None, base=None):
        self.common = set(items(common.read_text())) if common else set()
        self.path, self.base = base, {}
        for item in items(base.read_text()) if base else []:
            if "as in common.cl" not in item:
                self.base[name_of(item)] = item

    def item(self, item, is_base):
        if item in self.common:
            return f"/* {name_of(item)}: as in common.cl */"
        base = None if is_base or not self.base else self.base.get(name_of(item))
        lines = changes(base, item) if base else None
        if lines is None:
            return item
        return "\n".join([f"/* {name_of(item)}: as in {self.path.parent.name}/{self.path.name}, but */", *lines])

    def __call__(self, text, path):
        if self.common or self.base:
            return "\n\n".join(self.item(item, path == self.path) for item in items(text)) + "\n"
        sections = re.split(r"^(?=--- )", text, flags=re.M)
        for i in range(2, len(sections)):
            title, _, rest = sections[i].partition("\n")
            lines = changes(sections[1].partition("\n")[2], rest)
            if lines is not None:
                sections[i] = "\n".join([f"{title}: as above, but", *lines, ""])
        return "".join(sections)


def first_difference(expected, actual):
    old, new = expected.splitlines(), actual.splitlines()
    for number, (a, b) in enumerate(zip(old, new), 1):
        if a != b:
            return f"line {number}\n  expected {a}\n  actual   {b}"
    return f"{len(old)} lines expected, {len(new)} lines given"


def check(show, options, path, suffix, status, promote, shorten):
    """Returns the complaint about one file, or None."""
    golden = path.with_suffix("." + suffix)
    code, actual = run(show, options, path)
    if code != status:
        return f"exit status {code}, expected {status}\n{actual}"
    actual = shorten(actual, path.with_suffix("." + suffix))
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
    given = {}
    for name in ("common", "base"):
        if "--" + name in options:
            at = options.index("--" + name)
            given[name] = pathlib.Path(options[at + 1]).resolve()
            del options[at:at + 2]
    shorten = Shortener(**given)
    files = sorted(pathlib.Path(folder).resolve().glob("*.litmus"))
    stray = {p.stem for p in pathlib.Path(folder).glob("*." + suffix)} - {p.stem for p in files}
    failures = 0
    for path in files:
        complaint = check(show, options, path, suffix, int(status), promote, shorten)
        if complaint:
            failures += 1
            print(f"{path}: {complaint}")
    for stem in sorted(stray):
        failures += 1
        print(f"{folder}/{stem}.{suffix}: no litmus file beside it")
    print(f"{len(files)} files, {failures} failures")
    return 1 if failures or not files else 0


sys.exit(main())
