#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the sample's text as the herd tools' reader of logs does: check_log.py PRINT_SAMPLE

mcompare7 and msum7 share one reader (tools/lexLog_tools.mll of herdtools7). Its
rules are restated here, so that a form that they would refuse, or read over, is
found without them: which lines open a test and its states, how a state and its
count are written, what may stand behind a state, what ends the states, and which
lines may follow. As there, a line between two tests may be anything.
"""
import re
import subprocess
import sys

TEST_NAME = r"[A-Za-z0-9_/.\-+\[\]]+"
OPENING = re.compile(rf"Test[ \t]+({TEST_NAME})(?:[ \t]+([A-Za-z][A-Za-z0-9_.]*))?")
STATES = re.compile(r"Histogram(?:[ \t]+\((\d+)[ \t]+states[ \t]*\))?|States(?:[ \t]+(\d+))?")
COUNT = re.compile(r"(\d+)[ \t]*([:*]>)")
NAME = r"[A-Za-z][A-Za-z0-9_.]*"
PLACE = rf"\d+:{NAME}|\[?(?:{NAME}|\$(?:[A-Za-z]+|\d+))\]?|{NAME}\[\d+\]"
BINDING = re.compile(rf"[ \t]*({PLACE})[ \t]*=[ \t]*(-?(?:0x[0-9a-fA-F]+|\d+)|{NAME}(?::{NAME})?)[ \t]*;")
REST = re.compile(r"[ \t]*(#.*)?")
VALIDATION = re.compile(r"(?:Loop[ \t]+)?(Undef|Succeeded|Failed|Ok|No|\?\?)")
WITNESSES = re.compile(r"Positive:[ \t]*(\d+),?[ \t]*Negative:[ \t]*(\d+)[ \t]*")
CONDITION = re.compile(r"Condition[ \t]+(.+?)[ \t]+is\b.*validated")
HASH = re.compile(r"[hH][aA][sS][hH][ \t]*=[ \t]*([^ \t]+)[ \t]*")
TIME = re.compile(rf"Time[ \t]+{TEST_NAME}[ \t]+\d+\.\d+[ \t]*")
OTHER = re.compile(rf"[A-Za-z]+[ \t]*=.*|[A-Za-z]+[ \t]+{TEST_NAME}[ \t]+.*")
KINDS = {"Allowed", "Forbidden", "Required"}


class Lines:
    def __init__(self, text):
        self.lines, self.at = text.split("\n"), 0

    def peek(self):
        return self.lines[self.at] if self.at < len(self.lines) else None

    def take(self):
        self.at += 1
        return self.lines[self.at - 1]

    def skip_empty(self):
        while self.peek() is not None and not self.peek().strip():
            self.at += 1


def read_state(line):
    """(outcome, count, marked)"""
    count = COUNT.match(line)
    assert count, f"not a state: {line!r}"
    at, outcome = count.end(), {}
    while binding := BINDING.match(line, at):
        outcome[binding.group(1)] = int(binding.group(2), 0)
        at = binding.end()
    assert REST.fullmatch(line, at), f"behind a state only a comment may stand: {line[at:]!r}"
    return tuple(sorted(outcome.items())), int(count.group(1)), count.group(2) == "*>"


def read_test(lines, kind):
    """From behind the opening line up to what the reader leaves to the next test."""
    states = STATES.fullmatch(lines.take())
    assert states, "the states follow at once"
    test = {"kind": kind, "states": {}, "marked": set(), "announced": int(states.group(1) or states.group(2) or 0)}
    while not (validation := VALIDATION.match(lines.peek())):
        outcome, count, marked = read_state(lines.take())
        assert outcome not in test["states"], f"{outcome} twice"
        test["states"][outcome] = count
        if marked:
            test["marked"].add(outcome)
    lines.take()
    test["ok"] = validation.group(1)
    lines.skip_empty()
    if lines.peek().rstrip() == "Witnesses":
        lines.take()
        test["witnesses"] = tuple(map(int, WITNESSES.fullmatch(lines.take()).groups()))
    lines.skip_empty()
    condition = CONDITION.fullmatch(lines.peek())
    assert condition, f"no condition: {lines.peek()!r}"
    test["condition"] = condition.group(1)
    lines.take()
    lines.skip_empty()
    while lines.peek() is not None:
        if found := HASH.fullmatch(lines.peek()):
            test["hash"] = found.group(1)
        elif TIME.fullmatch(lines.peek()):
            test["time"] = True
        elif not OTHER.fullmatch(lines.peek()):
            break
        lines.take()
    return test


def read(text):
    lines, tests = Lines(text), {}
    while lines.peek() is not None:
        opening = OPENING.fullmatch(lines.take())
        if opening:
            assert opening.group(2) in KINDS, opening.group(2)
            assert opening.group(1) not in tests, f"{opening.group(1)} twice"
            tests[opening.group(1)] = read_test(lines, opening.group(2))
    return tests


def check(tests):
    for name, test in tests.items():
        assert test["announced"] == len(test["states"]), f"{name}: {test['announced']} states announced"
        assert sum(test["witnesses"]) == sum(test["states"].values()), name
        marked = sum(test["states"][outcome] for outcome in test["marked"])
        # `*` stands at what the condition asks for, of `forall` at what speaks against it
        assert marked == test["witnesses"][test["kind"] != "Allowed"], f"{name}: {marked} marked"
        assert re.fullmatch("[0-9a-f]{16}", test["hash"]) and test["time"], name
        assert re.match(r"(~?exists|forall) \(.*\)$", test["condition"]), test["condition"]


def main():
    text = subprocess.run([sys.argv[1], "text"], check=True, stdout=subprocess.PIPE, text=True).stdout
    tests = read(text)
    check(tests)
    # all that ran: nine but the skipped one and the one that crashed
    assert len(tests) == 7, sorted(tests)
    assert tests["SB"]["states"][(("0:r0", 0), ("1:r0", 0))] == 96
    assert tests["SB.order.sc"]["ok"] == "No" and tests["SB.order.sc"]["witnesses"] == (999998, 2)
    # that reader takes each listed state for seen, so docs/ci.md says how to leave the others out
    seen = read("\n".join(line for line in text.split("\n") if not re.match(r"0 *[:*]>", line)))
    assert len(seen) == 7 and all(count for test in seen.values() for count in test["states"].values())
    assert len(seen["SB"]["states"]) == len(tests["SB"]["states"]) - 1
    # the restated rules refuse something
    for damage in (("*>0:r0=0", "*>0:r0=zero zero"), ("; # !!", "; !!"), ("Histogram (4", "Histogramm (4"),
                   ("Witnesses\nPositive: ", "Witnesses\nPositiv: "), (" is validated", "")):
        assert damage[0] in text
        try:
            check(read(text.replace(*damage, 1)))
        except (AssertionError, AttributeError, KeyError):
            continue
        raise AssertionError(f"{damage} was read")


if __name__ == "__main__":
    main()
