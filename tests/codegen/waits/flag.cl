
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

kernel void oclmm_test(
	global int *at_d,
	global atomic_int *at_f,
	global atomic_int *at_g,
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
	const uint lane = (own_lane + p.lane_addend) & (p.lanes - 1u);
	const uint group = place * (p.group_multiplier | 1u) + p.group_addend;
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

	if (team == 0u && member == 0u)
		atomic_add(&counters[9], (0x27f3d886u ^ (p.salt << 1)) | 2u);
	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	private struct oclmm_waits waits = {p.patience, p.patience_budget, p.opaque, p.nothing, 0u, 0u};
	for (; round < rounds; round++) {
		const uint i_P0 = round * width + first_P0;
		const uint i_P1 = round * width + first_P1;
		const bool flip = ((place & p.flip_groups) != 0u) ^ ((own_lane & p.flip_lanes) != 0u) ^ ((round & p.flip_rounds) != 0u);
		private struct P0_registers r_P0;
		r_P0.P0_r0 = 0;
		r_P0.P0_r1 = 91;
		r_P0.cut = 0u;

		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		if (flip) {
			P1(at_d + oclmm_slot(p.location[0], i_P1, mask), at_f + oclmm_slot(p.location[1], i_P1, mask), at_g + oclmm_slot(p.location[2], i_P1, mask));
			P0(&r_P0, at_d + oclmm_slot(p.location[0], i_P0, mask), at_f + oclmm_slot(p.location[1], i_P0, mask), at_g + oclmm_slot(p.location[2], i_P0, mask), &waits);
		} else {
			P0(&r_P0, at_d + oclmm_slot(p.location[0], i_P0, mask), at_f + oclmm_slot(p.location[1], i_P0, mask), at_g + oclmm_slot(p.location[2], i_P0, mask), &waits);
			P1(at_d + oclmm_slot(p.location[0], i_P1, mask), at_f + oclmm_slot(p.location[1], i_P1, mask), at_g + oclmm_slot(p.location[2], i_P1, mask));
		}
		const uint v0 = (uint)r_P0.P0_r1;
		if (p.results_reversed) {
			codes[1u * (mask + 1u) + i_P0] = (uchar)min(r_P0.cut, 255u);
			codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
			if (v0 >= 255u)
				results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
		} else {
			codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
			if (v0 >= 255u)
				results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
			codes[1u * (mask + 1u) + i_P0] = (uchar)min(r_P0.cut, 255u);
		}
	}
	if (oclmm_astray(p.offset_x, p.offset_y, p.offset_z, p.shape))
		round = p.rounds + 1u;
	if (testing)
		played[place * p.width + own_lane] += round;
	if (waits.late != 0u)
		atomic_add(&counters[7], waits.late);
	if (waits.stuck != 0u)
		atomic_add(&counters[8], waits.stuck);
}
	for (; done < end; done++, i += p.count_step) {
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			const uint slot1 = oclmm_slot(p.location[1], i, mask);
			const uint slot2 = oclmm_slot(p.location[2], i, mask);
			uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
			if (v0 == 255u)
				v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
			at_0[slot0 + 0u] = initial0_0;
			at_1[slot1 + 0u] = initial1_0;
			at_1[slot1 + 1u] = initial1_1;
			at_2[slot2 + 0u] = initial2_0;
			if (p.only_restore)
				continue;
			const uint n0 = (uint)min(v0 - value0_0, (uint)count0);
			uint bucket = 0u + n0 * stride0;
			if (n0 == count0)
				bucket = outcomes + 0u;
			if (codes[1u * (mask + 1u) + i] != 0)
				bucket = outcomes + 1u;
			if (bucket == outcomes + 0u) {
				const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 2u;
				raw[at] = (uint)i;
				raw[at + 1] = v0;
				continue;
			}
			packed0 += 1UL << (8u * bucket);
		}
