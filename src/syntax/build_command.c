// SPDX-License-Identifier: Apache-2.0
/* The placements of commands: what each thread is, its queue, and what it waits for. */
#include "build.h"

#include <errno.h>
#include <string.h>

static const char FORM[] = "write `@kernel queue 0 wait 1`, `@read queue 0 blocking`, "
			   "`@host wait 1`";

/* The kind that a word names; NONE for any other. */
static enum oclmm_command_kind find_kind(const char *word)
{
	enum oclmm_command_kind kind = OCLMM_COMMAND_NONE;

	oclmm_command_find(word, strlen(word), &kind);
	return kind;
}

bool build_has_commands(const struct builder *builder)
{
	for (const struct tree_thread *t = builder->tree->threads; t; t = t->next) {
		for (const struct tree_placement *p = t->placement; p; p = p->next) {
			if (find_kind(p->word->text) > OCLMM_COMMAND_HOST)
				return true;
		}
	}
	return false;
}

/* ---- words with numbers ---- */

enum word { QUEUE, UNORDERED, DEV, WAIT, CALLBACK, POLL, FINISH, FLUSH, SUB, BLOCKING, WORDS };

static const struct {
	const char *word;
	const char *of; /* what its number is of */
	bool host;      /* only the host does it */
} words[WORDS] = {
	[QUEUE] = {"queue", "queue", false},       [UNORDERED] = {"unordered", "queue", false},
	[DEV] = {"dev", "device", false},          [WAIT] = {"wait", "thread", false},
	[CALLBACK] = {"callback", "thread", true}, [POLL] = {"poll", "thread", true},
	[FINISH] = {"finish", "queue", true},      [FLUSH] = {"flush", "queue", true},
	[SUB] = {"sub", "sub-buffer", false},      [BLOCKING] = {"blocking", "", false},
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
	if (word == BLOCKING)
		return REFUSE(r->builder, tree->word, NULL, "`blocking` takes no number");
	return REFUSE(r->builder, tree->word, NULL, "`%s` takes the number of a %s",
	              tree->word->text, words[word].of);
}

/* The event of another thread: it has one, and it is there when it is asked for. */
static int read_thread(const struct reading *r, const struct tree_placement *tree, uint32_t *set)
{
	const struct oclmm_program *program = r->builder->program;
	struct oclmm_thread *other = build_find_thread(r->builder, tree->number);
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
	return build_count(r->builder, tree->number, OCLMM_QUEUES_MOST - 1, &r->command->queue);
}

static int read_device(struct reading *r, const struct tree_placement *tree)
{
	if (r->device_at)
		return REFUSE(r->builder, tree->word, NULL, "a queue is of one device");
	r->device_at = tree->number;
	return build_count(r->builder, tree->number, OCLMM_COMMAND_DEVICES_MOST - 1,
	                   &r->command->device);
}

static int read_sub_buffer(const struct reading *r, const struct tree_placement *tree)
{
	uint32_t number = 0;
	int result;

	if (r->command->sub)
		return REFUSE(r->builder, tree->word, NULL,
		              "a command uses one sub-buffer of each buffer");
	result = build_count(r->builder, tree->number, OCLMM_SUB_BUFFERS_MOST - 1, &number);
	r->command->sub = number + 1;
	return result;
}

static int read_queue_set(const struct reading *r, const struct tree_placement *tree, uint32_t *set)
{
	uint32_t queue;
	int result = build_count(r->builder, tree->number, OCLMM_QUEUES_MOST - 1, &queue);

	if (!result)
		*set |= 1u << queue;
	return result;
}

static int read_word(struct reading *r, const struct tree_placement *tree, enum word word)
{
	struct oclmm_command *command = r->command;

	if ((tree->number == NULL) != (word == BLOCKING))
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

static int read_kind(struct reading *r, const struct tree_thread *tree)
{
	for (const struct tree_placement *p = tree->placement; p; p = p->next) {
		enum oclmm_command_kind kind = find_kind(p->word->text);

		if (!kind)
			continue;
		if (p->number)
			return REFUSE(r->builder, p->number, NULL, "`%s` takes no number",
			              p->word->text);
		if (r->command->kind)
			return REFUSE(r->builder, p->word, NULL, "P%u is one command, not two",
			              r->thread->id);
		r->command->kind = kind;
	}
	if (!r->command->kind)
		return REFUSE(r->builder, tree->name, FORM,
		              "P%u is no command, and other threads of the test are",
		              r->thread->id);
	return 0;
}

static int read_command(const struct builder *builder, const struct tree_thread *tree,
                        struct oclmm_thread *thread)
{
	struct reading r = {builder, thread, &thread->placement.command, NULL, NULL};
	int result = read_kind(&r, tree);

	for (const struct tree_placement *p = tree->placement; p && !result; p = p->next) {
		int word = 0;

		if (find_kind(p->word->text))
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

/* ---- what holds of all of them ---- */

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

/* Whether a moment of a thread is behind itself, or what it polls for behind its call. What is
 * polled orders nothing, so that the order does not have it. */
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

/* Nothing may wait for what comes after it: it would never return. */
static int check_end(const struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	const struct tree_thread *tree = builder->tree->threads;
	struct oclmm_command_order order;

	oclmm_command_order(program, &order);
	for (uint32_t i = 0; tree; tree = tree->next, i++) {
		if (never_ends(program, &order, i))
			return REFUSE(builder, tree->name, NULL,
			              "P%u waits for what comes after it, and never returns",
			              program->threads[i].id);
	}
	return 0;
}

int build_commands(struct builder *builder)
{
	struct oclmm_program *program = builder->program;
	const struct tree_thread *tree = builder->tree->threads;
	int result = build_extension(builder, tree->name);

	for (uint32_t i = 0; !result && i < program->thread_count; i++, tree = tree->next) {
		program->threads[i].placement.work_group = i;
		result = read_command(builder, tree, &program->threads[i]);
	}
	tree = builder->tree->threads;
	for (uint32_t i = 0; !result && i < program->thread_count; i++, tree = tree->next) {
		result = check_queue(builder, tree, i);
		if (!result)
			result = check_events(builder, tree, i);
	}
	return result ? result : check_end(builder);
}
