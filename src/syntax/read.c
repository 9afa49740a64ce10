// SPDX-License-Identifier: Apache-2.0
/* From the text of a litmus file to its variants. */
#include "build.h"
#include "grammar.h"
#include "preamble.h"
#include "scope.h"
#include "token.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/syntax.h"

/* ---- macros ---------------------------------------------------------------- */

/*
 * `#define` below the init block, as C has it (C99 6.10.3), and `#pragma`, which is left out. What
 * a preprocessor could read in two ways here is refused: a macro that stands in itself, and one
 * that is named without its arguments. What a macro stands for counts where it is named.
 */

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

/** Puts in the place of each macro what it stands for, and leaves out the lines that define them.
 * \return 0 or -EINVAL; `tokens` are to be finished in both cases. */
static int oclmm_expand_macros(const struct syntax_source *source, struct oclmm_arena *arena,
                               bool dartagnan, struct syntax_tokens *tokens)
{
	struct expander expander = {.source = source, .arena = arena};
	struct words all = {tokens->data, tokens->count, 0};
	struct syntax_tokens out = {0};
	int result = 0;

	/* what stands before the init block is not C */
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

/* ---- variants, and the program of each ------------------------------------- */

/* ---- choices of values ---- */

/* The next combination, the last axis turning fastest. */
static bool advance(const struct preamble *preamble, uint32_t *choice)
{
	uint32_t i = preamble->axis_count;

	while (i-- > 0) {
		if (choice[i] < preamble->axes[i].alternative_count) {
			choice[i]++;
			return true;
		}
		choice[i] = 0;
	}
	return false;
}

static bool fits(const struct preamble *preamble, const struct pattern *pattern,
                 const uint32_t *choice)
{
	for (uint32_t i = 0; i < preamble->axis_count; i++) {
		if (pattern->given[i] && pattern->value[i] != choice[i])
			return false;
	}
	return true;
}

static bool is_excepted(struct preamble *preamble, const uint32_t *choice)
{
	for (uint32_t i = 0; i < preamble->except_count; i++) {
		if (fits(preamble, &preamble->excepts[i].match, choice)) {
			preamble->excepts[i].used = true;
			return true;
		}
	}
	return false;
}

static bool is_base(const struct preamble *preamble, const uint32_t *choice)
{
	for (uint32_t i = 0; i < preamble->axis_count; i++) {
		if (choice[i])
			return false;
	}
	return true;
}

static int count_variants(struct expansion *expansion, size_t *ret_count)
{
	const struct preamble *preamble = expansion->preamble;
	size_t count = 1;

	for (uint32_t i = 0; i < preamble->axis_count; i++) {
		count *= preamble->axes[i].alternative_count + 1;
		if (count > SYNTAX_MAX_VARIANTS)
			return oclmm_refuse(expansion->source, &preamble->axes[i].at->written, NULL,
			                    "the axes make more than %d variants",
			                    SYNTAX_MAX_VARIANTS);
	}
	*ret_count = count;
	return 0;
}

static int refuse_excepted_base(const struct expansion *expansion)
{
	const struct preamble *preamble = expansion->preamble;
	static const uint32_t base[SYNTAX_MAX_AXES];
	uint32_t i = 0;

	while (!fits(preamble, &preamble->excepts[i].match, base))
		i++;
	return oclmm_refuse(expansion->source, &preamble->excepts[i].at->written, NULL,
	                    "this exception removes the base variant");
}

static int choose(struct expansion *expansion)
{
	struct preamble *preamble = expansion->preamble;
	struct oclmm_arena *arena = expansion->litmus->arena;
	uint32_t choice[SYNTAX_MAX_AXES] = {0};
	size_t most = 0;
	uint32_t count = 0, i;
	int result = count_variants(expansion, &most);

	if (result)
		return result;
	expansion->choices = OCLMM_NEW_ARRAY(arena, const uint32_t *, most);
	do {
		if (!is_excepted(preamble, choice))
			expansion->choices[count++] = oclmm_arena_copy(arena, choice,
			                                               sizeof(choice));
		else if (is_base(preamble, choice))
			return refuse_excepted_base(expansion);
	} while (advance(preamble, choice));
	for (i = 0; i < preamble->except_count; i++) {
		if (!preamble->excepts[i].used)
			return oclmm_refuse(
				expansion->source, &preamble->excepts[i].at->written, NULL,
				"this exception removes nothing that is not removed already");
	}
	expansion->litmus->variant_count = count;
	return 0;
}

/* ---- names ---- */

static const char *value_of(const struct axis *axis, uint32_t choice)
{
	return choice ? axis->alternatives[choice - 1].value : "base";
}

static int name_variant(struct expansion *expansion, uint32_t index)
{
	const struct preamble *preamble = expansion->preamble;
	struct oclmm_arena *arena = expansion->litmus->arena;
	struct oclmm_variant *variant = &expansion->litmus->variants[index];
	const uint32_t *choice = expansion->choices[index];
	struct oclmm_setting *settings = OCLMM_NEW_ARRAY(arena, struct oclmm_setting,
	                                                 preamble->axis_count + 1);
	struct oclmm_text name = {0};

	oclmm_text_add(&name, preamble->safe_name);
	for (uint32_t i = 0; i < preamble->axis_count; i++) {
		settings[i].axis = oclmm_arena_strdup(arena, preamble->axes[i].name);
		settings[i].value = value_of(&preamble->axes[i], choice[i]);
		if (choice[i])
			oclmm_text_printf(&name, ".%s=%s", settings[i].axis, settings[i].value);
	}
	variant->settings = settings;
	variant->setting_count = preamble->axis_count;
	variant->name = oclmm_text_keep(&name, arena);
	for (uint32_t i = 0; i < index; i++) {
		if (strcmp(expansion->litmus->variants[i].name, variant->name) == 0)
			return oclmm_refuse(expansion->source, &preamble->name->written, NULL,
			                    "two variants are called %s", variant->name);
	}
	/* printed, it is the name of a test */
	if (strlen(variant->name) > OCLMM_TEST_NAME_MOST)
		return oclmm_refuse(expansion->source, &preamble->name->written,
		                    "shorten a value by a label",
		                    "the name %s is longer than %d letters", variant->name,
		                    OCLMM_TEST_NAME_MOST);
	return 0;
}

/* ---- rewriting ---- */

static bool applies(const struct axis *axis, const struct syntax_token *token)
{
	for (uint32_t i = 0; i < axis->thread_count; i++) {
		if (token->unit == (int)axis->threads[i])
			return true;
	}
	return axis->thread_count == 0;
}

static bool matches(const struct axis *axis, const struct sequence *sequence,
                    const struct syntax_tokens *body, size_t at)
{
	if (at + sequence->count > body->count)
		return false;
	for (size_t i = 0; i < sequence->count; i++) {
		const struct syntax_token *token = &body->data[at + i];

		if (!oclmm_tokens_equal(token, &sequence->data[i]) ||
		    token->unit != body->data[at].unit || !applies(axis, token))
			return false;
	}
	return true;
}

/* The longest listed sequence that stands at a place, or listed_count. */
static uint32_t find_longest(const struct axis *axis, const struct syntax_tokens *body, size_t at)
{
	uint32_t best = axis->listed_count;

	for (uint32_t i = 0; i < axis->listed_count; i++) {
		if (best < axis->listed_count && axis->listed[i].count <= axis->listed[best].count)
			continue;
		if (matches(axis, &axis->listed[i], body, at))
			best = i;
	}
	return best;
}

static void put(struct syntax_tokens *result, const struct sequence *sequence,
                const struct syntax_token *replaced)
{
	for (size_t i = 0; i < sequence->count; i++) {
		struct syntax_token token = sequence->data[i];

		token.place = replaced->place;
		token.unit = replaced->unit;
		oclmm_tokens_add(result, &token);
	}
}

static size_t rewrite_words(const struct axis *axis, const struct alternative *alternative,
                            const struct syntax_tokens *body, struct syntax_tokens *result,
                            size_t *hits)
{
	bool begins[UCHAR_MAX + 1] = {false}; /* some listed sequence has this first letter */
	size_t places = 0;
	size_t i = 0;

	for (uint32_t k = 0; k < axis->listed_count; k++)
		begins[(unsigned char)axis->listed[k].data[0].text[0]] = true;
	oclmm_tokens_reserve(result, body->count + 16);
	while (i < body->count) {
		uint32_t found = begins[(unsigned char)body->data[i].text[0]]
		                         ? find_longest(axis, body, i)
		                         : axis->listed_count;

		if (found == axis->listed_count) {
			oclmm_tokens_add(result, &body->data[i++]);
			continue;
		}
		put(result, &alternative->sequences[found], &body->data[i]);
		i += axis->listed[found].count;
		places++;
		if (hits)
			hits[found]++;
	}
	return places;
}

/* In the file as written, every listed sequence has to occur. */
static int check_axis(const struct expansion *expansion, const struct axis *axis)
{
	struct oclmm_arena *arena = expansion->litmus->arena;
	size_t *hits = OCLMM_NEW_ARRAY(arena, size_t, axis->listed_count);
	struct syntax_tokens ignored = {0};

	rewrite_words(axis, &axis->alternatives[0], &expansion->body, &ignored, hits);
	oclmm_tokens_finish(&ignored);
	for (uint32_t i = 0; i < axis->listed_count; i++) {
		const struct sequence *sequence = &axis->listed[i];
		struct oclmm_position at = sequence->data[0].written;
		const struct oclmm_position *last = &sequence->data[sequence->count - 1].written;

		if (hits[i])
			continue;
		if (last->line == at.line)
			at.length = last->column + last->length - at.column;
		return oclmm_refuse(expansion->source, &at, NULL,
		                    "the axis `%s` rewrites nothing: these words do not occur%s",
		                    axis->name,
		                    axis->thread_count ? " in the threads that it names" : "");
	}
	return 0;
}

/* `*ret_body` is the caller's to finish; it is empty where nothing is rewritten. */
static int rewrite(struct expansion *expansion, const uint32_t *choice,
                   struct syntax_tokens *ret_body)
{
	const struct preamble *preamble = expansion->preamble;
	struct syntax_tokens body = {0};

	for (size_t i = 0; i < preamble->axis_count; i++) {
		const struct axis *axis = &preamble->axes[i];
		struct syntax_tokens next = {0};
		size_t places;

		if (!choice[i])
			continue;
		places = rewrite_words(axis, &axis->alternatives[choice[i] - 1],
		                       body.count ? &body : &expansion->body, &next, NULL);
		oclmm_tokens_finish(&body);
		body = next;
		if (!places || body.count > SYNTAX_MAX_TOKENS) {
			oclmm_tokens_finish(&body);
			return oclmm_refuse(expansion->source, &axis->at->written,
			                    places ? NULL
			                           : "remove the combination by an `except` line",
			                    places ? "the axis `%s` makes the test too long"
			                           : "the axis `%s` rewrites nothing",
			                    axis->name);
		}
	}
	*ret_body = body;
	return 0;
}

/* ---- the program ---- */

/* `void P0 (...)` is a function, and was meant to be a thread: that is said first. */
static int check_threads(struct builder *builder)
{
	if (builder->tree->threads)
		return 0;
	if (oclmm_functions.declare(builder))
		return -EINVAL;
	return REFUSE(builder, builder->tree->end,
	              "a thread is written `P0@wg 0, dev 0 (global int *x) { ... }`",
	              "the test has no threads");
}

static int build(struct builder *builder)
{
	int (*const steps[])(struct builder *) = {
		check_threads,           oclmm_shared.declare,    oclmm_threads.declare,
		oclmm_commands.declare,  oclmm_locations.declare, oclmm_init_registers.declare,
		oclmm_functions.declare, oclmm_tables.declare,    oclmm_bodies.declare,
		oclmm_enqueued.check,    oclmm_bodies.check,      oclmm_synchronisation.check,
		oclmm_copies.check,      oclmm_locations.check,   oclmm_shared.check,
		oclmm_commands.check,    oclmm_final.check,       oclmm_floats.check,
		oclmm_pipes.check,
	};

	for (size_t i = 0; i < OCLMM_COUNT(steps); i++) {
		int result = steps[i](builder);

		if (result)
			return result;
	}
	return 0;
}

/* The program that the words of a variant form, in the arena of the file. */
static int build_program(const struct expansion *expansion, const struct syntax_tokens *body,
                         bool dartagnan, struct oclmm_program **ret_program)
{
	static const struct construct *const constructs[] = {
		&oclmm_atomics, &oclmm_synchronisation, &oclmm_copies, &oclmm_enqueued,
		&oclmm_images,  &oclmm_functions,       &oclmm_shared, NULL,
	};
	struct oclmm_arena *scratch = oclmm_arena_create();
	struct builder builder = {
		.source = expansion->source,
		.arena = expansion->litmus->arena,
		.program = OCLMM_NEW(expansion->litmus->arena, struct oclmm_program),
		.dartagnan = dartagnan,
		.unroll = expansion->preamble->unroll,
		.constructs = constructs,
	};
	struct composite_words composites;
	int result = oclmm_composites_lower(expansion->source, scratch, body, &composites);

	builder.composites = &composites;
	if (!result)
		result = oclmm_parse_tree(expansion->source, scratch,
		                          composites.tokens.count ? &composites.tokens : body,
		                          dartagnan, &builder.tree);
	builder.program->file = expansion->source->path;
	/* until the variant gives it its name */
	builder.program->name = "";
	if (!result)
		result = build(&builder);
	if (!result) {
		builder.program->hash = oclmm_program_hash(builder.program);
		*ret_program = builder.program;
	}
	oclmm_composites_finish(&composites);
	oclmm_arena_destroy(scratch);
	return result;
}

static int build_variant(struct expansion *expansion, uint32_t index)
{
	struct oclmm_litmus *litmus = expansion->litmus;
	struct oclmm_variant *variant = &litmus->variants[index];
	struct syntax_tokens body = {0};
	struct oclmm_program *program;
	int result;

	expansion->source->variant = index ? variant->name : NULL;
	result = rewrite(expansion, expansion->choices[index], &body);
	if (result)
		return result;
	result = build_program(expansion, body.count ? &body : &expansion->body,
	                       index == 0 && expansion->dartagnan, &program);
	if (!result) {
		program->name = variant->name;
		variant->program = program;
	}
	oclmm_tokens_finish(&body);
	expansion->source->variant = NULL;
	return result;
}

/* Two variants that mean the same would be one test run twice. */
static int check_distinct(const struct expansion *expansion, uint32_t index)
{
	const struct oclmm_variant *variants = expansion->litmus->variants;
	const struct preamble *preamble = expansion->preamble;
	const struct alternative *alternative;
	uint32_t axis = 0;
	uint32_t i;

	for (i = 0; i < index; i++) {
		if (variants[i].program->hash == variants[index].program->hash)
			break;
	}
	if (i == index)
		return 0;
	while (!expansion->choices[index][axis])
		axis++;
	alternative = &preamble->axes[axis].alternatives[expansion->choices[index][axis] - 1];
	return oclmm_refuse(expansion->source, &alternative->at->written,
	                    "remove one of them by an `except` line",
	                    "variants %s and %s are the same program", variants[i].name,
	                    variants[index].name);
}

/* ---- controls ---- */

static const struct oclmm_variant *find_choice(const struct expansion *expansion,
                                               const uint32_t *choice)
{
	for (uint32_t i = 0; i < expansion->litmus->variant_count; i++) {
		if (memcmp(expansion->choices[i], choice, sizeof(uint32_t[SYNTAX_MAX_AXES])) == 0)
			return &expansion->litmus->variants[i];
	}
	return NULL;
}

static void set_control(const struct expansion *expansion, uint32_t index)
{
	const struct preamble *preamble = expansion->preamble;
	struct oclmm_variant *variant = &expansion->litmus->variants[index];
	const struct oclmm_variant *control;
	uint32_t choice[SYNTAX_MAX_AXES];
	uint32_t i;

	for (i = 0; i < preamble->control_count; i++) {
		if (fits(preamble, &preamble->controls[i].match, expansion->choices[index]))
			break;
	}
	if (i == preamble->control_count)
		return;
	memcpy(choice, expansion->choices[index], sizeof(choice));
	for (uint32_t axis = 0; axis < preamble->axis_count; axis++) {
		if (preamble->controls[i].target.given[axis])
			choice[axis] = preamble->controls[i].target.value[axis];
	}
	control = find_choice(expansion, choice);
	if (control && control != variant)
		variant->control = control->name;
}

/** Builds all variants of a file into litmus->variants, each with its control's name. */
static int oclmm_expand_variants(struct expansion *expansion)
{
	struct oclmm_litmus *litmus = expansion->litmus;

	if (choose(expansion))
		return -EINVAL;
	litmus->variants = OCLMM_NEW_ARRAY(litmus->arena, struct oclmm_variant,
	                                   litmus->variant_count);
	for (uint32_t i = 0; i < litmus->variant_count; i++)
		if (name_variant(expansion, i))
			return -EINVAL;
	/* the file as it is written comes first: mistakes are reported there */
	if (build_variant(expansion, 0))
		return -EINVAL;
	for (uint32_t i = 0; i < expansion->preamble->axis_count; i++)
		if (check_axis(expansion, &expansion->preamble->axes[i]))
			return -EINVAL;
	for (uint32_t i = 1; i < litmus->variant_count; i++)
		if (build_variant(expansion, i) || check_distinct(expansion, i))
			return -EINVAL;
	for (uint32_t i = 0; i < litmus->variant_count; i++)
		set_control(expansion, i);
	return 0;
}

/* ---- the text ---- */

static struct oclmm_position position_of(const char *text, size_t offset)
{
	struct oclmm_position position = {1, 1, 1};

	for (size_t i = 0; i < offset; i++) {
		position.column++;
		if (text[i] == '\n') {
			position.line++;
			position.column = 1;
		}
	}
	return position;
}

static bool is_control(unsigned char c)
{
	return c < ' ' ? c != '\n' && c != '\t' && c != '\r' : c == 0x7f;
}

/* Refuses control characters, so that messages may quote the text. */
static int check_text(const struct syntax_source *source)
{
	struct oclmm_position at;
	size_t i = 0;

	if (source->length > SYNTAX_MAX_BYTES)
		return oclmm_refuse(source, NULL, NULL, "the file is larger than %d bytes",
		                    SYNTAX_MAX_BYTES);
	while (i < source->length && !is_control((unsigned char)source->text[i]))
		i++;
	if (i == source->length)
		return 0;
	at = position_of(source->text, i);
	return oclmm_refuse(source, &at, NULL, "a control character (byte %u)",
	                    (unsigned char)source->text[i]);
}

/* ---- the body ---- */

static bool begins_thread(const struct syntax_token *token, uint32_t *ret_number)
{
	if (token->kind == TOKEN_KERNEL && token[1].kind == '@') {
		*ret_number = 0;
		return true;
	}
	return oclmm_thread_number(token->text, ret_number) &&
	       (token[1].kind == '@' || token[1].kind == '(');
}

/* Tells each word of the body which thread it belongs to: from the name of the
 * thread to the brace that closes its body. */
static void mark_threads(struct syntax_tokens *body)
{
	int unit = SYNTAX_NO_THREAD;
	unsigned depth = 0;
	bool outside = true;
	uint32_t number;

	for (size_t i = 0; i < body->count; i++) {
		struct syntax_token *token = &body->data[i];

		if (outside && depth == 0 && token->kind != TOKEN_END &&
		    begins_thread(token, &number)) {
			unit = (int)number;
			outside = false;
		}
		token->unit = unit;
		if (token->kind == '{' || token->kind == TOKEN_BLOCK)
			depth++;
		if (token->kind == '}' && depth > 0 && --depth == 0) {
			unit = SYNTAX_NO_THREAD;
			outside = true;
		}
	}
}

/* ---- what Dartagnan reads ---- */

/* The preamble ends at the first `{`, wherever it stands. */
static int check_preamble(const struct syntax_source *source, const struct syntax_token *tokens,
                          size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strchr(tokens[i].text, '{'))
			return oclmm_refuse(source, &tokens[i].written, NULL,
			                    "Dartagnan takes a `{` in here for the init block");
	}
	return 0;
}

