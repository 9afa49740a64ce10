#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""oclmm show --il: the module that a device would be given, of tests of each family, and whether it is the test.

usage: shown.py OCLMM ROOT
"""
import os
import re
import subprocess
import sys
import unittest

PROGRAM, ROOT = os.path.abspath(sys.argv[1]), sys.argv[2]
# One of each kind of operation, fence, barrier, space and placement.
TESTS = ["MP+rel+acq", "MP+rel+acq+local-flag", "MP+rel+acq+generic", "MP+barrier+local.flags=none",
         "SB+mem_fence+mem_fence", "LB+mem_fence+mem_fence", "MP+volatile+mem_fence",
         "SB+mem_fence+cmpxchg", "atomic_min+atomic_max", "atomic_sub+atomic_dec",
         "MP+flag-clear+flag-tas", "MP+rel+cas-fail-acq+na", "W64+R64",
         "fetch_add+float", "fetch_min+float.by=short", "fetch_max+float.type=double",
         "exchange+float.type=half", "IRIW+sc+sc+fence-sc+fence-sc"]


def show(*arguments, **variables):
    return subprocess.run([PROGRAM, "show", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120,
                          env=variables or None, check=False)


class Shown(unittest.TestCase):
    def test_module_is_the_test(self):
        for name in TESTS:
            with self.subTest(name):
                run = show("--il", name)
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                self.assertRegex(run.stdout.split("\n", 1)[0], rf"^; {re.escape(name)} by llvm-spirv|llc")
                self.assertRegex(run.stdout, r"(?m)^; orders and scopes of \d+ operations? are the test's")
                self.assertIn('OpName %oclmm_test "oclmm_test"', run.stdout)

    def test_what_differs_is_named(self):
        """The translator gives this barrier the scope of the work-group; one that does not is as well."""
        run = show("--il", "MP+sub_group_barrier")
        self.assertIn("OpControlBarrier", run.stdout)
        if run.returncode:
            self.assertEqual(run.returncode, 99)
            self.assertIn("the producer's module is not the test: P0, barrier 1, sub_group_barrier: is to be "
                          "memory_scope_sub_group, and is memory_scope_work_group", run.stderr)

    def test_an_operation_that_is_not_known_is_named(self):
        """SPIR-V has no subtraction of floating-point numbers: translators make it of an addition, llvm-spirv 14 does not."""
        run = show("--il", "fetch_sub+float")
        version = int(re.search(r"by llvm-spirv\S* (\d+)", run.stdout)[1])
        if version < 15:
            self.assertEqual(run.returncode, 99)
            self.assertIn("the producer's module is not the test: P0, operation 1, atomic_fetch_sub_explicit is missing",
                          run.stderr)
        else:
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertRegex(run.stdout, r"(?m)^; orders and scopes of \d+ operations? are the test's")

    def test_without_tools(self):
        run = show("--il", "MP+rel+acq", PATH="/nowhere")
        self.assertEqual(run.returncode, 99)
        self.assertIn("no toolchain for SPIR-V: no llvm-spirv", run.stderr)
        self.assertIn("apt-get install clang-14 llvm-spirv-14 spirv-tools", run.stderr)
        self.assertEqual(run.stdout, "")

    def test_one_thing_at_a_time(self):
        self.assertEqual(show("--il", "--kernel", "MP+rel+acq").returncode, 2)
        self.assertEqual(show("--producer", "llvm-spirv", "MP+rel+acq").returncode, 2)

    def test_each_producer(self):
        listed = show("--il", "--producer", "nobody", "MP+rel+acq")
        self.assertEqual(listed.returncode, 99)
        names = re.search(r"there are:(.*)", listed.stderr)[1].split()
        self.assertTrue(names)
        for name in names:
            with self.subTest(name):
                self.assertTrue(show("--il", "--producer", name, "MP+rel+acq").stdout.startswith(f"; MP+rel+acq by {name} "))


if __name__ == "__main__":
    if "no toolchain" in show("--il", "MP+rel+acq").stderr:
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
