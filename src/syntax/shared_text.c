// SPDX-License-Identifier: Apache-2.0
/*
 * A text that work-items share, `kernel@wg 0..1, li 0..3 (...) { ... }`. It becomes a thread for
 * each of them, with the same statements; get_local_id() and its like are constants there. The text
 * itself is kept for devices.
 */
#include "expression.h"

#include "grammar.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_ITEMS = 8192,      /* of all groups together */
	MOST_OF_A_GROUP = 1024, /* what devices take */
	DIMENSIONS = 3,
};

/* ---- the head ---- */

/* `li 0..3 x 0..1` */
struct extent {
	const struct tree_placement *at; /* NULL: not given */
	uint32_t counts[DIMENSIONS];
	uint32_t dimensions;
};

static const char how_written[] =
	"write `kernel@wg 0..1, li 0..3 (...)`, and `li 0..3 x 0..1` for two dimensions";

static int read_range(const struct builder *builder, const struct tree_placement *place,
                      uint32_t *ret_count)
{
	const struct syntax_token *at = place->range ? place->range : place->number;
	char *end;
	unsigned long first = 0, last;

	if (!at)
		return REFUSE(builder, place->word, how_written, "`%s` takes a range",
		              place->word->text);
	errno = 0;
	last = strtoul(at->text, &end, 10);
	if (place->range) {
		first = last;
		last = strtoul(end + 2, &end, 10);
	}
	if (*end || errno || last >= MOST_ITEMS)
		return REFUSE(builder, at, NULL, "`%s` is beyond the %d work-items of a kernel",
		              at->text, MOST_ITEMS);
	if (first != 0 || (!place->range && last != 0))
		return REFUSE(builder, at, how_written, "groups and work-items are counted from 0");
	*ret_count = (uint32_t)last + 1;
	return 0;
}

static int add_dimension(const struct builder *builder, struct extent *extent,
                         const struct tree_placement *place)
{
	if (extent->dimensions == DIMENSIONS)
		return REFUSE(builder, place->word, NULL, "there are at most %d dimensions",
		              DIMENSIONS);
	return read_range(builder, place, &extent->counts[extent->dimensions++]);
}

static int read_offset(const struct builder *builder, const struct tree_placement *place,
                       struct oclmm_shared_text *text, uint32_t *dimension)
{
	if (!place->number)
		return REFUSE(builder, place->word, "write `offset 8`, or `offset 8 x 2`",
		              "`%s` takes a number", place->word->text);
	if (*dimension == DIMENSIONS)
		return REFUSE(builder, place->word, NULL, "there are at most %d dimensions",
		              DIMENSIONS);
	text->offset_given = true;
	return oclmm_read_count(builder, place->number, MOST_ITEMS, &text->offset[(*dimension)++]);
}

static int read_place(const struct builder *builder, const struct tree_placement *place,
                      struct extent *groups, struct extent *items, struct oclmm_shared_text *text)
{
	struct extent *last = NULL;
	uint32_t offsets = 0;
	bool offset = false;

	for (; place; place = place->next) {
		const char *word = place->word->text;
		int r;

		if (strcmp(word, "x") == 0) {
			if (!last && !offset)
				return REFUSE(builder, place->word, how_written,
				              "`x` stands between two ranges");
			r = offset ? read_offset(builder, place, text, &offsets)
			           : add_dimension(builder, last, place);
		} else if (strcmp(word, "wg") == 0 || strcmp(word, "li") == 0) {
			last = *word == 'w' ? groups : items;
			offset = false;
			if (last->at)
				return REFUSE(builder, place->word, NULL, "`%s` is given twice",
				              word);
			last->at = place;
			r = add_dimension(builder, last, place);
		} else if (strcmp(word, "offset") == 0) {
			if (text->offset_given)
				return REFUSE(builder, place->word, NULL, "`%s` is given twice",
				              word);
			offset = true;
			r = read_offset(builder, place, text, &offsets);
		} else if (strcmp(word, "dev") == 0 && place->number) {
			last = NULL;
			offset = false;
			r = oclmm_read_count(builder, place->number, 0, &text->device);
		} else {
			return REFUSE(builder, place->word, how_written,
			              "`%.40s` is not a place for a kernel", word);
		}
		if (r)
			return r;
	}
	return 0;
}

static int check_extents(const struct builder *builder, const struct tree_thread *tree,
                         const struct extent *groups, const struct extent *items,
                         struct oclmm_shared_text *text)
{
	uint64_t all = 1, of_group = 1;

