// SPDX-License-Identifier: Apache-2.0
/*
 * Every litmus file keeps its promises: its name is the file's, it asks a
 * question and states a result that the oracle confirms; an undefined variant
 * has a witness; every forbidden outcome has a control, which allows it and is
 * race-free; every variant has kernels, and what is printed of it is read; and the file as written
 * is in the grammar shared with Dartagnan unless it uses one of our extensions. All of them
 * together are as many as they should be, no program twice, and use everything that a test can ask
 * for. (Expected sets are compared by `oclmm check --verify`.)
 */
#include <stdlib.h>
#include <string.h>

#include "controls.h"
#include "oclmm/codegen.h"
#include "select/test_features.h"

/* ---- names, questions ------------------------------------------------ */

static void check_head(const struct oclmm_litmus *litmus)
{
	const char *file = strrchr(litmus->path, '/') + 1;
	size_t length = strlen(litmus->name);

	if (strncmp(file, litmus->name, length) != 0 || strcmp(file + length, ".litmus") != 0)
		complain(litmus->path, "the test is called %s", litmus->name);
	if (!litmus->question || !strchr(litmus->question, '?'))
		complain(litmus->path, "no question is asked");
	if (!litmus->comment || strlen(litmus->comment) < 40)
		complain(litmus->path, "nothing is said of why the result is what it is");
	if (litmus->stated == OCLMM_STATED_NOTHING)
		complain(litmus->path, "no result is stated");
}

/* ---- the dialect shared with Dartagnan ------------------------------- */

/* Dartagnan's barriers have a label `B1:`, a flag, and no scope but the work-group's. */
static bool has_own_barrier(const char *body)
{
	const char *call = strstr(body, "barrier(");

	for (; call; call = strstr(call + 1, "barrier(")) {
		size_t length = strcspn(call, ")");

		if (call - body < 2 || call[-2] != ':' || call[strlen("barrier(")] == '0')
			return true;
		if (memmem(call, length, "memory_scope", 12) &&
		    !memmem(call, length, "work_group", 10))
			return true;
	}
	return false;
}

/* Words that only we understand. */
static const char *const extensions[] = {
	"__global",
	"__local",
	"uint",
	"uchar",
	"ulong",
	"long",
	"atomic_uint",
	"atomic_long",
	"atomic_ulong",
	"atomic_flag",
	"atomic_float",
	"work_group_any",
	"work_group_reduce_min",
	"work_group_barrier",
	"intel_work_group_barrier_arrive",
	"clock_read_device",
	"get_local_size",
	"sub_group_barrier",
	"mem_fence",
	"read_mem_fence",
	"write_mem_fence",
	"atomic_init",
	"svm",
	"host",
	"program",
	"event_t",
	"child",
	"read_write",
	"sg",
	"atomic_add",
	"atomic_sub",
	"atomic_inc",
	"atomic_dec",
	"atomic_xchg",
	"atomic_cmpxchg",
	"atomic_min",
	"atomic_max",
	"atomic_and",
	"atomic_or",
	"atomic_xor",
	"queue",
	"atomic_fetch_min",
	"atomic_fetch_max",
	"atomic_fetch_min_explicit",
	"atomic_fetch_max_explicit",
};

/* Whether the text of the body has one of them, or another thing of ours. */
static bool uses_extension(const char *text)
{
	const char *body = strchr(text, '{');
	const char *word = body;
	/* `&e`, the expected value of a compare-exchange in a register */
	bool address = word && strstr(word, ", &");
	bool shift = word && (strstr(word, "<<") || strstr(word, ">>"));
	/* an element of an array: `[` in a thread, and not before the first or behind the last one
	 */
	const char *thread = body ? strstr(body, "\nP0") : NULL;
	const char *end = thread ? strstr(thread, "\n}\n\nexists") : NULL;
	bool element = end && memchr(thread, '[', (size_t)(end - thread));
	const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

	while (word && *word) {
		size_t length = strspn(word, letters);

		for (size_t i = 0; i < OCLMM_COUNT(extensions); i++) {
			if (length == strlen(extensions[i]) &&
			    memcmp(word, extensions[i], length) == 0)
				return true;
		}
		word += length;
		word += strcspn(word, letters);
	}
	return address || shift || element || (body && has_own_barrier(body));
}

