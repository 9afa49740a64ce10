// SPDX-License-Identifier: Apache-2.0
/*
 * Children that build kernels ahead, so that the driver's cache has them when they run. Each is
 * given a few jobs at a time, says which one it builds, and when that is done. A kernel that
 * crashes its compiler takes one of these children down; the run builds it again in a child of its
 * own, and reports it.
 */
#include "worker.h"

#include <errno.h>
#include <stdlib.h>

#include "child.h"
#include "jobs.h"
#include "process/process.h"

enum { PROCESSES_MOST = 64, DEATHS_MOST = 16 };
/*
 * What is given to a process and not built: enough to keep it busy until somebody looks again, and
 * little enough that what comes last is not needed sooner than it comes to it. A job that it does
 * not know takes up bytes. What is more than this waits until it has none: it would not fit into a
 * socket whose reader compiles.
 */
enum { GIVEN_MOST = 4, GIVEN_BYTES = 40 << 10 };

/* Time between two looks of somebody who waits. */
static const double NAP = 0.002;
/* Seconds from which on a program counts as compiled: taking it from a cache is far below,
 * compiling it for a GPU above. */
static const double WORTH = 0.03;
/* Seconds that the first job of a process may take beside, for what its driver does only once. */
static const double ONCE = 0.3;

enum state { FREE, GIVEN, TAKEN, OVER };

struct entry {
	enum state state;
	unsigned owner;            /* where GIVEN or TAKEN: the number of the process */
	size_t bytes;              /* that it takes up there */
	struct worker_built built; /* of one that is OVER */
};

struct builder {
	struct worker *worker; /* NULL: there is none */
	bool opened;
	bool failed;  /* it cannot open the device: no other is started in its place */
	size_t given; /* jobs of which it has not said that it has done with them, and … */
	size_t bytes; /* … what they take up */
	double once;
};

struct worker_ahead {
	const struct oclmm_run_request *jobs;
	size_t count;
	const struct oclmm_device_identity *identity;
	struct entry *entries;
	size_t next; /* none before it is FREE */
	struct builder builders[PROCESSES_MOST];
	unsigned processes; /* processes started so far, and … */
	unsigned most;      /* … processes once a job is worth it */
	bool worth;         /* a job took long enough to start all processes */
	unsigned deaths;
	unsigned pauses; /* that are not over, and … */
	double since;    /* … when the first of those began */
	struct pause {
		double begin, end;
	} * paused; /* those that are over, in their order */
	size_t paused_count, paused_capacity;
};

/* Programs compiled as one text are built with the first of them. */
static bool is_built_with_another(const struct oclmm_run_request *job)
{
	return job->joint && job->joint->programs[0] != job->program;
}

static bool is_worth_others(const struct oclmm_run_request *job, double seconds)
{
	return seconds >= WORTH * (job->joint ? job->joint->count : 1);
}

/* Seconds between two times in which nobody halted. */
static double unpaused(const struct worker_ahead *ahead, double start, double end)
{
	double seconds = end - start;

	for (size_t i = ahead->paused_count; i > 0 && ahead->paused[i - 1].end > start; i--) {
		const struct pause *pause = &ahead->paused[i - 1];
		double begin = pause->begin > start ? pause->begin : start;
		double until = pause->end < end ? pause->end : end;

		if (until > begin)
			seconds -= until - begin;
	}
	return seconds;
}

/* ---- a process ---- */

static unsigned number_of(const struct worker_ahead *ahead, const struct builder *builder)
{
	return (unsigned)(builder - ahead->builders);
}

/* One that cannot be started counts as ended. */
static void start_builder(struct worker_ahead *ahead, struct builder *builder)
{
	const struct worker_options options = {.unheard = true};
	struct oclmm_text text = {0};
	struct oclmm_error ignored;

	*builder = (struct builder){.once = ONCE};
	if (worker_start(&options, ahead->jobs, ahead->count, &ignored, &builder->worker) < 0) {
		*builder = (struct builder){.failed = true};
		return;
	}
	wire_put(&text, ahead->identity, sizeof(*ahead->identity));
	wire_send(builder->worker->process.socket, WIRE_AHEAD, &text);
	oclmm_text_finish(&text);
}

static void start_more(struct worker_ahead *ahead, unsigned until)
{
	for (; ahead->processes < until && ahead->processes < ahead->most; ahead->processes++)
		start_builder(ahead, &ahead->builders[ahead->processes]);
}

/* What it has not begun is another's; what it was building is not built ahead. */
static void take_back(struct worker_ahead *ahead, const struct builder *builder)
{
	unsigned owner = number_of(ahead, builder);

	for (size_t i = 0; builder->given > 0 && i < ahead->count; i++) {
		struct entry *entry = &ahead->entries[i];

		if (entry->owner != owner || (entry->state != GIVEN && entry->state != TAKEN))
			continue;
		entry->state = entry->state == GIVEN ? FREE : OVER;
		if (entry->state == FREE && i < ahead->next)
			ahead->next = i;
	}
}

