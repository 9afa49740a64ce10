// SPDX-License-Identifier: Apache-2.0
/* oclmm generate: litmus files from cycles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "generate.h"
#include "oclmm/grade.h"
#include "select/select.h"
#include "tight.h"

struct generating {
	bool all, tight;
	struct tight_options search;
	const char *shape, *folder;
	struct oclmm_cycle_size size;
	size_t found;
	int status;
};

/* ---- one test -------------------------------------------------------------------- */

static int write_file(const struct generating *generating, const struct oclmm_cycle *cycle,
                      const struct oclmm_text *text)
{
	struct oclmm_text path = {0};
	int status, r = oclmm_make_folders(generating->folder);

	if (r < 0) {
		options_error(&command_generate, "cannot write to %s: %s", generating->folder,
		              strerror(-r));
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	oclmm_text_printf(&path, "%s/", generating->folder);
	oclmm_cycle_name(&path, cycle);
	oclmm_text_add(&path, ".litmus");
	status = command_write(&command_generate, oclmm_text_string(&path), text);
	oclmm_text_finish(&path);
	return status;
}

static int generate(const struct generating *generating, const struct oclmm_cycle *cycle)
{
	struct oclmm_error error = {0};
	struct oclmm_text text = {0};
	int status = 0;

	if (oclmm_cycle_file(cycle, &error, &text) < 0) {
		status = report_error(&error);
	} else if (generating->folder) {
		status = write_file(generating, cycle, &text);
	} else {
		fputs(oclmm_text_string(&text), stdout);
	}
	oclmm_text_finish(&text);
	return status;
}

/* ---- which ----------------------------------------------------------------------- */

static int list_shapes(void)
{
	const struct oclmm_shape *shapes;
	size_t count = oclmm_shapes(&shapes);

	for (size_t i = 0; i < count; i++)
		printf("%-8s %s\n", shapes[i].name, shapes[i].edges);
	return OPTIONS_HELP;
}

/* NULL: there is none of this name. */
static const struct oclmm_shape *find_shape(const char *name)
{
	const struct oclmm_shape *shapes;
	size_t count = oclmm_shapes(&shapes);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(shapes[i].name, name) == 0)
			return &shapes[i];
	}
	return NULL;
}

static const char *edges_of_shape(const char *name)
{
	const struct oclmm_shape *shapes, *shape = find_shape(name);
	const char *names[64];
	size_t count = oclmm_shapes(&shapes);

	if (shape)
		return shape->edges;
	count = count < OCLMM_COUNT(names) ? count : OCLMM_COUNT(names);
	for (size_t i = 0; i < count; i++)
		names[i] = shapes[i].name;
	fprintf(stderr, "oclmm generate: no shape \"%s\"%s\n", name,
	        suggest(name, names, count, "oclmm generate --shape list shows those there are")
	                .text);
	return NULL;
}

static int generate_words(const struct generating *generating, const char *words)
{
	struct oclmm_error error = {0};
	struct oclmm_cycle cycle;

	if (oclmm_cycle_parse(words, &error, &cycle) == 0)
		return generate(generating, &cycle);
	return report_error(&error);
}

static int generate_arguments(const struct generating *generating, char **words, int count)
{
	struct oclmm_text text = {0};
	int status;

	for (int i = 0; i < count; i++)
		oclmm_text_printf(&text, "%s%s", i ? " " : "", words[i]);
	status = generate_words(generating, oclmm_text_string(&text));
	oclmm_text_finish(&text);
	return status;
}

/* Each as a file, or as a line with its name. */
static int found(void *data, const struct oclmm_cycle *cycle)
{
	struct generating *generating = data;
	struct oclmm_text text = {0};

	generating->found++;
	if (generating->folder) {
		generating->status = generate(generating, cycle);
		return generating->status;
	}
	oclmm_cycle_shape(&text, cycle);
	printf("%-22s ", oclmm_text_string(&text));
	text.length = 0;
	oclmm_cycle_print_edges(&text, cycle);
	puts(oclmm_text_string(&text));
	oclmm_text_finish(&text);
	return 0;
}

static int generate_all(struct generating *generating)
{
	if (!generating->size.edges)
		return options_error(&command_generate, "--all needs --edges");
	oclmm_cycles(&generating->size, found, generating);
	if (generating->status)
		return generating->status;
	return generating->found ? 0 : OCLMM_EXIT_NOTHING;
}

