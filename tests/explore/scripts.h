// SPDX-License-Identifier: Apache-2.0
/* Threads for the explorer that are lists of steps. */
#ifndef OCLMM_TESTS_EXPLORE_SCRIPTS_H
#define OCLMM_TESTS_EXPLORE_SCRIPTS_H

#include <oclmm/explore.h>

struct line {
	enum {
		LINE_STEP,
		LINE_LOAD,
		LINE_STORE,
		LINE_KEEP,
		LINE_FENCE,
		LINE_UNLESS,
		LINE_ARRIVE
	} kind;
	struct oclmm_explored_step step;
};

struct script {
	const struct line *lines;
	uint32_t count;
};

struct scripts {
	const struct script *threads;
	const struct oclmm_explored_thread *places;
	unsigned count;
	const struct oclmm_cell *cells;
	uint32_t cell_count;
	struct oclmm_slice *slices; /* by thread, of value 0: what it read last; or NULL */
	unsigned *runs;             /* how often a thread was run to its next step; or NULL */
};

int scripts_explore(const struct scripts *scripts, const struct oclmm_explore_options *options,
                    struct oclmm_explored **ret_found);

/* Lines, of global objects of four bytes. KEEP stores plainly what was read last. */
#define LOAD(c, o)                                                                                 \
	{                                                                                          \
		LINE_STEP,                                                                         \
		{                                                                                  \
			.kind = OCLMM_EXPLORED_READ, .cell = (c), .order = (o),                    \
			.scope = OCLMM_SCOPE_DEVICE                                                \
		}                                                                                  \
	}
#define STORE(c, o, v)                                                                             \
	{                                                                                          \
		LINE_STEP,                                                                         \
		{                                                                                  \
			.kind = OCLMM_EXPLORED_WRITE, .cell = (c), .order = (o),                   \
			.scope = OCLMM_SCOPE_DEVICE, .operand = (v)                                \
		}                                                                                  \
	}
#define ADD(c, o, v)                                                                               \
	{                                                                                          \
		LINE_STEP,                                                                         \
		{                                                                                  \
			.kind = OCLMM_EXPLORED_UPDATE, .cell = (c), .order = (o),                  \
			.scope = OCLMM_SCOPE_DEVICE, .op = OCLMM_OP_FETCH_ADD, .operand = (v)      \
		}                                                                                  \
	}
#define READ(c)                                                                                    \
	{                                                                                          \
		LINE_LOAD,                                                                         \
		{                                                                                  \
			.cell = (c)                                                                \
		}                                                                                  \
	}
#define WRITE(c, v)                                                                                \
	{                                                                                          \
		LINE_STORE,                                                                        \
		{                                                                                  \
			.cell = (c), .operand = (v)                                                \
		}                                                                                  \
	}
#define KEEP(c)                                                                                    \
	{                                                                                          \
		LINE_KEEP,                                                                         \
		{                                                                                  \
			.cell = (c)                                                                \
		}                                                                                  \
	}
#define UNLESS(v)                                                                                  \
	{                                                                                          \
		LINE_UNLESS,                                                                       \
		{                                                                                  \
			.operand = (v)                                                             \
		}                                                                                  \
	}
#define FENCE(o)                                                                                   \
	{                                                                                          \
		LINE_FENCE,                                                                        \
		{                                                                                  \
			.order = (o), .scope = OCLMM_SCOPE_DEVICE, .flags = OCLMM_FLAG_GLOBAL      \
		}                                                                                  \
	}
/* Halves of a split barrier of one group. */
#define ARRIVE                                                                                     \
	{                                                                                          \
		LINE_ARRIVE,                                                                       \
		{                                                                                  \
			.scope = OCLMM_SCOPE_WORK_GROUP, .flags = OCLMM_FLAG_GLOBAL                \
		}                                                                                  \
	}
#define WAIT                                                                                       \
	{                                                                                          \
		LINE_STEP,                                                                         \
		{                                                                                  \
			.kind = OCLMM_EXPLORED_BARRIER, .waits = true,                             \
			.scope = OCLMM_SCOPE_WORK_GROUP, .flags = OCLMM_FLAG_GLOBAL                \
		}                                                                                  \
	}
#define SUM(v)                                                                                     \
	{                                                                                          \
		LINE_STEP,                                                                         \
		{                                                                                  \
			.kind = OCLMM_EXPLORED_BARRIER, .collective = true, .operand = (v),        \
			.scope = OCLMM_SCOPE_WORK_GROUP                                            \
		}                                                                                  \
	}

/* What those who meet do beside. A wait is for all copies. */
enum { MEET_COPY = 1, MEET_WAIT, MEET_REFUSED };
#define MEET(what, from, to)                                                                       \
	{                                                                                          \
		LINE_STEP,                                                                         \
		{                                                                                  \
			.kind = OCLMM_EXPLORED_BARRIER, .collective = true, .cell = (from),        \
			.more = {what, to}, .scope = OCLMM_SCOPE_WORK_GROUP                        \
		}                                                                                  \
	}

#define RLX OCLMM_ORDER_RELAXED
#define ACQ OCLMM_ORDER_ACQUIRE
#define REL OCLMM_ORDER_RELEASE
#define SC  OCLMM_ORDER_SEQ_CST

#endif
