#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_licences.py must find what is planted.

usage: test_check_licences.py ROOT
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).with_name("check_licences.py")
HEADER = "# SPDX-License-Identifier: Apache-2.0\n"
TOML = HEADER + '[[annotations]]\npath = [\n  "**/*.md",\n  "litmus/**",\n]\n'


def check(files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        for command in (["init", "-q"], ["add", "-A"]):
            subprocess.run(["git", "-C", folder, *command], check=True)
        return subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True, check=False)


def expect(wanted, text, files, what):
    said = check({"REUSE.toml": TOML, "a.md": "", "litmus/b.litmus": "", **files})
    if said.returncode != wanted or text not in said.stdout:
        sys.exit(f"{what}: exit status {said.returncode}, not {wanted}\n{said.stdout}{said.stderr}")


if not shutil.which("git"):
    sys.exit(77)
expect(0, "", {"src/f.c": "// " + HEADER[2:]}, "a tree as it should be")
expect(1, "src/f.c: code without", {"src/f.c": "int f;\n"}, "code without a header")
expect(1, "src/f.c: code without", {"src/f.c": "\n" * 6 + "// " + HEADER[2:]}, "a header that stands too late")
expect(1, "litmus/f.py: code without", {"litmus/f.py": "pass\n"}, "code below a folder of data")
expect(1, "data.csv: neither", {"data.csv": "1,2\n"}, "data that no pattern names")
expect(1, "deep/litmus/c: neither", {"deep/litmus/c": ""}, "a pattern holds from the root")
expect(1, "none/** matches no file", {"REUSE.toml": TOML.replace("]\n", '  "none/**",\n]\n')}, "a pattern too many")
