// SPDX-License-Identifier: Apache-2.0
/*
 * places [PATTERN …]: whether the visitor of src/ir reaches every place
 * where an expression can stand.
 *
 * A table has the places of the grammar, one `@` each; an expression that
 * holds a register stands at each of them, inside each kind of statement, and
 * has to be reached once. A place that the table lacks is found by the files of the
 * patterns:
 * what a statement prints names as many registers and objects as the visitor
 * comes to.
 */
#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/syntax.h"

static unsigned checked, failures;

/* ---- the places ---------------------------------------------------------- */

static const char *const statements[] = {
	"int r1 = @;",
	"r2 = @;",
	"*a = @;",
	"a[@] = 1;",
	"*(a + (@)) = 1;",
	"@;",
	"if (@) ;",
	"if (r2) *a = @;",
	"if (r2) ; else *a = @;",
	"while (@) ;",
	"while (r2) *a = @;",
	"{ { *a = @; } }",
	"if (r2) { while (r2) { if (r2) ; else { *a = 1; *a = @; } } }",
};

static const char *const operands[] = {
	"@", "(@)", "(int)@", "(short)@", "a[@]", "*(a + (@))", "*&a[@]", "a[1 + a[@]]",
};

/* The 1.x functions without their prefix, and whether they compare, and take an operand. */
static const struct legacy {
	const char *stem;
	bool compares, has_operand;
} legacy_functions[] = {
	{"add", false, true},  {"sub", false, true},  {"xchg", false, true},   {"min", false, true},
	{"max", false, true},  {"and", false, true},  {"or", false, true},     {"xor", false, true},
	{"inc", false, false}, {"dec", false, false}, {"cmpxchg", true, true},
};

typedef void (*use_place)(const char *expression);

/* A text with `@` replaced. */
static char *put(const char *text, const char *inside)
{
	const char *at = strchr(text, '@');
	struct oclmm_text made = {0};

	oclmm_text_add_bytes(&made, text, (size_t)(at - text));
	oclmm_text_add(&made, inside);
	oclmm_text_add(&made, at + 1);
	return oclmm_text_steal(&made);
}

/* A call with up to three arguments; `@` stands in one of them after the other. */
static void each_argument(const char *name, const char *const *arguments, unsigned count,
                          const char *rest, use_place use)
{
	for (unsigned marked = 0; marked < count; marked++) {
		struct oclmm_text call = {0};

		oclmm_text_printf(&call, "%s(", name);
		for (unsigned i = 0; i < count; i++) {
			char *argument = put(arguments[i], i == marked ? "@" : "1");

			oclmm_text_printf(&call, "%s%s", i ? ", " : "", argument);
			free(argument);
		}
		oclmm_text_printf(&call, "%s)", rest);
		use(oclmm_text_string(&call));
		oclmm_text_finish(&call);
	}
}

static bool is_flag(enum oclmm_operation op)
{
	return op == OCLMM_OP_FLAG_TEST_AND_SET || op == OCLMM_OP_FLAG_CLEAR;
}

static void each_modern(bool with_value, use_place use)
{
	for (unsigned i = 0; i < OCLMM_OP_COUNT; i++) {
		enum oclmm_operation op = (enum oclmm_operation)i;
		const char *arguments[3] = {is_flag(op) ? "&f[@]" : "&b[@]"};
		bool cas = oclmm_operation_is_cas(op);
		unsigned count = 1;
		char name[64];

		if (oclmm_operation_reads(op) != with_value)
			continue;
		if (cas)
			arguments[count++] = "&a[@]";
		if (op != OCLMM_OP_LOAD && !is_flag(op))
			arguments[count++] = "@";
		each_argument(oclmm_operation_stem(op), arguments, count, "", use);
		if (op == OCLMM_OP_INIT)
			continue;
		snprintf(name, sizeof(name), "%s_explicit", oclmm_operation_stem(op));
		each_argument(name, arguments, count,
		              cas ? ", memory_order_relaxed, memory_order_relaxed"
		                  : ", memory_order_relaxed, memory_scope_device",
		              use);
	}
}

