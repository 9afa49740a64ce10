#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each cross file is built by the workflow, told of in the documents, and named in the script's usage.

usage: named.py ROOT
"""
import pathlib
import re
import sys


def missing(platforms, workflow, document, script):
    """What lacks a platform, as lines."""
    built = set(re.findall(r"- platform: (\w+)", workflow))
    told = set(re.findall(r"packaging/try-cross (\w+) FOLDER", document))
    usage = set(re.findall(r"\w+", re.search(r"PLATFORM is one .*?:([^.]*)\.", script, re.DOTALL)[1]))
    found = []
    for name, names in (("the workflow", built), ("docs/platforms.md", told), ("the usage of try-cross", usage)):
        found += [f"{name} lacks {platform}" for platform in sorted(platforms - names)]
        found += [f"{name} has {platform}, which has no cross file" for platform in sorted(names - platforms)]
    return found


def main():
    root = pathlib.Path(sys.argv[1])
    platforms = {path.stem for path in (root / "packaging/cross").glob("*.ini")}
    texts = [(root / name).read_text(encoding="utf-8")
             for name in (".github/workflows/platforms.yml", "docs/platforms.md", "packaging/try-cross")]
    found = missing(platforms, *texts)
    print("\n".join(found))
    # a further file is noticed in all three places, and one that goes, too
    assert len(missing(platforms | {"vax"}, *texts)) == len(found) + 3
    assert len(missing(platforms - {"arm64"}, *texts)) == len(found) + 3
    sys.exit(bool(found))


main()
