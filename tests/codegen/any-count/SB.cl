typedef struct {
	uint base, stride, multiplier, addend;
} oclmm_layout;

/* oclmm_parameters: as in common.cl */

/* x mod n without a division; the inverse of n is (2^32 - 1) / n. */
static uint oclmm_modulo(uint x, uint n, uint inverse)
{
	const uint rest = x - mul_hi(x, inverse) * n;

	return rest < n ? rest : rest - n;
}

/* x mod n where x < 2 n. */
static uint oclmm_turn(uint x, uint n)
{
	return x < n ? x : x - n;
}

/* Where an instance's object stands: a multiplier without a divisor in common with the number of
 * instances makes this a permutation, and one that is small enough keeps it below 2^32. */
static uint oclmm_slot(oclmm_layout where, uint instance, uint instances, uint inverse)
{
	return where.base + oclmm_modulo(instance * where.multiplier + where.addend, instances, inverse) *
	                    where.stride;
}

/* oclmm_astray: as in common.cl */

/* oclmm_stress: as in common.cl */

/* oclmm_meet: as in common.cl */

struct P0_registers {
	int P0_r0;
};

static void P0(private struct P0_registers *r, global atomic_int *at_x, global atomic_int *at_y)
{
	atomic_store_explicit(at_x, 1, memory_order_relaxed, memory_scope_device);
	r->P0_r0 = atomic_load_explicit(at_y, memory_order_relaxed, memory_scope_device);
}

struct P1_registers {
	int P1_r0;
};

static void P1(private struct P1_registers *r, global atomic_int *at_x, global atomic_int *at_y)
{
	atomic_store_explicit(at_y, 1, memory_order_seq_cst, memory_scope_work_group);
	r->P1_r0 = atomic_load(at_x);
}

/* oclmm_test: as in full/SB.cl, but */
18-		const uint lane = (own_lane + p.lane_addend) & (p.lanes - 1u);
19-		const uint group = place * (p.group_multiplier | 1u) + p.group_addend;
18+		const uint lane = oclmm_turn(own_lane + p.lane_addend, p.lanes);
19+		const uint group = oclmm_modulo(place * p.group_multiplier + p.group_addend, p.groups, p.groups_inverse);
26-		const uint lane_P0 = (lane + p.lane_shift[0]) & (p.lanes - 1u);
27-		const uint first_P0 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P0;
28-		const uint lane_P1 = (lane + p.lane_shift[1]) & (p.lanes - 1u);
29-		const uint first_P1 = ((group + p.group_shift[1]) & (p.groups - 1u)) * p.lanes + lane_P1;
26+		const uint lane_P0 = oclmm_turn(lane + p.lane_shift[0], p.lanes);
27+		const uint first_P0 = oclmm_turn(group + p.group_shift[0], p.groups) * p.lanes + lane_P0;
28+		const uint lane_P1 = oclmm_turn(lane + p.lane_shift[1], p.lanes);
29+		const uint first_P1 = oclmm_turn(group + p.group_shift[1], p.groups) * p.lanes + lane_P1;
32-			atomic_add(&counters[11], (0x4cbf83d2u ^ (p.salt << 1)) | 2u);
32+			atomic_add(&counters[11], (0x64bd6c1au ^ (p.salt << 1)) | 2u);
50-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
51-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
50+				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P1, mask + 1u, p.instances_inverse));
51+				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P0, mask + 1u, p.instances_inverse));
53-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
54-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
53+				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P0, mask + 1u, p.instances_inverse));
54+				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask + 1u, p.instances_inverse), at_y + oclmm_slot(p.location[1], i_P1, mask + 1u, p.instances_inverse));

/* oclmm_add: as in common.cl */

/* oclmm_add_local: as in common.cl */

/* oclmm_count: as in full/SB.cl, but */
35-				const uint slot0 = oclmm_slot(p.location[0], i, mask);
36-				const uint slot1 = oclmm_slot(p.location[1], i, mask);
35+				if (i > mask)
36+					break;
37+				const uint slot0 = oclmm_slot(p.location[0], i, mask + 1u, p.instances_inverse);
38+				const uint slot1 = oclmm_slot(p.location[1], i, mask + 1u, p.instances_inverse);
54-			for (; done < end; done++, i += p.count_step) {
55-				const uint slot0 = oclmm_slot(p.location[0], i, mask);
56-				const uint slot1 = oclmm_slot(p.location[1], i, mask);
56+			for (; done < end && i <= mask; done++, i += p.count_step) {
57+				const uint slot0 = oclmm_slot(p.location[0], i, mask + 1u, p.instances_inverse);
58+				const uint slot1 = oclmm_slot(p.location[1], i, mask + 1u, p.instances_inverse);
91+			if (i > mask)
92+				break;
