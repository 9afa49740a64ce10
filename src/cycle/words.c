// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <ctype.h>
#include <stdlib.h>

/* A cycle in words: the alphabet, reading it, and printing it. */

/* What may be said of an access, a fence or an edge, behind a point. */
enum attribute_kind {
	ATTRIBUTE_ORDER,
	ATTRIBUTE_SCOPE,
	ATTRIBUTE_TYPE,
	ATTRIBUTE_OPERATION,
	ATTRIBUTE_FLAGS, /* OCLMM_FLAG_ set; of an access: its region */
	ATTRIBUTE_SVM,
	ATTRIBUTE_HOST,
	ATTRIBUTE_LEGACY,
	ATTRIBUTE_FAIL,
};
struct attribute {
	enum attribute_kind kind;
	int value;
};

/* ---- attributes ---- */

/* clang-format off */
#define OPERATIONS(X)                                                                              \
	X(EXCHANGE, "xchg") X(FETCH_ADD, "add") X(FETCH_SUB, "sub") X(FETCH_OR, "or")              \
	X(FETCH_XOR, "xor") X(FETCH_AND, "and") X(FETCH_MIN, "min") X(FETCH_MAX, "max")            \
	X(CAS_STRONG, "cas") X(CAS_WEAK, "weak") X(FLAG_TEST_AND_SET, "tas")                       \
	X(FLAG_CLEAR, "clear")
#define OTHERS(X)                                                                                  \
	X("G", FLAGS, OCLMM_FLAG_GLOBAL) X("L", FLAGS, OCLMM_FLAG_LOCAL)                           \
	X("GL", FLAGS, OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL) X("none", FLAGS, 0)                   \
	X("svm", SVM, 1) X("host", HOST, 1) X("legacy", LEGACY, 1) X("fail", FAIL, 1)
/* clang-format on */

static const struct named {
	const char *word;
	struct attribute attribute;
} attributes[] = {
#define OCLMM_X(name, word, ...) {word, {ATTRIBUTE_ORDER, OCLMM_ORDER_##name}},
	OCLMM_ORDERS(OCLMM_X)
#undef OCLMM_X
#define OCLMM_X(name, word, ...) {word, {ATTRIBUTE_TYPE, OCLMM_TYPE_##name}},
		OCLMM_INTEGERS(OCLMM_X)
#undef OCLMM_X
#define OCLMM_X(name, word) {word, {ATTRIBUTE_OPERATION, OCLMM_OP_##name}},
			OPERATIONS(OCLMM_X)
#undef OCLMM_X
#define OCLMM_X(word, kind, value) {word, {ATTRIBUTE_##kind, value}},
				OTHERS(OCLMM_X)
#undef OCLMM_X
	/* not work_item, and not NONE, whose word is that of a plain order */
	{"sg", {ATTRIBUTE_SCOPE, OCLMM_SCOPE_SUB_GROUP}},
	{"wg", {ATTRIBUTE_SCOPE, OCLMM_SCOPE_WORK_GROUP}},
	{"dev", {ATTRIBUTE_SCOPE, OCLMM_SCOPE_DEVICE}},
	{"all", {ATTRIBUTE_SCOPE, OCLMM_SCOPE_ALL_SVM_DEVICES}},
};

/* All attributes, whatever they are said of. */
static bool find_attribute(const char *word, struct attribute *ret_attribute)
{
	for (size_t i = 0; i < OCLMM_COUNT(attributes); i++) {
		if (strcmp(attributes[i].word, word) == 0) {
			*ret_attribute = attributes[i].attribute;
			return true;
		}
	}
	return false;
}

static const char *nearest_attribute(const char *word)
{
	const char *words[OCLMM_COUNT(attributes)];

	for (size_t i = 0; i < OCLMM_COUNT(attributes); i++)
		words[i] = attributes[i].word;
	return oclmm_nearest(word, words, OCLMM_COUNT(attributes));
}

const char *oclmm_cycle_operation_word(enum oclmm_operation op)
{
	switch (op) {
#define OCLMM_X(name, word)                                                                        \
	case OCLMM_OP_##name: return word;
		OPERATIONS(OCLMM_X)
#undef OCLMM_X
	case OCLMM_OP_LOAD:
	case OCLMM_OP_STORE:
	case OCLMM_OP_INIT:
	case OCLMM_OP_COUNT: break;
	}
	return NULL;
}

/* ---- edges ---- */

/* Fills in what the kind alone says. False for a combination that does not exist. */
static bool fill_in(struct oclmm_link *link)
{
	switch (link->kind) {
	case OCLMM_LINK_RF: link->from_write = true; break;
	case OCLMM_LINK_FR: link->to_write = true; break;
	case OCLMM_LINK_CO: link->from_write = link->to_write = true; break;
	case OCLMM_LINK_DATA: return !link->from_write && link->to_write;
	case OCLMM_LINK_CTRL: return !link->from_write;
	default: return true;
	}
	link->same = true;
	return true;
}

