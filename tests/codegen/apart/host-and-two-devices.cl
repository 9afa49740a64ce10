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

/* oclmm_test: as in full/SB.cl, but */
4+		global int *at_d,
26-		const uint lane_P0 = (lane + p.lane_shift[0]) & (p.lanes - 1u);
27-		const uint first_P0 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P0;
29-		const uint first_P1 = ((group + p.group_shift[1]) & (p.groups - 1u)) * p.lanes + lane_P1;
28+		const uint first_P1 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P1;
32-			atomic_add(&counters[11], (0x4cbf83d2u ^ (p.salt << 1)) | 2u);
31+			atomic_add(&counters[39], (0x97fe457au ^ (p.salt << 1)) | 2u);
37-			const uint i_P0 = round * width + first_P0;
40-			private struct P0_registers r_P0;
41-			r_P0.P0_r0 = 91;
49-			if (flip) {
50-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
51-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
52-			} else {
53-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
54-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
55-			}
56-			const uint v0 = (uint)r_P0.P0_r0;
45+			P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask), at_d + oclmm_slot(p.location[2], i_P1, mask));
62-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
63-				if (v0 >= 255u)
64-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
66-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
67-				if (v0 >= 255u)
68-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;

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
		played[place * p.width + own_lane] += (round ^ 0x4a450766u) + p.salt;
}

/* oclmm_add: as in common.cl */

/* oclmm_count: as in full/SB.cl, but */
4+		global uint *at_2,
13-		local uint seen[8];
14+		local uint seen[256];
15-		for (uint n = get_local_id(0); n < 8u; n += get_local_size(0))
16+		for (uint n = get_local_id(0); n < 256u; n += get_local_size(0))
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
32+		const uint count3 = (uint)table[23];
33+		const uint stride3 = (uint)table[24];
34+		const uint value3_0 = (uint)table[25];
35+		const uint count4 = (uint)table[29];
36+		const uint stride4 = (uint)table[30];
37+		const uint value4_0 = (uint)table[31];
48+				const uint slot2 = oclmm_slot(p.location[2], i, mask);
56+				const uint is2 = at_2[slot2 + 0u];
57+				sum = sum * 16777619u + (uint)is2;
58+				wrong += is2 == initial2_0 ? changed >> 2 & 1u : 0u;
51-			ulong packed0 = 0UL;
52-			const uint end = min(done + 255u, p.count_each);
66+			const uint end = p.count_each;
71+				const uint slot2 = oclmm_slot(p.location[2], i, mask);
78+				uint v2 = (codes[2u * (mask + 1u) + i] - p.salt) & 255u;
79+				if (v2 == 255u)
80+					v2 = (uint)(results[2u * (mask + 1u) + i] - p.salt);
81+				uint v3 = (codes[3u * (mask + 1u) + i] - p.salt) & 255u;
82+				if (v3 == 255u)
83+					v3 = (uint)(results[3u * (mask + 1u) + i] - p.salt);
84+				const uint v4 = (uint)at_2[slot2 + 0u];
87+				at_2[slot2 + 0u] = initial2_0;
69-				uint bucket = 0u + n0 * stride0 + n1 * stride1;
70-				if (n0 == count0 || n1 == count1)
92+				const uint n2 = (uint)min(v2 - value2_0, (uint)count2);
93+				const uint n3 = (uint)min(v3 - value3_0, (uint)count3);
94+				const uint n4 = (uint)min(v4 - value4_0, (uint)count4);
95+				uint bucket = 0u + n0 * stride0 + n1 * stride1 + n2 * stride2 + n3 * stride3 + n4 * stride4;
96+				if (n0 == count0 || n1 == count1 || n2 == count2 || n3 == count3 || n4 == count4)
73-					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 3u;
99+					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 6u;
103+					raw[at + 3] = v2;
104+					raw[at + 4] = v3;
105+					raw[at + 5] = v4;
79-				packed0 += 1UL << (8u * bucket);
108+				atomic_inc(&seen[bucket]);
81-			oclmm_add_local(seen + 0, (uint)(packed0 >> 0) & 255u);
82-			oclmm_add_local(seen + 1, (uint)(packed0 >> 8) & 255u);
83-			oclmm_add_local(seen + 2, (uint)(packed0 >> 16) & 255u);
84-			oclmm_add_local(seen + 3, (uint)(packed0 >> 24) & 255u);
85-			oclmm_add_local(seen + 4, (uint)(packed0 >> 32) & 255u);
86-			oclmm_add_local(seen + 5, (uint)(packed0 >> 40) & 255u);
87-			oclmm_add_local(seen + 6, (uint)(packed0 >> 48) & 255u);
88-			oclmm_add_local(seen + 7, (uint)(packed0 >> 56) & 255u);
103-		for (uint n = get_local_id(0); n < 8u; n += get_local_size(0))
124+		for (uint n = get_local_id(0); n < 256u; n += get_local_size(0))
