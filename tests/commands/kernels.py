# SPDX-License-Identifier: Apache-2.0
"""Kernels that `oclmm generate --kernels` draws."""

import re
import unittest

from common import SuiteCase

KERNELS = 300


class Kernels(SuiteCase):
    def test_same_kernel(self):
        """The seed and the number say which kernel it is, however many are asked for."""
        self.run_program("generate", "--kernels", "3", "--seed", "5", "--output", "few")
        self.run_program("generate", "--kernels", "4", "-s", "5", "--output", "more")
        self.run_program("generate", "--kernels", "1", "--seed", "6", "--output", "other")
        for number in range(3):
            self.assertEqual(self.read(f"few/drawn-5-{number}.litmus"), self.read(f"more/drawn-5-{number}.litmus"))
        self.assertEqual(self.run_program("generate", "--kernels", "1", "--seed", "6")[0],
                         self.read("other/drawn-6-0.litmus"))
        bodies = {self.read(f"more/drawn-5-{number}.litmus").split("\nkernel@")[1] for number in range(4)}
        self.assertEqual(len(bodies), 4)

    def test_legal(self):
        """All come to the same barriers, nothing races, and each has one outcome; all constructs are drawn."""
        self.run_program("generate", "--kernels", str(KERNELS), "--output", "drawn")
        files = [f"drawn/drawn-1-{number}.litmus" for number in range(KERNELS)]
        out, _ = self.run_program("check", *files)
        self.assertEqual(len(re.findall(r"(?m)^States 1$", out)), KERNELS)
        self.assertEqual(len(re.findall(r"(?m)^Observation \S+ Never ", out)), KERNELS)
        text = "\n".join(map(self.read, files))
        for words in (r"if \(", r"\} else \{", r"for \(", r"while \(i\d+ < \S+ \{|while \(", r"do \{", r"switch \(",
                      r"default: \{", r"break;", r"return;", r"li 0\.\.0 x 0\.\.4", r"wg 0\.\.1, ", r"\*m1 ",
                      r" g0\[", r" s0\[", r"FENCE \| CLK"):
            self.assertRegex(text, words)
        # a barrier in each, with the rest of the block behind it
        self.assertRegex(text, r"if \([n*]\S+ == \d\) \{\n +barrier")
        self.assertRegex(text, r"for \([^\n]*\n +barrier")

    def test_refused(self):
        for words, told in ((("--kernels", "2"), "--kernels needs --output, unless it is 1"),
                            (("--kernels", "1000001"), "--kernels is between 1 and 1000000"),
                            (("--seed", "2", "Rfe"), "--seed goes with --kernels"),
                            (("--kernels", "1", "--shape", "MP"), "give a cycle, --shape, --all, --kernels or --tight")):
            _, err = self.run_program("generate", *words, status=2)
            self.assertIn(told, err)


unittest.main()
