// SPDX-License-Identifier: Apache-2.0
/* What each version says, in files of expected sets. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture/test.h"

#include "oclmm/expect.h"
#include "sb.h"

#define A OCLMM_STATUS_ALLOWED
#define F OCLMM_STATUS_FORBIDDEN
#define D OCLMM_STATUS_DISPUTED
#define U OCLMM_STATUS_UNDEFINED

#define V20 OCLMM_MODEL_OPENCL_2_0
#define V21 OCLMM_MODEL_OPENCL_2_1
#define V31 OCLMM_MODEL_OPENCL_3_1

static const int64_t weak[] = {0, 0}, strong[] = {0, 1};

/* SB whose weak state has these verdicts by version; the others are allowed. */
static void init(struct sb *sb, enum oclmm_status all, const enum oclmm_status version[3])
{
	sb_init(sb, "SB", OCLMM_QUANTIFIER_EXISTS, (const enum oclmm_status[]){all, A, A, A});
	sb->answer.models |= OCLMM_MODEL_VERSIONS;
	for (unsigned v = 0; v < OCLMM_VERSION_COUNT; v++) {
		for (uint32_t i = 0; i < 4; i++)
			sb->states[i].status[v] = i ? A : version[v];
		if (version[v] == D)
			sb->states[0].deciding[v] = 1u << OCLMM_KNOB_K2 | 1u << OCLMM_KNOB_K11;
	}
}

/* A program that only 3.1 gives a meaning: under it the weak state is forbidden. */
static void init_undefined(struct sb *sb)
{
	init(sb, U, (const enum oclmm_status[]){U, U, F});
	sb_make_racy(sb);
	for (unsigned v = V20; v <= V21; v++) {
		sb->answer.undefined[v] = true;
		for (uint32_t i = 0; i < 4; i++)
			sb->states[i].status[v] = U;
	}
}

/* Prints one entry and reads it back; `ret_line` gets the first line that has `mark`. */
static struct oclmm_expected_file *keep(const struct sb *sb, const char *mark, char *ret_line)
{
	struct oclmm_expected_file *file = oclmm_expected_create("x"), *read = NULL;
	struct oclmm_text text = {0};
	struct oclmm_error error;
	const char *line;

	assert_int_equal(oclmm_expected_add(file, &sb->answer, OCLMM_MODEL_CONSENSUS), 0);
	oclmm_expected_print(&text, file);
	line = strstr(text.data, mark);
	assert_non_null(line);
	snprintf(ret_line, 128, "%.*s", (int)strcspn(line, "\n"), line);
	if (oclmm_expected_parse("x", text.data, text.length, &error, &read) < 0)
		fail_msg("line %u, column %u: %s", error.position.line, error.position.column,
		         error.message);
	oclmm_expected_destroy(file);
	oclmm_text_finish(&text);
	return read;
}

static enum oclmm_status under(const struct oclmm_expected_file *file, enum oclmm_model model,
                               const int64_t *values, unsigned *ret_deciding)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	enum oclmm_status status = oclmm_expected_status(
		oclmm_expected_under(arena, oclmm_expected_at(file, 0), model), values,
		ret_deciding);

	oclmm_arena_destroy(arena);
	return status;
}

TEST(test_regimes_differ)
{
	struct sb sb;
	struct oclmm_expected_file *file;
	unsigned deciding;
	char line[128];

	init(&sb, D, (const enum oclmm_status[]){A, F, D});
	file = keep(&sb, "disputed", line);
	assert_string_equal(line, "disputed *> 0:r0=0; 1:r0=0; # K1 K8 opencl-2.0:allowed "
	                          "opencl-2.1:forbidden opencl-3.1:disputed:K2+K11");
	assert_int_equal(under(file, V20, weak, &deciding), A);
	assert_int_equal(under(file, V21, weak, &deciding), F);
	assert_int_equal(deciding, 0);
	assert_int_equal(under(file, V31, weak, &deciding), D);
	assert_int_equal(deciding, 1u << OCLMM_KNOB_K2 | 1u << OCLMM_KNOB_K11);
	assert_int_equal(under(file, OCLMM_MODEL_CONSENSUS, weak, &deciding), D);
	assert_int_equal(deciding, 1u << OCLMM_KNOB_K1 | 1u << OCLMM_KNOB_K8);
	assert_int_equal(under(file, V21, strong, &deciding), A);
	oclmm_expected_destroy(file);
}

/* A version that disputes a state by the same knobs needs no words. */
TEST(test_same_dispute)
{
	struct sb sb;
	struct oclmm_expected_file *file;
	unsigned deciding;
	char line[128];

	init(&sb, D, (const enum oclmm_status[]){D, F, F});
	sb.states[0].deciding[OCLMM_MODEL_CONSENSUS] = sb.states[0].deciding[V20];
	file = keep(&sb, "disputed", line);
	assert_string_equal(line, "disputed *> 0:r0=0; 1:r0=0; # K2 K11 opencl-2.1:forbidden "
	                          "opencl-3.1:forbidden");
	assert_int_equal(under(file, V20, weak, &deciding), D);
	assert_int_equal(deciding, 1u << OCLMM_KNOB_K2 | 1u << OCLMM_KNOB_K11);
	oclmm_expected_destroy(file);
}

