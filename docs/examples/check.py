#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks liboclmm which outcomes the OpenCL memory model allows.

usage: check.py LIBRARY FILE

LIBRARY is the path of liboclmm.so, FILE a litmus test. Prints a line for each
outcome, as `oclmm check` judges it.
"""
import ctypes
import json
import sys

if len(sys.argv) != 3:
    sys.exit(__doc__)
library = ctypes.CDLL(sys.argv[1])
library.oclmm_api_check.argtypes = [ctypes.c_char_p, ctypes.c_uint]
library.oclmm_api_check.restype = ctypes.c_char_p

with open(sys.argv[2], "rb") as file:
    answer = json.loads(library.oclmm_api_check(file.read(), 0))
if "error" in answer:
    sys.exit(answer["error"]["text"])

verdict = answer["verdict"]
print(verdict["condition"])
for state in verdict["models"]["consensus"]["states"]:
    print(state["status"], state["outcome"])
