// SPDX-License-Identifier: Apache-2.0
/* Machines that are known well enough to be asked what a changed program can show. */
#include "known_machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oclmm/codegen.h"
#include "oclmm/model.h"
#include "select/suite.h"

/* Why no test can show a bug, where the machine is what hides it. */
static const struct equivalent hidden_by_x86 = {
	.argument = "no test may show anything new on x86-TSO, where one thread runs a group",
	.seen = "litmus/planted/x86-tso.cat",
};
static const struct equivalent hidden_by_ptx = {
	.argument = "no test may show anything new by PTX, where a fence.sc is before each "
		    "seq_cst access",
	.seen = "litmus/planted/ptx.cat",
};

static const struct equivalent hidden_by_h200 = {
	.argument = "no test may show anything new by what an H200 was seen to do",
	.seen = "litmus/planted/h200.cat",
};

struct known_machine {
	const char *name; /* of its model, litmus/planted/NAME.cat */
	bool same_code;   /* many orders are one instruction of x86 */
	bool by_turns;    /* one thread runs a work-group, one work-item after the other */
	bool by_bytes;    /* a store of a part is a relaxed one, and a load of it, too */
	const struct equivalent *hides;
};

static const struct known_machine x86_by_turns = {"x86-tso", true, true, false, &hidden_by_x86};
/* several work-items are lanes of one vector: each statement is done for all of them */
static const struct known_machine x86_in_lanes = {"x86-tso", true, false, false, &hidden_by_x86};
static const struct known_machine ptx = {"ptx", false, false, false, &hidden_by_ptx};
static const struct known_machine h200 = {"h200", false, false, true, &hidden_by_h200};

/* Those that have a name to be asked for. */
static const struct known_machine *const named_machines[] = {&x86_by_turns, &ptx, &h200};

/* What devices are like, by patterns of their platform and of the machine. An H200 is known to do
 * less than PTX allows, which is what other devices of NVIDIA may do. */
static const struct {
	const char *platform, *machine;
	const struct known_machine *known;
} devices[] = {
	{"Portable Computing Language*", "x86_64", &x86_by_turns},
	{"Intel(R) OpenCL*", "x86_64", &x86_in_lanes},
	{"NVIDIA CUDA*", "*", &ptx},
};

static const struct known_machine *find_named(const char *name)
{
	for (size_t i = 0; i < OCLMM_COUNT(named_machines); i++)
		if (strcmp(named_machines[i]->name, name) == 0)
			return named_machines[i];
	return NULL;
}

static const struct known_machine *find_of_device(const char *platform, const char *machine)
{
	for (size_t i = 0; i < OCLMM_COUNT(devices); i++)
		if (oclmm_pattern_matches(devices[i].platform, platform) &&
		    oclmm_pattern_matches(devices[i].machine, machine))
			return devices[i].known;
	return NULL;
}

static int refuse_name(const char *name, struct oclmm_error *error)
{
	struct oclmm_text text = {0};
	size_t count = OCLMM_COUNT(named_machines);

	for (size_t i = 0; i < count; i++)
		oclmm_text_printf(&text, "%s%s",
		                  i == 0          ? ""
		                  : i + 1 < count ? ", "
		                                  : " or ",
		                  named_machines[i]->name);
	oclmm_error_set(error, -EINVAL, "no machine \"%s\": %s", name, oclmm_text_string(&text));
	oclmm_text_finish(&text);
	return -EINVAL;
}

/* Its model, which a suite of one's own need not have: 0 as well. */
static int read_model(const struct known_machine *known, struct oclmm_error *error,
                      struct oclmm_cat_model **ret_model)
{
	struct oclmm_text path = {0};
	char *folder = suite_folder(error);
	int r = folder ? 0 : -ENOENT;

	oclmm_text_printf(&path, "%s/planted/%s.cat", folder ? folder : "", known->name);
	if (folder && access(oclmm_text_string(&path), F_OK) == 0)
		r = oclmm_model_read(oclmm_text_string(&path), error, ret_model);
	oclmm_text_finish(&path);
	free(folder);
	return r;
}

int machine_read(const char *named, const char *platform, const char *machine,
                 struct oclmm_error *error, struct machine *ret_machine)
{
	const struct known_machine *known = named ? find_named(named)
	                                          : find_of_device(platform, machine);
	struct machine found = {.known = known};
	int r;

	if (!known && named)
		return refuse_name(named, error);
	r = known ? read_model(known, error, &found.model) : 0;
	if (r == 0) {
		found.hides = found.model ? known->hides : NULL;
		*ret_machine = found;
	}
	return r;
}

void machine_finish(struct machine *machine)
{
	if (machine->model)
		oclmm_cat_destroy(machine->model);
	*machine = (struct machine){0};
}

