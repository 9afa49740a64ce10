// SPDX-License-Identifier: Apache-2.0
/* Saved records joined with the tests and expected sets of today. */
#ifndef OCLMM_RUNNER_SAVED_REGRADE_H
#define OCLMM_RUNNER_SAVED_REGRADE_H

#include "cli/cli.h"
#include "oclmm/report.h"
#include "select/select.h"

enum { REGRADE_LITMUS = 64 };

/* By which rules devices are judged. */
struct regrade_model {
	bool given; /* else by those of the device's version */
	enum oclmm_model model;
};
enum oclmm_model regrade_model_for(const struct regrade_model *model, const char *device_version);

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
#define REGRADE_CLAIMS_OPTION                                                                      \
	{                                                                                          \
		"claims", 0, "WHICH", "claimed (default) or accepted: which tests gate"            \
	}
#define REGRADE_CONFIDENCE_OPTION                                                                  \
	{                                                                                          \
		"confidence", 0, "P", "that a pass needs, by its controls (default 0.95)"          \
	}
#define REGRADE_MODEL_OPTION                                                                       \
	{                                                                                          \
		"model", 'm', "NAME", "judge by this model, not by that of the device's version"   \
	}
#define REGRADE_REQUIRE_OPTION                                                                     \
	{                                                                                          \
		"require", 0, "KIND",                                                              \
			"whose controls a pass needs: any (default), compiler, hardware, both"     \
	}
#define REGRADE_UNPROVEN_OPTION                                                                    \
	{                                                                                          \
		"unproven", 0, "HOW",                                                              \
			"inconclusive tests in JUnit: skipped (default), or run with a property"   \
	}
#define REGRADE_EXPECTATIONS_OPTION                                                                \
	{                                                                                          \
		"expectations", 'e', "FILE", "failures that are known, by device and driver"       \
	}
#define REGRADE_LITMUS_OPTION                                                                      \
	{                                                                                          \
		"litmus", 0, "FILE|DIR", "the tests, instead of the suite; may be repeated"        \
	}
#define REGRADE_PARTIAL_OPTION                                                                     \
	{                                                                                          \
		"partial", 0, NULL, "accept missing shards and runs that were cut short"           \
	}
/* Sets one of them, by its name, that is a rule, or any of them. Non-zero when refused. */
int regrade_rule(const struct command *command, const char *name, const char *value,
                 struct regrade_rules *rules);
int regrade_option(const struct command *command, const char *name, const char *value,
                   struct regrade_options *options);

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
/* The day in UTC, as expectations have it. */
int32_t regrade_today(void);
/* Frees everything, the grades too. */
void regrade_finish(struct regrade *regrade);

#endif
