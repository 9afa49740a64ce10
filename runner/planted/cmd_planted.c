// SPDX-License-Identifier: Apache-2.0
/* oclmm planted: breaks the driver on purpose, one bug at a time, and says which tests notice. */
#include "planted.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/json.h"
#include "oclmm/cat.h"
#include "oclmm/change.h"
#include "oclmm/codegen.h"
#include "oclmm/control.h"
#include "oclmm/grade.h"
#include "oclmm/syntax.h"
#include "plant/draw.h"
#include "process/process.h"
#include "process/tool.h"
#include "select/select.h"
#include "select/shard.h"
#include "select/suite.h"

/* ---- which tests can show a plant ------------------------------------------ */

/* Those whose own statements it changes, and among them, where the model can read what becomes of
 * them, those that it then allows what it forbade. */

/* How early a test is tried under a plant. */
enum concern {
	CONCERN_ABLE_SC, /* the changed program is allowed an outcome that the test forbids, and
	                    has seq_cst operations, without which x86 shows little, or, where an
	                    update is lost, stores that loads overtake, or, where a load stores,
	                    two roles */
	CONCERN_ABLE,    /* the same without them */
	CONCERN_STRONG,  /* changed, names a control, and has seq_cst operations: most is forbidden
	                    there */
	CONCERN_CONTROL, /* changed, and names a control, so that something is forbidden */
	CONCERN_CHANGED,
	CONCERN_UNABLE, /* changed, and still allowed no more than before */
	CONCERN_NONE,
	CONCERN_COUNT,
};

/* A test, with what the model says of it, which is asked for once. */
struct concerned {
	const struct oclmm_program *program;
	bool control;  /* it names one */
	bool left_out; /* it showed something forbidden without a plant */
	bool clean;    /* it showed nothing of that in a run of its own */
	char *pattern; /* matches its name only, which may be that of a family, too */
	char *text;    /* its canonical print, once it was needed */
	bool asked, derived;
	double share;   /* of what it may show under the plant asked about last: what it forbids */
	unsigned steps; /* of its moved controls: set of 1u << enum oclmm_moved_step */
	struct oclmm_answer *answer; /* NULL: none could be had */
};

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

/* The changed test needs a feature that the test does without, so that a device may refuse it. */
static bool needs_more(const struct plant *plant, const struct oclmm_program *program)
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

static enum concern concern_of(const struct plant *plant, struct concerned *test,
                               enum oclmm_model model)
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

static void concerned_finish(struct concerned *test)
{
	if (test->answer)
		oclmm_answer_destroy(test->answer);
	free(test->text);
	free(test->pattern);
	*test = (struct concerned){0};
}

/* ---- machines that are known ------------------------------------------------ */

/*
 * What a changed program can show on a machine whose code is known well enough to be asked about:
 * a model in cat stands for what its compiler makes of each call.
 */
struct machine {
	struct oclmm_cat_model *model; /* NULL: nothing is known, and OpenCL's model stands alone */
	const struct known_machine *known;
};

/* Why no test can show a bug, where the machine is what hides it. */
static const struct equivalent hidden_by_x86 = {
	.argument = "no test may show anything new on x86-TSO, where one thread runs a group",
	.seen = "litmus/planted/x86-tso.cat",
};
static const struct equivalent hidden_by_ptx = {
	.argument = "no test may show anything new by PTX, where a fence.sc is before each "
		    "seq_cst access",
	.seen = "litmus/planted/ptx.cat",
};

static const struct equivalent hidden_by_h200 = {
	.argument = "no test may show anything new by what an H200 was seen to do",
	.seen = "litmus/planted/h200.cat",
};

static const struct known_machine {
	const char *platform, *machine, *name;
	bool same_code; /* many orders are one instruction of x86 */
	bool by_turns;  /* one thread runs a work-group, one work-item after the other */
	const struct equivalent *hides;
} machines[] = {
	{"Portable Computing Language*", "x86_64", "x86-tso", true, true, &hidden_by_x86},
	/* several work-items are lanes of one vector: each statement is done for all of them */
	{"Intel(R) OpenCL*", "x86_64", "x86-tso", true, false, &hidden_by_x86},
	{"NVIDIA CUDA*", "*", "ptx", false, false, &hidden_by_ptx},
	/* no device's: by name alone */
	{NULL, NULL, "h200", false, false, &hidden_by_h200},
};

/* Unless NULL `named` is a machine's name. */
static bool machine_fits(const struct known_machine *known, const char *named, const char *platform,
                         const char *machine)
{
	if (named)
		return strcmp(known->name, named) == 0;
	return known->platform && oclmm_pattern_matches(known->platform, platform) &&
	       oclmm_pattern_matches(known->machine, machine);
}

static bool is_machine(const char *name)
{
	for (size_t i = 0; i < OCLMM_COUNT(machines); i++)
		if (strcmp(machines[i].name, name) == 0)
			return true;
	return false;
}

/*
 * The one that is named, or that of a device, by its platform and the machine (as uname has it).
 * `folder` has the models.
 * Returns 0, or a negative errno value: the model cannot be read.
 */
static int machine_read(const char *folder, const char *named, const char *platform,
                        const char *machine, struct oclmm_error *error, struct machine *ret_machine)
{
	struct oclmm_text path = {0};
	int r = 0;

	*ret_machine = (struct machine){0};
	for (size_t i = 0; r == 0 && i < OCLMM_COUNT(machines) && !ret_machine->model; i++) {
		if (!machine_fits(&machines[i], named, platform, machine))
			continue;
		oclmm_text_printf(&path, "%s/%s.cat", folder, machines[i].name);
		/* a suite of one's own need not have the file */
		if (access(oclmm_text_string(&path), F_OK) != 0)
			break;
		r = oclmm_model_read(oclmm_text_string(&path), error, &ret_machine->model);
		ret_machine->known = &machines[i];
	}
	oclmm_text_finish(&path);
	return r;
}

static void machine_finish(struct machine *machine)
{
	if (machine->model)
		oclmm_cat_destroy(machine->model);
	*machine = (struct machine){0};
}

/* ---- orders that are the same code -------------------------------------------- */

/* Compilers make a load of an update that leaves what it finds, and then its order tells. */
static bool leaves_all(const struct oclmm_atomic *a)
{
	return a->operand && a->operand->kind == OCLMM_EXPRESSION_CONSTANT &&
	       a->op != OCLMM_OP_EXCHANGE && oclmm_operation_reads(a->op) &&
	       (a->operand->constant == 0 || a->operand->constant == -1);
}

/* The strongest order that is the same code. */
static void strengthen(struct oclmm_arena *arena, struct oclmm_atomic *a)
{
	bool reads = oclmm_operation_reads(a->op), writes = oclmm_operation_writes(a->op);

	if (a->legacy || a->op == OCLMM_OP_INIT || leaves_all(a))
		return;
	if (reads && !writes)
		a->order = OCLMM_ORDER_ACQUIRE;
	else if (reads)
		a->order = OCLMM_ORDER_SEQ_CST;
	else if (a->order != OCLMM_ORDER_SEQ_CST)
		a->order = OCLMM_ORDER_RELEASE;
	if (oclmm_operation_is_cas(a->op))
		a->failure = OCLMM_ORDER_SEQ_CST;
	a->scope = OCLMM_SCOPE_DEVICE;
	a->order_written = a->scope_written = true;
	a->spelling = oclmm_arena_printf(arena, "%s_explicit", oclmm_operation_stem(a->op));
}

static void strengthen_in(struct oclmm_arena *arena, struct oclmm_expression *e)
{
	struct oclmm_parts parts;

	oclmm_expression_parts(e, &parts);
	for (unsigned i = 0; i < parts.expression_count; i++)
		strengthen_in(arena, *parts.expressions[i]);
	if (e->kind == OCLMM_EXPRESSION_ATOMIC)
		strengthen(arena, e->atomic);
}

static void strengthen_body(struct oclmm_arena *arena, struct oclmm_statement *s)
{
	for (; s; s = s->next) {
		struct oclmm_parts parts;

		oclmm_statement_parts(s, &parts);
		for (unsigned i = 0; i < parts.expression_count; i++)
			strengthen_in(arena, *parts.expressions[i]);
		for (unsigned i = 0; i < parts.body_count; i++)
			strengthen_body(arena, *parts.bodies[i]);
		if (s->kind != OCLMM_STATEMENT_FENCE)
			continue;
		s->fence.scope = OCLMM_SCOPE_DEVICE;
		/* no instruction, and the compiler keeps what stands on either side where it is */
		if (s->fence.order == OCLMM_ORDER_ACQUIRE || s->fence.order == OCLMM_ORDER_RELEASE)
			s->fence.order = OCLMM_ORDER_ACQ_REL;
	}
}

static char *print_code(const struct oclmm_program *program)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_program *copy = oclmm_program_copy(arena, program);
	struct oclmm_text text;

	for (uint32_t i = 0; i < copy->thread_count; i++)
		strengthen_body(arena, copy->threads[i].body);
	oclmm_text_init(&text);
	oclmm_program_print(&text, copy);
	oclmm_arena_destroy(arena);
	return oclmm_text_steal(&text);
}

/* Both become the same code: orders and scopes that the machine does not tell apart are all that
 * differs. */
static bool machine_is_same(const struct machine *machine, const struct oclmm_program *program,
                            const struct oclmm_program *changed)
{
	char *before, *after;
	bool same;

	if (!machine->model || !machine->known->same_code)
		return false;
	before = print_code(program);
	after = print_code(changed);
	same = strcmp(before, after) == 0;
	free(before);
	free(after);
	return same;
}

/* ---- what is marked -------------------------------------------------------------- */

static bool comes_apart(enum oclmm_what what)
{
	switch (what) {
	case OCLMM_WHAT_SPLIT:
	case OCLMM_WHAT_SPLIT_FETCH:
	case OCLMM_WHAT_SPLIT_CAS:
	case OCLMM_WHAT_SPLIT_LEGACY:
	case OCLMM_WHAT_NO_RETRY:
	case OCLMM_WHAT_RESULT_EARLY:
	case OCLMM_WHAT_EXPECTED_LATE:
	case OCLMM_WHAT_TORN:
	case OCLMM_WHAT_PLAIN:
	/* a compiler may make one of two, between which another one comes */
	case OCLMM_WHAT_PLAIN_ACCESS:
	/* a word is loaded, and stored with what is beside */
	case OCLMM_WHAT_WORD:
	case OCLMM_WHAT_NEIGHBOUR: return true;
	default: return false;
	}
}

/* What a work-item does is done in another order between the same two barriers, or a store stores
 * what is there. */
static bool stays_in_turn(enum oclmm_what what)
{
	switch (what) {
	case OCLMM_WHAT_LOADS_SWAPPED:
	case OCLMM_WHAT_LOADS_REVERSED:
	case OCLMM_WHAT_STORES_SWAPPED:
	case OCLMM_WHAT_LOAD_EARLY:
	case OCLMM_WHAT_STORE_EARLY:
	case OCLMM_WHAT_UPDATE_EARLY:
	case OCLMM_WHAT_UPDATE_LATE:
	case OCLMM_WHAT_PLAIN_LATE:
	case OCLMM_WHAT_LOAD_STORED: return true;
	default: return false;
	}
}

static bool is_in_one_group(const struct oclmm_program *program)
{
	struct oclmm_features features;

	for (uint32_t i = 0; i < program->thread_count; i++)
		if (program->threads[i].placement.host)
			return false;
	oclmm_program_features(program, &features);
	return features.work_groups <= 1 && !oclmm_program_has_commands(program);
}

/* A mistake that 7 bits without a sign do not show. */
static bool needs_large_values(enum oclmm_what what)
{
	switch (what) {
	case OCLMM_WHAT_STORES_BYTE:
	case OCLMM_WHAT_STORES_LOW:
	case OCLMM_WHAT_STORES_NO_TOP:
	case OCLMM_WHAT_STORES_NARROW:
	case OCLMM_WHAT_STORES_NARROW_SIGN:
	case OCLMM_WHAT_COMPARES_BYTE:
	case OCLMM_WHAT_COMPARES_LOW:
	case OCLMM_WHAT_COMPARES_NO_TOP:
	case OCLMM_WHAT_OTHER_SIGN:
	case OCLMM_WHAT_NO_CARRY_8:
	case OCLMM_WHAT_NO_CARRY_16:
	case OCLMM_WHAT_NO_CARRY_32:
	case OCLMM_WHAT_SATURATES:
	case OCLMM_WHAT_RETURNS_LOW:
	case OCLMM_WHAT_RETURNS_NO_TOP:
	case OCLMM_WHAT_OPERAND_8:
	case OCLMM_WHAT_OPERAND_16:
	case OCLMM_WHAT_OPERAND_32:
	case OCLMM_WHAT_OPERAND_NO_TOP:
	case OCLMM_WHAT_OPERAND_SIGN_8:
	case OCLMM_WHAT_OPERAND_SIGN_16:
	case OCLMM_WHAT_OPERAND_SIGN_32:
	case OCLMM_WHAT_EXPECTS_16: return true;
	default: return false;
	}
}

struct size {
	uint64_t limit, sum;
	bool unknown; /* a difference, or a negative number */
};

static int add_size(void *data, const struct oclmm_expression *e)
{
	struct size *size = data;

	if (e->kind == OCLMM_EXPRESSION_CONSTANT && e->constant >= 0 &&
	    (uint64_t)e->constant < size->limit)
		size->sum += (uint64_t)e->constant;
	else if (e->kind == OCLMM_EXPRESSION_CONSTANT)
		size->unknown = true;
	if (e->kind == OCLMM_EXPRESSION_UNARY ||
	    (e->kind == OCLMM_EXPRESSION_BINARY && e->binary.op != OCLMM_OPERATOR_ADD &&
	     e->binary.op != OCLMM_OPERATOR_EQ) ||
	    (e->kind == OCLMM_EXPRESSION_ATOMIC && e->atomic->op == OCLMM_OP_FETCH_SUB))
		size->unknown = true;
	return 0;
}

/* All that the program names is less than that, in sum, and nothing is below 0. */
static bool has_small_values(const struct oclmm_program *program, uint64_t limit)
{
	static const struct oclmm_visitor visitor = {.expression = add_size};
	struct size size = {.limit = limit};

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		for (uint32_t k = 0; k < l->elements; k++)
			if (l->initial[k] < 0 || (uint64_t)l->initial[k] >= limit)
				return false;
			else
				size.sum += (uint64_t)l->initial[k];
	}
	for (uint32_t t = 0; t < program->thread_count; t++)
		oclmm_visit_body(&visitor, program->threads[t].body, &size);
	return !size.unknown && size.sum < limit;
}

static int find_wrong_strong(void *data, const struct oclmm_expression *e)
{
	bool *found = data;

	*found |= e->kind == OCLMM_EXPRESSION_ATOMIC && e->atomic->wrong &&
	          e->atomic->op == OCLMM_OP_STORE && e->atomic->order == OCLMM_ORDER_SEQ_CST;
	return 0;
}

static bool has_floats(const struct oclmm_program *program)
{
	for (uint32_t i = 0; i < program->location_count; i++)
		if (oclmm_type_is_floating(program->locations[i].type))
			return true;
	return false;
}

/*
 * Of small values all parts but one are 0 and stay so, and that one is accessed in one piece. On
 * x86 this is the instruction that the whole access would be, unless that is an xchg.
 */
static bool hides_parts(const struct machine *machine, const struct oclmm_program *changed,
                        uint64_t bits)
{
	static const struct oclmm_visitor visitor = {.expression = find_wrong_strong};
	bool strong = false;

	if (!machine->model || !machine->known->same_code || has_floats(changed) ||
	    !has_small_values(changed, UINT64_C(1) << bits))
		return false;
	for (uint32_t t = 0; t < changed->thread_count; t++)
		oclmm_visit_body(&visitor, changed->threads[t].body, &strong);
	return !strong;
}

struct writer {
	const struct oclmm_program *program;
	uint32_t thread, location; /* who may write, and what */
	bool found;
};

static int find_writer(void *data, const struct oclmm_use *use)
{
	struct writer *writer = data;

	writer->found |= use->writes && use->place->location == writer->location;
	return 0;
}

static bool writes_to(const struct oclmm_program *program, uint32_t thread, uint32_t location)
{
	static const struct oclmm_visitor visitor = {.use = find_writer};
	struct writer writer = {.location = location};

	oclmm_visit_body(&visitor, program->threads[thread].body, &writer);
	return writer.found;
}

/* A buffer of whole words for each instance, so that no other instance has a part of one, and no
 * other thread writes it. */
static bool is_own_word(const struct oclmm_program *program, uint32_t thread, uint32_t location)
{
	const struct oclmm_location *l = &program->locations[location];

	if (!oclmm_location_is_buffer(l) || l->storage != OCLMM_STORAGE_BUFFER ||
	    l->elements * oclmm_type_bits(l->type) % 32 != 0)
		return false;
	for (uint32_t t = 0; t < program->thread_count; t++)
		if (t != thread && writes_to(program, t, location))
			return false;
	return true;
}

static int find_foreign_word(void *data, const struct oclmm_statement *s)
{
	struct writer *writer = data;

	writer->found |= s->kind == OCLMM_STATEMENT_STORE && s->store.wrong &&
	                 !is_own_word(writer->program, writer->thread, s->store.place.location);
	return 0;
}

/*
 * What stands beside the object in its word is what the work-item itself has stored last, or what
 * the object began with: to store it again changes nothing, on any machine.
 */
static bool stores_own_words(const struct oclmm_program *changed)
{
	static const struct oclmm_visitor visitor = {.statement = find_foreign_word};
	struct writer writer = {.program = changed};

	for (uint32_t t = 0; t < changed->thread_count; t++) {
		writer.thread = t;
		oclmm_visit_body(&visitor, changed->threads[t].body, &writer);
	}
	return !writer.found && !oclmm_program_has_commands(changed);
}

/*
 * By what is changed nothing new can show: updates that come apart, or statements in another order,
 * where one thread runs all work-items, each up to a barrier before the next one; of what is marked
 * also a mistake for which the values are too small. False: it may.
 */
static bool machine_hides(const struct machine *machine, const struct oclmm_changed *changed,
                          const struct plant *plant)
{
	enum oclmm_what what = plant->mutation.what;

	if ((comes_apart(what) || stays_in_turn(what)) && machine->model &&
	    machine->known->by_turns && is_in_one_group(changed->program))
		return true;
	if (changed->marked && what == OCLMM_WHAT_TORN &&
	    hides_parts(machine, changed->program, plant->mutation.number))
		return true;
	if (changed->marked && what == OCLMM_WHAT_WORD && stores_own_words(changed->program))
		return true;
	/* signs and bytes do not matter below that */
	return changed->marked && needs_large_values(what) &&
	       has_small_values(changed->program, 128);
}

/* ---- plants that cannot show on some devices ------------------------------- */

enum { ENTRY_FIELDS = 6 };

struct list_reader {
	const char *path;
	const char *line; /* a copy of the whole line */
	uint32_t number;
	struct oclmm_error *error;
};

static int refuse_entry(const struct list_reader *list_reader, size_t column, const char *message)
{
	struct oclmm_error *error = list_reader->error;

	oclmm_error_set(error, -EINVAL, "%s", message);
	snprintf(error->file, sizeof(error->file), "%s", list_reader->path);
	snprintf(error->source, sizeof(error->source), "%s", list_reader->line);
	snprintf(error->note, sizeof(error->note), "%s",
	         "plant | platform | device | machine | argument | how it was seen");
	error->position = (struct oclmm_position){.line = list_reader->number,
	                                          .column = (uint32_t)column + 1,
	                                          .length = 1};
	return -EINVAL;
}

static char *trim(char *field)
{
	size_t length;

	field += strspn(field, " \t");
	length = strlen(field);
	while (length > 0 && strchr(" \t\r", field[length - 1]))
		field[--length] = '\0';
	return field;
}

