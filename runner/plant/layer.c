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
 */
#include "layer.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "offer.h"

struct plant layer_plant;

const char layer_name[] = "oclmm plant";
static struct {
	pthread_mutex_t lock;
	size_t events[LAYER_EVENTS];
	size_t places;
	size_t untouched; /* texts in which nothing was to be changed */
} tally = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char *const words[LAYER_EVENTS] = {
	[LAYER_LOADED] = "loaded", [LAYER_SOURCE] = "source",           [LAYER_BINARY] = "binary",
	[LAYER_IL] = "il",         [LAYER_TWIN_FAILED] = "twin-failed", [LAYER_LAUNCH] = "launch",
	[LAYER_CALL] = "call",
};

/* Appends in one write, which processes at the same time do not mix. */
static void append(const char *variable, const char *bytes, size_t length)
{
	const char *path = getenv(variable);
	int file = path && *path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;

	if (file < 0)
		return;
	if (write(file, bytes, length) != (ssize_t)length)
		fprintf(stderr, "oclmm plant: cannot write to %s\n", path);
	close(file);
}

cl_command_queue layer_queue_of(cl_event event)
{
	cl_command_queue queue = NULL;
	cl_int code = layer_real->clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue),
	                                         &queue, NULL);

	return code == CL_SUCCESS ? queue : NULL;
}

void layer_note(enum layer_event event, size_t places)
{
	char line[128];
	int length = snprintf(line, sizeof(line), "%s %s %zu\n",
	                      plant_descriptions[layer_plant.bug].name, words[event], places);
	bool again;

	pthread_mutex_lock(&tally.lock);
	tally.events[event]++;
	tally.places += places;
	tally.untouched += event == LAYER_SOURCE && places == 0;
	again = event == LAYER_CALL && tally.events[event] > 1;
	pthread_mutex_unlock(&tally.lock);
	/* of calls there are many */
	if (!again)
		append("OCLMM_PLANT_LOG", line, (size_t)length);
}

static void summarise(void)
{
	fprintf(stderr,
	        "oclmm plant: %s: %zu places changed in %zu programs; %zu had nothing to "
	        "change, "
	        "%zu came as binaries or IL\n",
	        plant_descriptions[layer_plant.bug].name, tally.places,
	        tally.events[LAYER_SOURCE] - tally.untouched, tally.untouched,
	        tally.events[LAYER_BINARY] + tally.events[LAYER_IL]);
	if (plant_by_launch(layer_plant.bug))
		fprintf(stderr, "oclmm plant: they ran in %zu launches\n",
		        tally.events[LAYER_LAUNCH]);
	if (plant_in_calls(layer_plant.bug))
		fprintf(stderr, "oclmm plant: %zu calls changed\n", tally.events[LAYER_CALL]);
	if (tally.events[LAYER_TWIN_FAILED])
		fprintf(stderr, "oclmm plant: %zu changed programs could not be built\n",
		        tally.events[LAYER_TWIN_FAILED]);
}

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

/* ---- texts -------------------------------------------------------------- */

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
		append("OCLMM_PLANT_SAVE", oclmm_text_string(&changed), changed.length);
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
	own->clCreateProgramWithSource = create_program;
	own->clCreateProgramWithBinary = create_binary;
	own->clCreateProgramWithIL = create_il;
	if (plant_by_launch(layer_plant.bug))
		twins_init(own);
	calls_init(own);
	if (verbose && strcmp(verbose, "1") == 0)
		atexit(summarise);
	layer_note(LAYER_LOADED, 0);
	return true;
}
