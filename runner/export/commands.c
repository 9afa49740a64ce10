// SPDX-License-Identifier: Apache-2.0
/*
 * A test whose threads are commands of queues: the host's calls, written out one after the other.
 * Each object has CELLS cells, and each cell is an instance: a command does to all of them what the
 * test says of one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/exchange.h"
#include "internal.h"

struct writing {
	const struct export_job *job;
	const struct export_setting *setting;
	const struct oclmm_program *program;
	struct oclmm_text *text;
	uint32_t devices;
	uint32_t asked;      /* threads whose events somebody waits for */
	uint32_t leaving;    /* from outside of their queue: they are flushed */
	uint32_t called;     /* whose callbacks are waited for */
	uint32_t synced;     /* whose sync points something recorded waits for */
	uint32_t recordings; /* command buffers, 1u << number */
	uint32_t semaphores; /* likewise */
	bool transfers;      /* a fill, a copy or a barrier is recorded */
	uint32_t changed; /* kernels that are others when they are played again: a launch or … */
	uint32_t rebound; /* … arguments */
	bool lags;        /* a kernel comes before the first command */
	uint32_t subs;    /* sub-buffers that each buffer has */
};

static const struct oclmm_thread *thread_of(const struct writing *w, uint32_t thread)
{
	return &w->program->threads[thread];
}

static const struct oclmm_command *command_of(const struct writing *w, uint32_t thread)
{
	return &thread_of(w, thread)->placement.command;
}

static const struct oclmm_location *location_of(const struct writing *w, uint32_t location)
{
	return &w->program->locations[location];
}

static bool is_svm(const struct oclmm_location *l)
{
	return oclmm_storage_is_svm(l->storage);
}

static bool is_pipe(const struct oclmm_location *l)
{
	return l->storage == OCLMM_STORAGE_PIPE;
}

static bool is_host(const struct oclmm_location *l)
{
	return l->storage == OCLMM_STORAGE_HOST;
}

/* Made of memory that the host gave: an array of this file, called NAME_given. */
static bool is_given(const struct oclmm_location *l)
{
	return l->storage == OCLMM_STORAGE_HOST_POINTER;
}

static bool is_buffer(const struct oclmm_location *l)
{
	return !is_svm(l) && !is_host(l) && !is_pipe(l);
}

/* Shared virtual memory that a thread uses by its pointer, NAME_mem. The buffer over it is called
 * NAME_over. */
static bool is_pointer(const struct writing *w, uint32_t thread, uint32_t location)
{
	return is_svm(&w->program->locations[location]) &&
	       !oclmm_command_by_buffer(w->program, thread, location);
}

static bool has_buffer_over(const struct writing *w, uint32_t location)
{
	for (uint32_t i = 0; i < w->program->thread_count; i++) {
		const struct oclmm_thread *t = &w->program->threads[i];

		for (uint32_t k = 0; k < t->parameter_count; k++)
			if (t->parameters[k].location == location &&
			    oclmm_command_by_buffer(w->program, i, location))
				return true;
	}
	return false;
}

/* Whether the last thread that writes an object does so by a buffer over it. */
static bool is_last_by_buffer(const struct writing *w, uint32_t location)
{
	bool by_buffer = false;

	for (uint32_t i = 0; i < w->program->thread_count; i++)
		for (const struct oclmm_statement *s = w->program->threads[i].body; s; s = s->next)
			if (s->kind == OCLMM_STATEMENT_STORE && s->store.place.location == location)
				by_buffer = oclmm_command_by_buffer(w->program, i, location);
	return by_buffer;
}

/* One that is played again is there already. */
static bool has_kernel(const struct oclmm_command *command)
{
	return command->kind == OCLMM_COMMAND_KERNEL && !command->again;
}

/* ---- what stands alone ---------------------------------------------------------------------- */

static int check(struct writing *w, struct oclmm_error *error)
{
	for (uint32_t i = 0; i < w->program->location_count; i++) {
		const struct oclmm_location *l = location_of(w, i);

		if (l->storage == OCLMM_STORAGE_IMAGE_2D)
			return export_refuse(w->program, error, "its commands use an image");
		if (oclmm_storage_is_unified_svm(l->storage))
			return export_refuse(w->program, error,
			                     "its memory is of a type of cl_khr_unified_svm");
		if (l->storage == OCLMM_STORAGE_EXTERNAL)
			return export_refuse(w->program, error,
			                     "its external memory comes from another API");
		if (l->elements != 1 || oclmm_type_bits(l->type) != 32)
			return export_refuse(w->program, error,
			                     "its commands use an object that is not an int");
	}
	for (uint32_t i = 0; i < w->program->thread_count; i++) {
		const struct oclmm_command *c = command_of(w, i);

		if (c->device + 1 > w->devices)
			w->devices = c->device + 1;
		if (c->sub > w->subs)
			w->subs = c->sub;
		if (c->recording)
			w->recordings |= 1u << (c->recording - 1);
		w->transfers |= oclmm_command_is_recorded(c) && c->kind != OCLMM_COMMAND_KERNEL;
		w->synced |= c->after;
		w->semaphores |= c->semaphores;
		if (c->address)
			return export_refuse(w->program, error,
			                     "its kernels are given addresses of buffers");
		if (c->indirect)
			return export_refuse(w->program, error,
			                     "its kernels find pointers in other memory");
		if (oclmm_command_is_changed(w->program, i))
			w->rebound |= 1u << (c->again - 1);
		if (c->again && oclmm_command_launches(w->program, i))
			w->changed |= 1u << (c->again - 1);
		w->changed |= w->rebound;
		if (c->semaphores && w->devices > 1)
			return export_refuse(w->program, error,
			                     "it uses semaphores in a context of two devices");
		w->asked |= c->waits | c->callbacks | c->polls;
		w->called |= c->callbacks;
		w->leaving |= c->callbacks | c->polls;
		for (uint32_t k = 0; k < w->program->thread_count; k++)
			if (oclmm_command_is_queued(c->kind) && command_of(w, k)->queue != c->queue)
				w->leaving |= c->waits & 1u << k;
		/* who waits for a semaphore in another queue needs no flush by the text, and it
		 * hurts nobody */
		if (c->kind == OCLMM_COMMAND_SIGNAL)
			w->leaving |= 1u << i;
		/* the host gives back what it may use without having waited */
		if (c->kind == OCLMM_COMMAND_USER)
			w->asked |= 1u << i;
	}
	return 0;
}

/* ---- kernels -------------------------------------------------------------------------------- */

static void add_kernel_value(struct oclmm_text *text, const struct writing *w, uint32_t thread,
                             const struct oclmm_expression *value)
{
	if (value->kind == OCLMM_EXPRESSION_CONSTANT)
		oclmm_text_printf(text, "%lld", (long long)value->constant);
	else if (value->kind == OCLMM_EXPRESSION_REGISTER)
		oclmm_text_printf(text, "%s_value",
		                  thread_of(w, thread)->registers[value->reg].name);
	else
		oclmm_text_printf(text,
		                  is_pipe(location_of(w, value->load.location)) ? "take(%s)"
		                                                                : "%s[i]",
		                  location_of(w, value->load.location)->name);
}

/* A kernel has one end of a pipe (C:6.15.13). */
static bool stores_to(const struct oclmm_thread *thread, uint32_t location)
{
	for (const struct oclmm_statement *s = thread->body; s; s = s->next)
		if (s->kind == OCLMM_STATEMENT_STORE && s->store.place.location == location)
			return true;
	return false;
}

static void add_kernel_store(struct oclmm_text *text, const struct writing *w, uint32_t thread,
                             const struct oclmm_store *store)
{
	const char *name = location_of(w, store->place.location)->name;
	bool pipe = is_pipe(location_of(w, store->place.location));

	oclmm_text_printf(text, pipe ? "\tint %s_packet = " : "\t%s[i] = ", name);
	add_kernel_value(text, w, thread, store->value);
	if (pipe)
		oclmm_text_printf(text, ";\n\twrite_pipe(%s, &%s_packet)", name, name);
}

/* Of work-groups in which a kernel reaches its cells, where it does not in ones of half that size.
 */
enum { CELLS = 4096, GROUP = 16 };
/* CL_MUTABLE_DISPATCH_ARGUMENTS_KHR; OCLMM_LAUNCH_* are the bits of the others. */
enum { ARGUMENTS = 1 << 3 };

/* The cell of a work-item; of a launch that is changed between replays, by what it has to be. */
static void add_index(struct oclmm_text *text, unsigned launches)
{
	if (!launches) {
		oclmm_text_add(text, ")\n{\n\tconst size_t i = get_global_id(0);\n\n");
		return;
	}
	oclmm_text_add(text, ")\n{\n\tconst size_t i = get_global_id(0)");
	if (launches & OCLMM_LAUNCH_SIZE)
		oclmm_text_printf(text, " - %d", CELLS);
	oclmm_text_printf(text, ";\n\n\tif (i >= %d", CELLS);
	if (launches & OCLMM_LAUNCH_LOCAL)
		oclmm_text_printf(text, " || get_local_size(0) != %d", GROUP);
	oclmm_text_add(text, ")\n\t\treturn;\n");
}

