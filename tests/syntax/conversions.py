# SPDX-License-Identifier: Apache-2.0
"""Conversions as C has them, against the host's C compiler: drawn expressions over registers of every type, literals with
every suffix, casts, and assignments to every type. C is told what OpenCL C adds: the types' widths, and that the count of a
shift is taken modulo the width. Where C is undefined (a signed overflow) the oracle has to say so, and only there.

--wrong tells C that char is unsigned, which has to be noticed.

usage: conversions.py PROGRAM CC... [--count N] [--seed N] [--wrong]
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

BITS = {"bool": 1, "char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64,
        "size_t": 64, "ptrdiff_t": 64}
SIGNED = ("char", "short", "int", "long", "ptrdiff_t")
SPELLINGS = {"uchar": ("uchar", "unsigned char"), "char": ("char", "signed char"), "short": ("short", "short int"),
             "ushort": ("ushort", "unsigned short", "unsigned short int"), "uint": ("uint", "unsigned", "unsigned int"),
             "int": ("int", "signed", "signed int"), "long": ("long", "long int", "signed long"),
             "ulong": ("ulong", "unsigned long", "unsigned long int")}
BINARY = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", ">", "<=", ">=", "&&", "||"]

HEAD = r"""
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define SHIFT(a, op, b) ((a) op ((b) & (sizeof(+(a)) * 8 - 1)))
/* what the compiler cannot compute beforehand, of the type that the literal has */
#define LITERAL(x) (*(volatile __typeof__(x) *)&(__typeof__(x)){x})
/* each step is made as it stands: compilers may drop what overflows where they need only a part of it */
#define KEEP(x) ({ volatile __typeof__(x) whole = (x); whole; })
#define CAST(type, x) ((type)KEEP(x))

static volatile sig_atomic_t undefined, divided;
static sigjmp_buf out;

static void trap(int number)
{
	(void)number;
	undefined = divided = 1;
	siglongjmp(out, 1);
}

void __ubsan_handle_add_overflow(void *a, uintptr_t b, uintptr_t c);
void __ubsan_handle_sub_overflow(void *a, uintptr_t b, uintptr_t c);
void __ubsan_handle_mul_overflow(void *a, uintptr_t b, uintptr_t c);
void __ubsan_handle_divrem_overflow(void *a, uintptr_t b, uintptr_t c);
void __ubsan_handle_negate_overflow(void *a, uintptr_t b);
void __ubsan_handle_add_overflow(void *a, uintptr_t b, uintptr_t c) { (void)a, (void)b, (void)c, undefined = 1; }
void __ubsan_handle_sub_overflow(void *a, uintptr_t b, uintptr_t c) { (void)a, (void)b, (void)c, undefined = 1; }
void __ubsan_handle_mul_overflow(void *a, uintptr_t b, uintptr_t c) { (void)a, (void)b, (void)c, undefined = 1; }
void __ubsan_handle_divrem_overflow(void *a, uintptr_t b, uintptr_t c) { (void)a, (void)b, (void)c, undefined = divided = 1; }
void __ubsan_handle_negate_overflow(void *a, uintptr_t b) { (void)a, (void)b, undefined = 1; }
"""


class Draw:
    """One expression, twice: (format, C)."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.types = [self.random.choice(list(BITS)) for _ in range(4)]
        self.starts = [self.value(kind) for kind in self.types]
        self.result = self.random.choice(list(BITS))
        self.text, self.c = self.expression(0)

    def value(self, kind):
        low = -(1 << BITS[kind] - 1) if kind in SIGNED else 0
        high = low + (1 << BITS[kind]) - 1
        return self.random.choice([low, low + 1, high, high - 1, min(high, 1), max(low, -1), high // 2, 0, min(high, 7),
                                   self.random.randint(low, high)])

    def literal(self):
        value = self.random.choice([0, 1, 2, 31, 63, 127, 128, 255, 256, 32767, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**32,
                                    2**63 - 1, self.random.randrange(2**31)])
        suffix = self.random.choice(["", "", "u", "U", "l", "L", "ul", "LU"])
        text = self.random.choice([str(value), hex(value), hex(value).upper().replace("0X", "0x")]) + suffix
        if self.random.random() < .1:
            text = self.random.choice(["true", "false"])
        return text, f"LITERAL({text})"

    def expression(self, depth):
        # a constant alone is refused where it does not fit: the whole is an operation
        form = self.random.random() if depth else 1
        if depth > 3 or (depth > 0 and form < .3):
            if self.random.random() < .4:
                return self.literal()
            name = f"r{self.random.randrange(len(self.types))}"
            return name, name
        text, c = self.expression(depth + 1)
        if form < .45:
            kind = self.random.choice(list(BITS))
            return f"({self.spelling(kind)})({text})", f"CAST({self.in_c(kind)}, {c})"
        if form < .6:
            sign = self.random.choice("-~!")
            return f"{sign}({text})", f"KEEP({sign}({c}))"
        other, other_c = self.expression(depth + 1)
        sign = self.random.choice(BINARY)
        if sign in ("<<", ">>"):
            return f"({text}) {sign} ({other})", f"KEEP(SHIFT({c}, {sign}, {other_c}))"
        return f"({text}) {sign} ({other})", f"KEEP(({c}) {sign} ({other_c}))"

    def spelling(self, kind):
        return self.random.choice(SPELLINGS.get(kind, (kind,)))

    @staticmethod
    def in_c(kind):
        if kind in ("bool", "size_t", "ptrdiff_t"):
            return kind
        return f"{'' if kind in SIGNED else 'u'}int{BITS[kind]}_t"

    def litmus(self, name):
        lines = [f"{self.spelling(kind)} r{k} = ({kind}){f'({start})' if start < 0 else f'{start}ul'};"
                 for k, (kind, start) in enumerate(zip(self.types, self.starts))]
        lines.append(f"{self.spelling(self.result)} r = {self.text};")
        return f"OPENCL {name}\n{{\n[x] = 0;\n}}\nP0@wg 0, dev 0 (global int *x) {{\n" + "\n".join(lines) + \
            "\n}\nexists (0:r=0)\n"

    def function(self, number):
        starts = "\n".join(f"volatile {self.in_c(kind)} r{k} = ({self.in_c(kind)}){start}{'' if start < 0 else 'u'};"
                           for k, (kind, start) in enumerate(zip(self.types, self.starts)))
        show = f'printf("%" PRI{"d" if self.result in SIGNED else "u"}64 "\\n", ' \
               f'({"int64_t" if self.result in SIGNED else "uint64_t"})r);'
        return f"static void f{number}(void)\n{{\n{starts}\nundefined = divided = 0;\nif (sigsetjmp(out, 1) == 0) {{\n" \
               f"{self.in_c(self.result)} r = CAST({self.in_c(self.result)}, {self.c});\nif (!undefined) {{ {show} return; }}\n}}\n" \
               f'puts(divided ? "no quotient" : "undefined");\n}}\n'


