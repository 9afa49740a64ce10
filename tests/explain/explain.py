# SPDX-License-Identifier: Apache-2.0
"""oclmm explain: cycles worked out by hand, what is refused, changes, graphs."""

import json
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "commands"))

import common  # noqa: E402
from common import SuiteCase  # noqa: E402

import cases  # noqa: E402
from cases import fence, litmus, load, store  # noqa: E402

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"


def cycle(violation):
    steps = violation["steps"]
    return " ".join([steps[0]["from"]] + [f"{s['edge']} {s['to']}" for s in steps])


class Explain(SuiteCase):
    def explain(self, text, *options, status=0):
        self.write("case.litmus", text)
        return self.run_program("explain", "case.litmus", *options, status=status)

    def explain_json(self, text, *options):
        out, _ = self.explain(text, "--json", *options)
        return json.loads(out)


class Verdicts(Explain):
    def test_cycles(self):
        for name, (text, rule, edges) in cases.CYCLES.items():
            with self.subTest(name):
                found = self.explain_json(text, "--no-changes")
                self.assertEqual(found["status"], "forbidden")
                self.assertEqual((found["violation"]["rule"], cycle(found["violation"])), (rule, edges))

    def test_places(self):
        """A read from a weaker write has several places in the order S, and none is free."""
        violation = self.explain_json(cases.PLACES, "-m", "opencl-3.0", "--no-changes")["violation"]
        self.assertEqual((violation["rule"], cycle(violation)), ("seq_cst", "b sb c fr e sb f fr b"))
        self.assertIn("may stand in several places (rule 1); all of them close this cycle", violation["why"])
        self.assertNotIn("several places", self.explain_json(cases.SB, "--no-changes")["violation"]["why"])

    def test_unspecified(self):
        """Where an unspecified value is one of four, whoever reads it reads the one that was asked for."""
        for value in range(4):
            with self.subTest(value):
                found = self.explain_json(f"""OPENCL case
{{ [d] = 0; [g] = 0; }}
P0@wg 0, dev 0 (global int *d, global int *g) {{ uchar q = 7 / *d; *g = q & 3; int r = *g; }}
exists (0:r={value})
""")
                self.assertEqual([e["text"] for e in found["events"]],
                                 ["i0: W d=0", "i1: W g=0", "a: R d=0 na", f"b: W g={value} na", f"c: R g={value} na"])

    def test_allowed(self):
        found = self.explain_json(cases.SB_RELAXED)
        self.assertEqual(found["status"], "allowed")
        self.assertNotIn("violation", found)
        self.assertEqual([e["text"] for e in found["events"]],
                         ["i0: W x=0", "i1: W y=0", "a: W x=1 rlx dev", "b: R y=0 rlx dev", "c: W y=1 rlx dev",
                          "d: R x=0 rlx dev"])

    def test_outcome(self):
        """Another outcome of the same test: what was forbidden together is allowed apart."""
        found = self.explain_json(cases.MP, "--outcome", "1:r0=1 /\\ 1:r1=1")
        self.assertEqual((found["status"], found["outcome"]), ("allowed", "1:r0=1; 1:r1=1;"))
        # an object that the file does not observe
        found = self.explain_json(cases.MP, "--outcome", "[x]=1 /\\ 1:r1=0")
        self.assertEqual((found["status"], found["outcome"]), ("allowed", "[x]=1; 1:r1=0;"))

    def test_disputed(self):
        """seq_cst of scope work_group: 2.0 asks for no order S there, the later texts do."""
        found = self.explain_json(cases.DISPUTED)
        self.assertEqual((found["status"], found["deciding"]), ("disputed", ["K1"]))
        plain = {r["regime"]: r["status"] for r in found["readings"] if not r["alternatives"]}
        self.assertEqual(plain, {"opencl-2.0": "allowed", "opencl-2.1": "forbidden", "opencl-3.1": "forbidden"})
        self.assertEqual(cycle(found["violation"]), "a sb b fr c sb d fr a")

    def test_model(self):
        """A version is answered over its own readings."""
        found = self.explain_json(cases.DISPUTED, "--model", "opencl-2.0")
        self.assertEqual(found["status"], "allowed")
        self.assertEqual({r["regime"] for r in found["readings"]}, {"opencl-2.0"})
        found = self.explain_json(cases.DISPUTED, "--model", "opencl-3.0")
        self.assertEqual((found["status"], found["model"]), ("forbidden", "opencl-2.1"))
        found = self.explain_json(cases.DISPUTED, "--model", "scoped")
        self.assertEqual(found["readings"], [])

    def test_race(self):
        found = self.explain_json(cases.RACE)
        self.assertEqual((found["status"], found["undefined"], found["race"]), ("undefined", "data race", ["a", "d"]))
        self.assertIn("b has no release order", found["why"])
        self.assertIn("c has no acquire order", found["why"])

    def test_race_of_scopes(self):
        text = litmus([[store("x", 1, scope="work_group")], [load("r0", "x", scope="work_group")]], "1:r0=1")
        found = self.explain_json(text)
        self.assertEqual(found["race"], ["a", "b"])
        self.assertIn("reaches its work-group only, and P0 and P1 run in different ones", found["why"])

    def test_race_of_two_kernels(self):
        """What atomic operations of two kernels on one buffer do, and whether they order plain data, is open."""
        text = litmus([[store("x", 1)], [load("r0", "x")]], "1:r0=1").replace("P1@wg 1", "P1@queue 1, wg 0")
        self.assertIn("what these do to one ordinary buffer with atomic operations is left to the implementation",
                      self.explain_json(text)["why"])
        text = litmus([["*d = 1;", store("y", 1, "release")], [load("r0", "y", "acquire"), *cases.GUARDED]],
                      "1:r0=1 /\\ 1:r1=0").replace("P1@wg 1", "P1@queue 1, wg 0").replace("[d]", "coarse [d]")
        found = self.explain_json(text.replace("[y]", "coarse [y]"))
        self.assertEqual(found["status"], "undefined")
        self.assertIn("access to coarse-grained memory is ordered between them at synchronization points of commands",
                      found["why"])
        self.assertEqual(self.explain_json(text.replace("[y]", "svm [y]").replace("coarse [d]", "svm [d]"))["status"],
                         "forbidden")

    def test_race_of_sub_buffers(self):
        """A buffer and its sub-buffers are one memory; an edge orders them, two readers need none."""
        text = ("OPENCL case\n\n{\n[x] = 0;\n}\n\nP0@kernel queue 1 sub 0 (global int *x) { *x = 1; }\n"
                "P1@kernel queue 0 sub 1 (global int *x) { int r0 = *x; }\n\nexists (1:r0=0)\n")
        found = self.explain_json(text)
        self.assertEqual((found["status"], found["race"]), ("undefined", ["a", "b"]))
        self.assertIn("P0 uses sub-buffer 0, and P1 uses sub-buffer 1: they overlap, and at the same time both "
                      "may only be read (A:5.2.1). They are in queues 1 and 0", found["why"])
        self.assertIn("P1 uses the buffer itself", self.explain_json(text.replace(" sub 1", ""))["why"])
        self.assertNotIn("overlap", self.explain_json(text.replace("sub 1", "sub 0"))["why"])
        self.assertEqual(self.explain_json(text.replace("sub 1", "wait 0 sub 1"))["status"], "forbidden")
        readers = text.replace("*x = 1;", "int r0 = *x;")
        self.assertEqual(self.explain_json(readers)["status"], "allowed")

    def test_misused_semaphore(self):
        """It is no overlap of commands: two signals of one queue do not overlap, and are one too many."""
        text = ("OPENCL case\n\n{\n[x] = 0;\n}\n\nP0@signal queue 0 semaphore 3 () {}\n"
                "P1@signal queue 0 semaphore 3 () {}\nP2@kernel queue 0 (global int *x) { *x = 1; }\n\nexists (x=1)\n")
        found = self.explain_json(text)
        self.assertEqual((found["status"], found["undefined"]), ("undefined", "misused semaphore"))
        self.assertEqual([a["line"] for a in found["accesses"]], [8, 7])
        out, _ = self.explain(text)
        self.assertIn("undefined behaviour: misused semaphore.", out)
        self.assertIn("The semaphore is used here, and before that there:\n\n    P1, line 8:", out)
        self.assertIn("it signals semaphore 3, which is binary and may still be signaled (cl_khr_semaphore)",
                      " ".join(out.split()))
        out, _ = self.run_program("check", "case.litmus")
        self.assertIn("Undefined=misused semaphore in opencl-2.0: P1 line 8 `clEnqueueSignalSemaphoresKHR` and P0 line 7",
                      out)
        waits = text.replace("P1@signal", "P1@wait").replace("P2@kernel", "P2@wait queue 0 semaphore 3 () {}\nP3@kernel")
        self.assertIn("it waits for semaphore 3, and an earlier wait may take its signal",
                      " ".join(self.explain(waits)[0].split()))

    def test_race_of_regions(self):
        """A local flag does not publish global data, unless fences name both."""
        text = litmus([["*d = 1;", store("y", 1, "release", "work_group")],
                       [load("r0", "y", "acquire", "work_group"), *cases.GUARDED]],
                      "1:r0=1 /\\ 1:r1=0", groups=[0, 0], local="y")
        self.assertIn("they synchronise in local memory only, and d is global", self.explain_json(text)["why"])

    def test_race_at_a_barrier(self):
        text = litmus([["*d = 1;", "barrier(CLK_LOCAL_MEM_FENCE);"],
                       ["barrier(CLK_LOCAL_MEM_FENCE);", "int r0 = *d;"]], "1:r0=0", groups=[0, 0])
        found = self.explain_json(text)
        self.assertIn("The barrier between them has no CLK_GLOBAL_MEM_FENCE flag", found["why"])
        first = found["changes"][0]
        # of the flags, at all barriers of the group
        self.assertEqual([line["after"] for line in first["lines"]],
                         ["barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);"] * 2)

    def test_split_barrier(self):
        arrive = "intel_work_group_barrier_arrive(CLK_GLOBAL_MEM_FENCE);"
        wait = "intel_work_group_barrier_wait(CLK_GLOBAL_MEM_FENCE);"
        text = litmus([["*d = 1;", arrive, wait], [arrive, wait, "int r0 = *d;"]], "1:r0=0", groups=[0, 0])
        out = " ".join(self.explain(text)[0].split())
        self.assertIn("no work-item has waited before all of the work-group have arrived, and both calls name global "
                      "memory (cl_intel_split_work_group_barrier)", out)

    def test_race_at_a_split_barrier(self):
        """One of both calls, alike in the group, lacks the flag: the other one alone orders nothing."""
        arrive = "intel_work_group_barrier_arrive(CLK_GLOBAL_MEM_FENCE);"
        wait = "intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);"
        text = litmus([["*d = 1;", arrive, wait], [arrive, wait, "int r0 = *d;"]], "1:r0=0", groups=[0, 0])
        found = self.explain_json(text)
        self.assertIn("arrival and wait do not both have the flag CLK_GLOBAL_MEM_FENCE", found["why"])
        self.assertEqual([line["after"] for line in found["changes"][0]["lines"]],
                         ["intel_work_group_barrier_wait(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);"] * 2)

    def test_misused_split_barrier(self):
        wait = "intel_work_group_barrier_wait(CLK_GLOBAL_MEM_FENCE);"
        out, _ = self.explain(litmus([[wait], [wait, "int r0 = *d;"]], "1:r0=0", groups=[0, 0]))
        self.assertIn("undefined behaviour: misused split barrier.", out)
        self.assertIn("A work-item waits here and has not arrived", " ".join(out.split()))

    def test_race_of_misplaced_fences(self):
        text = litmus([["*d = 1;", store("y", 1), fence("release")],
                       [fence("acquire"), load("r0", "y"), *cases.GUARDED]],
                      "1:r0=1 /\\ 1:r1=0")
        why = self.explain_json(text, "--no-changes")["why"]
        # a *d, b y, c fence; d fence, e y, f *d
        self.assertIn("no release fence stands before it (c comes too late)", why)
        self.assertIn("no acquire fence stands after it (d comes too early)", why)

    def test_race_across_groups(self):
        text = litmus([["*d = 1;", *cases.BARRIER], [*cases.BARRIER, "int r0 = *d;"]], "1:r0=0")
        self.assertIn("A barrier orders the work-items of one group only", self.explain_json(text)["why"])

    def test_race_is_the_one_that_check_names(self):
        """Of several races, even where another one would show more."""
        text = """OPENCL several
unroll 1
{ [x] = 0; [y] = 0; }
P0@wg 0, dev 0 (global int *x, global atomic_int *y) {
  *x = 1;
  atomic_store_explicit(y, 1, memory_order_release, memory_scope_sub_group);
}
P1@sg 0, wg 0, dev 0 (global int *x, global atomic_int *y) {
  int r0 = 0;
  r0 = atomic_fetch_and_explicit(y, 2, memory_order_seq_cst, memory_scope_work_group);
  while (*x != 1) {
  }
}
P2@wg 0, dev 0 (global int *x, global atomic_int *y) {
  int r0 = 0;
  int r1 = 0;
  r0 = atomic_load_explicit(y, memory_order_acquire, memory_scope_sub_group);
  r1 = *x;
}
exists (1:r0=0 /\\ 2:r0=0 /\\ 2:r1=0 /\\ [x]=1 /\\ [y]=1)
"""
        found = self.explain_json(text, "--no-changes")
        events = {e["event"]: e for e in found["events"]}
        out, _ = self.run_program("check", "--json", "case.litmus")
        witness = json.loads(out)["models"]["consensus"]["witness"]
        self.assertEqual(sorted(events[letter]["line"] for letter in found["race"]),
                         sorted(access["line"] for access in witness["accesses"]))

    def test_overflow_in_varied_words(self):
        """Words of an axis stand at one place: the statement that overflows is named, not the last one there."""
        text = """OPENCL overflow
vary what: r2 = r0 + 1; => r2 = r1; r2 = r0 + 2; r1 = 3;
{ [x] = 0; }
P0@wg 0, dev 0 (global atomic_int *x) {
  int r0 = 2147483647;
  int r1 = 0;
  int r2 = 5;
  r2 = r0 + 1;
}
exists (0:r2=1)
"""
        self.write("case.litmus", text)
        out, _ = self.run_program("list", "case.litmus")
        for name, statement in zip(out.split(), ("r2 = r0 + 1;", "r2 = r0 + 2;"), strict=True):
            out, _ = self.run_program("explain", "case.litmus", name)
            self.assertIn(f"P0, line 8: {statement}\n", out)

    def test_not_reached(self):
        """The condition of a file may ask for what cannot be; an outcome of the command line may not."""
        found = self.explain_json(cases.MP.replace("1:r0=1", "1:r0=7"))
        self.assertEqual((found["status"], found["why"]),
                         ("forbidden", "1:r0 never has the value 7: it ends as 0 or 1"))
        out, _ = self.explain(cases.MP.replace("1:r0=1", "1:r0=7"), "--dot", "-", status=77)
        self.assertEqual(out, "")

    def test_forall(self):
        """Of `forall`, what is explained is an outcome that refutes it."""
        found = self.explain_json(cases.MP.replace("exists (1:r0=1 /\\ 1:r1=0)", "forall (1:r0=0)"))
        self.assertEqual(found["status"], "allowed")
        self.assertRegex(found["outcome"], "^1:r0=1;")


