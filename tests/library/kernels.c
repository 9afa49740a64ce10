// SPDX-License-Identifier: Apache-2.0
/* OpenCL C that is made of programs, and modules of SPIR-V beside them. */
#include "calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../explore/scripts.h"
#include "../spirv/assemble.h"

static void call_features(const struct oclmm_program *program)
{
	const unsigned have[OCLMM_FLOAT_TYPES] = {0};
	struct oclmm_features features;
	char name[80];

	oclmm_program_features(program, &features);
	CHECK(features.orders == 1u << OCLMM_ORDER_SEQ_CST && features.work_groups == 2);
	CHECK(!oclmm_float_feature(&features, have, name, sizeof(name)));
	features.float_atomics[1] = OCLMM_FLOAT_ADD;
	CHECK(oclmm_float_feature(&features, have, name, sizeof(name)) && *name);
}

static void call_plan(const struct oclmm_program *program, const struct oclmm_outcome_space *space)
{
	const size_t global[] = {64, 1, 1}, local[] = {8, 1, 1}, other[] = {32, 2, 1};
	struct oclmm_kernel_plan plan;
	struct oclmm_plane *planes;
	struct oclmm_error error;
	uint64_t *table;
	size_t words;

	if (!CHECK(oclmm_kernel_plan(program, space, &error, &plan) == 0))
		return;
	CHECK(plan.roles == 2 && plan.outcomes == 4 && oclmm_on_one_device(&plan));
	CHECK(!oclmm_roles_together(&plan, 0, 1));
	planes = oclmm_kernel_planes(program, space, &plan);
	CHECK(plan.planes == 2 && planes[0].kind == OCLMM_PLANE_REGISTER);
	free(planes);
	table = oclmm_count_table(program, space, &words);
	CHECK(words > 0);
	free(table);
	CHECK(oclmm_initials(program, false) == oclmm_initials(program, true));
	CHECK(!oclmm_location_has_initialiser(&program->locations[0]));
	CHECK(oclmm_launch_shape(global, local) != oclmm_launch_shape(other, local));
}

static void call_lone(const struct oclmm_program *program, const struct oclmm_outcome_space *space)
{
	const struct oclmm_lone lone = {.meets = true};
	struct oclmm_kernel_plan plan;
	struct oclmm_error error;
	struct oclmm_text text;

	CHECK(oclmm_generate_lone(program, space, &lone, &error, &text) == 0);
	CHECK_HAS(oclmm_text_string(&text), "kernel void test(");
	oclmm_text_finish(&text);
	oclmm_generate_lone_host(program, 0, 1, &text);
	CHECK_HAS(oclmm_text_string(&text), "memory_order_seq_cst");
	oclmm_text_finish(&text);
	CHECK(oclmm_kernel_plan(program, space, &error, &plan) == 0);
	CHECK(oclmm_lone_parties(&plan) == 2);
	CHECK(oclmm_lone_factor(0) % 2 == 1 && oclmm_lone_factor(1) % 2 == 1);
	CHECK(oclmm_lone_plane(program, 0) == 0);
	CHECK(oclmm_lone_played(program, 1) == oclmm_lone_played(program, 0) + 1);
}

static void call_generate(const struct oclmm_program *program,
                          const struct oclmm_outcome_space *space)
{
	const struct oclmm_program *const programs[] = {program, program};
	const struct oclmm_outcome_space *const spaces[] = {space, space};
	const struct oclmm_codegen_options options = {0};
	char suffix[OCLMM_SUFFIX_SIZE];
	struct oclmm_error error;
	struct oclmm_text text;

	CHECK(oclmm_generate(program, space, NULL, &error, &text) == 0);
	CHECK_HAS(oclmm_text_string(&text), "oclmm_count(");
	oclmm_text_finish(&text);
	CHECK(oclmm_generate_test(program, space, NULL, &error, &text) == 0);
	CHECK_HAS(oclmm_text_string(&text), "memory_order_seq_cst");
	oclmm_text_finish(&text);
	CHECK(oclmm_generate_count(program, space, NULL, &error, &text) == 0);
	CHECK(!strstr(oclmm_text_string(&text), "oclmm_test("));
	oclmm_text_finish(&text);
	oclmm_test_suffix(1, suffix);
	CHECK(oclmm_generate_tests(programs, spaces, 2, NULL, &error, &text) == 0);
	CHECK(*suffix && strstr(oclmm_text_string(&text), suffix));
	oclmm_text_finish(&text);
	oclmm_generate_side(&text);
	CHECK_HAS(oclmm_text_string(&text), "oclmm_side");
	oclmm_text_finish(&text);
	CHECK(oclmm_generate_bare(program, NULL, "_a", &error, &text) == 0);
	CHECK_HAS(oclmm_text_string(&text), "P0_a_bare(");
	oclmm_text_finish(&text);
	CHECK(oclmm_kernel_mark(program, &options) % 2 == 0);
	call_lone(program, space);
}

