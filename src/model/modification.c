// SPDX-License-Identifier: Apache-2.0
/*
 * Constraints on the modification order. An RMW follows at once the write it
 * reads from, so writes come in chains: a plain write and the RMWs behind it.
 */
#include "internal.h"

#include <string.h>

static bool build_chains(const struct candidate *x, struct mo_edges *m)
{
	const struct combination *c = x->c;

	FOR_EACH (w, c->writes) {
		unsigned at = (unsigned)w, steps = 0;

		while (c->event[at].kind == OCLMM_EVENT_UPDATE && steps <= c->count) {
			at = x->rf[at];
			steps++;
		}
		if (steps > c->count)
			return false; /* RMWs that read from each other in a cycle */
		m->head[w] = at;
		m->rank[w] = steps;
	}
	FOR_EACH (w, c->writes)
		m->tail[m->head[w]] = m->head[w];
	FOR_EACH (w, c->writes)
		if (m->rank[w] > m->rank[m->tail[m->head[w]]])
			m->tail[m->head[w]] = (unsigned)w;
	return true;
}

/* Adds a before b. \return false when the chains contradict it. */
static bool add_edge(struct mo_edges *m, unsigned a, unsigned b)
{
	if (m->head[a] == m->head[b])
		return m->rank[a] < m->rank[b];
	m->after[m->head[a]] |= BIT(m->head[b]);
	return true;
}

/* Coherence as edges, for a relation that is (part of) happens-before. */
static bool add_coherence(const struct candidate *x, struct mo_edges *m, row accesses,
                          const row *relation)
{
	const struct combination *c = x->c;

	FOR_EACH (a, accesses) {
		unsigned w = c->writes & BIT(a) ? (unsigned)a : x->rf[a];

		FOR_EACH (b, relation[a] & c->of_cell[c->init_of[a]]) {
			if (c->writes & BIT(b) && !add_edge(m, w, (unsigned)b))
				return false;
			if (c->reads & BIT(b) && x->rf[b] != w && !(c->writes & BIT(b)) &&
			    !add_edge(m, w, x->rf[b]))
				return false;
		}
	}
	return true;
}

static bool add_initial(const struct candidate *x, struct mo_edges *m)
{
	const struct combination *c = x->c;

	FOR_EACH (w, c->writes)
		if (w >= c->init_count && !add_edge(m, c->init_of[w], (unsigned)w))
			return false;
	return true;
}

bool oclmm_mo_start(const struct candidate *x, struct mo_edges *m)
{
	const struct combination *c = x->c;

	row within[MAX_EVENTS];

	memset(m->after, 0, c->count * sizeof(row));
	for (unsigned i = 0; i < c->count; i++)
		within[i] = oclmm_sb_ordered(c, i);
	return build_chains(x, m) && add_initial(x, m) &&
	       add_coherence(x, m, c->reads | c->writes, within) &&
	       oclmm_is_acyclic(m->after, c->writes);
}

bool oclmm_mo_add_happens_before(const struct candidate *x, const struct order *o,
                                 struct mo_edges *m)
{
	const struct combination *c = x->c;

	for (unsigned r = 0; r < c->region_count; r++)
		if (!add_coherence(x, m, c->of_region[r], o->hb[r]))
			return false;
	return oclmm_is_acyclic(m->after, c->writes);
}

void oclmm_mo_fill(struct candidate *x)
{
	const struct combination *c = x->c;

	memset(x->mo, 0, sizeof(x->mo));
	FOR_EACH (a, c->writes)
		FOR_EACH (b, c->of_cell[c->init_of[a]] & c->writes)
			if (x->position[a] < x->position[b])
				x->mo[a] |= BIT(b);
}
