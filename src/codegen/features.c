// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

static void note_type(struct oclmm_features *features, const struct oclmm_program *program,
                      const struct oclmm_place *place)
{
	if (oclmm_type_bits(program->locations[place->location].type) == 64)
		features->int64_atomics = true;
}

static void note_atomic(struct oclmm_features *features, const struct oclmm_program *program,
                        const struct oclmm_atomic *atomic)
{
	note_type(features, program, &atomic->object);
	if (atomic->op == OCLMM_OP_INIT)
		return;
	features->orders |= 1u << atomic->order;
	features->scopes |= 1u << atomic->scope;
	if (oclmm_operation_is_cas(atomic->op) && !atomic->legacy)
		features->orders |= 1u << atomic->failure;
}

static void note_expression(struct oclmm_features *features, const struct oclmm_program *program,
                            const struct oclmm_expression *e)
{
	if (!e)
		return;
	note_expression(features, program, e->left);
	note_expression(features, program, e->right);
	note_expression(features, program, e->place.index);
	if (e->kind != OCLMM_EXPRESSION_ATOMIC)
		return;
	note_atomic(features, program, e->atomic);
	note_expression(features, program, e->atomic->operand);
	note_expression(features, program, e->atomic->legacy_expected);
	note_expression(features, program, e->atomic->object.index);
	note_expression(features, program, e->atomic->expected_place.index);
}

static void note_statements(struct oclmm_features *features, const struct oclmm_program *program,
                            const struct oclmm_statement *s)
{
	for (; s; s = s->next) {
		note_expression(features, program, s->expression);
		note_expression(features, program, s->place.index);
		note_statements(features, program, s->then_body);
		note_statements(features, program, s->else_body);
		if (s->kind == OCLMM_STATEMENT_FENCE)
			features->fence_orders |= 1u << s->order;
		if (s->kind == OCLMM_STATEMENT_FENCE || s->kind == OCLMM_STATEMENT_BARRIER)
			features->scopes |= 1u << s->scope;
		if (s->kind == OCLMM_STATEMENT_BARRIER && s->sub_group)
			features->sub_groups = true;
	}
}

static void note_parameters(struct oclmm_features *features, const struct oclmm_thread *thread)
{
	for (uint32_t i = 0; i < thread->parameter_count; i++)
		features->generic_pointers |= thread->parameters[i].generic;
}

static bool same_work_group(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return !a->host && !b->host && a->device == b->device && a->work_group == b->work_group;
}

static void note_placement(struct oclmm_features *features, const struct oclmm_program *program,
                           uint32_t thread)
{
	const struct oclmm_placement *p = &program->threads[thread].placement;
	bool new_device = !p->host, new_group = !p->host;

	features->host_threads |= p->host;
	features->sub_groups |= p->sub_group_given;
	for (uint32_t i = 0; i < thread; i++) {
		const struct oclmm_placement *q = &program->threads[i].placement;

		new_device &= q->host || q->device != p->device;
		new_group &= !same_work_group(p, q);
	}
	features->devices += new_device;
	features->work_groups += new_group;
}

void oclmm_program_features(const struct oclmm_program *program,
                            struct oclmm_features *ret_features)
{
	struct oclmm_features features = {0};

	for (uint32_t i = 0; i < program->location_count; i++) {
		features.local_memory |= program->locations[i].space == OCLMM_SPACE_LOCAL;
		features.svm_atomics |= program->locations[i].storage == OCLMM_STORAGE_SVM_ATOMICS;
	}
	for (uint32_t i = 0; i < program->thread_count; i++) {
		note_statements(&features, program, program->threads[i].body);
		note_parameters(&features, &program->threads[i]);
		note_placement(&features, program, i);
	}
	if (features.scopes & (1u << OCLMM_SCOPE_SUB_GROUP))
		features.sub_groups = true;
	*ret_features = features;
}
