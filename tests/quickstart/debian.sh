#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# On Debian, quickstart asks apt-get for exactly what dpkg-query does not have,
# asks for nothing when all is there, and needs root only in the first case.
# The package tools are stand-ins that write down how they were called.
#
# usage: debian.sh QUICKSTART
set -euo pipefail

quickstart=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for tool in bash cat dirname env; do
	ln -s "$(command -v "$tool")" "$folder/$tool"
done

stand_in() {
	printf '#!%s\n%s\n' "$BASH" "$2" >"$folder/$1"
	chmod +x "$folder/$1"
}
# shellcheck disable=SC2016 # the stand-ins expand these, not this script
{
	stand_in apt-get 'echo "apt-get $*" >>"$CALLS"; [ "$1" != update ] || [ -z "${NO_NETWORK-}" ]'
	stand_in dpkg-query 'case $* in *" $MISSING") exit 1 ;; *) echo -n "install ok installed" ;; esac'
	stand_in id 'echo "${USER_ID-0}"'
	# the build stops here: what follows is not this test's matter
	stand_in meson 'echo "meson $*" >>"$CALLS"; exit 1'
}

fail() {
	echo "$*"
	cat "$folder/output" "$folder/calls"
	exit 1
}

# try VARIABLE=VALUE...: the calls are in $folder/calls afterwards
try() {
	: >"$folder/calls"
	status=0
	env PATH="$folder" CALLS="$folder/calls" BUILD="$folder/build" "$@" \
		"$BASH" "$quickstart" test >"$folder/output" 2>&1 </dev/null || status=$?
	[ "$status" = 99 ] || fail "exit status $status instead of 99"
}

try MISSING=libcmocka-dev
grep -Eq '^apt-get install( -[^ ]+)* libcmocka-dev$' "$folder/calls" || fail "not exactly the missing package"
grep -q '^meson setup' "$folder/calls" || fail "no build after installing"

try MISSING=libcmocka-dev NO_NETWORK=1
grep -q '^apt-get install' "$folder/calls" || fail "gave up when update failed"

try MISSING=nothing USER_ID=1000
! grep -q '^apt-get' "$folder/calls" || fail "apt-get was called with nothing missing"
grep -q '^meson setup' "$folder/calls" || fail "no build with nothing missing"

try MISSING=flex USER_ID=1000
! grep -q '^apt-get' "$folder/calls" || fail "apt-get was called without root"
grep -q 'flex' "$folder/output" || fail "the missing package is not named"
grep -q -- '--no-install' "$folder/output" || fail "no way out is named"
! grep -q '^meson' "$folder/calls" || fail "a build was tried without the packages"

# Browser and formatter are wishes: the browser is asked for on Debian alone, and nothing stops
# without them.
echo 'ID=debian' >"$folder/debian"
echo 'ID=ubuntu' >"$folder/ubuntu"
try MISSING=chromium OS_RELEASE="$folder/debian"
grep -Eq '^apt-get install( -[^ ]+)* chromium$' "$folder/calls" || fail "chromium was not asked for"
try MISSING=chromium OS_RELEASE="$folder/debian" USER_ID=1000
grep -q '^meson setup' "$folder/calls" || fail "no build without a browser"
try MISSING=chromium OS_RELEASE="$folder/ubuntu"
! grep -q '^apt-get' "$folder/calls" || fail "chromium was asked for where it is a snap"

# What kernels need is a wish in every mode, named where it cannot be had.
try MISSING=llvm-spirv-14
grep -Eq '^apt-get install( -[^ ]+)* llvm-spirv-14$' "$folder/calls" || fail "the translator was not asked for"
try MISSING=llvm-spirv-14 USER_ID=1000
grep -q 'no llvm-spirv-14: oclmm takes no kernels (.cl)' "$folder/output" || fail "what is missing without the translator is not said"
grep -q '^meson setup' "$folder/calls" || fail "no build without the translator"

# `build` builds, and neither runs nor tests anything; it takes no options of a run.
# shellcheck disable=SC2016 # as above
{
	stand_in meson 'echo "meson $*" >>"$CALLS"; mkdir -p "$2"; : >"$2/build.ninja"'
	stand_in ninja 'echo "ninja $*" >>"$CALLS"; mkdir -p "$2/runner"; printf "#!%s\necho \"oclmm \$*\" >>\"\$CALLS\"\n" "$BASH_PATH" >"$2/runner/oclmm"; chmod +x "$2/runner/oclmm"'
}
for tool in mkdir chmod; do
	ln -s "$(command -v "$tool")" "$folder/$tool"
done
: >"$folder/calls"
env PATH="$folder" CALLS="$folder/calls" BUILD="$folder/build" BASH_PATH="$BASH" MISSING=nothing \
	"$BASH" "$quickstart" build >"$folder/output" 2>&1 </dev/null || fail "it does not build"
[ "$(cut -d' ' -f1 "$folder/calls" | tr '\n' ' ')" = "meson ninja " ] || fail "not exactly a build"
: >"$folder/calls"
env PATH="$folder" CALLS="$folder/calls" BUILD="$folder/build" BASH_PATH="$BASH" MISSING=spirv-tools \
	"$BASH" "$quickstart" build >"$folder/output" 2>&1 </dev/null || fail "it does not build without a wish"
grep -Eq '^apt-get install( -[^ ]+)* spirv-tools$' "$folder/calls" || fail "a build does not ask for what kernels need"
# the tests are half of what there is to compile, and nobody runs them here
grep -qx "ninja -C $folder/build runner/oclmm" "$folder/calls" || fail "more than the program is built"
status=0
env PATH="$folder" "$BASH" "$quickstart" build --seed 1 >"$folder/output" 2>&1 </dev/null || status=$?
[ "$status" = 2 ] || fail "build took an option of run: $status"

# runs ARGUMENTS of oclmm: what quickstart makes of ARGUMENTS of its own
runs() {
	local expected=$1
	shift
	: >"$folder/calls"
	env PATH="$folder" CALLS="$folder/calls" BUILD="$folder/build" BASH_PATH="$BASH" MISSING=nothing \
		"$BASH" "$quickstart" "$@" >"$folder/output" 2>&1 </dev/null || fail "it does not run"
	[ "$(grep '^oclmm' "$folder/calls")" = "oclmm run$expected" ] || fail "not run$expected"
}
runs ' --quick --expectations litmus/known-failures'
runs ' --quick --expectations litmus/known-failures --seed 1' --seed 1
runs ' --quick --expectations mine' --expectations mine
runs ' --profile default --seed 1' --profile default --seed 1
runs ' -pdefault' -pdefault
