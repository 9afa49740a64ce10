# SPDX-License-Identifier: Apache-2.0
"""Drivers that crash, hang and vanish: each failure is named, and costs no other test."""

import json
import re
import resource
import shlex
import subprocess
import time
import xml.etree.ElementTree as ElementTree

from fault_case import ALONE, FEW, LAYER, SILENCE, FaultCase, litmus, passing  # takes the command line
import common
from common import LB, SMALL, SuiteCase
from robustness import ends_as

# Rows of docs/robustness.md.
ENDED = "crashes, exits, hangs, or runs out of memory"
LIES = {
    "build": "refuses to compile what it claims",
    "crash": ENDED,
    "leave": ENDED,
    "hang": ENDED,
    "short": "reads a part, and leaves the rest",
    "memory": ENDED,
    "gone": "loses the device",
}
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


class Faults(FaultCase):
    def test_time_decides_only_on_a_slow_device(self):
        """One launch that is held up changes nothing; a device that is slow again and again gets less to do."""
        self.write("litmus/relaxed/t.litmus", litmus("t", "fault_slow"))
        self.run_program("check", "--write")
        small = ("--environment", "groups=2 lanes=4 rounds=64 direct=1", "--instances", "2000", "--seed", "11",
                 "--no-controls", "--compilers", "0", "--timeout", "60", "--output", "all.jsonl")
        said = []
        for more in ({"OCLMM_FAULT_FROM": str(self.folder / "never")},
                     {"OCLMM_FAULT_ONCE": str(self.folder / "once")}, {"OCLMM_FAULT_AFTER": "50"}):
            self.run_program("run", *small, environment=self.spoilt(**more), status=3)
            record = self.records(self.read("all.jsonl"))["t"]
            self.assertEqual((record["verdict"], record["launches"], record["attempts"]), ("pass", 32, 1))
            said.append((record["stimulus"], record["halved"], record["instances"]))
            (self.folder / "all.jsonl").unlink()
        self.assertTrue((self.folder / "once").exists())
        self.assertEqual(said[0][1:], (0, 32 * 512))
        self.assertEqual(said[1], said[0])
        self.assertNotEqual(said[2][0], said[0][0])
        self.assertGreater(said[2][1], 0)
        self.assertLess(said[2][2], 32 * 512)
        self.check_halvings_repeat(small, record, said[2])

    def check_halvings_repeat(self, small, record, said):
        """Where launches were halved is told, and that is repeated on a device that is not slow."""
        self.assertEqual(len(record["halved_at"]), record["halved"])
        self.assertEqual(record["halved_at"], sorted(set(record["halved_at"])))
        self.assertTrue(all(0 < launch < record["launches"] for launch in record["halved_at"]))
        again = (*small[:2], "--halved-at", ",".join(map(str, record["halved_at"])), *small[2:])
        never = {"OCLMM_FAULT_FROM": str(self.folder / "never")}
        self.run_program("run", *again, environment=self.spoilt(**never), status=3)
        record = self.records(self.read("all.jsonl"))["t"]
        self.assertEqual((record["stimulus"], record["halved"], record["instances"]), said)

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
            ends_as(LIES[fault], verdict)
            self.assertEqual(records[fault]["cause"], cause, fault)
            self.assertIn(words, records[fault]["message"])
            self.assertEqual(records[fault]["attempts"], 2, fault)
            self.assertRegex(common.joined(out), rf"(?m)^{verdict} +{fault} +.*{re.escape(words)}")
            self.assertRegex(out, rf"(?m)^    stimulus \w+\n    replay: .*oclmm run --device .* --seed 11 "
                                  rf"--environment '{SMALL[1]}[^']*' --instances 5000 {fault}$")
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

    def test_each_fault_costs_its_own_test_of_a_group(self):
        """Two variants run interleaved: what takes the child down is tried alone, and the other runs on without it."""
        for fault in ("crash", "build"):
            text = passing(fault, f"fault_{fault}", "y")
            self.write(f"litmus/relaxed/{fault}.litmus",
                       text.replace("\n\n{", f"\n\nvary object: fault_{fault} => calm\ncontrol object=calm\n\n{{", 1))
        self.run_program("check", "--write")
        _, err = self.run_program("run", *FEW[:-1], "120", "--output", "all.jsonl", status=99, environment=self.spoilt())
        self.assertRegex(err, r"crash.*, or another of 4 tests in one text: .* signal 11 .*; trying again, each compiled by itself")
        records = self.records(self.read("all.jsonl"))
        self.assertEqual({name: (r["verdict"], r["attempts"]) for name, r in records.items()
                          if r["verdict"] not in ("pass", "inconclusive")},
                         {"crash": ("crash", 2), "build": ("build-failed", 2)})
        for fault in ("crash", "build"):
            other = records[f"{fault}.object=calm"]
            self.assertEqual(other["attempts"], 1)
            self.assertTrue(other["evidence"]["controls"])

    def test_a_text_that_fails_once(self):
        """Whose fault it was nobody will know: it was the second attempt of all tests in that text."""
        text = passing("one", "fault_leave", "y")
        self.write("litmus/relaxed/one.litmus",
                   text.replace("\n\n{", "\n\nvary object: fault_leave => calm\ncontrol object=calm\n\n{", 1))
        self.run_program("check", "--write")
        out, err = self.run_program("run", "--format", "json", *ALONE, status=None,
                                    environment=self.spoilt(OCLMM_FAULT_ONCE=str(self.folder / "once")))
        self.assertRegex(err, r"one.*, or another of 2 tests in one text: .* status 3.*; trying again, each compiled by itself")
        for record in self.records(out).values():
            self.assertEqual((record["ended"], record["attempts"]), ("ok", 2))
        self.assertTrue(self.records(out)["one"]["evidence"]["controls"])

    def test_a_control_that_fails_is_told(self):
        """Nobody asked for it, so it has no record; the test runs on without it and is no pass."""
        for fault in ("crash", "build"):
            self.write(f"litmus/relaxed/by-{fault}.litmus",
                       passing(f"by-{fault}", "calm", "y").replace(
                           "\n\n{", f"\n\nvary object: calm => fault_{fault}\ncontrol object=fault_{fault}\n\n{{", 1))
        self.run_program("check", "--write")
        _, err = self.run_program("run", *FEW, "by-crash", "by-build", "--require", "hardware", "--output", "all.jsonl",
                                  environment=self.spoilt(), status=3)
        for fault in ("crash", "build"):
            self.assertRegex(err, rf"(?m)^oclmm run: note: control by-{fault}\.object=fault_{fault}: .*; its tests go without it$")
        for record in self.records(self.read("all.jsonl")).values():
            self.assertEqual((record["verdict"], record["attempts"], record["cause"]), ("pass", 1, None))
            self.assertEqual(sum(1 for line in self.lines_of_json(self.read("all.jsonl"))
                                 if line["type"] == "confidence" and line["confidence"] == "reached"), 0)

    def test_what_is_not_claimed_may_crash(self):
        """It is told, and fails nothing, unless the run gates on what is accepted."""
        self.spoil()
        self.write("litmus/relaxed/v.litmus", litmus("wide", "fault_crash").replace("_work_group", "_device"))
        self.write("litmus/relaxed/w.litmus", litmus("well", "x").replace("_work_group", "_device"))
        self.run_program("check", "--write")
        minimum = self.spoilt(OCLMM_FAULT_CLAIMS="minimum")
        outputs = [word for kind in ("jsonl", "xml", "tap") for word in ("--output", f"all.{kind}")]
        out, _ = self.run_program("run", *FEW, *outputs, environment=minimum, status=3)
        records = self.records(self.read("all.jsonl"))
        self.assertEqual({name: (r["verdict"], r["class"], r["gates"]) for name, r in records.items()}, {
            "last": ("pass", "claimed", True), "wide": ("crash", "accepted", False),
            "well": ("pass", "accepted", False)})
        self.assertIn("do not gate: the device does not claim what they need", common.joined(out))
        self.assertIn("verdict: inconclusive: of 1 test that can fail 0 with confidence", out)
        cases = {case.get("name"): case for case in ElementTree.parse(self.folder / "all.xml").iter("testcase")}
        self.assertIsNone(cases["wide"].find("error"))
        self.assertIsNotNone(cases["wide"].find("skipped"))
        self.assertRegex(self.read("all.tap"), r"(?m)^not ok \d+ - wide # TODO ")
        self.run_program("run", *FEW, "--claims", "accepted", status=99, environment=minimum)

    def test_what_a_device_may_not_lack_it_claims(self):
        """Neither orders and scopes, nor a compiler, nor local memory: one that denies them would skip its way to a pass."""
        self.spoil()
        self.write("litmus/relaxed/v.litmus", litmus("near", "x").replace("global", "local"))
        self.run_program("check", "--write")
        self.run_program("run", *FEW, "--output", "all.jsonl", environment=self.spoilt(OCLMM_FAULT_CLAIMS="none"), status=3)
        records = self.records(self.read("all.jsonl"))
        self.assertEqual({name: (r["verdict"], r["class"], r["gates"]) for name, r in records.items()},
                         {name: ("pass", "claimed", True) for name in ("last", "near")})

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
        self.assertRegex(replay, f"--seed 11 --environment '{SMALL[1]}[^']*' --instances ")

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

    def test_a_log_without_end(self):
        """What a compiler says is in the results of each test: its beginning, and how much more there was."""
        self.spoil("build")
        for size, says in ((100_000, "\n(and 83615 bytes more)\n"), (1 << 30, f"was not read: {1 << 30} bytes")):
            self.run_program("run", *FEW, "--cache", "never", "--output", "all.jsonl", "--artifacts", f"kept{size}",
                             status=99, environment=self.spoilt(OCLMM_FAULT_LOG=str(size)))
            records = self.records(self.read("all.jsonl"))
            self.assertEqual((records["build"]["ended"], records["last"]["ended"]), ("build-failed", "ok"))
            for record in records.values():
                self.assertLess(len(record["build_log"]), 17_000)
                self.assertIn(says, record["build_log"])
            self.assertIn("error: planted, and more" if size < 1 << 20 else says, records["build"]["message"])
            self.assertLess((self.folder / f"kept{size}/build/build.log").stat().st_size, 17_000)

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
        # a busy machine may have no time for a later part in so short a budget
        for budget in "16", "64", "200":
            for name in "all.jsonl", "from":
                (self.folder / name).unlink(missing_ok=True)
            process = subprocess.Popen(
                [common.PROGRAM, "run", *FEW, "--budget", budget, "--resume", "all.jsonl"], cwd=self.folder, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                env=self.spoilt(OCLMM_FAULT_FROM=str(self.folder / "from")))
            self.addCleanup(process.kill)
            while process.poll() is None and not any(
                    record["first_launch"] for record in self.parts("all.jsonl")):
                time.sleep(0.1)
            self.write("from", "")
            out, err = process.communicate(timeout=common.PATIENCE)
            if process.returncode != 3:
                break
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
                                    environment=self.spoilt(OCLMM_FAULT_ONCE=str(self.folder / "once")), status=3)
        self.assertRegex(err, r"crash: .* signal 11 .*; trying again")
        self.check_second_attempt(self.records(out)["crash"])

    def test_second_attempt_of_a_text_of_several_groups(self):
        """Whose fault it was nobody knows, and all of them are compiled by themselves."""
        self.spoil("crash")
        several = [ALONE[i] for i in range(len(ALONE)) if "--compilers" not in ALONE[max(0, i - 1):i + 1]]
        out, err = self.run_program("run", "--format", "json", *several,
                                    environment=self.spoilt(OCLMM_FAULT_ONCE=str(self.folder / "once")), status=3)
        self.assertRegex(err, r"or another of 3 tests in one text: .* signal 11 .*; trying again, each compiled by itself")
        self.check_second_attempt(self.records(out)["crash"])

    def check_second_attempt(self, record):
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

    def test_a_device_that_hangs_is_given_up(self):
        """Silent from the first test on: nobody waits for all of them, twice."""
        for number in range(5):
            self.write(f"litmus/relaxed/t{number}.litmus", litmus(f"t{number}", "fault_hang"))
        self.run_program("check", "--write")
        _, err = self.run_program("run", *FEW[:-1], "3", "--compilers", "0", "--output", "all.jsonl", status=99,
                                  environment=self.spoilt())
        self.assertIn("is given up: 4 tests in a row hung, each of them twice", err)
        lines = self.lines_of_json(self.read("all.jsonl"))
        self.assertEqual([r["verdict"] for r in lines if r["type"] == "test"], ["timeout"] * 4)
        self.assertEqual((lines[-1]["left_out"], lines[-1]["exit"]), (1, 99))

    def test_what_hangs_like_others_of_its_file(self):
        """The first one costs the limit twice, and all others of its file a part of it; after two of them they are tried once."""
        text = litmus("t", "fault_hang")
        self.write("litmus/relaxed/t.litmus", text.replace("{", 'vary init: ] = 0 => "one" ] = 1 | "two" ] = 2\n\n{', 1))
        self.run_program("check", "--write")
        self.run_program("run", *FEW[:-1], "4", "--compilers", "0", "--output", "all.jsonl", status=99,
                         environment=self.spoilt())
        records = self.records(self.read("all.jsonl"))
        self.assertEqual([r["verdict"] for r in records.values()], ["timeout"] * 3)
        said = [r["message"] for r in records.values()]
        self.assertTrue(said[0].startswith("nothing was heard for 4 s"), said)
        self.assertTrue(all(message.startswith("nothing was heard for 1 s") for message in said[1:]), said)
        self.assertTrue(said[1].endswith("; before that a kernel of its file was silent for 4 s"), said)
        self.assertTrue(said[2].endswith("; hangs like 2 others of its file"), said)
        self.assertEqual([r["attempts"] for r in records.values()], [2, 2, 1])

    def test_drawn_kernels_that_hang(self):
        """They count as tests of one file: after two the others are tried once."""
        self.run_program("run", "drawn-7-0..2", "-n", "64", "--no-controls", "--timeout", "2", "--compilers", "0",
                         "--output", "all.jsonl", status=99,
                         environment=self.spoilt(OCLMM_FAULT_ANY="hang", OCLMM_FAULT_MARK="get_local_linear_id"))
        records = self.records(self.read("all.jsonl"))
        self.assertEqual([r["verdict"] for r in records.values()], ["timeout"] * 3)
        self.assertEqual([r["attempts"] for r in records.values()], [2, 2, 1])
        self.assertTrue(records["drawn-7-2"]["message"].endswith("; hangs like 2 other drawn kernels"))
        self.assertNotIn("hangs like", records["drawn-7-1"]["message"])

    def test_a_drawn_kernel_that_spins(self):
        """Its own processor time ends it, measured against those before it; where the limit is given, the clock alone."""
        text = self.run_program("show", "--kernel", "drawn-7-2")[0]
        mark = re.search(r"out_ \+ OCLMM_INSTANCE \* \d+u", text)[0]
        self.assertNotIn(mark, "".join(self.run_program("show", "--kernel", f"drawn-7-{n}")[0] for n in (0, 1)))
        for limit, message in (((), r"nothing was heard for (\d+\.\d) s of its processor time, "),
                               (("--timeout", str(SILENCE)), f"nothing was heard for {SILENCE} s, ")):
            self.run_program("run", "drawn-7-0..2", "-n", "64", "--no-controls", "--compilers", "0", "--shrink", "0",
                             *limit, "--output", "all.jsonl", status=99,
                             environment=self.spoilt(OCLMM_FAULT_ANY="spin", OCLMM_FAULT_MARK=mark))
            records = self.records(self.read("all.jsonl"))
            self.assertEqual([r["ended"] for r in records.values()], ["ok", "ok", "timeout"])
            said = re.match(message, records["drawn-7-2"]["message"])
            self.assertTrue(said, records["drawn-7-2"]["message"])
            if not limit:
                self.assertGreaterEqual(float(said[1]), 5)
            (self.folder / "all.jsonl").unlink()

    def test_a_compiler_that_refuses_everything(self):
        """What is claimed has to build: nothing was tested, and that is no success."""
        self.spoil()
        out, _ = self.run_program("run", *FEW, "--output", "all.jsonl", status=99,
                                  environment=self.spoilt(OCLMM_FAULT_REFUSE="1"))
        record = self.records(self.read("all.jsonl"))["last"]
        self.assertEqual((record["class"], record["verdict"], record["cause"]), ("claimed", "build-failed", "build"))
        ends_as("refuses to compile what it claims", record["verdict"])
        self.assertIn("refuses the kernel", common.joined(out))

    def test_claims_that_are_gone(self):
        self.spoil()
        claims, _ = self.run_program("devices", "--json")
        self.write("claims.jsonl", claims)
        self.run_program("run", *FEW, "--expect-claims", "claims.jsonl", environment=self.spoilt(), status=3)
        out, err = self.run_program("run", *FEW, "--expect-claims", "claims.jsonl", "--output", "all.jsonl", status=99,
                                    environment=self.spoilt(OCLMM_FAULT_CLAIMS="minimum"))
        self.assertRegex(err, r"does not claim what claims.jsonl expects: .*orders acq, .*scopes dev\b")
        self.assertFalse((self.folder / "all.jsonl").exists())
        ends_as("claims less than yesterday", "99")
        # a device that is gone claims nothing at all
        for devices in ("0", "all"):
            _, err = self.run_program("run", *FEW, "--expect-claims", "claims.jsonl", "--device", devices, status=99,
                                      environment=self.spoilt(OCL_ICD_VENDORS="/nonexistent"))
            self.assertIn("claims.jsonl expects a device\n", err)
        # more than was expected is welcome
        minimum, _ = self.run_program("devices", "--json", environment=self.spoilt(OCLMM_FAULT_CLAIMS="minimum"))
        self.write("claims.jsonl", minimum)
        self.run_program("run", *FEW, "--expect-claims", "claims.jsonl", environment=self.spoilt(), status=3)
        for text, words in (("", "has no device"), ("{}\n", "claims.jsonl:1: not an object"),
                            (minimum + "{\n", r"claims.jsonl:\d+: not an object .*: "),
                            ('{"orders":"rlx","svm":true}\n', "claims.jsonl:1: not an object"),
                            (json.dumps({**json.loads(minimum.splitlines()[0]), "svm": True}) + "\n",
                             "claims.jsonl: svm is not what oclmm devices --json")):
            self.write("claims.jsonl", text)
            _, err = self.run_program("run", "--expect-claims", "claims.jsonl", status=2)
            self.assertRegex(err, words)
        _, err = self.run_program("run", "--expect-claims", "nothing.jsonl", status=2)
        self.assertIn("cannot read nothing.jsonl", err)

    def test_devices_that_are_gone_or_others(self):
        """What one device claims says nothing of another, and one of several that is gone is missed."""
        self.spoil()
        line = self.run_program("devices", "--json")[0].splitlines()[0]
        other = json.dumps({**json.loads(line), "name": "Pocket GPU"})
        command = ("run", *FEW, "--expect-claims", "claims.jsonl", "--output", "all.jsonl")
        for lines, words in (([other], r"is no device that claims\.jsonl expects\n(.|\n)*expects what is not there: Pocket GPU of "),
                             ([line, other], r"^.*claims\.jsonl expects what is not there: Pocket GPU of .*\n$"),
                             ([line, line], "expects what is not there: ")):
            self.write("claims.jsonl", "\n".join(lines) + "\n")
            _, err = self.run_program(*command, status=99)
            self.assertRegex(common.joined(err), words)
            self.assertFalse((self.folder / "all.jsonl").exists())

    def test_layers_are_told(self):
        self.spoil()
        out, _ = self.run_program("run", "--format", "json", *FEW, environment=self.spoilt(POCL_MAX_PTHREAD_COUNT="2"), status=3)
        variables = self.lines_of_json(out)[0]["variables"]
        self.assertIn(f"OPENCL_LAYERS={LAYER}", shlex.split(variables))
        self.assertIn("POCL_MAX_PTHREAD_COUNT=2", shlex.split(variables))
        self.assertFalse([word for word in shlex.split(variables) if word.startswith(("HOME=", "PATH="))])

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
            OCLMM_FAULT_LIST="crash", OCLMM_FAULT_ONCE=str(self.folder / "once")), status=3)

    def test_a_version_that_cannot_be_read(self):
        """Taken for one of no version it would lack all that tests need, and a run would be done without any."""
        self.spoil()
        spoilt = self.spoilt(OCLMM_FAULT_CLAIMS="version")
        for words in (["devices"], ["run", *FEW]):
            _, err = self.run_program(*words, status=99, environment=spoilt)
            self.assertIn("a driver that gives its device no version (A:4.2): 'OpenCL 3'", err)

    def test_a_cache_that_cannot_be_written(self):
        """PoCL then shows no device, and nobody reads why: no machine without devices."""
        for words in (["devices"], ["run", *FEW]):
            environment = self.environment(POCL_CACHE_DIR="/dev/null/none")
            result = subprocess.run([common.PROGRAM, *words], cwd=self.folder, env=environment, capture_output=True,
                                    text=True, timeout=common.PATIENCE, check=False)
            if result.returncode == 0:
                self.skipTest("a device of another driver")
            self.assertEqual(result.returncode, 99, result.stderr)
            self.assertIn("Portable Computing Language shows no device, and cannot write its cache: /dev/null, by "
                          "POCL_CACHE_DIR", common.joined(result.stderr))

    def test_no_device_can_be_opened(self):
        self.spoil("crash")
        self.write("away", "")
        _, err = self.run_program("run", *FEW, status=99,
                                  environment=self.spoilt(OCLMM_FAULT_STATE=str(self.folder / "away")))
        self.assertIn("CL_DEVICE_NOT_AVAILABLE", err)


