// SPDX-License-Identifier: Apache-2.0
/* Which tests can show a plant: the model is asked, and where it cannot be, the text. */
#include "able.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/change.h"
#include "oclmm/codegen.h"
#include "oclmm/control.h"
#include "oclmm/syntax.h"
#include "process/process.h"

/* A test that takes longer is tried without being asked about. */
static const double ANSWER_SECONDS = 0.25;

/* ---- the changed program --------------------------------------------- */

/*
 * What stands for a plant that acts in some launches, groups or work-items: a test that shows
 * it everywhere may show it there.
 */
static struct oclmm_mutation everywhere(const struct plant *plant)
{
	struct oclmm_mutation other = plant->mutation;

	/* what a store stores is known without a launch */
	if (other.where > OCLMM_WHERE_OTHER && other.what != OCLMM_WHAT_COUNT_LOST)
		other.where = OCLMM_WHERE_ANYWHERE;
	/* of what is listed the tests that show it are known, marked or not */
	other.spelled = plant->drawn;
	return other;
}

/* Another value for each number that the init block gives. */
static size_t change_start(const char *text, uint64_t number, struct oclmm_text *ret_text)
{
	const char *end = strchr(text, '}'), *from = text;
	size_t places = 0;

	oclmm_text_init(ret_text);
	for (const char *c = strchr(text, '{'); c && c < end; c++) {
		if (c[0] != '=' || c < text + 2 || (c[-1] != ']' && c[-2] != ']'))
			continue;
		oclmm_text_add_bytes(ret_text, from, (size_t)(c + 1 - from));
		oclmm_text_printf(ret_text, " %llu", (unsigned long long)number);
		from = strchr(c, ';');
		places++;
	}
	oclmm_text_add(ret_text, from);
	return places;
}

/* A barrier at which nobody waits is dropped, and a collective function that asks nobody gives
 * what it is passed. Half of a split barrier stays, for its other half needs it: without flags it
 * orders as little. */
static void drop_barriers(struct oclmm_statement **link)
{
	while (*link) {
		struct oclmm_statement *s = *link;

		if (s->kind != OCLMM_STATEMENT_BARRIER || !s->barrier.wrong) {
			link = &s->next;
			continue;
		}
		if (s->barrier.part != OCLMM_BARRIER_WHOLE) {
			s->barrier.flags = 0;
			link = &s->next;
			continue;
		}
		*link = s->next;
		if (s->barrier.collective && s->barrier.assigns) {
			s->next->assign.value->constant = s->barrier.operand;
			s->next->assign.collective = NULL;
		}
	}
}

/* Prints the test as the plant changes it; `*ret_readable`: that is a litmus test again. */
static size_t change_test(const struct plant *plant, const struct concerned *test,
                          struct oclmm_text *ret_changed, bool *ret_readable)
{
	const struct oclmm_mutation mutation = everywhere(plant);
	struct oclmm_changed changed;
	struct oclmm_arena *arena;

	*ret_readable = true;
	if (plant->bug == PLANT_START_CHANGED)
		return change_start(test->text, plant->mutation.number, ret_changed);
	arena = oclmm_arena_create();
	changed = oclmm_change_program(arena, test->program, &mutation);
	for (uint32_t i = 0; i < changed.program->thread_count; i++)
		drop_barriers(&changed.program->threads[i].body);
	*ret_readable = !changed.marked || mutation.what == OCLMM_WHAT_BARRIER_DROPPED ||
	                mutation.what == OCLMM_WHAT_COLLECTIVE_ALONE;
	oclmm_text_init(ret_changed);
	oclmm_program_print(ret_changed, changed.program);
	oclmm_arena_destroy(arena);
	return changed.places;
}

bool concerned_needs_more(const struct plant *plant, const struct oclmm_program *program)
{
	const struct oclmm_mutation mutation = everywhere(plant);
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_features before, after;

	oclmm_program_features(program, &before);
	oclmm_program_features(oclmm_change_program(arena, program, &mutation).program, &after);
	oclmm_arena_destroy(arena);
	return after.sub_groups && !before.sub_groups;
}

