// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * What is kept on the disk from one run to the next because it is dear to make
 * and can be made again: whatever is wrong with it, it is as if it were not there.
 *
 * Bytes are kept by a key, a text of any length that says all that they depend
 * on. The file's name is a hash of it, and the file holds the key itself, so that
 * neither another key nor a damaged file gives wrong bytes. Processes may read,
 * write and trim at the same time.
 *
 * May see: base.
 */
#ifndef OCLMM_RUNNER_KEPT_KEPT_H
#define OCLMM_RUNNER_KEPT_KEPT_H

#include "oclmm/base.h"

/** `$XDG_CACHE_HOME/oclmm`, or `~/.cache/oclmm`; malloc-ed, NULL where there is no home. */
char *kept_home(void);
/**
 * Makes the folder unless it is there, for this user alone.
 * \return 0; -EPERM where it is not this user's own, or others may write there: what they put there
 * would run in a driver; else a negative errno value.
 */
int kept_prepare(const char *folder);
/**
 * Waits until no other process has the lock of a folder, and takes it; a process that ends leaves
 * it. \return what to unlock, or a negative errno value
 */
int kept_lock(const char *folder);
/** Accepts what kept_lock() gives where it fails. */
void kept_unlock(int lock);

/**
 * Reads what was kept.
 * \return 0, and malloc-ed bytes; -ENOENT where there is nothing of this key, it is damaged, or
 * others may have written it; else a negative errno value.
 */
int kept_read(const char *folder, const struct oclmm_text *key, struct oclmm_text *ret_bytes);
/** Keeps bytes, in place of those that were kept by this key. \return 0 or a negative errno value.
 */
int kept_write(const char *folder, const struct oclmm_text *key, const struct oclmm_text *bytes);
/** Removes the files that were written or used longest ago, until no more than `most` bytes are
 * left. Files that are none of the store's are left alone. */
void kept_trim(const char *folder, uint64_t most);

#endif
