// SPDX-License-Identifier: Apache-2.0
/* Measures devices. Nothing here is judged by its time. */
#ifndef OCLMM_TESTS_STRESS_BENCHMARK_H
#define OCLMM_TESTS_STRESS_BENCHMARK_H

#include "oclmm/model.h"
#include "oclmm/syntax.h"
#include "stress/environment.h"
#include "stress/stress.h"

enum { REPETITIONS = 5 };

/* A quantity measured several times. `count` 0: never. */
struct range {
	double median, min, max;
	unsigned count;
};
/* Sorts the values. */
struct range range_of(double *values, unsigned count);

/* ---- what the device can do (benchmark_limits.c) ----------------------- */

/* X(enumerator, kernel, what one of it is) */
#define TRAFFICS(X)                                                                                \
	X(COPY, "copy", "bytes read and written by a copy")                                        \
	X(LOAD, "load", "relaxed loads of distinct words")                                         \
	X(STORE, "store", "relaxed stores to distinct words")                                      \
	X(ADD, "add", "relaxed additions to distinct words")

enum traffic {
#define X(name, ...) TRAFFIC_##name,
	TRAFFICS(X)
#undef X
		TRAFFIC_COUNT
};

/* A buffer as large as what a launch touches, and one that no cache holds. */
enum footprint { FOOTPRINT_LAUNCH, FOOTPRINT_MEMORY, FOOTPRINT_COUNT };

struct limits {
	uint64_t bytes[FOOTPRINT_COUNT];
	struct range rate[TRAFFIC_COUNT]
			 [FOOTPRINT_COUNT]; /* per second; not measured where refused */
	struct range launch_one;  /* seconds per empty launch of one work-item, queued one behind
	                             another */
	struct range launch_wide; /* the same for as many work-items as a test has */
	struct range round_trip;  /* one empty launch and the wait for it */
	char refused[512];        /* what the compiler said to the atomics, else empty */
};
/* `shape` is the launch whose footprint and width are taken. */
int limits_measure(struct oclmm_device *device, double seconds,
                   const struct oclmm_environment *shape, struct oclmm_error *error,
                   struct limits *ret_limits);

/* ---- kernels written by hand (benchmark_hand.c) ------------------------- */

struct by_hand {
	const char *test;
	uint32_t launch;              /* instances of one */
	struct range instances, weak; /* per second */
};
enum { HAND_COUNT = 4 };
/* `launch` says how many groups, work-items and rounds there are at most. */
int hand_measure(struct oclmm_device *device, double seconds,
                 const struct oclmm_environment *launch, struct oclmm_error *error,
                 struct by_hand ret_figures[HAND_COUNT]);

/* ---- the tests (benchmark_shape.c, benchmark_random.c) ------------------ */

struct shape {
	const char *file;    /* below the folder of tests, without the ending */
	const char *variant; /* what the variant's name has behind the file's, or "" */
	bool random;         /* try it in random environments too */
};

/* What one instance costs at least, in the two kernels together. */
struct cost {
	unsigned loads, stores, updates; /* by the test, in global memory */
	unsigned bytes; /* moved beside them: results, initial values, final values */
};

struct figures {
	struct range instances, weak; /* per second */
	uint64_t total, total_weak;
};

struct randomly {
	unsigned tried, showing;
	double best;                          /* weak outcomes per second */
	struct oclmm_environment environment; /* of the best one */
};

struct measured {
	const struct shape *shape;
	char name[128];
	bool done;
	bool refused;      /* not done, because the device or its compiler does not take it */
	char message[600]; /* why it is not done */
	struct cost cost;
	uint32_t environment_count;
	struct oclmm_environment environments[OCLMM_ENVIRONMENTS_MAX];
	struct figures turn;                         /* all in turn */
	struct figures each[OCLMM_ENVIRONMENTS_MAX]; /* each by itself, once */
	uint32_t best;
	struct figures single;            /* the best by itself */
	struct range to_three, to_twelve; /* seconds, in the best one */
	struct randomly randomly;
	uint64_t forbidden;
	double compile_first; /* of the first run in this process */
	struct range compile_again;
};

struct bench {
	struct oclmm_device *device;
	const char *folder;
	double seconds;
	uint64_t seed;
	unsigned random;
};

/* A shape while it is measured. */
struct subject {
	const struct bench *bench;
	struct measured *measured;
	struct oclmm_litmus *litmus;
	const struct oclmm_program *program;
	struct oclmm_answer *answer;
	struct oclmm_kernel_plan plan;
	uint64_t seed, runs;
	double compile[256];
	unsigned compiles;
};

/* One run and what is asked of it. */
struct run_figures {
	uint64_t instances, weak;
	double seconds;
};
/* \return 0, or negative with the reason in measured->message. `environment` NULL: all in turn. */
int subject_run(struct subject *subject, const struct oclmm_environment *environment,
                uint64_t instances, double seconds, struct run_figures *ret_figures);

void shape_measure(const struct bench *bench, const struct shape *shape,
                   struct measured *ret_measured);
int shape_measure_randomly(struct subject *subject);

/* ---- what comes out (benchmark_print.c, benchmark_json.c) --------------- */

struct report {
	const struct oclmm_device_info *device;
	const struct bench *bench;
	const struct limits *limits;
	const struct by_hand *by_hand; /* HAND_COUNT; `test` NULL: not measured */
	const struct measured *measured;
	unsigned count;
};
/* Instances per second that the footprint's rates allow; 0 where they are not known. */
double limit_of(const struct limits *limits, const struct cost *cost, enum footprint footprint);
/* Markdown, for docs/performance.md as it is. */
void report_print(const struct report *report);
int report_write_json(const struct report *report, const char *path);

#endif
