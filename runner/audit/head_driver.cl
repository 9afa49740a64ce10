// SPDX-License-Identifier: Apache-2.0
/* Of a device's own compiler: it has OpenCL C's functions, and makes kernels for groups of one work-item. */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define OCLMM_ENTRY kernel
#define OCLMM_NUMBERS __attribute__((const)) size_t oclmm_number(uint);
