// SPDX-License-Identifier: Apache-2.0
/* oclmm planted: breaks the driver on purpose, one bug at a time, and says which tests notice. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "drawn_plant.h"
#include "found.h"
#include "listed_plant.h"
#include "oclmm/grade.h"
#include "plant/draw.h"
#include "process/process.h"
#include "score.h"
#include "select/suite.h"

/* ---- options --------------------------------------------------------------- */

static int add_plant(struct planted_options *options, const char *value)
{
	char message[PLANT_MESSAGE], wanted[PLANT_MESSAGE + 160];
	const char *names[PLANT_COUNT];
	struct planted_choice choice = {0};

	if (strlen(value) < PLANT_CHOICE && plant_parse(value, &choice.plant, message)) {
		snprintf(choice.text, sizeof(choice.text), "%s", value);
		oclmm_grow(&options->choices, &options->choice_capacity, options->choice_count,
		           sizeof(*options->choices));
		options->choices[options->choice_count++] = choice;
		return 0;
	}
	if (strlen(value) >= PLANT_CHOICE)
		snprintf(message, sizeof(message), "it is longer than any");
	for (int i = 0; i < PLANT_COUNT; i++)
		names[i] = plant_descriptions[i].name;
	/* behind a colon or @ stands what is no name */
	snprintf(wanted, sizeof(wanted), "a plant (%s%s); see --list", message,
	         suggest(value, names, strpbrk(value, ":@") ? 0 : PLANT_COUNT, NULL).text);
	return option_refuse("plant", value, wanted);
}

static int set_plant(const char *option, const char *value, void *target)
{
	(void)option;
	return add_plant(target, value);
}

static int set_claims(const char *option, const char *value, void *target)
{
	const char **claims = target;
	bool accepted;

	*claims = value;
	return option_either(option, value, "claimed", "accepted", &accepted);
}

static int set_instances(const char *option, const char *value, void *target)
{
	struct planted_options *options = target;

	options->instances = value;
	return option_count(option, value, &options->instance_count);
}

static int set_output(const char *option, const char *value, void *ret_path)
{
	return option_file(option, value, ".jsonl", ret_path);
}

static const struct option_spec planted_option_specs[] = {
	{"able", 0, NULL, "only say which tests can show each plant, by the model",
         SETS_FLAG(struct planted_options, able)},
	{"all", 0, NULL, "go on after the first kill: which tests kill a plant",
         SETS_FLAG(struct planted_options, all)},
	{"baseline", 0, "FILE", "plants by line: fail only when one of these is not killed",
         SETS_TEXT(struct planted_options, baseline)},
	{"budget", 'b', "SECONDS", "start no plant after this time (status 4)",
         SETS_SECONDS(struct planted_options, budget)},
	{"claims", 0, "WHICH", "claimed (default) or accepted: which tests kill",
         SETS_BY(set_claims, struct planted_options, claims)},
	{"device", 'd', "NAME|INDEX", "as listed by oclmm devices; default: the first GPU",
         SETS_DEVICE(struct planted_options, device)},
	{"drawn", 0, "N", "N bugs that are drawn at random, with the seed: drawn-SEED-1 and so on",
         SETS_NUMBER(struct planted_options, drawn)},
	{"each", 0, NULL, "also plants in one function, order, width or space alone",
         SETS_FLAG(struct planted_options, each)},
	{"equivalents", 0, "FILE", "plants that cannot show (default: the suite's list)",
         SETS_TEXT(struct planted_options, equivalents)},
	{"instances", 'n', "N", "instances of each test, at least (default 1M)",
         SETS(set_instances)},
	{"json", 0, NULL, "JSON Lines on standard output", SETS_FLAG(struct planted_options, json)},
	{"list", 0, NULL, "list the plants, and run nothing",
         SETS_FLAG(struct planted_options, list)},
	{"machine", 0, "NAME",
         "with --able: x86-tso, intel-cpu, ptx or h200, what litmus/planted/NAME.cat says that "
         "drawn bugs can show",
         SETS_TEXT(struct planted_options, machine)},
	{"output", 'o', "FILE", "also write JSON Lines there",
         SETS_BY(set_output, struct planted_options, output)},
	{"plant", 0, "NAME[:N][@WORDS]",
         "this one only; may be repeated. WORDS say in which calls: load,64,local; "
         "drawn-SEED-N is one that --drawn draws",
         SETS(set_plant)},
	{"profile", 'p', "NAME", "the tests of litmus/profiles/NAME (default: default)",
         SETS_TEXT(struct planted_options, profile)},
	{"render", 0, "FILE", "show what --output wrote, and run nothing",
         SETS_TEXT(struct planted_options, render)},
	{"resume", 'r', "FILE", "go on with a matrix that was cut short, and write there",
         SETS_TEXT(struct planted_options, resume)},
	{"seconds", 0, "SECONDS", "time for each plant, at most (default 64; with --drawn 10)",
         SETS_SECONDS(struct planted_options, seconds)},
	{"seed", 's', "N", "master seed (default 1)", SETS_NUMBER(struct planted_options, seed)},
	{"shard", 0, "K/N", "plants K, K+N, K+2N and so on of the list only",
         SETS_BY(shard_parse, struct planted_options, shard)},
	{"table", 0, NULL, "with --render: tables of a document",
         SETS_FLAG(struct planted_options, table)},
	{0},
};

