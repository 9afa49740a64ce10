typedef struct {
	uint base, stride, multiplier, addend;
} oclmm_layout;

/* oclmm_parameters: as in common.cl */

/* Where an instance's object stands: an odd multiplier makes this a permutation under the mask. */
static uint oclmm_slot(oclmm_layout where, uint instance, uint mask)
{
	if (where.multiplier == 1u && where.addend == 0u && where.stride == 1u)
		return where.base + instance;
	return where.base + ((instance * (where.multiplier | 1u) + where.addend) & mask) * where.stride;
}

/* oclmm_astray: as in common.cl */

/* oclmm_stress: as in common.cl */

/* oclmm_meet: as in common.cl */

static void P0(global atomic_int *at_x)
{
	atomic_store_explicit(at_x, 1, memory_order_relaxed, memory_scope_device);
}

struct P1_registers {
	int P1_r0;
};

static void P1(private struct P1_registers *r, global atomic_int *at_x)
{
	r->P1_r0 = atomic_load_explicit(at_x, memory_order_relaxed, memory_scope_device);
}

/* oclmm_test: as in full/SB.cl, but */
3-		global atomic_int *at_y,
32-			atomic_add(&counters[11], (0x4cbf83d2u ^ (p.salt << 1)) | 2u);
31+			atomic_add(&counters[11], (0x1375bc1eu ^ (p.salt << 1)) | 2u);
40-			private struct P0_registers r_P0;
41-			r_P0.P0_r0 = 91;
50-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
51-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
47+				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask));
48+				P0(at_x + oclmm_slot(p.location[0], i_P0, mask));
53-				P0(&r_P0, at_x + oclmm_slot(p.location[0], i_P0, mask), at_y + oclmm_slot(p.location[1], i_P0, mask));
54-				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask), at_y + oclmm_slot(p.location[1], i_P1, mask));
50+				P0(at_x + oclmm_slot(p.location[0], i_P0, mask));
51+				P1(&r_P1, at_x + oclmm_slot(p.location[0], i_P1, mask));
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
72-			}
53+			const uint v0 = (uint)r_P1.P1_r0;
54+			codes[0u * (mask + 1u) + i_P1] = (uchar)(min(v0, 255u) + p.salt);
55+			if (v0 >= 255u)
56+				results[0u * (mask + 1u) + i_P1] = v0 + p.salt;
76-		if (testing)
60+		if (testing && p.rounds <= 32u && (p.places * p.width & 15u) == 0u)
61+			((global uchar *)played)[place * p.width + own_lane] += (uchar)round;
62+		else if (testing)

/* oclmm_add: as in common.cl */

/* oclmm_add_local: as in common.cl */

/* In how many bytes bit 7 is set; none has another one. */
static uint oclmm_bytes_set(uint4 bits)
{
	bits >>= 7;
	return (bits.s0 + bits.s1 + bits.s2 + bits.s3) * 0x01010101u >> 24;
}

/* Whether an object stands behind that of the instance before it, and each fourth one where a vector
 * of four may. */
static uint oclmm_in_quads(oclmm_layout where)
{
	return where.stride == 1u && where.multiplier == 1u && where.addend == 0u && (where.base & 3u) == 0u;
}

