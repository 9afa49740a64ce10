
static void P0(global atomic_int *at_x, global atomic_int *at_y)
{
	atomic_store_explicit(at_x, 1, memory_order_relaxed, memory_scope_device);
}

struct P1_registers {
	uint cut; /* a loop was still running at its bound */
};

static void P1(private struct P1_registers *r, global atomic_int *at_x, global atomic_int *at_y)
{
	for (uint turn0 = 0u; atomic_load_explicit(at_x, memory_order_relaxed, memory_scope_device) == 0; turn0++) {
		if (turn0 == 2u) {
			r->cut = 1u;
			return;
		}
	}
	atomic_store_explicit(at_y, 1, memory_order_relaxed, memory_scope_device);
}

struct P2_registers {
	int P2_r0;
};

static void P2(private struct P2_registers *r, global atomic_int *at_x, global atomic_int *at_y)
{
	r->P2_r0 = atomic_load_explicit(at_y, memory_order_relaxed, memory_scope_device);
}

struct P3_registers {
	int P3_r0;
};

static void P3(private struct P3_registers *r, global atomic_int *at_x, global atomic_int *at_y)
{
	r->P3_r0 = atomic_load_explicit(at_x, memory_order_relaxed, memory_scope_device);
}

kernel void oclmm_test(
	global atomic_int *at_x,
	global atomic_int *at_y,
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
	const uint part = p.split > 1u ? place % 3u : place / p.groups;
	const uint spot = p.split > 1u ? place / 3u : place - part * p.groups;
	const uint share = p.split > 1u ? own_lane % 2u : own_lane / p.lanes;
	const uint slice = p.split > 1u ? own_lane / 2u : own_lane - share * p.lanes;
	const uint own =
		part == 0u ? (share == 0u ? 0u : 2u) :
		part == 1u ? (share == 0u ? 1u : 16u) :
		part == 2u ? (share == 0u ? 3u : 16u) : 16u;
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
	const uint first_P1 = ((group + p.group_shift[1]) & (p.groups - 1u)) * p.lanes + lane_P1;
	const uint lane_P2 = (lane + p.lane_shift[2]) & (p.lanes - 1u);
	const uint first_P2 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P2;
	const uint lane_P3 = (lane + p.lane_shift[3]) & (p.lanes - 1u);
	const uint first_P3 = ((group + p.group_shift[2]) & (p.groups - 1u)) * p.lanes + lane_P3;

	if (team == 0u && member == 0u)
		atomic_add(&counters[11], (0xd4b98646u ^ (p.salt << 1)) | 2u);
	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	for (; round < rounds; round++) {
		const uint i_P0 = round * width + first_P0;
		const uint i_P1 = round * width + first_P1;
		const uint i_P2 = round * width + first_P2;
		const uint i_P3 = round * width + first_P3;
		private struct P1_registers r_P1;
		r_P1.cut = 0u;
		private struct P2_registers r_P2;
		r_P2.P2_r0 = 91;
		private struct P3_registers r_P3;
		r_P3.P3_r0 = 91;

		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		if (own == 0u)
			P0(at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
		if (own == 1u)
			P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
		if (own == 2u)
			P2(&r_P2, at_x + oclmm_slot(p.location[0], i_P2, mask), at_y + oclmm_slot(p.location[1], i_P2, mask));
		if (own == 3u)
			P3(&r_P3, at_x + oclmm_slot(p.location[0], i_P3, mask), at_y + oclmm_slot(p.location[1], i_P3, mask));
		const uint v0 = (uint)r_P2.P2_r0;
		const uint v1 = (uint)r_P3.P3_r0;
		if (p.results_reversed) {
			if (own == 1u) {
				codes[2u * (mask + 1u) + i_P1] = (uchar)min(r_P1.cut, 255u);
			}
			if (own == 3u) {
				codes[1u * (mask + 1u) + i_P3] = (uchar)(min(v1, 255u) + p.salt);
				if (v1 >= 255u)
					results[1u * (mask + 1u) + i_P3] = v1 + p.salt;
			}
			if (own == 2u) {
				codes[0u * (mask + 1u) + i_P2] = (uchar)(min(v0, 255u) + p.salt);
				if (v0 >= 255u)
					results[0u * (mask + 1u) + i_P2] = v0 + p.salt;
			}
		} else {
			if (own == 2u) {
				codes[0u * (mask + 1u) + i_P2] = (uchar)(min(v0, 255u) + p.salt);
				if (v0 >= 255u)
					results[0u * (mask + 1u) + i_P2] = v0 + p.salt;
			}
			if (own == 3u) {
				codes[1u * (mask + 1u) + i_P3] = (uchar)(min(v1, 255u) + p.salt);
				if (v1 >= 255u)
					results[1u * (mask + 1u) + i_P3] = v1 + p.salt;
			}
			if (own == 1u) {
				codes[2u * (mask + 1u) + i_P1] = (uchar)min(r_P1.cut, 255u);
			}
		}
	}
	if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))
		round = p.rounds + 1u;
	if (testing)
		played[place * p.width + own_lane] += round;
}
	for (; done < end; done++, i += p.count_step) {
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			const uint slot1 = oclmm_slot(p.location[1], i, mask);
			uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
			if (v0 == 255u)
				v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
			uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
			if (v1 == 255u)
				v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
			at_0[slot0 + 0u] = initial0_0;
			at_1[slot1 + 0u] = initial1_0;
			if (p.only_restore)
				continue;
			const uint n0 = (uint)min(v0 - value0_0, (uint)count0);
			const uint n1 = (uint)min(v1 - value1_0, (uint)count1);
			uint bucket = 0u + n0 * stride0 + n1 * stride1;
			if (n0 == count0 || n1 == count1)
				bucket = outcomes + 0u;
			if (codes[2u * (mask + 1u) + i] != 0)
				bucket = outcomes + 1u;
			if (bucket == outcomes + 0u) {
				const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 3u;
				raw[at] = (uint)i;
				raw[at + 1] = v0;
				raw[at + 2] = v1;
				continue;
			}
			packed0 += 1UL << (8u * bucket);
		}
