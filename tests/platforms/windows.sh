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

# refused STATUS WORDS ARGUMENT...: what a command lacks, it says; no loader of OpenCL is there
refused() {
	local wanted=$1 words=$2 there=0
	shift 2
	tried+=("$1")
	OCLMM_OPENCL='Z:\none\OpenCL.dll' "$folder/oclmm" "$@" >"$folder/there.txt" 2>&1 || there=$?
	[ "$there" = "$wanted" ] && grep -q "$words" "$folder/there.txt" || fail "$*: $there, not $wanted, or no $words"
}
refused 77 'built without the page; it needs' playground -o "$folder/there.html"
tried+=(new)
rm -rf "$folder/new"
mkdir -p "$folder/new/here" "$folder/new/there"
(cd "$folder/new/here" && "$program" new own && cd ../there && "$folder/oclmm" new own) >"$folder/there.txt" 2>&1 || fail "new: $?"
cmp "$folder/new/here/own.litmus" "$folder/new/there/own.litmus" || fail "new writes another file"
if [ -e /usr/include/CL/cl.h ]; then
	lacks='there is no OpenCL loader: .*none'
	refused 99 "$lacks" planted SB+sc+sc
	refused 99 "$lacks" devices
	refused 99 "$lacks" run SB+sc+sc
	refused 99 "$lacks" tune
	refused 99 "$lacks" idiom last-group-done
	refused 99 "$lacks" audit --device 0 SB+sc+sc
	# it starts the program itself
	refused 99 "^if+own-cell: not run: .*$lacks" shrink if+own-cell
	names=$("$folder/oclmm" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
	[ "$(wc -w <<<"$names")" = "$(OCLMM_SUITE=$top "$program" --help | grep -c '^  ')" ] || fail "some commands are not there"
	for name in $names; do
		[[ " ${tried[*]} " == *" $name "* ]] || fail "nobody tries $name"
	done
else
	echo "windows: the headers of OpenCL are not here: no command that needs a device is in the program"
fi
# and a tool that is not there is told of by name
CC=no-such-compiler "$folder/oclmm" export -o "$folder/there.c" SB+sc+sc >"$folder/there.txt" 2>&1 || fail "export: $?"
grep -q 'cannot execute no-such-compiler' "$folder/there.txt" || fail "export does not tell which compiler it lacks"
# one that is there is started and heard: here the program itself, which complains of its options
CC=$folder/build/runner/oclmm.exe "$folder/oclmm" export -o "$folder/there.c" SB+sc+sc >"$folder/there.txt" 2>&1 || fail "export: $?"
grep -q 'oclmm:' "$folder/there.txt" || fail "what a tool says is not heard"
CC="'$folder/build/runner/oclmm.exe' check" "$folder/oclmm" export -o "$folder/there.c" SB+sc+sc >"$folder/there.txt" 2>&1 ||
	fail "export: $?"
grep -q 'oclmm check:' "$folder/there.txt" || fail "a tool's own words are not given to it"

# a zip file of everything runs wherever it is unpacked, and is the same each time
for name in one two; do
	"$top/packaging/zip" "$folder/build/runner/oclmm.exe" "$folder/$name.zip" || fail "no zip file: $?"
done
cmp "$folder/one.zip" "$folder/two.zip" || fail "another zip file from the same files"
# on the drive that Windows has, and in a folder whose name has a blank
drive=$WINEPREFIX/drive_c
elsewhere="$drive/Program Files/oclmm test"
rm -rf "$elsewhere"
mkdir -p "$elsewhere"
python3 -m zipfile -e "$folder/one.zip" "$elsewhere"
[ ! -e /usr/include/CL/cl.h ] || [ -s "$elsewhere/oclmm/oclmm-plant.dll" ] || fail "the zip file lacks the layer"
for file in LICENSE LICENSE.jansson LICENSE.xxHash README.md docs/model.md; do
	[ -s "$elsewhere/oclmm/$file" ] || fail "the zip file lacks $file"
done
# unpacked ARGUMENT...: the program there, with its own suite
unpacked='C:\Program Files\oclmm test\oclmm\oclmm.exe'
unpacked() { (cd "$drive" && env -u OCLMM_SUITE "${wine[@]}" "$unpacked" "$@") >"$folder/there.txt" 2>&1; }
for profile in quick default; do
	OCLMM_SUITE=$top "$program" list --profile "$profile" >"$folder/here.txt"
	unpacked list --profile "$profile" || fail "unpacked: $?"
	cmp "$folder/here.txt" "$folder/there.txt" || fail "another profile $profile in the zip file"
done
unpacked check --verify --quiet 'MP+rel+acq*' || fail "unpacked, with answers: $?"

# a device, where Wine leads to one of this machine; what uses it is what was unpacked
printf '#!/bin/sh\nexec wine %q "$@"\n' "$unpacked" >"$folder/oclmm-alone"
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
