// SPDX-License-Identifier: Apache-2.0
/* Each thread takes the next few programs. */
#include "on_all.h"

#include <unistd.h>

enum { AT_ONCE = 16 };

struct many {
	const struct oclmm_program *const *programs;
	size_t count;
	const struct oclmm_check_options *options;
	on_all_answered answered;
	void *data;
};

static void answer_one(struct many *many, size_t i)
{
	struct oclmm_answer *answer = NULL;
	struct oclmm_error error = {0};
	int result = oclmm_check(many->programs[i], many->options, &error, &answer);

	many->answered(many->data, i, result, answer, &error);
	oclmm_answer_destroy(answer);
}

static void work(void *data, size_t slice)
{
	struct many *many = data;

	for (size_t i = slice * AT_ONCE; i < (slice + 1) * AT_ONCE && i < many->count; i++)
		answer_one(many, i);
}

void on_all_check(const struct oclmm_program *const *programs, size_t count,
                  const struct oclmm_check_options *options, unsigned threads,
                  on_all_answered answered, void *data)
{
	struct many many = {.programs = programs,
	                    .count = count,
	                    .options = options,
	                    .answered = answered,
	                    .data = data};
	unsigned wanted = threads ? threads : (unsigned)sysconf(_SC_NPROCESSORS_ONLN);

	oclmm_in_parallel((count + AT_ONCE - 1) / AT_ONCE, wanted, work, &many);
}
