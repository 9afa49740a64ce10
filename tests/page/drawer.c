// SPDX-License-Identifier: Apache-2.0
/* A child that draws, dies, hangs and talks nonsense, and a parent that goes on. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "oclmm/explain.h"
#include "saved/drawer.h"

/* How often this process, which is the child, has drawn. */
static int drawn;

int oclmm_explain_svg(const struct oclmm_program *program, const char *outcome,
                      enum oclmm_model model, struct oclmm_error *error, struct oclmm_text *text)
{
	(void)model;
	(void)error;
	drawn++;
	if (strcmp(outcome, "die") == 0 || (strcmp(outcome, "die later") == 0 && drawn > 1))
		_exit(3);
	while (strcmp(outcome, "hang") == 0)
		pause();
	if (strcmp(outcome, "large") == 0) {
		for (int i = 0; i < 100000; i++)
			oclmm_text_add(text, "0123456789");
		return 0;
	}
	if (strcmp(outcome, "none") == 0)
		return -ENOENT;
	oclmm_text_printf(text, "<svg>%s %s</svg>", program->name, outcome);
	return 0;
}

static const struct oclmm_program program = {.name = "SB"};

static void assert_drawn(struct drawer *drawer, const char *outcome, const char *wanted)
{
	char *svg = drawer_draw(drawer, &program, outcome);

	assert_non_null(svg);
	assert_string_equal(svg, wanted);
	free(svg);
}

static void assert_no_child(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void test_draws(void **state)
{
	struct drawer drawer = {0};
	char *svg;

	(void)state;
	assert_drawn(&drawer, "x=1", "<svg>SB x=1</svg>");
	assert_drawn(&drawer, "", "<svg>SB </svg>");
	svg = drawer_draw(&drawer, &program, "large");
	assert_int_equal(strlen(svg), 1000000);
	free(svg);
	assert_int_equal(drawer.failed, 0);
	/* the child drew, not this process */
	assert_int_equal(drawn, 0);
	drawer_finish(&drawer);
	assert_no_child();
}

static void test_nothing_to_draw_is_no_failure(void **state)
{
	struct drawer drawer = {0};

	(void)state;
	assert_null(drawer_draw(&drawer, &program, "none"));
	assert_int_equal(drawer.failed, 0);
	drawer_finish(&drawer);
	drawer_finish(&drawer);
	assert_no_child();
}

static void test_goes_on_behind_a_failure(void **state)
{
	static const char *const failures[] = {"die", "hang"};
	struct drawer drawer = {0};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(failures); i++) {
		assert_null(drawer_draw(&drawer, &program, failures[i]));
		assert_int_equal(drawer.failed, i + 1);
		assert_no_child();
		assert_drawn(&drawer, "x=1", "<svg>SB x=1</svg>");
	}
	drawer_finish(&drawer);
	assert_no_child();
}

static void test_damage_of_an_earlier_picture_is_survived(void **state)
{
	struct drawer drawer = {0};

	(void)state;
	assert_drawn(&drawer, "x=1", "<svg>SB x=1</svg>");
	/* dies in the child that has drawn before, and not in a fresh one */
	assert_drawn(&drawer, "die later", "<svg>SB die later</svg>");
	assert_int_equal(drawer.failed, 0);
	drawer_finish(&drawer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_draws),
		cmocka_unit_test(test_nothing_to_draw_is_no_failure),
		cmocka_unit_test(test_goes_on_behind_a_failure),
		cmocka_unit_test(test_damage_of_an_earlier_picture_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
