# SPDX-License-Identifier: Apache-2.0
"""oclmm run of kernels that are changed between replays, on a driver that is given that.

usage: mutable.py OCLMM PLANTS MUTABLE LITMUS-FOLDER
"""

import os
import pathlib
import sys

PLANTS, MUTABLE = (os.path.abspath(sys.argv.pop(2)) for _ in range(2))
LITMUS = pathlib.Path(os.path.abspath(sys.argv.pop(2))) / "command"

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import layer_case  # noqa: E402 (takes the program from the command line)

NAMES = ("replays+changed", "replays+pending")


class Mutable(layer_case.LayerCase):
    layer = MUTABLE

    def setUp(self):
        super().setUp()
        for name in NAMES:
            self.write(f"litmus/command/{name}.litmus", (LITMUS / f"{name}.litmus").read_text(encoding="utf-8"))

    def test_silent_beside_controls(self):
        self.pass_beside_controls(NAMES, ("4M", "16M", "64M", "64M"))

    def test_update_that_does_nothing(self):
        """Every instance has the old arguments, whatever the machine does."""
        lines = self.results("-n", "1M", "replays+changed", above=(PLANTS,), status=None,
                             OCLMM_PLANT="update-ignored")
        self.assertEqual(lines["replays+changed"]["verdict"], "forbidden")
        self.assertEqual(lines["replays+changed"]["forbidden"], lines["replays+changed"]["instances"])

    def test_update_of_what_is_enqueued(self):
        """No instance has the arguments of the first replay, which is played after they are changed."""
        found = self.results("-n", "1M", "replays+pending", status=None, OCLMM_MUTABLE_LATE="1")["replays+pending"]
        self.assertEqual(found["verdict"], "forbidden")
        self.assertEqual(found["forbidden"], found["instances"])

    def test_driver_without_it(self):
        """A device that cannot change arguments skips them by name, whatever the driver below the layer has."""
        out, _ = self.run_program("run", "-n", "1M", "replays+changed", status=77,
                                  environment=self.environment(OPENCL_LAYERS=MUTABLE, OCLMM_MUTABLE_LACK="arguments"))
        self.assertIn("cl_khr_command_buffer_mutable_dispatch", " ".join(out.split()))

    def test_driver_that_lacks_the_function(self):
        out, err = self.run_program("run", "-n", "1M", "replays+changed", status=99, environment=self.environment(
            OPENCL_LAYERS=MUTABLE, OCLMM_MUTABLE_LACK="clUpdateMutableCommandsKHR"))
        self.assertIn("the driver claims cl_khr_command_buffer_mutable_dispatch and lacks clUpdateMutableCommandsKHR",
                      " ".join((out + err).split()))

    def test_export(self):
        _, err = self.run_program("export", "--no-search", "-o", "changed.c", "replays+changed", status=2)
        self.assertIn("its kernels are changed between replays", " ".join(err.split()))


if __name__ == "__main__":
    layer_case.main()
