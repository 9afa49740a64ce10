// SPDX-License-Identifier: Apache-2.0
/*
 * Programs kept on the disk as the driver's binaries, for drivers whose own cache
 * is slower or that have none. Whether it pays is measured once for each build of
 * a driver, and kept with them.
 *
 * A layer between program and driver may change what passes, by variables that are
 * its own affair: with one nothing is kept and nothing taken. But who puts layers there that
 * change nothing says so: in OCLMM_PASSING_LAYERS, by the same words as in OPENCL_LAYERS.
 */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cache/cache.h"
#include "producer/producer.h"

/* Changes when other things are written, so that old ones are not used. */
#define FORMAT "1\n"

static enum oclmm_keep keep;
static const char *folder;

void oclmm_device_keep_programs(enum oclmm_keep when, const char *path)
{
	keep = when;
	folder = path;
}

/* ---- bytes: the compiler's output, and the binary ---- */

static void pack(const char *log, const struct oclmm_text *binary, struct oclmm_text *bytes)
{
	uint64_t length = log ? strlen(log) : 0;

	oclmm_text_init(bytes);
	oclmm_text_add_bytes(bytes, (const char *)&length, sizeof(length));
	oclmm_text_add_bytes(bytes, log ? log : "", length);
	oclmm_text_add_bytes(bytes, binary->data, binary->length);
}

/* False for what is none of it. */
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

/* ---- OpenCL ---- */

static cl_program load(const struct oclmm_device *device, const struct oclmm_text *binary)
{
	const unsigned char *bytes = (const unsigned char *)binary->data;
	cl_int status = CL_SUCCESS, code;
	cl_program program = clCreateProgramWithBinary(device->context, 1, &device->id,
	                                               &binary->length, &bytes, &status, &code);

	if (code == CL_SUCCESS && status == CL_SUCCESS &&
	    clBuildProgram(program, 1, &device->id, oclmm_il_options(device), NULL, NULL) ==
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

/* ---- whether it pays ---- */

/* Of some size: the smallest text would show nothing but what a call costs. */
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

/* What is saved each time is at least half, and asking for the binary costs no more than some of
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

static bool was_said(const struct oclmm_text *key, bool *ret_pays)
{
	struct oclmm_text said;

	if (cache_read(folder, key, &said) < 0)
		return false;
	*ret_pays = said.length == 1 && *said.data == 'y';
	oclmm_text_finish(&said);
	return true;
}

static void say(const struct oclmm_text *key, bool pays)
{
	struct oclmm_text said = {0};

	oclmm_text_add(&said, pays ? "y" : "n");
	cache_write(folder, key, &said);
	oclmm_text_finish(&said);
}

/* Processes that begin at the same time would disturb each other: one measures. */
bool oclmm_programs_pay(struct oclmm_device *device)
{
	struct oclmm_text key;
	bool pays = false;

	make_key(device, "pays", sample, &key);
	if (!was_said(&key, &pays)) {
		int lock = cache_lock(folder);

		if (!was_said(&key, &pays) && measure(device, &pays) == 0)
			say(&key, pays);
		cache_unlock(lock);
	}
	oclmm_text_finish(&key);
	return pays;
}

/* PoCL keeps its own, down to the work-group functions; asked for a binary it compiles them for
 * all sizes, which takes as long as everything else. */
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
	const char *layers = getenv("OPENCL_LAYERS"), *passing = getenv("OCLMM_PASSING_LAYERS");

	return layers && *layers && (!passing || strcmp(passing, layers) != 0);
}

static bool decide(struct oclmm_device *device)
{
	struct oclmm_text key = {0};

	if (keep == OCLMM_KEEP_NEVER || device->count > 0 || !device->builds ||
	    layers_may_change() || is_set("LD_PRELOAD") ||
	    (keep == OCLMM_KEEP_WHERE_IT_PAYS && is_known_not_to(device)))
		return false;
	if (oclmm_driver_key(&device->info, &key) < 0 || cache_prepare(folder) < 0) {
		oclmm_text_finish(&key);
		return false;
	}
	device->driver_key = oclmm_text_steal(&key);
	return keep == OCLMM_KEEP_ALWAYS || oclmm_programs_pay(device);
}

static bool keeps(struct oclmm_device *device)
{
	if (!device->keeping_decided)
		device->keeps = decide(device);
	device->keeping_decided = true;
	return device->keeps;
}

/* ---- for oclmm_device_build() ---- */

bool oclmm_programs_recall(struct oclmm_device *device, const char *source, char **ret_log,
                           cl_program *ret_program)
{
	struct oclmm_text key, bytes;
	cl_program program = NULL;
	char *log = NULL;

	if (!keeps(device) || device->afresh)
		return false;
	make_key(device, "program", source, &key);
	if (cache_read(folder, &key, &bytes) == 0) {
		if (unpack(&bytes, &log))
			program = load(device, &bytes);
		oclmm_text_finish(&bytes);
	}
	oclmm_text_finish(&key);
	if (!program) {
		free(log);
		return false;
	}
	device->recalled++;
	*ret_log = log;
	*ret_program = program;
	return true;
}

void oclmm_programs_keep(struct oclmm_device *device, const char *source, const char *log,
                         cl_program program)
{
	struct oclmm_text key, bytes, binary = {0};

	if (!keeps(device))
		return;
	oclmm_program_binary(program, &binary);
	if (binary.length) {
		make_key(device, "program", source, &key);
		pack(log, &binary, &bytes);
		/* next time it is compiled again, that is all */
		cache_write(folder, &key, &bytes);
		oclmm_text_finish(&bytes);
		oclmm_text_finish(&key);
	}
	oclmm_text_finish(&binary);
}

uint64_t oclmm_device_recalled(const struct oclmm_device *device)
{
	return device->recalled;
}

void oclmm_device_build_afresh(struct oclmm_device *device, bool afresh)
{
	device->afresh = afresh;
}
