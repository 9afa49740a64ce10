// SPDX-License-Identifier: Apache-2.0
/* Commands between threads: the words, and what a program orders (A:3.3.9.5). */
#include <string.h>

#include "oclmm/ir.h"

OCLMM_LOOK_UP(const char *, oclmm_command_word, oclmm_command_kind, OCLMM_COMMANDS, FIRST);
OCLMM_FIND(oclmm_command_find, oclmm_command_kind, OCLMM_COMMANDS, FIRST);
OCLMM_LOOK_UP(bool, oclmm_command_is_queued, oclmm_command_kind, OCLMM_COMMANDS, FOURTH);
static OCLMM_LOOK_UP(const char *, function_of, oclmm_command_kind, OCLMM_COMMANDS, SECOND);
static OCLMM_LOOK_UP(const char *, svm_function_of, oclmm_command_kind, OCLMM_COMMANDS, THIRD);
OCLMM_LOOK_UP(const char *, oclmm_command_edge_section, oclmm_command_edge, OCLMM_COMMAND_EDGES,
              FIRST);

bool oclmm_program_has_commands(const struct oclmm_program *program)
{
	return program->thread_count > 0 &&
	       program->threads[0].placement.command.kind != OCLMM_COMMAND_NONE;
}

/* ---- what a thread uses ---- */

static int note_use(void *data, const struct oclmm_use *use)
{
	uint64_t *set = data;

	*set |= UINT64_C(1) << use->place->location;
	return 0;
}

uint64_t oclmm_command_uses(const struct oclmm_program *program, uint32_t thread)
{
	static const struct oclmm_visitor visitor = {.use = note_use};
	uint64_t set = 0;

	oclmm_visit_body(&visitor, program->threads[thread].body, &set);
	return set;
}

static const char *recording_function_of(enum oclmm_command_kind kind)
{
	switch (kind) {
	case OCLMM_COMMAND_KERNEL: return "clCommandNDRangeKernelKHR";
	case OCLMM_COMMAND_FILL: return "clCommandFillBufferKHR";
	case OCLMM_COMMAND_COPY: return "clCommandCopyBufferKHR";
	default: return "clCommandBarrierWithWaitListKHR";
	}
}

static const char *rect_function_of(enum oclmm_command_kind kind)
{
	switch (kind) {
	case OCLMM_COMMAND_WRITE: return "clEnqueueWriteBufferRect";
	case OCLMM_COMMAND_READ: return "clEnqueueReadBufferRect";
	default: return "clEnqueueCopyBufferRect";
	}
}

static bool is_image(const struct oclmm_program *program, uint32_t location)
{
	return program->locations[location].storage == OCLMM_STORAGE_IMAGE_2D;
}

static const char *image_function_of(const struct oclmm_program *program,
                                     const struct oclmm_thread *thread)
{
	enum oclmm_command_kind kind = thread->placement.command.kind;
	const struct oclmm_store *s = &thread->body->store;

	switch (kind) {
	case OCLMM_COMMAND_WRITE: return "clEnqueueWriteImage";
	case OCLMM_COMMAND_READ: return "clEnqueueReadImage";
	case OCLMM_COMMAND_COPY:
		if (!is_image(program, s->place.location))
			return "clEnqueueCopyImageToBuffer";
		return is_image(program, s->value->load.location) ? "clEnqueueCopyImage"
		                                                  : "clEnqueueCopyBufferToImage";
	default: return function_of(kind);
	}
}

const char *oclmm_command_function(const struct oclmm_program *program, uint32_t thread)
{
	const struct oclmm_thread *t = &program->threads[thread];
	enum oclmm_command_kind kind = t->placement.command.kind;

	if (oclmm_command_is_recorded(&t->placement.command))
		return recording_function_of(kind);
	if (t->placement.command.rect)
		return rect_function_of(kind);
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		if (!t->placement.command.buffer &&
		    oclmm_storage_is_svm(program->locations[t->parameters[i].location].storage))
			return svm_function_of(kind);
		if (t->body && is_image(program, t->parameters[i].location))
			return image_function_of(program, t);
	}
	return function_of(kind);
}

