// SPDX-License-Identifier: Apache-2.0
/* What the files share that print an explanation as text. */
#ifndef OCLMM_EXPLAIN_PRINTING_H
#define OCLMM_EXPLAIN_PRINTING_H

#include "internal.h"

struct printing {
	struct oclmm_text *text;
	const struct oclmm_explanation *e;
	const struct oclmm_execution *x;
};

/* A paragraph that begins behind column `at`, broken between words; every line but the first is
 * indented. */
void OCLMM_PRINTF(4, 5)
	paragraph(struct printing *p, unsigned at, unsigned indent, const char *format, ...);

/* What would turn the verdict, or repair the program. */
void print_changes(struct printing *p);

#endif
