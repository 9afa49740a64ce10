// SPDX-License-Identifier: Apache-2.0
/*
 * Structures and vectors in a text that work-items share. A device is given the text as it stands;
 * the oracle reads the same words with a register or an object's element for each number: `v.x` is
 * a register of that name, `s[i].y` of `local int4 *s` is `s[(i) * 4 + 1]`. What is copied as a
 * whole is copied number by number, and operators of vectors are done for each component, as C:6.3
 * has it.
 */
#include "composite.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "grammar.h"

enum { MOST_LEAVES = 64, MOST_DEPTH = 64 };

/* A number within a structure or vector. */
struct leaf {
	const char *path; /* `x`, `v.y` */
	const char *type;
	const struct syntax_token *space, *star; /* of a pointer: the words before its name */
	uint32_t offset;                         /* in memory, in elements */
	uint32_t array;                          /* 0, or its elements */
};

struct member {
	const char *name;
	const struct type *type; /* NULL: a number, an array or a pointer */
	uint32_t first, count;   /* its leaves */
};

struct type {
	const char *name;
	bool is_vector;
	struct leaf leaves[MOST_LEAVES];
	uint32_t count;
	struct member members[MOST_LEAVES];
	uint32_t member_count;
	uint32_t cells, align; /* in memory, in elements of the type of all leaves */
	const char *why_not;   /* NULL: it may stand in memory */
	const struct type *next;
};

/* A name that stands for one, within the function at work. */
struct variable {
	const char *name;
	const struct type *type;
	bool is_pointer, is_array;
	const struct variable *outer;
};

struct lowering {
	const struct syntax_source *source;
	struct oclmm_arena *arena;
	const struct syntax_tokens *from;
	struct composite_words *words;
	size_t capacity;
	const struct type *types;
	const struct variable *variables;
	bool in_kernel; /* in its head */
	unsigned depth; /* of brackets within brackets */
};

/* What `s[i].v.xy` names: some leaves of a variable. */
struct reference {
	const struct variable *variable;
	const struct type *type; /* of what is named; NULL: a number, or components picked */
	size_t index, index_end; /* words in the brackets; equal: none */
	size_t sub, sub_end;     /* those behind an array within a structure */
	uint32_t leaves[MOST_LEAVES];
	uint32_t count;
	bool is_pointer; /* the pointer itself */
	bool picked;     /* components in an order of their own */
};

/* Behind the last word stands the last one. */
static const struct syntax_token *word(const struct lowering *l, size_t i)
{
	return &l->from->data[i < l->from->count ? i : l->from->count - 1];
}

static int kind(const struct lowering *l, size_t i)
{
	return i < l->from->count ? l->from->data[i].kind : TOKEN_END;
}

static const char *text(const struct lowering *l, size_t i)
{
	return i < l->from->count ? l->from->data[i].text : "";
}

#define REFUSE_AT(l, i, note, ...)                                                                 \
	oclmm_refuse((l)->source, &word((l), (i))->written, (note), __VA_ARGS__)

/* ---- writing words ---- */

static void put_token(struct lowering *l, const struct syntax_token *token, size_t origin)
{
	struct composite_words *w = l->words;

	if (w->tokens.count == l->capacity) {
		size_t more = l->capacity ? 2 * l->capacity : 256;
		size_t *origins = oclmm_malloc(more * sizeof(*origins));

		if (w->tokens.count)
			memcpy(origins, w->origins, w->tokens.count * sizeof(*origins));
		free(w->origins);
		w->origins = origins;
		l->capacity = more;
	}
	w->origins[w->tokens.count] = origin;
	oclmm_tokens_add(&w->tokens, token);
}

static void copy(struct lowering *l, size_t i)
{
	put_token(l, word(l, i), i);
}

/* A word of our own in the place of word `i`. */
static void put(struct lowering *l, size_t i, int token_kind, const char *written)
{
	struct syntax_token token = *word(l, i);

	token.kind = token_kind;
	token.text = written;
	put_token(l, &token, i);
}

static void put_number(struct lowering *l, size_t i, uint32_t number)
{
	put(l, i, TOKEN_NUMBER, oclmm_arena_printf(l->arena, "%u", number));
}

static void put_sign(struct lowering *l, size_t i, char sign)
{
	put(l, i, sign, oclmm_arena_printf(l->arena, "%c", sign));
}

/* ---- types ---- */

static bool vector_of(const struct lowering *l, size_t i, char base[16], uint32_t *ret_count)
{
	const char *name = text(l, i);
	size_t letters = strcspn(name, "0123456789");

	if ((kind(l, i) != TOKEN_VECTOR && kind(l, i) != TOKEN_FOREIGN) || !name[letters] ||
	    letters >= 16)
		return false;
	snprintf(base, 16, "%.*s", (int)letters, name);
	*ret_count = (uint32_t)strtoul(name + letters, NULL, 10);
	return oclmm_is_type(base) && (*ret_count == 2 || *ret_count == 3 || *ret_count == 4 ||
	                               *ret_count == 8 || *ret_count == 16);
}

static const struct type *find_type(const struct lowering *l, const char *name)
{
	const struct type *t = l->types;

	while (t && strcmp(t->name, name) != 0)
		t = t->next;
	return t;
}

static struct type *add_type(struct lowering *l, const char *name)
{
	struct type *t = OCLMM_NEW(l->arena, struct type);

	t->name = name;
	t->next = l->types;
	l->types = t;
	return t;
}

static const struct type *make_vector(struct lowering *l, const char *name, const char *base,
                                      uint32_t count)
{
	struct type *t = add_type(l, name);

	t->is_vector = true;
	t->count = count;
	/* a vector of three takes the room of four, C:6.1.5 */
	t->cells = t->align = count == 3 ? 4 : count;
	for (uint32_t i = 0; i < count; i++)
		t->leaves[i] = (struct leaf){
			.path = count <= 4 ? oclmm_arena_printf(l->arena, "%c", "xyzw"[i])
		                           : oclmm_arena_printf(l->arena, "s%x", i),
			.type = oclmm_arena_strdup(l->arena, base),
			.offset = i,
		};
	return t;
}

