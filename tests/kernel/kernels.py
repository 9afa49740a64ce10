#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole kernels and what `oclmm check` says of them, by construct.

usage: kernels.py OCLMM

Each row is a name, a launch, a text and what is printed. Of kernels with one work-item the values were computed by hand.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77

# One work-item writes `out`: each asks for the one value that it can have.
ONE = [
    ("a structure", "typedef struct { int a; uchar b; short c[2]; } rec;", "global rec *r", "r=1,2,3,4,5,6,7,8",
     "r[1] = r[0]; r[1].b += r[0].c[1]; out[0] = r[1].a * 1000 + r[1].b * 10 + (int)sizeof(rec);", 1072),
    ("a union", "typedef union { uint w; uchar b[4]; } u;", "", "", "u v; v.w = 0x01020304; out[0] = v.b[3] * 10 + v.b[0];", 14),
    ("a vector", "", "global int4 *v", "v=1,2,3,4,5,6,7,8",
     "int4 q = v[1].wzyx * 2 + (int4)(1); v[0] = q; v[0].y = 9; out[0] = v[0].x * 100 + v[0].y * 10 + v[1].s3;", 1798),
    ("vload and vstore", "", "global int *v", "v=1,2,3,4,5,6", "vstore3(vload3(1, v) + 1, 0, v); out[0] = v[0] * 100 + v[2];", 507),
    ("an array", "", "", "", "int a[4] = {1, 2, 3}; int *p = a + 1; p[1] += *p; p++; out[0] = a[2] * 10 + *p;", 55),
    ("switch", "enum { A = 3, B };", "int n", "n=4", "switch (n) { case A: out[0] = 1; break; case B: out[0] = 2; default: out[0] += 5; }", 7),
    ("goto", "", "int n", "n=3", "int i = 0; again: if (i < n) { i++; goto again; } out[0] = i;", 3),
    ("a helper", "static int twice(int a) { return a * 2; } static void put(global int *p, int v) { p[0] = v; }", "", "",
     "put(out, twice(21));", 42),
    ("a macro", "#define SQUARE(x) ((x) * (x))", "", "", "out[0] = SQUARE(7);", 49),
    ("8 and 16 bits", "", "global uchar *b", "b=250,1", "b[0] += 7; ushort s = 65535; s += 2; char c = (char)200; out[0] = b[0] * 100 + s + c;", 45),
    ("a constant table", "constant int table[3] = {5, 6, 7};", "", "", "out[0] = table[get_global_id(0) + 2];", 7),
    ("a variable at program scope", "global int total = 40;", "", "", "total += 2; out[0] = total;", 42),
    ("a generic pointer", "static int get(int *p) { return *p; }", "", "", "local int l; int p = 1; l = 2; out[0] = 3; out[0] = get(&l) * 10 + get(&p) + get(out) * 100;", 321),
    ("64 bits", "", "", "", "ulong a = 1ul << 40; long b = -3; out[0] = (int)(a >> 38) * 10 + (int)(b / 2) + (int)(b >> 63);", 38),
    ("signed and unsigned", "", "", "", "int a = -7; uint b = 0xfffffff9u; out[0] = a % 4 + (int)(b % 4u) * 10 + (a >> 1) * 100 + (a < 0);", -392),
    ("functions of integers", "", "", "", "out[0] = max(3, -4) + min(2u, 9u) * 10 + abs(-5) * 100 + clamp(7, 0, 6) * 1000 + popcount(7) * 10000;", 36523),
    ("more of them", "", "", "", "out[0] = clz(1) + mul24(3, 4) * 100 + mad24(2, 3, 4) * 10000 + rotate(1, 33) * 1000000;", 2101231),
    ("conversions", "", "", "", "out[0] = convert_char_sat(300) + convert_int(3.75f) * 1000 + as_int(1.0f) % 1000;", 3343),
    ("select and any", "", "", "", "int2 a = (int2)(1, -1); out[0] = any(a < 0) * 10 + all(a < 0) + select(1, 2, 1) * 100;", 210),
    ("exact floating point", "", "float f", "f=2.5", "float g = f * 4.0f + 0.5f; out[0] = (int)g;", 10),
    ("floating point that decides nothing", "", "global float *f", "f=1,2", "f[1] = sqrt(f[0]) / 3.0f; out[0] = 1;", 1),
    ("printf", "", "", "", 'printf("%d", out[0]); out[0] = 1;', 1),
    ("short circuits", "", "global int *p", "p=0", "if (p[0] && 1 / p[0]) out[0] = 1; else out[0] = p[0] ? 5 : 2;", 2),
    ("loops", "", "", "", "int s = 0; for (int i = 0; i < 10; i++) { if (i == 2) continue; if (i == 6) break; s += i; } do s++; while (s < 15); out[0] = s;", 15),
    ("atomic arithmetic", "", "global atomic_int *a", "a=5",
     "atomic_fetch_sub(a, 2); atomic_fetch_max(a, -9); atomic_fetch_or(a, 4); atomic_fetch_xor(a, 1); out[0] = atomic_exchange(a, 3) * 10 + atomic_load(a);", 63),
    ("functions of OpenCL 1.x", "", "global int *a", "a=5",
     "atomic_add(a, 3); atom_inc(a); atomic_min(a, -1); out[0] = atomic_cmpxchg(a, -1, 7) * 10 + atomic_xchg(a, 1);", -3),
    ("unsigned minimum of 1.x", "", "global uint *a", "a=5", "atomic_min(a, 0xffffffffu); out[0] = a[0];", 5),
    ("a flag", "", "global atomic_flag *f", "f=0", "out[0] = atomic_flag_test_and_set(f) * 10; out[0] += atomic_flag_test_and_set(f); atomic_flag_clear(f);", 1),
    ("memory that is copied", "typedef struct { int a[6]; } big;", "global big *b", "b=1,2,3,4,5,6,7,8,9,10,11,12", "b[0] = b[1]; out[0] = b[0].a[5];", 12),
    ("a vector by value", "", "int4 v", "v=1,2,3,4", "out[0] = v.x + v.w * 10;", 41),
    ("a vector of three by value", "", "short3 v, int n", "v=1,2,3 --arg n=4", "out[0] = v.z * 10 + n;", 34),
    ("a structure by value", "typedef struct { int a; char b; short c[2]; } rec; static int sum(rec r) { r.a += 5; return r.a; }", "rec r", "r=1,2,3,4",
     "int s = sum(r); r.c[0]++; out[0] = r.a + r.b * 10 + r.c[0] * 100 + r.c[1] * 1000 + s * 10000;", 64421),
    ("vectors that are shuffled by a mask", "", "", "",
     "int4 a = (int4)(1, 2, 3, 4), b = (int4)(5, 6, 7, 8), c = shuffle2(a, b, (uint4)(0, 5, 2, 7)); int2 d = shuffle(a, (uint2)(7, 2));\n"
     "out[0] = (c.x * 1000 + c.y * 100 + c.z * 10 + c.w) * 100 + d.x * 10 + d.y;", 163843),
    ("roundings that are exact", "", "", "",
     "out[0] = (int)floor(2.5f) * 10000 + (int)ceil(2.5f) * 1000 + (int)trunc(-2.5f) * 100 + (int)rint(2.5f) * 10 + (int)round(2.5f);", 22823),
    ("a root that is exact", "", "", "", "out[0] = (int)sqrt(144.0f) * 10 + (int)clamp(5.0f, 0.0f, 2.0f);", 122),
    ("inline functions as GNU C has them", "inline int one(int a) { return a + 1; } inline int two(int a) { return one(a) * 2; }", "", "", "out[0] = two(3);", 8),
    ("pointers to pointers", "", "", "", "int a = 1, b = 2; int *p = &a; int **q = &p; **q = 5; *q = &b; **q = 7; out[0] = a * 10 + b;", 57),
    ("a structure that points", "typedef struct { global int *to; int n; } at; static void put(at *a) { a->to[0] = a->n++; }", "", "",
     "at a = {out, 3}; put(&a); put(&a); out[0] += a.n * 10;", 54),
    ("a list in a buffer", "typedef struct { int value, next; } node;", "global node *n", "n=1,1,2,2,3,-1",
     "int s = 0; for (int i = 0; i >= 0; i = n[i].next) s = s * 10 + n[i].value; out[0] = s;", 123),
    ("a packed structure", "typedef struct __attribute__((packed)) { char c; int i; short s; } rec;", "", "",
     "rec r; r.i = 0x01020304; r.s = 7; out[0] = ((uchar *)&r)[1] * 100 + (int)sizeof(rec) * 10 + r.s;", 477),
    ("switch over wide and narrow numbers", "", "", "",
     "ulong q = 5000000000ul; short z = -3; out[0] = 0; switch (q) { case 5000000000ul: out[0] += 1; } switch (z) { case -3: out[0] += 10; }", 11),
    ("continue in a switch", "", "", "",
     "int s = 0; for (int i = 0; i < 6; i++) { switch (i) { case 0: s += 1; case 1: s += 10; break; case 4: continue; default: s += 100; } s += 1000; } out[0] = s;", 5321),
    ("a vector seen as numbers", "", "", "", "int4 a = (int4)(5, 6, 7, 8); int s = 0; for (int i = 0; i < 4; i++) s = s * 10 + ((int *)&a)[i]; out[0] = s;", 5678),
    ("comparisons of vectors", "", "", "", "int4 a = (int4)(1, -1, 1, -1), r = a > 0 ? (int4)(10) : (int4)(20); out[0] = r.x * 100 + r.y + (a < 0).y;", 1019),
    ("a pointer by way of a number", "", "global int *p", "p=1,2,3", "*(global int *)((ulong)p + 8) = 6; out[0] = p[2] * 10 + (int)((ulong)(p + 1) - (ulong)p);", 64),
    ("sizes", "", "", "", "out[0] = (int)(get_global_size(0) + get_local_size(0) * 10 + get_num_groups(0) * 100 + get_work_dim() * 1000 + get_global_size(2) * 10000);", 11111),
]

