
static void P0(global atomic_int *at_x, global atomic_int *at_y)
{
	atomic_store_explicit(at_x, 1, memory_order_relaxed, memory_scope_device);
	atomic_store_explicit(at_y, 1, memory_order_relaxed, memory_scope_device);
}

struct P1_registers {
	int P1_r0;
	int P1_r1;
	uint cut; /* a loop was still running at its bound */
};

static void P1(private struct P1_registers *r, global atomic_int *at_x, global atomic_int *at_y)
{
	r->P1_r0 = atomic_load_explicit(at_y, memory_order_relaxed, memory_scope_device);
	r->P1_r1 = atomic_load_explicit(at_x, memory_order_relaxed, memory_scope_device);
	for (uint turn0 = 0u; r->P1_r1 == 2; turn0++) {
		if (turn0 == 2u) {
			r->cut = 1u;
			return;
		}
		r->P1_r1 = r->P1_r1 + 0;
	}
}

/* oclmm_test: as in full/SB.cl, but */
32-			atomic_add(&counters[11], (0x4cbf83d2u ^ (p.salt << 1)) | 2u);
33-		oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
34-		             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);
32+			atomic_add(&counters[11], (0xaab6dc56u ^ (p.salt << 1)) | 2u);
40-			private struct P0_registers r_P0;
41-			r_P0.P0_r0 = 91;
40+			r_P1.P1_r1 = 91;
41+			r_P1.cut = 0u;
51-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
49+				P0(at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
53-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
51+				P0(at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
56-			const uint v0 = (uint)r_P0.P0_r0;
57-			const uint v1 = (uint)r_P1.P1_r0;
54+			const uint v0 = (uint)r_P1.P1_r0;
55+			const uint v1 = (uint)r_P1.P1_r1;
57+				codes[2u * (mask + 1u) + i_P1] = (uchar)min(r_P1.cut, 255u);
62-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
61+				codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
64-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
63+					results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
66-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
65+				codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
68-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
67+					results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
71+				codes[2u * (mask + 1u) + i_P1] = (uchar)min(r_P1.cut, 255u);
79+		for (; done < end; done++, i += p.count_step) {
80+				const uint slot0 = oclmm_slot(p.location[0], i, mask);
81+				const uint slot1 = oclmm_slot(p.location[1], i, mask);
82+				uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
83+				if (v0 == 255u)
84+					v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
85+				uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
86+				if (v1 == 255u)
87+					v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
88+				at_0[slot0 + 0u] = initial0_0;
89+				at_1[slot1 + 0u] = initial1_0;
90+				if (p.only_restore)
91+					continue;
92+				const uint n0 = (uint)min(v0 - value0_0, (uint)count0);
93+				const uint n1 = (uint)min(v1 - value1_0, (uint)count1);
94+				uint bucket = 0u + n0 * stride0 + n1 * stride1;
95+				if (n0 == count0 || n1 == count1)
96+					bucket = outcomes + 0u;
97+				if (codes[2u * (mask + 1u) + i] != 0)
98+					bucket = outcomes + 1u;
99+				if (bucket == outcomes + 0u) {
100+					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 3u;
101+					raw[at] = (uint)i;
102+					raw[at + 1] = v0;
103+					raw[at + 2] = v1;
104+					continue;
105+				}
106+				packed0 += 1UL << (8u * bucket);
107+			}