/* A mistake in each function, by itself. */
static void add_functions(struct planted_options *options, enum plant_bug bug)
{
	const struct oclmm_function *function;
	struct plant plant;
	char message[PLANT_MESSAGE];

	plant_parse(plant_descriptions[bug].name, &plant, message);
	for (size_t i = 0; (function = oclmm_function_at(i)); i++) {
		char choice[PLANT_CHOICE];

		snprintf(choice, sizeof(choice), "%s:%s", plant_descriptions[bug].name,
		         function->name);
		if (oclmm_function_concerned(plant.mutation.what, function))
			add_plant(options, choice);
	}
}

/* In another degree, or in calls that the table has no row for: rarer still, narrower still, behind
 * the 32nd work-item. */
static const struct {
	enum plant_bug bug;
	const char *more;
} degrees[] = {
	{PLANT_RARE_RELAXED, ":1000000"},
	{PLANT_RARE_SPLIT, ":1000000"},
	{PLANT_SCOPE_NARROWED, ":sub_group"},
	{PLANT_FENCE_NARROWED, ":global"},
	{PLANT_GROUP_RELAXED, ":64"},
	{PLANT_GROUP_SPLIT, ":64"},
	{PLANT_LANE_RELAXED, ":33"},
	{PLANT_LANE_SPLIT, ":33"},
	{PLANT_NO_RETRY, ":2"},
	{PLANT_TORN, ":16"},
	{PLANT_TORN, ":8"},
	{PLANT_ALL_RELAXED, "@generic"},
	{PLANT_RMW_SPLIT, "@generic"},
};

static void add_bug(struct planted_options *options, enum plant_bug bug)
{
	char choice[PLANT_CHOICE];

	if (options->each && plant_is_mistake(bug)) {
		add_functions(options, bug);
		return;
	}
	add_plant(options, plant_descriptions[bug].name);
	for (size_t i = 0; i < OCLMM_COUNT(degrees); i++) {
		if (degrees[i].bug != bug)
			continue;
		snprintf(choice, sizeof(choice), "%s%s", plant_descriptions[bug].name,
		         degrees[i].more);
		add_plant(options, choice);
	}
}

/* Those of the table that are of a bug that was named, or all of them. */
struct crossing {
	struct planted_options *options;
	const struct planted_options *named;
};

static void add_crossed(void *data, const char *text)
{
	const struct crossing *crossing = data;
	char message[PLANT_MESSAGE];
	struct plant plant;
	bool wanted = crossing->named->choice_count == 0;

	if (!plant_parse(text, &plant, message))
		return;
	for (size_t i = 0; i < crossing->named->choice_count; i++)
		wanted |= plant_is_part(&plant, &crossing->named->choices[i].plant);
	if (wanted)
		add_plant(crossing->options, text);
}

