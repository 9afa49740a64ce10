// SPDX-License-Identifier: Apache-2.0
/* The table of plants in some calls only: kinds of mistake by function, order, scope, width, space
 * and form. */
#include <stdio.h>
#include <stdlib.h>

#include "plant.h"

/* Functions, as sets of 1u << enum oclmm_function_kind. */
#define UPDATES                                                                                    \
	(1u << OCLMM_FUNCTION_FETCH | 1u << OCLMM_FUNCTION_CAS | 1u << OCLMM_FUNCTION_FLAG_SET)
#define LOADS    (1u << OCLMM_FUNCTION_LOAD | UPDATES)
#define STORES   (1u << OCLMM_FUNCTION_STORE | 1u << OCLMM_FUNCTION_FLAG_CLEAR | UPDATES)
#define ALL      (LOADS | STORES)
#define OF(kind) (1u << OCLMM_FUNCTION_##kind)
#define PLAIN    (OF(LOAD) | OF(STORE) | OF(FETCH))
#define FENCES   (1u << OCLMM_FUNCTION_FENCE)
#define BARRIERS (1u << OCLMM_FUNCTION_BARRIER)

/* Words of the aspects, as sets of 1u << index. */
#define ORDERS(word) (1u << (OCLMM_ORDER_##word - OCLMM_ORDER_RELAXED))
#define SUB_GROUP    (1u << 1)
#define WORK_GROUP   (1u << 2)
#define DEVICE       (1u << 3)
#define ANY_DEVICE   (1u << 4)
#define GLOBAL       (1u << 0)
#define LOCAL        (1u << 1)
#define BOTH         (1u << 2)
#define NEITHER      (1u << 3)
#define SHORT        (1u << 0)
#define FULL         (1u << 1)
#define UNSCOPED     (1u << 2)
#define EACH         3u /* both widths, spaces or forms */
#define GENERIC      (1u << 4)
#define UNSIGNED     (1u << 1 | 1u << 3)

/* One kind of mistake in each combination of words; 0: whatever it is. */
static const struct row {
	const char *plant;
	unsigned kinds, orders, scopes, widths, spaces, forms, types;
} rows[] = {
	{"acquire-to-relaxed", LOADS, ORDERS(ACQUIRE), 0, EACH, EACH, 0, 0},
	{"acquire-to-relaxed", UPDATES, ORDERS(ACQ_REL), 0, EACH, EACH, 0, 0},
	{"release-to-relaxed", STORES, ORDERS(RELEASE), 0, EACH, EACH, 0, 0},
	{"release-to-relaxed", UPDATES, ORDERS(ACQ_REL), 0, EACH, EACH, 0, 0},
	{"sc-to-acq-rel", ALL, ORDERS(SEQ_CST), 0, EACH, EACH, 0, 0},
	{"short-relaxed", ALL, 0, 0, 0, 0, 0, 0},
	/* with an order alone */
	{"rmw-split", 1u << OCLMM_FUNCTION_FETCH, 0, 0, EACH, 0, UNSCOPED, 0},
	{"sc-to-acq-rel", 1u << OCLMM_FUNCTION_LOAD | 1u << OCLMM_FUNCTION_STORE, ORDERS(SEQ_CST),
         0, 0, 0, UNSCOPED, 0},
	{"acquire-to-relaxed", 1u << OCLMM_FUNCTION_FLAG_SET, ORDERS(ACQUIRE), 0, 0, 0, UNSCOPED,
         0},
	{"release-to-relaxed", 1u << OCLMM_FUNCTION_FLAG_CLEAR, ORDERS(RELEASE), 0, 0, 0, UNSCOPED,
         0},
	{"cas-fail-relaxed", 1u << OCLMM_FUNCTION_CAS, 0, 0, EACH, EACH, 0, 0},
	/* in local memory there is no wider scope than the work-group that has it */
	{"scope-narrowed", ALL, 0, DEVICE, EACH, GLOBAL, 0, 0},
	{"scope-narrowed", ALL, 0, ANY_DEVICE, 0, GLOBAL, 0, 0},
	{"scope-narrowed:sub_group", ALL, 0, WORK_GROUP, 0, EACH, 0, 0},
	{"all-relaxed", ALL, 0, SUB_GROUP, 0, 0, 0, 0},
	{"fence-removed", FENCES,
         ORDERS(ACQUIRE) | ORDERS(RELEASE) | ORDERS(ACQ_REL) | ORDERS(SEQ_CST),
         SUB_GROUP | WORK_GROUP | DEVICE | ANY_DEVICE, 0, GLOBAL | LOCAL | BOTH, 0, 0},
	{"fence-weakened", FENCES, ORDERS(SEQ_CST), WORK_GROUP | DEVICE | ANY_DEVICE, 0,
         GLOBAL | LOCAL | BOTH, 0, 0},
	{"scope-narrowed", FENCES,
         ORDERS(ACQUIRE) | ORDERS(RELEASE) | ORDERS(ACQ_REL) | ORDERS(SEQ_CST), DEVICE, 0, 0, 0, 0},
	{"mem-fence-empty", 1u << OCLMM_FUNCTION_MEM_FENCE, 0, 0, 0, GLOBAL | LOCAL | BOTH, 0, 0},
	{"barrier-removed", BARRIERS, 0, 0, 0, GLOBAL | LOCAL | BOTH, EACH, 0},
	{"barrier-no-fence", BARRIERS, 0, 0, 0, GLOBAL | LOCAL | BOTH, EACH, 0},
	{"rmw-split", 1u << OCLMM_FUNCTION_FETCH, 0, 0, EACH, EACH, 0, 0},
	{"cas-split", 1u << OCLMM_FUNCTION_CAS, 0, 0, EACH, EACH, 0, 0},
	{"update-lost", 1u << OCLMM_FUNCTION_FETCH, 0, 0, EACH, EACH, 0, 0},
	{"torn", 1u << OCLMM_FUNCTION_LOAD | 1u << OCLMM_FUNCTION_STORE, 0, 0, 2, EACH, 0, 0},
	{"load-stored", 1u << OCLMM_FUNCTION_LOAD, 0, 0, EACH, EACH, 0, 0},
	{"init-lost", 1u << OCLMM_FUNCTION_INIT, 0, 0, 0, EACH, 0, 0},
	/* functions are overloaded by type; a compare-exchange compares unsigned values no
         * otherwise than signed ones */
	{"acquire-to-relaxed", 1u << OCLMM_FUNCTION_LOAD | 1u << OCLMM_FUNCTION_FETCH,
         ORDERS(ACQUIRE), 0, 0, GLOBAL, 0, UNSIGNED},
	{"release-to-relaxed", 1u << OCLMM_FUNCTION_STORE | 1u << OCLMM_FUNCTION_FETCH,
         ORDERS(RELEASE), 0, 0, GLOBAL, 0, UNSIGNED},
	{"sc-to-acq-rel", PLAIN, ORDERS(SEQ_CST), 0, 0, GLOBAL, 0, UNSIGNED},
	{"rmw-split", 1u << OCLMM_FUNCTION_FETCH, 0, 0, 0, GLOBAL, 0, UNSIGNED},
	{"load-stored", 1u << OCLMM_FUNCTION_LOAD, 0, 0, 0, GLOBAL, 0, UNSIGNED},
	/* by pointers that name no address space */
	{"acquire-to-relaxed", 1u << OCLMM_FUNCTION_LOAD, ORDERS(ACQUIRE), 0, EACH, GENERIC, 0, 0},
	{"release-to-relaxed", 1u << OCLMM_FUNCTION_STORE, ORDERS(RELEASE), 0, EACH, GENERIC, 0, 0},
	{"sc-to-acq-rel", 1u << OCLMM_FUNCTION_LOAD | 1u << OCLMM_FUNCTION_STORE, ORDERS(SEQ_CST),
         0, EACH, GENERIC, 0, 0},
	{"rmw-split", 1u << OCLMM_FUNCTION_FETCH, 0, 0, EACH, GENERIC, 0, 0},
	{"cas-split", 1u << OCLMM_FUNCTION_CAS, 0, 0, EACH, GENERIC, 0, 0},
};

