// SPDX-License-Identifier: Apache-2.0
/*
 * All candidate executions: one path per thread, every source for every read,
 * every modification order of every cell. Nothing is judged here, save that a
 * read has the value of the write that it reads from.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "execution.h"

void close_transitively(unsigned count, relation r)
{
	for (unsigned k = 0; k < count; k++)
		for (unsigned i = 0; i < count; i++) {
			if (!r[i][k])
				continue;
			/* a fixed number of them is taken at once */
			for (unsigned j = 0; j < MAX_EVENTS; j++)
				r[i][j] |= r[k][j];
		}
}

bool is_irreflexive(unsigned count, relation r)
{
	for (unsigned i = 0; i < count; i++)
		if (r[i][i])
			return false;
	return true;
}

int domain_add(struct domain *domain, int64_t value)
{
	for (unsigned i = 0; i < domain->count; i++)
		if (domain->values[i] == value)
			return 0;
	if (domain->count == MAX_VALUES)
		return -1;
	domain->values[domain->count++] = value;
	return 1;
}

/* ---- one path per thread, one source per read ------------------------ */

enum { MAX_STEPS = 1000000 };

struct combination {
	candidate_visitor visit;
	void *data;
	struct candidate candidate;
	size_t steps; /* of the search: a program that takes too many is too large */
};

static void add_initial_writes(struct candidate *candidate)
{
	const struct oclmm_program *program = candidate->program;

	for (uint32_t l = 0; l < program->location_count; l++) {
		const struct oclmm_location *location = &program->locations[l];

		for (uint32_t i = 0; i < location->elements; i++)
			candidate->events[candidate->count++] = (struct event){
				.thread = -1,
				.writes = true,
				.cell = location->first_cell + i,
				.space = location->space,
				.storage = location->storage,
				.written_value = location->initial[i],
			};
	}
}

/** Fills the events of all paths, sb and dep. \return 0 or -E2BIG. */
static int assemble(struct candidate *candidate)
{
	candidate->count = 0;
	memset(candidate->sb, 0, sizeof(candidate->sb));
	memset(candidate->dep, 0, sizeof(candidate->dep));
	memset(candidate->need, 0, sizeof(candidate->need));
	memset(candidate->ctrl, 0, sizeof(candidate->ctrl));
	add_initial_writes(candidate);
	for (uint32_t t = 0; t < candidate->program->thread_count; t++) {
		const struct path *path = candidate->paths[t];
		unsigned base = candidate->count;

		if (base + path->count > MAX_EVENTS)
			return -E2BIG;
		for (unsigned i = 0; i < path->count; i++) {
			candidate->events[base + i] = path->events[i];
			for (unsigned j = 0; j < path->count; j++) {
				candidate->sb[base + i][base + j] = path->sb[i][j];
				candidate->dep[base + i][base + j] = path->dep[i][j];
				candidate->need[base + i][base + j] = path->need[i][j];
				candidate->ctrl[base + i][base + j] = path->ctrl[i][j];
			}
		}
		candidate->count += path->count;
	}
	return 0;
}

/**
 * K6: does a value that is read depend on itself? From read to read, over the write that the
 * latter reads from: the event as such is not asked, for what an exchange stores does not depend
 * on what it reads.
 */
static bool is_circular(const struct candidate *candidate, bool (*dependency)[MAX_EVENTS])
{
	relation depends;

	memset(depends, 0, sizeof(depends));
	for (unsigned r = 0; r < candidate->count; r++)
		for (unsigned from = 0; candidate->rf[r] >= 0 && from < candidate->count; from++)
			depends[from][r] = dependency[from][candidate->rf[r]];
	close_transitively(candidate->count, depends);
	return !is_irreflexive(candidate->count, depends);
}

