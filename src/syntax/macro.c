// SPDX-License-Identifier: Apache-2.0
/*
 * `#define` below the init block, as C has it (C99 6.10.3), and `#pragma`, which is left out. What
 * a preprocessor could read in two ways here is refused: a macro that stands in itself, and one
 * that is named without its arguments. What a macro stands for counts where it is named.
 */
#include "token.h"

#include <string.h>

#include "grammar.h"

struct macro {
	const struct syntax_token *name;
	bool called; /**< it has parameters, or `()` */
	const struct syntax_token **parameters;
	size_t parameter_count;
	const struct syntax_token *body;
	size_t count;
	bool busy;
	struct macro *next;
};

struct expander {
	const struct syntax_source *source;
	struct oclmm_arena *arena;
	struct macro *macros;
	size_t uses;
};

/** Words of a text, and which of them is next. */
struct words {
	const struct syntax_token *data;
	size_t count, next;
};

static bool is_word(const struct syntax_token *token, const char *text)
{
	return strcmp(token->text, text) == 0;
}

static struct macro *find(const struct expander *expander, const struct syntax_token *name)
{
	struct macro *macro = expander->macros;

	while (macro && (name->kind != TOKEN_IDENTIFIER || !is_word(name, macro->name->text)))
		macro = macro->next;
	return macro;
}

static int add(const struct expander *expander, const struct syntax_token *word,
               const struct syntax_token *use, struct syntax_tokens *out)
{
	struct syntax_token copy = *word;

	if (out->count > SYNTAX_MAX_TOKENS)
		return oclmm_refuse(expander->source, &word->written, NULL,
		                    "the test is longer than %d words", SYNTAX_MAX_TOKENS);
	if (use) {
		copy.written = use->written;
		copy.place = use->place;
		copy.comments = 0;
	}
	oclmm_tokens_add(out, &copy);
	return 0;
}

/* ---- definitions ---- */

static int read_parameters(struct expander *expander, struct words *line, struct macro *macro)
{
	static const char form[] = "write `#define f(a, b) ...`";
	size_t begin = ++line->next;
	bool name = true;

	macro->called = true;
	macro->parameters = OCLMM_NEW_ARRAY(expander->arena, const struct syntax_token *,
	                                    line->count + 1);
	for (; line->next < line->count; line->next++, name = !name) {
		const struct syntax_token *word = &line->data[line->next];

		if (word->kind == ')' && (!name || line->next == begin)) {
			line->next++;
			return 0;
		}
		if (name ? word->kind != TOKEN_IDENTIFIER : word->kind != ',')
			return oclmm_refuse(expander->source, &word->written, form,
			                    "unexpected `%.40s` among the parameters of a macro",
			                    word->text);
		if (name)
			macro->parameters[macro->parameter_count++] = word;
	}
	return oclmm_refuse(expander->source, &macro->name->written, form,
	                    "the parameters of the macro `%s` do not end", macro->name->text);
}

static int check_body(const struct expander *expander, const struct macro *macro)
{
	int braces = 0;

	for (size_t i = 0; i < macro->count; i++) {
		const struct syntax_token *word = &macro->body[i];

		if (is_word(word, "#"))
			return oclmm_refuse(expander->source, &word->written,
			                    "write what comes of it",
			                    "`#` in a macro is outside the format");
		braces += (word->kind == '{') - (word->kind == '}');
		if (braces < 0)
			break;
	}
	return braces ? oclmm_refuse(expander->source, &macro->name->written,
	                             "write the braces where the macro is used",
	                             "the braces of the macro `%s` do not pair up",
	                             macro->name->text)
	              : 0;
}

static int define(struct expander *expander, struct words *line)
{
	struct macro *macro = OCLMM_NEW(expander->arena, struct macro);
	const struct syntax_token *name = &line->data[line->next];
	int result = 0;

	if (line->next == line->count || name->kind != TOKEN_IDENTIFIER)
		return oclmm_refuse(expander->source,
		                    &line->data[line->next - (line->next == line->count)].written,
		                    "write `#define N 4`, with a name of your own",
		                    "a macro has a name that is no word of the language");
	if (find(expander, name))
		return oclmm_refuse(expander->source, &name->written, NULL,
		                    "the macro `%s` is defined twice", name->text);
	macro->name = name;
	line->next++;
	if (line->next < line->count && line->data[line->next].kind == '(' &&
	    oclmm_tokens_touch(name, &line->data[line->next]))
		result = read_parameters(expander, line, macro);
	if (result)
		return result;
	macro->body = &line->data[line->next];
	macro->count = line->count - line->next;
	macro->next = expander->macros;
	expander->macros = macro;
	return check_body(expander, macro);
}

/* The words of a line that begins with `#`; a `\` joins the next line to it. */
static struct words read_line(struct expander *expander, struct words *all)
{
	const struct syntax_token *word = &all->data[all->next];
	uint32_t number = word->written.line;
	struct syntax_tokens line = {0};
	struct words copy;

	oclmm_tokens_reserve(&line, 16);
	for (; word->kind != TOKEN_END && word->written.line == number; word++) {
		if (is_word(word, "\\"))
			number++;
		else
			oclmm_tokens_add(&line, word);
	}
	all->next = (size_t)(word - all->data);
	copy = (struct words){
		.data = oclmm_arena_copy(expander->arena, line.data,
	                                 line.count * sizeof(*line.data)),
		.count = line.count,
	};
	oclmm_tokens_finish(&line);
	return copy;
}

