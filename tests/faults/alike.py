#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Devices that have their bug in test and control alike, and show it by a rule: none of them passes by its control's hits.

    alike.py PROGRAM LAYER ALIKE-LAYER

What an honest device would have passed by chance is asked for at a level that chance does not reach.
"""

import os
import re
import sys

ALIKE = os.path.abspath(sys.argv.pop(3))

from fault_case import LAYER, FaultCase  # noqa: E402 (takes the command line)
from common import main  # noqa: E402
from drawn import drawn  # noqa: E402
from robustness import ends_as  # noqa: E402
from store_buffering import SB  # noqa: E402

ENVIRONMENT = "groups=2 lanes=4 rounds=512 polls=100000 poll_every=16 poll_budget=16777216 direct=1"
BY_LAUNCHES = "shows it by the launch before, the place in the block, or each second launch"
BY_STIMULUS = "shows the bug by the stimulus, alike in test and control"
RULES = re.findall(r'(?m)^\t\t\{"([a-z-]+)", ', open(os.path.splitext(os.path.abspath(__file__))[0] + ".c", encoding="utf-8").read())


class Alike(FaultCase):
    def test_rules(self):
        self.assertEqual(len(RULES), 20)
        self.write("litmus/relaxed/SB.litmus", SB)
        self.run_program("check", "--write")
        for rule in drawn(RULES, 3):
            with self.subTest(rule=rule):
                out, _ = self.run_program("run", "--environment", ENVIRONMENT, "--instances", "300000", "--seed", "11", "--compilers", "0",
                                          "--timeout", "60", "--cache", "never", "--confidence", "0.99999", "--format", "json", "SB", status=None,
                                          environment=self.environment(OPENCL_LAYERS=f"{LAYER}:{ALIKE}", OCLMM_ALIKE=rule))
                record = self.records(out)["SB"]
                self.assertIn(record["verdict"], ("forbidden", "pass"))
                if record["verdict"] == "pass":
                    claim = next(line for line in self.lines_of_json(out) if line["type"] == "confidence")
                    self.assertNotEqual(claim["hardware"], "reached")
                else:
                    ends_as(BY_STIMULUS if re.fullmatch("pattern|parameters", rule) else BY_LAUNCHES, "forbidden")


if __name__ == "__main__":
    main()
