// SPDX-License-Identifier: Apache-2.0
/* Libraries that are opened while the program runs. */
#ifndef OCLMM_PLATFORM_DLFCN_H
#define OCLMM_PLATFORM_DLFCN_H

/* Stands for all libraries that were opened with RTLD_GLOBAL. */
#define RTLD_DEFAULT ((void *)0)

enum { RTLD_LAZY = 1, RTLD_NOW = 2, RTLD_NOLOAD = 4, RTLD_GLOBAL = 0x100, RTLD_LOCAL = 0 };

void *dlopen(const char *path, int flags);
void *dlsym(void *library, const char *name);
int dlclose(void *library);
char *dlerror(void);

#endif
