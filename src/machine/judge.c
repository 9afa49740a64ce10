// SPDX-License-Identifier: Apache-2.0
/*
 * Which final states a machine lets the code of a test end in. The ways through each thread come
 * first, by what its reads may return; then those of all threads together, who reads from whom,
 * and in which order writes take effect; and each such execution that would end in a state that is
 * looked for is put before the model.
 */
#include "code.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	CELLS_MOST = 128,
	VALUES_MOST = 128,          /* of a cell, over all executions */
	TRACES_MOST = 20000,        /* of a thread */
	WRITES_MOST = 16,           /* to one cell in an execution */
	BLOCK_MOST = 0x800,         /* bytes */
	CHOICES_MOST = 100,         /* for each execution that may be looked at */
	STEPS_BETWEEN_LOOKS = 1024, /* at the clock, which takes longer than a step */
	LOOKS_FIRST = 500, /* executions before parts of them are looked at, which takes longer
	                      where there are few */
	NO_SOURCE = OCLMM_MACHINE_EVENTS,
	FOUND_FIRST = -EALREADY, /* ends the search, as an error would */
};

/* Iterates over the members of a set. */
#define FOR_EACH(index, set)                                                                       \
	for (uint64_t index##_left = (set), index;                                                 \
	     index##_left && ((index = (uint64_t)__builtin_ctzll(index##_left)), true);            \
	     index##_left &= index##_left - 1)

/* ---- the program's memory -------------------------------------------------- */

struct cell {
	uint32_t location, element;
	uint32_t part;  /* of the element, from its lowest bits on */
	uint32_t group; /* whose copy of a local object it is; 0 of others */
	uint64_t initial;
};

/*
 * The values that a thread writes to a cell, and the writes that each comes from: itself, and those
 * that gave what it depends on. A value may come in several ways, none of which has all of another.
 */
struct values {
	uint64_t value[VALUES_MOST];
	uint64_t origin[VALUES_MOST];
	unsigned count;
	unsigned writes; /* at most in one trace */
};

struct traces {
	struct trace *trace;
	size_t count, capacity;
};

struct judge {
	const struct oclmm_machine *machine;
	const struct oclmm_program *program;
	const struct oclmm_machine_options *options;
	struct oclmm_error *error;
	struct oclmm_arena *arena;
	struct oclmm_cat_model *model;
	uint8_t *parts; /* by location: in how many each element is stored; 0: it is one */
	bool parts_more;
	struct cell cells[CELLS_MOST];
	struct code_cell places[CELLS_MOST];
	uint32_t cell_count;
	uint32_t groups[OCLMM_MAX_THREADS]; /* of threads */
	struct code_function functions[OCLMM_MAX_THREADS];
	struct code_convention conventions[OCLMM_MAX_THREADS];
	struct code_place runs[OCLMM_MAX_THREADS];
	struct values *written; /* thread * cells */
	struct traces traces[OCLMM_MAX_THREADS];
	bool cut;
	uint64_t candidates, choices, steps;
	double deadline; /* by oclmm_thread_clock(); 0: none */
	int ended;       /* 0, or with what the search ends early */
	struct oclmm_machine_execution *found;
	size_t found_count, found_capacity;
	/* the names of instructions, for events */
	const char *text[OCLMM_MAX_THREADS];
	size_t length[OCLMM_MAX_THREADS];
};

static bool is_local(const struct oclmm_location *l)
{
	return l->space == OCLMM_SPACE_LOCAL;
}

static void find_groups(struct judge *j)
{
	for (uint32_t t = 0; t < j->program->thread_count; t++) {
		j->groups[t] = t;
		for (uint32_t other = 0; other < t; other++) {
			if (oclmm_same_work_group(&j->program->threads[t].placement,
			                          &j->program->threads[other].placement)) {
				j->groups[t] = j->groups[other];
				break;
			}
		}
	}
}

/* Whether an object of a test lies behind the one in front of it: what stores too much reaches it
 * there, and what takes objects at odd multiples of their size for others. */
static bool lies_behind(const struct judge *j, uint32_t location)
{
	const struct oclmm_location *l = j->program->locations;
	uint32_t before = location - 1;

	return !j->options->places && location % 2 == 1 && l[before].elements == 1 &&
	       l[before].space == l[location].space &&
	       oclmm_type_bits(l[before].type) == oclmm_type_bits(l[location].type) &&
	       oclmm_type_bits(l[location].type) < 64;
}

static uint64_t address_of(const struct judge *j, uint32_t block, uint32_t group)
{
	bool behind = lies_behind(j, block);

	return 0x100000 + (uint64_t)(block - behind) * 0x10000 + (uint64_t)group * BLOCK_MOST +
	       (behind ? oclmm_type_bits(j->program->locations[block].type) / 8 : 0);
}

/* The elements of an object of the program. */
static int add_cells(struct judge *j, uint32_t location, uint32_t group)
{
	const struct oclmm_location *l = &j->program->locations[location];
	const struct oclmm_machine_place *place = j->options->places ? &j->options->places[location]
	                                                             : NULL;
	uint32_t block = place ? place->block : location, offset = place ? place->offset : 0;
	unsigned parts = j->parts[location] ? j->parts[location] : 1;
	unsigned bytes = oclmm_type_bits(l->type) / 8 / parts;

	for (uint32_t i = 0; i < j->cell_count; i++) {
		if (j->cells[i].location == location && j->cells[i].group == group)
			return 0;
	}
	if (j->cell_count + l->elements * parts > CELLS_MOST ||
	    offset + l->elements * parts * bytes > BLOCK_MOST)
		return oclmm_error_set(j->error, -E2BIG, "too many objects");
	for (uint32_t e = 0; e < l->elements * parts; e++) {
		uint64_t initial = l->initial ? (uint64_t)l->initial[e / parts] : 0;

		j->places[j->cell_count] = (struct code_cell){
			.address = address_of(j, block, group) + offset + (uint64_t)e * bytes,
			.bytes = bytes,
			.is_part = parts > 1};
		j->cells[j->cell_count++] = (struct cell){.location = location,
		                                          .element = e / parts,
		                                          .part = e % parts,
		                                          .group = group,
		                                          .initial = initial >>
		                                                     (e % parts) * bytes * 8};
	}
	return 0;
}

static uint64_t in_bytes(uint64_t value, unsigned bytes)
{
	return bytes >= 8 ? value : value & ((UINT64_C(1) << bytes * 8) - 1);
}

/* The bits of a part where they stand in its element. */
static uint64_t in_part(const struct judge *j, uint32_t cell, uint64_t value)
{
	return j->cells[cell].part ? value << j->cells[cell].part * j->places[cell].bytes * 8
	                           : value;
}

/* The objects that lie in a block. `ret_address` is where it is for a thread. */
static int add_block(struct judge *j, uint32_t thread, uint32_t block, bool *ret_local,
                     uint64_t *ret_address)
{
	const struct oclmm_machine_place *places = j->options->places;
	uint32_t first = places ? 0 : block, end = places ? j->program->location_count : block + 1;
	uint32_t group = 0;
	int r = 0;

	*ret_local = false;
	for (uint32_t l = first; r == 0 && l < end; l++) {
		if (places && places[l].block != block)
			continue;
		*ret_local = is_local(&j->program->locations[l]);
		group = *ret_local ? j->groups[thread] : 0;
		r = add_cells(j, l, group);
	}
	*ret_address = address_of(j, block, group);
	return r;
}

static int add_pointer(struct judge *j, uint32_t thread, uint32_t block)
{
	struct code_place *run = &j->runs[thread];
	bool local;
	int r = add_block(j, thread, block, &local, &run->parameter[run->parameter_count].value);

	run->parameter[run->parameter_count++].bytes = local ? j->machine->convention.local_bytes
	                                                     : 8;
	return r;
}

/* The parameters of a thread's function, with room for two more. */
static int add_parameters(struct judge *j, uint32_t thread)
{
	const struct oclmm_thread *of = &j->program->threads[thread];
	const struct oclmm_machine_parameter *given = j->options->parameters;
	struct code_place *run = &j->runs[thread];
	uint32_t count = given ? j->options->parameter_count : of->parameter_count;
	int r = 0;

	if (count + 1 > PARAMETERS_MOST)
		return oclmm_error_set(j->error, -E2BIG, "too many parameters");
	for (uint32_t p = 0; r == 0 && p < count; p++) {
		if (given && given[p].is_number) {
			/* where pointers of all kinds have eight bytes, so has each parameter */
			run->parameter[run->parameter_count].bytes =
				j->machine->convention.local_bytes == 8 ? 8 : given[p].bytes;
			run->parameter[run->parameter_count++].value = given[p].number;
			continue;
		}
		r = add_pointer(j, thread, given ? given[p].block : of->parameters[p].location);
	}
	return r;
}

static int lay_out(struct judge *j)
{
	int r = 0;

	find_groups(j);
	for (uint32_t t = 1; t < j->program->thread_count && j->machine->one_device; t++) {
		if (j->program->threads[t].placement.device !=
		    j->program->threads[0].placement.device)
			return oclmm_error_set(j->error, -ENXIO, "two devices");
	}
	for (uint32_t t = 0; r == 0 && t < j->program->thread_count; t++) {
		struct code_place *run = &j->runs[t];

		r = add_parameters(j, t);
		run->parameter[run->parameter_count].value = RESULTS_ADDRESS;
		run->parameter[run->parameter_count++].bytes = 8;
		if (j->options->numbers)
			run->numbers = j->options->numbers[t];
		run->whole_kernel = j->options->parameters != NULL;
		if (j->options->context_words) {
			run->context = j->options->context;
			run->context_words = j->options->context_words;
			if (run->parameter_count == PARAMETERS_MOST)
				return oclmm_error_set(j->error, -E2BIG, "too many parameters");
			run->parameter[run->parameter_count].value = CONTEXT_ADDRESS;
			run->parameter[run->parameter_count++].bytes = 8;
		}
		run->convention = &j->conventions[t];
		run->function = &j->functions[t];
	}
	for (uint32_t t = 0; t < j->program->thread_count; t++) {
		j->runs[t].cells = j->places;
		j->runs[t].cell_count = j->cell_count;
	}
	for (uint32_t i = 0; i < j->cell_count; i++)
		j->cells[i].initial = in_bytes(j->cells[i].initial, j->places[i].bytes);
	return r;
}

/* The cell that is observed, or -1: no thread has the object, so that it stays as it was. */
static int observed_cell(const struct judge *j, const struct oclmm_observable *o)
{
	for (uint32_t i = 0; i < j->cell_count; i++) {
		if (j->cells[i].location == o->location && j->cells[i].element == o->element)
			return (int)i;
	}
	return -1;
}

/* Whether the caller, or the clock, ends the search. */
static int look_whether_ended(struct judge *j)
{
	if (!j->ended && j->options->ended) {
		j->ended = j->options->ended(j->options->data);
		if (j->ended)
			oclmm_error_set(j->error, j->ended, "interrupted");
	}
	if (!j->ended && j->deadline > 0 && oclmm_thread_clock() > j->deadline)
		j->ended = oclmm_error_set(j->error, -ETIME,
		                           "more than %.0f seconds of processor time",
		                           j->options->time_limit);
	return j->ended;
}

/* Also of steps that lead to no execution. */
static int take_step(struct judge *j)
{
	return j->steps++ % STEPS_BETWEEN_LOOKS == 0 ? look_whether_ended(j) : j->ended;
}

static int count_execution(struct judge *j)
{
	j->candidates++;
	return j->options->limit && j->candidates > j->options->limit
	               ? oclmm_error_set(j->error, -E2BIG, "too many executions")
	               : look_whether_ended(j);
}

/* What leads to executions is limited, too: most of it may lead to none. */
static int count_choice(struct judge *j)
{
	j->choices++;
	return j->options->limit && j->choices > CHOICES_MOST * j->options->limit
	               ? oclmm_error_set(j->error, -E2BIG, "too many executions")
	               : take_step(j);
}

/* ---- the ways through a thread ---------------------------------------------- */

static struct values *written_by(const struct judge *j, uint32_t thread, uint32_t cell)
{
	return &j->written[thread * j->cell_count + cell];
}

static bool has_value(const struct values *values, uint64_t value)
{
	for (unsigned i = 0; i < values->count; i++) {
		if (values->value[i] == value)
			return true;
	}
	return false;
}

/* The bits of a thread's writes, and that of its n-th one: 0 beyond those that have one, as if it
 * could come from anywhere. */
static uint64_t bits_of(const struct judge *j, uint32_t thread, unsigned first)
{
	unsigned each = 64 / j->program->thread_count;
	uint64_t bits = 0;

	for (unsigned i = first; i < each; i++)
		bits |= UINT64_C(1) << (thread * each + i);
	return bits;
}

static uint64_t bit_of(const struct judge *j, uint32_t thread, unsigned write)
{
	return bits_of(j, thread, write) & ~bits_of(j, thread, write + 1);
}

/* The origins of all writes of a trace, by event; `of_reads` has those of its reads, in their
 * order. */
static void find_origins(const struct judge *j, uint32_t thread, const struct trace *trace,
                         const uint64_t *of_reads, uint64_t *ret_origins)
{
	unsigned reads = 0, writes = 0;

	for (unsigned i = 0; i < trace->count; i++) {
		const struct trace_event *e = &trace->event[i];
		uint64_t of = e->data_of | e->address_of | e->control_of;

		ret_origins[i] = 0;
		if (e->kind == TRACE_READ)
			ret_origins[i] = of_reads[reads++];
		if (e->kind != TRACE_WRITE)
			continue;
		if (e->partner >= 0)
			of |= UINT64_C(1) << e->partner;
		ret_origins[i] = bit_of(j, thread, writes++);
		FOR_EACH (read, of)
			ret_origins[i] |= ret_origins[read];
	}
}

/* Returns whether it is new; negative where it is too much. */
static int add_value(struct values *values, uint64_t value, uint64_t origin)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < values->count; i++) {
		if (values->value[i] == value && !(values->origin[i] & ~origin))
			return 0;
	}
	for (unsigned i = 0; i < values->count; i++) {
		if (values->value[i] == value && !(origin & ~values->origin[i]))
			continue;
		values->value[kept] = values->value[i];
		values->origin[kept++] = values->origin[i];
	}
	values->count = kept;
	if (kept == VALUES_MOST)
		return -E2BIG;
	values->value[kept] = value;
	values->origin[kept] = origin;
	values->count++;
	return 1;
}

