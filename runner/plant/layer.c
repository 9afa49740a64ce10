// SPDX-License-Identifier: Apache-2.0
/*
 * A layer of the ICD loader that plants one bug into the driver under it. It lies about calls, and
 * exchanges the texts of programs for those that the application offered for them
 * (oclmm_plant_offer()). Of OpenCL C it knows nothing.
 *
 *     OPENCL_LAYERS=/usr/lib/oclmm/liboclmm-plant.so OCLMM_PLANT=NAME[:PARAMETER] application
 *
 * OCLMM_PLANT_VERBOSE=1   says at the end, on standard error, what was changed
 * OCLMM_PLANT_LOG=FILE    appends a line per program, each in one write; see layer_note()
 * OCLMM_PLANT_SAVE=FILE   appends the changed texts
 * OCLMM_PLANT_TEXTS=FILE  offers texts for an application that knows nothing of the layer: each a
 *                         line `HASH PLACES LENGTH`, and so many bytes behind it
 */
#include "layer.h"
#include "offer.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oclmm/base.h"

/* ---- launches of changed programs ------------------------------------------ */

/*
 * Plants that act in some launches only. The application keeps its program and
 * kernels; beside each stands a changed twin that is built with the same
 * options and gets the same arguments, and a launch in which the plant acts
 * runs the twin. Programs that are compiled and linked apart, or are cloned,
 * have none.
 */

struct twin_program {
	cl_program program, twin;
	bool built;
};

static struct twin_program *programs;
static size_t program_count, program_capacity;

static struct twin_program *find_program(cl_program program)
{
	for (size_t i = 0; i < program_count; i++) {
		if (programs[i].program == program)
			return &programs[i];
	}
	return NULL;
}

static void twins_add(cl_program program, cl_program twin)
{
	if (!twin) {
		layer_note(LAYER_TWIN_FAILED, 0);
		return;
	}
	pthread_mutex_lock(&kernels_lock);
	oclmm_grow(&programs, &program_capacity, program_count, sizeof(*programs));
	programs[program_count++] = (struct twin_program){.program = program, .twin = twin};
	pthread_mutex_unlock(&kernels_lock);
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count,
                                        const cl_device_id *devices, const char *options,
                                        void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
	cl_int code = layer_real->clBuildProgram(program, count, devices, options, notify, data);
	struct twin_program *pair;

	if (code != CL_SUCCESS)
		return code;
	pthread_mutex_lock(&kernels_lock);
	pair = find_program(program);
	if (pair && layer_real->clBuildProgram(pair->twin, count, devices, options, NULL, NULL) ==
	                    CL_SUCCESS)
		pair->built = true;
	else if (pair)
		layer_note(LAYER_TWIN_FAILED, 0);
	pthread_mutex_unlock(&kernels_lock);
	return code;
}

static cl_int CL_API_CALL release_program(cl_program program)
{
	pthread_mutex_lock(&kernels_lock);
	if (layer_is_last_program(program)) {
		struct twin_program *pair = find_program(program);

		if (pair) {
			layer_real->clReleaseProgram(pair->twin);
			*pair = programs[--program_count];
		}
	}
	pthread_mutex_unlock(&kernels_lock);
	return layer_real->clReleaseProgram(program);
}

static void add_kernel(cl_program program, cl_kernel kernel, const char *name)
{
	struct twin_program *pair = find_program(program);

	if (pair && pair->built)
		kernels_find(kernel)->twin = layer_real->clCreateKernel(pair->twin, name, NULL);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code)
{
	cl_kernel kernel = layer_real->clCreateKernel(program, name, code);

	if (!kernel)
		return NULL;
	pthread_mutex_lock(&kernels_lock);
	add_kernel(program, kernel, name);
	pthread_mutex_unlock(&kernels_lock);
	return kernel;
}

static cl_int CL_API_CALL create_kernels(cl_program program, cl_uint count, cl_kernel *all,
                                         cl_uint *ret_count)
{
	cl_uint created = 0;
	cl_int code = layer_real->clCreateKernelsInProgram(program, count, all, &created);

	if (ret_count)
		*ret_count = created;
	if (code != CL_SUCCESS || !all)
		return code;
	pthread_mutex_lock(&kernels_lock);
	for (cl_uint i = 0; i < created; i++) {
		char name[256] = "";

		if (layer_real->clGetKernelInfo(all[i], CL_KERNEL_FUNCTION_NAME, sizeof(name), name,
		                                NULL) == CL_SUCCESS)
			add_kernel(program, all[i], name);
	}
	pthread_mutex_unlock(&kernels_lock);
	return code;
}

