// SPDX-License-Identifier: Apache-2.0
/*
 * From a text to a program: by the driver's compiler, or as a module of SPIR-V that programs of the
 * machine make of it, or from a cache on the disk.
 */
#include "internal.h"

#include <CL/cl_ext.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache/cache.h"
#include "oclmm/codegen.h"
#include "producer/producer.h"

/*
 * ---- SPIR-V ----
 *
 * The driver sees the module alone. What the module says of memory is compared with the test, so
 * that a bug of the tools that made it is not taken for one of the driver.
 */
/* The newest version that has rules of OpenCL which spirv-val knows. */
enum { NEWEST_MAJOR = 1, NEWEST_MINOR = 2 };

const char *oclmm_device_il(const struct oclmm_device *device)
{
	return device->producer ? producer_words(device->producer) : NULL;
}

/* `SPIR-V_1.0 SPIR-V_1.2`, A:4.2 */
bool oclmm_device_il_version(const struct oclmm_device_info *info, unsigned *ret_major,
                             unsigned *ret_minor)
{
	static const char prefix[] = "SPIR-V_";
	bool any = false;

	for (const char *at = info->il_version; (at = strstr(at, prefix));) {
		unsigned major, minor;

		at += strlen(prefix);
		if (sscanf(at, "%u.%u", &major, &minor) != 2 || major != NEWEST_MAJOR ||
		    minor > NEWEST_MINOR || (any && minor < *ret_minor))
			continue;
		*ret_major = major;
		*ret_minor = minor;
		any = true;
	}
	return any;
}

/* The compiler that makes the module has to know what the device lacks: clang would use what it
 * has by default. Clang 14 knows -cl-ext behind -Xclang only. */
static void print_options(const struct oclmm_device *device, struct oclmm_text *options)
{
	oclmm_text_init(options);
	oclmm_text_add(options, device->options);
	if (!device->info.generic_address_space && strstr(device->options, "CL3.0"))
		oclmm_text_add(options,
		               " -Xclang -cl-ext=-__opencl_c_generic_address_space,"
		               "-__opencl_c_device_enqueue,-__opencl_c_pipes,"
		               "-__opencl_c_program_scope_global_variables,-__opencl_c_subgroups");
}

/* The module of a text, which stays the device's until the next one. */
static int translate(struct oclmm_device *device, const char *source, struct oclmm_error *error)
{
	uint64_t hash = oclmm_hash(source, strlen(source));
	struct producer_version version;
	struct oclmm_text options, module;
	int r;

	if (device->last.hash == hash)
		return 0;
	if (!oclmm_device_il_version(&device->info, &version.major, &version.minor))
		return oclmm_error_set(error, -ENOTSUP, "the device takes no SPIR-V up to %d.%d",
		                       NEWEST_MAJOR, NEWEST_MINOR);
	print_options(device, &options);
	r = producer_translate(device->producer, version, oclmm_text_string(&options), source,
	                       error, &module);
	oclmm_text_finish(&options);
	if (r < 0)
		return r;
	oclmm_text_finish(&device->last.module);
	device->last.module = module;
	device->last.hash = hash;
	return 0;
}

/* Of OpenCL 2.1, or of cl_khr_il_program before. */
static cl_program create_with_il(const struct oclmm_device *device, const struct oclmm_text *module,
                                 cl_int *code)
{
	clCreateProgramWithILKHR_fn call = NULL;
	cl_platform_id platform;

	if (device->info.major > 2 || (device->info.major == 2 && device->info.minor > 0))
		return clCreateProgramWithIL(device->context, module->data, module->length, code);
	*code = clGetDeviceInfo(device->id, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &platform,
	                        NULL);
	if (*code != CL_SUCCESS)
		return NULL;
	*(void **)&call = clGetExtensionFunctionAddressForPlatform(platform,
	                                                           "clCreateProgramWithILKHR");
	*code = CL_INVALID_OPERATION;
	return call ? call(device->context, module->data, module->length, code) : NULL;
}

static int create_from_module(struct oclmm_device *device, const char *source,
                              struct oclmm_error *error, cl_program *ret_program)
{
	cl_int code;
	int r = translate(device, source, error);

