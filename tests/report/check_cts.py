#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the sample's results as a tool for those of OpenCL-CTS does: check_cts.py PRINT_SAMPLE

A file of CTS has the command, its arguments, and a word for each test. The script that
CTS compares results with (ci/compare_results.py) finds the expected words by command and arguments.
"""
import json
import os
import subprocess
import sys

WORDS = {"pass", "fail", "skip"}


def run(program, *arguments):
    text = subprocess.run([program, "cts", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout
    data = json.loads(text)
    assert list(data) == ["cmd", "args", "results"], list(data)
    assert os.path.basename(data["cmd"]) == "oclmm" and isinstance(data["args"], str)
    assert set(data["results"].values()) <= WORDS, data["results"]
    # a test for each line, as CTS writes it, so that results can be compared by lines
    assert sum(line.startswith('\t\t"') for line in text.splitlines()) == len(data["results"])
    return data["results"]


def main():
    results = run(sys.argv[1])
    assert len(results) == 9, results
    assert {name for name, word in results.items() if word == "fail"} == {"SB.order=sc", "SB+crash"}, results
    assert results["SB+sg"] == results["SB+known"] == results["SB+accepted"] == "skip", results
    strict = run(sys.argv[1], "strict")
    assert {name for name, word in strict.items() if word == "fail"} == {"SB.order=sc", "SB+crash", "SB+alone"}, strict


main()
