// SPDX-License-Identifier: Apache-2.0
/* Which tests stand for the shapes to tune. */
#include <stdlib.h>
#include <string.h>

#include "oclmm/grade.h"
#include "tune.h"

/* The shapes of the literature, with relaxed operations: most tests of the suite strengthen one of
 * them. */
static char usual[] = "@(MP|SB|LB|R|S|2+2W|IRIW|WRC|RWC|ISA2|Z6.[0-5])+(+rlx)?(.shape=Z6_[1-5])";

static const char relaxed[] = "+(+rlx)";

static bool is_word(const char *argument)
{
	return !argument[strcspn(argument, "/*?[]()@!|")] && !strstr(argument, ".litmus");
}

/*
 * The pattern of a shape's relaxed test: `MP` stands for MP+rlx+rlx, `2+2W` for
 * 2+2W+rlx+rlx. Malloc-ed.
 */
static char *shape_pattern(const char *word)
{
	struct oclmm_text text = {0};

	oclmm_text_printf(&text, "%s%s", word, relaxed);
	return oclmm_text_steal(&text);
}

static bool names_a_variant(const struct selection *all, const char *word)
{
	for (size_t i = 0; i < all->count; i++) {
		if (strcmp(all->chosen[i].variant->name, word) == 0)
			return true;
	}
	return false;
}

/* Whether a shape's name begins some relaxed test of the suite. */
static bool names_a_shape(const struct selection *all, const char *word)
{
	size_t length = strlen(word);

	for (size_t i = 0; i < all->count; i++) {
		const char *name = all->chosen[i].variant->name;

		if (strncmp(name, word, length) == 0 && strncmp(name + length, "+rlx", 4) == 0)
			return true;
	}
	return false;
}

int tuning_select(const struct command *command, struct selection *selection, char **names,
                  int count)
{
	char **arguments = oclmm_calloc((size_t)count + 1, sizeof(*arguments));
	struct selection all = {0};
	bool words = false;
	int status = 0;

	(void)command;
	for (int i = 0; i < count; i++)
		words |= is_word(names[i]);
	if (words)
		status = selection_make(&all, NULL, 0);
	for (int i = 0; i < count; i++) {
		bool shape = is_word(names[i]) && !names_a_variant(&all, names[i]) &&
		             names_a_shape(&all, names[i]);

		arguments[i] = shape ? shape_pattern(names[i]) : oclmm_strdup(names[i]);
	}
	if (count == 0)
		arguments[0] = oclmm_strdup(usual);
	selection_finish(&all);
	if (status == 0)
		status = selection_make(selection, arguments, count ? count : 1);
	for (int i = 0; i <= count; i++)
		free(arguments[i]);
	free(arguments);
	return status;
}

static bool has_shape(const struct chosen *chosen, size_t count, const char *shape)
{
	char other[OCLMM_SHAPE_SIZE];

	for (size_t i = 0; i < count; i++) {
		oclmm_shape(chosen[i].variant->program, other);
		if (strcmp(other, shape) == 0)
			return true;
	}
	return false;
}

void tuning_reduce(struct selection *selection)
{
	size_t kept = 0;

	for (size_t i = 0; i < selection->count; i++) {
		struct chosen chosen = selection->chosen[i];
		char shape[OCLMM_SHAPE_SIZE];

		chosen.variant = run_weakest(chosen.litmus, chosen.variant);
		oclmm_shape(chosen.variant->program, shape);
		if (!has_shape(selection->chosen, kept, shape))
			selection->chosen[kept++] = chosen;
	}
	selection->count = kept;
}