bool oclmm_command_is_mapped(const struct oclmm_program *program, uint32_t thread)
{
	uint64_t uses = oclmm_command_uses(program, thread);

	if (program->threads[thread].placement.command.kind != OCLMM_COMMAND_HOST)
		return false;
	for (uint32_t i = 0; i < program->location_count; i++) {
		if (uses >> i & 1 && oclmm_storage_is_mapped(program->locations[i].storage))
			return true;
	}
	return false;
}

bool oclmm_is_blocking_write(const struct oclmm_program *program, uint32_t thread)
{
	const struct oclmm_command *command = &program->threads[thread].placement.command;

	return command->kind == OCLMM_COMMAND_WRITE && command->blocking;
}

/* ---- the order ---- */

struct building {
	const struct oclmm_program *program;
	unsigned readings;
	struct oclmm_command_order *order;
};

static const struct oclmm_command *command_of(const struct building *b, uint32_t thread)
{
	return &b->program->threads[thread].placement.command;
}

static void add(const struct building *b, unsigned from, unsigned to, enum oclmm_command_edge edge)
{
	if (!b->order->edge[from][to])
		b->order->edge[from][to] = (unsigned char)edge;
	b->order->before[from] |= UINT64_C(1) << to;
}

static void close_order(struct oclmm_command_order *order)
{
	for (unsigned k = 0; k < order->count; k++) {
		for (unsigned i = 0; i < order->count; i++) {
			if (order->before[i] >> k & 1)
				order->before[i] |= order->before[k];
		}
	}
}

uint32_t oclmm_command_recorded_for(const struct oclmm_program *program, uint32_t recording)
{
	uint32_t queues = 0;

	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_command *command = &program->threads[i].placement.command;

		if (command->recording == recording && oclmm_command_is_recorded(command))
			queues |= 1u << command->queue;
	}
	return queues;
}

bool oclmm_command_several_queues(const struct oclmm_program *program, uint32_t recording)
{
	return __builtin_popcount(oclmm_command_recorded_for(program, recording)) > 1;
}

/* A replay in several queues. "Ordering of other commands submitted to the same command-queues ...
 * is the responsibility of the programmer", and its event is there for that: no queue orders it. */
static bool is_in_several(const struct oclmm_program *program, const struct oclmm_command *command)
{
	return command->kind == OCLMM_COMMAND_REPLAY &&
	       oclmm_command_several_queues(program, command->recording);
}

/* All that waits for an event: the host itself, or a command. */
static void add_waits(const struct building *b, uint32_t thread)
{
	const struct oclmm_command *command = command_of(b, thread);
	bool queued = oclmm_command_is_queued(command->kind);

	for (uint32_t w = 0; w < b->program->thread_count; w++) {
		unsigned end = oclmm_moment(w, OCLMM_MOMENT_END);
		enum oclmm_command_edge listed = command_of(b, w)->kind == OCLMM_COMMAND_USER
		                                         ? OCLMM_COMMAND_EDGE_USER_EVENT
		                                         : OCLMM_COMMAND_EDGE_WAIT_LIST;

		if (command->waits >> w & 1 && queued)
			add(b, end, oclmm_moment(thread, OCLMM_MOMENT_BEGIN), listed);
		else if (command->waits >> w & 1)
			add(b, end, oclmm_moment(thread, OCLMM_MOMENT_CALL),
			    OCLMM_COMMAND_EDGE_HOST_WAITS);
		if (command->callbacks >> w & 1)
			add(b, end, oclmm_moment(thread, OCLMM_MOMENT_CALL),
			    OCLMM_COMMAND_EDGE_CALLBACK);
		if (command->polls >> w & 1 && b->readings & OCLMM_COMMANDS_SEEN_COMPLETE)
			add(b, end, oclmm_moment(thread, OCLMM_MOMENT_CALL),
			    OCLMM_COMMAND_EDGE_SEEN);
		if (w < thread && oclmm_command_is_queued(command_of(b, w)->kind) &&
		    !oclmm_command_is_recorded(command_of(b, w)) &&
		    !is_in_several(b->program, command_of(b, w)) &&
		    command->finishes >> command_of(b, w)->queue & 1)
			add(b, end, oclmm_moment(thread, OCLMM_MOMENT_CALL),
			    OCLMM_COMMAND_EDGE_FINISH);
	}
}

