# SPDX-License-Identifier: Apache-2.0
"""Saved results judged: by the oracle of now, by each model, by a list of known failures."""

import datetime
import json
import xml.etree.ElementTree as ElementTree

import common
import shown
from common import SB
from robustness import ends_as
from saved_results import STRONG, ResultsCase


class Grade(ResultsCase):
    def test_judges_by_the_oracle_of_now(self):
        self.results("r.jsonl", self.strong(2))
        self.assertEqual(self.verdicts("r.jsonl", status=1),
                         {"STRONG": "forbidden", "STRONG.order=rlx": "pass"})

    def test_judges_by_a_model_of_ones_own(self):
        """`--cat`: what our model as text forbids is forbidden, what a copy without the rule allows is not; both are named."""
        ours = (shown.ROOT / "docs/opencl.cat").read_text(encoding="utf-8")
        self.write("ours.cat", ours)
        self.write("weaker.cat", "".join(line for line in ours.splitlines(True) if "as seq-cst" not in line))
        self.results("r.jsonl", self.strong(2))
        for name, word, status in (("ours.cat", "forbidden", 1), ("weaker.cat", "pass", 3)):  # 3: by it no test can fail
            self.assertEqual(self.verdicts("r.jsonl", "--cat", name, status=status)["STRONG"], word)
            models = {r.get("model") for r in self.lines_of_json(
                self.run_program("grade", "--cat", name, "--format", "json", "r.jsonl", status=status)[0]) if r["type"] == "test"}
            self.assertEqual(len(models), 1)
            self.assertRegex(models.pop(), rf"^{name}-[0-9a-f]{{8}}$")
        out, _ = self.run_program("baseline", "--cat", "ours.cat", "r.jsonl")
        self.assertIn("STRONG", out)
        out, _ = self.run_program("baseline", "--cat", "weaker.cat", "r.jsonl")
        self.assertNotIn("STRONG", out)
        for command in ("grade", "baseline"):
            _, err = self.run_program(command, "--cat", "nowhere.cat", "r.jsonl", status=2)
            self.assertIn("nowhere.cat", err)
        _, err = self.run_program("grade", "--cat", "ours.cat", "--model", "scoped", "r.jsonl", status=2)
        self.assertIn("--model", err)

    def test_confidence(self):
        for hits, moved, options, verdict, status in (
                (5, None, (), "pass", 0), (4, None, (), "inconclusive", 3),
                (4, None, ("--strict",), "inconclusive", 3),
                (16, None, ("--confidence", "0.99999", "--strict"), "inconclusive", 3),
                (17, None, ("--confidence", "0.99999", "--strict"), "pass", 0),
                # where either kind suffices each has half of the level
                (0, 17, ("--confidence", "0.99999", "--strict"), "inconclusive", 3),
                (0, 18, ("--confidence", "0.99999", "--strict"), "pass", 0),
                (0, 17, ("--confidence", "0.99999", "--strict", "--require", "compiler"), "pass", 0),
                (4, 4, ("--strict",), "inconclusive", 3),
                (0, None, ("--strict",), "inconclusive", 3)):
            self.results("r.jsonl", self.strong(0, hits, moved))
            self.assertEqual(self.verdicts("r.jsonl", *options, status=status)["STRONG"], verdict)

    def test_words(self):
        """What the numbers stand for, and every test once in the last line."""
        self.results("r.jsonl", self.strong(0, 0, 18) + [self.record("SB", [1, 5, 5, 5])])
        out, _ = self.run_program("grade", "r.jsonl")
        self.assertRegex(out, r"(?m)^verdict +test +compiler +hardware +limit\npass +STRONG +7.6e-06 +never seen +0.094$")
        self.assertIn("silence: 95 % reached for 1, 99.999 % for 1\n", out)
        self.assertIn("were there in each (1) a bug that shows in as many launches as its control's outcome, 95 % would be "
                      "reached for 0.05 on average at most, 99.999 % for 1e-05 verdict:", " ".join(out.split()))
        self.assertIn("limit: what shows in at least that part of launches, independently of each other or as many at a time "
                      "as is said, would have been seen with 95 %", " ".join(out.split()))
        # as it is printed, in one line
        self.assertEqual(out.splitlines()[-1],
                         "verdict: pass: of 1 test that can fail 1 with confidence (0 hardware, 1 compiler), "
                         "0 inconclusive; 2 cannot fail, 0 undefined, 0 skipped")

    def test_what_was_left_out_is_in_the_last_line(self):
        """Whatever came of the others; and of how many of them one could fail."""
        records = self.strong(0, 0, 17)
        self.results("r.jsonl", records, tests=len(records) + 3)
        cut = self.read("r.jsonl").replace('"left_out": 0', '"left_out": 3, "unfinished": 2')
        self.write("r.jsonl", cut)
        out, _ = self.run_program("grade", "r.jsonl", status=4)
        self.assertRegex(common.joined(out).splitlines()[-1],
                         r"^verdict: unfinished: of 1 test .* skipped, 3 left out \(2 that can fail\)$")
        self.write("r.jsonl", cut.replace('"unfinished": 2', '"unfinished": 0'))
        out, _ = self.run_program("grade", "r.jsonl")
        self.assertRegex(common.joined(out).splitlines()[-1], r"^verdict: pass: .* skipped, 3 left out$")
        self.results("r.jsonl", [], tests=2)
        self.write("r.jsonl", self.read("r.jsonl").replace('"left_out": 0', '"left_out": 2, "unfinished": 1'))
        out, _ = self.run_program("grade", "r.jsonl", status=4)
        self.assertEqual(common.joined(out).splitlines()[-1], "verdict: unfinished: 2 left out (1 that can fail)")

    def test_required(self):
        self.results("r.jsonl", self.strong(0, 0, 17))
        for kinds, status in (("any", 0), ("compiler", 0), ("hardware", 3), ("both", 3)):
            out, _ = self.run_program("grade", "--strict", "--require", kinds, "-o", "g.jsonl", "r.jsonl",
                                      status=status)
            reached = int(status == 0)
            self.assertIn(f" {reached} with confidence ({0} hardware, {reached} compiler)", common.joined(out))
            self.assertEqual(self.lines_of_json(self.read("g.jsonl"))[0]["require"], kinds)
        _, err = self.run_program("grade", "--require", "all", "r.jsonl", status=2)
        self.assertIn('"any", "compiler", "hardware" or "both"', err)

    def test_unproven(self):
        """JUnit shows what was not proven as a case that was skipped, that ran, or that failed."""
        self.results("r.jsonl", self.strong(0, 0))
        for options, element, status in (((), "skipped", 3), (("--unproven", "skipped"), "skipped", 3),
                                         (("--unproven", "property"), "property", 3),
                                         (("--unproven", "property", "--strict"), "failure", 3)):
            out, _ = self.run_program("grade", "--format", "junit", *options, "r.jsonl", status=status)
            case = out[out.index('<testcase name="STRONG"'):]
            case = case[:case.index("<system-out>")]
            for other in ("skipped", "property", "failure"):
                self.assertEqual(f"<{other} " in case, other == element, (options, case))
        _, err = self.run_program("grade", "--unproven", "passed", "r.jsonl", status=2)
        self.assertIn('"skipped" or "property"', err)

    def test_never_met(self):
        """What could not be seen is not called never seen, and the environment is named."""
        for met, words in ((0, "compiler never met, hardware never met; never met in the environment groups=2 lanes=1 …"),
                           (1, "compiler never seen, hardware never seen; limit 0.094 of launches")):
            strong, control = self.strong(0, 0, 0)
            strong["evidence"].update(rounds=7, met=met)
            strong["environment"] = control["environment"] = "groups=2 lanes=1 rounds=8; groups=4 lanes=1"
            self.results("r.jsonl", [strong, control])
            out, _ = self.run_program("grade", "r.jsonl", "-o", "r.tap", "-o", "r.xml", status=3)
            cells = r" +never met +never met +-" if met == 0 else r" +never seen +never seen +0.094"
            self.assertRegex(out, rf"(?m)^inconclusive STRONG{cells}$")
            self.assertEqual("\n    never met in the environment groups=2 lanes=1 …\n" in out, met == 0)
            self.assertIn(f"# SKIP inconclusive: {words}\n", self.read("r.tap"))
            self.assertIn(f'<skipped message="inconclusive: {words}"/>', self.read("r.xml"))

    def test_own_meetings(self):
        """Whatever its control showed, a test that did not meet, or that shows one outcome or one value only, proves nothing."""
        for counts, own, others, verdict, words, lie in (
                ([0, 500, 500, 0], (1000, 10, 2), (1000, 10, 3), "pass", None, None),
                ([0, 500, 500, 0], (1000, 0, 2), (1000, 1000, 3), "inconclusive", "never met",
                 "runs tests with strong orders on one core, one role after the other"),
                ([0, 0, 0, 1000], (1000, 1000, 1), (1000, 10, 3), "inconclusive", "one outcome",
                 "folds loads of strong orders to a constant"),
                ([0, 500, 0, 500], (1000, 500, 2, 1), (1000, 10, 3, 3), "inconclusive", "one value",
                 "makes a constant of one load of a strong order, where other values still look as if roles had met"),
                ([0, 500, 500, 0], (1000, 1, 2), (1000, 500, 3), "inconclusive", "met seldom",
                 "lets a test meet far less often than its control")):
            strong, control = self.strong(0, 10)
            for outcome, count in zip(strong["outcomes"], counts):
                outcome["count"] = count
            strong["evidence"].update(zip(("rounds", "met", "outcomes", "varied"), own))
            strong["evidence"]["controls"][0].update(zip(("rounds", "met", "outcomes", "varied"), others))
            self.results("r.jsonl", [strong, control])
            out, _ = self.run_program("grade", "--strict", "r.jsonl", status=0 if verdict == "pass" else 3)
            self.assertRegex(out, rf"(?m)^{verdict} +STRONG +no control +{words or '0.00098'} ")
            if lie:
                ends_as(lie, f"{verdict}: {words}")

    def test_seldom_value(self):
        """A value that the test clearly shows less often than its control is named, and the control proves nothing.

        Where that is not clear, its hits are worth the test's share: of 10 with 31 of 490 instances two thirds of one."""
        lie = "makes a constant of a load in most work-items of strong kernels, and not in all"
        for test, fewer, verdict, words in ((31, 12, "inconclusive", "seldom value"), (31, 11, "inconclusive", "0.64"),
                                            (160, 11, "pass", "0.00098")):
            strong, control = self.strong(0, 10)
            strong["evidence"].update(rounds=1000, met=10, outcomes=2)
            strong["evidence"]["controls"][0].update(compared=12, values=4, seldom=[
                {"value": {"1:r0": 1}, "test": test, "control": 490, "blocks": 12, "fewer": fewer}])
            self.results("r.jsonl", [strong, control])
            out, _ = self.run_program("grade", "--strict", "r.jsonl", status=0 if verdict == "pass" else 3)
            self.assertRegex(out, rf"(?m)^{verdict} +STRONG +no control +{words} ")
            said = "1:r0=1 was seen 31 times, and 490 times in as many instances of its control"
            self.assertEqual(said in common.joined(out), fewer == 12)
            ends_as(lie if fewer == 12 else "makes a constant of a load in most launches of strong kernels, by the stimulus or by chance",
                    f"{verdict}: {words}" if fewer == 12 else verdict)
            # of a file that was merged nothing is lost
            self.run_program("merge", "r.jsonl", "--output", "m.jsonl")
            again, _ = self.run_program("grade", "--strict", "m.jsonl", status=0 if verdict == "pass" else 3)
            self.assertIn(f"{verdict} ", again)
        for wrong, words in (({"value": {"2:r0": 1}}, "not one of the outcomes' values"),
                             ({"value": {"0:r0": 1, "1:r0": 1}}, "not one of the outcomes' values"),
                             ({"blocks": 13}, "seldom in 11 blocks of 13, of which 12 were compared"),
                             ({"fewer": 13}, "seldom in 13 blocks of 12, of which 12 were compared")):
            kept = dict(strong["evidence"]["controls"][0]["seldom"][0])
            strong["evidence"]["controls"][0]["seldom"][0].update(wrong)
            self.results("r.jsonl", [strong, control])
            _, err = self.run_program("grade", "r.jsonl", status=2)
            self.assertIn(words, common.joined(err))
            strong["evidence"]["controls"][0]["seldom"][0] = kept

    def test_class_and_device_are_those_of_the_run(self):
        """What a record says of itself is not believed where its run line says another thing."""
        claims = "orders=rlx,acq,rel,acq_rel,sc scopes=wg,dev fence_orders=rlx,acq,rel,acq_rel features= memory=0x0 fence=0x0 svm=0x0"
        accepted = self.record("STRONG", [1, 1, 1, 0], **{"class": "accepted"})
        claimed = self.record("STRONG", [1, 1, 1, 0])
        for record, said, status in ((accepted, claims, 1), (claimed, claims, 1),
                                     (claimed, claims.replace(",sc ", " "), 77), (accepted, claims.replace(",sc ", " "), 77),
                                     (accepted, claims.replace("wg,dev", "wg"), 77)):
            self.results("r.jsonl", [record], claims=said)
            self.run_program("grade", "r.jsonl", status=status)
        for key, value in (("driver", "1.3"), ("device", "Other GPU"), ("device_id", "alike-1")):
            self.results("r.jsonl", [{**claimed, key: value}])
            for command in (("grade", "r.jsonl"), ("merge", "r.jsonl", "--output", "m.jsonl")):
                _, err = self.run_program(*command, status=2)
                self.assertIn("STRONG ran on a device or driver that no run of the file names", err)
        for end in ("recomputed", "refused"):
            ends_as("results: a class, device or driver that the run line contradicts", end)

    def test_control_was_changed(self):
        strong, control = self.strong(0, 17)
        strong["evidence"]["controls"][0]["hash"] = "1" * 16
        self.results("r.jsonl", [strong, control])
        self.assertEqual(self.verdicts("r.jsonl", status=3)["STRONG"], "inconclusive")

    def test_control_of_another_file_was_changed(self):
        """A control may have a file of its own, which no test line names."""
        self.write("litmus/relaxed/other.litmus", SB.replace("OPENCL SB", "OPENCL OTHER"))
        strong, control = self.strong(0, 17)
        strong["evidence"]["controls"][0].update(name="OTHER", hash="1" * 16)
        self.results("r.jsonl", [strong, control])
        self.assertEqual(self.verdicts("r.jsonl", status=3)["STRONG"], "inconclusive")

    def test_older_files(self):
        """Without launches a run is one launch, however often its control was seen."""
        strong, control = self.strong(0)
        del strong["evidence"]
        self.results("r.jsonl", [strong, control])
        self.assertEqual(self.verdicts("r.jsonl", "--strict", status=3)["STRONG"], "inconclusive")
        out, _ = self.run_program("grade", "r.jsonl", status=3)
        self.assertRegex(out, r"(?m)^inconclusive STRONG +no control +0.5 +-\n"
                              r"    its launches were not kept apart and count as one$")
        # what is not written any more is read over
        strong["bound"] = 3e-6
        confidence = {key: strong[key] for key in ("test", "hash", "platform", "device", "device_id", "driver",
                                                   "environment")}
        confidence.update(type="confidence", verdict="pass", confidence="reached", control="STRONG.order=rlx",
                          seen=10, instances=1010, rate=0.01, per_second=10.0, escape=1e-12)
        self.results("r.jsonl", [strong, control, confidence])
        self.run_program("grade", "--partial", "r.jsonl", status=2)
        self.write("r.jsonl", self.read("r.jsonl").replace('"tests": 3, "verdicts"', '"tests": 2, "verdicts"'))
        self.assertEqual(self.verdicts("r.jsonl", status=3)["STRONG"], "inconclusive")

    def test_control_of_another_file(self):
        """Shards part a test from its control, but not from the launches of it."""
        strong, control = self.strong(0)
        self.results("1.jsonl", [strong], shard=1, shards=2)
        self.results("2.jsonl", [control], shard=2, shards=2)
        self.run_program("grade", "1.jsonl", status=2)
        self.run_program("grade", "--partial", "--strict", "1.jsonl", status=0)
        self.run_program("grade", "--strict", "2.jsonl", "1.jsonl", status=0)

    def test_parts_of_others_are_refused(self):
        """A later part is one of the same run: on the same device and driver, of the same version, behind the one before it."""
        strong, control = self.strong(0)
        first = {**strong, "stimulus": "1" * 16}
        part = {**first, "first_launch": first["launches"], "stimulus": "2" * 16}
        del part["evidence"]
        del first["evidence"]
        self.results("r.jsonl", [first, part, control])
        self.run_program("grade", "r.jsonl", status=3)  # without evidence nothing is proved
        for alone in ([part, control], [first, {**part, "first_launch": part["first_launch"] + 1}, control],
                      [first, {**part, "driver": "1.3"}, control], [first, {**part, "device": "Pocket GPU 2"}, control],
                      [first, {**part, "device_version": "OpenCL 2.0"}, control], [first, {**part, "device_id": "1"}, control]):
            with self.subTest(alone=alone[-2]):
                # as a merge of two files has it: each with the line of its own run
                texts = []
                for number, record in enumerate(alone):
                    here = {key: record[key] for key in ("device", "driver", "device_id")}
                    self.results(f"{number}.jsonl", [record], version=record["device_version"], **here)
                    texts.append(f"{number}.jsonl")
                _, err = self.run_program("grade", *texts, status=2)
                self.assertIn("a later part of STRONG", common.joined(err))
                _, err = self.run_program("merge", *texts, "-o", "m.jsonl", status=2)
                self.assertIn("a later part of STRONG", common.joined(err))
                self.assertFalse((self.folder / "m.jsonl").exists())
                self.run_program("merge", "--partial", *texts, "-o", "m.jsonl")
                (self.folder / "m.jsonl").unlink()

    def test_files_of_other_tests_are_not_read(self):
        """What is wrong with them is not told; a file whose first line does not say its test is read."""
        self.write("litmus/relaxed/broken.litmus", "OPENCL BROKEN\n(\n")
        self.results("r.jsonl", self.strong(2))
        self.verdicts("r.jsonl", status=1)
        self.write("litmus/relaxed/broken.litmus", "OPENCL\nBROKEN\n(\n")
        _, err = self.run_program("grade", "r.jsonl", status=2)
        self.assertIn("broken.litmus:", err)

    def test_no_suite(self):
        self.results("r.jsonl", self.strong(2))
        _, err = self.run_program("grade", str(self.folder / "r.jsonl"), status=2,
                                  environment=self.environment(OCLMM_SUITE=str(self.folder / "none")))
        self.assertIn(f"{self.folder}/none", err)

    def test_changed_test_is_lost(self):
        self.results("r.jsonl", [self.record("STRONG", [5, 1, 1, 1], hash="f" * 16),
                                 self.record("GONE", [0, 1, 1, 1])])
        self.assertEqual(self.verdicts("r.jsonl", status=99), {"STRONG": "lost", "GONE": "lost"})
        out, _ = self.run_program("grade", "r.jsonl", status=99)
        self.assertIn("the test was changed since it ran", common.joined(out))
        self.assertIn("no test of this name", out)

    def test_exit_statuses(self):
        skip = self.record("SB", [0, 0, 0, 0], ended="unsupported", message="sub-groups", outcomes=[],
                           **{"class": "unsupported"})
        crash = self.record("SB", [0, 0, 0, 0], ended="crash", message="clFinish", outcomes=[])
        accepted = self.record("STRONG", [1, 1, 1, 0], **{"class": "accepted"})
        for records, options, status in (
                ([skip], (), 77), ([], (), 77), ([crash], (), 99), ([crash, *self.strong(1)], (), 1),
                ([skip, *self.strong(0)], (), 0), ([accepted], (), 77),
                ([accepted], ("--claims", "accepted"), 1),
                ([self.record("STRONG", [0, 1, 1, 1], instances=4)], (), 99)):
            self.results("r.jsonl", records)
            self.run_program("grade", "r.jsonl", *options, status=status)

    def test_what_is_left_out_is_said(self):
        self.results("r.jsonl", self.strong(0), tests=5, interrupted=True)
        out, _ = self.run_program("grade", "r.jsonl", status=99)
        self.assertIn("\n3 tests left out: this run does not verify conformance\n", out)
        skip = self.record("SB", [0, 0, 0, 0], ended="unsupported", message="sub-groups", outcomes=[],
                           **{"class": "unsupported"})
        for left_out, words in ((0, "1 test skipped"), (1, "1 test left out and 1 skipped")):
            records = [skip, *self.strong(0)]
            self.results("r.jsonl", records, tests=len(records) + left_out, interrupted=bool(left_out))
            out, _ = self.run_program("grade", "r.jsonl", status=99 if left_out else 0)
            self.assertIn(f"\n{words}: this run does not verify conformance\n", out)

    def test_chosen_tests_verify_nothing(self):
        self.results("r.jsonl", self.strong(0))
        out, _ = self.run_program("grade", "r.jsonl")
        self.assertNotIn("conformance", out)
        self.results("r.jsonl", self.strong(0), whole_suite=False)
        out, _ = self.run_program("grade", "r.jsonl")
        self.assertIn("part of the suite or of its instances was chosen: this run does not verify conformance", common.joined(out))
        self.results("r.jsonl", self.strong(0), shard=2, shards=2)
        out, _ = self.run_program("grade", "--partial", "r.jsonl")
        self.assertIn("does not verify conformance", common.joined(out))

    def test_cut_short(self):
        self.results("r.jsonl", self.strong(0), complete=False)
        _, err = self.run_program("grade", "r.jsonl", status=2)
        self.assertIn("cut short", err)
        self.run_program("grade", "--partial", "r.jsonl", status=99)

    def test_lines_of_one_record(self):
        """The same record twice counts once, in the same spelling or in another; two that differ are refused."""
        self.results("a.jsonl", self.strong(2))
        lines = self.lines_of_json((self.folder / "a.jsonl").read_text(encoding="utf-8"))
        self.write("spelled.jsonl", "".join(json.dumps(line, separators=(" , ", " : ")) + "\n" for line in lines))
        for line in lines:
            if line["type"] == "test":
                line["seconds"] += 1
        self.write("changed.jsonl", "".join(json.dumps(line, separators=(" , ", " : ")) + "\n" for line in lines))
        for command, status in (("grade", 1), ("report", 0)):
            alone, _ = self.run_program(command, "a.jsonl", status=status)
            for others in (["a.jsonl"], ["spelled.jsonl"], ["a.jsonl", "spelled.jsonl"]):
                self.assertEqual(self.run_program(command, "a.jsonl", *others, status=status)[0], alone, others)
            _, err = self.run_program(command, "a.jsonl", "changed.jsonl", status=2)
            self.assertIn("differ: one was changed", err)

    def test_refused(self):
        self.results("r.jsonl", self.strong(0))
        text = self.read("r.jsonl")
        self.write("r.jsonl", text.replace('"class"', '"clas"', 1))
        _, err = self.run_program("grade", "r.jsonl", status=2)
        self.assertRegex(err, r'^r\.jsonl:2:\d+: error: the key "class" is missing\n')
        for arguments in ((), ("none.jsonl",), ("--confidence", "2", "r.jsonl"),
                          ("--annotations", "gitlab", "r.jsonl"),
                          ("--annotations", "github", "--format", "json", "r.jsonl"), ("--format", "xml", "r.jsonl")):
            self.run_program("grade", *arguments, status=2)

    def test_tests_beside_the_suite(self):
        self.results("r.jsonl", self.strong(2))
        self.write("other/STRONG.litmus", self.read("litmus/relaxed/STRONG.litmus"))
        (self.folder / "litmus/relaxed/STRONG.litmus").unlink()
        self.assertEqual(self.verdicts("r.jsonl", status=99)["STRONG"], "lost")
        self.assertEqual(self.verdicts("r.jsonl", "--litmus", "other", status=1)["STRONG"], "forbidden")

    def test_formats(self):
        self.results("r.jsonl", self.strong(2))
        out, _ = self.run_program("grade", "r.jsonl", "--annotations", "github", "-o", "r.xml", "-o", "r.tap",
                                  "-o", "again.jsonl", status=1)
        line = STRONG[:STRONG.index("exists")].count("\n") + 1
        self.assertRegex(out, rf"(?m)^::error file=.*litmus/relaxed/STRONG\.litmus,line={line},title=STRONG::")
        suite = ElementTree.fromstring(self.read("r.xml")).find("testsuite")
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("2", "1"))
        self.assertIn("\nnot ok 1 - STRONG\n", self.read("r.tap"))
        # what grade writes, grade reads
        self.assertEqual(self.verdicts("again.jsonl", status=1), self.verdicts("r.jsonl", status=1))


