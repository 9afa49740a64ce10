#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which tests a run begins with: litmus/planted/first, from what tests of the suite found of planted bugs.

usage: first.py OCLMM --measure MATRIX [OPTION...]    plants bugs on the device, which takes a while, or goes on with that
       first.py OCLMM MATRIX...             prints the list, by matrices of that kind or of others, of any machines
       first.py OCLMM --plain MATRIX...     prints what they say of plain bugs: first.shown
       first.py OCLMM --check               compares the list with the suite and with first.shown, without a device

A test's cost is the processor time of its run alone with empty caches. The next test of the list is the one that finds most
plants per second that no test before it finds, where a plant counts once for each machine on which the test shows it plainly.
So the plainest bugs come first, each kind is there once, and no machine has to wait for what shows on another one alone.
"""

import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "litmus/planted/first"
SHOWN = pathlib.Path(__file__).with_suffix(".shown")
HEAD = """# SPDX-License-Identifier: Apache-2.0
# The tests that a run begins with where none was named, and the planted bugs for which each is there.
# tests/plant/first.py makes this list of what they found on a device; docs/planted.md tells how.
"""
SHOWN_HEAD = """# SPDX-License-Identifier: Apache-2.0
# Plain bugs, and tests that showed them: PoCL 3.1, 2026-12-01 (first.py --measure), and an H200, 2026-11-30, by the drawn bugs
# of docs/planted.md. Some of the latter acted in a part of the calls. `first.py --plain` prints this.
# machine | plant | tests
"""
COUNTING = "the counting itself"
# Classes whose plants forbid no outcome, but spoil counts or launches; and those that few tests cannot be expected to find.
NOTICED = {COUNTING, "what launches range over"}
LEFT_OUT = {"nothing", "rare", "features that a device may lack"}
# Plain tests of all families that can fail, and of each class of plants the plainest.
TESTS = """SB+sc+sc SB+fence-sc+fence-sc MP+rel+acq MP+barrier MP+barrier+local add+add cas+cas xchg+xchg CoRR CoWW
CoWR R+sc+sc 2+2W+sc+sc S+rel+acq handoff-loop spin-flag spin-flag.order=rel-rlx.wait=fence LB+na+orders.by=add-ar
orders-acq-rel-chain-plain MP+unscoped-rel+unscoped-acq MP+rmw-rel+rmw-acq.width=64.order=acq_rel LB+acq-rel+acq-rel
seqlock fetch_and+values fetch_add+values compare_exchange_strong+values W8+W8 W64-rel+R64-acq fetch_min+float
in-order event+queues two-writes init+values SB+sc+sc+values if+private for+local switch+local""".split()
# Bugs that a user would think of first. Each machine has to have a test for each that it shows.
PLAIN = """sc-to-acq-rel acquire-to-relaxed release-to-relaxed rmw-to-relaxed all-relaxed scope-narrowed fence-removed
fence-weakened barrier-removed rmw-split cas-split loads-reversed""".split()
# Of the instances of a kill. What shows in fewer, a run of the default profile may miss.
PLAINLY = 1e-6
# Tests of a list: each has a text of its own, which takes time to compile.
MOST = 24
PLANTS = """rmw-split sc-to-acq-rel fence-removed barrier-removed loads-reversed torn multi-group as-sub group-split
count-lost init-lost top-rest event-early offset-doubled nothing-stored word-stored local-lost wait-list-ignored
queue-unordered ids-swapped start-changed switch-first loads-swapped all-relaxed cas-split
update-lost""".split()


def measure(program, path, options):
    plants = [word for plant in dict.fromkeys(PLAIN + PLANTS) for word in ("--plant", plant)]
    command = [program, "planted", "-n", "20k", "--seconds", "75", "--all", "--resume", path, *options, *plants, *TESTS]
    return subprocess.run(command, check=False).returncode


def bug_of(entry):
    """The plant of an entry. A plain bug that was drawn for some calls shows no less where it acts in all."""
    drawn = entry.get("part_of")
    return entry["plant"] if not drawn else drawn if drawn in PLAIN or not entry["where"] else None


def kills_of(paths):
    """By test, the machines and plants that it killed plainly, or of those that can only be noticed, noticed."""
    kills = {}
    for path in paths:
        machine = None
        for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            machine = entry.get("device", machine) if entry["type"] == "planted" else machine
            if entry["type"] != "plant":
                continue
            found = [kill["test"] for kill in entry.get("kills", ()) if kill["forbidden"] >= PLAINLY * kill["instances"]]
            if entry.get("class") in NOTICED and entry["result"] == "noticed":
                # what spoils most tests needs none of its own: whichever comes first will do
                found += [entry["broken_test"].split(": ")[0]] if entry["broken"] * 2 < entry["tests"] else TESTS
            for test in found if bug_of(entry) else ():
                kills.setdefault(test, set()).add((machine, bug_of(entry)))
    return kills


def cost_of(program, test):
    """Seconds of processor time of a run that finds nothing in its caches."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CACHE_HOME": folder, "POCL_CACHE_DIR": folder, "CUDA_CACHE_PATH": folder,
                       "OCLMM_PROGRAMS": "off"}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "run", test], env=environment, stdout=subprocess.DEVNULL, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def choose(kills, cost):
    """Pairs of a test and the plants that it adds, on any machine."""
    left, chosen = set().union(*kills.values()), []
    while left:
        test = max(sorted(kills), key=lambda name: len(kills[name] & left) / cost[name])
        chosen.append((test, sorted({plant for _, plant in kills[test] & left})))
        left -= kills[test]
    return chosen


