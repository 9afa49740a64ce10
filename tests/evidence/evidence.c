// SPDX-License-Identifier: Apache-2.0

#include "../fixture/test.h"

#include <errno.h>

#include "oclmm/evidence.h"

/* A test beside a weaker and a moved control. */
static struct oclmm_evidence *make(struct oclmm_arena *arena)
{
	struct oclmm_evidence *evidence = oclmm_evidence_create(arena, 2);

	assert_int_equal(oclmm_evidence_add_control(evidence, "SB", OCLMM_CONTROL_WEAKER, 1), 0);
	assert_int_equal(oclmm_evidence_add_control(evidence, "SB+sc~x", OCLMM_CONTROL_MOVED, 2),
	                 0);
	return evidence;
}

static void check_sum(const struct oclmm_evidence *evidence, size_t member, uint64_t launches,
                      uint64_t hits)
{
	struct oclmm_launches sum = oclmm_evidence_sum(evidence, member);

	assert_true(sum.launches == launches);
	assert_true(sum.hits == hits);
}

TEST(test_words)
{
	assert_string_equal(oclmm_control_kind_word(OCLMM_CONTROL_WEAKER), "weaker");
	assert_string_equal(oclmm_control_kind_speaks_for(OCLMM_CONTROL_WEAKER), "hardware");
	assert_string_equal(oclmm_control_kind_word(OCLMM_CONTROL_MOVED), "moved");
	assert_string_equal(oclmm_control_kind_speaks_for(OCLMM_CONTROL_MOVED), "compiler");
}

/* Equal blocks that follow each other are one element; their order stays. */
TEST(test_blocks)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_evidence *evidence = make(arena);

	check_sum(evidence, 2, 0, 0);
	for (uint64_t i = 0; i < 5; i++) {
		const struct oclmm_launches members[] = {{1, 0}, {1, i == 3}, {2, 1}};

		assert_int_equal(oclmm_evidence_add_blocks(evidence, 1, members), 0);
	}
	assert_int_equal(evidence->block_count, 3);
	assert_true(evidence->blocks[0].repeat == 3 && evidence->blocks[1].repeat == 1);
	assert_true(evidence->blocks[1].members[1].hits == 1);
	check_sum(evidence, 0, 5, 0);
	check_sum(evidence, 1, 5, 1);
	check_sum(evidence, 2, 10, 5);
	assert_int_equal(oclmm_evidence_add_control(evidence, "late", OCLMM_CONTROL_MOVED, 3),
	                 -EBUSY);
	oclmm_arena_destroy(arena);
}

/* What cannot have happened changes nothing. */
TEST(test_refused)
{
	static const uint64_t huge = UINT64_MAX;
	const struct oclmm_launches more_hits[] = {{1, 0}, {1, 2}, {1, 0}},
				    too_many[] = {{OCLMM_BLOCK_LAUNCHES + 1, 0}, {1, 0}, {1, 0}},
				    good[] = {{OCLMM_BLOCK_LAUNCHES, 0}, {1, 0}, {1, 1}};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_evidence *evidence = make(arena);

	assert_int_equal(oclmm_evidence_add_control(evidence, "SB", OCLMM_CONTROL_MOVED, 3),
	                 -EEXIST);
	assert_int_equal(oclmm_evidence_add_blocks(evidence, 1, more_hits), -EINVAL);
	assert_int_equal(oclmm_evidence_add_blocks(evidence, 0, good), -EINVAL);
	assert_int_equal(oclmm_evidence_add_blocks(evidence, 1, too_many), -EOVERFLOW);
	assert_int_equal(oclmm_evidence_add_blocks(evidence, huge, good), -EOVERFLOW);
	assert_int_equal(evidence->block_count, 0);
	/* 2^53 launches in all, and not one more */
	assert_int_equal(oclmm_evidence_add_blocks(evidence, UINT64_C(1) << 40, good), 0);
	assert_int_equal(oclmm_evidence_add_blocks(evidence, UINT64_C(1) << 40, good), 0);
	assert_int_equal(oclmm_evidence_add_blocks(evidence, UINT64_C(1) << 41, good), -EOVERFLOW);
	check_sum(evidence, 0, UINT64_C(1) << 53, 0);
	check_sum(evidence, 2, UINT64_C(1) << 41, UINT64_C(1) << 41);
	oclmm_arena_destroy(arena);
}

