// SPDX-License-Identifier: Apache-2.0
/* The libraries that a process has loaded. */
#ifndef OCLMM_PLATFORM_LINK_H
#define OCLMM_PLATFORM_LINK_H

#include <stddef.h>

struct dl_phdr_info {
	const char *dlpi_name; /* its path */
};

/* Until a call returns something else than 0, which is returned. */
int dl_iterate_phdr(int (*each)(struct dl_phdr_info *object, size_t size, void *data), void *data);

#endif
