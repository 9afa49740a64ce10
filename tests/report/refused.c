// SPDX-License-Identifier: Apache-2.0
/* Results that are not as they were written: refused, with the place. */

#include "../fixture/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

#define HALVED_AT                                                                                  \
	"\"halved_at\" is not an array of 1 to 32 whole numbers from 0 to 2^53, each above the "   \
	"one before"

/* Each damage is refused, with the line and the key. Where the message ends in dots, more follows.
 */
static const struct {
	const char *from, *to, *message, *at;
	uint32_t line;
} damages[] = {
	{"\"type\":\"run\"", "\"type\":\"runs\"",
         "\"runs\" outside of a run: a \"run\" line comes first", "\"type\"", 1},
	{"\"format\":1", "\"format\":2", "format 2, this program reads 1", "\"format\"", 1},
	{"\"shards\":0", "\"shards\":3", "there is no shard 0 of 3", "\"shard\"", 1},
	{"\"seed\":\"42\"", "\"seed\":42", "\"seed\" is not a string of decimal digits below 2^64",
         "\"seed\"", 1},
	{"\"seed\":\"42\"", "\"seed\":\"18446744073709551616\"",
         "\"seed\" is not a string of decimal digits below 2^64", "\"seed\"", 1},
	{"\"file\":", "\"flie\":", "the key \"file\" is missing", "{", 2},
	{"\"file\":", "\"more\":0,\"file\":", "unknown key \"more\"", "\"more\"", 2},
	{"\"file\":", "\"file\":null,\"file\":", "not JSON: duplicate object key near '\"file\"'",
         NULL, 2},
	{"\"class\":\"claimed\"", "\"class\":\"claims\"",
         "\"class\" is not one of claimed, accepted, unsupported", "\"class\"", 2},
	{"\"class\":\"claimed\"", "\"class\":\"unsupported\"",
         "\"class\" is unsupported, and \"ended\" is ok", "\"class\"", 2},
	{"\"verdict\":\"pass\"", "\"verdict\":\"good\"",
         "\"verdict\" is not one of pass, inconclusive, forbidden, disputed, undefined, "
         "skip, build-failed, crash, timeout, lost, known, stale",
         "\"verdict\"", 2},
	{"\"ended\":\"ok\"", "\"ended\":\"\"",
         "\"ended\" is not one of ok, unsupported, build-failed, crash, timeout, lost", "\"ended\"",
         2},
	{"\"ended\":\"crash\"", "\"ended\":\"timeout\"",
         "\"cause\" is device-error, which does not end as timeout", "\"cause\"", 8},
	{"\"cause\":null", "\"cause\":\"hang\"", "\"cause\" is hang, which does not end as ok",
         "\"cause\"", 2},
	{"\"count\":96", "\"count\":-1", "\"count\" is not a whole number from 0 to 2^53",
         "\"count\"", 2},
	{"\"count\":96", "\"count\":9007199254740993",
         "\"count\" is not a whole number from 0 to 2^53", "\"count\"", 2},
	{"\"count\":96", "\"count\":9223372036854775808", "\"count\" is too large a number",
         "\"count\"", 2},
	{"\"count\":96", "\"count\":9007199254740992", "the counts sum up to more than 2^53",
         "\"outcomes\"", 2},
	{"\"count\":96", "\"count\":96.0", "\"count\" is not a whole number from 0 to 2^53",
         "\"count\"", 2},
	{"\"cut\":0", "\"cut\":9007199254740992", "the counts sum up to more than 2^53",
         "\"outcomes\"", 2},
	{"\"seconds\":", "\"seconds\":-", "\"seconds\" is not a number from 0", "\"seconds\"", 2},
	{"\"seconds\":", "\"seconds\":1e999,\"x\":", "\"seconds\" is too large a number",
         "\"seconds\"", 2},
	{"\"attempts\":1", "\"attempts\":4294967296",
         "\"attempts\" is not a whole number from 0 to 2^32-1", "\"attempts\"", 2},
	{"\"halved_at\":[0,2]", "\"halved_at\":[2,2]", HALVED_AT, "\"halved_at\"", 3},
	{"\"halved_at\":[0,2]", "\"halved_at\":[]", HALVED_AT, "\"halved_at\"", 3},
	{"\"halved_at\":[0,2]", "\"halved_at\":[0,-2]", HALVED_AT, "\"halved_at\"", 3},
	{"\"halved_at\":[0,2]", "\"halved_at\":2", HALVED_AT, "\"halved_at\"", 3},
	{"\"halved_at\":[0,2]",
         "\"halved_at\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,"
         "17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32]",
         HALVED_AT, "\"halved_at\"", 3},
	{"\"halved_at\":[0,2]", "\"halved_at\":[2]",
         "\"halved_at\" names 1 launches, \"halved\" counts 2", "\"halved_at\"", 3},
	{"\"halved\":2,", "", "\"halved_at\" names 2 launches, \"halved\" counts 0",
         "\"halved_at\"", 3},
	{"\"first_launch\":0"
         ",\"master_seed\":\"42\",\"seed\":\"18446744073709551615\","
         "\"stimulus\":\"00000000000000aa\",\"halved\":2",
         "\"first_launch\":1"
         ",\"master_seed\":\"42\",\"seed\":\"18446744073709551615\","
         "\"stimulus\":\"00000000000000aa\",\"halved\":2",
         "\"halved_at\" has a launch before \"first_launch\"", "\"halved_at\"", 3},
	{"\"started\":\"2026-06-15T12", "\"started\":\"2026-06-15 12",
         "\"started\" is not a time such as 2026-01-31T12:00:00Z, or null", "\"started\"", 1},
	{"\"tool\":\"", "\"tool\":\"\",\"x\":\"", "\"tool\" is not a string that is not empty",
         "\"tool\"", 1},
	{"\"instances\":1000000,\"cut\"", "\"instances\":9007199254740992,\"cut\"",
         "the instances of all tests up to here are more than 2^53", "\"instances\"", 3},
	{"\"launches\":3,", "\"launches\":9007199254740992,",
         "the launches of all tests up to here are more than 2^53", "\"launches\"", 3},
	{"\"escape\":", "\"escape\":1.5,\"x\":", "\"escape\" is not a number from 0 to 1",
         "\"escape\"", 11},
	{"\"skip\":", "\"skip\":-",
         "\"verdicts\" is not an object with whole numbers from 0 "
         "to 2^53 for pass, inconclusive, forbidden, disputed, undefined, skip, "
         "build-failed, crash, timeout, lost, known, stale",
         "\"verdicts\"", 14},
	{"\"skip\":", "\"skipped\":",
         "\"verdicts\" is not an object with whole numbers from 0 "
         "to 2^53 for pass, inconclusive, forbidden, disputed, undefined, skip, "
         "build-failed, crash, timeout, lost, known, stale",
         "\"verdicts\"", 14},
	{"\"exit\":", "\"exit\":2,\"x\":", "\"exit\" is not one of 0, 1, 3, 4, 77, 99", "\"exit\"",
         14},
	{"\"values\":{\"0:r0\":0,", "\"values\":{\"0:r0\":\"a\",",
         "the value of \"0:r0\" is not a number", "\"0:r0\"", 2},
	{"\"values\":{\"0:r0\":0,", "\"values\":{\"0:r0\":\"nan\",",
         "the value of \"0:r0\" is not a number", "\"0:r0\"", 2},
	{"\"values\":{\"0:r0\":0,", "\"values\":{\"0:r0\":\"as_float(0x17fc00000)\",",
         "the value of \"0:r0\" is not a number", "\"0:r0\"", 2},
	{"\"witness\":false},{", "\"witness\":false}{", "not JSON: ']' expected near '{'", NULL, 2},
	{"\"witness\":false},{", "\"witness\":false},,{", "not JSON: unexpected token near ','",
         NULL, 2},
	{"\"outcomes\":[", "\"outcomes\":[0,", "\"outcome\" is no object", "{", 2},
	{"],\"evidence\"", ",],\"evidence\"", "not JSON: unexpected token near ']'", NULL, 6},
	{"\"outcomes\":[", "\"outcomes\":[],\"outcomes\":[",
         "not JSON: duplicate object key near '\"outcomes\"'", NULL, 2},
	{"\"outcomes\":[", "\"\\u006futcomes\":[", "the key \"outcomes\" is spelled with escapes",
         "{", 2},
	{"\"outcomes\":[", "\"outcomes\":{\"outcomes\":[],\"x\":[",
         "not JSON: '}' expected near end of file", NULL, 2},
	{"\"1:r0\":1},", "\"2:r0\":1},", "an outcome lacks \"1:r0\"", "\"outcomes\"", 2},
	{"\"status\":\"allowed\"", "\"status\":\"fine\"",
         "\"status\" is not one of forbidden, allowed, disputed, undefined", "\"status\"", 2},
	{"\"K8\"", "\"K99\"", "\"deciding\" is not an array of K1, K2, K3, ...", "\"deciding\"", 4},
	{"\"kind\":\"moved\"", "\"kind\":\"other\"", "\"kind\" is not one of weaker, moved",
         "\"kind\"", 6},
	{"\"name\":\"SB+silent~exchange-P0.1-2\"", "\"name\":\"SB\"",
         "the control \"SB\" stands twice", "\"controls\"", 6},
	{"\"name\":\"SB\"", "\"name\":\"SB2\"", "the control \"SB\" is missing", "\"controls\"", 6},
	{"\"name\":\"SB\",\"kind\":\"weaker\"", "\"name\":\"SB\",\"kind\":\"moved\"",
         "the control \"SB\" is a variant of the test, and not moved", "\"controls\"", 6},
	{"[1,1,0,1,0,1,1]", "[1,1,0,1,0]",
         "block 1 has 5 numbers, the test and its controls need 7, or 10 with their "
         "instances",
         "\"blocks\"", 6},
	{"[19,1,0,50000,1,1,50000,1,1,50000]", "[19,1,0,50000,1,2,50000,1,1,50000]",
         "block 2 has hits in 2 launches of 1", "\"blocks\"", 6},
	{"[19,1,0,50000,1,1,50000,1,1,50000]", "[19,1,0,50000,-1,1,50000,1,1,50000]",
         "block 2 has a count that is no whole number from 0", "\"blocks\"", 6},
	{"[19,1,0,50000,1,1,50000,1,1,50000]", "[0,1,0,50000,1,1,50000,1,1,50000]",
         "block 2 did not run: it is repeated 0 times", "\"blocks\"", 6},
	{"[19,1,0,50000,1,1,50000,1,1,50000]", "[19,1,0,50000,4097,1,50000,1,1,50000]",
         "block 2 has too many launches; a block has at most 4096", "\"blocks\"", 6},
	{"[19,1,0,50000,1,1,50000,1,1,50000]", "[9007199254740993,1,0,50000,1,1,50000,1,1,50000]",
         "block 2 has too many launches; a block has at most 4096", "\"blocks\"", 6},
	{"[19,1,0,50000,1,1,50000,1,1,50000]",
         "[99999999999999999999,1,0,50000,1,1,50000,1,1,50000]", "\"blocks\" is too large a number",
         "\"blocks\"", 6},
	{"[19,1,0,50000,1,1,50000,1,1,50000]", "[20,1,0,50000,1,1,50000,1,1,50000]",
         "the blocks have 21 launches of the test, which had 20", "\"blocks\"", 6},
	{"[19,1,0,50000,1,1,50000,1,1,50000]", "[19,1,0,50000,1,1,50000,1,1,50000],",
         "not JSON: unexpected token near ']'", NULL, 6},
	{"[19,1,0,50000,1,1,50000,1,1,50000]", "[],[19,1,0,50000,1,1,50000,1,1,50000]",
         "block 2 has 0 numbers, the test and its controls need 7, or 10 with their "
         "instances",
         "\"blocks\"", 6},
	{"[19,1,0,50000,1,1,50000,1,1,50000]", "[019,1,0,50000,1,1,50000,1,1,50000]",
         "not JSON: invalid token near '0'", NULL, 6},
	{",[19,1,0,50000,1,1,50000,1,1,50000]", "[19,1,0,50000,1,1,50000,1,1,50000]",
         "not JSON: ']' expected near '['", NULL, 6},
	{"[19,1,0,50000,1,1,50000,1,1,50000]", "[19,1,0,50000,1,1,50000,1,1,50000],7",
         "block 3 has 0 numbers, the test and its controls need 7, or 10 with their "
         "instances",
         "\"blocks\"", 6},
	{"\"blocks\":[", "\"blocks\":[],\"blocks\":[",
         "not JSON: duplicate object key near '\"blocks\"'", NULL, 6},
	{"\"instances\":1000000,\"rounds\":2000", "\"instances\":19,\"rounds\":2000",
         "the control \"SB\" has 20 launches and 19 instances", "\"controls\"", 6},
	{"\"count\":77", "\"count\":38",
         "the controls have hits in 39 launches, and showed 38 outcomes", "\"shown\"", 6},
	{"\"count\":77", "\"count\":2000077",
         "the controls showed 2000077 outcomes in 2000000 instances", "\"shown\"", 6},
	{"[19,1,0,50000,1,1,50000,1,1,50000]", "[19,1,0,60000,1,1,60000,1,1,60000]",
         "the blocks have 1140000 instances of the test, which had 1000000", "\"blocks\"", 6},
	{"[19,1,0,50000,1,1,50000,1,1,50000]", "[19,1,0,50000,1,1,50001,1,1,50000]",
         "block 2 has launches with different numbers of instances", "\"blocks\"", 6},
	{"[19,1,0,50000,1,1,50000,1,1,50000]", "[19,1,0,50000,2,1,50000,1,1,50000]",
         "block 2 has launches with different numbers of instances", "\"blocks\"", 6},
	/* a launch in which nothing was looked at is none */
	{"\"count\":500000,\"status\":\"allowed\",\"witness\":false},"
         "{\"values\":{\"0:r0\":1,\"1:r0\":0},\"count\":500000",
         "\"count\":0,\"status\":\"allowed\",\"witness\":false},"
         "{\"values\":{\"0:r0\":1,\"1:r0\":0},"
         "\"count\":19",
         "the blocks have 20 launches of the test, which had 19 outcomes", "\"blocks\"", 6},
	{"[19,1,0,50000,1,1,50000,1,1,50000]", "[19,1,0,0,1,1,0,1,1,0]",
         "block 2 has 1 launches and 0 instances", "\"blocks\"", 6},
	{"\"met\":1200", "\"met\":3001", "the roles met in 3001 rounds of 3000", "\"met\"", 6},
	{"\"met\":1100", "\"met\":2001", "the roles of \"SB\" met in 2001 rounds of 2000",
         "\"met\"", 6},
	{"\"shown\":[{", "\"shown\":[0,{", "\"shown\" is no object", "\"shown\"", 6},
	{"\"rounds\":3000", "\"round\":3000", "the key \"rounds\" is missing", "{", 6},
	{"\"type\":\"confidence\"", "\"type\":\"confidents\"", "unknown type \"confidents\"",
         "\"type\"", 11},
	{"\"pass\":2", "\"pass\":3",
         "the manifest counts 9 tests, 10 of them with verdicts, and 9 test lines", "\"tests\"",
         14},
	{"\"records\":9", "\"records\":8", "the manifest counts 8 test lines, the file has 9",
         "\"records\"", 14},
};

