#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Litmus tests of too many executions to be enumerated get an answer all the same.

usage: large.py OCLMM
"""
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import unittest

SECONDS, KILOBYTES = 40, 1 << 20  # of one answer; a busy machine gives it time that is not its own


def test(name, places, lines, condition, unroll=""):
    """A litmus file with a thread for each list of lines."""
    threads = "".join(f"P{n}@wg {n}, dev 0 (global {places[1]} *{places[0]}) {{\n  " + "\n  ".join(body) + "\n}\n\n" for n, body in enumerate(lines))
    return f"OPENCL {name}\n\n{unroll}\n\n{{\n{places[0]}[4] = {{0, 0, 0, 0}};\n}}\n\n{threads}exists ({condition})\n"


def stores_and_loads(threads, length):
    return [[f"atomic_store(&a[{(t + i) % 4}], {t + 1});" if i % 2 == 0 else f"int r{i} = atomic_load(&a[{(t + i + 1) % 4}]);"
             for i in range(length)] for t in range(threads)]


def updates(threads, length):
    return [[f"int r{i} = atomic_fetch_add_explicit(&a[0], 1, memory_order_relaxed, memory_scope_device);" for i in range(length)]
            for _ in range(threads)]


def sums(threads, length, places):
    """Each thread writes and reads, and adds up what nobody asks for."""
    return [["int sum = 0;"] + [f"atomic_store(&a[{i % places}], {t * length + i + 1});" if i % 2 == 0 else f"sum += atomic_load(&a[{(i + 1) % places}]);"
                                for i in range(length)] + ["int last = sum;"] for t in range(threads)]


SLOTS = ["uint s = a[0] % 2;", "do {", "  while (atomic_cmpxchg(&a[s], 0, 1) == 1);", "  if (a[2 + s] == 0) { a[2 + s] = 5; atomic_xchg(&a[s], 0); break; }",
         "  atomic_xchg(&a[s], 0);", "  s = (s + 1) % 2;", "} while (s != 0);"]
UPDATES = test("large", ("a", "atomic_int"), updates(4, 6), "a[0]=24")
LARGE = [
    ("4 x 8 seq_cst", test("large", ("a", "atomic_int"), stores_and_loads(4, 8), "0:r1=0 /\\ 1:r1=0"), r"large Sometimes 1 3\n"),
    ("6 x 4 seq_cst", test("large", ("a", "atomic_int"), stores_and_loads(6, 4), "0:r1=0 /\\ 1:r1=0"), r"large Sometimes 1 8\n"),
    # the last write is that of any thread
    ("4 x 8 seq_cst with sums", test("large", ("a", "atomic_int"), sums(4, 8, 1), "a[0]=7"), r"large Sometimes 1 3\n"),
    ("6 x 4 seq_cst with sums", test("large", ("a", "atomic_int"), sums(6, 4, 1), "a[0]=3"), r"large Sometimes 1 5\n"),
    ("4 x 6 updates", UPDATES, r"large Always 1 0\n"),
    ("probing under locks", test("large", ("a", "uint"), [SLOTS, SLOTS], "a[2]=0", "unroll 1"), r"large Undefined 0 0\n(.*\n)*Undefined=data race in opencl-2.1: P0 line \d+ `.*` and P1 line"),
]


def fences(read):
    """A fence of the work-group reads one of the device, where all are of a work-group: 3.1 alone has them synchronize. Two more make it large."""
    wide = "memory_order_relaxed, memory_scope_device"
    adds = [f"int u{i} = atomic_fetch_add_explicit(&a[0], 1, {wide});" for i in range(6)]
    lines = [[f"atomic_store_explicit(&a[1], 1, {wide});", "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group);",
              f"atomic_store_explicit(&a[2], 1, {wide});", *adds],
             [f"int r0 = atomic_load_explicit(&a[2], {wide});", "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);",
              f"int r1 = atomic_load_explicit(&a[{read}], {wide});", *adds], adds, adds]
    return re.sub("@wg [0-9]", "@wg 0", test("large", ("a", "atomic_int"), lines, "1:r0=1 /\\ 1:r1=0"))


class Large(unittest.TestCase):
    oclmm = None

    def test_answers(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text, wanted in LARGE:
                with self.subTest(name):
                    path = pathlib.Path(folder) / "large.litmus"
                    path.write_text(text, encoding="utf-8")
                    before = resource.getrusage(resource.RUSAGE_CHILDREN)
                    done = subprocess.run([self.oclmm, "check", str(path)], capture_output=True, text=True, check=False, timeout=400)
                    after = resource.getrusage(resource.RUSAGE_CHILDREN)
                    self.assertRegex(done.stdout, wanted, done.stderr)
                    self.assertEqual(done.returncode, 0)
                    self.assertLess(after.ru_utime - before.ru_utime, SECONDS)
                    self.assertLess(after.ru_maxrss, KILOBYTES)

    def test_ends_where_a_search_would_not(self):
        """What states tell stands long before there is no time left, where executions are far too many for a search."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "large.litmus"
            path.write_text(UPDATES, encoding="utf-8")
            self.assertIn("large Always 1 0", self.ask("check", "--time-limit", "300", path))

    def test_says_under_which_readings(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "large.litmus"
            path.write_text(UPDATES, encoding="utf-8")
            done = subprocess.run([self.oclmm, "check", "--time-limit", "2", str(path)], capture_output=True, text=True, check=False, timeout=400)
            self.assertTrue(re.search("^Readings=opencl-2.1 and opencl-3.1 without alternatives", done.stdout, re.M), done.stdout + done.stderr)
            # what 3.1 alone orders forbids nothing, or does
            path.write_text(fences(3), encoding="utf-8")
            done = subprocess.run([self.oclmm, "check", "--time-limit", "40", str(path)], capture_output=True, text=True, check=False, timeout=400)
            self.assertRegex(done.stdout, "large Sometimes 1 1\n(.*\n)*Readings=opencl-2.1 and opencl-3.1 without alternatives", done.stderr)
            path.write_text(fences(1), encoding="utf-8")
            done = subprocess.run([self.oclmm, "check", "--time-limit", "3", str(path)], capture_output=True, text=True, check=False, timeout=400)
            self.assertEqual((done.returncode, done.stdout), (99, ""))
            path.write_text(UPDATES, encoding="utf-8")
            # a model that was named is answered by executions or not at all
            done = subprocess.run([self.oclmm, "check", "--time-limit", "1", "--model", "opencl-2.0", str(path)], capture_output=True, text=True,
                                  check=False, timeout=400)
            self.assertEqual(done.returncode, 99)


    def test_every_command_names_the_race(self):
        """Executions are too many for a search; the first accesses race, whatever follows."""
        # a loop that goes on while nobody else changes the cell, and one whose paths are too many
        updates = ["int o = a[0];", "int n = o + 1;", "o = atomic_cmpxchg(&a[0], o, n);",
                   "while (o == a[0]) { o = a[0]; n = o + 1; o = atomic_cmpxchg(&a[0], o, n); }"]
        for name, lines in ("updates", updates), ("slots", SLOTS):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "large.litmus"
                path.write_text(test("large", ("a", "int" if name == "updates" else "uint"), [lines, lines], "a[0]=1", "unroll 2"), encoding="utf-8")
                asked = [(command, self.ask(*command, path)) for command in
                         (("check",), ("check", "--model", "opencl-2.0"), ("check", "--model", "opencl-3.1"), ("check", "--json"), ("explain",),
                          ("explain", "--json"), ("export", "--no-search", "--output", "-"))]
                pair = re.search(r"data race in opencl-2.1: P0 line (\d+) `.*` and P1 line (\d+) `", asked[0][1])
                self.assertTrue(pair, asked[0][1])
                first, second = pair.groups()
                for command, said in asked:
                    with self.subTest(command):
                        self.assertRegex(said, "(?i)undefined")
                        self.assertRegex(said, fr'(?s)(P0,? (in )?line |"line": ?){first}\b.*(P1,? (in )?line |"line": ?){second}\b')
                verdict = json.loads(asked[3][1])["models"]
                self.assertEqual({model["observation"] for model in verdict.values()}, {"Undefined"})
                self.assertEqual(verdict["consensus"]["states"], [])

    def ask(self, *command):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([self.oclmm, *map(str, command)], capture_output=True, text=True, check=False, timeout=400)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(after.ru_utime - before.ru_utime, 3)
        return done.stdout

    def test_a_sound_one_is_not_called_undefined(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "large.litmus"
            path.write_text(UPDATES, encoding="utf-8")
            done = subprocess.run([self.oclmm, "explain", "--time-limit", "2", str(path)], capture_output=True, text=True, check=False, timeout=400)
            self.assertEqual((done.returncode, done.stdout), (99, ""))


if __name__ == "__main__":
    Large.oclmm = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
