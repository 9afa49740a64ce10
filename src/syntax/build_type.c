// SPDX-License-Identifier: Apache-2.0
#include "build.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "grammar.h"

static const struct type_word {
	const char *word;
	enum oclmm_type type;
	bool atomic;
} type_words[] = {
#define OCLMM_X(name, word, ...) {word, OCLMM_TYPE_##name, false},
	OCLMM_INTEGERS(OCLMM_X) OCLMM_FLOATS(OCLMM_X) OCLMM_PRIVATE_INTEGERS(OCLMM_X)
#undef OCLMM_X
#define OCLMM_X(name, word, atomic_word, ...) {atomic_word, OCLMM_TYPE_##name, true},
		OCLMM_INTEGERS(OCLMM_X) OCLMM_FLOATS(OCLMM_X)
#undef OCLMM_X
			{"atomic_flag", OCLMM_TYPE_FLAG, true},
	{"unsigned", OCLMM_TYPE_UINT, false},
	{"signed", OCLMM_TYPE_INT, false},
};

static const struct type_word *find_type_word(const char *word)
{
	size_t i = 0;

	while (i < OCLMM_COUNT(type_words) && strcmp(type_words[i].word, word) != 0)
		i++;
	return i < OCLMM_COUNT(type_words) ? &type_words[i] : NULL;
}

bool syntax_is_type(const char *word)
{
	return find_type_word(word) != NULL || build_is_event(word) || build_is_child_event(word);
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
	return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

/* The type of two words, `unsigned char` or `long int`, or NULL where they do not go together. */
static const struct type_word *join(const struct build_type *type, const char *word)
{
	const char *before = type->type_at->text;
	char shorter[16];

	if (is_one_of(before, "unsigned", "signed") &&
	    (is_one_of(word, "char", "short") || is_one_of(word, "int", "long"))) {
		snprintf(shorter, sizeof(shorter), "u%s", word);
		return find_type_word(before[0] == 'u' ? shorter : word);
	}
	if (is_one_of(before, "short", "long") && strcmp(word, "int") == 0)
		return find_type_word(oclmm_type_name(type->type));
	return NULL;
}

static int add_type_word(const struct builder *builder, const struct syntax_token *at,
                         struct build_type *type)
{
	const struct type_word *word = type->type_at ? join(type, at->text)
	                                             : find_type_word(at->text);

	if (build_is_child_event(at->text))
		return REFUSE(builder, at, "write `clk_event_t e;`",
		              "only what enqueue_kernel gives is of type `%s`", at->text);
	if (build_is_event(at->text))
		return REFUSE(builder, at, "write `event_t e = async_work_group_copy(...);`",
		              "only what a copy gives is of type `%s`", at->text);
	if (!word) {
		const char *before = type->type_at ? type->type_at->text : "";
		bool both = strcmp(before, "long") == 0 && strcmp(at->text, "long") == 0;

		return REFUSE(builder, at, both ? "a `long` has 64 bits" : NULL,
		              "two types: `%s` and `%s`", before, at->text);
	}
	type->type = word->type;
	type->atomic = word->atomic;
	type->type_at = at;
	/* Dartagnan knows int and atomic_int */
	return is_one_of(at->text, "int", "atomic_int") ? 0 : build_extension(builder, at);
}

static int add_space(const struct builder *builder, const struct syntax_token *at,
                     struct build_type *type)
{
	if (type->space_at)
		return REFUSE(builder, at, NULL, "two address spaces: `%s` and `%s`",
		              type->space_at->text, at->text);
	type->space_at = at;
	type->space_given = true;
	type->space = strstr(at->text, "local") ? OCLMM_SPACE_LOCAL : OCLMM_SPACE_GLOBAL;
	/* Dartagnan has one order: volatile, address space, type */
	return at->text[0] == '_' || type->type_at ? build_extension(builder, at) : 0;
}

/* `read_write image1d_buffer_t`: what the host makes of a buffer, C:6.6. */
static int add_image(const struct builder *builder, const struct syntax_token *at,
                     struct build_type *type)
{
	static const char note[] = "an image of a test is a `read_write image1d_buffer_t`";
	const char *word = at->text + strspn(at->text, "_");

	if (strcmp(word, at->kind == TOKEN_IMAGE ? "image1d_buffer_t" : "read_write") != 0)
		return REFUSE(builder, at, note, "`%s` is outside the format", at->text);
	type->space = OCLMM_SPACE_IMAGE;
	type->space_given = true;
	type->space_at = type->type_at = at;
	return build_extension(builder, at);
}

static int add_qualifier(const struct builder *builder, const struct syntax_token *at,
                         struct build_type *type)
{
	if (strcmp(at->text, "const") == 0)
		return REFUSE(builder, at, "drop it: every object of a test may be written",
		              "`const` objects are outside the format");
	if (strcmp(at->text, "restrict") == 0)
		return build_extension(builder, at);
	if ((type->volatile_at || type->space_at || type->type_at) && build_extension(builder, at))
		return -EINVAL;
	type->is_volatile = true;
	type->volatile_at = at;
	return 0;
}

int build_type(const struct builder *builder, const struct tree_specifier *specifiers,
               struct build_type *ret_type)
{
	struct build_type type = {.type = OCLMM_TYPE_INT};
	const struct tree_specifier *specifier;
	int result = 0;

	for (specifier = specifiers; specifier && !result; specifier = specifier->next) {
		const struct syntax_token *at = specifier->at;

		switch (at->kind) {
		case TOKEN_TYPE: result = add_type_word(builder, at, &type); break;
		case TOKEN_SPACE: result = add_space(builder, at, &type); break;
		case TOKEN_QUALIFIER: result = add_qualifier(builder, at, &type); break;
		case TOKEN_ACCESS:
		case TOKEN_IMAGE: result = add_image(builder, at, &type); break;
		default:
			type.svm_at = at;
			result = build_extension(builder, at);
			break;
		}
	}
	if (!result)
		*ret_type = type;
	return result;
}

int build_object_type(const struct builder *builder, const struct tree_specifier *specifiers,
                      struct build_type *ret_type)
{
	struct build_type type;
	int result = build_type(builder, specifiers, &type);

	if (result)
		return result;
	if (!oclmm_type_is_stored(type.type))
		return REFUSE(builder, type.type_at, "objects in memory are of type" SYNTAX_TYPES,
		              "%s is a type of registers only", oclmm_type_name(type.type));
	*ret_type = type;
	return 0;
}
