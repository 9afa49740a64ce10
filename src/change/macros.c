// SPDX-License-Identifier: Apache-2.0
/*
 * What is written in place of a call that a change has marked as wrong (oclmm_atomic.wrong and its
 * like): macros, which stand before the text of a kernel. The kernel's writer calls
 *
 *     oclmm_wrong_KIND(CALL, T, SPACE, FN, OP, P, E, V, O, F, S, LO, SO)
 *
 * with the call as it should be; the type of the object's value; `global`, `local` or nothing; the
 * function's name without `_explicit` (of one of OpenCL 1.x `atomic` or `atom`); what it does,
 * `add`, `exchange`; object, expected value, operand; order, order of failure, scope; and the order
 * that a load and a store in its place would have. Of a load in a loop, E is the number of the turn
 * and V what the register holds that it is for. Fences are `oclmm_wrong_fence(CALL, FLAGS, O, S)`,
 * barriers `oclmm_wrong_barrier(CALL)`, plain stores `oclmm_wrong_write(CALL, T, SPACE, P, V)`.
 *
 * Arguments may stand there twice; those with effects are evaluated once. Statement expressions and
 * __typeof__, which keeps the address space, are extensions of Clang, on which most OpenCL
 * compilers are based.
 */
#include <stdio.h>
#include <string.h>

#include "builder.h"

#define PARAMETERS "(CALL, T, SPACE, FN, OP, P, E, V, O, F, S, LO, SO) "

#define LOW  "(~0ul >> (64 - 4 * sizeof(oclmm_old)))"
#define ALL  "(~0ul >> (64 - 8 * sizeof(oclmm_old)))"
#define HIGH "(~" LOW ")"
#define LESS "(~0ul >> (65 - 8 * sizeof(oclmm_old)))" /* all but the highest bit */

/* OpenCL C: how many work-items the group has, the number of the group, how many there are. */
#define GROUP_SIZE "get_local_size(0) * get_local_size(1) * get_local_size(2)"
#define GROUP_NUMBER                                                                               \
	"get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * "            \
	"get_group_id(2))"
#define GROUP_COUNT "get_num_groups(0) * get_num_groups(1) * get_num_groups(2)"

#define OBJECT "__typeof__(&*(P)) oclmm_p = (P); "
#define FOUND  "atomic_load_explicit(oclmm_p, memory_order_relaxed, S)"

static void define(struct oclmm_text *text, const char *kind, const char *body)
{
	oclmm_text_printf(text, "#define oclmm_wrong_%s" PARAMETERS "%s\n", kind, body);
}

/* ---- where, when it runs ------------------------------------------------ */

/* Of calls chosen at random it depends on the object and the work-item which they are: of 2^32
 * every N-th on average. */
static void write_when(struct oclmm_text *text, const struct oclmm_mutation *change)
{
	unsigned long long n = change->number;

	oclmm_text_add(text, "#define oclmm_when(P, V) (");
	switch (change->where) {
	case OCLMM_WHERE_RARE:
		oclmm_text_printf(text,
		                  "(((uint)(size_t)(P) * 2654435761u ^ (uint)get_global_id(0) * "
		                  "2246822519u) * 3266489917u >> 4) %% %lluu == 0",
		                  n);
		break;
	case OCLMM_WHERE_BIG_GROUP: oclmm_text_printf(text, GROUP_SIZE " >= %llu", n); break;
	case OCLMM_WHERE_SMALL_GROUP: oclmm_text_printf(text, GROUP_SIZE " <= %llu", n); break;
	case OCLMM_WHERE_UNEVEN_GROUP:
		oclmm_text_printf(text, GROUP_SIZE " %% %llu != 0", n);
		break;
	case OCLMM_WHERE_EXACT_GROUP: oclmm_text_printf(text, GROUP_SIZE " == %llu", n); break;
	case OCLMM_WHERE_MANY_GROUPS: oclmm_text_printf(text, GROUP_COUNT " >= %llu", n); break;
	case OCLMM_WHERE_LONE_GROUP: oclmm_text_printf(text, GROUP_COUNT " == %llu", n); break;
	case OCLMM_WHERE_FROM_GROUP: oclmm_text_printf(text, GROUP_NUMBER " >= %llu", n); break;
	case OCLMM_WHERE_ODD_GROUP:
		oclmm_text_add(text,
		               "((get_group_id(0) ^ get_group_id(1) ^ get_group_id(2)) & 1) != 0");
		break;
	case OCLMM_WHERE_LANE:
		oclmm_text_printf(text,
		                  "(get_local_id(0) + get_local_size(0) * (get_local_id(1) + "
		                  "get_local_size(1) * get_local_id(2))) %% %llu == %llu",
		                  n, n - 1);
		break;
	case OCLMM_WHERE_SHIFTED: oclmm_text_printf(text, "(size_t)(P) %% %llu != 0", n); break;
	case OCLMM_WHERE_OTHER: oclmm_text_add(text, "(V) != 1"); break;
	default: oclmm_text_add(text, "true"); break;
	}
	oclmm_text_add(text, ")\n");
}

/* ---- updates that come apart ---------------------------------------------- */

/* What a read-modify-write makes of two values. */
static const char updates[] = "#define oclmm_new_exchange(a, b) b\n"
			      "#define oclmm_new_add(a, b) a + b\n"
			      "#define oclmm_new_sub(a, b) a - b\n"
			      "#define oclmm_new_or(a, b) a | b\n"
			      "#define oclmm_new_xor(a, b) a ^ b\n"
			      "#define oclmm_new_and(a, b) a & b\n"
			      "#define oclmm_new_min(a, b) a < b ? a : b\n"
			      "#define oclmm_new_max(a, b) a > b ? a : b\n";

/* By what the two halves of an update reach the object. */
struct access {
	const char *opening, *load, *store_opening, *store_closing;
};
static const struct access by_atomics = {OBJECT, "atomic_load_explicit(oclmm_p, LO, S)",
                                         "atomic_store_explicit(oclmm_p, ", ", SO, S)"};
