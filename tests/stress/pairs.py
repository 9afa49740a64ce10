#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the instances per second of two builds of oclmm on one device, in alternating pairs.

    tests/stress/pairs.py BEFORE AFTER [--pairs N] [--instances N] [TEST ...]

For each test the median of the ratios after/before, and the interval that holds the true
median with at least 95 % (from the order of the ratios alone, as in the sign test).
"""

import argparse
import json
import math
import subprocess


def rate(program, test, instances, seed):
    command = [program, "run", "--format", "json", "--seed", str(seed), "--no-profile",
               "--compilers", "0", "-n", str(instances), test]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    for line in output.splitlines():
        record = json.loads(line)
        if record["type"] == "test" and record["test"] == test:
            return record["instances"] / record["seconds"]
    raise SystemExit(f"{' '.join(command)}: no result")


def rank(count):
    """How many ratios may lie outside on each side: P(outside) <= 5 %."""
    below, outside = 0.0, -1
    for k in range(count // 2):
        below += math.comb(count, k) / 2**count
        if 2 * below > 0.05:
            break
        outside = k
    if outside < 0:
        raise SystemExit("too few pairs for an interval: at least 6")
    return outside


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("tests", nargs="*", default=["SB+rlx+rlx", "MP+rlx+rlx"])
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--instances", type=int, default=100_000_000)
    arguments = parser.parse_args()
    outside = rank(arguments.pairs)
    for test in arguments.tests:
        pairs = []
        for number in range(arguments.pairs):
            programs = [arguments.before, arguments.after]
            if number % 2:
                programs.reverse()
            rates = {p: rate(p, test, arguments.instances, number) for p in programs}
            pairs.append((rates[arguments.before], rates[arguments.after]))
        ratios = sorted(after / before for before, after in pairs)
        middle = (ratios[len(ratios) // 2] + ratios[~(len(ratios) // 2)]) / 2
        print(f"{test}: ratio {middle:.3f}, interval {ratios[outside]:.3f} to "
              f"{ratios[-1 - outside]:.3f}, best {max(a for a, _ in pairs) / 1e6:.0f} M/s before, "
              f"{max(b for _, b in pairs) / 1e6:.0f} M/s after")


if __name__ == "__main__":
    main()
