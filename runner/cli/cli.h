// SPDX-License-Identifier: Apache-2.0
/*
 * Command lines. A command lists its options in a table, from which come
 * getopt_long()'s tables, the help text and the guess at a misspelt name.
 *
 * May see: grade.
 */
#ifndef OCLMM_RUNNER_CLI_CLI_H
#define OCLMM_RUNNER_CLI_CLI_H

#include <stddef.h>

#include "oclmm/base.h"
#include "oclmm/grade.h"

/* Sets something by the value of an option, NULL where it takes none. OPTIONS_HELP: a list was
 * printed; else non-zero: an error that was printed. */
typedef int option_setter(const char *option, const char *value, void *target);

enum option_kind {
	OPTION_BY_SETTER,
	OPTION_FLAG,
	OPTION_TEXT,
	OPTION_COUNT,       /* `1000000`, `1M`, `1e6` */
	OPTION_NUMBER,      /* of 64 bits, decimal or 0x... */
	OPTION_SECONDS,     /* more than 0: `90`, `1.5`, `2m`, `1h` */
	OPTION_LIMIT,       /* the same, or 0 for no limit */
	OPTION_PROBABILITY, /* neither 0 nor 1 */
	OPTION_DEVICE,      /* by number or by a part of its name */
};

struct option_spec {
	const char *name;     /* NULL ends the table */
	char letter;          /* short form, or 0 */
	const char *argument; /* name of its value in the help, or NULL */
	const char *help;
	/* What it sets, as below. */
	enum option_kind kind;
	size_t offset; /* in the data of options_parse() */
	option_setter *set;
};

/* The end of a row: what the option sets in a structure of this type. The compiler refuses a member
 * of another type. */
#define OPTION_SETS(kind, type, holder, member)                                                    \
	kind, offsetof(holder, member) + 0 * sizeof(_Generic(((holder *)0)->member, type : 0)), NULL
#define SETS_FLAG(holder, member)        OPTION_SETS(OPTION_FLAG, bool, holder, member)
#define SETS_TEXT(holder, member)        OPTION_SETS(OPTION_TEXT, const char *, holder, member)
#define SETS_COUNT(holder, member)       OPTION_SETS(OPTION_COUNT, uint64_t, holder, member)
#define SETS_NUMBER(holder, member)      OPTION_SETS(OPTION_NUMBER, uint64_t, holder, member)
#define SETS_SECONDS(holder, member)     OPTION_SETS(OPTION_SECONDS, double, holder, member)
#define SETS_LIMIT(holder, member)       OPTION_SETS(OPTION_LIMIT, double, holder, member)
#define SETS_PROBABILITY(holder, member) OPTION_SETS(OPTION_PROBABILITY, double, holder, member)
#define SETS_DEVICE(holder, member)      OPTION_SETS(OPTION_DEVICE, const char *, holder, member)
/* The same by a function, given the member or all of the data. */
#define SETS_BY(setter, holder, member) OPTION_BY_SETTER, offsetof(holder, member), (setter)
#define SETS(setter)                    OPTION_BY_SETTER, 0, (setter)

struct command {
	const char *name;
	const char *arguments;   /* behind the options in the synopsis */
	const char *summary;     /* one line */
	const char *description; /* further lines, or NULL */
	const struct option_spec *options;
	const char *repeatable;    /* names divided by blanks; others have one value, or it is an
	                              error: the last would win in silence */
	const char *const *one_of; /* sets of such names: one of each goes; NULL ends it */
	/* Returns the exit status, or what options_parse() refused or printed. */
	int (*run)(const struct command *command, int argc, char **argv);
};

/* What options_parse() returns besides 0, for the command to return. */
enum {
	OPTIONS_ERROR = OCLMM_EXIT_USAGE, /* a message was printed */
	OPTIONS_HELP = 256,               /* help was printed: no exit status, main() makes it 0 */
};

/*
 * Reads the options of argv[1..] into `data`; `*ret_first` is the index of the
 * first argument that is none (getopt moves them behind the options).
 */
int options_parse(const struct command *command, int argc, char **argv, void *data, int *ret_first);
void options_help(const struct command *command);

/* Prints a row of a list on standard output: a word, and from `column` on what it stands for, in
 * lines of OCLMM_TEXT_WIDTH. */
void cli_print_row(const char *word, size_t column, const char *what);

/* Prints `oclmm COMMAND: message` on standard error. Returns OPTIONS_ERROR. */
int options_error(const struct command *command, const char *format, ...) OCLMM_PRINTF(2, 3);
/* Says which process has the file locked, a run that writes its results. Returns
 * OCLMM_EXIT_INFRASTRUCTURE. */
int command_refuse_busy(const struct command *command, const char *path, int file);
/*
 * Writes the text to a file that no run is writing to, or to standard output where `path` is NULL.
 * Returns 0, or OCLMM_EXIT_INFRASTRUCTURE after a message.
 */
int command_write(const struct command *command, const char *path, const struct oclmm_text *text);
/* Refuses an option's value. Returns OPTIONS_ERROR. */
int option_refuse(const char *option, const char *value, const char *wanted);

/* A count: `1000000`, `1M`, `1e6`. Non-zero when refused (a message was printed). */
int option_count(const char *option, const char *value, uint64_t *ret_count);
/* A 64-bit number, decimal or 0x... */
int option_number(const char *option, const char *value, uint64_t *ret_number);

/* A file whose name has this suffix, or none: another would say that the file is what it is not. */
int option_file(const char *option, const char *value, const char *suffix, const char **ret_path);
/* A device, by number or by a part of its name: a word of nothing or blanks would be any. */
int option_device(const char *value, const char **ret_device);
/* An enum oclmm_model by its name; of an unknown one what may have been meant and all there are
 * were printed. */
int option_model(const char *option, const char *name, void *ret_model);
/* One of two words: `ret_second` says whether it is the second; `first` may be NULL for a lone
 * word. */
int option_either(const char *option, const char *value, const char *first, const char *second,
                  bool *ret_second);
/* One more of an option that may be repeated. */
int option_append(const char *option, const char *value, const char **values, size_t *count,
                  size_t most);

/* Prints a line, broken where it is wider than a terminal. */
void OCLMM_PRINTF(1, 2) cli_print_fitted(const char *format, ...);
/* Whether what is printed there is coloured: on a terminal that follows escape sequences, unless
 * NO_COLOR is set. */
bool cli_colours(int file);

/* What to say behind an unknown word. */
struct suggestion {
	char text[128];
};
/*
 * `; did you mean "sc"?` of the nearest of `count` words (oclmm_nearest()); without one `; ` and
 * `otherwise`, or nothing where that is NULL.
 */
struct suggestion suggest(const char *word, const char *const *words, size_t count,
                          const char *otherwise);

#endif
