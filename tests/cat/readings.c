// SPDX-License-Identifier: Apache-2.0
/*
 * The words of cat files for other readings of commands, taken together: whatever set of K17, K18
 * and K19 an edited docs/opencl.cat takes the other way, it says what the oracle says by that
 * reading.
 *
 *     cat_readings FILE.cat
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oclmm/base.h"
#include "oclmm/cat.h"
#include "oclmm/model.h"
#include "oclmm/syntax.h"

static const char *original;

enum { EARLY = 1u << OCLMM_KNOB_K17, SEEN = 1u << OCLMM_KNOB_K18, APART = 1u << OCLMM_KNOB_K19 };

/* The words of a reading: what orders commands, and what is not shown. */
static const struct {
	unsigned knobs;
	const char *order, *apart;
} readings[] = {
	{0, "synccmd", NULL},
	{EARLY, "syncearly", NULL},
	{SEEN, "syncseen", NULL},
	{EARLY | SEEN, "syncearlyseen", NULL},
	{APART, "synccmd", "unshown"},
	{EARLY | APART, "syncearly", "unshownearly"},
	{SEEN | APART, "syncseen", "unshownseen"},
	{EARLY | SEEN | APART, "syncearlyseen", "unshownearlyseen"},
};

#define END "exists (r=0)\n"

/* A program, and the readings by which it races, by their places, worked out by hand. By those of
 * `overlap` a command uses what is mapped, too: of that a file says nothing, and commands overlap
 * by the text as it stands. */
static const struct {
	const char *text;
	unsigned races, overlap;
} programs[] = {
	/* P3 is behind the write by its event. The map is behind the write unless that returns
         * early, and before P3 only where the poll orders: it shows the write by SEEN alone. */
	{"OPENCL three\n{ coarse [x] = 0; host [h] = 1; [r] = 0; }\n"
         "P0@write queue 1 blocking buffer (global int *x, int *h) { *x = *h; }\n"
         "P1@map read queue 0 buffer (global int *x) {}\n"
         "P2@host poll 1 () {}\n"
         "P3@kernel queue 2 wait 0 (global int *x, global int *r) { *r = *x; }\n"
         "P4@unmap queue 0 buffer wait 3 (global int *x) {}\n" END,
         1u << 4 | 1u << 5 | 1u << 7, 1u << 1 | 1u << 3 | 1u << 5 | 1u << 7},
	/* The map is before P3 by its queue, and behind the write unless that returns early. */
	{"OPENCL early\n{ coarse [x] = 0; host [h] = 1; [r] = 0; }\n"
         "P0@write queue 1 blocking buffer (global int *x, int *h) { *x = *h; }\n"
         "P1@map read queue 0 buffer (global int *x) {}\n"
         "P2@unmap queue 0 buffer (global int *x) {}\n"
         "P3@kernel queue 0 wait 0 (global int *x, global int *r) { *r = *x; }\n" END,
         1u << 5 | 1u << 7, 1u << 1 | 1u << 3 | 1u << 5 | 1u << 7},
	/* Nothing but the poll orders P3 behind the kernel. */
	{"OPENCL seen\n{ coarse [x] = 0; [r] = 0; }\n"
         "P0@kernel queue 1 buffer (global int *x) { *x = 1; }\n"
         "P1@map read queue 0 buffer wait 0 (global int *x) {}\n"
         "P2@host poll 1 () {}\n"
         "P3@kernel queue 2 (global int *x, global int *r) { *r = *x; }\n"
         "P4@unmap queue 0 buffer wait 3 (global int *x) {}\n" END,
         1u << 0 | 1u << 1 | 1u << 4 | 1u << 5, 0},
};

/* The text of a file; the caller's. */
static char *text_of(const char *path)
{
	struct oclmm_error error = {0};
	size_t length;
	char *text;

	if (oclmm_read_text(path, &error, &text, &length) < 0)
		fail_msg("%s", error.message);
	return text;
}

/* Puts `to` in the place of each `from`, of which there is one at least. */
static void exchange(struct oclmm_text *text, const char *in, const char *from, const char *to)
{
	const char *found = strstr(in, from);

	assert_non_null(found);
	for (; found; found = strstr(in, from)) {
		oclmm_text_add_bytes(text, in, (size_t)(found - in));
		oclmm_text_add(text, to);
		in = found + strlen(from);
	}
	oclmm_text_add(text, in);
}

