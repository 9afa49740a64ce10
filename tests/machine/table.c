// SPDX-License-Identifier: Apache-2.0
/*
 * usage: machine_table FILE MACHINE [dropped]
 *
 * Tables of assembly. Of a reader: which events a piece of code makes, or at which instruction it
 * is refused. Of a model: whether litmus tests of the machine end as they are published.
 *
 *     events NAME [VALUE...]      what its reads return, else 0
 *     	INSTRUCTION...
 *     = W x=1                     each event in a line: R, W, F; its tags, and what it depends on
 *
 *     refuse NAME
 *     	INSTRUCTION...
 *     = the message, or its beginning
 *
 *     allow NAME [groups 0 0 1]: 0:r0=0 1:r1=0 x=2         or `forbid`; with `waves` in place of
 *     P0                                                   `groups` each is one sub-group, too
 *     	INSTRUCTION...
 *
 *     unread NAME: 0:r0=0         code that cannot be judged, and why
 *     P0
 *     	INSTRUCTION...
 *     = the message
 *
 * A thread that another row has, too, and what many threads have, stand once:
 *
 *     piece NAME                  instructions; {t} is the number of the thread, from 1 on
 *     	INSTRUCTION...
 *
 *     P0 of NAME                  the thread of that number of an earlier row
 *     P1
 *     	+NAME                      the instructions of a piece
 *
 * Each thread has the objects x, y, z, w (int, global), and a, b (int, local) in the order of its
 * parameters, and behind them where results are stored, eight bytes for each of r0, r1, r2, r3.
 *
 * With `dropped` the model loses each of its checks and each side of each union, one after the
 * other, and some row has to come out otherwise; so the table shows that they are needed. What
 * makes no difference has a line, with its reason:
 *
 *     # makes no difference: NAME: PART: why
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "code.h"

enum { OBJECTS = 6, REGISTERS = 4, THREADS = 4, CHECKS = 12 };
static const char *const object_names[OBJECTS] = {"x", "y", "z", "w", "a", "b"};

struct row {
	char kind[16], name[64], rest[256];
	struct oclmm_text code[THREADS];
	unsigned threads;
	struct oclmm_text wanted;
	uint32_t line;
};

/* What rows take code from: `NAME`, or `P0 of NAME`. */
struct piece {
	char name[80];
	struct oclmm_text code;
};

struct table {
	const struct oclmm_machine *machine;
	struct piece *pieces;
	size_t piece_count, piece_capacity;
	const char *path;
	struct oclmm_cat_model *model;
	unsigned failed, rows, forbidden, shown;
	bool quiet;
	uint32_t groups[THREADS];
};

static void fail(struct table *table, const struct row *row, const char *what, const char *found)
{
	table->failed++;
	if (!table->quiet)
		fprintf(stderr, "%s:%u: %s %s: %s%s%s\n", table->path, row->line, row->kind,
		        row->name, what, *found ? "\n" : "", found);
}

/* ---- the program that all of them are -------------------------------------- */

struct made {
	struct oclmm_program program;
	struct oclmm_location locations[OBJECTS];
	struct oclmm_thread threads[THREADS];
	struct oclmm_parameter parameters[OBJECTS];
	struct oclmm_register registers[REGISTERS];
	struct oclmm_observable observables[CHECKS];
	char names[CHECKS][16];
	int64_t wanted[CHECKS];
};

