# SPDX-License-Identifier: Apache-2.0
"""usage: golden.py KERNEL [--promote]: what every plant makes of the kernels of golden/*.litmus, against golden/*.expected."""

import collections
import difflib
import pathlib
import re
import subprocess
import sys

HEAD = re.compile(r"== (\S+): (\d+) places")
FOLDER = pathlib.Path(__file__).resolve().parent / "golden"
PLANTS = re.compile(r'\bX\(\w+,\s*"([a-z0-9-]+)",')
# a file of their own: each changes every call
MISTAKES = re.compile(r'PLANT_VALUE\(X,\s*\w+,\s*"([a-z0-9-]+)"')
HEADER = FOLDER.parents[2] / "runner" / "plant" / "plant.h"
MORE = ["fence-narrowed:global", "legacy-split:all", "update-lost:7", "first-launches:1", "group-split:64",
        "scope-narrowed:sub_group", "torn:16", "no-retry:2", "all-relaxed@load,64", "barrier-removed@work_group_barrier"]
# and nothing else that looks at bits
FLOATS = ["float-bits", "as-min", "as-add", "stores-low", "operand-negated", "rmw-split", "none"]
ONE = ["as-add:fetch_or", "returns-new:cmpxchg", "succeeds:cmpxchg", "as-or:inc", "saturates:sub"]
LEGACY = ["legacy-split", "legacy-split:all", "mem-fence-empty", "barrier-no-fence", "exchange-to-store", "local-plain",
          "fence-narrowed", "barrier-swapped", "count-lost", "all-relaxed"]


def kernels(program, plant, path):
    """The kernels of a file as a planted driver is given them, and in how many places they are changed."""
    text = subprocess.run([program, plant, path], capture_output=True, text=True, check=True).stdout
    head, _, text = text.partition("\n")
    return text, int(head.split()[1])


def without_known(lines, plant, macros):
    """The lines, with one in place of macros in a row that an earlier plant has in a row, letter by letter."""
    at = 0
    while at < len(lines):
        first = macros.get(lines[at])
        known = 0
        while first and at + known < len(lines) and macros.get(lines[at + known]) == (first[0], first[1] + known):
            known += 1
        if known > 1:
            names = [lines[at + i].split()[1].partition("(")[0] for i in (0, known - 1)]
            yield f"+ {known} macros as in {first[0]}: {names[0]} to {names[1]}"
        else:
            yield lines[at]
            if lines[at].startswith("+#define"):
                macros.setdefault(lines[at], (plant, at))
        at += max(known, 1)


def describe(program, path):
    """The lines that each plant changes, as differences without context."""
    header = HEADER.read_text(encoding="utf-8").replace("\\\n", "")
    # those in calls change no text
    calls = PLANTS.findall(header[header.index("define PLANT_CALLS"):].split("\n")[0])
    assert len(calls) >= 4, calls
    features = PLANTS.findall(header[header.index("define PLANT_FEATURES"):].split("\n")[0])
    shared = PLANTS.findall(header[header.index("define PLANT_SHARED"):].split("\n")[0])
    assert len(shared) >= 20, shared
    mistakes, others = MISTAKES.findall(header), [plant for plant in PLANTS.findall(header) if plant not in calls]
    assert len(mistakes) >= 25 and len(others) >= 35, (mistakes, others)
    chosen = {"operations": mistakes + ONE, "floats": FLOATS, "legacy": LEGACY,
              "features": [*features, "collective-alone", "ids-swapped"], "children": features,
              "shared": [*shared, "barrier-removed"], "waits": ["none", "load-once"]}
    plain, _ = kernels(program, "none", path)
    macros = {}
    for plant in chosen.get(path.stem, [plant for plant in others if plant not in features + shared] + MORE):
        changed, places = kernels(program, plant, path)
        yield f"== {plant}: {places} places"
        changes = difflib.unified_diff(plain.splitlines(), changed.splitlines(), n=0, lineterm="")
        yield from without_known([line for line in changes if line[:2] not in ("--", "++", "@@")], plant, macros)
        if plant == "none" and changed != plain:
            yield "none changed the text"


def main():
    status, changes = 0, collections.Counter()
    for path in sorted(FOLDER.glob("*.litmus")):
        expected, lines = path.with_suffix(".expected"), list(describe(sys.argv[1], path))
        for line in lines:
            if head := HEAD.match(line):
                changes[head[1]] += int(head[2])
        text = "\n".join(lines) + "\n"
        if "--promote" in sys.argv:
            expected.write_text(text, encoding="utf-8")
        elif text != expected.read_text(encoding="utf-8"):
            status = 1
            wanted = expected.read_text(encoding="utf-8").splitlines()
            print("\n".join(difflib.unified_diff(wanted, lines, str(expected), "now", lineterm="")))
    for plant in unseen(changes):
        status = 1
        print(f"{plant} changes nothing in golden/*.litmus: has change.c a case for it, and a file such a place?")
    return status


def unseen(changes):
    """The plants that change no place of any file."""
    return [plant for plant, places in changes.items() if places == 0 and plant != "none"]


assert unseen({"none": 0, "torn": 0, "rmw-split": 2}) == ["torn"]


sys.exit(main())