TEST(test_refused)
{
	struct sample sample;
	char *text;

	sample_make(&sample, false);
	text = sample_text(&sample);
	for (size_t i = 0; i < OCLMM_COUNT(damages); i++) {
		char *damaged = sample_damage(text, damages[i].from, damages[i].to),
		     *line = damaged;
		const char *dots = strstr(damages[i].message, "...");
		struct oclmm_results *results = NULL;
		struct oclmm_error error = {0};

		assert_int_equal(oclmm_results_parse("x", damaged, strlen(damaged), true, &error,
		                                     &results),
		                 -EINVAL);
		assert_null(results);
		if (dots)
			assert_memory_equal(error.message, damages[i].message,
			                    (size_t)(dots - damages[i].message));
		else
			assert_string_equal(error.message, damages[i].message);
		assert_string_equal(error.file, "x");
		assert_int_equal(error.position.line, damages[i].line);
		for (uint32_t k = 1; k < damages[i].line; k++)
			line = strchr(line, '\n') + 1;
		if (damages[i].at)
			assert_memory_equal(line + error.position.column - 1, damages[i].at,
			                    strlen(damages[i].at));
		free(damaged);
	}
	free(text);
	sample_finish(&sample);
}

/* A byte of value 0, wherever it stands: behind a number, too. */
TEST(test_zero_bytes)
{
	struct sample sample;
	char *text, *end;

	sample_make(&sample, false);
	text = sample_text(&sample);
	end = strchr(strchr(text, '\n') + 1, '\n');
	for (char *at = strchr(text, '\n') + 1; at < end; at++) {
		struct oclmm_results *results = NULL;
		struct oclmm_error error = {0};
		const char kept = *at;

		*at = '\0';
		assert_int_equal(oclmm_results_parse("x", text, (size_t)(end - text) + 1, true,
		                                     &error, &results),
		                 -EINVAL);
		assert_string_equal(error.message, "not JSON: a byte of value 0");
		assert_int_equal(error.position.line, 2);
		*at = kept;
	}
	free(text);
	sample_finish(&sample);
}

