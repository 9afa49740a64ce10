// SPDX-License-Identifier: Apache-2.0
/* oclmm compare: what changed between two runs, or two audits. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "oclmm/grade.h"
#include "saved.h"
#include "select/select.h"

struct compare {
	bool all, partial, quiet;
};

static const struct option_spec options[] = {
	{"all", 0, NULL, "print every outcome that came or went, not only the weak ones",
         SETS_FLAG(struct compare, all)},
	{"partial", 0, NULL, "accept a run that was cut short", SETS_FLAG(struct compare, partial)},
	{"quiet", 'q', NULL, "print regressions only", SETS_FLAG(struct compare, quiet)},
	{0},
};

static int refuse_cut_short(const struct command *command, const struct compare *compare,
                            const struct oclmm_results *results)
{
	if (compare->partial || results->complete)
		return 0;
	return options_error(
		command,
		"%s: the run was cut short: the file has no last line; --partial takes "
		"what there is",
		results->path);
}

static enum oclmm_exit exit_of(const struct oclmm_comparison *counts)
{
	if (counts->regressions)
		return OCLMM_EXIT_FORBIDDEN;
	if (counts->broken)
		return OCLMM_EXIT_INFRASTRUCTURE;
	return counts->common ? OCLMM_EXIT_PASS : OCLMM_EXIT_NOTHING;
}

static enum oclmm_exit print_comparison(const struct compare *compare,
                                        const struct oclmm_results *before,
                                        const struct oclmm_results *after)
{
	enum oclmm_compare_lines lines = compare->all     ? OCLMM_COMPARE_ALL
	                                 : compare->quiet ? OCLMM_COMPARE_REGRESSIONS
	                                                  : OCLMM_COMPARE_NOTABLE;
	struct oclmm_comparison counts;
	struct oclmm_text text = {0};

	oclmm_results_compare(before, after, lines, &counts, &text);
	fputs(oclmm_text_string(&text), stdout);
	oclmm_text_finish(&text);
	cli_print_fitted("%s, %" PRIu64 " in both: %s, %" PRIu64 " broken, %" PRIu64
	                 " not run, %" PRIu64 " new, %s of what is seen, %" PRIu64 " of rates",
	                 oclmm_counted(counts.tests, "test").text, counts.common,
	                 oclmm_counted(counts.regressions, "regression").text, counts.broken,
	                 counts.not_run, counts.fresh,
	                 oclmm_counted(counts.changes, "other change").text, counts.rates);
	return exit_of(&counts);
}

static int read_records(const char *path, bool partial, struct oclmm_results **ret_results)
{
	struct oclmm_error error = {0};

	if (!names_kernel(path, "file of results", &error) &&
	    oclmm_results_read(path, partial, false, &error, ret_results) == 0)
		return 0;
	return report_error(&error);
}

/* ---- audits ------------------------------------------------------------------ */

/* What `oclmm audit -o FILE.jsonl` wrote. */
struct audited {
	const char *path;
	json_t *head;
	json_t *tests; /* by name */
	bool complete;
};

static json_t *read_line(const char *line, size_t length)
{
	return json_loadb(line, length, 0, NULL);
}

static bool has_type(const json_t *line, const char *type)
{
	const char *word = json_string_value(json_object_get(line, "type"));

	return word && strcmp(word, type) == 0;
}

/* Whether the first line says that it is an audit. What is no file can be read once only. */
static bool is_audit(const char *path)
{
	enum { FIRST_LINE = 4096 };
	char line[FIRST_LINE];
	struct stat status;
	FILE *file;
	bool is = false;

	if (stat(path, &status) < 0 || !S_ISREG(status.st_mode) || !(file = fopen(path, "r")))
		return false;
	if (fgets(line, sizeof(line), file)) {
		json_t *json = read_line(line, strlen(line));

		is = has_type(json, "audit");
		json_decref(json);
	}
	fclose(file);
	return is;
}

static bool take_line(struct audited *audited, json_t *line)
{
	const char *name = json_string_value(json_object_get(line, "name"));

	if (has_type(line, "audit") && !audited->head) {
		audited->head = json_incref(line);
		return true;
	}
	if (has_type(line, "end")) {
		audited->complete = true;
		return true;
	}
	return has_type(line, "test") && name && audited->head &&
	       json_is_string(json_object_get(line, "verdict")) &&
	       json_object_set(audited->tests, name, line) == 0;
}

