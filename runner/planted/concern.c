// SPDX-License-Identifier: Apache-2.0
#include "concern.h"

#include <string.h>

#include "saboteur/rewrite.h"

/*
 * The canonical print of a test has its statements as OpenCL C, and nothing of
 * the harness, whose counters and barriers are in every kernel.
 */
enum concern concern_of(const struct saboteur_plant *plant, const struct oclmm_program *program,
                        bool control)
{
	struct oclmm_text text, changed;
	enum concern concern = CONCERN_NONE;

	if (saboteur_in_calls(plant->bug))
		return !oclmm_program_has_commands(program) ? CONCERN_NONE
		       : control                            ? CONCERN_CONTROL
		                                            : CONCERN_CHANGED;
	oclmm_text_init(&text);
	oclmm_program_print(&text, program);
	if (saboteur_rewrite(plant, oclmm_text_string(&text), text.length, &changed) > 0) {
		concern = control ? CONCERN_CONTROL : CONCERN_CHANGED;
		if (control && strstr(oclmm_text_string(&text), "memory_order_seq_cst"))
			concern = CONCERN_STRONG;
	}
	oclmm_text_finish(&changed);
	oclmm_text_finish(&text);
	return concern;
}
