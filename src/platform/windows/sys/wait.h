// SPDX-License-Identifier: Apache-2.0
/* How processes end: with a status; or by what would be a signal elsewhere, as in Linux' words. */
#ifndef OCLMM_PLATFORM_SYS_WAIT_H
#define OCLMM_PLATFORM_SYS_WAIT_H

#include <sys/types.h>

#define WIFEXITED(status)   (((status)&0x7f) == 0)
#define WEXITSTATUS(status) (((status) >> 8) & 0xff)
#define WIFSIGNALED(status) (((status)&0x7f) != 0)
#define WTERMSIG(status)    ((status)&0x7f)

enum { WNOHANG = 1 };

pid_t waitpid(pid_t process, int *ret_status, int flags);

#endif
