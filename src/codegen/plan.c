// SPDX-License-Identifier: Apache-2.0
/*
 * What the kernels of a program look like from outside, which programs have none, and what all
 * writers ask of a program and of its plan.
 */
#include "internal.h"

#include <errno.h>
#include <stdio.h>

/* ---- threads ---- */

const struct oclmm_parameter *oclmm_find_parameter(const struct oclmm_thread *thread,
                                                   uint32_t location)
{
	for (uint32_t i = 0; i < thread->parameter_count; i++)
		if (thread->parameters[i].location == location)
			return &thread->parameters[i];
	return NULL;
}

/* Number of segments into which meetings at top level cut a body, at least 1. */
uint32_t oclmm_segments(const struct oclmm_thread *thread)
{
	uint32_t segments = 1;

	for (const struct oclmm_statement *s = thread->body; s; s = s->next)
		segments += is_meeting(s);
	return segments;
}

static int is_loop(void *data, const struct oclmm_statement *statement)
{
	(void)data;
	return statement->kind == OCLMM_STATEMENT_WHILE;
}

bool oclmm_has_loop(const struct oclmm_statement *body)
{
	static const struct oclmm_visitor visitor = {.statement = is_loop};

	return oclmm_visit_body(&visitor, body, NULL);
}

static bool has_sub_group_barrier(const struct oclmm_thread *thread)
{
	for (const struct oclmm_statement *s = thread->body; s; s = s->next)
		if (is_of_sub_group(s))
			return true;
	return false;
}

/* The types, as 1u << enum oclmm_type, of expected values that stand in memory. */
struct expected {
	const struct oclmm_program *program;
	unsigned types;
};

static int note_expected(void *data, const struct oclmm_expression *e)
{
	struct expected *expected = data;

	if (e->kind == OCLMM_EXPRESSION_ATOMIC &&
	    e->atomic->comparand.kind == OCLMM_COMPARAND_MEMORY)
		expected->types |= 1u
		                   << expected->program->locations[e->atomic->object.location].type;
	return 0;
}

unsigned oclmm_expected_types(const struct oclmm_program *program, const struct oclmm_statement *s)
{
	static const struct oclmm_visitor visitor = {.expression = note_expected};
	struct expected expected = {.program = program};

	oclmm_visit_body(&visitor, s, &expected);
	return expected.types;
}

static int reads_register(void *data, const struct oclmm_expression *e)
{
	uint32_t reg;

	return oclmm_expression_register(e, &reg) && reg == *(const uint32_t *)data;
}

static int names_register(void *data, const struct oclmm_statement *s)
{
	uint32_t reg = *(const uint32_t *)data;

	if (s->kind == OCLMM_STATEMENT_BARRIER)
		return s->barrier.assigns && s->barrier.reg == reg;
	return s->kind == OCLMM_STATEMENT_ASSIGN && s->assign.reg == reg;
}

bool oclmm_is_assigned(const struct oclmm_thread *thread, uint32_t reg)
{
	static const struct oclmm_visitor reads = {.expression = reads_register};
	static const struct oclmm_visitor names = {reads_register, NULL, names_register};

	for (const struct oclmm_statement *s = thread->body; s; s = s->next) {
		struct oclmm_statement alone = *s;

		alone.next = NULL;
		if (!oclmm_visit_body(&names, &alone, &reg))
			continue;
		return s->kind == OCLMM_STATEMENT_ASSIGN && !s->assign.collective &&
		       !oclmm_visit_statement(&reads, s, &reg);
	}
	return false;
}

bool oclmm_enqueues(const struct oclmm_thread *thread)
{
	for (const struct oclmm_statement *s = thread->body; s; s = s->next)
		if (s->kind == OCLMM_STATEMENT_ENQUEUE)
			return true;
	return false;
}

/* Whether a thread waits for each event in the segment in which it is given. */
static bool events_in_segments(const struct oclmm_thread *thread)
{
	uint32_t given = 0;

	for (const struct oclmm_statement *s = thread->body; s; s = s->next) {
		if (is_meeting(s))
			given = 0;
		if (s->kind != OCLMM_STATEMENT_ENQUEUE)
			continue;
		if (s->enqueue.after && !(given >> (s->enqueue.after - 1) & 1))
			return false;
		given |= 1u << s->enqueue.child;
	}
	return true;
}

