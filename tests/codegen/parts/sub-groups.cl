
static void P0_part0(global int *at_x, global atomic_int *at_y)
{
	*at_x = 1;
}

static void P0_part1(global int *at_x, global atomic_int *at_y)
{
}

static void P0_part2(global int *at_x, global atomic_int *at_y)
{
}

static void P1_part0(global int *at_x, global atomic_int *at_y)
{
}

static void P1_part1(global int *at_x, global atomic_int *at_y)
{
	atomic_store_explicit(at_y, 1, memory_order_relaxed, memory_scope_work_group);
}

struct P2_registers {
	int P2_r0;
};

static void P2_part0(private struct P2_registers *r, global int *at_x, global atomic_int *at_y)
{
}

static void P2_part1(private struct P2_registers *r, global int *at_x, global atomic_int *at_y)
{
	r->P2_r0 = *at_x;
}

static void P2_part2(private struct P2_registers *r, global int *at_x, global atomic_int *at_y)
{
}

struct P3_registers {
	int P3_r0;
	int P3_r1;
};

static void P3_part0(private struct P3_registers *r, global int *at_x, global atomic_int *at_y)
{
	r->P3_r0 = atomic_load_explicit(at_y, memory_order_relaxed, memory_scope_device);
}

static void P3_part1(private struct P3_registers *r, global int *at_x, global atomic_int *at_y)
{
	r->P3_r1 = atomic_load_explicit(at_y, memory_order_relaxed, memory_scope_sub_group);
}

