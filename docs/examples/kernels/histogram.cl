// Does a histogram in local memory that work-items fill by atomic_inc lose a count?
//
// oclmm: --global 4 --local 4 --arg input=0,1,1,1 --arg bins=0,0
// oclmm: --ask 'bins[0] != 1 || bins[1] != 3'

#ifdef WEAK
#define COUNT(x) (x)++
#else
#define COUNT(x) atomic_inc(&(x))
#endif

kernel void histogram(global const uchar *input, global int *bins)
{
	local int mine[2];
	size_t lid = get_local_id(0);

	if (lid < 2)
		mine[lid] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	COUNT(mine[input[get_global_id(0)]]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 2)
		bins[lid] = mine[lid];
}
