// SPDX-License-Identifier: Apache-2.0
/* What devices are given as environments fits them, and is of many kinds. */

#include "../fixture/test.h"

#include <string.h>

#include "play.h"
#include "programs.h"
#include "stress/internal.h"

TEST(defaults_fit)
{
	static const cl_device_type types[] = {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU};
	static const cl_uint units[] = {1, 2, 3, 6, 16, 132};
	static const size_t lanes[] = {8, 256, 1024, 4096};
	static const char *const texts[] = {program_across, program_together, program_mixed,
	                                    program_sub_grouped, program_at_scope};
	struct oclmm_environment environments[OCLMM_ENVIRONMENTS_MAX];
	struct oclmm_error error;

	for (size_t i = 0; i < OCLMM_COUNT(types) * OCLMM_COUNT(units) * OCLMM_COUNT(lanes) * 5;
	     i++) {
		struct program_test test = program_read(texts[i % 5]);
		struct oclmm_device_info info = {
			.type = types[i / 5 % 2],
			.compute_units = units[i / 10 % 6],
			.max_work_group_size = lanes[i / 60],
			.global_memory = 1 << 30,
			.local_memory = 1 << 15,
		};
		uint32_t n = oclmm_environment_defaults(&info, &test.plan, environments);

		assert_in_range(n, 1, OCLMM_ENVIRONMENTS_MAX);
		for (uint32_t k = 0; k < n; k++)
			if (oclmm_environment_check(&environments[k], &info, &test.plan, &error) <
			    0)
				fail_msg("environment %u: %s", k, error.message);
		oclmm_litmus_destroy(test.litmus);
	}
}

/* A CPU's defaults have a group of many work-items, more groups than units, and long polls. */
TEST(cpu_defaults_are_many_kinds)
{
	static const cl_uint units[] = {2, 3, 16, 100};
	struct program_test test = program_read(program_across);

	for (size_t i = 0; i < OCLMM_COUNT(units); i++) {
		struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX];
		struct oclmm_device_info info = {
			.type = CL_DEVICE_TYPE_CPU,
			.compute_units = units[i],
			.max_work_group_size = 4096,
			.global_memory = 1 << 30,
			.local_memory = 1 << 15,
		};
		uint32_t n = oclmm_environment_defaults(&info, &test.plan, e);
		bool wide = false, crowded = false, patient = false, odd = false;

		for (uint32_t k = 0; k < n; k++) {
			odd |= (e[k].groups + e[k].stress_groups) % 2 == 1;
			wide |= e[k].lanes >= 64 && e[k].polls > 0;
			crowded |= e[k].groups >= 8 * units[i];
			patient |= e[k].polls >= 100000;
			/* who waits for groups that cannot run yet waits in vain */
			assert_true(e[k].polls == 0 || e[k].groups <= units[i]);
		}
		assert_true(wide && crowded && patient && odd);
	}
	oclmm_litmus_destroy(test.litmus);
}

static const struct oclmm_device_info two_units = {
	.type = CL_DEVICE_TYPE_CPU,
	.compute_units = 2,
	.max_work_group_size = 4096,
	.global_memory = 1 << 30,
	.local_memory = 1 << 15,
};

/* Where the text has no stress nobody asks for any: else an environment would not be what it says.
 */
TEST(only_calm_texts_lack_stress)
{
	struct program_test test = program_read(program_across);
	struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX];
	struct oclmm_device_info info = two_units;

	for (int gpu = 0; gpu < 2; gpu++) {
		uint32_t n;

		info.type = gpu ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
		n = oclmm_environment_defaults(&info, &test.plan, e);
		for (uint32_t k = 0; k < n; k++) {
			bool calm = oclmm_text_options(oclmm_text_of(&e[k], &test.plan)).calm;

			/* where others count, too, plain counters would lose */
			assert_false(oclmm_text_options(oclmm_text_of(&e[k], &test.plan)).alone);

			/* a GPU has one text for both */
			assert_int_equal(calm, !gpu);
			e[k].stress = 1;
			assert_false(oclmm_text_options(oclmm_text_of(&e[k], &test.plan)).calm);
			e[k].stress = 0;
			e[k].pre_stress = 1;
			assert_false(oclmm_text_options(oclmm_text_of(&e[k], &test.plan)).calm);
		}
	}
	oclmm_litmus_destroy(test.litmus);
}

