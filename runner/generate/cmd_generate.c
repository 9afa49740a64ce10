// SPDX-License-Identifier: Apache-2.0
/* oclmm generate: litmus files from cycles, drawn kernels, and the search for tight tests. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "generate.h"
#include "oclmm/grade.h"
#include "oclmm/tight.h"
#include "process/process.h"
#include "select/drawn.h"
#include "select/select.h"
#include "select/shard.h"

struct tight_options {
	unsigned edges;
	bool no_updates;
	bool brute;
	unsigned jobs;      /* 0: one for each processor */
	struct shard shard; /* of the forms; all that is written of one is PATH.part */
	const char *path;   /* of the list; what is found before the end is in PATH.part */
};

/*
 * The file of what is done so far has a block for each form: the tests, then a line that ends it
 *
 *     form DECORATIONS ASKED TESTS NAME
 *
 * so that a block without one is what an interruption left. Files of several searches stand one
 * behind another as they are: that is how shards are put together.
 */
struct progress {
	const struct tight_options *options;
	char *path;
	int file;              /* -1: none yet */
	int failed;            /* a negative errno value: the file takes no more */
	char **forms, **tests; /* of complete blocks */
	size_t form_count, form_capacity, test_count, test_capacity;
	unsigned long long decorations, asked;
};

static void keep(char ***list, size_t *capacity, size_t *count, const char *line)
{
	oclmm_grow(list, capacity, *count, sizeof(**list));
	(*list)[(*count)++] = oclmm_strdup(line);
}

/* ---- the search for tight tests: what was done before
 * -------------------------------------------------------- */

static void head(const struct progress *progress, char *line, size_t size)
{
	snprintf(line, size, "search edges=%u updates=%s", progress->options->edges,
	         progress->options->no_updates ? "no" : "yes");
}

static bool is_done(void *data, const char *name)
{
	const struct progress *progress = data;

	return oclmm_is_among(name, (const char *const *)progress->forms, progress->form_count);
}

static void drop_tests(struct progress *progress, size_t from, size_t to)
{
	if (from == to)
		return; /* of none there may be no list either */
	for (size_t i = from; i < to; i++)
		free(progress->tests[i]);
	memmove(progress->tests + from, progress->tests + to,
	        (progress->test_count - to) * sizeof(*progress->tests));
	progress->test_count -= to - from;
}

/*
 * `first` is the first test that no block has yet: of those the form's are the last, and others
 * were left by an interruption. A form that was done before counts once; of parts of forms, which
 * earlier searches wrote (`#1/8`), nothing is known.
 */
static bool end_block(struct progress *progress, const char *line, size_t first)
{
	unsigned long long decorations, asked, tests;
	int name = 0;

	if (sscanf(line, "form %19llu %19llu %19llu %n", &decorations, &asked, &tests, &name) !=
	            3 ||
	    !name || tests > progress->test_count - first || strstr(line + name, " #"))
		return false;
	if (is_done(progress, line + name)) {
		drop_tests(progress, first, progress->test_count);
		return true;
	}
	drop_tests(progress, first, progress->test_count - tests);
	progress->decorations += decorations;
	progress->asked += asked;
	keep(&progress->forms, &progress->form_capacity, &progress->form_count, line + name);
	return true;
}

/* Takes the complete blocks; `*ret_good` is how much of the text they are. Of a first line that was
 * cut short the beginning has to be right: what is none of ours is not to be cut, and lost. */
static bool read_blocks(struct progress *progress, char *text, size_t length, size_t *ret_good)
{
	char wanted[64], *at = text;
	size_t complete = 0;
	bool first = true;

	head(progress, wanted, sizeof(wanted));
	*ret_good = 0;
	if (strlen(text) != length)
		return false;
	for (char *end; (end = strchr(at, '\n')); at = end + 1) {
		bool begins;

		*end = '\0';
		begins = strcmp(at, wanted) == 0;
		if (first && !begins)
			return false;
		if (begins)
			drop_tests(progress, complete, progress->test_count);
		if (begins || end_block(progress, at, complete)) {
			complete = progress->test_count;
			*ret_good = (size_t)(end + 1 - text);
		} else {
			/* a test is its models, a blank and the cycle */
			if (!strchr(at, ' '))
				return false;
			keep(&progress->tests, &progress->test_capacity, &progress->test_count, at);
		}
		first = false;
	}
	drop_tests(progress, complete, progress->test_count);
	return !first || strncmp(wanted, text, length) == 0;
}

static int refuse(const struct progress *progress, const char *what)
{
	fprintf(stderr, "oclmm generate: %s %s\n", progress->path, what);
	return OCLMM_EXIT_USAGE;
}