static void make(struct made *made, unsigned threads, const uint32_t *groups)
{
	static int64_t zero;
	static const char *const registers[REGISTERS] = {"r0", "r1", "r2", "r3"};

	memset(made, 0, sizeof(*made));
	for (uint32_t i = 0; i < OBJECTS; i++) {
		made->locations[i] = (struct oclmm_location){.name = object_names[i],
		                                             .type = OCLMM_TYPE_INT,
		                                             .atomic = true,
		                                             .space = i < 4 ? OCLMM_SPACE_GLOBAL
		                                                            : OCLMM_SPACE_LOCAL,
		                                             .elements = 1,
		                                             .initial = &zero,
		                                             .first_cell = i};
		made->parameters[i] = (struct oclmm_parameter){.location = i,
		                                               .type = OCLMM_TYPE_INT,
		                                               .atomic = true};
	}
	for (uint32_t i = 0; i < REGISTERS; i++)
		made->registers[i] = (struct oclmm_register){.name = registers[i],
		                                             .type = OCLMM_TYPE_INT};
	for (uint32_t i = 0; i < threads; i++) {
		made->threads[i] = (struct oclmm_thread){.id = i,
		                                         .parameters = made->parameters,
		                                         .parameter_count = OBJECTS,
		                                         .registers = made->registers,
		                                         .register_count = REGISTERS};
		made->threads[i].placement.work_group = groups[i];
	}
	made->program = (struct oclmm_program){.name = "table",
	                                       .file = "",
	                                       .locations = made->locations,
	                                       .location_count = OBJECTS,
	                                       .cell_count = OBJECTS,
	                                       .threads = made->threads,
	                                       .thread_count = threads,
	                                       .observables = made->observables};
}

/* `0:r0=1` or `x=2`. */
static bool add_check(struct made *made, const char *word)
{
	unsigned n = made->program.observable_count;
	struct oclmm_observable *o = &made->observables[n];
	const char *equals = strchr(word, '=');

	if (!equals || n == CHECKS)
		return false;
	snprintf(made->names[n], sizeof(made->names[n]), "%.*s", (int)(equals - word), word);
	*o = (struct oclmm_observable){.type = OCLMM_TYPE_INT, .name = made->names[n]};
	made->wanted[n] = strtoll(equals + 1, NULL, 0);
	made->program.observable_count++;
	if (word[1] == ':' && word[2] == 'r') {
		o->is_register = true;
		o->thread = (uint32_t)(word[0] - '0');
		o->reg = (uint32_t)(word[3] - '0');
		return o->thread < made->program.thread_count && o->reg < REGISTERS;
	}
	for (uint32_t i = 0; i < OBJECTS; i++) {
		if (strcmp(object_names[i], made->names[n]) == 0) {
			o->location = i;
			return true;
		}
	}
	return false;
}

/* ---- readers ------------------------------------------------------------------ */

static void add_set(struct oclmm_text *text, const char *word, uint64_t of)
{
	if (!of)
		return;
	oclmm_text_printf(text, " %s", word);
	for (unsigned i = 0; i < 64; i++) {
		if (of >> i & 1)
			oclmm_text_printf(text, "%u", i);
	}
}

static void print_events(struct oclmm_text *text, const struct oclmm_machine *machine,
                         const struct trace *trace)
{
	for (unsigned i = 0; i < trace->count; i++) {
		const struct trace_event *e = &trace->event[i];

		oclmm_text_printf(text, "%c", "RWFB"[e->kind]);
		if (e->kind <= TRACE_WRITE)
			oclmm_text_printf(text, " %s=%lld", object_names[e->cell],
			                  (long long)(int32_t)e->value);
		for (unsigned t = 0; NAME_COUNT + t < machine->name_count; t++) {
			if (e->tags >> t & 1)
				oclmm_text_printf(text, " %s", machine->names[NAME_COUNT + t].name);
		}
		if (e->scope != OCLMM_SCOPE_ALL_SVM_DEVICES)
			oclmm_text_printf(text, " @%s", oclmm_scope_short(e->scope));
		if (e->kind == TRACE_BARRIER)
			oclmm_text_printf(text, "%s%s", e->sub_group ? " sub-group" : "",
			                  e->orders ? " orders" : "");
		if (e->partner >= 0)
			oclmm_text_printf(text, " rmw%d", e->partner);
		add_set(text, "addr", e->address_of);
		add_set(text, "data", e->data_of);
		add_set(text, "ctrl", e->control_of);
		oclmm_text_add(text, "\n");
	}
}

static unsigned parse_values(const char *rest, uint64_t *ret_values)
{
	unsigned count = 0;
	char *end;

	while (*rest && count < TRACE_EVENTS) {
		long long value = strtoll(rest, &end, 0);

		if (end == rest)
			break;
		ret_values[count++] = (uint64_t)value;
		rest = end;
	}
	return count;
}

