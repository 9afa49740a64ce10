// SPDX-License-Identifier: Apache-2.0
/* What changed between two files of expected sets, as text. */
#include "internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char *printed(const struct oclmm_expected *expected)
{
	struct oclmm_text text = {0};

	oclmm_text_printf(&text, EXPECTED_VARIANT "%016" PRIx64 " %s\n", expected->hash,
	                  expected->name);
	expected_print_set(&text, expected);
	return oclmm_text_steal(&text);
}

static bool has_line(const char *text, const char *line, size_t length)
{
	for (const char *at = text; *at;) {
		size_t here = strcspn(at, "\n");

		if (here == length && memcmp(at, line, length) == 0)
			return true;
		at += here + (at[here] == '\n');
	}
	return false;
}

/* Lines of an entry are distinct, so a set difference is a readable diff. */
static void print_missing(struct oclmm_text *text, const char *sign, const char *from,
                          const char *in)
{
	for (const char *at = from; *at;) {
		size_t length = strcspn(at, "\n");

		if (length && !has_line(in, at, length)) {
			oclmm_text_add(text, sign);
			oclmm_text_add_bytes(text, at, length);
			oclmm_text_add(text, "\n");
		}
		at += length + (at[length] == '\n');
	}
}

static bool compare_entry(const struct oclmm_expected *before, const struct oclmm_expected *after,
                          struct oclmm_text *text)
{
	char *old = printed(before), *new = printed(after);
	bool differ = strcmp(old, new) != 0;

	if (differ && text) {
		oclmm_text_printf(text, "%s:\n", before->name);
		print_missing(text, "- ", old, new);
		print_missing(text, "+ ", new, old);
	}
	free(old);
	free(new);
	return differ;
}

static size_t compare_entries(const struct oclmm_expected_file *before,
                              const struct oclmm_expected_file *after, struct oclmm_text *text)
{
	size_t differences = 0;

	for (size_t i = 0; i < before->count; i++) {
		const struct oclmm_expected *old = before->entries[i];
		const struct oclmm_expected *new = oclmm_expected_find(after, old->name);

		if (new) {
			differences += compare_entry(old, new, text);
			continue;
		}
		differences++;
		if (text)
			oclmm_text_printf(text, "- %s\n", old->name);
	}
	for (size_t i = 0; i < after->count; i++) {
		if (oclmm_expected_find(before, after->entries[i]->name))
			continue;
		differences++;
		if (text)
			oclmm_text_printf(text, "+ %s\n", after->entries[i]->name);
	}
	return differences;
}

static char *printed_file(const struct oclmm_expected_file *file)
{
	struct oclmm_text text = {0};

	oclmm_expected_print(&text, file);
	return oclmm_text_steal(&text);
}

size_t oclmm_expected_compare(const struct oclmm_expected_file *before,
                              const struct oclmm_expected_file *after, struct oclmm_text *text)
{
	char *old = printed_file(before), *new = printed_file(after);
	bool same = strcmp(old, new) == 0;
	size_t differences;

	free(old);
	free(new);
	if (same)
		return 0;
	differences = compare_entries(before, after, text);
	if (differences)
		return differences;
	if (text)
		oclmm_text_add(text, "the name of the litmus file or the order of its variants\n");
	return 1;
}
