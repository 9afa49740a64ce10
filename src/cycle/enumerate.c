// SPDX-License-Identifier: Apache-2.0
/* All critical cycles of a size. */
#include "internal.h"

static const char *const alphabet[] = {"PodWW", "PodWR", "PodRW", "PodRR", "Rfe", "Fre", "Coe"};
enum { LETTERS = OCLMM_COUNT(alphabet) };

struct search {
	const struct oclmm_cycle_size *size;
	struct oclmm_link link[LETTERS];
	unsigned edge[OCLMM_CYCLE_MAX], count;
	int (*found)(void *data, const struct oclmm_cycle *cycle);
	void *data;
};

static bool is_program_order(const struct search *search, unsigned letter)
{
	return search->link[letter].kind == OCLMM_LINK_PO;
}

/* Of communication, only these two are not the same as one edge. */
static bool may_follow(const struct search *search, unsigned a, unsigned b)
{
	const struct oclmm_link *first = &search->link[a], *second = &search->link[b];

	if (first->to_write != second->from_write)
		return false;
	if (is_program_order(search, a) || is_program_order(search, b))
		return is_program_order(search, a) != is_program_order(search, b);
	return second->kind == OCLMM_LINK_RF &&
	       (first->kind == OCLMM_LINK_CO || first->kind == OCLMM_LINK_FR);
}

static unsigned edge_at(const struct search *search, unsigned i)
{
	return search->edge[i % search->count];
}

/* Of its rotations, the cycle stands for itself when none comes before it. */
static bool is_first_rotation(const struct search *search)
{
	for (unsigned turn = 1; turn < search->count; turn++) {
		for (unsigned i = 0; i < search->count; i++) {
			unsigned turned = edge_at(search, turn + i);

			if (turned < search->edge[i])
				return false;
			if (turned > search->edge[i])
				break;
		}
	}
	return true;
}

/* Runs of three edges of communication would be shorter as two. */
static bool has_long_run(const struct search *search)
{
	for (unsigned i = 0; i < search->count; i++) {
		if (!is_program_order(search, edge_at(search, i)) &&
		    !is_program_order(search, edge_at(search, i + 1)) &&
		    !is_program_order(search, edge_at(search, i + 2)))
			return true;
	}
	return false;
}

static unsigned changes(const struct search *search)
{
	unsigned count = 0;

	for (unsigned i = 0; i < search->count; i++)
		count += is_program_order(search, search->edge[i]);
	return count;
}

/* A shape that has a name begins where its name does. */
static int make(const struct search *search, struct oclmm_cycle *ret_cycle)
{
	struct oclmm_text words = {0};
	struct oclmm_cycle cycle;
	const struct oclmm_shape *shape;
	int r;

	for (unsigned i = 0; i < search->count; i++)
		oclmm_text_printf(&words, "%s ", alphabet[search->edge[i]]);
	r = oclmm_cycle_parse(oclmm_text_string(&words), NULL, &cycle);
	oclmm_text_finish(&words);
	if (r < 0)
		return r;
	shape = cycle_find_shape(&cycle);
	if (shape)
		return oclmm_cycle_parse(shape->edges, NULL, ret_cycle);
	*ret_cycle = cycle;
	return 0;
}

static bool fits(unsigned number, unsigned wanted)
{
	return !wanted || number == wanted;
}

static int consider(const struct search *search)
{
	struct oclmm_cycle cycle;
	unsigned orders = changes(search);

	if (!may_follow(search, search->edge[search->count - 1], search->edge[0]) || orders < 2 ||
	    has_long_run(search) || !is_first_rotation(search) ||
	    !fits(orders, search->size->locations) ||
	    !fits(search->count - orders, search->size->threads))
		return 0;
	return make(search, &cycle) < 0 ? 0 : search->found(search->data, &cycle);
}

static int extend(struct search *search)
{
	int r = 0;

	if (search->count == search->size->edges)
		return consider(search);
	for (unsigned letter = 0; r == 0 && letter < LETTERS; letter++) {
		if (search->count && !may_follow(search, search->edge[search->count - 1], letter))
			continue;
		search->edge[search->count++] = letter;
		r = extend(search);
		search->count--;
	}
	return r;
}

int oclmm_cycles(const struct oclmm_cycle_size *size,
                 int (*found)(void *data, const struct oclmm_cycle *cycle), void *data)
{
	struct search search = {.size = size, .found = found, .data = data};

	for (unsigned i = 0; i < LETTERS; i++)
		words_link(alphabet[i], &search.link[i]);
	return size->edges && size->edges <= OCLMM_CYCLE_MAX ? extend(&search) : 0;
}
