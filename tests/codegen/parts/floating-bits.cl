
struct P0_registers {
	float P0_e;
	int P0_r0;
	half P0_r1;
	double P0_r2;
};

static void P0(private struct P0_registers *r, global atomic_float *at_x, global atomic_half *at_h, local atomic_double *at_d)
{
	r->P0_e = as_float((uint)0x807fffffu);
	r->P0_r0 = atomic_compare_exchange_strong_explicit(at_x, &r->P0_e, as_float((uint)0x7f800000u), memory_order_relaxed, memory_order_relaxed, memory_scope_device);
	r->P0_r1 = atomic_exchange_explicit(at_h + 1, as_half((ushort)0x8000u), memory_order_acq_rel, memory_scope_device);
	r->P0_r2 = atomic_exchange_explicit(at_d, (double)(as_double((ulong)0x8000000000000000UL)), memory_order_relaxed, memory_scope_work_group);
}

kernel void oclmm_test(
	global atomic_float *at_x,
	global atomic_half *at_h,
	local atomic_double *at_d,
	global uchar *codes,
	global ulong *results,
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

	if (team == 0u && member == 0u)
		atomic_add(&counters[151], (0xd264cdfau ^ (p.salt << 1)) | 2u);
	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	for (; round < rounds; round++) {
		const uint i_P0 = round * width + first_P0;
		private struct P0_registers r_P0;
		r_P0.P0_e = 91.0f;
		r_P0.P0_r0 = 0;
		r_P0.P0_r1 = 91.0h;
		r_P0.P0_r2 = 91.0;

		((local double *)at_d)[own_lane * 1u + 0u] = as_double((ulong)0x7ff8000000000000UL);
		barrier(CLK_LOCAL_MEM_FENCE);
		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_h + oclmm_slot(p.location[1], i_P0, mask), at_d + lane_P0 * 1u);
		const ulong v0 = (ulong)oclmm_value_double(r_P0.P0_r2);
		const uint v2 = (uint)oclmm_value_float(r_P0.P0_e);
		const uint v3 = (uint)oclmm_value_half(r_P0.P0_r1);
		if (p.results_reversed) {
			codes[3u * (mask + 1u) + i_P0] = (uchar)(min(v3, 255u) + p.salt);
			if (v3 >= 255u)
				results[3u * (mask + 1u) + i_P0] = v3 + p.salt;
			codes[2u * (mask + 1u) + i_P0] = (uchar)(min(v2, 255u) + p.salt);
			if (v2 >= 255u)
				results[2u * (mask + 1u) + i_P0] = v2 + p.salt;
			results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
		} else {
			results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
			codes[2u * (mask + 1u) + i_P0] = (uchar)(min(v2, 255u) + p.salt);
			if (v2 >= 255u)
				results[2u * (mask + 1u) + i_P0] = v2 + p.salt;
			codes[3u * (mask + 1u) + i_P0] = (uchar)(min(v3, 255u) + p.salt);
			if (v3 >= 255u)
				results[3u * (mask + 1u) + i_P0] = v3 + p.salt;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		const uint i1 = round * width + ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + own_lane;
		const ulong v1 = (ulong)oclmm_value_double(((local double *)at_d)[own_lane * 1u + 0u]);
		results[1u * (mask + 1u) + i1] = v1 + p.salt;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))
		round = p.rounds + 1u;
	if (testing)
		played[place * p.width + own_lane] += round;
}
	for (; done < end; done++, i += p.count_step) {
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			const uint slot1 = oclmm_slot(p.location[1], i, mask);
			const ulong v0 = (ulong)(results[0u * (mask + 1u) + i] - p.salt);
			const uint v1 = (uint)oclmm_value_float(as_float(at_0[slot0 + 0u]));
			const uint v2 = (uint)oclmm_value_half(as_half(at_1[slot1 + 0u]));
			const ulong v3 = (ulong)(results[1u * (mask + 1u) + i] - p.salt);
			uint v4 = (codes[2u * (mask + 1u) + i] - p.salt) & 255u;
			if (v4 == 255u)
				v4 = (uint)(results[2u * (mask + 1u) + i] - p.salt);
			uint v5 = (codes[3u * (mask + 1u) + i] - p.salt) & 255u;
			if (v5 == 255u)
				v5 = (uint)(results[3u * (mask + 1u) + i] - p.salt);
			at_0[slot0 + 0u] = initial0_0;
			at_1[slot1 + 0u] = initial1_0;
			at_1[slot1 + 1u] = initial1_1;
			if (p.only_restore)
				continue;
			const uint n0 = v0 == value0_0 ? 0u : v0 == value0_1 ? 1u : v0 == value0_2 ? 2u : v0 == value0_3 ? 3u : count0;
			const uint n1 = v1 == value1_0 ? 0u : v1 == value1_1 ? 1u : v1 == value1_2 ? 2u : v1 == value1_3 ? 3u : count1;
			const uint n2 = v2 == value2_0 ? 0u : v2 == value2_1 ? 1u : v2 == value2_2 ? 2u : v2 == value2_3 ? 3u : count2;
			const uint n3 = v3 == value3_0 ? 0u : v3 == value3_1 ? 1u : v3 == value3_2 ? 2u : v3 == value3_3 ? 3u : count3;
			const uint n4 = v4 == value4_0 ? 0u : v4 == value4_1 ? 1u : v4 == value4_2 ? 2u : v4 == value4_3 ? 3u : count4;
			const uint n5 = v5 == value5_0 ? 0u : v5 == value5_1 ? 1u : v5 == value5_2 ? 2u : v5 == value5_3 ? 3u : count5;
			uint bucket = 0u + n0 * stride0 + n1 * stride1 + n2 * stride2 + n3 * stride3 + n4 * stride4 + n5 * stride5;
			if (n0 == count0 || n1 == count1 || n2 == count2 || n3 == count3 || n4 == count4 || n5 == count5)
				bucket = outcomes + 0u;
			if (bucket == outcomes + 0u) {
				const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 7u;
				raw[at] = (ulong)i;
				raw[at + 1] = v0;
				raw[at + 2] = v1;
				raw[at + 3] = v2;
				raw[at + 4] = v3;
				raw[at + 5] = v4;
				raw[at + 6] = v5;
				continue;
			}
			atomic_inc(&seen[bucket]);
		}
