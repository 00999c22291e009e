#!/bin/sh
# Brings the desktop's caches below a prefix up to date, where the tools for it are installed.
# usage: update.sh PREFIX
set -eu
share=$1/share
quietly() {
	command -v "$1" >/dev/null 2>&1 || return 0
	"$@" >/dev/null 2>&1 || echo "update.sh: $1 failed" >&2
}
if [ -d "$share/mime/packages" ]; then
	command -v update-mime-database >/dev/null 2>&1 ||
		echo "There is no update-mime-database (package shared-mime-info): the desktop does not know the file types yet." >&2
	quietly update-mime-database "$share/mime"
fi
[ ! -d "$share/applications" ] || quietly update-desktop-database "$share/applications"
[ ! -f "$share/icons/hicolor/index.theme" ] || quietly gtk-update-icon-cache -q -t -f "$share/icons/hicolor"
