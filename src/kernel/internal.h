// SPDX-License-Identifier: Apache-2.0
/*
 * A module of SPIR-V as it is run, and the memory that it is run in.
 *
 *   words ──module.c──► types, constants, functions ──machine.c──► steps of a work-item
 *   kernel.c: arguments, work-items, memory; asks the explorer, and says what it found
 */
#ifndef OCLMM_KERNEL_INTERNAL_H
#define OCLMM_KERNEL_INTERNAL_H

#include "oclmm/explore.h"
#include "oclmm/kernel.h"

/* ---- a module ---------------------------------------------------------- */

enum type_kind {
	TYPE_NONE,
	TYPE_VOID,
	TYPE_BOOL,
	TYPE_INT,
	TYPE_FLOAT,
	TYPE_VECTOR,
	TYPE_ARRAY,
	TYPE_STRUCT,
	TYPE_POINTER,
	TYPE_FUNCTION,
	TYPE_EVENT,
	TYPE_OTHER, /* images and the like */
};

/* SPIR-V 3.7: where a pointer points to. */
enum storage_class {
	CLASS_CONSTANT = 0,
	CLASS_INPUT = 1,
	CLASS_WORKGROUP = 4,
	CLASS_CROSS_WORKGROUP = 5,
	CLASS_FUNCTION = 7,
	CLASS_GENERIC = 8,
};

struct type {
	enum type_kind kind;
	unsigned bits;           /* INT, FLOAT */
	uint32_t of, count;      /* elements, members */
	const uint32_t *members; /* STRUCT */
	const char *name;        /* the same: `struct.queue`; or NULL */
	uint32_t *offsets;       /* of members */
	bool packed;
	unsigned class;       /* POINTER */
	uint32_t size, align; /* in memory */
};

enum id_kind {
	ID_NONE,
	ID_TYPE,
	ID_CONSTANT,
	ID_VARIABLE, /* outside of functions */
	ID_FUNCTION,
	ID_LABEL,
	ID_VALUE, /* within a function */
	ID_SET,   /* of extended instructions */
};

#define NO_BUILTIN UINT32_MAX

struct id {
	enum id_kind kind;
	const char *name;
	const char *linkage;
	uint32_t type;
	struct type *is;   /* TYPE */
	uint8_t *bytes;    /* CONSTANT */
	uint32_t number;   /* VARIABLE: of the variable; FUNCTION; LABEL: first instruction */
	uint32_t slot;     /* VALUE: in the frame */
	uint32_t storage;  /* OpVariable of a function: in the frame */
	uint32_t last_use; /* VALUE: the instruction that is the last to need it, or 0 */
	uint32_t builtin;  /* VARIABLE */
	bool packed, standard, saturated;
	bool by_value; /* a parameter that points to a copy for the function alone */
	bool no_wrap;  /* a result of signed numbers that must not overflow */
	enum rounding {
		ROUND_NOT_SAID,
		ROUND_EVEN,
		ROUND_ZERO,
		ROUND_UP,
		ROUND_DOWN
	} rounding; /* of a conversion */
};

/* A pointer within a constant: to a variable, and as far behind it as its bytes say. They become
 * the pointer once objects have their numbers. */
struct pointing {
	uint8_t *at;
	uint32_t variable;
};

struct instruction {
	uint32_t word; /* where it begins */
	uint32_t file; /* id of its name, or 0 */
	uint32_t line, column;
	uint32_t function;
	uint32_t block; /* label's id */
};

struct function {
	uint32_t id, type;
	const char *name;
	uint32_t first; /* instruction, behind OpFunction */
	bool has_body;
	uint32_t frame; /* bytes of a frame */
	uint32_t *parameters;
	uint32_t parameter_count;
};

struct variable {
	uint32_t id, type; /* of the pointer */
	unsigned class;
	const uint8_t *initial; /* or NULL */
	const char *name;
	uint32_t builtin;
};

struct module {
	struct oclmm_arena *arena;
	const uint32_t *words;
	size_t count;
	struct id *ids;
	uint32_t bound;
	struct instruction *code;
	size_t code_count, code_capacity;
	struct function *functions;
	size_t function_count, function_capacity;
	struct variable *variables;
	size_t variable_count, variable_capacity;
	struct pointing *pointing;
	size_t pointing_count, pointing_capacity;
	const char **strings; /* by id */
	const char *own;      /* of those: the file of the kernel */
	size_t folder;        /* bytes of its name in front of the one that the user gave */
	const char **entries; /* names of entry points */
	size_t entry_count, entry_capacity;
};

int oclmm_module_read(struct oclmm_arena *arena, const char *path, const void *bytes, size_t length,
                      struct oclmm_error *error, struct module **ret_module);
/* Which file the line of an instruction is of; NULL: the kernel's own. */
const char *oclmm_module_file(const struct module *m, const struct instruction *code);
const struct type *oclmm_module_type(const struct module *m, uint32_t id);
/* What an access of a type touches: three components of a vector of three. */
static inline uint32_t oclmm_accessed(const struct type *t, const struct module *m)
{
	if (t->kind == TYPE_VECTOR)
		return t->count * oclmm_module_type(m, t->of)->size;
	return t->size;
}