class Model(ResultsCase):
    """SB whose seq_cst operations have the widest scope: 2.0 orders them only with conditions that are not met here."""

    def setUp(self):
        super().setUp()
        self.write("litmus/relaxed/WIDE.litmus", STRONG.replace("STRONG", "WIDE").replace(
            "memory_scope_device", "memory_scope_all_svm_devices").replace("Result: Never", "Result: Disputed"))
        out, _ = self.run_program("check", "--json")
        self.hashes = {answer["test"]: answer["hash"] for answer in self.lines_of_json(out)}

    def judged(self, version, *options, status):
        self.results("r.jsonl", [self.record("WIDE", [3, 5, 5, 5], device_version=version)])
        out, _ = self.run_program("grade", "--format", "json", "r.jsonl", *options, status=status)
        line = self.lines_of_json(out)[1]
        return line["verdict"], line["model"], line["outcomes"][0]["status"]

    def judge_all(self):
        forbidden, disputed, allowed = (("forbidden", "forbidden"), ("disputed", "disputed"), ("pass", "allowed"))
        for version, options, model, (verdict, outcome) in (
                ("OpenCL 3.0 CUDA", (), "opencl-2.1", forbidden), ("OpenCL 2.1 ", (), "opencl-2.1", forbidden),
                ("OpenCL 3.1", (), "opencl-3.1", forbidden), ("OpenCL 2.0 AMD", (), "opencl-2.0", allowed),
                # before 2.0 there is no model: what all versions agree on
                ("OpenCL 1.2 x", (), "consensus", disputed), (None, (), "consensus", disputed),
                ("no version", (), "consensus", disputed),
                ("OpenCL 3.0 CUDA", ("--model", "opencl-2.0"), "opencl-2.0", allowed),
                ("OpenCL 3.0 CUDA", ("--model", "consensus"), "consensus", disputed),
                ("OpenCL 2.0 AMD", ("--model", "opencl-3.0"), "opencl-2.1", forbidden),
                ("OpenCL 2.0 AMD", ("--model", "scoped"), "scoped", forbidden)):
            with self.subTest(version=version, options=options):
                self.assertEqual(self.judged(version, *options, status=1 if verdict == "forbidden" else 3),
                                 (verdict, model, outcome))

    def test_by_the_oracle(self):
        self.judge_all()

    def test_by_expected_sets(self):
        self.run_program("check", "--write")
        self.assertIn("opencl-2.0:allowed", self.read("expected/relaxed/WIDE.expected"))
        self.judge_all()

    def test_unknown(self):
        for command in ("grade", "report"):
            _, err = self.run_program(command, "--model", "opencl-2.l", "none.jsonl", status=2)
            self.assertIn('unknown model "opencl-2.l"; did you mean "opencl-2.', err)
            self.assertIn("\n  consensus ", err)

    def test_page(self):
        self.results("r.jsonl", [self.record("WIDE", [3, 5, 5, 5])])
        for options, headline in (((), "showed a forbidden outcome"), (("--model", "opencl-2.0"), "No forbidden")):
            out, _ = self.run_program("report", "r.jsonl", *options)
            self.assertIn(headline, out)

    def test_compare_says_it(self):
        self.results("a.jsonl", [self.record("WIDE", [3, 5, 5, 5])])
        self.run_program("grade", "a.jsonl", "-o", "b.jsonl", status=1)
        out, _ = self.run_program("compare", "a.jsonl", "b.jsonl")
        self.assertRegex(out, "(?m)^judged +by consensus before and by opencl-2.1 after: ")
        out, _ = self.run_program("compare", "b.jsonl", "b.jsonl")
        self.assertNotIn("judged", out)