/* Its text is that of a run which reaches the cells. */
static void add_kernel(struct oclmm_text *text, const struct writing *w, uint32_t recorded)
{
	uint32_t thread = oclmm_command_reaching(w->program, recorded);
	const struct oclmm_thread *t = thread_of(w, thread);
	const char *comma = "";

	oclmm_text_printf(text, "kernel void P%u(", thread_of(w, recorded)->id);
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		const struct oclmm_location *l = location_of(w, t->parameters[i].location);

		oclmm_text_printf(text, "%s%s%s", comma,
		                  !is_pipe(l)                               ? "global int *"
		                  : stores_to(t, t->parameters[i].location) ? "write_only pipe int "
		                                                            : "read_only pipe int ",
		                  l->name);
		comma = ", ";
	}
	for (uint32_t i = 0; i < t->register_count; i++) {
		oclmm_text_printf(text, "%sglobal int *%s_out", comma, t->registers[i].name);
		comma = ", ";
	}
	add_index(text, oclmm_command_launches(w->program, recorded));
	for (const struct oclmm_statement *s = t->body; s; s = s->next) {
		if (s->kind == OCLMM_STATEMENT_STORE) {
			add_kernel_store(text, w, thread, &s->store);
		} else {
			const char *name = t->registers[s->assign.reg].name;

			oclmm_text_printf(text, "\tint %s_value = ", name);
			add_kernel_value(text, w, thread, s->assign.value);
			oclmm_text_printf(text, ";\n\t%s_out[i] = %s_value", name, name);
		}
		oclmm_text_add(text, ";\n");
	}
	oclmm_text_add(text, "}\n");
}

static bool has_pipes(const struct writing *w)
{
	for (uint32_t i = 0; i < w->program->location_count; i++)
		if (is_pipe(location_of(w, i)))
			return true;
	return false;
}

static void add_kernels(struct oclmm_text *text, const struct writing *w)
{
	if (has_pipes(w))
		oclmm_text_add(text, "/* A packet, or 0 where there is none. */\n"
		                     "int take(read_only pipe int from)\n{\n"
		                     "\tint packet;\n\n"
		                     "\treturn read_pipe(from, &packet) == 0 ? packet : 0;\n}\n");
	if (w->lags)
		oclmm_text_add(text,
		               "/* Takes its time, so that what does not wait comes too early. */\n"
		               "kernel void lag(global uint *end, const uint steps)\n{\n"
		               "\tuint number = steps;\n\n"
		               "\tfor (uint k = 0; k < steps; k++)\n"
		               "\t\tnumber = number * 1664525 + k;\n"
		               "\t*end = number;\n}\n");
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (has_kernel(command_of(w, i)))
			add_kernel(text, w, i);
}

/* ---- names ---------------------------------------------------------------------------------- */

static void put(const struct writing *w, const char *string)
{
	oclmm_text_add(w->text, string);
}

static bool is_first_of_queue(const struct writing *w, uint32_t thread)
{
	const struct oclmm_command *c = command_of(w, thread);

	if (!oclmm_command_is_queued(c->kind))
		return false;
	for (uint32_t i = 0; i < thread; i++)
		if (oclmm_command_is_queued(command_of(w, i)->kind) &&
		    command_of(w, i)->queue == c->queue)
			return false;
	return true;
}

static uint32_t first_queued(const struct writing *w)
{
	uint32_t i = 0;

	while (i < w->program->thread_count && !oclmm_command_is_queued(command_of(w, i)->kind))
		i++;
	return i;
}

/* Whether a command has to wait for the lag before the first one, as its queue holds up nobody. */
static bool waits_for_lag(const struct writing *w, uint32_t thread)
{
	return w->lags && thread == first_queued(w) && command_of(w, thread)->unordered;
}

/* The lag is where the first command is: in a command buffer, or in the queue itself. */
static bool records_lag(const struct writing *w)
{
	return w->lags && oclmm_command_is_recorded(command_of(w, first_queued(w)));
}

/* What the host reads or writes of an object: its own memory, a map, or memory that it shares. What
 * it gave shows what is mapped (A:5.5.4), and is read there. */
static void add_memory(const struct writing *w, uint32_t thread, uint32_t location, bool reads)
{
	const struct oclmm_location *l = location_of(w, location);
	bool mapped = false;

	for (uint32_t i = 0; i < w->program->thread_count; i++)
		for (uint32_t k = 0; k < thread_of(w, i)->parameter_count; k++)
			mapped |= command_of(w, i)->kind == OCLMM_COMMAND_MAP &&
			          thread_of(w, i)->parameters[k].location == location;
	if (is_pointer(w, thread, location))
		oclmm_text_printf(w->text, "((volatile cl_int *)%s_mem)", l->name);
	else if (reads && is_given(l))
		oclmm_text_printf(w->text, "((volatile cl_int *)%s_given)", l->name);
	else if (mapped)
		oclmm_text_printf(w->text, "%s_map", l->name);
	else
		oclmm_text_printf(w->text, "%s_host", l->name);
}

/* The number and the list of what a command waits for, and its own address or NULL: events e0, e1,
 * …, or sync points s0, s1, … The lag before the first command is one of them. */
static void add_list(const struct writing *w, uint32_t thread, const char *type, char letter,
                     uint32_t waits, uint32_t named)
{
	uint32_t count = 0;
	struct oclmm_text list = {0};

	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (waits >> i & 1)
			oclmm_text_printf(&list, "%s%c%u", count++ ? ", " : "", letter,
			                  thread_of(w, i)->id);
	if (waits_for_lag(w, thread))
		oclmm_text_printf(&list, "%slagging", count++ ? ", " : "");
	if (count)
		oclmm_text_printf(w->text, "%u, (%s[]){%s}, ", count, type,
		                  oclmm_text_string(&list));
	else
		put(w, "0, NULL, ");
	if (named >> thread & 1)
		oclmm_text_printf(w->text, "&%c%u", letter, thread_of(w, thread)->id);
	else
		put(w, "NULL");
	oclmm_text_finish(&list);
}

/* The arguments for events. */
static void add_waits(const struct writing *w, uint32_t thread)
{
	add_list(w, thread, "cl_event", 'e', command_of(w, thread)->waits, w->asked);
}

/* The last arguments of a function that records, and its end. */
static void add_sync_points(const struct writing *w, uint32_t thread)
{
	add_list(w, thread, "cl_uint", 's', command_of(w, thread)->after, w->synced);
	if (w->changed >> thread & 1)
		oclmm_text_printf(w->text, ", &h%u));\n", thread_of(w, thread)->id);
	else
		put(w, ", NULL));\n");
}

struct name {
	char text[128];
};

/* The object, or the sub-buffer of it that a command uses. */
static struct name name_of(const struct writing *w, uint32_t thread, uint32_t location)
{
	uint32_t sub = command_of(w, thread)->sub;
	struct name name;

	if (sub && is_buffer(location_of(w, location)))
		snprintf(name.text, sizeof(name.text), "%.100s_sub%u",
		         location_of(w, location)->name, sub);
	else
		snprintf(name.text, sizeof(name.text), "%.100s_%s", location_of(w, location)->name,
		         oclmm_command_by_buffer(w->program, thread, location) ? "over" : "mem");
	return name;
}

/* ---- commands ------------------------------------------------------------------------------- */

/* The parameters of a launch in C, of a kernel for which a set of them, of OCLMM_LAUNCH_*, is ever
 * another one. By those that a command misses its kernel reaches no cell. */
struct launch {
	char offset[24], global[24], local[24];
};

static struct launch launch_of(const struct oclmm_command *c, unsigned changes)
{
	int unused = changes & OCLMM_LAUNCH_SIZE ? CELLS : 0;
	struct launch launch;

	snprintf(launch.offset, sizeof(launch.offset), "&(size_t){%d}",
	         c->misses & OCLMM_LAUNCH_OFFSET ? unused + CELLS : 0);
	snprintf(launch.global, sizeof(launch.global), "&(size_t){%d}",
	         c->misses & OCLMM_LAUNCH_SIZE ? unused : unused + CELLS);
	if (changes & OCLMM_LAUNCH_LOCAL)
		snprintf(launch.local, sizeof(launch.local), "&(size_t){%d}",
		         c->misses & OCLMM_LAUNCH_LOCAL ? GROUP / 2 : GROUP);
	else
		snprintf(launch.local, sizeof(launch.local), "NULL");
	return launch;
}

/* The queue by which a command is recorded: it is given where there are several. */
static struct queue_name {
	char text[16];
} recorded_by(const struct writing *w, uint32_t thread)
{
	const struct oclmm_command *c = command_of(w, thread);
	struct queue_name name = {"NULL"};

	if (oclmm_command_several_queues(w->program, c->recording))
		snprintf(name.text, sizeof(name.text), "queue%u", c->queue);
	return name;
}

static void add_record_kernel(const struct writing *w, uint32_t thread)
{
	const struct oclmm_command *c = command_of(w, thread);
	unsigned changes = oclmm_command_launches(w->program, thread);
	const struct launch launch = launch_of(c, changes);

	oclmm_text_printf(w->text, "\t\tCHECK(record_kernel(recording%u, %s, ", c->recording - 1,
	                  recorded_by(w, thread).text);
	if (w->changed >> thread & 1)
		oclmm_text_printf(w->text,
		                  "(cl_ulong[]){0x12B1 /* "
		                  "CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR */, %u, 0}",
		                  changes | (w->rebound >> thread & 1 ? ARGUMENTS : 0));
	else
		put(w, "NULL");
	if (changes)
		oclmm_text_printf(w->text, ", P%u, 1, %s, %s, %s, ", thread_of(w, thread)->id,
		                  launch.offset, launch.global, launch.local);
	else
		oclmm_text_printf(w->text, ", P%u, 1, NULL, &cells, NULL, ",
		                  thread_of(w, thread)->id);
	add_sync_points(w, thread);
}

