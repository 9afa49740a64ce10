// SPDX-License-Identifier: Apache-2.0
#include "sample.h"

#include <assert.h>
#include <string.h>

#define A          OCLMM_STATUS_ALLOWED
#define F          OCLMM_STATUS_FORBIDDEN
#define D          OCLMM_STATUS_DISPUTED
#define EXISTS     OCLMM_QUANTIFIER_EXISTS
#define NOT_EXISTS OCLMM_QUANTIFIER_NOT_EXISTS
#define FORALL     OCLMM_QUANTIFIER_FORALL

static const char known[] =
	"Pocket* | * | SB+known | forbidden | 0:r0=0; 1:r0=0; | bug 17 & more | 2027-01-31\n";

static const struct {
	const char *name;
	const char *family;
	enum oclmm_quantifier quantifier;
	enum oclmm_status weak;
	enum oclmm_class class;
	enum oclmm_end end;
	const char *message;
	const char *control;
	uint64_t counts[4];
} tests[SAMPLE_TESTS] = {
	{"SB",
         "relaxed",
         EXISTS,
         A,
         OCLMM_CLASS_CLAIMED,
         OCLMM_END_OK,
         NULL,
         NULL,
         {96, 499878, 500026, 0}},
	{"SB.order=sc",
         "relaxed",
         NOT_EXISTS,
         F,
         OCLMM_CLASS_CLAIMED,
         OCLMM_END_OK,
         NULL,
         "SB",
         {2, 499998, 500000, 0}},
	{"SB+disputed",
         "relaxed",
         FORALL,
         D,
         OCLMM_CLASS_ACCEPTED,
         OCLMM_END_OK,
         NULL,
         NULL,
         {1, 399999, 600000, 0}},
	{"SB+sg",
         "scope",
         EXISTS,
         A,
         OCLMM_CLASS_UNSUPPORTED,
         OCLMM_END_UNSUPPORTED,
         "sub-groups",
         NULL,
         {0}},
	{"SB+silent",
         "scope",
         EXISTS,
         F,
         OCLMM_CLASS_CLAIMED,
         OCLMM_END_OK,
         NULL,
         "SB",
         {0, 500000, 500000, 0}},
	{"SB+alone",
         "scope",
         EXISTS,
         F,
         OCLMM_CLASS_CLAIMED,
         OCLMM_END_OK,
         NULL,
         NULL,
         {0, 500000, 500000, 0}},
	{"SB+crash",
         "scope",
         EXISTS,
         F,
         OCLMM_CLASS_CLAIMED,
         OCLMM_END_DEVICE_ERROR,
         "clFinish: <CL_OUT_OF_RESOURCES> # \"lost\"",
         NULL,
         {0}},
	{"SB+known",
         "scope",
         EXISTS,
         F,
         OCLMM_CLASS_CLAIMED,
         OCLMM_END_OK,
         NULL,
         NULL,
         {5, 500000, 500000, 0}},
	{"SB+accepted",
         "scope",
         EXISTS,
         F,
         OCLMM_CLASS_ACCEPTED,
         OCLMM_END_OK,
         NULL,
         "SB",
         {1, 9, 10, 0}},
};

/* Twenty launches, each beside one of the weaker control and of a moved one. */
static struct oclmm_evidence *make_evidence(struct oclmm_arena *arena)
{
	static const struct oclmm_launches first[] = {{1, 0}, {1, 0}, {1, 1}},
					   rest[] = {{1, 0}, {1, 1}, {1, 1}};
	static const uint64_t instances[] = {50000, 50000, 50000};
	static const int64_t weak[] = {0, 0};
	struct oclmm_evidence *evidence = oclmm_evidence_create(arena, 2);

	oclmm_evidence_add_control(evidence, "SB", OCLMM_CONTROL_WEAKER, 0xcc);
	oclmm_evidence_add_control(evidence, "SB+silent~exchange-P0.1-2", OCLMM_CONTROL_MOVED,
	                           0xdd);
	oclmm_evidence_add_blocks(evidence, 1, first);
	oclmm_evidence_add_sized_blocks(evidence, 19, rest, instances);
	oclmm_evidence_add_instances(evidence, 0, 1000000);
	oclmm_evidence_add_instances(evidence, 1, 1000000);
	oclmm_evidence_add_outcome(evidence, weak, 77);
	oclmm_evidence_compare(evidence, 1, 20, 4,
	                       &(struct oclmm_value_counts){1, 1, 350, 1000, 18, 12}, 1);
	oclmm_evidence_add_meeting(evidence, 0, (struct oclmm_meeting){3000, 1200, 3, 0});
	oclmm_evidence_add_meeting(evidence, 1, (struct oclmm_meeting){2000, 1100, 3, 0});
	oclmm_evidence_add_meeting(evidence, 2, (struct oclmm_meeting){2000, 700, 2, 0});
	return evidence;
}

