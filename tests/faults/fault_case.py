# SPDX-License-Identifier: Apache-2.0
"""A driver that fails on demand, the tests that it is to fail at, and runs with it."""

import os
import re
import subprocess
import sys
import tempfile
import time

LAYER = os.path.abspath(sys.argv.pop(2))

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import common  # noqa: E402 (takes the program from the command line)
from common import QUICKLY_COMPILED, SB, SMALL, SuiteCase  # noqa: E402

# A driver that is well is heard of within this on a machine with much else to do.
SILENCE = 15
# Launches this small are many, so that a driver can be well at first.
MANY = ("--environment", "groups=2 lanes=4 rounds=64 direct=1", "--instances", "40000", "--seed", "11",
        "--compilers", "0", "--timeout", "60")
FEW = (*SMALL, "--instances", "5000", "--seed", "11", "--timeout", str(SILENCE))
# Where a fault is to strike once: a process that only compiles beforehand would meet it, too.
ALONE = (*FEW, "--compilers", "0")


def litmus(name, location):
    """Store buffering in one work-group, which every device claims, its first location called `location`."""
    text = SB.replace("OPENCL SB", f"OPENCL {name}").replace("\nvary order: memory_order_relaxed => "
                                                             "memory_order_seq_cst\n", "")
    text = text.replace("@wg 1", "@wg 0").replace("memory_scope_device", "memory_scope_work_group")
    return re.sub(r"\bx\b", location, text)


def passing(name, data, flag):
    """Message passing in one work-group, which no device fails; one role sees it all, and may count by itself."""
    return f"""OPENCL {name}

(* Result: Never *)

{{
[{data}] = 0;
[{flag}] = 0;
}}

P0@wg 0, dev 0 (global atomic_int *{data}, global atomic_int *{flag}) {{
  atomic_store_explicit({data}, 1, memory_order_relaxed, memory_scope_work_group);
  atomic_store_explicit({flag}, 1, memory_order_release, memory_scope_work_group);
}}

P1@wg 0, dev 0 (global atomic_int *{data}, global atomic_int *{flag}) {{
  int r0 = atomic_load_explicit({flag}, memory_order_acquire, memory_scope_work_group);
  int r1 = atomic_load_explicit({data}, memory_order_relaxed, memory_scope_work_group);
}}

exists (1:r0=1 /\\ 1:r1=0)
"""


class FaultCase(SuiteCase):
    def setUp(self):
        super().setUp()
        for path in ("litmus/relaxed/SB.litmus", "litmus/race/RACE.litmus"):
            (self.folder / path).unlink()

    def environment(self, **more):
        return super().environment(**{**QUICKLY_COMPILED, **more})

    def spoil(self, *faults):
        """A suite with a good test before, between and after those with faults."""
        for number, fault in enumerate(faults):
            self.write(f"litmus/relaxed/t{number}a.litmus", litmus(f"good-{number}", "x"))
            self.write(f"litmus/relaxed/t{number}b.litmus", litmus(fault, f"fault_{fault}"))
        self.write("litmus/relaxed/u.litmus", litmus("last", "x"))
        self.run_program("check", "--write")

    def spoilt(self, **more):
        return self.environment(OPENCL_LAYERS=LAYER,
                                OCLMM_FAULT_LOADED=str(self.folder / "loaded"), **more)

    def until(self, condition):
        end = time.monotonic() + common.PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def records(self, text):
        return {r["test"]: r for r in self.lines_of_json(text) if r["type"] == "test"}


def has_layers():
    """Whether there is a device, and a loader that knows layers."""
    with tempfile.TemporaryDirectory() as folder:
        loaded = os.path.join(folder, "loaded")
        status = subprocess.run([common.PROGRAM, "devices"], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL,
                                env={**os.environ, "OPENCL_LAYERS": LAYER, "OCLMM_FAULT_LOADED": loaded})
        return status.returncode == 0 and os.path.exists(loaded)


if not has_layers():
    sys.exit(77)
