// SPDX-License-Identifier: Apache-2.0
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oclmm/base.h"
#include "oclmm/grade.h"
#include "progress.h"

/* ---- which options go together ---- */

enum { MAX_OPTIONS = 64 };

/* The options that a command line has so far. */
struct given {
	const char *values[MAX_OPTIONS]; /* by index into the table; "" where it takes none */
};

static bool has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	while (words && *words) {
		size_t next = strcspn(words, " ");

		if (next == length && memcmp(words, word, length) == 0)
			return true;
		words += next + strspn(words + next, " ");
	}
	return false;
}

static int refuse_both(const struct command *command, int a, int b)
{
	/* in the order of the help, whichever came first */
	return options_error(command, "either --%s or --%s, not both",
	                     command->options[a < b ? a : b].name,
	                     command->options[a < b ? b : a].name);
}

/* Returns 0, or OPTIONS_ERROR after a message: of two values, or of two options of which one goes,
 * neither is what was meant. */
static int given_add(struct given *given, const struct command *command, int index,
                     const char *value)
{
	const struct option_spec *option = &command->options[index];
	const char *before = given->values[index];

	if (before && value && strcmp(before, value) != 0 &&
	    !has_word(command->repeatable, option->name))
		return options_error(command, "--%s is given twice, as \"%s\" and as \"%s\"",
		                     option->name, before, value);
	for (const char *const *set = command->one_of; set && *set; set++) {
		for (int i = 0; has_word(*set, option->name) && command->options[i].name; i++) {
			if (i != index && given->values[i] &&
			    has_word(*set, command->options[i].name))
				return refuse_both(command, i, index);
		}
	}
	given->values[index] = value ? value : "";
	return 0;
}

enum { HELP_VALUE = 1000 };
/* Where the help of an option begins, counted from 0. */
enum { HELP_COLUMN = 31 };

static const struct command *current; /* for messages of the value parsers */

void cli_print_row(const char *word, size_t column, const char *what)
{
	struct oclmm_text text = {0};

	size_t width = oclmm_text_columns(word, strlen(word));

	oclmm_text_printf(&text, "%s%*s", word, width + 1 < column ? (int)(column - 1 - width) : 0,
	                  "");
	/* a long word has a line of its own */
	if (width < column)
		oclmm_text_add(&text, " ");
	else
		oclmm_text_printf(&text, "\n%*s", (int)column, "");
	oclmm_text_add_wrapped(&text, what, OCLMM_TEXT_WIDTH, column, column);
	printf("%s\n", oclmm_text_string(&text));
	oclmm_text_finish(&text);
}

void cli_print_fitted(const char *format, ...)
{
	struct oclmm_text text = {0};
	va_list arguments;
	char *line;
	int length;

	va_start(arguments, format);
	length = vasprintf(&line, format, arguments);
	va_end(arguments);
	if (length < 0)
		oclmm_no_memory();
	oclmm_text_add_fitted(&text, line, (size_t)length, OCLMM_TEXT_WIDTH);
	puts(oclmm_text_string(&text));
	oclmm_text_finish(&text);
	free(line);
}

static void print_option(const struct option_spec *option)
{
	struct oclmm_text text = {0};

	oclmm_text_printf(&text, "  %c%c%s--%s%s%s", option->letter ? '-' : ' ',
	                  option->letter ? option->letter : ' ', option->letter ? ", " : "  ",
	                  option->name, option->argument ? " " : "",
	                  option->argument ? option->argument : "");
	cli_print_row(oclmm_text_string(&text), HELP_COLUMN, option->help);
	oclmm_text_finish(&text);
}

void options_help(const struct command *command)
{
	static const struct option_spec help = {.name = "help",
	                                        .letter = 'h',
	                                        .help = "print this text"};
	struct oclmm_text text = {0};

	printf("usage: oclmm %s [OPTION…]%s%s\n\n%s\n", command->name,
	       *command->arguments ? " " : "", command->arguments, command->summary);
	if (command->description) {
		oclmm_text_add_wrapped(&text, command->description, OCLMM_TEXT_WIDTH, 0, 0);
		printf("\n%s\n", oclmm_text_string(&text));
		oclmm_text_finish(&text);
	}
	printf("\noptions:\n");
	for (const struct option_spec *option = command->options; option->name; option++)
		print_option(option);
	print_option(&help);
}