static void check_reader(struct table *table, struct row *row)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct code_function function = {0};
	struct code_cell cells[OBJECTS];
	struct code_place place = {.function = &function,
	                           .convention = &table->machine->convention,
	                           .cells = cells,
	                           .cell_count = OBJECTS,
	                           .parameter_count = OBJECTS + 1};
	uint64_t values[TRACE_EVENTS] = {0};
	struct oclmm_text found = {0};
	struct oclmm_error error = {0};
	struct oclmm_assembly *assembly;
	uint32_t cell, line;
	struct trace trace;
	const char *text;
	int r;

	for (uint32_t i = 0; i < OBJECTS; i++) {
		cells[i] = (struct code_cell){.address = 0x100000 + i * 0x10000, .bytes = 4};
		place.parameter[i].value = cells[i].address;
		place.parameter[i].bytes = i < 4 ? 8 : table->machine->convention.local_bytes;
	}
	place.parameter[OBJECTS].value = RESULTS_ADDRESS;
	place.parameter[OBJECTS].bytes = 8;
	parse_values(row->rest, values);
	/* with the text itself for what it calls, and for numbers that stand behind labels */
	assembly = oclmm_assembly_create(table->machine, oclmm_text_string(&row->code[0]),
	                                 row->code[0].length);
	text = assembly->text;
	r = oclmm_code_read(table->machine, assembly, NULL, text, strlen(text), arena, &error,
	                    &function);
	if (r < 0) {
		oclmm_text_printf(&found, "%s\n", error.message);
	} else {
		enum trace_end end = oclmm_code_run(&place, values, TRACE_EVENTS, &trace, &cell,
		                                    &line);

		if (end == TRACE_ENDED)
			print_events(&found, table->machine, &trace);
		else
			oclmm_text_add(&found, end == TRACE_CUT     ? "cut\n"
			                       : end == TRACE_STALE ? "stale\n"
			                       : end == TRACE_PART  ? "a part\n"
			                                            : "astray\n");
	}
	if ((strcmp(row->kind, "refuse") == 0) != (r < 0) ||
	    strcmp(oclmm_text_string(&found), oclmm_text_string(&row->wanted)) != 0)
		fail(table, row, "it makes", oclmm_text_string(&found));
	oclmm_text_finish(&found);
	oclmm_assembly_destroy(assembly);
	oclmm_arena_destroy(arena);
}

/* ---- models -------------------------------------------------------------------- */

static bool is_wanted(void *data, const int64_t *values)
{
	const struct made *made = data;

	return memcmp(values, made->wanted, made->program.observable_count * sizeof(*values)) == 0;
}

static const char *parse_groups(const char *rest, uint32_t *groups, bool *ret_waves)
{
	char *end;

	for (uint32_t i = 0; i < THREADS; i++)
		groups[i] = i;
	*ret_waves = strncmp(rest, "waves", 5) == 0;
	if (!*ret_waves && strncmp(rest, "groups", 6) != 0)
		return rest;
	rest += *ret_waves ? 5 : 6;
	for (unsigned i = 0; i < THREADS; i++) {
		unsigned long group = strtoul(rest, &end, 10);

		if (end == rest)
			break;
		groups[i] = (uint32_t)group;
		rest = end;
	}
	return rest;
}

/* The search that ends at the first one finds one where there is one. */
static void check_first(struct table *table, const struct row *row,
                        const struct oclmm_assembly *assembly, const struct oclmm_program *program,
                        const char *const *functions, struct oclmm_machine_options options,
                        const struct oclmm_machine_answer *whole)
{
	struct oclmm_machine_answer *answer;
	struct oclmm_error error = {0};

	options.first = true;
	if (oclmm_machine_judge(assembly, program, functions, &options, &error, &answer) < 0) {
		fail(table, row, error.message, "");
		return;
	}
	if (answer->count != (whole->count > 0) || answer->candidates > whole->candidates)
		fail(table, row, "comes out otherwise where the first one suffices", "");
	oclmm_machine_answer_destroy(answer);
}

