# SPDX-License-Identifier: Apache-2.0
"""Drivers that lie in further ways: none of it passes, and each run says what was not as it should be."""

import os
import signal
import subprocess
import sys

LIES = os.path.abspath(sys.argv.pop(3))

from fault_case import LAYER, MANY, SILENCE, FaultCase, litmus, passing  # noqa: E402 (takes the command line)
from common import PROGRAM, joined, main  # noqa: E402
from robustness import ends_as  # noqa: E402

# Rows of docs/robustness.md.
PART = "reads a part, and leaves the rest"
ARGUMENTS = "gives a kernel the arguments of another launch, or keeps the first"
# Which lie it is, and what is said of a launch, from the fourth one on.
TOLD = {
    "first": (PART, "nothing was read back|foreign values were counted|outcomes were counted of|another launch's"),
    "last": (PART, "outcomes were counted of|another launch's|did not play"),
    "pages": (PART, "another launch's|outcomes were counted of|nothing was read back|did not play"),
    "rounds": ("plays half of the rounds", "work-items did not play all their rounds"),
    "own": (ARGUMENTS, "another launch's arguments"),
    "counting": (ARGUMENTS, "another launch's arguments"),
    "both": (ARGUMENTS, "another launch's arguments"),
}


class Lies(FaultCase):
    def lied(self, lie, **more):
        return self.environment(OPENCL_LAYERS=f"{LAYER}:{LIES}", OCLMM_LIE=lie,
                                OCLMM_LIE_FILE=str(self.folder / f"{lie}.asked"), **more)

    def suite(self, **tests):
        for name, text in tests.items():
            self.write(f"litmus/relaxed/{name}.litmus", text)
        self.run_program("check", "--write")

    def test_launches(self):
        """Some read, some played: the counts that did come are none."""
        self.suite(own=passing("own", "x", "y"), plain=litmus("plain", "x"))
        for lie, (row, words) in TOLD.items():
            self.run_program("run", *MANY, "--no-controls", "--output", "all.jsonl", status=99,
                             environment=self.lied(lie, OCLMM_LIE_AFTER="8"))
            for name, record in self.records(self.read("all.jsonl")).items():
                ends_as(row, record["verdict"])
                self.assertEqual((record["verdict"], record["cause"]), ("lost", "results-lost"), (lie, name))
                self.assertRegex(record["message"], rf"launch \d+: .*({words})", lie)
            (self.folder / "all.jsonl").unlink()

    def test_results_of_an_earlier_launch(self):
        """Counted once more they would be launches that never were; a control's, hits of them."""
        self.suite(plain=litmus("plain", "x"))
        self.run_program("run", *MANY, "--output", "all.jsonl", environment=self.lied("none"), status=3)
        self.run_program("run", *MANY, "--output", "lied.jsonl", status=1,
                         environment=self.lied("planes", OCLMM_LIE_AFTER="8"))
        honest, lied = (self.records(self.read(file))["plain"] for file in ("all.jsonl", "lied.jsonl"))
        self.assertEqual((honest["forbidden"], lied["verdict"]), (0, "forbidden"))
        ends_as("lets results of an earlier launch be counted again", lied["verdict"])
        # all from the fourth launch on
        self.assertGreater(lied["forbidden"], lied["instances"] * 9 // 10)

    def test_buffers_and_kernels(self):
        """Two buffers that are one; the kernel of one test in the place of another's that stands beside it."""
        self.suite(MP=passing("MP", "x", "y").replace(
            "\n\n{", "\n\nvary order: memory_order_release => memory_order_relaxed\ncontrol order=rlx\n\n{", 1))
        for lie, row in (("alias", "exchanges two buffers, or makes one of two"),
                         ("kernels", "makes one kernel of two, or takes one program for another")):
            self.run_program("run", *MANY, "MP", "--output", "all.jsonl", status=99, environment=self.lied(lie))
            record = self.records(self.read("all.jsonl"))["MP"]
            self.assertEqual((record["verdict"], record["cause"]), ("lost", "results-lost"), lie)
            self.assertIn("another program's kernel ran", record["message"])
            ends_as(row, record["verdict"])
            (self.folder / "all.jsonl").unlink()

    def test_foreign_values(self):
        """As zeros they would be an outcome that is allowed, and what is forbidden would be gone."""
        self.suite(own=passing("own", "fault_forge", "y"))
        self.run_program("run", *MANY, "--output", "all.jsonl", status=1, environment=self.lied("none"))
        self.assertGreater(self.records(self.read("all.jsonl"))["own"]["forbidden"], 0)
        self.run_program("run", *MANY, "--output", "lied.jsonl", status=99, environment=self.lied("zeros"))
        record = self.records(self.read("lied.jsonl"))["own"]
        self.assertEqual((record["verdict"], record["cause"]), ("lost", "results-lost"))
        self.assertIn("foreign values were counted, and others read back", record["message"])
        ends_as("gives zeros for values that no execution produces", record["verdict"])

    def test_claims_that_change(self):
        """What gates is decided by what the device claimed when it was listed; it may not claim less when it is opened."""
        self.suite(wide=passing("wide", "fault_forge", "y").replace("work_group", "device"),
                   well=passing("well", "x", "y"))
        self.run_program("run", *MANY, status=1, environment=self.lied("none"))
        for lie in ("claims", "version"):
            out, err = self.run_program("run", *MANY[:-1], str(SILENCE), status=99, environment=self.lied(lie))
            self.assertTrue((self.folder / f"{lie}.asked").exists())
            self.assertIn("claims something else than before", joined(err))
            self.assertIn("verdict: incomplete", out)
            ends_as("claims less, or an older version, to one process than to the others", "99")

    def test_claims_that_change_between_parts_of_a_run(self):
        """What was begun by other claims or another version is not gone on with."""
        self.suite(a=passing("a", "x", "y"), b=passing("b", "x", "y"))
        for lie in ("claims", "version"):
            self.run_program("run", *MANY, "--no-controls", "--output", "whole.jsonl", environment=self.lied("none"), status=3)
            lines = self.read("whole.jsonl").splitlines(keepends=True)
            self.write("cut.jsonl", "".join(lines[:2]))
            self.write(f"{lie}.asked", "")
            _, err = self.run_program("run", *MANY, "--no-controls", "--resume", "cut.jsonl", status=2,
                                      environment=self.lied(lie))
            self.assertIn("cut.jsonl:1: was begun when the device claimed something else", joined(err))
            self.assertEqual(self.read("cut.jsonl"), "".join(lines[:2]))
            ends_as("claims less, or an older version, than the part of a run that is resumed", "refused")
            self.run_program("run", *MANY, "--no-controls", "--resume", "cut.jsonl", environment=self.lied("none"), status=3)

    def test_results_of_another_run_stay(self):
        """A run that waited for the device in vain takes its empty file away, and none that has the name since."""
        self.suite(slow=litmus("slow", "fault_hang"))
        environment = self.lied("none")
        with subprocess.Popen([PROGRAM, "run", *MANY[:-1], "60", "--output", "slow.jsonl"], cwd=self.folder,
                              env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as first:
            self.until(lambda: (self.folder / "slow.jsonl").exists() and self.read("slow.jsonl"))
            with subprocess.Popen([PROGRAM, "run", *MANY, "--wait", "5", "--output", "all.jsonl"], cwd=self.folder,
                                  env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as second:
                self.until((self.folder / "all.jsonl").exists)
                self.write("another", "of another run")
                (self.folder / "another").replace(self.folder / "all.jsonl")
                self.assertEqual(second.wait(60), 99)
            first.send_signal(signal.SIGINT)
        self.assertEqual(self.read("all.jsonl"), "of another run")


if __name__ == "__main__":
    main()
