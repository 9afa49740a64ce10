typedef struct {
	uint base, stride, multiplier, addend;
} oclmm_layout;

/* oclmm_parameters: as in common.cl */

/* oclmm_slot: as in common.cl */

global atomic_int program_z[16384];

/* oclmm_astray: as in common.cl */

/* oclmm_stress: as in common.cl */

/* oclmm_meet: as in common.cl */

struct P1_registers {
	int P1_r0;
};

static void P1(private struct P1_registers *r, global atomic_int *at_x, global int *at_y)
{
	r->P1_r0 = atomic_load_explicit(at_x, memory_order_acquire, memory_scope_device);
	if (r->P1_r0) {
		*at_y = r->P1_r0;
	}
}

static void oclmm_child_P1(global atomic_int *at_x, global int *at_y,
	global uchar *codes, global uint *results, volatile global uint *played, const uint mask, const uint salt, const uint i_P1)
{
	private struct P1_registers r_P1;
	r_P1.P1_r0 = 91;
	P1(&r_P1, at_x, at_y);
	const uint v0 = (uint)r_P1.P1_r0;
	codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + salt);
	if (v0 >= 255u)
		results[0u * (mask + 1u) + i_P1] = v0 + salt;
	codes[2u * (mask + 1u) + i_P1] = (uchar)min(0u, 255u);
	atomic_inc(played);
}

struct P2_registers {
	int P2_r0;
};

static void P2(private struct P2_registers *r, volatile global int *at_y)
{
	r->P2_r0 = *at_y;
}

static void oclmm_child_P2(volatile global int *at_y,
	global uchar *codes, global uint *results, volatile global uint *played, const uint mask, const uint salt, const uint i_P2)
{
	private struct P2_registers r_P2;
	r_P2.P2_r0 = 91;
	P2(&r_P2, at_y);
	const uint v1 = (uint)r_P2.P2_r0;
	codes[1u * (mask + 1u) + i_P2] = (uchar)(min(v1, 255u) + salt);
	if (v1 >= 255u)
		results[1u * (mask + 1u) + i_P2] = v1 + salt;
	codes[3u * (mask + 1u) + i_P2] = (uchar)min(0u, 255u);
	atomic_inc(played);
}

static void P4(global atomic_int *at_z, atomic_int *at_x)
{
	atomic_store_explicit(at_z, 1, memory_order_relaxed, memory_scope_device);
	atomic_fetch_add_explicit(at_x, 1, memory_order_relaxed, memory_scope_device);
}

static void oclmm_child_P4(global atomic_int *at_z, atomic_int *at_x,
	global uchar *codes, global uint *results, volatile global uint *played, const uint mask, const uint salt, const uint i_P4)
{
	P4(at_z, at_x);
	codes[4u * (mask + 1u) + i_P4] = (uchar)min(0u, 255u);
	atomic_inc(played);
}

static void P0_part0(global atomic_int *at_x, global int *at_y, global atomic_int *at_z, local int *at_l,
	global uchar *codes, global uint *results, volatile global uint *played, const uint mask, const uint salt, const uint i, private uint *started)
{
	*at_l = 1;
	clk_event_t e_P1;
	const bool lost_P1 = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &e_P1, ^{ oclmm_child_P1((global atomic_int *)at_x, (global int *)at_y, codes, results, played, mask, salt, i); }) != CLK_SUCCESS;
	*started += !lost_P1;
	if (lost_P1)
		codes[2u * (mask + 1u) + i] = 1;
	clk_event_t e_P2;
	const bool lost_P2 = lost_P1 || enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 1, &e_P1, &e_P2, ^{ oclmm_child_P2((volatile global int *)at_y, codes, results, played, mask, salt, i); }) != CLK_SUCCESS;
	*started += !lost_P2;
	if (lost_P2)
		codes[3u * (mask + 1u) + i] = 1;
	if (!lost_P1)
		release_event(e_P1);
	if (!lost_P2)
		release_event(e_P2);
}

static void P0_part1(global atomic_int *at_x, global int *at_y, global atomic_int *at_z, local int *at_l,
	global uchar *codes, global uint *results, volatile global uint *played, const uint mask, const uint salt, const uint i, private uint *started)
{
	const bool lost_P4 = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1), ^{ oclmm_child_P4((global atomic_int *)at_z, (atomic_int *)at_x, codes, results, played, mask, salt, i); }) != CLK_SUCCESS;
	*started += !lost_P4;
	if (lost_P4)
		codes[4u * (mask + 1u) + i] = 1;
}

static void P3_part0(global atomic_int *at_x)
{
}

static void P3_part1(global atomic_int *at_x)
{
	atomic_store_explicit(at_x, 1, memory_order_release, memory_scope_device);
}

