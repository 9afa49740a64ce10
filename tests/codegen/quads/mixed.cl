#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

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

struct P0_registers {
	ulong P0_r0;
};

static void P0(private struct P0_registers *r, global atomic_int *at_x, global atomic_ulong *at_y)
{
	atomic_store_explicit(at_x, 1, memory_order_relaxed, memory_scope_device);
	r->P0_r0 = atomic_load_explicit(at_y, memory_order_relaxed, memory_scope_device);
}

struct P1_registers {
	int P1_r0;
	uint cut; /* a loop was still running at its bound */
};

static void P1(private struct P1_registers *r, global atomic_int *at_x, global atomic_ulong *at_y)
{
	r->P1_r0 = 0;
	for (uint turn0 = 0u; atomic_load_explicit(at_x, memory_order_relaxed, memory_scope_device) == 0; turn0++) {
		if (turn0 == 2u) {
			r->cut = 1u;
			return;
		}
		r->P1_r0 = r->P1_r0 + 1;
	}
	atomic_store_explicit(at_y, (ulong)(2UL), memory_order_relaxed, memory_scope_device);
}

/* oclmm_test: as in full/SB.cl, but */
3-		global atomic_int *at_y,
3+		global atomic_ulong *at_y,
5-		global uint *results,
5+		global ulong *results,
32-			atomic_add(&counters[11], (0x4cbf83d2u ^ (p.salt << 1)) | 2u);
32+			atomic_add(&counters[43], (0x10640c6eu ^ (p.salt << 1)) | 2u);
41-			r_P0.P0_r0 = 91;
41+			r_P0.P0_r0 = 91UL;
44+			r_P1.cut = 0u;
56-			const uint v0 = (uint)r_P0.P0_r0;
57+			const ulong v0 = (ulong)r_P0.P0_r0;
60+				codes[2u * (mask + 1u) + i_P1] = (uchar)min(r_P1.cut, 255u);
62-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
63-				if (v0 >= 255u)
64-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
64+				results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
66-				codes[0u * (mask + 1u) + i_P0] = (uchar)(min(v0, 255u) + p.salt);
67-				if (v0 >= 255u)
68-					results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
66+				results[0u * (mask + 1u) + i_P0] = v0 + p.salt;
70+				codes[2u * (mask + 1u) + i_P1] = (uchar)min(r_P1.cut, 255u);
76-		if (testing)
75+		if (testing && p.rounds <= 32u && (p.places * p.width & 15u) == 0u)
76+			((global uchar *)played)[place * p.width + own_lane] += (uchar)round;
77+		else if (testing)

