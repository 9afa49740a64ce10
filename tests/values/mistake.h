// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * What an implementation may get wrong in one atomic operation (C:6.15.12.7,
 * C:6.15.12.8): a table, and the effect of each line on numbers. The tests of
 * litmus/values have operands on which every line shows.
 */
#ifndef TESTS_VALUES_MISTAKE_H
#define TESTS_VALUES_MISTAKE_H

#include "oclmm/ir.h"

/* X(enumerator, word, what happens instead) */
#define MISTAKES(X)                                                                                \
	X(NONE, "none", "nothing is wrong")                                                        \
	X(NOTHING_STORED, "nothing-stored", "the new value is not stored")                         \
	X(AS_EXCHANGE, "as-exchange", "the operand is stored")                                     \
	X(AS_ADD, "as-add", "the operand is added")                                                \
	X(AS_SUB, "as-sub", "the operand is subtracted")                                           \
	X(AS_OR, "as-or", "the operand is or-ed")                                                  \
	X(AS_XOR, "as-xor", "the operand is xor-ed")                                               \
	X(AS_AND, "as-and", "the operand is and-ed")                                               \
	X(AS_MIN, "as-min", "the lesser of the two is stored")                                     \
	X(AS_MAX, "as-max", "the greater of the two is stored")                                    \
	X(AS_INC, "as-inc", "one is added, and from the operand on it begins again at 0")          \
	X(AS_DEC, "as-dec", "one is taken away; 0, and what is beyond the operand, become that")   \
	X(STORES_BYTE, "stores-byte", "only the low byte of the new value is stored")              \
	X(STORES_LOW, "stores-low", "only the low half of the new value is stored")                \
	X(STORES_HIGH, "stores-high", "only the high half of the new value is stored")             \
	X(STORES_NO_TOP, "stores-no-top", "the highest bit of the new value is not stored")        \
	X(STORES_NARROW, "stores-narrow", "the low half of the new value is stored, and 0 beside") \
	X(STORES_NARROW_SIGN, "stores-narrow-sign", "its low half is stored, sign-extended")       \
	X(ZERO_KEPT, "zero-kept", "a new value of 0 is not stored")                                \
	X(COMPARES_BYTE, "compares-byte", "only the low bytes are compared")                       \
	X(COMPARES_LOW, "compares-low", "only the low halves are compared")                        \
	X(COMPARES_HIGH, "compares-high", "only the high halves are compared")                     \
	X(COMPARES_NO_TOP, "compares-no-top", "the highest bits are not compared")                 \
	X(OTHER_SIGN, "other-sign", "signed values are taken for unsigned ones, and back")         \
	X(NO_CARRY_8, "no-carry-8", "no carry goes from the low 8 bits to the others")             \
	X(NO_CARRY_16, "no-carry-16", "no carry goes from the low 16 bits to the others")          \
	X(NO_CARRY_32, "no-carry-32", "no carry goes from the low 32 bits to the others")          \
	X(SATURATES, "saturates", "what would wrap stays at the limit of the type")                \
	X(RETURNS_NEW, "returns-new", "the result is the new value, not the old one")              \
	X(RETURNS_LOW, "returns-low", "the result is the low half of the old value")               \
	X(RETURNS_NO_TOP, "returns-no-top", "the result is the old value without its highest bit") \
	X(FAILURE_WRITES, "failure-writes", "a compare-exchange that fails stores all the same")   \
	X(EXPECTED_KEPT, "expected-kept", "one that fails does not give the value that it found")  \
	X(OPERAND_8, "operand-8", "of the operand only the low 8 bits are taken")                  \
	X(OPERAND_16, "operand-16", "of the operand only the low 16 bits are taken")               \
	X(OPERAND_32, "operand-32", "of the operand only the low 32 bits are taken")               \
	X(OPERAND_NO_TOP, "operand-no-top", "of the operand the highest bit is not taken")         \
	X(OPERAND_SIGN_8, "operand-sign-8", "of the operand the low 8 bits, sign-extended")        \
	X(OPERAND_SIGN_16, "operand-sign-16", "of the operand the low 16 bits, sign-extended")     \
	X(OPERAND_SIGN_32, "operand-sign-32", "of the operand the low 32 bits, sign-extended")     \
	X(OPERAND_ONE_MORE, "operand-one-more", "the operand is one more than what was passed")    \
	X(OPERAND_NEGATED, "operand-negated", "the operand has the other sign")                    \
	X(SWAPPED, "swapped", "what is expected and what is stored change places")                 \
	X(EXPECTS_16, "expects-16", "of what is expected only the low 16 bits are taken")          \
	X(EXPECTS_ONE_MORE, "expects-one-more", "one more is expected than what was passed")       \
	X(OPERAND_INVERTED, "operand-inverted", "of the operand all bits are turned")              \
	X(REVERSED, "reversed", "the old value is taken from the operand")                         \
	X(RETURNS_OPERAND, "returns-operand", "the result is the operand")                         \
	X(EXPECTED_STORED, "expected-stored",                                                      \
	  "one that succeeds leaves in what it expects the value that it stored")                  \
	X(SAYS_SUCCESS, "says-success", "one that fails says that it succeeded")                   \
	X(SAYS_FAILURE, "says-failure", "one that succeeds says that it failed")                   \
	X(FAILS, "fails", "one that finds what it expects fails")                                  \
	X(SUCCEEDS, "succeeds", "one that finds another value stores and says that it succeeded")  \
	X(SPLIT, "split", "the update is a load and, later, a store")                              \
	X(TORN, "torn", "the access is one of each half, one after the other")

enum mistake {
#define MISTAKE_X(name, ...) MISTAKE_##name,
	MISTAKES(MISTAKE_X)
#undef MISTAKE_X
		MISTAKE_COUNT
};

const char *mistake_word(enum mistake mistake);
const char *mistake_description(enum mistake mistake);

/** The operations in which a mistake can be: by what is written, and what becomes of the result. */
struct site {
	enum oclmm_operation op;
	enum oclmm_type type;
	enum form {
		FORM_EXPLICIT,
		FORM_SHORT, /**< without order and scope */
		FORM_LEGACY,
		FORM_COUNT
	} form;
	bool used;   /**< the result is */
	bool by_one; /**< atomic_inc, atomic_dec */
};

/** Whether the line of the table says something of the operation at all. */
bool mistake_concerns(enum mistake mistake, const struct site *site);
/** Why nobody can see it, or NULL where a test has to tell. */
const char *mistake_hidden(enum mistake mistake, const struct site *site);

/** The numbers that go into an operation. */
struct input {
	int64_t old;
	int64_t operand;  /**< stored, added, desired; 0 of a load */
	int64_t expected; /**< of a compare-exchange */
};

/** And those that come out. */
struct effect {
	int64_t stored; /**< the object afterwards */
	int64_t result; /**< as the call gives it: of a compare-exchange 0 or 1, of a legacy one the
	                     old value */
	int64_t expected; /**< afterwards */
};

/** What an operation does; SPLIT and TORN take steps, and are right in each. */
struct effect mistake_effect(enum mistake mistake, const struct site *site,
                             const struct input *input);

#endif
