#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Static analysis of the C files of src/ and runner/.

    analyse.py TOOL BUILD [--all] [--most N] [FILE ...]

TOOL is `checks`: clang-tidy as .clang-tidy says, without its analyzer (all files); `paths`: clang's analyzer as
.clang-tidy says (about a second each); or `gcc`: gcc's -fanalyzer, which is faster and finds less.
BUILD is a build folder: how each file is compiled stands there. The analyzers take the N (15) files of src/ and
runner/ that were changed last, by the history and the working tree, so that a change is looked at when
it is made and a test has its time; and clang's goes less far into each function. --all takes all of
them, as far as the analyzer goes by itself. FILEs, any, are taken instead. What was clean and has not changed
since is not looked at again (clean.py); with an empty XDG_CACHE_HOME all is.

Exit status 1 with complaints, 77 where the tool is not installed or of another version, or where the tree
is no checkout.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from clean import Clean

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Another version looks for other things.
TIDY_VERSION, GCC_VERSION = 14, 12
# Where gcc 12's analyzer said something false nearly each time: of 32 places that it took for not set all were,
# in arrays of structures that loops fill; of 11 null pointers one was real, the others came of look-ups that
# find what was put there before. Clang's analyzer looks for both, and was wrong in a third of 12.
GCC_FILTERS = ["-Wno-analyzer-use-of-uninitialized-value", "-Wno-analyzer-null-dereference",
               "-Wno-analyzer-null-argument"]


# How many states of a function clang's analyzer looks at; by itself 225000, which takes four times as long.
NODES = 50000

# So many files for a process, which takes its time to start. The analyzer of clang 14 remembers things of
# the file before, and then complains of what is right.
TOGETHER = {"checks": 12, "paths": 1, "gcc": 1}

# Tests do on purpose what these tools complain of.
FOLDERS = ("src", "runner")


class Skip(Exception):
    """What is needed is not there."""


def first_of_version(names, pattern):
    for name in names:
        program = shutil.which(name)
        said = program and subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        if said and re.search(pattern, said):
            return program, said
    raise Skip(f"no {names[0]}")


def commands(build):
    """How each file of the tree is compiled: file -> (folder, words)."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(os.path.normpath(pathlib.Path(entry["directory"]) / entry["file"]))
        # what is generated lies in the build folder
        if ROOT in path.parents and build not in path.parents and path.relative_to(ROOT).parts[0] in FOLDERS:
            found.setdefault(path, (entry["directory"], shlex.split(entry["command"])))
    return found


def changed_last(files):
    """The files, those changed last first: what differs from the last commit, then commit by commit."""
    git = ["git", "-C", str(ROOT)]
    said = [subprocess.run([*git, *words], capture_output=True, text=True, check=False)
            for words in (("diff", "--name-only", "HEAD"),
                          ("log", "--name-only", "--format=", "-n", "400", "--", "*.c"))]
    if any(one.returncode for one in said):
        raise Skip("no checkout of git: nobody knows what was changed last")
    names = dict.fromkeys(name for one in said for name in one.stdout.splitlines())
    order = {ROOT / name: index for index, name in enumerate(names)}
    return sorted(files, key=lambda path: (order.get(path, len(order)), path))


def chosen(tool, options, known):
    if options.file:
        return options.file
    if tool == "checks" or options.all:
        return sorted(known)
    return changed_last(known)[:options.most]


def tidy(tool, build, deep):
    """Returns what analyses some files and says what is wrong with them, and the version."""
    program, version = first_of_version((f"clang-tidy-{TIDY_VERSION}", "clang-tidy"), rf"version {TIDY_VERSION}\.")
    configured = re.search(r"^Checks: >-\n((?:  .*\n)*)", (ROOT / ".clang-tidy").read_text(), re.MULTILINE)
    checks = [line.strip(" ,") for line in configured[1].splitlines()]
    analyzer = [check for check in checks if check.lstrip("-").startswith("clang-analyzer")]
    wanted = ["-*", *analyzer] if tool == "paths" else [*checks, "-clang-analyzer-*"]
    known = [f"-I{ROOT / 'include'}", f"-include{HERE / 'known.h'}"]
    limit = [] if deep or tool != "paths" else ["-Xclang", "-analyzer-config", "-Xclang", f"max-nodes={NODES}"]

    def analyse(paths, _):
        # not where the function itself is written
        include = known if tool == "paths" and ROOT / "src/base/error.c" not in paths else []
        words = [f"--extra-arg={word}" for word in (*include, *limit)]
        said = subprocess.run([program, "-p", build, "--quiet", "--config-file", ROOT / ".clang-tidy",
                               "--checks=" + ",".join(wanted), *words, *paths], capture_output=True, text=True,
                              errors="replace", check=False)
        return said.stdout if re.search(r"(warning|error): ", said.stdout) else said.stderr * bool(said.returncode)
    return analyse, version


def gcc(_tool, _build, _deep):
    program, version = first_of_version((f"gcc-{GCC_VERSION}", "gcc"), rf"\) {GCC_VERSION}\.")

    # An optimizer leaves out what would be complained of.
    def analyse(paths, known):
        (path,) = paths
        # who is not compiled in this build is compiled as any other file is
        folder, words = known.get(path) or next(iter(known.values()))
        kept = [word for word in words if re.match(r"-[IDU]|-std|-isystem", word)]
        said = subprocess.run([program, *kept, "-O0", "-fanalyzer", *GCC_FILTERS, "-S", "-o", os.devnull, path],
                              cwd=folder, capture_output=True, text=True, errors="replace", check=False,
                              env={**os.environ, "LC_ALL": "C"})
        # other warnings are the build's affair
        return said.stderr if re.search(r"\[-Wanalyzer|error: ", said.stderr) else ""
    return analyse, version


TOOLS = {"checks": tidy, "paths": tidy, "gcc": gcc}
# What decides what is said, beside the analyzer and the file.
SETTINGS = (HERE / "analyse.py", HERE / "known.h", ROOT / ".clang-tidy")


def analyse_all(analyse, known, clean, parts):
    """How many parts have complaints, which are printed."""
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for part, said in zip(parts, pool.map(lambda part: analyse(part, known), parts)):
            bad += bool(said)
            print(said, end="", flush=True)
            for path in part if not said else ():
                clean.add(path, known.get(path, ("", ()))[1])
    clean.forget()
    return bad



def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool", choices=TOOLS)
    parser.add_argument("build", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--most", type=int, default=15)
    parser.add_argument("file", nargs="*", type=lambda name: pathlib.Path(name).resolve())
    options = parser.parse_intermixed_args()
    try:
        analyse, version = TOOLS[options.tool](options.tool, options.build, options.all)
        known = commands(options.build)
        files = chosen(options.tool, options, known)
    except Skip as reason:
        print(f"skipped: {reason}")
        return 77
    clean = Clean(options.build, "\0".join([options.tool, str(options.all), version,
                                            *(path.read_text() for path in SETTINGS)]))
    changed = [path for path in files if not clean.has(path, known.get(path, ("", ()))[1])]
    size = TOGETHER[options.tool]
    parts = [changed[i:i + size] for i in range(0, len(changed), size)]
    bad = analyse_all(analyse, known, clean, parts)
    print(f"{options.tool}: {len(files)} files, {len(changed)} of them in {len(parts)} parts, the others clean before; "
          f"{bad} with complaints")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
