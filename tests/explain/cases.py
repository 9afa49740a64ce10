# SPDX-License-Identifier: Apache-2.0
"""Small tests whose explanations are worked out by hand."""


def store(name, value, order="relaxed", scope="device"):
    return f"atomic_store_explicit({name}, {value}, memory_order_{order}, memory_scope_{scope});"


def load(register, name, order="relaxed", scope="device"):
    return f"int {register} = atomic_load_explicit({name}, memory_order_{order}, memory_scope_{scope});"


def add(name, order="relaxed", scope="device"):
    return f"atomic_fetch_add_explicit({name}, 1, memory_order_{order}, memory_scope_{scope});"


def fence(order, flags="GLOBAL", scope="device"):
    return f"atomic_work_item_fence(CLK_{flags}_MEM_FENCE, memory_order_{order}, memory_scope_{scope});"


def litmus(threads, condition, groups=None, local=""):
    """A litmus file; x, y and z are atomic; `groups` gives each thread's work-group, its own by default."""
    names = [name for name in "xyzdl" if any(name in uses(body) for body in threads)]
    text = "OPENCL case\n\n{\n" + "".join(f"[{name}] = 0;\n" for name in names) + "}\n"
    for number, body in enumerate(threads):
        group = groups[number] if groups else number
        used = [name for name in names if name in uses(body)]
        heads = ", ".join(f"{'local' if name in local else 'global'} "
                          f"{'atomic_int' if name in 'xyz' else 'int'} *{name}" for name in used)
        text += f"\nP{number}@wg {group}, dev 0 ({heads}) {{\n"
        text += "".join(f"  {line}\n" for line in body) + "}\n"
    return text + f"\nexists ({condition})\n"


def uses(body):
    """The names of objects in a thread's lines: one letter each."""
    found = set()
    for line in body:
        for at, letter in enumerate(line):
            around = line[at - 1:at] + line[at + 1:at + 2]
            if letter in "xyzdl" and not any(c.isalnum() or c == "_" for c in around):
                found.add(letter)
    return found


MP = litmus([[store("x", 1), store("y", 1, "release")], [load("r0", "y", "acquire"), load("r1", "x")]],
            "1:r0=1 /\\ 1:r1=0")
SB = litmus([[store("x", 1, "seq_cst"), load("r0", "y", "seq_cst")],
             [store("y", 1, "seq_cst"), load("r0", "x", "seq_cst")]], "0:r0=0 /\\ 1:r0=0")
SB_RELAXED = SB.replace("seq_cst", "relaxed")
BARRIER = ["barrier(CLK_GLOBAL_MEM_FENCE);"]
GUARDED = ["int r1 = 1;", "if (r0 == 1) {", "r1 = *d;", "}"]
RACE = litmus([["*d = 1;", store("y", 1)], [load("r0", "y"), *GUARDED]], "1:r0=1 /\\ 1:r1=0")
DISPUTED = SB.replace("scope_device", "scope_work_group").replace("@wg 1", "@wg 0")

# What a seq_cst read of z missed may stand before either store to z that is in S, but not behind the
# last one, since the weaker store that it reads happens before that.
PLACES = litmus([[store("z", 5), store("z", 2, "seq_cst"), load("r0", "x", "seq_cst")], [store("z", 1, "seq_cst")],
                 [store("x", 1, "seq_cst"), load("r1", "z", "seq_cst")]], "0:r0=0 /\\ 2:r1=5 /\\ z=2")

