#!/bin/sh
# Merges what Cutaway opens into the mimeapps.list of a prefix that it lies in, or takes it out again.
# usage: PREFIX/share/cutaway/associate.sh add|remove
set -eu
own=$(cd "$(dirname "$0")" && pwd)
list=$own/../applications/mimeapps.list
if [ "$1" = add ]; then
	# What others have put into mimeapps.list stays, and comes first.
	echo "${XDG_DATA_HOME:-$HOME/.local/share}:${XDG_DATA_DIRS:-/usr/local/share:/usr/share}" | tr : '\n' | while read -r dir; do
		ls "$dir/applications" 2>/dev/null || true
	done >"$own/programs"
	[ -f "$list" ] || : >"$list"
	awk -f "$own/installed.awk" "$own/programs" "$own/mimeapps.list" >"$own/associations"
	rm "$own/programs"
fi
[ -f "$own/associations" ] && [ -f "$list" ] || exit 0
awk -v mode="$1" -f "$own/mimeapps.awk" "$own/associations" "$list" >"$list.new"
mv "$list.new" "$list"
if [ "$1" = remove ]; then
	rm "$own/associations"
	[ -s "$list" ] || rm "$list"
fi
