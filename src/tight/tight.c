// SPDX-License-Identifier: Apache-2.0
/*
 * The tight tests of a form, and of all forms of a size: the decorations of a form and what the
 * oracle says of them, the steps down from one, the search of the border between what is forbidden
 * and what is not, and the same by asking for every one.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oclmm/change.h"
#include "oclmm/syntax.h"
#include "oclmm/tight.h"

enum {
	MOST_ACCESSES = 8,
	MOST_FENCES = 4,
	MOST_ITEMS = MOST_ACCESSES + MOST_FENCES,
	ITEM_BITS = 5,    /* that compare its values */
	MOST_VALUES = 13, /* of an item in a cell: a fence may be absent, or has orders and flags */
};

/* Accesses in the order of the cycle, then the fences of the edges of program order. */
struct decoration {
	struct oclmm_strength item[MOST_ITEMS];
};

/* A program whose orders, scopes and flags are written into it before it is asked for. */
struct template_program {
	struct oclmm_litmus *litmus;
	struct oclmm_atomic *atomic[MOST_ACCESSES];
	struct oclmm_fence *fence[MOST_FENCES];
};

struct known; /* answers so far, by number */

struct oclmm_tight_space {
	struct oclmm_cycle form;
	bool updates;
	unsigned accesses, fences, items;
	unsigned fence_at[MOST_FENCES]; /* the access behind which it stands */
	bool writes[MOST_ACCESSES];
	unsigned regions; /* flags that a fence may have */
	struct template_program
		program[1u << MOST_ACCESSES]; /* by the set of updates; made when asked */
	struct known *known;
	size_t remembered; /* at most */
	uint64_t asked;
	int (*ended)(const void *data); /* of who searches, or NULL */
	const void *data;
};

/* ---- numbers ---- */

static const enum oclmm_scope scopes[] = {OCLMM_SCOPE_WORK_GROUP, OCLMM_SCOPE_DEVICE};

/* What one item may be, in a row: absent, or of each kind, order, scope and flags. */
static unsigned choices(const struct oclmm_tight_space *space, unsigned index)
{
	unsigned count;

	if (index < space->accesses) {
		count = oclmm_orders_of(OCLMM_ORDERED_LOAD)->count;
		if (space->updates)
			count += oclmm_orders_of(OCLMM_ORDERED_UPDATE)->count;
		return 2 * count;
	}
	count = space->regions == (OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL) ? 3 : 1;
	return 1 + 2 * count * oclmm_orders_of(OCLMM_ORDERED_FENCE)->count;
}

static unsigned order_index(const struct oclmm_strength *item)
{
	unsigned i = 0;

	while (oclmm_orders_of(item->kind)->order[i] != item->order)
		i++;
	return i;
}

static unsigned choice_of(const struct oclmm_tight_space *space, const struct oclmm_strength *item)
{
	unsigned scope = item->scope == OCLMM_SCOPE_DEVICE, order, flags;

	if (item->kind == OCLMM_ORDERED_FENCE && !item->present)
		return 0;
	order = order_index(item);
	if (item->kind == OCLMM_ORDERED_UPDATE)
		order += oclmm_orders_of(OCLMM_ORDERED_LOAD)->count;
	if (item->kind != OCLMM_ORDERED_FENCE)
		return 2 * order + scope;
	flags = space->regions == (OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL) ? item->flags - 1 : 0;
	return 1 + 2 * (oclmm_orders_of(OCLMM_ORDERED_FENCE)->count * flags + order) + scope;
}

static void choose(const struct oclmm_tight_space *space, unsigned index, unsigned choice,
                   struct oclmm_strength *ret_item)
{
	unsigned few = oclmm_orders_of(OCLMM_ORDERED_LOAD)->count,
		 fence_orders = oclmm_orders_of(OCLMM_ORDERED_FENCE)->count;

	*ret_item = (struct oclmm_strength){.kind = OCLMM_ORDERED_FENCE};
	if (index >= space->accesses) {
		if (choice-- == 0)
			return;
		ret_item->present = true;
		ret_item->order =
			oclmm_orders_of(OCLMM_ORDERED_FENCE)->order[choice / 2 % fence_orders];
		ret_item->flags = space->regions == (OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL)
		                          ? choice / 2 / fence_orders + 1
		                          : space->regions;
	} else {
		unsigned order = choice / 2;

		ret_item->present = true;
		ret_item->kind = order >= few           ? OCLMM_ORDERED_UPDATE
		                 : space->writes[index] ? OCLMM_ORDERED_STORE
		                                        : OCLMM_ORDERED_LOAD;
		ret_item->order =
			oclmm_orders_of(ret_item->kind)->order[order >= few ? order - few : order];
	}
	ret_item->scope = scopes[choice % 2];
}

static uint64_t space_number(const struct oclmm_tight_space *space,
                             const struct decoration *decoration)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < space->items; i++)
		number = number * choices(space, i) + choice_of(space, &decoration->item[i]);
	return number;
}

static void space_decoration(const struct oclmm_tight_space *space, uint64_t number,
                             struct decoration *ret_decoration)
{
	for (unsigned i = space->items; i-- > 0; number /= choices(space, i))
		choose(space, i, (unsigned)(number % choices(space, i)), &ret_decoration->item[i]);
}

uint64_t oclmm_tight_space_size(const struct oclmm_tight_space *space)
{
	uint64_t size = 1;

	for (unsigned i = 0; i < space->items; i++)
		size *= choices(space, i);
	return size;
}

/* ---- what was answered ---- */

struct known {
	struct entry {
		uint64_t number;
		unsigned models;
	} * entries;
	size_t capacity;
	struct oclmm_index index; /* of the entries, by their numbers */
};

static uint64_t hash_number(uint64_t number)
{
	return oclmm_hash(&number, sizeof(number));
}

static bool has_number(const void *things, size_t at, const void *number)
{
	const struct known *known = things;

	return known->entries[at].number == *(const uint64_t *)number;
}

static const struct entry *find_known(const struct known *known, uint64_t number)
{
	size_t at = oclmm_index_find(&known->index, hash_number(number), has_number, known,
	                             &number);

	return at == SIZE_MAX ? NULL : &known->entries[at];
}

static void remember(struct oclmm_tight_space *space, uint64_t number, unsigned models)
{
	struct known *known = space->known;

	/* what is forgotten is asked for again: memory has an end, and a form of six edges has
	 * none */
	if (known->index.count == space->remembered)
		oclmm_index_clear(&known->index);
	oclmm_grow(&known->entries, &known->capacity, known->index.count, sizeof(*known->entries));
	known->entries[oclmm_index_add(&known->index, hash_number(number))] =
		(struct entry){.number = number, .models = models};
}

/* ---- programs ---- */

static void dress(const struct oclmm_tight_space *space, const struct oclmm_strength *item,
                  unsigned index, struct oclmm_cycle *cycle)
{
	if (index < space->accesses) {
		struct oclmm_cycle_access *access = &cycle->access[index];

		access->update = item->kind == OCLMM_ORDERED_UPDATE;
		access->op = !access->update        ? OCLMM_OP_LOAD
		             : space->writes[index] ? OCLMM_OP_EXCHANGE
		                                    : OCLMM_OP_FETCH_ADD;
		access->order = item->order;
		access->scope = item->scope;
	} else if (item->present) {
		struct oclmm_cycle_access *access =
			&cycle->access[space->fence_at[index - space->accesses]];

		access->fence_count = 1;
		access->fences[0] = (struct oclmm_cycle_fence){.order = item->order,
		                                               .scope = item->scope,
		                                               .flags = item->flags};
	}
}

