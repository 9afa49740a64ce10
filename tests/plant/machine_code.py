#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether plants change the machine code that a driver makes of the tests they concern.

usage: machine_code.py OCLMM KERNEL LAYER [--tests NAMES | --profile NAME] PLANT...
       machine_code.py OCLMM KERNEL LAYER --device-code PROGRAM --device NAME [...] PLANT...

Each plant's tests are those whose own text it changes. On PoCL they are run with a few instances,
once as they are and once planted, each time with an empty kernel cache; then the disassembled
kernels are compared as sets, addresses left out. On other devices their kernels are built by
PROGRAM (device_code beside this file), once as they are and once planted, and what the driver
gives as the program's binary is compared test by test: PTX on NVIDIA, so that the same text is
the same program; on Intel's CPU runtime the object file within, whose instructions and
relocations are compared, or, with --order, only which accesses follow each other. With --limit N
evenly drawn N of a plant's tests stand for all. Exit status 0: all equal; 1: some differ.
"""

import argparse
import concurrent.futures
import difflib
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile


def run(words, **more):
    result = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                            env={**os.environ, **more})
    if result.returncode not in (0, 1, 3):
        sys.exit(f"{' '.join(words[:4])} …: status {result.returncode}\n{result.stderr}")
    return result.stdout


def planted(kernel, plant, text):
    """The kernels of a test as a planted driver is given them, behind a line with the number of changed places."""
    return subprocess.run([kernel, plant, "/dev/stdin"], input=text, capture_output=True, text=True, check=True).stdout


def changes(kernel, plant, text):
    return not planted(kernel, plant, text).startswith("//// 0 ")


def section(binary, name):
    """What an ELF file has in one section; None where it has none of that name."""
    headers, count = struct.unpack_from("<Q", binary, 0x28)[0], struct.unpack_from("<H", binary, 0x3C)[0]
    entries = [struct.unpack_from("<IIQQQQ", binary, headers + 64 * n) for n in range(count)]
    names = entries[struct.unpack_from("<H", binary, 0x3E)[0]][4]
    for entry in entries:
        at = names + entry[0]
        if binary[at:binary.index(b"\0", at)] == name.encode():
            return binary[entry[4]:entry[4] + entry[5]]
    return None


def accesses(lines):
    """What an x86 processor may order: instructions with memory at an address of registers alone
    or with an index, which the frame and the arguments seldom are, whatever the registers."""
    for line in lines:
        if re.search(r"(?:[ ,]|^)(?:0x0)?\(%r(?!sp|bp)|\(%r\w+,%r", line) and not line.startswith(("lea", "nop")):
            line = re.sub(r"\b0x0\(", "(", re.sub(r"%(?!xmm|ymm|zmm)\w+", "R", line))
            yield re.sub(r"\s+", " ", line)


def readable(binary, order):
    """A driver's binary as text: PTX as it is, of an object file its instructions, or with `order`
    its accesses without the fences between them."""
    if not binary.startswith(b"\x7fELF"):
        return binary.decode(errors="replace")
    code = section(binary, ".ocl.obj")
    if code is None:
        sys.exit("the driver's binary has no object file: not of Intel's CPU runtime")
    with tempfile.NamedTemporaryFile(suffix=".o") as file:
        file.write(code)
        file.flush()
        text = disassemble(file.name, "-r")
    return "\n".join(accesses(text.splitlines())) if order else text


def disassemble(path, *options):
    """The instructions of one kernel, without where they stand."""
    lines = []
    for line in run(["objdump", "-d", "--no-show-raw-insn", *options, path]).splitlines():
        parts = line.split("\t", 1)
        if len(parts) == 2:
            code = re.sub(r"\s*#.*|<[^>]*>", "", parts[1]).strip()
            code = re.sub(r"^[0-9a-f]+: (?=R_)", "", code)
            # jumps and calls: the distance says enough, and that is in the sequence itself
            lines.append(re.sub(r"^(j\w+|call\w*)\s+.*", r"\1", re.sub(r"0x[0-9a-f]+\(%rip\)", "(%rip)", code)))
    # what pads functions and sections is not code
    return "\n".join(line for line in lines if not re.match(r"(data16 |cs )*nop|xchg +%ax,%ax", line))


def kernels(program, layer, plant, tests):
    with tempfile.TemporaryDirectory(prefix="oclmm-code-") as cache:
        run([program, "run", "--no-controls", "--format", "json", "-n", "1", "--seed", "1", *tests],
            POCL_CACHE_DIR=cache, OPENCL_LAYERS=layer, OCLMM_PLANT=plant)
        # the kernel caches hold the test kernels, of which several may be of one program and are
        # numbered then, and the counting kernels, which differ in name
        return {disassemble(str(path)) for path in pathlib.Path(cache).glob("**/oclmm_test*/**/*.so")}


def only(name):
    """A pattern that means the test: its name may be that of a family, too."""
    return f"[{name[0]}]{name[1:]}"


def show(program, names):
    """The text of each test, by its name."""
    parts = re.split(r"^OPENCL (.*)\n", run([program, "show", *map(only, names)]), flags=re.M)
    return {name: f"OPENCL {name}\n{text}" for name, text in zip(parts[1::2], parts[2::2])}


def concerned(kernel, plant, texts):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        touched = pool.map(lambda text: changes(kernel, plant, text), texts.values())
        return [name for name, touch in zip(texts, touched) if touch]


def draw(tests, limit):
    """Evenly so many of them, the first and the last among them."""
    if not limit or len(tests) <= limit:
        return tests
    return [tests[n * (len(tests) - 1) // max(limit - 1, 1)] for n in range(limit)]


def build(program, device, paths):
    """The driver's own code of each text, by path; a part of the paths in each process."""
    parts = [part for part in (paths[n::os.cpu_count()] for n in range(os.cpu_count())) if part]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(lambda part: subprocess.run([program, device, *map(str, part)],
                                                  stderr=subprocess.DEVNULL), parts))
    codes = {path: pathlib.Path(f"{path}.code") for path in paths}
    return {path: code.read_bytes() for path, code in codes.items() if code.exists()}


