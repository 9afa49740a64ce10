#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `quickstart test` runs four lots of tests, adds them up, and fails when one of them
# fails, or when what sanitizers need cannot be built. Those that use devices get the drivers
# that the environment names. Meson and ninja are stand-ins.
#
# usage: phases.sh QUICKSTART
set -euo pipefail

quickstart=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

stand_in() {
	printf '#!%s\n%s\n' "$BASH" "$2" >"$folder/$1"
	chmod +x "$folder/$1"
}
# shellcheck disable=SC2016 # the stand-ins expand these, not this script
{
	stand_in ninja 'echo "what ninja says"; case $* in *tests/one) exit "${BUILD_FAILS-0}" ;; esac'
	stand_in meson '
case $1 in
setup)
	mkdir -p "$2/meson-info" "$2/meson-logs"
	echo "[{\"id\": \"one@exe\", \"installed\": true, \"filename\": [\"$2/tests/one\"]}]" >"$2/meson-info/intro-targets.json"
	echo "[]" >"$2/meson-info/intro-tests.json" ;;
test)
	while [ "$1" != -C ]; do shift; done
	log=$2/meson-logs
	while [ "$1" != --logbase ]; do shift; done
	echo "what $2 says${OCL_ICD_VENDORS+ with $OCL_ICD_VENDORS}"
	[ "$2" = "${MISSING-}" ] && exit 0
	result=OK
	[ "$2" = "${FAILS-}" ] && result=FAIL
	echo "{\"name\": \"one\", \"result\": \"$result\"}" >"$log/$2.json"
	[ $result = OK ] ;;
esac'
}

fail() {
	echo "$*"
	cat "$folder/output" "$folder/errors"
	exit 1
}

# try STATUS LAST-LINE VARIABLE=VALUE...: what standard error got is in $folder/errors afterwards
try() {
	local wanted=$1 last=$2 status=0
	shift 2
	rm -rf "$folder/build" "$folder/build-sanitize"
	env PATH="$folder:$PATH" BUILD="$folder/build" "$@" "$BASH" "$quickstart" --no-install test \
		>"$folder/output" 2>"$folder/errors" </dev/null || status=$?
	[ "$status" = "$wanted" ] || fail "$*: exit status $status instead of $wanted"
	[ "$(tail -n 1 "$folder/output")" = "$last" ] || fail "$*: the last line is not '$last'"
}

try 0 '4 passed, 0 failed'
for name in together once alone sanitized; do
	grep -q "what $name says" "$folder/errors" || fail "nothing is shown of $name"
	try 1 '3 passed, 1 failed' FAILS=$name
	# no results are no success
	try 1 '3 passed, 1 failed' MISSING=$name
done
try 0 '4 passed, 0 failed' OCL_ICD_VENDORS=/nonexistent
for name in together alone; do
	grep -q "what $name says with /nonexistent$" "$folder/errors" || fail "$name has not got the drivers that were named"
done
try 99 '' BUILD_FAILS=1
grep -q 'building failed' "$folder/errors" || fail "a build that failed is not told"
