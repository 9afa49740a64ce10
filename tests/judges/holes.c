// SPDX-License-Identifier: Apache-2.0
/*
 * usage: judge_holes [--table] FOLDER PROFILE ARGUMENTS MAP...
 *
 * Does a profile notice each form of access that lost an order? A cell of the table is a *side* of
 * an order (a seq_cst store that is but a release), a *form* in which the access may stand (of type
 * ulong, short, in a branch), and a *machine*, given as a judge. It is shown if some variant of the
 * profile forbids an outcome, and the machine shows it as soon as this one access of that variant
 * is weaker, everything else as it was. So the access alone carries the order there: no fence
 * beside another access stands in for it.
 *
 * `opencl` is a machine, too: the model of the language, which says whether an access carries
 * anything at all.
 *
 * A cell that nothing shows is a hole. It has to have a line in ARGUMENTS,
 *
 *     SIDE | FORM | MACHINE | argument
 *
 * where the first three are patterns, as oclmm_pattern_matches() has them, and the first line that
 * fits counts; each line has to be of some hole, and say why no test can show it: "open:", that one
 * could, is no argument. Without --table a machine is asked about an access until all its cells are
 * shown; with it all are counted and printed.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../suite/folder.h"
#include "../suite/lines.h"
#include "internal.h"
#include "oclmm/change.h"
#include "oclmm/model.h"
#include "trial.h"

/* ---- sides ------------------------------------------------------------- */

enum kind { LOAD, STORE, UPDATE, FAILURE, FENCE, KIND_COUNT };

/* What is lost: an order, and what is left of it. A fence of order NONE is removed. */
static const struct side {
	enum kind kind;
	enum oclmm_order from, to;
	const char *name;
} sides[] = {
	{LOAD, OCLMM_ORDER_ACQUIRE, OCLMM_ORDER_RELAXED, "load acquire"},
	{LOAD, OCLMM_ORDER_SEQ_CST, OCLMM_ORDER_ACQUIRE, "load seq_cst"},
	{STORE, OCLMM_ORDER_RELEASE, OCLMM_ORDER_RELAXED, "store release"},
	{STORE, OCLMM_ORDER_SEQ_CST, OCLMM_ORDER_RELEASE, "store seq_cst"},
	{UPDATE, OCLMM_ORDER_ACQUIRE, OCLMM_ORDER_RELAXED, "update acquire"},
	{UPDATE, OCLMM_ORDER_RELEASE, OCLMM_ORDER_RELAXED, "update release"},
	{UPDATE, OCLMM_ORDER_ACQ_REL, OCLMM_ORDER_RELEASE, "update acq_rel, acquires"},
	{UPDATE, OCLMM_ORDER_ACQ_REL, OCLMM_ORDER_ACQUIRE, "update acq_rel, releases"},
	{UPDATE, OCLMM_ORDER_SEQ_CST, OCLMM_ORDER_ACQ_REL, "update seq_cst"},
	{FAILURE, OCLMM_ORDER_ACQUIRE, OCLMM_ORDER_RELAXED, "failure acquire"},
	{FAILURE, OCLMM_ORDER_SEQ_CST, OCLMM_ORDER_ACQUIRE, "failure seq_cst"},
	{FENCE, OCLMM_ORDER_ACQUIRE, OCLMM_ORDER_NONE, "fence acquire"},
	{FENCE, OCLMM_ORDER_RELEASE, OCLMM_ORDER_NONE, "fence release"},
	{FENCE, OCLMM_ORDER_ACQ_REL, OCLMM_ORDER_RELEASE, "fence acq_rel, acquires"},
	{FENCE, OCLMM_ORDER_ACQ_REL, OCLMM_ORDER_ACQUIRE, "fence acq_rel, releases"},
	{FENCE, OCLMM_ORDER_SEQ_CST, OCLMM_ORDER_ACQ_REL, "fence seq_cst"},
};

/* ---- forms ----------------------------------------------------------------- */

