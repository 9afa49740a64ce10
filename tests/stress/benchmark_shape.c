// SPDX-License-Identifier: Apache-2.0
/* Measures one variant of one test on one device. */
#include "../fixture/run.h"
#include "benchmark.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Short runs that are made at most until three or twelve weak outcomes are there. */
enum { SHORT_RUNS = 32 };

struct count {
	const struct oclmm_program *program;
	struct cost *cost;
};

static int count_use(void *data, const struct oclmm_use *use)
{
	const struct count *count = data;

	if (count->program->locations[use->place->location].space == OCLMM_SPACE_LOCAL)
		return 0;
	if (!use->reads)
		count->cost->stores++;
	else if (use->writes)
		count->cost->updates++;
	else
		count->cost->loads++;
	return 0;
}

static struct cost cost_of(const struct oclmm_program *program,
                           const struct oclmm_kernel_plan *plan)
{
	/* a result is written by one kernel and read by the other */
	static const struct oclmm_visitor visitor = {.use = count_use};
	struct cost cost = {.bytes = 2 * plan->planes};
	struct count count = {program, &cost};

	for (uint32_t i = 0; i < program->thread_count; i++)
		oclmm_visit_body(&visitor, program->threads[i].body, &count);
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (l->space != OCLMM_SPACE_LOCAL)
			cost.bytes += l->elements * (oclmm_type_bits(l->type) / 8);
	}
	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];

		if (!o->is_register && program->locations[o->location].space != OCLMM_SPACE_LOCAL)
			cost.bytes += oclmm_type_bits(o->type) / 8;
	}
	return cost;
}

static void tally(struct subject *subject, const struct oclmm_run_result *result,
                  struct run_figures *figures)
{
	const struct oclmm_program *program = subject->program;

	*figures = (struct run_figures){.instances = result->counts.instances,
	                                .seconds = result->counts.seconds};
	for (size_t i = 0; i < oclmm_histogram_rows(result->counts.histogram); i++) {
		struct oclmm_histogram_row row = oclmm_histogram_row(result->counts.histogram, i);

		if (oclmm_condition_holds(program, program->condition, row.values))
			figures->weak += row.count;
		if (oclmm_answer_status(subject->answer, OCLMM_MODEL_CONSENSUS, row.values) ==
		    OCLMM_STATUS_FORBIDDEN)
			subject->measured->forbidden += row.count;
	}
}

int subject_run(struct subject *subject, const struct oclmm_environment *environment,
                uint64_t instances, double seconds, struct run_figures *ret_figures)
{
	struct oclmm_run_request request = {
		.program = subject->program,
		.space = &subject->answer->space,
		.environment = environment,
		.instances = instances,
		.seconds = seconds,
		.seed = oclmm_random(subject->seed, subject->runs++),
	};
	struct measured *measured = subject->measured;
	struct oclmm_run_result result = {0};
	struct oclmm_error error = {0};
	enum oclmm_end status = fixture_run_alone(subject->bench->device, &request, &error,
	                                          &result);

	if (status != OCLMM_END_OK) {
		snprintf(measured->message, sizeof(measured->message), "%s", error.message);
		measured->refused = status == OCLMM_END_UNSUPPORTED ||
		                    status == OCLMM_END_BUILD_FAILED;
		oclmm_run_result_finish(&result);
		return -EIO;
	}
	if (subject->runs == 1)
		measured->compile_first = result.counts.compile_seconds;
	else if (subject->compiles < OCLMM_COUNT(subject->compile))
		subject->compile[subject->compiles++] = result.counts.compile_seconds;
	tally(subject, &result, ret_figures);
	oclmm_run_result_finish(&result);
	return 0;
}

static int repeat(struct subject *subject, const struct oclmm_environment *environment,
                  double seconds, unsigned times, struct figures *ret_figures)
{
	double instances[REPETITIONS], weak[REPETITIONS];
	struct figures figures = {0};

	for (unsigned i = 0; i < times; i++) {
		struct run_figures run;
		int r = subject_run(subject, environment, 0, seconds / times, &run);

		if (r < 0)
			return r;
		figures.total += run.instances;
		figures.total_weak += run.weak;
		instances[i] = (double)run.instances / run.seconds;
		weak[i] = (double)run.weak / run.seconds;
	}
	figures.instances = range_of(instances, times);
	figures.weak = range_of(weak, times);
	*ret_figures = figures;
	return 0;
}

static bool is_better(const struct figures *a, const struct figures *b)
{
	if (a->weak.median != b->weak.median)
		return a->weak.median > b->weak.median;
	return a->instances.median > b->instances.median;
}

static int measure_each(struct subject *subject)
{
	struct measured *m = subject->measured;
	double seconds = subject->bench->seconds * 0.25 / m->environment_count;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < m->environment_count; i++) {
		r = repeat(subject, &m->environments[i], seconds, 1, &m->each[i]);
		if (is_better(&m->each[i], &m->each[m->best]))
			m->best = i;
	}
	return r;
}

