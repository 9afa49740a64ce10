# SPDX-License-Identifier: Apache-2.0
"""oclmm playground: copies the page that was built, and says so where none was.

usage: command.py PROGRAM
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()


class Command(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="oclmm-playground-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "bin").mkdir()
        self.program = self.folder / "bin" / "oclmm"
        shutil.copy(PROGRAM, self.program)

    def run_program(self, *arguments):
        return subprocess.run([self.program, "playground", *arguments], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, cwd=self.folder)

    def test_the_page_that_was_built(self):
        page = self.folder / "packaging" / "playground" / "playground.html"
        page.parent.mkdir(parents=True)
        page.write_text("<p>page</p>", encoding="utf-8")
        out = self.folder / "out.html"
        said = self.run_program("-o", str(out))
        self.assertEqual((said.returncode, said.stdout, said.stderr), (0, "", ""))
        self.assertEqual(out.read_text(encoding="utf-8"), "<p>page</p>")
        said = self.run_program("--output", str(self.folder / "no" / "out.html"))
        self.assertEqual(said.returncode, 99)
        self.assertIn("cannot write", said.stderr)

    def test_without_the_page(self):
        out = self.folder / "out.html"
        said = self.run_program("-o", str(out))
        if said.returncode == 0:
            self.skipTest("an installed page is there")
        self.assertEqual(said.returncode, 77)
        self.assertIn("built without the page", said.stderr)
        self.assertFalse(out.exists())

    def test_usage(self):
        self.assertEqual(self.run_program().returncode, 2)
        self.assertEqual(self.run_program("-o", "x", "more").returncode, 2)


unittest.main(verbosity=1)