/* One that died is replaced, but not without end. */
static void lose(struct worker_ahead *ahead, struct builder *builder)
{
	take_back(ahead, builder);
	process_signal(&builder->worker->process, SIGKILL);
	worker_stop(builder->worker);
	*builder = (struct builder){
		.failed = builder->failed || ++ahead->deaths > DEATHS_MOST,
	};
}

/* ---- what it says ---- */

/* The job that a frame is of; NULL: no sound child says so. */
static struct entry *entry_of(struct worker_ahead *ahead, const struct builder *builder,
                              uint64_t number)
{
	struct entry *entry = number < ahead->count ? &ahead->entries[number] : NULL;

	return entry && builder->given > 0 && builder->bytes >= entry->bytes &&
	                       entry->owner == number_of(ahead, builder)
	               ? entry
	               : NULL;
}

static void note_done(struct builder *builder, const struct entry *entry)
{
	builder->given--;
	builder->bytes -= entry->bytes;
}

static int take_number(struct worker_ahead *ahead, struct builder *builder, uint32_t kind,
                       struct wire_reader *reader)
{
	struct entry *entry;
	uint64_t number;

	wire_get(reader, &number, sizeof(number));
	entry = reader->failed ? NULL : entry_of(ahead, builder, number);
	if (!entry)
		return -EPROTO;
	if (kind == WIRE_LEFT)
		note_done(builder, entry);
	/* or it was withdrawn, which came too late */
	else if (entry->state == GIVEN)
		entry->state = TAKEN;
	return 0;
}

static int take_built(struct worker_ahead *ahead, struct builder *builder,
                      struct wire_reader *reader)
{
	struct worker_ahead_built built;
	struct entry *entry;

	wire_get(reader, &built, sizeof(built));
	entry = reader->failed ? NULL : entry_of(ahead, builder, built.number);
	if (!entry || !(built.end >= built.start))
		return -EPROTO;
	note_done(builder, entry);
	if (is_worth_others(&ahead->jobs[built.number], built.compiling - builder->once))
		ahead->worth = true;
	builder->once = 0;
	if (entry->state != TAKEN)
		return 0;
	entry->state = OVER;
	entry->built = (struct worker_built){
		.seconds = unpaused(ahead, built.start, built.end),
		.processor = built.processor,
	};
	return 0;
}

/* Returns 0 or a negative errno value: it is of no use any more. */
static int take(struct worker_ahead *ahead, struct builder *builder, uint32_t kind,
                struct wire_reader *reader)
{
	switch (kind) {
	case WIRE_OPENED: builder->opened = true; return 0;
	case WIRE_TAKEN:
	case WIRE_LEFT: return take_number(ahead, builder, kind, reader);
	case WIRE_BUILT: return take_built(ahead, builder, reader);
	case WIRE_ERROR: builder->failed = true; return -ENODEV;
	default: return -EPROTO;
	}
}

static void hear(struct worker_ahead *ahead, struct builder *builder)
{
	struct process *process = &builder->worker->process;
	/* asked first: all that one that is gone has said is there to be read */
	bool gone = process_is_gone(process);
	struct wire_reader reader;
	uint32_t kind;
	long size;
	int r;

	do
		size = wire_receive(&process->input, process->socket);
	while (size > 0);
	while ((r = wire_next(&process->input, WIRE_KINDS, &kind, &reader)) > 0 &&
	       (r = take(ahead, builder, kind, &reader)) == 0)
		continue;
	if (gone || r < 0 || size != -EAGAIN)
		lose(ahead, builder);
}

/* ---- what it is given ---- */

static void put_job(const struct worker_ahead *ahead, const struct builder *builder, size_t job,
                    struct oclmm_text *text)
{
	uint64_t number = job;

	wire_put(text, &number, sizeof(number));
	if (builder->worker->process.anew)
		worker_jobs_pack(text, ahead->jobs, &job, 1);
}

/* The next job, where there is one and it has room. Returns whether it was given. */
static bool give(struct worker_ahead *ahead, struct builder *builder)
{
	struct oclmm_text text = {0};
	struct entry *entry;
	bool given = false;

	while (ahead->next < ahead->count && ahead->entries[ahead->next].state != FREE)
		ahead->next++;
	if (!builder->opened || builder->given >= GIVEN_MOST || ahead->next >= ahead->count)
		return false;
	put_job(ahead, builder, ahead->next, &text);
	if (builder->given == 0 || builder->bytes + text.length <= GIVEN_BYTES)
		given = wire_send(builder->worker->process.socket, WIRE_JOB, &text) == 0;
	if (given) {
		entry = &ahead->entries[ahead->next];
		*entry = (struct entry){.state = GIVEN,
		                        .owner = number_of(ahead, builder),
		                        .bytes = text.length};
		builder->given++;
		builder->bytes += text.length;
	}
	oclmm_text_finish(&text);
	return given;
}

