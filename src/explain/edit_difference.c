// SPDX-License-Identifier: Apache-2.0
/* In which lines a copy differs from its program. */
#include "edit.h"

#include <stdlib.h>
#include <string.h>

struct difference {
	struct copy *copy;
	struct oclmm_change_line *lines;
	size_t count, capacity;
	uint32_t thread;
	uint32_t last; /* line of the statement before */
};

static const char *printed(struct difference *d, const struct oclmm_program *program,
                           const struct oclmm_statement *s)
{
	struct oclmm_text text = {0};

	oclmm_statement_print(&text, program, d->thread, s);
	return oclmm_text_keep(&text, d->copy->arena);
}

static void add_line(struct difference *d, uint32_t line, const char *before, const char *after)
{
	oclmm_grow(&d->lines, &d->capacity, d->count, sizeof(*d->lines));
	d->lines[d->count++] = (struct oclmm_change_line){
		.thread = d->thread, .line = line, .before = before, .after = after};
}

/* Walks both blocks: statements of the copy have their originals, new ones none, removed ones are
 * missing. */
static void compare_blocks(struct difference *d, struct oclmm_statement *was,
                           struct oclmm_statement *is)
{
	while (was || is) {
		const struct pair *pair = is ? copy_find_pair(d->copy, is) : NULL;
		struct oclmm_parts before_parts, after_parts;
		const char *before, *after;

		if (is && (!pair || !was)) {
			add_line(d, d->last, NULL, printed(d, d->copy->program, is));
			is = is->next;
			continue;
		}
		d->last = was->position.line;
		before = printed(d, d->copy->original, was);
		if (!pair || pair->original != was) {
			add_line(d, was->position.line, before, NULL);
			was = was->next;
			continue;
		}
		after = printed(d, d->copy->program, is);
		if (strcmp(before, after) != 0)
			add_line(d, was->position.line, before, after);
		oclmm_statement_parts(was, &before_parts);
		oclmm_statement_parts(is, &after_parts);
		/* without its last statement an `else` is gone */
		for (unsigned i = 0; i < before_parts.body_count || i < after_parts.body_count; i++)
			compare_blocks(d,
			               i < before_parts.body_count ? *before_parts.bodies[i] : NULL,
			               i < after_parts.body_count ? *after_parts.bodies[i] : NULL);
		was = was->next;
		is = is->next;
	}
}

void copy_compare(struct copy *c, struct oclmm_change_line **ret_lines, unsigned *ret_count)
{
	struct difference d = {.copy = c};

	for (d.thread = 0; d.thread < c->program->thread_count; d.thread++) {
		d.last = c->original->threads[d.thread].position.line;
		compare_blocks(&d, c->original->threads[d.thread].body,
		               c->program->threads[d.thread].body);
	}
	*ret_lines = oclmm_arena_copy(c->arena, d.lines, d.count * sizeof(*d.lines));
	*ret_count = (unsigned)d.count;
	free(d.lines);
}
