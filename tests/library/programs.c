// SPDX-License-Identifier: Apache-2.0
/* Litmus files of the suite, read and looked at from all sides. */
#include "calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct oclmm_litmus *calls_read(const char *suite, const char *name)
{
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_text path = {0};
	struct oclmm_error error;

	oclmm_text_printf(&path, "%s/%s.litmus", suite, name);
	if (!CHECK(oclmm_litmus_read(oclmm_text_string(&path), NULL, &error, &litmus) == 0))
		abort();
	oclmm_text_finish(&path);
	return litmus;
}

static void call_syntax(const char *suite)
{
	static const char wrong[] = "OPENCL x\n{ }\nP0 () { y = 1; }\nexists (0:r0=0)\n";
	struct oclmm_litmus *litmus = calls_read(suite, "seq-cst/SB+sc+sc"), *refused;
	struct oclmm_error error;

	CHECK_IS(litmus->name, "SB+sc+sc");
	CHECK(oclmm_litmus_find(litmus, "SB+sc+sc.order=rlx") != NULL);
	CHECK(oclmm_litmus_find(litmus, "no such variant") == NULL);
	CHECK(oclmm_litmus_parse("x", wrong, strlen(wrong), NULL, &error, &refused) == -EINVAL);
	CHECK(error.position.line == 3 && *error.message);
	oclmm_litmus_destroy(litmus);
}

static void call_conditions(const struct oclmm_program *program)
{
	const int64_t weak[] = {0, 0}, strong[] = {1, 0};
	struct oclmm_text text = {0};
	uint32_t places[2] = {7, 7};

	CHECK(program->observable_count == 2);
	CHECK(oclmm_condition_holds(program, program->condition, weak));
	CHECK(!oclmm_condition_holds(program, program->condition, strong));
	oclmm_condition_print(&text, program, program->condition);
	CHECK_IS(oclmm_text_string(&text), "0:r0=0 /\\ 1:r0=0");
	oclmm_text_finish(&text);
	oclmm_final_print(&text, program);
	CHECK_HAS(oclmm_text_string(&text), "exists (0:r0=0");
	oclmm_text_finish(&text);
	oclmm_outcome_print(&text, program, strong);
	CHECK_IS(oclmm_text_string(&text), "0:r0=1; 1:r0=0;");
	oclmm_text_finish(&text);
	CHECK(oclmm_same_observables(program, program));
	CHECK(oclmm_observables_find(program, program, places) && places[1] == 1);
	CHECK(oclmm_program_find_location(program, "y") >= 0);
	CHECK(oclmm_program_find_location(program, "nowhere") == -1);
	CHECK(oclmm_thread_find_register(&program->threads[0], "r0") >= 0);
}

static void call_placement(const struct oclmm_program *program)
{
	const struct oclmm_placement *a = &program->threads[0].placement,
				     *b = &program->threads[1].placement;
	struct oclmm_placement host = {.host = true};
	struct oclmm_text text = {0};

	CHECK(oclmm_same_kernel(a, b) && !oclmm_same_kernel(a, &host));
	CHECK(!oclmm_two_kernels(a, b));
	CHECK(!oclmm_at_commands_only(a, b, OCLMM_STORAGE_BUFFER, true));
	CHECK(oclmm_same_work_group(a, a) && !oclmm_same_work_group(a, b));
	CHECK(!oclmm_same_sub_group(a, b) && oclmm_same_group(a, a, false));
	CHECK(!oclmm_program_has_queues(program) && !oclmm_program_has_commands(program));
	CHECK(!oclmm_program_has_children(program) && !oclmm_program_has_copies(program));
	CHECK(!oclmm_program_has_images(program));
	oclmm_placement_print(&text, &host);
	CHECK_IS(oclmm_text_string(&text), "host");
	oclmm_text_finish(&text);
	CHECK(!oclmm_same_thread(program, 0, 1));
}

static int count_expression(void *data, const struct oclmm_expression *expression)
{
	(void)expression;
	++*(int *)data;
	return 0;
}

static int count_statement(void *data, const struct oclmm_statement *statement)
{
	(void)statement;
	*(int *)data += 100;
	return 0;
}