	if (!groups->at || !items->at)
		return REFUSE(builder, tree->name, how_written, "the kernel has no %s",
		              groups->at ? "work-items" : "work-groups");
	/* a group that is alone is so in each dimension */
	if (groups->dimensions > items->dimensions ||
	    (groups->dimensions < items->dimensions && groups->counts[0] > 1))
		return REFUSE(builder, groups->at->word, how_written,
		              "`wg` has %u dimensions, and `li` %u", groups->dimensions,
		              items->dimensions);
	text->dimensions = items->dimensions;
	for (uint32_t d = 0; d < DIMENSIONS; d++) {
		text->items[d] = d < items->dimensions ? items->counts[d] : 1;
		text->groups[d] = d < groups->dimensions ? groups->counts[d] : 1;
		of_group *= text->items[d];
		all *= (uint64_t)text->items[d] * text->groups[d];
		if (d >= text->dimensions && text->offset[d])
			return REFUSE(builder, tree->name, NULL,
			              "`offset` has more dimensions than `li`");
	}
	if (of_group > MOST_OF_A_GROUP)
		return REFUSE(builder, items->at->word, NULL,
		              "a work-group of more than %d work-items", MOST_OF_A_GROUP);
	if (all > MOST_ITEMS)
		return REFUSE(builder, groups->at->word, NULL,
		              "the kernel has more than %d work-items", MOST_ITEMS);
	return 0;
}

/* ---- arguments ---- */

static const struct tree_parameter *find_value(const struct builder *builder, const char *name)
{
	const struct tree_parameter *p = builder->shared ? builder->tree->threads->parameters
	                                                 : NULL;

	while (p && !(p->by_value && strcmp(p->name->text, name) == 0))
		p = p->next;
	return p;
}

bool oclmm_is_value_argument(const struct builder *builder, const struct syntax_token *name)
{
	return find_value(builder, name->text) != NULL;
}

/* The word of the text that one of the grammar's stands for. */
static const struct syntax_token *written(const struct builder *builder,
                                          const struct syntax_token *token)
{
	const struct composite_words *c = builder->composites;

	return c->tokens.count ? &c->written->data[c->origins[token - c->tokens.data]] : token;
}

static char *words_of(const struct builder *builder, const struct syntax_token *from,
                      const struct syntax_token *end)
{
	struct oclmm_text text = {0};

	from = written(builder, from);
	end = written(builder, end);

	for (; from < end; from++) {
		oclmm_text_add(&text, from->text);
		if (from->kind != '*')
			oclmm_text_add(&text, " ");
	}
	return oclmm_text_keep(&text, builder->arena);
}

/* The value that the init block gives to an argument; it is 0 where none stands there. */
static int read_argument(struct builder *builder, const struct tree_parameter *tree,
                         struct oclmm_shared_parameter *parameter)
{
	const struct tree_entry *entry = builder->tree->entries, *found = NULL;
	const struct syntax_token *is_const;

	if (oclmm_read_register_type(builder,
	                             oclmm_without_const(builder, tree->specifiers, &is_const),
	                             &parameter->type))
		return -EINVAL;
	if (oclmm_type_is_floating(parameter->type) || parameter->type == OCLMM_TYPE_BOOL ||
	    parameter->type == OCLMM_TYPE_SIZE || parameter->type == OCLMM_TYPE_PTRDIFF)
		return REFUSE(builder, tree->specifiers->at, "take `int`, `uint`, `long`, `ulong`",
		              "an argument of a kernel has no such type");
	for (; entry; entry = entry->next) {
		if (entry->thread || strcmp(entry->name->text, tree->name->text) != 0)
			continue;
		if (found)
			return REFUSE(builder, entry->name, NULL, "`%s` is declared twice",
			              entry->name->text);
		if (entry->is_array || entry->address || entry->specifiers)
			return REFUSE(builder, entry->name, "write `n = 2;`",
			              "`%s` is an argument, which takes a number",
			              entry->name->text);
		found = entry;
	}
	if (found && found->values)
		return oclmm_read_constant(builder, found->values, parameter->type,
		                           &parameter->value);
	return 0;
}

