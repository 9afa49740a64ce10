// SPDX-License-Identifier: Apache-2.0
/*
 * usage: floats LITMUS-FILE...
 *
 * Updates of floating-point objects: whatever order the two updates of an object
 * come in, a device that makes one of these mistakes in them leaves a value and
 * a result that no order of right ones does, of at least one of the objects.
 */
#include <stdio.h>
#include <string.h>

#include "oclmm/syntax.h"

enum mistake {
	RIGHT,
	BITS,          /* computes with the bits, as a signed integer */
	BITS_UNSIGNED, /* as an unsigned one */
	INVERSE,       /* adds for subtracts, takes the greater for the lesser */
	STORES,        /* the operand */
	STORES_NOTHING,
	RETURNS_NEW,
	SIGN_LOST, /* of the operand */
	MISTAKES,
};

static const char *const words[MISTAKES] = {
	"right",  "bits",           "unsigned bits", "inverse",
	"stores", "stores nothing", "returns new",   "sign lost",
};

static int64_t bits_of(enum oclmm_type type, double value)
{
	float narrow = (float)value;
	int32_t word;
	int64_t bits;

	memcpy(&word, &narrow, sizeof(word));
	memcpy(&bits, &value, sizeof(bits));
	return type == OCLMM_TYPE_DOUBLE ? bits : word;
}

static double value_of(enum oclmm_type type, int64_t bits)
{
	int32_t word = (int32_t)bits;
	float narrow;
	double value;

	memcpy(&narrow, &word, sizeof(narrow));
	memcpy(&value, &bits, sizeof(value));
	return type == OCLMM_TYPE_DOUBLE ? value : (double)narrow;
}

static int64_t of_bits(enum oclmm_operation op, bool is_signed, int64_t a, int64_t b)
{
	bool less = is_signed ? b < a : (uint64_t)b < (uint64_t)a;

	switch (op) {
	case OCLMM_OP_FETCH_ADD: return (int64_t)((uint64_t)a + (uint64_t)b);
	case OCLMM_OP_FETCH_SUB: return (int64_t)((uint64_t)a - (uint64_t)b);
	case OCLMM_OP_FETCH_MIN: return less ? b : a;
	default: return less ? a : b;
	}
}

static double right(enum oclmm_operation op, double a, double b)
{
	switch (op) {
	case OCLMM_OP_FETCH_ADD: return a + b;
	case OCLMM_OP_FETCH_SUB: return a - b;
	case OCLMM_OP_FETCH_MIN: return b < a ? b : a;
	default: return b < a ? a : b;
	}
}

static enum oclmm_operation inverse(enum oclmm_operation op)
{
	switch (op) {
	case OCLMM_OP_FETCH_ADD: return OCLMM_OP_FETCH_SUB;
	case OCLMM_OP_FETCH_SUB: return OCLMM_OP_FETCH_ADD;
	case OCLMM_OP_FETCH_MIN: return OCLMM_OP_FETCH_MAX;
	default: return OCLMM_OP_FETCH_MIN;
	}
}

static double next_value(enum mistake mistake, enum oclmm_operation op, enum oclmm_type type,
                         double a, double b)
{
	switch (mistake) {
	case BITS:
	case BITS_UNSIGNED:
		return value_of(type,
		                of_bits(op, mistake == BITS, bits_of(type, a), bits_of(type, b)));
	case INVERSE: return right(inverse(op), a, b);
	case STORES: return b;
	case STORES_NOTHING: return a;
	case SIGN_LOST: return right(op, a, b < 0 ? -b : b);
	default: return right(op, a, b);
	}
}

/* The update of a location in a thread, and whether its result is used. */
struct update {
	const struct oclmm_atomic *atomic;
	bool used;
};

static bool find_update(const struct oclmm_program *program, uint32_t thread, uint32_t location,
                        struct update *ret_update)
{
	for (const struct oclmm_statement *s = program->threads[thread].body; s; s = s->next) {
		bool used = s->kind == OCLMM_STATEMENT_ASSIGN;
		const struct oclmm_expression *e = used ? s->assign.value : s->effect;

		if (!used && s->kind != OCLMM_STATEMENT_EVALUATE)
			return false;
		if (e->kind != OCLMM_EXPRESSION_ATOMIC || !oclmm_operation_reads(e->atomic->op) ||
		    !oclmm_operation_writes(e->atomic->op))
			return false;
		if (e->atomic->object.location != location)
			continue;
		*ret_update = (struct update){e->atomic, used};
		return true;
	}
	return false;
}

struct outcome {
	double final, result; /* of the one that is used */
};

static struct outcome play(enum mistake mistake, const struct oclmm_location *location,
                           const struct update updates[2], int first)
{
	struct outcome outcome = {.final = (double)location->initial[0]};

	for (int i = 0; i < 2; i++) {
		const struct update *update = &updates[i ^ first];
		double old = outcome.final, operand = (double)update->atomic->operand->constant;

		outcome.final = next_value(mistake, update->atomic->op, location->type, old,
		                           operand);
		if (update->used)
			outcome.result = mistake == RETURNS_NEW ? outcome.final : old;
	}
	return outcome;
}

/* In both orders of the wrong ones, against both orders of the right ones. */
static bool tells(enum mistake mistake, const struct oclmm_location *location,
                  const struct update updates[2])
{
	for (int wrong = 0; wrong < 2; wrong++) {
		struct outcome was = play(mistake, location, updates, wrong);

		for (int first = 0; first < 2; first++) {
			struct outcome may = play(RIGHT, location, updates, first);

			if (was.final == may.final && was.result == may.result)
				return false;
		}
	}
	return true;
}

/* \return how many objects of the program have two updates */
static unsigned check_program(const struct oclmm_program *program, bool told[MISTAKES])
{
	unsigned count = 0;

	for (uint32_t i = 0; i < program->location_count; i++) {
		struct update updates[2];

		if (program->locations[i].type == OCLMM_TYPE_HALF ||
		    !find_update(program, 0, i, &updates[0]) ||
		    !find_update(program, 1, i, &updates[1]))
			continue;
		count++;
		for (int m = RIGHT; m < MISTAKES; m++)
			told[m] |= tells((enum mistake)m, &program->locations[i], updates);
	}
	return count;
}

static int check_file(const char *path)
{
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	int bad = 0;
	unsigned programs = 0;

	if (oclmm_litmus_read(path, NULL, &error, &litmus) < 0) {
		printf("%s: %s\n", path, error.message);
		return 1;
	}
	for (uint32_t i = 0; i < litmus->variant_count; i++) {
		const struct oclmm_program *program = litmus->variants[i].program;
		bool told[MISTAKES] = {false};

		if (check_program(program, told) != 2)
			continue;
		programs++;
		/* one without a mistake tells of none */
		for (int m = RIGHT; m < MISTAKES; m++) {
			if (told[m] == (m != RIGHT))
				continue;
			printf("%s: %s\n", program->name, words[m]);
			bad = 1;
		}
	}
	printf("%s: %u programs\n", path, programs);
	oclmm_litmus_destroy(litmus);
	return bad || programs < 6;
}

int main(int argc, char **argv)
{
	int bad = argc < 2;

	for (int i = 1; i < argc; i++)
		bad |= check_file(argv[i]);
	return bad;
}
