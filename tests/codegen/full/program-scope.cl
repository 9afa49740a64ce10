typedef struct {
	uint base, stride, multiplier, addend;
} oclmm_layout;

/* oclmm_parameters: as in common.cl */

/* oclmm_slot: as in common.cl */

#define OCLMM_2(v) v, v
#define OCLMM_4(v) OCLMM_2(v), OCLMM_2(v)
#define OCLMM_8(v) OCLMM_4(v), OCLMM_4(v)
#define OCLMM_16(v) OCLMM_8(v), OCLMM_8(v)
#define OCLMM_32(v) OCLMM_16(v), OCLMM_16(v)
#define OCLMM_64(v) OCLMM_32(v), OCLMM_32(v)
#define OCLMM_128(v) OCLMM_64(v), OCLMM_64(v)
#define OCLMM_256(v) OCLMM_128(v), OCLMM_128(v)
#define OCLMM_512(v) OCLMM_256(v), OCLMM_256(v)
#define OCLMM_1024(v) OCLMM_512(v), OCLMM_512(v)
#define OCLMM_2048(v) OCLMM_1024(v), OCLMM_1024(v)
#define OCLMM_4096(v) OCLMM_2048(v), OCLMM_2048(v)
#define OCLMM_8192(v) OCLMM_4096(v), OCLMM_4096(v)
#define OCLMM_16384(v) OCLMM_8192(v), OCLMM_8192(v)
global atomic_int program_x[16384] = {OCLMM_16384(1)};
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

