# SPDX-License-Identifier: Apache-2.0
"""oclmm run of tests with semaphores, on a driver that is given some: controls fire, and mistakes are seen.

usage: semaphores.py OCLMM PLANTS SEMAPHORES LITMUS-FOLDER
"""

import os
import pathlib
import subprocess
import sys

PLANTS, SEMAPHORES = (os.path.abspath(sys.argv.pop(2)) for _ in range(2))
LITMUS = pathlib.Path(os.path.abspath(sys.argv.pop(2))) / "command"

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import common  # noqa: E402 (takes the program from the command line)
import layer_case  # noqa: E402

# What a plant breaks, and tests that have to see it.
KILLED = {
    "semaphore-ignored": ("semaphore", "semaphore.reader=read", "semaphore+event", "semaphore+unordered",
                          "semaphore+barrier", "semaphore+again", "semaphore+host", "two-semaphores"),
    "semaphore-early": ("semaphore", "semaphore+event", "semaphore+unordered", "semaphore+barrier",
                        "semaphore+host", "two-semaphores"),
    "semaphore-first": ("two-semaphores",),
}


class Semaphores(layer_case.LayerCase):
    layer = SEMAPHORES

    def setUp(self):
        super().setUp()
        for path in LITMUS.glob("*semaphore*.litmus"):
            self.write(f"litmus/command/{path.name}", path.read_text(encoding="utf-8"))
        self.names = sorted(path.stem for path in LITMUS.glob("*semaphore*.litmus"))

    def test_silent_beside_controls(self):
        self.pass_beside_controls(self.names, ("4M", "16M", "64M", "64M", "64M"))

    def test_mistakes_are_seen(self):
        self.see_plants(KILLED, PLANTS, ("4M", "16M", "64M", "64M", "64M"))

    def test_exported(self):
        """The file that is handed on shows what a plant does, and nothing without one."""
        self.run_program("export", "--no-search", "-o", "again.c", "semaphore+again")
        subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-o", "again", "again.c", "-lOpenCL"],
                       cwd=self.folder, check=True)
        for layers, plant, status in (("", "", 77), (SEMAPHORES, "", 0),
                                      (f"{SEMAPHORES}:{PLANTS}", "semaphore-ignored", 1)):
            # it goes on until it has seen enough
            launches = [] if plant else ["", "50"]
            with self.subTest(layers=layers, plant=plant):
                environment = {k: v for k, v in os.environ.items() if k != "OPENCL_LAYERS"}
                environment.update({"OPENCL_LAYERS": layers, "OCLMM_PLANT": plant} if layers else {})
                ran = subprocess.run(["./again", *launches], cwd=self.folder, env=environment, check=False,
                                     capture_output=True, text=True, timeout=common.PATIENCE)
                self.assertEqual(ran.returncode, status, ran.stdout + ran.stderr)

    def test_driver_without_any(self):
        """A device that claims no semaphores skips them by name."""
        out, _ = self.run_program("run", "-n", "1M", "semaphore", status=77)
        self.assertIn("cl_khr_semaphore", out)

    def test_driver_that_lacks_a_function(self):
        for function in ("clCreateSemaphoreWithPropertiesKHR", "clReleaseSemaphoreKHR", "clEnqueueSignalSemaphoresKHR",
                         "clEnqueueWaitSemaphoresKHR"):
            out, err = self.run_program("run", "-n", "1M", "semaphore", status=99, environment=self.environment(
                OPENCL_LAYERS=SEMAPHORES, OCLMM_SEMAPHORES_LACK=function))
            self.assertIn(f"the driver claims cl_khr_semaphore and lacks {function}", out + err)


if __name__ == "__main__":
    layer_case.main()
