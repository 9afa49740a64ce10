
static void P0(global atomic_int *at_x)
{
	atomic_store_explicit(at_x, 1, memory_order_release, memory_scope_device);
}

struct P1_registers {
	int P1_r0;
	int P1_r1;
};

static void P1(private struct P1_registers *r, global atomic_int *at_x, global atomic_int *at_y)
{
	r->P1_r0 = atomic_load_explicit(at_x, memory_order_acquire, memory_scope_device);
	r->P1_r1 = atomic_load_explicit(at_y, memory_order_acquire, memory_scope_device);
}

static void P2(global atomic_int *at_y)
{
	atomic_store_explicit(at_y, 1, memory_order_release, memory_scope_device);
}

struct P3_registers {
	int P3_r0;
	int P3_r1;
};

static void P3(private struct P3_registers *r, global atomic_int *at_x, global atomic_int *at_y)
{
	r->P3_r0 = atomic_load_explicit(at_y, memory_order_acquire, memory_scope_device);
	r->P3_r1 = atomic_load_explicit(at_x, memory_order_acquire, memory_scope_device);
}

/* oclmm_test: as in full/SB.cl, but */
30+		const uint lane_P2 = (lane + p.lane_shift[2]) & (p.lanes - 1u);
31+		const uint first_P2 = ((group + p.group_shift[2]) & (p.groups - 1u)) * p.lanes + lane_P2;
32+		const uint lane_P3 = (lane + p.lane_shift[3]) & (p.lanes - 1u);
33+		const uint first_P3 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P3;
32-			atomic_add(&counters[11], (0x4cbf83d2u ^ (p.salt << 1)) | 2u);
36+			atomic_add(&counters[23], (0x69d75812u ^ (p.salt << 1)) | 2u);
43+			const uint i_P2 = round * width + first_P2;
44+			const uint i_P3 = round * width + first_P3;
40-			private struct P0_registers r_P0;
41-			r_P0.P0_r0 = 91;
48+			r_P1.P1_r1 = 91;
49+			private struct P3_registers r_P3;
50+			r_P3.P3_r0 = 91;
51+			r_P3.P3_r1 = 91;
49-			if (flip) {
50-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
51-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
52-			} else {
53-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
54-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
57+			for (uint n = 0u; n < 4u; n++) {
58+				switch (flip ? 3u - n : n) {
59+				case 0u:
60+					P0(at_x + oclmm_slot(p.location[0], i_P0, mask));
61+					break;
62+				case 1u:
63+					P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
64+					break;
65+				case 2u:
66+					P2(at_y + oclmm_slot(p.location[1], i_P2, mask));
67+					break;
68+				case 3u:
69+					P3(&r_P3, at_x + oclmm_slot(p.location[0], i_P3, mask), at_y + oclmm_slot(p.location[1], i_P3, mask));
70+					break;
71+				}
56-			const uint v0 = (uint)r_P0.P0_r0;
57-			const uint v1 = (uint)r_P1.P1_r0;
73+			const uint v0 = (uint)r_P1.P1_r0;
74+			const uint v1 = (uint)r_P1.P1_r1;
75+			const uint v2 = (uint)r_P3.P3_r0;
76+			const uint v3 = (uint)r_P3.P3_r1;
78+				codes[3u * (mask + 1u) + i_P3] = (uchar)(min(v3, 255u) + p.salt);
79+				if (v3 >= 255u)
80+					results[3u * (mask + 1u) + i_P3] = v3 + p.salt;
81+				codes[2u * (mask + 1u) + i_P3] = (uchar)(min(v2, 255u) + p.salt);
82+				if (v2 >= 255u)
83+					results[2u * (mask + 1u) + i_P3] = v2 + p.salt;
62-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
87+				codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
64-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
89+					results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
66-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
91+				codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
68-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
93+					results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
97+				codes[2u * (mask + 1u) + i_P3] = (uchar)(min(v2, 255u) + p.salt);
98+				if (v2 >= 255u)
99+					results[2u * (mask + 1u) + i_P3] = v2 + p.salt;
100+				codes[3u * (mask + 1u) + i_P3] = (uchar)(min(v3, 255u) + p.salt);
101+				if (v3 >= 255u)
102+					results[3u * (mask + 1u) + i_P3] = v3 + p.salt;
110+		for (; done < end; done++, i += p.count_step) {
111+				const uint slot0 = oclmm_slot(p.location[0], i, mask);
112+				const uint slot1 = oclmm_slot(p.location[1], i, mask);
113+				uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
114+				if (v0 == 255u)
115+					v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
116+				uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
117+				if (v1 == 255u)
118+					v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
119+				uint v2 = (codes[2u * (mask + 1u) + i] - p.salt) & 255u;
120+				if (v2 == 255u)
121+					v2 = (uint)(results[2u * (mask + 1u) + i] - p.salt);
122+				uint v3 = (codes[3u * (mask + 1u) + i] - p.salt) & 255u;
123+				if (v3 == 255u)
124+					v3 = (uint)(results[3u * (mask + 1u) + i] - p.salt);
125+				at_0[slot0 + 0u] = initial0_0;
126+				at_1[slot1 + 0u] = initial1_0;
127+				if (p.only_restore)
128+					continue;
129+				const uint n0 = (uint)min(v0 - value0_0, (uint)count0);
130+				const uint n1 = (uint)min(v1 - value1_0, (uint)count1);
131+				const uint n2 = (uint)min(v2 - value2_0, (uint)count2);
132+				const uint n3 = (uint)min(v3 - value3_0, (uint)count3);
133+				uint bucket = 0u + n0 * stride0 + n1 * stride1 + n2 * stride2 + n3 * stride3;
134+				if (n0 == count0 || n1 == count1 || n2 == count2 || n3 == count3)
135+					bucket = outcomes + 0u;
136+				if (bucket == outcomes + 0u) {
137+					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 5u;
138+					raw[at] = (uint)i;
139+					raw[at + 1] = v0;
140+					raw[at + 2] = v1;
141+					raw[at + 3] = v2;
142+					raw[at + 4] = v3;
143+					continue;
144+				}
145+				packed0 += bucket / 8u == 0u ? 1UL << (8u * (bucket % 8u)) : 0UL;
146+				packed1 += bucket / 8u == 1u ? 1UL << (8u * (bucket % 8u)) : 0UL;
147+				packed2 += bucket / 8u == 2u ? 1UL << (8u * (bucket % 8u)) : 0UL;
148+			}
