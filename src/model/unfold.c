// SPDX-License-Identifier: Apache-2.0
/*
 * From a thread to its paths. The thread is run symbolically, again and again;
 * wherever the way depends on a value that is read (a branch, the success of a
 * compare-exchange, an array index) a script of decisions says which way to
 * go, and what must hold of the values becomes a constraint of the path.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "walk.h"

/* A relaxed fence does nothing, C:6.15.12.5. */
static row add_fence(struct walk *w, const struct oclmm_statement *s, row before)
{
	struct oclmm_event *f;

	if (s->fence.order == OCLMM_ORDER_RELAXED)
		return before;
	f = oclmm_walk_event(w, OCLMM_EVENT_FENCE, before, s->position);
	f->order = s->fence.order;
	f->scope = s->fence.scope;
	f->flags = s->fence.flags;
	f->one_way = strcmp(s->fence.spelling, "read_mem_fence") == 0 ||
	             strcmp(s->fence.spelling, "write_mem_fence") == 0;
	return before | oclmm_walk_last(w);
}

/*
 * A barrier is a release fence at entry and an acquire fence at exit, A:3.3.9.3. Where a loop
 * may keep another work-item from it, this one may wait: a beginning of longer executions.
 */
row oclmm_walk_barrier(struct walk *w, const struct oclmm_barrier *b, row before,
                       struct oclmm_position position)
{
	uint32_t sequence = w->barriers[0] + w->barriers[1];
	uint32_t instance = w->barriers[b->sub_group]++;

	if (w->loops && oclmm_walk_choose(w, 2) == 1) {
		w->state = WAITING;
		return before;
	}
	for (int exit = 0; exit < 2 && w->state == GOING; exit++) {
		struct oclmm_event *f = oclmm_walk_event(w, OCLMM_EVENT_FENCE, before, position);

		f->order = exit ? OCLMM_ORDER_ACQUIRE : OCLMM_ORDER_RELEASE;
		f->scope = b->scope;
		f->flags = b->flags;
		f->barrier = true;
		f->entry = !exit;
		f->sub_group = b->sub_group;
		f->instance = instance;
		f->sequence = sequence;
		f->label = b->label;
		before |= oclmm_walk_last(w);
	}
	return before;
}

/* It marks what stands before it. */
static row add_enqueue(struct walk *w, const struct oclmm_statement *s, row before)
{
	oclmm_walk_event(w, OCLMM_EVENT_FENCE, before, s->position)->enqueued = s->enqueue.child +
	                                                                        1;
	return before | oclmm_walk_last(w);
}

static row run_block(struct walk *w, const struct oclmm_statement *s, row before);

static row run_while(struct walk *w, const struct oclmm_statement *s, row before)
{
	const struct oclmm_loop *loop = &s->loop;

	for (uint32_t i = 0;; i++) {
		struct result condition;

		w->statement = s;
		condition = oclmm_walk_evaluate(w, loop->condition, before);
		before = condition.done;
		if (w->state != GOING || !oclmm_walk_branch(w, condition.value) ||
		    w->state != GOING)
			return before;
		if (i == loop->unroll) {
			w->state = CUT;
			return before;
		}
		before = run_block(w, loop->body, before);
		if (w->state != GOING)
			return before;
	}
}

static row run_store(struct walk *w, const struct oclmm_store *s, row before)
{
	struct result r = oclmm_walk_evaluate(w, s->value, before);

	if (w->state != GOING)
		return r.done;

	const struct symbol *value = r.value;
	struct target t = oclmm_walk_target(w, &s->place, &r);
	struct oclmm_event *x = oclmm_walk_access(w, OCLMM_EVENT_WRITE, &t, &r);

	if (w->state == GOING)
		oclmm_walk_store(
			w, x, oclmm_walk_convert(w, oclmm_walk_object_type(w, &s->place), value));
	return r.done;
}

static row run_statement(struct walk *w, const struct oclmm_statement *s, row before)
{
	struct result r;

	w->statement = s;
	switch (s->kind) {
	case OCLMM_STATEMENT_ASSIGN:
		r = oclmm_walk_evaluate(w, s->assign.value, before);
		if (w->state == GOING)
			w->registers[s->assign.reg] = oclmm_walk_convert(
				w, w->thread->registers[s->assign.reg].type, r.value);
		return r.done;
	case OCLMM_STATEMENT_STORE: return run_store(w, &s->store, before);
	case OCLMM_STATEMENT_EVALUATE: return oclmm_walk_evaluate(w, s->effect, before).done;
	case OCLMM_STATEMENT_FENCE: return add_fence(w, s, before);
	case OCLMM_STATEMENT_BARRIER:
		return oclmm_walk_barrier(w, &s->barrier, before, s->position);
	case OCLMM_STATEMENT_COPY: return oclmm_walk_copy(w, s, before);
	case OCLMM_STATEMENT_WAIT: return oclmm_walk_wait(w, s, before);
	case OCLMM_STATEMENT_ENQUEUE: return add_enqueue(w, s, before);
	case OCLMM_STATEMENT_IF:
		r = oclmm_walk_evaluate(w, s->branch.condition, before);
		if (w->state != GOING)
			return r.done;
		return run_block(w,
		                 oclmm_walk_branch(w, r.value) ? s->branch.then_body
		                                               : s->branch.else_body,
		                 r.done);
	case OCLMM_STATEMENT_WHILE: return run_while(w, s, before);
	}
	return before;
}

