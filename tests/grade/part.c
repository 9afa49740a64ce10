// SPDX-License-Identifier: Apache-2.0
/* Parts of a test: what may be put together, and what comes of it. */

#include "../fixture/test.h"

#include <errno.h>

#include "../fixture/record.h"

#define A OCLMM_STATUS_ALLOWED
#define F OCLMM_STATUS_FORBIDDEN

/* Launches 0 and 1, and those from 2: 00 is forbidden. */
struct pair {
	struct made whole, part;
};

static void init(struct pair *pair, uint64_t weak_before, uint64_t weak_after)
{
	made_init(&pair->whole, "SB", F, (const uint64_t[]){weak_before, 30, 10, 0});
	made_init(&pair->part, "SB", F, (const uint64_t[]){weak_after, 500, 0, 7});
	pair->whole.record.counts.launches = 2;
	pair->whole.record.counts.stimulus = 1;
	pair->part.record.first_launch = 2;
	pair->part.record.counts.launches = 5;
	pair->part.record.counts.stimulus = 2;
}

static void finish(struct pair *pair)
{
	made_finish(&pair->whole);
	made_finish(&pair->part);
}

TEST(test_sums)
{
	struct oclmm_record *whole;
	struct pair pair;

	init(&pair, 0, 0);
	whole = &pair.whole.record;
	assert_int_equal(oclmm_record_extend(whole, &pair.part.record), 0);
	assert_int_equal(whole->counts.instances, 40 + 507);
	assert_int_equal(oclmm_histogram_total(whole->counts.histogram), 40 + 507);
	assert_int_equal(whole->counts.launches, 7);
	assert_int_equal(whole->first_launch, 0);
	assert_int_equal(whole->counts.stimulus, 2);
	assert_true(whole->counts.seconds > 1.99 && whole->counts.seconds < 2.01);
	made_grade(&pair.whole, NULL);
	assert_int_equal(whole->grade.verdict, OCLMM_VERDICT_PASS);
	assert_int_equal(whole->grade.instances, 547);
	/* and on it goes behind both */
	pair.part.record.first_launch = 7;
	/* but with no copy of what is there: each launch changes the stimulus */
	assert_int_equal(oclmm_record_extend(whole, &pair.part.record), -EINVAL);
	assert_int_equal(whole->counts.launches, 7);
	pair.part.record.counts.stimulus = 3;
	assert_int_equal(oclmm_record_extend(whole, &pair.part.record), 0);
	assert_int_equal(whole->counts.launches, 12);
	finish(&pair);
}

/* Both from the same tools. */
TEST(test_intermediate_language)
{
	char again[] = "clang 16.0";
	struct pair pair;

	init(&pair, 0, 0);
	pair.whole.record.identity.il = "clang 16.0";
	pair.part.record.identity.il = again;
	assert_int_equal(oclmm_record_extend(&pair.whole.record, &pair.part.record), 0);
	assert_int_equal(pair.whole.record.counts.instances, 547);
	finish(&pair);
}

/* Where launches were halved: one list for both parts, or none where one part does not tell. */
TEST(test_halvings)
{
	struct oclmm_record *whole;
	struct pair pair;

	init(&pair, 0, 0);
	whole = &pair.whole.record;
	whole->counts.halved = 1;
	whole->counts.halved_at = (struct oclmm_halvings){1, {1}};
	pair.part.record.counts.halved = 2;
	pair.part.record.counts.halved_at = (struct oclmm_halvings){2, {3, 5}};
	assert_int_equal(oclmm_record_extend(whole, &pair.part.record), 0);
	assert_int_equal(whole->counts.halved, 3);
	assert_int_equal(whole->counts.halved_at.count, 3);
	assert_memory_equal(whole->counts.halved_at.at, ((uint64_t[]){1, 3, 5}),
	                    3 * sizeof(uint64_t));
	pair.part.record.first_launch = 7;
	pair.part.record.counts.stimulus = 3;
	pair.part.record.counts.halved_at.count = 0;
	assert_int_equal(oclmm_record_extend(whole, &pair.part.record), 0);
	assert_int_equal(whole->counts.halved, 5);
	assert_int_equal(whole->counts.halved_at.count, 0);
	finish(&pair);
}

TEST(test_refuses)
{
	struct pair pair;

#define REFUSED(change)                                                                            \
	do {                                                                                       \
		init(&pair, 0, 0);                                                                 \
		change;                                                                            \
		assert_int_equal(oclmm_record_extend(&pair.whole.record, &pair.part.record),       \
		                 -EINVAL);                                                         \
		assert_int_equal(pair.whole.record.counts.instances, 40);                          \
		finish(&pair);                                                                     \
	} while (0)
	REFUSED(pair.part.record.first_launch = 0); /* the same again */
	REFUSED(pair.part.record.first_launch = 1); /* once more what was there */
	REFUSED(pair.part.record.first_launch = 3); /* a gap */
	REFUSED(pair.part.record.seed = 1);
	REFUSED(pair.part.record.identity.device = "Pocket CPU");
	REFUSED(pair.part.record.identity.device_id = "0000:01:00.0");
	REFUSED(pair.part.record.identity.driver = "1.3");
	REFUSED(pair.part.record.environment = "stride=3");
	REFUSED(pair.part.record.identity.version = "OpenCL 2.0");
	REFUSED(pair.part.record.support = OCLMM_CLASS_ACCEPTED);  /* which would not gate … */
	REFUSED(pair.whole.record.support = OCLMM_CLASS_ACCEPTED); /* … nor would the whole */
	REFUSED(pair.part.record.identity.il = "clang 16.0"); /* the first one was of OpenCL C … */
	REFUSED(pair.whole.record.identity.il = "clang 16.0"); /* … or the second one is */
	REFUSED(pair.part.record.identity.il = "clang 16.0";
	        pair.whole.record.identity.il = "clang 17.0");
	REFUSED(pair.part.sb.program.hash++);
	REFUSED(pair.whole.record.end = OCLMM_END_CRASH);
#undef REFUSED
}