# name: (test, rule, cycle). Events are lettered thread by thread, line by line;
# a barrier is two of them. The cycle begins where the explanation begins it.
CYCLES = {
    # the acquire reads from the release, so a happens before d, which misses it
    "MP": (MP, "coherence, write-read", "a sb b sw c sb d fr a"),
    # each read misses the other thread's store, so it precedes it in S
    "SB": (SB, "seq_cst", "a sb b fr c sb d fr a"),
    "SB with fences": (
        litmus([[store("x", 1), fence("seq_cst"), load("r0", "y")],
                [store("y", 1), fence("seq_cst"), load("r0", "x")]], "0:r0=0 /\\ 1:r0=0"),
        # between the fences b and e: b before e by rule 4, and e before b
        "seq_cst", "b sb c fr d sb e sb f fr a sb b"),
    "IRIW": (
        litmus([[store("x", 1, "seq_cst")], [store("y", 1, "seq_cst")],
                [load("r0", "x", "seq_cst"), load("r1", "y", "seq_cst")],
                [load("r0", "y", "seq_cst"), load("r1", "x", "seq_cst")]],
               "2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0"),
        # a is seen by c, d misses b, b is seen by e, f misses a
        "seq_cst", "a sw c sb d fr b sw e sb f fr a"),
    "2+2W": (
        litmus([[store("x", 2, "seq_cst"), store("y", 1, "seq_cst")],
                [store("y", 2, "seq_cst"), store("x", 1, "seq_cst")]], "[x]=2 /\\ [y]=2"),
        # the first store of each thread wins, so the second one of the other stands before it in mo
        "seq_cst", "a sb b mo c sb d mo a"),
    "CoRR": (litmus([[store("x", 1)], [load("r0", "x"), load("r1", "x")]], "1:r0=1 /\\ 1:r1=0"),
             "coherence, read-read", "b sb c fr a rf b"),
    "CoWW": (litmus([[store("x", 1), store("x", 2)]], "[x]=1"), "coherence, write-write", "a sb b mo a"),
    "CoWR": (litmus([[store("x", 1), load("r0", "x")], [store("x", 2)]], "0:r0=0"),
             "coherence, write-read", "a sb b fr a"),
    "CoRW": (litmus([[load("r0", "x"), store("x", 1)]], "0:r0=1"), "no read from the future", "a sb b rf a"),
    "LB": (
        litmus([[load("r0", "x", "acquire"), store("y", 1)], [load("r0", "y"), store("x", 1, "release")]],
               "0:r0=1 /\\ 1:r0=1"),
        # c happens before b by way of sw, and reads from it
        "no read from the future", "c sb d sw a sb b rf c"),
    "S": (
        litmus([[store("x", 2), store("y", 1, "release")], [load("r0", "y", "acquire"), store("x", 1)]],
               "1:r0=1 /\\ [x]=2"),
        "coherence, write-write", "a sb b sw c sb d mo a"),
    "WWC": (
        litmus([[store("x", 2)], [load("r0", "x"), store("y", 1, "release")],
                [load("r0", "y", "acquire"), store("x", 1)]], "1:r0=2 /\\ 2:r0=1 /\\ [x]=2"),
        "coherence, read-write", "b sb c sw d sb e mo a rf b"),
    "plain data": (
        litmus([["*d = 1;", store("y", 1, "release")],
                [load("r0", "y", "acquire"), *GUARDED]],
               "1:r0=1 /\\ 1:r1=0"),
        "visible side effect", "a sb b sw c sb d fr a"),
    "two increments": (litmus([[add("x")], [add("x")]], "[x]=1"),
                       # both read the initial value; the other one stands between
                       "rmw atomicity", "b fr a mo b"),
    "barrier": (
        litmus([[store("x", 1), *BARRIER], [*BARRIER, load("r0", "x")]], "1:r0=0", groups=[0, 0]),
        # b and d are entries, c and e exits
        "coherence, write-read", "a sb b sw e sb f fr a"),
    "order of a barrier": (
        litmus([[load("r0", "x"), *BARRIER], [*BARRIER, store("x", 1)]], "0:r0=1", groups=[0, 0]),
        "no read from the future", "a sb b sw e sb f rf a"),
    "fences": (
        litmus([[store("x", 1), fence("release"), store("y", 1)],
                [load("r0", "y"), fence("acquire"), load("r1", "x")]], "1:r0=1 /\\ 1:r1=0"),
        "coherence, write-read", "a sb b sw e sb f fr a"),
    "release sequence": (
        litmus([[store("x", 1), store("y", 1, "release")], [add("y")],
                [load("r0", "y", "acquire"), load("r1", "x")]], "2:r0=2 /\\ 2:r1=0"),
        # d reads from the increment c, which stands in the release sequence of b
        "coherence, write-read", "a sb b sw d sb e fr a"),
    "three threads": (
        litmus([[store("x", 1), store("y", 1, "release")],
                [load("r0", "y", "acquire"), store("z", 1, "release")],
                [load("r0", "z", "acquire"), load("r1", "x")]], "1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0"),
        "coherence, write-read", "a sb b sw c sb d sw e sb f fr a"),
    "out of thin air": (
        litmus([[load("r0", "x"), store("y", "r0")], [load("r0", "y"), store("x", "r0")]],
               "0:r0=1 /\\ 1:r0=1"),
        "no value out of thin air", "a data b rf c data d rf a"),
}

# A child kernel with a flag, and two with an event.
CALL = "enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_{}, ndrange_1D(1), {}^{{ {}(x); }});"
CHILD = f"""OPENCL case

{{
[x] = 0;
}}

P0@wg 0, dev 0 (global atomic_int *x) {{
  {store("x", 1)}
  {CALL.format("WHICH", "", "P1")}
}}

P1@child (global atomic_int *x) {{
  {load("r0", "x")}
}}

exists (1:r0=0)
"""
CHILDREN = f"""OPENCL case

{{
[x] = 0;
}}

P0@wg 0, dev 0 (global atomic_int *x) {{
  clk_event_t e;
  {CALL.format("NO_WAIT", "0, NULL, &e, ", "P1")}
  {CALL.format("NO_WAIT", "1, &e, NULL, ", "P2")}
}}

P1@child (global atomic_int *x) {{
  {store("x", 1)}
}}

P2@child (global atomic_int *x) {{
  {load("r0", "x")}
}}

exists (2:r0=0)
"""
