// SPDX-License-Identifier: Apache-2.0
/*
 * One child after the other for a run of any length. A driver takes its time to
 * start, so that a child serves as long as it is well; while it does, the one
 * that follows opens the device, and waits.
 */
#include "internal.h"

#include <stdlib.h>

struct worker_relay {
	struct worker_relay_options options;
	struct worker *now;  /* NULL: none at the moment */
	struct worker *next; /* NULL: none was started */
	size_t served;       /* jobs of the one at hand */
	uint64_t memory;     /* that it held when it had served the first of them */
};

static void start_next(struct worker_relay *relay)
{
	const struct worker_relay_options *options = &relay->options;

	relay->next = worker_open_begin(options->identity, &options->worker, options->jobs,
	                                options->count);
}

struct worker_relay *worker_relay_create(const struct worker_relay_options *options)
{
	struct worker_relay *relay = oclmm_calloc(1, sizeof(*relay));

	relay->options = *options;
	start_next(relay);
	return relay;
}

/* The one that waits, where it is well. */
static struct worker *take_next(struct worker_relay *relay)
{
	struct worker *next = relay->next;
	struct oclmm_error ignored;

	relay->next = NULL;
	if (!next || worker_open_end(next, &ignored) == OCLMM_END_OK)
		return next;
	worker_kill(next);
	return NULL;
}

int worker_relay_now(struct worker_relay *relay, struct oclmm_error *error,
                     struct worker **ret_worker)
{
	const struct worker_relay_options *options = &relay->options;
	int r = 0;

	if (!relay->now) {
		relay->now = take_next(relay);
		relay->served = 0;
		relay->memory = 0;
	}
	if (!relay->now)
		r = worker_start_on(options->identity, &options->worker, options->jobs,
		                    options->count, error, &relay->now);
	if (r == 0)
		*ret_worker = relay->now;
	return r;
}

static bool leaks(struct worker_relay *relay)
{
	uint64_t memory = process_memory(&relay->now->process);

	if (relay->memory == 0)
		relay->memory = memory;
	return memory > relay->memory && memory - relay->memory > relay->options.leak_most;
}

void worker_relay_served(struct worker_relay *relay, size_t jobs)
{
	const struct worker_relay_options *options = &relay->options;

	if (!relay->now)
		return;
	relay->served += jobs;
	if (relay->served >= options->most || leaks(relay)) {
		/* it has answered all that it was asked: nothing is lost */
		worker_kill(relay->now);
		relay->now = NULL;
	} else if (options->beside && !relay->next && relay->served >= options->most / 2) {
		start_next(relay);
	}
}

void worker_relay_drop(struct worker_relay *relay)
{
	worker_stop(relay->now);
	relay->now = NULL;
}

void worker_relay_renew(struct worker_relay *relay)
{
	worker_kill(relay->next);
	relay->next = NULL;
}

void worker_relay_destroy(struct worker_relay *relay)
{
	if (!relay)
		return;
	worker_kill(relay->next);
	worker_kill(relay->now);
	free(relay);
}
