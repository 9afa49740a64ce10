// SPDX-License-Identifier: Apache-2.0
/* The words of tests, of the model and of results, and arithmetic. */
#include "calls.h"

#include <stdlib.h>
#include <string.h>

static void call_orders(void)
{
	CHECK_IS(oclmm_order_short(OCLMM_ORDER_SEQ_CST), "sc");
	CHECK_IS(oclmm_order_spelling(OCLMM_ORDER_ACQ_REL), "memory_order_acq_rel");
	CHECK_IS(oclmm_scope_short(OCLMM_SCOPE_WORK_GROUP), "wg");
	CHECK_IS(oclmm_scope_spelling(OCLMM_SCOPE_DEVICE), "memory_scope_device");
	CHECK(oclmm_order_acquires(OCLMM_ORDER_ACQ_REL));
	CHECK(!oclmm_order_releases(OCLMM_ORDER_ACQUIRE));
	CHECK_IS(oclmm_space_spelling(OCLMM_SPACE_LOCAL), "local");
	CHECK_IS(oclmm_storage_word(OCLMM_STORAGE_SVM_ATOMICS), "svm");
	CHECK(oclmm_storage_is_svm(OCLMM_STORAGE_SVM_COARSE));
	CHECK(!oclmm_storage_has_svm_atomics(OCLMM_STORAGE_SVM_COARSE));
	CHECK(oclmm_storage_is_mapped(OCLMM_STORAGE_BUFFER));
	CHECK(oclmm_storage_is_unified_svm(OCLMM_STORAGE_SVM_HOST));
	CHECK(!oclmm_storage_is_unified_svm(OCLMM_STORAGE_SVM_FINE));
	CHECK_IS(oclmm_flags_spelling(OCLMM_FLAG_LOCAL), "CLK_LOCAL_MEM_FENCE");
	CHECK_IS(oclmm_quantifier_word(OCLMM_QUANTIFIER_NOT_EXISTS), "~exists");
}

static void call_lattice(void)
{
	const enum oclmm_order acquire = OCLMM_ORDER_ACQUIRE, release = OCLMM_ORDER_RELEASE;

	CHECK(oclmm_order_leq(acquire, OCLMM_ORDER_ACQ_REL) && !oclmm_order_leq(acquire, release));
	CHECK(oclmm_order_rank(OCLMM_ORDER_SEQ_CST) == 3);
	CHECK(oclmm_orders_of(OCLMM_ORDERED_LOAD)->count == 3);
	CHECK(oclmm_operation_ordered(OCLMM_OP_STORE) == OCLMM_ORDERED_STORE);
	CHECK(!oclmm_order_fits(OCLMM_ORDERED_LOAD, release));
	CHECK(oclmm_order_is_below(OCLMM_ORDERED_LOAD, acquire, OCLMM_ORDER_SEQ_CST));
	CHECK(oclmm_order_part(OCLMM_ORDERED_LOAD, OCLMM_ORDER_ACQ_REL) == acquire);
}

static void call_types(void)
{
	CHECK_IS(oclmm_type_name(OCLMM_TYPE_ULONG), "ulong");
	CHECK_IS(oclmm_type_spelling(OCLMM_TYPE_INT, true), "atomic_int");
	CHECK(oclmm_type_is_stored(OCLMM_TYPE_INT) && !oclmm_type_is_narrow(OCLMM_TYPE_INT));
	CHECK(oclmm_type_bits(OCLMM_TYPE_LONG) == 64 && oclmm_type_is_signed(OCLMM_TYPE_LONG));
	CHECK(oclmm_type_is_floating(OCLMM_TYPE_HALF));
	CHECK(oclmm_type_observed_bits(OCLMM_TYPE_UINT) == 32);
	CHECK(oclmm_type_least(OCLMM_TYPE_INT) == INT32_MIN);
	CHECK(oclmm_type_greatest(OCLMM_TYPE_ULONG) == UINT64_MAX);
	CHECK_IS(oclmm_type_suffix(OCLMM_TYPE_UINT), "u");
	CHECK(oclmm_types_of_width(64) & 1u << OCLMM_TYPE_LONG);
	CHECK_HAS(oclmm_type_extensions(OCLMM_TYPE_LONG), "int64");
}

