// SPDX-License-Identifier: Apache-2.0
#include "oclmm/evidence.h"

#include <errno.h>
#include <string.h>

/* Sums stay exact as doubles and as JSON numbers. */
static const uint64_t LARGEST = UINT64_C(1) << 53;

OCLMM_LOOK_UP(const char *, oclmm_control_kind_word, oclmm_control_kind, OCLMM_CONTROL_KINDS,
              FIRST);
OCLMM_LOOK_UP(const char *, oclmm_control_kind_speaks_for, oclmm_control_kind, OCLMM_CONTROL_KINDS,
              SECOND);

/* Most tests have one or two controls, and files have many tests: of what is larger than this, two
 * are made at first. */
enum { LARGE = 64 };

/* One more element in an array of the arena, which keeps the outgrown one until its end. */
static void *grow(struct oclmm_arena *arena, void *array, size_t *capacity, size_t count,
                  size_t size)
{
	void *grown;

	if (count < *capacity)
		return array;
	*capacity = *capacity ? 2 * *capacity : size > LARGE ? 2 : 8;
	grown = oclmm_arena_alloc(arena, *capacity * size);
	if (count)
		memcpy(grown, array, count * size);
	return grown;
}

#define GROW(evidence, array, count, capacity)                                                     \
	((evidence)->array = grow((evidence)->arena, (evidence)->array, &(evidence)->capacity,     \
	                          (evidence)->count, sizeof(*(evidence)->array)),                  \
	 &(evidence)->array[(evidence)->count++])

struct oclmm_evidence *oclmm_evidence_create(struct oclmm_arena *arena, uint32_t width)
{
	struct oclmm_evidence *evidence = OCLMM_NEW(arena, struct oclmm_evidence);

	evidence->arena = arena;
	evidence->index.arena = arena;
	evidence->width = width;
	return evidence;
}

const struct oclmm_evidence_control *oclmm_evidence_find(const struct oclmm_evidence *evidence,
                                                         const char *name)
{
	for (size_t i = 0; i < evidence->control_count; i++) {
		if (strcmp(evidence->controls[i].name, name) == 0)
			return &evidence->controls[i];
	}
	return NULL;
}

int oclmm_evidence_add_control(struct oclmm_evidence *evidence, const char *name,
                               enum oclmm_control_kind kind, uint64_t hash)
{
	if (evidence->block_count)
		return -EBUSY;
	if (oclmm_evidence_find(evidence, name))
		return -EEXIST;
	*GROW(evidence, controls, control_count,
	      control_capacity) = (struct oclmm_evidence_control){
		.name = oclmm_arena_strdup(evidence->arena, name),
		.kind = kind,
		.hash = hash,
	};
	return 0;
}

static int check_members(const struct oclmm_evidence *evidence, uint64_t repeat,
                         const struct oclmm_launches *members)
{
	if (!repeat)
		return -EINVAL;
	for (size_t i = 0; i <= evidence->control_count; i++) {
		if (members[i].hits > members[i].launches)
			return -EINVAL;
		if (members[i].launches > OCLMM_BLOCK_LAUNCHES)
			return -EOVERFLOW;
		if (repeat > LARGEST / OCLMM_BLOCK_LAUNCHES ||
		    oclmm_evidence_sum(evidence, i).launches + repeat * members[i].launches >
		            LARGEST)
			return -EOVERFLOW;
	}
	return 0;
}

/* Whether each launch of a block has as many instances as any other of it. */
static bool same_size(size_t count, const struct oclmm_launches *members, const uint64_t *instances)
{
	const uint64_t *first = NULL;
	uint64_t launches = 0;

	for (size_t i = 0; i < count; i++) {
		if (instances[i] > LARGEST || (!members[i].launches && instances[i]))
			return false;
		if (!members[i].launches)
			continue;
		if (!first) {
			first = &instances[i];
			launches = members[i].launches;
		}
		/* launches are so few that 64 bits hold it */
		if (instances[i] / members[i].launches != *first / launches ||
		    instances[i] % members[i].launches * launches !=
		            *first % launches * members[i].launches)
			return false;
	}
	return true;
}

static void add_sums(struct oclmm_evidence *evidence, uint64_t repeat,
                     const struct oclmm_launches *members)
{
	if (!evidence->sums)
		evidence->sums = OCLMM_NEW_ARRAY(evidence->arena, struct oclmm_launches,
		                                 1 + evidence->control_count);
	for (size_t i = 0; i <= evidence->control_count; i++) {
		evidence->sums[i].launches += repeat * members[i].launches;
		evidence->sums[i].hits += repeat * members[i].hits;
	}
}

static bool same_blocks(const struct oclmm_evidence_blocks *blocks, size_t count,
                        const struct oclmm_launches *members, const uint64_t *instances)
{
	return memcmp(blocks->members, members, count * sizeof(*members)) == 0 &&
	       !blocks->instances == !instances &&
	       (!instances ||
	        memcmp(blocks->instances, instances, count * sizeof(*instances)) == 0);
}