/* Of tests across work-groups one key in four has groups of two widths on a CPU, the others one;
 * one has more groups than eight bits can number; a GPU has as many as it has. */
TEST(cpu_environments_are_shared_out)
{
	struct program_test test = program_read(program_across);
	struct oclmm_device_info info = two_units;
	uint32_t wide = 0, many = 0;

	for (uint64_t key = 0; key < 128; key++) {
		struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX];
		uint32_t n = oclmm_environment_defaults(&info, &test.plan, e), widths = 1;
		bool crowded = false, patient = false;

		n = oclmm_environment_share(&info, &test.plan, key, e, n);
		for (uint32_t k = 0; k < n; k++) {
			widths += e[k].lanes != e[0].lanes;
			crowded |= e[k].groups >= 128 && e[k].far_groups > 0;
			many += e[k].groups > 256;
			patient |= e[k].polls >= 100000;
		}
		assert_true(crowded && patient && e[0].lanes < 16);
		assert_int_equal(widths, key % 4 == 0 ? 2 : 1);
		wide += widths == 2;
	}
	assert_int_equal(wide, 32);
	assert_int_equal(many, 32);
	info.type = CL_DEVICE_TYPE_GPU;
	for (uint64_t key = 0; key < 4; key++) {
		struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX];
		uint32_t n = oclmm_environment_defaults(&info, &test.plan, e);

		assert_int_equal(oclmm_environment_share(&info, &test.plan, key, e, n), n);
	}
	oclmm_litmus_destroy(test.litmus);
}

/* Roles that meet at a barrier. */
static const char met[] = "OPENCL met\n{ [x] = 0; }\n"
			  "P0@wg 0, dev 0 (global int *x) { *x = 1; "
			  "barrier(CLK_GLOBAL_MEM_FENCE); }\n"
			  "P1@wg 0, dev 0 (global int *x) { "
			  "barrier(CLK_GLOBAL_MEM_FENCE); int r0 = *x; }\n"
			  "exists (1:r0=0)\n";

/* Of four keys one has launches behind an offset, one such in rows, one both where its groups are
 * wide, and one neither. What costs a compilation each is alike among groups of one width. */
TEST(cpu_launches_are_of_all_kinds)
{
	static const char *const texts[] = {program_across, program_together, met};
	const struct oclmm_device_info info = two_units;

	for (uint64_t key = 0; key < 72; key++) {
		struct program_test test = program_read(texts[key / 24]);
		struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX];
		uint32_t n = oclmm_environment_defaults(&info, &test.plan, e);
		const struct oclmm_environment *last;
		bool single = false;

		n = oclmm_environment_share(&info, &test.plan, key, e, n);
		last = &e[0];
		for (uint32_t k = 1; k < n; k++) {
			if (e[k].lanes != e[0].lanes && e[k].split < OCLMM_SPLIT_NEIGHBOURS) {
				last = &e[k];
				continue;
			}
			assert_int_equal(e[k].offset, e[0].offset);
			assert_int_equal(e[k].dimensions, e[0].dimensions);
		}
		assert_int_equal(e[0].offset > 0, key % 4 == 1 || key % 4 == 2);
		assert_int_equal(e[0].dimensions > 1, key % 4 == 2 && !test.plan.has_barrier);
		/* where a group is all that a test needs, one is all that some launches have */
		for (uint32_t k = 0; k < n; k++)
			single |= e[k].groups + e[k].stress_groups ==
			          (test.plan.work_groups == 1 ? 1 : 3);
		assert_true(single);
		/* barriers are also in groups that one vector or sub-group holds */
		if (test.plan.has_barrier)
			assert_int_equal(oclmm_environment_width(last, &test.plan) == 8,
			                 key % 4 == 0);
		if (last != &e[0]) {
			assert_true(last->offset > 0);
			assert_int_equal(oclmm_environment_dimensions(last),
			                 test.plan.has_barrier ? 1 : 1 + key / 4 % 3);
		}
		oclmm_litmus_destroy(test.litmus);
	}
}

