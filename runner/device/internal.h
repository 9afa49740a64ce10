// SPDX-License-Identifier: Apache-2.0
/* An opened device as the files of the room have it; others ask device.h. */
#ifndef OCLMM_RUNNER_DEVICE_INTERNAL_H
#define OCLMM_RUNNER_DEVICE_INTERNAL_H

#include "device.h"

enum {
	OCLMM_SHARED_PROGRAMS = 32,
	OCLMM_PROBES = 64,
	OCLMM_SPARE_BUFFERS = 128,
	OCLMM_DEVICES_MAX = 4,
	OCLMM_DIVISIONS = 64, /* parts that a device may fall into */
};

struct oclmm_device {
	struct oclmm_device_info info;
	cl_device_id id;
	cl_context context;
	cl_command_queue queue;
	cl_command_queue second_queue;  /* NULL until it is asked for */
	cl_command_queue reading_queue; /* the same */
	cl_command_queue on_device;     /* likewise: of enqueue_kernel */
	cl_device_id partner;           /* for tests of two devices; NULL: this one is divided */
	struct oclmm_device_info partner_info;
	/* by number of devices less 1, NULL until they are asked for */
	struct oclmm_device *several[OCLMM_DEVICES_MAX];
	/* only where this is several devices of one context: `id` and `queue` are the first's */
	uint32_t count;
	cl_device_id ids[OCLMM_DEVICES_MAX];
	cl_command_queue queues[OCLMM_DEVICES_MAX];
	bool divided;                  /* they are parts of one */
	bool together_tried, together; /* kernels of two of its queues run at once */
	char options[256];
	char il_options[160]; /* without what concerns the text alone */
	bool builds;          /* a language version with C11 atomics was found */
	bool all_scope_named; /* the next field is known */
	bool lacks_all_scope; /* the header has no memory_scope_all_svm_devices; `options` defines
	                         it */
	/* programs given out by oclmm_device_build_shared(), the oldest replaced first */
	struct {
		uint64_t hash;
		cl_program program;
	} shared[OCLMM_SHARED_PROGRAMS];
	unsigned shared_next;
	/* buffers.c: of runs that are over, the last one last */
	struct {
		cl_mem buffer;
		size_t size;
	} spare[OCLMM_SPARE_BUFFERS];
	unsigned spare_count;
	size_t spare_bytes;
	/* answers of probe builds, by hash of the probe's text */
	struct {
		uint64_t hash;
		bool accepted;
	} probes[OCLMM_PROBES];
	unsigned probe_count;
	/* programs.c */
	bool keeping_decided;
	bool keeps;       /* programs as binaries on the disk, of the driver that … */
	char *driver_key; /* … says which one it is; NULL until it is known */
	bool afresh;      /* takes none of them */
	uint64_t recalled;
	/* il.c */
	const struct producer *producer; /* NULL: it takes texts */
	struct {
		uint64_t hash; /* of its text; 0: none */
		struct oclmm_text module;
	} last; /* what was translated last */
	struct oclmm_il_found found;
};

/* info.c */
int oclmm_device_query(cl_platform_id platform, cl_device_id id, struct oclmm_error *error,
                       struct oclmm_device_info *ret_info);
/* info.c: what a query came to that a device has to know. */
int oclmm_device_answered(cl_device_info what, cl_int code, struct oclmm_error *error);
/* claims.c: fills the orders and scopes from capabilities (3.x), which are an error where they are
 * not said, or the version (2.x). */
int oclmm_device_claims(cl_device_id id, const char *extensions, struct oclmm_error *error,
                        struct oclmm_device_info *info);
/* open.c: a kernel that names memory_scope_all_svm_devices. */
extern const char oclmm_scope_probe[];
/* probe.c: a load, a store and an update of `x`, as far as they take the order. */
void oclmm_probe_atomics(struct oclmm_text *text, enum oclmm_order order, enum oclmm_scope scope);
/* open.c: adds a definition of memory_scope_all_svm_devices to the options. */
void oclmm_device_define_all_scope(struct oclmm_device *device);
/* open.c: sees to it that texts may name memory_scope_all_svm_devices. */
void oclmm_device_name_all_scope(struct oclmm_device *device);
/* buffers.c: gives all that is spare back to the driver. */
void oclmm_buffers_forget(struct oclmm_device *device);
/* build.c: whether the compiler takes a text; remembered. */
bool oclmm_device_accepts(struct oclmm_device *device, const char *source);

/* build.c: from the text, whatever is kept. */
int oclmm_device_compile(struct oclmm_device *device, const char *source, struct oclmm_error *error,
                         char **ret_log, cl_program *ret_program);
/* binary.c: what the driver gives as the binary of a program; nothing where it gives none. */
void oclmm_program_binary(cl_program program, struct oclmm_text *binary);
/* programs.c: a program that was kept. False where there is none that the driver takes. */
bool oclmm_programs_recall(struct oclmm_device *device, const char *source, char **ret_log,
                           cl_program *ret_program);
/* programs.c: keeps a program, where that pays. */
void oclmm_programs_keep(struct oclmm_device *device, const char *source, const char *log,
                         cl_program program);
/* programs.c: whether keeping them pays. Measured once for each build of a driver, whose key the
 * device has. */
bool oclmm_programs_pay(struct oclmm_device *device);
/* cache.c: whether a platform that shows no device can write what it keeps. \return 0, or -EIO with
 * what it cannot. */
int oclmm_cache_check(cl_platform_id platform, struct oclmm_error *error);
/* il.c: who makes the SPIR-V of devices that are opened now, or NULL. */
const struct producer *oclmm_il_producer(void);
/* il.c: a program of what is made of a text. */
int oclmm_il_create(struct oclmm_device *device, const char *source, struct oclmm_error *error,
                    cl_program *ret_program);
/* il.c: what clBuildProgram() is given. */
const char *oclmm_il_options(const struct oclmm_device *device);
void oclmm_il_forget(struct oclmm_device *device);
/* driver.c: adds all that tells one build of a driver from another. \return 0, or -ENOTSUP where
 * the system does not say enough. */
int oclmm_driver_key(const struct oclmm_device_info *info, struct oclmm_text *key);

#endif