static int read_entry(const struct list_reader *list_reader, char *line,
                      struct equivalent *ret_equivalent)
{
	char *fields[ENTRY_FIELDS], message[PLANT_MESSAGE], *start = line;
	struct plant plant;
	int count = 0;

	for (char *at = line; at && count < ENTRY_FIELDS; count++) {
		char *bar = count + 1 < ENTRY_FIELDS ? strchr(at, '|') : NULL;

		if (bar)
			*bar = '\0';
		fields[count] = trim(at);
		if (!*fields[count])
			return refuse_entry(list_reader, (size_t)(at - start), "a field is empty");
		at = bar ? bar + 1 : NULL;
	}
	if (count < ENTRY_FIELDS)
		return refuse_entry(list_reader, strlen(list_reader->line),
		                    "the line has fewer than six fields");
	if (!plant_parse(fields[0], &plant, message))
		return refuse_entry(list_reader, (size_t)(fields[0] - start), message);
	*ret_equivalent = (struct equivalent){.plant = plant,
	                                      .platform = fields[1],
	                                      .device = fields[2],
	                                      .machine = fields[3],
	                                      .argument = fields[4],
	                                      .seen = fields[5]};
	return 0;
}

static int parse_entries(struct equivalents *equivalents, const char *path, size_t length,
                         struct oclmm_error *error)
{
	struct list_reader list_reader = {.path = path, .error = error};
	struct oclmm_lines lines;
	int r = 0;

	oclmm_lines_begin(&lines, path, equivalents->text, length);
	while (r == 0 && oclmm_lines_next(&lines)) {
		char *line = oclmm_lines_cut(&lines, equivalents->text), *copy = oclmm_strdup(line);

		list_reader.number = lines.number;
		list_reader.line = copy;
		line[strcspn(line, "#")] = '\0';
		if (*trim(line)) {
			oclmm_grow(&equivalents->lines, &equivalents->capacity, equivalents->count,
			           sizeof(*equivalents->lines));
			r = read_entry(&list_reader, line, &equivalents->lines[equivalents->count]);
			equivalents->count += r == 0;
		}
		free(copy);
	}
	return r;
}

int equivalents_read(struct equivalents *equivalents, const char *path, struct oclmm_error *error)
{
	size_t length;
	int r;

	*equivalents = (struct equivalents){0};
	r = oclmm_read_text(path, error, &equivalents->text, &length);
	if (r < 0)
		return r;
	r = parse_entries(equivalents, path, length, error);
	if (r < 0)
		equivalents_finish(equivalents);
	return r;
}

void equivalents_finish(struct equivalents *equivalents)
{
	free(equivalents->lines);
	free(equivalents->text);
	*equivalents = (struct equivalents){0};
}

static bool is_same_draw(const struct plant *a, const struct plant *b)
{
	return a->drawn && b->drawn && a->seed == b->seed && a->draw == b->draw;
}

/* Of a rule that was drawn: the same what, everywhere or where the other one is. */
static bool is_drawn_part(const struct oclmm_mutation *a, const struct oclmm_mutation *b)
{
	bool counted = a->what == OCLMM_WHAT_LOST || a->what == OCLMM_WHAT_TWICE ||
	               a->what == OCLMM_WHAT_NO_RETRY || a->what == OCLMM_WHAT_TORN;

	const char *space = a->words[OCLMM_ASPECT_SPACE];
	bool there = b->where == OCLMM_WHERE_ANYWHERE || a->where == b->where ||
	             (b->where == OCLMM_WHERE_LOCAL && space && strcmp(space, "local") == 0);

	return a->what == b->what && there &&
	       (a->number == b->number || (!counted && b->where < OCLMM_WHERE_FIRST_GUARD));
}

/* `inner` is `outer`, or the same bug in fewer calls. */
static bool is_part(const struct plant *inner, const struct plant *outer)
{
	const struct oclmm_mutation *a = &inner->mutation, *b = &outer->mutation;

	if (inner->bug != outer->bug || (a->number != b->number && !inner->drawn) ||
	    (inner->drawn && !is_drawn_part(a, b)) ||
	    (outer->drawn && !is_same_draw(inner, outer)) || a->keep_global != b->keep_global ||
	    a->all != b->all || a->to_sub_group != b->to_sub_group)
		return false;
	if (b->function[0] && strcmp(a->function, b->function) != 0)
		return false;
	for (int i = 0; i < OCLMM_ASPECT_COUNT; i++) {
		/* words have static storage, and each its own */
		if (b->words[i] && a->words[i] != b->words[i])
			return false;
	}
	return true;
}

const struct equivalent *equivalents_find(const struct equivalents *equivalents,
                                          const struct plant *plant, const char *platform,
                                          const char *device, const char *machine)
{
	for (size_t i = 0; i < equivalents->count; i++) {
		const struct equivalent *line = &equivalents->lines[i];

		if (is_part(plant, &line->plant) &&
		    oclmm_pattern_matches(line->platform, platform) &&
		    oclmm_pattern_matches(line->device, device) &&
		    oclmm_pattern_matches(line->machine, machine))
			return line;
	}
	return NULL;
}

/* ---- what became of a plant ------------------------------------------------ */

static const struct {
	enum plant_bug first;
	const char *name;
} plant_classes[PLANT_CLASS_COUNT] = {
#define PLANT_X(first, name) {PLANT_##first, name},
	PLANT_CLASSES(PLANT_X)
#undef PLANT_X
};

static unsigned plant_class(enum plant_bug bug)
{
	unsigned class = 0;

	while (class + 1 < PLANT_CLASS_COUNT && bug >= plant_classes[class + 1].first)
		class ++;
	return class;
}

static const char *plant_class_name(unsigned class)
{
	return plant_classes[class].name;
}

/* ---- one plant ------------------------------------------------------------- */

static OCLMM_LOOK_UP(const char *, plant_state_word, plant_state, PLANT_STATES, FIRST);
static OCLMM_LOOK_UP(const char *, plant_state_meaning, plant_state, PLANT_STATES, SECOND);
static OCLMM_FIND(plant_state_find, plant_state, PLANT_STATES, FIRST);

void plant_outcome_finish(struct plant_outcome *outcome)
{
	for (size_t i = 0; i < outcome->kill_count; i++)
		free(outcome->kills[i].test);
	free(outcome->kills);
	for (size_t i = 0; i < outcome->show_count; i++)
		free(outcome->shows[i].test);
	free(outcome->shows);
	for (size_t i = 0; i < outcome->broken_count; i++)
		free(outcome->broken_names[i]);
	free(outcome->broken_names);
	*outcome = (struct plant_outcome){0};
}

static void plant_outcome_add_broken(struct plant_outcome *outcome, const char *test)
{
	oclmm_grow(&outcome->broken_names, &outcome->broken_capacity, outcome->broken_count,
	           sizeof(*outcome->broken_names));
	outcome->broken_names[outcome->broken_count++] = oclmm_strdup(test);
}

void plant_outcome_add_kill(struct plant_outcome *outcome, const char *test, uint64_t seen,
                            uint64_t instances)
{
	oclmm_grow(&outcome->kills, &outcome->kill_capacity, outcome->kill_count,
	           sizeof(*outcome->kills));
	outcome->kills[outcome->kill_count++] = (struct kill){
		.test = oclmm_strdup(test),
		.seen = seen,
		.instances = instances,
		.instances_before = outcome->instances,
		.seconds = outcome->seconds,
	};
}

/* Whether the plant changed anything that ran. */
static bool plant_outcome_touched(const struct plant_outcome *outcome)
{
	return outcome->places > 0 && (!plant_by_launch(&outcome->plant) || outcome->launches > 0);
}

/* All tests were left out for a feature that they need, or that they need once they are changed. */
static bool is_lacking(const struct plant_outcome *outcome)
{
	return outcome->loaded && outcome->tests == 0 && outcome->skipped > 0;
}

/*
 * The driver's compiler refused what the change made of a program, and takes the program as it is.
 * Then the bug was not there to be seen, and to say that it survived, or that the device lacks
 * something, would hide what is wrong with the change.
 */
static bool is_refused(const struct plant_outcome *outcome)
{
	/* of a second program, for some launches, nobody asked what it needs */
	return outcome->refused > 0 ||
	       (outcome->unbuilt > 0 && !outcome->plant.mutation.to_sub_group);
}

void plant_outcome_judge(struct plant_outcome *outcome)
{
	bool none = outcome->plant.bug == PLANT_NONE;

	if (outcome->kill_count > 0)
		outcome->state = outcome->equivalent ? PLANT_CONTRADICTION : PLANT_KILLED;
	/* a drawn one that is listed may be nowhere all the same */
	else if (outcome->hopeless && outcome->equivalent &&
	         !(outcome->plant.drawn && outcome->concerned == 0))
		outcome->state = PLANT_EQUIVALENT; /* NOLINT(*-branch-clone): in this order */
	else if (outcome->hopeless)
		outcome->state = outcome->concerned ? PLANT_GAP : PLANT_UNTOUCHED;
	else if (is_lacking(outcome) && !none)
		outcome->state = PLANT_LACKING;
	else if (!outcome->loaded || outcome->tests == 0)
		outcome->state = PLANT_FAILED;
	else if (none)
		outcome->state = outcome->broken ? PLANT_NOTICED : PLANT_CLEAN;
	else if (is_refused(outcome))
		outcome->state = PLANT_REFUSED;
	else if (outcome->equivalent)
		outcome->state = PLANT_EQUIVALENT;
	/* what has a place in a test that can show it, and in no text, has got lost on the way */
	else if (!plant_outcome_touched(outcome) && !outcome->plant.drawn)
		outcome->state = PLANT_UNTOUCHED;
	else
		outcome->state = outcome->broken  ? PLANT_NOTICED
		                 : outcome->quiet ? PLANT_QUIET
		                                  : PLANT_SURVIVED;
}

/* The bug is in what a launch ranges over, or tells its work-items of that. */
static bool is_in_ranges(enum plant_bug bug)
{
	return bug >= PLANT_OFFSET_IGNORED && bug <= PLANT_IDS_SWAPPED;
}

/* Whether it counts as killed. */
static bool plant_outcome_is_kill(const struct plant_outcome *outcome)
{
	/* a count that is lost is all that a bug of the counting has to show, and a launch that is
	 * lost, or does not end, all of a command that is not sent; work-items that are not where
	 * they belong do not count, nor do kernels with another launch's arguments; what variables
	 * begin with is looked at before all outcomes */
	if (outcome->state == PLANT_NOTICED)
		return outcome->plant.bug == PLANT_COUNT_LOST ||
		       outcome->plant.bug == PLANT_FLUSH_LOST ||
		       outcome->plant.bug == PLANT_QUEUE_ORDERED ||
		       outcome->plant.bug == PLANT_VARIABLE_DIRTY ||
		       outcome->plant.bug == PLANT_INITIALISER_LOST ||
		       outcome->plant.bug == PLANT_ARGUMENT_KEPT ||
		       outcome->plant.bug == PLANT_ARGUMENT_LATE ||
		       is_in_ranges(outcome->plant.bug);
	return outcome->state == PLANT_KILLED || outcome->state == PLANT_CONTRADICTION;
}

/* It can show on the device. */
static bool is_able(const struct plant_outcome *outcome)
{
	/* what is drawn need not be in any test, or need not matter where it is */
	if (outcome->plant.drawn &&
	    (outcome->state == PLANT_UNTOUCHED || outcome->state == PLANT_GAP))
		return false;
	return outcome->state != PLANT_EQUIVALENT && outcome->state != PLANT_LACKING;
}

void plant_score_add(struct plant_score *score, const struct plant_outcome *outcome)
{
	unsigned class = plant_class(outcome->plant.bug);

	score->states[outcome->state]++;
	if (outcome->plant.bug == PLANT_NONE)
		return;
	score->killed += plant_outcome_is_kill(outcome);
	score->able += is_able(outcome);
	score->quiet += outcome->state == PLANT_QUIET;
	score->class_killed[class] += plant_outcome_is_kill(outcome);
	score->class_able[class] += is_able(outcome);
	score->class_tried[class]++;
	/* what the machine does not show is no hole of the suite */
	if (!outcome->plant.drawn || !is_able(outcome) || outcome->state == PLANT_QUIET)
		return;
	oclmm_grow(&score->drawn, &score->drawn_capacity, score->drawn_count,
	           sizeof(*score->drawn));
	score->drawn[score->drawn_count] = (struct drawn_plant){
		.plant = outcome->plant,
		.killed = plant_outcome_is_kill(outcome),
	};
	snprintf(score->drawn[score->drawn_count++].choice, PLANT_CHOICE, "%s", outcome->choice);
}

void plant_score_finish(struct plant_score *score)
{
	free(score->drawn);
	*score = (struct plant_score){0};
}

/* ---- what survivors have in common --------------------------------------------- */

/* Drawn plants that share what they change, or one word of where. */
struct cause {
	char *word;
	bool is_where;
	size_t able, survived;
	struct oclmm_text names; /* of the survivors */
};
struct causes {
	struct cause *items;
	size_t count, capacity;
};

static void add_cause(struct causes *causes, const char *word, size_t length, bool is_where,
                      const struct drawn_plant *drawn)
{
	struct cause *cause = causes->items;

	while (cause < causes->items + causes->count &&
	       (cause->is_where != is_where || strlen(cause->word) != length ||
	        memcmp(cause->word, word, length) != 0))
		cause++;
	if (!cause || cause == causes->items + causes->count) {
		oclmm_grow(&causes->items, &causes->capacity, causes->count,
		           sizeof(*causes->items));
		cause = &causes->items[causes->count++];
		*cause = (struct cause){.is_where = is_where};
		cause->word = oclmm_calloc(length + 1, 1);
		memcpy(cause->word, word, length);
	}
	cause->able++;
	cause->survived += !drawn->killed;
	if (!drawn->killed)
		oclmm_text_printf(&cause->names, "%s%s", cause->names.length ? " " : "",
		                  drawn->choice);
}

/* The most survivors first. */
static int compare_causes(const void *a, const void *b)
{
	const struct cause *first = a, *second = b;

	if (first->is_where != second->is_where)
		return first->is_where ? 1 : -1;
	if (first->survived != second->survived)
		return first->survived < second->survived ? 1 : -1;
	return strcmp(first->word, second->word);
}

static void find_causes(const struct plant_score *score, struct causes *ret_causes)
{
	*ret_causes = (struct causes){0};
	for (size_t i = 0; i < score->drawn_count; i++) {
		const struct drawn_plant *drawn = &score->drawn[i];
		const char *name = plant_descriptions[drawn->plant.bug].name, *at;
		struct oclmm_text where = {0};

		add_cause(ret_causes, name, strlen(name), false, drawn);
		plant_where(&drawn->plant, &where);
		for (at = oclmm_text_string(&where); *at;) {
			size_t length = strcspn(at, ";");

			add_cause(ret_causes, at, length, true, drawn);
			at += length;
			at += strspn(at, "; ");
		}
		oclmm_text_finish(&where);
	}
	if (ret_causes->count > 0)
		qsort(ret_causes->items, ret_causes->count, sizeof(*ret_causes->items),
		      compare_causes);
}

static void causes_finish(struct causes *causes)
{
	for (size_t i = 0; i < causes->count; i++) {
		free(causes->items[i].word);
		oclmm_text_finish(&causes->items[i].names);
	}
	free(causes->items);
}

static void print_causes(struct oclmm_text *text, const struct plant_score *score)
{
	struct causes causes;
	bool head = true;

	find_causes(score, &causes);
	for (size_t i = 0; i < causes.count; i++) {
		struct cause *cause = &causes.items[i];

		if (cause->survived == 0)
			continue;
		if (head)
			oclmm_text_add(text, "\nsurvivors by cause, of those that can show:\n");
		head = false;
		oclmm_text_printf(text, "  %-5s %-40s %3zu of %zu: %s\n",
		                  cause->is_where ? "where" : "what", cause->word, cause->survived,
		                  cause->able, oclmm_text_string(&cause->names));
	}
	causes_finish(&causes);
}

static json_t *causes_of(const struct plant_score *score)
{
	json_t *list = json_array();
	struct causes causes;

	find_causes(score, &causes);
	for (size_t i = 0; i < causes.count; i++) {
		json_t *object = json_object();

		json_put_text(object, "by", causes.items[i].is_where ? "where" : "what");
		json_put_text(object, "word", causes.items[i].word);
		json_put_count(object, "able", causes.items[i].able);
		json_put_count(object, "survived", causes.items[i].survived);
		json_put_text(object, "survivors", oclmm_text_string(&causes.items[i].names));
		json_array_append_new(list, object);
	}
	causes_finish(&causes);
	return list;
}

/* ---- for people ------------------------------------------------------ */

/* 12345678 as `12.3 M`. */
static const char *short_count(char buffer[32], uint64_t count)
{
	static const char units[] = " kMGT";
	double number = (double)count;
	size_t unit = 0;

	while (number >= 999.5 && unit + 1 < sizeof(units) - 1) {
		number /= 1000;
		unit++;
	}
	if (unit == 0)
		snprintf(buffer, 32, "%" PRIu64, count);
	else
		snprintf(buffer, 32, "%.3g %c", number, units[unit]);
	return buffer;
}

/* Adds lines as they were made, broken where they are wider than a terminal. */
static void add_fitted(struct oclmm_text *text, struct oclmm_text *lines)
{
	oclmm_text_add_fitted_lines(text, oclmm_text_string(lines), OCLMM_TEXT_WIDTH);
	oclmm_text_finish(lines);
}

static void print_head(struct oclmm_text *text, const struct matrix_header *header)
{
	const struct matrix_device *device = &header->device;
	struct oclmm_text lines = {0};

	oclmm_text_printf(&lines, "%s: %s, %s, driver %s, %s\n", oclmm_shown(header->tool).text,
	                  oclmm_shown(device->device).text, oclmm_shown(device->platform).text,
	                  oclmm_shown(device->driver).text, oclmm_shown(header->machine).text);
	oclmm_text_printf(&lines, "%s, %s, seed %" PRIu64 ", at most %g s per plant\n\n",
	                  oclmm_counted(header->plants, "plant").text,
	                  oclmm_counted(header->tests, "test").text, header->seed, header->seconds);
	oclmm_text_printf(&lines, "%-34s %-13s %s\n", "plant", "result", "after");
	add_fitted(text, &lines);
}

static void add_effort(struct oclmm_text *text, uint64_t tests, uint64_t instances, double seconds)
{
	char count[32];

	oclmm_text_printf(text, "%s, %s instances, %.1f s", oclmm_counted(tests, "test").text,
	                  short_count(count, instances), seconds);
}

static void add_notes(struct oclmm_text *text, const struct plant_outcome *outcome)
{
	if (outcome->broken)
		oclmm_text_printf(text, "    %s could not be run to the end, first %s\n",
		                  oclmm_counted(outcome->broken, "test").text,
		                  oclmm_shown(outcome->broken_test).text);
	if (outcome->ungated)
		oclmm_text_printf(text,
		                  "    %s that the device does not claim saw something forbidden "
		                  "(--claims accepted)\n",
		                  oclmm_counted(outcome->ungated, "test").text);
	if (outcome->unbuilt)
		oclmm_text_printf(text, "    %s could not be built\n",
		                  oclmm_counted(outcome->unbuilt, "changed program").text);
	if (outcome->opaque && outcome->plant.bug != PLANT_NONE)
		oclmm_text_printf(text, "    %s came as binaries or IL and passed unchanged\n",
		                  oclmm_counted(outcome->opaque, "program").text);
	if (outcome->equivalent)
		oclmm_text_printf(text, "    %s: %s (%s)\n",
		                  outcome->plant.drawn ? "cannot show here"
		                                       : "listed as equivalent",
		                  oclmm_shown(outcome->equivalent->argument).text,
		                  oclmm_shown(outcome->equivalent->seen).text);
}

