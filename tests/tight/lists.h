// SPDX-License-Identifier: Apache-2.0
/* Lists of tight tests, and the way down to one. */
#ifndef TESTS_TIGHT_LISTS_H
#define TESTS_TIGHT_LISTS_H

#include "oclmm/tight.h"

struct list_line {
	char *words;
	unsigned models; /* set of 1u << enum oclmm_model */
};
struct list {
	struct list_line *lines;
	size_t count, capacity;
	bool updates; /* its bound has them: some line does */
};

/* Adds the lines of a file; leaves the program with a message when it cannot. */
void list_read(struct list *list, const char *path);
void list_finish(struct list *list);
/* Whether a list has a cycle as tight under a model. */
bool list_has(const struct list *list, const struct oclmm_cycle *cycle, enum oclmm_model model);

/*
 * From a decoration that a model forbids, down by single steps as long as it forbids; gives the
 * tight one where they end. Negative when the oracle cannot answer.
 */
int descend(struct oclmm_tight_space *space, uint64_t number, enum oclmm_model model,
            struct oclmm_cycle *ret_cycle);

#endif