/* What stands in the same queue before it. */
static void add_queue(const struct building *b, uint32_t thread)
{
	const struct oclmm_command *command = command_of(b, thread);
	bool all = !command->waits;

	if (is_in_several(b->program, command))
		return;
	for (uint32_t w = 0; w < thread; w++) {
		const struct oclmm_command *earlier = command_of(b, w);
		unsigned end = oclmm_moment(w, OCLMM_MOMENT_END),
			 begin = oclmm_moment(thread, OCLMM_MOMENT_BEGIN);

		if (!oclmm_command_is_queued(earlier->kind) || earlier->queue != command->queue ||
		    oclmm_command_is_recorded(earlier) || is_in_several(b->program, earlier))
			continue;
		if (!command->unordered)
			add(b, end, begin, OCLMM_COMMAND_EDGE_IN_ORDER);
		else if (earlier->kind == OCLMM_COMMAND_BARRIER ||
		         (command->kind == OCLMM_COMMAND_BARRIER && all))
			add(b, end, begin, OCLMM_COMMAND_EDGE_BARRIER);
		else if (command->kind == OCLMM_COMMAND_MARKER && all)
			add(b, end, begin, OCLMM_COMMAND_EDGE_MARKER);
	}
}

uint32_t oclmm_command_replay_of(const struct oclmm_program *program, uint32_t thread)
{
	uint32_t recording = program->threads[thread].placement.command.recording;

	for (uint32_t w = thread + 1; w < program->thread_count; w++) {
		const struct oclmm_command *command = &program->threads[w].placement.command;

		if (command->kind == OCLMM_COMMAND_REPLAY && command->recording == recording)
			return w;
	}
	return program->thread_count;
}

bool oclmm_command_is_changed(const struct oclmm_program *program, uint32_t thread)
{
	const struct oclmm_thread *own = &program->threads[thread], *first;
	bool changed = false;

	if (!own->placement.command.again)
		return false;
	first = &program->threads[own->placement.command.again - 1];
	for (uint32_t i = 0; i < own->parameter_count; i++)
		changed |= own->parameters[i].location != first->parameters[i].location;
	return changed;
}

/* Where a command was recorded that a thread plays. */
static uint32_t recorded_at(const struct oclmm_program *program, uint32_t thread)
{
	uint32_t again = program->threads[thread].placement.command.again;

	return again ? again - 1 : thread;
}

uint32_t oclmm_command_reaching(const struct oclmm_program *program, uint32_t thread)
{
	uint32_t first = recorded_at(program, thread), run = first;

	while (run < program->thread_count && (recorded_at(program, run) != first ||
	                                       program->threads[run].placement.command.misses))
		run++;
	return run;
}

unsigned oclmm_command_launches(const struct oclmm_program *program, uint32_t thread)
{
	uint32_t first = recorded_at(program, thread);
	unsigned set = 0;

	for (uint32_t i = first; i < program->thread_count; i++)
		if (recorded_at(program, i) == first)
			set |= program->threads[i].placement.command.misses;
	return set;
}

/*
 * A recorded command runs within a replay of its command buffer. Within that it comes after those
 * of whose sync points it is told, after all that was recorded for its queue before it where that
 * executes in order, and after a barrier of that queue. (The text of a barrier's list has it wait
 * for what is recorded for its queue, and a note below for what is recorded in its command buffer.)
 */
