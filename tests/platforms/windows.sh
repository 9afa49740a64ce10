# SPDX-License-Identifier: Apache-2.0
# What is otherwise on Windows; cross.sh reads this, in the folder TOP, and has its variables.
# what was said last is shown with it
fail() { echo "windows: $*"; failed=1; tail -n 5 "$folder/there.txt"; }
wine=(wine)

# backslashes in paths are slashes, and are told as such
"$folder/oclmm" check 'litmus\seq-cst\SB+sc+sc.litmus' >"$folder/there.txt" 2>&1 || fail "a path with backslashes: $?"
OCLMM_SUITE=$top "$program" check litmus/seq-cst/SB+sc+sc.litmus >"$folder/here.txt"
cmp "$folder/here.txt" "$folder/there.txt" || fail "a path with backslashes gives another output"
status=0
"$folder/oclmm" check 'litmus\seq-cst\none.litmus' >"$folder/there.txt" 2>&1 || status=$?
[ "$status" = 2 ] && grep -q 'litmus/seq-cst/none.litmus' "$folder/there.txt" || fail "a path that is not there: $status"

# a file of Windows, each line of which ends with two characters, is the same test
sed 's/$/\r/' litmus/seq-cst/SB+sc+sc.litmus >"$folder/SB+sc+sc.litmus"
"$folder/oclmm" check "$folder/SB+sc+sc.litmus" >"$folder/there.txt" 2>&1 || fail "lines of Windows: $?"
cmp "$folder/here.txt" "$folder/there.txt" || fail "lines of Windows give another output"

# files are written as elsewhere: no line ends otherwise; and again, in the place of what is there
for try in first second; do
	"$folder/oclmm" grade --partial -o "$folder\\there.xml" -o "$folder\\there.jsonl" "$results" >/dev/null 2>&1 || :
	OCLMM_SUITE=$top "$program" grade --partial -o "$folder/here.xml" -o "$folder/here.jsonl" "$results" >/dev/null 2>&1 || :
	for suffix in xml jsonl; do
		[ -s "$folder/there.$suffix" ] && cmp "$folder/here.$suffix" "$folder/there.$suffix" ||
			fail "$suffix, the $try time: another file"
	done
	"$folder/oclmm" report --partial -o "$folder\\there.html" "$results" >/dev/null 2>&1 || fail "the page, the $try time: $?"
	OCLMM_SUITE=$top "$program" report --partial -o "$folder/here.html" "$results" >/dev/null 2>&1
	cmp "$folder/here.html" "$folder/there.html" || fail "the page, the $try time: another file"
done
ls "$folder" | grep -E '\.(tmp|old)$' && fail "something was left beside the files"
# one file as two outputs, by two names
status=0
"$folder/oclmm" grade --partial -o "$folder/there.xml" -o "$folder\\.\\there.xml" "$results" >"$folder/there.txt" 2>&1 || status=$?
[ "$status" = 2 ] && grep -q 'are the same file' "$folder/there.txt" || fail "one file twice: $status"

# what the system lacks is refused by name
if [ -e /usr/include/CL/cl.h ]; then
	status=0
	"$folder/oclmm" planted SB+sc+sc >"$folder/there.txt" 2>&1 || status=$?
	[ "$status" = 77 ] && grep -q 'plants need a layer of the OpenCL loader, and none is made for this system' "$folder/there.txt" ||
		fail "planted: $status"
	# and a machine without a loader has no device
	status=0
	OCLMM_OPENCL='Z:\none\OpenCL.dll' "$folder/oclmm" devices >"$folder/there.txt" 2>&1 || status=$?
	[ "$status" = 99 ] && grep -q 'there is no OpenCL loader: .*none' "$folder/there.txt" || fail "no loader: $status"
else
	echo "windows: the headers of OpenCL are not here: no command that needs a device is in the program"
fi
# and a tool that is not there is told of by name
CC=no-such-compiler "$folder/oclmm" export -o "$folder/there.c" SB+sc+sc >"$folder/there.txt" 2>&1 || fail "export: $?"
grep -q 'cannot execute no-such-compiler' "$folder/there.txt" || fail "export does not tell which compiler it lacks"
# one that is there is started and heard: here the program itself, which complains of its options
CC=$folder/build/runner/oclmm.exe "$folder/oclmm" export -o "$folder/there.c" SB+sc+sc >"$folder/there.txt" 2>&1 || fail "export: $?"
grep -q 'oclmm:' "$folder/there.txt" || fail "what a tool says is not heard"

# a zip file of everything runs wherever it is unpacked, and is the same each time
for name in one two; do
	"$top/packaging/zip" "$folder/build/runner/oclmm.exe" "$folder/$name.zip" || fail "no zip file: $?"
done
cmp "$folder/one.zip" "$folder/two.zip" || fail "another zip file from the same files"
elsewhere=$(mktemp -d)
python3 -m zipfile -e "$folder/one.zip" "$elsewhere"
for file in LICENSE LICENSE.jansson LICENSE.xxHash README.md docs/model.md; do
	[ -s "$elsewhere/oclmm/$file" ] || fail "the zip file lacks $file"
done
OCLMM_SUITE=$top "$program" list >"$folder/here.txt"
(cd "$elsewhere" && env -u OCLMM_SUITE "${wine[@]}" oclmm/oclmm.exe list) >"$folder/there.txt" 2>&1 || fail "unpacked: $?"
cmp "$folder/here.txt" "$folder/there.txt" || fail "another suite in the zip file"
(cd "$elsewhere" && env -u OCLMM_SUITE "${wine[@]}" oclmm/oclmm.exe check --verify --quiet 'MP+rel+acq*') || fail "unpacked, with answers: $?"
rm -rf "$elsewhere"

# a device, where Wine leads to one of this machine
printf '#!/bin/sh\nexec wine %q "$@"\n' "$folder/build/runner/oclmm.exe" >"$folder/oclmm-alone"
chmod +x "$folder/oclmm-alone"
if [ -z "$layer" ]; then
	echo "windows: no device was used: nothing here is built with OpenCL"
else
	status=0
	python3 "$top/tests/faults/foreign.py" "$folder/oclmm-alone" "$layer" "$program" >"$folder/there.txt" 2>&1 || status=$?
	case $status in
	0) ;;
	77) echo "windows: no device was used: Wine finds none, or a loader without layers" ;;
	*)
		failed=1
		cat "$folder/there.txt"
		;;
	esac
fi