static void add_enqueue_kernel(const struct writing *w, uint32_t thread)
{
	const struct oclmm_thread *t = thread_of(w, thread);
	uint32_t index = 0;

	for (uint32_t i = 0; i < t->parameter_count; i++) {
		const struct oclmm_location *l = location_of(w, t->parameters[i].location);

		if (is_pointer(w, thread, t->parameters[i].location))
			oclmm_text_printf(w->text,
			                  "\t\tCHECK(clSetKernelArgSVMPointer(P%u, %u, %s_mem));\n",
			                  t->id, index++, l->name);
		else
			oclmm_text_printf(
				w->text,
				"\t\tCHECK(clSetKernelArg(P%u, %u, sizeof(cl_mem), &%s));\n", t->id,
				index++, name_of(w, thread, t->parameters[i].location).text);
	}
	for (uint32_t i = 0; i < t->register_count; i++)
		oclmm_text_printf(
			w->text,
			"\t\tCHECK(clSetKernelArg(P%u, %u, sizeof(cl_mem), &P%u_%s_mem));\n", t->id,
			index++, t->id, t->registers[i].name);
	if (command_of(w, thread)->recording) {
		add_record_kernel(w, thread);
		return;
	}
	oclmm_text_printf(w->text,
	                  "\t\tCHECK(clEnqueueNDRangeKernel(queue%u, P%u, 1, NULL, &cells, NULL, ",
	                  command_of(w, thread)->queue, t->id);
	add_waits(w, thread);
	put(w, "));\n");
}

/* The objects that a kernel has when it is played again, and its launch, where these are ever
 * others. */
static void add_change(const struct writing *w, uint32_t thread)
{
	const struct oclmm_thread *t = thread_of(w, thread);
	const struct oclmm_command *c = command_of(w, thread);
	unsigned changes = oclmm_command_launches(w->program, thread);
	const struct launch launch = launch_of(c, changes);
	uint32_t count = 0;

	if (!(w->changed >> (c->again - 1) & 1))
		return;
	oclmm_text_printf(
		w->text,
		"\t\tCHECK(update(recording%u, 1, (cl_uint[]){0 /* a kernel */}, (const void "
		"*[]){&(struct changed_kernel){\n\t\t\t.command = h%u",
		c->recording - 1, thread_of(w, c->again - 1)->id);
	if (changes)
		put(w, ", .dimensions = 1");
	if (changes & OCLMM_LAUNCH_OFFSET)
		oclmm_text_printf(w->text, ", .offset = %s", launch.offset);
	if (changes & OCLMM_LAUNCH_SIZE)
		oclmm_text_printf(w->text, ", .global = %s", launch.global);
	if (changes & OCLMM_LAUNCH_LOCAL)
		oclmm_text_printf(w->text, ", .local = %s", launch.local);
	if (w->rebound >> (c->again - 1) & 1) {
		put(w, ", .argument = (struct changed_argument[]){");
		for (uint32_t i = 0; i < t->parameter_count; i++) {
			if (is_svm(location_of(w, t->parameters[i].location)))
				continue;
			oclmm_text_printf(w->text, "%s{%u, sizeof(cl_mem), &%s}",
			                  count++ ? ", " : "", i,
			                  name_of(w, thread, t->parameters[i].location).text);
		}
		oclmm_text_printf(w->text, "}, .arguments = %u", count);
	}
	put(w, "}}));\n");
}

static void add_map(const struct writing *w, uint32_t thread)
{
	const struct oclmm_command *c = command_of(w, thread);
	const struct oclmm_location *l = location_of(w,
	                                             thread_of(w, thread)->parameters[0].location);
	unsigned map = c->map ? c->map : OCLMM_MAP_READ | OCLMM_MAP_WRITE;
	const char *flags = map & OCLMM_MAP_INVALIDATE ? "CL_MAP_WRITE_INVALIDATE_REGION"
	                    : map == OCLMM_MAP_READ    ? "CL_MAP_READ"
	                    : map == OCLMM_MAP_WRITE   ? "CL_MAP_WRITE"
	                                               : "CL_MAP_READ | CL_MAP_WRITE";

	if (is_pointer(w, thread, thread_of(w, thread)->parameters[0].location)) {
		oclmm_text_printf(w->text,
		                  "\t\tCHECK(clEnqueueSVMMap(queue%u, %s, %s, %s_mem, SIZE, ",
		                  c->queue, c->blocking ? "CL_TRUE" : "CL_FALSE", flags, l->name);
		add_waits(w, thread);
		put(w, "));\n");
		return;
	}
	oclmm_text_printf(w->text, "\t\t%s_map = clEnqueueMapBuffer(queue%u, %s, %s, %s, 0, SIZE, ",
	                  l->name, c->queue,
	                  name_of(w, thread, thread_of(w, thread)->parameters[0].location).text,
	                  c->blocking ? "CL_TRUE" : "CL_FALSE", flags);
	add_waits(w, thread);
	put(w, ", &code);\n\t\tcheck(code, \"clEnqueueMapBuffer\");\n");
}

/* Who mapped what a thread unmaps. */
static uint32_t mapped_by(const struct writing *w, uint32_t thread)
{
	uint32_t location = thread_of(w, thread)->parameters[0].location;

	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (command_of(w, i)->kind == OCLMM_COMMAND_MAP &&
		    thread_of(w, i)->parameters[0].location == location)
			return i;
	return thread;
}

static void add_unmap(const struct writing *w, uint32_t thread)
{
	const struct oclmm_location *l = location_of(w,
	                                             thread_of(w, thread)->parameters[0].location);

	if (is_pointer(w, thread, thread_of(w, thread)->parameters[0].location))
		oclmm_text_printf(w->text, "\t\tCHECK(clEnqueueSVMUnmap(queue%u, %s_mem, ",
		                  command_of(w, thread)->queue, l->name);
	else
		oclmm_text_printf(w->text,
		                  "\t\tCHECK(clEnqueueUnmapMemObject(queue%u, %s, (void *)%s_map, ",
		                  command_of(w, thread)->queue,
		                  name_of(w, mapped_by(w, thread),
		                          thread_of(w, thread)->parameters[0].location)
		                          .text,
		                  l->name);
	add_waits(w, thread);
	put(w, "));\n");
}

/* An object as a transfer has it. */
static struct name end_of(const struct writing *w, uint32_t thread, uint32_t location)
{
	struct name name = name_of(w, thread, location);

	if (is_host(location_of(w, location)))
		snprintf(name.text, sizeof(name.text), "%.100s_host",
		         location_of(w, location)->name);
	return name;
}

/* As two halves of 64 rows: the right one waits for the left one, and its event is that
 * of both. */
static void add_rect(const struct writing *w, uint32_t thread, const char *from, const char *to)
{
	const struct oclmm_command *c = command_of(w, thread);
	bool copies = c->kind == OCLMM_COMMAND_COPY, writes = c->kind == OCLMM_COMMAND_WRITE;
	struct oclmm_text list = {0};
	uint32_t count = 0;

	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (c->waits >> i & 1)
			oclmm_text_printf(&list, "%se%u", count++ ? ", " : "", thread_of(w, i)->id);
	if (waits_for_lag(w, thread))
		oclmm_text_printf(&list, "%slagging", count++ ? ", " : "");
	put(w, "\t\t{\n\t\t\tcl_event left;\n\n");
	for (unsigned half = 0; half < 2; half++) {
		const char *origin = half ? "(size_t[]){SIZE / 128, 0, 0}" : "(size_t[]){0, 0, 0}";

		oclmm_text_printf(w->text, "\t\t\tCHECK(%s(queue%u, %s, ",
		                  oclmm_command_function(w->program, thread), c->queue,
		                  writes ? to : from);
		if (copies)
			oclmm_text_printf(w->text, "%s, ", to);
		else
			put(w, c->blocking ? "CL_TRUE, " : "CL_FALSE, ");
		oclmm_text_printf(
			w->text,
			"%s, %s, (size_t[]){SIZE / 128, 64, 1}, SIZE / 64, SIZE, SIZE / 64, "
			"SIZE, ",
			origin, origin);
		if (!copies)
			oclmm_text_printf(w->text, "%s, ", writes ? from : to);
		if (half)
			oclmm_text_printf(w->text, "%u, (cl_event[]){%s%sleft}, ", count + 1,
			                  oclmm_text_string(&list), count ? ", " : "");
		else if (count)
			oclmm_text_printf(w->text, "%u, (cl_event[]){%s}, ", count,
			                  oclmm_text_string(&list));
		else
			put(w, "0, NULL, ");
		if (!half)
			put(w, "&left));\n");
		else if (w->asked >> thread & 1)
			oclmm_text_printf(w->text, "&e%u));\n", thread_of(w, thread)->id);
		else
			put(w, "NULL));\n");
	}
	put(w, "\t\t\tCHECK(clReleaseEvent(left));\n\t\t}\n");
	oclmm_text_finish(&list);
}

