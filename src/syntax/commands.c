// SPDX-License-Identifier: Apache-2.0
/* Programs of commands: what each thread is, its queue, what it waits for, and what its body may
 * hold. */
#include "scope.h"

#include <errno.h>
#include <string.h>

static const char FORM[] = "write `@kernel queue 0 wait 1`, `@read queue 0 blocking`, "
			   "`@host wait 1`";

/* The kind that a word of a thread's placement names; NONE for any other. `wait` names one where it
 * stands first and alone, and else it is followed by whose event is waited for. */
static enum oclmm_command_kind find_kind(const struct tree_thread *tree,
                                         const struct tree_placement *word)
{
	enum oclmm_command_kind kind = OCLMM_COMMAND_NONE;

	oclmm_command_find(word->word->text, strlen(word->word->text), &kind);
	if (kind == OCLMM_COMMAND_WAIT && (word != tree->placement || word->number))
		kind = OCLMM_COMMAND_NONE;
	return kind;
}

/* ---- words with numbers ---- */

enum word {
	QUEUE,
	UNORDERED,
	DEV,
	WAIT,
	CALLBACK,
	POLL,
	FINISH,
	FLUSH,
	SUB,
	RECORDING,
	AFTER,
	AGAIN,
	SEMAPHORE,
	BLOCKING,
	RECT,
	GLOBAL_OFFSET,
	GLOBAL_SIZE,
	LOCAL_SIZE,
	ADDRESS,
	CONTEXT,
	INDIRECT,
	BUFFER,
	WORDS
};

static const struct {
	const char *word;
	const char *of; /* what its number is of; empty: it has none */
	bool host;      /* only the host does it */
} words[WORDS] = {
	[QUEUE] = {"queue", "queue", false},
	[UNORDERED] = {"unordered", "queue", false},
	[DEV] = {"dev", "device", false},
	[WAIT] = {"wait", "thread", false},
	[CALLBACK] = {"callback", "thread", true},
	[POLL] = {"poll", "thread", true},
	[FINISH] = {"finish", "queue", true},
	[FLUSH] = {"flush", "queue", true},
	[SUB] = {"sub", "sub-buffer", false},
	[RECORDING] = {"recording", "command buffer", false},
	[AFTER] = {"after", "thread", false},
	[AGAIN] = {"again", "thread", false},
	[SEMAPHORE] = {"semaphore", "semaphore", false},
	[BLOCKING] = {"blocking", "", false},
	[RECT] = {"rect", "", false},
	[GLOBAL_OFFSET] = {"global_work_offset", "", false},
	[GLOBAL_SIZE] = {"global_work_size", "", false},
	[LOCAL_SIZE] = {"local_work_size", "", false},
	[ADDRESS] = {"address", "", false},
	[CONTEXT] = {"context", "", true},
	[INDIRECT] = {"indirect", "", false},
	[BUFFER] = {"buffer", "", false},
};

/* A thread as it is read. */
struct reading {
	const struct builder *builder;
	struct oclmm_thread *thread;
	struct oclmm_command *command;
	const struct syntax_token *queue_at, *device_at;
};

static int refuse_number(const struct reading *r, const struct tree_placement *tree, enum word word)
{
	if (!*words[word].of)
		return REFUSE(r->builder, tree->word, NULL, "`%s` takes no number",
		              tree->word->text);
	return REFUSE(r->builder, tree->word, NULL, "`%s` takes the number of a %s",
	              tree->word->text, words[word].of);
}

/* Adds the thread whose event this one waits for. */
static int read_thread(const struct reading *r, const struct tree_placement *tree, uint32_t *set)
{
	const struct oclmm_program *program = r->builder->program;
	struct oclmm_thread *other = oclmm_find_thread(r->builder, tree->number);
	uint32_t index;

	if (!other)
		return -EINVAL;
	index = (uint32_t)(other - program->threads);
	if (other == r->thread)
		return REFUSE(r->builder, tree->number, NULL, "P%u waits for itself", other->id);
	if (*set >> index & 1)
		return REFUSE(r->builder, tree->number, NULL, "`%s %u` is given twice",
		              tree->word->text, other->id);
	*set |= 1u << index;
	return 0;
}

static int read_queue(struct reading *r, const struct tree_placement *tree, bool unordered)
{
	if (r->queue_at)
		return REFUSE(r->builder, tree->word, NULL, "a command stands in one queue");
	r->queue_at = tree->number;
	r->command->unordered = unordered;
	return oclmm_read_count(r->builder, tree->number, OCLMM_QUEUES_MOST - 1,
	                        &r->command->queue);
}

static int read_device(struct reading *r, const struct tree_placement *tree)
{
	if (r->device_at)
		return REFUSE(r->builder, tree->word, NULL, "a queue is of one device");
	r->device_at = tree->number;
	return oclmm_read_count(r->builder, tree->number, OCLMM_COMMAND_DEVICES_MOST - 1,
	                        &r->command->device);
}

static int read_sub_buffer(const struct reading *r, const struct tree_placement *tree)
{
	uint32_t number = 0;

	if (r->command->sub)
		return REFUSE(r->builder, tree->word, NULL,
		              "a command uses one sub-buffer of each buffer");
	if (oclmm_read_count(r->builder, tree->number, OCLMM_SUB_BUFFERS_MOST - 1, &number))
		return -EINVAL;
	r->command->sub = number + 1;
	return 0;
}

static int read_recording(const struct reading *r, const struct tree_placement *tree)
{
	uint32_t number = 0;

	if (r->command->recording)
		return REFUSE(r->builder, tree->word, NULL, "a command is of one command buffer");
	if (oclmm_read_count(r->builder, tree->number, OCLMM_RECORDINGS_MOST - 1, &number))
		return -EINVAL;
	r->command->recording = number + 1;
	return 0;
}

static int read_again(const struct reading *r, const struct tree_placement *tree)
{
	struct oclmm_thread *other;

	if (r->command->again)
		return REFUSE(r->builder, tree->word, NULL, "a thread is one command again");
	other = oclmm_find_thread(r->builder, tree->number);
	if (!other)
		return -EINVAL;
	r->command->again = (uint32_t)(other - r->builder->program->threads) + 1;
	return 0;
}

static int read_semaphore(const struct reading *r, const struct tree_placement *tree)
{
	enum oclmm_command_kind kind = r->command->kind;
	uint32_t number = 0;

	if (kind != OCLMM_COMMAND_SIGNAL && kind != OCLMM_COMMAND_WAIT)
		return REFUSE(r->builder, tree->word, "write `@signal semaphore 0`",
		              "only signal and wait use semaphores");
	if (oclmm_read_count(r->builder, tree->number, OCLMM_SEMAPHORES_MOST - 1, &number))
		return -EINVAL;
	if (r->command->semaphores >> number & 1)
		return REFUSE(r->builder, tree->number, NULL, "`semaphore %u` is given twice",
		              number);
	r->command->semaphores |= 1u << number;
	return 0;
}

static int read_rect(const struct reading *r, const struct tree_placement *tree)
{
	enum oclmm_command_kind kind = r->command->kind;

	if (kind != OCLMM_COMMAND_READ && kind != OCLMM_COMMAND_WRITE && kind != OCLMM_COMMAND_COPY)
		return REFUSE(r->builder, tree->word, NULL,
		              "only read, write and copy can be of rectangles");
	r->command->rect = true;
	return 0;
}

/* By what of its launch a kernel reaches no cell. */
static int read_miss(const struct reading *r, const struct tree_placement *tree, unsigned field)
{
	if (r->command->misses & field)
		return REFUSE(r->builder, tree->word, NULL, "`%s` is given twice",
		              tree->word->text);
	r->command->misses |= field;
	return 0;
}

/* How a kernel is given its objects: `address`, `indirect`. */
static int read_way(const struct reading *r, const struct tree_placement *tree, bool *way)
{
	if (r->command->kind != OCLMM_COMMAND_KERNEL)
		return REFUSE(r->builder, tree->word, NULL,
		              way == &r->command->address
		                      ? "only kernels are given the addresses of buffers"
		                      : "only kernels reach memory by a pointer in other memory");
	if (*way)
		return REFUSE(r->builder, tree->word, NULL, "`%s` is given twice",
		              tree->word->text);
	*way = true;
	return 0;
}

