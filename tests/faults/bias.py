#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drivers that have a bug in strong operations alone, and hide it where these are: none of them passes.

    bias.py PROGRAM LAYER BIAS-LAYER

Controls have weaker operations, and run as they should. What such a driver shows in them is no
proof of what it would show in the test.
"""

import os
import sys

BIAS = os.path.abspath(sys.argv.pop(3))

from fault_case import LAYER, FaultCase  # noqa: E402 (takes the command line)
from common import joined, main  # noqa: E402
from drawn import drawn  # noqa: E402
from robustness import ends_as  # noqa: E402
from store_buffering import HEAD, SB  # noqa: E402

MP = HEAD.replace("NAME", "MP") + """
P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {
  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);
  atomic_store_explicit(y, 1, memory_order_seq_cst, memory_scope_device);
}

P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y) {
  int r0 = atomic_load_explicit(y, memory_order_seq_cst, memory_scope_device);
  int r1 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);
}

exists (1:r0=1 /\\ 1:r1=0)
"""
LB = HEAD.replace("NAME", "LB") + """
P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {
  int r0 = atomic_load_explicit(x, memory_order_seq_cst, memory_scope_device);
  atomic_store_explicit(y, 1, memory_order_seq_cst, memory_scope_device);
}

P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y) {
  int r0 = atomic_load_explicit(y, memory_order_seq_cst, memory_scope_device);
  atomic_store_explicit(x, 1, memory_order_seq_cst, memory_scope_device);
}

