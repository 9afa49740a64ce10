// SPDX-License-Identifier: Apache-2.0
/* Threads, and where they run. */
#include "scope.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { MOST_GROUPS = 1023 };

bool oclmm_thread_number(const char *text, uint32_t *ret_number)
{
	uint32_t number = 0;

	if (text[0] == 'P')
		text++;
	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || number > SYNTAX_MAX_THREAD_ID)
			return false;
		number = number * 10 + (uint32_t)(*text - '0');
	}
	*ret_number = number;
	return number <= SYNTAX_MAX_THREAD_ID;
}

struct oclmm_thread *oclmm_find_thread(const struct builder *builder, const struct syntax_token *at)
{
	struct oclmm_program *program = builder->program;
	uint32_t number;

	if (!oclmm_thread_number(at->text, &number)) {
		REFUSE(builder, at, "threads are written `P0` or `0`", "`%.40s` is not a thread",
		       at->text);
		return NULL;
	}
	for (uint32_t i = 0; i < program->thread_count; i++) {
		if (program->threads[i].id == number)
			return &program->threads[i];
	}
	REFUSE(builder, at, NULL, "there is no thread P%" PRIu32, number);
	return NULL;
}

static int build_thread(struct builder *builder, const struct tree_thread *tree)
{
	struct oclmm_program *program = builder->program;
	struct oclmm_thread *thread;
	uint32_t number;

	if (tree->item) {
		thread = &program->threads[program->thread_count++];
		thread->id = tree->item->number;
		thread->position = tree->name->place;
		return 0;
	}
	if (!oclmm_thread_number(tree->name->text, &number))
		return REFUSE(builder, tree->name, "threads are written `P0`, `P1` and so on",
		              "`%.40s` is not the name of a thread", tree->name->text);
	if (program->thread_count == OCLMM_MAX_THREADS)
		return REFUSE(builder, tree->name, NULL, "more than %d threads", OCLMM_MAX_THREADS);
	if (program->thread_count > 0) {
		uint32_t before = program->threads[program->thread_count - 1].id;

		if (number == before)
			return REFUSE(builder, tree->name, NULL, "two threads are called P%" PRIu32,
			              number);
		if (number < before)
			return REFUSE(builder, tree->name, "threads stand in ascending order",
			              "P%" PRIu32 " stands after P%" PRIu32, number, before);
	}
	thread = &program->threads[program->thread_count++];
	thread->id = number;
	thread->position = tree->name->place;
	return 0;
}

/* ---- placement ---- */

struct placement_words {
	const struct tree_placement *sub_group, *work_group, *device, *queue, *host, *child;
};

static const struct tree_placement **find_slot(struct placement_words *words, const char *word)
{
	if (strcmp(word, "sg") == 0)
		return &words->sub_group;
	if (strcmp(word, "wg") == 0)
		return &words->work_group;
	if (strcmp(word, "dev") == 0)
		return &words->device;
	if (strcmp(word, "queue") == 0)
		return &words->queue;
	if (strcmp(word, "child") == 0)
		return &words->child;
	return strcmp(word, "host") == 0 ? &words->host : NULL;
}

static int collect_words(const struct builder *builder, const struct tree_placement *tree,
                         struct placement_words *words)
{
	for (; tree; tree = tree->next) {
		const char *word = tree->word->text;
		const struct tree_placement **slot = find_slot(words, word);

		if (!slot)
			return REFUSE(builder, tree->word,
			              "write `@wg 0, dev 0`, `@sg 0, wg 0, dev 0`, "
			              "`@wg 0, dev 0, queue 1`, `@child` or `@host`",
			              "`%.40s` is not a place for a thread", word);
		if (*slot)
			return REFUSE(builder, tree->word, NULL, "`%s` is given twice", word);
		if ((slot == &words->host || slot == &words->child) ? tree->number != NULL
		                                                    : tree->number == NULL)
			return REFUSE(builder, tree->word, NULL, "`%s` takes %s number", word,
			              tree->number ? "no" : "a");
		*slot = tree;
	}
	return 0;
}

static int check_shared_place(const struct builder *builder, const struct tree_placement *tree)
{
	static const char *const words[] = {"wg", "dev"};

	for (size_t i = 0; builder->dartagnan && i < OCLMM_COUNT(words); i++, tree = tree->next) {
		bool last = i + 1 == OCLMM_COUNT(words);

		if (strcmp(tree->word->text, words[i]) == 0 && last == !tree->next &&
		    (last || tree->number[1].kind == ','))
			continue;
		return REFUSE(builder, tree->word, "write `@wg 0, dev 0`",
		              "Dartagnan reads places only as `wg`, a comma, and `dev`");
	}
	return 0;
}

