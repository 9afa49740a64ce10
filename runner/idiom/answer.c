// SPDX-License-Identifier: Apache-2.0
/*
 * Answers. All runs have the same one, so that a driver which does nothing any more, or reads what
 * it read before, would go on being right: before a further run there is another number in its
 * place.
 */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>

static void spoil(uint32_t *words, uint64_t count, uint32_t number)
{
	for (uint64_t i = 0; i < count; i++)
		words[i] = number;
}

int idiom_read_answer(struct idiom_session *session, int number, uint32_t *to, uint64_t words,
                      struct oclmm_error *error)
{
	session->answered = number;
	session->answered_words = words;
	spoil(to, words, oclmm_fresh_number());
	return idiom_read(session, session->buffers[number], to, words * sizeof(*to), error);
}

int idiom_answer(struct idiom_session *session, int number, struct oclmm_error *error)
{
	return idiom_read_answer(session, number, session->answer, session->answers, error);
}

int idiom_collect(struct idiom_session *session, struct oclmm_error *error)
{
	int gave_up = session->actions->gave_up;
	int r = gave_up ? idiom_check_gave_up(session, session->buffers[gave_up], error) : 0;

	return r == 0 ? idiom_answer(session, session->actions->answer, error) : r;
}

int idiom_forget_answer(struct idiom_session *session, struct oclmm_error *error)
{
	uint64_t words = session->answered_words, i = 0;
	uint32_t number = oclmm_fresh_number(), *read;
	cl_mem buffer = session->buffers[session->answered];
	int r;

	if (words == 0)
		return 0;
	read = malloc(words * sizeof(*read));
	if (!read)
		return oclmm_error_set(error, -ENOMEM, "no memory for %llu words",
		                       (unsigned long long)words);
	spoil(read, words, ~number);
	r = idiom_fill(session, buffer, number, words, error);
	if (r == 0)
		r = idiom_read(session, buffer, read, words * sizeof(*read), error);
	while (i < words && read[i] == number)
		i++;
	free(read);
	if (r < 0 || i == words)
		return r;
	return oclmm_error_set(error, -EIO,
	                       "the driver said that it filled a buffer and read it, and "
	                       "element %llu is not what it was filled with",
	                       (unsigned long long)i);
}