static void add_recorded(const struct building *b, uint32_t thread)
{
	const struct oclmm_command *command = command_of(b, thread);
	uint32_t replay = oclmm_command_replay_of(b->program, thread);
	uint32_t after = command_of(b, recorded_at(b->program, thread))->after;
	unsigned begin = oclmm_moment(thread, OCLMM_MOMENT_BEGIN),
		 end = oclmm_moment(thread, OCLMM_MOMENT_END);

	for (uint32_t w = 0; w < b->program->thread_count; w++) {
		const struct oclmm_command *other = command_of(b, w);
		unsigned its_end = oclmm_moment(w, OCLMM_MOMENT_END);

		if (w == replay) {
			add(b, oclmm_moment(w, OCLMM_MOMENT_BEGIN), begin,
			    OCLMM_COMMAND_EDGE_REPLAYED);
			add(b, end, its_end, OCLMM_COMMAND_EDGE_REPLAYED);
		}
		if (other->recording != command->recording || !oclmm_command_is_recorded(other) ||
		    oclmm_command_replay_of(b->program, w) != replay)
			continue;
		if (after >> recorded_at(b->program, w) & 1) {
			add(b, its_end, begin, OCLMM_COMMAND_EDGE_SYNC_POINT);
		} else if (other->queue != command->queue) {
			continue;
		} else if (w < thread && !command->unordered) {
			add(b, its_end, begin, OCLMM_COMMAND_EDGE_RECORDED_FIRST);
		} else if (w < thread && (other->kind == OCLMM_COMMAND_BARRIER ||
		                          (command->kind == OCLMM_COMMAND_BARRIER && !after))) {
			add(b, its_end, begin, OCLMM_COMMAND_EDGE_RECORDED_BARRIER);
		}
	}
}

uint32_t oclmm_command_signal_of(const struct oclmm_program *program, uint32_t wait,
                                 uint32_t semaphore)
{
	for (uint32_t w = wait; w-- > 0;) {
		const struct oclmm_command *command = &program->threads[w].placement.command;

		if (command->kind == OCLMM_COMMAND_SIGNAL && command->semaphores >> semaphore & 1)
			return w;
	}
	return wait;
}

/* A wait is complete when its semaphores have become signaled. */
static void add_semaphores(const struct building *b, uint32_t thread)
{
	for (uint32_t i = 0; i < OCLMM_SEMAPHORES_MOST; i++) {
		uint32_t signal = oclmm_command_signal_of(b->program, thread, i);

		if (command_of(b, thread)->semaphores >> i & 1 && signal != thread)
			add(b, oclmm_moment(signal, OCLMM_MOMENT_END),
			    oclmm_moment(thread, OCLMM_MOMENT_END), OCLMM_COMMAND_EDGE_SEMAPHORE);
	}
}

static void add_thread(const struct building *b, uint32_t thread)
{
	const struct oclmm_command *command = command_of(b, thread);
	unsigned call = oclmm_moment(thread, OCLMM_MOMENT_CALL),
		 begin = oclmm_moment(thread, OCLMM_MOMENT_BEGIN),
		 end = oclmm_moment(thread, OCLMM_MOMENT_END),
		 next = oclmm_moment(thread + 1, OCLMM_MOMENT_CALL);
	bool queued = oclmm_command_is_queued(command->kind), last = next >= b->order->count;
	bool mapped = oclmm_command_is_mapped(b->program, thread);

	add(b, begin, end, OCLMM_COMMAND_EDGE_RUNS);
	if (!last)
		add(b, call, next, OCLMM_COMMAND_EDGE_CALLS);
	if (oclmm_command_is_recorded(command)) {
		add_recorded(b, thread);
		return;
	}
	/* what is mapped is ordered by its map and its unmapping alone */
	if (!mapped)
		add(b, call, begin,
		    queued ? OCLMM_COMMAND_EDGE_ENQUEUED : OCLMM_COMMAND_EDGE_CALLS);
	if (!last && !queued && !mapped)
		add(b, end, next, OCLMM_COMMAND_EDGE_CALLS);
	if (!last && command->blocking &&
	    !(b->readings & OCLMM_COMMANDS_EARLY_WRITES &&
	      oclmm_is_blocking_write(b->program, thread)))
		add(b, end, next, OCLMM_COMMAND_EDGE_BLOCKING);
	add_waits(b, thread);
	if (queued)
		add_queue(b, thread);
	if (command->kind == OCLMM_COMMAND_WAIT)
		add_semaphores(b, thread);
}