/* What the same tests show where nothing orders. */
static void add_loosened(struct oclmm_text *text, const struct plant_outcome *outcome)
{
	enum { FEW = 4 };
	char seen[32], all[32];

	if (outcome->loosened == 0)
		return;
	oclmm_text_printf(text, "    without any order: %s, %s instances, ",
	                  oclmm_counted(outcome->loosened, "test").text,
	                  short_count(all, outcome->loosened_instances));
	if (outcome->show_count == 0)
		oclmm_text_add(text, "nothing seen\n");
	else
		oclmm_text_printf(text, "seen in %zu\n", outcome->show_count);
	for (size_t i = 0; i < outcome->show_count && i < FEW; i++)
		oclmm_text_printf(text, "      %s: %s of %s\n",
		                  oclmm_shown(outcome->shows[i].test).text,
		                  short_count(seen, outcome->shows[i].seen),
		                  short_count(all, outcome->shows[i].instances));
}

/* A test that killed the plant, on a line of its own; for the first also how soon. */
static void add_kill(struct oclmm_text *text, const struct kill *kill, bool first)
{
	char seen[32], all[32], before[32];

	if (first)
		oclmm_text_printf(text, "%s instances, %.1f s\n",
		                  short_count(before, kill->instances_before), kill->seconds);
	oclmm_text_printf(text, "    by %s: %s of %s", oclmm_shown(kill->test).text,
	                  short_count(seen, kill->seen), short_count(all, kill->instances));
	if (!first)
		oclmm_text_printf(text, ", after %s instances, %.1f s",
		                  short_count(before, kill->instances_before), kill->seconds);
	oclmm_text_add(text, "\n");
}

/* `sc-to-acq-rel: store; ulong` */
static void add_rule(struct oclmm_text *text, const struct plant *plant)
{
	struct oclmm_text where = {0};

	plant_where(plant, &where);
	oclmm_text_printf(text, "%s%s%s", plant_descriptions[plant->bug].name,
	                  where.length ? ": " : "", oclmm_text_string(&where));
	oclmm_text_finish(&where);
}

static void print_drawn(struct oclmm_text *text, const struct plant_outcome *outcome)
{
	char count[32];

	oclmm_text_printf(text, "%-18s %-11s ", outcome->choice, plant_state_word(outcome->state));
	add_rule(text, &outcome->plant);
	oclmm_text_add(text, "\n");
	for (size_t i = 0; i < outcome->kill_count; i++) {
		const struct kill *kill = &outcome->kills[i];

		oclmm_text_printf(text, "    by %s: %s of", oclmm_shown(kill->test).text,
		                  short_count(count, kill->seen));
		oclmm_text_printf(text, " %s, %.1f s\n", short_count(count, kill->instances),
		                  kill->seconds);
	}
	if (outcome->kill_count == 0 && !outcome->hopeless && outcome->tests > 0) {
		oclmm_text_add(text, "    ");
		add_effort(text, outcome->tests, outcome->instances, outcome->seconds);
		oclmm_text_printf(text, "; %s changed\n",
		                  oclmm_counted(outcome->places, "place").text);
	}
}

static void print_plant(struct oclmm_text *text, const struct plant_outcome *outcome)
{
	struct oclmm_text lines = {0};

	if (outcome->plant.drawn) {
		print_drawn(&lines, outcome);
		add_loosened(&lines, outcome);
		add_notes(&lines, outcome);
		add_fitted(text, &lines);
		return;
	}
	oclmm_text_printf(&lines, "%-34s %-13s ", outcome->choice,
	                  plant_state_word(outcome->state));
	for (size_t i = 0; i < outcome->kill_count; i++)
		add_kill(&lines, &outcome->kills[i], i == 0);
	if (outcome->kill_count == 0) {
		add_effort(&lines, outcome->tests, outcome->instances, outcome->seconds);
		oclmm_text_add(&lines, "\n");
		if (outcome->plant.bug != PLANT_NONE)
			oclmm_text_printf(&lines, "    %s changed in %s\n",
			                  oclmm_counted(outcome->places, "place").text,
			                  oclmm_counted(outcome->programs, "program").text);
	}
	add_loosened(&lines, outcome);
	add_notes(&lines, outcome);
	add_fitted(text, &lines);
}

static void add_classes(struct oclmm_text *text, const struct plant_score *score)
{
	for (unsigned i = 0; i < PLANT_CLASS_COUNT; i++) {
		if (score->class_tried[i] == 0)
			continue;
		oclmm_text_printf(text, "  %-28s %3zu of %zu killed", plant_class_name(i),
		                  score->class_killed[i], score->class_able[i]);
		if (score->class_tried[i] > score->class_able[i])
			oclmm_text_printf(text, ", %zu equivalent or lacking",
			                  score->class_tried[i] - score->class_able[i]);
		oclmm_text_add(text, "\n");
	}
}

static void add_score(struct oclmm_text *text, const struct plant_score *score)
{
	oclmm_text_add(text, "\n");
	for (int i = 0; i < PLANT_STATE_COUNT; i++) {
		if (score->states[i] > 0)
			oclmm_text_printf(text, "  %-14s %3zu  %s\n",
			                  plant_state_word((enum plant_state)i), score->states[i],
			                  plant_state_meaning((enum plant_state)i));
	}
	add_classes(text, score);
	oclmm_text_printf(text, "score: %zu of %zu plants that are not equivalent here were killed",
	                  score->killed, score->able);
	if (score->able > 0)
		oclmm_text_printf(text, " (%.1f %%)",
		                  100.0 * (double)score->killed / (double)score->able);
	oclmm_text_add(text, "\n");
	if (score->quiet > 0 && score->able > score->quiet)
		oclmm_text_printf(text,
		                  "of what the machine shows: %zu of %zu were killed (%.1f %%)\n",
		                  score->killed, score->able - score->quiet,
		                  100.0 * (double)score->killed /
		                          (double)(score->able - score->quiet));
}

static void print_score(struct oclmm_text *text, const struct plant_score *score)
{
	struct oclmm_text lines = {0};

	add_score(&lines, score);
	print_causes(&lines, score);
	add_fitted(text, &lines);
}

/* ---- for programs ---------------------------------------------------- */

static void write_head(struct oclmm_text *text, const struct matrix_header *header)
{
	json_t *object = json_object();
	char seed[24];

	snprintf(seed, sizeof(seed), "%" PRIu64, header->seed);
	json_put_text(object, "type", "planted");
	json_put_count(object, "format", 1);
	json_put_text(object, "tool", header->tool);
	json_put_text(object, "platform", header->device.platform);
	json_put_text(object, "device", header->device.device);
	json_put_text(object, "driver", header->device.driver);
	json_put_text(object, "version", header->device.version);
	json_put_text(object, "machine", header->machine);
	json_put_text(object, "profile", header->profile);
	json_put_text(object, "claims", header->claims);
	json_put_text(object, "seed", seed);
	if (header->instances)
		json_put_count(object, "instances", header->instances);
	else
		json_put_text(object, "instances", NULL);
	json_put_real(object, "seconds", header->seconds);
	json_put_count(object, "tests", header->tests);
	json_put_count(object, "plants", header->plants);
	json_put_flag(object, "all", header->all);
	json_print_line(text, object);
}

