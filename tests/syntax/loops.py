# SPDX-License-Identifier: Apache-2.0
"""`for`, `do`, `break`, `return`, `?:`, macros, functions, private arrays and the assignments with an operator, against the
host's C compiler: drawn programs that compute, and what their registers hold at the end. A file has one thread, so the oracle gives one state.

usage: loops.py PROGRAM CC... [--count N] [--seed N]
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

TYPES = {"int": "int32_t", "uint": "uint32_t", "long": "int64_t", "ulong": "uint64_t", "bool": "_Bool", "char": "int8_t",
         "uchar": "uint8_t", "short": "int16_t", "ushort": "uint16_t", "size_t": "size_t", "ptrdiff_t": "ptrdiff_t"}
SIGNED = ("int", "long", "char", "short", "ptrdiff_t")
# of a loop's variable, and of a table, whose values have to fit
NUMBERS = [kind for kind in TYPES if kind != "bool"]
# what may be undefined in C for these operands is left to the oracle's own tests
OPERATORS = ("+=", "-=", "|=", "&=", "^=")
REGISTERS = 4
MACROS = """#pragma OPENCL EXTENSION cl_khr_fp64 : disable
#define EIGHT 8 /* no more */
#define INC(v) ((v) + EIGHT - 7)
#define PAIR(a, b) (INC(a) & \\
                    (INC((b) | 1)))
