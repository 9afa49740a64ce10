// SPDX-License-Identifier: Apache-2.0
/* The decorations of a form, their numbers, and what the oracle says of them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "oclmm/syntax.h"

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

static unsigned order_index(const struct item *item)
{
	unsigned i = 0;

	while (oclmm_orders_of(item->kind)->order[i] != item->order)
		i++;
	return i;
}

static unsigned choice_of(const struct oclmm_tight_space *space, const struct item *item)
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
                   struct item *ret_item)
{
	unsigned few = oclmm_orders_of(OCLMM_ORDERED_LOAD)->count,
		 fence_orders = oclmm_orders_of(OCLMM_ORDERED_FENCE)->count;

	*ret_item = (struct item){.kind = OCLMM_ORDERED_FENCE};
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

uint64_t space_number(const struct oclmm_tight_space *space, const struct decoration *decoration)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < space->items; i++)
		number = number * choices(space, i) + choice_of(space, &decoration->item[i]);
	return number;
}

void space_decoration(const struct oclmm_tight_space *space, uint64_t number,
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

/* Open addressing; an entry is number + 1 and the models, 0 where empty. */
struct known {
	struct entry {
		uint64_t number;
		unsigned models;
	} * entries;
	size_t capacity, count;
};

static struct entry *find(struct known *known, uint64_t number)
{
	size_t at = oclmm_hash(&number, sizeof(number)) & (known->capacity - 1);

	while (known->entries[at].number && known->entries[at].number != number + 1)
		at = (at + 1) & (known->capacity - 1);
	return &known->entries[at];
}

/* What is forgotten is asked for again: memory has an end, and a form of six edges has none. */
static void forget(struct known *known)
{
	memset(known->entries, 0, known->capacity * sizeof(*known->entries));
	known->count = 0;
}

static void remember(struct oclmm_tight_space *space, uint64_t number, unsigned models)
{
	struct known *known = space->known;
	struct entry *entry;

	if (known->count == space->remembered)
		forget(known);
	if (2 * known->count >= known->capacity) {
		struct known old = *known;

		known->capacity = old.capacity ? 2 * old.capacity : 1024;
		known->entries = oclmm_calloc(known->capacity, sizeof(*known->entries));
		for (size_t i = 0; i < old.capacity; i++) {
			if (old.entries[i].number)
				*find(known, old.entries[i].number - 1) = old.entries[i];
		}
		free(old.entries);
	}
	entry = find(known, number);
	known->count += entry->number == 0;
	*entry = (struct entry){.number = number + 1, .models = models};
}

/* ---- programs ---- */

static void dress(const struct oclmm_tight_space *space, const struct item *item, unsigned index,
                  struct oclmm_cycle *cycle)
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

void space_cycle(const struct oclmm_tight_space *space, const struct decoration *decoration,
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

/* A fence stands on each edge of program order: relaxed, it is none. */
static int make_program(struct oclmm_tight_space *space, unsigned updates,
                        struct template_program *program)
{
	struct decoration decoration;
	struct oclmm_cycle cycle;
	unsigned access = 0, fence = 0;
	int r;

	for (unsigned i = 0; i < space->items; i++) {
		struct item *item = &decoration.item[i];

		*item = (struct item){.kind = i >= space->accesses ? OCLMM_ORDERED_FENCE
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
		const struct item *item = &decoration->item[space->accesses + i];

		program->fence[i]->order = item->present ? item->order : OCLMM_ORDER_RELAXED;
		program->fence[i]->scope = item->present ? item->scope : OCLMM_SCOPE_DEVICE;
		program->fence[i]->flags = item->present ? item->flags : space->regions;
	}
}

/* ---- asking ---- */

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

int space_consult(struct oclmm_tight_space *space, const struct decoration *decoration)
{
	const struct oclmm_check_options options = {.models = OCLMM_TIGHT_MODELS};
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

int space_ask(struct oclmm_tight_space *space, const struct decoration *decoration)
{
	uint64_t number = space_number(space, decoration);
	int models;

	if (space->known->capacity && find(space->known, number)->number)
		return (int)find(space->known, number)->models;
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

/* ---- cycles of a form ---- */

static bool find_access(const struct oclmm_tight_space *space,
                        const struct oclmm_cycle_access *access, unsigned index,
                        struct item *ret_item)
{
	*ret_item = (struct item){
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
                       const struct oclmm_cycle_access *access, struct item *ret_item)
{
	const struct oclmm_cycle_fence *fence = &access->fences[0];

	*ret_item = (struct item){.kind = OCLMM_ORDERED_FENCE};
	if (access->fence_count == 0 || fence->order == OCLMM_ORDER_RELAXED)
		return access->fence_count < 2;
	ret_item->present = true;
	ret_item->order = fence->order;
	ret_item->scope = fence->scope ? fence->scope : OCLMM_SCOPE_DEVICE;
	ret_item->flags = (fence->flags ? fence->flags : space->regions) & space->regions;
	return access->fence_count == 1 && fence->kind == OCLMM_CYCLE_FENCE_FENCE &&
	       ret_item->flags;
}

static bool is_scope(const struct item *item)
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
		struct item *item = &decoration.item[i];

		if (!(fence ? find_fence(space, &cycle->access[at], item)
		            : find_access(space, &cycle->access[at], at, item)) ||
		    !is_scope(item))
			return false;
	}
	*ret_number = space_number(space, &decoration);
	return true;
}

/* ---- the space ---- */

bool space_undress(struct oclmm_cycle *cycle)
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
	free(space->known->entries);
	free(space->known);
	free(space);
}
