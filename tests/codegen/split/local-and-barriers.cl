
struct P0_registers {
	int P0_r0;
};

static void P0_part0(private struct P0_registers *r, local int *at_x, local atomic_int *at_a, global atomic_int *at_g)
{
	*at_x = 1;
}

static void P0_part1(private struct P0_registers *r, local int *at_x, local atomic_int *at_a, global atomic_int *at_g)
{
	r->P0_r0 = atomic_fetch_add_explicit(at_a + 1, 1, memory_order_relaxed, memory_scope_work_group);
}

static void P0_part2(private struct P0_registers *r, local int *at_x, local atomic_int *at_a, global atomic_int *at_g)
{
	atomic_store_explicit(at_g, r->P0_r0, memory_order_relaxed, memory_scope_device);
}

struct P1_registers {
	int P1_r0;
};

static void P1_part0(private struct P1_registers *r, local int *at_x, local atomic_int *at_a, global atomic_int *at_g)
{
}

static void P1_part1(private struct P1_registers *r, local int *at_x, local atomic_int *at_a, global atomic_int *at_g)
{
	r->P1_r0 = *at_x;
}

static void P1_part2(private struct P1_registers *r, local int *at_x, local atomic_int *at_a, global atomic_int *at_g)
{
}

struct P2_registers {
	int P2_r0;
};

static void P2_part0(private struct P2_registers *r, global atomic_int *at_g)
{
}

static void P2_part1(private struct P2_registers *r, global atomic_int *at_g)
{
	r->P2_r0 = atomic_load_explicit(at_g, memory_order_relaxed, memory_scope_device);
}