static int cannot_write(const char *path, int r)
{
	fprintf(stderr, "oclmm generate: cannot write %s: %s\n", path, strerror(-r));
	return OCLMM_EXIT_INFRASTRUCTURE;
}

/* Only what is a file is read and cut: a pipe would be waited for. */
static int read_progress(struct progress *progress, size_t *ret_good)
{
	struct stat status;
	char *text;
	size_t length;
	bool fits;
	int r;

	if (stat(progress->path, &status) == 0 && !S_ISREG(status.st_mode))
		return refuse(progress, "is no regular file");
	r = oclmm_read_file(progress->path, &text, &length);
	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return refuse(progress, strerror(-r));
	fits = read_blocks(progress, text, length, ret_good);
	free(text);
	if (!fits)
		return refuse(progress, "is of another search; remove it to begin anew");
	return truncate(progress->path, (off_t)*ret_good) < 0 ? cannot_write(progress->path, -errno)
	                                                      : 0;
}

static int open_progress(struct progress *progress)
{
	char line[64];
	size_t length, good = 0;
	int r = read_progress(progress, &good);

	if (r != 0)
		return r;
	progress->file = open(progress->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (progress->file < 0)
		return cannot_write(progress->path, -errno);
	head(progress, line, sizeof(line) - 1);
	length = strlen(line);
	line[length++] = '\n';
	if (good == 0)
		r = oclmm_write_rest(progress->file, line, length);
	return r < 0 ? cannot_write(progress->path, r) : 0;
}

/* ---- what is found --------------------------------------------------------------- */

/* `c013`: tight under consensus, 2.0, 2.1 to 3.0, 3.1. */
static void print_test(struct oclmm_text *text, const struct oclmm_tight *tight)
{
	static const struct {
		enum oclmm_model model;
		const char *letter;
	} letters[] = {{OCLMM_MODEL_CONSENSUS, "c"},
	               {OCLMM_MODEL_OPENCL_2_0, "0"},
	               {OCLMM_MODEL_OPENCL_2_1, "1"},
	               {OCLMM_MODEL_OPENCL_3_1, "3"}};

	for (size_t i = 0; i < OCLMM_COUNT(letters); i++) {
		if (tight->models & 1u << letters[i].model)
			oclmm_text_add(text, letters[i].letter);
	}
	oclmm_text_add(text, " ");
	oclmm_cycle_print(text, &tight->cycle);
}

static int write_form(void *data, const struct oclmm_tight_form *form)
{
	struct progress *progress = data;
	struct oclmm_text text = {0}, block = {0};
	size_t first = progress->test_count;
	char line[640];

	for (size_t i = 0; i < form->count; i++) {
		print_test(&text, &form->found[i]);
		oclmm_text_printf(&block, "%s\n", oclmm_text_string(&text));
		keep(&progress->tests, &progress->test_capacity, &progress->test_count,
		     oclmm_text_string(&text));
		oclmm_text_finish(&text);
	}
	snprintf(line, sizeof(line), "form %llu %llu %zu %s", (unsigned long long)form->decorations,
	         (unsigned long long)form->asked, form->count, form->name);
	oclmm_text_printf(&block, "%s\n", line);
	end_block(progress, line, first);
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "%s: %zu tight, %.1f s\n", form->name, form->count, form->seconds);
	progress->failed = oclmm_write_rest(progress->file, block.data, block.length);
	oclmm_text_finish(&block);
	return progress->failed;
}

/* ---- the list -------------------------------------------------------------------- */

/* By the cycle, and not by the models in front of it. */
static int compare_lines(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(strchr(*x, ' '), strchr(*y, ' '));
}

static int write_list(const struct progress *progress)
{
	struct oclmm_text text = {0};
	int r;

	if (progress->test_count)
		qsort(progress->tests, progress->test_count, sizeof(*progress->tests),
		      compare_lines);
	oclmm_text_printf(&text,
	                  "# Tight tests of %u edges%s; see docs/tight.md. Written by\n"
	                  "#     oclmm generate --tight --edges %u%s --output FILE\n"
	                  "# %zu forms, %llu decorations, %zu tests\n",
	                  progress->options->edges,
	                  progress->options->no_updates ? ", without updates" : "",
	                  progress->options->edges,
	                  progress->options->no_updates ? " --no-updates" : "",
	                  progress->form_count, progress->decorations, progress->test_count);
	for (size_t i = 0; i < progress->test_count; i++)
		oclmm_text_printf(&text, "%s\n", progress->tests[i]);
	r = oclmm_write_file(progress->options->path, oclmm_text_string(&text), text.length);
	oclmm_text_finish(&text);
	return r < 0 ? cannot_write(progress->options->path, r) : 0;
}