class Changes(Explain):
    def changes(self, text, *options):
        return self.explain_json(text, *options)["changes"]

    def lines(self, change):
        return [(line.get("before"), line.get("after")) for line in change["lines"]]

    def test_weakenings_of_message_passing(self):
        """Both orders are needed: with either one relaxed the outcome is allowed."""
        allowed = [c for c in self.changes(cases.MP) if c["status"] == "allowed"]
        self.assertEqual([self.lines(c)[0][1] for c in allowed],
                         [store("y", 1), load("r0", "y")[4:]])

    def test_weakenings_of_store_buffering(self):
        """All four seq_cst are needed, and one step down is enough."""
        allowed = [c for c in self.changes(cases.SB) if c["status"] == "allowed"]
        self.assertEqual([re.search(r"memory_order_\w+", self.lines(c)[0][1])[0] for c in allowed],
                         ["memory_order_release", "memory_order_acquire"] * 2)

    def test_no_weakening_of_coherence(self):
        """Relaxed operations of one thread keep coherence; there is nothing to take away."""
        text, _, _ = cases.CYCLES["CoWW"]
        self.assertEqual([c for c in self.changes(text) if c["status"] == "allowed"], [])

    def test_weakenings_inside(self):
        """The acquire is needed wherever its load stands: in an index, an operand, what is compared with."""
        device = "memory_order_relaxed, memory_scope_device"
        for statement, condition in (
                ("e[{}] = 7;", "e[1]=7"),
                ("int r2 = e[{}];", "1:r2=5"),
                (f"atomic_store_explicit(&a[{{}}], 7, {device});", "a[1]=7"),
                (f"atomic_store_explicit(a, {{}}, {device});", "a[0]=1"),
                ("int r2 = atomic_compare_exchange_strong(&a[{}], &r0, 7);", "a[1]=7"),
                ("int r2 = atomic_cmpxchg(d, {}, 7);", "d=7"),
                ("int r2 = atomic_cmpxchg(d, 1, {} + 6);", "d=7"),
                ("if ({}) a[0] = 7;", "a[0]=7"),
                ("if (r0 == 0) { while (r0 == 0) { r0 = {}; a[0] = 7 * r0; } }", "a[0]=7")):
            inner = load("r0", "y", "acquire").removeprefix("int r0 = ").rstrip(";")
            text = f"""OPENCL inside
{"unroll 1" if "while" in statement else ""}
{{ [x] = 0; [y] = 0; [d] = 1; a[2] = {{5, 0}}; e[2] = {{0, 5}}; int 1:r0 = 0; }}
P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {{
  {store("x", 1)} {store("y", 1, "release")}
}}
P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y, global atomic_int *a, global int *d, global int *e) {{
  {statement.replace("{}", inner)}
  {load("r1", "x")}
}}
exists ({condition} /\\ 1:r1=0)
"""
            with self.subTest(statement=statement):
                allowed = [c for c in self.changes(text) if c["status"] == "allowed"]
                weaker = [after for c in allowed for before, after in self.lines(c)
                          if "memory_order_acquire" in before and "memory_order_acquire" not in after]
                self.assertTrue(weaker, allowed)

    def test_repair_of_several_outcomes(self):
        """A race beside a disputed outcome: the best verdict counts of what no filter turns away."""
        disputed = {"order": "seq_cst", "scope": "work_group"}
        text = litmus([["*d = 1;", store("z", 1), store("x", 1, **disputed), load("r0", "y", **disputed)],
                       [load("r3", "z"), "if (r3 == 1) {", "r3 = *d;", "}", store("y", 1, **disputed),
                        load("r2", "x", **disputed)]], "0:r0=0 /\\ (1:r2=0 \\/ 1:r2=1)", groups=[0, 0])
        for line, status in (("", "allowed"), ("filter (1:r2=0)\n", "disputed"), ("filter (1:r2=1)\n", "allowed")):
            with self.subTest(line):
                changes = self.changes(text.replace("exists", line + "exists"))
                self.assertEqual({c["status"] for c in changes}, {status})

    def test_race_of_an_outcome_that_counts(self):
        """The race is shown with an outcome that the filter lets through."""
        text = cases.litmus([["*d = 1;", store("x", 1), store("y", 1)],
                             [load("r0", "y"), *cases.GUARDED, load("r2", "x")]], "1:r0=1")
        for value in (0, 1):
            with self.subTest(value):
                found = self.explain_json(text.replace("exists", f"filter (1:r2={value})\nexists"), "--no-changes")
                self.assertIn(f"R x={value} rlx dev", " ".join(e["text"] for e in found["events"]))

    def test_repair_of_a_race(self):
        """A relaxed flag needs a release and an acquire: two edits, and no single one but an atomic object."""
        changes = self.changes(cases.RACE)
        self.assertEqual([c["edits"] for c in changes], [2, 2, 2, 1])
        self.assertEqual([c["status"] for c in changes], ["forbidden"] * 3 + ["allowed"])
        self.assertEqual(self.lines(changes[0]),
                         [(store("y", 1), store("y", 1, "release")),
                          (load("r0", "y")[4:], load("r0", "y", "acquire")[4:])])

    def test_repair_of_flags(self):
        text = litmus([["*d = 1;", fence("release", "LOCAL"), store("y", 1)],
                       [load("r0", "y", "acquire"), *cases.GUARDED]],
                      "1:r0=1 /\\ 1:r1=0")
        single = [self.lines(c)[0][1] for c in self.changes(text) if c["edits"] == 1]
        # the fence gets its flag, the store its order, or another fence comes
        self.assertEqual(single[0], fence("release", "GLOBAL_MEM_FENCE | CLK_LOCAL"))
        self.assertEqual(single[1], store("y", 1, "release"))
        self.assertEqual(single[2], fence("release"))

    def test_repair_of_many_scopes(self):
        """More edits than two: all that is needed, and nothing else."""
        change = self.changes(cases.MP.replace("scope_device", "scope_work_group"))[0]
        self.assertEqual((change["edits"], change["status"]), (4, "forbidden"))
        self.assertEqual({re.search(r"memory_scope_\w+", after)[0] for _, after in self.lines(change)},
                         {"memory_scope_device"})

    def test_what_is_written_once_is_changed_once(self):
        """A store in a loop that is unrolled: all rounds get the order, though one would do."""
        text = f"""OPENCL rounds
{{ [d] = 0; a[2] = {{0, 0}}; }}
P0@wg 0, dev 0 (global int *d, global atomic_int *a) {{
  *d = 1;
  for (int i = 0; i < 2; i++)
    {store("&a[i]", 1)}
}}
P1@wg 1, dev 0 (global int *d, global atomic_int *a) {{
  {load("r0", "&a[1]", "acquire")}
  if (r0 == 1) {{ int r1 = *d; }}
}}
exists (1:r0=1 /\\ 1:r1=0)
"""
        changes = self.changes(text)
        self.assertEqual((changes[0]["edits"], self.lines(changes[0])),
                         (1, [(store("a", 1), store("a", 1, "release")),
                              (store("&a[1]", 1), store("&a[1]", 1, "release"))]))

    def test_order_that_was_not_written(self):
        """A failed compare-exchange of the short form acquires; what takes that away is written out."""
        text = litmus([[store("x", 1), store("y", 1, "release")],
                       ["int e = 5;", "int r0 = atomic_compare_exchange_strong(y, &e, 7);", load("r1", "x")]],
                      "1:e=1 /\\ 1:r1=0")
        failing = [change for change in self.changes(text) if "failing with" in change["what"]]
        self.assertEqual([self.lines(change) for change in failing],
                         [[("r0 = atomic_compare_exchange_strong(y, &e, 7);",
                            "r0 = atomic_compare_exchange_strong_explicit(y, &e, 7, memory_order_seq_cst, "
                            "memory_order_relaxed, memory_scope_device);")]])

    def test_inserted_line(self):
        """A new statement is shown with the line that it stands before."""
        out, _ = self.explain(cases.RACE)
        self.assertRegex(out, r"P1      \+ atomic_work_item_fence\(.*acquire.*\);   \(before line 15\)")

    def places(self, second):
        """Where the changes of a race put a new statement into its second thread."""
        text = f"""OPENCL places
{{ [d] = 0; [y] = 0; }}
P0@wg 0, dev 0 (global int *d, global atomic_int *y) {{
  *d = 1;
  {store("y", 1, "release")}
}}
P1@wg 1, dev 0 (global int *d, global atomic_int *y) {{
  int r1 = 0;
{second}}}
exists (1:r1=1)
"""
        return {line["place"] for c in self.changes(text) for line in c["lines"] if line["thread"] and "place" in line}

    def test_places(self):
        """A block may have no braces, and a line more than one statement: the place is told so that it is one."""
        look = load("r0", "y")
        flag = look.partition(" = ")[2].rstrip(";")
        for second, place in (
                (f"  if ({flag} == 1)\n    r1 = *d;\n", "first in the block of line 9"),
                (f"  if ({flag} == 0) {{\n  r1 = 2;\n  }} else\n    r1 = *d;\n", "first in the else block of line 9"),
                (f"  {look}  r1 = 3;\n  if (r0 == 1)\n    r1 = *d;\n", "before `r1 = 3;` in line 9"),
                (f"  {look}\n  r1 = 3;\n  if (r0 == 1)\n    r1 = *d;\n", "before line 10")):
            with self.subTest(place):
                self.assertIn(place, self.places(second))

    def test_element_0_as_written(self):
        """`x[0]` and `*x` are one object, and each line is told as the file has it, changed or not."""
        text = """OPENCL element
{ [x] = 0; a[2] = {0, 0}; }
P0@wg 0, dev 0 (global int *x, global int *a) {
  x[0] = 1;
  a[0] = 1;
  *a = *x;
}
P1@wg 1, dev 0 (global int *x, global int *a) {
  int r0 = x[0];
}
exists (1:r0=1)
"""
        out, _ = self.explain(text)
        self.assertEqual(set(re.findall(r"line \d+: (.*)", out)), {"x[0] = 1;", "a[0] = 1;", "*a = *x;", "r0 = x[0];"})
        lines = {line for change in self.changes(text) for line in self.lines(change)}
        for before, after in (
                ("x[0] = 1;", "atomic_store_explicit(&x[0], 1, memory_order_relaxed, memory_scope_device);"),
                ("r0 = x[0];", "r0 = atomic_load_explicit(&x[0], memory_order_relaxed, memory_scope_device);")):
            self.assertIn((before, after), lines)

    def test_place_behind_a_branch(self):
        """What stands behind a branch is not told by the last line inside of it."""
        text = f"""OPENCL behind
{{ [x] = 0; }}
P0@wg 0, dev 0 (global int *x) {{
  *x = 1;
}}
P1@wg 0, dev 0 (global int *x) {{
  int r0 = 3;
  int r1 = 0;
  if (r0 == 3) {{
    r1 = *x;
  }}
}}
exists (1:r1=1)
"""
        places = [[line["place"] for line in c["lines"] if "place" in line] for c in self.changes(text)]
        self.assertIn(["before line 4", "at the end of P1"], places)


