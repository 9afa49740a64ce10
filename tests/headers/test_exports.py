#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Of a header, the functions and variables are exported, and nothing else; one version everywhere.

usage: test_exports.py ROOT
"""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "tests/library"))
import exports  # noqa: E402

HEADER = """
#define OCLMM_CALL(x) \\
	oclmm_in_a_macro(x)
/* oclmm_in_a_comment() calls it */
extern "C" {
struct oclmm_forward;
enum oclmm_kind { OCLMM_KIND_A, OCLMM_KIND_B };
struct oclmm_visitor {
	int (*oclmm_member)(void *data);
	struct oclmm_inner { int a[2]; } inner;
};
typedef int (*oclmm_callback)(const struct oclmm_visitor *visitor);
const char *oclmm_function(enum oclmm_kind kind, struct oclmm_visitor *visitor);
struct oclmm_visitor *
oclmm_other(void) OCLMM_PRINTF(1, 2);
extern const char oclmm_text[];
extern int oclmm_number;
}
"""

found = sorted(exports.declared(HEADER))
assert found == ["oclmm_function", "oclmm_number", "oclmm_other", "oclmm_text"], found

# the version stands in two files, because a citation is read without a build
root = pathlib.Path(sys.argv[1])
cited = [line for line in (root / "CITATION.cff").read_text(encoding="utf-8").splitlines() if line.startswith("version: ")]
version = cited[0].split()[1]
assert f"  version: '{version}'," in (root / "meson.build").read_text(encoding="utf-8"), f"CITATION.cff says {version}"
