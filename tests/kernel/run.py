#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`oclmm run` of whole kernels on a device: verdicts, exit statuses, counts.

usage: run.py OCLMM

A device that is wrong is had by options that its compiler alone is given: the oracle reads the file without them.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77
PLAIN = """// oclmm: --global 2 --local 1 --arg x=0,0 --ask 'x[0] + x[1] == 3' --ask 'x[0] == 7'
kernel void k(global int *x) {
#ifdef BUG
	x[get_global_id(0)] = get_global_id(0) ? 7 : 1;
#else
	x[get_global_id(0)] = get_global_id(0) + 1;
#endif
}
"""
# Every kind of parameter, in three dimensions and with an offset.
ALL = """// oclmm: --global 2,2,2 --local 2,1,1 --offset 1,2,3 --arg x=0*8 --arg n=5 --arg c=-7 --arg l=2 --arg t=1,2 --arg f=1.5
// oclmm: --ask 'x[0] == 314 && x[7] == 424' --ask 'x[1] != 314'
kernel void k(global int *x, int n, char c, local int *l, constant int *t, float f)
{
	int at = (get_global_id(2) - 3) * 4 + (get_global_id(1) - 2) * 2 + get_global_id(0) - 1;

	l[get_local_id(0)] = t[get_local_id(0)] + n + c + (int)(f * 2);
	barrier(CLK_LOCAL_MEM_FENCE);
	x[at] = get_global_id(2) * 100 + (get_global_id(1) - 2) * 10 + l[1 - get_local_id(0)] + 11 + get_global_id(0) - 1;
}
"""
RACE = "// oclmm: --global 2 --local 1 --arg x=0 --ask 'x == 1'\nkernel void k(global int *x) {\n\t*x = get_global_id(0);\n}\n"
HANGS = """// oclmm: --global 1 --arg x=0 --ask 'x == 1'
kernel void k(global atomic_int *x) {
	while (atomic_load_explicit(x, memory_order_relaxed, memory_scope_device) == 0)
		;
}
"""