static int read_buffer(const struct reading *r, const struct tree_placement *tree)
{
	if (r->command->kind == OCLMM_COMMAND_HOST)
		return REFUSE(r->builder, tree->word, "let it use what `@map buffer` has mapped",
		              "the host uses memory by a pointer");
	if (r->command->buffer)
		return REFUSE(r->builder, tree->word, NULL, "`buffer` is given twice");
	r->command->buffer = true;
	return 0;
}

static int read_queue_set(const struct reading *r, const struct tree_placement *tree, uint32_t *set)
{
	uint32_t queue;

	if (oclmm_read_count(r->builder, tree->number, OCLMM_QUEUES_MOST - 1, &queue))
		return -EINVAL;
	*set |= 1u << queue;
	return 0;
}

static int read_word(struct reading *r, const struct tree_placement *tree, enum word word)
{
	struct oclmm_command *command = r->command;

	if ((tree->number == NULL) != !*words[word].of)
		return refuse_number(r, tree, word);
	if (words[word].host && command->kind != OCLMM_COMMAND_HOST)
		return REFUSE(r->builder, tree->word, "give the host a step of its own: `P1@host`",
		              "only the host does `%s`", tree->word->text);
	switch (word) {
	case QUEUE:
	case UNORDERED: return read_queue(r, tree, word == UNORDERED);
	case DEV: return read_device(r, tree);
	case WAIT: return read_thread(r, tree, &command->waits);
	case CALLBACK: return read_thread(r, tree, &command->callbacks);
	case POLL: return read_thread(r, tree, &command->polls);
	case FINISH: return read_queue_set(r, tree, &command->finishes);
	case FLUSH: return read_queue_set(r, tree, &command->flushes);
	case SUB: return read_sub_buffer(r, tree);
	case RECORDING: return read_recording(r, tree);
	case AFTER: return read_thread(r, tree, &command->after);
	case AGAIN: return read_again(r, tree);
	case SEMAPHORE: return read_semaphore(r, tree);
	case RECT: return read_rect(r, tree);
	case GLOBAL_OFFSET: return read_miss(r, tree, OCLMM_LAUNCH_OFFSET);
	case GLOBAL_SIZE: return read_miss(r, tree, OCLMM_LAUNCH_SIZE);
	case LOCAL_SIZE: return read_miss(r, tree, OCLMM_LAUNCH_LOCAL);
	case ADDRESS: return read_way(r, tree, &command->address);
	case INDIRECT: return read_way(r, tree, &command->indirect);
	case CONTEXT:
		if (command->context)
			return REFUSE(r->builder, tree->word, NULL, "`context` is given twice");
		command->context = true;
		return 0;
	case BUFFER: return read_buffer(r, tree);
	case BLOCKING:
	case WORDS: break;
	}
	if (command->kind != OCLMM_COMMAND_READ && command->kind != OCLMM_COMMAND_WRITE &&
	    command->kind != OCLMM_COMMAND_MAP)
		return REFUSE(r->builder, tree->word, NULL,
		              "only read, write and map can be blocking");
	command->blocking = true;
	return 0;
}

/* What a map is for: words behind `map`, of which two are commands elsewhere. */
static bool is_map_word(const struct oclmm_command *command, const char *word)
{
	return strcmp(word, "invalidate") == 0 ||
	       (command->kind == OCLMM_COMMAND_MAP &&
	        (strcmp(word, "read") == 0 || strcmp(word, "write") == 0));
}

static int read_map_word(struct reading *r, const struct syntax_token *word)
{
	unsigned flag = strcmp(word->text, "read") == 0    ? OCLMM_MAP_READ
	                : strcmp(word->text, "write") == 0 ? OCLMM_MAP_WRITE
	                                                   : OCLMM_MAP_INVALIDATE;

	if (r->command->kind != OCLMM_COMMAND_MAP)
		return REFUSE(r->builder, word, "write it behind `map`",
		              "only a map can be for `%s`", word->text);
	if (r->command->map & flag)
		return REFUSE(r->builder, word, NULL, "`%s` is given twice", word->text);
	r->command->map |= flag;
	if (r->command->map & OCLMM_MAP_INVALIDATE && r->command->map != OCLMM_MAP_INVALIDATE)
		return REFUSE(r->builder, word, "CL_MAP_WRITE_INVALIDATE_REGION stands alone",
		              "a map with `invalidate` is for writing, and for nothing else");
	return 0;
}

static int read_kind(struct reading *r, const struct tree_thread *tree)
{
	for (const struct tree_placement *p = tree->placement; p; p = p->next) {
		enum oclmm_command_kind kind = find_kind(tree, p);

		if (!kind && strcmp(p->word->text, "invalidate") != 0)
			continue;
		if (p->number)
			return REFUSE(r->builder, p->number, NULL, "`%s` takes no number",
			              p->word->text);
		if (is_map_word(r->command, p->word->text)) {
			if (read_map_word(r, p->word))
				return -EINVAL;
			continue;
		}
		if (r->command->kind)
			return REFUSE(r->builder, p->word, NULL, "P%u is one command, not two",
			              r->thread->id);
		r->command->kind = kind;
	}
	if (!r->command->kind)
		return REFUSE(r->builder, tree->name, FORM,
		              "P%u is no command, and other threads of the test are",
		              r->thread->id);
	if (r->command->kind == OCLMM_COMMAND_MAP && !r->command->map)
		r->command->map = OCLMM_MAP_READ | OCLMM_MAP_WRITE;
	return 0;
}

static int read_command(const struct builder *builder, const struct tree_thread *tree,
                        struct oclmm_thread *thread)
{
	struct reading r = {builder, thread, &thread->placement.command, NULL, NULL};
	int result = read_kind(&r, tree);

	for (const struct tree_placement *p = tree->placement; p && !result; p = p->next) {
		int word = 0;

		if (find_kind(tree, p) || strcmp(p->word->text, "invalidate") == 0)
			continue;
		while (word < WORDS && strcmp(words[word].word, p->word->text) != 0)
			word++;
		if (word == WORDS)
			return REFUSE(builder, p->word, FORM, "`%.40s` says nothing of a command",
			              p->word->text);
		result = read_word(&r, p, (enum word)word);
	}
	if (!result && r.queue_at && !oclmm_command_is_queued(r.command->kind))
		return REFUSE(builder, r.queue_at, NULL, "`%s` stands in no queue",
		              oclmm_command_word(r.command->kind));
	if (!result && r.device_at && !oclmm_command_is_queued(r.command->kind))
		return REFUSE(builder, r.device_at, NULL, "`%s` runs on no device",
		              oclmm_command_word(r.command->kind));
	return result;
}

/* ---- queues and events ---- */

static int check_queue(const struct builder *builder, const struct tree_thread *tree,
                       uint32_t index)
{
	const struct oclmm_thread *threads = builder->program->threads;
	const struct oclmm_command *own = &threads[index].placement.command;

	for (uint32_t i = 0; i < index && oclmm_command_is_queued(own->kind); i++) {
		const struct oclmm_command *other = &threads[i].placement.command;

		if (!oclmm_command_is_queued(other->kind) || other->queue != own->queue)
			continue;
		if (other->device != own->device)
			return REFUSE(builder, tree->name, "give them different numbers",
			              "queue %u is of device %u for P%u, and of device %u for P%u",
			              own->queue, other->device, threads[i].id, own->device,
			              threads[index].id);
		if (other->unordered != own->unordered)
			return REFUSE(builder, tree->name, "give them different numbers",
			              "queue %u is in order for P%u, and not for P%u", own->queue,
			              threads[own->unordered ? i : index].id,
			              threads[own->unordered ? index : i].id);
	}
	return 0;
}

