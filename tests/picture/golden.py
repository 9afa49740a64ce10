#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A picture of each shape against the one that was looked at and stored in stored/.

usage: golden.py PROGRAM [--promote]
"""
import difflib
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
STORED = HERE / "stored"
TESTS = [
    "SB+sc+sc",  # a cycle across the gap, initial writes at the sides
    "IRIW+sc+sc+acq-sc+acq-sc",  # past columns, through the passages
    "CoRR+svm",  # a host thread
    "map+host",  # what the host does between commands
    "plain-increments",  # a race
    "lock-ticket",  # updates, lanes beside lanes
    "MP+barrier+both-regions",  # a barrier
    "sum-by-atomics",  # arrows so close that the row must grow
]


def drawn(name):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OCLMM_")}
    result = subprocess.run([os.path.abspath(sys.argv[1]), "explain", name, "--no-changes", "--svg", "-"],
                            cwd=HERE.parents[1], env=environment, capture_output=True, text=True, timeout=60,
                            check=False)
    if result.returncode or result.stderr:
        sys.exit(f"{name}: status {result.returncode}\n{result.stderr}")
    return result.stdout


def well_formed(path):
    if not shutil.which("xmllint"):
        return True
    return subprocess.run(["xmllint", "--noout", "--nonet", path], timeout=60, check=False).returncode == 0


def main():
    failed = 0
    for name in TESTS:
        path, picture = STORED / f"{name}.svg", drawn(name)
        if "--promote" in sys.argv[2:]:
            path.write_text(picture, encoding="utf-8")
        stored = path.read_text(encoding="utf-8")
        if stored != picture:
            sys.stdout.writelines(difflib.unified_diff(stored.splitlines(True), picture.splitlines(True), str(path),
                                                       "now"))
            failed += 1
        if not well_formed(path):
            failed += 1
    extra = {path.stem for path in STORED.glob("*")} - set(TESTS)
    if extra:
        print(f"stored, but drawn by nobody: {sorted(extra)}")
    return 1 if failed or extra else 0


if __name__ == "__main__":
    sys.exit(main())