static void call_operations(void)
{
	struct oclmm_text text = {0};
	enum oclmm_type type = OCLMM_TYPE_INT;
	int64_t value = 0;

	CHECK_IS(oclmm_operation_stem(OCLMM_OP_FETCH_ADD), "atomic_fetch_add");
	CHECK(oclmm_operation_reads(OCLMM_OP_LOAD) && !oclmm_operation_writes(OCLMM_OP_LOAD));
	CHECK(!oclmm_operation_takes_floats(OCLMM_OP_FETCH_AND));
	CHECK(oclmm_operation_is_cas(OCLMM_OP_CAS_WEAK));
	CHECK_IS(oclmm_operator_spelling(OCLMM_OPERATOR_SHL), "<<");
	CHECK(oclmm_operator_is_unary(OCLMM_OPERATOR_NOT));
	CHECK(oclmm_operator_is_truth(OCLMM_OPERATOR_LE));
	CHECK(oclmm_apply_collective(OCLMM_COLLECTIVE_REDUCE_MAX, 3, 5) == 5);
	CHECK(oclmm_collective_neutral(OCLMM_COLLECTIVE_SCAN_EXCLUSIVE_MIN) == INT32_MAX);
	CHECK(oclmm_collective_scans(OCLMM_COLLECTIVE_SCAN_INCLUSIVE_ADD) &&
	      !oclmm_collective_scans(OCLMM_COLLECTIVE_BROADCAST));
	CHECK(oclmm_collective_excludes(OCLMM_COLLECTIVE_SCAN_EXCLUSIVE_ADD) &&
	      !oclmm_collective_excludes(OCLMM_COLLECTIVE_SCAN_INCLUSIVE_ADD));
	CHECK(oclmm_value_wrap(OCLMM_TYPE_UINT, -1) == UINT32_MAX);
	CHECK(oclmm_value_bits(OCLMM_TYPE_HALF, -2) == 0xc000);
	CHECK(oclmm_value_of_bits(OCLMM_TYPE_HALF, 0xc000) == -2);
	CHECK(!oclmm_value_is_whole(OCLMM_TYPE_HALF, 2049));
	CHECK(oclmm_value_convert(OCLMM_TYPE_INT, 3, OCLMM_TYPE_FLOAT, &value) && value == 3);
	CHECK(oclmm_special_read("-0.0f", &type, &value) && type == OCLMM_TYPE_FLOAT);
	CHECK(oclmm_value_read("18446744073709551615", &type, &value) && type == OCLMM_TYPE_ULONG);
	CHECK(!oclmm_value_fits(OCLMM_TYPE_INT, -1, OCLMM_TYPE_UINT));
	oclmm_value_print(&text, OCLMM_TYPE_ULONG, -1);
	CHECK_IS(oclmm_text_string(&text), "18446744073709551615");
	oclmm_text_finish(&text);
	CHECK(oclmm_apply(OCLMM_OPERATOR_MUL, OCLMM_TYPE_INT, 6, 7, &value) ==
	              OCLMM_ARITHMETIC_OK &&
	      value == 42);
	CHECK(oclmm_apply(OCLMM_OPERATOR_DIV, OCLMM_TYPE_INT, 6, 0, &value) ==
	      OCLMM_ARITHMETIC_DIVISION);
	CHECK(oclmm_operation_fetches(OCLMM_OP_FETCH_MIN) &&
	      !oclmm_operation_fetches(OCLMM_OP_EXCHANGE));
	CHECK(oclmm_apply_rmw(OCLMM_OP_FETCH_ADD, OCLMM_TYPE_UINT, UINT32_MAX, 2) == 1);
	CHECK(oclmm_common_type(OCLMM_TYPE_INT, OCLMM_TYPE_LONG) == OCLMM_TYPE_LONG);
	CHECK(oclmm_operand_type(OCLMM_OPERATOR_SHL, OCLMM_TYPE_INT, OCLMM_TYPE_LONG) ==
	      OCLMM_TYPE_INT);
}

