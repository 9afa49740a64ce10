// SPDX-License-Identifier: Apache-2.0
#include "saboteur.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct saboteur_description saboteur_descriptions[SABOTEUR_COUNT] = {
#define SABOTEUR_X(id, word, becomes, breaks, shows)                                               \
	[SABOTEUR_##id] = {.name = word, .what = becomes, .rule = breaks, .where = shows},
	SABOTEUR_PLANTS(SABOTEUR_X)
#undef SABOTEUR_X
};

bool saboteur_by_launch(enum saboteur_bug bug)
{
	return bug == SABOTEUR_MULTI_GROUP || bug == SABOTEUR_FIRST_LAUNCHES;
}

static bool find_bug(const char *name, size_t length, enum saboteur_bug *ret_bug)
{
	for (int i = 0; i < SABOTEUR_COUNT; i++) {
		const char *known = saboteur_descriptions[i].name;

		if (strlen(known) == length && memcmp(known, name, length) == 0) {
			*ret_bug = (enum saboteur_bug)i;
			return true;
		}
	}
	return false;
}

static bool parse_number(const char *text, uint64_t *ret_number)
{
	char *end;

	errno = 0;
	*ret_number = strtoull(text, &end, 10);
	/* it becomes a 32-bit constant of a kernel */
	return *text >= '1' && *text <= '9' && !*end && !errno && *ret_number <= UINT32_MAX;
}

static bool parse_parameter(const char *parameter, struct saboteur_plant *plant,
                            char message[SABOTEUR_MESSAGE])
{
	const char *name = saboteur_descriptions[plant->bug].name;

	switch (plant->bug) {
	case SABOTEUR_UPDATE_LOST:
	case SABOTEUR_FIRST_LAUNCHES:
		if (parse_number(parameter, &plant->number))
			return true;
		snprintf(message, SABOTEUR_MESSAGE,
		         "%s:%s: the parameter is no number from 1 to 4294967295", name, parameter);
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
		if (plant->all)
			return true;
		snprintf(message, SABOTEUR_MESSAGE, "%s:%s: the parameter is not \"all\"", name,
		         parameter);
		return false;
	default: snprintf(message, SABOTEUR_MESSAGE, "%s takes no parameter", name); return false;
	}
}

bool saboteur_parse(const char *choice, struct saboteur_plant *ret_plant,
                    char message[SABOTEUR_MESSAGE])
{
	size_t length = strcspn(choice, ":");
	struct saboteur_plant plant = {0};

	if (!find_bug(choice, length, &plant.bug)) {
		snprintf(message, SABOTEUR_MESSAGE, "no plant is called \"%.*s\"",
		         length < 80 ? (int)length : 80, choice);
		return false;
	}
	plant.number = plant.bug == SABOTEUR_UPDATE_LOST ? 1000 : 3;
	if (choice[length] && !parse_parameter(choice + length + 1, &plant, message))
		return false;
	*ret_plant = plant;
	return true;
}