enum { OF_LOAD = 1, OF_STORE = 2, OF_UPDATE = 4, OF_FAILURE = 8, OF_FENCE = 16 };
enum {
	OF_WRITES = OF_STORE | OF_UPDATE,
	OF_CAS = OF_UPDATE | OF_FAILURE,
	OF_ACCESSES = OF_LOAD | OF_STORE | OF_CAS,
	OF_ALL = OF_ACCESSES | OF_FENCE
};

/* What a form is of, its name, and which kinds of sides have it. A site has one form of each
 * aspect that its kind has. */
static const struct form {
	const char *aspect, *value;
	unsigned of;
} forms[] = {
	{"function", "atomic_load", OF_LOAD},
	{"function", "atomic_store", OF_STORE},
	{"function", "atomic_flag_clear", OF_STORE},
	{"function", "atomic_exchange", OF_UPDATE},
	{"function", "atomic_fetch_add", OF_UPDATE},
	{"function", "atomic_fetch_sub", OF_UPDATE},
	{"function", "atomic_fetch_or", OF_UPDATE},
	{"function", "atomic_fetch_xor", OF_UPDATE},
	{"function", "atomic_fetch_and", OF_UPDATE},
	{"function", "atomic_fetch_min", OF_UPDATE},
	{"function", "atomic_fetch_max", OF_UPDATE},
	{"function", "atomic_compare_exchange_strong", OF_CAS},
	{"function", "atomic_compare_exchange_weak", OF_CAS},
	{"function", "atomic_flag_test_and_set", OF_UPDATE},
	{"function", "atomic_work_item_fence", OF_FENCE},
	{"function", "mem_fence", OF_FENCE},
	{"function", "read_mem_fence", OF_FENCE},
	{"function", "write_mem_fence", OF_FENCE},
	{"type", "int", OF_ACCESSES},
	{"type", "uint", OF_ACCESSES},
	{"type", "long", OF_ACCESSES},
	{"type", "ulong", OF_ACCESSES},
	{"type", "float", OF_LOAD | OF_WRITES},
	{"type", "double", OF_LOAD | OF_WRITES},
	{"form", "full", OF_ALL},
	{"form", "unscoped", OF_ACCESSES},
	{"form", "short", OF_ACCESSES},
	{"object", "scalar", OF_ACCESSES},
	{"object", "element", OF_ACCESSES},
	{"object", "indexed", OF_ACCESSES},
	{"in", "straight", OF_ALL},
	{"in", "branch", OF_ALL},
	{"in", "loop", OF_ALL},
	{"region", "global", OF_ACCESSES},
	{"region", "local", OF_ACCESSES},
	{"pointer", "named", OF_ACCESSES},
	{"pointer", "generic", OF_ACCESSES},
	{"value", "1", OF_WRITES},
	{"value", "constant", OF_WRITES},
	{"value", "computed", OF_WRITES},
	{"place", "first", OF_ACCESSES},
	{"place", "middle", OF_ALL},
	{"place", "last", OF_ACCESSES},
	{"group", "alone", OF_ALL},
	{"group", "shared", OF_ALL},
	{"result", "used", OF_UPDATE},
	{"result", "unused", OF_UPDATE},
	{"scope", "memory_scope_sub_group", OF_ALL},
	{"scope", "memory_scope_work_group", OF_ALL},
	{"scope", "memory_scope_device", OF_ALL},
	{"scope", "memory_scope_all_svm_devices", OF_ALL},
	{"flags", "global", OF_FENCE},
	{"flags", "local", OF_FENCE},
	{"flags", "both", OF_FENCE},
};

enum { FORM_COUNT = OCLMM_COUNT(forms), SIDE_COUNT = OCLMM_COUNT(sides) };

/* ---- the table ----------------------------------------------------------------- */

enum { MACHINES = TRIAL_MAX_JUDGES + 1, OPENCL = 0 };

struct cell {
	unsigned sites; /* that were asked about */
	unsigned other; /* of these the weaker code is other code */
	unsigned shown;
	char by[96]; /* the first variant that shows it */
};

struct argument {
	char *side, *form, *machine, *text;
	uint32_t line;
	unsigned holes;
};