	if (r < 0)
		return r;
	*ret_program = create_with_il(device, &device->last.module, &code);
	return oclmm_cl_made(error, "clCreateProgramWithIL", *ret_program, code);
}

/*
 * The other options were clang's. Without the version Intel's runtime for CPUs takes a module for
 * one of OpenCL C 1.2, and its atomics for those of that version.
 */
static const char *build_options(const struct oclmm_device *device)
{
	return device->producer ? device->il_options : device->options;
}

static int check_programs(struct oclmm_device *device, const struct oclmm_spirv_module *module,
                          const struct oclmm_program *const *programs, uint32_t count,
                          uint32_t threads, struct oclmm_error *error)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < count; i++) {
		char suffix[OCLMM_SUFFIX_SIZE];
		struct oclmm_spirv_found found;

		oclmm_test_suffix(i, suffix);
		r = oclmm_spirv_check(module, programs[i], threads, suffix, error, &found);
		if (r < 0)
			break;
		device->built.operations += found.operations;
		device->built.classless += found.classless;
	}
	return r;
}

int oclmm_device_check_il(struct oclmm_device *device, const char *source,
                          const struct oclmm_program *const *programs, uint32_t count,
                          uint32_t threads, struct oclmm_error *error)
{
	struct oclmm_spirv_module *module;
	int r = translate(device, source, error);

	if (r < 0)
		return r;
	r = oclmm_spirv_read(device->last.module.data, device->last.module.length, error, &module);
	if (r < 0)
		return -EBADMSG;
	r = oclmm_spirv_check_barriers(module, source, error);
	if (r == 0)
		r = check_programs(device, module, programs, count, threads, error);
	oclmm_spirv_destroy(module);
	return r;
}

/* ---- the compiler ---- */

/* The output of a compiler may be long, and the results have it for every test. */
enum { LOG_READ = 64 << 20, LOG_KEPT = 16 << 10 };

static char *build_log(const struct oclmm_device *device, cl_program program)
{
	struct oclmm_text none;
	size_t size = 0;
	char *log;

	if (clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) !=
	            CL_SUCCESS ||
	    size <= 1)
		return NULL;
	if (size > LOG_READ) {
		oclmm_text_init(&none);
		oclmm_text_printf(&none, "(the compiler's output was not read: %zu bytes)", size);
		return oclmm_text_steal(&none);
	}
	log = oclmm_calloc(size + 1, 1);
	if (clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL) ==
	    CL_SUCCESS)
		return log;
	free(log);
	return NULL;
}

/* The first line that speaks of an error, or the first line. */
static int refuse(struct oclmm_error *error, const char *log)
{
	const char *line = log ? strstr(log, "error") : NULL;

	if (!line)
		return oclmm_error_set(error, -ENOEXEC,
		                       "the device's compiler refuses the kernel: %.*s",
		                       log ? (int)strcspn(log, "\n") : 0, log ? log : "");
	while (line > log && line[-1] != '\n')
		line--;
	return oclmm_error_set(error, -ENOEXEC, "the device's compiler refuses the kernel: %.*s",
	                       (int)strcspn(line, "\n"), line);
}

/* The beginning, where the first error is, and how much more there was. */
static void shorten(char **log)
{
	size_t length = *log ? strlen(*log) : 0;
	struct oclmm_text text = {0};

	if (length <= LOG_KEPT)
		return;
	oclmm_text_add_bytes(&text, *log, LOG_KEPT);
	oclmm_text_printf(&text, "\n(and %zu bytes more)\n", length - LOG_KEPT);
	free(*log);
	*log = oclmm_text_steal(&text);
}

struct oclmm_device_settings oclmm_device_settings;

void oclmm_device_fresh_texts(void)
{
	/* a declaration: a cache may compare what a preprocessor leaves */
	snprintf(oclmm_device_settings.fresh_line, sizeof(oclmm_device_settings.fresh_line),
	         "typedef int oclmm_fresh_%08x%08x;\n#line 1\n", oclmm_fresh_number(),
	         oclmm_fresh_number());
}

