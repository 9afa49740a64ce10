// SPDX-License-Identifier: Apache-2.0
/* How large groups are and how many of them run: what was asked for, and what the device takes. */
#include "internal.h"

#include <errno.h>

/* What short_loops of oclmm_device_info is about, and some room. */
static const uint64_t SHORT_LOOPS = 65000;

/* Work-items of a launch that may be more than there are elements. */
static const uint64_t MOST_IDLE = UINT64_C(1) << 26;

/* The largest group that the device takes. */
static uint64_t largest_group(const struct idiom_session *session)
{
	size_t most = session->info->max_work_group_size, sizes[8] = {0}, given = 0;

	if (clGetDeviceInfo(oclmm_device_id(session->device, 0), CL_DEVICE_MAX_WORK_ITEM_SIZES,
	                    sizeof(sizes), sizes, &given) == CL_SUCCESS &&
	    given && sizes[0] < most)
		most = sizes[0];
	return most;
}

/* The kernels for session->most.group_size, or unless that was asked for, for a smaller one. */
static int build_for_size(struct idiom_session *session)
{
	uint64_t *size = &session->most.group_size;
	int r;

	do
		r = idiom_build_kernels(session, *size);
	while (r == -E2BIG && session->request->group_size == IDIOM_DEFAULT && (*size /= 2) > 0);
	return r == -E2BIG ? -EINVAL : r;
}

int idiom_group_size(struct idiom_session *session, uint64_t wanted, uint64_t local_bytes_per_item)
{
	uint64_t asked = session->request->group_size, most = largest_group(session);

	if (asked != IDIOM_DEFAULT && asked > most)
		return IDIOM_REFUSE(session,
		                    "--group-size %llu: this device takes at most %llu "
		                    "work-items in a group here",
		                    (unsigned long long)asked, (unsigned long long)most);
	if (local_bytes_per_item) {
		/* a few words besides */
		uint64_t room = (session->info->local_memory - 512) / local_bytes_per_item;

		if (asked != IDIOM_DEFAULT && asked > room)
			return IDIOM_REFUSE(
				session,
				"--group-size %llu: local memory has room for %llu work-items here",
				(unsigned long long)asked, (unsigned long long)room);
		most = room < most ? reference_power_of_two(room) : most;
	}
	if (asked == IDIOM_DEFAULT)
		asked = wanted && wanted < most ? wanted : most;
	session->most.group_size = asked;
	return build_for_size(session);
}

int idiom_groups_of(struct idiom_session *session, uint64_t groups)
{
	/* kernels number work-items and groups with 32 bits */
	if (groups > UINT32_MAX / session->most.group_size)
		return IDIOM_REFUSE(session, "%llu groups of %llu are more than 2^32 work-items",
		                    (unsigned long long)groups,
		                    (unsigned long long)session->most.group_size);
	session->most.groups = groups;
	return 0;
}

int idiom_groups(struct idiom_session *session, uint64_t wanted)
{
	uint64_t asked = session->request->groups, size = session->most.group_size;

	/* a healthy device would take so long that it seemed to hang */
	if (asked != IDIOM_DEFAULT && asked > MOST_IDLE / size && asked > session->size / size)
		return IDIOM_REFUSE(
			session,
			"--groups %llu: groups of %llu work-items each, more than 2^26 of them and "
			"more than there are elements",
			(unsigned long long)asked, (unsigned long long)size);
	return idiom_groups_of(session, asked == IDIOM_DEFAULT ? wanted : asked);
}

int idiom_exact_groups(struct idiom_session *session)
{
	uint64_t groups = session->size / session->most.group_size;

	if (session->size == 0 || session->size % session->most.group_size)
		return IDIOM_REFUSE(
			session,
			"as published, the size has to be a multiple of the group size, "
			"and %llu is none of %llu",
			(unsigned long long)session->size,
			(unsigned long long)session->most.group_size);
	if (session->request->groups != IDIOM_DEFAULT && session->request->groups != groups)
		return IDIOM_REFUSE(
			session, "as published, %llu elements make %llu groups of %llu, not %llu",
			(unsigned long long)session->size, (unsigned long long)groups,
			(unsigned long long)session->most.group_size,
			(unsigned long long)session->request->groups);
	return idiom_groups(session, groups);
}

int idiom_check_loops(const struct idiom_session *session, uint64_t turns)
{
	if (!session->info->short_loops || turns <= SHORT_LOOPS)
		return 0;
	return IDIOM_REFUSE(
		session,
		"this device ends the loops of a work-item after 65,535 turns, and %llu are "
		"needed: take a smaller --size or --steps, or more groups",
		(unsigned long long)turns);
}

/* As many numbers below 4 as below 64, so that small ones come up. */
static uint64_t draw(uint64_t key, uint64_t counter, uint64_t least, uint64_t most)
{
	uint64_t span = most - least + 1, bits = 0;

	while (span >> bits)
		bits++;
	bits = 1 + oclmm_random_below(key, 2 * counter, bits);
	if (bits < 64 && UINT64_C(1) << bits < span)
		span = UINT64_C(1) << bits;
	return least + oclmm_random_below(key, 2 * counter + 1, span);
}

void idiom_vary_group_size(struct idiom_session *session, uint64_t key)
{
	/* no fewer than an eighth: that only takes long */
	uint64_t least = (session->most.group_size + 7) / 8;

	if (session->request->group_size == IDIOM_DEFAULT)
		session->shape.group_size = draw(key, 1, least, session->most.group_size);
}

void idiom_vary(struct idiom_session *session, uint64_t key)
{
	uint64_t least;

	idiom_vary_group_size(session, key);
	if (session->request->groups != IDIOM_DEFAULT)
		return;
	/* at most some thousand elements for each work-item */
	least = session->size / 4096 / session->shape.group_size + 1;
	if (least < session->most.groups)
		session->shape.groups = draw(key, 2, least, session->most.groups);
}
