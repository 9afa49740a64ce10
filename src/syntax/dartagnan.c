// SPDX-License-Identifier: Apache-2.0
/* What the grammar that is shared with Dartagnan lacks: words and names. Only asked
 * for a file that is to be shared with it. */
#include "build.h"

#include <errno.h>
#include <string.h>

#include "grammar.h"

int oclmm_check_shared(const struct builder *builder, const struct syntax_token *at)
{
	if (!builder->dartagnan)
		return 0;
	return REFUSE(builder, at, NULL, "`%s` is not in the grammar shared with Dartagnan",
	              at->text);
}

/* ---- names ---- */

/* `B1` and `P1` are words of their own kind there. */
static bool is_numbered(const char *name, char letter)
{
	return name[0] == letter && name[1] && strspn(name + 1, "0123456789") == strlen(name + 1);
}

static bool is_reserved(const char *name)
{
	static const char *const words[] = {
		"C",        "OPENCL",     "wg",    "dev",   "with",   "final",   "default",
		"tso",      "cc",         "optic", "false", "struct", "char",    "intptr_t",
		"atomic_t", "spinlock_t", "SCAS",  "WCAS",  "xchg",   "cmpxchg",
	};

	return oclmm_is_among(name, words, OCLMM_COUNT(words)) || is_numbered(name, 'B') ||
	       is_numbered(name, 'P');
}

int oclmm_check_name(const struct builder *builder, const struct syntax_token *at)
{
	if (!builder->dartagnan || !is_reserved(at->text))
		return 0;
	return REFUSE(builder, at, "choose another name", "`%s` is no name for Dartagnan",
	              at->text);
}
