# SPDX-License-Identifier: Apache-2.0
"""usage: golden.py REWRITE [--promote]: what every plant makes of golden/*.cl, against golden/*.expected."""

import difflib
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent / "golden"
PLANTS = re.compile(r'\bX\(\w+,\s*"([a-z0-9-]+)",')
# a file of their own: each changes every call
MISTAKES = re.compile(r'SABOTEUR_VALUE\(X,\s*\w+,\s*"([a-z0-9-]+)"')
HEADER = FOLDER.parents[2] / "runner" / "saboteur" / "saboteur.h"
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
    calls = PLANTS.findall(header[header.index("define SABOTEUR_CALLS"):].split("\n")[0])
    assert len(calls) >= 4, calls
    mistakes, others = MISTAKES.findall(header), [plant for plant in PLANTS.findall(header) if plant not in calls]
    assert len(mistakes) >= 25 and len(others) >= 35, (mistakes, others)
    chosen = {"operations": mistakes + ONE, "floats": FLOATS, "collective": ["collective-alone", "ids-swapped", "none"]}
    for plant in chosen.get(path.stem, others + MORE):
        changed, places = rewrite(program, plant, text)
        yield f"== {plant}: {places}"
        for line in difflib.unified_diff(text.splitlines(), changed.splitlines(), n=0, lineterm=""):
            if line[:2] not in ("--", "++"):
                yield line
        if plant == "none" and changed != text:
            yield "none changed the text"


def main():
    status = 0
    for path in sorted(FOLDER.glob("*.cl")):
        expected, lines = path.with_suffix(".expected"), list(describe(sys.argv[1], path))
        text = "\n".join(lines) + "\n"
        if "--promote" in sys.argv:
            expected.write_text(text, encoding="utf-8")
        elif text != expected.read_text(encoding="utf-8"):
            status = 1
            wanted = expected.read_text(encoding="utf-8").splitlines()
            print("\n".join(difflib.unified_diff(wanted, lines, str(expected), "now", lineterm="")))
    return status


sys.exit(main())
