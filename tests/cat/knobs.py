#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each line that docs/model.md has for another reading, put into docs/opencl.cat: tests end by it as the row says.

usage: knobs.py OCLMM SOURCE"""
import pathlib
import re
import subprocess
import sys
import tempfile

def words(oclmm, source, cat, tests):
    out = subprocess.run([oclmm, "check", "--cat", cat, *tests], cwd=source, stdout=subprocess.PIPE, text=True).stdout
    return {name: word for word, name in re.findall(r"^Observation \S+ (\w+).*?^Variant=(\S+)$", out, re.M | re.S)}


def main():
    oclmm, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    model, original = (source / "docs/model.md").read_text(), (source / "docs/opencl.cat").read_text()
    rows = re.findall(r"^\| by (K\d+) \| `(let .*)` \| (.*) \|$", model, re.M)
    failed = 0
    if len(rows) < 5 or len(rows) != len(re.findall(r"^\| by K", model, re.M)):
        sys.exit(f"docs/model.md has {len(rows)} lines with tests")
    for knob, line, tests in rows:
        line = line.replace("\\|", "|")
        name = line.split()[1]
        changed, count = re.subn(rf"^let {re.escape(name)} =.*$", lambda _: line, original, flags=re.M)
        if count != 1 or changed == original:
            sys.exit(f"{knob}: docs/opencl.cat has {count} lines for {name}")
        with tempfile.NamedTemporaryFile("w", suffix=".cat") as file:
            file.write(changed)
            file.flush()
            expected = {test: (first, first if second == "by both" else second[len("and "):])
                        for test, first, second in re.findall(r"(\S+): (\w+) (by both|and \w+)", tests)}
            before = words(oclmm, source, source / "docs/opencl.cat", expected)
            after = words(oclmm, source, file.name, expected)
        if all(first == second for first, second in expected.values()) or len(expected) != tests.count(": "):
            sys.exit(f"{knob}: no test shows it in {tests!r}")
        for test, pair in expected.items():
            if (before.get(test), after.get(test)) != pair:
                print(f"{knob}: {test}: {before.get(test)} and {after.get(test)}, not {pair[0]} and {pair[1]}")
                failed += 1
    sys.exit(failed > 0)


main()