/** Chooses a source for the event `at` and those after it. */
static int choose_sources(struct combination *combination, unsigned at)
{
	struct candidate *candidate = &combination->candidate;
	const struct event *read = &candidate->events[at];

	if (++combination->steps > MAX_STEPS)
		return -E2BIG;
	if (at == candidate->count) {
		candidate->circular = is_circular(candidate, candidate->dep);
		candidate->groundless = is_circular(candidate, candidate->need);
		return combination->visit(candidate, combination->data);
	}
	candidate->rf[at] = -1;
	if (!read->reads)
		return choose_sources(combination, at + 1);
	for (unsigned w = 0; w < candidate->count; w++) {
		const struct event *write = &candidate->events[w];
		int result;

		if (w == at || !write->writes || !same_cell(write, read) ||
		    write->written_value != read->read_value)
			continue;
		candidate->rf[at] = (int)w;
		result = choose_sources(combination, at + 1);
		if (result != 0)
			return result;
	}
	return 0;
}

static int choose_paths(struct combination *combination, const struct paths *paths, uint32_t thread)
{
	struct candidate *candidate = &combination->candidate;

	if (thread == candidate->program->thread_count) {
		int result = assemble(candidate);

		if (++combination->steps > MAX_STEPS)
			return -E2BIG;
		if (result != 0 || passes_missed_barrier(&combination->candidate) ||
		    !copies_once(&combination->candidate))
			return result;
		return choose_sources(combination, 0);
	}
	for (size_t i = 0; i < paths[thread].count; i++) {
		int result;

		candidate->paths[thread] = &paths[thread].list[i];
		result = choose_paths(combination, paths, thread + 1);
		if (result != 0)
			return result;
	}
	return 0;
}

int enumerate_reads_from(const struct oclmm_program *program, const struct paths *paths,
                         candidate_visitor visit, void *data)
{
	struct combination combination = {.visit = visit, .data = data};

	combination.candidate.program = program;
	return choose_paths(&combination, paths, 0);
}

/* ---- modification orders --------------------------------------------- */

struct ordering {
	candidate_visitor visit;
	void *data;
	struct candidate *candidate;
	unsigned
		place[MAX_EVENTS]; /**< of a write in the order of its cell; 0 is the initial one */
	bool placed[MAX_EVENTS];
};

static int visit_order(struct ordering *ordering)
{
	struct candidate *candidate = ordering->candidate;
	const struct event *events = candidate->events;

	for (unsigned a = 0; a < candidate->count; a++)
		for (unsigned b = 0; b < candidate->count; b++)
			candidate->mo[a][b] = events[a].writes && events[b].writes &&
			                      same_cell(&events[a], &events[b]) &&
			                      ordering->place[a] < ordering->place[b];
	for (unsigned r = 0; r < candidate->count; r++)
		for (unsigned w = 0; w < candidate->count; w++)
			candidate->rb[r][w] = r != w && candidate->rf[r] >= 0 &&
			                      candidate->mo[candidate->rf[r]][w];
	return ordering->visit(candidate, ordering->data);
}

/** Chooses which write of `cell` stands at `place`, then goes on. */
static int choose_place(struct ordering *ordering, unsigned cell, unsigned place)
{
	struct candidate *candidate = ordering->candidate;
	bool any = false;

	if (cell == candidate->program->cell_count)
		return visit_order(ordering);
	for (unsigned w = 0; w < candidate->count; w++) {
		const struct event *event = &candidate->events[w];
		int result;

		if (event->thread < 0 || !event->writes || event->cell != cell ||
		    ordering->placed[w])
			continue;
		any = true;
		ordering->placed[w] = true;
		ordering->place[w] = place;
		result = choose_place(ordering, cell, place + 1);
		ordering->placed[w] = false;
		if (result != 0)
			return result;
	}
	return any ? 0 : choose_place(ordering, cell + 1, 1);
}

int enumerate_modification_orders(struct candidate *candidate, candidate_visitor visit, void *data)
{
	struct ordering ordering = {.visit = visit, .data = data, .candidate = candidate};

	return choose_place(&ordering, 0, 1);
}

/* ---- which values a cell can hold ------------------------------------ */

static int start_domains(const struct oclmm_program *program, struct domain *domains)
{
	if (program->cell_count > MAX_CELLS)
		return -E2BIG;
	memset(domains, 0, MAX_CELLS * sizeof(*domains));
	for (uint32_t l = 0; l < program->location_count; l++)
		for (uint32_t i = 0; i < program->locations[l].elements; i++)
			domain_add(&domains[program->locations[l].first_cell + i],
			           program->locations[l].initial[i]);
	return 0;
}