static int read_arguments(struct builder *builder, const struct tree_thread *tree)
{
	struct oclmm_shared_text *text = builder->shared;
	const struct tree_parameter *p;

	for (p = tree->parameters; p; p = p->next)
		text->parameter_count++;
	text->parameters = OCLMM_NEW_ARRAY(builder->arena, struct oclmm_shared_parameter,
	                                   text->parameter_count + 1);
	text->parameter_count = 0;
	for (p = tree->parameters; p; p = p->next) {
		struct oclmm_shared_parameter *parameter =
			&text->parameters[text->parameter_count++];

		parameter->name = oclmm_arena_strdup(builder->arena, p->name->text);
		parameter->words = words_of(builder, p->specifiers->at, p->name);
		parameter->by_value = p->by_value;
		for (const struct tree_parameter *other = tree->parameters; other != p;
		     other = other->next)
			if (strcmp(other->name->text, p->name->text) == 0)
				return REFUSE(builder, p->name, NULL,
				              "two parameters are called `%s`", p->name->text);
		if (p->by_value && read_argument(builder, p, parameter))
			return -EINVAL;
	}
	return 0;
}

/* ---- the text ---- */

static bool is_operand(const struct syntax_token *at)
{
	switch (at->kind) {
	case TOKEN_IDENTIFIER:
	case TOKEN_NUMBER:
	case TOKEN_TRUE:
	case TOKEN_FALSE:
	case ')':
	case ']': return true;
	default: return false;
	}
}

static bool is_prefix(const struct syntax_token *at)
{
	return at->kind == '*' || at->kind == '&' || at->kind == '-' || at->kind == '!' ||
	       at->kind == '~' || at->kind == TOKEN_INCREMENT || at->kind == TOKEN_DECREMENT;
}

static bool touches(const struct syntax_token *a, const struct syntax_token *before,
                    const struct syntax_token *b)
{
	if (a->kind == '(' || a->kind == '[' || a->kind == '.' || b->kind == '.')
		return true;
	if (b->kind == ')' || b->kind == ']' || b->kind == ';' || b->kind == ',')
		return true;
	/* of a label; of a choice it stands apart, which C takes as well */
	if (b->kind == ':' && (a->kind == TOKEN_DEFAULT || before->kind == TOKEN_CASE))
		return true;
	if (b->kind == '(' && a->kind == TOKEN_IDENTIFIER)
		return true;
	if (b->kind == '[' && is_operand(a))
		return true;
	if ((b->kind == TOKEN_INCREMENT || b->kind == TOKEN_DECREMENT) && is_operand(a))
		return true;
	/* `return -1`, `(-1`, `= *x`: the sign of an operand */
	return is_prefix(a) && !is_operand(before);
}

static void end_line(struct oclmm_text *text, unsigned *depth, unsigned now)
{
	oclmm_text_add(text, "\n");
	*depth = now;
}

/* Words as lines of C, one statement in each. */
static void write_words(struct oclmm_text *text, const struct syntax_token *from,
                        const struct syntax_token *end, unsigned depth)
{
	unsigned brackets = 0;
	bool begins = true, label = false;

	for (const struct syntax_token *at = from; at < end; at++) {
		if (at->kind == '}' && depth > 0 && !brackets)
			depth--;
		if (begins)
			for (unsigned i = 0; i < depth; i++)
				oclmm_text_add(text, "  ");
		else if (!touches(&at[-1], at - 1 > from ? &at[-2] : &at[-1], at))
			oclmm_text_add(text, " ");
		oclmm_text_add(text, at->text);
		begins = false;
		if (at->kind == '(' || at->kind == '[')
			brackets++;
		if ((at->kind == ')' || at->kind == ']') && brackets)
			brackets--;
		label |= at->kind == TOKEN_CASE || at->kind == TOKEN_DEFAULT;
		if (brackets)
			continue;
		if (at->kind == '{')
			end_line(text, &depth, depth + 1), begins = true;
		else if (at->kind == ';' ||
		         (at->kind == '}' &&
		          !(at + 1 < end && (at[1].kind == TOKEN_ELSE || at[1].kind == ';' ||
		                             at[1].kind == ',' || at[1].kind == TOKEN_WHILE))))
			end_line(text, &depth, depth), begins = true;
		else if (label && at->kind == ':')
			end_line(text, &depth, depth), begins = true, label = false;
	}
	if (!begins)
		oclmm_text_add(text, "\n");
}

struct piece {
	const struct syntax_token *from, *end;
};

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

