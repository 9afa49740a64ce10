#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a run asks of a driver, counted by a layer before it, and where its time goes.

usage: launches.py PROGRAM LAYER [ARGUMENT...]      of `oclmm run`; else a few tests of several kinds
"""

import json
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile
import time

# in the order of the layer's enums
COUNTS = ("launches played", "launches to warm up", "launches to set up", "texts compiled", "kernels", "bytes read")
CALLS = ("clEnqueueNDRangeKernel", "clEnqueueReadBuffer", "clSetKernelArg", "clFlush", "clWaitForEvents", "clFinish",
         "clBuildProgram", "clCreateBuffer", "clReleaseMemObject")
USUAL = ("SB+sc+sc", "MP+rel+acq", "CoRR", "WRC+rlx+rel+acq", "add+add", "load+store+values.width=64",
         "compare_exchange_weak+values.by=short", "MP+barrier+flag")


def run(program, layer, folder, arguments):
    counts, results = folder / "counts", folder / "results.jsonl"
    environment = {**os.environ, "OPENCL_LAYERS": layer, "OCLMM_COUNTS": str(counts), "XDG_RUNTIME_DIR": str(folder)}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([program, "run", "--seed", "1", "-o", results, *arguments], env=environment, stdout=subprocess.PIPE,
                          text=True, check=False)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1, 3, 4):
        sys.exit(f"status {done.returncode}")
    print(done.stdout.splitlines()[-1])
    print(f"{'seconds':24} {wall:12.1f}, {after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.1f} of processors")
    tests = [record for record in map(json.loads, results.read_text().splitlines()) if record["type"] == "test"]
    for name, key in (("seconds of compiling", "compile_seconds"), ("seconds of running", "seconds")):
        print(f"{name:24} {sum(record[key] for record in tests):12.1f} in the records of tests")
    members = len(tests) + sum(1 for record in tests for control in record.get("evidence", {}).get("controls", [])
                               if control["kind"] == "moved")
    print(f"{'tests and controls':24} {members:12}")
    numbers = struct.unpack(f"{len(COUNTS) + 2 * len(CALLS)}Q", counts.read_bytes())
    for name, count in zip(COUNTS, numbers):
        print(f"{name:24} {count:12}")
    for name, number, time_in in zip(CALLS, numbers[len(COUNTS)::2], numbers[len(COUNTS) + 1::2]):
        print(f"{name:24} {number:12} calls, {time_in / 1e9:.2f} s in them, {time_in / 1e3 / max(number, 1):.1f} us each")


def main():
    program, layer = (os.path.abspath(path) for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        run(program, layer, pathlib.Path(folder), sys.argv[3:] or USUAL)


if __name__ == "__main__":
    main()
