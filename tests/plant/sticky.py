# SPDX-License-Identifier: Apache-2.0
"""oclmm run on a driver to which an argument that was shared virtual memory once is never a buffer again.

usage: sticky.py OCLMM LAYER LITMUS-FOLDER
"""

import os
import pathlib
import sys

LAYER = os.path.abspath(sys.argv.pop(2))
LITMUS = pathlib.Path(os.path.abspath(sys.argv.pop(2)))

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import layer_case  # noqa: E402 (takes the program from the command line)

# objects of both kinds in the commands of a program, and in the roles of one kernel
FILES = ("command/buffer+svm", "command/buffer+map", "command/event+svm", "command/indirect", "svm/MP+rel+acq+svm")
NAMES = ("buffer+svm", "buffer+svm.names=reader", "buffer+svm.names=buffer", "buffer+map", "event+svm", "indirect",
         "MP+rel+acq+svm")


class Sticky(layer_case.LayerCase):
    layer = LAYER

    def setUp(self):
        super().setUp()
        for name in FILES:
            self.write(f"litmus/{name}.litmus", (LITMUS / f"{name}.litmus").read_text(encoding="utf-8"))

    def test_no_kernel_is_given_both(self):
        lines = self.results("-n", "10k", "--no-controls", *NAMES, status=None)
        for name in NAMES:
            self.assertEqual((lines[name]["ended"], lines[name]["message"]), ("ok", None), name)

    def test_layer_loses_arguments(self):
        out, err = self.run_program("run", "-n", "10k", "--no-controls", "buffer+svm", status=99,
                                    environment=self.environment(OPENCL_LAYERS=LAYER, OCLMM_STICKY="all"))
        self.assertIn("CL_INVALID_KERNEL_ARGS", out + err)


if __name__ == "__main__":
    layer_case.main()