kernel void oclmm_test(
	global int *at_x,
	global atomic_int *at_y,
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
	const uint lane_P3 = oclmm_turn(sub_group + p.sub_shift[3], p.sub_groups) * p.sub_lanes + oclmm_turn(lane + p.lane_shift[3], p.sub_lanes);
	const uint first_P3 = oclmm_turn(group + p.group_shift[1], p.groups) * p.lanes + lane_P3;

	if (team == 0u && member == 0u)
		atomic_add(&counters[15], (0xde16cf1au ^ (p.salt << 1)) | 2u);
	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	for (; round < rounds; round++) {
		const uint i_P0 = round * width + first_P0;
		const uint i_P1 = round * width + first_P1;
		const uint i_P2 = round * width + first_P2;
		const uint i_P3 = round * width + first_P3;
		const bool flip = ((place & p.flip_groups) != 0u) ^ ((own_lane & p.flip_lanes) != 0u) ^ ((round & p.flip_rounds) != 0u);
		private struct P2_registers r_P2;
		r_P2.P2_r0 = 91;
		private struct P3_registers r_P3;
		r_P3.P3_r0 = 91;
		r_P3.P3_r1 = 91;

		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		if (flip) {
			P2_part0(&r_P2, at_x + oclmm_slot(p.location[0], i_P2, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P2, mask + 1u, p.instances_inverse));
			P0_part0(at_x + oclmm_slot(p.location[0], i_P0, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P0, mask + 1u, p.instances_inverse));
		} else {
			P0_part0(at_x + oclmm_slot(p.location[0], i_P0, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P0, mask + 1u, p.instances_inverse));
			P2_part0(&r_P2, at_x + oclmm_slot(p.location[0], i_P2, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P2, mask + 1u, p.instances_inverse));
		}
		sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
		if (flip) {
			P2_part1(&r_P2, at_x + oclmm_slot(p.location[0], i_P2, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P2, mask + 1u, p.instances_inverse));
			P0_part1(at_x + oclmm_slot(p.location[0], i_P0, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P0, mask + 1u, p.instances_inverse));
		} else {
			P0_part1(at_x + oclmm_slot(p.location[0], i_P0, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P0, mask + 1u, p.instances_inverse));
			P2_part1(&r_P2, at_x + oclmm_slot(p.location[0], i_P2, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P2, mask + 1u, p.instances_inverse));
		}
		P1_part0(at_x + oclmm_slot(p.location[0], i_P1, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P1, mask + 1u, p.instances_inverse));
		work_group_barrier(CLK_GLOBAL_MEM_FENCE);
		if (flip) {
			P2_part2(&r_P2, at_x + oclmm_slot(p.location[0], i_P2, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P2, mask + 1u, p.instances_inverse));
			P0_part2(at_x + oclmm_slot(p.location[0], i_P0, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P0, mask + 1u, p.instances_inverse));
		} else {
			P0_part2(at_x + oclmm_slot(p.location[0], i_P0, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P0, mask + 1u, p.instances_inverse));
			P2_part2(&r_P2, at_x + oclmm_slot(p.location[0], i_P2, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P2, mask + 1u, p.instances_inverse));
		}
		P1_part1(at_x + oclmm_slot(p.location[0], i_P1, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P1, mask + 1u, p.instances_inverse));
		P3_part0(&r_P3, at_x + oclmm_slot(p.location[0], i_P3, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P3, mask + 1u, p.instances_inverse));
		sub_group_barrier(0, memory_scope_device);
		P3_part1(&r_P3, at_x + oclmm_slot(p.location[0], i_P3, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P3, mask + 1u, p.instances_inverse));
		const uint v0 = (uint)r_P2.P2_r0;
		const uint v1 = (uint)r_P3.P3_r0;
		const uint v2 = (uint)r_P3.P3_r1;
		if (p.results_reversed) {
			codes[2u * (mask + 1u) + i_P3] = (uchar)(min(v2, 255u) + p.salt);
			if (v2 >= 255u)
				results[2u * (mask + 1u) + i_P3] = v2 + p.salt;
			codes[1u * (mask + 1u) + i_P3] = (uchar)(min(v1, 255u) + p.salt);
			if (v1 >= 255u)
				results[1u * (mask + 1u) + i_P3] = v1 + p.salt;
			codes[0u * (mask + 1u) + i_P2] = (uchar)(min(v0, 255u) + p.salt);
			if (v0 >= 255u)
				results[0u * (mask + 1u) + i_P2] = v0 + p.salt;
		} else {
			codes[0u * (mask + 1u) + i_P2] = (uchar)(min(v0, 255u) + p.salt);
			if (v0 >= 255u)
				results[0u * (mask + 1u) + i_P2] = v0 + p.salt;
			codes[1u * (mask + 1u) + i_P3] = (uchar)(min(v1, 255u) + p.salt);
			if (v1 >= 255u)
				results[1u * (mask + 1u) + i_P3] = v1 + p.salt;
			codes[2u * (mask + 1u) + i_P3] = (uchar)(min(v2, 255u) + p.salt);
			if (v2 >= 255u)
				results[2u * (mask + 1u) + i_P3] = v2 + p.salt;
		}
	}
	if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))
		round = p.rounds + 1u;
	if (testing)
		played[place * p.width + own_lane] += round;
}
	for (; done < end && i <= mask; done++, i += p.count_step) {
			const uint slot0 = oclmm_slot(p.location[0], i, mask + 1u, p.instances_inverse);
			const uint slot1 = oclmm_slot(p.location[1], i, mask + 1u, p.instances_inverse);
			uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
			if (v0 == 255u)
				v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
			uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
			if (v1 == 255u)
				v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
			uint v2 = (codes[2u * (mask + 1u) + i] - p.salt) & 255u;
			if (v2 == 255u)
				v2 = (uint)(results[2u * (mask + 1u) + i] - p.salt);
			at_0[slot0 + 0u] = initial0_0;
			at_1[slot1 + 0u] = initial1_0;
			if (p.only_restore)
				continue;
			const uint n0 = (uint)min(v0 - value0_0, (uint)count0);
			const uint n1 = (uint)min(v1 - value1_0, (uint)count1);
			const uint n2 = (uint)min(v2 - value2_0, (uint)count2);
			uint bucket = 0u + n0 * stride0 + n1 * stride1 + n2 * stride2;
			if (n0 == count0 || n1 == count1 || n2 == count2)
				bucket = outcomes + 0u;
			if (bucket == outcomes + 0u) {
				const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 4u;
				raw[at] = (uint)i;
				raw[at + 1] = v0;
				raw[at + 2] = v1;
				raw[at + 3] = v2;
				continue;
			}
			packed0 += bucket / 8u == 0u ? 1UL << (8u * (bucket % 8u)) : 0UL;
			packed1 += bucket / 8u == 1u ? 1UL << (8u * (bucket % 8u)) : 0UL;
		}
