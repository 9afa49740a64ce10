typedef struct {
	uint base, stride, multiplier, addend;
} oclmm_layout;

/* oclmm_parameters: as in common.cl */

/* oclmm_slot: as in common.cl */

/* oclmm_astray: as in common.cl */

/* oclmm_stress: as in common.cl */

/* Waits a little for the others, on this device or not. Failing to meet is no error. */
static uint oclmm_meet(volatile global uint *meeting, uint wanted, uint polls, uint budget)
{
	volatile global atomic_uint *met = (volatile global atomic_uint *)meeting;

	atomic_fetch_add_explicit(met, 1u, memory_order_relaxed, memory_scope_all_svm_devices);
	for (uint n = 0u; n < polls && budget != 0u &&
	                 atomic_load_explicit(met, memory_order_relaxed, memory_scope_all_svm_devices) < wanted; n++)
		budget--;
	return budget;
}

struct P1_registers {
	int P1_r0;
};

static void P1(private struct P1_registers *r, global atomic_int *at_x, global atomic_int *at_y, global int *at_d)
{
	r->P1_r0 = atomic_load_explicit(at_x, memory_order_acquire, memory_scope_all_svm_devices);
	atomic_store_explicit(at_y, 1, memory_order_release, memory_scope_all_svm_devices);
	*at_d = r->P1_r0;
}

kernel void oclmm_test(
	global atomic_int *at_x,
	global atomic_int *at_y,
	global int *at_d,
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
	const uint lane = (own_lane + p.lane_addend) & (p.lanes - 1u);
	const uint group = place * (p.group_multiplier | 1u) + p.group_addend;
	const uint rounds = testing ? p.rounds : 0u;
	const uint width = p.groups * p.lanes;
	const uint mask = width * p.rounds - 1u;
	uint budget = p.poll_budget;
	uint wanted = 0u;
	uint round = 0u;
	const uint lane_P1 = (lane + p.lane_shift[1]) & (p.lanes - 1u);
	const uint first_P1 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P1;

	if (team == 0u && member == 0u)
		atomic_add(&counters[39], (0x6bf6e41au ^ (p.salt << 1)) | 2u);
	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	for (; round < rounds; round++) {
		const uint i_P1 = round * width + first_P1;
		const bool flip = ((place & p.flip_groups) != 0u) ^ ((own_lane & p.flip_lanes) != 0u) ^ ((round & p.flip_rounds) != 0u);
		private struct P1_registers r_P1;
		r_P1.P1_r0 = 91;

		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask), at_d + oclmm_slot(p.location[2], i_P1, mask));
		const uint v1 = (uint)r_P1.P1_r0;
		if (p.results_reversed) {
			codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
			if (v1 >= 255u)
				results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
		} else {
			codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
			if (v1 >= 255u)
				results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
		}
	}
	if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))
		round = p.rounds + 1u;
	if (testing)
		played[place * p.width + own_lane] += round;
}

struct P2_registers {
	int P2_r0;
};

static void P2(private struct P2_registers *r, global atomic_int *at_y)
{
	r->P2_r0 = atomic_load_explicit(at_y, memory_order_acquire, memory_scope_all_svm_devices);
}

struct P3_registers {
	int P3_r0;
};

static void P3(private struct P3_registers *r, global atomic_int *at_x)
{
	r->P3_r0 = atomic_load_explicit(at_x, memory_order_acquire, memory_scope_all_svm_devices);
}

