# SPDX-License-Identifier: Apache-2.0
"""oclmm run of commands on types of SVM (cl_khr_unified_svm), on a driver that is given such.

usage: unified_svm.py OCLMM PLANTS UNIFIED-SVM LITMUS-FOLDER
"""

import os
import pathlib
import sys

PLANTS, UNIFIED_SVM = (os.path.abspath(sys.argv.pop(2)) for _ in range(2))
LITMUS = pathlib.Path(os.path.abspath(sys.argv.pop(2))) / "command"

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import layer_case  # noqa: E402 (takes the program from the command line)

EVENT, TO_HOST, TO_KERNEL, READERS = (
    f"{name}unified-svm" for name in ("event+", "kernel+host+", "host+kernel+", "readers+"))
# Each type, as it is written to and read by each side that may.
NAMES = (EVENT, f"{EVENT}.memory=host.reader=read", f"{EVENT}.memory=shared.writer=fill", f"{EVENT}.writer=write",
         TO_HOST, f"{TO_HOST}.memory=shared", READERS)
# Their control shows something only where a kernel begins before the host writes, which comes right behind its call.
SILENT = (TO_KERNEL, f"{TO_KERNEL}.memory=shared")
# What kernels do stays in their copy: all of it, whatever the machine does.
APART = (TO_HOST, f"{TO_HOST}.memory=shared", TO_KERNEL, f"{EVENT}.reader=read", f"{EVENT}.memory=shared.writer=fill")


class UnifiedSvm(layer_case.LayerCase):
    layer = UNIFIED_SVM

    def setUp(self):
        super().setUp()
        for name in (EVENT, TO_HOST, TO_KERNEL, READERS):
            self.write(f"litmus/command/{name}.litmus", (LITMUS / f"{name}.litmus").read_text(encoding="utf-8"))

    def test_silent_beside_controls(self):
        self.pass_beside_controls(NAMES, ("4M", "16M", "64M", "64M"))

    def test_host_that_writes(self):
        lines = self.results("-n", "1M", "--no-controls", *SILENT, status=(0, 3))
        for name in SILENT:
            self.assertEqual(lines[name]["forbidden"], 0, name)

    def test_copy_that_kernels_use(self):
        lines = self.results("-n", "1M", *APART, above=(PLANTS,), status=None, OCLMM_PLANT="svm-apart")
        for name in APART:
            self.assertEqual(lines[name]["verdict"], "forbidden", name)
            self.assertEqual(lines[name]["forbidden"], lines[name]["instances"], name)

    def ended(self, lacking, status, name=TO_HOST):
        out, err = self.run_program("run", "-n", "1M", "--no-controls", name, status=status, environment=self.environment(
            OPENCL_LAYERS=UNIFIED_SVM, OCLMM_UNIFIED_SVM_LACK=lacking))
        return " ".join((out + err).split())

    def test_driver_without_it(self):
        self.assertIn("cl_khr_unified_svm", self.ended("extension", 77))

    def test_device_without_a_type(self):
        for lacking, name, said in (("types", EVENT, "SVM that a device owns"),
                                    ("2", EVENT, "SVM that a device owns"),
                                    ("5", TO_HOST, "SVM that the host owns"),
                                    ("types", f"{TO_HOST}.memory=shared", "SVM that nobody owns"),
                                    ("6", TO_HOST, "CL_SVM_CAPABILITY_HOST_READ_KHR"),
                                    ("7", TO_KERNEL, "CL_SVM_CAPABILITY_HOST_WRITE_KHR"),
                                    ("9", EVENT, "CL_SVM_CAPABILITY_DEVICE_READ_KHR"),
                                    ("12", READERS, "CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR"),
                                    ("14", f"{TO_HOST}.memory=shared", "CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR")):
            self.assertIn(said, self.ended(lacking, 77, name), f"{lacking} {name}")
        # one side at a time: nothing is used by both at once
        self.ended("12", (0, 3))

    def test_driver_that_lacks_something(self):
        for function in ("clSVMAllocWithPropertiesKHR", "clSVMFreeWithPropertiesKHR"):
            self.assertIn(f"the driver claims cl_khr_unified_svm and lacks {function}", self.ended(function, 99))
        self.assertIn("clSVMAllocWithPropertiesKHR", self.ended("allocation", 99))

    def test_export(self):
        _, err = self.run_program("export", "--no-search", "-o", "svm.c", EVENT, status=2)
        self.assertIn("its memory is of a type of cl_khr_unified_svm", " ".join(err.split()))


if __name__ == "__main__":
    layer_case.main()
