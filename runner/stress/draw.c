// SPDX-License-Identifier: Apache-2.0
/* From a key to the parameters of one launch, and what these have to satisfy. */
#include "internal.h"

#include <errno.h>
#include <string.h>

/* ---- the kernels' index arithmetic, repeated on the host, and what it relies on ---- */

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
	while (b != 0) {
		uint32_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* The same as in the text for any count, by the same name. */
uint32_t oclmm_modulo(uint32_t x, uint32_t n, uint32_t inverse)
{
	uint32_t rest = x - (uint32_t)((uint64_t)x * inverse >> 32) * n;

	return rest < n ? rest : rest - n;
}

uint32_t oclmm_slot_of(const struct oclmm_parameters *p, const struct oclmm_layout *where,
                       uint32_t instance, bool any)
{
	uint32_t instances = p->groups * p->lanes * p->rounds;

	if (any)
		return where->base + oclmm_modulo(instance * where->multiplier + where->addend,
		                                  instances, p->instances_inverse) *
		                             where->stride;
	return where->base +
	       ((instance * (where->multiplier | 1) + where->addend) & (instances - 1)) *
	               where->stride;
}

/* What the arithmetic for any count relies on; under a mask any factor will do. */
static bool is_permutation(uint32_t multiplier, uint32_t addend, uint32_t n)
{
	return addend < n && multiplier <= UINT32_MAX / n - 1 && common_divisor(multiplier, n) == 1;
}

static int check_factors(const struct oclmm_parameters *p, const struct oclmm_program *program,
                         const struct oclmm_kernel_plan *plan, struct oclmm_error *error)
{
	uint32_t instances = p->groups * p->lanes * p->rounds;

	if (instances == 0)
		return oclmm_error_set(error, -EINVAL, "there are no instances");
	if (p->groups_inverse != UINT32_MAX / p->groups ||
	    p->instances_inverse != UINT32_MAX / instances)
		return oclmm_error_set(error, -EINVAL, "an inverse is not that of its number");
	if (!is_permutation(p->group_multiplier, p->group_addend, p->groups))
		return oclmm_error_set(error, -EINVAL, "places are not permuted");
	for (uint32_t i = 0; i < program->location_count; i++)
		if (!is_permutation(p->location[i].multiplier, p->location[i].addend, instances))
			return oclmm_error_set(error, -EINVAL,
			                       "the slots of location %s are not permuted",
			                       program->locations[i].name);
	for (uint32_t r = 0; r < plan->roles; r++)
		if (p->group_shift[plan->role_work_group[r]] >= p->groups ||
		    p->lane_shift[r] >= p->lanes || p->lane_addend >= p->lanes ||
		    (plan->in_sub_groups &&
		     (p->lane_shift[r] >= p->sub_lanes || p->lane_addend >= p->sub_lanes ||
		      p->sub_shift[r] >= p->sub_groups)))
			return oclmm_error_set(error, -EINVAL, "a shift of role %u is too large",
			                       r);
	return 0;
}

/* Whether two roles that the test keeps apart would meet. */
static int check_shifts(const struct oclmm_parameters *p, const struct oclmm_kernel_plan *plan,
                        uint32_t a, uint32_t b, struct oclmm_error *error)
{
	uint32_t group_a = p->group_shift[plan->role_work_group[a]] % p->groups;
	uint32_t group_b = p->group_shift[plan->role_work_group[b]] % p->groups;
	bool in_step = plan->role_sub_group[a] == plan->role_sub_group[b];

	if (plan->role_part[a] != plan->role_part[b] || plan->role_child[a] || plan->role_child[b])
		return 0;
	if (plan->role_work_group[a] != plan->role_work_group[b])
		return group_a != group_b
		               ? 0
		               : oclmm_error_set(error, -EINVAL,
		                                 "roles %u and %u would be in one group", a, b);
	if (plan->in_sub_groups && (p->sub_shift[a] == p->sub_shift[b]) != in_step)
		return oclmm_error_set(error, -EINVAL, "roles %u and %u are in wrong sub-groups", a,
		                       b);
	if ((!plan->in_sub_groups || in_step) &&
	    p->lane_shift[a] % p->lanes == p->lane_shift[b] % p->lanes)
		return oclmm_error_set(error, -EINVAL, "roles %u and %u would share a lane", a, b);
	return 0;
}

int oclmm_parameters_check(const struct oclmm_parameters *parameters,
                           const struct oclmm_program *program,
                           const struct oclmm_kernel_plan *plan, struct oclmm_error *error)
{
	bool any = oclmm_takes_any_count(parameters->groups, parameters->lanes, parameters->rounds,
	                                 plan);
	int r = any ? check_factors(parameters, program, plan, error) : 0;

	for (uint32_t a = 0; r == 0 && !parameters->split && a < plan->roles; a++)
		for (uint32_t b = 0; r == 0 && b < a; b++)
			r = check_shifts(parameters, plan, a, b, error);
	return r;
}

/* ---- layouts ---- */

/*
 * Where the locations' slots lie. Buffer and SVM locations have a block of
 * memory each, SVM of whatever kind; inside it either every location has an area of its own, or
 * one record per instance holds them all.
 */

enum { ALIGNMENT = 128 };

static uint32_t element_size(const struct oclmm_location *location)
{
	return oclmm_type_bits(location->type) / 8;
}

/* An object at program scope, or an image. */
static bool lies_alone(enum oclmm_storage storage)
{
	return storage == OCLMM_STORAGE_PROGRAM || storage == OCLMM_STORAGE_IMAGE;
}

/* Whether what is in these storages lies in one block. */
static bool same_block(enum oclmm_storage a, enum oclmm_storage b)
{
	return !lies_alone(a) && !lies_alone(b) &&
	       oclmm_storage_is_svm(a) == oclmm_storage_is_svm(b);
}

/* Bytes of one record: all of a storage's locations, wide ones first so that none is misaligned,
 * and none of the record behind it. */
static uint64_t record_bytes(const struct oclmm_program *program, enum oclmm_storage storage)
{
	uint64_t bytes = 0, widest = 1;

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (l->space == OCLMM_SPACE_LOCAL || !same_block(l->storage, storage))
			continue;
		bytes += (uint64_t)element_size(l) * l->elements;
		if (element_size(l) > widest)
			widest = element_size(l);
	}
	return (bytes + widest - 1) / widest * widest;
}