class Refusals(Explain):
    def test_outcomes(self):
        for outcome, message, column in (
                ("1:r9=1", "P1 has no register `r9`", 3),
                ("[z]=1", "there is no location `z`", 2),
                ("7:r0=1", "there is no thread P7", 1),
                ("1:r0=1 /\\", "the outcome ends too early", 10),
                ("1:r0=1 /\\ 1:r0=5", "1:r0 never has the value 5: it ends as 0 or 1", 11),
                ("", "the outcome ends too early", 1)):
            with self.subTest(outcome):
                _, err = self.explain(cases.MP, "--outcome", outcome, status=2)
                self.assertRegex(err, rf"^outcome:1:{column}: error: {re.escape(message)}")
                if outcome:
                    self.assertIn(f"\n    1 | {outcome}\n", err)

    def test_two_lines(self):
        _, err = self.explain(cases.MP, "--outcome", "1:r0=1\n", status=2)
        self.assertEqual(err, "error: an outcome is written in one line\n")

    def test_arguments(self):
        self.write("case.litmus", cases.MP)
        for arguments, message in (
                ((), "name a test, or a file"),
                (("case.litmus", "case.order=x"), "the file has no variant"),
                (("case.litmus", "a", "b"), "after a file comes at most one variant"),
                (("SB*", "--svg", "x.svg"), "tests match; a graph is drawn of one"),
                (("SB", "--model", "opencl-9"), "unknown model \"opencl-9\"; did you mean"),
                (("SB", "--limit", "many"), "--limit")):
            with self.subTest(arguments):
                _, err = self.run_program("explain", *arguments, status=2)
                self.assertIn(message, err)

    def test_variant(self):
        """The file as written, one of its variants, and a variant by its name."""
        base, _ = self.run_program("explain", "litmus/relaxed/SB.litmus")
        self.assertRegex(base, r"^SB: 0:r0=0; 1:r0=0; is allowed")
        named, _ = self.run_program("explain", "SB.order=*")
        name = named.split(": ")[0]
        self.assertRegex(named, r"^SB\.order=\S+: 0:r0=0; 1:r0=0; is forbidden")
        self.assertEqual(self.run_program("explain", "litmus/relaxed/SB.litmus", name)[0], named)

    def test_limits_are_said(self):
        """A search that ends early says so, and claims nothing that it has not seen."""
        wide = litmus([[store("x", i) for i in range(1, 5)]] * 2, "[x]=1")
        out, _ = self.explain(wide, "--limit", "3")
        self.assertIn("a limit ended the search", out.lower())


