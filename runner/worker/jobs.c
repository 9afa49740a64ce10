// SPDX-License-Identifier: Apache-2.0
/*
 * Jobs as bytes, and back. A text would not do for a program: registers of branches change their
 * places when one is read anew, and with them the kernel; and one may have more words than a file
 * may.
 */
#include "jobs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stress/environment.h"

/*
 * ---- a program ----
 *
 * What is passed is copied on either side: of the writer's copy the bytes are sent, and then what
 * its pointers lead to; the reader has bytes with pointers of another process, which tell that
 * there is something, and puts its own in their places. So each type stands here once.
 */
struct passing {
	struct oclmm_text *text;    /* that is written; NULL: … */
	struct wire_reader *reader; /* … this is read */
	struct oclmm_arena *arena;  /* of the copies */
};

static void *pass(struct passing *passing, const void *source, size_t count, size_t each)
{
	size_t size = count * each;
	void *copy;

	if (!source)
		return NULL;
	if (!passing->reader) {
		wire_put(passing->text, source, size);
		return oclmm_arena_copy(passing->arena, source, size);
	}
	if (size > passing->reader->left) {
		passing->reader->failed = true;
		return NULL;
	}
	copy = oclmm_arena_alloc(passing->arena, size);
	wire_get(passing->reader, copy, size);
	return copy;
}

#define PASS(passing, source, count) pass((passing), (source), (count), sizeof(*(source)))

static char *pass_string(struct passing *passing, const char *source)
{
	uint64_t size = source && passing->text ? strlen(source) + 1 : 0;

	if (!source)
		return NULL;
	if (passing->text)
		wire_put(passing->text, &size, sizeof(size));
	else
		wire_get(passing->reader, &size, sizeof(size));
	return pass(passing, source, size, 1);
}

static struct oclmm_expression *pass_expression(struct passing *passing,
                                                const struct oclmm_expression *source);

static void pass_place(struct passing *passing, struct oclmm_place *place)
{
	place->index = pass_expression(passing, place->index);
}

static void pass_comparand(struct passing *passing, struct oclmm_comparand *comparand)
{
	switch (comparand->kind) {
	case OCLMM_COMPARAND_NONE:
	case OCLMM_COMPARAND_REGISTER: break;
	case OCLMM_COMPARAND_MEMORY: pass_place(passing, &comparand->place); break;
	case OCLMM_COMPARAND_VALUE:
		comparand->value = pass_expression(passing, comparand->value);
		break;
	}
}

static struct oclmm_atomic *pass_atomic(struct passing *passing, const struct oclmm_atomic *source)
{
	struct oclmm_atomic *atomic = PASS(passing, source, 1);

	if (!atomic)
		return NULL;
	atomic->spelling = pass_string(passing, atomic->spelling);
	pass_place(passing, &atomic->object);
	pass_comparand(passing, &atomic->comparand);
	atomic->operand = pass_expression(passing, atomic->operand);
	return atomic;
}

static struct oclmm_expression *pass_expression(struct passing *passing,
                                                const struct oclmm_expression *source)
{
	struct oclmm_expression *expression = PASS(passing, source, 1);

	if (!expression)
		return NULL;
	switch (expression->kind) {
	case OCLMM_EXPRESSION_CONSTANT:
	case OCLMM_EXPRESSION_REGISTER: break;
	case OCLMM_EXPRESSION_LOAD: pass_place(passing, &expression->load); break;
	case OCLMM_EXPRESSION_ATOMIC:
		expression->atomic = pass_atomic(passing, expression->atomic);
		break;
	case OCLMM_EXPRESSION_UNARY:
		expression->unary.operand = pass_expression(passing, expression->unary.operand);
		break;
	case OCLMM_EXPRESSION_BINARY:
		expression->binary.left = pass_expression(passing, expression->binary.left);
		expression->binary.right = pass_expression(passing, expression->binary.right);
		break;
	case OCLMM_EXPRESSION_CAST:
		expression->cast = pass_expression(passing, expression->cast);
		break;
	}
	return expression;
}

static void pass_barrier(struct passing *passing, struct oclmm_barrier *barrier)
{
	barrier->spelling = pass_string(passing, barrier->spelling);
	barrier->label = pass_string(passing, barrier->label);
	barrier->value = pass_expression(passing, barrier->value);
	barrier->from = pass_expression(passing, barrier->from);
}

static void pass_assign(struct passing *passing, struct oclmm_assign *assign)
{
	struct oclmm_barrier *collective = PASS(passing, assign->collective, 1);

	if (collective)
		pass_barrier(passing, collective);
	assign->collective = collective;
	assign->value = pass_expression(passing, assign->value);
}