static void add_named(struct planted_options *options, const struct planted_choice *choice)
{
	if (plant_is_mistake(choice->plant.bug) && !plant_is_narrowed(&choice->plant))
		add_functions(options, choice->plant.bug);
	else
		add_plant(options, choice->text);
}

/* Neighbours in the list take about as long as each other and go to different shards. */
static void keep_shard(struct planted_options *options)
{
	const struct shard *shard = &options->shard;
	size_t kept = 0;

	for (size_t i = 0; shard->count > 0 && i < options->choice_count; i++) {
		if (i % shard->count == shard->index - 1)
			options->choices[kept++] = options->choices[i];
	}
	if (shard->count > 0)
		options->choice_count = kept;
}

static void add_all(struct planted_options *options)
{
	struct planted_options named = *options;
	struct crossing crossing = {options, &named};

	options->choices = NULL;
	options->choice_count = options->choice_capacity = 0;
	for (int i = PLANT_NONE + 1; i < PLANT_COUNT && named.choice_count == 0; i++)
		add_bug(options, (enum plant_bug)i);
	for (size_t i = 0; i < named.choice_count; i++)
		add_named(options, &named.choices[i]);
	if (options->each)
		plant_cross(false, add_crossed, &crossing);
	free(named.choices);
}

/* Every plant, where none was named; those of the shard. */
static void planted_options_complete(struct planted_options *options)
{
	if ((options->choice_count == 0 && options->drawn == 0) || options->each)
		add_all(options);
	for (uint64_t i = 1; i <= options->drawn; i++) {
		char choice[PLANT_CHOICE];

		snprintf(choice, sizeof(choice), "drawn-%" PRIu64 "-%" PRIu64, options->seed, i);
		add_plant(options, choice);
	}
	options->drawn_only = options->choice_count > 0;
	for (size_t i = 0; i < options->choice_count; i++)
		options->drawn_only &= options->choices[i].plant.drawn;
	keep_shard(options);
}

static void planted_options_finish(struct planted_options *options)
{
	free(options->choices);
	options->choices = NULL;
	options->choice_count = options->choice_capacity = 0;
}

/* Takes the tests of the selection over. */
static void prepare_tests(struct planted *planted)
{
	const struct selection *selection = &planted->selection;

	planted->tests = oclmm_calloc(selection->count + 1, sizeof(*planted->tests));
	for (size_t i = 0; i < selection->count; i++) {
		const struct oclmm_variant *variant = selection->chosen[i].variant;
		struct oclmm_text pattern = {0};

		oclmm_text_printf(&pattern, "@(%s)", variant->name);
		planted->tests[i] = (struct concerned){
			.program = variant->program,
			.control = variant->control != NULL,
			.pattern = oclmm_text_steal(&pattern),
		};
	}
}

/* The first test of the earliest concern that there is. */
static const char *first_test(const struct trial *trial)
{
	for (int concern = 0; concern < CONCERN_UNABLE; concern++) {
		for (size_t i = 0; i < trial->planted->selection.count; i++) {
			if (trial->concerns[i] == (enum concern)concern)
				return trial->planted->selection.chosen[i].variant->name;
		}
	}
	return "-";
}

/* All that can show it, the surest first: as large a part of what may be seen tells. */
static void tell_tests(const struct trial *trial)
{
	const struct selection *selection = &trial->planted->selection;
	bool *told = oclmm_calloc(selection->count + 1, sizeof(*told));
	size_t best;

	do {
		best = SIZE_MAX;
		for (size_t i = 0; i < selection->count; i++)
			if (trial->concerns[i] <= CONCERN_ABLE && !told[i] &&
			    (best == SIZE_MAX || sureness(trial, i) > sureness(trial, best)))
				best = i;
		if (best == SIZE_MAX)
			break;
		told[best] = true;
		printf("    %-56s %.3f\n", selection->chosen[best].variant->name,
		       trial->shares[best]);
	} while (true);
	free(told);
}

/*
 * Says for each plant how many tests can show it, and the first of them, and asks no device.
 * Returns 1 where one has none.
 */
