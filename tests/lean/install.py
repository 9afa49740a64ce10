#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Installs beside PoCL one that has the built-in functions that tests use, and no others.

usage: install.py FOLDER PROGRAM     prints the folder of .icd files in which it is in PoCL's place

Of the time that a small kernel takes to compile PoCL reads for one half: 900 kB of declarations for each text, and a
library of 24,000 functions in each process. Compiler, devices and whatever a kernel becomes are those of PoCL, by
links into what is installed. PROGRAM, oclmm, runs a few tests there before anybody else does.

Exit status 1, with the reason, where there is no PoCL, where it is not laid out as expected, or where those tests fail.
"""

import ctypes
import multiprocessing
import os
import pathlib
import re
import shutil
import subprocess
import sys

from header import lean_header

HERE = pathlib.Path(__file__).resolve().parent
VENDORS = pathlib.Path("/etc/OpenCL/vendors")
SUITE = HERE.parent.parent
TRIED = ("SB+rlx+rlx", "SB+float+sc+sc", "copy+in", "copy+in.copy=hand", "write+read")


def loaded_libraries(library):
    """The files that this process has open once it has loaded a library."""
    try:
        ctypes.CDLL(library)
    except OSError as error:
        sys.exit(f"{library}: {error}")
    return {line.split(None, 5)[-1] for line in pathlib.Path("/proc/self/maps").read_text().splitlines()
            if line.count("/")}


def only(paths, pattern):
    """The one path whose last part is such; ends the program where there is not one."""
    found = {path for path in paths if re.fullmatch(pattern, os.path.basename(path))}
    if len(found) != 1:
        sys.exit(f"there are {len(found)} files {pattern} where PoCL is loaded, not one")
    return pathlib.Path(found.pop())


def link_all(there, here, but=()):
    """Links to what a folder has."""
    here.mkdir(parents=True)
    for path in there.iterdir():
        if path.name not in but:
            (here / path.name).symlink_to(path)


def prune(command):
    return subprocess.run(command, check=False, capture_output=True, text=True)


def install_data(llvm, there, here):
    """PoCL's share/pocl: declarations, and a library for each kind of processor."""
    declarations, libraries = there / "include/opencl-c.h", sorted(there.glob("*.bc"))
    if not declarations.exists() or not libraries:
        sys.exit(f"{there}: PoCL's declarations and built-in functions are not here")
    link_all(there, here, {"include", *(library.name for library in libraries)})
    link_all(there / "include", here / "include", {declarations.name})
    (here / "include" / declarations.name).write_text(lean_header(declarations.read_text()))
    with multiprocessing.Pool() as pool:
        for done in pool.map(prune, [[sys.executable, "-B", HERE / "library.py", llvm, library, here / library.name]
                                     for library in libraries]):
            if done.returncode:
                sys.exit(done.stderr or f"{done.args[-2]}: LLVM crashed, {done.returncode}")


def try_it(program, vendors, folder):
    """Runs a few tests with caches and locks of their own; ends this program unless they pass."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OCLMM_")}
    environment.update(OCL_ICD_VENDORS=f"{vendors}/", POCL_CACHE_DIR=f"{folder}/pocl", XDG_CACHE_HOME=str(folder),
                       XDG_RUNTIME_DIR=str(folder), OCLMM_SUITE=str(SUITE))
    (folder / "pocl").mkdir(parents=True)
    try:
        done = subprocess.run([program, "run", "--environment", "groups=2 lanes=4 rounds=64", "-n", "1000", "--format",
                               "brief", *TRIED],
                              env=environment, check=False, capture_output=True, text=True, timeout=300)
    except (OSError, subprocess.TimeoutExpired) as error:
        sys.exit(str(error))
    if done.returncode:
        sys.exit(f"tests do not pass there:\n{done.stdout}")


def install(folder, program):
    """The folder of .icd files."""
    if not os.access(program, os.X_OK):
        sys.exit(f"{program}: cannot be run")
    named = {path: path.read_text().strip() for path in sorted(VENDORS.glob("*.icd"))}
    icds = [path for path, library in named.items() if re.match(r"libpocl\.so", os.path.basename(library))]
    if len(icds) != 1:
        sys.exit(f"{VENDORS}: {len(icds)} files name PoCL, not one")
    libraries = loaded_libraries(named[icds[0]])
    llvm, pocl = only(libraries, r"libLLVM.*\.so.*"), only(libraries, r"libpocl\.so.*")
    shutil.rmtree(folder, ignore_errors=True)
    # PoCL finds its files from the path that it was loaded by
    there = pathlib.Path(os.path.normpath(pocl.parent / "../../share/pocl"))
    beside = folder / pocl.parent.relative_to("/")
    beside.mkdir(parents=True)
    (beside / pocl.name).symlink_to(pocl)
    if (pocl.parent / "pocl").is_dir():
        (beside / "pocl").symlink_to(pocl.parent / "pocl")
    install_data(llvm, there, folder / there.relative_to("/"))
    alone, vendors = folder / "alone", folder / "vendors"
    alone.mkdir()
    (alone / icds[0].name).write_text(f"{beside / pocl.name}\n")
    try_it(program, alone, folder / "cache")
    link_all(VENDORS, vendors, {icds[0].name})
    (vendors / icds[0].name).write_text(f"{beside / pocl.name}\n")
    return vendors


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(f"{install(pathlib.Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2]))}/")


if __name__ == "__main__":
    main()
