# SPDX-License-Identifier: Apache-2.0
"""Drivers that are wrong in one place only: nothing is proved by what they make up."""

import itertools
import os
import pathlib
import shutil
import subprocess
import sys

LIES = os.path.abspath(sys.argv.pop(3))

from fault_case import LAYER, MANY, FaultCase, litmus, passing  # noqa: E402 (takes the command line)
from common import PATIENCE, PROGRAM, joined, main  # noqa: E402
from drawn import drawn  # noqa: E402
from robustness import ends_as  # noqa: E402

CHAIN = """OPENCL chain

(* Result: Never *)

{
[x] = 0;
}

P0@kernel queue 0 (global int *x) {
  *x = 1;
}

P1@kernel queue 1 wait 0 (global int *x) {
  int r0 = *x;
}

exists (1:r0=0)
"""
KERNELS = pathlib.Path(__file__).resolve().parents[2] / "litmus/idiom"
ANOTHER = "another launch's|older|kernel ran twice|did not run"
# Rows of docs/robustness.md.
NOT_RUN = "does not run a test kernel, or does nothing at all"
TWICE = "runs a kernel twice, or the last one again at each wait"
OLD = "reads nothing back, or old bytes, of this run or another"
# Which lie it is, and what is said of a launch, from the fourth one on.
TOLD = {
    "early": ("ends waits early", "nothing was read back"),
    "finish": (TWICE, ANOTHER),
    "deaf": ("gives a kernel the arguments of another launch, or keeps the first", ANOTHER),
    "swapped": ("exchanges two buffers, or makes one of two", f"{ANOTHER}|outcomes were counted of"),
    "lone": ("runs one work-item of each group, or half of them", "work-items did not play all their rounds|work-groups of the counting kernel|outcomes were counted of"),
    "memo": (OLD, ANOTHER),
    "seventh": (OLD, ANOTHER),
    "nothing": (NOT_RUN, "nothing was read back"),
}
# Those that are lies only to what is set once.
AT_ONCE = ("swapped",)


