# SPDX-License-Identifier: Apache-2.0
"""Drivers that say all is well and do not do what they are told: the launch is named, and what was seen stays."""

from fault_case import MANY, SILENCE, FaultCase, litmus, passing  # takes the command line
from common import main
from drawn import drawn
from robustness import ends_as

# Rows of docs/robustness.md.
NOT_RUN = "does not run a test kernel, or does nothing at all"
TWICE = "runs a kernel twice, or the last one again at each wait"
GROUPS = "leaves out work-groups, or runs some twice"
OLD = "reads nothing back, or old bytes, of this run or another"
# What each lie is, and is told as.
LIES = {
    "idle_all": (NOT_RUN, "neither kernel ran"),
    "idle_half": (NOT_RUN, "the counting kernel did not run|the test kernel did not run"),
    "idle_third": (NOT_RUN, "kernel did not run"),
    "idle_pair": (NOT_RUN, "neither kernel ran"),
    "idle_across": (NOT_RUN, "kernel did not run"),
    "half_test": (GROUPS, "work-items did not play all their rounds"),
    "again": (GROUPS, "the test kernel ran twice"),
    "twice_test": (TWICE, "the test kernel ran twice"),
    "twice_count": (TWICE, "the counting kernel ran twice"),
    "order": ("runs kernels out of order, or late", "the counting kernel ran before the test kernel"),
    "stale": (OLD, "what was read back is another launch's"),
    "blank": (OLD, "nothing was read back"),
    "torn": ("reads a part, and leaves the rest", "outcomes were counted of 512 instances"),
}
# With this seed none of the launches that these lies spoil looks at its objects, which takes a kernel more.
SEED = MANY.index("--seed") + 1
PLAIN = (*MANY[:SEED], "1", *MANY[SEED + 1:])
# With this one the fifth launch of own-idle_half looks, and those after the second one and before it do not.
LOOKING = (*MANY[:SEED], "140", *MANY[SEED + 1:])
# A command that waits for another one of a second queue.
COMMANDS = """OPENCL commands

(* Result: Never *)

{
[x] = 0;
[r] = 0;
}

P0@kernel queue 1 (global int *x) {
  *x = 1;
}

P1@kernel queue 0 wait 0 (global int *x, global int *r) {
  *r = *x;
}

exists (r=0)
"""


