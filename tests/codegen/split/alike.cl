
struct P0_registers {
	int P0_r0;
	int P0_r1;
};

static void P0(private struct P0_registers *r, global atomic_int *at_x, local atomic_int *at_y)
{
	r->P0_r0 = atomic_fetch_add_explicit(at_x, 1, memory_order_relaxed, memory_scope_device);
	r->P0_r1 = atomic_exchange_explicit(at_y, 1, memory_order_relaxed, memory_scope_work_group);
}

struct P1_registers {
	int P1_r0;
	int P1_r1;
};

static void P1(private struct P1_registers *r, global atomic_int *at_x, local atomic_int *at_y)
{
	r->P1_r0 = atomic_fetch_add_explicit(at_x, 1, memory_order_relaxed, memory_scope_device);
	r->P1_r1 = atomic_exchange_explicit(at_y, 1, memory_order_relaxed, memory_scope_work_group);
}

struct P2_registers {
	int P2_r1;
	int P2_r0;
	uint cut; /* a loop was still running at its bound */
};

static void P2(private struct P2_registers *r, global atomic_int *at_x)
{
	r->P2_r0 = 0;
	for (uint turn0 = 0u; r->P2_r0 < 2; turn0++) {
		if (turn0 == 2u) {
			r->cut = 1u;
			return;
		}
		r->P2_r0 = atomic_fetch_add_explicit(at_x, r->P2_r1, memory_order_relaxed, memory_scope_device);
	}
}

struct P3_registers {
	int P3_r1;
	int P3_r0;
	uint cut; /* a loop was still running at its bound */
};

static void P3(private struct P3_registers *r, global atomic_int *at_x)
{
	r->P3_r0 = 0;
	for (uint turn0 = 0u; r->P3_r0 < 2; turn0++) {
		if (turn0 == 2u) {
			r->cut = 1u;
			return;
		}
		r->P3_r0 = atomic_fetch_add_explicit(at_x, r->P3_r1, memory_order_relaxed, memory_scope_device);
	}
}

#ifdef __has_attribute
#if __has_attribute(intel_vec_len_hint)
__attribute__((intel_vec_len_hint(8)))
#endif
#endif
kernel void oclmm_test(
	global atomic_int *at_x,
	local atomic_int *at_y,
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
	const uint part = p.split > 1u ? place % 1u : place / p.groups;
	const uint spot = p.split > 1u ? place / 1u : place - part * p.groups;
	const uint share = p.split > 1u ? own_lane % 4u : own_lane / p.lanes;
	const uint slice = p.split > 1u ? own_lane / 4u : own_lane - share * p.lanes;
	volatile uint own =
		part == 0u ? (share == 0u ? 0u : share == 1u ? 1u : share == 2u ? 2u : 3u) : 16u;
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
	const uint first_P2 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P2;
	const uint lane_P3 = (lane + p.lane_shift[3]) & (p.lanes - 1u);
	const uint first_P3 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P3;

	if (team == 0u && member == 0u)
		atomic_add(&counters[11], (0x850f32b2u ^ (p.salt << 1)) | 2u);
	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	bool missed = false;
	for (; round < rounds; round++) {
		const uint i_P0 = round * width + first_P0;
		const uint i_P1 = round * width + first_P1;
		const uint i_P2 = round * width + first_P2;
		const uint i_P3 = round * width + first_P3;
		private struct P0_registers r_P0;
		r_P0.P0_r0 = 91;
		r_P0.P0_r1 = 0;
		private struct P1_registers r_P1;
		r_P1.P1_r0 = 0;
		r_P1.P1_r1 = 0;
		private struct P2_registers r_P2;
		r_P2.P2_r1 = 3;
		r_P2.P2_r0 = 91;
		r_P2.cut = 0u;
		private struct P3_registers r_P3;
		r_P3.P3_r1 = 4;
		r_P3.P3_r0 = 0;
		r_P3.cut = 0u;

		if (keeper != 16u) {
			((local int *)at_y)[own_lane * 1u + 0u] = 0;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		const uint i_own = own == 0u ? i_P0 : own == 1u ? i_P1 : own == 2u ? i_P2 : own == 3u ? i_P3 : 0u;
		const uint lane_own = own == 0u ? lane_P0 : own == 1u ? lane_P1 : own == 2u ? lane_P2 : own == 3u ? lane_P3 : 0u;
		if (own == 0u || own == 1u) {
			if (own == 1u) {
				r_P0.P0_r0 = r_P1.P1_r0;
				r_P0.P0_r1 = r_P1.P1_r1;
			}
			P0(&r_P0, at_x + oclmm_slot(p.location[0], i_own, mask), at_y + lane_own * 1u);
			if (own == 1u) {
				r_P1.P1_r0 = r_P0.P0_r0;
				r_P1.P1_r1 = r_P0.P0_r1;
			}
		}
		if (own == 2u || own == 3u) {
			if (own == 3u) {
				r_P2.P2_r1 = r_P3.P3_r1;
				r_P2.P2_r0 = r_P3.P3_r0;
				r_P2.cut = r_P3.cut;
			}
			P2(&r_P2, at_x + oclmm_slot(p.location[0], i_own, mask));
			if (own == 3u) {
				r_P3.P3_r1 = r_P2.P2_r1;
				r_P3.P3_r0 = r_P2.P2_r0;
				r_P3.cut = r_P2.cut;
			}
		}
		const uint v0 = (uint)r_P0.P0_r0;
		const uint v1 = (uint)r_P2.P2_r0;
		if (p.results_reversed) {
			if (own == 3u) {
				codes[3u * (mask + 1u) + i_P3] = (uchar)min(r_P3.cut, 255u);
			}
			if (own == 2u) {
				codes[2u * (mask + 1u) + i_P2] = (uchar)min(r_P2.cut, 255u);
			}
			if (own == 2u) {
				codes[1u * (mask + 1u) + i_P2] = (uchar)(min(v1, 255u) + p.salt);
				if (v1 >= 255u)
					results[1u * (mask + 1u) + i_P2] = v1 + p.salt;
			}
			if (own == 0u) {
				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
				if (v0 >= 255u)
					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
			}
		} else {
			if (own == 0u) {
				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
				if (v0 >= 255u)
					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
			}
			if (own == 2u) {
				codes[1u * (mask + 1u) + i_P2] = (uchar)(min(v1, 255u) + p.salt);
				if (v1 >= 255u)
					results[1u * (mask + 1u) + i_P2] = v1 + p.salt;
			}
			if (own == 2u) {
				codes[2u * (mask + 1u) + i_P2] = (uchar)min(r_P2.cut, 255u);
			}
			if (own == 3u) {
				codes[3u * (mask + 1u) + i_P3] = (uchar)min(r_P3.cut, 255u);
			}
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (p.looks) {
			missed |= keeper == 0u && ((local int *)at_y)[own_lane * 1u + 0u] == 0;
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
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
			if (v0 == 255u)
				v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
			uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
			if (v1 == 255u)
				v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
			at_0[slot0 + 0u] = initial0_0;
			if (p.only_restore)
				continue;
			const uint n0 = (uint)min(v0 - value0_0, (uint)count0);
			const uint n1 = (uint)min(v1 - value1_0, (uint)count1);
			uint bucket = 0u + n0 * stride0 + n1 * stride1;
			if (n0 == count0 || n1 == count1)
				bucket = outcomes + 0u;
			if (codes[2u * (mask + 1u) + i] != 0)
				bucket = outcomes + 1u;
			if (codes[3u * (mask + 1u) + i] != 0)
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