static int create(struct oclmm_device *device, const char *source, struct oclmm_error *error,
                  cl_program *ret_program)
{
	struct oclmm_text text = {0};
	const char *whole;
	cl_int code;

	if (device->producer)
		return create_from_module(device, source, error, ret_program);
	oclmm_text_printf(&text, "%s%s", oclmm_device_settings.fresh_line, source);
	whole = oclmm_text_string(&text);
	*ret_program = clCreateProgramWithSource(device->context, 1, &whole, NULL, &code);
	oclmm_text_finish(&text);
	return oclmm_cl_made(error, "clCreateProgramWithSource", *ret_program, code);
}

int oclmm_device_compile(struct oclmm_device *device, const char *source, struct oclmm_error *error,
                         char **ret_log, cl_program *ret_program)
{
	cl_program program;
	cl_int code;
	int r = create(device, source, error, &program);

	if (r < 0)
		return r;
	code = clBuildProgram(program, device->count > 0 ? device->count : 1,
	                      device->count > 0 ? device->ids : &device->id, build_options(device),
	                      NULL, NULL);
	*ret_log = build_log(device, program);
	if (code == CL_BUILD_PROGRAM_FAILURE)
		r = refuse(error, *ret_log);
	else
		r = oclmm_cl_check(error, "clBuildProgram", code);
	shorten(ret_log);
	if (r < 0) {
		clReleaseProgram(program);
		return r;
	}
	*ret_program = program;
	return 0;
}

static void add_binary(cl_program program, struct oclmm_text *binary)
{
	unsigned char *bytes;
	size_t size = 0;

	/* the program was built for one device: there is one size and one binary */
	if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL) !=
	            CL_SUCCESS ||
	    !size)
		return;
	bytes = oclmm_calloc(size, 1);
	if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(bytes), &bytes, NULL) ==
	    CL_SUCCESS)
		oclmm_text_add_bytes(binary, (const char *)bytes, size);
	free(bytes);
}

void oclmm_device_binary(struct oclmm_device *device, const char *source, struct oclmm_text *binary)
{
	struct oclmm_error ignored;
	cl_program program = NULL;
	char *log = NULL;
	int r = oclmm_device_compile(device, source, &ignored, &log, &program);

	free(log);
	if (r < 0)
		return;
	add_binary(program, binary);
	clReleaseProgram(program);
}

/*
 * ---- binaries in a cache ----
 *
 * For drivers that have no cache or a slower one. Whether it pays is measured once for each build
 * of a driver, and the answer is cached, too.
 *
 * Nothing is cached or recalled behind a layer, which may change what passes by variables that only
 * it knows. OCLMM_PASSING_LAYERS names layers that change nothing, by the words of the variable
 * that names them.
 */
/* Counts up with the form of an entry, so that old entries are not used. */
#define FORMAT "1\n"

/* An entry is the length of the compiler's output, that output, and the binary. */

static void pack(const char *log, const struct oclmm_text *binary, struct oclmm_text *bytes)
{
	uint64_t length = log ? strlen(log) : 0;

	oclmm_text_init(bytes);
	oclmm_text_add_bytes(bytes, (const char *)&length, sizeof(length));
	oclmm_text_add_bytes(bytes, log ? log : "", length);
	oclmm_text_add_bytes(bytes, binary->data, binary->length);
}

/* False where the bytes are no entry. */
static bool unpack(struct oclmm_text *bytes, char **ret_log)
{
	uint64_t length;
	char *log = NULL;

	if (bytes->length < sizeof(length))
		return false;
	memcpy(&length, bytes->data, sizeof(length));
	oclmm_text_drop(bytes, sizeof(length));
	if (length >= bytes->length)
		return false;
	if (length) {
		log = oclmm_calloc(length + 1, 1);
		memcpy(log, bytes->data, length);
	}
	oclmm_text_drop(bytes, length);
	*ret_log = log;
	return true;
}

