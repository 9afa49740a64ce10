#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PoCL's library of built-in functions without those that no test uses; LLVM reads and writes it.

usage: library.py LLVM FROM TO     LLVM is the shared library that PoCL uses, FROM and TO are files of bitcode
"""

import ctypes
import sys

from kept import is_kept_symbol

INTERNAL = 8  # LLVMInternalLinkage

HANDLE = ctypes.c_void_p
FUNCTIONS = {
    "LLVMContextCreate": (HANDLE, []),
    "LLVMCreateMemoryBufferWithContentsOfFile": (ctypes.c_int, [ctypes.c_char_p, HANDLE, HANDLE]),
    "LLVMParseIRInContext": (ctypes.c_int, [HANDLE, HANDLE, HANDLE, HANDLE]),
    "LLVMGetFirstFunction": (HANDLE, [HANDLE]),
    "LLVMGetNextFunction": (HANDLE, [HANDLE]),
    "LLVMGetValueName2": (ctypes.c_char_p, [HANDLE, HANDLE]),
    "LLVMIsDeclaration": (ctypes.c_int, [HANDLE]),
    "LLVMGetLinkage": (ctypes.c_int, [HANDLE]),
    "LLVMSetLinkage": (None, [HANDLE, ctypes.c_int]),
    "LLVMCreatePassBuilderOptions": (HANDLE, []),
    "LLVMRunPasses": (HANDLE, [HANDLE, ctypes.c_char_p, HANDLE, HANDLE]),
    "LLVMWriteBitcodeToFile": (ctypes.c_int, [HANDLE, ctypes.c_char_p]),
}


def load(path):
    """LLVM's functions in C, with their types."""
    llvm = ctypes.CDLL(path)
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(llvm, name)
        function.restype, function.argtypes = result, arguments
    return llvm


def read_module(llvm, path):
    """The module in a file; ends the program where it is none."""
    context, text, module, message = llvm.LLVMContextCreate(), HANDLE(), HANDLE(), ctypes.c_char_p()
    if (llvm.LLVMCreateMemoryBufferWithContentsOfFile(path.encode(), ctypes.byref(text), ctypes.byref(message)) or
            llvm.LLVMParseIRInContext(context, text, ctypes.byref(module), ctypes.byref(message))):
        sys.exit(f"{path}: {message.value.decode()}")
    return module


def functions(llvm, module):
    """Name and handle of each function of the module."""
    length = ctypes.c_size_t()
    function = llvm.LLVMGetFirstFunction(module)
    while function:
        yield llvm.LLVMGetValueName2(function, ctypes.byref(length)).decode(), function
        function = llvm.LLVMGetNextFunction(function)


def make_lean(llvm, module):
    """Takes out what is not kept, unless something that is kept calls it."""
    linkages = {}
    for name, function in functions(llvm, module):
        if not llvm.LLVMIsDeclaration(function) and not is_kept_symbol(name):
            linkages[name] = llvm.LLVMGetLinkage(function)
            llvm.LLVMSetLinkage(function, INTERNAL)
    if llvm.LLVMRunPasses(module, b"globaldce", None, llvm.LLVMCreatePassBuilderOptions()):
        sys.exit("LLVM did not take out what nothing calls")
    for name, function in functions(llvm, module):
        if name in linkages:
            llvm.LLVMSetLinkage(function, linkages[name])


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    llvm = load(sys.argv[1])
    module = read_module(llvm, sys.argv[2])
    make_lean(llvm, module)
    if llvm.LLVMWriteBitcodeToFile(module, sys.argv[3].encode()):
        sys.exit(f"{sys.argv[3]}: cannot be written")


if __name__ == "__main__":
    main()