/* The n-th of all edges, or false beyond the last. */
static bool nth_link(unsigned n, struct oclmm_link *ret_link)
{
	for (unsigned kind = 0; kind < OCLMM_LINK_COUNT; kind++) {
		unsigned forms = link_is_communication((enum oclmm_link_kind)kind) ? 2 : 8;

		for (unsigned form = 0; form < forms; form++) {
			struct oclmm_link link = {.kind = (enum oclmm_link_kind)kind};

			if (forms == 2) {
				link.external = form == 0;
			} else {
				link.same = form & 4;
				link.from_write = form & 2;
				link.to_write = form & 1;
				link.external = link_is_barrier(&link);
			}
			if (fill_in(&link) && n-- == 0) {
				*ret_link = link;
				return true;
			}
		}
	}
	return false;
}

static bool oclmm_link_find(const char *word, struct oclmm_link *ret_link)
{
	struct oclmm_text text = {0};
	bool found = false;
	char modern[8];

	/* herd's older word for modification order */
	if (strcmp(word, "Wse") == 0 || strcmp(word, "Wsi") == 0) {
		snprintf(modern, sizeof(modern), "Co%c", word[2]);
		word = modern;
	}
	for (unsigned n = 0; !found && nth_link(n, ret_link); n++) {
		text.length = 0;
		oclmm_link_print(&text, ret_link);
		found = strcmp(oclmm_text_string(&text), word) == 0;
	}
	oclmm_text_finish(&text);
	return found;
}

/* ---- fences ---- */

static const struct {
	const char *word, *function;
} fences[] = {
#define OCLMM_X(name, word, function) {word, function},
	OCLMM_CYCLE_FENCES_LIST(OCLMM_X)
#undef OCLMM_X
};

static bool find_fence(const char *word, enum oclmm_cycle_fence_kind *ret_kind)
{
	for (size_t i = 0; i < OCLMM_COUNT(fences); i++) {
		if (strcmp(fences[i].word, word) == 0) {
			*ret_kind = (enum oclmm_cycle_fence_kind)i;
			return true;
		}
	}
	return false;
}

static const char *fence_word(enum oclmm_cycle_fence_kind kind)
{
	return fences[kind].word;
}

const char *oclmm_cycle_fence_function(enum oclmm_cycle_fence_kind kind)
{
	return fences[kind].function;
}

/* Of edges, accesses and fences, the one that a misspelt word may stand for; malloc-ed, or NULL. */
static char *nearest_word(const char *word)
{
	enum { MOST = 96 };
	char *words[MOST] = {NULL}, *found = NULL;
	const char *nearest;
	size_t count = 0;
	struct oclmm_link link;

	for (unsigned n = 0; count < MOST && nth_link(n, &link); n++) {
		struct oclmm_text text = {0};

		oclmm_link_print(&text, &link);
		words[count++] = oclmm_text_steal(&text);
	}
	for (size_t i = 0; count < MOST && i < OCLMM_COUNT(fences); i++)
		words[count++] = oclmm_strdup(fences[i].word);
	nearest = oclmm_nearest(word, (const char *const *)words, count);
	if (nearest)
		found = oclmm_strdup(nearest);
	for (size_t i = 0; i < count; i++)
		free(words[i]);
	return found;
}

/* ---- reading ------------------------------------------------------------------------- */

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

static struct oclmm_position position_of(const struct reader *reader, const char *from,
                                         size_t length)
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
	const char *nearest = nearest_attribute(word);
	char note[64] = "";

	if (find_attribute(word, &attribute))
		return oclmm_cycle_refuse(reader->error, at, NULL, "`%s` is not said of %s", word,
		                          of);
	if (nearest)
		snprintf(note, sizeof(note), "did you mean `%s`?", nearest);
	return oclmm_cycle_refuse(reader->error, at, *note ? note : NULL, "unknown attribute `%s`",
	                          word);
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
		struct oclmm_position position = position_of(reader, at, length ? length : 1);
		struct attribute attribute;
		char name[32];
		bool taken = false;

		snprintf(name, sizeof(name), "%.*s", (int)length, at);
		if (find_attribute(name, &attribute))
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

