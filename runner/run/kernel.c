// SPDX-License-Identifier: Apache-2.0
/*
 * A kernel of somebody's own on a device: what the oracle lets its launch end in, and what came of
 * it. It is the device that is judged; of the kernel it says how often each outcome that was asked
 * for was seen.
 */
#include "kernel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "launch/launch.h"
#include "select/suite.h"
#include "session.h"
#include "tell.h"

/* Of the oracle, in processor time, as `oclmm check` has it. */
static const double ORACLE_SECONDS = 10;
/* Without --instances and --budget: launches take microseconds on one device, and milliseconds on
 * another. */
static const double BUDGET_SECONDS = 10;

/* What a run of a kernel says of the device. */
enum verdict {
	PASS,         /* each end is one that the model allows */
	FORBIDDEN,    /* some end is not one of these */
	INCONCLUSIVE, /* nothing can be said */
	UNDEFINED,    /* the kernel is, so that nothing is the device's fault */
};

static const char *const verdict_words[] = {"pass", "forbidden", "inconclusive", "undefined"};

struct kernel_run {
	struct run *run;
	struct kernel_file file;
	struct oclmm_kernel_answer *answer;
	struct oclmm_record record; /* of what was launched */
	bool recorded;
	char started[24];
	struct launch_result result;
	enum verdict verdict;
	char why[1400];     /* it is inconclusive, or undefined */
	uint64_t *seen;     /* by ask: launches in which it held */
	uint64_t forbidden; /* launches whose end the model does not allow */
	bool *allowed;      /* by end that was seen */
};

/* ---- what is compared ------------------------------------------------------------------- */

/* The oracle knows every end that is allowed. */
static bool is_complete(const struct oclmm_kernel_answer *answer)
{
	return answer->verdict == OCLMM_KERNEL_SOUND && !answer->cut && !answer->early;
}

static bool is_allowed(const struct oclmm_kernel_answer *answer, const uint64_t *values)
{
	for (uint64_t i = 0; i < answer->state_count; i++)
		if (memcmp(answer->states[i].values, values,
		           answer->value_count * sizeof(*values)) == 0)
			return true;
	return false;
}

static void judge(struct kernel_run *k)
{
	const struct oclmm_kernel_answer *answer = k->answer;
	const struct launch_result *result = &k->result;

	k->seen = oclmm_calloc(k->file.setup.ask_count + 1, sizeof(*k->seen));
	k->allowed = oclmm_calloc(result->seen_count + 1, sizeof(*k->allowed));
	for (size_t i = 0; i < result->seen_count; i++) {
		k->allowed[i] = is_allowed(answer, result->seen[i].values);
		if (!k->allowed[i])
			k->forbidden += result->seen[i].count;
		for (unsigned n = 0; n < k->file.setup.ask_count; n++)
			if (oclmm_kernel_holds(answer, n, result->seen[i].values))
				k->seen[n] += result->seen[i].count;
	}
	k->verdict = INCONCLUSIVE;
	if (answer->verdict == OCLMM_KERNEL_UNDEFINED) {
		k->verdict = UNDEFINED;
		snprintf(k->why, sizeof(k->why),
		         "the kernel has %s at line %u%s%s, so that no end is the device's fault: "
		         "oclmm explain says more",
		         answer->message, answer->line.line, answer->line.included ? " of " : "",
		         answer->line.included ? answer->line.file : "");
	} else if (k->forbidden && is_complete(answer)) {
		k->verdict = FORBIDDEN;
	} else if (result->end == LAUNCH_SILENT) {
		snprintf(k->why, sizeof(k->why), "%s%s", result->message,
		         answer->waits ? ", and the model lets the kernel wait for ever"
		                       : ": work-items that wait for each other need a device that "
		                         "runs them at the same time, which the model promises "
		                         "nobody");
	} else if (result->end != LAUNCH_DONE) {
		snprintf(k->why, sizeof(k->why), "%s", result->message);
	} else if (answer->value_count == 0) {
		snprintf(k->why, sizeof(k->why),
		         "nothing is asked, so that nothing is compared: --ask 'x[0] == 3'");
	} else if (answer->verdict == OCLMM_KERNEL_UNFINISHED) {
		snprintf(k->why, sizeof(k->why),
		         "the oracle reached its limit, and does not know which ends are allowed");
	} else if (k->forbidden) {
		snprintf(k->why, sizeof(k->why), "an end was seen that the oracle did not find: %s",
		         answer->cut
		                 ? "loops turn more often than their bound"
		                 : "a relaxed read may be earlier than the write that it reads, "
		                   "which it does not look at");
	} else {
		k->verdict = PASS;
	}
}