static struct oclmm_statement *pass_body(struct passing *passing,
                                         const struct oclmm_statement *source);

/* All that it has but the next one. */
static void pass_parts(struct passing *passing, struct oclmm_statement *statement)
{
	switch (statement->kind) {
	case OCLMM_STATEMENT_ASSIGN: pass_assign(passing, &statement->assign); break;
	case OCLMM_STATEMENT_STORE:
		pass_place(passing, &statement->store.place);
		statement->store.value = pass_expression(passing, statement->store.value);
		break;
	case OCLMM_STATEMENT_EVALUATE:
		statement->effect = pass_expression(passing, statement->effect);
		break;
	case OCLMM_STATEMENT_FENCE:
		statement->fence.spelling = pass_string(passing, statement->fence.spelling);
		break;
	case OCLMM_STATEMENT_BARRIER: pass_barrier(passing, &statement->barrier); break;
	case OCLMM_STATEMENT_COPY:
		statement->copy.spelling = pass_string(passing, statement->copy.spelling);
		pass_place(passing, &statement->copy.to);
		pass_place(passing, &statement->copy.from);
		break;
	case OCLMM_STATEMENT_WAIT: break;
	case OCLMM_STATEMENT_CLOCK:
		statement->clock.spelling = pass_string(passing, statement->clock.spelling);
		break;
	case OCLMM_STATEMENT_ENQUEUE:
		statement->enqueue.event = pass_string(passing, statement->enqueue.event);
		break;
	case OCLMM_STATEMENT_IF:
		statement->branch.condition = pass_expression(passing, statement->branch.condition);
		statement->branch.then_body = pass_body(passing, statement->branch.then_body);
		statement->branch.else_body = pass_body(passing, statement->branch.else_body);
		break;
	case OCLMM_STATEMENT_WHILE:
		statement->loop.condition = pass_expression(passing, statement->loop.condition);
		statement->loop.body = pass_body(passing, statement->loop.body);
		break;
	}
}

static struct oclmm_statement *pass_body(struct passing *passing,
                                         const struct oclmm_statement *source)
{
	struct oclmm_statement *first = PASS(passing, source, 1);

	for (struct oclmm_statement *at = first; at; at = at->next) {
		pass_parts(passing, at);
		at->next = PASS(passing, at->next, 1);
	}
	return first;
}

static const char **pass_strings(struct passing *passing, const char *const *source, uint32_t count)
{
	const char **strings = PASS(passing, source, count);

	for (uint32_t i = 0; strings && i < count; i++)
		strings[i] = pass_string(passing, strings[i]);
	return strings;
}

static void pass_thread(struct passing *passing, struct oclmm_thread *thread)
{
	thread->parameters = PASS(passing, thread->parameters, thread->parameter_count);
	thread->registers = PASS(passing, thread->registers, thread->register_count);
	for (uint32_t i = 0; thread->registers && i < thread->register_count; i++)
		thread->registers[i].name = pass_string(passing, thread->registers[i].name);
	thread->events = pass_strings(passing, thread->events, thread->event_count);
	thread->body = pass_body(passing, thread->body);
}

static struct oclmm_shared_text *pass_shared(struct passing *passing,
                                             const struct oclmm_shared_text *source)
{
	struct oclmm_shared_text *shared = PASS(passing, source, 1);

	if (!shared)
		return NULL;
	shared->parameters = PASS(passing, shared->parameters, shared->parameter_count);
	for (uint32_t i = 0; shared->parameters && i < shared->parameter_count; i++) {
		shared->parameters[i].name = pass_string(passing, shared->parameters[i].name);
		shared->parameters[i].words = pass_string(passing, shared->parameters[i].words);
	}
	shared->before = pass_string(passing, shared->before);
	shared->names = pass_strings(passing, shared->names, shared->name_count);
	shared->body = pass_string(passing, shared->body);
	return shared;
}

static struct oclmm_condition *pass_condition(struct passing *passing,
                                              const struct oclmm_condition *source)
{
	struct oclmm_condition *condition = PASS(passing, source, 1);

	if (!condition)
		return NULL;
	condition->left = pass_condition(passing, condition->left);
	condition->right = pass_condition(passing, condition->right);
	return condition;
}

