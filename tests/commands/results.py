# SPDX-License-Identifier: Apache-2.0
"""Saved results as files: what is printed, merged and compared."""

import functools
import json
import pathlib
import re

import common
from saved_results import SCHEMA, STRONG, ResultsCase, check


# An object that host and device use and that is not an int.
UNSIGNED = """OPENCL UNSIGNED
(* Result: Never *)
{ svm [x] = 0; }
P0@wg 0, dev 0 (global atomic_uint *x) {
  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_all_svm_devices);
  uint r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_all_svm_devices);
}
P1@host (global atomic_uint *x) {
  uint r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_all_svm_devices);
}
exists (0:r0=0)
"""
AGES = pathlib.Path(__file__).resolve().parent / "ages"


class Ages(ResultsCase):
    """Results of SB by older programs: 2026-11-22 and 2026-11-23 were written by the programs of these days; 2026-11-20 is
    the first of them without what the schema of that day does not have: causes, claims, evidence."""

    # how grade ends, and what is known of SB.order=sc: only the last has a control beside it
    WANTED = {"2026-11-20": (3, "inconclusive"), "2026-11-22": (3, "inconclusive"), "2026-11-23": (0, "pass")}

    def old(self, day):
        text = (AGES / f"{day}.jsonl").read_text(encoding="utf-8")
        self.write(f"{day}.jsonl", text)
        return [json.loads(line) for line in text.splitlines()]

    def of_kind(self, lines, kind):
        return {line["test"]: line for line in lines if line["type"] == kind}

    def test_all_are_there(self):
        self.assertEqual({path.stem for path in AGES.iterdir()}, set(self.WANTED))

    def test_graded_again(self):
        """Counts and stimulus stay; what a test is held to, and what silence is worth, are today's."""
        for day, (status, verdict) in self.WANTED.items():
            with self.subTest(day):
                before = self.of_kind(self.old(day), "test")
                self.run_program("grade", f"{day}.jsonl", "--output", "now.jsonl", status=status)
                text = self.read("now.jsonl")
                self.assertEqual(check(SCHEMA, text), [])
                lines = [json.loads(line) for line in text.splitlines()]
                after = self.of_kind(lines, "test")
                self.assertEqual(set(after), {"SB", "SB.order=sc"})
                for name, line in after.items():
                    for key in ("hash", "device", "driver", "platform", "environment", "seed", "stimulus", "source", "launches",
                                "instances", "seconds", "started", "ended", "build_options"):
                        self.assertEqual(line[key], before[name][key], key)
                    seen = [[(outcome["values"], outcome["count"]) for outcome in of["outcomes"] if outcome["count"]]
                            for of in (before[name], line)]
                    self.assertEqual(*seen)
                self.assertEqual(self.of_kind(lines, "confidence")["SB.order=sc"]["verdict"], verdict)

    def test_merged_compared_and_shown(self):
        for day in self.WANTED:
            with self.subTest(day):
                before = self.old(day)
                self.run_program("merge", f"{day}.jsonl", f"{day}.jsonl", "--output", "all.jsonl")
                # runs and tests as they were; confidence is left to who grades them
                self.assertEqual([json.loads(line) for line in self.read("all.jsonl").splitlines()][:-1],
                                 [line for line in before if line["type"] in ("run", "test")])
                out, _ = self.run_program("compare", f"{day}.jsonl", "all.jsonl")
                self.assertIn("2 tests, 2 in both: 0 regressions", out)
                out, _ = self.run_program("report", f"{day}.jsonl")
                self.assertIn(before[0]["device"], out)
                self.assertIn("SB.order=sc", out)

    def test_of_one_device_stand_side_by_side(self):
        for day in self.WANTED:
            self.old(day)
        out, _ = self.run_program("compare", "2026-11-20.jsonl", "2026-11-23.jsonl")
        self.assertIn("2 tests, 2 in both: 0 regressions", out)
        out, _ = self.run_program("report", "2026-11-22.jsonl", "2026-11-23.jsonl")
        self.assertIn("2026-11-28", out)

    def test_a_form_to_come(self):
        """Is refused by its number, and not misread."""
        text = (AGES / "2026-11-20.jsonl").read_text(encoding="utf-8")
        self.write("new.jsonl", text.replace('"format":1', '"format":2', 1))
        _, err = self.run_program("grade", "new.jsonl", status=2)
        self.assertIn("format 2, this program reads 1", err)


