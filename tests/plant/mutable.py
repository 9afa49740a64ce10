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

import common  # noqa: E402 (takes the program from the command line)
from common import SuiteCase  # noqa: E402

NAMES = ("replays+changed", "replays+pending")


class Mutable(SuiteCase):
    def setUp(self):
        super().setUp()
        for name in NAMES:
            self.write(f"litmus/command/{name}.litmus", (LITMUS / f"{name}.litmus").read_text(encoding="utf-8"))

    # the last layer is the first to be called
    def results(self, *arguments, kind="test", layers=(MUTABLE,), status=0, **environment):
        out, _ = self.run_program("run", "--format", "json", "--seed", "7", *arguments, status=status,
                                  environment=self.environment(OPENCL_LAYERS=":".join(layers), **environment))
        return {line["test"]: line for line in self.lines_of_json(out) if line["type"] == kind}

    def test_silent_beside_controls(self):
        """Each passes with confidence, by what its controls show."""
        open_yet = set(NAMES)
        # on a busy machine a control may show too seldom: inconclusive, and tried again
        for instances in "4M", "16M", "64M", "64M":
            if open_yet:
                lines = self.results("-n", instances, *sorted(open_yet), kind="confidence", status=(0, 3))
                for name, line in lines.items():
                    self.assertIn(line["verdict"], ("pass", "inconclusive"), name)
                open_yet -= {name for name, line in lines.items() if line["confidence"] == "reached"}
        self.assertEqual(open_yet, set())

    def test_update_that_does_nothing(self):
        """Every instance has the old arguments, whatever the machine does."""
        lines = self.results("-n", "1M", "replays+changed", layers=(MUTABLE, PLANTS), status=None,
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
    common.unittest.main()