/* the objects of 1.x functions are of no atomic type */
static const struct access by_volatile = {OBJECT
                                          "volatile __typeof__(*oclmm_p) *oclmm_m = oclmm_p; ",
                                          "*oclmm_m", "*oclmm_m = ", ""};
static const struct access by_plain = {OBJECT "SPACE T *oclmm_m = (SPACE T *)oclmm_p; ", "*oclmm_m",
                                       "*oclmm_m = ", ""};

static void split_update(struct oclmm_text *text, const char *kind, const struct access *by)
{
	char body[1024];

	snprintf(body, sizeof(body),
	         "({ %sT oclmm_v = (V), oclmm_old = %s; %soclmm_new_##OP(oclmm_old, oclmm_v)%s; "
	         "oclmm_old; })",
	         by->opening, by->load, by->store_opening, by->store_closing);
	define(text, kind, body);
}

static void split_cas(struct oclmm_text *text, const struct access *by)
{
	char body[1024];

	snprintf(body, sizeof(body),
	         "({ %s__typeof__(&*(E)) oclmm_e = (E); T oclmm_v = (V), oclmm_was = *oclmm_e, "
	         "oclmm_old = %s; if (oclmm_old == oclmm_was) %soclmm_v%s; else *oclmm_e = "
	         "oclmm_old; oclmm_old == oclmm_was; })",
	         by->opening, by->load, by->store_opening, by->store_closing);
	define(text, "cas", body);
}

/* atomic_cmpxchg takes the value it expects, and gives the old one. */
static void split_legacy_cas(struct oclmm_text *text, const struct access *by)
{
	char body[1024];

	snprintf(body, sizeof(body),
	         "({ %sT oclmm_was = (E), oclmm_v = (V), oclmm_old = %s; if (oclmm_old == "
	         "oclmm_was) %soclmm_v%s; oclmm_old; })",
	         by->opening, by->load, by->store_opening, by->store_closing);
	define(text, "legacy_cas", body);
}

static void write_split(struct oclmm_text *text)
{
	oclmm_text_add(text, updates);
	split_update(text, "update", &by_atomics);
	split_cas(text, &by_atomics);
	split_update(text, "legacy", &by_volatile);
	split_legacy_cas(text, &by_volatile);
}

static void write_plain(struct oclmm_text *text)
{
	oclmm_text_add(text, updates);
	split_update(text, "update", &by_plain);
	split_cas(text, &by_plain);
	split_update(text, "legacy", &by_plain);
	split_legacy_cas(text, &by_plain);
	define(text, "load", "({ " OBJECT "SPACE T *oclmm_m = (SPACE T *)oclmm_p; *oclmm_m; })");
	define(text, "store",
	       "({ " OBJECT "SPACE T *oclmm_m = (SPACE T *)oclmm_p; *oclmm_m = (V); (void)0; })");
}

/* One of N does not take place, or takes place twice: any update is safe most of the time. */
static void write_lost(struct oclmm_text *text, const struct oclmm_mutation *change, bool twice)
{
	static const char once[] = "FN##_explicit(oclmm_p, oclmm_v, O, S)";

	oclmm_text_printf(text,
	                  "#define oclmm_wrong_update" PARAMETERS "({ " OBJECT
	                  "T oclmm_v = (V); ((((uint)(size_t)oclmm_p >> 2) * 2654435761u ^ "
	                  "(uint)get_global_id(0) * 40503u) >> 8) %% %lluu ? %s : ",
	                  (unsigned long long)change->number, once);
	if (twice)
		oclmm_text_printf(text, "(%s, %s); })\n", once, once);
	else
		oclmm_text_printf(text, "%s; })\n", by_atomics.load);
}

/* ---- orders, in some calls ---------------------------------------------- */

/* Calls by what they take before orders. */
static const struct {
	const char *kind, *arguments;
	enum oclmm_function_kind function;
} calls[] = {
	{"load", "P", OCLMM_FUNCTION_LOAD},         {"store", "P, V", OCLMM_FUNCTION_STORE},
	{"update", "P, V", OCLMM_FUNCTION_FETCH},   {"cas", "P, E, V", OCLMM_FUNCTION_CAS},
	{"flag_set", "P", OCLMM_FUNCTION_FLAG_SET}, {"flag_clear", "P", OCLMM_FUNCTION_FLAG_CLEAR},
};

static void write_relaxed(struct oclmm_text *text)
{
	static const char relaxed[] = "memory_order_relaxed";
	char body[256];

	for (size_t i = 0; i < OCLMM_COUNT(calls); i++) {
		bool cas = calls[i].function == OCLMM_FUNCTION_CAS;

		snprintf(body, sizeof(body), "FN##_explicit(%s, %s%s%s, S)", calls[i].arguments,
		         relaxed, cas ? ", " : "", cas ? relaxed : "");
		define(text, calls[i].kind, body);
	}
	oclmm_text_printf(text,
	                  "#define oclmm_wrong_fence(CALL, FLAGS, O, S) (oclmm_when(0, 0) ? "
	                  "atomic_work_item_fence(FLAGS, %s, S) : CALL)\n",
	                  relaxed);
}

/* `oclmm_order_KIND_memory_order_seq_cst`, and so on: the order in its place. */
static void define_orders(struct oclmm_text *text, const char *kind, enum oclmm_what what,
                          enum oclmm_function_kind function, bool failure)
{
	for (int i = OCLMM_ORDER_RELAXED; i < OCLMM_ORDER_COUNT; i++)
		oclmm_text_printf(text, "#define oclmm_order_%s_%s %s\n", kind,
		                  oclmm_order_spelling((enum oclmm_order)i),
		                  oclmm_order_spelling(oclmm_weaker_order(what, function, failure,
		                                                          (enum oclmm_order)i)));
}