#define ODD() (LATER - 1) // named before it is there
#define LATER EIGHT
#define OPEN(a) (INC(a)
#define THIRD(a, b, c) c
#define NONE
"""


class Draw:
    """One program, in C and in the format alike but for the names of types."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.types = [self.random.choice(list(TYPES)) for _ in range(REGISTERS)]
        self.counters, self.tables, self.arrays = [], [], False
        # of which a loop may take one for itself; nothing else writes it
        self.left = [f"r{REGISTERS}", f"r{REGISTERS + 1}"]
        self.lines = [f"{kind} r{k} = {k + 1};" for k, kind in enumerate(self.types)]
        self.lines.append(f"{self.random.choice(list(TYPES))} q = 1;")
        self.lines.append(f"int {self.left[0]} = 3, {self.left[1]} = {self.left[0]}, w[2] = {{{self.left[1]}}};")
        self.names = [f"r{k}" for k in range(REGISTERS + 2)]
        self.tables = [f"{self.random.choice(NUMBERS)} k{k}[4] = {{{', '.join(map(str, range(k, k + 3)))}, 9}};"
                       for k in range(2)]
        self.lines.append(f"{self.random.choice(list(TYPES))} t[4] = {{{self.operand()}, {self.operand()}, 5}};")
        self.lines.append(f"const {self.random.choice(list(TYPES))} n = {self.random.randrange(5)};")
        self.lines.append(f"const {self.random.choice(list(TYPES))} m = {self.operand()};")
        self.arrays = True
        self.functions, self.heads = [], []
        for _ in range(self.random.randrange(3)):
            self.function()
        for _ in range(4):
            self.statement(1)

    def function(self):
        """Of its own variables, which are called as the thread's are; it may call those before it."""
        outer = self.lines, self.counters, self.left, self.arrays
        self.arrays = False
        types = [self.random.choice(list(TYPES)) for _ in range(REGISTERS)]
        count = self.random.randrange(1, 3)
        self.lines = [f"{types[k]} r{k} = {k};" for k in range(count, REGISTERS)]
        self.lines.append(f"{self.random.choice(list(TYPES))} q = 2;")
        self.counters, self.left = [], []
        for _ in range(3):
            self.statement(2)
            if self.random.random() < .3:
                self.leave(2, False)
        self.lines.append(f"return {self.operand()} + {self.operand()};")
        head = ", ".join(f"{kind} r{k}" for k, kind in enumerate(types[:count]))
        name = f"h{len(self.heads)}"
        self.functions += [f"{self.random.choice(list(TYPES))} {name}({head})", "{", *self.lines, "}"]
        self.heads.append((name, count))
        self.lines, self.counters, self.left, self.arrays = outer

    def call(self, depth):
        name, count = self.random.choice(self.heads)
        given = [f"{self.operand()} & 63" for _ in range(count)]
        if self.random.random() < .3:
            other, more = self.random.choice(self.heads)
            given[0] = f"{other}({', '.join(f'{self.operand()} & 31' for _ in range(more))}) & 63"
        target = f"r{self.random.randrange(REGISTERS)}"
        call = f"{name}({', '.join(given)})"
        form = self.random.randrange(3)
        if form == 0:
            self.put(depth, f"{target} = {call} & 1023;")
        elif form == 1:
            self.put(depth, f"if ({call} > {self.operand()}) {target} ^= 21;")
        else:
            self.put(depth, f"{target} |= {call} & 255;")

    def index(self):
        """A constant from 0 to 3."""
        return self.random.choice([str(self.random.randrange(4)), "(3 - 8 >> 1u) + 4",
                                   *(f"{name} & 3" for name in self.counters)])

    def operand(self):
        if self.random.random() < .1:
            a, b, c, d = (self.plain() for _ in range(4))
            return f"({a} > {b} ? {c} : {d})"
        if self.random.random() < .1:
            a, b = self.plain(), self.plain()
            return self.random.choice(["EIGHT", f"INC({a})", f"PAIR({a}, INC({b}))", f"PAIR(({a}), ODD())", "LATER",
                                       f"OPEN({a}) & {b})", f"THIRD(, (1, 2), INC ({a}))", f"INC({a} NONE)"])
        return self.plain()

    def plain(self):
        arrays = [f"t[{self.index()}]", "n", "m"] if self.arrays else []
        tables = [f"k{k}[{self.index()}]" for k in range(len(self.tables))]
        return self.random.choice([str(self.random.randrange(9)), *self.counters, *arrays, *tables,
                                   f"r{self.random.randrange(REGISTERS)}"])

    def put(self, depth, line):
        self.lines.append("  " * depth + line)

    def assign(self, depth):
        target = f"r{self.random.randrange(REGISTERS)}"
        if self.arrays and self.random.random() < .3:
            target = f"t[{self.index()}]"
        # signed sums may overflow, which is undefined: keep what is added small, and wrap by hand
        form = self.random.randrange(5)
        if form == 4:
            self.put(depth, f"{target} {self.random.choice(OPERATORS)} (q = q + ({self.operand()} & 7)) & 15;")
            self.put(depth, f"if ((q = {self.operand()}) > {self.operand()}) r{self.random.randrange(REGISTERS)} ^= q & 3;")
        elif form == 0:
            self.put(depth, self.random.choice([f"{target}++;", f"++{target};", f"{target}--;", f"--{target};"]))
        elif form == 1:
            self.put(depth, f"{target} {self.random.choice(OPERATORS)} ({self.operand()} & 15);")
        elif form == 2:
            self.put(depth, f"{target} {self.random.choice(('*=', '/=', '%='))} {self.random.randrange(1, 4)};")
            self.put(depth, f"{target} &= 1023;")
        else:
            # the count has any type, the sum is negative at times: what is shifted keeps its sign
            self.put(depth, f"{target} = ({target} & 255) {self.random.choice(('<<', '>>'))} ({self.operand()} & 7);")
            count = self.random.choice(["1u", "2L", f"({self.operand()} & 7)"])
            self.put(depth, f"{target} = (({self.operand()} & 15) - 9 >> {count}) / 2;")

    def loop(self, depth):
        kind = self.random.choice(NUMBERS)
        name = f"c{len(self.counters)}"
        first, last, step = (self.random.randrange(6) for _ in range(3))
        step += 1
        up = self.random.random() < .5
        declares = not self.left or self.random.random() < .7
        if not declares:
            kind, name = "int", self.left.pop()
        # an unsigned counter must not go below 0
        sign = kind in SIGNED
        if up and self.arrays and self.random.random() < .3:
            last = "n"
        bound = f"{name} < {last}" if up else f"{name} > {0 if sign else step}"
        steps = [f"{name} += {step}", f"{name} = {name} + {step}"] + (
            [f"{name}++", f"++{name}"] if step == 1 else [])
        if not up:
            steps = [line.replace("+", "-") for line in steps]
        self.put(depth, f"for ({kind + ' ' if declares else ''}{name} = {first if up else first + 5}; {bound}; "
                 f"{self.random.choice(steps)}) {{")
        self.counters.append(name)
        self.body(depth, declares)
        self.counters.pop()
        self.put(depth, "}")

    def leave(self, depth, may_break):
        """Out of the loop, of the function, or of all."""
        leaves = ["break;"] * may_break + [f"return {self.operand()};" if not self.arrays else "return;"]
        # what a thread shows comes after its end in C
        leaves = [line if line != "return;" else "goto end;" for line in leaves]
        self.put(depth, f"if ({self.operand()} > {self.random.randrange(2, 9)}) {self.random.choice(leaves)}")

    def body(self, depth, may_break=True):
        for _ in range(self.random.randrange(1, 3)):
            self.statement(depth + 1)
            if self.random.random() < .2:
                self.leave(depth + 1, may_break)

    def asked(self):
        """What is evaluated in each round, and may have to be done before the loop and after its body."""
        if not self.heads or self.random.random() < .5:
            return self.random.choice([f"({self.operand()} & 1)", f"((q = {self.operand()}) & 1)"])
        name, count = self.random.choice(self.heads)
        return f"({name}({', '.join(f'{self.operand()} & 63' for _ in range(count))}) & 1)"

    def do(self, depth):
        """Once at least, whatever the condition says; what it declares is known up to there only."""
        name = f"d{depth}"
        self.put(depth, f"{{ int {name} = {self.random.randrange(9)};")
        if self.random.random() < .5:
            self.put(depth, "do {")
            self.body(depth)
            self.put(depth, f"{name} += {self.random.randrange(1, 4)};")
            self.put(depth, f"}} while ({self.asked()} + {name} < {self.random.randrange(9)}); }}")
        elif self.random.random() < .5:
            self.put(depth, f"while ({self.asked()} + {name} < {self.random.randrange(9)}) {{")
            self.body(depth)
            self.put(depth, f"{name} += {self.random.randrange(1, 4)}; }} }}")
        else:
            self.put(depth, self.random.choice(["while (1) {", "for (;;) {", "while (true) {"]))
            self.put(depth, f"{name}++; if ({name} > 9) break;")
            self.body(depth)
            self.put(depth, "} }")

    def statement(self, depth):
        if depth < 4 and self.random.random() < .15:
            self.do(depth)
        elif depth < 4 and self.random.random() < .4:
            self.loop(depth)
        elif self.heads and self.random.random() < .4:
            self.call(depth)
        else:
            self.assign(depth)

    def litmus(self, name):
        condition = " /\\ ".join(f"0:{register}=0" for register in self.names)
        return (f"OPENCL {name}\n{{\n[x] = 0;\n}}\n" + MACROS + "\n".join([f"constant {line}" for line in self.tables] +
                                                                  self.functions) + f"\nP0@wg 0, dev 0 (global int *x) {{\n" +
                "\n".join(self.lines).replace("goto end;", "return;") + f"\n}}\nexists ({condition})\n")

    def c(self, number):
        def in_c(lines):
            typed = (re.sub(rf"\b({'|'.join(TYPES)})\b", lambda m: TYPES[m[1]], line) for line in lines)
            return "\n".join(re.sub(r"\b([hk]\d)\b", rf"\1_{number}", line) for line in typed)
        tables = "\n".join(f"static const {in_c([line])}" for line in self.tables)
        functions = re.sub(r"(?m)^(?=\w+ h)", "static ", in_c(self.functions))
        body = in_c(self.lines)
        kinds = [*self.types, "int", "int"]
        show = "\n".join(f'printf(" %" PRI{"d" if kind in SIGNED else "u"}64, '
                         f'({"int64_t" if kind in SIGNED else "uint64_t"}){register});'
                         for register, kind in zip(self.names, kinds))
        return f"{tables}\n{functions}\nstatic void f{number}(void)\n{{\n{body}\nend:\n{show}\nputchar('\\n');\n}}\n"