static int tell_able(struct planted *planted)
{
	size_t told = 0;
	int status = 0;

	for (size_t i = 0; i < planted->options.choice_count && !process_interrupted; i++) {
		const struct planted_choice *choice = &planted->options.choices[i];
		struct plant_outcome outcome = {.choice = choice->text, .plant = choice->plant};
		struct trial trial;
		const struct equivalent *equivalent = equivalents_find(&planted->equivalents,
		                                                       &choice->plant, "", "",
		                                                       planted->machine.machine);

		trial_begin(&trial, planted, &outcome);
		if (choice->plant.drawn)
			drawn_try(&trial);
		else
			listed_look(&trial);
		/* one that was cut short says nothing */
		if (process_interrupted) {
			trial_finish(&trial);
			break;
		}
		cli_print_fitted("%-34s %4llu able %4llu changed  %s", choice->text,
		                 (unsigned long long)outcome.able,
		                 (unsigned long long)outcome.concerned,
		                 equivalent           ? equivalent->argument
		                 : outcome.equivalent ? outcome.equivalent->argument
		                                      : first_test(&trial));
		if (planted->options.all)
			tell_tests(&trial);
		fflush(stdout);
		told++;
		if (outcome.hopeless && !equivalent && !choice->plant.drawn)
			status = OCLMM_EXIT_FORBIDDEN;
		trial_finish(&trial);
	}
	if (told < planted->options.choice_count) {
		fprintf(stderr, "oclmm: interrupted: %s not looked at\n",
		        oclmm_counted(planted->options.choice_count - told, "plant").text);
		status = OCLMM_EXIT_INFRASTRUCTURE;
	}
	return status;
}

/* ---- plants that have to be killed ----------------------------------------- */

static int take_baseline(struct planted *planted, char *line, uint32_t number)
{
	struct plant plant;
	struct oclmm_error error;
	char message[PLANT_MESSAGE];

	line[strcspn(line, "#\r")] = '\0';
	line += strspn(line, " \t");
	line[strcspn(line, " \t")] = '\0';
	if (!*line)
		return 0;
	if (plant_parse(line, &plant, message)) {
		planted->in_baseline[plant.bug] = true;
		return 0;
	}
	oclmm_error_set(&error, -EINVAL, "%s", message);
	snprintf(error.file, sizeof(error.file), "%s", planted->options.baseline);
	snprintf(error.source, sizeof(error.source), "%s", line);
	error.position = (struct oclmm_position){.line = number,
	                                         .column = 1,
	                                         .length = (uint32_t)strlen(line)};
	return report_error(&error);
}

/* Reads what --baseline names, if anything. Returns 0, or the status to leave with. */
static int read_baseline(struct planted *planted)
{
	const char *path = planted->options.baseline;
	struct oclmm_lines lines;
	char *text;
	size_t length;
	int r, status = 0;

	if (!path)
		return 0;
	r = oclmm_read_file(path, &text, &length);
	if (r < 0)
		return options_error(planted->command, "cannot read %s: %s", path, strerror(-r));
	oclmm_lines_begin(&lines, path, text, length);
	while (status == 0 && oclmm_lines_next(&lines))
		status = take_baseline(planted, oclmm_lines_cut(&lines, text), lines.number);
	free(text);
	return status;
}

static const double DEFAULT_SECONDS = 64;
/* Most of what is drawn is killed by the first tests, and there are many. */
static const double DRAWN_SECONDS = 10;

/* ---- what is needed -------------------------------------------------- */

static bool use_layer(struct planted *planted, const char *folder, const char *name)
{
	int length = snprintf(planted->layer, sizeof(planted->layer), "%s/%s", folder, name);

	return length > 0 && (size_t)length < sizeof(planted->layer) &&
	       access(planted->layer, R_OK) == 0;
}