static void write_weaker(struct oclmm_text *text, const struct oclmm_mutation *change)
{
	char body[256];

	define_orders(text, "failure", change->what, OCLMM_FUNCTION_CAS, true);
	for (size_t i = 0; i < OCLMM_COUNT(calls); i++) {
		bool cas = calls[i].function == OCLMM_FUNCTION_CAS;

		define_orders(text, calls[i].kind, change->what, calls[i].function, false);
		snprintf(body, sizeof(body), "FN##_explicit(%s, oclmm_order_%s_##O%s, S)",
		         calls[i].arguments, calls[i].kind, cas ? ", oclmm_order_failure_##F" : "");
		define(text, calls[i].kind, body);
	}
}

static void define_scopes(struct oclmm_text *text, const struct oclmm_mutation *change)
{
	int narrowest = change->to_sub_group ? OCLMM_SCOPE_SUB_GROUP : OCLMM_SCOPE_WORK_GROUP;

	for (int i = OCLMM_SCOPE_WORK_ITEM; i < OCLMM_SCOPE_COUNT; i++)
		oclmm_text_printf(text, "#define oclmm_scope_%s %s\n",
		                  oclmm_scope_spelling((enum oclmm_scope)i),
		                  oclmm_scope_spelling(
					  (enum oclmm_scope)(i < narrowest ? i : narrowest)));
}

static void write_narrower(struct oclmm_text *text, const struct oclmm_mutation *change)
{
	char body[256];

	define_scopes(text, change);
	for (size_t i = 0; i < OCLMM_COUNT(calls); i++) {
		snprintf(body, sizeof(body), "FN##_explicit(%s, O%s, oclmm_scope_##S)",
		         calls[i].arguments, calls[i].function == OCLMM_FUNCTION_CAS ? ", F" : "");
		define(text, calls[i].kind, body);
	}
	oclmm_text_add(text, "#define oclmm_wrong_fence(CALL, FLAGS, O, S) (oclmm_when(0, 0) ? "
	                     "atomic_work_item_fence(FLAGS, O, oclmm_scope_##S) : CALL)\n");
}

/* Fences that are left out, or weaker, where the launch decides. */
static void write_fences(struct oclmm_text *text, const struct oclmm_mutation *change)
{
	bool dropped = change->what == OCLMM_WHAT_FENCE_DROPPED ||
	               change->what == OCLMM_WHAT_MEM_FENCE_DROPPED;

	for (int i = OCLMM_ORDER_RELAXED; !dropped && i < OCLMM_ORDER_COUNT; i++)
		oclmm_text_printf(text, "#define oclmm_order_fence_%s %s\n",
		                  oclmm_order_spelling((enum oclmm_order)i),
		                  oclmm_order_spelling(
					  oclmm_weaker_order(change->what, OCLMM_FUNCTION_FENCE,
		                                             false, (enum oclmm_order)i)));
	oclmm_text_printf(text,
	                  "#define oclmm_wrong_fence(CALL, FLAGS, O, S) (oclmm_when(0, 0) ? %s : "
	                  "CALL)\n",
	                  dropped ? "(void)0"
	                          : "atomic_work_item_fence(FLAGS, oclmm_order_fence_##O, S)");
}

/* An update that leaves what it finds, as a relaxed load. */
static void write_loads(struct oclmm_text *text, const struct oclmm_mutation *change)
{
	if (change->what == OCLMM_WHAT_ZERO_LOAD)
		oclmm_text_add(text, "#define oclmm_nothing_add 0\n#define oclmm_nothing_sub 0\n"
		                     "#define oclmm_nothing_or 0\n#define oclmm_nothing_xor 0\n"
		                     "#define oclmm_nothing_and -1\n");
	if (change->what == OCLMM_WHAT_ZERO_LOAD)
		define(text, "update",
		       "((V) == oclmm_nothing_##OP ? atomic_load_explicit(P, "
		       "memory_order_relaxed, S) "
		       ": CALL)");
	else
		define(text, "cas",
		       "((V) == *(E) ? ({ __typeof__(&*(E)) oclmm_e = (E); "
		       "__typeof__(*oclmm_e + 0) "
		       "oclmm_was = *oclmm_e; *oclmm_e = atomic_load_explicit(P, "
		       "memory_order_relaxed, S); oclmm_was == *oclmm_e; }) : CALL)");
}

/* ---- what operations compute ---------------------------------------------- */

/* The bits that are compared, stored or added by themselves; NULL for all. */
static const char *part(enum oclmm_what what)
{
	switch (what) {
	case OCLMM_WHAT_STORES_BYTE:
	case OCLMM_WHAT_COMPARES_BYTE:
	case OCLMM_WHAT_NO_CARRY_8: return "0xfful";
	case OCLMM_WHAT_NO_CARRY_16: return "0xfffful";
	case OCLMM_WHAT_NO_CARRY_32: return "0xfffffffful";
	case OCLMM_WHAT_STORES_LOW:
	case OCLMM_WHAT_COMPARES_LOW: return LOW;
	case OCLMM_WHAT_STORES_HIGH:
	case OCLMM_WHAT_COMPARES_HIGH: return HIGH;
	case OCLMM_WHAT_STORES_NO_TOP:
	case OCLMM_WHAT_COMPARES_NO_TOP: return LESS;
	default: return NULL;
	}
}

static bool compares(enum oclmm_what what)
{
	return what >= OCLMM_WHAT_COMPARES_BYTE && what <= OCLMM_WHAT_COMPARES_NO_TOP;
}

/* Something else is stored than the value that was computed. */
static bool changes_stored(enum oclmm_what what)
{
	return what >= OCLMM_WHAT_STORES_BYTE && what <= OCLMM_WHAT_ZERO_KEPT;
}

/* What operations make of oclmm_old and oclmm_v, without a sign where that would overflow. */
static const char values[] = "#define oclmm_value_exchange oclmm_v\n"
			     "#define oclmm_value_add (ulong)oclmm_old + (ulong)oclmm_v\n"
			     "#define oclmm_value_sub (ulong)oclmm_old - (ulong)oclmm_v\n"
			     "#define oclmm_value_or oclmm_old | oclmm_v\n"
			     "#define oclmm_value_xor oclmm_old ^ oclmm_v\n"
			     "#define oclmm_value_and oclmm_old & oclmm_v\n"
			     "#define oclmm_value_min oclmm_v < oclmm_old ? oclmm_v : oclmm_old\n"
			     "#define oclmm_value_max oclmm_old < oclmm_v ? oclmm_v : oclmm_old\n";

