#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes out of src/ir/visit.c, one by one, the lines that list a part of a
node: `places` has to find each visitor that forgets something.

    forgetful.py ROOT LIBRARIES SANITIZER COMPILER …
"""

import pathlib
import re
import subprocess
import sys
import tempfile

LISTED = re.compile(r"\badd_(?:expression|body|place|atomic)\([^;{]*\);"
                    r"|parts->uses\[[^;]*= (?:object|\(struct[^;]*);", re.S)


def build(compiler, root, libraries, visitor, target):
    rooms = [str(libraries / f"liboclmm_{room}.a") for room in ("syntax", "ir", "base")]
    subprocess.run([*compiler, "-std=c17", "-D_GNU_SOURCE", "-w", f"-I{root / 'include'}", "-o", target,
                    root / "tests/syntax/places.c", visitor, *rooms, "-lxxhash"], check=True)


def main():
    root, libraries = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    compiler = sys.argv[4:] + ([f"-fsanitize={sys.argv[3]}"] if sys.argv[3] != "none" else [])
    text = (root / "src/ir/visit.c").read_text()
    listed = list(LISTED.finditer(text))
    kept = []
    with tempfile.TemporaryDirectory() as folder:
        visitor, program = pathlib.Path(folder, "visit.c"), pathlib.Path(folder, "places")
        for part in [None, *listed]:
            visitor.write_text(text if part is None else text[:part.start()] + ";" + text[part.end():])
            build(compiler, root, libraries, visitor, program)
            # copies, and what a collective function is given, are found by what a file names
            files = [root / f"tests/syntax/accept/{name}.litmus" for name in ("copies", "shared-collective")]
            failed = subprocess.run([program, *files], stdout=subprocess.DEVNULL, timeout=60).returncode
            if bool(failed) != (part is not None):
                kept.append("the visitor as it is" if part is None else part.group())
    print(f"{len(listed)} parts taken out, not noticed: {kept}")
    return 1 if kept or len(listed) < 12 else 0


if __name__ == "__main__":
    sys.exit(main())
