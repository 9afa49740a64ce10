# SPDX-License-Identifier: Apache-2.0
"""What the oracle says of texts that work-items share: copies, collective functions, and where work-items part.

The outcomes are worked out here, by the definitions of OpenCL C, and not taken from the program."""

import pathlib
import unittest

from common import SuiteCase

SUITE = pathlib.Path(__file__).resolve().parents[2]

HEAD = """OPENCL K

{{
s[{items}];
g[{all}] = {{{given}}};
out[{all}] = {{-1}};
int [m] = {m};
[z] = 0;
n = 2;
}}

{function}kernel@wg 0..{last_group}, li 0..{last} (global int *out, local int *s, global int *g, global const int *m, global int *z, int n) {{
  const int l = get_local_id(0), size = get_local_size(0), first = get_group_id(0) * size;
  int a = l + 1;
  int r = 0;

{body}
  out[first + l] = a;
}}

locations [out;]
exists (out[0]=-1)
"""


# Values that depend on who comes first, in more work-items than a search takes.
COUNTED = """OPENCL K

{{
s[20] = {{0}};
[c] = 0;
out[20] = {{-1}};
}}

kernel@wg 0, li 0..19 (global int *out, local int *s, global atomic_int *c) {{
  const int l = get_local_id(0);

  s[l] = atomic_fetch_add_explicit(c, 1, {order}, memory_scope_work_group);
  {between}
  out[l] = s[(l + 1) % 20];
}}

exists (out[0]=-1)
"""


