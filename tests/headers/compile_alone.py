#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles each header in a translation unit of its own, included twice, and those of include/ all in one."""
import argparse
import pathlib
import subprocess
import sys

STANDARD = {"c": "-std=c17", "c++": "-std=c++17"}
FLAGS = ["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-D_GNU_SOURCE"]


def headers(root, runner):
    """(header, name by which it is included); headers of runner/ are C only."""
    for header in sorted((root / "include" / "oclmm").glob("*.h")):
        yield header, f"oclmm/{header.name}"
    if runner:
        for header in sorted((root / "runner").glob("**/*.h")):
            yield header, header.relative_to(root).as_posix()


def compile_unit(command, language, root, names):
    unit = "".join(f'#include "{name}"\n' for name in names) + "int oclmm_unit_is_not_empty;\n"
    folders = [root, root / "include", root / "runner"]  # as in the build
    search = [f"-I{folder}" for folder in folders]
    arguments = [*command, STANDARD[language], *FLAGS, *search, "-x", language, "-"]
    done = subprocess.run(arguments, input=unit, text=True, capture_output=True, check=False)
    return done.returncode, done.stderr


def check(root, command, language, runner):
    """The names of headers that do not compile, and how many there are."""
    failed, count = [], 0
    for _, name in headers(root, runner and language == "c"):
        count += 1
        status, output = compile_unit(command, language, root, [name, name])
        if status:
            failed.append(name)
            print(output, file=sys.stderr)
    return failed, count


def check_together(root, command, language):
    """Whether the headers of include/ have no name twice: who uses the library may want all of them."""
    status, output = compile_unit(command, language, root, [name for _, name in headers(root, False)])
    print(output, file=sys.stderr, end="")
    return status == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--language", choices=STANDARD, required=True)
    parser.add_argument("--runner", action="store_true", help="the headers of runner/ too")
    parser.add_argument("compiler", nargs="+")
    options = parser.parse_args()
    failed, count = check(options.root, options.compiler, options.language, options.runner)
    print(f"{count} headers, {len(failed)} do not compile alone: {', '.join(failed)}")
    together = bool(failed) or check_together(options.root, options.compiler, options.language)
    return 1 if failed or not count or not together else 0


if __name__ == "__main__":
    sys.exit(main())
