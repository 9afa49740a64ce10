// SPDX-License-Identifier: Apache-2.0
/* A cycle in words: the alphabet, reading it, and printing it. */
#include <ctype.h>
#include <stdlib.h>

#include "internal.h"

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

bool oclmm_link_find(const char *word, struct oclmm_link *ret_link)
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

static void print_access(struct oclmm_text *text, const struct oclmm_cycle *cycle, unsigned i)
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
		print_access(text, cycle, i);
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
