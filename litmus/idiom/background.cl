// SPDX-License-Identifier: Apache-2.0
/*
 * Memory traffic beside a program, from a second queue: it makes what the program
 * relies on by luck fail sooner. All accesses are atomic, so nothing is undefined.
 */
kernel void background(global atomic_uint *scratch, uint lines, uint stride, uint turns, uint pattern)
{
	uint at = get_global_id(0) * 2654435761u, kept = 0;

	for (uint turn = 0; turn < turns; turn++) {
		global atomic_uint *word = &scratch[at % lines * stride];

		if (pattern == 0)
			kept += atomic_load_explicit(word, memory_order_relaxed, memory_scope_device);
		else if (pattern == 1)
			atomic_store_explicit(word, turn, memory_order_relaxed, memory_scope_device);
		else
			kept += atomic_fetch_add_explicit(word, 1u, memory_order_relaxed,
			                                  memory_scope_device);
		at = at * 1664525u + 1013904223u;
	}
	/* so that the loads are not left out */
	if (kept == 0x5eed5eed)
		atomic_store_explicit(scratch, kept, memory_order_relaxed, memory_scope_device);
}
