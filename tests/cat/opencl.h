// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * From candidate executions of the reference oracle to the sets and relations
 * that docs/opencl.cat speaks of.
 */
#ifndef CAT_OPENCL_H
#define CAT_OPENCL_H

#include "execution.h"
#include "oclmm/cat.h"

/* X(name, type) */
#define CAT_OPENCL_NAMES(X)                                                                        \
	X(R, "R", OCLMM_CAT_SET)                                                                   \
	X(W, "W", OCLMM_CAT_SET)                                                                   \
	X(IW, "IW", OCLMM_CAT_SET)                                                                 \
	X(F, "F", OCLMM_CAT_SET)                                                                   \
	X(ENTRY, "ENTRY", OCLMM_CAT_SET)                                                           \
	X(EXIT, "EXIT", OCLMM_CAT_SET)                                                             \
	X(A, "A", OCLMM_CAT_SET)                                                                   \
	X(ACQ, "ACQ", OCLMM_CAT_SET)                                                               \
	X(REL, "REL", OCLMM_CAT_SET)                                                               \
	X(ACQ_REL, "ACQ_REL", OCLMM_CAT_SET)                                                       \
	X(SC, "SC", OCLMM_CAT_SET)                                                                 \
	X(SG, "SG", OCLMM_CAT_SET)                                                                 \
	X(WG, "WG", OCLMM_CAT_SET)                                                                 \
	X(DV, "DV", OCLMM_CAT_SET)                                                                 \
	X(ALL, "ALL", OCLMM_CAT_SET)                                                               \
	X(GLOBAL, "GLOBAL", OCLMM_CAT_SET)                                                         \
	X(LOCAL, "LOCAL", OCLMM_CAT_SET)                                                           \
	X(SVM, "SVM", OCLMM_CAT_SET)                                                               \
	X(COARSE, "COARSE", OCLMM_CAT_SET)                                                         \
	X(BUFFER, "BUFFER", OCLMM_CAT_SET)                                                         \
	X(PO, "po", OCLMM_CAT_RELATION)                                                            \
	X(RF, "rf", OCLMM_CAT_RELATION)                                                            \
	X(CO, "co", OCLMM_CAT_RELATION)                                                            \
	X(LOC, "loc", OCLMM_CAT_RELATION)                                                          \
	X(INT, "int", OCLMM_CAT_RELATION)                                                          \
	X(EXT, "ext", OCLMM_CAT_RELATION)                                                          \
	X(DEP, "dep", OCLMM_CAT_RELATION)                                                          \
	X(SSG, "ssg", OCLMM_CAT_RELATION)                                                          \
	X(SWG, "swg", OCLMM_CAT_RELATION)                                                          \
	X(SDV, "sdv", OCLMM_CAT_RELATION)                                                          \
	X(STK, "stk", OCLMM_CAT_RELATION)                                                          \
	X(SYNCBAR, "syncbar", OCLMM_CAT_RELATION)                                                  \
	X(SYNCCOPY, "synccopy", OCLMM_CAT_RELATION)                                                \
	X(SYNCCMD, "synccmd", OCLMM_CAT_RELATION)                                                  \
	X(SYNCCHILD, "syncchild", OCLMM_CAT_RELATION)

enum {
#define OCLMM_X(name, ...) CAT_OPENCL_##name,
	CAT_OPENCL_NAMES(OCLMM_X)
#undef OCLMM_X
		CAT_OPENCL_COUNT
};

extern const struct oclmm_cat_name cat_opencl_names[CAT_OPENCL_COUNT];

/** One value for each name; plain data. */
struct cat_opencl {
	oclmm_cat_relation values[CAT_OPENCL_COUNT];
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
int cat_opencl_check(struct oclmm_cat_model *model, const struct oclmm_program *program,
                     uint64_t limit, struct cat_answer *ret_answer);
void cat_opencl_finish(struct cat_answer *answer);
bool cat_opencl_allows(const struct cat_answer *answer, const struct oclmm_program *program,
                       const int64_t *values);

#endif
