#!/bin/sh
# Opens the window on the files named, or on the built-in sample. Where there is no display it says so, runs the
# window under Xvfb and leaves a screenshot in build/.
set -eu
program=$1
shift

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
	exec "$program" "$@"
fi

echo "No display (DISPLAY and WAYLAND_DISPLAY are empty): running the window under Xvfb."
mkdir -p build
home=$(mktemp -d)
mkdir "$home/.cache" "$home/.config"
xvfb="" window=""
# finish ends the window before its display and its folder go, about which it would complain.
finish() {
	trap - EXIT INT TERM
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		kill $window 2>/dev/null || break
		sleep 0.2
	done
	kill $xvfb 2>/dev/null || true
	rm -rf "$home"
}
trap finish EXIT
trap 'finish; exit 1' INT TERM
mkfifo "$home/display"
Xvfb -displayfd 3 -screen 0 1360x860x24 -nolisten tcp 3>"$home/display" >/dev/null 2>&1 &
xvfb=$!
read -r number <"$home/display"
export DISPLAY=":$number" HOME="$home" XDG_RUNTIME_DIR="$home" LIBGL_ALWAYS_SOFTWARE=1
export CUTAWAY_LOG="$home/log"
"$program" "$@" &
window=$!
waited=0
until grep -q '^ready' "$CUTAWAY_LOG" 2>/dev/null; do
	sleep 0.2
	waited=$((waited + 1))
	if ! kill -0 "$window" 2>/dev/null || [ "$waited" -ge 150 ]; then
		echo "The window did not come up." >&2
		exit 1
	fi
done
sleep 2
/usr/bin/import -window root build/screenshot.png
echo "The window came up; its picture is build/screenshot.png"