/* The frame of a call, and what a thread's bytes begin with. */
struct frame_head {
	uint32_t function, at; /* the instruction that is next */
	uint32_t started;      /* its variables have their pointers */
	uint32_t caller;       /* offset of its frame; 0: none */
};
/* What code does, with what it calls: the work-group meets, or the sub-group, or somebody may wait
 * at an atomic access. */
enum { DOES_MEET_GROUP = 1, DOES_MEET_SUB_GROUP = 2, DOES_ACCESS = 4 };

struct machine_head {
	uint32_t frame;
	uint16_t pending; /* the instruction at hand waits for its result, or for a barrier */
	uint16_t passed;  /* the barrier in front of it */
	uint32_t arrived; /* 1 + the arrival at a split barrier that it has not waited for; or 0 */
};

/* Values of a work-item that are undefined: parts of its state. Behind its head, where a module has
 * functions that give such values. */
enum { UNKNOWN_MOST = 24 };
struct unknowns {
	uint32_t count;
	struct unknown {
		uint32_t at, size;
		uint32_t where; /* the instruction that gave it */
	} parts[UNKNOWN_MOST];
};

/* ---- memory -------------------------------------------------------------- */

/* A pointer is 1 + the number of an object, and an offset. Offsets begin in the middle of what
 * there is room for, so that one in front of an object is still of that object. */
enum { OFFSET_BITS = 40 };
#define OFFSET_BEGIN   (UINT64_C(1) << (OFFSET_BITS - 1))
#define OBJECT_PRIVATE UINT64_C(0xfffffe)

struct object {
	const char *name;
	enum object_kind { OBJECT_SHARED, OBJECT_CONSTANT, OBJECT_BUILTIN } kind;
	enum oclmm_space region;
	uint32_t size;
	uint32_t group;          /* of local memory */
	const uint8_t *data;     /* CONSTANT; SHARED: the first values, or NULL */
	uint32_t builtin;        /* BUILTIN */
	uint8_t *boundary;       /* by offset: BOUNDARY_, where a cell begins */
	uint32_t *cell_at;       /* by offset: 1 + the cell that begins there, or 0 */
	const struct type *leaf; /* whose elements it has, for names */
	bool is_buffer;          /* a parameter points to it: `leaf` is one element of it */
	bool clocked, looked_at; /* some work-item stored the value of a clock; some read it */
	bool named;              /* the names of all members of structures in it are known */
};

/* A cell begins where a number of the type does, unless it is only accessed as a part of a wider
 * one, or where an access does. */
enum { BOUNDARY_OF_TYPE = 1, BOUNDARY_OF_ACCESS };

/* What is changed at an instruction, to see whether that mends a kernel. */
struct change {
	uint32_t where;
	enum oclmm_order order; /* NONE: as it is */
	enum oclmm_scope scope; /* likewise */
	unsigned flags;         /* more of them */
	bool barrier;           /* one of these flags stands in front of it */
	bool atomic;            /* a plain access that is made atomic */
	/* a plain read becomes one step with the write at `store`: that one is skipped */
	bool updates, skipped;
	uint32_t store;
	enum oclmm_operation op;
	uint32_t operand; /* whose result that is */
};

/* A parameter that is more than a number: a vector, or a structure by value. */
struct value {
	const uint8_t *bytes; /* NULL: it is a number or a pointer */
	uint32_t size;
	bool pointed; /* the kernel is given a pointer to a copy */
};

/* A step, with what cannot be said in numbers. */
struct machine {
	const struct module *module;
	const struct function *kernel;
	struct object *objects;
	size_t object_count, object_capacity;
	struct oclmm_cell *cells;
	size_t cell_count, cell_capacity;
	uint32_t *object_of; /* by cell */
	uint32_t *offset_of;
	size_t object_of_capacity, offset_of_capacity;
	uint64_t *arguments;  /* values of scalars, and pointers; [group * parameters + n] */
	struct value *values; /* by parameter */
	const struct oclmm_kernel_setup *setup;
	uint32_t *local_of; /* by variable and group: object */
	uint32_t *object_of_variable;
	unsigned dimensions[3], local[3], groups[3];
	unsigned thread_count, group_count, group_size;
	struct placed {
		unsigned group, in_group;
	} * placed; /* by work-item */
	struct shape {
		unsigned size[3];
	} * shapes; /* of each group: the last ones may be smaller than local */
	unsigned unroll;
	/* found on the way */
	bool *reached;   /* by instruction */
	bool split;      /* cells have to be cut elsewhere */
	bool undefined;  /* the fault is one of the kernel */
	bool sub_groups; /* it asked which sub-group it is in, or met others of it */
	bool lanes;      /* values may come from work-items that there are not, or from clocks */
	/* by function: loops whose turns are counted, since work-items may meet in them */
	struct turning {
		struct loop {
			uint32_t first, last; /* instructions */
			unsigned does;        /* set of DOES_ */
		} * loops;
		uint32_t count;
		unsigned does;
	} * turnings;   /* or NULL */
	uint64_t event; /* of the asynchronous copy that is being made */
	char message[200];
	uint32_t fault_where;
	const struct change **change_at; /* by instruction */
	/* by work-item: which values decide anything, and of which variables, both by their ids */
	struct oclmm_slice *slices;
	struct blank *blanks; /* the others, by function */
	size_t blank_count;
};