MP = """kernel void k(global int *x, global atomic_int *f, global int *out) {
	if (get_global_id(0) == 0) { *x = 1; STORE }
	else if (LOAD) *out = *x;
}
"""


def mp(store, load):
    return MP.replace("STORE", f"atomic_store_explicit(f, 1, {store});").replace("LOAD", f"atomic_load_explicit(f, {load})")


REL, ACQ, RLX, DEV, WG = ("memory_order_release", "memory_order_acquire", "memory_order_relaxed", "memory_scope_device",
                          "memory_scope_work_group")
PAIR = "--global 2 --local 1 --arg x=0 --arg f=0 --arg out=7"
LOCKED = """kernel void k(global atomic_int *l, global int *c) {
	int e;
	do e = 0; while (!atomic_compare_exchange_WEAK_explicit(l, &e, 1, TAKE, memory_order_relaxed, memory_scope_device));
	c[0] += 1;
	atomic_store_explicit(l, 0, GIVE, memory_scope_device);
}
"""
SB = """kernel void k(global atomic_int *x, global int *r) {
	int i = get_global_id(0);
	atomic_store_explicit(&x[i], 1, ORDER, memory_scope_device);
	FENCE
	r[i] = atomic_load_explicit(&x[1 - i], ORDER, memory_scope_device);
}
"""
SB_ARGS = "--global 2 --local 1 --arg x=0,0 --arg r=9,9 --ask 'r[0] == 0 && r[1] == 0'"
SC_FENCE = "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);"
LOOKED = "None where no read is earlier than the write that it reads"

