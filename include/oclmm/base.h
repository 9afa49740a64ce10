// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Ground floor: memory arenas, growing text, errors with a position in a
 * source file, and the counter-based random generator. Knows nothing of litmus
 * tests or of OpenCL.
 *
 * Conventions of all public headers:
 *  - a function that can fail returns 0 or a negative errno value;
 *  - `ret_` parameters stand last and are written only on success;
 *  - `destroy` functions accept NULL;
 *  - a returned `const char *` is not freed: it is a constant, such as the word of an enumerator,
 *    or lives as long as what it was asked of. A returned `char *` is malloc-ed, the caller's;
 *  - the argument of a function that gives an enumerator's word is one of them, never their COUNT;
 *  - library code never prints and never exits; running out of memory aborts, unless
 *    the program has said how it leaves: oclmm_on_no_memory().
 */
#ifndef OCLMM_BASE_H
#define OCLMM_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define OCLMM_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define OCLMM_COUNT(array)      (sizeof(array) / sizeof((array)[0]))

/* Columns of the lists `X(name, first, second, ...)` of these headers, to initialise tables. */
#define OCLMM_LIST_FIRST(name, ...)                        OCLMM_LIST_HEAD_(__VA_ARGS__, 0),
#define OCLMM_LIST_SECOND(name, first, ...)                OCLMM_LIST_HEAD_(__VA_ARGS__, 0),
#define OCLMM_LIST_THIRD(name, first, second, ...)         OCLMM_LIST_HEAD_(__VA_ARGS__, 0),
#define OCLMM_LIST_FOURTH(name, first, second, third, ...) OCLMM_LIST_HEAD_(__VA_ARGS__, 0),
#define OCLMM_LIST_HEAD_(head, ...)                        head
/**
 * Defines the function that looks up what a column of such a list, which begins with its first
 * enumerator, has for one:
 * `OCLMM_LOOK_UP(const char *, oclmm_verdict_word, oclmm_verdict, OCLMM_VERDICTS, FIRST);`
 */
