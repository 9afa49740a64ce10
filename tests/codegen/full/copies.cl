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
		atomic_add(&counters[9], (0xfa7c8b16u ^ (p.salt << 1)) | 2u);
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

/* oclmm_count: as in full/SB.cl, but */
3-		global uint *at_1,
3+		global uint *at_2,
20-		const uint initial1_0 = (uint)table[3];
21-		const uint count0 = (uint)table[4];
22-		const uint stride0 = (uint)table[5];
23-		const uint value0_0 = (uint)table[6];
24-		const uint count1 = (uint)table[10];
25-		const uint stride1 = (uint)table[11];
26-		const uint value1_0 = (uint)table[12];
20+		const uint initial0_1 = (uint)table[3];
21+		const uint initial0_2 = (uint)table[4];
22+		const uint initial0_3 = (uint)table[5];
23+		const uint initial0_4 = (uint)table[6];
24+		const uint initial0_5 = (uint)table[7];
25+		const uint initial2_0 = (uint)table[8];
26+		const uint count0 = (uint)table[9];
27+		const uint stride0 = (uint)table[10];
28+		const uint value0_0 = (uint)table[11];
36-				const uint slot1 = oclmm_slot(p.location[1], i, mask);
38+				const uint slot2 = oclmm_slot(p.location[2], i, mask);
41-				const uint is1 = at_1[slot1 + 0u];
43+				const uint is1 = at_0[slot0 + 1u];
43-				wrong += is1 == initial1_0 ? changed >> 1 & 1u : 0u;
45+				wrong += is1 == initial0_1 ? changed >> 1 & 1u : 0u;
46+				const uint is2 = at_0[slot0 + 2u];
47+				sum = sum * 16777619u + (uint)is2;
48+				wrong += is2 == initial0_2 ? changed >> 2 & 1u : 0u;
49+				const uint is3 = at_0[slot0 + 3u];
50+				sum = sum * 16777619u + (uint)is3;
51+				wrong += is3 == initial0_3 ? changed >> 3 & 1u : 0u;
52+				const uint is4 = at_0[slot0 + 4u];
53+				sum = sum * 16777619u + (uint)is4;
54+				wrong += is4 == initial0_4 ? changed >> 4 & 1u : 0u;
55+				const uint is5 = at_0[slot0 + 5u];
56+				sum = sum * 16777619u + (uint)is5;
57+				wrong += is5 == initial0_5 ? changed >> 5 & 1u : 0u;
58+				const uint is6 = at_2[slot2 + 0u];
59+				sum = sum * 16777619u + (uint)is6;
60+				wrong += is6 == initial2_0 ? changed >> 6 & 1u : 0u;
56-				const uint slot1 = oclmm_slot(p.location[1], i, mask);
57-				uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
58-				if (v0 == 255u)
59-					v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
60-				uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
61-				if (v1 == 255u)
62-					v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
73+				const uint slot2 = oclmm_slot(p.location[2], i, mask);
74+				const uint v0 = (uint)at_2[slot2 + 0u];
64-				at_1[slot1 + 0u] = initial1_0;
76+				at_0[slot0 + 1u] = initial0_1;
77+				at_0[slot0 + 2u] = initial0_2;
78+				at_0[slot0 + 3u] = initial0_3;
79+				at_0[slot0 + 4u] = initial0_4;
80+				at_0[slot0 + 5u] = initial0_5;
81+				at_2[slot2 + 0u] = initial2_0;
68-				const uint n1 = (uint)min(v1 - value1_0, (uint)count1);
69-				uint bucket = 0u + n0 * stride0 + n1 * stride1;
70-				if (n0 == count0 || n1 == count1)
85+				uint bucket = 0u + n0 * stride0;
86+				if (n0 == count0)
73-					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 3u;
89+					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 2u;
76-					raw[at + 2] = v1;
