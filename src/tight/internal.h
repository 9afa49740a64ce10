// SPDX-License-Identifier: Apache-2.0
/* Decorations of a form: their numbers, their answers, the steps between them. */
#ifndef OCLMM_TIGHT_INTERNAL_H
#define OCLMM_TIGHT_INTERNAL_H

#include "oclmm/tight.h"

enum {
	MOST_ACCESSES = 8,
	MOST_FENCES = 4,
	MOST_ITEMS = MOST_ACCESSES + MOST_FENCES,
	ITEM_BITS = 5,    /* that compare its values */
	MOST_VALUES = 13, /* of an item in a cell: a fence that is none, or has orders and flags */
};

/* An access or a fence of a decoration. */
struct item {
	enum oclmm_ordered kind;
	bool present; /* fences; accesses always are */
	enum oclmm_order order;
	enum oclmm_scope scope;
	unsigned flags; /* fences */
};
/* Accesses in the order of the cycle, then the fences of the edges of program order. */
struct decoration {
	struct item item[MOST_ITEMS];
};

/* A program whose orders, scopes and flags are written into it before it is asked for. */
struct template_program {
	struct oclmm_litmus *litmus;
	struct oclmm_atomic *atomic[MOST_ACCESSES];
	struct oclmm_fence *fence[MOST_FENCES];
};

struct known; /* answers so far, by number */

struct oclmm_tight_space {
	struct oclmm_cycle form;
	bool updates;
	unsigned accesses, fences, items;
	unsigned fence_at[MOST_FENCES]; /* the access behind which it stands */
	bool writes[MOST_ACCESSES];
	unsigned regions; /* flags that a fence may have */
	struct template_program
		program[1u << MOST_ACCESSES]; /* by the set of updates; made when asked */
	struct known *known;
	size_t remembered; /* at most */
	uint64_t asked;
};

/* Leaves edges, regions and groups. False where there is more that no decoration says. */
bool space_undress(struct oclmm_cycle *cycle);
uint64_t space_number(const struct oclmm_tight_space *space, const struct decoration *decoration);
void space_decoration(const struct oclmm_tight_space *space, uint64_t number,
                      struct decoration *ret_decoration);
/* The models that forbid it, or a negative errno value. */
int space_consult(struct oclmm_tight_space *space, const struct decoration *decoration);
/* The same. Remembers. */
int space_ask(struct oclmm_tight_space *space, const struct decoration *decoration);
void space_cycle(const struct oclmm_tight_space *space, const struct decoration *decoration,
                 struct oclmm_cycle *ret_cycle);
/* Each step down. `each` returns non-zero to end; that is returned. */
int space_steps(const struct oclmm_tight_space *space, const struct decoration *decoration,
                int (*each)(void *data, const struct decoration *weaker), void *data);

/* ---- cells ----------------------------------------------------------- */

/* The decorations with these updates and, where fences are, these scopes. */
struct cell {
	unsigned updates; /* set of accesses */
	unsigned scopes;  /* set of items: those of scope device */
};
enum oclmm_ordered cell_kind(const struct oclmm_tight_space *space, const struct cell *cell,
                             unsigned item);

/* What an item may be in a cell, but for its scope: in a row, the weaker first. */
struct choice {
	unsigned count;
	struct item value[MOST_VALUES];
	unsigned bits[MOST_VALUES];
	unsigned above[MOST_VALUES], below[MOST_VALUES]; /* sets, with itself */
	unsigned allowed;                                /* set of those that are searched */
};

/* A decoration of a cell: for each item an index into its choice. */
struct element {
	uint8_t value[MOST_ITEMS];
	uint64_t bits; /* of all its values */
};
_Static_assert(ITEM_BITS *MOST_ITEMS <= 64, "a number has the bits of all items");
struct elements {
	struct element *elements;
	size_t count, capacity;
};
void elements_add(struct elements *elements, const struct element *element);
/* Whether it is at most as strong in each item. */
bool elements_leq(const struct element *a, const struct element *b);

/* Decorations of a part are compared with each other: those with a seq_cst operation of scope
 * work_group, where a model makes the difference, and the others. */
enum { PART_OTHERS, PART_NARROW, PARTS };
unsigned border_parts(unsigned model);

struct border;
struct border *border_create(struct oclmm_tight_space *space);
void border_destroy(struct border *border);
void border_decoration(const struct border *border, const struct cell *cell,
                       const struct element *element, struct decoration *ret_decoration);
/* Whether the model forbids it, or a negative errno value. */
int border_ask(struct border *border, const struct cell *cell, const struct element *element,
               unsigned model);
/* Finds the least forbidden elements of a cell, but for those at or above an excluded one. */
int border_search(struct border *border, const struct cell *cell, unsigned model, unsigned part,
                  const struct elements *excluded, struct elements *found);

/* Searches all cells. `each` is called for decorations among which are all tight ones. */
int cells_search(struct oclmm_tight_space *space,
                 int (*each)(void *data, const struct decoration *decoration), void *data);

/* ---- every decoration ------------------------------------------------ */

struct brute_found {
	uint64_t number;
	unsigned models;
};

/*
 * Asks for every decoration of a form, and concludes nothing: which are tight is looked up in the
 * answers. `*ret_found` is malloc-ed, by number.
 * \return 0, the oracle's error, or -EFBIG where the answers would not fit into memory
 */
int brute_search(const struct oclmm_tight_space *space, unsigned threads, uint64_t *ret_asked,
                 struct brute_found **ret_found, size_t *ret_count);

/* Does the same work in several threads, of which this one is one, until all have returned. */
void threads_run(unsigned count, void *(*work)(void *data), void *data);

/* ---- forms ----------------------------------------------------------- */

/* Calls for each form of a size, once for all its rotations. */
int forms_all(unsigned edges, int (*each)(void *data, const struct oclmm_cycle *form), void *data);
/*
 * Whether a cycle stands for all of its rotations that have the same edges: its form is printed
 * first, and of those with that form itself.
 */
bool forms_is_first(const struct oclmm_cycle *cycle);

#endif