class OddLies(FaultCase):
    def lied(self, lie, **more):
        return self.environment(OPENCL_LAYERS=f"{LAYER}:{LIES}", OCLMM_LIE=lie, **more)

    def suite(self, **tests):
        for name, text in tests.items():
            self.write(f"litmus/relaxed/{name}.litmus", text)
        self.run_program("check", "--write")

    def lied_to(self, lie, status, *arguments, after=0, direct=1):
        """The records, the confidence lines and the complaints of a run."""
        many = (word.replace("direct=1", f"direct={direct}") for word in MANY)
        _, err = self.run_program("run", *many, "--cache", "never", *arguments, "--output", "all.jsonl",
                                  status=status, environment=self.lied(lie, OCLMM_LIE_AFTER=str(after)))
        text = self.read("all.jsonl")
        (self.folder / "all.jsonl").unlink()
        claims = {line["test"]: line for line in self.lines_of_json(text) if line["type"] == "confidence"}
        return self.records(text), claims, joined(err)

    def test_launches(self):
        """Of tests that count themselves and of those that do not."""
        self.suite(own=passing("own", "x", "y"), plain=litmus("plain", "x"))
        for lie, (row, words) in drawn(TOLD.items(), 5):
            records, _, _ = self.lied_to(lie, 99, "--no-controls", after=0 if lie in AT_ONCE else 8)
            self.assertEqual(len(records), 2)
            for name, record in records.items():
                ends_as(row, record["verdict"])
                self.assertEqual((record["verdict"], record["cause"]), ("lost", "results-lost"), (lie, name))
                self.assertRegex(record["message"], rf"launch \d+: .*({words})", lie)

    def test_work_items_that_only_set_up(self):
        """A test in groups of one work-item that counts itself runs as it should; its objects are set up in part."""
        self.suite(own=passing("own", "x", "y").replace("P1@wg 0", "P1@wg 1")
                   .replace("work_group", "device"))
        environment = "groups=2 lanes=1 rounds=256 direct=1 count_lanes=8 count_each=8"
        run = ("run", "--environment", environment, *MANY[2:], "--no-controls", "--cache", "never", "--claims", "accepted")
        self.run_program(*run, environment=self.lied("none"), status=3)
        self.run_program(*run, "--output", "all.jsonl", status=99,
                         environment=self.lied("lone", OCLMM_LIE_AFTER="8"))
        record = self.records(self.read("all.jsonl"))["own"]
        self.assertEqual((record["verdict"], record["cause"], record["attempts"]), ("lost", "results-lost", 2))
        ends_as("runs one work-item of each group, or half of them", record["verdict"])
        self.assertIn("8 work-items of the counting kernel ran, not 64", record["message"])

    def test_controls_that_show_what_they_cannot(self):
        """No execution of theirs has such a value: it is the driver's, and no wrong step of a compiler."""
        self.suite(own=passing("own", "odd", "y"))
        for direct in ("0", "1"):
            _, claims, _ = self.lied_to("none", 3, direct=direct)
            self.assertEqual(claims["own"]["seen"], 0)
            records, claims, err = self.lied_to("garbage", 3, direct=direct)
            self.assertEqual((claims["own"]["verdict"], claims["own"]["seen"], claims["own"]["escape"]),
                             ("inconclusive", 0, 1))
            self.assertEqual(records["own"]["evidence"]["shown"], [])
            ends_as("shows in controls what no execution of them has", "no evidence")
            self.assertRegex(err, r"control own~everywhere: \d+ instances ended as it may not; they are no evidence")

    def test_variants_as_controls(self):
        """What such a one may show is what its own expected set does not forbid, whether it was asked for or not."""
        self.suite(MP=passing("MP", "odd", "y").replace(
            "\n\n{", "\n\nvary order: memory_order_release => memory_order_relaxed\ncontrol order=rlx\n\n{", 1))
        _, claims, _ = self.lied_to("none", 3, "MP")
        self.assertEqual(claims["MP"]["seen"], 0)
        records, claims, err = self.lied_to("garbage", 3, "MP")
        self.assertEqual((claims["MP"]["verdict"], claims["MP"]["hardware_escape"], claims["MP"]["seen"]),
                         ("inconclusive", 1, 0))
        self.assertEqual([control["kind"] for control in records["MP"]["evidence"]["controls"]], ["weaker", "moved"])
        self.assertRegex(err, r"control MP\.order=rlx: \d+ instances ended as it may not")
        records, _, _ = self.lied_to("garbage", 1)
        self.assertEqual(records["MP.order=rlx"]["verdict"], "forbidden")

    def test_programs_and_contents_of_others(self):
        """The counting kernel of another type, and the initial values of another test."""
        first = passing("first", "x", "y")
        self.suite(first=first,
                   second=passing("second", "x", "y").replace("atomic_int *x", "atomic_long *x").replace("int r1", "long r1"),
                   third=passing("third", "x", "y").replace("[x] = 0", "[x] = 2").replace("r1=0", "r1=2"))
        # by how much too little it sets up and reads, and what stands there
        records, _, _ = self.lied_to("counts", None, "--no-controls", "first", "second")
        self.assertIn(records["second"]["verdict"], ("lost", "forbidden"))
        ends_as("makes one kernel of two, or takes one program for another", records["second"]["verdict"])
        records, _, _ = self.lied_to("table", 1, "--no-controls", "first", "third")
        self.assertEqual(records["third"]["verdict"], "forbidden")
        ends_as("begins objects with other values, or leaves some as they were", records["third"]["verdict"])
        self.assertIn("objects did not begin with their initial values", records["third"]["message"])

    def test_commands(self):
        """Rounds of commands are told apart by what they hold, and their kernels count how often they ran."""
        self.suite(chain=CHAIN)
        run = ("run", "--instances", "1000000", "--seed", "11", "--compilers", "0", "--timeout", "60", "--cache", "never",
               "--no-controls", "--output", "all.jsonl", "chain")
        self.run_program(*run, status=3, environment=self.lied("none"))  # without controls nothing is proved
        (self.folder / "all.jsonl").unlink()
        for lie, row, words in (
                ("repeat", "repeats the first read of a launch of commands for its other rounds", "read back as another round's|not once"),
                ("twice", "runs a kernel of commands twice", r"P\d ran 2 times in a round, not once"),
                # which read was the first of its size depends on the driver's speed: its words may be what stands where nothing was read
                ("memo", OLD, r"ran (0 times in a round, not once|was read back as another launch's|was not read back)")):
            with self.subTest(lie=lie):
                self.run_program(*run, status=99, environment=self.lied(lie, OCLMM_LIE_AFTER="40"))
                record = self.records(self.read("all.jsonl"))["chain"]
                (self.folder / "all.jsonl").unlink()
                self.assertEqual((record["verdict"], record["cause"]), ("lost", "results-lost"))
                self.assertRegex(record["message"], words)
                ends_as(row, record["verdict"])
        # what a read left out is no value of any round
        self.run_program(*run, status=1, environment=self.lied("page", OCLMM_LIE_AFTER="40"))
        ends_as("reads a part, and leaves the rest", "forbidden")

    def test_idioms(self):
        """Runs that never were are not right because earlier ones were, from whichever launch on."""
        shutil.copytree(KERNELS, self.folder / "litmus/idiom")
        # of three reads of a run only one has bytes before it that it could be taken for: 21 reads, seven runs, may pass until then
        idiom = ("idiom", "--no-wait", "--size", "500", "--runs", "40")
        for program in ("tree-reduction", "sum-by-host", "scan-look-back"):
            self.run_program(*idiom, program, environment=self.lied("none"))
            for lie, after in drawn(itertools.product(("nothing", "memo", "seventh"), (12, 16, 20)), 4):
                result = subprocess.run([PROGRAM, *idiom, program], cwd=self.folder, capture_output=True, text=True,
                                        timeout=PATIENCE, env=self.lied(lie, OCLMM_LIE_AFTER=str(after)))
                self.assertIn(result.returncode, (1, 99), (program, lie, after, result.stdout, result.stderr))
                self.assertRegex(result.stdout + result.stderr, "should be|is not what it was filled with|but it read nothing")


if __name__ == "__main__":
    main()