static const struct oclmm_device_info gpu = {
	.type = CL_DEVICE_TYPE_GPU,
	.compute_units = 132,
	.max_work_group_size = 1024,
	.global_memory = 1 << 30,
	.local_memory = 1 << 15,
};

/* A GPU's defaults have launches of one, two and three dimensions, with and without an offset, of
 * an odd number of groups, of one group where all roles share one, groups of one warp and of one
 * work-item, and where consumers are set apart groups that are no multiple of a warp. */
TEST(gpu_launches_are_of_all_kinds)
{
	static const char *const texts[] = {program_across, program_together, program_mixed, met};

	for (size_t i = 0; i < OCLMM_COUNT(texts); i++) {
		struct program_test test = program_read(texts[i]);
		struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX];
		uint32_t n = oclmm_environment_defaults(&gpu, &test.plan, e);
		uint32_t behind[4] = {0}, plain = 0, uneven = 0, narrow = 0, odd = 0, lone = 0,
			 ones = 0;

		for (uint32_t k = 0; k < n; k++) {
			plain += e[k].offset == 0 && e[k].dimensions == 0;
			behind[oclmm_environment_dimensions(&e[k])] += e[k].offset > 0;
			uneven += oclmm_environment_width(&e[k], &test.plan) % 32 > 1;
			narrow += oclmm_environment_width(&e[k], &test.plan) == 32;
			ones += oclmm_environment_width(&e[k], &test.plan) == 1;
			lone += e[k].groups + e[k].stress_groups == 1;
			odd += (e[k].groups + e[k].stress_groups) % 2 == 1;
		}
		assert_true(plain > 0 && behind[1] > 0 && behind[2] > 0 && behind[3] > 0);
		assert_int_equal(uneven, test.plan.plain_data);
		assert_int_equal(narrow, 1);
		assert_int_equal(lone, test.plan.work_groups == 1);
		assert_int_equal(ones, test.plan.work_groups > 1 && test.plan.crowd == 1);
		assert_true(odd > lone);
		oclmm_litmus_destroy(test.litmus);
	}
}

/* Of what compilers make of a single work-item nothing else tells on a GPU. */
TEST(gpu_queues_have_groups_of_one)
{
	struct program_test test = program_read(program_across);
	struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX];
	uint32_t n, alone = 0, more = 0;

	test.plan.parts = 2;
	n = oclmm_environment_defaults(&gpu, &test.plan, e);
	for (uint32_t k = 0; k < n; k++) {
		alone += e[k].lanes == 1;
		more += e[k].lanes > 1;
	}
	assert_true(alone > 0 && more > 0);
	oclmm_litmus_destroy(test.litmus);
}

/* Each size and number of groups that a rule may be of (runner/plant/draw.c) has its turn on a GPU,
 * in launches that fit and have no more instances than those whose place they take. */
