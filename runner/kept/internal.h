// SPDX-License-Identifier: Apache-2.0
/* What the folder and the files in it have in common. */
#ifndef OCLMM_RUNNER_KEPT_INTERNAL_H
#define OCLMM_RUNNER_KEPT_INTERNAL_H

#include <fcntl.h>
#include <sys/stat.h>

#include "kept.h"

/* What the names of all files begin with. */
#define STORE_PREFIX "kept-"

/* folder.c: whether what is read there can only be what this user wrote. */
bool kept_is_own(const struct stat *info);

#endif
