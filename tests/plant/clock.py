# SPDX-License-Identifier: Apache-2.0
"""oclmm run of readings of clocks, on a driver that is given some: controls fire.

usage: clock.py OCLMM CLOCK LITMUS-FOLDER
"""

import os
import pathlib
import subprocess
import sys

CLOCK = os.path.abspath(sys.argv.pop(2))
LITMUS = pathlib.Path(os.path.abspath(sys.argv.pop(2)))

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import common  # noqa: E402 (takes the program from the command line)
import layer_case  # noqa: E402

FILES = sorted(path.relative_to(LITMUS) for path in LITMUS.glob("*/*clock*.litmus"))


class Clock(layer_case.LayerCase):
    layer = CLOCK

    def setUp(self):
        super().setUp()
        for path in FILES:
            self.write(f"litmus/{path}", (LITMUS / path).read_text(encoding="utf-8"))

    def test_free_without_orders(self):
        """A reading orders nothing: every outcome is allowed, of each clock that the device has."""
        lines = self.results("-n", "100k", "MP+clock+clock", "MP+clock+clock.clock=wg", status=(0, 3))
        self.assertEqual(set(lines), {"MP+clock+clock", "MP+clock+clock.clock=wg"})
        for name, line in lines.items():
            self.assertEqual(line["verdict"], "pass", name)
            self.assertGreater(line["instances"], 0, name)

    def test_silent_beside_controls(self):
        self.pass_beside_controls(["MP+rel+acq+clock", "MP+rel+acq+clock.clock=wg"], ("1M", "4M", "16M"))

    def test_exported(self):
        """The file that is handed on says what the device lacks, and runs where it does not."""
        self.run_program("export", "--no-search", "-o", "clock.c", "MP+rel+acq+clock")
        subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-o", "clock", "clock.c", "-lOpenCL"],
                       cwd=self.folder, check=True)
        for layers, status in (("", 77), (CLOCK, 0)):
            environment = {k: v for k, v in os.environ.items() if k != "OPENCL_LAYERS"}
            environment.update({"OPENCL_LAYERS": layers} if layers else {})
            ran = subprocess.run(["./clock", "", "50"], cwd=self.folder, env=environment, check=False,
                                 capture_output=True, text=True, timeout=common.PATIENCE)
            self.assertEqual(ran.returncode, status, ran.stdout + ran.stderr)

    def ended(self, lacking, test, status):
        out, err = self.run_program("run", "-n", "1k", test, status=status,
                                    environment=self.environment(OPENCL_LAYERS=CLOCK, OCLMM_CLOCK_LACK=lacking))
        return " ".join((out + err).split())

    def test_driver_without_it(self):
        out, _ = self.run_program("run", "-n", "1k", "MP+rel+acq+clock", status=77)
        self.assertIn("__opencl_c_kernel_clock_scope_device", out)
        self.assertIn("__opencl_c_kernel_clock_scope_work_group", self.ended("work_group", "MP+clock+clock.clock=wg", 77))

    def test_driver_whose_compiler_lacks_the_functions(self):
        self.assertIn("clock_read_device", self.ended("functions", "MP+rel+acq+clock", 99))


if __name__ == "__main__":
    layer_case.main()
