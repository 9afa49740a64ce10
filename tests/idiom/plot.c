// SPDX-License-Identifier: Apache-2.0
/* The picture of times by size, by the numbers in it. */

#include "../fixture/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "idiom/plot.h"

static void check_printed(void (*print)(struct oclmm_text *text, double value), double value,
                          const char *expected)
{
	struct oclmm_text text = {0};

	print(&text, value);
	assert_string_equal(oclmm_text_string(&text), expected);
	oclmm_text_finish(&text);
}

TEST(test_words)
{
	check_printed(plot_print_size, 1, "1");
	check_printed(plot_print_size, 1000, "1000");
	check_printed(plot_print_size, 4096, "4 Ki");
	check_printed(plot_print_size, 8 << 20, "8 Mi");
	check_printed(plot_print_size, 3 << 19, "1536 Ki");
	check_printed(plot_print_time, 1e-9, "1 ns");
	check_printed(plot_print_time, 1e-6, "1 us");
	check_printed(plot_print_time, 0.0025, "2.5 ms");
	check_printed(plot_print_time, 1, "1 s");
}

static char *draw(const struct plot_panel *panels, size_t count)
{
	struct oclmm_text text = {0};

	plot_svg(&text, "a < b", panels, count);
	return oclmm_text_steal(&text);
}

/* Both axes go by powers: equal factors are equal ways. */
TEST(test_places)
{
	struct plot_point points[] = {{1024, 1e-6}, {4096, 1e-5}, {16384, 1e-4}};
	struct plot_line line = {.label = "x & y", .points = points, .count = 3};
	struct plot_panel panel = {"sum", "time", &line, 1};
	char *svg = draw(&panel, 1);

	/* from 70 to 370, and from 285 up to 40 */
	assert_non_null(strstr(svg, "points=\"70.0,285.0 220.0,162.5 370.0,40.0\""));
	assert_non_null(strstr(svg, "<title>a &lt; b</title>"));
	assert_non_null(strstr(svg, ">x &amp; y</text>"));
	assert_non_null(strstr(svg, ">4 Ki</text>"));
	assert_non_null(strstr(svg, ">10 us</text>"));
	free(svg);
}

/* Lines that end in the same place: their labels stand below each other, within the picture. */
TEST(test_labels)
{
	enum { LINES = 6 };
	struct plot_point points[] = {{1, 2e-6}, {64, 1e-6}};
	struct plot_line lines[LINES];
	struct plot_panel panel = {"sum", "time", lines, LINES};
	double last = 0;
	char *svg, *at;

	for (int i = 0; i < LINES; i++) {
		lines[i] = (struct plot_line){.points = points, .count = 2};
		snprintf(lines[i].label, sizeof(lines[i].label), "line %d", i);
	}
	at = svg = draw(&panel, 1);
	for (int i = 0; i < LINES; i++) {
		double y;

		at = strstr(at, "<text x=\"378\" y=\"");
		assert_non_null(at);
		/* the first one is what the axis is about */
		if (i == 0)
			at = strstr(at + 1, "<text x=\"378\" y=\"");
		assert_non_null(at);
		assert_int_equal(sscanf(at, "<text x=\"378\" y=\"%lf", &y), 1);
		assert_true(y >= last + 13.9);
		assert_true(y <= 290);
		last = y;
		at++;
	}
	free(svg);
}

/* One point, one value, none at all, and no panels: nothing is divided by zero. */
TEST(test_little)
{
	struct plot_point point = {2048, 1e-3};
	struct plot_line line = {.label = "one", .points = &point, .count = 1},
			 none = {.label = "none"};
	const struct plot_panel panels[] = {{"a", "t", &line, 1},
	                                    {"b", "t", &none, 1},
	                                    {"c", "t", NULL, 0}};
	char *svg = draw(panels, 3);

	assert_null(strstr(svg, "nan"));
	assert_null(strstr(svg, "inf"));
	assert_non_null(strstr(svg, "nothing was measured"));
	assert_non_null(strstr(svg, ">one</text>"));
	assert_null(strstr(svg, ">none</text>"));
	free(svg);
	svg = draw(NULL, 0);
	assert_non_null(strstr(svg, "</svg>"));
	free(svg);
}
