#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compilers that leave something out of a kernel: what nobody played, counted or set up is no pass.

    rewrite.py PROGRAM LAYER REWRITING-LAYER

Each text that they make is compiled, which takes most of the time. So some of the mistakes are drawn, and each is made
in one environment that may have it; with OCLMM_DRAW=all each is made in all of them.
"""

import os
import sys
import unittest

REWRITE = os.path.abspath(sys.argv.pop(3))

from fault_case import LAYER, MANY, FaultCase, passing  # noqa: E402 (takes the command line)
from common import joined, main  # noqa: E402
from drawn import drawn, draws_all  # noqa: E402
from robustness import ends_as  # noqa: E402

LAST_LANE = "get_local_id(0) == get_local_size(0) - 1u"
LAST = "get_global_id(0) == get_global_size(0) - 1u"
ENVIRONMENTS = {
    "own": "groups=2 lanes=4 rounds=64 direct=1 count_lanes=8 count_each=8",
    "own, wide": "groups=2 lanes=64 rounds=8 direct=1 count_lanes=8 count_each=8 count_chunked=1",
    "own, odd": "groups=3 lanes=5 rounds=7 direct=1 count_lanes=2 count_each=8 count_chunked=1",
    "counted": "groups=2 lanes=4 rounds=64 count_lanes=8 count_each=8",
    "counted, odd": "groups=3 lanes=5 rounds=7 count_lanes=2 count_each=8",
    "fours": "groups=2 lanes=4 rounds=64 count_lanes=8 count_each=8 count_chunked=2",
    "bytes": "groups=4 lanes=8 rounds=16 count_lanes=8 count_each=8 count_chunked=2",
}
SUMS = "did not set up all their objects in each launch, once|outcomes were counted of|did not begin with their initial values"
PLAYED = "did not play all their rounds once"
# Rows of docs/robustness.md, of those mistakes that are not a role or an access left out.
ROWS = {
    "a group of the counting kernel that runs twice": "gives kernels ids or sizes that are not the launch's",
    "ids cut short": "gives kernels ids or sizes that are not the launch's",
    "a size of the launch": "gives kernels ids or sizes that are not the launch's",
    "a size of its groups": "gives kernels ids or sizes that are not the launch's",
    "ids in the test's kernel": "gives kernels ids or sizes that are not the launch's",
    "ids in the counting kernel": "gives kernels ids or sizes that are not the launch's",
    "the last lane of the counting kernel": "sets objects up wrongly in launches that do not look at them, one in 64 looks",
    "what is set up before the first launch": "sets objects up wrongly in launches that do not look at them, one in 64 looks",
    "an object in the place of another": "makes one object of two",
    "an initial value": "begins objects with other values, or leaves some as they were",
    "an initial value in one lane": "begins objects with other values, or leaves some as they were",
}


def ends_mistake_as(what, end):
    ends_as(ROWS.get(what, "leaves out a role or an access, everywhere or in one lane or round"), end)


# Of a kernel, what is said there and what is made of it, and what is then said of the run.
LEFT_OUT = {
    "the last lane of the counting kernel": ("oclmm_count", "p.count_each", f"({LAST_LANE} && !p.only_restore ? 0u : p.count_each)", SUMS),
    "its last work-item but one": (
        "oclmm_count", "p.count_each",
        "(get_global_id(0) == get_global_size(0) - 2u && !p.only_restore ? 0u : p.count_each)", SUMS),
    "half of what one work-item has": ("oclmm_count", "p.count_each",
                                       "(get_global_id(0) == 1u && !p.only_restore ? p.count_each / 2u : p.count_each)", SUMS),
    "what is set up before the first launch": ("oclmm_count", "p.count_each",
                                               f"({LAST_LANE} && p.only_restore ? 0u : p.count_each)", SUMS),
    "a group of the counting kernel that runs twice": (
        "oclmm_count", "kernel void oclmm_count",
        "#define get_group_id(n) (get_group_id(n) == 3u && !p.only_restore ? 2u : get_group_id(n))\n"
        "#define get_global_id(n) (get_group_id(n) * get_local_size(n) + get_local_id(n))\n"
        "kernel void oclmm_count",
        "in the place of others|with the ids of the launch|outcomes were counted of"),
    "ids cut short": ("oclmm_count", "const uint id = get_global_id(0);", "const uint id = get_global_id(0) & (p.only_restore ? ~0u : 15u);",
                      "with the ids of the launch|outcomes were counted of"),
    "a lane of the test's own kernel": ("oclmm_test", "const uint rounds = testing ?",
                                        f"const uint rounds = testing && !({LAST_LANE}) ?", PLAYED),
    "its last round": ("oclmm_test", "round < rounds", "round + 1u < rounds", PLAYED),
    "the last round of its last work-item": ("oclmm_test", "round < rounds", f"round + ({LAST} ? 1u : 0u) < rounds", PLAYED),
}

# What every instance and every count agrees with, and yet the test was not played as it is written.
KERNEL = "kernel void oclmm_test"
UNCHANGED = "objects kept their initial values, which no execution leaves"
UNSET = "objects did not begin with their initial values"
NOT_PLAYED = {
    "a role that only stores": ("oclmm_test", KERNEL, f"#define P0(...)\n{KERNEL}", UNCHANGED),
    "it in one lane": ("oclmm_test", KERNEL, f"#define P0(...) if (own_lane == 1u) ; else P0(__VA_ARGS__)\n{KERNEL}", UNCHANGED),
    "it in one round": ("oclmm_test", KERNEL, f"#define P0(...) if (round == 5u) ; else P0(__VA_ARGS__)\n{KERNEL}", UNCHANGED),
    "one of its stores": ("oclmm_test", "atomic_store_explicit(at_x, 1", "if (get_local_id(0) == 1u) ; else atomic_store_explicit(at_x, 1", UNCHANGED),
    "a role that loads": ("oclmm_test", KERNEL, f"#define P1(...)\n{KERNEL}", ""),
    "the same in one lane": ("oclmm_test", KERNEL, f"#define P1(...) if (own_lane == 1u) ; else P1(__VA_ARGS__)\n{KERNEL}", ""),
    "one of its loads": ("oclmm_test", "r->P1_r0 = ", "if (get_local_id(0) != 1u) r->P1_r0 = ", ""),
    "an object in the place of another": ("oclmm_test", "at_y + (p.location[1].base + at1_", "at_x + (p.location[0].base + at0_", UNCHANGED),
    "the step of a store from one round to the next": ("oclmm_test", "at0_P0 + step0", "at0_P0", ""),
    "an initial value": ("oclmm_count", "(uint)table[2]", "(uint)table[2] + 1u", UNSET),
    "an initial value in one lane": ("oclmm_count", "(uint)table[2]", "(uint)table[2] + (get_local_id(0) == 3u)", UNSET),
    "a size of the launch": ("oclmm_test", "(uint)get_global_size(1)", "(uint)get_global_size(1) * 2u", PLAYED),
    "a size of its groups": ("oclmm_test", "(uint)get_local_size(2)", "2u", PLAYED),
    "ids in the test's kernel": ("oclmm_test", "get_global_id(0)", "(get_global_id(0) ^ 1u)", PLAYED),
    "ids in the counting kernel": ("oclmm_count", "const uint id = get_global_id(0);", "const uint id = get_global_id(0) ^ 1u;",
                                   "with the ids of the launch"),
}
COUNTED = ("a role that only stores", "one of its stores", "one of its loads", "an initial value",
           "an initial value in one lane", "ids in the counting kernel")


# In environments of two lanes and fewer than sixteen work-items that count these change nothing.
OF_MORE = ("ids cut short", "an initial value in one lane")


def shared_out(mistakes, places, count):
    """For each place what is made there of so many of the mistakes, which may be made in all of them."""
    made = {place: [] for place in places}
    for what in drawn(mistakes, count):
        able = [place for place in places if what not in OF_MORE or "odd" not in place]
        for place in able if draws_all() else [min(able, key=lambda place: len(made[place]))]:
            made[place].append(what)
    return {place: some for place, some in made.items() if some}


# A wait for a flag of another work-group, whose loop is over after two turns, as all loops are.
SPIN = """OPENCL spin

