// SPDX-License-Identifier: Apache-2.0
/* oclmm report: saved results as one HTML page. */
#include <errno.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/progress.h"
#include "oclmm/page.h"
#include "oclmm/picture.h"
#include "saved.h"

struct reporting {
	const struct command *command;
	/* as asked for */
	const char *output;
	struct regrade_options options;
	struct oclmm_page_options page;
	/* while reporting */
	struct regrade regrade;
	struct progress progress;
};

/* ---- options ---- */

static int set_graphs(const char *option, const char *value, void *target)
{
	struct reporting *reporting = target;
	static const char *const words[] = {
		[OCLMM_PAGE_GRAPHS_NONE] = "none",
		[OCLMM_PAGE_GRAPHS_INTERESTING] = "interesting",
		[OCLMM_PAGE_GRAPHS_ALL] = "all",
	};

	for (size_t i = 0; i < OCLMM_COUNT(words); i++) {
		if (strcmp(words[i], value) == 0) {
			reporting->page.graphs = (enum oclmm_page_graphs)i;
			return 0;
		}
	}
	return option_refuse(option, value, "\"interesting\", \"all\" or \"none\"");
}

static int set_output(const char *option, const char *value, void *ret_path)
{
	return option_file(option, value, ".html", ret_path);
}

static const struct option_spec options[] = {
	REGRADE_CLAIMS_OPTION(struct reporting, options.rules),
	REGRADE_CONFIDENCE_OPTION(struct reporting, options.rules),
	REGRADE_EXPECTATIONS_OPTION(struct reporting, options.rules),
	{"graphs", 0, "WHICH",
         "executions drawn: interesting (default: where a forbidden, disputed or weak "
         "outcome was seen), all, none",
         SETS(set_graphs)},
	REGRADE_LITMUS_OPTION(struct reporting, options),
	REGRADE_MODEL_OPTION(struct reporting, options.rules),
	{"output", 'o', "FILE", "write there instead of to standard output",
         SETS_BY(set_output, struct reporting, output)},
	REGRADE_PARTIAL_OPTION(struct reporting, options.partial),
	REGRADE_REQUIRE_OPTION(struct reporting, options.rules),
	{"title", 0, "TEXT", "title of the page", SETS_TEXT(struct reporting, page.title)},
	{0},
};

/* ---- what the page asks ---- */

static struct oclmm_page_words find_words(void *data, const struct oclmm_record *record)
{
	const struct reporting *reporting = data;
	const struct chosen *chosen = regrade_find(&reporting->regrade, record->program->name);
	struct oclmm_page_words words = {0};

	/* a name that now belongs to another test proves nothing about this one */
	if (!chosen || chosen->variant->program->hash != record->program->hash)
		return words;
	words.question = chosen->litmus->question;
	words.comment = chosen->litmus->comment;
	if (chosen->variant != &chosen->litmus->variants[0])
		words.base = chosen->litmus->variants[0].name;
	return words;
}

/* An outcome as a condition: `1:r0=1 /\ 1:r1=0`. */
static void print_condition(struct oclmm_text *text, const struct oclmm_program *program,
                            const int64_t *values)
{
	for (uint32_t i = 0; i < program->observable_count; i++) {
		oclmm_text_printf(text, "%s%s=", i ? " /\\ " : "", program->observables[i].name);
		oclmm_value_print(text, program->observables[i].type, values[i]);
	}
}

static char *draw(void *data, const struct oclmm_record *record, const int64_t *values)
{
	enum oclmm_model model = OCLMM_MODEL_CONSENSUS;
	struct oclmm_text outcome = {0}, svg = {0};
	struct oclmm_error error;
	int r;

	(void)data;
	print_condition(&outcome, record->program, values);
	if (record->model)
		oclmm_model_parse(record->model, &model);
	r = oclmm_picture_outcome(&svg, record->program, oclmm_text_string(&outcome), model,
	                          &error);
	oclmm_text_finish(&outcome);
	return r == 0 ? oclmm_text_steal(&svg) : NULL;
}

static void show_progress(void *data, size_t done, size_t tests)
{
	struct reporting *reporting = data;

	if (done == 0)
		progress_begin(&reporting->progress, tests);
	progress_update(&reporting->progress, done, 0, "drawing");
}

/* ---- writing ---- */

static int make_page(struct reporting *reporting)
{
	const struct regrade *regrade = &reporting->regrade;
	struct oclmm_text text = {0};
	int r, status;

	if (!regrade->count) {
		options_error(reporting->command, "the results have no tests");
		return OCLMM_EXIT_NOTHING;
	}
	oclmm_grade_confidence(regrade->records, regrade->count, &reporting->page.demand);
	r = oclmm_page_write(&text, regrade->results->runs, regrade->results->run_count,
	                     (const struct oclmm_record *const *)regrade->records, regrade->count,
	                     &reporting->page, NULL);
	progress_clear(&reporting->progress);
	if (r == -E2BIG) {
		status = options_error(reporting->command,
		                       "more than a page shows: at most %d columns (devices, and "
		                       "runs on them), and %d results of tests in them",
		                       OCLMM_PAGE_COLUMNS, OCLMM_PAGE_CELLS);
	} else if (r < 0) {
		options_error(reporting->command, "cannot make the page: %s", strerror(-r));
		status = OCLMM_EXIT_INFRASTRUCTURE;
	} else {
		status = command_write(reporting->command, reporting->output, &text);
	}
	oclmm_text_finish(&text);
	return status;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct reporting reporting = {
		.command = command,
		.options.rules.demand = REGRADE_DEMAND,
		.page =
			{
				.tool = "oclmm " OCLMM_VERSION,
				.graphs = OCLMM_PAGE_GRAPHS_INTERESTING,
				.words = find_words,
				.graph = draw,
				.progress = show_progress,
			},
	};
	int first, status = options_parse(command, argc, argv, &reporting, &first);

	if (status)
		return status;
	reporting.page.data = &reporting;
	reporting.page.demand = reporting.options.rules.demand;
	status = regrade_open(&reporting.regrade, command, &reporting.options, argv + first,
	                      argc - first);
	if (status == 0)
		status = make_page(&reporting);
	regrade_finish(&reporting.regrade);
	return status;
}

const struct command command_report = {
	.name = "report",
	.arguments = "RESULTS…",
	.summary = "saved results as one HTML page, devices side by side",
	.description = "The page needs no network. Tests are judged again, as by oclmm grade, "
		       "which is the gate;\n"
		       "this command only shows.\n"
		       "Exit status: 0 the page was written; 2 usage, or a file that is refused; "
		       "77 no tests in\n"
		       "the results; 99 the page could not be written.",
	.options = options,
	.repeatable = "litmus",
	.run = run,
};
