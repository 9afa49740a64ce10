#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole kernels and what `oclmm check` says of them, by construct.

usage: kernels.py OCLMM

Each row is a name, a launch, a text and what is printed. Of kernels with one work-item the values were computed by hand.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SKIPPED = 77

# What is not a row's own in the text before its kernel: words of the language, and functions of it.
WORDS = set("typedef struct union enum static inline const constant global local int uint char uchar short ushort long ulong float int4 half void "
            "kernel return if else for while volatile __attribute__ packed aligned noinline define pragma OPENCL EXTENSION enable cl_khr_fp16 "
            "cl_khr_subgroups cl_khr_int64_base_atomics cl_khr_int64_extended_atomics atomic_int atomic_flag ATOMIC_VAR_INIT ATOMIC_FLAG_INIT "
            "atomic_fetch_add barrier CLK_LOCAL_MEM_FENCE to_global to_local to_private xyz abc".split())

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
    ("the version of a device", "", "", "", "out[0] = __OPENCL_VERSION__;", 300),
    ("sizes", "", "", "", "out[0] = (int)(get_global_size(0) + get_local_size(0) * 10 + get_num_groups(0) * 100 + get_work_dim() * 1000 + get_global_size(2) * 10000);", 11111),
]

# The same by feature of OpenCL C 3.0: in a launch of one work-item, or that which stands last.
FEATURES = [
    ("vload16", "", "global uchar *b", "b=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16",
     "uchar16 v = vload16(0, b); out[0] = v.sf * 10 + v.s8;", 169),
    ("vload2 at odd", "", "global int *b", "b=1,2,3,4,5,6,7,8",
     "int2 v = vload2(0, b + 1); vstore2(v, 1, b + 1); out[0] = b[3] * 10 + b[4];", 23),
    ("vload8 private", "", "", "",
     "int a[9]; for (int i = 0; i < 9; i++) a[i] = i; int8 v = vload8(0, a + 1); vstore4(v.hi, 0, a); out[0] = a[0] * 10 + a[3];", 58),
    ("vload constant", "constant int t[4] = {4, 3, 2, 1};", "", "", "int4 v = vload4(0, t); out[0] = v.x * 10 + v.w;", 41),
    ("vload_half", "", "global half *h", "h=1.5,2", "float f = vload_half(1, h); vstore_half(f, 0, h); out[0] = (int)vload_half(0, h);", 2),
    ("vload_half4", "", "global half *h", "h=1,2,3,4",
     "float4 f = vload_half4(0, h); vstore_half4_rte(f * 2.0f, 0, h); out[0] = (int)vload_half2(1, h).y;", 8),
    ("vloada_half3", "", "global half *h", "h=1,2,3,4", "float3 f = vloada_half3(0, h); vstorea_half3(f, 0, h); out[0] = (int)f.z;", 3),
    ("a copy", "", "global int *x", "x=5,6,7,8",
     "local int t[4]; event_t e = async_work_group_copy(t, x, 4, 0); wait_group_events(1, &e); out[0] = t[0] + t[3] * 10;", 85),
    ("a copy back", "", "", "",
     "local int t[2]; t[0] = 3; t[1] = 4; barrier(CLK_LOCAL_MEM_FENCE); event_t e = async_work_group_copy(out, t, 2, 0); wait_group_events(1, &e); out[0] += out[1] * 10;", 43),
    ("a copy of vectors", "", "global int4 *x", "x=1,2,3,4,5,6,7,8",
     "local int4 t[2]; event_t e = async_work_group_copy(t, x, 2, 0); wait_group_events(1, &e); out[0] = t[1].z;", 7),
    ("a strided copy", "", "global int *x", "x=1,2,3,4,5,6",
     "local int t[3]; event_t e = async_work_group_strided_copy(t, x, 3, 2, 0); wait_group_events(1, &e); out[0] = t[0] * 100 + t[1] * 10 + t[2];", 135),
    ("two copies of one event", "", "global int *x, global int *y", "x=1,2 --arg y=3,4",
     "local int t[2], u[2]; event_t e = async_work_group_copy(t, x, 2, 0); e = async_work_group_copy(u, y, 2, e); wait_group_events(1, &e); out[0] = t[1] * 10 + u[1];", 24),
    ("copies that share an event, whose name is kept once", "", "global int *x, global int *y", "x=1,2 --arg y=3,4",
     "local int t[2], u[2], v[2]; event_t e = async_work_group_copy(t, x, 2, 0), f = async_work_group_copy(v, x, 2, 0); async_work_group_copy(u, y, 2, e);\n"
     "wait_group_events(1, &e); out[0] = t[1] * 10 + u[1]; wait_group_events(1, &f);", 24),
    ("two events", "", "global int *x, global int *y", "x=1,2 --arg y=3,4",
     "local int t[2], u[2]; event_t e[2]; e[0] = async_work_group_copy(t, x, 2, 0); e[1] = async_work_group_copy(u, y, 2, 0); wait_group_events(2, e); out[0] = t[1] * 10 + u[1];", 24),
    ("prefetch", "", "global int *x", "x=5,6", "prefetch(x, 2); out[0] = x[1];", 6),
    ("isnan", "", "", "",
     "out[0] = isnan(1.0f) + isequal(1.0f, 1.0f) * 10 + isless(1.0f, 2.0f) * 100 + signbit(-1.0f) * 1000 + isinf(1.0f) + isfinite(1.0f) * 10000;", 11110),
    ("isgreater of vectors", "", "", "", "int2 r = isgreater((float2)(1.0f, 3.0f), (float2)(2.0f)); out[0] = r.x * 10 + r.y;", -1),
    ("float bits", "", "", "", "out[0] = as_int(bitselect(1.0f, 2.0f, 0.0f)) == as_int(1.0f);", 1),
    ("select floats", "", "", "", "out[0] = (int)select(1.0f, 2.0f, 1);", 2),
    ("fmin fmax copysign", "", "", "",
     "out[0] = (int)(fmin(1.0f, 2.0f) + fmax(3.0f, 4.0f) * 10.0f + copysign(5.0f, -1.0f) * 100.0f);", -459),
    ("step mix sign", "", "", "",
     "out[0] = (int)(step(1.0f, 2.0f) + sign(-3.0f) * 10.0f + mix(2.0f, 4.0f, 0.5f) * 100.0f + mad(2.0f, 3.0f, 4.0f) * 1000.0f);", 10291),
    ("fabs dot", "", "", "", "out[0] = (int)dot((float2)(1.0f, 2.0f), (float2)(3.0f, 4.0f)) * 10 + (int)fabs(-3.0f);", 113),
    ("fmod ldexp", "", "", "", "out[0] = (int)fmod(7.0f, 4.0f) + (int)ldexp(1.0f, 3) * 10 + ilogb(8.0f) * 100;", 383),
    ("modf frexp", "", "", "",
     "float i; float f = modf(2.5f, &i); int e; float m = frexp(8.0f, &e); out[0] = (int)i * 10 + (int)(f * 2.0f) + e * 100;", 421),
    ("doubles", "", "", "", "double d = 2.5; out[0] = (int)(d * 4.0) + (d > 2.0) * 100;", 110),
    ("double as float", "", "global double *d", "d=1.5,2.5", "d[0] = d[1] * 2.0; out[0] = (int)d[0];", 5),
    ("half arithmetic", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable", "global half *h", "h=1.5,2.5",
     "h[0] = h[0] + h[1]; out[0] = (int)h[0];", 4),
    ("convert rte", "", "", "",
     "out[0] = convert_int_rte(2.5f) * 100 + convert_int_rtp(2.1f) * 10 + convert_int_rtn(-2.1f) + convert_uchar_sat_rte(300.7f) * 1000;", 255227),
    ("convert vectors", "", "", "",
     "uchar4 c = convert_uchar4_sat((int4)(-5, 300, 7, 255)); out[0] = c.x * 1000000 + c.y * 1000 + c.z;", 255007),
    ("convert sat narrow", "", "", "",
     "out[0] = convert_short_sat(100000) + convert_ushort_sat(-5) + convert_uint_sat(-1) + (convert_long_sat(5) == 5);", 32768),
    ("as double", "", "", "", "out[0] = (int)(as_ulong(1.0) >> 52);", 1023),
    ("atomic init", "", "global atomic_int *a", "a=0", "atomic_init(a, 5); out[0] = atomic_load(a);", 5),
    ("atomic var init", "global atomic_int g = ATOMIC_VAR_INIT(7);", "", "",
     "out[0] = atomic_fetch_add(&g, 1) * 10 + atomic_load(&g);", 78),
    ("atomic 64", "", "global atomic_ulong *a", "a=4294967295", "atomic_fetch_add(a, 1ul); out[0] = (int)(atomic_load(a) >> 32);", 1),
    ("atomic min max long", "", "global atomic_long *a", "a=-5",
     "atomic_fetch_min(a, -7l); atomic_fetch_max(a, 3l); out[0] = (int)atomic_load(a);", 3),
    ("atomic uint max", "", "global atomic_uint *a", "a=5", "atomic_fetch_max(a, 0xffffffffu); out[0] = (int)atomic_exchange(a, 1u);", -1),
    ("atomic size_t", "", "global atomic_size_t *a", "a=5", "atomic_fetch_add(a, (size_t)3); out[0] = (int)atomic_load(a);", 8),
    ("atomic ptrdiff", "", "global atomic_ptrdiff_t *a", "a=5", "atomic_fetch_sub(a, (ptrdiff_t)3); out[0] = (int)atomic_load(a);", 2),
    ("atomic intptr", "", "global atomic_intptr_t *a", "a=5", "atomic_fetch_or(a, (intptr_t)8); out[0] = (int)atomic_load(a);", 13),
    ("atomic float", "", "global atomic_float *a", "a=1.5",
     "atomic_store(a, 2.5f); out[0] = (int)(atomic_exchange(a, 3.0f) * 2.0f) * 10 + (int)atomic_load(a);", 53),
    ("atomic double", "", "global atomic_double *a", "a=1.5", "atomic_store(a, 2.5); out[0] = (int)(atomic_load(a) * 2.0);", 5),
    ("atomic in local", "", "", "", "local atomic_int l; atomic_init(&l, 3); out[0] = atomic_fetch_xor(&l, 1) * 10 + atomic_load(&l);", 32),
    ("atomic by a generic pointer", "static int add(volatile atomic_int *p) { return atomic_fetch_add(p, 2); }", "global atomic_int *g", "g=5",
     "local atomic_int l; atomic_init(&l, 3); out[0] = add(&l) * 10 + add(g) + atomic_load(&l) * 100;", 535),
    ("cmpxchg expected", "", "global atomic_int *a", "a=5",
     "int e = 4; bool b = atomic_compare_exchange_strong_explicit(a, &e, 9, memory_order_acq_rel, memory_order_relaxed); out[0] = b * 100 + e * 10 + atomic_load(a);", 55),
    ("cmpxchg expected in local", "", "global atomic_int *a", "a=5",
     "local int e; e = 4; bool b = atomic_compare_exchange_strong(a, &e, 9); out[0] = b * 100 + e * 10 + atomic_load(a);", 55),
    ("cmpxchg expected in global", "", "global atomic_int *a", "a=5",
     "out[1] = 5; bool b = atomic_compare_exchange_strong(a, out + 1, 9); out[0] = b * 100 + out[1] * 10 + atomic_load(a);", 159),
    ("flag explicit", "", "global atomic_flag *f", "f=0",
     "out[0] = atomic_flag_test_and_set_explicit(f, memory_order_acquire, memory_scope_device); atomic_flag_clear_explicit(f, memory_order_release); out[0] += 2 * atomic_flag_test_and_set(f);", 0),
    ("flag in program scope", "global atomic_flag f = ATOMIC_FLAG_INIT;", "", "",
     "out[0] = atomic_flag_test_and_set(&f) + 2 * atomic_flag_test_and_set(&f);", 2),
    ("mem_fence", "", "", "",
     "out[0] = 1; mem_fence(CLK_GLOBAL_MEM_FENCE); read_mem_fence(CLK_LOCAL_MEM_FENCE); write_mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE); out[0]++;", 2),
    ("legacy on local", "", "", "",
     "local uint l; l = 5; atomic_add(&l, 3u); atomic_sub(&l, 1u); out[0] = atomic_dec(&l) * 10 + atomic_or(&l, 1u) + atomic_and(&l, 6u) * 100 + atomic_xor(&l, 5u) * 1000;", 6776),
    ("legacy volatile", "", "global volatile uint *u", "u=5",
     "out[0] = atomic_max(u, 9u) + (int)atomic_inc(u) * 10; atom_add(u, 1u); out[0] += u[0] * 100;", 1195),
    ("legacy 64", "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable", "global long *u", "u=5",
     "atom_add(u, 4294967296l); atom_max(u, -1l); out[0] = (int)(u[0] >> 32) * 10 + (int)atom_cmpxchg(u, 3l, 4l);", 15),
    ("legacy xchg float", "", "global float *f", "f=2", "out[0] = (int)atomic_xchg(f, 3.0f) * 10 + (int)f[0];", 23),
    ("broadcast by ids", "", "", "",
     "int v = get_local_id(0) * 10 + get_local_id(1); out[get_local_linear_id()] = work_group_broadcast(v, 1, 1);", 11, "--global 2,2 --local 2,2"),
    ("broadcast 3", "", "", "",
     "int v = get_local_id(0) * 100 + get_local_id(1) * 10 + get_local_id(2); out[get_local_linear_id()] = work_group_broadcast(v, 1, 0, 1);", 101, "--global 2,2,2 --local 2,2,2"),
    ("scan exclusive", "", "", "",
     "int l = get_local_id(0); int a = work_group_scan_exclusive_add(l + 1), b = work_group_scan_exclusive_max(l), c = work_group_scan_inclusive_min(3 - l); barrier(CLK_GLOBAL_MEM_FENCE); if (l == 3) out[0] = a * 100 + b * 10 + c;", 620, "--global 4 --local 4"),
    ("any of none", "", "", "",
     "int l = get_local_id(0); int a = work_group_any(l == 5), b = work_group_any(l == 1); if (!l) out[0] = (a != 0) * 10 + (b != 0);", 1, "--global 4 --local 4"),
    ("reduce of long", "", "", "",
     "long l = get_local_id(0); long a = work_group_reduce_add(l << 33); uint u = work_group_reduce_max((uint)(l ? 1u : 0xffffffffu)); if (!l) out[0] = (int)(a >> 33) * 10 + (u == 0xffffffffu);", 61, "--global 4 --local 4"),
    ("sub-group functions", "#pragma OPENCL EXTENSION cl_khr_subgroups : enable", "", "",
     "int l = get_local_id(0); int a = sub_group_scan_exclusive_add(1), b = sub_group_broadcast(l, 1), c = sub_group_all(l < 4), d = sub_group_any(l == 3); sub_group_barrier(CLK_LOCAL_MEM_FENCE); if (l == 3) out[0] = a * 1000 + b * 100 + (c != 0) * 10 + (d != 0) + get_num_sub_groups() * 10000 + get_sub_group_size() * 100000 + get_sub_group_local_id() * 1000000;", 1221311, "--global 4 --local 4 --sub-group 2"),
    ("sizes of everything", "", "", "",
     "out[0] = (int)(get_global_offset(0) + get_enqueued_local_size(0) * 10 + get_local_linear_id() * 100 + get_global_id(0) * 1000);", 2012, "--global 1 --offset 2"),
    ("the last groups are smaller", "", "", "",
     "if (get_global_id(0) == 4 && get_global_id(1) == 2) out[0] = get_local_size(0) + get_local_size(1) * 10 + get_enqueued_local_size(0) * 100 + "
     "get_local_linear_id() * 1000 + get_num_groups(0) * 10000 + get_group_id(1) * 100000 + get_global_linear_id() * 1000000;", 14130211, "--global 5,3 --local 2,2"),
    ("an id by a variable", "", "", "", "int s = 0; for (uint d = 0; d < 3; d++) s = s * 10 + get_local_size(d); out[0] = s;", 111),
    ("swizzles", "", "", "",
     "int4 v = (int4)(1, 2, 3, 4); v.lo = v.hi; v.even = v.odd.yx; v.xw += 1; out[0] = v.x * 1000 + v.y * 100 + v.z * 10 + v.w;", 5445),
    ("vectors logic", "", "", "",
     "int4 a = (int4)(1, 0, 2, 0), b = (int4)(1, 1, 0, 0); int4 c = a && b, d = a || b, e = !a; out[0] = c.x * -1000 + d.y * -100 + e.y * -10 + (a != b).z * -1;", 1111),
    ("vectors shift", "", "", "",
     "int4 a = (int4)(8) >> (int4)(1, 2, 3, 4); uint4 b = (uint4)(1u) << 33u; a++; a <<= 1; out[0] = a.x * 1000 + a.y * 100 + a.z * 10 + b.x;", 10642),
    ("shift beyond", "", "", "", "int s = 33; uint u = 1u << s; int t = 35; out[0] = u * 10 + (-8 >> t);", 19),
    ("shift of char", "", "", "", "char c = 1; c <<= 6; uchar u = 0x80; u >>= 3; short h = -4; h >>= 1; out[0] = c * 100 + u + h;", 6414),
    ("a vector by a number", "", "int n", "n=1", "int2 a = n ? (int2)(1, 2) : (int2)(3, 4), b = n > 1 ? a : a + 4; out[0] = a.x * 1000 + a.y * 100 + b.x * 10 + b.y;", 1256),
    ("ternary vector", "", "", "", "int2 a = (int2)(1, -1); int2 b = a < 0 ? (int2)(7, 8) : (int2)(5, 6); out[0] = b.x * 10 + b.y;", 58),
    ("char vectors", "", "", "", "char4 a = (char4)(100, -100, 5, 6); char4 b = a + a; out[0] = b.x * 10 + b.y;", -504),
    ("int16", "", "", "",
     "int16 v = (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); v += v.s0123456789abcdef; out[0] = v.sF * 100 + v.sa;", 3020),
    ("vector dynamic", "", "", "", "int4 v = (int4)(1, 2, 3, 4); int n = 2; ((int *)&v)[n] = 9; out[0] = v.z * 10 + v[3] + v[n];", 103),
    ("vec_step", "", "", "", "out[0] = vec_step(int3) * 100 + vec_step(char8) * 10 + sizeof(int3) / 4;", 484),
    ("nested structures", "typedef struct { struct { int a[2]; char c; } in[2]; long l; } S;", "global S *s", "s=1,2,3,4,5,6,7",
     "S v = s[0]; v.in[1].a[1] += v.in[0].c; s[0] = v; out[0] = s[0].in[1].a[1] * 10 + (int)s[0].l;", 87),
    ("a structure returned", "typedef struct { int a, b; long c; } S; static S make(int x) { S s = {x, x + 1, x + 2}; return s; }", "", "",
     "S s = make(3); out[0] = s.a * 100 + s.b * 10 + (int)s.c;", 345),
    ("aligned", "typedef struct { char c; int4 v; } S; typedef struct { char a; } __attribute__((aligned(16))) T;", "", "",
     "out[0] = sizeof(S) * 100 + sizeof(T);", 3216),
    ("aligned member access", "typedef struct { char c; int v __attribute__((aligned(16))); char d; } S;", "", "",
     "S s; s.c = 1; s.v = 2; s.d = 3; out[0] = s.v * 10 + s.d + (int)((size_t)&s.v - (size_t)&s) * 100;", 1623),
    ("union members", "typedef union { int i; float f; struct { short a, b; } s; } U;", "global U *u", "u=0,0",
     "u[0].f = 1.0f; out[0] = u[0].i >> 16; u[0].s.b = 2; out[0] += u[0].i & 0xff;", 16256),
    ("a union of vectors", "typedef union { int4 v; int a[4]; } U;", "", "",
     "U u; u.v = (int4)(1, 2, 3, 4); u.a[2] = 9; out[0] = u.v.z * 10 + u.a[3];", 94),
    ("pointers compared", "", "global int *x", "x=1,2,3",
     "global int *p = x, *e = x + 3; int s = 0; while (p != e) s += *p++; out[0] = s * 10 + (int)(e - x) + (p > x);", 64),
    ("pointers in an array", "", "global int *x", "x=1,2,3", "global int *p[2] = {x, x + 1}; p[1][1] = 7; out[0] = p[0][2];", 7),
    ("const restrict volatile", "", "const global int *restrict x", "x=1,2,3", "volatile int v = x[1]; v++; out[0] = v;", 3),
    ("to_global", "static int where(void *p) { return to_global(p) ? 1 : to_local(p) ? 2 : to_private(p) ? 3 : 0; }", "", "",
     "local int l; int v; l = 0; out[0] = where(out) * 100 + where(&l) * 10 + where(&v);", 123),
    ("get_fence", "", "", "", "local int l; l = 1; int *p = &l; out[0] = get_fence(p) == CLK_LOCAL_MEM_FENCE;", 1),
    ("intptr", "", "global int *x", "x=1,2",
     "uintptr_t p = (uintptr_t)x; global int *q = (global int *)(p + 4); intptr_t d = (intptr_t)q - (intptr_t)x; out[0] = *q * 10 + (int)d;", 24),
    ("aligned pointer", "", "global int *x", "x=1,2", "out[0] = ((uintptr_t)x & 3) == 0;", 1),
    ("program scope pointer", "global int g[3] = {1, 2, 3}; global int *global p = g + 1;", "", "",
     "p[1] = 9; out[0] = *p * 10 + g[2];", 29),
    ("program scope pointer to begin", "global int g = 4; global int *global p = &g;", "", "", "*p += 1; out[0] = g;", 5),
    ("program scope structure", "typedef struct { int a; short b[2]; } S; global S s = {1, {2, 3}};", "", "",
     "s.a += s.b[1]; out[0] = s.a;", 4),
    ("static local", "static global int g = 5;", "", "", "g++; out[0] = g;", 6),
    ("static in function", "static int next(void) { static global int n = 5; return n++; }", "", "", "next(); out[0] = next();", 6),
    ("constant pointer to constant", "constant int t[4] = {5, 6, 7, 8}; constant int *constant p = t + 2;", "", "",
     "out[0] = p[0] * 10 + p[-1];", 76),
    ("constant table of pointers", "constant int a[2] = {1, 2}, b[2] = {3, 4}; constant int *constant t[2] = {a, b};", "", "",
     "int n = 1; out[0] = t[n][1] * 10 + t[0][0];", 41),
    ("constant 2d", "constant uchar t[2][3] = {{1, 2, 3}, {4, 5, 6}};", "int n", "n=1", "out[0] = t[n][2] * 10 + t[1 - n][0];", 61),
    ("constant structs", "typedef struct { int k; int4 v; } R; constant R r[2] = {{1, (int4)(1, 2, 3, 4)}, {2, (int4)(5, 6, 7, 8)}};", "int n", "n=1",
     "out[0] = r[n].v.z * 10 + r[n].k;", 72),
    ("a constant table of addresses behind others", "constant uchar t[8] = {1, 2, 3, 4, 5, 6, 7, 8}; constant uchar *constant p[3] = {t + 1, t + 7, t};", "int n", "n=1",
     "out[0] = p[n][0] * 100 + p[0][n] * 10 + p[2][0];", 831),
    ("a string", "", "int n", "n=1", "constant char *s = \"abc\"; out[0] = s[n] - 'a';", 1),
    ("an array of strings", "", "int n", "n=1", "constant char *s[2] = {\"abc\", \"xyz\"}; out[0] = s[n][2] - 'a';", 25),
    ("printf string", "", "", "", 'printf("%s %d %v4d\\n", "abc", 3, (int4)(1, 2, 3, 4)); out[0] = 1;', 1),
    ("printf result", "", "", "", 'int r = printf("x"); out[0] = r == 0;', 1),
    ("a switch into a loop", "", "int n", "n=5",
     "int s = 0; switch (n % 4) { do { case 0: s += 1; case 3: s += 10; case 2: s += 100; case 1: s += 1000; } while (s < 1500); } out[0] = s;", 2111),
    ("goto out of loops", "", "", "",
     "int s = 0; for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) { s++; if (i * j == 2) goto done; } done: out[0] = s;", 7),
    ("goto into", "", "int n", "n=1", "int s = 0; if (n) goto in; while (s < 5) { s += 1; in: s += 2; } out[0] = s;", 5),
    ("comma and side effects", "", "", "", "int a = 1, b = (a++, a * 2); a = b++ + ++a; out[0] = a * 10 + b;", 75),
    ("compound literal", "typedef struct { int a, b; } S; static int f(S s) { return s.a * 10 + s.b; }", "", "",
     "out[0] = f((S){3, 4}) + ((int[]){1, 2, 3})[1] * 100;", 234),
    ("designated", "typedef struct { int a, b[3]; } S;", "", "",
     "S s = {.b = {[1] = 5}, .a = 2}; out[0] = s.a * 100 + s.b[1] * 10 + s.b[2];", 250),
    ("enumerators", "enum { A, B = 5, C };", "", "", "enum { D = C + 1 }; out[0] = A + B * 10 + C * 100 + D * 1000;", 7650),
    ("sizes", "", "", "",
     "out[0] = sizeof(long) + sizeof(size_t) * 10 + sizeof(half) * 100 + sizeof(void *) * 1000 + sizeof(bool) * 10000;", 18288),
    ("unsigned wrap", "", "", "",
     "uint a = 0; a--; ushort b = 0; b--; uchar c = 255; c++; out[0] = (a == 0xffffffffu) + (b == 65535) * 10 + (c == 0) * 100;", 111),
    ("integer functions on chars", "", "", "",
     "char a = abs_diff((char)-100, (char)100); uchar b = add_sat((uchar)200, (uchar)100); char c = sub_sat((char)-100, (char)100); short d = hadd((short)5, (short)8); out[0] = (uchar)a + b * 1000 + c * 1000000 + rhadd((uchar)5, (uchar)8) + d;", -127744787),
    ("integer functions on vectors", "", "", "",
     "int4 v = clamp((int4)(-5, 5, 15, 25), (int4)(0), (int4)(10)); uint4 u = mul_hi((uint4)(0x80000000u), (uint4)(4u)); out[0] = v.x + v.y * 10 + v.z * 100 + u.w * 10000;", 21050),
    ("mad_hi mad_sat", "", "", "",
     "out[0] = mad_hi(0x40000000, 8, 3) * 10 + (mad_sat(0x40000000, 8, 3) == 0x7fffffff) + upsample((ushort)1, (ushort)2) ;", 65589),
    ("ends of long", "", "ulong u, long s", "u=0xffffffffffffffff --arg s=-0x7fffffffffffffff",
     "out[0] = (mad_sat(u, u, u) == u) + (mad_sat(u, 1ul, 0ul) == u) * 10 + (mad_sat(s, s, s) == LONG_MAX) * 100 + (mad_sat(s, -s, s) == LONG_MIN) * 1000 + (mul_hi(u, u) == u - 1) * 10000 + (mul_hi(s, 2l) == -1) * 100000 + (mad_hi(u, u, 2ul) == 0) * 1000000;", 1111111),
    ("ends of long, in the middle", "", "ulong u, long s", "u=0xffffffffffffffff --arg s=-0x7fffffffffffffff",
     "out[0] = (hadd(u, u - 1) == u - 1) + (rhadd(u, u - 1) == u) * 10 + (hadd(s, -s) == 0) * 100 + (hadd(s, s + 1) == s) * 1000 + (rhadd(s, s + 1) == s + 1) * 10000 + (abs_diff(s, -s) == u - 1) * 100000 + (add_sat(u, 1ul) == u) * 1000000 + (sub_sat(s, 5l) == LONG_MIN) * 10000000;", 11111111),
    ("saturating to and from long", "", "ulong u, long s, float f", "u=0xffffffffffffffff --arg s=-0x7fffffffffffffff --arg f=1e30",
     "out[0] = (convert_long_sat(u) == LONG_MAX) + (convert_ulong_sat(s) == 0) * 10 + (convert_uchar_sat(s) == 0) * 100 + (convert_char_sat(u) == 127) * 1000 + (convert_ulong_sat(f) == u) * 10000 + (convert_ulong_sat(-f) == 0) * 100000 + (convert_long_sat(f) == LONG_MAX) * 1000000 + (convert_long_sat(-f) == LONG_MIN) * 10000000;", 11111111),
    ("clamp by scalars", "", "", "",
     "int4 v = clamp((int4)(-5, 5, 15, 25), 0, 10); int4 m = max(v, 3); out[0] = m.x + m.y * 10 + m.w * 100;", 1053),
    ("clz of narrow", "", "", "",
     "out[0] = clz((uchar)1) + clz((ushort)1) * 10 + clz(1l) * 100 + ctz(8) * 10000 + popcount((char)-1) * 100000;", 836457),
    ("rotate of narrow", "", "", "", "out[0] = rotate((uchar)0x81, (uchar)1) + (int)rotate(1ul, 65ul) * 1000;", 2003),
    ("bitselect", "", "", "", "out[0] = bitselect(0x0f, 0xf0, 0x33) + any((int2)(0, -1)) * 1000 + all((char2)(-1, 1)) * 10000;", 1060),
    ("select of vectors", "", "", "",
     "int4 v = select((int4)(1), (int4)(2), (int4)(-1, 0, 1, (int)0x80000000)); char2 c = select((char2)(3), (char2)(4), (char2)(-1, 0)); out[0] = v.x * 1000 + v.y * 100 + v.z * 10 + v.w + c.x * 10000 + c.y * 100000;", 342112),
    ("long division", "", "", "",
     "long a = -7; ulong b = 7; out[0] = (int)(a / 2) * 10 + (int)(a % 2) + (int)(b / 2ul) * 100 + (char)-128 / (char)3;", 227),
    ("narrow minimum by -1", "", "", "", "char a = -128, b = -1; int c = a / b; out[0] = c;", 128),
    ("attributes", "", "", "", "__attribute__((opencl_unroll_hint(2))) for (int i = 0; i < 3; i++) out[0] += i;", 3),
    ("large structure", "typedef struct { int a[300]; } S;", "", "",
     "S s, t; for (int i = 0; i < 300; i++) s.a[i] = i; t = s; out[0] = t.a[299];", 299),
    ("large structure by value", "typedef struct { int a[300]; } S; static int last(S s) { return s.a[299]; }", "", "",
     "S s; for (int i = 0; i < 300; i++) s.a[i] = i; out[0] = last(s);", 299),
    ("large structure returned", "typedef struct { int a[300]; } S; static S make(void) { S s; for (int i = 0; i < 300; i++) s.a[i] = i; return s; }", "", "",
     "S s = make(); out[0] = s.a[299];", 299),
    ("local 2d", "", "", "",
     "local int t[2][3]; int l = get_local_id(0); t[l][2] = l + 5; barrier(CLK_LOCAL_MEM_FENCE); if (!l) out[0] = t[0][2] * 10 + t[1][2];", 56, "--global 2 --local 2"),
    ("local structs", "typedef struct { int a; char b; } S;", "", "",
     "local S t[2]; int l = get_local_id(0); t[l].b = l + 5; barrier(CLK_LOCAL_MEM_FENCE); if (!l) out[0] = t[0].b * 10 + t[1].b;", 56, "--global 2 --local 2"),
    ("local pointer parameter", "", "local int *t", "t=2",
     "int l = get_local_id(0); t[l] = l + 5; barrier(CLK_LOCAL_MEM_FENCE); if (!l) out[0] = t[0] * 10 + t[1];", 56, "--global 2 --local 2"),
    ("local pointer to helper", "static void put(local int *t, int v) { *t = v; }", "", "",
     "local int t[2]; int l = get_local_id(0); put(t + l, l + 5); barrier(CLK_LOCAL_MEM_FENCE); if (!l) out[0] = t[0] * 10 + t[1];", 56, "--global 2 --local 2"),
    ("barrier in helper", "static void meet(void) { barrier(CLK_LOCAL_MEM_FENCE); }", "", "",
     "local int t[2]; int l = get_local_id(0); t[l] = l + 5; meet(); if (!l) out[0] = t[0] * 10 + t[1];", 56, "--global 2 --local 2"),
    ("unsigned long literals", "", "", "", "ulong a = 0xffffffffffffffffUL; out[0] = (int)(a >> 60) + (a > 5) * 100;", 115),
    ("char literals", "", "", "", "char c = '\\n', d = '\\x41', e = '\\101'; out[0] = c + d * 100 + (d == e) * 10000;", 16510),
    ("mixed signs compared", "", "", "",
     "int a = -1; uint b = 1; char c = -1; uchar d = 255; out[0] = (a > b) + (c == d) * 10 + ((char)d == c) * 100;", 101),
    ("variable shadows", "", "", "", "int a = 1; { int a = 2; { int a = 3; out[0] += a; } out[0] += a * 10; } out[0] += a * 100;", 123),
    ("nested ternaries and &&", "", "int n", "n=2", "out[0] = n == 1 ? 5 : n == 2 && n > 1 || n ? 6 : 7;", 6),
    ("arrays of arrays of structs", "typedef struct { short s; int t[2]; } S;", "", "",
     "S a[2][2]; for (int i = 0; i < 4; i++) { a[i / 2][i % 2].t[1] = i; a[i / 2][i % 2].s = -i; } out[0] = a[1][0].t[1] * 10 + a[1][1].s;", 17),
    ("pointer to array", "static int sum(int (*a)[3]) { return (*a)[0] + a[1][2]; }", "", "",
     "int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; out[0] = sum(a);", 7),
    ("shuffle narrow", "", "", "",
     "uchar8 a = (uchar8)(0, 1, 2, 3, 4, 5, 6, 7); uchar4 b = shuffle(a, (uchar4)(7, 5, 3, 1)); out[0] = b.x * 1000 + b.y * 100 + b.z * 10 + b.w;", 7531),
    ("early return", "static int f(int n) { if (n > 2) return 5; for (int i = 0; ; i++) if (i == n) return i * 10; }", "", "",
     "out[0] = f(3) * 100 + f(2);", 520),
    ("infinite for with break", "", "", "", "int i = 0; for (;;) { if (++i > 4) break; } out[0] = i;", 5),
    ("volatile local loops", "", "", "", "for (volatile int i = 0; i < 3; i++) out[0] += i;", 3),
    ("generic array of structures", "typedef struct { int v; } S; static int get(S *s, int n) { return s[n].v; }", "global S *g", "g=1,2,3",
     "S p[2] = {{4}, {5}}; local S l[1]; l[0].v = 6; out[0] = get(g, 2) * 100 + get(p, 1) * 10 + get(l, 0);", 356),
    ("a struct holding a generic pointer", "typedef struct { int *p; } S;", "", "",
     "int v = 5; S s = {&v}; *s.p = 7; s.p = out; *s.p = 3; out[0] += v * 10;", 73),
    ("pointer stored in a buffer", "typedef struct { global int *p; } S;", "", "",
     "local S s; s.p = out + 1; *s.p = 4; out[0] = out[1];", 4),
    ("work_group_barrier scopes", "", "", "",
     "int l = get_local_id(0); out[l] = l + 5; work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device); if (!l) out[0] = out[1];", 6, "--global 2 --local 2"),
    ("kernel called by kernel", "kernel void inner(global int *out, int n) { out[0] = n; }", "", "",
     "inner(out, 4); out[0]++;", 5),
    ("noinline", "static __attribute__((noinline)) int f(int a) { return a * 3; }", "", "", "out[0] = f(4);", 12),
    ("a macro with a line", "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define CAT(a, b) a##b\n#define STR(x) #x", "", "",
     "int CAT(v, 1) = MIN(3, 2); constant char *s = STR(q); out[0] = v1 * 10 + (s[0] == 'q');", 21),
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
COPY = "--global 2 --arg x=1,2 --arg out=0,0"
COPIED = """kernel void k(global int *x, global int *out) {
	local int t[2], u;
	int l = get_local_id(0);
	event_t e = async_work_group_copy(t, x, 2, 0);
	BEFORE
	wait_group_events(1, &e);
	BEHIND
}
"""

# Counters in local memory, added up in global memory: as many bins as `KEYS` has values.
HISTOGRAM = """kernel void k(global const uint *keys, global uint *bins, local uint *h, uint n)
{
	for (uint i = get_local_id(0); i < 4; i += get_local_size(0))
		h[i] = 0;
	FIRST
	for (uint i = get_global_id(0); i < n; i += get_global_size(0))
		atomic_inc(&h[keys[i] & 3]);
	SECOND
	for (uint i = get_local_id(0); i < 4; i += get_local_size(0))
		atomic_add(&bins[i], h[i]);
}
"""
KEYS = "0,1,2,3,0,1,2,0,1,2,3,3,0,1,1,0"
COUNTED = "bins[0] == 5 && bins[1] == 5 && bins[2] == 3 && bins[3] == 3"


def histogram(first="barrier(CLK_LOCAL_MEM_FENCE);", second="barrier(CLK_LOCAL_MEM_FENCE);"):
    return HISTOGRAM.replace("FIRST", first).replace("SECOND", second)


# A launch, a text, and what all of the lines say that are printed.
SEVERAL = [
    ("a histogram of a group of sixteen", f"--global 16 --arg keys={KEYS} --arg bins=0*4 --arg h=4 --arg n=16 --ask '{COUNTED}'", histogram(),
     ["Observation k Always 1 0"]),
    ("a histogram of four groups", f"--global 16 --local 4 --legacy-scope device --arg keys={KEYS} --arg bins=0*4 --arg h=4 --arg n=16 --ask '{COUNTED}'",
     histogram(), ["Observation k Always 1 0"]),
    ("the count of a radix sort", f"--global 64 --local 32 --arg keys={KEYS},{KEYS},{KEYS},{KEYS} --arg hist=0*8 --arg h=4 --arg shift=1 "
     "--ask 'hist[0] == 20 && hist[1] == 20 && hist[2] == 12 && hist[3] == 12 && hist[4] == 0'",
     """kernel void k(global const uint *keys, global uint *hist, local uint *h, uint shift)
{
	uint l = get_local_id(0);
	if (l < 4)
		h[l] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(&h[keys[get_global_id(0)] >> shift & 3]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < 4)
		hist[l * get_num_groups(0) + get_group_id(0)] = h[l];
}""", ["Observation k Always 1 0"]),
    # what is read in between tells who counted first
    ("a counter that somebody looks at", "--global 3 --local 1 --arg c=0 --arg out=7 " + " ".join(f"--ask 'out == {n}'" for n in (0, 1, 2)),
     f"""kernel void k(global atomic_int *c, global int *out)
{{
	if (get_global_id(0) < 2)
		atomic_fetch_add_explicit(c, 1, {RLX}, {DEV});
	else
		out[0] = atomic_fetch_add_explicit(c, 4, {RLX}, {DEV});
}}""", ["Condition out == 0\nObservation k Sometimes 1 2", "Condition out == 1\nObservation k Sometimes 1 2",
            "Condition out == 2\nObservation k Sometimes 1 2"]),
    # the second work-item's release reaches the first one by the counter, if it counts first
    ("a counter that releases", "--global 2 --local 1 --arg y=0 --arg c=0 --arg out=7 --ask 'out == 2' --ask 'out == 1'",
     f"""kernel void k(global atomic_int *y, global atomic_int *c, global int *out)
{{
	if (get_global_id(0) == 0) {{
		atomic_fetch_add_explicit(c, 1, {RLX}, {DEV});
		atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, {ACQ}, {DEV});
		atomic_store_explicit(y, 1, {RLX}, {DEV});
	}} else {{
		out[0] = atomic_load_explicit(y, {RLX}, {DEV});
		atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, {REL}, {DEV});
		atomic_fetch_add_explicit(c, 1, {RLX}, {DEV});
	}}
}}""", [f"Observation k {LOOKED}", "Observation k Sometimes 1 1"]),
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
    ("a lock of two by seq_cst, given back by a release", "--global 2 --local 1 --arg f=0,0 --arg turn=0 --arg c=0",
     """kernel void k(global atomic_int *f, global atomic_int *turn, global int *c)
{
	int me = get_global_id(0), other = 1 - me;
	atomic_store(&f[me], 1);
	atomic_store(turn, other);
	if (!atomic_load(&f[other]) || atomic_load(turn) != other) {
		c[0]++;
		atomic_store_explicit(&f[me], 0, memory_order_release, memory_scope_device);
	}
}""", ["no undefined behaviour"]),
    ("a lock that releases at each try", "--global 3 --local 1 --arg l=0 --arg c=0 --ask 'c[0] == 3'",
     """kernel void k(global atomic_int *l, global int *c)
{
	while (atomic_exchange_explicit(l, 1, memory_order_acq_rel, memory_scope_device))
		;
	c[0]++;
	atomic_store(l, 0);
}""", ["Observation k Always 1 0"]),
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
    ("six work-items of four seq_cst accesses, which store what they load", "--global 6 --local 1 --arg x=0*6 --arg r=0*24 --ask 'r[0] == 1 && r[1] == 0'",
     """kernel void f(global atomic_int *x, global int *r)
{
	int i = get_global_id(0);
	atomic_store(&x[i], i * 8 + 1);
	r[i * 4 + 1] = atomic_load(&x[(i + 1) % 6]);
	atomic_store(&x[(i + 1) % 6], i * 8 + 3);
	r[i * 4 + 3] = atomic_load(&x[(i + 2) % 6]);
}""", ["Observation f Never 0 2"]),
    ("four work-items of six mixed updates", "--global 4 --local 1 --arg x=0 --arg r=0*12 --ask 'x == 3'",
     """kernel void f(global atomic_int *x, global int *r)
{
	int i = get_global_id(0);
	for (int k = 0; k < 2; k++) {
		r[i * 3] = atomic_fetch_add_explicit(x, i + 1, memory_order_relaxed, memory_scope_device);
		r[i * 3 + 1] = atomic_fetch_xor_explicit(x, i + 2, memory_order_relaxed, memory_scope_device);
		r[i * 3 + 2] = atomic_exchange_explicit(x, i * 8 + k * 3, memory_order_relaxed, memory_scope_device);
	}
}""", ["Observation f Sometimes 1 3"]),
    ("store buffering, seq_cst", SB_ARGS, SB.replace("ORDER", "memory_order_seq_cst").replace("FENCE", ""), ["Never 0 3"]),
    ("store buffering, relaxed", SB_ARGS, SB.replace("ORDER", RLX).replace("FENCE", ""), ["Sometimes 1 3"]),
    ("store buffering, fences", SB_ARGS, SB.replace("ORDER", RLX).replace("FENCE", SC_FENCE), ["Never 0 3"]),
    ("load buffering", "--global 2 --local 1 --arg x=0,0 --arg r=9,9 --ask 'r[0] == 1 && r[1] == 1'",
     "kernel void k(global atomic_int *x, global int *r) { int i = get_global_id(0);\n"
     f"r[i] = atomic_load_explicit(&x[i], {RLX}, {DEV}); atomic_store_explicit(&x[1 - i], 1, {RLX}, {DEV}); }}", [LOOKED]),
    ("no load buffering", "--global 2 --local 1 --arg x=0,0 --arg r=9,9 --ask '!(r[0] == 1 && r[1] == 1)'",
     "kernel void k(global atomic_int *x, global int *r) { int i = get_global_id(0);\n"
     f"r[i] = atomic_load_explicit(&x[i], {RLX}, {DEV}); atomic_store_explicit(&x[1 - i], 1, {RLX}, {DEV}); }}", [LOOKED.replace("None", "All")]),
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
    ("functions of 1.x that a race is named of", "--global 2 --local 1 --arg x=0",
     "kernel void k(global int *x) { atomic_inc(x); }", ["With --legacy-scope device they count as the device's"]),
    ("a race of others", "--global 2 --local 1 --arg x=0 --arg y=0",
     "kernel void k(global int *x, global int *y) { *y = 1; atomic_inc(x); }", ["a data race: nothing orders the two accesses\nObservation"]),
    ("functions of 1.x between groups, as of the device", "--global 4 --local 2 --legacy-scope device --arg x=0 --ask 'x == 4'",
     "kernel void k(global int *x) { atomic_inc(x); }", ["Always 1 0"]),
    ("functions of 1.x beside a plain read", "--global 2 --local 1 --legacy-scope device --arg x=0,0",
     "kernel void k(global int *x) { if (get_global_id(0)) atomic_inc(x); else x[1] = x[0]; }", ["writes x[0], atomically, with memory_scope_device", "a data race"]),
    ("the same beside functions of 2.0", "--global 2 --local 1 --legacy-scope device --arg x=0 --ask 'x == 2'",
     "kernel void k(global int *x) { if (get_global_id(0)) atomic_inc(x);"
     " else atomic_fetch_add_explicit((global atomic_int *)x, 1, memory_order_relaxed, memory_scope_device); }", ["Always 1 0"]),
    ("the same in their own group", "--global 2 --local 2 --legacy-scope device --arg x=0 --ask 'x == 2'",
     "kernel void k(global int *x) { if (get_global_id(0)) atomic_inc(x);"
     " else atomic_fetch_add_explicit((global atomic_int *)x, 1, memory_order_relaxed, memory_scope_work_group); }", ["Always 1 0"]),
    ("as the text has them", "--global 2 --local 1 --legacy-scope work_group --arg x=0", "kernel void k(global int *x) { atomic_inc(x); }", ["a data race"]),
    # none looks at what the others counted: an addition that reads early makes the same sum
    ("counters in any order", "--global 2 --local 1 --arg x=0,0 --ask 'x[0] == 2 && x[1] == 2'",
     "kernel void k(global atomic_int *x) {\nint i = get_global_id(0);\n"
     f"atomic_fetch_add_explicit(&x[i], 1, {RLX}, {DEV}); atomic_fetch_add_explicit(&x[1 - i], 1, {RLX}, {DEV}); }}", ["Always 1 0"]),
    ("counters of a group, and then of all", "--global 4 --local 2 --legacy-scope device --arg d=0,1,1,0,0,1,1,0 --arg h=0,0 --ask 'h[0] == 4 && h[1] == 4'",
     """kernel void k(global const int *d, global int *h) {
local int own[2];
int l = get_local_id(0), g = get_global_id(0);
own[l] = 0;
barrier(CLK_LOCAL_MEM_FENCE);
atomic_inc(&own[d[2 * g]]);
atomic_inc(&own[d[2 * g + 1]]);
barrier(CLK_LOCAL_MEM_FENCE);
atomic_add(&h[l], own[l]);
atomic_add(&h[1 - l], 0);
}""", ["Always 1 0"]),
    # 0 reads what 1 adds behind its own read of what 0 adds behind: both see 1, of which no value waits for itself
    ("counters whose value is looked at", "--global 2 --local 1 --arg x=0,0 --arg r=0,0 --ask 'r[0] == 1 && r[1] == 1'",
     "kernel void k(global atomic_int *x, global int *r) {\nint i = get_global_id(0);\n"
     f"r[i] = atomic_fetch_add_explicit(&x[i], 1, {RLX}, {DEV}); atomic_fetch_add_explicit(&x[1 - i], 1, {RLX}, {DEV}); }}", [LOOKED]),
    ("counters that do not commute", "--global 2 --local 1 --arg x=0,0 --ask 'x[0] == 9'",
     "kernel void k(global atomic_int *x) {\nint i = get_global_id(0);\n"
     f"atomic_fetch_add_explicit(&x[i], 1, {RLX}, {DEV}); atomic_fetch_or_explicit(&x[1 - i], 2, {RLX}, {DEV}); }}", [LOOKED]),
    ("an atomic function of 1.x in a group", "--global 3 --arg x=0 --ask 'x[0] == 3'",
     "kernel void k(global int *x) { atomic_inc(x); }", ["Always 1 0"]),
    ("a plain wait", "--global 2 --local 1 --arg x=0", "kernel void k(global volatile int *x) {\nif (get_global_id(0)) *x = 1;\nelse while (*x == 0);\n}",
     ["k.cl:3:", "k.cl:2:", "a data race"]),
    ("sub-groups", "--global 4 --local 4 --sub-group 2 --arg x=0,0,0,0 --ask 'x[2] == 21'",
     "kernel void k(global int *x) { int l = get_local_id(0);\n x[l] = sub_group_reduce_add(l) * 4 + get_sub_group_id(); }", ["Always 1 0"]),
    ("all within a bound of loops", "--global 2 --local 1 --unroll 2 --arg x=0 --arg y=0 --ask 'y == 0'",
     "kernel void k(global atomic_int *x, global int *y) {\nif (get_global_id(0)) {\nint i = 0;\n"
     f"while (i < 5 && !atomic_load_explicit(x, {ACQ}, {DEV}))\ni++;\n*y = i == 5;\n}} else {{\natomic_store_explicit(x, 1, {REL}, {DEV});\n}}\n}}",
     ["All within 2 turns of the loop at line 4"]),
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
    ("questions about floating point", "--global 1 --arg f=3,-1 --arg h=1 --ask 'f[0] == 6 && f[1] == -2 && h == 3'",
     "kernel void k(global float *f, global half *h) { f[0] *= 2; f[1] *= 2; vstore_half(f[0] / 2, 0, h); }", ["Always 1 0"]),
    # 0.1f is not 0.1, and a NaN does not equal itself; parts of numbers are kept
    ("questions about parts", "--global 1 --arg f=0.1,1.5 --arg d=0.1 --arg n=nan --ask 'f[0] == 0.1f && f[0] != 0.1 && f[1] - .5 == 1 && f[1] > 1 "
     "&& -f[1] <= -1.5e0 && f[1] * 2 == 3 && f[1] / 2 == 0x1.8p-1 && !(f[1] < 1.25) && d == 0.1 && n != n && f[0]'",
     "kernel void k(global float *f, global double *d, global float *n) { }", ["Always 1 0"]),
    ("parts that differ", "--global 2 --local 1 --arg x=0 --ask 'x == 0.75'",
     "kernel void k(global atomic_float *x) { atomic_store(x, get_global_id(0) ? 0.5f : 0.75f); }", ["Sometimes 1 1"]),
    ("numbers of floating point in an execution", "--global 2 --local 1 --arg f=3.5 --arg x=0 --arg y=0 --ask 'y == 1'",
     "kernel void k(global float *f, global atomic_int *x, global int *y) { if (get_global_id(0)) atomic_store(x, f[0] == 3.5f); else *y = atomic_load(x); }",
     ["Sometimes", "reads f: 3.5\n"]),
    ("copies by turns", "--global 2 --arg x=1,2,3,4,5,6 --arg out=0,0 --ask 'out[0] == 9 && out[1] == 12'",
     """kernel void k(global int *x, global int *out) {
	local int t[2][2]; int l = get_local_id(0), s = 0;
	event_t e = async_work_group_copy(t[0], x, 2, 0);
	for (int i = 0; i < 3; i++) {
		event_t next = e;
		if (i < 2) next = async_work_group_copy(t[(i + 1) % 2], x + 2 * i + 2, 2, 0);
		wait_group_events(1, &e);
		s += t[i % 2][l];
		barrier(CLK_LOCAL_MEM_FENCE);
		e = next;
	}
	out[l] = s;
}""", ["Always 1 0"]),
    ("copies that nobody waits for, up to sixty", "--global 2 --arg x=7*60 --arg out=0,0 --ask 'out[0] == 7'",
     "kernel void k(global int *x, global int *out) { local int t[60]; event_t e[60]; for (int i = 0; i < 60; i++) "
     "e[i] = async_work_group_copy(t + i, x + i, 1, 0); wait_group_events(60, e); out[get_local_id(0)] = t[59]; }", ["Always 1 0"]),
    ("copies of two groups", "--global 4 --local 2 --arg x=1,2,3,4 --arg out=0*4 --ask 'out[3] == 4 && out[0] == 1'",
     """kernel void k(global int *x, global int *out) {
	local int t[2]; int g = get_group_id(0);
	event_t e = async_work_group_copy(t, x + 2 * g, 2, 0);
	wait_group_events(1, &e);
	e = async_work_group_copy(out + 2 * g, t, 2, 0);
	wait_group_events(1, &e);
}""", ["Always 1 0"]),
    ("a copy that is read too early", COPY, COPIED.replace("BEFORE", "out[0] = t[0];").replace("BEHIND", ""),
     ["k.cl:5:", "k.cl:4:", "the asynchronous copy writes t[0]", "a data race"]),
    ("a copy whose source is overwritten too early", COPY, COPIED.replace("BEFORE", "x[l] = 4;").replace("BEHIND", ""),
     ["k.cl:5:", "k.cl:4:", "the asynchronous copy reads x[", "a data race"]),
    ("a copy that nobody waits for", COPY, COPIED.replace("wait_group_events(1, &e);", "").replace("BEFORE", "").replace("BEHIND", ""),
     ["ends without having waited for an asynchronous copy", "Undefined"]),
    ("groups of which the last ones are smaller", "--global 5,3 --local 2,2 --arg out=0*15 --ask 'out[0] == 4 && out[4] == 2 && out[10] == 2 && out[14] == 1'",
     "kernel void k(global int *out) {\nout[get_global_linear_id()] = work_group_reduce_add(1);\n}", ["Always 1 0"]),
    ("a barrier of smaller groups", "--global 3 --local 2 --arg out=0*3 --ask 'out[0] == 2 && out[2] == 3'",
     "kernel void k(global int *out) {\nlocal int t[2];\nint l = get_local_id(0), n = get_local_size(0);\nt[l] = get_global_id(0) + 1;\n"
     "barrier(CLK_LOCAL_MEM_FENCE);\nout[get_global_id(0)] = t[n - 1];\n}", ["Always 1 0"]),
    ("a race between groups of different sizes", "--global 3 --local 2 --arg out=0*4", "kernel void k(global int *out) {\nout[get_global_id(0)] = out[get_group_id(0) + 2];\n}",
     ["k.cl:2:", "work-item 2 (0 of group 1) writes out[2]", "work-item 0 (0 of group 0) reads out[2]", "a data race"]),
    ("sub-groups of smaller groups", "--global 7 --local 4 --sub-group 2 --arg out=0*7 --ask 'out[0] == 22 && out[4] == 22 && out[6] == 21'",
     "kernel void k(global int *out) {\nout[get_global_id(0)] = get_num_sub_groups() * 10 + get_sub_group_size();\n}", ["Always 1 0"]),
    ("a copy whose event another is waited for in place of", COPY, COPIED.replace("BEFORE", "event_t f = async_work_group_copy(u, x, 2, 0);")
     .replace("BEHIND", "x[0] = u[0]; wait_group_events(1, &f);").replace("local int t[2], u;", "local int t[2], u[2];"),
     ["k.cl:7:", "k.cl:5:", "the asynchronous copy writes u[0]", "a data race"]),
    ("a copy that not all make", COPY, COPIED.replace("BEFORE", "if (l) e = async_work_group_copy(t, x, 1, e);").replace("BEHIND", ""),
     ["waits at an asynchronous copy", "waits at wait_group_events()", "Undefined"]),
    ("a copy with other arguments", COPY, COPIED.replace("x, 2, 0", "x, 1 + l, 0").replace("BEFORE", "").replace("BEHIND", ""),
     ["k.cl:4:", "an asynchronous copy with other arguments than in other work-items of the group"]),
    ("a copy that is no barrier", COPY, COPIED.replace("BEFORE", "if (l) u = 1;").replace("BEHIND", "x[l] = u;"),
     ["reads u", "writes u", "a data race"]),
    ("a second copy of what comes by the first", COPY.replace("2", "1", 1), COPIED.replace("BEFORE", "event_t f = async_work_group_copy(out, t, 2, 0);")
     .replace("BEHIND", "wait_group_events(1, &f);"),
     ["k.cl:5:", "k.cl:4:", "the asynchronous copy reads t[0]", "the asynchronous copy writes t[0]", "a data race"]),
    ("a copy of what was just written", COPY, "kernel void k(global int *x, global int *out) {\nlocal int t[2];\nx[get_local_id(0)] = 5;\n"
     "event_t e = async_work_group_copy(t, x, 2, 0);\nwait_group_events(1, &e);\n}",
     ["k.cl:4:", "k.cl:3:", "the asynchronous copy reads x[", "a data race"]),
    ("options of the compiler", "--global 1 -DN=3 --arg x=0 --ask 'x[0] == 3'", "kernel void k(global int *x) { x[0] = N; }", ["Always 1 0"]),
]

# Four work-items of a sub-group, of which `v` is 3, 1, 6 and 4: what each of them gets, worked out by hand.
LANES = [
    ("shuffle", "sub_group_shuffle(v, 3 - l)", (4, 6, 1, 3)),
    ("shuffle in a circle", "sub_group_shuffle(v, (l + 1) & 3)", (1, 6, 4, 3)),
    ("shuffle of a signed char", "sub_group_shuffle((char)(v - 4), 3 - l)", (0, 2, -3, -1)),
    ("shuffle of a long", "(int)(sub_group_shuffle((long)v << 40, 3 - l) >> 40)", (4, 6, 1, 3)),
    ("shuffle of a float", "(int)(sub_group_shuffle(v * 0.5f, 3 - l) * 2)", (4, 6, 1, 3)),
    ("shuffle_xor 1", "sub_group_shuffle_xor(v, 1)", (1, 3, 4, 6)),
    ("shuffle_xor 2", "sub_group_shuffle_xor(v, 2)", (6, 4, 3, 1)),
    ("shuffle_up", "(t = sub_group_shuffle_up(v, 1), l < 1 ? 9 : t)", (9, 3, 1, 6)),
    ("shuffle_up by a variable", "(t = sub_group_shuffle_up(v, l), t)", (3, 3, 3, 3)),
    ("shuffle_down", "(t = sub_group_shuffle_down(v, 2), l > 1 ? 9 : t)", (6, 4, 9, 9)),
    ("an undefined value through a function", "kept(sub_group_shuffle_up(v, 1), l)", (9, 3, 1, 6)),
    ("elect", "sub_group_elect()", (1, 0, 0, 0)),
    ("all", "sub_group_non_uniform_all(v) + sub_group_non_uniform_all(v > 3) * 2", (1, 1, 1, 1)),
    ("any", "sub_group_non_uniform_any(v > 3) + sub_group_non_uniform_any(v > 9) * 2", (1, 1, 1, 1)),
    ("all_equal", "sub_group_non_uniform_all_equal(v) * 2 + sub_group_non_uniform_all_equal(l / 4)", (1, 1, 1, 1)),
    ("all_equal of floats", "sub_group_non_uniform_all_equal(v * 0.5f) * 2 + sub_group_non_uniform_all_equal(l ? 0.0f : -0.0f)", (1, 1, 1, 1)),
    ("broadcast", "sub_group_non_uniform_broadcast(v, 2)", (6, 6, 6, 6)),
    ("broadcast_first", "sub_group_broadcast_first(v)", (3, 3, 3, 3)),
    ("reduce_add", "sub_group_non_uniform_reduce_add(v)", (14, 14, 14, 14)),
    ("inclusive_add", "sub_group_non_uniform_scan_inclusive_add(v)", (3, 4, 10, 14)),
    ("exclusive_add", "sub_group_non_uniform_scan_exclusive_add(v)", (0, 3, 4, 10)),
    ("reduce_mul", "sub_group_non_uniform_reduce_mul(v)", (72, 72, 72, 72)),
    ("exclusive_mul", "sub_group_non_uniform_scan_exclusive_mul(v)", (1, 3, 3, 18)),
    ("reduce_min, reduce_max", "sub_group_non_uniform_reduce_min(v) * 10 + sub_group_non_uniform_reduce_max(v)", (16, 16, 16, 16)),
    ("exclusive_min", "sub_group_non_uniform_scan_exclusive_min(v)", (0x7fffffff, 3, 1, 1)),
    ("exclusive_max", "sub_group_non_uniform_scan_exclusive_max(v)", (-0x80000000, 3, 3, 6)),
    ("unsigned minimum", "sub_group_non_uniform_reduce_min((uint)(v - 4)) == 0", (1, 1, 1, 1)),
    ("unsigned maximum", "sub_group_non_uniform_scan_inclusive_max((uint)(v - 4)) == 0xffffffffu", (1, 1, 1, 1)),
    ("signed maximum", "sub_group_non_uniform_scan_inclusive_max(v - 4)", (-1, -1, 2, 2)),
    ("exclusive_and", "sub_group_non_uniform_scan_exclusive_and(v)", (-1, 3, 1, 0)),
    ("inclusive_or", "sub_group_non_uniform_scan_inclusive_or(v)", (3, 3, 7, 7)),
    ("inclusive_xor", "sub_group_non_uniform_scan_inclusive_xor(v)", (3, 2, 4, 0)),
    ("exclusive_logical_and", "sub_group_non_uniform_scan_exclusive_logical_and(v < 6)", (1, 1, 1, 0)),
    ("exclusive_logical_or", "sub_group_non_uniform_scan_exclusive_logical_or(v > 3)", (0, 0, 0, 1)),
    ("inclusive_logical_xor", "sub_group_non_uniform_scan_inclusive_logical_xor(v > 3)", (0, 0, 1, 0)),
    ("sums of floats", "(int)(sub_group_non_uniform_scan_inclusive_add(v * 0.5f) * 2)", (3, 4, 10, 14)),
    ("products of floats", "(int)sub_group_non_uniform_scan_inclusive_mul((float)v)", (3, 3, 18, 72)),
    ("the least float", "(int)sub_group_non_uniform_scan_inclusive_min((float)v)", (3, 1, 1, 1)),
    ("the greatest float", "(int)sub_group_non_uniform_scan_inclusive_max((float)v)", (3, 3, 6, 6)),
    ("clustered_add", "sub_group_clustered_reduce_add(v, 2)", (4, 4, 10, 10)),
    ("clustered_max", "sub_group_clustered_reduce_max(v, 2) + sub_group_clustered_reduce_max(v, 4) * 10", (63, 63, 66, 66)),
    ("ballot", "(int)sub_group_ballot(v > 3).x", (12, 12, 12, 12)),
    ("inverse_ballot", "sub_group_inverse_ballot((uint4)(12, 0, 0, 0))", (0, 0, 1, 1)),
    ("ballot_bit_extract", "sub_group_ballot_bit_extract((uint4)(12, 0, 0, 0), l)", (0, 0, 1, 1)),
    ("ballot_bit_count", "(int)sub_group_ballot_bit_count((uint4)(0xfd, 0, 0, 0))", (3, 3, 3, 3)),
    ("ballot_inclusive_scan", "(int)sub_group_ballot_inclusive_scan((uint4)(13, 0, 0, 0))", (1, 1, 2, 3)),
    ("ballot_exclusive_scan", "(int)sub_group_ballot_exclusive_scan((uint4)(13, 0, 0, 0))", (0, 1, 1, 2)),
    ("ballot_find", "(int)(sub_group_ballot_find_lsb((uint4)(0x66, 0, 0, 0)) * 10 + sub_group_ballot_find_msb((uint4)(0x66, 0, 0, 0)))", (12, 12, 12, 12)),
    ("eq_mask", "(int)get_sub_group_eq_mask().x", (1, 2, 4, 8)),
    ("ge_mask", "(int)get_sub_group_ge_mask().x", (15, 14, 12, 8)),
    ("gt_mask", "(int)get_sub_group_gt_mask().x", (14, 12, 8, 0)),
    ("le_mask", "(int)get_sub_group_le_mask().x", (1, 3, 7, 15)),
    ("lt_mask", "(int)get_sub_group_lt_mask().x", (0, 1, 3, 7)),
    # the same operation by the same calls, in the same turn of each loop, though some did more before
    ("a butterfly", "butterfly(v)", (14, 14, 14, 14)),
    ("behind loops of their own", "(each(l), sub_group_shuffle_xor(v, 1))", (1, 3, 4, 6)),
    ("loops within loops", "nested(v, l)", (58, 50, 46, 38)),
]

# Two work-items of a sub-group of which not both come to the same: the file's lines, and what is said.
PARTED = [
    ("one ends", "if (l == 0)\nv = sub_group_shuffle_xor(v, 1);", "k.cl:4:5: work-item 0: not understood: OpGroupNonUniformShuffleXor: "
     "work-item 1 of the sub-group ends without it"),
    ("one has ended", "if (l == 1)\nv = sub_group_shuffle_xor(v, 1);", "k.cl:4:5: work-item 1: not understood: OpGroupNonUniformShuffleXor: "
     "work-item 0 of the sub-group ends without it"),
    ("at two lines", "if (l)\nv = sub_group_shuffle_xor(v, 1);\nelse\nv = sub_group_shuffle_xor(v, 1);", "is at line 4, and not there with it"),
    ("by two calls", "if (l)\nv = called(v);\nelse\nv = called(v);", "is in another turn of a loop, or another call"),
    ("in other turns", "for (int i = 0; i < 2; i++)\nif (i == l)\nv = sub_group_shuffle_xor(v, 1);", "is in another turn of a loop, or another call"),
    ("in other turns of an outer loop", "for (int i = 0; i < 2; i++)\nfor (int j = 0; j < 1; j++)\nif (i == l)\nv = sub_group_shuffle_xor(v, 1);",
     "is in another turn of a loop, or another call"),
    ("in other turns around a call", "for (int i = 0; i < 2; i++)\nif (i == l)\nv = called(v);", "is in another turn of a loop, or another call"),
    ("in other turns of goto", "int i = 0;\nagain:\nif (i == l)\nv = sub_group_shuffle_xor(v, 1);\nif (++i < 2)\ngoto again;",
     "is in another turn of a loop, or another call"),
    ("behind one turn together", "for (int i = 0; i < 4; i++)\nif (i < 2 || i == 2 + l)\nv = sub_group_shuffle_xor(v, 1);",
     "is in another turn of a loop, or another call"),
    ("one turns more often", "for (int i = 0; i <= l; i++)\nv = sub_group_shuffle_xor(v, 1);", "work-item 0 of the sub-group ends without it"),
    ("one waits at a barrier", "if (l == 0)\nv = sub_group_shuffle_xor(v, 1);\nbarrier(CLK_LOCAL_MEM_FENCE);", "is at line 5, and not there with it"),
    ("one waits at a barrier of the sub-group", "if (l)\nv = sub_group_shuffle_xor(v, 1);\nsub_group_barrier(CLK_LOCAL_MEM_FENCE);",
     "is at line 5, and not there with it"),
    ("one waits at a function that all must reach", "if (l == 0)\nv = sub_group_shuffle_xor(v, 1);\nv = sub_group_reduce_add(v);",
     "is at line 5, and not there with it"),
    ("one waits for the other", "if (l)\nwhile (atomic_load(f) == 0)\n;\nv = sub_group_shuffle_xor(v, 1);\natomic_store(f, 1);",
     "is at line 4, and not there with it"),
    ("one turns round for ever", "if (l)\nfor (;;)\n;\nv = sub_group_shuffle_xor(v, 1);", "and not there with it"),
]

# What is refused: the exit status is 2.
REFUSED = [
    # cl_khr_subgroup_shuffle: the value is undefined, and the behaviour is not
    ("a sum with a value from no work-item", "--global 2 --arg x=1,2",
     "kernel void k(global int *x) {\nint v = sub_group_shuffle_up(x[get_local_id(0)], 1);\nv += 1;\nx[get_local_id(0)] = v;\n}",
     ["k.cl:3:3: work-item 0: not understood: an undefined value is used: OpGroupNonUniformShuffleUp at line 2 took it from a work-item that its group does not have"]),
    ("it is written", "--global 2 --arg x=1,2", "kernel void k(global int *x) {\nx[get_local_id(0)] = sub_group_shuffle_down(x[get_local_id(0)], 1);\n}",
     ["k.cl:2:20: work-item 1: not understood: an undefined value is used: OpGroupNonUniformShuffleDown at line 2"]),
    ("it decides", "--global 2 --arg x=1,2", "kernel void k(global int *x) {\nint v = sub_group_shuffle_down(x[get_local_id(0)], 1);\nif (v)\nx[0] = 1;\n}",
     ["k.cl:3:5: work-item 1: not understood: an undefined value is used: OpGroupNonUniformShuffleDown at line 2"]),
    ("it is an index", "--global 2 --arg x=1,2", "kernel void k(global int *x) {\nint v = sub_group_shuffle_xor(0, 2);\nx[v] = 1;\n}",
     ["k.cl:3:", "an undefined value is used: OpGroupNonUniformShuffleXor at line 2"]),
    ("it comes by a function and a loop", "--global 2 --arg x=1,2",
     "int kept(int v) {\nint w = 0;\nfor (int i = 0; i < 2; i++) w = v;\nreturn w;\n}\n"
     "kernel void k(global int *x) {\nint v = kept(sub_group_shuffle(1, 7));\nx[get_local_id(0)] = v;\n}",
     ["k.cl:8:20: work-item 0: not understood: an undefined value is used: OpGroupNonUniformShuffle at line 7"]),
    ("it is a part of a structure", "--global 2 --arg x=1,2",
     "typedef struct { int a, b; } pair;\nkernel void k(global int *x) {\npair p, q;\np.a = 1;\np.b = sub_group_shuffle(1, 7);\nq = p;\nx[get_local_id(0)] = q.a;\n}",
     ["k.cl:6:", "an undefined value is used: OpGroupNonUniformShuffle at line 5"]),
    ("it is shuffled on", "--global 2 --arg x=1,2", "kernel void k(global int *x) {\nint v = sub_group_shuffle_up(1, 1);\nv = sub_group_shuffle_up(v, 1);\n}",
     ["k.cl:3:", "an undefined value is used: OpGroupNonUniformShuffleUp at line 2"]),
    ("the work-item behind the last of a small sub-group", "--global 3 --local 3 --sub-group 2 --arg x=1,2,3",
     "kernel void k(global int *x) {\nint l = get_local_id(0);\nx[l] = sub_group_shuffle_xor(x[l], 1);\n}",
     ["k.cl:3:6: work-item 2: not understood: an undefined value is used: OpGroupNonUniformShuffleXor at line 3"]),
    ("a broadcast from no work-item", "--global 2 --arg x=1,2", "kernel void k(global int *x) {\nx[get_local_id(0)] = work_group_broadcast(1, 2);\n}",
     ["k.cl:2:20: work-item 0: not understood: an undefined value is used: OpGroupBroadcast at line 2"]),
    ("more undefined values than are kept", "--global 2 --arg x=1,2",
     "kernel void k(global int *x) {\nint v[30];\nfor (int i = 0; i < 30; i++)\nv[i] = sub_group_shuffle(i, 7);\nx[get_local_id(0)] = 1;\n}",
     ["k.cl:4:", "more than 24 undefined values of a work-item at a time"]),
    # a loop that may wait is not followed for ever
    ("a loop that turns long without a shuffle in it", "--global 2 --arg x=1,2 --arg c=0",
     "kernel void k(global int *x, global atomic_int *c) {\nint v = 0;\nfor (int i = atomic_load(c); i < 100; i += atomic_load(c) + 1)\nif (i == 99)\n"
     "v = sub_group_shuffle(i, 0);\nx[get_local_id(0)] = v;\n}",
     ["k.cl:5:5: work-item 0: not understood: OpGroupNonUniformShuffle: in a loop with atomic accesses that turned 64 times without it"]),
    ("a loop that turns long without a barrier in it", "--global 2 --arg c=0",
     "kernel void k(global atomic_int *c) {\nfor (int i = 0; i < 100; i += atomic_load(c) + 1)\nif (i == 99)\nbarrier(0);\n}",
     ["k.cl:4:1: work-item 0: not understood: OpControlBarrier: in a loop with atomic accesses that turned 64 times without it"]),
    ("a cluster beyond the sub-group", "--global 2 --arg x=1,2", "kernel void k(global int *x) {\nx[get_local_id(0)] = sub_group_clustered_reduce_add(1, 4);\n}",
     ["k.cl:2:22: work-item 0: not understood: OpGroupNonUniformIAdd: of a cluster that no sub-group is made of"]),
    ("more than sixty copies that nobody waits for", "--global 2 --arg x=7*61 --arg out=0,0",
     "kernel void k(global int *x, global int *out) { local int t[61]; event_t e[61]; for (int i = 0; i < 61; i++) "
     "e[i] = async_work_group_copy(t + i, x + i, 1, 0); wait_group_events(61, e); out[get_local_id(0)] = t[60]; }",
     ["not understood", "more copies than 60"]),
    ("no value of a parameter", "--global 1", "kernel void k(global int *x, int n) { x[0] = n; }", ["the parameter x of k has no value: --arg x=0,0"]),
    ("no such parameter", "--global 1 --arg x=0 --arg y=0", "kernel void k(global int *x) { x[0] = 1; }", ["--arg y=0: k has no such parameter"]),
    ("which kernel", "--global 1 --arg x=0", "kernel void a(global int *x) { }\nkernel void b(global int *x) { }", ["--kernel takes one of: a, b"]),
    ("no such kernel", "--kernel c --global 1 --arg x=0", "kernel void a(global int *x) { }", ["no kernel is named c; there are: a"]),
    ("no kernel at all", "--global 1", "void a(global int *x) { }", ["there is no kernel in it"]),
    ("sizes that do not fit a program of 1.x", "--global 3 --local 2 --build -cl-std=CL1.2 --arg x=0", "kernel void k(global int *x) { }", ["no whole number of groups"]),
    ("sizes that do not fit where they have to", "--global 4,3 --local 2,2 --build -cl-uniform-work-group-size --arg x=0", "kernel void k(global int *x) { }",
     ["3 work-items are no whole number of groups of 2"]),
    ("what is asked of nothing", "--global 1 --arg x=0 --ask 'y[0] == 1'", "kernel void k(global int *x) { }", ["no parameter or variable in memory has that name: y[0] == 1"]),
    ("an element that is not there", "--global 1 --arg x=0 --ask 'x[1] == 1'", "kernel void k(global int *x) { }", ["there is no such element"]),
    ("half a question", "--global 1 --arg x=0 --ask 'x[0] =='", "kernel void k(global int *x) { }", ["--ask 'x[0] =='"]),
    ("what the compiler refuses", "--global 1 --arg x=0", "kernel void k(global int *x) {\n x[0] = y;\n}", ["k.cl:2:9: error: use of undeclared identifier 'y'"]),
    ("a decision by rounding", "--global 1 --arg x=2", "kernel void k(global int *x) {\nif (sqrt((float)x[0]) > 0.5f)\nx[0] = 1;\n}",
     ["k.cl:2:", "not understood", "depends on rounding"]),
    ("an integer that depends on rounding", "--global 1 --arg x=3", "kernel void k(global int *x) {\nx[0] = as_int(1.0f / x[0]);\n}",
     ["k.cl:2:8: work-item 0: not understood: OpBitcast: a result of floating point that depends on rounding decides something"]),
    ("the bits of a number that depends on rounding", "--global 1 --arg x=3",
     "typedef union { int i; float f; } u;\nkernel void k(global int *x) {\nu v;\nv.f = 1.0f / x[0];\nx[0] = v.i;\n}",
     ["k.cl:5:10: work-item 0: not understood: OpLoad: a result of floating point that depends on rounding decides something"]),
    ("what a second result depends on", "--global 1 --arg x=3", "kernel void k(global int *x) {\nint e;\nfrexp(1.0f / x[0], &e);\nx[0] = e;\n}",
     ["k.cl:3:1: work-item 0: not understood: OpExtInst: a result of floating point that depends on rounding decides something"]),
    ("a number too large for an integer", "--global 1 --arg f=3e9 --arg x=0", "kernel void k(global float *f, global int *x) {\nx[0] = (int)f[0];\n}",
     ["k.cl:2:8: work-item 0: not understood: a number of floating point that no integer of that type holds"]),
    ("a question about rounding", "--global 1 --arg f=3 --ask 'f[0] == 1'", "kernel void k(global float *f) { f[0] = 1.0f / f[0]; }",
     ["--ask 'f[0] == 1': a number of floating point that depends on rounding"]),
    ("an index that is not whole", "--global 1 --arg f=3,4 --ask 'f[0.5] == 1'", "kernel void k(global float *f) { }",
     ["--ask 'f[0.5] == 1': an index is a whole number, before: ] == 1"]),
    ("the bits of a number in a question", "--global 1 --arg f=3 --ask '1 == (f[0] & 1)'", "kernel void k(global float *f) { }",
     ["an operator of whole numbers is before: )"]),
    ("a shift of a number in a question", "--global 1 --arg f=3 --ask '(f[0] << 1) == 6'", "kernel void k(global float *f) { }",
     ["a shift of whole numbers is before: ) == 6"]),
    ("a complement of a number in a question", "--global 1 --arg f=3 --ask '~f[0] == 6'", "kernel void k(global float *f) { }",
     ["`~` takes a whole number, before:  == 6"]),
    ("a kernel that enqueues another", "--global 1 --arg x=0",
     "kernel void k(global int *x) {\nqueue_t q = get_default_queue();\nenqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ *x = 2; });\n}",
     ["k.cl:2:13: work-item 0: not understood: OpGetDefaultQueue"]),
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
    ("no number", "--global 1 --arg x=a", "kernel void k(global int *x) { }", ["--arg x: a is not a number"]),
    ("size of local memory", "--global 1 --arg x=0,0", "kernel void k(local int *x) { }", ["how many elements"]),
]

SUM = """kernel void sum(global int *in, global int *out)
{
	local int t[SIZE];
	int l = get_local_id(0);
	t[l] = in[l];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int s = HALF; s > 0; s /= 2) {
		if (l < s)
			t[l] += t[l + s];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (l == 0)
		out[0] = t[0];
}"""

# Undefined behaviour of one work-item.
# C:6.15.8: a barrier in a loop is executed by all of the group in each turn in which anybody does. Two work-items of each sub-group have l 0 and 1.
MEETINGS = {"barrier": "barrier(CLK_GLOBAL_MEM_FENCE)", "collective": "a = work_group_any(l)", "barrier of sub-groups": "sub_group_barrier(CLK_GLOBAL_MEM_FENCE)",
            "collective of sub-groups": "a = sub_group_reduce_add(l)"}
IN_TURNS = [
    ("the first and the second turn", False, "for (int i = 0; i < 2; i++) if (i == l) { MEET; }"),
    ("turns as late as they come", False, "for (int i = 0; i < 200; i++) if (i == 190 + l) { MEET; }"),
    ("turns of the outer loop", False, "for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) if (j == 0 && i == l) { MEET; }"),
    ("turns of the inner loop", False, "for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) if (i == 1 && j == l) { MEET; }"),
    ("turns with a function", False, "for (int i = 0; i < 2; i++) if (i == l) a = two(l);"),
    ("calls in two branches", False, "if (l) a = two(l); else a = two(2);"),
    ("turns after all met", False, "for (int i = 0; i < 4; i++) { if (i == 1) { MEET; } if (i == 2 + l) a = two(l); }"),
    ("a turn before the last one", False, "int i = 0; while (1) { if (i < 2 && i == l) { MEET; } if (i == 3) break; i++; }"),
    # all come by in the same turns
    ("the last of many turns", True, "for (int i = 0; i < 200; i++) if (i == 199) { MEET; }"),
    ("each turn", True, "for (int i = 0; i < 3; i++) { MEET; }"),
    ("some turns", True, "for (int i = 0; i < 6; i++) if (i % 3 == 1) { MEET; }"),
    ("each turn of two loops", True, "for (int i = 0; i < 2; i++) { for (int j = 0; j <= i; j++) { MEET; } MEET; }"),
    ("a loop that some turn more often, before and between", True,
     "for (int i = 0; i < 2; i++) { for (int j = 0; j < l * 3; j++) a++; MEET; for (int j = l; j < 2; j++) a++; MEET; }"),
    ("a loop with it that some turn more often", True, "for (int i = 0; i < 2 + l; i++) if (i == 0) { MEET; } MEET;"),
    ("two calls", True, "a = two(l); for (int i = 0; i < 2; i++) a += two(l);"),
    ("some leave a function early", True, "for (int i = 0; i < 2; i++) { a += early(l); MEET; }"),
]

UNDEFINED = [
    ("a histogram whose bins are not clear yet", f"--global 16 --arg keys={KEYS} --arg bins=0*4 --arg h=4 --arg n=16", histogram(first=""),
     ["k.cl:7:3: work-item 4 writes h[0], atomically, with memory_scope_work_group", "k.cl:4:8: work-item 0 writes h[0], with a plain access", "a data race"]),
    ("a histogram that is not counted yet", f"--global 16 --arg keys={KEYS} --arg bins=0*4 --arg h=4 --arg n=16", histogram(second=""),
     ["k.cl:7:3: ", "k.cl:10:24: ", "reads h[", "a data race"]),
    ("sub-groups without a barrier between them", "--global 4 --local 4 --sub-group 2 --arg x=1,2,3,4 --arg out=0",
     "kernel void k(global int *x, global int *out) {\nlocal int part[2];\nint v = x[get_local_id(0)];\nv += sub_group_shuffle_xor(v, 1);\n"
     "if (get_sub_group_local_id() == 0)\npart[get_sub_group_id()] = v;\nif (get_local_id(0) == 0)\nout[0] = part[0] + part[1];\n}",
     ["k.cl:6:26: work-item 2 writes part[1], with a plain access", "k.cl:8:20: work-item 0 reads part[1], with a plain access", "a data race"]),
    ("a shuffle is no barrier", "--global 2 --arg x=1,2",
     "kernel void k(global int *x) {\nint l = get_local_id(0);\nx[l] = 3;\nint v = sub_group_shuffle_xor(l, 1);\nx[v] = 4;\n}",
     ["k.cl:3:", "k.cl:5:", "a data race"]),
    ("broadcasts from several work-items", "--global 2 --arg x=1,2", "kernel void k(global int *x) {\nx[get_local_id(0)] = sub_group_broadcast(1, get_local_id(0));\n}",
     ["k.cl:2:22: work-item 0: a broadcast from another work-item than in other work-items of the group", "Undefined"]),
    ("inverse ballots of several values", "--global 2 --arg x=1,2",
     "kernel void k(global int *x) {\nx[get_local_id(0)] = sub_group_inverse_ballot((uint4)(get_local_id(0), 0, 0, 0));\n}",
     ["k.cl:2:", "work-item 0: another ballot than in other work-items of the sub-group", "Undefined"]),
    ("an index outside", "--global 1 --arg x=0,0", "kernel void k(global int *x) {\nx[2] = 1;\n}", ["k.cl:2:6: work-item 0: an access outside of x: 8 bytes from its beginning, of 8"]),
    ("an index in front", "--global 1 --arg y=0 --arg x=0,0", "kernel void k(global int *y, global int *x) {\nx[y[0] - 1] = 1;\n}",
     ["an access outside of x: -4 bytes from its beginning, of 8"]),
    ("a private index", "--global 1 --arg x=4", "kernel void k(global int *x) {\nint a[2] = {0};\nx[0] = a[x[0] * 4000];\n}",
     ["an access outside of the variables of a work-item"]),
    ("a null pointer", "--global 1 --arg x=0", "kernel void k(global int *x) {\nglobal int *p = 0;\n*p = 1;\n}", ["k.cl:3:", "a null pointer is followed"]),
]


# What newcomers write, and what `explain` says of it.
EXPLAINED = [
    ("an initialisation that is looked for twice", "--global 2 --local 1 --arg ready=0 --arg l=0 --arg x=0 --arg out=0,0 --ask 'out[0] == 42 && out[1] == 42'",
     """kernel void k(global int *ready, global atomic_int *l, global int *x, global int *out) {
	if (!*ready) {
		while (atomic_exchange_explicit(l, 1, memory_order_acquire, memory_scope_device))
			;
		if (!*ready) {
			*x = 42;
			*ready = 1;
		}
		atomic_store_explicit(l, 0, memory_order_release, memory_scope_device);
	}
	out[get_global_id(0)] = *x;
}""", ["k.cl:2: an atomic load with memory_order_acquire and memory_scope_device in place of the plain one\n"
       "k.cl:7: an atomic store with memory_order_release and memory_scope_device in place of the plain one\n"
       f"Then out[0] == 42 && out[1] == 42: {LOOKED.replace('None', 'All')} 1 0"]),
    ("a ticket lock of 1.x and plain accesses", "--global 3 --local 1 --arg lk=0,0 --arg x=0 --ask 'x == 3'",
     """typedef struct { volatile uint next; volatile uint serving; } ticket_lock;
kernel void k(global ticket_lock *lk, global int *x)
{
	uint me = atomic_inc(&lk->next);
	while (lk->serving != me) ;
	*x += 1;
	lk->serving = me + 1;
}""",
     ["k.cl:4: memory_scope_device in place of memory_scope_work_group", "k.cl:5: an atomic load with memory_order_acquire",
      "k.cl:7: an atomic store with memory_order_release", "Then x == 3: Always 1 0"]),
    ("a barrier of all groups by 1.x and volatile", "--global 4 --local 2 --arg g_mutex=0 --arg a=0*4 --arg b=0*4",
     """void __gpu_sync(int goalVal, volatile __global int *g_mutex)
{
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	int tid = get_local_id(0) * get_local_size(1) + get_local_id(1);
	if (tid == 0) {
		atomic_add(g_mutex, 1);
		mem_fence(CLK_GLOBAL_MEM_FENCE);
		while (g_mutex[0] != goalVal) { }
	}
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
kernel void k(volatile __global int *g_mutex, global int *a, global int *b)
{
	int i = get_global_id(0);
	a[i] = i;
	__gpu_sync(get_num_groups(0), g_mutex);
	b[i] = a[3 - i];
}""",
     ["k.cl:6: memory_order_release in place of memory_order_relaxed, as", "k.cl:8: an atomic load with memory_order_acquire"]),
    ("a histogram whose bins nobody waits for", "--global 8 --local 4 --arg data=0,1,1,2,3,3,3,0 --arg bins=0*4 --ask 'bins[0] == 2 && bins[1] == 2 && bins[2] == 1 && bins[3] == 3'",
     """__kernel void histogram(__global const uchar *data, __global uint *bins)
{
	__local uint h[4];
	int l = get_local_id(0);
	h[l] = 0;
	atomic_inc(&h[data[get_global_id(0)]]);
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&bins[l], h[l]);
}""",
     ["k.cl:6: barrier(CLK_LOCAL_MEM_FENCE) in front of it", "k.cl:8: memory_scope_device in place of", "3: Always 1 0"]),
    ("double-checked", "--global 3 --local 1 --arg st=0,0,0,0 --arg out=0*3 --ask 'out[0] == 42 && out[1] == 42 && out[2] == 42'",
     """struct once { atomic_int done; atomic_int lock; int value; int pad; };
#define FIRST memory_order_relaxed
static int get(global struct once *o)
{
	if (!atomic_load_explicit(&o->done, FIRST, memory_scope_device)) {
		while (atomic_exchange_explicit(&o->lock, 1, memory_order_acquire, memory_scope_device)) ;
		if (!atomic_load_explicit(&o->done, memory_order_relaxed, memory_scope_device)) {
			o->value = 42;
			atomic_store_explicit(&o->done, 1, memory_order_release, memory_scope_device);
		}
		atomic_store_explicit(&o->lock, 0, memory_order_release, memory_scope_device);
	}
	return o->value;
}
kernel void init(global struct once *st, global int *out) { out[get_global_id(0)] = get(st); }""",
     ["k.cl:5: memory_order_acquire in place of memory_order_relaxed", "It is mended by this change:"]),
    ("a bitmap", "--global 4 --local 2 --arg seen=0*4 --arg map=0 ",
     """kernel void k(global uchar *seen, global uint *map)
{
	int i = get_global_id(0);
	seen[i] = 1;
	*map |= 1u << i;
}""",
     ["k.cl:5: atomic_fetch_or_explicit with memory_order_relaxed and memory_scope_device in place of the plain read and write"]),
    ("a look-back", "--global 6 --local 2 --arg in=1,2,3,4,5,6 --arg out=0*6 --arg part=0*9 --arg ctr=0 --ask 'out[5] == 21'",
     """typedef struct { volatile int flag; int aggregate, prefix; } partition;
#define PUB(p, v) do { mem_fence(CLK_GLOBAL_MEM_FENCE); *(p) = (v); } while (0)
#define GET(p) (*(p))
kernel void scan(global const int *in, global int *out, global partition *part, global atomic_int *ctr)
{
	local int id, base;
	local int t[2];
	int l = get_local_id(0);
	if (l == 0) id = atomic_fetch_add_explicit(ctr, 1, memory_order_relaxed, memory_scope_device);
	barrier(CLK_LOCAL_MEM_FENCE);
	int g = id;
	t[l] = in[g * 2 + l];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l == 0) {
		int sum = t[0] + t[1];
		int before = 0;
		if (g == 0) { part[0].prefix = sum; PUB(&part[0].flag, 2); }
		else {
			part[g].aggregate = sum; PUB(&part[g].flag, 1);
			for (int p = g - 1; p >= 0; ) {
				int f = GET(&part[p].flag);
				if (f == 2) { before += part[p].prefix; break; }
				if (f == 1) { before += part[p].aggregate; p--; }
			}
			part[g].prefix = before + sum; PUB(&part[g].flag, 2);
		}
		base = before;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[g * 2 + l] = base + (l ? t[0] + t[1] : t[0]);
}""",
     ["k.cl:21: an atomic load with memory_order_acquire", "k.cl:17: an atomic store with memory_order_release", "Then out[5] == 21: Always 1 0"]),
    ("a ring buffer of structures", "--global 2 --local 1 --arg q=0,0,0*4 --arg out=0*2 --ask 'out[0] == 11 && out[1] == 22'",
     """#define SIZE 2
typedef struct { int key; short w; uchar tag; } item_t;
typedef struct {
	atomic_uint head, tail;
	item_t slots[SIZE];
} fifo;
#define PUBLISH memory_order_relaxed
#define LOOK memory_order_acquire
static bool push(global fifo *q, item_t it)
{
	uint t = atomic_load_explicit(&q->tail, memory_order_relaxed, memory_scope_device);
	uint h = atomic_load_explicit(&q->head, memory_order_acquire, memory_scope_device);
	if (t - h == SIZE) return false;
	q->slots[t % SIZE] = it;
	atomic_store_explicit(&q->tail, t + 1, PUBLISH, memory_scope_device);
	return true;
}
static bool pop(global fifo *q, item_t *it)
{
	uint h = atomic_load_explicit(&q->head, memory_order_relaxed, memory_scope_device);
	uint t = atomic_load_explicit(&q->tail, LOOK, memory_scope_device);
	if (t == h) return false;
	*it = q->slots[h % SIZE];
	atomic_store_explicit(&q->head, h + 1, memory_order_release, memory_scope_device);
	return true;
}
kernel void pc(global fifo *q, global int *out)
{
	switch (get_group_id(0)) {
	case 0:
		for (int i = 1; i <= 2; i++) {
			item_t it = { .key = 10 * i, .w = i, .tag = 7 };
			while (!push(q, it)) ;
		}
		break;
	case 1:
		for (int i = 0; i < 2; ) {
			item_t it;
			if (pop(q, &it)) out[i++] = it.key + it.w;
		}
		break;
	}
}""",
     ["k.cl:15: memory_order_release in place of memory_order_relaxed", "work-item 1 (0 of group 1) reads q.slots[0].key", "It is mended by this change:"]),
    ("a deque that is stolen from", "--global 2 --local 1 --arg d=0,2,1,2 --arg got=0*2 --arg taken=0*3 --ask 'taken[1] > 1 || taken[2] > 1'",
     """typedef struct { atomic_int top, bottom; int tasks[2]; } deque;
#define FENCE memory_order_acq_rel
#define S memory_scope_device
static int take(global deque *q)
{
	int b = atomic_load_explicit(&q->bottom, memory_order_relaxed, S) - 1;
	atomic_store_explicit(&q->bottom, b, memory_order_relaxed, S);
	atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, FENCE, S);
	int t = atomic_load_explicit(&q->top, memory_order_relaxed, S);
	int x = 0;
	if (t <= b) {
		x = q->tasks[b];
		if (t == b) {
			if (!atomic_compare_exchange_strong_explicit(&q->top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed, S))
				x = 0;
			atomic_store_explicit(&q->bottom, b + 1, memory_order_relaxed, S);
		}
	} else
		atomic_store_explicit(&q->bottom, b + 1, memory_order_relaxed, S);
	return x;
}
static int steal(global deque *q)
{
	int t = atomic_load_explicit(&q->top, memory_order_acquire, S);
	atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, FENCE, S);
	int b = atomic_load_explicit(&q->bottom, memory_order_acquire, S);
	int x = 0;
	if (t < b) {
		x = q->tasks[t];
		if (!atomic_compare_exchange_strong_explicit(&q->top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed, S))
			return 0;
	}
	return x;
}
kernel void work(global deque *d, global int *got, global atomic_int *taken)
{
	int x;
	if (get_global_id(0) == 0) {
		x = take(d); if (x) atomic_fetch_add_explicit(&taken[x], 1, memory_order_relaxed, S);
		x = take(d); if (x) atomic_fetch_add_explicit(&taken[x], 1, memory_order_relaxed, S);
	} else {
		x = steal(d); if (x) atomic_fetch_add_explicit(&taken[x], 1, memory_order_relaxed, S);
		x = steal(d); if (x) atomic_fetch_add_explicit(&taken[x], 1, memory_order_relaxed, S);
	}
}""",
     ["It is never so, where no read is earlier than the write that it reads, with these changes together:",
      "memory_order_seq_cst in place of memory_order_acq_rel"]),
    ("a scan in place", "--global 4 --local 4 --arg d=1,2,3,4 --ask 'd[0] == 1 && d[1] == 3 && d[2] == 6 && d[3] == 10'",
     """kernel void hillis(global int *d)
{
	local int t[4];
	int i = get_local_id(0);
	t[i] = d[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int o = 1; o < 4; o *= 2) {
		if (i >= o) t[i] += t[i - o];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	d[i] = t[i];
}""",
     ["Both work-items are of one group: between the two accesses a barrier(CLK_LOCAL_MEM_FENCE) is missing"]),
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
}""", ["k.cl:5: barrier(CLK_LOCAL_MEM_FENCE) in front of it", "k.cl:6: an atomic store", "k.cl:8: an atomic store"]),
    ("a barrier that is missing where all come by", "--global 2 --arg out=0,0",
     """kernel void sum(global int *out)
{
	local int part[2];
	int l = get_local_id(0);
	part[l] = 1;
	out[l] = part[1 - l];
}""", ["k.cl:6: barrier(CLK_LOCAL_MEM_FENCE) in front of it"]),
    ("a sum without barriers", "--global 4 --arg in=1,2,3,4 --arg out=0",
     """kernel void sum(global int *in, global int *out)
{
	local int t[4];
	int l = get_local_id(0);
	t[l] = in[l];
	for (int s = 2; s > 0; s /= 2) {
		if (l < s)
			t[l] += t[l + s];
	}
	if (l == 0)
		out[0] = t[0];
}""", ["a data race", "It is mended by this change:\nk.cl:7: barrier(CLK_LOCAL_MEM_FENCE) in front of it"]),
    ("a barrier within what some do", "--global 2 --arg x=0,0",
     """kernel void k(global int *x)
{
	if (get_global_id(0) > 0) {
		x[1] = 1;
		barrier(CLK_GLOBAL_MEM_FENCE);
	}
}""", ["k.cl:5:3: work-item 1 waits at a barrier", "k.cl:7:1: work-item 0 ends without reaching it",
       "Who comes to it is decided in line 3: put it where all work-items of the group come by."]),
    ("a copy of what was just written", COPY, "kernel void k(global int *x, global int *out) {\nlocal int t[2];\nx[get_local_id(0)] = 5;\n"
     "event_t e = async_work_group_copy(t, x, 2, 0);\nwait_group_events(1, &e);\n}", ["k.cl:4: barrier(CLK_GLOBAL_MEM_FENCE) in front of it"]),
    ("a copy that is read too early", COPY, COPIED.replace("BEFORE", "out[l] = t[l];").replace("BEHIND", ""),
     ["line 4: work-item 0 begins an asynchronous copy", "An asynchronous copy reads and writes until wait_group_events() returns"]),
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


def own_names(top):
    """What a row declares in front of its kernel."""
    return set(re.findall(r"\b[A-Za-z_]\w*", top)) - WORDS - {"out"}


def numbered(text, names, n):
    """With the number of its row behind each of these names."""
    return re.sub(r"\b[A-Za-z_]\w*", lambda m: f"{m[0]}_{n}" if m[0] in names else m[0], text)


LOCK_HEAD = """#ifdef ACQ2RX
#define TAKES memory_order_relaxed
#else
#define TAKES memory_order_acquire
#endif
#ifdef REL2RX
#define GIVES memory_order_relaxed
#else
#define GIVES memory_order_release
#endif
#ifdef DV2WG
#define SCOPE memory_scope_work_group
#else
#define SCOPE memory_scope_device
#endif
"""
LOCK_TAIL = """kernel void each(global atomic_uint *l, global atomic_uint *turn, global int *x, global int *seen)
{
	take(l, turn);
	int old = *x;
	*x = old + 1;
	give(l, turn);
	seen[get_global_id(0)] = old;
}
"""
LOCKS = {
    "a lock by compare-exchange": """static void take(global atomic_uint *l, global atomic_uint *turn)
{
	uint e = 0;
	while (!atomic_compare_exchange_strong_explicit(l, &e, 1u, TAKES, memory_order_relaxed, SCOPE))
		e = 0;
}
static void give(global atomic_uint *l, global atomic_uint *turn) { atomic_store_explicit(l, 0u, GIVES, SCOPE); }
""",
    "a lock that is looked at first": """static void take(global atomic_uint *l, global atomic_uint *turn)
{
	do
		while (atomic_load_explicit(l, memory_order_relaxed, SCOPE))
			;
	while (atomic_exchange_explicit(l, 1u, TAKES, SCOPE));
}
static void give(global atomic_uint *l, global atomic_uint *turn) { atomic_store_explicit(l, 0u, GIVES, SCOPE); }
""",
    "a lock by tickets": """static void take(global atomic_uint *l, global atomic_uint *turn)
{
	uint mine = atomic_fetch_add_explicit(turn, 1u, memory_order_relaxed, SCOPE);
	while (atomic_load_explicit(l, TAKES, SCOPE) != mine)
		;
}
static void give(global atomic_uint *l, global atomic_uint *turn)
{
	atomic_store_explicit(l, atomic_load_explicit(l, memory_order_relaxed, SCOPE) + 1u, GIVES, SCOPE);
}
""",
}
# With four work-items: the size of groups, what is weakened, and whether it is still right.
LOCK_FORMS = [("1", "", True), ("2", "", True), ("4", "", True), ("1", "-DACQ2RX", False), ("1", "-DREL2RX", False), ("4", "-DDV2WG", True),
              ("2", "-DDV2WG", False), ("1", "-DDV2WG", False)]

# A barrier of all groups as S. Xiao and W. Feng have it: the first group looks at the others' flags, a work-item each, and clears them.
ALL_GROUPS = """#ifndef O1
#define O1 memory_order_acquire
#endif
#ifndef O2
#define O2 memory_order_release
#endif
#ifndef O3
#define O3 memory_order_release
#endif
#ifndef O4
#define O4 memory_order_acquire
#endif
kernel void all(global atomic_uint *flag, global uint *in, global uint *out)
{
	uint g = get_group_id(0), l = get_local_id(0), i = get_global_id(0), sum = 0;
	in[i] = 1;
	if (g == 0) {
		if (l + 1 < get_num_groups(0))
			while (!atomic_load_explicit(&flag[l + 1], O1))
				;
		barrier(CLK_GLOBAL_MEM_FENCE);
		if (l + 1 < get_num_groups(0))
			atomic_store_explicit(&flag[l + 1], 0u, O2);
	} else {
		barrier(CLK_GLOBAL_MEM_FENCE);
		if (l == 0) {
			atomic_store_explicit(&flag[g], 1u, O3);
			while (atomic_load_explicit(&flag[g], O4))
				;
		}
		barrier(CLK_GLOBAL_MEM_FENCE);
	}
	for (uint k = 0; k < get_global_size(0); k++)
		sum += in[k];
	out[i] = sum;
}
"""


# Work-item 0 adds what it loads, 0 or 1, beside a work-item that stores 1; and how often each of the questions about it holds, of how many ends.
ADDING = """typedef struct { int a, b; } pair;
static void add(int *to, int value) { *to += value; }
static int more(int a, int b) { return a + b; }
kernel void k(global atomic_int *x, global atomic_int *y, global atomic_int *f, global int *out, global int *seen) {
	if (get_global_id(0) == 1) { atomic_store(x, 1); return; }
	if (get_global_id(0) == 2) { if (atomic_load(f)) seen[0] = out[0]; return; }
	BODY
}
"""
ADDED = [
    ("a sum", "int s = atomic_load(x); s += atomic_load(x); out[0] = s;", "out[0] == 1", 2),
    ("parts of an array", "int s[2]; s[0] = atomic_load(x); s[1] = atomic_load(x); out[0] = s[0] + s[1];", "out[0] == 1", 2),
    ("by a function", "int s = 0; add(&s, atomic_load(x)); add(&s, atomic_load(x)); out[0] = s;", "out[0] == 1", 2),
    ("of a function", "int s = atomic_load(x); out[0] = more(s, atomic_load(x));", "out[0] == 1", 2),
    ("members", "pair p; p.a = atomic_load(x); p.b = atomic_load(x); out[0] = p.a + p.b;", "out[0] == 1", 2),
    ("a pair that is copied", "pair p, q; p.a = atomic_load(x); p.b = atomic_load(x); q = p; out[0] = q.a + q.b;", "out[0] == 1", 2),
    ("a vector", "int2 s; s.x = atomic_load(x); s.y = atomic_load(x); out[0] = s.x + s.y;", "out[0] == 1", 2),
    ("bytes of a word", "union { int i; char c[4]; } u; u.i = atomic_load(x); u.c[0] += atomic_load(x); out[0] = u.i;", "out[0] == 1", 2),
    ("behind a pointer", "int s = 0, t = 0, *p = &s; p[0] += atomic_load(x); p = atomic_load(x) ? &t : &s; *p += 2; out[0] = s;", "out[0] == 0", 2),
    ("a branch", "int s = atomic_load(x); s += atomic_load(x); if (s == 1) out[0] = 1;", "out[0] == 1", 1),
    ("a switch", "int s = atomic_load(x); s += atomic_load(x); switch (s) { case 2: out[0] = 5; break; case 1: out[0] = 6; }", "out[0] == 6", 2),
    ("a choice", "int s = atomic_load(x); s += atomic_load(x); out[0] = s ? 5 : 6;", "out[0] == 5", 1),
    ("an index", "int s = atomic_load(x); s += atomic_load(x); out[s] = 9;", "out[1] == 9", 1),
    ("turns of a loop", "int s = atomic_load(x); s += atomic_load(x); for (int i = 0; i < s; i++) out[0] += 3;", "out[0] == 3", 2),
    ("what is stored atomically", "int s = atomic_load(x); s += atomic_load(x); atomic_store(y, s);", "y == 1", 2),
    ("an operand", "int s = atomic_load(x); s += atomic_load(x); atomic_fetch_add(y, s + 1);", "y == 2", 2),
    ("what is compared with", "int s = atomic_load(x); s -= atomic_load(x); out[2] = atomic_compare_exchange_strong(y, &s, 7);", "y == 7", 1),
    ("a product", "int s = atomic_load(x); s += atomic_load(x); out[0] = s * 3 << 1;", "out[0] == 6", 2),
    ("other types", "char c = atomic_load(x); c += atomic_load(x); ushort u = c; ulong l = u; out[0] = (int)(l - 1);", "out[0] == 0", 2),
    ("floating point", "float s = atomic_load(x); s += atomic_load(x); out[0] = (int)s;", "out[0] == 1", 2),
    ("by way of memory", "int s = atomic_load(x); s += atomic_load(x); out[0] = s; out[1] = out[0];", "out[1] == 1", 2),
    # seen stays 9 where the flag is read too early
    ("what another work-item reads", "int s = atomic_load(x); s += atomic_load(x); out[0] = s; atomic_store(f, 1);", "seen == 1", 3),
    ("an overflow that not all have", "int s = atomic_load(x), t = atomic_load(x); t += atomic_load(y); s += 2147483647; out[0] = s; out[1] = t;", "y == 0", None),
    ("of a difference", "int s = atomic_load(x), t = atomic_load(x); t += atomic_load(y); s = -2147483647 - s - s; out[0] = s;", "y == 0", None),
    ("by a function that nobody asks", "int s = atomic_load(x), t = atomic_load(x); t += atomic_load(y); out[0] = more(more(s, 2147483640), more(s, 6));", "y == 0", None),
]
# Work-items of so many seq_cst accesses, which add up what nobody asks for.
IDLE = [
    ("on one word", "atomic_store(&x[0], i * L + k + 1); sum += atomic_load(&x[0]);"),
    ("on the words of all in turn", "atomic_store(&x[k], i + 1); sum += atomic_load(&x[(k + 1) % (L / 2)]);"),
    ("in a ring", "atomic_store(&x[i], k + 1); sum += (uint)atomic_load(&x[(i + 1) % n]);"),
    ("each of each", "if (k == 0) atomic_store(&x[i], 1); else sum += atomic_load(&x[(i + k) % n]); sum -= atomic_load(&x[(i + k + 1) % n]);"),
]


class Kernels(unittest.TestCase):
    oclmm = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        # a module is compiled once, and by this program
        os.environ["OCLMM_PROGRAMS"] = self.folder.name + "/programs"

    def check(self, options, text, command="check"):
        """What is printed of a kernel whose launch stands at its end, so that its lines begin with 1; and the status."""
        path = pathlib.Path(self.folder.name) / "k.cl"
        path.write_text(f"{text}\n// oclmm: {options}\n", encoding="utf-8")
        done = subprocess.run([self.oclmm, command, "k.cl"], cwd=self.folder.name, capture_output=True, text=True,
                              timeout=120, check=False)
        return done.stdout + done.stderr, done.returncode

    def write_rows(self, name, rows):
        """A file with a kernel for each row, k0 and so on, which is compiled once: what a row declares has its number behind it."""
        text = ""
        for n, (_, top, parameter, _, body, *_) in enumerate(rows):
            names = own_names(top)
            parameters = ", ".join(filter(None, ["global int *out", parameter]))
            row = f"{top}\nkernel void k{n}({parameters}) {{ {body} }}\n"
            text += numbered(row, names, n)
        (pathlib.Path(self.folder.name) / name).write_text(text, encoding="utf-8")

    def check_values(self, rows):
        self.write_rows("rows.cl", rows)
        for n, (name, top, _, argument, body, value, *launch) in enumerate(rows):
            with self.subTest(name):
                argument = numbered(argument, own_names(top), n)
                options = f"--kernel k{n} {launch[0] if launch else '--global 1'} --arg out=0*8 {'--arg ' + argument if argument else ''}"
                done = subprocess.run([self.oclmm, "check", "rows.cl", *options.split(), "--ask", f"out[0] == {value}"], cwd=self.folder.name,
                                      capture_output=True, text=True, timeout=300, check=False)
                self.assertIn(f"Observation k{n} Always 1 0", done.stdout + done.stderr, body)
                self.assertEqual(done.returncode, 0)

    def test_one_work_item(self):
        self.check_values(ONE)

    def test_features(self):
        self.check_values(FEATURES)

    def check_rows(self, rows, wanted):
        for name, options, text, lines in rows:
            with self.subTest(name):
                out, status = self.check(options, text)
                for line in lines:
                    self.assertIn(line, out)
                self.assertEqual(status, wanted, out)

    def test_several_work_items(self):
        self.check_rows(SEVERAL, 0)

    def test_functions_of_sub_groups(self):
        text = '''int kept(int v, int l) { int w = v; return l ? w : 9; }
int butterfly(int v) { for (int m = 1; m < 4; m *= 2) v += sub_group_shuffle_xor(v, m); return v; }
void each(int l) { int n = 0; for (int i = 0; i < l; i++) n++; if (l == 2) n = 0; }
int nested(int v, int l) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < l * i; j++)
            if (j == 7) sum += sub_group_shuffle_xor(v, 1);
        for (int j = 0; j < 2; j++) sum += sub_group_shuffle_xor(v + i + j, 2);
        sum += butterfly(v + l % 2) - 1;
    }
    return sum;
}
'''
        for n, (_, expression, _) in enumerate(LANES):
            text += f"kernel void k{n}(global int *out) {{ int l = get_local_id(0), v = (5 * l + 3) % 7, t = 0; out[l] = {expression}; }}\n"
        (pathlib.Path(self.folder.name) / "lanes.cl").write_text(text, encoding="utf-8")
        for n, (name, expression, values) in enumerate(LANES):
            with self.subTest(name):
                asked = " && ".join(f"out[{l}] == {value}" for l, value in enumerate(values))
                done = subprocess.run([self.oclmm, "check", "lanes.cl", "--kernel", f"k{n}", "--global", "4", "--arg", "out=0*4", "--ask", asked],
                                      cwd=self.folder.name, capture_output=True, text=True, timeout=300, check=False)
                self.assertIn(f"Observation k{n} Always 1 0", done.stdout + done.stderr, expression)
                self.assertEqual(done.returncode, 0)

    def test_sub_groups_that_part(self):
        head = ("int called(int v) { return sub_group_shuffle_xor(v, 1); }\n"
                "kernel void k(global int *x, global atomic_int *f) { int l = get_local_id(0), v = l;\n")
        for name, body, said in PARTED:
            with self.subTest(name):
                out, status = self.check("--kernel k --global 2 --arg x=0,0 --arg f=0", head + body + "\nx[l] = v; }")
                self.assertIn(": not understood: OpGroupNonUniformShuffleXor: ", out)
                self.assertIn(said, out)
                self.assertEqual(status, 2, out)

    def test_turns_of_loops(self):
        for kind, (what, meet) in enumerate(MEETINGS.items()):
            text = (f"int two(int l) {{ int a = 0; {meet}; return a; }}\nint early(int l) {{ for (int i = 0; i < 3; i++) if (i == l) return i; return 7; }}\n")
            for n, (_, _, body) in enumerate(IN_TURNS):
                text += f"kernel void k{n}(global int *x) {{ int l = get_local_id(0) % 2, a = 0; {body.replace('MEET', meet)} x[get_local_id(0)] = a; }}\n"
            (pathlib.Path(self.folder.name) / f"turns{kind}.cl").write_text(text, encoding="utf-8")
            for n, (name, sound, _) in enumerate(IN_TURNS):
                with self.subTest(f"{what}: {name}"):
                    done = subprocess.run([self.oclmm, "check", f"turns{kind}.cl", "--kernel", f"k{n}", "--global", "4", "--sub-group", "2", "--arg", "x=0*4"],
                                          cwd=self.folder.name, capture_output=True, text=True, timeout=300, check=False)
                    said = done.stdout + done.stderr
                    self.assertEqual(f"k{n}: no undefined behaviour" in said, sound, said)
                    self.assertEqual("waits at it in another turn of a loop, or by another call" in said, not sound, said)
                    self.assertEqual(done.returncode, 0, said)

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

    def test_members_have_their_names(self):
        text = """typedef struct { char ready; /* a comment, with ; and } */ short tag, more[2]; long sum; } item;
struct queue { atomic_int head; // not this;
\titem items[2]; int4 v; };
union both { int a; short b; };
struct odd { union both u; int c; };
kernel void f(global struct queue *q, global item *s, global struct odd *o)
{
\tif (get_global_id(0) == 0) {
\t\tq->items[1].sum = 7;
\t\tq->items[0].more[1] = 3;
\t\tatomic_store_explicit(&q->head, 1, ORDER, memory_scope_device);
\t} else if (atomic_load_explicit(&q->head, memory_order_acquire, memory_scope_device)) {
\t\ts[1].tag = q->items[1].sum;
\t\to->c = q->items[0].more[1];
\t\ts[0].ready = q->v.z;
\t}
}"""
        launch = "--global 2 --local 1 --arg q=0*11,5,0,0,0 --arg s=0*10 --arg o=0,0 -DORDER=memory_order_"
        out, status = self.check(f"{launch}relaxed", text)
        self.assertIn("k.cl:13:26: work-item 1 (0 of group 1) reads q.items[1].sum, with a plain access\n"
                      "k.cl:9:19: work-item 0 (0 of group 0) writes q.items[1].sum, with", out)
        # by name and by number it is the same; of what has a union in it there are numbers alone
        for ask, answer in (("q->items[1].sum == 7", "Always 1 0"), ("q[0].items[1].sum == 7 && q.items[0].more[1] == 3", "Always 1 0"),
                            ("q[4] == 3", "Always 1 0"), ("s[1].tag == 7", "Sometimes 1 1"), ("s[6] == 7", "Sometimes 1 1"),
                            ("q->v.z -> 3", None), ("s[2].tag == 7", None), ("q->tail == 1", None), ("q->v == 1", None), ("q->items[2].sum == 0", None),
                            ("o->c == 3", None), ("o[1] == 3", "Sometimes 1 1")):
            out, status = self.check(f"{launch}release --ask '{ask}'", text)
            self.assertEqual((ask, status), (ask, 0 if answer else 2), out)
            self.assertIn(f"Observation f {answer}" if answer else "error: k.cl: --ask", out)

    def test_places_are_named_as_they_are_written(self):
        """Arrays of arrays, arrays in structures and vectors: in races, in ends and in questions."""
        text = """typedef struct { int a[2][3]; int4 v[2]; } rec;
typedef struct { int2 p; short q[2]; } pair;
union both { int a; short b; };
global int table[2][2];
kernel void f(global int (*m)[3], global int4 *v, global rec *s, local int (*t)[2], global int2 *w, global int8 *e, global int (*one)[2], global union both *u)
{
\tlocal int tile[2][2];
\tlocal int4 lv[2];
\tlocal pair lp[2][2];
\tWHERE = get_local_id(0);
}"""
        launch = "--global 2 --arg m=0*6 --arg v=0*8 --arg s=0*28 --arg t=2 --arg w=0,0 --arg e=0*8 --arg one=0,0 --arg u=0,0"
        for where, named in (("tile[1][0]", "tile[1][0]"), ("lv[1].y", "lv[1].x"), ("lp[1][0].q[1]", "lp[1][0].q[1]"), ("m[1][2]", "m[1][2]"),
                             ("v[1].z", "v[1].x"), ("s[1].a[1][2]", "s[1].a[1][2]"), ("s[1].v[1].w", "s[1].v[1].x"), ("t[1][0]", "t[1][0]"),
                             ("w->y", "w.x"), ("e->s7", "e.s0"), ("(*one)[1]", "one[0][1]"), ("table[1][0]", "table[1][0]"), ("u[1].a", "u[1]")):
            out, status = self.check(f"{launch} '-DWHERE={where}'", text)
            self.assertEqual(status, 0, out)
            self.assertRegex(out, rf"k.cl:10:\d+: work-item 1 (reads|writes) {re.escape(named)}, with a plain access")
        # the same place by its name, and by its number in a buffer
        for where, asks in (("m[1][2]", ("m[1][2]", "m[5]")), ("v[1].z", ("v[1].z", "v[6]", "v[1].s2")), ("e->s7", ("e->s7", "e.s7", "e[7]", "e[0].s7")),
                            ("s[0].a[1][2]", ("s->a[1][2]", "s[0].a[1][2]", "s[5]")), ("(*one)[1]", ("one[0][1]", "one[1]")),
                            ("table[1][0]", ("table[1][0]", "table[2]")), ("w->y", ("w->y", "w.y", "w[1]"))):
            for ask in asks:
                out, status = self.check(f"{launch} --global 1 --local 1 --offset 1 '-DWHERE={where}' --ask '{ask} == 5'",
                                         text.replace("get_local_id(0)", "5"))
                self.assertEqual(status, 0, out)
                self.assertIn("Observation f Always 1 0", out, ask)
        for ask in ("m[1][3]", "m[2][0]", "v[1].s4", "v[1].q", "e.sg", "table[2][0]", "table[1][0][0]", "table[0][2]", "s[1].a[1]", "u[1][0]", "w.z"):
            out, status = self.check(f"{launch} -DWHERE=m[0][0] --ask '{ask} == 0'", text)
            self.assertEqual(status, 2, ask)
            self.assertIn("error: k.cl: --ask", out, ask)
        found, _ = self.answer(f"{launch} '-DWHERE=m[1][2]'", text)
        self.assertIn('"object": "m[1][2]"', json.dumps(found))

    def test_wide_atomics_on_narrow_buffers(self):
        """Two `uint` that are always accessed as one `ulong` are one object; accesses to both halves and to the whole are still refused."""
        text = """kernel void k(global uint *x, global int *out) {
volatile global ulong *wide = (volatile global ulong *)(x + 2);
if (PLAIN) *wide = 1;
out[get_global_id(0)] = (int)(atom_add(wide, 1ul << 33) >> 33);
MORE
}"""
        launch = "--global 2 --local 1 --legacy-scope device --arg x=7,7,0,0 --arg out=9,9"
        for plain, more, ask, answer in (("0", "", "out[0] + out[1] == 1", "Observation k Always 2 0"), ("0", "", "out[0] == 1", "Observation k Sometimes 1 1"),
                                         ("0", "x[1]++;", "out[0] == 0", "a data race"), ("1", "", "out[0] == 0", "a data race"),
                                         ("0", "", "x[3] == 4", "--ask"), ("0", "x[3] = 1;", "out[0] == 0", "an object that is accessed as a whole, atomically, and in parts")):
            out, _ = self.check(f"{launch} -DPLAIN={plain} '-DMORE={more}' --ask '{ask}'", text)
            self.assertIn(answer, out, (plain, more, ask))

    def test_split_barriers(self):
        """What each pair of calls orders, worked out from cl_intel_split_work_group_barrier: memory that both name, for the narrower of both
        scopes. The same test in our own language is answered alike."""
        calls = {"CLK_GLOBAL_MEM_FENCE": True, "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE": True, "CLK_LOCAL_MEM_FENCE": False, "0": False,
                 "CLK_GLOBAL_MEM_FENCE, memory_scope_device": True, "CLK_GLOBAL_MEM_FENCE, memory_scope_sub_group": False}
        for arrive, arrives in calls.items():
            for wait, waits in calls.items():
                if "0" in (arrive, wait) and arrive != wait:
                    continue
                halves = f"intel_work_group_barrier_arrive({arrive});\nintel_work_group_barrier_wait({wait});\n"
                text = f"kernel void k(global int *x, global int *out) {{\nint l = get_local_id(0);\nx[l] = 1;\n{halves}out[l] = x[1 - l];\n}}"
                found, _ = self.check("--global 2 --sub-group 1 --arg x=0,0 --arg out=0,0 --ask 'out[0] != 1 || out[1] != 1'", text)
                answer = "Never 0 1" if arrives and waits else "Undefined 0 0"
                self.assertIn(f"Observation k {answer}", found, (arrive, wait))
                threads = "".join(f"P{n}@wg 0, dev 0, sg {n} (global int *x, global int *y) {{\n{'xy'[n]}[0] = 1;\n{halves}int r0 = {'yx'[n]}[0];\n}}\n" for n in (0, 1))
                path = pathlib.Path(self.folder.name) / "t.litmus"
                path.write_text(f"OPENCL t\n{{ x[1] = {{0}}; y[1] = {{0}}; }}\n{threads}exists (0:r0=0 \\/ 1:r0=0)\n", encoding="utf-8")
                done = subprocess.run([self.oclmm, "check", str(path)], capture_output=True, text=True, check=False, timeout=60)
                self.assertIn(answer.split()[0], done.stdout + done.stderr, (arrive, wait))

    def test_clocks(self):
        """What a clock says may be anything: it may be computed with and stored, and whatever depends on it is refused by name."""
        launch = "--global 2 --local 1 --arg x=0 --arg f=0 --arg seen=-1 --arg t=0,0 --ask"
        text = """kernel void k(global int *x, global atomic_int *f, global int *seen, global ulong *t) {
ulong t0 = clock_read_device();
if (get_global_id(0) == 0) {
*x = 1;
clock_read_work_group();
atomic_store_explicit(f, 1, ORDER, memory_scope_device);
} else if (atomic_load_explicit(f, memory_order_acquire, memory_scope_device))
*seen = *x;
uint2 h = clock_read_hilo_device();
t[get_global_id(0)] = (((ulong)h.y << 32) | h.x) - t0;
MORE
}"""
        release = "-DORDER=memory_order_release"
        # the readings between them order nothing: with relaxed the plain accesses race
        for order, answer in ((release, "Never 0 2"), ("-DORDER=memory_order_relaxed", "Undefined 0 0")):
            out, status = self.check(f"{launch} 'seen == 0' {order} -DMORE=", text)
            self.assertIn(f"Observation k {answer}", out)
            self.assertEqual(status, 0)
        depends = "what is done depends on the clock that is read at line 2, which may say anything"
        stored = "t is read, where the value of a clock may have been stored, which may be anything"
        for more, said in (("if (t0 > 5) *seen = 2;", f"k.cl:11:1: work-item 0 (0 of group 0): not understood: {depends}"),
                           ("*seen = t[t0 & 1];", depends), ("*seen = 7 / (int)t0;", depends), ("*seen = 1 + (int)t[0];", stored),
                           ("atomic_fetch_add((global atomic_int *)x, (int)t0);", depends), ("*seen = (float)t0 > 1.0f;", depends)):
            out, status = self.check(f"{launch} 'seen == 0' {release} '-DMORE={more}'", text)
            self.assertIn(said, out, more)
            self.assertEqual(status, 2, more)
        # that it is read before it is stored makes no difference: another work-item may come later
        early = text.replace("ulong t0", "if (get_global_id(0)) *seen = (int)t[1];\nulong t0")
        out, status = self.check(f"{launch} 'seen == 0' {release} -DMORE=", early)
        self.assertIn(stored, out)
        self.assertEqual(status, 2)
        out, status = self.check(f"{launch} 't[0] == 0' {release} -DMORE=", text)
        self.assertIn("--ask 't[0] == 0': the value of a clock was stored there, which may be anything", out)
        self.assertEqual(status, 2)

    def test_split_barriers_by_turns(self):
        """Two turns with a cell each, and a work-item that is one arrival ahead of the other's wait; what stands between the halves is not ordered."""
        text = """kernel void k(global int *x, global int *out) {
int l = get_local_id(0), s = 0;
for (int i = 0; i < TURNS; i++) {
x[2 * (i % CELLS) + l] = i + 1;
intel_work_group_barrier_arrive(CLK_GLOBAL_MEM_FENCE);
BETWEEN
intel_work_group_barrier_wait(CLK_GLOBAL_MEM_FENCE);
s = s * 10 + x[2 * (i % CELLS) + 1 - l];
}
out[l] = s;
}"""
        launch = "--global 2 --arg x=0*6 --arg out=0,0 --ask 'out[0] == 123 && out[1] == 123' -DTURNS=3"
        # with one cell a write of the next turn races with the read of this one; with two, the next barrier stands between
        for cells, between, answer in ((3, "", "Always 1 0"), (2, "", "Always 1 0"), (1, "", "Undefined 0 0"), (3, "s += 0;", "Always 1 0"),
                                       (3, "x[2*i+l]++;", "Undefined 0 0")):
            out, status = self.check(f"{launch} -DCELLS={cells} '-DBETWEEN={between}'", text)
            self.assertIn(f"Observation k {answer}", out, (cells, between))
            self.assertEqual(status, 0)

    def test_misused_split_barriers(self):
        arrive, wait = "intel_work_group_barrier_arrive(CLK_GLOBAL_MEM_FENCE);", "intel_work_group_barrier_wait(CLK_GLOBAL_MEM_FENCE);"
        for body, said in ((wait, "k.cl:2:1: work-item 0: a wait at a split barrier at which it has not arrived\n"),
                           (f"{arrive}\n{arrive}\n{wait}",
                            "k.cl:3:1: work-item 0: it arrives at a split barrier again, and has not waited since its arrival at line 2\n"),
                           (f"{arrive}\n{wait}\n{wait}", "k.cl:4:1: work-item 0: a wait at a split barrier at which it has not arrived\n"),
                           (f"{arrive}\nbarrier(CLK_GLOBAL_MEM_FENCE);\n{wait}",
                            "k.cl:3:1: work-item 0: it comes to a barrier of the work-group, and has not waited since its arrival at line 2\n"),
                           (f"if (get_local_id(0)) return;\n{arrive}\n{wait}",
                            "k.cl:3:1: work-item 0 arrives at a split barrier\nk.cl:5:1: work-item 1 ends without reaching it\nnot all"),
                           (f"if (!get_local_id(0)) return;\n{arrive}", "work-item 1 arrives at a split barrier\nk.cl:4:1: work-item 0 ends without reaching it\nnot all"),
                           (f"{arrive}\nif (get_local_id(0)) return;\n{wait}",
                            "k.cl:4:1: work-item 0 waits at a split barrier\nk.cl:5:1: work-item 1 ends without reaching it\nnot all"),
                           (f"if (get_local_id(0)) {{\n{arrive}\n{wait}\n}} else barrier(0);", "not all work-items of the group reach the barrier"),
                           (f"if (get_local_id(0)) {{\n{arrive}\n}} else {{\n{arrive}\n}}\n{wait}", "k.cl:5:1: work-item 0 arrives at another one"),
                           (f"for (int i = 0; i < 2; i++) if (i == get_local_id(0)) {{\n{arrive}\n{wait}\n}}", "it in another turn of a loop, or by another call"),
                           (f"{arrive}\nif (get_local_id(0)) {{\n{wait}\n}} else {{\n{wait}\n}}", "a split barrier\n")):
            out, status = self.check("--global 2 --arg x=0 --ask 'x[0] == 0'", f"kernel void k(global int *x) {{\n{body}\n}}")
            self.assertIn("Observation k Undefined 0 0", out, body)
            self.assertEqual(status, 0)
            if "another one" not in said:
                self.assertIn(said, out, body)
            else:
                self.assertIn("another one", out, body)
        # an arrival of all that nobody waits for orders nothing (docs/model.md); collective functions may stand between
        for body in (arrive, f"{arrive}\nint v = work_group_reduce_add(1);\n{wait}", f"{arrive}\nsub_group_barrier(CLK_GLOBAL_MEM_FENCE);\n{wait}"):
            out, status = self.check("--global 2 --arg x=0 --ask 'x[0] == 0'", f"kernel void k(global int *x) {{\n{body}\n}}")
            self.assertIn("Observation k Always 1 0", out, body)
        out, _ = self.check("--global 2 --arg x=0,0 --arg y=0,0", f"kernel void k(global int *x, global int *y) {{\nint l = get_local_id(0);\nx[l] = 1;\n"
                            f"{arrive.replace('GLOBAL', 'LOCAL')}\n{wait}\ny[l] = x[1 - l];\n}}", "explain")
        self.assertIn("k.cl:4: the flags CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE", out)
        self.assertIn("line 4: work-item 0 arrives at a split barrier", out)
        self.assertIn("has waited at a split barrier", out)

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

    def test_modules_are_kept(self):
        """A text that includes nothing is compiled once; of one that does, what it includes may be another."""
        folder = pathlib.Path(self.folder.name)
        launch = "// oclmm: --global 1 --arg x=0 --ask 'x == 1'\n"
        kept = set()
        for text, includes in (("#define V 1\nkernel void k(global int *x) { x[0] = V; }\n", False),
                               ('#include "v.h"\nkernel void k(global int *x) { x[0] = V; }\n', True)):
            (folder / "k.cl").write_text(text + launch, encoding="utf-8")
            for value, word in ((1, "Always"), (2, "Never" if includes else "Always")):
                (folder / "v.h").write_text(f"#define V {value}\n", encoding="utf-8")
                done = subprocess.run([self.oclmm, "check", "k.cl"], cwd=folder, capture_output=True, text=True, check=False, timeout=120)
                self.assertIn(f"Observation k {word} ", done.stdout, done.stderr)
                now = {path.name for path in (folder / "programs").iterdir()}
                self.assertEqual(len(now), 1)
                self.assertTrue(not kept or now == kept)
                kept = now

    def check_with(self, *options):
        """What is said of k.cl, and that it takes less than ten seconds of processor time; under sanitizers, which make it several times slower, a hundred."""
        limit = 100 if b"__asan_init" in pathlib.Path(self.oclmm).read_bytes() else 10
        done = subprocess.run([self.oclmm, "check", "k.cl", "--time-limit", str(limit), *options], cwd=self.folder.name, capture_output=True, text=True,
                              timeout=600, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_locks_of_four_work_items(self):
        apart = " && ".join(f"seen[{i}] != seen[{k}]" for i in range(4) for k in range(i))
        for name, text in LOCKS.items():
            (pathlib.Path(self.folder.name) / "k.cl").write_text(LOCK_HEAD + text + LOCK_TAIL, encoding="utf-8")
            for local, weakened, right in LOCK_FORMS:
                with self.subTest(name, local=local, weakened=weakened):
                    out = self.check_with("--global", "4", "--local", local, "--arg", "l=0", "--arg", "turn=0", "--arg", "x=0", "--arg", "seen=9*4",
                                          "--ask", f"x == 4 && {apart}", "--build", weakened)
                    self.assertIn("Observation each Always 24 0" if right else "Observation each Undefined 0 0", out)

    def test_a_barrier_of_all_groups(self):
        (pathlib.Path(self.folder.name) / "k.cl").write_text(ALL_GROUPS, encoding="utf-8")
        for size, local, weakened, right in [("4", "2", (), True), ("2", "2", (), True), ("2", "1", (), True), ("9", "3", (), True),
                                             *[("4", "2", (n,), False) for n in range(1, 5)], ("4", "2", (1, 2, 3, 4), False)]:
            with self.subTest(size=size, local=local, weakened=weakened):
                out = self.check_with("--global", size, "--local", local, "--arg", f"flag=0*{size}", "--arg", f"in=0*{size}", "--arg", f"out=0*{size}",
                                      "--ask", " && ".join(f"out[{i}] == {size}" for i in range(int(size))),
                                      "--build", " ".join(f"-DO{n}=memory_order_relaxed" for n in weakened))
                self.assertIn("Observation all Always 1 0" if right else "Observation all Undefined 0 0", out)

    def test_sums_that_decide_something(self):
        (pathlib.Path(self.folder.name) / "k.cl").write_text("".join(
            ADDING.replace("BODY", body).replace("kernel void k(", f"kernel void k{n}(").replace(" pair;", f" pair{n};").replace("pair p", f"pair{n} p")
            .replace("add(", f"add{n}(").replace("fetch_add" + str(n), "fetch_add").replace("more(", f"more{n}(") for n, (_, body, *_) in enumerate(ADDED)),
            encoding="utf-8")
        for n, (name, body, question, others) in enumerate(ADDED):
            with self.subTest(name):
                out = self.check_with("--kernel", f"k{n}", "--global", "3" if "seen" in question else "2", "--local", "1", *"--arg x=0 --arg y=0 --arg f=0".split(),
                                      *"--arg out=0,0,0 --arg seen=9".split(), "--ask", question)
                if others is None:
                    self.assertIn("a signed integer overflows", out, body)
                else:
                    self.assertIn(f"Observation k{n} Sometimes 1 {others}\n", out, body)

    def test_sums_that_nobody_asks_for(self):
        (pathlib.Path(self.folder.name) / "k.cl").write_text("".join(
            f"#undef L\n#define L {length}\nkernel void k{n}_{length}(global atomic_int *x, global {'uint' if 'uint' in body else 'int'} *out) {{\n"
            f"{'uint' if 'uint' in body else 'int'} i = get_global_id(0), n = get_global_size(0), sum = 0;\n"
            f"for (int k = 0; k < L / 2; k++) {{ {body} }}\nout[i] = sum;\n}}\n" for n, (_, body) in enumerate(IDLE) for length in (4, 8)), encoding="utf-8")
        for n, (name, _) in enumerate(IDLE):
            for count, length in (4, 8), (6, 4):
                with self.subTest(name, count=count, length=length):
                    out = self.check_with("--kernel", f"k{n}_{length}", "--global", str(count), "--local", "1", "--arg", "x=0*64", "--arg", "out=0*8")
                    self.assertIn("no undefined behaviour", out)

    def test_hundreds_of_work_items(self):
        """What they touch between barriers is learnt in one go: 0.3 s, and 15 s where each object begins a search anew."""
        (pathlib.Path(self.folder.name) / "k.cl").write_text(SUM.replace("SIZE", "256").replace("HALF", "128"), encoding="utf-8")
        out = self.check_with("--global", "256", "--arg", "in=1*256", "--arg", "out=0", "--ask", "out == 256")
        self.assertIn("Always 1 0", out)

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

    def test_words_of_the_compiler(self):
        """As many as there are, and with blanks and quotes, in the file as on the command line."""
        many = " ".join(f"-DM{i}=1" for i in range(200))
        text = f"kernel void k(global int *x) {{ x[0] = {' + '.join(f'M{i}' for i in range(200))} + N; }}\n// oclmm: --global 1 --arg x=0 --ask 'x == 205'\n"
        for options, head in ((["--build", f"{many} '-DN=2 + 3'"], ""), (["--build", "-D'N=2 + 3'"], f"// oclmm: {many}\n"),
                              (["--build", many], "// oclmm: '-DN=2 + 3'\n"), (["--build", many], "// oclmm: -DN=\"2 + 3\"\n")):
            (pathlib.Path(self.folder.name) / "k.cl").write_text(head + text, encoding="utf-8")
            done = subprocess.run([self.oclmm, "check", "k.cl", *options], capture_output=True, text=True, check=False, timeout=120, cwd=self.folder.name)
            self.assertIn("Observation k Always 1 0", done.stdout, done.stderr)

    def test_a_folder_of_any_name(self):
        """What a file includes stands beside it, whatever the folder is called."""
        for name in ("a b", "it's", 'a"b', "\u00e4\u4e2d", "-I", "/".join(["x" * 200] * 8)):
            folder = pathlib.Path(self.folder.name) / name
            folder.mkdir(parents=True)
            (folder / "v.h").write_text("#define V 1\n", encoding="utf-8")
            (folder / "k.cl").write_text('#include "v.h"\nkernel void k(global int *x) { x[0] = V; }\n// oclmm: --global 1 --arg x=0 --ask \'x == 1\'\n', encoding="utf-8")
            done = subprocess.run([self.oclmm, "check", str(folder / "k.cl")], capture_output=True, text=True, check=False, timeout=120)
            self.assertIn("Observation k Always 1 0", done.stdout, done.stderr)

    def test_lines_of_other_files(self):
        """What stands in a file that is included is named with that file, as the one is that was given."""
        folder = pathlib.Path(self.folder.name)
        (folder / "in/sub").mkdir(parents=True)
        # included by the name that the kernel's own file has, and by another
        for name in ("k.cl", "help.h"):
            (folder / "in/sub" / name).write_text("int first(global int *x)\n{\n\tfor (int i = 0; i < 4; i++)\n\t\tx[2]++;\n\treturn x[0];\n}\n", encoding="utf-8")
            text = f'#include "sub/{name}"\nkernel void k(global int *x)\n{{\n\tif (get_global_id(0))\n\t\tx[0] = 1;\n\telse\n\t\tx[1] = first(x);\n}}\n'
            (folder / "in/k.cl").write_text(text + "// oclmm: --global 2 --local 1 --arg x=0*3\n", encoding="utf-8")
            for given, at in (("in/k.cl", "in/"), ("./in/k.cl", "in/"), (str(folder / "in/k.cl"), f"{folder}/in/")):
                done = subprocess.run([self.oclmm, "explain", given], capture_output=True, text=True, check=False, timeout=120, cwd=folder)
                for line in (f"{given}:5:8: work-item 1 (0 of group 1) writes x[0]", f"{at}sub/{name}:5:9: work-item 0 (0 of group 0) reads x[0]",
                             f"  line 4 of {at}sub/{name}: work-item 0 (0 of group 0) reads x[2]", "  line 7: work-item 0 (0 of group 0) writes x[1]",
                             f"{at}sub/{name}:5: an atomic load", f"{given}:5: an atomic store"):
                    self.assertIn(line, done.stdout, done.stderr)
            answer = json.loads(subprocess.run([self.oclmm, "check", "--json", "k.cl"], capture_output=True, text=True, check=False, timeout=120, cwd=folder / "in").stdout)
            self.assertEqual([(side.get("file"), side["line"]) for side in answer["race"]], [(None, 5), (f"sub/{name}", 5)])
            done = subprocess.run([self.oclmm, "check", "k.cl", "--global", "1", "--unroll", "2", "--ask", "x[2] == 9"], capture_output=True, text=True,
                                  check=False, timeout=120, cwd=folder / "in")
            self.assertIn(f"None within 2 turns of the loop at line 3 of sub/{name}", done.stdout, done.stderr)
        (folder / "k.cl").write_text('#line 70 "/made.txt"\nkernel void k(global int *x)\n{\n\tx[get_global_id(0) / 2] = 1;\n}\n// oclmm: --global 2 --local 1 --arg x=0\n',
                                     encoding="utf-8")
        done = subprocess.run([self.oclmm, "check", "k.cl"], capture_output=True, text=True, check=False, timeout=120, cwd=folder)
        self.assertIn("/made.txt:72:26: work-item 1 (0 of group 1) writes x", done.stdout, done.stderr)

    def test_as_many_parameters_as_there_are(self):
        """Each command that takes a launch takes a value for each parameter, and each condition."""
        (pathlib.Path(self.folder.name) / "k.cl").write_text("kernel void k(global int *x, global int *y) { *x = 1; *y = 2; }\n", encoding="utf-8")
        for command in ("check", "explain", "audit", "export", "run"):
            words = [self.oclmm, command, "k.cl", "--global", "1", "--arg", "x=0", "--arg", "y=0", "--ask", "x == 1", "--ask", "y == 3"]
            done = subprocess.run([*words, *(["-n", "1"] if command == "run" else [])], capture_output=True, text=True, check=False, timeout=400,
                                  cwd=self.folder.name)
            self.assertNotIn("is given twice", done.stderr, command)
            self.assertIn(done.returncode, (0, 77, 99) if command in ("run", "export") else (0,), command + done.stderr)

    def test_too_many_arguments(self):
        (pathlib.Path(self.folder.name) / "k.cl").write_text("".join(f"// oclmm: --arg a{i}=0\n" for i in range(64)) + "kernel void k() { }\n", encoding="utf-8")
        done = subprocess.run([self.oclmm, "check", "k.cl", "--arg", "b=0"], capture_output=True, text=True, check=False, timeout=60, cwd=self.folder.name)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--arg is given for more than 64 parameters", done.stderr)

    def answer(self, options, text, command="check"):
        """The one line of JSON for a kernel."""
        (pathlib.Path(self.folder.name) / "k.cl").write_text(f"{text}\n// oclmm: {options}\n", encoding="utf-8")
        done = subprocess.run([self.oclmm, command, "--json", "k.cl"], cwd=self.folder.name, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.stdout.count("\n"), 1, done.stdout + done.stderr)
        return json.loads(done.stdout), done.returncode

    def test_json(self):
        asks = " --ask 'out[0] == 0' --ask 'out[0] == 1'"
        found, status = self.answer(PAIR + asks, mp(f"{REL}, {DEV}", f"{ACQ}, {DEV}"))
        self.assertEqual((found["verdict"], found["kernel"], status), ("sound", "k", 0))
        self.assertEqual([(a["observation"], a["holds"], a["fails"]) for a in found["asks"]], [("Never", 0, 2), ("Sometimes", 1, 1)])
        steps = found["asks"][1]["execution"]
        load = next(step for step in steps if step["what"] == "read" and step["object"] == "f")
        self.assertEqual((load["line"], load["read"], load["order"], load["work_item"]), (3, "1", ACQ, 1))
        self.assertEqual((steps[load["from"]]["what"], steps[load["from"]]["object"]), ("write", "f"))
        found, status = self.answer(PAIR + asks, mp(f"{RLX}, {DEV}", f"{ACQ}, {DEV}"), "explain")
        self.assertEqual((found["verdict"], found["message"], status), ("undefined", "a data race", 0))
        self.assertEqual({(side["line"], side["what"], side["object"]) for side in found["race"]}, {(2, "write", "x"), (3, "read", "x")})
        self.assertEqual([ask["observation"] for ask in found["asks"]], ["Undefined", "Undefined"])
        self.assertEqual(found["repair"], ["k.cl:2: memory_order_release in place of memory_order_relaxed"])
        found, _ = self.answer("--global 2 --local 1 --arg l=0 --arg c=0", LOCKED.replace("WEAK", "strong").replace("TAKE", ACQ)
                               .replace("(l, 0,", "(l, 1,").replace("GIVE", REL))
        self.assertEqual([(step["line"], step["object"]) for step in found["waits"]], [(3, "l")])
        found, _ = self.answer("--global 1 --unroll 2 --arg x=0 --ask 'x[0] == 5'", "kernel void k(global int *x) {\nfor (int i = 0; i < 5; i++)\nx[0]++;\n}")
        self.assertEqual((found["bound"]["line"], found["bound"]["turns"]), (2, 2))
        self.assertTrue(found["asks"][0]["observation"].startswith("None within 2 turns"))
        found, status = self.answer("--global 1 --arg x=0", "kernel void k(global int *x) {\nx[0] = 1 / x[0];\n}")
        self.assertEqual((found["verdict"], found["place"]["line"], status), ("not-understood", 2, 2))

    def test_pictures(self):
        def explain(*options):
            return subprocess.run([self.oclmm, "explain", "k.cl", *options], cwd=self.folder.name, capture_output=True, text=True, timeout=120, check=False)

        folder = pathlib.Path(self.folder.name)
        (folder / "k.cl").write_text(mp(f"{RLX}, {DEV}", f"{ACQ}, {DEV}") + f"// oclmm: {PAIR}\n", encoding="utf-8")
        self.assertEqual(explain("--svg", "k.svg", "--dot", "k.dot").returncode, 0)
        tree = xml.etree.ElementTree.parse(folder / "k.svg")
        words = [node.text for node in tree.iter("{http://www.w3.org/2000/svg}text")]
        for word in ("work-item 0 of group 0", "work-item 1 of group 1", "2: write x = 1", "3: read x"):
            self.assertIn(word, words)
        sides = [node for node in tree.iter("{http://www.w3.org/2000/svg}rect") if node.get("class") == "race"]
        self.assertEqual(len(sides), 2)
        # what stands in a box has room there, and boxes stand apart
        boxes = [node for node in tree.iter("{http://www.w3.org/2000/svg}rect")]
        width = int(boxes[0].get("width"))
        self.assertGreaterEqual(width, 7 * max(len(word) for word in words[1:]))
        self.assertGreaterEqual(min(abs(int(a.get("x")) - int(b.get("x"))) for a in boxes for b in boxes if a.get("x") != b.get("x")), width)
        self.assertRegex((folder / "k.dot").read_text(encoding="utf-8"), r'e\d+ -> e\d+ \[label="race"')
        self.assertTrue(explain("--svg", "-").stdout.startswith("<svg"))
        self.assertEqual(explain("--svg", "-", "--json").returncode, 2)
        (folder / "k.cl").write_text("kernel void k(global int *x) { x[0] = 1; }\n// oclmm: --global 1 --arg x=0 --ask 'x == 1'\n", encoding="utf-8")
        done = explain("--svg", "-")
        self.assertEqual(done.returncode, 77)
        self.assertIn("there is no execution to draw", done.stderr)

    def test_what_explain_does_not_take(self):
        (pathlib.Path(self.folder.name) / "k.cl").write_text("kernel void k() { }\n", encoding="utf-8")
        for arguments in (["k.cl", "--outcome", "x=1"], ["k.cl", "k.cl"], ["SB+rlx+rlx", "--global", "2"]):
            done = subprocess.run([self.oclmm, "explain", *arguments], capture_output=True, text=True, check=False, timeout=60,
                                  cwd=self.folder.name)
            self.assertEqual(done.returncode, 2, arguments)

    def test_what_does_not_go_together(self):
        for arguments in (["k.cl", "--write"], ["k.cl", "SB+rlx+rlx"], ["SB+rlx+rlx", "--global", "2"], ["k.cl", "--global", "0"],
                          ["k.cl", "--unroll", "x"], ["k.cl", "--sub-group", "-1"], ["k.cl", "--legacy-scope", "devices"]):
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
