#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the sample's TAP as a consumer does: check_tap.py PRINT_SAMPLE"""
import re
import subprocess
import sys

TEST = re.compile(r"(not )?ok (\d+) - ((?:[^#\\]|\\.)*?)(?: # (SKIP|TODO) (.*))?$")


def parse(text):
    """Version, plan and tests; a line that is none of TAP 13's is an error."""
    lines = text.splitlines()
    assert lines[0] == "TAP version 13", lines[0]
    plan, tests, block = None, [], None
    for line in lines[1:]:
        if block is not None:
            assert line.startswith("  "), f"a block without end: {line!r}"
            if line == "  ...":
                tests[-1]["block"], block = block, None
            else:
                key, value = re.fullmatch(r'  (\w+): "((?:[^"\\]|\\.)*)"', line).groups()
                block[key] = re.sub(r"\\(.)", r"\1", value)
        elif line == "  ---":
            block = {}
        elif re.fullmatch(r"1\.\.\d+", line):
            assert plan is None
            plan = int(line[3:])
        elif not line.startswith("#"):
            match = TEST.fullmatch(line)
            assert match, f"not TAP: {line!r}"
            failed, number, name, directive, reason = match.groups()
            assert int(number) == len(tests) + 1
            tests.append({"ok": not failed, "name": name, "directive": directive, "reason": reason})
    assert block is None and plan == len(tests)
    return tests


def run(program, *arguments):
    text = subprocess.run([program, "tap", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {test["name"]: test for test in parse(text)}


def failures(tests):
    return {name for name, test in tests.items() if not test["ok"] and not test["directive"]}


def main():
    tests = run(sys.argv[1])
    assert len(tests) == 9, tests
    assert failures(tests) == {"SB.order=sc", "SB+crash"}, failures(tests)
    assert tests["SB+sg"]["directive"] == "SKIP" and "sub-groups" in tests["SB+sg"]["reason"]
    assert tests["SB+known"]["directive"] == "TODO" and "bug 17" in tests["SB+known"]["reason"]
    assert tests["SB+accepted"]["directive"] == "TODO"
    assert "0:r0=0; 1:r0=0;" in tests["SB.order=sc"]["block"]["message"]
    assert tests["SB.order=sc"]["block"]["export"] == "oclmm export SB.order=sc"
    assert tests["SB.order=sc"]["block"]["replay"].endswith("--seed 42 --halved-at 0,2 --instances 1000000 SB.order=sc")
    assert tests["SB+crash"]["block"]["message"] == 'crash: clFinish: <CL_OUT_OF_RESOURCES> # "lost"'
    assert tests["SB+crash"]["block"]["cause"] == "device-error"
    assert "cause" not in tests["SB.order=sc"]["block"]
    assert failures(run(sys.argv[1], "strict")) == {"SB.order=sc", "SB+crash", "SB+alone"}


main()
