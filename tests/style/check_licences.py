#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every file has a licence: in its first lines, or by a pattern of REUSE.toml.

usage: check_licences.py ROOT

Code carries its own header wherever it stands; a pattern is for prose and data.
Exit status 77 where the tree is no checkout: only git knows which files are the
project's.
"""
import pathlib
import re
import shutil
import subprocess
import sys

HEADER = "SPDX-License-Identifier: Apache-2.0"
LINES = 6
# What can carry a header and is read as code.
CODE = {".c", ".h", ".l", ".y", ".py", ".sh", ".build", ".js", ".css", ".yml", ".vim", ".cff", ".toml"}


def strings(text, key):
    """The strings given to `key`, in all tables of a TOML file as plain as REUSE.toml is."""
    found = []
    for value in re.findall(rf"^{key} *= *(\[.*?\]|\".*?\")", text, re.MULTILINE | re.DOTALL):
        found += re.findall(r'"([^"]*)"', value)
    return found


def matcher(pattern):
    """A pattern of REUSE.toml: `*` stays within a folder, `**` does not."""
    parts = re.split(r"(\*\*/|\*\*|\*)", pattern)
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
    return re.compile("".join(words.get(part, re.escape(part)) for part in parts))


def tracked(root):
    said = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=False)
    if said.returncode:
        return None
    return [name for name in said.stdout.decode().split("\0") if name and (root / name).is_file()]


def has_header(path):
    with path.open(encoding="utf-8", errors="replace") as file:
        return any(HEADER in line for _, line in zip(range(LINES), file))


def complaints(root, names):
    patterns = strings((root / "REUSE.toml").read_text(encoding="utf-8"), "path")
    matchers = {pattern: matcher(pattern) for pattern in patterns}
    used = set()
    for name in names:
        matching = {pattern for pattern, known in matchers.items() if known.fullmatch(name)}
        used |= matching
        if has_header(root / name):
            continue
        if pathlib.PurePath(name).suffix in CODE:
            yield f"{name}: code without the line {HEADER}"
        elif not matching:
            yield f"{name}: neither a licence in the first {LINES} lines nor a pattern in REUSE.toml"
    for pattern in sorted(set(patterns) - used):
        yield f"REUSE.toml: {pattern} matches no file"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    names = tracked(root) if shutil.which("git") else None
    if names is None:
        print("no checkout of git: nothing to hold against REUSE.toml")
        sys.exit(77)
    found = list(complaints(root, names))
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