/* ---- waits ---- */

struct polling {
	bool loads, other; /* atomically, and does anything else with memory */
};

static int note_load(void *data, const struct oclmm_expression *e)
{
	struct polling *polling = data;
	bool atomic = e->kind == OCLMM_EXPRESSION_ATOMIC;

	polling->loads |= atomic && e->atomic->op == OCLMM_OP_LOAD;
	polling->other |= e->kind == OCLMM_EXPRESSION_LOAD ||
	                  (atomic && e->atomic->op != OCLMM_OP_LOAD);
	return 0;
}

static int note_statement(void *data, const struct oclmm_statement *s)
{
	struct polling *polling = data;

	polling->other |= s->kind != OCLMM_STATEMENT_ASSIGN && s->kind != OCLMM_STATEMENT_FENCE &&
	                  s->kind != OCLMM_STATEMENT_EVALUATE;
	polling->other |= s->kind == OCLMM_STATEMENT_ASSIGN && s->assign.collective;
	return 0;
}

bool oclmm_is_wait(const struct oclmm_loop *loop)
{
	static const struct oclmm_visitor visitor = {.expression = note_load,
	                                             .statement = note_statement};
	struct polling polling = {0};

	oclmm_visit_expression(&visitor, loop->condition, &polling);
	oclmm_visit_body(&visitor, loop->body, &polling);
	return polling.loads && !polling.other;
}

static int find_wait(void *data, const struct oclmm_statement *s)
{
	bool *found = data;

	*found |= s->kind == OCLMM_STATEMENT_WHILE && oclmm_is_wait(&s->loop);
	return 0;
}

/* Where one kernel plays all roles, and the host none. */
static uint32_t find_waits(const struct oclmm_program *program,
                           const struct oclmm_kernel_plan *plan)
{
	static const struct oclmm_visitor visitor = {.statement = find_wait};
	uint32_t waits = 0;

	for (uint32_t i = 0; plan->parts == 1 && i < program->thread_count; i++) {
		bool found = false;

		oclmm_visit_body(&visitor, program->threads[i].body, &found);
		if (found && !program->threads[i].placement.child)
			waits |= 1u << i;
	}
	return waits;
}

/* ---- what is observed ---- */

/*
 * What the test kernel stores for the counting kernel: registers, final values
 * of local objects (which end with the work-group), and the threads whose
 * loops were cut, or that a device refused to enqueue. Global objects are read where they are.
 */

static uint32_t list_planes(const struct oclmm_program *program, struct oclmm_plane *planes)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];
		bool is_local = !o->is_register &&
		                program->locations[o->location].space == OCLMM_SPACE_LOCAL;

		if (!o->is_register && !is_local)
			continue;
		if (planes)
			planes[n] = (struct oclmm_plane){
				.kind = is_local ? OCLMM_PLANE_LOCAL : OCLMM_PLANE_REGISTER,
				.observable = i,
				.thread = o->thread,
			};
		n++;
	}
	for (uint32_t i = 0; i < program->thread_count; i++) {
		if (!oclmm_has_loop(program->threads[i].body) &&
		    !program->threads[i].placement.child)
			continue;
		if (planes)
			planes[n] = (struct oclmm_plane){.kind = OCLMM_PLANE_CUT, .thread = i};
		n++;
	}
	return n;
}

/* Most values are small: one byte of memory traffic instead of four or eight. */
static bool is_narrow(const struct oclmm_outcome_domain *domain)
{
	for (uint32_t i = 0; i < domain->count; i++)
		if (domain->values[i] < 0 || domain->values[i] >= 255)
			return false;
	return true;
}