static void call_commands(const char *suite)
{
	struct oclmm_litmus *litmus = calls_read(suite, "command/event+queues");
	struct oclmm_text text;

	oclmm_generate_commands(litmus->variants[0].program, &text);
	CHECK_HAS(oclmm_text_string(&text), "set_cells");
	oclmm_text_finish(&text);
	oclmm_litmus_destroy(litmus);
}

static void call_whole(const char *suite)
{
	struct oclmm_litmus *litmus = calls_read(suite, "control/for+guard");
	const struct oclmm_program *program = litmus->variants[0].program;
	struct oclmm_text text;

	oclmm_generate_whole(program, &text);
	CHECK_HAS(oclmm_text_string(&text), "for (int i = 0; i < 2 + l; i++) {");
	oclmm_text_finish(&text);
	CHECK(oclmm_whole_stride(&program->locations[0]) ==
	      program->locations[0].elements + OCLMM_WHOLE_GUARD);
	oclmm_litmus_destroy(litmus);
}

/* One relaxed store of device scope, and the kernel. */
static void write_module(struct assembled *words)
{
	enum { STORE = 228, P0 = 10, KERNEL = 11 };

	assemble_head(words);
	assemble_name(words, P0, "P0");
	assemble_name(words, KERNEL, "oclmm_test");
	for (uint32_t i = 0; i < 3; i++)
		assemble_number(words, i);
	assemble_begin(words, P0);
	ASSEMBLE(words, STORE, 21, ASSEMBLED_NUMBERS + 1, ASSEMBLED_NUMBERS, 22);
	assemble_end(words);
	assemble_begin(words, KERNEL);
	assemble_end(words);
}

static void call_spirv(void)
{
	static const char test[] =
		"OPENCL X\n{ [x] = 0; }\nP0 (global atomic_int *x) {\n"
		"  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n}\n"
		"exists (x=1)\n";
	struct oclmm_spirv_module *module;
	struct oclmm_spirv_found found;
	struct oclmm_litmus *litmus;
	struct assembled words;
	struct oclmm_error error;

	write_module(&words);
	CHECK(oclmm_spirv_read("no", 2, &error, &module) == -EINVAL);
	if (!CHECK(oclmm_litmus_parse("x", test, strlen(test), NULL, &error, &litmus) == 0) ||
	    !CHECK(oclmm_spirv_read(words.words, words.count * sizeof(uint32_t), &error, &module) ==
	           0))
		return;
	CHECK(oclmm_spirv_find(module, "P0") && !oclmm_spirv_find(module, "P7"));
	CHECK(oclmm_spirv_check(module, litmus->variants[0].program, 1, "", &error, &found) == 0);
	CHECK(found.operations == 1);
	CHECK(oclmm_spirv_check_barriers(module, "barrier(x)", &error) == -EBADMSG);
	oclmm_spirv_destroy(module);
	oclmm_litmus_destroy(litmus);
}

