typedef struct {
	uint base, stride, multiplier, addend;
} oclmm_layout;

/* oclmm_parameters: as in common.cl */

/* oclmm_slot: as in common.cl */

/* oclmm_astray: as in common.cl */

/* oclmm_stress: as in common.cl */

/* oclmm_meet: as in common.cl */

static void P0(global atomic_int *at_x, global int *at_d)
{
	*at_d = 7;
	atomic_store_explicit(at_x, 1, memory_order_release, memory_scope_device);
}

struct P2_registers {
	int P2_r0;
};

static void P2(private struct P2_registers *r, global atomic_int *at_y)
{
	r->P2_r0 = atomic_load_explicit(at_y, memory_order_acquire, memory_scope_device);
}

/* oclmm_test: as in full/SB.cl, but */
4+		global int *at_d,
28-		const uint lane_P1 = (lane + p.lane_shift[1]) & (p.lanes - 1u);
29-		const uint first_P1 = ((group + p.group_shift[1]) & (p.groups - 1u)) * p.lanes + lane_P1;
29+		const uint lane_P2 = (lane + p.lane_shift[2]) & (p.lanes - 1u);
30+		const uint first_P2 = ((group + p.group_shift[1]) & (p.groups - 1u)) * p.lanes + lane_P2;
32-			atomic_add(&counters[11], (0x4cbf83d2u ^ (p.salt << 1)) | 2u);
33+			atomic_add(&counters[15], (0x23e9044eu ^ (p.salt << 1)) | 2u);
38-			const uint i_P1 = round * width + first_P1;
39+			const uint i_P2 = round * width + first_P2;
40-			private struct P0_registers r_P0;
41-			r_P0.P0_r0 = 91;
42-			private struct P1_registers r_P1;
43-			r_P1.P1_r0 = 91;
41+			private struct P2_registers r_P2;
42+			r_P2.P2_r0 = 91;
50-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
51-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
49+				P2(&r_P2, at_y + oclmm_slot(p.location[1], i_P2, mask));
50+				P0(at_x + oclmm_slot(p.location[0], i_P0, mask), at_d + oclmm_slot(p.location[2], i_P0, mask));
53-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
54-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
52+				P0(at_x + oclmm_slot(p.location[0], i_P0, mask), at_d + oclmm_slot(p.location[2], i_P0, mask));
53+				P2(&r_P2, at_y + oclmm_slot(p.location[1], i_P2, mask));
56-			const uint v0 = (uint)r_P0.P0_r0;
57-			const uint v1 = (uint)r_P1.P1_r0;
55+			const uint v1 = (uint)r_P2.P2_r0;
59-				codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
57+				codes[1u * (mask + 1u) + i_P2] = (uchar)(min(v1, 255u) + p.salt);
61-					results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
62-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
63-				if (v0 >= 255u)
64-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
59+					results[1u * (mask + 1u) + i_P2] = v1 + p.salt;
66-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
67-				if (v0 >= 255u)
68-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
69-				codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
61+				codes[1u * (mask + 1u) + i_P2] = (uchar)(min(v1, 255u) + p.salt);
71-					results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
63+					results[1u * (mask + 1u) + i_P2] = v1 + p.salt;

struct P1_registers {
	int P1_r0;
};

static void P1(private struct P1_registers *r, global atomic_int *at_x, global atomic_int *at_y)
{
	r->P1_r0 = atomic_load_explicit(at_x, memory_order_acquire, memory_scope_device);
	atomic_store_explicit(at_y, 1, memory_order_release, memory_scope_device);
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
	const uint lane_P1 = (lane + p.lane_shift[1]) & (p.lanes - 1u);
	const uint first_P1 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P1;

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
		P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
		const uint v0 = (uint)r_P1.P1_r0;
		if (p.results_reversed) {
			codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
			if (v0 >= 255u)
				results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
		} else {
			codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
			if (v0 >= 255u)
				results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
		}
	}
	if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))
		round = p.rounds + 1u;
	if (testing)
		played[place * p.width + own_lane] += (round ^ 0xc958bdceu) + p.salt;
}

/* oclmm_add: as in common.cl */

/* oclmm_add_local: as in common.cl */

/* oclmm_count: as in full/SB.cl, but */
4+		global uint *at_2,
13-		local uint seen[8];
14+		local uint seen[16];
15-		for (uint n = get_local_id(0); n < 8u; n += get_local_size(0))
16+		for (uint n = get_local_id(0); n < 16u; n += get_local_size(0))
21-		const uint count0 = (uint)table[4];
22-		const uint stride0 = (uint)table[5];
23-		const uint value0_0 = (uint)table[6];
24-		const uint count1 = (uint)table[10];
25-		const uint stride1 = (uint)table[11];
26-		const uint value1_0 = (uint)table[12];
22+		const uint initial2_0 = (uint)table[4];
23+		const uint count0 = (uint)table[5];
24+		const uint stride0 = (uint)table[6];
25+		const uint value0_0 = (uint)table[7];
26+		const uint count1 = (uint)table[11];
27+		const uint stride1 = (uint)table[12];
28+		const uint value1_0 = (uint)table[13];
29+		const uint count2 = (uint)table[17];
30+		const uint stride2 = (uint)table[18];
31+		const uint value2_0 = (uint)table[19];
42+				const uint slot2 = oclmm_slot(p.location[2], i, mask);
50+				const uint is2 = at_2[slot2 + 0u];
51+				sum = sum * 16777619u + (uint)is2;
52+				wrong += is2 == initial2_0 ? changed >> 2 & 1u : 0u;
61+			ulong packed1 = 0UL;
67+				const uint slot2 = oclmm_slot(p.location[2], i, mask);
74+				const uint v2 = (uint)at_2[slot2 + 0u];
77+				at_2[slot2 + 0u] = initial2_0;
69-				uint bucket = 0u + n0 * stride0 + n1 * stride1;
70-				if (n0 == count0 || n1 == count1)
82+				const uint n2 = (uint)min(v2 - value2_0, (uint)count2);
83+				uint bucket = 0u + n0 * stride0 + n1 * stride1 + n2 * stride2;
84+				if (n0 == count0 || n1 == count1 || n2 == count2)
73-					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 3u;
87+					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 4u;
91+					raw[at + 3] = v2;
79-				packed0 += 1UL << (8u * bucket);
94+				packed0 += bucket / 8u == 0u ? 1UL << (8u * (bucket % 8u)) : 0UL;
95+				packed1 += bucket / 8u == 1u ? 1UL << (8u * (bucket % 8u)) : 0UL;
105+			oclmm_add_local(seen + 8, (uint)(packed1 >> 0) & 255u);
106+			oclmm_add_local(seen + 9, (uint)(packed1 >> 8) & 255u);
107+			oclmm_add_local(seen + 10, (uint)(packed1 >> 16) & 255u);
108+			oclmm_add_local(seen + 11, (uint)(packed1 >> 24) & 255u);
109+			oclmm_add_local(seen + 12, (uint)(packed1 >> 32) & 255u);
110+			oclmm_add_local(seen + 13, (uint)(packed1 >> 40) & 255u);
111+			oclmm_add_local(seen + 14, (uint)(packed1 >> 48) & 255u);
112+			oclmm_add_local(seen + 15, (uint)(packed1 >> 56) & 255u);
103-		for (uint n = get_local_id(0); n < 8u; n += get_local_size(0))
127+		for (uint n = get_local_id(0); n < 16u; n += get_local_size(0))
