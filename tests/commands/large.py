# SPDX-License-Identifier: Apache-2.0
"""What large results files cost the commands that read them, and a parser that keeps nothing: processor time and memory.

usage: large.py PROGRAM [RECORDS [OUTCOMES]]     60,000 records of one test; one record of 2,000,000 outcomes
"""

import json
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile

from common import PROGRAM
from saved_results import end_line, run_line, test_line

TEST = "SB+sc+sc"
PLAIN = "import json, sys\nfor line in open(sys.argv[1], encoding='utf-8'):\n    json.loads(line)"
KEYS = ("0:r0", "1:r0")


def hash_of_test():
    shown = subprocess.run([PROGRAM, "check", "--json", TEST], capture_output=True, text=True, check=True)
    return json.loads(shown.stdout)["hash"]


def outcome(values, count=1, status="allowed"):
    return {"values": dict(zip(KEYS, values)), "count": count, "status": status, "witness": False}


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
    return path


def many_records(path, number, count):
    """One test, in runs of as many seeds."""
    outcomes = [outcome((0, 1), 30), outcome((1, 0), 30), outcome((1, 1), 4)]
    shown = [{"values": dict(zip(KEYS, (0, 0))), "count": 64}]
    controls = [{"name": f"{TEST}{name}", "kind": kind, "hash": "1" * 16, "instances": 64}
                for name, kind in ((".order=rlx", "weaker"), ("~x", "moved"))]
    evidence = {"controls": controls, "blocks": [[1, 1, 0, 1, k % 2, 1, 1] for k in range(32)], "shown": shown,
                "rounds": 0, "met": 0}
    tests = (test_line(TEST, hash=number, instances=64, launches=32, seed=str(seed), outcomes=outcomes,
                       control=f"{TEST}.order=rlx", evidence=evidence) for seed in range(count))
    return write(path, [run_line(tests=count), *tests, end_line(count)])


def many_outcomes(path, number, count):
    outcomes = [outcome((k, -k), status="forbidden") for k in range(count)]
    test = test_line(TEST, hash=number, instances=count, forbidden=count, outcomes=outcomes, verdict="forbidden")
    return write(path, [run_line(tests=1), test, end_line(1)])


def made(make, path, number, count):
    """By a process of its own: what a child has used at most includes what its parent had when it began."""
    maker = multiprocessing.Process(target=make, args=(path, number, count))
    maker.start()
    maker.join()
    if maker.exitcode:
        sys.exit(f"{path} was not written")
    return str(path)


def run(arguments):
    """Seconds of processor time, and the most memory in MB."""
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1, 3, 4):
        sys.exit(f"{' '.join(arguments)}: status {process.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 60000
    outcomes = int(sys.argv[2]) if len(sys.argv) > 2 else 2000000
    number = hash_of_test()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for what, make, count in (("records", many_records, records), ("outcomes", many_outcomes, outcomes)):
            path = made(make, folder / f"{what}.jsonl", number, count)
            print(f"{count} {what}, {os.path.getsize(path) / 1e6:.0f} MB")
            seconds, memory = run([sys.executable, "-c", PLAIN, path])
            print(f"  {'parser':8} {seconds:6.1f} s {memory:6.0f} MB", flush=True)
            for command in (["grade"], ["merge"], ["report"], ["compare", path]):
                seconds, memory = run([PROGRAM, *command, path])
                print(f"  {command[0]:8} {seconds:6.1f} s {memory:6.0f} MB", flush=True)


if __name__ == "__main__":
    main()