/* Most tests lack the function that is meant, and need no closer look. */
static bool may_have(const struct plant *plant, const char *text)
{
	const char *function = plant->mutation.words[OCLMM_ASPECT_FUNCTION];

	return strstr(text, plant->mutation.function) && (!function || strstr(text, function));
}

/* ---- what the model says --------------------------------------------- */

static struct oclmm_answer *ask_model(const struct oclmm_program *program)
{
	const struct oclmm_check_options options = {.time_limit = ANSWER_SECONDS,
	                                            .ended = process_ended};
	struct oclmm_error error = {0};
	struct oclmm_answer *answer;

	return oclmm_check(program, &options, &error, &answer) < 0 ? NULL : answer;
}

/*
 * Which part of the states that the changed program may show is forbidden to the test; 0: it shows
 * nothing new. Where it is all of them, each instance tells.
 */
static double share_of_new(const struct oclmm_answer *answer, const struct oclmm_answer *changed,
                           enum oclmm_model model)
{
	uint32_t shown = 0, new = 0;

	for (uint32_t i = 0; i < changed->state_count; i++) {
		if (changed->states[i].status[model] == OCLMM_STATUS_FORBIDDEN)
			continue;
		shown++;
		new += oclmm_answer_status(answer, model, changed->states[i].values) ==
		       OCLMM_STATUS_FORBIDDEN;
	}
	return new ? (double)new / shown : 0;
}

static const struct oclmm_answer *answer_of(struct concerned *test)
{
	if (!test->asked)
		test->answer = ask_model(test->program);
	test->asked = true;
	return test->answer;
}

/* ABLE or UNABLE; COUNT where the model cannot be asked. */
static enum concern judge_test(struct concerned *test, const struct oclmm_text *text,
                               enum oclmm_model model)
{
	enum concern concern = CONCERN_COUNT;
	struct oclmm_error error = {0};
	struct oclmm_litmus *litmus;
	struct oclmm_answer *changed;

	if (oclmm_litmus_parse("changed", text->data, text->length, NULL, &error, &litmus) < 0)
		return CONCERN_COUNT;
	changed = answer_of(test) ? ask_model(litmus->variants[0].program) : NULL;
	if (changed) {
		test->share = share_of_new(test->answer, changed, model);
		concern = test->share > 0 ? CONCERN_ABLE : CONCERN_UNABLE;
		oclmm_answer_destroy(changed);
	}
	oclmm_litmus_destroy(litmus);
	return concern;
}

/* ---- what a compiler's wrong step shows -------------------------------- */

static void derive_steps(struct concerned *test)
{
	const struct oclmm_answer *answer = answer_of(test);
	struct oclmm_expected_file *file = oclmm_expected_create("test");
	struct oclmm_controls *controls;

	if (answer && oclmm_expected_add(file, answer, OCLMM_MODEL_CONSENSUS) == 0 &&
	    oclmm_controls_derive(test->program, oclmm_expected_at(file, 0), 0, &controls) == 0) {
		for (uint32_t i = 0; i < controls->count; i++)
			test->steps |= 1u << controls->moved[i].step;
		oclmm_controls_destroy(controls);
	}
	oclmm_expected_destroy(file);
}

/* How often the text goes on like this: a function and its object, up to the comma. */
static uint64_t count_alike(const char *text, const char *call)
{
	size_t length = strcspn(call, ",");
	uint64_t count = 0;

	for (; (text = strstr(text, "atomic_fetch_")); text++)
		count += strncmp(text, call, length + 1) == 0;
	return count;
}

/* So many updates of one object that several of them come before another one. */
static bool has_updates(const char *text, uint64_t least)
{
	for (const char *call = text; (call = strstr(call, "atomic_fetch_")); call++)
		if (count_alike(text, call) >= least)
			return true;
	return false;
}