/* Notes what a trace writes. Returns whether that is new; negative where it is too much. */
static int note_writes(struct judge *j, uint32_t thread, const struct trace *trace,
                       const uint64_t *of_reads)
{
	unsigned count[CELLS_MOST] = {0};
	uint64_t origins[TRACE_EVENTS];
	int news = 0;

	find_origins(j, thread, trace, of_reads, origins);
	for (unsigned i = 0; i < trace->count; i++) {
		const struct trace_event *e = &trace->event[i];
		struct values *values;
		int r;

		if (e->kind != TRACE_WRITE)
			continue;
		values = written_by(j, thread, e->cell);
		if (++count[e->cell] > values->writes) {
			values->writes = count[e->cell];
			news = 1;
		}
		r = add_value(values, e->value, origins[i]);
		if (r < 0)
			return r;
		news |= r;
	}
	return news;
}

/*
 * What a read may return: the thread's own last write, or else what was there at the beginning; and
 * what others write, unless that comes from what the thread writes only later. What comes in
 * several ways comes from what they have in common, as far as anybody knows.
 */
static int choices_of(const struct judge *j, uint32_t thread, const struct trace *trace,
                      const uint64_t *of_reads, uint32_t cell, struct values *ret_choices)
{
	uint64_t origins[TRACE_EVENTS], own;
	unsigned writes = 0;

	ret_choices->count = 1;
	ret_choices->value[0] = j->cells[cell].initial;
	ret_choices->origin[0] = 0;
	find_origins(j, thread, trace, of_reads, origins);
	for (unsigned i = 0; i < trace->count; i++) {
		const struct trace_event *e = &trace->event[i];

		writes += e->kind == TRACE_WRITE;
		if (e->kind != TRACE_WRITE || e->cell != cell)
			continue;
		if (j->options->wide && ret_choices->count < VALUES_MOST)
			ret_choices->count++;
		ret_choices->value[ret_choices->count - 1] = e->value;
		ret_choices->origin[ret_choices->count - 1] = origins[i];
	}
	own = j->options->wide ? 0 : bits_of(j, thread, writes);
	for (uint32_t t = 0; t < j->program->thread_count; t++) {
		const struct values *values = written_by(j, t, cell);

		for (unsigned i = 0; t != thread && i < values->count; i++) {
			unsigned at = 0;

			if (values->origin[i] & own)
				continue;
			while (at < ret_choices->count &&
			       ret_choices->value[at] != values->value[i])
				at++;
			if (at == VALUES_MOST)
				return oclmm_error_set(j->error, -E2BIG, "too many values");
			if (at < ret_choices->count) {
				ret_choices->origin[at] &= values->origin[i];
				continue;
			}
			ret_choices->value[at] = values->value[i];
			ret_choices->origin[at] = values->origin[i];
			ret_choices->count++;
		}
	}
	return 0;
}

