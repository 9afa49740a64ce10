// SPDX-License-Identifier: Apache-2.0
/* What a program lacks is named; what the device has is not refused. */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

static enum oclmm_support support_of(struct oclmm_device *device, const char *text, char *missing,
                                     size_t size)
{
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	enum oclmm_support support;

	if (oclmm_litmus_parse("text", text, strlen(text), NULL, &error, &litmus) < 0)
		fail_msg("line %u: %s", error.position.line, error.message);
	support = oclmm_device_supports(device, litmus->variants[0].program, missing, size);
	oclmm_litmus_destroy(litmus);
	return support;
}

static void relaxed_work_group_is_claimed(void **state)
{
	char missing[64];

	assert_int_equal(
		support_of(*state,
	                   "OPENCL minimum\n{ [x] = 0; }\nP0@wg 0, dev 0 (global atomic_int *x) {\n"
	                   "  atomic_store_explicit(x, 1, memory_order_relaxed, "
	                   "memory_scope_work_group);\n"
	                   "}\nexists (x=1)\n",
	                   missing, sizeof(missing)),
		OCLMM_SUPPORT_CLAIMED);
	assert_string_equal(missing, "");
}

/* The host needs memory that it shares with the device, and the device a part in the test. */
static void what_host_threads_need(void **state)
{
	bool shared = (oclmm_device_info(*state)->svm_capabilities & CL_DEVICE_SVM_ATOMICS) != 0;
	char missing[64];
	enum oclmm_support support = support_of(
		*state,
		"OPENCL host\n{ svm [x] = 0; }\nP0@wg 0, dev 0 (global atomic_int *x) {\n"
		"  atomic_store_explicit(x, 1, memory_order_relaxed, "
		"memory_scope_all_svm_devices);\n"
		"}\nP1@host (global atomic_int *x) {\n"
		"  int r0 = atomic_load(x);\n"
		"}\nexists (1:r0=1)\n",
		missing, sizeof(missing));

	assert_int_equal(support == OCLMM_SUPPORT_UNSUPPORTED, !shared);
	if (!shared)
		assert_string_equal(missing, "fine-grained SVM with atomics");
	assert_int_equal(support_of(*state,
	                            "OPENCL host\n{ svm [x] = 0; }\n"
	                            "P0@host (global atomic_int *x) {\n"
	                            "  atomic_store(x, 1);\n}\nexists (x=1)\n",
	                            missing, sizeof(missing)),
	                 OCLMM_SUPPORT_UNSUPPORTED);
	assert_string_equal(missing, "a role for a device");
}

/* The heap of the host is another kind than memory that OpenCL gives. */
static void system_memory_is_there_or_missing(void **state)
{
	const cl_device_svm_capabilities all = CL_DEVICE_SVM_FINE_GRAIN_SYSTEM |
	                                       CL_DEVICE_SVM_ATOMICS;
	bool there = (oclmm_device_info(*state)->svm_capabilities & all) == all;
	char missing[64];
	enum oclmm_support support =
		support_of(*state,
	                   "OPENCL heap\n{ system [x] = 0; }\nP0@wg 0 (global atomic_int *x) {\n"
	                   "  atomic_store_explicit(x, 1, memory_order_relaxed, "
	                   "memory_scope_all_svm_devices);\n"
	                   "}\nP1@host (global atomic_int *x) {\n"
	                   "  int r0 = atomic_load(x);\n"
	                   "}\nexists (1:r0=1)\n",
	                   missing, sizeof(missing));

	assert_int_equal(support == OCLMM_SUPPORT_UNSUPPORTED, !there);
	if (oclmm_device_info(*state)->svm_capabilities ==
	    (CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
	     CL_DEVICE_SVM_ATOMICS))
		assert_string_equal(missing, "fine-grained system SVM");
}

/* The parts of a device that can be divided are as good. */
static void two_devices_are_there_or_missing(void **state)
{
	bool there = oclmm_device_has_several(*state, 2) &&
	             (oclmm_device_info(*state)->svm_capabilities & CL_DEVICE_SVM_ATOMICS);
	char missing[64];
	enum oclmm_support support =
		support_of(*state,
	                   "OPENCL two\n{ svm [x] = 0; }\nP0@wg 0, dev 0 (global atomic_int *x) {\n"
	                   "  atomic_store_explicit(x, 1, memory_order_relaxed, "
	                   "memory_scope_all_svm_devices);\n"
	                   "}\nP1@wg 0, dev 1 (global atomic_int *x) {\n"
	                   "  int r0 = atomic_load_explicit(x, memory_order_relaxed, "
	                   "memory_scope_all_svm_devices);\n"
	                   "}\nexists (1:r0=1)\n",
	                   missing, sizeof(missing));

	assert_int_equal(support == OCLMM_SUPPORT_UNSUPPORTED, !there);
	if (!oclmm_device_has_several(*state, 2))
		assert_string_equal(missing, "2 devices");
}