static json_t *kills_of(const struct plant_outcome *outcome)
{
	json_t *list = json_array();

	for (size_t i = 0; i < outcome->kill_count; i++) {
		const struct kill *kill = &outcome->kills[i];
		json_t *object = json_object();

		json_put_text(object, "test", kill->test);
		json_put_count(object, "forbidden", kill->seen);
		json_put_count(object, "instances", kill->instances);
		json_put_real(object, "rate",
		              kill->instances ? (double)kill->seen / (double)kill->instances : 0);
		/* that as many instances at this rate show it again: one minus Poisson's
		 * probability of none */
		json_put_real(object, "again", -expm1(-(double)kill->seen));
		json_put_count(object, "instances_before", kill->instances_before);
		json_put_real(object, "seconds", kill->seconds);
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *shows_of(const struct plant_outcome *outcome)
{
	json_t *object = json_object(), *list = json_array();

	json_put_count(object, "tests", outcome->loosened);
	json_put_count(object, "instances", outcome->loosened_instances);
	for (size_t i = 0; i < outcome->show_count; i++) {
		json_t *show = json_object();

		json_put_text(show, "test", outcome->shows[i].test);
		json_put_count(show, "forbidden", outcome->shows[i].seen);
		json_put_count(show, "instances", outcome->shows[i].instances);
		json_array_append_new(list, show);
	}
	json_object_set_new(object, "shows", list);
	return object;
}

static json_t *broken_of(const struct plant_outcome *outcome)
{
	json_t *names = json_array();

	for (size_t i = 0; i < outcome->broken_count; i++)
		json_array_append_new(names, json_string(outcome->broken_names[i]));
	return names;
}

static void write_plant(struct oclmm_text *text, const struct plant_outcome *outcome)
{
	const struct plant_description *description = &plant_descriptions[outcome->plant.bug];
	json_t *object = json_object();

	json_put_text(object, "type", "plant");
	json_put_text(object, "plant", outcome->choice);
	json_put_text(object, "class", plant_class_name(plant_class(outcome->plant.bug)));
	json_put_text(object, "what", description->what);
	if (outcome->plant.drawn) {
		struct oclmm_text where = {0};

		plant_where(&outcome->plant, &where);
		json_put_text(object, "part_of", description->name);
		json_put_text(object, "where", oclmm_text_string(&where));
		oclmm_text_finish(&where);
	}
	json_put_text(object, "rule", description->rule);
	json_put_text(object, "result", plant_state_word(outcome->state));
	json_object_set_new(object, "kills", kills_of(outcome));
	json_put_count(object, "tests", outcome->tests);
	json_put_count(object, "concerned", outcome->concerned);
	json_put_count(object, "able", outcome->able);
	json_put_count(object, "skipped", outcome->skipped);
	json_put_count(object, "refused", outcome->refused);
	json_put_count(object, "broken", outcome->broken);
	json_put_count(object, "ungated", outcome->ungated);
	json_put_text(object, "broken_test", outcome->broken ? outcome->broken_test : NULL);
	if (outcome->broken_count)
		json_object_set_new(object, "broken_tests", broken_of(outcome));
	json_put_count(object, "instances", outcome->instances);
	json_put_real(object, "seconds", outcome->seconds);
	json_put_count(object, "programs", outcome->programs);
	json_put_count(object, "places", outcome->places);
	json_put_count(object, "opaque", outcome->opaque);
	json_put_count(object, "launches", outcome->launches);
	json_put_count(object, "unbuilt", outcome->unbuilt);
	if (outcome->loosened)
		json_object_set_new(object, "without_order", shows_of(outcome));
	json_put_text(object, "argument",
	              outcome->equivalent ? outcome->equivalent->argument : NULL);
	json_put_text(object, "seen", outcome->equivalent ? outcome->equivalent->seen : NULL);
	json_print_line(text, object);
}

static json_t *classes_of(const struct plant_score *score)
{
	json_t *classes = json_object();

	for (unsigned i = 0; i < PLANT_CLASS_COUNT; i++) {
		json_t *class = json_object();

		if (score->class_tried[i] > 0)
			json_object_set(classes, plant_class_name(i), class);
		json_put_count(class, "killed", score->class_killed[i]);
		json_put_count(class, "able", score->class_able[i]);
		json_decref(class);
	}
	return classes;
}

static void write_score(struct oclmm_text *text, const struct plant_score *score, int status)
{
	json_t *object = json_object(), *states = json_object();

	for (int i = 0; i < PLANT_STATE_COUNT; i++)
		json_put_count(states, plant_state_word((enum plant_state)i), score->states[i]);
	json_put_text(object, "type", "score");
	json_object_set_new(object, "results", states);
	json_object_set_new(object, "classes", classes_of(score));
	json_put_count(object, "killed", score->killed);
	json_put_count(object, "able", score->able);
	json_put_count(object, "quiet", score->quiet);
	if (score->drawn_count > 0)
		json_object_set_new(object, "causes", causes_of(score));
	json_put_real(object, "score",
	              score->able ? (double)score->killed / (double)score->able : -1);
	json_put_count(object, "exit", (uint64_t)status);
	json_print_line(text, object);
}

/* As a line of the matrix. */
static void matrix_loosened(struct oclmm_text *text, const struct loosened *loosened)
{
	json_t *object = json_object();

	json_put_text(object, "type", "without-order");
	json_put_text(object, "plant", loosened->plant);
	json_put_text(object, "test", loosened->test);
	json_put_text(object, "sizes", loosened->sizes);
	json_put_count(object, "forbidden", loosened->seen);
	json_put_count(object, "instances", loosened->instances);
	json_put_flag(object, "unknown", loosened->unknown);
	json_print_line(text, object);
}

/* ---- both ------------------------------------------------------------ */

void matrix_head(struct oclmm_text *text, enum matrix_form form, const struct matrix_header *header)
{
	(form == MATRIX_JSON ? write_head : print_head)(text, header);
}

void matrix_plant(struct oclmm_text *text, enum matrix_form form,
                  const struct plant_outcome *outcome)
{
	(form == MATRIX_JSON ? write_plant : print_plant)(text, outcome);
}

void matrix_score(struct oclmm_text *text, enum matrix_form form, const struct plant_score *score,
                  int status)
{
	if (form == MATRIX_JSON)
		write_score(text, score, status);
	else
		print_score(text, score);
}

/* ---- tables of a document -------------------------------------------------- */

static void add_share(struct oclmm_text *text, size_t killed, size_t able)
{
	if (able > 0)
		oclmm_text_printf(text, " %.1f %% |\n", 100.0 * (double)killed / (double)able);
	else
		oclmm_text_add(text, " - |\n");
}

static void add_class_rows(struct oclmm_text *text, const struct plant_score *score)
{
	size_t tried = 0;

	oclmm_text_add(
		text,
		"| class | plants | equivalent or lacking | killed | of those that can show |\n"
		"|---|---:|---:|---:|---:|\n");
	for (unsigned i = 0; i < PLANT_CLASS_COUNT; i++) {
		if (score->class_tried[i] == 0)
			continue;
		tried += score->class_tried[i];
		oclmm_text_printf(text, "| %s | %zu | %zu | %zu |", plant_class_name(i),
		                  score->class_tried[i],
		                  score->class_tried[i] - score->class_able[i],
		                  score->class_killed[i]);
		add_share(text, score->class_killed[i], score->class_able[i]);
	}
	oclmm_text_printf(text, "| **all** | %zu | %zu | %zu |", tried, tried - score->able,
	                  score->killed);
	add_share(text, score->killed, score->able);
}

static bool is_left(const struct plant_outcome *outcome)
{
	return outcome->plant.bug != PLANT_NONE && is_able(outcome) &&
	       !plant_outcome_is_kill(outcome);
}

static void add_left(struct oclmm_text *text, const struct matrix_saved *saved)
{
	bool head = true;

	for (size_t i = 0; i < saved->count; i++) {
		const struct plant_outcome *outcome = &saved->outcomes[i];

		if (!is_left(outcome))
			continue;
		if (head)
			oclmm_text_add(text, "\n| not killed | result | tests that can show it |\n"
			                     "|---|---|---:|\n");
		head = false;
		oclmm_text_printf(text, "| %s | %s | %llu |\n", outcome->choice,
		                  plant_state_word(outcome->state),
		                  (unsigned long long)outcome->able);
	}
}

void matrix_tables(struct oclmm_text *text, const struct matrix_saved *saved)
{
	struct plant_score score = {0};

	for (size_t i = 0; i < saved->count; i++)
		plant_score_add(&score, &saved->outcomes[i]);
	oclmm_text_printf(text, "%s, driver %s; %s, profile %s\n\n",
	                  oclmm_shown(saved->header.device.device).text,
	                  oclmm_shown(saved->header.device.driver).text,
	                  oclmm_counted(saved->header.tests, "test").text,
	                  oclmm_shown(saved->header.profile ? saved->header.profile : "-").text);
	add_class_rows(text, &score);
	add_left(text, saved);
	plant_score_finish(&score);
}

/* ---- read back ------------------------------------------------------------- */

/* The string that an object has under a key; "" where it has none. */
static const char *text_of(json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "";
}

/* The line that a run begins with, or that a matrix does. */
static void matrix_take_device(struct matrix_device *device, json_t *line)
{
	snprintf(device->platform, sizeof(device->platform), "%s", text_of(line, "platform"));
	snprintf(device->device, sizeof(device->device), "%s", text_of(line, "device"));
	snprintf(device->driver, sizeof(device->driver), "%s", text_of(line, "driver"));
	snprintf(device->version, sizeof(device->version), "%s", text_of(line, "version"));
}

struct reader {
	const char *path;
	uint32_t number; /* of the line */
	struct matrix_saved *saved;
	struct oclmm_error *error;
};

static int refuse(const struct reader *reader, const char *what)
{
	oclmm_error_set(reader->error, -EINVAL, "%s", what);
	snprintf(reader->error->file, sizeof(reader->error->file), "%s", reader->path);
	reader->error->position =
		(struct oclmm_position){.line = reader->number, .column = 1, .length = 1};
	return -EINVAL;
}

static bool take_number(json_t *object, const char *key, uint64_t *ret_number)
{
	json_t *value = json_object_get(object, key);

	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return false;
	*ret_number = (uint64_t)json_integer_value(value);
	return true;
}

/* A time below 0 counts as 0. */
static double seconds_of(const json_t *object)
{
	double seconds = json_number_value(json_object_get(object, "seconds"));

	return seconds > 0 ? seconds : 0;
}

static int take_header(const struct reader *reader, json_t *line)
{
	struct matrix_header *header = &reader->saved->header;
	uint64_t tests, plants;
	char *end;

	if (!take_number(line, "tests", &tests) || !take_number(line, "plants", &plants))
		return refuse(reader, "\"tests\" or \"plants\" is no count");
	matrix_take_device(&header->device, line);
	header->tool = text_of(line, "tool");
	header->machine = text_of(line, "machine");
	header->profile = json_string_value(json_object_get(line, "profile"));
	header->claims = text_of(line, "claims");
	header->seed = strtoull(text_of(line, "seed"), &end, 10);
	if (*end || end == text_of(line, "seed"))
		return refuse(reader, "\"seed\" is not a number");
	if (!take_number(line, "instances", &header->instances))
		header->instances = 0;
	header->seconds = seconds_of(line);
	header->tests = tests;
	header->plants = plants;
	header->all = json_is_true(json_object_get(line, "all"));
	return 0;
}

static int take_kills(const struct reader *reader, json_t *line, struct plant_outcome *outcome)
{
	json_t *kill;
	size_t index;

	json_array_foreach(json_object_get(line, "kills"), index, kill)
	{
		uint64_t seen, instances, before;

		if (!take_number(kill, "forbidden", &seen) ||
		    !take_number(kill, "instances", &instances) ||
		    !take_number(kill, "instances_before", &before))
			return refuse(reader, "a kill lacks a count");
		plant_outcome_add_kill(outcome, text_of(kill, "test"), seen, instances);
		outcome->kills[outcome->kill_count - 1].instances_before = before;
		outcome->kills[outcome->kill_count - 1].seconds = seconds_of(kill);
	}
	return 0;
}

static void add_show(struct plant_outcome *outcome, const char *test, uint64_t seen,
                     uint64_t instances)
{
	oclmm_grow(&outcome->shows, &outcome->show_capacity, outcome->show_count,
	           sizeof(*outcome->shows));
	outcome->shows[outcome->show_count++] =
		(struct kill){.test = oclmm_strdup(test), .seen = seen, .instances = instances};
}

static int take_shows(const struct reader *reader, json_t *line, struct plant_outcome *outcome)
{
	json_t *object = json_object_get(line, "without_order"), *show;
	size_t index;

	if (object && (!take_number(object, "tests", &outcome->loosened) ||
	               !take_number(object, "instances", &outcome->loosened_instances)))
		return refuse(reader, "\"without_order\" lacks a count");
	json_array_foreach(json_object_get(object, "shows"), index, show)
	{
		uint64_t seen, instances;

		if (!take_number(show, "forbidden", &seen) ||
		    !take_number(show, "instances", &instances))
			return refuse(reader, "what shows lacks a count");
		add_show(outcome, text_of(show, "test"), seen, instances);
	}
	return 0;
}

/* The sum of all lines that are alike. */
static struct loosened *loosened_of(struct matrix_saved *saved, const char *plant, const char *test,
                                    const char *sizes)
{
	for (size_t i = 0; i < saved->loosened_count; i++) {
		struct loosened *known = &saved->loosened[i];

		if (strcmp(known->plant, plant) == 0 && strcmp(known->test, test) == 0 &&
		    strcmp(known->sizes, sizes) == 0)
			return known;
	}
	oclmm_grow(&saved->loosened, &saved->loosened_capacity, saved->loosened_count,
	           sizeof(*saved->loosened));
	saved->loosened[saved->loosened_count] =
		(struct loosened){.plant = plant, .test = test, .sizes = sizes};
	return &saved->loosened[saved->loosened_count++];
}

static int take_loosened(const struct reader *reader, json_t *line)
{
	uint64_t seen, instances;
	struct loosened *known;

	if (!take_number(line, "forbidden", &seen) || !take_number(line, "instances", &instances))
		return refuse(reader, "what a test showed lacks a count");
	known = loosened_of(reader->saved, text_of(line, "plant"), text_of(line, "test"),
	                    text_of(line, "sizes"));
	known->seen += seen;
	known->instances += instances;
	known->unknown |= json_is_true(json_object_get(line, "unknown"));
	return 0;
}

static int take_counts(const struct reader *reader, json_t *line, struct plant_outcome *outcome)
{
	const struct {
		const char *key;
		uint64_t *number;
	} counts[] = {
		{"tests", &outcome->tests},         {"concerned", &outcome->concerned},
		{"able", &outcome->able},           {"broken", &outcome->broken},
		{"instances", &outcome->instances}, {"programs", &outcome->programs},
		{"places", &outcome->places},       {"opaque", &outcome->opaque},
		{"launches", &outcome->launches},   {"unbuilt", &outcome->unbuilt},
		{"ungated", &outcome->ungated},     {"skipped", &outcome->skipped},
		{"refused", &outcome->refused},
	};
	char message[128];

	for (size_t i = 0; i < OCLMM_COUNT(counts); i++) {
		if (take_number(line, counts[i].key, counts[i].number))
			continue;
		snprintf(message, sizeof(message), "\"%s\" is no count", counts[i].key);
		return refuse(reader, message);
	}
	return 0;
}

/* A plant that was killed has a test that did it; any other has none. */
static bool is_consistent(const struct plant_outcome *outcome)
{
	bool killed = outcome->state == PLANT_KILLED || outcome->state == PLANT_CONTRADICTION;

	return killed == (outcome->kill_count > 0);
}

static int take_plant(const struct reader *reader, json_t *line)
{
	struct matrix_saved *saved = reader->saved;
	struct plant_outcome outcome = {.choice = text_of(line, "plant")};
	struct equivalent known = {.argument = text_of(line, "argument"),
	                           .seen = text_of(line, "seen")};
	const char *state = text_of(line, "result");
	char message[PLANT_MESSAGE];
	size_t capacity = saved->capacity, index;
	json_t *name;
	int r;

	if (!plant_parse(outcome.choice, &outcome.plant, message))
		return refuse(reader, message);
	if (!plant_state_find(state, strlen(state), &outcome.state))
		return refuse(reader, "\"result\" is unknown");
	r = take_counts(reader, line, &outcome);
	if (r == 0)
		r = take_kills(reader, line, &outcome);
	if (r == 0)
		r = take_shows(reader, line, &outcome);
	if (r == 0 && !is_consistent(&outcome))
		r = refuse(reader, "\"result\" and \"kills\" contradict each other");
	if (r < 0) {
		plant_outcome_finish(&outcome);
		return r;
	}
	outcome.seconds = seconds_of(line);
	snprintf(outcome.broken_test, sizeof(outcome.broken_test), "%s",
	         text_of(line, "broken_test"));
	json_array_foreach(json_object_get(line, "broken_tests"), index, name)
	{
		if (json_is_string(name))
			plant_outcome_add_broken(&outcome, json_string_value(name));
	}
	oclmm_grow(&saved->equivalents, &capacity, saved->count, sizeof(*saved->equivalents));
	oclmm_grow(&saved->outcomes, &saved->capacity, saved->count, sizeof(*saved->outcomes));
	saved->equivalents[saved->count] = known;
	saved->outcomes[saved->count++] = outcome;
	return 0;
}

/* The lines stay, since all strings are theirs. */
static int take_line(const struct reader *reader, const char *text, size_t length)
{
	json_t *line = json_loadb(text, length, 0, NULL);
	const char *type = text_of(line, "type");

	if (!line)
		return refuse(reader, "this is no JSON");
	json_array_append_new(reader->saved->lines, line);
	if ((reader->number == 1) != (strcmp(type, "planted") == 0))
		return refuse(reader, reader->number == 1 ? "this is no matrix of planted bugs"
		                                          : "a second matrix begins here");
	if (reader->number == 1)
		return take_header(reader, line);
	if (strcmp(type, "plant") == 0)
		return take_plant(reader, line);
	if (strcmp(type, "without-order") == 0)
		return take_loosened(reader, line);
	return strcmp(type, "score") == 0 ? 0 : refuse(reader, "\"type\" is unknown");
}

int matrix_read(const char *path, struct oclmm_error *error, struct matrix_saved *ret_saved)
{
	struct matrix_saved saved = {.lines = json_array()};
	struct reader reader = {.path = path, .saved = &saved, .error = error};
	struct oclmm_lines lines;
	char *text = NULL;
	size_t length = 0;
	int r = oclmm_read_text(path, error, &text, &length);

	oclmm_lines_begin(&lines, path, text ? text : "", length);
	while (r == 0 && oclmm_lines_next(&lines) && lines.ended) {
		reader.number = lines.number;
		r = take_line(&reader, lines.line, lines.length);
	}
	if (r == 0 && reader.number == 0) {
		reader.number = 1;
		r = refuse(&reader, "there is no whole line");
	}
	free(text);
	if (r < 0) {
		matrix_saved_finish(&saved);
		return r;
	}
	for (size_t i = 0; i < saved.count; i++) {
		if (saved.equivalents[i].argument[0])
			saved.outcomes[i].equivalent = &saved.equivalents[i];
	}
	*ret_saved = saved;
	return 0;
}

void matrix_saved_finish(struct matrix_saved *saved)
{
	for (size_t i = 0; i < saved->count; i++)
		plant_outcome_finish(&saved->outcomes[i]);
	free(saved->outcomes);
	free(saved->equivalents);
	free(saved->loosened);
	json_decref(saved->lines);
	*saved = (struct matrix_saved){0};
}

/* What became of a choice before; NULL: it is still to be tried. */
static const struct plant_outcome *matrix_saved_find(const struct matrix_saved *saved,
                                                     const char *choice)
{
	for (size_t i = 0; i < saved->count; i++) {
		const struct plant_outcome *outcome = &saved->outcomes[i];

		if (strcmp(outcome->choice, choice) == 0 && outcome->state != PLANT_FAILED)
			return outcome;
	}
	return NULL;
}

/* ---- options --------------------------------------------------------------- */

/* A choice as it was given. */
struct planted_choice {
	char text[PLANT_CHOICE];
	struct plant plant;
};

/* Owns its choices. */
struct planted_options {
	struct planted_choice *choices;
	size_t choice_count, choice_capacity;
	const char *profile;
	const char *device;
	const char *machine; /* NULL: the device's */
	const char *claims;
	const char *instances; /* as given, for the runs */
	uint64_t instance_count;
	const char *output;
	const char *baseline;
	const char *equivalents;
	const char *resume; /* goes on with this file, and writes there */
	const char *render; /* shows this file again, and runs nothing */
	double seconds;     /* of one plant */
	double budget;      /* of all; 0: as long as it takes */
	uint64_t drawn;     /* bugs that are drawn with the seed */
	uint64_t seed;
	struct shard shard; /* of the plants; count 0: all */
	bool drawn_only;    /* all choices were drawn */
	bool able;          /* only says which tests can show what */
	bool all, each, json, list, table;
};

static int add_plant(struct planted_options *options, const char *value)
{
	char message[PLANT_MESSAGE], wanted[PLANT_MESSAGE + 160];
	const char *names[PLANT_COUNT];
	struct planted_choice choice = {0};

	if (strlen(value) < PLANT_CHOICE && plant_parse(value, &choice.plant, message)) {
		snprintf(choice.text, sizeof(choice.text), "%s", value);
		oclmm_grow(&options->choices, &options->choice_capacity, options->choice_count,
		           sizeof(*options->choices));
		options->choices[options->choice_count++] = choice;
		return 0;
	}
	if (strlen(value) >= PLANT_CHOICE)
		snprintf(message, sizeof(message), "it is longer than any");
	for (int i = 0; i < PLANT_COUNT; i++)
		names[i] = plant_descriptions[i].name;
	/* behind a colon or @ stands what is no name */
	snprintf(wanted, sizeof(wanted), "a plant (%s%s); see --list", message,
	         suggest(value, names, strpbrk(value, ":@") ? 0 : PLANT_COUNT, NULL).text);
	return option_refuse("plant", value, wanted);
}

static int set_plant(const char *option, const char *value, void *target)
{
	(void)option;
	return add_plant(target, value);
}

static int set_claims(const char *option, const char *value, void *target)
{
	const char **claims = target;
	bool accepted;

	*claims = value;
	return option_either(option, value, "claimed", "accepted", &accepted);
}

static int set_instances(const char *option, const char *value, void *target)
{
	struct planted_options *options = target;

	options->instances = value;
	return option_count(option, value, &options->instance_count);
}

static int set_output(const char *option, const char *value, void *ret_path)
{
	return option_file(option, value, ".jsonl", ret_path);
}

static const struct option_spec planted_option_specs[] = {
	{"able", 0, NULL, "only say which tests can show each plant, by the model",
         SETS_FLAG(struct planted_options, able)},
	{"all", 0, NULL, "go on after the first kill: which tests kill a plant",
         SETS_FLAG(struct planted_options, all)},
	{"baseline", 0, "FILE", "plants by line: fail only when one of these is not killed",
         SETS_TEXT(struct planted_options, baseline)},
	{"budget", 'b', "SECONDS", "start no plant after this time (status 4)",
         SETS_SECONDS(struct planted_options, budget)},
	{"claims", 0, "WHICH", "claimed (default) or accepted: which tests kill",
         SETS_BY(set_claims, struct planted_options, claims)},
	{"device", 'd', "NAME|INDEX", "as listed by oclmm devices; default: the first GPU",
         SETS_DEVICE(struct planted_options, device)},
	{"drawn", 0, "N", "N bugs that are drawn at random, with the seed: drawn-SEED-1 and so on",
         SETS_NUMBER(struct planted_options, drawn)},
	{"each", 0, NULL, "also plants in one function, order, width or space alone",
         SETS_FLAG(struct planted_options, each)},
	{"equivalents", 0, "FILE", "plants that cannot show (default: the suite's list)",
         SETS_TEXT(struct planted_options, equivalents)},
	{"instances", 'n', "N", "instances of each test, at least (default 1M)",
         SETS(set_instances)},
	{"json", 0, NULL, "JSON Lines on standard output", SETS_FLAG(struct planted_options, json)},
	{"list", 0, NULL, "list the plants, and run nothing",
         SETS_FLAG(struct planted_options, list)},
	{"machine", 0, "NAME",
         "with --able: x86-tso, ptx or h200, what litmus/planted/NAME.cat says that drawn bugs "
         "can show",
         SETS_TEXT(struct planted_options, machine)},
	{"output", 'o', "FILE", "also write JSON Lines there",
         SETS_BY(set_output, struct planted_options, output)},
	{"plant", 0, "NAME[:N][@WORDS]",
         "this one only; may be repeated. WORDS say in which calls: load,64,local; "
         "drawn-SEED-N is one that --drawn draws",
         SETS(set_plant)},
	{"profile", 'p', "NAME", "the tests of litmus/profiles/NAME (default: default)",
         SETS_TEXT(struct planted_options, profile)},
	{"render", 0, "FILE", "show what --output wrote, and run nothing",
         SETS_TEXT(struct planted_options, render)},
	{"resume", 'r', "FILE", "go on with a matrix that was cut short, and write there",
         SETS_TEXT(struct planted_options, resume)},
	{"seconds", 0, "SECONDS", "time for each plant, at most (default 64; with --drawn 10)",
         SETS_SECONDS(struct planted_options, seconds)},
	{"seed", 's', "N", "master seed (default 1)", SETS_NUMBER(struct planted_options, seed)},
	{"shard", 0, "K/N", "plants K, K+N, K+2N and so on of the list only",
         SETS_BY(shard_parse, struct planted_options, shard)},
	{"table", 0, NULL, "with --render: tables of a document",
         SETS_FLAG(struct planted_options, table)},
	{0},
};

/* A mistake in each function, by itself. */
static void add_functions(struct planted_options *options, enum plant_bug bug)
{
	const struct oclmm_function *function;
	struct plant plant;
	char message[PLANT_MESSAGE];

	plant_parse(plant_descriptions[bug].name, &plant, message);
	for (size_t i = 0; (function = oclmm_function_at(i)); i++) {
		char choice[PLANT_CHOICE];

		snprintf(choice, sizeof(choice), "%s:%s", plant_descriptions[bug].name,
		         function->name);
		if (oclmm_function_concerned(plant.mutation.what, function))
			add_plant(options, choice);
	}
}

/* In another degree, or in calls that the table has no row for: rarer still, narrower still, behind
 * the 32nd work-item. */
static const struct {
	enum plant_bug bug;
	const char *more;
} degrees[] = {
	{PLANT_RARE_RELAXED, ":1000000"},
	{PLANT_RARE_SPLIT, ":1000000"},
	{PLANT_SCOPE_NARROWED, ":sub_group"},
	{PLANT_FENCE_NARROWED, ":global"},
	{PLANT_GROUP_RELAXED, ":64"},
	{PLANT_GROUP_SPLIT, ":64"},
	{PLANT_LANE_RELAXED, ":33"},
	{PLANT_LANE_SPLIT, ":33"},
	{PLANT_NO_RETRY, ":2"},
	{PLANT_TORN, ":16"},
	{PLANT_TORN, ":8"},
	{PLANT_ALL_RELAXED, "@generic"},
	{PLANT_RMW_SPLIT, "@generic"},
};

static void add_bug(struct planted_options *options, enum plant_bug bug)
{
	char choice[PLANT_CHOICE];

	if (options->each && plant_is_mistake(bug)) {
		add_functions(options, bug);
		return;
	}
	add_plant(options, plant_descriptions[bug].name);
	for (size_t i = 0; i < OCLMM_COUNT(degrees); i++) {
		if (degrees[i].bug != bug)
			continue;
		snprintf(choice, sizeof(choice), "%s%s", plant_descriptions[bug].name,
		         degrees[i].more);
		add_plant(options, choice);
	}
}

/* Those of the table that are of a bug that was named, or all of them. */
struct crossing {
	struct planted_options *options;
	const struct planted_options *named;
};

static void add_crossed(void *data, const char *text)
{
	const struct crossing *crossing = data;
	char message[PLANT_MESSAGE];
	struct plant plant;
	bool wanted = crossing->named->choice_count == 0;

	if (!plant_parse(text, &plant, message))
		return;
	for (size_t i = 0; i < crossing->named->choice_count; i++)
		wanted |= is_part(&plant, &crossing->named->choices[i].plant);
	if (wanted)
		add_plant(crossing->options, text);
}

static void add_named(struct planted_options *options, const struct planted_choice *choice)
{
	if (plant_is_mistake(choice->plant.bug) && !plant_is_narrowed(&choice->plant))
		add_functions(options, choice->plant.bug);
	else
		add_plant(options, choice->text);
}

/* Neighbours in the list take about as long as each other and go to different shards. */
static void keep_shard(struct planted_options *options)
{
	const struct shard *shard = &options->shard;
	size_t kept = 0;

	for (size_t i = 0; shard->count > 0 && i < options->choice_count; i++) {
		if (i % shard->count == shard->index - 1)
			options->choices[kept++] = options->choices[i];
	}
	if (shard->count > 0)
		options->choice_count = kept;
}

static void add_all(struct planted_options *options)
{
	struct planted_options named = *options;
	struct crossing crossing = {options, &named};

	options->choices = NULL;
	options->choice_count = options->choice_capacity = 0;
	for (int i = PLANT_NONE + 1; i < PLANT_COUNT && named.choice_count == 0; i++)
		add_bug(options, (enum plant_bug)i);
	for (size_t i = 0; i < named.choice_count; i++)
		add_named(options, &named.choices[i]);
	if (options->each)
		plant_cross(false, add_crossed, &crossing);
	free(named.choices);
}

/* Every plant, where none was named; those of the shard. */
static void planted_options_complete(struct planted_options *options)
{
	if ((options->choice_count == 0 && options->drawn == 0) || options->each)
		add_all(options);
	for (uint64_t i = 1; i <= options->drawn; i++) {
		char choice[PLANT_CHOICE];

		snprintf(choice, sizeof(choice), "drawn-%" PRIu64 "-%" PRIu64, options->seed, i);
		add_plant(options, choice);
	}
	options->drawn_only = options->choice_count > 0;
	for (size_t i = 0; i < options->choice_count; i++)
		options->drawn_only &= options->choices[i].plant.drawn;
	keep_shard(options);
}

static void planted_options_finish(struct planted_options *options)
{
	free(options->choices);
	options->choices = NULL;
	options->choice_count = options->choice_capacity = 0;
}

/* ---- a run in a child process ---------------------------------------------- */

/*
 * `oclmm run` as a child process with the layer in place. Its JSON Lines come
 * through a pipe and are looked at while it runs, so that it can be stopped at
 * the first forbidden outcome.
 */
/* What one test came to, in all runs of a trial. */
struct tally {
	uint64_t instances, seen;
	bool skipped, broken;
};

struct child_request {
	const char *layer;            /* its path */
	const char *const *arguments; /* path of oclmm and what is behind it, NULL-terminated */
	const struct selection *selection; /* has its tests */
	bool stop_early;                   /* at the first forbidden outcome that gates */
	double *started;       /* clock at which a plant's first test was launched; 0: not yet */
	double seconds;        /* after that the child is stopped; 0: never */
	bool unhurried;        /* what it waits for its own first launch is not counted either */
	struct tally *tallies; /* by test of the selection, or NULL */
};

struct child_result {
	int status;    /* of the child, or negative: a signal or an errno value */
	bool stopped;  /* by us: at a kill, the deadline or an interruption */
	char *message; /* the last of what it said on standard error; malloc-ed or NULL */
};

/* A run that is asked to end does so after the launches of the test at hand. */
static const double LEAVE_SECONDS = 10;
static const double SLICE = 0.1;

struct child {
	const struct child_request *request;
	struct plant_outcome *outcome;
	struct matrix_device *device;
	struct process process;
	char log[PATH_MAX]; /* the layer's, a temporary file */
	double began;       /* clock */
	bool launched;      /* it has told of a test that ran */
	bool stopped;
	double asked; /* when it was asked to end */
};

static double elapsed(const struct child_request *request)
{
	return *request->started > 0 ? oclmm_clock() - *request->started : 0;
}

/* A layer of the user's own stays beneath ours: it is part of the driver under test. Ours changes
 * nothing without a plant, so that compiled programs may be cached then. */
static int start_with(const char *log, struct child *child)
{
	const struct child_request *request = child->request;
	struct oclmm_text layer = {0}, passing = {0}, plant = {0}, told = {0};
	int r;

	oclmm_text_printf(&layer, "OCLMM_LAYER=%s", request->layer);
	oclmm_text_add(&passing, "OCLMM_PASSING_LAYERS");
	if (child->outcome->plant.bug == PLANT_NONE)
		oclmm_text_printf(&passing, "=%s", request->layer);
	oclmm_text_printf(&plant, "OCLMM_PLANT=%s", child->outcome->choice);
	oclmm_text_printf(&told, "OCLMM_PLANT_LOG=%s", log);
	{
		const char *const variables[] = {
			oclmm_text_string(&layer), oclmm_text_string(&passing),
			oclmm_text_string(&plant), oclmm_text_string(&told),
			"OCLMM_PLANT_VERBOSE",     NULL};
		/* Ctrl-C reaches the command alone, which asks the child to end */
		const struct process_job job = {.arguments = request->arguments,
		                                .variables = variables,
		                                .speaks = true,
		                                .talks = true,
		                                .heard = true,
		                                .leads = true};

		r = process_start(&job, &child->process);
	}
	oclmm_text_finish(&layer);
	oclmm_text_finish(&passing);
	oclmm_text_finish(&plant);
	oclmm_text_finish(&told);
	return r;
}

static int start_child(struct child *child)
{
	char *path = tool_temporary("planted");
	int file;

	/* mkostemp() refuses what is cut off */
	snprintf(child->log, sizeof(child->log), "%s", path);
	free(path);
	file = mkostemp(child->log, O_CLOEXEC);
	if (file < 0) {
		child->log[0] = '\0';
		return -errno;
	}
	close(file);
	return start_with(child->log, child);
}

/* Once politely, so that it writes no half line and lets the device go; then by force. */
static void stop_child(struct child *child)
{
	if (!child->stopped) {
		child->stopped = true;
		child->asked = oclmm_clock();
		process_signal(&child->process, SIGTERM);
	} else if (oclmm_clock() - child->asked > LEAVE_SECONDS) {
		process_signal(&child->process, SIGKILL);
	}
}

static uint64_t number_of(json_t *object, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(object, key));

	return value > 0 ? (uint64_t)value : 0;
}

/* One line per event of the layer: PLANT EVENT PLACES. */
static void read_log(const struct child *child, struct plant_outcome *outcome)
{
	char *text, *save;
	size_t length;

	if (oclmm_read_file(child->log, &text, &length) < 0)
		return;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		unsigned long long places = 0;
		char event[32];

		if (sscanf(line, "%*s %31s %19llu", event, &places) != 2)
			continue;
		outcome->loaded |= strcmp(event, "loaded") == 0;
		outcome->programs += strcmp(event, "source") == 0;
		outcome->places += places;
		outcome->opaque += strcmp(event, "binary") == 0 || strcmp(event, "il") == 0;
		outcome->launches += strcmp(event, "launch") == 0;
		outcome->unbuilt += strcmp(event, "twin-failed") == 0;
	}
	free(text);
}

