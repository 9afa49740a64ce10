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

import common  # noqa: E402 (takes the program from the command line)
from common import SuiteCase  # noqa: E402

# What a plant breaks, and tests that have to see it.
KILLED = {
    "acquire-ignored": ("external",),
    "acquire-late": ("external",),
    "release-ignored": ("external+outside", "external+queues"),
    "release-early": ("external+outside", "external+queues"),
}


class External(SuiteCase):
    def setUp(self):
        super().setUp()
        for path in LITMUS.glob("*external*.litmus"):
            self.write(f"litmus/command/{path.name}", path.read_text(encoding="utf-8"))
        self.names = sorted(path.stem for path in LITMUS.glob("*external*.litmus"))
        os.mkdir(os.path.join(self.folder, "cuda"))
        os.symlink(CUDA, os.path.join(self.folder, "cuda", "libcuda.so.1"))

    def with_external(self, layers=(EXTERNAL,), cuda="cuda", **environment):
        """The environment with them; the last layer is the first to be called."""
        return self.environment(OPENCL_LAYERS=":".join(layers), LD_LIBRARY_PATH=os.path.join(self.folder, cuda),
                                **environment)

    def results(self, *arguments, kind="test", layers=(EXTERNAL,), status=0, **environment):
        out, _ = self.run_program("run", "--format", "json", "--seed", "7", *arguments, status=status,
                                  environment=self.with_external(layers, **environment))
        return {line["test"]: line for line in self.lines_of_json(out) if line["type"] == kind}

    def test_silent_beside_controls(self):
        """Each passes with confidence, by what its controls show."""
        open_yet = set(self.names)
        # on a busy machine a control may show too seldom: inconclusive, and tried again
        for instances in "4M", "16M", "64M", "64M":
            if open_yet:
                lines = self.results("-n", instances, *sorted(open_yet), kind="confidence", status=(0, 3))
                for name, line in lines.items():
                    self.assertIn(line["verdict"], ("pass", "inconclusive"), name)
                open_yet -= {name for name, line in lines.items() if line["confidence"] == "reached"}
        self.assertEqual(open_yet, set())

    def test_mistakes_are_seen(self):
        for plant, names in KILLED.items():
            missed = set(names)
            # on a busy machine a queue may have been waited for by chance, once
            for instances in "4M", "16M", "64M":
                if missed:
                    lines = self.results("-n", instances, *sorted(missed), layers=(EXTERNAL, PLANTS), status=None,
                                         OCLMM_PLANT=plant)
                    missed -= {name for name, line in lines.items() if line["verdict"] == "forbidden"}
            self.assertEqual(missed, set(), plant)

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
        out, _ = self.run_program("run", "-n", "1M", "external", status=77, environment=self.with_external(**environment))
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
        out, err = self.run_program("run", "-n", "1M", "external", status=99, environment=self.with_external(**environment))
        return out + err

    def test_driver_that_lacks_a_function(self):
        for function in "clEnqueueAcquireExternalMemObjectsKHR", "clEnqueueReleaseExternalMemObjectsKHR":
            self.assertIn(f"the driver claims cl_khr_external_memory and lacks {function}",
                          self.failure(OCLMM_EXTERNAL_LACK=function))

    def test_import_that_fails(self):
        self.assertIn("clCreateBufferWithProperties: CL_INVALID_PROPERTY", self.failure(OCLMM_EXTERNAL_LACK="import"))

    def test_calls_outside_that_fail(self):
        for function in ("cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuMemGetAllocationGranularity", "cuMemCreate",
                         "cuMemAddressReserve", "cuMemMap", "cuMemSetAccess", "cuMemExportToShareableHandle",
                         "cuMemcpyHtoD_v2", "cuCtxSynchronize"):
            self.assertIn(f"{function} failed", self.failure(OCLMM_CUDA_FAIL=function), function)


if __name__ == "__main__":
    common.unittest.main()