static struct table {
	struct trial trial;
	struct lines lines;
	unsigned machines; /* OPENCL and the judges */
	bool all;          /* count everything */
	struct cell cells[SIDE_COUNT][FORM_COUNT][MACHINES];
	unsigned variants, sites, argued, shown, same;
	struct argument *arguments;
	size_t argument_count, argument_capacity;
} table;

static const char *machine_name(unsigned machine)
{
	return machine == OPENCL ? "opencl" : judge_name(table.trial.judges[machine - 1]);
}

/* Whether an access of a side can have a form at all. */
static bool is_possible(const struct side *side, const struct form *form)
{
	static const unsigned of[] = {OF_LOAD, OF_STORE, OF_UPDATE, OF_FAILURE, OF_FENCE};

	if (!(form->of & of[side->kind]))
		return false;
	/* what has no order has the strongest one */
	return strcmp(form->value, "short") != 0 || side->from == OCLMM_ORDER_SEQ_CST;
}

/* ---- sites --------------------------------------------------------------------- */

/* An access or a fence of a program. */
struct site {
	uint32_t thread;
	struct oclmm_atomic *atomic;    /* NULL: a fence */
	struct oclmm_statement **fence; /* what leads to it */
	uint32_t written;
	bool branch, loop, used;
	unsigned place; /* among what accesses memory, or orders that */
};

struct sites {
	const struct oclmm_program *program;
	struct site *list;
	size_t count, capacity;
	unsigned per_thread[OCLMM_MAX_THREADS];
	struct site at; /* what is the same of all that is found next */
};

static void add_site(struct sites *sites, struct oclmm_atomic *atomic,
                     struct oclmm_statement **fence)
{
	struct site site = sites->at;

	site.atomic = atomic;
	site.fence = fence;
	site.written = fence ? (*fence)->written : atomic->written;
	site.place = sites->per_thread[site.thread]++;
	oclmm_grow(&sites->list, &sites->capacity, sites->count, sizeof(*sites->list));
	sites->list[sites->count++] = site;
}

static void find_in(struct sites *sites, struct oclmm_expression *e)
{
	struct oclmm_parts parts;

	oclmm_expression_parts(e, &parts);
	for (unsigned i = 0; i < parts.expression_count; i++)
		find_in(sites, *parts.expressions[i]);
	if (e->kind == OCLMM_EXPRESSION_ATOMIC)
		add_site(sites, e->atomic, NULL);
	else if (e->kind == OCLMM_EXPRESSION_LOAD)
		sites->per_thread[sites->at.thread]++;
}

static void find_in_body(struct sites *sites, struct oclmm_statement **link)
{
	for (; *link; link = &(*link)->next) {
		struct oclmm_statement *s = *link;
		const struct site outside = sites->at;
		struct oclmm_parts parts;

		oclmm_statement_parts(s, &parts);
		sites->at.used = s->kind != OCLMM_STATEMENT_EVALUATE;
		for (unsigned i = 0; i < parts.expression_count; i++)
			find_in(sites, *parts.expressions[i]);
		if (s->kind == OCLMM_STATEMENT_FENCE)
			add_site(sites, NULL, link);
		else if (s->kind == OCLMM_STATEMENT_STORE || s->kind == OCLMM_STATEMENT_BARRIER)
			sites->per_thread[sites->at.thread]++;
		sites->at.branch |= s->kind == OCLMM_STATEMENT_IF;
		sites->at.loop |= s->kind == OCLMM_STATEMENT_WHILE;
		for (unsigned i = 0; i < parts.body_count; i++)
			find_in_body(sites, parts.bodies[i]);
		sites->at = outside;
	}
}

static void sites_find(struct sites *sites, struct oclmm_program *program)
{
	*sites = (struct sites){.program = program};
	for (uint32_t i = 0; i < program->thread_count; i++) {
		sites->at.thread = i;
		find_in_body(sites, &program->threads[i].body);
	}
	/* the turns of a loop that was unrolled */
	for (size_t i = 1; i < sites->count; i++)
		for (size_t k = 0; k < i; k++)
			if (sites->list[i].written &&
			    sites->list[i].written == sites->list[k].written)
				sites->list[i].loop = sites->list[k].loop = true;
}

