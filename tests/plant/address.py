# SPDX-License-Identifier: Apache-2.0
"""oclmm run of kernels that are given the addresses of buffers, on a driver that is given such.

usage: address.py OCLMM PLANTS ADDRESS LITMUS-FOLDER
"""

import os
import pathlib
import sys

PLANTS, ADDRESS = (os.path.abspath(sys.argv.pop(2)) for _ in range(2))
LITMUS = pathlib.Path(os.path.abspath(sys.argv.pop(2))) / "command"

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import layer_case  # noqa: E402 (takes the program from the command line)

NAMES = ("address", "address.names=reader", "address.names=both")


class Address(layer_case.LayerCase):
    layer = ADDRESS

    def setUp(self):
        super().setUp()
        self.write("litmus/command/address.litmus", (LITMUS / "address.litmus").read_text(encoding="utf-8"))

    def test_silent_beside_controls(self):
        self.pass_beside_controls(NAMES, ("4M", "16M", "64M", "64M"))

    def test_copy_in_place_of_a_buffer(self):
        """Who writes by one name, and reads by the other, finds nothing, whatever the machine does."""
        lines = self.results("-n", "1M", *NAMES, above=(PLANTS,), status=None, OCLMM_PLANT="address-apart")
        for name in NAMES[:2]:
            self.assertEqual(lines[name]["verdict"], "forbidden", name)
            self.assertEqual(lines[name]["forbidden"], lines[name]["instances"], name)

    def ended(self, lacking, status):
        out, err = self.run_program("run", "-n", "1M", "address", status=status,
                                    environment=self.environment(OPENCL_LAYERS=ADDRESS, OCLMM_ADDRESS_LACK=lacking))
        return " ".join((out + err).split())

    def test_driver_without_it(self):
        self.assertIn("cl_ext_buffer_device_address", self.ended("extension", 77))

    def test_driver_that_lacks_something(self):
        self.assertIn("the driver claims cl_ext_buffer_device_address and lacks clSetKernelArgDevicePointerEXT",
                      self.ended("clSetKernelArgDevicePointerEXT", 99))
        self.assertIn("a buffer has no address in the device", self.ended("address", 99))

    def test_export(self):
        _, err = self.run_program("export", "--no-search", "-o", "address.c", "address", status=2)
        self.assertIn("its kernels are given addresses of buffers", " ".join(err.split()))


if __name__ == "__main__":
    layer_case.main()
