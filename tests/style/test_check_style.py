#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_style.py must find what is planted.

usage: test_check_style.py ROOT
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1]).resolve()
CHECK = pathlib.Path(__file__).with_name("check_style.py")
GOOD = "int f(void)\n{\n\treturn 0;\n}\n"


def check(text, name="f.c"):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        shutil.copy(ROOT / ".clang-format", root)
        (root / "src").mkdir()
        if text is not None:
            (root / "src" / "g.c").write_text(GOOD, encoding="utf-8")
            (root / "src" / name).write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True, check=False)


def expect(wanted, text, what, *name):
    said = check(text, *name)
    if said.returncode not in wanted:
        sys.exit(f"{what}: exit status {said.returncode}, not in {wanted}\n{said.stdout}{said.stderr}")
    return said.returncode


tool = expect({0, 77}, GOOD, "a file in the style")
expect({1}, GOOD + "/* " + "x" * 100 + " */\n", "a line that is too long")
expect({1}, GOOD + "/*" + "\t" * 13 + "*/\n", "a line that is too long by its tabs")
expect({1}, None, "a tree without files")
LONG = GOOD.replace("\treturn", "\tg();\n" * 400 + "\treturn")
expect({0, 77}, LONG + "/* a */\n" * 5000, "an idea as long as it is")
HEADER = "// SPDX-License-Identifier: Apache-2.0\n/* One function. */\nint f(void);\n"
expect({0, 77}, HEADER, "a header that says what it is for", "f.h")
expect({1}, HEADER.replace("/* One function. */\n", ""), "a header that does not say what it is for", "f.h")
if tool == 0:
    expect({1}, GOOD.replace("\treturn", "    return"), "spaces for a tab")
    expect({1}, GOOD.replace("f(void)\n{", "f(void) {"), "a brace on the wrong line")
