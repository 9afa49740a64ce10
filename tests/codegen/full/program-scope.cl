typedef struct {
	uint base, stride, multiplier, addend;
} oclmm_layout;

/* oclmm_parameters: as in common.cl */

/* oclmm_slot: as in common.cl */

global atomic_int program_x[16384];
global long program_a[8192];

/* oclmm_astray: as in common.cl */

/* oclmm_stress: as in common.cl */

/* oclmm_meet: as in common.cl */

static void P0(global atomic_int *at_x, global long *at_a, global atomic_int *at_y, local atomic_int *at_l)
{
	*(at_a + 2) = 4L;
	atomic_store(at_x, 2);
	atomic_store(at_y, 2);
	atomic_store(at_l, 2);
}

struct P1_registers {
	int P1_r0;
};

static void P1(private struct P1_registers *r, atomic_int *at_x)
{
	r->P1_r0 = atomic_load(at_x);
}

kernel void oclmm_test(
	global atomic_int *at_y,
	local atomic_int *at_l,
	global uchar *codes,
	global ulong *results,
	volatile global uint *counters,
	global uint *played,
	volatile global uint *meeting,
	volatile global uint *scratch,
	const oclmm_parameters p)
{
	local ulong oclmm_elsewhere[1];
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
	const uint lane_P1 = (lane + p.lane_shift[1]) & (p.lanes - 1u);
	const uint first_P1 = ((group + p.group_shift[1]) & (p.groups - 1u)) * p.lanes + lane_P1;

	if (team == 0u && member == 0u)
		atomic_add(&counters[19], (0x25530056u ^ (p.salt << 1)) | 2u);
	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	bool missed = false;
	for (; round < rounds; round++) {
		const uint i_P0 = round * width + first_P0;
		const uint i_P1 = round * width + first_P1;
		const bool flip = ((place & p.flip_groups) != 0u) ^ ((own_lane & p.flip_lanes) != 0u) ^ ((round & p.flip_rounds) != 0u);
		const bool elsewhere = round == ~p.split;
		private struct P1_registers r_P1;
		r_P1.P1_r0 = 91;

		((local int *)at_l)[own_lane * 1u + 0u] = 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		if (flip) {
			P1(&r_P1, elsewhere ? (atomic_int *)(local atomic_int *)oclmm_elsewhere : (atomic_int *)(program_x + oclmm_slot(p.location[0], i_P1, mask)));
			P0(program_x + oclmm_slot(p.location[0], i_P0, mask), program_a + oclmm_slot(p.location[1], i_P0, mask), at_y + oclmm_slot(p.location[2], i_P0, mask), at_l + lane_P0 * 1u);
		} else {
			P0(program_x + oclmm_slot(p.location[0], i_P0, mask), program_a + oclmm_slot(p.location[1], i_P0, mask), at_y + oclmm_slot(p.location[2], i_P0, mask), at_l + lane_P0 * 1u);
			P1(&r_P1, elsewhere ? (atomic_int *)(local atomic_int *)oclmm_elsewhere : (atomic_int *)(program_x + oclmm_slot(p.location[0], i_P1, mask)));
		}
		const uint v0 = (uint)r_P1.P1_r0;
		codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
		if (v0 >= 255u)
			results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
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
}

/* oclmm_add: as in common.cl */

/* oclmm_add_local: as in common.cl */

kernel void oclmm_count(
	global uint *at_2,
	global const uchar *codes,
	global const ulong *results,
	volatile global uint *counters,
	global uint *played,
	global uint *meeting,
	global ulong *raw,
	const oclmm_parameters p,
	global const ulong *table)
{
	local uint seen[16];

	for (uint n = get_local_id(0); n < 16u; n += get_local_size(0))
		seen[n] = 0u;
	barrier(CLK_LOCAL_MEM_FENCE);
	const uint outcomes = (uint)table[0];
	const uint initial0_0 = (uint)table[2];
	const ulong initial1_0 = (ulong)table[3];
	const ulong initial1_1 = (ulong)table[4];
	const ulong initial1_2 = (ulong)table[5];
	const uint initial2_0 = (uint)table[6];
	const uint count0 = (uint)table[7];
	const uint stride0 = (uint)table[8];
	const uint value0_0 = (uint)table[9];
	const uint value0_1 = (uint)table[10];
	const uint value0_2 = (uint)table[11];
	const uint value0_3 = (uint)table[12];
	const uint count1 = (uint)table[13];
	const uint stride1 = (uint)table[14];
	const ulong value1_0 = (ulong)table[15];
	const ulong value1_1 = (ulong)table[16];
	const ulong value1_2 = (ulong)table[17];
	const ulong value1_3 = (ulong)table[18];
	const uint count2 = (uint)table[19];
	const uint stride2 = (uint)table[20];
	const uint value2_0 = (uint)table[21];
	const uint value2_1 = (uint)table[22];
	const uint value2_2 = (uint)table[23];
	const uint value2_3 = (uint)table[24];
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
			const uint is0 = ((global uint *)program_x)[slot0 + 0u];
			sum = sum * 16777619u + (uint)is0;
			wrong += is0 == initial0_0 ? changed >> 0 & 1u : 0u;
			const ulong is1 = ((global ulong *)program_a)[slot1 + 0u];
			sum = sum * 16777619u + (uint)(is1 ^ is1 >> 32);
			wrong += is1 == initial1_0 ? changed >> 1 & 1u : 0u;
			const ulong is2 = ((global ulong *)program_a)[slot1 + 1u];
			sum = sum * 16777619u + (uint)(is2 ^ is2 >> 32);
			wrong += is2 == initial1_1 ? changed >> 2 & 1u : 0u;
			const ulong is3 = ((global ulong *)program_a)[slot1 + 2u];
			sum = sum * 16777619u + (uint)(is3 ^ is3 >> 32);
			wrong += is3 == initial1_2 ? changed >> 3 & 1u : 0u;
			const uint is4 = at_2[slot2 + 0u];
			sum = sum * 16777619u + (uint)is4;
			wrong += is4 == initial2_0 ? changed >> 4 & 1u : 0u;
			wrong += p.only_restore && sum != p.initials ? 1u : 0u;
		}
		oclmm_add(counters + outcomes + (p.only_restore ? 3u : 4u), wrong);
	}
	uint i = id * p.count_first;
	uint done = 0u;
	while (done < p.count_each) {
		ulong packed0 = 0UL;
		ulong packed1 = 0UL;
		const uint end = min(done + 255u, p.count_each);

		for (; done < end; done++, i += p.count_step) {
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			const uint slot1 = oclmm_slot(p.location[1], i, mask);
			const uint slot2 = oclmm_slot(p.location[2], i, mask);
			uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
			if (v0 == 255u)
				v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
			const ulong v1 = (ulong)((global ulong *)program_a)[slot1 + 2u];
			const uint v2 = (uint)((global uint *)program_x)[slot0 + 0u];
			((global uint *)program_x)[slot0 + 0u] = initial0_0;
			((global ulong *)program_a)[slot1 + 0u] = initial1_0;
			((global ulong *)program_a)[slot1 + 1u] = initial1_1;
			((global ulong *)program_a)[slot1 + 2u] = initial1_2;
			at_2[slot2 + 0u] = initial2_0;
			if (p.only_restore)
				continue;
			const uint n0 = v0 == value0_0 ? 0u : v0 == value0_1 ? 1u : v0 == value0_2 ? 2u : v0 == value0_3 ? 3u : count0;
			const uint n1 = v1 == value1_0 ? 0u : v1 == value1_1 ? 1u : v1 == value1_2 ? 2u : v1 == value1_3 ? 3u : count1;
			const uint n2 = v2 == value2_0 ? 0u : v2 == value2_1 ? 1u : v2 == value2_2 ? 2u : v2 == value2_3 ? 3u : count2;
			uint bucket = 0u + n0 * stride0 + n1 * stride1 + n2 * stride2;
			if (n0 == count0 || n1 == count1 || n2 == count2)
				bucket = outcomes + 0u;
			if (bucket == outcomes + 0u) {
				const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 4u;
				raw[at] = (ulong)i;
				raw[at + 1] = v0;
				raw[at + 2] = v1;
				raw[at + 3] = v2;
				continue;
			}
			packed0 += bucket / 8u == 0u ? 1UL << (8u * (bucket % 8u)) : 0UL;
			packed1 += bucket / 8u == 1u ? 1UL << (8u * (bucket % 8u)) : 0UL;
		}
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
	for (uint n = get_local_id(0); n < 16u; n += get_local_size(0))
		if (seen[n] != 0u)
			atomic_add(&counters[n], seen[n]);
}
