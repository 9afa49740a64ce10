
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

static void P0_part3(private struct P0_registers *r)
{
}

static void P0_part4(private struct P0_registers *r)
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

static void P1_part3(private struct P1_registers *r)
{
}

static void P1_part4(private struct P1_registers *r)
{
}

struct P2_registers {
	int P2_r1;
};

static void P2_part0(private struct P2_registers *r)
{
}

static void P2_part1(private struct P2_registers *r)
{
}

static void P2_part2(private struct P2_registers *r)
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
	const uint sub_group = get_sub_group_id();
	const uint sub_lane = get_sub_group_local_id();
	const uint own_lane = sub_group * get_max_sub_group_size() + sub_lane;
	const bool testing = place < p.places && get_max_sub_group_size() == p.sub_lanes &&
	                     get_num_sub_groups() == p.sub_groups &&
	                     p.sub_groups * p.sub_lanes == p.width;
	const uint lane = oclmm_turn(sub_lane + p.lane_addend, p.sub_lanes);
	const uint group = oclmm_modulo(place * p.group_multiplier + p.group_addend, p.groups, p.groups_inverse);
	const uint rounds = testing ? p.rounds : 0u;
	const uint width = p.groups * p.lanes;
	const uint mask = width * p.rounds - 1u;
	uint budget = p.poll_budget;
	uint wanted = 0u;
	uint round = 0u;
	const uint lane_P0 = oclmm_turn(sub_group + p.sub_shift[0], p.sub_groups) * p.sub_lanes + oclmm_turn(lane + p.lane_shift[0], p.sub_lanes);
	const uint first_P0 = oclmm_turn(group + p.group_shift[0], p.groups) * p.lanes + lane_P0;
	const uint lane_P1 = oclmm_turn(sub_group + p.sub_shift[1], p.sub_groups) * p.sub_lanes + oclmm_turn(lane + p.lane_shift[1], p.sub_lanes);
	const uint first_P1 = oclmm_turn(group + p.group_shift[0], p.groups) * p.lanes + lane_P1;
	const uint lane_P2 = oclmm_turn(sub_group + p.sub_shift[2], p.sub_groups) * p.sub_lanes + oclmm_turn(lane + p.lane_shift[2], p.sub_lanes);
	const uint first_P2 = oclmm_turn(group + p.group_shift[0], p.groups) * p.lanes + lane_P2;

	if (team == 0u && member == 0u)
		atomic_add(&counters[23], (0x589d3a6eu ^ (p.salt << 1)) | 2u);
	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	for (; round < rounds; round++) {
		const uint i_P0 = round * width + first_P0;
		const uint i_P1 = round * width + first_P1;
		const uint i_P2 = round * width + first_P2;
		const bool flip = ((place & p.flip_groups) != 0u) ^ ((own_lane & p.flip_lanes) != 0u) ^ ((round & p.flip_rounds) != 0u);
		private struct P0_registers r_P0;
		r_P0.P0_r0 = 0;
		private struct P1_registers r_P1;
		r_P1.P1_r0 = 0;
		r_P1.P1_r1 = 0;
		private struct P2_registers r_P2;
		r_P2.P2_r1 = 0;

		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		if (flip) {
			P1_part0(&r_P1);
			P0_part0(&r_P0);
		} else {
			P0_part0(&r_P0);
			P1_part0(&r_P1);
		}
		P2_part0(&r_P2);
		{
			const int given = work_group_any(member == 0u ? 1 : member % 3u == 0u ? 0 : member % 3u == 1u ? 3 : 0) != 0;
			r_P0.P0_r0 = given;
		}
		if (flip) {
			P1_part1(&r_P1);
			P0_part1(&r_P0);
		} else {
			P0_part1(&r_P0);
			P1_part1(&r_P1);
		}
		{
			const int given = sub_group_all(get_sub_group_local_id() == 0u ? 0 : get_sub_group_local_id() % 2u == 0u ? 1 : 0) != 0;
			r_P1.P1_r0 = given;
		}
		if (flip) {
			P1_part2(&r_P1);
			P0_part2(&r_P0);
		} else {
			P0_part2(&r_P0);
			P1_part2(&r_P1);
		}
		{
			const int given = sub_group_reduce_max(get_sub_group_local_id() == 0u ? 2 : get_sub_group_local_id() % 2u == 0u ? (-3) : 2);
			r_P0.P0_r0 = given;
		}
		if (flip) {
			P1_part3(&r_P1);
			P0_part3(&r_P0);
		} else {
			P0_part3(&r_P0);
			P1_part3(&r_P1);
		}
		P2_part1(&r_P2);
		{
			const int given = work_group_reduce_min(member == 0u ? (-5) : member % 3u == 0u ? 7 : member % 3u == 1u ? 5 : (-5));
			r_P1.P1_r1 = given;
			r_P2.P2_r1 = given;
		}
		if (flip) {
			P1_part4(&r_P1);
			P0_part4(&r_P0);
		} else {
			P0_part4(&r_P0);
			P1_part4(&r_P1);
		}
		P2_part2(&r_P2);
		const uint v0 = (uint)r_P0.P0_r0;
		const uint v1 = (uint)r_P1.P1_r0;
		const uint v2 = (uint)r_P1.P1_r1;
		const uint v3 = (uint)r_P2.P2_r1;
		if (p.results_reversed) {
			codes[3u * (mask + 1u) + i_P2] = (uchar)(min(v3, 255u) + p.salt);
			if (v3 >= 255u)
				results[3u * (mask + 1u) + i_P2] = v3 + p.salt;
			codes[2u * (mask + 1u) + i_P1] = (uchar)(min(v2, 255u) + p.salt);
			if (v2 >= 255u)
				results[2u * (mask + 1u) + i_P1] = v2 + p.salt;
			codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
			if (v1 >= 255u)
				results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
			codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
			if (v0 >= 255u)
				results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
		} else {
			codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
			if (v0 >= 255u)
				results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
			codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
			if (v1 >= 255u)
				results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
			codes[2u * (mask + 1u) + i_P1] = (uchar)(min(v2, 255u) + p.salt);
			if (v2 >= 255u)
				results[2u * (mask + 1u) + i_P1] = v2 + p.salt;
			codes[3u * (mask + 1u) + i_P2] = (uchar)(min(v3, 255u) + p.salt);
			if (v3 >= 255u)
				results[3u * (mask + 1u) + i_P2] = v3 + p.salt;
		}
	}
	if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))
		round = p.rounds + 1u;
	if (testing)
		played[place * p.width + own_lane] += round;
}
	for (; done < end && i <= mask; done++, i += p.count_step) {
			uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
			if (v0 == 255u)
				v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
			uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
			if (v1 == 255u)
				v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
			uint v2 = (codes[2u * (mask + 1u) + i] - p.salt) & 255u;
			if (v2 == 255u)
				v2 = (uint)(results[2u * (mask + 1u) + i] - p.salt);
			uint v3 = (codes[3u * (mask + 1u) + i] - p.salt) & 255u;
			if (v3 == 255u)
				v3 = (uint)(results[3u * (mask + 1u) + i] - p.salt);
			if (p.only_restore)
				continue;
			const uint n0 = (uint)min(v0 - value0_0, (uint)count0);
			const uint n1 = (uint)min(v1 - value1_0, (uint)count1);
			const uint n2 = (uint)min(v2 - value2_0, (uint)count2);
			const uint n3 = (uint)min(v3 - value3_0, (uint)count3);
			uint bucket = 0u + n0 * stride0 + n1 * stride1 + n2 * stride2 + n3 * stride3;
			if (n0 == count0 || n1 == count1 || n2 == count2 || n3 == count3)
				bucket = outcomes + 0u;
			if (bucket == outcomes + 0u) {
				const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 5u;
				raw[at] = (uint)i;
				raw[at + 1] = v0;
				raw[at + 2] = v1;
				raw[at + 3] = v2;
				raw[at + 4] = v3;
				continue;
			}
			packed0 += bucket / 8u == 0u ? 1UL << (8u * (bucket % 8u)) : 0UL;
			packed1 += bucket / 8u == 1u ? 1UL << (8u * (bucket % 8u)) : 0UL;
			packed2 += bucket / 8u == 2u ? 1UL << (8u * (bucket % 8u)) : 0UL;
		}