struct walk {
	const struct row *row;
	void (*each)(void *data, const char *choice);
	void *data;
};

/* Flags have no width; mem_fence has neither order nor scope. */
static unsigned words_of(const struct walk *walk, enum oclmm_aspect aspect, bool flag)
{
	switch (aspect) {
	case OCLMM_ASPECT_ORDER: return walk->row->orders;
	case OCLMM_ASPECT_SCOPE: return walk->row->scopes;
	case OCLMM_ASPECT_WIDTH: return flag ? 0 : walk->row->widths;
	case OCLMM_ASPECT_SPACE: return walk->row->spaces;
	case OCLMM_ASPECT_FORM: return walk->row->forms;
	case OCLMM_ASPECT_TYPE: return flag ? 0 : walk->row->types;
	default: return 0;
	}
}

/* Adds one word of each aspect from this one on, in every combination. */
static void walk_aspects(const struct walk *walk, unsigned aspect, bool flag, const char *choice)
{
	unsigned words;

	if (aspect == OCLMM_ASPECT_COUNT) {
		walk->each(walk->data, choice);
		return;
	}
	words = words_of(walk, (enum oclmm_aspect)aspect, flag);
	if (!words)
		walk_aspects(walk, aspect + 1, flag, choice);
	for (unsigned i = 0; words >> i; i++) {
		char longer[PLANT_CHOICE];

		if (!(words >> i & 1))
			continue;
		/* a choice left out would be a plant that no score counts */
		if (snprintf(longer, sizeof(longer), "%s,%s", choice,
		             oclmm_aspect_word((enum oclmm_aspect)aspect, i)) >= PLANT_CHOICE)
			abort();
		walk_aspects(walk, aspect + 1, flag, longer);
	}
}

static void walk_function(const struct walk *walk, const struct oclmm_function *function)
{
	enum oclmm_function_kind kind = function->kind;
	char choice[PLANT_CHOICE];

	if (!(walk->row->kinds >> kind & 1))
		return;
	snprintf(choice, sizeof(choice), "%s@%s", walk->row->plant, function->name);
	walk_aspects(walk, OCLMM_ASPECT_FUNCTION + 1,
	             kind == OCLMM_FUNCTION_FLAG_SET || kind == OCLMM_FUNCTION_FLAG_CLEAR, choice);
}

void plant_cross(void (*each)(void *data, const char *choice), void *data)
{
	for (size_t r = 0; r < OCLMM_COUNT(rows); r++) {
		const struct walk walk = {&rows[r], each, data};
		const struct oclmm_function *function;

		for (size_t i = 0; (function = oclmm_function_at(i)); i++)
			walk_function(&walk, function);
	}
}
