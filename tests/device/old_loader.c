// SPDX-License-Identifier: Apache-2.0
/*
 * An OpenCL loader of the version 1.2: it has the functions of that version, which lead to the
 * machine's own loader, and none that came later.
 */
#include "device/opencl.h"

#include <dlfcn.h>
#include <stdlib.h>

/* Arguments stay where they are, whatever they are. */
#define OCLMM_X(name)                                                                              \
	__attribute__((visibility("hidden"))) void *real_##name;                                   \
	__asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name                      \
	        ":\n\tendbr64\n\tjmp *real_" #name "(%rip)\n");
OCLMM_OPENCL_1_2(OCLMM_X)
#undef OCLMM_X

__attribute__((constructor)) static void look_up(void)
{
	void *loader = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!loader)
		abort();
#define OCLMM_X(name) real_##name = dlsym(loader, #name);
	OCLMM_OPENCL_1_2(OCLMM_X)
#undef OCLMM_X
}
