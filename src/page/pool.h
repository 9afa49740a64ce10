// SPDX-License-Identifier: Apache-2.0
/* Strings of which each is kept once. */
#ifndef OCLMM_PAGE_POOL_H
#define OCLMM_PAGE_POOL_H

#include "oclmm/base.h"

struct pool;

/* A pool holds the empty string, as number 0. */
struct pool *pool_create(void);
void pool_destroy(struct pool *pool);
/* The number of a string, which is copied when it is new. Numbers go up from 0. */
size_t pool_add(struct pool *pool, const char *bytes, size_t length);
size_t pool_count(const struct pool *pool);
const char *pool_at(const struct pool *pool, size_t index);

#endif
