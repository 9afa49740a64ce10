// SPDX-License-Identifier: Apache-2.0
/*
 * Kernels drawn at random: barriers in branches and loops, legal by construction. Conditions of
 * branches and bounds of loops are the same in all work-items where a barrier stands inside. What
 * work-items hand each other has an array of its own, which is written, a barrier, and read; in a
 * loop another barrier follows. So all work-items come to the same barriers, nothing races, and
 * each kernel has one outcome.
 */
#include "drawn.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- drawing ---- */

struct drawing {
	uint64_t key, next;
	struct oclmm_text body; /* of the kernel */
	unsigned depth;         /* of blocks */
	unsigned loops;         /* around */
	unsigned statements;    /* left */
	unsigned arrays;        /* that work-items hand each other values in */
	unsigned counters;      /* variables of loops, each with a name of its own */
	enum drawn_kind kind;
	unsigned uneven; /* loops that turn differently often */
};

enum { MOST_ARRAYS = 6, MOST_DEPTH = 3 };

static unsigned below(struct drawing *d, unsigned limit)
{
	return (unsigned)(oclmm_random(d->key, d->next++) % limit);
}

static void indent(struct drawing *d)
{
	for (unsigned i = 0; i <= d->depth; i++)
		oclmm_text_add(&d->body, "  ");
}

#define LINE(d, ...)                                                                               \
	do {                                                                                       \
		indent(d);                                                                         \
		oclmm_text_printf(&(d)->body, __VA_ARGS__);                                        \
	} while (0)

static const char *draw_flags(struct drawing *d)
{
	static const char *const flags[] = {"CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE",
	                                    "CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE",
	                                    "CLK_LOCAL_MEM_FENCE"};

	return flags[below(d, OCLMM_COUNT(flags))];
}

/* A number that all work-items have, and what it is: an argument, or in memory. */
static const char *draw_bound(struct drawing *d, unsigned *ret_value)
{
	static const struct {
		const char *words;
		unsigned value;
	} bounds[] = {{"n1", 1}, {"n2", 2}, {"n3", 3}, {"*m1", 1}, {"*m2", 2}, {"n2", 2}, {"2", 2}};
	unsigned i = below(d, OCLMM_COUNT(bounds));

	*ret_value = bounds[i].value;
	return bounds[i].words;
}

/* ---- statements ---- */

static void draw_block(struct drawing *d, unsigned least);

/* Of one work-item alone. */
static void draw_private(struct drawing *d)
{
	static const char *const statements[] = {
		"a += %u;\n",
		"b += a + %u;\n",
		"a = a * 3 + %u;\n",
		"a ^= b + %u;\n",
		"q[l] += %u;\n",
		"a += q[l] + %u;\n",
		"b = b * 5 + l + %u;\n",
		"a += in[%u & 1];\n",
		"q[l] = a + %u;\n",
	};
	const char *statement = statements[below(d, OCLMM_COUNT(statements))];
	const char *mark = strstr(statement, "%u");

	indent(d);
	oclmm_text_printf(&d->body, "%.*s%u%s", (int)(mark - statement), statement, 1 + below(d, 9),
	                  mark + 2);
}

static void draw_barrier(struct drawing *d)
{
	LINE(d, "barrier(%s);\n", draw_flags(d));
}

/* Each reads what another one has written. */
static void draw_exchange(struct drawing *d)
{
	unsigned array = d->arrays, step = 1 + below(d, 3);
	bool global = below(d, 4) == 0;

	if (array == MOST_ARRAYS) {
		draw_barrier(d);
		return;
	}
	d->arrays++;
	LINE(d, "%c%u[%sl] = a + %u;\n", global ? 'g' : 's', array, global ? "first + " : "",
	     below(d, 9));
	LINE(d, "barrier(%s);\n",
	     global ? "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE" : draw_flags(d));
	LINE(d, "a += %c%u[%s(l + %u) %% size];\n", global ? 'g' : 's', array,
	     global ? "first + " : "", step);
	if (d->loops)
		LINE(d, "barrier(%s);\n",
		     global ? "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE" : draw_flags(d));
}

