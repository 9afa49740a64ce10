// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

uint64_t idiom_one(const struct idiom_session *session)
{
	(void)session;
	return 1;
}

uint64_t idiom_each(const struct idiom_session *session)
{
	return session->size;
}

uint64_t idiom_each_group(const struct idiom_session *session)
{
	return session->most.groups;
}

int idiom_areas_make(struct idiom_session *session, struct oclmm_error *error)
{
	const struct idiom_area *area = session->actions->areas;
	int r = 0;

	for (; r == 0 && area && area->words; area++)
		r = idiom_buffer(session, area->buffer, area->words(session) * sizeof(uint32_t),
		                 error);
	return r;
}

int idiom_areas_reset(struct idiom_session *session, struct oclmm_error *error)
{
	const struct idiom_area *area = session->actions->areas;
	int r = 0;

	for (; r == 0 && area && area->words; area++) {
		cl_mem buffer = session->buffers[area->buffer];
		uint64_t words = area->words(session);

		if (area->before == IDIOM_FILLED)
			r = idiom_fill(session, buffer, area->value, words, error);
		if (area->before == IDIOM_COPIED)
			r = idiom_write(session, buffer, session->input, words * sizeof(uint32_t),
			                error);
	}
	return r;
}
