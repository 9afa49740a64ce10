// SPDX-License-Identifier: Apache-2.0
/*
 * What a program needs against what the device claims and, failing that, what
 * its compiler accepts. A device that accepts more than it claims may still
 * run the test; its results are then told apart.
 */
#include "internal.h"

#include "oclmm/codegen.h"

#include <stdio.h>

static enum oclmm_support unsupported(char *missing, size_t size, const char *what)
{
	snprintf(missing, size, "%s", what);
	return OCLMM_SUPPORT_UNSUPPORTED;
}

/* Shared virtual memory that a device lacks; `shared`: one of a pair that both use the memory. */
static const char *find_missing_memory(const struct oclmm_device_info *info,
                                       const struct oclmm_features *need, bool shared)
{
	/* those who play at once meet in it; commands do not */
	bool meet = need->svm_atomics || need->host_threads ||
	            (need->devices > 1 && !need->commands);
	const struct {
		bool needed;
		cl_device_svm_capabilities capability;
		const char *alone, *of_both;
	} kinds[] = {
		{meet, CL_DEVICE_SVM_ATOMICS, "fine-grained SVM with atomics",
	         "fine-grained SVM with atomics of both devices"},
		{need->svm_system, CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, "fine-grained system SVM",
	         "fine-grained system SVM of both devices"},
		{need->svm_fine, CL_DEVICE_SVM_FINE_GRAIN_BUFFER, "fine-grained SVM",
	         "fine-grained SVM of both devices"},
		{need->svm_coarse || need->queues, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER,
	         "coarse-grained SVM", "coarse-grained SVM of both devices"},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].needed && !(info->svm_capabilities & kinds[i].capability))
			return shared ? kinds[i].of_both : kinds[i].alone;
	return NULL;
}

static const char *find_missing_of_partner(const struct oclmm_device_info *info,
                                           const struct oclmm_features *need)
{
	const char *what = find_missing_memory(info, need, true);

	if (what)
		return what;
	if (need->pipes && !info->pipes)
		return "__opencl_c_pipes of both devices";
	if (need->unordered_queue && !info->unordered_queues)
		return "queues that execute out of order, of both devices";
	return NULL;
}

/* What no compiler can make up for; NULL when all is there. */
static const char *find_missing(struct oclmm_device *device, const struct oclmm_features *need)
{
	const struct oclmm_device_info *info = &device->info;
	const char *what;

	if (need->devices == 0)
		return "a role for a device";
	if (!oclmm_device_has_several(device, need->devices))
		return need->devices == 2 ? "2 devices" : "so many devices";
	if (info->major < 2 && !(need->commands && info->major == 1 && info->minor >= 2))
		return need->commands ? "OpenCL 1.2 or later" : "OpenCL 2.0 or later";
	if (!device->info.compiler)
		return "a compiler";
	if (need->sub_groups && !info->sub_groups)
		return need->scopes & (1u << OCLMM_SCOPE_SUB_GROUP) ? "memory_scope_sub_group"
		                                                    : "placement in sub-groups";
	if (need->collectives && !info->collectives)
		return "__opencl_c_work_group_collective_functions";
	if (need->children && !info->device_enqueue)
		return "__opencl_c_device_enqueue";
	if (need->pipes && !info->pipes)
		return "__opencl_c_pipes";
	what = find_missing_memory(info, need, false);
	if (!what && device->partner && need->devices > 1)
		what = find_missing_of_partner(&device->partner_info, need);
	if (what)
		return what;
	if (need->queues && !oclmm_device_runs_together(device))
		return "two queues whose kernels run at once";
	if (need->program_scope && info->program_scope < OCLMM_KERNEL_PROGRAM_BYTES)
		return "variables at program scope";
	if (need->images > info->images ||
	    (need->images && info->image_elements < OCLMM_KERNEL_IMAGE_ELEMENTS))
		return "images that a kernel reads and writes";
	if (need->unordered_queue && !info->unordered_queues)
		return "queues that execute out of order";
	if (need->local_memory && info->local_memory == 0)
		return "local memory";
	if (need->address_wide && info->address_bits != 64)
		return "addresses of 64 bits, for size_t";
	if ((need->atomic_types & oclmm_types_of_width(64)) && !info->int64_atomics)
		return "64-bit atomics";
	if ((need->floating_types >> OCLMM_TYPE_HALF & 1) && !info->fp16)
		return "half-precision floating point";
	if ((need->floating_types >> OCLMM_TYPE_DOUBLE & 1) && !info->fp64)
		return "double-precision floating point";
	return NULL;
}