static cl_kernel twin_of(cl_kernel kernel)
{
	cl_kernel twin;

	pthread_mutex_lock(&kernels_lock);
	twin = kernels_find(kernel)->twin;
	pthread_mutex_unlock(&kernels_lock);
	return twin;
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size,
                                       const void *value)
{
	cl_kernel twin = twin_of(kernel);

	if (twin)
		layer_real->clSetKernelArg(twin, index, size, value);
	return layer_real->clSetKernelArg(kernel, index, size, value);
}

static cl_int CL_API_CALL set_pointer(cl_kernel kernel, cl_uint index, const void *value)
{
	cl_kernel twin = twin_of(kernel);

	if (twin)
		layer_real->clSetKernelArgSVMPointer(twin, index, value);
	return layer_real->clSetKernelArgSVMPointer(kernel, index, value);
}

static cl_int CL_API_CALL set_info(cl_kernel kernel, cl_kernel_exec_info what, size_t size,
                                   const void *value)
{
	cl_kernel twin = twin_of(kernel);

	if (twin)
		layer_real->clSetKernelExecInfo(twin, what, size, value);
	return layer_real->clSetKernelExecInfo(kernel, what, size, value);
}

/* Where the driver chooses the group's size itself, several groups are the rule. */
static bool has_groups(cl_uint dimensions, const size_t *global, const size_t *local)
{
	for (cl_uint i = 0; global && i < dimensions; i++) {
		if (local ? global[i] > local[i] : global[i] > 1)
			return true;
	}
	return false;
}

static bool acts(struct known_kernel *known, const struct command *command)
{
	uint64_t launch = known->launches++;

	switch (layer_plant.bug) {
	case PLANT_FIRST_LAUNCHES: return launch < layer_plant.mutation.number;
	case PLANT_LATE_LAUNCHES: return launch >= layer_plant.mutation.number;
	default: return has_groups(command->dimensions, command->global, command->local);
	}
}

static cl_int launch(struct command *command)
{
	struct known_kernel *known;
	bool changed;

	pthread_mutex_lock(&kernels_lock);
	known = kernels_find(command->kernel);
	changed = known->twin && acts(known, command);
	if (changed)
		command->kernel = known->twin;
	pthread_mutex_unlock(&kernels_lock);
	if (changed)
		layer_note(LAYER_LAUNCH, 0);
	return command_send(command);
}

static void twins_init(struct _cl_icd_dispatch *layer)
{
	layer->clBuildProgram = build_program;
	layer->clReleaseProgram = release_program;
	layer->clCreateKernel = create_kernel;
	layer->clCreateKernelsInProgram = create_kernels;
	layer->clReleaseKernel = kernels_release;
	layer->clSetKernelArg = set_argument;
	layer->clSetKernelArgSVMPointer = set_pointer;
	layer->clSetKernelExecInfo = set_info;
	commands_init(layer, COMMAND_KERNEL, launch);
}

/* ---- texts exchanged ------------------------------------------------------- */

/* All strings as one: a text is known by the hash of the whole. */
static void join(struct oclmm_text *text, cl_uint count, const char **strings,
                 const size_t *lengths)
{
	oclmm_text_init(text);
	for (cl_uint i = 0; i < count; i++) {
		if (lengths && lengths[i])
			oclmm_text_add_bytes(text, strings[i], lengths[i]);
		else
			oclmm_text_add(text, strings[i]);
	}
}

static bool is_complete(cl_uint count, const char **strings)
{
	for (cl_uint i = 0; strings && i < count; i++) {
		if (!strings[i])
			return false;
	}
	return strings && count > 0;
}

static cl_program create(cl_context context, const struct oclmm_text *text, cl_int *code)
{
	const char *string = oclmm_text_string(text);
	size_t length = text->length;

	return layer_real->clCreateProgramWithSource(context, 1, &string, &length, code);
}

/* What takes the place of a text, by its hash. */
struct offer {
	uint64_t hash;
	struct oclmm_text text;
	size_t places;
};
static struct {
	pthread_mutex_t lock;
	struct offer *items;
	size_t count, capacity;
} offers = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum { OFFER_MOST = 16 << 20 }; /* bytes of a text in a file */

/* With the lock; NULL where the text passes unchanged. */
static struct offer *find_offer(uint64_t hash)
{
	for (size_t i = 0; i < offers.count; i++)
		if (offers.items[i].hash == hash)
			return &offers.items[i];
	return NULL;
}