/* Blocks of one test are of few kinds, so that one that was seen shortly before is often there to
 * be shared. */
static const void *keep(struct oclmm_evidence *evidence, const void *numbers, size_t size,
                        bool instances)
{
	enum { BACK = 8 };

	for (size_t i = evidence->block_count; i > 0 && i + BACK > evidence->block_count; i--) {
		const struct oclmm_evidence_blocks *blocks = &evidence->blocks[i - 1];
		const void *there = instances ? (const void *)blocks->instances : blocks->members;

		if (there && memcmp(there, numbers, size) == 0)
			return there;
	}
	return oclmm_arena_copy(evidence->arena, numbers, size);
}

int oclmm_evidence_add_sized_blocks(struct oclmm_evidence *evidence, uint64_t repeat,
                                    const struct oclmm_launches *members, const uint64_t *instances)
{
	size_t count = 1 + evidence->control_count;
	struct oclmm_evidence_blocks *last, added = {.repeat = repeat};
	int r = check_members(evidence, repeat, members);

	if (r < 0)
		return r;
	if (instances && !same_size(count, members, instances))
		return -EINVAL;
	add_sums(evidence, repeat, members);
	if (evidence->block_count > 0) {
		last = &evidence->blocks[evidence->block_count - 1];
		if (same_blocks(last, count, members, instances) &&
		    last->repeat <= LARGEST / OCLMM_BLOCK_LAUNCHES) {
			last->repeat += repeat;
			return 0;
		}
	}
	added.members = keep(evidence, members, count * sizeof(*members), false);
	if (instances)
		added.instances = keep(evidence, instances, count * sizeof(*instances), true);
	*GROW(evidence, blocks, block_count, block_capacity) = added;
	return 0;
}

int oclmm_evidence_add_blocks(struct oclmm_evidence *evidence, uint64_t repeat,
                              const struct oclmm_launches *members)
{
	return oclmm_evidence_add_sized_blocks(evidence, repeat, members, NULL);
}

void oclmm_evidence_add_instances(struct oclmm_evidence *evidence, size_t control, uint64_t count)
{
	uint64_t *instances = &evidence->controls[control].instances;

	*instances = oclmm_add_saturating(*instances, count);
}

/* ---- outcomes: memory that nobody wrote shows another one each time, so there may be many ---- */

static uint64_t hash_values(const struct oclmm_evidence *evidence, const int64_t *values)
{
	return oclmm_hash(values, evidence->width * sizeof(*values));
}

static bool has_values(const void *things, size_t number, const void *values)
{
	const struct oclmm_evidence *evidence = things;

	return memcmp(evidence->outcomes[number].values, values,
	              evidence->width * sizeof(int64_t)) == 0;
}

void oclmm_evidence_add_outcome(struct oclmm_evidence *evidence, const int64_t *values,
                                uint64_t count)
{
	uint64_t hash = hash_values(evidence, values);
	size_t number = oclmm_index_find(&evidence->index, hash, has_values, evidence, values);
	struct oclmm_evidence_outcome *outcome;

	if (number != SIZE_MAX) {
		outcome = &evidence->outcomes[number];
		outcome->count = oclmm_add_saturating(outcome->count, count);
		return;
	}
	oclmm_index_add(&evidence->index, hash);
	*GROW(evidence, outcomes, outcome_count,
	      outcome_capacity) = (struct oclmm_evidence_outcome){
		.values = oclmm_arena_copy(evidence->arena, values,
	                                   evidence->width * sizeof(*values)),
		.count = count,
	};
}

void oclmm_evidence_add_meeting(struct oclmm_evidence *evidence, size_t member,
                                struct oclmm_meeting meeting)
{
	struct oclmm_meeting *own = member ? &evidence->controls[member - 1].meeting
	                                   : &evidence->meeting;

	own->rounds = oclmm_add_saturating(own->rounds, meeting.rounds);
	own->met = oclmm_add_saturating(own->met, meeting.met < meeting.rounds ? meeting.met
	                                                                       : meeting.rounds);
	if (meeting.outcomes > own->outcomes)
		own->outcomes = meeting.outcomes;
	own->varied |= meeting.varied;
}

static struct oclmm_value_counts *find_value(struct oclmm_evidence_control *control,
                                             const struct oclmm_value_counts *wanted)
{
	for (size_t i = 0; i < control->seldom_count; i++)
		if (control->seldom[i].observable == wanted->observable &&
		    control->seldom[i].value == wanted->value)
			return &control->seldom[i];
	return NULL;
}

