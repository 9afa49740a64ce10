# SPDX-License-Identifier: Apache-2.0
"""What `oclmm idiom --as-published` runs, beside what the texts' own programs do.

usage: texts.py OCLMM TEXTS
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

from compiler_cache import compiler_cache  # noqa: E402
from drawn import drawn  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM, TEXTS = sys.argv[1:3]
FORMS = {"1": "global-barrier-count", "2": "global-barrier-leaders", "3": "global-barrier-flags"}
# Seconds after which a program that waits for ever is ended. A program that would end after all
# and is too slow for it fails the test only where it was expected to end, and those are short.
LIMIT = 2
PATIENCE = 120


def text_says(arguments, limit):
    """right, wrong, did not end, or failed."""
    try:
        done = subprocess.run([TEXTS, *arguments], capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return "did not end"
    return done.stdout.strip() if done.returncode == 0 else "failed"


def oclmm_says(arguments, limit, folder, suite=ROOT):
    environment = {**os.environ, "OCLMM_SUITE": str(suite), "XDG_CACHE_HOME": folder, **compiler_cache()}
    done = subprocess.run(
        [PROGRAM, "idiom", *arguments, "--as-published", "--runs", "1", "--timeout", str(limit), "--json"],
        capture_output=True, text=True, env=environment, check=False,
    )
    if not done.stdout:
        sys.exit(f"oclmm idiom {' '.join(arguments)}: exit status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)["end"]


def barrier(form, n, group, steps):
    return (["barrier", form, str(n), str(group), str(steps)],
            [FORMS[form], "--size", str(n), "--group-size", str(group), "--steps", str(steps)])


def other(kind, program, n, group):
    return [kind, str(n), str(group)], [program, "--size", str(n), "--group-size", str(group)]


# (the two command lines, what both must say). `not right`: it depends on the luck of the moment
# how it fails, but not that it does.
CASES = [
    (barrier("1", 1, 1, 20), "right"),
    (barrier("1", 2048, 1024, 5), "did not end"),   # a work-item waits for others of its group
    (barrier("2", 64, 64, 20), "right"),
    (barrier("2", 1 << 17, 16, 5), "did not end"),  # more groups than any CPU has cores
    (barrier("3", 64, 64, 20), "right"),
    (barrier("3", 1 << 18, 512, 5), "did not end"),
    (barrier("3", 2048, 1024, 50), "not right"),    # the flag goes up before the group has read
    (other("staged", "staged-reduction", 8 << 20, 4096), "wrong"),  # too few groups for a stage
    (other("staged", "staged-reduction", 8 << 20, 16), "not right"),
    (other("tree", "tree-reduction", 25600, 64), "right"),
    # three halves of the compute units: one group that waits, and more than any CPU has cores
    ((["progress", "1", "1"], ["progress", "--groups", "1", "--group-size", "1"]), "right"),
    ((["progress", "6666", "1"], ["progress", "--groups", "9999", "--group-size", "1"]), "did not end"),
    (other("scan", "scan-segments", 1024, 256), "right"),
    (other("scan", "scan-segments", 65536, 256), "right"),
    (other("scan", "scan-segments", 65536 + 256, 256), "wrong"),  # more totals than a segment
    (other("scan", "scan-segments", 100, 256), "wrong"),          # no power of two
]


# Kernels that somebody has repaired in passing, or has broken: the comparison has to see it.
# (file, text, its replacement, the case, what the changed kernel comes to)
PLANTED = [
    ("global-barrier-flags-published.cl", "\tif (!lid)\n", "\tbarrier(CLK_GLOBAL_MEM_FENCE);\n\tif (!lid)\n",
     (barrier("3", 2048, 1024, 50), "not right"), "right"),
    ("tree-reduction-published.cl", "resArray[tid] += resArray[tid + s]", "resArray[tid] = resArray[tid + s]",
     (other("tree", "tree-reduction", 25600, 64), "right"), "wrong"),
]


def limit_for(expected):
    return PATIENCE if expected in ("right", "wrong") else LIMIT


def agree(said, expected):
    return "right" not in said if expected == "not right" else said == (expected, expected)


def compare(folder):
    failed = 0
    for (text, ours), expected in drawn(CASES, 7):
        limit = limit_for(expected)
        said = text_says(text, limit), oclmm_says(ours, limit, folder)
        good = agree(said, expected)
        failed += not good
        print(f"{'ok ' if good else 'BAD'} {' '.join(ours)}: {said[1]}, the text's own program: {said[0]}")
    return failed


def catch_planted(folder):
    missed = 0
    for file, old, new, ((text, ours), expected), changed in PLANTED:
        suite = pathlib.Path(folder) / file
        shutil.copytree(ROOT / "litmus/idiom", suite / "litmus/idiom")
        kernel = suite / "litmus/idiom" / file
        if kernel.read_text().count(old) != 1:
            sys.exit(f"{file}: {old!r} does not stand there once")
        kernel.write_text(kernel.read_text().replace(old, new))
        said = text_says(text, limit_for(expected)), oclmm_says(ours, PATIENCE, folder, suite)
        good = said[1] == changed and not agree(said, expected)
        missed += not good
        print(f"{'ok ' if good else 'BAD'} {file} changed: {said[1]}, the text's own program: {said[0]}")
    return missed


def main():
    with tempfile.TemporaryDirectory() as folder:
        return compare(folder) + catch_planted(folder) > 0


if __name__ == "__main__":
    sys.exit(main())