def wanted(draws, cc, folder, wrong):
    """What C makes of each; what another language would, whose int8_t has no sign, where it is to be `wrong`."""
    calls = "\n".join(f"f{k}();" for k in range(len(draws)))
    head = HEAD + ("#define int8_t uint8_t\n" if wrong else "")
    (folder / "types.c").write_text(head + "\n".join(draw.function(k) for k, draw in enumerate(draws)) +
                                    f"int main(void)\n{{\nsignal(SIGFPE, trap);\n{calls}\nreturn 0;\n}}\n")
    # the sanitizer's calls come to the functions above: it is asked for when compiling, not when linking
    sanitize = "-fsanitize=signed-integer-overflow,integer-divide-by-zero"
    subprocess.run([*cc, "-std=gnu17", "-w", "-O0", sanitize, "-c", folder / "types.c", "-o", folder / "types.o"], check=True)
    subprocess.run([*cc, folder / "types.o", "-o", folder / "types"], check=True)
    return subprocess.run([folder / "types"], check=True, capture_output=True, text=True).stdout.splitlines()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("cc", nargs="+")
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wrong", action="store_true")
    options = parser.parse_args()
    program = pathlib.Path(options.program).resolve()
    draws = [Draw(f"{options.seed} {k}") for k in range(options.count)]
    failures, undefined, refused = 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="oclmm-types-") as name:
        folder = pathlib.Path(name)
        expected = wanted(draws, options.cc, folder, options.wrong)
        for k, draw in enumerate(draws):
            path = folder / f"types{k}.litmus"
            path.write_text(draw.litmus(f"types{k}"))
            done = subprocess.run([program, "check", path], capture_output=True, text=True, check=False)
            state = re.search(r"(?m)^States 1\n0:r=(-?\d+);$", done.stdout)
            got = state[1] if state else "refused"
            if re.search("(?m)^Undefined=", done.stdout):
                got = "undefined"
            undefined += got == "undefined"
            # a literal that one divides by is refused wherever it stands
            refused += "division by zero" in done.stderr
            # such a value is unspecified in OpenCL C: whatever comes of it may come of it
            if expected[k] != "no quotient" and got != expected[k] and "division by zero" not in done.stderr:
                failures += 1
                print(f"C: {expected[k]}\noclmm: {got}\n{draw.litmus(f'types{k}')}{done.stderr}")
    print(f"{len(draws)} expressions, {undefined} undefined, {refused} refused, {failures} failures")
    # few draws may have none that is undefined
    odd = len(draws) >= 100 and not len(draws) / 50 < undefined < len(draws) / 2
    return 1 if failures or odd or refused > len(draws) / 20 else 0


if __name__ == "__main__":
    sys.exit(main())