static cl_program load(const struct oclmm_device *device, const struct oclmm_text *binary)
{
	const unsigned char *bytes = (const unsigned char *)binary->data;
	cl_int status = CL_SUCCESS, code;
	cl_program program = clCreateProgramWithBinary(device->context, 1, &device->id,
	                                               &binary->length, &bytes, &status, &code);

	if (code == CL_SUCCESS && status == CL_SUCCESS &&
	    clBuildProgram(program, 1, &device->id, build_options(device), NULL, NULL) ==
	            CL_SUCCESS)
		return program;
	if (code == CL_SUCCESS)
		clReleaseProgram(program);
	return NULL;
}

static void make_key(const struct oclmm_device *device, const char *what, const char *source,
                     struct oclmm_text *key)
{
	oclmm_text_init(key);
	oclmm_text_printf(key, "%s " FORMAT, what);
	oclmm_text_add(key, device->driver_key);
	oclmm_text_printf(key, "%s\n", device->options);
	if (device->producer)
		oclmm_text_printf(key, "of a module by %s\n", producer_key(device->producer));
	oclmm_text_add(key, source);
}

/* Not the smallest text, which would measure what calls cost. */
static const char sample[] =
	"kernel void sample(global atomic_int *x)\n"
	"{\n"
	"\tuint l = get_local_id(0), n = 0;\n"
	"\tfor (uint i = 0; i < 16; i++) {\n"
	"\t\tn += atomic_fetch_add_explicit(&x[64], 1, memory_order_relaxed,\n"
	"\t\t\tmemory_scope_work_group) >= 0;\n"
	"\t\tn += atomic_load_explicit(&x[65 + i], memory_order_relaxed,\n"
	"\t\t\tmemory_scope_work_group) == 0;\n"
	"\t}\n"
	"\tatomic_store_explicit(&x[l], (int)(l * 3 + n), memory_order_relaxed,\n"
	"\t\tmemory_scope_work_group);\n"
	"}\n";

enum { SAMPLE_ITEMS = 16, SAMPLE_SUM = 64, SAMPLE_WORDS = 96, SAMPLE_ADDS = 16, SAMPLE_TIMES = 3 };

/* Runs it once. False where the answer is wrong. */
static bool sample_runs(const struct oclmm_device *device, cl_program program)
{
	size_t items = SAMPLE_ITEMS;
	cl_int words[SAMPLE_WORDS] = {0}, code;
	cl_kernel kernel = clCreateKernel(program, "sample", &code);
	cl_mem buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
	                               sizeof(words), words, NULL);
	bool right = code == CL_SUCCESS && buffer &&
	             clSetKernelArg(kernel, 0, sizeof(buffer), &buffer) == CL_SUCCESS &&
	             clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &items, &items, 0, NULL,
	                                    NULL) == CL_SUCCESS &&
	             clEnqueueReadBuffer(device->queue, buffer, CL_TRUE, 0, sizeof(words), words, 0,
	                                 NULL, NULL) == CL_SUCCESS &&
	             words[SAMPLE_SUM] == SAMPLE_ITEMS * SAMPLE_ADDS;

	for (int i = 0; i < SAMPLE_ITEMS; i++)
		right &= words[i] == i * 3 + 2 * SAMPLE_ADDS;
	if (buffer)
		clReleaseMemObject(buffer);
	if (code == CL_SUCCESS)
		clReleaseKernel(kernel);
	return right;
}

/* Seconds from the text, or from the binary, to the answer; negative where it is wrong. */
static double time_sample(struct oclmm_device *device, const struct oclmm_text *binary)
{
	double start = oclmm_clock();
	struct oclmm_error ignored;
	cl_program program = NULL;
	char *log = NULL;
	bool right;

	if (binary)
		program = load(device, binary);
	else if (oclmm_device_compile(device, sample, &ignored, &log, &program) < 0)
		program = NULL;
	free(log);
	right = program && sample_runs(device, program);
	if (program)
		clReleaseProgram(program);
	return right ? oclmm_clock() - start : -1;
}

/* The least of a few. */
static double time_samples(struct oclmm_device *device, const struct oclmm_text *binary)
{
	double least = -1;

	for (int i = 0; i < SAMPLE_TIMES; i++) {
		double seconds = time_sample(device, binary);

		if (seconds < 0)
			return -1;
		if (i == 0 || seconds < least)
			least = seconds;
	}
	return least;
}

