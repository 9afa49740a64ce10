#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# On a system without apt and without the packages, quickstart names them for
# other distributions and stops, instead of failing in the middle of a build.
#
# usage: other_distribution.sh QUICKSTART
set -euo pipefail

quickstart=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for tool in bash cat dirname; do
	ln -s "$(command -v "$tool")" "$folder/$tool"
done

fail() {
	echo "$*"
	cat "$folder/output"
	exit 1
}

status=0
PATH=$folder OCL_ICD_VENDORS=$folder BUILD=$folder/build \
	"$BASH" "$quickstart" test >"$folder/output" 2>&1 </dev/null || status=$?
[ "$status" = 99 ] || fail "exit status $status instead of 99"
grep -q 'dnf install gcc meson .*xxhash-devel .*pocl' "$folder/output" || fail "no names for Fedora"
grep -q 'pacman -S base-devel .*ocl-icd .*pocl' "$folder/output" || fail "no names for Arch"
grep -q 'zypper install .*libcmocka-devel' "$folder/output" || fail "no names for openSUSE"
[ ! -e "$folder/build" ] || fail "something was built"

# With --no-install the same system gets as far as the missing tool.
status=0
PATH=$folder BUILD=$folder/build \
	"$BASH" "$quickstart" --no-install test >"$folder/output" 2>&1 </dev/null || status=$?
[ "$status" != 0 ] || fail "success without a build tool"
grep -q meson "$folder/output" || fail "the missing tool is not named"
