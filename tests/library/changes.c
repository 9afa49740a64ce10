// SPDX-License-Identifier: Apache-2.0
/* Single steps of a compiler, each made in a copy of one program; and changes wherever it has a
 * place. */
#include "calls.h"
#include "oclmm/control.h"

#include <stdlib.h>
#include <string.h>

static const char text[] = "OPENCL C\n{ [x] = 0; [y] = 0; [z] = 0; [w] = 0; }\n"
			   "P0 (global atomic_int *x, global atomic_int *y, global atomic_int *z,\n"
			   "    global atomic_long *w) {\n"
			   "  int r0 = atomic_load(x);\n"
			   "  int r1 = atomic_load(y);\n"
			   "  atomic_store(z, r0);\n"
			   "  int r2 = atomic_fetch_add(y, 1);\n"
			   "  atomic_store(w, 1);\n"
			   "  if (r1) {\n"
			   "    atomic_store(x, 5);\n"
			   "  }\n"
			   "}\n"
			   "exists (0:r1=1)\n";
/* The statements by their place. */
enum { LOAD_X, LOAD_Y, STORE_Z, UPDATE, STORE_W, BRANCH, STATEMENTS };

static struct oclmm_edit copy_of(struct oclmm_arena *arena, const struct oclmm_litmus *litmus)
{
	return (struct oclmm_edit){
		.program = oclmm_program_copy(arena, litmus->variants[0].program),
		.arena = arena,
	};
}

/* Where a statement hangs. */
static struct oclmm_statement **link_of(const struct oclmm_edit *edit, int place)
{
	struct oclmm_statement **link = &edit->program->threads[0].body;

	while (place-- > 0)
		link = &(*link)->next;
	return link;
}

static int count(const struct oclmm_edit *edit)
{
	int statements = 0;

	for (const struct oclmm_statement *s = edit->program->threads[0].body; s; s = s->next)
		statements++;
	return statements;
}

static const char shared_text[] = "OPENCL K\n{ out[2]; }\n"
				  "kernel@wg 0, li 0..1 (global int *out) {\n"
				  "  int l = get_local_id(0);\n"
				  "  out[1 - l] = 5;\n"
				  "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
				  "  out[l] += l;\n"
				  "}\n"
				  "locations [out;]\nexists (out[0]=1)\n";

static void call_steps_of_text(struct oclmm_arena *arena)
{
	const struct oclmm_program *program;
	struct oclmm_text_steps steps;
	struct oclmm_text_cuts cuts;
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	const char *body;
	int64_t values[2] = {0};

	CHECK(oclmm_litmus_parse("k", shared_text, strlen(shared_text), NULL, &error, &litmus) ==
	      0);
	program = litmus->variants[0].program;
	oclmm_text_steps_find(arena, program->shared->body, &steps);
	CHECK(steps.count > 0 && steps.items[0].step == OCLMM_STEP_BARRIER_LOST);
	CHECK(steps.items[0].where == OCLMM_WHERE_STRAIGHT && steps.items[0].line == 3);
	CHECK(oclmm_text_steps_take(arena, program->shared->body, OCLMM_STEP_BARRIER_LOST,
	                            OCLMM_WHERE_ANYWHERE, &body) == 1);
	CHECK(strcmp(body, steps.items[0].body) == 0 && !strstr(body, "barrier"));
	CHECK(oclmm_text_steps_take(arena, program->shared->body, OCLMM_STEP_BARRIER_LOST,
	                            OCLMM_WHERE_LOOP, &body) == 0);
	CHECK(strcmp(body, program->shared->body) == 0);
	oclmm_text_cuts_find(arena, program->shared->body, &cuts);
	CHECK(cuts.count == 4 && strlen(cuts.bodies[0]) <= strlen(cuts.bodies[3]));
	CHECK(oclmm_play_in_step(program, OCLMM_PLAY_LANES, values) == 0);
	CHECK(values[0] == 5 && values[1] == 6);
	oclmm_litmus_destroy(litmus);
}

static const char apart_text[] =
	"OPENCL apart\n{ [s] = 0; [a] = 1; }\n"
	"P0@wg 0, dev 0 (local int *s, global int *a) {\n"
	"  *s = 4;\n  if (*a > 0) { barrier(CLK_LOCAL_MEM_FENCE); }\n}\n"
	"P1@wg 0, dev 0 (local int *s, global int *a) {\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n  int r0 = *s;\n}\nexists (1:r0=0)\n";