/* Functions, constants and structures in the order of the file. */
static const char *write_before(const struct builder *builder)
{
	struct oclmm_shared_text *shared = builder->shared;
	const struct tree_function *f;
	const struct tree_table *t;
	struct oclmm_text text = {0};
	struct piece *pieces;
	size_t count = 0;

	for (f = builder->tree->functions; f; f = f->next)
		count++;
	for (t = builder->tree->tables; t; t = t->next)
		count++;
	count += builder->composites->structure_count;
	if (!count)
		return "";
	pieces = OCLMM_NEW_ARRAY(builder->arena, struct piece, count);
	shared->names = OCLMM_NEW_ARRAY(builder->arena, const char *, count);
	count = 0;
	for (f = builder->tree->functions; f; f = f->next) {
		shared->names[count] = oclmm_arena_strdup(builder->arena, f->name->text);
		pieces[count++] = (struct piece){written(builder, f->from),
		                                 written(builder, f->to) + 1};
	}
	for (t = builder->tree->tables; t; t = t->next) {
		shared->names[count] = oclmm_arena_strdup(builder->arena, t->name->text);
		pieces[count++] = (struct piece){written(builder, t->from),
		                                 written(builder, t->to) + 1};
	}
	for (size_t i = 0; i < builder->composites->structure_count; i++) {
		const struct composite_piece *p = &builder->composites->structures[i];
		const struct syntax_token *words = builder->composites->written->data;

		shared->names[count] = oclmm_arena_strdup(builder->arena, words[p->name].text);
		pieces[count++] = (struct piece){&words[p->from], &words[p->to] + 1};
	}
	shared->name_count = (uint32_t)count;
	qsort(pieces, count, sizeof(*pieces), compare_pieces);
	for (size_t i = 0; i < count; i++)
		write_words(&text, pieces[i].from, pieces[i].end, 0);
	return oclmm_text_keep(&text, builder->arena);
}

static const char *write_body(const struct builder *builder, const struct tree_thread *tree)
{
	struct oclmm_text text = {0};

	write_words(&text, written(builder, tree->from) + 1, written(builder, tree->to), 1);
	return text.length ? oclmm_text_keep(&text, builder->arena) : "";
}

/* ---- its work-items ---- */

static void expand(struct builder *builder, const struct tree_thread *tree)
{
	const struct oclmm_shared_text *text = builder->shared;
	struct tree_file *file = OCLMM_NEW(builder->arena, struct tree_file);
	struct tree_thread **last = &file->threads;
	uint32_t group_size = text->items[0] * text->items[1] * text->items[2];
	uint32_t all = group_size * text->groups[0] * text->groups[1] * text->groups[2];

	*file = *builder->tree;
	for (uint32_t n = 0; n < all; n++) {
		struct build_item *item = OCLMM_NEW(builder->arena, struct build_item);
		uint32_t group = n / group_size, local = n % group_size;

		item->number = n;
		item->group_number = group;
		for (uint32_t d = 0; d < DIMENSIONS; d++) {
			item->group[d] = group % text->groups[d];
			group /= text->groups[d];
			item->local[d] = local % text->items[d];
			local /= text->items[d];
		}
		*last = OCLMM_NEW(builder->arena, struct tree_thread);
		**last = *tree;
		(*last)->placement = NULL;
		(*last)->item = item;
		last = &(*last)->next;
	}
	*last = NULL;
	builder->tree = file;
}

static int declare(struct builder *builder)
{
	const struct tree_thread *tree = builder->tree->threads, *one;
	struct oclmm_shared_text *text;
	struct extent groups = {0}, items = {0};

	for (one = tree; one && !one->kernel; one = one->next)
		;
	if (!one)
		return 0;
	if (tree->next)
		return REFUSE(builder, one->name, NULL,
		              "a kernel whose text work-items share is the only one of a test");
	text = OCLMM_NEW(builder->arena, struct oclmm_shared_text);
	builder->shared = text;
	builder->program->shared = text;
	text->unroll = builder->unroll;
	if (read_place(builder, tree->placement, &groups, &items, text) ||
	    check_extents(builder, tree, &groups, &items, text) || read_arguments(builder, tree))
		return -EINVAL;
	text->before = write_before(builder);
	text->body = write_body(builder, tree);
	expand(builder, tree);
	return 0;
}

