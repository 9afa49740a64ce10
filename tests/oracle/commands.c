// SPDX-License-Identifier: Apache-2.0
/*
 * The oracle on programs of commands, against a machine that plays them. The
 * machine knows no relation: it has a host that makes one call after the
 * other, and queues that begin a command when they may. All states that it can
 * reach are visited, so that one command comes before another where it has
 * always ended when the other begins. Two that conflict and come in no order
 * race; a program without a race ends in one way, whatever the schedule.
 *
 * Shared virtual memory has two names, its pointer and a buffer that is made over it. By the
 * alternative of knob K19 what is written by the one is seen by the other where a map of the buffer
 * shows it, and nowhere else.
 *
 * There are three machines. In the early one (knob K17, OpenCL 2.0) the call of a blocking write
 * has copied what it writes when it returns, and the command may be complete later. In the one that
 * looks (knob K18, 3.1.0) the host goes on behind a command that it has seen to be complete; in the
 * others what it sees tells it nothing.
 *
 * A recorded command begins when its command buffer is played, and what it waits for there has
 * ended; the replay ends when all of them have (cl_khr_command_buffer). The n-th wait for a
 * semaphore ends when its n-th signal has (cl_khr_semaphore). External memory is OpenCL's from the
 * end of an acquisition to the begin of the next release, and another's from the end of a release
 * to the begin of the next acquisition (cl_khr_external_memory).
 *
 * usage: commands COUNT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/model.h"
#include "oclmm/syntax.h"

enum { THREADS = 6, OBJECTS = 5, STATES = (THREADS + 1) << (2 * THREADS) };
/* x and y are buffers, h is the host's, e is external memory, s is shared virtual memory */
static const char *const objects[OBJECTS] = {"x", "y", "h", "e", "s"};

/* ---- programs that are drawn --------------------------------------------- */

static uint64_t key, drawn;

static unsigned draw(unsigned below)
{
	return (unsigned)(oclmm_random(key, drawn++) % below);
}

static const char *const places[] = {"kernel", "fill",   "write",   "read",    "copy", "map",
                                     "unmap",  "marker", "barrier", "migrate", "host", "user"};

static void print_waits(struct oclmm_text *text, unsigned thread, unsigned threads, bool host)
{
	static const char *const words[] = {"wait", "wait", "callback", "poll", "finish", "flush"};

	for (unsigned n = draw(3); n > 0; n--) {
		const char *word = words[host ? draw(6) : 0];

		if (word[0] == 'f')
			oclmm_text_printf(text, " %s %u", word, draw(3));
		else
			oclmm_text_printf(text, " %s %u", word,
			                  draw(8) ? draw(thread + 1) : draw(threads));
	}
}

/* Often what goes on with an object that is mapped, or maps one. */
static const char *draw_place(const bool *mapped, const char **ret_object)
{
	unsigned object = draw(2);
	const char *place = places[draw(sizeof(places) / sizeof(*places))];

	*ret_object = objects[object];
	if (mapped[object] && draw(3))
		return draw(2) ? "host" : "unmap";
	return draw(4) ? place : "map";
}

/* How many commands its one command buffer has in a program that replays it twice; else 0. */
static unsigned commands_of_two_replays(unsigned threads)
{
	unsigned commands = 1 + (unsigned)(key / 12) % 2;

	return key % 6 || threads < 2 * commands + 2 ? 0 : commands;
}

/* Of a program with a command buffer: some commands are recorded, and one late thread replays
 * them. */
static bool print_recorded(struct oclmm_text *text, unsigned thread, unsigned threads)
{
	const char *queue = key & 4 ? "unordered 2" : "queue 1", *a = objects[draw(2)];
	const char *second = key & 4 ? "unordered 3" : "queue 0";
	unsigned dice;

	if (key % 3 || threads < 3 || commands_of_two_replays(threads))
		return false;
	if (thread == threads - 1 - (key >> 3) % 2) {
		oclmm_text_printf(text, "P%u@replay %s recording 0%s () {}\n", thread, queue,
		                  draw(2) ? "" : " wait 0");
		return true;
	}
	dice = draw(10);
	if (thread >= threads - 1 || dice < 3)
		return false;
	oclmm_text_printf(text, "P%u@%s %s recording 0", thread,
	                  dice == 3   ? "barrier"
	                  : dice == 8 ? "fill"
	                  : dice == 9 ? "copy"
	                              : "kernel",
	                  key & 8 && draw(3) == 0 ? second : queue);
	if (thread && draw(2))
		oclmm_text_printf(text, " after %u", draw(thread));
	if (dice == 3)
		oclmm_text_add(text, " () {}\n");
	else if (dice < 6)
		oclmm_text_printf(text, " (global int *%s) { int r0 = *%s; }\n", a, a);
	else if (dice == 9)
		oclmm_text_printf(text, " (global int *x, global int *y) { *%s = *%s; }\n", a,
		                  objects[a == objects[0]]);
	else
		oclmm_text_printf(text, " (global int *%s) { *%s = %u; }\n", a, a, thread + 1);
	return true;
}

static const char *const launches[] = {"global_work_offset", "global_work_size", "local_work_size"};

/* Of a program whose command buffer is replayed twice, with one or two commands: what it records
 * is drawn once, and written twice. */
static bool print_replayed_twice(struct oclmm_text *text, unsigned thread, unsigned threads)
{
	static uint64_t first[2];
	unsigned commands = commands_of_two_replays(threads), again = threads - 1 - commands;
	const char *queue = key & 4 ? "unordered 2" : "queue 1", *to, *from;
	uint64_t kept;
	unsigned dice, which;
	bool misses;

	if (!commands)
		return false;
	if (thread == commands || thread == threads - 1) {
		oclmm_text_printf(text, "P%u@replay %s recording 0", thread,
		                  draw(4) || key & 4 ? queue : "queue 0");
		if (thread != commands && draw(2))
			oclmm_text_printf(text, " wait %u", commands + draw(again - commands));
		oclmm_text_add(text, " () {}\n");
		return true;
	}
	if (thread > commands && thread < again)
		return false;
	if (thread < commands)
		first[thread] = drawn;
	kept = drawn;
	drawn = first[thread < commands ? thread : thread - again];
	dice = draw(5);
	which = draw(2);
	/* a kernel may have other arguments then */
	which ^= thread >= again && dice > 2 && kept % 3 == 0;
	/* and one of the replays may reach nothing by its launch */
	misses = dice > 2 && key / 24 % 3 == (thread >= again);
	to = objects[which];
	from = objects[!which];
	oclmm_text_printf(text, "P%u@%s %s recording 0", thread,
	                  dice == 0   ? "barrier"
	                  : dice == 1 ? "fill"
	                  : dice == 2 ? "copy"
	                              : "kernel",
	                  queue);
	if (thread >= again)
		oclmm_text_printf(text, " again %u", thread - again);
	if (misses)
		oclmm_text_printf(text, " %s", launches[key / 72 % 3]);
	if (thread % again == 1 && draw(2) && thread < again)
		oclmm_text_add(text, " after 0");
	if (dice == 0)
		oclmm_text_add(text, " () {}\n");
	else if (dice % 2)
		oclmm_text_printf(text, " (global int *%s) {", to);
	else
		oclmm_text_printf(text, " (global int *%s, global int *%s) {", to, from);
	if (dice % 2 && !misses)
		oclmm_text_printf(text, " *%s = 7; ", to);
	else if (dice && !misses)
		oclmm_text_printf(text, " *%s = *%s; ", to, from);
	oclmm_text_add(text, dice ? "}\n" : "");
	drawn = kept > drawn ? kept : drawn;
	return true;
}

/* Of a program with semaphores. Often they take turns. */
static bool print_semaphore(struct oclmm_text *text, unsigned thread, unsigned *turns)
{
	unsigned number = draw(4) == 0, queue = draw(3);
	bool signals = draw(6) ? !(*turns >> number & 1) : draw(2);

	if (key % 3 != 1 || draw(2))
		return false;
	*turns ^= 1u << number;
	oclmm_text_printf(text, "P%u@%s %s %u semaphore %u", thread, signals ? "signal" : "wait",
	                  queue == 2 ? "unordered" : "queue", queue, number);
	if (draw(8) == 0)
		oclmm_text_printf(text, " semaphore %u", !number);
	if (draw(3) == 0)
		print_waits(text, thread, thread + 1, false);
	oclmm_text_add(text, " () {}\n");
	return true;
}