/* OpenCL 2.0 leaves open what a text does in whose loop work-items turn differently often: a device
 * that is judged by it cannot fail there. */
static const char turns_text[] =
	"OPENCL a\nunroll 4\n{ s[2] = {0, 0}; }\n"
	"P0@wg 0, dev 0 (local int *s) {\n  int i = 0;\n"
	"  while (i < 2) { if (i < 2) { barrier(CLK_LOCAL_MEM_FENCE); } i = i + 1; }\n}\n"
	"P1@wg 0, dev 0 (local int *s) {\n  int i = 0;\n"
	"  while (i < 3) { if (i < 2) { barrier(CLK_LOCAL_MEM_FENCE); } i = i + 1; }\n"
	"  int r0 = i;\n}\nexists (1:r0=2)\n";

static void call_threads_that_turn(struct oclmm_arena *arena)
{
	const struct oclmm_program *program;
	struct oclmm_litmus *litmus;
	struct oclmm_error error;

	CHECK(oclmm_litmus_parse("a", turns_text, strlen(turns_text), NULL, &error, &litmus) == 0);
	program = litmus->variants[0].program;
	CHECK(oclmm_program_for_device(arena, program, OCLMM_MODEL_OPENCL_2_1)->shared);
	CHECK(oclmm_program_for_device(arena, program, OCLMM_MODEL_OPENCL_3_1)->shared);
	CHECK(oclmm_program_for_device(arena, program, OCLMM_MODEL_OPENCL_2_0) == program);
	CHECK(oclmm_program_for_device(arena, program, OCLMM_MODEL_CONSENSUS) == program);
	oclmm_litmus_destroy(litmus);
}

static void call_threads_as_text(struct oclmm_arena *arena)
{
	const struct oclmm_program *program, *fused = NULL;
	struct oclmm_litmus *litmus;
	struct oclmm_error error;

	CHECK(oclmm_litmus_parse("a", apart_text, strlen(apart_text), NULL, &error, &litmus) == 0);
	program = litmus->variants[0].program;
	CHECK(oclmm_has_inner_barrier(program));
	CHECK(oclmm_fuse(arena, program, &error, &fused) == 0);
	CHECK(fused->shared && fused->observable_count == 1 && !fused->observables[0].is_register);
	CHECK(strstr(fused->shared->body, "if (role == 0 ? (*a > 0) : (1)) {"));
	CHECK(!oclmm_has_inner_barrier(fused));
	for (enum oclmm_model m = 0; m < OCLMM_MODEL_COUNT; m++) {
		CHECK(oclmm_program_for_device(arena, program, m)->shared);
		CHECK(oclmm_program_for_device(arena, fused, m) == fused);
	}
	oclmm_litmus_destroy(litmus);
}

/* Digits of the steps that were called for, in their order. */
static int note_step(void *data, enum oclmm_weaker step, const struct oclmm_strength *weaker)
{
	unsigned *steps = data;

	*steps = *steps * 10 + (unsigned)step + 1;
	CHECK(step != OCLMM_WEAKER_ORDER || weaker->order == OCLMM_ORDER_ACQUIRE ||
	      weaker->order == OCLMM_ORDER_RELEASE);
	CHECK(step != OCLMM_WEAKER_PART ||
	      (weaker->kind == OCLMM_ORDERED_STORE && weaker->order == OCLMM_ORDER_RELEASE));
	CHECK(step != OCLMM_WEAKER_SCOPE || weaker->scope == OCLMM_SCOPE_WORK_GROUP);
	CHECK(weaker->present == (step != OCLMM_WEAKER_REMOVED));
	return weaker->flags == OCLMM_FLAG_LOCAL ? 7 : 0;
}

static void call_weaker(void)
{
	struct oclmm_strength strength = {.kind = OCLMM_ORDERED_UPDATE,
	                                  .present = true,
	                                  .order = OCLMM_ORDER_ACQ_REL,
	                                  .scope = OCLMM_SCOPE_DEVICE,
	                                  .flags = OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL};
	unsigned steps = 0;

	CHECK(oclmm_weaker_each(&strength, ~0u, OCLMM_ORDERED_STORE, note_step, &steps) == 0);
	CHECK(steps == 1125);
	strength.kind = OCLMM_ORDERED_FENCE;
	steps = 0;
	CHECK(oclmm_weaker_each(&strength, ~0u, OCLMM_ORDERED_STORE, note_step, &steps) == 7);
	CHECK(steps == 11344);
	strength.present = false;
	CHECK(oclmm_weaker_each(&strength, ~0u, OCLMM_ORDERED_STORE, note_step, &steps) == 0);
	CHECK(steps == 11344);
	CHECK(oclmm_scope_narrower(OCLMM_SCOPE_ALL_SVM_DEVICES) == OCLMM_SCOPE_DEVICE);
	CHECK(oclmm_scope_narrower(OCLMM_SCOPE_WORK_GROUP) == OCLMM_SCOPE_NONE);
}

