# SPDX-License-Identifier: Apache-2.0
"""The life of a known failure as docs/ci.md tells it: each command ends with the status behind it."""

import datetime
import os
import pathlib
import re
import subprocess

import shown
from common import PROGRAM
from saved_results import ResultsCase, STRONG
import common

LAST_DAY = re.compile(r"(?<= \| )\d{4}-\d\d-\d\d(?=')")
STATUS = re.compile(r"^(oclmm .*?) +# (\d+)$")


def story():
    """The lines of the block of docs/ci.md that writes known-failures.txt; continued ones are joined.

    Its last day is still to come, whenever this runs.
    """
    for _, _, lines in shown.blocks((shown.ROOT / "docs/ci.md").read_text(encoding="utf-8")):
        if any(line.startswith("oclmm grade first.jsonl") for line in lines):
            text = "\n".join(lines).replace("\\\n", "")
            return text.replace(LAST_DAY.search(text)[0], f"{datetime.date.today().year + 1}-12-31").splitlines()
    raise AssertionError("docs/ci.md tells no such story")


class Story(ResultsCase):
    def setUp(self):
        super().setUp()
        self.write("litmus/seq-cst/SB+sc+sc.litmus", STRONG.replace("OPENCL STRONG", "OPENCL SB+sc+sc"))
        out, _ = self.run_program("check", "--json")
        self.hashes = {answer["test"]: answer["hash"] for answer in self.lines_of_json(out)}
        broken = self.one([2, 500, 500, 0])
        other = self.one([2, 500, 500, 0])
        # nobody stores a 2
        other["outcomes"][1]["values"]["0:r0"] = 2
        self.write_results("first", broken)
        self.write_results("other", other)
        self.write_results("mended", self.one([0, 500, 500, 2]))

    def one(self, counts):
        return self.record("SB+sc+sc", counts, device="NVIDIA H200", driver="580.1", file="seq-cst/SB+sc+sc.litmus")

    def write_results(self, name, record):
        self.results(f"{name}.jsonl", [record], device="NVIDIA H200", driver="580.1")

    def bash(self, line):
        environment = self.environment(PATH=f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}")
        return subprocess.run(["bash", "-c", line], cwd=self.folder, env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=240, check=False)

    def test_each_status(self):
        statuses = []
        for line in story():
            command = STATUS.match(line)
            done = self.bash(command[1] if command else line)
            wanted = int(command[2]) if command else 0
            self.assertEqual(done.returncode, wanted, f"{line}\n{done.stdout}\n{done.stderr}")
            statuses += [wanted] if command else []
        self.assertEqual(statuses, [1, 3, 1, 3, 1, 1])

    def test_each_verdict(self):
        """Not only the status: what is known is told as known, what is stale as stale."""
        line = next(line for line in story() if line.startswith("echo "))
        self.assertEqual(self.bash(line).returncode, 0)
        for name, verdict in (("first", "known"), ("other", "forbidden"), ("mended", "stale")):
            out, _ = self.run_program("grade", "--strict", "--expectations", "known-failures.txt", f"{name}.jsonl",
                                      status=None)
            self.assertRegex(out, rf"(?mi)^{verdict} +SB\+sc\+sc")


common.main()
