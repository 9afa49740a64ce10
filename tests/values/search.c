// SPDX-License-Identifier: Apache-2.0
#include "search.h"

#include <string.h>

enum { MAX_CANDIDATES = 64, DRAWN = 7, JOINED = 4 };

/* An operation with a mistake, or without one. */
struct actor {
	struct site site;
	enum mistake mistake;
	int64_t operand;
};

struct outcome {
	int64_t result, final;
};

static struct effect act(const struct actor *actor, int64_t old)
{
	const struct input input = {.old = old, .operand = actor->operand};

	return mistake_effect(actor->mistake, &actor->site, &input);
}

/* Both in turn; the result is the used one's. */
static struct outcome in_turn(const struct actor *used, const struct actor *unused, int64_t initial,
                              bool used_first)
{
	struct effect first = act(used_first ? used : unused, initial);
	struct effect second = act(used_first ? unused : used, first.stored);

	return (struct outcome){used_first ? first.result : second.result, second.stored};
}

/* The other one comes between the load and the store of one that is split. */
static struct outcome split(const struct actor *used, const struct actor *unused, int64_t initial,
                            bool split_used)
{
	return (struct outcome){initial, act(split_used ? used : unused, initial).stored};
}

static bool same(struct outcome a, struct outcome b)
{
	return a.result == b.result && a.final == b.final;
}

/* In how many of the orders a mistake of one of the two shows. */
static unsigned shows(const struct actor *used, const struct actor *unused, int64_t initial,
                      enum mistake mistake, bool in_used)
{
	struct outcome right[2] = {in_turn(used, unused, initial, true),
	                           in_turn(used, unused, initial, false)};
	struct actor wrong_used = *used, wrong_unused = *unused;
	unsigned count = 0;

	if (mistake == MISTAKE_SPLIT) {
		struct outcome seen = split(used, unused, initial, in_used);

		return 2 * (!same(seen, right[0]) && !same(seen, right[1]));
	}
	wrong_used.mistake = in_used ? mistake : MISTAKE_NONE;
	wrong_unused.mistake = in_used ? MISTAKE_NONE : mistake;
	for (int order = 0; order < 2; order++) {
		struct outcome seen = in_turn(&wrong_used, &wrong_unused, initial, order == 0);

		count += !same(seen, right[0]) && !same(seen, right[1]);
	}
	return count;
}

/* Digits, for a reader's sake. */
static int64_t length(enum oclmm_type type, int64_t value)
{
	struct oclmm_text text = {0};
	int64_t digits;

	oclmm_value_print(&text, type, value);
	digits = (int64_t)text.length;
	oclmm_text_finish(&text);
	return digits;
}

/* What showed already, by mistake and in which of the two. */
struct known {
	bool shown[MISTAKE_COUNT][2];
};

static bool matters(const struct actor *used, const struct actor *unused, enum mistake mistake,
                    bool in_used)
{
	const struct site *site = in_used ? &used->site : &unused->site;

	return mistake_concerns(mistake, site) && !mistake_hidden(mistake, site);
}

/* Much for each mistake that shows and did not before, a little for orders. */
static int64_t score(const struct actor *used, const struct actor *unused, int64_t initial,
                     const struct known *known)
{
	int64_t total = 0;

	for (int m = MISTAKE_NONE + 1; m < MISTAKE_COUNT; m++) {
		for (int in_used = 0; in_used < 2; in_used++) {
			unsigned count;

			if (known->shown[m][in_used] ||
			    !matters(used, unused, (enum mistake)m, in_used))
				continue;
			count = shows(used, unused, initial, (enum mistake)m, in_used);
			total += count == 0 ? 0 : count == 1 ? 100000 : 100100;
		}
	}
	return total;
}

static void note(struct actor *used, struct actor *unused, const struct numbers *numbers,
                 struct known *known)
{
	used->operand = numbers->used;
	unused->operand = numbers->unused;
	for (int m = MISTAKE_NONE + 1; m < MISTAKE_COUNT; m++) {
		for (int in_used = 0; in_used < 2; in_used++) {
			if (matters(used, unused, (enum mistake)m, in_used) &&
			    shows(used, unused, numbers->initial, (enum mistake)m, in_used))
				known->shown[m][in_used] = true;
		}
	}
}

