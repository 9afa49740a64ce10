# SPDX-License-Identifier: Apache-2.0
"""Several devices at once: PoCL twice, of which one fails on demand while the other goes on."""

import collections
import os
import random
import re
import shlex
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree as ElementTree

from fault_case import LAYER, SILENCE, FaultCase, litmus, passing  # takes the command line
from common import PROGRAM, joined, main

# Small launches: in large ones, threads of two devices wait for each other on the same processors for most of the time.
FEW = ("--environment", "groups=2 lanes=4 rounds=64", "--instances", "5000", "--seed", "11", "--no-controls",
       "--compilers", "0", "--timeout", str(SILENCE))
IDS = ("alike-0", "alike-1")


class Several(FaultCase):
    def suite(self, *words):
        """Tests t0, t1 ... whose first location has the name."""
        for number, word in enumerate(words):
            self.write(f"litmus/relaxed/t{number}.litmus", litmus(f"t{number}", word))
        self.run_program("check", "--write")

    def two(self, **more):
        return self.environment(POCL_DEVICES="pthread pthread", POCL_MAX_PTHREAD_COUNT="2", **more)

    def spoilt(self, **more):
        """Only the second one fails."""
        return self.two(OPENCL_LAYERS=LAYER, OCLMM_FAULT_DEVICE="1",
                        OCLMM_FAULT_LOADED=str(self.folder / "loaded"), **more)

    def lines(self, path="all.jsonl"):
        return self.lines_of_json(self.read(path))

    def by_device(self, path="all.jsonl"):
        """The records of each device by name."""
        records = collections.defaultdict(dict)
        for line in self.lines(path):
            if line["type"] == "test":
                self.assertNotIn(line["test"], records[line["device_id"]])
                records[line["device_id"]][line["test"]] = line
        return records

    def same_stimulus(self, records, others):
        """But for what a busy machine made run twice, or in smaller launches: the record says so."""
        self.assertEqual(sorted(records), sorted(others))
        for name, record in records.items():
            other = others[name]
            if record["attempts"] == other["attempts"] == 1 and not record["halved"] + other["halved"]:
                self.assertEqual(record["stimulus"], other["stimulus"], (record, other))

    def verdicts(self, path="all.jsonl"):
        return {device: {name: record["verdict"] for name, record in records.items()}
                for device, records in self.by_device(path).items()}


