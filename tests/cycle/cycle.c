// SPDX-License-Identifier: Apache-2.0
/* Cycles: words, threads and locations, values worked out by hand, refusals, enumeration. */
#include <stdio.h>
#include <string.h>

#include "../fixture/test.h"

#include "oclmm/cycle.h"
#include "oclmm/syntax.h"

static struct oclmm_cycle parse(const char *words)
{
	struct oclmm_cycle cycle;
	struct oclmm_error error;

	if (oclmm_cycle_parse(words, &error, &cycle) < 0)
		fail_msg("%s: %s", words, error.message);
	return cycle;
}

/* ---- words ---- */

/* Words in canonical form, which come out as they went in. */
static const char *const canonical[] = {
	"W.rlx PodWW W.rel Rfe R.acq PodRR R.rlx Fre",
	"W.rlx F.rel PodWW W.rlx Rfe R.rlx DpCtrldRR F.acq R.rlx Fre",
	"W.rlx.wg PodWW W.rel.wg.L Rfe.wg R.acq.wg PodRR R.rlx.wg Fre.wg",
	"W.rlx mem_fence.G PodWW W.rlx.L Rfe.wg R.rlx F.acq.L.wg PodRR R.rlx Fre.wg",
	"W.rlx.svm PodWW W.rel.svm Rfe.sg R.acq PodRR R.rlx Fre.sg",
	"W.rlx.host PodWW W.rel.host Rfe R.acq PodRR R.rlx Fre",
	"W.rlx PodWW W.rel Rfe.all R.acq PodRR R.rlx Fre.all",
	"W.rlx BarsWR R.rlx Fre.wg",
	"W.rlx barrier.none.dev PodWW W.rlx Rfe R.rlx PodRR R.rlx Fre",
	"U.xchg.legacy PodWW U.add.legacy Rfe.wg U.add.legacy PodRR U.or.legacy Fre.wg",
	"W.rlx.long PodWW W.clear.rel Rfe U.tas.acq PodRR R.rlx Fre",
	"W.na PodWW W.rel Rfe U.cas.fail.acq DpCtrldRR R.na Fre",
	"R.rlx DpDatadRW W.rlx Rfe R.rlx DpDatadRW W.rlx Rfe",
	"W.rlx PodWW W.rel PosWW W.rlx Rfe R.acq PodRR R.rlx Fre",
};

TEST(test_words_come_out_as_they_went_in)
{
	for (size_t i = 0; i < OCLMM_COUNT(canonical); i++) {
		struct oclmm_cycle cycle = parse(canonical[i]);
		struct oclmm_text text = {0};

		oclmm_cycle_print(&text, &cycle);
		assert_string_equal(oclmm_text_string(&text), canonical[i]);
		oclmm_text_finish(&text);
	}
}

TEST(test_accesses_may_be_left_out)
{
	struct oclmm_cycle a = parse("PodWW Rfe PodRR Fre");
	struct oclmm_cycle b = parse("  PodWW W Rfe\tR.rlx PodRR R Fre W.rlx.dev\n");
	struct oclmm_text x = {0}, y = {0};

	assert_int_equal(oclmm_cycle_body(&a, NULL, &x), 0);
	assert_int_equal(oclmm_cycle_body(&b, NULL, &y), 0);
	assert_string_equal(oclmm_text_string(&x), oclmm_text_string(&y));
	oclmm_text_finish(&x);
	oclmm_text_finish(&y);
}

TEST(test_a_cycle_begins_with_a_thread)
{
	struct oclmm_cycle cycle = parse("Rfe PodRR Fre PodWW");

	assert_int_equal(cycle.thread_count, 2);
	assert_int_equal(cycle.location_count, 2);
	/* turned to the first edge that comes from another thread: the reader */
	assert_int_equal(cycle.access[0].thread, 0);
	assert_false(cycle.access[0].writes);
	assert_int_equal(cycle.access[1].thread, 0);
	assert_int_equal(cycle.access[3].thread, 1);
	assert_int_equal(cycle.access[0].location, cycle.access[3].location);
	assert_int_equal(cycle.access[1].location, cycle.access[2].location);
}

/* ---- outcomes ---- */

