// SPDX-License-Identifier: Apache-2.0
/*
 * The same as published, access by access. In square brackets: the line of the
 * text that a line here stands for. Sums are exclusive: each element gets the
 * sum of those before it. `bytes` is the length in bytes (the text's n1).
 *
 * What the model says: the scratch array `temp` is global memory, and
 * barrier(CLK_LOCAL_MEM_FENCE) orders local memory only. Cells race between
 * levels even inside one group. With more than one group, all share the array
 * and no barrier holds between them.
 *
 * What is wrong besides: each of `globalsize` work-items moves two elements, but
 * a segment has only `globalsize` of them, so that the upper half of the
 * work-items reads and writes what belongs to the next segment, and behind the
 * end of the arrays in the last one.
 */
kernel void column_sum(global float *src, global float *dst, global float *tmpc,
                       global float *temp, const int bytes, const int globalsize)
{
	const int X = get_global_id(0);
	const int n = bytes >> 2; /* ["const int n=n1>>2;"] */
	int count = (n + globalsize - 1) / globalsize;

	for (int I = 0; I < count; I++) { /* ["for(int I=0;I<count;I++){"] */
		barrier(CLK_LOCAL_MEM_FENCE);
		temp[2 * X] = src[globalsize * I + 2 * X]; /* ["temp[2*X]=…;"] */
		temp[2 * X + 1] = src[globalsize * I + 2 * X + 1]; /* ["temp[2*X+1]=…;"] */
		int offset = 1;

		/* ["for(int d=(globalsize>n? n:globalsize)>>1;d>0;d>>=1){"] */
		for (int d = (globalsize > n ? n : globalsize) >> 1; d > 0; d >>= 1) {
			barrier(CLK_LOCAL_MEM_FENCE);
			if (X < d) {
				int ai = offset * (2 * X + 1) - 1;
				int bi = offset * (2 * X + 2) - 1;

				temp[bi] += temp[ai]; /* ["temp[bi]+=temp[ai];"] */
			}
			offset *= 2;
		}
		if (X == 0) {
			if (n >= globalsize)
				tmpc[I] = temp[globalsize - 1]; /* ["if(n>=globalsize)tmpc[I]=…;"] */
			temp[(globalsize > n ? n : globalsize) - 1] = 0; /* ["temp[(…)-1]=0;"] */
		}
		for (int d = 1; d < globalsize && d < n; d *= 2) { /* ["for(int d=1;…;d*=2){"] */
			offset >>= 1;
			barrier(CLK_LOCAL_MEM_FENCE);
			if (X < d) {
				int ai = offset * (2 * X + 1) - 1;
				int bi = offset * (2 * X + 2) - 1;
				float t = temp[ai];

				temp[ai] = temp[bi]; /* ["temp[ai]=temp[bi];"] */
				temp[bi] += t; /* ["temp[bi]+=t;"] */
			}
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		dst[globalsize * I + 2 * X] = temp[2 * X]; /* ["dst[globalsize*I+2*X]=…;"] */
		dst[globalsize * I + 2 * X + 1] = temp[2 * X + 1]; /* ["dst[globalsize*I+2*X+1]=…;"] */
	}
}

/* ["__kernel void scan_sum": the second kernel] */
kernel void scan_sum(global float *sumtmpc, global float *dst, const int bytes,
                     const int globalsize)
{
	const int X = get_global_id(0);

	if (X < (bytes >> 2))
		dst[X] += sumtmpc[X / globalsize]; /* ["if(X<(n1>>2))dst[X]+=sumtmpc[X/globalsize];"] */
}
