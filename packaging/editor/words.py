#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The words of the litmus language, for editors: read out of the program's own tables.

usage: words.py json|vim|textmate SOURCE-FOLDER

Prints the words by kind, a syntax file for Vim, or a TextMate grammar (Visual
Studio Code, Sublime Text, TextMate and others read it).
"""
import json
import pathlib
import re
import sys

# From the lexer: which of its words are of which kind.
KEYWORDS = {"TOKEN_IF", "TOKEN_ELSE", "TOKEN_WHILE", "TOKEN_FOR", "TOKEN_DO", "TOKEN_BREAK", "TOKEN_CONTINUE",
            "TOKEN_SWITCH", "TOKEN_CASE", "TOKEN_DEFAULT", "TOKEN_RETURN", "TOKEN_INLINE"}
CONDITION = {"TOKEN_EXISTS", "TOKEN_FORALL", "TOKEN_NOT", "TOKEN_FILTER", "TOKEN_LOCATIONS", "TOKEN_TRUE"}
SPACES = {"TOKEN_SPACE", "TOKEN_CONSTANT", "TOKEN_QUALIFIER", "TOKEN_SVM", "TOKEN_ACCESS"}


def lexer_words(text, tokens):
    body = text[text.index("<BODY>"):]
    found = []
    for line in re.findall(r'^\t((?:"\w+"\|?)+)\s+ADD\((\w+)\);', body, re.MULTILINE):
        if line[1] in tokens:
            found += re.findall(r'"(\w+)"', line[0])
    return found


def strings_of(text, start, pattern):
    """What a pattern finds in the braces after a line of C."""
    begin = text.index(start)
    return re.findall(pattern, text[begin:text.index("};", begin)])


def compared(text, name):
    """The words that a file of the reader compares this one with."""
    return re.findall(r'strcmp\(' + name + r', "(\w+)"\) == 0', text)


def words(source):
    def read(name):
        return (source / name).read_text(encoding="utf-8")

    lexer = read("src/syntax/lexer.l")
    ir = "".join(read(f"include/oclmm/ir_{part}.h") for part in ("words", "command", "enqueue"))
    enqueue = read("src/syntax/enqueue.c")
    synchronisation, atomic = read("src/syntax/synchronisation.c"), read("src/syntax/atomic.c")
    types = ir[ir.index("#define OCLMM_INTEGERS(X)"):]
    rows = re.findall(r'X\([A-Z]+, "(\w+)", "(\w+)"', types.split("enum ")[0])
    stems = re.findall(r'X\([A-Z_]+, "(atomic_\w+)", (?:true|false)(?:, (?:true|false))*\)', ir)
    legacy = strings_of(atomic, "legacy_functions[] = {", r'\{"(\w+)",')
    commands = re.findall(r'X\([A-Z]+, "(\w+)", "(?:cl\w+)?", (?:true|false)\)', ir)
    command_words = strings_of(read("src/syntax/commands.c"), "words[WORDS] = {", r'\{"(\w+)",')
    work_items = read("src/syntax/shared_text.c")
    work_items = work_items[work_items.index("#define FUNCTIONS(X)"):work_items.index("static bool has_function")]
    found = {
        "preamble": sorted({"OPENCL", *compared(read("src/syntax/preamble.c"), "first->text")}),
        "control": lexer_words(lexer, KEYWORDS),
        "condition": lexer_words(lexer, CONDITION),
        "space": lexer_words(lexer, SPACES),
        "place": sorted({*compared(read("src/syntax/thread.c"), "word"), *commands, *command_words}),
        "type": sorted({name for row in rows for name in row if name != "flag"} | {"unsigned", "void"}
                       | set(re.findall(r'BUILD_WORD_\w+\] = "(\w+)"', read("src/syntax/type.c")))
                       | set(lexer_words(lexer, {"TOKEN_IMAGE", "TOKEN_VECTOR"}))),
        "function": stems + [stem + "_explicit" for stem in stems if stem != "atomic_init"]
                    + strings_of(synchronisation, "functions[] = {", r'\{"(\w+)",')
                    + [prefix + name for prefix in ("atomic_", "atom_") for name in legacy]
                    + sorted(set(re.findall(r"\bget_\w+", work_items)))
                    + re.findall(r'_word\[\] = "(\w+)"', enqueue) + re.findall(r'is_call\(\w+, "(\w+)"', enqueue)
                    + strings_of(read("src/syntax/image.c"), "functions[] = {", r'"(\w+)"'),
        "constant": re.findall(r'"(memory_(?:order|scope)_\w+|CLK_ENQUEUE_\w+)"', ir)
                    + sorted(set(re.findall(r'\{"(CLK_\w+_MEM_FENCE)",', read("src/syntax/order.c")))),
    }
    # `host` and `barrier` are more than a place
    others = {word for kind, list_of_words in found.items() if kind != "place" for word in list_of_words}
    found["place"] = [word for word in found["place"] if word not in others]
    for kind, list_of_words in found.items():
        if not list_of_words:
            sys.exit(f"words.py: no word of the kind {kind} was found: have the tables moved?")
    return found


def vim(found):
    groups = {"preamble": "PreProc", "control": "Conditional", "condition": "Keyword", "space": "StorageClass",
              "place": "Label", "type": "Type", "function": "Function", "constant": "Constant"}
    lines = ['" SPDX-License-Identifier: Apache-2.0', '" Litmus tests of OpenCL. Written by packaging/editor/words.py.',
             'if exists("b:current_syntax")', "  finish", "endif", ""]
    lines += [f"syntax keyword litmus{kind.capitalize()} {' '.join(found[kind])}" for kind in groups]
    lines += ["syntax match litmusThread /\\<\\(P\\d\\+\\>\\|kernel@\\@=\\)/",
              "syntax match litmusNumber /\\<\\(0[xX]\\x\\+\\|\\d\\+\\)[uUlL]*\\>/",
              'syntax region litmusQuestion start=/"/ end=/"/ oneline', "syntax match litmusComment ;//.*$;",
              "syntax region litmusComment start=;/\\*; end=;\\*/;",
              "syntax region litmusComment start=/^\\s*(\\*/ end=/\\*)/",
              "syntax match litmusOperator ;/\\\\\\|\\\\/\\|=>\\|\\~;", ""]
    lines += [f"highlight default link litmus{kind.capitalize()} {group}" for kind, group in groups.items()]
    lines += ["highlight default link litmusThread Identifier", "highlight default link litmusNumber Number",
              "highlight default link litmusQuestion String", "highlight default link litmusComment Comment",
              "highlight default link litmusOperator Operator", "", 'let b:current_syntax = "litmus"']
    return "\n".join(lines) + "\n"


def textmate(found):
    scopes = {"preamble": "keyword.control.directive", "control": "keyword.control", "condition": "keyword.other",
              "space": "storage.modifier", "place": "entity.name.label", "type": "storage.type",
              "function": "support.function", "constant": "constant.language"}
    patterns = [
        {"name": "comment.block.litmus", "begin": r"^\s*\(\*", "end": r"\*\)"},
        {"name": "comment.block.litmus", "begin": r"/\*", "end": r"\*/"},
        {"name": "comment.line.double-slash.litmus", "match": r"//.*$"},
        {"name": "string.quoted.double.litmus", "match": r'"[^"]*"'},
    ]
    patterns += [{"name": f"{scope}.litmus", "match": rf"\b(?:{'|'.join(found[kind])})\b"}
                 for kind, scope in scopes.items()]
    patterns += [{"name": "entity.name.function.litmus", "match": r"\b(?:P[0-9]+|kernel(?=@))\b"},
                 {"name": "constant.numeric.litmus", "match": r"\b(?:0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*\b"},
                 {"name": "keyword.operator.litmus", "match": r"/\\|\\/|=>|~"}]
    return json.dumps({"name": "OpenCL litmus test", "scopeName": "source.litmus", "fileTypes": ["litmus"],
                       "patterns": patterns}, indent=2) + "\n"


def main():
    printers = {"json": lambda found: json.dumps(found) + "\n", "vim": vim, "textmate": textmate}
    if len(sys.argv) != 3 or sys.argv[1] not in printers:
        sys.exit(__doc__)
    sys.stdout.write(printers[sys.argv[1]](words(pathlib.Path(sys.argv[2]))))


if __name__ == "__main__":
    main()