static void call_commands(void)
{
	enum oclmm_command_kind kind;

	CHECK_IS(oclmm_command_word(OCLMM_COMMAND_FILL), "fill");
	CHECK(oclmm_command_find("kernel", 6, &kind) && kind == OCLMM_COMMAND_KERNEL);
	CHECK(!oclmm_command_is_queued(OCLMM_COMMAND_HOST));
	CHECK(oclmm_command_is_recorded(
		&(struct oclmm_command){.kind = OCLMM_COMMAND_KERNEL, .recording = 1}));
	CHECK(!oclmm_command_is_recorded(
		&(struct oclmm_command){.kind = OCLMM_COMMAND_REPLAY, .recording = 1}));
	CHECK_IS(oclmm_command_edge_section(OCLMM_COMMAND_EDGE_BLOCKING), "A:3.2.4");
	CHECK_IS(oclmm_enqueue_spelling(OCLMM_ENQUEUE_NO_WAIT), "CLK_ENQUEUE_FLAGS_NO_WAIT");
}

static void call_models(void)
{
	const struct oclmm_reading reading = {.regime = OCLMM_MODEL_OPENCL_2_0};
	struct oclmm_text text = {0};
	enum oclmm_model model;
	enum oclmm_knob knob;

	CHECK_IS(oclmm_model_name(OCLMM_MODEL_CONSENSUS), "consensus");
	CHECK(oclmm_model_find("scoped", 6, &model) && model == OCLMM_MODEL_SCOPED);
	CHECK_HAS(oclmm_model_description(OCLMM_MODEL_OPENCL_2_0), "OpenCL 2.0");
	CHECK(oclmm_model_parse("opencl-3.0", &model) && model == OCLMM_MODEL_OPENCL_2_1);
	CHECK(oclmm_model_of_device("OpenCL 2.0 x") == OCLMM_MODEL_OPENCL_2_0);
	CHECK(oclmm_model_covers(OCLMM_MODEL_CONSENSUS, &reading));
	CHECK_IS(oclmm_knob_name(OCLMM_KNOB_K2), "K2");
	CHECK(oclmm_knob_find("K8", 2, &knob) && knob == OCLMM_KNOB_K8);
	CHECK_HAS(oclmm_knob_question(OCLMM_KNOB_K6), "thin air");
	oclmm_knobs_print(&text, 1u << OCLMM_KNOB_K1 | 1u << OCLMM_KNOB_K3);
	CHECK_IS(oclmm_text_string(&text), "K1 K3");
	oclmm_text_finish(&text);
	CHECK_IS(oclmm_status_word(OCLMM_STATUS_DISPUTED), "disputed");
	CHECK_HAS(oclmm_undefined_word(OCLMM_UNDEFINED_RACE), "race");
	CHECK_HAS(oclmm_undefined_word(OCLMM_UNDEFINED_SEMAPHORE), "semaphore");
	CHECK_HAS(oclmm_undefined_word(OCLMM_UNDEFINED_EXTERNAL), "external");
	CHECK_HAS(oclmm_undefined_word(OCLMM_UNDEFINED_SPLIT_BARRIER), "split barrier");
	CHECK(oclmm_observation_of(true, true, true, true) == OCLMM_OBSERVATION_SOMETIMES);
	CHECK_IS(oclmm_observation_word(OCLMM_OBSERVATION_NEVER), "Never");
	CHECK_IS(oclmm_stated_word(OCLMM_STATED_ALWAYS), "Always");
	CHECK(oclmm_is_test_name("MP+rel+acq") && !oclmm_is_test_name("a/b"));
	CHECK_IS(oclmm_axiom_name(OCLMM_AXIOM_COHERENCE), "coherence");
	CHECK_IS(oclmm_axiom_section(OCLMM_AXIOM_SEQ_CST), "A:3.3.9.1");
	CHECK_IS(oclmm_edge_name(OCLMM_EDGE_RF), "rf");
	CHECK_IS(oclmm_edge_meaning(OCLMM_EDGE_HB), "happens before");
	CHECK_HAS(oclmm_edge_section(OCLMM_EDGE_SW), "A:3.3.9");
	CHECK(oclmm_rule_axiom(OCLMM_RULE_HIDDEN) == OCLMM_AXIOM_VISIBLE);
	CHECK_IS(oclmm_rule_name(OCLMM_RULE_READ_READ), "coherence, read-read");
	CHECK_IS(oclmm_step_word(OCLMM_STEP_HOIST), "hoist");
	CHECK_HAS(oclmm_step_meaning(OCLMM_STEP_DROP), "left out");
}

