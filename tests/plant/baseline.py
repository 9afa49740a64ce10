# SPDX-License-Identifier: Apache-2.0
"""usage: baseline.py OCLMM FILE: the plants of FILE are killed on PoCL by tests of the quick profile and MORE."""

import json
import os
import pathlib
import subprocess
import sys

program, path = map(os.path.abspath, sys.argv[1:])
ROOT = pathlib.Path(__file__).resolve().parents[2]
# The tests of the quick profile that kill them: to compile all of it takes a minute, and each plant two seconds.
QUICK = ["2+2W+sc+sc", "CoRR", "LB+acq-rel+acq-rel", "MP+rel+acq", "R+sc+sc", "SB+fence-sc+fence-sc", "SB+sc+sc", "add+add",
         "cas+cas", "seqlock", "xchg+xchg"]
# What the quick profile lacks: an exchange whose result is unused, 64 bits, values that tell, short forms, own stores,
# updates by two functions and beside stores, stores of other values than 1, bytes, images.
MORE = ["R+rel+acq.write=xchg", "W64+R64", "fetch_max+values", "compare_exchange_strong+values", "SB+sc+sc.width=64",
        "SB+sc+sc.form=short", "MP+rel+acq+own.order=sc", "add+update", "W+update", "SB+sc+sc+values", "W8+W8",
        "MP+barrier+image"]


def find_pocl():
    """The index of the first device of PoCL, or None."""
    out = subprocess.run([program, "devices", "--json"], capture_output=True, text=True, check=False).stdout
    for index, line in enumerate(out.splitlines()):
        if json.loads(line).get("platform") == "Portable Computing Language":
            return index
    return None


def lines(name):
    """The lines of a file that are neither empty nor a comment."""
    with open(name, encoding="utf-8") as file:
        return [line.split("#")[0].strip() for line in file if line.split("#")[0].strip()]


absent = set(QUICK) - set(lines(ROOT / "litmus" / "profiles" / "quick"))
if absent:
    sys.exit(f"not of the quick profile: {', '.join(sorted(absent))}")
device = find_pocl()
if device is None:
    sys.exit(77)
words = [word for plant in lines(path) for word in ("--plant", plant)]
sys.exit(subprocess.run([program, "planted", "--device", str(device), "--instances", "300000", "--seconds", "60",
                         "--baseline", path, *words, *QUICK, *MORE],
                        check=False, cwd=ROOT, env={**os.environ, "LC_ALL": "C"}).returncode)
