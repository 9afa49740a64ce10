#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs all programs of oclmm idiom in the shapes of the tables in docs/results.md, and prints the tables.

usage: tables.py OCLMM [--device NAME] [--steps N] [--large] [--json FILE]

--large adds sizes for a GPU with some GiB of memory. Every record goes to FILE
as oclmm printed it. The published forms come last, because they may hang; each
is ended after three seconds.
"""
import argparse
import json
import os
import subprocess
import sys

BARRIERS = ("global-barrier-count", "global-barrier-leaders", "global-barrier-flags")
SUMS = ("sum-by-atomics", "product-by-atomics", "sum-by-host", "last-group-done", "staged-reduction", "tree-reduction")
SCANS = ("scan-segments", "scan-look-back", "scan-packed")
GROUP_SIZES = (1024, 256, 64, 32, 1)


class Runner:
    def __init__(self, arguments):
        self.arguments = arguments
        self.file = open(arguments.json, "w", encoding="utf-8") if arguments.json else None

    def run(self, name, *options):
        """The record of one program; {} with the reason in "message" when it was refused."""
        device = ["--device", self.arguments.device] if self.arguments.device else []
        command = [self.arguments.oclmm, "idiom", name, "--json", *device, *options]
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if not result.stdout.strip():
            sys.exit(f"{' '.join(command)}: exit status {result.returncode}\n{result.stderr}")
        record = json.loads(result.stdout)
        if self.file:
            self.file.write(json.dumps(record) + "\n")
            self.file.flush()
        return record


def time(seconds):
    for unit, factor in (("ns", 1e9), ("µs", 1e6), ("ms", 1e3)):
        if seconds * factor < 1000:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s"


def barrier_cell(record):
    if record["end"] != "right":
        return "–" if record["end"] == "refused" else record["end"]
    return f"{time(record['barrier_seconds'])} ({record['groups']})"


def rate_row(record):
    if record["end"] != "right":
        return f"| {record['program']} | {record['size']:,} | {record['end']} | | | |"
    copy = record.get("copy_bytes_per_second")
    share = f"{100 * record['bytes_per_second'] / copy:.3g} %" if copy else "–"
    return (f"| {record['program']} | {record['size']:,} | {record['groups']:,} × {record['group_size']} "
            f"| {time(record['kernel_seconds'])} | {record['bytes_per_second'] / 1e9:.3g} GB/s, {share} "
            f"| {record['sequential_seconds'] / record['kernel_seconds']:.3g} |")


def print_progress(runner):
    record = runner.run("progress")
    print(f"{record['platform']}: {record['device']}, driver {record['driver']}\n")
    print("| group size | groups at once | work-items of a group |\n|---:|---:|---|")
    for row in record["rows"]:
        print(f"| {row['group_size']} | {row['groups']} | "
              f"{'go on while others wait' if row['together'] else 'one after another'} |")
    print()


def print_barriers(runner, form, *options):
    print(f"Time per barrier, {form} (number of groups), --steps {runner.arguments.steps}"
          f" (a tenth where a group is one work-item), {' '.join(options)}\n")
    print("| group size | every work-item counts | one per group counts | flags |\n|---:|---:|---:|---:|")
    for group_size in GROUP_SIZES:
        # where each group is one work-item the only one of the first looks at all flags, one after another
        steps = ("--steps", str(max(int(runner.arguments.steps) // (10 if group_size == 1 else 1), 1)))
        cells = [barrier_cell(runner.run(name, "--group-size", str(group_size), f"--{form}", *options, *steps))
                 for name in BARRIERS]
        print(f"| {group_size} | {' | '.join(cells)} |", flush=True)
    print()


def print_rates(runner, names, sizes, *options):
    print("| program | elements | groups | kernels | rate, share of copying | times sequential |")
    print("|---|---:|---:|---:|---:|---:|")
    for size in sizes:
        for name in names:
            print(rate_row(runner.run(name, "--size", str(size), *options)), flush=True)
    print()


def print_experiment(runner):
    """The first groups wait for the last one: as many as run at the same time, and one fewer."""
    widest = runner.run("progress")["rows"][-1]
    places, group_size = widest["groups"], widest["group_size"]
    print(f"| waiting groups of {group_size} | places | the launch |\n|---:|---:|---|")
    for waiting in sorted({max(1, places * 3 // 4), max(1, places - 1), places}):
        record = runner.run("progress", "--as-published", "--group-size", str(group_size), "--groups",
                            str(waiting), "--timeout", "3")
        print(f"| {waiting} | {places} | {'ended' if record['end'] == 'right' else record['end']} |")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("oclmm")
    parser.add_argument("--device")
    parser.add_argument("--steps", default="10000")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    arguments.oclmm = os.path.abspath(arguments.oclmm)
    runner = Runner(arguments)
    large = [1 << 28] if arguments.large else []
    print_progress(runner)
    print_barriers(runner, "repaired", "--repeat", "5")
    print_rates(runner, SUMS, [25600, 8 << 20, *large], "--repeat", "3")
    print_rates(runner, SCANS, [1 << 20, 8 << 20, *large], "--repeat", "3")
    print_barriers(runner, "as-published", "--timeout", "3")
    print_rates(runner, ("sum-by-atomics", "last-group-done", "scan-segments", "staged-reduction", "tree-reduction"),
                [8 << 20],
                "--as-published", "--timeout", "3")
    print_experiment(runner)


if __name__ == "__main__":
    main()
