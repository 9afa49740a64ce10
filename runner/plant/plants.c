// SPDX-License-Identifier: Apache-2.0
#include "draw.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/base.h"

const struct plant_description plant_descriptions[PLANT_COUNT] = {
#define PLANT_X(id, word, change, place, becomes, breaks, shows)                                   \
	[PLANT_##id] = {.name = word, .what = becomes, .rule = breaks, .where = shows},
	PLANT_LIST(PLANT_X)
#undef PLANT_X
};

bool plant_is_mistake(enum plant_bug bug)
{
	return bug >= PLANT_NOTHING_STORED && bug <= PLANT_SUCCEEDS;
}

bool plant_in_calls(enum plant_bug bug)
{
	return bug >= PLANT_START_CHANGED && bug <= PLANT_GROUP_REPEATED;
}

bool plant_by_launch(const struct plant *plant)
{
	return plant->launches != OCLMM_WHERE_ANYWHERE ||
	       (plant->bug >= PLANT_MULTI_GROUP && plant->bug <= PLANT_LATE_LAUNCHES);
}

/* What is changed, and where. */
static const struct {
	enum oclmm_what what;
	enum oclmm_where where;
} changes[PLANT_COUNT] = {
#define PLANT_X(id, word, change, place, ...)                                                      \
	[PLANT_##id] = {OCLMM_WHAT_##change, OCLMM_WHERE_##place},
	PLANT_LIST(PLANT_X)
#undef PLANT_X
};

static OCLMM_FIND(find_bug, plant_bug, PLANT_LIST, FIRST);

static bool parse_number(const char *text, uint64_t *ret_number)
{
	char *end;

	errno = 0;
	*ret_number = strtoull(text, &end, 10);
	/* it becomes a 32-bit constant of a kernel */
	return *text >= '1' && *text <= '9' && !*end && !errno && *ret_number <= UINT32_MAX;
}

static uint64_t default_number(enum plant_bug bug)
{
	switch (bug) {
	case PLANT_UPDATE_LOST:
	case PLANT_UPDATE_TWICE:
	case PLANT_RARE_RELAXED:
	case PLANT_RARE_SPLIT:
	case PLANT_COUNT_LOST: return 1000;
	case PLANT_GROUP_BARRIER:
	case PLANT_GROUP_RELAXED:
	case PLANT_GROUP_SPLIT: return 8;
	case PLANT_LANE_RELAXED:
	case PLANT_LANE_SPLIT: return 4;
	case PLANT_MANY_RELAXED:
	case PLANT_MANY_SPLIT: return 16;
	case PLANT_NO_RETRY:
	case PLANT_LONE_BARRIER:
	case PLANT_SMALL_RELAXED:
	case PLANT_SMALL_SPLIT:
	case PLANT_START_CHANGED: return 1;
	case PLANT_SMALL_BARRIER:
	case PLANT_EXACT_BARRIER:
	case PLANT_EXACT_RELAXED:
	case PLANT_EXACT_SPLIT:
	case PLANT_UNEVEN_RELAXED:
	case PLANT_UNEVEN_SPLIT:
	case PLANT_TORN: return 32;
	case PLANT_FROM_RELAXED:
	case PLANT_FROM_SPLIT: return 64;
	case PLANT_LATE_LAUNCHES:
	case PLANT_SHIFTED_RELAXED:
	case PLANT_SHIFTED_SPLIT: return 8;
	default: return 3;
	}
}

static bool parse_function(const char *parameter, struct plant *plant, char message[PLANT_MESSAGE])
{
	const struct oclmm_function *function;

	for (size_t i = 0; (function = oclmm_function_at(i)); i++) {
		if (oclmm_function_concerned(plant->mutation.what, function) &&
		    strcmp(function->name, parameter) == 0) {
			snprintf(plant->mutation.function, sizeof(plant->mutation.function), "%s",
			         function->name);
			return true;
		}
	}
	snprintf(message, PLANT_MESSAGE,
	         "%s:%.80s: the parameter is no function in which that can be",
	         plant_descriptions[plant->bug].name, parameter);
	return false;
}

static bool refuse_word(const char *name, const char *parameter, const char *wanted,
                        char message[PLANT_MESSAGE])
{
	snprintf(message, PLANT_MESSAGE, "%s:%.80s: the parameter is not \"%s\"", name, parameter,
	         wanted);
	return false;
}

static bool takes_number(enum plant_bug bug)
{
	switch (bug) {
	case PLANT_SMALL_BARRIER:
	case PLANT_EXACT_BARRIER:
	case PLANT_GROUP_BARRIER:
	case PLANT_EXACT_RELAXED:
	case PLANT_EXACT_SPLIT:
	case PLANT_FROM_RELAXED:
	case PLANT_FROM_SPLIT:
	case PLANT_UPDATE_LOST:
	case PLANT_UPDATE_TWICE:
	case PLANT_NO_RETRY:
	case PLANT_FIRST_LAUNCHES:
	case PLANT_GROUP_RELAXED:
	case PLANT_GROUP_SPLIT:
	case PLANT_MANY_RELAXED:
	case PLANT_MANY_SPLIT:
	case PLANT_LANE_RELAXED:
	case PLANT_LANE_SPLIT:
	case PLANT_SMALL_RELAXED:
	case PLANT_SMALL_SPLIT:
	case PLANT_UNEVEN_RELAXED:
	case PLANT_UNEVEN_SPLIT:
	case PLANT_SHIFTED_RELAXED:
	case PLANT_SHIFTED_SPLIT:
	case PLANT_RARE_RELAXED:
	case PLANT_RARE_SPLIT:
	case PLANT_LATE_LAUNCHES:
	case PLANT_START_CHANGED:
	case PLANT_COUNT_LOST: return true;
	default: return false;
	}
}

static bool parse_parameter(const char *parameter, struct plant *plant, char message[PLANT_MESSAGE])
{
	const char *name = plant_descriptions[plant->bug].name;

	if (plant_is_mistake(plant->bug))
		return parse_function(parameter, plant, message);
	if (takes_number(plant->bug)) {
		if (parse_number(parameter, &plant->mutation.number))
			return true;
		snprintf(message, PLANT_MESSAGE,
		         "%s:%s: the parameter is not a number from 1 to 4294967295", name,
		         parameter);
		return false;
	}
	switch (plant->bug) {
	case PLANT_TORN:
		if (strcmp(parameter, "8") == 0 || strcmp(parameter, "16") == 0 ||
		    strcmp(parameter, "32") == 0)
			return parse_number(parameter, &plant->mutation.number);
		snprintf(message, PLANT_MESSAGE, "%s:%.80s: the parameter is not 8, 16 or 32", name,
		         parameter);
		return false;
	case PLANT_FENCE_NARROWED:
		plant->mutation.keep_global = strcmp(parameter, "global") == 0;
		if (plant->mutation.keep_global || strcmp(parameter, "local") == 0)
			return true;
		snprintf(message, PLANT_MESSAGE,
		         "%s:%s: the parameter is neither \"local\" nor \"global\"", name,
		         parameter);
		return false;
	case PLANT_LEGACY_SPLIT:
		plant->mutation.all = strcmp(parameter, "all") == 0;
		return plant->mutation.all || refuse_word(name, parameter, "all", message);
	case PLANT_NOTHING_ORDERS:
		plant->mutation.all = strcmp(parameter, "scopes") == 0;
		return plant->mutation.all || refuse_word(name, parameter, "scopes", message);
	case PLANT_SCOPE_NARROWED:
		plant->mutation.to_sub_group = strcmp(parameter, "sub_group") == 0;
		return plant->mutation.to_sub_group ||
		       refuse_word(name, parameter, "sub_group", message);
	default: snprintf(message, PLANT_MESSAGE, "%s takes no parameter", name); return false;
	}
}

static bool take_word(struct plant *plant, const char *word, size_t length)
{
	for (int i = 0; i < OCLMM_ASPECT_COUNT; i++) {
		const char *known;

		for (size_t k = 0; (known = oclmm_aspect_word((enum oclmm_aspect)i, k)); k++) {
			if (strlen(known) != length || memcmp(known, word, length) != 0)
				continue;
			if (plant->mutation.words[i])
				return false;
			plant->mutation.words[i] = known;
			return true;
		}
	}
	return false;
}

/* `load,64,local`: the calls in which the plant acts. */
static bool parse_where(const char *words, struct plant *plant, char message[PLANT_MESSAGE])
{
	const char *name = plant_descriptions[plant->bug].name;

	if (plant_in_calls(plant->bug) || plant->bug == PLANT_NONE) {
		snprintf(message, PLANT_MESSAGE, "%s is in no call that could be chosen", name);
		return false;
	}
	for (const char *word = words;; word++) {
		size_t length = strcspn(word, ",");

		if (!take_word(plant, word, length)) {
			snprintf(message, PLANT_MESSAGE,
			         "%s@%.80s: \"%.*s\" is no function, order, scope, width, space or "
			         "form, or the second of its kind",
			         name, words, length < 40 ? (int)length : 40, word);
			return false;
		}
		word += length;
		if (!*word)
			return true;
	}
}

bool plant_parse(const char *choice, struct plant *ret_plant, char message[PLANT_MESSAGE])
{
	size_t length = strcspn(choice, ":@"), end = strcspn(choice, "@");
	struct plant plant = {0};
	char parameter[80];

	if (strncmp(choice, "drawn-", strlen("drawn-")) == 0) {
		snprintf(message, PLANT_MESSAGE, "\"%.40s\" is not drawn-SEED-NUMBER", choice);
		return plant_draw_parse(choice, ret_plant);
	}
	if (!find_bug(choice, length, &plant.bug)) {
		snprintf(message, PLANT_MESSAGE, "no plant is called \"%.*s\"",
		         length < 80 ? (int)length : 80, choice);
		return false;
	}
	plant.mutation.what = changes[plant.bug].what;
	plant.mutation.where = changes[plant.bug].where;
	plant.mutation.number = default_number(plant.bug);
	if (choice[length] == ':') {
		snprintf(parameter, sizeof(parameter), "%.*s",
		         end - length < 80 ? (int)(end - length - 1) : 79, choice + length + 1);
		if (!parse_parameter(parameter, &plant, message))
			return false;
	}
	if (choice[end] && !parse_where(choice + end + 1, &plant, message))
		return false;
	*ret_plant = plant;
	return true;
}

bool plant_is_narrowed(const struct plant *plant)
{
	for (int i = 0; i < OCLMM_ASPECT_COUNT; i++) {
		if (plant->mutation.words[i])
			return true;
	}
	return plant->mutation.function[0] != '\0';
}

static bool is_same_draw(const struct plant *a, const struct plant *b)
{
	return a->drawn && b->drawn && a->seed == b->seed && a->draw == b->draw;
}

/* Of a rule that was drawn: the same what, everywhere or where the other one is. */
static bool is_drawn_part(const struct oclmm_mutation *a, const struct oclmm_mutation *b)
{
	bool counted = a->what == OCLMM_WHAT_LOST || a->what == OCLMM_WHAT_TWICE ||
	               a->what == OCLMM_WHAT_NO_RETRY || a->what == OCLMM_WHAT_TORN;

	const char *space = a->words[OCLMM_ASPECT_SPACE];
	bool there = b->where == OCLMM_WHERE_ANYWHERE || a->where == b->where ||
	             (b->where == OCLMM_WHERE_LOCAL && space && strcmp(space, "local") == 0);

	return a->what == b->what && there &&
	       (a->number == b->number || (!counted && b->where < OCLMM_WHERE_FIRST_GUARD));
}

bool plant_is_part(const struct plant *inner, const struct plant *outer)
{
	const struct oclmm_mutation *a = &inner->mutation, *b = &outer->mutation;

	if (inner->bug != outer->bug || (a->number != b->number && !inner->drawn) ||
	    (inner->drawn && !is_drawn_part(a, b)) ||
	    (outer->drawn && !is_same_draw(inner, outer)) || a->keep_global != b->keep_global ||
	    a->all != b->all || a->to_sub_group != b->to_sub_group)
		return false;
	if (b->function[0] && strcmp(a->function, b->function) != 0)
		return false;
	for (int i = 0; i < OCLMM_ASPECT_COUNT; i++) {
		/* words have static storage, and each its own */
		if (b->words[i] && a->words[i] != b->words[i])
			return false;
	}
	return true;
}

void plant_rule(const struct plant *plant, struct oclmm_text *text)
{
	struct oclmm_text where = {0};

	plant_where(plant, &where);
	oclmm_text_printf(text, "%s%s%s", plant_descriptions[plant->bug].name,
	                  where.length ? ": " : "", oclmm_text_string(&where));
	oclmm_text_finish(&where);
}

/* ---- plants in some calls only --------------------------------------------- */

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
	const char *each_call; /* the parameter by which it acts in each call, or NULL: it does */
} rows[] = {
	{"acquire-to-relaxed", LOADS, ORDERS(ACQUIRE), 0, EACH, EACH, 0, 0, NULL},
	{"acquire-to-relaxed", UPDATES, ORDERS(ACQ_REL), 0, EACH, EACH, 0, 0, NULL},
	{"release-to-relaxed", STORES, ORDERS(RELEASE), 0, EACH, EACH, 0, 0, NULL},
	{"release-to-relaxed", UPDATES, ORDERS(ACQ_REL), 0, EACH, EACH, 0, 0, NULL},
	{"sc-to-acq-rel", ALL, ORDERS(SEQ_CST), 0, EACH, EACH, 0, 0, NULL},
	{"short-relaxed", ALL, 0, 0, 0, 0, 0, 0, NULL},
	/* with an order alone */
	{"rmw-split", 1u << OCLMM_FUNCTION_FETCH, 0, 0, EACH, 0, UNSCOPED, 0, NULL},
	{"sc-to-acq-rel", 1u << OCLMM_FUNCTION_LOAD | 1u << OCLMM_FUNCTION_STORE, ORDERS(SEQ_CST),
         0, 0, 0, UNSCOPED, 0, NULL},
	{"acquire-to-relaxed", 1u << OCLMM_FUNCTION_FLAG_SET, ORDERS(ACQUIRE), 0, 0, 0, UNSCOPED, 0,
         NULL},
	{"release-to-relaxed", 1u << OCLMM_FUNCTION_FLAG_CLEAR, ORDERS(RELEASE), 0, 0, 0, UNSCOPED,
         0, NULL},
	{"cas-fail-relaxed", 1u << OCLMM_FUNCTION_CAS, 0, 0, EACH, EACH, 0, 0, NULL},
	/* in local memory there is no wider scope than the work-group that has it */
	{"scope-narrowed", ALL, 0, DEVICE, EACH, GLOBAL, 0, 0, NULL},
	{"scope-narrowed", ALL, 0, ANY_DEVICE, 0, GLOBAL, 0, 0, NULL},
	{"scope-narrowed:sub_group", ALL, 0, WORK_GROUP, 0, EACH, 0, 0, NULL},
	{"all-relaxed", ALL, 0, SUB_GROUP, 0, 0, 0, 0, NULL},
	{"fence-removed", FENCES,
         ORDERS(ACQUIRE) | ORDERS(RELEASE) | ORDERS(ACQ_REL) | ORDERS(SEQ_CST),
         SUB_GROUP | WORK_GROUP | DEVICE | ANY_DEVICE, 0, GLOBAL | LOCAL | BOTH, 0, 0, NULL},
	{"fence-weakened", FENCES, ORDERS(SEQ_CST), WORK_GROUP | DEVICE | ANY_DEVICE, 0,
         GLOBAL | LOCAL | BOTH, 0, 0, NULL},
	{"scope-narrowed", FENCES,
         ORDERS(ACQUIRE) | ORDERS(RELEASE) | ORDERS(ACQ_REL) | ORDERS(SEQ_CST), DEVICE, 0, 0, 0, 0,
         NULL},
	{"mem-fence-empty", 1u << OCLMM_FUNCTION_MEM_FENCE, 0, 0, 0, GLOBAL | LOCAL | BOTH, 0, 0,
         NULL},
	{"barrier-removed", BARRIERS, 0, 0, 0, GLOBAL | LOCAL | BOTH, EACH, 0, NULL},
	{"barrier-no-fence", BARRIERS, 0, 0, 0, GLOBAL | LOCAL | BOTH, EACH, 0, NULL},
	{"rmw-split", 1u << OCLMM_FUNCTION_FETCH, 0, 0, EACH, EACH, 0, 0, NULL},
	{"cas-split", 1u << OCLMM_FUNCTION_CAS, 0, 0, EACH, EACH, 0, 0, NULL},
	{"update-lost", 1u << OCLMM_FUNCTION_FETCH, 0, 0, EACH, EACH, 0, 0, ":1"},
	{"torn", 1u << OCLMM_FUNCTION_LOAD | 1u << OCLMM_FUNCTION_STORE, 0, 0, 2, EACH, 0, 0, NULL},
	{"load-stored", 1u << OCLMM_FUNCTION_LOAD, 0, 0, EACH, EACH, 0, 0, NULL},
	{"init-lost", 1u << OCLMM_FUNCTION_INIT, 0, 0, 0, EACH, 0, 0, NULL},
	/* functions are overloaded by type; a compare-exchange compares unsigned values no
         * otherwise than signed ones */
	{"acquire-to-relaxed", 1u << OCLMM_FUNCTION_LOAD | 1u << OCLMM_FUNCTION_FETCH,
         ORDERS(ACQUIRE), 0, 0, GLOBAL, 0, UNSIGNED, NULL},
	{"release-to-relaxed", 1u << OCLMM_FUNCTION_STORE | 1u << OCLMM_FUNCTION_FETCH,
         ORDERS(RELEASE), 0, 0, GLOBAL, 0, UNSIGNED, NULL},
	{"sc-to-acq-rel", PLAIN, ORDERS(SEQ_CST), 0, 0, GLOBAL, 0, UNSIGNED, NULL},
	{"rmw-split", 1u << OCLMM_FUNCTION_FETCH, 0, 0, 0, GLOBAL, 0, UNSIGNED, NULL},
	{"load-stored", 1u << OCLMM_FUNCTION_LOAD, 0, 0, 0, GLOBAL, 0, UNSIGNED, NULL},
	/* by pointers that name no address space */
	{"acquire-to-relaxed", 1u << OCLMM_FUNCTION_LOAD, ORDERS(ACQUIRE), 0, EACH, GENERIC, 0, 0,
         NULL},
	{"release-to-relaxed", 1u << OCLMM_FUNCTION_STORE, ORDERS(RELEASE), 0, EACH, GENERIC, 0, 0,
         NULL},
	{"sc-to-acq-rel", 1u << OCLMM_FUNCTION_LOAD | 1u << OCLMM_FUNCTION_STORE, ORDERS(SEQ_CST),
         0, EACH, GENERIC, 0, 0, NULL},
	{"rmw-split", 1u << OCLMM_FUNCTION_FETCH, 0, 0, EACH, GENERIC, 0, 0, NULL},
	{"cas-split", 1u << OCLMM_FUNCTION_CAS, 0, 0, EACH, GENERIC, 0, 0, NULL},
};

struct walk {
	const struct row *row;
	bool in_each_call;
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
	snprintf(choice, sizeof(choice), "%s%s@%s", walk->row->plant,
	         walk->in_each_call && walk->row->each_call ? walk->row->each_call : "",
	         function->name);
	walk_aspects(walk, OCLMM_ASPECT_FUNCTION + 1,
	             kind == OCLMM_FUNCTION_FLAG_SET || kind == OCLMM_FUNCTION_FLAG_CLEAR, choice);
}

void plant_cross(bool in_each_call, void (*each)(void *data, const char *choice), void *data)
{
	for (size_t r = 0; r < OCLMM_COUNT(rows); r++) {
		const struct walk walk = {&rows[r], in_each_call, each, data};
		const struct oclmm_function *function;

		for (size_t i = 0; (function = oclmm_function_at(i)); i++)
			walk_function(&walk, function);
	}
}