class AtOnce(Several):
    def test_one_file_one_summary_each_and_one_verdict(self):
        self.suite("x", "x", "x")
        out, _ = self.run_program("run", *FEW, "--device", "all", "--output", "all.jsonl", "--output", "all.xml",
                                  "--output", "all.tap", environment=self.two(), status=3)
        every = {f"t{number}": "pass" for number in range(3)}
        self.assertEqual(self.verdicts(), {device: every for device in IDS})
        lines = self.lines()
        self.assertEqual([(line["type"], line["device_id"]) for line in lines[:2]], [("run", device) for device in IDS])
        self.assertEqual((lines[-1]["type"], lines[-1]["tests"], lines[-1]["exit"]), ("end", 6, 3))
        summaries = [line for line in out.splitlines() if line.startswith("3 tests, ") and "stimulus" in line]
        self.assertEqual(len(summaries), 2)
        # the same seed
        records = self.by_device()
        self.same_stimulus(records["alike-0"], records["alike-1"])
        self.assertEqual(out.count("verdict: inconclusive"), 3)
        last = joined(out).splitlines()[-1]
        self.assertTrue(last.startswith("verdict: inconclusive: of 0 tests") and "; 6 cannot fail" in last, last)
        suites = ElementTree.fromstring(self.read("all.xml")).findall("testsuite")
        self.assertEqual([(suite.get("name").split()[-1], suite.get("tests")) for suite in suites],
                         [(device, "3") for device in IDS])
        self.assertIn("1..6\n", self.read("all.tap"))
        self.assertEqual(self.read("all.tap").count(" [2]"), 4)
        # judged again the same way
        again, _ = self.run_program("grade", "all.jsonl", status=self.lines("all.jsonl")[-1]["exit"])
        self.assertEqual(joined(again).splitlines()[-1], last)
        self.assertEqual(again.count("verdict: inconclusive"), 3)

    def test_what_fails_on_one_costs_nothing_on_the_other(self):
        self.suite("x", "fault_crash", "fault_build", "x")
        out, err = self.run_program("run", *FEW, "--device", "0", "--device", "1", "--output", "all.jsonl",
                                    "--artifacts", "kept", status=99, environment=self.spoilt())
        self.assertEqual(set(self.verdicts()["alike-0"].values()), {"pass"})
        self.assertEqual(self.verdicts()["alike-1"],
                         {"t0": "pass", "t1": "crash", "t2": "build-failed", "t3": "pass"})
        self.assertRegex(err, r"note: t1 \[2\]: .*trying again")
        self.assertNotIn("[1]:", err)
        self.assertEqual([line.split(":")[1].strip() for line in out.splitlines() if line.startswith("verdict: ")],
                         ["inconclusive", "incomplete", "incomplete"])
        self.assertEqual(sorted(path.name for path in (self.folder / "kept").iterdir()), ["device-2"])
        # the command that repeats it names that device
        facts = self.read("kept/device-2/t1/facts.txt")
        command = shlex.split([line for line in facts.splitlines() if " oclmm run " in f" {line}"][-1])
        self.assertEqual(command[command.index("--device") + 1], "1")

    def test_a_forbidden_outcome_on_one_outranks_all(self):
        self.suite("x", "fault_forge", "fault_crash")
        out, _ = self.run_program("run", *FEW, "--device", "all", "--output", "all.jsonl", status=1,
                                  environment=self.spoilt())
        self.assertEqual(self.verdicts()["alike-1"], {"t0": "pass", "t1": "forbidden", "t2": "crash"})
        self.assertTrue(joined(out).splitlines()[-1].startswith("verdict: FORBIDDEN"), out)
        self.assertEqual(self.lines()[-1]["exit"], 1)
        self.run_program("grade", "all.jsonl", status=1)

    def test_one_vanishes_and_the_other_goes_on(self):
        self.suite("x", "fault_vanish", "x", "x")
        _, err = self.run_program("run", *FEW, "--device", "all", "--resume", "all.jsonl", status=99,
                                  environment=self.spoilt(OCLMM_FAULT_STATE=str(self.folder / "away")))
        self.assertRegex(err, r"\[2\] cannot be opened any more")
        self.assertEqual(set(self.verdicts()["alike-0"].values()), {"pass"})
        self.assertEqual(sorted(self.by_device()["alike-0"]), ["t0", "t1", "t2", "t3"])
        left = self.lines()[-1]["left_out"]
        self.assertEqual(left, 4 - len(self.by_device()["alike-1"]))
        self.assertGreater(left, 0)
        # it is back, and what was done stays: one test was lost
        _, err = self.run_program("run", *FEW, "--device", "all", "--resume", "all.jsonl", status=99,
                                  environment=self.two())
        self.assertIn(f"{8 - left} of 8 tests already there", err)
        self.assertEqual([len(records) for records in self.by_device().values()], [4, 4])
        self.assertEqual(self.verdicts()["alike-1"]["t3"], "pass")
        _, err = self.run_program("run", *FEW, "--device", "all", "--resume", "all.jsonl", status=99,
                                  environment=self.two())
        self.assertIn("and the run is complete", err)
        # one of them alone did not begin it
        _, err = self.run_program("run", *FEW, "--device", "0", "--resume", "all.jsonl", status=2,
                                  environment=self.two())
        self.assertIn("was begun on another device", err)

    def test_one_that_hangs_holds_up_only_itself(self):
        """The other is done while it is still silent, and an interruption ends both."""
        self.suite("fault_hang", "x", "x")
        with subprocess.Popen([PROGRAM, "run", *FEW[:-1], "600", "--device", "all", "--output", "all.jsonl"],
                              cwd=self.folder, env=self.spoilt(), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as run:
            end = time.monotonic() + 200
            while not (self.folder / "all.jsonl").exists() or \
                    self.read("all.jsonl").count('"device_id":"alike-0"') < 1 + 3:
                self.assertLess(time.monotonic(), end)
                self.assertIsNone(run.poll())
                time.sleep(0.05)
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=200)
        self.assertEqual(run.returncode, 99)
        self.assertEqual(sorted(self.by_device()["alike-0"]), ["t0", "t1", "t2"])
        self.assertNotIn("alike-1", self.by_device())
        end = self.lines()[-1]
        self.assertEqual((end["type"], end["left_out"], end["interrupted"]), ("end", 3, True))

    def test_nothing_applicable_on_one_is_no_pass(self):
        """Both run what one of them claims."""
        self.suite("x")
        text = self.read("litmus/relaxed/t0.litmus").replace("memory_scope_work_group", "memory_scope_device")
        self.write("litmus/relaxed/t0.litmus", text)
        self.run_program("check", "--write")
        out, _ = self.run_program("run", *FEW, "--device", "all", "--output", "all.jsonl", status=77,
                                  environment=self.spoilt(OCLMM_FAULT_CLAIMS="minimum"))
        self.assertEqual([line.split(":")[1].strip() for line in out.splitlines() if line.startswith("verdict: ")][-1],
                         "nothing applicable was run")


