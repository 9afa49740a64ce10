// SPDX-License-Identifier: Apache-2.0
#include "machine_code.h"

#include <stdio.h>

#include "audit/audit.h"
#include "cli/cli.h"

/* One device's. Several of a run that is spread over them are alike. */
static int audit_run(struct run *run)
{
	struct audit audit = {.model = regrade_model_for(&run->context.model,
	                                                 run->context.device->version),
	                      .arena = oclmm_arena_create()};
	struct oclmm_error error = {0};
	struct oclmm_text words = {0};
	const char *compiler, *model;
	char device[24];
	int r;

	snprintf(device, sizeof(device), "%zu", run->lanes[0].device);
	r = audit_compiler_of_device(device, &error, &audit.compiler);
	if (r < 0) {
		report_error(&error);
		oclmm_arena_destroy(audit.arena);
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	oclmm_text_printf(&words, "%s; %s", audit_compiler_words(audit.compiler),
	                  audit_compiler_manner(audit.compiler));
	compiler = oclmm_text_keep(&words, run->context.arena);
	model = oclmm_machine_model_name(audit_compiler_machine(audit.compiler));
	audit.cases = oclmm_calloc(run->selection.count + 1, sizeof(*audit.cases));
	audit.count = run->selection.count;
	for (size_t i = 0; i < audit.count; i++) {
		audit.cases[i].chosen = &run->selection.chosen[i];
		audit.cases[i].program = run->selection.chosen[i].variant->program;
	}
	audit_judge(&audit);
	run->codes = oclmm_calloc(audit.count + 1, sizeof(*run->codes));
	for (size_t i = 0; i < audit.count; i++) {
		const struct audit_case *c = &audit.cases[i];
		struct oclmm_code *code = &run->codes[i];
		struct oclmm_text reason = {0};

		/* what is taken over from a file stays as it is there */
		if (run->items[i].done || !c->judged)
			continue;
		code->proof = c->verdict == AUDIT_RIGHT   ? OCLMM_PROOF_RIGHT
		              : c->verdict == AUDIT_WRONG ? OCLMM_PROOF_WRONG
		                                          : OCLMM_PROOF_OPEN;
		if (c->verdict != AUDIT_RIGHT && c->verdict != AUDIT_WRONG)
			oclmm_text_printf(&reason, "%s: ", audit_verdict_word(c->verdict));
		audit_reason(&reason, c);
		if (reason.length)
			code->message = oclmm_text_keep(&reason, run->context.arena);
		oclmm_text_finish(&reason);
		code->compiler = compiler;
		code->model = model;
	}
	audit_finish(&audit);
	return 0;
}

int run_audit_all(struct run_session *session)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < session->run_count; i++)
		status = audit_run(&session->runs[i]);
	return status;
}
