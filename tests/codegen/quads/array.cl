typedef struct {
	uint base, stride, multiplier, addend;
} oclmm_layout;

/* oclmm_parameters: as in common.cl */

/* Where an instance's object stands: an odd multiplier makes this a permutation under the mask. */
static uint oclmm_slot(oclmm_layout where, uint instance, uint mask)
{
	if (where.multiplier == 1u && where.addend == 0u && where.stride == 1u)
		return where.base + instance;
	return where.base + ((instance * (where.multiplier | 1u) + where.addend) & mask) * where.stride;
}

/* oclmm_astray: as in common.cl */

/* oclmm_stress: as in common.cl */

/* oclmm_meet: as in common.cl */

static void P0(global atomic_int *at_x)
{
	atomic_store_explicit(at_x + 1, 1, memory_order_relaxed, memory_scope_device);
}

struct P1_registers {
	int P1_r0;
};

static void P1(private struct P1_registers *r, global atomic_int *at_x)
{
	r->P1_r0 = atomic_load_explicit(at_x + 1, memory_order_relaxed, memory_scope_device);
}

/* oclmm_test: as in full/SB.cl, but */
3-		global atomic_int *at_y,
32-			atomic_add(&counters[11], (0x4cbf83d2u ^ (p.salt << 1)) | 2u);
31+			atomic_add(&counters[9], (0x1a4d6cfeu ^ (p.salt << 1)) | 2u);
40-			private struct P0_registers r_P0;
41-			r_P0.P0_r0 = 91;
50-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
51-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
47+				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask));
48+				P0(at_x + oclmm_slot(p.location[0], i_P0, mask));
53-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
54-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
50+				P0(at_x + oclmm_slot(p.location[0], i_P0, mask));
51+				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask));
56-			const uint v0 = (uint)r_P0.P0_r0;
57-			const uint v1 = (uint)r_P1.P1_r0;
58-			if (p.results_reversed) {
59-				codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
60-				if (v1 >= 255u)
61-					results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
62-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
63-				if (v0 >= 255u)
64-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
65-			} else {
66-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
67-				if (v0 >= 255u)
68-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
69-				codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
70-				if (v1 >= 255u)
71-					results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
72-			}
53+			const uint v0 = (uint)r_P1.P1_r0;
54+			codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
55+			if (v0 >= 255u)
56+				results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
76-		if (testing)
60+		if (testing && p.rounds <= 32u && (p.places * p.width & 15u) == 0u)
61+			((global uchar *)played)[place * p.width + own_lane] += (uchar)round;
62+		else if (testing)

/* oclmm_add: as in common.cl */

/* oclmm_add_local: as in common.cl */

/* In how many bytes bit 7 is set; none has another one. */
static uint oclmm_bytes_set(uint4 bits)
{
	bits >>= 7;
	return (bits.s0 + bits.s1 + bits.s2 + bits.s3) * 0x01010101u >> 24;
}

/* oclmm_count: as in full/SB.cl, but */
3-		global uint *at_1,
20-		const uint initial1_0 = (uint)table[3];
19+		const uint initial0_1 = (uint)table[3];
24-		const uint count1 = (uint)table[10];
25-		const uint stride1 = (uint)table[11];
26-		const uint value1_0 = (uint)table[12];
36-				const uint slot1 = oclmm_slot(p.location[1], i, mask);
41-				const uint is1 = at_1[slot1 + 0u];
36+				const uint is1 = at_0[slot0 + 1u];
43-				wrong += is1 == initial1_0 ? changed >> 1 & 1u : 0u;
38+				wrong += is1 == initial0_1 ? changed >> 1 & 1u : 0u;
56-				const uint slot1 = oclmm_slot(p.location[1], i, mask);
60-				uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
61-				if (v1 == 255u)
62-					v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
64-				at_1[slot1 + 0u] = initial1_0;
55+				at_0[slot0 + 1u] = initial0_1;
68-				const uint n1 = (uint)min(v1 - value1_0, (uint)count1);
69-				uint bucket = 0u + n0 * stride0 + n1 * stride1;
70-				if (n0 == count0 || n1 == count1)
59+				uint bucket = 0u + n0 * stride0;
60+				if (n0 == count0)
73-					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 3u;
63+					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 2u;
76-					raw[at + 2] = v1;
92-		for (uint n = id; n < p.places * p.width; n += get_global_size(0)) {
93-			oclmm_add(counters + outcomes + 2, (played[n] & ~0x80000000u) != p.rounds && !p.only_restore);
94-			oclmm_add(counters + outcomes + 4, (played[n] & 0x80000000u) != 0u && !p.only_restore);
95-			played[n] = 0u;
81+		if (p.rounds <= 32u && (p.places * p.width & 15u) == 0u) {
82+			for (uint n = id; n < p.places * p.width / 16u; n += get_global_size(0)) {
83+				const uint4 all = ((global const uint4 *)played)[n];
84+				const uint4 off = ((all & 0x7f7f7f7fu) ^ (p.rounds * 0x01010101u)) + 0x7f7f7f7fu;
85+				oclmm_add(counters + outcomes + 2, p.only_restore ? 0u : oclmm_bytes_set(off & 0x80808080u));
86+				oclmm_add(counters + outcomes + 4, p.only_restore ? 0u : oclmm_bytes_set(all & 0x80808080u));
87+				((global uint4 *)played)[n] = (uint4)(0u);
88+			}
89+		} else {
90+			for (uint n = id; n < p.places * p.width; n += get_global_size(0)) {
91+				oclmm_add(counters + outcomes + 2, (played[n] & ~0x80000000u) != p.rounds && !p.only_restore);
92+				oclmm_add(counters + outcomes + 4, (played[n] & 0x80000000u) != 0u && !p.only_restore);
93+				played[n] = 0u;
94+			}
