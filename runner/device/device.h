// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * OpenCL devices: find them, tell what they claim and what their compiler
 * accepts. Only runner/ sees this header.
 *
 * May see: codegen, cache, producer.
 */
#ifndef OCLMM_RUNNER_DEVICE_DEVICE_H
#define OCLMM_RUNNER_DEVICE_DEVICE_H

#include "device/opencl.h"
#include "oclmm/base.h"
#include "oclmm/codegen.h"
#include "oclmm/ir.h"

/** Types of shared virtual memory that are looked at, of those that a platform has. */
enum { OCLMM_SVM_TYPES_MOST = 32 };

/** What the host asks a device: A:4.2 queries, once, at opening. Plain data. */
struct oclmm_device_info {
	char platform[128];
	char name[128];
	char vendor[128];
	char driver[128];
	char version[128];     /**< CL_DEVICE_VERSION as given */
	char c_version[128];   /**< CL_DEVICE_OPENCL_C_VERSION as given */
	char il_version[256];  /**< CL_DEVICE_IL_VERSION as given; empty: none */
	unsigned major, minor; /**< of CL_DEVICE_VERSION */
	cl_device_type type;
	cl_uint compute_units;
	cl_uint address_bits;
	cl_uint processors; /**< of the host, that this process may use; 0: unknown */
	size_t max_work_group_size;
	cl_ulong global_memory;
	cl_ulong local_memory;
	cl_bitfield memory_capabilities; /**< CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES; all mandatory
	                                    ones on 2.x */
	cl_bitfield fence_capabilities;
	cl_bitfield svm_capabilities;
	unsigned orders_claimed; /**< set of 1u << enum oclmm_order, for atomics */
	unsigned fence_orders_claimed;
	unsigned scopes_claimed; /**< set of 1u << enum oclmm_scope */
	bool compiler;           /**< it has one (CL_DEVICE_COMPILER_AVAILABLE) */
	bool int64_atomics;
	bool fp16, fp64;
	unsigned subnormals; /**< floating-point types that have such numbers, 1u << enum oclmm_type
	                      */
	/** by type, sets of OCLMM_FLOAT_ (oclmm/codegen.h): cl_ext_float_atomics */
	unsigned float_atomics[OCLMM_FLOAT_TYPES];
	bool sub_groups;
	bool collectives;      /**< of work-groups */
	bool split_barriers;   /**< cl_intel_split_work_group_barrier */
	unsigned clocks;       /**< cl_khr_kernel_clock: set of 1u << scope, whose may be read */
	bool unordered_queues; /**< queues may execute out of order */
	bool device_enqueue;   /**< kernels may enqueue kernels */
	bool generic_address_space;
	size_t program_scope; /**< bytes of a variable at program scope, 0: there are none */
	bool pipes;
	/* cl_khr_command_buffer: those that are there; that may be recorded for a queue which
	 * executes out of order; and whose functions are those of versions up to 0.9.3 */
	bool command_buffers, unordered_recordings, recorded_as_before_0_9_4;
	bool several_queues;  /**< one of them may be recorded for several queues of a device */
	bool replays_at_once; /**< one of them may be enqueued again before it has ended */
	/** cl_khr_command_buffer_mutable_dispatch of 0.9.2 or later, of arguments; of other
	 * parameters of a launch, set of OCLMM_LAUNCH_* */
	bool changed_arguments;
	unsigned changed_launches;
	bool buffer_addresses; /**< cl_ext_buffer_device_address */
	/** cl_khr_unified_svm: by index of a type what it can do, cl_svm_capabilities_khr; 0: the
	 * device has no such memory */
	bool unified_svm;
	cl_bitfield svm_types[OCLMM_SVM_TYPES_MOST];
	bool semaphores; /**< cl_khr_semaphore */
	bool images_2d;  /**< with one channel of 32 bits: from OpenCL 2.0 on each has them */
	/** cl_khr_external_memory; with handles that are file descriptors */
	bool external_memory, external_files;
	cl_uint images;        /**< that a kernel can read and write */
	size_t image_elements; /**< of one that is made of a buffer */
	bool short_loops; /**< llvmpipe: all loops of a work-item end after 65,535 turns together */
};

/** An opened device with its context. */
struct oclmm_device;

/** A list of what there is, in a stable order: platforms as the loader gives them. */
struct oclmm_device_list {
	struct oclmm_device_info *devices;
	cl_device_id *ids;
	size_t count;
	struct oclmm_error left_out; /* why one that a platform has is not in it, the first of them;
	                                without a message where none is missing */
	size_t left_out_at;          /* the number that it would have */
};