static void space_cycle(const struct oclmm_tight_space *space, const struct decoration *decoration,
                        struct oclmm_cycle *ret_cycle)
{
	*ret_cycle = space->form;
	for (unsigned i = 0; i < space->items; i++)
		dress(space, &decoration->item[i], i, ret_cycle);
	oclmm_cycle_settle(ret_cycle, NULL);
}

/* The accesses and fences of a thread, in the order of the text. */
static void collect(struct template_program *program, struct oclmm_statement *first,
                    unsigned *access, unsigned *fence)
{
	for (struct oclmm_statement *s = first; s; s = s->next) {
		if (s->kind == OCLMM_STATEMENT_FENCE)
			program->fence[(*fence)++] = &s->fence;
		else if (s->kind == OCLMM_STATEMENT_ASSIGN)
			program->atomic[(*access)++] = s->assign.value->atomic;
		else if (s->kind == OCLMM_STATEMENT_EVALUATE)
			program->atomic[(*access)++] = s->effect->atomic;
	}
}

/* A fence stands on each edge of program order; a relaxed one has no effect. */
static int make_program(struct oclmm_tight_space *space, unsigned updates,
                        struct template_program *program)
{
	struct decoration decoration;
	struct oclmm_cycle cycle;
	unsigned access = 0, fence = 0;
	int r;

	for (unsigned i = 0; i < space->items; i++) {
		struct oclmm_strength *item = &decoration.item[i];

		*item = (struct oclmm_strength){.kind = i >= space->accesses ? OCLMM_ORDERED_FENCE
		                                        : updates & 1u << i  ? OCLMM_ORDERED_UPDATE
		                                        : space->writes[i]   ? OCLMM_ORDERED_STORE
		                                                             : OCLMM_ORDERED_LOAD,
		                                .present = true,
		                                .order = OCLMM_ORDER_RELAXED,
		                                .scope = OCLMM_SCOPE_DEVICE,
		                                .flags = space->regions};
	}
	space_cycle(space, &decoration, &cycle);
	r = oclmm_cycle_program(&cycle, NULL, &program->litmus);
	if (r < 0)
		return r;
	for (uint32_t i = 0; i < program->litmus->variants[0].program->thread_count; i++)
		collect(program, program->litmus->variants[0].program->threads[i].body, &access,
		        &fence);
	return access == space->accesses && fence == space->fences ? 0 : -EINVAL;
}

static unsigned updates_of(const struct oclmm_tight_space *space,
                           const struct decoration *decoration)
{
	unsigned updates = 0;

	for (unsigned i = 0; i < space->accesses; i++)
		updates |= (unsigned)(decoration->item[i].kind == OCLMM_ORDERED_UPDATE) << i;
	return updates;
}

static void write_down(const struct oclmm_tight_space *space, const struct decoration *decoration,
                       struct template_program *program)
{
	for (unsigned i = 0; i < space->accesses; i++) {
		program->atomic[i]->order = decoration->item[i].order;
		program->atomic[i]->scope = decoration->item[i].scope;
	}
	for (unsigned i = 0; i < space->fences; i++) {
		const struct oclmm_strength *item = &decoration->item[space->accesses + i];

		program->fence[i]->order = item->present ? item->order : OCLMM_ORDER_RELAXED;
		program->fence[i]->scope = item->present ? item->scope : OCLMM_SCOPE_DEVICE;
		program->fence[i]->flags = item->present ? item->flags : space->regions;
	}
}

/* The state of the outcome is the only one that the condition holds in. */
static unsigned forbidding(const struct oclmm_answer *answer)
{
	unsigned models = 0;

	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++) {
		bool forbidden = (OCLMM_TIGHT_MODELS & 1u << m) && !answer->undefined[m];

		for (uint32_t i = 0; forbidden && i < answer->state_count; i++)
			forbidden = !answer->states[i].condition ||
			            answer->states[i].status[m] == OCLMM_STATUS_FORBIDDEN;
		models |= (unsigned)forbidden << m;
	}
	return models;
}

/* The models that forbid it, or a negative errno value. */
static int space_consult(struct oclmm_tight_space *space, const struct decoration *decoration)
{
	const struct oclmm_check_options options = {.models = OCLMM_TIGHT_MODELS,
	                                            .ended = space->ended,
	                                            .data = space->data};
	unsigned updates = updates_of(space, decoration), models;
	struct template_program *program = &space->program[updates];
	struct oclmm_error error;
	struct oclmm_answer *answer;
	int r;

	if (!program->litmus) {
		r = make_program(space, updates, program);
		if (r < 0)
			return r;
	}
	write_down(space, decoration, program);
	r = oclmm_check(program->litmus->variants[0].program, &options, &error, &answer);
	if (r < 0)
		return r;
	models = forbidding(answer);
	oclmm_answer_destroy(answer);
	space->asked++;
	return (int)models;
}

/* The same; it remembers what was answered. */
static int space_ask(struct oclmm_tight_space *space, const struct decoration *decoration)
{
	uint64_t number = space_number(space, decoration);
	const struct entry *entry = find_known(space->known, number);
	int models;

	if (entry)
		return (int)entry->models;
	models = space_consult(space, decoration);
	if (models >= 0)
		remember(space, number, (unsigned)models);
	return models;
}

int oclmm_tight_space_ask(struct oclmm_tight_space *space, uint64_t number)
{
	struct decoration decoration;

	space_decoration(space, number, &decoration);
	return space_ask(space, &decoration);
}

void oclmm_tight_space_cycle(const struct oclmm_tight_space *space, uint64_t number,
                             struct oclmm_cycle *ret_cycle)
{
	struct decoration decoration;

	space_decoration(space, number, &decoration);
	space_cycle(space, &decoration, ret_cycle);
}

static bool find_access(const struct oclmm_tight_space *space,
                        const struct oclmm_cycle_access *access, unsigned index,
                        struct oclmm_strength *ret_item)
{
	*ret_item = (struct oclmm_strength){
		.kind = access->update         ? OCLMM_ORDERED_UPDATE
	                : space->writes[index] ? OCLMM_ORDERED_STORE
	                                       : OCLMM_ORDERED_LOAD,
		.present = true,
		.order = access->order,
		.scope = access->scope ? access->scope : OCLMM_SCOPE_DEVICE,
	};
	return access->order != OCLMM_ORDER_NONE && !access->fails && !access->legacy &&
	       (access->update ? space->updates && access->op != OCLMM_OP_CAS_WEAK
	                       : access->op == OCLMM_OP_LOAD);
}

static bool find_fence(const struct oclmm_tight_space *space,
                       const struct oclmm_cycle_access *access, struct oclmm_strength *ret_item)
{
	const struct oclmm_cycle_fence *fence = &access->fences[0];

	*ret_item = (struct oclmm_strength){.kind = OCLMM_ORDERED_FENCE};
	if (access->fence_count == 0 || fence->order == OCLMM_ORDER_RELAXED)
		return access->fence_count < 2;
	ret_item->present = true;
	ret_item->order = fence->order;
	ret_item->scope = fence->scope ? fence->scope : OCLMM_SCOPE_DEVICE;
	ret_item->flags = (fence->flags ? fence->flags : space->regions) & space->regions;
	return access->fence_count == 1 && fence->kind == OCLMM_CYCLE_FENCE_FENCE &&
	       ret_item->flags;
}

