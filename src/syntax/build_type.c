// SPDX-License-Identifier: Apache-2.0
#include "build.h"

#include <errno.h>
#include <string.h>

#include "grammar.h"

struct type_word {
	const char *word;
	enum oclmm_type type;
	bool atomic;
	bool shared; /**< in Dartagnan's grammar too */
};

static const struct type_word type_words[] = {
	{"int", OCLMM_TYPE_INT, false, true},
	{"uint", OCLMM_TYPE_UINT, false, false},
	{"unsigned", OCLMM_TYPE_UINT, false, false},
	{"long", OCLMM_TYPE_LONG, false, false},
	{"ulong", OCLMM_TYPE_ULONG, false, false},
	{"atomic_int", OCLMM_TYPE_INT, true, true},
	{"atomic_uint", OCLMM_TYPE_UINT, true, false},
	{"atomic_long", OCLMM_TYPE_LONG, true, false},
	{"atomic_ulong", OCLMM_TYPE_ULONG, true, false},
	{"atomic_flag", OCLMM_TYPE_FLAG, true, false},
};

static int add_type_word(const struct builder *builder, const struct syntax_token *at,
                         struct build_type *type)
{
	size_t i = 0;

	/* `unsigned int` and `unsigned long` are the only types of two words */
	if (type->type_at && strcmp(type->type_at->text, "unsigned") == 0 &&
	    (strcmp(at->text, "int") == 0 || strcmp(at->text, "long") == 0)) {
		type->type = at->text[0] == 'i' ? OCLMM_TYPE_UINT : OCLMM_TYPE_ULONG;
		type->type_at = at;
		return 0;
	}
	if (type->type_at)
		return REFUSE(builder, at, NULL, "two types: `%s` and `%s`", type->type_at->text,
		              at->text);
	while (strcmp(type_words[i].word, at->text) != 0)
		i++;
	type->type = type_words[i].type;
	type->atomic = type_words[i].atomic;
	type->type_at = at;
	return type_words[i].shared ? 0 : build_extension(builder, at);
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