TEST(gpu_groups_have_several_sizes)
{
	static const char *const texts[] = {program_across, program_mixed, program_at_scope};
	static const cl_uint units[] = {1, 2, 16, 132};

	for (size_t i = 0; i < OCLMM_COUNT(texts) * OCLMM_COUNT(units); i++) {
		struct program_test test = program_read(texts[i / OCLMM_COUNT(units)]);
		struct oclmm_device_info info = gpu;
		uint32_t sizes[513] = {0}, counts[65] = {0};

		info.compute_units = units[i % OCLMM_COUNT(units)];
		for (uint64_t key = 0; key < 512; key++) {
			struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX],
				usual[OCLMM_ENVIRONMENTS_MAX];
			uint32_t n = oclmm_environment_defaults(&info, &test.plan, e);

			memcpy(usual, e, sizeof(usual));
			assert_int_equal(oclmm_environment_share(&info, &test.plan, key, e, n), n);
			for (uint32_t k = 0; k < n; k++) {
				struct oclmm_environment forms[OCLMM_FORMS];
				uint32_t count = oclmm_environment_forms(&e[k], &test.plan, forms);

				for (uint32_t f = 0; f < count; f++) {
					struct oclmm_error error;
					uint32_t groups = forms[f].groups + forms[f].stress_groups,
						 lanes = forms[f].lanes;

					if (oclmm_environment_check(&forms[f], &info, &test.plan,
					                            &error) < 0)
						fail_msg("key %u: %s", (unsigned)key,
						         error.message);
					assert_true(oclmm_environment_instances(&forms[f]) <=
					            oclmm_environment_instances(&usual[k]));
					sizes[lanes < 512 ? lanes : 512]++;
					counts[groups < 64 ? groups : 64]++;
				}
			}
		}
		/* objects at program scope leave room for few instances */
		if (test.plan.crowd == 1 && !test.plan.program_bytes &&
		    !(sizes[1] && sizes[2] && sizes[32] && sizes[33] && sizes[48] && sizes[64] &&
		      counts[2] && counts[16] && counts[32]))
			fail_msg("text %zu, %u units: groups of 1, 2, 32, 33, 48 and 64: %u %u %u "
			         "%u %u %u, launches of 2, 16 and 32 groups: %u %u %u",
			         i / OCLMM_COUNT(units), info.compute_units, sizes[1], sizes[2],
			         sizes[32], sizes[33], sizes[48], sizes[64], counts[2], counts[16],
			         counts[32]);
		oclmm_litmus_destroy(test.litmus);
	}
}

/* The launches of a short run, in which each test has its own turn of each number of groups, and on
 * a GPU of groups of one and of two work-items. */
TEST(few_groups_take_turns)
{
	static const char *const texts[] = {program_across, program_together, program_mixed, met};
	enum { LAUNCHES = 32, KEYS = 128 };

	for (uint64_t i = 0; i < 2 * OCLMM_COUNT(texts) * KEYS; i++) {
		struct program_test test = program_read(texts[i / KEYS / 2]);
		const struct oclmm_device_info *info = i % 2 ? &gpu : &two_units;
		const struct oclmm_turns none = {0};
		struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX];
		uint32_t n = oclmm_environment_defaults(info, &test.plan, e), own = 0;
		bool counts[33] = {0}, sizes[3] = {0};

		n = oclmm_environment_share(info, &test.plan, i / 2 % KEYS, e, n);
		for (uint64_t block = 0; block < LAUNCHES; block++) {
			const struct oclmm_environment *taken = &e[oclmm_turn_of(&none, n, block)];
			struct oclmm_environment form = oclmm_environment_form(taken, &test.plan, n,
			                                                       block);
			uint32_t groups = oclmm_environment_places(&form, &test.plan),
				 width = oclmm_environment_width(&form, &test.plan);
			struct oclmm_error error;

			if (oclmm_environment_check(&form, info, &test.plan, &error) < 0)
				fail_msg("launch %u: %s", (unsigned)block, error.message);
			assert_int_equal(oclmm_text_of(&form, &test.plan),
			                 oclmm_text_of(taken, &test.plan));
			assert_in_range(oclmm_environment_instances(&form), 1,
			                oclmm_environment_instances(taken));
			/* compilers of CPUs would have to know */
			assert_true(i % 2 || form.lanes == taken->lanes);
			own += form.groups == taken->groups && form.lanes == taken->lanes;
			if (groups < OCLMM_COUNT(counts))
				counts[groups] = true;
			if (width < OCLMM_COUNT(sizes))
				sizes[width] = true;
		}
		if ((!counts[2] && test.plan.work_groups <= 2) || !counts[16] || !counts[32])
			fail_msg("text %u, key %u: launches of 2, 16 and 32 groups: %d %d %d",
			         (unsigned)(i / KEYS / 2), (unsigned)(i / 2 % KEYS), counts[2],
			         counts[16], counts[32]);
		assert_true(test.plan.work_groups > 1 || counts[1]);
		assert_true(i % 2 == 0 || test.plan.crowd > 1 || (sizes[1] && sizes[2]));
		/* most launches are what stimulates best */
		assert_in_range(own, LAUNCHES - 5, LAUNCHES - 1);
		oclmm_litmus_destroy(test.litmus);
	}
}

