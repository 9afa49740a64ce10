// SPDX-License-Identifier: Apache-2.0
#include "build.h"
#include "grammar.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The messages for a text that is refused: unknown words, and words that do not form a test. */

static void copy_cut(char *target, size_t size, const char *text, size_t length)
{
	if (length >= size)
		length = size - 1;
	memcpy(target, text, length);
	target[length] = '\0';
}

static void copy_line(struct oclmm_error *error, const struct syntax_source *source, uint32_t line)
{
	const char *start = source->text;
	const char *end = source->text + source->length;
	const char *stop;

	while (--line > 0) {
		start = memchr(start, '\n', (size_t)(end - start));
		if (!start)
			return;
		start++;
	}
	stop = memchr(start, '\n', (size_t)(end - start));
	if (!stop)
		stop = end;
	while (stop > start && stop[-1] == '\r')
		stop--;
	copy_cut(error->source, sizeof(error->source), start, (size_t)(stop - start));
}

int oclmm_refuse(const struct syntax_source *source, const struct oclmm_position *at,
                 const char *note, const char *format, ...)
{
	struct oclmm_error *error = source->error;
	va_list arguments;
	size_t used;

	if (!error)
		return -EINVAL;
	*error = (struct oclmm_error){0};
	copy_cut(error->file, sizeof(error->file), source->path, strlen(source->path));
	va_start(arguments, format);
	vsnprintf(error->message, sizeof(error->message), format, arguments);
	va_end(arguments);
	used = strlen(error->message);
	if (source->variant)
		snprintf(error->message + used, sizeof(error->message) - used, ", in variant %s",
		         source->variant);
	if (note)
		copy_cut(error->note, sizeof(error->note), note, strlen(note));
	if (at && at->line) {
		error->position = *at;
		copy_line(error, source, at->line);
	}
	return -EINVAL;
}

int oclmm_refuse_unknown(const struct builder *builder, const struct syntax_token *at,
                         const char *before, const char *after, const char *const *words,
                         size_t count)
{
	const char *nearest = oclmm_nearest(at->text, words, count);
	char note[160];

	snprintf(note, sizeof(note), "did you mean `%s`?", nearest ? nearest : "");
	return REFUSE(builder, at, nearest ? note : NULL, "%s`%.60s`%s", before, at->text, after);
}

/* ---- what was expected ---- */

/* Words that are mentioned together, so that a list of what was expected
 * stays one that a reader can take in. */
static const char *class_of(const char *name, bool types)
{
	static const char *const operators[] = {
		"||",  "&&",  "==",  "!=",  "<=",  ">=",  "<<",
		">>",  "'<'", "'>'", "'*'", "'/'", "'%'", "'+'",
		"'-'", "'&'", "'|'", "'^'", "++",  "--",  "an assignment",
		"'.'", "'?'", "'!'", "'~'",
	};
	static const char *const specifiers[] = {"an address space", "a qualifier", "a type",
	                                         "svm"};

	if (oclmm_is_among(name, operators, OCLMM_COUNT(operators)))
		return "an operator";
	if (types && oclmm_is_among(name, specifiers, OCLMM_COUNT(specifiers)))
		return "a type";
	/* words of places, among others that are names */
	if (!types && (strcmp(name, "svm") == 0 || strcmp(name, "kernel") == 0))
		return "a name";
	return name;
}

/* A statement or an expression can begin in many ways; then the single words
 * say less than the name of the whole. */
static const char *whole_of(const char *const *names, size_t count)
{
	bool number = oclmm_is_among("a number", names, count);

	if (oclmm_is_among("==", names, count) && !oclmm_is_among("'+'", names, count))
		return "a comparison with `=`";
	if (oclmm_is_among("if", names, count))
		return "a statement or `}`";
	if (number && oclmm_is_among("'!'", names, count))
		return "an expression";
	if (number && oclmm_is_among("true", names, count))
		return oclmm_is_among("'~'", names, count) ? "a condition" : "a number";
	return NULL;
}

static size_t collect_classes(const char *const *names, size_t count, const char **classes)
{
	bool types = oclmm_is_among("a type", names, count);
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		const char *name = class_of(names[i], types);

		if (!oclmm_is_among(name, classes, used))
			classes[used++] = name;
	}
	return used;
}

static void add_name(struct oclmm_text *text, const char *name)
{
	if (name[0] == '\'')
		oclmm_text_printf(text, "`%c`", name[1]);
	else if (strchr(name, ' '))
		oclmm_text_add(text, name);
	else
		oclmm_text_printf(text, "`%s`", name);
}