/* The object that a map or an unmapping is of, or that a step of the host uses through a map. */
static bool is_of(const struct building *b, uint32_t thread, uint64_t object)
{
	const struct oclmm_thread *t = &b->program->threads[thread];
	enum oclmm_command_kind kind = command_of(b, thread)->kind;

	if (kind == OCLMM_COMMAND_HOST)
		return oclmm_command_is_mapped(b->program, thread) &&
		       oclmm_command_uses(b->program, thread) == object;
	return (kind == OCLMM_COMMAND_MAP || kind == OCLMM_COMMAND_UNMAP) &&
	       t->parameter_count > 0 && object == UINT64_C(1) << t->parameters[0].location;
}

/* A step that uses a mapped object: behind the map that it has waited for, before what unmaps it,
 * and in its place among the steps that use the same. */
static void add_mapped(const struct building *b, uint32_t thread)
{
	uint64_t object = oclmm_command_uses(b->program, thread);
	unsigned call = oclmm_moment(thread, OCLMM_MOMENT_CALL),
		 begin = oclmm_moment(thread, OCLMM_MOMENT_BEGIN),
		 end = oclmm_moment(thread, OCLMM_MOMENT_END);

	for (uint32_t other = 0; other < b->program->thread_count; other++) {
		enum oclmm_command_kind kind = command_of(b, other)->kind;
		unsigned its_begin = oclmm_moment(other, OCLMM_MOMENT_BEGIN),
			 its_end = oclmm_moment(other, OCLMM_MOMENT_END);

		if (!is_of(b, other, object))
			continue;
		if (kind == OCLMM_COMMAND_HOST && other > thread)
			add(b, end, its_begin, OCLMM_COMMAND_EDGE_CALLS);
		if (kind == OCLMM_COMMAND_MAP && other < thread &&
		    b->order->before[its_end] >> call & 1)
			add(b, its_end, begin, OCLMM_COMMAND_EDGE_MAPPED);
		if (kind == OCLMM_COMMAND_UNMAP && other > thread)
			add(b, end, its_begin, OCLMM_COMMAND_EDGE_UNMAPPED);
	}
}

void oclmm_command_order(const struct oclmm_program *program, unsigned readings,
                         struct oclmm_command_order *ret_order)
{
	struct building b = {program, readings, ret_order};

	memset(ret_order, 0, sizeof(*ret_order));
	ret_order->count = program->thread_count * OCLMM_MOMENT_COUNT;
	for (uint32_t t = 0; t < program->thread_count; t++)
		add_thread(&b, t);
	close_order(ret_order);
	for (uint32_t t = 0; t < program->thread_count; t++) {
		if (oclmm_command_is_mapped(program, t))
			add_mapped(&b, t);
	}
	close_order(ret_order);
}

bool oclmm_command_ordered(const struct oclmm_command_order *order, uint32_t a, uint32_t b)
{
	return order->before[oclmm_moment(a, OCLMM_MOMENT_END)] >>
	               oclmm_moment(b, OCLMM_MOMENT_BEGIN) &
	       1;
}

/* ---- maps and migrations ---- */

struct uses {
	uint64_t all, written;
};

static int note_uses(void *data, const struct oclmm_use *use)
{
	struct uses *uses = data;

	uses->all |= UINT64_C(1) << use->place->location;
	uses->written |= use->writes ? UINT64_C(1) << use->place->location : 0;
	return 0;
}

/* What a command of a queue does with objects; a migration reads them, as a map or an unmapping
 * does. */
static struct uses uses_of(const struct oclmm_program *program, uint32_t thread)
{
	static const struct oclmm_visitor visitor = {.use = note_uses};
	const struct oclmm_thread *t = &program->threads[thread];
	struct uses uses = {0};

	if (t->placement.command.kind == OCLMM_COMMAND_HOST)
		return uses;
	oclmm_visit_body(&visitor, t->body, &uses);
	for (uint32_t i = 0; i < t->parameter_count && !t->body; i++)
		uses.all |= UINT64_C(1) << t->parameters[i].location;
	return uses;
}

