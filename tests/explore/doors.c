// SPDX-License-Identifier: Apache-2.0
/*
 * The explorer and the oracle that enumerates executions answer alike.
 *
 *     doors LITMUS-FOLDER [--one-in N] [--count N] [--locks N] [--counters N] [--seed S]
 *           [--keep-going] [--swap]
 *
 * compares the variants of a folder of litmus files, one in N of them, N random tests, N locks
 * of two threads whose orders are random, seq_cst most of them, and N tests that count: which
 * states are allowed and whether something is undefined, under the readings of 2.1 and 3.1 without
 * alternatives, and under that of 2.1 with K7 where functions of OpenCL 1.x are in the test. With
 * --swap each is asked under the other's reading, which has to differ. Where the explorer says that
 * reads may be early, what it allows is a part of what the oracle does.
 */
#include <errno.h>
#include <fts.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../oracle/made.h"
#include "oclmm/explore.h"
#include "oclmm/model.h"
#include "oclmm/syntax.h"

/* The explorer is asked under the reading of the other regime. */
static bool swaps;

struct tally {
	unsigned compared, other, large, early, undefined, legacy, differ;
};

static int reading_of(const struct oclmm_answer *answer, enum oclmm_model regime,
                      unsigned alternatives)
{
	for (uint32_t i = 0; i < answer->reading_count; i++)
		if (answer->readings[i].regime == regime &&
		    answer->readings[i].alternatives == alternatives)
			return (int)i;
	return -1;
}

static bool finds(const struct oclmm_explored *found, const int64_t *values, uint32_t width)
{
	for (size_t i = 0; i < found->state_count; i++) {
		bool same = true;

		for (uint32_t k = 0; k < width; k++)
			same = same && (int64_t)found->states[i].values[k] == values[k];
		if (same)
			return true;
	}
	return false;
}

/* Whether both say the same under a reading. */
static bool agrees(const struct oclmm_program *p, const struct oclmm_answer *answer, int reading,
                   const struct oclmm_explored *found, bool part)
{
	size_t matched = 0;

	if (answer->undefined_by[reading] != (found->fault != OCLMM_EXPLORED_SOUND)) {
		/* a race may be in an execution whose reads are early */
		return part && answer->undefined_by[reading];
	}
	if (answer->undefined_by[reading])
		return true;
	for (uint32_t i = 0; i < answer->state_count; i++) {
		bool found_it = finds(found, answer->states[i].values, p->observable_count);

		if (!answer->states[i].allowed_by[reading])
			continue;
		matched += found_it;
		if (!found_it && !part)
			return false;
	}
	return matched == found->state_count;
}

static void compare(const struct oclmm_program *p, struct tally *tally)
{
	const struct oclmm_check_options check = {.models = OCLMM_MODEL_VERSIONS, .time_limit = 5};
	static const enum oclmm_model regimes[] = {OCLMM_MODEL_OPENCL_2_1, OCLMM_MODEL_OPENCL_3_1,
	                                           OCLMM_MODEL_OPENCL_2_1};
	enum { LEGACY = 2 }; /* with K7 */
	struct oclmm_explored *found = NULL;
	bool diverges = false;
	struct oclmm_answer *answer;
	struct oclmm_error error;
	int r = oclmm_explore_program(p, &(struct oclmm_explore_options){.seconds = 5}, &found);

	if (r == -EOPNOTSUPP) {
		tally->other++;
		return;
	}
	oclmm_explored_destroy(found);
	if (r < 0 || oclmm_check(p, &check, &error, &answer) < 0) {
		tally->large++;
		return;
	}
	/* The explorer's work-items wait at barriers: it has no execution in which one of them
	 * takes a way without the barrier because of what another does behind it. */
	for (size_t i = 0; i < OCLMM_COUNT(regimes); i++)
		diverges = diverges ||
		           (answer->undefined[regimes[i]] &&
		            answer->witness[regimes[i]].reason == OCLMM_UNDEFINED_DIVERGENCE);
	if (diverges) {
		oclmm_answer_destroy(answer);
		tally->other++;
		return;
	}
	tally->compared++;
	for (size_t i = 0; i < OCLMM_COUNT(regimes); i++) {
		int reading = reading_of(answer, regimes[i], i == LEGACY ? 1u << OCLMM_KNOB_K7 : 0);
		const struct oclmm_explore_options options = {
			.wide_scopes = (i == 1) != swaps,
			.legacy_device = (i == LEGACY) != swaps,
			.seconds = 5,
		};

		if (reading < 0 || oclmm_explore_program(p, &options, &found) < 0)
			continue;
		tally->legacy += i == LEGACY;
		tally->early += i == 0 && found->early;
		tally->undefined += i == 0 && answer->undefined_by[reading];
		if (!agrees(p, answer, reading, found, found->early)) {
			struct oclmm_text text = {0};

			tally->differ++;
			oclmm_program_print(&text, p);
			printf("differs under %s (undefined: %d and %d; %zu states found):\n%s\n",
			       oclmm_model_name(regimes[i]), answer->undefined_by[reading],
			       found->fault != OCLMM_EXPLORED_SOUND, found->state_count,
			       oclmm_text_string(&text));
			for (uint32_t k = 0; k < answer->state_count; k++) {
				printf("%s", answer->states[k].allowed_by[reading] ? "allowed:"
				                                                   : "forbidden:");
				for (uint32_t o = 0; o < p->observable_count; o++)
					printf(" %s=%lld", p->observables[o].name,
					       (long long)answer->states[k].values[o]);
				printf("%s\n",
				       finds(found, answer->states[k].values, p->observable_count)
				               ? ", found"
				               : "");
			}
			oclmm_text_finish(&text);
		}
		oclmm_explored_destroy(found);
		if (tally->differ)
			break;
	}
	oclmm_answer_destroy(answer);
}