class Output(ResultsCase):
    """What a file is called says what is in it; what is printed fits who reads it."""

    def failure(self):
        self.results("a.jsonl", [self.record("SB", [1, 2, 3, 4]), self.record("STRONG", [2, 500, 500, 0])])

    def test_a_suffix_that_stands_for_nothing(self):
        self.failure()
        for name in ("x.html", "x.jsn", "x.jsonl.gz"):
            _, err = self.run_program("grade", "a.jsonl", "--output", name, status=2)
            self.assertIn(f'--output: "{name}" is not one of *.txt, *.jsonl, ', err)
            self.assertFalse((self.folder / name).exists())
        _, err = self.run_program("report", "a.jsonl", "--output", "x.pdf", status=2)
        self.assertIn('"x.pdf" is not a name that ends in .html', err)
        self.run_program("grade", "a.jsonl", "--output", "plain", status=1)
        self.assertIn("Test STRONG", self.read("plain"))

    def test_output_that_is_input(self):
        """It would be cut before anything is written, and a full disk would leave nothing."""
        self.failure()
        before = self.read("a.jsonl")
        (self.folder / "link.jsonl").symlink_to("a.jsonl")
        (self.folder / "hard.jsonl").hardlink_to(self.folder / "a.jsonl")
        self.results("b.jsonl", [self.record("SB", [1, 2, 3, 4])])
        for name in ("a.jsonl", "./a.jsonl", "link.jsonl", "hard.jsonl"):
            _, err = self.run_program("grade", "b.jsonl", "a.jsonl", "--output", name, status=2)
            self.assertIn(f"--output {name} is what is graded", err)
            self.assertEqual(self.read("a.jsonl"), before)

    def test_namesakes(self):
        """Which of two tests of one name a record is of, nobody could tell."""
        self.failure()
        self.write("litmus/relaxed/other.litmus", self.read("litmus/relaxed/SB.litmus"))
        _, err = self.run_program("grade", "a.jsonl", status=2)
        self.assertIn('litmus/relaxed/SB.litmus and litmus/relaxed/other.litmus both have a test "SB"', err)

    def test_times_of_junit_are_finite(self):
        self.results("a.jsonl", [self.record(name, [1, 2, 3, 4], seconds=1e308, compile_seconds=1e308)
                                 for name in ("SB", "SB.order=sc")])
        out, _ = self.run_program("grade", "a.jsonl", "--format", "junit", status=None)
        times = re.findall(r' time="([^"]*)"', out)
        self.assertEqual(len(times), 4)
        self.assertTrue(all(re.fullmatch(r"\d{1,20}\.\d{3}", time) for time in times), times)

    def test_brief(self):
        self.failure()
        out, _ = self.run_program("grade", "a.jsonl", "--brief", status=1)
        lines = common.joined(out).splitlines()
        self.assertRegex(lines[0], "^FORBIDDEN    STRONG ")
        self.assertNotRegex(out, r"(?m)^pass|^family")
        self.assertRegex(lines[-1], "^verdict: FORBIDDEN: ")

    def test_colours(self):
        self.failure()
        out = self.on_a_terminal("grade", "a.jsonl")
        self.assertIn("\x1b[1;31mFORBIDDEN\x1b[0m    STRONG ", out)
        self.assertIn("\x1b[32mpass\x1b[0m         SB ", out)
        self.assertIn("verdict: \x1b[1;31mFORBIDDEN\x1b[0m: ", out)
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\x1b", self.on_a_terminal("grade", "a.jsonl", **variables))
        self.assertNotIn("\x1b", self.run_program("grade", "a.jsonl", status=1,
                                                  environment=self.environment(TERM="xterm"))[0])

    def test_replay_is_whole(self):
        """Saved results say where they ran: with the driver that was chosen, on that device, as it was there."""
        strange = "a 'device'; $(x)"
        for more, line in (
                ({}, r"oclmm run --device 'Pocket GPU' --seed 5 --environment 'groups=2 lanes=1' --instances 1002 STRONG"),
                ({"variables": "OCL_ICD_VENDORS=/x"}, r"OCL_ICD_VENDORS=/x oclmm run --device 'Pocket GPU' --seed 5 .*"),
                ({"device": strange}, r"oclmm run --device 'a '\\''device'\\''; \$\(x\)' --seed 5 .*"),
                ({"partner": "Tower GPU"}, r"oclmm run --seed 5 --instances 1002 STRONG"),
                ({"il": "clang 14, llvm-spirv 14"}, r"oclmm run --device 'Pocket GPU' --il spirv --seed 5 .*")):
            device = {key: value for key, value in more.items() if key in ("device", "il")}
            record = self.record("STRONG", [2, 500, 500, 0], environment=None if "partner" in more else "groups=2 lanes=1",
                                 master_seed="5", **device)
            self.results("a.jsonl", [record], seed="5", **more)
            out, _ = self.run_program("grade", "--brief", "a.jsonl", status=1)
            self.assertRegex(out, rf"(?m)^    replay: {line}$")

    def test_only_what_is_exported_is_suggested(self):
        """A failure names the command that hands it on, unless that refuses the test."""
        self.write("litmus/relaxed/UNSIGNED.litmus", UNSIGNED)
        found = self.lines_of_json(self.run_program("check", "--json", "UNSIGNED")[0])[0]
        unsigned = self.record("UNSIGNED", [], hash=found["hash"], instances=1000, launches=1)
        unsigned["outcomes"] = [{"values": {"0:r0": value}, "count": 500, "status": "allowed", "witness": value == 0}
                                for value in (0, 1)]
        for record, suggested in ((self.record("STRONG", [2, 500, 500, 0]), True), (unsigned, False)):
            self.results("a.jsonl", [record])
            for kind in ("summary", "brief", "tap", "junit", "github"):
                out, _ = self.run_program("grade", "--format", kind, "a.jsonl", status=1)
                self.assertIn("oclmm explain", out, kind)
                self.assertEqual("oclmm export" in out, suggested, f"{kind}: {out}")

    def test_progress(self):
        """A line that is drawn again and again needs a terminal that can take it away."""
        draw = functools.partial(self.on_a_terminal, "check", "SB", stream="stderr")
        self.assertRegex(draw(), r"\r\x1b\[K\[\.{24}\] 0/1 SB\r\x1b\[K$")
        self.assertRegex(draw(NO_COLOR="1"), r"^\r\x1b\[K\[")
        for name in ("dumb", ""):
            self.assertEqual(draw(TERM=name), "")