(* Result: Never *)

unroll 2

{
[d] = 0;
[f] = 0;
}

P0@wg 0, dev 0 (global atomic_int *d, global atomic_int *f) {
  int r0 = 0;
  while (r0 != 1) {
    r0 = atomic_load_explicit(f, memory_order_acquire, memory_scope_device);
  }
  int r1 = atomic_load_explicit(d, memory_order_relaxed, memory_scope_device);
}

P1@wg 1, dev 0 (global atomic_int *d, global atomic_int *f) {
  atomic_store_explicit(d, 1, memory_order_relaxed, memory_scope_device);
  atomic_store_explicit(f, 1, memory_order_release, memory_scope_device);
}

exists (0:r1=0)
"""
POLL = "r->P0_r0 = atomic_load_explicit(at_f, "


class Compilers(FaultCase):
    def rewritten(self, where="", before="", after="", **more):
        return self.environment(OPENCL_LAYERS=f"{LAYER}:{REWRITE}", OCLMM_REWRITE_IN=f"kernel void {where}",
                                OCLMM_REWRITE_FROM=before, OCLMM_REWRITE_TO=after,
                                OCLMM_REWRITE_STRUCK=str(self.folder / "struck"), **more)

    def compiled(self, environment, *rewriting, options=(), **more):
        """The record of the test that counts itself where it may."""
        out, _ = self.run_program("run", "--environment", environment, *MANY[2:], "--no-controls", "--cache", "never", *options,
                                  "--format", "json", status=None, environment=self.rewritten(*rewriting, **more))
        return self.records(out)["own"]

    def test_what_is_left_out(self):
        self.write("litmus/relaxed/own.litmus", passing("own", "x", "y"))
        self.run_program("check", "--write")
        for place, some in shared_out(LEFT_OUT, ENVIRONMENTS, 5).items():
            environment = ENVIRONMENTS[place]
            record = self.compiled(environment)
            self.assertEqual(record["verdict"], "pass", place)
            for what in some:
                *rewriting, words = LEFT_OUT[what]
                with self.subTest(what=what, place=place):
                    record = self.compiled(environment, *rewriting)
                    self.assertTrue((self.folder / "struck").exists())
                    (self.folder / "struck").unlink()
                    # objects that nobody set up may hold what no test stores
                    self.assertIn(record["verdict"], ("lost", "forbidden"))
                    ends_mistake_as(what, record["verdict"])
                    self.assertEqual(record["cause"], "results-lost")
                    self.assertRegex(joined(record["message"]), words)

    def test_rounds_in_bytes(self):
        """How many work-items did not play: of four groups of eight, sixteen rounds each."""
        self.write("litmus/relaxed/own.litmus", passing("own", "x", "y"))
        self.run_program("check", "--write")
        for before, after, count in (
                ("const uint rounds = testing ?", f"const uint rounds = testing && !({LAST_LANE}) ?", 4),
                ("round < rounds", "round + 1u < rounds", 32),
                ("round < rounds", f"round + ({LAST} ? 1u : 0u) < rounds", 1),
                ("+= (uchar)", f"+= ({LAST} ? 2u : 1u) * (uchar)", 1),
                ("+= (uchar)", "+= 3u * (uchar)", 32)):
            with self.subTest(after=after):
                record = self.compiled(ENVIRONMENTS["bytes"], "oclmm_test", before, after)
                self.assertTrue((self.folder / "struck").exists())
                (self.folder / "struck").unlink()
                self.assertEqual(record["cause"], "results-lost")
                self.assertIn(f" {count} work-items {PLAYED}", joined(record["message"]))

    def test_local_objects_that_nobody_changes_in_bytes(self):
        self.write("litmus/relaxed/own.litmus", passing("own", "x", "y").replace("global", "local"))
        self.run_program("check", "--write")
        *rewriting, _ = NOT_PLAYED["it in one lane"]
        record = self.compiled(ENVIRONMENTS["bytes"], *rewriting)
        self.assertEqual(record["verdict"], "lost")
        self.assertRegex(joined(record["message"]), UNCHANGED)

    def test_local_objects_that_nobody_changes(self):
        self.write("litmus/relaxed/own.litmus", passing("own", "x", "y").replace("global", "local"))
        self.run_program("check", "--write")
        environments = (ENVIRONMENTS["own"], ENVIRONMENTS["counted, odd"], ENVIRONMENTS["counted"] + " split=1")
        stores = ("a role that only stores", "it in one lane", "it in one round", "one of its stores")
        for environment, some in shared_out(stores, environments, 2).items():
            self.assertEqual(self.compiled(environment)["verdict"], "pass")
            for what in some:
                with self.subTest(what=what, environment=environment):
                    *rewriting, _ = NOT_PLAYED[what]
                    record = self.compiled(environment, *rewriting)
                    # one store without the other may also look like the reordering that the test forbids
                    self.assertIn(record["verdict"], ("lost", "forbidden")[:1 + (what == "one of its stores")])
                    self.assertRegex(joined(record["message"]), UNCHANGED)

    def test_roles_that_only_update(self):
        """Nobody uses what their updates give; but of whichever order of them comes another value than the initial one."""
        text = passing("own", "x", "y")
        store = "atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_work_group);"
        add = "atomic_fetch_add_explicit(x, 1, memory_order_relaxed, memory_scope_work_group);"
        release = "atomic_store_explicit(y, 1, memory_order_release, memory_scope_work_group);"
        self.assertIn(store, text)
        self.assertIn(release, text)
        both = f"{add} atomic_fetch_or_explicit(y, 1, memory_order_release, memory_scope_work_group);"
        self.write("litmus/relaxed/own.litmus", text.replace(store, "").replace(release, both))
        self.run_program("check", "--write")
        for environment, some in shared_out(("a role that only stores", "it in one lane", "it in one round"), ("own", "counted"), 2).items():
            self.assertEqual(self.compiled(ENVIRONMENTS[environment])["verdict"], "pass")
            for what in some:
                with self.subTest(what=what, environment=environment):
                    *rewriting, words = NOT_PLAYED[what]
                    record = self.compiled(ENVIRONMENTS[environment], *rewriting)
                    self.assertEqual(record["verdict"], "lost")
                    self.assertRegex(joined(record["message"]), words)

    def test_what_is_not_played(self):
        self.write("litmus/relaxed/own.litmus", passing("own", "x", "y"))
        self.run_program("check", "--write")
        # where roles count for themselves, and where others do, whom some of them may pass
        made = shared_out(COUNTED, [place for place in ENVIRONMENTS if place != "own"], 4)
        made["own"] = drawn([what for what in NOT_PLAYED if draws_all() or what not in COUNTED], 5)
        for place, some in made.items():
            environment = ENVIRONMENTS[place]
            for what in some:
                *rewriting, words = NOT_PLAYED[what]
                with self.subTest(what=what, place=place):
                    record = self.compiled(environment, *rewriting)
                    self.assertTrue((self.folder / "struck").exists())
                    (self.folder / "struck").unlink()
                    self.assertEqual(record["verdict"], "lost" if words else "forbidden")
                    ends_mistake_as(what, record["verdict"])
                    self.assertRegex(joined(record["message"] or ""), words or "^")

    def spin(self, *arguments, status, rewriting=(), rounds=4096):
        # work-groups meet every sixteen rounds
        meeting = (f"groups=2 lanes=1 rounds={rounds} flip_groups=1 polls=100000 poll_every=16 poll_budget=16777216 direct=1 "
                   "count_chunked=1 count_lanes=64 count_each=64")
        out, _ = self.run_program("run", "--environment", meeting, "--instances", "1M", "--seed", "11", "--compilers", "0", "--timeout", "60",
                                  "--cache", "never", "--format", "json", *arguments, "spin", status=status,
                                  environment=self.rewritten(*rewriting))
        confidence = next(line["confidence"] for line in self.lines_of_json(out) if line["type"] == "confidence")
        self.write("spin.jsonl", out)
        return self.records(out)["spin"], confidence

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "work-groups that wait for each other need two processors")
    def test_a_wait_that_reads_once(self):
        """A flag that a compiler loads once: nothing forbidden, and yet no pass."""
        self.write("litmus/relaxed/spin.litmus", SPIN)
        self.run_program("check", "--write")
        record, confidence = self.spin(status=(0, 3))
        self.assertNotEqual(confidence, "stuck")
        self.assertGreater(record["waits"]["late"], record["waits"]["stuck"])
        once = ("oclmm_test", POLL, f"if (turn0 == 0u) {POLL}")
        record, confidence = self.spin(status=3, rewriting=once)
        self.assertTrue((self.folder / "struck").exists())
        self.assertEqual((record["forbidden"], confidence), (0, "stuck"))
        for end in ("inconclusive", "1"):
            ends_as("reads a polled location once, and keeps what it saw", end)
        self.assertEqual(record["waits"]["late"], 0)
        self.assertGreater(record["waits"]["opaque_late"], record["waits"]["opaque_stuck"])
        # in the answer, and a failure where it is to be one
        out, _ = self.run_program("grade", "spin.jsonl", status=3)
        last = joined(out).splitlines()[-1]
        self.assertRegex(last, r"^verdict: inconclusive: of 1 test that can fail 0 with confidence .* 1 inconclusive \(1 stuck\); ")
        self.assertRegex(joined(out), r"its waits kept an old value where another access saw the new one")
        out, _ = self.run_program("grade", "spin.jsonl", "--stuck-fails", status=1)
        self.assertRegex(joined(out).splitlines()[-1], r"^verdict: stuck: ")

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "work-groups that wait for each other need two processors")
    def test_waits_of_which_some_read_once(self):
        """Most of them wait as they should; the others are seen among them."""
        self.write("litmus/relaxed/spin.litmus", SPIN)
        self.run_program("check", "--write")
        for which, some in drawn((("every second object", "% 2u == 0u"), ("an object of eight", "% 8u != 0u")), 1):
            with self.subTest(which=which):
                record, confidence = self.spin(status=(0, 3), rounds=512, rewriting=(
                    "oclmm_test", POLL, f"if (turn0 == 0u || (ulong)at_f / 4u {some}) {POLL}"))
                self.assertTrue((self.folder / "struck").exists())
                self.assertEqual((record["forbidden"], confidence), (0, "stuck"))
                ends_as("the same in some of the work-items", "inconclusive")
                self.assertGreater(record["waits"]["partly"], record["waits"]["hits"])
                out, _ = self.run_program("grade", "spin.jsonl", status=3)
                self.assertRegex(joined(out), r"launches some of its waits kept an old value")

    def test_a_cache_that_knows_the_text(self):
        """What a good compiler left there hides what the one of today does; a text that is new is compiled today."""
        self.write("litmus/relaxed/own.litmus", passing("own", "x", "y"))
        self.run_program("check", "--write")
        known = {"OCLMM_REWRITE_KNOWN": str(self.folder / "known")}
        *rewriting, words = NOT_PLAYED["a role that only stores"]
        self.assertEqual(self.compiled(ENVIRONMENTS["own"], OCLMM_REWRITE_LEARNS="1", **known)["verdict"], "pass")
        row = "serves a good program from a cache while its compiler is broken"
        for options, verdict in (((), "pass"), (("--fresh",), "lost")):
            record = self.compiled(ENVIRONMENTS["own"], *rewriting, options=options, **known)
            self.assertEqual((record["verdict"], (self.folder / "struck").exists()), (verdict, bool(options)))
            ends_as(row, "pass" if verdict == "pass" else "the bug's own verdict")
        self.assertRegex(joined(record["message"]), words)

    def test_counters_that_end_at_a_number(self):
        self.write("litmus/relaxed/own.litmus", passing("own", "x", "y"))
        self.run_program("check", "--write")
        record = self.compiled(ENVIRONMENTS["counted"], "oclmm_count", "atomic_add(&counters[n], seen[n])",
                               "if (counters[n] < 2000u) atomic_add(&counters[n], seen[n])")
        self.assertTrue((self.folder / "struck").exists())
        self.assertEqual(record["verdict"], "lost")
        ends_as("ends a counter at a number", record["verdict"])
        self.assertRegex(joined(record["message"]), "outcomes were counted of")


if __name__ == "__main__":
    main()
