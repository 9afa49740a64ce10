#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a device's own compiler makes: oclmm audit --device, and oclmm run --audit. 77, skipped, without a device whose
code can be read, or without objdump.

usage: audit_device.py PROGRAM
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))


def oclmm(*arguments, **environment):
    """Exit status, standard output and error."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=300, check=False,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


class Device(unittest.TestCase):
    def test_its_own_code(self):
        """What is judged is said; a barrier leaves nothing in a group of one."""
        status, out, _ = oclmm("audit", "--device", "0", "-f", "text", "MP+rel+acq", "cas+cas", "MP+barrier")
        self.assertEqual(status, 0)
        self.assertRegex(out.splitlines()[0], r"PoCL.* for x86-64, judged by x86-TSO$")
        self.assertIn("# each thread compiled as a kernel of its own by the device's driver\n", out)
        self.assertRegex(out, "(?m)^right +MP\\+rel\\+acq$")
        self.assertRegex(out, "(?m)^right +cas\\+cas$")
        self.assertRegex(out, "(?m)^skip +MP\\+barrier  a barrier")

    def test_a_bug_in_its_code(self):
        status, out, _ = oclmm("audit", "--device", "0", "--plant", "sc-to-acq-rel", "SB+sc+sc")
        self.assertEqual(status, 0)
        self.assertIn("found      sc-to-acq-rel by SB+sc+sc\n", out)

    def test_no_such_device(self):
        status, _, err = oclmm("audit", "--device", "no such device", "SB+sc+sc")
        self.assertEqual(status, 99)
        self.assertIn("no such device", err)
        self.assertEqual(oclmm("audit", "--device", "0", "--target", "x86-64", "SB+sc+sc")[0], 2)

    def test_a_compiler_that_dies(self):
        """It is in a process of its own: the text is not built, and all else goes on."""
        with tempfile.TemporaryDirectory() as folder:
            for name in "objdump", "llvm-objdump":
                path = pathlib.Path(folder, name)
                path.write_text("#!/bin/sh\nkill -9 $$\n", encoding="utf-8")
                path.chmod(0o755)
            status, out, _ = oclmm("audit", "--device", "0", "SB+sc+sc", PATH=folder + ":" + os.environ["PATH"])
            self.assertEqual(status, 99)
            self.assertIn("not-built    SB+sc+sc", out)

    def test_a_run_that_is_proved(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "r.jsonl")
            _, out, _ = oclmm("run", "--audit", "-d", "0", "-n", "20000", "-o", str(path), "SB+sc+sc", "MP+barrier")
            last = "; the compiler proved for 1, wrong for 0, open for 1; "
            self.assertIn(last, out.splitlines()[-1])
            self.assertRegex(out, r"(?m)^\w+ +SB\+sc\+sc +proved ")
            tests = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            codes = {line["test"]: line["code"] for line in tests if line["type"] == "test"}
            self.assertEqual({name: code["verdict"] for name, code in codes.items()}, {"SB+sc+sc": "right", "MP+barrier": "open"})
            self.assertEqual(codes["SB+sc+sc"]["model"], "x86-TSO")
            # what is written says it, without the device
            self.assertIn(last, oclmm("grade", str(path))[1])
            # wrong code fails the run, whatever launches showed
            text = path.read_text(encoding="utf-8")
            path.write_text(re.sub('"code":{"verdict":"right","message":null', '"code":{"verdict":"wrong","message":"0:r0=0;"',
                                   text.replace('": ', '":').replace(', "', ',"')), encoding="utf-8")
            status, out, _ = oclmm("grade", str(path))
            self.assertEqual(status, 1)
            self.assertIn("verdict: WRONG CODE: ", out)
            tap = oclmm("grade", "-f", "tap", str(path))[1]
            self.assertRegex(tap, r"(?m)^not ok \d+ - SB\+sc\+sc")
            self.assertIn("; its code is wrong, read by x86-TSO: 0:r0=0;", tap)
        self.assertEqual(oclmm("run", "--audit", "--il", "spirv", "SB+sc+sc")[0], 2)


if __name__ == "__main__":
    if "PoCL" not in oclmm("devices")[1] or not (shutil.which("objdump") or shutil.which("llvm-objdump")):
        sys.exit(77)
    unittest.main()