static int check_events(const struct builder *builder, const struct tree_thread *tree,
                        uint32_t index)
{
	const struct oclmm_thread *threads = builder->program->threads;
	const struct oclmm_command *own = &threads[index].placement.command;
	uint32_t all = own->waits | own->callbacks | own->polls;

	for (uint32_t i = 0; i < builder->program->thread_count; i++) {
		enum oclmm_command_kind kind = threads[i].placement.command.kind;

		if (!(all >> i & 1))
			continue;
		if (kind == OCLMM_COMMAND_HOST)
			return REFUSE(builder, tree->name, NULL,
			              "P%u waits for P%u, which is a step of the host and has no "
			              "event",
			              threads[index].id, threads[i].id);
		if (i > index && (kind != OCLMM_COMMAND_USER || own->callbacks >> i & 1))
			return REFUSE(builder, tree->name,
			              "commands are enqueued in the order of their threads; only "
			              "a user event can be waited for before that",
			              "P%u waits for P%u, which is enqueued later",
			              threads[index].id, threads[i].id);
	}
	return 0;
}

/* ---- command buffers ---- */

/* Of the commands that can be recorded: those on buffers, and barriers. */
static bool can_be_recorded(enum oclmm_command_kind kind)
{
	return kind == OCLMM_COMMAND_KERNEL || kind == OCLMM_COMMAND_FILL ||
	       kind == OCLMM_COMMAND_COPY || kind == OCLMM_COMMAND_BARRIER;
}

/* What a later replay plays is what was recorded, in the same words. */
static int check_again(const struct builder *builder, const struct tree_thread *tree,
                       uint32_t index)
{
	const struct oclmm_thread *threads = builder->program->threads;
	const struct oclmm_command *own = &threads[index].placement.command;
	uint32_t first = own->again - 1;
	const struct oclmm_command *recorded = &threads[first].placement.command;

	if (!oclmm_command_is_recorded(own) || !oclmm_command_is_recorded(recorded) ||
	    own->recording != recorded->recording || first >= index || recorded->again)
		return REFUSE(builder, tree->name,
		              "`again` names the command of the same command buffer where it is "
		              "recorded",
		              "P%u cannot be P%u again", threads[index].id, threads[first].id);
	if (own->after)
		return REFUSE(builder, tree->name, NULL,
		              "P%u waits for sync points as P%u does, whose command it is",
		              threads[index].id, threads[first].id);
	if (own->kind != recorded->kind || own->queue != recorded->queue ||
	    own->unordered != recorded->unordered || own->device != recorded->device ||
	    own->sub != recorded->sub)
		return REFUSE(builder, tree->name, "give it the same words",
		              "P%u is not the command that P%u records", threads[index].id,
		              threads[first].id);
	return 0;
}

/* `a kernel`, `an unmap`. */
static const char *article_of(enum oclmm_command_kind kind)
{
	return kind == OCLMM_COMMAND_ACQUIRE || kind == OCLMM_COMMAND_UNMAP ? "an" : "a";
}

/* What is recorded waits for sync points, and has no event. */
static int check_recorded(const struct builder *builder, const struct tree_thread *tree,
                          uint32_t index)
{
	const struct oclmm_thread *threads = builder->program->threads;
	const struct oclmm_command *own = &threads[index].placement.command;
	uint32_t events = own->waits | own->callbacks | own->polls;

	for (uint32_t i = 0; i < builder->program->thread_count; i++) {
		const struct oclmm_command *other = &threads[i].placement.command;

		if (events >> i & 1 && oclmm_command_is_recorded(other))
			return REFUSE(builder, tree->name, "wait for the event of its replay",
			              "P%u waits for P%u, which is recorded and has no event",
			              threads[index].id, threads[i].id);
		if (own->after >> i & 1 &&
		    (i > index || !oclmm_command_is_recorded(other) ||
		     !oclmm_command_is_recorded(own) || other->recording != own->recording))
			return REFUSE(builder, tree->name,
			              "a sync point is of an earlier command of the same "
			              "command buffer",
			              "P%u cannot wait for a sync point of P%u", threads[index].id,
			              threads[i].id);
	}
	if (own->again && check_again(builder, tree, index))
		return -EINVAL;
	if (own->misses && (own->kind != OCLMM_COMMAND_KERNEL || !own->recording))
		return REFUSE(builder, tree->name, NULL,
		              "P%u is no recorded kernel, and only the launches of those are "
		              "changed",
		              threads[index].id);
	if (!oclmm_command_is_recorded(own))
		return 0;
	if (!can_be_recorded(own->kind))
		return REFUSE(builder, tree->name, NULL,
		              "P%u is %s %s, and only kernels, fills, copies and barriers are "
		              "recorded",
		              threads[index].id, article_of(own->kind),
		              oclmm_command_word(own->kind));
	if (own->rect)
		return REFUSE(builder, tree->name, NULL,
		              "P%u is of rectangles, and only copies of a row are recorded",
		              threads[index].id);
	if (own->waits)
		return REFUSE(builder, tree->name, "write `after 0` for the sync point of P0",
		              "P%u is recorded, and waits for no event", threads[index].id);
	return 0;
}

/* A command buffer while the threads are gone through. */
struct recording {
	uint32_t recorded; /* threads that record a command */
	uint32_t left;   /* those of them that the next replay plays, and nobody has written yet */
	uint32_t replay; /* the last replay so far, or the count of threads */
};

/* The queues for which a command buffer is recorded are of one device, and of one kind. */
static int check_first_played(const struct builder *builder, const struct tree_thread *tree,
                              uint32_t index, struct recording *of)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_command *own = &program->threads[index].placement.command, *other;

	if (of->replay < program->thread_count)
		return REFUSE(builder, tree->name,
		              "record it before that, or write `again 0` where P0 is played again",
		              "the command buffer %u is replayed by P%u", own->recording - 1,
		              program->threads[of->replay].id);
	if (of->recorded) {
		other = &program->threads[__builtin_ctz(of->recorded)].placement.command;
		if (own->unordered != other->unordered || own->device != other->device)
			return REFUSE(builder, tree->name, NULL,
			              "the command buffer %u is recorded for queue %u and for "
			              "queue %u, which is of another %s",
			              own->recording - 1, other->queue, own->queue,
			              own->device != other->device ? "device" : "kind");
	}
	of->recorded |= 1u << index;
	return 0;
}

static int check_played_again(const struct builder *builder, const struct tree_thread *tree,
                              uint32_t index, struct recording *of)
{
	const struct oclmm_thread *threads = builder->program->threads;
	uint32_t first = threads[index].placement.command.again - 1;

	if (of->replay == builder->program->thread_count)
		return REFUSE(builder, tree->name, "a replay of P0 stands between the two",
		              "P%u is P%u again, which nobody has replayed before",
		              threads[index].id, threads[first].id);
	if (!of->left)
		return REFUSE(builder, tree->name, NULL,
		              "P%u is P%u again, which the next replay plays already",
		              threads[index].id, threads[first].id);
	if (first != (uint32_t)__builtin_ctz(of->left))
		return REFUSE(builder, tree->name, "they stand in the order of their recording",
		              "P%u is P%u again, and P%u comes first", threads[index].id,
		              threads[first].id, threads[__builtin_ctz(of->left)].id);
	of->left &= of->left - 1;
	return 0;
}

static int check_replay(const struct builder *builder, const struct tree_thread *tree,
                        uint32_t index, struct recording *of)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *threads = program->threads;
	const struct oclmm_command *own = &threads[index].placement.command, *other;

	if (!of->recorded)
		return REFUSE(builder, tree->name, NULL,
		              "nothing is recorded in the command buffer %u", own->recording - 1);
	if (of->replay < program->thread_count && of->left)
		return REFUSE(builder, tree->name,
		              "write what it plays before it: `P2@kernel recording 0 again 0`",
		              "P%u replays the command buffer %u, and P%u is not played again",
		              threads[index].id, own->recording - 1,
		              threads[__builtin_ctz(of->left)].id);
	other = &threads[__builtin_ctz(of->recorded)].placement.command;
	if (other->unordered != own->unordered || other->device != own->device)
		return REFUSE(builder, tree->name, NULL,
		              "P%u is recorded for a queue of another kind than P%u replays it in",
		              threads[__builtin_ctz(of->recorded)].id, threads[index].id);
	if (own->queue != other->queue && oclmm_command_several_queues(program, own->recording))
		return REFUSE(builder, tree->name,
		              oclmm_arena_printf(builder->arena, "write `%s %u`",
		                                 own->unordered ? "unordered" : "queue",
		                                 other->queue),
		              "what is recorded for several queues is replayed in them, the first "
		              "of which is %u",
		              other->queue);
	of->replay = index;
	of->left = of->recorded;
	return 0;
}

