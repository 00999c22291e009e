#!/bin/sh
# An upgrade keeps the associations: dpkg says so by a word, rpm by the count of packages that stay.
set -eu
case "${1:-}" in
remove | 0) sh "${DPKG_ROOT:-}/usr/share/cutaway/associate.sh" remove ;;
esac