class Lies(FaultCase):
    def lied_to(self, after, plain, own):
        """The records of a test whose counts pass through memory by lie (`plain`), and of one that counts itself."""
        for name, text in (("plain", litmus("plain", "fault_any")), ("own", passing("own", "fault_any", "y")),
                           ("well", litmus("well", "x"))):
            self.write(f"litmus/relaxed/{name}.litmus", text)
        self.run_program("check", "--write")
        told = {}
        for lie in drawn(sorted({*plain, *own}), 5):
            tests = [name for name, lies in (("plain", plain), ("own", own)) if lie in lies]
            self.run_program("run", *PLAIN, *tests, "well", "--output", "all.jsonl", status=99,
                             environment=self.spoilt(OCLMM_FAULT_AFTER=str(after), OCLMM_FAULT_ANY=lie))
            records = self.records(self.read("all.jsonl"))
            (self.folder / "all.jsonl").unlink()
            self.assertIn(records.pop("well")["verdict"], ("pass", "inconclusive"), lie)
            self.assertEqual(sorted(records), sorted(tests), lie)
            told.update({(lie, name): record for name, record in records.items()})
        return told

    def test_a_driver_that_does_less_than_it_says(self):
        """The launches that ran well are kept, and the first one that did not is named."""
        records = self.lied_to(12, LIES, ("idle_half", "idle_across", "half_test", "again", "twice_test", "order", "stale", "torn"))
        for name, record in records.items():
            lie, words = LIES[name[0]]
            ends_as(lie, record["verdict"])
            self.assertEqual((record["verdict"], record["cause"], record["attempts"]), ("lost", "results-lost", 2), name)
            self.assertRegex(record["message"], rf"^results lost: launch \d+: .*({words})", name)
            self.assertEqual(record["instances"], sum(row["count"] for row in record["outcomes"]))
            self.assertEqual(record["instances"], 512 * record["launches"], name)
            # some are as they should be, in both attempts
            self.assertIn(record["launches"], range(4, 14), name)

    def test_a_launch_whose_look_is_left_out(self):
        """The kernel that looks did not run, so what it should have overwritten is the launch's before."""
        self.write("litmus/relaxed/own-idle_half.litmus", passing("own-idle_half", "fault_idle_half", "y"))
        self.run_program("check", "--write")
        self.run_program("run", *LOOKING, "--output", "all.jsonl", status=99,
                         environment=self.spoilt(OCLMM_FAULT_AFTER="12"))
        record = self.records(self.read("all.jsonl"))["own-idle_half"]
        self.assertEqual((record["verdict"], record["cause"]), ("lost", "results-lost"))
        self.assertRegex(record["message"], "^results lost: launch 4: what was read back is another launch's")

    def test_a_driver_that_does_nothing_at_all(self):
        for (lie, name), record in self.lied_to(0, ("blank", "stale"), ("idle_all", "twice_count")).items():
            self.assertEqual(record["verdict"], "lost", name)
            ends_as(LIES[lie][0], record["verdict"])
            # the first read has nothing before it
            self.assertLessEqual(record["launches"], 2 if lie == "stale" else 0, name)

    def test_a_driver_that_leaves_out_work_groups_that_count(self):
        """Objects are not set up again: also where the test's own kernel counts. One work-group makes the second attempt.

        Not in the first two launches, which look at their objects: two kernels of these would lack groups, and what
        they add to one ticket cannot be told apart."""
        self.write("litmus/relaxed/t.litmus", litmus("t", "fault_half_count"))
        self.write("litmus/relaxed/u.litmus", passing("own", "fault_half_count", "y"))
        self.run_program("check", "--write")
        environment = f"{MANY[1]} count_lanes=8 count_each=8"
        self.run_program("run", *MANY[:1], environment, *MANY[2:], "--output", "all.jsonl", status=99,
                         environment=self.spoilt(OCLMM_FAULT_AFTER="20"))
        for name, words in (("t", "7 work-groups of the counting kernel ran, not 8"),
                            ("own", "56 work-items of the counting kernel ran, not 64")):
            record = self.records(self.read("all.jsonl"))[name]
            self.assertEqual((record["verdict"], record["cause"], record["attempts"]), ("lost", "results-lost", 2))
            self.assertRegex(record["message"], rf"launch \d+: {words}")
            ends_as(GROUPS, record["verdict"])

    def test_a_driver_that_takes_one_program_for_another(self):
        """Its cache goes by the names of kernels, say: the first test is as it should be, and no other."""
        for name, order in (("first", "acquire"), ("second", "relaxed"), ("third", "seq_cst")):
            self.write(f"litmus/relaxed/{name}.litmus",
                       passing(name, "fault_cached", "y").replace("memory_order_acquire", f"memory_order_{order}")
                       .replace("Never", "Sometimes" if order == "relaxed" else "Never"))
        self.run_program("check", "--write")
        self.run_program("run", *MANY, "--no-controls", "--output", "all.jsonl", "first", "second", "third", status=99,
                         environment=self.spoilt())
        records = self.records(self.read("all.jsonl"))
        lost = {name: record["message"] for name, record in records.items() if record["verdict"] == "lost"}
        self.assertEqual(len(lost), 2)
        ends_as("makes one kernel of two, or takes one program for another", records["second"]["verdict"])
        for message in lost.values():
            self.assertIn("or another program's kernel ran", message)

    def test_reads_of_another_run(self):
        """With the same seed: what an earlier run read is no launch of this one, be it of kernels or of commands."""
        self.write("litmus/relaxed/t.litmus", passing("own", "x", "y"))
        self.write("litmus/relaxed/u.litmus", COMMANDS)
        self.write("litmus/relaxed/v.litmus", litmus("plain", "x"))
        self.run_program("check", "--write")
        for name in ("plain", "own", "commands"):
            record = str(self.folder / f"{name}.reads")
            self.run_program("run", *MANY, "--no-controls", name, environment=self.spoilt(OCLMM_FAULT_RECORD=record), status=3)
            self.run_program("run", *MANY, "--no-controls", name, "--output", f"{name}.jsonl", status=99,
                             environment=self.spoilt(OCLMM_FAULT_REPLAY=record))
            self.assertEqual(self.records(self.read(f"{name}.jsonl"))[name]["verdict"], "lost")
            ends_as(OLD, "lost")

    def test_the_second_attempt_does_not_make_up_for_lost_counts(self):
        """Here it would pass."""
        self.write("litmus/relaxed/t.litmus", passing("once", "fault_twice_test", "y"))
        self.run_program("check", "--write")
        self.run_program("run", *PLAIN, "--output", "all.jsonl", status=99,
                         environment=self.spoilt(OCLMM_FAULT_AFTER="12", OCLMM_FAULT_ONCE=str(self.folder / "once")))
        record = self.records(self.read("all.jsonl"))["once"]
        self.assertEqual((record["verdict"], record["cause"], record["attempts"]), ("lost", "results-lost", 2))
        self.assertIn("the test kernel ran twice", record["message"])
        self.assertGreater(record["instances"], 40000)
        # and is so when it is graded again
        self.run_program("grade", "all.jsonl", status=99)

    def test_what_was_seen_stays_seen(self):
        """A forbidden outcome before the driver fails: forbidden, whatever comes then."""
        for fault in ("late", "crash", "hang", "gone", "short", "idle_all"):
            self.write(f"litmus/relaxed/{fault}.litmus", passing(fault, "fault_forge", f"fault_{fault}"))
        self.run_program("check", "--write")
        out, _ = self.run_program("run", *MANY[:-1], str(SILENCE), "--output", "all.jsonl", status=1,
                                  environment=self.spoilt(OCLMM_FAULT_AFTER="16"))
        for name, record in self.records(self.read("all.jsonl")).items():
            self.assertEqual((record["verdict"], record["attempts"]), ("forbidden", 2), name)
            self.assertGreater(record["forbidden"], 0, name)
            self.assertEqual(record["instances"], sum(row["count"] for row in record["outcomes"]), name)
        self.run_program("grade", "all.jsonl", status=1)


if __name__ == "__main__":
    main()
