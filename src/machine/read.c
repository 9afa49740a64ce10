// SPDX-License-Identifier: Apache-2.0
/* From assembly text to functions, and from these to code: what all readers share. */
#include "code.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- functions of a text -------------------------------------------------- */

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

/* Of PTX: the name of the function whose head begins here, malloc-ed, or NULL. What it returns may
 * stand before the name: `.func (.param .b32 func_retval0) f(`. */
static char *entry_of(const char *line, size_t length)
{
	static const char *const words[] = {".entry ", ".func "};
	const char *at = NULL, *end = line + length;
	size_t n = 0;

	for (size_t i = 0; !at && i < OCLMM_COUNT(words); i++) {
		at = memmem(line, length, words[i], strlen(words[i]));
		at = at ? at + strlen(words[i]) : NULL;
	}
	if (!at)
		return NULL;
	while (at < end && *at == ' ')
		at++;
	if (at < end && *at == '(') {
		at = memchr(at, ')', (size_t)(end - at));
		while (at && at < end && (*at == ')' || *at == ' '))
			at++;
	}
	while (at && at + n < end && is_label_character(at[n]))
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

/* Whether a label is of a block: `.LBB1_2`, `$L__BB1_2`, and `BB1_2` as LLVM writes it for AMD's
 * GPUs before version 14. */
static bool is_block(const char *name, size_t length)
{
	size_t n = 2;

	if (*name == '.' || *name == '$')
		return true;
	if (length < 5 || strncmp(name, "BB", 2) != 0)
		return false;
	while (n < length && isdigit((unsigned char)name[n]))
		n++;
	if (n == 2 || n + 1 >= length || name[n] != '_')
		return false;
	while (++n < length && isdigit((unsigned char)name[n]))
		;
	return n == length;
}

/* A label that is of no block begins a function, and so does the head of an entry; it goes on to
 * the next one. */
static void cut(struct oclmm_assembly *assembly, size_t length)
{
	struct oclmm_lines lines;

	oclmm_lines_begin(&lines, "", assembly->text, length);
	while (oclmm_lines_next(&lines)) {
		size_t label = label_length(lines.line, lines.length);
		char *name = entry_of(lines.line, lines.length);

		if (!name && label && !assembly->machine->entries && !is_block(lines.line, label))
			name = strndup(lines.line, label);
		if (name || is_end(lines.line, lines.length))
			end_function(assembly, lines.line);
		if (name)
			begin_function(assembly,
			               (struct function_text){.name = name, .text = lines.line});
	}
	end_function(assembly, assembly->text + length);
}

/* ---- what a disassembler prints ------------------------------------------------- */

/* A line of objdump that begins a function: `0000000000001020 <name>:` */
static bool is_dumped_name(const char *line, size_t length, const char **ret_name, size_t *ret_size)
{
	size_t digits = 0;

	while (digits < length && isxdigit((unsigned char)line[digits]))
		digits++;
	if (digits < 8 || length < digits + 5 || strncmp(line + digits, " <", 2) != 0 ||
	    strncmp(line + length - 2, ">:", 2) != 0)
		return false;
	*ret_name = line + digits + 2;
	*ret_size = length - digits - 4;
	return true;
}

/* `107c <f+0x5c>` is a place in the function, `1020 <f@plt>` is f. */
static void add_dumped_code(struct oclmm_text *text, const char *code, size_t length)
{
	const char *name = memchr(code, '<', length), *comment = memchr(code, '#', length);
	const char *end, *at = name;

	if (comment)
		length = (size_t)(comment - code);
	end = name && (!comment || name < comment)
	              ? memchr(name, '>', (size_t)(code + length - name))
	              : NULL;
	if (!end || at - code < 3 || at[-1] != ' ' || !isxdigit((unsigned char)at[-2])) {
		oclmm_text_add_bytes(text, code, length);
		return;
	}
	for (at--; at > code && isxdigit((unsigned char)at[-1]);)
		at--;
	oclmm_text_add_bytes(text, code, (size_t)(at - code));
	if (memchr(name, '+', (size_t)(end - name)))
		oclmm_text_printf(text, ".L%.*s", (int)(name - 1 - at), at);
	else
		oclmm_text_add_bytes(text, name + 1, (size_t)(end - name) - 1);
}

/* Turns what objdump prints (-d --no-show-raw-insn) into what assemblers take: each instruction
 * with its address as a label. */
static void undump(struct oclmm_text *text, const char *dump, size_t length)
{
	struct oclmm_lines lines;
	bool inside = false;

	oclmm_lines_begin(&lines, "", dump, length);
	while (oclmm_lines_next(&lines)) {
		const char *line = lines.line, *name;
		size_t size, left = lines.length, digits = 0;

		if (is_dumped_name(line, left, &name, &size)) {
			/* of the table of other functions there is nothing to judge */
			inside = !memchr(name, '@', size);
			if (inside)
				oclmm_text_printf(text, "%.*s:\n", (int)size, name);
			continue;
		}
		while (left && isspace((unsigned char)*line)) {
			line++;
			left--;
		}
		while (digits < left && isxdigit((unsigned char)line[digits]))
			digits++;
		if (!inside || !digits || digits == left || line[digits] != ':')
			continue;
		oclmm_text_printf(text, ".L%.*s:\n\t", (int)digits, line);
		line += digits + 1;
		left -= digits + 1;
		while (left && isspace((unsigned char)*line)) {
			line++;
			left--;
		}
		add_dumped_code(text, line, left);
		oclmm_text_add(text, "\n");
	}
}

static bool is_dump(const char *text, size_t length)
{
	static const char words[] = "Disassembly of section ";

	return memmem(text, length, words, sizeof(words) - 1) != NULL;
}

/* Of PTX: puts a call that takes several lines into one. */
static void join_calls(struct oclmm_text *text, const char *ptx, size_t length)
{
	struct oclmm_lines lines;
	bool open = false;

	oclmm_lines_begin(&lines, "", ptx, length);
	while (oclmm_lines_next(&lines)) {
		const char *line = lines.line;
		size_t left = lines.length;

		while (left && isspace((unsigned char)*line)) {
			line++;
			left--;
		}
		open |= left > 4 && strncmp(line, "call", 4) == 0;
		if (open)
			oclmm_text_add(text, " ");
		oclmm_text_add_bytes(text, open ? line : lines.line, open ? left : lines.length);
		open &= !memchr(line, ';', left);
		if (!open)
			oclmm_text_add(text, "\n");
	}
}

struct oclmm_assembly *oclmm_assembly_create(const struct oclmm_machine *machine, const char *text,
                                             size_t length)
{
	struct oclmm_assembly *assembly = oclmm_calloc(1, sizeof(*assembly));

	assembly->machine = machine;
	if (machine->prepare || machine->entries || is_dump(text, length)) {
		struct oclmm_text plain = {0};

		if (machine->prepare)
			machine->prepare(&plain, text, length);
		else if (machine->entries)
			join_calls(&plain, text, length);
		else
			undump(&plain, text, length);
		length = plain.length;
		oclmm_text_add(&plain, "");
		assembly->text = oclmm_text_steal(&plain);
	} else {
		assembly->text = oclmm_malloc(length + 1);
		memcpy(assembly->text, text, length);
		assembly->text[length] = '\0';
	}
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

const char *oclmm_assembly_function(const struct oclmm_assembly *assembly, const char *name,
                                    size_t *ret_length)
{
	for (size_t i = 0; i < assembly->count; i++) {
		const struct function_text *f = &assembly->functions[i];

		if (strcmp(f->name, name) != 0)
			continue;
		/* that there is such a function, said without its body */
		if (assembly->machine->entries && !memchr(f->text, '{', f->length))
			continue;
		*ret_length = f->length;
		return f->text;
	}
	return NULL;
}

/* ---- what readers call ---------------------------------------------------- */

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

void oclmm_code_call(struct reader *reader, const char *name, bool jumps)
{
	const struct code_convention *convention = &reader->machine->convention;
	size_t length = strcspn(name, "@");
	char word[LINE_WORD];
	struct code *c;

	snprintf(word, sizeof(word), "%.*s", (int)length, name);
	if (strcmp(word, "oclmm_barrier") == 0 || strcmp(word, "oclmm_sub_barrier") == 0) {
		c = oclmm_code_add(reader, CODE_BARRIER);
		c->sub_group = strcmp(word, "oclmm_sub_barrier") == 0;
		c->a = oclmm_code_value(convention->argument[0]);
	} else if (strcmp(word, "oclmm_number") == 0) {
		c = oclmm_code_add(reader, CODE_NUMBER);
		c->a = oclmm_code_value(convention->argument[0]);
		c->to = convention->given;
	} else if (strcmp(word, "memset") == 0 || strcmp(word, "memcpy") == 0) {
		c = oclmm_code_add(reader, strcmp(word, "memset") == 0 ? CODE_FILL : CODE_COPY);
		c->a = oclmm_code_value(convention->argument[0]);
		c->b = oclmm_code_value(convention->argument[1]);
		c->c = oclmm_code_value(convention->argument[2]);
		c->to = convention->given;
	} else {
		oclmm_code_add(reader, jumps ? CODE_JUMP : CODE_CALL);
		oclmm_code_target(reader, word);
		return;
	}
	if (jumps)
		oclmm_code_add(reader, CODE_RETURN);
}

uint16_t oclmm_code_temporary(struct reader *reader)
{
	return (uint16_t)(FIRST_TEMPORARY + reader->temporaries++ % 32);
}

uint16_t oclmm_code_register(struct reader *reader, const char *name)
{
	size_t i = 0;

	while (i < reader->name_count && strcmp(reader->names[i], name) != 0)
		i++;
	if (FIRST_NAMED + i >= FIRST_TEMPORARY)
		return NO_REGISTER;
	if (i == reader->name_count) {
		oclmm_grow(&reader->names, &reader->name_capacity, i, sizeof(*reader->names));
		reader->names[reader->name_count++] = oclmm_strdup(name);
	}
	return (uint16_t)(FIRST_NAMED + i);
}

/* The bytes that a directive gives each of its numbers, or 0. */
static unsigned data_bytes(const char *line, size_t length)
{
	static const struct {
		const char *word;
		unsigned bytes;
	} directives[] = {{".quad", 8},  {".xword", 8}, {".dword", 8}, {".word", 4}, {".long", 4},
	                  {".short", 2}, {".hword", 2}, {".half", 2},  {".byte", 1}};

	for (size_t n = 0; n < OCLMM_COUNT(directives); n++) {
		if (strlen(directives[n].word) == length &&
		    strncmp(directives[n].word, line, length) == 0)
			return directives[n].bytes;
	}
	return 0;
}

/* The bytes of `.zero 4`, or 0. */
static unsigned zero_bytes(const char *word, size_t length, const char *number)
{
	int64_t bytes;

	return length == 5 && strncmp(word, ".zero", length) == 0 &&
	                       oclmm_code_parse_number(number, &bytes) && bytes > 0 &&
	                       bytes <= CONSTANTS_MOST * INT64_C(8)
	               ? (unsigned)bytes
	               : 0;
}

/* Where the line behind a label begins, or NULL. */
static const char *behind_label(const char *text, const char *label, size_t length)
{
	for (const char *at = text; at && (at = strstr(at, label)); at += length) {
		if ((at == text || at[-1] == '\n') && at[length] == ':') {
			at = strchr(at, '\n');
			return at ? at + 1 : NULL;
		}
	}
	return NULL;
}

int64_t oclmm_code_constants(struct reader *reader, const char *label, size_t length)
{
	struct code_function *f = reader->function;
	unsigned first = f->constant_count, done = 0;
	const char *text = reader->assembly ? reader->assembly->text : NULL, *at;
	char name[LINE_WORD];

	if (!text || length >= sizeof(name))
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)length, label);
	for (at = behind_label(text, name, length); at && *at; at = strchr(at, '\n') + 1) {
		const char *word = at + strspn(at, " \t"), *value;
		size_t size = strcspn(word, " \t\n");
		unsigned bytes = data_bytes(word, size);
		char number[32];
		int64_t parsed;

		value = word + size + strspn(word + size, " \t");
		snprintf(number, sizeof(number), "%.*s", (int)strcspn(value, " \t\n#/,"), value);
		for (unsigned zeros = zero_bytes(word, size, number); zeros; zeros--, done++) {
			if (done % 8)
				continue;
			if (f->constant_count == CONSTANTS_MOST)
				return 0;
			f->constants[f->constant_count++] = 0;
		}
		if (zero_bytes(word, size, number))
			continue;
		/* it ends where something else begins; of `.word 1, 2` none is made */
		if (!bytes || !oclmm_code_parse_number(number, &parsed) ||
		    value[strlen(number)] == ',' || !strchr(at, '\n'))
			break;
		if (done % 8 == 0) {
			if (f->constant_count == CONSTANTS_MOST)
				return 0;
			f->constants[f->constant_count++] = 0;
		}
		if (done % bytes)
			break;
		f->constants[f->constant_count - 1] |=
			(bytes == 8 ? (uint64_t)parsed
		                    : (uint64_t)parsed & ((UINT64_C(1) << bytes * 8) - 1))
			<< done % 8 * 8;
		done += bytes;
	}
	return done ? (int64_t)(CONSTANTS_ADDRESS + first * UINT64_C(8)) : 0;
}