static struct oclmm_program *pass_program(struct passing *passing,
                                          const struct oclmm_program *source)
{
	struct oclmm_program *program = PASS(passing, source, 1);

	if (!program)
		return NULL;
	program->name = pass_string(passing, program->name);
	program->file = pass_string(passing, program->file);
	program->locations = PASS(passing, program->locations, program->location_count);
	for (uint32_t i = 0; program->locations && i < program->location_count; i++) {
		struct oclmm_location *location = &program->locations[i];

		location->name = pass_string(passing, location->name);
		location->initial = PASS(passing, location->initial, location->elements);
	}
	program->threads = PASS(passing, program->threads, program->thread_count);
	for (uint32_t i = 0; program->threads && i < program->thread_count; i++)
		pass_thread(passing, &program->threads[i]);
	program->shared = pass_shared(passing, program->shared);
	program->observables = PASS(passing, program->observables, program->observable_count);
	for (uint32_t i = 0; program->observables && i < program->observable_count; i++)
		program->observables[i].name = pass_string(passing, program->observables[i].name);
	program->condition = pass_condition(passing, program->condition);
	program->filter = pass_condition(passing, program->filter);
	return program;
}

static struct oclmm_outcome_space *pass_space(struct passing *passing,
                                              const struct oclmm_outcome_space *source)
{
	struct oclmm_outcome_space *space = PASS(passing, source, 1);

	if (!space)
		return NULL;
	space->domains = PASS(passing, space->domains, space->observable_count);
	for (uint32_t i = 0; space->domains && i < space->observable_count; i++)
		space->domains[i].values = PASS(passing, space->domains[i].values,
		                                space->domains[i].count);
	return space;
}

/* ---- what jobs have in common: each program with its space, and each joint, once ---- */

struct pair {
	const struct oclmm_program *program;
	const struct oclmm_outcome_space *space;
};

struct common {
	struct pair *pairs;
	size_t pair_count, pair_capacity;
	const struct oclmm_joint **joints;
	size_t joint_count, joint_capacity;
};

/* Stands for nothing. */
static const uint64_t NONE = UINT64_MAX;

static uint64_t number_pair(struct common *common, const struct oclmm_program *program,
                            const struct oclmm_outcome_space *space)
{
	size_t i = 0;

	if (!program)
		return NONE;
	while (i < common->pair_count &&
	       (common->pairs[i].program != program || common->pairs[i].space != space))
		i++;
	if (i == common->pair_count) {
		oclmm_grow(&common->pairs, &common->pair_capacity, common->pair_count,
		           sizeof(*common->pairs));
		common->pairs[common->pair_count++] = (struct pair){program, space};
	}
	return i;
}

static uint64_t number_joint(struct common *common, const struct oclmm_joint *joint)
{
	size_t i = 0;

	if (!joint)
		return NONE;
	while (i < common->joint_count && common->joints[i] != joint)
		i++;
	if (i == common->joint_count) {
		oclmm_grow(&common->joints, &common->joint_capacity, common->joint_count,
		           sizeof(*common->joints));
		common->joints[common->joint_count++] = joint;
	}
	return i;
}

static void gather(struct common *common, const struct oclmm_run_request *job)
{
	const struct oclmm_joint *joint = job->joint;

	number_pair(common, job->program, job->space);
	number_joint(common, joint);
	for (uint32_t i = 0; joint && i < joint->count; i++)
		number_pair(common, joint->programs[i], joint->spaces[i]);
}

static void put_number(struct oclmm_text *text, uint64_t number)
{
	wire_put(text, &number, sizeof(number));
}

static uint64_t get_number(struct wire_reader *reader)
{
	uint64_t number;

	wire_get(reader, &number, sizeof(number));
	return number;
}

/* Whether the reader has a number below `count`, or NONE. */
static bool get_index(struct wire_reader *reader, size_t count, uint64_t *ret_index)
{
	*ret_index = get_number(reader);
	reader->failed |= *ret_index != NONE && *ret_index >= count;
	return !reader->failed && *ret_index != NONE;
}

static void put_pair(struct passing *passing, const struct pair *pair)
{
	put_number(passing->text, pair->space != NULL);
	pass_program(passing, pair->program);
	pass_space(passing, pair->space);
}

/* Anything that is not NULL. */
static const char there[] = "";

static struct pair get_pair(struct passing *passing)
{
	bool has_space = get_number(passing->reader);

	return (struct pair){
		.program = pass_program(passing, (const void *)there),
		.space = has_space ? pass_space(passing, (const void *)there) : NULL,
	};
}