class Expectations(ResultsCase):
    def known(self, outcome, days=30, test="STRONG", status="forbidden"):
        day = datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days)
        self.write("known", f"# what is known\nPocket* | 1.* | {test} | {status} | {outcome} | bug 17 | {day}\n")
        return "--expectations", "known"

    def strong(self, weak):
        self.results("r.jsonl", [self.record("STRONG", [weak, 500, 500, 0]), self.record("SB", [1, 2, 3, 4])])
        return "r.jsonl"

    def test_known(self):
        path = self.strong(2)
        self.assertEqual(self.verdicts(path, *self.known("0:r0=0; 1:r0=0;"), status=3)["STRONG"], "known")
        out, _ = self.run_program("grade", path, *self.known("*"), status=3)
        self.assertIn("[bug 17]", out)
        # no pass: it stands in a column of its own, and with a number of its own
        self.assertRegex(out, r"(?m)^family +tests +pass +listed +instances +asked\nrelaxed +2 +1 +1 ")
        self.assertIn(" 0 inconclusive, 1 known to fail; 1 cannot fail", common.joined(out).splitlines()[-1])

    def test_does_not_hold(self):
        path = self.strong(2)
        for known in (self.known("0:r0=0; 1:r0=7;"), ):
            self.run_program("grade", path, *known, status=1)
        out, _ = self.run_program("grade", path, *self.known("*", days=-1), status=1)
        self.assertRegex(common.joined(out), r"(?m)^FORBIDDEN .*; it was expected until \d{4}-\d\d-\d\d$")
        self.run_program("grade", path, *self.known("*", test="SB"), status=1)

    def test_stale(self):
        path = self.strong(0)
        self.assertEqual(self.verdicts(path, *self.known("*"), status=3)["STRONG"], "stale")
        out, _ = self.run_program("grade", path, *self.known("*"), "--strict", status=1)
        self.assertEqual(common.joined(out).splitlines()[-1],
                         "verdict: stale: of 1 test that can fail 0 with confidence (0 hardware, 0 compiler), "
                         "0 inconclusive, 1 stale; 1 cannot fail, 0 undefined, 0 skipped")

    def test_stale_lines(self):
        """A line for many tests is stale when none of them fails any more, which a whole run alone can tell."""
        line = "known:2: stale: no test that S* names fails any more"
        for weak, told, more in ((0, True, {}), (0, True, {"whole_suite": False, "profile": "default"}), (2, False, {}),
                                 (0, False, {"whole_suite": False}), (0, False, {"shard": 1, "shards": 2})):
            records = [self.record("STRONG", [weak, 500, 500, 0]), self.record("SB", [1, 2, 3, 4])]
            self.results("r.jsonl", records, **more)
            known = (*self.known("*", test="S*"), *(["--partial"] if more.get("shards") else []))
            out, error = self.run_program("grade", "r.jsonl", *known, status=3)
            self.assertEqual(line in error.splitlines(), told, (weak, more, error))
            self.assertEqual(", 1 line of known failures stale;" in common.joined(out), told, out)
            self.assertIn(", 1 known to fail" if weak else ", 1 inconclusive", common.joined(out))
            out, _ = self.run_program("grade", "r.jsonl", *known, "--strict", status=1 if told else 3)
            self.assertEqual(common.joined(out).splitlines()[-1].startswith("verdict: stale: "), told)

    def test_baseline(self):
        """What failed is known from then on, on that device alone, and nothing else is."""
        crash = self.record("RACE", [0, 0, 0, 0], ended="crash", verdict="crash", outcomes=[])
        bad = {"device": "a|b* GPU ", "driver": "#1.2 [x]"}
        records = [self.record("STRONG", [2, 500, 500, 0], **bad), self.record("SB", [1, 2, 3, 4], **bad), {**crash, **bad}]
        self.results("r.jsonl", records, **bad)
        self.run_program("grade", "r.jsonl", status=1)
        self.run_program("baseline", "r.jsonl", "-o", "known", "--reason", "bug 17", "--until", "2999-12-31")
        lines = self.read("known").splitlines()
        self.assertEqual(lines[0], "# device | driver | test | status | outcome | reason or URL | last day")
        self.assertEqual(sorted(line.split(" | ", 2)[2] for line in lines[1:]), [
            "RACE | crash | * | bug 17 | 2999-12-31",
            "STRONG | forbidden | 0:r0=0; 1:r0=0; | bug 17 | 2999-12-31"])
        verdicts = self.verdicts("r.jsonl", "--expectations", "known", status=3)
        self.assertEqual((verdicts["STRONG"], verdicts["RACE"]), ("known", "known"))
        self.run_program("grade", self.strong(2), "--expectations", "known", status=1)
        # nothing failed: nothing is listed, and the day is one on which somebody looks again
        self.results("good.jsonl", [self.record("SB", [1, 2, 3, 4])])
        self.assertEqual(self.run_program("baseline", "good.jsonl")[0], lines[0] + "\n")
        self.assertRegex(self.run_program("baseline", self.strong(2))[0], r"\| baseline \| \d{4}-\d\d-\d\d\n")
        for words in (("--until", "soon"), ("--reason", "a | b"), ("--reason", "")):
            self.run_program("baseline", "good.jsonl", *words, status=2)

    def test_refused(self):
        self.write("known", "* | * | SB\n")
        _, err = self.run_program("grade", self.strong(0), "--expectations", "known", status=2)
        self.assertTrue(err.startswith("known:1:11: error: the line ends before its status\n"), err)
        self.assertIn("\n      |           ^\n", err)

    def test_a_test_that_is_not_there(self):
        path = self.strong(2)
        _, err = self.run_program("grade", path, *self.known("*", test="STORNG*"), status=2)
        self.assertRegex(err, r"^known:2:\d+: error: no test has this name\n")
        self.assertRegex(err, r"\n +\| +\^~~~~~~\n")
        # a drawn kernel has no file; its name says which one it is, and several are no name
        self.run_program("grade", path, *self.known("*", test="drawn-7-3"), status=1)
        for several in ("drawn-7-0..3", "drawn-7-03", "drawn-7"):
            self.run_program("grade", path, *self.known("*", test=several), status=2)
        # one of the suite that the results do not have
        self.run_program("grade", path, *self.known("*", test="RACE"), "--litmus",
                         "litmus/relaxed/STRONG.litmus", status=1)


if __name__ == "__main__":
    common.main()