static void call_effects(const struct oclmm_edit *edit)
{
	struct oclmm_effects load = oclmm_statement_effects(*link_of(edit, LOAD_X)),
			     store = oclmm_statement_effects(*link_of(edit, STORE_Z));

	CHECK(oclmm_register_bit(3) == 8);
	CHECK(load.writes != 0 && load.writes == store.reads && store.accesses == 1);
	CHECK(oclmm_effects_depend(&load, &store));
}

static void call_moves(struct oclmm_arena *arena, const struct oclmm_litmus *litmus)
{
	struct oclmm_edit edit = copy_of(arena, litmus);
	uint32_t r0 = (*link_of(&edit, LOAD_X))->assign.reg,
		 r1 = (*link_of(&edit, LOAD_Y))->assign.reg;

	oclmm_change_step(&edit, OCLMM_STEP_EXCHANGE, link_of(&edit, LOAD_X),
	                  link_of(&edit, LOAD_Y));
	CHECK((*link_of(&edit, 0))->assign.reg == r1 && (*link_of(&edit, 1))->assign.reg == r0);
	edit = copy_of(arena, litmus);
	oclmm_change_step(&edit, OCLMM_STEP_LATE, link_of(&edit, LOAD_X), link_of(&edit, LOAD_Y));
	CHECK((*link_of(&edit, 1))->assign.reg == r0 && count(&edit) == STATEMENTS);
	oclmm_change_step(&edit, OCLMM_STEP_DROP, link_of(&edit, STORE_Z), link_of(&edit, STORE_Z));
	CHECK(count(&edit) == STATEMENTS - 1);
	edit = copy_of(arena, litmus);
	oclmm_change_step(&edit, OCLMM_STEP_REUSE, link_of(&edit, LOAD_Y), link_of(&edit, LOAD_X));
	CHECK((*link_of(&edit, LOAD_Y))->assign.value->kind == OCLMM_EXPRESSION_REGISTER);
	oclmm_change_step(&edit, OCLMM_STEP_HOIST, &(*link_of(&edit, BRANCH))->branch.then_body,
	                  link_of(&edit, LOAD_X));
	CHECK((*link_of(&edit, 0))->kind == OCLMM_STATEMENT_EVALUATE);
}

static void call_divisions(struct oclmm_arena *arena, const struct oclmm_litmus *litmus)
{
	struct oclmm_edit edit = copy_of(arena, litmus);
	uint32_t reg = UINT32_MAX;

	CHECK(oclmm_step_possible(OCLMM_STEP_SPLIT, edit.program, *link_of(&edit, UPDATE)));
	CHECK(!oclmm_step_possible(OCLMM_STEP_SPLIT, edit.program, *link_of(&edit, LOAD_X)));
	oclmm_change_step(&edit, OCLMM_STEP_SPLIT, link_of(&edit, UPDATE), link_of(&edit, UPDATE));
	CHECK(count(&edit) > STATEMENTS);
	edit = copy_of(arena, litmus);
	CHECK(oclmm_step_possible(OCLMM_STEP_HALVES, edit.program, *link_of(&edit, STORE_W)));
	CHECK(!oclmm_step_possible(OCLMM_STEP_HALVES, edit.program, *link_of(&edit, STORE_Z)));
	oclmm_change_step(&edit, OCLMM_STEP_HALVES, link_of(&edit, STORE_W),
	                  link_of(&edit, STORE_W));
	CHECK(count(&edit) == STATEMENTS + 1);
	edit = copy_of(arena, litmus);
	CHECK(oclmm_step_possible(OCLMM_STEP_RELOAD, edit.program, *link_of(&edit, UPDATE)));
	CHECK(!oclmm_step_possible(OCLMM_STEP_RELOAD, edit.program, *link_of(&edit, LOAD_X)));
	oclmm_change_step(&edit, OCLMM_STEP_RELOAD, link_of(&edit, UPDATE), link_of(&edit, UPDATE));
	CHECK(count(&edit) > STATEMENTS);
	edit = copy_of(arena, litmus);
	CHECK(oclmm_step_possible(OCLMM_STEP_ALWAYS, edit.program, *link_of(&edit, BRANCH)));
	CHECK(!oclmm_step_possible(OCLMM_STEP_ALWAYS, edit.program, *link_of(&edit, LOAD_X)));
	oclmm_change_step(&edit, OCLMM_STEP_ALWAYS, link_of(&edit, BRANCH), link_of(&edit, BRANCH));
	CHECK((*link_of(&edit, BRANCH))->kind == OCLMM_STATEMENT_EVALUATE);
	CHECK(oclmm_change_stores_register(*link_of(&edit, STORE_Z), &reg));
	CHECK(reg == (*link_of(&edit, LOAD_X))->assign.reg);
	oclmm_change_step(&edit, OCLMM_STEP_AGAIN, link_of(&edit, STORE_Z), link_of(&edit, LOAD_X));
	CHECK(!oclmm_change_stores_register(*link_of(&edit, STORE_Z), &reg));
}