static int build_placement(const struct builder *builder, const struct tree_placement *tree,
                           uint32_t thread, struct oclmm_placement *placement)
{
	struct placement_words words = {0};

	if (collect_words(builder, tree, &words))
		return -EINVAL;
	if (words.host || words.child) {
		placement->host = words.host != NULL;
		placement->child = words.child ? thread + 1 : 0;
		if (tree->next)
			return REFUSE(builder, tree->word, NULL, "a %s has no other place",
			              words.host ? "host thread" : "child kernel");
		return oclmm_check_shared(builder, tree->word);
	}
	if (check_shared_place(builder, tree))
		return -EINVAL;
	if (!words.work_group)
		return REFUSE(builder, tree->word, "write `@wg 0, dev 0`",
		              "the place has no work-group");
	placement->sub_group_given = words.sub_group != NULL;
	if (oclmm_read_count(builder, words.work_group->number, MOST_GROUPS,
	                     &placement->work_group) ||
	    (words.device &&
	     oclmm_read_count(builder, words.device->number, 15, &placement->device)) ||
	    (words.queue &&
	     (oclmm_check_shared(builder, words.queue->word) ||
	      oclmm_read_count(builder, words.queue->number, 15, &placement->queue))) ||
	    (words.sub_group && (oclmm_check_shared(builder, words.sub_group->word) ||
	                         oclmm_read_count(builder, words.sub_group->number, MOST_GROUPS,
	                                          &placement->sub_group))))
		return -EINVAL;
	return 0;
}

static bool is_taken(const struct builder *builder, const bool *placed, uint32_t work_group)
{
	for (uint32_t i = 0; i < builder->program->thread_count; i++) {
		const struct oclmm_placement *placement = &builder->program->threads[i].placement;

		if (placed[i] && !placement->host && !placement->child && placement->device == 0 &&
		    placement->queue == 0 && placement->work_group == work_group)
			return true;
	}
	return false;
}

/* Work-items of a shared text stand where their numbers say. */
static int place_items(struct builder *builder)
{
	const struct tree_thread *tree = builder->tree->threads;

	for (uint32_t i = 0; tree; tree = tree->next, i++)
		builder->program->threads[i].placement = (struct oclmm_placement){
			.work_group = tree->item->group_number,
			.device = builder->shared->device,
		};
	return 0;
}

static int place_threads(struct builder *builder)
{
	struct oclmm_program *program = builder->program;
	bool placed[OCLMM_MAX_THREADS] = {false};
	const struct tree_thread *tree = builder->tree->threads;

	if (builder->shared)
		return place_items(builder);
	for (uint32_t i = 0; i < program->thread_count; i++, tree = tree->next) {
		if (!tree->placement)
			continue;
		if (build_placement(builder, tree->placement, i, &program->threads[i].placement))
			return -EINVAL;
		placed[i] = true;
	}
	for (uint32_t i = 0; i < program->thread_count; i++) {
		uint32_t work_group = 0;

		if (placed[i])
			continue;
		while (is_taken(builder, placed, work_group))
			work_group++;
		program->threads[i].placement.work_group = work_group;
		placed[i] = true;
	}
	return 0;
}

static bool has_commands(const struct builder *builder)
{
	for (const struct tree_thread *t = builder->tree->threads; t; t = t->next) {
		for (const struct tree_placement *p = t->placement; p; p = p->next) {
			enum oclmm_command_kind kind = OCLMM_COMMAND_NONE;

			oclmm_command_find(p->word->text, strlen(p->word->text), &kind);
			if (kind > OCLMM_COMMAND_HOST)
				return true;
		}
	}
	return false;
}

static int declare_threads(struct builder *builder)
{
	const struct tree_thread *tree;
	size_t count = 0;
	int result = 0;

	for (tree = builder->tree->threads; tree; tree = tree->next)
		count++;
	builder->program->threads = OCLMM_NEW_ARRAY(builder->arena, struct oclmm_thread, count);
	for (tree = builder->tree->threads; tree && !result; tree = tree->next)
		result = build_thread(builder, tree);
	builder->commands = has_commands(builder);
	return result || builder->commands ? result : place_threads(builder);
}

const struct construct oclmm_threads = {.declare = declare_threads};
