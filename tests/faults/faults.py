# SPDX-License-Identifier: Apache-2.0
"""Drivers that crash, hang and lie: each failure is named, and costs no other test."""

import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

LAYER = os.path.abspath(sys.argv.pop(2))

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import common  # noqa: E402 (takes the program from the command line)
from common import LB, SB, SuiteCase  # noqa: E402

# A driver that is well is heard of within this on a machine with much else to do.
SILENCE = 15
# What each fault is told as: the verdict, its cause, and words of the message.
FAULTS = {
    "build": ("build-failed", "build", "refuses the kernel"),
    "crash": ("crash", "process-ended", "signal 11"),
    "leave": ("crash", "process-ended", "status 3"),
    "hang": ("timeout", "hang", f"nothing was heard for {SILENCE} s"),
    "short": ("lost", "results-lost", "outcomes were counted of"),
    "memory": ("crash", "out-of-memory", "out of memory: clCreateBuffer: CL_MEM_OBJECT_ALLOCATION_FAILURE"),
    "gone": ("lost", "device-lost", "device lost: clEnqueueNDRangeKernel: CL_DEVICE_NOT_AVAILABLE"),
}
FEW = ("--instances", "5000", "--seed", "11", "--timeout", str(SILENCE))
# Where a fault is to strike once: a process that only compiles beforehand would meet it, too.
ALONE = (*FEW, "--compilers", "0")


def litmus(name, location):
    """Store buffering in one work-group, which every device claims, its first location called `location`."""
    text = SB.replace("OPENCL SB", f"OPENCL {name}").replace("\nvary order: memory_order_relaxed => "
                                                             "memory_order_seq_cst\n", "")
    text = text.replace("@wg 1", "@wg 0").replace("memory_scope_device", "memory_scope_work_group")
    return re.sub(r"\bx\b", location, text)