/* Where OCLMM_PLANT_LAYER says, beside the program, as in a build folder, or installed. */
static int find_layer(struct planted *planted)
{
	static const char name[] = OCLMM_PLANT_LAYER;
	const char *given = getenv("OCLMM_PLANT_LAYER");
	char folder[PATH_MAX];

	if (!program_path(planted->program))
		return options_error(planted->command, "cannot find out where this program is");
	if (given && *given) {
		if (access(given, R_OK) == 0 && realpath(given, planted->layer))
			return 0;
		return options_error(planted->command,
		                     "OCLMM_PLANT_LAYER is \"%s\", which cannot be read", given);
	}
	snprintf(folder, sizeof(folder), "%s", planted->program);
	*strrchr(folder, '/') = '\0';
	if (use_layer(planted, folder, name) ||
	    use_layer(planted, folder, "plant/" OCLMM_PLANT_LAYER) ||
	    use_layer(planted, OCLMM_LIBRARY_FOLDER, name))
		return 0;
	options_error(planted->command, "cannot find %s: not in %s, nor in plant/ there, nor in %s",
	              name, folder, OCLMM_LIBRARY_FOLDER);
	return OCLMM_EXIT_INFRASTRUCTURE;
}

static int read_equivalents(struct planted *planted)
{
	struct oclmm_error error = {0};
	struct oclmm_text path = {0};
	char *folder = planted->options.equivalents ? NULL : suite_folder(&error);
	int r = 0;

	if (planted->options.equivalents)
		oclmm_text_add(&path, planted->options.equivalents);
	else if (folder)
		oclmm_text_printf(&path, "%s/planted/equivalents", folder);
	/* a suite of one's own need not have the file */
	if (planted->options.equivalents || (folder && access(oclmm_text_string(&path), F_OK) == 0))
		r = equivalents_read(&planted->equivalents, oclmm_text_string(&path), &error);
	if (r < 0)
		report_error(&error);
	oclmm_text_finish(&path);
	free(folder);
	return r < 0 ? OCLMM_EXIT_USAGE : 0;
}

/* What is drawn, a rule a line. */
static void list_drawn(const struct planted_options *options)
{
	for (uint64_t i = 1; i <= options->drawn; i++) {
		struct oclmm_text text = {0};
		char name[PLANT_CHOICE], message[PLANT_MESSAGE];
		struct plant plant;

		snprintf(name, sizeof(name), "drawn-%" PRIu64 "-%" PRIu64, options->seed, i);
		plant_parse(name, &plant, message);
		plant_rule(&plant, &text);
		cli_print_fitted("%-16s %s", name, oclmm_text_string(&text));
		oclmm_text_finish(&text);
	}
}

static void list_plants(void)
{
	for (int i = PLANT_NONE + 1; i < PLANT_COUNT; i++) {
		const struct plant_description *plant = &plant_descriptions[i];
		struct oclmm_text text = {0};

		oclmm_text_printf(&text, "%s; breaks %s; shows: %s", plant->what, plant->rule,
		                  plant->where);
		cli_print_row(plant->name, 20, oclmm_text_string(&text));
		oclmm_text_finish(&text);
	}
}

/* Reads the machine that was named, if any. */
static int read_machine(struct planted *planted)
{
	struct oclmm_error error = {0};

	if (!planted->options.machine)
		return 0;
	planted->machine_asked = true;
	return machine_read(planted->options.machine, NULL, NULL, &error, &planted->machine_known) <
	                       0
	               ? report_error(&error)
	               : 0;
}

static int prepare(struct planted *planted)
{
	struct planted_options *options = &planted->options;
	int status = read_machine(planted);

	if (status)
		return status;
	for (int i = 0; i < planted->name_count; i++)
		planted->as_named |= access(planted->names[i], F_OK) == 0;
	if (planted->name_count == 0 && !options->profile)
		options->profile = "default";
	status = options->profile
	                 ? selection_make_profile(&planted->selection, options->profile)
	                 : selection_make(&planted->selection, planted->names, planted->name_count);
	if (status == 0)
		status = read_equivalents(planted);
	if (status == 0)
		status = read_baseline(planted);
	if (status == 0 && !options->able)
		status = find_layer(planted);
	uname(&planted->machine);
	planted_options_complete(options);
	if (options->seconds <= 0)
		options->seconds = options->drawn > 0 ? DRAWN_SECONDS : DEFAULT_SECONDS;
	planted->header = (struct matrix_header){
		.tool = "oclmm " OCLMM_VERSION,
		.machine = planted->machine.machine,
		.profile = options->profile,
		.claims = options->claims,
		.seed = options->seed,
		.instances = options->instance_count,
		.seconds = options->seconds,
		.tests = planted->selection.count,
		.plants = options->choice_count,
		.all = options->all,
	};
	if (status == 0)
		prepare_tests(planted);
	if (status == 0)
		status = score_resume(planted);
	if (status == 0)
		findings_read(planted);
	return status;
}

