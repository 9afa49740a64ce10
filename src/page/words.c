// SPDX-License-Identifier: Apache-2.0
/* How verdicts and outcomes are called and marked. */
#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct look {
	unsigned gravity;
	const char *sign;
};

/* Signs that every font of the last decades has, and that differ in shape. */
static const struct look looks[OCLMM_VERDICT_COUNT] = {
	[OCLMM_VERDICT_FORBIDDEN] = {0, "✖"},    [OCLMM_VERDICT_CRASH] = {1, "!"},
	[OCLMM_VERDICT_TIMEOUT] = {2, "!"},      [OCLMM_VERDICT_LOST] = {3, "!"},
	[OCLMM_VERDICT_BUILD_FAILED] = {4, "!"}, [OCLMM_VERDICT_STALE] = {5, "!"},
	[OCLMM_VERDICT_KNOWN] = {6, "✱"},        [OCLMM_VERDICT_DISPUTED] = {7, "?"},
	[OCLMM_VERDICT_INCONCLUSIVE] = {8, "○"}, [OCLMM_VERDICT_UNDEFINED] = {9, "≈"},
	[OCLMM_VERDICT_PASS] = {10, "✓"},        [OCLMM_VERDICT_SKIP] = {11, "–"},
};

const char *page_string(const char *string)
{
	return string ? string : "";
}

/* A sign before a verdict, so that it is not told by its colour alone. */
const char *page_verdict_sign(enum oclmm_verdict verdict)
{
	return looks[verdict].sign;
}

unsigned page_gravity(enum oclmm_verdict verdict)
{
	return looks[verdict].gravity;
}

enum oclmm_verdict page_verdict_at(unsigned gravity)
{
	int verdict = 0;

	while (looks[verdict].gravity != gravity)
		verdict++;
	return (enum oclmm_verdict)verdict;
}

uint64_t page_count_verdict(const struct page *page, enum oclmm_verdict verdict)
{
	uint64_t count = 0;

	for (size_t i = 0; i < page->column_count; i++)
		count += page->columns[i].verdicts[verdict];
	return count;
}

char *page_verdict_class(struct oclmm_arena *arena, enum oclmm_verdict verdict)
{
	return oclmm_arena_printf(arena, "v v-%s",
	                          oclmm_verdict_is_infrastructure(verdict)
	                                  ? "failed"
	                                  : oclmm_verdict_word(verdict));
}

void page_verdict(const struct page *page, enum oclmm_verdict verdict)
{
	struct markup *markup = page->markup;

	markup_open(markup, "span", "class", page_verdict_class(page->arena, verdict), "title",
	            oclmm_verdict_meaning(verdict), NULL);
	markup_element(markup, "span", page_verdict_sign(verdict), "aria-hidden", "true", NULL);
	markup_printf(markup, " %s", oclmm_verdict_word(verdict));
	markup_close(markup);
}

void page_link(const struct page *page, const char *name)
{
	const struct test *test = page_find(page, name);
	char *address;

	if (!test) {
		markup_element(page->markup, "code", name, NULL);
		return;
	}
	address = oclmm_arena_printf(page->arena, "#%s", test->id);
	markup_element(page->markup, "a", name, "href", address, NULL);
}

void page_quantity(struct markup *markup, const char *element, const char *class, uint64_t number)
{
	struct oclmm_text text = {0};
	char exact[24];

	oclmm_report_quantity(&text, (double)number);
	snprintf(exact, sizeof(exact), "%" PRIu64, number);
	markup_element(markup, element, oclmm_text_string(&text), "class", class, "title",
	               number < 1000 ? NULL : exact, NULL);
	oclmm_text_finish(&text);
}

void page_number(struct markup *markup, uint64_t number)
{
	char digits[24], grouped[32];
	size_t length = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, number), at = 0;

	for (size_t i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			grouped[at++] = ',';
		grouped[at++] = digits[i];
	}
	grouped[at] = '\0';
	markup_text(markup, grouped);
}

char *page_identifier(struct oclmm_arena *arena, const char *name)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-=";
	struct oclmm_text text = {0};

	oclmm_text_add(&text, "t-");
	for (; *name; name++) {
		if (strchr(plain, *name))
			oclmm_text_add_bytes(&text, name, 1);
		else
			oclmm_text_printf(&text, "_%02x", (unsigned char)*name);
	}
	return oclmm_text_keep(&text, arena);
}

enum page_kind page_kind(const struct outcome *outcome)
{
	switch (outcome->row->status) {
	case OCLMM_STATUS_FORBIDDEN: return PAGE_FORBIDDEN;
	case OCLMM_STATUS_DISPUTED: return PAGE_DISPUTED;
	case OCLMM_STATUS_UNDEFINED: return PAGE_UNJUDGED;
	case OCLMM_STATUS_ALLOWED: break;
	}
	return outcome->row->witness ? PAGE_WEAK : PAGE_ALLOWED;
}

OCLMM_LOOK_UP(const char *, page_kind_word, page_kind, PAGE_KINDS, FIRST);
OCLMM_LOOK_UP(const char *, page_kind_sign, page_kind, PAGE_KINDS, SECOND);
OCLMM_LOOK_UP(const char *, page_kind_meaning, page_kind, PAGE_KINDS, THIRD);