static void check_dialect(const struct oclmm_litmus *litmus)
{
	const struct oclmm_syntax_options shared = {.dartagnan = true};
	struct oclmm_error error = {0};
	struct oclmm_litmus *again;
	size_t length = strlen(litmus->text);
	int r = oclmm_litmus_parse(litmus->path, litmus->text, length, &shared, &error, &again);
	const struct oclmm_program *program = litmus->variants[0].program;
	bool extended = uses_extension(litmus->text) || program->shared ||
	                oclmm_program_has_commands(program);

	if (r == 0)
		oclmm_litmus_destroy(again);
	if (r != 0 && !extended)
		complain(litmus->path, "not shared with Dartagnan: %s", error.message);
	if (r == 0 && extended)
		complain(litmus->path, "an extension of ours is taken for Dartagnan's");
}

/* ---- the oracle ------------------------------------------------------ */

static struct oclmm_answer *ask(const struct oclmm_variant *variant)
{
	struct oclmm_error error = {0};
	struct oclmm_answer *answer;

	if (oclmm_check(variant->program, NULL, &error, &answer) < 0) {
		complain(variant->name, "the oracle gives no answer: %s", error.message);
		return NULL;
	}
	return answer;
}

static enum oclmm_observation consensus(const struct oclmm_answer *answer)
{
	return oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS);
}

static void check_stated(const struct oclmm_litmus *litmus, const struct oclmm_answer *answer)
{
	const char *stated = oclmm_stated_word(litmus->stated);
	const char *word = oclmm_observation_word(consensus(answer));

	if (stated && strcmp(stated, word) != 0)
		complain(litmus->path, "the file says %s, the oracle %s", stated, word);
}

static void check_witness(const struct oclmm_variant *variant, const struct oclmm_answer *answer)
{
	const struct oclmm_witness *witness = &answer->witness[OCLMM_MODEL_CONSENSUS];

	if (!answer->undefined[OCLMM_MODEL_CONSENSUS])
		return;
	if (witness->reason == OCLMM_UNDEFINED_NOT || !witness->a.text[0] || !witness->why[0])
		complain(variant->name, "undefined without a witness");
	if (witness->reason == OCLMM_UNDEFINED_RACE &&
	    (!witness->has_b || (witness->a.thread == witness->b.thread &&
	                         !strstr(witness->why, "asynchronous copy"))))
		complain(variant->name, "a race needs two threads, or a copy");
}

/* ---- all of it ------------------------------------------------------- */

static uint64_t used; /* set of UINT64_C(1) << enum test_feature, of all variants */
static unsigned variants;
static bool undefined, disputed, wide, mixed_widths;

/*
 * The kernel has to carry what the test observes: values that need 64 bits in
 * results of 64 bits, registers of every width beside each other.
 */
static void check_plan(const struct oclmm_variant *variant, const struct oclmm_answer *answer)
{
	const struct oclmm_program *program = variant->program;
	struct oclmm_error error = {0};
	struct oclmm_kernel_plan plan;
	bool needs_64 = false, needs_32 = false;

	if (oclmm_kernel_plan(program, &answer->space, &error, &plan) < 0) {
		complain(variant->name, "no plan: %s", error.message);
		return;
	}
	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];

		/* final values of memory are read from it, not stored as results */
		needs_64 |= o->is_register && oclmm_type_bits(o->type) == 64;
		needs_32 |= o->is_register && oclmm_type_bits(o->type) == 32;
	}
	if (needs_64 && !plan.wide)
		complain(variant->name, "64-bit values are observed, the results have 32 bits");
	wide |= needs_64;
	mixed_widths |= needs_64 && needs_32;
}