/* The structure or vector that the words from `*i` on name; NULL: none, or one refused. */
static const struct type *read_type(struct lowering *l, size_t *i, int *result)
{
	const struct type *t = NULL;
	char base[16];
	uint32_t count;

	if (kind(l, *i) == TOKEN_FOREIGN && strcmp(text(l, *i), "struct") == 0 &&
	    kind(l, *i + 1) == TOKEN_IDENTIFIER) {
		t = find_type(l, oclmm_arena_printf(l->arena, "struct %s", text(l, *i + 1)));
		if (!t)
			*result = REFUSE_AT(
				l, *i + 1,
				"write `struct NAME { int a, b; };` between the init block and "
				"the kernel",
				"no structure is called `%.40s`", text(l, *i + 1));
		*i += t ? 2 : 0;
		return t;
	}
	if (vector_of(l, *i, base, &count)) {
		if (strstr(base, "char") || strstr(base, "short") || strcmp(base, "half") == 0) {
			*result = REFUSE_AT(
				l, *i, "take vectors of `int`, `uint`, `long`, `ulong`, `float`",
				"vectors of less than 32 bits compute otherwise than numbers do");
			return NULL;
		}
		t = find_type(l, text(l, *i));
		t = t ? t : make_vector(l, text(l, *i), base, count);
		*i += 1;
		return t;
	}
	if (kind(l, *i) == TOKEN_IDENTIFIER && (t = find_type(l, text(l, *i))))
		*i += 1;
	return t;
}

/* The one type of all numbers, which an object in memory has. */
static void settle_memory(struct type *t)
{
	uint32_t end = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		if (t->leaves[i].star)
			t->why_not = "it has pointers";
		else if (strcmp(t->leaves[i].type, t->leaves[0].type) != 0)
			t->why_not = "its members have several types";
		end = t->leaves[i].offset + (t->leaves[i].array ? t->leaves[i].array : 1);
	}
	t->cells = (end + t->align - 1) / t->align * t->align;
}

static uint32_t end_of_leaves(const struct type *t)
{
	const struct leaf *last = t->count ? &t->leaves[t->count - 1] : NULL;

	return last ? last->offset + (last->array ? last->array : 1) : 0;
}

/* A member that is itself a structure or vector. */
static int add_inner(struct lowering *l, struct type *t, size_t name, const struct type *inner)
{
	uint32_t begin = (end_of_leaves(t) + inner->align - 1) / inner->align * inner->align;

	if (t->count + inner->count > MOST_LEAVES)
		return REFUSE_AT(l, name, NULL, "a structure of more than %d numbers", MOST_LEAVES);
	t->members[t->member_count++] = (struct member){text(l, name), inner, t->count,
	                                                inner->count};
	for (uint32_t i = 0; i < inner->count; i++) {
		t->leaves[t->count] = inner->leaves[i];
		t->leaves[t->count].offset += begin;
		t->leaves[t->count++].path = oclmm_arena_printf(l->arena, "%s.%s", text(l, name),
		                                                inner->leaves[i].path);
	}
	t->align = inner->align > t->align ? inner->align : t->align;
	return 0;
}

/* `int a, b[4];`, `local int *p;`, `int4 v;` */
static int read_member(struct lowering *l, struct type *t, size_t *i)
{
	size_t begin = *i;
	const struct type *inner;
	const char *base;
	int r = 0;

	while (kind(l, *i) == TOKEN_SPACE || kind(l, *i) == TOKEN_QUALIFIER)
		++*i;
	inner = read_type(l, i, &r);
	if (r)
		return r;
	base = inner ? NULL : text(l, *i);
	if (!inner && kind(l, (*i)++) != TOKEN_TYPE)
		return REFUSE_AT(l, *i - 1,
		                 "members are numbers, arrays of them, pointers, vectors "
		                 "and structures",
		                 "`%.40s` is no type of a member", text(l, *i - 1));
	for (bool more = true; more;) {
		size_t star = kind(l, *i) == '*' ? (*i)++ : 0, name = *i;
		struct leaf leaf = {.path = text(l, name),
		                    .type = base,
		                    .offset = end_of_leaves(t)};

		if (kind(l, name) != TOKEN_IDENTIFIER)
			return REFUSE_AT(l, name, NULL, "a member of a structure has no name here");
		++*i;
		if (star) {
			leaf.space = word(l, begin);
			leaf.star = word(l, star);
		}
		if (kind(l, *i) == '[' && kind(l, *i + 1) == TOKEN_NUMBER &&
		    kind(l, *i + 2) == ']') {
			leaf.array = (uint32_t)strtoul(text(l, *i + 1), NULL, 0);
			*i += 3;
		}
		if (inner && star)
			return REFUSE_AT(l, name, "let it point to numbers",
			                 "a member points to structures or vectors");
		if (inner && leaf.array)
			return REFUSE_AT(l, name, "write a member for each",
			                 "a member is an array of structures or vectors");
		if (t->count == MOST_LEAVES || leaf.array > OCLMM_LISTED_ELEMENTS)
			return REFUSE_AT(l, name, NULL, "a structure of more than %d numbers",
			                 MOST_LEAVES);
		if (inner) {
			if (add_inner(l, t, name, inner))
				return -EINVAL;
		} else {
			t->members[t->member_count++] = (struct member){text(l, name), NULL,
			                                                t->count, 1};
			t->leaves[t->count++] = leaf;
		}
		more = kind(l, *i) == ',';
		*i += more;
	}
	if (kind(l, *i) != ';')
		return REFUSE_AT(l, *i, NULL, "a `;` ends the members of one type");
	++*i;
	return 0;
}

/* `struct NAME { ... };` or `typedef struct { ... } NAME;`, which the device is given as written.
 */
static int read_structure(struct lowering *l, size_t *i)
{
	size_t begin = *i;
	bool is_typedef = strcmp(text(l, *i), "typedef") == 0;
	const char *tag = NULL;
	struct type *t;

	*i += is_typedef;
	if (strcmp(text(l, *i), "struct") != 0)
		return REFUSE_AT(l, *i, NULL, "`typedef` is for structures here");
	++*i;
	if (kind(l, *i) == TOKEN_IDENTIFIER)
		tag = text(l, (*i)++);
	if (kind(l, *i) != '{' || (!tag && !is_typedef))
		return REFUSE_AT(l, *i, "write `struct NAME { int a, b; };`",
		                 "a structure is described here");
	++*i;
	t = OCLMM_NEW(l->arena, struct type);
	t->align = 1;
	while (kind(l, *i) != '}') {
		int r = read_member(l, t, i);

		if (r)
			return r;
	}
	++*i;
	t->name = tag ? oclmm_arena_printf(l->arena, "struct %s", tag) : "";
	if (is_typedef) {
		if (kind(l, *i) != TOKEN_IDENTIFIER)
			return REFUSE_AT(l, *i, NULL, "a `typedef` ends with a name");
		t->name = text(l, (*i)++);
	}
	if (kind(l, *i) != ';' || !t->count)
		return REFUSE_AT(l, *i, "write `struct NAME { int a, b; };`",
		                 "a structure is described here");
	settle_memory(t);
	t->next = l->types;
	l->types = t;
	if (l->words->structure_count == COMPOSITE_MOST)
		return REFUSE_AT(l, begin, NULL, "more than %d structures", COMPOSITE_MOST);
	l->words->structures[l->words->structure_count++] =
		(struct composite_piece){begin, *i, is_typedef ? *i - 1 : begin + 1};
	++*i;
	return 0;
}