class Graphs(Explain):
    def test_dot(self):
        first, _ = self.explain(cases.MP, "--dot", "-")
        again, _ = self.explain(cases.MP, "--dot", "-")
        self.assertEqual(first, again)
        self.assertTrue(first.startswith("digraph execution {\n") and first.endswith("}\n"))
        for wanted in ('label="device 0"', 'label="work-group 1"', 'label="b: W y=1 rel dev"', 'label="P1"',
                       'label="rf sw"'):
            self.assertIn(wanted, first)
        # i0, then a b c d are e2 … e5: the four edges of the cycle are bold, the others are not
        bold = re.findall(r"(e\d) -> (e\d) \[.*penwidth=3,", first)
        self.assertEqual(sorted(bold), [("e2", "e3"), ("e3", "e4"), ("e4", "e5"), ("e5", "e2")])

    def test_race_in_dot(self):
        out, _ = self.explain(cases.RACE, "--dot", "-")
        self.assertRegex(out, r'e\d -> e\d \[.*dir=both.*label="race"')

    def test_names_are_escaped(self):
        """What stands in quotes ends where it should, whatever the test is called."""
        self.write("case.litmus", cases.MP.replace("OPENCL case", "OPENCL ca$e<&>"))
        out, _ = self.run_program("explain", "case.litmus", "--dot", "-")
        for line in out.splitlines():
            self.assertEqual(len(re.findall(r'(?<!\\)"', line)) % 2, 0, line)

    def test_files(self):
        self.explain(cases.MP, "--dot", "graph.dot")
        self.assertTrue(self.read("graph.dot").startswith("digraph"))
        _, err = self.explain(cases.MP, "--dot", "missing/graph.dot", status=99)
        self.assertIn("cannot write missing/graph.dot", err)

    def test_svg(self):
        self.write("case.litmus", cases.MP)
        printed, _ = self.run_program("explain", "case.litmus", "--no-changes", "--svg", "graph.svg")
        self.assertIn("The cycle", printed)
        root = xml.etree.ElementTree.parse(self.folder / "graph.svg").getroot()
        texts = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
        for wanted in ("a: W x=1 rlx dev", "d: R x=0 rlx dev", "rf sw", "fr", "P0", "work-group 0", "device 0"):
            self.assertIn(wanted, texts)
        # what goes to standard output stands alone there
        out, _ = self.run_program("explain", "case.litmus", "--svg", "-")
        self.assertEqual(out, self.read("graph.svg"))

    def test_nothing_is_left_of_a_picture_that_cannot_be(self):
        _, err = self.explain(cases.MP.replace("1:r0=1", "1:r0=7"), "--svg", "graph.svg", status=77)
        self.assertIn("there is no execution to draw", err)
        self.assertFalse((self.folder / "graph.svg").exists())