kernel void oclmm_test_1(
	global atomic_int *at_x,
	global atomic_int *at_y,
	global int *at_d,
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
	const uint lane = (own_lane + p.lane_addend) & (p.lanes - 1u);
	const uint group = place * (p.group_multiplier | 1u) + p.group_addend;
	const uint rounds = testing ? p.rounds : 0u;
	const uint width = p.groups * p.lanes;
	const uint mask = width * p.rounds - 1u;
	uint budget = p.poll_budget;
	uint wanted = 0u;
	uint round = 0u;
	const uint lane_P2 = (lane + p.lane_shift[2]) & (p.lanes - 1u);
	const uint first_P2 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P2;
	const uint lane_P3 = (lane + p.lane_shift[3]) & (p.lanes - 1u);
	const uint first_P3 = ((group + p.group_shift[1]) & (p.groups - 1u)) * p.lanes + lane_P3;

	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	for (; round < rounds; round++) {
		const uint i_P2 = round * width + first_P2;
		const uint i_P3 = round * width + first_P3;
		const bool flip = ((place & p.flip_groups) != 0u) ^ ((own_lane & p.flip_lanes) != 0u) ^ ((round & p.flip_rounds) != 0u);
		private struct P2_registers r_P2;
		r_P2.P2_r0 = 91;
		private struct P3_registers r_P3;
		r_P3.P3_r0 = 91;

		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		if (flip) {
			P3(&r_P3, at_x + oclmm_slot(p.location[0], i_P3, mask));
			P2(&r_P2, at_y + oclmm_slot(p.location[1], i_P2, mask));
		} else {
			P2(&r_P2, at_y + oclmm_slot(p.location[1], i_P2, mask));
			P3(&r_P3, at_x + oclmm_slot(p.location[0], i_P3, mask));
		}
		const uint v2 = (uint)r_P2.P2_r0;
		const uint v3 = (uint)r_P3.P3_r0;
		if (p.results_reversed) {
			codes[3u * (mask + 1u) + i_P3] = (uchar)(min(v3, 255u) + p.salt);
			if (v3 >= 255u)
				results[3u * (mask + 1u) + i_P3] = v3 + p.salt;
			codes[2u * (mask + 1u) + i_P2] = (uchar)(min(v2, 255u) + p.salt);
			if (v2 >= 255u)
				results[2u * (mask + 1u) + i_P2] = v2 + p.salt;
		} else {
			codes[2u * (mask + 1u) + i_P2] = (uchar)(min(v2, 255u) + p.salt);
			if (v2 >= 255u)
				results[2u * (mask + 1u) + i_P2] = v2 + p.salt;
			codes[3u * (mask + 1u) + i_P3] = (uchar)(min(v3, 255u) + p.salt);
			if (v3 >= 255u)
				results[3u * (mask + 1u) + i_P3] = v3 + p.salt;
		}
	}
	if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))
		round = p.rounds + 1u;
	if (testing)
		played[place * p.width + own_lane] += (round ^ 0x44cce36eu) + p.salt;
}

/* oclmm_add: as in common.cl */