/* Whatever a disk does to a file, reading it ends, with results or with a reason. */
TEST(test_random_damage)
{
	struct sample sample;
	char *text;
	size_t length;

	sample_make(&sample, false);
	text = sample_text(&sample);
	length = strlen(text);
	for (uint64_t round = 0; round < 3000 / SHARE; round++) { /* of the build */
		uint64_t key = oclmm_random_derive(round, "damage");
		char *damaged = oclmm_strdup(text);
		struct oclmm_results *results = NULL;
		struct oclmm_error error = {0};

		for (uint64_t i = 0; i < 1 + round % 3; i++)
			damaged[oclmm_random_below(key, 2 * i, length)] =
				(char)oclmm_random_below(key, 2 * i + 1, 256);
		if (oclmm_results_parse("x", damaged, length, round % 2, &error, &results) < 0)
			assert_true(error.message[0]);
		else
			assert_int_equal(results->saved_count, SAMPLE_TESTS);
		oclmm_results_destroy(results);
		free(damaged);
	}
	free(text);
	sample_finish(&sample);
}

TEST(test_not_results)
{
	static const char *const texts[] = {
		"", "{}\n", "[]\n", "null\n", "\n", "x\n", "{\"type\":\"end\"}\n"};

	for (size_t i = 0; i < OCLMM_COUNT(texts); i++) {
		struct oclmm_results *results = NULL;
		struct oclmm_error error = {0};

		assert_int_equal(oclmm_results_parse("x", texts[i], strlen(texts[i]), true, &error,
		                                     &results),
		                 -EINVAL);
		assert_true(error.message[0]);
	}
}

/* What a killed run leaves behind: any prefix is refused, or read in part where that was asked
 * for. */
TEST(test_prefixes)
{
	struct sample sample;
	char *text;
	size_t length;

	sample_make(&sample, false);
	text = sample_text(&sample);
	length = strlen(text);
	for (size_t cut = strcspn(text, "\n") + 1; cut < length; cut += 7) {
		struct oclmm_results *results = NULL;
		struct oclmm_error error = {0};
		int r = oclmm_results_parse("x", text, cut, false, &error, &results);

		assert_int_equal(r, text[cut - 1] == '\n' ? 0 : -EINVAL);
		if (r == 0)
			assert_false(results->complete);
		oclmm_results_destroy(results);
		assert_int_equal(oclmm_results_parse("x", text, cut, true, &error, &results), 0);
		assert_false(results->complete);
		oclmm_results_destroy(results);
	}
	free(text);
	sample_finish(&sample);
}
