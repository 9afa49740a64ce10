
struct P0_registers {
	int P0_r0;
	uint P0_r1;
	long P0_r2;
	ulong P0_r3;
	int P0_r4;
	int P0_r5;
	int P0_r6;
	int P0_r7;
	int P0_r8;
	int expected_int;
};

static void P0(private struct P0_registers *r, global atomic_int *at_x, global atomic_uint *at_y, global atomic_long *at_z, global atomic_ulong *at_w, global atomic_flag *at_f, global int *at_e)
{
	r->P0_r0 = atomic_exchange_explicit(at_x, (-2147483648L), memory_order_acq_rel, memory_scope_work_group);
	r->P0_r1 = atomic_fetch_add(at_y, 2u);
	r->P0_r2 = atomic_fetch_min_explicit(at_z, (long)((-5L)), memory_order_seq_cst, memory_scope_device);
	r->P0_r3 = atomic_fetch_max_explicit(at_w, (ulong)(18446744073709551615UL), memory_order_acquire, memory_scope_device);
	r->P0_r4 = 1;
	r->P0_r5 = atomic_compare_exchange_strong_explicit(at_x, &r->P0_r4, 2, memory_order_acq_rel, memory_order_acquire, memory_scope_device);
	r->P0_r6 = ((r->expected_int = *at_e, atomic_compare_exchange_weak(at_x, &r->expected_int, r->P0_r0 + 1)) || (*at_e = r->expected_int, 0));
	r->P0_r7 = atomic_flag_test_and_set_explicit(at_f, memory_order_relaxed, memory_scope_device);
	atomic_flag_clear(at_f);
	atomic_init(at_x, 3);
	atomic_fetch_sub(at_y, 1u);
	atomic_fetch_or(at_x, 1);
	atomic_fetch_xor(at_x, 1);
	atomic_fetch_and(at_x, 1);
	r->P0_r8 = ((r->P0_r0 << 2) % 3) + ((-(r->P0_r4 & 1)) * (~r->P0_r5));
}

