typedef struct {
	uint base, stride, multiplier, addend;
} oclmm_layout;

typedef struct {
	uint groups; /* work-groups that an instance may be in */
	uint lanes; /* instances that a work-group has at a time */
	uint rounds; /* instances per work-item and role */
	uint groups_inverse; /* (2^32 - 1) / groups */
	uint instances_inverse; /* (2^32 - 1) / (groups * lanes * rounds) */
	uint places; /* testing work-groups of the launch */
	uint width; /* work-items of a work-group of the launch */
	uint all_groups; /* testing and stressing work-groups */
	uint offset_x; /* of the launch's global ids in the first dimension */
	uint offset_y; /* in the second */
	uint offset_z; /* in the third */
	uint shape; /* oclmm_launch_shape() of the launch */
	uint split; /* roles are split 1: among places and lanes far apart, more: among neighbours */
	uint sub_groups; /* sub-groups of a work-group, for programs placed in them */
	uint sub_lanes; /* work-items of one of them */
	uint rotation; /* the work-group that is place 0 */
	uint group_multiplier; /* shuffle of the places */
	uint group_addend; /* shuffle of the places */
	uint lane_addend; /* rotation of the lanes, common to all roles */
	uint flip_groups; /* places with one of these bits play the roles in the other order */
	uint flip_lanes; /* lanes with one of these bits play the roles in the other order */
	uint flip_rounds; /* rounds with one of these bits play the roles in the other order */
	uint results_reversed; /* 1: observed registers are stored last one first */
	uint polls; /* at most so many polls at a rendezvous; 0: none */
	uint parties; /* places of all devices and threads of the host: who meet at a rendezvous */
	uint poll_mask; /* a rendezvous is held in the rounds whose number has none of these bits */
	uint poll_budget; /* at most so many polls of one work-item in one launch */
	uint pre_stress; /* memory operations of a testing work-item before its first round */
	uint stress; /* memory operations of a work-item that only stresses */
	uint stress_pattern; /* 0 load-load, 1 load-store, 2 store-load, 3 store-store */
	uint stress_lines; /* number of lines in the scratch area, a power of two */
	uint stress_stride; /* words from one of these lines to the next */
	uint other_before; /* what the counter of foreign values stood at before the launch */
	uint salt; /* a number of the launch's own, on what its kernels hand each other */
	uint only_restore; /* 1: the counting kernel counts nothing, it sets the objects up */
	uint looks; /* 1: it looks first whether objects are as they must be */
	uint initials; /* where it only sets them up and looks: what they hold, summed up */
	uint patience; /* turns that a wait may take behind its bound; 0: none */
	uint patience_budget; /* all such turns of one work-item in one launch */
	uint opaque; /* 1: waits load by an address of which no compiler knows that it stays */
	uint nothing; /* 0, which no compiler knows */
	uint count_each; /* instances that one work-item of the counting kernel looks at */
	uint count_first; /* its first instance is its id times this */
	uint count_step; /* its next instance is this far */
	uint group_shift[16];
	uint lane_shift[16];
	uint sub_shift[16];
	oclmm_layout location[16];
} oclmm_parameters;

/* Where an instance's object stands: an odd multiplier makes this a permutation under the mask. */
static uint oclmm_slot(oclmm_layout where, uint instance, uint mask)
{
	return where.base + ((instance * (where.multiplier | 1u) + where.addend) & mask) * where.stride;
}

/* Whether a global id is not its group's and its place there, behind the offset, or the
 * sizes are not the launch's. */
static bool oclmm_astray(uint x, uint y, uint z, uint shape)
{
	shape -= (uint)get_global_size(0) * 0x9e3779b1u + (uint)get_local_size(0) * 0x85ebca77u;
	shape -= (uint)get_global_size(1) * 0xc2b2ae3du + (uint)get_local_size(1) * 0x27d4eb2fu;
	shape -= (uint)get_global_size(2) * 0x165667b1u + (uint)get_local_size(2) * 0x2545f491u;
	return (uint)get_global_id(0) != x + (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)) ||
	       (uint)get_global_id(1) != y + (uint)(get_group_id(1) * get_local_size(1) + get_local_id(1)) ||
	       (uint)get_global_id(2) != z + (uint)(get_group_id(2) * get_local_size(2) + get_local_id(2)) ||
	       (uint)get_global_offset(0) != x || (uint)get_global_offset(1) != y ||
	       (uint)get_global_offset(2) != z || shape != 0u;
}

/* Memory traffic beside the test, on lines that no instance uses. Nothing stored is 0. */
static void oclmm_stress(volatile global uint *line, uint operations, uint pattern)
{
	uint seen = 0u;

	for (uint n = 0u; n < operations; n++) {
		if (pattern & 2u)
			*line = n | 1u;
		else
			seen += *line;
		if (pattern & 1u)
			*line = seen | 1u;
		else
			seen += *line;
	}
}

