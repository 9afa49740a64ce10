
struct P0_registers {
	int P0_r1;
	int P0_i;
	int P0_r0;
	int P0_r2;
	uint cut; /* a loop was still running at its bound */
};

static void P0(private struct P0_registers *r, global int *at_a, atomic_int *at_x)
{
	for (uint turn0 = 0u; atomic_load_explicit(at_x, memory_order_acquire, memory_scope_device) == 0; turn0++) {
		if (turn0 == 3u) {
			r->cut = 1u;
			return;
		}
		r->P0_i = 0;
		for (uint turn1 = 0u; r->P0_i < 2; turn1++) {
			if (turn1 == 2u) {
				r->cut = 1u;
				return;
			}
			r->P0_i = r->P0_i + 1;
		}
	}
	r->P0_r0 = atomic_load(at_x);
	*(at_a + min((uint)(r->P0_r0), 2u)) = r->P0_r1;
	r->P0_r2 = *(at_a + min((uint)(r->P0_r0 + 1), 2u)) + *(at_a + 2);
}

static void P1(global int *at_a, global atomic_int *at_x)
{
	atomic_store(at_x, 1);
}

/* oclmm_test: as in full/SB.cl, but */
2+		global int *at_a,
3-		global atomic_int *at_y,
12+		local ulong oclmm_elsewhere[1];
32-			atomic_add(&counters[11], (0x4cbf83d2u ^ (p.salt << 1)) | 2u);
33+			atomic_add(&counters[15], (0xe158cd52u ^ (p.salt << 1)) | 2u);
41+			const bool elsewhere = round == ~p.split;
43+			r_P0.P0_r1 = 4;
44+			r_P0.P0_i = 0;
42-			private struct P1_registers r_P1;
43-			r_P1.P1_r0 = 91;
46+			r_P0.P0_r2 = 91;
47+			r_P0.cut = 0u;
50-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
51-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
54+				P1(at_a + oclmm_slot(p.location[0], i_P1, mask), at_x + oclmm_slot(p.location[1], i_P1, mask));
55+				P0(&r_P0, at_a + oclmm_slot(p.location[0], i_P0, mask), elsewhere ? (atomic_int *)(local atomic_int *)oclmm_elsewhere : (atomic_int *)(at_x + oclmm_slot(p.location[1], i_P0, mask)));
53-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
54-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
57+				P0(&r_P0, at_a + oclmm_slot(p.location[0], i_P0, mask), elsewhere ? (atomic_int *)(local atomic_int *)oclmm_elsewhere : (atomic_int *)(at_x + oclmm_slot(p.location[1], i_P0, mask)));
58+				P1(at_a + oclmm_slot(p.location[0], i_P1, mask), at_x + oclmm_slot(p.location[1], i_P1, mask));
57-			const uint v1 = (uint)r_P1.P1_r0;
61+			const uint v1 = (uint)r_P0.P0_r2;
59-				codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
63+				codes[2u * (mask + 1u) + i_P0] = (uchar)min(r_P0.cut, 255u);
64+				codes[1u * (mask + 1u) + i_P0] = (uchar)(min(v1, 255u) + p.salt);
61-					results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
66+					results[1u * (mask + 1u) + i_P0] = v1 + p.salt;
69-				codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
74+				codes[1u * (mask + 1u) + i_P0] = (uchar)(min(v1, 255u) + p.salt);
71-					results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
76+					results[1u * (mask + 1u) + i_P0] = v1 + p.salt;
77+				codes[2u * (mask + 1u) + i_P0] = (uchar)min(r_P0.cut, 255u);
85+		for (; done < end; done++, i += p.count_step) {
86+				const uint slot0 = oclmm_slot(p.location[0], i, mask);
87+				const uint slot1 = oclmm_slot(p.location[1], i, mask);
88+				uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
89+				if (v0 == 255u)
90+					v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
91+				uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
92+				if (v1 == 255u)
93+					v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
94+				const uint v2 = (uint)at_0[slot0 + 1u];
95+				at_0[slot0 + 0u] = initial0_0;
96+				at_0[slot0 + 1u] = initial0_1;
97+				at_0[slot0 + 2u] = initial0_2;
98+				at_1[slot1 + 0u] = initial1_0;
99+				if (p.only_restore)
100+					continue;
101+				const uint n0 = (uint)min(v0 - value0_0, (uint)count0);
102+				const uint n1 = (uint)min(v1 - value1_0, (uint)count1);
103+				const uint n2 = (uint)min(v2 - value2_0, (uint)count2);
104+				uint bucket = 0u + n0 * stride0 + n1 * stride1 + n2 * stride2;
105+				if (n0 == count0 || n1 == count1 || n2 == count2)
106+					bucket = outcomes + 0u;
107+				if (codes[2u * (mask + 1u) + i] != 0)
108+					bucket = outcomes + 1u;
109+				if (bucket == outcomes + 0u) {
110+					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 4u;
111+					raw[at] = (uint)i;
112+					raw[at + 1] = v0;
113+					raw[at + 2] = v1;
114+					raw[at + 3] = v2;
115+					continue;
116+				}
117+				packed0 += bucket / 8u == 0u ? 1UL << (8u * (bucket % 8u)) : 0UL;
118+				packed1 += bucket / 8u == 1u ? 1UL << (8u * (bucket % 8u)) : 0UL;
119+			}