/* The thread that unmaps what `map` maps, or the count of threads. */
static uint32_t find_unmap(const struct oclmm_program *program, uint32_t map)
{
	uint32_t unmap = map + 1;

	while (unmap < program->thread_count &&
	       !(program->threads[unmap].placement.command.kind == OCLMM_COMMAND_UNMAP &&
	         program->threads[unmap].parameters[0].location ==
	                 program->threads[map].parameters[0].location))
		unmap++;
	return unmap;
}

/*
 * "The application must ensure that the memory object is unmapped before any enqueued kernels or
 * commands that read from or write to this memory object ... begin execution", where it is mapped
 * for writing; for reading, before those that write (A:5.5.4, A:5.6.1).
 */
static bool overlaps_map(const struct oclmm_program *program,
                         const struct oclmm_command_order *order, uint32_t map, uint32_t thread)
{
	const struct oclmm_command *m = &program->threads[map].placement.command;
	uint32_t location = program->threads[map].parameters[0].location;
	uint32_t unmap = find_unmap(program, map);
	struct uses uses = uses_of(program, thread);
	enum oclmm_command_kind kind = program->threads[thread].placement.command.kind;

	/* of one object they are ordered by the language */
	if (kind == OCLMM_COMMAND_MAP || kind == OCLMM_COMMAND_UNMAP)
		return false;
	if (!((m->map == OCLMM_MAP_READ ? uses.written : uses.all) >> location & 1))
		return false;
	return !oclmm_command_ordered(order, thread, map) &&
	       (unmap == program->thread_count || !oclmm_command_ordered(order, unmap, thread));
}

/* A step of the host uses an object by the pointer of a map that may not be complete. Fine-grained
 * memory it uses by its own. */
static bool is_early(const struct oclmm_program *program, const struct oclmm_command_order *order,
                     uint32_t map, uint32_t thread)
{
	uint32_t location = program->threads[map].parameters[0].location;
	uint64_t object = UINT64_C(1) << location;

	return oclmm_storage_is_mapped(program->locations[location].storage) && thread > map &&
	       thread < find_unmap(program, map) &&
	       program->threads[thread].placement.command.kind == OCLMM_COMMAND_HOST &&
	       oclmm_command_uses(program, thread) & object &&
	       !(order->before[oclmm_moment(map, OCLMM_MOMENT_END)] >>
	                 oclmm_moment(thread, OCLMM_MOMENT_CALL) &
	         1);
}

/* "The user is responsible for managing the event dependencies ... in order to avoid overlapping
 * access to memory objects" (A:5.5.5). */
static bool overlaps_migration(const struct oclmm_program *program,
                               const struct oclmm_command_order *order, uint32_t migration,
                               uint32_t thread, uint32_t location)
{
	return uses_of(program, thread).all >> location & 1 &&
	       !oclmm_command_ordered(order, thread, migration) &&
	       !oclmm_command_ordered(order, migration, thread);
}

static bool find_overlap_with(const struct oclmm_program *program,
                              const struct oclmm_command_order *order, uint32_t with,
                              uint32_t thread, struct oclmm_command_overlap *ret)
{
	const struct oclmm_thread *t = &program->threads[with];
	bool map = t->placement.command.kind == OCLMM_COMMAND_MAP;
	bool migration = t->placement.command.kind == OCLMM_COMMAND_MIGRATE;

	ret->thread = thread;
	ret->with = with;
	for (uint32_t i = 0; i < (map || migration ? t->parameter_count : 0); i++) {
		ret->location = t->parameters[i].location;
		ret->kind = OCLMM_OVERLAP_MAPPED;
		if (map && overlaps_map(program, order, with, thread))
			return true;
		ret->kind = OCLMM_OVERLAP_EARLY;
		if (map && is_early(program, order, with, thread))
			return true;
		ret->kind = OCLMM_OVERLAP_MIGRATED;
		if (migration && overlaps_migration(program, order, with, thread, ret->location))
			return true;
	}
	return false;
}

/*
 * "Signaling the same binary semaphore twice without an interleaving wait may lead to undefined
 * behavior", and so may waiting. Before April 2023 the text called a semaphore unsignaled once the
 * wait is complete, and since then from when its call returns. So a semaphore is used again as both
 * have it only by what begins behind the end of the last wait.
 */