static int read_audit(struct audited *audited, struct oclmm_error *error)
{
	struct oclmm_lines lines;
	char *text;
	size_t length;
	int r = oclmm_read_text(audited->path, error, &text, &length);

	if (r < 0)
		return r;
	audited->tests = json_object();
	oclmm_lines_begin(&lines, audited->path, text, length);
	while (r == 0 && oclmm_lines_next(&lines)) {
		json_t *line = lines.length ? read_line(lines.line, lines.length) : NULL;

		/* the last line may have been cut while it was written */
		if (lines.length && (!line || !take_line(audited, line)) &&
		    (line || lines.line + lines.length < text + length))
			r = oclmm_error_set(error, -EINVAL, "%s: line %u is none of an audit",
			                    audited->path, lines.number);
		json_decref(line);
	}
	free(text);
	return r;
}

static void finish_audit(struct audited *audited)
{
	json_decref(audited->head);
	json_decref(audited->tests);
}

enum standing { STANDS_WRONG, STANDS_RIGHT, STANDS_NOT_BUILT, STANDS_OPEN };

/* A failure that is known is one all the same. */
static enum standing standing_of(const json_t *test)
{
	static const struct {
		const char *word;
		enum standing standing;
	} words[] = {{"wrong", STANDS_WRONG},
	             {"right", STANDS_RIGHT},
	             {"stale", STANDS_RIGHT},
	             {"not-built", STANDS_NOT_BUILT}};
	const char *verdict = json_string_value(json_object_get(test, "verdict"));

	if (strcmp(verdict, "known") == 0)
		return json_array_size(json_object_get(test, "executions")) ? STANDS_WRONG
		                                                            : STANDS_NOT_BUILT;
	for (size_t i = 0; i < OCLMM_COUNT(words); i++) {
		if (strcmp(words[i].word, verdict) == 0)
			return words[i].standing;
	}
	return STANDS_OPEN;
}

static bool has_outcome(const json_t *test, const json_t *outcome)
{
	json_t *execution;
	size_t i;

	json_array_foreach(json_object_get(test, "executions"), i, execution)
	{
		if (json_equal(json_object_get(execution, "outcome"), outcome))
			return true;
	}
	return false;
}

/* An outcome that the code did not have before. */
static bool has_more(const json_t *before, const json_t *after)
{
	json_t *execution;
	size_t i;

	json_array_foreach(json_object_get(after, "executions"), i, execution)
	{
		if (!has_outcome(before, json_object_get(execution, "outcome")))
			return true;
	}
	return false;
}

struct audit_counts {
	uint64_t common, regressions, broken, not_run, fresh, changes;
};

static void print_change(const char *what, const char *name, const json_t *before,
                         const json_t *after)
{
	const char *reason = json_string_value(json_object_get(after, "reason"));

	printf("%-12s %s", what, oclmm_shown(name).text);
	if (before && after)
		printf("  %s -> %s",
		       oclmm_shown(json_string_value(json_object_get(before, "verdict"))).text,
		       oclmm_shown(json_string_value(json_object_get(after, "verdict"))).text);
	if (reason && *reason)
		printf("  %s", oclmm_shown(reason).text);
	printf("\n");
}

static void compare_test(const struct compare *compare, const char *name, const json_t *before,
                         const json_t *after, struct audit_counts *counts)
{
	enum standing was = standing_of(before), is = standing_of(after);
	const char *words[] = {json_string_value(json_object_get(before, "verdict")),
	                       json_string_value(json_object_get(after, "verdict"))};

	counts->common++;
	if (is == STANDS_WRONG &&
	    (was == STANDS_RIGHT || (was == STANDS_WRONG && has_more(before, after)))) {
		counts->regressions++;
		print_change("regression", name, before, after);
	} else if (is == STANDS_NOT_BUILT && was != STANDS_NOT_BUILT) {
		counts->broken++;
		print_change("broken", name, before, after);
	} else if (was != is || strcmp(words[0], words[1]) != 0) {
		counts->changes++;
		if (!compare->quiet)
			print_change(is == STANDS_RIGHT && was == STANDS_WRONG ? "mended"
			                                                       : "changed",
			             name, before, after);
	}
}

