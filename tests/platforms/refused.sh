#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Setting up a build for macOS ends with what is missing there, by name; one for a system that is
# supported does not.
#
# usage: refused.sh TOP FOLDER
set -euo pipefail

top=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
# set_up SYSTEM: whether Meson refuses it as macOS
refuses() {
	printf "[binaries]\nc = 'cc'\n[properties]\nneeds_exe_wrapper = true\n[host_machine]\nsystem = '%s'\ncpu_family = 'x86_64'\ncpu = 'x86_64'\nendian = 'little'\n" \
		"$1" >"$folder/$1.ini"
	meson setup "$folder/$1" "$top" --cross-file "$folder/$1.ini" -Dtests=false -Drunner=disabled >"$folder/$1.log" 2>&1 || :
	grep -q 'macOS is not supported: it lacks memfd_create' "$folder/$1.log"
}
refuses darwin || { cat "$folder/darwin.log"; exit 1; }
! refuses linux || { echo "Linux is refused as macOS"; exit 1; }
