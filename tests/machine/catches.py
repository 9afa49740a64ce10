#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a table says of parts of a model is held against its rows: catches.py MACHINE_TABLE TABLE_OF_X86_64"""

import pathlib
import re
import subprocess
import sys
import tempfile

NO_DIFFERENCE = "# makes no difference: com: co:"
# what is changed, and what has to be said then
CHANGES = [
    (lambda t: t, None),
    (lambda t: re.sub(NO_DIFFERENCE + ".*\n", "", t), "without `com: co` no row fails"),
    (lambda t: t.replace(NO_DIFFERENCE, "# makes no difference: com: co"), "without `com: co` no row fails"),
    (lambda t: t + "\n# makes no difference: fenced: [M]; po; [LOCK]: why\n", "without `fenced: [M]; po; [LOCK]` a row fails"),
    (lambda t: t + "\n# makes no difference: atomicity: why\n", "without `atomicity` a row fails"),
    (lambda t: t + "\n# makes no difference: com: rx: why\n", "of its lines are about what the model has"),
    (lambda t: t.replace("forbid SB+failing-cmpxchgs", "allow SB+failing-cmpxchgs"), "a row fails, though"),
]


def main():
    tool, table = sys.argv[1], pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "table.txt")
        for change, said in CHANGES:
            path.write_text(change(table), encoding="utf-8")
            ran = subprocess.run([tool, path, "x86-64", "dropped"], capture_output=True, text=True, check=False)
            if (ran.returncode != 0) != (said is not None) or (said or "") not in ran.stderr:
                sys.exit(f"wanted {said!r}, status {ran.returncode}:\n{ran.stderr}")


main()
