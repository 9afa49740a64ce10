# SPDX-License-Identifier: Apache-2.0
"""oclmm run --family command: controls fire beside silent tests, and plants in calls are killed.

usage: calls.py OCLMM LAYER LITMUS-FOLDER
"""

import os
import pathlib
import re
import shlex
import sys

LAYER = os.path.abspath(sys.argv.pop(2))
LITMUS = pathlib.Path(os.path.abspath(sys.argv.pop(2))) / "command"

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import common  # noqa: E402 (takes the program from the command line)
from common import SILENT, SuiteCase  # noqa: E402
from drawn import drawn  # noqa: E402

# What a plant breaks, and a test that has to see it.
KILLED = {
    "event-early": "event+queues.writer=write.reader=copy",
    "wait-list-ignored": "event+queues.writer=write.reader=copy",
    "map-empty": "map+host",
    "map-stale": "map+map",
    "host-pointer-copied": "map+map.memory=given",
    "svm-copied": "buffer+map",
    "exec-info-dropped": "indirect",
    "image-list-ignored": "event+image",
    "image-unblocked": "read+host.memory=image",
    "pitch-ignored": "rectangle",
    "unmap-early": "unmap+behind",
    "finish-early": "read+host.edge=finish",
    "queue-unordered": "in-order",
    "barrier-ignored": "unordered+barrier",
    "launch-short": "in-order",
    "transfer-short": "in-order.writer=fill",
    "transfer-offset": "sub-buffers",
    "map-offset": "sub-buffers+map",
    "migrate-lost": "migrate",
    "wait-list-first": "two-events",
    "sync-point-ignored": "recorded",
    "replay-list-ignored": "replays",
    "replay-queue-kept": "replay+queue",
    "blocking-ignored": "read+host",
    "wait-early": "map+host.edge=wait",
    "callback-early": "map+host.edge=callback",
    "user-event-early": "user-event",
    "origin-ignored": "sub-buffers+map",
}
# A queue that keeps back what stands behind a command that waits: no outcome is forbidden, the launch is lost.
KEEPS_BACK = {"queue-ordered": "user-event+others"}
# What a kernel of in-order loses with its data: the count of its launches, which is looked at first.
UNCOUNTED = ("argument-kept", "argument-late", "offset-ignored", "offset-doubled", "ids-swapped")
# Work-items that are not where they belong, and groups that run twice or not at all: launches are lost.
LOST = ("offset-ignored", "offset-doubled", "offset-first", "rows-swapped", "group-repeated", "ids-swapped",
        "local-ids-swapped", "group-ids-swapped", "sizes-swapped", "launch-short")