class Faults(SuiteCase):
    def setUp(self):
        super().setUp()
        for path in ("litmus/relaxed/SB.litmus", "litmus/race/RACE.litmus"):
            (self.folder / path).unlink()

    def spoil(self, *faults):
        """A suite with a good test before, between and after those with faults."""
        for number, fault in enumerate(faults):
            self.write(f"litmus/relaxed/t{number}a.litmus", litmus(f"good-{number}", "x"))
            self.write(f"litmus/relaxed/t{number}b.litmus", litmus(fault, f"fault_{fault}"))
        self.write("litmus/relaxed/u.litmus", litmus("last", "x"))
        self.run_program("check", "--write")

    def spoilt(self, **more):
        return self.environment(OPENCL_LAYERS=LAYER,
                                OCLMM_FAULT_LOADED=str(self.folder / "loaded"), **more)

    def records(self, text):
        return {r["test"]: r for r in self.lines_of_json(text) if r["type"] == "test"}

    def test_each_fault_costs_its_own_test(self):
        self.spoil(*FAULTS)
        out, err = self.run_program("run", *FEW, "--output", "all.jsonl", "--output", "all.xml",
                                    "--artifacts", "kept", status=99, environment=self.spoilt())
        records = self.records(self.read("all.jsonl"))
        types = {case.get("name"): case.find("error").get("type")
                 for case in ElementTree.parse(self.folder / "all.xml").iter("testcase")
                 if case.find("error") is not None}
        self.assertEqual(types, {fault: f"{verdict}/{cause}" for fault, (verdict, cause, _) in FAULTS.items()})
        for fault, (verdict, cause, words) in FAULTS.items():
            self.assertEqual(records[fault]["verdict"], verdict, fault)
            self.assertEqual(records[fault]["cause"], cause, fault)
            self.assertIn(words, records[fault]["message"])
            self.assertEqual(records[fault]["attempts"], 2, fault)
            self.assertRegex(out, rf"(?m)^{verdict} +{fault} +.*{re.escape(words)}")
            self.assertRegex(out, rf"(?m)^    stimulus \w+, replay: .*oclmm run --device .* --seed 11 "
                                  rf"--instances 5000 {fault}$")
            self.check_artifacts(fault, verdict)
        good = [r for name, r in records.items() if name not in FAULTS]
        self.assertEqual(len(good), len(FAULTS) + 1)
        self.assertEqual({record["cause"] for record in good}, {None})
        for record in good:
            self.assertIn(record["verdict"], ("pass", "inconclusive"))
            self.assertGreaterEqual(record["instances"], 5000)
        self.assertNotIn("planted", out + err, "the driver's chatter stays out of the way")
        end = self.lines_of_json(self.read("all.jsonl"))[-1]
        self.assertEqual((end["type"], end["exit"], end["left_out"]), ("end", 99, 0))

    def test_what_is_not_claimed_may_crash(self):
        """It is told, and fails nothing, unless the run gates on what is accepted."""
        self.spoil()
        self.write("litmus/relaxed/v.litmus", litmus("wide", "fault_crash").replace("_work_group", "_device"))
        self.write("litmus/relaxed/w.litmus", litmus("well", "x").replace("_work_group", "_device"))
        self.run_program("check", "--write")
        minimum = self.spoilt(OCLMM_FAULT_CLAIMS="minimum")
        outputs = [word for kind in ("jsonl", "xml", "tap") for word in ("--output", f"all.{kind}")]
        out, _ = self.run_program("run", *FEW, *outputs, environment=minimum)
        records = self.records(self.read("all.jsonl"))
        self.assertEqual({name: (r["verdict"], r["class"], r["gates"]) for name, r in records.items()}, {
            "last": ("pass", "claimed", True), "wide": ("crash", "accepted", False),
            "well": ("pass", "accepted", False)})
        self.assertIn("do not gate: the device does not claim what they need", out)
        self.assertIn("verdict: pass", out)
        cases = {case.get("name"): case for case in ElementTree.parse(self.folder / "all.xml").iter("testcase")}
        self.assertIsNone(cases["wide"].find("error"))
        self.assertIsNotNone(cases["wide"].find("skipped"))
        self.assertRegex(self.read("all.tap"), r"(?m)^not ok \d+ - wide # TODO ")
        self.run_program("run", *FEW, "--claims", "accepted", status=99, environment=minimum)

    def check_artifacts(self, fault, verdict):
        facts = self.read(f"kept/{fault}/facts.txt")
        self.assertIn(f"verdict      {verdict}\n", facts)
        self.assertIn(f"fault_{fault}", self.read(f"kept/{fault}/kernel.cl"))
        self.assertIn(f"OPENCL {fault}\n", self.read(f"kept/{fault}/{fault}.litmus"))
        self.assertTrue((self.folder / f"kept/{fault}/histogram.txt").exists())
        self.assertRegex(self.read(f"kept/{fault}/environment.txt"), r"(?m)^  lanes +\d+  work-items")
        if fault in ("build", "crash"):
            self.assertIn("planted", self.read(f"kept/{fault}/driver.log"))
        replay = re.search(r"^    .*\boclmm (run .*)$", facts, re.M).group(1)
        self.assertEqual(shlex.split(replay)[-1], fault)
        self.assertIn("--seed 11 --instances ", replay)

    def test_flood(self):
        """However much a driver prints, no file of this machine grows by it; the end of it is kept."""
        self.spoil("flood")
        most = 16 << 20    # a driver's own files may be large
        subprocess.run([common.PROGRAM, "run", *FEW, "--output", "all.jsonl", "--artifacts", "kept"],
                       cwd=self.folder, env=self.spoilt(), capture_output=True, check=False,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
        record = self.records(self.read("all.jsonl"))["flood"]
        self.assertEqual((record["verdict"], record["cause"]), ("crash", "process-ended"))
        self.assertIn("signal 11", record["message"])
        log = self.read("kept/flood/driver.log")
        self.assertLessEqual(len(log), 4096)
        self.assertGreater(log.count("the driver has something to say: planted\n"), 50)

    def test_artifact_is_a_test(self):
        self.spoil("short")
        self.run_program("run", *FEW, "--artifacts", "kept", status=99, environment=self.spoilt())
        out, _ = self.run_program("check", "kept/short/short.litmus")
        self.assertIn("short", out)
        # PoCL gives one; a driver that does not is none the worse
        if "Portable" in self.run_program("devices")[0]:
            self.assertGreater((self.folder / "kept/short/kernel.bin").stat().st_size, 0)

    def test_crash_of_a_later_part(self):
        """Where confidence is missing a budget buys more launches; a driver may fail on those only."""
        self.write("litmus/relaxed/t.litmus", re.sub(r"\bx\b", "fault_crash", LB).replace("@wg 1", "@wg 0").replace(
            "memory_scope_device", "memory_scope_work_group"))
        self.run_program("check", "--write")
        process = subprocess.Popen(
            [common.PROGRAM, "run", *FEW, "--budget", "24", "--resume", "all.jsonl"], cwd=self.folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
            env=self.spoilt(OCLMM_FAULT_FROM=str(self.folder / "from")))
        self.addCleanup(process.kill)
        while process.poll() is None and not any(
                record["first_launch"] for record in self.parts("all.jsonl")):
            time.sleep(0.1)
        self.write("from", "")
        out, err = process.communicate(timeout=240)
        self.assertEqual(process.returncode, 99, out + err)
        last = self.parts("all.jsonl")[-1]
        self.assertEqual((last["verdict"], last["cause"], last["attempts"]), ("crash", "process-ended", 2))
        self.assertGreater(last["first_launch"], 0)
        end = self.lines_of_json(self.read("all.jsonl"))[-1]
        self.assertEqual((end["tests"], end["verdicts"]["crash"], end["exit"]), (2, 1, 99))
        # the same when it is put together again: a crash of one part is the test's
        self.run_program("merge", "all.jsonl", "-o", "merged.jsonl")
        self.assertEqual(self.lines_of_json(self.read("merged.jsonl"))[-1]["verdicts"]["crash"], 1)
        graded, _ = self.run_program("grade", "--format", "json", "merged.jsonl", status=99)
        self.assertEqual(self.lines_of_json(graded)[-1]["verdicts"]["crash"], 1)

    def parts(self, path):
        text = self.read(path) if (self.folder / path).exists() else ""
        return [r for r in self.lines_of_json("\n".join(text.split("\n")[:-1])) if r["type"] == "test"]

    def test_second_attempt(self):
        self.spoil("crash")
        out, err = self.run_program("run", "--format", "json", *ALONE,
                                    environment=self.spoilt(OCLMM_FAULT_ONCE=str(self.folder / "once")))
        self.assertRegex(err, r"crash: .* signal 11 .*; trying again")
        record = self.records(out)["crash"]
        self.assertTrue((self.folder / "once").exists())
        self.assertEqual((record["verdict"], record["attempts"]), ("pass", 2))
        self.assertGreaterEqual(record["instances"], 5000)

    def test_device_vanishes_and_comes_back(self):
        self.spoil("vanish", "leave")
        _, err = self.run_program(
            "run", *ALONE, "--resume", "all.jsonl", status=99,
            environment=self.spoilt(OCLMM_FAULT_STATE=str(self.folder / "away")))
        self.assertIn("cannot be opened any more", err)
        lines = self.lines_of_json(self.read("all.jsonl"))
        self.assertEqual([r["test"] for r in lines if r["type"] == "test"], ["good-0", "vanish"])
        self.assertEqual((lines[-1]["type"], lines[-1]["left_out"]), ("end", 3))
        self.assertIn("device lost", self.records(self.read("all.jsonl"))["vanish"]["message"])
        # the device is back and the driver was mended; what was seen stays seen
        self.run_program("run", *FEW, "--resume", "all.jsonl", status=99)
        lines = self.lines_of_json(self.read("all.jsonl"))
        self.assertEqual([r["test"] for r in lines if r["type"] == "test"],
                         ["good-0", "vanish", "good-1", "leave", "last"])
        self.assertEqual([r["type"] for r in lines].count("end"), 1)
        self.assertEqual(self.records(self.read("all.jsonl"))["leave"]["verdict"], "pass")

    def test_devices_cannot_be_listed(self):
        spoilt = self.spoilt(OCLMM_FAULT_LIST="crash")
        self.spoil("crash")
        _, err = self.run_program("devices", status=99, environment=spoilt)
        self.assertRegex(err, "cannot be listed: .*signal 11 .*, while it listed its devices")
        _, err = self.run_program("run", *FEW, status=99, environment=spoilt)
        self.assertRegex(err, "cannot be listed: .*signal 11")
        _, err = self.run_program("run", "--timeout", "1", status=99,
                                  environment=self.spoilt(OCLMM_FAULT_LIST="hang"))
        self.assertIn("nothing was heard for 1 s, while it listed its devices", err)
        # once may happen
        self.run_program("run", *FEW, "good-0", environment=self.spoilt(
            OCLMM_FAULT_LIST="crash", OCLMM_FAULT_ONCE=str(self.folder / "once")))

    def test_no_device_can_be_opened(self):
        self.spoil("crash")
        self.write("away", "")
        _, err = self.run_program("run", *FEW, status=99,
                                  environment=self.spoilt(OCLMM_FAULT_STATE=str(self.folder / "away")))
        self.assertIn("CL_DEVICE_NOT_AVAILABLE", err)


def has_layers():
    """Whether there is a device, and a loader that knows layers."""
    with tempfile.TemporaryDirectory() as folder:
        loaded = os.path.join(folder, "loaded")
        status = subprocess.run([common.PROGRAM, "devices"], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL,
                                env={**os.environ, "OPENCL_LAYERS": LAYER, "OCLMM_FAULT_LOADED": loaded})
        return status.returncode == 0 and os.path.exists(loaded)


if not has_layers():
    sys.exit(77)
common.main()