static bool is_scope(const struct oclmm_strength *item)
{
	return !item->present || item->scope == OCLMM_SCOPE_WORK_GROUP ||
	       item->scope == OCLMM_SCOPE_DEVICE;
}

bool oclmm_tight_space_find(const struct oclmm_tight_space *space, const struct oclmm_cycle *cycle,
                            uint64_t *ret_number)
{
	struct decoration decoration;

	for (unsigned i = 0; i < space->items; i++) {
		bool fence = i >= space->accesses;
		unsigned at = fence ? space->fence_at[i - space->accesses] : i;
		struct oclmm_strength *item = &decoration.item[i];

		if (!(fence ? find_fence(space, &cycle->access[at], item)
		            : find_access(space, &cycle->access[at], at, item)) ||
		    !is_scope(item))
			return false;
	}
	*ret_number = space_number(space, &decoration);
	return true;
}

/* ---- the space ---- */

/* Leaves edges, regions and groups. False where there is more that no decoration says. */
static bool space_undress(struct oclmm_cycle *cycle)
{
	struct oclmm_cycle old = *cycle;

	for (unsigned i = 0; i < cycle->count; i++) {
		const struct oclmm_cycle_location *location = &old.location[old.access[i].location];
		struct oclmm_link *link = &cycle->link[i];
		const struct oclmm_placement *a = &old.placement[old.access[i].thread];
		const struct oclmm_placement *b =
			&old.placement[old.access[(i + 1) % old.count].thread];
		bool local = location->space == OCLMM_SPACE_LOCAL;

		if (location->type != OCLMM_TYPE_INT || location->svm || a->host || a->device ||
		    link->same != link->external || link->kind > OCLMM_LINK_PO ||
		    (old.access[i].reads && old.access[i].writes))
			return false;
		cycle->access[i] = (struct oclmm_cycle_access){.order = OCLMM_ORDER_RELAXED,
		                                               .local = local,
		                                               .global = !local};
		if (link->external)
			link->near = oclmm_same_work_group(a, b) ? OCLMM_SCOPE_WORK_GROUP
			                                         : OCLMM_SCOPE_DEVICE;
	}
	return oclmm_cycle_settle(cycle, NULL) == 0;
}

struct oclmm_tight_space *oclmm_tight_space_create(const struct oclmm_cycle *form, bool updates)
{
	enum { REMEMBERED = 1 << 21 };
	struct oclmm_tight_space *space;
	unsigned fences = 0;
	struct oclmm_cycle bare = *form;

	for (unsigned i = 0; i < form->count; i++)
		fences += !form->link[i].external;
	if (form->count > MOST_ACCESSES || fences > MOST_FENCES || !space_undress(&bare))
		return NULL;
	space = oclmm_calloc(1, sizeof(*space));
	space->known = oclmm_calloc(1, sizeof(*space->known));
	space->remembered = REMEMBERED;
	space->form = bare;
	space->updates = updates;
	space->accesses = form->count;
	for (unsigned i = 0; i < form->count; i++) {
		space->writes[i] = form->access[i].writes;
		if (!form->link[i].external)
			space->fence_at[space->fences++] = i;
	}
	space->items = space->accesses + space->fences;
	for (unsigned i = 0; i < form->location_count; i++)
		space->regions |= 1u << form->location[i].space;
	return space;
}

void oclmm_tight_space_destroy(struct oclmm_tight_space *space)
{
	if (!space)
		return;
	for (size_t i = 0; i < OCLMM_COUNT(space->program); i++)
		oclmm_litmus_destroy(space->program[i].litmus);
	oclmm_index_finish(&space->known->index);
	free(space->known->entries);
	free(space->known);
	free(space);
}

/* ---- steps down ---------------------------------------------------------------------- */

struct stepping {
	const struct oclmm_tight_space *space;
	const struct decoration *from;
	struct decoration now;
	unsigned item; /* under change */
	int (*each)(void *data, const struct decoration *weaker);
	void *data;
};

static int step(struct stepping *s)
{
	int r = s->each(s->data, &s->now);

	s->now = *s->from;
	return r;
}

static int step_item(void *data, enum oclmm_weaker what, const struct oclmm_strength *weaker)
{
	struct stepping *s = data;

	(void)what;
	s->now.item[s->item] = *weaker;
	return step(s);
}

static bool is_wide(const struct stepping *s, unsigned i)
{
	return s->from->item[i].present && s->from->item[i].scope == OCLMM_SCOPE_DEVICE;
}

/* Any scopes narrower: where scopes have to be equal, one alone would not do. */
static int step_scopes(struct stepping *s)
{
	unsigned wide = 0;
	int r = 0;

	for (unsigned i = 0; i < s->space->items; i++)
		wide |= (unsigned)is_wide(s, i) << i;
	for (unsigned set = wide; r == 0 && set; set = (set - 1) & wide) {
		for (unsigned i = 0; i < s->space->items; i++) {
			if (set & 1u << i)
				s->now.item[i].scope = oclmm_scope_narrower(s->now.item[i].scope);
		}
		r = step(s);
	}
	return r;
}

/* Each step down. `each` returns non-zero to end; that is returned. */
static int space_steps(const struct oclmm_tight_space *space, const struct decoration *decoration,
                       int (*each)(void *data, const struct decoration *weaker), void *data)
{
	struct stepping s = {
		.space = space, .from = decoration, .now = *decoration, .each = each, .data = data};
	/* scopes are another matter: one alone may be of no use */
	const unsigned steps = 1u << OCLMM_WEAKER_ORDER | 1u << OCLMM_WEAKER_PART |
	                       1u << OCLMM_WEAKER_REMOVED | 1u << OCLMM_WEAKER_FLAGS;
	int r = 0;

	/* an update becomes the load or store that the cycle needs */
	for (s.item = 0; r == 0 && s.item < space->items; s.item++)
		r = oclmm_weaker_each(&decoration->item[s.item], steps,
		                      s.item < space->accesses && space->writes[s.item]
		                              ? OCLMM_ORDERED_STORE
		                              : OCLMM_ORDERED_LOAD,
		                      step_item, &s);
	return r == 0 ? step_scopes(&s) : r;
}

struct numbering {
	const struct oclmm_tight_space *space;
	void (*each)(void *data, uint64_t weaker);
	void *data;
};

static int give_number(void *data, const struct decoration *weaker)
{
	struct numbering *numbering = data;

	numbering->each(numbering->data, space_number(numbering->space, weaker));
	return 0;
}

void oclmm_tight_space_steps(const struct oclmm_tight_space *space, uint64_t number,
                             void (*each)(void *data, uint64_t weaker), void *data)
{
	struct numbering numbering = {.space = space, .each = each, .data = data};
	struct decoration decoration;

	space_decoration(space, number, &decoration);
	space_steps(space, &decoration, give_number, &numbering);
}

/* ---- forms --------------------------------------------------------------------------- */

struct listing {
	int (*each)(void *data, const struct oclmm_cycle *form);
	void *data;
};