static void check_model(struct table *table, struct row *row)
{
	static struct made made;
	const char *const functions[THREADS] = {"P0", "P1", "P2", "P3"};
	bool allow = strcmp(row->kind, "allow") == 0, shown;
	struct oclmm_machine_options options = {
		.model = table->model, .wanted = is_wanted, .data = &made, .wide = table->quiet};
	struct oclmm_machine_answer *answer;
	struct oclmm_assembly *assembly;
	struct oclmm_text text = {0};
	struct oclmm_error error = {0};
	uint32_t groups[THREADS];
	bool waves;
	char *checks = oclmm_strdup(parse_groups(row->rest, groups, &waves)), *at = checks, *word;
	int r;

	make(&made, row->threads, groups);
	for (unsigned t = 0; t < row->threads && waves; t++)
		made.threads[t].placement.sub_group_given = true;
	while ((word = strsep(&at, " :\t"))) {
		/* the colon of `0:r0` is no divider */
		if (strlen(word) == 1 && at && *at == 'r') {
			char whole[32];

			snprintf(whole, sizeof(whole), "%s:%s", word, strsep(&at, " \t"));
			if (!add_check(&made, whole))
				fail(table, row, "cannot read", whole);
		} else if (*word && !add_check(&made, word)) {
			fail(table, row, "cannot read", word);
		}
	}
	free(checks);
	for (unsigned t = 0; t < row->threads; t++)
		oclmm_text_printf(&text,
		                  table->machine->entries ? ".visible .entry P%u(\n)\n{\n%s}\n"
		                                          : "P%u:\n%s",
		                  t, oclmm_text_string(&row->code[t]));
	assembly = oclmm_assembly_create(table->machine, oclmm_text_string(&text), text.length);
	r = oclmm_machine_judge(assembly, &made.program, functions, &options, &error, &answer);
	shown = r == 0 && answer->count;
	table->forbidden += strcmp(row->kind, "forbid") == 0;
	if (strcmp(row->kind, "unread") == 0) {
		struct oclmm_text said = {0};

		oclmm_text_printf(&said, "%s\n", r < 0 ? error.message : "nothing");
		if (strcmp(oclmm_text_string(&said), oclmm_text_string(&row->wanted)) != 0)
			fail(table, row, "it says", oclmm_text_string(&said));
		oclmm_text_finish(&said);
	} else if (r < 0)
		fail(table, row, error.message, error.source);
	else if (shown != allow)
		fail(table, row, shown ? "is allowed" : "is forbidden", "");
	if (r == 0 && !table->quiet)
		check_first(table, row, assembly, &made.program, functions, options, answer);
	if (r == 0)
		oclmm_machine_answer_destroy(answer);
	oclmm_assembly_destroy(assembly);
	oclmm_text_finish(&text);
}

/* ---- the file ------------------------------------------------------------------ */

static struct oclmm_text *add_piece(struct table *table, const char *name)
{
	struct piece *piece;

	oclmm_grow(&table->pieces, &table->piece_capacity, table->piece_count,
	           sizeof(*table->pieces));
	piece = &table->pieces[table->piece_count++];
	memset(piece, 0, sizeof(*piece));
	snprintf(piece->name, sizeof(piece->name), "%s", name);
	return &piece->code;
}

/* Adds a piece to the code of a thread. */
static void take_piece(const struct table *table, const char *name, unsigned thread,
                       struct oclmm_text *code)
{
	const char *at = NULL, *mark;

	for (size_t i = 0; i < table->piece_count && !at; i++)
		if (strcmp(table->pieces[i].name, name) == 0)
			at = oclmm_text_string(&table->pieces[i].code);
	if (!at) {
		fprintf(stderr, "%s: there is no %s above its use\n", table->path, name);
		exit(2);
	}
	for (; (mark = strstr(at, "{t}")); at = mark + strlen("{t}"))
		oclmm_text_printf(code, "%.*s%u", (int)(mark - at), at, thread + 1);
	oclmm_text_add(code, at);
}

static void check_row(struct table *table, struct row *row, bool models_only)
{
	bool reader = strcmp(row->kind, "events") == 0 || strcmp(row->kind, "refuse") == 0;

	if (*row->kind && !(reader && models_only)) {
		table->rows++;
		if (reader)
			check_reader(table, row);
		else
			check_model(table, row);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		char name[80];

		snprintf(name, sizeof(name), "P%u of %s", i, row->name);
		if (i < row->threads && !reader)
			*add_piece(table, name) = row->code[i];
		else
			oclmm_text_finish(&row->code[i]);
	}
	oclmm_text_finish(&row->wanted);
}

