# SPDX-License-Identifier: Apache-2.0
"""Runs that are killed, cut short, doubled, sharded, or have nowhere to write."""

import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import common  # noqa: E402 (lies beside, and takes the program from the command line)
from common import HOST, SB, SILENT, SMALL, SuiteCase  # noqa: E402
from compiler_cache import compiler_cache  # noqa: E402

# Devices that claim little still run these tests, and gate.
GATE = ("--claims", "accepted")
FEW_AS_USUAL = ("--instances", "2000", "--seed", "3", *GATE)
FEW = (*SMALL, *FEW_AS_USUAL)
VENDORS = "/etc/OpenCL/vendors"
# What must happen soon, but may take its time where other work has the processors.
PATIENCE = 120


def children_of(parent):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
                # the name before it may hold anything
                if int(stat.read().rpartition(")")[2].split()[1]) == parent:
                    found.append(pid)
        except OSError:
            pass    # it has just gone
    return found


def is_alive(pid):
    """A zombie is not: in a container, nobody may collect a process whose parent was killed."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class Runs(SuiteCase):
    def many(self, count):
        """A suite of `count` tests in four files, all of the same kernels but for a name."""
        for number in range(count // 2):
            text = SB.replace("OPENCL SB", f"OPENCL SB-{number}")
            self.write(f"litmus/relaxed/SB-{number}.litmus", text)
        shutil.rmtree(self.folder / "litmus/race")
        (self.folder / "litmus/relaxed/SB.litmus").unlink()
        self.run_program("check", "--write")

    def start(self, *arguments, **more):
        return subprocess.Popen([common.PROGRAM, "run", *arguments], cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                env=self.environment(**more))

    def recorded(self, path):
        """Names of the records of a file, each line of which must be whole."""
        text = self.read(path)
        self.assertTrue(text.endswith("\n"))
        return [r["test"] for r in self.lines_of_json(text) if r["type"] == "test"]

    def whole_lines(self, path):
        text = self.read(path) if (self.folder / path).exists() else ""
        return [json.loads(line) for line in text.split("\n")[:-1]]


class Killed(Runs):
    def begin(self, path):
        """A run of eight tests: by the budget each lasts 2.5 s, so that seven are left when the first is there."""
        process = self.start(*FEW, "--budget", "40", "--resume", path)
        self.addCleanup(process.kill)
        while not any(r["type"] == "test" for r in self.whole_lines(path)):
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        return process

    def test_resumed_after_kills(self):
        self.many(12)
        started = time.monotonic()
        self.run_program("run", *FEW, "--output", "whole.jsonl", status=SILENT)
        duration = time.monotonic() - started
        seed = int(os.environ.get("OCLMM_KILL_SEED", time.time_ns() & 0xffff))
        print(f"OCLMM_KILL_SEED={seed}", file=sys.stderr)
        moments = random.Random(seed)
        seen = 0
        for _ in range(10):
            process = self.start(*FEW, "--resume", "killed.jsonl")
            time.sleep(moments.uniform(0, min(duration / 4, 2)))
            process.kill()
            process.communicate()
            now = sum(line["type"] == "test" for line in self.whole_lines("killed.jsonl"))
            self.assertGreaterEqual(now, seen, "what was recorded stays")
            seen = now
        self.run_program("run", *FEW, "--resume", "killed.jsonl", status=SILENT)
        self.assertEqual(self.recorded("killed.jsonl"), self.recorded("whole.jsonl"))
        lines = [r for r in self.whole_lines("killed.jsonl") if r["type"] in ("run", "end")]
        self.assertEqual([r["type"] for r in lines], ["run", "end"])
        whole = self.whole_lines("whole.jsonl")[-1]
        self.assertEqual(lines[-1]["stimulus"], whole["stimulus"])
        self.assertEqual(lines[-1]["tests"], whole["tests"])

    def test_resumed_wherever_it_was_cut(self):
        self.many(4)
        self.run_program("run", *FEW, "--output", "whole.jsonl", status=SILENT)
        data = (self.folder / "whole.jsonl").read_bytes()
        ends = [match.end() for match in re.finditer(rb"\n", data)]
        for cut in {0, 1, ends[0] - 1, ends[0], ends[1] - 1, ends[2] + 7, ends[4], len(data) - 1, len(data)}:
            (self.folder / "cut.jsonl").write_bytes(data[:cut])
            self.run_program("run", *FEW, "--resume", "cut.jsonl", status=SILENT)
            self.assertEqual(self.recorded("cut.jsonl"), self.recorded("whole.jsonl"), cut)
            self.assertEqual(self.whole_lines("cut.jsonl")[-1]["stimulus"],
                             self.whole_lines("whole.jsonl")[-1]["stimulus"])
            if cut == len(data):
                self.assertEqual((self.folder / "cut.jsonl").read_bytes(), data, "nothing is added")

    def test_takes_over_what_was_asked(self):
        self.many(4)
        self.run_program("run", *GATE, "--instances", "3000", "--seed", "77", "--output", "all.jsonl", status=(0, 3))
        lines = self.read("all.jsonl").splitlines(keepends=True)
        self.write("all.jsonl", "".join(lines[:3]))
        out, err = self.run_program("run", *GATE, "--resume", "all.jsonl", status=(0, 3))
        self.assertIn("2 of 4 tests already there", err)
        self.assertIn("seed 77", out)
        self.assertEqual(len(self.recorded("all.jsonl")), 4)

    def test_refuses_another_run(self):
        self.many(4)
        self.run_program("run", *FEW_AS_USUAL, "--output", "all.jsonl", status=(0, 3))
        before = self.read("all.jsonl")
        for arguments, words in ((("--seed", "4"), "another seed"), (("--instances", "9"), "instances"),
                                 (("SB-0",), "other tests")):
            _, err = self.run_program("run", "--resume", "all.jsonl", *arguments, status=2)
            self.assertIn(words, err)
        digest = re.search(r'"hash":"(\w{16})"', before).group(1)
        for change, words in ((("SB-1", "SB-9"), "not chosen"), ((digest, "0123456789abcdef"), "changed"),
                              (('"driver":"', '"driver":"x'), "another device or driver"),
                              (('{"type":"test"', '{"type"="test"'), "not the results file"),
                              (('"launches":', '"launches"='), "error:"),
                              (('{"type":"run"', 'hello'), "not the results file")):
            self.write("all.jsonl", before.replace(*change))
            _, err = self.run_program("run", "--resume", "all.jsonl", status=2)
            self.assertIn(words, err)
            self.assertEqual(self.read("all.jsonl"), before.replace(*change), "it is left as it was")

    def test_interrupted_and_resumed(self):
        self.many(8)
        process = self.begin("all.jsonl")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 99)
        self.assertIn("interrupted", out)
        self.assertIn("to go on: the same options with --resume all.jsonl", err)
        there = self.recorded("all.jsonl")
        end = self.whole_lines("all.jsonl")[-1]
        self.assertEqual((end["interrupted"], end["tests"]), (True, len(there)))
        self.assertGreater(end["left_out"], 0, "it did not go on to the end")
        self.assertEqual(end["left_out"] + end["tests"], 8)
        # no budget: it would leave out what a busy machine has no time for
        self.run_program("run", *FEW, "--resume", "all.jsonl", status=SILENT)
        names = self.recorded("all.jsonl")
        self.assertEqual(names[:len(there)], there, "what was recorded stays")
        # with a budget, those that forbid something came first
        self.assertEqual(sorted(names), sorted(self.run_program("list")[0].splitlines()), "each once")

    def test_signals_that_come_twice(self):
        """A terminal that goes says so once or twice; timeout(1) tells its child, and then the group that it is in."""
        # who runs the tests by nohup has it ignored, and what is started would leave it so
        before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
        self.addCleanup(signal.signal, signal.SIGHUP, before)
        self.many(8)
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
            # where a busy machine tells the program of one of them too late, it is a second interruption, which kills
            for attempt in range(6):
                process = self.begin(path := f"{number.name}-{attempt}.jsonl")
                process.send_signal(number)
                time.sleep(0.02)
                process.send_signal(number)
                process.communicate(timeout=PATIENCE)
                if process.returncode != -number or number == signal.SIGHUP:
                    break
            end = self.whole_lines(path)[-1]
            self.assertEqual((end["type"], end["interrupted"], process.returncode), ("end", True, 99), path)

    def test_leaves_no_child(self):
        process = self.start(*GATE, "--seed", "3", "--budget", str(PATIENCE), "SB")
        self.addCleanup(process.kill)
        children = []
        while not children:
            self.assertIsNone(process.poll())
            children = children_of(process.pid)
        # a driver would have brought threads with it
        self.assertEqual(len(os.listdir(f"/proc/{process.pid}/task")), 1, "the program loads no driver")
        process.kill()
        process.communicate()
        deadline = time.monotonic() + PATIENCE / 2     # before the run itself would have been over
        for pid in children:
            while is_alive(pid) and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertFalse(is_alive(pid))


class Anew(Runs):
    """Children that are the program started anew, as they are where a system makes no copies."""

    ANEW = {"OCLMM_CHILDREN": "anew"}

    def records(self, *arguments, status=SILENT, **more):
        self.run_program("run", *arguments, "--compilers", "0", "-o", "all.jsonl", status=status,
                         environment=self.environment(**more))
        return [r for r in self.whole_lines("all.jsonl") if r["type"] == "test"]

    def child(self, process):
        """The number of one, once it is what was started."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            self.assertIsNone(process.poll())
            for pid in children_of(process.pid):
                try:
                    with open(f"/proc/{pid}/cmdline", "rb") as words:
                        if words.read().split(b"\0")[1:2] == [b"--child"]:
                            return pid
                except OSError:
                    pass    # it has just gone
        return self.fail("no child was started anew")

    def test_the_same_is_run(self):
        self.many(6)
        copies, anew = (self.records(*FEW, **more) for more in ({}, self.ANEW))
        self.assertEqual(len(copies), 6)
        for one, other in zip(copies, anew):
            for key in ("test", "hash", "stimulus", "instances", "launches", "environment", "build_options", "source"):
                self.assertEqual(one.get(key), other.get(key), key)

    def test_what_was_decided_is_known(self):
        folder = str(self.folder / "programs")
        for expected in (False, True):
            record, = self.records(*FEW, "--cache", "always", "SB", OCLMM_PROGRAMS=folder, **self.ANEW)
            self.assertEqual("; binaries from the disk" in record["build_options"], expected)

    def test_modules_are_made(self):
        copies, anew = ([(r["hash"], r["stimulus"], r.get("il"), r["ended"]) for r in
                         self.records(*FEW, "--il", "spirv", "SB", status=None, **more)] for more in ({}, self.ANEW))
        self.assertEqual(copies, anew)

    def test_one_that_is_killed_is_followed(self):
        self.many(4)
        process = self.start(*FEW, "--budget", "40", "-o", "all.jsonl", **self.ANEW)
        self.addCleanup(process.kill)
        os.kill(int(self.child(process)), signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
        records = [r for r in self.whole_lines("all.jsonl") if r["type"] == "test"]
        self.assertEqual({r["ended"] for r in records}, {"ok"})
        # a busy machine may have no time for all of them
        self.assertEqual(len({r["test"] for r in records}) + self.whole_lines("all.jsonl")[-1]["left_out"], 4)

    def test_none_is_left(self):
        for number in (signal.SIGKILL, signal.SIGTERM):
            process = self.start(*GATE, "--seed", "3", "--budget", str(PATIENCE), "SB", **self.ANEW)
            self.addCleanup(process.kill)
            pid = self.child(process)
            process.send_signal(number)
            process.communicate(timeout=PATIENCE / 2)
            deadline = time.monotonic() + PATIENCE / 2
            while is_alive(pid) and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertFalse(is_alive(pid), number)

    def begin_with_builders(self, path):
        """A run that compiles ahead, and its children once two builders are among them; they may have been too soon over."""
        for _ in range(6):
            process = self.start(*FEW, "--budget", "40", "--compilers", "2", "--resume", path, **self.ANEW)
            self.addCleanup(process.kill)
            while process.poll() is None:
                children = children_of(process.pid)
                # the two, and the one that runs tests or its successor
                if len(children) >= 3:
                    return process, children
                time.sleep(0.01)
            process.communicate()
            (self.folder / path).unlink()
        return self.fail("nothing was compiled ahead")

    def test_no_builder_is_left(self):
        self.many(16)
        for number in (signal.SIGKILL, signal.SIGTERM):
            process, children = self.begin_with_builders(path := f"{number.name}.jsonl")
            process.send_signal(number)
            process.communicate(timeout=PATIENCE / 2)
            deadline = time.monotonic() + PATIENCE / 2
            for pid in children:
                while is_alive(pid) and time.monotonic() < deadline:
                    time.sleep(0.05)
                self.assertFalse(is_alive(pid), number)
            # no budget: it would leave out what a busy machine has no time for
            self.run_program("run", *FEW, "--compilers", "2", "--resume", path, status=SILENT,
                             environment=self.environment(**self.ANEW))
            self.assertEqual(sorted(self.recorded(path)), sorted(self.run_program("list")[0].splitlines()), "each once")

    def test_the_same_code_is_read(self):
        copies, anew = (self.run_program("audit", "--device", "0", "SB", environment=self.environment(**more))[0]
                        for more in ({}, self.ANEW))
        self.assertEqual(copies, anew)
        self.assertIn("audit: right", anew)

    def test_whole_kernels_are_right(self):
        suite = str(pathlib.Path(__file__).resolve().parents[2])
        for more in ((), ("--size", "1000", "--group-size", "16")):
            out, _ = self.run_program("idiom", "last-group-done", "--json", *more,
                                      environment=self.environment(OCLMM_SUITE=suite, **self.ANEW))
            result = json.loads(out)
            self.assertEqual(result["end"], "right")
            if more:
                self.assertEqual((result["size"], result["group_size"]), (1000, 16))

    def test_nobody_else_starts_one(self):
        for more in ((), ("0",), ("1",), ("2",), ("x",), ("00",), ("0", "0")):
            _, err = self.run_program("--child", *more, status=2)
            self.assertIn('unknown command "--child"', err)


class Places(Runs):
    def test_full_disk(self):
        _, err = self.run_program("run", *FEW, "--output", "/dev/full", "SB", status=99)
        self.assertIn("cannot write /dev/full: No space left on device", err)
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run([common.PROGRAM, "run", *FEW, "SB"], cwd=self.folder, stdout=full,
                                    stderr=subprocess.PIPE, text=True, env=self.environment())
        self.assertEqual(result.returncode, 99)
        self.assertIn("standard output", result.stderr)

    def test_small_disk(self):
        self.many(8)
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = os.geteuid() == 0 and shutil.which("mount") and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=4k", "none", disk], stderr=subprocess.DEVNULL).returncode == 0
        if not mounted:
            self.skipTest("needs to mount a small file system")
        self.addCleanup(subprocess.run, ["umount", disk])
        _, err = self.run_program("run", *FEW, "--output", "disk/all.jsonl", status=99)
        self.assertIn("cannot write disk/all.jsonl: No space left on device", err)
        written = self.recorded("disk/all.jsonl")
        self.assertGreater(len(written), 0)
        self.assertLess(len(written), 8)
        shutil.copy(disk / "all.jsonl", self.folder / "moved.jsonl")
        self.run_program("run", *FEW, "--resume", "moved.jsonl", status=SILENT)
        self.assertEqual(len(self.recorded("moved.jsonl")), 8)

    def test_unwritable(self):
        _, err = self.run_program("run", *FEW, "--output", "no/folder/all.jsonl", "SB", status=99)
        self.assertIn("no/folder/all.jsonl", err)
        _, err = self.run_program("run", *FEW, "--resume", "no/folder/all.jsonl", "SB", status=99)
        self.assertIn("no/folder/all.jsonl", err)

    def test_programs_from_the_disk(self):
        def build(folder, cache="always"):
            self.run_program("run", *FEW, "--cache", cache, "--compilers", "0", "-o", "all.jsonl", "SB",
                             environment=self.environment(OCLMM_PROGRAMS=str(folder)), status=3)
            record, = (r for r in self.whole_lines("all.jsonl") if r["type"] == "test")
            return record["build_options"].endswith("; binaries from the disk"), record["stimulus"]

        folder = self.folder / "programs"
        compiled = build(folder)
        self.assertFalse(compiled[0])
        from_disk = (True, compiled[1])
        self.assertEqual(build(folder), from_disk)
        for damage in (lambda data: data[:-1], lambda data: data[:40] + b"?" + data[41:], lambda data: b""):
            for path in folder.iterdir():
                path.write_bytes(damage(path.read_bytes()))
            self.assertEqual(build(folder), compiled)
            self.assertEqual(build(folder), from_disk)
        self.assertEqual(build(folder, "never"), compiled)
        self.assertEqual(build("off"), compiled)
        self.assertEqual(build("/dev/null/below"), compiled)

    def test_closed_standard_output(self):
        """What is printed goes nowhere, which is a failure; the file takes no harm, nor its number the stream's."""
        done = subprocess.run([common.PROGRAM, "run", *FEW, "-o", "all.jsonl", "SB"], cwd=self.folder,
                              timeout=PATIENCE, env=self.environment(), check=False,
                              preexec_fn=lambda: os.closerange(0, 3))
        self.assertEqual(done.returncode, 99)
        self.assertEqual(self.recorded("all.jsonl"), ["SB"])

    def test_several_outputs(self):
        self.run_program("run", *FEW, "-o", "all.jsonl", "-o", "all.txt", "SB", status=3)
        self.assertEqual(self.recorded("all.jsonl"), ["SB"])
        self.assertIn("Test SB Allowed", self.read("all.txt"))


class Together(Runs):
    def begin(self):
        """A run that has its device, for longer than any machine needs to start another."""
        process = self.start(*GATE, "--seed", "3", "--budget", "600", "SB")
        self.addCleanup(process.kill)
        self.assertTrue(process.stdout.readline(), "its header: the device is its own now")
        return process

    def test_two_on_one_device(self):
        first = self.begin()
        _, err = self.run_program("run", *FEW, "--no-wait", "SB", status=99)
        self.assertIn(f"in use by process {first.pid}; not waiting", err)
        second = self.start(*FEW, "SB")
        self.addCleanup(second.kill)
        self.assertTrue(any("waiting for it" in line for line in second.stderr))
        time.sleep(2)    # what does not wait is over by now, unless the machine is very busy
        self.assertIsNone(second.poll(), "the second run ended before the first")
        self.assertIsNone(first.poll())
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=PATIENCE)
        self.assertEqual(first.returncode, 99)
        out, _ = second.communicate(timeout=PATIENCE)
        self.assertIn(second.returncode, (0, 3), out)  # 3: so few launches prove nothing

    def test_waiting_has_an_end(self):
        first = self.begin()
        _, err = self.run_program("run", *FEW, "--wait", "0.5", "SB", status=99)
        self.assertIn(f"in use by process {first.pid}; waiting for it, at most 0.5 s\n", err)
        self.assertIn(f"in use by process {first.pid}; not waiting for longer than 0.5 s\n", err)

    def test_refused_before_it_waits(self):
        """What a run would fail of at last it fails of at once: nobody lets the device go here."""
        self.run_program("run", *FEW, "-o", "old.jsonl", "SB", status=3)
        old = self.read("old.jsonl")
        self.write("file", "")
        self.write("other.jsonl", old.replace('"driver":"', '"driver":"x'))
        self.begin()
        for arguments, words in (
                (("--resume", "no/all.jsonl"), "no/all.jsonl"),
                (("--resume", "old.jsonl", "--seed", "9"), "another seed"),
                (("--resume", "other.jsonl"), "another device or driver"),
                (("--output", "no/all.jsonl"), "no/all.jsonl"),
                (("--artifacts", "file/kept"), "file/kept"),
                (("--profile", "no.profile"), "no.profile"),
                (("--environment", "groups=2 lanes=4 stride=0"), "stride must be 1 to 4096"),
                (("--environment", "groups=2 lanes=1000000"), "the device has at most"),
                (("--environment", "groups=2 count_chunked=3"), "count_chunked must be 0 to 2"),
                (("--cache", "sometimes"), '"always"'),
                (("--expectations", "no.txt"), "no.txt")):
            _, err = self.run_program("run", *GATE, "--instances", "2000", *arguments, "SB", status=None)
            self.assertIn(words, err)
            self.assertNotIn("in use by", err, arguments)
        # and what comes of no run leaves no trace
        self.run_program("run", *GATE, "--instances", "2000", "--no-wait", "-o", "new.jsonl", "-o", "old.jsonl",
                         "SB", status=99)
        self.assertEqual(self.read("old.jsonl"), old)
        self.assertFalse((self.folder / "new.jsonl").exists())
        self.run_program("run", *FEW, "--no-wait", "--resume", "old.jsonl", "SB", status=99)
        self.assertEqual(self.read("old.jsonl"), old)

    def test_one_run_per_file(self):
        """Whatever keeps two runs apart otherwise: here, the folder of locks."""
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        self.run_program("run", *FEW, "-o", "old.jsonl", "SB", status=3)
        first = self.start(*GATE, "--seed", "3", "--budget", "600", "--resume", "all.jsonl", "SB")
        self.addCleanup(first.kill)
        self.assertTrue(first.stdout.readline())
        there = self.read("all.jsonl")
        os.link(self.folder / "all.jsonl", self.folder / "hard.jsonl")
        os.symlink("hard.jsonl", self.folder / "soft.jsonl")
        for name in ("all.jsonl", "hard.jsonl", "soft.jsonl", f"/proc/{first.pid}/cwd/all.jsonl"):
            for arguments in (("run", *FEW, "--resume", name, "SB"), ("run", *FEW, "--output", name, "SB"),
                              ("merge", "--output", name, "old.jsonl")):
                _, err = self.run_program(*arguments, status=99, environment={
                    **self.environment(), "XDG_RUNTIME_DIR": str(elsewhere)})
                self.assertIn(f"{name} is being written by process {first.pid}\n", err)
        self.assertTrue(self.read("all.jsonl").startswith(there))
        first.kill()
        first.communicate()
        # its children have no part in it
        self.run_program("run", *FEW, "--output", "all.jsonl", "SB", status=3)
        self.assertEqual(self.recorded("all.jsonl"), ["SB"])

    def test_one_output_per_file(self):
        os.symlink("all.jsonl", self.folder / "link.txt")
        self.write("all.jsonl", "")
        for names in (("all.jsonl", "all.jsonl"), ("all.jsonl", "link.txt")):
            _, err = self.run_program("run", *FEW, "-o", names[0], "-o", names[1], "SB", status=2)
            self.assertIn(f"{names[0]} and {names[1]} are the same file", err)
        # nor is it one of the standard streams
        for redirected in (">", "2>"):
            done = subprocess.run(["sh", "-c", f'"$@" {redirected}>all.jsonl', "sh", common.PROGRAM, "run", *FEW,
                                   "-o", "link.txt", "SB"], cwd=self.folder, env=self.environment(), check=False)
            self.assertEqual(done.returncode, 2)
            self.assertNotIn('"type"', self.read("all.jsonl"))
        # what is no file can be written by anybody
        self.run_program("run", *FEW, "-o", "/dev/null", "-o", "/dev/null", "SB", status=3)

    def test_what_runs_by_default(self):
        """The profile default where the suite has it; --all is all."""
        whole = sorted(self.run_program("list")[0].splitlines())
        for arguments, wanted in (((), whole), (("--all",), whole)):
            self.run_program("run", *FEW, *arguments, "-o", "all.jsonl", status=None)
            self.assertEqual(sorted(self.recorded("all.jsonl")), wanted)
        self.write("litmus/profiles/default", "SB\n")
        for arguments, wanted, profile in (((), ["SB"], "default"), (("--all",), whole, None),
                                           (("--family", "relaxed"), [name for name in whole if name != "RACE"], None)):
            self.run_program("run", *FEW, *arguments, "-o", "all.jsonl", status=None)
            self.assertEqual(sorted(self.recorded("all.jsonl")), wanted)
            self.assertEqual(self.lines_of_json(self.read("all.jsonl"))[0]["profile"], profile)
        for arguments in (("--all", "SB"), ("--all", "--quick")):
            _, err = self.run_program("run", *FEW, *arguments, status=2)
            self.assertIn("either --all or a profile or names, not both", err)

    def test_namesakes(self):
        self.write("litmus/race/SB.litmus", self.read("litmus/relaxed/SB.litmus"))
        for names in (("SB",), ()):
            _, err = self.run_program("run", *FEW, "-o", "all.jsonl", *names, status=2)
            self.assertIn('litmus/race/SB.litmus and litmus/relaxed/SB.litmus both have a test "SB', err)
        self.assertFalse((self.folder / "all.jsonl").exists())
        self.run_program("run", *FEW, "litmus/race/SB.litmus", status=SILENT)

    def test_lock_of_a_killed_run(self):
        first = self.begin()
        first.kill()
        first.communicate()
        self.run_program("run", *FEW, "--no-wait", "SB", status=3)

    def test_shards(self):
        self.many(8)
        names = self.run_program("list")[0].splitlines()
        shards = [self.run_program("list", "--shard", f"{k}/3")[0].splitlines() for k in (1, 2, 3)]
        self.assertEqual(sorted(sum(shards, [])), sorted(names))
        self.assertTrue(all(shards), "each has some of the four files")
        files = [{name.partition(".")[0] for name in shard} for shard in shards]
        self.assertEqual(sum(map(len, files)), len(set().union(*files)), "no test without its control")
        for k in (1, 2, 3):
            out, _ = self.run_program("list", "--shard", f"{k}/3", shards[1][0], status=None)
            self.assertEqual(out.split(), shards[1][:1] if k == 2 else [], "whatever else is chosen")
        for variables in ({"TEST_SHARD_INDEX": "1", "TEST_TOTAL_SHARDS": "3"},
                          {"CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"},
                          {"SLURM_ARRAY_TASK_ID": "6", "SLURM_ARRAY_TASK_MIN": "5",
                           "SLURM_ARRAY_TASK_COUNT": "3"}):
            self.run_program("run", *FEW, "-o", "shard.jsonl", environment=self.environment(**variables), status=SILENT)
            self.assertEqual(self.recorded("shard.jsonl"), shards[1])
        _, err = self.run_program("run", *FEW, "--shard", "2/3", environment=self.environment(
            TEST_SHARD_INDEX="0", TEST_TOTAL_SHARDS="3"), status=SILENT)
        self.assertIn(f"shard 2/3: {len(shards[1])} tests", err)

    def test_shards_that_are_none(self):
        for value in ("0/3", "4/3", "1", "1/", "/3", "a/b", "1/3x", "-1/3"):
            self.run_program("run", "--shard", value, "SB", status=2)
        _, err = self.run_program("run", "SB", status=2, environment=self.environment(
            TEST_SHARD_INDEX="3", TEST_TOTAL_SHARDS="3"))
        self.assertIn("TEST_SHARD_INDEX=3", err)

    def test_empty_shard(self):
        for shard in range(1, 4):
            if not self.run_program("list", "--shard", f"{shard}/3", "SB", status=None)[0]:
                out, _ = self.run_program("run", *FEW, "--shard", f"{shard}/3", "SB", status=77)
                self.assertIn("0 tests", out)
                return
        self.fail("one test in three shards")

    def test_nothing_applies(self):
        self.write("litmus/svm/HOST.litmus", HOST)
        self.write("litmus/svm/HOST-2.litmus", HOST.replace("OPENCL HOST", "OPENCL HOST-2"))
        out, _ = self.run_program("run", *FEW, "--output", "all.jsonl", "--output", "all.xml", "HOST*", status=77)
        self.assertRegex(out, r"(?m)^skip +HOST +\S")
        self.assertRegex(self.read("all.xml"), r'<testsuite [^>]*tests="2" failures="0" errors="0" skipped="2"')
        end = self.whole_lines("all.jsonl")[-1]
        self.assertEqual((end["verdicts"]["skip"], end["verdicts"]["pass"], end["exit"]), (2, 0, 77))
        record = next(r for r in self.whole_lines("all.jsonl") if r["type"] == "test")
        self.assertEqual((record["verdict"], record["message"]), ("skip", "a role for a device"))