/* The cycle from another access on. */
static bool rotate(const struct oclmm_cycle *cycle, unsigned by, struct oclmm_cycle *ret_cycle)
{
	*ret_cycle = *cycle;
	for (unsigned i = 0; i < cycle->count; i++) {
		ret_cycle->access[i] = cycle->access[(i + by) % cycle->count];
		ret_cycle->link[i] = cycle->link[(i + by) % cycle->count];
	}
	return oclmm_cycle_settle(ret_cycle, NULL) == 0;
}

static bool same_edges(const struct oclmm_cycle *a, const struct oclmm_cycle *b)
{
	for (unsigned i = 0; i < a->count; i++) {
		const struct oclmm_link *x = &a->link[i], *y = &b->link[i];

		if (x->kind != y->kind || x->external != y->external || x->same != y->same ||
		    x->from_write != y->from_write || x->to_write != y->to_write)
			return false;
	}
	return true;
}

static int compare_words(const struct oclmm_cycle *a, const struct oclmm_cycle *b)
{
	struct oclmm_text x = {0}, y = {0};
	int order;

	oclmm_cycle_print(&x, a);
	oclmm_cycle_print(&y, b);
	order = strcmp(oclmm_text_string(&x), oclmm_text_string(&y));
	oclmm_text_finish(&x);
	oclmm_text_finish(&y);
	return order;
}

/* Forms come before what is said on them, since each form is searched for itself. */
static int compare_forms(const struct oclmm_cycle *a, const struct oclmm_cycle *b)
{
	struct oclmm_cycle x = *a, y = *b;
	int order = 0;

	if (space_undress(&x) && space_undress(&y))
		order = compare_words(&x, &y);
	return order ? order : compare_words(a, b);
}

/*
 * Whether a cycle stands for all of its rotations that have the same edges: its form is printed
 * first, and of those with that form itself.
 */
static bool forms_is_first(const struct oclmm_cycle *cycle)
{
	for (unsigned by = 1; by < cycle->count; by++) {
		struct oclmm_cycle other;

		if (cycle->link[by - 1].external && rotate(cycle, by, &other) &&
		    same_edges(cycle, &other) && compare_forms(&other, cycle) < 0)
			return false;
	}
	return true;
}

void oclmm_tight_turn(struct oclmm_cycle *cycle)
{
	const struct oclmm_cycle from = *cycle;

	for (unsigned by = 1; by < from.count; by++) {
		struct oclmm_cycle other;

		if (from.link[by - 1].external && rotate(&from, by, &other) &&
		    same_edges(&from, &other) && compare_forms(&other, cycle) < 0)
			*cycle = other;
	}
}

/* Says of each edge between threads whether they share a group, and of each location its region. */
static bool dress_form(struct oclmm_cycle *cycle, unsigned groups, unsigned locals)
{
	unsigned external = 0;

	for (unsigned i = 0; i < cycle->count; i++) {
		struct oclmm_cycle_access *access = &cycle->access[i];

		access->local = locals & 1u << access->location;
		access->global = !access->local;
		if (cycle->link[i].external)
			cycle->link[i].near = groups & 1u << external++ ? OCLMM_SCOPE_WORK_GROUP
			                                                : OCLMM_SCOPE_DEVICE;
	}
	return oclmm_cycle_settle(cycle, NULL) == 0;
}

static int dress_forms(void *data, const struct oclmm_cycle *cycle)
{
	const struct listing *listing = data;
	int r = 0;

	for (unsigned locals = 0; r == 0 && locals < 1u << cycle->location_count; locals++) {
		for (unsigned groups = 0; r == 0 && groups < 1u << cycle->thread_count; groups++) {
			struct oclmm_cycle form = *cycle;

			if (dress_form(&form, groups, locals) && forms_is_first(&form))
				r = listing->each(listing->data, &form);
		}
	}
	return r;
}

/* Calls for each form of a size, once for all its rotations. */
static int forms_all(unsigned edges, int (*each)(void *data, const struct oclmm_cycle *form),
                     void *data)
{
	struct listing listing = {.each = each, .data = data};

	return oclmm_cycles(&(struct oclmm_cycle_size){.edges = edges}, dress_forms, &listing);
}

/* ---- the border in a cell ------------------------------------------------------------ */

/*
 * The border lies between what is forbidden and what is not, among decorations of one cell: those
 * with the same updates and scopes. Stronger orders, more fences and more flags forbid more. From
 * answers so far follow those for all that is above a forbidden one and below another. Regions of
 * the rest are taken apart, each below a strongest element: what is not above a forbidden one has
 * to be weaker than it in some item. A region ends where its strongest element is not forbidden.
 *
 * OpenCL 2.0 has the order S only if no seq_cst operation has scope work_group: there, and for
 * consensus, decorations with such an operation are compared among themselves only.
 */

/* The decorations with these updates and, where fences are, these scopes. */
struct cell {
	unsigned updates; /* set of accesses */
	unsigned scopes;  /* set of items: those of scope device */
};

/* What an item may be in a cell, but for its scope: in a row, the weaker first. */
struct choice {
	unsigned count;
	struct oclmm_strength value[MOST_VALUES];
	unsigned bits[MOST_VALUES];
	unsigned above[MOST_VALUES], below[MOST_VALUES]; /* sets, with itself */
	unsigned allowed;                                /* set of those that are searched */
};

/* A decoration of a cell: for each item an index into its choice. */
struct element {
	uint8_t value[MOST_ITEMS];
	uint64_t bits; /* of all its values */
};
_Static_assert(ITEM_BITS *MOST_ITEMS <= 64, "a number has the bits of all items");
struct elements {
	struct element *elements;
	size_t count, capacity;
};

/* Decorations of a part are compared with each other: those with a seq_cst operation of scope
 * work_group, where a model makes the difference, and the others. */
enum { PART_OTHERS, PART_NARROW, PARTS };

static enum oclmm_ordered cell_kind(const struct oclmm_tight_space *space, const struct cell *cell,
                                    unsigned item)
{
	if (item >= space->accesses)
		return OCLMM_ORDERED_FENCE;
	if (cell->updates & 1u << item)
		return OCLMM_ORDERED_UPDATE;
	return space->writes[item] ? OCLMM_ORDERED_STORE : OCLMM_ORDERED_LOAD;
}

struct border {
	struct oclmm_tight_space *space;
	struct choice kinds[OCLMM_ORDERED_COUNT][2]; /* all, and without the strongest order */
	const struct cell *cell;
	unsigned model, part;
	const struct choice *choices[MOST_ITEMS];
	struct elements least;    /* forbidden, or excluded: so is what is above */
	struct elements greatest; /* not forbidden: nor is what is below */
	struct elements *found;
};

/* One value is at most as strong as another one if it has no other bits. */
static unsigned bits_of(const struct oclmm_strength *item)
{
	if (!item->present)
		return 0;
	return (unsigned)oclmm_order_leq(OCLMM_ORDER_ACQUIRE, item->order) |
	       (unsigned)oclmm_order_leq(OCLMM_ORDER_RELEASE, item->order) << 1 |
	       (unsigned)oclmm_order_leq(OCLMM_ORDER_SEQ_CST, item->order) << 2 | item->flags << 3;
}

static void add_value(struct choice *choice, struct oclmm_strength item)
{
	choice->allowed |= 1u << choice->count;
	choice->bits[choice->count] = bits_of(&item);
	choice->value[choice->count++] = item;
}