static void free_pieces(struct table *table)
{
	for (size_t i = 0; i < table->piece_count; i++)
		oclmm_text_finish(&table->pieces[i].code);
	free(table->pieces);
}

static void begin_row(struct row *row, const char *line, uint32_t number)
{
	int used = 0;

	memset(row, 0, sizeof(*row));
	row->line = number;
	row->threads = 1;
	if (sscanf(line, "%15s %63[^: ]%n", row->kind, row->name, &used) < 2) {
		fprintf(stderr, "line %u: %s\n", number, line);
		exit(2);
	}
	line += used;
	line += *line == ':';
	while (*line == ' ')
		line++;
	snprintf(row->rest, sizeof(row->rest), "%s", line);
}

static void read_table(struct table *table, char *text, size_t length, bool models_only)
{
	struct oclmm_text *piece = NULL; /* that is being read */
	struct oclmm_lines lines;
	struct row row = {0};

	oclmm_lines_begin(&lines, table->path, text, length);
	while (oclmm_lines_next(&lines)) {
		char line[512];

		snprintf(line, sizeof(line), "%.*s", (int)lines.length, lines.line);
		if (!*line || *line == '#')
			continue;
		if (*line != '\t')
			piece = NULL;
		if (piece) {
			oclmm_text_printf(piece, "%s\n", line);
		} else if (strncmp(line, "piece ", 6) == 0) {
			check_row(table, &row, models_only);
			memset(&row, 0, sizeof(row));
			piece = add_piece(table, line + 6);
		} else if (strncmp(line, "\t+", 2) == 0) {
			take_piece(table, line + 2, row.threads - 1, &row.code[row.threads - 1]);
		} else if (*line == 'P' && strncmp(line + 2, " of ", 4) == 0) {
			row.threads = (unsigned)(line[1] - '0') + 1;
			take_piece(table, line, row.threads - 1, &row.code[row.threads - 1]);
		} else if (*line == '\t') {
			oclmm_text_printf(&row.code[row.threads - 1], "%s\n", line);
		} else if (strncmp(line, "= ", 2) == 0) {
			oclmm_text_printf(&row.wanted, "%s\n", line + 2);
		} else if (*line == '.' || *line == '$' || strncmp(line, "BB", 2) == 0) {
			oclmm_text_printf(&row.code[row.threads - 1], "%s\n", line);
		} else if (*line == 'P' && line[2] == '\0') {
			row.threads = (unsigned)(line[1] - '0') + 1;
		} else {
			check_row(table, &row, models_only);
			begin_row(&row, line, lines.number);
		}
	}
	check_row(table, &row, models_only);
}

/* ---- alternatives of a model --------------------------------------------------- */

/* One of several between bars, at any depth of brackets: text[from..to), bars not among it. */
struct alternative {
	size_t from, to;
	bool last;       /* of its union */
	unsigned within; /* brackets */
	size_t begin;    /* of the innermost bracket */
};

enum { ALTERNATIVES_MOST = 256, DEPTH_MOST = 16 };

struct unions {
	struct alternative items[ALTERNATIVES_MOST];
	unsigned count;
	size_t from[DEPTH_MOST]; /* where the alternative at hand begins, in each bracket */
	bool barred[DEPTH_MOST]; /* whether a bar stands before it */
	size_t begin[DEPTH_MOST];
	unsigned depth;
};

static void end_alternative(struct unions *u, size_t to, bool last)
{
	if ((!last || u->barred[u->depth]) && u->count < ALTERNATIVES_MOST)
		u->items[u->count++] = (struct alternative){.from = u->from[u->depth],
		                                            .to = to,
		                                            .last = last,
		                                            .within = u->depth,
		                                            .begin = u->begin[u->depth]};
	u->barred[u->depth] = !last;
	u->from[u->depth] = to + 1;
}

static bool is_word_character(char c)
{
	return isalnum((unsigned char)c) || strchr("_-.", c);
}