int options_error(const struct command *command, const char *format, ...)
{
	struct oclmm_text shown = {0};
	char *message = NULL;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(&message, format, arguments);
	va_end(arguments);
	if (length < 0)
		oclmm_no_memory();
	oclmm_text_add_shown(&shown, message);
	fprintf(stderr, "oclmm %s: %s\n", command->name, oclmm_text_string(&shown));
	oclmm_text_finish(&shown);
	free(message);
	return OPTIONS_ERROR;
}

int command_refuse_busy(const struct command *command, const char *path, int file)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (fcntl(file, F_GETLK, &whole) < 0 || whole.l_type == F_UNLCK)
		whole.l_pid = 0;
	options_error(command, "%s is being written by process %ld", oclmm_shown(path).text,
	              (long)whole.l_pid);
	return OCLMM_EXIT_INFRASTRUCTURE;
}

/* What is put in its place a run would never see, and would write to a file without a name. */
static int refuse_where_busy(const struct command *command, const char *path)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	struct stat info;
	int file, status = 0;

	if (stat(path, &info) < 0 || !S_ISREG(info.st_mode))
		return 0;
	file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (file < 0)
		return 0;
	if (fcntl(file, F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK)
		status = command_refuse_busy(command, path, file);
	close(file);
	return status;
}

int command_write(const struct command *command, const char *path, const struct oclmm_text *text)
{
	int r;

	if (path && refuse_where_busy(command, path))
		return OCLMM_EXIT_INFRASTRUCTURE;
	if (!path)
		/* main() looks whether it arrived */
		fwrite(oclmm_text_string(text), 1, text->length, stdout);
	r = path ? oclmm_write_file(path, oclmm_text_string(text), text->length) : 0;
	if (r == 0)
		return 0;
	options_error(command, "cannot write %s: %s", path, strerror(-r));
	return OCLMM_EXIT_INFRASTRUCTURE;
}

/* `before` stands before the words as people write them. */
static struct suggestion suggest_behind(const char *before, const char *word,
                                        const char *const *words, size_t count,
                                        const char *otherwise)
{
	const char *nearest = oclmm_nearest(word, words, count);
	struct suggestion suggestion = {""};

	if (nearest)
		snprintf(suggestion.text, sizeof(suggestion.text), "; did you mean \"%s%s\"?",
		         before, nearest);
	else if (otherwise)
		snprintf(suggestion.text, sizeof(suggestion.text), "; %s", otherwise);
	return suggestion;
}

struct suggestion suggest(const char *word, const char *const *words, size_t count,
                          const char *otherwise)
{
	return suggest_behind("", word, words, count, otherwise);
}

static int refuse_unknown(const struct command *command, const char *word)
{
	const char *words[MAX_OPTIONS + 1] = {"help"};
	char name[64], help[64];
	size_t count = 1;

	if (strncmp(word, "--", 2) != 0)
		return options_error(command, "unknown option \"%s\"; see oclmm %s --help", word,
		                     command->name);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 2, "="), word + 2);
	for (const struct option_spec *option = command->options; option->name; option++)
		words[count++] = option->name;
	snprintf(help, sizeof(help), "see oclmm %s --help", command->name);
	return options_error(command, "unknown option \"--%s\"%s", name,
	                     suggest_behind("--", name, words, count, help).text);
}

/* Fills getopt's tables; values are indices, so that a letter and its name are one case. */
static void make_tables(const struct command *command, struct option *options, char *letters)
{
	size_t count = 0;

	*letters++ = ':';
	*letters++ = 'h';
	for (; command->options[count].name; count++) {
		const struct option_spec *spec = &command->options[count];

		options[count] = (struct option){
			.name = spec->name,
			.has_arg = spec->argument ? required_argument : no_argument,
			.val = HELP_VALUE + 1 + (int)count,
		};
		if (spec->letter)
			*letters++ = spec->letter;
		if (spec->letter && spec->argument)
			*letters++ = ':';
	}
	options[count++] = (struct option){.name = "help", .val = HELP_VALUE};
	options[count] = (struct option){0};
	*letters = '\0';
}

static int index_of_letter(const struct command *command, int letter)
{
	for (int i = 0; command->options[i].name; i++) {
		if (command->options[i].letter == letter)
			return i;
	}
	return -1;
}

/* ---- values ---- */

int option_refuse(const char *option, const char *value, const char *wanted)
{
	return options_error(current, "--%s: \"%s\" is not %s", option, value, wanted);
}

static int option_probability(const char *option, const char *value, double *ret_probability)
{
	char *end;
	double probability = strtod(value, &end);

	if (*value < '0' || *value > '9' || *end || !(probability > 0 && probability < 1))
		return option_refuse(option, value, "a probability between 0 and 1 such as 0.95");
	*ret_probability = probability;
	return 0;
}