def wanted(draws, cc, folder):
    source = ["#include <inttypes.h>", "#include <stdbool.h>", "#include <stddef.h>", "#include <stdio.h>", MACROS,
              *(draw.c(k) for k, draw in enumerate(draws)),
              "int main(void) {", *(f"f{k}();" for k in range(len(draws))), "}"]
    (folder / "loops.c").write_text("\n".join(source))
    # as in OpenCL C signed integers of the test do not overflow; should one, it is told
    subprocess.run([*cc, "-w", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-o", folder / "loops",
                    folder / "loops.c"], check=True)
    return [line.split() for line in subprocess.run([folder / "loops"], check=True, capture_output=True,
                                                    text=True).stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("cc", nargs="+")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.program = pathlib.Path(options.program).resolve()
    draws = [Draw(f"{options.seed} {k}") for k in range(options.count)]
    failures, too_long = 0, 0
    with tempfile.TemporaryDirectory(prefix="oclmm-loops-") as name:
        folder = pathlib.Path(name)
        expected = wanted(draws, options.cc, folder)
        for k, draw in enumerate(draws):
            path = folder / f"loop{k}.litmus"
            path.write_text(draw.litmus(f"loop{k}"))
            done = subprocess.run([options.program, "check", path], capture_output=True, text=True, check=False)
            state = re.search(r"(?m)^States 1\n(.*)$", done.stdout)
            got = re.findall(r"0:r\d+=(-?\d+);", state[1] if state else "")
            # the limits of a thread; its loops stand in each other, and in functions
            if re.search("more than (1024 rounds|64 registers)|runs too long", done.stderr):
                too_long += 1
            elif got != expected[k]:
                failures += 1
                print(f"C: {expected[k]}\noclmm: {got}\n{draw.litmus(f'loop{k}')}{done.stderr}")
    lines = [line for draw in draws for line in draw.lines + draw.functions]
    breaks = sum('break' in line for line in lines)
    print(f"{len(draws)} programs, {sum('for (' in line for line in lines)} loops, "
          f"{sum(bool(re.search('EIGHT|INC|PAIR|OPEN|THIRD|LATER', line)) for line in lines)} of macros, "
          f"{sum(line.count('?') for line in lines)} of `?:`, {sum('do {' in line for line in lines)} of `do`, {breaks} of `break`, "
          f"{sum('if (' in line and ('return' in line or 'goto' in line) for line in lines)} of `return`, "
          f"{sum(bool(re.search(r'= .*h[0-9][(]|[(]h[0-9][(]', line)) for line in lines)} calls, {too_long} too long, {failures} failures")
    return 1 if failures or 4 * too_long > len(draws) else 0


if __name__ == "__main__":
    sys.exit(main())