def plain_of(kills):
    """Lines of first.shown: by machine and plain bug, the tests that show it plainly."""
    shown = {}
    for test, found in sorted(kills.items()):
        for machine, plant in found:
            if plant in PLAIN:
                shown.setdefault((machine, plant), []).append(test)
    return [" | ".join((*key, " ".join(tests))) for key, tests in sorted(shown.items())]


def read_shown(text):
    lines = [line.split(" | ") for line in text.splitlines() if not line.startswith("#")]
    return [(machine, plant, tests.split()) for machine, plant, tests in lines]


def read_list(text):
    return [line.split() for line in text.splitlines() if not line.startswith("#")]


def told(program, *words):
    environment = {**os.environ, "OCLMM_SUITE": os.fspath(ROOT)}
    return subprocess.run([program, *words], env=environment, capture_output=True, text=True, check=True).stdout


def classes_of_plants(program):
    """By plant, its class: in the order of the list, each from that plant on with which the class begins."""
    classes = (ROOT / "runner/planted/outcome.h").read_text(encoding="utf-8")
    plants = (ROOT / "runner/plant/plant.h").read_text(encoding="utf-8")
    begins = dict(re.findall(r'^\tX\(([A-Z_]+), "([a-z ,-]+)"\)', classes, re.M))
    words = re.findall(r'^\t(?:X\(|PLANT_VALUE\(X, )([A-Z_0-9]+),\s+"([a-z0-9-]+)"', plants, re.M)
    word_of = {name: word for word, name in words}
    class_of, now = {}, "nothing"
    for line in told(program, "planted", "--list").splitlines():
        if line.strip() and not line.startswith(" "):
            name = line.split()[0]
            now = begins.get(word_of[name], now)
            class_of[name] = now
    return class_of


class Suite:
    """What the program says of tests and plants, without a device."""

    def __init__(self, program):
        self.program = program
        self.default = {line.split()[0] for line in told(program, "list", "--profile", "default").splitlines()}
        self.classes = classes_of_plants(program)

    def has_place(self, plant, test):
        """Whether the plant changes the test, or is in what all tests have in common: counting and launches."""
        words = told(self.program, "planted", "--able", "--plant", plant, test).split()
        return self.classes[plant] in NOTICED or int(words[words.index("changed") - 1]) > 0

    def wrong(self, text, shown):
        """What is wrong with a list, where these are known to show plain bugs."""
        wrong, found = [], set()
        for test, *plants in read_list(text):
            if test not in self.default:
                wrong.append(f"{test} is not in the default profile")
                continue
            wrong += [f"{test} has no place for {plant}" for plant in plants if not self.has_place(plant, test)]
            wrong += [f"{test} is there for nothing"] * (not plants)
            found |= {self.classes[plant] for plant in plants}
        for missing in sorted(set(self.classes.values()) - found - LEFT_OUT):
            wrong.append(f"no test is there for {missing}")
        names = {test for test, *_ in read_list(text)}
        wrong += [f"{plant} would be told late on {machine}" for machine, plant, tests in shown if not names & set(tests)]
        wrong += [f"more than {MOST} tests come first"] * (len(names) > MOST)
        return wrong


def check(program):
    """The list is as the suite is, and lists that are not are refused."""
    suite, text = Suite(program), LIST.read_text(encoding="utf-8")
    shown = read_shown(SHOWN.read_text(encoding="utf-8"))
    wrong = suite.wrong(text, shown)
    for what, made in (("is not in the default", text + "no-such-test rmw-split\n"),
                       ("has no place for rmw-split", text + "CoRR rmw-split\n"),
                       ("is there for nothing", text + "CoRR\n"),
                       ("no test is there for kernels cut at barriers", re.sub(r"^(if|for|switch).*\n", "", text, flags=re.M)),
                       ("sc-to-acq-rel would be told late on NVIDIA", re.sub(r"^.*sc-to-acq-rel.*\n", "", text, flags=re.M)),
                       ("tests come first", text + "".join(f"CoRR{i} rmw-split\n" for i in range(MOST)))):
        if not any(what in line for line in suite.wrong(made, shown)):
            wrong.append(f'a list is not refused, of which "{what}" should be said')
    print("\n".join(wrong) or "the list is as the suite is")
    return bool(wrong)


def main():
    program, words = os.path.abspath(sys.argv[1]), sys.argv[2:]
    if words[0] == "--measure":
        return measure(program, words[1], words[2:])
    if words[0] == "--check":
        return check(program)
    if words[0] == "--plain":
        print(SHOWN_HEAD + "\n".join(plain_of(kills_of(words[1:]))))
        return 0
    kills = {test: kills for test, kills in kills_of(words).items() if test in TESTS}
    cost = {test: cost_of(program, test) for test in sorted(kills)}
    print(HEAD, end="")
    for test, plants in choose(kills, cost):
        print(test, *plants)
    return 0


if __name__ == "__main__":
    sys.exit(main())