static void call_explore(const struct oclmm_program *program)
{
	const struct line p0[] = {WRITE(0, 1), FENCE(REL), STORE(1, RLX, 1)},
			  p1[] = {LOAD(1, ACQ), UNLESS(1), READ(0), KEEP(2)};
	const struct script threads[] = {{p0, 3}, {p1, 4}};
	const struct oclmm_explored_thread places[] = {{0, 0}, {1, 1}};
	const struct oclmm_cell cells[] = {{4, OCLMM_SPACE_GLOBAL, 0, false},
	                                   {4, OCLMM_SPACE_GLOBAL, 0, false},
	                                   {4, OCLMM_SPACE_GLOBAL, 0, true}};
	const struct scripts scripts = {threads, places, 2, cells, 3, NULL, NULL};
	const struct line exchange[] = {{LINE_STEP,
	                                 {.kind = OCLMM_EXPLORED_COMPARE,
	                                  .cell = 0,
	                                  .order = RLX,
	                                  .failure = RLX,
	                                  .scope = OCLMM_SCOPE_DEVICE,
	                                  .weak = true,
	                                  .operand = 1}},
	                                KEEP(2)};
	const struct script lone[] = {{exchange, 2}};
	struct oclmm_slice slice;
	const struct scripts alone = {lone, places, 1, cells, 3, &slice, NULL};
	const struct line copy[] = {MEET(MEET_COPY, 0, 2), MEET(MEET_WAIT, 0, 0)},
			  refused[] = {MEET(MEET_REFUSED, 0, 0)};
	const struct script one_copy[] = {{copy, 2}}, one_refused[] = {{refused, 1}};
	const struct scripts copying = {one_copy, places, 1, cells, 3, NULL, NULL},
			     refusing = {one_refused, places, 1, cells, 3, NULL, NULL};
	const struct line before[] = {WRITE(0, 1), ARRIVE, WAIT},
			  behind[] = {FENCE(REL), ARRIVE, WAIT, READ(0), KEEP(2)};
	const struct script halves[] = {{before, 3}, {behind, 5}};
	const struct oclmm_explored_thread together[] = {{0, 0}, {0, 0}};
	const struct scripts splitting = {halves, together, 2, cells, 3, NULL, NULL};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_explored *found;

	oclmm_slice_begin(arena, 3, &slice);
	oclmm_slice_flow(&slice, 1, 2);
	oclmm_slice_need(&slice, 2);
	CHECK(slice.needed[1] && !slice.needed[0]);
	if (!CHECK(scripts_explore(&scripts, &(struct oclmm_explore_options){0}, &found) == 0))
		return;
	CHECK(found->fault == OCLMM_EXPLORED_SOUND && found->state_count == 1);
	CHECK(found->states[0].values[0] == 1 && found->states[0].last);
	oclmm_explored_destroy(found);
	if (!CHECK(scripts_explore(&alone, &(struct oclmm_explore_options){0}, &found) == 0))
		return;
	/* a weak compare-exchange that nobody disturbs may fail all the same */
	CHECK(found->fault == OCLMM_EXPLORED_SOUND && found->state_count == 2);
	/* its result is asked for, where it was written */
	CHECK(slice.needed[0]);
	oclmm_arena_destroy(arena);
	oclmm_explored_destroy(found);
	if (!CHECK(scripts_explore(&splitting, &(struct oclmm_explore_options){0}, &found) == 0))
		return;
	CHECK(found->fault == OCLMM_EXPLORED_SOUND && found->state_count == 1);
	CHECK(found->states[0].values[0] == 1);
	oclmm_explored_destroy(found);
	if (!CHECK(scripts_explore(&copying, &(struct oclmm_explore_options){0}, &found) == 0))
		return;
	CHECK(found->fault == OCLMM_EXPLORED_SOUND && found->state_count == 1);
	oclmm_explored_destroy(found);
	if (!CHECK(scripts_explore(&refusing, &(struct oclmm_explore_options){0}, &found) == 0))
		return;
	CHECK(found->fault == OCLMM_EXPLORED_FAULTED);
	oclmm_explored_destroy(found);
	if (!CHECK(oclmm_explore_program(program, &(struct oclmm_explore_options){0}, &found) == 0))
		return;
	CHECK(found->state_count == 3 && !found->early);
	oclmm_explored_destroy(found);
}