/* A value as it is compared: part of it, or with its sign bit the other way round. */
static void write_extremes(struct oclmm_text *text, enum oclmm_what what)
{
	oclmm_text_add(text, "#define oclmm_key(a) ");
	if (what == OCLMM_WHAT_COMPARES_HIGH)
		oclmm_text_add(text, "((__typeof__(oclmm_old))((ulong)a & " HIGH "))\n");
	else if (what == OCLMM_WHAT_OTHER_SIGN)
		oclmm_text_add(text, "(((ulong)a & " ALL
		                     ") ^ ((__typeof__(oclmm_old))-1 < 0 ? 0ul : 1ul << "
		                     "(8 * sizeof(oclmm_old) - 1)))\n");
	else
		oclmm_text_printf(text, "((ulong)a & %s)\n", part(what));
	oclmm_text_add(text,
	               "#define oclmm_extreme_min oclmm_key(oclmm_v) < oclmm_key(oclmm_old) ? "
	               "oclmm_v : oclmm_old\n"
	               "#define oclmm_extreme_max oclmm_key(oclmm_old) < oclmm_key(oclmm_v) ? "
	               "oclmm_v : oclmm_old\n");
}

static void write_carries(struct oclmm_text *text, enum oclmm_what what)
{
	static const struct {
		const char *name;
		char sign;
	} operators[] = {{"add", '+'}, {"sub", '-'}};
	const char *bits = part(what);

	for (size_t i = 0; i < OCLMM_COUNT(operators); i++)
		oclmm_text_printf(text,
		                  "#define oclmm_carry_%s ((((ulong)oclmm_old & ~%s) %c "
		                  "((ulong)oclmm_v & ~%s)) & ~%s) | (((ulong)oclmm_old %c "
		                  "(ulong)oclmm_v) & %s)\n",
		                  operators[i].name, bits, operators[i].sign, bits, bits,
		                  operators[i].sign, bits);
}

/* Changes what was passed, behind the declarations. */
static const char *changed_operand(enum oclmm_what what)
{
	switch (what) {
	case OCLMM_WHAT_OPERAND_8: return "oclmm_v = (ulong)oclmm_v & 0xfful; ";
	case OCLMM_WHAT_OPERAND_16: return "oclmm_v = (ulong)oclmm_v & 0xfffful; ";
	case OCLMM_WHAT_OPERAND_32: return "oclmm_v = (ulong)oclmm_v & 0xfffffffful; ";
	case OCLMM_WHAT_OPERAND_NO_TOP: return "oclmm_v = (ulong)oclmm_v & " LESS "; ";
	case OCLMM_WHAT_OPERAND_SIGN_8: return "oclmm_v = (long)(char)oclmm_v; ";
	case OCLMM_WHAT_OPERAND_SIGN_16: return "oclmm_v = (long)(short)oclmm_v; ";
	case OCLMM_WHAT_OPERAND_SIGN_32: return "oclmm_v = (long)(int)oclmm_v; ";
	case OCLMM_WHAT_OPERAND_ONE_MORE: return "oclmm_v = (ulong)oclmm_v + 1ul; ";
	case OCLMM_WHAT_OPERAND_NEGATED: return "oclmm_v = 0ul - (ulong)oclmm_v; ";
	case OCLMM_WHAT_OPERAND_INVERTED: return "oclmm_v = ~(ulong)oclmm_v; ";
	case OCLMM_WHAT_EXPECTS_16: return "oclmm_was = (ulong)oclmm_was & 0xfffful; ";
	case OCLMM_WHAT_EXPECTS_ONE_MORE: return "oclmm_was = (ulong)oclmm_was + 1ul; ";
	case OCLMM_WHAT_SWAPPED:
		return "oclmm_new = oclmm_v; oclmm_v = oclmm_was; oclmm_was = oclmm_new; ";
	default: return "";
	}
}

/* `oclmm_stored(a)`: what is stored in place of a value. */
static void write_stored(struct oclmm_text *text, enum oclmm_what what)
{
	oclmm_text_add(text, "#define oclmm_stored(a) ");
	if (what == OCLMM_WHAT_STORES_NARROW)
		oclmm_text_add(text, "(__typeof__(oclmm_old))((ulong)(a) & " LOW ")\n");
	else if (what == OCLMM_WHAT_STORES_NARROW_SIGN)
		oclmm_text_add(text, "(__typeof__(oclmm_old))(sizeof(oclmm_old) == 8 ? "
		                     "(long)(int)(a) : (long)(short)(a))\n");
	else if (what == OCLMM_WHAT_ZERO_KEPT)
		oclmm_text_add(text,
		               "({ oclmm_new = a; oclmm_new == 0 ? oclmm_old : oclmm_new; })\n");
	else if (changes_stored(what))
		oclmm_text_printf(
			text,
			"(__typeof__(oclmm_old))(((ulong)oclmm_old & ~%s) | ((ulong)(a) & "
			"%s))\n",
			part(what), part(what));
	else
		oclmm_text_add(text, "a\n");
}

