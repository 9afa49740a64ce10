// SPDX-License-Identifier: Apache-2.0
/* Assembly of store buffering, and what the machine's model says of it. */
#include "calls.h"

#include "oclmm/machine.h"

static const char text[] =
	"P0:\n\tmovl $1, (%rdi)\n\tmovl (%rsi), %eax\n\tmovq %rax, (%rdx)\n\tretq\n"
	"P1:\n\tmovl $1, (%rsi)\n\tmovl (%rdi), %eax\n\tmovq %rax, (%rdx)\n\tretq\n";

static bool both_missed(void *data, const int64_t *values)
{
	(void)data;
	return values[0] == 0 && values[1] == 0;
}

static void judge(const struct oclmm_assembly *assembly, struct oclmm_cat_model *model,
                  struct oclmm_machine_answer **ret_answer)
{
	static int64_t zero;
	struct oclmm_location locations[] = {
		{.name = "x", .type = OCLMM_TYPE_INT, .elements = 1, .initial = &zero},
		{.name = "y", .type = OCLMM_TYPE_INT, .elements = 1, .initial = &zero}};
	struct oclmm_parameter parameters[] = {{.location = 0}, {.location = 1}};
	struct oclmm_register registers[] = {{.name = "r0", .type = OCLMM_TYPE_INT}};
	struct oclmm_thread threads[2];
	struct oclmm_observable observables[2];
	struct oclmm_program program = {.locations = locations,
	                                .location_count = 2,
	                                .cell_count = 2,
	                                .threads = threads,
	                                .thread_count = 2,
	                                .observables = observables,
	                                .observable_count = 2};
	const char *const functions[] = {"P0", "P1"};
	const struct oclmm_machine_options options = {.model = model, .wanted = both_missed};
	struct oclmm_error error;

	for (uint32_t i = 0; i < 2; i++) {
		threads[i] = (struct oclmm_thread){.id = i,
		                                   .placement.work_group = i,
		                                   .parameters = parameters,
		                                   .parameter_count = 2,
		                                   .registers = registers,
		                                   .register_count = 1};
		observables[i] = (struct oclmm_observable){
			.is_register = true, .thread = i, .type = OCLMM_TYPE_INT, .name = "r0"};
	}
	CHECK(oclmm_machine_judge(assembly, &program, functions, &options, &error, ret_answer) ==
	      0);
}

void call_machine(void)
{
	const struct oclmm_machine *machine = oclmm_machine_find("x86-64");
	struct oclmm_machine_answer *answer;
	struct oclmm_assembly *assembly;
	struct oclmm_cat_model *model;
	struct oclmm_error error;
	size_t length;
	const char *cat;

	if (!CHECK(machine && oclmm_machine_at(0)))
		return;
	CHECK_IS(oclmm_machine_name(machine), "x86-64");
	CHECK_IS(oclmm_machine_model_name(machine), "x86-TSO");
	cat = oclmm_machine_model_text(machine);
	CHECK_HAS(cat, "total-store-order");
	CHECK(oclmm_machine_cat(machine, "x86", cat, strlen(cat), &error, &model) == 0);
	assembly = oclmm_assembly_create(machine, text, sizeof(text) - 1);
	CHECK(oclmm_assembly_function(assembly, "P1", &length) && length > 20);
	CHECK(!oclmm_assembly_function(assembly, "P2", &length));
	judge(assembly, model, &answer);
	CHECK(answer->count == 1 && answer->executions[0].gap_count == 2);
	oclmm_machine_answer_destroy(answer);
	oclmm_assembly_destroy(assembly);
	oclmm_cat_destroy(model);
}
