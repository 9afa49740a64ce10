// SPDX-License-Identifier: Apache-2.0
/* Plants in enqueue_kernel: children that begin too early. */
#include "internal.h"

/* Whether a call of enqueue_kernel has the token among its arguments, and in which. */
static bool is_argument(const struct source *source, size_t token, unsigned *ret_number)
{
	size_t open = find_open(source, token, ret_number);

	return open > 0 && token_is(source, open - 1, "enqueue_kernel");
}

bool start_at_once(struct rewriter *rewriter, size_t token)
{
	if (!token_is(&rewriter->source, token, "CLK_ENQUEUE_FLAGS_WAIT_KERNEL") &&
	    !token_is(&rewriter->source, token, "CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP"))
		return false;
	put(rewriter, "CLK_ENQUEUE_FLAGS_NO_WAIT");
	return true;
}

/* `1, &e,` becomes `0, NULL,`. */
bool drop_events(struct rewriter *rewriter, size_t token)
{
	const struct source *source = &rewriter->source;
	unsigned number;

	if (token_is(source, token, "1") && token_is(source, token + 2, "&") &&
	    is_argument(source, token, &number) && number == 3) {
		put(rewriter, "0");
		return true;
	}
	if (token_is(source, token, "&") && is_argument(source, token, &number) && number == 4) {
		put(rewriter, "NULL");
		return true;
	}
	/* the event's name, behind its `&` */
	return token > 0 && token_is(source, token - 1, "&") &&
	       is_argument(source, token, &number) && number == 4;
}
