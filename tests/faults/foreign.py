# SPDX-License-Identifier: Apache-2.0
"""A device used by the program of another platform, by Wine say, whose children are the program started anew.

usage: foreign.py PROGRAM LAYER OWN
PROGRAM starts that program; OWN is the one of this platform. What a driver prints does not come through an emulator, so nothing here asks for
it. Exit status 77: there is no device, or no loader that knows layers.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

OWN = os.path.abspath(sys.argv.pop(3))

from fault_case import FEW, SILENCE, FaultCase, litmus  # noqa: E402 (takes the command line)
import common  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
# How long a killed child may be seen; it is the system that ends it.
GONE = 20
FILES = ("--output", "all.jsonl", "--output", "all.xml")


class Foreign(FaultCase):
    def tearDown(self):
        self.assertEqual(self.processes(), [], "somebody stays")

    def processes(self):
        """Children and their parents that run for this test: each has its folder in its environment."""
        mark = f"XDG_RUNTIME_DIR={self.folder}".encode()
        found = []
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{process}/environ", "rb") as variables, open(f"/proc/{process}/cmdline", "rb") as words:
                    if mark in variables.read().split(b"\0") and b"oclmm" in words.read():
                        found.append(int(process))
            except OSError:  # it has gone, or is another user's
                pass
        return found

    def own(self, *arguments, status=0):
        result = subprocess.run([OWN, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=common.PATIENCE,
                                env=self.environment(), stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, status, result.stderr)
        return result.stdout

    def both(self, *arguments):
        """The programs of both platforms make the same of the same files, whatever is in them."""
        here = subprocess.run([OWN, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=common.PATIENCE,
                              env=self.environment(), stdin=subprocess.DEVNULL)
        self.assertEqual(self.run_program(*arguments, status=here.returncode), (here.stdout, here.stderr))

    def begin(self, *arguments, **more):
        """A run that goes on beside the test."""
        run = subprocess.Popen([common.PROGRAM, "run", *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self.spoilt(**more))
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        return run

    def verdicts(self):
        return {name: (record["verdict"], record["cause"]) for name, record in
                self.records(self.read("all.jsonl")).items()}

    def test_the_same_devices(self):
        here, there = self.own("devices"), self.run_program("devices")[0]
        self.assertEqual(there, here)
        self.assertRegex(here, "(?m)^0 ")

    def test_each_fault_costs_its_own_test(self):
        self.spoil("crash", "hang", "leave")
        self.run_program("run", *FEW, *FILES, status=99, environment=self.spoilt())
        verdicts = self.verdicts()
        self.assertEqual(verdicts.pop("crash")[0], "crash")
        self.assertEqual(verdicts.pop("leave")[0], "crash")
        self.assertEqual(verdicts.pop("hang"), ("timeout", "hang"))
        self.assertEqual(verdicts, {name: ("pass", None) for name in ("good-0", "good-1", "good-2", "last")})
        record = self.records(self.read("all.jsonl"))["hang"]
        self.assertIn(f"nothing was heard for {SILENCE} s", record["message"])
        cases = {case.get("name"): case for case in ElementTree.parse(self.folder / "all.xml").iter("testcase")}
        self.assertEqual({name for name, case in cases.items() if case.find("error") is not None},
                         {"crash", "leave", "hang"})

    def test_results_are_those_of_any_platform(self):
        """The same stimulus gives a file here and there; what is made of it is the same to the last byte."""
        self.write("litmus/relaxed/t.litmus", litmus("first", "x"))
        self.run_program("check", "--write")
        self.run_program("run", *FEW, *FILES, status=3)
        there = self.records(self.read("all.jsonl"))["first"]
        self.assertEqual(self.own("grade", "--format", "junit", "all.jsonl", status=3), self.read("all.xml"))
        self.assertEqual(self.own("report", "all.jsonl"), self.run_program("report", "all.jsonl")[0])
        (self.folder / "all.jsonl").rename(self.folder / "there.jsonl")
        self.own("run", *FEW, "--output", "here.jsonl", status=3)
        here = self.records(self.read("here.jsonl"))["first"]
        for key in ("hash", "stimulus", "launches", "instances", "environment"):
            self.assertEqual(there[key], here[key], key)
        for files in (("there.jsonl", "here.jsonl"), ("here.jsonl", "there.jsonl")):
            for command in ("compare", "merge"):
                self.both(command, "--partial", *files)
        # what was merged there is graded here; not both, which may have begun in one second and then are refused
        self.run_program("merge", "--partial", "-o", "merged.jsonl", "there.jsonl")
        self.own("grade", "--partial", "merged.jsonl", status=3)

    def test_bugs_are_planted(self):
        """Each time that it can show, whatever the device does: in a text, in a call, and in neither. The loader knows nothing of it."""
        plants = "returns-new", "start-changed", "cas-split"
        out = self.run_program("planted", *(word for plant in plants for word in ("--plant", plant)), "--json", "--seconds", "300",
                               "--instances", "20000", "fetch_add+values", status=1,
                               environment=self.environment(OCLMM_SUITE=str(ROOT)))[0]
        found = {line["plant"]: line for line in self.lines_of_json(out) if line["type"] == "plant"}
        self.assertEqual({name: line["result"] for name, line in found.items()},
                         {"none": "clean", "returns-new": "killed", "start-changed": "killed", "cas-split": "untouched"})
        self.assertEqual({name for name, line in found.items() if line["places"]}, {"returns-new", "start-changed"})
        self.assertGreater(min(line["programs"] for line in found.values()), 0)

    def test_a_driver_s_code_is_read(self):
        self.write("litmus/relaxed/t.litmus", litmus("first", "x"))
        audit = ("audit", "--device", "0", "first")
        there, here = self.run_program(*audit, status=(3, 99))[0], self.own(*audit, status=3)
        # the driver's code has come; what reads it may be no program of that platform
        self.assertEqual(there.splitlines()[:2], here.splitlines()[:2])
        self.assertTrue(there == here or "no objdump, which reads the driver's code" in there, there)

    def test_whole_kernels_are_right(self):
        said = self.run_program("idiom", "last-group-done",
                                environment=self.environment(OCLMM_SUITE=str(ROOT)))[0]
        self.assertIn("kernels", said)

    def until_it_hangs(self):
        """Begins a run that hangs in its last test, with all before it on the disk."""
        self.write("litmus/relaxed/t.litmus", litmus("first", "x"))
        self.write("litmus/relaxed/u.litmus", litmus("hang", "fault_hang"))
        self.run_program("check", "--write")
        run = self.begin(*FEW[:-1], "600", "--output", "all.jsonl", OCLMM_FAULT_ONCE=str(self.folder / "once"))
        self.until(lambda: (self.folder / "once").exists())
        return run

    def go_on(self):
        """Whoever has another run's results goes on with them, and without the fault."""
        lines = self.lines_of_json(self.read("all.jsonl"))
        self.assertEqual(lines[0]["type"], "run")
        said = self.run_program("run", *FEW, "--resume", "all.jsonl", status=3)[1]
        self.assertIn("already there", said)
        records = [line["test"] for line in self.lines_of_json(self.read("all.jsonl")) if line["type"] == "test"]
        self.assertEqual(sorted(set(records)), ["first", "hang"])

    def test_a_device_is_for_one_run(self):
        run = self.until_it_hangs()
        said = self.run_program("run", *FEW, "--no-wait", status=99)[1]
        self.assertRegex(common.joined(said), r"is in use by process \d+")
        run.kill()
        run.wait()
        self.until(lambda: not self.processes())
        self.go_on()

    def test_an_interrupt_ends_all(self):
        run = self.until_it_hangs()
        before = time.monotonic()
        run.send_signal(signal.SIGINT)
        said = run.communicate(timeout=60)[0]
        self.assertLess(time.monotonic() - before, GONE)
        self.assertEqual(run.returncode, 99, said)
        self.assertIn("the run was interrupted", said)
        self.assertTrue(re.search(r"--resume all\.jsonl", common.joined(said)), said)
        self.until(lambda: not self.processes())
        self.go_on()


if __name__ == "__main__":
    common.main()