/* A command buffer is recorded, and then replayed in queues like the one that it is recorded for.
 * Before each replay but the first stands what it plays again. */
static int check_replays(const struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	struct recording recordings[OCLMM_RECORDINGS_MOST] = {0};
	const struct tree_thread *tree = builder->tree->threads;

	for (uint32_t i = 0; i < OCLMM_RECORDINGS_MOST; i++)
		recordings[i].replay = program->thread_count;
	for (uint32_t i = 0; i < program->thread_count; i++, tree = tree->next) {
		const struct oclmm_command *own = &program->threads[i].placement.command;
		bool replay = own->kind == OCLMM_COMMAND_REPLAY;

		if (replay && !own->recording)
			return REFUSE(builder, tree->name, "write `@replay recording 0`",
			              "P%u does not say which command buffer it replays",
			              program->threads[i].id);
		if (!own->recording)
			continue;
		if ((replay       ? check_replay
		     : own->again ? check_played_again
		                  : check_first_played)(builder, tree, i,
		                                        &recordings[own->recording - 1]))
			return -EINVAL;
	}
	tree = builder->tree->threads;
	for (uint32_t i = 0; i < program->thread_count; i++, tree = tree->next) {
		if (oclmm_command_is_recorded(&program->threads[i].placement.command) &&
		    oclmm_command_replay_of(program, i) == program->thread_count)
			return REFUSE(builder, tree->name, "write a thread `@replay recording 0`",
			              "P%u is recorded, and nobody replays it",
			              program->threads[i].id);
	}
	return 0;
}

/* ---- semaphores ---- */

static bool is_of_semaphore(const struct oclmm_command *command)
{
	return command->kind == OCLMM_COMMAND_SIGNAL || command->kind == OCLMM_COMMAND_WAIT;
}

/* Which device a semaphore is of stands with the first command that uses it: "For a multi-device
 * context" a list "must be specified" with one device. */
static int check_semaphore_device(const struct builder *builder, const struct tree_thread *tree,
                                  uint32_t index)
{
	const struct oclmm_thread *threads = builder->program->threads;
	const struct oclmm_command *own = &threads[index].placement.command;

	for (uint32_t i = 0; i < index; i++) {
		const struct oclmm_command *other = &threads[i].placement.command;

		if (own->semaphores & other->semaphores && own->device != other->device)
			return REFUSE(builder, tree->name, "an event counts in the queues of both",
			              "P%u and P%u use one semaphore, which is of one device",
			              threads[i].id, threads[index].id);
	}
	return 0;
}

static int check_semaphores(const struct builder *builder, const struct tree_thread *tree,
                            uint32_t index)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_command *own = &program->threads[index].placement.command;

	if (!is_of_semaphore(own))
		return 0;
	if (!own->semaphores)
		return REFUSE(builder, tree->name, "write `semaphore 0` behind it",
		              "P%u does not say which semaphore it is of",
		              program->threads[index].id);
	for (uint32_t i = 0; i < OCLMM_SEMAPHORES_MOST; i++) {
		if (own->kind == OCLMM_COMMAND_WAIT && own->semaphores >> i & 1 &&
		    oclmm_command_signal_of(program, index, i) == index)
			return REFUSE(builder, tree->name,
			              "the call may return only when the semaphore can be "
			              "signaled again: enqueue the signal first",
			              "P%u waits for the semaphore %u, which no command before it "
			              "signals",
			              program->threads[index].id, i);
	}
	return check_semaphore_device(builder, tree, index);
}

/* Whether a thread waits for itself, or polls for an event that only its own call can bring about.
 * Polling orders nothing, so the order of moments does not show it. */
static bool never_ends(const struct oclmm_program *program, const struct oclmm_command_order *order,
                       uint32_t thread)
{
	uint32_t polls = program->threads[thread].placement.command.polls;
	uint64_t after = order->before[oclmm_moment(thread, OCLMM_MOMENT_CALL)];

	for (int m = 0; m < OCLMM_MOMENT_COUNT; m++) {
		unsigned moment = oclmm_moment(thread, (enum oclmm_command_moment)m);

		if (order->before[moment] >> moment & 1)
			return true;
	}
	for (uint32_t w = 0; w < program->thread_count; w++) {
		if (polls >> w & 1 && after >> oclmm_moment(w, OCLMM_MOMENT_END) & 1)
			return true;
	}
	return false;
}

/* "If necessary, implementations may block" in both calls until earlier ones of a semaphore are
 * done. A step of the host that these wait for must not come later, therefore. */
static int check_blocking(const struct builder *builder, const struct tree_thread *tree,
                          const struct oclmm_command_order *order, uint32_t index)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *threads = program->threads;

	for (uint32_t i = 0; i < index; i++) {
		uint64_t end = UINT64_C(1) << oclmm_moment(i, OCLMM_MOMENT_END);

		if (!(threads[i].placement.command.semaphores &
		      threads[index].placement.command.semaphores))
			continue;
		/* the last of them says why */
		for (uint32_t t = program->thread_count; t-- > index + 1;) {
			if (!oclmm_command_is_queued(threads[t].placement.command.kind) &&
			    order->before[oclmm_moment(t, OCLMM_MOMENT_END)] & end)
				return REFUSE(
					builder, tree->name, NULL,
					"the call of P%u may wait until P%u is complete "
					"(cl_khr_semaphore), for which the host has to come to P%u",
					threads[index].id, threads[i].id, threads[t].id);
		}
	}
	return 0;
}

/* A thread that waits for what comes after it never returns. */
static int check_end(const struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	const struct tree_thread *tree = builder->tree->threads;
	struct oclmm_command_order order;

	oclmm_command_order(program, 0, &order);
	for (uint32_t i = 0; tree; tree = tree->next, i++) {
		if (never_ends(program, &order, i))
			return REFUSE(builder, tree->name, NULL,
			              "P%u waits for what comes after it, and never returns",
			              program->threads[i].id);
		if (check_blocking(builder, tree, &order, i))
			return -EINVAL;
	}
	return 0;
}

static int place_commands(struct builder *builder)
{
	struct oclmm_program *program = builder->program;
	const struct tree_thread *tree = builder->tree->threads;

	if (!builder->commands)
		return 0;
	if (oclmm_check_shared(builder, tree->name))
		return -EINVAL;
	for (uint32_t i = 0; i < program->thread_count; i++, tree = tree->next) {
		program->threads[i].placement.work_group = i;
		if (read_command(builder, tree, &program->threads[i]))
			return -EINVAL;
	}
	tree = builder->tree->threads;
	for (uint32_t i = 0; i < program->thread_count; i++, tree = tree->next) {
		if (check_queue(builder, tree, i) || check_events(builder, tree, i) ||
		    check_recorded(builder, tree, i) || check_semaphores(builder, tree, i))
			return -EINVAL;
	}
	return check_replays(builder) ? -EINVAL : check_end(builder);
}

/* ---- objects ---- */

static bool is_host_memory(const struct oclmm_program *program, uint32_t location)
{
	return program->locations[location].storage == OCLMM_STORAGE_HOST;
}

static bool is_image(const struct oclmm_program *program, uint32_t location)
{
	return program->locations[location].storage == OCLMM_STORAGE_IMAGE_2D;
}

static bool is_external(const struct oclmm_program *program, uint32_t location)
{
	return program->locations[location].storage == OCLMM_STORAGE_EXTERNAL;
}

static bool is_svm(const struct oclmm_program *program, uint32_t location)
{
	return oclmm_storage_is_svm(program->locations[location].storage);
}

static bool is_unified(const struct oclmm_program *program, uint32_t location)
{
	return oclmm_storage_is_unified_svm(program->locations[location].storage);
}

/* Whether a command uses an object by its pointer, and not by a buffer. */
static bool is_pointer(const struct oclmm_program *program, uint32_t location,
                       const struct oclmm_command *command)
{
	return is_svm(program, location) && !command->buffer;
}

