typedef struct {
	uint base, stride, multiplier, addend;
} oclmm_layout;

/* oclmm_parameters: as in common.cl */

/* oclmm_slot: as in common.cl */

/* oclmm_astray: as in common.cl */

/* oclmm_stress: as in common.cl */

/* oclmm_meet: as in common.cl */

struct P0_registers {
	int P0_r0;
};

static void P0_part0(private struct P0_registers *r, global int *at_n, read_write image1d_buffer_t at_x, const int pixel_x, read_write image1d_buffer_t at_a, const int pixel_a)
{
	r->P0_r0 = read_imagei(at_a, pixel_a + 1).x;
	write_imagei(at_a, pixel_a + min((uint)(r->P0_r0), 1u), (int4)(r->P0_r0 + 1, 0, 0, 0));
}

static void P0_part1(private struct P0_registers *r, global int *at_n, read_write image1d_buffer_t at_x, const int pixel_x, read_write image1d_buffer_t at_a, const int pixel_a)
{
	*at_n = read_imagei(at_x, pixel_x).x;
}

struct P1_registers {
	int P1_r0;
};

static void P1_part0(private struct P1_registers *r, read_write image1d_buffer_t at_x, const int pixel_x)
{
	write_imagei(at_x, pixel_x, (int4)(2, 0, 0, 0));
	atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
	r->P1_r0 = read_imagei(at_x, pixel_x).x;
}

static void P1_part1(private struct P1_registers *r, read_write image1d_buffer_t at_x, const int pixel_x)
{
}

