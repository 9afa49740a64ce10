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
FLOATS = ["float-bits", "float-zero", "float-payload", "float-subnormal", "float-equal", "as-min", "as-add", "stores-low", "operand-negated", "rmw-split", "none"]
ONE = ["as-add:fetch_or", "returns-new:cmpxchg", "succeeds:cmpxchg", "as-or:inc", "saturates:sub"]
LEGACY = ["legacy-split", "legacy-split:all", "mem-fence-empty", "barrier-no-fence", "exchange-to-store", "local-plain",
          "fence-narrowed", "barrier-swapped", "count-lost", "all-relaxed"]


def kernels(program, plant, path):
    """The kernels of a file as a planted driver is given them, and in how many places they are changed."""
    text = subprocess.run([program, plant, path], capture_output=True, text=True, check=True).stdout
    head, _, text = text.partition("\n")
    return text, int(head.split()[1])


class Known:
    """Lines that earlier plants have in a row, letter by letter, are one line that says where they stand."""

    def __init__(self):
        self.plants, self.places = [], collections.defaultdict(list)

    def longest(self, lines):
        """How many of the first lines stand somewhere in a row, in which plant, and from which of its lines on."""
        best = 0, 0, 0
        for plant, start in self.places.get(lines[0], []):
            others, count = self.plants[plant][1], 0
            while count < len(lines) and start + count < len(others) and lines[count] == others[start + count]:
                count += 1
            best = max(best, (count, plant, start), key=lambda found: found[0])
        return best

    def shorten(self, plant, lines):
        at = 0
        while at < len(lines):
            count, other, start = self.longest(lines[at:])
            if count >= 3:
                yield f"  lines {start + 1} to {start + count} of {self.plants[other][0]}"
            else:
                count = 1
                yield lines[at]
            at += count
        for number, line in enumerate(lines):
            self.places[line].append((len(self.plants), number))
        self.plants.append((plant, lines))


def describe(program, path):
    """The lines that each plant changes, as differences without context."""
    header = HEADER.read_text(encoding="utf-8").replace("\\\n", "")
    # those in calls change no text
    calls = PLANTS.findall(header[header.index("define PLANT_CALLS"):].split("\n")[0])
    assert len(calls) >= 4, calls
    features = PLANTS.findall(header[header.index("define PLANT_FEATURES"):].split("\n")[0])
    split = [plant for plant in PLANTS.findall(header) if plant.startswith("split-")]
    shared = PLANTS.findall(header[header.index("define PLANT_SHARED"):].split("\n")[0])
    assert len(shared) >= 20, shared
    mistakes, others = MISTAKES.findall(header), [plant for plant in PLANTS.findall(header) if plant not in calls]
    assert len(mistakes) >= 25 and len(others) >= 35, (mistakes, others)
    chosen = {"operations": mistakes + ONE, "floats": FLOATS, "legacy": LEGACY,
              "features": [*features, "collective-alone", "ids-swapped"], "children": features,
              "shared": [*shared, "barrier-removed"],
              "split": [*split, "barrier-removed", "barrier-no-fence", "barrier-swapped"], "waits": ["none", "load-once"]}
    plain, _ = kernels(program, "none", path)
    known = Known()
    for plant in chosen.get(path.stem, [plant for plant in others if plant not in features + shared + split] + MORE):
        changed, places = kernels(program, plant, path)
        yield f"== {plant}: {places} places"
        changes = difflib.unified_diff(plain.splitlines(), changed.splitlines(), n=0, lineterm="")
        yield from known.shorten(plant, [line for line in changes if line[:2] not in ("--", "++", "@@")])
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
