// SPDX-License-Identifier: Apache-2.0
/* What work-items that set objects up have to add up to: a device that does so, or not quite. */
#include "stress/internal.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <stdlib.h>

enum { MOST = 64 };

/* The kernel's loop, as src/codegen/count_kernel.c writes it. */
static void set_up(const struct oclmm_parameters *p, uint32_t work_items, uint32_t *words)
{
	uint32_t instances = p->groups * p->lanes * p->rounds;

	for (uint32_t id = 0; id < work_items; id++)
		for (uint32_t done = 0, i = id * p->count_first;
		     done < p->count_each && i < instances; done++, i += p->count_step)
			words[id]++;
}

static const struct {
	struct oclmm_parameters p;
	uint32_t work_items;
} launches[] = {
	{{.groups = 4, .lanes = 8, .rounds = 2, .count_each = 8, .count_first = 8, .count_step = 1},
         8},
	{{.groups = 4, .lanes = 8, .rounds = 2, .count_each = 8, .count_first = 1, .count_step = 8},
         8},
	{{.groups = 3, .lanes = 5, .rounds = 7, .count_each = 4, .count_first = 4, .count_step = 1},
         28},
	{{.groups = 3,
          .lanes = 5,
          .rounds = 7,
          .count_each = 4,
          .count_first = 1,
          .count_step = 28},
         28},
	{{.groups = 1, .lanes = 1, .rounds = 1, .count_each = 1, .count_first = 1, .count_step = 2},
         2},
};

static void all_that_was_launched(void **state)
{
	uint32_t words[MOST] = {0};
	struct oclmm_restored restored = {.count = MOST};

	(void)state;
	assert_int_equal(oclmm_restored_missing(&restored, words), 0);
	for (size_t i = 0; i < 3 * OCLMM_COUNT(launches); i++) {
		size_t n = i * 2 % OCLMM_COUNT(launches);

		oclmm_restored_note(&restored, &launches[n].p, launches[n].work_items);
		set_up(&launches[n].p, launches[n].work_items, words);
		assert_int_equal(oclmm_restored_missing(&restored, words), 0);
	}
	assert_int_equal(restored.shape_count, OCLMM_COUNT(launches));
	/* one too few, one twice, and one where none should be */
	words[3]--;
	words[7]++;
	words[MOST - 1]++;
	assert_int_equal(oclmm_restored_missing(&restored, words), 3);
	free(restored.shapes);
}

static uint32_t draw(uint64_t *counter, uint32_t bound)
{
	return (uint32_t)oclmm_random_below(5, (*counter)++, bound);
}

/* Shapes of any kind, also with work-items that have fewer instances than the others, or none. */
static void drawn(void **state)
{
	uint64_t counter = 0;

	(void)state;
	for (unsigned n = 0; n < 20000; n++) {
		uint32_t words[MOST] = {0}, items = 1 + draw(&counter, MOST);
		struct oclmm_restored restored = {.count = MOST};
		struct oclmm_parameters p = {.groups = 1 + draw(&counter, 9),
		                             .lanes = 1 + draw(&counter, 9),
		                             .rounds = 1 + draw(&counter, 9),
		                             .count_each = draw(&counter, 12),
		                             .count_first = draw(&counter, 12),
		                             .count_step = 1 + draw(&counter, MOST)};

		oclmm_restored_note(&restored, &p, items);
		set_up(&p, items, words);
		assert_int_equal(oclmm_restored_missing(&restored, words), 0);
		words[draw(&counter, MOST)]--;
		assert_int_equal(oclmm_restored_missing(&restored, words), 1);
		free(restored.shapes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_was_launched),
		cmocka_unit_test(drawn),
	};

	return cmocka_run_group_tests_name("stress restored", tests, NULL, NULL);
}