/* The step that a plant takes wherever it can: the model has the test with one of them. */
static bool takes_step(const struct plant *plant, enum oclmm_moved_step *ret_step)
{
	/* no other work-item comes twice between two updates */
	if (plant->bug == PLANT_NO_RETRY && plant->mutation.number > 1)
		return false;
	/* where only some of them are taken apart, the control need not be one of these */
	if (plant->drawn && plant_is_narrowed(plant))
		return false;
	switch (plant->bug) {
	case PLANT_RMW_SPLIT:
	case PLANT_CAS_SPLIT:
	case PLANT_LEGACY_SPLIT:
	case PLANT_WIDE_SPLIT:
	case PLANT_GROUP_SPLIT:
	case PLANT_MANY_SPLIT:
	case PLANT_ODD_SPLIT:
	case PLANT_LANE_SPLIT:
	case PLANT_SMALL_SPLIT:
	case PLANT_UNEVEN_SPLIT:
	case PLANT_EXACT_SPLIT:
	case PLANT_FROM_SPLIT:
	case PLANT_MIXED_SPLIT:
	case PLANT_STORED_SPLIT:
	case PLANT_SHIFTED_SPLIT:
	/* another one comes between, as between the halves of one that is split */
	case PLANT_NO_RETRY:
	case PLANT_RESULT_EARLY:
	case PLANT_RARE_SPLIT:
	case PLANT_LOCAL_PLAIN: *ret_step = OCLMM_STEP_SPLIT; return true;
	case PLANT_TORN: *ret_step = OCLMM_STEP_HALVES; return true;
	default: return false;
	}
}

static bool shows_step(struct concerned *test, enum oclmm_moved_step step)
{
	if (!test->derived)
		derive_steps(test);
	test->derived = true;
	return test->steps >> step & 1;
}

/* ---- without the model ------------------------------------------------ */

static bool has_seq_cst(const char *text)
{
	return strstr(text, "memory_order_seq_cst") != NULL;
}

/*
 * Two threads that each store and then load, without seq_cst: without the update between the two
 * x86 shows store buffering, and the model has nothing else to show.
 */
static bool buffers_stores(const char *text)
{
	unsigned threads = 0;

	for (const char *at = text; (at = strstr(at, "\nP")); at++) {
		const char *end = strstr(at, "\n}"), *store = strstr(at, "atomic_store_");
		const char *load = store ? strstr(store, "atomic_load_") : NULL;

		threads += end && load && load < end;
	}
	return threads > 1 && !has_seq_cst(text);
}

/* Only values of several bytes show mistakes in single bytes. */
static bool has_telling_values(const char *text)
{
	size_t digits = 0;

	for (; *text && digits < 5; text++)
		digits = isdigit((unsigned char)*text) ? digits + 1 : 0;
	return digits == 5;
}

/* `NAME = VALUE;` and `&NAME, VALUE,`: a compare-exchange that stores what it expects. */
static bool stores_expected(const char *text)
{
	for (const char *at = text; (at = strchr(at, '&')); at++) {
		size_t name = strcspn(at + 1, ",)"), value;
		const char *stored = at + 1 + name;
		char set[80];

		if (strncmp(stored, ", ", 2) != 0)
			continue;
		value = strcspn(stored + 2, ",");
		snprintf(set, sizeof(set), "%.*s = %.*s;", (int)name, at + 1, (int)value,
		         stored + 2);
		if (strstr(text, set))
			return true;
	}
	return false;
}

