// SPDX-License-Identifier: Apache-2.0
/*
 * Every atomic function with every type of object, in each form and address space: which of them
 * exist is written here once more from C:6.15.12.7, C:6.15.12.8 and cl_ext_float_atomics, and not
 * from the reader. What does not exist is refused, and the message says what does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/syntax.h"

/* ---- the specification ------------------------------------------------ */

/* Kinds of objects. */
enum kind {
	INTEGER_32 = 1,
	INTEGER_64 = 2,
	FLOAT = 4,
	DOUBLE = 8,
	HALF = 16,
	FLAG = 32,
	OTHER = 64
};
enum { INTEGERS = INTEGER_32 | INTEGER_64, FLOATS = FLOAT | DOUBLE | HALF };

/* `atomic`: a pointer to an atomic type. The others have no atomic functions, but those of 1.x; an
 * `outside` type is one that objects of a litmus file do not have. */
static const struct type {
	const char *name, *value;
	enum kind kind;
	bool atomic, outside;
} types[] = {
	{"atomic_int", "int", INTEGER_32, true, false},
	{"atomic_uint", "uint", INTEGER_32, true, false},
	{"atomic_long", "long", INTEGER_64, true, false},
	{"atomic_ulong", "ulong", INTEGER_64, true, false},
	{"atomic_float", "float", FLOAT, true, false},
	{"atomic_double", "double", DOUBLE, true, false},
	{"atomic_half", "half", HALF, true, false},
	{"atomic_flag", "int", FLAG, true, false},
	{"int", "int", INTEGER_32, false, false},
	{"uint", "uint", INTEGER_32, false, false},
	{"long", "long", INTEGER_64, false, false},
	{"ulong", "ulong", INTEGER_64, false, false},
	{"float", "float", FLOAT, false, false},
	{"double", "double", DOUBLE, false, false},
	{"half", "half", HALF, false, false},
	{"uchar", "uchar", OTHER, false, true},
	{"ushort", "ushort", OTHER, false, true},
	{"char", "char", OTHER, false, true},
	{"short", "short", OTHER, false, true},
	{"size_t", "size_t", OTHER, false, true},
	{"ptrdiff_t", "ptrdiff_t", OTHER, false, true},
	{"intptr_t", "int", OTHER, false, true},
	{"uintptr_t", "uint", OTHER, false, true},
	{"atomic_size_t", "size_t", OTHER, true, true},
	{"atomic_ptrdiff_t", "ptrdiff_t", OTHER, true, true},
	{"atomic_intptr_t", "int", OTHER, true, true},
	{"atomic_uintptr_t", "uint", OTHER, true, true},
};

/*
 * The functions, with the kinds of objects that each takes. `orders`: how many orders its explicit
 * form takes, 0 where it has none.
 */
static const struct function {
	const char *name, *arguments;
	unsigned kinds;
	unsigned orders;
} functions[] = {
	{"atomic_init", ", 1", INTEGERS | FLOATS, 0},
	{"atomic_load", "", INTEGERS | FLOATS, 1},
	{"atomic_store", ", 1", INTEGERS | FLOATS, 1},
	{"atomic_exchange", ", 1", INTEGERS | FLOATS, 1},
	{"atomic_compare_exchange_strong", ", &e, 1", INTEGERS | FLOAT | DOUBLE, 2},
	{"atomic_compare_exchange_weak", ", &e, 1", INTEGERS | FLOAT | DOUBLE, 2},
	{"atomic_fetch_add", ", 1", INTEGERS | FLOATS, 1},
	{"atomic_fetch_sub", ", 1", INTEGERS | FLOATS, 1},
	{"atomic_fetch_min", ", 1", INTEGERS | FLOATS, 1},
	{"atomic_fetch_max", ", 1", INTEGERS | FLOATS, 1},
	{"atomic_fetch_or", ", 1", INTEGERS, 1},
	{"atomic_fetch_xor", ", 1", INTEGERS, 1},
	{"atomic_fetch_and", ", 1", INTEGERS, 1},
	{"atomic_flag_test_and_set", "", FLAG, 1},
	{"atomic_flag_clear", "", FLAG, 1},
};

