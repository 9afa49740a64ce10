// SPDX-License-Identifier: Apache-2.0
/* Words that the C library takes for old functions, and that everybody has uses of their own for.
 */
#ifndef OCLMM_PLATFORM_IO_H
#define OCLMM_PLATFORM_IO_H

#define eof  oclmm_windows_eof
#define tell oclmm_windows_tell
#include_next <io.h>
#undef eof
#undef tell

#endif