/* It pays where it saves at least half each time, and asking for the binary costs only a few times
 * that. Negative where the text does not run: next time it may. */
static int measure(struct oclmm_device *device, bool *ret_pays)
{
	enum { TIMES_UNTIL_PAID = 4 };
	struct oclmm_text binary = {0};
	double again, asking, loaded;

	/* from now on the driver's own cache has it */
	if (time_sample(device, NULL) < 0)
		return -EIO;
	again = time_samples(device, NULL);
	if (again < 0)
		return -EIO;
	asking = oclmm_clock();
	oclmm_device_binary(device, sample, &binary);
	asking = oclmm_clock() - asking - again;
	loaded = binary.length ? time_samples(device, &binary) : -1;
	oclmm_text_finish(&binary);
	*ret_pays = loaded > 0 && loaded <= again / 2 &&
	            asking <= TIMES_UNTIL_PAID * (again - loaded);
	return 0;
}

static bool was_measured(const struct oclmm_text *key, bool *ret_pays)
{
	struct oclmm_text answer;

	if (cache_read(oclmm_device_settings.folder, key, &answer) < 0)
		return false;
	*ret_pays = answer.length == 1 && *answer.data == 'y';
	oclmm_text_finish(&answer);
	return true;
}

static void note(const struct oclmm_text *key, bool pays)
{
	struct oclmm_text answer = {0};

	oclmm_text_add(&answer, pays ? "y" : "n");
	cache_write(oclmm_device_settings.folder, key, &answer);
	oclmm_text_finish(&answer);
}

/* Processes that start together would disturb each other: one of them measures. */
bool oclmm_programs_pay(struct oclmm_device *device)
{
	struct oclmm_text key;
	bool pays = false;

	make_key(device, "pays", sample, &key);
	if (!was_measured(&key, &pays)) {
		int lock = cache_lock(oclmm_device_settings.folder);

		if (!was_measured(&key, &pays) && measure(device, &pays) == 0)
			note(&key, pays);
		cache_unlock(lock);
	}
	oclmm_text_finish(&key);
	return pays;
}

/* PoCL caches down to the work-group functions. Asked for a binary it compiles them for all sizes,
 * which takes as long as everything else. */
static bool is_known_not_to(const struct oclmm_device *device)
{
	return strcmp(device->info.platform, "Portable Computing Language") == 0;
}

static bool is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value;
}

static bool layers_may_change(void)
{
	static const char *const variables[] = {"OPENCL_LAYERS", "OCLMM_LAYER"};
	const char *passing = getenv("OCLMM_PASSING_LAYERS");
	bool change = false;

	for (size_t i = 0; i < OCLMM_COUNT(variables); i++) {
		const char *layers = getenv(variables[i]);

		change |= layers && *layers && (!passing || strcmp(passing, layers) != 0);
	}
	return change;
}

static bool decide(struct oclmm_device *device)
{
	struct oclmm_text key = {0};

	if (oclmm_device_settings.keep == OCLMM_KEEP_NEVER || device->count > 0 ||
	    !device->builds || layers_may_change() || is_set("LD_PRELOAD") ||
	    (oclmm_device_settings.keep == OCLMM_KEEP_WHERE_IT_PAYS && is_known_not_to(device)))
		return false;
	if (oclmm_driver_key(&device->info, &key) < 0 ||
	    cache_prepare(oclmm_device_settings.folder) < 0) {
		oclmm_text_finish(&key);
		return false;
	}
	device->driver_key = oclmm_text_steal(&key);
	return oclmm_device_settings.keep == OCLMM_KEEP_ALWAYS || oclmm_programs_pay(device);
}

static bool keeps(struct oclmm_device *device)
{
	if (!device->keeping_decided)
		device->keeps = decide(device);
	device->keeping_decided = true;
	return device->keeps;
}

