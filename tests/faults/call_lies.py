# SPDX-License-Identifier: Apache-2.0
"""Drivers that do not quite do what they are called for, call by call: no test that they ran is a pass."""

import os
import sys

LIES = os.path.abspath(sys.argv.pop(3))

from fault_case import LAYER, FaultCase, litmus, passing  # noqa: E402 (takes the command line)
from common import main  # noqa: E402
from drawn import drawn  # noqa: E402
from robustness import ends_as  # noqa: E402

# Rows of docs/robustness.md.
NOT_RUN = "does not run a test kernel, or does nothing at all"
CHOSEN = "chooses work-groups by itself, or begins launches elsewhere"
LATE = "runs kernels out of order, or late"
OLD = "reads nothing back, or old bytes, of this run or another"
ELSEWHERE = "reads from another place, in another order of bytes, or numbers that it made up"
BUFFERS = "makes buffers too small, overlapping or empty"
# Which lie it is, from which launch on, and what is said if it is not left to the driver.
TOLD = {
    "tired": (NOT_RUN, 0, "did not run|neither kernel ran"),
    "local": (CHOSEN, 8, "did not play"),
    "origin": (CHOSEN, 8, "with the ids of the launch"),
    "alike": ("gives a kernel the arguments of another launch, or keeps the first", 8, "another launch's arguments"),
    "late": (LATE, 8, "did not run"),
    "swap": (LATE, 8, "did not run|ran before"),
    "other": (CHOSEN, 8, ""),
    "half": ("runs one work-item of each group, or half of them", 8, "did not play"),
    "cold": ("does not do all of the first launch of a kernel, and all of every other one", 0, "launch 0: .*did not play"),
    "shifted": (CHOSEN, 8, "with the ids of the launch"),
    "thrice": ("runs a kernel twice, or the last one again at each wait", 8, "ran, not"),
    "overlap": (BUFFERS, 0, ""),
    "small": (BUFFERS, 0, ""),
    "low": (OLD, 8, "another launch's"),
    "byte": (OLD, 8, "another launch's"),
    "other-end": (ELSEWHERE, 8, "another launch's"),
    "where": (ELSEWHERE, 8, "another launch's|nothing was read"),
    "unread": ("reads a part, and leaves the rest", 8, "another launch's|did not run|nothing was read"),
    "unwaited": ("ends waits early", 8, ""),
    "unfilled": (BUFFERS, 0, ""),
    "unmade": (BUFFERS, 0, ""),
    "constant": (ELSEWHERE, 8, "another launch's"),
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
        for lie, (row, after, words) in chosen.items():
            with self.subTest(lie=lie):
                records = self.lied_to(lie, after)
                self.assertEqual(len(records), 2)
                for record in records.values():
                    self.assertIn(record["verdict"], ("lost", "forbidden", "crash", "timeout", "build-failed"))
                    ends_as(row, record["verdict"])
                    self.assertRegex(record["message"] or "", words or "^")

    def test_texts_that_are_as_long(self):
        """A driver's cache that takes one for the other: the first is as it should be, the second no pass."""
        self.write("litmus/relaxed/pwn.litmus", passing("pwn", "x", "z"))
        self.run_program("check", "--write")
        records = self.lied_to("length")
        self.assertEqual((records["own"]["verdict"], records["pwn"]["verdict"]), ("pass", "lost"))
        self.assertIn("another program's kernel ran", records["pwn"]["message"])
        ends_as("takes a program for another whose text is as long", records["pwn"]["verdict"])


if __name__ == "__main__":
    main()