/* ---- what a text names ---- */

static const struct variable *find_variable(const struct lowering *l, const char *name)
{
	const struct variable *v = l->variables;

	while (v && strcmp(v->name, name) != 0)
		v = v->outer;
	return v && v->type ? v : NULL;
}

static void add_variable(struct lowering *l, const char *name, const struct type *type,
                         bool is_pointer, bool is_array)
{
	l->variables = OCLMM_MAKE(l->arena, struct variable, .name = name, .type = type,
	                          .is_pointer = is_pointer, .is_array = is_array,
	                          .outer = l->variables);
}

/* The word behind the bracket that closes the one at `i`. */
static size_t behind(const struct lowering *l, size_t i)
{
	int depth = 0;

	for (; i < l->from->count; i++) {
		int k = kind(l, i);

		depth += k == '(' || k == '[' || k == '{';
		depth -= k == ')' || k == ']' || k == '}';
		if (depth == 0)
			return i + 1;
	}
	return i;
}

/* Which components `xy`, `s02`, `hi` are. False: no such ones. */
static bool pick(const char *name, uint32_t count, uint32_t picked[16], uint32_t *ret_count)
{
	static const char letters[] = "xyzw", digits[] = "0123456789abcdef";
	bool numbered = (*name == 's' || *name == 'S') && name[1];
	uint32_t half = count == 3 ? 2 : count / 2, n = 0;

	if (strcmp(name, "lo") == 0 || strcmp(name, "hi") == 0 || strcmp(name, "even") == 0 ||
	    strcmp(name, "odd") == 0) {
		uint32_t first = *name == 'h' ? half : *name == 'o';

		for (; n < half; n++)
			picked[n] = *name == 'l' || *name == 'h' ? first + n : first + 2 * n;
		*ret_count = n;
		return count != 3;
	}
	for (const char *c = name + numbered; *c; c++) {
		const char *list = numbered ? digits : letters;
		char lower = *c >= 'A' && *c <= 'F' ? (char)(*c - 'A' + 'a') : *c;
		const char *at = strchr(list, lower);

		if (!at || (uint32_t)(at - list) >= count || n == 16)
			return false;
		picked[n++] = (uint32_t)(at - list);
	}
	*ret_count = n;
	return n > 0;
}

static int pick_components(struct lowering *l, size_t i, struct reference *ref)
{
	uint32_t old[MOST_LEAVES], picked[16], count;

	if (!pick(text(l, i), ref->count, picked, &count))
		return REFUSE_AT(l, i, "components are `x`, `y`, `z`, `w`, or `s0`, `s1` and so on",
		                 "a vector of %u has no component `%.40s`", ref->count, text(l, i));
	memcpy(old, ref->leaves, sizeof(old));
	for (uint32_t k = 0; k < count; k++)
		ref->leaves[k] = old[picked[k]];
	ref->count = count;
	ref->picked = true;
	ref->type = NULL;
	return 0;
}

static int pick_member(struct lowering *l, size_t i, struct reference *ref)
{
	const struct type *t = ref->type;
	uint32_t first = ref->leaves[0];

	if (!t)
		return REFUSE_AT(l, i, NULL, "a number has no member `%.40s`", text(l, i));
	if (t->is_vector)
		return pick_components(l, i, ref);
	for (uint32_t m = 0; m < t->member_count; m++) {
		if (strcmp(t->members[m].name, text(l, i)) != 0)
			continue;
		ref->type = t->members[m].type;
		ref->count = t->members[m].count;
		for (uint32_t k = 0; k < ref->count; k++)
			ref->leaves[k] = first + t->members[m].first + k;
		return 0;
	}
	return REFUSE_AT(l, i, NULL, "`%s` has no member `%.40s`", t->name, text(l, i));
}

static bool is_arrow(const struct lowering *l, size_t i)
{
	return i < l->from->count && strcmp(text(l, i), "->") == 0;
}

/* Whether something is named from word `i` on: `v.x`, `s[i].y`, `p->x`, `(*p).x`, `*p`. */
static const struct variable *names_at(const struct lowering *l, size_t i, size_t *ret_name)
{
	const struct variable *v;

	if (kind(l, i) == '(' && kind(l, i + 1) == '*' && kind(l, i + 2) == TOKEN_IDENTIFIER &&
	    kind(l, i + 3) == ')' && (v = find_variable(l, text(l, i + 2))) && v->is_pointer) {
		*ret_name = i + 2;
		return v;
	}
	if (kind(l, i) == '*' && kind(l, i + 1) == TOKEN_IDENTIFIER && kind(l, i + 2) != '[' &&
	    !is_arrow(l, i + 2) && i > 0 && kind(l, i - 1) != TOKEN_IDENTIFIER &&
	    kind(l, i - 1) != TOKEN_NUMBER && kind(l, i - 1) != ')' && kind(l, i - 1) != ']' &&
	    (v = find_variable(l, text(l, i + 1))) && v->is_pointer) {
		*ret_name = i + 1;
		return v;
	}
	if (kind(l, i) != TOKEN_IDENTIFIER || (i > 0 && kind(l, i - 1) == '.') ||
	    kind(l, i + 1) == '(')
		return NULL;
	*ret_name = i;
	return find_variable(l, text(l, i));
}

/* Reads it; `*i` is then behind it. */
static int read_reference(struct lowering *l, size_t *i, const struct variable *v, size_t name,
                          struct reference *ret_ref)
{
	struct reference ref = {.variable = v, .type = v->type, .count = v->type->count};
	bool starred = name != *i;
	int r;

	/* an analysis does not know that a refusal is never 0 */
	*ret_ref = ref;
	for (uint32_t k = 0; k < ref.count; k++)
		ref.leaves[k] = k;
	*i = kind(l, *i) == '(' ? name + 2 : name + 1;
	if (v->is_pointer && !starred) {
		if (is_arrow(l, *i)) {
			if ((r = pick_member(l, *i + 1, &ref)))
				return r;
			*i += 2;
		} else if (kind(l, *i) != '[') {
			ref.is_pointer = true;
			*ret_ref = ref;
			return 0;
		}
	}
	if ((v->is_pointer || v->is_array) && !starred && kind(l, *i) == '[' &&
	    ref.type == v->type) {
		ref.index = *i + 1;
		*i = behind(l, *i);
		ref.index_end = *i - 1;
	} else if (v->is_array) {
		return REFUSE_AT(l, name, "write an index behind it", "`%s` is an array", v->name);
	}
	while (kind(l, *i) == '.') {
		if ((r = pick_member(l, *i + 1, &ref)))
			return r;
		*i += 2;
	}
	if (ref.count == 1 && v->type->leaves[ref.leaves[0]].array && kind(l, *i) == '[') {
		ref.sub = *i + 1;
		*i = behind(l, *i);
		ref.sub_end = *i - 1;
	}
	*ret_ref = ref;
	return 0;
}