def driver_codes(options, plant, tests, texts):
    """By test: the driver's code of its kernels, plain and planted."""
    with tempfile.TemporaryDirectory(prefix="oclmm-code-") as folder:
        def write(n):
            paths = [pathlib.Path(folder, f"{n}.plain.cl"), pathlib.Path(folder, f"{n}.planted.cl")]
            for path, bug in zip(paths, ("none", plant)):
                path.write_text(planted(options.kernel, bug, texts[tests[n]]))
            return paths

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            paths = sum(pool.map(write, range(len(tests))), [])
        codes = build(options.device_code, options.device, paths)
        return {test: tuple(readable(codes[path], options.order) for path in paths[2 * n:2 * n + 2])
                for n, test in enumerate(tests) if paths[2 * n] in codes and paths[2 * n + 1] in codes}


def compare_driver_codes(options, plant, tests, texts):
    codes = driver_codes(options, plant, tests, texts)
    if not codes:
        sys.exit(f"{plant}: none of {len(tests)} tests could be built")
    others = [test for test, (plain, planted) in codes.items() if plain != planted]
    said = f"{len(others)} others when planted: {' '.join(others)}" if others else "the same code of the driver"
    print(f"{plant}: {len(codes)} of {len(tests)} tests built, {said}", flush=True)
    for test in others if options.show else []:
        plain, planted = (code.splitlines() for code in codes[test])
        lines = difflib.unified_diff(plain, planted, "plain", "planted", lineterm="", n=2)
        pathlib.Path(f"{plant}.{test}.diff").write_text("\n".join(lines) + "\n")
    return not others


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("kernel")
    parser.add_argument("layer")
    parser.add_argument("--tests", default="", help="names, divided by commas")
    parser.add_argument("--profile", help="those of a profile")
    parser.add_argument("--device-code", metavar="PROGRAM", help="compare what the driver gives as binary")
    parser.add_argument("--device", default="0")
    parser.add_argument("--limit", type=int, metavar="N", help="evenly drawn N of a plant's tests only")
    parser.add_argument("--order", action="store_true", help="of object files only the order of their accesses")
    parser.add_argument("--show", action="store_true", help="write what differs to files")
    parser.add_argument("plants", nargs="+")
    options = parser.parse_args()
    layer, status = os.path.abspath(options.layer), 0
    names = options.tests.split(",") if options.tests else []
    if options.profile:
        names += run([options.program, "list", "--profile", options.profile]).split()
    texts = show(options.program, names)
    for plant in options.plants:
        touched = concerned(options.kernel, plant, texts)
        if not touched:
            print(f"{plant}: concerns none of these tests")
            continue
        tests = draw(touched, options.limit)
        if tests != touched:
            print(f"{plant}: {len(tests)} drawn of {len(touched)} tests")
        if options.device_code:
            status |= not compare_driver_codes(options, plant, tests, texts)
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