static enum concern guess_concern(const struct plant *plant, bool control, const char *text)
{
	if (!control)
		return CONCERN_CHANGED;
	/* objects show it, too, where other objects' values get into them */
	if (plant->bug == PLANT_SAME_LOAD && !buffers_stores(text))
		return stores_expected(text) ? CONCERN_CONTROL : CONCERN_CHANGED;
	if (plant->bug == PLANT_SAME_LOAD)
		return stores_expected(text) ? CONCERN_STRONG : CONCERN_CONTROL;
	if (plant->bug == PLANT_NO_RETRY)
		return has_updates(text, plant->mutation.number + 2) ? CONCERN_STRONG
		                                                     : CONCERN_CONTROL;
	if (plant_is_mistake(plant->bug) || plant->bug == PLANT_ELEMENT_BEFORE)
		return has_telling_values(text) ? CONCERN_STRONG : CONCERN_CONTROL;
	return has_seq_cst(text) ? CONCERN_STRONG : CONCERN_CONTROL;
}

static bool has_two_roles(const char *text)
{
	const char *second = strstr(text, "\nP1@");

	return second && !strstr(second, "\nP2@");
}

/* Of those that can: shows on x86 as well. */
static bool shows_early(const struct plant *plant, const char *text)
{
	switch (plant->bug) {
	case PLANT_ZERO_LOAD: return buffers_stores(text);
	/* a store of another one comes between; two of three seldom meet on few cores */
	case PLANT_LOAD_STORED: return has_two_roles(text);
	default: return has_seq_cst(text);
	}
}

/* The bug is in what a device may lack: PLANT_FEATURES. */
static bool is_in_features(enum plant_bug bug)
{
	return bug >= PLANT_VARIABLE_COPIED && bug < PLANT_START_CHANGED;
}

static int find_stride(void *data, const struct oclmm_statement *s)
{
	bool *found = data;

	*found |= s->kind == OCLMM_STATEMENT_COPY && s->copy.count > 1 && s->copy.stride > 1;
	return 0;
}

static bool has_stride(const struct oclmm_program *program)
{
	static const struct oclmm_visitor visitor = {.statement = find_stride};
	bool found = false;

	for (uint32_t i = 0; i < program->thread_count; i++)
		oclmm_visit_body(&visitor, program->threads[i].body, &found);
	return found;
}

/* Whatever the test may end as, of the values that it names, is allowed, or it is undefined. */
static bool allows_all(struct concerned *test, enum oclmm_model model)
{
	const struct oclmm_answer *answer = answer_of(test);
	uint32_t allowed = 0;

	if (!answer || answer->undefined[model])
		return answer != NULL;
	for (uint32_t i = 0; i < answer->state_count; i++)
		allowed += answer->states[i].status[model] != OCLMM_STATUS_FORBIDDEN;
	return allowed == answer->space.size;
}

/* Plants in what the canonical print of a test does not show. */
static enum concern concern_of_features(const struct plant *plant, struct concerned *test,
                                        enum oclmm_model model)
{
	struct oclmm_features features;
	bool able = false;

	oclmm_program_features(test->program, &features);
	if (plant->bug == PLANT_VARIABLE_COPIED)
		able = features.program_scope && features.work_groups > 1;
	for (uint32_t i = 0; i < test->program->location_count; i++) {
		const struct oclmm_location *l = &test->program->locations[i];

		if (l->storage != OCLMM_STORAGE_PROGRAM)
			continue;
		able |= plant->bug == PLANT_VARIABLE_DIRTY && !l->initial[0] &&
		        !oclmm_type_is_floating(l->type);
		able |= plant->bug == PLANT_INITIALISER_LOST && oclmm_location_has_initialiser(l);
	}
	if (plant->bug == PLANT_COPY_SHORT || plant->bug == PLANT_COPY_UNAWAITED)
		able = features.copies;
	if (plant->bug == PLANT_COPY_STRIDE)
		able = has_stride(test->program);
	if (plant->bug == PLANT_CHILD_EARLY || plant->bug == PLANT_CHILD_UNAWAITED)
		able = features.children;
	/* what is read is 0, which images begin with */
	if (plant->bug == PLANT_IMAGE_STALE && features.images)
		able = !allows_all(test, model);
	if (!able)
		return CONCERN_NONE;
	return test->control ? CONCERN_CONTROL : CONCERN_CHANGED;
}