static int has_ended(const void *data)
{
	(void)data;
	return process_ended(NULL);
}

/* What is done is kept, for another search goes on there; a file without any is not left. */
static int tell_interrupted(struct progress *progress)
{
	if (progress->form_count)
		fprintf(stderr,
		        "oclmm generate: interrupted; %s in %s, and the same command goes on "
		        "there\n",
		        oclmm_counted(progress->form_count, "form").text,
		        oclmm_shown(progress->path).text);
	else
		fputs("oclmm generate: interrupted\n", stderr);
	if (!progress->form_count)
		unlink(progress->path);
	return OCLMM_EXIT_INFRASTRUCTURE;
}

static int search(struct progress *progress)
{
	const struct oclmm_tight_options options = {
		.edges = progress->options->edges,
		.updates = !progress->options->no_updates,
		.brute = progress->options->brute,
		.threads = progress->options->jobs,
		.shard = progress->options->shard.index,
		.shards = progress->options->shard.count,
		.skip = is_done,
		.done = write_form,
		.ended = has_ended,
		.data = progress,
	};
	struct oclmm_error error = {0};
	double start = oclmm_clock();
	int r = oclmm_tight_search(&options, &error);

	if (r == -EINTR)
		return tell_interrupted(progress);
	if (r < 0) {
		if (progress->failed)
			return cannot_write(progress->path, progress->failed);
		report_error(&error);
		return r == -EFBIG ? OCLMM_EXIT_USAGE : OCLMM_EXIT_INFRASTRUCTURE;
	}
	printf("%u edges: %zu forms, %llu decorations, %llu asked, %zu tight tests, %.1f s\n",
	       progress->options->edges, progress->form_count, progress->decorations,
	       progress->asked, progress->test_count, oclmm_clock() - start);
	return 0;
}

static void finish(struct progress *progress)
{
	for (size_t i = 0; i < progress->form_count; i++)
		free(progress->forms[i]);
	for (size_t i = 0; i < progress->test_count; i++)
		free(progress->tests[i]);
	free(progress->forms);
	free(progress->tests);
	free(progress->path);
}

/* Returns the status to leave with. */
static int search_tight(const struct tight_options *options)
{
	struct progress progress = {.options = options, .file = -1};
	struct oclmm_text path = {0};
	int status;

	oclmm_text_printf(&path, "%s.part", options->path);
	progress.path = oclmm_text_steal(&path);
	process_catch_interrupts();
	status = open_progress(&progress);
	if (status == 0)
		status = search(&progress);
	if (progress.file >= 0 && close(progress.file) < 0 && status == 0)
		status = cannot_write(progress.path, -errno);
	if (status == OCLMM_EXIT_USAGE && progress.file >= 0 && progress.form_count == 0)
		unlink(progress.path); /* refused before anything was found */
	if (status == 0 && options->shard.count == 0) {
		status = write_list(&progress);
		if (status == 0)
			unlink(progress.path);
	}
	finish(&progress);
	return status;
}

struct generating {
	bool all, tight;
	struct tight_options search;
	const char *shape, *folder;
	struct oclmm_cycle_size size;
	unsigned kernels; /* to be drawn */
	bool trips;       /* with loops that turn differently often */
	uint64_t seed;
	bool seed_given;
	size_t found;
	int status;
};

/* ---- one test -------------------------------------------------------------------- */