struct oclmm_plane *oclmm_kernel_planes(const struct oclmm_program *program,
                                        const struct oclmm_outcome_space *space,
                                        const struct oclmm_kernel_plan *plan)
{
	struct oclmm_plane *planes = oclmm_calloc((size_t)plan->planes + 1, sizeof(*planes));

	list_planes(program, planes);
	for (uint32_t i = 0; i < plan->planes; i++)
		planes[i].narrow = planes[i].kind == OCLMM_PLANE_CUT ||
		                   is_narrow(&space->domains[planes[i].observable]);
	return planes;
}

/* ---- counters ---- */

/* With few buckets, a work-item counts in bytes packed into 64-bit words. */
enum { PACKED_BUCKETS = 32 /* four words of eight bytes */ };

uint32_t oclmm_bucket_count(const struct oclmm_writer *writer)
{
	return writer->plan->outcomes + OCLMM_BUCKET_CUT + 1;
}

uint32_t oclmm_packed_words(uint32_t buckets)
{
	return buckets <= PACKED_BUCKETS ? (buckets + 7) / 8 : 0;
}

bool oclmm_is_contiguous(const struct oclmm_outcome_domain *domain)
{
	for (uint32_t i = 1; i < domain->count; i++)
		if (domain->values[i] != domain->values[i - 1] + 1)
			return false;
	return domain->count > 0;
}

/* ---- roles ---- */

bool oclmm_roles_together(const struct oclmm_kernel_plan *plan, uint32_t a, uint32_t b)
{
	return plan->role_part[a] == plan->role_part[b] && !plan->role_child[a] &&
	       !plan->role_child[b] && plan->role_work_group[a] == plan->role_work_group[b];
}

bool oclmm_on_one_device(const struct oclmm_kernel_plan *plan)
{
	return plan->devices == 1 && plan->parts == plan->kernels;
}

uint32_t oclmm_kernel_mark(const struct oclmm_program *program,
                           const struct oclmm_codegen_options *options)
{
	const uint64_t text[] = {
		program->hash, options->any_count, options->split, options->direct,
		options->sums, options->part,      options->calm,  options->quads,
	};

	return (uint32_t)(oclmm_hash(text, sizeof(text)) << 2) | 2;
}

/* ---- which programs have kernels ---- */

static int refuse(struct oclmm_error *error, const struct oclmm_program *program,
                  const struct oclmm_position *position, const char *what)
{
	oclmm_error_set(error, -ENOTSUP, "%s cannot be run on a device", what);
	if (program->file)
		snprintf(error->file, sizeof(error->file), "%s", program->file);
	error->position = *position;
	return -ENOTSUP;
}

struct check {
	const struct oclmm_program *program;
	struct oclmm_error *error;
};

/* Division by zero, or of the least number by -1, traps on some processors. */
static int refuse_trap(void *data, const struct oclmm_expression *e)
{
	const struct check *check = data;
	const struct oclmm_expression *by;

	if (e->kind != OCLMM_EXPRESSION_BINARY ||
	    (e->binary.op != OCLMM_OPERATOR_DIV && e->binary.op != OCLMM_OPERATOR_REM))
		return 0;
	by = e->binary.right;
	if (by->kind == OCLMM_EXPRESSION_CONSTANT && by->constant != 0 && by->constant != -1)
		return 0;
	return refuse(check->error, check->program, &e->position,
	              "division by a value that may be 0 or -1");
}

static int check_body(struct check *check, struct oclmm_statement *body)
{
	static const struct oclmm_visitor traps = {.expression = refuse_trap};

	return oclmm_visit_body(&traps, body, check);
}

/* Roles meet between segments of their statements alone. */
static int refuse_inner_barrier(const struct oclmm_program *program, struct oclmm_error *error)
{
	const struct oclmm_program *fused;
	struct oclmm_arena *arena = oclmm_arena_create();
	int r = oclmm_fuse(arena, program, error, &fused);

	oclmm_arena_destroy(arena);
	return r < 0 ? r
	             : refuse(error, program, &program->threads[0].position,
	                      "a barrier inside if or while that threads written apart do not all "
	                      "come to as one statement, or by OpenCL 2.0 not equally often");
}