/*
 * Whether the reads of a cell change more often than there are writes of others: a loop that tries
 * again and again ends by that. Reads of one cell in one thread never go back in its coherence
 * order.
 */
static bool changes_too_often(const struct judge *j, uint32_t thread, const struct trace *trace,
                              uint32_t cell, uint64_t next)
{
	uint64_t last = j->cells[cell].initial;
	unsigned changes = 0, writes = 0;

	for (unsigned i = 0; i < trace->count; i++) {
		const struct trace_event *e = &trace->event[i];

		if (e->cell != cell || (e->kind != TRACE_READ && e->kind != TRACE_WRITE))
			continue;
		changes += e->kind == TRACE_READ && e->value != last;
		last = e->value;
	}
	changes += next != last;
	for (uint32_t t = 0; t < j->program->thread_count; t++)
		writes += t != thread ? written_by(j, t, cell)->writes : 0;
	/* where the model has no coherence of weak reads they do */
	return changes > (j->options->wide    ? 2 * writes + 2
	                  : j->machine->loose ? 2 * writes
	                                      : writes);
}

struct walk {
	struct judge *judge;
	uint32_t thread;
	uint64_t choices[TRACE_EVENTS], origins[TRACE_EVENTS];
	bool keeps;
	bool news;
	size_t ended;
};

static int refuse_access(const struct walk *w, const char *why, uint32_t line)
{
	struct judge *j = w->judge;
	struct oclmm_lines lines;

	oclmm_error_set(j->error, -ENOTSUP, "%s",
	                line ? why : "it goes on behind the end of its function");
	j->error->position.line = line;
	oclmm_lines_begin(&lines, "", j->text[w->thread], j->length[w->thread]);
	while (oclmm_lines_next(&lines)) {
		if (lines.number == line)
			snprintf(j->error->source, sizeof(j->error->source), "%.*s",
			         (int)lines.length, lines.line);
	}
	return -ENOTSUP;
}

static int keep_trace(struct walk *w, const struct trace *trace)
{
	struct judge *j = w->judge;
	const struct oclmm_thread *thread = &j->program->threads[w->thread];
	struct traces *traces = &j->traces[w->thread];
	int r;

	if (++w->ended > TRACES_MOST)
		return oclmm_error_set(j->error, -E2BIG, "too many ways through a thread");
	/* what was cut has no outcome, and yet what it wrote is seen by others */
	r = note_writes(j, w->thread, trace, w->origins);
	if (r < 0)
		return oclmm_error_set(j->error, r, "too many values");
	w->news |= r;
	if (!w->keeps || trace->results[thread->register_count])
		return 0;
	oclmm_grow(&traces->trace, &traces->capacity, traces->count, sizeof(*traces->trace));
	traces->trace[traces->count++] = *trace;
	return 0;
}

static int walk(struct walk *w, unsigned chosen)
{
	struct judge *j = w->judge;
	struct trace trace;
	struct values choices;
	uint32_t cell, line = 0;
	uint8_t *parts;
	int r = count_choice(j);

	if (r < 0)
		return r;
	switch (oclmm_code_run(&j->runs[w->thread], w->choices, chosen, &trace, &cell, &line)) {
	case TRACE_ENDED: return keep_trace(w, &trace);
	case TRACE_ASTRAY:
		return refuse_access(w, "an access that is of no object as a whole", line);
	case TRACE_PART:
		parts = &j->parts[j->cells[cell].location];
		*parts = *parts ? (uint8_t)(*parts * 2) : 2;
		j->parts_more = true;
		return refuse_access(w, "a store to a part of an object", line);
	case TRACE_MIXED: return refuse_access(w, "accesses of several sizes to one object", line);
	case TRACE_STALE:
		return refuse_access(w, "a load that may miss what its own work-item stored", line);
	case TRACE_CUT: j->cut = true; return 0;
	case TRACE_WAITS: return 0;
	case TRACE_ASKS: break;
	}
	if (chosen == TRACE_EVENTS) {
		j->cut = true;
		return 0;
	}
	r = choices_of(j, w->thread, &trace, w->origins, cell, &choices);
	for (unsigned i = 0; r == 0 && i < choices.count; i++) {
		if (changes_too_often(j, w->thread, &trace, cell, choices.value[i]))
			continue;
		w->choices[chosen] = choices.value[i];
		w->origins[chosen] = choices.origin[i];
		r = walk(w, chosen + 1);
	}
	return r;
}

