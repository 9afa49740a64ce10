// SPDX-License-Identifier: Apache-2.0
/* What a line of a results file has: keys in the order in which they are written. */
#include "lines.h"

/* The words of an enum, by number. */
#define WORDS(name, type, of, from, to)                                                            \
	static const char *name##_word(int value)                                                  \
	{                                                                                          \
		return of((enum type)value);                                                       \
	}                                                                                          \
	static const struct words name##_words = {name##_word, from, to}

WORDS(class, oclmm_class, oclmm_class_word, 0, OCLMM_CLASS_COUNT);
WORDS(ended, oclmm_ended, oclmm_ended_word, 0, OCLMM_ENDED_COUNT);
/* those that have one */
WORDS(cause, oclmm_end, oclmm_end_cause, OCLMM_END_BUILD_FAILED, OCLMM_END_OTHER_TEST + 1);
WORDS(verdict, oclmm_verdict, oclmm_verdict_word, 0, OCLMM_VERDICT_COUNT);
WORDS(final, oclmm_verdict, oclmm_verdict_word, OCLMM_VERDICT_PASS, OCLMM_VERDICT_INCONCLUSIVE + 1);
WORDS(confidence, oclmm_confidence, oclmm_confidence_word, OCLMM_CONFIDENCE_NOT_JUDGED + 1,
      OCLMM_CONFIDENCE_COUNT);
WORDS(status, oclmm_status, oclmm_status_word, 0, OCLMM_STATUS_UNDEFINED + 1);
WORDS(knob, oclmm_knob, oclmm_knob_name, 0, OCLMM_KNOB_COUNT);
WORDS(requirement, oclmm_requirement, oclmm_requirement_word, 0, OCLMM_REQUIREMENT_COUNT);
WORDS(kind, oclmm_control_kind, oclmm_control_kind_word, 0, OCLMM_CONTROL_KIND_COUNT);

#define ROW(key, field_kind, member, ...)                                                          \
	{                                                                                          \
		.name = key, .kind = FIELD_##field_kind, .offset = AT(member),                     \
		.meaning = __VA_ARGS__                                                             \
	}
#define END                                                                                        \
	{                                                                                          \
		.name = NULL                                                                       \
	}

/* ---- run ---- */

#define AT(member) offsetof(struct run_line, member)

static const struct field run_table[] = {
	ROW("format", FORMAT, format, "counts up when an old reader would misread the new form"),
	ROW("tool", TEXT, header.tool, "name and version of the program"),
	ROW("platform", TEXT_OR_NULL, header.platform, "as OpenCL names it"),
	ROW("device", TEXT_OR_NULL, header.device, "as OpenCL names it"),
	ROW("device_id", TEXT_OR_NULL, header.device_id,
            "what tells equal devices apart, as in `test`; null also where several share the tests",
            .flags = FIELD_OPTIONAL),
	ROW("devices", COUNT_32, header.devices,
            "among how many equal devices the tests were divided (`--spread`)",
            .flags = FIELD_OPTIONAL),
	ROW("driver", TEXT_OR_NULL, header.driver, "its version"),
	ROW("partner", TEXT_OR_NULL, header.partner,
            "the second device of a pair, on which tests of two devices ran with the first; null "
            "without",
            .flags = FIELD_OPTIONAL),
	ROW("version", TEXT_OR_NULL, header.version, "`CL_DEVICE_VERSION`"),
	ROW("il", TEXT_OR_NULL, header.il,
            "the tools that made SPIR-V of the kernels, which the device was given (`--il`); null: "
            "it was given OpenCL C",
            .flags = FIELD_OPTIONAL),
	ROW("claims", TEXT_OR_NULL, header.claims,
            "what the device claims, in one line: orders and scopes of atomics, orders of fences, "
            "features, and the bits of `CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES`, "
            "`CL_DEVICE_ATOMIC_FENCE_CAPABILITIES` and `CL_DEVICE_SVM_CAPABILITIES`",
            .flags = FIELD_OPTIONAL),
	ROW("variables", TEXT_OR_NULL, header.variables,
            "the variables of the environment that choose a driver, put a layer of the loader "
            "before it (`OPENCL_LAYERS`) or change what it does, with their values, as a shell "
            "takes them; empty where none is set",
            .flags = FIELD_OPTIONAL),
	ROW("seed", DECIMAL, header.seed,
            "master seed; each test derives its own from it and its name"),
	ROW("instances", COUNT, header.instances, "asked for, per test"),
	ROW("budget", REAL, header.budget, "seconds for the whole run, 0 without"),
	ROW("profile", TEXT_OR_NULL, header.profile, "name of the profile"),
	ROW("tests", COUNT, header.tests, "how many were chosen (in this shard)"),
	ROW("whole_suite", FLAG, header.whole_suite,
            "false where a profile or names chose among the tests, or `--instances` asked for "
            "fewer than a million; then the run does not verify conformance"),
	ROW("confidence", REAL, header.demand.confidence, "that a pass needs, such as 0.95"),
	ROW("require", WORD, header.demand.kinds,
            "whose controls have to give it: one kind of the two, `compiler`, `hardware` or both",
            .words = &requirement_words, .flags = FIELD_OPTIONAL),
	ROW("shard", COUNT_32, header.shard,
            "which part of the tests this is, from 1; 0 where the run is not divided"),
	ROW("shards", COUNT_32, header.shards, "of how many; 0 where the run is not divided"),
	ROW("started", TIME, header.started, "UTC"),
	END,
};
#undef AT

