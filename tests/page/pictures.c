// SPDX-License-Identifier: Apache-2.0
/* Which executions the page draws, and that the script can put their pieces together again. */
#include "../fixture/test.h"
#include "read_page.h"

#include <stdio.h>

static char *draw(void *data, const struct oclmm_record *record, const int64_t *values)
{
	(void)record;
	(void)values;
	return oclmm_strdup(data);
}

static char *draw_nothing(void *data, const struct oclmm_record *record, const int64_t *values)
{
	(void)data;
	(void)record;
	(void)values;
	return NULL;
}

static const char svg[] = "<svg xmlns=\"http://www.w3.org/2000/svg\">\n<text x=\"1\" "
			  "fill=\"red\">a &lt; b</text>\n</svg>\n";

static size_t count_pictures(const struct read_page *page)
{
	const json_t *tests = json_object_get(page->data, "tests");
	size_t pictures = 0;

	for (size_t i = 0; i < json_array_size(tests); i++)
		pictures += json_is_object(member(at(tests, i), "picture"));
	return pictures;
}

/* Pieces put together as the script does it. */
static void assert_picture(const struct read_page *page, const json_t *picture, const char *wanted)
{
	const json_t *shape = at(json_object_get(page->data, "shapes"),
	                         (size_t)number(picture, "shape")),
		     *pieces = json_object_get(page->data, "pieces");
	struct oclmm_text text = {0};
	size_t words = 0;

	for (size_t i = 0; i < json_array_size(shape); i++) {
		long long piece = json_integer_value(at(shape, i));

		if (piece < 0)
			piece = json_integer_value(at(member(picture, "words"), words++));
		oclmm_text_add(&text, json_string_value(at(pieces, (size_t)piece)));
	}
	assert_string_equal(oclmm_text_string(&text), wanted);
	oclmm_text_finish(&text);
}

static char *draw_name(void *data, const struct oclmm_record *record, const int64_t *values)
{
	struct oclmm_text text = {0};

	(void)data;
	(void)values;
	oclmm_text_printf(&text, "<svg><text x=\"1\" fill=\"red\">%s</text></svg>",
	                  record->program->name);
	return oclmm_text_steal(&text);
}

/* What differs in words has one shape. */
TEST(test_shapes_stand_once)
{
	const struct oclmm_page_options options = {.graphs = OCLMM_PAGE_GRAPHS_INTERESTING,
	                                           .graph = draw_name};
	struct sample sample;
	struct read_page page;
	const json_t *tests;

	sample_make(&sample, false);
	write_page(&page, constant(&sample), SAMPLE_TESTS, &options);
	assert_int_equal(page.counts.graphs, 5);
	/* number 0 is nothing */
	assert_int_equal(json_array_size(json_object_get(page.data, "shapes")), 2);
	tests = json_object_get(page.data, "tests");
	for (size_t i = 0; i < json_array_size(tests); i++) {
		const json_t *picture = member(at(tests, i), "picture");
		char wanted[120];

		snprintf(wanted, sizeof(wanted), "<svg><text x=\"1\" fill=\"red\">%s</text></svg>",
		         string(&page, at(tests, i), "name"));
		if (json_is_object(picture))
			assert_picture(&page, picture, wanted);
	}
	drop_page(&page);
	sample_finish(&sample);
}

TEST(test_pictures_come_back_whole)
{
	const struct oclmm_page_options options = {
		.graphs = OCLMM_PAGE_GRAPHS_INTERESTING,
		.graph = draw,
		.data = (void *)(uintptr_t)svg,
	};
	struct sample sample;
	struct read_page page;

	sample_make(&sample, false);
	write_page(&page, constant(&sample), SAMPLE_TESTS, &options);
	assert_picture(&page, member(find_test(&page, "SB"), "picture"), svg);
	drop_page(&page);
	sample_finish(&sample);
}

TEST(test_graphs_are_chosen)
{
	static const struct {
		enum oclmm_page_graphs graphs;
		size_t wanted;
	} cases[] = {
		{OCLMM_PAGE_GRAPHS_NONE, 0},
		/* SB weak; SB.order=sc, SB+known, SB+accepted forbidden; SB+disputed */
		{OCLMM_PAGE_GRAPHS_INTERESTING, 5},
		/* and SB+silent and SB+alone, for an allowed one; neither skipped nor crashed
	         * tests */
		{OCLMM_PAGE_GRAPHS_ALL, 7},
	};
	struct sample sample;

	sample_make(&sample, false);
	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		const struct oclmm_page_options options = {
			.graphs = cases[i].graphs,
			.graph = draw,
			.data = (void *)(uintptr_t)svg,
		};
		struct read_page page;

		write_page(&page, constant(&sample), SAMPLE_TESTS, &options);
		assert_int_equal(page.counts.graphs, cases[i].wanted);
		assert_int_equal(count_pictures(&page), cases[i].wanted);
		drop_page(&page);
	}
	sample_finish(&sample);
}

/* Where nothing can be drawn, nothing is shown. */
TEST(test_without_a_picture_there_is_no_frame)
{
	const struct oclmm_page_options options = {.graphs = OCLMM_PAGE_GRAPHS_ALL,
	                                           .graph = draw_nothing};
	struct sample sample;
	struct read_page page;

	sample_make(&sample, false);
	write_page(&page, constant(&sample), SAMPLE_TESTS, &options);
	assert_int_equal(page.counts.graphs, 0);
	assert_int_equal(count_pictures(&page), 0);
	drop_page(&page);
	sample_finish(&sample);
}