#define OCLMM_LOOK_UP(result, function, type, list, column)                                        \
	result function(enum type enumerator)                                                      \
	{                                                                                          \
		static result const values[] = {list(OCLMM_LIST_##column)};                        \
                                                                                                   \
		return values[enumerator];                                                         \
	}                                                                                          \
	result function(enum type enumerator)

/** Defines the function that finds the enumerator of a word, `length` bytes of a text, in a column
 * of words. \return false, and stores nothing, where it is none of them */
#define OCLMM_FIND(function, type, list, column)                                                   \
	bool function(const char *word, size_t length, enum type *ret_enumerator)                  \
	{                                                                                          \
		static const char *const words[] = {list(OCLMM_LIST_##column)};                    \
                                                                                                   \
		for (size_t i = 0; i < OCLMM_COUNT(words); i++) {                                  \
			if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0) {   \
				*ret_enumerator = (enum type)i;                                    \
				return true;                                                       \
			}                                                                          \
		}                                                                                  \
		return false;                                                                      \
	}                                                                                          \
	bool function(const char *word, size_t length, enum type *ret_enumerator)

/** The sum of two counts, or UINT64_MAX where it would be more. */
static inline uint64_t oclmm_add_saturating(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/** Orders two outcomes of so many values. \return negative, 0 or positive, as strcmp() */
static inline int oclmm_compare_values(const int64_t *a, const int64_t *b, uint32_t width)
{
	for (uint32_t i = 0; i < width; i++) {
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	}
	return 0;
}

/** Orders two numbers likewise. */
static inline int oclmm_compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/** Orders two strings as strcmp(); NULL is as if it were empty. */
static inline int oclmm_compare_strings(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/** Whether they are the same, likewise. */
static inline bool oclmm_same_string(const char *a, const char *b)
{
	return oclmm_compare_strings(a, b) == 0;
}

/* ---- memory ---------------------------------------------------------- */

/** A region from which objects are allocated together and freed together. */
struct oclmm_arena;

/** \return a new, empty arena; free it with oclmm_arena_destroy(). */
struct oclmm_arena *oclmm_arena_create(void);
void oclmm_arena_destroy(struct oclmm_arena *arena);
/** Frees all that was allocated from it, and keeps a block of memory for what comes next. */
void oclmm_arena_clear(struct oclmm_arena *arena);

/** \return how many bytes of memory it takes, those left in its blocks included. */
size_t oclmm_arena_held(const struct oclmm_arena *arena);

/** \return `size` zeroed bytes, aligned for any type, owned by the arena. */
void *oclmm_arena_alloc(struct oclmm_arena *arena, size_t size);
/** The same with bytes that may hold anything. */
void *oclmm_arena_cut(struct oclmm_arena *arena, size_t size);
/** Copies `size` bytes into the arena; here, so that a size that is known makes no call of it. */
static inline void *oclmm_arena_copy(struct oclmm_arena *arena, const void *data, size_t size)
{
	void *copy = oclmm_arena_cut(arena, size);

	if (size)
		memcpy(copy, data, size);
	return copy;
}
/** Strings that the arena owns: a copy, one of `length` bytes at most, a printed one. */
char *oclmm_arena_strdup(struct oclmm_arena *arena, const char *text);
char *oclmm_arena_strndup(struct oclmm_arena *arena, const char *text, size_t length);
char *oclmm_arena_printf(struct oclmm_arena *arena, const char *format, ...) OCLMM_PRINTF(2, 3);
#define OCLMM_NEW(arena, type) ((type *)oclmm_arena_alloc((arena), sizeof(type)))
/** The same with what stands behind the type as its initialiser: `.name = name, .next = NULL`. */
#define OCLMM_MAKE(arena, type, ...)                                                               \
	((type *)oclmm_arena_copy((arena), &(type){__VA_ARGS__}, sizeof(type)))
#define OCLMM_NEW_ARRAY(arena, type, n)                                                            \
	((type *)oclmm_arena_alloc((arena), sizeof(type) * (size_t)(n)))

/**
 * Says how the program leaves when there is no memory left: `leave` must not
 * return, nor ask for memory. NULL: by abort().
 */
void oclmm_on_no_memory(void (*leave)(void));
/** Leaves in this way: for whoever asks for memory by other means. Never returns. */
void oclmm_no_memory(void);
/** malloc, calloc, realloc and strdup that leave instead of returning NULL. */
void *oclmm_malloc(size_t size);
void *oclmm_calloc(size_t count, size_t size);
void *oclmm_realloc(void *pointer, size_t size);
char *oclmm_strdup(const char *text);

/**
 * Makes room for one more element in a malloc-ed array: grows `*array` by
 * doubling when `count` has reached `*capacity`.
 */
void oclmm_grow(void *array_pointer, size_t *capacity, size_t count, size_t element_size);

/* ---- growing text ---------------------------------------------------- */

/** A string that grows; `data` is always NUL-terminated (or NULL when empty and unused). All zero
 * is an empty text, too. */
struct oclmm_text {
	char *data;
	size_t length;
	size_t capacity;
};

/** Makes a text empty that holds nothing to free. */
void oclmm_text_init(struct oclmm_text *text);
/** Frees the memory and leaves an empty text. */
void oclmm_text_finish(struct oclmm_text *text);
void oclmm_text_add(struct oclmm_text *text, const char *string);
void oclmm_text_add_bytes(struct oclmm_text *text, const char *bytes, size_t length);
void oclmm_text_printf(struct oclmm_text *text, const char *format, ...) OCLMM_PRINTF(2, 3);
/** Drops so many bytes from its beginning. */
void oclmm_text_drop(struct oclmm_text *text, size_t length);
/** \return the string, never NULL, still owned by the text. */
const char *oclmm_text_string(const struct oclmm_text *text);
/** \return the string as a malloc-ed block that the caller frees; the text is empty afterwards. */
char *oclmm_text_steal(struct oclmm_text *text);
/** \return the string, the arena's; the text is empty afterwards. */
char *oclmm_text_keep(struct oclmm_text *text, struct oclmm_arena *arena);

/**
 * A copy, malloc-ed, in which each byte of what XML has no character for (control characters other
 * than tab and newline, what is not UTF-8), turns the direction of writing or is not seen is a
 * question mark.
 */
char *oclmm_xml_clean(const char *string);
/** Adds a string as XML shows it, in an element or in quotes: cleaned, and escaped. */
void oclmm_text_add_xml(struct oclmm_text *text, const char *string);
/**
 * Adds a string as JSON shows it, in quotes, cleaned as for XML. `<`, `>` and `&` are written as
 * numbers, so that it may stand in an element of HTML or XML as it is: nothing in it ends a script.
 */
void oclmm_text_add_json(struct oclmm_text *text, const char *string);

/** JSON that is written member by member. A key names a member of an object; in an array it is
 * NULL. `text` is the caller's, all else is zero where nothing is written yet. */
struct oclmm_json {
	struct oclmm_text *text;
	bool lines;      /**< each member has a line of its own, behind tabs */
	bool has_member; /**< what is open has one already */
	unsigned depth;
};
/** Opens an object or array by its bracket. */
void oclmm_json_open(struct oclmm_json *json, const char *key, char bracket);
void oclmm_json_close(struct oclmm_json *json, char bracket);
/** Adds what is JSON already. */
void oclmm_json_value(struct oclmm_json *json, const char *key, const char *value);
/** NULL is written as null. */
void oclmm_json_string(struct oclmm_json *json, const char *key, const char *value);
/** A string that was printed; frees what it was printed into. */
void oclmm_json_text(struct oclmm_json *json, const char *key, struct oclmm_text *text);
void oclmm_json_integer(struct oclmm_json *json, const char *key, int64_t value);
/** What is beyond INT64_MAX is written as that. */
void oclmm_json_count(struct oclmm_json *json, const char *key, uint64_t count);
void oclmm_json_real(struct oclmm_json *json, const char *key, double value);
void oclmm_json_bool(struct oclmm_json *json, const char *key, bool value);

/**
 * Adds a string from outside (of a file, a driver, a folder's name) so that it is one line of text
 * and nothing else, for people and for programs that read lines. `\n`, `\x1b` and so on stand for
 * ends of lines, control characters, what is not UTF-8, what turns the direction of writing or is
 * not seen, and the first character of what build services take for a command (`::` in front, `##`
 * anywhere). Tabs stay; NULL is `(unknown)`. Whoever prints a foreign string does it by this, or by
 * the escaping that a format has of its own.
 */
void oclmm_text_add_shown(struct oclmm_text *text, const char *string);
/** The same for a call of printf(), cut with an ellipsis where it is longer:
 * `oclmm_shown(name).text`. */
struct oclmm_shown {
	char text[4096 + 8];
};
struct oclmm_shown oclmm_shown(const char *string);
/** `1 test`, `2 tests`, `0 launches`: a count and a noun with a regular plural, for a call of
 * printf(): `oclmm_counted(count, "test").text`. */
struct oclmm_counted {
	char text[64];
};
struct oclmm_counted oclmm_counted(uint64_t count, const char *noun);
/** Columns that a line of text for people has at most, where it can be broken. */
enum { OCLMM_TEXT_WIDTH = 80 };
/** Columns that some bytes take: those that go on a character of UTF-8 take none. */
size_t oclmm_text_columns(const char *bytes, size_t length);
/**
 * Adds paragraphs in lines of at most `width` columns. The first line goes on behind `column`, the
 * others are indented. Empty lines, and lines that begin with a blank, stay as they are.
 */
void oclmm_text_add_wrapped(struct oclmm_text *text, const char *string, size_t width,
                            size_t column, size_t indent);
/**
 * Adds a line as it is, but broken at blanks where it is wider than `width` columns. What goes on
 * is indented to the last column that two blanks stand before, where that leaves half of the width,
 * or by two more than the line. Of a comment, `# …`, what goes on is a comment.
 */
void oclmm_text_add_fitted(struct oclmm_text *text, const char *line, size_t length, size_t width);
/** The same, but what goes on is indented by `indent` columns, less than the width. */
void oclmm_text_add_hung(struct oclmm_text *text, const char *line, size_t length, size_t width,
                         size_t indent);
/** Adds all lines of a text as oclmm_text_add_fitted() does. */
void oclmm_text_add_fitted_lines(struct oclmm_text *text, const char *lines, size_t width);
/** Adds a word as a POSIX shell reads it: in quotes, unless it is safe as it is. */
void oclmm_text_add_quoted(struct oclmm_text *text, const char *word);
/**
 * Reads such a word: quotes and a backslash keep blanks, as a shell has them. \param at goes on
 * behind it \return malloc-ed; NULL: there is none
 */
char *oclmm_quoted_word(const char **at);

/**
 * Whether a pattern matches a whole text, byte by byte:
 *
 *     *            any bytes, or none
 *     ?            one byte
 *     [a-z_]       one of these; [[:digit:]] one of a class of POSIX
 *     [!a-z_]      one that is none of these; [^a-z_] is the same
 *     @(x|y)       one of the alternatives, which are patterns again
 *     ?(x|y)       one of them, or nothing
 *     *(x|y)       any number of them, or nothing
 *     +(x|y)       any number of them, but one at least
 *     !(x|y)       what matches none of them
 *     \c           the byte c, in brackets, too
 *
 * It is what fnmatch() of glibc matches with FNM_EXTMATCH in the locale of C. Besides, a text
 * matches itself, and a list stands for its bytes, too, for names of devices have parentheses:
 * `Intel(R) *(TM)` matches `Intel(R) Core(TM)`. Brackets of more than 256 bytes are none, and
 * lists are none where a pattern has more than 64 of them or the text more than 1024 bytes. So no
 * pattern takes long: the product of both lengths, but for what `!` asks for.
 */
bool oclmm_pattern_matches(const char *pattern, const char *text);

/**
 * Reads a whole file of at most 1 GiB. \return 0, or a negative errno value (-EFBIG: it is larger).
 * On success `*ret_data` is malloc-ed, NUL-terminated, and the caller's to free.
 */
int oclmm_read_file(const char *path, char **ret_data, size_t *ret_length);
/**
 * Writes a whole file by way of a temporary one beside it and a rename, so
 * that a reader never sees half of it and a failure leaves the old one. Links are followed, modes
 * kept; to a pipe or a device it writes as it stands. \return 0, or a negative errno value.
 */
int oclmm_write_file(const char *path, const char *data, size_t length);
/**
 * The same for a file of this user's alone (mode 0600). It takes the place of whatever stands there
 * but a folder: neither a link nor a pipe is followed.
 */
int oclmm_write_private_file(const char *path, const char *data, size_t length);
/** Appends what is left to read of an open file, at most 1 GiB. \return 0, or a negative errno
 * value. */
int oclmm_read_rest(int file, struct oclmm_text *text);
/** Writes all of it to an open file. \return 0, or a negative errno value. */
int oclmm_write_rest(int file, const char *data, size_t length);
/** \return the end of a path from the last dot of its last name on, or "" where that name has none,
 * or begins with it. */
const char *oclmm_suffix(const char *path);
/** Writes a new file; a failure leaves nothing. \return 0, or a negative errno value: -EEXIST where
 * something of this name is there. */
int oclmm_create_file(const char *path, const char *data, size_t length);
/** For a handler of signals that ends the program: what the functions above have not written to the
 * end is gone. */
void oclmm_remove_unfinished(void);
/** Creates a folder and those above it. Existing ones are no error. \return 0, or a negative errno
 * value. */
int oclmm_make_folders(const char *path);

/** \return seconds of a clock that only runs forward. */
double oclmm_clock(void);
/** \return seconds of processor time that the calling thread has had: what limits a search is
 * measured by these, for answers must not depend on what else a machine does. */
double oclmm_thread_clock(void);
/** Stores the time of day as results have it, in UTC: `2026-06-15T12:00:00Z`. */
void oclmm_print_now(char *text, size_t size);

/* ---- several processors ----------------------------------------------- */

/**
 * Calls `work(data, i)` for each i below `count`, in so many threads at the same time, this one
 * among them; 0: one for each processor. Returns when all is done; the other threads are gone then.
 */
void oclmm_in_parallel(size_t count, unsigned threads, void (*work)(void *data, size_t index),
                       void *data);

/* ---- errors with a position ------------------------------------------ */

/** A place in a source file: line and column count from 1, 0 means unknown. */
struct oclmm_position {
	uint32_t line;
	uint32_t column;
	uint32_t length; /**< number of columns that the caret underlines, at least 1 */
};

/**
 * What went wrong. Filled by a function that returns a negative value; plain
 * data without ownership, so that it may be copied and dropped.
 */
struct oclmm_error {
	char file[256];                 /**< empty when no file is concerned */
	struct oclmm_position position; /**< line 0 when no place is concerned */
	char message[512];              /**< lower case, no full stop */
	char source[256];               /**< the source line, tabs kept; may be empty */
	char note[256];                 /**< a second sentence, how to mend it; may be empty */
};

/** Sets the message only, clearing everything else. \return `code`, so that callers may `return`
 * it. */
int oclmm_error_set(struct oclmm_error *error, int code, const char *format, ...)
	OCLMM_PRINTF(3, 4);
/** oclmm_read_file() with "cannot read PATH: why" in `error`. */
int oclmm_read_text(const char *path, struct oclmm_error *error, char **ret_text,
                    size_t *ret_length);
/**
 * Formats an error as compilers do:
 *
 *     file:line:column: error: message
 *        12 |   atomic_store_explicit(x, 1, memory_order_acquire);
 *           |                               ^~~~~~~~~~~~~~~~~~~~
 *           note
 *
 * \return a malloc-ed string that ends in a newline.
 */
char *oclmm_error_format(const struct oclmm_error *error);

/** The lines of a text, one after the other. */
struct oclmm_lines {
	const char *path; /**< for messages */
	const char *next, *end;
	const char *line; /**< the one at hand: `length` bytes, without its end; empty at the end */
	size_t length;
	uint32_t number; /**< of the last line that there was, from 1 */
	bool ended;      /**< false: the text ends within it */
};
/** Stands before the first line of a text, which has to stay. */
void oclmm_lines_begin(struct oclmm_lines *lines, const char *path, const char *text,
                       size_t length);
/** \return whether there is another line */
bool oclmm_lines_next(struct oclmm_lines *lines);
/** The line at hand as a string within `text`, where the walk began: its end is overwritten. */
char *oclmm_lines_cut(const struct oclmm_lines *lines, char *text);
/** The place of `length` bytes, at least one, from `at` on, which is in the line at hand. */
struct oclmm_position oclmm_lines_position(const struct oclmm_lines *lines, const char *at,
                                           size_t length);
/** Fills the error with that place and the line; `note` may be NULL. \return -EINVAL */
int oclmm_lines_refuse(const struct oclmm_lines *lines, const char *at, size_t length,
                       const char *note, struct oclmm_error *error, const char *format, ...)
	OCLMM_PRINTF(6, 7);

/**
 * What a word that is none of `words` may stand for: the shortest that it begins, whatever the case
 * of the letters, else the one that takes fewest changes: one and a third of its letters at most,
 * or a sixth of them to become a beginning.
 *
 * \return one of `words`, or NULL when none is near.
 */
const char *oclmm_nearest(const char *word, const char *const *words, size_t count);

/** Whether a word is one of `words`. */
bool oclmm_is_among(const char *word, const char *const *words, size_t count);

/* ---- random numbers -------------------------------------------------- */

/**
 * Counter-based generator (SplitMix64's finaliser over key and counter): the
 * n-th number of a stream is a pure function of (key, n), so that a draw never
 * depends on the order in which others are made.
 */
uint64_t oclmm_random(uint64_t key, uint64_t counter);
/** A number below `bound` (> 0) without modulo bias worth speaking of (64-bit multiply). */
uint64_t oclmm_random_below(uint64_t key, uint64_t counter, uint64_t bound);
/** Derives the key of a sub-stream from a key and a name. */
uint64_t oclmm_random_derive(uint64_t key, const char *name);

/** XXH3 64-bit hash of bytes; stable over machines and releases. */
uint64_t oclmm_hash(const void *data, size_t length);

/* ---- what is found by its key ---------------------------------------- */

/** A number from 1, and half of the hash of its key; 0: the slot is free. */
struct oclmm_index_slot {
	uint32_t hash, number;
};

/**
 * Finds things by the hashes of their keys. They are numbered from 0, as they are added, and so may
 * stand in an array; the keys stay with them. All zero is an empty one.
 */
struct oclmm_index {
	struct oclmm_arena *arena; /**< holds the slots; NULL: oclmm_index_finish() frees them */
	struct oclmm_index_slot *slots;
	size_t slot_count, count;
};

/** Whether the thing of this number has the key. */
typedef bool oclmm_has_key(const void *things, size_t number, const void *key);

/**
 * \param things passed to `has`, with the number and the key
 * \return the number of what has the key, or SIZE_MAX
 */
size_t oclmm_index_find(const struct oclmm_index *index, uint64_t hash, oclmm_has_key *has,
                        const void *things, const void *key);
/** Adds the next thing, whose key none has yet. \return its number; 2^32 - 2 is the last. */
size_t oclmm_index_add(struct oclmm_index *index, uint64_t hash);
/** Forgets all things, and keeps the slots for others. */
void oclmm_index_clear(struct oclmm_index *index);
void oclmm_index_finish(struct oclmm_index *index);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