static int check_objects(const struct builder *builder)
{
	const struct oclmm_program *program = builder->program;

	if (program->location_count > OCLMM_COMMAND_OBJECTS_MOST)
		return oclmm_refuse(builder->source,
		                    &program->locations[OCLMM_COMMAND_OBJECTS_MOST].position, NULL,
		                    "more than %d objects in a program of commands",
		                    OCLMM_COMMAND_OBJECTS_MOST);
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];
		const char *what = l->is_array                           ? "an array"
		                   : l->atomic                           ? "atomic"
		                   : l->space == OCLMM_SPACE_LOCAL       ? "local"
		                   : l->space == OCLMM_SPACE_IMAGE       ? "an image"
		                   : l->storage == OCLMM_STORAGE_PROGRAM ? "at program scope"
		                   : oclmm_type_is_floating(l->type)     ? oclmm_type_name(l->type)
		                   : oclmm_type_is_narrow(l->type)       ? oclmm_type_name(l->type)
		                   : oclmm_type_bits(l->type) != 32      ? "of 64 bits"
		                                                         : NULL;

		if (what)
			return oclmm_refuse(builder->source, &l->position,
			                    "each object stands for a buffer of many like it",
			                    "commands work on plain global int or uint, and `%s` "
			                    "is %s",
			                    l->name, what);
	}
	return 0;
}

/* ---- statements ---- */

static const struct oclmm_expression *value_of(const struct oclmm_statement *s)
{
	return s->kind == OCLMM_STATEMENT_STORE    ? s->store.value
	       : s->kind == OCLMM_STATEMENT_ASSIGN ? s->assign.value
	                                           : NULL;
}

static int check_copy(const struct builder *builder, const struct oclmm_statement *s)
{
	const struct oclmm_expression *value = value_of(s);

	if (value &&
	    (value->kind == OCLMM_EXPRESSION_CONSTANT || value->kind == OCLMM_EXPRESSION_REGISTER ||
	     value->kind == OCLMM_EXPRESSION_LOAD))
		return 0;
	return oclmm_refuse(builder->source, &s->position,
	                    "write `*x = 1;`, `*x = *y;` or `int r0 = *x;`",
	                    "a command makes plain copies only");
}

/* There is no such call for shared virtual memory. */
static int check_rect(const struct builder *builder, const struct oclmm_statement *s,
                      const struct oclmm_command *command)
{
	const struct oclmm_program *program = builder->program;
	uint32_t to = s->store.place.location, from = s->store.value->load.location;

	if (!is_pointer(program, to, command) && !is_pointer(program, from, command))
		return 0;
	return oclmm_refuse(builder->source, &s->position, "copy it without `rect`",
	                    "`%s` is in shared virtual memory, and only buffers have rectangles",
	                    program->locations[is_svm(program, to) ? to : from].name);
}

/* The body of a transfer is one statement that says from where and to where. */
static int check_transfer(const struct builder *builder, uint32_t thread)
{
	static const char *const forms[OCLMM_COMMAND_COUNT] = {
		[OCLMM_COMMAND_FILL] = "`*x = 1;`",
		[OCLMM_COMMAND_WRITE] = "`*x = *y;` from memory of the host, `host [y] = 1;`",
		[OCLMM_COMMAND_READ] = "`*y = *x;` to memory of the host, `host [y] = 0;`",
		[OCLMM_COMMAND_COPY] =
			"`*x = *y;` between buffers and images, or in shared virtual memory",
	};
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread];
	enum oclmm_command_kind kind = t->placement.command.kind;
	const struct oclmm_statement *s = t->body;
	bool from_host, to_host, fits;

	fits = s && !s->next && s->kind == OCLMM_STATEMENT_STORE &&
	       s->store.value->kind == (kind == OCLMM_COMMAND_FILL ? OCLMM_EXPRESSION_CONSTANT
	                                                           : OCLMM_EXPRESSION_LOAD);
	if (fits) {
		to_host = is_host_memory(program, s->store.place.location);
		from_host = kind != OCLMM_COMMAND_FILL &&
		            is_host_memory(program, s->store.value->load.location);
		fits = to_host == (kind == OCLMM_COMMAND_READ) &&
		       from_host == (kind == OCLMM_COMMAND_WRITE);
	}
	if (fits && kind == OCLMM_COMMAND_COPY)
		fits = s->store.place.location != s->store.value->load.location &&
		       is_pointer(program, s->store.place.location, &t->placement.command) ==
		               is_pointer(program, s->store.value->load.location,
		                          &t->placement.command);
	if (fits && t->placement.command.rect)
		return check_rect(builder, s, &t->placement.command);
	if (fits)
		return 0;
	return oclmm_refuse(builder->source, s ? &s->position : &t->position, NULL,
	                    "the body of a %s is one statement, %s", oclmm_command_word(kind),
	                    forms[kind]);
}

/* ---- maps ---- */

/* The command by which an object is mapped where a thread stands, or NULL. */
static const struct oclmm_command *find_map(const struct oclmm_program *program, uint32_t location,
                                            uint32_t thread)
{
	const struct oclmm_command *map = NULL;

	for (uint32_t i = 0; i < thread; i++) {
		enum oclmm_command_kind kind = program->threads[i].placement.command.kind;

		if (kind != OCLMM_COMMAND_MAP && kind != OCLMM_COMMAND_UNMAP)
			continue;
		if (program->threads[i].parameters[0].location == location)
			map = kind == OCLMM_COMMAND_MAP ? &program->threads[i].placement.command
			                                : NULL;
	}
	return map;
}

/* In words: `the buffer`, `sub-buffer 0`. */
static const char *handle_of(const struct builder *builder, const struct oclmm_command *command)
{
	return command->sub ? oclmm_arena_printf(builder->arena, "sub-buffer %u", command->sub - 1)
	                    : "the buffer";
}

/* Whether the host has written an object since it was mapped, before it comes to a thread. */
static bool has_written(const struct oclmm_program *program, uint32_t location, uint32_t thread)
{
	bool written = false;

	for (uint32_t i = 0; i < thread; i++) {
		const struct oclmm_thread *t = &program->threads[i];
		enum oclmm_command_kind kind = t->placement.command.kind;

		if (kind == OCLMM_COMMAND_MAP && t->parameters[0].location == location)
			written = false;
		for (const struct oclmm_statement *s = t->body; s; s = s->next)
			written |= kind == OCLMM_COMMAND_HOST && s->kind == OCLMM_STATEMENT_STORE &&
			           s->store.place.location == location;
	}
	return written;
}

static int check_map(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread];
	const struct oclmm_command *own = &t->placement.command, *by;
	bool map = own->kind == OCLMM_COMMAND_MAP;

	if (t->parameter_count != 1 || is_host_memory(program, t->parameters[0].location))
		return oclmm_refuse(builder->source, &t->position, NULL, "P%u takes one buffer",
		                    t->id);
	if (is_external(program, t->parameters[0].location))
		return oclmm_refuse(builder->source, &t->position, "copy it",
		                    "`%s` is external memory, which is not mapped here",
		                    program->locations[t->parameters[0].location].name);
	if (is_unified(program, t->parameters[0].location))
		return oclmm_refuse(builder->source, &t->position, NULL,
		                    "`%s` is of a type of SVM that is not mapped",
		                    program->locations[t->parameters[0].location].name);
	if (!own->buffer &&
	    !oclmm_storage_is_mapped(program->locations[t->parameters[0].location].storage))
		return oclmm_refuse(builder->source, &t->position, NULL,
		                    "`%s` is fine-grained: the host uses it without a map",
		                    program->locations[t->parameters[0].location].name);
	by = find_map(program, t->parameters[0].location, thread);
	if ((by != NULL) == map)
		return oclmm_refuse(builder->source, &t->position, NULL,
		                    "`%s` is %s where P%u stands",
		                    program->locations[t->parameters[0].location].name,
		                    map ? "mapped already" : "not mapped", t->id);
	if (by && by->map & OCLMM_MAP_INVALIDATE &&
	    !has_written(program, t->parameters[0].location, thread))
		return oclmm_refuse(
			builder->source, &t->position, "let the host write it before",
			"the map of `%s` has thrown away what was in it, and P%u unmaps it",
			program->locations[t->parameters[0].location].name, t->id);
	if (by && by->buffer != own->buffer)
		return oclmm_refuse(builder->source, &t->position,
		                    "an unmapping takes the object that was mapped",
		                    "`%s` is mapped by %s, and P%u unmaps %s",
		                    program->locations[t->parameters[0].location].name,
		                    by->buffer ? "the buffer" : "its pointer", t->id,
		                    by->buffer ? "its pointer" : "the buffer");
	if (by && by->sub != own->sub)
		return oclmm_refuse(builder->source, &t->position,
		                    "an unmapping takes the object that was mapped",
		                    "`%s` is mapped by way of %s, and P%u unmaps %s",
		                    program->locations[t->parameters[0].location].name,
		                    handle_of(builder, by), t->id, handle_of(builder, own));
	return 0;
}