static void add_transfer(const struct writing *w, uint32_t thread)
{
	const struct oclmm_command *c = command_of(w, thread);
	const struct oclmm_store *s = &thread_of(w, thread)->body->store;
	bool from = c->kind != OCLMM_COMMAND_FILL;
	const char *blocking = c->blocking ? "CL_TRUE" : "CL_FALSE";
	struct name at = end_of(w, thread, s->place.location);
	struct name origin = from ? end_of(w, thread, s->value->load.location) : at;
	bool pointer = is_pointer(w, thread, s->place.location) ||
	               (from && is_pointer(w, thread, s->value->load.location));

	if (c->recording) {
		oclmm_text_printf(w->text, "\t\tCHECK(record_%s(recording%u, %s, ",
		                  from ? "copy" : "fill", c->recording - 1,
		                  recorded_by(w, thread).text);
		if (from)
			oclmm_text_printf(w->text, "%s, %s, 0, 0, SIZE, ", origin.text, at.text);
		else
			oclmm_text_printf(w->text, "%s, &(cl_int){%lld}, sizeof(cl_int), 0, SIZE, ",
			                  at.text, (long long)s->value->constant);
		add_sync_points(w, thread);
		return;
	}
	if (c->rect) {
		add_rect(w, thread, origin.text, at.text);
		return;
	}
	if (c->kind == OCLMM_COMMAND_FILL)
		oclmm_text_printf(
			w->text,
			"\t\tCHECK(%s(queue%u, %s, &(cl_int){%lld}, sizeof(cl_int), %sSIZE, ",
			pointer ? "clEnqueueSVMMemFill" : "clEnqueueFillBuffer", c->queue, at.text,
			(long long)s->value->constant, pointer ? "" : "0, ");
	else if (pointer)
		oclmm_text_printf(w->text,
		                  "\t\tCHECK(clEnqueueSVMMemcpy(queue%u, %s, %s, %s, SIZE, ",
		                  c->queue, blocking, at.text, origin.text);
	else if (c->kind == OCLMM_COMMAND_COPY)
		oclmm_text_printf(w->text,
		                  "\t\tCHECK(clEnqueueCopyBuffer(queue%u, %s, %s, 0, 0, SIZE, ",
		                  c->queue, origin.text, at.text);
	else if (c->kind == OCLMM_COMMAND_WRITE)
		oclmm_text_printf(w->text,
		                  "\t\tCHECK(clEnqueueWriteBuffer(queue%u, %s, %s, 0, SIZE, %s, ",
		                  c->queue, at.text, blocking, origin.text);
	else
		oclmm_text_printf(w->text,
		                  "\t\tCHECK(clEnqueueReadBuffer(queue%u, %s, %s, 0, SIZE, %s, ",
		                  c->queue, origin.text, blocking, at.text);
	add_waits(w, thread);
	put(w, "));\n");
}

static void add_migrate(const struct writing *w, uint32_t thread)
{
	const struct oclmm_thread *t = thread_of(w, thread);

	oclmm_text_printf(w->text, "\t\tCHECK(clEnqueueMigrateMemObjects(queue%u, %u, (cl_mem[]){",
	                  command_of(w, thread)->queue, t->parameter_count);
	for (uint32_t i = 0; i < t->parameter_count; i++)
		oclmm_text_printf(w->text, "%s%s", i ? ", " : "",
		                  name_of(w, thread, t->parameters[i].location).text);
	put(w, "}, 0, ");
	add_waits(w, thread);
	put(w, "));\n");
}

static void add_marker(const struct writing *w, uint32_t thread)
{
	if (command_of(w, thread)->recording) {
		oclmm_text_printf(w->text, "\t\tCHECK(record_barrier(recording%u, %s, ",
		                  command_of(w, thread)->recording - 1,
		                  recorded_by(w, thread).text);
		add_sync_points(w, thread);
		return;
	}
	oclmm_text_printf(w->text, "\t\tCHECK(%s(queue%u, ",
	                  oclmm_command_function(w->program, thread), command_of(w, thread)->queue);
	add_waits(w, thread);
	put(w, "));\n");
}

/* Whether a replay is the first of its command buffer. */
static bool is_first_replay(const struct writing *w, uint32_t thread)
{
	for (uint32_t i = 0; i < thread; i++)
		if (command_of(w, i)->kind == OCLMM_COMMAND_REPLAY &&
		    command_of(w, i)->recording == command_of(w, thread)->recording)
			return false;
	return true;
}

/* The queue that a command buffer is made for: that of its first command. */
static uint32_t recorded_for(const struct writing *w, uint32_t recording)
{
	uint32_t i = 0;

	while (command_of(w, i)->recording != recording)
		i++;
	return command_of(w, i)->queue;
}

static void add_replay(const struct writing *w, uint32_t thread)
{
	const struct oclmm_command *c = command_of(w, thread);
	uint32_t recording = c->recording - 1;

	if (is_first_replay(w, thread))
		oclmm_text_printf(w->text, "\t\tCHECK(finalize(recording%u));\n", recording);
	if (recorded_for(w, c->recording) == c->queue)
		oclmm_text_printf(w->text, "\t\tCHECK(replay(0, NULL, recording%u, ", recording);
	else
		oclmm_text_printf(w->text, "\t\tCHECK(replay(1, &queue%u, recording%u, ", c->queue,
		                  recording);
	add_waits(w, thread);
	put(w, "));\n");
}

static void add_use_of_semaphores(const struct writing *w, uint32_t thread)
{
	const struct oclmm_command *c = command_of(w, thread);
	unsigned count = 0;

	for (uint32_t i = 0; i < OCLMM_SEMAPHORES_MOST; i++)
		count += c->semaphores >> i & 1;
	oclmm_text_printf(w->text, "\t\tCHECK(%s(queue%u, %u, (void *[]){",
	                  c->kind == OCLMM_COMMAND_SIGNAL ? "signal_semaphores"
	                                                  : "await_semaphores",
	                  c->queue, count);
	for (uint32_t i = 0, n = 0; i < OCLMM_SEMAPHORES_MOST; i++)
		if (c->semaphores >> i & 1)
			oclmm_text_printf(w->text, "%ssemaphore%u", n++ ? ", " : "", i);
	put(w, "}, NULL, ");
	add_waits(w, thread);
	put(w, "));\n");
}

/* ---- the host ------------------------------------------------------------------------------- */

static void add_wait_for_events(const struct writing *w, uint32_t set)
{
	uint32_t count = 0;

	if (!set)
		return;
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		count += set >> i & 1;
	oclmm_text_printf(w->text, "\t\tCHECK(clWaitForEvents(%u, (cl_event[]){", count);
	for (uint32_t i = 0, n = 0; i < w->program->thread_count; i++)
		if (set >> i & 1)
			oclmm_text_printf(w->text, "%se%u", n++ ? ", " : "", thread_of(w, i)->id);
	put(w, "}));\n");
}

static void add_queues(const struct writing *w, uint32_t set, const char *function)
{
	for (uint32_t i = 0; i < OCLMM_QUEUES_MOST; i++)
		if (set >> i & 1)
			oclmm_text_printf(w->text, "\t\tCHECK(%s(queue%u));\n", function, i);
}

static void add_host_value(const struct writing *w, uint32_t thread,
                           const struct oclmm_expression *value)
{
	if (value->kind == OCLMM_EXPRESSION_CONSTANT) {
		oclmm_text_printf(w->text, "%lld", (long long)value->constant);
	} else if (value->kind == OCLMM_EXPRESSION_REGISTER) {
		oclmm_text_printf(w->text, "P%u_%s[i]", thread_of(w, thread)->id,
		                  thread_of(w, thread)->registers[value->reg].name);
	} else {
		add_memory(w, thread, value->load.location, true);
		put(w, "[i]");
	}
}

static void add_host(const struct writing *w, uint32_t thread)
{
	const struct oclmm_command *c = command_of(w, thread);
	const struct oclmm_thread *t = thread_of(w, thread);

	add_queues(w, c->flushes, "clFlush");
	add_wait_for_events(w, c->waits);
	for (uint32_t i = 0; i < w->program->thread_count; i++) {
		if (c->callbacks >> i & 1)
			oclmm_text_printf(w->text, "\t\twhile (!called_%u)\n\t\t\t;\n",
			                  thread_of(w, i)->id);
		if (c->polls >> i & 1)
			oclmm_text_printf(w->text, "\t\twhile (!is_complete(e%u))\n\t\t\t;\n",
			                  thread_of(w, i)->id);
	}
	add_queues(w, c->finishes, "clFinish");
	if (!t->body)
		return;
	oclmm_text_printf(w->text, "\t\tfor (size_t i = 0; i < cells; i++)%s /* P%u, the host */\n",
	                  t->body->next ? " {" : "", t->id);
	for (const struct oclmm_statement *s = t->body; s; s = s->next) {
		put(w, "\t\t\t");
		if (s->kind == OCLMM_STATEMENT_STORE) {
			add_memory(w, thread, s->store.place.location, false);
			put(w, "[i] = ");
			add_host_value(w, thread, s->store.value);
		} else {
			oclmm_text_printf(w->text, "P%u_%s[i] = ", t->id,
			                  t->registers[s->assign.reg].name);
			add_host_value(w, thread, s->assign.value);
		}
		put(w, ";\n");
	}
	put(w, t->body->next ? "\t\t}\n" : "");
}

