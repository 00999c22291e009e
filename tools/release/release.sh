#!/bin/sh
# Makes what a release consists of from the last commit, twice: in two clones, the second with a build cache of its own,
# so that nothing is taken over from the first. Different files are an error. The result is in build/release.
set -eu
[ -z "$(git status --porcelain --untracked-files=no)" ] || echo "The release is made from the last commit, without what has changed since." >&2
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
mkdir -p build/tools/release
commit=$(git rev-parse HEAD) # of both, whatever is committed meanwhile
for pass in first-time second; do
	git clone --quiet --shared --no-checkout . "$work/$pass"
	git -C "$work/$pass" checkout --quiet --detach "$commit"
	mkdir -p "$work/$pass/build"
	ln -s "$(cd build/tools && pwd -P)" "$work/$pass/build/tools"
	[ "$pass" = first-time ] || export GOCACHE="$work/cache"
	make -C "$work/$pass" -o build/tools/release/nfpm dist >&2 # the clone is newer than the tools, which are made before
done
if ! diff "$work/first-time/build/dist/SHA256SUMS" "$work/second/build/dist/SHA256SUMS" >&2; then
	echo "Built twice, and these files differ." >&2
	exit 1
fi
rm -rf build/release
mv "$work/first-time/build/dist" build/release
echo "build/release: built twice with equal hashes"
cat build/release/SHA256SUMS