/* Some do it, with no barrier inside. */
static void draw_tail(struct drawing *d)
{
	static const char *const conditions[] = {"(l & 1) == 0", "l % 3 == 0", "l == 0", "l > 1"};
	unsigned count = 1 + below(d, 2);

	indent(d);
	oclmm_text_add(&d->body, "if (");
	oclmm_text_add(&d->body, conditions[below(d, OCLMM_COUNT(conditions))]);
	oclmm_text_add(&d->body, ") {\n");
	d->depth++;
	while (count--)
		draw_private(d);
	d->depth--;
	LINE(d, "}\n");
}

static void draw_if(struct drawing *d)
{
	unsigned value, wanted;
	const char *bound = draw_bound(d, &value);

	/* two of three are entered */
	wanted = below(d, 3) ? value : value + 1;
	LINE(d, "if (%s == %u) {\n", bound, wanted);
	/* what compilers split worst: work that some do behind a barrier, up to the brace */
	if (below(d, 3) == 0) {
		d->depth++;
		draw_barrier(d);
		draw_tail(d);
		d->depth--;
	} else {
		draw_block(d, 1);
	}
	if (below(d, 4) == 0) {
		LINE(d, "} else {\n");
		draw_block(d, 1);
	}
	LINE(d, "}\n");
}

/* All turn as often as the bound says, and come to what stands in its guard; some turn on. */
static void draw_uneven(struct drawing *d)
{
	static const char *const more[] = {"l % 3", "(l & 1)", "2 - l % 2", "(l == 0 ? 0 : 2)"};
	unsigned value, i = d->counters++;
	const char *bound = draw_bound(d, &value);
	const char *rest = more[below(d, OCLMM_COUNT(more))];
	bool counts = below(d, 2);

	d->uneven++;
	if (counts) {
		LINE(d, "uint i%u = 0;\n", i);
		LINE(d, "while (i%u < %s + %s) {\n", i, bound, rest);
	} else {
		LINE(d, "for (uint i%u = 0; i%u < %s + %s; i%u++) {\n", i, i, bound, rest, i);
	}
	d->depth++;
	d->loops++;
	draw_private(d);
	LINE(d, "if (i%u < %s) {\n", i, bound);
	draw_block(d, 1);
	if (below(d, 2)) {
		d->depth++;
		draw_exchange(d);
		d->depth--;
	}
	LINE(d, "}\n");
	if (below(d, 2))
		draw_private(d);
	if (counts)
		LINE(d, "i%u++;\n", i);
	d->loops--;
	d->depth--;
	LINE(d, "}\n");
}

static void draw_for(struct drawing *d)
{
	unsigned value, i;
	const char *bound;

	if (d->kind == DRAWN_TRIPS && below(d, 2)) {
		draw_uneven(d);
		return;
	}
	i = d->counters++;
	bound = draw_bound(d, &value);
	LINE(d, "for (int i%u = 0; i%u < %s; i%u++) {\n", i, i, bound, i);
	d->loops++;
	draw_block(d, 1);
	if (below(d, 6) == 0) {
		d->depth++;
		LINE(d, "if (i%u + 1 == n2) {\n", i);
		LINE(d, "  break;\n");
		LINE(d, "}\n");
		if (below(d, 2))
			draw_private(d);
		d->depth--;
	}
	d->loops--;
	LINE(d, "}\n");
}

static void draw_while(struct drawing *d)
{
	unsigned value, i = d->counters++;
	const char *bound = draw_bound(d, &value);
	bool at_end = below(d, 2);

	LINE(d, "int i%u = 0;\n", i);
	if (at_end)
		LINE(d, "do {\n");
	else
		LINE(d, "while (i%u < %s) {\n", i, bound);
	d->loops++;
	draw_block(d, 1);
	d->loops--;
	LINE(d, "  i%u++;\n", i);
	if (at_end)
		LINE(d, "} while (i%u < %s);\n", i, bound);
	else
		LINE(d, "}\n");
}