const struct fields run_fields = {"run", true, run_table};

/* ---- test and confidence ---- */

#define AT(member) offsetof(struct test_line, member)

/* What was run and where. */
#define IDENTITY                                                                                   \
	ROW("test", TEXT, test, "name of the variant"),                                            \
		ROW("hash", HEX, hash,                                                             \
	            "of the test's canonical form: two tests with one hash mean the same"),        \
		ROW("platform", TEXT_OR_NULL, record.platform, "as OpenCL names it"),              \
		ROW("device", TEXT_OR_NULL, record.device, "as OpenCL names it"),                  \
		ROW("device_id", TEXT_OR_NULL, record.device_id,                                   \
	            "what tells equal devices apart: UUID or PCI address where the driver "        \
	            "gives one, else `alike-0` of the first of several; null: there is nothing "   \
	            "to say"),                                                                     \
		ROW("driver", TEXT_OR_NULL, record.driver, "its version"),                         \
		ROW("il", TEXT_OR_NULL, record.il,                                                 \
	            "the tools that made SPIR-V of the kernel, as in `run`; null: OpenCL C",       \
	            .flags = FIELD_OPTIONAL),                                                      \
		ROW("environment", TEXT_OR_NULL, record.environment,                               \
	            "every stress parameter that does not come from the seed, as "                 \
	            "`--environment` takes it ([tuning.md](tuning.md)); null: the test has "       \
	            "no kernel")

static const struct field test_table[] = {
	IDENTITY,
	ROW("device_version", TEXT_OR_NULL, record.device_version, "`CL_DEVICE_VERSION`"),
	ROW("model", TEXT_OR_NULL, record.model,
            "whose rules the device is held to: those of its version, or of `--model`. Older files "
            "were judged by what all versions agree on",
            .flags = FIELD_OPTIONAL),
	ROW("file", TEXT_OR_NULL, record.file, "the litmus file"),
	ROW("family", TEXT_OR_NULL, record.family, "its folder below `litmus/`"),
	ROW("class", WORD, record.support,
            "`claimed`: the device claims all that the test needs; `accepted`: its compiler takes "
            "it although it is not claimed; `unsupported`. Of a test whose driver crashed, what "
            "was known by then; where nothing was, `claimed`",
            .words = &class_words),
	ROW("control", TEXT_OR_NULL, record.control, "the variant that weakens this one"),
	ROW("ended", WORD, ended, "how the run of the test ended", .words = &ended_words),
	ROW("cause", WORD_OR_NULL, cause,
            "why there is no result, for programs: `build` (the compiler refuses the kernel), "
            "`producer` (the tools of `--il` make no valid SPIR-V, or not the test's), "
            "`process-ended` (a signal, or `exit()`), `hang`, `out-of-memory`, `device-lost`, "
            "`device-error` (another OpenCL call failed), `results-lost`, `oracle` (what is "
            "allowed could not be worked out), `other-test` (of `grade`: the test is another "
            "now). Null where nothing failed",
            .words = &cause_words, .flags = FIELD_OPTIONAL),
	ROW("message", TEXT_OR_NULL, record.message, "the missing feature, the error"),
	ROW("attempts", COUNT_32, record.attempts, "2 where the first attempt was lost"),
	ROW("started", TIME, record.started, "UTC"),
	ROW("seconds", REAL, record.seconds, "on the device"),
	ROW("compile_seconds", REAL, record.compile_seconds, "in the compiler"),
	ROW("launches", COUNT, record.launches,
            "with `first_launch`, `master_seed` and `seed` the stimulus repeats, though not the "
            "outcome"),
	ROW("first_launch", COUNT, record.first_launch,
            "number of the first of `launches`, from 0"),
	ROW("master_seed", DECIMAL, record.master_seed, "of the run"),
	ROW("seed", DECIMAL, record.seed, "of this test, derived from the master seed"),
	ROW("stimulus", HEX, record.stimulus,
            "hash of all permutations and environments that were drawn"),
	ROW("halved", COUNT_32, record.halved,
            "how many times launches were made half as large, because three in a row took half a "
            "second or more, on a CPU two; where it is not 0, the stimulus depends on time, too",
            .flags = FIELD_OPTIONAL),
	ROW("halved_at", HALVINGS, record.halved_at,
            "the numbers of the first launches of half the size, as many as `halved` says; "
            "`--halved-at` repeats them. Missing where there are none, and in older files",
            .flags = FIELD_OPTIONAL),
	ROW("source", HEX, record.source_hash, "hash of the kernel's text"),
	ROW("build_options", TEXT_OR_NULL, record.build_options, "of the kernel"),
	ROW("build_log", TEXT_OR_NULL, record.build_log, "of the kernel"),
	ROW("oracle", TEXT_OR_NULL, record.oracle, "the program that answered what is allowed"),
	ROW("verdict", WORD, record.grade.verdict,
            "see [below](#verdicts); `pass` is final only in the `confidence` line",
            .words = &verdict_words),
	ROW("gates", FLAG, record.grade.gates,
            "whether this test can fail the run: its class is `claimed`, or `accepted` with "
            "`--claims accepted`"),
	ROW("known", TEXT_OR_NULL, record.grade.known,
            "reason of the expectation that holds or is stale"),
	ROW("instances", COUNT, record.instances,
            "that were run. `outcomes`, `cut` and `filtered` sum up to it"),
	ROW("cut", COUNT, record.grade.cut,
            "instances whose bounded loop ended before its condition did"),
	ROW("filtered", COUNT, record.grade.filtered,
            "instances that the test's filter turns away"),
	ROW("weak", COUNT, record.grade.weak,
            "instances that ended in the asked outcome, where it is allowed"),
	ROW("forbidden", COUNT, record.grade.forbidden, "instances with a forbidden outcome"),
	ROW("disputed", COUNT, record.grade.disputed, "instances with a disputed outcome"),
	ROW("bound", REAL_OR_NULL, gone,
            "three over the instances, as if instances were independent of each other",
            .flags = FIELD_GONE),
	ROW("outcomes", LIST, outcomes,
            "each allowed outcome, even where never seen, and each other one that was seen",
            .items = &outcome_fields),
	ROW("evidence", OBJECT, evidence,
            "of a test whose launches were kept apart, next to those of its controls",
            .items = &evidence_fields, .flags = FIELD_OPTIONAL),
	END,
};

