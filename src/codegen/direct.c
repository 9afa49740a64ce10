// SPDX-License-Identifier: Apache-2.0
/*
 * Counting in the test kernel, where one role observes everything: no result
 * passes through memory.
 */
#include "internal.h"

#include <stdio.h>

void oclmm_write_direct(struct oclmm_writer *writer)
{
	uint32_t buckets = oclmm_bucket_count(writer), role = writer->plan->direct_role;
	const struct oclmm_thread *thread = &writer->program->threads[role];
	char instance[32];

	snprintf(instance, sizeof(instance), "i_P%u", thread->id);
	if (writer->options.split)
		oclmm_line(writer, "if (own == %uu) {\n", role);
	else
		oclmm_line(writer, "{\n");
	writer->depth++;
	oclmm_write_bucket(writer);
	if (oclmm_has_loop(thread->body)) {
		oclmm_line(writer, "if (r_P%u.cut != 0u)\n", thread->id);
		oclmm_line(writer, "\tbucket = %uu;\n", writer->plan->outcomes + OCLMM_BUCKET_CUT);
	}
	oclmm_line(writer, "if (bucket == %uu) {\n", writer->plan->outcomes + OCLMM_BUCKET_OTHER);
	writer->depth++;
	oclmm_write_other(writer, " - p.other_before", instance);
	writer->depth--;
	oclmm_line(writer, "} else {\n");
	writer->depth++;
	oclmm_write_tally(writer, buckets);
	writer->depth--;
	oclmm_line(writer, "}\n");
	writer->depth--;
	oclmm_line(writer, "}\n");
	/* before a byte can overflow */
	oclmm_line(writer, "if ((round & 127u) == 127u) {\n");
	writer->depth++;
	oclmm_write_unpacking(writer, buckets);
	for (uint32_t w = 0; w < oclmm_packed_words(buckets); w++)
		oclmm_line(writer, "packed%u = 0UL;\n", w);
	writer->depth--;
	oclmm_line(writer, "}\n");
}

void oclmm_write_direct_sums(struct oclmm_writer *writer)
{
	uint32_t buckets = oclmm_bucket_count(writer);

	oclmm_write_unpacking(writer, buckets);
	oclmm_write_sums(writer, buckets, "own_lane", "p.width");
}
