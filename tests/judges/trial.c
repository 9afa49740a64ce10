// SPDX-License-Identifier: Apache-2.0
#include "trial.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/model.h"
#include "opencl.h"

/* ---- open and close -------------------------------------------------- */

static bool explain(const struct oclmm_error *error)
{
	char *text = oclmm_error_format(error);

	fputs(text, stderr);
	free(text);
	return false;
}

bool trial_open(struct trial *trial, char *const *paths, int count, const char *first)
{
	for (int i = 0; i < count; i++) {
		struct oclmm_error error;

		if (trial->count == TRIAL_MAX_JUDGES) {
			fputs("too many judges\n", stderr);
			return false;
		}
		if (judge_read(paths[i], first, &error, &trial->judges[trial->count]) != 0)
			return explain(&error);
		trial->count++;
	}
	return true;
}

bool trial_strengthen(struct trial *trial, const char *path, const char *text)
{
	struct oclmm_error error;
	struct oclmm_text whole = {0};
	size_t length;
	char *file;
	int result = oclmm_read_file(path, &file, &length);

	if (result != 0) {
		oclmm_error_set(&error, result, "cannot read %s: %s", path, strerror(-result));
		return explain(&error);
	}
	oclmm_text_printf(&whole, "%s\n%s\n", file, text);
	result = oclmm_cat_parse(path, whole.data, whole.length, cat_opencl_names, CAT_OPENCL_COUNT,
	                         &error, &trial->stronger);
	oclmm_text_finish(&whole);
	free(file);
	return result == 0 || explain(&error);
}

void trial_close(struct trial *trial)
{
	for (unsigned i = 0; i < trial->count; i++)
		judge_destroy(trial->judges[i]);
	oclmm_cat_destroy(trial->stronger);
}

/* ---- what the judges show -------------------------------------------- */

struct asking {
	struct trial *trial;
	bool (*wanted)(const int64_t *values, void *data);
	void *data;
	struct trial_findings *findings;
};

static int ask_all(struct asking *asking, const struct candidate *candidate, const int64_t *values)
{
	struct trial_findings *findings = asking->findings;

	findings->heard++;
	for (unsigned i = 0; i < asking->trial->count; i++) {
		int result;

		if (findings->shown[i])
			continue;
		result = judge_hear(asking->trial->judges[i], candidate, &findings->shown[i]);
		if (result != 0)
			return result;
		memcpy(findings->states[i], values, sizeof(findings->states[i]));
	}
	return 0;
}

static int ask_of_order(struct candidate *candidate, void *data)
{
	struct asking *asking = data;
	int64_t values[64] = {0};

	if (++asking->findings->candidates > asking->trial->limit)
		return -E2BIG;
	if (!find_final_state(candidate, values) || !asking->wanted(values, asking->data))
		return 0;
	return ask_all(asking, candidate, values);
}

static int ask_of_sources(struct candidate *candidate, void *data)
{
	return enumerate_modification_orders(candidate, ask_of_order, data);
}

int trial_ask(struct trial *trial, const struct oclmm_program *program,
              bool (*wanted)(const int64_t *values, void *data), void *data,
              struct trial_findings *ret_findings)
{
	struct asking asking = {
		.trial = trial, .wanted = wanted, .data = data, .findings = ret_findings};

	memset(ret_findings, 0, sizeof(*ret_findings));
	if (program->observable_count > OCLMM_COUNT(ret_findings->states[0]))
		return -E2BIG;
	/* a compare-exchange that fails writes nothing on any machine, knob K9 */
	return enumerate_program(program, true, ask_of_sources, &asking);
}

/* ---- against what is forbidden --------------------------------------- */

struct forbidding {
	const struct oclmm_answer *oracle;
	const struct cat_answer *stronger;
};

static bool is_forbidden(const int64_t *values, void *data)
{
	const struct forbidding *forbidding = data;

	if (forbidding->stronger != NULL)
		return !cat_opencl_allows(forbidding->stronger, forbidding->oracle->program,
		                          values);
	return oclmm_answer_status(forbidding->oracle, OCLMM_MODEL_CONSENSUS, values) ==
	       OCLMM_STATUS_FORBIDDEN;
}

static enum trial_result describe(const struct trial *trial, const struct oclmm_program *program,
                                  const struct trial_findings *findings, struct oclmm_text *text)
{
	enum trial_result result = TRIAL_NOTHING;

	for (unsigned i = 0; i < trial->count; i++) {
		if (!findings->shown[i])
			continue;
		result = TRIAL_SHOWN;
		if (text == NULL)
			continue;
		oclmm_text_printf(text, "%s: %s shows ", program->name,
		                  judge_name(trial->judges[i]));
		oclmm_outcome_print(text, program, findings->states[i]);
		oclmm_text_add(text, "\n");
	}
	return result;
}

static enum trial_result hold(struct trial *trial, const struct oclmm_answer *oracle,
                              struct trial_counts *counts, struct oclmm_text *text)
{
	struct forbidding forbidding = {.oracle = oracle};
	struct trial_findings findings;
	struct cat_answer stronger;
	int result;

	if (oracle->undefined[OCLMM_MODEL_CONSENSUS])
		return TRIAL_UNDEFINED;
	if (trial->stronger != NULL) {
		if (cat_opencl_check(trial->stronger, oracle->program, trial->limit, &stronger) !=
		    0)
			return TRIAL_TOO_LARGE;
		forbidding.stronger = &stronger;
	}
	result = trial_ask(trial, oracle->program, is_forbidden, &forbidding, &findings);
	if (trial->stronger != NULL)
		cat_opencl_finish(&stronger);
	counts->candidates += findings.candidates;
	counts->heard += findings.heard;
	/* what was shown before the limit was met is shown all the same */
	if (describe(trial, oracle->program, &findings, text) == TRIAL_SHOWN)
		return TRIAL_SHOWN;
	return result == 0 ? TRIAL_NOTHING : TRIAL_TOO_LARGE;
}

enum trial_result trial_hold(struct trial *trial, const struct oclmm_program *program,
                             struct trial_counts *counts, struct oclmm_text *text)
{
	struct oclmm_check_options options = {.models = 1u << OCLMM_MODEL_CONSENSUS};
	enum trial_result result = TRIAL_TOO_LARGE;
	struct oclmm_answer *oracle;
	struct oclmm_error error;

	if (oclmm_check(program, &options, &error, &oracle) == 0) {
		result = hold(trial, oracle, counts, text);
		oclmm_answer_destroy(oracle);
	}
	counts->results[result]++;
	return result;
}

void trial_print(const struct trial_counts *counts)
{
	printf("%" PRIu64 " programs in which nothing forbidden is shown, %" PRIu64
	       " undefined, %" PRIu64 " too large, %" PRIu64 " with a forbidden state shown\n"
	       "  %" PRIu64 " candidates, %" PRIu64 " of them with forbidden states\n",
	       counts->results[TRIAL_NOTHING], counts->results[TRIAL_UNDEFINED],
	       counts->results[TRIAL_TOO_LARGE], counts->results[TRIAL_SHOWN], counts->candidates,
	       counts->heard);
}
