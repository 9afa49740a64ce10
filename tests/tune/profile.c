// SPDX-License-Identifier: Apache-2.0
/*
 * usage: profile FILE.profile FILE.golden: reads a profile and compares what is printed of it.
 * usage: profile FILE.golden TABLE: damages that profile as the rows of the table have it, and
 * compares why each is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

/* What is printed of a profile, or why it is refused. */
static char *read_profile(const char *text, size_t length)
{
	struct oclmm_profile profile;
	struct oclmm_error error = {0};
	struct oclmm_text printed = {0};

	if (oclmm_profile_parse("", text, length, &error, &profile) < 0)
		return oclmm_error_format(&error);
	oclmm_profile_print(&printed, &profile);
	return oclmm_text_steal(&printed);
}

static void unescape(struct oclmm_text *text, const char *from, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		bool escaped = from[i] == '\\' && i + 1 < length;
		char c = escaped ? from[++i] : from[i];

		oclmm_text_add_bytes(text, escaped && c == 'n' ? "\n" : escaped ? "" : &c, 1);
	}
}

/* A row of the table, which ends where the next one begins: `NAME`, the piece and the other, `--- `
 * and the reason. \return whether it is refused so */
static bool check_row(const char *profile, const char *row)
{
	const char *damage = strchr(row, '\n') + 1, *arrow = strstr(damage, " =>"),
		   *end = strchr(damage, '\n'), *reason = end + strlen("\n--- "), *next, *at;
	struct oclmm_text piece = {0}, damaged = {0};
	bool same = false;
	size_t length;
	bool all;
	char *said;

	next = strstr(reason, "\n\n=== ");
	length = next ? (size_t)(next + 1 - reason) : strlen(reason);
	unescape(&piece, damage, (size_t)(arrow - damage));
	all = strcmp(piece.data, "*") == 0;
	at = all ? profile : strstr(profile, piece.data);
	if (at) {
		oclmm_text_add_bytes(&damaged, profile, (size_t)(at - profile));
		arrow += strlen(" =>");
		arrow += *arrow == ' ';
		unescape(&damaged, arrow, (size_t)(end - arrow));
		if (!all)
			oclmm_text_add(&damaged, at + piece.length);
		said = read_profile(oclmm_text_string(&damaged), damaged.length);
		same = strlen(said) == length && memcmp(said, reason, length) == 0;
		if (!same)
			printf("%.*s: %s\n", (int)strcspn(row, "\n"), row, said);
		free(said);
	} else {
		printf("%.*s: there is no such piece\n", (int)strcspn(row, "\n"), row);
	}
	oclmm_text_finish(&piece);
	oclmm_text_finish(&damaged);
	return same;
}

static bool check_table(const char *profile, const char *table)
{
	unsigned rows = 0, right = 0;

	while ((table = strstr(table, "\n=== "))) {
		table += strlen("\n=== ");
		right += check_row(profile, table);
		rows++;
	}
	printf("%u rows, %u right\n", rows, right);
	return rows && right == rows;
}

int main(int argc, char **argv)
{
	char *first = NULL, *second = NULL, *printed;
	size_t length, size;
	bool same, table;

	if (argc != 3 || oclmm_read_file(argv[1], &first, &size) < 0 ||
	    oclmm_read_file(argv[2], &second, &length) < 0) {
		fprintf(stderr, "usage: profile FILE.profile FILE.golden, or FILE.golden TABLE\n");
		return 2;
	}
	printed = read_profile(first, size);
	table = strstr(second, "\n=== ");
	same = table ? check_table(first, second) : strcmp(second, printed) == 0;
	if (!same && !table)
		printf("%s\n--- is not what %s has\n", printed, argv[2]);
	free(printed);
	free(first);
	free(second);
	return !same;
}
