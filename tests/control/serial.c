// SPDX-License-Identifier: Apache-2.0
/* Which outcomes need no two work-items at the same time, worked out by hand. */

#include "../fixture/test.h"

#include <string.h>

#include "oclmm/control.h"
#include "oclmm/syntax.h"

#define HEAD       "OPENCL T\n{ [x] = 0; [y] = 0; }\n"
#define PARAMETERS "(global atomic_int *x, global atomic_int *y) {\n"
#define STORE(object, value)                                                                       \
	"  atomic_store_explicit(" object ", " value ", memory_order_relaxed, "                    \
	"memory_scope_device);\n"
#define LOAD(reg, object)                                                                          \
	"  int " reg " = atomic_load_explicit(" object ", memory_order_relaxed, "                  \
	"memory_scope_device);\n"
#define BARRIER "  work_group_barrier(CLK_GLOBAL_MEM_FENCE);\n"

/* Outcomes of two observables. */
static void check(const char *text, bool others, size_t count, const int64_t (*outcomes)[2])
{
	struct oclmm_litmus *litmus;
	struct oclmm_serial *serial;
	struct oclmm_error error;

	if (oclmm_litmus_parse("t", text, strlen(text), NULL, &error, &litmus) < 0)
		fail_msg("%u: %s", error.position.line, error.message);
	assert_int_equal(oclmm_serial_find(litmus->variants[0].program, &serial), 0);
	assert_int_equal(serial->width, 2);
	assert_int_equal(serial->count, count);
	for (size_t i = 0; i < count; i++)
		assert_true(oclmm_serial_has(serial, outcomes[i]));
	assert_int_equal(serial->other_count > 0, others);
	for (size_t i = 0; i < serial->other_count; i++)
		assert_false(oclmm_serial_has(serial, serial->others + i * serial->width));
	oclmm_serial_destroy(serial);
	oclmm_litmus_destroy(litmus);
}

/* Both see 1 only where each stores before the other loads; both see 0 not even then. */
TEST(store_buffering)
{
	check(HEAD "P0@wg 0 " PARAMETERS STORE("x", "1")
	              LOAD("r0", "y") "}\nP1@wg 1 " PARAMETERS STORE("y", "1")
	                      LOAD("r0", "x") "}\nexists (0:r0=0 /\\ 1:r0=0)\n",
	      true, 2, (const int64_t[][2]){{0, 1}, {1, 0}});
}

/* The flag is read before the writer has begun, and the data after. */
TEST(message_passing)
{
	check(HEAD "P0@wg 0 " PARAMETERS STORE("x", "1")
	              STORE("y", "1") "}\nP1@wg 1 " PARAMETERS LOAD("r0", "y")
	                      LOAD("r1", "x") "}\nexists (1:r0=1 /\\ 1:r1=0)\n",
	      true, 2, (const int64_t[][2]){{0, 0}, {1, 1}});
}

/* One update each: what happens at once is indivisible, so that nothing tells. */
TEST(two_updates)
{
#define ADD                                                                                        \
	"  int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, "                        \
	"memory_scope_device);\n}\n"
	check(HEAD "P0@wg 0 " PARAMETERS ADD "P1@wg 1 " PARAMETERS ADD
	           "exists (0:r0=0 /\\ 1:r0=0)\n",
	      false, 2, (const int64_t[][2]){{0, 1}, {1, 0}});
}

/* From barrier to barrier one plays after the other; within a phase they would have to meet. */
TEST(phases)
{
	check(HEAD "P0@wg 0 " PARAMETERS STORE("x", "1")
	              BARRIER LOAD("r0", "y") "}\nP1@wg 0 " PARAMETERS STORE("y", "1")
	                      BARRIER LOAD("r0", "x") "}\nexists (0:r0=0 /\\ 1:r0=0)\n",
	      false, 1, (const int64_t[][2]){{1, 1}});
	check(HEAD "P0@wg 0 " PARAMETERS BARRIER STORE("x", "1")
	              STORE("y", "1") "}\nP1@wg 0 " PARAMETERS BARRIER LOAD("r0", "y")
	                      LOAD("r1", "x") "}\nexists (1:r0=1 /\\ 1:r1=0)\n",
	      true, 2, (const int64_t[][2]){{0, 0}, {1, 1}});
}

/* Work-items wait for each other at a barrier that orders no memory, too. */
TEST(phases_of_barriers_without_flags)
{
#define WAIT "  work_group_barrier(0);\n"
	check(HEAD "P0@wg 0 " PARAMETERS LOAD("r0", "x")
	              WAIT LOAD("r1", "x") "}\nP1@wg 0 " PARAMETERS WAIT STORE(
			      "x", "1") "}\n"
	                                "exists (0:r0=1 /\\ 0:r1=0)\n",
	      false, 2, (const int64_t[][2]){{0, 0}, {0, 1}});
	check(HEAD "P0@wg 0 " PARAMETERS LOAD("r0", "x")
	              WAIT WAIT LOAD("r1", "x") "}\nP1@wg 0 " PARAMETERS WAIT STORE("x", "1") WAIT
	      "}\nexists (0:r0=1 /\\ 0:r1=0)\n",
	      false, 1, (const int64_t[][2]){{0, 1}});
}
