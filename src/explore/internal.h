// SPDX-License-Identifier: Apache-2.0
/* What the search keeps of a state, and of what it has learnt. */
#ifndef OCLMM_EXPLORE_INTERNAL_H
#define OCLMM_EXPLORE_INTERNAL_H

#include "oclmm/explore.h"

/* Global and local memory. */
enum { REGIONS = 2, FLAGS_BOTH = OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL };

/* ---- keys: 128 bits, so that two states never share one ------------------ */

struct hash {
	uint64_t a, b;
};

static inline uint64_t oclmm_hash_mix(uint64_t v)
{
	v ^= v >> 32;
	v *= UINT64_C(0xd6e8feb86659fd93);
	v ^= v >> 32;
	v *= UINT64_C(0xd6e8feb86659fd93);
	return v ^ v >> 32;
}

static inline void oclmm_hash_word(struct hash *h, uint64_t word)
{
	h->a = oclmm_hash_mix(h->a ^ word) + UINT64_C(0x9e3779b97f4a7c15);
	h->b = oclmm_hash_mix(h->b + word * UINT64_C(0xff51afd7ed558ccd)) ^
	       UINT64_C(0xc4ceb9fe1a85ec53);
}

static inline struct hash oclmm_hash_start(uint64_t word)
{
	struct hash h = {UINT64_C(0x2545f4914f6cdd1d), UINT64_C(0x632be59bd9b4e019)};

	oclmm_hash_word(&h, word);
	return h;
}

/* Whatever the order in which they come. */
static inline void oclmm_hash_sum(struct hash *h, struct hash other)
{
	h->a += other.a;
	h->b += other.b;
}

static inline struct hash oclmm_hash_bytes(const uint8_t *bytes, size_t size, uint64_t start)
{
	struct hash h = oclmm_hash_start(start);
	uint64_t word;

	for (; size >= sizeof(word); bytes += sizeof(word), size -= sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		oclmm_hash_word(&h, word);
	}
	word = 0;
	memcpy(&word, bytes, size);
	oclmm_hash_word(&h, word);
	return h;
}

/* ---- a state --------------------------------------------------------------- */

/*
 * A view is numbers: for each region and agent (the threads, and those that make asynchronous
 * copies) the last action that happens before, then for each
 * object with atomic accesses the write that no later read may fall behind.
 */

/* Beside a scope: it is that of a function of OpenCL 1.x, and counts as the device's towards other
 * work-groups. */
enum { SCOPE_LEGACY = 0x80 };

/* A release side. */
struct head {
	const uint32_t *view;
	uint16_t thread;
	uint8_t scope;
	uint8_t flags;  /* regions: of the object, or those that a fence names */
	uint8_t object; /* region of the object that was read */
	bool fence;
};

/* More release sides than these a sequence, and a thread's fences, are not told apart. */
enum { MOST_HEADS = 16, MOST_FENCES = 6 };

/* A write in modification order. */
struct message {
	uint64_t value;
	const struct head *heads;
	const struct oclmm_done *done;
	uint32_t id;
	uint16_t thread;
	uint8_t head_count;
	bool rmw;      /* it stands immediately behind the write that it read */
	bool taken;    /* the one behind it is such a write */
	bool credited; /* somebody read it as a part of a release sequence */
	bool sc;       /* a seq_cst operation wrote it */
};

/* An access that others may race with. */
struct record {
	uint16_t thread;
	uint8_t scope;
	bool writes, atomic;
	uint32_t action, where;
};

struct cell_state {
	uint64_t value; /* where no access is atomic */
	const struct oclmm_done *done;
	struct message *mo; /* else; the first is the initial value */
	unsigned count;
	struct record *records;
	unsigned record_count;
};

/* At a split barrier: an arrival, and once its thread has waited there, the wait. */
struct arrival {
	const uint32_t *view;
	uint64_t loaded; /* objects that it had read atomically by then */
	struct half {
		uint64_t turn;
		uint32_t where;
		uint8_t flags, scope;
	} arrived, waited;
};

struct thread_state {
	uint8_t *bytes;
	size_t size;
	struct hash hash; /* of what is needed */
	bool is_hashed;
	struct oclmm_explored_step step;
	uint32_t *view;
	uint32_t actions;
	struct head *fences; /* release fences that it has passed */
	struct head *reads;  /* release sides of what it read, for acquire fences to come */
	uint32_t *wrote;     /* its last write to each object with atomic accesses */
	uint64_t loaded;     /* objects that it has read atomically, by number */
	uint64_t passed;     /* those that others read before a barrier that orders them not */
	unsigned fence_count, read_count;
	uint32_t terms, doublings; /* sums that are not needed, by their operands */
	/* at split barriers; of the last two arrivals somebody may still wait for either */
	uint32_t arrived, waited;
	const struct arrival *arrivals; /* by the last bit of their number, or NULL */
};

/* Who makes the copies of a group, one at a time. */
struct copier {
	uint32_t made;  /* copies */
	uint64_t event; /* a bit: that of the last one, which others may have too */
};

