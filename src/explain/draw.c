// SPDX-License-Identifier: Apache-2.0
/* Lays out an execution with Graphviz' library. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <graphviz/gvc.h>

#include "internal.h"

#ifdef __SANITIZE_ADDRESS__
const char *__lsan_default_suppressions(void);

/* Graphviz and the libraries that it draws with keep memory until the program ends. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libgvc\nleak:libcgraph\nleak:libgvplugin\n"
	       "leak:libfontconfig\nleak:libpango\nleak:libcairo\n"
	       "leak:libglib\nleak:libgobject\nleak:libexpat\n";
}
#endif

/* Graphviz' messages go nowhere: library code does not print. */
static int swallow(char *message)
{
	(void)message;
	return 0;
}

static int draw(GVC_t *context, const char *source, const char *format, struct oclmm_text *text)
{
	char *data = NULL;
	unsigned length = 0;
	int result = -EIO;
	Agraph_t *graph = agmemread(source);

	if (!graph)
		return -EIO;
	if (gvLayout(context, graph, "nop") == 0) {
		if (gvRenderData(context, graph, format, &data, &length) == 0 && data && length) {
			oclmm_text_add_bytes(text, data, length);
			result = 0;
		} else {
			result = -ENOTSUP;
		}
		if (data)
			gvFreeRenderData(data);
		gvFreeLayout(context, graph);
	}
	agclose(graph);
	return result;
}

int oclmm_explanation_draw(struct oclmm_text *text, const struct oclmm_explanation *explanation,
                           const char *format)
{
	/*
	 * One for the life of the program: Graphviz' text plugin keeps pointers into
	 * the first context, also when that is gone and another was made.
	 */
	static GVC_t *context;
	agusererrf reported;
	struct oclmm_text source;
	int result;

	oclmm_text_init(&source);
	result = oclmm_explanation_dot(&source, explanation);
	if (result == 0) {
		reported = agseterrf(swallow);
		if (!context)
			context = gvContext();
		result = context ? draw(context, oclmm_text_string(&source), format, text) : -EIO;
		agseterrf(reported);
	}
	oclmm_text_finish(&source);
	return result;
}