/* oclmm_test: as in full/SB.cl, but */
2-		global atomic_int *at_x,
3-		global atomic_int *at_y,
2+		read_write image1d_buffer_t at_x,
3+		read_write image1d_buffer_t at_a,
4+		global int *at_n,
29-		const uint first_P1 = ((group + p.group_shift[1]) & (p.groups - 1u)) * p.lanes + lane_P1;
30+		const uint first_P1 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P1;
32-			atomic_add(&counters[11], (0x4cbf83d2u ^ (p.salt << 1)) | 2u);
33+			atomic_add(&counters[15], (0xe7bbc64eu ^ (p.salt << 1)) | 2u);
41-			r_P0.P0_r0 = 91;
42+			r_P0.P0_r0 = 0;
50-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
51-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
51+				P1_part0(&r_P1, at_x, (int)oclmm_slot(p.location[0], i_P1, mask));
52+				P0_part0(&r_P0, at_n + oclmm_slot(p.location[2], i_P0, mask), at_x, (int)oclmm_slot(p.location[0], i_P0, mask), at_a, (int)oclmm_slot(p.location[1], i_P0, mask));
53-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
54-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
54+				P0_part0(&r_P0, at_n + oclmm_slot(p.location[2], i_P0, mask), at_x, (int)oclmm_slot(p.location[0], i_P0, mask), at_a, (int)oclmm_slot(p.location[1], i_P0, mask));
55+				P1_part0(&r_P1, at_x, (int)oclmm_slot(p.location[0], i_P1, mask));
56-			const uint v0 = (uint)r_P0.P0_r0;
57-			const uint v1 = (uint)r_P1.P1_r0;
58-			if (p.results_reversed) {
59-				codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
60-				if (v1 >= 255u)
61-					results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
62-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
63-				if (v0 >= 255u)
64-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
57+			work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE);
58+			if (flip) {
59+				P1_part1(&r_P1, at_x, (int)oclmm_slot(p.location[0], i_P1, mask));
60+				P0_part1(&r_P0, at_n + oclmm_slot(p.location[2], i_P0, mask), at_x, (int)oclmm_slot(p.location[0], i_P0, mask), at_a, (int)oclmm_slot(p.location[1], i_P0, mask));
66-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
67-				if (v0 >= 255u)
68-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
69-				codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
70-				if (v1 >= 255u)
71-					results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
62+				P0_part1(&r_P0, at_n + oclmm_slot(p.location[2], i_P0, mask), at_x, (int)oclmm_slot(p.location[0], i_P0, mask), at_a, (int)oclmm_slot(p.location[1], i_P0, mask));
63+				P1_part1(&r_P1, at_x, (int)oclmm_slot(p.location[0], i_P1, mask));
65+			const uint v0 = (uint)r_P1.P1_r0;
66+			codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
67+			if (v0 >= 255u)
68+				results[0u * (mask + 1u) + i_P1] = v0 + p.salt;

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
22+		const uint initial1_1 = (uint)table[4];
23+		const uint initial2_0 = (uint)table[5];
24+		const uint count0 = (uint)table[6];
25+		const uint stride0 = (uint)table[7];
26+		const uint value0_0 = (uint)table[8];
27+		const uint count1 = (uint)table[12];
28+		const uint stride1 = (uint)table[13];
29+		const uint value1_0 = (uint)table[14];
30+		const uint count2 = (uint)table[18];
31+		const uint stride2 = (uint)table[19];
32+		const uint value2_0 = (uint)table[20];
43+				const uint slot2 = oclmm_slot(p.location[2], i, mask);
51+				const uint is2 = at_1[slot1 + 1u];
52+				sum = sum * 16777619u + (uint)is2;
53+				wrong += is2 == initial1_1 ? changed >> 2 & 1u : 0u;
54+				const uint is3 = at_2[slot2 + 0u];
55+				sum = sum * 16777619u + (uint)is3;
56+				wrong += is3 == initial2_0 ? changed >> 3 & 1u : 0u;
65+			ulong packed1 = 0UL;
57-				uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
58-				if (v0 == 255u)
59-					v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
60-				uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
71+				const uint slot2 = oclmm_slot(p.location[2], i, mask);
72+				const uint v0 = (uint)at_2[slot2 + 0u];
73+				uint v1 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
62-					v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
75+					v1 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
76+				const uint v2 = (uint)at_1[slot1 + 1u];
79+				at_1[slot1 + 1u] = initial1_1;
80+				at_2[slot2 + 0u] = initial2_0;
69-				uint bucket = 0u + n0 * stride0 + n1 * stride1;
70-				if (n0 == count0 || n1 == count1)
85+				const uint n2 = (uint)min(v2 - value2_0, (uint)count2);
86+				uint bucket = 0u + n0 * stride0 + n1 * stride1 + n2 * stride2;
87+				if (n0 == count0 || n1 == count1 || n2 == count2)
73-					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 3u;
90+					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 4u;
94+					raw[at + 3] = v2;
79-				packed0 += 1UL << (8u * bucket);
97+				packed0 += bucket / 8u == 0u ? 1UL << (8u * (bucket % 8u)) : 0UL;
98+				packed1 += bucket / 8u == 1u ? 1UL << (8u * (bucket % 8u)) : 0UL;
108+			oclmm_add_local(seen + 8, (uint)(packed1 >> 0) & 255u);
109+			oclmm_add_local(seen + 9, (uint)(packed1 >> 8) & 255u);
110+			oclmm_add_local(seen + 10, (uint)(packed1 >> 16) & 255u);
111+			oclmm_add_local(seen + 11, (uint)(packed1 >> 24) & 255u);
112+			oclmm_add_local(seen + 12, (uint)(packed1 >> 32) & 255u);
113+			oclmm_add_local(seen + 13, (uint)(packed1 >> 40) & 255u);
114+			oclmm_add_local(seen + 14, (uint)(packed1 >> 48) & 255u);
115+			oclmm_add_local(seen + 15, (uint)(packed1 >> 56) & 255u);
103-		for (uint n = get_local_id(0); n < 8u; n += get_local_size(0))
130+		for (uint n = get_local_id(0); n < 16u; n += get_local_size(0))
