
struct P0_registers {
	int P0_r0;
	int P0_r1;
	int P0_r2;
	int P0_r3;
};

static void P0(private struct P0_registers *r, volatile global int *at_x, global atomic_uint *at_y)
{
	r->P0_r0 = atomic_add(at_x, 1);
	r->P0_r1 = atomic_inc(at_x);
	r->P0_r2 = atomic_cmpxchg(at_x, r->P0_r0 + 2, 7);
	atomic_dec(at_x);
	r->P0_r3 = atom_xchg(at_x, 1);
	*at_x = 2;
}

struct P1_registers {
	uint P1_r0;
};

static void P1(private struct P1_registers *r, global int *at_x, global atomic_uint *at_y)
{
	r->P1_r0 = atomic_load_explicit(at_y, memory_order_relaxed, memory_scope_work_group);
}

/* oclmm_test: as in full/SB.cl, but */
2-		global atomic_int *at_x,
3-		global atomic_int *at_y,
2+		global int *at_x,
3+		global atomic_uint *at_y,
29-		const uint first_P1 = ((group + p.group_shift[1]) & (p.groups - 1u)) * p.lanes + lane_P1;
29+		const uint first_P1 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P1;
32-			atomic_add(&counters[11], (0x4cbf83d2u ^ (p.salt << 1)) | 2u);
32+			atomic_add(&counters[19], (0xf724861eu ^ (p.salt << 1)) | 2u);
42+			r_P0.P0_r1 = 0;
43+			r_P0.P0_r2 = 91;
44+			r_P0.P0_r3 = 0;
43-			r_P1.P1_r0 = 91;
46+			r_P1.P1_r0 = 91u;
57-			const uint v1 = (uint)r_P1.P1_r0;
60+			const uint v1 = (uint)r_P0.P0_r2;
61+			const uint v2 = (uint)r_P1.P1_r0;
59-				codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
63+				results[2u * (mask + 1u) + i_P1] = v2 + p.salt;
64+				codes[1u * (mask + 1u) + i_P0] = (uchar)(min(v1, 255u) + p.salt);
61-					results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
66+					results[1u * (mask + 1u) + i_P0] = v1 + p.salt;
69-				codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
74+				codes[1u * (mask + 1u) + i_P0] = (uchar)(min(v1, 255u) + p.salt);
71-					results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
76+					results[1u * (mask + 1u) + i_P0] = v1 + p.salt;
77+				results[2u * (mask + 1u) + i_P1] = v2 + p.salt;
85+		for (; done < end; done++, i += p.count_step) {
86+				const uint slot0 = oclmm_slot(p.location[0], i, mask);
87+				const uint slot1 = oclmm_slot(p.location[1], i, mask);
88+				uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
89+				if (v0 == 255u)
90+					v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
91+				uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
92+				if (v1 == 255u)
93+					v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
94+				const uint v2 = (uint)(results[2u * (mask + 1u) + i] - p.salt);
95+				at_0[slot0 + 0u] = initial0_0;
96+				at_1[slot1 + 0u] = initial1_0;
97+				if (p.only_restore)
98+					continue;
99+				const uint n0 = v0 == value0_0 ? 0u : v0 == value0_1 ? 1u : v0 == value0_2 ? 2u : v0 == value0_3 ? 3u : count0;
100+				const uint n1 = v1 == value1_0 ? 0u : v1 == value1_1 ? 1u : v1 == value1_2 ? 2u : v1 == value1_3 ? 3u : count1;
101+				const uint n2 = v2 == value2_0 ? 0u : v2 == value2_1 ? 1u : v2 == value2_2 ? 2u : v2 == value2_3 ? 3u : count2;
102+				uint bucket = 0u + n0 * stride0 + n1 * stride1 + n2 * stride2;
103+				if (n0 == count0 || n1 == count1 || n2 == count2)
104+					bucket = outcomes + 0u;
105+				if (bucket == outcomes + 0u) {
106+					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 4u;
107+					raw[at] = (uint)i;
108+					raw[at + 1] = v0;
109+					raw[at + 2] = v1;
110+					raw[at + 3] = v2;
111+					continue;
112+				}
113+				packed0 += bucket / 8u == 0u ? 1UL << (8u * (bucket % 8u)) : 0UL;
114+				packed1 += bucket / 8u == 1u ? 1UL << (8u * (bucket % 8u)) : 0UL;
115+			}