int option_number(const char *option, const char *value, uint64_t *ret_number)
{
	char *end;
	uint64_t number;

	errno = 0;
	number = strtoull(value, &end, 0);
	if (*value < '0' || *value > '9' || *end || errno)
		return option_refuse(option, value, "a number between 0 and 2^64-1");
	*ret_number = number;
	return 0;
}

int option_count(const char *option, const char *value, uint64_t *ret_count)
{
	static const char units[] = "kMGT";
	char *end;
	double number;

	errno = 0;
	number = strtod(value, &end);
	if (*end && strchr(units, *end)) {
		number *= pow(1000, (double)(strchr(units, *end) - units + 1));
		end++;
	}
	/* 1.1M is a whole number but for the last bits; 1.5 is not */
	if (*value < '0' || *value > '9' || *end || errno || !(number >= 1 && number < 1e18) ||
	    fabs(number - round(number)) > 1e-12 * number)
		return option_refuse(option, value, "a count such as 1000000, 1M or 1e6");
	*ret_count = (uint64_t)round(number);
	return 0;
}

static int option_seconds(const char *option, const char *value, double *ret_seconds)
{
	char *end;
	double seconds;

	errno = 0;
	seconds = strtod(value, &end);
	if (*end == 's' || *end == 'm' || *end == 'h') {
		seconds *= *end == 'h' ? 3600 : *end == 'm' ? 60 : 1;
		end++;
	}
	if (*value < '0' || *value > '9' || *end || errno || !(seconds > 0 && seconds < 1e9))
		return option_refuse(option, value, "a time in seconds such as 90, 1.5 or 2m");
	*ret_seconds = seconds;
	return 0;
}

static int option_limit(const char *option, const char *value, double *ret_seconds)
{
	if (strcmp(value, "0") == 0) {
		*ret_seconds = 0;
		return 0;
	}
	return option_seconds(option, value, ret_seconds);
}

int option_device(const char *value, const char **ret_device)
{
	if (!value[strspn(value, " \t\n")])
		return option_refuse("device", value, "a number or a part of a name");
	*ret_device = value;
	return 0;
}

/* ---- parsing ---- */

static int set(const struct option_spec *spec, const char *value, void *data)
{
	void *target = (char *)data + spec->offset;

	switch (spec->kind) {
	case OPTION_BY_SETTER: return spec->set(spec->name, value, target);
	case OPTION_FLAG: *(bool *)target = true; return 0;
	case OPTION_TEXT: *(const char **)target = value; return 0;
	case OPTION_COUNT: return option_count(spec->name, value, target);
	case OPTION_NUMBER: return option_number(spec->name, value, target);
	case OPTION_SECONDS: return option_seconds(spec->name, value, target);
	case OPTION_LIMIT: return option_limit(spec->name, value, target);
	case OPTION_PROBABILITY: return option_probability(spec->name, value, target);
	case OPTION_DEVICE: return option_device(value, target);
	}
	return 0;
}

