
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
	const uint lane = oclmm_turn(own_lane + p.lane_addend, p.lanes);
	const uint group = oclmm_modulo(place * p.group_multiplier + p.group_addend, p.groups, p.groups_inverse);
	const uint rounds = testing ? p.rounds : 0u;
	const uint width = p.groups * p.lanes;
	const uint mask = width * p.rounds - 1u;
	uint budget = p.poll_budget;
	uint wanted = 0u;
	uint round = 0u;
	const uint lane_P0 = oclmm_turn(lane + p.lane_shift[0], p.lanes);
	const uint first_P0 = oclmm_turn(group + p.group_shift[0], p.groups) * p.lanes + lane_P0;
	const uint lane_P1 = oclmm_turn(lane + p.lane_shift[1], p.lanes);
	const uint first_P1 = oclmm_turn(group + p.group_shift[1], p.groups) * p.lanes + lane_P1;

	if (team == 0u && member == 0u)
		atomic_add(&counters[11], (0x5b282b76u ^ (p.salt << 1)) | 2u);

	uint at0_P0 = oclmm_first(p.location[0], first_P0, mask + 1u, p.instances_inverse);
	uint at0_P1 = oclmm_first(p.location[0], first_P1, mask + 1u, p.instances_inverse);
	const uint step0 = oclmm_step(p.location[0], width, mask + 1u, p.instances_inverse);
	const uint left0 = mask + 1u - step0;
	uint at1_P0 = oclmm_first(p.location[1], first_P0, mask + 1u, p.instances_inverse);
	uint at1_P1 = oclmm_first(p.location[1], first_P1, mask + 1u, p.instances_inverse);
	const uint step1 = oclmm_step(p.location[1], width, mask + 1u, p.instances_inverse);
	const uint left1 = mask + 1u - step1;
	for (; round < rounds; round++) {
		const uint i_P0 = round * width + first_P0;
		const uint i_P1 = round * width + first_P1;
		const bool flip = ((place & p.flip_groups) != 0u) ^ ((own_lane & p.flip_lanes) != 0u) ^ ((round & p.flip_rounds) != 0u);
		private struct P1_registers r_P1;
		r_P1.P1_r0 = 91;
		r_P1.P1_r1 = 91;
		r_P1.cut = 0u;

		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		if (flip) {
			P1(&r_P1, at_x + (p.location[0].base + at0_P1 * p.location[0].stride), at_y + (p.location[1].base + at1_P1 * p.location[1].stride));
			P0(at_x + (p.location[0].base + at0_P0 * p.location[0].stride), at_y + (p.location[1].base + at1_P0 * p.location[1].stride));
		} else {
			P0(at_x + (p.location[0].base + at0_P0 * p.location[0].stride), at_y + (p.location[1].base + at1_P0 * p.location[1].stride));
			P1(&r_P1, at_x + (p.location[0].base + at0_P1 * p.location[0].stride), at_y + (p.location[1].base + at1_P1 * p.location[1].stride));
		}
		const uint v0 = (uint)r_P1.P1_r0;
		const uint v1 = (uint)r_P1.P1_r1;
		if (p.results_reversed) {
			codes[2u * (mask + 1u) + i_P1] = (uchar)min(r_P1.cut, 255u);
			codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
			if (v1 >= 255u)
				results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
			codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
			if (v0 >= 255u)
				results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
		} else {
			codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
			if (v0 >= 255u)
				results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
			codes[1u * (mask + 1u) + i_P1] = (uchar)(min(v1, 255u) + p.salt);
			if (v1 >= 255u)
				results[1u * (mask + 1u) + i_P1] = v1 + p.salt;
			codes[2u * (mask + 1u) + i_P1] = (uchar)min(r_P1.cut, 255u);
		}
		at0_P0 = at0_P0 < left0 ? at0_P0 + step0 : at0_P0 - left0;
		at0_P1 = at0_P1 < left0 ? at0_P1 + step0 : at0_P1 - left0;
		at1_P0 = at1_P0 < left1 ? at1_P0 + step1 : at1_P0 - left1;
		at1_P1 = at1_P1 < left1 ? at1_P1 + step1 : at1_P1 - left1;
	}
	if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))
		round = p.rounds + 1u;
	if (testing)
		played[place * p.width + own_lane] += round;
}
	for (; done < end && i <= mask; done++, i += p.count_step) {
			const uint slot0 = oclmm_slot(p.location[0], i, mask + 1u, p.instances_inverse);
			const uint slot1 = oclmm_slot(p.location[1], i, mask + 1u, p.instances_inverse);
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
