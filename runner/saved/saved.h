// SPDX-License-Identifier: Apache-2.0
/*
 * Results files that a command names on its line: joined, and judged again by the tests and
 * expected sets of today.
 *
 * May see: select, page, picture, export, kernels.
 */
#ifndef OCLMM_RUNNER_SAVED_SAVED_H
#define OCLMM_RUNNER_SAVED_SAVED_H

#include "cli/cli.h"
#include "oclmm/report.h"
#include "select/select.h"

/* Reads expectations; `path` may be NULL for none. Finish with oclmm_expectations_destroy(). */
int saved_expectations(const char *path, struct oclmm_expectations **ret_expectations);
/*
 * Whether each of them names a test of the selection's files or of the suite. `expectations` may be
 * NULL. Returns 0 or the status to leave with.
 */
int saved_expectations_check(const struct oclmm_expectations *expectations,
                             const struct selection *selection);

/* Reads files and joins them: into `text` where there is one, else into `ret_results`, which then
 * owns what was read. Returns 0 or the status to leave with. */
int saved_join(const struct command *command, char **paths, int count, bool partial,
               struct oclmm_text *text, struct oclmm_results **ret_results);

enum { REGRADE_LITMUS = 64 };

/* By which rules devices are judged. */
struct regrade_model {
	bool given; /* else by those of the device's version */
	enum oclmm_model model;
	struct oclmm_cat_model *cat; /* of --cat, which answers in place of ours; or NULL. The
	                                 command destroys it */
	const char *path;            /* its file */
};
enum oclmm_model regrade_model_for(const struct regrade_model *model, const char *device_version);
/* The name that records have for them. */
const char *regrade_model_name(const struct regrade_model *model, const char *device_version);

/* What a pass needs where nothing else is asked for. */
#define REGRADE_DEMAND                                                                             \
	{                                                                                          \
		.confidence = 0.95                                                                 \
	}

/* By what results are judged. */
struct regrade_rules {
	const char *expectations; /* a file, or NULL */
	struct oclmm_demand demand;
	struct regrade_model model;
	bool claims_accepted;
};

/* What commands can be told that judge results again; their lines in a table of options. */
struct regrade_options {
	struct regrade_rules rules;
	char *litmus[REGRADE_LITMUS]; /* files and folders; none: the suite */
	int litmus_count;
	bool partial;
};
/* clang-format off */
#define REGRADE_ANNOTATIONS_OPTION(holder) \
	{ "annotations", 0, "FOR", "github: failures as annotations of the litmus files", \
	  SETS_BY(regrade_annotations, holder, annotations) }
#define REGRADE_CAT_OPTION(holder, rules) \
	{ "cat", 0, "FILE", "judge by the model in this cat file instead of ours", \
	  SETS_BY(regrade_set_cat, holder, rules.model) }
#define REGRADE_STUCK_OPTION(holder, rules) \
	{ "stuck-fails", 0, NULL, "waits that keep an old value fail (status 1)", \
	  SETS_FLAG(holder, rules.demand.stuck_fails) }
#define REGRADE_CLAIMS_OPTION(holder, rules) \
	{ "claims", 0, "WHICH", "claimed (default) or accepted: which tests gate", \
	  SETS_BY(regrade_claims, holder, rules.claims_accepted) }
#define REGRADE_CONFIDENCE_OPTION(holder, rules) \
	{ "confidence", 0, "P", "that a pass needs, by its controls (default 0.95)", \
	  SETS_PROBABILITY(holder, rules.demand.confidence) }
#define REGRADE_MODEL_OPTION(holder, rules) \
	{ "model", 'm', "NAME", "judge by this model, not by that of the device's version", \
	  SETS_BY(regrade_set_model, holder, rules.model) }
#define REGRADE_REQUIRE_OPTION(holder, rules) \
	{ "require", 0, "KIND", \
	  "whose controls a pass needs: any (default), compiler, hardware, both", \
	  SETS_BY(regrade_require, holder, rules.demand.kinds) }
#define REGRADE_UNPROVEN_OPTION(holder) \
	{ "unproven", 0, "HOW", \
	  "inconclusive tests in JUnit: skipped (default), or run with a property", \
	  SETS_BY(regrade_unproven, holder, unproven_property) }
#define REGRADE_EXPECTATIONS_OPTION(holder, rules) \
	{ "expectations", 'e', "FILE", "failures that are known, by device and driver", \
	  SETS_TEXT(holder, rules.expectations) }
#define REGRADE_LITMUS_OPTION(holder, options) \
	{ "litmus", 0, "FILE|DIR", "the tests, instead of the suite; may be repeated", \
	  SETS_BY(regrade_litmus, holder, options) }
#define REGRADE_PARTIAL_OPTION(holder, partial) \
	{ "partial", 0, NULL, "accept missing shards and runs that were cut short", \
	  SETS_FLAG(holder, partial) }
/* clang-format on */
/* Their setters. */
int regrade_annotations(const char *option, const char *value, void *ret_annotations);
int regrade_set_cat(const char *option, const char *path, void *ret_model);
int regrade_claims(const char *option, const char *value, void *ret_accepted);
int regrade_set_model(const char *option, const char *value, void *ret_model);
int regrade_require(const char *option, const char *value, void *ret_kinds);
int regrade_unproven(const char *option, const char *value, void *ret_property);
int regrade_litmus(const char *option, const char *value, void *options);

/* A whole kernel that results name, and what the oracle says of it. */
struct regrade_kernel;

struct regrade {
	struct oclmm_results *results;
	struct selection selection;
	struct oclmm_record **records; /* one per saved test, ready for oclmm_grade() */
	size_t count;
	struct oclmm_expected_file *
		*expected; /* one per litmus file, NULL until needed and where there is none */
	bool *expected_read;
	struct regrade_model model;
	struct oclmm_expected_file **computed; /* where expected/ had no fitting entry */
	size_t computed_count, computed_capacity;
	struct regrade_kernel **kernels;
	size_t kernel_count, kernel_capacity;
	struct oclmm_expectations *expectations;
	/* The last answer: records of one test stand side by side. */
	struct {
		const struct chosen *chosen;
		enum oclmm_model model;
		const struct oclmm_expected *expected; /* NULL: none without the oracle … */
		bool asked;                            /* … which was asked */
	} last;
};

/*
 * Zero-initialise. Reads results, joins and grades them; confidence is the
 * caller's to work out. Returns 0 or the status to leave with.
 */
int regrade_open(struct regrade *regrade, const struct command *command,
                 const struct regrade_options *options, char **paths, int count);
/* The test of this name among those that were found, or NULL. */
const struct chosen *regrade_find(const struct regrade *regrade, const char *name);
/* Frees everything, the grades too. */
void regrade_finish(struct regrade *regrade);

/* Names the rule that a record's forbidden outcome breaks, and why the test is not exported where
 * it is not, for its reports; the arena keeps both. */
void saved_add_next(struct oclmm_arena *arena, struct oclmm_record *record);

#endif