/* A device is given each statement of a text that work-items share, and what is around it. */
static void check_text(const struct oclmm_variant *variant)
{
	struct oclmm_text source = {0};

	oclmm_generate_whole(variant->program, &source);
	if (!strstr(oclmm_text_string(&source), variant->program->shared->before) ||
	    !strstr(oclmm_text_string(&source), variant->program->shared->body))
		complain(variant->name, "its kernel is not its text");
	oclmm_text_finish(&source);
}

/* Placements beyond work-groups of one device have no kernel in this form. */
static void check_kernel(const struct oclmm_variant *variant, const struct oclmm_answer *answer)
{
	struct oclmm_error error = {0};
	struct oclmm_features features;
	struct oclmm_text source = {0};

	oclmm_program_features(variant->program, &features);
	if (features.host_threads || features.devices > 1 || features.sub_groups ||
	    features.commands)
		return;
	if (variant->program->shared) {
		check_text(variant);
		return;
	}
	check_plan(variant, answer);
	if (oclmm_generate(variant->program, &answer->space, NULL, &error, &source) < 0)
		complain(variant->name, "no kernel: %s", error.message);
	/* the order in which the results are stored is drawn anew for every launch */
	else if (!strstr(oclmm_text_string(&source), "results_reversed"))
		complain(variant->name, "its kernel stores the results in one order only");
	oclmm_text_finish(&source);
}

/* What is printed of it, by `oclmm show` or in a report, is a test that can be read. */
static void check_printed(const struct oclmm_variant *variant)
{
	struct oclmm_text text = {0};
	struct oclmm_litmus *litmus;
	struct oclmm_error error;

	oclmm_program_print(&text, variant->program);
	if (oclmm_litmus_parse(variant->name, oclmm_text_string(&text), text.length, NULL, &error,
	                       &litmus) < 0) {
		complain(variant->name, "as it is printed it is refused: %s", error.message);
	} else {
		if (litmus->variants[0].program->hash != variant->program->hash)
			complain(variant->name, "as it is printed it is another program");
		oclmm_litmus_destroy(litmus);
	}
	oclmm_text_finish(&text);
}

static void note_variant(const struct oclmm_variant *variant, const struct oclmm_answer *answer)
{
	variants++;
	used |= test_features(variant->program);
	undefined |= consensus(answer) == OCLMM_OBSERVATION_UNDEFINED;
	disputed |= consensus(answer) == OCLMM_OBSERVATION_DISPUTED;
}

static void check_file(const struct oclmm_litmus *litmus, void *data)
{
	struct oclmm_answer **answers = oclmm_calloc(litmus->variant_count,
	                                             sizeof(struct oclmm_answer *));

	(void)data;
	check_head(litmus);
	check_dialect(litmus);
	for (uint32_t i = 0; i < litmus->variant_count; i++) {
		const struct oclmm_variant *variant = &litmus->variants[i];

		check_printed(variant);
		answers[i] = ask(variant);
		if (!answers[i])
			continue;
		if (i == 0)
			check_stated(litmus, answers[i]);
		check_witness(variant, answers[i]);
		check_kernel(variant, answers[i]);
		note_variant(variant, answers[i]);
	}
	check_controls(litmus, answers);
	note_programs(litmus);
	for (uint32_t i = 0; i < litmus->variant_count; i++)
		oclmm_answer_destroy(answers[i]);
	free(answers);
}

static void check_whole(const char *root, size_t files)
{
	if (files < 180 || files > 700)
		complain(root, "%zu litmus files, not 180 to 700", files);
	if (variants < 3000)
		complain(root, "%u variants, not 3000 or more", variants);
	for (int i = 0; i < TEST_FEATURE_COUNT; i++) {
		if (!(used >> i & 1))
			complain(root, "no test has the feature %s",
			         test_feature_word((enum test_feature)i));
	}
	if (!undefined || !disputed)
		complain(root, "no test is undefined, or none disputed");
	if (!wide || !mixed_widths)
		complain(root, "no test observes 64-bit values, or none beside those of 32 bits");
	check_programs();
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	check_whole(argv[1], visit_folder(argv[1], check_file, NULL));
	return complaints != 0;
}