/* Cycles and the condition that shows them, worked out by hand. */
static const struct {
	const char *words, *condition;
} outcomes[] = {
	{"PodWW Rfe PodRR Fre", "exists (1:r0=1 /\\ 1:r1=0)"},
	{"PodWR Fre PodWR Fre", "exists (0:r0=0 /\\ 1:r0=0)"},
	{"PodRW Rfe PodRW Rfe", "exists (0:r0=1 /\\ 1:r0=1)"},
	{"PodWW Rfe PodRW Coe", "exists (1:r0=1 /\\ [x]=2)"},
	{"PodWW Coe PodWR Fre", "exists (1:r0=0 /\\ [y]=2)"},
	{"PodWW Coe PodWW Coe", "exists ([x]=2 /\\ [y]=2)"},
	{"Rfe PodRW Rfe PodRW Coe", "exists (1:r0=2 /\\ 2:r0=1 /\\ [x]=2)"},
	{"Rfe PodRR Fre Rfe PodRR Fre", "exists (1:r0=1 /\\ 1:r1=0 /\\ 3:r0=1 /\\ 3:r1=0)"},
	{"Rfe PosRR Fre", "exists (1:r0=1 /\\ 1:r1=0)"},
	{"PosWW Coi", "exists ([x]=2)"},
	{"PosRW Rfi", "exists (0:r0=1)"},
	/* the update reads the flag's 1 and makes it 2; the last thread sees the 2 */
	{"PodWW Rfe U.add Rfe PodRR Fre", "exists (1:r0=1 /\\ 2:r0=2 /\\ 2:r1=0)"},
	{"PodWW U.or Rfe U.or Rfe PodRR Fre", "exists (1:r0=1 /\\ 2:r0=3 /\\ 2:r1=0)"},
	/* min has nothing to take from a 0 */
	{"PodWW U.min Rfe PodRR Fre", "exists (1:r0=6 /\\ 1:r1=0)"},
	{"PodWW W.clear Rfe U.tas PodRR R.long Fre", "exists (1:r0=0 /\\ 1:r1=0)"},
	{"PodWW W.long Rfe PodRR Fre", "exists (1:r0=4294967297 /\\ 1:r1=0)"},
	/* a compare-exchange says whether it succeeded, and one that fails what it found */
	{"PodWW Rfe U.cas PodRR Fre", "exists (1:r0=1 /\\ 1:r1=0)"},
	{"PodWW Rfe U.cas.fail PodRR Fre", "exists (1:r0=0 /\\ 1:e0=1 /\\ 1:r1=0)"},
	/* of the two writes of y the second is read */
	{"PodWW PosWW Rfe PodRR Fre", "exists (1:r0=2 /\\ 1:r1=0)"},
};

TEST(test_outcomes)
{
	for (size_t i = 0; i < OCLMM_COUNT(outcomes); i++) {
		struct oclmm_cycle cycle = parse(outcomes[i].words);
		struct oclmm_text text = {0};
		const char *found;

		assert_int_equal(oclmm_cycle_body(&cycle, NULL, &text), 0);
		found = strstr(oclmm_text_string(&text), "exists (");
		assert_non_null(found);
		if (strncmp(found, outcomes[i].condition, strlen(outcomes[i].condition)) != 0)
			fail_msg("%s: %s", outcomes[i].words, found);
		oclmm_text_finish(&text);
	}
}

/* Of every shape, with nothing on it, the outcome is allowed, but for coherence. */
TEST(test_shapes_are_legal_tests)
{
	const struct oclmm_shape *shapes;
	size_t count = oclmm_shapes(&shapes);

	for (size_t i = 0; i < count; i++) {
		struct oclmm_cycle cycle = parse(shapes[i].edges), again;
		struct oclmm_check_options options = {0};
		struct oclmm_litmus *litmus;
		struct oclmm_answer *answer;
		struct oclmm_error error;
		struct oclmm_text name;

		assert_int_equal(oclmm_cycle_program(&cycle, &error, &litmus), 0);
		assert_int_equal(
			oclmm_check(litmus->variants[0].program, &options, &error, &answer), 0);
		assert_int_equal(oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS),
		                 strncmp(shapes[i].name, "Co", 2) ? OCLMM_OBSERVATION_SOMETIMES
		                                                  : OCLMM_OBSERVATION_NEVER);
		oclmm_answer_destroy(answer);
		assert_true(oclmm_cycle_recognise(litmus->variants[0].program, &again));
		oclmm_text_init(&name);
		oclmm_cycle_shape(&name, &again);
		assert_string_equal(oclmm_text_string(&name), shapes[i].name);
		oclmm_text_finish(&name);
		oclmm_litmus_destroy(litmus);
	}
	assert_true(count > 25);
}

