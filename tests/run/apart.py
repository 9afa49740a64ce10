# SPDX-License-Identifier: Apache-2.0
"""Threads of one work-group that are written apart and meet at barriers inside branches and loops
are given to a device as one text. It is run and told by the test's own observables, the same seed
gives the same stimulus, a driver that goes wrong at barriers fails it, and the exported file runs.
Where there is no such text the message says which statements part.
usage: apart.py OCLMM PLANT-LAYER"""
import json
import os
import subprocess
import sys
import tempfile

OCLMM, LAYER = (os.path.abspath(path) for path in sys.argv[1:3])

# Texts that PoCL 3.1 compiles rightly; of many others it loses what stands behind the barrier.
BRANCH = """OPENCL apart-branch
{ [n] = 0; [a] = 1; }
P0@wg 0, dev 0 (local int *n, global int *a) {
  int k = 0;
  int r0 = 0;
  for (int i = 0; i < 2; i++) {
    k = k + 1;
    if (*a > 0) { barrier(CLK_LOCAL_MEM_FENCE); *n = k; }
    barrier(CLK_LOCAL_MEM_FENCE);
    r0 = *n;
  }
}
P1@wg 0, dev 0 (local int *n, global int *a) {
  int r0 = 0;
  for (int i = 0; i < 2; i++) {
    if (!(*a > 0)) { } else { barrier(CLK_LOCAL_MEM_FENCE); }
    barrier(CLK_LOCAL_MEM_FENCE);
    r0 = *n;
  }
}
locations [0:r0; 1:r0; n;]
exists (~(0:r0=2 /\\ 1:r0=2 /\\ n=2))
"""

LOOP = """OPENCL apart-loop
unroll 4
{ s[2] = {0, 0}; 1:r1 = 5; }
P0@wg 0, dev 0 (local int *s) {
  int i = 0;
  while (i < 3) { s[0] = s[0] + 2; barrier(CLK_LOCAL_MEM_FENCE); i = i + 1; }
  int r0 = s[1];
}
P1@wg 0, dev 0 (local int *s) {
  int i = 0;
  while (i < 3) { s[1] = s[1] + 1; barrier(CLK_LOCAL_MEM_FENCE); i = i + 1; }
  int r0 = s[0];
  r1 = r1 + r0;
}
exists (~(0:r0=3 /\\ 1:r0=6 /\\ 1:r1=11))
"""

NO_TEXT = """OPENCL apart-no-text
unroll 2
{ [a] = 1; [b] = 0; }
P0@wg 0, dev 0 (global int *a, global int *b) {
  int i = 0;
  while (i < *a) { barrier(CLK_LOCAL_MEM_FENCE); i = i + 1; }
}
P1@wg 0, dev 0 (global int *a, global int *b) {
  if (*a > 0) { barrier(CLK_LOCAL_MEM_FENCE); }
}
exists (b=1)
"""


# PoCL 3.1 runs this wrongly; that there is a text for it needs no device.
TURNS = """OPENCL apart-turns
unroll 4
{ s[2] = {0, 0}; }
P0@wg 0, dev 0 (local int *s) {
  int i = 0;
  while (i < 2) { if (i < 2) { barrier(CLK_LOCAL_MEM_FENCE); } i = i + 1; }
}
P1@wg 0, dev 0 (local int *s) {
  int i = 0;
  while (i < 3) { if (i < 2) { barrier(CLK_LOCAL_MEM_FENCE); } i = i + 1; }
  int r0 = i;
}
exists (1:r0=2)
"""


def run(*arguments, **environment):
    done = subprocess.run([OCLMM, *arguments], capture_output=True, text=True, check=False,
                          env=dict(os.environ, **environment))
    return done.returncode, done.stdout + done.stderr


def fail(what, output):
    sys.exit(f"{what}:\n{output}")


def result(path):
    with open(path, encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    return next(record for record in records if record.get("type") == "test")


def check(folder, name, text, values, plant):
    path = os.path.join(folder, name + ".litmus")
    results = os.path.join(folder, name + ".jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    stimuli = []
    for _ in range(2):
        if os.path.exists(results):
            os.remove(results)
        status, output = run("run", path, "-n", "20k", "--seed", "7", "--output", results)
        if status:
            fail(f"{name} ends with {status}", output)
        if "1 with confidence" not in output:
            fail(f"{name} passes without confidence", output)
        record = result(results)
        stimuli.append(record["stimulus"])
        seen = [outcome["values"] for outcome in record["outcomes"] if outcome["count"]]
        if seen != [values]:
            fail(f"{name} has other outcomes", json.dumps(record["outcomes"]))
    if stimuli[0] != stimuli[1]:
        fail(f"{name} has another stimulus for the same seed", " ".join(stimuli))
    status, output = run("run", path, "-n", "20k", "--no-controls", OPENCL_LAYERS=LAYER,
                         OCLMM_PLANT=plant)
    if status != 1:
        fail(f"{name} ends with {status} under the plant {plant}", output)
    source = os.path.join(folder, name + ".c")
    status, output = run("export", "--no-search", path, "--output", source)
    if status:
        fail(f"{name} is not exported", output)
    binary = os.path.join(folder, name)
    subprocess.run(["cc", "-std=c11", "-o", binary, source, "-lOpenCL"], check=True)
    done = subprocess.run([binary, "", "20"], capture_output=True, text=True, check=False)
    if done.returncode or "0:r0=" not in done.stdout:
        fail(f"the exported {name} ends with {done.returncode}", done.stdout + done.stderr)


def check_refused(folder):
    path = os.path.join(folder, "no-text.litmus")
    with open(path, "w", encoding="utf-8") as file:
        file.write(NO_TEXT)
    _, output = run("run", path, "-n", "1k")
    words = ("a barrier inside if or while cannot be run on a device where threads come to "
             "different ones: P0 to `while (i < *a)` in line 6, and P1 to "
             "`barrier(CLK_LOCAL_MEM_FENCE)` in line 9")
    if words not in " ".join(output.split()):
        fail("threads that come to different barriers are not named", output)


def check_turns(folder):
    path = os.path.join(folder, "turns.litmus")
    with open(path, "w", encoding="utf-8") as file:
        file.write(TURNS)
    status, output = run("show", "--kernel", path)
    if status or "while (role == 0 ? (i < 2) : (i < 3)) {" not in output:
        fail("threads that turn differently often have no text", output)
    for model in ("opencl-2.0", "consensus"):
        results = os.path.join(folder, model + ".jsonl")
        _, output = run("run", path, "-n", "1k", "--model", model, "--output", results)
        if "by OpenCL 2.0 not equally often" not in result(results).get("message", ""):
            fail(f"threads that turn differently often are run by {model}", output)


def main():
    with tempfile.TemporaryDirectory() as folder:
        check(folder, "branch", BRANCH, {"0:r0": 2, "1:r0": 2, "[n]": 2}, "branch-private")
        check(folder, "loop", LOOP, {"0:r0": 3, "1:r0": 6, "1:r1": 11}, "loop-barrier")
        check_refused(folder)
        check_turns(folder)


main()