/* ---- plants in calls ------------------------------------------------------- */

/* Who waits for what has to be sent: from outside of its queue first, for the host gives up soon.
 */
static enum concern concern_of_flush(const struct oclmm_program *program)
{
	enum concern concern = CONCERN_NONE;

	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_command *command = &program->threads[i].placement.command;

		if (command->callbacks | command->polls)
			return CONCERN_STRONG;
		for (uint32_t k = 0; k < program->thread_count; k++)
			if (command->waits >> k & 1 && oclmm_command_is_queued(command->kind) &&
			    program->threads[k].placement.command.queue != command->queue)
				concern = CONCERN_CHANGED;
	}
	return concern;
}

static bool is_transfer(enum oclmm_command_kind kind)
{
	return kind == OCLMM_COMMAND_FILL || kind == OCLMM_COMMAND_COPY ||
	       kind == OCLMM_COMMAND_READ || kind == OCLMM_COMMAND_WRITE;
}

/* A replay is in another queue than its command buffer was recorded for. */
static bool is_elsewhere(const struct oclmm_program *program, const struct oclmm_command *replay)
{
	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_command *command = &program->threads[i].placement.command;

		if (command->recording == replay->recording && oclmm_command_is_recorded(command))
			return command->queue != replay->queue;
	}
	return false;
}

/* The plant is in the calls of a command, or of a step of the host. */
static bool is_in(enum plant_bug bug, const struct oclmm_program *program, uint32_t thread)
{
	const struct oclmm_command *command = &program->threads[thread].placement.command;
	enum oclmm_command_kind kind = command->kind;
	bool queued = oclmm_command_is_queued(kind);

	if (kind == OCLMM_COMMAND_REPLAY)
		return (bug == PLANT_REPLAY_LIST_IGNORED && command->waits) ||
		       (bug == PLANT_REPLAY_QUEUE_KEPT && is_elsewhere(program, command));
	/* of the calls of extensions the layer sees those that record what uses memory */
	if (bug == PLANT_UPDATE_IGNORED && oclmm_command_is_changed(program, thread))
		return true;
	if (bug == PLANT_UPDATE_IGNORED || bug == PLANT_LAUNCH_KEPT)
		return command->again && oclmm_command_launches(program, thread);
	if (command->recording)
		return bug == PLANT_SYNC_POINT_IGNORED && kind != OCLMM_COMMAND_BARRIER &&
		       command->after != 0;
	switch (bug) {
	case PLANT_ADDRESS_APART: return command->address;
	case PLANT_EXEC_INFO_DROPPED: return command->indirect;
	case PLANT_SVM_COPIED: return kind == OCLMM_COMMAND_MAP && command->buffer;
	case PLANT_SEMAPHORE_IGNORED: return kind == OCLMM_COMMAND_WAIT;
	case PLANT_SEMAPHORE_EARLY: return kind == OCLMM_COMMAND_SIGNAL;
	case PLANT_ACQUIRE_IGNORED:
	case PLANT_ACQUIRE_LATE:
	case PLANT_ACQUIRE_AT_ONCE: return kind == OCLMM_COMMAND_ACQUIRE;
	case PLANT_RELEASE_IGNORED:
	case PLANT_RELEASE_AT_ONCE:
	case PLANT_RELEASE_EARLY: return kind == OCLMM_COMMAND_RELEASE;
	case PLANT_SEMAPHORE_FIRST:
		return kind == OCLMM_COMMAND_WAIT &&
		       (command->semaphores & (command->semaphores - 1)) != 0;
	case PLANT_EVENT_EARLY: return (command->waits | command->callbacks) != 0;
	case PLANT_WAIT_LIST_IGNORED: return queued && command->waits != 0;
	case PLANT_WAIT_LIST_FIRST: return queued && (command->waits & (command->waits - 1)) != 0;
	case PLANT_ORIGIN_IGNORED: return command->sub != 0;
	case PLANT_MAP_OFFSET:
	case PLANT_MAP_EMPTY: return kind == OCLMM_COMMAND_MAP;
	case PLANT_MAP_STALE: return kind == OCLMM_COMMAND_MAP && command->blocking;
	case PLANT_PITCH_IGNORED: return command->rect;
	case PLANT_UNMAP_EARLY: return kind == OCLMM_COMMAND_UNMAP;
	case PLANT_QUEUE_ORDERED: return queued && command->unordered && command->waits != 0;
	case PLANT_FINISH_EARLY: return command->finishes != 0;
	case PLANT_QUEUE_UNORDERED: return queued && !command->unordered && !command->waits;
	case PLANT_BARRIER_IGNORED:
		return kind == OCLMM_COMMAND_BARRIER || kind == OCLMM_COMMAND_MARKER;
	case PLANT_ARGUMENT_KEPT:
	case PLANT_ARGUMENT_LATE:
	case PLANT_OFFSET_IGNORED:
	case PLANT_OFFSET_DOUBLED:
	case PLANT_LAUNCH_SHORT: return kind == OCLMM_COMMAND_KERNEL;
	case PLANT_TRANSFER_SHORT: return is_transfer(kind);
	case PLANT_TRANSFER_OFFSET: return is_transfer(kind) && command->sub != 0;
	case PLANT_MIGRATE_LOST: return kind == OCLMM_COMMAND_MIGRATE;
	case PLANT_BLOCKING_IGNORED: return command->blocking;
	case PLANT_WAIT_EARLY: return !queued && command->waits != 0;
	case PLANT_CALLBACK_EARLY: return command->callbacks != 0;
	case PLANT_USER_EVENT_EARLY: return kind == OCLMM_COMMAND_USER;
	default: return false;
	}
}