static int walk_all(struct judge *j, bool keeps, bool *ret_news)
{
	int r = 0;

	*ret_news = false;
	for (uint32_t t = 0; r == 0 && t < j->program->thread_count; t++) {
		struct walk w = {.judge = j, .thread = t, .keeps = keeps};

		j->cut = keeps && j->cut;
		r = walk(&w, 0);
		*ret_news |= w.news;
	}
	return r;
}

/*
 * What reads may return is found in rounds: with what was written in one, reads of the next may
 * lead to other writes. No value comes out of thin air, so that the way of each leads from write to
 * write, and there are not more rounds than writes.
 */
static int find_traces(struct judge *j)
{
	unsigned rounds = 1;
	bool news = true;
	int r = 0;

	j->written = oclmm_calloc(j->program->thread_count * j->cell_count + 1,
	                          sizeof(*j->written));
	for (unsigned round = 0; r == 0 && news && round < rounds; round++) {
		r = walk_all(j, false, &news);
		rounds = 1;
		for (uint32_t i = 0; i < j->program->thread_count * j->cell_count; i++)
			rounds += j->written[i].writes;
	}
	j->cut = false;
	return r == 0 ? walk_all(j, true, &news) : r;
}

/* ---- an execution ------------------------------------------------------------ */

struct event {
	const struct trace_event *trace; /* NULL: an initial write, or a full fence that is tried */
	enum trace_kind kind;            /* no barriers: they are marks */
	int thread;
	uint32_t cell; /* marks: from the number of cells on */
	bool mark;
	unsigned tags;
	enum oclmm_scope scope;
	int partner; /* write of a read, or -1 */
	uint64_t value;
};

struct execution {
	struct judge *judge;
	const struct trace *chosen[OCLMM_MAX_THREADS];
	unsigned count;
	struct event event[OCLMM_MACHINE_EVENTS];
	unsigned place[OCLMM_MACHINE_EVENTS]; /* by event: a number that grows along its thread */
	int of_trace[OCLMM_MAX_THREADS][TRACE_EVENTS];
	unsigned source[OCLMM_MACHINE_EVENTS];
	uint64_t co[OCLMM_MACHINE_EVENTS];
	/* which read of a list is to be given its source next, and which cell its order */
	unsigned reads[OCLMM_MACHINE_EVENTS], read_count;
	int64_t *values;
	bool by_registers; /* the final state is known from registers alone */
	uint64_t relations[NAME_COUNT + TAGS_MOST][OCLMM_MACHINE_EVENTS];
};

static struct event *add(struct execution *x, enum trace_kind kind, int thread)
{
	struct event *e;

	if (x->count == OCLMM_MACHINE_EVENTS)
		return NULL;
	x->place[x->count] = x->count;
	e = &x->event[x->count++];
	*e = (struct event){.kind = kind, .thread = thread, .partner = -1};
	return e;
}

static bool meets(const struct judge *j, uint32_t a, uint32_t b, bool sub_group)
{
	return a != b && oclmm_same_group(&j->program->threads[a].placement,
	                                  &j->program->threads[b].placement, sub_group);
}

/* The barriers of a kind that a thread comes to. */
static unsigned barriers_of(const struct trace *trace, bool sub_group)
{
	unsigned count = 0;

	for (unsigned i = 0; i < trace->count; i++)
		count += trace->event[i].kind == TRACE_BARRIER &&
		         trace->event[i].half != HALF_COMES &&
		         trace->event[i].sub_group == sub_group;
	return count;
}

/* Threads that meet reach equally many barriers, or none gets past them. */
static bool all_meet(const struct execution *x)
{
	const struct judge *j = x->judge;

	for (uint32_t a = 0; a < j->program->thread_count; a++) {
		for (uint32_t b = 0; b < a; b++) {
			for (int sub = 0; sub < 2; sub++) {
				if (meets(j, a, b, sub) && barriers_of(x->chosen[a], sub) !=
				                                   barriers_of(x->chosen[b], sub))
					return false;
			}
		}
	}
	return true;
}

static uint32_t mark_cell(const struct judge *j, uint32_t thread, unsigned number, bool sub_group)
{
	return j->cell_count + ((uint32_t)number * 2 + sub_group) * OCLMM_MAX_THREADS + thread;
}

static struct event *add_part(struct execution *x, enum trace_kind kind, uint32_t thread,
                              const struct trace_event *e)
{
	struct event *part = add(x, kind, (int)thread);

	if (!part)
		return NULL;
	part->trace = e;
	part->scope = e->scope;
	return part;
}

static bool add_mark(struct execution *x, enum trace_kind kind, uint32_t thread,
                     const struct trace_event *e, uint32_t cell)
{
	struct event *mark = add_part(x, kind, thread, e);

	if (!mark)
		return false;
	mark->cell = cell;
	mark->mark = true;
	mark->value = 1;
	return true;
}

/*
 * At a barrier each work-item leaves a mark, and reads those of the others. Where the barrier
 * orders memory, a fence that releases stands before, and one that acquires behind. That is the
 * least that a runtime's function has to do, and no more is assumed of it.
 */
static bool add_barrier(struct execution *x, uint32_t thread, const struct trace_event *e,
                        unsigned number)
{
	const struct judge *j = x->judge;
	struct event *fence;

	if (e->orders && j->machine->barrier_entry) {
		fence = add_part(x, TRACE_FENCE, thread, e);
		if (!fence)
			return false;
		fence->tags = j->machine->barrier_entry;
	}
	if (e->half != HALF_WAITS &&
	    !add_mark(x, TRACE_WRITE, thread, e, mark_cell(j, thread, number, e->sub_group)))
		return false;
	for (uint32_t other = 0; e->half != HALF_COMES && other < j->program->thread_count;
	     other++) {
		if (meets(j, thread, other, e->sub_group) &&
		    !add_mark(x, TRACE_READ, thread, e, mark_cell(j, other, number, e->sub_group)))
			return false;
	}
	if (e->orders && j->machine->barrier_exit) {
		fence = add_part(x, TRACE_FENCE, thread, e);
		if (!fence)
			return false;
		fence->tags = j->machine->barrier_exit;
	}
	return true;
}

static bool add_thread(struct execution *x, uint32_t thread)
{
	const struct trace *trace = x->chosen[thread];
	unsigned barriers[2] = {0};

	for (unsigned i = 0; i < trace->count; i++) {
		const struct trace_event *e = &trace->event[i];
		struct event *to;

		x->of_trace[thread][i] = (int)x->count;
		if (e->kind == TRACE_BARRIER) {
			if (!add_barrier(x, thread, e, barriers[e->sub_group]))
				return false;
			barriers[e->sub_group] += e->half != HALF_COMES;
			continue;
		}
		to = add(x, e->kind, (int)thread);
		if (!to)
			return false;
		to->trace = e;
		to->cell = e->cell;
		to->tags = e->tags;
		to->scope = e->scope;
		to->value = e->value;
	}
	for (unsigned i = 0; i < trace->count; i++) {
		if (trace->event[i].partner >= 0)
			x->event[x->of_trace[thread][i]].partner =
				x->of_trace[thread][trace->event[i].partner];
	}
	return true;
}

