#!/bin/sh
# Takes away what install.sh has put into a prefix. The installed copy knows its prefix.
# usage: uninstall.sh [PREFIX]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=${1:-$(dirname "$(dirname "$here")")}
own=$prefix/share/cutaway
if [ ! -f "$own/files" ]; then
	echo "uninstall.sh: Cutaway is not installed in $prefix" >&2
	exit 2
fi

sh "$own/associate.sh" remove
while read -r file; do
	rm -f "$prefix/$file"
	rmdir -p "$prefix/$(dirname "$file")" 2>/dev/null || true # of empty folders
done <"$own/files"
sh "$own/update.sh" "$prefix"
rm -r "$own"
echo "Cutaway is gone from $prefix."
