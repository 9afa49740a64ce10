#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the calls between files by the symbols of a build's objects.

What makes a tree hard to read is not the length of its files. It is files or rooms that call each other in a cycle,
functions that are exported for one other file alone, names that nobody uses, and names in the library that a
program linked with it may have, too.

usage: check_house.py BUILD [--root ROOT] [--rooms] [--single] [--cycles]

--rooms prints a row for each room, --single the functions that one other file uses, --cycles the calls that close
each cycle.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

# The cycles that are meant, each with its reason.
CYCLES = {}
MOST_CYCLES = 5
# Per cent of the exported functions that may serve one other file alone. It goes down only.
SINGLE = 30
# Called by what is not in the tree, the loader of OpenCL and the parser that bison makes, or found by name.
CALLED = {"clGetLayerInfo", "clInitLayer", "main", "oclmm_plant_offer", "oclmm_syntax_error", "oclmm_syntax_lex"}
LINE = re.compile(r'^#line \d+ "([^"]+\.[ly])"', re.MULTILINE)
WORD = re.compile(r"\b[A-Za-z_]\w*\b")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


class Object:
    """What an object file defines for others and asks of others."""

    def __init__(self, source):
        self.source = source
        self.functions, self.defined, self.undefined = set(), set(), set()

    @property
    def room(self):
        return "/".join(pathlib.PurePosixPath(self.source).parts[:2])

    @property
    def name(self):
        return self.source.rpartition(".")[0]

    @property
    def is_test(self):
        return self.source.startswith("tests/")

    def add(self, name, kind):
        if kind in "Uw":  # also where it may be missing
            self.undefined.add(name)
        elif kind.isupper():
            self.defined.add(name)
            if kind in "TW":
                self.functions.add(name)


def source_of(entry, root):
    """The source file of a compiler's call, from the root of the tree; None for what is not of it."""
    path = pathlib.Path(entry["directory"], entry["file"]).resolve()
    made = LINE.search(path.read_text(encoding="utf-8", errors="replace")) if path.exists() else None
    if made:  # by flex or bison
        path = pathlib.Path(entry["directory"], made.group(1)).resolve()
    if not path.is_relative_to(root):
        return None
    path = path.relative_to(root)
    return path.as_posix() if path.parts[0] in ("src", "runner", "tests") else None


def objects(build, root):
    """The objects of the tree, each source once."""
    found, of_source = {}, {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        source, output = source_of(entry, root), build / entry["output"]
        if source and source not in of_source and output.exists():
            of_source[source] = found[str(output)] = Object(source)
    if found:
        said = subprocess.run(["nm", "-P", "-A", *found], capture_output=True, text=True, check=True).stdout
        for line in said.splitlines():
            output, _, symbol = line.partition(": ")
            found[output].add(*symbol.split()[:2])
    return list(found.values())


def users(all_objects):
    """For each defined name the object that has it, and the others that use it."""
    home = {name: one for one in all_objects if not one.is_test for name in one.defined}
    used = collections.defaultdict(list)
    for one in all_objects:
        for name in one.undefined:
            if name in home and home[name] is not one:
                used[name].append(one)
    return home, used


def cycles(all_objects, home):
    """The strongly connected parts of more than one file (Tarjan's algorithm)."""
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


def rooms_of(all_objects, home):
    """The rooms as objects that call each other, whatever is called: functions, data, what a header does inline."""
    rooms = {one.room: Object(one.room) for one in all_objects}
    for one in all_objects:
        rooms[one.room].undefined |= {name for name in one.undefined if name in home and home[name].room != one.room}
    return list(rooms.values()), {name: rooms[one.room] for name, one in home.items()}


def calls_of(part, home):
    """The calls inside a cycle, a line each."""
    for one in part:
        for other in part:
            names = sorted(name for name in one.undefined if home.get(name) is other and one is not other)
            if names:
                yield f"    {one.name or one.source} -> {other.name or other.source}: {', '.join(names)}"


def judge_cycles(parts, home, show):
    there = {one.name for one in home.values()}
    told = {tuple(one.name for one in part): part for part in parts}
    for names, part in told.items():
        if names not in CYCLES:
            yield f"a cycle of calls without a reason: {', '.join(names)}"
            yield from calls_of(part, home) if show else []
    yield from (f"no cycle any more: {', '.join(names)}" for names in CYCLES
                if names not in told and there.intersection(names))
    if len(CYCLES) > MOST_CYCLES:
        yield f"{len(CYCLES)} cycles have a reason, more than {MOST_CYCLES}"


def judge_rooms(sources, home):
    rooms, home = rooms_of(sources, home)
    for part in cycles(rooms, home):
        yield f"a cycle of rooms: {', '.join(room.source for room in part)}"
        yield from calls_of(part, home)


def judge_names(root, home, used):
    """Names of the library without its prefix, and names that nobody uses or tests alone."""
    public = set()
    for header in (root / "include").glob("**/*.h"):
        public |= set(WORD.findall(COMMENT.sub(" ", header.read_text(encoding="utf-8"))))
    for name, one in sorted(home.items(), key=lambda item: (item[1].source, item[0])):
        if name in CALLED:
            continue
        if one.source.startswith("src/") and not name.startswith("oclmm_"):
            yield f"{one.source}: {name} is exported without oclmm_"
        if one.source.endswith((".l", ".y")):
            continue  # flex and bison make more than is used
        if not used[name]:
            yield f"{one.source}: {name} is used by no other file: make it static, or drop it"
        elif name not in public and all(user.is_test for user in used[name]):
            text = COMMENT.sub(" ", (root / one.source).read_text(encoding="utf-8"))
            if WORD.findall(text).count(name) < 2:
                yield f"{one.source}: {name} is used by tests only"


def print_rooms(exported, single, sources):
    print(f"{'room':<22} {'files':>5} {'exported':>8} {'one user':>8}  share")
    for room in sorted({one.room for one in sources}):
        names = [name for name, one in exported.items() if one.room == room]
        alone = sum(name in single for name in names)
        share = 100 * alone / len(names) if names else 0
        files = sum(one.room == room for one in sources)
        print(f"{room:<22} {files:>5} {len(names):>8} {alone:>8} {share:>5.0f} %")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parents[2])
    for flag in ("--rooms", "--single", "--cycles"):
        parser.add_argument(flag, action="store_true")
    asked = parser.parse_args()
    root = asked.root.resolve()
    every = objects(asked.build.resolve(), root)
    sources = [one for one in every if not one.is_test]
    if not sources:
        sys.exit("no objects: is this a build folder?")
    home, used = users(every)
    exported = {name: one for name, one in home.items() if name in one.functions and name not in CALLED}
    of_sources = {name: [user for user in used[name] if not user.is_test] for name in exported}
    single = {name for name in exported if len(of_sources[name]) == 1}
    parts = cycles(sources, home)
    found = [*judge_names(root, home, used), *judge_cycles(parts, home, asked.cycles), *judge_rooms(sources, home)]
    share = 100 * len(single) / max(len(exported), 1)
    if share > SINGLE:
        found.append(f"{share:.0f} % of the exported functions serve one other file alone, more than {SINGLE} %")
    if asked.rooms or share > SINGLE:
        print_rooms(exported, single, sources)
    if asked.single:
        for name in sorted(single, key=lambda name: (home[name].source, name)):
            print(f"{home[name].source}: {name} for {of_sources[name][0].source}")
    print("\n".join(found + [
        f"{len(sources)} files, {len(exported)} exported functions, {len(single)} for one other file "
        f"({share:.0f} %), {len(parts)} cycles, {len(found)} complaints"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