static void add_thread(const struct writing *w, uint32_t thread)
{
	const struct oclmm_command *c = command_of(w, thread);
	unsigned id = thread_of(w, thread)->id;

	/* it is recorded already */
	if (c->again) {
		add_change(w, thread);
		return;
	}
	switch (c->kind) {
	case OCLMM_COMMAND_HOST: add_host(w, thread); break;
	case OCLMM_COMMAND_KERNEL: add_enqueue_kernel(w, thread); break;
	case OCLMM_COMMAND_FILL:
	case OCLMM_COMMAND_WRITE:
	case OCLMM_COMMAND_READ:
	case OCLMM_COMMAND_COPY: add_transfer(w, thread); break;
	case OCLMM_COMMAND_MAP: add_map(w, thread); break;
	case OCLMM_COMMAND_UNMAP: add_unmap(w, thread); break;
	case OCLMM_COMMAND_MIGRATE: add_migrate(w, thread); break;
	case OCLMM_COMMAND_MARKER:
	case OCLMM_COMMAND_BARRIER: add_marker(w, thread); break;
	case OCLMM_COMMAND_REPLAY: add_replay(w, thread); break;
	case OCLMM_COMMAND_SIGNAL:
	case OCLMM_COMMAND_WAIT: add_use_of_semaphores(w, thread); break;
	case OCLMM_COMMAND_USER:
		add_wait_for_events(w, c->waits);
		oclmm_text_printf(w->text, "\t\tCHECK(clSetUserEventStatus(e%u, CL_COMPLETE));\n",
		                  id);
		break;
	default: break;
	}
	if (w->called >> thread & 1)
		oclmm_text_printf(w->text,
		                  "\t\tCHECK(clSetEventCallback(e%u, CL_COMPLETE, note_end, (void "
		                  "*)&called_%u));\n",
		                  id, id);
	if (oclmm_command_is_queued(c->kind) && w->leaving >> thread & 1) {
		/* of a replay in several queues each has a part of it */
		bool several = c->kind == OCLMM_COMMAND_REPLAY &&
		               oclmm_command_several_queues(w->program, c->recording);
		uint32_t queues = several ? oclmm_command_recorded_for(w->program, c->recording)
		                          : 1u << c->queue;

		for (uint32_t i = 0; queues >> i; i++)
			if (queues >> i & 1)
				oclmm_text_printf(w->text, "\t\tCHECK(clFlush(queue%u));\n", i);
	}
}

/* ---- what stands before main() -------------------------------------------------------------- */

static const char memory_function[] =
	"/* With `value` in each cell. */\n"
	"static cl_mem memory(cl_int value)\n"
	"{\n"
	"\tstatic cl_int values[CELLS];\n"
	"\tcl_int code;\n"
	"\tcl_mem made;\n"
	"\n"
	"\tfor (int i = 0; i < CELLS; i++)\n"
	"\t\tvalues[i] = value;\n"
	"\tmade = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(values), values, &code);\n"
	"\tcheck(code, \"clCreateBuffer\");\n"
	"\treturn made;\n"
	"}\n"
	"\n";

static const char share_function[] =
	"/* The same of shared virtual memory, or of the heap where `flags` is 0. */\n"
	"static void *share(cl_int value, cl_svm_mem_flags flags)\n"
	"{\n"
	"\tsize_t size = CELLS * sizeof(cl_int);\n"
	"\tvoid *made = flags ? clSVMAlloc(context, flags, size, 0) : malloc(size);\n"
	"\n"
	"\tif (!made && fprintf(stderr, \"the device lacks such shared virtual memory\\n\"))\n"
	"\t\texit(77);\n"
	"\tif (!flags)\n"
	"\t\tfor (int i = 0; i < CELLS; i++)\n"
	"\t\t\t((cl_int *)made)[i] = value;\n"
	"\telse\n"
	"\t\tCHECK(clEnqueueSVMMemFill(queue%u, made, &value, sizeof(value), size, 0, NULL, "
	"NULL));\n"
	"\tCHECK(clFinish(queue%u));\n"
	"\treturn made;\n"
	"}\n"
	"\n";

static const char note_end[] =
	"static void CL_CALLBACK note_end(cl_event event, cl_int status, void *flag)\n"
	"{\n"
	"\t(void)event, (void)status;\n"
	"\tatomic_store((atomic_int *)flag, 1);\n"
	"}\n"
	"\n";

static const char is_complete[] =
	"static int is_complete(cl_event event)\n"
	"{\n"
	"\tcl_int status = CL_QUEUED;\n"
	"\n"
	"\tCHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, "
	"NULL));\n"
	"\treturn status <= CL_COMPLETE;\n"
	"}\n"
	"\n";

/* What extensions bring. Headers have one version of them or another. */
static const struct extension_function {
	const char *result, *name, *function, *parameters;
	bool of_semaphores;           /* and not of command buffers */
	enum oclmm_command_kind kind; /* that is recorded by it; NONE: what all need */
} extension_functions[] = {
	{"void *", "create", "clCreateCommandBufferKHR",
         "cl_uint, const cl_command_queue *, const cl_ulong *, cl_int *", false,
         OCLMM_COMMAND_NONE},
	{"cl_int ", "finalize", "clFinalizeCommandBufferKHR", "void *", false, OCLMM_COMMAND_NONE},
	{"cl_int ", "release", "clReleaseCommandBufferKHR", "void *", false, OCLMM_COMMAND_NONE},
	{"cl_int ", "replay", "clEnqueueCommandBufferKHR",
         "cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *, cl_event *", false,
         OCLMM_COMMAND_NONE},
	{"cl_int ", "record_kernel", "clCommandNDRangeKernelKHR",
         "void *, void *, const cl_ulong *, cl_kernel, cl_uint, const size_t *, const size_t *,\n"
         "\tconst size_t *, cl_uint, const cl_uint *, cl_uint *, void **",
         false, OCLMM_COMMAND_KERNEL},
	{"cl_int ", "record_fill", "clCommandFillBufferKHR",
         "void *, void *, cl_mem, const void *, size_t, size_t, size_t,\n"
         "\tcl_uint, const cl_uint *, cl_uint *, void **",
         false, OCLMM_COMMAND_FILL},
	{"cl_int ", "record_copy", "clCommandCopyBufferKHR",
         "void *, void *, cl_mem, cl_mem, size_t, size_t, size_t,\n"
         "\tcl_uint, const cl_uint *, cl_uint *, void **",
         false, OCLMM_COMMAND_COPY},
	{"cl_int ", "record_barrier", "clCommandBarrierWithWaitListKHR",
         "void *, void *, cl_uint, const cl_uint *, cl_uint *, void **", false,
         OCLMM_COMMAND_BARRIER},
	{"cl_int ", "update", "clUpdateMutableCommandsKHR",
         "void *, cl_uint, const cl_uint *, const void **", false, OCLMM_COMMAND_REPLAY},
	{"void *", "create_semaphore", "clCreateSemaphoreWithPropertiesKHR",
         "cl_context, const cl_ulong *, cl_int *", true, OCLMM_COMMAND_NONE},
	{"cl_int ", "release_semaphore", "clReleaseSemaphoreKHR", "void *", true,
         OCLMM_COMMAND_NONE},
	{"cl_int ", "signal_semaphores", "clEnqueueSignalSemaphoresKHR",
         "cl_command_queue, cl_uint, void *const *,\n"
         "\tconst cl_ulong *, cl_uint, const cl_event *, cl_event *",
         true, OCLMM_COMMAND_NONE},
	{"cl_int ", "await_semaphores", "clEnqueueWaitSemaphoresKHR",
         "cl_command_queue, cl_uint, void *const *,\n"
         "\tconst cl_ulong *, cl_uint, const cl_event *, cl_event *",
         true, OCLMM_COMMAND_NONE},
};

static bool is_function_used(const struct writing *w, const struct extension_function *f)
{
	if (!(f->of_semaphores ? w->semaphores : w->recordings))
		return false;
	/* a replay records nothing: that changes what others play */
	if (f->kind == OCLMM_COMMAND_REPLAY)
		return w->changed != 0;
	if (f->kind == OCLMM_COMMAND_NONE || (f->kind == OCLMM_COMMAND_KERNEL && records_lag(w)))
		return true;
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (command_of(w, i)->recording && command_of(w, i)->kind == f->kind)
			return true;
	return false;
}

static const char changed_kernel[] =
	"/* As cl_mutable_dispatch_arg_khr and cl_mutable_dispatch_config_khr from 0.9.2 on. */\n"
	"struct changed_argument {\n"
	"\tcl_uint index;\n"
	"\tsize_t size;\n"
	"\tconst void *value;\n"
	"};\n"
	"struct changed_kernel {\n"
	"\tvoid *command;\n"
	"\tcl_uint arguments, svm_arguments, infos, dimensions;\n"
	"\tconst struct changed_argument *argument, *svm_argument;\n"
	"\tconst void *info;\n"
	"\tconst size_t *offset, *global, *local;\n"
	"};\n"
	"\n";

static void add_extension_functions(const struct writing *w)
{
	if (w->changed)
		put(w, changed_kernel);
	put(w, "/* Functions of extensions. */\n");
	for (size_t i = 0; i < OCLMM_COUNT(extension_functions); i++) {
		const struct extension_function *f = &extension_functions[i];

		if (is_function_used(w, f))
			oclmm_text_printf(w->text, "static %s(CL_API_CALL *%s)(%s);\n", f->result,
			                  f->name, f->parameters);
	}
	put(w, "\n");
}

