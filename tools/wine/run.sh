#!/bin/sh
# Runs a program of Windows under Wine: tools/wine/run.sh PROGRAM [ARGUMENT…]. WINEPREFIX says where its Windows is
# (build/wine, if it is not set); it is made on first use. LIMIT is the time it may take (10m, if it is not set).
# Wine 8 lacks a DLL that Go's programs want, and Windows 10 has; it is made here.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
export WINEPREFIX="${WINEPREFIX:-$here/../../build/wine}" WINEDEBUG=-all WINEDLLOVERRIDES="bcryptprimitives=n;mscoree,mshtml,winemenubuilder.exe=d"
[ "${1:-}" ] || { echo "usage: tools/wine/run.sh PROGRAM [ARGUMENT...]" >&2; exit 2; }
mkdir -p "$WINEPREFIX"
(
	flock 9
	[ ! -f "$WINEPREFIX/made" ] || exit 0
	timeout 5m wine wineboot --init >/dev/null 2>&1
	x86_64-w64-mingw32-gcc -O2 -shared -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" "$here/bcryptprimitives.c" -ladvapi32
	touch "$WINEPREFIX/made"
) 9>"$WINEPREFIX.lock"
exec timeout "${LIMIT:-10m}" wine "$@"