/* Whether the loader put the layer there: known before any test is built. */
static bool is_layer_there(const struct child *child)
{
	struct plant_outcome so_far = {0};

	read_log(child, &so_far);
	return so_far.loaded;
}

static void take_run(struct child *child, json_t *line)
{
	if (child->device)
		matrix_take_device(child->device, line);
	if (!is_layer_there(child))
		stop_child(child);
}

/* A test that the plant's bug leads into a crash or lost counts is noticed, though by no
 * verdict. */
static void take_broken(struct child *child, json_t *line, const char *verdict)
{
	struct plant_outcome *outcome = child->outcome;

	if (outcome->broken++ == 0)
		snprintf(outcome->broken_test, sizeof(outcome->broken_test), "%s: %s",
		         text_of(line, "test"), verdict);
	if (outcome->plant.bug == PLANT_NONE)
		plant_outcome_add_broken(outcome, text_of(line, "test"));
}

/* What it waited for the device and for the compiler until then is not the plant's time. */
static void note_launch(struct child *child, double when)
{
	double *started = child->request->started;

	if (*started <= 0)
		*started = when;
	else if (child->request->unhurried && !child->launched && when > child->began)
		*started += when - child->began;
	child->launched = true;
}

/* The test was refused for what it needs only under the plant. */
static bool is_beyond(const struct child *child, const char *name)
{
	const struct selection *selection = child->request->selection;
	const struct plant *plant = &child->outcome->plant;

	for (size_t i = 0; i < selection->count; i++) {
		const struct oclmm_variant *variant = selection->chosen[i].variant;

		if (strcmp(variant->name, name) == 0)
			return needs_more(plant, variant->program);
	}
	return false;
}

static void add_tally(const struct child *child, json_t *line, enum oclmm_verdict verdict)
{
	const struct selection *selection = child->request->selection;
	struct tally *tally = child->request->tallies;

	for (size_t i = 0; tally && i < selection->count; i++, tally++) {
		if (strcmp(selection->chosen[i].variant->name, text_of(line, "test")) != 0)
			continue;
		tally->instances += number_of(line, "instances");
		tally->seen += number_of(line, "forbidden");
		tally->skipped |= verdict == OCLMM_VERDICT_SKIP;
		tally->broken |= oclmm_verdict_is_infrastructure(verdict);
		return;
	}
}

static void take_test(struct child *child, json_t *line)
{
	struct plant_outcome *outcome = child->outcome;
	const char *word = text_of(line, "verdict");
	enum oclmm_verdict verdict = OCLMM_VERDICT_COUNT;

	oclmm_verdict_find(word, strlen(word), &verdict);
	add_tally(child, line, verdict);
	if (verdict == OCLMM_VERDICT_SKIP ||
	    (verdict == OCLMM_VERDICT_BUILD_FAILED && is_beyond(child, text_of(line, "test")))) {
		outcome->skipped++;
		return;
	}
	note_launch(child, oclmm_clock() - seconds_of(line));
	outcome->tests++;
	outcome->refused += verdict == OCLMM_VERDICT_BUILD_FAILED;
	outcome->instances += number_of(line, "instances");
	outcome->seconds = elapsed(child->request);
	if (oclmm_verdict_is_infrastructure(verdict))
		take_broken(child, line, word);
	if (verdict != OCLMM_VERDICT_FORBIDDEN)
		return;
	if (!json_is_true(json_object_get(line, "gates"))) {
		outcome->ungated++;
		return;
	}
	plant_outcome_add_kill(outcome, text_of(line, "test"), number_of(line, "forbidden"),
	                       number_of(line, "instances"));
	if (child->request->stop_early)
		stop_child(child);
}

static void take_child_line(struct child *child, const char *bytes, size_t length)
{
	json_t *line = json_loadb(bytes, length, 0, NULL);

	if (strcmp(text_of(line, "type"), "run") == 0)
		take_run(child, line);
	else if (strcmp(text_of(line, "type"), "test") == 0)
		take_test(child, line);
	else if (strcmp(text_of(line, "confidence"), "stuck") == 0)
		take_broken(child, line, "stuck");
	json_decref(line);
}

/* Whole lines of what has come so far. */
static void take_lines(struct child *child)
{
	struct oclmm_text *text = &child->process.input.text;
	size_t begin = 0;

	for (size_t i = 0; i < text->length; i++) {
		if (text->data[i] != '\n')
			continue;
		/* what comes after that belongs to no plant's time */
		if (!child->stopped)
			take_child_line(child, text->data + begin, i - begin);
		begin = i + 1;
	}
	oclmm_text_drop(text, begin);
}

/* A plant gets one test at least, however slow the machine: without any it was not tried. */
static bool is_child_over(const struct child *child)
{
	const struct child_request *request = child->request;

	return process_interrupted ||
	       (request->seconds > 0 && elapsed(request) > request->seconds &&
	        (request->unhurried ? child->launched : child->outcome->tests > 0));
}

static void follow_child(struct child *child)
{
	int r = 0;

	while (r == 0) {
		if (child->stopped || is_child_over(child))
			stop_child(child);
		r = process_hear(&child->process, SLICE);
		take_lines(child);
	}
}

static void end_child(struct child *child, struct child_result *result)
{
	int status;

	/* what is not heard of any more is ended by now, or about to */
	process_stop(&child->process, LEAVE_SECONDS);
	status = child->process.status;
	result->status = status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	result->stopped = child->stopped;
	result->message = process_said(&child->process);
	read_log(child, child->outcome);
	child->outcome->seconds = elapsed(child->request);
}

/*
 * Runs one child and adds what it reports to the outcome; device, where not
 * NULL, is filled from its first line. Returns 0 or a negative errno value.
 */
static int child_run(const struct child_request *request, struct plant_outcome *outcome,
                     struct matrix_device *device, struct child_result *ret_result)
{
	struct child child = {.request = request,
	                      .outcome = outcome,
	                      .device = device,
	                      .began = oclmm_clock(),
	                      .process = {.socket = -1, .output = -1}};
	struct child_result result = {0};
	int r = start_child(&child);

	if (r == 0) {
		follow_child(&child);
		end_child(&child, &result);
		*ret_result = result;
	}
	process_finish(&child.process);
	if (child.log[0])
		unlink(child.log);
	return r;
}

/* A test that found a bug, whatever its words were. */
struct finding {
	enum plant_bug bug;
	size_t test;
};

struct planted {
	const struct command *command;
	struct planted_options options;
	struct selection selection;
	struct concerned *tests; /* those of the selection */
	char **names;            /* as given on the line, or none */
	int name_count;
	bool as_named; /* a file is among them: only its path says which tests are meant */
	struct equivalents equivalents;
	bool in_baseline[PLANT_COUNT];
	struct matrix_saved saved; /* what was there when a matrix is gone on with */
	double started;            /* clock */
	char program[PATH_MAX], layer[PATH_MAX];
	struct utsname machine;
	struct machine machine_known; /* what the device's code is known to be like */
	bool machine_asked;
	struct finding *findings;
	size_t finding_count, finding_capacity;
	struct matrix_header header;
	struct plant_score score;
	FILE *output;
	uint64_t loosened_lines; /* that were written or read */
	int failed;              /* the errno value with which it took no more, or 0 */
	bool unclean; /* tests of the run without a plant could not be run, nor left out */
	size_t left;  /* plants that the budget did not suffice for */
	bool missed;  /* a plant that had to be killed was not */
};

/* ---- the runs of one plant ------------------------------------------------- */

/* A stage that could not even open the device is not begun. */
static const double LEAST_SECONDS = 0.5;

/* The first of the rounds that a plant gets which was not killed at once. */
static const double AGAIN_SECONDS = 2;

enum { SIZES_SIZE = 32 };

/* A command line of `oclmm run`; words are borrowed but for these three. */
struct line {
	char **words;
	size_t count, capacity;
	char seed[24], budget[32], sizes[SIZES_SIZE];
};

/* A plant and where it stands. */
struct trial {
	struct planted *planted;
	struct plant_outcome *outcome;
	enum concern *concerns; /* by test */
	double *shares;         /* of a drawn one, by test: struct concerned.share */
	size_t counts[CONCERN_COUNT];
	double started; /* as child_request has it */
	bool unhurried; /* likewise */
	double seconds; /* it has this time */
	bool goes_on;   /* what it shows ends no run */
	uint64_t again; /* how often tests were run again, for other random choices */
	struct tally *tallies;
};

static void trial_finish(struct trial *trial)
{
	free(trial->concerns);
	free(trial->shares);
	free(trial->tallies);
}

static void add_word(struct line *line, const char *word)
{
	oclmm_grow(&line->words, &line->capacity, line->count, sizeof(*line->words));
	line->words[line->count++] = (char *)(uintptr_t)word;
}

static void add_option(struct line *line, const char *name, const char *value)
{
	if (!value)
		return;
	add_word(line, name);
	add_word(line, value);
}

static void begin_line(struct line *line, const struct planted *planted, uint64_t seed,
                       double budget)
{
	*line = (struct line){0};
	snprintf(line->seed, sizeof(line->seed), "%" PRIu64, seed);
	snprintf(line->budget, sizeof(line->budget), "%.1f", budget);
	add_word(line, planted->program);
	add_word(line, "run");
	add_option(line, "--format", "json");
	/* the tests are chosen here, whatever variables say */
	add_option(line, "--shard", "1/1");
	add_option(line, "--seed", line->seed);
	add_option(line, "--device", planted->options.device);
	add_option(line, "--claims", planted->options.claims);
	/* controls would only say what silence is worth */
	add_word(line, "--no-controls");
	add_option(line, "--instances", planted->options.instances);
	add_option(line, "--budget", budget > 0 ? line->budget : NULL);
}

/* Returns 0, or the status to leave with when no run of any plant will do better. */
static int judge_run(const struct trial *trial, const struct child_result *result)
{
	bool unplanted = trial->outcome->plant.bug == PLANT_NONE;

	/* others may run where these tests were all left out */
	if (result->stopped || trial->outcome->tests > 0 ||
	    ((result->status == OCLMM_EXIT_NOTHING || trial->outcome->skipped > 0) && !unplanted))
		return 0;
	fputs(result->message ? result->message : "", stderr);
	return result->status > 0 ? result->status : OCLMM_EXIT_INFRASTRUCTURE;
}

/* A matrix is of one device, also when it is resumed. */
static int take_device(struct planted *planted, const struct matrix_device *device)
{
	struct matrix_device *known = &planted->header.device;

	if (!device->device[0])
		return 0;
	if (!known->device[0])
		*known = *device;
	if (strcmp(known->platform, device->platform) == 0 &&
	    strcmp(known->device, device->device) == 0 &&
	    strcmp(known->driver, device->driver) == 0)
		return 0;
	options_error(planted->command, "began on \"%s\" with driver %s, and is on \"%s\" with %s",
	              known->device, known->driver, device->device, device->driver);
	return OCLMM_EXIT_USAGE;
}

/* Returns as judge_run(). */
static int run_line(struct trial *trial, struct line *line)
{
	const struct planted *planted = trial->planted;
	bool unplanted = trial->outcome->plant.bug == PLANT_NONE;
	struct child_request request = {
		.layer = planted->layer,
		.selection = &planted->selection,
		.stop_early = !planted->options.all && !unplanted && !trial->goes_on,
		.started = &trial->started,
		.seconds = unplanted ? 0 : trial->seconds,
		.unhurried = trial->unhurried,
		.tallies = trial->tallies,
	};
	struct matrix_device device = {0};
	struct child_result result = {0};
	int r;

	add_word(line, NULL);
	request.arguments = (const char *const *)line->words;
	r = child_run(&request, trial->outcome, &device, &result);
	/* where no test ran there is an end, too */
	if (trial->started <= 0)
		trial->started = oclmm_clock();
	free(line->words);
	if (r < 0) {
		options_error(planted->command, "cannot start a process: %s", strerror(-r));
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	r = judge_run(trial, &result);
	if (r == 0)
		r = take_device(trial->planted, &device);
	free(result.message);
	return r;
}

static void add_names(struct line *line, const struct planted *planted)
{
	if (planted->name_count == 0)
		add_option(line, "--profile", planted->options.profile);
	for (int i = 0; i < planted->name_count; i++)
		add_word(line, planted->names[i]);
}

static int run_named(struct trial *trial, uint64_t seed, double budget)
{
	struct line line;

	begin_line(&line, trial->planted, seed, budget);
	add_names(&line, trial->planted);
	return run_line(trial, &line);
}

/* Where all is drawn, the tests that kill are the few that have to be clean without a plant: each
 * is run by itself when it kills. */
static bool is_one_by_one(const struct planted *planted)
{
	return planted->options.drawn_only && !planted->as_named && planted->selection.count > 0;
}

/*
 * Launches in which a rule acts that is of some sizes of them: other launches would take its time,
 * and few tests have an environment of each size on a CPU, whose compiler has to know. Empty: any.
 */
static const char *sizes_of(const struct plant *plant, char ret_sizes[SIZES_SIZE])
{
	enum oclmm_where where = plant->launches ? plant->launches : plant->mutation.where;
	unsigned long long n = plant->launches ? plant->launch_number : plant->mutation.number;

	*ret_sizes = '\0';
	/* those of the list show in the environments of any run */
	if (!plant->drawn)
		return ret_sizes;
	switch (where) {
	case OCLMM_WHERE_BIG_GROUP:
	case OCLMM_WHERE_LANE: snprintf(ret_sizes, SIZES_SIZE, "lanes=%llu-", n); break;
	case OCLMM_WHERE_SMALL_GROUP: snprintf(ret_sizes, SIZES_SIZE, "lanes=-%llu", n); break;
	case OCLMM_WHERE_EXACT_GROUP: snprintf(ret_sizes, SIZES_SIZE, "lanes=%llu", n); break;
	case OCLMM_WHERE_UNEVEN_GROUP: snprintf(ret_sizes, SIZES_SIZE, "lanes=!%llu", n); break;
	case OCLMM_WHERE_MANY_GROUPS: snprintf(ret_sizes, SIZES_SIZE, "groups=%llu-", n); break;
	case OCLMM_WHERE_LONE_GROUP: snprintf(ret_sizes, SIZES_SIZE, "groups=%llu", n); break;
	case OCLMM_WHERE_ODD_GROUP: snprintf(ret_sizes, SIZES_SIZE, "groups=2-"); break;
	/* as many behind it as before it */
	case OCLMM_WHERE_FROM_GROUP: snprintf(ret_sizes, SIZES_SIZE, "groups=%llu-", 2 * n); break;
	default: break;
	}
	return ret_sizes;
}

static void add_sizes(struct line *line, const struct plant *plant)
{
	if (*sizes_of(plant, line->sizes))
		add_option(line, "--sizes", line->sizes);
}

/* `plant`: in the launches in which it acts. */
static int run_alone(struct trial *trial, size_t test, const struct plant *plant)
{
	struct line line;

	begin_line(&line, trial->planted, trial->planted->options.seed, 0);
	add_sizes(&line, plant);
	add_word(&line, trial->planted->tests[test].pattern);
	return run_line(trial, &line);
}

/*
 * The driver as it is, in one run of all tests; fills the header's device.
 * Returns 0, or the status to leave with: nothing could be run at all.
 */
static int planted_run_none(struct planted *planted, struct plant_outcome *outcome)
{
	struct trial trial = {.planted = planted, .outcome = outcome};
	int status = is_one_by_one(planted) ? run_alone(&trial, 0, &outcome->plant)
	                                    : run_named(&trial, planted->options.seed, 0);

	if (status == 0 && !outcome->loaded) {
		options_error(planted->command,
		              "nothing passed through %s: it is not the layer that plants bugs",
		              planted->layer);
		status = OCLMM_EXIT_INFRASTRUCTURE;
	}
	plant_outcome_judge(outcome);
	return status;
}

static double time_left(const struct trial *trial)
{
	double gone = trial->started > 0 ? oclmm_clock() - trial->started : 0;

	return trial->seconds - gone;
}

static bool is_trial_over(const struct trial *trial)
{
	return process_interrupted || time_left(trial) < LEAST_SECONDS ||
	       (trial->outcome->kill_count > 0 && !trial->planted->options.all);
}

/* Every so many of the tests of some concerns, but for those that are taken; NULL: none is. */
static size_t add_tests(struct line *line, const struct trial *trial, enum concern from,
                        enum concern to, size_t stride, bool *taken)
{
	const struct selection *selection = &trial->planted->selection;
	size_t added = 0, met = 0;

	for (size_t i = 0; i < selection->count; i++) {
		if (trial->planted->tests[i].left_out || trial->concerns[i] < from ||
		    trial->concerns[i] > to || met++ % stride != 0 || (taken && taken[i]))
			continue;
		add_word(line, trial->planted->tests[i].pattern);
		if (taken)
			taken[i] = true;
		added++;
	}
	return added;
}

static int run_some(struct trial *trial, enum concern from, enum concern to, uint64_t seed,
                    double budget, size_t stride, bool *taken)
{
	struct line line;

	begin_line(&line, trial->planted, seed, budget);
	add_sizes(&line, &trial->outcome->plant);
	if (add_tests(&line, trial, from, to, stride, taken) > 0)
		return run_line(trial, &line);
	free(line.words);
	return 0;
}

/* Neighbours are of one family and see much the same, or lose their counts alike. So where there
 * are many, a few from everywhere come first, then some more of them, then the rest. */
static int run_spread(struct trial *trial, enum concern concern)
{
	enum { FEW = 24, TIMES = 4 };
	size_t stride = trial->counts[concern] / FEW;
	bool *taken = oclmm_calloc(trial->planted->selection.count + 1, sizeof(*taken));
	int status = 0;

	for (bool all = false; status == 0 && !all && !is_trial_over(trial); stride /= TIMES) {
		all = stride < TIMES;
		status = run_some(trial, concern, concern, trial->planted->options.seed, 0,
		                  all ? 1 : stride, taken);
	}
	free(taken);
	return status;
}

/* Once more, with other random choices; all of them where a file was named. */
static int run_again(struct trial *trial, enum concern last, uint64_t seed, double budget)
{
	if (trial->planted->as_named)
		return run_named(trial, seed, budget);
	return run_some(trial, CONCERN_ABLE_SC, last, seed, budget, 1, NULL);
}

/* The able test that is shortest behind those that are taken; one with seq_cst operations, where
 * there are any. */
static size_t next_shortest(const struct trial *trial, const bool *taken)
{
	const struct planted *planted = trial->planted;
	enum concern wanted = trial->counts[CONCERN_ABLE_SC] ? CONCERN_ABLE_SC : CONCERN_ABLE;
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < planted->selection.count; i++) {
		if (taken[i] || trial->concerns[i] != wanted)
			continue;
		if (found == SIZE_MAX ||
		    strlen(planted->tests[i].text) < strlen(planted->tests[found].text))
			found = i;
	}
	return found;
}