const struct fields test_fields = {"test", true, test_table};

static const struct field confidence_table[] = {
	IDENTITY,
	ROW("verdict", WORD, record.grade.verdict, "final", .words = &final_words),
	ROW("confidence", WORD, record.grade.control.confidence,
            "`not-needed`: the test forbids nothing; `control`: it is another test's control and "
            "there to be seen; `reached`; `too-rare`; `never-seen`; `never-met`: the work-items of "
            "an instance never ran at the same time; `not-run`: the control has no result here; "
            "`no-control`: there is none. Of the kind that decides: the one that is required, the "
            "one that says more where either suffices, the one that says less where both have to",
            .words = &confidence_words),
	ROW("hardware", WORD_OR_NULL, record.grade.control.kinds[OCLMM_CONTROL_WEAKER].confidence,
            "what the weaker controls say, in the same words; null where none is needed",
            .words = &confidence_words, .flags = FIELD_OPTIONAL),
	ROW("hardware_escape", PROBABILITY, record.grade.control.kinds[OCLMM_CONTROL_WEAKER].escape,
            "and the probability that such a bug escaped", .flags = FIELD_OPTIONAL),
	ROW("compiler", WORD_OR_NULL, record.grade.control.kinds[OCLMM_CONTROL_MOVED].confidence,
            "what the moved controls say", .words = &confidence_words, .flags = FIELD_OPTIONAL),
	ROW("compiler_escape", PROBABILITY, record.grade.control.kinds[OCLMM_CONTROL_MOVED].escape,
            "and the probability that such a bug escaped", .flags = FIELD_OPTIONAL),
	ROW("limit", PROBABILITY, record.grade.control.limit,
            "the detection limit: what shows in at least this fraction of launches, independently "
            "of each other, would have been seen with 95 %",
            .flags = FIELD_OPTIONAL),
	ROW("together", FLAG, record.grade.control.together,
            "launches were not kept apart, and all count as one", .flags = FIELD_OPTIONAL),
	ROW("control", TEXT_OR_NULL, record.grade.control.name,
            "name of the control that says most"),
	ROW("seen", COUNT, record.grade.control.seen,
            "how often the controls showed what this test forbids"),
	ROW("instances", COUNT, record.grade.control.instances, "of the controls"),
	ROW("rate", REAL, gone, "`seen` per instance", .flags = FIELD_GONE),
	ROW("per_second", REAL, gone, "`seen` per second", .flags = FIELD_GONE),
	ROW("escape", PROBABILITY, record.grade.control.escape,
            "its probability; 1 where the outcome was never seen. In files without `limit`, an "
            "estimate from instances"),
	END,
};
#undef AT