/* Whether a word is the name; of PTX, in which names have no points, `f_$_s` is f.s. */
static bool is_named(const char *name, const char *word, size_t length)
{
	static const char point[] = "_$_";
	const char *end = word + length;

	for (; *name && word < end; name++) {
		if (*name == '.' && strncmp(word, point, sizeof(point) - 1) == 0)
			word += sizeof(point) - 1;
		else if (*name == *word)
			word++;
		else
			return false;
	}
	return !*name && word == end;
}

bool oclmm_code_symbol(const struct reader *reader, const char *text, int64_t *ret_address)
{
	size_t length = strcspn(text, "+ ()");
	int64_t offset = 0;
	char number[32] = "";

	if (text[length] == '+')
		snprintf(number, sizeof(number), "%.*s", (int)strcspn(text + length + 1, " ()]"),
		         text + length + 1);
	if (*number && !oclmm_code_parse_number(number, &offset))
		return false;
	for (unsigned i = 0; reader->symbols && i < reader->symbols->count; i++) {
		const struct code_symbol *s = &reader->symbols->items[i];

		if (is_named(s->name, text, length)) {
			*ret_address = (int64_t)s->address + offset;
			return true;
		}
	}
	return false;
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

bool oclmm_code_cut(struct asm_line *line, const char *text, size_t length)
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
		if (!oclmm_code_cut(&rest, text + word, length - word) ||
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

static void add_label(struct reader *reader, const char *name, size_t length)
{
	struct label *label;

	oclmm_grow(&reader->labels, &reader->label_capacity, reader->label_count,
	           sizeof(*reader->labels));
	label = &reader->labels[reader->label_count++];
	label->name = oclmm_arena_strndup(reader->arena, name, length);
	label->at = reader->function->count;
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
		add_label(reader, text, label);
		return 0;
	}
	/* directives; of PTX some end in a semicolon */
	if (!length || *text == '.' || (length == 1 && strchr("{}();", *text)))
		return 0;
	if (text[length - 1] == ';')
		length--;
	reader->line = &line;
	reader->temporaries = 0;
	r = oclmm_code_cut(&line, text, length) ? reader->machine->read(reader, &line)
	                                        : refuse_line(reader->error, &line, "too long");
	reader->line = NULL;
	return r;
}

static int read_text(struct reader *reader, const char *text, size_t length)
{
	struct oclmm_lines lines;
	uint32_t before = reader->lines;
	int r = 0;

	reader->scope++;
	oclmm_lines_begin(&lines, "", text, length);
	while (r == 0 && oclmm_lines_next(&lines)) {
		oclmm_text_add_bytes(&reader->text, lines.line, lines.length);
		oclmm_text_add(&reader->text, "\n");
		reader->lines++;
		r = read_line(reader, lines.line, lines.length, before + lines.number);
	}
	if (r == 0)
		oclmm_code_add(reader, CODE_BEYOND);
	return r;
}

static bool find_label(const struct reader *reader, const char *name, uint32_t *ret_at)
{
	for (size_t l = 0; l < reader->label_count; l++) {
		if (strcmp(reader->labels[l].name, name) == 0) {
			*ret_at = (uint32_t)reader->labels[l].at;
			return true;
		}
	}
	return false;
}

/* Jumps lead to labels, and calls to functions, which are read when the first of them comes up. */
static int resolve(struct reader *reader)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < reader->jump_count; i++) {
		const char *name = reader->jumps[i].label, *text = NULL;
		uint32_t target;
		size_t length;

		if (!find_label(reader, name, &target)) {
			if (reader->assembly)
				text = oclmm_assembly_function(reader->assembly, name, &length);
			if (!text)
				return refuse_line(reader->error, &reader->jumps[i].line,
				                   *name == '.' ? "jumps out of its function"
				                                : name);
			if (reader->machine->entries)
				add_label(reader, name, strlen(name));
			r = read_text(reader, text, length);
			if (r == 0 && !find_label(reader, name, &target))
				return refuse_line(reader->error, &reader->jumps[i].line, name);
		}
		if (r == 0)
			reader->function->code[reader->jumps[i].at].target = target;
	}
	return r;
}