/* From weak to strong: no value stands behind one that is above it. */
static void fill_choice(struct choice *choice, enum oclmm_ordered kind, unsigned regions)
{
	bool fence = kind == OCLMM_ORDERED_FENCE;

	if (fence)
		add_value(choice, (struct oclmm_strength){.kind = kind});
	for (unsigned flags = 0; flags <= (fence ? regions : 0); flags++) {
		if (fence && (!flags || flags & ~regions))
			continue;
		for (unsigned i = 0; i < oclmm_orders_of(kind)->count; i++)
			add_value(choice,
			          (struct oclmm_strength){.kind = kind,
			                                  .present = true,
			                                  .order = oclmm_orders_of(kind)->order[i],
			                                  .flags = flags});
	}
	for (unsigned a = 0; a < choice->count; a++) {
		for (unsigned b = 0; b < choice->count; b++) {
			bool leq = !(choice->bits[a] & ~choice->bits[b]);

			choice->above[a] |= (unsigned)leq << b;
			choice->below[b] |= (unsigned)leq << a;
		}
	}
}

static bool is_seq_cst(const struct choice *choice, unsigned value)
{
	return choice->value[value].present && choice->value[value].order == OCLMM_ORDER_SEQ_CST;
}

static struct border *border_create(struct oclmm_tight_space *space)
{
	struct border *border = oclmm_calloc(1, sizeof(*border));

	border->space = space;
	for (unsigned kind = 0; kind < OCLMM_ORDERED_COUNT; kind++) {
		struct choice *all = &border->kinds[kind][0], *few = &border->kinds[kind][1];

		fill_choice(all, kind, space->regions);
		*few = *all;
		for (unsigned v = 0; v < all->count; v++) {
			if (is_seq_cst(all, v))
				few->allowed &= ~(1u << v);
		}
	}
	return border;
}

static void border_destroy(struct border *border)
{
	free(border->least.elements);
	free(border->greatest.elements);
	free(border);
}

static unsigned border_parts(unsigned model)
{
	return model == OCLMM_MODEL_OPENCL_2_0 || model == OCLMM_MODEL_CONSENSUS ? PARTS : 1;
}

/* seq_cst of scope work_group. */
static bool is_narrow(const struct border *border, unsigned dim, unsigned value)
{
	return !(border->cell->scopes & 1u << dim) && is_seq_cst(border->choices[dim], value);
}

static bool is_of_part(const struct border *border, const struct element *element)
{
	if (border->part != PART_NARROW)
		return true; /* no other value is allowed */
	for (unsigned d = 0; d < border->space->items; d++) {
		if (is_narrow(border, d, element->value[d]))
			return true;
	}
	return false;
}

static void enter_cell(struct border *border, const struct cell *cell)
{
	const struct oclmm_tight_space *space = border->space;
	bool classes = border_parts(border->model) > 1;

	border->cell = cell;
	for (unsigned i = 0; i < space->items; i++) {
		enum oclmm_ordered kind = cell_kind(space, cell, i);
		bool wide = cell->scopes >> i & 1;

		border->choices[i] =
			&border->kinds[kind][classes && border->part != PART_NARROW && !wide];
	}
	border->least.count = border->greatest.count = 0;
}

static void border_decoration(const struct border *border, const struct cell *cell,
                              const struct element *element, struct decoration *ret_decoration)
{
	for (unsigned i = 0; i < border->space->items; i++) {
		enum oclmm_ordered kind = cell_kind(border->space, cell, i);
		struct oclmm_strength *item = &ret_decoration->item[i];

		*item = border->kinds[kind][0].value[element->value[i]];
		if (item->present)
			item->scope = cell->scopes >> i & 1 ? OCLMM_SCOPE_DEVICE
			                                    : OCLMM_SCOPE_WORK_GROUP;
	}
}

/* Whether the model forbids it, or a negative errno value. */
static int border_ask(struct border *border, const struct cell *cell, const struct element *element,
                      unsigned model)
{
	struct decoration decoration;
	int models;

	border_decoration(border, cell, element, &decoration);
	models = space_ask(border->space, &decoration);
	return models < 0 ? models : models >> model & 1;
}

static void elements_add(struct elements *elements, const struct element *element)
{
	oclmm_grow(&elements->elements, &elements->capacity, elements->count,
	           sizeof(*elements->elements));
	elements->elements[elements->count++] = *element;
}

/* Whether it is at most as strong in each item. */
static bool elements_leq(const struct element *a, const struct element *b)
{
	return !(a->bits & ~b->bits);
}

/* Keeps only what is above no other one: those above the element go. */
static void elements_add_least(struct elements *elements, const struct element *element)
{
	size_t kept = 0;

	for (size_t i = 0; i < elements->count; i++) {
		if (elements_leq(&elements->elements[i], element))
			return; /* none is above it that is not above this one, too */
	}
	for (size_t i = 0; i < elements->count; i++) {
		if (!elements_leq(element, &elements->elements[i]))
			elements->elements[kept++] = elements->elements[i];
	}
	elements->count = kept;
	elements_add(elements, element);
}

static void set_value(const struct border *border, struct element *element, unsigned item,
                      unsigned value)
{
	unsigned shift = ITEM_BITS * item;

	element->value[item] = (uint8_t)value;
	element->bits &= ~((((uint64_t)1 << ITEM_BITS) - 1) << shift);
	element->bits |= (uint64_t)border->choices[item]->bits[value] << shift;
}

static bool is_above_any(const struct border *border, const struct element *at)
{
	for (size_t i = 0; i < border->least.count; i++) {
		if (elements_leq(&border->least.elements[i], at))
			return true;
	}
	return false;
}

static bool is_below_any(const struct border *border, const struct element *at)
{
	for (size_t i = 0; i < border->greatest.count; i++) {
		if (elements_leq(at, &border->greatest.elements[i]))
			return true;
	}
	return false;
}

/*
 * Down to a least one, item by item: what cannot be weaker now cannot be when others are weaker
 * still. Of an item's values the first that is forbidden is a least one.
 */
static int descend(struct border *border, struct element *at)
{
	for (unsigned d = 0; d < border->space->items; d++) {
		const struct choice *choice = border->choices[d];
		unsigned from = at->value[d], below = choice->below[from] & choice->allowed;
		int forbidden = 0;

		for (unsigned v = 0; v < from && !forbidden; v++) {
			set_value(border, at, d, v);
			if (!(below >> v & 1) || !is_of_part(border, at))
				continue;
			forbidden = border_ask(border, border->cell, at, border->model);
			if (forbidden < 0)
				return forbidden;
		}
		if (!forbidden)
			set_value(border, at, d, from);
	}
	return 0;
}

/* As strong as may be without what is forbidden, so that it decides much. */
static void ascend(const struct border *border, struct element *at)
{
	for (unsigned d = 0; d < border->space->items; d++) {
		const struct choice *choice = border->choices[d];
		unsigned from = at->value[d], above = choice->above[from] & choice->allowed;

		for (unsigned v = choice->count; v-- > from;) {
			set_value(border, at, d, v);
			if (above >> v & 1 && !is_above_any(border, at))
				break;
		}
	}
}

/* An element that nothing decides: the border runs through what it is above or below. */
static int settle(struct border *border, const struct element *open)
{
	struct element at = *open;
	int r;

	ascend(border, &at);
	r = border_ask(border, border->cell, &at, border->model);
	if (r == 0) {
		elements_add(&border->greatest, &at);
		return 0;
	}
	if (r > 0)
		r = descend(border, &at);
	if (r < 0)
		return r;
	elements_add(&border->least, &at);
	elements_add(border->found, &at);
	return 0;
}