/* ---- which forms a site has ---------------------------------------------------------- */

static bool is_generic(const struct oclmm_thread *thread, uint32_t location)
{
	for (uint32_t i = 0; i < thread->parameter_count; i++)
		if (thread->parameters[i].location == location)
			return thread->parameters[i].generic;
	return false;
}

static const char *group_of(const struct sites *sites, const struct site *site)
{
	const struct oclmm_program *program = sites->program;
	unsigned count = 0;

	for (uint32_t i = 0; i < program->thread_count; i++)
		count += oclmm_same_work_group(&program->threads[i].placement,
		                               &program->threads[site->thread].placement);
	return count == 1 ? "alone" : "shared";
}

static const char *value_of(const struct oclmm_atomic *a)
{
	if (!a->operand)
		return "";
	if (a->operand->kind != OCLMM_EXPRESSION_CONSTANT)
		return "computed";
	return a->operand->constant == 1 ? "1" : "constant";
}

/* The form of a site in some aspect; "" where it has none. */
static const char *form_of(const struct sites *sites, const struct site *site, const char *aspect)
{
	const struct oclmm_atomic *a = site->atomic;
	const struct oclmm_fence *f = a ? NULL : &(*site->fence)->fence;
	const struct oclmm_location *l = a ? &sites->program->locations[a->object.location] : NULL;
	const struct oclmm_thread *thread = &sites->program->threads[site->thread];

	if (strcmp(aspect, "function") == 0)
		return a ? oclmm_operation_stem(a->op) : f->spelling;
	if (strcmp(aspect, "type") == 0)
		return oclmm_type_name(l->type);
	if (strcmp(aspect, "form") == 0)
		return f                                      ? "full"
		       : a->op == OCLMM_OP_INIT || a->legacy  ? ""
		       : a->order_written && a->scope_written ? "full"
		       : a->order_written                     ? "unscoped"
		                                              : "short";
	if (strcmp(aspect, "object") == 0)
		return !l->is_array ? "scalar"
		       : a->object.index && a->object.index->kind != OCLMM_EXPRESSION_CONSTANT
		               ? "indexed"
		               : "element";
	if (strcmp(aspect, "in") == 0)
		return site->loop ? "loop" : site->branch ? "branch" : "straight";
	if (strcmp(aspect, "region") == 0)
		return l->space == OCLMM_SPACE_LOCAL ? "local" : "global";
	if (strcmp(aspect, "pointer") == 0)
		return is_generic(thread, a->object.location) ? "generic" : "named";
	if (strcmp(aspect, "value") == 0)
		return value_of(a);
	if (strcmp(aspect, "place") == 0)
		return site->place == 0                                     ? "first"
		       : site->place + 1 == sites->per_thread[site->thread] ? "last"
		                                                            : "middle";
	if (strcmp(aspect, "group") == 0)
		return group_of(sites, site);
	if (strcmp(aspect, "result") == 0)
		return site->used ? "used" : "unused";
	if (strcmp(aspect, "scope") == 0)
		return oclmm_scope_spelling(a ? a->scope : f->scope);
	return f->flags == OCLMM_FLAG_GLOBAL  ? "global"
	       : f->flags == OCLMM_FLAG_LOCAL ? "local"
	                                      : "both";
}

/* Whether a site is of a side. */
static bool is_of(const struct site *site, const struct side *side)
{
	const struct oclmm_atomic *a = site->atomic;

	if (!a)
		return side->kind == FENCE && (*site->fence)->fence.order == side->from;
	if (side->kind == FENCE || a->legacy || a->op == OCLMM_OP_INIT)
		return false;
	if (side->kind == FAILURE)
		return oclmm_operation_is_cas(a->op) && a->failure == side->from;
	return (unsigned)oclmm_operation_ordered(a->op) == (unsigned)side->kind &&
	       a->order == side->from;
}

/* ---- weaker ------------------------------------------------------------------------ */

