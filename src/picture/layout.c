// SPDX-License-Identifier: Apache-2.0
#include "layout.h"

#include <stdlib.h>

/* How often gaps are made wider. One round does for most pictures; dense ones take a few. */
enum { MAX_ROUNDS = 40 };

void layout_make(struct layout *l, const struct oclmm_explanation *e)
{
	bool done = false;

	*l = (struct layout){0};
	graph_make(&l->graph, e);
	l->routes = oclmm_calloc(l->graph.arrow_count + 1, sizeof(*l->routes));
	for (size_t i = 0; i < l->graph.arrow_count; i++)
		l->routes[i].arrow = &l->graph.arrows[i];
	layout_arrange(l);
	for (int round = 0; !done && round <= MAX_ROUNDS; round++) {
		layout_measure(l);
		layout_lines(l);
		done = layout_labels(l, round == MAX_ROUNDS);
	}
}

void layout_finish(struct layout *l)
{
	free(l->routes);
	graph_finish(&l->graph);
}