/* Those of OpenCL 1.x: the kinds under the name `atomic_…`, and under `atom_…`. */
static const struct legacy {
	const char *stem, *arguments;
	unsigned atomic, atom;
} legacy[] = {
	{"add", ", 1", INTEGER_32, INTEGERS},
	{"sub", ", 1", INTEGER_32, INTEGERS},
	{"xchg", ", 1", INTEGER_32 | FLOAT, INTEGERS},
	{"inc", "", INTEGER_32, INTEGERS},
	{"dec", "", INTEGER_32, INTEGERS},
	{"cmpxchg", ", 0, 1", INTEGER_32, INTEGERS},
	{"min", ", 1", INTEGER_32, INTEGERS},
	{"max", ", 1", INTEGER_32, INTEGERS},
	{"and", ", 1", INTEGER_32, INTEGERS},
	{"or", ", 1", INTEGER_32, INTEGERS},
	{"xor", ", 1", INTEGER_32, INTEGERS},
};

static const char *const spaces[] = {"global ", "local ", ""};

/* ---- what the reader says ---------------------------------------------- */

static unsigned asked, refused, wrong;

static void ask(const struct type *type, const char *space, const char *call, bool exists)
{
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_error error = {0};
	struct oclmm_text text = {0};
	bool accepted;

	oclmm_text_printf(&text,
	                  "OPENCL made\n{\n[x] = 0;\n}\nP0@wg 0, dev 0 (%s%s *x) {\n  %s e = 0;\n"
	                  "  %s;\n}\nexists (true)\n",
	                  space, type->name, type->value, call);
	accepted = oclmm_litmus_parse("made.litmus", oclmm_text_string(&text), text.length, NULL,
	                              &error, &litmus) == 0;
	asked++;
	refused += !accepted;
	if (accepted != exists) {
		printf("%s%s *x: `%s` %s\n", space, type->name, call,
		       accepted ? "does not exist and is accepted" : error.message);
		wrong++;
	}
	/* of an object that atomic functions are for, the message says what there is */
	if (!accepted && !type->outside && !error.note[0]) {
		printf("%s%s *x: `%s`: \"%s\" says nothing of what exists\n", space, type->name,
		       call, error.message);
		wrong++;
	}
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&text);
}

static void ask_modern(const struct type *type, const char *space)
{
	for (size_t i = 0; i < OCLMM_COUNT(functions); i++) {
		const struct function *f = &functions[i];
		/* the format takes an integer without `atomic_` for the atomic type, as others'
		 * files have it */
		bool exists = !type->outside && type->kind & f->kinds;
		struct oclmm_text call = {0};

		oclmm_text_printf(&call, "%s(x%s)", f->name, f->arguments);
		ask(type, space, oclmm_text_string(&call), exists);
		for (unsigned scope = 0; scope < 2; scope++) {
			oclmm_text_drop(&call, call.length);
			oclmm_text_printf(&call, "%s_explicit(x%s", f->name, f->arguments);
			for (unsigned k = 0; k < (f->orders ? f->orders : 1); k++)
				oclmm_text_add(&call, ", memory_order_relaxed");
			oclmm_text_add(&call, scope ? ", memory_scope_work_group)" : ")");
			ask(type, space, oclmm_text_string(&call), exists && f->orders > 0);
		}
		oclmm_text_finish(&call);
	}
}

static void ask_legacy(const struct type *type, const char *space)
{
	for (size_t i = 0; i < OCLMM_COUNT(legacy); i++)
		for (unsigned atom = 0; atom < 2; atom++) {
			struct oclmm_text call = {0};
			unsigned kinds = atom ? legacy[i].atom : legacy[i].atomic;

			oclmm_text_printf(&call, "%s%s(x%s)", atom ? "atom_" : "atomic_",
			                  legacy[i].stem, legacy[i].arguments);
			ask(type, space, oclmm_text_string(&call),
			    !type->outside && !type->atomic && *space && type->kind & kinds);
			oclmm_text_finish(&call);
		}
}

int main(void)
{
	for (size_t t = 0; t < OCLMM_COUNT(types); t++)
		for (size_t s = 0; s < OCLMM_COUNT(spaces); s++) {
			ask_modern(&types[t], spaces[s]);
			ask_legacy(&types[t], spaces[s]);
		}
	printf("%u calls, %u refused, %u wrong\n", asked, refused, wrong);
	/* a table in which all is refused says nothing */
	return wrong > 0 || refused == asked;
}