/* ---- orders that are the same code -------------------------------------------- */

/* Compilers make a load of an update that leaves what it finds, and then its order tells. */
static bool leaves_all(const struct oclmm_atomic *a)
{
	return a->operand && a->operand->kind == OCLMM_EXPRESSION_CONSTANT &&
	       a->op != OCLMM_OP_EXCHANGE && oclmm_operation_reads(a->op) &&
	       (a->operand->constant == 0 || a->operand->constant == -1);
}

/* The strongest order that is the same code. */
static void strengthen(struct oclmm_arena *arena, struct oclmm_atomic *a)
{
	bool reads = oclmm_operation_reads(a->op), writes = oclmm_operation_writes(a->op);

	if (a->legacy || a->op == OCLMM_OP_INIT || leaves_all(a))
		return;
	if (reads && !writes)
		a->order = OCLMM_ORDER_ACQUIRE;
	else if (reads)
		a->order = OCLMM_ORDER_SEQ_CST;
	else if (a->order != OCLMM_ORDER_SEQ_CST)
		a->order = OCLMM_ORDER_RELEASE;
	if (oclmm_operation_is_cas(a->op))
		a->failure = OCLMM_ORDER_SEQ_CST;
	a->scope = OCLMM_SCOPE_DEVICE;
	a->order_written = a->scope_written = true;
	a->spelling = oclmm_arena_printf(arena, "%s_explicit", oclmm_operation_stem(a->op));
}

static void strengthen_in(struct oclmm_arena *arena, struct oclmm_expression *e)
{
	struct oclmm_parts parts;

	oclmm_expression_parts(e, &parts);
	for (unsigned i = 0; i < parts.expression_count; i++)
		strengthen_in(arena, *parts.expressions[i]);
	if (e->kind == OCLMM_EXPRESSION_ATOMIC)
		strengthen(arena, e->atomic);
}

static void strengthen_body(struct oclmm_arena *arena, struct oclmm_statement *s)
{
	for (; s; s = s->next) {
		struct oclmm_parts parts;

		oclmm_statement_parts(s, &parts);
		for (unsigned i = 0; i < parts.expression_count; i++)
			strengthen_in(arena, *parts.expressions[i]);
		for (unsigned i = 0; i < parts.body_count; i++)
			strengthen_body(arena, *parts.bodies[i]);
		if (s->kind != OCLMM_STATEMENT_FENCE)
			continue;
		s->fence.scope = OCLMM_SCOPE_DEVICE;
		/* no instruction, and the compiler keeps what stands on either side where it is */
		if (s->fence.order == OCLMM_ORDER_ACQUIRE || s->fence.order == OCLMM_ORDER_RELEASE)
			s->fence.order = OCLMM_ORDER_ACQ_REL;
	}
}

static char *print_code(const struct oclmm_program *program)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_program *copy = oclmm_program_copy(arena, program);
	struct oclmm_text text;

	for (uint32_t i = 0; i < copy->thread_count; i++)
		strengthen_body(arena, copy->threads[i].body);
	oclmm_text_init(&text);
	oclmm_program_print(&text, copy);
	oclmm_arena_destroy(arena);
	return oclmm_text_steal(&text);
}

/* Both become the same code: orders and scopes that the machine does not tell apart are all that
 * differs. */
static bool is_same(const struct machine *machine, const struct oclmm_program *program,
                    const struct oclmm_program *changed)
{
	char *before, *after;
	bool same;

	if (!machine->model || !machine->known->same_code)
		return false;
	before = print_code(program);
	after = print_code(changed);
	same = strcmp(before, after) == 0;
	free(before);
	free(after);
	return same;
}

/* ---- what is marked -------------------------------------------------------------- */

static bool comes_apart(enum oclmm_what what)
{
	switch (what) {
	case OCLMM_WHAT_SPLIT:
	case OCLMM_WHAT_SPLIT_FETCH:
	case OCLMM_WHAT_SPLIT_CAS:
	case OCLMM_WHAT_SPLIT_LEGACY:
	case OCLMM_WHAT_NO_RETRY:
	case OCLMM_WHAT_RESULT_EARLY:
	case OCLMM_WHAT_EXPECTED_LATE:
	case OCLMM_WHAT_TORN:
	case OCLMM_WHAT_PLAIN:
	/* a compiler may make one of two, between which another one comes */
	case OCLMM_WHAT_PLAIN_ACCESS:
	/* a word is loaded, and stored with what is beside */
	case OCLMM_WHAT_WORD:
	case OCLMM_WHAT_NEIGHBOUR: return true;
	default: return false;
	}
}