/* Where the objects of its pointers are; those of the first group where they are local. */
static int settle(struct builder *builder)
{
	const struct oclmm_program *program = builder->program;

	for (uint32_t i = 0; builder->shared && i < builder->shared->parameter_count; i++) {
		struct oclmm_shared_parameter *p = &builder->shared->parameters[i];

		if (!p->by_value)
			p->location = (uint32_t)oclmm_program_find_location(program, p->name);
		for (size_t u = 0; u < builder->composites->unit_count; u++)
			if (strcmp(builder->composites->units[u].name, p->name) == 0)
				program->locations[p->location].unit =
					builder->composites->units[u].cells;
	}
	for (uint32_t i = 0; builder->shared && i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (l->space != OCLMM_SPACE_LOCAL && l->storage != OCLMM_STORAGE_BUFFER)
			return oclmm_refuse(builder->source, &l->position, NULL,
			                    "`%s` is neither a local object nor a buffer: a text "
			                    "that work-items share has no others yet",
			                    l->name);
	}
	return 0;
}

/* ---- the functions of work-items, C:6.15.1 ---- */

/* X(name, value in a dimension), of which those beyond the last have one number, 0 */
#define FUNCTIONS(X)                                                                               \
	X(get_global_size, t->groups[d] * t->items[d])                                             \
	X(get_global_id, t->offset[d] + i->group[d] * t->items[d] + i->local[d])                   \
	X(get_local_size, t->items[d])                                                             \
	X(get_enqueued_local_size, t->items[d])                                                    \
	X(get_local_id, i->local[d])                                                               \
	X(get_num_groups, t->groups[d])                                                            \
	X(get_group_id, i->group[d])                                                               \
	X(get_global_offset, t->offset[d])

#define X_NAME(name, value) #name,
static const char *const functions[] = {FUNCTIONS(X_NAME) "get_work_dim", "get_local_linear_id",
                                        "get_global_linear_id"};

static bool has_function(const struct builder *builder, const char *name)
{
	return builder->shared && oclmm_is_among(name, functions, OCLMM_COUNT(functions));
}

static uint32_t value_in(const struct oclmm_shared_text *t, const struct build_item *i,
                         const char *name, uint32_t d)
{
#define X_VALUE(function, value)                                                                   \
	if (strcmp(name, #function) == 0)                                                          \
		return (value);
	FUNCTIONS(X_VALUE)
	return 0;
}

static uint32_t linear(const struct oclmm_shared_text *t, const struct build_item *i, bool global)
{
	uint32_t n = 0;

	for (uint32_t d = DIMENSIONS; d-- > 0;)
		n = global ? n * t->groups[d] * t->items[d] + i->group[d] * t->items[d] +
		                     i->local[d]
		           : n * t->items[d] + i->local[d];
	return n;
}

static struct oclmm_expression *build_value(struct builder *builder,
                                            const struct tree_expression *call)
{
	const struct oclmm_shared_text *t = builder->shared;
	const struct build_item *item = builder->item;
	const char *name = call->at->text;
	bool alone = strcmp(name, "get_work_dim") == 0 || strstr(name, "linear");
	struct oclmm_expression *dimension;
	int64_t d;

	if (call->argument_count != !alone) {
		REFUSE(builder, call->at, NULL, "`%s` takes %s", name,
		       alone ? "no argument" : "a dimension: 0, 1 or 2");
		return NULL;
	}
	if (alone)
		return strcmp(name, "get_work_dim") == 0
		               ? oclmm_make_known(builder, call->at, OCLMM_TYPE_UINT, t->dimensions)
		               : oclmm_make_known(builder, call->at, OCLMM_TYPE_SIZE,
		                                  linear(t, item, strstr(name, "global") != NULL));
	dimension = oclmm_read_expression(builder, call->arguments);
	if (!dimension)
		return NULL;
	if (!oclmm_constant_value(dimension, &d) || d < 0 || d >= DIMENSIONS) {
		REFUSE(builder, oclmm_first_word(call->arguments), NULL,
		       "`%s` takes a dimension: 0, 1 or 2", name);
		return NULL;
	}
	return oclmm_make_known(builder, call->at, OCLMM_TYPE_SIZE,
	                        value_in(t, item, name, (uint32_t)d));
}

static int refuse_statement(struct builder *builder, const struct tree_statement *tree,
                            struct oclmm_statement **ret_first)
{
	(void)ret_first;
	return REFUSE(builder, tree->expression->at, NULL, "the value of `%s` is not used",
	              tree->expression->at->text);
}

const struct construct oclmm_shared = {.declare = declare,
                                       .check = settle,
                                       .has = has_function,
                                       .value = build_value,
                                       .statement = refuse_statement};