/* The number of a kernel's part, which may be a new one. */
static uint32_t part_of(const struct oclmm_program *program, uint32_t thread,
                        const struct oclmm_kernel_plan *plan)
{
	const struct oclmm_placement *own = &program->threads[thread].placement;

	for (uint32_t i = 0; i < thread; i++)
		if (oclmm_same_kernel(&program->threads[i].placement, own))
			return plan->role_part[i];
	return plan->kernels;
}

/* Devices and their queues are numbered anew, in the order in which the program names them. */
static void add_kernel(const struct oclmm_program *program, uint32_t thread,
                       struct oclmm_kernel_plan *plan)
{
	const struct oclmm_placement *own = &program->threads[thread].placement;
	uint32_t part = plan->kernels++, device = plan->devices, queue = 0;

	for (uint32_t i = 0; i < thread; i++) {
		const struct oclmm_placement *other = &program->threads[i].placement;
		uint32_t other_part = plan->role_part[i];

		if (other->host || other->device != own->device)
			continue;
		device = plan->part_device[other_part];
		if (plan->part_queue[other_part] >= queue)
			queue = plan->part_queue[other_part] + 1;
	}
	plan->devices += device == plan->devices;
	plan->part_device[part] = device;
	plan->part_queue[part] = queue;
}

/* A child is of the part that enqueues it. */
static int share_children(const struct oclmm_program *program, struct oclmm_kernel_plan *plan,
                          struct oclmm_error *error)
{
	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_thread *thread = &program->threads[i];
		uint32_t parent;

		if (!events_in_segments(thread))
			return refuse(error, program, &thread->position,
			              "an event of a kernel behind a barrier");
		if (!thread->placement.child)
			continue;
		if (plan->parts > 1 || !oclmm_find_enqueue(program, i, &parent))
			return refuse(error, program, &thread->position,
			              "a child kernel in a test of several kernels");
		plan->role_child[i] = true;
		plan->children++;
	}
	return 0;
}

/* Kernels in the order in which the program names them, then the host's threads one by one. */
static int share_out(const struct oclmm_program *program, struct oclmm_kernel_plan *plan,
                     struct oclmm_error *error)
{
	for (uint32_t i = 0; i < program->thread_count; i++) {
		if (program->threads[i].placement.host || program->threads[i].placement.child)
			continue;
		plan->role_part[i] = part_of(program, i, plan);
		if (plan->role_part[i] == OCLMM_KERNEL_PARTS)
			return refuse(error, program, &program->threads[i].position,
			              "a test of more than four kernels");
		if (plan->role_part[i] == plan->kernels)
			add_kernel(program, i, plan);
	}
	if (plan->kernels == 0)
		return refuse(error, program, &program->threads[0].position,
		              "a test of the host alone");
	plan->parts = plan->kernels;
	for (uint32_t i = 0; i < program->thread_count; i++)
		if (program->threads[i].placement.host)
			plan->role_part[i] = plan->parts++;
	return share_children(program, plan, error);
}

/* Whether two roles are played on one device, by one kernel or by two. */
static bool share_device(const struct oclmm_kernel_plan *plan, uint32_t a, uint32_t b)
{
	uint32_t part = plan->role_part[a], other = plan->role_part[b];

	return part < plan->kernels && other < plan->kernels &&
	       plan->part_device[part] == plan->part_device[other];
}

/* What several of them use at once lies in fine-grained shared virtual memory (A:3.3.5); without
 * atomics they race, and coarse-grained memory may not even be touched before it is mapped. */
static int check_shared(const struct oclmm_program *program, const struct oclmm_kernel_plan *plan,
                        uint32_t location, struct oclmm_error *error)
{
	const struct oclmm_location *l = &program->locations[location];
	uint32_t first = OCLMM_KERNEL_ROLES;

	if (l->space == OCLMM_SPACE_LOCAL || oclmm_storage_has_svm_atomics(l->storage) ||
	    l->storage == OCLMM_STORAGE_SVM_FINE)
		return 0;
	for (uint32_t i = 0; i < program->thread_count; i++) {
		if (!oclmm_find_parameter(&program->threads[i], location))
			continue;
		if (first == OCLMM_KERNEL_ROLES)
			first = i;
		if (i != first && !share_device(plan, i, first))
			return refuse(error, program, &program->threads[i].position,
			              l->storage == OCLMM_STORAGE_SVM_COARSE
			                      ? "coarse-grained memory in use on two sides at once"
			                      : "a buffer that two devices use at once");
	}
	return 0;
}