static void call_mutations(struct oclmm_arena *arena, const struct oclmm_litmus *litmus)
{
	const struct oclmm_program *program = litmus->variants[0].program;
	const struct oclmm_mutation split = {.what = OCLMM_WHAT_SPLIT_FETCH},
				    dropped = {.what = OCLMM_WHAT_BARRIER_DROPPED};
	struct oclmm_changed changed = oclmm_change_program(arena, program, &split);
	struct oclmm_text macros;

	CHECK(changed.places == 1 && changed.marked && changed.program != program);
	CHECK(oclmm_change_own(&split) == 0 && oclmm_change_own(&dropped) == OCLMM_OWN_BARRIER);
	oclmm_text_init(&macros);
	oclmm_change_macros(&split, &macros);
	CHECK(strstr(oclmm_text_string(&macros), "#define oclmm_wrong_update("));
	oclmm_text_finish(&macros);
	CHECK(strcmp(oclmm_aspect_word(OCLMM_ASPECT_WIDTH, 1), "64") == 0);
	CHECK(strcmp(oclmm_function_at(0)->name, "load") == 0);
	CHECK(!oclmm_function_concerned(OCLMM_WHAT_AS_ADD, oclmm_function_at(0)));
	CHECK(oclmm_what_is_mistake(OCLMM_WHAT_AS_ADD));
}

static void call_adjustments(struct oclmm_arena *arena, const struct oclmm_litmus *litmus)
{
	const struct oclmm_program *program = litmus->variants[0].program;
	struct oclmm_adjusted *plain = oclmm_adjusted_create(arena, program),
			      *copy = oclmm_adjusted_create(arena, program);
	struct oclmm_change_line *lines;
	struct oclmm_adjustment *list;
	struct oclmm_text words = {0};
	unsigned line_count;
	size_t count;
	bool cut;

	list = oclmm_adjustments_list(plain, false, &count, &cut);
	if (CHECK(count > 1 && !cut)) {
		oclmm_adjustment_print(&words, plain, &list[0]);
		CHECK(words.length > 0);
		CHECK(oclmm_adjustment_is_like(plain, &list[0], &list[0]));
		CHECK(oclmm_adjust(copy, list, 1));
		oclmm_adjusted_lines(copy, &lines, &line_count);
		CHECK(line_count == 1 && lines[0].before && lines[0].after);
		CHECK(oclmm_adjusted_program(copy) != program);
	}
	CHECK(oclmm_adjustment_scope(program) == OCLMM_SCOPE_WORK_GROUP);
	oclmm_text_finish(&words);
	free(list);
	oclmm_adjusted_destroy(plain);
	oclmm_adjusted_destroy(copy);
}

void call_changes(void)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	struct oclmm_edit edit;

	if (CHECK(oclmm_litmus_parse("c", text, strlen(text), NULL, &error, &litmus) == 0)) {
		edit = copy_of(arena, litmus);
		call_effects(&edit);
		call_weaker();
		call_moves(arena, litmus);
		call_divisions(arena, litmus);
		call_mutations(arena, litmus);
		call_steps_of_text(arena);
		call_threads_as_text(arena);
		call_threads_that_turn(arena);
		call_adjustments(arena, litmus);
		oclmm_litmus_destroy(litmus);
	}
	oclmm_arena_destroy(arena);
}