static void compare_folder(char *folder, unsigned one_in, bool keep_going, struct tally *tally)
{
	char *paths[] = {folder, NULL};
	FTS *files = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *file;
	unsigned n = 0;

	while (files && (file = fts_read(files)) && (keep_going || !tally->differ)) {
		const struct oclmm_syntax_options options = {0};
		struct oclmm_litmus *litmus;
		struct oclmm_error error;
		const char *dot = strrchr(file->fts_name, '.');

		if (file->fts_info != FTS_F || !dot || strcmp(dot, ".litmus") != 0 ||
		    oclmm_litmus_read(file->fts_path, &options, &error, &litmus) < 0)
			continue;
		for (uint32_t i = 0; i < litmus->variant_count; i++)
			if (n++ % one_in == 0)
				compare(litmus->variants[i].program, tally);
		oclmm_litmus_destroy(litmus);
	}
	if (files)
		fts_close(files);
}

static void compare_random(uint64_t count, uint64_t seed, bool keep_going, struct tally *tally)
{
	for (uint64_t i = 0; i < count && (keep_going || !tally->differ); i++) {
		const struct oclmm_syntax_options options = {0};
		struct oclmm_text source = {0};
		struct oclmm_litmus *litmus;
		struct oclmm_error error;
		struct made made;

		made_generate(&made, oclmm_random(seed, i));
		made_print(&source, &made, "random");
		if (oclmm_litmus_parse("random.litmus", source.data, source.length, &options,
		                       &error, &litmus) == 0) {
			compare(litmus->variants[0].program, tally);
			oclmm_litmus_destroy(litmus);
		}
		oclmm_text_finish(&source);
	}
}

/* Seq_cst three times of four; the random number gives two bits each. */
static const char *lock_order(uint64_t random, unsigned n, bool stores)
{
	return random >> 2 * n & 3 ? "seq_cst" : stores ? "release" : "acquire";
}

/* Peterson's lock without its loop, or Dekker's: a plain write behind looks at the other's flag. */
static void print_lock(struct oclmm_text *text, uint64_t random)
{
	oclmm_text_add(text, "OPENCL lock\n{ f[2] = {0, 0}; [t] = 0; [d] = 0; }\n");
	for (unsigned me = 0; me < 2; me++) {
		uint64_t own = random >> 20 * me;

		oclmm_text_printf(text,
		                  "P%u@wg %u, dev 0 (global atomic_int *f, global atomic_int *t, "
		                  "global int *d) {\n"
		                  "atomic_store_explicit(&f[%u], 1, memory_order_%s);\n",
		                  me, me, me, lock_order(own, 0, true));
		if (own >> 10 & 3)
			oclmm_text_printf(text, "atomic_store_explicit(t, %u, memory_order_%s);\n",
			                  1 - me, lock_order(own, 1, true));
		oclmm_text_printf(text,
		                  "int a = atomic_load_explicit(&f[%u], memory_order_%s);\n"
		                  "int b = %u;\n",
		                  1 - me, lock_order(own, 2, false), me);
		if (own >> 12 & 3)
			oclmm_text_printf(
				text,
				"if (a == 1) { b = atomic_load_explicit(t, memory_order_%s); }\n",
				lock_order(own, 3, false));
		else
			oclmm_text_printf(text, "if (a == 1) { b = %u; }\n", 1 - me);
		oclmm_text_printf(text,
		                  "if (b == %u) {\n*d = %u;\n"
		                  "atomic_store_explicit(&f[%u], 0, memory_order_%s);\n}\n}\n",
		                  me, me + 1, me, own >> 14 & 1 ? "release" : "seq_cst");
	}
	oclmm_text_add(text, "exists (d=1)\n");
}

/* What counts, mostly: updates whose value nobody looks at, by two objects in turn. Beside them a
 * load, an update that goes with no other, a fence or plain data, now and then. */
