// SPDX-License-Identifier: Apache-2.0
/*
 * Tickets: numbers on the device that say which kernels of a launch ran, how
 * often and in which order, with whose arguments, and how many groups of the one that counts. What
 * a driver leaves out or repeats while it says that all is well shows in them.
 */
#include "internal.h"

#include <errno.h>

/* Odd, and what is added to the first ticket is even, so that each group of a counting kernel adds
 * something. */
uint32_t oclmm_tickets_begin(struct oclmm_tickets *tickets)
{
	uint32_t first = oclmm_fresh_number() | 1;

	*tickets = (struct oclmm_tickets){.tested = first, .counted = first};
	return first;
}

void oclmm_tickets_tested(struct oclmm_tickets *tickets, uint32_t mark, uint32_t salt)
{
	tickets->step = (mark ^ salt << 1) | 2;
	tickets->tested += tickets->step;
}

void oclmm_tickets_counted(struct oclmm_tickets *tickets, uint32_t groups, uint32_t lanes,
                           uint32_t salt)
{
	tickets->counting = lanes ? groups * lanes : groups;
	tickets->weight = tickets->counting +
	                  OCLMM_TICKET_GROUP * (uint32_t)((uint64_t)groups * (groups - 1) / 2) *
	                          (lanes ? lanes : 1);
	tickets->counters = lanes ? "work-items" : "work-groups";
	tickets->more = salt << 1;
	tickets->counted += tickets->weight * (tickets->tested + tickets->more);
}

enum { MANY = 4 };

/* How many times `step` lead from one number to the other; UINT32_MAX: that is not it. */
static uint32_t count_steps(uint32_t from, uint32_t to, uint32_t step)
{
	for (uint32_t n = 0; n <= MANY; n++)
		if (from + n * step == to)
			return n;
	return UINT32_MAX;
}

/* How many parts of a counting kernel ran, whichever they were; UINT32_MAX: that is not it. An odd
 * step leads everywhere; what it takes is what the groups add, one by one. */
static uint32_t count_parts(const struct oclmm_tickets *t, uint32_t from, uint32_t to,
                            uint32_t step)
{
	uint32_t inverse = step, weight, parts;

	/* each turn makes twice as many bits right (Newton) */
	for (int turn = 0; turn < 5; turn++)
		inverse *= 2 - step * inverse;
	weight = (to - from) * inverse;
	parts = weight % OCLMM_TICKET_GROUP;
	if (parts > MANY * (uint64_t)t->counting ||
	    weight / OCLMM_TICKET_GROUP > (uint64_t)parts * t->counting)
		return UINT32_MAX;
	return parts;
}

/* Of a kernel whose groups that add something did not do so once each: how its launch went. */
static int tell(const char *kernel, const char *parts, uint32_t ran, uint32_t all, uint64_t launch,
                struct oclmm_error *error)
{
	if (ran == all)
		return oclmm_error_set(
			error, -ERANGE,
			"launch %llu: %s of the %s kernel ran in the place of others",
			(unsigned long long)launch, parts, kernel);
	if (ran == 0)
		return oclmm_error_set(error, -ERANGE, "launch %llu: the %s kernel did not run",
		                       (unsigned long long)launch, kernel);
	if (ran == 2 * all)
		return oclmm_error_set(error, -ERANGE, "launch %llu: the %s kernel ran twice",
		                       (unsigned long long)launch, kernel);
	return oclmm_error_set(error, -ERANGE, "launch %llu: %u %s of the %s kernel ran, not %u",
	                       (unsigned long long)launch, ran, parts, kernel, all);
}

static int tell_words(const char *words, uint64_t launch, struct oclmm_error *error)
{
	return oclmm_error_set(error, -ERANGE, "launch %llu: %s", (unsigned long long)launch,
	                       words);
}

int oclmm_tickets_check(const struct oclmm_tickets *t, uint32_t tested, uint32_t counted,
                        uint64_t launch, struct oclmm_error *error)
{
	uint32_t tested_before = t->tested - t->step;
	uint32_t counted_before = t->counted - t->weight * (t->tested + t->more);
	uint32_t ran;

	if (tested == t->tested && counted == t->counted)
		return 0;
	if (tested == OCLMM_POISON_WORD && counted == OCLMM_POISON_WORD)
		return tell_words("nothing was read back", launch, error);
	if (tested == tested_before && counted == counted_before)
		return tell_words("neither kernel ran, or what was read back is older", launch,
		                  error);
	if (tested == t->tested &&
	    counted == counted_before + t->weight * (tested_before + t->more))
		return tell_words("the counting kernel ran before the test kernel", launch, error);
	ran = count_steps(tested_before, tested, t->step);
	if (ran != UINT32_MAX && ran != 1)
		return tell("test", "work-groups", ran, 1, launch, error);
	if (ran != UINT32_MAX)
		ran = count_parts(t, counted_before, counted, tested + t->more);
	if (ran != UINT32_MAX)
		return tell("counting", t->counters, ran, t->counting, launch, error);
	return tell_words(
		"what was read back is another launch's, or another program's kernel ran, "
		"or one with another launch's arguments",
		launch, error);
}