/* It is left to the run. Where it is begun just now, it is built twice. */
static void withdraw(struct worker_ahead *ahead, struct entry *entry)
{
	struct builder *builder = &ahead->builders[entry->owner];
	struct oclmm_text text = {0};
	uint64_t number = (uint64_t)(entry - ahead->entries);

	wire_put(&text, &number, sizeof(number));
	wire_send(builder->worker->process.socket, WIRE_SKIP, &text);
	oclmm_text_finish(&text);
	entry->state = OVER;
}

/* Hears all, and gives them what they have room for, in turns: each builds what is needed soon.
 * Not during a pause: a new process would not halt, and one that halts reads nothing. */
static void look(struct worker_ahead *ahead)
{
	bool any;

	for (unsigned i = 0; i < ahead->processes; i++) {
		struct builder *builder = &ahead->builders[i];

		if (builder->worker)
			hear(ahead, builder);
		if (!builder->worker && !builder->failed && ahead->pauses == 0)
			start_builder(ahead, builder);
	}
	if (ahead->pauses > 0)
		return;
	/* programs turn out not to be in a cache */
	if (ahead->worth)
		start_more(ahead, ahead->most);
	do {
		any = false;
		for (unsigned i = 0; i < ahead->processes; i++) {
			if (ahead->builders[i].worker)
				any |= give(ahead, &ahead->builders[i]);
		}
	} while (any);
}

/* ---- all of them ---- */

struct worker_ahead *worker_ahead_start(const struct oclmm_run_request *jobs, size_t count,
                                        const struct oclmm_device_identity *identity,
                                        unsigned first, unsigned processes)
{
	struct worker_ahead *ahead = oclmm_calloc(1, sizeof(*ahead));

	*ahead = (struct worker_ahead){
		.jobs = jobs,
		.count = count,
		.identity = identity,
		.entries = oclmm_calloc(count + 1, sizeof(*ahead->entries)),
		.most = processes < PROCESSES_MOST ? processes : PROCESSES_MOST,
	};
	for (size_t i = 0; i < count; i++)
		if (!jobs[i].program || !jobs[i].space || is_built_with_another(&jobs[i]))
			ahead->entries[i].state = OVER;
	start_more(ahead, first);
	return ahead;
}

static void signal_all(struct worker_ahead *ahead, int number)
{
	for (unsigned i = 0; i < ahead->processes; i++)
		if (ahead->builders[i].worker)
			process_signal(&ahead->builders[i].worker->process, number);
}

void worker_ahead_pause(struct worker_ahead *ahead, bool pause)
{
	if (pause && ahead->pauses == 0) {
		/* what they need when they go on */
		look(ahead);
		ahead->since = oclmm_clock();
		signal_all(ahead, SIGSTOP);
	}
	if (pause) {
		ahead->pauses++;
	} else if (--ahead->pauses == 0) {
		oclmm_grow(&ahead->paused, &ahead->paused_capacity, ahead->paused_count + 1,
		           sizeof(*ahead->paused));
		ahead->paused[ahead->paused_count++] = (struct pause){ahead->since, oclmm_clock()};
		signal_all(ahead, SIGCONT);
		look(ahead);
	}
}

struct worker_built worker_ahead_wait(struct worker_ahead *ahead, size_t job, double seconds)
{
	struct entry *entry = &ahead->entries[job];
	double deadline = oclmm_clock() + seconds;

	look(ahead);
	/* it has not been begun: the program itself builds it sooner */
	if (entry->state == GIVEN)
		withdraw(ahead, entry);
	else if (entry->state == FREE)
		entry->state = OVER;
	while (entry->state == TAKEN && !process_interrupted) {
		/* a compiler hangs: a new process takes the next job */
		if (oclmm_clock() > deadline)
			process_signal(&ahead->builders[entry->owner].worker->process, SIGKILL);
		process_nap(NAP);
		look(ahead);
	}
	return entry->state == OVER ? entry->built : (struct worker_built){0};
}

void worker_ahead_stop(struct worker_ahead *ahead)
{
	if (!ahead)
		return;
	/* all at once, because each may take its time to end */
	signal_all(ahead, SIGKILL);
	for (unsigned i = 0; i < ahead->processes; i++)
		worker_stop(ahead->builders[i].worker);
	free(ahead->paused);
	free(ahead->entries);
	free(ahead);
}
