#!/bin/sh
# Installs Cutaway into a prefix: /usr/local for root, ~/.local for others, or the one named.
# usage: ./install.sh [PREFIX]        DESTDIR=/stage ./install.sh /usr puts the files below /stage, for a package
set -eu
here=$(cd "$(dirname "$0")" && pwd)
id=dev.cutaway.Cutaway
if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=$HOME/.local; fi
prefix=${1:-$prefix}
case $prefix in
/*) ;;
*) prefix=$(pwd)/$prefix ;;
esac
case $prefix in
*[\"\`\$\\%\|\&]*)
	echo "install.sh: a desktop entry cannot name a program in $prefix: it has one of \" \` \$ \\ % | &" >&2
	exit 2
	;;
esac
to=${DESTDIR:-}$prefix

cd "$here"
find bin share -type f | while read -r file; do
	mkdir -p "$to/$(dirname "$file")"
	rm -f "$to/$file" # a running program is left as it is
	cp "$file" "$to/$file"
done
chmod 755 "$to/bin/cutaway" "$to/bin/cutaway-dialog"

# A desktop does not always look where the shell does. Old versions of xdg-mime stumble over quotes.
command=$prefix/bin/cutaway
case $command in
*[!A-Za-z0-9/._+-]*) command="\"$command\"" ;;
esac
sed -e "s|^Exec=cutaway|Exec=$command|" -e "s|^TryExec=cutaway|TryExec=$prefix/bin/cutaway|" \
	"share/applications/$id.desktop" >"$to/share/applications/$id.desktop"

own=$to/share/cutaway
mkdir -p "$own"
cp associate.sh installed.awk mimeapps.awk mimeapps.list uninstall.sh update.sh "$own/"
chmod 755 "$own/uninstall.sh"
find bin share -type f >"$own/files"
sh "$own/associate.sh" add

[ -n "${DESTDIR:-}" ] || sh update.sh "$prefix"
echo "Installed in $prefix; $prefix/share/cutaway/uninstall.sh takes it away again."