class Merge(ResultsCase):
    def test_joins(self):
        self.results("1.jsonl", [self.record("SB", [1, 2, 3, 4])], shard=1, shards=2)
        self.results("2.jsonl", [self.record("STRONG", [0, 2, 3, 4])], shard=2, shards=2)
        self.run_program("merge", "1.jsonl", "2.jsonl", "-o", "a.jsonl")
        self.run_program("merge", "2.jsonl", "1.jsonl", "2.jsonl", "-o", "b.jsonl")
        self.assertEqual(self.read("a.jsonl"), self.read("b.jsonl"))
        self.assertEqual(check(SCHEMA, self.read("a.jsonl")), [])
        out, _ = self.run_program("merge", "a.jsonl", "1.jsonl")
        self.assertEqual(out, self.read("a.jsonl"))
        types = [line["type"] for line in self.lines_of_json(out)]
        self.assertEqual(types, ["run", "run", "test", "test", "end"])

    def test_missing_shard(self):
        self.results("1.jsonl", [self.record("SB", [1, 2, 3, 4])], shard=1, shards=2)
        _, err = self.run_program("merge", "1.jsonl", "-o", "out.jsonl", status=2)
        self.assertIn("shard 2 of 2", err)
        self.assertFalse((self.folder / "out.jsonl").exists())
        self.run_program("merge", "--partial", "1.jsonl", "-o", "out.jsonl")

    def test_two_runs_of_one_seed(self):
        """They are told apart by when they began: each has its tests, and a column of the page."""
        times = ["2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z"]
        for number, start in enumerate(times):
            self.results(f"{number}.jsonl", [self.record("SB", [number, 2, 3, 4], started=start)], started=start)
        out, _ = self.run_program("merge", "1.jsonl", "0.jsonl")
        tests = [line for line in self.lines_of_json(out) if line["type"] == "test"]
        self.assertEqual([line["started"] for line in tests], times)
        self.run_program("report", "1.jsonl", "0.jsonl", "-o", "page.html")
        page = self.read("page.html")
        self.assertIn("2026-01-01 00:00", page)
        self.assertIn("2026-01-01 01:00", page)

    def test_conflict(self):
        self.results("1.jsonl", [self.record("SB", [1, 2, 3, 4])])
        self.results("2.jsonl", [self.record("SB", [4, 3, 2, 1])])
        self.write("out.jsonl", "old\n")
        _, err = self.run_program("merge", "1.jsonl", "2.jsonl", "-o", "out.jsonl", status=2)
        self.assertRegex(err, r"^[12]\.jsonl:2: error: two results of SB .* differ: ")
        self.assertIn("leave out one of the files", err)
        self.assertNotIn("--partial", err)
        self.assertEqual(self.read("out.jsonl"), "old\n")