static struct oclmm_cat_model *model_of(unsigned reading)
{
	struct oclmm_text ordered = {0}, whole = {0};
	char path[] = "/tmp/oclmm-readings-XXXXXX";
	struct oclmm_error error = {0};
	struct oclmm_cat_model *model;
	char *text = text_of(original), order[64], apart[96];
	int file = mkstemp(path);

	snprintf(order, sizeof(order), "| %s |", readings[reading].order);
	exchange(&ordered, text, "| synccmd |", order);
	if (readings[reading].apart)
		snprintf(apart, sizeof(apart), "| lhb & LOCAL * LOCAL)) \\ %s\n",
		         readings[reading].apart);
	exchange(&whole, oclmm_text_string(&ordered), "let hbl = loc &",
	         readings[reading].apart ? "let hbl = (loc &" : "let hbl = loc &");
	if (readings[reading].apart) {
		struct oclmm_text cut = {0};

		exchange(&cut, oclmm_text_string(&whole), "| lhb & LOCAL * LOCAL)\n", apart);
		oclmm_text_finish(&whole);
		whole = cut;
	}
	assert_true(file >= 0);
	assert_int_equal(write(file, oclmm_text_string(&whole), strlen(oclmm_text_string(&whole))),
	                 strlen(oclmm_text_string(&whole)));
	close(file);
	if (oclmm_model_read(path, &error, &model) < 0)
		fail_msg("%s: %s", readings[reading].order, error.message);
	unlink(path);
	oclmm_text_finish(&ordered);
	oclmm_text_finish(&whole);
	free(text);
	return model;
}

static struct oclmm_answer *ask(const struct oclmm_program *program, enum oclmm_model by,
                                struct oclmm_cat_model *model)
{
	struct oclmm_check_options options = {.models = 1u << by, .cat = model};
	struct oclmm_error error = {0};
	struct oclmm_answer *answer;

	if (oclmm_check(program, &options, &error, &answer) < 0)
		fail_msg("%s", error.message);
	return answer;
}

/* K17 is of 2.0 alone, and K18 of 3.1. */
static enum oclmm_model regime_of(unsigned knobs)
{
	return knobs & EARLY  ? OCLMM_MODEL_OPENCL_2_0
	       : knobs & SEEN ? OCLMM_MODEL_OPENCL_3_1
	                      : OCLMM_MODEL_OPENCL_2_1;
}

static bool by_oracle(const struct oclmm_answer *answer, unsigned knobs)
{
	unsigned relevant = 0; /* what does not matter to a program is in none of its readings */

	for (uint32_t i = 0; i < answer->reading_count; i++)
		relevant |= answer->readings[i].alternatives;
	for (uint32_t i = 0; i < answer->reading_count; i++)
		if (answer->readings[i].regime == regime_of(knobs) &&
		    answer->readings[i].alternatives == (knobs & relevant))
			return answer->undefined_by[i];
	fail_msg("no reading of knobs %x", knobs);
	return false;
}

static void together(void **state)
{
	(void)state;
	for (size_t n = 0; n < OCLMM_COUNT(programs); n++) {
		struct oclmm_error error = {0};
		struct oclmm_litmus *litmus;
		struct oclmm_answer *oracle;

		if (oclmm_litmus_parse("text", programs[n].text, strlen(programs[n].text), NULL,
		                       &error, &litmus) < 0)
			fail_msg("%u: %s", error.position.line, error.message);
		oracle = ask(litmus->variants[0].program, OCLMM_MODEL_CONSENSUS, NULL);
		for (unsigned i = 0; i < OCLMM_COUNT(readings); i++) {
			struct oclmm_cat_model *model = model_of(i);
			struct oclmm_answer *cat = ask(litmus->variants[0].program,
			                               OCLMM_MODEL_OPENCL_2_1, model);
			bool races = programs[n].races >> i & 1;
			unsigned both = EARLY | SEEN; /* no version of the text has them */

			if ((readings[i].knobs & both) != both &&
			    by_oracle(oracle, readings[i].knobs) !=
			            (races || programs[n].overlap >> i & 1))
				fail_msg("program %zu, reading %u: the oracle", n, i);
			if (cat->undefined[OCLMM_MODEL_OPENCL_2_1] != races)
				fail_msg("program %zu, reading %u: the file", n, i);
			oclmm_answer_destroy(cat);
			oclmm_cat_destroy(model);
		}
		oclmm_answer_destroy(oracle);
		oclmm_litmus_destroy(litmus);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(together)};

	original = argc > 1 ? argv[1] : "docs/opencl.cat";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