class Planted(SuiteCase):
    def test_what_is_not_claimed(self):
        """What a device does not claim kills no plant, and it is said what was seen there."""
        environment = self.environment(OPENCL_LAYERS=LAYER, OCLMM_FAULT_CLAIMS="minimum")
        plant = ("planted", "--plant", "all-relaxed", "--instances", "300000", "SB*")
        # on a busy machine two work-groups may seldom run at the same time, and nothing is seen
        for seconds in ("3", "12", "48", "192"):
            out, _ = self.run_program(*plant, "--seconds", seconds, "--output", "matrix.jsonl", environment=environment, status=1)
            self.assertRegex(out, r"(?m)^all-relaxed +survived")
            told = re.search(r"(?m)^ +(.* saw something forbidden .*)$", common.joined(out))
            if told:
                break
        self.assertIsNotNone(told, out)
        self.assertRegex(told[1], r"^[1-9]\d* tests? that the device does not claim .*\(--claims accepted\)$")
        shown, _ = self.run_program("planted", "--render", "matrix.jsonl")
        self.assertIn(told[1], common.joined(shown))
        out, _ = self.run_program(*plant, "--seconds", "300", "--claims", "accepted", environment=environment)
        self.assertRegex(out, r"(?m)^all-relaxed +killed")


if __name__ == "__main__":
    common.main()
