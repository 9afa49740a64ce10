// SPDX-License-Identifier: Apache-2.0
#include "saboteur.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/base.h"

const struct saboteur_description saboteur_descriptions[SABOTEUR_COUNT] = {
#define SABOTEUR_X(id, word, becomes, breaks, shows)                                               \
	[SABOTEUR_##id] = {.name = word, .what = becomes, .rule = breaks, .where = shows},
	SABOTEUR_PLANTS(SABOTEUR_X)
#undef SABOTEUR_X
};

static const struct {
	enum saboteur_bug first;
	const char *name;
} classes[SABOTEUR_CLASS_COUNT] = {
#define SABOTEUR_X(first, name) {SABOTEUR_##first, name},
	SABOTEUR_CLASSES(SABOTEUR_X)
#undef SABOTEUR_X
};

unsigned saboteur_class(enum saboteur_bug bug)
{
	unsigned class = 0;

	while (class + 1 < SABOTEUR_CLASS_COUNT && bug >= classes[class + 1].first)
		class ++;
	return class;
}

const char *saboteur_class_name(unsigned class)
{
	return classes[class].name;
}

bool saboteur_is_mistake(enum saboteur_bug bug)
{
	return bug >= SABOTEUR_NOTHING_STORED && bug <= SABOTEUR_SUCCEEDS;
}

bool saboteur_in_calls(enum saboteur_bug bug)
{
	return bug >= SABOTEUR_START_CHANGED && bug <= SABOTEUR_GROUP_REPEATED;
}

bool saboteur_in_ranges(enum saboteur_bug bug)
{
	return bug >= SABOTEUR_OFFSET_IGNORED && bug <= SABOTEUR_IDS_SWAPPED;
}

bool saboteur_in_features(enum saboteur_bug bug)
{
	return bug >= SABOTEUR_VARIABLE_COPIED && bug < SABOTEUR_START_CHANGED;
}

bool saboteur_is_scattered(enum saboteur_bug bug)
{
	return bug >= SABOTEUR_GROUP_RELAXED && bug <= SABOTEUR_RARE_SPLIT;
}

bool saboteur_by_launch(enum saboteur_bug bug)
{
	return bug >= SABOTEUR_MULTI_GROUP && bug <= SABOTEUR_LATE_LAUNCHES;
}

static OCLMM_FIND(find_bug, saboteur_bug, SABOTEUR_PLANTS, FIRST);

static bool parse_number(const char *text, uint64_t *ret_number)
{
	char *end;

	errno = 0;
	*ret_number = strtoull(text, &end, 10);
	/* it becomes a 32-bit constant of a kernel */
	return *text >= '1' && *text <= '9' && !*end && !errno && *ret_number <= UINT32_MAX;
}

static uint64_t default_number(enum saboteur_bug bug)
{
	switch (bug) {
	case SABOTEUR_UPDATE_LOST:
	case SABOTEUR_UPDATE_TWICE:
	case SABOTEUR_RARE_RELAXED:
	case SABOTEUR_RARE_SPLIT:
	case SABOTEUR_COUNT_LOST: return 1000;
	case SABOTEUR_GROUP_BARRIER:
	case SABOTEUR_GROUP_RELAXED:
	case SABOTEUR_GROUP_SPLIT: return 8;
	case SABOTEUR_LANE_RELAXED:
	case SABOTEUR_LANE_SPLIT: return 4;
	case SABOTEUR_MANY_RELAXED:
	case SABOTEUR_MANY_SPLIT: return 16;
	case SABOTEUR_NO_RETRY:
	case SABOTEUR_LONE_BARRIER:
	case SABOTEUR_SMALL_RELAXED:
	case SABOTEUR_SMALL_SPLIT:
	case SABOTEUR_START_CHANGED: return 1;
	case SABOTEUR_SMALL_BARRIER:
	case SABOTEUR_EXACT_BARRIER:
	case SABOTEUR_EXACT_RELAXED:
	case SABOTEUR_EXACT_SPLIT:
	case SABOTEUR_UNEVEN_RELAXED:
	case SABOTEUR_UNEVEN_SPLIT:
	case SABOTEUR_TORN: return 32;
	case SABOTEUR_FROM_RELAXED:
	case SABOTEUR_FROM_SPLIT: return 64;
	case SABOTEUR_LATE_LAUNCHES:
	case SABOTEUR_SHIFTED_RELAXED:
	case SABOTEUR_SHIFTED_SPLIT: return 8;
	default: return 3;
	}
}

static bool parse_function(const char *parameter, struct saboteur_plant *plant,
                           char message[SABOTEUR_MESSAGE])
{
	const char *name;
	bool concerned;

	for (size_t i = 0; (name = saboteur_function(plant->bug, i, &concerned)); i++) {
		if (concerned && strcmp(name, parameter) == 0) {
			snprintf(plant->function, sizeof(plant->function), "%s", name);
			return true;
		}
	}
	snprintf(message, SABOTEUR_MESSAGE,
	         "%s:%.80s: the parameter is no function in which that can be",
	         saboteur_descriptions[plant->bug].name, parameter);
	return false;
}

static bool refuse_word(const char *name, const char *parameter, const char *wanted,
                        char message[SABOTEUR_MESSAGE])
{
	snprintf(message, SABOTEUR_MESSAGE, "%s:%.80s: the parameter is not \"%s\"", name,
	         parameter, wanted);
	return false;
}

static bool takes_number(enum saboteur_bug bug)
{
	switch (bug) {
	case SABOTEUR_SMALL_BARRIER:
	case SABOTEUR_EXACT_BARRIER:
	case SABOTEUR_GROUP_BARRIER:
	case SABOTEUR_EXACT_RELAXED:
	case SABOTEUR_EXACT_SPLIT:
	case SABOTEUR_FROM_RELAXED:
	case SABOTEUR_FROM_SPLIT:
	case SABOTEUR_UPDATE_LOST:
	case SABOTEUR_UPDATE_TWICE:
	case SABOTEUR_NO_RETRY:
	case SABOTEUR_FIRST_LAUNCHES:
	case SABOTEUR_GROUP_RELAXED:
	case SABOTEUR_GROUP_SPLIT:
	case SABOTEUR_MANY_RELAXED:
	case SABOTEUR_MANY_SPLIT:
	case SABOTEUR_LANE_RELAXED:
	case SABOTEUR_LANE_SPLIT:
	case SABOTEUR_SMALL_RELAXED:
	case SABOTEUR_SMALL_SPLIT:
	case SABOTEUR_UNEVEN_RELAXED:
	case SABOTEUR_UNEVEN_SPLIT:
	case SABOTEUR_SHIFTED_RELAXED:
	case SABOTEUR_SHIFTED_SPLIT:
	case SABOTEUR_RARE_RELAXED:
	case SABOTEUR_RARE_SPLIT:
	case SABOTEUR_LATE_LAUNCHES:
	case SABOTEUR_START_CHANGED:
	case SABOTEUR_COUNT_LOST: return true;
	default: return false;
	}
}

static bool parse_parameter(const char *parameter, struct saboteur_plant *plant,
                            char message[SABOTEUR_MESSAGE])
{
	const char *name = saboteur_descriptions[plant->bug].name;

	if (saboteur_is_mistake(plant->bug))
		return parse_function(parameter, plant, message);
	if (takes_number(plant->bug)) {
		if (parse_number(parameter, &plant->number))
			return true;
		snprintf(message, SABOTEUR_MESSAGE,
		         "%s:%s: the parameter is no number from 1 to 4294967295", name, parameter);
		return false;
	}
	switch (plant->bug) {
	case SABOTEUR_TORN:
		if (strcmp(parameter, "8") == 0 || strcmp(parameter, "16") == 0 ||
		    strcmp(parameter, "32") == 0)
			return parse_number(parameter, &plant->number);
		snprintf(message, SABOTEUR_MESSAGE, "%s:%.80s: the parameter is not 8, 16 or 32",
		         name, parameter);
		return false;
	case SABOTEUR_FENCE_NARROWED:
		plant->keep_global = strcmp(parameter, "global") == 0;
		if (plant->keep_global || strcmp(parameter, "local") == 0)
			return true;
		snprintf(message, SABOTEUR_MESSAGE,
		         "%s:%s: the parameter is neither \"local\" nor \"global\"", name,
		         parameter);
		return false;
	case SABOTEUR_LEGACY_SPLIT:
		plant->all = strcmp(parameter, "all") == 0;
		return plant->all || refuse_word(name, parameter, "all", message);
	case SABOTEUR_SCOPE_NARROWED:
		plant->to_sub_group = strcmp(parameter, "sub_group") == 0;
		return plant->to_sub_group || refuse_word(name, parameter, "sub_group", message);
	default: snprintf(message, SABOTEUR_MESSAGE, "%s takes no parameter", name); return false;
	}
}

static bool take_word(struct saboteur_plant *plant, const char *word, size_t length)
{
	for (int i = 0; i < SABOTEUR_ASPECT_COUNT; i++) {
		const char *known;

		for (size_t k = 0; (known = saboteur_word((enum saboteur_aspect)i, k)); k++) {
			if (strlen(known) != length || memcmp(known, word, length) != 0)
				continue;
			if (plant->where[i])
				return false;
			plant->where[i] = known;
			return true;
		}
	}
	return false;
}

/* `load,64,local`: the calls in which the plant acts. */
static bool parse_where(const char *words, struct saboteur_plant *plant,
                        char message[SABOTEUR_MESSAGE])
{
	const char *name = saboteur_descriptions[plant->bug].name;

	if (saboteur_in_calls(plant->bug) || plant->bug == SABOTEUR_NONE) {
		snprintf(message, SABOTEUR_MESSAGE, "%s is in no call that could be chosen", name);
		return false;
	}
	for (const char *word = words;; word++) {
		size_t length = strcspn(word, ",");

		if (!take_word(plant, word, length)) {
			snprintf(message, SABOTEUR_MESSAGE,
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

bool saboteur_parse(const char *choice, struct saboteur_plant *ret_plant,
                    char message[SABOTEUR_MESSAGE])
{
	size_t length = strcspn(choice, ":@"), end = strcspn(choice, "@");
	struct saboteur_plant plant = {0};
	char parameter[80];

	if (!find_bug(choice, length, &plant.bug)) {
		snprintf(message, SABOTEUR_MESSAGE, "no plant is called \"%.*s\"",
		         length < 80 ? (int)length : 80, choice);
		return false;
	}
	plant.number = default_number(plant.bug);
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