static void draw_switch(struct drawing *d)
{
	unsigned value;
	const char *bound = draw_bound(d, &value);

	LINE(d, "switch (%s) {\n", bound);
	LINE(d, "case %u: {\n", below(d, 3) ? value : value + 1);
	draw_block(d, 1);
	LINE(d, "}\n");
	if (below(d, 4))
		LINE(d, "break;\n");
	LINE(d, "default: {\n");
	draw_block(d, 1);
	LINE(d, "}\n");
	LINE(d, "}\n");
}

/* Nobody comes to it, or all do. */
static void draw_return(struct drawing *d)
{
	LINE(d, "if (n1 == %u) {\n", below(d, 4) ? 2 : 1);
	LINE(d, "  out[first + l] = a;\n");
	LINE(d, "  return;\n");
	LINE(d, "}\n");
}

static void draw_statement(struct drawing *d)
{
	bool flat = d->depth >= MOST_DEPTH;
	unsigned kind = below(d, flat ? 10 : 20);

	switch (kind) {
	case 0:
	case 1:
	case 2: draw_private(d); break;
	case 3:
	case 4:
	case 5: draw_barrier(d); break;
	case 6:
	case 7: draw_exchange(d); break;
	case 8:
	case 9: draw_tail(d); break;
	case 10:
	case 11:
	case 12:
	case 13: draw_if(d); break;
	case 14:
	case 15:
	case 16: draw_for(d); break;
	case 17: draw_while(d); break;
	case 18: draw_switch(d); break;
	default:
		if (d->loops)
			draw_barrier(d);
		else
			draw_return(d);
	}
}

static void draw_block(struct drawing *d, unsigned least)
{
	unsigned count = least + below(d, 3);

	d->depth++;
	while (count-- > 0) {
		if (d->statements)
			d->statements--;
		/* a block is never empty */
		if (d->statements)
			draw_statement(d);
		else
			draw_private(d);
	}
	d->depth--;
}

/* ---- the test ---- */

struct shape {
	const char *words;
	unsigned size, groups;
};

static const struct shape *draw_shape(struct drawing *d)
{
	static const struct shape shapes[] = {
		{"wg 0, li 0..0", 1, 1},
		{"wg 0, li 0..1", 2, 1},
		{"wg 0, li 0..2", 3, 1},
		{"wg 0, li 0..4", 5, 1},
		{"wg 0, li 0..6", 7, 1},
		{"wg 0, li 0..7", 8, 1},
		{"wg 0, li 0..15", 16, 1},
		{"wg 0, li 0..16", 17, 1},
		{"wg 0, li 0..0 x 0..4", 5, 1},
		{"wg 0, li 0..3 x 0..0", 4, 1},
		{"wg 0, li 0..1 x 0..2", 6, 1},
		{"wg 0..1, li 0..3", 4, 2},
		{"wg 0..2, li 0..1", 2, 3},
		{"wg 0, li 0..31", 32, 1},
		{"wg 0, li 0..0 x 0..0 x 0..2", 3, 1},
		{"wg 0, li 0..0 x 0..6", 7, 1},
	};

	return &shapes[below(d, OCLMM_COUNT(shapes))];
}

/* Whether an array is in global memory: its name says so. */
static bool is_global(const struct drawing *d, unsigned array)
{
	char name[16];

	snprintf(name, sizeof(name), "g%u[", array);
	return strstr(oclmm_text_string(&d->body), name) != NULL;
}

static void write_objects(struct oclmm_text *text, const struct drawing *d,
                          const struct shape *shape)
{
	unsigned all = shape->size * shape->groups;

	oclmm_text_printf(text, "{\nuint q[%u];\n", shape->size);
	for (unsigned i = 0; i < d->arrays; i++)
		oclmm_text_printf(text, "uint %c%u[%u];\n", is_global(d, i) ? 'g' : 's', i,
		                  is_global(d, i) ? all : shape->size);
	oclmm_text_printf(text,
	                  "uint in[2] = {2, 5};\nuint out[%u] = {4000000000};\n"
	                  "int [m1] = 1;\nint [m2] = 2;\nn1 = 1;\nn2 = 2;\nn3 = 3;\n}\n\n",
	                  all);
}

