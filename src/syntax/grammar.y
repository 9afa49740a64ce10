/* SPDX-License-Identifier: Apache-2.0
 *
 * The grammar of a body: init block, threads, final condition. It reads words
 * that were cut before and builds a tree; names and types are checked later,
 * where a message can say more than "syntax error". Lists are right-recursive:
 * the parser's stack grows on the heap and the number of words is bounded.
 */
%code requires {
#include "tree.h"
}

%code {
#include <errno.h>
#include <string.h>

/* Every list on the stack at once, and some more. */
#define YYMAXDEPTH (8 * SYNTAX_MAX_TOKENS)

static int yylex(YYSTYPE *value, struct syntax_parser *parser);
static void yyerror(struct syntax_parser *parser, const char *message);

/* ---- makers of nodes: NULL after a refusal ---- */

/* A final condition may be a long list of outcomes, one `\/` each. */
enum { MAX_CONDITION_DEPTH = 256 };

static bool too_deep(struct syntax_parser *parser, const struct syntax_token *at, unsigned depth,
                   unsigned most, const char *what)
{
	if (depth <= most)
		return false;
	if (!parser->refused)
		oclmm_refuse(parser->source, &at->written, NULL, "%s nested deeper than %u", what,
		              most);
	parser->refused = true;
	return true;
}

static unsigned deeper(unsigned a, unsigned b)
{
	return 1 + (a > b ? a : b);
}

static bool refuse_extension(struct syntax_parser *parser, const struct syntax_token *at,
                           const char *what)
{
	if (!parser->dartagnan)
		return false;
	oclmm_refuse(parser->source, &at->written, NULL,
	              "%s is not in the grammar shared with Dartagnan", what);
	parser->refused = true;
	return true;
}

static struct tree_expression *make_node(struct syntax_parser *parser, enum tree_expression_kind kind,
                                  const struct syntax_token *at, enum oclmm_operator op,
                                  struct tree_expression *left, struct tree_expression *right)
{
	unsigned depth = deeper(left ? left->depth : 0, right ? right->depth : 0);

	if (too_deep(parser, at, depth, SYNTAX_MAX_NESTING, "an expression is"))
		return NULL;
	return OCLMM_MAKE(parser->arena, struct tree_expression, .kind = kind, .at = at, .op = op,
	                  .left = left, .right = right, .depth = depth);
}

static struct tree_expression *make_call(struct syntax_parser *parser, enum tree_expression_kind kind,
                                  const struct syntax_token *at, struct tree_expression *arguments)
{
	struct tree_expression *call = make_node(parser, kind, at, 0, NULL, NULL);
	struct tree_expression *argument;

	call->arguments = arguments;
	for (argument = arguments; argument; argument = argument->next) {
		call->argument_count++;
		if (argument->depth >= call->depth)
			call->depth = argument->depth + 1;
	}
	if (too_deep(parser, at, call->depth, SYNTAX_MAX_NESTING, "an expression is"))
		return NULL;
	return call;
}

static struct tree_expression *make_choice(struct syntax_parser *parser, const struct syntax_token *at,
                                    struct tree_expression *condition,
                                    struct tree_expression *values)
{
	struct tree_expression *choice = make_call(parser, TREE_CHOICE, at, values);

	if (!choice)
		return NULL;
	choice->left = condition;
	choice->depth = deeper(choice->depth - 1, condition->depth);
	return too_deep(parser, at, choice->depth, SYNTAX_MAX_NESTING, "an expression is")
	               ? NULL
	               : choice;
}

static struct tree_condition *make_condition(struct syntax_parser *parser, enum tree_condition_kind kind,
                                      const struct syntax_token *at, struct tree_condition *left,
                                      struct tree_condition *right)
{
	unsigned depth = deeper(left ? left->depth : 0, right ? right->depth : 0);

	if (too_deep(parser, at, depth, MAX_CONDITION_DEPTH, "the condition is"))
		return NULL;
	return OCLMM_MAKE(parser->arena, struct tree_condition, .kind = kind, .at = at,
	                  .left = left, .right = right, .depth = depth);
}

static struct tree_parameter *make_parameter(struct syntax_parser *parser, struct tree_specifier *before,
                                      struct tree_specifier *after, const struct syntax_token *name)
{
	struct tree_specifier *last = before;

	while (last->next)
		last = last->next;
	last->next = after;
	return OCLMM_MAKE(parser->arena, struct tree_parameter, .specifiers = before, .name = name);
}

static bool observe(struct syntax_parser *parser, const struct syntax_token *at,
                  struct tree_value *values, const struct syntax_token *semicolon)
{
	if (!values && refuse_extension(parser, at, "an empty list"))
		return true;
	if (semicolon && refuse_extension(parser, semicolon, "a `;` here"))
		return true;
	parser->file->observed = values;
	parser->file->observed_at = at;
	return false;
}

static unsigned deepest(const struct tree_statement *list)
{
	unsigned depth = 0;

	for (; list; list = list->next) {
		if (list->depth > depth)
			depth = list->depth;
	}
	return depth;
}

static struct tree_statement *make_statement(struct syntax_parser *parser, enum tree_statement_kind kind,
                                      const struct syntax_token *at, struct tree_statement *body,
                                      struct tree_statement *else_body)
{
	unsigned depth = deeper(deepest(body), deepest(else_body));

	if (too_deep(parser, at, depth, SYNTAX_MAX_NESTING, "statements are"))
		return NULL;
	return OCLMM_MAKE(parser->arena, struct tree_statement, .kind = kind, .at = at,
	                  .body = body, .else_body = else_body, .depth = depth);
}

static struct tree_statement *append(struct tree_statement *first, struct tree_statement *more)
{
	struct tree_statement *last = first;

	if (!first)
		return more;
	while (last->next)
		last = last->next;
	last->next = more;
	return first;
}

static struct tree_statement *make_controlled(struct syntax_parser *parser, enum tree_statement_kind kind,
                                       const struct syntax_token *at,
                                       struct tree_expression *condition,
                                       struct tree_statement *body,
                                       struct tree_statement *else_body)
{
	struct tree_statement *statement = make_statement(parser, kind, at, body, else_body);

	if (statement)
		statement->expression = condition;
	return statement;
}

static struct tree_statement *declare(struct tree_statement *declarators,
                                    struct tree_specifier *specifiers)
{
	for (struct tree_statement *one = declarators; one; one = one->next)
		one->specifiers = specifiers;
	return declarators;
}

/* Whether it may be evaluated twice: registers and constants alone tell which object it is. */
static bool is_pure(const struct tree_expression *e)
{
	if (!e)
		return true;
	if (e->kind == TREE_CALL || e->kind == TREE_INDEX || e->kind == TREE_DEREFERENCE ||
	    e->kind == TREE_CHOICE || e->kind == TREE_ASSIGNED)
		return false;
	return is_pure(e->left) && is_pure(e->right);
}

static struct tree_expression *one(struct syntax_parser *parser, const struct syntax_token *at)
{
	struct syntax_token *word = OCLMM_NEW(parser->arena, struct syntax_token);

	*word = *at;
	word->text = "1";
	return make_node(parser, TREE_NUMBER, word, 0, NULL, NULL);
}

static enum oclmm_operator operator_of(const struct syntax_token *at)
{
	enum oclmm_operator op = OCLMM_OPERATOR_ADD;

	/* `+=` without its last letter, and `++` without it */
	while (strncmp(oclmm_operator_spelling(op), at->text, strlen(at->text) - 1) != 0)
		op++;
	return op;
}

static struct tree_statement *make_assignment(struct syntax_parser *parser, const struct syntax_token *at,
                                       struct tree_expression *target,
                                       struct tree_expression *value)
{
	struct tree_statement *statement = make_statement(parser, TREE_ASSIGNMENT, at, NULL, NULL);

	statement->target = target;
	statement->expression = value;
	if (strcmp(at->text, "=") == 0)
		return statement;
	if (refuse_extension(parser, at, "an assignment with an operator"))
		return NULL;
	/* `*x++` is `*(x++)` in C: it is the pointer that moves on */
	if (!value && target->kind == TREE_DEREFERENCE && !target->parenthesised &&
	    target->at < at) {
		oclmm_refuse(parser->source, &at->written, "write `(*x)++`, or `*x += 1`",
		              "this moves the pointer, which is outside the format");
		parser->refused = true;
		return NULL;
	}
	if (!is_pure(target->left) || !is_pure(target->right)) {
		oclmm_refuse(parser->source, &at->written,
		              "write the index into a register first: `int r0 = ...;`",
		              "the object of `%s` is found by reading memory", at->text);
		parser->refused = true;
		return NULL;
	}
	statement->expression = make_node(parser, TREE_BINARY, at, operator_of(at), target,
	                                  value ? value : one(parser, at));
	return statement->expression ? statement : NULL;
}

/* The first `return` that has a value, or that has none, in the list and within it. */
static const struct tree_statement *find_return(const struct tree_statement *list, bool value)
{
	for (; list; list = list->next) {
		const struct tree_statement *found = find_return(list->body, value);

		found = found ? found : find_return(list->else_body, value);
		if (!found && list->kind == TREE_RETURN && !list->expression == !value)
			found = list;
		if (found)
			return found;
	}
	return NULL;
}

/* `while (1)`, `for (;;)` */
static bool is_endless(const struct tree_statement *loop)
{
	const struct tree_expression *condition = loop->expression;

	return !condition ||
	       (condition->kind == TREE_NUMBER && strcmp(condition->at->text, "0") != 0 &&
	        strcmp(condition->at->text, "false") != 0);
}

static bool has_break(const struct tree_statement *list)
{
	for (; list; list = list->next) {
		if (list->kind == TREE_BREAK ||
		    (list->kind != TREE_WHILE && list->kind != TREE_DO && list->kind != TREE_FOR &&
		     list->kind != TREE_SWITCH && (has_break(list->body) || has_break(list->else_body))))
			return true;
	}
	return false;
}

/* Whether the end of the list is never reached. */
static bool ends(const struct tree_statement *list)
{
	for (; list; list = list->next) {
		if (list->kind == TREE_RETURN ||
		    (list->kind == TREE_IF && ends(list->body) && ends(list->else_body)) ||
		    (list->kind == TREE_BLOCK && ends(list->body)) ||
		    (list->kind == TREE_WHILE && is_endless(list) && !has_break(list->body)))
			return true;
	}
	return false;
}

static struct tree_function *refuse_return(struct syntax_parser *parser,
                                           const struct syntax_token *at, const char *note,
                                           const char *message)
{
	oclmm_refuse(parser->source, &at->written, note, "%s", message);
	parser->refused = true;
	return NULL;
}

static struct tree_function *make_function(struct syntax_parser *parser, const struct syntax_token *name,
                                    struct tree_specifier *specifiers,
                                    struct tree_parameter *parameters, struct tree_statement *body)
{
	const struct tree_statement *misfit = find_return(body, !specifiers);

	if (refuse_extension(parser, name, "a function"))
		return NULL;
	if (misfit)
		return refuse_return(parser, misfit->at, NULL,
		                     specifiers ? "the function returns a value"
		                                : "a void function returns a value");
	if (specifiers && !ends(body))
		return refuse_return(parser, name, "end it with `return`, or make it `void`",
		                     "the function returns no value");
	return OCLMM_MAKE(parser->arena, struct tree_function, .name = name,
	                  .specifiers = specifiers, .parameters = parameters, .body = body);
}

#define NEW(type, ...) OCLMM_MAKE(parser->arena, struct type, __VA_ARGS__)
#define MAKE(target, made)       \
	do {                     \
		(target) = (made); \
		if (!(target))   \
			YYABORT; \
	} while (0)
#define FOREIGN_TO_DARTAGNAN(at, what)                  \
	do {                                            \
		if (refuse_extension(parser, at, what)) \
			YYABORT;                        \
	} while (0)
#define NODE(target, kind, at, left, right) \
	MAKE(target, make_node(parser, TREE_##kind, at, 0, left, right))
#define BINARY(target, at, op, a, b) \
	MAKE(target, make_node(parser, TREE_BINARY, at, OCLMM_OPERATOR_##op, a, b))
#define UNARY(target, at, op, a) \
	MAKE(target, make_node(parser, TREE_UNARY, at, OCLMM_OPERATOR_##op, a, NULL))
#define CONTROLLED(target, kind, at, condition, body, else_body) \
	MAKE(target, make_controlled(parser, TREE_##kind, at, condition, body, else_body))
/* What has an expression, or NULL, and no statements within. */
#define SIMPLE(target, kind, at, expression) CONTROLLED(target, kind, at, expression, NULL, NULL)
}

%define api.pure full
%define api.prefix {oclmm_syntax_}
%define api.token.prefix {TOKEN_}
%define parse.error custom
%define parse.lac full
%param { struct syntax_parser *parser }

%union {
	const struct syntax_token *token;
	struct tree_specifier *specifiers;
	struct tree_expression *expression;
	struct tree_statement *statement;
	struct tree_constant *constant;
	struct tree_entry *entry;
	struct tree_parameter *parameter;
	struct tree_placement *placement;
	struct tree_thread *thread;
	struct tree_function *function;
	struct tree_table *table;
	struct tree_value *value;
	struct tree_condition *condition;
	enum oclmm_operator op;
	enum oclmm_quantifier quantifier;
}

%token END 0 "the end of the file"
%token <token> OPENCL TEST_NAME COMMENT QUOTED ARROW "=>" OTHER FOREIGN
%token <token> IDENTIFIER "a name" NUMBER "a number"
%token <token> SPACE "an address space" QUALIFIER "a qualifier" TYPE "a type" SVM "svm" KERNEL "kernel"
%token <token> ACCESS "read_write" IMAGE "an image" VECTOR "int4"
%token <token> IF "if" ELSE "else" WHILE "while" FOR "for" DO "do" BREAK "break"
%token <token> CONTINUE "continue" SWITCH "switch" CASE "case" DEFAULT "default" RANGE "a range"
%token <token> CONSTANT "constant" VOID "void" INLINE "inline" RETURN "return"
%token <token> COMPOUND "an assignment" INCREMENT "++" DECREMENT "--"
%token <token> BLOCK "^{"
%token <token> EXISTS "exists" FORALL "forall" NOT "not" FILTER "filter" LOCATIONS "locations"
%token <token> TRUE "true" FALSE "false" CONJUNCTION "/\\" DISJUNCTION "\\/"
%token <token> LOGICAL_OR "||" LOGICAL_AND "&&" EQ "==" NE "!=" LE "<=" GE ">=" SHL "<<" SHR ">>"
%token <token> '{' '}' '(' ')' '[' ']' ';' ':' ',' '.' '@' '=' '<' '>' '!' '~' '*' '/' '%' '+' '-' '&' '|' '^' '?'

%precedence NO_ELSE
%precedence ELSE
%left DISJUNCTION
%left CONJUNCTION
%right '?'
%left LOGICAL_OR
%left LOGICAL_AND
%left '|'
%left '^'
%left '&'
%left EQ NE
%left '<' '>' LE GE
%left SHL SHR
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY

%type <token> thread_name semicolon_opt truth specifier place_word negation address length_opt step
%type <specifiers> specifiers specifiers_opt qualifiers qualifiers_opt
%type <entry> entries entry location
%type <constant> constant constants initial
%type <thread> threads thread
%type <function> function
%type <table> table
%type <placement> placement_opt placement place
%type <parameter> parameters_opt parameters parameter arguments_of argument_of value_of
%type <statement> statements statement declaration declarators declarator assignment for_first
%type <expression> expression arguments_opt arguments postfix
%type <value> values value observed listed name cell
%type <condition> condition
%type <op> comparison
%type <quantifier> quantifier

%%

file
	: '{' entries '}' semicolon_opt threads locations_opt filter_opt final_opt
		{ parser->file->entries = $entries; parser->file->threads = $threads; }
	;

semicolon_opt : %empty { $$ = NULL; } | ';' ;

/* ---- init block ---- */

entries
	: %empty                { $$ = NULL; }
	| ';' entries           { FOREIGN_TO_DARTAGNAN($1, "an empty declaration"); $$ = $2; }
	| entry                 { $$ = $1; }
	| entry ';' entries     { $$ = $1; $$->next = $3; }
	;

entry
	: location
	| location '=' constant { $$ = $1; $$->values = $3; }
	| location '=' address  { $$ = $1; $$->address = $3; }
	| specifiers_opt thread_name ':' IDENTIFIER
		{ $$ = NEW(tree_entry, .specifiers = $1, .thread = $2, .name = $4); }
	| specifiers_opt thread_name ':' IDENTIFIER '=' initial
		{ $$ = NEW(tree_entry, .specifiers = $1, .thread = $2, .name = $4); $$->values = $6; }
	| specifiers_opt thread_name ':' IDENTIFIER '=' address
		{ $$ = NEW(tree_entry, .specifiers = $1, .thread = $2, .name = $4); $$->address = $6; }
	| specifiers_opt IDENTIFIER '[' length_opt ']'
		{ $$ = NEW(tree_entry, .specifiers = $1, .name = $2, .is_array = true, .length = $4); }
	| specifiers_opt IDENTIFIER '[' length_opt ']' '=' '{' constants '}'
		{
			$$ = NEW(tree_entry, .specifiers = $1, .name = $2, .is_array = true,
			         .length = $4, .values = $8);
		}
	;

location
	: specifiers_opt '[' IDENTIFIER ']'
		{ $$ = NEW(tree_entry, .specifiers = $1, .name = $3); }
	| specifiers_opt IDENTIFIER
		{ $$ = NEW(tree_entry, .specifiers = $1, .name = $2); }
	;

address
	: IDENTIFIER
	| '&' IDENTIFIER        { $$ = $2; }
	;

length_opt : %empty { $$ = NULL; } | NUMBER ;

constants
	: initial
	| initial ',' constants { $$ = $1; $$->next = $3; }
	;

initial
	: constant
	| truth                 { $$ = NEW(tree_constant, .at = $1); }
	;

constant
	: NUMBER                { $$ = NEW(tree_constant, .at = $1); }
	| '-' NUMBER            { $$ = NEW(tree_constant, .at = $2, .minus = $1); }
	;

/* ---- threads ---- */

threads
	: %empty                { $$ = NULL; }
	| thread threads        { $$ = $1; $$->next = $2; }
	| function threads      { $$ = $2; $1->next = parser->file->functions; parser->file->functions = $1; }
	| table ';' threads     { $$ = $3; $1->to = $2; $1->next = parser->file->tables; parser->file->tables = $1; }
	;

table
	: CONSTANT specifiers IDENTIFIER '=' initial
		{
			FOREIGN_TO_DARTAGNAN($3, "a constant");
			$$ = NEW(tree_table, .name = $3, .specifiers = $2, .values = $5, .from = $1);
		}
	| CONSTANT specifiers IDENTIFIER '[' length_opt ']' '=' '{' constants '}'
		{
			FOREIGN_TO_DARTAGNAN($3, "a constant");
			$$ = NEW(tree_table, .name = $3, .specifiers = $2, .is_array = true,
			         .length = $5, .values = $9, .from = $1);
		}
	;

function
	: specifiers IDENTIFIER '(' arguments_of ')' '{' statements '}'
		{ MAKE($$, make_function(parser, $2, $1, $4, $7)); $$->from = $1->at; $$->to = $8; }
	| VOID IDENTIFIER '(' arguments_of ')' '{' statements '}'
		{ MAKE($$, make_function(parser, $2, NULL, $4, $7)); $$->from = $1; $$->to = $8; }
	| INLINE function       { $$ = $2; }
	;

arguments_of
	: %empty                { $$ = NULL; }
	| VOID                  { $$ = NULL; }
	| argument_of
	;

argument_of
	: parameter
	| value_of
	| parameter ',' argument_of { $$ = $1; $$->next = $3; }
	| value_of ',' argument_of  { $$ = $1; $$->next = $3; }
	;

value_of
	: specifiers IDENTIFIER { $$ = NEW(tree_parameter, .specifiers = $1, .name = $2, .by_value = true); }
	;

thread
	: thread_name placement_opt '(' parameters_opt ')' '{' statements '}'
		{
			$$ = NEW(tree_thread, .name = $1, .placement = $2, .parameters = $4, .body = $7);
		}
	| KERNEL '@' placement '(' arguments_of ')' '{' statements '}'
		{
			FOREIGN_TO_DARTAGNAN($1, "a text that work-items share");
			$$ = NEW(tree_thread, .name = $1, .kernel = $1, .placement = $3,
			         .parameters = $5, .body = $8, .from = $7, .to = $9);
		}
	;

thread_name : IDENTIFIER | NUMBER ;

placement_opt
	: %empty                { $$ = NULL; }
	| '@' placement         { $$ = $2; }
	;

placement
	: place
	| place placement       { $$ = $1; $$->next = $2; }
	| place ',' placement   { $$ = $1; $$->next = $3; }
	;

place
	: place_word            { $$ = NEW(tree_placement, .word = $1); }
	| IDENTIFIER NUMBER     { $$ = NEW(tree_placement, .word = $1, .number = $2); }
	| IDENTIFIER RANGE      { $$ = NEW(tree_placement, .word = $1, .range = $2); }
	;

place_word : IDENTIFIER | SVM | KERNEL ;

parameters_opt : %empty { $$ = NULL; } | parameters ;

parameters
	: parameter
	| parameter ',' parameters { $$ = $1; $$->next = $3; }
	;

parameter
	: specifiers '*' IDENTIFIER
		{ $$ = make_parameter(parser, $1, NULL, $3); }
	| specifiers '*' qualifiers IDENTIFIER
		{ $$ = make_parameter(parser, $1, $3, $4); }
	| ACCESS IMAGE IDENTIFIER
		{
			$$ = NEW(tree_parameter, .name = $3,
			         .specifiers = NEW(tree_specifier, .at = $1,
			                           .next = NEW(tree_specifier, .at = $2)));
		}
	;

specifiers_opt : %empty { $$ = NULL; } | specifiers ;

specifiers
	: specifier             { $$ = NEW(tree_specifier, .at = $1); }
	| specifier specifiers  { $$ = NEW(tree_specifier, .at = $1, .next = $2); }
	;

specifier : SPACE | QUALIFIER | TYPE | SVM ;

qualifiers_opt : %empty { $$ = NULL; } | qualifiers ;

qualifiers
	: QUALIFIER             { $$ = NEW(tree_specifier, .at = $1); }
	| QUALIFIER qualifiers  { $$ = NEW(tree_specifier, .at = $1, .next = $2); }
	;

/* ---- statements ---- */

statements
	: %empty                { $$ = NULL; }
	| statement statements  { $$ = append($1, $2); }
	;

statement
	: ';'                   { FOREIGN_TO_DARTAGNAN($1, "an empty statement"); $$ = NULL; }
	| '{' statements '}'    { CONTROLLED($$, BLOCK, $1, NULL, $2, NULL); }
	| specifiers declarators ';' { $$ = declare($2, $1); }
	| assignment ';'
	| BREAK ';'             { SIMPLE($$, BREAK, $1, NULL); }
	| CONTINUE ';'          { SIMPLE($$, CONTINUE, $1, NULL); }
	| SWITCH '(' expression ')' '{' statements '}'
		{ CONTROLLED($$, SWITCH, $1, $3, $6, NULL); }
	| CASE expression ':'   { SIMPLE($$, CASE, $1, $2); }
	| DEFAULT ':'           { SIMPLE($$, DEFAULT, $1, NULL); }
	| RETURN ';'            { SIMPLE($$, RETURN, $1, NULL); }
	| RETURN expression ';' { SIMPLE($$, RETURN, $1, $2); }
	| expression ';'        { SIMPLE($$, EVALUATION, $1->at, $1); }
	| IDENTIFIER ':' expression ';'
		{ SIMPLE($$, EVALUATION, $3->at, $3); $$->label = $1; }
	| IF '(' expression ')' statement %prec NO_ELSE
		{ CONTROLLED($$, IF, $1, $3, $5, NULL); }
	| IF '(' expression ')' statement ELSE statement
		{ CONTROLLED($$, IF, $1, $3, $5, $7); }
	| WHILE '(' expression ')' statement
		{ CONTROLLED($$, WHILE, $1, $3, $5, NULL); }
	| DO statement WHILE '(' expression ')' ';'
		{
			CONTROLLED($$, DO, $1, $5, $2, NULL);
			$$->length = $3;
		}
	| FOR '(' ';' ';' ')' statement
		{ CONTROLLED($$, WHILE, $1, NULL, $6, NULL); }
	| FOR '(' for_first ';' expression ';' assignment ')' statement
		{
			CONTROLLED($$, FOR, $1, $5, $9, NULL);
			$$->first = $3;
			$$->step = $7;
		}
	;

for_first : declaration | assignment ;

declaration : specifiers declarator { $$ = declare($2, $1); } ;

declarators
	: declarator
	| declarator ',' declarators
		{ FOREIGN_TO_DARTAGNAN($2, "a second name"); $$ = $1; $$->next = $3; }
	;

declarator
	: IDENTIFIER                     { SIMPLE($$, DECLARATION, $1, NULL); }
	| IDENTIFIER '=' expression      { SIMPLE($$, DECLARATION, $1, $3); }
	| IDENTIFIER '[' length_opt ']'  { SIMPLE($$, ARRAY, $1, NULL); $$->length = $3; }
	| IDENTIFIER '[' length_opt ']' '=' '{' arguments '}'
		{ SIMPLE($$, ARRAY, $1, $7); $$->length = $3; }
	| '*' qualifiers_opt IDENTIFIER '=' expression
		{ FOREIGN_TO_DARTAGNAN($1, "a pointer of its own"); SIMPLE($$, POINTER, $3, $5); }
	| '*' qualifiers_opt IDENTIFIER '[' length_opt ']' '=' '{' arguments '}'
		{
			FOREIGN_TO_DARTAGNAN($1, "a pointer of its own");
			SIMPLE($$, POINTERS, $3, $9);
			$$->length = $5;
		}
	;

assignment
	: expression '=' expression      { MAKE($$, make_assignment(parser, $2, $1, $3)); }
	| expression COMPOUND expression { MAKE($$, make_assignment(parser, $2, $1, $3)); }
	| expression step                { MAKE($$, make_assignment(parser, $2, $1, NULL)); }
	| step expression %prec UNARY    { MAKE($$, make_assignment(parser, $1, $2, NULL)); }
	;

step : INCREMENT | DECREMENT ;

/* ---- expressions ---- */

expression
	: postfix
	| expression LOGICAL_OR expression   { BINARY($$, $2, LOGICAL_OR, $1, $3); }
	| expression LOGICAL_AND expression  { BINARY($$, $2, LOGICAL_AND, $1, $3); }
	| expression '|' expression          { BINARY($$, $2, OR, $1, $3); }
	| expression '^' expression          { BINARY($$, $2, XOR, $1, $3); }
	| expression '&' expression          { BINARY($$, $2, AND, $1, $3); }
	| expression EQ expression           { BINARY($$, $2, EQ, $1, $3); }
	| expression NE expression           { BINARY($$, $2, NE, $1, $3); }
	| expression '<' expression          { BINARY($$, $2, LT, $1, $3); }
	| expression '>' expression          { BINARY($$, $2, GT, $1, $3); }
	| expression LE expression           { BINARY($$, $2, LE, $1, $3); }
	| expression GE expression           { BINARY($$, $2, GE, $1, $3); }
	| expression SHL expression          { BINARY($$, $2, SHL, $1, $3); }
	| expression SHR expression          { BINARY($$, $2, SHR, $1, $3); }
	| expression '+' expression          { BINARY($$, $2, ADD, $1, $3); }
	| expression '-' expression          { BINARY($$, $2, SUB, $1, $3); }
	| expression '*' expression          { BINARY($$, $2, MUL, $1, $3); }
	| expression '/' expression          { BINARY($$, $2, DIV, $1, $3); }
	| expression '%' expression          { BINARY($$, $2, REM, $1, $3); }
	| expression '?' expression ':' expression %prec '?'
		{ $3->next = $5; MAKE($$, make_choice(parser, $2, $1, $3)); }
	| '!' expression %prec UNARY         { UNARY($$, $1, NOT, $2); }
	| '-' expression %prec UNARY         { UNARY($$, $1, NEGATE, $2); }
	| '~' expression %prec UNARY         { UNARY($$, $1, COMPLEMENT, $2); }
	| '*' expression %prec UNARY
		{ NODE($$, DEREFERENCE, $1, $2, NULL); }
	| '&' expression %prec UNARY
		{ NODE($$, ADDRESS, $1, $2, NULL); }
	| BLOCK IDENTIFIER '(' arguments_opt ')' ';' '}'
		{ MAKE($$, make_call(parser, TREE_CHILD, $2, $4)); }
	| '(' specifiers ')' expression %prec UNARY
		{ NODE($$, CAST, $1, $4, NULL); $$->specifiers = $2; }
	| '(' VECTOR ')' '(' arguments ')'
		{ MAKE($$, make_call(parser, TREE_VECTOR, $2, $5)); }
	;

truth : TRUE | FALSE ;

postfix
	: NUMBER                { NODE($$, NUMBER, $1, NULL, NULL); }
	| truth
		{
			FOREIGN_TO_DARTAGNAN($1, "`true` and `false`");
			NODE($$, NUMBER, $1, NULL, NULL);
		}
	| IDENTIFIER            { NODE($$, NAME, $1, NULL, NULL); }
	| IDENTIFIER '(' arguments_opt ')'
		{ MAKE($$, make_call(parser, TREE_CALL, $1, $3)); }
	| postfix '[' expression ']'
		{ NODE($$, INDEX, $2, $1, $3); }
	| postfix '.' IDENTIFIER
		{ NODE($$, MEMBER, $3, $1, NULL); }
	| '(' expression ')'    { $$ = $2; $$->parenthesised = true; }
	| '(' expression '=' expression ')' { NODE($$, ASSIGNED, $3, $2, $4); }
	;

arguments_opt : %empty { $$ = NULL; } | arguments ;

arguments
	: expression
	| expression ',' arguments { $$ = $1; $$->next = $3; }
	;

/* ---- the end: what is observed, what is asked ---- */

locations_opt
	: %empty
	| LOCATIONS '[' values ']' semicolon_opt
		{
			if (observe(parser, $1, $3, $5))
				YYABORT;
		}
	;

values
	: %empty                { $$ = NULL; }
	| listed                { $$ = $1; }
	| listed ';' values     { $$ = $1; $$->next = $3; }
	;

listed
	: name
	| cell                  { FOREIGN_TO_DARTAGNAN($1->at, "`[` in this list"); $$ = $1; }
	;

name
	: IDENTIFIER                     { $$ = NEW(tree_value, .at = $1, .name = $1); }
	| thread_name ':' IDENTIFIER     { $$ = NEW(tree_value, .at = $1, .thread = $1, .name = $3); }
	;

cell
	: IDENTIFIER '[' NUMBER ']'      { $$ = NEW(tree_value, .at = $1, .name = $1, .element = $3); }
	| '[' IDENTIFIER ']'             { $$ = NEW(tree_value, .at = $2, .name = $2); }
	;

observed : name | cell ;

filter_opt
	: %empty
	| FILTER condition semicolon_opt
		{ parser->file->filter = $2; parser->file->filter_at = $1; }
	;

final_opt
	: %empty
	| quantifier condition semicolon_opt
		{ parser->file->quantifier = $1; parser->file->condition = $2; }
	;

quantifier
	: EXISTS                { $$ = OCLMM_QUANTIFIER_EXISTS; }
	| negation EXISTS       { $$ = OCLMM_QUANTIFIER_NOT_EXISTS; }
	| FORALL                { $$ = OCLMM_QUANTIFIER_FORALL; }
	;

negation : '~' | NOT ;

condition
	: condition DISJUNCTION condition
		{ MAKE($$, make_condition(parser, TREE_OR, $2, $1, $3)); }
	| condition CONJUNCTION condition
		{ MAKE($$, make_condition(parser, TREE_AND, $2, $1, $3)); }
	| negation condition %prec UNARY
		{ MAKE($$, make_condition(parser, TREE_NOT, $1, $2, NULL)); }
	| '(' condition ')'     { $$ = $2; }
	| TRUE                  { MAKE($$, make_condition(parser, TREE_TRUE, $1, NULL, NULL)); }
	| value comparison value
		{ MAKE($$, make_condition(parser, TREE_COMPARE, $1->at, NULL, NULL)); $$->op = $2; $$->a = $1; $$->b = $3; }
	;

value
	: observed
	| constant              { $$ = NEW(tree_value, .at = $1->at, .name = $1->at, .constant = $1); }
	;

comparison
	: '='                   { $$ = OCLMM_OPERATOR_EQ; }
	| EQ                    { $$ = OCLMM_OPERATOR_EQ; }
	| NE                    { $$ = OCLMM_OPERATOR_NE; }
	| '<'                   { $$ = OCLMM_OPERATOR_LT; }
	| '>'                   { $$ = OCLMM_OPERATOR_GT; }
	| LE                    { $$ = OCLMM_OPERATOR_LE; }
	| GE                    { $$ = OCLMM_OPERATOR_GE; }
	;

%%

/* The end of the file again and again. */
static int yylex(YYSTYPE *value, struct syntax_parser *parser)
{
	const struct syntax_token *token = &parser->tokens[parser->next];

	if (token->kind != TOKEN_END)
		parser->next++;
	value->token = token;
	return token->kind;
}

static const struct syntax_token *previous(const struct syntax_parser *parser)
{
	return parser->next ? &parser->tokens[parser->next - 1] : &parser->tokens[0];
}

/* bison's own words, unless the text was refused before. */
static void yyerror(struct syntax_parser *parser, const char *message)
{
	if (!parser->refused)
		oclmm_refuse(parser->source, &previous(parser)->written, NULL, "%s", message);
	parser->refused = true;
}

static int yyreport_syntax_error(const yypcontext_t *context, struct syntax_parser *parser)
{
	enum { MOST = 96 };
	yysymbol_kind_t kinds[MOST];
	const char *names[MOST];
	int count = yypcontext_expected_tokens(context, kinds, MOST);
	bool at_end = yypcontext_token(context) == YYSYMBOL_YYEOF;

	for (int i = 0; i < count; i++)
		names[i] = yysymbol_name(kinds[i]);
	oclmm_refuse_unexpected(parser,
	                        at_end ? &parser->tokens[parser->next] : previous(parser), names,
	                        count > 0 ? (size_t)count : 0);
	return 0;
}

/* Refuses brackets that are nested too deep. */
static int check_nesting(const struct syntax_source *source, const struct syntax_tokens *tokens)
{
	unsigned depth = 0;

	for (size_t i = 0; i < tokens->count; i++) {
		const struct syntax_token *token = &tokens->data[i];
		int kind = token->kind;

		if (kind == '(' || kind == '{' || kind == '[' || kind == TOKEN_BLOCK)
			depth++;
		else if ((kind == ')' || kind == '}' || kind == ']') && depth > 0)
			depth--;
		if (depth > SYNTAX_MAX_NESTING)
			return oclmm_refuse(source, &token->written, NULL,
			                     "brackets are nested deeper than %d",
			                     SYNTAX_MAX_NESTING);
	}
	return 0;
}

int oclmm_parse_tree(const struct syntax_source *source, struct oclmm_arena *arena,
                 const struct syntax_tokens *tokens, bool dartagnan, 
                     const struct tree_file **ret_file)
{
	struct syntax_parser parser = {
		.source = source,
		.arena = arena,
		.tokens = tokens->data,
		.dartagnan = dartagnan,
		.file = OCLMM_NEW(arena, struct tree_file),
	};
	int result = check_nesting(source, tokens);

	if (result)
		return result;
	parser.file->end = &tokens->data[tokens->count - 1];
	if (yyparse(&parser) != 0) {
		yyerror(&parser, "the text is too long");
		return -EINVAL;
	}
	*ret_file = parser.file;
	return 0;
}