class Spread(Several):
    def test_each_test_runs_once_on_whichever_is_free(self):
        self.suite(*["x"] * 6)
        out, _ = self.run_program("run", *FEW, "--spread", "--output", "all.jsonl", environment=self.two(), status=3)
        self.assertEqual(sorted(name for records in self.by_device().values() for name in records),
                         [f"t{number}" for number in range(6)])
        self.assertEqual(sorted(self.by_device()), list(IDS))
        lines = self.lines()
        self.assertEqual([line["device_id"] for line in lines if line["type"] == "run"], [None])
        self.assertEqual((lines[-1]["tests"], lines[-1]["exit"]), (6, 3))
        self.assertEqual(out.count("verdict: "), 1)
        # where it ran changes nothing of what is done there
        self.run_program("run", *FEW, "--device", "0", "--output", "one.jsonl", environment=self.two(), status=3)
        spread = {name: record for records in self.by_device().values() for name, record in records.items()}
        self.same_stimulus(spread, self.by_device("one.jsonl")["alike-0"])

    def test_the_others_go_on_without_one(self):
        self.suite("fault_vanish", "fault_vanish", *["x"] * 4)
        _, err = self.run_program("run", *FEW, "--spread", "--resume", "all.jsonl", status=99,
                                  environment=self.spoilt(OCLMM_FAULT_STATE=str(self.folder / "away")))
        self.assertRegex(err, r"\[2\] cannot be opened any more")
        done = [name for records in self.by_device().values() for name in records]
        self.assertGreaterEqual(len(done), 5)
        self.run_program("run", *FEW, "--spread", "--resume", "all.jsonl", status=None, environment=self.two())
        done = [name for records in self.by_device().values() for name in records]
        self.assertEqual(sorted(done), [f"t{number}" for number in range(6)])

    def test_more_of_a_test_runs_where_it_ran(self):
        self.write("litmus/relaxed/MP.litmus", passing("MP", "data", "flag"))
        self.write("litmus/relaxed/MQ.litmus", passing("MQ", "data", "flag"))
        self.run_program("check", "--write")
        # a busy machine may have no time for both in so short a budget
        for budget in "4", "16", "64", "200":
            self.run_program("run", "--budget", budget, "--seed", "11", "--spread", "--compilers", "0",
                             "--confidence", "0.999999", "--output", "all.jsonl", status=None, environment=self.two())
            devices = collections.defaultdict(set)
            for line in self.lines():
                if line["type"] == "test":
                    devices[line["test"]].add(line["device_id"])
            if len(devices) == 2:
                break
        self.assertEqual(sorted(devices), ["MP", "MQ"])
        self.assertEqual([len(names) for names in devices.values()], [1, 1])
        self.run_program("grade", "all.jsonl", status=None)