static int read_directive(struct expander *expander, struct words *all)
{
	struct words line = read_line(expander, all);

	line.next = 2;
	if (line.count > 1 && is_word(&line.data[1], "define"))
		return define(expander, &line);
	if (line.count > 1 && is_word(&line.data[1], "pragma"))
		return 0;
	return oclmm_refuse(expander->source, &line.data[0].written,
	                    "of the preprocessor there is `#define`, and `#pragma` is left out: "
	                    "write the lines that count",
	                    "`#%.40s` is outside the format",
	                    line.count > 1 ? line.data[1].text : "");
}

/* ---- uses ---- */

static int expand(struct expander *expander, struct words words, const struct syntax_token *use,
                  struct syntax_tokens *out);

/* The arguments of a call, up to its `)`. */
static int read_arguments(struct expander *expander, const struct macro *macro,
                          const struct syntax_token *use, struct words *words,
                          struct words *arguments)
{
	unsigned depth = 0;
	size_t count = 0;

	arguments[0].data = &words->data[++words->next];
	for (; words->next < words->count; words->next++) {
		int kind = words->data[words->next].kind;

		if (kind == ')' && depth == 0)
			break;
		depth += kind == '(';
		depth -= kind == ')';
		if (kind != ',' || depth) {
			arguments[count].count++;
			continue;
		}
		if (++count >= macro->parameter_count)
			break;
		arguments[count].data = &words->data[words->next + 1];
	}
	if (words->next < words->count && words->data[words->next].kind == ')' &&
	    (count + 1 == macro->parameter_count ||
	     (!macro->parameter_count && !arguments[0].count))) {
		words->next++;
		return 0;
	}
	return oclmm_refuse(expander->source, &use->written, NULL, "the macro `%s` takes %zu %s",
	                    macro->name->text, macro->parameter_count,
	                    macro->parameter_count == 1 ? "argument" : "arguments");
}

/* Its body, with the arguments, which are expanded before, in place of the parameters. */
static int replace(struct expander *expander, const struct macro *macro,
                   const struct words *arguments, const struct syntax_token *use,
                   struct syntax_tokens *out)
{
	int result = 0;

	for (size_t i = 0; i < macro->count && !result; i++) {
		size_t k = 0;

		while (k < macro->parameter_count &&
		       !oclmm_tokens_equal(macro->parameters[k], &macro->body[i]))
			k++;
		if (k < macro->parameter_count)
			result = expand(expander, arguments[k], use, out);
		else
			result = add(expander, &macro->body[i], use, out);
	}
	return result;
}

static int expand_use(struct expander *expander, struct macro *macro, struct words *words,
                      const struct syntax_token *use, struct syntax_tokens *out)
{
	struct words *arguments = OCLMM_NEW_ARRAY(expander->arena, struct words,
	                                          macro->parameter_count + 1);
	struct syntax_tokens replaced = {0};
	int result = 0;

	if (macro->busy || ++expander->uses > SYNTAX_MAX_TOKENS)
		return oclmm_refuse(expander->source, &use->written, NULL,
		                    macro->busy ? "the macro `%s` stands in itself"
		                                : "`%s` is one macro too many",
		                    macro->name->text);
	words->next++;
	if (macro->called && (words->next == words->count || words->data[words->next].kind != '('))
		return oclmm_refuse(expander->source, &use->written, NULL,
		                    "the macro `%s` is named without arguments", macro->name->text);
	oclmm_tokens_reserve(&replaced, macro->count + 1);
	if (macro->called)
		result = read_arguments(expander, macro, use, words, arguments);
	if (!result)
		result = replace(expander, macro, arguments, use, &replaced);
	macro->busy = true;
	if (!result)
		result = expand(expander, (struct words){replaced.data, replaced.count, 0}, use,
		                out);
	macro->busy = false;
	oclmm_tokens_finish(&replaced);
	return result;
}

static int expand(struct expander *expander, struct words words, const struct syntax_token *use,
                  struct syntax_tokens *out)
{
	int result = 0;

	while (words.next < words.count && !result) {
		const struct syntax_token *word = &words.data[words.next];
		struct macro *macro = find(expander, word);

		if (macro) {
			result = expand_use(expander, macro, &words, use ? use : word, out);
			continue;
		}
		result = add(expander, word, use, out);
		words.next++;
	}
	return result;
}

/* ---- the file ---- */

static bool begins_directive(const struct words *all)
{
	const struct syntax_token *word = &all->data[all->next];

	return is_word(word, "#") && (all->next == 0 || word[-1].written.line < word->written.line);
}

int oclmm_expand_macros(const struct syntax_source *source, struct oclmm_arena *arena,
                        bool dartagnan, struct syntax_tokens *tokens)
{
	struct expander expander = {.source = source, .arena = arena};
	struct words all = {tokens->data, tokens->count, 0};
	struct syntax_tokens out = {0};
	int result = 0;

	/* what stands before the init block is no C */
	while (all.next < all.count && all.data[all.next].kind != '{')
		all.next++;
	while (all.next < all.count && !is_word(&all.data[all.next], "#"))
		all.next++;
	if (all.next >= all.count)
		return 0;
	oclmm_tokens_reserve(&out, tokens->count);
	memcpy(out.data, tokens->data, all.next * sizeof(*out.data));
	out.count = all.next;
	while (all.next < all.count && !result) {
		const struct syntax_token *word = &all.data[all.next];
		struct macro *macro = find(&expander, word);

		if (begins_directive(&all) && dartagnan)
			result = oclmm_refuse(source, &word->written, NULL,
			                      "`#` is not in the grammar shared with Dartagnan");
		else if (begins_directive(&all))
			result = read_directive(&expander, &all);
		else if (macro)
			result = expand_use(&expander, macro, &all, word, &out);
		else
			result = add(&expander, &all.data[all.next++], NULL, &out);
	}
	oclmm_tokens_finish(tokens);
	*tokens = out;
	return result;
}