/* Waits a little for the same lane of the other places. Failing to meet is no error. */
static uint oclmm_meet(volatile global uint *meeting, uint wanted, uint polls, uint budget)
{
	atomic_inc(meeting);
	for (uint n = 0u; n < polls && budget != 0u && *meeting < wanted; n++)
		budget--;
	return budget;
}

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

kernel void oclmm_test(
	global atomic_int *at_x,
	global int *at_a,
	local atomic_int *at_y,
	global uchar *codes,
	global uint *results,
	volatile global uint *counters,
	global uint *played,
	volatile global uint *meeting,
	volatile global uint *scratch,
	const oclmm_parameters p)
{
	local ulong oclmm_elsewhere[1];
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
	const uint first_P1 = ((group + p.group_shift[0]) & (p.groups - 1u)) * p.lanes + lane_P1;

	if (team == 0u && member == 0u)
		atomic_add(&counters[11], (0x042e434au ^ (p.salt << 1)) | 2u);
	oclmm_stress(scratch + ((place + own_lane) & (p.stress_lines - 1u)) * p.stress_stride,
	             (testing ? p.pre_stress : p.stress) + (own_lane >> 31), p.stress_pattern);

	bool missed = false;
	for (; round < rounds; round++) {
		const uint i_P0 = round * width + first_P0;
		const uint i_P1 = round * width + first_P1;
		const bool flip = ((place & p.flip_groups) != 0u) ^ ((own_lane & p.flip_lanes) != 0u) ^ ((round & p.flip_rounds) != 0u);
		const bool elsewhere = round == ~p.split;
		private struct P1_registers r_P1;
		r_P1.P1_r0 = 91;
		r_P1.P1_r1 = 91;

		((local int *)at_y)[own_lane * 1u + 0u] = 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (p.polls != 0u && (round & p.poll_mask) == 0u) {
			wanted += p.parties;
			budget = oclmm_meet(meeting + own_lane, wanted, round == 0u ? budget / 2u : p.polls, budget);
		}
		if (flip) {
			P1(&r_P1, elsewhere ? (atomic_int *)(local atomic_int *)oclmm_elsewhere : (atomic_int *)(at_x + oclmm_slot(p.location[0], i_P1, mask)), elsewhere ? (atomic_int *)(global atomic_int *)codes : (atomic_int *)(at_y + lane_P1 * 1u));
			P0(elsewhere ? (atomic_int *)(local atomic_int *)oclmm_elsewhere : (atomic_int *)(at_x + oclmm_slot(p.location[0], i_P0, mask)), at_y + lane_P0 * 1u, elsewhere ? (int *)(local int *)oclmm_elsewhere : (int *)(at_a + oclmm_slot(p.location[2], i_P0, mask)));
		} else {
			P0(elsewhere ? (atomic_int *)(local atomic_int *)oclmm_elsewhere : (atomic_int *)(at_x + oclmm_slot(p.location[0], i_P0, mask)), at_y + lane_P0 * 1u, elsewhere ? (int *)(local int *)oclmm_elsewhere : (int *)(at_a + oclmm_slot(p.location[2], i_P0, mask)));
			P1(&r_P1, elsewhere ? (atomic_int *)(local atomic_int *)oclmm_elsewhere : (atomic_int *)(at_x + oclmm_slot(p.location[0], i_P1, mask)), elsewhere ? (atomic_int *)(global atomic_int *)codes : (atomic_int *)(at_y + lane_P1 * 1u));
		}
		const uint v0 = (uint)r_P1.P1_r0;
		const uint v1 = (uint)r_P1.P1_r1;
		if (p.results_reversed) {
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
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (p.looks) {
			missed |= ((local int *)at_y)[own_lane * 1u + 0u] == 0;
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

static void oclmm_add(volatile global uint *counter, uint n)
{
	if (n != 0u)
		atomic_add(counter, n);
}

static void oclmm_add_local(volatile local uint *counter, uint n)
{
	if (n != 0u)
		atomic_add(counter, n);
}

kernel void oclmm_count(
	global uint *at_0,
	global uint *at_2,
	global const uchar *codes,
	global const uint *results,
	volatile global uint *counters,
	global uint *played,
	global uint *meeting,
	global uint *raw,
	const oclmm_parameters p,
	global const ulong *table)
{
	local uint seen[8];

	for (uint n = get_local_id(0); n < 8u; n += get_local_size(0))
		seen[n] = 0u;
	barrier(CLK_LOCAL_MEM_FENCE);
	const uint outcomes = (uint)table[0];
	const uint initial0_0 = (uint)table[2];
	const uint initial2_0 = (uint)table[3];
	const uint initial2_1 = (uint)table[4];
	const uint count0 = (uint)table[5];
	const uint stride0 = (uint)table[6];
	const uint value0_0 = (uint)table[7];
	const uint count1 = (uint)table[8];
	const uint stride1 = (uint)table[9];
	const uint value1_0 = (uint)table[10];
	const uint id = get_global_id(0);
	const uint mask = p.groups * p.lanes * p.rounds - 1u;
	if (p.looks) {
		const uint changed = p.only_restore ? 0u : (uint)table[1];
		const uint of = p.only_restore ? (uint)get_global_size(0) - 1u - id : id;
		uint wrong = 0u;
		for (uint n = 0u; n < p.count_each; n++) {
			const uint i = of * p.count_first + n * p.count_step;
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			const uint slot2 = oclmm_slot(p.location[2], i, mask);
			uint sum = 0u;
			const uint is0 = at_0[slot0 + 0u];
			sum = sum * 16777619u + (uint)is0;
			wrong += is0 == initial0_0 ? changed >> 0 & 1u : 0u;
			const uint is1 = at_2[slot2 + 0u];
			sum = sum * 16777619u + (uint)is1;
			wrong += is1 == initial2_0 ? changed >> 1 & 1u : 0u;
			const uint is2 = at_2[slot2 + 1u];
			sum = sum * 16777619u + (uint)is2;
			wrong += is2 == initial2_1 ? changed >> 2 & 1u : 0u;
			wrong += p.only_restore && sum != p.initials ? 1u : 0u;
		}
		oclmm_add(counters + outcomes + (p.only_restore ? 3u : 4u), wrong);
	}
	uint i = id * p.count_first;
	uint done = 0u;
	while (done < p.count_each) {
		ulong packed0 = 0UL;
		const uint end = min(done + 255u, p.count_each);

		for (; done < end; done++, i += p.count_step) {
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			const uint slot2 = oclmm_slot(p.location[2], i, mask);
			uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
			if (v0 == 255u)
				v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
			uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
			if (v1 == 255u)
				v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
			at_0[slot0 + 0u] = initial0_0;
			at_2[slot2 + 0u] = initial2_0;
			at_2[slot2 + 1u] = initial2_1;
			if (p.only_restore)
				continue;
			const uint n0 = (uint)min(v0 - value0_0, (uint)count0);
			const uint n1 = (uint)min(v1 - value1_0, (uint)count1);
			uint bucket = 0u + n0 * stride0 + n1 * stride1;
			if (n0 == count0 || n1 == count1)
				bucket = outcomes + 0u;
			if (bucket == outcomes + 0u) {
				const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 3u;
				raw[at] = (uint)i;
				raw[at + 1] = v0;
				raw[at + 2] = v1;
				continue;
			}
			packed0 += 1UL << (8u * bucket);
		}
		oclmm_add_local(seen + 0, (uint)(packed0 >> 0) & 255u);
		oclmm_add_local(seen + 1, (uint)(packed0 >> 8) & 255u);
		oclmm_add_local(seen + 2, (uint)(packed0 >> 16) & 255u);
		oclmm_add_local(seen + 3, (uint)(packed0 >> 24) & 255u);
		oclmm_add_local(seen + 4, (uint)(packed0 >> 32) & 255u);
		oclmm_add_local(seen + 5, (uint)(packed0 >> 40) & 255u);
		oclmm_add_local(seen + 6, (uint)(packed0 >> 48) & 255u);
		oclmm_add_local(seen + 7, (uint)(packed0 >> 56) & 255u);
	}
	if (p.only_restore)
		((global uint *)raw)[id] += done;
	for (uint n = id; n < p.places * p.width; n += get_global_size(0)) {
		oclmm_add(counters + outcomes + 2, (played[n] & ~0x80000000u) != p.rounds && !p.only_restore);
		oclmm_add(counters + outcomes + 4, (played[n] & 0x80000000u) != 0u && !p.only_restore);
		played[n] = 0u;
	}
	oclmm_add(counters + outcomes + 2, id != (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)));
	if (get_local_id(0) == 0u)
		oclmm_add(counters + outcomes + 8, (counters[outcomes + 7] + (p.salt << 1)) * (1u + (uint)get_group_id(0) * 65536u));
	for (uint n = id; n < p.width; n += get_global_size(0))
		meeting[n] = 0u;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint n = get_local_id(0); n < 8u; n += get_local_size(0))
		if (seen[n] != 0u)
			atomic_add(&counters[n], seen[n]);
}
