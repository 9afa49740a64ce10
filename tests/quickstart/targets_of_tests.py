#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What ninja has to build for the tests of a build folder, but for those of some suites.

usage: targets_of_tests.py FOLDER [SUITE...]

One target a line, as ninja calls it: what the tests outside of these suites run, by what meson knows of them,
and all that is installed, for a test installs it.
"""
import json
import os
import pathlib
import sys


def targets(tests, all_targets, folder, left_out):
    """The names of files, sorted, each once."""
    needed = set()
    for test in tests:
        # "project:suite"
        if left_out.isdisjoint(suite.rpartition(":")[2] for suite in test["suite"]):
            needed.update(test["depends"])
    files = {file for target in all_targets if target["installed"] or target["id"] in needed
             for file in target["filename"]}
    return sorted(os.path.relpath(file, folder) for file in files)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    tests, all_targets = (json.loads((folder / "meson-info" / f"intro-{what}.json").read_text(encoding="utf-8"))
                          for what in ("tests", "targets"))
    found = targets(tests, all_targets, folder, set(sys.argv[2:]))
    # without a name ninja would build everything, and nobody would notice
    if not found:
        sys.exit(f"{folder}: no test needs anything")
    print("\n".join(found))


if __name__ == "__main__":
    main()
