#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tests of litmus/control: each construct with each payload, a file for a pair.

    write_family.py ROOT [--promote]

Compares litmus/control of ROOT and its README.md, and the table between the marks of
docs/control.md, with what is written here; --promote rewrites them. The files that are written by
hand (BY_HAND) are left alone, and are listed in the README as the others are.
"""

import pathlib
import re
import sys

# ---- what work-items hand each other ------------------------------------------

# name: what is declared, one more step of the payload, what is read of it, the flags, in words
PAYLOADS = {
    "local": {
        "write": "s[l] = a + {0};", "read": "a += s[(l + 1) % size];", "flags": "CLK_LOCAL_MEM_FENCE",
        "about": "a neighbour's cell in local memory",
    },
    "global": {
        "write": "g[first + l] = a + {0};", "read": "a += g[first + (l + 1) % size];",
        "flags": "CLK_GLOBAL_MEM_FENCE", "about": "a neighbour's cell in global memory",
    },
    "private": {
        "write": "t[0] = a + {0}; t[1] = t[1] + 1; k = t[0] - l;", "read": "a += t[0] + t[1] + k;",
        "flags": "CLK_LOCAL_MEM_FENCE", "about": "private variables and a private array",
    },
    "all": {
        "write": "s[0] = 7 + {0};", "read": "a += s[0];", "one": True,
        "flags": "CLK_LOCAL_MEM_FENCE", "about": "one local cell that all read",
    },
}

# The same with other synchronisation, or with what a device learns when it runs: {n} counts. What is
# declared behind `a`, the parameters, the sequences in the init block (of a group, of all), the axis.
KINDS = {
    "copy": {
        "lead": "Copies of a work-group and the waits for them", "about": "a copy of the work-group, and the wait for it",
        "write": "g[first + l] = a + {0};",
        "sync": ["barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"],
        "read": ["event_t e{n} = async_work_group_copy(s, g + first, size, 0);", "wait_group_events(1, &e{n});",
                 "a += s[(l + 1) % size];"],
        "parameters": ["local int *s", "global int *g"], "of_group": ["s"], "of_all": ["g"],
    },
    "collective": {
        "lead": "Collective functions", "about": "what a collective function gives",
        "write": "a = a + {0};",
        "sync": ["r = work_group_reduce_add(a);", "a += r % 100;"], "read": [], "declared": ["int r = 0;"],
        "axis": ['vary by: work_group_reduce_add(a) => "scan" work_group_scan_inclusive_add(a) | '
                 '"before" work_group_scan_exclusive_add(a)'],
    },
    "sub-group": {
        "lead": "Barriers of sub-groups before those of the work-group", "about": "a barrier of sub-groups before each barrier",
        "write": "s[l] = a + {0};", "sync": ["sub_group_barrier(CLK_LOCAL_MEM_FENCE);", "barrier(CLK_LOCAL_MEM_FENCE);"],
        "read": ["a += s[(l + 1) % size];"], "parameters": ["local int *s"], "of_group": ["s"],
    },
    "chosen": {
        "lead": "Flags, an order, a scope and a pointer that an argument chooses",
        "about": "flags, orders, scopes and pointers that an argument chooses",
        "write": "p[l] = a + {0};", "sync": ["barrier(f);"], "read": ["a += p[(l + 1) % size];"],
        "declared": ["const cl_mem_fence_flags f = n == 2 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;",
                     "const memory_order o = n == 2 ? memory_order_relaxed : memory_order_acq_rel;",
                     "local int *t[2] = {u, s};", "local int *p = n == 2 ? s : u;"],
        "last": ["atomic_fetch_add_explicit(z, 1, o, n == 2 ? memory_scope_device : memory_scope_work_group);"],
        "parameters": ["local int *s", "local int *u", "global atomic_int *z"], "of_group": ["s", "u"],
        "objects": ["[z] = 0;"], "known": True, "observed": "out; z;",
        "axis": ['vary pointer: local int *p = n == 2 ? s : u; => "array" local int *p = t[n - 1]; | '
                 '"restrict" local int *restrict p = n == 2 ? s : u;'],
        "constructs": ("straight", "if", "arms", "for", "return", "switch"),
    },
    "vector": {
        "lead": "Vectors of four and their components", "about": "a vector of four, and its components",
        "write": "s[l] = v + (a + {0}); s[l].y = l;", "sync": ["barrier(CLK_LOCAL_MEM_FENCE);"],
        "read": ["v = s[(l + 1) % size];", "v.xw = v.wx;", "a += v.x + v.y * 3 + v.z + v.w * 2;"],
        "declared": ["int4 v = (int4)(1, 2, 3, 4);"], "parameters": ["local int4 *s"], "of_group": ["s"],
        "types": {"s": "int4 "},
        "constructs": ("straight", "if", "arms", "tail+for", "for", "return", "switch"),
    },
    "struct": {
        "lead": "Structures, and a pointer out of one", "about": "a structure, and a pointer out of one",
        "before": ["struct cell {", "  int x, y[2];", "  int4 v;", "};", "struct place {",
                   "  local int *p;", "  local int *q;", "};"],
        "write": "c.x = a + {0}; c.y[1] = l; at.q[l] = a; s[l] = c;",
        "sync": ["barrier(CLK_LOCAL_MEM_FENCE);"],
        "read": ["c = s[(l + 1) % size];", "a += c.x + c.y[1] * 3 + c.v.w + at.q[(l + 1) % size];"],
        "declared": ["struct cell c = {1, 2, 3, (int4)(4, 5, 6, 7)};", "struct place at = {u, w};"],
        "parameters": ["local struct cell *s", "local int *u", "local int *w"], "of_group": ["s", "u", "w"],
        "types": {"s": "struct cell "},
        "constructs": ("straight", "if", "arms", "tail+for", "for", "nested", "return", "switch"),
    },
}

KINDS["lanes"] = {
    "lead": "Lanes of one atomic function that access local and global memory",
    "about": "lanes of one instruction in different regions",
    # each has a plain access beside the atomic one: without the barrier it is a race, which is told at once
    "write": "t[l] = a + atomic_fetch_add_explicit(&p[l], a + {0}, memory_order_relaxed, memory_scope_work_group);",
    "sync": ["barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"],
    "read": ["a += t[k] + (k % 2 == 0 ? atomic_load_explicit(&s[k], memory_order_relaxed, memory_scope_work_group)",
             "                        : atomic_load_explicit(&g[first + k], memory_order_relaxed, memory_scope_work_group));"],
    "before": ["int add(atomic_int *to, int what) {",
               "  return atomic_fetch_add_explicit(to, what, memory_order_relaxed, memory_scope_work_group);", "}"],
    "declared": ["const int k = (l + 1) % size;", "atomic_int *near = s;", "atomic_int *far = g + first;",
                 "atomic_int *p = l % 2 == 0 ? near : far;"],
    "last": ["barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);", "t[l] = a + add(p + l, 7);",
             "a += t[l];"],
    "parameters": ["local int *t", "local atomic_int *s", "local atomic_int *u", "global atomic_int *g"],
    "of_group": ["t", "s", "u"], "of_all": ["g"], "initial": {"t": " = {0}", "s": " = {0}", "u": " = {0}"},
    "axis": ['vary lanes: % 2 == 0 => "first" == 0',
             'vary space: atomic_int *to, atomic_int *near, atomic_int *far = g + first, atomic_int *p, &g[first + k]',
             '    => "local" local atomic_int *to, local atomic_int *near, local atomic_int *far = u, '
             'local atomic_int *p, &u[k]'],
    "constructs": ("straight", "if", "tail+for", "for", "switch"),
}

# Each stores in front of the barrier, in the same branch, loop or case, and reads what half a group away was
# stored: by another wave of a GPU, whose lanes would have stored before any of them reads.
KINDS["far"] = {
    "lead": "A cell that is stored in front of each barrier, and read half a group away",
    "about": "a cell half a group away, stored where the barrier stands",
    "write": "g[first + l] = a + {0};", "sync": ["barrier(CLK_GLOBAL_MEM_FENCE);"], "read": ["a += g[first + k];"],
    "declared": ["const int k = (l + size / 2) % size;"], "parameters": ["global int *g"], "of_all": ["g"],
    "initial": {"g": " = {0}"}, "shapes": ["128", "2", "8", "1x5", "3of4"],
    "axis": ['vary space: global int *g, g[first + l], g[first + k], barrier(CLK_GLOBAL_MEM_FENCE)',
             '    => "local" local int *g, g[l], g[k], barrier(CLK_LOCAL_MEM_FENCE)'],
    "constructs": ("straight", "if", "else", "for", "switch"),
    "bodies": {
        "if": "if (N == 2) { W(1) S R S } W(2) S R",
        "else": "if (N == 3) { a += 100; } else { W(1) S R S W(3) } S R",
        # what is stored last in a turn is read behind the loop: a store that sinks below each barrier goes round with it
        "for": "for (int i = 0; i < N; i++) { W(i) S R S W(i + 1) S } R",
        "switch": "switch (N) { case 2: W(1) S R S break; default: a += 100; } W(2) S R",
    },
}

# ---- control flow -----------------------------------------------------------------

# name: the statements, and what they are. W(k) hands on, R reads, S is the barrier, N is 2.
CONSTRUCTS = {
    "straight": ("W(1) S R S W(2) S R", "no branch"),
    "if": ("W(1) if (N == 2) { S R S } W(2) S R", "a branch that all enter"),
    "not-taken": ("W(1) if (N == 3) { a += 100; S R S } W(2) S R", "a branch that nobody enters"),
    "else": ("W(1) if (N == 3) { a += 100; } else { S R S W(3) } S R", "the other arm of a branch"),
    "arms": ("W(1) if (N == 2) { S R S W(2) } else { W(4) S S R } S R",
             "a barrier in both arms of a branch"),
    "tail": ("W(1) if (N == 2) { S if ((l & 1) == 0) { a += 10; } } S R",
             "a branch that all enter, and work that some do after its barrier"),
    "tail+for": ("W(1) if (N == 2) { S if ((l & 1) == 0) { a += 10; } } "
                 "for (int i = 0; i < N; i++) { S R S }",
                 "the same before barriers in a loop"),
    "tail+if": ("W(1) if (N == 2) { S if (l % 3 == 0) { a += 10; } } if (N == 2) { S R }",
                "the same before a barrier in another branch"),
    "for": ("for (int i = 0; i < N; i++) { W(i) S R S }", "a loop in which all turn equally often"),
    "while": ("int i = 0; while (i < N) { W(i) S R S i++; }", "the same as `while`"),
    "do": ("int i = 0; do { W(i) S R S i++; } while (i < N);", "the same as `do`"),
    "nested": ("for (int i = 0; i < N; i++) { for (int j = 0; j < 2; j++) { W(i + j) S R S } a += i; }",
               "a loop in a loop"),
    "for-if": ("for (int i = 0; i < N + 1; i++) { W(i) if (i < N) { S R S } else { a += 1; } } S",
               "a branch in a loop"),
    "if-for": ("if (N == 2) { for (int i = 0; i < N; i++) { W(i) S R S } } a += 1;",
               "a loop in a branch"),
    "return": ("W(1) if (N == 3) { out[first + l] = 7; return; } S R S W(2) S R",
               "a `return` that nobody comes to"),
    "return-all": ("W(1) S R S if (N == 2) { out[first + l] = a; return; } W(2) S R",
                   "a `return` that all come to"),
    "break": ("for (int i = 0; i < 5; i++) { if (i == N) { break; } W(i) S R S }",
              "`break` before a barrier"),
    "break-after": ("for (int i = 0; i < 5; i++) { W(i) S R S if (i + 1 == N) { break; } } a += 1;",
                    "`break` after a barrier"),
    "continue": ("for (int i = 0; i < N + 1; i++) { if (i == 1) { continue; } W(i) S R S }",
                 "`continue` before a barrier"),
    "switch": ("W(1) switch (N) { case 2: S R S break; default: a += 100; } W(2) S R",
               "a barrier in a `switch`"),
    "switch-through": ("W(1) switch (N) { case 1: a += 100; case 2: S R S case 3: a += 4; break; "
                       "default: S } W(2) S R", "a `switch` that falls through"),
    "twice": ("W(1) S S R S S W(2) S S R", "two barriers in a row"),
    "guard": ("for (int i = 0; i < N + l % 3; i++) { a += 1; if (i < N) { W(i) S R S } }",
              "a loop that turns differently often, with a barrier in the turns that all have"),
    "guard-while": ("int i = 0; while (i < N + (l & 1)) { if (i < N) { W(i) S R S } a += i; i++; } S",
                    "the same as `while`"),
    "helper": ("W(1) meet(N); R S W(2) meet(N); R", "a barrier in a branch of a helper function"),
}

# Where `t` is an array, its index is a number; `i` in W(i) is no index.
SHAPES = {  # label: (what stands behind the @, work-items of a group, groups)
    "8": ("wg 0, li 0..7", 8, 1),
    "1": ("wg 0, li 0..0", 1, 1), "2": ("wg 0, li 0..1", 2, 1), "3": ("wg 0, li 0..2", 3, 1),
    "5": ("wg 0, li 0..4", 5, 1), "7": ("wg 0, li 0..6", 7, 1), "16": ("wg 0, li 0..15", 16, 1),
    "17": ("wg 0, li 0..16", 17, 1), "32": ("wg 0, li 0..31", 32, 1), "64": ("wg 0, li 0..63", 64, 1),
    "100": ("wg 0, li 0..99", 100, 1), "128": ("wg 0, li 0..127", 128, 1), "256": ("wg 0, li 0..255", 256, 1),
    "1x5": ("wg 0, li 0..0 x 0..4", 5, 1), "4x1": ("wg 0, li 0..3 x 0..0", 4, 1),
    "2x3": ("wg 0, li 0..1 x 0..2", 6, 1), "1x1x3": ("wg 0, li 0..0 x 0..0 x 0..2", 3, 1),
    "3of4": ("wg 0..2, li 0..3", 4, 3), "2of5": ("wg 0..1, li 0..4 offset 3", 5, 2),
    "20of256": ("wg 0..19, li 0..255", 256, 20),
}
BASE_SHAPE = "8"
# Each file has these, and two of the others in turn; the largest stand in few.
ALWAYS = ["2", "1x5", "3of4"]
IN_TURN = ["1", "3", "5", "7", "16", "17", "4x1", "2x3", "1x1x3", "2of5", "32"]
LARGE = {("straight", "local"): "20of256", ("for", "local"): "256", ("if", "local"): "100",
         ("guard", "local"): "64", ("tail+for", "local"): "64", ("switch", "global"): "100",
         ("while", "private"): "256"}

BY_HAND = ["arms+tail", "arms+value", "broadcast+collective", "for+arms-not-taken", "for+guard", "for+not-taken",
           "helper+fetch", "if+loop-of-one", "if+own-cell", "if-tail+for"]

EXCUSE = "(no control: what a compiler leaves out or does twice is no weaker order)"


def helper(construct, kind, sync):
    """The function with the barriers of the construct `helper`, and how it is called."""
    if construct != "helper":
        return []
    if kind == "collective":
        return ["int meet(int enter, int a) {", "  int r = 0;", "", "  if (enter == 2)", "    r = work_group_reduce_add(a);",
                "  return a + r % 100;", "}", ""]
    return ["void meet(int enter) {", "  if (enter == 2) {", *(f"    {one}" for one in sync), "  }", "}", ""]


def statements(text, p):
    """The words of a construct as statements of the test, one a line."""
    out, depth = [], 1
    i = number = 0

    def line(s):
        out.append("  " * depth + s)

    while i < len(text):
        c = text[i]
        if c == " ":
            i += 1
        elif text.startswith("W(", i):
            level, k = 1, i + 2
            while level:
                level += {"(": 1, ")": -1}.get(text[k], 0)
                k += 1
            value = text[i + 2:k - 1]
            what = p["write"].format(value if value.isalnum() else f"({value})")
            if p.get("one"):
                line("if (l == 0)")
                out.append("  " * (depth + 1) + what)
            else:
                for one in what.split("; "):
                    line(one if one.endswith(";") else one + ";")
            i = k
        elif c in "SR" and text[i:i + 2] in (c, c + " "):
            number += 1
            for one in p["sync" if c == "S" else "read"]:
                line(one.replace("{n}", str(number)))
            i += 1
        elif c == "}":
            depth -= 1
            tail = ""
            k = i + 1
            rest = text[k:].lstrip()
            if rest.startswith("else {"):
                tail, k = " else {", len(text) - len(rest) + len("else {")
            elif rest.startswith("while ("):
                end = rest.index(";") + 1
                tail, k = " " + rest[:end], len(text) - len(rest) + end
            line("}" + tail)
            depth += tail == " else {"
            i = k
        else:
            k, level = i, 0
            while True:
                level += {"(": 1, ")": -1}.get(text[k], 0)
                if level == 0 and (text[k] in ";{" or
                                   (text[k] == ":" and text[i:].startswith(("case", "default")))):
                    break
                k += 1
            line(text[i:k + 1].strip())
            depth += text[k] == "{"
            i = k + 1
    return out


TURNS_DIFFER = ("guard", "guard-while")


def is_by_version(construct, kind):
    """The sentence of 2.0 is about barriers alone."""
    return construct in TURNS_DIFFER and kind != "collective"


def result(construct, kind):
    """Of all versions together."""
    return "Undefined" if is_by_version(construct, kind) else "Never"


def by_version(construct, kind):
    return [" *", " * OpenCL C 2.0 has all execute a barrier in a loop for each turn of the loop, and so gives it no",
            " * meaning: Never under `--model opencl-3.0`."] if is_by_version(construct, kind) else []


def name_of(construct, payload):
    return f"{construct}+{payload}"


def shapes_of(number, construct, payload):
    turn = [IN_TURN[(2 * number + k) % len(IN_TURN)] for k in range(2)]
    large = LARGE.get((construct, payload))
    return ALWAYS + turn + ([large] if large else [])


def objects(payload, size, groups):
    """Sequences of the init block that depend on the shape."""
    every = {"local": [("s", size)], "global": [("g", size * groups)], "private": [],
             "all": []}[payload]
    return every + [("out", size * groups)]


def sequences(payload, label):
    place, size, groups = SHAPES[label]
    where = place.split(", ")
    return where + [f"{name}[{count}]" for name, count in objects(payload, size, groups)]


def test_text(number, construct, payload):
    body, what = CONSTRUCTS[construct]
    uses_n = "N" in body
    # so written it stands nowhere else
    body = body.replace("N", "(n)")
    p = PAYLOADS[payload]
    name = name_of(construct, payload)
    base = sequences(payload, BASE_SHAPE)
    shapes = shapes_of(number, construct, payload)
    lines = [f"OPENCL {name}", "",
             f"\"Barriers and {p['about']}, {what.replace(chr(96), '')}: does each work-item end as it must?\"",
             "", f"(* Result: {result(construct, payload)}", " *",
             " * " + ("Each comes to the same barriers in the same turns, and nothing that two work-items"),
             " * share is used without a barrier between them. So there is one outcome, and in it",
             " * no work-item ends without a result.", *by_version(construct, payload), " *)", ""]
    if uses_n:
        lines.append("vary bound: (n) => \"memory\" (0 + *m) | \"constant\" (2)")
    row = ", ".join(base) + " => " + "\n    | ".join(
        f"\"{label}\" " + ", ".join(sequences(payload, label)) for label in shapes)
    lines += ["vary shape: " + row]
    sync = {"CLK_LOCAL_MEM_FENCE": "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE",
            "CLK_GLOBAL_MEM_FENCE": "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"}[p["flags"]]
    lines.append(f"vary by: barrier({p['flags']}) => \"both\" barrier({sync})")
    lines += ["", "{"]
    if payload in ("local",):
        lines.append(f"s[8];")
    if payload == "all":
        lines.append("s[1];")
    if payload == "global":
        lines.append("g[8];")
    lines.append("out[8] = {-1};")
    lines += ["[m] = 2;", "n = 2;"] if uses_n else []
    lines += ["}", ""]
    head = ["global int *out"]
    if payload in ("local", "all"):
        head.append("local int *s")
    if payload == "global":
        head.append("global int *g")
    if uses_n:
        head += ["int n", "global const int *m"]
    lines += helper(construct, payload, [f"barrier({p['flags']});"])
    lines.append(f"kernel@{SHAPES[BASE_SHAPE][0]} ({', '.join(head)}) {{")
    lines += ["  const int size = get_local_size(0) * get_local_size(1) * get_local_size(2);",
              "  const int l = get_local_linear_id(), first = get_group_id(0) * size;",
              "  int a = l + 1;"]
    if payload == "private":
        lines += ["  int t[2] = {3};", "  int k = 0;"]
    lines.append("")
    lines += statements(body, {**p, "sync": [f"barrier({p['flags']});"], "read": [p["read"]]})
    lines += ["  out[first + l] = a;", "}", "", "locations [out;]", "exists (out[0]=-1)", ""]
    return "\n".join(lines)


def kind_text(construct, kind):
    """A construct with another kind of synchronisation, in fewer shapes."""
    body, what = CONSTRUCTS[construct]
    k = KINDS[kind]
    body = k.get("bodies", {}).get(construct, body)
    base, *shapes = k.get("shapes", [BASE_SHAPE, *ALWAYS])
    uses_n = "N" in body or "known" in k
    if kind == "collective":
        body = body.replace("meet(N)", "a = meet(N, a)")
    body = body.replace("N", "(n)")

    def in_shape(label):
        place, size, groups = SHAPES[label]
        return ", ".join(place.split(", ") + [f"{name}[{size}]" for name in k.get("of_group", [])] +
                         [f"{name}[{size * groups}]" for name in k.get("of_all", []) + ["out"]])
    lines = [f"OPENCL {name_of(construct, kind)}", "",
             f"\"{k['lead']}, {what.replace(chr(96), '')}: does each work-item end as it must?\"",
             "", f"(* Result: {result(construct, kind)}", " *",
             " * Each comes to the same barriers, copies and functions in the same turns, and nothing that two",
             " * work-items share is used without a barrier between them, or a wait behind the copy. So there",
             " * is one outcome, and in it no work-item ends without a result.", *by_version(construct, kind), " *)", ""]
    if uses_n and "known" not in k:
        lines.append("vary bound: (n) => \"memory\" (0 + *m) | \"constant\" (2)")
    lines.append("vary shape: " + in_shape(base) + " => " +
                 "\n    | ".join(f"\"{label}\" {in_shape(label)}" for label in shapes))
    lines += k.get("axis", []) + ["", "{"]
    types = k.get("types", {})
    lines += [f"{types.get(name, '')}{name}[{SHAPES[base][1]}]{k.get('initial', {}).get(name, '')};"
              for name in k.get("of_group", []) + k.get("of_all", [])]
    lines += k.get("objects", []) + [f"out[{SHAPES[base][1]}] = {{-1}};"] + (["[m] = 2;", "n = 2;"] if uses_n else []) + ["}", ""]
    head = ["global int *out"] + k.get("parameters", []) + (["int n", "global const int *m"] if uses_n else [])
    lines += k["before"] + [""] if "before" in k else []
    lines += helper(construct, kind, k["sync"])
    lines += [f"kernel@{SHAPES[base][0]} ({', '.join(head)}) {{",
              "  const int size = get_local_size(0) * get_local_size(1) * get_local_size(2);",
              "  const int l = get_local_linear_id(), first = get_group_id(0) * size;"]
    lines += [f"  {one}" for one in k.get("declared", [])] + ["  int a = l + 1;", ""]
    lines += statements(body, k) + [f"  {one}" for one in k.get("last", [])]
    lines += ["  out[first + l] = a;", "}", "", f"locations [{k.get('observed', 'out;')}]", "exists (out[0]=-1)", ""]
    return "\n".join(lines)


def has_kind(construct, kind):
    """Loops that turn differently often end on few devices: one of them is enough."""
    return construct in KINDS[kind].get("constructs", [c for c in CONSTRUCTS if c != "guard-while"])


def files():
    number = 0
    for construct in CONSTRUCTS:
        for payload in PAYLOADS:
            if payload == "all" and construct not in ALL_READ:
                continue
            yield name_of(construct, payload), test_text(number, construct, payload)
            number += 1


    for construct in CONSTRUCTS:
        for kind in KINDS:
            if has_kind(construct, kind):
                yield name_of(construct, kind), kind_text(construct, kind)


ALL_READ = ("straight", "if", "tail+for", "for", "for-if", "switch", "guard")


def question(text):
    return text.split('"')[1]


def stated(text):
    return re.search(r"Result: (\w+)", text).group(1)


def excuse(text):
    """What is undefined for a version asks for no control; a work-item alone turns as often as all."""
    return f" {EXCUSE}" if stated(text) == "Never" or '"1" wg 0, li 0..0,' in text else ""


def readme(root, made):
    texts = dict(made)
    for name in BY_HAND:
        texts[name] = (root / "litmus/control" / f"{name}.litmus").read_text()
    rows = "\n".join(f"* [{n}]({n}.litmus) – {stated(texts[n])}. {question(texts[n])}{excuse(texts[n])}"
                     for n in sorted(texts))
    return f"""# Control flow