/* A variable at program scope is each device's own, and each program's; what several kernels do to
 * one image at once, nothing orders. */
static int check_one_kernel(const struct oclmm_program *program,
                            const struct oclmm_kernel_plan *plan, struct oclmm_error *error)
{
	for (uint32_t i = 0; i < program->location_count && plan->kernels > 1; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (l->storage == OCLMM_STORAGE_PROGRAM || oclmm_location_is_image(l))
			return refuse(error, program, &l->position,
			              oclmm_location_is_image(l)
			                      ? "an image in a test of several kernels"
			                      : "a variable at program scope in a test of several "
			                        "kernels");
	}
	return 0;
}

/* One block of memory holds all that is in shared virtual memory. */
static int check_one_kind(const struct oclmm_program *program, struct oclmm_error *error)
{
	const struct oclmm_location *first = NULL;

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (!oclmm_storage_is_svm(l->storage))
			continue;
		first = first ? first : l;
		if (l->storage != first->storage)
			return refuse(error, program, &l->position,
			              "shared virtual memory of two kinds in one test");
	}
	return 0;
}

static int check_threads(const struct oclmm_program *program, struct oclmm_kernel_plan *plan,
                         struct oclmm_error *error)
{
	int r = 0;

	if (oclmm_program_has_commands(program))
		return refuse(error, program, &program->threads[0].position,
		              "a program of commands, as one kernel,");
	r = share_out(program, plan, error);

	for (uint32_t i = 0; r == 0 && i < program->thread_count; i++)
		r = check_body(&(struct check){program, error}, program->threads[i].body);
	if (r == 0 && oclmm_has_inner_barrier(program))
		r = refuse_inner_barrier(program, error);
	for (uint32_t i = 0; r == 0 && i < program->location_count; i++)
		r = check_shared(program, plan, i, error);
	if (r == 0)
		r = check_one_kernel(program, plan, error);
	return r == 0 ? check_one_kind(program, error) : r;
}

/* The next barrier, copy or wait of a body that the others of a group come to, too; `sub_group`: or
 * of a sub-group. */
static const struct oclmm_statement *next_barrier(const struct oclmm_statement *s, bool sub_group)
{
	while (s && (!is_meeting(s) || (is_of_sub_group(s) && !sub_group)))
		s = s->next;
	return s;
}

/* Whether two threads come to barriers of the same kinds in the same order. */
static bool meet(const struct oclmm_thread *a, const struct oclmm_thread *b, bool same_sub_group)
{
	const struct oclmm_statement *s = next_barrier(a->body, same_sub_group);
	const struct oclmm_statement *t = next_barrier(b->body, same_sub_group);

	while (s && t && s->kind == t->kind && is_of_sub_group(s) == is_of_sub_group(t)) {
		s = next_barrier(s->next, same_sub_group);
		t = next_barrier(t->next, same_sub_group);
	}
	return !s && !t;
}

/* An arrival that no wait follows: a kernel that plays instance after instance would arrive again.
 */
static const struct oclmm_statement *find_lone_arrival(const struct oclmm_thread *thread)
{
	const struct oclmm_statement *arrival = NULL;

	for (const struct oclmm_statement *s = thread->body; s; s = s->next)
		if (s->kind == OCLMM_STATEMENT_BARRIER && s->barrier.part != OCLMM_BARRIER_WHOLE)
			arrival = s->barrier.part == OCLMM_BARRIER_ARRIVE ? s : NULL;
	return arrival;
}

/* Roles of one work-group meet at the same barriers, or there is no kernel for them. */
static int check_barriers(const struct oclmm_program *program, const struct oclmm_kernel_plan *plan,
                          struct oclmm_error *error)
{
	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_statement *lone = find_lone_arrival(&program->threads[i]);