/* On CPUs one test in four has an environment with wide groups: of eight tests hardly none has. */
static size_t enough_tests(enum plant_bug bug)
{
	enum { FEW = 3, SOME_WIDE = 8 };
	bool wide = bug == PLANT_GROUP_RELAXED || bug == PLANT_GROUP_SPLIT ||
	            bug == PLANT_LANE_RELAXED || bug == PLANT_LANE_SPLIT;

	return wide ? SOME_WIDE : FEW;
}

/*
 * A bug in few launches, groups, work-items or calls needs many instances of a
 * test rather than many tests: half of the time belongs to the shortest ones.
 */
static int run_shortest(struct trial *trial)
{
	const struct planted *planted = trial->planted;
	size_t enough = enough_tests(trial->outcome->plant.bug);
	bool *taken = oclmm_calloc(planted->selection.count + 1, sizeof(*taken));
	struct line line;
	size_t i, added = 0;

	begin_line(&line, planted, planted->options.seed, time_left(trial) / 2);
	while (added < enough && (i = next_shortest(trial, taken)) != SIZE_MAX) {
		taken[i] = true;
		add_word(&line, planted->tests[i].pattern);
		added++;
	}
	free(taken);
	if (added > 0)
		return run_line(trial, &line);
	free(line.words);
	return 0;
}

/*
 * The tests of which the model says that they can show the plant, and only
 * those where there are any. A plant that makes what the model cannot read has
 * the tests that it changes, the most telling ones first; one that changes none
 * may be in the harness, and has all. What is left of the time belongs to the
 * same tests again. A plant that is listed as equivalent gets the first part
 * only. Files that were named run as a whole.
 */
static enum concern last_stage(const struct trial *trial)
{
	if (trial->outcome->able > 0)
		return CONCERN_ABLE;
	return trial->outcome->concerned > 0 ? CONCERN_CHANGED : CONCERN_NONE;
}

/* The bug acts in some groups, work-items or launches only, or by chance. */
static bool is_scattered(enum plant_bug bug)
{
	return bug >= PLANT_GROUP_RELAXED && bug <= PLANT_RARE_SPLIT;
}

static int run_first(struct trial *trial, enum concern last)
{
	int status = 0;

	if (trial->planted->as_named)
		return run_named(trial, trial->planted->options.seed, 0);
	if (is_scattered(trial->outcome->plant.bug))
		status = run_shortest(trial);
	for (int stage = 0; stage <= (int)last && status == 0 && !is_trial_over(trial); stage++)
		status = run_spread(trial, (enum concern)stage);
	return status;
}

static void run_stages(struct trial *trial)
{
	const struct planted *planted = trial->planted;
	const struct plant_outcome *outcome = trial->outcome;
	enum concern last = last_stage(trial);
	int status = run_first(trial, last);

	if (outcome->kill_count > 0 || outcome->equivalent || !plant_outcome_touched(outcome) ||
	    (outcome->concerned == 0 && !planted->as_named))
		return;
	/* rounds that grow: what a busy machine hid in a short run shows soon */
	for (double budget = AGAIN_SECONDS; status == 0 && !is_trial_over(trial); budget *= 2)
		status = run_again(trial, last, planted->options.seed + ++trial->again,
		                   budget < time_left(trial) ? budget : time_left(trial));
}

/* Where no device was asked, that of most devices. */
static enum oclmm_model model_of(const struct planted *planted)
{
	const char *version = planted->header.device.version;

	return version[0] ? oclmm_model_of_device(version) : OCLMM_MODEL_OPENCL_2_1;
}

/* Asks which tests the plant concerns. */
static void find_concerns(struct trial *trial)
{
	struct planted *planted = trial->planted;

	for (size_t i = 0; i < planted->selection.count && !process_interrupted; i++) {
		trial->concerns[i] = planted->tests[i].left_out
		                             ? CONCERN_NONE
		                             : concern_of(&trial->outcome->plant,
		                                          &planted->tests[i], model_of(planted));
		trial->counts[trial->concerns[i]]++;
	}
	trial->outcome->able = trial->counts[CONCERN_ABLE_SC] + trial->counts[CONCERN_ABLE];
	trial->outcome->concerned = planted->selection.count - trial->counts[CONCERN_NONE];
}

/* No chosen test can show it, and none has to be run to know it. */
static bool is_hopeless(const struct trial *trial)
{
	const struct plant_outcome *outcome = trial->outcome;

	if (outcome->able > 0 || trial->planted->as_named)
		return false;
	if (outcome->concerned > 0)
		return trial->counts[CONCERN_UNABLE] == outcome->concerned;
	/* one that changes no test may be in what all tests have in common */
	return plant_is_narrowed(&outcome->plant);
}

/* ---- one that was drawn ------------------------------------------------------ */

/* A test in which a rule has a place. */
struct place {
	size_t test, length;
	size_t calls; /* that the rule changes */
};

/* Which is shorter. */
static int compare_places(const void *a, const void *b)
{
	const struct place *first = a, *second = b;

	if (first->length != second->length)
		return first->length < second->length ? -1 : 1;
	return first->test < second->test ? -1 : 1;
}

static size_t count_calls(const struct plant *plant, struct concerned *test)
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

/* ---- what found such a bug before -------------------------------------------- */

static void add_finding(struct planted *planted, enum plant_bug bug, const char *name)
{
	size_t test = 0;

	while (test < planted->selection.count &&
	       strcmp(planted->selection.chosen[test].variant->name, name) != 0)
		test++;
	if (test == planted->selection.count)
		return;
	oclmm_grow(&planted->findings, &planted->finding_capacity, planted->finding_count,
	           sizeof(*planted->findings));
	planted->findings[planted->finding_count++] = (struct finding){bug, test};
}

static bool has_found(const struct planted *planted, enum plant_bug bug, size_t test)
{
	for (size_t i = 0; i < planted->finding_count; i++)
		if (planted->findings[i].bug == bug && planted->findings[i].test == test)
			return true;
	return false;
}

/* A line of litmus/planted/found, or of litmus/planted/first, which runs read, too
 * (run/schedule.c): TEST PLANT... */
static void take_findings(struct planted *planted, char *line)
{
	char *save, *test, *word;

	line[strcspn(line, "#")] = '\0';
	test = strtok_r(line, " \t\r", &save);
	while (test && (word = strtok_r(NULL, " \t\r", &save)))
		for (int bug = 0; bug < PLANT_COUNT; bug++)
			if (strcmp(plant_descriptions[bug].name, word) == 0)
				add_finding(planted, (enum plant_bug)bug, test);
}

/* A list of the suite, which it may lack. */
static void read_findings(struct planted *planted, const char *folder, const char *name)
{
	struct oclmm_error error = {0};
	struct oclmm_text path = {0};
	struct oclmm_lines lines;
	char *text = NULL;
	size_t length;

	oclmm_text_printf(&path, "%s/planted/%s", folder, name);
	if (access(oclmm_text_string(&path), F_OK) == 0 &&
	    oclmm_read_text(oclmm_text_string(&path), &error, &text, &length) == 0) {
		oclmm_lines_begin(&lines, oclmm_text_string(&path), text, length);
		while (oclmm_lines_next(&lines))
			take_findings(planted, oclmm_lines_cut(&lines, text));
	}
	free(text);
	oclmm_text_finish(&path);
}

/* What is in these lists, and in the matrix that is gone on with. */
static void find_findings(struct planted *planted)
{
	struct oclmm_error error = {0};
	char *folder = suite_folder(&error);

	if (folder) {
		read_findings(planted, folder, "first");
		read_findings(planted, folder, "found");
	}
	for (size_t i = 0; i < planted->saved.count; i++) {
		const struct plant_outcome *outcome = &planted->saved.outcomes[i];

		for (size_t k = 0; k < outcome->kill_count; k++)
			add_finding(planted, outcome->plant.bug, outcome->kills[k].test);
	}
	free(folder);
}

/* Of two the first is the shortest that is left, the second from anywhere: neighbours in length are
 * of one family and see much the same. */
static void spread(struct place *places, size_t count)
{
	struct place *ordered = oclmm_calloc(count + 1, sizeof(*ordered));
	bool *taken = oclmm_calloc(count + 1, sizeof(*taken));
	size_t shortest = 0, anywhere = 0;

	for (size_t i = 0; i < count; i++) {
		/* steps of the golden section come to every part soon */
		size_t at = i % 2 ? anywhere = (anywhere + count * 618 / 1000 + 1) % count
		                  : shortest;

		while (taken[at])
			at = (at + 1) % count;
		taken[at] = true;
		ordered[i] = places[at];
		while (shortest < count && taken[shortest])
			shortest++;
	}
	memcpy(places, ordered, count * sizeof(*places));
	free(taken);
	free(ordered);
}

/* Those that found such a bug come before all others, which keep their order. */
static void bring_findings(const struct trial *trial, struct place *places, size_t count)
{
	struct place *ordered = oclmm_calloc(count + 1, sizeof(*ordered));
	size_t next = 0;

	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < count; i++)
			if (has_found(trial->planted, trial->outcome->plant.bug, places[i].test) ==
			    (round == 0))
				ordered[next++] = places[i];
	memcpy(places, ordered, count * sizeof(*places));
	free(ordered);
}

/*
 * Whether a launch may have groups of the sizes of a rule. Roles of one group are work-items of it,
 * and those of several groups need as many of these.
 */
static bool fits_roles(enum oclmm_where where, uint64_t n, const struct oclmm_kernel_plan *plan)
{
	switch (where) {
	case OCLMM_WHERE_EXACT_GROUP:
	case OCLMM_WHERE_SMALL_GROUP: return n >= plan->crowd;
	case OCLMM_WHERE_LONE_GROUP: return n >= plan->work_groups;
	default: return true;
	}
}

/* Texts that work-items share say how many these are, and any number of groups plays them. */
static bool fits_shared(enum oclmm_where where, uint64_t n, uint64_t size)
{
	switch (where) {
	case OCLMM_WHERE_BIG_GROUP:
	case OCLMM_WHERE_LANE: return size >= n;
	case OCLMM_WHERE_SMALL_GROUP: return size <= n;
	case OCLMM_WHERE_EXACT_GROUP: return size == n;
	case OCLMM_WHERE_UNEVEN_GROUP: return size % n != 0;
	default: return true;
	}
}

static bool may_meet(const struct plant *plant, const struct oclmm_program *program)
{
	const struct oclmm_outcome_space space = {.observable_count = program->observable_count,
	                                          .size = 1};
	enum oclmm_where where = plant->launches ? plant->launches : plant->mutation.where;
	uint64_t n = plant->launches ? plant->launch_number : plant->mutation.number;
	const struct oclmm_shared_text *shared = program->shared;
	struct oclmm_kernel_plan plan;
	struct oclmm_error ignored;

	if (shared)
		return fits_shared(
			where, n, (uint64_t)shared->items[0] * shared->items[1] * shared->items[2]);
	/* what has a barrier inside becomes such a text */
	return oclmm_program_has_commands(program) || oclmm_has_inner_barrier(program) ||
	       oclmm_kernel_plan(program, &space, &ignored, &plan) < 0 ||
	       fits_roles(where, n, &plan);
}

/* Short ones first: they are built and run soonest. */
static size_t find_places(struct trial *trial, struct place *places)
{
	const struct planted *planted = trial->planted;
	size_t count = 0;

	for (size_t i = 0; i < planted->selection.count; i++) {
		size_t calls = count_calls(&trial->outcome->plant, &planted->tests[i]);

		trial->concerns[i] = CONCERN_NONE;
		if (calls > 0 && may_meet(&trial->outcome->plant, planted->tests[i].program))
			places[count++] = (struct place){i, strlen(planted->tests[i].text), calls};
	}
	qsort(places, count, sizeof(*places), compare_places);
	spread(places, count);
	bring_findings(trial, places, count);
	return count;
}

/* The machine that the device's code is known to be like, or none. */
static const struct machine *machine_of(struct planted *planted)
{
	const struct matrix_device *device = &planted->header.device;
	struct oclmm_error error = {0};
	char *folder;

	if (planted->machine_asked)
		return &planted->machine_known;
	planted->machine_asked = true;
	folder = suite_folder(&error);
	if (folder) {
		struct oclmm_text path = {0};

		oclmm_text_printf(&path, "%s/planted", folder);
		if (machine_read(oclmm_text_string(&path), planted->options.machine,
		                 device->platform, planted->machine.machine, &error,
		                 &planted->machine_known) < 0)
			report_error(&error);
		oclmm_text_finish(&path);
	}
	free(folder);
	return &planted->machine_known;
}