class Children(Explain):
    """What lets a child kernel begin, in the words of each item of A:3.3.9.5."""

    def check(self, flag, sentence, storage=""):
        text = cases.CHILD.replace("WHICH", flag).replace("[x]", storage + "[x]")
        out, _ = self.explain(text, "--no-changes")
        self.assertIn("P1, child kernel", out)
        self.assertIn(": enqueues P1", out)
        self.assertIn(sentence + " (A:3.3.9.5)", " ".join(out.split()))

    def test_kernel(self):
        self.check("WAIT_KERNEL", "the kernel P1 does not begin before the kernel of P0 ends")

    def test_work_group(self):
        self.check("WAIT_WORK_GROUP", "the kernel P1 does not begin before the work-group of P0 ends")

    def test_call(self):
        self.check("NO_WAIT", "P0 does a before it enqueues P1, and both are in fine-grained shared virtual memory",
                   "svm ")

    def test_open(self):
        out, _ = self.explain(cases.CHILD.replace("WHICH", "NO_WAIT"), "--no-changes")
        self.assertIn("is disputed", out)
        self.assertRegex(out, r"enqueue_kernel\s+orders\s+only\s+fine-grained\s+shared\s+virtual\s+memory\s+there")

    def test_event(self):
        out, _ = self.explain(cases.CHILDREN, "--no-changes")
        self.assertIn("the kernel P2 waits for the event of the kernel P1 (A:3.3.9.5)", out)


class Texts(Explain):
    """The text for people, whole. OCLMM_PROMOTE=1 writes the files anew, to be read before they are kept."""

    def check(self, name, text, *options):
        out, _ = self.explain(text, *options)
        path = GOLDEN / f"{name}.txt"
        if os.environ.get("OCLMM_PROMOTE"):
            path.write_text(out)
        self.assertEqual(out, path.read_text())

    def test_forbidden(self):
        self.check("forbidden", cases.MP)

    def test_seq_cst(self):
        self.check("seq_cst", cases.CYCLES["SB with fences"][0])

    def test_barrier(self):
        self.check("barrier", cases.CYCLES["barrier"][0])

    def test_allowed(self):
        self.check("allowed", cases.SB_RELAXED)

    def test_disputed(self):
        self.check("disputed", cases.DISPUTED)

    def test_undefined(self):
        self.check("undefined", cases.RACE)

    def test_divergence(self):
        """Undefined for another reason than a race: the place, and no execution."""
        self.check("divergence", litmus([[load("r0", "x"), "if (r0 == 0) {", *cases.BARRIER, "}"],
                                         [*cases.BARRIER, store("x", 1)]], "0:r0=1", groups=[0, 0]))


common.main()