const struct fields confidence_fields = {"confidence", true, confidence_table};

/* ---- parts of test ---- */

#define AT(member) offsetof(struct outcome_line, member)

static const struct field outcome_table[] = {
	ROW("values", VALUES, values,
            "by observable; a value of type `ulong` beyond 2^63 is a string"),
	ROW("count", COUNT, row.count, "instances"),
	ROW("status", WORD, row.status, "what is said of it", .words = &status_words),
	ROW("deciding", WORDS, row.deciding,
            "of a disputed one: the readings that differ, see [model.md](model.md)",
            .words = &knob_words, .flags = FIELD_OPTIONAL),
	ROW("witness", FLAG, row.witness, "whether it is what the test asks for"),
	END,
};
#undef AT

const struct fields outcome_fields = {"outcome", false, outcome_table};

#define AT(member) offsetof(struct evidence_line, member)

static const struct field evidence_table[] = {
	ROW("controls", LIST, controls,
            "which ran beside the test; the record's `control` is among them",
            .items = &control_fields),
	ROW("blocks", BLOCKS, blocks,
            "in the order in which they ran: how many equal blocks follow each other, then "
            "launches, hits and instances of the test, the same of the first control, and so on; "
            "without instances where they are not known. Each launch of a block has as many of "
            "them. A launch counts where at least one of its instances did, and is a *hit* when it "
            "showed, at least once, an outcome that the test forbids; a weaker control must also "
            "satisfy its own condition by it where the test's condition never holds, and no "
            "control has hits by values that it cannot have. A block has at most 4096 "
            "launches of each"),
	ROW("shown", LIST, shown, "the outcomes that made launches hits", .items = &shown_fields),
	ROW("rounds", COUNT, rounds,
            "instances of test and controls whose outcome would have shown that their roles ran at "
            "the same time; 0 where nobody looked, for a control was hit"),
	ROW("met", COUNT, met, "of `rounds`, those in which they did"),
	END,
};
#undef AT

const struct fields evidence_fields = {"evidence", false, evidence_table};

#define AT(member) offsetof(struct oclmm_evidence_control, member)

static const struct field control_table[] = {
	ROW("name", TEXT, name, "of the variant, or of what was made of the test"),
	ROW("kind", WORD, kind,
            "`weaker` (orders, scopes, fences or barriers are taken away: it speaks for the "
            "hardware) or `moved` (one wrong step of a compiler: it speaks for the compiler)",
            .words = &kind_words),
	ROW("hash", HEX, hash, "of the program that ran"),
	ROW("instances", COUNT, instances, "that were counted"),
	END,
};
#undef AT

const struct fields control_fields = {"control", false, control_table};

#define AT(member) offsetof(struct shown_line, member)

static const struct field shown_table[] = {
	ROW("values", VALUES, values, "by observable, as in an outcome"),
	ROW("count", COUNT, count, "in all controls together"),
	END,
};
#undef AT

const struct fields shown_fields = {"shown", false, shown_table};

/* ---- end ---- */

const enum oclmm_exit fields_exits[] = {
#define OCLMM_X(name, number) OCLMM_EXIT_##name,
	OCLMM_EXITS(OCLMM_X)
#undef OCLMM_X
};
const size_t fields_exit_count = OCLMM_COUNT(fields_exits);

#define AT(member) offsetof(struct end_line, member)

static const struct field end_table[] = {
	ROW("tests", COUNT, tests, "tests; one in parts is one"),
	ROW("records", COUNT, records,
            "`test` lines; files written before this key was added have as many as `tests`",
            .flags = FIELD_OPTIONAL),
	ROW("verdicts", COUNTS, verdicts, "the final verdicts of the tests",
            .words = &verdict_words),
	ROW("instances", COUNT, instances, "of all tests"),
	ROW("stimulus", HEX, stimulus, "of all tests together, whatever their order"),
	ROW("left_out", COUNT, left_out, "tests that were chosen and not run"),
	ROW("unfinished", COUNT, unfinished,
            "of these, tests that forbid something; 0 with `--allow-unfinished`",
            .flags = FIELD_OPTIONAL),
	ROW("interrupted", FLAG, interrupted, "whether the run was ended early"),
	ROW("exit", EXIT, exit, "the status the program left with"),
	END,
};
#undef AT

const struct fields end_fields = {"end", true, end_table};