/* oclmm_add: as in common.cl */

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
	global ulong *at_1,
	global const uchar *codes,
	global const ulong *results,
	volatile global uint *counters,
	global uint *played,
	global uint *meeting,
	global ulong *raw,
	const oclmm_parameters p,
	global const ulong *table)
{
	local uint seen[256];

	for (uint n = get_local_id(0); n < 256u; n += get_local_size(0))
		seen[n] = 0u;
	barrier(CLK_LOCAL_MEM_FENCE);
	const uint outcomes = (uint)table[0];
	const uint initial0_0 = (uint)table[2];
	const ulong initial1_0 = (ulong)table[3];
	const uint count0 = (uint)table[4];
	const uint stride0 = (uint)table[5];
	const ulong value0_0 = (ulong)table[6];
	const ulong value0_1 = (ulong)table[7];
	const ulong value0_2 = (ulong)table[8];
	const ulong value0_3 = (ulong)table[9];
	const uint count1 = (uint)table[10];
	const uint stride1 = (uint)table[11];
	const uint value1_0 = (uint)table[12];
	const uint value1_1 = (uint)table[13];
	const uint value1_2 = (uint)table[14];
	const uint value1_3 = (uint)table[15];
	const uint count2 = (uint)table[16];
	const uint stride2 = (uint)table[17];
	const uint value2_0 = (uint)table[18];
	const uint value2_1 = (uint)table[19];
	const uint value2_2 = (uint)table[20];
	const uint value2_3 = (uint)table[21];
	const uint count3 = (uint)table[22];
	const uint stride3 = (uint)table[23];
	const ulong value3_0 = (ulong)table[24];
	const ulong value3_1 = (ulong)table[25];
	const ulong value3_2 = (ulong)table[26];
	const ulong value3_3 = (ulong)table[27];
	const uint id = get_global_id(0);
	const uint mask = p.groups * p.lanes * p.rounds - 1u;
	const uint quads = (p.count_each & 3u) == 0u && oclmm_in_quads(p.location[0]) && oclmm_in_quads(p.location[1]);
	if (p.looks) {
		const uint changed = p.only_restore ? 0u : (uint)table[1];
		const uint of = p.only_restore ? (uint)get_global_size(0) - 1u - id : id;
		uint wrong = 0u;
		for (uint n = 0u; n < p.count_each; n++) {
			const uint i = quads ? 4u * (of + (n >> 2) * p.count_step) + (n & 3u) : of * p.count_first + n * p.count_step;
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			const uint slot1 = oclmm_slot(p.location[1], i, mask);
			uint sum = 0u;
			const uint is0 = at_0[slot0 + 0u];
			sum = sum * 16777619u + (uint)is0;
			wrong += is0 == initial0_0 ? changed >> 0 & 1u : 0u;
			const ulong is1 = at_1[slot1 + 0u];
			sum = sum * 16777619u + (uint)(is1 ^ is1 >> 32);
			wrong += is1 == initial1_0 ? changed >> 1 & 1u : 0u;
			wrong += p.only_restore && sum != p.initials ? 1u : 0u;
		}
		oclmm_add(counters + outcomes + (p.only_restore ? 3u : 4u), wrong);
	}
	uint i = id * (quads ? 4u : p.count_first);
	uint done = 0u;
	while (done < p.count_each) {
		const uint end = p.count_each;

		for (; quads && done < end; done += 4u, i += 4u * p.count_step) {
			if (!p.only_restore) {
				const ulong4 v0 = convert_ulong4(*(global const ulong4 *)(results + 0u * (mask + 1u) + i) - p.salt);
				uint4 v1 = convert_uint4(*(global const uchar4 *)(codes + 1u * (mask + 1u) + i) - (uchar)p.salt);
				if (any(v1 == 255u))
					v1 = select(v1, convert_uint4(*(global const ulong4 *)(results + 1u * (mask + 1u) + i) - p.salt), v1 == 255u);
				const uint4 v2 = *(global const uint4 *)(at_0 + p.location[0].base + i);
				const ulong4 v3 = *(global const ulong4 *)(at_1 + p.location[1].base + i);
				uint4 n0 = (uint4)(count0);
				n0 = select(n0, (uint4)(3u), convert_int4(v0 == value0_3));
				n0 = select(n0, (uint4)(2u), convert_int4(v0 == value0_2));
				n0 = select(n0, (uint4)(1u), convert_int4(v0 == value0_1));
				n0 = select(n0, (uint4)(0u), convert_int4(v0 == value0_0));
				uint4 n1 = (uint4)(count1);
				n1 = select(n1, (uint4)(3u), convert_int4(v1 == value1_3));
				n1 = select(n1, (uint4)(2u), convert_int4(v1 == value1_2));
				n1 = select(n1, (uint4)(1u), convert_int4(v1 == value1_1));
				n1 = select(n1, (uint4)(0u), convert_int4(v1 == value1_0));
				uint4 n2 = (uint4)(count2);
				n2 = select(n2, (uint4)(3u), convert_int4(v2 == value2_3));
				n2 = select(n2, (uint4)(2u), convert_int4(v2 == value2_2));
				n2 = select(n2, (uint4)(1u), convert_int4(v2 == value2_1));
				n2 = select(n2, (uint4)(0u), convert_int4(v2 == value2_0));
				uint4 n3 = (uint4)(count3);
				n3 = select(n3, (uint4)(3u), convert_int4(v3 == value3_3));
				n3 = select(n3, (uint4)(2u), convert_int4(v3 == value3_2));
				n3 = select(n3, (uint4)(1u), convert_int4(v3 == value3_1));
				n3 = select(n3, (uint4)(0u), convert_int4(v3 == value3_0));
				uint4 bucket = (uint4)(0u) + n0 * stride0 + n1 * stride1 + n2 * stride2 + n3 * stride3;
				bucket = select(bucket, (uint4)(outcomes + 0u), n0 == count0);
				bucket = select(bucket, (uint4)(outcomes + 0u), n1 == count1);
				bucket = select(bucket, (uint4)(outcomes + 0u), n2 == count2);
				bucket = select(bucket, (uint4)(outcomes + 0u), n3 == count3);
				bucket = select(bucket, (uint4)(outcomes + 1u), convert_int4(*(global const uchar4 *)(codes + 2u * (mask + 1u) + i) != (uchar)0));
				if (any(bucket == outcomes + 0u)) {
					uint buckets[4];
					vstore4(bucket, 0, buckets);
					ulong values0[4];
					vstore4(v0, 0, values0);
					uint values1[4];
					vstore4(v1, 0, values1);
					uint values2[4];
					vstore4(v2, 0, values2);
					ulong values3[4];
					vstore4(v3, 0, values3);
					for (uint k = 0u; k < 4u; k++) {
						if (buckets[k] != outcomes + 0u)
							continue;
						const ulong v0 = values0[k];
						const uint v1 = values1[k];
						const uint v2 = values2[k];
						const ulong v3 = values3[k];
						const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 5u;
						raw[at] = (ulong)i + k;
						raw[at + 1] = v0;
						raw[at + 2] = v1;
						raw[at + 3] = v2;
						raw[at + 4] = v3;
					}
				}
				if (bucket.s0 != outcomes + 0u)
					atomic_inc(&seen[bucket.s0]);
				if (bucket.s1 != outcomes + 0u)
					atomic_inc(&seen[bucket.s1]);
				if (bucket.s2 != outcomes + 0u)
					atomic_inc(&seen[bucket.s2]);
				if (bucket.s3 != outcomes + 0u)
					atomic_inc(&seen[bucket.s3]);
			}
			*(global uint4 *)(at_0 + p.location[0].base + i) = (uint4)(initial0_0);
			*(global ulong4 *)(at_1 + p.location[1].base + i) = (ulong4)(initial1_0);
		}
		for (; done < end; done++, i += p.count_step) {
			const uint slot0 = oclmm_slot(p.location[0], i, mask);
			const uint slot1 = oclmm_slot(p.location[1], i, mask);
			const ulong v0 = (ulong)(results[0u * (mask + 1u) + i] - p.salt);
			uint v1 = (codes[1u * (mask + 1u) + i] - p.salt) & 255u;
			if (v1 == 255u)
				v1 = (uint)(results[1u * (mask + 1u) + i] - p.salt);
			const uint v2 = (uint)at_0[slot0 + 0u];
			const ulong v3 = (ulong)at_1[slot1 + 0u];
			if (!p.only_restore) {
				const uint n0 = v0 == value0_0 ? 0u : v0 == value0_1 ? 1u : v0 == value0_2 ? 2u : v0 == value0_3 ? 3u : count0;
				const uint n1 = v1 == value1_0 ? 0u : v1 == value1_1 ? 1u : v1 == value1_2 ? 2u : v1 == value1_3 ? 3u : count1;
				const uint n2 = v2 == value2_0 ? 0u : v2 == value2_1 ? 1u : v2 == value2_2 ? 2u : v2 == value2_3 ? 3u : count2;
				const uint n3 = v3 == value3_0 ? 0u : v3 == value3_1 ? 1u : v3 == value3_2 ? 2u : v3 == value3_3 ? 3u : count3;
				uint bucket = 0u + n0 * stride0 + n1 * stride1 + n2 * stride2 + n3 * stride3;
				if (n0 == count0 || n1 == count1 || n2 == count2 || n3 == count3)
					bucket = outcomes + 0u;
				if (codes[2u * (mask + 1u) + i] != 0)
					bucket = outcomes + 1u;
				if (bucket == outcomes + 0u) {
					const ulong at = (ulong)(atomic_inc(&counters[outcomes + 0u]) - p.other_before) * 5u;
					raw[at] = (ulong)i;
					raw[at + 1] = v0;
					raw[at + 2] = v1;
					raw[at + 3] = v2;
					raw[at + 4] = v3;
				} else {
					atomic_inc(&seen[bucket]);
				}
			}
			at_0[slot0 + 0u] = initial0_0;
			at_1[slot1 + 0u] = initial1_0;
		}
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
	for (uint n = get_local_id(0); n < 256u; n += get_local_size(0))
		if (seen[n] != 0u)
			atomic_add(&counters[n], seen[n]);
}