static int status_of(const struct kernel_run *k)
{
	if (k->verdict == PASS)
		return OCLMM_EXIT_PASS;
	if (k->verdict == FORBIDDEN)
		return OCLMM_EXIT_FORBIDDEN;
	if (k->result.end == LAUNCH_REFUSED)
		return OCLMM_EXIT_USAGE;
	return k->result.end == LAUNCH_FAILED ? OCLMM_EXIT_INFRASTRUCTURE : OCLMM_EXIT_INCONCLUSIVE;
}

/* ---- what is said ------------------------------------------------------------------------ */

/* What the model says of an ask. */
static const char *ask_word(const struct oclmm_kernel_answer *answer, unsigned n)
{
	if (answer->verdict == OCLMM_KERNEL_UNDEFINED)
		return "undefined";
	if (answer->holds[n])
		return "allowed";
	return is_complete(answer) ? "forbidden" : "unknown";
}

static void print_count(uint64_t count)
{
	if (count == 0)
		printf("never seen");
	else
		printf("seen %" PRIu64 " %s", count, count == 1 ? "time" : "times");
}

static void print_sizes(const size_t sizes[3], unsigned dimensions)
{
	for (unsigned i = 0; i < dimensions; i++)
		printf("%s%zu", i ? "x" : "", sizes[i]);
}

static void print_text(const struct kernel_run *k)
{
	const struct oclmm_device_info *device = k->run->context.device;
	const struct oclmm_kernel_answer *answer = k->answer;
	const struct launch_result *result = &k->result;

	printf("%s: %s on %s (%s): %s\n", oclmm_shown(k->file.path).text,
	       oclmm_shown(answer->name).text, oclmm_shown(device->name).text,
	       oclmm_shown(device->driver).text, verdict_words[k->verdict]);
	if (*k->why)
		printf("    %s\n", oclmm_shown(k->why).text);
	printf("    %s of ", oclmm_counted(result->launches, "launch").text);
	print_sizes(answer->launch.global, answer->launch.dimensions);
	printf(" work-items in groups of ");
	print_sizes(answer->launch.local, answer->launch.dimensions);
	printf(", in %.1f s; --seed %" PRIu64 "\n", result->seconds, k->run->context.seed);
	for (unsigned n = 0; n < k->file.setup.ask_count; n++) {
		printf("    the outcome that you asked for, %s, is %s and was ",
		       oclmm_shown(k->file.setup.asks[n]).text, ask_word(answer, n));
		print_count(k->seen[n]);
		puts("");
	}
	for (size_t i = 0; i < result->seen_count; i++) {
		struct oclmm_text text = {0};

		if (k->allowed[i] || !is_complete(answer))
			continue;
		oclmm_kernel_print_state(&text, answer, result->seen[i].values);
		printf("    forbidden, and seen %" PRIu64 " %s: %s\n", result->seen[i].count,
		       result->seen[i].count == 1 ? "time" : "times", oclmm_text_string(&text));
		oclmm_text_finish(&text);
	}
	if (answer->waits)
		puts("    the model lets some work-item wait for ever: oclmm check says which");
}