/* Adds short runs until twelve are seen. Compiling does not count: a session does it once. */
static int wait_for_twelve(struct subject *subject, uint64_t instances, double *ret_three,
                           double *ret_twelve)
{
	const struct measured *m = subject->measured;
	double three = NAN, twelve = NAN, spent = 0;
	uint64_t weak = 0;

	for (int i = 0; i < SHORT_RUNS && weak < 12; i++) {
		struct run_figures run;
		int r = subject_run(subject, &m->environments[m->best], instances, 0, &run);

		if (r < 0)
			return r;
		weak += run.weak;
		spent += run.seconds;
		if (isnan(three) && weak >= 3)
			three = spent;
	}
	if (weak >= 12)
		twelve = spent;
	*ret_three = three;
	*ret_twelve = twelve;
	return 0;
}

/* Runs just long enough for three, by the rate that was seen. */
static int measure_waits(struct subject *subject)
{
	struct measured *m = subject->measured;
	double three[REPETITIONS], twelve[REPETITIONS];
	unsigned threes = 0, twelves = 0;
	uint64_t instances;

	/* so rare that waiting for them would take longer than all the rest */
	if (m->single.total_weak == 0 || m->single.weak.median * subject->bench->seconds < 12)
		return 0;
	instances = m->single.total / m->single.total_weak * 3 + 1;
	for (int i = 0; i < REPETITIONS; i++) {
		int r = wait_for_twelve(subject, instances, &three[threes], &twelve[twelves]);

		if (r < 0)
			return r;
		threes += !isnan(three[threes]);
		twelves += !isnan(twelve[twelves]);
	}
	if (threes == REPETITIONS)
		m->to_three = range_of(three, threes);
	if (twelves == REPETITIONS)
		m->to_twelve = range_of(twelve, twelves);
	return 0;
}

static int open_subject(struct subject *subject, const struct shape *shape)
{
	struct measured *m = subject->measured;
	const struct oclmm_variant *variant;
	struct oclmm_error error = {0};
	char path[4096];
	int r;

	snprintf(path, sizeof(path), "%s/%s.litmus", subject->bench->folder, shape->file);
	r = oclmm_litmus_read(path, NULL, &error, &subject->litmus);
	if (r < 0) {
		snprintf(m->message, sizeof(m->message), "%s",
		         error.message[0] ? error.message : strerror(-r));
		return r;
	}
	snprintf(m->name, sizeof(m->name), "%s%s", subject->litmus->name, shape->variant);
	variant = oclmm_litmus_find(subject->litmus, m->name);
	if (!variant) {
		snprintf(m->message, sizeof(m->message), "the file has no such variant");
		return -EINVAL;
	}
	subject->program = variant->program;
	r = oclmm_check(subject->program, NULL, &error, &subject->answer);
	if (r == 0)
		r = oclmm_kernel_plan(subject->program, &subject->answer->space, &error,
		                      &subject->plan);
	if (r < 0)
		snprintf(m->message, sizeof(m->message), "%s", error.message);
	return r;
}

static int measure_all(struct subject *subject)
{
	struct measured *m = subject->measured;
	double seconds = subject->bench->seconds;
	struct run_figures warm;
	int r;

	m->cost = cost_of(subject->program, &subject->plan);
	m->environment_count = oclmm_environment_defaults(oclmm_device_info(subject->bench->device),
	                                                  &subject->plan, m->environments);
	r = subject_run(subject, NULL, 1, 0, &warm);
	if (r == 0)
		r = repeat(subject, NULL, seconds * 0.4, REPETITIONS, &m->turn);
	if (r == 0)
		r = measure_each(subject);
	if (r == 0)
		r = repeat(subject, &m->environments[m->best], seconds * 0.25, REPETITIONS,
		           &m->single);
	if (r == 0)
		r = measure_waits(subject);
	if (r == 0 && subject->measured->shape->random)
		r = shape_measure_randomly(subject);
	return r;
}

void shape_measure(const struct bench *bench, const struct shape *shape,
                   struct measured *ret_measured)
{
	struct measured m = {.shape = shape};
	struct subject subject = {.bench = bench, .measured = &m};

	snprintf(m.name, sizeof(m.name), "%s%s", shape->file, shape->variant);
	if (open_subject(&subject, shape) == 0) {
		subject.seed = oclmm_random_derive(bench->seed, subject.program->name);
		m.done = measure_all(&subject) == 0;
		if (subject.compiles > 0)
			m.compile_again = range_of(subject.compile, subject.compiles);
	}
	oclmm_answer_destroy(subject.answer);
	oclmm_litmus_destroy(subject.litmus);
	*ret_measured = m;
}
