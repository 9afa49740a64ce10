// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <stdlib.h>

#include "internal.h"

/* A word without its attributes, and where they begin. */
struct word {
	char head[32];
	const char *start, *rest; /* in the text; `rest` is behind the head */
	struct oclmm_position position;
};

struct reader {
	const char *text;
	struct oclmm_error *error;
	struct oclmm_cycle *cycle;
	bool said[OCLMM_CYCLE_MAX + 1];   /* the access has a word */
	char letter[OCLMM_CYCLE_MAX + 1]; /* its first letter */
	bool chosen[OCLMM_CYCLE_MAX + 1]; /* an operation is said */
	/* one behind the last edge, which may turn out to be the first */
	struct oclmm_cycle_access access[OCLMM_CYCLE_MAX + 1];
	unsigned links;
};

static struct oclmm_position place(const struct reader *reader, const char *from, size_t length)
{
	return (struct oclmm_position){
		.line = 1,
		.column = (uint32_t)(from - reader->text) + 1,
		.length = (uint32_t)length,
	};
}

/* ---- attributes ---- */

static int refuse_attribute(struct reader *reader, const struct oclmm_position *at,
                            const char *word, const char *of)
{
	struct attribute attribute;
	const char *nearest = words_nearest_attribute(word);
	char note[64] = "";

	if (words_attribute(word, &attribute))
		return cycle_refuse(reader->error, at, NULL, "`%s` is not said of %s", word, of);
	if (nearest)
		snprintf(note, sizeof(note), "did you mean `%s`?", nearest);
	return cycle_refuse(reader->error, at, *note ? note : NULL, "unknown attribute `%s`", word);
}

static bool take_access(struct reader *reader, const struct attribute *attribute)
{
	struct oclmm_cycle_access *access = &reader->access[reader->links];

	switch (attribute->kind) {
	case ATTRIBUTE_ORDER: access->order = (enum oclmm_order)attribute->value; break;
	case ATTRIBUTE_SCOPE: access->scope = (enum oclmm_scope)attribute->value; break;
	case ATTRIBUTE_TYPE:
		access->type = (enum oclmm_type)attribute->value;
		access->typed = true;
		break;
	case ATTRIBUTE_OPERATION:
		access->op = (enum oclmm_operation)attribute->value;
		reader->chosen[reader->links] = true;
		break;
	case ATTRIBUTE_FLAGS:
		access->global |= attribute->value == OCLMM_FLAG_GLOBAL;
		access->local |= attribute->value == OCLMM_FLAG_LOCAL;
		return attribute->value == OCLMM_FLAG_GLOBAL ||
		       attribute->value == OCLMM_FLAG_LOCAL;
	case ATTRIBUTE_SVM: access->svm = true; break;
	case ATTRIBUTE_HOST: access->host = true; break;
	case ATTRIBUTE_LEGACY: access->legacy = true; break;
	case ATTRIBUTE_FAIL: access->fails = true; break;
	}
	return true;
}

static bool take_fence(struct oclmm_cycle_fence *fence, const struct attribute *attribute)
{
	bool is_fence = fence->kind == OCLMM_CYCLE_FENCE_FENCE;

	switch (attribute->kind) {
	case ATTRIBUTE_ORDER:
		fence->order = (enum oclmm_order)attribute->value;
		return is_fence && attribute->value != OCLMM_ORDER_NONE;
	case ATTRIBUTE_SCOPE:
		fence->scope = (enum oclmm_scope)attribute->value;
		return is_fence || fence_is_barrier(fence);
	case ATTRIBUTE_FLAGS:
		fence->flags = (unsigned)attribute->value;
		fence->no_flags = attribute->value == 0;
		return attribute->value || fence_is_barrier(fence);
	default: return false;
	}
}

static bool take_link(struct oclmm_link *link, const struct attribute *attribute)
{
	bool barrier = link_is_barrier(link);

	switch (attribute->kind) {
	case ATTRIBUTE_SCOPE:
		if (barrier)
			link->scope = (enum oclmm_scope)attribute->value;
		else
			link->near = (enum oclmm_scope)attribute->value;
		return link->external;
	case ATTRIBUTE_FLAGS: link->flags = (unsigned)attribute->value; return barrier;
	default: return false;
	}
}

/* Reads `.rel.dev`; `fence` and `link` are NULL where an access is meant. */
static int read_attributes(struct reader *reader, const struct word *word,
                           struct oclmm_cycle_fence *fence, struct oclmm_link *link)
{
	const char *at = word->rest;

