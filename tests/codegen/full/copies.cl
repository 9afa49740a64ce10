typedef struct {
	uint base, stride, multiplier, addend;
} oclmm_layout;

/* oclmm_parameters: as in common.cl */

/* oclmm_slot: as in common.cl */

/* oclmm_astray: as in common.cl */

/* oclmm_stress: as in common.cl */

/* oclmm_meet: as in common.cl */

static void P0_part0(global int *at_a, local int *at_l, global int *at_x)
{
}

static void P0_part1(global int *at_a, local int *at_l, global int *at_x)
{
}

static void P0_part2(global int *at_a, local int *at_l, global int *at_x)
{
}

static void P0_part3(global int *at_a, local int *at_l, global int *at_x)
{
}

static void P0_part4(global int *at_a, local int *at_l, global int *at_x)
{
}

static void P0_part5(global int *at_a, local int *at_l, global int *at_x)
{
}

static void P0_part6(global int *at_a, local int *at_l, global int *at_x)
{
}

struct P1_registers {
	int P1_r0;
};

static void P1_part0(private struct P1_registers *r, global int *at_a, local int *at_l, global int *at_x)
{
	r->P1_r0 = 1;
}

static void P1_part1(private struct P1_registers *r, global int *at_a, local int *at_l, global int *at_x)
{
}

static void P1_part2(private struct P1_registers *r, global int *at_a, local int *at_l, global int *at_x)
{
}

static void P1_part3(private struct P1_registers *r, global int *at_a, local int *at_l, global int *at_x)
{
}

static void P1_part4(private struct P1_registers *r, global int *at_a, local int *at_l, global int *at_x)
{
}

static void P1_part5(private struct P1_registers *r, global int *at_a, local int *at_l, global int *at_x)
{
}

static void P1_part6(private struct P1_registers *r, global int *at_a, local int *at_l, global int *at_x)
{
}

struct P2_registers {
	int P2_r0;
};

static void P2(private struct P2_registers *r, global int *at_x)
{
	r->P2_r0 = 0;
}