static bool is_number(const struct reference *ref)
{
	return !ref->is_pointer && !ref->type && ref->count == 1;
}

/* ---- accesses ---- */

static int refuse_depth(struct lowering *l, size_t i)
{
	return REFUSE_AT(l, i, "write a part of it into a variable first",
	                 "brackets stand within brackets more than %d deep", MOST_DEPTH);
}

static int lower(struct lowering *l, size_t from, size_t end);

static const char *name_of(struct lowering *l, const struct variable *v, uint32_t leaf)
{
	return oclmm_arena_printf(l->arena, "%s.%s", v->name, v->type->leaves[leaf].path);
}

/* Whether word `i` calls a function, other than one that only asks for a number of the work-item.
 */
static bool calls(const struct lowering *l, size_t i)
{
	return kind(l, i) == TOKEN_IDENTIFIER && kind(l, i + 1) == '(' &&
	       strncmp(text(l, i), "get_", 4) != 0;
}

/* What is in the brackets is written once for each number: it must change nothing. */
static int check_index(struct lowering *l, size_t from, size_t end, uint32_t times)
{
	for (size_t i = from; i < end && times > 1; i++) {
		int k = kind(l, i);

		if (k == TOKEN_INCREMENT || k == TOKEN_DECREMENT || k == '=' || calls(l, i))
			return REFUSE_AT(l, i, "write it into a variable first",
			                 "the index of several numbers calls or changes something");
	}
	return 0;
}

/* A value of several numbers may be written once for each, in the order of the numbers: what it
 * calls would be called as often, in an order that C leaves open. */
static int check_value(struct lowering *l, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++)
		if (calls(l, i))
			return REFUSE_AT(
				l, i,
				"write what a function of numbers gives into a variable first",
				"`%s` is called within a structure or vector", text(l, i));
	return 0;
}

/* One number of what is named; `element` of an array within it, where no index is written. */
static int put_access(struct lowering *l, size_t at, const struct reference *ref, uint32_t leaf,
                      uint32_t element)
{
	const struct variable *v = ref->variable;
	const struct leaf *one = &v->type->leaves[leaf];
	bool indexed = ref->index != ref->index_end, sub = ref->sub != ref->sub_end;

	if (check_index(l, ref->index, ref->index_end, ref->count))
		return -EINVAL;
	if (!v->is_pointer) {
		put(l, at, TOKEN_IDENTIFIER, name_of(l, v, leaf));
		if (!indexed && !one->array)
			return 0;
		put_sign(l, at, '[');
		if (indexed ? lower(l, ref->index, ref->index_end)
		            : sub && lower(l, ref->sub, ref->sub_end))
			return -EINVAL;
		if (!indexed && !sub)
			put_number(l, at, element);
		put_sign(l, at, ']');
		return 0;
	}
	put(l, at, TOKEN_IDENTIFIER, v->name);
	put_sign(l, at, '[');
	if (indexed) {
		put_sign(l, at, '(');
		if (lower(l, ref->index, ref->index_end))
			return -EINVAL;
		put_sign(l, at, ')');
		put_sign(l, at, '*');
		put_number(l, at, v->type->cells);
		put_sign(l, at, '+');
	}
	put_number(l, at, one->offset + element);
	if (sub) {
		put_sign(l, at, '+');
		put_sign(l, at, '(');
		if (lower(l, ref->sub, ref->sub_end))
			return -EINVAL;
		put_sign(l, at, ')');
	}
	put_sign(l, at, ']');
	return 0;
}

static int refuse_whole(struct lowering *l, size_t i, const struct reference *ref)
{
	return REFUSE_AT(l, i, "name one of its numbers, or assign it to a variable of its type",
	                 "`%s` stands for several numbers here", ref->variable->name);
}

/* ---- a value of several numbers, one at a time ---- */

struct value {
	size_t from, end;
	const struct type *type; /* NULL: of components that were picked */
	uint32_t count;
};

/* `(int4)(` or `(struct pair){`: the first word behind the bracket that opens its numbers. */
static const struct type *is_constructor(struct lowering *l, size_t i, size_t *ret_first)
{
	int r = 0;
	size_t at = i + 1;
	const struct type *t;

	if (kind(l, i) != '(')
		return NULL;
	t = read_type(l, &at, &r);
	if (r || !t || kind(l, at) != ')' || kind(l, at + 1) != (t->is_vector ? '(' : '{'))
		return NULL;
	*ret_first = at + 2;
	return t;
}

static int put_number_of(struct lowering *l, const struct value *v, uint32_t k, uint32_t element);

static uint32_t elements_of(const struct leaf *leaf)
{
	return leaf->array ? leaf->array : 1;
}

/* What stands between two commas of a list: a number, or several. */
struct item {
	const struct type *type; /* of a constructor, or of what is named; NULL: others */
	const struct leaf *leaves[MOST_LEAVES];
	uint32_t count, numbers;
};

static int read_item(struct lowering *l, size_t from, size_t end, struct item *ret_item)
{
	size_t name, first, at = from;
	const struct variable *v = names_at(l, from, &name);
	const struct type *made = is_constructor(l, from, &first);
	struct reference ref = {0};

	*ret_item = (struct item){0};
	if (kind(l, from) == '{')
		return REFUSE_AT(l, from, "write the numbers without these braces",
		                 "braces stand within braces");
	if (v && read_reference(l, &at, v, name, &ref))
		return -EINVAL;
	if (v && at == end && !ref.is_pointer && !is_number(&ref)) {
		ret_item->type = ref.type;
		ret_item->count = ref.count;
		for (uint32_t k = 0; k < ref.count; k++)
			ret_item->leaves[k] = &v->type->leaves[ref.leaves[k]];
	} else if (made && behind(l, first - 1) == end) {
		ret_item->type = made;
		ret_item->count = made->count;
		for (uint32_t k = 0; k < made->count; k++)
			ret_item->leaves[k] = &made->leaves[k];
	}
	for (uint32_t k = 0; k < ret_item->count; k++)
		ret_item->numbers += elements_of(ret_item->leaves[k]);
	if (!ret_item->count)
		ret_item->numbers = 1;
	return 0;
}

