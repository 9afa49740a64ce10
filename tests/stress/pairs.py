#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the speed of two builds of oclmm on one device, in alternating pairs.

    tests/stress/pairs.py BEFORE AFTER [--pairs N] [--instances N] [--environment TEXT] [TEST ...]

For each test the median of the ratios after/before, and the interval that holds the true
median with at least 95 % (from the order of the ratios alone, as in the sign test): of the
instances per second, of those per second of processor time, which other work on the machine
disturbs less, and of weak outcomes per second of processor time where both builds show some. Who waits at a rendezvous takes processor time, too: an environment with polls=0
leaves that out.
"""

import argparse
import json
import math
import resource
import subprocess


KINDS = ("the clock", "processor time", "weak outcomes and processor time")


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rates(program, test, arguments, seed):
    """Instances per second, by the clock of the run and by processor time; weak outcomes by the
    latter."""
    command = [program, "run", "--format", "json", "--seed", str(seed), "--compilers", "0",
               "-n", str(arguments.instances), test]
    command += ["--environment", arguments.environment] if arguments.environment else ["--no-profile"]
    before = processor_seconds()
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    used = processor_seconds() - before
    for line in output.splitlines():
        record = json.loads(line)
        if record["type"] == "test" and record["test"] == test:
            return (record["instances"] / record["seconds"], record["instances"] / used,
                    record["weak"] / used)
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


def report(test, what, pairs, outside):
    ratios = sorted(after / before for before, after in pairs)
    middle = (ratios[len(ratios) // 2] + ratios[~(len(ratios) // 2)]) / 2
    print(f"{test}, by {what}: ratio {middle:.3f}, interval {ratios[outside]:.3f} to "
          f"{ratios[-1 - outside]:.3f}, best {max(a for a, _ in pairs) / 1e6:.0f} M/s before, "
          f"{max(b for _, b in pairs) / 1e6:.0f} M/s after", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("tests", nargs="*", default=["SB+rlx+rlx", "MP+rlx+rlx"])
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--instances", type=int, default=100_000_000)
    parser.add_argument("--environment")
    arguments = parser.parse_intermixed_args()
    outside = rank(arguments.pairs)
    for test in arguments.tests:
        pairs = []
        for number in range(arguments.pairs):
            programs = [arguments.before, arguments.after]
            if number % 2:
                programs.reverse()
            seen = {p: rates(p, test, arguments, number) for p in programs}
            pairs.append((seen[arguments.before], seen[arguments.after]))
        for kind, what in enumerate(KINDS):
            if all(a[kind] and b[kind] for a, b in pairs):
                report(test, what, [(a[kind], b[kind]) for a, b in pairs], outside)


if __name__ == "__main__":
    main()