class Probes(Runs):
    def accepts(self):
        out, err = self.run_program("devices", "--verbose", "--json",
                                    environment=self.environment(XDG_CACHE_HOME=str(self.folder), **compiler_cache()))
        self.assertEqual(err, "", "compilers keep their complaints to themselves")
        return self.lines_of_json(out)[0]["accepts"]

    def test_asked_once(self):
        asked = self.accepts()
        self.assertIn("rlx", asked["CL3.0"]["atomic global"]["wg"] + asked["CL2.0"]["atomic global"]["wg"])
        files = list((self.folder / "oclmm").iterdir())
        self.assertGreaterEqual(len(files), 1)
        for file in files:
            cached = json.loads(file.read_text())
            for standard in cached["accepts"].values():
                standard["fence local"]["dev"] = ["acq_rel"]
            file.write_text(json.dumps(cached))
        remembered = self.accepts()
        self.assertEqual(remembered["CL3.0"]["fence local"]["dev"], ["acq_rel"], "from the cache")
        for file in files:
            file.write_text(file.read_text()[:-20])
        self.assertEqual(self.accepts(), asked, "a damaged cache is not used")
        self.assertEqual([json.loads(file.read_text())["format"] for file in files], [1] * len(files))

    def test_table_and_claims_agree(self):
        self.write("oclmm", "a file where the cache's folder should be")
        out, _ = self.run_program("devices", "--verbose",
                                  environment=self.environment(XDG_CACHE_HOME=str(self.folder), **compiler_cache()))
        self.assertRegex(out, r"(?m)^ +C +use +scope +rlx +acq +rel +acq_rel +sc$")
        self.assertRegex(out, r"(?m)^ +CL\d.0 +atomic global +wg +(claimed|accepted)")


