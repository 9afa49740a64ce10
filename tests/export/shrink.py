# SPDX-License-Identifier: Apache-2.0
"""Kernels made small by `oclmm shrink`: what a planted bug spoils is found again, and named."""

import os
import re
import sys
import unittest

LAYER = os.path.abspath(sys.argv.pop(2))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

from common import SuiteCase  # noqa: E402 (takes the program from the command line)

# The work behind the barrier in the branch is what `branch-rest` loses; all else is in its way.
KERNEL = """OPENCL K

"Is the work behind the barrier done?"

(* Result: Never *)

{
out[12] = {7};
n = 2;
m = 3;
}

kernel@wg 0..2, li 0..3 (global int *out, int n, int m) {
  const int l = get_local_id(0), at = get_global_id(0);
  int a = l, b = 0;

  for (int i = 0; i < m; i++) {
    b += i;
  }
  if (n == 2) {
    b += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    a += 10;
  }
  switch (m) {
  case 3:
    b += 2;
    break;
  default:
    b = 0;
  }
  out[at] = a + 100 * b;
}

locations [out;]
exists (out[0]=7)
"""


class Shrink(SuiteCase):
    def shrink(self, *arguments, plant=None, status=0):
        more = {"OPENCL_LAYERS": LAYER, "OCLMM_PLANT": plant} if plant else {}
        return self.run_program("shrink", *arguments, status=status, environment=self.environment(**more))

    def test_named(self):
        self.write("K.litmus", KERNEL)
        _, err = self.shrink("--output", "small", "--seconds", "200", "K.litmus", plant="branch-rest", status=1)
        text = self.read("small/K.litmus")
        self.assertRegex(text, r"\(\* as after rest-lost in line \d+ of the body: what stands behind a barrier in its "
                               r"block is left out \(--bug pocl-lost-region\) \*\)")
        self.assertIn("K: wrong, ", err)
        self.assertIn("1 tests, 1 wrong, 0 of them without a name, 0 not run; ", err)
        body = text[text.index("kernel@"):text.index("\n}\n\nlocations")]
        for words in ("for (", "switch", "b +="):
            self.assertNotIn(words, body)
        self.assertIn("kernel@wg 0..0, li 0..0 ", body)
        self.assertIn("barrier(", body)
        # it is a test, which goes wrong as the first one did
        self.assertRegex(self.run_program("check", "small/K.litmus")[0], r"Observation K Never")
        self.shrink("--seconds", "1", "small/K.litmus", plant="branch-rest", status=1)

    def test_right(self):
        self.write("K.litmus", KERNEL)
        out, err = self.shrink("K.litmus")
        self.assertEqual(out, "")
        self.assertIn("K: right\n1 tests, 0 wrong", err)

    def test_from_run(self):
        """What run found wrong among drawn kernels it makes small by itself, so many of them, unless none is asked for."""
        environment = self.environment(OPENCL_LAYERS=LAYER, OCLMM_PLANT="none-enters")

        def run(*more):
            return self.run_program("run", "-n", "1k", "--no-controls", "drawn-1-0..2", *more, status=1, environment=environment)
        out, err = run("--artifacts", "failed", "--shrink", "1")
        wrong = re.findall(r"(?m)^FORBIDDEN +(\S+)", out)
        self.assertTrue(wrong, out)
        self.assertRegex(err, rf"(?m)^{wrong[0]}: wrong, \d+ lines: ")
        self.assertEqual(len(re.findall(r"(?m)^\S+: wrong, ", err)), 1, err)
        self.assertEqual(f"{len(wrong) - 1} more failed: oclmm shrink makes them small" in err, len(wrong) > 1)
        small = f"failed/{wrong[0]}/small/{wrong[0]}.litmus"
        self.assertLess(len(self.read(small)), len(self.run_program("show", wrong[0])[0]))
        self.assertIn(f"Observation {wrong[0]} Never", self.run_program("check", small)[0])
        _, err = run("--shrink", "0")
        self.assertNotIn(": wrong, ", err)

    def test_others(self):
        """A test of roles has no text that could be made small; a device that is not there runs nothing."""
        _, err = self.shrink("SB")
        self.assertIn("SB: its work-items do not share a text\n", err)
        self.write("K.litmus", KERNEL)
        _, err = self.shrink("-d", "no such device", "K.litmus", status=99)
        self.assertRegex(err, r"(?m)^K: not run: .*no such device")
        _, err = self.run_program("shrink", "K.litmus", status=99,
                                  environment=self.environment(OCLMM_OPENCL="/none/libOpenCL.so"))
        self.assertRegex(err, r"(?m)^K: not run: .*there is no OpenCL loader: /none/libOpenCL.so")
        # two ends are right, so that none is wrong
        self.write("two.litmus", KERNEL.replace("OPENCL K", "OPENCL two").replace("out[at] =", "out[0] ="))
        _, err = self.shrink("two.litmus", status=99)
        self.assertIn("two: not run: the oracle does not say that it ends, and in one way\n", err)
        self.assertIn("name a test, or a file", self.shrink(status=2)[1])
        self.assertTrue(re.search(r"no test", self.shrink("NONE", status=2)[1]))


unittest.main()
