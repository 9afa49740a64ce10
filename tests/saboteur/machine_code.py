#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether plants change the machine code that PoCL makes of the tests they concern.

usage: machine_code.py OCLMM REWRITE LAYER [--profile NAME | --tests NAME...] PLANT...

Each plant's tests are those whose own text it changes. They are run with a few instances, once
as they are and once planted, each time with an empty kernel cache; then the disassembled kernels
are compared as sets, addresses left out. Exit status 0: all equal; 1: some differ.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile



def run(words, **more):
    result = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                            env={**os.environ, **more})
    if result.returncode not in (0, 1, 3):
        sys.exit(f"{' '.join(words[:4])} …: status {result.returncode}\n{result.stderr}")
    return result.stdout


def changes(rewrite, plant, text):
    result = subprocess.run([rewrite, plant], input=text, capture_output=True, text=True, check=True)
    return not result.stderr.startswith("0 ")


def disassemble(path):
    """The instructions of one kernel, without where they stand."""
    lines = []
    for line in run(["objdump", "-d", "--no-show-raw-insn", path]).splitlines():
        parts = line.split("\t", 1)
        if len(parts) == 2:
            code = re.sub(r"\s*#.*|<[^>]*>", "", parts[1]).strip()
            # jumps and calls: the distance says enough, and that is in the sequence itself
            lines.append(re.sub(r"^(j\w+|call\w*)\s+.*", r"\1", re.sub(r"0x[0-9a-f]+\(%rip\)", "(%rip)", code)))
    # what pads functions and sections is not code
    return "\n".join(line for line in lines if not re.match(r"(data16 |cs )*nop|xchg +%ax,%ax", line))


def kernels(program, layer, plant, tests):
    with tempfile.TemporaryDirectory(prefix="oclmm-code-") as cache:
        run([program, "run", "--format", "json", "-n", "1", "--seed", "1", *tests],
            POCL_CACHE_DIR=cache, OPENCL_LAYERS=layer, OCLMM_PLANT=plant)
        # the kernel caches hold the test kernels and the counting kernels, which differ in name
        return {disassemble(str(path)) for path in pathlib.Path(cache).glob("**/oclmm_test/**/*.so")}


def concerned(rewrite, plant, texts):
    return [name for name, text in texts.items() if changes(rewrite, plant, text)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("rewrite")
    parser.add_argument("layer")
    parser.add_argument("--tests", default="", help="names, divided by commas")
    parser.add_argument("--show", action="store_true", help="print one kernel that differs, as a diff")
    parser.add_argument("plants", nargs="+")
    options = parser.parse_args()
    layer, status = os.path.abspath(options.layer), 0
    texts = {name: run([options.program, "show", name]) for name in options.tests.split(",")}
    for plant in options.plants:
        tests = concerned(options.rewrite, plant, texts)
        if not tests:
            print(f"{plant}: concerns none of these tests")
            continue
        plain = kernels(options.program, layer, "none", tests)
        planted = kernels(options.program, layer, plant, tests)
        same = plain == planted
        status |= not same
        print(f"{plant}: {len(tests)} tests, {len(plain)} kernels, "
              + ("the same machine code" if same else f"{len(planted - plain)} others when planted"), flush=True)
        if options.show and not same:
            left, right = sorted(plain - planted), sorted(planted - plain)
            for name, code in (("plain", left), ("planted", right)):
                pathlib.Path(f"{plant}.{name}.s").write_text("\n====\n".join(code) + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
