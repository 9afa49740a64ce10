#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The plants that `oclmm audit` finds in the code of a target, and an argument for each of the others.

usage: audit_plants.py PROGRAM TABLE TARGET     77, skipped, without the compiler that the table is about
       audit_plants.py --check TABLE            the table is held to its words; no compiler

A table has lines `compiler: PATH`, `tests: NAME…` and `found: PLANT…` (with a parameter), and for what these tests do
not find `TARGETS | PLANTS | END | ARGUMENT`: patterns of targets and of plants with blanks between them, and the word
that audit prints. For each plant the first line of its target counts. With a line `lacks: PROFILE` in place of tests it
is about the weakenings that `--lacks` tries with this profile, of which none needs a line whose code stays the same.
"""

import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys
import typing

ENDS = ("missed", "same-code", "not-read", "no-place")
# of audit: how many --plant it takes
PLANTS_MOST = 32


class Line(typing.NamedTuple):
    number: int
    targets: list
    plants: list
    end: str
    argument: str

    def is_of(self, target):
        return any(fnmatch.fnmatchcase(target, pattern) for pattern in self.targets)


class Table:
    """What a file has to say."""

    def __init__(self, text):
        self.compiler, self.lacks, self.tests, self.found, self.lines = "", "", [], [], []
        for number, line in enumerate(text.splitlines(), 1):
            if not line or line.startswith("#"):
                continue
            word, _, rest = line.partition(": ")
            if word == "compiler":
                self.compiler = rest
            elif word == "lacks":
                self.lacks = rest
            elif word == "tests":
                self.tests += rest.split()
            elif word == "found":
                self.found += rest.split()
            else:
                fields = [field.strip() for field in line.split("|")]
                if len(fields) != 4 or not all(fields) or fields[2] not in ENDS:
                    raise SystemExit(f"line {number}: no line of the table: {line}")
                self.lines.append(Line(number, fields[0].split(), fields[1].split(), fields[2], fields[3]))

    def complaints(self, target, ends):
        """What is wrong with it, given how each plant ended; one text each."""
        unused = {(line.number, pattern) for line in self.lines if line.is_of(target) for pattern in line.plants}
        said = []
        for plant, end in ends.items():
            if end == "found" or (self.lacks and end == "same-code"):
                continue
            if plant in self.found:
                said.append(f"{target}: {plant} is {end}, and not found")
                continue
            line = next((line for line in self.lines if line.is_of(target)
                         and any(fnmatch.fnmatchcase(plant, pattern) for pattern in line.plants)), None)
            if not line:
                said.append(f"{target}: {plant} is {end}, and has no line")
                continue
            if line.end != end:
                said.append(f"line {line.number}: {target}: {plant} is {end}, not {line.end}")
            unused -= {(line.number, pattern) for pattern in line.plants if fnmatch.fnmatchcase(plant, pattern)}
        return said + [f"line {number}: {target}: {pattern} is of no plant that is left" for number, pattern in sorted(unused)]


def audit(program, table, target, plants):
    """How each plant ends."""
    arguments = [word for plant in plants for word in ("--plant", plant)]
    if table.lacks:
        arguments = ["--lacks", "--format", "text", "--profile", table.lacks]
    ran = subprocess.run([program, "audit", "--compiler", table.compiler, "--target", target, "--time-limit", "0", *arguments, *table.tests],
                         capture_output=True, text=True, check=False)
    if ran.returncode == 99 and re.search("no compiler|no llvm-spirv|no spirv-dis", ran.stderr):
        print(ran.stderr, end="")
        sys.exit(77)
    ends = {plant: end for end, plant in re.findall(r"^(found|" + "|".join(ENDS) + r") +(\S+) ", ran.stdout, re.M)}
    if ran.returncode or ran.stderr or (plants != ["all"] and set(ends) != set(plants)):
        sys.exit(f"status {ran.returncode}:\n{ran.stderr}{ran.stdout}")
    return ends


def check(path):
    """Changes of a table, and what is said of them."""
    text = ("compiler: cc\ntests: A B\nfound: p:1\n"
            "x* y | p q* | missed | why\nx | r | same-code | why\ny | q2 | no-place | never looked at\n")
    ends = {"p": "missed", "p:1": "found", "q1": "missed", "r": "same-code", "s": "found"}

    def said(table, **changes):
        return Table(table).complaints("x", {**ends, **changes})

    assert not said(text), said(text)
    assert said(text, s="missed") == ["x: s is missed, and has no line"]
    assert said(text, r="missed") == ["line 5: x: r is missed, not same-code"]
    assert said(text, r="found") == ["line 5: x: r is of no plant that is left"]
    assert said(text, q1="found") == ["line 4: x: q* is of no plant that is left"]
    assert said(text, **{"p:1": "missed"}) == ["x: p:1 is missed, and not found"]
    assert said(text.replace("x | r", "y | r")) == ["x: r is same-code, and has no line"]
    lacks = text.replace("tests: A B", "lacks: default").replace("x | r | same-code | why\n", "")
    assert not said(lacks), said(lacks)
    assert said(lacks, s="missed") == ["x: s is missed, and has no line"]
    assert said(lacks, s="no-place") == ["x: s is no-place, and has no line"]
    for wrong in ("x | r | same-code", "x | r | same | why", "x | r | found | why", "x | | missed | why"):
        try:
            Table(text + wrong + "\n")
        except SystemExit:
            continue
        raise AssertionError(wrong)
    table = Table(pathlib.Path(path).read_text(encoding="utf-8"))
    assert table.compiler and len(table.found) <= PLANTS_MOST and table.lines
    assert len(set(table.tests)) == len(table.tests) and bool(table.tests) != bool(table.lacks)


def main():
    if sys.argv[1] == "--check":
        check(sys.argv[2])
        return
    program, path, target = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    table = Table(path.read_text(encoding="utf-8"))
    if not shutil.which(table.compiler):
        print(f"no {table.compiler}, of which the table speaks")
        sys.exit(77)
    ends = audit(program, table, target, ["all"])
    print(target, {end: list(ends.values()).count(end) for end in ("found", *ENDS)})
    if table.found:
        ends.update(audit(program, table, target, table.found))
    complaints = table.complaints(target, ends)
    sys.exit("\n".join(complaints) or 0)


main()