/* `kernel void f(global int *x) { *x = 1; }` */
static void write_kernel(struct assembled *words)
{
	enum { VOID = 1, INT, POINTER, TYPE, ONE, F, X, LABEL };
	enum { KERNEL = 6, CROSS_WORKGROUP = 5, NAME_F = 'f', NAME_X = 'x' };

	assemble_head(words);
	ASSEMBLE(words, 15, KERNEL, F, NAME_F);
	ASSEMBLE(words, 5, F, NAME_F);
	ASSEMBLE(words, 5, X, NAME_X);
	ASSEMBLE(words, 19, VOID);
	ASSEMBLE(words, 21, INT, 32, 0);
	ASSEMBLE(words, 32, POINTER, CROSS_WORKGROUP, INT);
	ASSEMBLE(words, 33, TYPE, VOID, POINTER);
	ASSEMBLE(words, 43, INT, ONE, 1);
	ASSEMBLE(words, 54, VOID, F, 0, TYPE);
	ASSEMBLE(words, 55, POINTER, X);
	ASSEMBLE(words, 248, LABEL);
	ASSEMBLE(words, 62, X, ONE);
	assemble(words, 253, NULL, 0);
	assemble(words, 56, NULL, 0);
}

/* The launch as a test: its end x=1 is asked for, x=-1 is not. */
static void call_kernel_program(const struct oclmm_kernel_answer *answer)
{
	const int64_t one = 1, other = -1;
	const int64_t *const ends[] = {&one, &other};
	const uint64_t bits = UINT32_MAX;
	struct oclmm_program *program = oclmm_kernel_program(answer);
	int64_t value = 0;

	oclmm_kernel_observed(answer, &bits, &value);
	CHECK(value == -1);
	if (!CHECK(program->observable_count == 1 && program->location_count == 1 &&
	           program->thread_count == 1))
		return;
	CHECK_IS(program->observables[0].name, "x");
	CHECK(oclmm_condition_holds(program, program->condition, &one));
	CHECK(!oclmm_condition_holds(program, program->condition, &other));
	program->condition = oclmm_kernel_condition(answer, program, ends, 2);
	CHECK(oclmm_condition_holds(program, program->condition, &one));
	CHECK(!oclmm_condition_holds(program, program->condition, &other));
}

/* The launch for who reads the kernel's code. */
static void call_kernel_layout(const struct oclmm_kernel_answer *answer)
{
	const char *why = "";
	const struct oclmm_kernel_layout *layout = oclmm_kernel_layout(answer, &why);
	uint32_t numbers[OCLMM_KERNEL_NUMBERS];

	if (!CHECK(layout && !why))
		return;
	CHECK(layout->program->location_count == 1 && layout->variable_count == 0);
	CHECK_IS(layout->program->locations[0].name, "x");
	CHECK(layout->parameters[0] == 0 && layout->numbers[0].block == 0 &&
	      layout->numbers[0].offset == 0);
	oclmm_kernel_numbers(answer, 0, numbers);
	CHECK(numbers[0] == 1 && numbers[12] == 0 && numbers[18] == 1);
}