void oclmm_evidence_compare(struct oclmm_evidence *evidence, size_t control, uint64_t blocks,
                            uint64_t values, const struct oclmm_value_counts *seldom, size_t count)
{
	struct oclmm_evidence_control *own = &evidence->controls[control];
	uint64_t before = own->compared;

	/* of what is new, the blocks before tell nothing; of the others, those of now */
	for (size_t i = 0; i < count; i++) {
		if (find_value(own, &seldom[i]))
			continue;
		own->seldom = grow(evidence->arena, own->seldom, &own->seldom_capacity,
		                   own->seldom_count, sizeof(*own->seldom));
		own->seldom[own->seldom_count++] = (struct oclmm_value_counts){
			.observable = seldom[i].observable,
			.value = seldom[i].value,
			.blocks = before,
		};
	}
	for (size_t i = 0; i < own->seldom_count; i++)
		own->seldom[i].blocks = oclmm_add_saturating(own->seldom[i].blocks, blocks);
	for (size_t i = 0; i < count; i++) {
		struct oclmm_value_counts *sum = find_value(own, &seldom[i]);

		sum->blocks -= blocks < seldom[i].blocks ? 0 : blocks - seldom[i].blocks;
		sum->test = oclmm_add_saturating(sum->test, seldom[i].test);
		sum->control = oclmm_add_saturating(sum->control, seldom[i].control);
		sum->fewer = oclmm_add_saturating(sum->fewer, seldom[i].fewer);
	}
	own->compared = oclmm_add_saturating(own->compared, blocks);
	own->values = own->values > values ? own->values : values;
}

void oclmm_evidence_add_rounds(struct oclmm_evidence *evidence, uint64_t rounds, uint64_t met)
{
	evidence->rounds = oclmm_add_saturating(evidence->rounds, rounds);
	evidence->met = oclmm_add_saturating(evidence->met, met < rounds ? met : rounds);
}

static bool same_controls(const struct oclmm_evidence *a, const struct oclmm_evidence *b)
{
	if (a->control_count != b->control_count || a->width != b->width)
		return false;
	for (size_t i = 0; i < a->control_count; i++) {
		const struct oclmm_evidence_control *x = &a->controls[i], *y = &b->controls[i];

		if (strcmp(x->name, y->name) != 0 || x->kind != y->kind || x->hash != y->hash)
			return false;
	}
	return true;
}

bool oclmm_evidence_fits(const struct oclmm_evidence *whole, const struct oclmm_evidence *part)
{
	if (!same_controls(whole, part))
		return false;
	for (size_t i = 0; i <= whole->control_count; i++) {
		if (oclmm_evidence_sum(whole, i).launches + oclmm_evidence_sum(part, i).launches >
		    LARGEST)
			return false;
	}
	return true;
}

int oclmm_evidence_extend(struct oclmm_evidence *whole, const struct oclmm_evidence *part)
{
	if (!oclmm_evidence_fits(whole, part))
		return -EINVAL;
	for (size_t i = 0; i < part->block_count; i++)
		oclmm_evidence_add_sized_blocks(whole, part->blocks[i].repeat,
		                                part->blocks[i].members, part->blocks[i].instances);
	for (size_t i = 0; i < part->control_count; i++)
		oclmm_evidence_add_instances(whole, i, part->controls[i].instances);
	for (size_t i = 0; i < part->outcome_count; i++)
		oclmm_evidence_add_outcome(whole, part->outcomes[i].values,
		                           part->outcomes[i].count);
	oclmm_evidence_add_meeting(whole, 0, part->meeting);
	for (size_t i = 0; i < part->control_count; i++)
		oclmm_evidence_add_meeting(whole, 1 + i, part->controls[i].meeting);
	for (size_t i = 0; i < part->control_count; i++)
		oclmm_evidence_compare(whole, i, part->controls[i].compared,
		                       part->controls[i].values, part->controls[i].seldom,
		                       part->controls[i].seldom_count);
	oclmm_evidence_add_rounds(whole, part->rounds, part->met);
	return 0;
}

void oclmm_evidence_reorder(struct oclmm_evidence *evidence, const uint32_t *places)
{
	for (size_t i = 0; i < evidence->control_count; i++) {
		for (size_t k = 0; k < evidence->controls[i].seldom_count; k++) {
			struct oclmm_value_counts *counts = &evidence->controls[i].seldom[k];
			uint32_t now = 0;

			while (now + 1 < evidence->width && places[now] != counts->observable)
				now++;
			counts->observable = now;
		}
	}
	oclmm_index_clear(&evidence->index);
	for (size_t i = 0; i < evidence->outcome_count; i++) {
		int64_t *values = OCLMM_NEW_ARRAY(evidence->arena, int64_t, evidence->width);

		for (uint32_t k = 0; k < evidence->width; k++)
			values[k] = evidence->outcomes[i].values[places[k]];
		evidence->outcomes[i].values = values;
		oclmm_index_add(&evidence->index, hash_values(evidence, values));
	}
}

struct oclmm_launches oclmm_evidence_sum(const struct oclmm_evidence *evidence, size_t member)
{
	return evidence->sums ? evidence->sums[member] : (struct oclmm_launches){0};
}