static void compare_tests(const struct compare *compare, const struct audited *before,
                          const struct audited *after, struct audit_counts *counts)
{
	const char *name;
	json_t *test;

	json_object_foreach(after->tests, name, test)
	{
		const json_t *old = json_object_get(before->tests, name);

		if (old) {
			compare_test(compare, name, old, test, counts);
			continue;
		}
		counts->fresh++;
		if (compare->all || (!compare->quiet && standing_of(test) == STANDS_WRONG))
			print_change("new", name, NULL, test);
	}
	json_object_foreach(before->tests, name, test)
	{
		if (json_object_get(after->tests, name))
			continue;
		counts->not_run++;
		if (compare->all)
			print_change("not run", name, test, NULL);
	}
}

static void print_head(const struct audited *audited, const char *word)
{
	printf("# %s: %s for %s\n", word,
	       oclmm_shown(json_string_value(json_object_get(audited->head, "compiler"))).text,
	       oclmm_shown(json_string_value(json_object_get(audited->head, "target"))).text);
}

static enum oclmm_exit compare_audits(const struct compare *compare, const struct audited *before,
                                      const struct audited *after)
{
	struct audit_counts counts = {0};

	print_head(before, "before");
	print_head(after, "after");
	compare_tests(compare, before, after, &counts);
	cli_print_fitted("%s in both: %s, %" PRIu64 " broken, %" PRIu64 " not run, %" PRIu64
	                 " new, %s",
	                 oclmm_counted(counts.common, "test").text,
	                 oclmm_counted(counts.regressions, "regression").text, counts.broken,
	                 counts.not_run, counts.fresh,
	                 oclmm_counted(counts.changes, "other change").text);
	return counts.regressions ? OCLMM_EXIT_FORBIDDEN
	       : counts.broken    ? OCLMM_EXIT_INFRASTRUCTURE
	       : counts.common    ? OCLMM_EXIT_PASS
	                          : OCLMM_EXIT_NOTHING;
}

/* Returns the status to leave with, or -1 where neither is an audit. */
static int try_audits(const struct command *command, const struct compare *compare, char **paths)
{
	struct audited sides[2] = {{.path = paths[0]}, {.path = paths[1]}};
	unsigned audits = (unsigned)is_audit(paths[0]) + is_audit(paths[1]);
	struct oclmm_error error = {0};
	int status = 0;

	if (audits == 0)
		return -1;
	if (audits == 1)
		return options_error(command,
		                     "one of the files is of an audit, and the other is not");
	for (unsigned i = 0; i < 2 && status == 0; i++) {
		if (read_audit(&sides[i], &error) < 0)
			status = report_error(&error);
		else if (!sides[i].complete && !compare->partial)
			status = options_error(command,
			                       "%s: the audit was cut short: the file has no last "
			                       "line; --partial takes what there is",
			                       sides[i].path);
	}
	if (status == 0)
		status = (int)compare_audits(compare, &sides[0], &sides[1]);
	finish_audit(&sides[0]);
	finish_audit(&sides[1]);
	return status;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct compare compare = {0};
	struct oclmm_results *before = NULL, *after = NULL;
	int first, status = options_parse(command, argc, argv, &compare, &first);

	if (status)
		return status;
	if (argc - first != 2)
		return options_error(command,
		                     "name two results files, the one to compare with first");
	status = try_audits(command, &compare, argv + first);
	if (status >= 0)
		return status;
	status = read_records(argv[first], compare.partial, &before);
	if (status == 0)
		status = read_records(argv[first + 1], compare.partial, &after);
	if (status == 0)
		status = refuse_cut_short(command, &compare, before);
	if (status == 0)
		status = refuse_cut_short(command, &compare, after);
	if (status == 0)
		status = print_comparison(&compare, before, after);
	oclmm_results_destroy(before);
	oclmm_results_destroy(after);
	return status;
}

const struct command command_compare = {
	.name = "compare",
	.arguments = "BEFORE AFTER",
	.summary = "say what changed between two results files",
	.description =
		"Where a test ran before, a forbidden outcome that was not seen then, and a\n"
		"feature that the device lacks now, are regressions. A test that is in one\n"
		"file alone is not run, or new; other outcomes that come and go, and rates,\n"
		"are reported, and fail nothing. Of two audits (oclmm audit -o FILE.jsonl)\n"
		"a test that was right and is wrong is a regression, and so is an outcome more.\n"
		"Exit status: 0 no regression; 1 a regression; 2 usage, or a file that is "
		"refused;\n"
		"77 no test in common; 99 a test could not be run to the end that was before.",
	.options = options,
	.one_of = (const char *const[]){"all quiet", NULL},
	.run = run,
};
