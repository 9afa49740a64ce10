# SPDX-License-Identifier: Apache-2.0
"""usage: drawn_list.py OCLMM [--promote]: the rules that --drawn draws, against golden/drawn.list."""

import difflib
import pathlib
import subprocess
import sys

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden" / "drawn.list"


def main():
    text = "".join(
        subprocess.run([sys.argv[1], "planted", "--list", "--drawn", count, "--seed", seed], capture_output=True, text=True,
                       check=True).stdout
        for seed, count in (("1", "120"), ("18446744073709551615", "3")))
    if "--promote" in sys.argv:
        GOLDEN.write_text(text, encoding="utf-8")
        return 0
    lines = list(difflib.unified_diff(GOLDEN.read_text(encoding="utf-8").splitlines(), text.splitlines(), "expected", "got",
                                      lineterm=""))
    print("\n".join(lines))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