static void add_expected(struct oclmm_text *text, const char *const *names, size_t count)
{
	enum { MOST = 96, SHOWN = 6 };
	const char *classes[MOST];
	const char *whole = whole_of(names, count);
	size_t used = collect_classes(names, count < MOST ? count : MOST, classes);

	if (whole) {
		oclmm_text_printf(text, ", expected %s", whole);
		return;
	}
	if (used == 0 || used > SHOWN)
		return;
	oclmm_text_add(text, ", expected ");
	for (size_t i = 0; i < used; i++) {
		if (i > 0)
			oclmm_text_add(text, i + 1 == used ? " or " : ", ");
		add_name(text, classes[i]);
	}
}

/* ---- what to write instead ---- */

/* What to write instead of words that OpenCL C has and the format has not; the last is for all. */
static const struct {
	const char *words; /* with blanks around each */
	const char *note;
} foreign_notes[] = {
	{" continue goto ", "write an `if` around the statements that are left out"},
	{" switch case default ", "write `if (...) { ... } else { ... }`"},
	{" kernel __kernel ", "a thread is written `P0@wg 0, dev 0 (...) { ... }`, without a type"},
	{" private __private ",
         "objects are global or local; a register is declared in the thread, `int r0 = 1;`"},
	{" -> struct union ", "objects are integers, or arrays of them: write one for each member"},
	{" enum ", "write constants below the init block, `constant int A = 0;`"},
	{" typedef ",
         "write the type itself, `int` say, and an object for each member of a structure; "
         "`oclmm check FILE.cl` takes kernels with types of their own"},
	{" sizeof ", "write the number of bytes"},
	{" extern register auto __attribute__ ", "leave it out"},
	{"",
         "the types are" SYNTAX_REGISTERS ", the atomic forms of the first seven, and atomic_flag"},
};

const char oclmm_no_preprocessor[] =
	"a line of the preprocessor begins with it, below the init block: `#define N 4`";

static const char vectors[] = "there are no vectors: write an access for each element";

static const char *foreign_note(const char *word)
{
	char wanted[32];
	size_t i = 0;

	snprintf(wanted, sizeof(wanted), " %s ", word);
	/* a vector: a type that ends in a number */
	if (strlen(word) > 1 && strspn(word + strlen(word) - 1, "23468") == 1)
		return vectors;
	while (foreign_notes[i].words[0] && !strstr(foreign_notes[i].words, wanted))
		i++;
	return foreign_notes[i].note;
}

/* What could stand in the place of a word, as far as a note depends on it. */
struct expected {
	bool assigns, outside, ends, closes, begins, sum, name, type, opens, star, joins, holds;
	bool alone; /* the one thing that can stand there, `;` or `)` */
};

static struct expected expected_of(const char *const *names, size_t count)
{
	return (struct expected){
		.alone = count == 1 && (oclmm_is_among("';'", names, count) ||
	                                oclmm_is_among("')'", names, count)),
		.assigns = oclmm_is_among("'='", names, count),
		.outside = oclmm_is_among("exists", names, count),
		.ends = oclmm_is_among("';'", names, count),
		.closes = oclmm_is_among("')'", names, count),
		.begins = oclmm_is_among("'!'", names, count),
		.sum = oclmm_is_among("'+'", names, count),
		.name = oclmm_is_among("a name", names, count),
		.type = oclmm_is_among("a type", names, count),
		.opens = oclmm_is_among("'{'", names, count),
		.star = oclmm_is_among("'*'", names, count),
		.joins = oclmm_is_among("/\\", names, count),
		.holds = oclmm_is_among("true", names, count),
	};
}

