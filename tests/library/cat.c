// SPDX-License-Identifier: Apache-2.0
/* A model in the cat language, and executions that it judges. */
#include "calls.h"

#include <errno.h>
#include <string.h>

static const char text[] = "let hb = r+\nacyclic hb as order\nflag ~empty s as seen\n";
static const struct oclmm_cat_name names[] = {{"r", OCLMM_CAT_RELATION}, {"s", OCLMM_CAT_SET}};

static void call_model(struct oclmm_cat_model *model)
{
	const uint64_t forth[] = {2, 0}, round[] = {2, 1}, none = 0, first = 1;
	struct oclmm_cat_verdict verdict;
	struct oclmm_cat_why why;

	CHECK(strncmp(oclmm_cat_name(model), "x", 1) == 0);
	CHECK(oclmm_cat_evaluate(model, 2, (const uint64_t *const[]){forth, &none}, &verdict,
	                         NULL) == 0);
	CHECK(verdict.consistent && verdict.flags == 0);
	CHECK(oclmm_cat_evaluate(model, 2, (const uint64_t *const[]){round, &first}, &verdict,
	                         &why) == 0);
	CHECK(why.count == 2 && why.line == 2);
	CHECK(oclmm_cat_evaluate(model, 2, (const uint64_t *const[]){round, &first}, &verdict,
	                         NULL) == 0);
	CHECK(!verdict.consistent && strcmp(verdict.broken, "order") == 0);
	CHECK(oclmm_cat_remove(model, "order") && !oclmm_cat_remove(model, "order"));
	CHECK(oclmm_cat_evaluate(model, 2, (const uint64_t *const[]){round, &first}, &verdict,
	                         NULL) == 0);
	CHECK(verdict.consistent && verdict.flags == 1);
}

void call_cat(const char *scratch)
{
	struct oclmm_cat_model *model;
	struct oclmm_text path = {0};
	struct oclmm_error error;

	CHECK(oclmm_cat_parse("x", "let", 3, names, 2, &error, &model) == -EINVAL);
	if (CHECK(oclmm_cat_parse("x", text, strlen(text), names, 2, &error, &model) == 0)) {
		call_model(model);
		oclmm_cat_destroy(model);
	}
	oclmm_text_printf(&path, "%s/x.cat", scratch);
	CHECK(oclmm_write_file(oclmm_text_string(&path), text, strlen(text)) == 0);
	if (CHECK(oclmm_cat_read(oclmm_text_string(&path), names, 2, &error, &model) == 0))
		oclmm_cat_destroy(model);
	oclmm_text_finish(&path);
}
