// SPDX-License-Identifier: Apache-2.0
/* From assembly text to functions, and from these to code: what all readers share. */
#include "code.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- functions of a text -------------------------------------------------- */

struct function_text {
	char *name;
	const char *text;
	size_t length;
};

struct oclmm_assembly {
	const struct oclmm_machine *machine;
	char *text;
	struct function_text *functions;
	size_t count, capacity;
};

static bool is_label_character(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* The length of the label that the line is, or 0. */
static size_t label_length(const char *line, size_t length)
{
	size_t n = 0;

	while (n < length && is_label_character(line[n]))
		n++;
	return n && n < length && line[n] == ':' ? n : 0;
}

/* Of PTX: the name of the function whose head begins here, malloc-ed, or NULL. */
static char *entry_of(const char *line, size_t length)
{
	const char *at = memmem(line, length, ".entry ", 7);
	size_t n = 0;

	if (!at)
		return NULL;
	at += 7;
	while (at + n < line + length && is_label_character(at[n]))
		n++;
	return n ? strndup(at, n) : NULL;
}

static void begin_function(struct oclmm_assembly *assembly, struct function_text function)
{
	oclmm_grow(&assembly->functions, &assembly->capacity, assembly->count,
	           sizeof(*assembly->functions));
	assembly->functions[assembly->count++] = function;
}

static void end_function(struct oclmm_assembly *assembly, const char *end)
{
	struct function_text *last;

	if (!assembly->count)
		return;
	last = &assembly->functions[assembly->count - 1];
	if (!last->length)
		last->length = (size_t)(end - last->text);
}

/* What compilers write behind the last instruction. */
static bool is_end(const char *line, size_t length)
{
	static const char label[] = ".Lfunc_end";

	return (length >= sizeof(label) && strncmp(line, label, sizeof(label) - 1) == 0) ||
	       (length == 1 && *line == '}');
}

/* A label that the assembler does not keep to itself begins a function, and so does the head of an
 * entry; it goes on to the next one. */
static void cut(struct oclmm_assembly *assembly, size_t length)
{
	struct oclmm_lines lines;

	oclmm_lines_begin(&lines, "", assembly->text, length);
	while (oclmm_lines_next(&lines)) {
		size_t label = label_length(lines.line, lines.length);
		char *name = entry_of(lines.line, lines.length);

		if (!name && label && lines.line[0] != '.' && lines.line[0] != '$')
			name = strndup(lines.line, label);
		if (name || is_end(lines.line, lines.length))
			end_function(assembly, lines.line);
		if (name)
			begin_function(assembly,
			               (struct function_text){.name = name, .text = lines.line});
	}
	end_function(assembly, assembly->text + length);
}

struct oclmm_assembly *oclmm_assembly_create(const struct oclmm_machine *machine, const char *text,
                                             size_t length)
{
	struct oclmm_assembly *assembly = oclmm_calloc(1, sizeof(*assembly));

	assembly->machine = machine;
	assembly->text = oclmm_malloc(length + 1);
	memcpy(assembly->text, text, length);
	assembly->text[length] = '\0';
	cut(assembly, length);
	return assembly;
}

void oclmm_assembly_destroy(struct oclmm_assembly *assembly)
{
	if (!assembly)
		return;
	for (size_t i = 0; i < assembly->count; i++)
		free(assembly->functions[i].name);
	free(assembly->functions);
	free(assembly->text);
	free(assembly);
}

const struct oclmm_machine *oclmm_assembly_machine(const struct oclmm_assembly *assembly)
{
	return assembly->machine;
}

const char *oclmm_assembly_function(const struct oclmm_assembly *assembly, const char *name,
                                    size_t *ret_length)
{
	for (size_t i = 0; i < assembly->count; i++) {
		if (strcmp(assembly->functions[i].name, name) != 0)
			continue;
		*ret_length = assembly->functions[i].length;
		return assembly->functions[i].text;
	}
	return NULL;
}

/* ---- what readers call ---------------------------------------------------- */

struct label {
	char *name;
	size_t at;
};

struct jump {
	char *label;
	size_t at;
	struct asm_line line;
};

struct reader {
	const struct oclmm_machine *machine;
	struct code_function *function;
	const struct asm_line *line;
	struct oclmm_error *error;
	struct label *labels;
	size_t label_count, label_capacity;
	struct jump *jumps;
	size_t jump_count, jump_capacity;
	uint16_t temporaries; /* of the line at hand */
	uint64_t notes;
};

enum { FIRST_TEMPORARY = MACHINE_REGISTERS - 32 };

struct code *oclmm_code_add(struct reader *reader, enum code_kind kind)
{
	struct code_function *f = reader->function;

	oclmm_grow(&f->code, &f->capacity, f->count, sizeof(*f->code));
	f->code[f->count] = (struct code){
		.kind = kind,
		.width = 8,
		.guard = NO_REGISTER,
		.to = NO_REGISTER,
		.a = oclmm_code_number(0),
		.b = oclmm_code_number(0),
		.c = oclmm_code_number(0),
		.address = {.base = NO_REGISTER, .index = NO_REGISTER},
		.scope = OCLMM_SCOPE_ALL_SVM_DEVICES,
		.line = reader->line ? reader->line->number : 0,
	};
	return &f->code[f->count++];
}

static int refuse_line(struct oclmm_error *error, const struct asm_line *line, const char *why)
{
	int length = line->length > 100 ? 100 : (int)line->length;

	oclmm_error_set(error, -ENOTSUP, "%s%s%s", line->word, *why ? ": " : "", why);
	error->position.line = line->number;
	snprintf(error->source, sizeof(error->source), "%.*s", length, line->text);
	return -ENOTSUP;
}

int oclmm_code_refuse(struct reader *reader, const char *why)
{
	return refuse_line(reader->error, reader->line, why);
}

void oclmm_code_target(struct reader *reader, const char *label)
{
	oclmm_grow(&reader->jumps, &reader->jump_capacity, reader->jump_count,
	           sizeof(*reader->jumps));
	reader->jumps[reader->jump_count++] = (struct jump){.label = oclmm_strdup(label),
	                                                    .at = reader->function->count - 1,
	                                                    .line = *reader->line};
}

uint16_t oclmm_code_temporary(struct reader *reader)
{
	return (uint16_t)(FIRST_TEMPORARY + reader->temporaries++ % 32);
}

uint64_t *oclmm_code_notes(struct reader *reader)
{
	return &reader->notes;
}

struct code_operand oclmm_code_number(int64_t number)
{
	return (struct code_operand){.reg = NO_REGISTER, .number = number};
}

struct code_operand oclmm_code_value(uint16_t reg)
{
	return (struct code_operand){.reg = reg};
}

bool oclmm_code_parse_number(const char *text, int64_t *ret_number)
{
	bool negative = *text == '-';
	const char *digits = text + negative;
	unsigned long long value;
	char *end;

	if (!isdigit((unsigned char)*digits))
		return false;
	errno = 0;
	value = strtoull(digits, &end, strncmp(digits, "0x", 2) == 0 ? 16 : 10);
	if (*end || errno)
		return false;
	*ret_number = negative ? (int64_t)(0 - value) : (int64_t)value;
	return true;
}

/* ---- lines ----------------------------------------------------------------- */

static void trim(const char **text, size_t *length)
{
	while (*length && isspace((unsigned char)**text)) {
		(*text)++;
		(*length)--;
	}
	while (*length && isspace((unsigned char)(*text)[*length - 1]))
		(*length)--;
}

/* Returns false for a word that is too long. */
static bool keep_word(char *word, const char *text, size_t length)
{
	trim(&text, &length);
	if (length >= LINE_WORD)
		return false;
	memcpy(word, text, length);
	word[length] = '\0';
	return true;
}

static bool cut_operands(struct asm_line *line, const char *at, const char *end)
{
	while (at < end) {
		const char *begin = at;
		int depth = 0;

		for (; at < end && (depth || *at != ','); at++)
			depth += (*at == '(' || *at == '[' || *at == '{') -
			         (*at == ')' || *at == ']' || *at == '}');
		if (line->count == LINE_OPERANDS ||
		    !keep_word(line->operand[line->count++], begin, (size_t)(at - begin)))
			return false;
		at += at < end;
	}
	return true;
}

static bool cut_line(struct asm_line *line, const char *text, size_t length)
{
	size_t word = 0;

	line->text = text;
	line->length = length;
	line->count = 0;
	while (word < length && !isspace((unsigned char)text[word]))
		word++;
	if (!keep_word(line->word, text, word))
		return false;
	/* a prefix and its instruction are one word: `lock xaddl` */
	if (strcmp(line->word, "lock") == 0 || strcmp(line->word, "rep") == 0) {
		struct asm_line rest;
		char *at = line->word + strlen(line->word);

		while (word < length && isspace((unsigned char)text[word]))
			word++;
		if (!cut_line(&rest, text + word, length - word) ||
		    strlen(rest.word) + 8 > LINE_WORD)
			return false;
		*at++ = ' ';
		memcpy(at, rest.word, strlen(rest.word) + 1);
		memcpy(line->operand, rest.operand, sizeof(rest.operand));
		line->count = rest.count;
		return true;
	}
	return cut_operands(line, text + word, text + length);
}

/* Without the comment. */
static size_t code_length(const struct oclmm_machine *machine, const char *text, size_t length)
{
	const char *comment = memmem(text, length, machine->comment, strlen(machine->comment));

	return comment ? (size_t)(comment - text) : length;
}

static bool is_marker(const struct oclmm_machine *machine, const char *text, size_t length)
{
	return machine->marker && length == strlen(machine->marker) &&
	       strncmp(text, machine->marker, length) == 0;
}

static int read_line(struct reader *reader, const char *text, size_t length, uint32_t number)
{
	struct asm_line line = {.number = number};
	size_t label;
	int r;

	trim(&text, &length);
	if (!is_marker(reader->machine, text, length))
		length = code_length(reader->machine, text, length);
	trim(&text, &length);
	label = label_length(text, length);
	if (label) {
		oclmm_grow(&reader->labels, &reader->label_capacity, reader->label_count,
		           sizeof(*reader->labels));
		reader->labels[reader->label_count++] =
			(struct label){.name = strndup(text, label), .at = reader->function->count};
		return 0;
	}
	/* directives; of PTX some end in a semicolon */
	if (!length || *text == '.' || *text == '{' || *text == '}' || *text == '(' || *text == ')')
		return 0;
	if (text[length - 1] == ';')
		length--;
	reader->line = &line;
	reader->temporaries = 0;
	r = cut_line(&line, text, length) ? reader->machine->read(reader, &line)
	                                  : refuse_line(reader->error, &line, "too long");
	reader->line = NULL;
	return r;
}

static int resolve(struct reader *reader)
{
	for (size_t i = 0; i < reader->jump_count; i++) {
		const struct jump *jump = &reader->jumps[i];
		bool found = false;

		for (size_t l = 0; l < reader->label_count && !found; l++) {
			found = strcmp(reader->labels[l].name, jump->label) == 0;
			if (found)
				reader->function->code[jump->at].target =
					(uint32_t)reader->labels[l].at;
		}
		if (!found)
			return refuse_line(reader->error, &jump->line, "jumps out of its function");
	}
	return 0;
}

static void finish(struct reader *reader)
{
	for (size_t i = 0; i < reader->label_count; i++)
		free(reader->labels[i].name);
	for (size_t i = 0; i < reader->jump_count; i++)
		free(reader->jumps[i].label);
	free(reader->labels);
	free(reader->jumps);
}

int oclmm_code_read(const struct oclmm_machine *machine, const char *text, size_t length,
                    struct oclmm_arena *arena, struct oclmm_error *error,
                    struct code_function *ret_function)
{
	struct code_function function = {0};
	struct reader reader = {.machine = machine, .function = &function, .error = error};
	struct oclmm_lines lines;
	int r = 0;

	oclmm_lines_begin(&lines, "", text, length);
	while (r == 0 && oclmm_lines_next(&lines))
		r = read_line(&reader, lines.line, lines.length, lines.number);
	if (r == 0)
		r = resolve(&reader);
	finish(&reader);
	if (r == 0) {
		*ret_function = function;
		ret_function->code = oclmm_arena_copy(arena, function.code,
		                                      function.count * sizeof(*function.code));
	}
	free(function.code);
	return r;
}