static bool gather_events(struct execution *x)
{
	const struct judge *j = x->judge;
	bool used[CELLS_MOST] = {false};

	x->count = 0;
	for (uint32_t t = 0; t < j->program->thread_count; t++) {
		for (unsigned i = 0; i < x->chosen[t]->count; i++) {
			if (x->chosen[t]->event[i].kind <= TRACE_WRITE)
				used[x->chosen[t]->event[i].cell] = true;
		}
	}
	for (uint32_t c = 0; c < j->cell_count; c++) {
		struct event *e = used[c] ? add(x, TRACE_WRITE, -1) : NULL;

		if (used[c] && !e)
			return false;
		if (e) {
			e->cell = c;
			e->value = j->cells[c].initial;
		}
	}
	for (uint32_t t = 0; t < j->program->thread_count; t++) {
		if (!add_thread(x, t))
			return false;
	}
	return true;
}

/* ---- what the model sees ------------------------------------------------------ */

static void put(struct execution *x, enum code_name name, unsigned a, unsigned b)
{
	x->relations[name][a] |= UINT64_C(1) << b;
}

static bool is_access(const struct event *e)
{
	return e->kind == TRACE_READ || e->kind == TRACE_WRITE;
}

static bool is_before(const struct execution *x, unsigned a, unsigned b)
{
	return x->event[a].thread >= 0 && x->event[a].thread == x->event[b].thread &&
	       x->place[a] < x->place[b];
}

static bool are_together(const struct execution *x, const struct event *a, const struct event *b,
                         enum oclmm_scope scope)
{
	const struct oclmm_placement *p, *q;

	if (a->thread < 0 || b->thread < 0)
		return false;
	if (a->thread == b->thread)
		return true;
	p = &x->judge->program->threads[a->thread].placement;
	q = &x->judge->program->threads[b->thread].placement;
	switch (scope) {
	case OCLMM_SCOPE_SUB_GROUP: return oclmm_same_sub_group(p, q);
	case OCLMM_SCOPE_WORK_GROUP: return oclmm_same_work_group(p, q);
	case OCLMM_SCOPE_DEVICE: return p->device == q->device;
	case OCLMM_SCOPE_ALL_SVM_DEVICES: return true;
	default: return false;
	}
}

static bool depends(const struct execution *x, uint64_t of, unsigned a)
{
	const struct event *e = &x->event[a];

	return e->trace && !e->mark && e->kind == TRACE_READ &&
	       of & UINT64_C(1) << (e->trace - x->chosen[e->thread]->event);
}

static void describe_dependencies(struct execution *x, unsigned a, unsigned b)
{
	const struct event *e = &x->event[b];

	if (!e->trace)
		return;
	if (depends(x, e->trace->address_of, a))
		put(x, NAME_ADDR, a, b);
	if (depends(x, e->trace->data_of, a))
		put(x, NAME_DATA, a, b);
	if (depends(x, e->trace->control_of, a))
		put(x, NAME_CTRL, a, b);
}

/* What is the same whatever reads from what. */
static void describe_pair(struct execution *x, unsigned a, unsigned b)
{
	const struct event *ea = &x->event[a], *eb = &x->event[b];
	bool one_cell = is_access(ea) && is_access(eb) && ea->cell == eb->cell;

	put(x, ea->thread == eb->thread ? NAME_INT : NAME_EXT, a, b);
	if (one_cell)
		put(x, NAME_LOC, a, b);
	if (is_before(x, a, b)) {
		put(x, NAME_PO, a, b);
		if (one_cell)
			put(x, NAME_PO_LOC, a, b);
		if (ea->kind == TRACE_READ && ea->partner == (int)b)
			put(x, NAME_RMW, a, b);
		describe_dependencies(x, a, b);
	}
	if (are_together(x, ea, eb, ea->scope))
		put(x, NAME_REACH, a, b);
	if (are_together(x, ea, eb, OCLMM_SCOPE_SUB_GROUP))
		put(x, NAME_SSG, a, b);
	if (are_together(x, ea, eb, OCLMM_SCOPE_WORK_GROUP))
		put(x, NAME_SWG, a, b);
}

static void describe_event(struct execution *x, unsigned a)
{
	const struct judge *j = x->judge;
	const struct event *e = &x->event[a];
	bool local = is_access(e) && !e->mark &&
	             is_local(&j->program->locations[j->cells[e->cell].location]);
	const bool sets[] = {
		[NAME_R] = e->kind == TRACE_READ,
		[NAME_W] = e->kind == TRACE_WRITE,
		[NAME_M] = is_access(e),
		[NAME_F] = e->kind == TRACE_FENCE,
		[NAME_IW] = e->thread < 0,
		[NAME_B] = e->mark,
		[NAME_LOCAL] = local,
	};

	for (unsigned i = 0; i < OCLMM_COUNT(sets); i++)
		x->relations[i][0] |= (uint64_t)sets[i] << a;
	for (unsigned i = 0; NAME_COUNT + i < j->machine->name_count; i++)
		x->relations[NAME_COUNT + i][0] |= (uint64_t)(e->tags >> i & 1) << a;
}

/* What stays as it is while sources and orders are chosen. */
static void describe_events(struct execution *x)
{
	for (unsigned i = 0; i < x->judge->machine->name_count; i++)
		memset(x->relations[i], 0, x->count * sizeof(x->relations[i][0]));
	for (unsigned a = 0; a < x->count; a++) {
		describe_event(x, a);
		for (unsigned b = 0; b < x->count; b++)
			describe_pair(x, a, b);
	}
}

/* What comes behind a write, or behind what a read reads from: all, and by threads. */
static void put_later(struct execution *x, enum code_name all, enum code_name external,
                      enum code_name internal, unsigned a, uint64_t later)
{
	x->relations[all][a] = later;
	x->relations[external][a] = later & x->relations[NAME_EXT][a];
	x->relations[internal][a] = later & x->relations[NAME_INT][a];
}

static void describe_choices(struct execution *x)
{
	for (unsigned a = 0; a < x->count; a++) {
		const struct event *e = &x->event[a];
		unsigned source = e->kind == TRACE_READ ? x->source[a] : NO_SOURCE;
		uint64_t readers = 0;

		for (unsigned b = 0; b < x->count; b++)
			readers |= (uint64_t)(x->event[b].kind == TRACE_READ && x->source[b] == a)
			           << b;
		put_later(x, NAME_RF, NAME_RFE, NAME_RFI, a, readers);
		put_later(x, NAME_CO, NAME_COE, NAME_COI, a, e->kind == TRACE_WRITE ? x->co[a] : 0);
		put_later(x, NAME_FR, NAME_FRE, NAME_FRI, a,
		          source != NO_SOURCE ? x->co[source] : 0);
	}
}

