// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * From candidate executions of the reference oracle to the sets and relations
 * that docs/opencl.cat speaks of.
 */
#ifndef CAT_OPENCL_H
#define CAT_OPENCL_H

#include "cat.h"
#include "execution.h"

/* X(name, type) */
#define CAT_OPENCL_NAMES(X)                                                                        \
	X(R, "R", CAT_SET)                                                                         \
	X(W, "W", CAT_SET)                                                                         \
	X(IW, "IW", CAT_SET)                                                                       \
	X(F, "F", CAT_SET)                                                                         \
	X(ENTRY, "ENTRY", CAT_SET)                                                                 \
	X(EXIT, "EXIT", CAT_SET)                                                                   \
	X(A, "A", CAT_SET)                                                                         \
	X(ACQ, "ACQ", CAT_SET)                                                                     \
	X(REL, "REL", CAT_SET)                                                                     \
	X(ACQ_REL, "ACQ_REL", CAT_SET)                                                             \
	X(SC, "SC", CAT_SET)                                                                       \
	X(SG, "SG", CAT_SET)                                                                       \
	X(WG, "WG", CAT_SET)                                                                       \
	X(DV, "DV", CAT_SET)                                                                       \
	X(ALL, "ALL", CAT_SET)                                                                     \
	X(GLOBAL, "GLOBAL", CAT_SET)                                                               \
	X(LOCAL, "LOCAL", CAT_SET)                                                                 \
	X(SVM, "SVM", CAT_SET)                                                                     \
	X(COARSE, "COARSE", CAT_SET)                                                               \
	X(BUFFER, "BUFFER", CAT_SET)                                                               \
	X(PO, "po", CAT_RELATION)                                                                  \
	X(RF, "rf", CAT_RELATION)                                                                  \
	X(CO, "co", CAT_RELATION)                                                                  \
	X(LOC, "loc", CAT_RELATION)                                                                \
	X(INT, "int", CAT_RELATION)                                                                \
	X(EXT, "ext", CAT_RELATION)                                                                \
	X(DEP, "dep", CAT_RELATION)                                                                \
	X(SSG, "ssg", CAT_RELATION)                                                                \
	X(SWG, "swg", CAT_RELATION)                                                                \
	X(SDV, "sdv", CAT_RELATION)                                                                \
	X(STK, "stk", CAT_RELATION)                                                                \
	X(SYNCBAR, "syncbar", CAT_RELATION)

enum {
#define OCLMM_X(name, ...) CAT_OPENCL_##name,
	CAT_OPENCL_NAMES(OCLMM_X)
#undef OCLMM_X
		CAT_OPENCL_COUNT
};

extern const struct cat_name cat_opencl_names[CAT_OPENCL_COUNT];

/** One value for each name; plain data. */
struct cat_opencl {
	cat_relation values[CAT_OPENCL_COUNT];
};

/** Fills the values for a candidate. */
void cat_opencl_describe(const struct candidate *candidate, struct cat_opencl *ret_values);

/** What a model of the OpenCL vocabulary says of a program. */
struct cat_answer {
	int64_t (*states)[64]; /**< that a consistent candidate ends in */
	size_t count, capacity;
	bool undefined;
	uint64_t candidates;
};

/**
 * Answers a program by trying every candidate.
 * \return 0; -E2BIG when there are more than `limit` candidates.
 */
int cat_opencl_check(struct cat_model *model, const struct oclmm_program *program, uint64_t limit,
                     struct cat_answer *ret_answer);
void cat_opencl_finish(struct cat_answer *answer);
bool cat_opencl_allows(const struct cat_answer *answer, const struct oclmm_program *program,
                       const int64_t *values);

#endif
