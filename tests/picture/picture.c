// SPDX-License-Identifier: Apache-2.0
/* A picture, or nothing at all; and that look_at() sees what it is there to see. */
#include "oclmm/picture.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "look.h"
#include "oclmm/syntax.h"

static const char source[] =
	"OPENCL case\n{\n[x] = 0;\n}\n"
	"P0@wg 0, dev 0 (global atomic_int *x) {\n"
	"  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
	"}\n"
	"P1@wg 1, dev 0 (global atomic_int *x) {\n"
	"  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
	"  int r1 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
	"}\n"
	"exists (1:r0=1 /\\ 1:r1=0)\n";

static struct oclmm_litmus *litmus;

static int parse(void **state)
{
	struct oclmm_error error;

	(void)state;
	return oclmm_litmus_parse("case.litmus", source, sizeof(source) - 1, NULL, &error, &litmus);
}

static int drop(void **state)
{
	(void)state;
	oclmm_litmus_destroy(litmus);
	return 0;
}

/* Draws behind a word that has to stay. \return what the function returned. */
static int draw(const struct oclmm_program *program, const char *outcome, enum oclmm_model model,
                struct oclmm_text *text)
{
	struct oclmm_error error = {0};
	int result;

	oclmm_text_init(text);
	oclmm_text_add(text, "before ");
	result = oclmm_picture_outcome(text, program, outcome, model, &error);
	assert_memory_equal(text->data, "before ", 7);
	if (result < 0) {
		assert_int_equal(text->length, 7);
		assert_true(error.message[0] != '\0');
	}
	return result;
}

static void assert_well(const char *svg, unsigned events, unsigned arrows)
{
	struct look_counts counts;
	char why[256] = "";

	if (!look_at(svg, why, sizeof(why), &counts))
		fail_msg("%s", why);
	assert_int_equal(counts.events, events);
	assert_int_equal(counts.arrows, arrows);
	assert_int_equal(counts.labels, arrows);
}

static void check_picture(const char *outcome, enum oclmm_model model)
{
	struct oclmm_text text;

	assert_int_equal(draw(litmus->variants[0].program, outcome, model, &text), 0);
	assert_memory_equal(text.data + 7, "<svg", 4);
	assert_non_null(strstr(text.data, ">a: W x=1 rlx dev</text>"));
	/* the initial write, the store, two loads; sb, rf twice, and fr */
	assert_well(text.data + 7, 4, 4);
	oclmm_text_finish(&text);
}

static void test_forbidden(void **state)
{
	(void)state;
	check_picture(NULL, OCLMM_MODEL_CONSENSUS);
}

static void test_outcome(void **state)
{
	(void)state;
	check_picture("1:r0=0 /\\ 1:r1=1", OCLMM_MODEL_OPENCL_3_1);
}

static void test_refused(void **state)
{
	struct oclmm_text text;

	(void)state;
	assert_int_equal(draw(litmus->variants[0].program, "1:r7=0", OCLMM_MODEL_CONSENSUS, &text),
	                 -EINVAL);
	oclmm_text_finish(&text);
}

/* An outcome that nothing ends in has no execution. */
static void test_unreached(void **state)
{
	struct oclmm_text text;

	(void)state;
	assert_int_equal(draw(litmus->variants[0].program, "1:r0=5", OCLMM_MODEL_CONSENSUS, &text),
	                 -ENOENT);
	oclmm_text_finish(&text);
}

/* Whatever a test is called, it is text; and as much room is kept as it takes. */
static void test_names_are_text(void **state)
{
	static const char name[] =
		"</title><script>alert(\"1\")</script>&amp;'\x01\xff"
		"WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW";
	struct oclmm_program program = *litmus->variants[0].program;
	struct oclmm_text text;

	(void)state;
	program.name = name;
	assert_int_equal(draw(&program, NULL, OCLMM_MODEL_CONSENSUS, &text), 0);
	assert_well(text.data + 7, 4, 4);
	assert_null(strstr(text.data, "<script"));
	assert_non_null(strstr(text.data, "&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)"
	                                  "&lt;/script&gt;&amp;amp;&#39;??WWW"));
	oclmm_text_finish(&text);
}

/* ---- the looking itself ------------------------------------------------------------ */

#define EVENT(letter, x, y)                                                                        \
	"<rect class='event' data-event='" letter "' x='" x "' y='" y "' width='60' height='20'/>\n"
#define WORDS(words, x, y)                                                                         \
	"<text class='words' font-family='monospace' font-size='10' x='" x "' y='" y "'>" words    \
	"</text>\n"
#define ARROW(from, to, path, tip)                                                                 \
	"<g class='arrow' data-from='" from "' data-to='" to "'><path d='" path "'/><path d='" tip \
	"'/></g>\n"
#define LABEL(words, from, to, x, y)                                                               \
	"<g class='label' data-from='" from "' data-to='" to "'><text font-size='10' x='" x        \
	"' y='" y "'>" words "</text></g>\n"

