
struct P0_registers {
	uint P0_r0;
	uint P0_r1;
	int P0_r2;
};

static void P0(private struct P0_registers *r, global atomic_uint *at_x, local atomic_int *at_l)
{
	r->P0_r0 = atomic_load_explicit(at_x, memory_order_relaxed, memory_scope_device);
	r->P0_r1 = atomic_load_explicit(at_x, memory_order_relaxed, memory_scope_device);
	r->P0_r2 = atomic_load_explicit(at_l, memory_order_relaxed, memory_scope_work_group);
}

static void P1(global atomic_uint *at_x, local atomic_int *at_l)
{
	atomic_store_explicit(at_x, 7u, memory_order_relaxed, memory_scope_device);
	atomic_store_explicit(at_l, 1, memory_order_relaxed, memory_scope_work_group);
}

kernel void oclmm_test(
	global atomic_uint *at_x,
	local atomic_int *at_l,
	global uchar *codes,
	global uint *raw,
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
	local uint seen[20];

	for (uint n = member; n < 20u; n += p.width)
		seen[n] = 0u;
	barrier(CLK_LOCAL_MEM_FENCE);
	const uint lane = (own_lane + p.lane_addend) & (p.lanes - 1u);
	const uint group = place * (p.group_multiplier | 1u) + p.group_addend;
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

	ulong packed0 = 0UL;
	ulong packed1 = 0UL;
	ulong packed2 = 0UL;
	if (team == 0u && member == 0u)
		atomic_add(&counters[25], (0x8c2d7f12u ^ (p.salt << 1)) | 2u);
	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	bool missed = false;
	for (; round < rounds; round++) {
		const uint i_P0 = round * width + first_P0;
		const uint i_P1 = round * width + first_P1;
		const bool flip = ((place & p.flip_groups) != 0u) ^ ((own_lane & p.flip_lanes) != 0u) ^ ((round & p.flip_rounds) != 0u);
		private struct P0_registers r_P0;
		r_P0.P0_r0 = 91u;
		r_P0.P0_r1 = 91u;
		r_P0.P0_r2 = 91;

		((local int *)at_l)[own_lane * 1u + 0u] = 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		if (flip) {
			P1(at_x + oclmm_slot(p.location[0], i_P1, mask), at_l + lane_P1 * 1u);
			P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_l + lane_P0 * 1u);
		} else {
			P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_l + lane_P0 * 1u);
			P1(at_x + oclmm_slot(p.location[0], i_P1, mask), at_l + lane_P1 * 1u);
		}
		const uint v0 = (uint)r_P0.P0_r0;
		const uint v1 = (uint)r_P0.P0_r1;
		const uint v2 = (uint)r_P0.P0_r2;
		{
			const uint n0 = v0 == 0u ? 0u : v0 == 7u ? 1u : v0 == 300u ? 2u : 3u;
			const uint n1 = v1 == 0u ? 0u : v1 == 7u ? 1u : v1 == 300u ? 2u : 3u;
			const uint n2 = (uint)min(v2 - 0u, 2u);
			uint bucket = 0u + n0 * 6u + n1 * 2u + n2 * 1u;
			if (n0 == 3u || n1 == 3u || n2 == 2u)
				bucket = 18u;
			if (bucket == 18u) {
				const ulong at = (ulong)(atomic_inc(&counters[18]) - p.other_before) * 4u;
				raw[at] = (uint)i_P0;
				raw[at + 1] = v0;
				raw[at + 2] = v1;
				raw[at + 3] = v2;
			} else {
				packed0 += bucket / 8u == 0u ? 1UL << (8u * (bucket % 8u)) : 0UL;
				packed1 += bucket / 8u == 1u ? 1UL << (8u * (bucket % 8u)) : 0UL;
				packed2 += bucket / 8u == 2u ? 1UL << (8u * (bucket % 8u)) : 0UL;
			}
		}
		if ((round & 127u) == 127u) {
			oclmm_add_local(seen + 0, (uint)(packed0 >> 0) & 255u);
			oclmm_add_local(seen + 1, (uint)(packed0 >> 8) & 255u);
			oclmm_add_local(seen + 2, (uint)(packed0 >> 16) & 255u);
			oclmm_add_local(seen + 3, (uint)(packed0 >> 24) & 255u);
			oclmm_add_local(seen + 4, (uint)(packed0 >> 32) & 255u);
			oclmm_add_local(seen + 5, (uint)(packed0 >> 40) & 255u);
			oclmm_add_local(seen + 6, (uint)(packed0 >> 48) & 255u);
			oclmm_add_local(seen + 7, (uint)(packed0 >> 56) & 255u);
			oclmm_add_local(seen + 8, (uint)(packed1 >> 0) & 255u);
			oclmm_add_local(seen + 9, (uint)(packed1 >> 8) & 255u);
			oclmm_add_local(seen + 10, (uint)(packed1 >> 16) & 255u);
			oclmm_add_local(seen + 11, (uint)(packed1 >> 24) & 255u);
			oclmm_add_local(seen + 12, (uint)(packed1 >> 32) & 255u);
			oclmm_add_local(seen + 13, (uint)(packed1 >> 40) & 255u);
			oclmm_add_local(seen + 14, (uint)(packed1 >> 48) & 255u);
			oclmm_add_local(seen + 15, (uint)(packed1 >> 56) & 255u);
			oclmm_add_local(seen + 16, (uint)(packed2 >> 0) & 255u);
			oclmm_add_local(seen + 17, (uint)(packed2 >> 8) & 255u);
			oclmm_add_local(seen + 18, (uint)(packed2 >> 16) & 255u);
			oclmm_add_local(seen + 19, (uint)(packed2 >> 24) & 255u);
			packed0 = 0UL;
			packed1 = 0UL;
			packed2 = 0UL;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (p.looks) {
			missed |= ((local int *)at_l)[own_lane * 1u + 0u] == 0;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))
		round = p.rounds + 1u;
	if (missed)
		round |= 0x80000000u;
	if (testing)
		played[place * p.width + own_lane] += round;
	oclmm_add_local(seen + 0, (uint)(packed0 >> 0) & 255u);
	oclmm_add_local(seen + 1, (uint)(packed0 >> 8) & 255u);
	oclmm_add_local(seen + 2, (uint)(packed0 >> 16) & 255u);
	oclmm_add_local(seen + 3, (uint)(packed0 >> 24) & 255u);
	oclmm_add_local(seen + 4, (uint)(packed0 >> 32) & 255u);
	oclmm_add_local(seen + 5, (uint)(packed0 >> 40) & 255u);
	oclmm_add_local(seen + 6, (uint)(packed0 >> 48) & 255u);
	oclmm_add_local(seen + 7, (uint)(packed0 >> 56) & 255u);
	oclmm_add_local(seen + 8, (uint)(packed1 >> 0) & 255u);
	oclmm_add_local(seen + 9, (uint)(packed1 >> 8) & 255u);
	oclmm_add_local(seen + 10, (uint)(packed1 >> 16) & 255u);
	oclmm_add_local(seen + 11, (uint)(packed1 >> 24) & 255u);
	oclmm_add_local(seen + 12, (uint)(packed1 >> 32) & 255u);
	oclmm_add_local(seen + 13, (uint)(packed1 >> 40) & 255u);
	oclmm_add_local(seen + 14, (uint)(packed1 >> 48) & 255u);
	oclmm_add_local(seen + 15, (uint)(packed1 >> 56) & 255u);
	oclmm_add_local(seen + 16, (uint)(packed2 >> 0) & 255u);
	oclmm_add_local(seen + 17, (uint)(packed2 >> 8) & 255u);
	oclmm_add_local(seen + 18, (uint)(packed2 >> 16) & 255u);
	oclmm_add_local(seen + 19, (uint)(packed2 >> 24) & 255u);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint n = own_lane; n < 20u; n += p.width)
		if (seen[n] != 0u)
			atomic_add(&counters[n], seen[n]);
}
	for (; done < end; done++, i += p.count_step) {
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			at_0[slot0 + 0u] = initial0_0;
		}
