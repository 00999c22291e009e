#!/bin/sh
# make test-windows: the tests of the packages that meet the system, built for Windows and run under Wine, and those that
# install Cutaway there, use its window and take it away again (e2e/wine_test.go).
set -eu
here=$(pwd -P)
# Wine 8 cannot delete files that are open as Windows 10 can, and says so in a way that Go does not know; Go's own way for
# systems before that works. It is for the tests' scratch folders alone.
overlay=build/wine-overlay
remove=$(go env GOROOT)/src/internal/syscall/windows/at_windows.go
mkdir -p $overlay
sed 's/if TestDeleteatFallback {/if true {/' "$remove" >$overlay/at_windows.go
printf '{"Replace":{"%s":"%s"}}\n' "$remove" "$here/$overlay/at_windows.go" >$overlay/overlay.json
LIMIT=40m GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go test -tags headless -short -p 1 -timeout 30m -overlay "$here/$overlay/overlay.json" \
	-exec "sh $here/tools/wine/run.sh" . ./source/... ./model/... ./cli/... ./internal/packaging
go test -tags e2e,wine -count=1 -timeout 40m -v -run '^TestWindows$' ./e2e
