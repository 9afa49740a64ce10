// SPDX-License-Identifier: Apache-2.0
/* Tests whose roles are not all on one device: threads of the host beside kernels, kernels of
 * two devices. */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "device/device.h"
#include "oclmm/histogram.h"

#define ALL ", memory_scope_all_svm_devices"
#define SB(order, first, second)                                                                   \
	"OPENCL SB\n{ svm [x] = 0; svm [y] = 0; }\n"                                               \
	"P0@" first " (global atomic_int *x, global atomic_int *y) {\n"                            \
	"  atomic_store_explicit(x, 1, " order ALL ");\n"                                          \
	"  int r0 = atomic_load_explicit(y, " order ALL ");\n}\n"                                  \
	"P1@" second " (global atomic_int *x, global atomic_int *y) {\n"                           \
	"  atomic_store_explicit(y, 1, " order ALL ");\n"                                          \
	"  int r0 = atomic_load_explicit(x, " order ALL ");\n}\n"                                  \
	"exists (0:r0=0 /\\ 1:r0=0)\n"

static struct fixture_test read_test(struct oclmm_device *device, const char *text)
{
	struct fixture_test test = fixture_read(text);

	fixture_require(device, &test);
	return test;
}

static void assert_shown(struct oclmm_device *device, const char *text, const int64_t *values)
{
	struct fixture_test test = read_test(device, text);

	fixture_assert_shown(device, &test, values, 300000);
	fixture_finish(&test);
}