struct state {
	const struct oclmm_done *last;
	uint32_t *fenced;      /* BY_TURN: writes in front of seq_cst fences, by object */
	struct copier *copies; /* of each agent that makes copies */
	struct thread_state **threads;
	struct cell_state **cells;
};

/* What was done, with what the search for S needs. */
struct done {
	struct oclmm_done is;
	uint32_t action;
	uint8_t flags; /* of a fence */
	const uint32_t *view;
};

/* ---- the search --------------------------------------------------------------- */

/* What is known of an object. */
enum {
	FACT_ATOMIC = 1,
	FACT_PLAIN = 2,
	FACT_SHARED = 4,  /* two threads access it */
	FACT_LOAD = 8,    /* there are atomic reads that write nothing */
	FACT_STORE = 16,  /* and writes that read nothing */
	FACT_NARROW = 32, /* two atomic accesses lack inclusive scopes */
	FACT_READ = 64, /* there are plain reads: else what is written plainly matters to nobody */
	/* that say whether it is a counter, and, when all is explored, whether reads might be early
	 */
	FACT_WRITTEN = 128, /* there are plain writes */
	FACT_VALUED = 256,  /* some atomic access is no update that may change places with others */
	FACT_ORDERED = 512, /* some is not relaxed */
	FACT_HEARD = 1024,  /* some read a release side that its thread did not know */
	FACT_SENT = 2048,   /* some brought a release side that another thread did not know */
	FACT_COUNTED = 4096, /* it was taken for a counter, whose updates are made in one order */
};

/* Of which orders there are atomic accesses. */
enum {
	ORDERS_WEAK = 1,
	ORDERS_SC_GLOBAL = 2,
	ORDERS_SC_LOCAL = 4,
	ORDERS_SC_FENCE = 8,
	/* there are barriers that order no global memory, no local memory */
	ORDERS_LAX_GLOBAL = 16,
	ORDERS_LAX_LOCAL = 32,
};

/* A record that somebody may still race with. */
struct live_record {
	struct hash key;
	uint32_t action;
	uint16_t thread;
	uint8_t region;
};

/*
 * What is made of S where some operations are seq_cst and some are not: the order in which states
 * are made, so that all that is found can be; nothing, so that all that can be is found; or S is
 * looked for, and a state has its whole execution in its key. The last is asked only where the
 * first two differ.
 */
enum total_mode { BY_TURN, LEFT_OUT, LOOKED_FOR };

struct visited {
	struct hash key;
	uint32_t number; /* from 1, as they were entered */
	bool open;       /* what it leads to is not known yet */
	bool ends;       /* some execution ends */
};

/* A value that was written plainly, and is not needed as long as nobody looks there. */
struct ignored {
	struct ignored *next;
	struct oclmm_slice *slice;
	uint32_t value;
};

struct oclmm_explorer {
	const struct oclmm_explored_source *source;
	struct oclmm_explore_options options;
	unsigned threads, observed;
	/* who makes accesses: the threads, and for each group so many copies at a time */
	unsigned agents, copies_at_once, groups;
	struct oclmm_explored *found;
	const struct oclmm_done *failed;
	/* learnt */
	uint16_t *facts;
	uint8_t *families; /* of the last update */
	uint32_t *toucher; /* 1 + the first thread that accessed it */
	unsigned orders;
	enum total_mode mode;
	uint32_t *atomics; /* objects with atomic accesses */
	size_t next_atomic, atomic_capacity;
	unsigned atomic_count;
	uint32_t *number_of;
	bool stale; /* something was learnt */
	/* by two objects, whether some thread reads the first before it writes the second: 1 + the
	 * thread, or MANY; and objects with accesses that do not synchronize */
	uint16_t follows[64][64];
	uint64_t loose;
	uint64_t behind;   /* objects that are written behind a barrier, and read in front of it */
	uint64_t counters; /* once all is explored: those that may be read early and change nothing
	                    */
	/* memory */
	struct block *block, *spare;
	size_t memory, state_size;
	/* the thread that is being run */
	struct state *at;
	unsigned running;
	/* who has met, and the copy that they make */
	const unsigned *members;
	unsigned member_count, copier;
	uint32_t *copy_view;
	bool exchange_failed; /* that was made last */
	bool stopped;
	struct oclmm_thread_bytes working, blanked;
	/* values that are not needed: the greatest, the most sums of a thread that must fit into so
	 * many bytes, and whether one might not */
	uint64_t greatest;
	struct {
		uint32_t terms, doublings;
		bool any;
	} sums[9];
	bool whole;               /* all values count as needed */
	struct ignored **ignored; /* by cell */
	uint32_t ids;
	/* keys */
	struct live_record *live;
	size_t live_count, live_capacity;
	unsigned *oldest;
	/* states */
	struct visited *visited;
	size_t visited_capacity;
	struct oclmm_index index; /* of them, by their keys */
	struct frame *frames;
	size_t depth, frame_capacity;
	uint32_t *open; /* numbers of those that are */
	size_t open_count, open_capacity;
	struct oclmm_explored_state *states;
	size_t state_capacity;
	/* limits */
	double start;
	unsigned ticks;
	bool late, full;
};

#endif