kernel void oclmm_test(
	global int *at_a,
	global int *at_x,
	local int *at_l,
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
	const uint lane_P0 = (lane + p.lane_shift[0]) & (p.lanes - 1u);
	const uint first_P0 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P0;
	const uint lane_P1 = (lane + p.lane_shift[1]) & (p.lanes - 1u);
	const uint first_P1 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P1;
	const uint lane_P2 = (lane + p.lane_shift[2]) & (p.lanes - 1u);
	const uint first_P2 = ((group + p.group_shift[1]) & (p.groups - 1u)) * p.lanes + lane_P2;

	if (team == 0u && member == 0u)
		atomic_add(&counters[9], (0x92b94452u ^ (p.salt << 1)) | 2u);
	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	for (; round < rounds; round++) {
		const uint i_P0 = round * width + first_P0;
		const uint i_P1 = round * width + first_P1;
		const uint i_P2 = round * width + first_P2;
		const bool flip = ((place & p.flip_groups) != 0u) ^ ((own_lane & p.flip_lanes) != 0u) ^ ((round & p.flip_rounds) != 0u);
		private struct P1_registers r_P1;
		r_P1.P1_r0 = 0;
		private struct P2_registers r_P2;
		r_P2.P2_r0 = 0;

		((local int *)at_l)[own_lane * 2u + 0u] = 0;
		((local int *)at_l)[own_lane * 2u + 1u] = 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		event_t e0_0 = 0;
		event_t e0_1 = 0;
		if (flip) {
			P1_part0(&r_P1, at_a + oclmm_slot(p.location[0], i_P1, mask), at_l + lane_P1 * 2u, at_x + oclmm_slot(p.location[2], i_P1, mask));
			P0_part0(at_a + oclmm_slot(p.location[0], i_P0, mask), at_l + lane_P0 * 2u, at_x + oclmm_slot(p.location[2], i_P0, mask));
		} else {
			P0_part0(at_a + oclmm_slot(p.location[0], i_P0, mask), at_l + lane_P0 * 2u, at_x + oclmm_slot(p.location[2], i_P0, mask));
			P1_part0(&r_P1, at_a + oclmm_slot(p.location[0], i_P1, mask), at_l + lane_P1 * 2u, at_x + oclmm_slot(p.location[2], i_P1, mask));
		}
		for (uint n = 0u, first = round * width + ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes; n < p.lanes; n++)
			e0_0 = async_work_group_copy((local int *)at_l + n * 2u + 0u, (global int *)at_a + oclmm_slot(p.location[0], first + n, mask) + 0u, 2, e0_0);
		if (flip) {
			P1_part1(&r_P1, at_a + oclmm_slot(p.location[0], i_P1, mask), at_l + lane_P1 * 2u, at_x + oclmm_slot(p.location[2], i_P1, mask));
			P0_part1(at_a + oclmm_slot(p.location[0], i_P0, mask), at_l + lane_P0 * 2u, at_x + oclmm_slot(p.location[2], i_P0, mask));
		} else {
			P0_part1(at_a + oclmm_slot(p.location[0], i_P0, mask), at_l + lane_P0 * 2u, at_x + oclmm_slot(p.location[2], i_P0, mask));
			P1_part1(&r_P1, at_a + oclmm_slot(p.location[0], i_P1, mask), at_l + lane_P1 * 2u, at_x + oclmm_slot(p.location[2], i_P1, mask));
		}
		for (uint n = 0u, first = round * width + ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes; n < p.lanes; n++)
			e0_1 = async_work_group_strided_copy((global int *)at_a + oclmm_slot(p.location[0], first + n, mask) + 1u, (local int *)at_l + n * 2u + 0u, 2, 3, e0_1);
		if (flip) {
			P1_part2(&r_P1, at_a + oclmm_slot(p.location[0], i_P1, mask), at_l + lane_P1 * 2u, at_x + oclmm_slot(p.location[2], i_P1, mask));
			P0_part2(at_a + oclmm_slot(p.location[0], i_P0, mask), at_l + lane_P0 * 2u, at_x + oclmm_slot(p.location[2], i_P0, mask));
		} else {
			P0_part2(at_a + oclmm_slot(p.location[0], i_P0, mask), at_l + lane_P0 * 2u, at_x + oclmm_slot(p.location[2], i_P0, mask));
			P1_part2(&r_P1, at_a + oclmm_slot(p.location[0], i_P1, mask), at_l + lane_P1 * 2u, at_x + oclmm_slot(p.location[2], i_P1, mask));
		}
		for (uint n = 0u, first = round * width + ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes; n < p.lanes; n++)
			e0_0 = async_work_group_copy((local int *)at_l + n * 2u + 1u, (global int *)at_x + oclmm_slot(p.location[2], first + n, mask) + 0u, 1, e0_0);
		if (flip) {
			P1_part3(&r_P1, at_a + oclmm_slot(p.location[0], i_P1, mask), at_l + lane_P1 * 2u, at_x + oclmm_slot(p.location[2], i_P1, mask));
			P0_part3(at_a + oclmm_slot(p.location[0], i_P0, mask), at_l + lane_P0 * 2u, at_x + oclmm_slot(p.location[2], i_P0, mask));
		} else {
			P0_part3(at_a + oclmm_slot(p.location[0], i_P0, mask), at_l + lane_P0 * 2u, at_x + oclmm_slot(p.location[2], i_P0, mask));
			P1_part3(&r_P1, at_a + oclmm_slot(p.location[0], i_P1, mask), at_l + lane_P1 * 2u, at_x + oclmm_slot(p.location[2], i_P1, mask));
		}
		wait_group_events(1, &e0_1);
		if (flip) {
			P1_part4(&r_P1, at_a + oclmm_slot(p.location[0], i_P1, mask), at_l + lane_P1 * 2u, at_x + oclmm_slot(p.location[2], i_P1, mask));
			P0_part4(at_a + oclmm_slot(p.location[0], i_P0, mask), at_l + lane_P0 * 2u, at_x + oclmm_slot(p.location[2], i_P0, mask));
		} else {
			P0_part4(at_a + oclmm_slot(p.location[0], i_P0, mask), at_l + lane_P0 * 2u, at_x + oclmm_slot(p.location[2], i_P0, mask));
			P1_part4(&r_P1, at_a + oclmm_slot(p.location[0], i_P1, mask), at_l + lane_P1 * 2u, at_x + oclmm_slot(p.location[2], i_P1, mask));
		}
		barrier(CLK_GLOBAL_MEM_FENCE);
		if (flip) {
			P1_part5(&r_P1, at_a + oclmm_slot(p.location[0], i_P1, mask), at_l + lane_P1 * 2u, at_x + oclmm_slot(p.location[2], i_P1, mask));
			P0_part5(at_a + oclmm_slot(p.location[0], i_P0, mask), at_l + lane_P0 * 2u, at_x + oclmm_slot(p.location[2], i_P0, mask));
		} else {
			P0_part5(at_a + oclmm_slot(p.location[0], i_P0, mask), at_l + lane_P0 * 2u, at_x + oclmm_slot(p.location[2], i_P0, mask));
			P1_part5(&r_P1, at_a + oclmm_slot(p.location[0], i_P1, mask), at_l + lane_P1 * 2u, at_x + oclmm_slot(p.location[2], i_P1, mask));
		}
		wait_group_events(1, &e0_0);
		if (flip) {
			P1_part6(&r_P1, at_a + oclmm_slot(p.location[0], i_P1, mask), at_l + lane_P1 * 2u, at_x + oclmm_slot(p.location[2], i_P1, mask));
			P0_part6(at_a + oclmm_slot(p.location[0], i_P0, mask), at_l + lane_P0 * 2u, at_x + oclmm_slot(p.location[2], i_P0, mask));
		} else {
			P0_part6(at_a + oclmm_slot(p.location[0], i_P0, mask), at_l + lane_P0 * 2u, at_x + oclmm_slot(p.location[2], i_P0, mask));
			P1_part6(&r_P1, at_a + oclmm_slot(p.location[0], i_P1, mask), at_l + lane_P1 * 2u, at_x + oclmm_slot(p.location[2], i_P1, mask));
		}
		P2(&r_P2, at_x + oclmm_slot(p.location[2], i_P2, mask));
		barrier(CLK_LOCAL_MEM_FENCE);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))
		round = p.rounds + 1u;
	if (testing)
		played[place * p.width + own_lane] += round;
}