kernel void oclmm_test(
	global atomic_int *at_x,
	global int *at_y,
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
	const uint lane_P3 = (lane + p.lane_shift[3]) & (p.lanes - 1u);
	const uint first_P3 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P3;

	if (team == 0u && member == 0u)
		atomic_add(&counters[15], (0x4cfdd8b2u ^ (p.salt << 1)) | 2u);
	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	uint started = 0u;
	bool missed = false;
	for (; round < rounds; round++) {
		const uint i_P0 = round * width + first_P0;
		const uint i_P3 = round * width + first_P3;
		const bool flip = ((place & p.flip_groups) != 0u) ^ ((own_lane & p.flip_lanes) != 0u) ^ ((round & p.flip_rounds) != 0u);

		((local int *)at_l)[own_lane * 1u + 0u] = 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		if (flip) {
			P3_part0(at_x + oclmm_slot(p.location[0], i_P3, mask));
			P0_part0(at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask), program_z + oclmm_slot(p.location[2], i_P0, mask), at_l + lane_P0 * 1u, codes, results, played + place * p.width + own_lane, mask, p.salt, i_P0, &started);
		} else {
			P0_part0(at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask), program_z + oclmm_slot(p.location[2], i_P0, mask), at_l + lane_P0 * 1u, codes, results, played + place * p.width + own_lane, mask, p.salt, i_P0, &started);
			P3_part0(at_x + oclmm_slot(p.location[0], i_P3, mask));
		}
		barrier(CLK_GLOBAL_MEM_FENCE);
		if (flip) {
			P3_part1(at_x + oclmm_slot(p.location[0], i_P3, mask));
			P0_part1(at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask), program_z + oclmm_slot(p.location[2], i_P0, mask), at_l + lane_P0 * 1u, codes, results, played + place * p.width + own_lane, mask, p.salt, i_P0, &started);
		} else {
			P0_part1(at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask), program_z + oclmm_slot(p.location[2], i_P0, mask), at_l + lane_P0 * 1u, codes, results, played + place * p.width + own_lane, mask, p.salt, i_P0, &started);
			P3_part1(at_x + oclmm_slot(p.location[0], i_P3, mask));
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
		atomic_add((volatile global uint *)played + place * p.width + own_lane, round - started);
}

/* oclmm_add: as in common.cl */

/* oclmm_add_local: as in common.cl */

/* oclmm_count: as in full/SB.cl, but */
13-		local uint seen[8];
13+		local uint seen[16];
15-		for (uint n = get_local_id(0); n < 8u; n += get_local_size(0))
15+		for (uint n = get_local_id(0); n < 16u; n += get_local_size(0))
21-		const uint count0 = (uint)table[4];
22-		const uint stride0 = (uint)table[5];
23-		const uint value0_0 = (uint)table[6];
24-		const uint count1 = (uint)table[10];
25-		const uint stride1 = (uint)table[11];
26-		const uint value1_0 = (uint)table[12];
21+		const uint initial2_0 = (uint)table[4];
22+		const uint count0 = (uint)table[5];
23+		const uint stride0 = (uint)table[6];
24+		const uint value0_0 = (uint)table[7];
25+		const uint count1 = (uint)table[11];
26+		const uint stride1 = (uint)table[12];
27+		const uint value1_0 = (uint)table[13];
28+		const uint count2 = (uint)table[17];
29+		const uint stride2 = (uint)table[18];
30+		const uint value2_0 = (uint)table[19];
41+				const uint slot2 = oclmm_slot(p.location[2], i, mask);
38-				const uint is0 = at_0[slot0 + 0u];
43+				const uint is0 = p.only_restore == 2u ? initial0_0 : at_0[slot0 + 0u];
41-				const uint is1 = at_1[slot1 + 0u];
46+				const uint is1 = p.only_restore == 2u ? initial1_0 : at_1[slot1 + 0u];
49+				const uint is2 = ((global uint *)program_z)[slot2 + 0u];
50+				sum = sum * 16777619u + (uint)is2;
51+				wrong += is2 == initial2_0 ? changed >> 2 & 1u : 0u;
60+			ulong packed1 = 0UL;
66+				const uint slot2 = oclmm_slot(p.location[2], i, mask);
73+				const uint v2 = (uint)((global uint *)program_z)[slot2 + 0u];
76+				((global uint *)program_z)[slot2 + 0u] = initial2_0;
69-				uint bucket = 0u + n0 * stride0 + n1 * stride1;
70-				if (n0 == count0 || n1 == count1)
81+				const uint n2 = (uint)min(v2 - value2_0, (uint)count2);
82+				uint bucket = 0u + n0 * stride0 + n1 * stride1 + n2 * stride2;
83+				if (n0 == count0 || n1 == count1 || n2 == count2)
85+				if (codes[2u * (mask + 1u) + i] != 0)
86+					bucket = outcomes + 1u;
87+				if (codes[3u * (mask + 1u) + i] != 0)
88+					bucket = outcomes + 1u;
89+				if (codes[4u * (mask + 1u) + i] != 0)
90+					bucket = outcomes + 1u;
73-					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 3u;
92+					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 4u;
96+					raw[at + 3] = v2;
79-				packed0 += 1UL << (8u * bucket);
99+				packed0 += bucket / 8u == 0u ? 1UL << (8u * (bucket % 8u)) : 0UL;
100+				packed1 += bucket / 8u == 1u ? 1UL << (8u * (bucket % 8u)) : 0UL;
110+			oclmm_add_local(seen + 8, (uint)(packed1 >> 0) & 255u);
111+			oclmm_add_local(seen + 9, (uint)(packed1 >> 8) & 255u);
112+			oclmm_add_local(seen + 10, (uint)(packed1 >> 16) & 255u);
113+			oclmm_add_local(seen + 11, (uint)(packed1 >> 24) & 255u);
114+			oclmm_add_local(seen + 12, (uint)(packed1 >> 32) & 255u);
115+			oclmm_add_local(seen + 13, (uint)(packed1 >> 40) & 255u);
116+			oclmm_add_local(seen + 14, (uint)(packed1 >> 48) & 255u);
117+			oclmm_add_local(seen + 15, (uint)(packed1 >> 56) & 255u);
103-		for (uint n = get_local_id(0); n < 8u; n += get_local_size(0))
132+		for (uint n = get_local_id(0); n < 16u; n += get_local_size(0))