class Compare(ResultsCase):
    def test_regression(self):
        bad = {"verdict": "forbidden", "forbidden": 2}
        self.results("a.jsonl", [self.record("STRONG", [0, 500, 500, 0])])
        record = self.record("STRONG", [2, 500, 500, 0], **bad)
        record["outcomes"][0]["status"] = "forbidden"
        self.results("b.jsonl", [record])
        out, _ = self.run_program("compare", "a.jsonl", "b.jsonl", status=1)
        self.assertIn("REGRESSION  STRONG: shows the forbidden outcome 0:r0=0; 1:r0=0;, 2 of 1002\n", out)
        self.run_program("compare", "b.jsonl", "a.jsonl")
        self.run_program("compare", "b.jsonl", "b.jsonl")

    def test_many_outcomes_are_one_line(self):
        few, many = self.record("SB", [1, 0, 0, 0]), self.record("SB", [1, 0, 0, 0])
        many["outcomes"] = [{"values": {"0:r0": k, "1:r0": 0}, "count": 1, "status": "allowed" if k % 2 else
                             "disputed", "witness": True} for k in range(1000)]
        many["instances"] = 1000
        few["outcomes"] = [{**many["outcomes"][0], "values": {"0:r0": 0, "1:r0": 1}}]
        self.results("few.jsonl", [few])
        self.results("many.jsonl", [many])
        out, _ = self.run_program("compare", "few.jsonl", "many.jsonl")
        self.assertEqual(common.joined(out).splitlines()[2:5], [
            "new         SB: now shows the allowed outcome 0:r0=1; 1:r0=0;, 1 of 1000, and 499 others; "
            "--all prints each",
            "new         SB: now shows the disputed outcome 0:r0=0; 1:r0=0;, 1 of 1000, and 499 others; "
            "--all prints each",
            "gone        SB: no longer shows the disputed outcome 0:r0=0; 1:r0=1;, 1 of 1"])
        self.assertIn("1001 other changes of what is seen", " ".join(out.split()))
        out, _ = self.run_program("compare", "--all", "few.jsonl", "many.jsonl")
        self.assertEqual(out.count("\nnew  "), 1000)

    def test_other_statuses(self):
        self.results("a.jsonl", [self.record("SB", [1, 2, 3, 4])])
        self.results("empty.jsonl", [])
        self.results("cut.jsonl", [self.record("SB", [1, 2, 3, 4])], complete=False)
        self.results("crash.jsonl", [self.record("SB", [0, 0, 0, 0], ended="crash", verdict="crash")])
        out, _ = self.run_program("compare", "a.jsonl", "empty.jsonl", status=77)
        self.assertIn("\nnot run     SB: ran before, left out of this run\n", out)
        self.run_program("compare", "empty.jsonl", "empty.jsonl", status=77)
        self.run_program("compare", "a.jsonl", "crash.jsonl", status=99)
        self.run_program("compare", "a.jsonl", "cut.jsonl", status=2)
        self.run_program("compare", "--partial", "a.jsonl", "cut.jsonl", status=0)
        self.run_program("compare", "a.jsonl", status=2)

    def test_left_out_and_new(self):
        """Which tests a run had says nothing of the device; a test that it lacks something for now does."""
        sb, strong = self.record("SB", [1, 2, 3, 4]), self.record("STRONG", [0, 5, 5, 0])
        self.results("both.jsonl", [sb, strong])
        self.results("one.jsonl", [sb])
        out, _ = self.run_program("compare", "both.jsonl", "one.jsonl")
        self.assertRegex(common.joined(out), r"\nnot run +STRONG: ran before.*\n2 tests, 1 in both: 0 regressions, 0 broken, "
                                             r"1 not run, 0 new, ")
        out, _ = self.run_program("compare", "one.jsonl", "both.jsonl")
        self.assertRegex(common.joined(out), r"\nnew +STRONG: not run before\n2 tests, 1 in both: .* 0 not run, 1 new, ")
        self.assertNotIn("STRONG", self.run_program("compare", "--quiet", "one.jsonl", "both.jsonl")[0])
        # a test that is new and fails is for `grade` to tell
        bad = self.record("STRONG", [2, 5, 5, 0], verdict="forbidden", forbidden=2)
        bad["outcomes"][0]["status"] = "forbidden"
        self.results("bad.jsonl", [sb, bad])
        self.run_program("compare", "one.jsonl", "bad.jsonl")
        self.run_program("compare", "both.jsonl", "bad.jsonl", status=1)

    def test_what_judged_is_shown(self):
        self.results("a.jsonl", [self.record("SB", [1, 2, 3, 4], model="x\x1b[31m")])
        self.results("b.jsonl", [self.record("SB", [1, 2, 3, 4])])
        for pair in (("a.jsonl", "b.jsonl"), ("b.jsonl", "a.jsonl")):
            self.assertNotIn("\x1b", self.run_program("compare", *pair, status=None)[0])

    def test_drivers_are_named(self):
        self.results("a.jsonl", [self.record("SB", [1, 2, 3, 4])])
        self.results("b.jsonl", [self.record("SB", [1, 2, 3, 4], driver="2.\x1b[31m0")], driver="2.\x1b[31m0")
        out, _ = self.run_program("compare", "a.jsonl", "b.jsonl")
        self.assertRegex(out, r"^before +\S.*, driver 1\S*\nafter +\S.*, driver 2\.\\x1b\[31m0\n")


if __name__ == "__main__":
    common.main()
