#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

typedef struct {
	uint base, stride, multiplier, addend;
} oclmm_layout;

/* oclmm_parameters: as in common.cl */

/* oclmm_slot: as in common.cl */

/* oclmm_astray: as in common.cl */

/* oclmm_stress: as in common.cl */

/* oclmm_meet: as in common.cl */

struct P0_registers {
	int P0_e;
	int P0_r0;
	long P0_r1;
};

static void P0(private struct P0_registers *r, global atomic_int *at_x, local atomic_long *at_y)
{
	r->P0_e = 0;
	atomic_store_explicit(at_x, 1, memory_order_release, memory_scope_device);
	atomic_store_explicit(at_x, 2, memory_order_release);
	atomic_store(at_x, 3);
	r->P0_r0 = atomic_compare_exchange_weak_explicit(at_x, &r->P0_e, 4, memory_order_acq_rel, memory_order_relaxed);
	r->P0_r1 = atomic_fetch_add_explicit(at_y, (long)(5), memory_order_seq_cst);
}

struct P1_registers {
	int P1_r0;
	int P1_r1;
};

static void P1(private struct P1_registers *r, global atomic_int *at_x)
{
	r->P1_r0 = atomic_load_explicit(at_x, memory_order_acquire);
	r->P1_r1 = atomic_load_explicit(at_x, memory_order_seq_cst, memory_scope_work_group);
}

/* oclmm_test: as in full/SB.cl, but */
3-		global atomic_int *at_y,
3+		local atomic_long *at_y,
29-		const uint first_P1 = ((group + p.group_shift[1]) & (p.groups - 1u)) * p.lanes + lane_P1;
29+		const uint first_P1 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P1;
32-			atomic_add(&counters[11], (0x4cbf83d2u ^ (p.salt << 1)) | 2u);
32+			atomic_add(&counters[9], (0x965ee8a2u ^ (p.salt << 1)) | 2u);
36+		bool missed = false;
41-			r_P0.P0_r0 = 91;
42+			r_P0.P0_e = 0;
43+			r_P0.P0_r0 = 0;
44+			r_P0.P0_r1 = 0L;
47+			r_P1.P1_r1 = 0;
49+			((local long *)at_y)[own_lane * 1u + 0u] = 0L;
50+			barrier(CLK_LOCAL_MEM_FENCE);
50-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
51-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
56+				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask));
57+				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + lane_P0 * 1u);
53-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
54-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
59+				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + lane_P0 * 1u);
60+				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask));
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
62+			const uint v0 = (uint)r_P1.P1_r0;
63+			codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
64+			if (v0 >= 255u)
65+				results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
66+			barrier(CLK_LOCAL_MEM_FENCE);
67+			if (p.looks) {
68+				missed |= ((local long *)at_y)[own_lane * 1u + 0u] == 0L;
70+			barrier(CLK_LOCAL_MEM_FENCE);
74+		if (missed)
75+			round |= 0x80000000u;

/* oclmm_add: as in common.cl */

/* oclmm_add_local: as in common.cl */

/* oclmm_count: as in full/SB.cl, but */
3-		global uint *at_1,
20-		const uint initial1_0 = (uint)table[3];
21-		const uint count0 = (uint)table[4];
22-		const uint stride0 = (uint)table[5];
23-		const uint value0_0 = (uint)table[6];
24-		const uint count1 = (uint)table[10];
25-		const uint stride1 = (uint)table[11];
26-		const uint value1_0 = (uint)table[12];
19+		const uint count0 = (uint)table[3];
20+		const uint stride0 = (uint)table[4];
21+		const uint value0_0 = (uint)table[5];
36-				const uint slot1 = oclmm_slot(p.location[1], i, mask);
41-				const uint is1 = at_1[slot1 + 0u];
42-				sum = sum * 16777619u + (uint)is1;
43-				wrong += is1 == initial1_0 ? changed >> 1 & 1u : 0u;
56-				const uint slot1 = oclmm_slot(p.location[1], i, mask);
60-				uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
61-				if (v1 == 255u)
62-					v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
64-				at_1[slot1 + 0u] = initial1_0;
68-				const uint n1 = (uint)min(v1 - value1_0, (uint)count1);
69-				uint bucket = 0u + n0 * stride0 + n1 * stride1;
70-				if (n0 == count0 || n1 == count1)
54+				uint bucket = 0u + n0 * stride0;
55+				if (n0 == count0)
73-					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 3u;
58+					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 2u;
76-					raw[at + 2] = v1;