static const char find_function[] =
	"static void find_function(cl_device_id device, const char *name, void *to)\n"
	"{\n"
	"\tcl_platform_id platform;\n"
	"\tvoid *address;\n"
	"\n"
	"\tCHECK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL));\n"
	"\taddress = clGetExtensionFunctionAddressForPlatform(platform, name);\n"
	"\tif (!address && fprintf(stderr, \"the device lacks %s\\n\", name))\n"
	"\t\texit(77);\n"
	"\tmemcpy(to, &address, sizeof(address));\n"
	"}\n"
	"\n";

static const char check_version[] =
	"/* What records a fill, a copy or a barrier has one parameter more from 0.9.4 on. */\n"
	"static void check_version(cl_device_id device)\n"
	"{\n"
	"\tstatic struct { cl_uint version; char name[64]; } all[512];\n"
	"\tsize_t size = 0;\n"
	"\n"
	"\tclGetDeviceInfo(device, 0x1060 /* CL_DEVICE_EXTENSIONS_WITH_VERSION */, "
	"sizeof(all), all, &size);\n"
	"\tfor (size_t i = 0; i < size / sizeof(*all); i++)\n"
	"\t\tif (!strcmp(all[i].name, \"cl_khr_command_buffer\") &&\n"
	"\t\t    all[i].version < (9 << 12 | 4))\n"
	"\t\t\treturn;\n"
	"\tfprintf(stderr, \"the device has no cl_khr_command_buffer before 0.9.4\\n\");\n"
	"\texit(77);\n"
	"}\n"
	"\n";

static bool has_svm(const struct writing *w)
{
	for (uint32_t i = 0; i < w->program->location_count; i++)
		if (is_svm(location_of(w, i)))
			return true;
	return false;
}

/* Made of a value in each cell. */
static bool has_buffers(const struct writing *w)
{
	for (uint32_t i = 0; i < w->program->location_count; i++)
		if (is_buffer(location_of(w, i)) && !is_given(location_of(w, i)))
			return true;
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (has_kernel(command_of(w, i)) && thread_of(w, i)->register_count)
			return true;
	return false;
}

static bool polls(const struct writing *w)
{
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (command_of(w, i)->polls)
			return true;
	return false;
}

static void add_statics(const struct writing *w)
{
	oclmm_text_printf(
		w->text,
		"enum { CELLS = %d, SIZE = CELLS * sizeof(cl_int), LAUNCHES = %u, SECONDS "
		"= %u, ENOUGH = %u };\nstatic cl_context context;\n",
		CELLS, w->setting->launches, EXPORT_SECONDS, EXPORT_ENOUGH);
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (is_first_of_queue(w, i))
			oclmm_text_printf(w->text, "static cl_command_queue queue%u;\n",
			                  command_of(w, i)->queue);
}

static void add_functions(const struct writing *w)
{
	uint32_t first = command_of(w, first_queued(w))->queue;

	if (has_buffers(w))
		put(w, memory_function);
	if (has_svm(w))
		oclmm_text_printf(w->text, share_function, first, first);
	if (w->called)
		put(w, note_end);
	if (polls(w))
		put(w, is_complete);
	if (w->recordings || w->semaphores) {
		add_extension_functions(w);
		put(w, find_function);
	}
	if (w->transfers)
		put(w, check_version);
}

/* ---- main() --------------------------------------------------------------------------------- */

static void add_host_arrays(const struct writing *w)
{
	for (uint32_t i = 0; i < w->program->location_count; i++)
		if (is_host(location_of(w, i)) || export_is_observed(w->program, i))
			oclmm_text_printf(w->text, "static cl_int %s_host[CELLS];\n",
			                  location_of(w, i)->name);
	for (uint32_t i = 0; i < w->program->location_count; i++)
		if (is_given(location_of(w, i)))
			oclmm_text_printf(w->text, "static cl_int %s_given[CELLS];\n",
			                  location_of(w, i)->name);
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		for (uint32_t k = 0; k < thread_of(w, i)->register_count; k++)
			oclmm_text_printf(w->text, "static cl_int P%u_%s[CELLS];\n",
			                  thread_of(w, i)->id, thread_of(w, i)->registers[k].name);
}

/* Variables of a type, one after the other. */
struct names {
	struct oclmm_text *text;
	const char *type;
	bool any;
};

static void OCLMM_PRINTF(2, 3) add_variable(struct names *names, const char *format, ...)
{
	va_list arguments;
	char *words;

	va_start(arguments, format);
	words = export_words(format, arguments);
	va_end(arguments);
	oclmm_text_printf(names->text, "%s%s%s", names->any ? ", " : "\t",
	                  names->any ? "" : names->type, words);
	names->any = true;
	free(words);
}

static void end_names(const struct names *names)
{
	if (names->any)
		oclmm_text_add(names->text, ";\n");
}

static void add_kernel_names(const struct writing *w, struct oclmm_text *own)
{
	struct names names = {own, "cl_kernel ", false};

	if (w->lags)
		add_variable(&names, "lag");
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (has_kernel(command_of(w, i)))
			add_variable(&names, "P%u", thread_of(w, i)->id);
	end_names(&names);
}

static void add_memory_names(const struct writing *w, struct oclmm_text *own)
{
	struct names names = {own, "cl_mem ", false};

	if (w->lags)
		add_variable(&names, "lag_end");
	for (uint32_t i = 0; i < w->program->location_count; i++) {
		const struct oclmm_location *l = location_of(w, i);

		if (has_buffer_over(w, i))
			add_variable(&names, "%s_over", l->name);
		if (is_svm(l) || is_host(l))
			continue;
		add_variable(&names, "%s_mem", l->name);
		for (uint32_t k = 1; is_buffer(l) && k <= w->subs; k++)
			add_variable(&names, "%s_sub%u", l->name, k);
	}
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		for (uint32_t k = 0;
		     has_kernel(command_of(w, i)) && k < thread_of(w, i)->register_count; k++)
			add_variable(&names, "P%u_%s_mem", thread_of(w, i)->id,
			             thread_of(w, i)->registers[k].name);
	end_names(&names);
}

static void add_event_names(const struct writing *w, struct oclmm_text *own)
{
	struct names names = {own, "cl_event ", false};

	if (w->lags && !records_lag(w))
		add_variable(&names, "lagging");
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (w->asked >> i & 1)
			add_variable(&names, "e%u", thread_of(w, i)->id);
	end_names(&names);
}

static void add_recording_names(const struct writing *w, struct oclmm_text *own)
{
	struct names points = {own, "cl_uint ", false}, buffers = {own, "void ", false};

	if (records_lag(w))
		add_variable(&points, "lagging");
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (w->synced >> i & 1)
			add_variable(&points, "s%u", thread_of(w, i)->id);
	end_names(&points);
	for (uint32_t i = 0; i < OCLMM_RECORDINGS_MOST; i++)
		if (w->recordings >> i & 1)
			add_variable(&buffers, "*recording%u", i);
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (w->changed >> i & 1)
			add_variable(&buffers, "*h%u", thread_of(w, i)->id);
	for (uint32_t i = 0; i < OCLMM_SEMAPHORES_MOST; i++)
		if (w->semaphores >> i & 1)
			add_variable(&buffers, "*semaphore%u", i);
	end_names(&buffers);
}

/* Where functions of extensions come from, and whether the device has them. */
static void add_found(const struct writing *w)
{
	const char *device = w->devices > 1 ? "device[0]" : "device";

	if (w->transfers)
		oclmm_text_printf(w->text, "\tcheck_version(%s);\n", device);
	for (size_t i = 0; i < OCLMM_COUNT(extension_functions); i++)
		if (is_function_used(w, &extension_functions[i]))
			oclmm_text_printf(w->text, "\tfind_function(%s, \"%s\", &%s);\n", device,
			                  extension_functions[i].function,
			                  extension_functions[i].name);
}

static bool has_pipe(const struct writing *w)
{
	for (uint32_t i = 0; i < w->program->location_count; i++)
		if (is_pipe(location_of(w, i)))
			return true;
	return false;
}

/* Pipes are optional from 3.0 on. */
static void add_need_of_pipes(const struct writing *w, struct oclmm_text *text)
{
	for (uint32_t i = 0; i < w->devices; i++) {
		char device[24] = "device";

		if (w->devices > 1)
			snprintf(device, sizeof(device), "device[%u]", i);
		oclmm_text_printf(text,
		                  "\tclGetDeviceInfo(%s, 0x1071 /* CL_DEVICE_PIPE_SUPPORT */, "
		                  "sizeof(pipes), &pipes, NULL);\n",
		                  device);
	}
	oclmm_text_add(text, "\tif (!pipes && fprintf(stderr, \"the device has no pipes\\n\"))\n"
	                     "\t\treturn 77;\n");
}

static bool has_several_queues(const struct writing *w)
{
	bool found = false;

	for (uint32_t i = 0; i < OCLMM_RECORDINGS_MOST; i++)
		found |= oclmm_command_several_queues(w->program, i + 1);
	return found;
}

