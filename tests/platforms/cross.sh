#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds for another architecture, and compares outcomes there; and a wrong one is noticed.
#
# usage: cross.sh TOP ARCHITECTURE FOLDER
set -euo pipefail

top=$1
architecture=$2
folder=$3
"$top/packaging/try-cross" "$architecture" "$folder"

wrong=$folder/wrong
mkdir -p "$wrong"
sed 's/Result: Never/Result: Always/' "$top/litmus/seq-cst/SB+sc+sc.litmus" >"$wrong/SB+sc+sc.litmus"
grep -q 'Result: Always' "$wrong/SB+sc+sc.litmus"
status=0
"$top/packaging/try-cross" "$architecture" "$folder" "$wrong" >/dev/null 2>&1 || status=$?
[ "$status" = 1 ] || { echo "a wrong outcome ended with $status, not 1"; exit 1; }
status=0
"$top/packaging/try-cross" "$architecture" "$folder" "$folder/sysroot/etc" >/dev/null 2>&1 || status=$?
[ "$status" != 0 ] && [ "$status" != 77 ] || { echo "no test at all ended with $status"; exit 1; }
