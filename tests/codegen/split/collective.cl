
struct P0_registers {
	int P0_r0;
};

static void P0_part0(private struct P0_registers *r)
{
}

static void P0_part1(private struct P0_registers *r)
{
}

static void P0_part2(private struct P0_registers *r)
{
}

struct P1_registers {
	int P1_r0;
	int P1_r1;
};

static void P1_part0(private struct P1_registers *r)
{
}

static void P1_part1(private struct P1_registers *r)
{
}

static void P1_part2(private struct P1_registers *r)
{
}

kernel void oclmm_test(
	global uchar *codes,
	global uint *results,
	volatile global uint *counters,
	global uint *played,
	volatile global uint *meeting,
	volatile global uint *scratch,
	const oclmm_parameters p)
{
	const uint team = get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
	const uint member = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
	const uint turned = team + p.rotation;
	const uint place = turned < p.all_groups ? turned : turned - p.all_groups;
	const uint own_lane = member;
	const bool testing = place < p.places;
	const uint part = p.split > 1u ? place % 1u : place / p.groups;
	const uint spot = p.split > 1u ? place / 1u : place - part * p.groups;
	const uint share = p.split > 1u ? own_lane % 2u : own_lane / p.lanes;
	const uint slice = p.split > 1u ? own_lane / 2u : own_lane - share * p.lanes;
	volatile uint own =
		part == 0u ? (share == 0u ? 0u : 1u) : 16u;
	const uint lane = (slice + p.lane_addend) & (p.lanes - 1u);
	const uint group = spot * (p.group_multiplier | 1u) + p.group_addend;
	const uint rounds = testing ? p.rounds : 0u;
	const uint width = p.groups * p.lanes;
	const uint mask = width * p.rounds - 1u;
	uint budget = p.poll_budget;
	uint wanted = 0u;
	uint round = 0u;
	const uint lane_P0 = (lane + p.lane_shift[0]) & (p.lanes - 1u);
	const uint first_P0 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P0;
	const uint lane_P1 = (lane + p.lane_shift[1]) & (p.lanes - 1u);
	const uint first_P1 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P1;

	if (team == 0u && member == 0u)
		atomic_add(&counters[9], (0xca4c40deu ^ (p.salt << 1)) | 2u);
	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	for (; round < rounds; round++) {
		const uint i_P0 = round * width + first_P0;
		const uint i_P1 = round * width + first_P1;
		private struct P0_registers r_P0;
		r_P0.P0_r0 = 0;
		private struct P1_registers r_P1;
		r_P1.P1_r0 = 0;
		r_P1.P1_r1 = 0;

		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		if (own == 0u)
			P0_part0(&r_P0);
		if (own == 1u)
			P1_part0(&r_P1);
		{
			const int given = work_group_reduce_min(own == 0u ? 3 : own == 1u ? (-4) : INT_MAX);
			if (own == 0u)
				r_P0.P0_r0 = given;
			if (own == 1u)
				r_P1.P1_r0 = given;
		}
		if (own == 0u)
			P0_part1(&r_P0);
		if (own == 1u)
			P1_part1(&r_P1);
		{
			const int given = work_group_all(own == 0u ? 1 : own == 1u ? 0 : 1) != 0;
			if (own == 1u)
				r_P1.P1_r1 = given;
		}
		if (own == 0u)
			P0_part2(&r_P0);
		if (own == 1u)
			P1_part2(&r_P1);
		const uint v0 = (uint)r_P0.P0_r0;
		if (own == 0u) {
			codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
			if (v0 >= 255u)
				results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
		}
	}
	if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))
		round = p.rounds + 1u;
	if (testing)
		played[place * p.width + own_lane] += round;
}
	for (; done < end; done++, i += p.count_step) {
			uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
			if (v0 == 255u)
				v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
			if (p.only_restore)
				continue;
			const uint n0 = (uint)min(v0 - value0_0, (uint)count0);
			uint bucket = 0u + n0 * stride0;
			if (n0 == count0)
				bucket = outcomes + 0u;
			if (bucket == outcomes + 0u) {
				const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 2u;
				raw[at] = (uint)i;
				raw[at + 1] = v0;
				continue;
			}
			packed0 += 1UL << (8u * bucket);
		}
