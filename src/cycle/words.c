// SPDX-License-Identifier: Apache-2.0
/* The words of which cycles are made. */
#include <stdlib.h>

#include "internal.h"

/* ---- attributes ---- */

/* clang-format off */
#define OPERATIONS(X)                                                                              \
	X(EXCHANGE, "xchg") X(FETCH_ADD, "add") X(FETCH_SUB, "sub") X(FETCH_OR, "or")              \
	X(FETCH_XOR, "xor") X(FETCH_AND, "and") X(FETCH_MIN, "min") X(FETCH_MAX, "max")            \
	X(CAS_STRONG, "cas") X(CAS_WEAK, "weak") X(FLAG_TEST_AND_SET, "tas")                       \
	X(FLAG_CLEAR, "clear")
#define OTHERS(X)                                                                                  \
	X("G", FLAGS, OCLMM_FLAG_GLOBAL) X("L", FLAGS, OCLMM_FLAG_LOCAL)                           \
	X("GL", FLAGS, OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL) X("none", FLAGS, 0)                   \
	X("svm", SVM, 1) X("host", HOST, 1) X("legacy", LEGACY, 1) X("fail", FAIL, 1)
/* clang-format on */

static const struct named {
	const char *word;
	struct attribute attribute;
} attributes[] = {
#define OCLMM_X(name, word, ...) {word, {ATTRIBUTE_ORDER, OCLMM_ORDER_##name}},
	OCLMM_ORDERS(OCLMM_X)
#undef OCLMM_X
#define OCLMM_X(name, word, ...) {word, {ATTRIBUTE_TYPE, OCLMM_TYPE_##name}},
		OCLMM_INTEGERS(OCLMM_X)
#undef OCLMM_X
#define OCLMM_X(name, word) {word, {ATTRIBUTE_OPERATION, OCLMM_OP_##name}},
			OPERATIONS(OCLMM_X)
#undef OCLMM_X
#define OCLMM_X(word, kind, value) {word, {ATTRIBUTE_##kind, value}},
				OTHERS(OCLMM_X)
#undef OCLMM_X
	/* not work_item, and not NONE, whose word is that of a plain order */
	{"sg", {ATTRIBUTE_SCOPE, OCLMM_SCOPE_SUB_GROUP}},
	{"wg", {ATTRIBUTE_SCOPE, OCLMM_SCOPE_WORK_GROUP}},
	{"dev", {ATTRIBUTE_SCOPE, OCLMM_SCOPE_DEVICE}},
	{"all", {ATTRIBUTE_SCOPE, OCLMM_SCOPE_ALL_SVM_DEVICES}},
};

bool words_attribute(const char *word, struct attribute *ret_attribute)
{
	for (size_t i = 0; i < OCLMM_COUNT(attributes); i++) {
		if (strcmp(attributes[i].word, word) == 0) {
			*ret_attribute = attributes[i].attribute;
			return true;
		}
	}
	return false;
}

const char *words_nearest_attribute(const char *word)
{
	const char *words[OCLMM_COUNT(attributes)];

	for (size_t i = 0; i < OCLMM_COUNT(attributes); i++)
		words[i] = attributes[i].word;
	return oclmm_nearest(word, words, OCLMM_COUNT(attributes));
}

const char *words_operation(enum oclmm_operation op)
{
	switch (op) {
#define OCLMM_X(name, word)                                                                        \
	case OCLMM_OP_##name: return word;
		OPERATIONS(OCLMM_X)
#undef OCLMM_X
	case OCLMM_OP_LOAD:
	case OCLMM_OP_STORE:
	case OCLMM_OP_INIT:
	case OCLMM_OP_COUNT: break;
	}
	return NULL;
}

/* ---- edges ---- */

static const char *const stems[] = {OCLMM_LINKS(OCLMM_LIST_FIRST)};

static bool is_communication(enum oclmm_link_kind kind)
{
	return kind <= OCLMM_LINK_CO;
}

