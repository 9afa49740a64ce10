# SPDX-License-Identifier: Apache-2.0
"""usage: machine.py OCLMM: what the models of litmus/planted say of shapes whose answers are known.

On x86 loads are plain, and the fence stands behind a seq_cst store. On NVIDIA's GPUs it stands before each seq_cst access. An H200
was seen to do less than that allows: where a row has no third answer it is that of PTX. Intel's CPU runtime has an mfence before a
seq_cst load, and none for a work-group: where a row has no fourth answer it is that of x86.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "litmus/planted"
MODELS = "x86-tso", "ptx", "h200", "intel-cpu"
NAMES = "x", "y", "z"


def store(name, value=1, order="relaxed"):
    return f"atomic_store_explicit({name}, {value}, memory_order_{order}, memory_scope_device);"


def load(register, name, order="relaxed"):
    return f"int {register} = atomic_load_explicit({name}, memory_order_{order}, memory_scope_device);"


def fence(order, scope="device"):
    return f"atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_{order}, memory_scope_{scope});"


def buffering(between="", order="relaxed", loads="relaxed"):
    return [store(a, 1, order) + between + load("r0", b, loads) for a, b in (("x", "y"), ("y", "x"))]


def message(write, read, first="", last=""):
    return [store("x") + first + store("y", 1, write), load("r0", "y", read) + last + load("r1", "x")]


def writes(second, first="seq_cst", read="seq_cst"):
    return [store("x", 1, first) + store("y", 1, second), store("y", 2, "seq_cst") + load("r0", "x", read)]


def answers(x86, ptx, h200=None, intel=None):
    return x86, ptx, ptx if h200 is None else h200, x86 if intel is None else intel


BOTH_OLD = "0:r0=0 /\\ 1:r0=0"
UPDATE = "atomic_fetch_add_explicit(z, 0, memory_order_relaxed, memory_scope_device);"
OLD_DATA = "1:r0=1 /\\ 1:r1=0"
NEAR = "y, 1, memory_order_relaxed, memory_scope_work_group"
LAST_AND_OLD = "1:r0=0 /\\ [y]=2"
# name, threads, work-group of each, condition, whether x86 shows it, whether PTX does, whether an H200 was seen to, whether Intel's runtime does
ROWS = (
    ("store buffering", buffering(), (0, 1), BOTH_OLD, True, True),
    ("in one work-group, which one thread runs", buffering(), (0, 0), BOTH_OLD, False, True, False),
    ("a seq_cst store is an xchg, or has its fence before it", buffering(order="seq_cst"), (0, 1), BOTH_OLD, False, True),
    ("a seq_cst load is plain, or has a fence before it", buffering(loads="seq_cst"), (0, 1), BOTH_OLD, True, False, False, False),
    ("an update is locked whatever its order", buffering(UPDATE), (0, 1), BOTH_OLD, False, True, True, True),
    ("what has an mfence before it anyway", buffering(UPDATE.replace("relaxed", "acq_rel")), (0, 1), BOTH_OLD, False, False),
    ("a fence of all", buffering(fence("seq_cst")), (0, 1), BOTH_OLD, False, False),
    ("a fence of the work-group", buffering(fence("seq_cst", "work_group")), (0, 1), BOTH_OLD, False, True, True, True),
    ("a fence of local memory", buffering(fence("seq_cst").replace("GLOBAL", "LOCAL")), (0, 1), BOTH_OLD, False, False, False, True),
    ("a seq_cst load of the work-group", [text.replace("seq_cst, memory_scope_device", "seq_cst, memory_scope_work_group") for text in buffering(loads="seq_cst")],
     (0, 1), BOTH_OLD, True, True),
    ("no such fence", buffering(fence("acq_rel")), (0, 1), BOTH_OLD, True, True, False),
    ("message passing", message("relaxed", "relaxed"), (0, 1), OLD_DATA, False, True),
    ("by operations", message("release", "acquire"), (0, 1), OLD_DATA, False, False),
    ("by seq_cst ones", message("seq_cst", "seq_cst"), (0, 1), OLD_DATA, False, False),
    ("by the fence before a seq_cst store of another object", message("relaxed", "acquire", store("z", 1, "seq_cst")), (0, 1), OLD_DATA, False, False),
    ("which orders not that store itself", [store("x", 1, "seq_cst") + store("y"), load("r0", "y", "acquire") + load("r1", "x")],
     (0, 1), OLD_DATA, False, True),
    ("by fences", message("relaxed", "relaxed", fence("release"), fence("acquire")), (0, 1), OLD_DATA, False, False),
    ("by fences that are the other one's", message("relaxed", "relaxed", fence("acquire"), fence("release")), (0, 1), OLD_DATA, False, True, False),
    ("released alone", message("release", "relaxed"), (0, 1), OLD_DATA, False, True),
    ("two writes and a read", writes("seq_cst"), (0, 1), LAST_AND_OLD, False, False),
    ("where the second write has no fence.sc before it", writes("release"), (0, 1), LAST_AND_OLD, False, True, False),
    ("where the first one has none", writes("seq_cst", "release"), (0, 1), LAST_AND_OLD, False, False),
    ("where the read has none", writes("seq_cst", read="relaxed"), (0, 1), LAST_AND_OLD, False, True),
    ("load buffering", [load("r0", "x") + store("y"), load("r0", "y") + store("x")], (0, 1), "0:r0=1 /\\ 1:r0=1", False, True),
    ("stores in one order", [store("x") + store("y", 2), store("y") + store("x", 2)], (0, 1), "[x]=1 /\\ [y]=1", False, True),
    ("one memory", [store("x"), store("y"), load("r0", "x") + load("r1", "y"), load("r0", "y") + load("r1", "x")],
     (0, 1, 2, 3), "2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0", False, True),
    ("one memory, read in order", [store("x"), store("y"), load("r0", "x", "acquire") + load("r1", "y"), load("r0", "y", "acquire") + load("r1", "x")],
     (0, 1, 2, 3), "2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0", False, True, False),
    ("a second load's fence", [store("x"), store("y"), load("r0", "x") + load("r1", "y", "seq_cst"), load("r0", "y") + load("r1", "x", "seq_cst")],
     (0, 1, 2, 3), "2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0", False, False),
    ("by fences, where the flag has the scope of a work-group",
     [part.replace("y, 1, memory_order_relaxed, memory_scope_device", NEAR).replace("(y, memory_order_relaxed, memory_scope_device", "(y, memory_order_relaxed, memory_scope_work_group")
      for part in message("relaxed", "relaxed", fence("release"), fence("acquire"))], (0, 1), OLD_DATA, False, True, False),
    ("by fences that have it", message("relaxed", "relaxed", fence("release", "work_group"), fence("acquire", "work_group")), (0, 1), OLD_DATA, False, True),
    ("handed on in a work-group", [store("x") + store("y"), load("r0", "y") + store("z"), load("r0", "z") + load("r1", "x")],
     (0, 0, 1), "1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0", False, True),
)


class Machine(unittest.TestCase):
    def test_rows(self):
        for name, threads, groups, condition, *shows in ROWS:
            parameters = ", ".join(f"global atomic_int *{x}" for x in NAMES)
            text = 'OPENCL t\n"t"\n{ ' + " ".join(f"[{x}] = 0;" for x in NAMES) + " }\n"
            for i, (body, group) in enumerate(zip(threads, groups)):
                text += f"P{i}@wg {group}, dev 0 ({parameters}) {{ {body} }}\n"
            for model, shown in zip(MODELS, answers(*shows)):
                with self.subTest(name, model=model), tempfile.TemporaryDirectory() as folder:
                    path = pathlib.Path(folder) / "t.litmus"
                    path.write_text(f"{text}exists ({condition})\n", encoding="utf-8")
                    done = subprocess.run([PROGRAM, "check", "--cat", FOLDER / f"{model}.cat", path], capture_output=True, text=True, check=False)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertIn(f"Observation t {'Sometimes' if shown else 'Never'} ", done.stdout)

    def able(self, what, test, machine):
        """What of the first drawn bug of this rule one machine says, with one test: how many can show it, and the rest of the line."""
        listed = "".join(subprocess.run([PROGRAM, "planted", "--list", "--drawn", "1000", "--seed", seed], capture_output=True, text=True,
                                        check=True).stdout for seed in "1234")
        name = re.search(rf"(?m)^(\S+) +{what}$", re.sub("\n +", " ", listed))[1]
        done = subprocess.run([PROGRAM, "planted", "--able", "--machine", machine, "--plant", name, test],
                              capture_output=True, text=True, check=True, env={**os.environ, "OCLMM_SUITE": FOLDER.parents[1]})
        return re.match(r"\S+ +(\d+) able +1 changed\s+([\s\S]*)", done.stdout).groups()

    def test_able(self):
        """A bug that one machine hides shows on the other."""
        for what, test, machine, able in (("sc-to-acq-rel: store", "SB+sc+sc", "x86-tso", "1"), ("sc-to-acq-rel: store", "SB+sc+sc", "ptx", "0"),
                                          ("acquire-to-relaxed", "MP+rel+acq", "x86-tso", "0"), ("acquire-to-relaxed", "MP+rel+acq", "ptx", "1"),
                                          # Intel's runtime has an mfence beside the load, the same one for an acq_rel fence, none for a narrow one
                                          ("sc-to-acq-rel: store", "SB+sc+sc", "intel-cpu", "0"),
                                          ("all-relaxed: store", "R+rmw-sc+sc", "intel-cpu", "0"),
                                          ("fence-weakened", "SB+fence-sc+fence-sc", "x86-tso", "1"),
                                          ("fence-weakened", "SB+fence-sc+fence-sc", "intel-cpu", "0"),
                                          ("fence-weakened", "write+read", "intel-cpu", "0"),
                                          ("fence-to-acquire", "SB+fence-sc+fence-sc", "intel-cpu", "1"),
                                          ("scope-narrowed: to the sub-group; groups from number 8 on", "R+fence-sc+fence-sc", "x86-tso", "0"),
                                          ("scope-narrowed: to the sub-group; groups from number 8 on", "R+fence-sc+fence-sc", "intel-cpu", "1"),
                                          # a maximum that changes nothing is a load there, with an mfence or without
                                          ("scope-narrowed: to the sub-group; groups from number 8 on", "SB+add0+add0.op=max", "intel-cpu", "1"),
                                          ("scope-narrowed: to the sub-group; groups from number 8 on", "MP+rmw-rel+rmw-acq.op=max", "intel-cpu", "0"),
                                          # one thread runs a group, but roles of one text may share a vector
                                          ("legacy-split: or; 32", "atomic_or+values", "intel-cpu", "0"),
                                          ("result-early", "add+add+add+add.op=or.place=local", "x86-tso", "0"),
                                          ("result-early", "add+add+add+add.op=or.place=local", "intel-cpu", "1"),
                                          # the same PTX
                                          ("sc-to-acq-rel: flag_test_and_set", "SB+clear-sc-sc+sc-tas-sc", "ptx", "0"),
                                          ("scope-narrowed: relaxed; full", "MP+rel+rlx-acq+unused", "ptx", "0"),
                                          ("exchange-to-store: release; launches of group count 16 or more", "ISA2+rmw-rel+rmw-acq-rel+rmw-acq", "ptx", "0"),
                                          ("exchange-to-store: exchange; acq_rel; global; the first 1 launches", "R+rel+acq.write=xchg", "ptx", "1"),
                                          ("sc-to-acq-rel: fetch_max", "SB+sc-rmw-sc+sc-rmw-sc.op=max", "ptx", "0"),
                                          # nothing stands behind the failure
                                          ("cas-fail-relaxed: compare_exchange_strong; the last statement",
                                           "IRIW+RWC+sc+cas-fail-sc.form=short-branch", "ptx", "0"),
                                          ("cas-fail-relaxed: in a branch; the first 3 launches",
                                           "IRIW+RWC+sc+cas-fail-sc.form=short-branch", "ptx", "1"),
                                          ("sc-to-acq-rel: fetch_max", "SB+sc-rmw-sc+sc-rmw-sc.op=max", "h200", "0")):
            with self.subTest(what, machine=machine):
                count, rest = self.able(what, test, machine)
                self.assertEqual(count, able)
                self.assertEqual(" ".join(rest.split()), test if able == "1" else {
                    "x86-tso": "no test may show anything new on x86-TSO, where one thread runs a group",
                    "intel-cpu": "no test may show anything new by what Intel's CPU runtime makes of orders, scopes and groups",
                    "ptx": "no test may show anything new by PTX, where a fence.sc is before each seq_cst access",
                    "h200": "no test may show anything new by what an H200 was seen to do"}[machine])

    def test_marked(self):
        """What a kernel has as a macro is asked about as the statements that do the same."""
        for what, test, shows in (("same-to-load", "SB+add0+add0.op=cas", True),
                                  ("same-to-load", "W+cas-fail", False),
                                  ("same-to-load: compare_exchange_weak; global; full", "SB+cas-same+cas-same", True),
                                  ("zero-to-load: release; groups of size 32 or more", "SB+add0-rel+xchg-acq", True),
                                  # each of two others once between a try and the next one
                                  ("no-retry: device; 32; behind 2 others", "add+3add", True),
                                  ("no-retry: device; 32; behind 2 others", "add+add", False),
                                  ("fence-to-acquire", "MP+fence-rel+fence-acq+branch.order=acq_rel", False),
                                  ("fence-to-acquire", "SB+fence-sc+fence-sc", True),
                                  # what is compared, stored or added may be computed of registers
                                  ("same-to-load", "add+add+loop", False),
                                  ("zero-to-load: acquire", "one+values.by=minus", False),
                                  # of a compare-exchange the operand is stored
                                  ("stores-narrow: cmpxchg; the last statement; groups of size 64 or less", "atomic_cmpxchg+values", False),
                                  ("stores-narrow: compare_exchange_weak", "compare_exchange_weak+values", True),
                                  # a second maximum stores what is there, a second sum does not
                                  ("update-twice: one of 10000", "max+2max", False),
                                  ("update-twice: fetch_add; release; one of 100; groups of size 2 or less", "LB+orders.by=sc-add", True),
                                  # what it gives is another result, for which one test asks and one does not
                                  ("update-twice: fetch_or; 64; one of 1000", "fetch_or+values.width=64", True),
                                  ("update-twice: fetch_max; global; full; elements of arrays; one of 100", "R+rmw-sc+sc.op=max", False),
                                  # where all sums are lost nothing shows, where one is it does
                                  ("update-lost: fetch_add; 32; unscoped; one of 100", "orders-total-reversed", True),
                                  # where the test is undefined it forbids nothing
                                  ("init-lost: the last statement; launches of group count 2 or more", "init-against-load", False),
                                  ("init-lost", "MP+barrier+local.data=init", True),
                                  # which is not what the driver compiles
                                  ("store-repeated: relaxed; all", "S+rel+acq+svm", False)):
            with self.subTest(what, test=test):
                # a model that a busy machine gives no time says nothing, and the test may show it then
                for _ in range(10):
                    count, _ = self.able(what, test, "x86-tso")
                    if (count == "1") == shows:
                        break
                self.assertEqual(count == "1", shows)

    def test_sizes(self):
        """A rule of a size has a place only where a test may have it: two roles of one group are no group of one work-item."""
        rule = "drawn-1-841", "fence-narrowed: local is left; groups of size 1"
        listed = subprocess.run([PROGRAM, "planted", "--list", "--drawn", "850"], capture_output=True, text=True, check=True).stdout
        self.assertRegex(listed, rf"(?m)^{rule[0]} +{rule[1]}$")
        for test, places in (("SB+fenceGL-sc+fenceGL-sc", 1), ("MP+fenceGL-rel+fenceGL-acq+local-flag", 0)):
            with self.subTest(test):
                done = subprocess.run([PROGRAM, "planted", "--able", "--machine", "ptx", "--plant", rule[0], test], capture_output=True,
                                      text=True, check=True, env={**os.environ, "OCLMM_SUITE": FOLDER.parents[1]})
                self.assertRegex(done.stdout, rf" {places} changed ")

    def test_hidden(self):
        """What no model is asked about: by the values, by the threads that there are, by what the test allows."""
        for what, test, shows in (("torn: parts of 8 bits", "MP+rel+acq", False), ("torn: parts of 8 bits", "SB+sc+sc", True),
                                  ("torn: parts of 8 bits", "W64+R64", True), ("torn: parts of 8 bits", "MP+float+rel+acq", True),
                                  ("torn: store; relaxed; unscoped; parts of 16 bits", "orders-exchange", False),
                                  ("plain-access: local; uint", "atomic_add+values.by=load-store.space=local", False),
                                  ("plain-access: load; groups of size 2 or more", "MP+rel+acq+own", True),
                                  # a work-item's turn goes on up to a barrier
                                  ("update-late: fetch_and; local; int; the first 1 launches", "MP+rmw-rel+rmw-acq.op=and.place=local", False),
                                  ("update-late: fetch_xor", "R+rel+rmw-acq.op=xor", True),
                                  # who stores it again has stored it, or found it; a neighbour in the word is another instance's, or another thread's
                                  ("word-stored", "MP+rel+acq+na+elements.width=16", False),
                                  ("word-stored: the last statement", "MP+rel+acq+na+elements.width=8", False),
                                  ("word-stored", "MP+rel+acq+na+width.width=16", True), ("word-stored", "W8+W8", True),
                                  # what is read is 0, whatever was written
                                  ("image-stale", "write+read", True), ("image-stale", "write+read.by=none", False),
                                  ("image-stale", "MP+rel+acq+image", False)):
            with self.subTest(what, test=test):
                self.assertEqual(self.able(what, test, "x86-tso")[0] == "1", shows)

    def test_order_without_controls(self):
        """Of tests that no model can be asked about and that name no control, those come first in which the rule changes more calls."""
        with tempfile.TemporaryDirectory() as folder:
            paths = {}
            for name, stores in (("few", 1), ("many", 3)):
                paths[name] = pathlib.Path(folder, f"{name}.litmus")
                body = "".join(f"  a[{i}] = {i + 1};\n" for i in range(stores))
                paths[name].write_text(f"OPENCL {name}\n\n{{\na[4] = {{0, 0, 0, 0}};\n}}\n\nP0@wg 0, dev 0 (global uchar *a) {{\n{body}}}\n\n"
                                       "P1@wg 1, dev 0 (global uchar *a) {\n  a[3] = 4;\n}\n\nexists (a[0]!=1)\n", encoding="utf-8")
            for order in (("few", "many"), ("many", "few")):
                with self.subTest(order):
                    done = subprocess.run([PROGRAM, "planted", "--able", "--all", "--plant", "drawn-1-47", *(paths[name] for name in order)],
                                          capture_output=True, text=True, check=True)
                    self.assertEqual(re.findall(r"(?m)^    (\w+) +\d", done.stdout), ["many", "few"])

    def test_parts(self):
        """An access by parts of which one holds all values is a relaxed one on an H200, whatever PTX says of two sizes."""
        for what, test, shows in (("torn: store; relaxed; unscoped; parts of 16 bits", "orders-exchange", False),
                                  # it has lost its fence, which the one beside the load makes up for, and nothing else does
                                  ("torn: store; seq_cst; in a branch; parts of 16 bits", "SB+sc+sc+branch", False),
                                  ("torn: parts of 8 bits", "SB+sc+sc", True), ("torn: parts of 8 bits", "MP+rel+acq", True),
                                  ("torn: parts of 8 bits", "W64+R64", True)):
            with self.subTest(what, test=test):
                self.assertEqual(self.able(what, test, "h200")[0] == "1", shows)
                self.assertEqual(self.able(what, test, "ptx")[0], "1")

    def test_refused(self):
        for arguments, message in ((["--able", "--machine", "z80"], 'no machine "z80": x86-tso, intel-cpu, ptx or h200'),
                                   (["--machine", "ptx"], "--machine is for --able")):
            done = subprocess.run([PROGRAM, "planted", *arguments, "SB+sc+sc"], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