static void call_kernel_states(void)
{
	const struct oclmm_kernel_setup setup = {.global = {1},
	                                         .arguments = {"x=0"},
	                                         .argument_count = 1,
	                                         .asks = {"x == 1"},
	                                         .ask_count = 1};
	const struct oclmm_kernel_setup two = {.global = {2},
	                                       .arguments = {"x=0"},
	                                       .argument_count = 1};
	struct oclmm_kernel_place place;
	struct oclmm_kernel_answer *answer;
	struct oclmm_text text = {0};
	struct assembled words;
	struct oclmm_error error;
	uint64_t value = 1;

	write_kernel(&words);
	if (!CHECK(oclmm_kernel_check("f.cl", words.words, words.count * sizeof(uint32_t), &setup,
	                              &error, &answer) == 0))
		return;
	CHECK(answer->verdict == OCLMM_KERNEL_SOUND && answer->state_count == 1);
	CHECK(answer->value_count == 1 && answer->states[0].values[0] == 1);
	CHECK(answer->launch.parameter_count == 1 && answer->launch.parameters[0].size == 4);
	CHECK(!oclmm_kernel_unseen(answer));
	place = oclmm_kernel_place(answer, 0);
	CHECK(place.parameter == 0 && place.offset == 0 && place.size == 4);
	CHECK(oclmm_kernel_holds(answer, 0, &value));
	oclmm_kernel_print_state(&text, answer, &value);
	CHECK_IS(oclmm_text_string(&text), "x=1;");
	call_kernel_program(answer);
	call_kernel_layout(answer);
	value = 2;
	CHECK(!oclmm_kernel_holds(answer, 0, &value));
	/* all ends are as asked, so no execution shows how they come about */
	CHECK(oclmm_kernel_svg(&text, answer) == -ENOENT);
	oclmm_text_finish(&text);
	oclmm_kernel_answer_destroy(answer);
	if (!CHECK(oclmm_kernel_check("f.cl", words.words, words.count * sizeof(uint32_t), &two,
	                              &error, &answer) == 0))
		return;
	CHECK(answer->verdict == OCLMM_KERNEL_UNDEFINED && answer->execution.count == 1);
	CHECK_IS(answer->sides[0]->what, "write");
	CHECK(oclmm_kernel_svg(&text, answer) == 0 && oclmm_kernel_dot(&text, answer) == 0);
	CHECK_HAS(oclmm_text_string(&text), "work-item 1 of group 0");
	CHECK_HAS(oclmm_text_string(&text), "label=\"race\"");
	oclmm_text_finish(&text);
	oclmm_kernel_answer_destroy(answer);
}

static void call_whole_kernels(void)
{
	static const char text[] = "// oclmm: --kernel f -DN=2 --ask 'x[0] == 1'\n";
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_kernel_setup setup = {0};
	struct oclmm_kernel_answer *answer = NULL;
	struct oclmm_text options = {0}, source = {0}, module = {0};
	struct oclmm_error error;

	CHECK(oclmm_kernel_head(arena, "f.cl", text, &setup, &options, &error) == 0);
	CHECK_IS(setup.kernel, "f");
	CHECK_IS(setup.asks[0], "x[0] == 1");
	CHECK_HAS(oclmm_text_string(&options), "-DN=2");
	CHECK(oclmm_kernel_option(&setup, "global", "4,2", &error) == 1 && setup.global[1] == 2);
	CHECK(oclmm_kernel_option(&setup, "global", "0", &error) == -EINVAL);
	CHECK(oclmm_kernel_option(&setup, "globe", "1", &error) == 0);
	oclmm_kernel_source(&source, "f.cl", "kernel void f() {}");
	CHECK_HAS(oclmm_text_string(&source), "#line 1 \"f.cl\"\nkernel void f() {}");
	oclmm_kernel_name_lines(&source, "a\"b.cl");
	CHECK_HAS(oclmm_text_string(&source), "#line 1 \"a\\\"b.cl\"\n");
	oclmm_text_add(&module, "no module at all, but long enough for a head");
	oclmm_spirv_strip(&module);
	CHECK(oclmm_kernel_check("f.cl", module.data, module.length, &setup, &error, &answer) ==
	      -EINVAL);
	oclmm_kernel_answer_destroy(answer);
	oclmm_text_finish(&module);
	oclmm_text_finish(&source);
	oclmm_text_finish(&options);
	oclmm_arena_destroy(arena);
}

void call_kernels(const char *suite)
{
	struct oclmm_litmus *litmus = calls_read(suite, "seq-cst/SB+sc+sc");
	const struct oclmm_program *program = litmus->variants[0].program;
	const struct oclmm_check_options options = {0};
	struct oclmm_answer *answer;
	struct oclmm_error error;

	call_features(program);
	if (CHECK(oclmm_check(program, &options, &error, &answer) == 0)) {
		call_plan(program, &answer->space);
		call_generate(program, &answer->space);
		oclmm_answer_destroy(answer);
	}
	call_commands(suite);
	call_whole(suite);
	call_spirv();
	call_explore(program);
	call_whole_kernels();
	call_kernel_states();
	oclmm_litmus_destroy(litmus);
}
