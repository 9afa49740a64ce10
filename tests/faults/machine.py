#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Machines that give too little, signals, kills and clocks: how a run on a device has to end.

    machine.py PROGRAM CLOCK [--all [--part K/N]] [--seed N] [--only WORD]

Without --all a drawn sample. Whatever happened: the run ends by itself, with a status that its cause may
have and a word of why; no process of it is left; each whole line of its results can be read; and the same
command, on a machine that is well again, goes on to the end. What was recorded as failed stays so; all else has
the results of a run that nothing befell.
"""

import argparse
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from calls import LITMUS

TESTS = 4
RUN = ("run", "--environment", "groups=2 lanes=4 rounds=64", "--instances", "20000", "--seed", "3", "--no-wait",
       "--timeout", "60", "--resume", "all.jsonl")
WELL = 3    # its tests cannot fail, which proves nothing
DONE, FAILED, ENDED = (WELL,), (99,), (WELL, 99)
LOADER = 127    # of the system's loader, which could not even start the program
MOMENTS = (0.0, 0.02, 0.1, 0.3, 0.6, 1.0, 1.5)


def limit(which, most):
    return {"preexec_fn": lambda: resource.setrlimit(which, (most, most))}


def closed(*files):
    def close():
        for file in files:
            os.close(file)
    return {"preexec_fn": close}


def rows():
    """Name, what is different for the process, its environment, a signal (who, which, when), and the statuses."""
    for most in (4, 5, 6, 7, 8, 10, 12, 16, 24, 64):
        yield f"{most} open files", limit(resource.RLIMIT_NOFILE, most), {}, None, (WELL, 2, 77, 99, LOADER)
    for most in (0, 64, 500, 2000, 5000):
        yield f"files of {most} bytes", limit(resource.RLIMIT_FSIZE, most), {}, None, (WELL, 2, 77, 99)
    for most in (40, 80, 160, 320, 640, 1280):
        yield f"{most} MB of memory", limit(resource.RLIMIT_AS, most << 20), {}, None, (WELL, 77, 99, LOADER)
    yield "a stack of 256 KiB", limit(resource.RLIMIT_STACK, 256 << 10), {}, None, ENDED
    yield "no core files", limit(resource.RLIMIT_CORE, 0), {}, None, DONE
    for files in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)):
        yield f"closed {files}", closed(*files), {}, None, FAILED if 1 in files else ENDED
    yield "a full standard output", {"stdout": "/dev/full"}, {}, None, FAILED
    yield "a full standard error", {"stderr": "/dev/full"}, {}, None, ENDED
    for name in ("XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME", "HOME", "TMPDIR", "POCL_CACHE_DIR"):
        for place in ("/dev/null", "/proc/nowhere", ""):
            yield f"{name}={place!r}", {}, {name: place}, None, (WELL, 2, 77, 99)
    yield "a clock that jumps", {}, {"LD_PRELOAD": "CLOCK"}, None, DONE
    for moment in MOMENTS:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            yield f"{number.name} after {moment} s", {}, {}, ("program", number, moment), (WELL, 99, -number)
        yield f"SIGPIPE after {moment} s", {}, {}, ("program", signal.SIGPIPE, moment), (WELL, 99, -signal.SIGPIPE)
        for number in (signal.SIGKILL, signal.SIGQUIT, signal.SIGXCPU):
            yield f"{number.name} after {moment} s", {}, {}, ("program", number, moment), (WELL, -number)
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGHUP, signal.SIGINT):
            yield f"{number.name} to its children after {moment} s", {}, {}, ("children", number, moment), ENDED
        yield f"stopped after {moment} s", {}, {}, ("program", signal.SIGSTOP, moment), ENDED


def processes():
    """Number, parent and session of each process that is not a zombie."""
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] not in "ZX":
            yield int(path.parent.name), int(fields[1]), int(fields[3])


class Machine:
    def __init__(self, program, clock, folder):
        self.program, self.clock, self.folder = program, clock, folder
        (folder / "litmus/t").mkdir(parents=True)
        for n in range(TESTS):
            (folder / f"litmus/t/T{n}.litmus").write_text(LITMUS.format(n=n))
        self.start(("check", "--write")).communicate()
        self.present = self.start(("devices",)).wait() == 0
        self.whole = self.recorded() if self.present and self.finish() == WELL else None

    def start(self, arguments, process=None, variables=None):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("OCLMM_")}
        environment.update(LC_ALL="C", XDG_RUNTIME_DIR=str(self.folder), XDG_CACHE_HOME=str(self.folder / "cache"),
                           XDG_DATA_HOME=str(self.folder / "data"))
        environment.update({name: self.clock if value == "CLOCK" else value
                            for name, value in (variables or {}).items()})
        with open(self.folder / "said", "w", encoding="utf-8") as said:
            streams = {"stdin": subprocess.DEVNULL, "stdout": said, "stderr": said}
            streams.update({name: open(value, "w", encoding="utf-8") if name.startswith("std") else value
                            for name, value in (process or {}).items()})
            return subprocess.Popen([self.program, *arguments], cwd=self.folder, env=environment,
                                    start_new_session=True, **streams)

    def finish(self):
        return self.start(RUN).wait(300)

    def lines(self):
        path = self.folder / "all.jsonl"
        text = path.read_text() if path.exists() else ""
        return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]

    def recorded(self):
        return sorted((line["test"], line["ended"], line["instances"] >= 20000) for line in self.lines()
                      if line["type"] == "test")

    def strike(self, process, whom, number, moment):
        try:
            process.wait(moment)
            return
        except subprocess.TimeoutExpired:
            pass
        pids = [process.pid] if whom == "program" else [pid for pid, parent, _ in processes() if parent == process.pid]
        for pid in pids:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        if number == signal.SIGSTOP:
            time.sleep(0.3)    # how long does not matter: nothing waits for it
            os.kill(process.pid, signal.SIGCONT)

    def left(self, session):
        """What is alive of a session, after it had time to see that its parent is gone."""
        deadline = time.monotonic() + 60
        while any(of == session for _, _, of in processes()):
            if time.monotonic() > deadline:
                return True
            time.sleep(0.05)
        return False

    def complaint(self, process, variables, blow, statuses):
        for path in ("all.jsonl", "cache", "data"):
            shutil.rmtree(self.folder / path, ignore_errors=True)
            (self.folder / path).unlink(missing_ok=True)
        run = self.start(RUN, process, variables)
        if blow:
            self.strike(run, *blow)
        try:
            status = run.wait(300)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            return "it did not end"
        said = (self.folder / "said").read_text(errors="replace")
        if status not in statuses:
            return f"status {status}, not one of {statuses}\n{said}"
        if status > 0 and not said and not process:
            return f"status {status} without a word"
        if self.left(run.pid):
            return "a process is left"
        if status == WELL and self.recorded() != self.whole:
            return f"it passed and did less: {self.recorded()}\n{said}"
        return self.complaint_of_going_on()

    def complaint_of_going_on(self):
        failed = {name for name, ended, _ in self.recorded() if ended != "ok"}
        status = self.finish()
        well = [row for row in self.recorded() if row[0] not in failed]
        if status != (99 if failed else WELL) or well != [row for row in self.whole if row[0] not in failed]:
            return f"gone on with: {status}, {self.recorded()}\n{(self.folder / 'said').read_text()}"
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("clock", type=os.path.abspath)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("OCLMM_MACHINE_SEED", 1)))
    parser.add_argument("--sample", type=int, default=8)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="oclmm-machine-") as folder:
        machine = Machine(options.program, options.clock, pathlib.Path(folder))
        if not machine.present:
            return 77
        if not machine.whole:
            sys.exit("where nothing is wrong:\n" + (machine.folder / "said").read_text())
        part, parts = map(int, options.part.split("/"))
        chosen = [row for row in rows() if options.only in row[0]][part - 1::parts]
        if not options.all:
            print(f"OCLMM_MACHINE_SEED={options.seed}", flush=True)
            chosen = random.Random(options.seed).sample(chosen, min(options.sample, len(chosen)))
        bad = 0
        for name, *row in chosen:
            complaint = machine.complaint(*row)
            if complaint:
                bad += 1
                print(f"{name}: {complaint}", flush=True)
        print(f"{len(chosen)} faults of the machine, {bad} not borne")
        return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