static void put_ends(json_t *object, const struct kernel_run *k)
{
	json_t *ends = json_array();

	for (size_t i = 0; i < k->result.seen_count; i++) {
		const struct launch_seen *seen = &k->result.seen[i];
		json_t *end = json_object();
		struct oclmm_text text = {0};

		oclmm_kernel_print_state(&text, k->answer, seen->values);
		json_put_printed(end, "values", &text);
		json_put_count(end, "count", seen->count);
		json_put_text(end, "status",
		              k->allowed[i]             ? "allowed"
		              : is_complete(k->answer)  ? "forbidden"
		              : k->verdict == UNDEFINED ? "undefined"
		                                        : "unknown");
		json_array_append_new(ends, end);
	}
	json_object_set_new(object, "outcomes", ends);
}

static void print_json(const struct kernel_run *k)
{
	const struct oclmm_device_info *device = k->run->context.device;
	json_t *object = json_object(), *asks = json_array();
	struct oclmm_text text = {0}, seed = {0};

	json_put_text(object, "type", "kernel");
	json_put_text(object, "file", k->file.path);
	json_put_text(object, "kernel", k->answer->name);
	json_put_text(object, "verdict", verdict_words[k->verdict]);
	json_put_text(object, "message", *k->why ? k->why : NULL);
	json_put_text(object, "platform", device->platform);
	json_put_text(object, "device", device->name);
	json_put_text(object, "driver", device->driver);
	json_put_text(object, "device_version", device->version);
	json_put_count(object, "launches", k->result.launches);
	json_put_real(object, "seconds", k->result.seconds);
	oclmm_text_printf(&seed, "%" PRIu64, k->run->context.seed);
	json_put_printed(object, "seed", &seed);
	for (unsigned n = 0; n < k->file.setup.ask_count; n++) {
		json_t *ask = json_object();

		json_put_text(ask, "condition", k->file.setup.asks[n]);
		json_put_text(ask, "status", ask_word(k->answer, n));
		json_put_count(ask, "count", k->seen[n]);
		json_array_append_new(asks, ask);
	}
	json_object_set_new(object, "asks", asks);
	put_ends(object, k);
	json_put_count(object, "others", k->result.others);
	json_print_line(&text, object);
	fputs(oclmm_text_string(&text), stdout);
	oclmm_text_finish(&text);
}

/* ---- its record ---------------------------------------------------------------------------- */

static const enum oclmm_end ends[] = {
	[LAUNCH_DONE] = OCLMM_END_OK,
	[LAUNCH_SILENT] = OCLMM_END_HANG,
	[LAUNCH_REFUSED] = OCLMM_END_BUILD_FAILED,
	[LAUNCH_FAILED] = OCLMM_END_DEVICE_ERROR,
};

/* What was seen, by observable; and the condition tells these ends apart, too. */
static void count_ends(struct kernel_run *k, struct oclmm_program *program)
{
	const struct launch_result *result = &k->result;
	struct oclmm_histogram *histogram = oclmm_histogram_create(program->observable_count);
	const int64_t **seen = oclmm_calloc(result->seen_count + 1, sizeof(*seen));

	for (size_t i = 0; i < result->seen_count; i++) {
		int64_t *values = OCLMM_NEW_ARRAY(k->answer->arena, int64_t,
		                                  program->observable_count + 1);

		oclmm_kernel_observed(k->answer, result->seen[i].values, values);
		oclmm_histogram_add(histogram, values, result->seen[i].count);
		seen[i] = values;
	}
	program->condition = oclmm_kernel_condition(k->answer, program, seen, result->seen_count);
	free(seen);
	k->record.counts.histogram = histogram;
	k->record.counts.instances = oclmm_histogram_total(histogram);
}

