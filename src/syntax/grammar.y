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
#include "parse.h"

/* Every list on the stack at once, and some more. */
#define YYMAXDEPTH (8 * SYNTAX_MAX_TOKENS)

#define MAKE(target, made)       \
	do {                     \
		(target) = (made); \
		if (!(target))   \
			YYABORT; \
	} while (0)
#define FOREIGN_TO_DARTAGNAN(at, what)                       \
	do {                                                 \
		if (tree_refuse_extension(parser, at, what)) \
			YYABORT;                             \
	} while (0)
#define BINARY(target, at, op, a, b) \
	MAKE(target, tree_node(parser, TREE_BINARY, at, OCLMM_OPERATOR_##op, a, b))
#define UNARY(target, at, op, a) \
	MAKE(target, tree_node(parser, TREE_UNARY, at, OCLMM_OPERATOR_##op, a, NULL))
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
%type <specifiers> specifiers specifiers_opt qualifiers
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
		{ $$ = tree_entry(parser, $1, $2, $4); }
	| specifiers_opt thread_name ':' IDENTIFIER '=' initial
		{ $$ = tree_entry(parser, $1, $2, $4); $$->values = $6; }
	| specifiers_opt thread_name ':' IDENTIFIER '=' address
		{ $$ = tree_entry(parser, $1, $2, $4); $$->address = $6; }
	| specifiers_opt IDENTIFIER '[' length_opt ']'
		{ $$ = tree_array_entry(parser, $1, $2, $4, NULL); }
	| specifiers_opt IDENTIFIER '[' length_opt ']' '=' '{' constants '}'
		{ $$ = tree_array_entry(parser, $1, $2, $4, $8); }
	;

location
	: specifiers_opt '[' IDENTIFIER ']'
		{ $$ = tree_entry(parser, $1, NULL, $3); }
	| specifiers_opt IDENTIFIER
		{ $$ = tree_entry(parser, $1, NULL, $2); }
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
	| truth                 { $$ = tree_constant(parser, $1, NULL); }
	;

constant
	: NUMBER                { $$ = tree_constant(parser, $1, NULL); }
	| '-' NUMBER            { $$ = tree_constant(parser, $2, $1); }
	;

/* ---- threads ---- */

threads
	: %empty                { $$ = NULL; }
	| thread threads        { $$ = $1; $$->next = $2; }
	| function threads      { $$ = $2; tree_keep_function(parser->file, $1); }
	| table ';' threads     { $$ = $3; tree_keep_table(parser->file, $1); }
	;

table
	: CONSTANT specifiers IDENTIFIER '=' initial
		{ MAKE($$, tree_table(parser, $3, $2, $5)); }
	| CONSTANT specifiers IDENTIFIER '[' length_opt ']' '=' '{' constants '}'
		{
			MAKE($$, tree_table(parser, $3, $2, $9));
			$$->is_array = true;
			$$->length = $5;
		}
	;

function
	: specifiers IDENTIFIER '(' arguments_of ')' '{' statements '}'
		{ MAKE($$, tree_function(parser, $2, $1, $4, $7)); }
	| VOID IDENTIFIER '(' arguments_of ')' '{' statements '}'
		{ MAKE($$, tree_function(parser, $2, NULL, $4, $7)); }
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
	: specifiers IDENTIFIER { $$ = tree_parameter(parser, $1, NULL, $2); $$->by_value = true; }
	;

thread
	: thread_name placement_opt '(' parameters_opt ')' '{' statements '}'
		{ $$ = tree_thread(parser, $1, $2, $4, $7); }
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
	: place_word            { $$ = tree_placement(parser, $1, NULL); }
	| IDENTIFIER NUMBER     { $$ = tree_placement(parser, $1, $2); }
	;

place_word : IDENTIFIER | SVM | KERNEL ;

parameters_opt : %empty { $$ = NULL; } | parameters ;

parameters
	: parameter
	| parameter ',' parameters { $$ = $1; $$->next = $3; }
	;

parameter
	: specifiers '*' IDENTIFIER
		{ $$ = tree_parameter(parser, $1, NULL, $3); }
	| specifiers '*' qualifiers IDENTIFIER
		{ $$ = tree_parameter(parser, $1, $3, $4); }
	| ACCESS IMAGE IDENTIFIER
		{ $$ = tree_image(parser, $1, $2, $3); }
	;

specifiers_opt : %empty { $$ = NULL; } | specifiers ;

specifiers
	: specifier             { $$ = tree_specifier(parser, $1, NULL); }
	| specifier specifiers  { $$ = tree_specifier(parser, $1, $2); }
	;

specifier : SPACE | QUALIFIER | TYPE | SVM ;

qualifiers
	: QUALIFIER             { $$ = tree_specifier(parser, $1, NULL); }
	| QUALIFIER qualifiers  { $$ = tree_specifier(parser, $1, $2); }
	;

/* ---- statements ---- */

statements
	: %empty                { $$ = NULL; }
	| statement statements  { $$ = tree_statements($1, $2); }
	;

statement
	: ';'                   { FOREIGN_TO_DARTAGNAN($1, "an empty statement"); $$ = NULL; }
	| '{' statements '}'    { MAKE($$, tree_statement(parser, TREE_BLOCK, $1, $2, NULL)); }
	| specifiers declarators ';' { $$ = tree_declare($2, $1); }
	| assignment ';'
	| BREAK ';'             { MAKE($$, tree_evaluate(parser, TREE_BREAK, $1, NULL)); }
	| RETURN ';'            { MAKE($$, tree_evaluate(parser, TREE_RETURN, $1, NULL)); }
	| RETURN expression ';' { MAKE($$, tree_evaluate(parser, TREE_RETURN, $1, $2)); }
	| expression ';'        { MAKE($$, tree_evaluate(parser, TREE_EVALUATION, $1->at, $1)); }
	| IDENTIFIER ':' expression ';'
		{ MAKE($$, tree_evaluate(parser, TREE_EVALUATION, $3->at, $3)); $$->label = $1; }
	| IF '(' expression ')' statement %prec NO_ELSE
		{ MAKE($$, tree_controlled(parser, TREE_IF, $1, $3, $5, NULL)); }
	| IF '(' expression ')' statement ELSE statement
		{ MAKE($$, tree_controlled(parser, TREE_IF, $1, $3, $5, $7)); }
	| WHILE '(' expression ')' statement
		{ MAKE($$, tree_controlled(parser, TREE_WHILE, $1, $3, $5, NULL)); }
	| DO statement WHILE '(' expression ')' ';'
		{
			MAKE($$, tree_controlled(parser, TREE_DO, $1, $5, $2, NULL));
			$$->length = $3;
		}
	| FOR '(' ';' ';' ')' statement
		{ MAKE($$, tree_controlled(parser, TREE_WHILE, $1, NULL, $6, NULL)); }
	| FOR '(' for_first ';' expression ';' assignment ')' statement
		{
			MAKE($$, tree_controlled(parser, TREE_FOR, $1, $5, $9, NULL));
			$$->first = $3;
			$$->step = $7;
		}
	;

for_first : declaration | assignment ;

declaration : specifiers declarator { $$ = tree_declare($2, $1); } ;

declarators
	: declarator
	| declarator ',' declarators
		{ FOREIGN_TO_DARTAGNAN($2, "a second name"); $$ = $1; $$->next = $3; }
	;

declarator
	: IDENTIFIER                     { MAKE($$, tree_declaration(parser, $1, NULL)); }
	| IDENTIFIER '=' expression      { MAKE($$, tree_declaration(parser, $1, $3)); }
	| IDENTIFIER '[' length_opt ']'  { MAKE($$, tree_array(parser, $1, $3, NULL)); }
	| IDENTIFIER '[' length_opt ']' '=' '{' arguments '}'
		{ MAKE($$, tree_array(parser, $1, $3, $7)); }
	;

assignment
	: expression '=' expression      { MAKE($$, tree_assignment(parser, $2, $1, $3)); }
	| expression COMPOUND expression { MAKE($$, tree_assignment(parser, $2, $1, $3)); }
	| expression step                { MAKE($$, tree_assignment(parser, $2, $1, NULL)); }
	| step expression %prec UNARY    { MAKE($$, tree_assignment(parser, $1, $2, NULL)); }
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
		{ $3->next = $5; MAKE($$, tree_choice(parser, $2, $1, $3)); }
	| '!' expression %prec UNARY         { UNARY($$, $1, NOT, $2); }
	| '-' expression %prec UNARY         { UNARY($$, $1, NEGATE, $2); }
	| '~' expression %prec UNARY         { UNARY($$, $1, COMPLEMENT, $2); }
	| '*' expression %prec UNARY
		{ MAKE($$, tree_node(parser, TREE_DEREFERENCE, $1, 0, $2, NULL)); }
	| '&' expression %prec UNARY
		{ MAKE($$, tree_node(parser, TREE_ADDRESS, $1, 0, $2, NULL)); }
	| BLOCK IDENTIFIER '(' arguments_opt ')' ';' '}'
		{ MAKE($$, tree_call(parser, TREE_CHILD, $2, $4)); }
	| '(' specifiers ')' expression %prec UNARY
		{ MAKE($$, tree_node(parser, TREE_CAST, $1, 0, $4, NULL)); $$->specifiers = $2; }
	| '(' VECTOR ')' '(' arguments ')'
		{ MAKE($$, tree_call(parser, TREE_VECTOR, $2, $5)); }
	;

truth : TRUE | FALSE ;

postfix
	: NUMBER                { MAKE($$, tree_leaf(parser, TREE_NUMBER, $1)); }
	| truth
		{
			FOREIGN_TO_DARTAGNAN($1, "`true` and `false`");
			MAKE($$, tree_leaf(parser, TREE_NUMBER, $1));
		}
	| IDENTIFIER            { MAKE($$, tree_leaf(parser, TREE_NAME, $1)); }
	| IDENTIFIER '(' arguments_opt ')'
		{ MAKE($$, tree_call(parser, TREE_CALL, $1, $3)); }
	| postfix '[' expression ']'
		{ MAKE($$, tree_node(parser, TREE_INDEX, $2, 0, $1, $3)); }
	| postfix '.' IDENTIFIER
		{ MAKE($$, tree_node(parser, TREE_MEMBER, $3, 0, $1, NULL)); }
	| '(' expression ')'    { $$ = $2; $$->parenthesised = true; }
	| '(' expression '=' expression ')' { MAKE($$, tree_node(parser, TREE_ASSIGNED, $3, 0, $2, $4)); }
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
			if (tree_observe(parser, $1, $3, $5))
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
	: IDENTIFIER                     { $$ = tree_value(parser, NULL, $1, NULL); }
	| thread_name ':' IDENTIFIER     { $$ = tree_value(parser, $1, $3, NULL); }
	;

cell
	: IDENTIFIER '[' NUMBER ']'      { $$ = tree_value(parser, NULL, $1, $3); }
	| '[' IDENTIFIER ']'             { $$ = tree_value(parser, NULL, $2, NULL); }
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
		{ MAKE($$, tree_condition(parser, TREE_OR, $2, $1, $3)); }
	| condition CONJUNCTION condition
		{ MAKE($$, tree_condition(parser, TREE_AND, $2, $1, $3)); }
	| negation condition %prec UNARY
		{ MAKE($$, tree_condition(parser, TREE_NOT, $1, $2, NULL)); }
	| '(' condition ')'     { $$ = $2; }
	| TRUE                  { MAKE($$, tree_condition(parser, TREE_TRUE, $1, NULL, NULL)); }
	| value comparison value
		{ MAKE($$, tree_compare(parser, $1->at, $2, $1, $3)); }
	;

value
	: observed
	| constant              { $$ = tree_value(parser, NULL, $1->at, NULL); $$->constant = $1; }
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

static int yyreport_syntax_error(const yypcontext_t *context,
                                 struct syntax_parser *parser)
{
	enum { MOST = 96 };
	yysymbol_kind_t kinds[MOST];
	const char *names[MOST];
	int count = yypcontext_expected_tokens(context, kinds, MOST);
	int i;

	for (i = 0; i < count; i++)
		names[i] = yysymbol_name(kinds[i]);
	syntax_refuse_word(parser, yypcontext_token(context) == YYSYMBOL_YYEOF, names,
	                   count > 0 ? (size_t)count : 0);
	return 0;
}
