# SPDX-License-Identifier: Apache-2.0
"""What makes the calls: small tests, and runs of them and of idioms."""

# It forbids nothing, so that no control of its own is run, whose failure would cost confidence only.
LITMUS = """OPENCL T{n}

(* Result: Sometimes *)

{{
[x] = 0;
[y] = 0;
}}

P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {{
  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_work_group);
  int r0 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_work_group);
}}

P1@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {{
  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_work_group);
  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_work_group);
}}

exists (0:r0=0 /\\ 1:r0=0)
"""
# The same for two parts of a device and the host.
SVM = """OPENCL T

(* Result: Sometimes *)

{
svm [x] = 0;
svm [y] = 0;
}

P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {
  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_all_svm_devices);
  int r0 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_all_svm_devices);
}

P1@wg 0, dev 1 (global atomic_int *x, global atomic_int *y) {
  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_all_svm_devices);
  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_all_svm_devices);
}

P2@host (global atomic_int *x) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_all_svm_devices);
}

exists (0:r0=0 /\\ 1:r0=0)
"""
# An image, and a kernel that a work-item enqueues.
IMAGE = """OPENCL I

(* Result: Sometimes *)

{
[x] = 0;
}

P0@wg 0, dev 0 (read_write image1d_buffer_t x) {
  write_imagei(x, 0, (int4)(1, 0, 0, 0));
  int r0 = read_imagei(x, 0).x;
}

exists (0:r0=0)
"""
CHILD = """OPENCL C

(* Result: Always *)

{
[x] = 0;
}

P0@wg 0, dev 0 (global int *x) {
  *x = 1;
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ P1(x); });
}

P1@child (global int *x) {
  int r0 = *x;
}

exists (1:r0=1)
"""
# Two that are compiled as one text: a test and its control.
PAIR = """OPENCL P

(* Result: Never *)

vary order: memory_order_seq_cst => memory_order_relaxed
control order=rlx

{
[x] = 0;
}

P0@wg 0, dev 0 (global atomic_int *x) {
  atomic_store_explicit(x, 1, memory_order_seq_cst, memory_scope_work_group);
}

P1@wg 0, dev 0 (global atomic_int *x) {
  int r0 = atomic_load_explicit(x, memory_order_seq_cst, memory_scope_work_group);
  int r1 = atomic_load_explicit(x, memory_order_seq_cst, memory_scope_work_group);
}

exists (1:r0=1 /\\ 1:r1=0)
"""
COMMANDS = ("unordered+barrier", "marker", "migrate", "host+unmap", "user-event", "map+host.edge=callback",
            "event+svm.writer=fill.reader=copy", "unmap+early-reader.memory=coarse", "sub-buffers.edge=none", "pipe",
            "rectangle", "rectangle.reader=read", "rectangle.writer=write", "event+image.writer=image",
            "event+image.writer=buffer.reader=read", "event+image.writer=write.reader=image", "indirect")
LEAST = 100    # instances that each test has at least
RUN = ("run", "--seed", "3", "--compilers", "0", "--no-wait", "--output", "all.jsonl", "--artifacts", "kept",
       "--environment", "groups=2 lanes=4 rounds=64")
IDIOM = ("idiom", "--no-wait", "--json", "--size", "500", "--runs", "1")
# Of tests that can fail. So few launches may prove something or nothing.
CAN_FAIL = ("pair", "child", "commands")
# What makes the calls, and what fails besides: call, use, how. A call is tried in the first that makes it.
SCENARIOS = {
    "run": ((*RUN, "--instances", "4000", "litmus/t"), None),
    "pair": ((*RUN, "--instances", "1000", "litmus/pair"), None),
    "second queue": ((*RUN[:-1], f"{RUN[-1]} queue_groups=1 queue_stress=64", "--instances", "4000",
                      "litmus/t/T0.litmus"), None),
    "image": ((*RUN, "--instances", "1000", "litmus/image"), None),
    "child": ((*RUN, "--instances", "100", "litmus/child"), None),
    "several": ((*RUN, "--instances", "1000", "litmus/svm"), None),
    # a test of each kind of command, of the suite's own
    "commands": ((*RUN[:-2], "--instances", "200", *COMMANDS), None),
    "idiom": ((*IDIOM, "tree-reduction"), None),
    "idiom of any size": ((*IDIOM, "progress"), None),
    # what is kept of a test that failed
    "artifacts": ((*RUN, "--instances", "1000", "litmus/t/T0.litmus"), "clEnqueueNDRangeKernel 1 nothing"),
    # what is given back of parts that cannot be had
    "no parts": ((*RUN, "--instances", "1000", "litmus/svm"), "clCreateCommandQueue 2 -6"),
}
