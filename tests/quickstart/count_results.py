#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds up test results that meson wrote, and prints one line after what failed.

A cmocka program counts with its cases, any other test as one. A test that
crashed, timed out or was interrupted is a failure, and so is an empty or
missing log: no test at all must never look like success. The name and the last
lines of each test that failed stand just before the count, for a service that
keeps the end of a long log keeps them too.

usage: count_results.py TESTLOG.json...
"""
import json
import pathlib
import re
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}
# as many lines of a failed test's output as say what was wrong with it
TAIL = 30
CASES_PASSED = re.compile(r"^\[  PASSED  \] (\d+) test\(s\)\.", re.MULTILINE)
CASES_FAILED = re.compile(r"^\[  FAILED  \] (\d+) test\(s\)", re.MULTILINE)


def output_of(entry):
    return (entry.get("stdout") or "") + "\n" + (entry.get("stderr") or "")


def cases(entry):
    """(passed, failed, skipped) of one line of the log."""
    output = output_of(entry)
    passed = sum(map(int, CASES_PASSED.findall(output)))
    failed = sum(map(int, CASES_FAILED.findall(output)))
    if entry.get("result") in SKIPPED:
        return 0, 0, 1
    if entry.get("result") in PASSED and not failed:
        return max(passed, 1), 0, 0
    return passed, max(failed, 1), 0


def tell(entry):
    """What a reader of the last lines needs of a test that failed."""
    print(f"failed: {entry.get('name', 'a test without a name')} ({entry.get('result')})")
    for line in output_of(entry).strip().splitlines()[-TAIL:]:
        print(f"    {line}")


def count(path):
    """The sums of one log, whose failures are told."""
    try:
        lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
        entries = [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        print(f"cannot read the results: {path}: {error}", file=sys.stderr)
        return 0, 1, 0
    counts = [cases(entry) for entry in entries]
    for entry, (_, failed, _) in zip(entries, counts):
        if failed:
            tell(entry)
    sums = tuple(map(sum, zip(*counts))) or (0, 0, 0)
    if not sums[0] and not sums[1]:
        print(f"no test was run: {path}", file=sys.stderr)
        return 0, 1, sums[2]
    return sums


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    passed, failed, skipped = map(sum, zip(*map(count, sys.argv[1:])))
    if skipped:
        print(f"{skipped} skipped")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
