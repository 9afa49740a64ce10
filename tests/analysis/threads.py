#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What has threads, under ThreadSanitizer, and a race that was planted.

    threads.py FOLDER [--device]

In FOLDER it keeps a build of its own with -Db_sanitize=thread, of the programs named below only. The planted
race is a copy of src/base/parallel.c in which threads take their shares from a counter that is not atomic.
--device: the program, too, in a run whose host plays a thread and is called by the driver's.
Exit status 77 where programs under ThreadSanitizer do not run.
"""
import argparse
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Program, arguments: the oracle on all processors, the host's threads, the search for tight tests.
MANY = "tests/model/test_model_many"
PROGRAMS = ((MANY,), ("tests/host/test_host",))
PLANTED = (("atomic_size_t next;", "size_t next;"),
           ("(index = atomic_fetch_add(&shares->next, 1)) < shares->count", "(index = shares->next++) < shares->count"))
RUN = ("run", "--environment", "groups=2 lanes=4 rounds=16", "--instances", "100", "--timeout", "600", "--no-wait",
       "--compilers", "0", "CoRR+host", "map+host.edge=callback", "user-event")
FOUND = 66
ENVIRONMENT = {**os.environ, "TSAN_OPTIONS": f"exitcode={FOUND}:halt_on_error=1"}


def fixed_places():
    """What has a program put at the same places each time: an older ThreadSanitizer has no room for all others."""
    words = ("setarch", "--addr-no-randomize")
    allowed = shutil.which(words[0]) and subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0
    return words if allowed else ()


FIXED = fixed_places()


def call(*words, **how):
    return subprocess.run([*FIXED, *map(str, words)], capture_output=True, text=True, errors="replace",
                          env=ENVIRONMENT, check=False, **how)


def runs_here(folder):
    source, program = folder / "empty.c", folder / "empty"
    source.write_text("int main(void)\n{\n\treturn 0;\n}\n")
    return call("cc", "-fsanitize=thread", "-o", program, source).returncode == 0 and call(program).returncode == 0


def build(folder, programs):
    if not (folder / "build.ninja").exists():
        # as for other sanitizers, the ordinary build is the one to judge warnings
        said = call("meson", "setup", folder, ROOT, "-Db_sanitize=thread", "-Dc_args=-w -g1", "-Doptimization=1")
        if said.returncode:
            sys.exit(said.stdout + said.stderr)
    said = call("ninja", "-C", folder, *programs)
    if said.returncode:
        sys.exit(said.stdout[-3000:])


def with_race(folder):
    """The program with the planted copy: linked as the good one is, the copy in its place."""
    text = (ROOT / "src/base/parallel.c").read_text()
    for good, bad in PLANTED:
        if good not in text:
            sys.exit(f"src/base/parallel.c has no {good!r} any more: plant another race")
        text = text.replace(good, bad)
    copy, planted = folder / "planted.c", folder / "planted"
    copy.write_text(text)
    commands = call("ninja", "-C", folder, "-t", "commands", MANY).stdout.splitlines()[-1]
    words = [word for word in shlex.split(commands) if word != "ccache"]
    words[words.index("-o") + 1] = str(planted)
    words[1:1] = [str(copy), "-fsanitize=thread", "-g", "-w", "-D_GNU_SOURCE", f"-I{ROOT / 'include'}"]
    said = call(*words, cwd=folder)
    if said.returncode:
        sys.exit(said.stderr)
    return planted


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("--device", action="store_true")
    options = parser.parse_args()
    folder, programs = options.folder, PROGRAMS + (("runner/oclmm", *RUN),) * options.device
    folder.mkdir(parents=True, exist_ok=True)
    if not runs_here(folder):
        print("skipped: programs under ThreadSanitizer do not run here")
        return 77
    build(folder, [program for program, *_ in programs])
    bad = 0
    for program, *arguments in programs:
        said = call(folder / program, *arguments, cwd=ROOT)
        print(f"{program}: status {said.returncode}")
        if said.returncode:
            bad += 1
            print(said.stdout[-2000:] + said.stderr[-6000:])
    said = call(with_race(folder))
    if said.returncode != FOUND or "data race" not in said.stderr:
        bad += 1
        print(f"the planted race was not seen: status {said.returncode}\n{said.stderr[-2000:]}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
