#!/bin/sh
# Installs what is missing, builds the window and opens it on the files named, or on the built-in sample; then it builds the
# system's file dialog, which the window finds when it is asked for a file. Where there is no display it says so, runs the window
# under Xvfb and leaves a screenshot in build/.
# usage: GO=… MAKE=… DIALOG=… tools/run.sh PROGRAM [FILE…]
set -eu
program=$1
shift
mkdir -p build

if [ ! -e "$program" ]; then # the network and the packages take turns
	echo "Downloading the modules that are missing."
	$GO mod download >build/modules.log 2>&1 &
	modules=$!
	sh tools/install.sh run
	wait "$modules" || { cat build/modules.log >&2; exit 1; }
else
	sh tools/install.sh run
fi
$MAKE -s --no-print-directory "$program"

# dialog builds the file dialog at a low priority; the window asks by itself until it is there.
dialog() {
	nice $MAKE -s --no-print-directory "$DIALOG" >build/dialog.log 2>&1 || echo "The system's file dialog could not be built; the window asks by itself (build/dialog.log)."
}

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
	echo "Opening the window."
	"$program" "$@" &
	window=$!
	trap 'kill $window 2>/dev/null' INT TERM
	dialog
	wait $window
	exit
fi

echo "No display (DISPLAY and WAYLAND_DISPLAY are empty): running the window under Xvfb."
home=$(mktemp -d)
mkdir "$home/.cache" "$home/.config"
xvfb="" window="" bus=""
# finish ends the window before its display and its folder go, about which it would complain.
finish() {
	trap - EXIT INT TERM
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		kill $window 2>/dev/null || break
		sleep 0.2
	done
	kill $bus $xvfb 2>/dev/null || true
	rm -rf "$home"
}
trap finish EXIT
trap 'finish; exit 1' INT TERM
mkfifo "$home/display"
Xvfb -displayfd 3 -screen 0 1360x860x24 -nolisten tcp 3>"$home/display" >/dev/null 2>&1 &
xvfb=$!
read -r number <"$home/display"
export DISPLAY=":$number"
dbus-daemon --session --nofork --nopidfile --address="unix:path=$home/bus" >/dev/null 2>&1 & # Fyne looks for one
bus=$!
log="$home/log"
HOME="$home" XDG_RUNTIME_DIR="$home" LIBGL_ALWAYS_SOFTWARE=1 CUTAWAY_LOG="$log" DBUS_SESSION_BUS_ADDRESS="unix:path=$home/bus" \
	"$program" "$@" 2>build/window.log &
window=$!
waited=0
until grep -q '^ready' "$log" 2>/dev/null; do
	sleep 0.2
	waited=$((waited + 1))
	if ! kill -0 "$window" 2>/dev/null || [ "$waited" -ge 150 ]; then
		cat build/window.log >&2
		echo "The window did not come up." >&2
		exit 1
	fi
done
sleep 2
/usr/bin/import -window root build/screenshot.png
echo "The window came up; its picture is build/screenshot.png"
dialog