/* How many braces of the init block are open behind a word; none: it is closed. */
static unsigned count_open(unsigned open, const struct syntax_token *token)
{
	if (token->kind == '{')
		return open + 1;
	return token->kind == '}' ? open - 1 : open;
}

/* A comment `(* *)` may stand behind each declaration and at the end. */
static int check_comments(const struct syntax_source *source, const struct syntax_token *preamble,
                          size_t count, const struct syntax_tokens *body)
{
	unsigned open = 1;

	if (check_preamble(source, preamble, count))
		return -EINVAL;
	for (size_t i = 1; i < body->count; i++) {
		const struct syntax_token *token = &body->data[i];
		int before = token[-1].kind;
		bool behind = open == 1 && (before == ';' || (token->kind == '}' && before != '{'));

		if (token->comments > (behind || token->kind == TOKEN_END))
			return oclmm_refuse(
				source, &token->written,
				"write it with `//`, or above the init block",
				"before this stands a comment that Dartagnan does not read");
		if (open > 0)
			open = count_open(open, token);
	}
	return 0;
}

/* ---- the file ---- */

static int read_tokens(struct syntax_source *source, const struct syntax_tokens *tokens,
                       bool dartagnan, struct oclmm_litmus *litmus)
{
	struct preamble *preamble = OCLMM_NEW(litmus->arena, struct preamble);
	struct expansion expansion = {
		.source = source,
		.litmus = litmus,
		.preamble = preamble,
		.dartagnan = dartagnan,
	};
	size_t body;
	int result = oclmm_read_preamble(source, litmus->arena, tokens, preamble, &body);

	if (result)
		return result;
	expansion.body.data = &tokens->data[body];
	expansion.body.count = tokens->count - body;
	if (expansion.body.count > SYNTAX_MAX_TOKENS)
		return oclmm_refuse(source, &tokens->data[body + SYNTAX_MAX_TOKENS].written, NULL,
		                    "the test is longer than %d words", SYNTAX_MAX_TOKENS);
	mark_threads(&expansion.body);
	if (dartagnan)
		result = check_comments(source, tokens->data, body, &expansion.body);
	if (result)
		return result;
	litmus->name = preamble->safe_name;
	litmus->question = preamble->question;
	litmus->comment = preamble->comment;
	litmus->stated = preamble->stated;
	litmus->stated_position = preamble->stated_position;
	return oclmm_expand_variants(&expansion);
}