static void weaken(const struct site *site, const struct side *side)
{
	if (side->kind == FAILURE)
		site->atomic->failure = side->to;
	else if (site->atomic)
		site->atomic->order = side->to;
	else if (side->to == OCLMM_ORDER_NONE)
		*site->fence = (*site->fence)->next;
	else
		(*site->fence)->fence.order = side->to;
}

/*
 * A copy in which a site is weaker. What the text has once and the program several times is one
 * access.
 */
static struct oclmm_program *make_weaker(struct oclmm_arena *arena,
                                         const struct oclmm_program *program, size_t which,
                                         const struct side *side)
{
	struct oclmm_program *copy = oclmm_program_copy(arena, program);
	struct sites sites;
	uint32_t written;

	sites_find(&sites, copy);
	written = sites.list[which].written;
	/* from behind, so that links stay where they are */
	for (size_t i = sites.count; i-- > 0;)
		if (i == which || (written && sites.list[i].written == written))
			weaken(&sites.list[i], side);
	free(sites.list);
	return copy;
}

/* The machine's code is another one. */
static bool is_other(const struct judge *judge, const struct sites *sites, const struct site *site,
                     const struct side *side)
{
	static const enum judge_kind of[] = {JUDGE_LOAD, JUDGE_STORE, JUDGE_UPDATE, JUDGE_LOAD,
	                                     JUDGE_FENCE};
	const struct oclmm_fence *f = site->atomic ? NULL : &(*site->fence)->fence;
	unsigned regions = f ? f->flags
	                     : 1u << sites->program->locations[site->atomic->object.location].space;

	return judge_tells(judge, of[side->kind], side->from, side->to,
	                   f ? f->scope : site->atomic->scope, regions);
}

/* ---- asking ---------------------------------------------------------------------- */

static bool is_forbidden(const int64_t *values, void *data)
{
	return oclmm_answer_status(data, OCLMM_MODEL_CONSENSUS, values) == OCLMM_STATUS_FORBIDDEN;
}

static bool opencl_shows(const struct oclmm_answer *answer, const struct oclmm_program *weaker)
{
	struct oclmm_check_options options = {.models = 1u << OCLMM_MODEL_CONSENSUS};
	struct oclmm_answer *other;
	struct oclmm_error error;
	bool shows;

	if (oclmm_check(weaker, &options, &error, &other) < 0)
		return false;
	shows = other->undefined[OCLMM_MODEL_CONSENSUS];
	for (uint32_t i = 0; i < other->state_count && !shows; i++)
		shows = other->states[i].status[OCLMM_MODEL_CONSENSUS] != OCLMM_STATUS_FORBIDDEN &&
		        is_forbidden(other->states[i].values, (void *)(uintptr_t)answer);
	oclmm_answer_destroy(other);
	return shows;
}

/* Cells of a site: those of its forms. */
static void note(const struct sites *sites, const struct site *site, size_t side, unsigned machine,
                 bool other, bool shown)
{
	for (size_t f = 0; f < FORM_COUNT; f++) {
		struct cell *cell = &table.cells[side][f][machine];

		if (!is_possible(&sides[side], &forms[f]) ||
		    strcmp(form_of(sites, site, forms[f].aspect), forms[f].value) != 0)
			continue;
		cell->sites++;
		cell->other += other;
		if (shown && cell->shown++ == 0)
			snprintf(cell->by, sizeof(cell->by), "%s", sites->program->name);
	}
}

/* Whether a site may show what nothing has shown yet. */
static bool is_wanted(const struct sites *sites, const struct site *site, size_t side,
                      unsigned machine)
{
	for (size_t f = 0; f < FORM_COUNT; f++)
		if (is_possible(&sides[side], &forms[f]) &&
		    table.cells[side][f][machine].shown == 0 &&
		    strcmp(form_of(sites, site, forms[f].aspect), forms[f].value) == 0)
			return true;
	return table.all;
}