/* What an update or a store makes of oclmm_old and oclmm_v. */
static const char *wrong_value(enum oclmm_what what)
{
	static const char *const others[] = {"oclmm_value_exchange", "oclmm_value_add",
	                                     "oclmm_value_sub",      "oclmm_value_or",
	                                     "oclmm_value_xor",      "oclmm_value_and",
	                                     "oclmm_value_min",      "oclmm_value_max"};

	if (what >= OCLMM_WHAT_AS_EXCHANGE && what <= OCLMM_WHAT_AS_MAX)
		return others[what - OCLMM_WHAT_AS_EXCHANGE];
	if (compares(what) || what == OCLMM_WHAT_OTHER_SIGN)
		return "oclmm_extreme_##OP";
	if (changes_stored(what))
		return "oclmm_stored(oclmm_value_##OP)";
	switch (what) {
	case OCLMM_WHAT_NOTHING_STORED: return "oclmm_old";
	case OCLMM_WHAT_REVERSED: return "(ulong)oclmm_v - (ulong)oclmm_old";
	case OCLMM_WHAT_AS_INC:
		return "(ulong)oclmm_old >= (ulong)oclmm_v ? 0 : (ulong)oclmm_old + 1";
	case OCLMM_WHAT_AS_DEC:
		return "oclmm_old == 0 || (ulong)oclmm_old > (ulong)oclmm_v ? oclmm_v : "
		       "(ulong)oclmm_old - 1";
	case OCLMM_WHAT_SATURATES: return "OP##_sat(oclmm_old, oclmm_v)";
	case OCLMM_WHAT_NO_CARRY_8:
	case OCLMM_WHAT_NO_CARRY_16:
	case OCLMM_WHAT_NO_CARRY_32: return "oclmm_carry_##OP";
	default: return "oclmm_value_##OP";
	}
}

/* Whether a compare-exchange finds what it expects. */
static void write_found(struct oclmm_text *text, enum oclmm_what what)
{
	if (compares(what))
		oclmm_text_printf(text, "(((ulong)oclmm_old ^ (ulong)oclmm_was) & %s) == 0",
		                  part(what));
	else
		oclmm_text_add(text, what == OCLMM_WHAT_FAILS      ? "0"
		                     : what == OCLMM_WHAT_SUCCEEDS ? "1"
		                                                   : "oclmm_old == oclmm_was");
}

/* The end of a loop: stores oclmm_new where there still is oclmm_old, or tries again. */
static void write_exchange(struct oclmm_text *text, const struct oclmm_mutation *change,
                           bool legacy)
{
	char again[48] = "";

	if (change->what == OCLMM_WHAT_NO_RETRY && change->number == 1)
		snprintf(again, sizeof(again), " && false");
	else if (change->what == OCLMM_WHAT_NO_RETRY)
		snprintf(again, sizeof(again), " && ++oclmm_tries < %lluu",
		         (unsigned long long)change->number);
	if (legacy)
		oclmm_text_printf(text,
		                  "; oclmm_seen = oclmm_old; oclmm_old = FN##_cmpxchg(oclmm_p, "
		                  "oclmm_seen, oclmm_new); } while (oclmm_old != oclmm_seen%s); ",
		                  again);
	else
		oclmm_text_printf(text,
		                  "; } while (!atomic_compare_exchange_strong_explicit(oclmm_p, "
		                  "&oclmm_old, oclmm_new, O, memory_order_relaxed, S)%s); ",
		                  again);
}

static const char *result(enum oclmm_what what)
{
	switch (what) {
	case OCLMM_WHAT_RETURNS_LOW: return "(__typeof__(oclmm_old))((ulong)oclmm_old & " LOW ")";
	case OCLMM_WHAT_RETURNS_NO_TOP:
		return "(__typeof__(oclmm_old))((ulong)oclmm_old & " LESS ")";
	case OCLMM_WHAT_RETURNS_NEW: return "oclmm_new";
	case OCLMM_WHAT_RETURNS_OPERAND: return "oclmm_v";
	case OCLMM_WHAT_RESULT_EARLY: return "oclmm_first";
	default: return "oclmm_old";
	}
}

static void open_loop(struct oclmm_text *text, const char *kind, bool legacy)
{
	oclmm_text_printf(text, "#define oclmm_wrong_%s" PARAMETERS "({ %s", kind,
	                  legacy ? by_volatile.opening : OBJECT);
}

static const char *found(bool legacy)
{
	return legacy ? "*oclmm_m" : FOUND;
}

/*
 * A compare-exchange in a loop, indivisible as the call was and of the same order and scope, which
 * stores and gives something else.
 */
static void wrong_update(struct oclmm_text *text, const struct oclmm_mutation *change,
                         const char *kind)
{
	bool legacy = strcmp(kind, "legacy") == 0, store = strcmp(kind, "store") == 0;

	open_loop(text, kind, legacy);
	oclmm_text_printf(text, "T oclmm_old = %s, oclmm_new%s, oclmm_v = (V)%s; %s", found(legacy),
	                  change->what == OCLMM_WHAT_RESULT_EARLY ? ", oclmm_first = oclmm_old"
	                                                          : "",
	                  legacy ? ", oclmm_seen" : "", changed_operand(change->what));
	if (change->what == OCLMM_WHAT_NO_RETRY && change->number > 1)
		oclmm_text_add(text, "uint oclmm_tries = 0; ");
	oclmm_text_printf(text, "do { oclmm_new = %s", wrong_value(change->what));
	write_exchange(text, change, legacy);
	oclmm_text_printf(text, "%s; })\n", store ? "(void)0" : result(change->what));
}