/** How long a chain of writes can be of which each is computed from the one before. */
struct chains {
	unsigned writes[MAX_CELLS]; /**< in a candidate, at most */
	bool feeds[MAX_CELLS]
		  [MAX_CELLS];     /**< a write to the second may depend on a read of the first */
	unsigned bound[MAX_CELLS]; /**< of chains that end in the cell */
};

/** A chain that ends in a cell has writes to it and to cells that feed it, each of them once. */
static void bound_chains(struct chains *chains)
{
	for (unsigned k = 0; k < MAX_CELLS; k++)
		for (unsigned i = 0; i < MAX_CELLS; i++)
			for (unsigned j = 0; chains->feeds[i][k] && j < MAX_CELLS; j++)
				chains->feeds[i][j] |= chains->feeds[k][j];
	for (unsigned c = 0; c < MAX_CELLS; c++) {
		chains->bound[c] = chains->writes[c];
		for (unsigned from = 0; from < MAX_CELLS; from++)
			if (from != c && chains->feeds[from][c])
				chains->bound[c] += chains->writes[from];
	}
}

static void note_chains(const struct path *path, unsigned most[MAX_CELLS], struct chains *chains)
{
	unsigned count[MAX_CELLS] = {0};

	for (unsigned i = 0; i < path->count; i++) {
		const struct event *write = &path->events[i];

		if (!write->writes)
			continue;
		if (++count[write->cell] > most[write->cell])
			most[write->cell] = count[write->cell];
		for (unsigned r = 0; r < path->count; r++)
			if (path->dep[r][i])
				chains->feeds[path->events[r].cell][write->cell] = true;
	}
}

/** Adds what the writes of a path store, where a chain can be of this length. \return 0 or -E2BIG.
 */
static int add_written_values(const struct path *path, const unsigned *bound, unsigned length,
                              struct domain *domains, bool *changed)
{
	for (unsigned i = 0; i < path->count; i++) {
		const struct event *event = &path->events[i];
		int added;

		if (!event->writes || (length > 1 && length > bound[event->cell]))
			continue;
		added = domain_add(&domains[event->cell], event->written_value);
		if (added < 0)
			return -E2BIG;
		*changed |= added > 0;
	}
	return 0;
}

/**
 * One round: what do the threads write when they read values of `domains`, in chains of this
 * length? Control dependencies are no cycle (K6): a write may well be made only
 * because its own value is read, so that branches are taken both ways here.
 */
static int widen(const struct oclmm_program *program, bool k9, unsigned length,
                 struct domain *domains, struct chains *chains, bool *changed)
{
	struct domain wider[MAX_CELLS];
	struct chains found = {0};
	int result = 0;

	memcpy(wider, domains, sizeof(wider));
	for (uint32_t t = 0; result == 0 && t < program->thread_count; t++) {
		unsigned most[MAX_CELLS] = {0};
		struct paths paths = {0};

		result = unfold_thread(program, t, domains, true, k9, &paths);
		for (size_t i = 0; result == 0 && i < paths.count; i++) {
			note_chains(&paths.list[i], most, &found);
			result = add_written_values(&paths.list[i], chains->bound, length, wider,
			                            changed);
		}
		for (unsigned c = 0; c < MAX_CELLS; c++)
			found.writes[c] += most[c];
		free(paths.list);
	}
	bound_chains(&found);
	*chains = found;
	memcpy(domains, wider, sizeof(wider));
	return result;
}

/** What coherence within a work-item asks of mo for a before b in sb. */
static void follow_sb(const struct candidate *c, unsigned a, unsigned b, relation must)
{
	const struct event *ea = &c->events[a], *eb = &c->events[b];
	unsigned of_a = ea->writes ? a : (unsigned)c->rf[a];

	if (!c->sb[a][b] || !same_cell(ea, eb))
		return;
	if (eb->writes)
		must[of_a][b] = true;
	if (eb->reads && (unsigned)c->rf[b] != of_a)
		must[of_a][c->rf[b]] = true;
}