/* Of a program with external memory: what acquires and releases it by turns, and uses it. */
static bool print_external(struct oclmm_text *text, unsigned thread, bool *acquired)
{
	unsigned dice = draw(8), queue = draw(3);

	if (key % 3 != 2 || draw(4) == 0)
		return false;
	if (dice < 2) {
		oclmm_text_printf(text, "P%u@host", thread);
		if (thread && draw(4))
			oclmm_text_printf(text, " wait %u", draw(thread));
		oclmm_text_add(text, draw(2) ? " (global int *e) { int r0 = *e; }\n"
		                             : " (global int *e) { *e = 5; }\n");
		return true;
	}
	oclmm_text_printf(text, "P%u@%s %s %u", thread,
	                  dice > 4    ? "kernel"
	                  : *acquired ? "release"
	                              : "acquire",
	                  queue == 2 ? "unordered" : "queue", queue);
	if (thread && draw(2))
		oclmm_text_printf(text, " wait %u", draw(thread));
	if (dice > 4)
		oclmm_text_add(text, draw(2) ? " (global int *e) { int r0 = *e; }\n"
		                             : " (global int *e) { *e = 6; }\n");
	else
		oclmm_text_add(text, " (global int *e) {}\n");
	*acquired ^= dice <= 4;
	return true;
}

static bool has_fine(void)
{
	return key / 4 % 2;
}

/* Of a program with shared virtual memory: what uses it by a buffer or by its pointer. */
static bool print_shared(struct oclmm_text *text, unsigned thread, const char **mapped)
{
	static const char *const fors[] = {"", " read", " write", " invalidate"};
	const char *buffer = "";
	unsigned dice, queue;
	bool host, map;

	if (key % 4 != 3 || draw(4) == 0)
		return false;
	dice = draw(8);
	queue = draw(3);
	host = dice < 3 && (*mapped || has_fine()) && draw(2);
	map = !host && dice < 3;
	if (draw(2))
		buffer = " buffer";
	if (map)
		buffer = *mapped ? *mapped : has_fine() || draw(4) ? " buffer" : "";
	oclmm_text_printf(text, "P%u@%s", thread,
	                  host             ? "host"
	                  : map && *mapped ? "unmap"
	                  : map            ? "map"
	                                   : "kernel");
	if (map && !*mapped)
		oclmm_text_add(text, fors[draw(4)]);
	if (!host)
		oclmm_text_printf(text, " %s %u%s", queue == 2 ? "unordered" : "queue", queue,
		                  buffer);
	if (thread && draw(4))
		oclmm_text_printf(text, " wait %u", thread - 1 - (draw(4) == 0 ? draw(thread) : 0));
	if (map)
		oclmm_text_add(text, " (global int *s) {}\n");
	else if (draw(2))
		oclmm_text_add(text, " (global int *s) { int r0 = *s; }\n");
	else
		oclmm_text_printf(text, " (global int *s) { *s = %u; }\n", thread + 1);
	if (map)
		*mapped = *mapped ? NULL : buffer;
	return true;
}

static void print_thread(struct oclmm_text *text, unsigned thread, unsigned threads, bool *mapped,
                         unsigned *turns)
{
	if (print_replayed_twice(text, thread, threads) || print_recorded(text, thread, threads) ||
	    print_semaphore(text, thread, turns))
		return;

	const char *a, *place = draw_place(mapped, &a);
	bool host = strcmp(place, "host") == 0, user = strcmp(place, "user") == 0;
	const char *b = objects[draw(2)];
	bool *own = &mapped[a == objects[1]], named = true;

	oclmm_text_printf(text, "P%u@%s", thread, place);
	if (strcmp(place, "map") == 0) {
		static const char *const words[] = {"", " read", " write", " read write",
		                                    " invalidate"};

		oclmm_text_add(text, words[draw(5)]);
	}
	if (!host && !user) {
		unsigned queue = draw(3);

		/* whose device a queue is of orders nothing */
		oclmm_text_printf(text, " %s %u%s", queue == 2 ? "unordered" : "queue", queue,
		                  queue == 1 && key & 1 && key % 3 != 1 ? " dev 1" : "");
	}
	if ((strcmp(place, "read") == 0 || strcmp(place, "write") == 0 ||
	     strcmp(place, "map") == 0) &&
	    draw(2))
		oclmm_text_add(text, " blocking");
	print_waits(text, thread, threads, host);
	if (strcmp(place, "kernel") == 0 && draw(2))
		oclmm_text_printf(text, " (global int *%s) { int r0 = *%s; }", a, a);
	else if (strcmp(place, "kernel") == 0 || strcmp(place, "fill") == 0)
		oclmm_text_printf(text, " (global int *%s) { *%s = %u; }", a, a, thread + 1);
	else if (strcmp(place, "write") == 0)
		oclmm_text_printf(text, " (global int *%s, int *h) { *%s = *h; }", a, a);
	else if (strcmp(place, "read") == 0)
		oclmm_text_printf(text, " (global int *%s, int *h) { *h = *%s; }", a, a);
	else if (strcmp(place, "copy") == 0)
		oclmm_text_printf(text, " (global int *x, global int *y) { *%s = *%s; }", a,
		                  a == b ? objects[a == objects[0]] : b);
	else if (host && *own && draw(2))
		oclmm_text_printf(text, " (global int *%s) { int r0 = *%s; }", a, a);
	else if (host && *own)
		oclmm_text_printf(text, " (global int *%s) { int r0 = *%s; *%s = %u; }", a, a, a,
		                  thread + 1);
	else if (host && draw(2))
		oclmm_text_printf(text, " (int *h) { int r0 = *h; *h = %u; }", thread + 1);
	else if (strcmp(place, "map") == 0 || strcmp(place, "unmap") == 0 ||
	         strcmp(place, "migrate") == 0)
		oclmm_text_printf(text, " (global int *%s) {}", a);
	else
		named = false;
	oclmm_text_add(text, named ? "\n" : " () {}\n");
	if (strcmp(place, "map") == 0 || strcmp(place, "unmap") == 0)
		*own = place[0] == 'm';
}

static void print_program(struct oclmm_text *text)
{
	unsigned threads = 2 + draw(THREADS - 1), turns = 0;
	bool acquired = false;
	const char *shared = NULL;
	bool mapped[2] = {false};

	oclmm_text_printf(text,
	                  "OPENCL drawn\n{\n[x] = 0;\n[y] = 0;\nhost [h] = 9;\n"
	                  "external [e] = 0;\n%s [s] = 0;\n}\n",
	                  has_fine() ? "fine" : "coarse");
	for (unsigned i = 0; i < threads; i++)
		if (!print_shared(text, i, &shared) && !print_external(text, i, &acquired))
			print_thread(text, i, threads, mapped, &turns);
	/* so that all are used */
	oclmm_text_add(text, "locations [x; y; h; e; s;]\nexists (x=0)\n");
}

/* ---- the machine --------------------------------------------------------- */

struct state {
	unsigned at; /* the thread that the host comes to next */
	unsigned begun, ended;
	bool called; /* it waits for its blocking call to return */
};

struct machine {
	const struct oclmm_program *program;
	unsigned threads;
	bool early, looks;
	bool seen[2][STATES];
	/* by thread: those that had not ended in some state in which it had begun */
	unsigned unended[THREADS];
	/* by thread: those whose call the host had not made in such a state; and those that had not
	 * ended when it made the call of this one */
	unsigned uncalled[THREADS], unended_at_call[THREADS];
	unsigned schedule[THREADS], scheduled; /* one that comes to the end */
	bool complete;
	bool misused; /* in some state external memory is used by whom it does not belong to */
};

static const struct oclmm_command *command_of(const struct machine *m, unsigned thread)
{
	return &m->program->threads[thread].placement.command;
}

static bool is_queued(const struct machine *m, unsigned thread)
{
	enum oclmm_command_kind kind = command_of(m, thread)->kind;

	return kind != OCLMM_COMMAND_HOST && kind != OCLMM_COMMAND_USER;
}

static bool is_recorded(const struct machine *m, unsigned thread)
{
	return command_of(m, thread)->recording &&
	       command_of(m, thread)->kind != OCLMM_COMMAND_REPLAY;
}

/* How many replays of its command buffer stand before a thread. The replay with that many before it
 * plays a command that has as many. */
static unsigned round_of(const struct machine *m, unsigned thread)
{
	unsigned count = 0;

	for (unsigned i = 0; i < thread; i++)
		count += command_of(m, i)->kind == OCLMM_COMMAND_REPLAY &&
		         command_of(m, i)->recording == command_of(m, thread)->recording;
	return count;
}

/* The commands that are played with a thread: itself, or the replay that it is. */
static unsigned played_with(const struct machine *m, unsigned thread)
{
	unsigned set = 0;

	for (unsigned i = 0; i < m->threads; i++)
		if (is_recorded(m, i) &&
		    command_of(m, i)->recording == command_of(m, thread)->recording &&
		    round_of(m, i) == round_of(m, thread))
			set |= 1u << i;
	return set;
}