/* A launch with more instances is likelier to be a hit: such launches are not compared. */
TEST(test_sizes)
{
	static const struct {
		struct oclmm_launches members[3];
		uint64_t instances[3];
		int r;
	} cases[] = {
		{{{1, 0}, {1, 0}, {1, 0}}, {7, 7, 7}, 0},
		{{{1, 0}, {1, 0}, {1, 0}}, {7, 7, 8}, -EINVAL},
		{{{1, 0}, {1, 0}, {1, 0}}, {0, 7, 7}, -EINVAL},
		{{{2, 0}, {1, 0}, {4, 0}}, {14, 7, 28}, 0},
		{{{2, 0}, {1, 0}, {4, 0}}, {14, 7, 27}, -EINVAL},
		/* a last launch that is shorter, in all */
		{{{2, 0}, {2, 0}, {4, 0}}, {13, 13, 26}, 0},
		{{{2, 0}, {2, 0}, {3, 0}}, {13, 13, 20}, -EINVAL},
		/* one that did not run has none, wherever it stands */
		{{{1, 0}, {0, 0}, {1, 0}}, {7, 0, 7}, 0},
		{{{0, 0}, {1, 0}, {1, 0}}, {0, 7, 7}, 0},
		{{{0, 0}, {1, 0}, {1, 0}}, {0, 7, 6}, -EINVAL},
		{{{1, 0}, {0, 0}, {1, 0}}, {7, 7, 7}, -EINVAL},
		{{{1, 0}, {1, 0}, {1, 0}}, {UINT64_MAX, UINT64_MAX, UINT64_MAX}, -EINVAL},
	};

	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		struct oclmm_arena *arena = oclmm_arena_create();
		struct oclmm_evidence *evidence = make(arena);

		assert_int_equal(oclmm_evidence_add_sized_blocks(evidence, 2, cases[i].members,
		                                                 cases[i].instances),
		                 cases[i].r);
		assert_int_equal(evidence->block_count, cases[i].r == 0);
		/* what is known of one block and not of the next does not join them */
		oclmm_evidence_add_blocks(evidence, 1, cases[i].members);
		assert_int_equal(evidence->block_count, 1 + (cases[i].r == 0));
		oclmm_evidence_add_blocks(evidence, 1, cases[i].members);
		assert_int_equal(evidence->block_count, 1 + (cases[i].r == 0));
		oclmm_arena_destroy(arena);
	}
}

TEST(test_counts)
{
	const int64_t a[] = {0, 0}, b[] = {0, 1};
	const uint32_t swapped[] = {1, 0};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_evidence *evidence = make(arena);

	oclmm_evidence_add_outcome(evidence, b, 3);
	oclmm_evidence_add_outcome(evidence, a, 1);
	oclmm_evidence_add_outcome(evidence, b, 4);
	assert_int_equal(evidence->outcome_count, 2);
	assert_true(evidence->outcomes[0].count == 7 && evidence->outcomes[1].count == 1);
	oclmm_evidence_reorder(evidence, swapped);
	assert_true(evidence->outcomes[0].values[0] == 1 && evidence->outcomes[0].values[1] == 0);
	oclmm_evidence_add_instances(evidence, 1, UINT64_MAX);
	oclmm_evidence_add_instances(evidence, 1, 5);
	assert_true(oclmm_evidence_find(evidence, "SB+sc~x")->instances == UINT64_MAX);
	assert_null(oclmm_evidence_find(evidence, "SB+sc"));
	oclmm_evidence_add_rounds(evidence, 10, 12);
	oclmm_evidence_add_rounds(evidence, 10, 2);
	assert_true(evidence->rounds == 20 && evidence->met == 12);
	oclmm_arena_destroy(arena);
}

/* Memory that nobody wrote has as many outcomes as instances. */
TEST(test_many_outcomes)
{
	enum { MANY = 400000 };
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_evidence *evidence = oclmm_evidence_create(arena, 2);
	const uint32_t places[] = {1, 0};

	for (int round = 0; round < 3; round++) {
		for (int64_t i = 0; i < MANY; i++) {
			const int64_t values[] = {round < 2 ? i : -i, round < 2 ? -i : i};

			oclmm_evidence_add_outcome(evidence, values, (uint64_t)i + 1);
		}
		if (round == 1)
			oclmm_evidence_reorder(evidence, places);
	}
	assert_int_equal(evidence->outcome_count, MANY);
	for (int64_t i = 0; i < MANY; i++) {
		assert_int_equal(evidence->outcomes[i].values[0], -i);
		assert_int_equal(evidence->outcomes[i].count, 3 * (i + 1));
	}
	oclmm_arena_destroy(arena);
}

TEST(test_extend)
{
	const struct oclmm_launches silent[] = {{1, 0}, {1, 0}, {1, 0}},
				    hit[] = {{1, 0}, {1, 0}, {1, 1}};
	const int64_t outcome[] = {0, 0};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_evidence *whole = make(arena), *part = make(arena),
			      *other = oclmm_evidence_create(arena, 2);

	oclmm_evidence_add_blocks(whole, 3, silent);
	oclmm_evidence_add_blocks(part, 2, silent);
	oclmm_evidence_add_blocks(part, 4, hit);
	oclmm_evidence_add_outcome(part, outcome, 9);
	oclmm_evidence_add_instances(part, 1, 70);
	oclmm_evidence_add_rounds(part, 100, 1);
	assert_int_equal(oclmm_evidence_extend(whole, other), -EINVAL);
	assert_int_equal(oclmm_evidence_extend(whole, part), 0);
	assert_int_equal(whole->block_count, 2);
	check_sum(whole, 0, 9, 0);
	check_sum(whole, 2, 9, 4);
	assert_true(whole->outcomes[0].count == 9 && whole->controls[1].instances == 70);
	assert_true(whole->rounds == 100 && whole->met == 1);
	oclmm_arena_destroy(arena);
}