static int compare_names(const void *a, const void *b)
{
	const struct oclmm_variant *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/* Files have hundreds of variants, and each is asked for its control. */
static void sort_variants(struct oclmm_litmus *litmus)
{
	litmus->by_name = OCLMM_NEW_ARRAY(litmus->arena, const struct oclmm_variant *,
	                                  litmus->variant_count);
	for (uint32_t i = 0; i < litmus->variant_count; i++)
		litmus->by_name[i] = &litmus->variants[i];
	qsort(litmus->by_name, litmus->variant_count, sizeof(*litmus->by_name), compare_names);
}

static struct oclmm_litmus *create(const char *path, const char *text, size_t length)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_litmus *litmus = OCLMM_NEW(arena, struct oclmm_litmus);

	litmus->arena = arena;
	litmus->path = oclmm_arena_strdup(arena, path);
	litmus->text = oclmm_arena_strndup(arena, text, length);
	return litmus;
}

int oclmm_litmus_parse(const char *path, const char *text, size_t length,
                       const struct oclmm_syntax_options *options, struct oclmm_error *error,
                       struct oclmm_litmus **ret_litmus)
{
	struct syntax_source source = {
		.path = path, .text = text, .length = length, .error = error};
	struct syntax_tokens tokens;
	struct oclmm_litmus *litmus;
	int result = check_text(&source);

