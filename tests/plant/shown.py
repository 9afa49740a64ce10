# SPDX-License-Identifier: Apache-2.0
"""Bugs that devices have shown, and what is said of them without a device: that these tests can show them there.

usage: shown.py OCLMM

To call a bug equivalent that could show would raise each score. shown.killed has, from two runs of a thousand drawn bugs, a few
of each change: the machine, the rule, and the test that killed it.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

PROGRAM = os.path.abspath(sys.argv[1])
ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = pathlib.Path(__file__).with_suffix(".killed")
SEED = "2"
# what fell on an H200 can show by PTX, and by what that machine was seen to do
MODELS = {"ptx": ("ptx", "h200")}
# a rule by which nothing shows: the fence beside the load stands in for that of the store
HIDDEN = ("ptx", "sc-to-acq-rel: store", "SB+sc+sc")


def run(*arguments):
    return subprocess.run([PROGRAM, "planted", *arguments], capture_output=True, text=True, check=False,
                          env={**os.environ, "OCLMM_SUITE": str(ROOT)})


def rules(seed):
    """{rule: name} of what is drawn."""
    out = run("--list", "--drawn", "1000", "--seed", seed).stdout
    return {" ".join(rule.split()): name for name, rule in re.findall(r"(?m)^(drawn-\S+) +(.*(?:\n +.*)*)", out)}


def is_able(machine, name, test):
    """Whether the test can show it there; None: there is no such test any more, or it has no place for the rule."""
    done = run("--able", "--machine", machine, "--plant", name, f"@({test})")
    counts = re.match(r"\S+ +(\d+) able +(\d+) changed", done.stdout)
    return int(counts[1]) > 0 if counts and int(counts[2]) > 0 else None


def main():
    names = rules(SEED)
    lines = [tuple(line.split(" | ")) for line in LIST.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    # what is drawn changes with the table of plants, and tests are renamed: such lines say nothing
    known = [(model, *line[1:]) for line in lines if line[1] in names for model in MODELS.get(line[0], (line[0],))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        able = list(pool.map(lambda line: is_able(line[0], names[line[1]], line[2]), known))
    wrong = [" | ".join(line) for line, shows in zip(known, able) if shows is False]
    looked = len({line[1:] for line, shows in zip(known, able) if shows is not None})
    for line in wrong:
        print(f"killed, and said not to show: {line}")
    if looked * 2 < len(lines):
        print(f"only {looked} of {len(lines)} lines say something: make {LIST.name} again from a new run")
        return 1
    # and the question is one that can be answered with no
    first = rules("1")
    if is_able(HIDDEN[0], first[HIDDEN[1]], HIDDEN[2]) and is_able(HIDDEN[0], first[HIDDEN[1]], HIDDEN[2]):
        print("said to show:", " | ".join(HIDDEN))
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