/* What a compare-exchange stores, where it stores. */
static void wrong_cas(struct oclmm_text *text, const struct oclmm_mutation *change, bool legacy)
{
	enum oclmm_what what = change->what;
	bool writes = what == OCLMM_WHAT_FAILURE_WRITES;

	open_loop(text, legacy ? "legacy_cas" : "cas", legacy);
	oclmm_text_printf(text,
	                  "%sT oclmm_old = %s, oclmm_new, oclmm_was = %s, oclmm_v = (V)%s; int "
	                  "oclmm_found; %sdo { oclmm_found = ",
	                  legacy ? "" : "__typeof__(&*(E)) oclmm_e = (E); ", found(legacy),
	                  legacy ? "(E)" : "*oclmm_e", legacy ? ", oclmm_seen" : "",
	                  changed_operand(what));
	write_found(text, what);
	oclmm_text_printf(text, "; oclmm_new = %s%s%s", writes ? "" : "oclmm_found ? ",
	                  what == OCLMM_WHAT_NOTHING_STORED ? "oclmm_old" : "oclmm_stored(oclmm_v)",
	                  writes ? "" : " : oclmm_old");
	write_exchange(text, change, legacy);
	if (legacy)
		oclmm_text_printf(text, "%s; })\n",
		                  what == OCLMM_WHAT_SUCCEEDS || what == OCLMM_WHAT_SAYS_SUCCESS
		                          ? "oclmm_was"
		                          : result(what));
	else
		oclmm_text_add(
			text,
			what == OCLMM_WHAT_EXPECTED_KEPT ? "oclmm_found; })\n"
			: what == OCLMM_WHAT_EXPECTED_STORED
				? "*oclmm_e = oclmm_found ? oclmm_v : oclmm_old; oclmm_found; })\n"
			: what == OCLMM_WHAT_SAYS_SUCCESS ? "1; })\n"
			: what == OCLMM_WHAT_SAYS_FAILURE
				? "*oclmm_e = oclmm_old; 0; })\n"
				: "if (!oclmm_found) *oclmm_e = oclmm_old; oclmm_found; })\n");
}

/* Flags have no value that could be compared: setting is undone, clearing left out. */
static void wrong_flags(struct oclmm_text *text, enum oclmm_what what)
{
	if (what == OCLMM_WHAT_RETURNS_NEW)
		define(text, "flag_set", "((void)CALL, 1)");
	else
		define(text, "flag_set",
		       "({ bool oclmm_old = CALL; if (!oclmm_old) atomic_flag_clear_explicit(P, "
		       "memory_order_relaxed, S); oclmm_old; })");
	define(text, "flag_clear", "((void)(P))");
}

static void write_mistake(struct oclmm_text *text, const struct oclmm_mutation *change)
{
	enum oclmm_what what = change->what;
	char body[256];

	oclmm_text_add(text, values);
	if (compares(what) || what == OCLMM_WHAT_OTHER_SIGN)
		write_extremes(text, what);
	if (what >= OCLMM_WHAT_NO_CARRY_8 && what <= OCLMM_WHAT_NO_CARRY_32)
		write_carries(text, what);
	write_stored(text, what);
	wrong_update(text, change, "update");
	wrong_update(text, change, "store");
	wrong_update(text, change, "legacy");
	wrong_cas(text, change, false);
	wrong_cas(text, change, true);
	wrong_flags(text, what);
	snprintf(body, sizeof(body), "({ T oclmm_old = CALL; %s; })", result(what));
	define(text, "load", body);
}

/* ---- where and how memory is reached ---------------------------------------- */

static void write_torn(struct oclmm_text *text, const struct oclmm_mutation *change)
{
	int bits = (int)change->number, bytes = bits / 8;
	const char *word = bits == 8 ? "uchar" : bits == 16 ? "ushort" : "uint";

	for (int store = 0; store < 2; store++)
		oclmm_text_printf(
			text,
			"#define oclmm_wrong_%s" PARAMETERS "({ " OBJECT
			"union { T value; %s part[sizeof(T) / %d]; } oclmm_u; volatile SPACE %s "
			"*oclmm_h = (volatile SPACE %s *)oclmm_p; %sfor (int oclmm_i = 0; "
			"oclmm_i < "
			"(int)sizeof(oclmm_u.value) / %d; oclmm_i++) %s; %s; })\n",
			store ? "store" : "load", word, bytes, word, word,
			store ? "oclmm_u.value = (V); " : "", bytes,
			store ? "oclmm_h[oclmm_i] = oclmm_u.part[oclmm_i]"
			      : "oclmm_u.part[oclmm_i] = oclmm_h[oclmm_i]",
			store ? "(void)0" : "oclmm_u.value");
}

/* The other half as it was before, which may be another object. */
static const char neighbour[] =
	"({ " OBJECT "T oclmm_v = (V); volatile SPACE uint *oclmm_h = (volatile SPACE uint "
	"*)((size_t)oclmm_p & ~(size_t)7); bool oclmm_i = ((size_t)oclmm_p & 4) != 0; "
	"uint oclmm_n = "
	"oclmm_h[!oclmm_i]; oclmm_h[oclmm_i] = (uint)oclmm_v; oclmm_h[!oclmm_i] = "
	"oclmm_n; (void)0; "
	"})";

/* What lies beside the object in its word as it was before. */
static const char word[] =
	"#define oclmm_wrong_write(CALL, T, SPACE, P, V) { __typeof__(&*(P)) oclmm_p = "
	"(P); volatile "
	"SPACE uint *oclmm_w = (volatile SPACE uint *)((size_t)oclmm_p & ~(size_t)3); "
	"uint oclmm_s = "
	"(uint)((size_t)oclmm_p & 3) * 8; uint oclmm_m = (sizeof(*oclmm_p) == 1 ? 0xffu : "
	"0xffffu) << "
	"oclmm_s; *oclmm_w = (*oclmm_w & ~oclmm_m) | ((uint)(V) << oclmm_s & oclmm_m); }\n";

/* The address without its lowest bit that counts. */
static void write_element(struct oclmm_text *text)
{
#define BEFORE "(__typeof__(&*(P)))((size_t)(P) & ~(size_t)4)"
	define(text, "load", "FN##_explicit(" BEFORE ", O, S)");
	define(text, "store", "FN##_explicit(" BEFORE ", V, O, S)");
	define(text, "update", "FN##_explicit(" BEFORE ", V, O, S)");
	define(text, "cas", "FN##_explicit(" BEFORE ", E, V, O, F, S)");
	define(text, "flag_set", "FN##_explicit(" BEFORE ", O, S)");
	define(text, "flag_clear", "FN##_explicit(" BEFORE ", O, S)");
#undef BEFORE
}

/* Each NaN is the same one. */
#define QUIET "({ T oclmm_v = CALL; oclmm_v != oclmm_v ? (T)NAN : oclmm_v; })"