/* The length of a word that ends what stands before it, or 0. */
static size_t boundary(const char *text, size_t at)
{
	static const char *const words[] = {"let",         "with",  "from",   "as",
	                                    "irreflexive", "empty", "acyclic"};

	if (text[at] == '=')
		return 1;
	for (size_t n = 0; (at == 0 || !is_word_character(text[at - 1])) && n < OCLMM_COUNT(words);
	     n++) {
		size_t length = strlen(words[n]);

		if (strncmp(text + at, words[n], length) == 0 &&
		    !is_word_character(text[at + length]))
			return length;
	}
	return 0;
}

/* All alternatives of a model without comments. */
static void find_alternatives(const char *text, struct unions *u)
{
	memset(u, 0, sizeof(*u));
	for (size_t at = 0; text[at]; at++) {
		size_t length = u->depth ? 0 : boundary(text, at);

		if (length || !text[at + 1])
			end_alternative(u, at, true);
		if (length) {
			at += length - 1;
			u->from[0] = at + 1;
		} else if (strchr("([", text[at]) && u->depth + 1 < DEPTH_MOST) {
			u->from[++u->depth] = at + 1;
			u->begin[u->depth] = at;
			u->barred[u->depth] = false;
		} else if (text[at] == ',') {
			end_alternative(u, at, true);
		} else if (text[at] == '|') {
			end_alternative(u, at, false);
		} else if (strchr(")]", text[at]) && u->depth) {
			end_alternative(u, at, true);
			u->depth--;
		}
	}
}

/* The model without its comments. */
static void strip(struct oclmm_text *text, const char *cat)
{
	const char *open, *close;

	for (; (open = strstr(cat, "(*")) && (close = strstr(open, "*)")); cat = close + 2)
		oclmm_text_add_bytes(text, cat, (size_t)(open - cat));
	oclmm_text_add(text, cat);
}

/* Without blanks at its ends and lines within it. */
static void print_alternative(struct oclmm_text *text, const char *from, size_t length)
{
	while (length && isspace((unsigned char)*from)) {
		from++;
		length--;
	}
	while (length && isspace((unsigned char)from[length - 1]))
		length--;
	for (size_t i = 0; i < length; i++) {
		if (!isspace((unsigned char)from[i]))
			oclmm_text_add_bytes(text, from + i, 1);
		else if (!isspace((unsigned char)from[i - 1]))
			oclmm_text_add(text, " ");
	}
}

/* From an opening bracket to its closing one. */
static size_t bracket_length(const char *text)
{
	size_t length = 0;
	int depth = 0;

	do {
		depth += strchr("([", text[length]) != NULL;
		depth -= strchr(")]", text[length]) != NULL;
		length++;
	} while (depth && text[length]);
	return length;
}

/* What a part of the model is in: the name of a `let`, or of a check. */
static void print_owner(struct oclmm_text *text, const char *model, size_t at)
{
	static const char let[] = "let ", with[] = "with ", as[] = " as ";
	const char *begin = model + at, *name = NULL;

	while (begin > model && !name) {
		begin--;
		if (strncmp(begin, let, strlen(let)) == 0)
			name = begin + strlen(let);
		else if (strncmp(begin, with, strlen(with)) == 0)
			name = begin + strlen(with);
		else if (boundary(model, (size_t)(begin - model)) > 3 && (name = strstr(begin, as)))
			name += strlen(as);
	}
	for (; name && is_word_character(*name); name++)
		oclmm_text_add_bytes(text, name, 1);
	oclmm_text_add(text, ": ");
}

static const char excuse[] = "\n# makes no difference: ";

/* Whether the table has a line about what is left out: that it makes no difference, and why. */
static bool is_excused(const char *rows, const char *part)
{
	struct oclmm_text line = {0};
	bool found;

	/* the reason stands behind it */
	oclmm_text_printf(&line, "%s%s: ", excuse, part);
	found = strstr(rows, oclmm_text_string(&line));
	oclmm_text_finish(&line);
	return found;
}

static unsigned count_excuses(const char *rows)
{
	unsigned count = 0;

	for (const char *at = rows; (at = strstr(at, excuse)); at++)
		count++;
	return count;
}