void words_print_link(struct oclmm_text *text, const struct oclmm_link *link)
{
	oclmm_text_add(text, stems[link->kind]);
	if (is_communication(link->kind))
		oclmm_text_add(text, link->external ? "e" : "i");
	else
		oclmm_text_printf(text, "%c%c%c", link->same ? 's' : 'd',
		                  link->from_write ? 'W' : 'R', link->to_write ? 'W' : 'R');
}

/* Fills in what the kind alone says. False for a combination that does not exist. */
static bool complete(struct oclmm_link *link)
{
	switch (link->kind) {
	case OCLMM_LINK_RF: link->from_write = true; break;
	case OCLMM_LINK_FR: link->to_write = true; break;
	case OCLMM_LINK_CO: link->from_write = link->to_write = true; break;
	case OCLMM_LINK_DATA: return !link->from_write && link->to_write;
	case OCLMM_LINK_CTRL: return !link->from_write;
	default: return true;
	}
	link->same = true;
	return true;
}

/* The n-th of all edges, or false beyond the last. */
static bool nth_link(unsigned n, struct oclmm_link *ret_link)
{
	for (unsigned kind = 0; kind < OCLMM_LINK_COUNT; kind++) {
		unsigned forms = is_communication((enum oclmm_link_kind)kind) ? 2 : 8;

		for (unsigned form = 0; form < forms; form++) {
			struct oclmm_link link = {.kind = (enum oclmm_link_kind)kind};

			if (forms == 2) {
				link.external = form == 0;
			} else {
				link.same = form & 4;
				link.from_write = form & 2;
				link.to_write = form & 1;
				link.external = link_is_barrier(&link);
			}
			if (complete(&link) && n-- == 0) {
				*ret_link = link;
				return true;
			}
		}
	}
	return false;
}

bool words_link(const char *word, struct oclmm_link *ret_link)
{
	struct oclmm_text text = {0};
	bool found = false;
	char modern[8];

	/* herd's older word for modification order */
	if (strcmp(word, "Wse") == 0 || strcmp(word, "Wsi") == 0) {
		snprintf(modern, sizeof(modern), "Co%c", word[2]);
		word = modern;
	}
	for (unsigned n = 0; !found && nth_link(n, ret_link); n++) {
		text.length = 0;
		words_print_link(&text, ret_link);
		found = strcmp(oclmm_text_string(&text), word) == 0;
	}
	oclmm_text_finish(&text);
	return found;
}

/* ---- fences ---- */

static const struct {
	const char *word, *function;
} fences[] = {
#define OCLMM_X(name, word, function) {word, function},
	OCLMM_CYCLE_FENCES_LIST(OCLMM_X)
#undef OCLMM_X
};

bool words_fence(const char *word, enum oclmm_cycle_fence_kind *ret_kind)
{
	for (size_t i = 0; i < OCLMM_COUNT(fences); i++) {
		if (strcmp(fences[i].word, word) == 0) {
			*ret_kind = (enum oclmm_cycle_fence_kind)i;
			return true;
		}
	}
	return false;
}

const char *words_fence_word(enum oclmm_cycle_fence_kind kind)
{
	return fences[kind].word;
}

const char *words_fence_function(enum oclmm_cycle_fence_kind kind)
{
	return fences[kind].function;
}

/* ---- guesses ---- */

char *words_nearest(const char *word)
{
	enum { MOST = 96 };
	char *words[MOST] = {NULL}, *found = NULL;
	const char *nearest;
	size_t count = 0;
	struct oclmm_link link;

	for (unsigned n = 0; count < MOST && nth_link(n, &link); n++) {
		struct oclmm_text text = {0};

		words_print_link(&text, &link);
		words[count++] = oclmm_text_steal(&text);
	}
	for (size_t i = 0; count < MOST && i < OCLMM_COUNT(fences); i++)
		words[count++] = oclmm_strdup(fences[i].word);
	nearest = oclmm_nearest(word, (const char *const *)words, count);
	if (nearest)
		found = oclmm_strdup(nearest);
	for (size_t i = 0; i < count; i++)
		free(words[i]);
	return found;
}