		if (lone)
			return refuse(error, program, &lone->position,
			              "an arrival at a barrier that no wait follows");
		for (uint32_t j = 0; j < i; j++)
			if (oclmm_roles_together(plan, i, j) &&
			    !meet(&program->threads[i], &program->threads[j],
			          plan->role_sub_group[i] == plan->role_sub_group[j]))
				return refuse(
					error, program, &program->threads[i].position,
					"a barrier that not all work-items of the group reach");
	}
	return 0;
}

static uint32_t object_bytes(const struct oclmm_location *l)
{
	return l->elements * (oclmm_type_bits(l->type) / 8);
}

static void count_bytes(const struct oclmm_program *program, struct oclmm_kernel_plan *plan)
{
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (l->space == OCLMM_SPACE_LOCAL)
			plan->local_bytes += object_bytes(l);
		if (l->storage == OCLMM_STORAGE_PROGRAM && object_bytes(l) > plan->program_bytes)
			plan->program_bytes = object_bytes(l);
		if (oclmm_location_is_image(l) && l->elements > plan->image_elements)
			plan->image_elements = l->elements;
		plan->plain_data |= plan->work_groups > 1 && !l->atomic &&
		                    l->space != OCLMM_SPACE_LOCAL;
	}
	plan->has_local = plan->local_bytes > 0;
}

static bool same_sub_group(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return a->sub_group_given && b->sub_group_given && a->sub_group == b->sub_group;
}

/* Numbers a role's litmus work-group and, in it, its litmus sub-group: those of earlier roles, or
 * new ones. */
static void place_role(const struct oclmm_program *program, uint32_t role,
                       struct oclmm_kernel_plan *plan)
{
	const struct oclmm_placement *own = &program->threads[role].placement;
	uint32_t group = 0, sub_groups = 0, sub_group = UINT32_MAX;
	bool found = false;

	for (uint32_t i = 0; i < role; i++) {
		const struct oclmm_placement *other = &program->threads[i].placement;

		if (plan->role_part[i] != plan->role_part[role] || plan->role_child[i])
			continue;
		if (!found && plan->role_work_group[i] >= group)
			group = plan->role_work_group[i] + 1;
		if (other->work_group != own->work_group)
			continue;
		found = true;
		group = plan->role_work_group[i];
		if (plan->role_sub_group[i] >= sub_groups)
			sub_groups = plan->role_sub_group[i] + 1;
		if (same_sub_group(own, other))
			sub_group = plan->role_sub_group[i];
	}
	plan->role_work_group[role] = group;
	plan->role_sub_group[role] = sub_group == UINT32_MAX ? sub_groups : sub_group;
	if (group >= plan->work_groups)
		plan->work_groups = group + 1;
	if (plan->role_sub_group[role] >= plan->sub_groups)
		plan->sub_groups = plan->role_sub_group[role] + 1;
}

static void place_roles(const struct oclmm_program *program, struct oclmm_kernel_plan *plan)
{
	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_thread *thread = &program->threads[i];
		uint32_t crowd = 0, sub_crowd = 0;

		if (plan->role_child[i])
			continue;
		place_role(program, i, plan);
		for (uint32_t j = 0; j <= i; j++) {
			bool together = oclmm_roles_together(plan, i, j);

			crowd += together;
			sub_crowd += together && plan->role_sub_group[j] == plan->role_sub_group[i];
		}
		plan->crowd = crowd > plan->crowd ? crowd : plan->crowd;
		plan->sub_crowd = sub_crowd > plan->sub_crowd ? sub_crowd : plan->sub_crowd;
		plan->has_barrier |= oclmm_segments(thread) > 1;
		plan->in_sub_groups |= thread->placement.sub_group_given ||
		                       has_sub_group_barrier(thread);
	}
}

/* Whether one role observes everything, and few enough outcomes for a work-item to count by
 * itself. */