kernel void oclmm_count(
	global uint *at_0,
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
	const uint count0 = (uint)table[3];
	const uint stride0 = (uint)table[4];
	const uint value0_0 = (uint)table[5];
	const uint count1 = (uint)table[9];
	const uint stride1 = (uint)table[10];
	const uint value1_0 = (uint)table[11];
	const uint id = get_global_id(0);
	const uint mask = p.groups * p.lanes * p.rounds - 1u;
	const uint quads = (p.count_each & 3u) == 0u && oclmm_in_quads(p.location[0]);
	if (p.looks) {
		const uint changed = p.only_restore ? 0u : (uint)table[1];
		const uint of = p.only_restore ? (uint)get_global_size(0) - 1u - id : id;
		uint wrong = 0u;
		for (uint n = 0u; n < p.count_each; n++) {
			const uint i = quads ? 4u * (of + (n >> 2) * p.count_step) + (n & 3u) : of * p.count_first + n * p.count_step;
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			uint sum = 0u;
			const uint is0 = at_0[slot0 + 0u];
			sum = sum * 16777619u + (uint)is0;
			wrong += is0 == initial0_0 ? changed >> 0 & 1u : 0u;
			wrong += p.only_restore && sum != p.initials ? 1u : 0u;
		}
		oclmm_add(counters + outcomes + (p.only_restore ? 3u : 4u), wrong);
	}
	uint i = id * (quads ? 4u : p.count_first);
	uint done = 0u;
	while (done < p.count_each) {
		ulong packed0 = 0UL;
		const uint end = min(done + 252u, p.count_each);

		for (; quads && done < end; done += 4u, i += 4u * p.count_step) {
			if (!p.only_restore) {
				uint4 v0 = convert_uint4(*(global const uchar4 *)(codes + 0u * (mask + 1u) + i) - (uchar)p.salt);
				if (any(v0 == 255u))
					v0 = select(v0, convert_uint4(*(global const uint4 *)(results + 0u * (mask + 1u) + i) - p.salt), v0 == 255u);
				const uint4 v1 = *(global const uint4 *)(at_0 + p.location[0].base + i);
				const uint4 n0 = convert_uint4(min(v0 - value0_0, (uint)count0));
				const uint4 n1 = convert_uint4(min(v1 - value1_0, (uint)count1));
				uint4 bucket = (uint4)(0u) + n0 * stride0 + n1 * stride1;
				bucket = select(bucket, (uint4)(outcomes + 0u), n0 == count0);
				bucket = select(bucket, (uint4)(outcomes + 0u), n1 == count1);
				if (any(bucket == outcomes + 0u)) {
					uint buckets[4];
					vstore4(bucket, 0, buckets);
					uint values0[4];
					vstore4(v0, 0, values0);
					uint values1[4];
					vstore4(v1, 0, values1);
					for (uint k = 0u; k < 4u; k++) {
						if (buckets[k] != outcomes + 0u)
							continue;
						const uint v0 = values0[k];
						const uint v1 = values1[k];
						const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 3u;
						raw[at] = (uint)i + k;
						raw[at + 1] = v0;
						raw[at + 2] = v1;
					}
				}
				const ulong4 one = (convert_ulong4(bucket != outcomes + 0u) & 1UL) << convert_ulong4(8u * (bucket & 7u));
				packed0 += one.s0 + one.s1 + one.s2 + one.s3;
			}
			*(global uint4 *)(at_0 + p.location[0].base + i) = (uint4)(initial0_0);
		}
		for (; done < end; done++, i += p.count_step) {
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			uint v0 = (codes[0u * (mask + 1u) + i] - p.salt) & 255u;
			if (v0 == 255u)
				v0 = (uint)(results[0u * (mask + 1u) + i] - p.salt);
			const uint v1 = (uint)at_0[slot0 + 0u];
			if (!p.only_restore) {
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
				} else {
					packed0 += 1UL << (8u * bucket);
				}
			}
			at_0[slot0 + 0u] = initial0_0;
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
	if (p.rounds <= 32u && (p.places * p.width & 15u) == 0u) {
		for (uint n = id; n < p.places * p.width / 16u; n += get_global_size(0)) {
			const uint4 all = ((global const uint4 *)played)[n];
			const uint4 off = ((all & 0x7f7f7f7fu) ^ (p.rounds * 0x01010101u)) + 0x7f7f7f7fu;
			oclmm_add(counters + outcomes + 2, p.only_restore ? 0u : oclmm_bytes_set(off & 0x80808080u));
			oclmm_add(counters + outcomes + 4, p.only_restore ? 0u : oclmm_bytes_set(all & 0x80808080u));
			((global uint4 *)played)[n] = (uint4)(0u);
		}
	} else {
		for (uint n = id; n < p.places * p.width; n += get_global_size(0)) {
			oclmm_add(counters + outcomes + 2, (played[n] & ~0x80000000u) != p.rounds && !p.only_restore);
			oclmm_add(counters + outcomes + 4, (played[n] & 0x80000000u) != 0u && !p.only_restore);
			played[n] = 0u;
		}
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