/* What SPIR-V's numbers say. */
static inline enum oclmm_order oclmm_machine_order(uint64_t semantics)
{
	return semantics & 0x10  ? OCLMM_ORDER_SEQ_CST
	       : semantics & 0x8 ? OCLMM_ORDER_ACQ_REL
	       : semantics & 0x4 ? OCLMM_ORDER_RELEASE
	       : semantics & 0x2 ? OCLMM_ORDER_ACQUIRE
	                         : OCLMM_ORDER_RELAXED;
}

static inline enum oclmm_scope oclmm_machine_scope(uint64_t scope)
{
	static const enum oclmm_scope scopes[] = {OCLMM_SCOPE_ALL_SVM_DEVICES, OCLMM_SCOPE_DEVICE,
	                                          OCLMM_SCOPE_WORK_GROUP, OCLMM_SCOPE_SUB_GROUP,
	                                          OCLMM_SCOPE_WORK_ITEM};

	return scope < OCLMM_COUNT(scopes) ? scopes[scope] : OCLMM_SCOPE_NONE;
}

/* By the numbers that clang gives the enumerators. */
static inline enum oclmm_order oclmm_machine_order_numbered(uint64_t number)
{
	static const enum oclmm_order orders[] = {OCLMM_ORDER_RELAXED, OCLMM_ORDER_ACQUIRE,
	                                          OCLMM_ORDER_ACQUIRE, OCLMM_ORDER_RELEASE,
	                                          OCLMM_ORDER_ACQ_REL, OCLMM_ORDER_SEQ_CST};

	return number < OCLMM_COUNT(orders) ? orders[number] : OCLMM_ORDER_SEQ_CST;
}

static inline enum oclmm_scope oclmm_machine_scope_numbered(uint64_t number)
{
	static const enum oclmm_scope scopes[] = {OCLMM_SCOPE_WORK_ITEM, OCLMM_SCOPE_WORK_GROUP,
	                                          OCLMM_SCOPE_DEVICE, OCLMM_SCOPE_ALL_SVM_DEVICES,
	                                          OCLMM_SCOPE_SUB_GROUP};

	return number < OCLMM_COUNT(scopes) ? scopes[number] : OCLMM_SCOPE_DEVICE;
}

/* Which half of a split barrier a function is, by the name that oclmm_kernel_source() gives it. */
static inline enum oclmm_barrier_part oclmm_machine_half_named(const char *name)
{
	return strstr(name, "oclmm_split_arrive") ? OCLMM_BARRIER_ARRIVE
	       : strstr(name, "oclmm_split_wait") ? OCLMM_BARRIER_WAIT
	                                          : OCLMM_BARRIER_WHOLE;
}

static inline enum oclmm_barrier_part oclmm_machine_half_at(const struct module *m, uint32_t at)
{
	const uint32_t *w = m->words + m->code[at].word;
	const struct id *callee = (w[0] & 0xffff) == 57 && w[3] < m->bound ? &m->ids[w[3]] : NULL;

	return callee && callee->kind == ID_FUNCTION
	               ? oclmm_machine_half_named(m->functions[callee->number].name)
	               : OCLMM_BARRIER_WHOLE;
}

/* By the numbers of cl_mem_fence_flags. */
static inline unsigned oclmm_machine_flags_numbered(uint64_t number)
{
	return (number & 1 ? OCLMM_FLAG_LOCAL : 0) | (number & 2 ? OCLMM_FLAG_GLOBAL : 0);
}

static inline unsigned oclmm_machine_flags(uint64_t semantics)
{
	return (semantics & 0x100 ? OCLMM_FLAG_LOCAL : 0) |
	       (semantics & 0x200 ? OCLMM_FLAG_GLOBAL : 0);
}

/* The bits of the nearest half. */
uint64_t oclmm_machine_half(double value);
/* Of a number of floating point that is that wide; \return false: it depends on rounding. */
bool oclmm_machine_number(uint64_t bits, unsigned width, double *ret_value);

/* Of the range: 1 to 3. */
static inline unsigned oclmm_machine_dimensions(const struct machine *m)
{
	return m->dimensions[2] > 1 || m->local[2] > 1   ? 3
	       : m->dimensions[1] > 1 || m->local[1] > 1 ? 2
	                                                 : 1;
}

/* What a work-item finds in a built-in variable, by SPIR-V's number of it and the dimension.
 * \return false: it is not known */
bool oclmm_machine_builtin(const struct machine *m, unsigned thread, uint32_t builtin, unsigned n,
                           uint64_t *ret_value);

/* How the explorer runs work-items: all but which they are, and their memory. */
void oclmm_machine_source(struct machine *machine, struct oclmm_explored_source *ret_source);

#endif