static bool is_consistent(struct execution *x)
{
	const struct judge *j = x->judge;
	const uint64_t *values[NAME_COUNT + TAGS_MOST];
	struct oclmm_cat_verdict verdict;

	for (unsigned i = 0; i < j->machine->name_count; i++)
		values[i] = x->relations[i];
	describe_choices(x);
	return oclmm_cat_evaluate(j->model, x->count, values, &verdict, NULL) == 0 &&
	       verdict.consistent;
}

/* ---- an execution that was looked for ------------------------------------------- */

static void add_fence(struct execution *x, unsigned behind, unsigned tags, unsigned step)
{
	struct event *fence = tags ? add(x, TRACE_FENCE, x->event[behind].thread) : NULL;

	if (!fence)
		return;
	fence->tags = tags;
	fence->scope = OCLMM_SCOPE_ALL_SVM_DEVICES;
	x->place[x->count - 1] = x->place[behind] + step;
}

/* Whether the model refuses it with full fences behind these events. */
static bool is_mended(const struct execution *x, const unsigned *behind, unsigned count)
{
	struct execution *y = oclmm_malloc(sizeof(*y));
	bool mended;

	*y = *x;
	for (unsigned i = 0; i < y->count; i++)
		y->place[i] *= FENCES_MOST + 1;
	for (unsigned i = 0; i < count; i++) {
		for (unsigned n = 0; n < FENCES_MOST; n++)
			add_fence(y, behind[i], y->judge->machine->full_fence[n], n + 1);
	}
	describe_events(y);
	mended = !is_consistent(y);
	free(y);
	return mended;
}

/* The events behind which a fence may stand: before another access of the thread, and not between
 * the halves of a read-modify-write or the reads of marks. */
static unsigned find_gaps(const struct execution *x, unsigned *ret_gaps)
{
	unsigned count = 0;

	for (unsigned i = 0; i + 1 < x->count; i++) {
		const struct event *e = &x->event[i], *next = &x->event[i + 1];

		if (e->thread >= 0 && e->thread == next->thread &&
		    (!e->trace || e->trace->line != next->trace->line))
			ret_gaps[count++] = i;
	}
	return count;
}

static void explain_gaps(const struct execution *x, struct oclmm_machine_execution *to)
{
	unsigned gaps[OCLMM_MACHINE_EVENTS], count = find_gaps(x, gaps);
	unsigned at[OCLMM_MACHINE_GAPS] = {0};

	for (unsigned size = 1; size <= OCLMM_MACHINE_GAPS && !to->gap_count; size++) {
		for (unsigned i = 0; i < size; i++)
			at[i] = i;
		while (size <= count) {
			unsigned behind[OCLMM_MACHINE_GAPS], i = size;

			for (unsigned k = 0; k < size; k++)
				behind[k] = gaps[at[k]];
			/* the next execution that is counted ends the search */
			if (look_whether_ended(x->judge))
				return;
			if (is_mended(x, behind, size)) {
				for (unsigned k = 0; k < size; k++) {
					to->gap[k].before = behind[k];
					to->gap[k].behind = behind[k] + 1;
				}
				to->gap_count = size;
				return;
			}
			while (i > 0 && at[i - 1] == count - size + i - 1)
				i--;
			if (i == 0)
				break;
			at[i - 1]++;
			for (; i < size; i++)
				at[i] = at[i - 1] + 1;
		}
	}
}

/* The instruction of a line, without its blanks. */
static void put_text(const struct judge *j, int thread, uint32_t number, char *ret_text)
{
	struct oclmm_lines lines;

	oclmm_lines_begin(&lines, "", j->text[thread], j->length[thread]);
	while (oclmm_lines_next(&lines)) {
		size_t n = 0;

		if (lines.number != number)
			continue;
		for (size_t i = 0; i < lines.length && n + 1 < OCLMM_MACHINE_TEXT; i++) {
			bool blank = lines.line[i] == ' ' || lines.line[i] == '\t';

			if (strncmp(lines.line + i, j->machine->comment,
			            strlen(j->machine->comment)) == 0)
				break;
			if (!blank)
				ret_text[n++] = lines.line[i];
			else if (n && ret_text[n - 1] != ' ')
				ret_text[n++] = ' ';
		}
		while (n && ret_text[n - 1] == ' ')
			n--;
		ret_text[n] = '\0';
	}
}

static void keep_execution(struct execution *x)
{
	struct judge *j = x->judge;
	struct oclmm_machine_execution *to;

	oclmm_grow(&j->found, &j->found_capacity, j->found_count, sizeof(*j->found));
	to = &j->found[j->found_count++];
	memset(to, 0, sizeof(*to));
	to->values = oclmm_arena_copy(j->arena, x->values,
	                              j->program->observable_count * sizeof(*x->values));
	to->count = x->count;
	for (unsigned i = 0; i < x->count; i++) {
		const struct event *e = &x->event[i];
		struct oclmm_machine_event *m = &to->event[i];

		m->kind = (enum oclmm_machine_event_kind)e->kind;
		m->thread = e->thread;
		m->barrier = e->mark;
		m->source = x->source[i];
		m->other = (uint32_t)(e->partner + 1);
		m->line = e->trace ? e->trace->line : 0;
		to->co[i] = x->co[i];
		if (is_access(e) && !e->mark) {
			const struct cell *cell = &j->cells[e->cell];

			m->location = cell->location;
			m->element = cell->element;
			m->value = oclmm_value_wrap(j->program->locations[cell->location].type,
			                            (int64_t)in_part(j, e->cell, e->value));
		}
		if (e->thread >= 0)
			put_text(j, e->thread, m->line, m->text);
	}
	if (!j->options->first)
		explain_gaps(x, to);
}

/* ---- choosing what reads from what ------------------------------------------------ */

static bool is_found(const struct judge *j, const int64_t *values)
{
	for (size_t i = 0; i < j->found_count; i++) {
		if (memcmp(j->found[i].values, values,
		           j->program->observable_count * sizeof(*values)) == 0)
			return true;
	}
	return false;
}

static bool is_looked_for(const struct execution *x)
{
	const struct judge *j = x->judge;

	return !is_found(j, x->values) && j->options->wanted(j->options->data, x->values);
}

/* What a cell holds in the end, and the other parts of its element, which come behind it. */
static uint64_t final_value(const struct execution *x, uint32_t first)
{
	const struct judge *j = x->judge;
	uint64_t value = 0;

	for (uint32_t c = first; c < j->cell_count && j->cells[c].part == c - first; c++) {
		uint64_t last = j->cells[c].initial;

		for (unsigned e = 0; e < x->count; e++)
			if (x->event[e].kind == TRACE_WRITE && x->event[e].cell == c && !x->co[e])
				last = x->event[e].value;
		value |= in_part(j, c, last);
	}
	return value;
}

/* Puts the final values of memory into the state. */
static void end_memory(struct execution *x)
{
	const struct judge *j = x->judge;

	for (uint32_t i = 0; i < j->program->observable_count; i++) {
		const struct oclmm_observable *o = &j->program->observables[i];
		int cell = o->is_register ? -1 : observed_cell(j, o);

		if (o->is_register)
			continue;
		if (cell < 0) {
			const struct oclmm_location *l = &j->program->locations[o->location];

			x->values[i] = l->initial ? l->initial[o->element] : 0;
			continue;
		}
		x->values[i] = oclmm_value_wrap(o->type, (int64_t)final_value(x, (uint32_t)cell));
	}
}