/* A step of the host is ordered by the map and unmapping of one object. */
static bool has_one(uint64_t set)
{
	return set && !(set & (set - 1));
}

/* The host writes what is mapped for writing, and reads of what it invalidated what it wrote. */
static int check_use_of_map(const struct builder *builder, uint32_t thread, uint32_t location,
                            const struct oclmm_command *map)
{
	const struct oclmm_program *program = builder->program;
	bool written = has_written(program, location, thread);
	const char *name = program->locations[location].name;

	for (const struct oclmm_statement *s = program->threads[thread].body; s; s = s->next) {
		const struct oclmm_expression *value = value_of(s);

		if (map->map & OCLMM_MAP_INVALIDATE && !written &&
		    value->kind == OCLMM_EXPRESSION_LOAD && value->load.location == location)
			return oclmm_refuse(builder->source, &s->position, "write it first",
			                    "the map of `%s` has thrown away what was in it", name);
		if (s->kind != OCLMM_STATEMENT_STORE || s->store.place.location != location)
			continue;
		if (map->map == OCLMM_MAP_READ)
			return oclmm_refuse(builder->source, &s->position, "map it for `write`",
			                    "`%s` is mapped for reading only", name);
		written = true;
	}
	return 0;
}

static int check_host(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread];
	uint64_t uses = oclmm_command_uses(program, thread);

	for (uint32_t i = 0; i < program->location_count; i++)
		if (uses >> i & 1 && program->locations[i].storage == OCLMM_STORAGE_SVM_DEVICE)
			return oclmm_refuse(builder->source, &t->position,
			                    "copy it: `P0@read queue 0 (global int *x, int *y) "
			                    "{ *y = *x; }`",
			                    "`%s` is owned by a device, and the host does not use "
			                    "it",
			                    program->locations[i].name);
	if (!oclmm_command_is_mapped(program, thread))
		return 0;
	if (!has_one(uses))
		return oclmm_refuse(builder->source, &t->position, "make two steps of it",
		                    "P%u uses more than the one object that is mapped", t->id);
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_command *map = find_map(program, i, thread);

		if (!(uses >> i & 1))
			continue;
		if (!map)
			return oclmm_refuse(builder->source, &t->position,
			                    "map it: `P0@map queue 0 (global int *x) {}`",
			                    "`%s` is not mapped where P%u uses it",
			                    program->locations[i].name, t->id);
		if (check_use_of_map(builder, thread, i, map))
			return -EINVAL;
	}
	return 0;
}

/* ---- sub-buffers ---- */

/* The last acquisition or release of an object that is enqueued before a thread, or its own number
 * where there is none. */
static uint32_t last_turn(const struct oclmm_program *program, uint32_t location, uint32_t thread)
{
	for (uint32_t i = thread; i-- > 0;) {
		const struct oclmm_thread *t = &program->threads[i];
		enum oclmm_command_kind kind = t->placement.command.kind;

		for (uint32_t k = 0; k < t->parameter_count; k++)
			if (t->parameters[k].location == location &&
			    (kind == OCLMM_COMMAND_ACQUIRE || kind == OCLMM_COMMAND_RELEASE))
				return i;
	}
	return thread;
}

/* Of an acquisition or a release. */
static int check_external(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread];
	bool acquires = t->placement.command.kind == OCLMM_COMMAND_ACQUIRE;
	struct oclmm_command_order order;

	oclmm_command_order(program, 0, &order);
	if (!t->parameter_count)
		return oclmm_refuse(builder->source, &t->position, NULL, "P%u %s no object", t->id,
		                    acquires ? "acquires" : "releases");
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		const struct oclmm_location *l = &program->locations[t->parameters[i].location];
		uint32_t last = last_turn(program, t->parameters[i].location, thread);
		bool acquired = last < thread && program->threads[last].placement.command.kind ==
		                                         OCLMM_COMMAND_ACQUIRE;

		if (l->storage != OCLMM_STORAGE_EXTERNAL)
			return oclmm_refuse(builder->source, &t->parameters[i].position,
			                    "write `external [x] = 0;` in the init block",
			                    "`%s` is no external memory", l->name);
		if (acquired == acquires)
			return oclmm_refuse(builder->source, &t->parameters[i].position, NULL,
			                    "`%s` is %s where P%u stands", l->name,
			                    acquires ? "acquired already" : "not acquired", t->id);
		if (last < thread && !oclmm_command_ordered(&order, last, thread))
			return oclmm_refuse(builder->source, &t->position,
			                    "let it wait for the event of that",
			                    "P%u may begin before P%u has %s `%s`", t->id,
			                    program->threads[last].id,
			                    acquires ? "released" : "acquired", l->name);
	}
	return 0;
}

static int check_sub_buffer(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread];
	bool any = false;

	if (!t->placement.command.sub || t->placement.command.buffer)
		return 0;
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		if (is_svm(program, t->parameters[i].location))
			return oclmm_refuse(builder->source, &t->parameters[i].position, NULL,
			                    "`%s` is in shared virtual memory, and only buffers "
			                    "have sub-buffers",
			                    program->locations[t->parameters[i].location].name);
		if (is_external(program, t->parameters[i].location))
			return oclmm_refuse(builder->source, &t->parameters[i].position, NULL,
			                    "`%s` is external memory, which is used as a whole "
			                    "here",
			                    program->locations[t->parameters[i].location].name);
		any |= !is_host_memory(program, t->parameters[i].location);
	}
	if (any && t->placement.command.kind != OCLMM_COMMAND_HOST)
		return 0;
	return oclmm_refuse(builder->source, &t->position, NULL, "P%u %s", t->id,
	                    any ? "is a step of the host, which uses what it has mapped"
	                        : "uses no buffer");
}

/* A kernel has the address of a buffer that is made for that (cl_ext_buffer_device_address). */
static int check_address(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread];
	const struct oclmm_command *command = &t->placement.command;

	if (!command->address)
		return 0;
	if (command->sub || command->recording)
		return oclmm_refuse(builder->source, &t->position, NULL,
		                    command->sub
		                            ? "P%u uses a sub-buffer, and no address of a buffer"
		                            : "P%u is recorded, and what is recorded has buffers",
		                    t->id);
	if (t->parameter_count == 0)
		return oclmm_refuse(builder->source, &t->position, NULL, "P%u uses no buffer",
		                    t->id);
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		const struct oclmm_location *l = &program->locations[t->parameters[i].location];

		if (l->storage != OCLMM_STORAGE_BUFFER)
			return oclmm_refuse(builder->source, &t->parameters[i].position,
			                    "declare it without a word before it",
			                    "`%s` is no buffer that has an address", l->name);
	}
	return 0;
}

/* In a second context is external memory, and nothing else of a test. */
static int check_context(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread];
	bool any = !t->placement.command.context;

	for (uint32_t i = 0; i < t->parameter_count; i++)
		any |= program->locations[t->parameters[i].location].storage ==
		       OCLMM_STORAGE_EXTERNAL;
	return any ? 0
	           : oclmm_refuse(builder->source, &t->position,
	                          "declare an object of it `external`",
	                          "P%u uses no external memory, which a second context shares",
	                          t->id);
}

/* What a kernel reaches by a pointer in other memory has the same address for all. */
static int check_indirect(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread];
	const struct oclmm_command *command = &t->placement.command;

	if (!command->indirect)
		return 0;
	if (command->recording)
		return oclmm_refuse(builder->source, &t->position, NULL,
		                    "P%u is recorded, and what is recorded has its objects as "
		                    "arguments",
		                    t->id);
	for (uint32_t i = 0; i < t->parameter_count; i++)
		if (is_unified(program, t->parameters[i].location))
			return oclmm_refuse(builder->source, &t->parameters[i].position,
			                    "declare it `coarse`, say",
			                    "`%s` is of a type of SVM, to which no pointer leads "
			                    "here",
			                    program->locations[t->parameters[i].location].name);
	for (uint32_t i = 0; i < t->parameter_count; i++)
		if (is_svm(program, t->parameters[i].location))
			return 0;
	return oclmm_refuse(builder->source, &t->position, "declare one `coarse`, say",
	                    "P%u uses no object in shared virtual memory", t->id);
}

