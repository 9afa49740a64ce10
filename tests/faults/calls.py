# SPDX-License-Identifier: Apache-2.0
"""Every OpenCL call of a run, failing in every documented way, at its first, middle and last use.

    calls.py PROGRAM LAYER [--all] [--seed N] [--only CALL]

Without --all a drawn sample, by a seed that stays the same unless another is given, so that a test
fails for what was changed and not for what was drawn. What a run may end as follows from what the call is for:
no fault is a forbidden outcome, nothing waits for ever, results that were written can be read, and only a
failure of what changes nothing may pass.
"""

import argparse
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import time

RESOURCES = {"CL_OUT_OF_RESOURCES": -5, "CL_OUT_OF_HOST_MEMORY": -6}
# Codes of each call beside those (A:4 to A:5); only the first is drawn as often as other faults.
CODES = {
    "clGetPlatformInfo": {"CL_INVALID_PLATFORM": -32, "CL_INVALID_VALUE": -30},
    "clGetDeviceIDs": {"CL_DEVICE_NOT_FOUND": -1, "CL_INVALID_PLATFORM": -32, "CL_INVALID_DEVICE_TYPE": -31},
    "clGetDeviceInfo": {"CL_INVALID_DEVICE": -33, "CL_INVALID_VALUE": -30},
    "clCreateContext": {"CL_DEVICE_NOT_AVAILABLE": -2, "CL_INVALID_DEVICE": -33, "CL_INVALID_PLATFORM": -32},
    "clCreateCommandQueue": {"CL_INVALID_QUEUE_PROPERTIES": -35, "CL_INVALID_DEVICE": -33},
    "clCreateBuffer": {"CL_MEM_OBJECT_ALLOCATION_FAILURE": -4, "CL_INVALID_BUFFER_SIZE": -61},
    "clCreateProgramWithSource": {"CL_INVALID_CONTEXT": -34, "CL_INVALID_VALUE": -30},
    "clBuildProgram": {"CL_BUILD_PROGRAM_FAILURE": -11, "CL_COMPILER_NOT_AVAILABLE": -3,
                       "CL_INVALID_BUILD_OPTIONS": -43, "CL_INVALID_BINARY": -42},
    "clGetProgramInfo": {"CL_INVALID_PROGRAM": -44},
    "clGetProgramBuildInfo": {"CL_INVALID_PROGRAM": -44},
    "clCreateKernel": {"CL_INVALID_KERNEL_NAME": -46, "CL_INVALID_PROGRAM_EXECUTABLE": -45,
                       "CL_INVALID_KERNEL_DEFINITION": -47},
    "clSetKernelArg": {"CL_INVALID_ARG_SIZE": -51, "CL_INVALID_ARG_INDEX": -49, "CL_INVALID_MEM_OBJECT": -38},
    "clSetKernelExecInfo": {"CL_INVALID_OPERATION": -59},
    "clGetKernelInfo": {"CL_INVALID_KERNEL": -48},
    "clGetKernelWorkGroupInfo": {"CL_INVALID_KERNEL": -48},
    "clEnqueueNDRangeKernel": {"CL_INVALID_KERNEL_ARGS": -52, "CL_MEM_OBJECT_ALLOCATION_FAILURE": -4,
                               "CL_INVALID_WORK_GROUP_SIZE": -54, "CL_INVALID_PROGRAM_EXECUTABLE": -45},
    "clEnqueueReadBuffer": {"CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST": -14, "CL_INVALID_MEM_OBJECT": -38,
                            "CL_MEM_OBJECT_ALLOCATION_FAILURE": -4},
    "clEnqueueFillBuffer": {"CL_MEM_OBJECT_ALLOCATION_FAILURE": -4, "CL_INVALID_MEM_OBJECT": -38},
    "clFlush": {"CL_INVALID_COMMAND_QUEUE": -36},
    "clFinish": {"CL_INVALID_COMMAND_QUEUE": -36},
    "clWaitForEvents": {"CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST": -14, "CL_INVALID_EVENT": -58},
    "clGetEventInfo": {"CL_INVALID_EVENT": -58},
    "clReleaseEvent": {"CL_INVALID_EVENT": -58},
    "clReleaseMemObject": {"CL_INVALID_MEM_OBJECT": -38},
    "clReleaseKernel": {"CL_INVALID_KERNEL": -48},
    "clReleaseProgram": {"CL_INVALID_PROGRAM": -44},
    "clReleaseCommandQueue": {"CL_INVALID_COMMAND_QUEUE": -36},
    "clReleaseContext": {"CL_INVALID_CONTEXT": -34},
}
# Their code tells nothing of a result, and a process that ends gives all back: a run may pass.
HARMLESS = {name for name in CODES if name.startswith("clRelease")} | {
    # asked for what is better to know: a build log, how well a kernel fits; a flush is a hint, a wait comes after
    "clGetProgramInfo", "clGetProgramBuildInfo", "clGetKernelInfo", "clGetKernelWorkGroupInfo", "clFlush",
    "clGetEventInfo", "clSetKernelExecInfo"}
PROCESS = ("crash", "leave", "hang", "spin")
# A driver that is well is heard of within this on a machine with much else to do.
SILENCE = "15"

# It forbids nothing, so that no control of its own is run, whose failure would cost confidence only.
LITMUS = """OPENCL T{n}

(* Result: Sometimes *)

{{
[x] = 0;
[y] = 0;
}}

P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {{
  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_work_group);
  int r0 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_work_group);
}}

P1@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {{
  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_work_group);
  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_work_group);
}}

exists (0:r0=0 /\\ 1:r0=0)
"""