static void call_verdicts(void)
{
	enum oclmm_requirement requirement;
	enum oclmm_verdict verdict;

	CHECK(oclmm_end_ended(OCLMM_END_HANG) == OCLMM_ENDED_TIMEOUT);
	CHECK_IS(oclmm_end_cause(OCLMM_END_DEVICE_LOST), "device-lost");
	CHECK_IS(oclmm_end_words(OCLMM_END_OUT_OF_MEMORY), "out of memory");
	CHECK_IS(oclmm_ended_word(OCLMM_ENDED_CRASH), "crash");
	CHECK_IS(oclmm_class_word(OCLMM_CLASS_ACCEPTED), "accepted");
	CHECK_IS(oclmm_verdict_word(OCLMM_VERDICT_SKIP), "skip");
	CHECK_IS(oclmm_proof_word(OCLMM_PROOF_RIGHT), "right");
	CHECK(oclmm_verdict_find("lost", 4, &verdict) && verdict == OCLMM_VERDICT_LOST);
	CHECK_HAS(oclmm_verdict_meaning(OCLMM_VERDICT_SKIP), "feature");
	CHECK(oclmm_verdict_is_infrastructure(OCLMM_VERDICT_CRASH));
	CHECK(oclmm_verdict_worse(OCLMM_VERDICT_PASS, OCLMM_VERDICT_FORBIDDEN) ==
	      OCLMM_VERDICT_FORBIDDEN);
	CHECK_IS(oclmm_confidence_word(OCLMM_CONFIDENCE_NEVER_MET), "never-met");
	CHECK_HAS(oclmm_confidence_meaning(OCLMM_CONFIDENCE_NO_CONTROL), "no control");
	CHECK(oclmm_confidence_could_show(OCLMM_CONFIDENCE_TOO_RARE));
	CHECK(!oclmm_confidence_could_show(OCLMM_CONFIDENCE_SELDOM_VALUE));
	CHECK_IS(oclmm_requirement_word(OCLMM_REQUIRE_BOTH), "both");
	CHECK(oclmm_requirement_find("any", 3, &requirement) && requirement == OCLMM_REQUIRE_ANY);
	CHECK_IS(oclmm_control_kind_word(OCLMM_CONTROL_MOVED), "moved");
	CHECK_IS(oclmm_control_kind_speaks_for(OCLMM_CONTROL_WEAKER), "hardware");
	CHECK_IS(oclmm_log_kind(OCLMM_QUANTIFIER_FORALL), "Required");
	CHECK(!oclmm_log_ok(OCLMM_QUANTIFIER_EXISTS, 0, 10));
	CHECK(oclmm_date(2026, 6, 15) == 20260615);
	CHECK(oclmm_today() > oclmm_date(2026, 1, 1));
}

void call_words(void)
{
	call_orders();
	call_lattice();
	call_types();
	call_operations();
	call_commands();
	call_models();
	call_verdicts();
}