/* An environment that does not ask for them is what it was, whatever it was recorded by; and what
 * splits roles, or has sub-groups or parts of its own, is left alone. */
TEST(nothing_else_takes_forms)
{
	struct program_test test = program_read(program_across);
	const struct oclmm_environment asks = {
		.groups = 64, .lanes = 1, .rounds = 64, .direct = 1, .few_groups = 4};
	struct oclmm_environment forms[OCLMM_FORMS], e = asks;

	assert_int_equal(oclmm_environment_forms(&e, &test.plan, forms), OCLMM_FORMS);
	e.few_groups = 0;
	assert_int_equal(oclmm_environment_forms(&e, &test.plan, forms), 1);
	assert_memory_equal(forms, &e, sizeof(e));
	e = asks;
	e.split = 1;
	assert_int_equal(oclmm_environment_forms(&e, &test.plan, forms), 1);
	e = asks;
	e.rounds = 1; /* 64 instances are no round of 64 groups of two */
	assert_int_equal(oclmm_environment_forms(&e, &test.plan, forms), OCLMM_FORMS - 1);
	assert_int_equal(forms[3].groups * forms[3].lanes, 64);
	test.plan.parts = 2;
	assert_int_equal(oclmm_environment_forms(&asks, &test.plan, forms), 1);
	test.plan.parts = 1;
	test.plan.in_sub_groups = true;
	assert_int_equal(oclmm_environment_forms(&asks, &test.plan, forms), 1);
	oclmm_litmus_destroy(test.litmus);
}

/* Where a device has no room for a size, or counts the turns of loops, groups are as usual. */
TEST(sizes_that_do_not_fit_have_no_turn)
{
	static const char *const texts[] = {program_across, program_together};

	for (size_t i = 0; i < 2 * OCLMM_COUNT(texts); i++) {
		struct program_test test = program_read(texts[i / 2]);
		struct oclmm_device_info info = two_units;
		uint32_t small = 0;

		info.short_loops = i % 2;
		info.max_work_group_size = 64;
		for (uint64_t key = 0; key < 1024; key++) {
			struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX];
			uint32_t n = oclmm_environment_defaults(&info, &test.plan, e);

			n = oclmm_environment_share(&info, &test.plan, key, e, n);
			for (uint32_t k = 0; k < n; k++) {
				assert_in_range(oclmm_environment_width(&e[k], &test.plan), 1, 64);
				small += e[k].lanes == 3 || e[k].lanes == 5;
			}
		}
		assert_int_equal(small > 0, test.plan.crowd == 1 && !info.short_loops);
		oclmm_litmus_destroy(test.litmus);
	}
}