class Rusticl(Runs):
    """A device that claims relaxed order and work-group scope only, but builds more."""

    def test_claims_are_kept_apart(self):
        if not os.path.exists(f"{VENDORS}/rusticl.icd"):
            self.skipTest("no rusticl")
        environment = self.environment(RUSTICL_ENABLE="llvmpipe", OCL_ICD_VENDORS=f"{VENDORS}/rusticl.icd")
        found = subprocess.run([common.PROGRAM, "devices", "--json"], env=environment, capture_output=True,
                               text=True)
        if found.returncode != 0 or "llvmpipe" not in found.stdout:
            self.skipTest("rusticl has no llvmpipe")
        self.write("litmus/relaxed/WG.litmus",
                   SB.replace("OPENCL SB", "OPENCL WG").replace("scope_device", "scope_work_group")
                   .replace("@wg 1", "@wg 0").replace("seq_cst", "acq_rel").replace(
                       "vary order: memory_order_relaxed => memory_order_acq_rel\n\n", ""))
        self.run_program("run", "--instances", "2000", "--output", "all.jsonl", environment=environment, status=(0, 3))
        records = {r["test"]: r for r in self.whole_lines("all.jsonl") if r["type"] == "test"}
        self.assertEqual((records["WG"]["class"], records["WG"]["gates"]), ("claimed", True))
        self.assertEqual(records["WG"]["verdict"], "pass")
        self.assertGreaterEqual(records["WG"]["instances"], 2000)
        for name in ("SB", "SB.order=sc"):
            self.assertNotEqual(records[name]["class"], "claimed", name)
            self.assertFalse(records[name]["gates"], name)
        self.assertEqual(records["RACE"]["verdict"], "undefined")
        # with nothing claimed there is nothing to gate
        self.run_program("run", "--instances", "2000", "SB*", status=77, environment=environment)


common.main_on_device()
