// SPDX-License-Identifier: Apache-2.0
#include "parse_error.h"

#include <string.h>

#include "grammar.h"

/* Words that are mentioned together, so that a list of what was expected
 * stays one that a reader can take in. */
static const char *class_of(const char *name, bool types)
{
	static const char *const operators[] = {
		"||",  "&&",  "==",  "!=",  "<=",  ">=",  "<<",  ">>",  "'<'",
		"'>'", "'*'", "'/'", "'%'", "'+'", "'-'", "'&'", "'|'", "'^'",
	};
	static const char *const specifiers[] = {"an address space", "a qualifier", "a type",
	                                         "svm"};
	static const char *const prefixes[] = {"'!'", "'~'"};
	size_t i;

	for (i = 0; i < OCLMM_COUNT(operators); i++) {
		if (strcmp(operators[i], name) == 0)
			return "an operator";
	}
	for (i = 0; types && i < OCLMM_COUNT(specifiers); i++) {
		if (strcmp(specifiers[i], name) == 0)
			return "a type";
	}
	/* words of places, among others that are names */
	if (!types && (strcmp(name, "svm") == 0 || strcmp(name, "kernel") == 0))
		return "a name";
	for (i = 0; i < OCLMM_COUNT(prefixes); i++) {
		if (strcmp(prefixes[i], name) == 0)
			return "an operator";
	}
	return name;
}

/* A statement or an expression can begin in many ways; then the single words
 * say less than the name of the whole. */
static const char *whole_of(const char *const *names, size_t count)
{
	bool number = false, condition = false, bracket = false, brace = false;
	bool comparison = false, sum = false;
	size_t i;

	for (i = 0; i < count; i++) {
		number = number || strcmp(names[i], "a number") == 0;
		condition = condition || strcmp(names[i], "true") == 0;
		bracket = bracket || strcmp(names[i], "'!'") == 0;
		brace = brace || strcmp(names[i], "if") == 0;
	}
	for (i = 0; i < count; i++) {
		comparison = comparison || strcmp(names[i], "==") == 0;
		sum = sum || strcmp(names[i], "'+'") == 0;
	}
	if (comparison && !sum)
		return "a comparison with `=`";
	if (brace)
		return "a statement or `}`";
	if (number && condition)
		return "a condition";
	if (number && bracket)
		return "an expression";
	return NULL;
}

static size_t collect_classes(const char *const *names, size_t count, const char **classes)
{
	bool types = false;
	size_t used = 0;
	size_t i, j;

	for (i = 0; i < count; i++)
		types = types || strcmp(names[i], "a type") == 0;
	for (i = 0; i < count; i++) {
		const char *name = class_of(names[i], types);

		for (j = 0; j < used && strcmp(classes[j], name) != 0; j++)
			;
		if (j == used)
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
	size_t i;

	if (whole) {
		oclmm_text_printf(text, ", expected %s", whole);
		return;
	}
	if (used == 0 || used > SHOWN)
		return;
	oclmm_text_add(text, ", expected ");
	for (i = 0; i < used; i++) {
		if (i > 0)
			oclmm_text_add(text, i + 1 == used ? " or " : ", ");
		add_name(text, classes[i]);
	}
}

static const char *foreign_note(const char *word)
{
	if (strcmp(word, "for") == 0 || strcmp(word, "do") == 0)
		return "write `while (...)` with an `unroll N` line, or repeat the statements";
	if (strcmp(word, "++") == 0 || strcmp(word, "--") == 0 || strchr(word, '='))
		return "write the assignment out: `r = r + 1`";
	if (strcmp(word, "return") == 0 || strcmp(word, "break") == 0 ||
	    strcmp(word, "continue") == 0)
		return "write an `if` around the statements that are left out";
	return "the types are" SYNTAX_INTEGERS ", their atomic forms, and atomic_flag";
}

static const char *note_of(const struct syntax_token *token)
{
	/* in C's own place they are expected, so this is the final condition */
	if (token->kind == TOKEN_LOGICAL_AND || token->kind == TOKEN_LOGICAL_OR)
		return "parts of a condition are joined with `/\\` and `\\/`";
	return NULL;
}

void syntax_report_unexpected(struct syntax_parser *parser, const struct syntax_token *token,
                              const char *const *names, size_t count)
{
	struct oclmm_text text;

	parser->refused = true;
	oclmm_text_init(&text);
	if (token->kind == TOKEN_FOREIGN || token->kind == TOKEN_KERNEL) {
		syntax_refuse(parser->source, &token->written, foreign_note(token->text),
		              "`%s` is not part of the format", token->text);
		return;
	}
	if (token->kind == TOKEN_END)
		oclmm_text_add(&text, "unexpected end of the file");
	else
		oclmm_text_printf(&text, "unexpected `%.40s`", token->text);
	add_expected(&text, names, count);
	syntax_refuse(parser->source, &token->written, note_of(token), "%s",
	              oclmm_text_string(&text));
	oclmm_text_finish(&text);
}

int syntax_check_nesting(const struct syntax_source *source, const struct syntax_tokens *tokens)
{
	unsigned depth = 0;
	size_t i;

	for (i = 0; i < tokens->count; i++) {
		const struct syntax_token *token = &tokens->data[i];
		int kind = token->kind;

		if (kind == '(' || kind == '{' || kind == '[')
			depth++;
		else if ((kind == ')' || kind == '}' || kind == ']') && depth > 0)
			depth--;
		if (depth > SYNTAX_MAX_NESTING)
			return syntax_refuse(source, &token->written, NULL,
			                     "brackets are nested deeper than %d",
			                     SYNTAX_MAX_NESTING);
	}
	return 0;
}