/* The same of those in calls on images. */
static bool is_in_images(enum plant_bug bug, const struct oclmm_program *program, uint32_t thread)
{
	const struct oclmm_command *command = &program->threads[thread].placement.command;
	const char *function = oclmm_command_function(program, thread);

	return is_transfer(command->kind) && strstr(function, "Image") &&
	       ((bug == PLANT_IMAGE_LIST_IGNORED && command->waits) ||
	        (bug == PLANT_IMAGE_UNBLOCKED && command->blocking));
}

/* Commands have no rows, and what one does twice is done. */
static bool in_commands(enum plant_bug bug)
{
	return bug != PLANT_START_CHANGED && bug != PLANT_OFFSET_FIRST &&
	       bug != PLANT_ROWS_SWAPPED && bug != PLANT_GROUP_REPEATED;
}

/* The harness makes such calls, too, so that the other tests come after these. */
static enum concern concern_of_calls(const struct plant *plant, const struct concerned *test)
{
	const struct oclmm_program *program = test->program;
	bool meant = false;

	if (!in_commands(plant->bug) || !oclmm_program_has_commands(program))
		return CONCERN_NONE;
	if (plant->bug == PLANT_FLUSH_LOST)
		return concern_of_flush(program);
	for (uint32_t i = 0; plant->bug == PLANT_HOST_POINTER_COPIED && i < program->location_count;
	     i++)
		meant |= program->locations[i].storage == OCLMM_STORAGE_HOST_POINTER;
	for (uint32_t i = 0; plant->bug == PLANT_SVM_APART && i < program->location_count; i++)
		meant |= oclmm_storage_is_unified_svm(program->locations[i].storage);
	for (uint32_t i = 0; i < program->thread_count; i++)
		meant |= is_in(plant->bug, program, i) || is_in_images(plant->bug, program, i);
	if (!test->control)
		return CONCERN_CHANGED;
	return meant ? CONCERN_STRONG : CONCERN_CONTROL;
}