static bool is_replayed(const struct machine *m, unsigned thread, unsigned begun)
{
	for (unsigned i = 0; i < m->threads; i++)
		if (command_of(m, i)->kind == OCLMM_COMMAND_REPLAY &&
		    played_with(m, i) >> thread & 1)
			return begun >> i & 1;
	return false;
}

/* Where a command is recorded that is played here. */
static unsigned original(const struct machine *m, unsigned thread)
{
	return command_of(m, thread)->again ? command_of(m, thread)->again - 1 : thread;
}

static bool is_early_write(const struct machine *m, unsigned thread)
{
	return m->early && command_of(m, thread)->kind == OCLMM_COMMAND_WRITE &&
	       command_of(m, thread)->blocking;
}

/* A replay in several queues, whose order to other commands is left to wait lists. */
static bool spans_queues(const struct machine *m, unsigned thread)
{
	unsigned played = command_of(m, thread)->kind == OCLMM_COMMAND_REPLAY
	                          ? played_with(m, thread)
	                          : 0;
	unsigned queues = 0;

	for (unsigned i = 0; i < m->threads; i++)
		queues |= (played >> i & 1) << command_of(m, i)->queue;
	return __builtin_popcount(queues) > 1;
}

static unsigned in_queue(const struct machine *m, unsigned queue, unsigned below)
{
	unsigned set = 0;

	for (unsigned i = 0; i < below; i++)
		if (is_queued(m, i) && command_of(m, i)->queue == queue && !is_recorded(m, i) &&
		    !spans_queues(m, i))
			set |= 1u << i;
	return set;
}

/* What has to have ended before a recorded command may begin, beside that its replay has begun. */
static unsigned recorded_needs(const struct machine *m, unsigned thread)
{
	const struct oclmm_command *c = command_of(m, thread);
	unsigned after = command_of(m, original(m, thread))->after, set = 0;
	unsigned earlier = played_with(m, thread) & ((1u << thread) - 1);

	for (unsigned i = 0; i < thread; i++)
		if (earlier >> i & 1 && after >> original(m, i) & 1)
			set |= 1u << i;
	/* what is recorded for another queue waits for sync points alone */
	for (unsigned i = 0; i < thread; i++)
		if (command_of(m, i)->queue != c->queue)
			earlier &= ~(1u << i);
	if (!c->unordered || (c->kind == OCLMM_COMMAND_BARRIER && !after))
		return set | earlier;
	for (unsigned i = 0; i < thread; i++)
		if (earlier >> i & 1 && command_of(m, i)->kind == OCLMM_COMMAND_BARRIER)
			set |= 1u << i;
	return set;
}

/* What has to have ended before a command of a queue may begin. */
static unsigned needs(const struct machine *m, unsigned thread)
{
	const struct oclmm_command *c = command_of(m, thread);
	unsigned earlier = in_queue(m, c->queue, thread), set = c->waits;

	if (is_recorded(m, thread))
		return recorded_needs(m, thread);
	if (spans_queues(m, thread))
		return set;
	if (!c->unordered)
		return set | earlier;
	if ((c->kind == OCLMM_COMMAND_BARRIER || c->kind == OCLMM_COMMAND_MARKER) && !c->waits)
		return set | earlier;
	for (unsigned i = 0; i < thread; i++)
		if (earlier >> i & 1 && command_of(m, i)->kind == OCLMM_COMMAND_BARRIER)
			set |= 1u << i;
	return set;
}

/* The n-th of the commands of a kind that use a semaphore, or the number of threads. */
static unsigned find_use(const struct machine *m, enum oclmm_command_kind kind, unsigned semaphore,
                         unsigned n)
{
	unsigned i = 0;

	for (; i < m->threads; i++)
		if (command_of(m, i)->kind == kind &&
		    command_of(m, i)->semaphores >> semaphore & 1 && n-- == 0)
			break;
	return i;
}

/* What has to have ended before a wait for semaphores ends. */
static unsigned signals_of(const struct machine *m, unsigned thread)
{
	unsigned set = 0;

	for (unsigned s = 0; s < OCLMM_SEMAPHORES_MOST; s++) {
		for (unsigned n = 0; n < m->threads; n++) {
			unsigned signal = find_use(m, OCLMM_COMMAND_SIGNAL, s, n);

			if (find_use(m, OCLMM_COMMAND_WAIT, s, n) == thread && signal < m->threads)
				set |= 1u << signal;
		}
	}
	return set;
}

static bool always_before(const struct machine *m, unsigned a, unsigned b);

/* A payload that is set twice, or taken twice, by the host's calls; and what uses a semaphore again
 * in a state in which its last wait has not ended. */
static bool misuses(const struct machine *m)
{
	unsigned payload = 0;

	for (unsigned s = 0; s < OCLMM_SEMAPHORES_MOST; s++)
		for (unsigned n = 0; n < m->threads; n++) {
			unsigned wait = find_use(m, OCLMM_COMMAND_WAIT, s, n);

			for (unsigned i = wait + 1; i < m->threads; i++)
				if (command_of(m, i)->semaphores >> s & 1 &&
				    !always_before(m, wait, i))
					return true;
		}

	for (unsigned i = 0; i < m->threads; i++) {
		unsigned set = command_of(m, i)->semaphores;

		if (command_of(m, i)->kind == OCLMM_COMMAND_SIGNAL ? payload & set : set & ~payload)
			return true;
		payload ^= set;
	}
	return false;
}

/* The same before the host goes on. */
static unsigned host_needs(const struct machine *m, unsigned thread)
{
	const struct oclmm_command *c = command_of(m, thread);
	unsigned set = c->waits | c->callbacks | (m->looks ? c->polls : 0);

	for (unsigned queue = 0; queue < OCLMM_QUEUES_MOST; queue++)
		if (c->finishes >> queue & 1)
			set |= in_queue(m, queue, thread);
	return set;
}

static void visit(struct machine *m, struct state s);

static void begin(struct machine *m, struct state s, unsigned thread)
{
	s.begun |= 1u << thread;
	if (!m->complete)
		m->schedule[m->scheduled++] = thread;
	visit(m, s);
	if (!m->complete)
		m->scheduled--;
}

static void go_on(struct machine *m, struct state s)
{
	unsigned own = 1u << s.at;

	if (s.at == m->threads)
		return;
	if (!is_queued(m, s.at)) {
		if (s.begun & own) {
			s.ended |= own;
			s.at++;
			visit(m, s);
		} else if (!(host_needs(m, s.at) & ~s.ended)) {
			begin(m, s, s.at);
		}
		return;
	}
	if (s.called && !(s.ended & own))
		return;
	if (!s.called)
		m->unended_at_call[s.at] |= ~s.ended;
	if (command_of(m, s.at)->blocking && !s.called && !is_early_write(m, s.at)) {
		s.called = true;
	} else {
		s.called = false;
		s.at++;
	}
	visit(m, s);
}

struct uses {
	unsigned reads, writes; /* objects */
};

static struct uses uses_of(const struct machine *m, unsigned thread);

static bool takes(const struct machine *m, unsigned thread, enum oclmm_command_kind kind)
{
	return command_of(m, thread)->kind == kind;
}

/* Whose external memory is in a state: what is being acquired or released is nobody's. */
static bool is_ours(const struct machine *m, struct state s)
{
	bool ours = false;

	for (unsigned i = 0; i < m->threads; i++) {
		if (takes(m, i, OCLMM_COMMAND_ACQUIRE) && s.ended >> i & 1)
			ours = true;
		if (takes(m, i, OCLMM_COMMAND_RELEASE) && s.begun >> i & 1)
			ours = false;
	}
	return ours;
}

static bool is_theirs(const struct machine *m, struct state s)
{
	bool theirs = true;

	for (unsigned i = 0; i < m->threads; i++) {
		if (takes(m, i, OCLMM_COMMAND_ACQUIRE) && s.begun >> i & 1)
			theirs = false;
		if (takes(m, i, OCLMM_COMMAND_RELEASE) && s.ended >> i & 1)
			theirs = true;
	}
	return theirs;
}

static bool is_misused(const struct machine *m, struct state s)
{
	int e = oclmm_program_find_location(m->program, "e");

	for (unsigned i = 0; e >= 0 && i < m->threads; i++) {
		struct uses uses;

		if (!((s.begun & ~s.ended) >> i & 1))
			continue;
		uses = uses_of(m, i);
		if ((uses.reads | uses.writes) >> e & 1 &&
		    !(takes(m, i, OCLMM_COMMAND_HOST) ? is_theirs(m, s) : is_ours(m, s)))
			return true;
	}
	return false;
}

