#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every command of the program, interrupted while it works.

interrupted.py OCLMM [--device]: with --device those that use one. A signal is sent once a command has begun: it has computed for a
while, its children too, or has opened what never gives it anything. It then ends at once, says so, and leaves neither a file that
is not whole nor a process.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid

import common
from process_time import processor_seconds

SUITE = pathlib.Path(__file__).resolve().parents[2]
# Seconds until it has ended. A child that did not listen had five to go, a search ten.
AT_ONCE = 3
# What a busy machine may take until something has begun.
PATIENCE = 240
# Sixteen writers have 16! orders, which nobody waits for.
WRITERS = "OPENCL writers\n\n{ [x] = 0; }\n\n" + "".join(
    f"P{t}@wg {t}, dev 0 (global atomic_int *x) {{ atomic_store(x, {t + 1}); }}\n" for t in range(16)) + "\nexists (x=1)\n"
# What reads of it never end, and each way through is another state.
MIXING = """// oclmm: --kernel mix --global 8 --local 2 --arg x=0,0,0,0 --unroll 100
kernel void mix(global atomic_int *x)
{
	for (int i = 0; i < 20; i++) {
		atomic_fetch_add_explicit(&x[i & 3], i, memory_order_relaxed, memory_scope_device);
		atomic_fetch_xor_explicit(&x[(i + 1) & 3], i, memory_order_relaxed, memory_scope_device);
	}
}
"""
# It waits for what nobody does.
WAITING = """// oclmm: --kernel wait --global 1 --local 1 --arg x=0
kernel void wait(global atomic_int *x)
{
	while (atomic_load_explicit(x, memory_order_relaxed, memory_scope_device) == 0)
		;
}
"""
# Ends by the signal, as programs do that have nothing to tell; or says what became of its work, with this status.
SIGNAL, TOLD = None, 99

# A name: the arguments, when it has begun (seconds of processor time; a file that it opens), its status, what it may leave.
WITHOUT_DEVICE = {
    "audit": (["writers.litmus"], 0.4, TOLD, ()),
    "audit, with files": (["-o", "a.jsonl", "-o", "a.xml", "writers.litmus"], 0.4, TOLD, ("a.jsonl", "a.xml")),
    "audit, a kernel": (["mixing.cl"], 0.4, TOLD, ()),
    "baseline": (["pipe"], "pipe", SIGNAL, ()),
    "check": (["--time-limit", "600", "writers.litmus"], 0.3, SIGNAL, ()),
    "check, and write": (["--write", "--time-limit", "600", "writers.litmus"], 0.3, SIGNAL, ()),
    "check, a kernel": (["--time-limit", "600", "mixing.cl"], 0.4, SIGNAL, ()),
    "compare": (["pipe", "pipe"], "pipe", SIGNAL, ()),
    "explain": (["--time-limit", "600", "writers.litmus"], 0.3, SIGNAL, ()),
    "explain, and draw": (["--svg", "e.svg", "--dot", "e.dot", "--time-limit", "600", "writers.litmus"], 0.3, SIGNAL, ()),
    "explain, a kernel": (["--time-limit", "600", "mixing.cl"], 0.4, SIGNAL, ()),
    "export": (["--no-search", "writers.litmus"], 0.3, TOLD, ()),
    "export, a kernel": (["mixing.cl"], 0.4, SIGNAL, ()),
    "generate": (["--tight", "--edges", "6", "--output", "list"], 0.4, TOLD, ()),
    "generate, a shard": (["--tight", "--edges", "6", "--shard", "1/2", "--output", "list"], 0.4, TOLD, ()),
    "generate, every decoration": (["--tight", "--every-decoration", "--edges", "4", "--output", "list"], 0.4, TOLD, ()),
    "grade": (["pipe"], "pipe", SIGNAL, ()),
    "list": (["pipe.litmus"], "pipe.litmus", SIGNAL, ()),
    "merge": (["--output", "all.jsonl", "pipe", "pipe"], "pipe", SIGNAL, ()),
    "report": (["--output", "page.html", "pipe"], "pipe", SIGNAL, ()),
    "show": (["--controls", "writers.litmus"], 0.3, SIGNAL, ()),
}
WITH_DEVICE = {
    # it is opened in a child, which waits for a loader
    "devices": ([], "loader.so", SIGNAL, ()),
    "export, searching": (["SB"], 1, TOLD, ()),
    "idiom": (["--runs", "100000", "sum-by-host"], 1, SIGNAL, ()),
    "planted": (["-n", "1G", "SB"], 1, TOLD, ()),
    "planted, with a file": (["-n", "1G", "--output", "m.jsonl", "SB"], 1, TOLD, ("m.jsonl",)),
    "planted, asking the model": (["--able", "--each", "--profile", "default"], 8, TOLD, ()),
    "run": (["-n", "1G", "SB"], 1, TOLD, ()),
    "run, with files": (["-n", "1G", "-o", "r.jsonl", "-o", "r.xml", "-o", "r.txt", "SB"], 1, TOLD, ("r.jsonl", "r.txt", "r.xml")),
    "run, while the oracle searches": (["writers.litmus"], 0.4, TOLD, ()),
    "run, a kernel that waits": (["waiting.cl"], 1, TOLD, ()),
    "run, a kernel with a file": (["-o", "r.jsonl", "waiting.cl"], 1, TOLD, ("r.jsonl",)),
    "shrink": (["drawn-1-1", "drawn-1-2", "drawn-1-3"], 0.3, TOLD, ()),
    "tune": (["SB"], 1, TOLD, ()),
    "tune, while the oracle searches": (["writers.litmus"], 0.4, TOLD, ()),
}
# They write one file of a few lines, or copy one, and have ended before anybody could interrupt them.
SHORT = {"new", "playground"}


