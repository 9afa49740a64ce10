#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds for another platform, and compares outcomes there; and a wrong one is noticed. What is made
# of results there is what is made of them here.
#
# usage: cross.sh TOP PLATFORM FOLDER PROGRAM [LAYER]
#
# LAYER is a driver that fails on demand (tests/faults/layer.c), where a device can be used.
set -euo pipefail

top=$1
platform=$2
folder=$3
program=$(realpath "$4")
layer=${5:+$(realpath "$5")}
# Wine's server ends a few seconds after its last program, and a program that starts just then may end
# with 1 ("cannot connect to it"): one server serves them all.
export WINEPREFIX=$folder/wine WINEDEBUG=-all
if [ "$platform" = windows ] && command -v wineserver >/dev/null; then
	mkdir -p "$WINEPREFIX"
	wineserver -p
	trap 'wineserver -k || :' EXIT
fi
"$top/packaging/try-cross" "$platform" "$folder"

wrong=$folder/wrong
mkdir -p "$wrong" "$folder/empty"
sed 's/Result: Never/Result: Always/' "$top/litmus/seq-cst/SB+sc+sc.litmus" >"$wrong/SB+sc+sc.litmus"
grep -q 'Result: Always' "$wrong/SB+sc+sc.litmus"
status=0
"$top/packaging/try-cross" "$platform" "$folder" "$wrong" >/dev/null 2>&1 || status=$?
[ "$status" = 1 ] || { echo "a wrong outcome ended with $status, not 1"; exit 1; }
status=0
"$top/packaging/try-cross" "$platform" "$folder" "$folder/empty" >/dev/null 2>&1 || status=$?
[ "$status" != 0 ] && [ "$status" != 77 ] || { echo "no test at all ended with $status"; exit 1; }
# a unit test that fails: this machine's program is none of that platform's
if [ -e "$folder/sysroot" ]; then
	unit=$folder/build/tests/base/test_base_arena
	mv "$unit" "$folder/kept"
	cp "$program" "$unit"
	status=0
	"$top/packaging/try-cross" "$platform" "$folder" >"$folder/here.txt" 2>&1 || status=$?
	mv "$folder/kept" "$unit"
	[ "$status" = 1 ] && grep -q 'unit tests passed on' "$folder/here.txt" ||
		{ echo "a unit test that fails ended with $status, not 1"; tail -n 20 "$folder/here.txt"; exit 1; }
fi

# The probabilities in these results are sums of logarithms: the last digit of each is compared.
cd "$top"
results=tests/platforms/results.jsonl
earlier=tests/commands/ages/2026-11-23.jsonl
failed=0
# the commands that were tried here
tried=()
# same STATUS WORD ARGUMENT...: the same output by both programs, which has the word
same() {
	local wanted=$1 word=$2 here=0 there=0
	shift 2
	tried+=("$1")
	OCLMM_SUITE=$top "$program" "$@" >"$folder/here.txt" 2>&1 || here=$?
	"$folder/oclmm" "$@" >"$folder/there.txt" 2>&1 || there=$?
	[ "$here $there" = "$wanted $wanted" ] ||
		{ echo "$*: $here here and $there on $platform, not $wanted"; failed=1; }
	grep -q "$word" "$folder/here.txt" || { echo "$*: no $word"; failed=1; }
	cmp "$folder/here.txt" "$folder/there.txt" || { echo "$*: another output on $platform"; failed=1; }
}
same 99 'LB+sc+sc' grade --partial "$results"
same 99 '"compiler_escape":7.62' grade --partial --format json "$results"
same 99 '<testsuites' grade --partial --format junit "$results"
same 0 '"test":"SB"' merge --partial "$results" "$earlier"
same 77 'driver 3.1' compare --partial "$earlier" "$results"
same 0 '<html' report --partial "$results"
same 0 'MP+rel+acq' explain litmus/message-passing/MP+rel+acq.litmus
# what needs no device, of this and of that kind
same 0 'Test' check litmus/fence
same 0 'verify' check --help
same 0 'MP' list litmus/rmw
same 0 'P0' show MP+rel+acq
same 0 'exists' generate "PodWR Fre PodWR Fre"
same 0 'main' export --no-search -o - SB+sc+sc
same 99 'ok' grade --partial --format tap "$results"
same 0 'test' baseline --partial "$results"
same 2 'no test' check nonsense
if [ "$platform" = windows ]; then
	source "$top/tests/platforms/windows.sh"
fi
# a file that another probability stands in is not the same
sed 's/"met":[0-9]*/"met":1/' "$results" >"$folder/other.jsonl"
OCLMM_SUITE=$top "$program" grade --partial --format json "$results" >"$folder/here.txt" 2>&1 || :
"$folder/oclmm" grade --partial --format json "$folder/other.jsonl" >"$folder/there.txt" 2>&1 || :
! cmp -s "$folder/here.txt" "$folder/there.txt" || { echo "other results gave the same output"; failed=1; }
exit "$failed"
