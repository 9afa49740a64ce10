// SPDX-License-Identifier: Apache-2.0
/*
 * usage: machine_table FILE MACHINE [without CHECK | keep]
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
 * With `without CHECK` the model loses that check, and some `forbid` has to fail; so the table
 * shows that the check is needed.
 */
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
			oclmm_text_add(&found, end == TRACE_CUT ? "cut\n" : "astray\n");
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
	table->forbidden += !allow;
	if (r < 0)
		fail(table, row, error.message, error.source);
	else if (shown != allow)
		fail(table, row, shown ? "is allowed" : "is forbidden", "");
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
	if (argc == 5) {
		if (!oclmm_cat_remove(table.model, argv[4])) {
			fprintf(stderr, "%s has no check %s\n", argv[2], argv[4]);
			return 2;
		}
		table.quiet = true;
	}
	read_table(&table, text, length, table.quiet);
	free(text);
	for (size_t i = 0; i < table.piece_count; i++)
		oclmm_text_finish(&table.pieces[i].code);
	free(table.pieces);
	oclmm_cat_destroy(table.model);
	if (argc == 5) {
		if (!table.failed)
			fprintf(stderr, "no row of %s misses %s\n", argv[1], argv[4]);
		return !table.failed;
	}
	if (!table.rows || !table.forbidden) {
		fprintf(stderr, "%s has too few rows\n", argv[1]);
		return 1;
	}
	return table.failed != 0;
}