class Table:
    def __init__(self, program, layer, folder):
        self.program, self.layer, self.folder = program, layer, folder
        (folder / "litmus/t").mkdir(parents=True)
        for n in range(2):
            (folder / f"litmus/t/T{n}.litmus").write_text(LITMUS.format(n=n))
        self.call("check", "--write")
        self.uses = self.count()

    def call(self, *arguments, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("OCLMM_")}
        environment.update(LC_ALL="C", XDG_RUNTIME_DIR=str(self.folder), XDG_CACHE_HOME=str(self.folder / "cache"),
                           XDG_DATA_HOME=str(self.folder / "data"), **variables)
        return subprocess.run([self.program, *arguments], cwd=self.folder, env=environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, errors="replace", timeout=300)

    def run(self, **variables):
        for name in ("uses", "all.jsonl"):
            (self.folder / name).unlink(missing_ok=True)
        return self.call("run", "--environment", "groups=2 lanes=4 rounds=64", "--instances", "4000", "--seed", "3",
                         "--compilers", "0", "--timeout", SILENCE, "--no-wait", "--output", "all.jsonl",
                         OPENCL_LAYERS=self.layer, OCLMM_CALLS_USES=str(self.folder / "uses"), **variables)

    def count(self):
        """How often each call is made where all is well."""
        if self.call("devices").returncode == 77:
            return None
        result = self.run()
        if not (self.folder / "uses").exists():
            return None    # a loader that knows no layers
        if result.returncode:
            sys.exit(f"where no call fails: status {result.returncode}\n{result.stdout}{result.stderr}")
        return self.read_uses()

    def read_uses(self):
        records = struct.iter_unpack("56sQ", (self.folder / "uses").read_bytes())
        return {name.rstrip(b"\0").decode(): uses for name, uses in records}

    def rows(self):
        for name, codes in CODES.items():
            uses = self.uses.get(name, 0)
            for at in sorted({1, (uses + 1) // 2, uses} if uses else ()):
                for how in (*PROCESS, "nothing", *(str(code) for code in {**codes, **RESOURCES}.values())):
                    yield name, at, how

    def complaint(self, name, at, how):
        """What is wrong with how a run ended, or None."""
        started = time.monotonic()
        result = self.run(OCLMM_CALLS_NAME=name, OCLMM_CALLS_AT=str(at), OCLMM_CALLS_DO=how)
        said = result.stdout + result.stderr
        if self.read_uses()[name] < at:
            # some are made as often as there is time for: this one did not come so far
            return None if result.returncode == 0 else f"status {result.returncode} without a fault\n{said}"
        if result.returncode not in (0, 77, 99):
            return f"status {result.returncode}\n{said}"
        if result.returncode != 99 and not self.may_pass(name, at, how):
            return f"status {result.returncode}, as if nothing had been\n{said}"
        if result.returncode == 99 and not result.stderr and "99" not in said and "incomplete" not in said:
            return f"no word of why\n{said}"
        if time.monotonic() - started > 120:
            return f"it took {time.monotonic() - started:.0f} s"
        return self.check_results(result.returncode)

    def may_pass(self, name, at, how):
        if name in ("clGetPlatformInfo", "clGetDeviceInfo"):
            # what a driver need not know is asked, too
            return how == "nothing" or at > 1
        # who does not wait may find that all is there already; the counts would tell if it were not
        return name in HARMLESS or (how == "nothing" and name in ("clWaitForEvents", "clFinish"))

    def check_results(self, status):
        path = self.folder / "all.jsonl"
        if not path.exists() or not path.stat().st_size:
            return None
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        if lines[-1]["type"] != "end" or lines[-1]["exit"] != status:
            return f"the manifest says {lines[-1]}"
        for line in lines:
            if line["type"] == "test" and line["verdict"] == "forbidden":
                return "a fault is no outcome"
            if line["type"] == "test" and line["ended"] != "ok" and not line["message"]:
                return f"a test without a word of why: {line}"
        graded = self.call("grade", "all.jsonl")
        return None if graded.returncode == status else f"graded again: {graded.returncode}, not {status}"


def draw(rows, count, drawn):
    """One row takes as long as the limit on silence, twice: no more of those."""
    slow = [row for row in rows if row[2] in ("hang", "spin")]
    fast = [row for row in rows if row not in slow]
    return drawn.sample(slow, min(1, len(slow))) + drawn.sample(fast, min(count - 1, len(fast)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("layer", type=os.path.abspath)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("OCLMM_CALLS_SEED", 1)))
    parser.add_argument("--sample", type=int, default=14)
    parser.add_argument("--only")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="oclmm-calls-") as folder:
        table = Table(options.program, options.layer, pathlib.Path(folder))
        if table.uses is None:
            return 77
        rows = [row for row in table.rows() if options.only in (None, row[0])]
        if not options.all:
            print(f"OCLMM_CALLS_SEED={options.seed}", flush=True)
            rows = draw(rows, options.sample, random.Random(options.seed))
        bad = 0
        for number, row in enumerate(rows, 1):
            complaint = table.complaint(*row)
            if complaint:
                bad += 1
                print(f"{row[0]} from use {row[1]} of {table.uses[row[0]]} on, {row[2]}: {complaint}", flush=True)
            elif options.all and number % 50 == 0:
                print(f"{number} of {len(rows)}, {bad} bad", flush=True)
        print(f"{len(rows)} faults of {len(table.uses)} calls, {bad} not told as they should be")
        return 1 if bad else 0


sys.exit(main())
