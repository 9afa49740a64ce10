#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the calls between files by the symbols of their objects.

Three things make a tree hard to read, whatever the length of its files: files that call each other in a cycle,
functions that are exported for one other file alone, and names in the library that a program linked with it may
have, too. The objects of a build say all three.

usage: check_house.py BUILD [--rooms] [--single] [--cycles]

--rooms prints a row for each room, --single the functions that one other file uses, --cycles the files of each
cycle and the calls that close it.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

# The cycles that are meant, each with its reason: the files, without their ending.
CYCLES = {}
SINGLE = 30  # per cent of the exported functions that may serve one other file alone
PREFIXES = ("oclmm_", "clGetLayerInfo", "clInitLayer", "main")


class Object:
    """What an object file defines for others and asks of others; functions apart."""

    def __init__(self, source):
        self.source = source
        self.functions, self.defined, self.undefined = set(), set(), set()

    @property
    def room(self):
        return "/".join(pathlib.PurePosixPath(self.source).parts[:2])

    @property
    def name(self):
        return str(pathlib.PurePosixPath(self.source).with_suffix(""))


def source_of(entry, build, root):
    """The source file of a compiler's call, from the root of the tree; None for those of tests."""
    path = pathlib.Path(entry["directory"], entry["file"]).resolve()
    if path.is_relative_to(build):  # made by flex or bison beside the objects of its room
        for line in (path.read_text(encoding="utf-8", errors="replace").splitlines()):
            if line.startswith("#line ") and (line.endswith('.l"') or line.endswith('.y"')):
                path = (build / line.split('"')[1]).resolve()
                break
        else:
            return None
    path = path.relative_to(root) if path.is_relative_to(root) else path
    return path.as_posix() if path.parts[0] in ("src", "runner") and len(path.parts) > 1 else None


def objects(build, root):
    """The objects of src/ and runner/, each source once."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        output = build / entry["output"]
        if not entry["output"].startswith(("src/", "runner/")) or not output.exists():
            continue
        source = source_of(entry, build, root)
        if source and source not in found:
            found[source] = (Object(source), output)
    for one, output in found.values():
        said = subprocess.run(["nm", "-P", str(output)], capture_output=True, text=True, check=True).stdout
        for line in said.splitlines():
            name, kind = line.split()[:2]
            if kind == "U":
                one.undefined.add(name)
            elif kind.isupper() and kind not in "UN":
                one.defined.add(name)
                if kind in "TW":
                    one.functions.add(name)
    return [one for one, _ in found.values()]


def users(all_objects):
    """For each defined name the object that has it, and the others that use it."""
    home = {name: one for one in all_objects for name in one.defined}
    used = collections.defaultdict(list)
    for one in all_objects:
        for name in one.undefined:
            if name in home and home[name] is not one:
                used[name].append(one)
    return home, used


def cycles(all_objects):
    """The strongly connected parts of more than one file (Tarjan's algorithm)."""
    home, _ = users(all_objects)
    calls = {one: {home[name] for name in one.undefined if name in home} - {one} for one in all_objects}
    index, low, stack, found = {}, {}, [], []

    def visit(one):
        index[one] = low[one] = len(index)
        stack.append(one)
        for other in calls[one]:
            if other not in index:
                visit(other)
                low[one] = min(low[one], low[other])
            elif other in stack:
                low[one] = min(low[one], index[other])
        if low[one] == index[one]:
            part = [stack.pop()]
            while part[-1] is not one:
                part.append(stack.pop())
            if len(part) > 1:
                found.append(sorted(part, key=lambda member: member.source))

    sys.setrecursionlimit(10000)
    for one in all_objects:
        if one not in index:
            visit(one)
    return sorted(found, key=len, reverse=True)


def why(part):
    """The calls inside a cycle, a line each."""
    home = {name: one for one in part for name in one.defined}
    for one in part:
        for other in part:
            names = sorted(name for name in one.undefined if home.get(name) is other and one is not other)
            if names:
                yield f"    {one.name} -> {other.name}: {', '.join(names)}"


def report_rooms(exported, single, all_objects):
    print(f"{'room':<22} {'files':>5} {'exported':>8} {'one user':>8}  share")
    for room in sorted({one.room for one in all_objects}):
        files = sum(one.room == room for one in all_objects)
        names = [name for name, one in exported.items() if one.room == room]
        alone = [name for name in names if name in single]
        share = 100 * len(alone) / len(names) if names else 0
        print(f"{room:<22} {files:>5} {len(names):>8} {len(alone):>8} {share:>5.0f} %")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("build", type=pathlib.Path)
    for flag in ("--rooms", "--single", "--cycles"):
        parser.add_argument(flag, action="store_true")
    asked = parser.parse_args()
    build = asked.build.resolve()
    root = pathlib.Path(__file__).resolve().parents[2]
    all_objects = objects(build, root)
    if not all_objects:
        sys.exit("no objects: is this a build folder?")
    home, used = users(all_objects)
    exported = {name: one for name, one in home.items() if name in one.functions and name != "main"}
    single = {name for name in exported if len(used[name]) == 1}
    complaints = [
        f"{one.source}: {name} is exported without oclmm_"
        for one in all_objects if one.source.startswith("src/")
        for name in sorted(one.defined) if not name.startswith(PREFIXES)
    ]
    parts = cycles(all_objects)
    for part in parts:
        names = tuple(one.name for one in part)
        if names not in CYCLES:
            complaints.append(f"a cycle of calls without a reason: {', '.join(names)}")
            complaints += why(part) if asked.cycles else []
    for names in CYCLES:
        if names not in [tuple(one.name for one in part) for part in parts]:
            complaints.append(f"no cycle any more: {', '.join(names)}")
    if len(CYCLES) > 5:
        complaints.append(f"{len(CYCLES)} cycles have a reason, more than five")
    share = 100 * len(single) / len(exported)
    if share > SINGLE:
        complaints.append(f"{share:.0f} % of the exported functions serve one other file alone, more than {SINGLE} %")
    if asked.rooms or share > SINGLE:
        report_rooms(exported, single, all_objects)
    if asked.single:
        for name in sorted(single, key=lambda name: (home[name].source, name)):
            print(f"{home[name].source}: {name} for {used[name][0].source}")
    print("\n".join(complaints))
    print(f"{len(all_objects)} files, {len(exported)} exported functions, {len(single)} for one other file "
          f"({share:.0f} %), {len(parts)} cycles, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