static void write_head(struct oclmm_text *text, const struct drawing *d, const struct shape *shape)
{
	oclmm_text_printf(
		text,
		"kernel@%s (global uint *out, global const uint *in,\n"
		"    global const int *m1, global const int *m2, int n1, int n2, int n3,\n"
		"    local uint *q",
		shape->words);
	for (unsigned i = 0; i < d->arrays; i++)
		oclmm_text_printf(text, ", %s uint *%c%u", is_global(d, i) ? "global" : "local",
		                  is_global(d, i) ? 'g' : 's', i);
	oclmm_text_add(text, ") {\n");
}

static void write_test(struct oclmm_text *text, const struct drawing *d, const struct shape *shape,
                       const char *name)
{
	oclmm_text_printf(
		text,
		"OPENCL %s\n\n\"A drawn kernel: does each work-item end as it must?\"\n\n"
		"%s"
		" * All come to the same barriers, and nothing races. *)\n\n",
		name,
		d->kind == DRAWN_TRIPS
			? "(* A device of OpenCL C 3.0 gives one result. Where loops turn\n"
			  " * differently often, 2.0 gives none (C:6.15.8).\n *\n"
			: "(* Result: Never\n *\n");
	write_objects(text, d, shape);
	write_head(text, d, shape);
	oclmm_text_printf(
		text,
		"  const uint size = get_local_size(0) * get_local_size(1) * "
		"get_local_size(2);\n"
		"  const uint l = get_local_linear_id(), first = get_group_id(0) * size;\n"
		"  uint a = l + 1, b = 7;\n\n"
		"  q[l] = l;\n%s"
		"  out[first + l] = a + b * 100 + q[l] * 10000;\n}\n\n"
		"locations [out;]\nexists (out[0]=4000000000)\n",
		oclmm_text_string(&d->body));
}

static const char *const kinds[] = {[DRAWN_UNIFORM] = "drawn", [DRAWN_TRIPS] = "trips"};

char *drawn_name(const struct drawn *drawn)
{
	struct oclmm_text text = {0};

	oclmm_text_printf(&text, "%s-%" PRIu64 "-%" PRIu64, kinds[drawn->kind], drawn->seed,
	                  drawn->number);
	return oclmm_text_steal(&text);
}

void drawn_write(const struct drawn *drawn, struct oclmm_text *ret_text)
{
	enum { LEAST = 4, MOST = 14 };
	struct drawing d = {.key = oclmm_random(drawn->seed, drawn->number), .kind = drawn->kind};
	const struct shape *shape = draw_shape(&d);
	char *name = drawn_name(drawn);

	oclmm_text_init(&d.body);
	d.statements = LEAST + below(&d, MOST - LEAST);
	while (d.statements) {
		d.statements--;
		draw_statement(&d);
	}
	if (d.kind == DRAWN_TRIPS && !d.uneven)
		draw_uneven(&d);
	oclmm_text_init(ret_text);
	write_test(ret_text, &d, shape, name);
	oclmm_text_finish(&d.body);
	free(name);
}

/* ---- their names ---- */

static bool read_number(const char **at, uint64_t *ret_number)
{
	char *end;

	/* no sign and no blank, and as it is printed, so that a kernel has one name */
	if (**at < '0' || **at > '9' || (**at == '0' && (*at)[1] >= '0' && (*at)[1] <= '9'))
		return false;
	errno = 0;
	*ret_number = strtoull(*at, &end, 10);
	*at = end;
	return errno == 0;
}

bool drawn_is_named(const char *word, struct drawn *ret_first, uint64_t *ret_last)
{
	for (size_t i = 0; i < OCLMM_COUNT(kinds); i++) {
		size_t length = strlen(kinds[i]);
		const char *at = word + length + 1;
		struct drawn first = {.kind = (enum drawn_kind)i};
		uint64_t last;

		if (strncmp(word, kinds[i], length) != 0 || word[length] != '-' ||
		    !read_number(&at, &first.seed) || *at++ != '-' ||
		    !read_number(&at, &first.number))
			continue;
		last = first.number;
		if (strncmp(at, "..", 2) == 0) {
			at += 2;
			if (!read_number(&at, &last))
				continue;
		}
		if (*at)
			continue;
		*ret_first = first;
		*ret_last = last;
		return true;
	}
	return false;
}
