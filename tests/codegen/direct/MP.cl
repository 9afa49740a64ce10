
static void P0(global atomic_int *at_x, global atomic_int *at_y)
{
	atomic_store_explicit(at_x, 1, memory_order_relaxed, memory_scope_device);
	atomic_store_explicit(at_y, 1, memory_order_relaxed, memory_scope_device);
}

struct P1_registers {
	int P1_r0;
	int P1_r1;
	uint cut; /* a loop was still running at its bound */
};

static void P1(private struct P1_registers *r, global atomic_int *at_x, global atomic_int *at_y)
{
	r->P1_r0 = atomic_load_explicit(at_y, memory_order_relaxed, memory_scope_device);
	r->P1_r1 = atomic_load_explicit(at_x, memory_order_relaxed, memory_scope_device);
	for (uint turn0 = 0u; r->P1_r1 == 2; turn0++) {
		if (turn0 == 2u) {
			r->cut = 1u;
			return;
		}
		r->P1_r1 = r->P1_r1 + 0;
	}
}

kernel void oclmm_test(
	global atomic_int *at_x,
	global atomic_int *at_y,
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
	local uint seen[6];

	for (uint n = member; n < 6u; n += p.width)
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
	const uint first_P1 = ((group + p.group_shift[1]) & (p.groups - 1u)) * p.lanes + lane_P1;

	ulong packed0 = 0UL;
	if (team == 0u && member == 0u)
		atomic_add(&counters[11], (0xaa73dd1au ^ (p.salt << 1)) | 2u);
	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	for (; round < rounds; round++) {
		const uint i_P0 = round * width + first_P0;
		const uint i_P1 = round * width + first_P1;
		const bool flip = ((place & p.flip_groups) != 0u) ^ ((own_lane & p.flip_lanes) != 0u) ^ ((round & p.flip_rounds) != 0u);
		private struct P1_registers r_P1;
		r_P1.P1_r0 = 91;
		r_P1.P1_r1 = 91;
		r_P1.cut = 0u;

		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		if (flip) {
			P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
			P0(at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
		} else {
			P0(at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
			P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
		}
		const uint v0 = (uint)r_P1.P1_r0;
		const uint v1 = (uint)r_P1.P1_r1;
		{
			const uint n0 = (uint)min(v0 - 0u, 2u);
			const uint n1 = (uint)min(v1 - 0u, 2u);
			uint bucket = 0u + n0 * 2u + n1 * 1u;
			if (n0 == 2u || n1 == 2u)
				bucket = 4u;
			if (r_P1.cut != 0u)
				bucket = 5u;
			if (bucket == 4u) {
				const ulong at = (ulong)(atomic_inc(&counters[4]) - p.other_before) * 3u;
				raw[at] = (uint)i_P1;
				raw[at + 1] = v0;
				raw[at + 2] = v1;
			} else {
				packed0 += 1UL << (8u * bucket);
			}
		}
		if ((round & 127u) == 127u) {
			oclmm_add_local(seen + 0, (uint)(packed0 >> 0) & 255u);
			oclmm_add_local(seen + 1, (uint)(packed0 >> 8) & 255u);
			oclmm_add_local(seen + 2, (uint)(packed0 >> 16) & 255u);
			oclmm_add_local(seen + 3, (uint)(packed0 >> 24) & 255u);
			oclmm_add_local(seen + 4, (uint)(packed0 >> 32) & 255u);
			oclmm_add_local(seen + 5, (uint)(packed0 >> 40) & 255u);
			packed0 = 0UL;
		}
	}
	if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))
		round = p.rounds + 1u;
	if (testing)
		played[place * p.width + own_lane] += round;
	oclmm_add_local(seen + 0, (uint)(packed0 >> 0) & 255u);
	oclmm_add_local(seen + 1, (uint)(packed0 >> 8) & 255u);
	oclmm_add_local(seen + 2, (uint)(packed0 >> 16) & 255u);
	oclmm_add_local(seen + 3, (uint)(packed0 >> 24) & 255u);
	oclmm_add_local(seen + 4, (uint)(packed0 >> 32) & 255u);
	oclmm_add_local(seen + 5, (uint)(packed0 >> 40) & 255u);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint n = own_lane; n < 6u; n += p.width)
		if (seen[n] != 0u)
			atomic_add(&counters[n], seen[n]);
}
	for (; done < end; done++, i += p.count_step) {
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			const uint slot1 = oclmm_slot(p.location[1], i, mask);
			at_0[slot0 + 0u] = initial0_0;
			at_1[slot1 + 0u] = initial1_0;
		}
