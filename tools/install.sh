#!/bin/sh
# Installs the Debian packages that building, running or testing Cutaway needs, where they are missing.
# usage: tools/install.sh window|dialog|windows|wine|run|test
set -eu

build="gcc libc6-dev pkg-config ca-certificates libgl-dev libx11-dev libxrandr-dev libxxf86vm-dev libxi-dev
	libxcursor-dev libxinerama-dev libwayland-dev libxkbcommon-dev libegl-dev"
dialog="libgtk-3-dev" # of the system's file dialog, which the window does without
window="xvfb xauth imagemagick fonts-dejavu-core libgl1-mesa-dri dbus-daemon"
desktop="shared-mime-info desktop-file-utils xdg-utils libglib2.0-bin libgtk-3-bin" # what a package is tested with

case "${1:-}" in
window) want="$build" ;;
dialog) want="$build $dialog" ;;
windows) want="gcc-mingw-w64-x86-64 nsis" ;;
wine) want="$build $dialog $window xdotool openbox x11-utils wine wine64" ;;
run) want="$build" && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || want="$build $window" ;;
test) want="$build $dialog $window xdotool openbox x11-utils xclip weston $desktop" ;;
*)
	echo "usage: tools/install.sh window|dialog|windows|wine|run|test" >&2
	exit 2
	;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
	echo "Not a Debian system: please install what these packages hold:" $want >&2
	exit 0
fi

missing=""
for package in $want; do
	state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
	[ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		echo "Missing, and neither root nor sudo to install them:$missing" >&2
		exit 1
	fi
	as_root=sudo
fi
echo "Installing $(echo $missing | wc -w) Debian packages:$missing"
log=$(mktemp)
if ! {
	$as_root apt-get update &&
		$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
} >"$log" 2>&1 </dev/null; then
	tail -n 20 "$log" >&2
	echo "Could not install:$missing (whole log: $log)" >&2
	exit 1
fi
rm -f "$log"
