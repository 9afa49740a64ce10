// SPDX-License-Identifier: Apache-2.0
/* What drawn plants that survived have in common. */
#include "causes.h"

#include <stdlib.h>
#include <string.h>

#include "plant/draw.h"

static void add_cause(struct causes *causes, const char *word, size_t length, bool is_where,
                      const struct drawn_plant *drawn)
{
	struct cause *cause = causes->items;

	while (cause < causes->items + causes->count &&
	       (cause->is_where != is_where || strlen(cause->word) != length ||
	        memcmp(cause->word, word, length) != 0))
		cause++;
	if (!cause || cause == causes->items + causes->count) {
		oclmm_grow(&causes->items, &causes->capacity, causes->count,
		           sizeof(*causes->items));
		cause = &causes->items[causes->count++];
		*cause = (struct cause){.is_where = is_where};
		cause->word = oclmm_calloc(length + 1, 1);
		memcpy(cause->word, word, length);
	}
	cause->able++;
	cause->survived += !drawn->killed;
	if (!drawn->killed)
		oclmm_text_printf(&cause->names, "%s%s", cause->names.length ? " " : "",
		                  drawn->choice);
}

static int compare_causes(const void *a, const void *b)
{
	const struct cause *first = a, *second = b;

	if (first->is_where != second->is_where)
		return first->is_where ? 1 : -1;
	if (first->survived != second->survived)
		return first->survived < second->survived ? 1 : -1;
	return strcmp(first->word, second->word);
}

void causes_find(const struct plant_score *score, struct causes *ret_causes)
{
	*ret_causes = (struct causes){0};
	for (size_t i = 0; i < score->drawn_count; i++) {
		const struct drawn_plant *drawn = &score->drawn[i];
		const char *name = plant_descriptions[drawn->plant.bug].name, *at;
		struct oclmm_text where = {0};

		add_cause(ret_causes, name, strlen(name), false, drawn);
		plant_where(&drawn->plant, &where);
		for (at = oclmm_text_string(&where); *at;) {
			size_t length = strcspn(at, ";");

			add_cause(ret_causes, at, length, true, drawn);
			at += length;
			at += strspn(at, "; ");
		}
		oclmm_text_finish(&where);
	}
	if (ret_causes->count > 0)
		qsort(ret_causes->items, ret_causes->count, sizeof(*ret_causes->items),
		      compare_causes);
}

void causes_finish(struct causes *causes)
{
	for (size_t i = 0; i < causes->count; i++) {
		free(causes->items[i].word);
		oclmm_text_finish(&causes->items[i].names);
	}
	free(causes->items);
}