static bool recall(struct oclmm_device *device, const char *source, char **ret_log,
                   cl_program *ret_program)
{
	struct oclmm_text key, bytes;
	cl_program program = NULL;
	char *log = NULL;

	if (!keeps(device) || device->afresh)
		return false;
	make_key(device, "program", source, &key);
	if (cache_read(oclmm_device_settings.folder, &key, &bytes) == 0) {
		if (unpack(&bytes, &log))
			program = load(device, &bytes);
		oclmm_text_finish(&bytes);
	}
	oclmm_text_finish(&key);
	if (!program) {
		free(log);
		return false;
	}
	device->built.recalled++;
	*ret_log = log;
	*ret_program = program;
	return true;
}

static void store(struct oclmm_device *device, const char *source, const char *log,
                  cl_program program)
{
	struct oclmm_text key, bytes, binary = {0};

	if (!keeps(device))
		return;
	add_binary(program, &binary);
	if (binary.length) {
		make_key(device, "program", source, &key);
		pack(log, &binary, &bytes);
		/* it is compiled again next time */
		cache_write(oclmm_device_settings.folder, &key, &bytes);
		oclmm_text_finish(&bytes);
		oclmm_text_finish(&key);
	}
	oclmm_text_finish(&binary);
}

struct oclmm_device_built oclmm_device_built(const struct oclmm_device *device)
{
	struct oclmm_device_built built = device->built;

	for (uint32_t i = 0; i < OCLMM_DEVICES_MAX; i++) {
		if (!device->several[i])
			continue;
		built.operations += device->several[i]->built.operations;
		built.classless += device->several[i]->built.classless;
	}
	return built;
}

void oclmm_device_build_afresh(struct oclmm_device *device, bool afresh)
{
	device->afresh = afresh;
}

/* ---- building ---- */

int oclmm_device_build(struct oclmm_device *device, const char *source, struct oclmm_error *error,
                       char **ret_log, cl_program *ret_program)
{
	int r;

	if (recall(device, source, ret_log, ret_program))
		return 0;
	r = oclmm_device_compile(device, source, error, ret_log, ret_program);
	if (r == 0)
		store(device, source, *ret_log, *ret_program);
	return r;
}

int oclmm_device_build_shared(struct oclmm_device *device, const char *source,
                              struct oclmm_error *error, char **ret_log, cl_program *ret_program)
{
	uint64_t hash = oclmm_hash(source, strlen(source));
	unsigned slot = device->shared_next;
	cl_program program;
	int r;

	for (unsigned i = 0; i < OCLMM_SHARED_PROGRAMS; i++) {
		if (device->shared[i].program && device->shared[i].hash == hash) {
			*ret_log = NULL;
			*ret_program = device->shared[i].program;
			return 0;
		}
	}
	r = oclmm_device_build(device, source, error, ret_log, &program);
	if (r < 0)
		return r;
	if (device->shared[slot].program)
		clReleaseProgram(device->shared[slot].program);
	device->shared[slot].program = program;
	device->shared[slot].hash = hash;
	device->shared_next = (slot + 1) % OCLMM_SHARED_PROGRAMS;
	*ret_program = program;
	return 0;
}

/* Compilers within a driver may print on the process's own standard error: not while probing. */
static int silence(void)
{
	int saved = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (saved >= 0 && null >= 0)
		dup2(null, STDERR_FILENO);
	if (null >= 0)
		close(null);
	return saved;
}

static void speak_again(int saved)
{
	if (saved < 0)
		return;
	dup2(saved, STDERR_FILENO);
	close(saved);
}

bool oclmm_device_accepts(struct oclmm_device *device, const char *source)
{
	uint64_t hash = oclmm_hash(source, strlen(source));
	struct oclmm_error ignored;
	cl_program program = NULL;
	char *log = NULL;
	bool accepted;
	int saved;

	for (unsigned i = 0; i < device->probe_count; i++)
		if (device->probes[i].hash == hash)
			return device->probes[i].accepted;
	saved = silence();
	accepted = oclmm_device_compile(device, source, &ignored, &log, &program) == 0;
	speak_again(saved);
	free(log);
	if (program)
		clReleaseProgram(program);
	if (device->probe_count < OCLMM_PROBES) {
		device->probes[device->probe_count].hash = hash;
		device->probes[device->probe_count++].accepted = accepted;
	}
	return accepted;
}
