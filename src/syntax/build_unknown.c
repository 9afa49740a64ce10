// SPDX-License-Identifier: Apache-2.0
/* Words that stand for nothing: what was meant, or what to write in their place. */
#include "build.h"

#include <stdio.h>
#include <string.h>

int build_unknown(const struct builder *builder, const struct syntax_token *at, const char *before,
                  const char *after, const char *const *words, size_t count)
{
	const char *nearest = oclmm_nearest(at->text, words, count);
	char note[160];

	snprintf(note, sizeof(note), "did you mean `%s`?", nearest ? nearest : "");
	return REFUSE(builder, at, nearest ? note : NULL, "%s`%.60s`%s", before, at->text, after);
}

/* By the beginning of its name, the first row that fits. */
static const struct {
	const char *beginning, *note;
} foreign[] = {
	{"get_local_", "a work-item has no numbers: `P0@wg 0, dev 0` places it; write a constant"},
	{"get_group_", "a work-item has no numbers: `P0@wg 0, dev 0` places it; write a constant"},
	{"get_", "each Pn is one work-item: write a constant for its number"},
	{"convert_float", "nothing but a constant is converted to floating point: write `2.0f`"},
	{"convert_", "write a cast, `(char)r0`, which keeps the lowest bits"},
	{"as_float", "the bits of an integer are no floating-point number here"},
	{"as_half", "the bits of an integer are no floating-point number here"},
	{"as_double", "the bits of an integer are no floating-point number here"},
	{"as_", "write a cast, `(uint)r0`, which keeps the bits"},
	{"vload", "there are no vectors: write an access for each element"},
	{"vstore", "there are no vectors: write an access for each element"},
	{"atomic_fetch_inc", "write `atomic_fetch_add(x, 1)`"},
	{"atomic_fetch_dec", "write `atomic_fetch_sub(x, 1)`"},
	{"atomic_thread_fence", "write `atomic_work_item_fence(flags, order, scope)`"},
	{"atomic_add_explicit", "write `atomic_fetch_add_explicit(x, v, order, scope)`"},
	{"atomic_sub_explicit", "write `atomic_fetch_sub_explicit(x, v, order, scope)`"},
	{"atomic_xchg_explicit", "write `atomic_exchange_explicit(x, v, order, scope)`"},
	{"atomic_cmpxchg_explicit",
         "write `atomic_compare_exchange_strong_explicit(x, &e, v, order, order, scope)`"},
	/* of CUDA they reach the device, as those of OpenCL 1.x need not */
	{"atomicAdd",
         "write `atomic_fetch_add_explicit(x, v, memory_order_relaxed, memory_scope_device)`"},
	{"atomicExch",
         "write `atomic_exchange_explicit(x, v, memory_order_relaxed, memory_scope_device)`"},
	{"atomicCAS",
         "write `atomic_compare_exchange_strong_explicit(x, &e, v, memory_order_relaxed, "
         "memory_order_relaxed, memory_scope_device)`"},
	{"__threadfence_block",
         "write `atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, "
         "memory_order_seq_cst, memory_scope_work_group)`"},
	{"__threadfence_system",
         "write `atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, "
         "memory_scope_all_svm_devices)`"},
	{"__threadfence",
         "write `atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, "
         "memory_scope_device)`"},
	{"printf", "the registers that a condition names are reported"},
	{"prefetch", "leave it out: it changes no value and no order"},
	{"__syncthreads", "write `barrier(CLK_LOCAL_MEM_FENCE)`"},
	{"ATOMIC_", "write the value itself in the init block, `[x] = 0;`"},
	{"assert", "the final condition says what has to hold: `forall (x=1)`"},
	{"sub_group_",
         "sub_group_barrier, _any, _all, _reduce_min and _reduce_max are part of the format"},
	{"work_group_",
         "work_group_barrier, _any, _all, _reduce_min and _reduce_max are part of the format"},
};

/* Functions of OpenCL C on numbers alone. */
static const char of_numbers[] =
	" min max clamp select abs abs_diff add_sat sub_sat mul_hi mul24 mad24 mad_hi mad_sat hadd "
	"rhadd rotate clz ctz popcount upsample ";

static const char *note_of_word(const char *word)
{
	char wanted[64];

	for (size_t i = 0; i < OCLMM_COUNT(foreign); i++) {
		if (strncmp(word, foreign[i].beginning, strlen(foreign[i].beginning)) == 0)
			return foreign[i].note;
	}
	snprintf(wanted, sizeof(wanted), " %.60s ", word);
	return strstr(of_numbers, wanted)
	               ? "write one above the threads, `int least(int a, int b) { ... }`"
	               : NULL;
}

size_t build_function_names(const struct builder *builder, const char **names)
{
	size_t count = build_atomic_names(builder->arena, names);

	count += build_synchronisation_names(names + count);
	count += build_copy_names(names + count);
	count += build_enqueue_names(names + count);
	return count + build_image_names(names + count);
}

int build_unknown_function(const struct builder *builder, const struct syntax_token *at)
{
	const char *note = note_of_word(at->text);
	const char *words[BUILD_FUNCTION_NAMES];
	size_t count;

	if (note)
		return REFUSE(builder, at, note, "unknown function `%.60s`", at->text);
	count = build_function_names(builder, words);
	if (oclmm_nearest(at->text, words, count))
		return build_unknown(builder, at, "unknown function ", "", words, count);
	return REFUSE(
		builder, at,
		"threads call atomic functions, fences, barriers, and functions that stand above "
		"them in the file",
		"unknown function `%.60s`", at->text);
}