TEST(cpu_groups_have_several_sizes)
{
	static const char *const texts[] = {program_across, program_together, met};
	const struct oclmm_device_info info = two_units;

	for (size_t i = 0; i < OCLMM_COUNT(texts); i++) {
		uint32_t of[301] = {0};

		for (uint64_t key = 0; key < 1024; key++) {
			struct program_test test = program_read(texts[i]);
			struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX];
			uint32_t n = oclmm_environment_defaults(&info, &test.plan, e);

			n = oclmm_environment_share(&info, &test.plan, key, e, n);
			for (uint32_t k = 0; k < n; k++) {
				struct oclmm_error error;

				assert_int_equal(oclmm_environment_check(&e[k], &info, &test.plan,
				                                         &error),
				                 0);
				assert_in_range(e[k].lanes, 1, 300);
				assert_true(oclmm_environment_instances(&e[k]) <= 1 << 17);
				of[e[k].lanes]++;
			}
			oclmm_litmus_destroy(test.litmus);
		}
		assert_true(of[12] && of[16] && of[20] && of[24] && of[33] && of[48] && of[300]);
		assert_true(of[32] > of[20] && of[64] > of[20]);
		/* two are no vector, and only beside what is; three and five only where others have
		 * one */
		assert_int_equal(of[2] > 0, i == 0);
		assert_int_equal(of[3] > 0 && of[5] > 0, i == 0);
		assert_true(i > 0 || of[1] > of[2] + of[3] + of[5]);
	}
}

/* Where all roles share a work-group a CPU has groups of many work-items only: one width for the
 * first keys. */
TEST(cpu_groups_that_hold_all_roles_are_wide)
{
	static const size_t most[] = {4096, 64, 16, 1};
	static const char text[] = "OPENCL one\n{ [x] = 0; }\n"
				   "P0@wg 0, dev 0 (global atomic_int *x) { atomic_store(x, 1); }\n"
				   "exists ([x]=1)\n";

	for (size_t i = 0; i < OCLMM_COUNT(most); i++) {
		struct program_test test = program_read(most[i] > 1 ? program_together : text);
		struct oclmm_device_info info = two_units;

		info.max_work_group_size = most[i];
		for (uint64_t key = 0; key < 4; key++) {
			struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX];
			uint32_t n = oclmm_environment_defaults(&info, &test.plan, e);

			assert_int_equal(oclmm_environment_share(&info, &test.plan, key, e, n), n);
			for (uint32_t k = 0; k < n; k++)
				assert_int_equal(e[k].split ? 4 * e[k].lanes : e[k].lanes,
				                 most[i] < 64 ? most[i] : 64);
		}
		oclmm_litmus_destroy(test.litmus);
	}
}

/* All lanes that play a role keep the same over a barrier, unless each plays one alone. */
TEST(what_is_kept_over_a_barrier_is_told_apart)
{
	static const char kept[] =
		"OPENCL kept\n{ [x] = 0; }\n"
		"P0@wg 0, dev 0 (global int *x) { int r0 = *x; barrier(CLK_GLOBAL_MEM_FENCE); }\n"
		"P1@wg 0, dev 0 (global int *x) { barrier(CLK_GLOBAL_MEM_FENCE); *x = 1; }\n"
		"exists (0:r0=1)\n";
	const struct oclmm_device_info info = two_units;

	for (uint64_t key = 0; key < 8; key++) {
		struct program_test test = program_read(kept);
		struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX];
		uint32_t n = oclmm_environment_defaults(&info, &test.plan, e);
		bool own = false;

		n = oclmm_environment_share(&info, &test.plan, key, e, n);
		for (uint32_t k = 0; k < n; k++)
			own |= e[k].split == 2;
		assert_true(own);
		oclmm_litmus_destroy(test.litmus);
	}
}

/* Where roles are alike, an instance's work-items are neighbours in one environment; a device of
 * narrow groups has none. */