/* What of its kernels a device lets replays change, as far as the test changes it. */
static void add_need_of_changes(const struct writing *w, struct oclmm_text *text)
{
	unsigned changes = w->rebound ? ARGUMENTS : 0;

	for (uint32_t i = 0; i < w->program->thread_count; i++)
		changes |= oclmm_command_launches(w->program, i);
	oclmm_text_printf(text,
	                  "\tclGetDeviceInfo(%s, 0x12B0 /* "
	                  "CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR */, sizeof(changes), "
	                  "&changes, NULL);\n"
	                  "\tif (~changes & %u &&\n"
	                  "\t    fprintf(stderr, \"the device cannot change such kernels between "
	                  "replays\\n\"))\n"
	                  "\t\treturn 77;\n",
	                  w->devices > 1 ? "device[0]" : "device", changes);
}

/* Of an object that is mapped several times, by one name. */
static void add_map_names(const struct writing *w, struct oclmm_text *text)
{
	for (uint32_t i = 0; i < w->program->location_count; i++) {
		bool mapped = false;

		for (uint32_t k = 0; k < w->program->thread_count; k++)
			mapped |= command_of(w, k)->kind == OCLMM_COMMAND_MAP &&
			          thread_of(w, k)->parameters[0].location == i &&
			          !is_pointer(w, k, i);
		if (mapped)
			oclmm_text_printf(text, "\tvolatile cl_int *%s_map;\n",
			                  location_of(w, i)->name);
	}
}

static void add_opening(const struct writing *w, const char *kernels)
{
	struct oclmm_text own = {0}, needs = {0};

	oclmm_text_printf(&own, "\tconst size_t %scells = CELLS;\n%s", w->lags ? "one = 1, " : "",
	                  w->lags ? "\tcl_uint steps;\n" : "");
	add_kernel_names(w, &own);
	oclmm_text_printf(&own, "\tcl_device_id device%s;\n", w->devices > 1 ? "[2]" : "");
	add_memory_names(w, &own);
	for (uint32_t i = 0; i < w->program->location_count; i++)
		if (is_svm(location_of(w, i)))
			oclmm_text_printf(&own, "\tvoid *%s_mem;\n", location_of(w, i)->name);
	add_map_names(w, &own);
	add_event_names(w, &own);
	add_recording_names(w, &own);
	if (w->subs)
		oclmm_text_add(&own, "\tconst cl_buffer_region whole = {0, SIZE};\n");
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (w->called >> i & 1)
			oclmm_text_printf(&own, "\tstatic atomic_int called_%u;\n",
			                  thread_of(w, i)->id);
	if (has_pipe(w)) {
		oclmm_text_add(&own, "\tcl_bool pipes = CL_TRUE; /* before 3.0 all have them */\n");
		add_need_of_pipes(w, &needs);
	}
	if (w->changed) {
		oclmm_text_add(&own, "\tcl_ulong changes = 0;\n");
		add_need_of_changes(w, &needs);
	}
	if (has_several_queues(w)) {
		oclmm_text_add(&own, "\tcl_ulong capabilities = 0;\n");
		oclmm_text_add(
			&needs,
			"\tclGetDeviceInfo(device, 0x12A9 /* "
			"CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR */, sizeof(capabilities),\n"
			"\t                &capabilities, NULL);\n"
			"\tif (!(capabilities & 1 << 4) &&\n"
			"\t    fprintf(stderr, \"the device has no command buffers for several "
			"queues\\n\"))\n"
			"\t\treturn 77;\n");
	}
	export_add_opening(w->job, w->devices, oclmm_text_string(&own), oclmm_text_string(&needs),
	                   kernels, w->text);
	oclmm_text_finish(&needs);
	oclmm_text_finish(&own);
	add_found(w);
	for (uint32_t i = 0; i < w->program->thread_count; i++) {
		const struct oclmm_command *c = command_of(w, i);
		char device[16] = "device";

		if (w->devices > 1)
			snprintf(device, sizeof(device), "device[%u]", c->device & 1);
		if (is_first_of_queue(w, i))
			oclmm_text_printf(
				w->text,
				"\tqueue%u = clCreateCommandQueue(context, %s, %s, &code), "
				"check(code, \"clCreateCommandQueue\");\n",
				c->queue, device,
				c->unordered ? "CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE" : "0");
		if (has_kernel(c))
			oclmm_text_printf(
				w->text,
				"\tP%u = clCreateKernel(program, \"P%u\", &code), check(code, "
				"\"clCreateKernel\");\n",
				thread_of(w, i)->id, thread_of(w, i)->id);
	}
	if (w->lags)
		put(w, "\tlag = clCreateKernel(program, \"lag\", &code), "
		       "check(code, \"clCreateKernel\");\n"
		       "\tlag_end = clCreateBuffer(context, 0, sizeof(cl_uint), NULL, &code), "
		       "check(code, "
		       "\"clCreateBuffer\");\n"
		       "\tCHECK(clSetKernelArg(lag, 0, sizeof(cl_mem), &lag_end));\n");
}

static const char *svm_flags(enum oclmm_storage storage)
{
	switch (storage) {
	case OCLMM_STORAGE_SVM_SYSTEM: return "0";
	case OCLMM_STORAGE_SVM_COARSE: return "CL_MEM_READ_WRITE";
	case OCLMM_STORAGE_SVM_FINE: return "CL_MEM_SVM_FINE_GRAIN_BUFFER";
	default: return "CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS";
	}
}

/* The properties of a command buffer. */
static const char *flags_of(const struct writing *w)
{
#define FLAGS "(cl_ulong[]){0x1293 /* CL_COMMAND_BUFFER_FLAGS_KHR */, "
	static const char *const flags[] = {
		"NULL",
		FLAGS "1 /* simultaneous use */, 0}",
		FLAGS "2 /* mutable */, 0}",
		FLAGS "1 | 2 /* simultaneous use, mutable */, 0}",
	};
#undef FLAGS
	struct oclmm_features need;

	oclmm_program_features(w->program, &need);
	return flags[need.replays_at_once + 2 * (w->changed != 0)];
}

/* The queues that a command buffer is made for, in the order of its commands. */
static void add_queues_of(const struct writing *w, uint32_t recording)
{
	uint32_t queues = oclmm_command_recorded_for(w->program, recording);
	const char *between = "(cl_command_queue[]){";

	if (!oclmm_command_several_queues(w->program, recording)) {
		oclmm_text_printf(w->text, "&queue%u, ", recorded_for(w, recording));
		return;
	}
	for (uint32_t i = 0; i < w->program->thread_count; i++) {
		const struct oclmm_command *c = command_of(w, i);

		if (c->recording != recording || !(queues >> c->queue & 1))
			continue;
		queues &= ~(1u << c->queue);
		oclmm_text_printf(w->text, "%squeue%u", between, c->queue);
		between = ", ";
	}
	put(w, "}, ");
}

/* What is in the memory when the buffer is made is in the buffer (A:5.2.1). */
static void add_shared(const struct writing *w, uint32_t location, long long value)
{
	const struct oclmm_location *l = location_of(w, location);

	oclmm_text_printf(w->text, "\t\t%s_mem = share(%lld, %s);\n", l->name, value,
	                  svm_flags(l->storage));
	if (has_buffer_over(w, location))
		oclmm_text_printf(
			w->text,
			"\t\t%s_over = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, SIZE, "
			"%s_mem, &code);\n"
			"\t\tcheck(code, \"clCreateBuffer\");\n",
			l->name, l->name);
}

static void add_made(const struct writing *w)
{
	for (uint32_t i = 0; i < w->program->location_count; i++) {
		const struct oclmm_location *l = location_of(w, i);
		long long value = l->initial ? (long long)l->initial[0] : 0;

		if (is_svm(l))
			add_shared(w, i, value);
		else if (is_pipe(l))
			oclmm_text_printf(
				w->text,
				"\t\t%s_mem = clCreatePipe(context, 0, sizeof(cl_int), CELLS, "
				"NULL, &code);\n"
				"\t\tcheck(code, \"clCreatePipe\");\n",
				l->name);
		else if (is_given(l))
			oclmm_text_printf(
				w->text,
				"\t\tfor (size_t i = 0; i < cells; i++)\n"
				"\t\t\t%s_given[i] = %lld;\n"
				"\t\t%s_mem = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, SIZE, "
				"%s_given, &code);\n"
				"\t\tcheck(code, \"clCreateBuffer\");\n",
				l->name, value, l->name, l->name);
		else if (!is_host(l))
			oclmm_text_printf(w->text, "\t\t%s_mem = memory(%lld);\n", l->name, value);
		for (uint32_t k = 1; is_buffer(l) && k <= w->subs; k++)
			oclmm_text_printf(w->text,
			                  "\t\t%s_sub%u = clCreateSubBuffer(%s_mem, 0, "
			                  "CL_BUFFER_CREATE_TYPE_REGION, &whole, &code);\n"
			                  "\t\tcheck(code, \"clCreateSubBuffer\");\n",
			                  l->name, k, l->name);
		if (is_host(l))
			oclmm_text_printf(w->text,
			                  "\t\tfor (size_t i = 0; i < cells; i++)\n"
			                  "\t\t\t%s_host[i] = %lld;\n",
			                  l->name, value);
	}
	for (uint32_t i = 0; i < w->program->thread_count; i++) {
		unsigned id = thread_of(w, i)->id;

		for (uint32_t k = 0;
		     has_kernel(command_of(w, i)) && k < thread_of(w, i)->register_count; k++)
			oclmm_text_printf(w->text, "\t\tP%u_%s_mem = memory(0);\n", id,
			                  thread_of(w, i)->registers[k].name);
		if (command_of(w, i)->kind == OCLMM_COMMAND_USER)
			oclmm_text_printf(
				w->text,
				"\t\te%u = clCreateUserEvent(context, &code), check(code, "
				"\"clCreateUserEvent\");\n",
				id);
		if (w->called >> i & 1)
			oclmm_text_printf(w->text, "\t\tcalled_%u = 0;\n", id);
	}
	for (uint32_t i = 0, made = 0; i < w->program->thread_count; i++) {
		uint32_t recording = command_of(w, i)->recording;

		if (!recording || made >> (recording - 1) & 1)
			continue;
		made |= 1u << (recording - 1);
		oclmm_text_printf(w->text, "\t\trecording%u = create(%d, ", recording - 1,
		                  __builtin_popcount(
					  oclmm_command_recorded_for(w->program, recording)));
		add_queues_of(w, recording);
		oclmm_text_printf(w->text,
		                  "%s, &code), check(code, \"clCreateCommandBufferKHR\");\n",
		                  flags_of(w));
	}
	for (uint32_t i = 0; i < OCLMM_SEMAPHORES_MOST; i++)
		if (w->semaphores >> i & 1)
			oclmm_text_printf(
				w->text,
				"\t\tsemaphore%u = create_semaphore(context, (cl_ulong[]){0x203D "
				"/* CL_SEMAPHORE_TYPE_KHR */, 1 /* binary */, 0}, &code),\n"
				"\t\tcheck(code, \"clCreateSemaphoreWithPropertiesKHR\");\n",
				i);
}