int options_parse(const struct command *command, int argc, char **argv, void *data, int *ret_first)
{
	struct option options[MAX_OPTIONS + 2];
	struct given given = {0};
	char letters[2 * MAX_OPTIONS + 3];
	int value, r;

	current = command;
	make_tables(command, options, letters);
	opterr = 0;
	optind = 1;
	while ((value = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		int index = value > HELP_VALUE ? value - HELP_VALUE - 1
		                               : index_of_letter(command, value);

		if (value == 'h' || value == HELP_VALUE) {
			options_help(command);
			return OPTIONS_HELP;
		}
		if (value == ':')
			return options_error(command, "option \"%s\" needs a value",
			                     argv[optind - 1]);
		if (value == '?' && optopt >= HELP_VALUE)
			return options_error(command, "option \"%s\" takes no value",
			                     argv[optind - 1]);
		if (value == '?' && optopt)
			return options_error(command, "unknown option \"-%c\"; see oclmm %s --help",
			                     optopt, command->name);
		if (value == '?')
			return refuse_unknown(command, argv[optind - 1]);
		r = given_add(&given, command, index, optarg);
		if (r == 0)
			r = set(&command->options[index], optarg, data);
		if (r)
			return r == OPTIONS_HELP ? OPTIONS_HELP : OPTIONS_ERROR;
	}
	*ret_first = optind;
	return 0;
}

int option_file(const char *option, const char *value, const char *suffix, const char **ret_path)
{
	const char *own = oclmm_suffix(value);
	char wanted[48];

	*ret_path = value;
	if (!*own || strcmp(own, suffix) == 0)
		return 0;
	snprintf(wanted, sizeof(wanted), "a name that ends in %s", suffix);
	return option_refuse(option, value, wanted);
}

/* Whether a terminal is there that follows escape sequences; one that TERM calls dumb does not. */
static bool is_terminal(int file)
{
	const char *terminal = getenv("TERM");

	return isatty(file) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

bool cli_colours(int file)
{
	const char *none = getenv("NO_COLOR");

	return is_terminal(file) && !(none && *none);
}

int option_either(const char *option, const char *value, const char *first, const char *second,
                  bool *ret_second)
{
	char wanted[96];

	*ret_second = strcmp(value, second) == 0;
	if (*ret_second || (first && strcmp(value, first) == 0))
		return 0;
	snprintf(wanted, sizeof(wanted), "%s%s%s\"%s\"", first ? "\"" : "", first ? first : "",
	         first ? "\" or " : "", second);
	return option_refuse(option, value, wanted);
}

int option_append(const char *option, const char *value, const char **values, size_t *count,
                  size_t most)
{
	char wanted[48];

	if (*count < most) {
		values[(*count)++] = value;
		return 0;
	}
	snprintf(wanted, sizeof(wanted), "one of the first %zu", most);
	return option_refuse(option, value, wanted);
}

int option_model(const char *option, const char *name, void *ret_model)
{
	const char *names[OCLMM_MODEL_COUNT];

	(void)option;
	if (oclmm_model_parse(name, ret_model))
		return 0;
	for (int i = 0; i < OCLMM_MODEL_COUNT; i++)
		names[i] = oclmm_model_name((enum oclmm_model)i);
	options_error(current, "unknown model \"%s\"%s", name,
	              suggest(name, names, OCLMM_COUNT(names), NULL).text);
	fputs("there are:\n", stderr);
	for (int i = 0; i < OCLMM_MODEL_COUNT; i++)
		fprintf(stderr, "  %-12s %s\n", names[i],
		        oclmm_model_description((enum oclmm_model)i));
	return OPTIONS_ERROR;
}

/* ---- progress ---- */

enum { BAR_WIDTH = 24 };

/* Before that much is done, what is left is a guess. */
static const double LEAST_PART = 0.02, LEAST_SECONDS = 2;

/* Redrawing more often than this only costs time. */
static const double INTERVAL = 0.1;

void progress_begin(struct progress *progress, size_t total)
{
	*progress = (struct progress){
		.shown = is_terminal(STDERR_FILENO),
		.total = total,
		.started = oclmm_clock(),
	};
}

struct time_left {
	char text[32];
};

/* At the rate so far, within what the whole may take. Not known before anything is done. */
static struct time_left time_left(double passed, double part, double most)
{
	struct time_left left = {""};
	double seconds;

	if (passed < LEAST_SECONDS || (part < LEAST_PART && most <= 0))
		return left;
	seconds = part < LEAST_PART ? most : passed / part - passed;
	if (most > 0)
		seconds = fmax(0, fmin(seconds, most - passed));
	if (seconds < 90)
		snprintf(left.text, sizeof(left.text), "%.0f s left ", seconds);
	else
		snprintf(left.text, sizeof(left.text), "%.0f min left ", seconds / 60);
	return left;
}

void progress_update(struct progress *progress, size_t done, double fraction, const char *name)
{
	double now, part;
	char bar[BAR_WIDTH + 1];
	size_t filled;

	if (!progress->shown || progress->total == 0)
		return;
	now = oclmm_clock();
	if (now - progress->last_drawn < INTERVAL)
		return;
	progress->last_drawn = now;
	part = ((double)done + fraction) / (double)progress->total;
	filled = (size_t)(part * BAR_WIDTH);
	if (filled > BAR_WIDTH)
		filled = BAR_WIDTH;
	memset(bar, '.', BAR_WIDTH);
	memset(bar, '#', filled);
	bar[BAR_WIDTH] = '\0';
	fprintf(stderr, "\r\033[K[%s] %zu/%zu %s%.30s", bar, done, progress->total,
	        time_left(now - progress->started, part, progress->most).text,
	        oclmm_shown(name).text);
	fflush(stderr);
	progress->drawn = true;
}

void progress_clear(struct progress *progress)
{
	if (!progress->drawn)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	progress->drawn = false;
}
