#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program under valgrind, which sees what is read before it was set; sanitizers do not.

    memcheck.py PROGRAM [--device]

Without --device: commands that need no device, on files of the tree, and a slip that was planted. With it: a
whole run of one test, with all its processes, on the device that is the default; what loaders, drivers and
compilers do by themselves is left out by their names (driver.supp). Exit status 77 without valgrind or device.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TEST = "litmus/message-passing/MP+rel+acq+na.litmus"
RESULTS = "tests/fuzz/corpus/results/1"
# Arguments, status.
COMMANDS = (
    (("check", TEST), 0), (("explain", TEST), 0), (("show", TEST), 0), (("list", "litmus/fence"), 0),
    (("generate", "PodWW", "Rfe", "PodRR", "Fre"), 0), (("grade", "--partial", RESULTS), None),
    (("report", "--partial", RESULTS, "--output", "FOLDER/page.html"), None),
    (("merge", "--partial", RESULTS, "--output", "FOLDER/merged.jsonl"), None),
    # what is refused, too
    (("check", "tests/fuzz/fuzz.dict"), 2), (("generate", "PodWW"), 2), (("grade", "tests/fuzz/fuzz.dict"), 2),
)
# It forbids nothing, so that it runs without controls.
DEVICE_TEST = """OPENCL T

(* Result: Sometimes *)

{
[x] = 0;
[y] = 0;
}

P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {
  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_work_group);
  int r0 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_work_group);
}

P1@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {
  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_work_group);
  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_work_group);
}

exists (0:r0=0 /\\ 1:r0=0)
"""
RUN = ("run", "--environment", "groups=2 lanes=4 rounds=16", "--instances", "100", "--seed", "3", "--timeout", "900",
       "--no-wait", "--compilers", "0", "--output", "FOLDER/all.jsonl", "FOLDER/litmus/t")


class Watched:
    def __init__(self, program, folder):
        self.program, self.folder, self.bad = program, folder, 0

    def call(self, arguments, program=None):
        """Status, and what valgrind said of all processes."""
        environment = {**os.environ, "LC_ALL": "C", **{name: str(self.folder) for name in
                       ("XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME", "POCL_CACHE_DIR")}}
        words = [word.replace("FOLDER", str(self.folder)) for word in arguments]
        said = subprocess.run(
            ["valgrind", "--quiet", "--num-callers=30", f"--suppressions={HERE / 'driver.supp'}",
             f"--log-file={self.folder}/log.%p", program or self.program, *words],
            cwd=ROOT, env=environment, capture_output=True, text=True, errors="replace", check=False)
        logs = list(self.folder.glob("log.*"))
        found = "".join(log.read_text(errors="replace") for log in logs)
        for log in logs:
            log.unlink()
        return said, found

    def hold(self, arguments, status):
        said, found = self.call(arguments)
        well = said.returncode == status or (status is None and 0 <= said.returncode < 128)
        if well and not found:
            return
        self.bad += 1
        print(f"{' '.join(arguments)}: status {said.returncode}\n{found}{said.stderr[-2000:]}", flush=True)

    def plant(self):
        planted = self.folder / "memory"
        subprocess.run(["cc", "-g", "-O0", "-w", "-o", planted, HERE / "planted/memory.c"], check=True)
        _, found = self.call((), planted)
        if "uninitialised" not in found:
            self.bad += 1
            print(f"the planted slip was not seen:\n{found}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--device", action="store_true")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: no valgrind")
        return 77
    with tempfile.TemporaryDirectory(prefix="oclmm-memcheck-") as name:
        watched = Watched(options.program, pathlib.Path(name))
        if options.device:
            if subprocess.run([options.program, "devices"], capture_output=True, check=False).returncode:
                print("skipped: no device")
                return 77
            (watched.folder / "litmus/t").mkdir(parents=True)
            (watched.folder / "litmus/t/T.litmus").write_text(DEVICE_TEST)
            watched.hold(RUN, 0)
        else:
            for arguments, status in COMMANDS:
                watched.hold(arguments, status)
            watched.plant()
    return 1 if watched.bad else 0


if __name__ == "__main__":
    sys.exit(main())
