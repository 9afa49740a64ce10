// SPDX-License-Identifier: Apache-2.0
/*
 * Which orders and scopes a device claims: by query from 3.0 on (A:4.2), by
 * version before (2.x must have them all, 1.x has none). What its version and
 * profile do not let it lack it claims, whatever it answers: tests that need no
 * more are not skipped.
 */
#include "internal.h"

#include <string.h>

#define ORDER(name) (1u << OCLMM_ORDER_##name)
#define SCOPE(name) (1u << OCLMM_SCOPE_##name)

static const cl_bitfield all_orders = CL_DEVICE_ATOMIC_ORDER_RELAXED |
                                      CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                                      CL_DEVICE_ATOMIC_ORDER_SEQ_CST;
static const cl_bitfield all_scopes = CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
                                      CL_DEVICE_ATOMIC_SCOPE_DEVICE |
                                      CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;

static int query_bits(cl_device_id id, cl_device_info what, cl_bitfield least,
                      struct oclmm_error *error, cl_bitfield *ret_bits)
{
	cl_bitfield bits = 0;
	int r = oclmm_device_answered(what, clGetDeviceInfo(id, what, sizeof(bits), &bits, NULL),
	                              error);

	*ret_bits = bits | least;
	return r;
}

/* From 3.0 on. Taken for the least, a device that does not say what it has would fail no test that
 * needs more. */
static int query_capabilities(cl_device_id id, struct oclmm_error *error,
                              struct oclmm_device_info *info)
{
	const cl_bitfield least = CL_DEVICE_ATOMIC_ORDER_RELAXED |
	                          CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
	int r = query_bits(id, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, least, error,
	                   &info->memory_capabilities);

	return r < 0 ? r
	             : query_bits(id, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES,
	                          least | CL_DEVICE_ATOMIC_ORDER_ACQ_REL, error,
	                          &info->fence_capabilities);
}

/* Only an embedded profile may be without a compiler, and nothing is asked of a device of its own
 * kind. */
static void claim_least(cl_device_id id, struct oclmm_device_info *info)
{
	enum { LOCAL_FULL = 32768, LOCAL_EMBEDDED = 1024 };
	char profile[64] = "";
	bool full = clGetDeviceInfo(id, CL_DEVICE_PROFILE, sizeof(profile), profile, NULL) ==
	                    CL_SUCCESS &&
	            strcmp(profile, "FULL_PROFILE") == 0;
	cl_ulong local = full ? LOCAL_FULL : LOCAL_EMBEDDED;

	if (info->type & CL_DEVICE_TYPE_CUSTOM)
		return;
	info->compiler |= full;
	if (info->local_memory < local)
		info->local_memory = local;
}

/* A stronger order implies the weaker ones. */
static unsigned orders_of(cl_bitfield bits)
{
	unsigned orders = 0;

	if (bits & all_orders)
		orders |= ORDER(RELAXED);
	if (bits & (CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST))
		orders |= ORDER(ACQUIRE) | ORDER(RELEASE) | ORDER(ACQ_REL);
	if (bits & CL_DEVICE_ATOMIC_ORDER_SEQ_CST)
		orders |= ORDER(SEQ_CST);
	return orders;
}

/* A wider scope implies the narrower ones; the work-item bit is about images and stands alone. */
static unsigned scopes_of(cl_bitfield bits)
{
	unsigned scopes = 0;

	if (bits & all_scopes)
		scopes |= SCOPE(WORK_GROUP);
	if (bits & (CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES))
		scopes |= SCOPE(DEVICE);
	if (bits & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES)
		scopes |= SCOPE(ALL_SVM_DEVICES);
	return scopes;
}

int oclmm_device_claims(cl_device_id id, const char *extensions, struct oclmm_error *error,
                        struct oclmm_device_info *info)
{
	cl_uint sub_groups = 0;
	int r = 0;

	claim_least(id, info);
	if (info->major < 2)
		return 0;
	if (info->major == 2)
		info->memory_capabilities = info->fence_capabilities = all_orders | all_scopes;
	else
		r = query_capabilities(id, error, info);
	if (r < 0)
		return r;
	info->orders_claimed = orders_of(info->memory_capabilities);
	info->fence_orders_claimed = orders_of(info->fence_capabilities);
	info->scopes_claimed = scopes_of(info->memory_capabilities);
	if (clGetDeviceInfo(id, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof(sub_groups), &sub_groups,
	                    NULL) != CL_SUCCESS)
		sub_groups = 0;
	info->sub_groups = sub_groups > 0 || strstr(extensions, "cl_khr_subgroups");
	if (info->sub_groups)
		info->scopes_claimed |= SCOPE(SUB_GROUP);
	return 0;
}