/** An update stands right behind what it reads: what follows that follows the update, too. */
static bool follow_update(const struct candidate *c, unsigned update, relation must)
{
	unsigned w = (unsigned)c->rf[update];
	bool changed = !must[w][update];

	must[w][update] = true;
	for (unsigned other = 0; other < c->count; other++) {
		bool behind = other != update && must[w][other] && !must[update][other];
		bool before = other != w && must[other][update] && !must[other][w];

		changed |= behind || before;
		must[update][other] |= behind;
		must[other][w] |= before;
	}
	return changed;
}

/** Is there an order of the writes that no reading would refuse for one cell by itself? */
static bool is_possible(const struct candidate *c)
{
	static relation must;
	bool changed = true;

	memset(must, 0, sizeof(must));
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++) {
			const struct event *ea = &c->events[a], *eb = &c->events[b];

			follow_sb(c, a, b, must);
			must[a][b] |= a != b && ea->thread < 0 && eb->writes && same_cell(ea, eb);
		}
	while (changed) {
		changed = false;
		close_transitively(c->count, must);
		for (unsigned u = 0; u < c->count; u++)
			if (c->events[u].reads && c->events[u].writes)
				changed |= follow_update(c, u, must);
	}
	return is_irreflexive(c->count, must);
}

static bool writes_new_value(const struct candidate *c, const struct domain *domains)
{
	for (unsigned i = 0; i < c->count; i++) {
		const struct domain *domain = &domains[c->events[i].cell];
		unsigned known = 0;

		while (known < domain->count && domain->values[known] != c->events[i].written_value)
			known++;
		if (c->events[i].writes && known == domain->count)
			return true;
	}
	return false;
}

static int collect_values(struct candidate *candidate, void *data)
{
	struct domain *domains = data;

	if (candidate->groundless || !writes_new_value(candidate, domains) ||
	    !is_possible(candidate))
		return 0;
	for (unsigned i = 0; i < candidate->count; i++)
		if (candidate->events[i].writes &&
		    domain_add(&domains[candidate->events[i].cell],
		               candidate->events[i].written_value) < 0)
			return -E2BIG;
	return 0;
}

/*
 * First a domain that is surely large enough. Where no value is computed from
 * itself, it is computed through a chain of writes that are all different, so that
 * as many rounds suffice as such a chain can be long. Then the exact one: the values
 * in the candidates without a cycle, save those that no order of the writes can
 * make coherent and atomic.
 */
int find_domains(const struct oclmm_program *program, bool k9, struct domain *ret_domains)
{
	struct domain wide[MAX_CELLS], exact[MAX_CELLS];
	struct paths paths[OCLMM_MAX_THREADS] = {0};
	struct chains chains = {0};
	bool changed = true;
	int result = start_domains(program, wide);

	for (unsigned length = 1; result == 0 && changed; length++) {
		changed = false;
		result = widen(program, k9, length, wide, &chains, &changed);
	}
	if (result == 0)
		result = start_domains(program, exact);
	for (uint32_t t = 0; result == 0 && t < program->thread_count; t++)
		result = unfold_thread(program, t, wide, false, k9, &paths[t]);
	if (result == 0)
		result = enumerate_reads_from(program, paths, collect_values, exact);
	for (uint32_t t = 0; t < program->thread_count; t++)
		free(paths[t].list);
	if (result == 0)
		memcpy(ret_domains, exact, sizeof(exact));
	return result;
}

int enumerate_program(const struct oclmm_program *program, bool k9, candidate_visitor visit,
                      void *data)
{
	struct paths paths[OCLMM_MAX_THREADS] = {0};
	struct domain domains[MAX_CELLS];
	int result = -E2BIG;

	if (program->thread_count <= OCLMM_MAX_THREADS)
		result = find_domains(program, k9, domains);
	for (uint32_t t = 0; result == 0 && t < program->thread_count; t++)
		result = unfold_thread(program, t, domains, false, k9, &paths[t]);
	if (result == 0)
		result = enumerate_reads_from(program, paths, visit, data);
	for (uint32_t t = 0; t < program->thread_count && t < OCLMM_MAX_THREADS; t++)
		free(paths[t].list);
	return result;
}