static void make_record(struct kernel_run *k)
{
	const struct oclmm_kernel_answer *answer = k->answer;
	const struct run_context *context = &k->run->context;
	struct kernel_test test = kernel_test_of(&k->file, answer);

	k->record = (struct oclmm_record){
		.program = test.program,
		.expected = test.expected,
		.file = k->file.path,
		.family = "kernel",
		.whole_kernel = true,
		.identity = run_identity(context),
		.support = OCLMM_CLASS_CLAIMED,
		.end = ends[k->result.end],
		.message = *k->why ? k->why : NULL,
		.model = oclmm_model_name(OCLMM_MODEL_CONSENSUS),
		.oracle = "oclmm " OCLMM_VERSION,
		.started = k->started,
		.master_seed = context->seed,
		.seed = context->seed,
		.attempts = 1,
		.counts = {.launches = k->result.launches,
	                   .seconds = k->result.seconds,
	                   .source_hash = oclmm_hash(k->file.text, strlen(k->file.text))},
	};
	if (k->file.compile.length)
		k->record.identity.options = oclmm_text_string(&k->file.compile) + 1;
	if (k->result.end != LAUNCH_REFUSED)
		count_ends(k, test.program);
	oclmm_grade(&k->record, &context->grade);
	k->recorded = true;
}

static void finish_kernel(struct kernel_run *k)
{
	oclmm_grade_finish(&k->record.grade);
	oclmm_histogram_destroy(k->record.counts.histogram);
	free(k->seen);
	free(k->allowed);
	launch_result_finish(&k->result);
	oclmm_kernel_answer_destroy(k->answer);
	kernel_file_finish(&k->file);
}

/* ---- a file -------------------------------------------------------------------------------- */

/* A device cannot be asked for what no host sees, nor a kernel that does not begin each launch
 * anew. */
static int refuse_what_is_not_seen(const struct kernel_run *k)
{
	const char *path = oclmm_shown(k->file.path).text, *unseen = oclmm_kernel_unseen(k->answer);
	const char *slash = strrchr(k->file.path, '/');

	if (k->answer->launch.kept)
		return options_error(
			k->run->command,
			"%s: the variable %s at program scope keeps its value from one "
			"launch to the next; make it a parameter to run it",
			path, k->answer->launch.kept);
	if (unseen)
		return options_error(k->run->command,
		                     "%s: no host sees %s behind a launch: ask for a buffer", path,
		                     unseen);
	/* how a driver divides its options is its own affair */
	if (k->file.whole.length && slash &&
	    strcspn(k->file.path, " \t'\"\\") < (size_t)(slash - k->file.path))
		return options_error(
			k->run->command,
			"%s: it includes a file of its folder, and no device's compiler can be "
			"told of a folder with a blank or a quote in its name",
			path);
	return 0;
}

static void launch(struct kernel_run *k, const char *background)
{
	const struct run_options *options = &k->run->options;
	const struct oclmm_kernel_launch *l = &k->answer->launch;
	struct launch_parameter *parameters = oclmm_calloc(l->parameter_count + 1,
	                                                   sizeof(*parameters));
	struct launch_place *places = oclmm_calloc(k->answer->value_count + 1, sizeof(*places));
	const char *slash = strrchr(k->file.path, '/');
	struct oclmm_text compile = {0};
	struct launch_request request = {
		.source = k->file.text,
		.kernel = k->answer->name,
		.background = background,
		.parameters = parameters,
		.parameter_count = l->parameter_count,
		.dimensions = l->dimensions,
		.global = l->global,
		.local = l->local,
		.offset = l->offset,
		.sub_group = l->sub_group,
		.launches = options->instances,
		.seconds = options->budget > 0 || options->instances_given ? options->budget
	                                                                   : BUDGET_SECONDS,
		.seed = k->run->context.seed,
		.places = places,
		.value_count = k->answer->value_count,
	};

	for (unsigned n = 0; n < l->parameter_count; n++) {
		static const int kinds[] = {[OCLMM_KERNEL_BUFFER] = LAUNCH_BUFFER,
		                            [OCLMM_KERNEL_SCALAR] = LAUNCH_SCALAR,
		                            [OCLMM_KERNEL_LOCAL] = LAUNCH_LOCAL};

		parameters[n].kind = kinds[l->parameters[n].kind];
		parameters[n].bytes = l->parameters[n].bytes;
		parameters[n].size = l->parameters[n].size;
	}
	for (unsigned v = 0; v < k->answer->value_count; v++) {
		const struct oclmm_kernel_place place = oclmm_kernel_place(k->answer, v);

		places[v] = (struct launch_place){place.parameter, place.offset, place.size};
	}
	if (slash && k->file.whole.length)
		oclmm_text_printf(&compile, "-I%.*s/ ", (int)(slash - k->file.path), k->file.path);
	oclmm_text_add(&compile, oclmm_text_string(&k->file.compile));
	request.options = oclmm_text_string(&compile);
	launch_run(k->run->context.identity, &request, k->run->options.limit, &k->result);
	oclmm_text_finish(&compile);
	free(parameters);
	free(places);
}