/* The `number`-th number of an item. */
static int put_item(struct lowering *l, size_t from, size_t end, const struct item *item,
                    uint32_t number)
{
	struct value value = {from, end, item->type, item->count};
	uint32_t k = 0;
	int r;

	put_sign(l, from, '(');
	for (; item->count && number >= elements_of(item->leaves[k]); k++)
		number -= elements_of(item->leaves[k]);
	r = item->count ? put_number_of(l, &value, k, number) : lower(l, from, end);
	put_sign(l, from, ')');
	return r;
}

/* The number of `a, b, c` that is element `element` of leaf `k`, where one may be a vector. The
 * list of a structure may be short: what is missing is 0. */
static int put_listed(struct lowering *l, size_t from, size_t end, const struct type *t, uint32_t k,
                      uint32_t element)
{
	uint32_t before = 0, wanted = element;
	size_t i = from;

	for (uint32_t leaf = 0; leaf < k; leaf++)
		wanted += elements_of(&t->leaves[leaf]);
	while (i < end) {
		size_t begin = i;
		struct item item;

		while (i < end && kind(l, i) != ',')
			i = kind(l, i) == '(' || kind(l, i) == '[' || kind(l, i) == '{'
			            ? behind(l, i)
			            : i + 1;
		if (read_item(l, begin, i, &item))
			return -EINVAL;
		/* one number is that of all components */
		if (t->is_vector && item.numbers == 1 && begin == from && i >= end)
			wanted = 0;
		if (wanted >= before && wanted < before + item.numbers)
			return put_item(l, begin, i, &item, wanted - before);
		before += item.numbers;
		i += i < end;
	}
	if (t->is_vector)
		return REFUSE_AT(l, from, NULL, "`%s` takes %u numbers, or one for all, not %u",
		                 t->name, t->count, before);
	if (t->leaves[k].star)
		return REFUSE_AT(l, from, NULL, "the pointer `%s` is not given", t->leaves[k].path);
	put_number(l, from, 0);
	return 0;
}

static bool compares(int k)
{
	return k == TOKEN_EQ || k == TOKEN_NE || k == TOKEN_LE || k == TOKEN_GE || k == '<' ||
	       k == '>' || k == '!' || k == TOKEN_LOGICAL_AND || k == TOKEN_LOGICAL_OR;
}

static int put_words_of(struct lowering *l, const struct value *v, uint32_t k, uint32_t element)
{
	size_t i = v->from, first, name;
	const struct type *t;
	const struct variable *variable;

	if (kind(l, i) == '{' && behind(l, i) == v->end)
		return v->type ? put_listed(l, i + 1, v->end - 1, v->type, k, element)
		               : REFUSE_AT(l, i, NULL, "components are given by a vector");
	while (i < v->end) {
		if ((t = is_constructor(l, i, &first))) {
			size_t close = behind(l, first - 1);

			if (t->count != v->count)
				return REFUSE_AT(l, i, NULL,
				                 "%u numbers are wanted, and `%s` has %u", v->count,
				                 t->name, t->count);
			if (put_listed(l, first, close - 1, t, k, element))
				return -EINVAL;
			i = close;
		} else if ((variable = names_at(l, i, &name))) {
			struct reference ref;
			size_t at = i;

			if (read_reference(l, &i, variable, name, &ref))
				return -EINVAL;
			if (ref.is_pointer) {
				copy(l, at);
				continue;
			}
			if (!is_number(&ref) && ref.count != v->count)
				return REFUSE_AT(l, at, NULL,
				                 "%u numbers are wanted, and `%s` has %u here",
				                 v->count, variable->name, ref.count);
			if (!is_number(&ref) && v->type && ref.type && ref.type != v->type)
				return REFUSE_AT(l, at, NULL, "`%s` is no `%s`", variable->name,
				                 v->type->name);
			if (!is_number(&ref) && ((at > v->from && compares(kind(l, at - 1))) ||
			                         (i < v->end && compares(kind(l, i)))))
				return REFUSE_AT(
					l, at, "compare their numbers",
					"structures and vectors are not compared as a whole");
			if (put_access(l, at, &ref, is_number(&ref) ? ref.leaves[0] : ref.leaves[k],
			               element))
				return -EINVAL;
		} else {
			copy(l, i++);
		}
	}
	return 0;
}

static int put_number_of(struct lowering *l, const struct value *v, uint32_t k, uint32_t element)
{
	int r = ++l->depth > MOST_DEPTH ? refuse_depth(l, v->from) : put_words_of(l, v, k, element);

	l->depth--;
	return r;
}

/* Whether numbers that are read may be those that were written just before: some are named in
 * another order than they are written in. */
static bool is_mixed(struct lowering *l, const struct variable *target, size_t from, size_t end,
                     unsigned depth)
{
	if (depth > MOST_DEPTH) /* refused where it is written */
		return true;
	for (size_t i = from; i < end;) {
		size_t name, at = i;
		const struct variable *v = names_at(l, i, &name);
		struct reference ref;

		if (!v) {
			i++;
			continue;
		}
		if (read_reference(l, &i, v, name, &ref))
			return true;
		/* pointers may lead to one object */
		if ((v == target || (v->is_pointer && target->is_pointer)) &&
		    (ref.picked || is_number(&ref)))
			return true;
		if (is_mixed(l, target, ref.index, ref.index_end, depth + 1) ||
		    is_mixed(l, target, ref.sub, ref.sub_end, depth + 1))
			return true;
		i = i > at ? i : at + 1;
	}
	return false;
}

/* ---- statements ---- */

static size_t end_of_part(const struct lowering *l, size_t i)
{
	while (i < l->from->count && kind(l, i) != ';' && kind(l, i) != ',' && kind(l, i) != '}')
		i = kind(l, i) == '(' || kind(l, i) == '[' || kind(l, i) == '{' ? behind(l, i)
		                                                                : i + 1;
	return i;
}

static void put_type_of(struct lowering *l, size_t at, const struct leaf *leaf)
{
	if (!leaf->star) {
		put(l, at, TOKEN_TYPE, leaf->type);
		return;
	}
	for (const struct syntax_token *t = leaf->space; t <= leaf->star; t++)
		put_token(l, t, (size_t)(t - l->from->data));
}