static void add_lag(const struct writing *w)
{
	uint32_t first = command_of(w, first_queued(w))->queue;

	if (!w->lags)
		return;
	put(w, "\t\tsteps = launch % 4 * 100000u; /* what comes first takes no time, or some */\n"
	       "\t\tCHECK(clSetKernelArg(lag, 1, sizeof(steps), &steps));\n");
	if (records_lag(w)) {
		oclmm_text_printf(w->text,
		                  "\t\tCHECK(record_kernel(recording%u, %s, NULL, lag, 1, NULL, "
		                  "&one, NULL, 0, NULL, &lagging, NULL));\n",
		                  command_of(w, first_queued(w))->recording - 1,
		                  recorded_by(w, first_queued(w)).text);
		return;
	}
	oclmm_text_printf(
		w->text,
		"\t\tCHECK(clEnqueueNDRangeKernel(queue%u, lag, 1, NULL, &one, NULL, 0, NULL, "
		"&lagging));\n"
		"\t\tCHECK(clFlush(queue%u));\n",
		first, first);
}

static void add_ends(const struct writing *w)
{
	uint32_t first = command_of(w, first_queued(w))->queue;

	for (uint32_t i = 0; i < w->program->thread_count; i++)
		if (is_first_of_queue(w, i))
			oclmm_text_printf(w->text, "\t\tCHECK(clFinish(queue%u));\n",
			                  command_of(w, i)->queue);
	for (uint32_t i = 0; i < w->program->location_count; i++) {
		const struct oclmm_location *l = location_of(w, i);

		if (!export_is_observed(w->program, i) || is_host(l))
			continue;
		if (is_svm(l) && !is_last_by_buffer(w, i))
			oclmm_text_printf(w->text,
			                  "\t\tCHECK(clEnqueueSVMMemcpy(queue%u, CL_TRUE, %s_host, "
			                  "%s_mem, SIZE, 0, NULL, NULL));\n",
			                  first, l->name, l->name);
		else
			oclmm_text_printf(
				w->text,
				"\t\tCHECK(clEnqueueReadBuffer(queue%u, %s_%s, CL_TRUE, 0, "
				"SIZE, %s_host, 0, NULL, NULL));\n",
				first, l->name, is_svm(l) ? "over" : "mem", l->name);
	}
	for (uint32_t i = 0; i < w->program->thread_count; i++)
		for (uint32_t k = 0;
		     has_kernel(command_of(w, i)) && k < thread_of(w, i)->register_count; k++)
			oclmm_text_printf(
				w->text,
				"\t\tCHECK(clEnqueueReadBuffer(queue%u, P%u_%s_mem, CL_TRUE, 0, "
				"SIZE, P%u_%s, 0, NULL, NULL));\n",
				first, thread_of(w, i)->id, thread_of(w, i)->registers[k].name,
				thread_of(w, i)->id, thread_of(w, i)->registers[k].name);
}

static void add_count(const struct writing *w)
{
	uint32_t width = w->program->observable_count;

	oclmm_text_printf(w->text,
	                  "\t\tfor (size_t i = 0; i < cells; i++) {\n\t\t\tlong long v[%u] = {",
	                  width ? width : 1);
	for (uint32_t i = 0; i < width; i++) {
		const struct oclmm_observable *o = &w->program->observables[i];

		put(w, i ? ", " : "");
		if (o->is_register)
			oclmm_text_printf(w->text, "P%u_%s[i]", thread_of(w, o->thread)->id,
			                  thread_of(w, o->thread)->registers[o->reg].name);
		else
			oclmm_text_printf(w->text, "%s_host[i]", location_of(w, o->location)->name);
	}
	put(w, width ? "};\n\n" : "0};\n\n");
	export_add_note(w->text);
	put(w, "\t\t}\n");
}

static void add_frees(const struct writing *w)
{
	put(w, w->lags && !records_lag(w) ? "\t\tclReleaseEvent(lagging);\n" : "");
	for (uint32_t i = 0; i < OCLMM_RECORDINGS_MOST; i++)
		if (w->recordings >> i & 1)
			oclmm_text_printf(w->text, "\t\trelease(recording%u);\n", i);
	for (uint32_t i = 0; i < OCLMM_SEMAPHORES_MOST; i++)
		if (w->semaphores >> i & 1)
			oclmm_text_printf(w->text, "\t\trelease_semaphore(semaphore%u);\n", i);
	for (uint32_t i = 0; i < w->program->thread_count; i++) {
		if (w->asked >> i & 1)
			oclmm_text_printf(w->text, "\t\tclReleaseEvent(e%u);\n",
			                  thread_of(w, i)->id);
		for (uint32_t k = 0;
		     has_kernel(command_of(w, i)) && k < thread_of(w, i)->register_count; k++)
			oclmm_text_printf(w->text, "\t\tclReleaseMemObject(P%u_%s_mem);\n",
			                  thread_of(w, i)->id, thread_of(w, i)->registers[k].name);
	}
	for (uint32_t i = 0; i < w->program->location_count; i++) {
		const struct oclmm_location *l = location_of(w, i);

		/* before the memory that it is over (A:5.6.1) */
		if (has_buffer_over(w, i))
			oclmm_text_printf(w->text, "\t\tclReleaseMemObject(%s_over);\n", l->name);
		if (l->storage == OCLMM_STORAGE_SVM_SYSTEM)
			oclmm_text_printf(w->text, "\t\tfree(%s_mem);\n", l->name);
		else if (is_svm(l))
			oclmm_text_printf(w->text, "\t\tclSVMFree(context, %s_mem);\n", l->name);
		for (uint32_t k = 1; is_buffer(l) && k <= w->subs; k++)
			oclmm_text_printf(w->text, "\t\tclReleaseMemObject(%s_sub%u);\n", l->name,
			                  k);
		if (!is_svm(l) && !is_host(l))
			oclmm_text_printf(w->text, "\t\tclReleaseMemObject(%s_mem);\n", l->name);
	}
	put(w, "\t}\n");
}

static bool has_kernels(const struct oclmm_program *program)
{
	for (uint32_t i = 0; i < program->thread_count; i++)
		if (has_kernel(&program->threads[i].placement.command))
			return true;
	return false;
}

int export_commands(const struct export_job *job, const struct export_setting *setting,
                    struct oclmm_error *error, struct oclmm_text *ret_kernels,
                    struct oclmm_text *ret_planted, struct oclmm_text *text)
{
	struct writing w = {.job = job,
	                    .setting = setting,
	                    .program = job->program,
	                    .text = text,
	                    .devices = 1};
	int r = check(&w, error);

	if (r == 0 && first_queued(&w) == job->program->thread_count)
		r = export_refuse(w.program, error, "nothing but the host takes part");
	if (r < 0)
		return r;
	w.lags = setting->lags || !has_kernels(job->program);
	*ret_kernels = (struct oclmm_text){0};
	add_kernels(ret_kernels, &w);
	exchange_plant_ids(ret_kernels, ret_planted);
	put(&w, export_includes);
	put(&w, w.called ? "#include <stdatomic.h>\n" : "");
	put(&w, export_standard_includes);
	if (!job->module) {
		put(&w, "static const char source[] =\n");
		export_add_string(text, oclmm_text_string(ret_kernels));
		text->length--;
		put(&w, ";\n\n");
	}
	add_statics(&w);
	add_host_arrays(&w);
	export_add_frame(job, w.devices, text);
	add_functions(&w);
	add_opening(&w, oclmm_text_string(ret_kernels));
	export_add_loop(w.text);
	add_made(&w);
	add_lag(&w);
	for (uint32_t i = 0; i < job->program->thread_count; i++)
		add_thread(&w, i);
	add_ends(&w);
	add_count(&w);
	add_frees(&w);
	export_add_end(job, text);
	return 0;
}