/* clSVMAlloc is what gives memory over which clCreateBuffer is sure to make a buffer. */
static int check_buffer(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread];
	const struct oclmm_command *command = &t->placement.command;
	bool any = false;

	if (!command->buffer)
		return 0;
	if (command->sub || command->recording || command->indirect)
		return oclmm_refuse(builder->source, &t->position, NULL,
		                    command->sub         ? "P%u uses a sub-buffer of no such buffer"
		                    : command->recording ? "P%u is recorded, and uses no such "
		                                           "buffer"
		                                         : "P%u finds its objects by pointers, "
		                                           "and has no buffers",
		                    t->id);
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		const struct oclmm_location *l = &program->locations[t->parameters[i].location];
		bool system = l->storage == OCLMM_STORAGE_SVM_SYSTEM;

		if (system || is_unified(program, t->parameters[i].location))
			return oclmm_refuse(builder->source, &t->parameters[i].position,
			                    "declare it `coarse`, say",
			                    "no buffer is made here over `%s`, which is %s",
			                    l->name,
			                    system ? "in the heap of the host"
			                           : "of a type of SVM");
		any |= is_svm(program, t->parameters[i].location);
	}
	return any ? 0
	           : oclmm_refuse(builder->source, &t->position, "declare one `coarse`, say",
	                          "P%u uses no object in shared virtual memory", t->id);
}

/* ---- all of it ---- */

/* `*count`: of the threads so far. */
static int check_registers(const struct builder *builder, const struct oclmm_thread *t,
                           uint32_t *count)
{
	for (uint32_t i = 0; i < t->register_count; i++) {
		if (++*count > OCLMM_COMMAND_REGISTERS_MOST)
			return oclmm_refuse(builder->source, &t->registers[i].position, NULL,
			                    "more than %d registers in a program of commands",
			                    OCLMM_COMMAND_REGISTERS_MOST);
		if (oclmm_type_bits(t->registers[i].type) != 32)
			return oclmm_refuse(builder->source, &t->registers[i].position,
			                    "declare it as int or uint",
			                    "a command copies 32 bits, and a %s has %u",
			                    oclmm_type_name(t->registers[i].type),
			                    oclmm_type_bits(t->registers[i].type));
		if (t->registers[i].has_initial)
			return oclmm_refuse(builder->source, &t->registers[i].position, NULL,
			                    "a register of a command has no initial value");
	}
	return 0;
}

/* The calls that images have are read, write and copy. A kernel has an image to read or to write,
 * C:6.3.4. */
static int check_images(const struct builder *builder, const struct oclmm_thread *t)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_command *command = &t->placement.command;
	uint64_t read = 0, written = 0;

	for (const struct oclmm_statement *s = t->body; s; s = s->next) {
		const struct oclmm_expression *value = value_of(s);

		if (s->kind == OCLMM_STATEMENT_STORE)
			written |= UINT64_C(1) << s->store.place.location;
		if (value->kind == OCLMM_EXPRESSION_LOAD)
			read |= UINT64_C(1) << value->load.location;
	}
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		uint32_t location = t->parameters[i].location;
		const char *name = program->locations[location].name;
		bool kernel = command->kind == OCLMM_COMMAND_KERNEL;

		if (!is_image(program, location))
			continue;
		if (command->kind == OCLMM_COMMAND_HOST || command->kind == OCLMM_COMMAND_FILL ||
		    command->kind == OCLMM_COMMAND_MAP || command->kind == OCLMM_COMMAND_UNMAP)
			return oclmm_refuse(
				builder->source, &t->parameters[i].position,
				"a kernel, a write or a copy writes it, and a read or a "
				"copy shows it",
				"`%s` is an image, and no %s uses one", name,
				oclmm_command_word(command->kind));
		if (kernel && read & written & UINT64_C(1) << location)
			return oclmm_refuse(
				builder->source, &t->parameters[i].position, NULL,
				"a kernel cannot read from and write to the same image, "
				"`%s`",
				name);
		if (command->rect || command->sub)
			return oclmm_refuse(builder->source, &t->parameters[i].position,
			                    command->rect ? "copy it without `rect`" : NULL,
			                    "`%s` is an image, and only buffers have %s", name,
			                    command->rect ? "rectangles" : "sub-buffers");
		if (!kernel && oclmm_command_is_recorded(command))
			return oclmm_refuse(
				builder->source, &t->parameters[i].position, "let a kernel do it",
				"`%s` is an image, and only copies of buffers are recorded", name);
	}
	return 0;
}

/* Only kernels have an end of a pipe: not the host, nor calls that copy, map or migrate. */
static int check_pipes(const struct builder *builder, const struct oclmm_thread *t)
{
	const struct oclmm_location *locations = builder->program->locations;

	for (uint32_t i = 0; i < t->parameter_count; i++) {
		const struct oclmm_location *l = &locations[t->parameters[i].location];

		if (l->storage == OCLMM_STORAGE_PIPE &&
		    t->placement.command.kind != OCLMM_COMMAND_KERNEL)
			return oclmm_refuse(builder->source, &t->parameters[i].position, NULL,
			                    "`%s` is a pipe, which only kernels can use", l->name);
	}
	return 0;
}

static int check_recorded_transfer(const struct builder *builder, const struct oclmm_thread *t)
{
	const struct oclmm_program *program = builder->program;

	for (uint32_t i = 0; i < t->parameter_count; i++)
		if (is_svm(program, t->parameters[i].location))
			return oclmm_refuse(builder->source, &t->parameters[i].position,
			                    "put it into a buffer, or let a kernel do it",
			                    "`%s` is in shared virtual memory, and only fills and "
			                    "copies of buffers are recorded",
			                    program->locations[t->parameters[i].location].name);
	return 0;
}

/* Two threads use what they were given for the same parameter. */
static bool is_same_parameter(const struct oclmm_thread *a, uint32_t of_a,
                              const struct oclmm_thread *b, uint32_t of_b)
{
	uint32_t i = 0;

	while (i < a->parameter_count && a->parameters[i].location != of_a)
		i++;
	return i < a->parameter_count && b->parameters[i].location == of_b;
}

static bool is_same_value(const struct oclmm_thread *a, const struct oclmm_expression *of_a,
                          const struct oclmm_thread *b, const struct oclmm_expression *of_b)
{
	if (of_a->kind != of_b->kind)
		return false;
	if (of_a->kind == OCLMM_EXPRESSION_CONSTANT)
		return of_a->constant == of_b->constant;
	return is_same_parameter(a, of_a->load.location, b, of_b->load.location);
}

/* A kernel may be given other objects for its parameters before it is played again, like those that
 * it had (cl_khr_command_buffer_mutable_dispatch). */
static int check_change(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread];
	const struct oclmm_thread *first = &program->threads[t->placement.command.again - 1];

	if (!oclmm_command_is_changed(program, thread))
		return 0;
	if (t->placement.command.kind != OCLMM_COMMAND_KERNEL)
		return oclmm_refuse(builder->source, &t->position, "give it the same objects",
		                    "P%u has other objects than P%u, and only arguments of kernels "
		                    "are changed",
		                    t->id, first->id);
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		const struct oclmm_location *own = &program->locations[t->parameters[i].location];
		const struct oclmm_location *old =
			&program->locations[first->parameters[i].location];

		if (own != old && (own->storage != old->storage || own->type != old->type ||
		                   oclmm_storage_is_svm(own->storage)))
			return oclmm_refuse(builder->source, &t->parameters[i].position,
			                    "let both be buffers of one type",
			                    "`%s` cannot be the argument in place of `%s`",
			                    own->name, old->name);
	}
	return 0;
}

