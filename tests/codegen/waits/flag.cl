
struct P0_registers {
	int P0_r0;
	int P0_r1;
	uint cut; /* a loop was still running at its bound */
};

static void P0(private struct P0_registers *r, global int *at_d, global atomic_int *at_f, global atomic_int *at_g, private struct oclmm_waits *w)
{
	r->P0_r0 = 0;
	const uint patience0 = min(w->patience, w->budget);
	uint turn0 = 0u;
	bool ended0 = true;
	if (patience0 == 0u) {
		for (; r->P0_r0 != 1; turn0++) {
			if (turn0 == 2u) {
				ended0 = false;
				break;
			}
			r->P0_r0 = atomic_load_explicit(at_f + 1, memory_order_acquire, memory_scope_device);
			atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
		}
	} else if (w->opaque == 0u) {
		for (; r->P0_r0 != 1; turn0++) {
			if (turn0 == 2u + patience0) {
				ended0 = false;
				break;
			}
			r->P0_r0 = atomic_load_explicit(at_f + 1, memory_order_acquire, memory_scope_device);
			atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
		}
	} else {
		for (; r->P0_r0 != 1; turn0++) {
			if (turn0 == 2u + patience0) {
				ended0 = false;
				break;
			}
			r->P0_r0 = atomic_load_explicit(at_f + (turn0 & w->nothing) + 1, memory_order_acquire, memory_scope_device);
			atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
		}
	}
	if (patience0 != 0u && (!ended0 || turn0 > 2u)) {
		const uint end0 = turn0 + patience0;
		w->budget -= min(w->budget, turn0 - 2u);
		w->late += ended0 ? 1u : 0u;
		if (!ended0) {
			for (; !ended0 && turn0 != end0; turn0++) {
				r->P0_r0 = atomic_load_explicit(at_f + (turn0 & w->nothing) + 1, memory_order_acquire, memory_scope_device);
				atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
				ended0 = !(r->P0_r0 != 1);
			}
			w->budget -= min(w->budget, patience0);
			w->stuck += ended0 ? 1u : 0u;
		}
		ended0 = false;
	}
	if (!ended0) {
		r->cut = 1u;
		return;
	}
	r->P0_r1 = *at_d;
	const uint patience1 = min(w->patience, w->budget);
	uint turn1 = 0u;
	bool ended1 = true;
	if (patience1 == 0u) {
		for (; atomic_load(at_g) == 0; turn1++) {
			if (turn1 == 2u) {
				ended1 = false;
				break;
			}
		}
	} else if (w->opaque == 0u) {
		for (; atomic_load(at_g) == 0; turn1++) {
			if (turn1 == 2u + patience1) {
				ended1 = false;
				break;
			}
		}
	} else {
		for (; atomic_load(at_g + (turn1 & w->nothing)) == 0; turn1++) {
			if (turn1 == 2u + patience1) {
				ended1 = false;
				break;
			}
		}
	}
	if (patience1 != 0u && (!ended1 || turn1 > 2u)) {
		const uint end1 = turn1 + patience1;
		w->budget -= min(w->budget, turn1 - 2u);
		w->late += ended1 ? 1u : 0u;
		if (!ended1) {
			for (; !ended1 && turn1 != end1; turn1++) {
				ended1 = !(atomic_load(at_g + (turn1 & w->nothing)) == 0);
			}
			w->budget -= min(w->budget, patience1);
			w->stuck += ended1 ? 1u : 0u;
		}
		ended1 = false;
	}
	if (!ended1) {
		r->cut = 1u;
		return;
	}
	for (uint turn2 = 0u; r->P0_r0 == 7; turn2++) {
		if (turn2 == 2u) {
			r->cut = 1u;
			return;
		}
		r->P0_r0 = atomic_load(at_g);
		atomic_store(at_f, 2);
	}
	for (uint turn3 = 0u; r->P0_r1 == 7; turn3++) {
		if (turn3 == 2u) {
			r->cut = 1u;
			return;
		}
		r->P0_r1 = *at_d;
	}
}

