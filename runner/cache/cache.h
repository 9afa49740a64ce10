// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * A cache on the disk for what takes long to make and can be made again. Damage is
 * a miss.
 *
 * Bytes are stored by a key: a text of any length that names all that they depend
 * on. The file's name is a hash of the key, and the file holds the key itself, so
 * that a collision or a damaged file never gives wrong bytes. Processes may read,
 * write and trim at the same time.
 *
 * May see: base.
 */
#ifndef OCLMM_RUNNER_CACHE_CACHE_H
#define OCLMM_RUNNER_CACHE_CACHE_H

#include "oclmm/base.h"

/** `$XDG_CACHE_HOME/oclmm`, or `~/.cache/oclmm`; malloc-ed, NULL where there is no home. */
char *cache_home(void);
/**
 * Makes the folder unless it is there, for this user alone.
 * \return 0; -EPERM where it is not this user's own, or others may write to it: their files would
 * run in a driver; else a negative errno value.
 */
int cache_prepare(const char *folder);
/**
 * Takes the lock of a folder, and waits for the process that has it. The lock goes with its
 * process. \return what to unlock, or a negative errno value
 */
int cache_lock(const char *folder);
/** Accepts the error of a cache_lock() that failed. */
void cache_unlock(int lock);

/**
 * Reads the bytes of a key.
 * \return 0, and malloc-ed bytes; -ENOENT where the cache has none, they are damaged, or
 * others may have written them; else a negative errno value.
 */
int cache_read(const char *folder, const struct oclmm_text *key, struct oclmm_text *ret_bytes);
/** Stores bytes, in place of those of the same key. \return 0 or a negative errno value. */
int cache_write(const char *folder, const struct oclmm_text *key, const struct oclmm_text *bytes);
/** Removes the files written or used longest ago until at most `most` bytes are left. Leaves alone
 * files that are not the cache's. */
void cache_trim(const char *folder, uint64_t most);

#endif