Kernels whose text all work-items of a group share, with barriers in branches and loops. What is
uniform is uniform beyond argument: everybody enters, all turn equally often or come to the barrier in
the same turns. Each such kernel has one outcome, and the device is given the text as it stands.
[docs/control.md](../../docs/control.md) has the table of what is crossed with what.

One line per test: what the model answers for the file as written, and the question.

{rows}
"""


def table(made):
    names = {n for n, _ in made}
    columns = {**PAYLOADS, **KINDS}
    head = "| | " + " | ".join(p["about"] for p in columns.values()) + " |\n"
    head += "|---" * (1 + len(columns)) + "|\n"
    rows = ""
    for construct, (_, what) in CONSTRUCTS.items():
        cells = [f"`{name_of(construct, p)}`" if name_of(construct, p) in names else "–"
                 for p in columns]
        rows += f"| {what} | " + " | ".join(cells) + " |\n"
    return head + rows


BEGIN, END = "<!-- covering table: begin -->\n", "<!-- covering table: end -->\n"


def main():
    root = pathlib.Path(sys.argv[1])
    promote = "--promote" in sys.argv
    made = list(files())
    wanted = {root / "litmus/control" / f"{n}.litmus": t for n, t in made}
    wanted[root / "litmus/control/README.md"] = readme(root, made)
    page = root / "docs/control.md"
    old = page.read_text()
    wanted[page] = old[:old.index(BEGIN) + len(BEGIN)] + table(made) + old[old.index(END):]
    wrong = [p for p, t in wanted.items() if not p.exists() or p.read_text() != t]
    known = {p.stem for p in wanted} | set(BY_HAND)
    wrong += [p for p in (root / "litmus/control").glob("*.litmus") if p.stem not in known]
    if promote:
        for p in wrong:
            p.write_text(wanted[p]) if p in wanted else p.unlink()
        print(f"{len(wrong)} files written")
        return 0
    for p in wrong:
        print(f"{p}: differs from what {sys.argv[0]} writes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
