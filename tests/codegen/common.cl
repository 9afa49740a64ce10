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

/* Where an instance's object stands: an odd multiplier makes this a permutation under the mask. */
static uint oclmm_slot(oclmm_layout where, uint instance, uint mask)
{
	return where.base + ((instance * (where.multiplier | 1u) + where.addend) & mask) * where.stride;
}