/* One text that uses each order with each scope, atomics and fences apart. */
static bool accepts_orders(struct oclmm_device *device, const struct oclmm_features *need)
{
	struct oclmm_text text = {0};
	bool accepted;

	oclmm_text_add(&text,
	               "kernel void probe(global atomic_int *x, global int *y)\n{\n\tint n = 0;\n");
	for (int s = OCLMM_SCOPE_SUB_GROUP; s < OCLMM_SCOPE_COUNT; s++) {
		const char *scope = oclmm_scope_spelling((enum oclmm_scope)s);

		if (!(need->scopes & (1u << s)))
			continue;
		for (int o = OCLMM_ORDER_RELAXED; o < OCLMM_ORDER_COUNT; o++) {
			const char *order = oclmm_order_spelling((enum oclmm_order)o);

			if (need->orders & (1u << o))
				oclmm_probe_atomics(&text, (enum oclmm_order)o,
				                    (enum oclmm_scope)s);
			if (need->fence_orders & (1u << o))
				oclmm_text_printf(
					&text,
					"\tatomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, %s, %s);\n",
					order, scope);
		}
	}
	oclmm_text_add(&text, "\t*y = n;\n}\n");
	accepted = oclmm_device_accepts(device, oclmm_text_string(&text));
	oclmm_text_finish(&text);
	return accepted;
}

static bool accepts_generic(struct oclmm_device *device)
{
	return oclmm_device_accepts(
		device,
		"int take(atomic_int *x)\n"
		"{\n"
		"\treturn atomic_load_explicit(x, memory_order_relaxed, memory_scope_work_group);\n"
		"}\n"
		"kernel void probe(global atomic_int *x, global int *y)\n"
		"{\n"
		"\t*y = take(x);\n"
		"}\n");
}

/* The first order or scope that the device does not claim, for the message. */
static const char *find_unclaimed(const struct oclmm_device_info *info,
                                  const struct oclmm_features *need)
{
	for (int o = OCLMM_ORDER_RELAXED; o < OCLMM_ORDER_COUNT; o++)
		if ((need->orders & ~info->orders_claimed) & (1u << o))
			return oclmm_order_spelling((enum oclmm_order)o);
	for (int o = OCLMM_ORDER_RELAXED; o < OCLMM_ORDER_COUNT; o++)
		if ((need->fence_orders & ~info->fence_orders_claimed) & (1u << o))
			return oclmm_order_spelling((enum oclmm_order)o);
	for (int s = OCLMM_SCOPE_WORK_ITEM; s < OCLMM_SCOPE_COUNT; s++)
		if ((need->scopes & ~info->scopes_claimed) & (1u << s))
			return oclmm_scope_spelling((enum oclmm_scope)s);
	return NULL;
}

enum oclmm_support oclmm_device_supports(struct oclmm_device *device,
                                         const struct oclmm_program *program, char *missing,
                                         size_t missing_size)
{
	struct oclmm_features need;
	const char *what;
	enum oclmm_support support = OCLMM_SUPPORT_CLAIMED;

	if (missing_size > 0)
		*missing = '\0';
	oclmm_program_features(program, &need);
	/* those who meet across devices do it with this scope */
	if (need.host_threads || (need.scopes & (1u << OCLMM_SCOPE_ALL_SVM_DEVICES)))
		oclmm_device_name_all_scope(device);
	what = find_missing(device, &need);
	if (what)
		return unsupported(missing, missing_size, what);
	if (oclmm_float_feature(&need, device->info.float_atomics, missing, missing_size))
		return OCLMM_SUPPORT_UNSUPPORTED;
	if (need.generic_pointers && !device->info.generic_address_space) {
		if (!accepts_generic(device))
			return unsupported(missing, missing_size, "the generic address space");
		support = OCLMM_SUPPORT_ACCEPTED;
	}
	what = find_unclaimed(&device->info, &need);
	if (!what)
		return support;
	if (!accepts_orders(device, &need))
		return unsupported(missing, missing_size, what);
	/* for the report: what is accepted without being claimed */
	snprintf(missing, missing_size, "%s", what);
	return OCLMM_SUPPORT_ACCEPTED;
}