# A launch, a text, and what all of the lines say that are printed.
SEVERAL = [
    ("release and acquire", PAIR + " --ask 'out[0] == 0' --ask 'out[0] == 1'", mp(f"{REL}, {DEV}", f"{ACQ}, {DEV}"),
     ["Observation k Never 0 2", "Observation k Sometimes 1 1"]),
    ("no release", PAIR, mp(f"{RLX}, {DEV}", f"{ACQ}, {DEV}"), ["k.cl:3:", "k.cl:2:", "a data race", "Undefined"]),
    ("no acquire", PAIR, mp(f"{REL}, {DEV}", f"{RLX}, {DEV}"), ["a data race", "Undefined"]),
    ("too narrow a scope", PAIR, mp(f"{REL}, {WG}", f"{ACQ}, {WG}"), ["a data race", "Undefined"]),
    ("the scope of the group, in a group", PAIR.replace("--local 1", "--local 2"), mp(f"{REL}, {WG}", f"{ACQ}, {WG}"),
     ["no undefined behaviour"]),
    ("scopes that differ", PAIR, mp(f"{REL}, {DEV}", f"{ACQ}, memory_scope_work_group"), ["Undefined"]),
    ("a lock", "--global 3 --local 1 --arg l=0 --arg c=0 --ask 'c[0] == 3'",
     LOCKED.replace("WEAK", "strong").replace("TAKE", ACQ).replace("GIVE", REL), ["Observation k Always 1 0"]),
    ("a lock by a weak exchange", "--global 3 --local 1 --arg l=0 --arg c=0 --ask 'c[0] == 3'",
     LOCKED.replace("WEAK", "weak").replace("TAKE", ACQ).replace("GIVE", REL), ["Observation k Always 1 0"]),
    ("a weak exchange that fails for no reason", "--global 1 --arg x=0 --arg y=0,0 --ask 'y[0] == 1 && x == 1 && y[1] == 0' --ask 'y[0] == 0 && x == 0 && y[1] == 0'"
     " --ask 'y[0] != x'", "kernel void k(global atomic_int *x, global int *y) {\nint e = 0;\ny[0] = atomic_compare_exchange_weak(x, &e, 1);\ny[1] = e;\n}",
     ["Observation k Sometimes 1 1\nAn execution", "Observation k Never 0 2"]),
    ("a weak exchange that finds something else", "--global 1 --arg x=5 --arg y=0,0 --ask 'y[0] == 0 && y[1] == 5 && x == 5'",
     "kernel void k(global atomic_uint *x, global uint *y) {\nuint e = 0;\ny[0] = atomic_compare_exchange_weak_explicit(x, &e, 1u, memory_order_relaxed, memory_order_relaxed);\ny[1] = e;\n}",
     ["Always 1 0"]),
    ("a weak exchange without a loop, taken for a strong one", "--global 2 --local 1 --arg l=0 --arg c=0 --ask 'c == 0'",
     "kernel void k(global atomic_int *l, global int *c) {\nint e = 0;\nif (atomic_compare_exchange_weak_explicit(l, &e, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device))\n*c += 1;\n}",
     ["Sometimes 1 1"]),
    ("a lock by a weak exchange that does not acquire", "--global 2 --local 1 --arg l=0 --arg c=0",
     LOCKED.replace("WEAK", "weak").replace("TAKE", RLX).replace("GIVE", REL), ["k.cl:4:", "a data race"]),
    ("a sum that overflows", "--global 1 --arg x=2147483647", "kernel void k(global int *x) {\nx[0]--;\nx[0] += 2;\n}", ["k.cl:3:", "a signed integer overflows", "Undefined"]),
    ("a difference that overflows", "--global 1 --arg x=-2147483648", "kernel void k(global int *x) {\nx[0] = -x[0];\n}", ["k.cl:2:", "a signed integer overflows"]),
    ("a product that overflows", "--global 1 --arg x=65536", "kernel void k(global int *x) {\nx[0] *= x[0];\n}", ["k.cl:2:", "a signed integer overflows"]),
    ("what may wrap", "--global 1 --arg u=4294967295 --arg s=32767 --arg a=2147483647 --ask 'u == 0 && s == -32768 && a == -2147483648'",
     "kernel void k(global uint *u, global short *s, global atomic_int *a) {\nu[0]++; s[0]++; atomic_fetch_add(a, 1);\n}", ["Always 1 0"]),
    ("the largest that fits", "--global 1 --arg x=2147483646 --ask 'x == -2147483647'", "kernel void k(global int *x) {\nx[0] += 1; x[0] = -x[0];\n}", ["Always 1 0"]),
    ("a lock that is given back without release", "--global 2 --local 1 --arg l=0 --arg c=0",
     LOCKED.replace("WEAK", "strong").replace("TAKE", ACQ).replace("GIVE", RLX), ["k.cl:4:", "a data race"]),
    ("a lock that nobody gives back", "--global 2 --local 1 --arg l=0 --arg c=0",
     LOCKED.replace("WEAK", "strong").replace("TAKE", ACQ).replace("(l, 0,", "(l, 1,").replace("GIVE", REL),
     ["k.cl:3:", "waits, and nobody ends that"]),
    ("store buffering, seq_cst", SB_ARGS, SB.replace("ORDER", "memory_order_seq_cst").replace("FENCE", ""), ["Never 0 3"]),
    ("store buffering, relaxed", SB_ARGS, SB.replace("ORDER", RLX).replace("FENCE", ""), ["Sometimes 1 3"]),
    ("store buffering, fences", SB_ARGS, SB.replace("ORDER", RLX).replace("FENCE", SC_FENCE), ["Never 0 3"]),
    ("load buffering", "--global 2 --local 1 --arg x=0,0 --arg r=9,9 --ask 'r[0] == 1 && r[1] == 1'",
     "kernel void k(global atomic_int *x, global int *r) { int i = get_global_id(0);\n"
     f"r[i] = atomic_load_explicit(&x[i], {RLX}, {DEV}); atomic_store_explicit(&x[1 - i], 1, {RLX}, {DEV}); }}", [LOOKED]),
    ("a reduction", "--global 8 --local 4 --arg in=1,2,3,4,5,6,7,8 --arg out=0,0 --ask 'out[0] == 10 && out[1] == 26'",
     "kernel void k(global const int *in, global int *out) { local int t[4]; int l = get_local_id(0);\n"
     "t[l] = in[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "for (int s = 2; s; s /= 2) { if (l < s) t[l] += t[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }\n"
     "if (!l) out[get_group_id(0)] = t[0]; }", ["Always 1 0"]),
    ("a reduction by the other flag", "--global 2 --arg in=1,2 --arg out=0",
     "kernel void k(global const int *in, global int *out) { local int t[2]; int l = get_local_id(0);\n"
     "t[l] = in[l]; barrier(CLK_GLOBAL_MEM_FENCE);\nif (!l) out[0] = t[0] + t[1]; }", ["k.cl:3:", "k.cl:2:", "a data race"]),
    ("a barrier that some pass by", "--global 2 --arg x=0",
     "kernel void k(global int *x) {\nif (get_global_id(0))\nbarrier(CLK_GLOBAL_MEM_FENCE);\n}",
     ["k.cl:3:1: work-item 1 waits at a barrier", "not all work-items of the group reach the barrier", "Undefined"]),
    ("collective functions", "--global 4 --arg x=3,1,4,1 --ask 'x[0] == 9 && x[1] == 4 && x[2] == 8 && x[3] == 3'",
     "kernel void k(global int *x) { int l = get_local_id(0), v = x[l];\n"
     "int s = work_group_reduce_add(v), i = work_group_scan_inclusive_add(v), b = work_group_broadcast(v, 0);\n"
     "x[l] = l == 0 ? s : l == 1 ? i : l == 2 ? work_group_all(v) + i : b; }",
     ["not all work-items of the group reach the barrier"]),
    ("collective functions that all reach", "--global 4 --arg x=3,1,4,1 --ask 'x[0] == 9 && x[1] == 4 && x[2] == 5 && x[3] == 3'",
     "kernel void k(global int *x) { int l = get_local_id(0), v = x[l];\n"
     "int s = work_group_reduce_add(v), i = work_group_scan_inclusive_add(v), b = work_group_broadcast(v, 0);\n"
     "int a = work_group_all(v) + work_group_reduce_max(v);\n"
     "x[l] = l == 0 ? s : l == 1 ? i : l == 2 ? a : b; }", ["Always 1 0"]),
    ("collective functions of floating point", "--global 4 --arg x=3,1,4,1 --arg y=0 --ask 'y == 914'",
     "kernel void k(global float *x, global int *y) { float v = x[get_local_id(0)];\n"
     "float s = work_group_reduce_add(v), m = work_group_reduce_min(v), n = work_group_reduce_max(v);\n"
     "if (!get_local_id(0)) *y = (int)(s * 100 + m * 10 + n); }", ["Always 1 0"]),
    ("seq_cst beside relaxed, in loops", "--global 3 --local 1 --arg l=0 --arg c=0 --ask 'c == 3'",
     """kernel void k(global atomic_uint *l, global int *c) {
	uint e;
	do {
		while (atomic_load_explicit(l, memory_order_relaxed, memory_scope_device) == 1)
			;
		e = 0;
	} while (!atomic_compare_exchange_strong(l, &e, 1));
	c[0]++;
	atomic_store(l, 0);
}""", ["Always 1 0"]),
    ("three dimensions", "--global 2,2,2 --local 2,1,1 --arg x=0*8 --ask 'x[5] == 101 && x[6] == 110'",
     "kernel void k(global int *x) { x[get_global_linear_id()] = get_global_id(2) * 100 + get_global_id(1) * 10 + get_local_id(0); }",
     ["Always 1 0"]),
    ("neighbours in a word", "--global 4 --arg b=0,0,0,0 --ask 'b[3] == 3'",
     "kernel void k(global uchar *b) { b[get_global_id(0)] = get_global_id(0); }", ["Always 1 0"]),
    ("components of a vector", "--global 2 --arg v=0,0,0,0", "kernel void k(global int4 *v) { if (get_global_id(0)) v[0].x = 1; else v[0].y = 2; }",
     ["a data race"]),
    ("an atomic function of 1.x between groups", "--global 2 --local 1 --arg x=0",
     "kernel void k(global int *x) { atomic_inc(x); }", ["memory_scope_work_group", "a data race"]),
    ("an atomic function of 1.x in a group", "--global 3 --arg x=0 --ask 'x[0] == 3'",
     "kernel void k(global int *x) { atomic_inc(x); }", ["Always 1 0"]),
    ("a plain wait", "--global 2 --local 1 --arg x=0", "kernel void k(global volatile int *x) {\nif (get_global_id(0)) *x = 1;\nelse while (*x == 0);\n}",
     ["k.cl:3:", "k.cl:2:", "a data race"]),
    ("sub-groups", "--global 4 --local 4 --sub-group 2 --arg x=0,0,0,0 --ask 'x[2] == 21'",
     "kernel void k(global int *x) { int l = get_local_id(0);\n x[l] = sub_group_reduce_add(l) * 4 + get_sub_group_id(); }", ["Always 1 0"]),
    ("a bound of loops", "--global 1 --unroll 2 --arg x=0 --ask 'x[0] == 5'",
     "kernel void k(global int *x) {\nfor (int i = 0; i < 5; i++)\nx[0]++;\n}", ["None within 2 turns of the loop at line 2"]),
    ("two kernels", "--kernel b --global 1 --arg x=0 --ask 'x[0] == 2'",
     "kernel void a(global int *x) { x[0] = 1; }\nkernel void b(global int *x) { a(x); x[0]++; }", ["Observation b Always 1 0"]),
    ("divisions by -1", "--global 1 --arg x=-2147483647 --arg y=-1 --ask 'x[0] == 2147483647 && y[0] == 0'",
     "kernel void k(global int *x, global int *y) { int d = y[0]; y[0] = x[0] % d; x[0] = x[0] / d; }", ["Always 1 0"]),
    ("a quotient that fits more bits", "--global 1 --arg x=-2147483648 --arg y=-1 --ask 'x[0] == 2147483648'",
     "kernel void k(global long *x, global int *y) { x[0] = x[0] / y[0]; }", ["Always 1 0"]),
    ("a division behind a guard", "--global 1 --arg x=0 --ask 'x[0] == 3'",
     "kernel void k(global int *x) { x[0] = x[0] ? 7 / x[0] : 3; }", ["Always 1 0"]),
    ("options of the compiler", "--global 1 -DN=3 --arg x=0 --ask 'x[0] == 3'", "kernel void k(global int *x) { x[0] = N; }", ["Always 1 0"]),
]

# What is refused: the exit status is 2.
REFUSED = [
    ("no value of a parameter", "--global 1", "kernel void k(global int *x, int n) { x[0] = n; }", ["the parameter x of k has no value: --arg x=0,0"]),
    ("no such parameter", "--global 1 --arg x=0 --arg y=0", "kernel void k(global int *x) { x[0] = 1; }", ["--arg y=0: k has no such parameter"]),
    ("which kernel", "--global 1 --arg x=0", "kernel void a(global int *x) { }\nkernel void b(global int *x) { }", ["--kernel takes one of: a, b"]),
    ("no such kernel", "--kernel c --global 1 --arg x=0", "kernel void a(global int *x) { }", ["no kernel is named c; there are: a"]),
    ("no kernel at all", "--global 1", "void a(global int *x) { }", ["there is no kernel in it"]),
    ("sizes that do not fit", "--global 3 --local 2 --arg x=0", "kernel void k(global int *x) { }", ["no whole number of groups"]),
    ("what is asked of nothing", "--global 1 --arg x=0 --ask 'y[0] == 1'", "kernel void k(global int *x) { }", ["no parameter or variable in memory has that name: y[0] == 1"]),
    ("an element that is not there", "--global 1 --arg x=0 --ask 'x[1] == 1'", "kernel void k(global int *x) { }", ["there is no such element"]),
    ("half a question", "--global 1 --arg x=0 --ask 'x[0] =='", "kernel void k(global int *x) { }", ["--ask 'x[0] =='"]),
    ("what the compiler refuses", "--global 1 --arg x=0", "kernel void k(global int *x) {\n x[0] = y;\n}", ["k.cl:2:9: error: use of undeclared identifier 'y'"]),
    ("a decision by rounding", "--global 1 --arg x=2", "kernel void k(global int *x) {\nif (sqrt((float)x[0]) > 0.5f)\nx[0] = 1;\n}",
     ["k.cl:2:", "not understood", "depends on rounding"]),
    ("an asynchronous copy", "--global 1 --arg x=0,0", "kernel void k(global int *x) {\nlocal int t[2];\nevent_t e = async_work_group_copy(t, x, 2, 0);\nwait_group_events(1, &e);\n}",
     ["k.cl:3:", "not understood: OpGroupAsyncCopy"]),
    ("an atomic function of floating point", "--global 1 --arg x=0", "kernel void k(global atomic_int *x) {\nint p;\natomic_load((atomic_int *)&p);\n}",
     ["k.cl:3:", "not understood: OpAtomicLoad: an atomic access to a private variable"]),
    ("recursion without an end", "--global 1 --arg x=0", "int f(int n) { return f(n) + 1; }\nkernel void k(global int *x) {\nx[0] = f(1);\n}",
     ["k.cl:1:", "not understood: OpFunctionCall: recursion"]),
    ("a sampler as a parameter", "--global 1 --arg x=0 --arg s=0", "kernel void k(global int *x, sampler_t s) { x[0] = 1; }",
     ["--arg s: not understood: a parameter of that type"]),
    # C:6.4: the value is unspecified, and no undefined behaviour
    ("a division by zero", "--global 1 --arg x=0", "kernel void k(global int *x) {\nx[0] = 1 / x[0];\n}",
     ["k.cl:2:10: work-item 0: not understood: a division by zero, whose value is unspecified"]),
    ("a remainder by zero", "--global 1 --arg x=0", "kernel void k(global uint *x) {\nx[0] = 1u % x[0];\n}",
     ["k.cl:2:11: work-item 0: not understood: a division by zero, whose value is unspecified"]),
    ("a quotient that does not fit", "--global 1 --arg x=-2147483648 --arg y=-1", "kernel void k(global int *x, global int *y) {\nx[0] = x[0] / y[0];\n}",
     ["k.cl:2:13: work-item 0: not understood: a quotient that does not fit, whose value is unspecified"]),
    ("the remainder beside it", "--global 1 --arg x=-9223372036854775808 --arg y=-1", "kernel void k(global long *x, global long *y) {\nx[0] = x[0] % y[0];\n}",
     ["k.cl:2:13: work-item 0: not understood: a quotient that does not fit, whose value is unspecified"]),
    ("no number", "--global 1 --arg x=a", "kernel void k(global int *x) { }", ["--arg x: a is no number"]),
    ("size of local memory", "--global 1 --arg x=0,0", "kernel void k(local int *x) { }", ["how many elements"]),
]

# Undefined behaviour of one work-item.
UNDEFINED = [
    ("an index outside", "--global 1 --arg x=0,0", "kernel void k(global int *x) {\nx[2] = 1;\n}", ["k.cl:2:6: work-item 0: an access outside of x: 8 bytes from its beginning, of 8"]),
    ("an index in front", "--global 1 --arg y=0 --arg x=0,0", "kernel void k(global int *y, global int *x) {\nx[y[0] - 1] = 1;\n}",
     ["an access outside of x: -4 bytes from its beginning, of 8"]),
    ("a private index", "--global 1 --arg x=4", "kernel void k(global int *x) {\nint a[2] = {0};\nx[0] = a[x[0] * 4000];\n}",
     ["an access outside of the variables of a work-item"]),
    ("a null pointer", "--global 1 --arg x=0", "kernel void k(global int *x) {\nglobal int *p = 0;\n*p = 1;\n}", ["k.cl:3:", "a null pointer is followed"]),
]


# What newcomers write, and what `explain` says of it.
EXPLAINED = [
    ("a lock of OpenCL 1.x between groups", "--global 4 --local 2 --arg lock=0 --arg count=0",
     """kernel void add(global int *lock, global int *count)
{
	while (atomic_cmpxchg(lock, 0, 1) != 0)
		;
	*count += 1;
	atomic_xchg(lock, 0);
}""",
     ["k.cl:5:9: work-item 1 (1 of group 0) reads count", "k.cl:5:9: work-item 0 (0 of group 0) writes count",
      "k.cl:3: memory_order_acquire in place of memory_order_relaxed, as functions of OpenCL 1.x are",
      "k.cl:3: memory_scope_device in place of memory_scope_work_group",
      "k.cl:6: memory_order_release in place of memory_order_relaxed",
      "k.cl:6: memory_scope_device in place of memory_scope_work_group"]),
    ("a lock of plain accesses", "--global 2 --local 1 --arg lock=0 --arg count=0",
     """kernel void add(global volatile int *lock, global int *count)
{
	while (*lock == 1)
		;
	*lock = 1;
	*count += 1;
	*lock = 0;
}""", ["k.cl:3:9: work-item 1", "k.cl:7:8: work-item 0", "take it in one step, by atomic_exchange_explicit"]),
    ("a ring buffer", "--global 2 --local 1 --arg ring=0,0 --arg head=0 --arg tail=0 --arg out=0,0,0",
     """kernel void through(global int *ring, global atomic_uint *head, global atomic_uint *tail, global int *out)
{
	if (get_global_id(0) == 0)
		for (uint i = 0; i < 3; i++) {
			while (i - atomic_load_explicit(tail, memory_order_relaxed, memory_scope_device) == 2)
				;
			ring[i % 2] = i + 1;
			atomic_store_explicit(head, i + 1, memory_order_relaxed, memory_scope_device);
		}
	else
		for (uint i = 0; i < 3; i++) {
			while (atomic_load_explicit(head, memory_order_relaxed, memory_scope_device) == i)
				;
			out[i] = ring[i % 2];
			atomic_store_explicit(tail, i + 1, memory_order_relaxed, memory_scope_device);
		}
}""",
     ["reads ring[0]", "k.cl:5: memory_order_acquire", "k.cl:8: memory_order_release", "k.cl:12: memory_order_acquire",
      "k.cl:15: memory_order_release"]),
    ("a barrier of all groups", "--global 4 --local 2 --arg arrived=0 --arg part=0,0 --arg out=0,0",
     """kernel void sum(global atomic_int *arrived, global int *part, global int *out)
{
	if (get_local_id(0) == 0) {
		part[get_group_id(0)] = get_group_id(0) + 1;
		atomic_fetch_add_explicit(arrived, 1, memory_order_relaxed, memory_scope_device);
		while (atomic_load_explicit(arrived, memory_order_relaxed, memory_scope_device) < get_num_groups(0))
			;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 1)
		out[get_group_id(0)] = part[0] + part[1];
}""",
     ["reads part[0]", "k.cl:5: memory_order_release in place of memory_order_relaxed",
      "k.cl:6: memory_order_acquire in place of memory_order_relaxed", "k.cl:9: the flags CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE"]),
    ("a barrier that is not there", "--global 2 --arg out=0",
     """kernel void sum(global int *out)
{
	local int part[2];
	part[get_local_id(0)] = 1;
	if (get_local_id(0) == 0)
		out[0] = part[1];
	else
		out[0] = 7;
}""", ["No order, scope or flag of what is there mends it"]),
    ("a barrier that is missing where all come by", "--global 2 --arg out=0,0",
     """kernel void sum(global int *out)
{
	local int part[2];
	int l = get_local_id(0);
	part[l] = 1;
	out[l] = part[1 - l];
}""", ["k.cl:6: barrier(CLK_LOCAL_MEM_FENCE) in front of it"]),
    ("flags that are read plainly", "--global 2 --local 1 --arg f=0 --arg out=0",
     """kernel void k(global int *f, global int *out)
{
	if (get_global_id(0))
		*f = 1;
	else
		out[0] = *f;
}""",
     ["k.cl:4: an atomic store with memory_order_release", "k.cl:6: an atomic load with memory_order_acquire"]),
]


class Kernels(unittest.TestCase):
    oclmm = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def check(self, options, text, command="check"):
        """What is printed of a kernel whose launch stands at its end, so that its lines begin with 1; and the status."""
        path = pathlib.Path(self.folder.name) / "k.cl"
        path.write_text(f"{text}\n// oclmm: {options}\n", encoding="utf-8")
        done = subprocess.run([self.oclmm, command, "k.cl"], cwd=self.folder.name, capture_output=True, text=True,
                              timeout=120, check=False)
        return done.stdout + done.stderr, done.returncode

    def test_one_work_item(self):
        for name, top, parameter, argument, body, value in ONE:
            with self.subTest(name):
                parameters = ", ".join(filter(None, ["global int *out", parameter]))
                options = f"--global 1 --arg out=0 {'--arg ' + argument if argument else ''} --ask 'out[0] == {value}'"
                out, status = self.check(options, f"{top}\nkernel void k({parameters}) {{ {body} }}")
                self.assertIn("Observation k Always 1 0", out)
                self.assertEqual(status, 0)

    def check_rows(self, rows, wanted):
        for name, options, text, lines in rows:
            with self.subTest(name):
                out, status = self.check(options, text)
                for line in lines:
                    self.assertIn(line, out)
                self.assertEqual(status, wanted, out)

    def test_several_work_items(self):
        self.check_rows(SEVERAL, 0)

    def test_explained(self):
        for name, options, text, lines in EXPLAINED:
            with self.subTest(name):
                out, status = self.check(options, text, "explain")
                for line in lines:
                    self.assertIn(line, out)
                self.assertEqual(status, 0, out)

    def test_undefined(self):
        self.check_rows(UNDEFINED, 0)

    def test_refused(self):
        self.check_rows(REFUSED, 2)

    def test_the_command_line_comes_first(self):
        """Options stand for what the file says of the same; `--offset` for what it does not."""
        path = pathlib.Path(self.folder.name) / "k.cl"
        path.write_text("// oclmm: --global 2 --arg x=0,0,0 --ask 'x[0] == 9'\nkernel void k(global int *x) { x[get_global_id(0)] = 1; }\n",
                        encoding="utf-8")
        done = subprocess.run([self.oclmm, "check", str(path), "--ask", "x[1] == 1 && x[0] == 5", "--arg", "x=5,0,0", "--global", "1", "--local", "1",
                               "--offset", "1", "--kernel", "k", "--build", "-DN=1"], capture_output=True, text=True, check=False, timeout=60)
        self.assertIn("Always 1 0", done.stdout)
        self.assertIn("Condition x[1] == 1 && x[0] == 5", done.stdout)

    def test_examples(self):
        """The table of docs/kernels.md says what the examples' answers are, and names them all."""
        root = pathlib.Path(__file__).resolve().parents[2]
        page = (root / "docs/kernels.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| \[([a-z-]+)\]\(examples/kernels/\1\.cl\) \| ([A-Z]\w+ \d+ \d+) \| ([A-Z]\w+ \d+ \d+) \|", page, re.M)
        files = sorted((root / "docs/examples/kernels").glob("*"))
        self.assertEqual([name for name, _, _ in rows], [path.stem for path in files])
        self.assertEqual(len(rows), 10)
        for (name, strong, weak), path in zip(rows, files):
            for options, wanted in ([], strong), (["--build", "-DWEAK"], weak):
                with self.subTest(name, options=options):
                    done = subprocess.run([self.oclmm, "check", str(path), *options], capture_output=True, text=True, check=False, timeout=120)
                    self.assertRegex(done.stdout, rf"(?m)^Observation \w+ {wanted}$")

    def test_no_compiler(self):
        done = subprocess.run([self.oclmm, "check", "k.cl"], capture_output=True, text=True, check=False, timeout=60,
                              cwd=self.folder.name, env={"PATH": "/nowhere"})
        self.assertEqual(done.returncode, 2)  # there is no such file
        path = pathlib.Path(self.folder.name) / "k.cl"
        path.write_text("kernel void k() { }\n", encoding="utf-8")
        done = subprocess.run([self.oclmm, "check", "k.cl"], capture_output=True, text=True, check=False, timeout=60,
                              cwd=self.folder.name, env={"PATH": "/nowhere"})
        self.assertEqual(done.returncode, 77)
        self.assertIn("apt-get install clang-14 llvm-spirv-14 spirv-tools", done.stderr)

    def test_limits(self):
        """A kernel without an end is given up within its limits, and a bound of its loops makes it one with an end."""
        text = "kernel void k(global atomic_int *x) {\nwhile (1)\natomic_fetch_add(x, 1);\n}\n// oclmm: --global 3 --local 1 --arg x=0 --ask 'x == 9'\n"
        (pathlib.Path(self.folder.name) / "k.cl").write_text(text, encoding="utf-8")
        done = subprocess.run([self.oclmm, "check", "k.cl", "--time-limit", "1"], capture_output=True, text=True, check=False, timeout=120,
                              cwd=self.folder.name)
        self.assertEqual(done.returncode, 99)
        self.assertIn("limit", done.stderr)
        self.assertIn("`--unroll 2`", done.stderr)
        done = subprocess.run([self.oclmm, "check", "k.cl", "--unroll", "2"], capture_output=True, text=True, check=False, timeout=120,
                              cwd=self.folder.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("None within 2 turns of the loop at line", done.stdout)

    def test_a_name_in_quotes(self):
        path = pathlib.Path(self.folder.name) / 'a"\\b.cl'
        path.write_text("// oclmm: --global 1 --arg x=0\nkernel void k(global int *x) { x[0] = y; }\n", encoding="utf-8")
        done = subprocess.run([self.oclmm, "check", path.name], capture_output=True, text=True, check=False, timeout=120, cwd=self.folder.name)
        self.assertEqual(done.returncode, 2)
        self.assertIn("use of undeclared identifier 'y'", done.stderr)

    def test_what_explain_does_not_take(self):
        (pathlib.Path(self.folder.name) / "k.cl").write_text("kernel void k() { }\n", encoding="utf-8")
        for arguments in (["k.cl", "--json"], ["k.cl", "k.cl"], ["SB+rlx+rlx", "--global", "2"]):
            done = subprocess.run([self.oclmm, "explain", *arguments], capture_output=True, text=True, check=False, timeout=60,
                                  cwd=self.folder.name)
            self.assertEqual(done.returncode, 2, arguments)

    def test_what_does_not_go_together(self):
        for arguments in (["k.cl", "--json"], ["k.cl", "SB+rlx+rlx"], ["SB+rlx+rlx", "--global", "2"], ["k.cl", "--global", "0"],
                          ["k.cl", "--unroll", "x"], ["k.cl", "--sub-group", "-1"]):
            done = subprocess.run([self.oclmm, "check", *arguments], capture_output=True, text=True, check=False, timeout=60,
                                  cwd=self.folder.name)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn("oclmm", done.stderr)


def main():
    Kernels.oclmm = str(pathlib.Path(sys.argv.pop(1)).resolve())
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "k.cl").write_text("kernel void k() { }\n", encoding="utf-8")
        if subprocess.run([Kernels.oclmm, "check", "k.cl"], cwd=folder, capture_output=True, check=False).returncode == SKIPPED:
            sys.exit(SKIPPED)
    unittest.main()


if __name__ == "__main__":
    main()
