#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shapes that one test has, as docs/planted.md lists them: each has tests of the default profile, and a plant for them.

usage: shapes.py OCLMM ROOT

No device is asked. A plant in a program has a place in one of the tests of its row, as the model or the change says.
A plant in calls is in all tests of commands, whatever they are about: there calls.py has to name a test of the row
that kills it, as its own test shows on a device.
"""

import os
import pathlib
import re
import subprocess
import sys

HEADING = "## Shapes that one test has"


def rows_of(text):
    """What stands in the table: (tests, plants)."""
    section = text[text.index(HEADING):]
    section = section[:section.index("\n## ", 1)]
    cells = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")][1:]
    return [([name.strip() for name in tests.split(",")], re.findall("`([^`]+)`", plants)) for _, tests, plants in cells]


class Suite:
    def __init__(self, oclmm, root):
        self.oclmm, self.environment = oclmm, dict(os.environ, OCLMM_SUITE=str(root))
        self.names = set(self.ask("list", "--profile", "default").split())
        header = (root / "runner/plant/plant.h").read_text(encoding="utf-8")
        calls = header[header.index("#define PLANT_CALLS(X)"):]
        self.calls = set(re.findall(r'X\([A-Z_0-9]+, "([^"]+)"', calls[:calls.index("\n\n")]))
        self.killed = set(re.findall(r'"([a-z-]+)": "([^"]+)"', (root / "tests/plant/calls.py").read_text(encoding="utf-8")))

    def ask(self, *words):
        asked = subprocess.run([self.oclmm, *words], capture_output=True, text=True, timeout=120, check=False,
                               env=self.environment)
        assert asked.returncode in (0, 1), asked.stderr
        return asked.stdout

    def has_place(self, plant, tests):
        if plant in self.calls:
            return any((plant, test) in self.killed for test in tests)
        return re.search(rf"(?m)^{re.escape(plant)} +[0-9]+ able +[1-9]", self.ask("planted", "--able", "--plant", plant, *tests))

    def complaints(self, rows):
        for tests, plants in rows:
            yield from (f"{test} is not in the default profile" for test in tests if test not in self.names)
            if not plants:
                yield f"{', '.join(tests)}: no plant"
            if self.names.issuperset(tests):
                yield from (f"{plant} shows in none of {', '.join(tests)}" for plant in plants if not self.has_place(plant, tests))


def main():
    oclmm, root = sys.argv[1], pathlib.Path(sys.argv[2])
    suite = Suite(os.path.abspath(oclmm), root)
    rows = rows_of((root / "docs/planted.md").read_text(encoding="utf-8"))
    # rows that are wrong, each in its own way, are told
    for tests, plants in ((["no+such"], ["map-stale"]), (["map+map"], []), (["map+map"], ["unmap-early"]), (["copy+joined"], ["float-zero"]),
                          (["indirect.edge=none"], ["exec-info-dropped"])):
        assert list(suite.complaints([(tests, plants)])), f"nothing is said of {tests} and {plants}"
    found = list(suite.complaints(rows))
    print(f"{len(rows)} shapes, {len(found)} complaints", *found, sep="\n")
    return len(found) > 0 or len(rows) == 0


sys.exit(main())