static void visit(struct machine *m, struct state s)
{
	unsigned index = (s.at << (2 * THREADS)) | s.begun << THREADS | s.ended;
	unsigned all = (1u << m->threads) - 1;

	if (m->seen[s.called][index])
		return;
	m->seen[s.called][index] = true;
	for (unsigned i = 0; i < m->threads; i++) {
		if (!(s.begun >> i & 1))
			continue;
		m->unended[i] |= all & ~s.ended;
		m->uncalled[i] |= all & ~((1u << (s.at + s.called)) - 1);
	}
	m->complete |= s.ended == all;
	m->misused |= is_misused(m, s);
	go_on(m, s);
	for (unsigned i = 0; i < m->threads; i++) {
		struct state next = s;
		bool called = is_recorded(m, i) ? is_replayed(m, i, s.begun)
		                                : i < s.at || (i == s.at && s.called);

		if (!is_queued(m, i) || s.ended >> i & 1)
			continue;
		if (command_of(m, i)->kind == OCLMM_COMMAND_REPLAY && s.begun >> i & 1 &&
		    played_with(m, i) & ~s.ended)
			continue;
		if (command_of(m, i)->kind == OCLMM_COMMAND_WAIT && s.begun >> i & 1 &&
		    signals_of(m, i) & ~s.ended)
			continue;
		next.ended |= 1u << i;
		if (s.begun >> i & 1)
			visit(m, next);
		else if (called && !(needs(m, i) & ~s.ended))
			begin(m, s, i);
	}
}

static bool always_before(const struct machine *m, unsigned a, unsigned b)
{
	return !(m->unended[b] >> a & 1);
}

/* ---- races --------------------------------------------------------------- */

static int note_use(void *data, const struct oclmm_use *use)
{
	struct uses *uses = data;

	uses->reads |= use->reads ? 1u << use->place->location : 0;
	uses->writes |= use->writes ? 1u << use->place->location : 0;
	return 0;
}

static struct uses uses_of(const struct machine *m, unsigned thread)
{
	static const struct oclmm_visitor visitor = {.use = note_use};
	struct uses uses = {0};

	oclmm_visit_body(&visitor, m->program->threads[thread].body, &uses);
	return uses;
}

/* The host uses them while they are mapped; fine-grained memory at any time. */
static unsigned that_are_mapped(const struct machine *m)
{
	int x = oclmm_program_find_location(m->program, "x");
	int y = oclmm_program_find_location(m->program, "y");
	int s = oclmm_program_find_location(m->program, "s");
	bool coarse = m->program->locations[s].storage == OCLMM_STORAGE_SVM_COARSE;

	return 1u << x | 1u << y | (coarse ? 1u << s : 0);
}

static bool uses_map(const struct machine *m, unsigned thread)
{
	struct uses uses = uses_of(m, thread);

	return command_of(m, thread)->kind == OCLMM_COMMAND_HOST &&
	       (uses.reads | uses.writes) & that_are_mapped(m);
}

static bool is_map_of(const struct machine *m, unsigned thread, enum oclmm_command_kind kind,
                      unsigned set)
{
	return command_of(m, thread)->kind == kind &&
	       set >> m->program->threads[thread].parameters[0].location & 1;
}

/* What a command did is seen from the beginning of a map on, what the host did from the end of an
 * unmapping. */
static bool comes_before(const struct machine *m, unsigned a, unsigned b)
{
	struct uses of_a = uses_of(m, a), of_b = uses_of(m, b);
	bool from = uses_map(m, a), to = uses_map(m, b);

	if (from && to)
		return a < b;
	if (!from && !to)
		return always_before(m, a, b);
	for (unsigned i = 0; i < m->threads; i++) {
		if (to && i < b && is_map_of(m, i, OCLMM_COMMAND_MAP, of_b.reads | of_b.writes) &&
		    always_before(m, a, i) && always_before(m, i, b))
			return true;
		if (from && i > a &&
		    is_map_of(m, i, OCLMM_COMMAND_UNMAP, of_a.reads | of_a.writes) &&
		    always_before(m, i, b))
			return true;
	}
	return false;
}

/* ---- maps and migrations ------------------------------------------------- */

/* The objects that a command of a queue touches; a map, an unmapping and a migration read theirs.
 */
static struct uses touches(const struct machine *m, unsigned thread)
{
	const struct oclmm_thread *t = &m->program->threads[thread];
	struct uses uses = uses_of(m, thread);

	if (!is_queued(m, thread))
		return (struct uses){0};
	if (t->body == NULL)
		for (unsigned i = 0; i < t->parameter_count; i++)
			uses.reads |= 1u << t->parameters[i].location;
	return uses;
}

static unsigned unmapping_of(const struct machine *m, unsigned map)
{
	unsigned object = 1u << m->program->threads[map].parameters[0].location;

	for (unsigned i = map + 1; i < m->threads; i++)
		if (is_map_of(m, i, OCLMM_COMMAND_UNMAP, object))
			return i;
	return m->threads;
}

/* In some state the object may be mapped when a command on it has begun and not ended. */
static bool meets_map(const struct machine *m, unsigned map, unsigned thread)
{
	unsigned object = 1u << m->program->threads[map].parameters[0].location;
	unsigned end = unmapping_of(m, map);
	struct uses uses = touches(m, thread);
	bool reading = command_of(m, map)->map == OCLMM_MAP_READ;

	if (is_map_of(m, thread, OCLMM_COMMAND_MAP, object) ||
	    is_map_of(m, thread, OCLMM_COMMAND_UNMAP, object))
		return false;
	if (!((reading ? uses.writes : uses.reads | uses.writes) & object))
		return false;
	return !always_before(m, thread, map) &&
	       (end == m->threads || !always_before(m, end, thread));
}

/* Both have begun, and neither has ended. */
static bool meets_migration(const struct machine *m, unsigned migration, unsigned thread)
{
	struct uses of = touches(m, migration), uses = touches(m, thread);

	return of.reads & (uses.reads | uses.writes) && !always_before(m, migration, thread) &&
	       !always_before(m, thread, migration);
}

static bool comes_too_early(const struct machine *m, unsigned map, unsigned thread)
{
	struct uses uses = uses_of(m, thread);

	return command_of(m, thread)->kind == OCLMM_COMMAND_HOST && thread > map &&
	       thread < unmapping_of(m, map) &&
	       (uses.reads | uses.writes) & that_are_mapped(m) &
	               1u << m->program->threads[map].parameters[0].location &&
	       !always_before(m, map, thread);
}

static bool overlaps(const struct machine *m)
{
	if (misuses(m) || m->misused)
		return true;
	for (unsigned a = 0; a < m->threads; a++) {
		enum oclmm_command_kind kind = command_of(m, a)->kind;

		for (unsigned b = 0; b < m->threads; b++) {
			if (a != b && kind == OCLMM_COMMAND_MAP &&
			    (meets_map(m, a, b) || comes_too_early(m, a, b)))
				return true;
			if (a != b && kind == OCLMM_COMMAND_MIGRATE && meets_migration(m, a, b))
				return true;
		}
	}
	return false;
}

/* ---- races between commands ---------------------------------------------- */

/* What an early write reads, it reads in its call. */
static bool call_races(const struct machine *m, unsigned write, unsigned other)
{
	return is_early_write(m, write) && uses_of(m, write).reads & uses_of(m, other).writes &&
	       m->uncalled[other] >> write & 1 && m->unended_at_call[write] >> other & 1;
}

/* ---- two names of one memory --------------------------------------------- */

/* Whether a thread uses s by the buffer over it. What is mapped by it the host has from it. */
static bool by_buffer(const struct machine *m, unsigned thread)
{
	bool mapped = false;

	if (is_queued(m, thread))
		return command_of(m, thread)->buffer;
	for (unsigned i = 0; i < thread && uses_map(m, thread); i++)
		if (is_map_of(m, i, OCLMM_COMMAND_MAP,
		              uses_of(m, thread).reads | uses_of(m, thread).writes))
			mapped = command_of(m, i)->buffer;
	return mapped;
}

/* A map brings what the buffer has to the memory. Between a map for writing and its unmapping what
 * is written to the memory is what the buffer has afterwards. */
static bool brings(const struct machine *m, unsigned map, unsigned a, unsigned b)
{
	unsigned end = unmapping_of(m, map);

	if (!command_of(m, map)->buffer)
		return false;
	if (by_buffer(m, a))
		return command_of(m, map)->map != OCLMM_MAP_INVALIDATE && comes_before(m, a, map) &&
		       comes_before(m, map, b);
	return command_of(m, map)->map != OCLMM_MAP_READ && comes_before(m, map, a) &&
	       end < m->threads && comes_before(m, a, end) && comes_before(m, end, b);
}

