// SPDX-License-Identifier: Apache-2.0
#include "rewrite.h"

#include <stdio.h>
#include <string.h>

#include "internal.h"

void put(struct rewriter *rewriter, const char *format, ...)
{
	char buffer[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(buffer, sizeof(buffer), format, arguments);
	va_end(arguments);
	oclmm_text_add(rewriter->text, buffer);
}

static void put_bytes(struct rewriter *rewriter, size_t from, size_t to)
{
	oclmm_text_add_bytes(rewriter->text, rewriter->source.text + from, to - from);
}

static size_t end_of(const struct source *source, size_t token)
{
	return source->tokens[token].at + source->tokens[token].length;
}

void put_gap(struct rewriter *rewriter, size_t token)
{
	const struct source *source = &rewriter->source;

	put_bytes(rewriter, token > 0 ? end_of(source, token - 1) : 0, source->tokens[token].at);
}

static bool rewrite_call(struct rewriter *rewriter, const struct call *call)
{
	switch (rewriter->plant.bug) {
	case PLANT_SC_ACQ_REL:
	case PLANT_ACQUIRE_RELAXED:
	case PLANT_RELEASE_RELAXED:
	case PLANT_RMW_RELAXED:
	case PLANT_ALL_RELAXED:
	case PLANT_CAS_FAIL_RELAXED:
	case PLANT_FENCE_WEAKENED:
	case PLANT_FENCE_TO_ACQUIRE:
	case PLANT_FENCE_TO_RELEASE:
	case PLANT_MULTI_GROUP:
	case PLANT_FIRST_LAUNCHES:
	case PLANT_LATE_LAUNCHES: return rewrite_orders(rewriter, call);
	case PLANT_SCOPE_NARROWED: return rewrite_scope(rewriter, call);
	case PLANT_FENCE_REMOVED:
	case PLANT_FENCE_NARROWED:
	case PLANT_MEM_FENCE_EMPTY:
	case PLANT_BARRIER_REMOVED:
	case PLANT_SMALL_BARRIER:
	case PLANT_GROUP_BARRIER:
	case PLANT_EXACT_BARRIER:
	case PLANT_LONE_BARRIER:
	case PLANT_BARRIER_NO_FENCE:
	case PLANT_BARRIER_SWAPPED: return rewrite_fence(rewriter, call);
	case PLANT_RMW_SPLIT:
	case PLANT_CAS_SPLIT:
	case PLANT_LEGACY_SPLIT:
	case PLANT_EXCHANGE_STORE:
	case PLANT_EXPECTED_LATE:
	case PLANT_UPDATE_LOST:
	case PLANT_UPDATE_TWICE: return rewrite_update(rewriter, call);
	case PLANT_LOCAL_PLAIN: return rewrite_local(rewriter, call);
	case PLANT_NO_RETRY:
	case PLANT_RESULT_EARLY: return rewrite_mistake(rewriter, call);
	case PLANT_TORN: return rewrite_torn(rewriter, call);
	case PLANT_NEIGHBOUR_STORED: return rewrite_neighbour(rewriter, call);
	case PLANT_ELEMENT_BEFORE: return rewrite_element(rewriter, call);
	case PLANT_PLAIN_ACCESS: return rewrite_plain(rewriter, call);
	case PLANT_INIT_NARROW:
	case PLANT_INIT_LOST: return rewrite_init(rewriter, call);
	case PLANT_FLOAT_BITS: return rewrite_float_bits(rewriter, call);
	case PLANT_WORD_STORED:
	case PLANT_VARIABLE_COPIED:
	case PLANT_COPY_SHORT:
	case PLANT_COPY_UNAWAITED:
	case PLANT_CHILD_EARLY:
	case PLANT_CHILD_UNAWAITED:
	case PLANT_IMAGE_STALE:
	case PLANT_COLLECTIVE_ALONE:
	case PLANT_LOCAL_IDS_SWAPPED:
	case PLANT_GROUP_IDS_SWAPPED:
	case PLANT_SIZES_SWAPPED:
	case PLANT_IDS_SWAPPED: return false; /* in no call of an atomic function */
	default:
		return plant_is_mistake(rewriter->plant.bug) ? rewrite_mistake(rewriter, call)
		                                             : rewrite_some(rewriter, call);
	}
}

/* Plants that look at whole statements. */
static bool rewrite_statement(struct rewriter *rewriter, size_t first, size_t *ret_next)
{
	switch (rewriter->plant.bug) {
	case PLANT_LOADS_REVERSED:
	case PLANT_STORES_SWAPPED:
	case PLANT_LOADS_SWAPPED:
	case PLANT_LOAD_EARLY:
	case PLANT_STORE_EARLY:
	case PLANT_UPDATE_EARLY:
	case PLANT_UPDATE_LATE:
	case PLANT_PLAIN_LATE:
	case PLANT_FENCE_EARLY:
	case PLANT_FENCE_LATE: return rewrite_pair(rewriter, first, ret_next);
	case PLANT_LOAD_REUSED: return rewrite_reuse(rewriter, first, ret_next);
	case PLANT_FENCE_ONCE:
	case PLANT_SAME_DROPPED:
	case PLANT_UPDATE_FORWARDED: return rewrite_known(rewriter, first, ret_next);
	case PLANT_WORD_STORED: return rewrite_word(rewriter, first, ret_next);
	default: return rewrite_step(rewriter, first, ret_next);
	}
}

/* Where the object has the width that is meant: `(sizeof(*(P)) == 8 ? CHANGED : CALL)`. */
static bool rewrite_by_width(struct rewriter *rewriter, const struct call *call)
{
	const char *width = rewriter->plant.where[PLANT_ASPECT_WIDTH];
	struct rewriter inner = *rewriter;
	struct oclmm_text text;
	bool changed;

	inner.text = &text;
	oclmm_text_init(&text);
	changed = rewrite_call(&inner, call);
	if (changed) {
		put_code(rewriter, call, "(sizeof(*@0) == %d ? ", strcmp(width, "64") == 0 ? 8 : 4);
		oclmm_text_add(rewriter->text, oclmm_text_string(&text));
		put(rewriter, " : ");
		put_raw(rewriter, (struct range){call->name, call->close + 1});
		put(rewriter, ")");
	}
	oclmm_text_finish(&text);
	return changed;
}

static bool take_and_rewrite(struct rewriter *rewriter, const struct call *call)
{
	switch (take_call(&rewriter->plant, &rewriter->source, call)) {
	case TAKEN: return rewrite_call(rewriter, call);
	case TAKEN_BY_WIDTH: return rewrite_by_width(rewriter, call);
	default: return false;
	}
}

/* One call or one token; returns the token behind it. */
static size_t put_one(struct rewriter *rewriter, size_t index)
{
	const struct source *source = &rewriter->source;
	struct call call;

	if (call_at(source, index, &call) && take_and_rewrite(rewriter, &call)) {
		rewriter->places++;
		return call.close + 1;
	}
	if (rewrite_token(rewriter, index)) {
		rewriter->places++;
		return index + 1;
	}
	put_bytes(rewriter, source->tokens[index].at, end_of(source, index));
	return index + 1;
}

void put_range(struct rewriter *rewriter, struct range range)
{
	for (size_t i = range.first; i < range.last;) {
		if (i > range.first)
			put_gap(rewriter, i);
		i = put_one(rewriter, i);
	}
}

void put_raw(struct rewriter *rewriter, struct range range)
{
	put_bytes(rewriter, rewriter->source.tokens[range.first].at,
	          end_of(&rewriter->source, range.last - 1));
}

void put_call(struct rewriter *rewriter, const struct call *call,
              const char *const replaced[CALL_ARGUMENTS])
{
	put_raw(rewriter, (struct range){call->name, call->open + 1});
	for (unsigned i = 0; i < call->count; i++) {
		put_gap(rewriter, call->arguments[i].first);
		if (replaced[i])
			oclmm_text_add(rewriter->text, replaced[i]);
		else
			put_range(rewriter, call->arguments[i]);
		put_gap(rewriter, call->arguments[i].last);
		put(rewriter, i + 1 < call->count ? "," : ")");
	}
}

/* Behind `;`, `{` or `}` outside of parentheses (which a `for` has) and of macros. */
static bool starts_statement(const struct source *source, size_t index)
{
	return index > 0 && source->tokens[index].macro == 0 &&
	       source->tokens[index - 1].macro == 0 &&
	       (token_is(source, index - 1, ";") || token_is(source, index - 1, "{") ||
	        token_is(source, index - 1, "}"));
}

static void put_file(struct rewriter *rewriter)
{
	const struct source *source = &rewriter->source;
	size_t depth = 0;

	for (size_t i = 0; i < source->count;) {
		size_t next;

		put_gap(rewriter, i);
		if (token_is(source, i, "("))
			depth++;
		else if (token_is(source, i, ")") && depth > 0)
			depth--;
		if (depth == 0 && starts_statement(source, i) &&
		    rewrite_statement(rewriter, i, &next)) {
			rewriter->places++;
			i = next;
		} else {
			i = put_one(rewriter, i);
		}
	}
	put_bytes(rewriter, source->count ? end_of(source, source->count - 1) : 0, source->length);
}

size_t plant_rewrite(const struct plant *plant, const char *source, size_t length,
                     struct oclmm_text *ret_text)
{
	struct rewriter rewriter = {.plant = *plant, .text = ret_text};

	oclmm_text_init(ret_text);
	source_init(&rewriter.source, source, length);
	put_file(&rewriter);
	source_finish(&rewriter.source);
	return rewriter.places;
}
