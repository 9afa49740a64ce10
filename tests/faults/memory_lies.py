# SPDX-License-Identifier: Apache-2.0
"""Drivers that lose or mix up memory where no call says so: no test that they ran is a pass."""

import os
import sys

LIES = os.path.abspath(sys.argv.pop(3))

from fault_case import LAYER, FaultCase, litmus, passing  # noqa: E402 (takes the command line)
from common import main  # noqa: E402
from robustness import ends_as  # noqa: E402

LOST = "loses a line of what a kernel stored"
# Rows of docs/robustness.md, and from which launch on.
ROWS = {
    "line": (LOST, 8),
    "some": (LOST, 8),
    "mirror": ("maps two parts of a buffer to one memory", 0),
    "flip": ("flips single bits of what is read", 8),
}
RUN = ("--environment", "groups=4 lanes=4 rounds=1024 direct=1 count_lanes=8 count_each=8", "--instances", "500000", "--seed", "11",
       "--compilers", "0", "--timeout", "60", "--no-controls", "--cache", "never", "--format", "json")


class MemoryLies(FaultCase):
    def lied_to(self, lie, after=0):
        out, _ = self.run_program("run", *RUN, status=None, environment=self.environment(
            OPENCL_LAYERS=f"{LAYER}:{LIES}", OCLMM_LIE=lie, OCLMM_LIE_AFTER=str(after)))
        return self.records(out)

    def test_memory(self):
        self.write("litmus/relaxed/own.litmus", passing("own", "x", "y"))
        self.write("litmus/relaxed/plain.litmus", litmus("plain", "x"))
        self.run_program("check", "--write")
        for record in self.lied_to("none").values():
            self.assertEqual(record["verdict"], "pass")
        for lie, (row, after) in ROWS.items():
            with self.subTest(lie=lie):
                records = self.lied_to(lie, after)
                self.assertEqual(len(records), 2)
                for record in records.values():
                    self.assertIn(record["verdict"], ("lost", "forbidden"))
                    ends_as(row, record["verdict"])


if __name__ == "__main__":
    main()
