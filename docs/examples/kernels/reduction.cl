// Does each work-item that adds up see what the others have put into local memory?
//
// oclmm: --global 8 --local 4 --arg in=1,2,3,4,5,6,7,8 --arg out=0,0
// oclmm: --ask 'out[0] != 10 || out[1] != 26'

#ifdef WEAK
#define FLAGS CLK_GLOBAL_MEM_FENCE
#else
#define FLAGS CLK_LOCAL_MEM_FENCE
#endif

kernel void reduction(global const int *in, global int *out)
{
	local int scratch[4];
	size_t lid = get_local_id(0);

	scratch[lid] = in[get_global_id(0)];
	barrier(FLAGS);
	for (size_t stride = get_local_size(0) / 2; stride; stride /= 2) {
		if (lid < stride)
			scratch[lid] += scratch[lid + stride];
		barrier(FLAGS);
	}
	if (lid == 0)
		out[get_group_id(0)] = scratch[0];
}