/* For each item what it may be; `top` is the strongest of it. */
struct region {
	struct element top;
	uint16_t values[MOST_ITEMS];
};

/* What an item may be in the region, and not as strong as in `least`. */
static unsigned weaker(const struct border *border, const struct region *region, unsigned dim,
                       const struct element *least)
{
	return region->values[dim] & ~border->choices[dim]->above[least->value[dim]];
}

/* A forbidden or excluded element below the top from which the fewest ways lead down. */
static const struct element *find_obstacle(const struct border *border, const struct region *region)
{
	const struct element *best = NULL;
	unsigned fewest = ~0u;

	for (size_t i = 0; fewest > 1 && i < border->least.count; i++) {
		const struct element *least = &border->least.elements[i];
		unsigned ways = 0;

		if (!elements_leq(least, &region->top))
			continue;
		for (unsigned d = 0; d < border->space->items; d++)
			ways += weaker(border, region, d, least) != 0;
		if (ways < fewest) {
			fewest = ways;
			best = least;
		}
	}
	return best;
}

static int walk(struct border *border, struct region region);

/* The regions that are weaker than an obstacle in one item, and in none before it. */
static int go_around(struct border *border, struct region *region, struct element obstacle)
{
	int r = 0;

	for (unsigned d = 0; r == 0 && d < border->space->items; d++) {
		const struct choice *choice = border->choices[d];
		unsigned left = weaker(border, region, d, &obstacle);

		for (unsigned v = choice->count; r == 0 && left && v-- > 0;) {
			struct region part = *region;

			if (!(left >> v & 1))
				continue;
			set_value(border, &part.top, d, v);
			part.values[d] = (uint16_t)(left & choice->below[v]);
			left &= ~choice->below[v];
			r = walk(border, part);
		}
		region->values[d] &= (uint16_t)choice->above[obstacle.value[d]];
	}
	return r;
}

static int walk(struct border *border, struct region region)
{
	const struct element *obstacle = NULL;
	int r = 0;

	while (r == 0 && !obstacle) {
		if (!is_of_part(border, &region.top) || is_below_any(border, &region.top))
			return 0;
		obstacle = find_obstacle(border, &region);
		if (!obstacle)
			r = settle(border, &region.top);
	}
	return r < 0 ? r : go_around(border, &region, *obstacle);
}

/* Finds the least forbidden elements of a cell, but for those at or above an excluded one. */
static int border_search(struct border *border, const struct cell *cell, unsigned model,
                         unsigned part, const struct elements *excluded, struct elements *found)
{
	struct region all = {.top = {.bits = 0}};

	border->model = model;
	border->part = part;
	border->found = found;
	enter_cell(border, cell);
	for (unsigned d = 0; d < border->space->items; d++) {
		unsigned allowed = border->choices[d]->allowed;

		all.values[d] = (uint16_t)allowed;
		set_value(border, &all.top, d, 31u - (unsigned)__builtin_clz(allowed));
	}
	for (size_t i = 0; i < excluded->count; i++)
		elements_add_least(&border->least, &excluded->elements[i]);
	return walk(border, all);
}

/* ---- all cells of a form ------------------------------------------------------------- */

/*
 * The cells of a form, from weak to strong: those with the same updates and scopes. What stands a
 * step above something forbidden is not tight, whatever the oracle says of it. So each cell is
 * searched only where no cell a step below, with fewer updates or narrower scopes, has shown that.
 * Nothing is concluded from one cell on what another forbids.
 */

struct range {
	uint32_t first, count;
};

/* What is known to be forbidden, cell after cell; other elements may be above it. */
struct history {
	struct elements known;
	struct range *ranges; /* by cell */
};

struct cells {
	struct oclmm_tight_space *space;
	struct border *border;
	struct history history[OCLMM_MODEL_COUNT][PARTS];
	struct elements excluded, seeds, found;
	int (*each)(void *data, const struct decoration *decoration);
	void *data;
};

static struct range *range_of(const struct cells *cells, const struct history *history,
                              const struct cell *cell)
{
	return &history->ranges[cell->updates << cells->space->items | cell->scopes];
}

static void add_range(const struct cells *cells, const struct history *history,
                      const struct cell *cell, struct elements *elements)
{
	struct range range = *range_of(cells, history, cell);

	for (uint32_t i = 0; i < range.count; i++)
		elements_add(elements, &history->known.elements[range.first + i]);
}

/*
 * A step narrows any scopes. It may make a seq_cst operation narrow, so that from a part without
 * such operations nothing is to be said of what is above.
 */
static void exclude_by_scopes(struct cells *cells, const struct cell *cell, unsigned model)
{
	struct cell below = *cell;

	while (below.scopes) {
		below.scopes = (below.scopes - 1) & cell->scopes;
		for (unsigned part = 0; part < border_parts(model); part++) {
			if (part == PART_NARROW || border_parts(model) == 1)
				add_range(cells, &cells->history[model][part], &below,
				          &cells->excluded);
		}
	}
}

/* The order stays, as that of an update: all that become it or a stronger one are above it. */
static uint8_t order_of_update(bool writes, uint8_t value)
{
	enum oclmm_order order =
		oclmm_orders_of(writes ? OCLMM_ORDERED_STORE : OCLMM_ORDERED_LOAD)->order[value];
	uint8_t i = 0;

	while (oclmm_orders_of(OCLMM_ORDERED_UPDATE)->order[i] != order)
		i++;
	return i;
}

static void find_seeds(struct cells *cells, const struct cell *cell, const struct history *history)
{
	cells->seeds.count = 0;
	for (unsigned i = 0; i < cells->space->accesses; i++) {
		struct cell below = {.updates = cell->updates & ~(1u << i), .scopes = cell->scopes};
		size_t from = cells->seeds.count;

		if (below.updates == cell->updates)
			continue;
		add_range(cells, history, &below, &cells->seeds);
		for (size_t k = from; k < cells->seeds.count; k++) {
			uint8_t *value = &cells->seeds.elements[k].value[i];

			*value = order_of_update(cells->space->writes[i], *value);
		}
	}
}

static bool is_excluded(const struct cells *cells, const struct element *element)
{
	for (size_t i = 0; i < cells->excluded.count; i++) {
		if (elements_leq(&cells->excluded.elements[i], element))
			return true;
	}
	return false;
}

/* What an update makes of what is forbidden without it is asked for: more follow from it then. */
static int exclude_by_updates(struct cells *cells, const struct cell *cell, unsigned model,
                              struct history *history)
{
	find_seeds(cells, cell, history);
	for (size_t i = 0; i < cells->seeds.count; i++) {
		const struct element *seed = &cells->seeds.elements[i];
		int forbidden;

		if (is_excluded(cells, seed))
			continue;
		elements_add(&cells->excluded, seed);
		forbidden = border_ask(cells->border, cell, seed, model);
		if (forbidden < 0)
			return forbidden;
		if (forbidden)
			elements_add(&history->known, seed);
	}
	return 0;
}

static int give(struct cells *cells, const struct cell *cell)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < cells->found.count; i++) {
		struct decoration decoration;

		border_decoration(cells->border, cell, &cells->found.elements[i], &decoration);
		r = cells->each(cells->data, &decoration);
	}
	return r;
}

