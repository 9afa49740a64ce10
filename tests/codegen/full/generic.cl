typedef struct {
	uint base, stride, multiplier, addend;
} oclmm_layout;

/* oclmm_parameters: as in common.cl */

/* oclmm_slot: as in common.cl */

/* oclmm_astray: as in common.cl */

/* oclmm_stress: as in common.cl */

/* oclmm_meet: as in common.cl */

static void P0(atomic_int *at_x, local atomic_int *at_y, int *at_a)
{
	atomic_store_explicit(at_x, 1, memory_order_relaxed, memory_scope_device);
	atomic_store_explicit(at_y, 1, memory_order_relaxed, memory_scope_work_group);
	*(at_a + 1) = 1;
}

struct P1_registers {
	int P1_r0;
	int P1_r1;
};

static void P1(private struct P1_registers *r, volatile atomic_int *at_x, atomic_int *at_y)
{
	r->P1_r0 = atomic_load_explicit(at_x, memory_order_relaxed, memory_scope_device);
	r->P1_r1 = atomic_load_explicit(at_y, memory_order_relaxed, memory_scope_work_group);
}

/* oclmm_test: as in full/SB.cl, but */
3-		global atomic_int *at_y,
3+		global int *at_a,
4+		local atomic_int *at_y,
13+		local ulong oclmm_elsewhere[1];
29-		const uint first_P1 = ((group + p.group_shift[1]) & (p.groups - 1u)) * p.lanes + lane_P1;
31+		const uint first_P1 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P1;
32-			atomic_add(&counters[11], (0x4cbf83d2u ^ (p.salt << 1)) | 2u);
34+			atomic_add(&counters[11], (0x3a213c9au ^ (p.salt << 1)) | 2u);
38+		bool missed = false;
40-			private struct P0_registers r_P0;
41-			r_P0.P0_r0 = 91;
43+			const bool elsewhere = round == ~p.split;
46+			r_P1.P1_r1 = 91;
48+			((local int *)at_y)[own_lane * 1u + 0u] = 0;
49+			barrier(CLK_LOCAL_MEM_FENCE);
50-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
51-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
55+				P1(&r_P1, elsewhere ? (atomic_int *)(local atomic_int *)oclmm_elsewhere : (atomic_int *)(at_x + oclmm_slot(p.location[0], i_P1, mask)), elsewhere ? (atomic_int *)(global atomic_int *)codes : (atomic_int *)(at_y + lane_P1 * 1u));
56+				P0(elsewhere ? (atomic_int *)(local atomic_int *)oclmm_elsewhere : (atomic_int *)(at_x + oclmm_slot(p.location[0], i_P0, mask)), at_y + lane_P0 * 1u, elsewhere ? (int *)(local int *)oclmm_elsewhere : (int *)(at_a + oclmm_slot(p.location[2], i_P0, mask)));
53-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
54-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
58+				P0(elsewhere ? (atomic_int *)(local atomic_int *)oclmm_elsewhere : (atomic_int *)(at_x + oclmm_slot(p.location[0], i_P0, mask)), at_y + lane_P0 * 1u, elsewhere ? (int *)(local int *)oclmm_elsewhere : (int *)(at_a + oclmm_slot(p.location[2], i_P0, mask)));
59+				P1(&r_P1, elsewhere ? (atomic_int *)(local atomic_int *)oclmm_elsewhere : (atomic_int *)(at_x + oclmm_slot(p.location[0], i_P1, mask)), elsewhere ? (atomic_int *)(global atomic_int *)codes : (atomic_int *)(at_y + lane_P1 * 1u));
56-			const uint v0 = (uint)r_P0.P0_r0;
57-			const uint v1 = (uint)r_P1.P1_r0;
61+			const uint v0 = (uint)r_P1.P1_r0;
62+			const uint v1 = (uint)r_P1.P1_r1;
62-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
67+				codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
64-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
69+					results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
66-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
71+				codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
68-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
73+					results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
78+			barrier(CLK_LOCAL_MEM_FENCE);
79+			if (p.looks) {
80+				missed |= ((local int *)at_y)[own_lane * 1u + 0u] == 0;
81+			}
82+			barrier(CLK_LOCAL_MEM_FENCE);
86+		if (missed)
87+			round |= 0x80000000u;

/* oclmm_add: as in common.cl */

/* oclmm_add_local: as in common.cl */

/* oclmm_count: as in full/SB.cl, but */
3-		global uint *at_1,
3+		global uint *at_2,
20-		const uint initial1_0 = (uint)table[3];
21-		const uint count0 = (uint)table[4];
22-		const uint stride0 = (uint)table[5];
23-		const uint value0_0 = (uint)table[6];
24-		const uint count1 = (uint)table[10];
25-		const uint stride1 = (uint)table[11];
26-		const uint value1_0 = (uint)table[12];
20+		const uint initial2_0 = (uint)table[3];
21+		const uint initial2_1 = (uint)table[4];
22+		const uint count0 = (uint)table[5];
23+		const uint stride0 = (uint)table[6];
24+		const uint value0_0 = (uint)table[7];
25+		const uint count1 = (uint)table[11];
26+		const uint stride1 = (uint)table[12];
27+		const uint value1_0 = (uint)table[13];
36-				const uint slot1 = oclmm_slot(p.location[1], i, mask);
37+				const uint slot2 = oclmm_slot(p.location[2], i, mask);
41-				const uint is1 = at_1[slot1 + 0u];
42+				const uint is1 = at_2[slot2 + 0u];
43-				wrong += is1 == initial1_0 ? changed >> 1 & 1u : 0u;
44+				wrong += is1 == initial2_0 ? changed >> 1 & 1u : 0u;
45+				const uint is2 = at_2[slot2 + 1u];
46+				sum = sum * 16777619u + (uint)is2;
47+				wrong += is2 == initial2_1 ? changed >> 2 & 1u : 0u;
56-				const uint slot1 = oclmm_slot(p.location[1], i, mask);
60+				const uint slot2 = oclmm_slot(p.location[2], i, mask);
64-				at_1[slot1 + 0u] = initial1_0;
68+				at_2[slot2 + 0u] = initial2_0;
69+				at_2[slot2 + 1u] = initial2_1;
