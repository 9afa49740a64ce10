// SPDX-License-Identifier: Apache-2.0
/* Strings of which each is kept once. */
#ifndef OCLMM_PAGE_POOL_H
#define OCLMM_PAGE_POOL_H

#include "oclmm/base.h"

struct pool;

/* A pool holds the empty string, as number 0. */
struct pool *oclmm_pool_create(void);
void oclmm_pool_destroy(struct pool *pool);
/* The number of a string, which is copied when it is new. Numbers go up from 0. */
size_t oclmm_pool_add(struct pool *pool, const char *bytes, size_t length);
size_t oclmm_pool_count(const struct pool *pool);
const char *oclmm_pool_at(const struct pool *pool, size_t index);

#endif