static void assert_legal(struct oclmm_device *device, const char *text)
{
	struct fixture_test test = read_test(device, text);
	struct oclmm_run_result result = fixture_run(device, &test, 300000, 1);

	fixture_assert_legal(&test, &result);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

/* What every processor with a store buffer shows, between a kernel and a thread of the host. */
static void host_and_device_are_weak(void **state)
{
	assert_shown(*state, SB("memory_order_relaxed", "host", "wg 0, dev 0"),
	             (const int64_t[]){0, 0});
}

static void host_and_device_agree_on_one_order(void **state)
{
	assert_legal(*state, SB("memory_order_seq_cst", "wg 3, dev 0", "host"));
}

/* Store buffering of two devices, which begin and end when they like. */
static void two_devices_are_weak(void **state)
{
	assert_shown(*state, SB("memory_order_relaxed", "wg 0, dev 1", "wg 0, dev 0"),
	             (const int64_t[]){0, 0});
}

static void two_devices_agree_on_one_order(void **state)
{
	assert_legal(*state, SB("memory_order_seq_cst", "wg 0, dev 0", "wg 0, dev 1"));
}

/* Local objects, plain buffers and values that are wide, on the device that does not count. */
static void the_other_device_plays_anything(void **state)
{
	struct fixture_test test = read_test(
		*state,
		"OPENCL other\n{ svm [x] = 0; [d] = 4; long w = 0; [l] = 3; }\n"
		"P0@wg 0, dev 0 (global atomic_int *x) {\n"
		"  atomic_fetch_add_explicit(x, 1, memory_order_relaxed" ALL ");\n}\n"
		"P1@wg 0, dev 1 (global atomic_int *x, global int *d, local int *l, global long *w)"
		" {\n"
		"  *l = *l + *d; barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  *d = 7; *w = -4294967296l;\n"
		"  atomic_fetch_add_explicit(x, 2, memory_order_relaxed" ALL ");\n}\n"
		"P2@wg 0, dev 1 (local int *l) { barrier(CLK_LOCAL_MEM_FENCE); int r0 = *l; }\n"
		"exists (2:r0=7 /\\ d=7 /\\ x=3 /\\ w=-4294967296 /\\ l=7)\n");
	struct oclmm_run_result result = fixture_run(*state, &test, 50000, 5);

	assert_int_equal(oclmm_histogram_count(result.counts.histogram,
	                                       (const int64_t[]){7, 7, 3, -4294967296, 7}),
	                 result.counts.instances);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

/* A lost update: a load and a store of the host around an update of the device. */
static void host_and_device_run_at_once(void **state)
{
	assert_shown(*state,
	             "OPENCL lost\n{ svm [x] = 0; }\n"
	             "P0@host (global atomic_int *x) {\n"
	             "  int r0 = atomic_load_explicit(x, memory_order_relaxed" ALL ");\n"
	             "  atomic_store_explicit(x, r0 + 1, memory_order_relaxed" ALL ");\n}\n"
	             "P1@wg 0, dev 0 (global atomic_int *x) {\n"
	             "  atomic_fetch_add_explicit(x, 1, memory_order_relaxed" ALL ");\n}\n"
	             "exists (x=1)\n",
	             (const int64_t[]){1});
}

static void updates_add_up(void **state)
{
	struct fixture_test test = read_test(
		*state, "OPENCL sum\n{ svm [x] = 0; svm long y = 5; }\n"
			"P0@host (global atomic_int *x, global atomic_long *y) {\n"
			"  atomic_fetch_add(x, 1); atomic_fetch_max(y, -9223372036854775808l);\n}\n"
			"P1@wg 0, dev 0 (global atomic_int *x) {\n"
			"  atomic_fetch_add_explicit(x, 2, memory_order_relaxed" ALL ");\n}\n"
			"P2@wg 0, dev 0 (global atomic_int *x) {\n"
			"  atomic_fetch_add_explicit(x, 4, memory_order_relaxed" ALL ");\n}\n"
			"P3@host (global atomic_int *x, global atomic_long *y) {\n"
			"  atomic_fetch_sub(x, 8); atomic_fetch_sub(y, 4294967296l);\n}\n"
			"exists (x=-1 /\\ y=-4294967291)\n");
	struct oclmm_run_result result = fixture_run(*state, &test, 100000, 5);

	assert_int_equal(oclmm_histogram_count(result.counts.histogram,
	                                       (const int64_t[]){-1, -4294967291}),
	                 result.counts.instances);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

/* Values of all widths come through, and where a loop of the host is cut nothing else is counted.
 */
static void what_the_host_observes(void **state)
{
	struct fixture_test test = read_test(
		*state,
		"OPENCL seen\nunroll 3\n{ svm [x] = -7; svm ulong y = 18446744073709551615ul;"
		" svm uint z = 300u; }\n"
		"P0@host (global atomic_int *x, global atomic_ulong *y, global atomic_uint"
		" *z) {\n"
		"  int r0 = atomic_load(x); ulong r1 = atomic_load(y); uint r2 = 0u;\n"
		"  while (atomic_load(z) == 300u) { r2 = r2 + 1u; }\n}\n"
		"P1@wg 0, dev 0 (global atomic_uint *z) {\n"
		"  atomic_store_explicit(z, 301u, memory_order_relaxed" ALL ");\n}\n"
		"exists (0:r0=-7 /\\ 0:r1=18446744073709551615 /\\ 0:r2=0 /\\ z=301)\n");
	struct oclmm_run_result result = fixture_run(*state, &test, 100000, 7);
	uint64_t cut = oclmm_histogram_cut(result.counts.histogram), sum = cut;

	for (int64_t turns = 0; turns <= 3; turns++)
		sum += oclmm_histogram_count(result.counts.histogram,
		                             (const int64_t[]){-7, -1, turns, 301});
	assert_int_equal(sum, result.counts.instances);
	fixture_assert_legal(&test, &result);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

/* Which instances there are and where they lie is the seed's, whoever plays them. */
static void equal_seeds_give_equal_stimulus(void **state)
{
	struct fixture_test test = read_test(*state,
	                                     SB("memory_order_relaxed", "host", "wg 0, dev 0"));
	struct oclmm_run_result a = fixture_run(*state, &test, 100000, 42);
	struct oclmm_run_result b = fixture_run(*state, &test, 100000, 42);
	struct oclmm_run_result c = fixture_run(*state, &test, 100000, 43);

	assert_int_equal(a.counts.stimulus, b.counts.stimulus);
	assert_int_not_equal(a.counts.stimulus, c.counts.stimulus);
	oclmm_run_result_finish(&a);
	oclmm_run_result_finish(&b);
	oclmm_run_result_finish(&c);
	fixture_finish(&test);
}

int main(void)
{
	struct oclmm_device *device = fixture_open();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(host_and_device_are_weak, device),
		cmocka_unit_test_prestate(host_and_device_agree_on_one_order, device),
		cmocka_unit_test_prestate(host_and_device_run_at_once, device),
		cmocka_unit_test_prestate(two_devices_are_weak, device),
		cmocka_unit_test_prestate(two_devices_agree_on_one_order, device),
		cmocka_unit_test_prestate(the_other_device_plays_anything, device),
		cmocka_unit_test_prestate(updates_add_up, device),
		cmocka_unit_test_prestate(what_the_host_observes, device),
		cmocka_unit_test_prestate(equal_seeds_give_equal_stimulus, device),
	};
	int r;

	if (!device)
		return 77;
	r = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(device);
	return r;
}