/* Whether a changed program may show something on a machine that the test forbids. */
static bool shows_on(const struct machine *machine, struct concerned *test,
                     const struct oclmm_text *text, enum oclmm_model model)
{
	const struct oclmm_check_options options = {.time_limit = ANSWER_SECONDS,
	                                            .ended = process_ended,
	                                            .cat = machine->model};
	struct oclmm_error error = {0};
	struct oclmm_litmus *litmus;
	struct oclmm_answer *changed;
	bool shows = true;

	if (oclmm_litmus_parse("changed", text->data, text->length, NULL, &error, &litmus) < 0)
		return true;
	if (oclmm_check(litmus->variants[0].program, &options, &error, &changed) == 0) {
		test->share = share_of_new(test->answer, changed, model);
		shows = test->share > 0;
		oclmm_answer_destroy(changed);
	}
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

/* ABLE, UNABLE by the model, or NONE: able by the model, and not on the machine. */
static enum concern concern_of_drawn(struct planted *planted, const struct plant *plant,
                                     struct concerned *test)
{
	const struct machine *machine = machine_of(planted);
	const struct oclmm_mutation mutation = everywhere(plant);
	enum oclmm_model model = model_of(planted);
	enum concern concern = concern_of(plant, test, model);
	struct oclmm_text text = {0};
	struct oclmm_changed changed;
	struct oclmm_arena *arena;
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
	hidden = machine_hides(machine, &changed, plant) ||
	         (!changed.marked && machine_is_same(machine, test->program, changed.program));
	oclmm_arena_destroy(arena);
	if (hidden)
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

/* How sure a test is of which no model says what it may show: those that tell more come first, and
 * of these the ones with most calls that are wrong. */
static double guessed_share(enum concern level, size_t calls)
{
	static const double telling = 1e-3, naming_a_control = 1e-4, any = 0;

	return (1 + 0.1 * (double)calls) * (level == CONCERN_STRONG    ? telling
	                                    : level == CONCERN_CONTROL ? naming_a_control
	                                                               : any);
}

/* Makes able what nothing was found to be better than. */
static size_t promote(struct trial *trial, const struct place *places, enum concern level,
                      size_t wanted)
{
	size_t found = 0;

	for (size_t i = 0; i < trial->outcome->asked && found < wanted; i++) {
		if (trial->concerns[places[i].test] != level)
			continue;
		trial->concerns[places[i].test] = CONCERN_ABLE;
		trial->shares[places[i].test] = guessed_share(level, places[i].calls);
		trial->counts[level]--;
		trial->counts[CONCERN_ABLE]++;
		found++;
	}
	return found;
}

/* Asks until so many more tests are found that can show it. Returns how many were found. */
static size_t find_able(struct trial *trial, const struct place *places, size_t count,
                        size_t wanted)
{
	struct plant_outcome *outcome = trial->outcome;
	size_t found = 0;

	for (; outcome->asked < count && found < wanted && !process_interrupted; outcome->asked++) {
		size_t test = places[outcome->asked].test;

		trial->planted->tests[test].share = 0;
		trial->concerns[test] = concern_of_drawn(trial->planted, &outcome->plant,
		                                         &trial->planted->tests[test]);
		if (trial->concerns[test] > CONCERN_ABLE &&
		    trial->concerns[test] <= CONCERN_CHANGED &&
		    has_found(trial->planted, outcome->plant.bug, test))
			trial->concerns[test] = CONCERN_ABLE;
		trial->shares[test] = trial->planted->tests[test].share;
		found += trial->concerns[test] == CONCERN_ABLE;
		trial->counts[trial->concerns[test]]++;
	}
	for (enum concern level = CONCERN_STRONG; level <= CONCERN_CONTROL && found < wanted;
	     level++)
		found += promote(trial, places, level, wanted - found);
	outcome->able = trial->counts[CONCERN_ABLE];
	return found;
}

/* The tests that name no control, where no other test can show it. */
static bool take_others(struct trial *trial, const struct place *places)
{
	size_t found = 0;

	if (trial->outcome->able == 0)
		found = promote(trial, places, CONCERN_CHANGED, SIZE_MAX);
	trial->outcome->able += found;
	return found > 0;
}

static const struct equivalent by_values = {
	.argument = "the values of no test are large enough",
	.seen = "by their constants",
};

/* A test that kills has to show nothing forbidden without a plant, in launches of the same sizes;
 * else the kill is none. */
static bool is_sound(struct planted *planted, const struct plant *plant, const char *name)
{
	char sizes[SIZES_SIZE];
	struct plant_outcome unplanted = {.choice = "none"};
	struct trial alone = {.planted = planted, .outcome = &unplanted};
	size_t i = 0;

	while (i < planted->selection.count &&
	       strcmp(planted->selection.chosen[i].variant->name, name) != 0)
		i++;
	if (i == planted->selection.count || (planted->tests[i].clean && !*sizes_of(plant, sizes)))
		return true;
	run_alone(&alone, i, plant);
	planted->tests[i].clean = unplanted.kill_count == 0;
	planted->tests[i].left_out = unplanted.kill_count > 0;
	plant_outcome_finish(&unplanted);
	return planted->tests[i].clean;
}

/* Those from the n-th on; what it takes is not the plant's time. */
static void check_kills(struct trial *trial, size_t from)
{
	struct plant_outcome *outcome = trial->outcome;
	double began = oclmm_clock();
	size_t kept = from;

	if (!is_one_by_one(trial->planted))
		return;
	for (size_t i = from; i < outcome->kill_count; i++) {
		struct kill kill = outcome->kills[i];

		if (is_sound(trial->planted, &outcome->plant, kill.test)) {
			add_finding(trial->planted, outcome->plant.bug, kill.test);
			outcome->kills[kept++] = kill;
			continue;
		}
		fprintf(stderr, "oclmm: %s showed something forbidden without a plant: left out\n",
		        kill.test);
		free(kill.test);
	}
	outcome->kill_count = kept;
	trial->started += oclmm_clock() - began;
}

/* A test that found such a bug is surer than any that only may. */
static double sureness(const struct trial *trial, size_t test)
{
	return trial->shares[test] +
	       (has_found(trial->planted, trial->outcome->plant.bug, test) ? 1 : 0);
}

/* Adds the surest of the tests that can show it; of two that are alike, the one whose place comes
 * first. */
static size_t add_surest(struct line *line, const struct trial *trial, const struct place *places,
                         size_t most, bool *taken)
{
	size_t added = 0;

	for (; added < most; added++) {
		size_t best = SIZE_MAX;

		for (size_t i = 0; i < trial->outcome->asked; i++) {
			size_t test = places[i].test;

			if (taken[test] || trial->planted->tests[test].left_out ||
			    trial->concerns[test] != CONCERN_ABLE)
				continue;
			if (best == SIZE_MAX || sureness(trial, test) > sureness(trial, best))
				best = test;
		}
		if (best == SIZE_MAX)
			break;
		taken[best] = true;
		add_word(line, trial->planted->tests[best].pattern);
	}
	return added;
}

/* How many tests that can show it were not run yet. */
static size_t count_left(const struct trial *trial, const struct place *places, const bool *taken)
{
	size_t left = 0;

	for (size_t i = 0; i < trial->outcome->asked; i++)
		left += trial->concerns[places[i].test] == CONCERN_ABLE && !taken[places[i].test];
	return left;
}

/* Finds so many tests, and runs the surest of them; false: there are none. */
static bool run_surest(struct trial *trial, const struct place *places, size_t count, size_t most,
                       bool *taken, int *ret_status)
{
	/* asking takes a few thousandths of what a test takes, which is compiled */
	enum { CHOICE = 8 };
	size_t left = count_left(trial, places, taken), kills = trial->outcome->kill_count;
	struct line line;

	if (left < most * CHOICE)
		left += find_able(trial, places, count, most * CHOICE - left);
	if (left == 0 && !take_others(trial, places))
		return false;
	begin_line(&line, trial->planted, trial->planted->options.seed, 0);
	add_sizes(&line, &trial->outcome->plant);
	if (add_surest(&line, trial, places, most, taken) == 0) {
		free(line.words);
		return false;
	}
	/* to compile eight tests takes PoCL longer than a bug's time */
	trial->unhurried = true;
	*ret_status = run_line(trial, &line);
	trial->unhurried = false;
	check_kills(trial, kills);
	return true;
}

/* The surest tests at first, for most are killed by these; then four times as many; then the same
 * again with other random choices. */
static void run_drawn(struct trial *trial, const struct place *places, size_t count)
{
	enum { FIRST = 2, TIMES = 4, FEW = 8 };
	struct planted *planted = trial->planted;
	bool *taken = oclmm_calloc(planted->selection.count + 1, sizeof(*taken));
	double budget = AGAIN_SECONDS;
	int status = 0;

	for (size_t most = FIRST; status == 0 && !is_trial_over(trial); most *= TIMES) {
		/* one that is listed gets a few tests, which may contradict the list */
		if ((trial->outcome->equivalent && most > FEW) ||
		    !run_surest(trial, places, count, most, taken, &status))
			break;
	}
	free(taken);
	while (status == 0 && trial->outcome->able > 0 && !trial->outcome->equivalent &&
	       !is_trial_over(trial)) {
		size_t kills = trial->outcome->kill_count;

		status = run_again(trial, CONCERN_ABLE, planted->options.seed + ++trial->again,
		                   budget < time_left(trial) ? budget : time_left(trial));
		check_kills(trial, kills);
		budget *= 2;
	}
}

/* Writes into the file, until that takes no more. */
static void save(struct planted *planted, struct oclmm_text *text)
{
	errno = 0;
	if (planted->output && !planted->failed &&
	    (fputs(oclmm_text_string(text), planted->output) < 0 || fflush(planted->output) != 0))
		planted->failed = errno ? errno : EIO;
	oclmm_text_finish(text);
}

/* A copy that lives as long as what is read back. */
static const char *keep_text(struct planted *planted, const char *text)
{
	json_t *kept = json_string(text);

	if (!planted->saved.lines)
		planted->saved.lines = json_array();
	json_array_append_new(planted->saved.lines, kept);
	return json_string_value(kept);
}

/* ---- where nothing orders ------------------------------------------------------ */

/*
 * A machine may be stronger than its model. So the tests of a bug of orders that survived are run
 * with the strongest such bug: all is relaxed, no fence is left, and no scope, where the bug is in
 * scopes. What each part of that may do, the whole may. Where it shows nothing either, in as many
 * instances of each of these tests, the bug is quiet: no test could have told. Else the tests in
 * which it shows get the bug again.
 */

/* What a change leaves of the order is less, and no access moves, comes apart or computes something
 * else. Barriers are not among them: kernels have some of their own. NULL: it is none of these. */
static const char *strongest_of(const struct plant *plant)
{
	switch (plant->mutation.what) {
	case OCLMM_WHAT_NO_TOTAL_ORDER:
	case OCLMM_WHAT_NO_ACQUIRE:
	case OCLMM_WHAT_NO_RELEASE:
	case OCLMM_WHAT_RMW_RELAXED:
	case OCLMM_WHAT_FAILURE_RELAXED:
	case OCLMM_WHAT_RELAXED:
	case OCLMM_WHAT_FENCE_DROPPED:
	case OCLMM_WHAT_FENCE_WEAKENED:
	case OCLMM_WHAT_FENCE_TO_ACQUIRE:
	case OCLMM_WHAT_FENCE_TO_RELEASE:
	case OCLMM_WHAT_FENCE_ONCE:
	case OCLMM_WHAT_FENCE_FLAGS:
	case OCLMM_WHAT_FENCE_EARLY:
	case OCLMM_WHAT_FENCE_LATE:
	case OCLMM_WHAT_MEM_FENCE_DROPPED: return "nothing-orders";
	case OCLMM_WHAT_SCOPE: return plant->mutation.to_sub_group ? NULL : "nothing-orders:scopes";
	default: return NULL;
	}
}

struct loosening {
	struct trial *trial; /* of the bug */
	struct plant plant;
	const char *choice;
	const char *sizes; /* of its launches */
	size_t *tests;     /* that can show it */
	size_t count;
	bool undecided;
};

static struct loosened *known_of(const struct loosening *l, size_t i)
{
	struct planted *planted = l->trial->planted;

	return loosened_of(&planted->saved, l->choice,
	                   planted->selection.chosen[l->tests[i]].variant->name, l->sizes);
}

/* A test that the device skips takes no part; one that shows something needs no more. */
static bool is_wanting(const struct loosening *l, size_t i, const struct tally *tallies)
{
	const struct loosened *known = known_of(l, i);
	const struct tally *bug = &l->trial->tallies[l->tests[i]];

	return !known->unknown && !known->seen && !bug->skipped && !tallies[l->tests[i]].skipped &&
	       (known->instances == 0 || known->instances < bug->instances);
}

static bool shows_any(const struct loosening *l)
{
	for (size_t i = 0; i < l->count; i++)
		if (known_of(l, i)->seen)
			return true;
	return false;
}

static void keep_loosened(struct loosening *l, size_t i, const struct tally *before,
                          const struct tally *after)
{
	struct loosened *known = known_of(l, i), more = *known;
	struct oclmm_text text = {0};

	more.instances = after->instances - before->instances;
	more.seen = after->seen - before->seen;
	more.unknown = after->broken;
	if (!more.instances && !more.unknown)
		return;
	known->instances += more.instances;
	known->seen += more.seen;
	known->unknown |= more.unknown;
	l->trial->planted->loosened_lines++;
	matrix_loosened(&text, &more);
	save(l->trial->planted, &text);
}

/* One run of all tests that are wanting; false: there are none, or no run came about. */
static bool loosen_once(struct loosening *l, struct trial *loose, double budget)
{
	const struct planted *planted = l->trial->planted;
	size_t count = planted->selection.count, added = 0;
	struct tally *before = oclmm_calloc(count + 1, sizeof(*before));
	struct line line;
	int status = 0;

	memcpy(before, loose->tallies, count * sizeof(*before));
	begin_line(&line, planted, planted->options.seed + planted->loosened_lines, budget);
	add_sizes(&line, &l->trial->outcome->plant);
	for (size_t i = 0; i < l->count; i++)
		if (is_wanting(l, i, loose->tallies) && ++added)
			add_word(&line, planted->tests[l->tests[i]].pattern);
	if (added > 0)
		status = run_line(loose, &line);
	else
		free(line.words);
	/* a layer that changed nothing, or not all, has shown nothing */
	if (added > 0 && (status != 0 || !loose->outcome->loaded || loose->outcome->opaque ||
	                  (loose->outcome->tests > 0 && loose->outcome->places == 0)))
		l->undecided = true;
	for (size_t i = 0; !l->undecided && i < l->count; i++)
		keep_loosened(l, i, &before[l->tests[i]], &loose->tallies[l->tests[i]]);
	free(before);
	return added > 0 && !l->undecided;
}

static void loosen(struct loosening *l)
{
	enum { TIMES = 3 };
	const struct planted *planted = l->trial->planted;
	struct plant_outcome outcome = {.choice = l->choice, .plant = l->plant};
	struct trial loose = {
		.planted = l->trial->planted,
		.outcome = &outcome,
		.seconds = TIMES * l->trial->seconds,
		.unhurried = true,
		.goes_on = true,
		.tallies = oclmm_calloc(planted->selection.count + 1, sizeof(*loose.tallies)),
	};
	double budget = 0;

	while (!shows_any(l) && !process_interrupted &&
	       (loose.started <= 0 || time_left(&loose) > LEAST_SECONDS) &&
	       loosen_once(l, &loose, budget))
		budget = budget > 0 ? 2 * budget : AGAIN_SECONDS;
	for (size_t i = 0; i < l->count; i++) {
		const struct loosened *known = known_of(l, i);

		l->undecided |= known->unknown || is_wanting(l, i, loose.tallies);
	}
	plant_outcome_finish(&outcome);
	trial_finish(&loose);
}

static int compare_shows(const void *a, const void *b)
{
	const struct kill *first = a, *second = b;
	double one = (double)first->seen / (double)first->instances,
	       two = (double)second->seen / (double)second->instances;

	return one != two ? (one < two ? 1 : -1) : strcmp(first->test, second->test);
}

static void take_loosening(struct loosening *l)
{
	struct plant_outcome *outcome = l->trial->outcome;

	for (size_t i = 0; i < l->count; i++) {
		const struct loosened *known = known_of(l, i);

		outcome->loosened += known->instances > 0;
		outcome->loosened_instances += known->instances;
		if (known->seen)
			add_show(outcome, known->test, known->seen, known->instances);
	}
	if (outcome->show_count > 1)
		qsort(outcome->shows, outcome->show_count, sizeof(*outcome->shows), compare_shows);
	outcome->quiet = outcome->loosened > 0 && outcome->show_count == 0 && !l->undecided;
}

/* As much time once more, in the tests in which the strongest bug shows: the surest, four of them,
 * then all. */
static void try_shown(struct trial *trial)
{
	enum { TIMES = 4 };
	struct planted *planted = trial->planted;
	struct plant_outcome *outcome = trial->outcome;
	double budget = planted->options.seconds / TIMES;
	int status = 0;

	trial->seconds += planted->options.seconds;
	for (size_t most = 1; status == 0 && outcome->show_count > 0 && !is_trial_over(trial);
	     most *= TIMES) {
		double left = time_left(trial);
		size_t kills = outcome->kill_count;
		struct line line;

		begin_line(&line, planted, planted->options.seed + ++trial->again,
		           budget < left ? budget : left);
		add_sizes(&line, &outcome->plant);
		for (size_t i = 0; i < outcome->show_count && i < most; i++)
			for (size_t k = 0; k < planted->selection.count; k++)
				if (strcmp(planted->selection.chosen[k].variant->name,
				           outcome->shows[i].test) == 0)
					add_word(&line, planted->tests[k].pattern);
		status = run_line(trial, &line);
		check_kills(trial, kills);
		if (most >= outcome->show_count)
			budget *= 2;
	}
}

/* The tests that can show the bug, each of which the strongest bug has to change, too. */
static void find_loosened(struct loosening *l)
{
	const struct planted *planted = l->trial->planted;

	for (size_t i = 0; i < planted->selection.count; i++) {
		if (l->trial->concerns[i] > CONCERN_ABLE || planted->tests[i].left_out)
			continue;
		l->undecided |= count_calls(&l->plant, &planted->tests[i]) == 0;
		l->tests[l->count++] = i;
	}
}

static void ask_strongest(struct trial *trial)
{
	struct planted *planted = trial->planted;
	char sizes[SIZES_SIZE], message[PLANT_MESSAGE];
	struct loosening l = {.trial = trial, .choice = strongest_of(&trial->outcome->plant)};
	double began = oclmm_clock();

	plant_outcome_judge(trial->outcome);
	if (!l.choice || trial->outcome->state != PLANT_SURVIVED || planted->as_named ||
	    process_interrupted || trial->outcome->able == 0)
		return;
	plant_parse(l.choice, &l.plant, message);
	/* what is read back lives as long */
	l.sizes = keep_text(planted, sizes_of(&trial->outcome->plant, sizes));
	l.tests = oclmm_calloc(planted->selection.count + 1, sizeof(*l.tests));
	find_loosened(&l);
	if (!l.undecided)
		loosen(&l);
	take_loosening(&l);
	trial->started += oclmm_clock() - began;
	free(l.tests);
	if (!trial->outcome->quiet)
		try_shown(trial);
}

static void try_drawn(struct trial *trial)
{
	struct planted *planted = trial->planted;
	struct plant_outcome *outcome = trial->outcome;
	struct place *places = oclmm_calloc(planted->selection.count + 1, sizeof(*places));
	size_t count = find_places(trial, places);

	outcome->concerned = count;
	if (!planted->options.able) {
		run_drawn(trial, places, count);
		plant_outcome_judge(outcome);
		/* whatever its time sufficed for: all that can show it */
		if (outcome->state == PLANT_SURVIVED && strongest_of(&outcome->plant))
			find_able(trial, places, count, SIZE_MAX);
		ask_strongest(trial);
	} else if (find_able(trial, places, count, count) == 0) {
		take_others(trial, places);
	}
	outcome->hopeless = outcome->able == 0;
	if (outcome->hopeless && trial->counts[CONCERN_NONE] > 0 && !outcome->equivalent)
		outcome->equivalent = planted->machine_known.model
		                              ? planted->machine_known.known->hides
		                              : &by_values;
	free(places);
}

/* One plant, until it is killed or its time is over. */
static void planted_run_plant(struct planted *planted, struct plant_outcome *outcome)
{
	struct trial trial = {
		.planted = planted,
		.outcome = outcome,
		.concerns = oclmm_calloc(planted->selection.count + 1, sizeof(*trial.concerns)),
		.shares = oclmm_calloc(planted->selection.count + 1, sizeof(*trial.shares)),
		.tallies = oclmm_calloc(planted->selection.count + 1, sizeof(*trial.tallies)),
		.seconds = planted->options.seconds,
	};

	outcome->equivalent = equivalents_find(&planted->equivalents, &outcome->plant,
	                                       planted->header.device.platform,
	                                       planted->header.device.device,
	                                       planted->machine.machine);
	if (outcome->plant.drawn && !planted->as_named) {
		try_drawn(&trial);
		plant_outcome_judge(outcome);
		trial_finish(&trial);
		return;
	}
	find_concerns(&trial);
	if (is_hopeless(&trial))
		outcome->hopeless = true;
	else
		run_stages(&trial);
	if (!outcome->hopeless)
		ask_strongest(&trial);
	plant_outcome_judge(outcome);
	trial_finish(&trial);
}

/* Takes the tests of the selection over, for planted_run_plant(). */
static void planted_prepare_tests(struct planted *planted)
{
	const struct selection *selection = &planted->selection;

	planted->tests = oclmm_calloc(selection->count + 1, sizeof(*planted->tests));
	for (size_t i = 0; i < selection->count; i++) {
		const struct oclmm_variant *variant = selection->chosen[i].variant;
		struct oclmm_text pattern = {0};

		oclmm_text_printf(&pattern, "@(%s)", variant->name);
		planted->tests[i] = (struct concerned){
			.program = variant->program,
			.control = variant->control != NULL,
			.pattern = oclmm_text_steal(&pattern),
		};
	}
}

/*
 * Leaves out the tests that showed something forbidden without a plant: what they show says
 * nothing of one. Returns their number; 0 as well where files were named, which run as a whole.
 */
static size_t planted_leave_out(struct planted *planted, const struct plant_outcome *unplanted)
{
	size_t found = 0;

	for (size_t i = 0; !planted->as_named && i < planted->selection.count; i++) {
		const char *name = planted->selection.chosen[i].variant->name;
		bool shows = false;

		for (size_t k = 0; k < unplanted->kill_count; k++)
			shows |= strcmp(unplanted->kills[k].test, name) == 0;
		found += shows;
		planted->tests[i].left_out |= shows;
	}
	return found;
}

/* A compiler that crashes costs its test. Returns how many tests that are. */
static size_t leave_out_broken(struct planted *planted, const struct plant_outcome *unplanted)
{
	size_t found = 0;

	for (size_t i = 0; !planted->as_named && i < planted->selection.count; i++) {
		const char *name = planted->selection.chosen[i].variant->name;
		bool broken = false;

		for (size_t k = 0; k < unplanted->broken_count; k++)
			broken |= strcmp(unplanted->broken_names[k], name) == 0;
		found += broken;
		planted->tests[i].left_out |= broken;
	}
	return found;
}

/* The first test of the earliest concern that there is. */
static const char *first_test(const struct trial *trial)
{
	for (int concern = 0; concern < CONCERN_UNABLE; concern++) {
		for (size_t i = 0; i < trial->planted->selection.count; i++) {
			if (trial->concerns[i] == (enum concern)concern)
				return trial->planted->selection.chosen[i].variant->name;
		}
	}
	return "-";
}

/* All that can show it, the surest first: as large a part of what may be seen tells. */
static void tell_tests(const struct trial *trial)
{
	const struct selection *selection = &trial->planted->selection;
	bool *told = oclmm_calloc(selection->count + 1, sizeof(*told));
	size_t best;

	do {
		best = SIZE_MAX;
		for (size_t i = 0; i < selection->count; i++)
			if (trial->concerns[i] <= CONCERN_ABLE && !told[i] &&
			    (best == SIZE_MAX || sureness(trial, i) > sureness(trial, best)))
				best = i;
		if (best == SIZE_MAX)
			break;
		told[best] = true;
		printf("    %-56s %.3f\n", selection->chosen[best].variant->name,
		       trial->shares[best]);
	} while (true);
	free(told);
}

/*
 * Says for each plant how many tests can show it, and the first of them, and asks no device.
 * Returns 1 where one has none.
 */
static int planted_tell_able(struct planted *planted)
{
	size_t told = 0;
	int status = 0;

	for (size_t i = 0; i < planted->options.choice_count && !process_interrupted; i++) {
		const struct planted_choice *choice = &planted->options.choices[i];
		struct plant_outcome outcome = {.choice = choice->text, .plant = choice->plant};
		struct trial trial = {
			.planted = planted,
			.outcome = &outcome,
			.concerns = oclmm_calloc(planted->selection.count + 1,
		                                 sizeof(*trial.concerns)),
			.shares = oclmm_calloc(planted->selection.count + 1, sizeof(*trial.shares)),
		};
		const struct equivalent *equivalent = equivalents_find(&planted->equivalents,
		                                                       &choice->plant, "", "",
		                                                       planted->machine.machine);

		if (choice->plant.drawn) {
			try_drawn(&trial);
		} else {
			find_concerns(&trial);
			outcome.hopeless = is_hopeless(&trial);
		}
		/* one that was cut short says nothing */
		if (process_interrupted) {
			trial_finish(&trial);
			break;
		}
		cli_print_fitted("%-34s %4llu able %4llu changed  %s", choice->text,
		                 (unsigned long long)outcome.able,
		                 (unsigned long long)outcome.concerned,
		                 equivalent           ? equivalent->argument
		                 : outcome.equivalent ? outcome.equivalent->argument
		                                      : first_test(&trial));
		if (planted->options.all)
			tell_tests(&trial);
		fflush(stdout);
		told++;
		if (outcome.hopeless && !equivalent && !choice->plant.drawn)
			status = OCLMM_EXIT_FORBIDDEN;
		trial_finish(&trial);
	}
	if (told < planted->options.choice_count) {
		fprintf(stderr, "oclmm: interrupted: %s not looked at\n",
		        oclmm_counted(planted->options.choice_count - told, "plant").text);
		status = OCLMM_EXIT_INFRASTRUCTURE;
	}
	return status;
}

/* ---- plants that have to be killed ----------------------------------------- */

static int take_baseline(struct planted *planted, char *line, uint32_t number)
{
	struct plant plant;
	struct oclmm_error error;
	char message[PLANT_MESSAGE];

	line[strcspn(line, "#\r")] = '\0';
	line += strspn(line, " \t");
	line[strcspn(line, " \t")] = '\0';
	if (!*line)
		return 0;
	if (plant_parse(line, &plant, message)) {
		planted->in_baseline[plant.bug] = true;
		return 0;
	}
	oclmm_error_set(&error, -EINVAL, "%s", message);
	snprintf(error.file, sizeof(error.file), "%s", planted->options.baseline);
	snprintf(error.source, sizeof(error.source), "%s", line);
	error.position = (struct oclmm_position){.line = number,
	                                         .column = 1,
	                                         .length = (uint32_t)strlen(line)};
	return report_error(&error);
}

/* Reads what --baseline names, if anything. Returns 0, or the status to leave with. */
static int planted_read_baseline(struct planted *planted)
{
	const char *path = planted->options.baseline;
	struct oclmm_lines lines;
	char *text;
	size_t length;
	int r, status = 0;

	if (!path)
		return 0;
	r = oclmm_read_file(path, &text, &length);
	if (r < 0)
		return options_error(planted->command, "cannot read %s: %s", path, strerror(-r));
	oclmm_lines_begin(&lines, path, text, length);
	while (status == 0 && oclmm_lines_next(&lines))
		status = take_baseline(planted, oclmm_lines_cut(&lines, text), lines.number);
	free(text);
	return status;
}

static const double DEFAULT_SECONDS = 64;
/* Most of what is drawn is killed by the first tests, and there are many. */
static const double DRAWN_SECONDS = 10;

/* ---- what is needed -------------------------------------------------- */

static bool use_layer(struct planted *planted, const char *folder, const char *name)
{
	int length = snprintf(planted->layer, sizeof(planted->layer), "%s/%s", folder, name);

	return length > 0 && (size_t)length < sizeof(planted->layer) &&
	       access(planted->layer, R_OK) == 0;
}

/* Where OCLMM_PLANT_LAYER says, beside the program, as in a build folder, or installed. */
static int find_layer(struct planted *planted)
{
	static const char name[] = OCLMM_PLANT_LAYER;
	const char *given = getenv("OCLMM_PLANT_LAYER");
	char folder[PATH_MAX];

	if (!program_path(planted->program))
		return options_error(planted->command, "cannot find out where this program is");
	if (given && *given) {
		if (access(given, R_OK) == 0 && realpath(given, planted->layer))
			return 0;
		return options_error(planted->command,
		                     "OCLMM_PLANT_LAYER is \"%s\", which cannot be read", given);
	}
	snprintf(folder, sizeof(folder), "%s", planted->program);
	*strrchr(folder, '/') = '\0';
	if (use_layer(planted, folder, name) ||
	    use_layer(planted, folder, "plant/" OCLMM_PLANT_LAYER) ||
	    use_layer(planted, OCLMM_LIBRARY_FOLDER, name))
		return 0;
	options_error(planted->command, "cannot find %s: not in %s, nor in plant/ there, nor in %s",
	              name, folder, OCLMM_LIBRARY_FOLDER);
	return OCLMM_EXIT_INFRASTRUCTURE;
}

static int read_equivalents(struct planted *planted)
{
	struct oclmm_error error = {0};
	struct oclmm_text path = {0};
	char *folder = planted->options.equivalents ? NULL : suite_folder(&error);
	int r = 0;

	if (planted->options.equivalents)
		oclmm_text_add(&path, planted->options.equivalents);
	else if (folder)
		oclmm_text_printf(&path, "%s/planted/equivalents", folder);
	/* a suite of one's own need not have the file */
	if (planted->options.equivalents || (folder && access(oclmm_text_string(&path), F_OK) == 0))
		r = equivalents_read(&planted->equivalents, oclmm_text_string(&path), &error);
	if (r < 0)
		report_error(&error);
	oclmm_text_finish(&path);
	free(folder);
	return r < 0 ? OCLMM_EXIT_USAGE : 0;
}

/* The beginning of the file: what is known before anything is tried. */
static void write_known(struct planted *planted, struct oclmm_text *text)
{
	const struct plant_outcome *saved = matrix_saved_find(&planted->saved, "none");

	oclmm_text_init(text);
	matrix_head(text, MATRIX_JSON, &planted->header);
	if (saved)
		matrix_plant(text, MATRIX_JSON, saved);
	for (size_t i = 0; i < planted->saved.loosened_count; i++)
		matrix_loosened(text, &planted->saved.loosened[i]);
	for (size_t i = 0; i < planted->options.choice_count; i++) {
		saved = matrix_saved_find(&planted->saved, planted->options.choices[i].text);
		if (saved)
			matrix_plant(text, MATRIX_JSON, saved);
	}
}

/* In one step: a matrix that is resumed never has less than it had, whatever ends it. */
static int open_output(struct planted *planted)
{
	const char *path = planted->options.resume ? planted->options.resume
	                                           : planted->options.output;
	struct oclmm_text text;
	int r;

	if (!path)
		return 0;
	write_known(planted, &text);
	r = oclmm_write_file(path, oclmm_text_string(&text), text.length);
	oclmm_text_finish(&text);
	if (r == 0)
		planted->output = fopen(path, "ae");
	if (planted->output)
		return 0;
	options_error(planted->command, "cannot write %s: %s", path, strerror(r < 0 ? -r : errno));
	return OCLMM_EXIT_INFRASTRUCTURE;
}

/* What is drawn, a rule a line. */
static void list_drawn(const struct planted_options *options)
{
	for (uint64_t i = 1; i <= options->drawn; i++) {
		struct oclmm_text text = {0};
		char name[PLANT_CHOICE], message[PLANT_MESSAGE];
		struct plant plant;

		snprintf(name, sizeof(name), "drawn-%" PRIu64 "-%" PRIu64, options->seed, i);
		plant_parse(name, &plant, message);
		add_rule(&text, &plant);
		cli_print_fitted("%-16s %s", name, oclmm_text_string(&text));
		oclmm_text_finish(&text);
	}
}

static void list_plants(void)
{
	for (int i = PLANT_NONE + 1; i < PLANT_COUNT; i++) {
		const struct plant_description *plant = &plant_descriptions[i];
		struct oclmm_text text = {0};

		oclmm_text_printf(&text, "%s; breaks %s; shows: %s", plant->what, plant->rule,
		                  plant->where);
		cli_print_row(plant->name, 20, oclmm_text_string(&text));
		oclmm_text_finish(&text);
	}
}

/* ---- the matrix ------------------------------------------------------ */

/* Writes what a function wrote as text. */
static void emit(struct oclmm_text *text)
{
	fputs(oclmm_text_string(text), stdout);
	fflush(stdout);
	oclmm_text_finish(text);
}

/* Whether the file has it already. */
static bool is_saved(const struct planted *planted, const struct plant_outcome *outcome)
{
	const struct matrix_saved *saved = &planted->saved;

	for (size_t i = 0; i < saved->count; i++) {
		if (outcome == &saved->outcomes[i])
			return true;
	}
	return false;
}

static enum matrix_form form_of(const struct planted *planted)
{
	return planted->options.json ? MATRIX_JSON : MATRIX_TEXT;
}

static void tell_plant(struct planted *planted, const struct plant_outcome *outcome)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	matrix_plant(&text, form_of(planted), outcome);
	emit(&text);
	if (is_saved(planted, outcome))
		return;
	oclmm_text_init(&text);
	matrix_plant(&text, MATRIX_JSON, outcome);
	save(planted, &text);
}

static void tell_head(const struct planted *planted)
{
	struct oclmm_text text = {0};

	matrix_head(&text, form_of(planted), &planted->header);
	emit(&text);
}

static void tell_score(struct planted *planted, int status)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	matrix_score(&text, form_of(planted), &planted->score, status);
	emit(&text);
	oclmm_text_init(&text);
	matrix_score(&text, MATRIX_JSON, &planted->score, status);
	save(planted, &text);
}

