// SPDX-License-Identifier: Apache-2.0
/*
 * Damages good litmus files: every truncation, and many replaced, deleted and
 * doubled pieces. The reader has to give a program whose canonical text reads
 * back to itself, or a complete refusal; under the sanitizers it may touch
 * nothing that is not its own. The damage is a function of file and number, so
 * that a failure can be repeated.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/syntax.h"

struct counts {
	unsigned long accepted, refused, failed;
};

static unsigned count_lines(const char *text, size_t length)
{
	unsigned lines = 1;
	size_t i;

	for (i = 0; i < length; i++)
		lines += text[i] == '\n';
	return lines;
}

static const char *check_error(const struct oclmm_error *error, int result, const char *text,
                               size_t length)
{
	if (result != -EINVAL)
		return "a result other than -EINVAL";
	if (!error->message[0] || !error->file[0])
		return "an error without message or file";
	if (error->position.line > count_lines(text, length))
		return "an error behind the end of the file";
	if (error->position.line && !error->position.column)
		return "an error without column";
	return NULL;
}

static const char *check_program(const struct oclmm_program *program)
{
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	struct oclmm_text first = {0}, second = {0};
	const char *complaint = NULL;

	oclmm_program_print(&first, program);
	if (oclmm_litmus_parse("canonical", first.data, first.length, NULL, &error, &litmus)) {
		complaint = "the canonical text is refused";
	} else {
		oclmm_program_print(&second, litmus->variants[0].program);
		if (strcmp(first.data, second.data) != 0 ||
		    litmus->variants[0].program->hash != program->hash)
			complaint = "the canonical text reads back to another program";
		oclmm_litmus_destroy(litmus);
	}
	oclmm_text_finish(&first);
	oclmm_text_finish(&second);
	return complaint;
}

static const char *check_text(const char *text, size_t length, struct counts *counts)
{
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	const char *complaint = NULL;
	uint32_t i;
	int result = oclmm_litmus_parse("damaged", text, length, NULL, &error, &litmus);

	if (result) {
		counts->refused++;
		return check_error(&error, result, text, length);
	}
	counts->accepted++;
	for (i = 0; i < litmus->variant_count && !complaint; i++)
		complaint = check_program(litmus->variants[i].program);
	oclmm_litmus_destroy(litmus);
	return complaint;
}

static void report(const char *path, const char *what, unsigned long number, const char *complaint,
                   const char *text, size_t length, struct counts *counts)
{
	counts->failed++;
	printf("%s: %s %lu: %s\n%.*s\n", path, what, number, complaint, (int)length, text);
}

static void truncate_everywhere(const char *path, const char *text, size_t length,
                                struct counts *counts)
{
	size_t cut;

	for (cut = 0; cut < length; cut++) {
		/* a copy of its own size, so that reading past it is seen */
		char *copy = oclmm_malloc(cut + 1);
		const char *complaint;

		memcpy(copy, text, cut);
		copy[cut] = '\0';
		complaint = check_text(copy, cut, counts);
		if (complaint)
			report(path, "cut", cut, complaint, copy, cut, counts);
		free(copy);
	}
}

/* Pieces that mean something somewhere in the format. */
static const char *const pieces[] = {
	"",
	" ",
	"{",
	"}",
	"(",
	")",
	"[",
	"]",
	";",
	",",
	"|",
	"=>",
	"=",
	"*",
	"&",
	"-",
	"!",
	"~",
	"@",
	":",
	"0",
	"1",
	"2",
	"-1",
	"99999999999",
	"0x",
	"u",
	"P0",
	"P1",
	"x",
	"y",
	"r0",
	"a",
	"wg",
	"host",
	"svm",
	"(*",
	"*)",
	"/*",
	"//",
	"\"",
	"\n",
	"\t",
	"\\/",
	"/\\",
	"if",
	"else",
	"while",
	"for (int i = 0; i < 2; i++)",
	"++",
	"int f(global atomic_int *p, int i) { return i; }",
	"f(x, 1)",
	"return",
	"int t[2] = {1, 2};",
	"constant int k[] = {1, 2};",
	"const",
	"void",
	"+=",
	"int",
	"atomic_int",
	"local",
	"volatile",
	"vary",
	"except",
	"control",
	"unroll 2",
	"exists",
	"forall",
	"filter",
	"not",
	"true",
	"locations",
	"\x80",
	"atomic_load(x)",
	"memory_order_acquire",
	"barrier(0);",
	"B1:",
};

static void damage(const char *path, const char *text, size_t length, unsigned long number,
                   struct counts *counts)
{
	uint64_t key = oclmm_random_derive(number, path);
	size_t from = oclmm_random_below(key, 0, length + 1);
	size_t gone = oclmm_random_below(key, 1, 8);
	const char *piece = pieces[oclmm_random_below(key, 2, OCLMM_COUNT(pieces))];
	struct oclmm_text damaged = {0};
	const char *complaint;

	if (gone > length - from)
		gone = length - from;
	oclmm_text_add_bytes(&damaged, text, from);
	oclmm_text_add(&damaged, piece);
	oclmm_text_add_bytes(&damaged, text + from + gone, length - from - gone);
	if (oclmm_random_below(key, 3, 4) == 0 && damaged.length > 0)
		damaged.data[oclmm_random_below(key, 4, damaged.length)] =
			(char)oclmm_random_below(key, 5, 256);
	complaint = check_text(oclmm_text_string(&damaged), damaged.length, counts);
	if (complaint)
		report(path, "damage", number, complaint, oclmm_text_string(&damaged),
		       damaged.length, counts);
	oclmm_text_finish(&damaged);
}

int main(int argc, char **argv)
{
	struct counts counts = {0};
	unsigned long times, number;
	int i;

	if (argc < 3) {
		fputs("usage: mutate TIMES FILE...\n", stderr);
		return 3;
	}
	times = strtoul(argv[1], NULL, 10);
	for (i = 2; i < argc; i++) {
		const char *slash = strrchr(argv[i], '/');
		const char *name = slash ? slash + 1 : argv[i];
		char *text;
		size_t length;

		if (oclmm_read_file(argv[i], &text, &length)) {
			fprintf(stderr, "cannot read %s\n", argv[i]);
			return 3;
		}
		truncate_everywhere(name, text, length, &counts);
		for (number = 0; number < times; number++)
			damage(name, text, length, number, &counts);
		free(text);
	}
	printf("%lu accepted, %lu refused, %lu failed\n", counts.accepted, counts.refused,
	       counts.failed);
	/* damage that is never accepted, or never refused, would test only half */
	return counts.failed || !counts.accepted || !counts.refused ? 1 : 0;
}