static int read_access(struct reader *reader, const struct word *word)
{
	unsigned n = reader->links;

	if (reader->said[n])
		return oclmm_cycle_refuse(reader->error, &word->position,
		                          "write an edge such as PodWW or Rfe before it",
		                          "two accesses without an edge between them");
	if (reader->access[n].fence_count)
		return oclmm_cycle_refuse(
			reader->error, &reader->access[n].fences[0].position,
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
		return oclmm_cycle_refuse(reader->error, &word->position, NULL,
		                          "more than %d fences between two accesses",
		                          OCLMM_CYCLE_FENCES);
	*fence = (struct oclmm_cycle_fence){.kind = kind,
	                                    .inside = inside,
	                                    .position = word->position};
	r = read_attributes(reader, word, fence, NULL);
	if (r == 0 && kind == OCLMM_CYCLE_FENCE_FENCE && fence->order == OCLMM_ORDER_NONE)
		return oclmm_cycle_refuse(reader->error, &word->position,
		                          "write F.acq, F.rel, F.acq_rel or F.sc",
		                          "a fence needs an order");
	access->fence_count++;
	return r;
}

static int read_link(struct reader *reader, const struct word *word, struct oclmm_link *link)
{
	int r;

	if (reader->links == OCLMM_CYCLE_MAX)
		return oclmm_cycle_refuse(reader->error, &word->position, NULL,
		                          "a cycle has at most %d edges", OCLMM_CYCLE_MAX);
	link->position = word->position;
	r = read_attributes(reader, word, NULL, link);
	reader->cycle->link[reader->links++] = *link;
	return r;
}

static int refuse_word(struct reader *reader, const struct word *word)
{
	char *nearest = nearest_word(word->head), note[64] = "see docs/generate.md for the words";

	if (nearest)
		snprintf(note, sizeof(note), "did you mean `%s`?", nearest);
	free(nearest);
	return oclmm_cycle_refuse(reader->error, &word->position, note, "unknown edge `%s`",
	                          word->head);
}

static int read_word(struct reader *reader, const struct word *word)
{
	enum oclmm_cycle_fence_kind fence;
	struct oclmm_link link;

	if (strlen(word->head) == 1 && strchr("WRU", word->head[0]))
		return read_access(reader, word);
	if (find_fence(word->head, &fence))
		return read_fence(reader, word, fence);
	if (oclmm_link_find(word->head, &link))
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
		word.position = position_of(reader, at, whole);
		for (size_t i = 0; i < whole; i++) {
			if (!isprint((unsigned char)at[i]))
				return oclmm_cycle_refuse(reader->error, NULL, NULL,
				                          "a cycle is written in plain letters");
		}
		r = read_word(reader, &word);
		at += whole;
		at += strspn(at, " \t\n");
	}
	return r;
}

