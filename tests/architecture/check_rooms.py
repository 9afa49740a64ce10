#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the arrows between the rooms from what files include.

A room may include the public headers of the rooms that the table in docs/architecture.md
lets it see and of those that they see, and private headers of its own folder, nothing else.

usage: check_rooms.py ROOT
"""
import pathlib
import re
import sys

# A row of the table of docs/architecture.md: a room, what is done there, what it may see.
ROW = re.compile(r"^\| `(src|runner)/(\w+)/` \|.*\| ([\w, –]+) \|$", re.MULTILINE)
ROWS = ROW.findall((pathlib.Path(__file__).resolve().parents[2] / "docs/architecture.md").read_text(encoding="utf-8"))
ARROWS = {room: re.findall(r"\w+", sees) for _, room, sees in ROWS}
TOP = {top: {room for where, room, _ in ROWS if where == top} for top in ("src", "runner")}
# What no row may allow: the rooms that touch a device count and launch, because only commands bring counts and
# answers together; and a driver's part must not know what it is tested by.
NEVER = {room: {"model", "expect", "grade"} for room in ("device", "host", "commands", "launch", "stress", "worker", "profile")}
NEVER["plant"] = set(ARROWS) - {"plant", "change", "ir", "base", "platform"}
NEVER.update({room: TOP["runner"] for room in TOP["src"]})
OPENCL = {"device", "commands", "launch", "stress", "idiom", "plant"}
OWN = "internal.h"  # the one name that several rooms may have for a private header

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include\b[ \t]*(?:[<"]([^>"]+)[>"])?', re.MULTILINE)
DEPENDENCY = re.compile(r"\b(\w+)_dep\b")
SEES = re.compile(r"^room_sees = \[([^]]*)\]", re.MULTILINE)
SOURCE = re.compile(r"'(\w+\.[cly])'")
MAY_SEE = re.compile(r"^ \* May see: ([\w, ]+)\.$", re.MULTILINE)
SOURCES = {".c", ".h", ".l", ".y", ".inc"}


def reach(room):
    """The rooms that a room may see: itself and all that arrows lead to."""
    seen, left = set(), [room]
    while left:
        seen.add(left[-1])
        left += [target for target in ARROWS[left.pop()] if target not in seen]
    return seen


def public_room(name):
    """The room of a public header: `model.h` and `model_execution.h` are both of model."""
    return pathlib.PurePosixPath(name).stem.partition("_")[0]


def home(root, path):
    """The room that a file belongs to; None for what stands in runner/ itself."""
    parts = path.relative_to(root).parts
    if parts[0] == "include":
        return public_room(path.name)
    return parts[1] if len(parts) > 2 else None


def runner_room(root, name):
    """The room of runner/ that an include such as "stress/stress.h" names."""
    first = pathlib.PurePosixPath(name).parts[0]
    if first in TOP["runner"]:
        return first
    wanted = "/" + name
    for header in sorted((root / "runner").glob("**/*.h")):
        if ("/" + header.relative_to(root).as_posix()).endswith(wanted):
            return home(root, header)
    return None


def judge(root, path, name):
    """Why a file may not include `name`, or None."""
    room = home(root, path)
    allowed = reach(room) if room else set(ARROWS)
    if name is None:
        return "includes what cannot be read without a preprocessor"
    if name.startswith(("CL/", "OpenCL/")):
        return None if room in OPENCL else "includes an OpenCL header"
    if name.startswith("oclmm/"):
        target = public_room(name)
        if target not in TOP["src"]:
            return "includes a public header of no room"
        return None if target in allowed else f"may not see {target}"
    if (path.parent / name).exists() and ".." not in name:
        return None
    if "../" in name:
        return "includes by way of a parent folder"
    target = runner_room(root, name)
    if target and target not in allowed:
        return f"may not see runner's {target}"
    return None


def rooms_of(root):
    """(folder, room) of every room that stands in the tree."""
    for top in ("src", "runner"):
        if (root / top).is_dir():
            for folder in sorted((root / top).iterdir()):
                if folder.is_dir() and any(folder.iterdir()):
                    yield folder, folder.name


def check_file(root, path):
    text = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        why = judge(root, path, match.group(1))
        if why:
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path.relative_to(root)}:{line}: {why}: {match.group(0).strip()}"


def check_build(root, folder, room):
    """A build file names only dependencies on rooms that the room may see."""
    build = folder / "meson.build"
    if not build.exists():
        return
    text = build.read_text(encoding="utf-8")
    sees = SEES.search(text)
    if sees and re.findall(r"\w+", sees.group(1)) != ARROWS[room]:
        yield f"{build.relative_to(root)}: {room} may see {ARROWS[room]}, not {sees.group(1)}"
    named = SOURCE.findall(text)
    for name in sorted(path.name for path in folder.iterdir() if SOURCE.fullmatch(f"'{path.name}'")):
        if named.count(name) != 1:
            yield f"{build.relative_to(root)}: names {name} {named.count(name)} times, not once"
    for name in sorted(set(DEPENDENCY.findall(text))):
        if name in ARROWS and name not in reach(room):
            yield f"{build.relative_to(root)}: {room} may not depend on {name}"
        if name == "opencl" and room not in TOP["runner"]:
            yield f"{build.relative_to(root)}: {room} may not depend on OpenCL"


def check_header(root, folder, room):
    """A room of runner/ has a header of its name that says what it may see."""
    header = folder / f"{room}.h"
    if not header.exists():
        yield f"{folder.relative_to(root)}: no header {room}.h that says what the room is for"
        return
    said = MAY_SEE.search(header.read_text(encoding="utf-8"))
    if not said or said.group(1).split(", ") != ARROWS[room]:
        yield f"{header.relative_to(root)}: does not say: May see: {', '.join(ARROWS[room])}."


def check_names(root):
    """A private header has a name of its own: who reads or searches for an include knows which one it is."""
    places = {}
    for top in ("src", "runner"):
        for path in sorted((root / top).glob("**/*.h")):
            # what goes before a system's own headers has their names, once for each system
            if path.parent.parent == root / "src" / "platform" and path.parent.name != "include":
                continue
            places.setdefault(path.name, []).append(path.relative_to(root).as_posix())
    for name, paths in places.items():
        if len(paths) > 1 and name != OWN:
            yield f"{', '.join(paths)}: one name for several headers"


def check_table(root):
    """The table has the rooms that there are, and allows nothing that goes against the rules below it."""
    for where, room, _ in ROWS:
        if not (root / where / room).is_dir():
            yield f"docs/architecture.md: no room {where}/{room}"
        if any(room in reach(target) for target in ARROWS[room]):
            yield f"docs/architecture.md: {room} sees itself by a detour"
        for target in sorted(NEVER.get(room, set()) & reach(room)):
            yield f"docs/architecture.md: {room} may never see {target}"


def check(root):
    """All violations in a tree, and the number of files looked at."""
    found, files = list(check_names(root)), 0
    for folder, room in rooms_of(root):
        if room not in TOP[folder.parent.name]:
            found.append(f"{folder.relative_to(root)}: a room that the architecture does not know")
            continue
        found += check_build(root, folder, room)
        if folder.parent.name == "runner":
            found += check_header(root, folder, room)
    for top in ("include", "src", "runner"):
        for path in sorted((root / top).glob("**/*")):
            if path.suffix not in SOURCES or not path.is_file():
                continue
            room = home(root, path)
            if room is None and top == "runner" or room in ARROWS:
                files += 1
                found += check_file(root, path)
            elif top == "include":
                found.append(f"{path.relative_to(root)}: a public header of no room")
    return found, files


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    found, files = check(root)
    found += check_table(root)
    print("\n".join(found + [f"{files} files, {len(found)} violations"]))
    if files == 0:
        sys.exit("no files: is this the root of the tree?")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
