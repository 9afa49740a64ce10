# SPDX-License-Identifier: Apache-2.0
"""Whether published forms are the texts' programs word by word, but for what is declared here.

usage: word_by_word.py OCLMM TEXTS.C

texts.py looks at what they come to. That cannot see each change: of a program that is undefined,
most repairs and most further mistakes come to the same. So the kernels' words are compared with
those of the texts' programs (TEXTS.C), and the texts' examples with what a device is given of them.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "litmus/idiom"
OCLMM, TEXTS = sys.argv[1:3]

# What docs/seed-texts.md declares. Macros of the texts are arguments here, because the sizes are
# options of the program; names say what they are; scratch memory is an argument.
BARRIER = {"FOR(j,0,STEPS)": "for (int j = 0; j < STEPS; j++)", "STEPS": "steps", "N": "n",
           "globalSync": "global_barrier", "test": "neighbour_sum"}
STAGED = {"GROUP_NUMBER_OF_WORKITEMS": "size", "kernel_test": "staged_reduction", "pDst": "dst",
          "pSrc1": "src", "pData": "data", "pLocks": "locks", "tmpBuffer": "cells"}
PROGRESS = {"MAX_COMPUTE_UNITS * 3 / 2": "waiters", "kernel_test": "progress", "pDst": "dst"}
BARRIER_HEAD = ("neighbour_sum", "int *flags", "int *flags, int n, int steps")
# (file, the text, names, a function's head: the text's words and those in their place)
KERNELS = [
    ("global-barrier-count-published.cl", "barriers", {**BARRIER, "globalSync1": "global_barrier"}, BARRIER_HEAD),
    ("global-barrier-leaders-published.cl", "barriers", {**BARRIER, "globalSync2": "global_barrier"}, BARRIER_HEAD),
    ("global-barrier-flags-published.cl", "barriers", {**BARRIER, "globalSync3": "global_barrier"}, BARRIER_HEAD),
    ("staged-reduction-published.cl", "staged", STAGED,
     ("staged_reduction", "int *locks", "int *locks, int size, local int *cells")),
    ("tree-reduction-published.cl", "tree", {"NUM": "number", "reduce": "tree_reduction"}, ("", "", "")),
    ("scan-segments-published.cl", "scan", {"n1": "bytes"}, ("", "", "")),
    ("progress-published.cl", "progress", PROGRESS,
     ("progress", ", global int *pSrc1, global int *pSrc2", ", int waiters")),
]
# An array that is an argument here.
DECLARED = "local int tmpBuffer[GROUP_NUMBER_OF_WORKITEMS];"

RELAXED, ACQUIRE, RELEASE = "memory_order_relaxed", "memory_order_acquire", "memory_order_release"
# The examples of the text on memory orders: the objects as they begin, and what each work-item does.
EXAMPLES = {
    "orders-opening-published": ({"a": "{1, 2}"}, [
        ["x = a[0]", "y = a[1]", "a[0] = x + 1", "a[1] = y + 2"],
        ["r1 = a[1]", "r0 = a[0]"]]),
    "orders-independent": ({"obj": "10", "a": "100"}, [
        [f"atomic_fetch_add_explicit(obj, 1, {RELAXED})", "*a = *a + 10"]]),
    "orders-independent-published": ({"obj": "10", "a": "100"}, [
        [f"atomic_fetch_add_explicit(obj, 1, {RELAXED})", "*a = *a + 10"],
        ["r1 = *a", f"r0 = atomic_load_explicit(obj, {RELAXED})"]]),
    "orders-exchange": ({"a": "10", "b": "100"}, [
        [f"r0 = atomic_load_explicit(b, {RELAXED})", f"atomic_store_explicit(a, r0, {RELAXED})"],
        [f"r0 = atomic_load_explicit(a, {RELAXED})", f"atomic_store_explicit(b, 50, {RELAXED})"]]),
    "orders-acq-rel": ({"a": "10", "b": "20"}, [
        [f"atomic_fetch_add_explicit(a, 1, {RELAXED})", f"atomic_store_explicit(b, 0, {RELEASE})"],
        [f"r0 = atomic_load_explicit(b, {ACQUIRE})", f"r1 = atomic_load_explicit(a, {RELAXED})"]]),
    "orders-acq-rel-chain": ({"a": "10", "b": "20", "c": "0"}, [
        [f"atomic_fetch_add_explicit(a, 1, {RELAXED})", f"atomic_store_explicit(b, 0, {RELEASE})"],
        [f"atomic_fetch_add_explicit(a, 1, {RELAXED})", "atomic_fetch_add_explicit(b, 1, memory_order_acq_rel)",
         "*c = *c + 1"],
        [f"r0 = atomic_load_explicit(b, {ACQUIRE})", f"r1 = atomic_load_explicit(a, {RELAXED})"]]),
    "orders-total": ({"a": "10", "b": "20"}, [
        ["atomic_fetch_add_explicit(a, 1, memory_order_seq_cst)", "atomic_fetch_add_explicit(b, 1, memory_order_seq_cst)"],
        ["atomic_fetch_add_explicit(a, 2, memory_order_seq_cst)", "atomic_fetch_add_explicit(b, 2, memory_order_seq_cst)"],
        ["r0 = atomic_load_explicit(a, memory_order_seq_cst)", "r1 = atomic_load_explicit(b, memory_order_seq_cst)"]]),
    # one turn of each of the texts' kernels, as far as a few accesses can show it
    "staged-reduction-published": ({"s0": "0", "s1": "0", "lock0": "0", "lock1": "0"}, [
        ["atomic_or(lock0, 1)", "*s0 = 1", "r1 = 1", "r0 = atomic_add(lock0, 0)", "if (r0 == 0)", "r1 = *s1"],
        ["atomic_or(lock1, 1)", "*s1 = 1", "atomic_xchg(lock0, 0)"],
        ["r0 = *s1"]]),
    "global-barrier-count-published": ({"a": "0", "b": "0", "c": "0"}, [
        ["*a = 1", "r0 = atomic_inc(c)", "r0 = *c", "r1 = 1", "if (r0 == 2)", "r1 = *b"],
        ["*b = 1", "r0 = atomic_inc(c)", "r0 = *c", "r1 = 1", "if (r0 == 2)", "r1 = *a"]]),
    "global-barrier-flags-published": ({"a": "0", "b": "0", "f": "0", "g": "0"}, [
        ["*a = 1", "r1 = 1", "r0 = *f", "if (r0 == 1)", "*g = 1", "r1 = *b"],
        ["*b = 1", "*f = 1", "r1 = 1", "r0 = *g", "if (r0 == 1)", "r1 = *a"]]),
}
# Plain objects that the texts make volatile, and that have to be so for the device, too.
VOLATILE = {"orders-opening-published": 2, "orders-independent": 2, "orders-independent-published": 4,
            "orders-exchange": 4, "orders-acq-rel": 4, "orders-acq-rel-chain": 7, "orders-total": 6,
            "staged-reduction-published": 0, "global-barrier-count-published": 6,
            "global-barrier-flags-published": 8}


def words_of(text):
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    found = re.findall(r"[A-Za-z_]\w*|\d[\w.]*|<<=|>>=|[-+*/%&|^=!<>]=|&&|\|\||<<|>>|\+\+|--|\S", text)
    alike = {"__global": "global", "__local": "local", "__kernel": "kernel", "uint": "unsigned int"}
    return " ".join(alike.get(word, word) for word in found).split()


class Blocks:
    """Gives every body braces, and drops empty statements in blocks."""

    def __init__(self, words):
        self.words, self.out = words, []

    def take(self, wanted=None):
        if wanted and self.words[0] != wanted:
            sys.exit(f"{wanted} is expected at {' '.join(self.words[:8])}")
        self.out.append(self.words.pop(0))

    def parentheses(self):
        depth = 0
        while True:
            depth += {"(": 1, ")": -1}.get(self.words[0], 0)
            self.take()
            if depth == 0:
                return

    def body(self):
        if self.words[0] == "{":
            self.statement()
        else:
            self.out.append("{")
            self.statement()
            self.out.append("}")

    def statement(self):
        word = self.words[0]
        if word == "{":
            self.take("{")
            while self.words[0] != "}":
                if self.words[0] == ";":
                    self.words.pop(0)
                else:
                    self.statement()
            self.take("}")
        elif word in ("if", "while", "for"):
            self.take()
            self.parentheses()
            if self.words[0] == ";":
                self.words.pop(0)
                self.out += ["{", "}"]
            else:
                self.body()
            if word == "if" and self.words[0] == "else":
                self.take()
                self.body()
        elif word == "do":
            self.take()
            self.body()
            self.take("while")
            self.parentheses()
            self.take(";")
        else:
            while self.words[0] != ";":
                self.take()
            self.take(";")


def functions_of(text):
    """{name: (head without the name, body with braces everywhere)}"""
    words, found = words_of(text), {}
    while words:
        at = words.index("(")
        until = words.index("{")
        name, head = words[at - 1], words[:at - 1] + words[at:until]
        blocks = Blocks(words[until:])
        blocks.statement()
        # a qualifier before or after the address space
        text_of_head = re.sub(r"\bglobal volatile\b", "volatile global", " ".join(head))
        found[name] = text_of_head, " ".join(blocks.out)
        words = blocks.words
    return found


def kernels_of_texts():
    found = {}
    source = pathlib.Path(TEXTS).read_text(encoding="utf-8")
    for name, strings in re.findall(r"static const char (\w+)\[\] =((?:\s*\"(?:[^\"\\]|\\.)*\")+)", source):
        lines = re.findall(r"\"((?:[^\"\\]|\\.)*)\"", strings)
        found[name] = "".join(json.loads(f'"{line}"') for line in lines)
    return found


def renamed(text, names):
    for old, new in names.items():
        text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, text)
    return text


def kernel_differences(row, source, texts):
    """What the file has otherwise than the text."""
    file, text, names, (changed, old, new) = row
    written = re.sub(r"#define.*\n", "", texts[text]).replace(DECLARED, "")
    wanted, ours = functions_of(renamed(written, names)), functions_of(source)
    old, new = " ".join(words_of(old)), " ".join(words_of(new))
    # the other two barriers of their text
    wanted = {name: parts for name, parts in wanted.items() if not name.startswith("globalSync")}
    if set(wanted) != set(ours):
        yield f"{file}: functions {', '.join(ours)}, and the text's {', '.join(wanted)}"
        return
    for name, (head, body) in wanted.items():
        if name == changed:
            if head.count(old) != 1:
                sys.exit(f"{file}: {head}: {old!r} does not stand there once")
            head = head.replace(old, new)
        for part, (theirs, own) in {"head": (head, ours[name][0]), "body": (body, ours[name][1])}.items():
            if theirs != own:
                yield f"{file}: the {part} of {name} is\n  {own}\nand the text's\n  {theirs}"


def shown(*arguments):
    return subprocess.run([OCLMM, "show", *arguments], capture_output=True, text=True, check=True).stdout


def example_differences(path):
    """What the device, the init block and the placements have otherwise than the text."""
    objects, threads = EXAMPLES[path.stem]
    kernel, test = shown("--kernel", f"{path}:{path.stem}"), shown(f"{path}:{path.stem}")
    init = dict(re.findall(r"^\s*(?:int )?\[?(\w+)(?:\[2)?\]? = (.*);$", test.split("{", 1)[1].split("\n}")[0], re.M))
    if init != objects:
        yield f"{path.stem}: the objects begin as {init}"
    groups = re.findall(r"^P(\d)@wg (\d), dev 0 ", test, re.M)
    expected = [(str(i), "0" if path.stem == "staged-reduction-published" and i == 2 else str(i))
                for i in range(len(threads))]
    if groups != expected:
        yield f"{path.stem}: the work-items and their groups are {groups}"
    heads = re.findall(r"^static void P\d\((.*)\)$", kernel, re.M)
    if sum(head.count("volatile") for head in heads) != VOLATILE[path.stem]:
        yield f"{path.stem}: volatile for the device are {heads}"
    for i, statements in enumerate(threads):
        body = re.search(rf"^static void P{i}\([^\n]*\)\n{{\n(.*?)^}}", kernel, re.M | re.S).group(1)
        body = re.sub(rf"r->P{i}_|\bat_", "", re.sub(r"\*\((?:at_)?a \+ 1\)", "a[1]", body))
        if "opening" in path.stem:
            body = re.sub(r"\*a\b", "a[0]", body)
        own = [line.strip().rstrip(";{ ") for line in body.splitlines() if line.strip() not in ("", "}")]
        if own != statements:
            yield f"{path.stem}: P{i} does\n  {own}\nand the text\n  {statements}"


def plant(found, what):
    """Complains of a change that is not seen."""
    return [] if list(found) else [f"{what}: nobody sees it"]


def plant_in_kernels(row, source, texts):
    """Without any one word of the file, with another number, order or flag for one of it."""
    body = re.sub(r"/\*.*?\*/|//[^\n]*", " ", source, flags=re.S)
    for match in re.finditer(r"[^\n;{}]*(?:;|(?<=\)) \{)", body):
        if match.group().strip(" ;{\n\t"):
            changed = body[:match.start()] + (";" if match.group().endswith(";") else "{") + body[match.end():]
            try:
                yield from plant(kernel_differences(row, changed, texts), f"{row[0]} without {match.group().strip()!r}")
            except (SystemExit, ValueError, IndexError):
                pass  # it is no program any more
    for old, new in (("CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE"), ("volatile global", "global"),
                     ("atomic_inc(s)", "(*s)++"), ("global int *", "global atomic_int *"),
                     ("local uint4 resArray[64]", "local uint4 resArray[65]"), ("== 10000", "== 10001")):
        if old in body:
            yield from plant(kernel_differences(row, body.replace(old, new, 1), texts), f"{row[0]}: {new} for {old}")


CHANGES = [("orders-acq-rel", ", memory_order_relaxed)", ", memory_order_relaxed, memory_scope_device)"),
           ("orders-acq-rel", "memory_order_relaxed", "memory_order_release"),
           ("orders-acq-rel", "[b] = 20", "[b] = 21"), ("orders-acq-rel", "P1@wg 1", "P1@wg 2"),
           ("orders-total", "(a, 2,", "(a, 1,"), ("orders-acq-rel-chain", "(volatile", "("),
           ("orders-opening-published", "a[1] = y + 2;\n}", "a[1] = y + 2;\n  mem_fence(CLK_GLOBAL_MEM_FENCE);\n}"),
           ("staged-reduction-published", "atomic_xchg(lock0, 0);", "*lock0 = 0;")]


def plant_in_examples(folder):
    for name, old, new in CHANGES:
        preamble, body = (FOLDER / f"{name}.litmus").read_text(encoding="utf-8").split("\n{\n")
        if old not in body:
            sys.exit(f"{name}: {old!r} does not stand there")
        preamble = re.sub(r"^(vary|control|except) .*\n(    .*\n)*", "", preamble, flags=re.M)
        path = pathlib.Path(folder) / f"{name}.litmus"
        path.write_text(f"{preamble}\n{{\n{body.replace(old, new, 1)}", encoding="utf-8")
        yield from plant(example_differences(path), f"{name}: {new} for {old}")


def main():
    texts = kernels_of_texts()
    found = []
    for row in KERNELS:
        source = (FOLDER / row[0]).read_text(encoding="utf-8")
        found += kernel_differences(row, source, texts)
        found += plant_in_kernels(row, source, texts)
    for name in EXAMPLES:
        found += example_differences(FOLDER / f"{name}.litmus")
    with tempfile.TemporaryDirectory() as folder:
        found += plant_in_examples(folder)
    published = {path.name for path in FOLDER.glob("*-published.cl")}
    others = published - {row[0] for row in KERNELS} - {"last-group-done-published.cl", "sum-by-atomics-published.cl"}
    found += [f"{name} is compared with no text" for name in sorted(others)]
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
