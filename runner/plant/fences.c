// SPDX-License-Identifier: Apache-2.0
/* Plants in fences and barriers (C:6.15.8, C:6.15.9, C:6.15.12.5). */
#include "internal.h"

#define LOCAL  "CLK_LOCAL_MEM_FENCE"
#define GLOBAL "CLK_GLOBAL_MEM_FENCE"

/* Writes the call with other flags, and finishes their text. */
static bool put_flags(struct rewriter *rewriter, const struct call *call, struct oclmm_text *flags)
{
	const char *replaced[CALL_ARGUMENTS] = {oclmm_text_string(flags)};

	put_call(rewriter, call, replaced);
	oclmm_text_finish(flags);
	return true;
}

static void add_old(const struct rewriter *rewriter, const struct call *call,
                    struct oclmm_text *text)
{
	struct rewriter inner = *rewriter;

	inner.text = text;
	put_range(&inner, call->arguments[0]);
}

static bool narrow(struct rewriter *rewriter, const struct call *call)
{
	const char *kept = rewriter->plant.keep_global ? GLOBAL : LOCAL;
	bool local = range_mentions(&rewriter->source, call->arguments[0], LOCAL);
	bool global = range_mentions(&rewriter->source, call->arguments[0], GLOBAL);
	struct oclmm_text text;

	oclmm_text_init(&text);
	if (local && global) {
		oclmm_text_add(&text, kept);
	} else if (!local && !global) {
		oclmm_text_add(&text, "((");
		add_old(rewriter, call, &text);
		oclmm_text_printf(&text, ") == (" LOCAL " | " GLOBAL ") ? %s : (", kept);
		add_old(rewriter, call, &text);
		oclmm_text_add(&text, "))");
	} else {
		return false;
	}
	return put_flags(rewriter, call, &text);
}

static bool swap(struct rewriter *rewriter, const struct call *call)
{
	const struct source *source = &rewriter->source;
	bool local = range_mentions(source, call->arguments[0], LOCAL);
	bool global = range_mentions(source, call->arguments[0], GLOBAL);
	struct oclmm_text text;

	if (local && global)
		return false;
	oclmm_text_init(&text);
	if (local || global) {
		oclmm_text_add(&text, local ? GLOBAL : LOCAL);
	} else {
		oclmm_text_add(&text, "((");
		add_old(rewriter, call, &text);
		oclmm_text_add(&text, ") == " LOCAL " ? " GLOBAL " : (");
		add_old(rewriter, call, &text);
		oclmm_text_add(&text, ") == " GLOBAL " ? " LOCAL " : (");
		add_old(rewriter, call, &text);
		oclmm_text_add(&text, "))");
	}
	return put_flags(rewriter, call, &text);
}

static bool without_flags(struct rewriter *rewriter, const struct call *call)
{
	struct oclmm_text text;

	if (range_is(&rewriter->source, call->arguments[0], "0"))
		return false;
	oclmm_text_init(&text);
	oclmm_text_add(&text, "0");
	return put_flags(rewriter, call, &text);
}

/* Nobody waits in some groups or launches; all of a group's work-items agree on that. */
static bool remove_where(struct rewriter *rewriter, const struct call *call, const char *count,
                         const char *compares)
{
	if (call->function->kind != FUNCTION_BARRIER)
		return false;
	put(rewriter, "(%s %s %llu ? (void)0 : ", count, compares,
	    (unsigned long long)rewriter->plant.number);
	put_raw(rewriter, (struct range){call->name, call->close + 1});
	put(rewriter, ")");
	return true;
}

bool rewrite_fence(struct rewriter *rewriter, const struct call *call)
{
	enum function_kind kind = call->function->kind;

	switch (rewriter->plant.bug) {
	case PLANT_FENCE_REMOVED:
		if (kind == FUNCTION_FENCE)
			put(rewriter, "((void)0)");
		return kind == FUNCTION_FENCE;
	case PLANT_MEM_FENCE_EMPTY:
		if (kind == FUNCTION_MEM_FENCE)
			put(rewriter, "((void)0)");
		return kind == FUNCTION_MEM_FENCE;
	case PLANT_FENCE_NARROWED:
		return (kind == FUNCTION_FENCE || kind == FUNCTION_MEM_FENCE) &&
		       narrow(rewriter, call);
	case PLANT_BARRIER_REMOVED:
		if (kind == FUNCTION_BARRIER)
			put(rewriter, "((void)0)");
		return kind == FUNCTION_BARRIER;
	case PLANT_SMALL_BARRIER: return remove_where(rewriter, call, GROUP_SIZE, "<=");
	case PLANT_LONE_BARRIER: return remove_where(rewriter, call, GROUP_COUNT, "==");
	case PLANT_EXACT_BARRIER: return remove_where(rewriter, call, GROUP_SIZE, "==");
	case PLANT_GROUP_BARRIER: return remove_where(rewriter, call, GROUP_SIZE, ">=");
	case PLANT_BARRIER_NO_FENCE:
		return kind == FUNCTION_BARRIER && without_flags(rewriter, call);
	case PLANT_BARRIER_SWAPPED: return kind == FUNCTION_BARRIER && swap(rewriter, call);
	default: return false;
	}
}