static int search_tight(struct generating *generating)
{
	enum { MOST_TIGHT = 6 };
	struct tight_options *search = &generating->search;

	search->edges = generating->size.edges;
	search->path = generating->folder;
	if (!search->edges || !search->path)
		return options_error(&command_generate, "--tight needs --edges and --output");
	if (search->edges > MOST_TIGHT)
		return options_error(&command_generate, "--tight has up to %d edges", MOST_TIGHT);
	return tight_run(search);
}

/* ---- the command ----------------------------------------------------------------- */

static int read_number(const char *option, const char *value, unsigned most, unsigned *ret_number)
{
	uint64_t number;

	if (option_count(option, value, &number))
		return OPTIONS_ERROR;
	if (number == 0 || number > most)
		return options_error(&command_generate, "--%s is between 1 and %u", option, most);
	*ret_number = (unsigned)number;
	return 0;
}

static int set_size(const char *option, const char *value, void *ret_size)
{
	enum { MOST_EDGES = 10 };

	return read_number(option, value, MOST_EDGES, ret_size);
}

static int set_jobs(const char *option, const char *value, void *ret_jobs)
{
	return read_number(option, value, 256, ret_jobs);
}

static int set_shape(const char *option, const char *value, void *ret_shape)
{
	(void)option;
	*(const char **)ret_shape = value;
	return strcmp(value, "list") == 0 ? list_shapes() : 0;
}

static const struct option_spec options[] = {
	{"all", 0, NULL, "list all critical cycles of a size, one a line",
         SETS_FLAG(struct generating, all)},
	{"edges", 0, "N", "their number of edges (with --all, --tight)",
         SETS_BY(set_size, struct generating, size.edges)},
	{"every-decoration", 0, NULL,
         "with --tight: ask for every one, and conclude from none on others",
         SETS_FLAG(struct generating, search.brute)},
	{"jobs", 0, "N", "with --tight: so many threads (default: one a processor)",
         SETS_BY(set_jobs, struct generating, search.jobs)},
	{"locations", 0, "N", "only those with so many locations",
         SETS_BY(set_size, struct generating, size.locations)},
	{"no-updates", 0, NULL, "with --tight: loads, stores and fences only",
         SETS_FLAG(struct generating, search.no_updates)},
	{"output", 'o', "DIR", "write a file for each test there, not to stdout",
         SETS_TEXT(struct generating, folder)},
	{"shape", 0, "NAME", "the cycle of this shape; \"list\" prints all",
         SETS_BY(set_shape, struct generating, shape)},
	{"shard", 0, "K/N", "with --tight: forms K, K+N, K+2N and so on only; no list",
         SETS_BY(shard_parse, struct generating, search.shard)},
	{"threads", 0, "N", "only those with so many threads",
         SETS_BY(set_size, struct generating, size.threads)},
	{"tight", 0, NULL, "search the tight tests of --edges edges; --output is the list's file",
         SETS_FLAG(struct generating, tight)},
	{0},
};

static int run(const struct command *command, int argc, char **argv)
{
	struct generating generating = {0};
	int first, status = options_parse(command, argc, argv, &generating, &first);
	const char *edges;

	if (status)
		return status;
	if ((generating.size.edges || generating.size.locations || generating.size.threads) &&
	    !generating.all && !generating.tight)
		return options_error(command, "--edges, --locations and --threads go with --all");
	if ((generating.search.brute || generating.search.no_updates || generating.search.jobs ||
	     generating.search.shard.count) &&
	    !generating.tight)
		return options_error(
			command,
			"--every-decoration, --jobs, --no-updates and --shard go with --tight");
	if (generating.all + generating.tight + (generating.shape != NULL) + (first < argc) != 1)
		return options_error(command, "give a cycle, --shape, --all or --tight");
	/* who knows a shape by its name writes that */
	if (argc - first == 1 && find_shape(argv[first]))
		return options_error(command, "\"%s\" is a shape, not an edge; write --shape %s",
		                     argv[first], argv[first]);
	if (generating.tight)
		return search_tight(&generating);
	if (generating.all)
		return generate_all(&generating);
	if (!generating.shape)
		return generate_arguments(&generating, argv + first, argc - first);
	edges = edges_of_shape(generating.shape);
	return edges ? generate_words(&generating, edges) : OCLMM_EXIT_USAGE;
}

const struct command command_generate = {
	.name = "generate",
	.arguments = "[CYCLE…]",
	.summary = "write the test of a cycle of communication and program order",
	.description =
		"A cycle is made of edges, with accesses between them where something is said of\n"
		"them: W PodWW W.rel Rfe R.acq PodRR R Fre. docs/generate.md has the words.\n"
		"Exit status: 0 written; 2 usage, or a cycle that is refused; 77 --all found\n"
		"none; 99 a file cannot be written.",
	.options = options,
	.run = run,
};