	while (*at == '.') {
		size_t length = strcspn(++at, ". \t\n");
		struct oclmm_position position = place(reader, at, length ? length : 1);
		struct attribute attribute;
		char name[32];
		bool taken = false;

		snprintf(name, sizeof(name), "%.*s", (int)length, at);
		if (words_attribute(name, &attribute))
			taken = link    ? take_link(link, &attribute)
			        : fence ? take_fence(fence, &attribute)
			                : take_access(reader, &attribute);
		if (!taken)
			return refuse_attribute(reader, &position, name,
			                        link    ? "this edge"
			                        : fence ? "this fence"
			                                : "an access");
		at += length;
	}
	return 0;
}

/* ---- words ---- */

static int read_access(struct reader *reader, const struct word *word)
{
	unsigned n = reader->links;

	if (reader->said[n])
		return cycle_refuse(reader->error, &word->position,
		                    "write an edge such as PodWW or Rfe before it",
		                    "two accesses without an edge between them");
	if (reader->access[n].fence_count)
		return cycle_refuse(reader->error, &reader->access[n].fences[0].position,
		                    "it belongs after the access, or beside an edge such as PodWW",
		                    "this fence stands between two threads");
	reader->said[n] = true;
	reader->letter[n] = word->head[0];
	reader->access[n].position = word->position;
	return read_attributes(reader, word, NULL, NULL);
}

static int read_fence(struct reader *reader, const struct word *word,
                      enum oclmm_cycle_fence_kind kind)
{
	/* behind an edge that leaves the thread stands an access, said or not */
	bool inside = reader->links > 0 && !reader->said[reader->links] &&
	              !reader->cycle->link[reader->links - 1].external;
	struct oclmm_cycle_access *access = &reader->access[reader->links - inside];
	struct oclmm_cycle_fence *fence = &access->fences[access->fence_count];
	int r;

	if (access->fence_count == OCLMM_CYCLE_FENCES)
		return cycle_refuse(reader->error, &word->position, NULL,
		                    "more than %d fences between two accesses", OCLMM_CYCLE_FENCES);
	*fence = (struct oclmm_cycle_fence){.kind = kind,
	                                    .inside = inside,
	                                    .position = word->position};
	r = read_attributes(reader, word, fence, NULL);
	if (r == 0 && kind == OCLMM_CYCLE_FENCE_FENCE && fence->order == OCLMM_ORDER_NONE)
		return cycle_refuse(reader->error, &word->position,
		                    "write F.acq, F.rel, F.acq_rel or F.sc",
		                    "a fence needs an order");
	access->fence_count++;
	return r;
}

static int read_link(struct reader *reader, const struct word *word, struct oclmm_link *link)
{
	int r;

	if (reader->links == OCLMM_CYCLE_MAX)
		return cycle_refuse(reader->error, &word->position, NULL,
		                    "a cycle has at most %d edges", OCLMM_CYCLE_MAX);
	link->position = word->position;
	r = read_attributes(reader, word, NULL, link);
	reader->cycle->link[reader->links++] = *link;
	return r;
}

static int refuse_word(struct reader *reader, const struct word *word)
{
	char *nearest = words_nearest(word->head), note[64] = "see docs/generate.md for the words";

	if (nearest)
		snprintf(note, sizeof(note), "did you mean `%s`?", nearest);
	free(nearest);
	return cycle_refuse(reader->error, &word->position, note, "unknown edge `%s`", word->head);
}

static int read_word(struct reader *reader, const struct word *word)
{
	enum oclmm_cycle_fence_kind fence;
	struct oclmm_link link;

	if (strlen(word->head) == 1 && strchr("WRU", word->head[0]))
		return read_access(reader, word);
	if (words_fence(word->head, &fence))
		return read_fence(reader, word, fence);
	if (words_link(word->head, &link))
		return read_link(reader, word, &link);
	return refuse_word(reader, word);
}

static int read_words(struct reader *reader)
{
	const char *at = reader->text + strspn(reader->text, " \t\n");
	int r = 0;

	while (r == 0 && *at) {
		size_t whole = strcspn(at, " \t\n"), head = strcspn(at, ". \t\n");
		struct word word = {.start = at, .rest = at + head};

		snprintf(word.head, sizeof(word.head), "%.*s", (int)head, at);
		word.position = place(reader, at, whole);
		for (size_t i = 0; i < whole; i++) {
			if (!isprint((unsigned char)at[i]))
				return cycle_refuse(reader->error, NULL, NULL,
				                    "a cycle is written in plain letters");
		}
		r = read_word(reader, &word);
		at += whole;
		at += strspn(at, " \t\n");
	}
	return r;
}

/* ---- the whole ---- */

