# SPDX-License-Identifier: Apache-2.0
"""Store buffering under seq_cst and its control, and the head that other tests of this kind have, too."""

HEAD = """OPENCL NAME

(* Result: Never *)

vary order: memory_order_seq_cst => memory_order_relaxed
control order=rlx

{
[x] = 0;
[y] = 0;
}
"""
SB = HEAD.replace("NAME", "SB") + """
P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {
  atomic_store_explicit(x, 1, memory_order_seq_cst, memory_scope_device);
  int r0 = atomic_load_explicit(y, memory_order_seq_cst, memory_scope_device);
}

P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y) {
  atomic_store_explicit(y, 1, memory_order_seq_cst, memory_scope_device);
  int r0 = atomic_load_explicit(x, memory_order_seq_cst, memory_scope_device);
}

exists (0:r0=0 /\\ 1:r0=0)
"""