kernel void oclmm_count(
	global uint *at_0,
	global uint *at_1,
	global uint *at_2,
	global const uchar *codes,
	global const uint *results,
	volatile global uint *counters,
	global uint *played,
	global uint *meeting,
	global uint *raw,
	const oclmm_parameters p,
	global const ulong *table)
{
	local uint seen[256];

	for (uint n = get_local_id(0); n < 256u; n += get_local_size(0))
		seen[n] = 0u;
	barrier(CLK_LOCAL_MEM_FENCE);
	const uint outcomes = (uint)table[0];
	const uint initial0_0 = (uint)table[2];
	const uint initial1_0 = (uint)table[3];
	const uint initial2_0 = (uint)table[4];
	const uint count0 = (uint)table[5];
	const uint stride0 = (uint)table[6];
	const uint value0_0 = (uint)table[7];
	const uint count1 = (uint)table[8];
	const uint stride1 = (uint)table[9];
	const uint value1_0 = (uint)table[10];
	const uint count2 = (uint)table[11];
	const uint stride2 = (uint)table[12];
	const uint value2_0 = (uint)table[13];
	const uint count3 = (uint)table[14];
	const uint stride3 = (uint)table[15];
	const uint value3_0 = (uint)table[16];
	const uint count4 = (uint)table[17];
	const uint stride4 = (uint)table[18];
	const uint value4_0 = (uint)table[19];
	const uint id = get_global_id(0);
	const uint mask = p.groups * p.lanes * p.rounds - 1u;
	if (p.looks) {
		const uint changed = p.only_restore ? 0u : (uint)table[1];
		const uint of = p.only_restore ? (uint)get_global_size(0) - 1u - id : id;
		uint wrong = 0u;
		for (uint n = 0u; n < p.count_each; n++) {
			const uint i = of * p.count_first + n * p.count_step;
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			const uint slot1 = oclmm_slot(p.location[1], i, mask);
			const uint slot2 = oclmm_slot(p.location[2], i, mask);
			uint sum = 0u;
			const uint is0 = at_0[slot0 + 0u];
			sum = sum * 16777619u + (uint)is0;
			wrong += is0 == initial0_0 ? changed >> 0 & 1u : 0u;
			const uint is1 = at_1[slot1 + 0u];
			sum = sum * 16777619u + (uint)is1;
			wrong += is1 == initial1_0 ? changed >> 1 & 1u : 0u;
			const uint is2 = at_2[slot2 + 0u];
			sum = sum * 16777619u + (uint)is2;
			wrong += is2 == initial2_0 ? changed >> 2 & 1u : 0u;
			wrong += p.only_restore && sum != p.initials ? 1u : 0u;
		}
		oclmm_add(counters + outcomes + (p.only_restore ? 3u : 4u), wrong);
	}
	uint i = id * p.count_first;
	uint done = 0u;
	while (done < p.count_each) {
		const uint end = p.count_each;

		for (; done < end; done++, i += p.count_step) {
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			const uint slot1 = oclmm_slot(p.location[1], i, mask);
			const uint slot2 = oclmm_slot(p.location[2], i, mask);
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
			const uint v4 = (uint)at_2[slot2 + 0u];
			at_0[slot0 + 0u] = initial0_0;
			at_1[slot1 + 0u] = initial1_0;
			at_2[slot2 + 0u] = initial2_0;
			if (p.only_restore)
				continue;
			const uint n0 = (uint)min(v0 - value0_0, (uint)count0);
			const uint n1 = (uint)min(v1 - value1_0, (uint)count1);
			const uint n2 = (uint)min(v2 - value2_0, (uint)count2);
			const uint n3 = (uint)min(v3 - value3_0, (uint)count3);
			const uint n4 = (uint)min(v4 - value4_0, (uint)count4);
			uint bucket = 0u + n0 * stride0 + n1 * stride1 + n2 * stride2 + n3 * stride3 + n4 * stride4;
			if (n0 == count0 || n1 == count1 || n2 == count2 || n3 == count3 || n4 == count4)
				bucket = outcomes + 0u;
			if (bucket == outcomes + 0u) {
				const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 6u;
				raw[at] = (uint)i;
				raw[at + 1] = v0;
				raw[at + 2] = v1;
				raw[at + 3] = v2;
				raw[at + 4] = v3;
				raw[at + 5] = v4;
				continue;
			}
			atomic_inc(&seen[bucket]);
		}
	}
	if (p.only_restore)
		((global uint *)raw)[id] += done;
	for (uint n = id; n < p.places * p.width; n += get_global_size(0)) {
		oclmm_add(counters + outcomes + 2, (played[n] & ~0x80000000u) != p.rounds && !p.only_restore);
		oclmm_add(counters + outcomes + 4, (played[n] & 0x80000000u) != 0u && !p.only_restore);
		played[n] = 0u;
	}
	oclmm_add(counters + outcomes + 2, id != (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)));
	if (get_local_id(0) == 0u)
		oclmm_add(counters + outcomes + 8, (counters[outcomes + 7] + (p.salt << 1)) * (1u + (uint)get_group_id(0) * 65536u));
	for (uint n = id; n < p.width; n += get_global_size(0))
		meeting[n] = 0u;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint n = get_local_id(0); n < 256u; n += get_local_size(0))
		if (seen[n] != 0u)
			atomic_add(&counters[n], seen[n]);
}