static row run_block(struct walk *w, const struct oclmm_statement *s, row before)
{
	for (; s && w->state == GOING; s = s->next)
		before = run_statement(w, s, before);
	return before;
}

/* ---- paths ----------------------------------------------------------- */

static void run_thread(struct walk *w)
{
	w->choice_next = 0;
	w->event_count = w->constraint_count = w->computed_count = w->fact_count = 0;
	w->calls = 0;
	w->barriers[0] = w->barriers[1] = 0;
	w->copy_count = 0;
	memset(w->pending, 0, sizeof(w->pending));
	w->state = GOING;
	w->undefined = OCLMM_UNDEFINED_NOT;
	w->registers = OCLMM_NEW_ARRAY(w->arena, const struct symbol *,
	                               w->thread->register_count + 1);
	for (uint32_t i = 0; i < w->thread->register_count; i++)
		w->registers[i] = oclmm_walk_constant(w, w->thread->registers[i].type,
		                                      w->thread->registers[i].initial);
	run_block(w, w->thread->body, 0);
}

static void keep_path(const struct walk *w, struct path *p)
{
	unsigned n = w->event_count;

	*p = (struct path){.event_count = n,
	                   .constraint_count = w->constraint_count,
	                   .computed_count = w->computed_count,
	                   .registers = w->registers,
	                   .undefined = w->undefined,
	                   .cut = w->state == CUT || w->state == WAITING,
	                   .undefined_position = w->undefined_position,
	                   .copy_count = w->copy_count};
	memcpy(p->maker, w->maker, sizeof(p->maker));
	p->events = oclmm_arena_copy(w->arena, w->event, n * sizeof(*w->event));
	p->stored = oclmm_arena_copy(w->arena, w->stored, n * sizeof(*w->stored));
	p->constraints = oclmm_arena_copy(w->arena, w->constraint,
	                                  w->constraint_count * sizeof(*w->constraint));
	p->computed = oclmm_arena_copy(w->arena, w->computed,
	                               w->computed_count * sizeof(*w->computed));
	p->sb = OCLMM_NEW_ARRAY(w->arena, row, n + 1);
	for (unsigned i = 0; i < n; i++)
		FOR_EACH (j, w->before[i])
			p->sb[j] |= BIT(i);
	oclmm_closure(p->sb, n);
}

/* Moves the script to the next way. \return false when all have been taken. */
static bool next_script(struct walk *w)
{
	while (w->choice_count &&
	       w->decision[w->choice_count - 1] + 1 >= w->ways[w->choice_count - 1])
		w->choice_count--;
	if (!w->choice_count)
		return false;
	w->decision[w->choice_count - 1]++;
	return true;
}

static int report_failure(const struct walk *w, struct oclmm_error *error)
{
	oclmm_error_set(error, w->failure, "%s", w->failure_message);
	if (w->program->file)
		snprintf(error->file, sizeof(error->file), "%s", w->program->file);
	error->position = w->failure_position;
	return w->failure;
}

static int find_loop(void *data, const struct oclmm_statement *s)
{
	*(bool *)data |= s->kind == OCLMM_STATEMENT_WHILE;
	return 0;
}

static bool has_loops(const struct oclmm_program *program)
{
	static const struct oclmm_visitor visitor = {.statement = find_loop};
	bool loops = false;

	for (uint32_t t = 0; t < program->thread_count; t++)
		oclmm_visit_body(&visitor, program->threads[t].body, &loops);
	return loops;
}

struct walk *oclmm_walk_create(void)
{
	return oclmm_calloc(1, sizeof(struct walk));
}

void oclmm_walk_start(struct walk *w, struct oclmm_arena *arena,
                      const struct oclmm_program *program, unsigned world)
{
	w->arena = arena;
	w->program = program;
	w->world = world;
	w->loops = has_loops(program);
}

int oclmm_unfold(struct walk *w, unsigned thread, struct oclmm_error *error,
                 struct path_list *ret_paths)
{
	struct path_list list = {0};
	size_t capacity = 0;
	struct path *paths = NULL;
	int result = 0;

	w->thread_index = thread;
	w->choice_count = 0;
	w->thread = &w->program->threads[thread];
	do {
		run_thread(w);
		if (w->state == FAILED) {
			result = report_failure(w, error);
			break;
		}
		list.cut |= w->state == CUT;
		if (w->state == IMPOSSIBLE)
			continue;
		if (list.count == MAX_PATHS) {
			oclmm_walk_fail(w, -E2BIG, w->thread->position,
			                "thread has too many paths for the oracle");
			result = report_failure(w, error);
			break;
		}
		oclmm_grow(&paths, &capacity, list.count, sizeof(*paths));
		keep_path(w, &paths[list.count++]);
	} while (next_script(w));
	if (result == 0) {
		list.paths = oclmm_arena_copy(w->arena, paths, list.count * sizeof(*paths));
		*ret_paths = list;
	}
	free(paths);
	return result;
}