/* What a work-item does is done in another order between the same two barriers, or a store stores
 * what is there. */
static bool stays_in_turn(enum oclmm_what what)
{
	switch (what) {
	case OCLMM_WHAT_LOADS_SWAPPED:
	case OCLMM_WHAT_LOADS_REVERSED:
	case OCLMM_WHAT_STORES_SWAPPED:
	case OCLMM_WHAT_LOAD_EARLY:
	case OCLMM_WHAT_STORE_EARLY:
	case OCLMM_WHAT_UPDATE_EARLY:
	case OCLMM_WHAT_UPDATE_LATE:
	case OCLMM_WHAT_PLAIN_LATE:
	case OCLMM_WHAT_LOAD_STORED: return true;
	default: return false;
	}
}

static bool is_in_one_group(const struct oclmm_program *program)
{
	struct oclmm_features features;

	for (uint32_t i = 0; i < program->thread_count; i++)
		if (program->threads[i].placement.host)
			return false;
	oclmm_program_features(program, &features);
	return features.work_groups <= 1 && !oclmm_program_has_commands(program);
}

/* A mistake that 7 bits without a sign do not show. */
static bool needs_large_values(enum oclmm_what what)
{
	switch (what) {
	case OCLMM_WHAT_STORES_BYTE:
	case OCLMM_WHAT_STORES_LOW:
	case OCLMM_WHAT_STORES_NO_TOP:
	case OCLMM_WHAT_STORES_NARROW:
	case OCLMM_WHAT_STORES_NARROW_SIGN:
	case OCLMM_WHAT_COMPARES_BYTE:
	case OCLMM_WHAT_COMPARES_LOW:
	case OCLMM_WHAT_COMPARES_NO_TOP:
	case OCLMM_WHAT_OTHER_SIGN:
	case OCLMM_WHAT_NO_CARRY_8:
	case OCLMM_WHAT_NO_CARRY_16:
	case OCLMM_WHAT_NO_CARRY_32:
	case OCLMM_WHAT_SATURATES:
	case OCLMM_WHAT_RETURNS_LOW:
	case OCLMM_WHAT_RETURNS_NO_TOP:
	case OCLMM_WHAT_OPERAND_8:
	case OCLMM_WHAT_OPERAND_16:
	case OCLMM_WHAT_OPERAND_32:
	case OCLMM_WHAT_OPERAND_NO_TOP:
	case OCLMM_WHAT_OPERAND_SIGN_8:
	case OCLMM_WHAT_OPERAND_SIGN_16:
	case OCLMM_WHAT_OPERAND_SIGN_32:
	case OCLMM_WHAT_EXPECTS_16: return true;
	default: return false;
	}
}

struct size {
	uint64_t limit, sum;
	bool unknown; /* a difference, or a negative number */
};

static int add_size(void *data, const struct oclmm_expression *e)
{
	struct size *size = data;

	if (e->kind == OCLMM_EXPRESSION_CONSTANT && e->constant >= 0 &&
	    (uint64_t)e->constant < size->limit)
		size->sum += (uint64_t)e->constant;
	else if (e->kind == OCLMM_EXPRESSION_CONSTANT)
		size->unknown = true;
	if (e->kind == OCLMM_EXPRESSION_UNARY ||
	    (e->kind == OCLMM_EXPRESSION_BINARY && e->binary.op != OCLMM_OPERATOR_ADD &&
	     e->binary.op != OCLMM_OPERATOR_EQ) ||
	    (e->kind == OCLMM_EXPRESSION_ATOMIC && e->atomic->op == OCLMM_OP_FETCH_SUB))
		size->unknown = true;
	return 0;
}

/* All that the program names is less than that, in sum, and nothing is below 0. */
static bool has_small_values(const struct oclmm_program *program, uint64_t limit)
{
	static const struct oclmm_visitor visitor = {.expression = add_size};
	struct size size = {.limit = limit};

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		for (uint32_t k = 0; k < l->elements; k++)
			if (l->initial[k] < 0 || (uint64_t)l->initial[k] >= limit)
				return false;
			else
				size.sum += (uint64_t)l->initial[k];
	}
	for (uint32_t t = 0; t < program->thread_count; t++)
		oclmm_visit_body(&visitor, program->threads[t].body, &size);
	return !size.unknown && size.sum < limit;
}

static int find_wrong_strong(void *data, const struct oclmm_expression *e)
{
	bool *found = data;

	*found |= e->kind == OCLMM_EXPRESSION_ATOMIC && e->atomic->wrong &&
	          e->atomic->op == OCLMM_OP_STORE && e->atomic->order == OCLMM_ORDER_SEQ_CST;
	return 0;
}