static void P1(global int *at_d, global atomic_int *at_f, global atomic_int *at_g)
{
	*at_d = 1;
	atomic_store_explicit(at_f + 1, 1, memory_order_release, memory_scope_device);
	atomic_store(at_g, 1);
}

/* oclmm_test: as in full/SB.cl, but */
2-		global atomic_int *at_x,
3-		global atomic_int *at_y,
2+		global int *at_d,
3+		global atomic_int *at_f,
4+		global atomic_int *at_g,
32-			atomic_add(&counters[11], (0x4cbf83d2u ^ (p.salt << 1)) | 2u);
33+			atomic_add(&counters[9], (0xc36356f2u ^ (p.salt << 1)) | 2u);
37+		private struct oclmm_waits waits = {p.patience, p.patience_budget, p.opaque, p.nothing, 0u, 0u};
41-			r_P0.P0_r0 = 91;
42-			private struct P1_registers r_P1;
43-			r_P1.P1_r0 = 91;
43+			r_P0.P0_r0 = 0;
44+			r_P0.P0_r1 = 91;
45+			r_P0.cut = 0u;
50-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
51-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
52+				P1(at_d + oclmm_slot(p.location[0], i_P1, mask), at_f + oclmm_slot(p.location[1], i_P1, mask), at_g + oclmm_slot(p.location[2], i_P1, mask));
53+				P0(&r_P0, at_d + oclmm_slot(p.location[0], i_P0, mask), at_f + oclmm_slot(p.location[1], i_P0, mask), at_g + oclmm_slot(p.location[2], i_P0, mask), &waits);
53-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
54-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
55+				P0(&r_P0, at_d + oclmm_slot(p.location[0], i_P0, mask), at_f + oclmm_slot(p.location[1], i_P0, mask), at_g + oclmm_slot(p.location[2], i_P0, mask), &waits);
56+				P1(at_d + oclmm_slot(p.location[0], i_P1, mask), at_f + oclmm_slot(p.location[1], i_P1, mask), at_g + oclmm_slot(p.location[2], i_P1, mask));
56-			const uint v0 = (uint)r_P0.P0_r0;
57-			const uint v1 = (uint)r_P1.P1_r0;
58+			const uint v0 = (uint)r_P0.P0_r1;
59-				codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
60-				if (v1 >= 255u)
61-					results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
60+				codes[1u * (mask + 1u) + i_P0] = (uchar)min(r_P0.cut, 255u);
69-				codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
70-				if (v1 >= 255u)
71-					results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
68+				codes[1u * (mask + 1u) + i_P0] = (uchar)min(r_P0.cut, 255u);
75+		if (waits.late != 0u)
76+			atomic_add(&counters[7], waits.late);
77+		if (waits.stuck != 0u)
78+			atomic_add(&counters[8], waits.stuck);
80+		for (; done < end; done++, i += p.count_step) {
81+				const uint slot0 = oclmm_slot(p.location[0], i, mask);
82+				const uint slot1 = oclmm_slot(p.location[1], i, mask);
83+				const uint slot2 = oclmm_slot(p.location[2], i, mask);
84+				uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
85+				if (v0 == 255u)
86+					v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
87+				at_0[slot0 + 0u] = initial0_0;
88+				at_1[slot1 + 0u] = initial1_0;
89+				at_1[slot1 + 1u] = initial1_1;
90+				at_2[slot2 + 0u] = initial2_0;
91+				if (p.only_restore)
92+					continue;
93+				const uint n0 = (uint)min(v0 - value0_0, (uint)count0);
94+				uint bucket = 0u + n0 * stride0;
95+				if (n0 == count0)
96+					bucket = outcomes + 0u;
97+				if (codes[1u * (mask + 1u) + i] != 0)
98+					bucket = outcomes + 1u;
99+				if (bucket == outcomes + 0u) {
100+					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 2u;
101+					raw[at] = (uint)i;
102+					raw[at + 1] = v0;
103+					continue;
104+				}
105+				packed0 += 1UL << (8u * bucket);
106+			}
