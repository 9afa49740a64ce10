# SPDX-License-Identifier: Apache-2.0
"""usage: machine.py OCLMM: what litmus/planted/x86-tso.cat says of shapes whose answer on x86 is known."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
MODEL = pathlib.Path(__file__).resolve().parents[2] / "litmus/planted/x86-tso.cat"
NAMES = "x", "y", "z"


def store(name, value=1, order="relaxed"):
    return f"atomic_store_explicit({name}, {value}, memory_order_{order}, memory_scope_device);"


def load(register, name):
    return f"int {register} = atomic_load_explicit({name}, memory_order_relaxed, memory_scope_device);"


def fence(order):
    return f"atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_{order}, memory_scope_device);"


def buffering(between="", order="relaxed"):
    return [store(a, 1, order) + between + load("r0", b) for a, b in (("x", "y"), ("y", "x"))]


BOTH_OLD = "0:r0=0 /\\ 1:r0=0"
UPDATE = "atomic_fetch_add_explicit(z, 0, memory_order_relaxed, memory_scope_device);"
# name, threads, work-group of each, condition, whether x86 shows it
ROWS = (
    ("store buffering", buffering(), (0, 1), BOTH_OLD, True),
    ("in one work-group, which one thread runs", buffering(), (0, 0), BOTH_OLD, False),
    ("a seq_cst store is an xchg", buffering(order="seq_cst"), (0, 1), BOTH_OLD, False),
    ("an update is locked whatever its order", buffering(UPDATE), (0, 1), BOTH_OLD, False),
    ("an mfence", buffering(fence("seq_cst")), (0, 1), BOTH_OLD, False),
    ("no instruction", buffering(fence("acq_rel")), (0, 1), BOTH_OLD, True),
    ("message passing", [store("x") + store("y"), load("r0", "y") + load("r1", "x")], (0, 1), "1:r0=1 /\\ 1:r1=0", False),
    ("load buffering", [load("r0", "x") + store("y"), load("r0", "y") + store("x")], (0, 1), "0:r0=1 /\\ 1:r0=1", False),
    ("stores in one order", [store("x") + store("y", 2), store("y") + store("x", 2)], (0, 1), "[x]=1 /\\ [y]=1", False),
    ("one memory", [store("x"), store("y"), load("r0", "x") + load("r1", "y"), load("r0", "y") + load("r1", "x")],
     (0, 1, 2, 3), "2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0", False),
    ("handed on in a work-group", [store("x") + store("y"), load("r0", "y") + store("z"), load("r0", "z") + load("r1", "x")],
     (0, 0, 1), "1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0", False),
)


class Machine(unittest.TestCase):
    def test_rows(self):
        for name, threads, groups, condition, shows in ROWS:
            parameters = ", ".join(f"global atomic_int *{x}" for x in NAMES)
            text = 'OPENCL t\n"t"\n{ ' + " ".join(f"[{x}] = 0;" for x in NAMES) + " }\n"
            for i, (body, group) in enumerate(zip(threads, groups)):
                text += f"P{i}@wg {group}, dev 0 ({parameters}) {{ {body} }}\n"
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "t.litmus"
                path.write_text(f"{text}exists ({condition})\n", encoding="utf-8")
                done = subprocess.run([PROGRAM, "check", "--cat", MODEL, path], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(f"Observation t {'Sometimes' if shows else 'Never'} ", done.stdout)


if __name__ == "__main__":
    unittest.main()