static void call_visits(const struct oclmm_program *program)
{
	const struct oclmm_visitor visitor = {.expression = count_expression,
	                                      .statement = count_statement};
	struct oclmm_statement *store = program->threads[0].body;
	struct oclmm_text text = {0};
	struct oclmm_parts parts;
	struct oclmm_expression reads = {.kind = OCLMM_EXPRESSION_REGISTER, .reg = 5};
	uint32_t reg = 0;
	int count = 0;

	CHECK(oclmm_expression_register(&reads, &reg) && reg == 5);
	/* a store and a load, and what is stored */
	CHECK(oclmm_visit_body(&visitor, store, &count) == 0 && count == 203);
	count = 0;
	CHECK(oclmm_visit_statement(&visitor, store, &count) == 0 && count % 100 == 2);
	oclmm_statement_parts(store, &parts);
	CHECK(parts.expression_count == 1 && parts.body_count == 0);
	count = 0;
	CHECK(oclmm_visit_expression(&visitor, *parts.expressions[0], &count) == 0 && count == 2);
	oclmm_expression_parts(*parts.expressions[0], &parts);
	CHECK(parts.use_count == 1 && parts.uses[0].writes && parts.uses[0].atomic);
	CHECK(!oclmm_expression_register(store->effect, &reg));
	oclmm_statement_print(&text, program, 0, store);
	CHECK_HAS(oclmm_text_string(&text), "atomic_store");
	oclmm_text_finish(&text);
}

static void call_program(const struct oclmm_program *program)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_program *copy = oclmm_program_copy(arena, program);
	struct oclmm_text text = {0}, numbered = {0};

	CHECK(oclmm_program_hash(copy) == program->hash);
	oclmm_program_print(&text, copy);
	CHECK_HAS(oclmm_text_string(&text), "OPENCL SB+sc+sc");
	oclmm_program_print_numbered(&numbered, program);
	CHECK(numbered.length > text.length);
	oclmm_text_finish(&numbered);
	oclmm_text_finish(&text);
	oclmm_arena_destroy(arena);
}

static void call_outcomes(void)
{
	int64_t values[] = {0, 1, 5}, tuple[2];
	struct oclmm_outcome_domain domains[] = {{.values = values, .count = 3},
	                                         {.values = values, .count = 2}};
	struct oclmm_outcome_space space = {.observable_count = 2, .domains = domains};

	oclmm_outcome_space_number(&space);
	CHECK(space.size == 6);
	for (uint32_t i = 0; i < space.size; i++) {
		oclmm_outcome_values(&space, i, tuple);
		CHECK(oclmm_outcome_index(&space, tuple) == i);
	}
	tuple[0] = 2;
	CHECK(oclmm_outcome_index(&space, tuple) == space.size);
}