/* Three events in a row, an arrow from each to the next, a frame around the first. */
static const char made[] =
	"<svg xmlns='http://www.w3.org/2000/svg' role='img' viewBox='0 0 300 100'>\n"
	"<title>t</title><desc>d</desc>\n"
	"<rect class='group' x='5' y='20' width='90' height='39'/>\n" EVENT("a", "10", "40") WORDS(
		"a: W", "15", "54") EVENT("b", "110", "40") WORDS("b: R", "115", "54")
		EVENT("c", "210", "40") WORDS("c: W", "215", "54") ARROW(
			"a", "b", "M70 50L100 50",
			"M100 45L110 50L100 55") ARROW("b", "c", "M170 50C180 50 190 50 200 50",
                                                       "M200 45L210 50L200 55") LABEL("rf", "a",
                                                                                      "b", "80",
                                                                                      "46")
			LABEL("fr", "b", "c", "180",
                              "46") "<text font-size='10' x='10' y='12'>name</text>\n</svg>\n";

/* The text with the first `from` in it replaced. */
static char *replaced(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	struct oclmm_text result = {0};

	assert_non_null(at);
	oclmm_text_add_bytes(&result, text, (size_t)(at - text));
	oclmm_text_add(&result, to);
	oclmm_text_add(&result, at + strlen(from));
	return oclmm_text_steal(&result);
}

static void test_defects_are_seen(void **state)
{
	static const struct {
		const char *from, *to, *why;
	} defects[] = {
		{"</svg>", "", "not well-formed"},
		{"role='img'", "", "does not say"},
		{"<title>t</title>", "", "no title"},
		{"<desc>d</desc>", "<desc/>", "no title"},
		{"0 0 300 100", "0 0 269 100", "event c is not within"},
		{"0 0 300 100", "0 0 300 59", "event a is not within"},
		{"x='10' y='12'", "x='10' y='7'", "name is not within"},
		{"C180 50 190 50", "C180 50 190 -200", "arrow b to c is not within"},
		{"x='15' y='54'", "x='50' y='54'", "the words a: W"},
		{"x='10' y='40'", "x='20' y='40'", "words a: W are not within"},
		/* names on events, on each other, on lines */
		{"x='80' y='46'", "x='60' y='46'", "event a lies on rf"},
		{"x='80' y='46'", "x='180' y='46'", "rf lies on fr"},
		{"x='80' y='46'", "x='80' y='54'", "arrow a to b lies on rf"},
		{"x='10' y='12'", "x='72' y='60'", "head of arrow a to b lies on name"},
		{"x='10' y='12'", "x='60' y='60'", "event a lies on name"},
		{"x='80' y='46'", "x='101' y='46'", "head of arrow a to b lies on rf"},
		{"width='90'", "width='80'", "rf of a to b lies on a frame"},
		/* lines through events, and to nowhere */
		{"M170 50C180 50 190 50 200 50", "M170 50L20 50L20 80L200 80L200 50",
	         "arrow b to c lies on event"},
		{"data-from='b' data-to='c'><path", "data-from='c' data-to='c'><path",
	         "begins elsewhere"},
		{"data-from='b' data-to='c'><path", "data-from='b' data-to='a'><path",
	         "ends elsewhere"},
		{"data-from='b' data-to='c'><path", "data-from='b' data-to='q'><path", "no events"},
		/* names that are missing, or might be another arrow's */
		{LABEL("fr", "b", "c", "180", "46"), "", "2 arrows and 1 labels"},
		{"x='80' y='46'", "x='80' y='30'", "from its arrow"},
		{"x='80' y='46'", "x='180' y='66'", "from its arrow"},
		{ARROW("a", "b", "M70 50L100 50", "M100 45L110 50L100 55"),
	         ARROW("a", "b", "M70 50L100 50", "M100 45L110 50L100 55")
	                 ARROW("a", "c", "M70 42L90 32L200 32L200 45", "M200 45L210 50L200 55")
	                         LABEL("mo", "a", "c", "120", "29"),
	         "rf of a to b is nearer to another"},
		{"<title>", "<title id='x'>", "identifier"},
		{"<text font-size='10' x='10'", "<script/><text font-size='10' x='10'",
	         "identifier"},
	};

	(void)state;
	assert_well(made, 3, 2);
	for (size_t i = 0; i < OCLMM_COUNT(defects); i++) {
		char *broken = replaced(made, defects[i].from, defects[i].to), why[256] = "";
		struct look_counts counts;

		if (look_at(broken, why, sizeof(why), &counts) || !strstr(why, defects[i].why))
			fail_msg("instead of \"%s\": \"%s\"", defects[i].why, why);
		free(broken);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forbidden),      cmocka_unit_test(test_outcome),
		cmocka_unit_test(test_refused),        cmocka_unit_test(test_unreached),
		cmocka_unit_test(test_names_are_text), cmocka_unit_test(test_defects_are_seen),
	};

	return cmocka_run_group_tests(tests, parse, drop);
}