static void put_joint(struct oclmm_text *text, struct common *common,
                      const struct oclmm_joint *joint)
{
	put_number(text, joint->count);
	put_number(text, joint->lasts);
	for (uint32_t i = 0; i < joint->count; i++) {
		uint64_t own = joint->environments[i] ? joint->environment_counts[i] : 0;

		put_number(text, number_pair(common, joint->programs[i], joint->spaces[i]));
		put_number(text, own);
		wire_put(text, joint->environments[i], own * sizeof(*joint->environments[i]));
	}
}

static const struct oclmm_environment *get_environments(struct passing *passing, uint64_t count)
{
	if (count > OCLMM_ENVIRONMENTS_MAX) {
		passing->reader->failed = true;
		return NULL;
	}
	return count ? pass(passing, there, count, sizeof(struct oclmm_environment)) : NULL;
}

static struct oclmm_joint *get_joint(struct passing *passing, const struct common *common)
{
	struct oclmm_joint *joint = OCLMM_NEW(passing->arena, struct oclmm_joint);
	uint64_t count = get_number(passing->reader);

	joint->lasts = get_number(passing->reader);
	passing->reader->failed |= count > OCLMM_JOINT_MOST;
	for (uint64_t i = 0, pair; i < count && !passing->reader->failed; i++) {
		if (!get_index(passing->reader, common->pair_count, &pair))
			continue;
		joint->programs[i] = common->pairs[pair].program;
		joint->spaces[i] = common->pairs[pair].space;
		joint->environment_counts[i] = (uint32_t)get_number(passing->reader);
		joint->environments[i] = get_environments(passing, joint->environment_counts[i]);
		joint->count++;
	}
	return joint;
}

/* ---- what is asked of outcomes: for each of a space, whether it holds ---- */

typedef bool question(const void *data, const int64_t *values);

struct answers {
	const struct oclmm_outcome_space *space;
	const unsigned char *holds;
};

/* Of a job: its own outcomes, and those of the program beside which it stands. */
struct asked {
	struct answers hits, met, sought;
};

static void put_answers(struct oclmm_text *text, question *asks, const void *data,
                        const struct oclmm_outcome_space *space)
{
	int64_t *values;

	put_number(text, asks && space ? space->size : NONE);
	if (!asks || !space)
		return;
	values = oclmm_calloc((size_t)space->observable_count + 1, sizeof(*values));
	for (uint32_t i = 0; i < space->size; i++) {
		unsigned char holds;

		oclmm_outcome_values(space, i, values);
		holds = asks(data, values);
		wire_put(text, &holds, sizeof(holds));
	}
	free(values);
}

/* False where nothing was asked. */
static bool get_answers(struct passing *passing, const struct oclmm_outcome_space *space,
                        struct answers *ret_answers)
{
	uint64_t size = get_number(passing->reader);

	if (passing->reader->failed || size == NONE)
		return false;
	if (!space || size != space->size) {
		passing->reader->failed = true;
		return false;
	}
	*ret_answers = (struct answers){space, pass(passing, there, size, 1)};
	return true;
}

static bool answer(const struct answers *answers, const int64_t *values)
{
	uint32_t index = oclmm_outcome_index(answers->space, values);

	return index < answers->space->size && answers->holds[index];
}

static bool is_hit(const void *data, const int64_t *values)
{
	return answer(&((const struct asked *)data)->hits, values);
}

static bool has_met(const void *data, const int64_t *values)
{
	return answer(&((const struct asked *)data)->met, values);
}

static bool is_sought(const void *data, const int64_t *values)
{
	return answer(&((const struct asked *)data)->sought, values);
}

/* ---- a job ---- */

/* The one whose program another job stands beside; NULL: it is not among these. */
static const struct oclmm_run_request *find_beside(const struct oclmm_run_request *jobs,
                                                   const size_t *numbers, size_t count,
                                                   const struct oclmm_run_request *job)
{
	for (size_t i = 0; job->has_met && i < count; i++) {
		if (jobs[numbers[i]].program == job->beside)
			return &jobs[numbers[i]];
	}
	return NULL;
}

static void put_job(struct oclmm_text *text, struct common *common,
                    const struct oclmm_run_request *job, const struct oclmm_run_request *beside)
{
	uint64_t own = job->environment ? job->environment_count ? job->environment_count : 1 : 0;
	bool watched = job->enough_hits > 0;

	wire_put(text, job, sizeof(*job));
	put_number(text, number_pair(common, job->program, job->space));
	put_number(text, number_joint(common, job->joint));
	wire_put_string(text, job->unspecified);
	put_number(text, own);
	wire_put(text, job->environment, own * sizeof(*job->environment));
	put_number(text, beside ? number_pair(common, beside->program, beside->space) : NONE);
	put_answers(text, watched ? job->is_hit : NULL, job->hit_data, job->space);
	put_answers(text, watched && beside ? job->has_met : NULL, job->hit_data,
	            beside ? beside->space : NULL);
	put_answers(text, own > 1 ? job->is_sought : NULL, job->sought_data, job->space);
}

