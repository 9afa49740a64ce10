# SPDX-License-Identifier: Apache-2.0
"""What others wrote, as a gate meets it: results, names and lists that mean harm or are broken."""

import json
import os
import pathlib
import re
import resource
import subprocess
import unittest

import common
from harm import HARM, check_lines, check_markup
from saved_results import ResultsCase

# A sanitizer needs files and a stack of its own, and twice the memory; and with strict_string_checks it goes through
# the rest of a file for each number that is read.
SANITIZED = b"__asan_init" in pathlib.Path(common.PROGRAM).read_bytes()


def spoilt(text):
    """A string with all the harm, which begins with a command of a build service."""
    return "::warning::" + text + HARM + "'; touch /tmp/harm; '"


class Hostile(ResultsCase):
    def hostile_records(self):
        names = {key: spoilt(key) for key in ("platform", "device", "driver", "device_version", "file", "family",
                                              "environment", "message", "build_log", "build_options", "oracle",
                                              "control")}
        strong = self.record("STRONG", [3, 1, 1, 1], ended="ok", **names)
        weak = self.record("STRONG.order=rlx", [5, 1, 1, 1], **names)
        gone = self.record(spoilt("gone"), [1, 1, 1, 1], **names)
        for row in gone["outcomes"]:
            row["values"] = {spoilt("0:r0"): row["values"]["0:r0"], "1:r0": row["values"]["1:r0"]}
        crash = self.record(spoilt("SB"), [0, 0, 0, 0], **{**names, "ended": "crash", "outcomes": []})
        return [strong, weak, gone, crash]

    def hostile(self, path="hostile.jsonl", **more):
        header = {key: spoilt(key) for key in ("tool", "platform", "device", "driver", "version", "profile")}
        return self.results(path, self.hostile_records(), **header, **more)

    def test_reports_stay_what_they_are(self):
        self.hostile()
        for kind in self.formats():
            out, err = self.run_program("grade", "--format", kind, "hostile.jsonl", status=1)
            if kind == "json":
                self.assertGreater(len([json.loads(line) for line in out.split("\n")[:-1]]), 4)
                continue
            (check_markup if kind == "junit" else check_lines)(self, kind, out)
            check_lines(self, kind, err)
            self.assertIn("\\x1b[2J", out, "what was there is seen")
        out, err = self.run_program("grade", "--annotations", "github", "hostile.jsonl", status=1)
        check_lines(self, "annotations", out + err)
        self.run_program("grade", "hostile.jsonl", "--output", "all.xml", status=None)
        self.run_program("report", "hostile.jsonl", "--output", "all.html")
        for path in ("all.xml", "all.html"):
            check_markup(self, path, self.read(path))

    def test_comparing(self):
        self.hostile()
        good = [self.record("STRONG", [0, 1, 1, 1]), self.record("SB", [0, 1, 1, 1])]
        self.results("good.jsonl", good)
        for pair in (("good.jsonl", "hostile.jsonl"), ("hostile.jsonl", "good.jsonl")):
            out, err = self.run_program("compare", "--all", *pair, status=None)
            check_lines(self, " ".join(pair), out + err)

    def test_errors_show_what_they_refuse(self):
        self.write("bad.jsonl", '{"type":"run","tool":"\x1b[2J"}\n::error::x\n')
        self.write("bad.expectations", "\x1b[2J | * | * | nothing\x07 | * | why | 2027-01-31\n")
        self.write("x/\x1b[2J\n::error::y.litmus", "OPENCL \n")
        self.results("good.jsonl", [self.record("SB", [0, 1, 1, 1])])
        for arguments in (("grade", "bad.jsonl"), ("grade", "good.jsonl", "--expectations", "bad.expectations"),
                          ("check", "x"), ("list", "x/\x1b[2J\n::error::y.litmus"), ("grade", "no\x1b[2J\n::error::z"),
                          ("grade", "--forma\x1b[2J"), ("list", "SB\x1b[2J\nok 99")):
            out, err = self.run_program(*arguments, status=2)
            check_lines(self, arguments, out + err)
            self.assertNotEqual(err, "")

    def test_names_of_files(self):
        """Folders of a pull request may be called anything."""
        self.write("litmus/odd\x1b[2J\n::error::z/SB2.litmus", common.SB.replace("OPENCL SB", "OPENCL SB2"))
        for arguments in (("list",), ("list", "--files"), ("list", "--details"), ("check", "--write"), ("check", "--verify")):
            out, err = self.run_program(*arguments, status=None)
            check_lines(self, arguments, out + err)


    def refused(self, *arguments, says, status=2):
        """At once: links of two folders to each other were followed until the run was killed."""
        out, err = self.run_program(*arguments, status=status)
        self.assertIn(says, out + err)

    def test_links_of_folders(self):
        """A folder is read once: by two names its tests would be there twice, or hidden by those of the other."""
        place = self.folder / "litmus/relaxed"
        for name, target, says in (("self", ".", "litmus/relaxed/self is the same folder as litmus/relaxed"),
                                   ("up", "../..", "litmus/relaxed/up/litmus is the same folder as litmus"),
                                   ("race", "../race", "litmus/relaxed/race is the same folder as litmus/race")):
            (place / name).symlink_to(target)
            for arguments in (("list",), ("check", "*"), ("run", "--no-wait"), ("show", "litmus")):
                self.refused(*arguments, says=says)
            (place / name).unlink()
        outside = self.write("outside/t/SB3.litmus", common.SB.replace("OPENCL SB", "OPENCL SB3")).parent
        (place / "once").symlink_to(outside)
        self.assertIn("SB3\n", self.run_program("list")[0])
        self.write("litmus/" + "d/" * 17 + "SB2.litmus", common.SB.replace("OPENCL SB", "OPENCL SB2"))
        self.refused("list", says="more than 16 folders below each other")

    def test_what_is_no_file(self):
        """Reading what stands in a tree does not wait for whoever writes to a pipe, or for the end of a device."""
        for make in (os.mkfifo, lambda path: path.symlink_to("/dev/zero")):
            path = self.folder / "litmus/relaxed/odd.litmus"
            make(path)
            self.refused("check", "*", says="litmus/relaxed/odd.litmus is no regular file")
            path.unlink()
            self.run_program("check", "--write")
            path = self.folder / "expected/relaxed/SB.expected"
            path.unlink()
            make(path)
            self.refused("check", "--verify", says="SB.expected is no regular file", status=1)
            self.refused("check", "--write", says="it is no regular file", status=99)
            path.unlink()

    def test_links_of_expected_sets(self):
        """Nothing is written through a link, which may lead out of the tree."""
        kept = self.write("kept", "mine\n")
        (self.folder / "expected/relaxed").mkdir(parents=True)
        (self.folder / "expected/relaxed/SB.expected").symlink_to(kept)
        self.refused("check", "--write", says="it is no regular file", status=99)
        self.assertEqual(kept.read_text(), "mine\n")

    def test_patterns_of_expectations(self):
        """Extended globs of the shell are no patterns: nested, they took minutes."""
        self.results("r.jsonl", [self.record("SB", [0, 1, 1, 1], device="a" * 40)], device="a" * 40)
        self.write("nested", f"{'+(' * 6}a{')' * 6}b | * | * | crash | * | why | 2099-01-31\n")
        self.write("stars", f"{'*a' * 100}*b | * | * | crash | * | why | 2099-01-31\n")
        for name in ("nested", "stars"):
            self.run_program("grade", "r.jsonl", "--expectations", name, status=3)

    def test_large_files(self):
        """Time and memory grow with the file, and what has no end is refused."""
        rows = [{"values": {"0:r0": k, "1:r0": 0}, "count": 1, "status": "allowed", "witness": False}
                for k in range(2000 if SANITIZED else 20000)]
        many = self.record("SB", [1, 1, 1, 1])
        many.update(outcomes=rows, instances=len(rows))
        self.results("rows.jsonl", [many])
        self.results("few.jsonl", [self.record("SB", [1, 1, 1, 1])])
        out, _ = self.run_program("compare", "--all", "few.jsonl", "rows.jsonl")
        self.assertIn("1 in both", out)
        self.results("families.jsonl", [self.record(f"x{k}", [1, 1, 1, 1], family=f"f{k}") for k in range(5000)])
        out, _ = self.run_program("grade", "families.jsonl", status=99)
        self.assertRegex(out, r"(?m)^\(others\) +4000 ")
        names = [f"d{k}" for k in range(300)]
        for name in names:
            self.results(name, [self.record("SB", [1, 1, 1, 1], device=name)], device=name)
        _, err = self.run_program("report", *names, "-o", "all.html", status=2)
        self.assertIn("more than a page shows", err)
        self.assertFalse((self.folder / "all.html").exists())
        self.write("long", "* | * | SB | crash | * | why | 2099-01-31\n" * 30000)
        _, err = self.run_program("grade", "few.jsonl", "--expectations", "long", status=2)
        self.assertIn("the file is larger than", err)
        if not SANITIZED:
            _, err = self.run_program("grade", "/dev/zero", status=2)
            self.assertIn("File too large", err)


