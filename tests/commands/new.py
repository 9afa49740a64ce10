# SPDX-License-Identifier: Apache-2.0
"""oclmm new: a file that is accepted, checked and explained as it stands, and what is refused.

usage: new.py PROGRAM NEW.GOLDEN
"""

import pathlib
import resource
import subprocess
import sys

import common
from common import PROGRAM, SuiteCase

GOLDEN = pathlib.Path(sys.argv.pop(1))


class New(SuiteCase):
    def files(self):
        return sorted(path.name for path in self.folder.glob("*") if path.name != "litmus")

    def test_what_is_written(self):
        out, err = self.run_program("new", "MINE")
        self.assertEqual(self.read("MINE.litmus"), GOLDEN.read_text(encoding="utf-8"))
        self.assertEqual((out, err), ("a test to change; what OpenCL says of it: oclmm check MINE.litmus\n", ""))
        self.assertEqual(self.files(), ["MINE.litmus"])

    def test_a_kernel(self):
        """Skipped where the tools that make SPIR-V are not there."""
        out, err = self.run_program("new", "--kernel", "MINE")
        self.assertEqual((out, err), ("a test to change; what OpenCL says of it: oclmm check MINE.cl\n", ""))
        self.assertEqual(self.files(), ["MINE.cl"])
        out, err = self.run_program("check", "MINE.cl", status=(0, 77))
        if "no toolchain" in err:
            self.skipTest(err)
        self.assertIn("Observation pass Never 0 2", out)
        out, _ = self.run_program("explain", "MINE.cl", "--build", "-DWEAK")
        self.assertIn("memory_order_release in place of memory_order_relaxed", out)

    def test_a_kernel_elsewhere(self):
        self.run_program("new", "--kernel", "MINE")
        for command in ("show", "list"):
            _, err = self.run_program(command, "MINE.cl", status=2)
            self.assertIn("MINE.cl is a kernel, not a litmus test", err)
            self.assertIn("oclmm check MINE.cl", err)
        for arguments, wanted in ((["generate"], "cycle"), (["grade"], "file of results"), (["merge"], "file of results"),
                                  (["report"], "file of results"), (["baseline"], "file of results"), (["compare", "MINE.cl"], "file of results")):
            _, err = self.run_program(*arguments, "MINE.cl", status=2)
            self.assertIn(f"MINE.cl is a kernel, not a {wanted}", err)
            self.assertIn("oclmm check MINE.cl", err)

    def test_is_a_test(self):
        """Its stated result is the oracle's, its control shows it, and there is a reason."""
        self.run_program("new", "MINE")
        out, _ = self.run_program("check", "MINE.litmus")
        observations = [line for line in out.splitlines() if line.startswith("Observation")]
        self.assertEqual([line.split()[1:3] for line in observations],
                         [["MINE", "Never"], ["MINE.order.rlx", "Sometimes"]])
        out, _ = self.run_program("explain", "MINE.litmus")
        self.assertIn("1:r0=1; 1:r1=0; is forbidden under every reading", out)
        out, _ = self.run_program("show", "--kernel", "MINE.litmus")
        self.assertIn("atomic_store_explicit", out)

    def test_what_it_says_can_be_typed(self):
        """The commands in its comments that need no device."""
        self.run_program("new", "MINE")
        lines = [line[2:].split() for line in self.read("MINE.litmus").splitlines() if line.startswith("//   oclmm")]
        commands = [words[1:3] for words in lines]
        self.assertEqual(commands, [[name, "MINE.litmus"] for name in ("check", "explain", "run")])
        for command in commands[:2]:
            self.run_program(*command)

    def test_in_a_folder(self):
        (self.folder / "my tests").mkdir()
        out, _ = self.run_program("new", "my tests/a+b=c.d-e_f")
        self.assertIn("oclmm check 'my tests/a+b=c.d-e_f.litmus'", out)
        self.assertTrue(self.read("my tests/a+b=c.d-e_f.litmus").startswith("OPENCL a+b=c.d-e_f\n"))
        self.run_program("check", "my tests/a+b=c.d-e_f.litmus")

    def test_leaves_what_is_there(self):
        self.write("MINE.litmus", "mine\n")
        (self.folder / "LINK.litmus").symlink_to("nowhere")
        for name in ("MINE", "LINK"):
            _, err = self.run_program("new", name, status=2)
            self.assertEqual(err, f"oclmm new: {name}.litmus is there already\n")
        self.assertEqual(self.read("MINE.litmus"), "mine\n")
        self.assertEqual(self.files(), ["LINK.litmus", "MINE.litmus"])

    def test_bad_names(self):
        for name in ("", "a b", "a{", "a\nb", "x[1]", "\u00e9", ".x", "=x", "a/", "a/ ", "a/-x", "x" * 121):
            _, err = self.run_program("new", "--", name, status=2)
            self.assertIn("is no name for a test", err, name)
            self.assertEqual(len(err.splitlines()), 1, err)
        _, err = self.run_program("new", "MINE.litmus", status=2)
        self.assertEqual(err, 'oclmm new: name the test, not its file: "MINE"\n')
        self.assertEqual(self.files(), [])
        self.run_program("new", "x" * 120)

    def test_usage(self):
        for arguments in ((), ("A", "B"), ("--name", "A"), ("-o", "A")):
            self.run_program("new", *arguments, status=2)
        self.assertEqual(self.files(), [])

    def test_cannot_write(self):
        _, err = self.run_program("new", "no/MINE", status=99)
        self.assertIn("cannot write no/MINE.litmus: ", err)

    def test_a_full_disk_leaves_nothing(self):
        def little():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        done = subprocess.run([PROGRAM, "new", "MINE"], cwd=self.folder, env=self.environment(), capture_output=True,
                              text=True, preexec_fn=little, check=False)
        self.assertEqual(done.returncode, 99, done.stderr)
        self.assertEqual(self.files(), [])


common.main()
