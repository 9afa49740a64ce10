// SPDX-License-Identifier: Apache-2.0
/*
 * The bugs that can be planted into a driver, each in one line: what becomes of
 * the programs that pass through, the rule of the specification that is then
 * broken, and what must be so for it to show.
 *
 * May see: base.
 */
#ifndef OCLMM_RUNNER_SABOTEUR_SABOTEUR_H
#define OCLMM_RUNNER_SABOTEUR_SABOTEUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(enumerator, name, what is planted, the rule broken, where it can show) */
#define SABOTEUR_PLANTS(X)                                                                         \
	X(NONE, "none", "nothing: programs pass unchanged", "none", "nowhere")                     \
	X(SC_ACQ_REL, "sc-to-acq-rel", "seq_cst operations are acquire, release or both",          \
	  "A:3.3.9.1 the total order of seq_cst operations", "a store before a load: x86, GPUs")   \
	X(ACQUIRE_RELAXED, "acquire-to-relaxed",                                                   \
	  "operations do not acquire, seq_cst ones excepted", "A:3.3.9.1 synchronizes-with",       \
	  "loads reordered by compiler or machine: ARM, POWER, GPUs")                              \
	X(RELEASE_RELAXED, "release-to-relaxed",                                                   \
	  "operations do not release, seq_cst ones excepted", "A:3.3.9.1 synchronizes-with",       \
	  "stores reordered by compiler or machine: ARM, POWER, GPUs")                             \
	X(RMW_RELAXED, "rmw-to-relaxed", "read-modify-writes neither acquire nor release",         \
	  "A:3.3.9.1 synchronizes-with", "machines whose atomic updates order nothing: ARM, GPUs") \
	X(ALL_RELAXED, "all-relaxed", "every operation and fence is relaxed",                      \
	  "A:3.3.9.1 all of it", "everywhere: store buffering at least")                           \
	X(CAS_FAIL_RELAXED, "cas-fail-relaxed", "a failed compare-exchange does not acquire",      \
	  "C:6.15.12.7.4 the failure order", "machines whose atomic updates order nothing")        \
	X(SCOPE_NARROWED, "scope-narrowed", "scopes beyond the work-group end at the work-group",  \
	  "A:3.3.8 inclusive scopes", "caches of their own per compute unit: GPUs")                \
	X(FENCE_REMOVED, "fence-removed", "atomic_work_item_fence does nothing",                   \
	  "A:3.3.9.2 fences", "everywhere: store buffering at least")                              \
	X(FENCE_WEAKENED, "fence-weakened", "seq_cst fences are acq_rel, the others relaxed",      \
	  "A:3.3.9.2 fences", "everywhere: store buffering at least")                              \
	X(FENCE_NARROWED, "fence-narrowed",                                                        \
	  "a fence for local and global memory is for one (:local, the default, or :global)",      \
	  "C:6.15.12.5 the flags of a fence", "compilers that heed the flags")                     \
	X(MEM_FENCE_EMPTY, "mem-fence-empty", "mem_fence and its kin do nothing",                  \
	  "C:6.15.9 explicit memory fences", "accesses reordered by compiler or machine")          \
	X(BARRIER_NO_FENCE, "barrier-no-fence", "barriers meet, but order no memory",              \
	  "C:6.15.8 the fences of a barrier", "barriers that are not fences by themselves")        \
	X(BARRIER_SWAPPED, "barrier-swapped",                                                      \
	  "barriers for local memory are for global, and back", "C:6.15.8 the flags of a barrier", \
	  "compilers that heed the flags")                                                         \
	X(RMW_SPLIT, "rmw-split", "a fetch-and-modify or exchange is a load and a store",          \
	  "C:6.15.12.7.5 indivisible updates", "everywhere")                                       \
	X(CAS_SPLIT, "cas-split", "a compare-exchange loads, compares and stores in turn",         \
	  "C:6.15.12.7.4 indivisible updates", "everywhere")                                       \
	X(LEGACY_SPLIT, "legacy-split",                                                            \
	  "updates of OpenCL 1.x whose result is used load and store (:all: the others too)",      \
	  "C:6.15.12.8 indivisible updates", "everywhere")                                         \
	X(EXCHANGE_STORE, "exchange-to-store", "an exchange whose result is unused is a store",    \
	  "A:3.3.9.1 release sequences; an update that acquires", "release sequences; ARM, GPUs")  \
	X(UPDATE_LOST, "update-lost", "one update in N (:N, 1000) writes nothing",                 \
	  "C:6.15.12.7 an update takes place", "everywhere")                                       \
	X(LOCAL_PLAIN, "local-plain", "atomic operations on local memory are plain accesses",      \
	  "C:6.15.12.7 indivisible updates", "work-items of a group that truly run at once: GPUs") \
	X(LOADS_REVERSED, "loads-reversed", "two loads of one location in a row are swapped",      \
	  "A:3.3.9 coherence of reads", "everywhere")                                              \
	X(LOAD_REUSED, "load-reused", "a later load of a location gives what the first one gave",  \
	  "A:3.3.9 coherence, synchronizes-with", "everywhere")                                    \
	X(STORES_SWAPPED, "stores-swapped", "two stores to different locations are swapped",       \
	  "A:3.3.9.1 a release follows what is before it", "everywhere")                           \
	X(LOADS_SWAPPED, "loads-swapped", "two loads of different locations are swapped",          \
	  "A:3.3.9.1 an acquire precedes what is behind it", "everywhere")                         \
	X(LOAD_EARLY, "load-early", "a load moves over the store before it",                       \
	  "A:3.3.9.1 the total order of seq_cst operations", "everywhere")                         \
	X(STORE_EARLY, "store-early", "a store moves over the load before it",                     \
	  "A:3.3.9.1 a release follows, an acquire precedes", "everywhere")                        \
	X(TORN, "torn", "64-bit loads and stores are made of 32-bit halves",                       \
	  "C:6.15.12.6 an atomic object has one value", "everywhere")                              \
	X(MULTI_GROUP, "multi-group", "all-relaxed, in launches of several work-groups only",      \
	  "A:3.3.9.1 all of it", "tests that span work-groups")                                    \
	X(FIRST_LAUNCHES, "first-launches",                                                        \
	  "all-relaxed, in the first N (:N, 3) launches of a kernel", "A:3.3.9.1 all of it",       \
	  "tests that need no warming up")

enum saboteur_bug {
#define SABOTEUR_X(name, ...) SABOTEUR_##name,
	SABOTEUR_PLANTS(SABOTEUR_X)
#undef SABOTEUR_X
		SABOTEUR_COUNT
};

struct saboteur_description {
	const char *name;
	const char *what;
	const char *rule;
	const char *where;
};
extern const struct saboteur_description saboteur_descriptions[SABOTEUR_COUNT];

/* One bug to plant, as chosen by `NAME` or `NAME:PARAMETER`. */
struct saboteur_plant {
	enum saboteur_bug bug;
	uint64_t number;  /* N of update-lost and first-launches */
	bool keep_global; /* fence-narrowed:global */
	bool all;         /* legacy-split:all */
};

enum { SABOTEUR_MESSAGE = 256 };

/* Reads a choice. On failure `message` says what is wrong, without a full stop. */
bool saboteur_parse(const char *choice, struct saboteur_plant *ret_plant,
                    char message[SABOTEUR_MESSAGE]);
/* The bug acts in some launches only, in which a program of its own runs. */
bool saboteur_by_launch(enum saboteur_bug bug);

#endif