OCLMM_PLANT_OFFER
{
	struct offer *offer;

	pthread_mutex_lock(&offers.lock);
	offer = find_offer(hash);
	if (!offer) {
		oclmm_grow(&offers.items, &offers.capacity, offers.count, sizeof(*offers.items));
		offer = &offers.items[offers.count++];
		*offer = (struct offer){.hash = hash, .places = places};
		oclmm_text_init(&offer->text);
		oclmm_text_add_bytes(&offer->text, text, length);
	}
	pthread_mutex_unlock(&offers.lock);
}

/* What OCLMM_PLANT_TEXTS offers; false: it cannot be read. */
static bool load_offers(void)
{
	const char *path = getenv("OCLMM_PLANT_TEXTS");
	unsigned long long hash;
	size_t places, length;
	FILE *file = path && *path ? fopen(path, "r") : NULL;
	bool well = true;

	if (!path || !*path)
		return true;
	while (file && well && fscanf(file, "%16llx %zu %zu", &hash, &places, &length) == 3) {
		char *text = length < OFFER_MOST ? malloc(length + 1) : NULL;

		well = text && fgetc(file) == '\n' && fread(text, 1, length, file) == length;
		if (well)
			oclmm_plant_offer(hash, text, length, places);
		free(text);
	}
	well &= file && feof(file);
	if (file)
		fclose(file);
	if (!well)
		fprintf(stderr, "oclmm plant: cannot read the texts of %s\n", path);
	return well;
}

/* Returns the places in which the text is changed; `ret_changed` is the caller's to finish. */
static size_t exchange(const struct oclmm_text *text, struct oclmm_text *ret_changed)
{
	const struct offer *offer;
	size_t places = 0;

	oclmm_text_init(ret_changed);
	pthread_mutex_lock(&offers.lock);
	offer = find_offer(oclmm_hash(oclmm_text_string(text), text->length));
	if (offer) {
		oclmm_text_add_bytes(ret_changed, offer->text.data, offer->text.length);
		places = offer->places;
	}
	pthread_mutex_unlock(&offers.lock);
	return places;
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count,
                                             const char **strings, const size_t *lengths,
                                             cl_int *code)
{
	struct oclmm_text text, changed;
	cl_program program;
	size_t places;

	/* what is refused is the driver's to refuse */
	if (!is_complete(count, strings))
		return layer_real->clCreateProgramWithSource(context, count, strings, lengths,
		                                             code);
	join(&text, count, strings, lengths);
	places = exchange(&text, &changed);
	if (places > 0)
		layer_append("OCLMM_PLANT_SAVE", oclmm_text_string(&changed), changed.length);
	if (places == 0 || plant_by_launch(layer_plant.bug))
		program = layer_real->clCreateProgramWithSource(context, count, strings, lengths,
		                                                code);
	else
		program = create(context, &changed, code);
	if (program) {
		layer_note(LAYER_SOURCE, places);
		if (places > 0 && plant_by_launch(layer_plant.bug))
			twins_add(program, create(context, &changed, NULL));
	}
	oclmm_text_finish(&text);
	oclmm_text_finish(&changed);
	return program;
}

static cl_program CL_API_CALL create_binary(cl_context context, cl_uint count,
                                            const cl_device_id *devices, const size_t *lengths,
                                            const unsigned char **binaries, cl_int *statuses,
                                            cl_int *code)
{
	layer_note(LAYER_BINARY, 0);
	return layer_real->clCreateProgramWithBinary(context, count, devices, lengths, binaries,
	                                             statuses, code);
}

static cl_program CL_API_CALL create_il(cl_context context, const void *il, size_t length,
                                        cl_int *code)
{
	layer_note(LAYER_IL, 0);
	return layer_real->clCreateProgramWithIL(context, il, length, code);
}

static void refuse(const char *message)
{
	fprintf(stderr, "oclmm plant: OCLMM_PLANT: %s; there are\n", message);
	for (int i = 0; i < PLANT_COUNT; i++)
		fprintf(stderr, "  %-18s %s\n", plant_descriptions[i].name,
		        plant_descriptions[i].what);
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	const char *choice = getenv("OCLMM_PLANT"), *verbose = getenv("OCLMM_PLANT_VERBOSE");
	char message[PLANT_MESSAGE];

	if (!plant_parse(choice && *choice ? choice : "none", &layer_plant, message)) {
		refuse(message);
		return false;
	}
	if (!load_offers())
		return false;
	own->clCreateProgramWithSource = create_program;
	own->clCreateProgramWithBinary = create_binary;
	own->clCreateProgramWithIL = create_il;
	if (plant_by_launch(layer_plant.bug))
		twins_init(own);
	calls_init(own);
	if (verbose && strcmp(verbose, "1") == 0)
		atexit(layer_summarise);
	layer_note(LAYER_LOADED, 0);
	return true;
}
