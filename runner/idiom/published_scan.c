// SPDX-License-Identifier: Apache-2.0
/*
 * The prefix sum as published: column_sum() over the data, column_sum() again over
 * the totals of its segments, and scan_sum() that adds these. Sums are exclusive.
 */
#include "internal.h"

#include <errno.h>

enum { SRC, DST, TOTALS, SCRATCH, TOTAL_SUMS, TOTALS_OF_TOTALS };

static const size_t WORD = sizeof(float);

static uint64_t global_size(const struct idiom_session *session)
{
	return session->most.group_size * session->most.groups;
}

/* One group, as the text has it ("in one work-group"); more show what it shares. */
static int choose(struct idiom_session *session, struct oclmm_error *error)
{
	uint64_t n = session->size, all;
	int r = idiom_group_size(session, 256, 0, error);

	if (r == 0)
		r = idiom_groups(session, 1, error);
	if (r < 0)
		return r;
	all = global_size(session);
	if (n == 0 || n > INT32_MAX / WORD)
		return oclmm_error_set(error, -EINVAL, "--size %llu: as published, 1 to 2^29-1",
		                       (unsigned long long)n);
	if (all & (all - 1))
		return oclmm_error_set(error, -EINVAL,
		                       "as published, the number of work-items is a power of two, "
		                       "and %llu is none",
		                       (unsigned long long)all);
	return 0;
}

static uint64_t segments_of(const struct idiom_session *session, uint64_t n)
{
	return (n + global_size(session) - 1) / global_size(session);
}

/* The work-items reach one segment further than the data does. */
static uint64_t words_of(const struct idiom_session *session, uint64_t n)
{
	return (segments_of(session, n) + 1) * global_size(session);
}

static void find_needs(const struct idiom_session *session, uint64_t *ret_device,
                       uint64_t *ret_host)
{
	uint64_t words = session->most.groups ? words_of(session, session->size) : session->size;

	*ret_host = 3 * session->size * WORD;
	*ret_device = 6 * words * WORD;
}

static void scan_exclusively(const float *in, float *out, size_t n)
{
	float sum = 0.0f;

	for (size_t i = 0; i < n; i++) {
		out[i] = sum;
		sum += in[i];
	}
}

static int prepare(struct idiom_session *session, struct oclmm_error *error)
{
	uint64_t n = session->size, segments = segments_of(session, n);
	const uint64_t words[] = {
		[SRC] = words_of(session, n),
		[DST] = words_of(session, n),
		[TOTALS] = words_of(session, segments),
		[SCRATCH] = 2 * global_size(session),
		[TOTAL_SUMS] = words_of(session, segments),
		[TOTALS_OF_TOTALS] = segments_of(session, segments),
	};
	int r = idiom_scan_data(session, scan_exclusively, error);

	for (int i = SRC; r == 0 && i <= TOTALS_OF_TOTALS; i++)
		r = idiom_buffer(session, i, words[i] * WORD, error);
	for (int i = SRC; r == 0 && i <= TOTALS_OF_TOTALS; i++)
		r = idiom_fill(session, session->buffers[i], 0, words[i], error);
	return r == 0 ? idiom_write(session, session->buffers[SRC], session->input, n * WORD, error)
	              : r;
}

static int reset(struct idiom_session *session, struct oclmm_error *error)
{
	return idiom_fill(session, session->buffers[DST], IDIOM_SCAN_NONE, session->size, error);
}

static int column_sum(struct idiom_session *session, int src, int dst, int totals, uint64_t n,
                      struct oclmm_error *error)
{
	const cl_int bytes = (cl_int)(n * WORD), all = (cl_int)global_size(session);
	int r = IDIOM_SET(session->kernels[0], error, IDIOM_VALUE(session->buffers[src]),
	                  IDIOM_VALUE(session->buffers[dst]), IDIOM_VALUE(session->buffers[totals]),
	                  IDIOM_VALUE(session->buffers[SCRATCH]), IDIOM_VALUE(bytes),
	                  IDIOM_VALUE(all));

	return r == 0 ? idiom_enqueue(session, session->kernels[0], session->shape, error) : r;
}

static int scan_sum(struct idiom_session *session, struct oclmm_error *error)
{
	const cl_int bytes = (cl_int)(session->size * WORD), all = (cl_int)global_size(session);
	const struct idiom_argument arguments[] = {
		IDIOM_VALUE(session->buffers[TOTAL_SUMS]),
		IDIOM_VALUE(session->buffers[DST]),
		IDIOM_VALUE(bytes),
		IDIOM_VALUE(all),
	};
	const struct idiom_shape shape = {
		session->shape.group_size,
		(session->size + session->shape.group_size - 1) / session->shape.group_size,
	};
	int r = idiom_set_arguments(session->kernels[1], arguments, OCLMM_COUNT(arguments), error);

	return r == 0 ? idiom_enqueue(session, session->kernels[1], shape, error) : r;
}

static int launch(struct idiom_session *session, struct oclmm_error *error)
{
	uint64_t n = session->size, segments = segments_of(session, n);
	int r = column_sum(session, SRC, DST, TOTALS, n, error);

	if (r == 0 && segments > 1)
		r = column_sum(session, TOTALS, TOTAL_SUMS, TOTALS_OF_TOTALS, segments, error);
	return r == 0 && segments > 1 ? scan_sum(session, error) : r;
}

const struct idiom_actions idiom_published_scan = {
	.file = "scan-segments-published.cl",
	.kernels = {"column_sum", "scan_sum"},
	.size = 1 << 20,
	.floats = true,
	.shape = choose,
	.needs = find_needs,
	.prepare = prepare,
	.reset = reset,
	.launch = launch,
	.answer = DST,
};
