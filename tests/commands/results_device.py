# SPDX-License-Identifier: Apache-2.0
"""What a run on a real device writes is what docs/results-format.md says, and what the others read."""

import json
import pathlib
import shutil
import subprocess
import sys

import common
from common import LB, SB, SILENT, SMALL, SuiteCase

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/report"))
from check_schema import check  # noqa: E402 (found by the line above)

SCHEMA = json.loads((ROOT / "docs/results.schema.json").read_text(encoding="utf-8"))
RUN = ("run", *SMALL, "--instances", "20000", "--seed", "7")


class Written(SuiteCase):
    def lines(self, path):
        self.assertEqual(check(SCHEMA, self.read(path)), [])
        return self.lines_of_json(self.read(path))

    def test_files(self):
        self.run_program(*RUN, "--output", "r.jsonl", "--output", "r.xml", "--output", "r.tap", status=SILENT)
        lines = self.lines("r.jsonl")
        self.assertEqual([line["type"] for line in lines if line["type"] != "confidence"],
                         ["run", "test", "test", "test", "end"])
        if shutil.which("xmllint"):
            subprocess.run(["xmllint", "--noout", "--nonet", "--schema", ROOT / "tests/report/junit.xsd",
                            self.folder / "r.xml"], check=True, stderr=subprocess.DEVNULL)
        self.assertEqual(self.read("r.tap").splitlines()[2], "1..3")
        devices, _ = self.run_program("devices", "--json")
        names = [f"orders={d['orders'].replace(' ', ',')} scopes={d['scopes'].replace(' ', ',')} "
                 for d in self.lines_of_json(devices)]
        self.assertTrue(any(lines[0]["claims"].startswith(name) for name in names), lines[0]["claims"])
        # three tests are this suite, but 20,000 instances are few
        self.assertFalse(lines[0]["whole_suite"])
        self.assertIn("this run does not verify conformance",
                      common.joined(self.run_program("grade", "r.jsonl", status=lines[-1]["exit"])[0]))
        if shutil.which("prove"):
            subprocess.run(["prove", "--exec", "cat", self.folder / "r.tap"], check=True,
                           stdout=subprocess.DEVNULL)

    def test_graded_as_it_was_judged(self):
        self.run_program(*RUN, "--output", "r.jsonl", status=SILENT)
        ran = self.lines("r.jsonl")
        out, _ = self.run_program("grade", "--format", "json", "r.jsonl", status=ran[-1]["exit"])
        self.assertEqual(check(SCHEMA, out), [])
        graded = self.lines_of_json(out)
        for kind, keys in (("test", ("verdict", "outcomes", "weak", "gates")),
                           ("confidence", ("verdict", "confidence", "escape", "seen"))):
            wanted = {line["test"]: {key: line[key] for key in keys} for line in ran if line["type"] == kind}
            got = {line["test"]: {key: line[key] for key in keys} for line in graded if line["type"] == kind}
            self.assertEqual(got, wanted)
        self.assertEqual(graded[-1], ran[-1])

    def test_judged_by_version(self):
        """The rules are those of the device's version; the file says which, and grade takes the same."""
        (self.folder / "litmus/race/RACE.litmus").unlink(missing_ok=True)
        self.run_program(*RUN, "--output", "r.jsonl", status=SILENT)
        lines = self.lines("r.jsonl")
        self.assertEqual(lines[0]["require"], "any")
        major, minor = map(int, lines[0]["version"].split()[1].split("."))
        wanted = ("consensus" if major < 2 else "opencl-2.0" if (major, minor) == (2, 0) else
                  "opencl-2.1" if (major, minor) <= (3, 0) else "opencl-3.1")
        out, _ = self.run_program("grade", "--format", "json", "r.jsonl", status=lines[-1]["exit"])
        self.assertEqual({line["model"] for line in lines + self.lines_of_json(out) if line["type"] == "test"},
                         {wanted})
        self.run_program(*RUN, "--model", "consensus", "--require", "both", "--output", "c.jsonl", status=SILENT)
        lines = self.lines("c.jsonl")
        self.assertEqual({line["model"] for line in lines if line["type"] == "test"}, {"consensus"})
        self.assertEqual(lines[0]["require"], "both")
        # what was judged by other rules is not gone on with
        _, err = self.run_program(*RUN, "--resume", "c.jsonl", status=2)
        self.assertIn("has a test that was judged by another model", err)
        self.run_program(*RUN, "--model", "consensus", "--resume", "c.jsonl", status=SILENT)
        _, err = self.run_program("run", "--model", "opencl-2", status=2)
        self.assertIn('unknown model "opencl-2"; did you mean "opencl-2.', err)

    def test_launches_beside_a_control(self):
        """A test that runs alone runs beside its control all the same; what both showed is in the record."""
        self.write("litmus/relaxed/LB.litmus", LB)
        out, _ = self.run_program("run", "--format", "json", "--instances", "20000", "--seed", "7",
                                  "--require", "hardware", "LB", status=None)
        line, confidence = self.lines_of_json(out)[1:3]
        evidence = line["evidence"]
        self.assertEqual([c["name"] for c in evidence["controls"] if c["kind"] == "weaker"],
                         ["LB.order=rlx"])
        width = 1 + 3 * (1 + len(evidence["controls"]))
        self.assertEqual({len(block) for block in evidence["blocks"]}, {width})
        sums = [sum(block[0] * block[i] for block in evidence["blocks"]) for i in range(1, width)]
        launches, hits, instances = sums[0::3], sums[1::3], sums[2::3]
        self.assertGreaterEqual(line["launches"], 32)
        # of the test those in which it met
        self.assertGreater(evidence["rounds"], 0)
        self.assertLessEqual((launches[0], instances[0]), (line["launches"], line["instances"]))
        self.assertEqual(launches[0] > 0, evidence["met"] > 0)
        # as many launches of each control, of one size; but a control that has shown enough stops
        for block in evidence["blocks"]:
            most = max(block[i] for i in range(1, width, 3))
            sizes = {block[i + 2] // block[i] for i in range(1, width, 3) if block[i]}
            self.assertLessEqual(len(sizes), 1)
            for i in range(4, width, 3):
                self.assertIn(block[i], (most, 0))
        for control, hit in zip(launches[1:], hits[1:]):
            self.assertTrue(control == line["launches"] or 0 < hit <= control < line["launches"], launches)
        self.assertEqual(hits[0], 0)
        for shown in evidence["shown"]:
            self.assertEqual(shown["values"], {"0:r0": 1, "1:r0": 1})
        self.assertEqual(sum(hits) > 0, bool(evidence["shown"]))
        # a control that shows nothing proves nothing, whatever the others show; five hits make 3.1 %
        # on a CPU one is derived of the test, elsewhere two are
        self.assertIn([c["kind"] for c in evidence["controls"]],
                      (["weaker", "moved"], ["weaker", "moved", "moved"]))
        self.assertEqual(confidence["verdict"], "pass" if hits[1] >= 5 else "inconclusive")
        self.assertAlmostEqual(confidence["hardware_escape"] / 0.5 ** hits[1], 1)
        self.write("r.jsonl", out)
        graded, _ = self.run_program("grade", "--format", "json", "--require", "hardware", "r.jsonl", status=None)
        self.assertEqual(self.lines_of_json(graded)[2], confidence)

    def run_in_parts(self, path, *arguments):
        """With a budget that leaves time for a second part of LB, however busy the machine is."""
        for budget in (4, 8, 16, 32, 64):
            (self.folder / path).unlink(missing_ok=True)
            lines = self.run_with_budget(path, *arguments, budget=str(budget))
            if not lines[-1]["left_out"] and sum(line.get("test") == "LB" for line in lines if line["type"] == "test") > 1:
                break
        return lines

    def run_with_budget(self, path, *arguments, budget):
        """For the hardware alone; where the device shows what LB's control asks for there is nothing to see."""
        (self.folder / "litmus/race/RACE.litmus").unlink(missing_ok=True)
        self.write("litmus/relaxed/LB.litmus", LB)
        self.write("litmus/relaxed/SB.litmus",
                   SB.replace("vary order: memory_order_relaxed => memory_order_seq_cst\n", ""))
        self.run_program("run", "--instances", "2000", "--seed", "7", "--budget", budget, "--resume", path,
                         "--require", "hardware", *arguments, status=(3, 4))  # 4: too busy a machine for this budget
        lines = self.lines(path)
        if any(o["count"] and o["witness"] for line in lines if line.get("test") == "LB.order=rlx"
               for o in line.get("outcomes", ())):
            self.skipTest("this device shows load buffering")
        return lines

    def test_budget_goes_where_confidence_is_missing(self):
        lines = self.run_in_parts("r.jsonl", "--output", "r.xml")
        parts = {}
        for line in (line for line in lines if line["type"] == "test"):
            parts.setdefault(line["test"], []).append(line)
        self.assertEqual({name: len(of_one) > 1 for name, of_one in parts.items()},
                         {"LB": True, "LB.order=rlx": False, "SB": False})
        for of_one in parts.values():
            launches = 0
            for line in of_one:
                self.assertEqual((line["first_launch"], line["seed"]), (launches, of_one[0]["seed"]))
                launches += line["launches"]
        end = lines[-1]
        self.assertEqual((end["tests"], end["records"]), (len(parts), sum(map(len, parts.values()))))
        confidence = [line["test"] for line in lines if line["type"] == "confidence"]
        self.assertEqual(sorted(confidence), sorted(parts), "one line for a test, not for a part")
        self.assertEqual(self.read("r.xml").count("<testcase "), len(parts))
        self.check_parts_are_one("LB", parts["LB"], end)

    def check_parts_are_one(self, name, parts, end):
        total = sum(part["instances"] for part in parts)
        self.run_program("merge", "r.jsonl", "-o", "m.jsonl")
        merged = self.lines("m.jsonl")[-1]
        for key in ("tests", "records", "instances", "stimulus", "left_out"):
            self.assertEqual(merged[key], end[key], key)
        self.run_program("grade", "--require", "hardware", "m.jsonl", "-o", "g.jsonl", status=end["exit"])
        graded = self.lines("g.jsonl")
        whole = next(line for line in graded if line["type"] == "test" and line["test"] == name)
        self.assertEqual((whole["instances"], whole["first_launch"]), (total, 0))
        self.assertEqual({**graded[-1], "records": 0}, {**end, "records": 0})
        # the run is complete: nothing is added to it
        before = self.read("r.jsonl")
        self.run_program("run", "--budget", "5", "--require", "hardware", "--resume", "r.jsonl", status=3)
        self.assertEqual(self.read("r.jsonl"), before)
        # the parts are the launches of one longer run
        out, _ = self.run_program("run", "--format", "json", "--seed", "7", "--instances", str(total),
                                  *(("--turns", whole["turns"]) if "turns" in whole else ()),
                                  "--environment", whole["environment"], name, status=(0, 3))
        again = self.lines_of_json(out)[1]
        self.assertEqual((again["stimulus"], again["launches"]), (whole["stimulus"], whole["launches"]))

    def test_parts_are_resumed(self):
        self.run_in_parts("r.jsonl")
        text = self.read("r.jsonl").splitlines(keepends=True)
        tests = [number for number, line in enumerate(text) if '"type":"test"' in line]
        kept = "".join(text[:tests[-1]])
        self.write("r.jsonl", kept + text[tests[-1]][:100])
        self.run_with_budget("r.jsonl", budget="2")
        lines = self.lines("r.jsonl")
        self.assertEqual(self.read("r.jsonl")[:len(kept)], kept, "what was recorded stays")
        self.assertEqual((lines[-1]["tests"], lines[-1]["records"]),
                         (3, sum(line["type"] == "test" for line in lines)))
        # a part without the one before it
        part = json.loads(text[tests[3]])
        part["first_launch"] += part["launches"]
        self.write("r.jsonl", "".join(text[:tests[3]]) + json.dumps(part, separators=(",", ":")) + "\n")
        _, err = self.run_program("run", "--resume", "r.jsonl", status=2)
        self.assertIn("has a test twice", err)
        # one without the first, and records of another driver and another version
        first, later = json.loads(text[tests[0]]), json.loads(text[tests[3]])
        for record, words in ((later, "has a later part of a test without the first"),
                              ({**first, "driver": "0.1"}, "names another device or driver|on another device, driver or version"),
                              ({**first, "device_version": "OpenCL 1.2 x"}, "has a test on another device, driver or version")):
            self.write("r.jsonl", text[0] + json.dumps(record, separators=(",", ":")) + "\n")
            _, err = self.run_program("run", "--resume", "r.jsonl", status=2)
            self.assertRegex(common.joined(err), words)

    def test_shards_make_the_whole(self):
        for shard in (1, 2):
            self.run_program(*RUN, "--shard", f"{shard}/2", "--output", f"{shard}.jsonl", status=None)
        self.run_program("merge", "1.jsonl", "2.jsonl", "--output", "all.jsonl")
        tests = [line["test"] for line in self.lines("all.jsonl") if line["type"] == "test"]
        listed, _ = self.run_program("list")
        self.assertEqual(sorted(tests), sorted(listed.split()))
        self.run_program("run", "--instances", "20000", "--seed", "8", "--output", "whole.jsonl", status=(0, 3))
        self.run_program("compare", "whole.jsonl", "all.jsonl", status=0)


common.main_on_device()
