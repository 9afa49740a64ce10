#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints results of many records: those of a file over and over, each time with other seeds, so that they are others.

usage: many.py RESULTS RECORDS
"""

import json
import sys


def print_line(value):
    print(json.dumps(value, separators=(",", ":")))


def main():
    count = int(sys.argv[2])
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    tests = [line for line in lines if line["type"] == "test"]
    judged = {line["test"]: line for line in lines if line["type"] == "confidence"}
    verdicts = dict.fromkeys(lines[-1]["verdicts"], 0)
    print_line({**lines[0], "tests": count, "shard": 0, "shards": 0})
    for number in range(count):
        test = {**tests[number % len(tests)], "seed": str(number)}
        print_line(test)
        verdicts[test["verdict"]] += 1
    for number in range(count):
        name = tests[number % len(tests)]["test"]
        if name in judged:
            print_line(judged[name])
    print_line({**lines[-1], "tests": count, "records": count, "left_out": 0, "verdicts": verdicts})


if __name__ == "__main__":
    main()