/* `v = value` behind the type, for one leaf. */
static int declare_leaf(struct lowering *l, size_t name, const struct variable *v, uint32_t leaf,
                        const struct value *value, size_t length)
{
	const struct leaf *one = &v->type->leaves[leaf];

	put_type_of(l, name, one);
	put(l, name, TOKEN_IDENTIFIER, name_of(l, v, leaf));
	if (length || one->array) {
		put_sign(l, name, '[');
		if (length)
			copy(l, length);
		else
			put_number(l, name, one->array);
		put_sign(l, name, ']');
	}
	if (value && length) {
		put_sign(l, name, '=');
		for (size_t i = value->from; i < value->end; i++)
			copy(l, i);
	} else if (value && one->array) {
		put_sign(l, name, '=');
		put_sign(l, name, '{');
		for (uint32_t e = 0; e < one->array; e++) {
			if (e)
				put_sign(l, name, ',');
			if (put_number_of(l, value, leaf, e))
				return -EINVAL;
		}
		put_sign(l, name, '}');
	} else if (value) {
		put_sign(l, name, '=');
		if (put_number_of(l, value, leaf, 0))
			return -EINVAL;
	}
	put_sign(l, name, ';');
	return 0;
}

/* `int4 v = w, u;`, `struct pair t[2];`; `*i` is at the first name. */
static int declare(struct lowering *l, size_t *i, const struct type *t, size_t constant)
{
	for (bool more = true; more;) {
		size_t name = *i, length = 0;
		struct value value;
		struct variable v = {.name = text(l, name), .type = t};
		bool given;

		if (kind(l, name) != TOKEN_IDENTIFIER)
			return REFUSE_AT(l, name, NULL, "a name stands behind `%s`", t->name);
		++*i;
		if (kind(l, *i) == '[') {
			if (kind(l, *i + 1) != TOKEN_NUMBER || kind(l, *i + 2) != ']')
				return REFUSE_AT(l, *i, NULL, "the length is a number");
			length = *i + 1;
			*i += 3;
		}
		given = kind(l, *i) == '=';
		value = (struct value){*i + 1, end_of_part(l, *i), t, t->count};
		if (given && length &&
		    !(value.end == value.from + 3 && strcmp(text(l, value.from + 1), "0") == 0))
			return REFUSE_AT(
				l, value.from, "write `= {0}`, and assign the others",
				"the elements of such an array begin with nothing or with 0");
		if (!given && !t->is_vector)
			for (uint32_t k = 0; k < t->count; k++)
				if (t->leaves[k].star)
					return REFUSE_AT(
						l, name, "write `= {s, u}` behind it",
						"`%s` has pointers, which begin with nothing",
						v.name);
		if (given && check_value(l, value.from, value.end))
			return -EINVAL;
		v.is_array = length != 0;
		for (uint32_t k = 0; k < t->count; k++) {
			if (constant && !t->leaves[k].star)
				copy(l, constant);
			if (declare_leaf(l, name, &v, k, given ? &value : NULL, length))
				return -EINVAL;
		}
		add_variable(l, v.name, t, false, v.is_array);
		*i = value.end;
		more = kind(l, *i) == ',';
		*i += more;
	}
	if (kind(l, *i) != ';')
		return REFUSE_AT(l, *i, NULL, "a `;` ends the declaration");
	++*i;
	return 0;
}

/* What a condition would name, and nobody writes, or a copy of the whole does. */
static bool has_gaps(const struct type *t)
{
	uint32_t numbers = 0;

	for (uint32_t k = 0; k < t->count; k++)
		numbers += elements_of(&t->leaves[k]);
	return numbers != t->cells;
}

/* `local int4 *p = s;`: a pointer to numbers. */
static int declare_pointer(struct lowering *l, size_t *i, size_t begin, const struct type *t,
                           size_t type_at)
{
	size_t star = *i, name = star + 1;

	while (kind(l, name) == TOKEN_QUALIFIER)
		name++;
	if (t->why_not)
		return REFUSE_AT(l, type_at, NULL, "`%s` cannot stand in memory here: %s", t->name,
		                 t->why_not);
	for (; begin < type_at; begin++) {
		if (l->in_kernel && has_gaps(t) && kind(l, begin) == TOKEN_SPACE &&
		    strstr(text(l, begin), "global"))
			return REFUSE_AT(
				l, type_at, "add members where they are, or make the object local",
				"`%s` has gaps between its numbers, and what they hold is open",
				t->name);
		copy(l, begin);
	}
	put(l, type_at, TOKEN_TYPE, t->leaves[0].type);
	for (; star < name; star++)
		copy(l, star);
	add_variable(l, text(l, name), t, true, false);
	if (l->in_kernel && l->words->unit_count < COMPOSITE_MOST)
		l->words->units[l->words->unit_count++] = (struct composite_unit){text(l, name),
		                                                                  t->cells};
	copy(l, name);
	*i = name + 1;
	if (kind(l, *i) == '=') {
		size_t end = end_of_part(l, *i);

		if (lower(l, *i, end))
			return -EINVAL;
		*i = end;
	}
	return 0;
}

/* A declaration of a structure, a vector or a pointer to one. 0: `*i` is behind it, or nothing of
 * the kind stands there. */
static int read_declaration(struct lowering *l, size_t *i)
{
	size_t begin = *i, at = begin, type_at, constant = 0;
	const struct type *t;
	int r = 0;

	while (kind(l, at) == TOKEN_SPACE || kind(l, at) == TOKEN_QUALIFIER) {
		constant = kind(l, at) == TOKEN_QUALIFIER ? at : constant;
		at++;
	}
	type_at = at;
	t = read_type(l, &at, &r);
	if (r)
		return r;
	if (!t) {
		/* a number with the name that another block has for a vector */
		for (size_t k = at; kind(l, at) == TOKEN_TYPE && kind(l, k) != ';' &&
		                    k < l->from->count && kind(l, k) != '}';
		     k = end_of_part(l, k)) {
			for (k++; kind(l, k) == '*' || kind(l, k) == TOKEN_QUALIFIER; k++)
				;
			if (kind(l, k) == TOKEN_IDENTIFIER && find_variable(l, text(l, k)))
				add_variable(l, text(l, k), NULL, false, false);
		}
		return 0;
	}
	if (kind(l, at) != '*') {
		if (kind(l, begin) == TOKEN_SPACE)
			return REFUSE_AT(
				l, begin, "make it a parameter: `local int4 *s`",
				"objects of `local` and `global` memory are parameters here");
		*i = at;
		return declare(l, i, t, constant);
	}
	*i = at;
	if (declare_pointer(l, i, begin, t, type_at))
		return -EINVAL;
	if (kind(l, *i) != ';')
		return REFUSE_AT(l, *i, "declare each pointer by itself", "a `;` stands here");
	copy(l, (*i)++);
	return 0;
}

