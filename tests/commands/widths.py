# SPDX-License-Identifier: Apache-2.0
"""What the commands print for people fits a terminal of 80 columns.

A line may be wider by rule alone: where a single word is too wide for any line (a name, a path), where it is a
statement of a program, as it stands in its file, or a command, which is for a shell. Formats that other programs
read (litmus7's, JSON, OpenCL C) are as those want them.

usage: widths.py PROGRAM             what needs no device
       widths.py PROGRAM --device    what runs on PoCL; skipped (77) where it is not the first device
"""

import re
import sys
import unittest

MODE = sys.argv.pop(2) if sys.argv[2:3] == ["--device"] else ""

import common  # noqa: E402 (takes the program from the command line)
from common import SuiteCase  # noqa: E402
from saved_results import ROOT, ResultsCase  # noqa: E402

WIDTH = 80
# A statement that `explain` shows below an event, or as a line of before or after.
STATEMENT = re.compile(r"^ +(P\d+ +\d* *[-+] )?\S.*[;{}] *(\((?:before |at the end |first |last )[^()]*\)|\[.*\])?$")
COMMAND = re.compile(r"^ *[Rr]eplay: ")
# The sentence that a run comes to is one line, for `grep ^verdict:`.
VERDICT = re.compile(r"^verdict: ")


def too_wide(text):
    """The lines that could have been broken and were not."""
    found = []
    for line in re.sub(r"\x1b\[[\d;]*m", "", text).splitlines():
        # what goes on is indented by half a line at most, so a word of that width always has room
        one_word = len(line.split()) == 1
        if len(line) > WIDTH and not one_word and not any(wide.match(line) for wide in (COMMAND, STATEMENT, VERDICT)):
            found.append(line)
    return found


class Rules(unittest.TestCase):
    def test_what_may_be_wide(self):
        name = "MP+" + "x" * 90
        for line in (name, "  " + name, "    replay: oclmm run " + name, "verdict: pass: " + "0 skipped, " * 10,
                     "       r0 = atomic_fetch_add_explicit(c, 1, memory_order_acq_rel, memory_scope_all_svm_devices);"):
            self.assertEqual(too_wide(line), [])
        for line in ("word " * 17, "the verdict: pass: " + "0 skipped, " * 10, "pass " + name,
                     "\x1b[32mpass\x1b[0m " + "a b " * 20):
            self.assertEqual(len(too_wide(line)), 1, line)


class Widths(ResultsCase):
    def check(self, *arguments, status=0):
        out, _ = self.run_program(*arguments, status=status)
        self.assertGreater(len(out), 0)
        self.assertEqual(too_wide(out), [], " ".join(arguments))
        return out


class Saved(Widths):
    LONG = "MP+" + "+".join(["a-long-name"] * 5)

    def setUp(self):
        super().setUp()
        for name in (self.LONG, "CRASH", "BUILD", "SKIP"):
            self.write(f"litmus/relaxed/{name}.litmus", common.SB.replace("OPENCL SB", f"OPENCL {name}"))
        out, _ = self.run_program("check", "--json")
        self.hashes = {answer["test"]: answer["hash"] for answer in self.lines_of_json(out)}

    def records(self):
        """One of each verdict, with long names and what else makes lines long."""
        evidence = {"controls": [{"name": "STRONG.order=rlx", "kind": "weaker", "hash": self.hashes["STRONG.order=rlx"],
                                  "instances": 1000}],
                    "blocks": [[1, 1, 0, 1, 0]] * 32, "shown": [], "rounds": 7, "met": 0}
        words = "clFinish: an error of the driver that says at length what it is about " * 3
        return [self.record("STRONG", [0, 500, 500, 0], launches=32, evidence=evidence,
                            environment="groups=2 lanes=1 rounds=8"),
                self.record("STRONG.order=rlx", [10, 500, 500, 0], **{"class": "accepted"}),
                self.record("SB", [123456789, 400000000, 400000000, 7], seconds=0.001),
                self.record(self.LONG, [123456789, 500, 500, 0]),
                self.record("CRASH", [0] * 4, ended="crash", verdict="crash", message=words),
                self.record("BUILD", [0] * 4, ended="build-failed", verdict="build-failed", message=words),
                self.record("SKIP", [0] * 4, ended="unsupported", verdict="skip", message="sub-groups " * 9,
                            **{"class": "unsupported"})]

    def grade(self, *options):
        out, _ = self.run_program("grade", "--format", *options, "a.jsonl", status=None)
        return out

    def test_grade(self):
        self.results("a.jsonl", self.records(), version="OpenCL 3.0 " + "of a maker with a long name " * 3)
        summary, brief, text = (self.grade(kind) for kind in ("summary", "brief", "text"))
        self.assertIn("never met", summary)
        self.assertIn("BUILD", brief)
        for out in (summary, brief, text[text.index("\nverdict      test"):], text[:text.index("\n\n")]):
            self.assertEqual(too_wide(out), [])
        for out in (summary, brief, text):
            self.assertRegex(out, r"(?m)^verdict: .* 0 undefined, 1 skipped$")
        # whole, and in one piece
        self.assertEqual(summary.count(self.LONG), 1)
        # a line that is a command can be pasted
        self.assertRegex(brief, r"(?m)^    replay: oclmm run .* CRASH$")

    def test_goes_on_below_the_name(self):
        """Whatever the verdict, also after the longest, which leave one blank."""
        self.results("a.jsonl", self.records())
        for kind, names in (("brief", ("CRASH", "BUILD")), ("summary", ("CRASH", "BUILD", "SKIP"))):
            out = self.grade(kind)
            for name in names:
                with self.subTest(kind, name=name):
                    self.assertRegex(out, rf"(?m)^[a-z-]+ +{name} .*\n {{13}}\S")
                    self.assertNotRegex(out, rf"(?m)^[a-z-]+ +{name} .*\n {{2}}\S")

    def test_what_programs_read_is_not_broken(self):
        self.results("a.jsonl", self.records())
        for kind, comment in (("tap", "# verdict: "), ("junit", "<!-- verdict: ")):
            self.assertRegex(self.grade(kind), rf"(?m)^{comment}.* 0 undefined, 1 skipped")

    def test_compare(self):
        self.results("a.jsonl", self.records())
        records = self.records()
        records[2]["outcomes"] = records[2]["outcomes"][1:]
        records[4].update(ended="ok", verdict="pass", message=None, instances=1)
        records[3]["hash"] = "1" * 16
        records[5]["verdict"] = "pass"
        self.results("b.jsonl", [record for record in records if record["test"] != "STRONG"])
        out = self.check("compare", "a.jsonl", "b.jsonl", "--all", status=None)
        self.assertIn("not run     STRONG: ran before", out)
        self.assertIn("changed", out)