def processes_with(mark):
    """The processes that have a mark in their environment and have not ended."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                marked = mark in file.read()
            # one that has ended has no environment any more
            if marked:
                found.append(int(name))
        except OSError:
            pass
    return found


def computed(mark):
    """Seconds of processor time of all of them."""
    return sum(map(processor_seconds, processes_with(mark)))


class Interrupted(common.SuiteCase):
    def prepare(self):
        self.write("writers.litmus", WRITERS)
        self.write("mixing.cl", MIXING)
        self.write("waiting.cl", WAITING)
        shutil.copytree(SUITE / "litmus" / "idiom", self.folder / "litmus" / "idiom", dirs_exist_ok=True)
        for pipe in "pipe", "pipe.litmus", "loader.so":
            os.mkfifo(self.folder / pipe)
        for folder in "runtime", "temporary":
            (self.folder / folder).mkdir()

    def start(self, command, arguments, mark, event):
        environment = self.environment(OCLMM_TEST_MARK=mark, TMPDIR=str(self.folder / "temporary"),
                                       XDG_CACHE_HOME=str(self.folder / "cache"))
        environment["XDG_RUNTIME_DIR"] = str(self.folder / "runtime")
        if command == "devices":
            environment["OCLMM_OPENCL"] = str(self.folder / event)
        if "--profile" in arguments:
            environment["OCLMM_SUITE"] = str(SUITE)
        # a pipe that nobody reads would hold up who says much
        self.said = tempfile.TemporaryFile("w+", encoding="utf-8")
        self.addCleanup(self.said.close)
        process = subprocess.Popen([common.PROGRAM, command, *arguments], cwd=self.folder, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=self.said, stderr=subprocess.STDOUT)
        self.addCleanup(process.kill)
        return process

    def all_said(self):
        self.said.seek(0)
        return self.said.read()

    def wait_until(self, process, begun):
        deadline = time.monotonic() + PATIENCE
        while not begun():
            if process.poll() is not None:
                self.fail(f"it ended before, {process.returncode}: {self.all_said()}")
            self.assertLess(time.monotonic(), deadline, "it does not begin")
            time.sleep(0.01)

    def opened(self, event):
        """Whether somebody has the pipe open for reading; it is kept open here, and nothing comes."""
        try:
            writer = os.open(self.folder / event, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            return False
        self.addCleanup(os.close, writer)
        return True

    def interrupt(self, command, arguments, event, number):
        """Returns the seconds until it has ended, its status, what it said, and the processes that it leaves."""
        mark = uuid.uuid4().hex
        process = self.start(command, arguments, mark, event)
        if isinstance(event, str):
            self.wait_until(process, lambda: self.opened(event))
        else:
            self.wait_until(process, lambda: computed(mark.encode()) >= event)
        before = time.monotonic()
        process.send_signal(number)
        process.wait(timeout=PATIENCE)
        took = time.monotonic() - before
        left = processes_with(mark.encode())
        # who is killed with its parent takes a moment
        while left and time.monotonic() < before + took + AT_ONCE:
            time.sleep(0.02)
            left = processes_with(mark.encode())
        return took, process.returncode, self.all_said(), left

    def files(self):
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file()
                and path.relative_to(self.folder).parts[0] not in ("litmus", "cache", "data", "runtime")}

    def check(self, name, arguments, event, status, may_leave):
        command = name.partition(",")[0]
        for number in signal.SIGTERM, signal.SIGINT:
            with self.subTest(name=name, signal=number.name):
                before = self.files()
                # a machine may be too busy; one that does not listen is late each time
                for _ in range(6):
                    took, ended, said, left = self.interrupt(command, arguments, event, number)
                    if took < AT_ONCE and not left:
                        break
                self.assertLess(took, AT_ONCE, said)
                self.assertEqual(ended, -number if status is SIGNAL else status, said)
                self.assertRegex(said, r"(?i)\binterrupted\b")
                self.assertEqual(left, [], "processes stay")
                self.assertLessEqual(self.files() - before, set(may_leave))
                self.check_whole(may_leave)

    def check_whole(self, paths):
        """Files of lines have their last one, others what they end with."""
        for path in (self.folder / path for path in paths):
            if not path.exists():
                continue
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".jsonl":
                self.assertTrue(text.endswith("\n"))
                self.assertTrue([json.loads(line) for line in text.splitlines()])
            elif path.suffix == ".xml":
                self.assertRegex(text, r"</testsuites>\s*(<!--.*-->\s*)*\Z")
            path.unlink()

    def check_all(self, table):
        self.prepare()
        for name, row in table.items():
            self.check(name, *row)

    def test_all_commands(self):
        help_text = self.run_program("--help")[0]
        commands = set(re.findall(r"(?m)^  (\w+) ", help_text.partition("commands:\n")[2].partition("\n\n")[0]))
        rows = {name.partition(",")[0] for name in {**WITHOUT_DEVICE, **WITH_DEVICE}}
        self.assertGreater(len(commands), 15)
        self.assertEqual(commands, rows | SHORT)
        self.assertFalse(rows & SHORT)

    def test_without_device(self):
        if ON_DEVICE:
            self.skipTest("only those with a device")
        self.check_all(WITHOUT_DEVICE)

    def test_with_device(self):
        if not ON_DEVICE:
            self.skipTest("only those without a device")
        self.check_all(WITH_DEVICE)

    def test_what_is_found_is_kept(self):
        """A search for tight tests that has found some leaves them, whole, for the next one: `generate tight` goes on there."""
        if ON_DEVICE:
            self.skipTest("needs no device")
        part = self.folder / "list.part"
        (self.folder / "runtime").mkdir()
        process = self.start("generate", ["--tight", "--edges", "5", "--jobs", "1", "--output", "list"], "", 0)
        self.wait_until(process, lambda: part.exists() and re.search("(?m)^form ", part.read_text(encoding="utf-8")))
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=PATIENCE)
        said = self.all_said()
        self.assertEqual(process.returncode, 99, said)
        lines = part.read_text(encoding="utf-8").splitlines()
        forms = sum(line.startswith("form ") for line in lines)
        self.assertEqual(said, f"oclmm generate: interrupted; {forms} form{'s' if forms > 1 else ''} in list.part, and the same command "
                               "goes on there\n")
        self.assertTrue(lines[-1].startswith("form "), lines[-1])
        self.assertEqual(self.files(), {"list.part"})


ON_DEVICE = "--device" in sys.argv[1:]
if ON_DEVICE:
    sys.argv.remove("--device")
    common.main_on_device()
else:
    common.main()