static void finish(struct reader *reader)
{
	for (size_t i = 0; i < reader->jump_count; i++)
		free(reader->jumps[i].label);
	for (size_t i = 0; i < reader->name_count; i++)
		free(reader->names[i]);
	free(reader->names);
	free(reader->labels);
	free(reader->jumps);
	oclmm_text_finish(&reader->text);
}

int oclmm_code_read(const struct oclmm_machine *machine, const struct oclmm_assembly *assembly,
                    const struct code_symbols *symbols, const char *text, size_t length,
                    struct oclmm_arena *arena, struct oclmm_error *error,
                    struct code_function *ret_function)
{
	struct code_function function = {0};
	struct reader reader = {.machine = machine,
	                        .function = &function,
	                        .error = error,
	                        .assembly = assembly,
	                        .symbols = symbols,
	                        .arena = arena};
	int r = read_text(&reader, text, length);

	if (r == 0)
		r = resolve(&reader);
	if (r == 0) {
		*ret_function = function;
		ret_function->code = oclmm_arena_copy(arena, function.code,
		                                      function.count * sizeof(*function.code));
		ret_function->text = oclmm_arena_copy(arena, oclmm_text_string(&reader.text),
		                                      reader.text.length + 1);
		ret_function->length = reader.text.length;
	}
	finish(&reader);
	free(function.code);
	return r;
}