/* An access behind the last edge is the first one's word, if that has none. */
static int close_cycle(struct reader *reader)
{
	struct oclmm_cycle_access *first = &reader->access[0], *last;
	unsigned n = reader->links;

	if (n == 0)
		return oclmm_cycle_refuse(reader->error, NULL,
		                          "a cycle is made of edges: PodWW Rfe …", "no edge");
	last = &reader->access[n];
	if (!reader->said[n])
		return 0;
	if (reader->said[0] || last->fence_count)
		return oclmm_cycle_refuse(reader->error, &last->position,
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
		return oclmm_cycle_refuse(reader->error, &access->position,
		                          clears ? "write W.clear" : "write it with the letter U",
		                          "`%s` is not said of this access",
		                          oclmm_cycle_operation_word(access->op));
	if (clears && access->update)
		return oclmm_cycle_refuse(reader->error, &access->position, "write W.clear",
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
	oclmm_link_print(&word, wrong_in ? in : out);
	r = oclmm_cycle_refuse(reader->error, &reader->access[i].position, NULL,
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
		r = oclmm_cycle_outcome(reader->cycle, reader->error, &outcome);
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

/* ---- printing ------------------------------------------------------------------------ */

static void print_type(struct oclmm_text *text, const struct oclmm_cycle *cycle, unsigned i)
{
	const struct oclmm_cycle_location *location = &cycle->location[cycle->access[i].location];

	/* what is said of a location is said at its first access */
	for (unsigned k = 0; k < i; k++) {
		if (cycle->access[k].location == cycle->access[i].location)
			return;
	}
	if (location->space == OCLMM_SPACE_LOCAL)
		oclmm_text_add(text, ".L");
	if (location->type != OCLMM_TYPE_INT && location->type != OCLMM_TYPE_FLAG)
		oclmm_text_printf(text, ".%s", oclmm_type_name(location->type));
	if (location->svm && oclmm_cycle_default_scope(cycle) == OCLMM_SCOPE_DEVICE)
		oclmm_text_add(text, ".svm");
}

static void print_access_words(struct oclmm_text *text, const struct oclmm_cycle *cycle, unsigned i)
{
	const struct oclmm_cycle_access *access = &cycle->access[i];

	oclmm_text_add(text, access->update ? "U" : access->writes ? "W" : "R");
	if (access->update || access->op)
		oclmm_text_printf(text, ".%s", oclmm_cycle_operation_word(access->op));
	if (access->fails)
		oclmm_text_add(text, ".fail");
	oclmm_text_printf(text, ".%s",
	                  access->legacy ? "legacy" : oclmm_order_short(access->order));
	if (access->scope && access->scope != oclmm_cycle_default_scope(cycle))
		oclmm_text_printf(text, ".%s", oclmm_scope_short(access->scope));
	if (cycle->placement[access->thread].host)
		oclmm_text_add(text, ".host");
	print_type(text, cycle, i);
}

static void print_flags(struct oclmm_text *text, const struct oclmm_cycle *cycle, unsigned flags)
{
	if (flags && flags != oclmm_cycle_regions(cycle))
		oclmm_text_printf(text, ".%s%s", flags & OCLMM_FLAG_GLOBAL ? "G" : "",
		                  flags & OCLMM_FLAG_LOCAL ? "L" : "");
}

static void print_fences(struct oclmm_text *text, const struct oclmm_cycle *cycle, unsigned i,
                         bool inside)
{
	for (unsigned k = 0; k < cycle->access[i].fence_count; k++) {
		const struct oclmm_cycle_fence *fence = &cycle->access[i].fences[k];

		if (fence->inside != inside)
			continue;
		oclmm_text_printf(text, " %s", fence_word(fence->kind));
		if (fence->order)
			oclmm_text_printf(text, ".%s", oclmm_order_short(fence->order));
		if (fence->no_flags)
			oclmm_text_add(text, ".none");
		print_flags(text, cycle, fence->flags);
		if (fence->scope &&
		    (fence_is_barrier(fence) || fence->scope != oclmm_cycle_default_scope(cycle)))
			oclmm_text_printf(text, ".%s", oclmm_scope_short(fence->scope));
	}
}

static void print_link(struct oclmm_text *text, const struct oclmm_cycle *cycle, unsigned i)
{
	const struct oclmm_link *link = &cycle->link[i];
	const struct oclmm_placement *a = &cycle->placement[cycle->access[i].thread];
	const struct oclmm_placement *b =
		&cycle->placement[cycle->access[cycle_next(cycle, i)].thread];

	oclmm_link_print(text, link);
	if (link_is_barrier(link)) {
		print_flags(text, cycle, link->flags);
		if (link->scope)
			oclmm_text_printf(text, ".%s", oclmm_scope_short(link->scope));
	} else if (link->external && !a->host && !b->host) {
		if (oclmm_same_sub_group(a, b))
			oclmm_text_add(text, ".sg");
		else if (oclmm_same_work_group(a, b))
			oclmm_text_add(text, ".wg");
		else if (a->device != b->device)
			oclmm_text_add(text, ".all");
	}
}

void oclmm_cycle_print(struct oclmm_text *text, const struct oclmm_cycle *cycle)
{
	for (unsigned i = 0; i < cycle->count; i++) {
		oclmm_text_add(text, i ? " " : "");
		print_access_words(text, cycle, i);
		print_fences(text, cycle, i, false);
		oclmm_text_add(text, " ");
		print_link(text, cycle, i);
		print_fences(text, cycle, i, true);
	}
}

void oclmm_cycle_print_edges(struct oclmm_text *text, const struct oclmm_cycle *cycle)
{
	for (unsigned i = 0; i < cycle->count; i++) {
		oclmm_text_add(text, i ? " " : "");
		oclmm_link_print(text, &cycle->link[i]);
	}
}

/* ---- names of cycles ------------------------------------------------------- */

/* The shapes that have names, the names of tests by the rules of the field, and all cycles of a
 * size. */

static const struct oclmm_shape shapes[] = {
	{"CoWW", "PosWW Coi", "Coherence: do two stores of one work-item stay in order?"},
	{"CoRW1", "PosRW Rfi", "Coherence: may a load see the store that follows it?"},
	{"CoRR", "Rfe PosRR Fre", "Coherence: may a later load see an older value?"},
	{"CoRW2", "Rfe PosRW Coe",
         "Coherence: may a store land before what was read just before it?"},
	{"CoWR", "Coe PosWR Fre", "Coherence: may a load miss the store just before it?"},
	{"MP", "PodWW Rfe PodRR Fre",
         "Message passing: does whoever sees the flag see the data, too?"},
	{"SB", "PodWR Fre PodWR Fre",
         "Store buffering: may both loads miss the other side's store?"},
	{"LB", "PodRW Rfe PodRW Rfe",
         "Load buffering: may both loads see the store that follows the other?"},
	{"S", "PodWW Rfe PodRW Coe",
         "S: may a store after the read of a flag land before what precedes the flag?"},
	{"R", "PodWW Coe PodWR Fre",
         "R: a flag is overtaken: may the load after it miss the data?"},
	{"2+2W", "PodWW Coe PodWW Coe",
         "Two and two writes: may each side's first store be the last?"},
	{"WRC", "Rfe PodRW Rfe PodRR Fre",
         "Write to read causality: does the third see what the second saw?"},
	{"RWC", "Rfe PodRR Fre PodWR Fre",
         "Read to write causality: may a store be seen by one and missed by another?"},
	{"WWC", "Rfe PodRW Rfe PodRW Coe",
         "Write to write causality: may the last store land before the first?"},
	{"WRR+2W", "Rfe PodRR Fre PodWW Coe", "May a store be seen early and land late?"},
	{"WRW+WR", "Rfe PodRW Coe PodWR Fre", "May a store be seen early and missed late?"},
	{"WRW+2W", "Rfe PodRW Coe PodWW Coe", "May a store be seen early and land last?"},
	{"IRIW", "Rfe PodRR Fre Rfe PodRR Fre",
         "Independent reads of independent writes: do two readers see two stores in one order?"},
	{"IRRWIW", "Rfe PodRR Fre Rfe PodRW Coe",
         "Do a reader and a writer see two stores in one order?"},
	{"IRWIW", "Rfe PodRW Coe Rfe PodRW Coe", "Do two writers see two stores in one order?"},
	{"ISA2", "PodWW Rfe PodRW Rfe PodRR Fre", "Is message passing transitive?"},
	{"W+RWC", "PodWW Rfe PodRR Fre PodWR Fre",
         "Do three threads with a flag and a race agree?"},
	{"Z6.0", "PodWW Rfe PodRW Coe PodWR Fre", "Does a flag that is overtaken carry the data?"},
	{"Z6.1", "PodWW Coe PodWW Rfe PodRW Coe", "Three writers and a flag: do they agree?"},
	{"Z6.2", "PodWW Rfe PodRW Rfe PodRW Coe",
         "A chain of flags: may the last store land first?"},
	{"Z6.3", "PodWW Coe PodWW Rfe PodRR Fre",
         "A flag after an overtaken one: does it carry the data?"},
	{"Z6.4", "PodWW Coe PodWR Fre PodWR Fre", "Do three threads of stores and loads agree?"},
	{"Z6.5", "PodWW Coe PodWW Coe PodWR Fre", "Do three threads, two of them writers, agree?"},
	{"3.2W", "PodWW Coe PodWW Coe PodWW Coe",
         "Three times two writes: may each side's first store be the last?"},
	{"3.SB", "PodWR Fre PodWR Fre PodWR Fre",
         "Store buffering of three: may all loads miss the next one's store?"},
	{"3.LB", "PodRW Rfe PodRW Rfe PodRW Rfe",
         "Load buffering of three: may all loads see a store that follows?"},
};

size_t oclmm_shapes(const struct oclmm_shape **ret_shapes)
{
	*ret_shapes = shapes;
	return OCLMM_COUNT(shapes);
}

/* ---- shapes ---- */

/* The edges from an access on; dependencies are program order. */
static void print_from(struct oclmm_text *text, const struct oclmm_cycle *cycle, unsigned first)
{
	for (unsigned k = 0; k < cycle->count; k++) {
		struct oclmm_link link = cycle->link[(first + k) % cycle->count];

		if (link.kind == OCLMM_LINK_DATA || link.kind == OCLMM_LINK_CTRL)
			link.kind = OCLMM_LINK_PO;
		oclmm_text_add(text, k ? " " : "");
		oclmm_link_print(text, &link);
	}
}

/* The shape that has a name, or NULL. */
static const struct oclmm_shape *find_shape(const struct oclmm_cycle *cycle)
{
	const struct oclmm_shape *found = NULL;
	struct oclmm_text text = {0};

	for (unsigned first = 0; first < cycle->count; first++) {
		text.length = 0;
		print_from(&text, cycle, first);
		for (size_t i = 0; !found && i < OCLMM_COUNT(shapes); i++) {
			if (strcmp(shapes[i].edges, oclmm_text_string(&text)) == 0)
				found = &shapes[i];
		}
	}
	oclmm_text_finish(&text);
	return found;
}

/* `W-rf-RW-co-WsR-fr`: the accesses of each thread, and how it is joined to the next. */
static void print_unnamed(struct oclmm_text *text, const struct oclmm_cycle *cycle)
{
	static const char *const joints[] = {"rf", "fr", "co", "", "", "", "bar", "sbar"};

	for (unsigned i = 0; i < cycle->count; i++) {
		const struct oclmm_cycle_access *access = &cycle->access[i];
		const struct oclmm_link *link = &cycle->link[i];

		oclmm_text_add(text, access->reads && access->writes ? "U"
		                     : access->writes                ? "W"
		                                                     : "R");
		if (link->external)
			oclmm_text_printf(text, "-%s%s", joints[link->kind],
			                  i + 1 < cycle->count ? "-" : "");
		else if (link->same)
			oclmm_text_add(text, "s");
	}
}

void oclmm_cycle_shape(struct oclmm_text *text, const struct oclmm_cycle *cycle)
{
	const struct oclmm_shape *shape = find_shape(cycle);

	if (shape)
		oclmm_text_add(text, shape->name);
	else
		print_unnamed(text, cycle);
}

const char *oclmm_cycle_question(const struct oclmm_cycle *cycle)
{
	const struct oclmm_shape *shape = find_shape(cycle);

	return shape ? shape->question : "May all edges of this cycle hold at once?";
}

/* ---- what threads add ---- */

/* The scope that every access and fence has, or NONE where they differ. */
static enum oclmm_scope common_scope(const struct oclmm_cycle *cycle)
{
	enum oclmm_scope usual = oclmm_cycle_default_scope(cycle), common = OCLMM_SCOPE_NONE;

	for (unsigned i = 0; i < cycle->count; i++) {
		const struct oclmm_cycle_access *access = &cycle->access[i];
		enum oclmm_scope mine = access->scope ? access->scope : usual;

		if (access->order == OCLMM_ORDER_NONE || access->legacy)
			continue;
		if (common && common != mine)
			return OCLMM_SCOPE_NONE;
		common = mine;
		for (unsigned k = 0; k < access->fence_count; k++) {
			const struct oclmm_cycle_fence *fence = &access->fences[k];

			if (fence->kind == OCLMM_CYCLE_FENCE_FENCE &&
			    (fence->scope ? fence->scope : usual) != common)
				return OCLMM_SCOPE_NONE;
		}
	}
	return common;
}

static void print_scope(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                        enum oclmm_scope scope)
{
	if (scope && scope != oclmm_cycle_default_scope(cycle) && !common_scope(cycle))
		oclmm_text_printf(text, "-%s", oclmm_scope_short(scope));
}

static void print_access(struct oclmm_text *text, const struct oclmm_cycle *cycle, unsigned i)
{
	const struct oclmm_cycle_access *access = &cycle->access[i];
	bool operation = access->update || access->op;

	if (operation)
		oclmm_text_add(text, oclmm_cycle_operation_word(access->op));
	if (access->fails)
		oclmm_text_add(text, "-fail");
	if (access->legacy)
		oclmm_text_add(text, "-legacy");
	else if (!operation || access->order != OCLMM_ORDER_RELAXED)
		oclmm_text_printf(text, "%s%s", operation ? "-" : "",
		                  oclmm_order_short(access->order));
	print_scope(text, cycle, access->scope);
}

static void print_fence(struct oclmm_text *text, const struct oclmm_cycle *cycle,
                        const struct oclmm_cycle_fence *fence)
{
	if (fence->kind != OCLMM_CYCLE_FENCE_FENCE)
		oclmm_text_add(text, oclmm_cycle_fence_function(fence->kind));
	else
		oclmm_text_add(text, "fence");
	if (fence->flags && fence->flags != oclmm_cycle_regions(cycle))
		oclmm_text_printf(text, "%s%s", fence->flags & OCLMM_FLAG_GLOBAL ? "G" : "",
		                  fence->flags & OCLMM_FLAG_LOCAL ? "L" : "");
	if (fence->order)
		oclmm_text_printf(text, "-%s", oclmm_order_short(fence->order));
	print_scope(text, cycle, fence->scope);
}

/* The words of one thread, and whether two neighbours are the same. */
struct thread_words {
	char word[2 * OCLMM_CYCLE_MAX][48];
	unsigned count;
	bool ordered; /* something stands between accesses */
};

static void add_word(struct thread_words *words, struct oclmm_text *text)
{
	if (words->count < OCLMM_COUNT(words->word) && text->length)
		snprintf(words->word[words->count++], sizeof(words->word[0]), "%s",
		         oclmm_text_string(text));
	text->length = 0;
}

static void collect(const struct oclmm_cycle *cycle, unsigned thread, struct thread_words *words)
{
	struct oclmm_text text = {0};

	for (unsigned i = 0; i < cycle->count; i++) {
		const struct oclmm_cycle_access *access = &cycle->access[i];

		if (access->thread != thread)
			continue;
		print_access(&text, cycle, i);
		add_word(words, &text);
		if (cycle->link[i].kind == OCLMM_LINK_DATA ||
		    cycle->link[i].kind == OCLMM_LINK_CTRL) {
			oclmm_text_add(&text,
			               cycle->link[i].kind == OCLMM_LINK_DATA ? "data" : "ctrl");
			add_word(words, &text);
			words->ordered = true;
		}
		for (unsigned k = 0; k < access->fence_count; k++) {
			print_fence(&text, cycle, &access->fences[k]);
			add_word(words, &text);
			words->ordered = true;
		}
	}
	oclmm_text_finish(&text);
}

static bool is(const struct thread_words *words, unsigned i, const char *word)
{
	return strcmp(words->word[i], word) == 0;
}

/* Relaxed accesses are not named where everybody expects them: `rlx rel` is `rel`. */
static void print_words(struct oclmm_text *text, const struct thread_words *words)
{
	unsigned first = 0, last = words->count, same = 1;

	while (same < words->count && strcmp(words->word[same], words->word[0]) == 0)
		same++;
	if (same == words->count) {
		oclmm_text_add(text, words->word[0]);
		return;
	}
	if (words->ordered && last - first > 2) {
		bool inner = is(words, first, "rlx") && is(words, last - 1, "rlx");

		first += inner;
		last -= inner;
	} else if (last == 2 && is(words, 0, "rlx") && strncmp(words->word[1], "rel", 3) == 0) {
		first = 1;
	} else if (last == 2 && is(words, 1, "rlx") && strncmp(words->word[0], "acq", 3) == 0) {
		last = 1;
	}
	for (unsigned i = first; i < last; i++)
		oclmm_text_printf(text, "%s%s", i > first ? "-" : "", words->word[i]);
}

/* ---- what the whole adds ---- */

static void print_regions(struct oclmm_text *text, const struct oclmm_cycle *cycle)
{
	unsigned regions = oclmm_cycle_regions(cycle);

	if (regions == OCLMM_FLAG_LOCAL)
		oclmm_text_add(text, "+local");
	for (unsigned i = 0;
	     regions == (OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL) && i < cycle->location_count; i++)
		oclmm_text_printf(text, "%s%s", i ? "" : "+",
		                  cycle->location[i].space == OCLMM_SPACE_LOCAL ? "L" : "G");
	for (unsigned i = 0; i < cycle->location_count; i++) {
		const struct oclmm_cycle_location *location = &cycle->location[i];

		if (location->type != OCLMM_TYPE_INT && location->type != OCLMM_TYPE_FLAG)
			oclmm_text_printf(text, "+%s-%s", oclmm_cycle_location_name(i),
			                  oclmm_type_name(location->type));
	}
	if (oclmm_cycle_default_scope(cycle) == OCLMM_SCOPE_DEVICE && cycle->location[0].svm)
		oclmm_text_add(text, "+svm");
}

static void print_places(struct oclmm_text *text, const struct oclmm_cycle *cycle)
{
	bool group = false, sub_group = false, other = false;

	for (unsigned i = 0; i < cycle->thread_count; i++) {
		other |= cycle->placement[i].host || cycle->placement[i].device;
		for (unsigned k = 0; k < i; k++) {
			group |= oclmm_same_work_group(&cycle->placement[i], &cycle->placement[k]);
			sub_group |= oclmm_same_sub_group(&cycle->placement[i],
			                                  &cycle->placement[k]);
		}
	}
	for (unsigned i = 0; (group || other) && i < cycle->thread_count; i++) {
		const struct oclmm_placement *placement = &cycle->placement[i];

		oclmm_text_add(text, i ? "" : "+wg");
		if (placement->host)
			oclmm_text_add(text, "h");
		else
			oclmm_text_printf(text, "%s%u", placement->device ? "d" : "",
			                  placement->work_group);
	}
	for (unsigned i = 0; sub_group && i < cycle->thread_count; i++)
		oclmm_text_printf(text, "%s%c", i ? "" : "-sg",
		                  cycle->placement[i].sub_group_given
		                          ? (int)('0' + cycle->placement[i].sub_group % 10)
		                          : '_');
}

static void print_name(struct oclmm_text *text, const struct oclmm_cycle *cycle)
{
	enum oclmm_scope common = common_scope(cycle);

	oclmm_cycle_shape(text, cycle);
	for (unsigned i = 0; i < cycle->thread_count; i++) {
		struct thread_words words = {.count = 0};

		collect(cycle, i, &words);
		oclmm_text_add(text, "+");
		print_words(text, &words);
	}
	if (common && common != oclmm_cycle_default_scope(cycle))
		oclmm_text_printf(text, "+%s", oclmm_scope_short(common));
	print_regions(text, cycle);
	print_places(text, cycle);
}

/* The format has room for 120 letters. */
void oclmm_cycle_name(struct oclmm_text *text, const struct oclmm_cycle *cycle)
{
	enum { MOST = 120 };
	struct oclmm_text name = {0}, words = {0};

	print_name(&name, cycle);
	if (name.length > MOST) {
		oclmm_cycle_print(&words, cycle);
		name.length = 0;
		oclmm_text_printf(&name, "cycle-%016llx",
		                  (unsigned long long)oclmm_hash(oclmm_text_string(&words),
		                                                 words.length));
		oclmm_text_finish(&words);
	}
	oclmm_text_add(text, oclmm_text_string(&name));
	oclmm_text_finish(&name);
}

/* ---- all critical cycles of a size --------------------------------------------------- */

static const char *const alphabet[] = {"PodWW", "PodWR", "PodRW", "PodRR", "Rfe", "Fre", "Coe"};
enum { LETTERS = OCLMM_COUNT(alphabet) };

struct search {
	const struct oclmm_cycle_size *size;
	struct oclmm_link link[LETTERS];
	unsigned edge[OCLMM_CYCLE_MAX], count;
	int (*found)(void *data, const struct oclmm_cycle *cycle);
	void *data;
};

static bool is_program_order(const struct search *search, unsigned letter)
{
	return search->link[letter].kind == OCLMM_LINK_PO;
}

/* Of communication, only these two are not the same as one edge. */
static bool may_follow(const struct search *search, unsigned a, unsigned b)
{
	const struct oclmm_link *first = &search->link[a], *second = &search->link[b];

	if (first->to_write != second->from_write)
		return false;
	if (is_program_order(search, a) || is_program_order(search, b))
		return is_program_order(search, a) != is_program_order(search, b);
	return second->kind == OCLMM_LINK_RF &&
	       (first->kind == OCLMM_LINK_CO || first->kind == OCLMM_LINK_FR);
}

static unsigned edge_at(const struct search *search, unsigned i)
{
	return search->edge[i % search->count];
}

/* Of its rotations, the cycle stands for itself when none comes before it. */
static bool is_first_rotation(const struct search *search)
{
	for (unsigned turn = 1; turn < search->count; turn++) {
		for (unsigned i = 0; i < search->count; i++) {
			unsigned turned = edge_at(search, turn + i);

			if (turned < search->edge[i])
				return false;
			if (turned > search->edge[i])
				break;
		}
	}
	return true;
}

/* Runs of three edges of communication would be shorter as two. */
static bool has_long_run(const struct search *search)
{
	for (unsigned i = 0; i < search->count; i++) {
		if (!is_program_order(search, edge_at(search, i)) &&
		    !is_program_order(search, edge_at(search, i + 1)) &&
		    !is_program_order(search, edge_at(search, i + 2)))
			return true;
	}
	return false;
}

static unsigned changes(const struct search *search)
{
	unsigned count = 0;

	for (unsigned i = 0; i < search->count; i++)
		count += is_program_order(search, search->edge[i]);
	return count;
}

/* A shape that has a name begins where its name does. */
static int make(const struct search *search, struct oclmm_cycle *ret_cycle)
{
	struct oclmm_text words = {0};
	struct oclmm_cycle cycle;
	const struct oclmm_shape *shape;
	int r;

	for (unsigned i = 0; i < search->count; i++)
		oclmm_text_printf(&words, "%s ", alphabet[search->edge[i]]);
	r = oclmm_cycle_parse(oclmm_text_string(&words), NULL, &cycle);
	oclmm_text_finish(&words);
	if (r < 0)
		return r;
	shape = find_shape(&cycle);
	if (shape)
		return oclmm_cycle_parse(shape->edges, NULL, ret_cycle);
	*ret_cycle = cycle;
	return 0;
}

static bool fits(unsigned number, unsigned wanted)
{
	return !wanted || number == wanted;
}

static int consider(const struct search *search)
{
	struct oclmm_cycle cycle;
	unsigned orders = changes(search);

	if (!may_follow(search, search->edge[search->count - 1], search->edge[0]) || orders < 2 ||
	    has_long_run(search) || !is_first_rotation(search) ||
	    !fits(orders, search->size->locations) ||
	    !fits(search->count - orders, search->size->threads))
		return 0;
	return make(search, &cycle) < 0 ? 0 : search->found(search->data, &cycle);
}

static int extend(struct search *search)
{
	int r = 0;

	if (search->count == search->size->edges)
		return consider(search);
	for (unsigned letter = 0; r == 0 && letter < LETTERS; letter++) {
		if (search->count && !may_follow(search, search->edge[search->count - 1], letter))
			continue;
		search->edge[search->count++] = letter;
		r = extend(search);
		search->count--;
	}
	return r;
}

int oclmm_cycles(const struct oclmm_cycle_size *size,
                 int (*found)(void *data, const struct oclmm_cycle *cycle), void *data)
{
	struct search search = {.size = size, .found = found, .data = data};

	for (unsigned i = 0; i < LETTERS; i++)
		oclmm_link_find(alphabet[i], &search.link[i]);
	return size->edges && size->edges <= OCLMM_CYCLE_MAX ? extend(&search) : 0;
}