static void ask(const struct oclmm_answer *answer, const struct sites *sites, size_t which,
                size_t side)
{
	const struct site *site = &sites->list[which];
	struct oclmm_arena *arena = oclmm_arena_create();
	const struct oclmm_program *weaker = make_weaker(arena, answer->program, which,
	                                                 &sides[side]);
	struct trial asked = {.limit = table.trial.limit};
	struct trial_findings findings;
	unsigned machines[MACHINES];

	table.sites++;
	if (is_wanted(sites, site, side, OPENCL))
		note(sites, site, side, OPENCL, true, opencl_shows(answer, weaker));
	for (unsigned m = OPENCL + 1; m < table.machines; m++) {
		struct judge *judge = table.trial.judges[m - 1];

		if (!is_other(judge, sites, site, &sides[side])) {
			note(sites, site, side, m, false, false);
		} else if (is_wanted(sites, site, side, m)) {
			machines[asked.count] = m;
			asked.judges[asked.count++] = judge;
		}
	}
	/* what was shown before the limit was met is shown all the same */
	if (asked.count > 0)
		trial_ask(&asked, weaker, is_forbidden, (void *)(uintptr_t)answer, &findings);
	for (unsigned i = 0; i < asked.count; i++)
		note(sites, site, side, machines[i], true, findings.shown[i]);
	oclmm_arena_destroy(arena);
}

static void ask_program(struct oclmm_program *program)
{
	struct oclmm_check_options options = {.models = 1u << OCLMM_MODEL_CONSENSUS};
	struct oclmm_answer *answer;
	struct oclmm_error error;
	struct sites sites;

	if (oclmm_check(program, &options, &error, &answer) < 0)
		return;
	table.variants++;
	sites_find(&sites, program);
	for (size_t i = 0; i < sites.count; i++)
		for (size_t s = 0; s < SIDE_COUNT; s++)
			if (is_of(&sites.list[i], &sides[s]))
				ask(answer, &sites, i, s);
	free(sites.list);
	oclmm_answer_destroy(answer);
}

static void ask_file(const struct oclmm_litmus *litmus, void *data)
{
	(void)data;
	/* the models are of threads, and know no commands, copies, child kernels and images; where
	 * operands alone differ, orders do not */
	if (oclmm_program_has_commands(litmus->variants[0].program) ||
	    strstr(litmus->path, "/values/") != NULL)
		return;
	for (uint32_t i = 0; i < litmus->variant_count; i++) {
		struct oclmm_arena *arena;

		if (!lines_choose(&table.lines, litmus->variants[i].name) ||
		    oclmm_program_has_copies(litmus->variants[i].program) ||
		    oclmm_program_has_children(litmus->variants[i].program) ||
		    oclmm_program_has_images(litmus->variants[i].program) ||
		    litmus->variants[i].program->shared)
			continue;
		arena = oclmm_arena_create();
		ask_program(oclmm_program_copy(arena, litmus->variants[i].program));
		oclmm_arena_destroy(arena);
	}
}

/* ---- arguments --------------------------------------------------------------------- */

static char *trim(char *text)
{
	char *end;

	text += strspn(text, " \t");
	for (end = text + strlen(text); end > text && strchr(" \t\r", end[-1]); end--)
		end[-1] = '\0';
	return text;
}

static void read_arguments(const char *path, char *text)
{
	char *rest = text;

	for (uint32_t number = 1; rest; number++) {
		char *line = rest, *fields[4];
		struct argument argument = {.line = number};
		unsigned count = 0;

		rest = strchr(line, '\n');
		if (rest)
			*rest++ = '\0';
		line = trim(line);
		if (!*line || *line == '#')
			continue;
		for (; line && count < 4; count++) {
			char *bar = count < 3 ? strstr(line, " | ") : NULL;

			if (bar) {
				*bar = '\0';
				bar += 3;
			}
			fields[count] = trim(line);
			line = bar;
		}
		if (count < 4 || !*fields[3]) {
			complain(path, "line %u has no side, form, machine and argument", number);
			continue;
		}
		if (strncmp(fields[3], "open:", 5) == 0) {
			complain(path, "line %u leaves its holes open", number);
			continue;
		}
		argument.side = fields[0];
		argument.form = fields[1];
		argument.machine = fields[2];
		argument.text = fields[3];
		oclmm_grow(&table.arguments, &table.argument_capacity, table.argument_count,
		           sizeof(argument));
		table.arguments[table.argument_count++] = argument;
	}
}

