// SPDX-License-Identifier: Apache-2.0
/* Built without Graphviz: the text of the graph is there, its picture is not. */
#include <errno.h>

#include "internal.h"

int oclmm_explanation_draw(struct oclmm_text *text, const struct oclmm_explanation *explanation,
                           const char *format)
{
	(void)text;
	(void)format;
	return explanation->execution ? -ENOTSUP : -ENOENT;
}