/* ---- names ---- */

static const struct {
	const char *words, *name;
} names[] = {
	{"W.rlx PodWW W.rel Rfe R.acq PodRR R.rlx Fre", "MP+rel+acq"},
	{"W.rel PodWW W.rlx Rfe R.rlx PodRR R.acq Fre", "MP+rel-rlx+rlx-acq"},
	{"W.sc PodWR R.sc Fre W.sc PodWR R.sc Fre", "SB+sc+sc"},
	{"PodWW Rfe PodRR Fre", "MP+rlx+rlx"},
	{"R.acq PodRW W.rel Rfe R.acq PodRW W.rel Rfe", "LB+acq-rel+acq-rel"},
	{"F.rel PodWW Rfe F.acq.wg PodRR Fre", "MP+fence-rel+fence-acq-wg"},
	{"W.rlx.wg PodWW W.rel.wg Rfe.wg R.acq.wg PodRR R.rlx.wg Fre", "MP+rel+acq+wg+wg00"},
	{"W.L PodWW W.rel.L Rfe R.acq PodRR Fre", "MP+rel+acq+local+wg00"},
	{"R DpCtrldRW Rfe DpDatadRW Rfe", "LB+ctrl+data"},
	{"W.host PodWW W.rel Rfe R.acq PodRR Fre", "MP+rel+acq+wgh0"},
};

TEST(test_names)
{
	for (size_t i = 0; i < OCLMM_COUNT(names); i++) {
		struct oclmm_cycle cycle = parse(names[i].words);
		struct oclmm_text text = {0};

		oclmm_cycle_name(&text, &cycle);
		assert_string_equal(oclmm_text_string(&text), names[i].name);
		oclmm_text_finish(&text);
	}
}

/* ---- refusals ---- */

static const struct {
	const char *words;
	unsigned column;
	const char *message;
} refusals[] = {
	{"", 0, "no edge"},
	{"PodWW Rfe PodRR", 1, "PodWW begins with a write, and PodRR before it ends in a read"},
	{"PodWW Rfe PodWR Fre", 11, "PodWR begins with a write, and Rfe before it ends in a read"},
	{"PodWW Rfe PadRR Fre", 11, "unknown edge `PadRR`"},
	{"PodWW W.relaxed Rfe PodRR Fre", 9, "unknown attribute `relaxed`"},
	{"PodWW.G Rfe PodRR Fre", 7, "`G` is not said of this edge"},
	{"W.GL PodWW Rfe PodRR Fre", 3, "`GL` is not said of an access"},
	{"PodWW mem_fence.acq Rfe PodRR Fre", 17, "`acq` is not said of this fence"},
	{"PodWW W.acq Rfe PodRR Fre", 7, "a store has no order `acq`"},
	{"PodWW R Rfe PodRR Fre", 7, "PodWW ends in a write, and this is a read"},
	{"PodWW W W Rfe PodRR Fre", 9, "two accesses without an edge between them"},
	{"W PodWW Rfe PodRR Fre W", 23, "the cycle is open: it ends in an access"},
	{"W.add PodWW Rfe PodRR Fre", 1, "`add` is not said of this access"},
	{"U.clear PodWW Rfe PodRR Fre", 1, "atomic_flag_clear is no read-modify-write"},
	{"PodWW Rfe F.acq R PodRR Fre", 11, "this fence stands between two threads"},
	{"F PodWW Rfe PodRR Fre", 1, "a fence needs an order"},
	{"Rfe PosRW", 1, "Rfe leaves its thread, and no edge comes back to it"},
	{"PodWW Coi", 1, "PodWW changes the location, and no other edge changes it back"},
	{"Coe Coe", 5, "the edges on its location put a write before itself"},
	{"PodWW Coe Coe Coe PodWR Fre", 7, "the outcome cannot show the order of these writes"},
	{"PodWW Rfe.wg PodRR Fre.dev", 20,
         "its threads share no work-group, but what else is said puts them into one"},
	{"W.host PodWW Rfe.wg PodRR Fre", 14, "the host shares no work-group with another thread"},
	{"W.host.L PodWW Rfe PodRR Fre", 1, "the host has no local memory"},
	{"PodWW barrier Rfe.wg PodRR Fre", 7,
         "P0 and P1 are in one group and meet 1 and 0 barriers"},
	{"W.L PodWW Rfe PodRR R.G Fre", 21, "its location is local at another access"},
	{"W.long PodWW Rfe PodRR R.int Fre", 24, "its location has type long at another access"},
	{"W.na PodWW Rfe PodRR R.rlx Fre W.na", 32, "the cycle is open: it ends in an access"},
	{"W.rlx PodWW Rfe PodRR R.na Fre", 23,
         "a plain read of a location that other accesses use as an atomic object"},
	{"U.legacy PodWW Rfe PodRR R Fre", 1,
         "a function of OpenCL 1.x on a location that other accesses use as an atomic object"},
	{"W PodWW U.tas Rfe R PodRR Fre", 19, "an atomic_flag is only tested and set, and cleared"},
	{"PodWW Rfe U.cas.fail Rfe PodRR Fre", 11, "a compare-exchange that fails writes nothing"},
	{"PodWW Rfe U.cas.fail.rel PodRR Fre", 11, "a failing compare-exchange has no order `rel`"},
	{"Rfe DpDatadRW U.add Coe PodWR Fre", 5,
         "a data dependency leads from a value to a store or exchange"},
	{"Rfe DpDatadRW W.long Coe PodWR Fre", 5, "a data dependency keeps the type"},
};

