// SPDX-License-Identifier: Apache-2.0
/* Where compiled programs are kept from one run to the next, and how many of them. */
#include <stdlib.h>
#include <string.h>

#include "cache/cache.h"
#include "producer/producer.h"
#include "run.h"

/* Some ten suites of a driver that gives 30 KB for each program. */
static const uint64_t BYTES_MOST = UINT64_C(1) << 30;

static const struct run *first_of(const struct run_session *session)
{
	return &session->runs[0];
}

void run_programs_begin(struct run_session *session)
{
	const struct run *run = first_of(session);
	const char *given = getenv("OCLMM_PROGRAMS");
	char *home;

	if (run->options.cache == OCLMM_KEEP_NEVER || (given && strcmp(given, "off") == 0))
		return;
	if (given && *given) {
		session->programs = oclmm_strdup(given);
	} else if ((home = cache_home())) {
		struct oclmm_text path = {0};

		oclmm_text_printf(&path, "%s/programs", home);
		session->programs = oclmm_text_steal(&path);
		free(home);
	}
	if (session->programs)
		oclmm_device_keep_programs(run->options.cache, session->programs);
	if (run->producer)
		producer_keep(run->producer, session->programs);
}

void run_programs_end(struct run_session *session)
{
	const struct run *run = first_of(session);

	oclmm_device_keep_programs(OCLMM_KEEP_NEVER, NULL);
	if (run->producer)
		producer_keep(run->producer, NULL);
	if (session->programs)
		cache_trim(session->programs, BYTES_MOST);
	free(session->programs);
	session->programs = NULL;
}
