
static void P0(global int *at_d, volatile global atomic_int *at_x)
{
	*at_d = 1;
	atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_device);
	atomic_store_explicit(at_x, 1, memory_order_relaxed, memory_scope_device);
	write_mem_fence(CLK_GLOBAL_MEM_FENCE);
	mem_fence(CLK_LOCAL_MEM_FENCE);
}

struct P1_registers {
	int P1_r1;
	int P1_r0;
};

static void P1(private struct P1_registers *r, global int *at_d, global atomic_int *at_x)
{
	r->P1_r1 = 0;
	r->P1_r0 = atomic_load_explicit(at_x, memory_order_relaxed, memory_scope_all_svm_devices);
	if (r->P1_r0 == 1) {
		atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
		r->P1_r1 = *at_d;
	} else {
		read_mem_fence(CLK_GLOBAL_MEM_FENCE);
		r->P1_r1 = *((global int *)at_x);
	}
}

/* oclmm_test: as in full/SB.cl, but */
2+		global int *at_d,
3-		global atomic_int *at_y,
32-			atomic_add(&counters[11], (0x4cbf83d2u ^ (p.salt << 1)) | 2u);
32+			atomic_add(&counters[11], (0x7077d6aau ^ (p.salt << 1)) | 2u);
40-			private struct P0_registers r_P0;
41-			r_P0.P0_r0 = 91;
41+			r_P1.P1_r1 = 91;
50-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
51-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
49+				P1(&r_P1, at_d + oclmm_slot(p.location[0], i_P1, mask), at_x + oclmm_slot(p.location[1], i_P1, mask));
50+				P0(at_d + oclmm_slot(p.location[0], i_P0, mask), at_x + oclmm_slot(p.location[1], i_P0, mask));
53-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
54-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
52+				P0(at_d + oclmm_slot(p.location[0], i_P0, mask), at_x + oclmm_slot(p.location[1], i_P0, mask));
53+				P1(&r_P1, at_d + oclmm_slot(p.location[0], i_P1, mask), at_x + oclmm_slot(p.location[1], i_P1, mask));
56-			const uint v0 = (uint)r_P0.P0_r0;
57-			const uint v1 = (uint)r_P1.P1_r0;
55+			const uint v0 = (uint)r_P1.P1_r0;
56+			const uint v1 = (uint)r_P1.P1_r1;
62-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
61+				codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
64-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
63+					results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
66-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
65+				codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
68-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
67+					results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
78+		for (; done < end; done++, i += p.count_step) {
79+				const uint slot0 = oclmm_slot(p.location[0], i, mask);
80+				const uint slot1 = oclmm_slot(p.location[1], i, mask);
81+				uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
82+				if (v0 == 255u)
83+					v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
84+				uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
85+				if (v1 == 255u)
86+					v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
87+				at_0[slot0 + 0u] = initial0_0;
88+				at_1[slot1 + 0u] = initial1_0;
89+				if (p.only_restore)
90+					continue;
91+				const uint n0 = (uint)min(v0 - value0_0, (uint)count0);
92+				const uint n1 = (uint)min(v1 - value1_0, (uint)count1);
93+				uint bucket = 0u + n0 * stride0 + n1 * stride1;
94+				if (n0 == count0 || n1 == count1)
95+					bucket = outcomes + 0u;
96+				if (bucket == outcomes + 0u) {
97+					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 3u;
98+					raw[at] = (uint)i;
99+					raw[at + 1] = v0;
100+					raw[at + 2] = v1;
101+					continue;
102+				}
103+				packed0 += 1UL << (8u * bucket);
104+			}