static void each_legacy(use_place use)
{
	for (size_t i = 0; i < OCLMM_COUNT(legacy_functions); i++) {
		const struct legacy *legacy = &legacy_functions[i];
		const char *arguments[3] = {"&a[@]", "@", "@"};
		char name[64];

		snprintf(name, sizeof(name), "atomic_%s", legacy->stem);
		each_argument(name, arguments, 1u + legacy->compares + legacy->has_operand, "",
		              use);
	}
}

static void each_operator(use_place use)
{
	for (unsigned i = 0; i < OCLMM_OPERATOR_COUNT; i++) {
		enum oclmm_operator op = (enum oclmm_operator)i;
		const char *spelling = oclmm_operator_spelling(op);
		char text[16];

		if (oclmm_operator_is_unary(op)) {
			snprintf(text, sizeof(text), "%s@", spelling);
			use(text);
			continue;
		}
		snprintf(text, sizeof(text), "@ %s 1", spelling);
		use(text);
		snprintf(text, sizeof(text), "1 %s @", spelling);
		use(text);
	}
}

static void each_expression(use_place use)
{
	for (size_t i = 0; i < OCLMM_COUNT(operands); i++)
		use(operands[i]);
	each_operator(use);
	each_modern(true, use);
	each_legacy(use);
}

/* ---- what the visitor comes to -------------------------------------------- */

/* What a statement names; of it, one register read. */
struct names {
	const struct oclmm_thread *thread;
	unsigned all, marked;
	const struct oclmm_expression *sought; /* NULL, or one that may name nothing */
};

static int count_expression(void *data, const struct oclmm_expression *e)
{
	struct names *names = data;

	if (e == names->sought)
		names->sought = NULL;
	if (e->kind == OCLMM_EXPRESSION_REGISTER) {
		names->all++;
		names->marked += !strcmp(names->thread->registers[e->reg].name, "r9");
	}
	names->all += e->kind == OCLMM_EXPRESSION_ATOMIC &&
	              e->atomic->comparand.kind == OCLMM_COMPARAND_REGISTER;
	return 0;
}

static int count_use(void *data, const struct oclmm_use *use)
{
	(void)use;
	((struct names *)data)->all++;
	return 0;
}

static const struct oclmm_visitor counter = {.expression = count_expression, .use = count_use};

static bool is_name(const struct oclmm_program *program, const struct oclmm_thread *thread,
                    const char *word, size_t length)
{
	bool found = false;

	for (uint32_t i = 0; i < thread->register_count; i++)
		found |= strlen(thread->registers[i].name) == length &&
		         !strncmp(thread->registers[i].name, word, length);
	for (uint32_t i = 0; i < program->location_count; i++)
		found |= strlen(program->locations[i].name) == length &&
		         !strncmp(program->locations[i].name, word, length);
	return found;
}

static size_t length_of_word(const char *text, const char *more)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || (text[length] && strchr(more, text[length])))
		length++;
	return length;
}

/* The words of a text that stand for a register or an object. A member of a structure or vector is
 * a register whose name has a point, and one of a work-item or a turn of a loop has marks. */
static unsigned count_words(const struct oclmm_program *program, const struct oclmm_thread *thread,
                            const char *text)
{
	unsigned count = 0;
	char before = ' ';

	while (*text) {
		size_t length = length_of_word(text, "_"), whole = length_of_word(text, "_.'");
		bool member = length && whole > length && is_name(program, thread, text, whole);

		/* neither a function nor a label, nor a channel of an image */
		if (member)
			length = whole;
		count += (member || is_name(program, thread, text, length)) &&
		         text[length] != '(' && text[length] != ':' && before != '.';
		before = *text;
		text += length ? length : 1;
	}
	return count;
}

struct check {
	const struct oclmm_program *program;
	uint32_t thread;
};