/* oclmm_add: as in common.cl */

/* oclmm_add_local: as in common.cl */

kernel void oclmm_count(
	global uint *at_0,
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
	local uint seen[8];

	for (uint n = get_local_id(0); n < 8u; n += get_local_size(0))
		seen[n] = 0u;
	barrier(CLK_LOCAL_MEM_FENCE);
	const uint outcomes = (uint)table[0];
	const uint initial0_0 = (uint)table[2];
	const uint initial0_1 = (uint)table[3];
	const uint initial0_2 = (uint)table[4];
	const uint initial0_3 = (uint)table[5];
	const uint initial0_4 = (uint)table[6];
	const uint initial0_5 = (uint)table[7];
	const uint initial2_0 = (uint)table[8];
	const uint count0 = (uint)table[9];
	const uint stride0 = (uint)table[10];
	const uint value0_0 = (uint)table[11];
	const uint id = get_global_id(0);
	const uint mask = p.groups * p.lanes * p.rounds - 1u;
	if (p.looks) {
		const uint changed = p.only_restore ? 0u : (uint)table[1];
		const uint of = p.only_restore ? (uint)get_global_size(0) - 1u - id : id;
		uint wrong = 0u;
		for (uint n = 0u; n < p.count_each; n++) {
			const uint i = of * p.count_first + n * p.count_step;
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			const uint slot2 = oclmm_slot(p.location[2], i, mask);
			uint sum = 0u;
			const uint is0 = at_0[slot0 + 0u];
			sum = sum * 16777619u + (uint)is0;
			wrong += is0 == initial0_0 ? changed >> 0 & 1u : 0u;
			const uint is1 = at_0[slot0 + 1u];
			sum = sum * 16777619u + (uint)is1;
			wrong += is1 == initial0_1 ? changed >> 1 & 1u : 0u;
			const uint is2 = at_0[slot0 + 2u];
			sum = sum * 16777619u + (uint)is2;
			wrong += is2 == initial0_2 ? changed >> 2 & 1u : 0u;
			const uint is3 = at_0[slot0 + 3u];
			sum = sum * 16777619u + (uint)is3;
			wrong += is3 == initial0_3 ? changed >> 3 & 1u : 0u;
			const uint is4 = at_0[slot0 + 4u];
			sum = sum * 16777619u + (uint)is4;
			wrong += is4 == initial0_4 ? changed >> 4 & 1u : 0u;
			const uint is5 = at_0[slot0 + 5u];
			sum = sum * 16777619u + (uint)is5;
			wrong += is5 == initial0_5 ? changed >> 5 & 1u : 0u;
			const uint is6 = at_2[slot2 + 0u];
			sum = sum * 16777619u + (uint)is6;
			wrong += is6 == initial2_0 ? changed >> 6 & 1u : 0u;
			wrong += p.only_restore && sum != p.initials ? 1u : 0u;
		}
		oclmm_add(counters + outcomes + (p.only_restore ? 3u : 4u), wrong);
	}
	uint i = id * p.count_first;
	uint done = 0u;
	while (done < p.count_each) {
		ulong packed0 = 0UL;
		const uint end = min(done + 255u, p.count_each);

		for (; done < end; done++, i += p.count_step) {
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			const uint slot2 = oclmm_slot(p.location[2], i, mask);
			const uint v0 = (uint)at_2[slot2 + 0u];
			at_0[slot0 + 0u] = initial0_0;
			at_0[slot0 + 1u] = initial0_1;
			at_0[slot0 + 2u] = initial0_2;
			at_0[slot0 + 3u] = initial0_3;
			at_0[slot0 + 4u] = initial0_4;
			at_0[slot0 + 5u] = initial0_5;
			at_2[slot2 + 0u] = initial2_0;
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
		oclmm_add_local(seen + 0, (uint)(packed0 >> 0) & 255u);
		oclmm_add_local(seen + 1, (uint)(packed0 >> 8) & 255u);
		oclmm_add_local(seen + 2, (uint)(packed0 >> 16) & 255u);
		oclmm_add_local(seen + 3, (uint)(packed0 >> 24) & 255u);
		oclmm_add_local(seen + 4, (uint)(packed0 >> 32) & 255u);
		oclmm_add_local(seen + 5, (uint)(packed0 >> 40) & 255u);
		oclmm_add_local(seen + 6, (uint)(packed0 >> 48) & 255u);
		oclmm_add_local(seen + 7, (uint)(packed0 >> 56) & 255u);
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
	for (uint n = get_local_id(0); n < 8u; n += get_local_size(0))
		if (seen[n] != 0u)
			atomic_add(&counters[n], seen[n]);
}
