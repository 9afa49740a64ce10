#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Barriers of a shared text, where one instruction of a GPU runs 32 or 64 work-items.

usage: warps.py OCLMM ROOT

In a group of that size a barrier that does nothing, or over which something moves either way, may never show. So for a barrier in a
branch, in a loop, in a switch and in none of them the default profile has a test in which it can, as playing the changed
text says, and whose group has more than 64 work-items. No device is asked. The quick profile has not, and that
is seen.
"""

import os
import re
import subprocess
import sys

PLANTS = [f"{where}-{what}" for where in ("branch", "loop", "switch", "top") for what in ("barrier", "hoist", "sink")]
LARGEST = 64


def ask(oclmm, root, *words):
    asked = subprocess.run([oclmm, *words], capture_output=True, text=True, timeout=280, check=False,
                           env=dict(os.environ, OCLMM_SUITE=root))
    assert asked.returncode in (0, 1), asked.stderr
    return asked.stdout


def group_of(text):
    """How many work-items a group of a shared text has; 1 for one that has none."""
    head = re.search(r"(?m)^kernel@[^(]*\bli ([^(]*?)(?: offset [^(]*)?\(", text)
    size = 1
    for last in re.findall(r"0\.\.([0-9]+)", head.group(1)) if head else []:
        size *= int(last) + 1
    return size


def lacking(oclmm, root, profile):
    """The plants that no test with several warps in its group can show."""
    able = ask(oclmm, root, "planted", "--able", "--all", "--profile", profile,
               *(word for plant in PLANTS for word in ("--plant", plant)))
    sections = re.split(r"(?m)^(?=\S)", able)
    tests = {section.split()[0]: set(re.findall(r"(?m)^    (\S+)", section)) for section in sections if section.strip()}
    for plant in PLANTS:
        if not any(group_of(ask(oclmm, root, "show", test)) > LARGEST for test in sorted(tests.get(plant, []), key=len, reverse=True)):
            yield plant


def main():
    oclmm, root = os.path.abspath(sys.argv[1]), sys.argv[2]
    sizes = {"kernel@wg 0..0, li 0..7 (": 8, "kernel@wg 0, li 0..3 x 0..24 (": 100, "kernel@wg 0..1, li 0..4 offset 3 (": 5, "P0@wg 0 (": 1}
    for head, size in sizes.items():
        assert group_of(head) == size, f"{head}: {group_of(head)}"
    assert list(lacking(oclmm, root, "quick")), "the quick profile is as good"
    found = list(lacking(oclmm, root, "default"))
    for plant in found:
        print(f"{plant}: in the default profile no group of more than {LARGEST} work-items can show it")
    return len(found) > 0


sys.exit(main())