/* An access behind the last edge is the first one's word, if that has none. */
static int close_cycle(struct reader *reader)
{
	struct oclmm_cycle_access *first = &reader->access[0], *last;
	unsigned n = reader->links;

	if (n == 0)
		return cycle_refuse(reader->error, NULL, "a cycle is made of edges: PodWW Rfe …",
		                    "no edge");
	last = &reader->access[n];
	if (!reader->said[n])
		return 0;
	if (reader->said[0] || last->fence_count)
		return cycle_refuse(reader->error, &last->position,
		                    "write the edge that leads from it to the first access",
		                    "the cycle is open: it ends in an access");
	last->fence_count = first->fence_count;
	memcpy(last->fences, first->fences, sizeof(last->fences));
	*first = *last;
	reader->said[0] = true;
	reader->letter[0] = reader->letter[n];
	reader->chosen[0] = reader->chosen[n];
	return 0;
}

/* What is meant where nothing is said. */
static int complete(struct reader *reader, unsigned i)
{
	struct oclmm_cycle_access *access = &reader->access[i];
	char letter = reader->letter[i];
	bool clears = reader->chosen[i] && access->op == OCLMM_OP_FLAG_CLEAR;

	if (!reader->said[i])
		access->order = OCLMM_ORDER_RELAXED;
	access->update = letter == 'U';
	if (reader->chosen[i] && !access->update && !(clears && letter == 'W'))
		return cycle_refuse(reader->error, &access->position,
		                    clears ? "write W.clear" : "write it with the letter U",
		                    "`%s` is not said of this access", words_operation(access->op));
	if (clears && access->update)
		return cycle_refuse(reader->error, &access->position, "write W.clear",
		                    "atomic_flag_clear is no read-modify-write");
	if (access->update && !reader->chosen[i]) {
		bool writes = reader->cycle->link[i].from_write ||
		              reader->cycle->link[(i + reader->links - 1) % reader->links].to_write;

		access->op = writes ? OCLMM_OP_EXCHANGE : OCLMM_OP_FETCH_ADD;
	}
	return 0;
}

/* Whether the order was said cannot be told from `na`: it stands for both. */
static void default_orders(struct reader *reader)
{
	for (unsigned i = 0; i <= OCLMM_CYCLE_MAX; i++)
		reader->access[i].order = OCLMM_ORDER_RELAXED;
}

static void show_words(struct reader *reader)
{
	struct oclmm_error *error = reader->error;

	snprintf(error->file, sizeof(error->file), "cycle");
	if (error->position.line)
		snprintf(error->source, sizeof(error->source), "%s", reader->text);
}

/* Letters against the edges: settled cycles no longer have them. */
static int check_letter(struct reader *reader, unsigned i)
{
	const struct oclmm_cycle *cycle = reader->cycle;
	const struct oclmm_link *out = &cycle->link[i], *in = &cycle->link[cycle_before(cycle, i)];
	bool write = reader->letter[i] == 'W', wrong_in = in->to_write != write;
	struct oclmm_text word = {0};
	int r;

	if ((reader->letter[i] != 'R' && !write) || (!wrong_in && out->from_write == write))
		return 0;
	words_print_link(&word, wrong_in ? in : out);
	r = cycle_refuse(reader->error, &reader->access[i].position, NULL,
	                 "%s %s a %s, and this is a %s", oclmm_text_string(&word),
	                 wrong_in ? "ends in" : "begins with", write ? "read" : "write",
	                 write ? "write" : "read");
	oclmm_text_finish(&word);
	return r;
}

static int finish(struct reader *reader)
{
	struct outcome outcome;
	int r = close_cycle(reader);

	if (r < 0)
		return r;
	reader->cycle->count = reader->links;
	for (unsigned i = 0; r == 0 && i < reader->links; i++) {
		r = check_letter(reader, i);
		if (r == 0)
			r = complete(reader, i);
		reader->cycle->access[i] = reader->access[i];
	}
	if (r == 0)
		r = oclmm_cycle_settle(reader->cycle, reader->error);
	if (r == 0)
		r = cycle_outcome(reader->cycle, reader->error, &outcome);
	return r;
}

int oclmm_cycle_parse(const char *words, struct oclmm_error *error, struct oclmm_cycle *ret_cycle)
{
	struct oclmm_cycle cycle = {0};
	struct oclmm_error unused;
	struct reader reader = {.text = words, .error = error ? error : &unused, .cycle = &cycle};
	int r;

	default_orders(&reader);
	r = read_words(&reader);
	if (r == 0)
		r = finish(&reader);
	if (r < 0)
		show_words(&reader);
	else
		*ret_cycle = cycle;
	return r;
}