TEST(alike_roles_are_neighbours)
{
	static const char alike[] =
		"OPENCL alike\n{ [x] = 0; }\n"
		"P0@wg 0, dev 0 (global atomic_int *x) { int r0 = atomic_fetch_add(x, 1); }\n"
		"P1@wg 0, dev 0 (global atomic_int *x) { int r0 = atomic_fetch_add(x, 1); }\n"
		"exists (0:r0=1)\n";
	static const size_t most[] = {1024, 2, 1};
	struct oclmm_device_info info = two_units;

	for (size_t i = 0; i < 2 * OCLMM_COUNT(most); i++) {
		struct program_test test = program_read(alike);
		struct oclmm_environment e[OCLMM_ENVIRONMENTS_MAX];
		uint32_t n, found = 0;

		info.type = i % 2 ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
		info.max_work_group_size = most[i / 2];
		n = oclmm_environment_defaults(&info, &test.plan, e);
		n = oclmm_environment_share(&info, &test.plan, i, e, n);
		for (uint32_t k = 0; k < n; k++) {
			struct oclmm_parameters p;

			if (e[k].split != OCLMM_SPLIT_NEIGHBOURS)
				continue;
			found++;
			oclmm_draw(&e[k], test.program, &test.plan, i, &p);
			assert_int_equal(p.lane_shift[0], p.lane_shift[1]);
		}
		assert_int_equal(found, most[i / 2] > 1);
		oclmm_litmus_destroy(test.litmus);
	}
}

/* One counting work-item for all instances, of which a text without bounds must have as many as it
 * looks at. */
static void counted_alone(struct oclmm_environment e, const struct program_test *test,
                          const struct oclmm_device_info *info)
{
	struct oclmm_parameters p;
	struct oclmm_error error;
	uint32_t instances;

	oclmm_environment_count_alone(&e, &test->plan);
	if (oclmm_environment_check(&e, info, &test->plan, &error) < 0)
		fail_msg("%s", error.message);
	oclmm_draw(&e, test->program, &test->plan, 1, &p);
	instances = oclmm_environment_instances(&e);
	assert_in_range(instances, 1, 1 << 15);
	assert_int_equal(p.count_first, p.count_each);
	assert_int_equal(p.count_step, 1);
	if (oclmm_environment_any_count(&e, &test->plan))
		assert_true(p.count_each >= instances);
	else
		assert_int_equal(p.count_each, instances);
	assert_int_equal(e.direct, 0);
	assert_true(oclmm_text_options(oclmm_text_of(&e, &test->plan)).alone);
	/* how many sub-groups there are, only a device can tell */
	if (!test->plan.in_sub_groups && play_launch(&p, test->program, &test->plan, &error) < 0)
		fail_msg("%s", error.message);
}

TEST(counting_alone)
{
	static const struct oclmm_device_info devices[] = {
		{.type = CL_DEVICE_TYPE_CPU,
	         .compute_units = 2,
	         .max_work_group_size = 4096,
	         .global_memory = 1 << 30,
	         .local_memory = 1 << 15},
		{.type = CL_DEVICE_TYPE_GPU,
	         .compute_units = 132,
	         .max_work_group_size = 1024,
	         .global_memory = 1 << 30,
	         .local_memory = 1 << 15},
	};
	static const char *const texts[] = {program_across, program_together, program_mixed,
	                                    program_sub_grouped};
	struct oclmm_environment environments[OCLMM_ENVIRONMENTS_MAX];

	for (size_t i = 0; i < OCLMM_COUNT(texts) * OCLMM_COUNT(devices); i++) {
		const struct oclmm_device_info *info = &devices[i % OCLMM_COUNT(devices)];
		struct program_test test = program_read(texts[i / OCLMM_COUNT(devices)]);
		uint32_t n = oclmm_environment_defaults(info, &test.plan, environments);

		for (uint32_t k = 0; k < n; k++) {
			counted_alone(environments[k], &test, info);
			environments[k].groups = 100;
			environments[k].rounds = 3;
			counted_alone(environments[k], &test, info);
		}
		oclmm_litmus_destroy(test.litmus);
	}
}