static int search_part(struct cells *cells, const struct cell *cell, unsigned model, unsigned part)
{
	struct history *history = &cells->history[model][part];
	size_t first = history->known.count;
	int r;

	cells->excluded.count = cells->found.count = 0;
	exclude_by_scopes(cells, cell, model);
	r = exclude_by_updates(cells, cell, model, history);
	if (r == 0)
		r = border_search(cells->border, cell, model, part, &cells->excluded,
		                  &cells->found);
	for (size_t i = 0; i < cells->found.count; i++)
		elements_add(&history->known, &cells->found.elements[i]);
	*range_of(cells, history,
	          cell) = (struct range){.first = (uint32_t)first,
	                                 .count = (uint32_t)(history->known.count - first)};
	return r == 0 ? give(cells, cell) : r;
}

static int search_cell(struct cells *cells, const struct cell *cell)
{
	int r = 0;

	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++) {
		for (unsigned part = 0; r == 0 && part < border_parts(m); part++) {
			if (OCLMM_TIGHT_MODELS & 1u << m)
				r = search_part(cells, cell, m, part);
		}
	}
	return r;
}

static int search_cells(struct cells *cells)
{
	const struct oclmm_tight_space *space = cells->space;
	struct cell cell;
	int r = 0;

	/* in ascending order sets come behind their parts */
	for (cell.updates = 0;
	     r == 0 && cell.updates < (space->updates ? 1u << space->accesses : 1);
	     cell.updates++) {
		for (cell.scopes = 0; r == 0 && cell.scopes < 1u << space->items; cell.scopes++)
			r = search_cell(cells, &cell);
	}
	return r;
}

/* Searches all cells. `each` is called for decorations among which are all tight ones. */
static int cells_search(struct oclmm_tight_space *space,
                        int (*each)(void *data, const struct decoration *decoration), void *data)
{
	struct cells cells = {.space = space, .each = each, .data = data};
	size_t count = (size_t)1 << (space->items + (space->updates ? space->accesses : 0));
	int r;

	cells.border = border_create(space);
	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++) {
		for (unsigned part = 0; part < PARTS; part++)
			cells.history[m][part].ranges = oclmm_calloc(count, sizeof(struct range));
	}
	r = search_cells(&cells);
	for (unsigned m = 0; m < OCLMM_MODEL_COUNT; m++) {
		for (unsigned part = 0; part < PARTS; part++) {
			free(cells.history[m][part].ranges);
			free(cells.history[m][part].known.elements);
		}
	}
	free(cells.excluded.elements);
	free(cells.seeds.elements);
	free(cells.found.elements);
	border_destroy(cells.border);
	return r;
}

/* ---- every decoration ---------------------------------------------------------------- */

/* Without any conclusion: slow, and what the search is held against. */

struct brute_found {
	uint64_t number;
	unsigned models;
};

/* So many numbers a thread takes at once. */
enum { SLICE = 1 << 12 };
/* The most decorations whose answers are kept, a byte for each. */
static const uint64_t most_answers = (uint64_t)1 << 32;

struct brute {
	const struct oclmm_tight_space *space; /* which no thread changes */
	uint8_t *models;                       /* that forbid, by number */
	uint64_t size;
	pthread_mutex_t lock; /* of all below */
	uint64_t next, asked;
	struct brute_found *found;
	size_t count, capacity;
	int result;
};
_Static_assert(OCLMM_TIGHT_MODELS <= UINT8_MAX, "models of an answer are a byte");

/* False when none is left, or an error ended the work. */
static bool next_slice(struct brute *brute, uint64_t *ret_first, uint64_t *ret_end)
{
	bool left;

	pthread_mutex_lock(&brute->lock);
	if (brute->result == 0 && brute->space->ended)
		brute->result = brute->space->ended(brute->space->data);
	left = brute->result == 0 && brute->next < brute->size;
	if (left) {
		*ret_first = brute->next;
		*ret_end = brute->size - brute->next < SLICE ? brute->size : brute->next + SLICE;
		brute->next = *ret_end;
	}
	pthread_mutex_unlock(&brute->lock);
	return left;
}

static int ask_slice(struct brute *brute, struct oclmm_tight_space *space, uint64_t first,
                     uint64_t end)
{
	for (uint64_t number = first; number < end; number++) {
		struct decoration decoration;
		int models;

		space_decoration(space, number, &decoration);
		models = space_consult(space, &decoration);
		if (models < 0)
			return models;
		brute->models[number] = (uint8_t)models;
	}
	return 0;
}

static void ask_slices(void *data, size_t thread)
{
	struct brute *brute = data;
	/* the program that is asked about is written into, so each thread has one */
	struct oclmm_tight_space *space = oclmm_tight_space_create(&brute->space->form,
	                                                           brute->space->updates);
	uint64_t first, end;
	int r = 0;

	(void)thread;
	space->ended = brute->space->ended;
	space->data = brute->space->data;
	while (r == 0 && next_slice(brute, &first, &end))
		r = ask_slice(brute, space, first, end);
	pthread_mutex_lock(&brute->lock);
	brute->asked += space->asked;
	if (brute->result == 0)
		brute->result = r;
	pthread_mutex_unlock(&brute->lock);
	oclmm_tight_space_destroy(space);
}

struct looking {
	const struct brute *brute;
	unsigned models; /* that forbid none of the steps down so far */
};

static int look_up(void *data, const struct decoration *weaker)
{
	struct looking *looking = data;

	looking->models &=
		~(unsigned)looking->brute->models[space_number(looking->brute->space, weaker)];
	return looking->models == 0;
}

static unsigned tight_under(const struct brute *brute, uint64_t number)
{
	struct looking looking = {.brute = brute, .models = brute->models[number]};
	struct decoration decoration;

	if (looking.models) {
		space_decoration(brute->space, number, &decoration);
		space_steps(brute->space, &decoration, look_up, &looking);
	}
	return looking.models;
}

static void find_tight(void *data, size_t thread)
{
	struct brute *brute = data;
	uint64_t first, end;

	(void)thread;
	while (next_slice(brute, &first, &end)) {
		for (uint64_t number = first; number < end; number++) {
			unsigned models = tight_under(brute, number);

			if (!models)
				continue;
			pthread_mutex_lock(&brute->lock);
			oclmm_grow(&brute->found, &brute->capacity, brute->count,
			           sizeof(*brute->found));
			brute->found[brute->count++] = (struct brute_found){.number = number,
			                                                    .models = models};
			pthread_mutex_unlock(&brute->lock);
		}
	}
}

static int compare_found(const void *a, const void *b)
{
	const struct brute_found *x = a, *y = b;

	return oclmm_compare_numbers(x->number, y->number);
}

/*
 * Asks for every decoration of a form, and concludes nothing: which are tight is looked up in the
 * answers. `*ret_found` is malloc-ed, by number.
 * Returns 0, the oracle's error, or -EFBIG where the answers would not fit into memory.
 */
static int brute_search(const struct oclmm_tight_space *space, unsigned threads,
                        uint64_t *ret_asked, struct brute_found **ret_found, size_t *ret_count)
{
	struct brute brute = {.space = space, .size = oclmm_tight_space_size(space)};

	if (brute.size > most_answers)
		return -EFBIG;
	brute.models = oclmm_calloc(brute.size, 1);
	pthread_mutex_init(&brute.lock, NULL);
	oclmm_in_parallel(threads, threads, ask_slices, &brute);
	brute.next = 0;
	oclmm_in_parallel(threads, threads, find_tight, &brute);
	pthread_mutex_destroy(&brute.lock);
	free(brute.models);
	if (brute.count)
		qsort(brute.found, brute.count, sizeof(*brute.found), compare_found);
	*ret_asked = brute.asked;
	*ret_found = brute.found;
	*ret_count = brute.count;
	return brute.result;
}

