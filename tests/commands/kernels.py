# SPDX-License-Identifier: Apache-2.0
"""Kernels that `oclmm generate --kernels` draws, and that commands take by name."""

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

    def test_trips(self):
        """Loops that turn differently often: in each kernel, and legal by 3.0; by 2.0 where work-items part in none."""
        self.run_program("generate", "--kernels", "100", "--trips", "--output", "trips")
        files = [f"trips/trips-1-{number}.litmus" for number in range(100)]
        out, _ = self.run_program("check", "--model", "opencl-3.0", *files)
        self.assertEqual(len(re.findall(r"(?m)^Observation \S+ Never 0 1$", out)), 100)
        out, _ = self.run_program("check", "--model", "opencl-2.0", *files)
        undefined = re.findall(r'(?m)^Undefined=barrier divergence in opencl-2.0: .* turns of the loop in line .*'
                               r'"for each iteration of the loop"$', out)
        self.assertEqual(len(undefined) + len(re.findall(r"(?m)^Observation \S+ Never 0 1$", out)), 100)
        self.assertGreater(len(undefined), 50)
        for number in range(100):
            self.assertRegex(self.read(f"trips/trips-1-{number}.litmus"),
                             r"(for \(uint (i\d+) = 0; \2|while \(i\d+) < \S+ \+ (l % 3|\(l & 1\)|2 - l % 2|\(l == 0)")

    def test_by_name(self):
        """A name is all that it takes: it gives the file that is drawn."""
        for word, option in (("drawn", ()), ("trips", ("--trips",))):
            text, _ = self.run_program("generate", "--kernels", "1", "--seed", "7", *option)
            self.write("one.litmus", text)
            self.assertEqual(self.run_program("show", f"{word}-7-0")[0], self.run_program("show", "one.litmus")[0])
        names = self.run_program("list", "drawn-7-2..5", "drawn-7-4", "trips-0-3", "SB")[0].split()
        self.assertEqual(names, ["drawn-7-2", "drawn-7-3", "drawn-7-4", "drawn-7-5", "trips-0-3", "SB"])

    def test_no_name(self):
        for word in ("drawn-7", "drawn-7-", "drawn-07-1", "drawn-7-01", "drawn--7-1", "drawn-7-1..", "drawn-7-1.", "drawn-7-1x",
                     "drawn-18446744073709551616-1", "Drawn-7-1", "drawn-7- 1", "drawn-7-1..2..3"):
            _, err = self.run_program("check", word, status=2)
            self.assertIn(f'no test, file or folder matches "{word}"', err)
        for word in ("drawn-7-3..2", "drawn-7-0..1000000"):
            _, err = self.run_program("check", word, status=2)
            self.assertIn("is no range of drawn kernels: first..last, at most 1000000", err)
        self.assertEqual(self.run_program("list", "drawn-18446744073709551615-18446744073709551615")[0],
                         "drawn-18446744073709551615-18446744073709551615\n")

    def test_refused(self):
        for words, told in ((("--kernels", "2"), "--kernels needs --output, unless it is 1"),
                            (("--kernels", "1000001"), "--kernels is between 1 and 1000000"),
                            (("--seed", "2", "Rfe"), "--seed goes with --kernels"),
                            (("--trips", "Rfe"), "--trips goes with --kernels"),
                            (("--kernels", "1", "--shape", "MP"), "give a cycle, --shape, --all, --kernels or --tight")):
            _, err = self.run_program("generate", *words, status=2)
            self.assertIn(told, err)


unittest.main()