static int write_named(const struct generating *generating, const char *name,
                       const struct oclmm_text *text)
{
	struct oclmm_text path = {0};
	int status, r = oclmm_make_folders(generating->folder);

	if (r < 0) {
		options_error(&command_generate, "cannot write to %s: %s", generating->folder,
		              strerror(-r));
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	oclmm_text_printf(&path, "%s/%s.litmus", generating->folder, name);
	status = command_write(&command_generate, oclmm_text_string(&path), text);
	oclmm_text_finish(&path);
	return status;
}

static int write_file(const struct generating *generating, const struct oclmm_cycle *cycle,
                      const struct oclmm_text *text)
{
	struct oclmm_text name = {0};
	int status;

	oclmm_cycle_name(&name, cycle);
	status = write_named(generating, oclmm_text_string(&name), text);
	oclmm_text_finish(&name);
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

	if (!names_kernel(words, "cycle", &error) && oclmm_cycle_parse(words, &error, &cycle) == 0)
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

static int generate_tight(struct generating *generating)
{
	enum { MOST_TIGHT = 6 };
	struct tight_options *search = &generating->search;

	search->edges = generating->size.edges;
	search->path = generating->folder;
	if (!search->edges || !search->path)
		return options_error(&command_generate, "--tight needs --edges and --output");
	if (search->edges > MOST_TIGHT)
		return options_error(&command_generate, "--tight has up to %d edges", MOST_TIGHT);
	return search_tight(search);
}

/* ---- drawn kernels --------------------------------------------------------------- */

/* The same seed and number give the same kernel, however many are asked for. */
static int generate_kernels(const struct generating *generating)
{
	int status = 0;

	if (generating->kernels > 1 && !generating->folder)
		return options_error(&command_generate, "--kernels needs --output, unless it is 1");
	for (unsigned i = 0; i < generating->kernels && status == 0; i++) {
		const struct drawn drawn = {generating->trips ? DRAWN_TRIPS : DRAWN_UNIFORM,
		                            generating->seed, i};
		char *name = drawn_name(&drawn);
		struct oclmm_text text;

		drawn_write(&drawn, &text);
		if (generating->folder)
			status = write_named(generating, name, &text);
		else
			fputs(oclmm_text_string(&text), stdout);
		oclmm_text_finish(&text);
		free(name);
	}
	return status;
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

static int set_kernels(const char *option, const char *value, void *ret_kernels)
{
	return read_number(option, value, DRAWN_MOST, ret_kernels);
}

static int set_seed(const char *option, const char *value, void *ret_generating)
{
	struct generating *generating = ret_generating;

	generating->seed_given = true;
	return option_number(option, value, &generating->seed) ? OPTIONS_ERROR : 0;
}

static const struct option_spec options[] = {
	{"all", 0, NULL, "list all critical cycles of a size, one a line",
         SETS_FLAG(struct generating, all)},
	{"edges", 0, "N", "their number of edges (with --all, --tight)",
         SETS_BY(set_size, struct generating, size.edges)},
	{"every-decoration", 0, NULL,
         "with --tight: ask about each, and conclude nothing from one about another",
         SETS_FLAG(struct generating, search.brute)},
	{"jobs", 0, "N", "with --tight: how many threads search (default: one per processor)",
         SETS_BY(set_jobs, struct generating, search.jobs)},
	{"kernels", 0, "N",
         "draw kernels with barriers in branches and loops, legal ones; see --seed",
         SETS_BY(set_kernels, struct generating, kernels)},
	{"locations", 0, "N", "only cycles with this many locations",
         SETS_BY(set_size, struct generating, size.locations)},
	{"no-updates", 0, NULL, "with --tight: loads, stores and fences only",
         SETS_FLAG(struct generating, search.no_updates)},
	{"output", 'o', "DIR", "write a file for each test there, not to stdout",
         SETS_TEXT(struct generating, folder)},
	{"seed", 's', "S", "with --kernels: which are drawn (default: 1)", SETS(set_seed)},
	{"shape", 0, "NAME", "the cycle of this shape; \"list\" prints all",
         SETS_BY(set_shape, struct generating, shape)},
	{"shard", 0, "K/N", "with --tight: forms K, K+N, K+2N and so on only; no list",
         SETS_BY(shard_parse, struct generating, search.shard)},
	{"threads", 0, "N", "only cycles with this many threads",
         SETS_BY(set_size, struct generating, size.threads)},
	{"tight", 0, NULL, "search the tight tests of --edges edges; --output is the list's file",
         SETS_FLAG(struct generating, tight)},
	{"trips", 0, NULL, "with --kernels: loops turn differently often, barriers do not",
         SETS_FLAG(struct generating, trips)},
	{0},
};

static int run(const struct command *command, int argc, char **argv)
{
	struct generating generating = {.seed = 1};
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
	if (generating.seed_given && !generating.kernels)
		return options_error(command, "--seed goes with --kernels");
	if (generating.trips && !generating.kernels)
		return options_error(command, "--trips goes with --kernels");
	if (generating.all + generating.tight + (generating.kernels > 0) +
	            (generating.shape != NULL) + (first < argc) !=
	    1)
		return options_error(command, "give a cycle, --shape, --all, --kernels or --tight");
	/* the name of a shape is enough */
	if (argc - first == 1 && find_shape(argv[first]))
		return options_error(command, "\"%s\" is a shape, not an edge; write --shape %s",
		                     argv[first], argv[first]);
	if (generating.kernels)
		return generate_kernels(&generating);
	if (generating.tight)
		return generate_tight(&generating);
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
	.summary = "write the test of a cycle of communication, or draw kernels",
	.description =
		"A cycle is made of edges, and of accesses between them where you want to\n"
		"say which: W PodWW W.rel Rfe R.acq PodRR R Fre. docs/generate.md has the words.\n"
		"Exit status: 0 written; 2 usage, or a cycle that is refused; 77 --all found\n"
		"none; 99 a file cannot be written, or --tight was interrupted.",
	.options = options,
	.run = run,
};
