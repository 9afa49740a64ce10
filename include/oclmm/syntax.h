// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * The litmus format: reads a file, expands its `vary` axes, checks every
 * variant for legality, and gives programs. docs/litmus-format.md describes
 * the language.
 */
#ifndef OCLMM_SYNTAX_H
#define OCLMM_SYNTAX_H

#include "oclmm/ir.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** What a file says of its base variant after `Result:`. */
enum oclmm_stated {
	OCLMM_STATED_NOTHING,
	OCLMM_STATED_NEVER,
	OCLMM_STATED_SOMETIMES,
	OCLMM_STATED_ALWAYS,
	OCLMM_STATED_UNDEFINED,
	OCLMM_STATED_DISPUTED,
};

/** One value that an axis has in a variant. */
struct oclmm_setting {
	const char *axis;
	const char *value; /**< `base` where the file is as written */
};

/** One expanded variant. */
struct oclmm_variant {
	const char *name; /**< `NAME` or `NAME.axis=value…`; safe as a file name and a shell word */
	const struct oclmm_setting *settings; /**< one per axis of the file */
	uint32_t setting_count;
	const struct oclmm_program *program;
	const char *control; /**< name of the variant that weakens this one, or NULL */
};

/** A litmus file with all its variants; owns them. */
struct oclmm_litmus {
	struct oclmm_arena *arena;
	const char *path;
	const char
		*name; /**< the word after `OPENCL`, with `_` for what is unsafe in a file name */
	const char *question; /**< the quoted line, or NULL */
	const char
		*comment; /**< the text of the first comment without its line `Result:`, or NULL */
	enum oclmm_stated stated;
	struct oclmm_position stated_position;
	const char *text; /**< the whole source */
	struct oclmm_variant
		*variants; /**< the base variant first, then in the order of the axes */
	uint32_t variant_count;
	const struct oclmm_variant **by_name; /**< the same in the order of strcmp() */
};

/** Knobs of the reader. Zero is the normal reading. */
struct oclmm_syntax_options {
	bool dartagnan; /**< accept only the grammar that Dartagnan shares, in the file as written
	                 */
};

/**
 * Reads and checks a litmus file.
 * \return 0; -EINVAL when the text is refused (`error` has place and reason);
 * another negative errno value when the file cannot be read.
 */
int oclmm_litmus_read(const char *path, const struct oclmm_syntax_options *options,
                      struct oclmm_error *error, struct oclmm_litmus **ret_litmus);
/** The same for a text in memory; `path` is only for messages. */
int oclmm_litmus_parse(const char *path, const char *text, size_t length,
                       const struct oclmm_syntax_options *options, struct oclmm_error *error,
                       struct oclmm_litmus **ret_litmus);
void oclmm_litmus_destroy(struct oclmm_litmus *litmus);

/** Finds a variant by its full name, or returns NULL. */
const struct oclmm_variant *oclmm_litmus_find(const struct oclmm_litmus *litmus, const char *name);

/** The most letters that the name of a file's test has. */
enum { OCLMM_TEST_NAME_MOST = 120 };
/** Whether a test can have this name and keep it, letter for letter, as the name of its file. */
bool oclmm_is_test_name(const char *name);

/** `Never`, `Sometimes`, …; NULL for OCLMM_STATED_NOTHING. */
const char *oclmm_stated_word(enum oclmm_stated stated);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