exists (0:r0=1 /\\ 1:r0=1)
"""
STRONG = "memory_order_seq_cst"
RELAXED = (STRONG, "memory_order_relaxed")
# Rows of docs/robustness.md.
OTHERWISE = ("leaves out work-groups of strong kernels alone, or runs these group by group, twice, or another program's kernel "
             "instead")
CONSTANT = "makes a constant of one load of a strong order, where other values still look as if roles had met"
MADE_UP = "runs strong kernels one role after the other, and makes up values by which they seem to have met"
RENDEZVOUS = "answers the rendezvous of strong kernels, or delays one of their roles"
# How launches of strong kernels are lied about, and what is said of it.
LAUNCHES = {
    "part": "did not play all their rounds",
    "most": "did not play all their rounds",
    "skipped": "the test kernel did not run|neither kernel ran",
    "control": "the test kernel did not run|another program's kernel ran|another launch's",
    "before": "another launch's|older|nothing was read",
    "alone": "the test kernel ran twice|ran, not",
    "twice": "the test kernel ran twice",
}
LOAD = "atomic_load_explicit(at_y, memory_order_seq_cst, memory_scope_device)"
LATE = "for (uint n = 0u; n < 300u; n++) *(volatile private uint *)&n = n; "
# What is made of the text of strong kernels alone.
TEXTS = {
    "a load that is 0": ("MP", LOAD, "0"),
    "a load that is 0 as the compiler sees it": ("MP", LOAD, f"({LOAD} & 0)"),
    "a load that is 1": ("SB", LOAD, "1"),
    "a role that comes late": ("SB", "\t\t\tP0(&r_P0", f"\t\t\t{LATE}P0(&r_P0"),
    "a rendezvous that is answered": ("SB", "*meeting < wanted", "false"),
    "counters of it that are answered": ("SB", "atomic_inc(meeting)", "atomic_add(meeting, 2)"),
    "roles that wait for their turn": ("SB", "bool flip =", "bool flip = false &&"),
}
# The same in seven of eight work-items, or rounds.
MOST = "makes a constant of a load in most work-items of strong kernels, and not in all"
IN_MOST = {
    "0 in most work-items": ("MP", LOAD, f"(get_global_id(0) % 8 ? 0 : {LOAD})"),
    "1 in most work-items": ("SB", LOAD, f"(get_global_id(0) % 8 ? 1 : {LOAD})"),
    "1 in most rounds": ("SB", "(uint)r_P1.P1_r0", "(uint)(round & 7u ? 1 : r_P1.P1_r0)"),
    "1 but in the first rounds": ("SB", "(uint)r_P1.P1_r0", "(uint)(round > 15u ? 1 : r_P1.P1_r0)"),
    "0 in most, as the compiler sees it": ("MP", LOAD, f"({LOAD} & (get_global_id(0) % 8 ? 0 : -1))"),
}
FOLDED = ("a load that is 0", "a load that is 0 as the compiler sees it", "a load that is 1")
ENVIRONMENT = "groups=2 lanes=4 rounds=512"
WIDE = "groups=2 lanes=16 rounds=128"


class Bias(FaultCase):
    def setUp(self):
        super().setUp()
        self.write("litmus/relaxed/SB.litmus", SB)
        self.write("litmus/relaxed/MP.litmus", MP)
        self.write("litmus/relaxed/LB.litmus", LB)
        self.run_program("check", "--write")

    def biased(self, how, name="SB", before="", after="", instances="60000", shape=ENVIRONMENT):
        """The record of a test, and what its silence is worth."""
        out, _ = self.run_program("run", "--environment", shape, "--instances", instances, "--seed", "11", "--compilers", "0",
                                  "--timeout", "60", "--cache", "never", "--format", "json", name, status=None,
                                  environment=self.environment(OPENCL_LAYERS=f"{LAYER}:{BIAS}", OCLMM_BIAS=how,
                                                               OCLMM_BIAS_FOR=STRONG, OCLMM_BIAS_FROM=before, OCLMM_BIAS_TO=after))
        claims = {line["test"]: line for line in self.lines_of_json(out) if line["type"] == "confidence"}
        return self.records(out)[name], claims.get(name)

    def never_passes(self, record, claim):
        self.assertIn(record["verdict"], ("pass", "lost", "forbidden", "crash", "timeout"))
        if record["verdict"] == "pass":
            self.assertEqual(claim["verdict"], "inconclusive")

    @staticmethod
    def end_of(record):
        return "inconclusive" if record["verdict"] == "pass" else record["verdict"]

    def test_launches(self):
        """Where the launches of strong kernels are not what was asked for."""
        for how, words in drawn(LAUNCHES.items(), 3):
            with self.subTest(how=how):
                record, claim = self.biased(how, "SB")
                self.never_passes(record, claim)
                self.assertEqual(record["verdict"], "lost")
                self.assertRegex(joined(record["message"]), words)
                ends_as({"skipped": "does not run a test kernel, or does nothing at all",
                         "before": "gives strong kernels the counts of their launch before"}.get(how, OTHERWISE), "lost")

    def test_bugs(self):
        """Where they also have no order: what they show is forbidden, or nobody met."""
        for how in ("none", "one-core", *drawn(LAUNCHES, 1)):
            with self.subTest(how=how):
                record, claim = self.biased(how, "SB", *RELAXED)
                self.never_passes(record, claim)
                if how == "one-core":
                    ends_as("runs tests with strong orders on one core, one role after the other",
                            self.end_of(record))

    def test_values_that_are_made_up(self):
        """A 1 that was not stored yet is nothing that store buffering forbids; where it has to be there before the store it is."""
        for name, verdict in (("SB", "pass"), ("LB", "forbidden")):
            with self.subTest(name=name):
                record, claim = self.biased("one-core", name, LOAD, f"((ulong)at_y / 4u % 8u == 0u ? 1 : {LOAD})")
                self.assertEqual(record["verdict"], verdict)
                ends_as(MADE_UP, claim["verdict"] if claim else verdict)

    def test_most_work_items(self):
        """Where they do so in most work-items, and not in all: by the roles' other values they met."""
        for what, (name, before, after) in drawn(IN_MOST.items(), 2):
            with self.subTest(what=what):
                record, claim = self.biased("none", name, before, after, shape=WIDE)
                ends_as(MOST, self.end_of(record) if claim["verdict"] == "inconclusive" else "pass")
                weaker = next(control for control in record["evidence"]["controls"] if control["kind"] == "weaker")
                # on a busy machine the few work-items that load may always do so before or after the others
                constant = weaker["varied"] & ~record["evidence"]["varied"]
                self.assertEqual(claim["hardware"], "one-value" if constant else "seldom-value")

    def test_texts(self):
        """Where their compiler hides what it has done."""
        for what, (name, before, after) in drawn(TEXTS.items(), 3):
            with self.subTest(what=what):
                record, claim = self.biased("none", name, before, after)
                self.never_passes(record, claim)
                ends_as(CONSTANT if what in FOLDED else RENDEZVOUS, self.end_of(record))
                if what in FOLDED and record["verdict"] == "pass":
                    # by itself this is enough, had they met and had the control shown it
                    weaker = next(control for control in record["evidence"]["controls"] if control["kind"] == "weaker")
                    self.assertNotEqual(weaker["varied"] & ~record["evidence"]["varied"], 0)


if __name__ == "__main__":
    main()
