#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each line that docs/model.md has for another reading, put into docs/opencl.cat: what `check --cat` says by it.

usage: knobs.py OCLMM SOURCE"""
import pathlib
import re
import subprocess
import sys
import tempfile

# By knob: tests whose word is another one there, and tests whose word stays. The words are those of docs/model.md.
WORDS = {
    "K14": {"MP+fence-rel-wg+fence-acq-dev.scope=all.data=na": ("Never", "Undefined"),
            "MP+fence-rel-wg+fence-acq-dev.scope=all": ("Never", "Sometimes"),
            "MP+fence-rel+fence-acq.pair=op-fence.scope=all": ("Never", "Never")},
    "K15": {"MP+rel+acq+na+fine": ("Undefined", "Never"), "MP+rel+acq+na+fine.place=two-devices": ("Undefined", "Never"),
            "MP+rel+acq+na+svm": ("Never", "Never")},
    "K16": {"MP+collective": ("Sometimes", "Never"), "MP+collective.by=sg-any": ("Sometimes", "Sometimes"),
            "MP+collective.by=no-flags": ("Sometimes", "Sometimes")},
    "K17": {"blocking-write": ("Never", "Undefined"), "blocking-write+host": ("Never", "Never"),
            "blocking-write.edge=wait": ("Never", "Never")},
    "K18": {"read+host.edge=poll": ("Undefined", "Never"), "kernel+host+fine.edge=poll": ("Undefined", "Never"),
            "read+host": ("Never", "Never")},
}


def words(oclmm, source, cat, tests):
    out = subprocess.run([oclmm, "check", "--cat", cat, *tests], cwd=source, stdout=subprocess.PIPE, text=True).stdout
    return {name: word for word, name in re.findall(r"^Observation \S+ (\w+).*?^Variant=(\S+)$", out, re.M | re.S)}


def main():
    oclmm, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    model, original = (source / "docs/model.md").read_text(), (source / "docs/opencl.cat").read_text()
    lines = dict(re.findall(r"^\| by (K\d+) \| `(let .*)` \|$", model, re.M))
    failed = 0
    if set(lines) != set(WORDS):
        sys.exit(f"docs/model.md has lines for {sorted(lines)}, this test words for {sorted(WORDS)}")
    for knob, line in lines.items():
        line = line.replace("\\|", "|")
        name = line.split()[1]
        changed, count = re.subn(rf"^let {re.escape(name)} =.*$", lambda _: line, original, flags=re.M)
        if count != 1 or changed == original:
            sys.exit(f"{knob}: docs/opencl.cat has {count} lines for {name}")
        with tempfile.NamedTemporaryFile("w", suffix=".cat") as file:
            file.write(changed)
            file.flush()
            before = words(oclmm, source, source / "docs/opencl.cat", WORDS[knob])
            after = words(oclmm, source, file.name, WORDS[knob])
        for test, expected in WORDS[knob].items():
            if (before.get(test), after.get(test)) != expected:
                print(f"{knob}: {test}: {before.get(test)} and {after.get(test)}, not {expected[0]} and {expected[1]}")
                failed += 1
    sys.exit(failed > 0)


main()
