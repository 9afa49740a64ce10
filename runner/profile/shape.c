// SPDX-License-Identifier: Apache-2.0
#include "shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The outline as it grows, and which letter each location has, 0 for none yet. */
struct outline {
	struct oclmm_text text;
	char *letters;
	char next;
};

/* Behind z come digits; more locations than that share the last one. */
static char letter_after(char letter)
{
	return letter == 'z' ? '0' : letter == '9' ? '9' : (char)(letter + 1);
}

static char kind_of(const struct oclmm_use *use)
{
	if (!use->reads)
		return 'W';
	return use->writes ? 'U' : 'R';
}

static int add_use(void *data, const struct oclmm_use *use)
{
	struct outline *outline = data;
	uint32_t location = use->place->location;
	char access[2] = {kind_of(use), 0};

	if (!outline->letters[location]) {
		outline->letters[location] = outline->next;
		outline->next = letter_after(outline->next);
	}
	access[1] = outline->letters[location];
	oclmm_text_add_bytes(&outline->text, access, sizeof(access));
	return 0;
}

/* Where a test places its threads in sub-groups: their numbers, behind an `s`. */
static void add_sub_groups(struct oclmm_text *text, const struct oclmm_program *program)
{
	bool given = false;

	for (uint32_t i = 0; i < program->thread_count; i++)
		given |= program->threads[i].placement.sub_group_given;
	oclmm_text_add(text, given ? "s" : "");
	for (uint32_t i = 0; given && i < program->thread_count; i++) {
		const struct oclmm_placement *p = &program->threads[i].placement;

		oclmm_text_printf(text, "%" PRIx32, p->sub_group_given ? p->sub_group % 16 : 0);
	}
}

/* Work-groups by first appearance: 0, 1 … 9, then a …; host threads are `h`. */
static void add_placement(struct oclmm_text *text, const struct oclmm_program *program)
{
	static const char digits[] = "0123456789abcdef";
	uint32_t groups = 0;
	char *digit = oclmm_calloc(program->thread_count + 1, 1);

	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_placement *p = &program->threads[i].placement;

		for (uint32_t j = 0; j < i && !digit[i]; j++) {
			const struct oclmm_placement *q = &program->threads[j].placement;

			if (oclmm_same_work_group(p, q))
				digit[i] = digit[j];
		}
		if (p->host)
			digit[i] = 'h';
		else if (p->child)
			digit[i] = 'k';
		else if (!digit[i])
			digit[i] = digits[groups++ % 16];
	}
	oclmm_text_printf(text, ".%s", digit);
	free(digit);
	add_sub_groups(text, program);
}

static void add_spaces(struct oclmm_text *text, const struct oclmm_program *program)
{
	bool global = false, local = false, shared = false, program_scope = false, image = false;

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		local |= l->space == OCLMM_SPACE_LOCAL;
		shared |= l->space != OCLMM_SPACE_LOCAL &&
		          oclmm_storage_has_svm_atomics(l->storage);
		program_scope |= l->storage == OCLMM_STORAGE_PROGRAM;
		image |= oclmm_location_is_image(l);
		global |= oclmm_location_is_buffer(l) && !oclmm_location_is_image(l) &&
		          !oclmm_storage_has_svm_atomics(l->storage);
	}
	oclmm_text_printf(text, ".%s%s%s%s%s", global ? "g" : "", local ? "l" : "",
	                  shared ? "s" : "", program_scope ? "p" : "", image ? "i" : "");
}

void oclmm_shape(const struct oclmm_program *program, char *ret_shape)
{
	enum { OUTLINE_MOST = 72 };
	static const struct oclmm_visitor visitor = {.use = add_use};
	struct outline outline = {.next = 'a'};

	outline.letters = oclmm_calloc(program->location_count + 1, 1);
	for (uint32_t i = 0; i < program->thread_count; i++) {
		oclmm_text_add(&outline.text, i ? "-" : "");
		oclmm_visit_body(&visitor, program->threads[i].body, &outline);
	}
	if (outline.text.length > OUTLINE_MOST) {
		uint64_t hash = oclmm_hash(outline.text.data, outline.text.length);

		outline.text.length = OUTLINE_MOST - 24;
		outline.text.data[outline.text.length] = '\0';
		oclmm_text_printf(&outline.text, "~%016" PRIx64, hash);
	}
	add_placement(&outline.text, program);
	add_spaces(&outline.text, program);
	snprintf(ret_shape, OCLMM_SHAPE_SIZE, "%s", oclmm_text_string(&outline.text));
	oclmm_text_finish(&outline.text);
	free(outline.letters);
}

bool oclmm_shape_is_valid(const char *shape)
{
	size_t outline = strspn(shape, "RWU-~abcdefghijklmnopqrstuvwxyz0123456789"), placement,
	       spaces;

	if (outline == 0 || shape[outline] != '.')
		return false;
	placement = strspn(shape + outline + 1, "0123456789abcdefhks");
	if (placement == 0 || shape[outline + 1 + placement] != '.')
		return false;
	spaces = strspn(shape + outline + placement + 2, "glspi");
	return shape[outline + placement + 2 + spaces] == '\0' && strlen(shape) < OCLMM_SHAPE_SIZE;
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

/* Letters to insert, drop or replace, row by row. */
static int edits(const char *a, int length_a, const char *b, int length_b)
{
	int row[OCLMM_SHAPE_SIZE];

	for (int j = 0; j <= length_b; j++)
		row[j] = j;
	for (int i = 1; i <= length_a; i++) {
		int diagonal = row[0];

		row[0] = i;
		for (int j = 1; j <= length_b; j++) {
			int replaced = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			row[j] = smaller(replaced, smaller(row[j], row[j - 1]) + 1);
		}
	}
	return row[length_b];
}

int oclmm_shape_distance(const char *a, const char *b)
{
	size_t length_a = strcspn(a, "."), length_b = strcspn(b, ".");

	if (strcmp(a + length_a, b + length_b) != 0)
		return -1;
	if (length_a >= OCLMM_SHAPE_SIZE || length_b >= OCLMM_SHAPE_SIZE)
		return -1;
	return edits(a, (int)length_a, b, (int)length_b);
}