/* ---- one form ---- */

struct numbers {
	uint64_t *numbers;
	size_t count, capacity;
};

struct searching {
	const struct oclmm_tight_options *options;
	struct oclmm_tight_space *space;
	struct numbers candidates;
	struct oclmm_tight_form *form;
	size_t capacity;
};

static int take_candidate(void *data, const struct decoration *decoration)
{
	struct searching *searching = data;
	struct numbers *candidates = &searching->candidates;

	oclmm_grow(&candidates->numbers, &candidates->capacity, candidates->count,
	           sizeof(*candidates->numbers));
	candidates->numbers[candidates->count++] = space_number(searching->space, decoration);
	return 0;
}

/* What stays of the models when a weaker decoration is asked for. */
struct checking {
	struct oclmm_tight_space *space;
	int models;
};

static int check_step(void *data, const struct decoration *weaker)
{
	struct checking *checking = data;
	int models = space_ask(checking->space, weaker);

	if (models < 0)
		return models;
	checking->models &= ~models;
	return checking->models == 0;
}

static void take_tight(struct searching *searching, const struct decoration *decoration,
                       unsigned models)
{
	struct oclmm_tight_form *form = searching->form;
	struct oclmm_tight found = {.models = models};

	space_cycle(searching->space, decoration, &found.cycle);
	if (!forms_is_first(&found.cycle))
		return;
	oclmm_grow(&form->found, &searching->capacity, form->count, sizeof(*form->found));
	form->found[form->count++] = found;
}

static int check_candidate(struct searching *searching, uint64_t number)
{
	struct checking checking = {.space = searching->space};
	struct decoration decoration;
	int r;

	space_decoration(searching->space, number, &decoration);
	checking.models = space_ask(searching->space, &decoration);
	if (checking.models <= 0)
		return checking.models;
	r = space_steps(searching->space, &decoration, check_step, &checking);
	if (r < 0 || checking.models == 0)
		return r < 0 ? r : 0;
	take_tight(searching, &decoration, (unsigned)checking.models);
	return 0;
}

static int compare_numbers(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return oclmm_compare_numbers(*x, *y);
}

static int search_border(struct searching *searching)
{
	struct numbers *candidates = &searching->candidates;
	int r = cells_search(searching->space, take_candidate, searching);

	if (candidates->count)
		qsort(candidates->numbers, candidates->count, sizeof(*candidates->numbers),
		      compare_numbers);
	for (size_t i = 0; r == 0 && i < candidates->count; i++) {
		if (i == 0 || candidates->numbers[i] != candidates->numbers[i - 1])
			r = check_candidate(searching, candidates->numbers[i]);
	}
	return r;
}

static unsigned threads_of(const struct oclmm_tight_options *options)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (options->threads)
		return options->threads;
	return processors > 0 ? (unsigned)processors : 1;
}

static int search_every(struct searching *searching)
{
	struct brute_found *found = NULL;
	size_t count = 0;
	int r = brute_search(searching->space, threads_of(searching->options),
	                     &searching->space->asked, &found, &count);

	for (size_t i = 0; r == 0 && i < count; i++) {
		struct decoration decoration;

		space_decoration(searching->space, found[i].number, &decoration);
		take_tight(searching, &decoration, found[i].models);
	}
	free(found);
	return r;
}

static int search_form(const struct oclmm_tight_options *options, const struct oclmm_cycle *cycle,
                       struct oclmm_tight_form *form)
{
	struct searching searching = {.options = options, .form = form};
	double start = oclmm_clock();
	int r = -E2BIG;

	searching.space = oclmm_tight_space_create(cycle, options->updates);
	if (!searching.space)
		return r;
	if (options->remembered)
		searching.space->remembered = options->remembered;
	searching.space->ended = options->ended;
	searching.space->data = options->data;
	form->decorations = oclmm_tight_space_size(searching.space);
	r = options->brute ? search_every(&searching) : search_border(&searching);
	form->asked = searching.space->asked;
	form->seconds = oclmm_clock() - start;
	oclmm_tight_space_destroy(searching.space);
	free(searching.candidates.numbers);
	return r;
}

/* ---- all of them ---- */

struct work {
	const struct oclmm_tight_options *options;
	struct oclmm_cycle *forms;
	size_t count, capacity;
	size_t next, stride;
	pthread_mutex_t lock;
	int result;
};

static int take_form(void *data, const struct oclmm_cycle *cycle)
{
	struct work *work = data;

	oclmm_grow(&work->forms, &work->capacity, work->count, sizeof(*work->forms));
	work->forms[work->count++] = *cycle;
	return 0;
}

static void name_form(const struct work *work, size_t index, struct oclmm_tight_form *form)
{
	struct oclmm_text text = {0};

	oclmm_cycle_print(&text, &work->forms[index]);
	strncpy(form->name, oclmm_text_string(&text), sizeof(form->name) - 1);
	oclmm_text_finish(&text);
}

/* The next form; false when none is left or an error ended the search. */
static bool next_form(struct work *work, size_t *ret_index)
{
	bool found;

	pthread_mutex_lock(&work->lock);
	found = work->result == 0 && work->next < work->count;
	if (found) {
		*ret_index = work->next;
		work->next += work->stride;
	}
	pthread_mutex_unlock(&work->lock);
	return found;
}

static void search_forms(void *data, size_t thread)
{
	struct work *work = data;
	const struct oclmm_tight_options *options = work->options;
	size_t index;

	(void)thread;
	while (next_form(work, &index)) {
		struct oclmm_tight_form form = {.count = 0};
		int r = 0;

		name_form(work, index, &form);
		if (options->skip && options->skip(options->data, form.name))
			continue;
		r = search_form(options, &work->forms[index], &form);
		pthread_mutex_lock(&work->lock);
		if (r == 0 && work->result == 0)
			r = options->done(options->data, &form);
		if (work->result == 0)
			work->result = r;
		pthread_mutex_unlock(&work->lock);
		free(form.found);
	}
}

int oclmm_tight_search(const struct oclmm_tight_options *options, struct oclmm_error *error)
{
	struct work work = {.options = options,
	                    .next = options->shards ? options->shard - 1 : 0,
	                    .stride = options->shards ? options->shards : 1};
	unsigned threads;

	if (forms_all(options->edges, take_form, &work) < 0)
		return oclmm_error_set(error, -EINVAL, "the forms cannot be listed");
	pthread_mutex_init(&work.lock, NULL);
	/* where every decoration is asked for, the threads divide each form */
	threads = options->brute ? 1 : threads_of(options);
	oclmm_in_parallel(threads, threads, search_forms, &work);
	pthread_mutex_destroy(&work.lock);
	free(work.forms);
	if (work.result == -EFBIG)
		return oclmm_error_set(
			error, work.result,
			"a form has more decorations than can be asked for one by one");
	if (work.result < 0)
		return oclmm_error_set(error, work.result, "the oracle could not answer: %s",
		                       strerror(-work.result));
	return work.result;
}
