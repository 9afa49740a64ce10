# SPDX-License-Identifier: Apache-2.0
"""oclmm run of tests with external memory, on a driver that is given some: controls fire, and mistakes are seen.

usage: external.py OCLMM PLANTS EXTERNAL CUDA LITMUS-FOLDER
"""

import os
import pathlib
import sys

PLANTS, EXTERNAL, CUDA = (os.path.abspath(sys.argv.pop(2)) for _ in range(3))
LITMUS = pathlib.Path(os.path.abspath(sys.argv.pop(2))) / "command"

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "commands"))

import layer_case  # noqa: E402 (takes the program from the command line)

# What a plant breaks, and tests that have to see it.
KILLED = {
    "acquire-ignored": ("external", "external.by=context"),
    "acquire-late": ("external",),
    "acquire-at-once": ("external+outside", "external+chain"),
    "release-at-once": ("external+outside", "external+queues"),
    "release-ignored": ("external+outside", "external+outside.by=context", "external+queues"),
    "release-early": ("external+outside", "external+queues"),
}


class External(layer_case.LayerCase):
    layer = EXTERNAL

    def setUp(self):
        super().setUp()
        for path in LITMUS.glob("*external*.litmus"):
            self.write(f"litmus/command/{path.name}", path.read_text(encoding="utf-8"))
        self.names = sorted(path.stem for path in LITMUS.glob("*external*.litmus"))
        os.mkdir(os.path.join(self.folder, "cuda"))
        os.symlink(CUDA, os.path.join(self.folder, "cuda", "libcuda.so.1"))

    def layered(self, layers, cuda="cuda", **environment):
        return super().layered(layers, LD_LIBRARY_PATH=os.path.join(self.folder, cuda), **environment)

    def test_silent_beside_controls(self):
        self.pass_beside_controls([*self.names, "external.by=context", "external+outside.by=context"], ("4M", "16M", "64M", "64M"))

    def test_mistakes_are_seen(self):
        self.see_plants(KILLED, PLANTS, ("4M", "16M", "64M"))

    def test_final_value(self):
        """What a program leaves acquired, or leaves outside, is what its condition asks for."""
        for name, rest in (("acquired", ""), ("released", "P3@release queue 0 (global int *x) {}\n")):
            self.write(f"{name}.litmus", f"OPENCL {name}\n" '"Is what a command writes there in the end?"\n'
                       "(* Result: Always\n *\n * Nobody else writes.\n *)\n{ external [x] = 5; external [y] = 6; }\n"
                       "P0@acquire queue 0 (global int *x, global int *y) {}\n"
                       "P1@kernel queue 0 (global int *x, global int *y) { int r0 = *x; int r1 = *y; }\n"
                       "P2@kernel queue 0 (global int *x) { *x = 7; }\n" + rest +
                       "forall (1:r0=5 /\\ 1:r1=6 /\\ x=7 /\\ y=6)\n")
            # inconclusive, as nothing else is allowed
            found = self.results("-n", "2M", f"{name}.litmus", status=(0, 3))[name]
            self.assertEqual(found["verdict"], "pass", found)

    def skipped(self, **environment):
        out, _ = self.run_program("run", "-n", "1M", "external", status=77, environment=self.layered((EXTERNAL,), **environment))
        return " ".join(out.split())

    def test_driver_without_any(self):
        """Who lacks something skips them, and names it."""
        out, _ = self.run_program("run", "-n", "1M", "external", status=77)
        self.assertIn("cl_khr_external_memory", out)
        self.assertIn("cl_khr_external_memory_opaque_fd",
                      self.skipped(OCLMM_EXTERNAL_LACK="cl_khr_external_memory_opaque_fd"))
        # no CUDA, one that does not start, and one that does not know the card
        for environment in ({"cuda": "none"}, {"OCLMM_CUDA_FAIL": "cuInit"}, {"OCLMM_CUDA_FAIL": "cuDeviceGetCount"},
                            {"OCLMM_CUDA_FAIL": "cuDeviceGetUuid"}):
            self.assertIn("another API that exports memory", self.skipped(**environment), environment)

    def failure(self, **environment):
        out, err = self.run_program("run", "-n", "1M", "external", status=99, environment=self.layered((EXTERNAL,), **environment))
        return out + err

    def test_driver_that_lacks_a_function(self):
        for function in "clEnqueueAcquireExternalMemObjectsKHR", "clEnqueueReleaseExternalMemObjectsKHR":
            self.assertIn(f"the driver claims cl_khr_external_memory and lacks {function}",
                          self.failure(OCLMM_EXTERNAL_LACK=function))

    def test_started_where_it_is_needed(self):
        """Whoever has a card pays for its other API in tests of external memory, and in no others."""
        environment = self.layered((EXTERNAL,), OCLMM_CUDA_FAIL="start")
        self.run_program("run", "-n", "1k", "SB", status=layer_case.common.SILENT, environment=environment)
        self.run_program("run", "-n", "1k", "external", status=99, environment=environment)

    def test_import_that_fails(self):
        self.assertIn("clCreateBufferWithProperties: CL_INVALID_PROPERTY", self.failure(OCLMM_EXTERNAL_LACK="import"))

    def test_calls_outside_that_fail(self):
        for function in ("cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuMemGetAllocationGranularity", "cuMemCreate",
                         "cuMemAddressReserve", "cuMemMap", "cuMemSetAccess", "cuMemExportToShareableHandle",
                         "cuMemcpyHtoD_v2", "cuCtxSynchronize"):
            self.assertIn(f"{function} failed", self.failure(OCLMM_CUDA_FAIL=function), function)


if __name__ == "__main__":
    layer_case.main()