/* A subnormal number is the zero of its sign. */
#define FLUSHED                                                                                    \
	"({ T oclmm_v = CALL; isnormal(oclmm_v) || !isfinite(oclmm_v) ? oclmm_v : "                \
	"copysign((T)0, oclmm_v); })"

/* As == has it: 0.0 is -0.0, and a NaN is nothing, not even itself. */
static const char by_value[] =
	"({ " OBJECT "T oclmm_old = " FOUND "; __typeof__(E) oclmm_e = (E); bool oclmm_none = "
	"oclmm_old != oclmm_old; if (oclmm_old == *oclmm_e || oclmm_none) *oclmm_e = oclmm_old; "
	"!oclmm_none && FN##_explicit(oclmm_p, oclmm_e, V, O, F, S); })";

/* Floating-point objects by their bits, as integers; of a half there is no compare-exchange. */
static void write_float_bits(struct oclmm_text *text)
{
	oclmm_text_add(text,
	               "#define oclmm_integer_float int\n#define oclmm_as_float as_int\n"
	               "#define oclmm_integer_double long\n#define oclmm_as_double as_long\n"
	               "#define oclmm_integer_half short\n#define oclmm_as_half as_short\n"
	               "#define oclmm_stores_float(P, A, B, O, S) "
	               "!atomic_compare_exchange_strong_explicit(P, A, B, O, "
	               "memory_order_relaxed, S)\n"
	               "#define oclmm_stores_double oclmm_stores_float\n"
	               "#define oclmm_stores_half(P, A, B, O, S) (atomic_store_explicit(P, B, "
	               "memory_order_relaxed, S), false)\n"
	               "#define oclmm_bits_add oclmm_a + oclmm_b\n"
	               "#define oclmm_bits_sub oclmm_a - oclmm_b\n"
	               "#define oclmm_bits_min oclmm_b < oclmm_a ? oclmm_b : oclmm_a\n"
	               "#define oclmm_bits_max oclmm_a < oclmm_b ? oclmm_b : oclmm_a\n");
	define(text, "update",
	       "({ " OBJECT "T oclmm_old = " FOUND ", oclmm_new, oclmm_v = (V); oclmm_integer_##T "
	       "oclmm_a, oclmm_b = oclmm_as_##T(oclmm_v); do { oclmm_a = oclmm_as_##T(oclmm_old); "
	       "oclmm_new = as_##T((oclmm_integer_##T)(oclmm_bits_##OP)); } while "
	       "(oclmm_stores_##T(oclmm_p, &oclmm_old, oclmm_new, O, S)); oclmm_old; })");
}

/* ---- what devices have or lack, and where a work-item is ------------------- */

/* The first two dimensions change places. */
static void write_swapped(struct oclmm_text *text, const char *function)
{
	oclmm_text_printf(text, "#define %s(d) %s((d) < 2 ? 1 - (d) : (d))\n", function, function);
}

static void write_collectives(struct oclmm_text *text)
{
	static const char *const functions[] = {
		"work_group_any",        "work_group_all",
		"work_group_reduce_min", "work_group_reduce_max",
		"sub_group_any",         "sub_group_all",
		"sub_group_reduce_min",  "sub_group_reduce_max",
		"work_group_reduce_add", "work_group_scan_inclusive_add",
	};

	for (size_t i = 0; i < OCLMM_COUNT(functions); i++)
		oclmm_text_printf(text, "#define %s(...) (__VA_ARGS__)\n", functions[i]);
}

static bool is_mistake(enum oclmm_what what)
{
	return oclmm_what_is_mistake(what) || what == OCLMM_WHAT_NO_RETRY ||
	       what == OCLMM_WHAT_RESULT_EARLY;
}

/* Calls of the kernels' own, as oclmm_change_own() has them. */
static const char own[] =
	"#define oclmm_own_barrier(FLAGS) oclmm_wrong_barrier(barrier(FLAGS))\n"
	"#define oclmm_own_inc_local(P) oclmm_wrong_legacy(atomic_inc(P), uint, local, "
	"atomic, add, P, "
	"0, 1, 0, 0, 0, 0, 0)\n"
	"#define oclmm_own_inc(P) oclmm_wrong_legacy(atomic_inc(P), uint, global, atomic, "
	"add, P, 0, 1, "
	"0, 0, 0, 0, 0)\n"
	"#define oclmm_own_add_local(P, V) oclmm_wrong_legacy(atomic_add(P, V), uint, "
	"local, atomic, "
	"add, P, 0, V, 0, 0, 0, 0, 0)\n"
	"#define oclmm_own_add(P, V) oclmm_wrong_legacy(atomic_add(P, V), uint, global, "
	"atomic, add, P, "
	"0, V, 0, 0, 0, 0, 0)\n";