/* ---- any plant ------------------------------------------------------------- */

/*
 * The canonical print of a test has its statements as OpenCL C, and nothing of
 * the harness, whose counters and barriers are in every kernel.
 */
static const char *print_of(struct concerned *test)
{
	struct oclmm_text text;

	if (!test->text) {
		oclmm_text_init(&text);
		oclmm_program_print(&text, test->program);
		test->text = oclmm_text_steal(&text);
	}
	return test->text;
}

/* What a changed text shows is found by playing it. */
static enum concern concern_of_shared(const struct plant *plant, struct concerned *test)
{
	enum concern concern = CONCERN_NONE;
	struct oclmm_text changed = {0};
	struct oclmm_litmus *litmus;
	struct oclmm_error ignored;
	bool readable;

	if (change_test(plant, test, &changed, &readable) > 0) {
		int64_t *values = oclmm_calloc((size_t)test->program->observable_count + 1,
		                               sizeof(*values));

		concern = CONCERN_CHANGED;
		if (answer_of(test) && oclmm_litmus_parse("changed", changed.data, changed.length,
		                                          NULL, &ignored, &litmus) == 0) {
			if (oclmm_play_in_step(litmus->variants[0].program, OCLMM_PLAY_FORWARDS,
			                       values) == 0 &&
			    oclmm_answer_status(test->answer, OCLMM_MODEL_CONSENSUS, values) ==
			            OCLMM_STATUS_FORBIDDEN) {
				concern = CONCERN_ABLE;
				test->share = 1;
			}
			oclmm_litmus_destroy(litmus);
		}
		free(values);
	}
	oclmm_text_finish(&changed);
	return concern;
}

enum concern concern_of(const struct plant *plant, struct concerned *test, enum oclmm_model model)
{
	const char *text = print_of(test);
	enum concern concern = CONCERN_NONE;
	struct oclmm_text changed = {0};
	bool readable;

	if (plant_in_calls(plant->bug) &&
	    (plant->bug != PLANT_START_CHANGED || oclmm_program_has_commands(test->program)))
		return concern_of_calls(plant, test);
	if (is_in_features(plant->bug))
		return concern_of_features(plant, test, model);
	if (test->program->shared)
		return concern_of_shared(plant, test);
	if (!may_have(plant, text))
		return CONCERN_NONE;
	if (change_test(plant, test, &changed, &readable) > 0) {
		enum oclmm_moved_step step;
		bool steps = takes_step(plant, &step) && !(plant->drawn && readable);

		concern = steps && shows_step(test, step) ? CONCERN_ABLE
		          : readable                      ? judge_test(test, &changed, model)
		                                          : CONCERN_COUNT;
		if (concern == CONCERN_COUNT)
			concern = guess_concern(plant, test->control, text);
		else if (concern == CONCERN_ABLE && !steps && shows_early(plant, text))
			concern = CONCERN_ABLE_SC;
	}
	oclmm_text_finish(&changed);
	return concern;
}

void concerned_finish(struct concerned *test)
{
	if (test->answer)
		oclmm_answer_destroy(test->answer);
	free(test->text);
	free(test->pattern);
	*test = (struct concerned){0};
}

size_t concerned_calls(const struct plant *plant, struct concerned *test)
{
	const struct oclmm_mutation mutation = everywhere(plant);
	struct oclmm_arena *arena;
	size_t calls;

	if (test->left_out || !may_have(plant, print_of(test)))
		return 0;
	arena = oclmm_arena_create();
	calls = oclmm_change_program(arena, test->program, &mutation).places;
	oclmm_arena_destroy(arena);
	return calls;
}