/* Of what C has within a statement, and the format has not. */
static const char *note_of_statement(int before, int kind, const struct expected *expected)
{
	if (kind == '=' && expected->sum)
		return "an assignment is a statement of its own, or stands in parentheses: "
		       "`(r0 = 1)`";
	if (kind == TOKEN_INCREMENT || kind == TOKEN_DECREMENT || kind == TOKEN_COMPOUND)
		return "an assignment is a statement of its own: it gives no value";
	if (kind == ',' && expected->ends && !expected->outside)
		return "write a statement for each part; a `for` declares one variable, and others "
		       "stand before it";
	if (kind == ',' && expected->closes && expected->sum)
		return "there is no comma operator: write a statement for each part";
	if (before == ';' && (kind == ';' ? expected->begins : expected->alone))
		return "`for` takes all three: `for (int i = 0; i < 3; i++)`; `while` takes one";
	if (kind == '+' && expected->begins)
		return "there is no unary `+`: leave it out";
	if (kind == '*' && expected->name && (expected->type || before == ','))
		return "pointers are parameters only: write the object's own name";
	if (kind == '*' && expected->name && !expected->begins && before == '*')
		return "an object holds no pointer";
	if (kind == '*' && expected->type && expected->closes)
		return "a pointer is of the type of its parameter: leave the cast out";
	if (kind == TOKEN_VOID && expected->begins && before == '(')
		return "a value may be left unused: leave `(void)` out";
	if (kind == TOKEN_INLINE && expected->begins)
		return "a register is new each time: leave the word out";
	if (kind == '[' && expected->assigns)
		return "arrays have one dimension: write `t[2 * i + k]`";
	return NULL;
}

/* Of what stands outside the bodies of threads and functions. */
static const char *note_of_head(int before, int kind, const struct expected *expected, size_t count)
{
	if ((kind == '[' || kind == '=') && count == 1 && before == TOKEN_IDENTIFIER)
		return "constants are declared `constant int w[] = {3, 5};`, and objects in the "
		       "init block";
	if (expected->ends && count == 1 && before == TOKEN_NUMBER)
		return "a constant is declared by one number: work it out";
	if (kind == ';' && before == ')' && expected->opens)
		return "a function is declared where its body stands: move it above its calls";
	if (kind == '[' && expected->closes)
		return "a parameter is an integer, or a pointer such as `global int *a`";
	if (kind == '|' && !expected->name && before == TOKEN_IDENTIFIER && !expected->sum)
		return "threads stand one below the other: `P0 (...) { ... }`";
	if (kind == TOKEN_VOID && expected->type && expected->closes)
		return "a thread without objects has `()`";
	return NULL;
}

/* Of the head of a thread, `P0 (global int *x)`, and of what begins as one. */
static const char *note_of_parameter(const struct syntax_token *token,
                                     const struct expected *expected)
{
	bool thread = token[-2].text[0] == 'P' && token[-2].text[1] >= '0' &&
	              token[-2].text[1] <= '9';

	if (token->kind == TOKEN_CONSTANT && expected->type)
		return "write constants below the init block: `constant int w[] = {3, 5};`";
	if (token->kind == TOKEN_NUMBER && expected->type && expected->closes)
		return thread ? "a thread is written `P0@wg 0, dev 0 (global int *x) { ... }`"
		              : "a condition begins with `exists`, `~exists` or `forall`";
	if (!expected->star || !expected->type || expected->begins || token->kind == TOKEN_VECTOR)
		return NULL;
	if (token->kind == TOKEN_VOID || (token->kind == TOKEN_IDENTIFIER && token[1].kind == '*'))
		return foreign_note("");
	return "objects are pointers here, `global int *x`; for a value write a constant";
}

/* Of the final condition, where C's own words are not expected. */
static const char *note_of_condition(const struct syntax_token *token,
                                     const struct expected *expected)
{
	if (expected->joins &&
	    (token->kind == ',' || token->kind == '&' || token->kind == '|' ||
	     token->kind == TOKEN_IDENTIFIER || token->kind == TOKEN_LOGICAL_AND ||
	     token->kind == TOKEN_LOGICAL_OR))
		return "parts of a condition are joined with `/\\` and `\\/`";
	if (!expected->holds || expected->begins)
		return NULL;
	if (token->kind == '!')
		return "write `~` for not";
	if (token->kind == '&' || token->kind == '*')
		return "a condition names the object itself, `x`";
	if (token->kind == TOKEN_OTHER)
		return "registers are written with their thread: `0:r0`";
	return NULL;
}