/* What a call is where the change acts, whatever the launch. */
static void write_macros(const struct oclmm_mutation *change, struct oclmm_text *text)
{
	bool guarded = change->where >= OCLMM_WHERE_FIRST_GUARD;

	if (is_mistake(change->what)) {
		write_mistake(text, change);
		return;
	}
	switch (change->what) {
	case OCLMM_WHAT_RELAXED:
		/* else the orders themselves are others */
		if (guarded)
			write_relaxed(text);
		break;
	case OCLMM_WHAT_NO_TOTAL_ORDER:
	case OCLMM_WHAT_NO_ACQUIRE:
	case OCLMM_WHAT_NO_RELEASE:
	case OCLMM_WHAT_RMW_RELAXED:
	case OCLMM_WHAT_FAILURE_RELAXED:
		if (guarded)
			write_weaker(text, change);
		break;
	case OCLMM_WHAT_SCOPE:
		if (guarded)
			write_narrower(text, change);
		break;
	case OCLMM_WHAT_FENCE_DROPPED:
	case OCLMM_WHAT_MEM_FENCE_DROPPED:
	case OCLMM_WHAT_FENCE_WEAKENED:
	case OCLMM_WHAT_FENCE_TO_ACQUIRE:
	case OCLMM_WHAT_FENCE_TO_RELEASE:
		if (guarded)
			write_fences(text, change);
		break;
	case OCLMM_WHAT_SPLIT:
	case OCLMM_WHAT_SPLIT_FETCH:
	case OCLMM_WHAT_SPLIT_CAS:
	case OCLMM_WHAT_SPLIT_LEGACY: write_split(text); break;
	case OCLMM_WHAT_LOAD_ONCE: define(text, "load", "((E) == 0u ? (CALL) : (V))"); break;
	case OCLMM_WHAT_PLAIN:
	case OCLMM_WHAT_PLAIN_ACCESS: write_plain(text); break;
	case OCLMM_WHAT_LOST:
	case OCLMM_WHAT_TWICE: write_lost(text, change, change->what == OCLMM_WHAT_TWICE); break;
	case OCLMM_WHAT_COUNT_LOST:
		define(text, "legacy", "(oclmm_when(P, V) ? *(P) : CALL)");
		break;
	case OCLMM_WHAT_ZERO_LOAD:
	case OCLMM_WHAT_SAME_LOAD: write_loads(text, change); break;
	case OCLMM_WHAT_STORE_FOR_EXCHANGE:
		define(text, "legacy", "*(volatile __typeof__(*(P)) *)(P) = (V)");
		break;
	case OCLMM_WHAT_EXPECTED_LATE:
		define(text, "cas",
		       "({ " OBJECT "__typeof__(&*(E)) oclmm_e = (E); int oclmm_done = "
		       "FN##_explicit(oclmm_p, oclmm_e, V, O, F, S); if (!oclmm_done) *oclmm_e = "
		       "atomic_load_explicit(oclmm_p, LO, S); oclmm_done; })");
		break;
	case OCLMM_WHAT_BARRIER_DROPPED:
		oclmm_text_add(text,
		               "#define oclmm_wrong_barrier(CALL) (oclmm_when(0, 0) ? (void)0 : "
		               "CALL)\n");
		break;
	case OCLMM_WHAT_BARRIER_NO_FLAGS:
		oclmm_text_add(text, "#define oclmm_wrong_barrier(CALL) barrier(0)\n");
		break;
	case OCLMM_WHAT_BARRIER_SWAPPED:
		oclmm_text_add(text,
		               "#define oclmm_wrong_barrier(CALL) barrier(CLK_GLOBAL_MEM_FENCE)\n");
		break;
	case OCLMM_WHAT_TORN: write_torn(text, change); break;
	case OCLMM_WHAT_NEIGHBOUR: define(text, "store", neighbour); break;
	case OCLMM_WHAT_WORD: oclmm_text_add(text, word); break;
	case OCLMM_WHAT_ELEMENT: write_element(text); break;
	case OCLMM_WHAT_INIT_LOST: define(text, "init", "((void)(P))"); break;
	case OCLMM_WHAT_INIT_NARROW:
		define(text, "init",
		       "atomic_init(P, (V) & (sizeof(*(P)) == 8 ? 0xffffffffu : 0xffffu))");
		break;
	case OCLMM_WHAT_FLOAT_BITS: write_float_bits(text); break;
	case OCLMM_WHAT_FLOAT_ZERO:
		define(text, "store", "FN##_explicit(P, (V) + 0, O, S)");
		define(text, "update", "FN##_explicit(P, (V) + 0, O, S)");
		break;
	case OCLMM_WHAT_FLOAT_PAYLOAD:
		define(text, "load", QUIET);
		define(text, "update", QUIET);
		break;
	case OCLMM_WHAT_FLOAT_SUBNORMAL:
		define(text, "load", FLUSHED);
		define(text, "update", FLUSHED);
		break;
	case OCLMM_WHAT_FLOAT_EQUAL: define(text, "cas", by_value); break;
	case OCLMM_WHAT_COPY_UNAWAITED:
		oclmm_text_add(text, "#define wait_group_events(n, e) (void)(n, e)\n");
		break;
	case OCLMM_WHAT_IMAGE_STALE:
		/* not by the function itself: a compiler may have made a macro of its name */
		oclmm_text_add(text, "#define read_imagei(...) ((int4)(0))\n");
		break;
	case OCLMM_WHAT_COLLECTIVE_ALONE: write_collectives(text); break;
	case OCLMM_WHAT_LOCAL_IDS: write_swapped(text, "get_local_id"); break;
	case OCLMM_WHAT_GROUP_IDS: write_swapped(text, "get_group_id"); break;
	case OCLMM_WHAT_SIZES: write_swapped(text, "get_num_groups"); break;
	case OCLMM_WHAT_GLOBAL_IDS: write_swapped(text, "get_global_id"); break;
	default: break;
	}
}

/* Each call is what it should be where the change does not act: `(WHEN ? WRONG : CALL)`. */
static void add_guarded(struct oclmm_text *text, const char *macros)
{
	for (const char *line = macros, *end; *line; line = end + 1) {
		const char *body = strstr(line, PARAMETERS);

		end = strchr(line, '\n');
		if (body && body < end) {
			body += strlen(PARAMETERS);
			oclmm_text_add_bytes(text, line, (size_t)(body - line));
			oclmm_text_printf(text, "(oclmm_when(P, V) ? %.*s : CALL)\n",
			                  (int)(end - body), body);
		} else {
			oclmm_text_add_bytes(text, line, (size_t)(end + 1 - line));
		}
	}
}

void oclmm_change_macros(const struct oclmm_mutation *change, struct oclmm_text *text)
{
	bool guarded = change->where >= OCLMM_WHERE_FIRST_GUARD;
	struct oclmm_text macros = {0};

	if (guarded || change->what == OCLMM_WHAT_BARRIER_DROPPED)
		write_when(text, change);
	if (oclmm_change_own(change))
		oclmm_text_add(text, own);
	write_macros(change, &macros);
	/* what is lost of the counting says itself when */
	if (guarded && change->what != OCLMM_WHAT_COUNT_LOST)
		add_guarded(text, oclmm_text_string(&macros));
	else
		oclmm_text_add(text, oclmm_text_string(&macros));
	oclmm_text_finish(&macros);
}