static void count(struct planted *planted, const struct plant_outcome *outcome)
{
	bool killed = plant_outcome_is_kill(outcome);

	plant_score_add(&planted->score, outcome);
	if (outcome->state == PLANT_CONTRADICTION || outcome->state == PLANT_REFUSED)
		planted->missed = true;
	if (planted->options.baseline)
		planted->missed |= planted->in_baseline[outcome->plant.bug] && !killed;
	else
		planted->missed |= !killed && is_able(outcome) && outcome->state != PLANT_QUIET;
}

static int exit_status(const struct planted *planted)
{
	if (process_interrupted || planted->failed)
		return OCLMM_EXIT_INFRASTRUCTURE;
	if (planted->missed)
		return OCLMM_EXIT_FORBIDDEN;
	if (planted->left > 0 && !planted->unclean)
		return OCLMM_EXIT_UNFINISHED;
	return planted->unclean ? OCLMM_EXIT_INFRASTRUCTURE : OCLMM_EXIT_PASS;
}

/* ---- going on with a matrix -------------------------------------------- */

static int read_saved(struct planted *planted)
{
	const char *path = planted->options.resume;
	const struct matrix_header *now = &planted->header, *then = &planted->saved.header;
	const struct plant_outcome *unplanted;
	struct oclmm_error error = {0};

	if (!path || access(path, F_OK) != 0)
		return 0;
	if (matrix_read(path, &error, &planted->saved) < 0)
		return report_error(&error);
	if (now->tests != then->tests || now->seed != then->seed ||
	    now->instances != then->instances || !oclmm_same_string(now->claims, then->claims) ||
	    !oclmm_same_string(now->machine, then->machine))
		return options_error(planted->command,
		                     "%s was begun with other tests, instances, claims or seed, or "
		                     "on another machine",
		                     path);
	unplanted = matrix_saved_find(&planted->saved, "none");
	if (unplanted && unplanted->tests + unplanted->skipped < 2 && now->tests > 1 &&
	    !is_one_by_one(planted))
		return options_error(planted->command,
		                     "%s is of drawn bugs alone: it has no run of all tests "
		                     "without a plant",
		                     path);
	planted->header.device = then->device;
	planted->loosened_lines = planted->saved.loosened_count;
	return 0;
}

/* ---- the run ----------------------------------------------------------- */

static void account(struct planted *planted, const struct plant_outcome *outcome)
{
	count(planted, outcome);
	tell_plant(planted, outcome);
}

static bool is_over(const struct planted *planted)
{
	return process_interrupted || planted->failed ||
	       (planted->options.budget > 0 &&
	        oclmm_clock() - planted->started > planted->options.budget);
}

static void run_plants(struct planted *planted)
{
	for (size_t i = 0; i < planted->options.choice_count; i++) {
		const struct planted_choice *choice = &planted->options.choices[i];
		const struct plant_outcome *saved = matrix_saved_find(&planted->saved,
		                                                      choice->text);
		struct plant_outcome outcome = {.choice = choice->text, .plant = choice->plant};

		if (!saved && is_over(planted)) {
			planted->left++;
			continue;
		}
		if (!saved)
			planted_run_plant(planted, &outcome);
		/* one that was cut short says nothing */
		if (saved || !process_interrupted)
			account(planted, saved ? saved : &outcome);
		else
			planted->left++;
		plant_outcome_finish(&outcome);
	}
}

static void run_with(struct planted *planted, const struct plant_outcome *unplanted)
{
	size_t left_out, broken;

	tell_head(planted);
	tell_plant(planted, unplanted);
	plant_score_add(&planted->score, unplanted);
	broken = leave_out_broken(planted, unplanted);
	planted->unclean = unplanted->state == PLANT_NOTICED &&
	                   (broken < unplanted->broken || broken == unplanted->tests);
	if (broken > 0)
		fprintf(stderr, "oclmm: %s could not be run to the end without a plant: left out\n",
		        oclmm_counted(broken, "test").text);
	left_out = planted_leave_out(planted, unplanted);
	if (left_out > 0)
		fprintf(stderr, "oclmm: %s showed something forbidden without a plant: left out\n",
		        oclmm_counted(left_out, "test").text);
	if (left_out == unplanted->kill_count)
		run_plants(planted);
	else
		options_error(planted->command,
		              "forbidden outcomes without a plant: nothing else is tried");
}

/* The status says where a driver is not clean without a plant, whatever the score. */
static int run_matrix(struct planted *planted)
{
	const struct plant_outcome *saved = matrix_saved_find(&planted->saved, "none");
	struct plant_outcome unplanted = {.choice = "none"};
	int status = saved ? 0 : planted_run_none(planted, &unplanted);

	if (process_interrupted && !saved) {
		fputs("oclmm planted: interrupted while the tests were run without a plant\n",
		      stderr);
		status = OCLMM_EXIT_INFRASTRUCTURE;
	}
	if (status == 0)
		status = open_output(planted);
	if (status == 0) {
		if (!saved)
			saved = &unplanted;
		run_with(planted, saved);
		if (planted->left > 0)
			fprintf(stderr, "oclmm: %s%s not tried; --resume goes on\n",
			        process_interrupted ? "interrupted: " : "",
			        oclmm_counted(planted->left, "plant").text);
		status = saved->kill_count ? OCLMM_EXIT_FORBIDDEN : exit_status(planted);
		tell_score(planted, status);
	}
	plant_outcome_finish(&unplanted);
	return status;
}

static int prepare(struct planted *planted)
{
	struct planted_options *options = &planted->options;
	int status;

	for (int i = 0; i < planted->name_count; i++)
		planted->as_named |= access(planted->names[i], F_OK) == 0;
	if (planted->name_count == 0 && !options->profile)
		options->profile = "default";
	status = options->profile
	                 ? selection_make_profile(&planted->selection, options->profile)
	                 : selection_make(&planted->selection, planted->names, planted->name_count);
	if (status == 0)
		status = read_equivalents(planted);
	if (status == 0)
		status = planted_read_baseline(planted);
	if (status == 0 && !options->able)
		status = find_layer(planted);
	uname(&planted->machine);
	planted_options_complete(options);
	if (options->seconds <= 0)
		options->seconds = options->drawn > 0 ? DRAWN_SECONDS : DEFAULT_SECONDS;
	planted->header = (struct matrix_header){
		.tool = "oclmm " OCLMM_VERSION,
		.machine = planted->machine.machine,
		.profile = options->profile,
		.claims = options->claims,
		.seed = options->seed,
		.instances = options->instance_count,
		.seconds = options->seconds,
		.tests = planted->selection.count,
		.plants = options->choice_count,
		.all = options->all,
	};
	if (status == 0)
		planted_prepare_tests(planted);
	if (status == 0)
		status = read_saved(planted);
	if (status == 0)
		find_findings(planted);
	return status;
}

static int finish(struct planted *planted, int status)
{
	for (size_t i = 0; planted->tests && i < planted->selection.count; i++)
		concerned_finish(&planted->tests[i]);
	free(planted->tests);
	free(planted->findings);
	selection_finish(&planted->selection);
	matrix_saved_finish(&planted->saved);
	planted_options_finish(&planted->options);
	equivalents_finish(&planted->equivalents);
	plant_score_finish(&planted->score);
	machine_finish(&planted->machine_known);
	if (!planted->output)
		return status;
	if (fclose(planted->output) != 0 && !planted->failed)
		planted->failed = errno;
	if (!planted->failed)
		return status;
	options_error(planted->command, "cannot write %s: %s",
	              planted->options.resume ? planted->options.resume : planted->options.output,
	              strerror(planted->failed));
	return OCLMM_EXIT_INFRASTRUCTURE;
}

/* Shows a matrix that was written before. */
static int render(struct planted *planted)
{
	struct matrix_saved *saved = &planted->saved;
	struct oclmm_error error = {0};
	struct oclmm_text text = {0};

	if (matrix_read(planted->options.render, &error, saved) < 0)
		return report_error(&error);
	if (planted->options.table) {
		matrix_tables(&text, saved);
		emit(&text);
		return 0;
	}
	planted->header = saved->header;
	tell_head(planted);
	for (size_t i = 0; i < saved->count; i++) {
		plant_score_add(&planted->score, &saved->outcomes[i]);
		tell_plant(planted, &saved->outcomes[i]);
	}
	tell_score(planted, 0);
	return 0;
}

/* Refuses options that exclude each other, or that lack another one. */
static int check_options(const struct planted *planted, bool names)
{
	const struct planted_options *options = &planted->options;

	if (options->profile && names)
		return options_error(planted->command, "either --profile or names, not both");
	if (options->table && !options->render)
		return options_error(planted->command, "--table is for --render");
	if (options->machine && !options->able)
		return options_error(planted->command, "--machine is for --able");
	if (options->machine && !is_machine(options->machine))
		return options_error(planted->command, "no machine \"%s\": x86-tso, ptx or h200",
		                     options->machine);
	return 0;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct planted planted = {
		.command = command,
		.options = {.claims = "claimed", .seed = 1},
		.started = oclmm_clock(),
	};
	int first, status = options_parse(command, argc, argv, &planted.options, &first);

	if (status == 0 && planted.options.list) {
		if (planted.options.drawn > 0)
			list_drawn(&planted.options);
		else
			list_plants();
		planted_options_finish(&planted.options);
		return 0;
	}
	if (status == 0)
		status = check_options(&planted, first < argc);
	if (status == 0 && planted.options.render)
		return finish(&planted, render(&planted));
	planted.names = argv + first;
	planted.name_count = argc - first;
	if (status == 0)
		status = prepare(&planted);
	process_catch_interrupts();
	if (status == 0)
		status = planted.options.able ? planted_tell_able(&planted) : run_matrix(&planted);
	return finish(&planted, status);
}

const struct command command_planted = {
	.name = "planted",
	.arguments = "[FILE|DIR|PATTERN…]",
	.summary = "plant bugs into the driver and say which tests find them",
	.description =
		"A layer before the OpenCL loader rewrites the programs that pass through it, one "
		"planted bug at\n"
		"a time; each is tried in runs of its own, in child processes, until a test "
		"shows a\n"
		"forbidden outcome. The driver as it is comes first; tests that it fails are\n"
		"left out. "
		"A plant gets the tests that can show it, as the model says.\n\n"
		"Exit status: 0 every plant was killed that can show on this device, but for "
		"quiet ones;\n"
		"1 one was not, or one was that is listed as equivalent, or something forbidden "
		"was seen\n"
		"without a plant;\n"
		"2 usage; 4 the budget did not suffice; 77 no device; 99 the runs failed, or "
		"every test without a plant.",
	.options = planted_option_specs,
	.repeatable = "plant",
	.one_of = (const char *const[]){"able list render", "output resume", NULL},
	.run = run,
};