static const char *note_of(const struct syntax_token *first, const struct syntax_token *token,
                           const char *const *names, size_t count)
{
	const struct expected expected = expected_of(names, count);
	int before = token > first ? token[-1].kind : TOKEN_END;
	const char *note = note_of_statement(before, token->kind, &expected);

	if (!note)
		note = note_of_head(before, token->kind, &expected, count);
	if (!note && token - first >= 2)
		note = note_of_parameter(token, &expected);
	if (!note)
		note = note_of_condition(token, &expected);
	if (note)
		return note;
	if (token->kind == TOKEN_OTHER && token->text[0] >= '0' && token->text[0] <= '9')
		return "numbers are decimal, or hexadecimal with `0x`";
	if (token->kind == TOKEN_TYPE && expected.outside)
		return "functions stand between the init block and the threads that call them";
	if (token->kind == TOKEN_QUOTED)
		return "there is no printf: the registers that a condition names are reported";
	if (token->kind == TOKEN_OTHER && token->text[0] == '#')
		return oclmm_no_preprocessor;
	if (token->kind == TOKEN_OTHER && token->text[0] == '\'')
		return "a character is written as its number: 97 for 'a'";
	if (token->kind == TOKEN_VECTOR)
		return vectors;
	if (token->kind == TOKEN_CONSTANT && !expected.outside)
		return "constants stand between the init block and the threads";
	if (token->kind == TOKEN_TRUE || token->kind == TOKEN_FALSE)
		return "a condition compares with numbers: write 1 or 0";
	/* at the end of a statement the missing `;` is reported in the line before */
	if (expected.ends && !expected.begins && !expected.outside && before != TOKEN_END &&
	    token[-1].written.line < token->written.line)
		return "a `;` ends each statement: is one missing in the line above?";
	return NULL;
}

/* `B1: *x = 1;`: the parser takes what follows a label for a barrier's call, but the label is the
 * mistake. */
static const struct syntax_token *label_before(const struct syntax_token *first,
                                               const struct syntax_token *token)
{
	while (token > first && token[-1].kind != ';' && token[-1].kind != '{' &&
	       token[-1].kind != '}')
		token--;
	/* P0:r0 is a register, of an init block or of a condition */
	if (token == first || token->kind != TOKEN_IDENTIFIER || token[1].kind != ':' ||
	    (token->text[0] == 'P' && token->text[1] >= '0' && token->text[1] <= '9'))
		return NULL;
	/* a barrier with another mistake */
	if (token[2].kind == TOKEN_IDENTIFIER && strstr(token[2].text, "barrier"))
		return NULL;
	return token;
}

void oclmm_refuse_unexpected(struct syntax_parser *parser, const struct syntax_token *token,
                             const char *const *names, size_t count)
{
	const struct syntax_token *label = label_before(parser->tokens, token);
	struct oclmm_text text = {0};

	parser->refused = true;
	if (label) {
		oclmm_refuse(parser->source, &label->written, "leave the label out",
		             "only a barrier has a label");
		return;
	}
	if (token->kind == TOKEN_FOREIGN || token->kind == TOKEN_KERNEL) {
		oclmm_refuse(parser->source, &token->written, foreign_note(token->text),
		             "`%s` is not part of the format", token->text);
		return;
	}
	if (token->kind == TOKEN_END)
		oclmm_text_add(&text, "unexpected end of the file");
	else
		oclmm_text_printf(&text, "unexpected `%.40s`", token->text);
	add_expected(&text, names, count);
	oclmm_refuse(parser->source, &token->written, note_of(parser->tokens, token, names, count),
	             "%s", oclmm_text_string(&text));
	oclmm_text_finish(&text);
}

/* ---- what Dartagnan lacks -------------------------------------------------- */

/* What the grammar that is shared with Dartagnan lacks: words and names. Only asked
 * for a file that is to be shared with it. */

int oclmm_check_shared(const struct builder *builder, const struct syntax_token *at)
{
	if (!builder->dartagnan)
		return 0;
	return REFUSE(builder, at, NULL, "`%s` is not in the grammar shared with Dartagnan",
	              at->text);
}

/* ---- names ---- */

/* `B1` and `P1` are words of their own kind there. */
static bool is_numbered(const char *name, char letter)
{
	return name[0] == letter && name[1] && strspn(name + 1, "0123456789") == strlen(name + 1);
}

static bool is_reserved(const char *name)
{
	static const char *const words[] = {
		"C",        "OPENCL",     "wg",    "dev",   "with",   "final",   "default",
		"tso",      "cc",         "optic", "false", "struct", "char",    "intptr_t",
		"atomic_t", "spinlock_t", "SCAS",  "WCAS",  "xchg",   "cmpxchg",
	};

	return oclmm_is_among(name, words, OCLMM_COUNT(words)) || is_numbered(name, 'B') ||
	       is_numbered(name, 'P');
}

int oclmm_check_name(const struct builder *builder, const struct syntax_token *at)
{
	if (!builder->dartagnan || !is_reserved(at->text))
		return 0;
	return REFUSE(builder, at, "choose another name", "`%s` is no name for Dartagnan",
	              at->text);
}