/* By K19: `a` comes first and writes by one name what `b` uses by the other. */
static bool stays_unseen(const struct machine *m, unsigned a, unsigned b)
{
	unsigned s = 1u << oclmm_program_find_location(m->program, "s");

	if (!(uses_of(m, a).writes & (uses_of(m, b).reads | uses_of(m, b).writes) & s) ||
	    by_buffer(m, a) == by_buffer(m, b))
		return false;
	for (unsigned map = 0; map < m->threads; map++)
		if (is_map_of(m, map, OCLMM_COMMAND_MAP, s) && brings(m, map, a, b))
			return false;
	return true;
}

static bool races_by_names(const struct machine *m)
{
	for (unsigned a = 0; a < m->threads; a++)
		for (unsigned b = 0; b < m->threads; b++)
			if (a != b && comes_before(m, a, b) && stays_unseen(m, a, b))
				return true;
	return false;
}

static bool races(const struct machine *m)
{
	for (unsigned a = 0; a < m->threads; a++) {
		for (unsigned b = a + 1; b < m->threads; b++) {
			struct uses p = uses_of(m, a), q = uses_of(m, b);

			if (call_races(m, a, b) || call_races(m, b, a))
				return true;
			if (is_early_write(m, a))
				p.reads = 0;
			if (is_early_write(m, b))
				q.reads = 0;
			if (((p.writes & (q.reads | q.writes)) | (p.reads & q.writes)) &&
			    !comes_before(m, a, b) && !comes_before(m, b, a))
				return true;
		}
	}
	return false;
}

/* ---- the end ------------------------------------------------------------- */

static int64_t value_of(const struct oclmm_expression *e, const int64_t *memory)
{
	return e->kind == OCLMM_EXPRESSION_CONSTANT ? e->constant : memory[e->load.location];
}

static void play(const struct machine *m, int64_t *memory)
{
	for (unsigned i = 0; i < m->program->location_count; i++)
		memory[i] = m->program->locations[i].initial[0];
	for (unsigned i = 0; i < m->threads; i++) {
		const struct oclmm_statement *s = m->program->threads[m->schedule[i]].body;

		for (; s; s = s->next)
			if (s->kind == OCLMM_STATEMENT_STORE)
				memory[s->store.place.location] = value_of(s->store.value, memory);
	}
}

/* Whether the oracle allows this end and no other. */
static bool agrees(const struct oclmm_answer *answer, const struct machine *m)
{
	int64_t memory[OBJECTS];
	bool found = false;

	play(m, memory);
	for (uint32_t i = 0; i < answer->state_count; i++) {
		const struct oclmm_state *state = &answer->states[i];
		bool same = true;

		if (state->status[OCLMM_MODEL_CONSENSUS] != OCLMM_STATUS_ALLOWED)
			continue;
		for (uint32_t k = 0; k < m->program->observable_count; k++)
			same &= m->program->observables[k].is_register ||
			        state->values[k] == memory[m->program->observables[k].location];
		if (!same)
			return false;
		found = true;
	}
	return found;
}

/* ---- all of it ----------------------------------------------------------- */

static unsigned accepted, recorded, again, changed, missing, external, signaled, misused, racing,
	early, unseen, shared, brought, wrong;

static void complain(const char *text, const char *what)
{
	printf("%s:\n%s\n", what, text);
	wrong++;
}

static struct machine *run_machine(const struct oclmm_program *program, bool early_writes,
                                   bool looks)
{
	struct machine *m = oclmm_calloc(1, sizeof(*m));

	m->program = program;
	m->threads = program->thread_count;
	m->early = early_writes;
	m->looks = looks;
	visit(m, (struct state){0});
	return m;
}

/* 2.0 has both machines, the later versions one. Each has the alternative of K19. */
static void compare_races(const struct oclmm_answer *answer, const char *text, bool race,
                          bool early_race)
{
	static const enum oclmm_model models[] = {OCLMM_MODEL_CONSENSUS, OCLMM_MODEL_OPENCL_2_0,
	                                          OCLMM_MODEL_OPENCL_2_1, OCLMM_MODEL_OPENCL_3_1};

	for (unsigned i = 0; i < OCLMM_COUNT(models); i++) {
		bool expected = race || (i < 2 && early_race);

		if (expected != answer->undefined[models[i]])
			complain(text,
			         expected ? "races, says the machine" : "races, says the oracle");
	}
}

/* Why it is undefined: a race says most, and it is a semaphore that is misused, or not. */
static void compare_reasons(const struct oclmm_answer *answer, const char *text,
                            const struct machine *m)
{
	enum oclmm_undefined reason = races(m)      ? OCLMM_UNDEFINED_RACE
	                              : misuses(m)  ? OCLMM_UNDEFINED_SEMAPHORE
	                              : m->misused  ? OCLMM_UNDEFINED_EXTERNAL
	                              : overlaps(m) ? OCLMM_UNDEFINED_OVERLAP
	                                            : OCLMM_UNDEFINED_NOT;

	misused += reason == OCLMM_UNDEFINED_SEMAPHORE;
	external += reason == OCLMM_UNDEFINED_EXTERNAL;
	if (races_by_names(m))
		return; /* by one reading it is a race, by the other perhaps something else */
	if (answer->undefined[OCLMM_MODEL_OPENCL_2_1] &&
	    answer->witness[OCLMM_MODEL_OPENCL_2_1].reason != reason)
		complain(text, oclmm_undefined_word(reason));
}

/* What 3.1 says where K18 is taken the other way, and nothing else. */
static void compare_looking(const struct oclmm_answer *answer, const char *text, bool race)
{
	for (uint32_t i = 0; i < answer->reading_count; i++)
		if (answer->readings[i].regime == OCLMM_MODEL_OPENCL_3_1 &&
		    answer->readings[i].alternatives == 1u << OCLMM_KNOB_K18 &&
		    answer->undefined_by[i] != race)
			complain(text, race ? "races, says the machine that looks"
			                    : "races by K18, says the oracle");
}

/* What a reading says that takes K19 the other way, and nothing else. */
static void compare_names(const struct oclmm_answer *answer, const char *text, bool race)
{
	for (uint32_t i = 0; i < answer->reading_count; i++)
		if (answer->readings[i].alternatives == 1u << OCLMM_KNOB_K19 &&
		    answer->undefined_by[i] != race)
			complain(text, race ? "races by the two names, says the machine"
			                    : "races by K19, says the oracle");
}

static bool has_two_names(const struct machine *m)
{
	unsigned s = 1u << oclmm_program_find_location(m->program, "s"), names = 0;

	for (unsigned i = 0; i < m->threads; i++)
		if ((uses_of(m, i).reads | uses_of(m, i).writes) & s)
			names |= by_buffer(m, i) ? 1 : 2;
	return names == 3;
}

static void compare(const struct oclmm_program *program, const char *text)
{
	struct machine *m = run_machine(program, false, false),
		       *e = run_machine(program, true, false),
		       *l = run_machine(program, false, true);
	struct oclmm_answer *answer;
	struct oclmm_error error;

	accepted++;
	for (unsigned i = 0; i < m->threads; i++) {
		recorded += command_of(m, i)->kind == OCLMM_COMMAND_REPLAY;
		again += command_of(m, i)->again > 0;
		changed += oclmm_command_is_changed(m->program, i);
		missing += command_of(m, i)->misses != 0;
		signaled += command_of(m, i)->kind == OCLMM_COMMAND_WAIT;
	}
	if (!m->complete && !misuses(m)) {
		complain(text, "accepted, and never ends");
	} else if (oclmm_check(program, NULL, &error, &answer) < 0) {
		complain(text, error.message);
	} else {
		bool race = races(m) || overlaps(m), early_race = races(e) || overlaps(e);
		bool looks_race = races(l) || overlaps(l);
		bool names_race = race || races_by_names(m);
		bool names_early = early_race || races_by_names(e);

		shared += names_race && !race;
		brought += !names_race && has_two_names(m);
		racing += race;
		early += early_race && !race;
		unseen += race && !looks_race;
		compare_races(answer, text, names_race, names_early);
		compare_reasons(answer, text, m);
		compare_looking(answer, text, looks_race);
		compare_names(answer, text, names_race);
		if (!names_race && !names_early && !agrees(answer, m))
			complain(text, "ends in another way");
		oclmm_answer_destroy(answer);
	}
	free(m);
	free(e);
	free(l);
}

static void try_one(void)
{
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	struct oclmm_text text = {0};

	print_program(&text);
	/* many are none: a wait for what comes later, a buffer that is not mapped */
	if (oclmm_litmus_parse("drawn.litmus", oclmm_text_string(&text), text.length, NULL, &error,
	                       &litmus) == 0) {
		if (oclmm_program_has_commands(litmus->variants[0].program))
			compare(litmus->variants[0].program, oclmm_text_string(&text));
		oclmm_litmus_destroy(litmus);
	}
	oclmm_text_finish(&text);
}

/* ---- programs that were written by hand ------------------------------------ */

