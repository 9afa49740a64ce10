// SPDX-License-Identifier: Apache-2.0
/* A file of expected sets: as docs promise it, written by hand, and as it is built. */
#ifndef OCLMM_TESTS_EXPECT_FIXTURE_H
#define OCLMM_TESTS_EXPECT_FIXTURE_H

#include "../fixture/sb.h"
#include "oclmm/expect.h"

#define A OCLMM_STATUS_ALLOWED
#define F OCLMM_STATUS_FORBIDDEN
#define D OCLMM_STATUS_DISPUTED

/* The third set is disputed, the fourth one's program races. */
extern const char golden[];

/* Adds an answer whose weak outcome has this status. */
void add(struct oclmm_expected_file *file, struct sb *sb, const char *name,
         enum oclmm_quantifier quantifier, enum oclmm_status weak, bool racy);
/* What `golden` says. */
struct oclmm_expected_file *make_file(void);
/* malloc-ed */
char *print(const struct oclmm_expected_file *file);

#endif
