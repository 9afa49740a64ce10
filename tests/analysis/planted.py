#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the analyses against slips that were made on purpose.

    planted.py TOOL BUILD

Of planted/TOOL.c each line with a comment `caught: NAME`, or the one below `caught below: NAME`, has to
be complained of by that name; and what nothing is wrong with has to pass.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GOOD = """// SPDX-License-Identifier: Apache-2.0
int planted_good(int value);
int planted_good(int value)
{
	return value + 1;
}
"""


def analyse(tool, build, path):
    return subprocess.run([sys.executable, HERE / "analyse.py", tool, build, "--most", "1", path], capture_output=True, text=True, check=False)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tool, build = sys.argv[1:]
    planted = HERE / "planted" / f"{tool}.c"
    said = analyse(tool, build, planted)
    if said.returncode == 77:
        print(said.stdout)
        return 77
    bad, marks = [], 0
    for number, line in enumerate(planted.read_text().splitlines(), 1):
        mark = re.search(r"caught( below)?: (\S+)", line)
        if not mark:
            continue
        marks += 1
        number += bool(mark[1])
        if not re.search(rf"/{tool}\.c:{number}:\d+: .*\[.*{re.escape(mark[2])}", said.stdout):
            bad.append(f"line {number}: nothing was said of {mark[2]}")
    if said.returncode != 1 or not marks:
        bad.append(f"the planted file passed: status {said.returncode}, {marks} marks")
    with tempfile.TemporaryDirectory() as folder:
        good = pathlib.Path(folder) / "good.c"
        good.write_text(GOOD)
        passed = analyse(tool, build, good)
        if passed.returncode:
            bad.append("what is good does not pass:\n" + passed.stdout)
    print("\n".join(bad or [f"{marks} caught"]) + ("\n" + said.stdout if bad else ""))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