/** Adds a line for each driver that the loader drops, and why: `FILE: reason`. Loads them all. */
void oclmm_drivers_dropped(struct oclmm_text *text);

/**
 * Work-groups of a test that run at the same time: one per compute unit, and on
 * a CPU no more than there are processors for (llvmpipe reports eight units
 * wherever it is). At least 1.
 */
uint32_t oclmm_device_units(const struct oclmm_device_info *info);
/**
 * Before a process enumerates: whether drivers bind their threads to processors, each to one of its
 * own. They do unless told otherwise, which serves tests and not compilers. What the user decided
 * stays. \return whether it was changed
 */
bool oclmm_devices_bind(bool bind);
/**
 * Enumerates all devices; platforms without devices are passed over, and so are those that fail to
 * answer, unless no device is left then.
 * \return 0 (possibly an empty list) or negative
 */
int oclmm_devices_list(struct oclmm_error *error, struct oclmm_device_list *ret_list);
void oclmm_device_list_finish(struct oclmm_device_list *list);
/**
 * Chooses a device: NULL or "" the best (GPU before accelerator before CPU);
 * a number is an index into the list; other text is matched, ignoring case,
 * against platform and name, and then against the version, where PoCL has its name.
 * \return the index, or -1 with `error` that lists what there is.
 */
int oclmm_device_choose(const struct oclmm_device_list *list, const char *wanted,
                        struct oclmm_error *error);
/** What tells a device from others in other processes, too. */
struct oclmm_device_identity {
	char text[400];    /**< platform, name, driver, number among those alike */
	char partner[400]; /**< `text` of the other device of a pair; empty: this one is divided */
	uint64_t claims;   /**< hash of its versions and of all that it claims */
	uint64_t partner_claims;
	char file[96]; /**< a file's name for it: UUID or PCI address where the driver tells, else a
	              hash */
	char id[64];   /**< what tells it from devices that look the same: UUID or PCI address, else
	                  `alike-0` of the first of several; empty where there is nothing to say */
};
void oclmm_device_identify(const struct oclmm_device_list *list, size_t index,
                           struct oclmm_device_identity *ret_identity);
int oclmm_device_open(const struct oclmm_device_list *list, size_t index, struct oclmm_error *error,
                      struct oclmm_device **ret_device);
/** Opens the device of an identity, found again: one that went away moves the others up. One that
 * claims something else now is refused: what gates was decided by what it claimed then. */
int oclmm_device_open_identified(const struct oclmm_device_identity *wanted,
                                 struct oclmm_error *error, struct oclmm_device **ret_device);
void oclmm_device_close(struct oclmm_device *device);
const struct oclmm_device_info *oclmm_device_info(const struct oclmm_device *device);

/** Whether a program's needs are claimed, merely accepted by the compiler, or unsupported
 * (`missing` names the feature that is not there or not claimed). */
enum oclmm_support { OCLMM_SUPPORT_CLAIMED, OCLMM_SUPPORT_ACCEPTED, OCLMM_SUPPORT_UNSUPPORTED };
enum oclmm_support oclmm_device_supports(struct oclmm_device *device,
                                         const struct oclmm_program *program, char *missing,
                                         size_t missing_size);

/* ---- for runner/stress: the OpenCL objects behind a device ------------ */

cl_context oclmm_device_context(const struct oclmm_device *device);
/** One of several devices, or the only one: 0. */
cl_device_id oclmm_device_id(const struct oclmm_device *device, uint32_t number);
/** The in-order queue of the device. */
cl_command_queue oclmm_device_queue(const struct oclmm_device *device);
/** A second queue, made when it is first asked for. */
enum oclmm_extra_queue {
	OCLMM_QUEUE_SECOND,    /**< in order */
	OCLMM_QUEUE_READING,   /**< in order: counters are read there */
	OCLMM_QUEUE_ON_DEVICE, /**< the default one on the device, for enqueue_kernel */
	OCLMM_QUEUE_EXTRAS
};
/** \return 0, or negative where the device has no such queue */
int oclmm_device_extra_queue(struct oclmm_device *device, enum oclmm_extra_queue which,
                             struct oclmm_error *error, cl_command_queue *ret_queue);
/** Whether there are `count` devices for a test: itself, parts of it, or it and its partner. */
bool oclmm_device_has_several(const struct oclmm_device *device, uint32_t count);
/**
 * As many devices, in one context, for which texts are built together. The device owns them; of
 * one it is the device itself.
 */
int oclmm_device_several(struct oclmm_device *device, uint32_t count, struct oclmm_error *error,
                         struct oclmm_device **ret_several);