#define BUFFERS "{\n[x] = 0;\n[y] = 0;\nhost [h] = 1;\nexternal [e] = 0;\n"

/* Each with the section that decides. */
static const struct known {
	const char *why, *threads, *condition;
	enum oclmm_observation by_2_0, by_2_1;
} known[] = {
	{"A:3.2: in a queue that executes out of order a command is constrained only by explicit "
         "synchronization points and events, so that P1 goes on though P0 waits for the host",
         "P0@kernel unordered 0 wait 3 (global int *x) { *x = 1; }\n"
         "P1@kernel unordered 0 (global int *y) { *y = 1; }\n"
         "P2@host wait 1 () {}\nP3@user () {}\nP4@host wait 0 () {}\n",
         "x=0 \\/ y=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"the page of clEnqueueWriteBuffer up to 2.1, and A:3.2.4",
         "P0@write queue 0 blocking (global int *x, int *h) { *x = *h; }\n"
         "P1@kernel queue 1 (global int *x) { int r0 = *x; }\n",
         "1:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_NEVER},
	{"the same page: what the call was given is copied, whatever the command waits for",
         "P0@read queue 1 (global int *y, int *h) { *h = *y; }\n"
         "P1@write queue 0 blocking wait 0 (global int *x, int *h) { *x = *h; }\n"
         "P2@kernel queue 0 (global int *x) { int r0 = *x; }\n",
         "2:r0=1", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_NEVER},
	{"the same page: a queue that executes in order keeps the write before the kernel",
         "P0@write queue 0 blocking (global int *x, int *h) { *x = *h; }\n"
         "P1@host (int *h) { *h = 2; }\n"
         "P2@kernel queue 0 (global int *x) { int r0 = *x; }\n",
         "2:r0=2", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"A:5.5.4: a kernel writes what is mapped for writing",
         "P0@map queue 0 blocking (global int *x) {}\n"
         "P1@kernel queue 0 (global int *x) { *x = 1; }\n"
         "P2@unmap queue 0 (global int *x) {}\n",
         "x=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"A:5.6.1: a kernel reads what is mapped for reading",
         "P0@map read queue 0 blocking (global int *x) {}\n"
         "P1@kernel queue 0 (global int *x) { int r0 = *x; }\n"
         "P2@unmap queue 0 (global int *x) {}\n",
         "1:r0=1", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"A:5.5.5: an object is used while it is migrated",
         "P0@kernel queue 1 (global int *x) { *x = 1; }\n"
         "P1@migrate queue 0 (global int *x) {}\n"
         "P2@kernel queue 0 wait 0 (global int *x) { int r0 = *x; }\n",
         "2:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"cl_khr_command_buffer, command synchronization: a sync point",
         "P0@kernel unordered 0 recording 0 (global int *x) { *x = 1; }\n"
         "P1@kernel unordered 0 recording 0 after 0 (global int *x) { int r0 = *x; }\n"
         "P2@replay unordered 0 recording 0 () {}\n",
         "1:r0=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"the same: a command buffer is out of order where nothing says otherwise",
         "P0@kernel unordered 0 recording 0 (global int *x) { *x = 1; }\n"
         "P1@kernel unordered 0 recording 0 (global int *x) { int r0 = *x; }\n"
         "P2@replay unordered 0 recording 0 () {}\n",
         "1:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"the same: an in-order queue gives each command the one before it",
         "P0@kernel queue 0 recording 0 (global int *x) { *x = 1; }\n"
         "P1@kernel queue 0 recording 0 (global int *x) { int r0 = *x; }\n"
         "P2@replay queue 0 recording 0 () {}\n",
         "1:r0=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"cl_khr_command_buffer_multi_device: those of different queues may be executed at once",
         "P0@kernel queue 0 recording 0 (global int *x) { *x = 1; }\n"
         "P1@kernel queue 1 recording 0 (global int *x) { int r0 = *x; }\n"
         "P2@replay queue 0 recording 0 () {}\n",
         "1:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"the same: unless synchronized explicitly with sync points",
         "P0@kernel queue 0 recording 0 (global int *x) { *x = 1; }\n"
         "P1@kernel queue 1 recording 0 after 0 (global int *x) { int r0 = *x; }\n"
         "P2@replay queue 0 recording 0 () {}\n",
         "1:r0=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"the same: the event completes once all commands have",
         "P0@kernel queue 0 recording 0 (global int *y) { *y = 1; }\n"
         "P1@kernel queue 1 recording 0 (global int *x) { *x = 1; }\n"
         "P2@replay queue 0 recording 0 () {}\n"
         "P3@kernel queue 2 wait 2 (global int *x) { int r0 = *x; }\n",
         "3:r0=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"the same: the order of other commands in its queues is the programmer's",
         "P0@kernel queue 0 recording 0 (global int *y) { *y = 1; }\n"
         "P1@kernel queue 1 recording 0 (global int *x) { *x = 1; }\n"
         "P2@replay queue 0 recording 0 () {}\n"
         "P3@kernel queue 1 (global int *x) { int r0 = *x; }\n",
         "3:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"the same: nor does it wait for what is before it there",
         "P0@kernel queue 0 (global int *x) { *x = 1; }\n"
         "P1@kernel queue 0 recording 0 (global int *x) { int r0 = *x; }\n"
         "P2@kernel queue 1 recording 0 (global int *y) { *y = 1; }\n"
         "P3@replay queue 0 recording 0 () {}\n",
         "1:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"the same: recording is no call that enqueues, so that the host's wait comes too early",
         "P0@kernel queue 0 recording 0 (global int *x) { *x = 1; }\n"
         "P1@kernel queue 1 (global int *x) { int r0 = *x; }\n"
         "P2@host wait 1 () {}\n"
         "P3@replay queue 0 recording 0 () {}\n",
         "1:r0=1", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"the same: what is recorded stands in no queue but by its replay",
         "P0@kernel queue 0 recording 0 (global int *x) { *x = 1; }\n"
         "P1@kernel queue 0 (global int *x) { int r0 = *x; }\n"
         "P2@replay queue 0 recording 0 () {}\n",
         "1:r0=1", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"the same: a replay in a queue that executes out of order waits for events alone",
         "P0@kernel unordered 0 recording 0 (global int *x) { *x = 1; }\n"
         "P1@kernel unordered 0 (global int *x) { int r0 = *x; }\n"
         "P2@replay unordered 0 recording 0 () {}\n",
         "1:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"its event is that of all its commands (clEnqueueCommandBufferKHR)",
         "P0@kernel unordered 0 recording 0 (global int *x) { *x = 1; }\n"
         "P1@kernel unordered 0 recording 0 (global int *y) { *y = 1; }\n"
         "P2@replay unordered 0 recording 0 () {}\n"
         "P3@kernel queue 1 wait 2 (global int *x, global int *y) { int r0 = *x; int r1 = *y; }\n",
         "3:r0=0 \\/ 3:r1=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"its wait list is that of all its commands",
         "P0@kernel queue 1 (global int *x) { *x = 1; }\n"
         "P1@kernel unordered 0 recording 0 (global int *x) { int r0 = *x; }\n"
         "P2@replay unordered 0 recording 0 wait 0 () {}\n",
         "1:r0=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"two command buffers of one queue that executes out of order are two commands",
         "P0@kernel unordered 0 recording 0 (global int *x) { *x = 1; }\n"
         "P1@kernel unordered 0 recording 1 (global int *x) { int r0 = *x; }\n"
         "P2@replay unordered 0 recording 0 () {}\n"
         "P3@replay unordered 0 recording 1 () {}\n",
         "1:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"a barrier of the queue holds a replay",
         "P0@kernel unordered 0 recording 0 (global int *x) { *x = 1; }\n"
         "P1@kernel unordered 0 recording 1 (global int *x) { int r0 = *x; }\n"
         "P2@replay unordered 0 recording 0 () {}\n"
         "P3@barrier unordered 0 () {}\n"
         "P4@replay unordered 0 recording 1 () {}\n",
         "1:r0=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"a recorded barrier with a list waits for that alone, and holds what is recorded after it",
         "P0@kernel unordered 0 recording 0 (global int *y) { *y = 1; }\n"
         "P1@kernel unordered 0 recording 0 (global int *x) { *x = 1; }\n"
         "P2@barrier unordered 0 recording 0 after 0 () {}\n"
         "P3@kernel unordered 0 recording 0 (global int *y) { int r0 = *y; }\n"
         "P4@replay unordered 0 recording 0 () {}\n",
         "3:r0=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"a command buffer that is replayed again plays its commands again",
         "P0@copy unordered 0 recording 0 (global int *x, global int *y) { *y = *x; }\n"
         "P1@replay unordered 0 recording 0 () {}\n"
         "P2@fill unordered 0 wait 1 (global int *x) { *x = 1; }\n"
         "P3@copy unordered 0 recording 0 again 0 (global int *x, global int *y) { *y = *x; }\n"
         "P4@replay unordered 0 recording 0 wait 2 () {}\n",
         "y=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"two replays of one command buffer beside each other are two commands of their queue",
         "P0@copy unordered 0 recording 0 (global int *x, global int *y) { *y = *x; }\n"
         "P1@replay unordered 0 recording 0 () {}\n"
         "P2@copy unordered 0 recording 0 again 0 (global int *x, global int *y) { *y = *x; }\n"
         "P3@replay unordered 0 recording 0 () {}\n",
         "y=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"sync points count within a replay alone",
         "P0@fill unordered 0 recording 0 (global int *x) { *x = 1; }\n"
         "P1@copy unordered 0 recording 0 after 0 (global int *x, global int *y) { *y = *x; }\n"
         "P2@replay unordered 0 recording 0 () {}\n"
         "P3@fill unordered 0 recording 0 again 0 (global int *x) { *x = 1; }\n"
         "P4@copy unordered 0 recording 0 again 1 (global int *x, global int *y) { *y = *x; }\n"
         "P5@replay unordered 0 recording 0 wait 2 () {}\n",
         "y=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"clEnqueueCommandBufferKHR: a replay is in the queues that it is given, whatever it was "
         "recorded for",
         "P0@copy queue 0 recording 0 (global int *x, global int *y) { *y = *x; }\n"
         "P1@fill queue 1 (global int *x) { *x = 1; }\n"
         "P2@replay queue 1 recording 0 () {}\n",
         "y=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"cl_khr_semaphore: a wait is complete when its semaphore has been signaled",
         "P0@kernel queue 0 (global int *x) { *x = 1; }\n"
         "P1@signal queue 0 semaphore 0 () {}\n"
         "P2@wait queue 1 semaphore 0 () {}\n"
         "P3@kernel queue 1 (global int *x) { int r0 = *x; }\n",
         "3:r0=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"the note on clEnqueueSignalSemaphoresKHR: no dependency in a queue that executes out of "
         "order",
         "P0@kernel unordered 0 (global int *x) { *x = 1; }\n"
         "P1@signal unordered 0 semaphore 0 () {}\n"
         "P2@wait queue 1 semaphore 0 () {}\n"
         "P3@kernel queue 1 (global int *x) { int r0 = *x; }\n",
         "3:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"the note on clEnqueueWaitSemaphoresKHR: nor behind a wait",
         "P0@kernel queue 0 (global int *x) { *x = 1; }\n"
         "P1@signal queue 0 semaphore 0 () {}\n"
         "P2@wait unordered 1 semaphore 0 () {}\n"
         "P3@kernel unordered 1 (global int *x) { int r0 = *x; }\n",
         "3:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"a signal does not wait for the other semaphore",
         "P0@kernel queue 0 (global int *x) { *x = 1; }\n"
         "P1@signal queue 0 semaphore 0 () {}\n"
         "P2@signal queue 2 semaphore 1 () {}\n"
         "P3@wait queue 1 semaphore 1 () {}\n"
         "P4@kernel queue 1 (global int *x) { int r0 = *x; }\n",
         "4:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"a wait for a semaphore orders nothing for who signals it: the two may overlap",
         "P0@signal queue 0 semaphore 0 () {}\n"
         "P1@kernel queue 0 (global int *x) { *x = 1; }\n"
         "P2@wait queue 1 semaphore 0 () {}\n"
         "P3@kernel queue 1 (global int *x) { int r0 = *x; }\n",
         "3:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"signaling the same binary semaphore twice without an interleaving wait",
         "P0@signal queue 0 semaphore 0 () {}\n"
         "P1@signal queue 0 semaphore 0 () {}\n"
         "P2@kernel queue 0 (global int *x) { *x = 1; }\n",
         "x=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"waiting on the same binary semaphore twice without an interleaving signal",
         "P0@signal queue 0 semaphore 0 () {}\n"
         "P1@wait queue 0 semaphore 0 () {}\n"
         "P2@wait queue 0 semaphore 0 () {}\n"
         "P3@kernel queue 0 (global int *x) { *x = 1; }\n",
         "x=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"cl_khr_command_buffer_mutable_dispatch: a kernel has other arguments in later replays",
         "P0@kernel queue 0 recording 0 (global int *x) { *x = 1; }\n"
         "P1@replay queue 0 recording 0 () {}\n"
         "P2@kernel queue 0 recording 0 again 0 (global int *y) { *y = 1; }\n"
         "P3@replay queue 0 recording 0 () {}\n"
         "P4@kernel queue 0 (global int *x, global int *y) { int r0 = *x; int r1 = *y; }\n",
         "4:r0=0 \\/ 4:r1=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"its launch too: first its work-items reach nothing",
         "P0@kernel queue 0 recording 0 global_work_size (global int *x) {}\n"
         "P1@replay queue 0 recording 0 () {}\n"
         "P2@kernel queue 0 recording 0 again 0 (global int *x) { *x = 1; }\n"
         "P3@replay queue 0 recording 0 () {}\n"
         "P4@kernel queue 0 (global int *x) { int r0 = *x; }\n",
         "4:r0=1", OCLMM_OBSERVATION_ALWAYS, OCLMM_OBSERVATION_ALWAYS},
	{"or in the end",
         "P0@kernel queue 0 recording 0 (global int *x) { *x = 1; }\n"
         "P1@replay queue 0 recording 0 () {}\n"
         "P2@kernel queue 0 (global int *x) { *x = 2; }\n"
         "P3@kernel queue 0 recording 0 again 0 global_work_offset (global int *x) {}\n"
         "P4@replay queue 0 recording 0 () {}\n",
         "x=2", OCLMM_OBSERVATION_ALWAYS, OCLMM_OBSERVATION_ALWAYS},
	{"and not in earlier ones",
         "P0@kernel queue 0 recording 0 (global int *x) { *x = 1; }\n"
         "P1@replay queue 0 recording 0 () {}\n"
         "P2@kernel queue 0 recording 0 again 0 (global int *y) { *y = 1; }\n"
         "P3@kernel queue 0 (global int *x, global int *y) { int r0 = *x; int r1 = *y; }\n"
         "P4@replay queue 0 recording 0 () {}\n",
         "3:r0=1 /\\ 3:r1=0", OCLMM_OBSERVATION_ALWAYS, OCLMM_OBSERVATION_ALWAYS},
	{"a second wait that may begin before the first is complete, though it is signaled again",
         "P0@signal queue 0 semaphore 0 () {}\n"
         "P1@wait queue 1 semaphore 0 () {}\n"
         "P2@signal queue 1 semaphore 0 () {}\n"
         "P3@wait queue 0 semaphore 0 () {}\n"
         "P4@kernel queue 0 (global int *x) { *x = 1; }\n",
         "x=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"the same behind the end of the first wait",
         "P0@signal queue 0 semaphore 0 () {}\n"
         "P1@wait queue 1 semaphore 0 () {}\n"
         "P2@signal queue 1 semaphore 0 () {}\n"
         "P3@wait queue 0 semaphore 0 wait 1 () {}\n"
         "P4@kernel queue 0 (global int *x) { *x = 1; }\n",
         "x=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"the second wait is for the second signal",
         "P0@signal queue 0 semaphore 0 () {}\n"
         "P1@wait queue 1 semaphore 0 () {}\n"
         "P2@kernel queue 1 (global int *x) { *x = 1; }\n"
         "P3@signal queue 1 semaphore 0 () {}\n"
         "P4@wait queue 0 semaphore 0 wait 1 () {}\n"
         "P5@kernel queue 0 (global int *x) { int r0 = *x; }\n",
         "5:r0=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"cl_khr_external_memory: a command uses what is not acquired",
         "P0@kernel queue 0 (global int *e) { int r0 = *e; }\n", "0:r0=0",
         OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"the same behind an acquisition",
         "P0@acquire queue 0 (global int *e) {}\n"
         "P1@kernel queue 0 (global int *e) { int r0 = *e; }\n",
         "1:r0=1", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"what was written outside is seen behind an acquisition",
         "P0@host (global int *e) { *e = 1; }\n"
         "P1@acquire queue 0 (global int *e) {}\n"
         "P2@kernel queue 0 (global int *e) { int r0 = *e; }\n",
         "2:r0=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"an acquisition is no barrier: in another queue a command may come before it",
         "P0@acquire queue 0 (global int *e) {}\n"
         "P1@kernel queue 1 (global int *e) { int r0 = *e; }\n",
         "1:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"the event of an acquisition is that",
         "P0@acquire queue 0 (global int *e) {}\n"
         "P1@kernel queue 1 wait 0 (global int *e) { int r0 = *e; }\n",
         "1:r0=1", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"a command behind a release",
         "P0@acquire queue 0 (global int *e) {}\n"
         "P1@release queue 0 (global int *e) {}\n"
         "P2@kernel queue 0 (global int *e) { int r0 = *e; }\n",
         "2:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"a release that may begin before a command of another queue ends",
         "P0@acquire queue 0 (global int *e) {}\n"
         "P1@kernel queue 1 wait 0 (global int *e) { int r0 = *e; }\n"
         "P2@release queue 0 (global int *e) {}\n",
         "1:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"used outside before it is released, though the host has waited for the command",
         "P0@acquire queue 0 (global int *e) {}\n"
         "P1@kernel queue 0 (global int *e) { *e = 1; }\n"
         "P2@release queue 0 (global int *e) {}\n"
         "P3@host wait 1 (global int *e) { int r0 = *e; }\n",
         "3:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"used outside behind the release",
         "P0@acquire queue 0 (global int *e) {}\n"
         "P1@kernel queue 0 (global int *e) { *e = 1; }\n"
         "P2@release queue 0 (global int *e) {}\n"
         "P3@host wait 2 (global int *e) { int r0 = *e; }\n",
         "3:r0=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"used outside before it is acquired",
         "P0@host (global int *e) { *e = 1; }\n"
         "P1@acquire queue 0 (global int *e) {}\n",
         "e=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"used outside, and never released",
         "P0@acquire queue 0 (global int *e) {}\n"
         "P1@host wait 0 (global int *e) { int r0 = *e; }\n",
         "1:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"K19, A:5.2.1: a driver may cache a buffer, and nothing shows the pointer that",
         "P0@kernel queue 0 buffer (global int *s) { *s = 1; }\n"
         "P1@kernel queue 0 (global int *s) { int r0 = *s; }\n",
         "1:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"nor what was written by the pointer to who uses the buffer",
         "P0@kernel queue 0 (global int *s) { *s = 1; }\n"
         "P1@kernel queue 0 buffer (global int *s) { int r0 = *s; }\n",
         "1:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"a read comes before a write by the other name: it sees nothing of that",
         "P0@kernel queue 0 (global int *s) { int r0 = *s; }\n"
         "P1@kernel queue 0 buffer (global int *s) { *s = 1; }\n",
         "0:r0=1", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"A:5.5.4: a map of the buffer does",
         "P0@kernel queue 0 buffer (global int *s) { *s = 1; }\n"
         "P1@map read queue 0 buffer (global int *s) {}\n"
         "P2@unmap queue 0 buffer (global int *s) {}\n"
         "P3@kernel queue 0 (global int *s) { int r0 = *s; }\n",
         "3:r0=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"A:5.5.4: not one that throws away what is there",
         "P0@kernel queue 0 buffer (global int *s) { *s = 1; }\n"
         "P1@map invalidate queue 0 blocking buffer (global int *s) {}\n"
         "P2@host (global int *s) { *s = 2; }\n"
         "P3@unmap queue 0 buffer (global int *s) {}\n"
         "P4@kernel queue 0 (global int *s) { int r0 = *s; }\n",
         "4:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"nor one of the pointer",
         "P0@kernel queue 0 buffer (global int *s) { *s = 1; }\n"
         "P1@map read queue 0 (global int *s) {}\n"
         "P2@unmap queue 0 (global int *s) {}\n"
         "P3@kernel queue 0 (global int *s) { int r0 = *s; }\n",
         "3:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"what the host writes where it has mapped the buffer, it writes to the buffer",
         "P0@map queue 0 blocking buffer (global int *s) {}\n"
         "P1@host (global int *s) { *s = 1; }\n"
         "P2@unmap queue 0 buffer (global int *s) {}\n"
         "P3@kernel queue 0 buffer (global int *s) { int r0 = *s; }\n",
         "3:r0=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
};

/* The same where s is fine-grained: the host uses it by its pointer, whatever is mapped. */
static const struct known known_of_fine[] = {
	{"A:5.5.4: what the host writes between a map for writing and its end is in the buffer",
         "P0@map write queue 0 blocking buffer (global int *s) {}\n"
         "P1@host (global int *s) { *s = 1; }\n"
         "P2@unmap queue 0 buffer (global int *s) {}\n"
         "P3@kernel queue 0 buffer (global int *s) { int r0 = *s; }\n",
         "3:r0=0", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"not where it is mapped for reading",
         "P0@map read queue 0 blocking buffer (global int *s) {}\n"
         "P1@host (global int *s) { *s = 1; }\n"
         "P2@unmap queue 0 buffer (global int *s) {}\n"
         "P3@kernel queue 0 buffer (global int *s) { int r0 = *s; }\n",
         "3:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"nor behind the unmapping",
         "P0@map write queue 0 blocking buffer (global int *s) {}\n"
         "P1@unmap queue 0 buffer (global int *s) {}\n"
         "P2@host wait 1 (global int *s) { *s = 1; }\n"
         "P3@kernel queue 0 buffer (global int *s) { int r0 = *s; }\n",
         "3:r0=0", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
	{"a map shows what was written by the buffer, so that the host's write comes later",
         "P0@kernel queue 0 buffer (global int *s) { *s = 1; }\n"
         "P1@map write queue 0 blocking buffer (global int *s) {}\n"
         "P2@host (global int *s) { *s = 2; }\n",
         "s=1", OCLMM_OBSERVATION_NEVER, OCLMM_OBSERVATION_NEVER},
	{"one that throws it away does not",
         "P0@kernel queue 0 buffer (global int *s) { *s = 1; }\n"
         "P1@map invalidate queue 0 blocking buffer (global int *s) {}\n"
         "P2@host (global int *s) { *s = 2; }\n",
         "s=1", OCLMM_OBSERVATION_UNDEFINED, OCLMM_OBSERVATION_UNDEFINED},
};

/* `memory`: the word of s. */
static void check_known(const struct known *k, const char *memory)
{
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer;
	struct oclmm_error error;
	struct oclmm_text text = {0};

	oclmm_text_printf(&text,
	                  "OPENCL known\n" BUFFERS "%s [s] = 0;\n}\n"
	                  "%slocations [x; y; h; e; s;]\nexists (%s)\n",
	                  memory, k->threads, k->condition);
	if (oclmm_litmus_parse("known.litmus", oclmm_text_string(&text), text.length, NULL, &error,
	                       &litmus) < 0) {
		complain(oclmm_text_string(&text), error.message);
	} else {
		if (oclmm_check(litmus->variants[0].program, NULL, &error, &answer) < 0) {
			complain(oclmm_text_string(&text), error.message);
		} else {
			if (oclmm_answer_observation(answer, OCLMM_MODEL_OPENCL_2_0) != k->by_2_0 ||
			    oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS) != k->by_2_0 ||
			    oclmm_answer_observation(answer, OCLMM_MODEL_OPENCL_2_1) != k->by_2_1 ||
			    oclmm_answer_observation(answer, OCLMM_MODEL_OPENCL_3_1) != k->by_2_1)
				complain(oclmm_text_string(&text), k->why);
			oclmm_answer_destroy(answer);
		}
		compare(litmus->variants[0].program, oclmm_text_string(&text));
		oclmm_litmus_destroy(litmus);
	}
	oclmm_text_finish(&text);
}

int main(int argc, char **argv)
{
	unsigned count = argc == 2 ? (unsigned)atoi(argv[1]) : 0;

	for (size_t i = 0; i < OCLMM_COUNT(known); i++)
		check_known(&known[i], "coarse");
	for (size_t i = 0; i < OCLMM_COUNT(known_of_fine); i++)
		check_known(&known_of_fine[i], "fine");
	for (unsigned i = 0; i < count && wrong < 5; i++) {
		key = i;
		drawn = 0;
		try_one();
	}
	printf("%u programs, %u accepted, %u replays, %u commands again, %u of them changed, "
	       "%u reach nothing, "
	       "%u waits for semaphores, %u misused, %u misuse external memory, "
	       "%u of them race, %u only if writes are "
	       "early, %u unless a status orders, %u only by two names, "
	       "%u have these and a map between, %u answers wrong\n",
	       count, accepted, recorded, again, changed, missing, signaled, misused, external,
	       racing, early, unseen, shared, brought, wrong);
	/* a comparison of little says little */
	return wrong ||
	       (accepted > 1000 &&
	        (!early || !unseen || recorded < accepted / 50 || again < accepted / 50 ||
	         changed < accepted / 200 || missing < accepted / 200 ||
	         external < accepted / 200 || !shared || !brought || signaled < accepted / 50 ||
	         misused < accepted / 200)) ||
	       accepted < count / 20 || racing < accepted / 20 || racing > accepted - accepted / 20;
}