/* `v = w;`, `s[i] += v;`, `v.xy = w.yx;`: `*i` stays where it is if it is none. */
static int read_assignment(struct lowering *l, size_t *i)
{
	size_t name, at = *i, end;
	const struct variable *v = names_at(l, at, &name);
	struct reference target;
	struct value value;
	size_t sign;
	bool mixed;

	if (!v)
		return 0;
	if (read_reference(l, &at, v, name, &target))
		return -EINVAL;
	if (target.is_pointer || is_number(&target) ||
	    (kind(l, at) != '=' && kind(l, at) != TOKEN_COMPOUND))
		return 0;
	sign = at;
	end = end_of_part(l, at);
	value = (struct value){sign + 1, end, target.type, target.count};
	mixed = is_mixed(l, v, value.from, value.end, 0);
	if (kind(l, sign) == TOKEN_COMPOUND && (mixed || (target.type && !target.type->is_vector)))
		return REFUSE_AT(l, sign, "write it with `=`",
		                 "`%s` is not for structures, nor for components in another order",
		                 text(l, sign));
	if (check_value(l, value.from, value.end))
		return -EINVAL;
	for (size_t k = target.index; k < target.index_end; k++)
		if (find_variable(l, text(l, k)) == v)
			return REFUSE_AT(l, k, "write the index into a variable first",
			                 "`%s` is assigned to and stands in its own index",
			                 v->name);
	put_sign(l, *i, '{');
	for (int pass = mixed ? 0 : 1; pass < 2; pass++) {
		for (uint32_t k = 0; k < target.count; k++) {
			const struct leaf *leaf = &v->type->leaves[target.leaves[k]];
			const char *held = oclmm_arena_printf(l->arena, "%s.%s'%u", v->name,
			                                      leaf->path, k);

			if (leaf->star)
				return REFUSE_AT(l, sign, "declare another one",
				                 "a structure with pointers is not assigned");
			for (uint32_t e = 0; e < elements_of(leaf); e++) {
				if (pass == 0) {
					put(l, sign, TOKEN_TYPE, leaf->type);
					put(l, sign, TOKEN_IDENTIFIER,
					    oclmm_arena_printf(l->arena, "%s'%u", held, e));
					put_sign(l, sign, '=');
				} else {
					if (put_access(l, *i, &target, target.leaves[k], e))
						return -EINVAL;
					copy(l, sign);
				}
				if (pass == 1 && mixed)
					put(l, sign, TOKEN_IDENTIFIER,
					    oclmm_arena_printf(l->arena, "%s'%u", held, e));
				else if (put_number_of(l, &value, k, e))
					return -EINVAL;
				put_sign(l, sign, ';');
			}
		}
	}
	put_sign(l, *i, '}');
	if (kind(l, end) != ';')
		return REFUSE_AT(l, end, NULL, "a `;` ends the assignment");
	*i = end + 1;
	return 0;
}

/* Words of which each name is one number. */
static int lower_one(struct lowering *l, size_t *i)
{
	size_t name, at = *i, first;
	const struct variable *v = names_at(l, at, &name);
	struct reference ref;
	int before = at ? kind(l, at - 1) : TOKEN_END;

	if (is_constructor(l, at, &first))
		return REFUSE_AT(l, at, "assign it to a variable first",
		                 "a structure or vector stands within an expression");
	if (!v) {
		copy(l, (*i)++);
		return 0;
	}
	if (read_reference(l, i, v, name, &ref))
		return -EINVAL;
	if (ref.is_pointer) {
		copy(l, at);
		return 0;
	}
	if (is_number(&ref)) {
		/* an array within a structure has an index, or it is not one number */
		if (v->type->leaves[ref.leaves[0]].array && ref.sub == ref.sub_end)
			return refuse_whole(l, at, &ref);
		return put_access(l, at, &ref, ref.leaves[0], 0);
	}
	/* what a function is given: its numbers, one by one */
	if ((before != '(' && before != ',') || (kind(l, *i) != ')' && kind(l, *i) != ','))
		return refuse_whole(l, at, &ref);
	for (uint32_t k = 0; k < ref.count; k++) {
		if (k)
			put_sign(l, at, ',');
		if (put_access(l, at, &ref, ref.leaves[k], 0))
			return -EINVAL;
	}
	return 0;
}

static int lower(struct lowering *l, size_t from, size_t end)
{
	int r = 0;

	if (++l->depth > MOST_DEPTH)
		r = refuse_depth(l, from);
	for (size_t i = from; i < end && !r;)
		r = lower_one(l, &i);
	l->depth--;
	return r;
}

/* From the brace at `*i` to the one that closes it. */
static int lower_body(struct lowering *l, size_t *i)
{
	size_t end = behind(l, *i);
	bool begins = false, label = false;

	while (*i < end) {
		size_t at = *i;
		int k = kind(l, at), r = 0;

		if (begins) {
			r = read_declaration(l, i);
			if (r == 0 && *i == at)
				r = read_assignment(l, i);
			if (r)
				return r;
			if (*i != at)
				continue;
		}
		if ((k == TOKEN_IF || k == TOKEN_WHILE || k == TOKEN_FOR || k == TOKEN_SWITCH) &&
		    kind(l, at + 1) == '(') {
			size_t close = behind(l, at + 1);

			copy(l, at);
			if (lower(l, at + 1, close))
				return -EINVAL;
			*i = close;
			begins = true;
			continue;
		}
		if (lower_one(l, i))
			return -EINVAL;
		label = (label && k != ':' && k != ';') || k == TOKEN_CASE || k == TOKEN_DEFAULT;
		begins = k == '{' || k == '}' || k == ';' || k == TOKEN_ELSE || k == TOKEN_DO ||
		         (k == ':' &&
		          (kind(l, at - 1) == TOKEN_DEFAULT || kind(l, at - 2) == TOKEN_CASE));
	}
	return 0;
}

/* ---- heads ---- */

/* Parameters, from the bracket at `*i` on. */
static int lower_parameters(struct lowering *l, size_t *i, bool is_kernel)
{
	size_t close = behind(l, *i), end = close - 1;

	/* what is wrong there, the grammar says */
	if (kind(l, *i) != '(' || kind(l, end) != ')')
		return 0;
	copy(l, (*i)++);
	while (*i < end) {
		size_t begin = *i, at = begin, type_at;
		const struct type *t;
		int r = 0;

		while (kind(l, at) == TOKEN_SPACE || kind(l, at) == TOKEN_QUALIFIER)
			at++;
		type_at = at;
		t = read_type(l, &at, &r);
		if (r)
			return r;
		/* `global int4 const *x` */
		while (t && kind(l, at) == TOKEN_QUALIFIER)
			at++;
		if (t && kind(l, at) == '*') {
			*i = at;
			if (declare_pointer(l, i, begin, t, type_at))
				return -EINVAL;
		} else if (t) {
			struct variable v = {.name = text(l, at), .type = t};

			if (is_kernel || kind(l, at) != TOKEN_IDENTIFIER)
				return REFUSE_AT(
					l, type_at, "give its numbers, or a pointer to it",
					"a kernel takes no structure and no vector by value here");
			for (uint32_t k = 0; k < t->count; k++) {
				if (t->leaves[k].array)
					return REFUSE_AT(
						l, type_at, "give a pointer to it",
						"a structure with an array is not given by value");
				if (k)
					put_sign(l, at, ',');
				put_type_of(l, type_at, &t->leaves[k]);
				put(l, at, TOKEN_IDENTIFIER, name_of(l, &v, k));
			}
			add_variable(l, v.name, t, false, false);
			*i = at + 1;
		} else {
			while (*i < end && kind(l, *i) != ',')
				copy(l, (*i)++);
		}
		if (*i < end && kind(l, *i) == ',')
			copy(l, (*i)++);
	}
	copy(l, (*i)++);
	return 0;
}

