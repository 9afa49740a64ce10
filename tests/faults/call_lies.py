# SPDX-License-Identifier: Apache-2.0
"""Drivers that do not quite do what they are called for, call by call: no test that they ran is a pass."""

import os
import sys

LIES = os.path.abspath(sys.argv.pop(3))

from fault_case import LAYER, FaultCase, litmus, passing  # noqa: E402 (takes the command line)
from common import main  # noqa: E402
from drawn import drawn  # noqa: E402

# From this launch on, and what is said if it is not left to the driver.
TOLD = {
    "tired": (0, "did not run|neither kernel ran"),
    "local": (8, "did not play"),
    "origin": (8, "with the ids of the launch"),
    "alike": (8, "another launch's arguments"),
    "late": (8, "did not run"),
    "swap": (8, "did not run"),
    "other": (8, ""),
    "half": (8, "did not play"),
    "cold": (0, "launch 0: .*did not play"),
    "shifted": (8, "with the ids of the launch"),
    "thrice": (8, "ran, not"),
    "overlap": (0, ""),
    "small": (0, ""),
    "low": (8, "another launch's"),
    "byte": (8, "another launch's"),
    "other-end": (8, "another launch's"),
    "where": (8, "another launch's|nothing was read"),
    "unread": (8, "another launch's|did not run|nothing was read"),
    "unwaited": (8, ""),
    "unfilled": (0, ""),
    "unmade": (0, ""),
    "constant": (8, "another launch's"),
}
ENVIRONMENT = "groups=4 lanes=4 rounds=32 direct=1 offset=1000 count_lanes=8 count_each=8"
RUN = ("--environment", ENVIRONMENT, "--instances", "20000", "--seed", "11", "--compilers", "0", "--timeout", "20",
       "--no-controls", "--cache", "never", "--format", "json")


class CallLies(FaultCase):
    def setUp(self):
        super().setUp()
        self.write("litmus/relaxed/own.litmus", passing("own", "x", "y"))
        self.write("litmus/relaxed/plain.litmus", litmus("plain", "x"))

    def lied_to(self, lie, after=0):
        out, _ = self.run_program("run", *RUN, status=None, environment=self.environment(
            OPENCL_LAYERS=f"{LAYER}:{LIES}", OCLMM_LIE=lie, OCLMM_LIE_AFTER=str(after)))
        return self.records(out)

    def test_calls(self):
        self.run_program("check", "--write")
        for record in self.lied_to("none").values():
            self.assertEqual(record["verdict"], "pass")
        # no other test looks at a kernel's first launch
        chosen = dict(drawn(TOLD.items(), 7)) | {"cold": TOLD["cold"]}
        for lie, (after, words) in chosen.items():
            with self.subTest(lie=lie):
                records = self.lied_to(lie, after)
                self.assertEqual(len(records), 2)
                for record in records.values():
                    self.assertIn(record["verdict"], ("lost", "forbidden", "crash", "timeout", "build-failed"))
                    self.assertRegex(record["message"] or "", words or "^")

    def test_texts_that_are_as_long(self):
        """A driver's cache that takes one for the other: the first is as it should be, the second no pass."""
        self.write("litmus/relaxed/pwn.litmus", passing("pwn", "x", "z"))
        self.run_program("check", "--write")
        records = self.lied_to("length")
        self.assertEqual((records["own"]["verdict"], records["pwn"]["verdict"]), ("pass", "lost"))
        self.assertIn("another program's kernel ran", records["pwn"]["message"])


if __name__ == "__main__":
    main()