class Calls(SuiteCase):
    def setUp(self):
        super().setUp()
        for path in LITMUS.glob("*.litmus"):
            self.write(f"litmus/command/{path.name}", path.read_text(encoding="utf-8"))

    def results(self, *arguments, status=0, **environment):
        out, _ = self.run_program("run", "--format", "json", "--seed", "7", *arguments, status=status,
                                  environment=self.environment(**environment))
        return {line["test"]: line for line in self.lines_of_json(out) if line["type"] == "test"}

    def test_silent_beside_its_control(self):
        """The host that does not wait sees cells as they were; the one that does never."""
        names = ("map+host", "map+host.edge=flush", "read+host", "read+host.edge=flush")
        early = set()
        # on a busy machine the host, too, may be late
        for instances in "8M", "16M", "32M", "64M":
            tests = self.results("-n", instances, *names, status=SILENT)
            self.assertEqual(set(tests), set(names))
            for name in ("map+host", "read+host"):
                self.assertEqual(tests[name]["verdict"], "pass")
                self.assertEqual(tests[name]["weak"], 0)
                self.assertEqual(tests[name + ".edge=flush"]["verdict"], "undefined")
                if tests[name + ".edge=flush"]["weak"]:
                    early.add(name)
            if len(early) == 2:
                break
        self.assertEqual(early, {"map+host", "read+host"})

    def test_no_control_no_pass(self):
        """Where the host maps the device's own memory, nothing is ever late: that is no pass."""
        out, _ = self.run_program("run", "-n", "4M", "--seed", "7", "host+unmap", "host+unmap.edge=none", status=(0, 3))
        if "host+unmap.edge=none" in out and re.search(r"host\+unmap +no control +never seen ", out):
            self.assertRegex(out, r"(?m)^inconclusive host\+unmap ")
            self.assertRegex(out, r"(?m)^  never-seen +1 ")
        else:
            self.skipTest("the host was late here")

    def test_every_edge_runs(self):
        # as written, which is each kind of command and each way to wait; what has no defined behaviour cannot pass
        names = drawn(sorted(path.stem for path in LITMUS.glob("*.litmus")
                             if "Result: Undefined" not in path.read_text(encoding="utf-8")), 12)
        for name, line in self.results("-n", "1M", *names, status=(*SILENT, 77)).items():
            self.assertIn(line["verdict"], ("pass", "skip"), name)

    def test_same_stimulus(self):
        first, second = (self.results("-n", "1M", "chain", status=SILENT)["chain"] for _ in range(2))
        self.assertEqual(first["stimulus"], second["stimulus"])
        self.assertEqual(first["source"], second["source"])

    def test_replay(self):
        """The line under a failure is a command: pasted, it plays the same launches, and fails again."""
        name = KILLED["event-early"]
        planted = {"OPENCL_LAYERS": LAYER, "OCLMM_PLANT": "event-early"}
        for _ in range(10):
            out, _ = self.run_program("run", "-n", "4M", "--seed", "7", "--artifacts", "kept", "--output", "kept.jsonl",
                                      name, status=None, environment=self.environment(**planted))
            if "replay: " in out:
                break
        self.assertIn("replay: ", out)
        line = re.search(r"replay: (.*)", out).group(1)
        words = shlex.split(line)
        program = words.index("oclmm")
        # a driver's own variables may stand beside it
        self.assertIn(f"OPENCL_LAYERS={LAYER}", words[:program])
        self.assertIn("OCLMM_PLANT=event-early", words[:program])
        # saved results keep the plant: graded anew, without it, their line has it, too
        saved, _ = self.run_program("grade", "--format", "brief", "kept.jsonl", status=1)
        self.assertIn("OCLMM_PLANT=event-early oclmm run", saved)
        self.assertIn(line, (self.folder / "kept" / name / "facts.txt").read_text(encoding="utf-8"))
        # the writer is a transfer: what is kept of the kernels are the two that every launch has
        self.assertIn("kernel void set_cells(", (self.folder / "kept" / name / "kernel.cl").read_text(encoding="utf-8"))
        # whether it fails again is the machine's, but not what it plays
        for number in range(10):
            again = f"again-{number}.jsonl"
            _, _ = self.run_program(*words[program + 1:], "--output", again, status=None, environment=self.environment(**planted))
            first, second = (next(line for line in self.lines_of_json(self.read(path)) if line["type"] == "test")
                             for path in ("kept.jsonl", again))
            for key in ("stimulus", "launches", "instances"):
                self.assertEqual(second[key], first[key], key)
            if second["verdict"] == "forbidden":
                break
        self.assertEqual(second["verdict"], "forbidden")

    def test_roles_in_rows(self):
        """Kernels of roles notice each of these in rows behind an offset, and none of them without a plant."""
        path = LITMUS.parent / "seq-cst" / "SB+sc+sc.litmus"
        self.write(f"litmus/seq-cst/{path.name}", path.read_text(encoding="utf-8"))
        arguments = ("-n", "1000", "--no-controls", "--environment", "groups=8 lanes=8 rounds=16 offset=7 dimensions=2",
                     "SB+sc+sc")
        # without controls nothing is proven
        self.assertEqual(self.results(*arguments, status=3)["SB+sc+sc"]["verdict"], "pass")
        for plant in drawn(LOST, 4):
            with self.subTest(plant):
                line = self.results(*arguments, status=99, OPENCL_LAYERS=LAYER, OCLMM_PLANT=plant)["SB+sc+sc"]
                # local ids too large lead out of local memory, which some launches survive
                self.assertIn(line["verdict"], ("lost", "crash") if plant == "local-ids-swapped" else ("lost",))

    def test_kernels_that_do_not_count(self):
        """Arguments of another launch, and ids that are not a cell's: the kernel has not counted that it ran."""
        for plant in drawn(UNCOUNTED, 2):
            with self.subTest(plant):
                line = self.results("-n", "1M", "--no-controls", "in-order", status=99, OPENCL_LAYERS=LAYER,
                                    OCLMM_PLANT=plant)["in-order"]
                self.assertEqual(line["verdict"], "lost")

    def test_a_flush_that_is_lost(self):
        """No outcome is forbidden: what waits from outside of the queue waits in vain, and the launch is lost."""
        name = "read+host.edge=callback"
        line = self.results("-n", "1M", "--no-controls", name, status=99, OPENCL_LAYERS=LAYER,
                            OCLMM_PLANT="flush-lost")[name]
        self.assertEqual(line["verdict"], "lost")
        out, _ = self.run_program("planted", "--plant", "flush-lost", "--seconds", "1", "-n", "100000", "--json", name,
                                  status=0, environment=self.environment())
        plants = {line["plant"]: line for line in self.lines_of_json(out) if "plant" in line}
        self.assertEqual(plants["flush-lost"]["result"], "noticed")

    def test_a_run_that_does_not_end(self):
        """The writer of the other queue is held back for ever: the time limit ends that, and says so."""
        name = "event+queues"
        line = self.results("-n", "1M", "--no-controls", "--timeout", "4", name, status=99, OPENCL_LAYERS=LAYER,
                            OCLMM_PLANT="flush-lost")[name]
        self.assertEqual(line["verdict"], "timeout")

    def test_a_queue_that_keeps_commands_back(self):
        """What the host waits for stands behind what waits for the host: the launch is lost."""
        for plant, name in KEEPS_BACK.items():
            line = self.results("-n", "1M", "--no-controls", name, status=99, OPENCL_LAYERS=LAYER, OCLMM_PLANT=plant)[name]
            self.assertEqual(line["verdict"], "lost")

    def test_who_makes_the_call_comes_first(self):
        """Time is short, and of the tests of commands most do not wait for two events."""
        first = {"wait-list-first": "two-events", "migrate-lost": "migrate", "barrier-ignored": "(barrier.replay|marker|unordered.barrier)",
                 "blocking-ignored": "(host.unmap|map.host|read.host|write.host|blocking.write)"}
        words = [word for plant in first for word in ("--plant", plant)]
        out, _ = self.run_program("planted", "--able", *words, "*", status=0, environment=self.environment())
        for plant, name in first.items():
            self.assertRegex(out, rf"(?m)^{plant} +0 able +[0-9]+ changed\s+{name}")

    def test_plants(self):
        for plant, name in drawn(KILLED.items(), 8):
            with self.subTest(plant):
                # a busy machine may be late to begin what was not waited for
                for _ in range(10):
                    line = self.results("-n", "8M", name, status=None, OPENCL_LAYERS=LAYER, OCLMM_PLANT=plant)[name]
                    if line["verdict"] == "forbidden":
                        break
                self.assertEqual(line["verdict"], "forbidden", plant)


common.unittest.main()
