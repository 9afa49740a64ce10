// SPDX-License-Identifier: Apache-2.0
/* What the system and its processor are called. */
#ifndef OCLMM_PLATFORM_SYS_UTSNAME_H
#define OCLMM_PLATFORM_SYS_UTSNAME_H

struct utsname {
	char sysname[32], release[64], machine[32];
};

int uname(struct utsname *ret_names);

#endif
