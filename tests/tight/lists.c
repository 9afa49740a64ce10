// SPDX-License-Identifier: Apache-2.0
#include "lists.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned model_of(char letter)
{
	switch (letter) {
	case 'c': return 1u << OCLMM_MODEL_CONSENSUS;
	case '0': return 1u << OCLMM_MODEL_OPENCL_2_0;
	case '1': return 1u << OCLMM_MODEL_OPENCL_2_1;
	case '3': return 1u << OCLMM_MODEL_OPENCL_3_1;
	default: return 0;
	}
}

void list_read(struct list *list, const char *path)
{
	char *text, *save;
	size_t length;

	if (oclmm_read_file(path, &text, &length) < 0) {
		fprintf(stderr, "cannot read %s\n", path);
		exit(2);
	}
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		struct list_line entry = {.models = 0};

		if (*line == '#')
			continue;
		for (; *line && *line != ' '; line++)
			entry.models |= model_of(*line);
		entry.words = oclmm_strdup(line + strspn(line, " "));
		list->updates |= *entry.words == 'U' || strstr(entry.words, " U.");
		oclmm_grow(&list->lines, &list->capacity, list->count, sizeof(*list->lines));
		list->lines[list->count++] = entry;
	}
	free(text);
}

void list_finish(struct list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->lines[i].words);
	free(list->lines);
}

bool list_has(const struct list *list, const struct oclmm_cycle *cycle, enum oclmm_model model)
{
	struct oclmm_text words = {0};
	bool found = false;

	oclmm_cycle_print(&words, cycle);
	for (size_t i = 0; i < list->count; i++)
		found |= (list->lines[i].models >> model & 1) &&
		         strcmp(list->lines[i].words, oclmm_text_string(&words)) == 0;
	oclmm_text_finish(&words);
	return found;
}

struct way {
	struct oclmm_tight_space *space;
	enum oclmm_model model;
	uint64_t next;
	bool found;
	int error;
};

static void look(void *data, uint64_t weaker)
{
	struct way *way = data;
	int models;

	if (way->found || way->error)
		return;
	models = oclmm_tight_space_ask(way->space, weaker);
	way->error = models < 0 ? models : 0;
	if (models > 0 && (unsigned)models >> way->model & 1) {
		way->found = true;
		way->next = weaker;
	}
}

int descend(struct oclmm_tight_space *space, uint64_t number, enum oclmm_model model,
            struct oclmm_cycle *ret_cycle)
{
	struct way way = {.space = space, .model = model, .next = number, .found = true};

	while (way.found && !way.error) {
		way.found = false;
		oclmm_tight_space_steps(space, way.next, look, &way);
	}
	oclmm_tight_space_cycle(space, way.next, ret_cycle);
	oclmm_tight_turn(ret_cycle);
	return way.error;
}