static int judge_execution(struct execution *x)
{
	struct judge *j = x->judge;
	int r;

	end_memory(x);
	if (!is_looked_for(x))
		return 0;
	r = count_execution(j);
	if (r == 0 && is_consistent(x)) {
		keep_execution(x);
		r = j->options->first ? FOUND_FIRST : 0;
	}
	return r;
}

/* Whether the model refuses what is known of an execution, which is looked at where there are many.
 * Returns 1 or 0, or -E2BIG. */
static int is_refused_already(struct execution *x)
{
	struct judge *j = x->judge;
	int r;

	if (!j->machine->grows || j->options->model || j->candidates <= LOOKS_FIRST)
		return 0;
	r = count_execution(j);
	return r < 0 ? r : !is_consistent(x);
}

/* Orders the writes of a cell: `left` are to be placed, behind those of `order`. */
static int order_cell(struct execution *x, uint32_t cell);

struct ordering {
	struct execution *x;
	uint32_t cell;
	unsigned order[WRITES_MOST], placed;
};

/* Whether other writes may come between the halves of an update; the model may refuse it then. */
static bool comes_between(const struct execution *x)
{
	return x->judge->options->wide || x->judge->machine->loose;
}

static int place_writes(struct ordering *o, uint64_t left)
{
	struct execution *x = o->x;
	int r = take_step(x->judge);

	if (r < 0)
		return r;
	if (!left) {
		for (unsigned i = 0; i < o->placed; i++) {
			x->co[o->order[i]] = 0;
			for (unsigned k = i + 1; k < o->placed; k++)
				x->co[o->order[i]] |= UINT64_C(1) << o->order[k];
		}
		if (o->placed > 2)
			r = is_refused_already(x);
		if (r == 0)
			r = order_cell(x, o->cell + 1);
		r = r > 0 ? 0 : r;
		for (unsigned i = 1; i < o->placed; i++)
			x->co[o->order[i]] = 0;
		return r;
	}
	FOR_EACH (w, left) {
		const struct event *e = &x->event[w];
		bool later = false;

		/* an update takes effect right behind what it read */
		if (!comes_between(x) && e->partner >= 0 &&
		    x->source[e->partner] != o->order[o->placed - 1])
			continue;
		/* of one thread in its order */
		FOR_EACH (v, left)
			later |= !x->judge->options->wide && v != w &&
			         is_before(x, (unsigned)v, (unsigned)w);
		if (later)
			continue;
		o->order[o->placed++] = (unsigned)w;
		r = place_writes(o, left & ~(UINT64_C(1) << w));
		o->placed--;
		if (r < 0)
			return r;
	}
	return r;
}

static int order_cell(struct execution *x, uint32_t cell)
{
	struct ordering o = {.x = x, .cell = cell};
	uint64_t writes = 0;

	if (cell == x->judge->cell_count)
		return judge_execution(x);
	for (unsigned i = 0; i < x->count; i++) {
		const struct event *e = &x->event[i];

		if (e->kind != TRACE_WRITE || e->cell != cell)
			continue;
		if (e->thread < 0)
			o.order[o.placed++] = i;
		else
			writes |= UINT64_C(1) << i;
	}
	if (!o.placed)
		return order_cell(x, cell + 1);
	if (__builtin_popcountll(writes) >= WRITES_MOST)
		return oclmm_error_set(x->judge->error, -E2BIG, "too many writes");
	return place_writes(&o, writes);
}

/* Two updates read from one write, or one from its own: neither is one step. */
static bool is_one_step(const struct execution *x, unsigned read, unsigned write)
{
	if (x->event[read].partner < 0)
		return true;
	for (unsigned i = 0; i < x->read_count; i++) {
		unsigned other = x->reads[i];

		if (other == read)
			break;
		if (x->event[other].partner >= 0 && x->source[other] == write)
			return false;
	}
	return true;
}

static bool may_read(const struct execution *x, unsigned read, unsigned write)
{
	const struct event *r = &x->event[read], *w = &x->event[write];

	if (w->kind != TRACE_WRITE || w->cell != r->cell || w->value != r->value)
		return false;
	if (r->mark || x->judge->options->wide)
		return true;
	if (is_before(x, read, write) || (!comes_between(x) && !is_one_step(x, read, write)))
		return false;
	/* what the thread itself has written since, or over what was there at the beginning */
	for (unsigned i = 0; i < x->count; i++) {
		if (x->event[i].kind == TRACE_WRITE && x->event[i].cell == r->cell &&
		    is_before(x, i, read) && (w->thread < 0 || is_before(x, write, i)))
			return false;
	}
	return true;
}

static int choose_sources(struct execution *x, unsigned at)
{
	int r = 0;

	if (at == x->read_count)
		return order_cell(x, 0);
	r = count_choice(x->judge);
	for (unsigned w = 0; r == 0 && w < x->count; w++) {
		if (!may_read(x, x->reads[at], w))
			continue;
		x->source[x->reads[at]] = w;
		r = is_refused_already(x);
		if (r == 0)
			r = choose_sources(x, at + 1);
		r = r > 0 ? 0 : r;
	}
	x->source[x->reads[at]] = NO_SOURCE;
	return r;
}

/* ---- choosing a way for each thread ------------------------------------------------ */

static void end_registers(struct execution *x)
{
	const struct judge *j = x->judge;

	x->by_registers = true;
	for (uint32_t i = 0; i < j->program->observable_count; i++) {
		const struct oclmm_observable *o = &j->program->observables[i];

		x->by_registers &= o->is_register;
		if (o->is_register)
			x->values[i] = oclmm_value_wrap(
				o->type, (int64_t)x->chosen[o->thread]->results[o->reg]);
	}
}

static int judge_choice(struct execution *x)
{
	struct judge *j = x->judge;

	end_registers(x);
	if ((x->by_registers && !is_looked_for(x)) || !all_meet(x))
		return 0;
	if (!gather_events(x))
		return oclmm_error_set(j->error, -E2BIG, "more than %d events",
		                       OCLMM_MACHINE_EVENTS);
	x->read_count = 0;
	memset(x->co, 0, sizeof(x->co));
	for (unsigned i = 0; i < x->count; i++) {
		if (x->event[i].kind == TRACE_READ)
			x->reads[x->read_count++] = i;
		x->source[i] = NO_SOURCE;
		/* the first value comes before what is written */
		for (unsigned k = 0; k < x->count && x->event[i].thread < 0; k++) {
			if (k != i && x->event[k].kind == TRACE_WRITE &&
			    x->event[k].cell == x->event[i].cell)
				x->co[i] |= UINT64_C(1) << k;
		}
	}
	describe_events(x);
	return choose_sources(x, 0);
}

/* Whether each value that the last thread chosen reads comes from somewhere, and each that those
 * before it read and only it could write. */
