// SPDX-License-Identifier: Apache-2.0
/* For libFuzzer: half of its inputs are changed by mutate.c where that knows more than bytes. */
#include "fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	return fuzz_json && seed % 2 ? fuzz_mutate(data, size, most, seed, fuzz_json)
	                             : LLVMFuzzerMutate(data, size, most);
}
