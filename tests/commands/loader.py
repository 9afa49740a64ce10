# SPDX-License-Identifier: Apache-2.0
"""The OpenCL loader is opened at run time: none, one that is none, and one of OpenCL 1.2.

usage: loader.py PROGRAM OLD_LOADER
"""

import os
import subprocess
import sys

OLD = os.path.abspath(sys.argv.pop())

import common  # noqa: E402  pylint: disable=wrong-import-position
from common import SMALL, SuiteCase  # noqa: E402  pylint: disable=wrong-import-position


class Loader(SuiteCase):
    def by(self, loader, *arguments, status=0):
        return self.run_program(*arguments, status=status, environment=self.environment(OCLMM_OPENCL=str(loader)))

    def test_program_links_none(self):
        linked = subprocess.run(["ldd", common.PROGRAM], capture_output=True, text=True, check=True).stdout
        self.assertIn("libc.so", linked)
        self.assertNotIn("OpenCL", linked)

    def test_none(self):
        for command in (("devices",), ("run", "SB")):
            _, err = self.by(self.folder / "libOpenCL.so.1", *command, status=99)
            self.assertIn("there is no OpenCL loader: ", err)
            self.assertIn("libOpenCL.so.1", err)
        # what needs no device does not ask for one
        self.by(self.folder / "libOpenCL.so.1", "check", "SB")

    def test_another_library(self):
        for command in (("devices",), ("run", "SB")):
            _, err = self.by("libm.so.6", *command, status=99)
            self.assertIn("the OpenCL loader has no function cl", err)

    def test_of_1_2(self):
        """What came later is a capability that is missing; all else is as ever."""
        now = self.lines_of_json(self.run_program("devices", "--json")[0])[0]
        old = self.lines_of_json(self.by(OLD, "devices", "--json")[0])[0]
        later = {"svm", "il_version"}
        self.assertEqual({key: old[key] for key in old.keys() - later}, {key: now[key] for key in now.keys() - later})
        self.assertEqual((old["svm"], old["il_version"]), ("", ""))
        out, _ = self.by(OLD, "run", *SMALL, "-n", "20000", "--format", "json", "SB", status=None)
        record = self.lines_of_json(out)[1]
        self.assertEqual((record["test"], record["ended"]), ("SB", "ok"))
        self.assertGreater(record["instances"], 20000)


common.main_on_device()