TEST(test_observation_and_forbids)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	const struct oclmm_expected *entry, *one;
	struct sb sb;
	struct oclmm_expected_file *file;
	char line[128];

	init(&sb, D, (const enum oclmm_status[]){A, F, D});
	file = keep(&sb, "disputed", line);
	entry = oclmm_expected_at(file, 0);
	assert_int_equal(entry->observation, OCLMM_OBSERVATION_DISPUTED);
	assert_false(oclmm_expected_forbids(entry));
	one = oclmm_expected_under(arena, entry, V20);
	assert_int_equal(one->observation, OCLMM_OBSERVATION_SOMETIMES);
	assert_false(oclmm_expected_forbids(one));
	one = oclmm_expected_under(arena, entry, V21);
	assert_int_equal(one->observation, OCLMM_OBSERVATION_NEVER);
	assert_int_equal(one->allowed_count, 3);
	assert_true(oclmm_expected_forbids(one));
	assert_ptr_equal(oclmm_expected_under(arena, entry, OCLMM_MODEL_CONSENSUS), entry);
	oclmm_expected_destroy(file);
	oclmm_arena_destroy(arena);
}

TEST(test_defined_by_one_version)
{
	struct sb sb;
	struct oclmm_expected_file *file;
	unsigned deciding;
	char line[128];

	init_undefined(&sb);
	file = keep(&sb, "undefined :>", line);
	assert_string_equal(line, "undefined :> 0:r0=0; 1:r0=1; # opencl-3.1:allowed");
	assert_int_equal(under(file, V20, strong, &deciding), U);
	assert_int_equal(under(file, V21, weak, &deciding), U);
	assert_int_equal(under(file, V31, strong, &deciding), A);
	assert_int_equal(under(file, V31, weak, &deciding), F);
	assert_int_equal(under(file, OCLMM_MODEL_CONSENSUS, strong, &deciding), U);
	oclmm_expected_destroy(file);
	file = keep(&sb, "defined opencl", line);
	assert_string_equal(line, "defined opencl-3.1");
	oclmm_expected_destroy(file);
}

static char *replaced(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	struct oclmm_text result = {0};

	assert_non_null(at);
	oclmm_text_add_bytes(&result, text, (size_t)(at - text));
	oclmm_text_add(&result, to);
	oclmm_text_add(&result, at + strlen(from));
	return oclmm_text_steal(&result);
}

static void refuse(const struct sb *sb, const char *from, const char *to, unsigned line,
                   unsigned column)
{
	struct oclmm_expected_file *file = oclmm_expected_create("x"), *read = NULL;
	struct oclmm_text text = {0};
	struct oclmm_error error;
	char *edited;

	oclmm_expected_add(file, &sb->answer, OCLMM_MODEL_CONSENSUS);
	oclmm_expected_print(&text, file);
	edited = replaced(text.data, from, to);
	assert_int_equal(oclmm_expected_parse("x", edited, strlen(edited), &error, &read), -EINVAL);
	if (error.position.line != line || error.position.column != column)
		fail_msg("\"%s\": refused at line %u, column %u: %s", to, error.position.line,
		         error.position.column, error.message);
	free(edited);
	oclmm_expected_destroy(file);
	oclmm_text_finish(&text);
}

TEST(test_refused)
{
	struct sb sb;

	init(&sb, D, (const enum oclmm_status[]){A, F, D});
	refuse(&sb, "opencl-2.1:forbidden", "opencl-2.9:forbidden", 7, 56);
	refuse(&sb, "opencl-2.1:forbidden", "opencl-2.1:never", 7, 67);
	refuse(&sb, "opencl-2.1:forbidden", "opencl-2.1", 7, 56);
	refuse(&sb, "opencl-2.1:forbidden ", "opencl-2.1:forbidden,", 7, 76);
	refuse(&sb, "disputed:K2+K11", "disputed", 7, 96);
	refuse(&sb, "disputed:K2+K11", "disputed:K2+", 7, 100);
	refuse(&sb, "disputed:K2+K11", "disputed:K2+K99", 7, 100);
	refuse(&sb, "disputed:K2+K11", "disputed:K11+K2", 7, 98);
	refuse(&sb, "# K1 K8 opencl", "# opencl", 7, 31);
	init_undefined(&sb);
	refuse(&sb, "defined opencl-3.1", "defined opencl-3.2", 11, 9);
	refuse(&sb, "defined opencl-3.1", "defined ", 11, 9);
	refuse(&sb, "undefined :> 0:r0=0;", "allowed :> 0:r0=0;", 7, 27);
	refuse(&sb, "undefined :> 0:r0=0; 1:r0=1; #", "undefined :> 0:r0=0; 1:r0=1;", 7, 29);
}