/* Whether a changed program may show something on a machine that the test forbids. */
static bool shows_on(const struct machine *machine, struct concerned *test,
                     const struct oclmm_text *text, enum oclmm_model model)
{
	const struct oclmm_check_options options = {.time_limit = ANSWER_SECONDS,
	                                            .ended = process_ended,
	                                            .cat = machine->model};
	struct oclmm_error error = {0};
	const struct oclmm_program *program;
	struct oclmm_litmus *litmus;
	struct oclmm_arena *arena;
	struct oclmm_answer *changed;
	bool shows = true;

	if (oclmm_litmus_parse("changed", text->data, text->length, NULL, &error, &litmus) < 0)
		return true;
	arena = oclmm_arena_create();
	program = litmus->variants[0].program;
	/* its model is of what is left of orders in the code */
	if (machine->code == CODE_INTEL)
		program = code_of(machine->code, arena, program);
	if (oclmm_check(program, &options, &error, &changed) == 0) {
		test->share = share_of_new(test->answer, changed, model);
		shows = test->share > 0;
		oclmm_answer_destroy(changed);
	}
	oclmm_arena_destroy(arena);
	oclmm_litmus_destroy(litmus);
	return shows;
}

/* A control of the test takes such a step, with all updates or one. */
static bool takes_drawn_step(const struct plant *plant, struct concerned *test)
{
	const struct plant everywhere_else = {.bug = plant->bug, .mutation = {.number = 1}};
	enum oclmm_moved_step step;

	return takes_step(&everywhere_else, &step) && shows_step(test, step);
}

/* What is changed shows no more on the machine than relaxed accesses there do. */
static bool hides_relaxed(const struct machine *machine, const struct plant *plant,
                          struct concerned *test, enum oclmm_model model)
{
	struct plant relaxed = *plant;
	struct oclmm_text text;
	bool readable, hidden;

	relaxed.mutation.what = OCLMM_WHAT_RELAXED;
	/* where nothing changes, they are relaxed as they stand */
	hidden = change_test(&relaxed, test, &text, &readable) == 0 ||
	         (readable && test->answer && !shows_on(machine, test, &text, model));
	oclmm_text_finish(&text);
	return hidden;
}

enum concern concern_of_drawn(const struct machine *machine, const struct plant *plant,
                              struct concerned *test, enum oclmm_model model)
{
	const struct oclmm_mutation mutation = everywhere(plant);
	enum concern concern = concern_of(plant, test, model);
	struct oclmm_text text = {0};
	struct oclmm_changed changed;
	struct oclmm_arena *arena;
	enum machine_view view;
	bool readable, hidden;

	if (concern == CONCERN_NONE || (concern == CONCERN_CHANGED && test->program->shared))
		return CONCERN_UNABLE;
	/* these are in no statement, so that a model has nothing to read */
	if (is_in_features(plant->bug))
		return concern;
	/* nothing is forbidden there, whatever is lost */
	if (!test->program->shared && answer_of(test) && test->answer->undefined[model])
		return CONCERN_UNABLE;
	arena = oclmm_arena_create();
	changed = oclmm_change_program(arena, test->program, &mutation);
	if (changed.marked && takes_drawn_step(plant, test))
		concern = CONCERN_ABLE;
	if (concern == CONCERN_UNABLE || test->program->shared) {
		oclmm_arena_destroy(arena);
		return concern;
	}
	view = machine_view(machine, test->program, &changed, plant);
	oclmm_arena_destroy(arena);
	if (view == MACHINE_HIDES ||
	    (view == MACHINE_RELAXES && hides_relaxed(machine, plant, test, model)))
		return CONCERN_NONE;
	/* little is forbidden where no control is named: such tests come last */
	if (concern == CONCERN_CHANGED && !test->control)
		return concern;
	/* what no model can be asked about is tried behind what it can */
	if (changed.marked && concern != CONCERN_ABLE)
		return concern;
	if (!machine->model || changed.marked || !test->answer)
		return CONCERN_ABLE;
	change_test(plant, test, &text, &readable);
	hidden = readable && !shows_on(machine, test, &text, model);
	oclmm_text_finish(&text);
	return hidden ? CONCERN_NONE : CONCERN_ABLE;
}