class Run(unittest.TestCase):
    oclmm = None

    def run_text(self, text, *options, environment=None):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "k.cl").write_text(text, encoding="utf-8")
            return subprocess.run([self.oclmm, "run", "k.cl", *options], capture_output=True, text=True, check=False, timeout=400, cwd=folder,
                                  env={**os.environ, **(environment or {})})

    def test_pass(self):
        done = self.run_text(PLAIN, "--instances", "700", "--seed", "5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^k\.cl: k on .*: pass$")
        self.assertIn("700 launches of 2 work-items in groups of 1", done.stdout)
        self.assertIn("--seed 5\n", done.stdout)
        self.assertIn("the outcome that you asked for, x[0] + x[1] == 3, is allowed and was seen 700 times\n", done.stdout)
        self.assertIn("the outcome that you asked for, x[0] == 7, is forbidden and was never seen\n", done.stdout)

    def test_a_device_that_is_wrong(self):
        done = self.run_text(PLAIN, "-n", "20", environment={"OCLMM_BUILD_OPTIONS": "-DBUG"})
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^k\.cl: k on .*: forbidden$")
        self.assertIn("forbidden, and seen 20 times: x[0]=1; x[1]=7;", done.stdout)

    def test_json(self):
        done = self.run_text(PLAIN, "-n", "20", "--format", "json", environment={"OCLMM_BUILD_OPTIONS": "-DBUG"})
        record = json.loads(done.stdout)
        self.assertEqual((record["type"], record["verdict"], record["launches"], record["others"]), ("kernel", "forbidden", 20, 0))
        self.assertEqual([(ask["status"], ask["count"]) for ask in record["asks"]], [("allowed", 0), ("forbidden", 0)])
        self.assertEqual(record["outcomes"], [{"values": "x[0]=1; x[1]=7;", "count": 20, "status": "forbidden"}])

    def test_each_kind_of_parameter(self):
        done = self.run_text(ALL, "-n", "50")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("is allowed and was seen 50 times", done.stdout)
        self.assertIn("50 launches of 2x2x2 work-items in groups of 2x1x1", done.stdout)
        self.assertIn("x[1] != 314, is forbidden and was never seen", done.stdout)

    def test_options_of_the_file(self):
        done = self.run_text("// oclmm: -DN=4\n" + RACE.replace("--global 2", "--global 1").replace("get_global_id(0)", "N").replace("== 1", "== 4"), "-n", "9")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("was seen 9 times", done.stdout)

    def test_undefined(self):
        done = self.run_text(RACE, "-n", "50")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^k\.cl: k on .*: undefined$")
        self.assertIn("the kernel has a data race at line 3", done.stdout)

    def test_a_kernel_that_does_not_end(self):
        done = self.run_text(HANGS, "--timeout", "2")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("a launch did not end within", done.stdout)
        self.assertIn("the model lets the kernel wait for ever", done.stdout)

    def test_nothing_asked(self):
        done = self.run_text(PLAIN.split("\n", 1)[1], "--global", "2", "--arg", "x=0,0", "-n", "5")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("nothing is asked", done.stdout)

    def test_what_the_device_refuses(self):
        done = self.run_text(PLAIN + "#ifdef BUG\n#error not here\n#endif\n", "-n", "5", environment={"OCLMM_BUILD_OPTIONS": "-DBUG"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("oclmm run: k.cl: the device's compiler: ", done.stderr)
        self.assertIn("not here", done.stderr)
        # groups that do not divide the range are for devices that say so
        done = self.run_text("// oclmm: --global 3 --local 2 --arg x=0*3 --ask 'x[2] == 1 && x[1] == 2'\nkernel void k(global int *x) { x[get_global_id(0)] = get_local_size(0); }\n",
                             "-n", "5")
        if done.returncode:
            self.assertEqual(done.stderr, "oclmm run: k.cl: 3 work-items in groups of 2: this device takes whole groups\n")
        else:
            self.assertIn("is allowed and was seen 5 times", done.stdout)

    def test_refusals(self):
        kept = "global int total;\nkernel void k(global int *x) { total++; *x = total; }\n// oclmm: --global 1 --arg x=0 --ask 'x == 1'\n"
        local = "kernel void k(local int *x) { *x = 1; }\n// oclmm: --global 1 --arg x=1 --ask 'x == 1'\n"
        for text, options, words in (
            (kept, [], "the variable total at program scope keeps its value"),
            (local, [], "no host sees x behind a launch"),
            (PLAIN, ["--all"], "of a kernel's file, only"),
            (PLAIN, ["--artifacts", "folder"], "of a kernel's file, only"),
            (PLAIN, ["--output", "k.html"], "is not one of"),
            (PLAIN, ["SB+rlx+rlx"], "either kernels or litmus files"),
        ):
            done = self.run_text(text, *options)
            self.assertEqual(done.returncode, 2, (text, options))
            self.assertIn(words, done.stderr)

    def test_a_folder_with_a_blank(self):
        """A driver cannot be told of one; it has to know the folder where the file includes something."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a b")
            path.mkdir()
            (path / "v.h").write_text("#define V 1\n", encoding="utf-8")
            launch = "// oclmm: --global 1 --arg x=0 --ask 'x == 1'\n"
            (path / "alone.cl").write_text(launch + "kernel void k(global int *x) { *x = 1; }\n", encoding="utf-8")
            (path / "with.cl").write_text(launch + '#include "v.h"\nkernel void k(global int *x) { *x = V; }\n', encoding="utf-8")
            for name, folder_of, status in (("alone.cl", "a b", 0), ("with.cl", "a b", 2), ("with.cl", "a", 0)):
                if folder_of == "a":
                    path.rename(pathlib.Path(folder, "a"))
                done = subprocess.run([self.oclmm, "run", f"{folder_of}/{name}", "-n", "5"], capture_output=True, text=True, check=False, timeout=400, cwd=folder)
                self.assertEqual(done.returncode, status, done.stdout + done.stderr)
                self.assertEqual("a folder with a blank or a quote" in done.stderr, status == 2)

    def in_folder(self, folder, *words, status=0, bug=False):
        done = subprocess.run([self.oclmm, *words], capture_output=True, text=True, check=False, timeout=400, cwd=folder,
                              env={**os.environ, **({"OCLMM_BUILD_OPTIONS": "-DBUG"} if bug else {})})
        self.assertEqual(done.returncode, status, (words, done.stdout, done.stderr))
        return done.stdout

    def test_records(self):
        # of a right device and of a wrong one: the same verdicts from the file as from the run
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "k.cl").write_text(PLAIN, encoding="utf-8")
            self.in_folder(folder, "run", "k.cl", "-n", "30", "--seed", "5", "-o", "right.jsonl", "-o", "right.txt")
            self.in_folder(folder, "run", "k.cl", "-n", "20", "-o", "wrong.jsonl", "-o", "wrong.xml", "-o", "wrong.tap", status=1, bug=True)
            record = json.loads((path / "right.jsonl").read_text(encoding="utf-8").splitlines()[1])
            self.assertEqual((record["test"], record["file"], record["family"], record["instances"]), ("k.cl", "k.cl", "kernel", 30))
            self.assertEqual(record["outcomes"], [{"values": {"x[0]": 1, "x[1]": 2}, "count": 30, "status": "allowed", "witness": True}])
            self.assertIn("Condition exists (x[0]=1 /\\ x[1]=2) is validated", (path / "right.txt").read_text(encoding="utf-8"))
            self.assertIn("1 test, at least 30 instances each, seed 5", self.in_folder(folder, "grade", "right.jsonl"))
            graded = self.in_folder(folder, "grade", "wrong.jsonl", status=1)
            for line in ("FORBIDDEN    k.cl", "20 x x[0]=1; x[1]=7; # !! forbidden", "explain: oclmm explain k.cl --ask 'x[0] == 1 && x[1] == 7'"):
                self.assertIn(line, graded)
            self.assertIn("export: oclmm export k.cl\n", graded)
            self.in_folder(folder, "export", "k.cl")
            self.assertTrue((path / "k.c").exists())
            for name in ("wrong.xml", "wrong.tap"):
                self.assertIn("oclmm explain k.cl --ask 'x[0] == 1 ", (path / name).read_text(encoding="utf-8"))
            self.assertIn("Condition x[0] == 1 && x[1] == 7\nObservation k Never 0 1\n", self.in_folder(folder, "explain", "k.cl", "--ask", "x[0] == 1 && x[1] == 7"))
            self.assertIn("shows the forbidden outcome x[0]=1; x[1]=7;, 20 of 20", self.in_folder(folder, "compare", "right.jsonl", "wrong.jsonl", status=1))
            self.in_folder(folder, "merge", "right.jsonl", "wrong.jsonl", "-o", "both.jsonl")
            self.assertIn("of 2 tests that can fail", self.in_folder(folder, "grade", "both.jsonl", status=1))
            self.in_folder(folder, "report", "both.jsonl", "-o", "page.html")
            self.assertIn("k.cl", (path / "page.html").read_text(encoding="utf-8"))

    def test_records_of_another_launch(self):
        # a record's name has the options that were given; what is included is part of the kernel
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "k.cl").write_text('#include "k.h"\n' + PLAIN.replace("+ 1;", "+ ONE;").replace("x[0] == 7", "x[0] == -7"), encoding="utf-8")
            (path / "k.h").write_text("#define ONE 1\n", encoding="utf-8")
            self.in_folder(folder, "run", "k.cl", "--ask", "x[0] == 1 || x[1] == -2", "--arg", "x=0,4294967295", "-n", "20", "-o", "r.jsonl")
            graded = self.in_folder(folder, "grade", "r.jsonl")
            self.assertIn("k.cl --arg 'x=0,4294967295' --ask 'x[0] == 1 || x[1] == -2'", graded)
            (path / "k.h").write_text("// the same\n#define ONE 1\n", encoding="utf-8")
            self.assertEqual(self.in_folder(folder, "grade", "r.jsonl"), graded)
            (path / "k.h").write_text("#define ONE 2\n", encoding="utf-8")
            self.assertIn("the kernel was changed since it ran", self.in_folder(folder, "grade", "r.jsonl", status=99))
            (path / "k.cl").unlink()
            self.assertIn("the kernel cannot be asked about now", self.in_folder(folder, "grade", "r.jsonl", status=99))

    def test_records_of_what_has_no_verdict(self):
        # a race, and a launch that does not end: from the file as from the run
        for text, options, word in ((RACE, ["-n", "20"], "undefined"), (HANGS, ["--timeout", "2"], "inconclusive")):
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "k.cl").write_text(text, encoding="utf-8")
                self.in_folder(folder, "run", "k.cl", *options, "-o", "r.jsonl", status=3)
                graded = self.in_folder(folder, "grade", "r.jsonl", status=3)
                self.assertRegex(graded, rf"(?m)^{word} +k\.cl")
                self.assertNotIn(", 0 instances each", graded)

    def test_formats(self):
        for name, words in (("junit", 'testcase name="k.cl"'), ("tap", "\nok 1 - k.cl"), ("cts", '"k.cl"'), ("github", "")):
            done = self.run_text(PLAIN, "-n", "10", "--format", name)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(words, done.stdout)

    def test_two_files(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a.cl").write_text(RACE, encoding="utf-8")
            (pathlib.Path(folder) / "b.cl").write_text(PLAIN, encoding="utf-8")
            done = subprocess.run([self.oclmm, "run", "a.cl", "b.cl", "-n", "5"], capture_output=True, text=True, check=False, timeout=400,
                                  cwd=folder, env={**os.environ, "OCLMM_BUILD_OPTIONS": "-DBUG"})
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual([line.split()[-1] for line in done.stdout.splitlines() if not line.startswith(" ")], ["undefined", "forbidden"])


def main():
    Run.oclmm = str(pathlib.Path(sys.argv.pop(1)).resolve())
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "k.cl").write_text(PLAIN, encoding="utf-8")
        if subprocess.run([Run.oclmm, "run", "k.cl", "-n", "1"], cwd=folder, capture_output=True, check=False).returncode == SKIPPED:
            sys.exit(SKIPPED)
    unittest.main()


if __name__ == "__main__":
    main()