kernel void oclmm_test(
	global atomic_int *at_g,
	local int *at_x,
	local atomic_int *at_a,
	global uchar *codes,
	global uint *results,
	volatile global uint *counters,
	global uint *played,
	volatile global uint *meeting,
	volatile global uint *scratch,
	const oclmm_parameters p)
{
	const uint team = get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
	const uint member = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
	const uint turned = team + p.rotation;
	const uint place = turned < p.all_groups ? turned : turned - p.all_groups;
	const uint own_lane = member;
	const bool testing = place < p.places;
	const uint part = p.split > 1u ? place % 2u : place / p.groups;
	const uint spot = p.split > 1u ? place / 2u : place - part * p.groups;
	const uint share = p.split > 1u ? own_lane % 2u : own_lane / p.lanes;
	const uint slice = p.split > 1u ? own_lane / 2u : own_lane - share * p.lanes;
	volatile uint own =
		part == 0u ? (share == 0u ? 0u : 1u) :
		part == 1u ? (share == 0u ? 2u : 16u) : 16u;
	volatile uint keeper = own_lane < p.lanes ? part : 16u;
	const uint lane = (slice + p.lane_addend) & (p.lanes - 1u);
	const uint group = spot * (p.group_multiplier | 1u) + p.group_addend;
	const uint rounds = testing ? p.rounds : 0u;
	const uint width = p.groups * p.lanes;
	const uint mask = width * p.rounds - 1u;
	uint budget = p.poll_budget;
	uint wanted = 0u;
	uint round = 0u;
	const uint lane_P0 = (lane + p.lane_shift[0]) & (p.lanes - 1u);
	const uint first_P0 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P0;
	const uint lane_P1 = (lane + p.lane_shift[1]) & (p.lanes - 1u);
	const uint first_P1 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P1;
	const uint lane_P2 = (lane + p.lane_shift[2]) & (p.lanes - 1u);
	const uint first_P2 = ((group + p.group_shift[1]) & (p.groups - 1u)) * p.lanes + lane_P2;

	if (team == 0u && member == 0u)
		atomic_add(&counters[23], (0x906c91aeu ^ (p.salt << 1)) | 2u);
	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	bool missed = false;
	for (; round < rounds; round++) {
		const uint i_P0 = round * width + first_P0;
		const uint i_P1 = round * width + first_P1;
		const uint i_P2 = round * width + first_P2;
		private struct P0_registers r_P0;
		r_P0.P0_r0 = 0;
		private struct P1_registers r_P1;
		r_P1.P1_r0 = 91;
		private struct P2_registers r_P2;
		r_P2.P2_r0 = 91;

		if (keeper != 16u) {
			((local int *)at_x)[own_lane * 1u + 0u] = 3;
			((local int *)at_a)[own_lane * 2u + 0u] = 1;
			((local int *)at_a)[own_lane * 2u + 1u] = 2;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		if (own == 0u)
			P0_part0(&r_P0, at_x + lane_P0 * 1u, at_a + lane_P0 * 2u, at_g + oclmm_slot(p.location[2], i_P0, mask));
		if (own == 1u)
			P1_part0(&r_P1, at_x + lane_P1 * 1u, at_a + lane_P1 * 2u, at_g + oclmm_slot(p.location[2], i_P1, mask));
		barrier(CLK_LOCAL_MEM_FENCE);
		if (own == 0u)
			P0_part1(&r_P0, at_x + lane_P0 * 1u, at_a + lane_P0 * 2u, at_g + oclmm_slot(p.location[2], i_P0, mask));
		if (own == 1u)
			P1_part1(&r_P1, at_x + lane_P1 * 1u, at_a + lane_P1 * 2u, at_g + oclmm_slot(p.location[2], i_P1, mask));
		work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_scope_device);
		if (own == 0u)
			P0_part2(&r_P0, at_x + lane_P0 * 1u, at_a + lane_P0 * 2u, at_g + oclmm_slot(p.location[2], i_P0, mask));
		if (own == 1u)
			P1_part2(&r_P1, at_x + lane_P1 * 1u, at_a + lane_P1 * 2u, at_g + oclmm_slot(p.location[2], i_P1, mask));
		if (own == 2u)
			P2_part0(&r_P2, at_g + oclmm_slot(p.location[2], i_P2, mask));
		work_group_barrier(0);
		if (own == 2u)
			P2_part1(&r_P2, at_g + oclmm_slot(p.location[2], i_P2, mask));
		const uint v0 = (uint)r_P1.P1_r0;
		const uint v1 = (uint)r_P2.P2_r0;
		if (p.results_reversed) {
			if (own == 2u) {
				codes[1u * (mask + 1u) + i_P2] = (uchar)(min(v1, 255u) + p.salt);
				if (v1 >= 255u)
					results[1u * (mask + 1u) + i_P2] = v1 + p.salt;
			}
			if (own == 1u) {
				codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
				if (v0 >= 255u)
					results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
			}
		} else {
			if (own == 1u) {
				codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
				if (v0 >= 255u)
					results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
			}
			if (own == 2u) {
				codes[1u * (mask + 1u) + i_P2] = (uchar)(min(v1, 255u) + p.salt);
				if (v1 >= 255u)
					results[1u * (mask + 1u) + i_P2] = v1 + p.salt;
			}
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (p.looks) {
			missed |= keeper == 0u && ((local int *)at_x)[own_lane * 1u + 0u] == 3;
			missed |= keeper == 0u && ((local int *)at_a)[own_lane * 2u + 1u] == 2;
		}
		if (keeper == 0u) {
			const uint i2 = round * width + ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + own_lane;
			const uint v2 = (uint)(((local int *)at_a)[own_lane * 2u + 1u]);
			codes[2u * (mask + 1u) + i2] = (uchar)(min(v2, 255u) + p.salt);
			if (v2 >= 255u)
				results[2u * (mask + 1u) + i2] = v2 + p.salt;
		}
		if (keeper == 0u) {
			const uint i3 = round * width + ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + own_lane;
			const uint v3 = (uint)(((local int *)at_x)[own_lane * 1u + 0u]);
			codes[3u * (mask + 1u) + i3] = (uchar)(min(v3, 255u) + p.salt);
			if (v3 >= 255u)
				results[3u * (mask + 1u) + i3] = v3 + p.salt;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))
		round = p.rounds + 1u;
	if (missed)
		round |= 0x80000000u;
	if (testing)
		played[place * p.width + own_lane] += round;
}
	for (; done < end; done++, i += p.count_step) {
			const uint slot2 = oclmm_slot(p.location[2], i, mask);
			uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
			if (v0 == 255u)
				v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
			uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
			if (v1 == 255u)
				v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
			uint v2 = (codes[2u * (mask + 1u) + i] - p.salt) & 255u;
			if (v2 == 255u)
				v2 = (uint)(results[2u * (mask + 1u) + i] - p.salt);
			uint v3 = (codes[3u * (mask + 1u) + i] - p.salt) & 255u;
			if (v3 == 255u)
				v3 = (uint)(results[3u * (mask + 1u) + i] - p.salt);
			at_2[slot2 + 0u] = initial2_0;
			if (p.only_restore)
				continue;
			const uint n0 = (uint)min(v0 - value0_0, (uint)count0);
			const uint n1 = (uint)min(v1 - value1_0, (uint)count1);
			const uint n2 = (uint)min(v2 - value2_0, (uint)count2);
			const uint n3 = (uint)min(v3 - value3_0, (uint)count3);
			uint bucket = 0u + n0 * stride0 + n1 * stride1 + n2 * stride2 + n3 * stride3;
			if (n0 == count0 || n1 == count1 || n2 == count2 || n3 == count3)
				bucket = outcomes + 0u;
			if (bucket == outcomes + 0u) {
				const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 5u;
				raw[at] = (uint)i;
				raw[at + 1] = v0;
				raw[at + 2] = v1;
				raw[at + 3] = v2;
				raw[at + 4] = v3;
				continue;
			}
			packed0 += bucket / 8u == 0u ? 1UL << (8u * (bucket % 8u)) : 0UL;
			packed1 += bucket / 8u == 1u ? 1UL << (8u * (bucket % 8u)) : 0UL;
			packed2 += bucket / 8u == 2u ? 1UL << (8u * (bucket % 8u)) : 0UL;
		}