/* oclmm_test: as in full/SB.cl, but */
2-		global atomic_int *at_x,
3+		local atomic_int *at_l,
5-		global uint *results,
5+		global ulong *results,
12+		local ulong oclmm_elsewhere[1];
32-			atomic_add(&counters[11], (0x4cbf83d2u ^ (p.salt << 1)) | 2u);
33+			atomic_add(&counters[19], (0x813579beu ^ (p.salt << 1)) | 2u);
37+		bool missed = false;
40-			private struct P0_registers r_P0;
41-			r_P0.P0_r0 = 91;
42+			const bool elsewhere = round == ~p.split;
46+			((local int *)at_l)[own_lane * 1u + 0u] = 0;
47+			barrier(CLK_LOCAL_MEM_FENCE);
50-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
51-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
53+				P1(&r_P1, elsewhere ? (atomic_int *)(local atomic_int *)oclmm_elsewhere : (atomic_int *)(program_x + oclmm_slot(p.location[0], i_P1, mask)));
54+				P0(program_x + oclmm_slot(p.location[0], i_P0, mask), program_a + oclmm_slot(p.location[1], i_P0, mask), at_y + oclmm_slot(p.location[2], i_P0, mask), at_l + lane_P0 * 1u);
53-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
54-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
56+				P0(program_x + oclmm_slot(p.location[0], i_P0, mask), program_a + oclmm_slot(p.location[1], i_P0, mask), at_y + oclmm_slot(p.location[2], i_P0, mask), at_l + lane_P0 * 1u);
57+				P1(&r_P1, elsewhere ? (atomic_int *)(local atomic_int *)oclmm_elsewhere : (atomic_int *)(program_x + oclmm_slot(p.location[0], i_P1, mask)));
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
59+			const uint v0 = (uint)r_P1.P1_r0;
60+			codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
61+			if (v0 >= 255u)
62+				results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
63+			barrier(CLK_LOCAL_MEM_FENCE);
64+			if (p.looks) {
65+				missed |= ((local int *)at_l)[own_lane * 1u + 0u] == 0;
67+			barrier(CLK_LOCAL_MEM_FENCE);
71+		if (missed)
72+			round |= 0x80000000u;

/* oclmm_add: as in common.cl */

/* oclmm_add_local: as in common.cl */

/* oclmm_count: as in full/SB.cl, but */
2-		global uint *at_0,
3-		global uint *at_1,
2+		global uint *at_2,
5-		global const uint *results,
4+		global const ulong *results,
9-		global uint *raw,
8+		global ulong *raw,
13-		local uint seen[8];
12+		local uint seen[16];
15-		for (uint n = get_local_id(0); n < 8u; n += get_local_size(0))
14+		for (uint n = get_local_id(0); n < 16u; n += get_local_size(0))
20-		const uint initial1_0 = (uint)table[3];
21-		const uint count0 = (uint)table[4];
22-		const uint stride0 = (uint)table[5];
23-		const uint value0_0 = (uint)table[6];
24-		const uint count1 = (uint)table[10];
25-		const uint stride1 = (uint)table[11];
26-		const uint value1_0 = (uint)table[12];
19+		const ulong initial1_0 = (ulong)table[3];
20+		const ulong initial1_1 = (ulong)table[4];
21+		const ulong initial1_2 = (ulong)table[5];
22+		const uint initial2_0 = (uint)table[6];
23+		const uint count0 = (uint)table[7];
24+		const uint stride0 = (uint)table[8];
25+		const uint value0_0 = (uint)table[9];
26+		const uint value0_1 = (uint)table[10];
27+		const uint value0_2 = (uint)table[11];
28+		const uint value0_3 = (uint)table[12];
29+		const uint count1 = (uint)table[13];
30+		const uint stride1 = (uint)table[14];
31+		const ulong value1_0 = (ulong)table[15];
32+		const ulong value1_1 = (ulong)table[16];
33+		const ulong value1_2 = (ulong)table[17];
34+		const ulong value1_3 = (ulong)table[18];
35+		const uint count2 = (uint)table[19];
36+		const uint stride2 = (uint)table[20];
37+		const uint value2_0 = (uint)table[21];
38+		const uint value2_1 = (uint)table[22];
39+		const uint value2_2 = (uint)table[23];
40+		const uint value2_3 = (uint)table[24];
51+				const uint slot2 = oclmm_slot(p.location[2], i, mask);
38-				const uint is0 = at_0[slot0 + 0u];
53+				const uint is0 = ((global uint *)program_x)[slot0 + 0u];
41-				const uint is1 = at_1[slot1 + 0u];
42-				sum = sum * 16777619u + (uint)is1;
56+				const ulong is1 = ((global ulong *)program_a)[slot1 + 0u];
57+				sum = sum * 16777619u + (uint)(is1 ^ is1 >> 32);
59+				const ulong is2 = ((global ulong *)program_a)[slot1 + 1u];
60+				sum = sum * 16777619u + (uint)(is2 ^ is2 >> 32);
61+				wrong += is2 == initial1_1 ? changed >> 2 & 1u : 0u;
62+				const ulong is3 = ((global ulong *)program_a)[slot1 + 2u];
63+				sum = sum * 16777619u + (uint)(is3 ^ is3 >> 32);
64+				wrong += is3 == initial1_2 ? changed >> 3 & 1u : 0u;
65+				const uint is4 = p.only_restore == 2u ? initial2_0 : at_2[slot2 + 0u];
66+				sum = sum * 16777619u + (uint)is4;
67+				wrong += is4 == initial2_0 ? changed >> 4 & 1u : 0u;
76+			ulong packed1 = 0UL;
82+				const uint slot2 = oclmm_slot(p.location[2], i, mask);
60-				uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
61-				if (v1 == 255u)
62-					v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
63-				at_0[slot0 + 0u] = initial0_0;
64-				at_1[slot1 + 0u] = initial1_0;
86+				const ulong v1 = (ulong)((global ulong *)program_a)[slot1 + 2u];
87+				const uint v2 = (uint)((global uint *)program_x)[slot0 + 0u];
88+				((global uint *)program_x)[slot0 + 0u] = initial0_0;
89+				((global ulong *)program_a)[slot1 + 0u] = initial1_0;
90+				((global ulong *)program_a)[slot1 + 1u] = initial1_1;
91+				((global ulong *)program_a)[slot1 + 2u] = initial1_2;
92+				at_2[slot2 + 0u] = initial2_0;
67-				const uint n0 = (uint)min(v0 - value0_0, (uint)count0);
68-				const uint n1 = (uint)min(v1 - value1_0, (uint)count1);
69-				uint bucket = 0u + n0 * stride0 + n1 * stride1;
70-				if (n0 == count0 || n1 == count1)
95+				const uint n0 = v0 == value0_0 ? 0u : v0 == value0_1 ? 1u : v0 == value0_2 ? 2u : v0 == value0_3 ? 3u : count0;
96+				const uint n1 = v1 == value1_0 ? 0u : v1 == value1_1 ? 1u : v1 == value1_2 ? 2u : v1 == value1_3 ? 3u : count1;
97+				const uint n2 = v2 == value2_0 ? 0u : v2 == value2_1 ? 1u : v2 == value2_2 ? 2u : v2 == value2_3 ? 3u : count2;
98+				uint bucket = 0u + n0 * stride0 + n1 * stride1 + n2 * stride2;
99+				if (n0 == count0 || n1 == count1 || n2 == count2)
73-					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 3u;
74-					raw[at] = (uint)i;
102+					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 4u;
103+					raw[at] = (ulong)i;
106+					raw[at + 3] = v2;
79-				packed0 += 1UL << (8u * bucket);
109+				packed0 += bucket / 8u == 0u ? 1UL << (8u * (bucket % 8u)) : 0UL;
110+				packed1 += bucket / 8u == 1u ? 1UL << (8u * (bucket % 8u)) : 0UL;
120+			oclmm_add_local(seen + 8, (uint)(packed1 >> 0) & 255u);
121+			oclmm_add_local(seen + 9, (uint)(packed1 >> 8) & 255u);
122+			oclmm_add_local(seen + 10, (uint)(packed1 >> 16) & 255u);
123+			oclmm_add_local(seen + 11, (uint)(packed1 >> 24) & 255u);
124+			oclmm_add_local(seen + 12, (uint)(packed1 >> 32) & 255u);
125+			oclmm_add_local(seen + 13, (uint)(packed1 >> 40) & 255u);
126+			oclmm_add_local(seen + 14, (uint)(packed1 >> 48) & 255u);
127+			oclmm_add_local(seen + 15, (uint)(packed1 >> 56) & 255u);
103-		for (uint n = get_local_id(0); n < 8u; n += get_local_size(0))
142+		for (uint n = get_local_id(0); n < 16u; n += get_local_size(0))