/** The in-order queue of one of several devices. */
cl_command_queue oclmm_device_queue_of(const struct oclmm_device *device, uint32_t number);
/** Another queue of one of several devices, or of the only one. */
int oclmm_device_queue_new(const struct oclmm_device *device, uint32_t number,
                           cl_command_queue_properties properties, struct oclmm_error *error,
                           cl_command_queue *ret_queue);
/**
 * The first type of SVM of a device that its owner owns, as `storage` says
 * (OCLMM_STORAGE_SVM_DEVICE, _HOST, _SHARED), and that can do what is needed, a set of 1u << enum
 * oclmm_svm_capability. \return its index (cl_khr_unified_svm), or negative where there is none
 */
int oclmm_device_svm_type(const struct oclmm_device_info *info, enum oclmm_storage storage,
                          unsigned needed);
/**
 * Shared virtual memory of one kind, for reading and writing. System memory is the host's heap;
 * a kernel may be given it on every device that has it (clSetKernelExecInfo, A:5.9).
 * \return 0, or -ENOMEM also where the device does not have that kind.
 */
int oclmm_svm_create(const struct oclmm_device *device, enum oclmm_storage kind, size_t bytes,
                     struct oclmm_error *error, void **ret_memory);
/** Of the same kind, when no command uses it any more. Accepts NULL. */
void oclmm_svm_destroy(const struct oclmm_device *device, enum oclmm_storage kind, void *memory);
/** The variable with options that clBuildProgram() is given besides (A:5.8.6). */
#define OCLMM_BUILD_OPTIONS "OCLMM_BUILD_OPTIONS"
/** The options every text is built with, `-cl-std=CL3.0 …`, found by probing at opening, and those
 * of OCLMM_BUILD_OPTIONS. */
const char *oclmm_device_build_options(const struct oclmm_device *device);
/**
 * Builds a text. `*ret_log` is the compiler's output, malloc-ed or NULL, and
 * is set on failure too.
 * \return 0; -ENOEXEC when the compiler refuses it, with its first error in
 * `error`; -EBADMSG when no SPIR-V comes of it; -EIO when another call fails.
 */
int oclmm_device_build(struct oclmm_device *device, const char *source, struct oclmm_error *error,
                       char **ret_log, cl_program *ret_program);
/** The same, but remembers a few programs and gives them again; the device owns them. */
int oclmm_device_build_shared(struct oclmm_device *device, const char *source,
                              struct oclmm_error *error, char **ret_log, cl_program *ret_program);

/* ---- programs in a cache ---------------------------------------------- */

enum oclmm_keep { OCLMM_KEEP_NEVER, OCLMM_KEEP_WHERE_IT_PAYS, OCLMM_KEEP_ALWAYS };
struct producer; /* runner/producer/producer.h */

/** What was decided for all devices that this process opens, and for its children. What it points
 * to stays the caller's. */
struct oclmm_device_settings {
	enum oclmm_keep keep;
	const char *folder;              /**< of the cache */
	const struct producer *producer; /**< makes what devices are given; NULL: they take texts */
	char fresh_line[64];             /**< what stands before each text */
};
extern struct oclmm_device_settings oclmm_device_settings;

/**
 * From now on oclmm_device_build() caches programs as binaries in a folder and takes them from
 * there, unless a layer is between.
 */
static inline void oclmm_device_keep_programs(enum oclmm_keep when, const char *folder)
{
	oclmm_device_settings.keep = when;
	oclmm_device_settings.folder = folder;
}
/** From now on each text of OpenCL C begins with a new declaration, so that no cache of the driver
 * has it. */
void oclmm_device_fresh_texts(void);
/** Whether what is cached is passed over, and replaced: for a second attempt. */
void oclmm_device_build_afresh(struct oclmm_device *device, bool afresh);

/* ---- SPIR-V ----------------------------------------------------------- */

/** The version of SPIR-V that a device is given: the highest that it takes and that can be
 * validated as OpenCL's. \return false where it takes none */
bool oclmm_device_il_version(const struct oclmm_device_info *info, unsigned *ret_major,
                             unsigned *ret_minor);
/** From now on devices are opened that take SPIR-V, which this producer makes of each text, and
 * never a text; NULL: as before. */