class Machine(ResultsCase):
    """A machine that gives too little: every command ends by itself, and says why when it fails."""

    def commands(self):
        self.results("r.jsonl", [self.record("STRONG.order=rlx", [0, 1, 1, 1]), self.record("SB", [1, 1, 1, 1])])
        yield from (("list",), ("check", "SB"), ("show", "SB"), ("explain", "SB"), ("grade", "r.jsonl"),
                    ("compare", "r.jsonl", "r.jsonl"), ("merge", "r.jsonl", "-o", "m.jsonl"),
                    ("report", "r.jsonl", "-o", "r.html"), ("grade", "r.jsonl", "-o", "r.xml", "-o", "r.tap"))

    @staticmethod
    def wanted(arguments):
        """Where nothing is wrong: one test of the results cannot fail, and no launches prove the other."""
        return 3 if arguments[0] == "grade" else 0

    def ends(self, arguments, limits, *closed, **streams):
        def limit():
            for which, most in limits.items():
                resource.setrlimit(which, (most, most))
            for file in closed:
                os.close(file)
        result = subprocess.run([common.PROGRAM, *arguments], cwd=self.folder, env=self.environment(), text=True,
                                errors="replace", preexec_fn=limit, timeout=240,
                                **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                                   **streams})
        # 3: nothing in these results is proved
        self.assertIn(result.returncode, (0, 1, 2, 3, 99), f"{arguments} {limits} {result.stderr}")
        if result.returncode not in (0, 3) and result.stderr is not None:
            self.assertNotEqual(result.stderr, "", f"{arguments} {limits}")
        return result.returncode

    def test_temporary_folders_are_where_they_are_asked_for(self):
        """Of one that is not there the command says so, and does not take another."""
        ran = subprocess.run([common.PROGRAM, "shrink", "SB"], cwd=self.folder, capture_output=True, text=True, check=False,
                             env={**self.environment(), "TMPDIR": str(self.folder / "gone")})
        self.assertEqual((ran.returncode, ran.stdout), (2, ""))
        self.assertIn("no temporary folder: No such file or directory", ran.stderr)

    @unittest.skipIf(SANITIZED, "a sanitizer reserves many times this memory for itself")
    def test_large_variants(self):
        """Functions that call functions twice, in many variants: a kilobyte that took gigabytes."""
        functions = "".join(f"int f{i}(int a) {{ int r = f{i - 1}(a); int s = f{i - 1}(r); return s; }}\n"
                            for i in range(1, 12))
        axes = "".join(f"vary v{i}: a + {i} => a - {i}\n" for i in range(12))
        first = "int f0(int a) { return " + " + ".join(f"(a + {i})" for i in range(12)) + "; }\n"
        self.write("large.litmus", f"OPENCL large\n{axes}{{ [x] = 0; }}\n{first}{functions}"
                   "P0@wg 0, dev 0 (global atomic_int *x) {\n  int r0 = f11(1);\n"
                   "  atomic_store_explicit(x, r0, memory_order_relaxed, memory_scope_device);\n}\nexists ([x]=1)\n")
        limit = 1 << 30
        ran = subprocess.run([common.PROGRAM, "check", "large.litmus"], cwd=self.folder, env=self.environment(),
                             capture_output=True, text=True, check=False,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertEqual((ran.returncode, ran.stdout), (2, ""), ran.stderr)
        self.assertRegex(ran.stderr, r"large\.litmus:[0-9]+:[0-9]+: error: the variants of this file take more than 256 MiB")

    def test_few_files(self):
        for arguments in self.commands():
            statuses = [self.ends(arguments, {resource.RLIMIT_NOFILE: most}) for most in (4, 5, 6, 8, 64)]
            self.assertEqual(statuses[-1], self.wanted(arguments), arguments)

    def test_small_files(self):
        for arguments in self.commands():
            if "-o" in arguments:
                self.assertEqual(self.ends(arguments, {resource.RLIMIT_FSIZE: 64}), 99, arguments)
                for left in self.folder.glob("*.tmp"):
                    self.fail(f"{arguments} left {left}")

    @unittest.skipIf(SANITIZED, "of what a sanitizer needs itself")
    def test_short_stack(self):
        for arguments in self.commands():
            self.assertEqual(self.ends(arguments, {resource.RLIMIT_STACK: 512 << 10}), self.wanted(arguments), arguments)

    def test_streams(self):
        """What has something to say and cannot has failed, be the disk full or the stream closed."""
        informing = (("--help",), ("--version",), ("--man",), ("--completion", "bash"), ("help", "run"), ("run", "--help"))
        for arguments in (*self.commands(), *informing):
            with open("/dev/full", "w", encoding="utf-8") as full:
                self.ends(arguments, {}, stderr=full)
                statuses = {self.ends(arguments, {}, stdout=full), self.ends(arguments, {}, 1)}
            self.assertEqual(statuses, {0 if arguments[0] in ("merge", "report") else 99}, arguments)

    def test_streams_hide_no_failure(self):
        self.results("bad.jsonl", [self.record("STRONG", [1, 1, 1, 1])])
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.assertEqual(self.ends(("grade", "bad.jsonl"), {}, stdout=full), 1)
        self.assertEqual(self.ends(("grade", "bad.jsonl"), {}, 1), 1)
        self.assertEqual(self.ends(("check", "no-such-test"), {}, 1), 2)


if __name__ == "__main__":
    common.main()
