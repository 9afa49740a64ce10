# SPDX-License-Identifier: Apache-2.0
"""usage: golden.py REWRITE [--promote]: what every plant makes of golden/*.cl, against golden/*.expected."""

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


def rewrite(program, plant, text):
    result = subprocess.run([program, plant], input=text.encode(), capture_output=True, check=True)
    return result.stdout.decode(), result.stderr.decode().strip()


def describe(program, path):
    """The lines that each plant changes, as differences without context."""
    text = path.read_text(encoding="utf-8")
    header = HEADER.read_text(encoding="utf-8").replace("\\\n", "")
    # those in calls change no text
    calls = PLANTS.findall(header[header.index("define PLANT_CALLS"):].split("\n")[0])
    assert len(calls) >= 4, calls
    mistakes, others = MISTAKES.findall(header), [plant for plant in PLANTS.findall(header) if plant not in calls]
    assert len(mistakes) >= 25 and len(others) >= 35, (mistakes, others)
    swapped = [plant for plant in others if plant.endswith(("ids-swapped", "sizes-swapped"))]
    chosen = {"operations": mistakes + ONE, "floats": FLOATS, "collective": ["collective-alone", *swapped, "none"]}
    for plant in chosen.get(path.stem, others + MORE):
        changed, places = rewrite(program, plant, text)
        yield f"== {plant}: {places}"
        for line in difflib.unified_diff(text.splitlines(), changed.splitlines(), n=0, lineterm=""):
            if line[:2] not in ("--", "++"):
                yield line
        if plant == "none" and changed != text:
            yield "none changed the text"


def main():
    status, changes = 0, collections.Counter()
    for path in sorted(FOLDER.glob("*.cl")):
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
        print(f"{plant} changes nothing in golden/*.cl: has rewrite_call() a case for it, and a file such a place?")
    return status


def unseen(changes):
    """The plants that change no place of any file."""
    return [plant for plant, places in changes.items() if places == 0 and plant != "none"]


assert unseen({"none": 0, "torn": 0, "rmw-split": 2}) == ["torn"]


sys.exit(main())