/* More than it has units is more than any device can be divided into. */
static void no_part_without_a_unit(void **state)
{
	struct oclmm_device *several, *again;
	struct oclmm_error error;

	assert_true(oclmm_device_has_several(*state, 1));
	assert_int_equal(oclmm_device_several(*state, 1, &error, &several), 0);
	assert_ptr_equal(several, *state);
	if (oclmm_device_info(*state)->compute_units < 4)
		assert_false(oclmm_device_has_several(*state, 4));
	if (!oclmm_device_has_several(*state, 2))
		skip();
	assert_int_equal(oclmm_device_several(*state, 2, &error, &several), 0);
	assert_int_equal(oclmm_device_several(*state, 2, &error, &again), 0);
	assert_ptr_equal(several, again);
	assert_ptr_not_equal(oclmm_device_queue_of(several, 0), oclmm_device_queue_of(several, 1));
	assert_int_equal(oclmm_device_info(several)->compute_units,
	                 oclmm_device_info(*state)->compute_units / 2);
}

/* A claim of a 3.x device is taken at its word; the compiler is asked about the rest. */
static void claims_decide(void **state)
{
	struct oclmm_device *device = *state;
	unsigned claimed = oclmm_device_info(device)->orders_claimed;
	char missing[64];
	enum oclmm_support support = support_of(
		device,
		"OPENCL sc\n{ [x] = 0; }\nP0@wg 0, dev 0 (global atomic_int *x) {\n"
		"  atomic_store_explicit(x, 1, memory_order_seq_cst, memory_scope_work_group);\n"
		"}\nexists (x=1)\n",
		missing, sizeof(missing));

	if (claimed & (1u << OCLMM_ORDER_SEQ_CST)) {
		assert_int_equal(support, OCLMM_SUPPORT_CLAIMED);
	} else {
		assert_int_not_equal(support, OCLMM_SUPPORT_CLAIMED);
		assert_string_equal(missing, "memory_order_seq_cst");
	}
}

/* A value of size_t is one of 64 bits to the oracle. */
static void size_t_needs_wide_addresses(void **state)
{
	struct oclmm_device_info *info = (struct oclmm_device_info *)(uintptr_t)oclmm_device_info(
		*state);
	cl_uint bits = info->address_bits;
	const char *text = "OPENCL size\n{ [x] = 0; }\nP0@wg 0, dev 0 (global int *x) {\n"
			   "  size_t n = 1;\n}\nexists (0:n=1)\n";
	char missing[64];

	info->address_bits = 32;
	assert_int_equal(support_of(*state, text, missing, sizeof(missing)),
	                 OCLMM_SUPPORT_UNSUPPORTED);
	assert_string_equal(missing, "addresses of 64 bits, for size_t");
	info->address_bits = 64;
	assert_int_equal(support_of(*state, text, missing, sizeof(missing)), OCLMM_SUPPORT_CLAIMED);
	info->address_bits = bits;
	assert_true(bits == 32 || bits == 64);
}

/* Where the header lacks the name of a scope that the device claims, programs that use it still
 * build. */
static void the_widest_scope_builds(void **state)
{
	struct oclmm_device *device = *state;
	struct fixture_test test = fixture_read(
		"OPENCL all\n{ [x] = 0; }\nP0@wg 0, dev 0 (global atomic_int *x) {\n"
		"  atomic_store_explicit(x, 1, memory_order_relaxed, "
		"memory_scope_all_svm_devices);\n"
		"}\nexists (x=1)\n");
	struct oclmm_run_result result;

	if (!(oclmm_device_info(device)->scopes_claimed & (1u << OCLMM_SCOPE_ALL_SVM_DEVICES))) {
		fixture_finish(&test);
		skip();
	}
	result = fixture_run(device, &test, 1000, 1);
	fixture_assert_legal(&test, &result);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

int main(void)
{
	struct oclmm_device *device = fixture_open();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(relaxed_work_group_is_claimed, device),
		cmocka_unit_test_prestate(what_host_threads_need, device),
		cmocka_unit_test_prestate(system_memory_is_there_or_missing, device),
		cmocka_unit_test_prestate(two_devices_are_there_or_missing, device),
		cmocka_unit_test_prestate(no_part_without_a_unit, device),
		cmocka_unit_test_prestate(claims_decide, device),
		cmocka_unit_test_prestate(size_t_needs_wide_addresses, device),
		cmocka_unit_test_prestate(the_widest_scope_builds, device),
	};
	int failed;

	if (!device)
		return 77;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(device);
	return failed;
}