static int check_miss(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_thread *t = &builder->program->threads[thread];

	if (t->body)
		return oclmm_refuse(builder->source, &t->body->position, "leave its body empty",
		                    "no work-item of P%u reaches a cell", t->id);
	if (oclmm_command_reaching(builder->program, thread) == builder->program->thread_count)
		return oclmm_refuse(builder->source, &t->position,
		                    "leave out its words in one of them",
		                    "P%u reaches no cell in any replay", t->id);
	return 0;
}

/* A command that is played again has results as it was recorded with: so it has no registers, of
 * which each thread has its own. */
static int check_same(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread], *first, *shown;
	uint32_t again = t->placement.command.again;
	const struct oclmm_statement *s = t->body, *as;
	bool same;

	if (t->placement.command.misses && check_miss(builder, thread))
		return -EINVAL;
	first = &program->threads[again ? again - 1 : thread];
	/* what has no body is the same as any */
	shown = t->placement.command.misses
	                ? t
	                : &program->threads[oclmm_command_reaching(program, thread)];
	as = shown->body;
	same = t->parameter_count == first->parameter_count;

	for (uint32_t i = 0; again && i < 2; i++) {
		const struct oclmm_thread *of = i ? t : first;

		if (of->register_count)
			return oclmm_refuse(builder->source, &of->registers[0].position,
			                    "copy it to an object, which a command between the "
			                    "replays reads",
			                    "P%u and P%u are one command, which would store to the "
			                    "same register",
			                    first->id, t->id);
	}
	while (again && same && s && as && s->kind == OCLMM_STATEMENT_STORE &&
	       as->kind == s->kind &&
	       is_same_parameter(shown, as->store.place.location, t, s->store.place.location) &&
	       is_same_value(shown, as->store.value, t, s->store.value)) {
		s = s->next;
		as = as->next;
	}
	if (again && (!same || s || as))
		return oclmm_refuse(builder->source, &t->position, "give it the same body",
		                    "P%u does something else than P%u, whose command it is", t->id,
		                    first->id);
	return again ? check_change(builder, thread) : 0;
}

static int check_kind(const struct builder *builder, uint32_t thread)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_thread *t = &program->threads[thread];
	enum oclmm_command_kind kind = t->placement.command.kind;

	if ((kind == OCLMM_COMMAND_FILL || kind == OCLMM_COMMAND_COPY) &&
	    oclmm_command_is_recorded(&t->placement.command) && check_recorded_transfer(builder, t))
		return -EINVAL;
	switch (kind) {
	case OCLMM_COMMAND_HOST: return check_host(builder, thread);
	case OCLMM_COMMAND_FILL:
	case OCLMM_COMMAND_WRITE:
	case OCLMM_COMMAND_READ:
	case OCLMM_COMMAND_COPY: return check_transfer(builder, thread);
	default: break;
	}
	if (kind != OCLMM_COMMAND_KERNEL && t->body)
		return oclmm_refuse(builder->source, &t->body->position, NULL,
		                    "%s %s does nothing with memory, and has an empty body",
		                    article_of(kind), oclmm_command_word(kind));
	for (uint32_t i = 0; i < t->parameter_count; i++) {
		const char *name = program->locations[t->parameters[i].location].name;

		if (is_host_memory(program, t->parameters[i].location))
			return oclmm_refuse(builder->source, &t->parameters[i].position, NULL,
			                    "`%s` is memory of the host, which no %s can use", name,
			                    oclmm_command_word(kind));
		if (kind == OCLMM_COMMAND_MIGRATE &&
		    is_pointer(program, t->parameters[i].location, &t->placement.command))
			return oclmm_refuse(builder->source, &t->parameters[i].position, NULL,
			                    "`%s` is in shared virtual memory, and only buffers "
			                    "are migrated",
			                    name);
	}
	if (kind == OCLMM_COMMAND_MAP || kind == OCLMM_COMMAND_UNMAP)
		return check_map(builder, thread);
	if (kind == OCLMM_COMMAND_ACQUIRE || kind == OCLMM_COMMAND_RELEASE)
		return check_external(builder, thread);
	if (kind != OCLMM_COMMAND_KERNEL && kind != OCLMM_COMMAND_MIGRATE && t->parameter_count)
		return oclmm_refuse(builder->source, &t->parameters[0].position, NULL,
		                    "a %s takes no objects", oclmm_command_word(kind));
	return 0;
}

static int check_commands(struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	uint32_t registers = 0;

	if (!builder->commands) {
		for (uint32_t i = 0; i < program->location_count; i++) {
			const struct oclmm_location *l = &program->locations[i];

			const char *what = is_host_memory(program, i)         ? "memory of the host"
			                   : l->storage == OCLMM_STORAGE_PIPE ? "a pipe"
			                   : is_external(program, i)          ? "external memory"
			                   : l->storage == OCLMM_STORAGE_HOST_POINTER
			                           ? "a buffer in memory of the host"
			                   : is_image(program, i) ? "an image of commands"
			                   : is_unified(program, i)
			                           ? "of a type of SVM for commands"
			                           : NULL;

			if (what)
				return oclmm_refuse(builder->source, &l->position, NULL,
				                    "`%s` is %s, and the test has no commands",
				                    l->name, what);
		}
		return 0;
	}
	if (check_objects(builder))
		return -EINVAL;
	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_thread *t = &program->threads[i];

		if (check_registers(builder, t, &registers))
			return -EINVAL;
		for (const struct oclmm_statement *s = t->body; s; s = s->next)
			if (check_copy(builder, s))
				return -EINVAL;
		if (check_pipes(builder, t) || check_images(builder, t) || check_kind(builder, i) ||
		    check_sub_buffer(builder, i) || check_address(builder, i) ||
		    check_context(builder, i) || check_indirect(builder, i) ||
		    check_buffer(builder, i) || check_same(builder, i))
			return -EINVAL;
	}
	return 0;
}

/* ---- pipes ---- */

/*
 * One kernel writes a packet for each cell, and one other reads it. The order of several packets
 * is left to the implementation (C:6.15.13.3).
 */

/* What the kernels do with a pipe. */
struct ends {
	uint32_t writes, reads; /* statements */
	uint64_t writers, readers;
};

static void find_ends(const struct oclmm_program *program, uint32_t location, struct ends *ends)
{
	*ends = (struct ends){0};
	for (uint32_t i = 0; i < program->thread_count; i++) {
		for (const struct oclmm_statement *s = program->threads[i].body; s; s = s->next) {
			const struct oclmm_expression *value = value_of(s);

			if (s->kind == OCLMM_STATEMENT_STORE &&
			    s->store.place.location == location) {
				ends->writes++;
				ends->writers |= UINT64_C(1) << i;
			}
			if (value->kind == OCLMM_EXPRESSION_LOAD &&
			    value->load.location == location) {
				ends->reads++;
				ends->readers |= UINT64_C(1) << i;
			}
		}
	}
}

static int check_pipe(const struct builder *builder, uint32_t location)
{
	const struct oclmm_program *program = builder->program;
	const struct oclmm_location *l = &program->locations[location];
	struct ends ends;

	if (l->initial[0] != 0)
		return oclmm_refuse(builder->source, &l->position, "begin with 0: no packet",
		                    "the pipe `%s` is empty at first", l->name);
	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];

		if (!o->is_register && o->location == location)
			return oclmm_refuse(builder->source, &l->position,
			                    "take its packets in a kernel, and ask for those",
			                    "nobody sees what is left in the pipe `%s`", l->name);
	}
	find_ends(program, location, &ends);
	if (ends.writers & ends.readers)
		return oclmm_refuse(builder->source, &l->position, NULL,
		                    "a kernel cannot read from and write to the same pipe, `%s`",
		                    l->name);
	if (ends.writes > 1 || ends.reads > 1)
		return oclmm_refuse(builder->source, &l->position,
		                    "the order of several is left to the implementation",
		                    "one packet of the pipe `%s` is written, and one is read",
		                    l->name);
	return 0;
}

static int check_all_pipes(struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	int result = 0;

	for (uint32_t i = 0; i < program->location_count && !result; i++) {
		if (program->locations[i].storage == OCLMM_STORAGE_PIPE)
			result = check_pipe(builder, i);
	}
	return result;
}

const struct construct oclmm_commands = {.declare = place_commands, .check = check_commands};
const struct construct oclmm_pipes = {.check = check_all_pipes};
