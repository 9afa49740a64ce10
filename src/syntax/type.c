// SPDX-License-Identifier: Apache-2.0
/* The words before a name: types, address spaces, qualifiers, storage. */
#include "scope.h"

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

static bool is_event(const char *word)
{
	return strcmp(word, "event_t") == 0;
}

static bool is_child_event(const char *word)
{
	return strcmp(word, "clk_event_t") == 0;
}

static const char *const word_types[] = {[BUILD_WORD_ORDER] = "memory_order",
                                         [BUILD_WORD_SCOPE] = "memory_scope",
                                         [BUILD_WORD_FLAGS] = "cl_mem_fence_flags"};

static bool is_word_type(const char *word)
{
	return oclmm_is_among(word, word_types, OCLMM_COUNT(word_types));
}

bool oclmm_find_word_type(const struct tree_specifier *specifiers, enum build_word *ret_word)
{
	for (; specifiers; specifiers = specifiers->next)
		for (size_t i = 0; i < OCLMM_COUNT(word_types); i++)
			if (strcmp(specifiers->at->text, word_types[i]) == 0) {
				*ret_word = (enum build_word)i;
				return true;
			}
	return false;
}

bool oclmm_is_type(const char *word)
{
	return find_type_word(word) != NULL || is_event(word) || is_child_event(word) ||
	       is_word_type(word);
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

	if (is_child_event(at->text))
		return REFUSE(builder, at, "write `clk_event_t e;`",
		              "only what enqueue_kernel gives is of type `%s`", at->text);
	if (is_event(at->text))
		return REFUSE(builder, at, "write `event_t e = async_work_group_copy(...);`",
		              "only what a copy gives is of type `%s`", at->text);
	if (is_word_type(at->text))
		return REFUSE(builder, at, "a variable or the parameter of a function is one",
		              "this is of no type `%s`", at->text);
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
	return is_one_of(at->text, "int", "atomic_int") ? 0 : oclmm_check_shared(builder, at);
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
	return at->text[0] == '_' || type->type_at ? oclmm_check_shared(builder, at) : 0;
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
	return oclmm_check_shared(builder, at);
}

static int add_qualifier(const struct builder *builder, const struct syntax_token *at,
                         struct build_type *type)
{
	if (strcmp(at->text, "const") == 0)
		return REFUSE(builder, at, "drop it: every object of a test may be written",
		              "`const` objects are outside the format");
	if (strcmp(at->text, "restrict") == 0)
		return oclmm_check_shared(builder, at);
	if ((type->volatile_at || type->space_at || type->type_at) &&
	    oclmm_check_shared(builder, at))
		return -EINVAL;
	type->is_volatile = true;
	type->volatile_at = at;
	return 0;
}

int oclmm_read_type(const struct builder *builder, const struct tree_specifier *specifiers,
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
			result = oclmm_check_shared(builder, at);
			break;
		}
	}
	if (!result)
		*ret_type = type;
	return result;
}

int oclmm_read_object_type(const struct builder *builder, const struct tree_specifier *specifiers,
                           struct build_type *ret_type)
{
	struct build_type type;

	if (oclmm_read_type(builder, specifiers, &type))
		return -EINVAL;
	if (!oclmm_type_is_stored(type.type))
		return REFUSE(builder, type.type_at, "objects in memory are of type" SYNTAX_TYPES,
		              "%s is a type of registers only", oclmm_type_name(type.type));
	*ret_type = type;
	return 0;
}

static int refuse_restrict(const struct builder *builder, const struct tree_specifier *specifier)
{
	while (specifier && strcmp(specifier->at->text, "restrict") != 0)
		specifier = specifier->next;
	return specifier ? REFUSE(builder, specifier->at, "it stands after the `*` of a pointer",
	                          "a register takes no `restrict`")
	                 : 0;
}

int oclmm_read_register_type(const struct builder *builder, const struct tree_specifier *specifiers,
                             enum oclmm_type *ret_type)
{
	struct build_type type;

	if (oclmm_read_type(builder, specifiers, &type))
		return -EINVAL;
	if (refuse_restrict(builder, specifiers))
		return -EINVAL;
	if (type.atomic)
		return REFUSE(builder, type.type_at, "registers are of type" SYNTAX_REGISTERS,
		              "a register cannot be atomic");
	if (type.space_at)
		return REFUSE(
			builder, type.space_at,
			"name it in the init block, and `local int *x` in the head of each thread",
			"a register takes no `%s`", type.space_at->text);
	if (specifiers && !type.type_at && !type.svm_at)
		return REFUSE(builder, specifiers->at, "registers are of type" SYNTAX_REGISTERS,
		              "a register needs a type");
	if (type.volatile_at)
		return REFUSE(builder, type.volatile_at,
		              "leave it out: no other work-item sees a register",
		              "a register takes no `%s`", type.volatile_at->text);
	if (type.svm_at)
		return REFUSE(builder, type.svm_at,
		              "registers are private, of type" SYNTAX_REGISTERS,
		              "a register takes no `%s`", type.svm_at->text);
	*ret_type = type.type;
	return 0;
}

const struct tree_specifier *oclmm_without_const(const struct builder *builder,
                                                 const struct tree_specifier *specifiers,
                                                 const struct syntax_token **ret_const)
{
	struct tree_specifier *first = NULL, **last = &first;

	*ret_const = NULL;
	for (; specifiers; specifiers = specifiers->next) {
		if (strcmp(specifiers->at->text, "const") == 0) {
			*ret_const = specifiers->at;
			continue;
		}
		*last = oclmm_arena_copy(builder->arena, specifiers, sizeof(**last));
		(*last)->next = NULL;
		last = &(*last)->next;
	}
	return first;
}
