#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where the time of a launch goes, test by test: kernels without some of their parts.

    tests/stress/where.py PROGRAM LAYER [--instances N] [--rounds N] [--seconds S] [--environment TEXT] [TEST ...]

First nanoseconds of an instance in each kernel and between kernels, as the device tells them (profiling events;
between kernels only where the next one was queued by then); then what the whole costs when parts are left out, by
the clock of the run, in rounds that take the variants in turn. Times do not add up: what overlaps is hidden, and
what is no longer written is read from a cache. Begins no further run after S seconds.
"""

import argparse
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

VARIANTS = ("", "loads", "stores", "loads,stores", "results", "count_reads", "restores",
            "results,count_reads", "count_reads,restores", "loads,stores,results,count_reads,restores")
TOTALS = struct.Struct("5Q")
PATIENCE = 40


def run(arguments, tests, parts="", folder=None):
    """Of each test nanoseconds of an instance by the clock, and all instances."""
    environment = dict(os.environ, OPENCL_LAYERS=os.path.abspath(arguments.layer), OCLMM_WHERE_OUT=parts)
    if folder:
        environment["OCLMM_WHERE_FOLDER"] = folder
    command = ["timeout", "-k", "4", "-s", "INT", str(PATIENCE), arguments.program, "run", "--format", "json",
               "--seed", "1", "--no-controls", "--compilers", "0", "-n", arguments.instances, *tests]
    command += ["--environment", arguments.environment] if arguments.environment else ["--no-profile"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    seen = {record["test"]: (record["seconds"] / record["instances"] * 1e9, record["instances"])
            for record in records if record["type"] == "test" and record["ended"] == "ok"}
    if len(seen) != len(tests):
        sys.exit(f"{' '.join(command)}: status {done.returncode}, {len(seen)} results\n{done.stderr}")
    return seen


def totals_of(folder):
    sums = [0] * 5
    for path in pathlib.Path(folder).iterdir():
        sums = [a + b for a, b in zip(sums, TOTALS.unpack(path.read_bytes()))]
    return sums


def print_kernels(arguments):
    print("| test | by the clock, ns | test kernel | counting kernel | between kernels |\n|---|---:|---:|---:|---:|")
    for test in arguments.tests:
        with tempfile.TemporaryDirectory() as folder:
            each, instances = run(arguments, [test], folder=folder)[test]
            tests, counts, busy, counting, gaps = totals_of(folder)
        if not tests or not counts:
            sys.exit(f"{test}: no kernel was timed")
        print(f"| {test} | {each:.4f} | {busy / instances:.4f} | {counting / instances:.4f} | "
              f"{gaps / instances:.4f} |", flush=True)


def median(numbers):
    numbers = sorted(numbers)
    return f"{(numbers[len(numbers) // 2] + numbers[~(len(numbers) // 2)]) / 2:.4f}" if numbers else "–"


def measure(arguments):
    """Nanoseconds by test and variant, one for each round; what there is where it is interrupted."""
    start, seen = time.monotonic(), {(test, parts): [] for test in arguments.tests for parts in VARIANTS}
    try:
        for parts in VARIANTS * arguments.rounds:
            if time.monotonic() - start > arguments.seconds:
                break
            for test, (each, _) in run(arguments, arguments.tests, parts).items():
                seen[test, parts].append(each)
    except KeyboardInterrupt:
        pass
    return seen


def print_variants(arguments):
    seen = measure(arguments)
    print("\n| nanoseconds without | " + " | ".join(arguments.tests) + " |\n|---|" + "---:|" * len(arguments.tests))
    for parts in VARIANTS:
        print(f"| {parts or '(nothing is left out)'} | "
              + " | ".join(median(seen[test, parts]) for test in arguments.tests) + " |")
    counts = [len(numbers) for numbers in seen.values()]
    print(f"\nmedians of {min(counts)} to {max(counts)} rounds")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("layer")
    parser.add_argument("tests", nargs="*", default=["MP+rlx+rlx", "SB+rlx+rlx", "R+rlx+rlx", "2+2W+rlx+rlx"])
    parser.add_argument("--instances", default="20M")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--environment")
    arguments = parser.parse_intermixed_args()
    print_kernels(arguments)
    print_variants(arguments)


if __name__ == "__main__":
    main()