static bool has_floats(const struct oclmm_program *program)
{
	for (uint32_t i = 0; i < program->location_count; i++)
		if (oclmm_type_is_floating(program->locations[i].type))
			return true;
	return false;
}

/* All parts but one are 0 and stay so, and that one is accessed in one piece. */
static bool is_in_one_part(const struct oclmm_program *changed, uint64_t bits)
{
	return !has_floats(changed) && has_small_values(changed, UINT64_C(1) << bits);
}

/* On x86 the access of a part is the instruction that the whole one would be, unless that is an
 * xchg. */
static bool hides_parts(const struct machine *machine, const struct oclmm_program *changed,
                        uint64_t bits)
{
	static const struct oclmm_visitor visitor = {.expression = find_wrong_strong};
	bool strong = false;

	if (!machine->model || !machine->known->same_code || !is_in_one_part(changed, bits))
		return false;
	for (uint32_t t = 0; t < changed->thread_count; t++)
		oclmm_visit_body(&visitor, changed->threads[t].body, &strong);
	return !strong;
}

struct writer {
	const struct oclmm_program *program;
	uint32_t thread, location; /* who may write, and what */
	bool found;
};

static int find_writer(void *data, const struct oclmm_use *use)
{
	struct writer *writer = data;

	writer->found |= use->writes && use->place->location == writer->location;
	return 0;
}

static bool writes_to(const struct oclmm_program *program, uint32_t thread, uint32_t location)
{
	static const struct oclmm_visitor visitor = {.use = find_writer};
	struct writer writer = {.location = location};

	oclmm_visit_body(&visitor, program->threads[thread].body, &writer);
	return writer.found;
}

/* A buffer of whole words for each instance, so that no other instance has a part of one, and no
 * other thread writes it. */
static bool is_own_word(const struct oclmm_program *program, uint32_t thread, uint32_t location)
{
	const struct oclmm_location *l = &program->locations[location];

	if (!oclmm_location_is_buffer(l) || l->storage != OCLMM_STORAGE_BUFFER ||
	    l->elements * oclmm_type_bits(l->type) % 32 != 0)
		return false;
	for (uint32_t t = 0; t < program->thread_count; t++)
		if (t != thread && writes_to(program, t, location))
			return false;
	return true;
}

static int find_foreign_word(void *data, const struct oclmm_statement *s)
{
	struct writer *writer = data;

	writer->found |= s->kind == OCLMM_STATEMENT_STORE && s->store.wrong &&
	                 !is_own_word(writer->program, writer->thread, s->store.place.location);
	return 0;
}

/*
 * What stands beside the object in its word is what the work-item itself has stored last, or what
 * the object began with: to store it again changes nothing, on any machine.
 */
static bool stores_own_words(const struct oclmm_program *changed)
{
	static const struct oclmm_visitor visitor = {.statement = find_foreign_word};
	struct writer writer = {.program = changed};

	for (uint32_t t = 0; t < changed->thread_count; t++) {
		writer.thread = t;
		oclmm_visit_body(&visitor, changed->threads[t].body, &writer);
	}
	return !writer.found && !oclmm_program_has_commands(changed);
}

/*
 * By what is changed nothing new can show: updates that come apart, or statements in another order,
 * where one thread runs all work-items, each up to a barrier before the next one; of what is marked
 * also a mistake for which the values are too small, and of what is not the same code. False: it
 * may.
 */
static bool hides(const struct machine *machine, const struct oclmm_program *program,
                  const struct oclmm_changed *changed, const struct plant *plant)
{
	enum oclmm_what what = plant->mutation.what;

	if ((comes_apart(what) || stays_in_turn(what)) && machine->model &&
	    machine->known->by_turns && is_in_one_group(changed->program))
		return true;
	if (changed->marked && what == OCLMM_WHAT_TORN &&
	    hides_parts(machine, changed->program, plant->mutation.number))
		return true;
	if (changed->marked && what == OCLMM_WHAT_WORD && stores_own_words(changed->program))
		return true;
	/* signs and bytes do not matter below that */
	if (changed->marked && needs_large_values(what) && has_small_values(changed->program, 128))
		return true;
	return !changed->marked && is_same(machine, program, changed->program);
}

enum machine_view machine_view(const struct machine *machine, const struct oclmm_program *program,
                               const struct oclmm_changed *changed, const struct plant *plant)
{
	if (hides(machine, program, changed, plant))
		return MACHINE_HIDES;
	return changed->marked && plant->mutation.what == OCLMM_WHAT_TORN && machine->model &&
	                       machine->known->by_bytes &&
	                       is_in_one_part(changed->program, plant->mutation.number)
	               ? MACHINE_RELAXES
	               : MACHINE_MAY_SHOW;
}