static void find_direct(const struct oclmm_program *program, struct oclmm_kernel_plan *plan)
{
	uint32_t role = program->observable_count > 0 ? program->observables[0].thread : 0;

	plan->direct = program->observable_count > 0 && plan->parts == 1 && plan->children == 0 &&
	               oclmm_packed_words(plan->outcomes + OCLMM_BUCKET_CUT + 1) > 0;
	for (uint32_t i = 0; i < program->observable_count; i++)
		plan->direct &= program->observables[i].is_register &&
		                program->observables[i].thread == role;
	for (uint32_t i = 0; i < program->thread_count; i++)
		plan->direct &= i == role || !oclmm_has_loop(program->threads[i].body);
	plan->direct_role = plan->direct ? role : 0;
}

static int check_limits(const struct oclmm_program *program,
                        const struct oclmm_outcome_space *space, struct oclmm_error *error)
{
	if (program->shared)
		return oclmm_error_set(error, -ENOTSUP,
		                       "a text that work-items share has no roles to be played");
	if (program->thread_count == 0)
		return oclmm_error_set(error, -ENOTSUP, "a program without threads cannot be run");
	if (program->thread_count > OCLMM_KERNEL_ROLES)
		return oclmm_error_set(error, -ENOTSUP, "more than %d threads", OCLMM_KERNEL_ROLES);
	if (program->location_count > OCLMM_KERNEL_LOCATIONS)
		return oclmm_error_set(error, -ENOTSUP, "more than %d locations",
		                       OCLMM_KERNEL_LOCATIONS);
	if (space->size > OCLMM_KERNEL_OUTCOMES)
		return oclmm_error_set(error, -ENOTSUP, "more than %d outcomes to count",
		                       OCLMM_KERNEL_OUTCOMES);
	if (space->observable_count != program->observable_count)
		return oclmm_error_set(error, -EINVAL, "the outcome space is another program's");
	return 0;
}

/* Whether a register is assigned before a meeting. */
static bool keeps_over(const struct oclmm_statement *s)
{
	bool assigned = false;

	for (; s && !(assigned && is_meeting(s)); s = s->next)
		assigned |= s->kind == OCLMM_STATEMENT_ASSIGN || s->kind == OCLMM_STATEMENT_IF ||
		            s->kind == OCLMM_STATEMENT_WHILE;
	return s != NULL;
}

static void find_alike(const struct oclmm_program *program, struct oclmm_kernel_plan *plan)
{
	for (uint32_t i = 0; i < plan->roles; i++) {
		const struct oclmm_thread *thread = &program->threads[i];
		uint32_t first = i;

		for (uint32_t k = 0; k < i && first == i; k++)
			if (oclmm_roles_together(plan, i, k) && !plan->in_sub_groups &&
			    oclmm_segments(thread) == 1 && !oclmm_enqueues(thread) &&
			    !plan->role_child[i] && oclmm_same_thread(program, i, k))
				first = k;
		plan->role_alike[i] = first;
		plan->alike |= first != i;
	}
}

int oclmm_kernel_plan(const struct oclmm_program *program, const struct oclmm_outcome_space *space,
                      struct oclmm_error *error, struct oclmm_kernel_plan *ret_plan)
{
	struct oclmm_kernel_plan plan = {
		.roles = program->thread_count,
		.outcomes = space->size,
		.observables = program->observable_count,
	};
	int r = check_limits(program, space, error);

	if (r == 0)
		r = check_threads(program, &plan, error);
	if (r < 0)
		return r;
	place_roles(program, &plan);
	r = check_barriers(program, &plan, error);
	if (r < 0)
		return r;
	plan.planes = list_planes(program, NULL);
	find_direct(program, &plan);
	for (uint32_t i = 0; i < program->observable_count; i++)
		plan.wide |= oclmm_type_observed_bits(program->observables[i].type) == 64;
	count_bytes(program, &plan);
	find_alike(program, &plan);
	for (uint32_t i = 0; i < plan.roles; i++)
		plan.keeps_over |= keeps_over(program->threads[i].body);
	plan.waits = find_waits(program, &plan);
	*ret_plan = plan;
	return 0;
}