/* The init block: `int4 s[8];` are 32 numbers. */
static int lower_init(struct lowering *l, size_t *i)
{
	size_t end = behind(l, *i);

	while (*i < end) {
		size_t at = *i, name;
		const struct type *t;
		uint32_t elements = 1;
		int r = 0;

		t = kind(l, at) == TOKEN_FOREIGN || kind(l, at) == TOKEN_VECTOR ||
		                    kind(l, at) == TOKEN_IDENTIFIER
		            ? read_type(l, &at, &r)
		            : NULL;
		if (r)
			return r;
		if (!t) {
			copy(l, (*i)++);
			continue;
		}
		if (t->why_not)
			return REFUSE_AT(l, *i, NULL, "`%s` cannot stand in memory here: %s",
			                 t->name, t->why_not);
		name = at + (kind(l, at) == '[');
		put(l, *i, TOKEN_TYPE, t->leaves[0].type);
		copy(l, name);
		if (name == at && (kind(l, at + 1) != '[' || kind(l, at + 2) != TOKEN_NUMBER ||
		                   kind(l, at + 3) != ']'))
			return REFUSE_AT(l, at, "write `int4 s[8];` or `int4 [s];`",
			                 "the object has no length");
		if (name == at)
			elements = (uint32_t)strtoul(text(l, at + 2), NULL, 0);
		if (elements > SYNTAX_MAX_SHARED_ELEMENTS)
			return REFUSE_AT(l, at, NULL, "an object of more than %d elements",
			                 SYNTAX_MAX_SHARED_ELEMENTS);
		put_sign(l, name, '[');
		put_number(l, name, elements * t->cells);
		put_sign(l, name, ']');
		*i = name == at ? at + 4 : name + 2;
	}
	return 0;
}

/* ---- the whole ---- */

/* Structures first: the init block may have objects of them. */
static int read_structures(struct lowering *l, size_t from, size_t end)
{
	for (size_t i = from; i < end;) {
		bool begins = kind(l, i) == TOKEN_FOREIGN &&
		              (kind(l, i - 1) == '}' || kind(l, i - 1) == ';');

		if (begins && (strcmp(text(l, i), "typedef") == 0 ||
		               (strcmp(text(l, i), "struct") == 0 && kind(l, i + 2) == '{'))) {
			if (read_structure(l, &i))
				return -EINVAL;
		} else {
			i = kind(l, i) == '{' || kind(l, i) == '(' ? behind(l, i) : i + 1;
		}
	}
	return 0;
}

static size_t skip_structure(const struct lowering *l, size_t i)
{
	for (size_t s = 0; s < l->words->structure_count; s++)
		if (l->words->structures[s].from == i)
			return l->words->structures[s].to + 1;
	return i;
}

/* Functions, constants and the kernel. */
static int lower_top(struct lowering *l, size_t *i, size_t kernel)
{
	while (*i <= kernel) {
		size_t next = skip_structure(l, *i), at = *i;
		bool is_kernel = at == kernel;
		int r = 0;

		if (next != at) {
			*i = next;
			continue;
		}
		if (kind(l, at) != TOKEN_IDENTIFIER && read_type(l, &at, &r))
			return *i && kind(l, *i - 1) == TOKEN_CONSTANT
			               ? REFUSE_AT(l, *i, "write a constant for each number",
			                           "a constant is a structure or vector")
			               : REFUSE_AT(l, *i, "give it a pointer to write to",
			                           "a function returns a structure or vector");
		if (r)
			return r;
		if (is_kernel)
			for (; *i < l->from->count && kind(l, *i) != '('; ++*i)
				copy(l, *i);
		else if (!(kind(l, at) == TOKEN_IDENTIFIER && kind(l, at + 1) == '(')) {
			copy(l, (*i)++);
			continue;
		} else {
			copy(l, (*i)++);
		}
		l->variables = NULL;
		l->in_kernel = is_kernel;
		if (lower_parameters(l, i, is_kernel))
			return -EINVAL;
		l->in_kernel = false;
		if (kind(l, *i) == '{' && lower_body(l, i))
			return -EINVAL;
	}
	return 0;
}

/* Where the text of the kernel begins; 0: there is none, or it needs nothing of this. */
static size_t find_kernel(const struct lowering *l)
{
	bool any = false;
	size_t kernel = 0;

	for (size_t i = 1; i < l->from->count; i++) {
		char base[16];
		uint32_t count;

		any |= vector_of(l, i, base, &count) ||
		       (kind(l, i) == TOKEN_FOREIGN && strcmp(text(l, i), "struct") == 0);
		if (kind(l, i) == TOKEN_KERNEL && kind(l, i + 1) == '@' && !kernel)
			kernel = i;
	}
	return any ? kernel : 0;
}

int oclmm_composites_lower(const struct syntax_source *source, struct oclmm_arena *arena,
                           const struct syntax_tokens *tokens, struct composite_words *ret_words)
{
	struct lowering l = {.source = source, .arena = arena, .from = tokens, .words = ret_words};
	size_t kernel, i = 0, after_init;

	*ret_words = (struct composite_words){.written = tokens};
	kernel = find_kernel(&l);
	if (!kernel || kind(&l, 0) != '{')
		return 0;
	after_init = behind(&l, 0);
	if (read_structures(&l, after_init, kernel) || lower_init(&l, &i) ||
	    lower_top(&l, &i, kernel))
		return -EINVAL;
	/* the end of the file is a word, too */
	for (i = i < tokens->count ? i : tokens->count - 1; i < tokens->count; i++)
		copy(&l, i);
	if (ret_words->tokens.count > SYNTAX_MAX_TOKENS)
		return REFUSE_AT(
			&l, kernel, NULL,
			"the kernel is too long with its vectors and structures written out");
	return 0;
}

void oclmm_composites_finish(struct composite_words *words)
{
	oclmm_tokens_finish(&words->tokens);
	free(words->origins);
	words->origins = NULL;
}
