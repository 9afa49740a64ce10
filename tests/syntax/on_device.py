# SPDX-License-Identifier: Apache-2.0
"""The drawn programs of conversions.py and loops.py on a device, whose compiler reads them as OpenCL C: each has one thread,
so that it ends in one way, and that has to be the one that the oracle gives.

--wrong gives the device programs whose integers have no sign, and fails unless that is noticed.

usage: on_device.py PROGRAM [--count N] [--seed N] [--wrong]
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import conversions
import loops

DRAWS = (("types", conversions.Draw), ("loop", loops.Draw))


def states(program, path):
    """What the oracle answers: None of what is beyond its limits, or divides by a constant 0."""
    done = subprocess.run([program, "check", path], capture_output=True, text=True, check=False)
    found = re.search(r"(?m)^States 1\n(.*)$", done.stdout)
    return dict(re.findall(r"(0:\w+)=(-?\d+);", found[1])) if found else None


def draw_files(program, folder, count, seed, wrong):
    """{name: the one outcome}; undefined programs have none and are left out."""
    expected = {}
    for kind, draw in DRAWS:
        for k in range(count):
            name, path = f"{kind}{k}", folder / f"{kind}{k}.litmus"
            text = draw(f"{seed} {k}").litmus(name)
            path.write_text(text)
            wanted = states(program, path)
            if wrong:
                path.write_text(re.sub(r"\b(char|short|int|long)( r\d| h\d|\))", r"u\1\2", text))
            if wanted and (not wrong or states(program, path)):
                expected[name] = wanted
            else:
                path.unlink()
    return expected


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wrong", action="store_true")
    options = parser.parse_args()
    program = pathlib.Path(options.program).resolve()
    if subprocess.run([program, "devices"], capture_output=True, check=False).returncode != 0:
        print("no device")
        return 77
    failures, skipped = 0, 0
    with tempfile.TemporaryDirectory(prefix="oclmm-on-device-") as name:
        folder = pathlib.Path(name)
        expected = draw_files(program, folder, options.count, options.seed, options.wrong)
        done = subprocess.run([program, "run", "--no-controls", "--claims", "accepted", "--instances", "500", "--seed", "1",
                               "--format", "json", folder], capture_output=True, text=True, check=False)
        records = [json.loads(line) for line in done.stdout.splitlines() if '"type":"test"' in line]
        for record in records:
            seen = [{name: str(value) for name, value in row["values"].items()}
                    for row in record["outcomes"] if row["count"]]
            # what divides by a value that may be 0 is not run
            skipped += record["verdict"] == "skip"
            if record["verdict"] != "skip" and seen != [expected[record["test"]]]:
                failures += 1
                print(f"{record['verdict']}: {seen}, expected {expected[record['test']]}\n"
                      f"{(folder / record['file']).read_text()}")
    print(f"{len(expected)} programs, {skipped} skipped, {failures} failures")
    if options.wrong:
        return 0 if failures else 1
    if len(records) != len(expected) or len(expected) < options.count or 3 * skipped > len(expected):
        print(done.stderr)
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