static void print_counters(struct oclmm_text *text, uint64_t seed)
{
	static const char *const orders[] = {"relaxed", "relaxed", "relaxed", "acquire",
	                                     "release", "acq_rel", "seq_cst", "relaxed"};
	static const char *const ops[] = {"add", "add", "add", "sub", "or", "xor", "min", "add"};
	bool mixed = oclmm_random(seed, 900) % 2, weak = oclmm_random(seed, 901) % 2;
	unsigned threads = 2 + (unsigned)(oclmm_random(seed, 902) % 2);

	oclmm_text_add(text, "OPENCL counters\n{ c[2] = {0, 0}; [d] = 0; }\n");
	for (unsigned t = 0; t < threads; t++) {
		oclmm_text_printf(text,
		                  "P%u@wg %u, dev 0 (global atomic_int *c, global int *d) {\n", t,
		                  oclmm_random(seed, 903) % 3 ? t : t / 2);
		for (unsigned i = 0; i < 3; i++) {
			uint64_t r = oclmm_random(seed, t * 16 + i);
			unsigned k = (t + i + (r >> 40) % 4 / 3) % 2;
			const char *order = orders[weak ? 0 : (r >> 8) % 8];
			const char *scope = (r >> 50) % 16 ? "device" : "work_group";

			switch (r % 16) {
			case 0:
				oclmm_text_printf(
					text,
					"int r%u = atomic_load_explicit(&c[%u], "
					"memory_order_relaxed, memory_scope_device);\n*d = r%u;\n",
					i, k, i);
				break;
			case 1: oclmm_text_printf(text, "*d = %u;\n", t + 1); break;
			case 2: oclmm_text_printf(text, "int q%u = *d;\n", i); break;
			case 3:
			case 4:
				oclmm_text_printf(text,
				                  "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, "
				                  "memory_order_%s, memory_scope_device);\n",
				                  (r >> 20) % 2 ? "acquire" : "release");
				break;
			case 5:
				oclmm_text_printf(text,
				                  "atomic_exchange_explicit(&c[%u], %u, "
				                  "memory_order_relaxed, memory_scope_device);\n",
				                  k, t + 3);
				break;
			case 6:
				oclmm_text_printf(
					text,
					"int s%u = atomic_fetch_add_explicit(&c[%u], 1, "
					"memory_order_relaxed, memory_scope_device);\n"
					"if (s%u == 1) { atomic_fetch_add_explicit(&c[%u], 4, "
					"memory_order_relaxed, memory_scope_device); }\n",
					i, k, i, 1 - k);
				break;
			default:
				oclmm_text_printf(text,
				                  "atomic_fetch_%s_explicit(&c[%u], %u, "
				                  "memory_order_%s, memory_scope_%s);\n",
				                  ops[mixed ? (r >> 12) % 8 : 0], k,
				                  (unsigned)(r >> 30) % 3 + 1, order, scope);
			}
		}
		oclmm_text_add(text, "}\n");
	}
	oclmm_text_add(text, "exists (c[0]=1 /\\ c[1]=1 /\\ d=1)\n");
}

/* Of drawn tests, as each of the random numbers has one written. */
static void compare_drawn(const char *name, void (*print)(struct oclmm_text *text, uint64_t random),
                          uint64_t count, uint64_t seed, bool keep_going, struct tally *tally)
{
	for (uint64_t i = 0; i < count && (keep_going || !tally->differ); i++) {
		struct oclmm_text source = {0};
		struct oclmm_litmus *litmus;
		struct oclmm_error error;

		print(&source, oclmm_random(seed, i));
		if (oclmm_litmus_parse(name, source.data, source.length, NULL, &error, &litmus) <
		    0) {
			puts(error.message);
			tally->differ++;
		} else {
			compare(litmus->variants[0].program, tally);
			oclmm_litmus_destroy(litmus);
		}
		oclmm_text_finish(&source);
	}
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"one-in", required_argument, NULL, 'o'},   {"count", required_argument, NULL, 'c'},
		{"seed", required_argument, NULL, 's'},     {"keep-going", no_argument, NULL, 'k'},
		{"swap", no_argument, NULL, 'w'},           {"locks", required_argument, NULL, 'l'},
		{"counters", required_argument, NULL, 'n'}, {0}};
	unsigned long one_in = 1, count = 0, locks = 0, counters = 0, seed = 1;
	struct tally tally = {0};
	bool keep_going = false;
	int letter;

	while ((letter = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (letter) {
		case 'o': one_in = strtoul(optarg, NULL, 10); break;
		case 'c': count = strtoul(optarg, NULL, 10); break;
		case 'n': counters = strtoul(optarg, NULL, 10); break;
		case 'l': locks = strtoul(optarg, NULL, 10); break;
		case 's': seed = strtoul(optarg, NULL, 10); break;
		case 'k': keep_going = true; break;
		case 'w': swaps = true; break;
		default: return 2;
		}
	if (optind < argc)
		compare_folder(argv[optind], one_in ? (unsigned)one_in : 1, keep_going, &tally);
	compare_random(count, seed, keep_going, &tally);
	compare_drawn("lock.litmus", print_lock, locks, seed, keep_going, &tally);
	compare_drawn("counters.litmus", print_counters, counters, seed, keep_going, &tally);
	printf("%u compared, %u of them with early reads and %u undefined, %u with K7; %u too "
	       "large; %u not taken; %u differ\n",
	       tally.compared, tally.early, tally.undefined, tally.legacy, tally.large, tally.other,
	       tally.differ);
	return tally.differ || tally.compared == 0 || (optind < argc && tally.legacy == 0);
}
