// SPDX-License-Identifier: Apache-2.0
#include "test_features.h" /* features.h would hide the C library's */

#include "oclmm/codegen.h"

OCLMM_LOOK_UP(const char *, test_feature_word, test_feature, TEST_FEATURES, FIRST);
OCLMM_LOOK_UP(const char *, test_feature_meaning, test_feature, TEST_FEATURES, SECOND);

static void add(uint64_t *set, enum test_feature feature, bool has)
{
	*set |= (uint64_t)has << feature;
}

/* Codegen asks only what a device has to claim; here is what a reader looks for. */
static int add_expression(void *set, const struct oclmm_expression *e)
{
	enum oclmm_operation op;
	bool init;

	if (e->kind != OCLMM_EXPRESSION_ATOMIC)
		return 0;
	op = e->atomic->op;
	init = op == OCLMM_OP_INIT;
	add(set, TEST_FEATURE_INIT, init);
	add(set, TEST_FEATURE_ATOMIC, !init);
	add(set, TEST_FEATURE_RMW, oclmm_operation_reads(op) && oclmm_operation_writes(op));
	add(set, TEST_FEATURE_CAS, oclmm_operation_is_cas(op));
	add(set, TEST_FEATURE_FLAG, op == OCLMM_OP_FLAG_TEST_AND_SET || op == OCLMM_OP_FLAG_CLEAR);
	add(set, TEST_FEATURE_LEGACY, e->atomic->legacy);
	return 0;
}

static int add_use(void *set, const struct oclmm_use *use)
{
	add(set, TEST_FEATURE_PLAIN, !use->atomic);
	return 0;
}

static int add_statement(void *set, const struct oclmm_statement *s)
{
	add(set, TEST_FEATURE_FENCE, s->kind == OCLMM_STATEMENT_FENCE);
	add(set, TEST_FEATURE_BARRIER,
	    s->kind == OCLMM_STATEMENT_BARRIER && !s->barrier.collective);
	add(set, TEST_FEATURE_COLLECTIVE,
	    s->kind == OCLMM_STATEMENT_BARRIER && s->barrier.collective);
	add(set, TEST_FEATURE_BRANCH, s->kind == OCLMM_STATEMENT_IF);
	add(set, TEST_FEATURE_LOOP, s->kind == OCLMM_STATEMENT_WHILE);
	return 0;
}

static void add_objects(uint64_t *set, const struct oclmm_program *program)
{
	static const struct oclmm_visitor visitor = {add_expression, add_use, add_statement};

	for (uint32_t i = 0; i < program->location_count; i++) {
		add(set, TEST_FEATURE_GLOBAL, program->locations[i].space == OCLMM_SPACE_GLOBAL);
		add(set, TEST_FEATURE_LOCAL, program->locations[i].space == OCLMM_SPACE_LOCAL);
		add(set, TEST_FEATURE_SVM, oclmm_storage_is_svm(program->locations[i].storage));
	}
	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_thread *thread = &program->threads[i];

		for (uint32_t k = 0; k < thread->parameter_count; k++)
			add(set, TEST_FEATURE_VOLATILE, thread->parameters[k].is_volatile);
		oclmm_visit_body(&visitor, thread->body, set);
	}
}

/* What the generator asks of a device. */
static void add_needs(uint64_t *set, const struct oclmm_program *program)
{
	struct oclmm_features needs;
	unsigned orders;

	oclmm_program_features(program, &needs);
	orders = needs.orders | needs.fence_orders;
	add(set, TEST_FEATURE_RELAXED, orders >> OCLMM_ORDER_RELAXED & 1);
	add(set, TEST_FEATURE_ACQUIRE, orders >> OCLMM_ORDER_ACQUIRE & 1);
	add(set, TEST_FEATURE_RELEASE, orders >> OCLMM_ORDER_RELEASE & 1);
	add(set, TEST_FEATURE_ACQ_REL, orders >> OCLMM_ORDER_ACQ_REL & 1);
	add(set, TEST_FEATURE_SEQ_CST, orders >> OCLMM_ORDER_SEQ_CST & 1);
	add(set, TEST_FEATURE_SUB_GROUP, needs.scopes >> OCLMM_SCOPE_SUB_GROUP & 1);
	add(set, TEST_FEATURE_WORK_GROUP, needs.scopes >> OCLMM_SCOPE_WORK_GROUP & 1);
	add(set, TEST_FEATURE_DEVICE, needs.scopes >> OCLMM_SCOPE_DEVICE & 1);
	add(set, TEST_FEATURE_ALL, needs.scopes >> OCLMM_SCOPE_ALL_SVM_DEVICES & 1);
	add(set, TEST_FEATURE_GENERIC, needs.generic_pointers);
	add(set, TEST_FEATURE_INT64, needs.atomic_types & oclmm_types_of_width(64));
	add(set, TEST_FEATURE_FLOAT, needs.floating_types);
	add(set, TEST_FEATURE_PROGRAM_SCOPE, needs.program_scope);
	add(set, TEST_FEATURE_IMAGE, needs.images);
	add(set, TEST_FEATURE_PIPE, needs.pipes);
	add(set, TEST_FEATURE_COPY, needs.copies);
	add(set, TEST_FEATURE_ENQUEUE, needs.children);
	add(set, TEST_FEATURE_HOST, needs.host_threads);
	add(set, TEST_FEATURE_COMMAND, needs.commands);
	add(set, TEST_FEATURE_UNORDERED, needs.unordered_queue);
	add(set, TEST_FEATURE_DEVICES, needs.devices > 1);
	add(set, TEST_FEATURE_GROUPS, needs.work_groups > 1);
	add(set, TEST_FEATURE_SUB_GROUPS, needs.sub_groups);
}

uint64_t test_features(const struct oclmm_program *program)
{
	uint64_t set = 0;

	add_objects(&set, program);
	add_needs(&set, program);
	return set;
}