kernel void oclmm_test(
	global atomic_int *at_x,
	global atomic_uint *at_y,
	global atomic_long *at_z,
	global atomic_ulong *at_w,
	global atomic_flag *at_f,
	global int *at_e,
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
		atomic_add(&counters[1303], (0x5e17c24au ^ (p.salt << 1)) | 2u);
	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	for (; round < rounds; round++) {
		const uint i_P0 = round * width + first_P0;
		private struct P0_registers r_P0;
		r_P0.P0_r0 = 91;
		r_P0.P0_r1 = 91u;
		r_P0.P0_r2 = 91L;
		r_P0.P0_r3 = 91UL;
		r_P0.P0_r4 = 0;
		r_P0.P0_r5 = 0;
		r_P0.P0_r6 = 91;
		r_P0.P0_r7 = 0;
		r_P0.P0_r8 = 91;

		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask), at_z + oclmm_slot(p.location[2], i_P0, mask), at_w + oclmm_slot(p.location[3], i_P0, mask), at_f + oclmm_slot(p.location[4], i_P0, mask), at_e + oclmm_slot(p.location[5], i_P0, mask));
		const uint v0 = (uint)r_P0.P0_r0;
		const uint v1 = (uint)r_P0.P0_r1;
		const ulong v2 = (ulong)r_P0.P0_r2;
		const ulong v3 = (ulong)r_P0.P0_r3;
		const uint v4 = (uint)r_P0.P0_r6;
		const uint v5 = (uint)r_P0.P0_r8;
		if (p.results_reversed) {
			codes[5u * (mask + 1u) + i_P0] = (uchar)(min(v5, 255u) + p.salt);
			if (v5 >= 255u)
				results[5u * (mask + 1u) + i_P0] = v5 + p.salt;
			codes[4u * (mask + 1u) + i_P0] = (uchar)(min(v4, 255u) + p.salt);
			if (v4 >= 255u)
				results[4u * (mask + 1u) + i_P0] = v4 + p.salt;
			results[3u * (mask + 1u) + i_P0] = v3 + p.salt;
			results[2u * (mask + 1u) + i_P0] = v2 + p.salt;
			results[1u * (mask + 1u) + i_P0] = v1 + p.salt;
			codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
			if (v0 >= 255u)
				results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
		} else {
			codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
			if (v0 >= 255u)
				results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
			results[1u * (mask + 1u) + i_P0] = v1 + p.salt;
			results[2u * (mask + 1u) + i_P0] = v2 + p.salt;
			results[3u * (mask + 1u) + i_P0] = v3 + p.salt;
			codes[4u * (mask + 1u) + i_P0] = (uchar)(min(v4, 255u) + p.salt);
			if (v4 >= 255u)
				results[4u * (mask + 1u) + i_P0] = v4 + p.salt;
			codes[5u * (mask + 1u) + i_P0] = (uchar)(min(v5, 255u) + p.salt);
			if (v5 >= 255u)
				results[5u * (mask + 1u) + i_P0] = v5 + p.salt;
		}
	}
	if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))
		round = p.rounds + 1u;
	if (testing)
		played[place * p.width + own_lane] += round;
}
	for (; done < end; done++, i += p.count_step) {
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			const uint slot1 = oclmm_slot(p.location[1], i, mask);
			const uint slot2 = oclmm_slot(p.location[2], i, mask);
			const uint slot3 = oclmm_slot(p.location[3], i, mask);
			const uint slot4 = oclmm_slot(p.location[4], i, mask);
			const uint slot5 = oclmm_slot(p.location[5], i, mask);
			uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
			if (v0 == 255u)
				v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
			const uint v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
			const ulong v2 = (ulong)(results[2u * (mask + 1u) + i] - p.salt);
			const ulong v3 = (ulong)(results[3u * (mask + 1u) + i] - p.salt);
			uint v4 = (codes[4u * (mask + 1u) + i] - p.salt) & 255u;
			if (v4 == 255u)
				v4 = (uint)(results[4u * (mask + 1u) + i] - p.salt);
			uint v5 = (codes[5u * (mask + 1u) + i] - p.salt) & 255u;
			if (v5 == 255u)
				v5 = (uint)(results[5u * (mask + 1u) + i] - p.salt);
			const uint v6 = (uint)(at_4[slot4 + 0u] != 0);
			const ulong v7 = (ulong)at_2[slot2 + 0u];
			at_0[slot0 + 0u] = initial0_0;
			at_1[slot1 + 0u] = initial1_0;
			at_2[slot2 + 0u] = initial2_0;
			at_3[slot3 + 0u] = initial3_0;
			at_4[slot4 + 0u] = initial4_0;
			at_5[slot5 + 0u] = initial5_0;
			if (p.only_restore)
				continue;
			const uint n0 = v0 == value0_0 ? 0u : v0 == value0_1 ? 1u : v0 == value0_2 ? 2u : v0 == value0_3 ? 3u : count0;
			const uint n1 = v1 == value1_0 ? 0u : v1 == value1_1 ? 1u : v1 == value1_2 ? 2u : v1 == value1_3 ? 3u : count1;
			const uint n2 = v2 == value2_0 ? 0u : v2 == value2_1 ? 1u : v2 == value2_2 ? 2u : v2 == value2_3 ? 3u : count2;
			const uint n3 = v3 == value3_0 ? 0u : v3 == value3_1 ? 1u : v3 == value3_2 ? 2u : v3 == value3_3 ? 3u : count3;
			const uint n4 = v4 == value4_0 ? 0u : v4 == value4_1 ? 1u : v4 == value4_2 ? 2u : v4 == value4_3 ? 3u : count4;
			const uint n5 = v5 == value5_0 ? 0u : v5 == value5_1 ? 1u : v5 == value5_2 ? 2u : v5 == value5_3 ? 3u : count5;
			const uint n6 = v6 == value6_0 ? 0u : v6 == value6_1 ? 1u : v6 == value6_2 ? 2u : v6 == value6_3 ? 3u : count6;
			const uint n7 = v7 == value7_0 ? 0u : v7 == value7_1 ? 1u : v7 == value7_2 ? 2u : v7 == value7_3 ? 3u : count7;
			uint bucket = 0u + n0 * stride0 + n1 * stride1 + n2 * stride2 + n3 * stride3 + n4 * stride4 + n5 * stride5 + n6 * stride6 + n7 * stride7;
			if (n0 == count0 || n1 == count1 || n2 == count2 || n3 == count3 || n4 == count4 || n5 == count5 || n6 == count6 || n7 == count7)
				bucket = outcomes + 0u;
			if (bucket == outcomes + 0u) {
				const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 9u;
				raw[at] = (ulong)i;
				raw[at + 1] = v0;
				raw[at + 2] = v1;
				raw[at + 3] = v2;
				raw[at + 4] = v3;
				raw[at + 5] = v4;
				raw[at + 6] = v5;
				raw[at + 7] = v6;
				raw[at + 8] = v7;
				continue;
			}
			atomic_inc(&seen[bucket]);
		}