static int check_statement(void *data, const struct oclmm_statement *statement)
{
	const struct check *check = data;
	const struct oclmm_thread *thread = &check->program->threads[check->thread];
	struct names names = {.thread = thread, .all = statement->kind == OCLMM_STATEMENT_ASSIGN};
	struct oclmm_text text = {0};
	unsigned printed;

	/* the objects in a block are passed on, and it is the child that uses them */
	if (statement->kind == OCLMM_STATEMENT_ENQUEUE)
		return 0;
	/* whose value is broadcast is a constant */
	if (statement->kind == OCLMM_STATEMENT_BARRIER)
		names.sought = statement->barrier.from;
	oclmm_statement_print(&text, check->program, check->thread, statement);
	printed = count_words(check->program, thread, oclmm_text_string(&text));
	oclmm_visit_statement(&counter, statement, &names);
	/* a result is printed with its call, whose arguments are reached at the statement in front
	 */
	if (statement->kind == OCLMM_STATEMENT_ASSIGN && statement->assign.collective) {
		struct oclmm_statement call = {.kind = OCLMM_STATEMENT_BARRIER,
		                               .barrier = *statement->assign.collective};

		oclmm_visit_statement(&counter, &call, &names);
	}
	checked++;
	if (names.sought) {
		failures++;
		printf("%s: whose value `%s` gives is not reached\n", check->program->name,
		       oclmm_text_string(&text));
	}
	if (printed != names.all) {
		failures++;
		printf("%s: %u of the %u names in `%s` are reached\n", check->program->name,
		       names.all, printed, oclmm_text_string(&text));
	}
	oclmm_text_finish(&text);
	return 0;
}

static void check_program(const struct oclmm_program *program)
{
	static const struct oclmm_visitor visitor = {.statement = check_statement};
	struct check check = {.program = program};

	for (; check.thread < program->thread_count; check.thread++)
		oclmm_visit_body(&visitor, program->threads[check.thread].body, &check);
}

static void complain(const struct oclmm_error *error)
{
	char *message = oclmm_error_format(error);

	printf("%s", message);
	free(message);
	failures++;
}

/* ---- one place -------------------------------------------------------------- */

static void check_marked(const char *line, const struct oclmm_program *program)
{
	struct names names = {.thread = &program->threads[0]};

	check_program(program);
	oclmm_visit_body(&counter, names.thread->body, &names);
	if (names.marked == 1)
		return;
	failures++;
	printf("`%s`: r9 is reached %u times, not once\n", line, names.marked);
}

static void check_line(const char *line)
{
	char *marked = put(line, "r9");
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_error error;
	struct oclmm_text text = {0};

	oclmm_text_printf(&text,
	                  "OPENCL place\n%s"
	                  "{ a[2] = {0, 0}; b[2] = {0, 0}; f[2] = {0, 0}; }\n"
	                  "P0 (global int *a, global atomic_int *b, global atomic_flag *f) {\n"
	                  "int r2 = *a; int r9 = *a;\n%s\n}\nexists (a[0]=0)\n",
	                  strstr(marked, "while") ? "unroll 1\n" : "", marked);
	if (oclmm_litmus_parse("place", oclmm_text_string(&text), text.length, NULL, &error,
	                       &litmus))
		complain(&error);
	else
		check_marked(marked, litmus->variants[0].program);
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&text);
	free(marked);
}

static void check_in_statements(const char *expression)
{
	for (size_t i = 0; i < OCLMM_COUNT(statements); i++) {
		char *line = put(statements[i], expression);

		check_line(line);
		free(line);
	}
}

static void check_effect(const char *expression)
{
	char *line = put("@;", expression);

	check_line(line);
	free(line);
}

static void check_file(const char *path)
{
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_error error;

	if (oclmm_litmus_read(path, NULL, &error, &litmus))
		complain(&error);
	for (uint32_t i = 0; litmus && i < litmus->variant_count; i++)
		check_program(litmus->variants[i].program);
	oclmm_litmus_destroy(litmus);
}

static void check_files(const char *pattern)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found)) {
		printf("%s: no such files\n", pattern);
		failures++;
		return;
	}
	for (size_t i = 0; i < found.gl_pathc; i++)
		check_file(found.gl_pathv[i]);
	globfree(&found);
}

int main(int argc, char **argv)
{
	each_expression(check_in_statements);
	each_modern(false, check_effect);
	for (int i = 1; i < argc; i++)
		check_files(argv[i]);
	printf("%u statements, %u failures\n", checked, failures);
	return failures > 0;
}
