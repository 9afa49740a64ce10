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

static const struct equivalent hidden_by_intel = {
	.argument = "no test may show anything new by what Intel's CPU runtime makes of orders, "
		    "scopes and groups",
	.seen = "litmus/planted/intel-cpu.cat",
};

/* How one thread runs the work-items of a group. */
enum turns {
	TURNS_NONE, /* it does not, or nobody knows */
	/* by turns, but work-items that play by the same text may be lanes of one vector, as those
	 * of a sub-group are: each statement is done for all of them */
	TURNS_APART,
	TURNS_ALL, /* each up to a barrier before the next one */
};

struct known_machine {
	const char *name; /* of its model, litmus/planted/NAME.cat */
	enum code code;
	enum turns turns;
	bool by_bytes; /* a store of a part is a relaxed one, and a load of it, too */
	const struct equivalent *hides;
};

static const struct known_machine x86_by_turns = {"x86-tso", CODE_X86, TURNS_ALL, false,
                                                  &hidden_by_x86};
static const struct known_machine intel_cpu = {"intel-cpu", CODE_INTEL, TURNS_APART, false,
                                               &hidden_by_intel};
static const struct known_machine ptx = {"ptx", CODE_MEMBAR, TURNS_NONE, false, &hidden_by_ptx};
static const struct known_machine h200 = {"h200", CODE_MEMBAR, TURNS_NONE, true, &hidden_by_h200};

/* Those that have a name to be asked for. */
static const struct known_machine *const named_machines[] = {&x86_by_turns, &intel_cpu, &ptx,
                                                             &h200};

/* What devices are like, by patterns of their platform and of the machine. An H200 is known to do
 * less than PTX allows, which is what other devices of NVIDIA may do. */
static const struct {
	const char *platform, *machine;
	const struct known_machine *known;
} devices[] = {
	{"Portable Computing Language*", "x86_64", &x86_by_turns},
	{"Intel(R) OpenCL*", "x86_64", &intel_cpu},
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
		found.code = found.model ? known->code : CODE_UNKNOWN;
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

static char *print_code(enum code code, const struct oclmm_program *program)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_text text;

	oclmm_text_init(&text);
	oclmm_program_print(&text, code_of(code, arena, program));
	oclmm_arena_destroy(arena);
	return oclmm_text_steal(&text);
}

/* Both become the same code: orders and scopes that the machine does not tell apart are all that
 * differs. */
static bool is_same_code(enum code code, const struct oclmm_program *program,
                         const struct oclmm_program *changed)
{
	char *before, *after;
	bool same;

	if (code == CODE_UNKNOWN)
		return false;
	before = print_code(code, program);
	after = print_code(code, changed);
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

/* Work-items of an instance may be lanes of one vector there. */
static bool shares_vector(const struct oclmm_program *program)
{
	const struct oclmm_outcome_space space = {.observable_count = program->observable_count,
	                                          .size = 1};
	struct oclmm_kernel_plan plan;
	struct oclmm_error ignored;

	return oclmm_kernel_plan(program, &space, &ignored, &plan) < 0 || plan.alike ||
	       plan.in_sub_groups;
}

/* One thread runs all work-items of the test, each up to a barrier before the next one. */
static bool runs_by_turns(const struct machine *machine, const struct oclmm_program *program,
                          const struct oclmm_program *changed)
{
	enum turns turns = machine->model ? machine->known->turns : TURNS_NONE;

	return turns != TURNS_NONE && is_in_one_group(changed) &&
	       (turns == TURNS_ALL || !(shares_vector(program) || shares_vector(changed)));
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

	if (!machine->model || machine->code == CODE_UNKNOWN || machine->code == CODE_MEMBAR ||
	    !is_in_one_part(changed, bits))
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

	if ((comes_apart(what) || stays_in_turn(what)) &&
	    runs_by_turns(machine, program, changed->program))
		return true;
	if (changed->marked && what == OCLMM_WHAT_TORN &&
	    hides_parts(machine, changed->program, plant->mutation.number))
		return true;
	if (changed->marked && what == OCLMM_WHAT_WORD && stores_own_words(changed->program))
		return true;
	/* signs and bytes do not matter below that */
	if (changed->marked && needs_large_values(what) && has_small_values(changed->program, 128))
		return true;
	return !changed->marked && is_same_code(machine->code, program, changed->program);
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