/* Whether some row fails by a changed model. Returns false after a message where there is none. */
static bool fails(const struct table *whole, const char *cat, size_t cat_length, const char *check,
                  const char *rows, bool *ret_fails)
{
	struct table table = {.machine = whole->machine, .path = whole->path, .quiet = true};
	char *text = oclmm_strdup(rows);
	struct oclmm_error error = {0};
	bool made = oclmm_machine_cat(table.machine, "changed", cat, cat_length, &error,
	                              &table.model) == 0 &&
	            (!check || oclmm_cat_remove(table.model, check));

	if (made)
		read_table(&table, text, strlen(text), true);
	else
		fprintf(stderr, "%s: %s\n", check ? check : "changed", error.message);
	*ret_fails = table.failed != 0;
	free_pieces(&table);
	oclmm_cat_destroy(table.model);
	free(text);
	return made;
}

static unsigned judge_dropped(const struct table *table, const char *rows, const char *part,
                              bool failed, unsigned *excuse_count)
{
	bool excused = is_excused(rows, part);

	*excuse_count += excused;
	if (failed != excused)
		return 0;
	fprintf(stderr, "%s: without `%s` %s\n", table->path, part,
	        failed ? "a row fails, though the table says that none does" : "no row fails");
	return 1;
}

/* Each check dropped, and each alternative of each union, one after the other: some row has to come
 * out otherwise. Returns how many are noticed by none and not excused, or the other way round. */
static unsigned drop_all(const struct table *table, const char *cat, const char *rows)
{
	static struct unions unions;
	struct oclmm_text plain = {0};
	const char *text, *at;
	unsigned bad = 0, checks = 0, excused = 0;
	bool failed;

	strip(&plain, cat);
	text = oclmm_text_string(&plain);
	for (at = text; (at = strstr(at, " as ")); at++) {
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(at + 4, " \n"), at + 4);
		bad += !fails(table, text, plain.length, name, rows, &failed) ||
		       judge_dropped(table, rows, name, failed, &excused);
		checks++;
	}
	find_alternatives(text, &unions);
	for (unsigned n = 0; n < unions.count; n++) {
		const struct alternative *a = &unions.items[n];
		struct oclmm_text changed = {0}, name = {0};

		oclmm_text_add_bytes(&changed, text, a->from - a->last);
		oclmm_text_add(&changed, text + a->to + !a->last);
		print_owner(&name, text, a->from);
		if (a->within) {
			print_alternative(&name, text + a->begin, bracket_length(text + a->begin));
			oclmm_text_add(&name, ": ");
		}
		print_alternative(&name, text + a->from, a->to - a->from);
		bad += !fails(table, oclmm_text_string(&changed), changed.length, NULL, rows,
		              &failed) ||
		       judge_dropped(table, rows, oclmm_text_string(&name), failed, &excused);
		oclmm_text_finish(&changed);
		oclmm_text_finish(&name);
	}
	if (excused != count_excuses(rows)) {
		fprintf(stderr, "%s: %u of its lines are about what the model has, of %u\n",
		        table->path, excused, count_excuses(rows));
		bad++;
	}
	if (!unions.count || !checks) {
		fprintf(stderr, "%s: the model has no unions or no checks\n", table->path);
		bad++;
	}
	oclmm_text_finish(&plain);
	return bad;
}

int main(int argc, char **argv)
{
	struct table table = {.path = argv[1]};
	struct oclmm_error error;
	const char *cat;
	char *text;
	size_t length;

	if (argc < 3 || !(table.machine = oclmm_machine_find(argv[2])) ||
	    oclmm_read_text(argv[1], &error, &text, &length) < 0) {
		fprintf(stderr, "no table or machine\n");
		return 2;
	}
	cat = oclmm_machine_model_text(table.machine);
	if (oclmm_machine_cat(table.machine, argv[2], cat, strlen(cat), &error, &table.model) < 0) {
		fprintf(stderr, "%s: %u: %s\n", argv[2], error.position.line, error.message);
		return 2;
	}
	if (argc == 4 && strcmp(argv[3], "dropped") == 0) {
		unsigned bad = drop_all(&table, cat, text);

		free(text);
		oclmm_cat_destroy(table.model);
		return bad != 0;
	}
	read_table(&table, text, length, false);
	free(text);
	free_pieces(&table);
	oclmm_cat_destroy(table.model);
	if (!table.rows || !table.forbidden) {
		fprintf(stderr, "%s has too few rows\n", argv[1]);
		return 1;
	}
	return table.failed != 0;
}