static int finish(struct planted *planted, int status)
{
	for (size_t i = 0; planted->tests && i < planted->selection.count; i++)
		concerned_finish(&planted->tests[i]);
	free(planted->tests);
	free(planted->findings);
	selection_finish(&planted->selection);
	matrix_saved_finish(&planted->saved);
	planted_options_finish(&planted->options);
	equivalents_finish(&planted->equivalents);
	machine_finish(&planted->machine_known);
	return status;
}

/* Shows a matrix that was written before. */
static int render(struct planted *planted)
{
	struct matrix_saved *saved = &planted->saved;
	enum matrix_form form = planted->options.json ? MATRIX_JSON : MATRIX_TEXT;
	struct plant_score score = {0};
	struct oclmm_error error = {0};
	struct oclmm_text text = {0};

	if (matrix_read(planted->options.render, &error, saved) < 0)
		return report_error(&error);
	if (planted->options.table) {
		matrix_tables(&text, saved);
	} else {
		matrix_head(&text, form, &saved->header);
		for (size_t i = 0; i < saved->count; i++) {
			plant_score_add(&score, &saved->outcomes[i]);
			matrix_plant(&text, form, &saved->outcomes[i]);
		}
		matrix_score(&text, form, &score, 0);
		plant_score_finish(&score);
	}
	fputs(oclmm_text_string(&text), stdout);
	oclmm_text_finish(&text);
	return 0;
}

/* Refuses options that exclude each other, or that lack another one. */
static int check_options(const struct planted *planted, bool names)
{
	const struct planted_options *options = &planted->options;

	if (options->profile && names)
		return options_error(planted->command, "either --profile or names, not both");
	if (options->table && !options->render)
		return options_error(planted->command, "--table is for --render");
	if (options->machine && !options->able)
		return options_error(planted->command, "--machine is for --able");
	return 0;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct planted planted = {
		.command = command,
		.options = {.claims = "claimed", .seed = 1},
		.started = oclmm_clock(),
	};
	int first, status = options_parse(command, argc, argv, &planted.options, &first);

	if (status == 0 && planted.options.list) {
		if (planted.options.drawn > 0)
			list_drawn(&planted.options);
		else
			list_plants();
		planted_options_finish(&planted.options);
		return 0;
	}
	if (status == 0)
		status = check_options(&planted, first < argc);
	if (status == 0 && planted.options.render)
		return finish(&planted, render(&planted));
	planted.names = argv + first;
	planted.name_count = argc - first;
	if (status == 0)
		status = prepare(&planted);
	process_catch_interrupts();
	if (status == 0)
		status = planted.options.able ? tell_able(&planted) : score_run(&planted);
	return finish(&planted, status);
}

const struct command command_planted = {
	.name = "planted",
	.arguments = "[FILE|DIR|PATTERN…]",
	.summary = "plant bugs into the driver and say which tests find them",
	.description =
		"A layer before the OpenCL loader rewrites the programs that pass through it, one "
		"planted bug at\n"
		"a time; each is tried in runs of its own, in child processes, until a test "
		"shows a\n"
		"forbidden outcome. The driver as it is comes first; tests that it fails are\n"
		"left out. "
		"A plant gets the tests that can show it, as the model says.\n\n"
		"Exit status: 0 every plant was killed that can show on this device, but for "
		"quiet ones;\n"
		"1 one was not, or one was that is listed as equivalent, or something forbidden "
		"was seen\n"
		"without a plant;\n"
		"2 usage; 4 the budget did not suffice; 77 no device; 99 the runs failed, or "
		"every test without a plant.",
	.options = planted_option_specs,
	.repeatable = "plant",
	.one_of = (const char *const[]){"able list render", "output resume", NULL},
	.run = run,
};