/* A device that crashes later cannot take back what it showed before. */
TEST(test_failed_part)
{
	static const enum oclmm_verdict wanted[] = {OCLMM_VERDICT_CRASH, OCLMM_VERDICT_FORBIDDEN};
	struct pair pair;

	for (uint64_t weak = 0; weak < 2; weak++) {
		struct oclmm_record *part = &pair.part.record;

		init(&pair, weak, 0);
		oclmm_histogram_destroy(part->counts.histogram);
		part->counts.histogram = NULL;
		part->counts.instances = part->counts.launches = 0;
		part->end = OCLMM_END_OUT_OF_MEMORY;
		part->message = "out of memory: clCreateBuffer";
		assert_int_equal(oclmm_record_extend(&pair.whole.record, part), 0);
		made_grade(&pair.whole, NULL);
		assert_int_equal(pair.whole.record.grade.verdict, wanted[weak]);
		assert_int_equal(pair.whole.record.end, OCLMM_END_OUT_OF_MEMORY);
		assert_int_equal(pair.whole.record.counts.instances, 40 + weak);
		assert_string_equal(pair.whole.record.message, part->message);
		finish(&pair);
	}
}

TEST(test_forbidden_in_a_part)
{
	struct pair pair;

	init(&pair, 0, 1);
	assert_int_equal(oclmm_record_extend(&pair.whole.record, &pair.part.record), 0);
	made_grade(&pair.whole, NULL);
	assert_int_equal(pair.whole.record.grade.verdict, OCLMM_VERDICT_FORBIDDEN);
	assert_int_equal(pair.whole.record.grade.forbidden, 1);
	finish(&pair);
}

/* A total order in which `forbidden` is the last and infrastructure comes before all but it. */
TEST(test_worse)
{
	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++) {
		enum oclmm_verdict a = (enum oclmm_verdict)i;

		assert_int_equal(oclmm_verdict_worse(a, OCLMM_VERDICT_FORBIDDEN),
		                 OCLMM_VERDICT_FORBIDDEN);
		assert_int_equal(oclmm_verdict_worse(a, a), a);
		for (int k = 0; k < OCLMM_VERDICT_COUNT; k++) {
			enum oclmm_verdict b = (enum oclmm_verdict)k,
					   worse = oclmm_verdict_worse(a, b);

			assert_int_equal(worse, oclmm_verdict_worse(b, a));
			if (oclmm_verdict_is_infrastructure(a) &&
			    !oclmm_verdict_is_infrastructure(b) && b != OCLMM_VERDICT_FORBIDDEN)
				assert_int_equal(worse, a);
		}
	}
}

static struct oclmm_evidence *make_evidence(struct oclmm_arena *arena, const char *control)
{
	const struct oclmm_launches members[] = {{1, 0}, {1, 1}};
	struct oclmm_evidence *evidence = oclmm_evidence_create(arena, 2);

	oclmm_evidence_add_control(evidence, control, OCLMM_CONTROL_WEAKER, 0);
	oclmm_evidence_add_blocks(evidence, 2, members);
	return evidence;
}

/* Launches beside one control add up; beside another they are another test's evidence. */
TEST(test_evidence)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct pair pair;

	init(&pair, 0, 0);
	pair.whole.record.evidence = make_evidence(arena, "SB");
	pair.part.record.evidence = make_evidence(arena, "LB");
	assert_int_equal(oclmm_record_extend(&pair.whole.record, &pair.part.record), -EINVAL);
	assert_int_equal(pair.whole.record.counts.instances, 40);
	pair.part.record.evidence = make_evidence(arena, "SB");
	assert_int_equal(oclmm_record_extend(&pair.whole.record, &pair.part.record), 0);
	assert_int_equal(oclmm_evidence_sum(pair.whole.record.evidence, 1).hits, 4);
	/* a part that died takes nothing of what was there */
	pair.part.record.first_launch = 7;
	pair.part.record.counts.stimulus = 3;
	pair.part.record.evidence = NULL;
	assert_int_equal(oclmm_record_extend(&pair.whole.record, &pair.part.record), 0);
	assert_int_equal(oclmm_evidence_sum(pair.whole.record.evidence, 1).hits, 4);
	finish(&pair);
	oclmm_arena_destroy(arena);
}