static int run_kernel(struct kernel_run *k, const char *path, const char *background, bool tells)
{
	struct run *run = k->run;
	int status = kernel_file_read(&k->file, path, &run->options.kernel);

	if (status == 0)
		status = kernel_file_check(&k->file, ORACLE_SECONDS, &k->answer);
	if (status == 0)
		status = refuse_what_is_not_seen(k);
	if (status)
		return status;
	oclmm_print_now(k->started, sizeof(k->started));
	launch(k, background);
	judge(k);
	make_record(k);
	if (k->result.end == LAUNCH_REFUSED || k->result.end == LAUNCH_FAILED)
		options_error(run->command, "%s: %s", oclmm_shown(path).text, k->result.message);
	else if (!tells)
		return status_of(k);
	else if (strcmp(run->options.format->name, "json") == 0)
		print_json(k);
	else
		print_text(k);
	return status_of(k);
}

/* ---- the command ---------------------------------------------------------------------------- */

/* Of several files: forbidden before refused before what could not be run, and so on. */
static int worse(int a, int b)
{
	static const int order[] = {OCLMM_EXIT_FORBIDDEN, OCLMM_EXIT_INFRASTRUCTURE,
	                            OCLMM_EXIT_USAGE, OCLMM_EXIT_INCONCLUSIVE, OCLMM_EXIT_NOTHING};

	for (size_t i = 0; i < OCLMM_COUNT(order); i++)
		if (a == order[i] || b == order[i])
			return order[i];
	return a;
}

/* What concerns tests alone. */
static int refuse_options(const struct run *run, char **paths, int count)
{
	const struct run_options *o = &run->options;

	for (int i = 0; i < count; i++)
		if (!kernel_is_file(paths[i]))
			return options_error(run->command, "%s: either kernels or litmus files",
			                     oclmm_shown(paths[i]).text);
	if (count == 0)
		return options_error(run->command, "which kernel? name its .cl file");
	if (o->all || o->profile || o->tuned_count || o->environment || o->resume || o->artifacts ||
	    o->il || o->pair || o->audit || o->spread || o->device_count > 1 ||
	    o->claims_expected || o->halvings.count || o->fresh || o->no_controls ||
	    o->rules.expectations || o->rules.model.given || o->rules.model.cat || o->annotations ||
	    o->shard.count || narrow_any(&o->narrow))
		return options_error(run->command,
		                     "of a kernel's file, only --budget, --device, --format, "
		                     "--instances, --output, --seed, --timeout, --wait, --no-wait "
		                     "and the options of its launch are taken");
	return 0;
}

/* ---- reports ----------------------------------------------------------------------------- */

/* Whether standard output has our own words of a kernel, and no report. */
static bool tells_itself(const struct run *run)
{
	return run->options.format->for_people || strcmp(run->options.format->name, "json") == 0;
}

static int claim_reports(struct run *run, struct run_output *outputs, size_t *ret_count)
{
	*ret_count = 0;
	if (!tells_itself(run))
		run_output_standard(&outputs[(*ret_count)++]);
	return run_output_claim_all(run->command, run->options.outputs, run->options.output_count,
	                            outputs, ret_count);
}

