# SPDX-License-Identifier: Apache-2.0
"""What is taken out of PoCL for tests, and that a PoCL which does not serve is not used."""

import pathlib
import sys
import tempfile
import unittest

import install
from header import lean_header, pieces
from kept import is_kept_declaration, is_kept_symbol

# A function as it is declared, as the library has it where PoCL 3.1 has it, and whether tests have a use for it.
FUNCTIONS = (
    ("size_t __ovld __cnfn get_global_id(uint dimindx);", "_Z13get_global_idj", True),
    ("void __ovld __conv work_group_barrier(cl_mem_fence_flags, memory_scope);",
     "_Z22_cl_work_group_barrierj12memory_scope", True),
    ("int __ovld atomic_fetch_add_explicit(volatile __global atomic_int *, int, memory_order, memory_scope);",
     "_Z29_cl_atomic_fetch_add_explicitPU8CLglobalVU7_Atomicii12memory_order12memory_scope", True),
    ("float __ovld atomic_xchg(volatile __global float *, float);", "_Z15_cl_atomic_xchgPU8CLglobalVff", True),
    ("void __ovld atomic_work_item_fence(cl_mem_fence_flags, memory_order, memory_scope);",
     "_Z26_cl_atomic_work_item_fencej12memory_order12memory_scope", True),
    ("event_t __ovld async_work_group_copy(__local int *, const __global int *, size_t, event_t);",
     "_Z25_cl_async_work_group_copyPU7CLlocaliPU8CLglobalKim9ocl_event", True),
    ("event_t __ovld async_work_group_copy(__local int2 *, const __global int2 *, size_t, event_t);",
     "_Z25_cl_async_work_group_copyPU7CLlocalDv2_iPU8CLglobalKS_m9ocl_event", False),
    ("uint4 __purefn __ovld read_imageui(read_only image2d_t image, int2 coord);",
     "_Z16_cl_read_imageui14ocl_image2d_roDv2_i", True),
    ("float4 __purefn __ovld read_imagef(read_only image2d_t image, int2 coord);",
     "_Z15_cl_read_imagef14ocl_image2d_roDv2_i", True),
    ("int __ovld __cnfn min(int x, int y);", "_Z7_cl_minii", True),
    ("int2 __ovld __cnfn min(int2 x, int2 y);", "_Z7_cl_minDv2_iS_", False),
    ("uint4 __ovld __cnfn convert_uint4(int4);", "_Z17_cl_convert_uint4Dv4_i", True),
    ("int __ovld __cnfn any(int4 x);", "_Z7_cl_anyDv4_i", True),
    ("int4 __ovld __cnfn isequal(float4 x, float4 y);", "_Z11_cl_isequalDv4_fS_", False),
    ("float __ovld __cnfn min(float x, float y);", "_Z7_cl_minff", False),
    ("double __ovld __cnfn sin(double);", "_Z7_cl_sind", False),
    ("int __ovld __cnfn convert_int_sat(float);", "_Z19_cl_convert_int_satf", True),
    ("int __ovld __cnfn convert_int_sat_rte(float);", "_Z23_cl_convert_int_sat_rtef", False),
    ("uint __ovld __conv intel_sub_group_block_read(read_only image2d_t, int2);",
     "_Z26intel_sub_group_block_read14ocl_image2d_roDv2_i", False),
    ("int8 __ovld __cnfn convert_int8_sat(float8);", "_Z20_cl_convert_int8_satDv8_f", False),
    ("half __ovld __cnfn length(half4 p);", "_Z10_cl_lengthDv4_Dh", False),
    ("int printf(__constant const char* st, ...) __attribute__((format(printf, 1, 2)));", "printf", True),
)

DECLARED = """/* Functions;
   of a comment */
#ifdef cl_khr_fp64
double __ovld __cnfn sin(double);
double __ovld atomic_xchg(volatile __global double *,
                          double);  // kept
#endif //cl_khr_fp64
#define both(a) \\
  sin(a)
float2 __ovld __cnfn clamp(float2 x, float2 minval,
                           float2 maxval);
int __ovld __cnfn abs(int);
"""

LEFT = """#ifdef cl_khr_fp64
double __ovld atomic_xchg(volatile __global double *,
                          double);  
#endif 
#define both(a) \\
  sin(a)
int __ovld __cnfn abs(int);
"""


class Kept(unittest.TestCase):
    def test_functions(self):
        for declaration, symbol, wanted in FUNCTIONS:
            self.assertEqual(is_kept_declaration(declaration), wanted, declaration)
            self.assertEqual(is_kept_symbol(symbol), wanted, symbol)

    def test_what_is_inside_is_kept(self):
        """What PoCL calls and no kernel does, but for its library of mathematics."""
        for symbol, wanted in (("pocl.barrier", True), ("_pocl_finish_all_wgs", True), ("Sleef_sinf_u35", False)):
            self.assertEqual(is_kept_symbol(symbol), wanted, symbol)

    def test_header(self):
        self.assertEqual(lean_header(DECLARED), LEFT)
        self.assertEqual("".join(pieces(DECLARED)), DECLARED)
        self.assertEqual(lean_header(LEFT), LEFT)


class Install(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="oclmm-lean-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.addCleanup(setattr, install, "VENDORS", install.VENDORS)
        install.VENDORS = self.folder / "vendors"
        install.VENDORS.mkdir()

    def refused(self, why, call, *arguments):
        with self.assertRaises(SystemExit) as ended:
            call(*arguments)
        self.assertRegex(str(ended.exception.code), why)

    def program(self, text):
        path = self.folder / "program"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    def test_no_pocl(self):
        (install.VENDORS / "other.icd").write_text("libother.so.1\n")
        self.refused("0 files name PoCL", install.install, self.folder / "lean", sys.executable)

    def test_pocl_that_does_not_load(self):
        (install.VENDORS / "pocl.icd").write_text("/nonexistent/libpocl.so.2\n")
        self.refused("nonexistent", install.install, self.folder / "lean", sys.executable)
        self.assertFalse((self.folder / "lean").exists())

    def test_no_program(self):
        self.refused("cannot be run", install.install, self.folder / "lean", "/nonexistent")

    def test_other_layout(self):
        self.refused("are not here", install.install_data, "llvm", self.folder, self.folder / "data")

    def test_library_that_llvm_refuses(self):
        """What becomes of a library is looked at, not only that somebody was asked."""
        (self.folder / "there/include").mkdir(parents=True)
        (self.folder / "there/include/opencl-c.h").write_text(DECLARED)
        (self.folder / "there/kernel.bc").write_text("no bitcode\n")
        self.refused("nollvm", install.install_data, "nollvm.so", self.folder / "there", self.folder / "here")

    def test_tried(self):
        said = self.folder / "said"
        program = self.program(f'echo "$OCL_ICD_VENDORS $*" >{said}')
        install.try_it(program, self.folder / "alone", self.folder / "cache")
        self.assertRegex(said.read_text(), f"^{self.folder}/alone/ run .*{' '.join(install.TRIED[:2])}".replace("+", r"\+"))

    def test_tried_in_vain(self):
        program = self.program("echo build-failed; exit 99")
        self.refused("(?s)do not pass.*build-failed", install.try_it, program, self.folder, self.folder / "cache")


if __name__ == "__main__":
    unittest.main()