class Suite(Widths):
    """On the real suite, whose names and questions are long."""

    def check(self, *arguments, status=0):
        out, _ = self.run_program(*arguments, status=status, cwd=ROOT)
        self.assertEqual(too_wide(out), [], " ".join(arguments))
        return out

    def test_lists(self):
        for arguments in (("list",), ("list", "--files", "--long"), ("idiom",), ("tune", "--help"), ("--help",)):
            self.assertIn("\n", self.check(*arguments))

    def test_explanations(self):
        """One of each family, in the form that it has in its file, and what is undefined."""
        names = {}
        for line in self.run_program("list", "--files", cwd=ROOT)[0].splitlines():
            family, name = line.removesuffix(".litmus").split("/")
            names.setdefault(family, []).append(name)
        for family, members in names.items():
            for name in members[:2]:
                with self.subTest(family, name=name):
                    self.check("explain", "--no-changes", name)
        for name in ("MP+rel+acq", "plain-flag", "narrow-scope", "fences-misplaced", "barrier-divergence"):
            with self.subTest(name):
                self.check("explain", name, status=None)


class Device(Widths):
    FEW = ("MP+rel+acq", "SB+sc+sc", "SB+sc+sc.order=rlx", "MP+fenceGL-rel+fenceGL-acq.flags=L",
           "MP+barrier+both-regions.flags=twice.data=atomic.group=sg")

    def check(self, *arguments, status=0):
        out, _ = self.run_program(*arguments, status=status, cwd=ROOT)
        self.assertGreater(len(out), 0)
        self.assertEqual(too_wide(out), [], " ".join(arguments))

    def test_devices(self):
        for options in ((), ("--long",), ("--verbose",)):
            self.check("devices", *options)

    def test_run(self):
        for options in ((), ("--brief",)):
            self.check("run", "-n", "100k", "--seed", "7", *options, *self.FEW, status=None)

    def test_tune(self):
        few = ("--seconds", "0.2", "--environments", "1", "SB+sc+sc", "MP+barrier+both-regions.group=sg")
        self.check("tune", *few, status=None)
        self.check("tune", "--list")

    def test_planted(self):
        plants = [word for plant in ("all-relaxed", "sc-to-acq-rel@load,local", "none") for word in ("--plant", plant)]
        self.check("planted", "--able", *plants, "MP+fenceGL-rel+fenceGL-acq*", status=None)


if MODE:
    if not re.match("0  Portable Computing Language", common.subprocess.run(
            [common.PROGRAM, "devices"], capture_output=True, text=True).stdout):
        print("PoCL is not the first device")
        sys.exit(77)
    del Rules, Saved, Suite
else:
    del Device
del Widths, ResultsCase
if __name__ == "__main__":
    common.main()