/* The halves of two numbers put together. */
static int64_t joined(enum oclmm_type type, int64_t high, int64_t low)
{
	uint64_t mask = UINT64_MAX >> (64 - oclmm_type_bits(type) / 2);

	return oclmm_value_wrap(type, (int64_t)(((uint64_t)high & ~mask) | ((uint64_t)low & mask)));
}

/* Edges of bytes and halves, numbers whose halves are both taken, and such as agree in one. */
static unsigned candidates(enum oclmm_type type, int64_t ret_values[MAX_CANDIDATES])
{
	static const unsigned edges[] = {8, 16, 31, 32, 63};
	unsigned count = 0, width = oclmm_type_bits(type);

	for (int64_t i = -2; i < 4; i++)
		ret_values[count++] = oclmm_value_wrap(type, i);
	for (size_t i = 0; i < OCLMM_COUNT(edges) && edges[i] < width; i++) {
		int64_t power = (int64_t)(UINT64_C(1) << edges[i]);

		ret_values[count++] = oclmm_value_wrap(type, power);
		ret_values[count++] = oclmm_value_wrap(type, (int64_t)((uint64_t)power - 1));
	}
	for (unsigned i = 0; i < DRAWN; i++)
		ret_values[count++] = oclmm_value_wrap(type, (int64_t)oclmm_random(17, i));
	for (unsigned i = 0; i < JOINED; i++)
		ret_values[count++] = joined(type, (int64_t)oclmm_random(17, i % 2),
		                             (int64_t)oclmm_random(17, 2 + i));
	return count;
}

static void try_operands(struct actor *used, struct actor *unused, int64_t initial,
                         const struct known *known, struct numbers *best, int64_t *best_score)
{
	int64_t now = score(used, unused, initial, known);

	/* the control is an update that comes apart, and must have something to show */
	if (now < *best_score || (!shows(used, unused, initial, MISTAKE_SPLIT, true) &&
	                          !shows(used, unused, initial, MISTAKE_SPLIT, false)))
		return;
	now -= length(used->site.type, initial) + length(used->site.type, used->operand) +
	       length(used->site.type, unused->operand);
	if (now > *best_score) {
		*best_score = now;
		*best = (struct numbers){initial, used->operand, unused->operand};
	}
}

/* One more set of numbers, or false when no mistake shows on it that did not before. */
static bool search_more(struct actor *used, struct actor *unused, struct known *known,
                        struct numbers *ret_best)
{
	int64_t values[MAX_CANDIDATES], best_score = 0;
	unsigned count = candidates(used->site.type, values);
	unsigned operands = used->site.by_one ? 1 : count;

	for (unsigned i = 0; i < count; i++) {
		for (unsigned a = 0; a < operands; a++) {
			for (unsigned c = 0; c < operands; c++) {
				used->operand = used->site.by_one ? 1 : values[a];
				unused->operand = used->site.by_one ? 1 : values[c];
				try_operands(used, unused, values[i], known, ret_best, &best_score);
			}
		}
	}
	if (best_score > 0)
		note(used, unused, ret_best, known);
	return best_score > 0;
}

unsigned search_numbers(enum oclmm_operation op, enum oclmm_type type, bool by_one,
                        struct numbers ret_numbers[SEARCH_SETS])
{
	static struct {
		unsigned count;
		struct numbers numbers[SEARCH_SETS];
	} cache[OCLMM_OP_COUNT][OCLMM_TYPE_COUNT][2], *found;
	struct actor used = {.site = {.op = op, .type = type, .used = true, .by_one = by_one}};
	struct actor unused = {.site = {.op = op, .type = type, .by_one = by_one}};
	struct known known = {0};

	found = &cache[op][type][by_one];
	if (found->count == 0) {
		while (found->count < SEARCH_SETS &&
		       search_more(&used, &unused, &known, &found->numbers[found->count]))
			found->count++;
	}
	memcpy(ret_numbers, found->numbers, found->count * sizeof(*ret_numbers));
	return found->count;
}

int64_t search_final(enum oclmm_operation op, enum oclmm_type type, const struct numbers *numbers)
{
	int64_t first = oclmm_apply_rmw(op, type, numbers->initial, numbers->used);

	return oclmm_apply_rmw(op, type, first, numbers->unused);
}