static void get_questions(struct passing *passing, const struct common *common,
                          struct oclmm_run_request *job)
{
	struct asked *asked = OCLMM_NEW(passing->arena, struct asked);
	struct pair beside = {0};
	uint64_t number;

	if (get_index(passing->reader, common->pair_count, &number))
		beside = common->pairs[number];
	job->is_hit = get_answers(passing, job->space, &asked->hits) ? is_hit : NULL;
	job->has_met = get_answers(passing, beside.space, &asked->met) ? has_met : NULL;
	job->is_sought = get_answers(passing, job->space, &asked->sought) ? is_sought : NULL;
	job->beside = beside.program;
	job->hit_data = asked;
	job->sought_data = asked;
}

static void get_job(struct passing *passing, const struct common *common,
                    struct oclmm_run_request *ret_job)
{
	struct wire_reader *reader = passing->reader;
	struct oclmm_run_request job;
	char *unspecified;
	uint64_t number;

	wire_get(reader, &job, sizeof(job));
	job.program = NULL;
	job.space = NULL;
	job.joint = NULL;
	if (get_index(reader, common->pair_count, &number)) {
		job.program = common->pairs[number].program;
		job.space = common->pairs[number].space;
	}
	if (get_index(reader, common->joint_count, &number))
		job.joint = common->joints[number];
	unspecified = wire_get_string(reader);
	job.unspecified = unspecified ? oclmm_arena_strdup(passing->arena, unspecified) : NULL;
	free(unspecified);
	job.environment = get_environments(passing, get_number(reader));
	get_questions(passing, common, &job);
	job.progress = NULL;
	job.news = NULL;
	job.begins = NULL;
	job.plays = NULL;
	job.progress_data = NULL;
	*ret_job = job;
}

void worker_jobs_pack(struct oclmm_text *text, const struct oclmm_run_request *jobs,
                      const size_t *numbers, size_t count)
{
	struct passing passing = {.text = text, .arena = oclmm_arena_create()};
	struct common common = {0};

	for (size_t i = 0; i < count; i++)
		gather(&common, &jobs[numbers[i]]);
	put_number(text, common.pair_count);
	for (size_t i = 0; i < common.pair_count; i++)
		put_pair(&passing, &common.pairs[i]);
	put_number(text, common.joint_count);
	for (size_t i = 0; i < common.joint_count; i++)
		put_joint(text, &common, common.joints[i]);
	put_number(text, count);
	for (size_t i = 0; i < count; i++) {
		const struct oclmm_run_request *job = &jobs[numbers[i]];

		put_job(text, &common, job, find_beside(jobs, numbers, count, job));
	}
	free(common.pairs);
	free(common.joints);
	oclmm_arena_destroy(passing.arena);
}

/* So many things follow, of at least so many bytes each. */
static size_t get_count(struct wire_reader *reader, size_t least)
{
	uint64_t count = get_number(reader);

	reader->failed |= count > reader->left / least;
	return reader->failed ? 0 : (size_t)count;
}

int worker_jobs_unpack(struct wire_reader *reader, struct oclmm_arena *arena,
                       struct oclmm_run_request **ret_jobs, size_t *ret_count)
{
	struct passing passing = {.reader = reader, .arena = arena};
	struct common common = {.pair_count = get_count(reader, sizeof(struct oclmm_program))};
	struct oclmm_run_request *jobs;
	size_t count;

	common.pairs = OCLMM_NEW_ARRAY(arena, struct pair, common.pair_count);
	for (size_t i = 0; i < common.pair_count && !reader->failed; i++)
		common.pairs[i] = get_pair(&passing);
	common.joint_count = get_count(reader, sizeof(uint64_t));
	common.joints = OCLMM_NEW_ARRAY(arena, const struct oclmm_joint *, common.joint_count);
	for (size_t i = 0; i < common.joint_count && !reader->failed; i++)
		common.joints[i] = get_joint(&passing, &common);
	count = get_count(reader, sizeof(*jobs));
	jobs = OCLMM_NEW_ARRAY(arena, struct oclmm_run_request, count);
	for (size_t i = 0; i < count && !reader->failed; i++)
		get_job(&passing, &common, &jobs[i]);
	if (reader->failed)
		return -EPROTO;
	*ret_jobs = jobs;
	*ret_count = count;
	return 0;
}