static bool has_sources(const struct execution *x, uint32_t chosen)
{
	const struct judge *j = x->judge;

	for (uint32_t t = 0; t <= chosen; t++) {
		const struct trace *trace = x->chosen[t];

		for (unsigned i = 0; i < trace->count; i++) {
			const struct trace_event *e = &trace->event[i];
			bool found;

			if (e->kind != TRACE_READ)
				continue;
			found = e->value == j->cells[e->cell].initial;
			for (uint32_t o = 0; !found && o < j->program->thread_count; o++) {
				if (o > chosen) {
					found = has_value(written_by(j, o, e->cell), e->value);
					continue;
				}
				for (unsigned k = 0; !found && k < x->chosen[o]->count; k++) {
					const struct trace_event *w = &x->chosen[o]->event[k];

					found = w->kind == TRACE_WRITE && w->cell == e->cell &&
					        w->value == e->value && (o != t || k < i);
				}
			}
			if (!found)
				return false;
		}
	}
	return true;
}

static int choose_traces(struct execution *x, uint32_t thread)
{
	struct judge *j = x->judge;
	int r = 0;

	if (thread == j->program->thread_count)
		return judge_choice(x);
	for (size_t i = 0; r == 0 && i < j->traces[thread].count; i++) {
		x->chosen[thread] = &j->traces[thread].trace[i];
		r = count_choice(j);
		if (r == 0 && has_sources(x, thread))
			r = choose_traces(x, thread + 1);
	}
	return r;
}

/* ---- the whole --------------------------------------------------------------------- */

/* Forgets what was found of an object in one piece. */
static void begin_again(struct judge *j)
{
	free(j->written);
	j->written = NULL;
	for (uint32_t t = 0; t < j->program->thread_count; t++)
		j->traces[t].count = 0;
	memset(j->runs, 0, sizeof(j->runs));
	j->cell_count = 0;
	j->cut = j->parts_more = false;
}

/* The addresses of names in the code, for a thread. */
static int find_symbols(struct judge *j, uint32_t thread, struct code_symbols *symbols)
{
	int r = 0;

	symbols->count = j->options->symbol_count;
	symbols->items = OCLMM_NEW_ARRAY(j->arena, struct code_symbol, symbols->count + 1);
	for (unsigned i = 0; r == 0 && i < symbols->count; i++) {
		const struct oclmm_machine_symbol *s = &j->options->symbols[i];
		bool local;

		symbols->items[i].name = s->name;
		r = add_block(j, thread, s->block, &local, &symbols->items[i].address);
	}
	return r;
}

static int read_functions(struct judge *j, const struct oclmm_assembly *assembly,
                          const char *const *names)
{
	find_groups(j);
	for (uint32_t t = 0; t < j->program->thread_count; t++) {
		struct code_symbols symbols = {0};
		int r = find_symbols(j, t, &symbols);

		if (r < 0)
			return r;

		j->text[t] = oclmm_assembly_function(assembly, names[t], &j->length[t]);
		if (!j->text[t])
			return oclmm_error_set(j->error, -ENOTSUP, "no function %s", names[t]);
		r = oclmm_code_read(j->machine, assembly, &symbols, j->text[t], j->length[t],
		                    j->arena, j->error, &j->functions[t]);
		if (r < 0)
			return r;
		j->conventions[t] = j->machine->convention;
		if (j->machine->find_block)
			j->conventions[t].block = j->machine->find_block(assembly->text, names[t]);
		j->text[t] = j->functions[t].text;
		j->length[t] = j->functions[t].length;
	}
	return 0;
}

static int judge_program(struct judge *j, const struct oclmm_assembly *assembly,
                         const char *const *names)
{
	struct execution *x = oclmm_calloc(1, sizeof(*x));
	int r = read_functions(j, assembly, names);

	x->judge = j;
	x->values = oclmm_calloc(j->program->observable_count + 1, sizeof(*x->values));
	if (r == 0)
		r = lay_out(j);
	if (r == 0)
		r = find_traces(j);
	/* where an object is stored in parts, each is looked at as an object of its own */
	while (r == -ENOTSUP && j->parts_more) {
		begin_again(j);
		r = lay_out(j);
		if (r == 0)
			r = find_traces(j);
	}
	if (r == 0)
		r = choose_traces(x, 0);
	if (r == FOUND_FIRST)
		r = 0;
	if (r == 0)
		r = j->ended; /* while the last execution was explained */
	free(x->values);
	free(x);
	return r;
}

int oclmm_machine_cat(const struct oclmm_machine *machine, const char *path, const char *text,
                      size_t length, struct oclmm_error *error, struct oclmm_cat_model **ret_model)
{
	return oclmm_cat_parse(path, text, length, machine->names, machine->name_count, error,
	                       ret_model);
}

/* Whether the code of some thread asks for numbers of its work-item. */
static bool asks_for_numbers(const struct judge *j)
{
	for (uint32_t t = 0; t < j->program->thread_count; t++) {
		for (uint32_t i = 0; i < j->functions[t].count; i++) {
			const struct code *c = &j->functions[t].code[i];
			uint64_t which = (uint64_t)c->a.number - OCLMM_MACHINE_NUMBER;

			if (c->kind == CODE_NUMBER ||
			    (c->a.reg == NO_REGISTER && which < OCLMM_MACHINE_NUMBERS))
				return true;
		}
	}
	return false;
}

int oclmm_machine_judge(const struct oclmm_assembly *assembly, const struct oclmm_program *program,
                        const char *const *functions, const struct oclmm_machine_options *options,
                        struct oclmm_error *error, struct oclmm_machine_answer **ret_answer)
{
	const struct oclmm_machine *machine = assembly->machine;
	struct judge *j;
	struct oclmm_machine_answer *answer;
	int r = 0;

	if (program->thread_count > OCLMM_MAX_THREADS)
		return oclmm_error_set(error, -E2BIG,
		                       "%u work-items, and code of up to %d is judged",
		                       program->thread_count, OCLMM_MAX_THREADS);
	j = oclmm_calloc(1, sizeof(*j));
	j->machine = machine;
	j->program = program;
	j->options = options;
	j->error = error;
	j->arena = oclmm_arena_create();
	j->parts = oclmm_calloc(program->location_count + 1, sizeof(*j->parts));
	j->deadline = options->time_limit > 0 ? oclmm_thread_clock() + options->time_limit : 0;
	j->model = options->model;
	if (!j->model)
		r = oclmm_machine_cat(machine, machine->name, machine->cat, strlen(machine->cat),
		                      error, &j->model);
	if (r == 0)
		r = judge_program(j, assembly, functions);
	if (r == 0) {
		answer = OCLMM_NEW(j->arena, struct oclmm_machine_answer);
		answer->arena = j->arena;
		answer->count = j->found_count;
		answer->executions = oclmm_arena_copy(j->arena, j->found,
		                                      j->found_count * sizeof(*j->found));
		answer->cut = j->cut;
		answer->asks = asks_for_numbers(j);
		answer->candidates = j->candidates;
		*ret_answer = answer;
	} else {
		oclmm_arena_destroy(j->arena);
	}
	if (!options->model)
		oclmm_cat_destroy(j->model);
	for (uint32_t t = 0; t < program->thread_count; t++)
		free(j->traces[t].trace);
	free(j->parts);
	free(j->written);
	free(j->found);
	free(j);
	return r;
}

void oclmm_machine_answer_destroy(struct oclmm_machine_answer *answer)
{
	if (answer)
		oclmm_arena_destroy(answer->arena);
}