	if (result)
		return result;
	litmus = create(path, text, length);
	source.path = litmus->path;
	source.text = litmus->text;
	result = oclmm_lex(&source, litmus->arena, &tokens);
	if (!result) {
		result = oclmm_expand_macros(&source, litmus->arena, options && options->dartagnan,
		                             &tokens);
		if (!result)
			result = read_tokens(&source, &tokens, options && options->dartagnan,
			                     litmus);
		oclmm_tokens_finish(&tokens);
	}
	if (result) {
		oclmm_litmus_destroy(litmus);
		return result;
	}
	sort_variants(litmus);
	*ret_litmus = litmus;
	return 0;
}

/* Reads no more than it takes to refuse the file for its size. */
static int read_bounded(const char *path, struct oclmm_error *error, struct oclmm_text *text)
{
	char block[16 * 1024];
	FILE *file = fopen(path, "re");
	size_t length = 1;
	int r = file ? 0 : -errno;

	errno = 0;
	while (r == 0 && length > 0 && text->length <= SYNTAX_MAX_BYTES) {
		length = fread(block, 1, sizeof(block), file);
		oclmm_text_add_bytes(text, block, length);
	}
	if (file && ferror(file))
		r = errno ? -errno : -EIO;
	if (file)
		fclose(file);
	return r < 0 ? oclmm_error_set(error, r, "cannot read %s: %s", path, strerror(-r)) : 0;
}

int oclmm_litmus_read(const char *path, const struct oclmm_syntax_options *options,
                      struct oclmm_error *error, struct oclmm_litmus **ret_litmus)
{
	struct oclmm_text text = {0};
	int result = read_bounded(path, error, &text);

	if (result == 0)
		result = oclmm_litmus_parse(path, oclmm_text_string(&text), text.length, options,
		                            error, ret_litmus);
	oclmm_text_finish(&text);
	return result;
}

void oclmm_litmus_destroy(struct oclmm_litmus *litmus)
{
	if (litmus)
		oclmm_arena_destroy(litmus->arena);
}

const struct oclmm_variant *oclmm_litmus_find(const struct oclmm_litmus *litmus, const char *name)
{
	const struct oclmm_variant key = {.name = name}, *wanted = &key, **found;

	found = bsearch(&wanted, litmus->by_name, litmus->variant_count, sizeof(*found),
	                compare_names);
	return found ? *found : NULL;
}