class SharedTexts(SuiteCase):
    def check(self, body, items=4, groups=1, m=2, status=0, function=""):
        text = HEAD.format(items=items, all=items * groups, given=", ".join(str(10 + k) for k in range(items * groups)), m=m,
                           last=items - 1, last_group=groups - 1, body="\n".join("  " + line for line in body.split("\n")), function=function)
        self.write("k.litmus", text)
        return self.run_program("check", "k.litmus", status=status)

    def ends(self, body, wanted, **more):
        out, _ = self.check(body, **more)
        self.assertIn("\nStates 1\n" + " ".join(f"out[{k}]={value};" for k, value in enumerate(wanted)) + "\n", out)

    def undefined(self, body, why, **more):
        out, _ = self.check(body, **more)
        self.assertIn("\nUndef\n", out)
        self.assertIn(why, out)

    def test_reductions(self):
        values = [3, 1, 4, 1, 5]
        body = "a = g[first + l];\n"
        for function, wanted in (("reduce_add(a)", sum(values)), ("reduce_min(a)", 1), ("reduce_max(a)", 5),
                                 ("broadcast(a, 2)", 4), ("broadcast(a, n)", 4), ("any(l == 3)", 1), ("all(l < 4)", 0)):
            self.ends(f"a = {values[0]};\nif (l == 1) a = 1;\nif (l == 2) a = 4;\nif (l == 3) a = 1;\nif (l == 4) a = 5;\n"
                      f"r = work_group_{function};\na = r;", [wanted] * 5, items=5)
        self.ends(body + "r = work_group_reduce_add(a);\na = r;", [10 + 11 + 12] * 3 + [13 + 14 + 15] * 3, items=3, groups=2)

    def test_scans(self):
        values = [l % 3 - 1 for l in range(5)]
        least, most = -2147483648, 2147483647
        for word, step, first in (("add", lambda x, y: x + y, 0), ("min", min, most), ("max", max, least)):
            inclusive, exclusive, so_far = [], [], first
            for value in values:
                exclusive.append(so_far)
                so_far = step(so_far, value)
                inclusive.append(so_far)
            self.ends(f"r = work_group_scan_inclusive_{word}(l % 3 - 1);\na = r;", inclusive, items=5)
            self.ends(f"r = work_group_scan_exclusive_{word}(l % 3 - 1);\na = r;", exclusive, items=5)

    def test_in_a_loop(self):
        a = [1, 2, 3, 4]
        for _ in range(2):
            a = [value + sum(a) for value in a]
        self.ends("for (int i = 0; i < n; i++) {\n  if (*m == 2) {\n    r = work_group_reduce_add(a);\n    a += r;\n  }\n}", a)

    def test_copies(self):
        """A copy brings what stands there, to all who have waited; strided in global memory."""
        self.ends("for (int i = 0; i < n; i++) {\n  event_t e = async_work_group_copy(s, g + first, size, 0);\n"
                  "  wait_group_events(1, &e);\n  a += s[(l + 1) % size];\n  barrier(CLK_LOCAL_MEM_FENCE);\n}",
                  [1 + 2 * 11, 2 + 2 * 12, 3 + 2 * 10, 1 + 2 * 14, 2 + 2 * 15, 3 + 2 * 13], items=3, groups=2)
        self.ends("if (*m == 2) {\n  event_t e = async_work_group_strided_copy(s, g, 2, 2, 0);\n  wait_group_events(1, &e);\n"
                  "  a = s[l / 2];\n}", [10, 10, 12, 12])
        # who has waited may overwrite what came, and read it again
        self.ends("event_t e = async_work_group_copy(s, g, 4, 0);\nwait_group_events(1, &e);\n"
                  "a += s[l];\ns[l] = a;\na += s[l];", [22, 26, 30, 34])

    def test_copies_in_functions(self):
        """A function copies for the group that calls it: each call another part, in a branch too; who does not call it is named."""
        fetch = ("void fetch(local int *t, global int *h) {\n  event_t e = async_work_group_copy(t, h, 2, 0);\n"
                 "  wait_group_events(1, &e);\n}\n\n")
        self.ends("fetch(s, g);\nif (n == 2)\n  fetch(s + 2, g);\na = s[l];", [10, 11, 10, 11], function=fetch)
        self.ends("fetch(s, g + first);\na = s[l % 2];", [10, 11, 10, 11, 14, 15, 14, 15], groups=2, function=fetch)
        self.undefined("if (l < 2)\n  fetch(s, g);", "P0 and P2 part at the condition in line 22, column 3: only P0 comes to this copy",
                       function=fetch)
        self.ends("fetch(s, g);\nbarrier(CLK_LOCAL_MEM_FENCE);\nfetch(s, g + 2);\na = s[l % 2];", [12, 13, 12, 13], function=fetch)

    def test_races_with_copies(self):
        race = "data race in opencl-2.0"
        self.undefined("g[l] = 5;\nif (n == 2) {\n  event_t e = async_work_group_copy(s, g, 2, 0);\n  wait_group_events(1, &e);\n"
                       "  a = s[l];\n}", race, items=2)
        self.undefined("if (n == 2) {\n  event_t e = async_work_group_copy(s, g, 2, 0);\n  a = g[0];\n  s[l] = 3;\n"
                       "  wait_group_events(1, &e);\n}", race, items=2)
        # the wait orders what was copied, and nothing else
        self.undefined("event_t e = async_work_group_copy(s, g, 2, 0);\nwait_group_events(1, &e);\ns[l] = 1;\na = s[1 - l];", race,
                       items=2)
        # another group's copy is not waited for
        self.undefined("event_t e = async_work_group_copy(g, s, 1, 0);\nwait_group_events(1, &e);", "nobody has given s[0] a value",
                       items=2)

    def test_parting(self):
        """The branch or loop is named, and who parts."""
        for statement, word in (("barrier(CLK_LOCAL_MEM_FENCE);", "barrier"), ("work_group_any(1);", "collective function"),
                                ("event_t e = async_work_group_copy(s, g, 2, 0);\n  wait_group_events(1, &e);", "copy")):
            self.undefined(f"if (l == 0) {{\n  {statement}\n}}",
                           f"`{word}`: P0 and P1 part at the condition in line 17, column 3: only P0 comes to this {word}")
            self.undefined(f"for (int i = 0; i < l; i++) {{\n  {statement}\n}}",
                           f"`{word}`: P1 and P0 part at the loop in line 17, column 3: P1 comes to this {word} in its turn 1, and "
                           "P0 does not")
        self.undefined("if (l == 0) {\n  out[0] = 1;\n  return;\n}\nwork_group_all(1);",
                       "only P1 comes to this collective function")
        self.undefined("event_t e = async_work_group_copy(s, g + l, 1, 0);\nwait_group_events(1, &e);",
                       "`copy`: P0 and P1 give this copy other arguments")
        self.undefined("r = work_group_broadcast(a, l % 2);",
                       "`collective function`: P0 and P1 give this broadcast other numbers")

    def test_one_order(self):
        """An execution that races makes the text undefined, whatever others do; one that does not says nothing of them."""
        relaxed, ordered, barrier = "memory_order_relaxed", "memory_order_acq_rel", "barrier(CLK_LOCAL_MEM_FENCE);"
        self.write("k.litmus", COUNTED.format(order=relaxed, between=""))
        out, _ = self.run_program("check", "k.litmus")
        self.assertIn("\nUndef\n", out)
        self.assertIn("data race in opencl-2.0: P0 line 14 `R s[1]` and P1 line 12 `W s[1]`", out)
        # ordered ones may synchronize, in another order
        for order, between in ((relaxed, barrier), (ordered, barrier), (ordered, "")):
            self.write("k.litmus", COUNTED.format(order=order, between=between))
            _, err = self.run_program("check", "k.litmus", status=2)
            self.assertIn("test K has 20 work-items, and running them in one order does not tell its outcome", err)

    def test_turns_by_version(self):
        """A barrier in a loop in which work-items turn differently often: 3.0 allows it, 2.0 does not."""
        def by_version(body, strict):
            self.check(body)
            for version in ("opencl-2.1", "opencl-3.1", "opencl-2.0", "consensus"):
                out, _ = self.run_program("check", "--model", version, "k.litmus")
                undefined = strict and version in ("opencl-2.0", "consensus")
                self.assertIn("\nUndef\n" if undefined else "\nStates 1\n", out, f"{version}: {body}")
                self.assertEqual("turns of the loop" in out, undefined, f"{version}: {body}")
        meet = "barrier(CLK_LOCAL_MEM_FENCE);"
        for strict, body in (
                (True, "for (int i = 0; i < n + l; i++) { if (i < n) " + meet + " a++; }"),
                (True, "int i = 0;\nwhile (i < n + (l & 1)) { if (i < 1) { " + meet + " } i++; }"),
                (True, "int i = 0;\ndo { if (i == 0) " + meet + " i++; } while (i <= l);"),
                (True, "int i = 0;\ndo { if (i == 0) " + meet + " if (l == 1) break; i++; } while (i < n);"),
                (True, "int i = 0;\ndo { if (i == 1) " + meet + " i++; } while (i < 2 + l);"),
                # some jump out in an earlier turn than others
                (True, "for (int i = 0; i < 5; i++) { if (i < 1) " + meet + " if (i == 1 + l) break; }"),
                (True, "for (int i = 0; i < 5; i++) { if (i < 1) " + meet + " if (i == 1 + l) { out[first + l] = i; return; } }"),
                # in the inner loop of the last turn, and in the outer one
                (True, "for (int i = 0; i < n; i++) for (int j = 0; j < n + (i == 1 ? l : 0); j++) { if (j == 0) " + meet + " }"),
                (True, "for (int i = 0; i < n + l; i++) for (int j = 0; j < n; j++) { if (i < n) " + meet + " }"),
                (True, "for (int i = 0; i < n + l; i++) if (i == 0) sub_group_barrier(CLK_LOCAL_MEM_FENCE);"),
                # all turn equally often, and some turns have no barrier
                (False, "for (int i = 0; i < 4; i++) { if (i < n) " + meet + " a += l; }"),
                (False, "for (int i = 0; i < 5; i++) { " + meet + " if (i == n) break; }"),
                (False, "for (int i = 0; i < 5; i++) { if (i == n && l == 1) continue; if (i < n) " + meet + " }"),
                (False, "int i = 0;\ndo { if (i == 1) " + meet + " i++; } while (i < n);"),
                (False, "int i = 0;\ndo { " + meet + " i++; } while (i < 1);"),
                (False, "int i = 0;\ndo { if (i == n) break; " + meet + " i++; } while (1);"),
                (False, "for (int i = 0; i < n; i++) { int j = 0; if (i == 0) " + meet + " do j++; while (j <= l); }"),
                (False, "for (int i = 0; i < n; i++) { int j = 0; do { if (i == 0) " + meet + " j++; } while (j <= i * l); }"),
                # nobody comes to the barrier
                (False, "for (int i = 0; i < n + l; i++) { if (n == 3) " + meet + " a++; }"),
                # it stands around the loop, or beside it
                (False, "for (int i = 0; i < n; i++) { for (int j = 0; j < l; j++) a++; " + meet + " }"),
                (False, meet + "\nfor (int j = 0; j < l; j++) a++;\n" + meet),
                (False, "for (int i = 0; i < n; i++) for (int j = 0; j < n + (i == 1 ? l : 0); j++) { if (i == 0) " + meet + " }"),
                # the sentence is about barriers
                (False, "for (int i = 0; i < n + l; i++) if (i < n) { r = work_group_reduce_add(a); }")):
            by_version(body, strict)

    def test_turns_of_those_who_are_searched(self):
        """Of few work-items whose order tells something all orders are searched, and barriers meet by branch and turn there, too."""
        meet = "barrier(CLK_GLOBAL_MEM_FENCE);"
        helper = "static void meet(void) { " + meet + " }\n\n"
        count = "int k = atomic_add(z, 1);\n"
        for body in ("for (int i = 0; i < 2; i++) { if (i == l) " + meet + " }",
                     "for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) { if (i == 1 && j == l) " + meet + " }",
                     "for (int i = 0; i < 2; i++) { if (i == k) " + meet + " }",
                     # in one order all come in the same turn
                     "for (int i = 0; i < 2; i++) { if (i == (l == 0 && k == 1)) " + meet + " }",
                     "int i = 0;\ndo { if (i == l) " + meet + " i++; } while (i < n);",
                     "if (l) " + meet + " else " + meet,
                     "if (l) { meet(); } else { meet(); }",
                     "if (l == 0) meet();\nif (l == 1) meet();"):
            with self.subTest(body):
                self.undefined(count + body, "barrier divergence", items=2, function=helper if "meet()" in body else "")
        for body in ("for (int i = 0; i < 2; i++) { " + meet + " }",
                     "for (int i = 0; i < 3; i++) { if (i == 1) " + meet + " if (l) " + "a += 0; }",
                     "for (int i = 0; i < 2; i++) for (int j = 0; j <= i; j++) { " + meet + " }",
                     "int i = 0;\ndo { if (i == 1) " + meet + " i++; } while (i < n);",
                     "if (n == 2) meet(); else " + meet,
                     "meet();\nmeet();"):
            with self.subTest(body):
                self.ends(count + body, [1, 2], items=2, function=helper if "meet()" in body else "")

    def test_sub_groups(self):
        """A barrier of sub-groups orders nothing that can be told; whether it is enough that some come, nobody knows."""
        self.ends("sub_group_barrier(CLK_LOCAL_MEM_FENCE);\na += 1;", [2, 3, 4, 5])
        self.undefined("s[l] = a;\nsub_group_barrier(CLK_LOCAL_MEM_FENCE);\na += s[(l + 1) % size];", "data race in opencl-2.0")
        _, err = self.check("if (l < 2) {\n  sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n}", status=2)
        self.assertIn("nobody says which of them are a sub-group", err)

    def test_order_matters(self):
        """What is passed to a collective function depends on an order: that is not searched."""
        _, err = self.check("int k = atomic_add(z, 1);\nr = work_group_reduce_add(k * l);\na = r;", status=2)
        self.assertIn("has collective functions, and running its work-items in one order does not tell its outcome", err)
        # nor where the model is another; explain runs step by step
        self.check("r = work_group_reduce_add(l);\na = r;", items=2)
        self.write("own.cat", (SUITE / "docs" / "opencl.cat").read_text())
        _, err = self.run_program("check", "--cat", "own.cat", "k.litmus", status=2)
        self.assertIn("a collective function whose value only a run step by step gives", err)
        self.assertIn("    out[0]=1; out[1]=1;\n", self.run_program("explain", "k.litmus")[0])


unittest.main()