static inline void oclmm_device_take_il(const struct producer *producer)
{
	oclmm_device_settings.producer = producer;
}
/** Who made the SPIR-V that the device takes, in words; NULL where it takes texts. */
const char *oclmm_device_il(const struct oclmm_device *device);
/** What was built so far, and how. */
struct oclmm_device_built {
	uint64_t recalled;   /**< programs from the cache */
	uint64_t operations; /**< operations of programs that were compared with modules */
	uint64_t classless;  /**< of them, those whose semantics name no memory */
};
struct oclmm_device_built oclmm_device_built(const struct oclmm_device *device);
/**
 * Of a device that takes SPIR-V: compares what is made of a text with the
 * programs whose kernels it has (oclmm_test_suffix()).
 * \param threads of each, that it plays, 1u << index
 * \return 0; -EBADMSG with the difference, or with what the producer says
 */
int oclmm_device_check_il(struct oclmm_device *device, const char *source,
                          const struct oclmm_program *const *programs, uint32_t count,
                          uint32_t threads, struct oclmm_error *error);

/** Adds the variables of the environment that concern a driver, as a shell takes them, each with a
 * blank behind it. */
void oclmm_driver_variables(struct oclmm_text *text);

/** Builds a text and adds what the driver gives as its binary to `binary`; nothing where it gives
 * none. */
void oclmm_device_binary(struct oclmm_device *device, const char *source,
                         struct oclmm_text *binary);

/**
 * Builds a text on a device in a process of its own.
 * \param device as of oclmm_device_choose()
 * \param ret_name the device, its version and its driver's; what is there is kept
 * \return 0; -EBADMSG where the compiler refuses the text, or dies; -ENODEV without the device
 */
int oclmm_device_build_apart(const char *device, const char *source, struct oclmm_error *error,
                             struct oclmm_text *ret_name, struct oclmm_text *ret_binary);
/** What that process does where it is started anew. */
void oclmm_device_serve_apart(int socket);

/**
 * Checks the code of a call of OpenCL; every call goes through this.
 * \return 0 for CL_SUCCESS, else with `error`, which names the call and its code: -ENOMEM when
 * memory ran out, -ENODEV when the device went away, -EIO for the rest. CL_OUT_OF_RESOURCES is the
 * former where something is created and the latter where something runs.
 */
int oclmm_cl_check(struct oclmm_error *error, const char *call, cl_int code);
/** Makes a call of OpenCL, `OCLMM_CL_CALL(error, clFinish, queue)`, and checks what it gives. */
#define OCLMM_CL_CALL(error, call, ...) oclmm_cl_check(error, #call, call(__VA_ARGS__))
/** The same for a call that gives an object: that it says CL_SUCCESS and gives none is -EIO. */
int oclmm_cl_made(struct oclmm_error *error, const char *call, const void *object, cl_int code);

/*
 * Such calls. What they give is also written where they fail: NULL, or what there is to release.
 */
int oclmm_queue_create(const struct oclmm_device *device, cl_command_queue_properties properties,
                       struct oclmm_error *error, cl_command_queue *ret_queue);
/** For reading and writing. */
int oclmm_buffer_create(const struct oclmm_device *device, size_t bytes, struct oclmm_error *error,
                        cl_mem *ret_buffer);
/**
 * A number of this run alone: what an earlier run, or another process, left or read with the same
 * seed belongs to no launch of this one. No stimulus depends on it.
 */
uint32_t oclmm_fresh_number(void);
/**
 * One of at least so many bytes for a run; what was in it, or in another run's, may still be there.
 * It goes back by oclmm_buffer_give(), which accepts NULL, when nothing uses it any more.
 */
int oclmm_buffer_take(struct oclmm_device *device, size_t bytes, struct oclmm_error *error,
                      cl_mem *ret_buffer);
void oclmm_buffer_give(struct oclmm_device *device, cl_mem buffer);
int oclmm_kernel_create(cl_program program, const char *name, struct oclmm_error *error,
                        cl_kernel *ret_kernel);
int oclmm_argument_set(cl_kernel kernel, cl_uint index, size_t size, const void *value,
                       struct oclmm_error *error);
/** `offset` NULL: none; `local` NULL: the driver chooses; `ret_done` NULL: no event
 * alone.
 */
int oclmm_kernel_enqueue_at(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                            const size_t *offset, const size_t *global, const size_t *local,
                            cl_event *ret_done, struct oclmm_error *error);
/** The same without an offset. */
static inline int oclmm_kernel_enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                       const size_t *global, const size_t *local,
                                       cl_event *ret_done, struct oclmm_error *error)
{
	return oclmm_kernel_enqueue_at(queue, kernel, dimensions, NULL, global, local, ret_done,
	                               error);
}

/** The name of an OpenCL error code, `CL_OUT_OF_RESOURCES`; never NULL. */
const char *oclmm_cl_error_name(cl_int code);

#endif