TEST(test_refusals)
{
	for (size_t i = 0; i < OCLMM_COUNT(refusals); i++) {
		struct oclmm_error error = {0};
		struct oclmm_cycle cycle;

		if (oclmm_cycle_parse(refusals[i].words, &error, &cycle) == 0)
			fail_msg("%s is taken", refusals[i].words);
		if (strcmp(error.message, refusals[i].message) != 0 ||
		    error.position.column != refusals[i].column)
			fail_msg("%s: %u: %s", refusals[i].words, error.position.column,
			         error.message);
	}
}

/* ---- enumeration ---- */

struct seen {
	char names[256][24];
	unsigned count;
};

static int see(void *data, const struct oclmm_cycle *cycle)
{
	struct seen *seen = data;
	struct oclmm_text text = {0};

	oclmm_cycle_shape(&text, cycle);
	for (unsigned i = 0; i < seen->count; i++)
		assert_string_not_equal(seen->names[i], oclmm_text_string(&text));
	snprintf(seen->names[seen->count++], sizeof(seen->names[0]), "%s",
	         oclmm_text_string(&text));
	oclmm_text_finish(&text);
	return 0;
}

static bool has(const struct seen *seen, const char *name)
{
	for (unsigned i = 0; i < seen->count; i++) {
		if (strcmp(seen->names[i], name) == 0)
			return true;
	}
	return false;
}

/* Two program-order edges and two of communication: each thread is WW, WR, RW or RR, and what joins
 * them follows from that; RR beside RR or RW has no edge. Of five edges, one thread is a lone write
 * that two others see. */
TEST(test_all_cycles_of_a_size)
{
	static const char *const four[] = {"MP", "SB", "LB", "R", "S", "2+2W"};
	static const char *const five[] = {"WRC", "RWC", "WWC", "WRR+2W", "WRW+WR", "WRW+2W"};
	const struct oclmm_shape *shapes;
	size_t count = oclmm_shapes(&shapes), six = 0;
	struct seen seen = {.count = 0};

	oclmm_cycles(&(struct oclmm_cycle_size){.edges = 4}, see, &seen);
	assert_int_equal(seen.count, OCLMM_COUNT(four));
	for (size_t i = 0; i < OCLMM_COUNT(four); i++)
		assert_true(has(&seen, four[i]));
	seen.count = 0;
	oclmm_cycles(&(struct oclmm_cycle_size){.edges = 5}, see, &seen);
	assert_int_equal(seen.count, OCLMM_COUNT(five));
	for (size_t i = 0; i < OCLMM_COUNT(five); i++)
		assert_true(has(&seen, five[i]));
	seen.count = 0;
	oclmm_cycles(&(struct oclmm_cycle_size){.edges = 6}, see, &seen);
	for (size_t i = 0; i < count; i++) {
		struct oclmm_cycle cycle = parse(shapes[i].edges);

		if (cycle.count != 6)
			continue;
		six++;
		assert_true(has(&seen, shapes[i].name));
	}
	assert_int_equal(seen.count, six);
	seen.count = 0;
	oclmm_cycles(&(struct oclmm_cycle_size){.edges = 6, .threads = 4, .locations = 2}, see,
	             &seen);
	assert_int_equal(seen.count, 3); /* IRIW, IRRWIW, IRWIW */
}