class Killed(Several):
    """Both ways to take several devices, and what a kill or a careless hand leaves of their file."""
    WAYS = (("--device", "all"), ("--spread",))
    TESTS = 3

    def setUp(self):
        super().setUp()
        self.suite(*["x"] * self.TESTS)

    def go_on(self, way, path, status=3):
        return self.run_program("run", *FEW, *way, "--resume", path, status=status, environment=self.two())

    def check_whole(self, way, path):
        """Each test once, on each device or on any; one header for each device, or for the run; one manifest."""
        records = self.by_device(path)
        names = sorted(name for of_device in records.values() for name in of_device)
        times = len(IDS) if way == self.WAYS[0] else 1
        self.assertEqual(names, sorted([f"t{number}" for number in range(self.TESTS)] * times))
        types = [line["type"] for line in self.lines(path) if line["type"] in ("run", "end")]
        self.assertEqual(types, ["run"] * times + ["end"])
        self.assertEqual(self.lines(path)[-1]["tests"], self.TESTS * times)
        self.run_program("grade", path, status=self.lines(path)[-1]["exit"])

    def test_resumed_after_kills(self):
        seed = int(os.environ.get("OCLMM_KILL_SEED", time.time_ns() & 0xffff))
        print(f"OCLMM_KILL_SEED={seed}", flush=True)
        moments = random.Random(seed)
        for way in self.WAYS:
            kept = 0
            for _ in range(2):
                with subprocess.Popen([PROGRAM, "run", *FEW, *way, "--resume", "killed.jsonl"], cwd=self.folder,
                                      env=self.two(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
                    time.sleep(moments.uniform(0, 1.5))
                    run.kill()
                now = self.read("killed.jsonl").count('{"type":"test"') if (self.folder / "killed.jsonl").exists() else 0
                self.assertGreaterEqual(now, kept - 1, "but for an incomplete last line, what was recorded stays")
                kept = now
            self.go_on(way, "killed.jsonl")
            self.check_whole(way, "killed.jsonl")
            (self.folder / "killed.jsonl").unlink()

    def test_resumed_where_it_was_cut_and_not_where_it_was_changed(self):
        for way in self.WAYS:
            self.run_program("run", *FEW, *way, "--output", "whole.jsonl", environment=self.two(), status=3)
            data = self.read("whole.jsonl")
            ends = [number for number, letter in enumerate(data) if letter == "\n"]
            for cut in (ends[0] + 1, ends[3] + 7):
                self.write("cut.jsonl", data[:cut])
                self.go_on(way, "cut.jsonl")
                self.check_whole(way, "cut.jsonl")
            # what was changed is refused and stays
            lines = self.read("whole.jsonl").splitlines(keepends=True)[:-1]
            at = next(number for number, line in enumerate(lines) if '"type":"test"' in line)
            test = lines[at]
            # of one run it may have been another of those that are equal
            another = '"driver":"no ' if way == ("--spread",) else '"device_id":"no '
            for change in (
                    [*lines, test],
                    [*lines[:at], re.sub('"(driver|device_id)":"', another, test), *lines[at + 1:]],
                    [*lines[:at], test.replace('"device":"', '"device":"no '), *lines[at + 1:]],
                    [*lines[:at], test.replace('"il":null', '"il":"llvm-spirv"'), *lines[at + 1:]],
                    [*lines[:at], test[:-9] + "\n", *lines[at + 1:]],
                    [*lines[:at], "\0" * 64 + "\n", *lines[at + 1:]],
                    [*lines[:at], lines[0], *lines[at:]],
                    lines[1:]):
                self.write("changed.jsonl", "".join(change))
                _, err = self.go_on(way, "changed.jsonl", status=2)
                self.assertRegex(err, r"(?m)^(oclmm run: )?changed.jsonl:\d+:")
                self.assertEqual(self.read("changed.jsonl"), "".join(change))


class Refused(Several):
    def test_devices(self):
        self.suite("x")
        for arguments, message in (
                (("--device", "0", "--device", "0"), "named already"),
                (("--device", "0", "--device", "all", "--device", "1"), "named already"),
                (("--device", "all", "--device", "7"), "no device matches '7'"),
                (("--pair", "0,1", "--spread"), "either --pair or --spread"),
                (("--pair", "0,1", "--device", "all"), "either --device or --pair")):
            _, err = self.run_program("run", *FEW, *arguments, "--output", "none.jsonl", status=2,
                                      environment=self.two())
            self.assertIn(message, err)
            self.assertFalse((self.folder / "none.jsonl").exists(), arguments)

    def test_unequal(self):
        names = subprocess.run([PROGRAM, "devices"], capture_output=True, text=True, check=True,
                               env=self.environment(RUSTICL_ENABLE="llvmpipe")).stdout.splitlines()
        names = [line for line in names if line[:1].isdigit()]
        if len(names) < 2 or "llvmpipe" not in "".join(names):
            self.skipTest("there is no second platform: rusticl with llvmpipe")
        self.suite("x")
        environment = self.environment(RUSTICL_ENABLE="llvmpipe")
        _, err = self.run_program("run", *FEW, "--device", "all", "--spread", status=2, environment=environment)
        self.assertIn("is not equal to", err)
        self.run_program("run", *FEW, "--device", "all", "--output", "all.jsonl", environment=environment)
        self.assertEqual(len({line["device"] for line in self.lines() if line["type"] == "test"}), len(names))


if __name__ == "__main__":
    os.environ.pop("POCL_DEVICES", None)
    main()
