// SPDX-License-Identifier: Apache-2.0
/*
 * A test may be run in parts: what a budget has left goes where confidence is
 * missing. Launches are numbered through, so that the parts of a test are the
 * launches of one longer run.
 */
#include "oclmm/grade.h"

#include <errno.h>

/* By them it is judged. What a device claims that died may not be known. */
static bool same_claims(const struct oclmm_record *whole, const struct oclmm_record *part)
{
	return oclmm_same_string(part->device_version, whole->device_version) &&
	       (part->end != OCLMM_END_OK || part->support == whole->support);
}

/* Each launch changes it. The same one twice is the same launches. */
static bool is_copy(const struct oclmm_record *whole, const struct oclmm_record *part)
{
	return part->launches && part->stimulus == whole->stimulus;
}

bool oclmm_record_continues(const struct oclmm_record *whole, const struct oclmm_record *part)
{
	return part->first_launch > 0 && whole->end == OCLMM_END_OK && !is_copy(whole, part) &&
	       part->first_launch == whole->first_launch + whole->launches &&
	       part->seed == whole->seed && part->program->hash == whole->program->hash &&
	       oclmm_same_string(part->program->name, whole->program->name) &&
	       oclmm_same_string(part->device, whole->device) &&
	       oclmm_same_string(part->device_id, whole->device_id) &&
	       oclmm_same_string(part->driver, whole->driver) &&
	       oclmm_same_string(part->il, whole->il) &&
	       oclmm_same_string(part->environment, whole->environment) && same_claims(whole, part);
}

/* A part that died may have no evidence; the launches of the others still count. */
static bool same_controls(const struct oclmm_record *whole, const struct oclmm_record *part)
{
	return !whole->evidence || !part->evidence ||
	       oclmm_evidence_fits(whole->evidence, part->evidence);
}

static void fail(struct oclmm_record *whole, const struct oclmm_record *part)
{
	whole->end = part->end;
	whole->message = part->message;
}

/* One list, unless one of them is not known. */
static void extend_halvings(struct oclmm_record *whole, const struct oclmm_record *part)
{
	struct oclmm_halvings *halvings = &whole->halved_at;
	bool known = halvings->count == whole->halved && part->halved_at.count == part->halved &&
	             part->halved <= OCLMM_HALVINGS_MOST - halvings->count;

	whole->halved += part->halved;
	for (uint32_t i = 0; known && i < part->halved; i++)
		halvings->at[halvings->count++] = part->halved_at.at[i];
	if (!known)
		halvings->count = 0;
}

int oclmm_record_extend(struct oclmm_record *whole, const struct oclmm_record *part)
{
	if (!oclmm_record_continues(whole, part) || !same_controls(whole, part))
		return -EINVAL;
	if (part->histogram &&
	    (!whole->histogram || oclmm_histogram_merge(whole->histogram, part->histogram) < 0))
		return -EINVAL;
	if (whole->evidence && part->evidence)
		oclmm_evidence_extend(whole->evidence, part->evidence);
	whole->instances += part->instances;
	whole->filtered += part->filtered;
	whole->launches += part->launches;
	extend_halvings(whole, part);
	/* which begins with those of the launches before */
	whole->turns = part->turns;
	whole->seconds += part->seconds;
	whole->compile_seconds += part->compile_seconds;
	if (part->attempts > whole->attempts)
		whole->attempts = part->attempts;
	if (part->end != OCLMM_END_OK)
		fail(whole, part);
	else
		whole->stimulus =
			part->stimulus; /* which continues the one of the launches before */
	return 0;
}

/* From the least to the most telling; infrastructure stands before `forbidden` alone. */
static int weight(enum oclmm_verdict verdict)
{
	static const enum oclmm_verdict rising[] = {
		OCLMM_VERDICT_SKIP,      OCLMM_VERDICT_PASS,         OCLMM_VERDICT_INCONCLUSIVE,
		OCLMM_VERDICT_UNDEFINED, OCLMM_VERDICT_STALE,        OCLMM_VERDICT_DISPUTED,
		OCLMM_VERDICT_KNOWN,     OCLMM_VERDICT_BUILD_FAILED, OCLMM_VERDICT_LOST,
		OCLMM_VERDICT_TIMEOUT,   OCLMM_VERDICT_CRASH,        OCLMM_VERDICT_FORBIDDEN,
	};
	int i = 0;

	while (rising[i] != verdict)
		i++;
	return i;
}

enum oclmm_verdict oclmm_verdict_worse(enum oclmm_verdict a, enum oclmm_verdict b)
{
	return weight(a) >= weight(b) ? a : b;
}