static void make_test(struct sample *sample, size_t index)
{
	struct made *made = &sample->made[index];
	struct oclmm_record *record = &made->record;

	made_init(made, tests[index].name, tests[index].weak, tests[index].counts);
	made->sb.program.quantifier = tests[index].quantifier;
	record->family = tests[index].family;
	record->support = tests[index].class;
	record->end = tests[index].end;
	record->message = tests[index].message;
	record->control = tests[index].control;
	record->master_seed = 42;
	record->seed = UINT64_MAX;
	record->counts.seconds = record->end == OCLMM_END_OK ? 0.25 : 0;
	record->counts.stimulus = record->end == OCLMM_END_OK ? 0xaa : 0;
	record->counts.source_hash = 0xbb;
	record->counts.launches = 3;
	record->attempts = record->end == OCLMM_END_DEVICE_ERROR ? 2 : 1;
	record->identity.platform = "Pocket";
	record->identity.device_id = "0000:01:00.0";
	record->identity.version = "OpenCL 3.0";
	record->model = "opencl-2.1";
	record->identity.options = "-cl-std=CL3.0";
	record->environment = "stride=16";
	record->oracle = "oclmm 0";
	record->started = "2026-06-15T12:00:01Z";
	if (strcmp(tests[index].name, "SB+silent") == 0) {
		record->counts.launches = 20;
		record->evidence = make_evidence(sample->arena);
	}
	if (strcmp(tests[index].name, "SB.order=sc") == 0) {
		record->counts.halved = 2;
		record->counts.halved_at = (struct oclmm_halvings){2, {0, 2}};
	}
	sample->records[index] = record;
}

static void grade(struct sample *sample, size_t index)
{
	const struct oclmm_grade_options options = {
		.expectations = sample->expectations,
		.today = oclmm_date(2026, 6, 15),
	};

	oclmm_grade_finish(&sample->records[index]->grade);
	made_grade(&sample->made[index], &options);
}

static void judge(struct sample *sample)
{
	oclmm_grade_confidence(sample->records, SAMPLE_TESTS, &sample->header.demand);
	sample->tally = (struct oclmm_tally){.left_out = 2};
	for (size_t i = 0; i < SAMPLE_TESTS; i++)
		oclmm_tally_add(&sample->tally, sample->records[i]);
	sample->status = oclmm_tally_exit(&sample->tally, sample->header.strict);
}

void sample_make(struct sample *sample, bool strict)
{
	struct oclmm_error error;

	*sample = (struct sample){
		.header =
			{
				.tool = "oclmm 0",
				.identity.platform = "Pocket",
				.identity.device = "Pocket GPU",
				.identity.driver = "1.2",
				.identity.version = "OpenCL 3.0",
				.claims = "orders=rlx scopes=wg",
				.seed = 42,
				.instances = 1000000,
				.tests = SAMPLE_TESTS + 2,
				.replay = "oclmm run --device 'Pocket GPU' --seed 42",
				.strict = strict,
				.demand.confidence = 0.95,
				.started = "2026-06-15T12:00:00Z",
			},
	};
	sample->arena = oclmm_arena_create();
	oclmm_expectations_parse("known", known, strlen(known), &error, &sample->expectations);
	for (size_t i = 0; i < SAMPLE_TESTS; i++) {
		make_test(sample, i);
		grade(sample, i);
	}
	judge(sample);
}

void sample_finish(struct sample *sample)
{
	for (size_t i = 0; i < SAMPLE_TESTS; i++)
		made_finish(&sample->made[i]);
	oclmm_expectations_destroy(sample->expectations);
	oclmm_arena_destroy(sample->arena);
}

static int write_text(void *data, const char *bytes, size_t length)
{
	oclmm_text_add_bytes(data, bytes, length);
	return 0;
}

void sample_report(struct sample *sample, const struct oclmm_report_kind *kind,
                   struct oclmm_text *text)
{
	struct oclmm_report report;

	oclmm_report_begin(&report, kind, (struct oclmm_sink){.write = write_text, .data = text},
	                   &sample->header);
	for (size_t i = 0; i < SAMPLE_TESTS; i++) {
		/* as a run has it: what depends on the other tests is not known yet */
		grade(sample, i);
		oclmm_report_record(&report, sample->records[i]);
	}
	judge(sample);
	oclmm_report_judged(&report, (const struct oclmm_record *const *)sample->records,
	                    SAMPLE_TESTS);
	oclmm_report_end(&report, &sample->tally, sample->status);
}

char *sample_text(struct sample *sample)
{
	struct oclmm_text text = {0};

	sample_report(sample, &oclmm_report_json, &text);
	return oclmm_text_steal(&text);
}

char *sample_damage(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	struct oclmm_text damaged = {0};

	assert(at);
	oclmm_text_add_bytes(&damaged, text, (size_t)(at - text));
	oclmm_text_add(&damaged, to);
	oclmm_text_add(&damaged, at + strlen(from));
	return oclmm_text_steal(&damaged);
}
