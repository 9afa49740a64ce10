// SPDX-License-Identifier: Apache-2.0
/*
 * The executor of a role that a thread of the host plays: a POSIX thread per
 * launch that goes through the instances as the kernels do, meets them where
 * they meet, and leaves what it observes where they would. It waits for nobody without a
 * bound, so that it ends whatever the device does.
 */
#include "internal.h"

#include "host/host.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Seconds that the first rendezvous of a launch may take: a kernel begins when the driver likes. */
static const double BEGINNING = 0.5;

/* What stays the same over a launch. */
struct walk {
	struct oclmm_host_role *host;
	const struct oclmm_session *session;
	const struct oclmm_parameters *p;
	bool any_count;
	uint32_t budget; /* polls that are left */
	uint32_t wanted; /* who will have come to the next rendezvous */
};

static void *object_of(const struct walk *walk, uint32_t location, uint32_t instance)
{
	const struct oclmm_layout *where = &walk->p->location[location];
	uint32_t slot = oclmm_slot_of(walk->p, where, instance, walk->any_count);

	return (char *)walk->session->svm +
	       (size_t)slot *
	               (oclmm_type_bits(walk->session->program->locations[location].type) / 8);
}

/* One plane of an instance, in the form that the counting kernel reads. */
static void leave(const struct walk *walk, const struct oclmm_plane *plane, uint32_t number,
                  uint32_t instance, bool whole)
{
	const struct oclmm_session *session = walk->session;
	const struct oclmm_observable *o = &session->program->observables[plane->observable];
	size_t at = (size_t)number * walk->p->groups * walk->p->lanes * walk->p->rounds + instance;
	bool cut = plane->kind == OCLMM_PLANE_CUT;
	uint64_t value = cut ? !whole : (uint64_t)walk->host->values[o->reg];
	uint32_t salt = cut ? 0 : walk->p->salt;

	if (!cut && oclmm_type_bits(o->type) != 64)
		value = (uint32_t)value;
	if (plane->narrow)
		((uint8_t *)session->codes.svm)[at] =
			(uint8_t)((value < 255 ? (uint32_t)value : 255) + salt);
	if (plane->narrow && value < 255)
		return;
	if (session->plan.wide)
		((uint64_t *)session->results.svm)[at] = value + salt;
	else
		((uint32_t *)session->results.svm)[at] = (uint32_t)value + salt;
}

static void leave_all(const struct walk *walk, uint32_t instance, bool whole)
{
	uint32_t planes = walk->session->plan.planes;

	for (uint32_t i = 0; i < planes; i++) {
		uint32_t number = walk->p->results_reversed ? planes - 1 - i : i;
		const struct oclmm_plane *plane = &walk->host->planes[number];

		if (plane->kind != OCLMM_PLANE_LOCAL && plane->thread == walk->host->role)
			leave(walk, plane, number, instance, whole);
	}
}

static void play(const struct walk *walk, uint32_t instance)
{
	const struct oclmm_thread *thread = &walk->session->program->threads[walk->host->role];
	void *objects[OCLMM_KERNEL_LOCATIONS];
	bool whole;

	for (uint32_t i = 0; i < thread->parameter_count; i++) {
		uint32_t location = thread->parameters[i].location;

		objects[location] = object_of(walk, location, instance);
	}
	whole = host_play(walk->host->code, objects, walk->host->values);
	leave_all(walk, instance, whole);
}

/* Waits a little for the same lane of all others. Failing to meet is no error. */
static void meet(struct walk *walk, uint32_t lane, bool first)
{
	_Atomic(uint32_t) *met = (_Atomic(uint32_t) *)walk->session->meeting.svm + lane;
	double end = first ? oclmm_clock() + BEGINNING : 0;
	uint32_t n = 0;

	atomic_fetch_add_explicit(met, 1, memory_order_relaxed);
	while (atomic_load_explicit(met, memory_order_relaxed) < walk->wanted) {
		if (first ? (++n & 1023) == 0 && oclmm_clock() > end
		          : n++ == walk->p->polls || walk->budget == 0)
			return;
		walk->budget -= !first;
	}
}

static void *walk_through(void *data)
{
	struct oclmm_host_role *host = data;
	const struct oclmm_session *session = host->session;
	const struct oclmm_parameters *p = host->launch->parameters;
	struct walk walk = {
		.host = host,
		.session = session,
		.p = p,
		.any_count = oclmm_environment_any_count(host->launch->environment, &session->plan),
		.budget = p->poll_budget,
	};
	uint32_t width = p->groups * p->lanes;

	for (uint32_t round = 0; round < p->rounds; round++) {
		if (p->polls != 0 && (round & p->poll_mask) == 0) {
			walk.wanted += p->parties;
			for (uint32_t lane = 0; lane < p->width; lane++)
				meet(&walk, lane, round == 0);
		}
		for (uint32_t i = 0; i < width; i++)
			play(&walk, round * width + i);
	}
	return NULL;
}

static int start(void *data, const struct oclmm_launch *launch, struct oclmm_error *error)
{
	struct oclmm_host_role *host = data;
	int code;

	host->launch = launch;
	code = pthread_create(&host->thread, NULL, walk_through, host);
	return code == 0 ? 0 : oclmm_error_set(error, -EAGAIN, "no thread: %s", strerror(code));
}

static int join(void *data, const struct oclmm_launch *launch, struct oclmm_error *error)
{
	struct oclmm_host_role *host = data;
	int code = pthread_join(host->thread, NULL);

	(void)launch;
	return code == 0 ? 0 : oclmm_error_set(error, -EIO, "pthread_join: %s", strerror(code));
}

const struct oclmm_executor oclmm_executor_host = {.start = start, .join = join};

int oclmm_host_role_create(struct oclmm_session *session, uint32_t role, struct oclmm_error *error)
{
	struct oclmm_host_role *host = &session->hosts[role];
	int r = host_compile(session->program, role, error, &host->code);

	if (r < 0)
		return r;
	host->session = session;
	host->role = role;
	host->values = oclmm_calloc(host_code_values(host->code) + 1, sizeof(*host->values));
	host->planes = oclmm_kernel_planes(session->program, session->request->space,
	                                   &session->plan);
	return 0;
}

void oclmm_host_role_destroy(struct oclmm_host_role *host)
{
	host_code_destroy(host->code);
	free(host->planes);
	free(host->values);
}
