// SPDX-License-Identifier: Apache-2.0
#include "claims.h"

#include <inttypes.h>

static void add_word(struct oclmm_text *text, const char *word, char between, bool *first)
{
	if (!*first)
		oclmm_text_add_bytes(text, &between, 1);
	*first = false;
	oclmm_text_add(text, word);
}

void claims_add_orders(struct oclmm_text *text, unsigned set, char between)
{
	bool first = true;

	for (int order = 0; order < OCLMM_ORDER_COUNT; order++) {
		if (set & 1u << order)
			add_word(text, oclmm_order_short((enum oclmm_order)order), between, &first);
	}
}

void claims_add_scopes(struct oclmm_text *text, unsigned set, char between)
{
	bool first = true;

	for (int scope = 0; scope < OCLMM_SCOPE_COUNT; scope++) {
		if (set & 1u << scope)
			add_word(text, oclmm_scope_short((enum oclmm_scope)scope), between, &first);
	}
}

void claims_add_svm(struct oclmm_text *text, unsigned set, char between)
{
	static const struct {
		cl_device_svm_capabilities bit;
		const char *word;
	} kinds[] = {
		{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, "coarse"},
		{CL_DEVICE_SVM_FINE_GRAIN_BUFFER, "fine"},
		{CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, "system"},
		{CL_DEVICE_SVM_ATOMICS, "atomics"},
	};
	bool first = true;

	for (size_t i = 0; i < OCLMM_COUNT(kinds); i++) {
		if (set & kinds[i].bit)
			add_word(text, kinds[i].word, between, &first);
	}
}

static void add_features(struct oclmm_text *text, const struct oclmm_device_info *info)
{
	const struct {
		bool claimed;
		const char *word;
	} features[] = {
		{info->int64_atomics, "int64-atomics"},
		{info->sub_groups, "sub-groups"},
		{info->generic_address_space, "generic"},
		{info->program_scope > 0, "program-scope"},
		{info->svm_capabilities & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, "svm-coarse"},
		{info->svm_capabilities & CL_DEVICE_SVM_FINE_GRAIN_BUFFER, "svm-fine"},
		{info->svm_capabilities & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, "svm-system"},
		{info->svm_capabilities & CL_DEVICE_SVM_ATOMICS, "svm-atomics"},
	};
	bool first = true;

	for (size_t i = 0; i < OCLMM_COUNT(features); i++) {
		if (features[i].claimed)
			add_word(text, features[i].word, ',', &first);
	}
}

void claims_print(struct oclmm_text *text, const struct oclmm_device_info *info)
{
	oclmm_text_add(text, "orders=");
	claims_add_orders(text, info->orders_claimed, ',');
	oclmm_text_add(text, " scopes=");
	claims_add_scopes(text, info->scopes_claimed, ',');
	oclmm_text_add(text, " fence_orders=");
	claims_add_orders(text, info->fence_orders_claimed, ',');
	oclmm_text_add(text, " features=");
	add_features(text, info);
	oclmm_text_printf(text, " memory=0x%" PRIx64 " fence=0x%" PRIx64 " svm=0x%" PRIx64,
	                  (uint64_t)info->memory_capabilities, (uint64_t)info->fence_capabilities,
	                  (uint64_t)info->svm_capabilities);
}