/* The first line that a hole fits. */
static struct argument *find_argument(const char *side, const char *form, const char *machine)
{
	for (size_t i = 0; i < table.argument_count; i++) {
		struct argument *a = &table.arguments[i];

		if (oclmm_pattern_matches(a->side, side) && oclmm_pattern_matches(a->form, form) &&
		    oclmm_pattern_matches(a->machine, machine))
			return a;
	}
	return NULL;
}

/* ---- what became of it ------------------------------------------------------------- */

static void judge_hole(const char *path, const char *side, const char *form, unsigned machine,
                       const struct cell *cell)
{
	struct argument *argument = find_argument(side, form, machine_name(machine));

	if (!argument) {
		complain(path,
		         "no line for the hole: %s | %s | %s (%u accesses, none of which shows it)",
		         side, form, machine_name(machine), cell->sites);
		return;
	}
	argument->holes++;
	table.argued++;
}

static void judge_row(const char *path, size_t side, size_t f)
{
	const struct cell *cells = table.cells[side][f];
	const char *example = "";
	char form[64];

	snprintf(form, sizeof(form), "%s=%s", forms[f].aspect, forms[f].value);
	if (table.all)
		printf("%-24s %-40s", sides[side].name, form);
	for (unsigned m = 0; m < table.machines; m++) {
		const struct cell *cell = &cells[m];
		bool same = cell->sites > 0 && cell->other == 0;

		if (table.all && cell->shown)
			printf(" %*u", (int)strlen(machine_name(m)), cell->shown);
		else if (table.all)
			printf(" %*s", (int)strlen(machine_name(m)), same ? "=" : "hole");
		if (cell->shown && !*example)
			example = cell->by;
		table.shown += cell->shown > 0;
		table.same += same;
		if (!cell->shown && !same)
			judge_hole(path, sides[side].name, form, m, cell);
	}
	if (table.all)
		printf("  %s\n", example);
}

static void judge_table(const char *path)
{
	if (table.all) {
		printf("%-24s %-40s", "side", "form");
		for (unsigned m = 0; m < table.machines; m++)
			printf(" %*s", (int)strlen(machine_name(m)), machine_name(m));
		printf("  example\n");
	}
	for (size_t s = 0; s < SIDE_COUNT; s++)
		for (size_t f = 0; f < FORM_COUNT; f++)
			if (is_possible(&sides[s], &forms[f]))
				judge_row(path, s, f);
	for (size_t i = 0; i < table.argument_count; i++)
		if (table.arguments[i].holes == 0)
			complain(path, "line %u is of no hole", table.arguments[i].line);
	printf("%u variants, %u accesses weakened\n", table.variants, table.sites);
	printf("of %u cells %u shown, %u the same code, %u holes argued\n",
	       table.shown + table.same + table.argued, table.shown, table.same, table.argued);
}

int main(int argc, char **argv)
{
	size_t length;
	char *text;

	table.all = argc > 1 && strcmp(argv[1], "--table") == 0;
	argv += table.all;
	argc -= table.all;
	if (argc < 5) {
		fputs("usage: judge_holes [--table] FOLDER PROFILE ARGUMENTS MAP...\n", stderr);
		return 2;
	}
	table.trial.limit = 100000;
	if (oclmm_read_file(argv[3], &text, &length) != 0) {
		fprintf(stderr, "cannot read %s\n", argv[3]);
		return 1;
	}
	if (!trial_open(&table.trial, argv + 4, argc - 4, NULL))
		return 1;
	table.machines = table.trial.count + 1;
	lines_read(&table.lines, argv[1], argv[2]);
	read_arguments(argv[3], text);
	visit_folder(argv[1], ask_file, NULL);
	judge_table(argv[3]);
	free(table.arguments);
	free(text);
	lines_finish(&table.lines);
	trial_close(&table.trial);
	return complaints > 0;
}