static bool find_misuse(const struct oclmm_program *program,
                        const struct oclmm_command_order *order, struct oclmm_command_overlap *ret)
{
	for (uint32_t i = 0; i < OCLMM_SEMAPHORES_MOST; i++) {
		enum oclmm_command_kind last_kind = OCLMM_COMMAND_NONE;
		uint32_t last = 0, wait = program->thread_count;

		for (uint32_t t = 0; t < program->thread_count; t++) {
			const struct oclmm_command *command =
				&program->threads[t].placement.command;
			bool twice = command->kind == last_kind;

			if (!(command->semaphores >> i & 1))
				continue;
			if (twice || (wait < program->thread_count &&
			              !oclmm_command_ordered(order, wait, t))) {
				*ret = (struct oclmm_command_overlap){
					.kind = command->kind == OCLMM_COMMAND_SIGNAL
				                        ? OCLMM_OVERLAP_SIGNALED
				                        : OCLMM_OVERLAP_AWAITED,
					.thread = t,
					.with = twice ? last : wait,
					.location = i,
				};
				return true;
			}
			last_kind = command->kind;
			last = t;
			if (command->kind == OCLMM_COMMAND_WAIT)
				wait = t;
		}
	}
	return false;
}

/* ---- external memory ---- */

static bool takes(const struct oclmm_program *program, uint32_t thread,
                  enum oclmm_command_kind kind, uint32_t location)
{
	const struct oclmm_thread *t = &program->threads[thread];

	for (uint32_t i = 0; i < t->parameter_count && t->placement.command.kind == kind; i++)
		if (t->parameters[i].location == location)
			return true;
	return false;
}

/* The thread that releases what `acquire` acquires, or the count of threads. */
static uint32_t find_release(const struct oclmm_program *program, uint32_t acquire,
                             uint32_t location)
{
	uint32_t release = acquire + 1;

	while (release < program->thread_count &&
	       !takes(program, release, OCLMM_COMMAND_RELEASE, location))
		release++;
	return release;
}

/*
 * "Behavior is undefined if a memory object created using an external memory handle is used by an
 * OpenCL command queued to a command-queue without being acquired", and if it is used outside
 * before it is released. A step of the host uses it outside.
 */
static bool find_external_use(const struct oclmm_program *program,
                              const struct oclmm_command_order *order, uint32_t thread,
                              uint32_t location, struct oclmm_command_overlap *ret)
{
	bool outside = program->threads[thread].placement.command.kind == OCLMM_COMMAND_HOST;
	bool acquired = false;

	*ret = (struct oclmm_command_overlap){
		.kind = outside ? OCLMM_OVERLAP_UNRELEASED : OCLMM_OVERLAP_UNACQUIRED,
		.thread = thread,
		.with = program->thread_count,
		.location = location,
	};
	for (uint32_t a = 0; a < program->thread_count; a++) {
		uint32_t r;

		if (!takes(program, a, OCLMM_COMMAND_ACQUIRE, location))
			continue;
		r = find_release(program, a, location);
		if (a < thread)
			ret->with = r < thread ? r : a;
		acquired |= oclmm_command_ordered(order, a, thread) &&
		            (r == program->thread_count || oclmm_command_ordered(order, thread, r));
		if (outside && !oclmm_command_ordered(order, thread, a) &&
		    !(r < program->thread_count && oclmm_command_ordered(order, r, thread))) {
			ret->with = a;
			return true;
		}
	}
	return !outside && !acquired;
}

static bool find_external_misuse(const struct oclmm_program *program,
                                 const struct oclmm_command_order *order,
                                 struct oclmm_command_overlap *ret)
{
	for (uint32_t t = 0; t < program->thread_count; t++) {
		enum oclmm_command_kind kind = program->threads[t].placement.command.kind;
		uint64_t used = oclmm_command_uses(program, t) | uses_of(program, t).all;

		if (kind == OCLMM_COMMAND_ACQUIRE || kind == OCLMM_COMMAND_RELEASE)
			continue;
		for (uint32_t i = 0; i < program->location_count; i++)
			if (used >> i & 1 &&
			    program->locations[i].storage == OCLMM_STORAGE_EXTERNAL &&
			    find_external_use(program, order, t, i, ret))
				return true;
	}
	return false;
}