/* Offset of a location in the record. */
static uint64_t record_offset(const struct oclmm_program *program, uint32_t location)
{
	const struct oclmm_location *own = &program->locations[location];
	uint64_t offset = 0;

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];
		bool before = element_size(l) > element_size(own) ||
		              (element_size(l) == element_size(own) && i < location);

		if (l->space != OCLMM_SPACE_LOCAL && same_block(l->storage, own->storage) && before)
			offset += (uint64_t)element_size(l) * l->elements;
	}
	return offset;
}

static uint64_t area_bytes(const struct oclmm_environment *environment,
                           const struct oclmm_location *location)
{
	uint64_t bytes = (uint64_t)oclmm_environment_instances(environment) * environment->stride *
	                 location->elements * element_size(location);

	return (bytes + environment->gap + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Byte at which a location's own area begins; the odd ones are moved by the gap. */
static uint64_t area_offset(const struct oclmm_environment *environment,
                            const struct oclmm_program *program, uint32_t location)
{
	uint64_t offset = 0;
	uint32_t before = 0;

	for (uint32_t i = 0; i < location; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (l->space == OCLMM_SPACE_LOCAL ||
		    !same_block(l->storage, program->locations[location].storage))
			continue;
		offset += area_bytes(environment, l);
		before++;
	}
	return offset + (before % 2 ? environment->gap : 0);
}

/* Fills base and stride of a location that is not local. */
static void lay_out(const struct oclmm_environment *environment,
                    const struct oclmm_program *program, uint32_t location,
                    struct oclmm_layout *layout)
{
	const struct oclmm_location *l = &program->locations[location];
	uint32_t size = element_size(l);

	if (l->space == OCLMM_SPACE_LOCAL)
		return;
	if (lies_alone(l->storage)) {
		layout->base = 0;
		layout->stride = environment->stride * l->elements;
		return;
	}
	if (environment->interleaved) {
		layout->base = (uint32_t)(record_offset(program, location) / size);
		layout->stride = (uint32_t)(record_bytes(program, l->storage) *
		                            environment->stride / size);
		return;
	}
	layout->base = (uint32_t)(area_offset(environment, program, location) / size);
	layout->stride = environment->stride * l->elements;
}

bool oclmm_layout_covers(const struct oclmm_environment *there,
                         const struct oclmm_environment *wanted,
                         const struct oclmm_program *program)
{
	bool covers = oclmm_environment_instances(wanted) <= oclmm_environment_instances(there);

	for (uint32_t i = 0; covers && i < program->location_count; i++) {
		struct oclmm_layout a = {0}, b = {0};

		lay_out(there, program, i, &a);
		lay_out(wanted, program, i, &b);
		covers = a.base == b.base && a.stride == b.stride;
	}
	return covers;
}

uint64_t oclmm_layout_bytes(const struct oclmm_environment *environment,
                            const struct oclmm_program *program, enum oclmm_storage storage)
{
	uint64_t bytes = 0;

	if (environment->interleaved)
		return record_bytes(program, storage) * environment->stride *
		       oclmm_environment_instances(environment);
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (l->space != OCLMM_SPACE_LOCAL && same_block(l->storage, storage))
			bytes += area_bytes(environment, l) + environment->gap;
	}
	return bytes;
}

/* ---- drawing ---- */

/* A stream of numbers from a key. */
struct stream {
	uint64_t key;
	uint64_t counter;
};

static uint32_t next(struct stream *stream)
{
	return (uint32_t)(oclmm_random(stream->key, stream->counter++) >> 32);
}

static uint32_t below(struct stream *stream, uint32_t bound)
{
	return (uint32_t)oclmm_random_below(stream->key, stream->counter++, bound);
}

/* One draw whatever the outcome, so that a knob does not shift the draws after it. */
static bool chance(struct stream *stream, uint32_t percentage)
{
	return below(stream, 100) < percentage;
}

static void shuffle(struct stream *stream, uint32_t *numbers, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		numbers[i] = i;
	for (uint32_t i = count; i > 1; i--) {
		uint32_t j = below(stream, i), kept = numbers[i - 1];

		numbers[i - 1] = numbers[j];
		numbers[j] = kept;
	}
}

/* A factor that permutes n numbers: odd under a mask, else with no divisor in common and small
 * enough. */
static uint32_t factor_of(uint32_t draw, uint32_t n, bool any_count)
{
	uint32_t most = UINT32_MAX / n - 1, factor;

	if (!any_count)
		return draw | 1;
	factor = 1 + draw % most;
	while (common_divisor(factor, n) != 1)
		factor = factor < most ? factor + 1 : 1;
	return factor;
}

static uint32_t place_on(uint64_t start, uint64_t factor, uint32_t rank, uint32_t n)
{
	return (uint32_t)((start % n + factor % n * rank) % n);
}

/*
 * Devices share out many groups among their units in two halves or more, and each unit takes its
 * own one after another: about half of all groups apart are two that run at the same time, which
 * neighbours are not. Odd, and never quite the same, because units do not begin together.
 */
static uint32_t far_apart(uint32_t groups, uint32_t draw)
{
	enum { JITTER = 8 };

	return (groups / 2 + draw % JITTER) | 1;
}

/*
 * Distinct shifts: multiples of distinct small numbers, from a random start.
 * Two litmus work-groups differ by an odd number where groups are a power of
 * two, so that of two places that share an instance one is even and one odd:
 * with flip_groups = 1 they play its two roles at the same time.
 */
static void draw_groups(struct stream *stream, const struct oclmm_environment *environment,
                        const struct oclmm_kernel_plan *plan, struct oclmm_parameters *p)
{
	bool any_count = oclmm_environment_any_count(environment, plan);
	uint32_t order[OCLMM_KERNEL_ROLES] = {0};
	uint32_t start = next(stream), factor = factor_of(next(stream), p->groups, any_count);
	uint32_t multiplier = factor_of(next(stream), p->groups, any_count);
	uint32_t addend = next(stream);
	bool shuffled = chance(stream, environment->shuffle_groups);

	p->group_multiplier = shuffled ? multiplier : 1;
	p->group_addend = shuffled ? addend % p->groups : 0;
	/* as many draws as a permutation would take */
	if (!shuffled && !any_count && addend % 100 < environment->far_groups)
		factor = far_apart(p->groups, multiplier >> 8);
	else if (!shuffled)
		factor = 1;
	shuffle(stream, order, plan->work_groups);
	for (uint32_t w = 0; w < plan->work_groups; w++)
		p->group_shift[w] = place_on(start, factor, order[w], p->groups);
}

/* Rank of a role, in a random order, among those of its litmus work-group, or of its litmus
 * sub-group. */
static uint32_t rank_of(const struct oclmm_kernel_plan *plan, const uint32_t *order, uint32_t role)
{
	uint32_t rank = 0;

	for (uint32_t q = 0; q < plan->roles; q++)
		rank += oclmm_roles_together(plan, q, role) && order[q] < order[role] &&
		        (!plan->in_sub_groups ||
		         plan->role_sub_group[q] == plan->role_sub_group[role]);
	return rank;
}

static void draw_lanes(struct stream *stream, const struct oclmm_environment *environment,
                       const struct oclmm_kernel_plan *plan, struct oclmm_parameters *p)
{
	bool any_count = oclmm_environment_any_count(environment, plan);
	uint32_t lanes = plan->in_sub_groups ? p->sub_lanes : p->lanes;
	uint32_t order[OCLMM_KERNEL_ROLES] = {0};
	uint32_t factor = factor_of(next(stream), lanes, any_count), addend = next(stream);
	bool far = chance(stream, environment->shuffle_lanes);

	p->lane_addend = far ? addend % lanes : 0;
	shuffle(stream, order, plan->roles);
	/* among the roles of its own litmus work-group only: lanes may be few */
	for (uint32_t r = 0; r < plan->roles; r++)
		p->lane_shift[r] = environment->split == OCLMM_SPLIT_NEIGHBOURS
		                           ? 0
		                           : place_on(0, far ? factor : 1, rank_of(plan, order, r),
		                                      lanes);
}

/* As with lanes: neighbouring sub-groups, or some that are far apart. */
static void draw_sub_groups(struct stream *stream, const struct oclmm_environment *environment,
                            const struct oclmm_kernel_plan *plan, struct oclmm_parameters *p)
{
	uint32_t start = next(stream), factor = factor_of(next(stream), p->sub_groups, true);
	uint32_t order[OCLMM_KERNEL_ROLES] = {0};

	if (!chance(stream, environment->shuffle_lanes))
		factor = 1;
	shuffle(stream, order, plan->sub_groups);
	for (uint32_t r = 0; r < plan->roles; r++)
		p->sub_shift[r] = place_on(start, factor, order[plan->role_sub_group[r]],
		                           p->sub_groups);
}

static void draw_locations(struct stream *stream, const struct oclmm_environment *environment,
                           const struct oclmm_program *program,
                           const struct oclmm_kernel_plan *plan, struct oclmm_parameters *p)
{
	bool any_count = oclmm_environment_any_count(environment, plan);
	uint32_t instances = oclmm_environment_instances(environment);
	bool shuffled = chance(stream, environment->shuffle_locations);

	for (uint32_t i = 0; i < program->location_count; i++) {
		uint32_t multiplier = factor_of(next(stream), instances, any_count),
			 addend = next(stream);

		p->location[i].multiplier = shuffled ? multiplier : 1;
		p->location[i].addend = shuffled ? addend % instances : 0;
		lay_out(environment, program, i, &p->location[i]);
	}
}

uint32_t oclmm_counting_work_items(const struct oclmm_environment *environment,
                                   const struct oclmm_parameters *parameters, uint32_t *ret_local)
{
	uint32_t instances = oclmm_environment_instances(environment),
		 each = parameters->count_each;
	uint32_t global = (instances + each - 1) / each;
	uint32_t local = environment->count_lanes < global ? environment->count_lanes : global;

	*ret_local = local;
	return (global + local - 1) / local * local;
}

static void set_counting(const struct oclmm_environment *environment, struct oclmm_parameters *p)
{
	uint32_t instances = oclmm_environment_instances(environment), local;
	uint32_t each = environment->count_each;

	/* each of them has work; one that counts alone has all of it */
	while (each > 1 &&
	       (each / 2 >= instances || (instances + each - 1) / each < environment->count_lanes))
		each /= 2;
	p->count_each = each;
	p->count_first = environment->count_chunked == 1 ? each : 1;
	p->count_step = environment->count_chunked == 1
	                        ? 1
	                        : oclmm_counting_work_items(environment, p, &local);
}

static void set_shape(const struct oclmm_environment *environment,
                      const struct oclmm_kernel_plan *plan, struct oclmm_parameters *p)
{
	uint32_t dimensions = oclmm_environment_dimensions(environment);

	p->groups = environment->groups;
	p->lanes = environment->lanes;
	p->rounds = environment->rounds;
	p->groups_inverse = UINT32_MAX / p->groups;
	p->instances_inverse = UINT32_MAX / oclmm_environment_instances(environment);
	p->split = environment->split;
	p->parties = oclmm_environment_places(environment, plan) * plan->kernels + plan->parts -
	             plan->kernels;
	p->places = oclmm_environment_places(environment, plan);
	p->width = oclmm_environment_width(environment, plan);
	p->all_groups = p->places + environment->stress_groups;
	p->offset_x = environment->offset;
	if (dimensions > 1)
		p->offset_y = 2 * environment->offset;
	if (dimensions > 2)
		p->offset_z = 3 * environment->offset;
	if (plan->in_sub_groups) {
		p->sub_lanes = environment->sub_lanes ? environment->sub_lanes : environment->lanes;
		p->sub_groups = environment->lanes / p->sub_lanes;
	}
}

void oclmm_draw(const struct oclmm_environment *environment, const struct oclmm_program *program,
                const struct oclmm_kernel_plan *plan, uint64_t key,
                struct oclmm_parameters *ret_parameters)
{
	struct stream stream = {.key = key};
	struct oclmm_parameters p;

	memset(&p, 0, sizeof(p));
	set_shape(environment, plan, &p);
	p.rotation = below(&stream, p.all_groups);
	p.flip_groups = environment->flip_groups;
	p.flip_lanes = environment->flip_lanes;
	p.flip_rounds = environment->flip_rounds;
	p.results_reversed = chance(&stream, environment->reverse_results);
	p.polls = environment->polls;
	p.poll_mask = environment->poll_every - 1;
	p.poll_budget = environment->poll_budget;
	p.pre_stress = environment->pre_stress;
	p.stress = environment->stress;
	p.stress_pattern = below(&stream, 4);
	if (environment->stress_pattern < 4)
		p.stress_pattern = environment->stress_pattern;
	p.stress_lines = environment->stress_lines;
	p.stress_stride = environment->stress_stride;
	draw_groups(&stream, environment, plan, &p);
	draw_lanes(&stream, environment, plan, &p);
	draw_locations(&stream, environment, program, plan, &p);
	if (plan->in_sub_groups)
		draw_sub_groups(&stream, environment, plan, &p);
	set_counting(environment, &p);
	*ret_parameters = p;
}

uint64_t oclmm_launch_key(uint64_t seed, uint64_t number)
{
	return oclmm_random(seed, number);
}

bool oclmm_draw_look(uint64_t key, uint64_t number)
{
	/* a stream of its own, so that a launch in which objects are looked at is drawn like any
	 * other */
	return number < 2 || oclmm_random_below(oclmm_random_derive(key, "look"), 0, 64) == 0;
}