static void call_command_order(const char *suite)
{
	struct oclmm_litmus *litmus = calls_read(suite, "command/event+queues");
	const struct oclmm_program *program = litmus->variants[0].program;
	unsigned char moments[OCLMM_MOMENTS_MOST];
	struct oclmm_command_overlap overlap;
	struct oclmm_command_order order;
	uint32_t first = 0, last = program->thread_count - 1;

	CHECK(oclmm_program_has_commands(program));
	oclmm_command_order(program, 0, &order);
	CHECK(order.count == program->thread_count * OCLMM_MOMENT_COUNT);
	CHECK(oclmm_command_ordered(&order, first, last));
	CHECK(!oclmm_command_find_overlap(program, &order, &overlap));
	CHECK(oclmm_command_way(&order, first, last, moments) >= 2);
	CHECK(oclmm_command_uses(program, first) != 0);
	CHECK_HAS(oclmm_command_function(program, first), "clEnqueue");
	CHECK(!oclmm_command_is_mapped(program, first));
	CHECK(!oclmm_is_blocking_write(program, first));
	oclmm_litmus_destroy(litmus);
	litmus = calls_read(suite, "command/blocking-write");
	program = litmus->variants[0].program;
	CHECK(oclmm_is_blocking_write(program, first));
	oclmm_command_order(program, 0, &order);
	CHECK(oclmm_command_ordered(&order, first, last));
	oclmm_command_order(program, OCLMM_COMMANDS_EARLY_WRITES, &order);
	CHECK(!oclmm_command_ordered(&order, first, last));
	oclmm_litmus_destroy(litmus);
	/* P0 uses a buffer over x, which P1 maps, and P3 the pointer */
	litmus = calls_read(suite, "command/buffer+map");
	program = litmus->variants[0].program;
	oclmm_command_order(program, 0, &order);
	CHECK(oclmm_command_by_buffer(program, 0, 0) && !oclmm_command_by_buffer(program, 3, 0));
	CHECK(oclmm_command_is_shown(program, &order, 0, 3, 0));
	CHECK(!oclmm_command_is_shown(program, &order, 3, 0, 0));
	oclmm_litmus_destroy(litmus);
	/* P1 and P5 signal semaphore 0, P2 and P6 wait for it */
	litmus = calls_read(suite, "command/semaphore+again");
	program = litmus->variants[0].program;
	CHECK(oclmm_command_signal_of(program, 2, 0) == 1);
	CHECK(oclmm_command_signal_of(program, 6, 0) == 5);
	CHECK(oclmm_command_signal_of(program, 6, 1) == 6);
	oclmm_litmus_destroy(litmus);
	/* P0 is recorded and P3 is it again, P1 and P4 replay them */
	litmus = calls_read(suite, "command/replays");
	program = litmus->variants[0].program;
	CHECK(oclmm_command_replay_of(program, 0) == 1);
	CHECK(oclmm_command_replay_of(program, 3) == 4);
	CHECK(oclmm_command_replay_of(program, 4) == program->thread_count);
	CHECK(!oclmm_command_is_changed(program, 3));
	CHECK(oclmm_command_recorded_for(program, 1) == 1 &&
	      !oclmm_command_recorded_for(program, 2));
	CHECK(!oclmm_command_several_queues(program, 1) &&
	      !oclmm_command_several_queues(program, 2));
	oclmm_litmus_destroy(litmus);
	litmus = calls_read(suite, "command/recorded+queues");
	program = litmus->variants[0].program;
	CHECK(oclmm_command_recorded_for(program, 1) == 3);
	CHECK(oclmm_command_several_queues(program, 1));
	oclmm_litmus_destroy(litmus);
	/* the same, and P3 has y in place of x */
	litmus = calls_read(suite, "command/replays+changed");
	program = litmus->variants[0].program;
	CHECK(oclmm_command_is_changed(program, 3));
	CHECK(!oclmm_command_is_changed(program, 0));
	CHECK(oclmm_command_launches(program, 3) == 0);
	CHECK(oclmm_command_reaching(program, 3) == 0);
	oclmm_litmus_destroy(litmus);
	/* P0 reaches no cell, as its size is too small; P2 is it again */
	litmus = calls_read(suite, "command/replays+reached");
	program = litmus->variants[0].program;
	CHECK(oclmm_command_launches(program, 0) == OCLMM_LAUNCH_SIZE);
	CHECK(oclmm_command_launches(program, 2) == OCLMM_LAUNCH_SIZE);
	CHECK(oclmm_command_reaching(program, 0) == 2);
	CHECK(oclmm_command_reaching(program, 3) == 3);
	oclmm_litmus_destroy(litmus);
}

static void call_children_and_copies(const char *suite)
{
	struct oclmm_litmus *litmus = calls_read(suite, "enqueue/MP+child");
	const struct oclmm_program *program = litmus->variants[0].program;
	const struct oclmm_statement *statement;
	uint32_t parent = UINT32_MAX;
	bool found = false;

	CHECK(oclmm_program_has_children(program));
	for (uint32_t i = 0; i < program->thread_count; i++)
		found |= oclmm_find_enqueue(program, i, &parent) != NULL;
	CHECK(found && parent < program->thread_count);
	oclmm_litmus_destroy(litmus);
	litmus = calls_read(suite, "copy/copy+in");
	program = litmus->variants[0].program;
	statement = program->threads[0].body;
	while (statement && statement->kind != OCLMM_STATEMENT_COPY)
		statement = statement->next;
	if (CHECK(statement != NULL)) {
		const struct oclmm_copy *copy = &statement->copy;

		CHECK(oclmm_copy_element(program, copy, &copy->to, 0) <
		      program->locations[copy->to.location].elements);
	}
	oclmm_litmus_destroy(litmus);
}

void call_programs(const char *suite)
{
	struct oclmm_litmus *litmus = calls_read(suite, "seq-cst/SB+sc+sc");
	const struct oclmm_program *program = litmus->variants[0].program;

	call_syntax(suite);
	call_conditions(program);
	call_placement(program);
	call_visits(program);
	call_program(program);
	call_outcomes();
	call_command_order(suite);
	call_children_and_copies(suite);
	oclmm_litmus_destroy(litmus);
}