/* ---- buffers over shared virtual memory ---- */

bool oclmm_command_by_buffer(const struct oclmm_program *program, uint32_t thread,
                             uint32_t location)
{
	enum oclmm_storage storage = program->locations[location].storage;

	if (!oclmm_storage_is_svm(storage))
		return false;
	if (program->threads[thread].placement.command.kind != OCLMM_COMMAND_HOST)
		return program->threads[thread].placement.command.buffer;
	/* fine-grained memory it uses by its pointer, mapped or not */
	for (uint32_t i = thread; oclmm_storage_is_mapped(storage) && i-- > 0;) {
		const struct oclmm_thread *t = &program->threads[i];

		if (t->placement.command.kind == OCLMM_COMMAND_MAP &&
		    t->parameters[0].location == location)
			return t->placement.command.buffer;
	}
	return false;
}

bool oclmm_command_is_shown(const struct oclmm_program *program,
                            const struct oclmm_command_order *order, uint32_t a, uint32_t b,
                            uint32_t location)
{
	bool from_buffer = oclmm_command_by_buffer(program, a, location);

	for (uint32_t map = 0; map < program->thread_count; map++) {
		const struct oclmm_thread *t = &program->threads[map];
		uint32_t unmap;

		if (t->placement.command.kind != OCLMM_COMMAND_MAP ||
		    !t->placement.command.buffer || t->parameters[0].location != location)
			continue;
		unmap = find_unmap(program, map);
		if (from_buffer ? t->placement.command.map != OCLMM_MAP_INVALIDATE &&
		                          oclmm_command_ordered(order, a, map) &&
		                          oclmm_command_ordered(order, map, b)
		                : t->placement.command.map != OCLMM_MAP_READ &&
		                          oclmm_command_ordered(order, map, a) &&
		                          unmap < program->thread_count &&
		                          oclmm_command_ordered(order, a, unmap) &&
		                          oclmm_command_ordered(order, unmap, b))
			return true;
	}
	return false;
}

bool oclmm_command_find_overlap(const struct oclmm_program *program,
                                const struct oclmm_command_order *order,
                                struct oclmm_command_overlap *ret)
{
	if (find_misuse(program, order, ret) || find_external_misuse(program, order, ret))
		return true;
	for (uint32_t with = 0; with < program->thread_count; with++)
		for (uint32_t thread = 0; thread < program->thread_count; thread++)
			if (thread != with && find_overlap_with(program, order, with, thread, ret))
				return true;
	return false;
}

/* ---- the way from one to the other ---- */

unsigned oclmm_command_way(const struct oclmm_command_order *order, uint32_t a, uint32_t b,
                           unsigned char ret_moments[OCLMM_MOMENTS_MOST])
{
	unsigned from = oclmm_moment(a, OCLMM_MOMENT_END), to = oclmm_moment(b, OCLMM_MOMENT_BEGIN);
	unsigned char previous[OCLMM_MOMENTS_MOST], queue[OCLMM_MOMENTS_MOST];
	unsigned head = 0, tail = 0, length = 1;
	uint64_t seen = UINT64_C(1) << from;

	queue[tail++] = (unsigned char)from;
	while (head < tail && !(seen >> to & 1)) {
		unsigned at = queue[head++];

		for (unsigned next = 0; next < order->count; next++) {
			if (!order->edge[at][next] || seen >> next & 1)
				continue;
			seen |= UINT64_C(1) << next;
			previous[next] = (unsigned char)at;
			queue[tail++] = (unsigned char)next;
		}
	}
	if (!(seen >> to & 1))
		return 0;
	for (unsigned at = to; at != from; at = previous[at])
		length++;
	for (unsigned at = to, i = length; i-- > 0; at = previous[at]) {
		ret_moments[i] = (unsigned char)at;
		if (at == from)
			break;
	}
	return length;
}