static void begin_reports(struct run *run, int tests, struct run_output *outputs,
                          size_t output_count)
{
	run->lane_count = 1;
	run_make_header(run);
	run->header.tests = (uint64_t)tests;
	run->header.instances = run->options.instances_given ? run->options.instances : 0;
	for (size_t i = 0; i < output_count; i++)
		run_output_begin(&outputs[i],
		                 i == 0 && !tells_itself(run)
		                         ? run->options.format
		                         : oclmm_report_kind_of_file(outputs[i].name),
		                 &run->header, false);
}

static int end_reports(const struct run *run, struct kernel_run *kernels, int count,
                       struct run_output *outputs, size_t output_count, int status)
{
	struct oclmm_record **records = oclmm_calloc((size_t)count + 1, sizeof(*records));
	struct run_ending ending = {.command = run->command,
	                            .header = &run->header,
	                            .records = records,
	                            .interrupted = process_interrupted};
	int written;

	for (int i = 0; i < count; i++)
		if (kernels[i].recorded)
			records[ending.count++] = &kernels[i].record;
	ending.left_out = (size_t)count - ending.count;
	written = output_count ? run_output_end_all(&ending, outputs, output_count) : 0;
	free(records);
	/* what could not be written is no result */
	return written == OCLMM_EXIT_INFRASTRUCTURE && status != OCLMM_EXIT_FORBIDDEN ? written
	                                                                              : status;
}

/* The text of the kernel that makes traffic. */
static int read_background(char **ret_text)
{
	struct oclmm_error error = {0};
	struct oclmm_text path = {0};
	char *folder = suite_folder(&error);
	size_t length;
	int r = folder ? 0 : -1;

	if (r == 0) {
		oclmm_text_printf(&path, "%s/idiom/background.cl", folder);
		r = oclmm_read_text(oclmm_text_string(&path), &error, ret_text, &length);
	}
	oclmm_text_finish(&path);
	free(folder);
	return r < 0 ? report_error(&error) : 0;
}

/* One after the other; all that refers to what reports have stays until their end. */
static int run_all(struct run *run, char **paths, int count, const char *background)
{
	struct kernel_run *kernels = oclmm_calloc((size_t)count, sizeof(*kernels));
	struct run_output outputs[RUN_OUTPUTS + 1];
	size_t output_count;
	int all = OCLMM_EXIT_PASS, status = claim_reports(run, outputs, &output_count);

	if (status == 0)
		begin_reports(run, count, outputs, output_count);
	for (int i = 0; status == 0 && i < count && !process_interrupted; i++) {
		kernels[i].run = run;
		all = worse(all, run_kernel(&kernels[i], paths[i], background, tells_itself(run)));
		if (!kernels[i].recorded)
			continue;
		for (size_t k = 0; k < output_count; k++)
			run_output_record(&outputs[k], &kernels[i].record, false);
	}
	if (status == 0)
		status = end_reports(run, kernels, count, outputs, output_count, all);
	for (size_t k = 0; k < output_count; k++)
		run_output_close(&outputs[k]);
	for (int i = 0; i < count; i++)
		if (kernels[i].run)
			finish_kernel(&kernels[i]);
	free(kernels);
	free(run->replay);
	oclmm_text_finish(&run->claims);
	oclmm_text_finish(&run->variables);
	return status;
}

int run_kernels(struct run *run, char **paths, int count)
{
	char *background = NULL;
	int status = refuse_options(run, paths, count);

	run->options.device = run->options.device_count ? run->options.devices[0] : NULL;
	run->worker = (struct worker_options){.limit = run->options.limit};
	if (status == 0)
		status = read_background(&background);
	process_catch_interrupts();
	if (status == 0)
		status = run_find_device(run);
	if (status == 0)
		status = run_lock_device(run, run->context.identity, &run->lock);
	if (status == 0)
		status = run_all(run, paths, count, background);
	free(background);
	run_session_finish(run->session);
	return status;
}
