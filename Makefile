# make run [FILE=…]   builds Cutaway and opens its window
# make test           runs every test
# The others are at the end of CONTRIBUTING.md.

GO ?= go
# no_emoji leaves out 40 MB of a font; emoji come from the system's fonts where it has some.
# no_animations leaves out what repaints the window again and again, such as a caret that fades: a quarter of a core
# where software draws.
TAGS := migrated_fynedo,no_emoji,no_animations
COMMIT := $(shell git rev-parse --short=12 HEAD 2>/dev/null)
LDFLAGS := -X main.commit=$(COMMIT)
export GOFLAGS := -buildvcs=false $(GOFLAGS)

BIN := build/cutaway
DIALOG := build/cutaway-dialog
HEADLESS := build/cutaway-headless
SOURCES := $(shell find . -name '*.go' -not -path './build/*') go.mod go.sum FyneApp.toml $(wildcard assets/*)
PURE := ./model/... ./source/... ./decoders/... ./cli/... ./internal/... ./bench/...
SCREEN := ./hexview/... ./ui/...

.PHONY: run build headless package test test-cross test-packages test-race test-tagless test-window golden mutate ended verdicts ledger memory ksydiff bench lint clean

run:
	@GO="$(GO)" MAKE="$(MAKE)" DIALOG=$(DIALOG) sh tools/run.sh $(BIN) $(if $(FILE),"$(FILE)")

build: $(BIN) $(DIALOG)

$(BIN): $(SOURCES)
	@sh tools/install.sh window
	@mkdir -p build
	@echo "Building the window; the first time this takes some minutes."
	@$(GO) mod download
	@$(GO) build -tags $(TAGS) -trimpath -ldflags='$(LDFLAGS)' -o $@ .

# The system's file dialog, by GTK. Where it cannot be built, the window asks by itself.
$(DIALOG): $(wildcard ui/sysdialog/*/*.go) go.mod go.sum
	@sh tools/install.sh dialog
	@mkdir -p build
	@echo "Building the system's file dialog."
	@if pkg-config --exists gtk+-3.0; then $(GO) build -trimpath -ldflags='-s -w' -o $@ ./ui/sysdialog/cutaway-dialog; \
		else echo "No $@: GTK 3 is not here for development."; fi

# The command line alone, without the window's C libraries.
headless: $(HEADLESS)

$(HEADLESS): $(SOURCES)
	@mkdir -p build
	CGO_ENABLED=0 $(GO) build -tags headless -trimpath -ldflags='-s -w $(LDFLAGS)' -o $@ .

# What a Linux desktop needs, as build/cutaway-VERSION-linux-ARCH.tar.gz; the files for packages of macOS and Windows in
# build/packaging. Equal sources give equal packages: everything in them has the time of the last commit.
VERSION := $(shell sed -n 's/^Version = "\(.*\)"/\1/p' FyneApp.toml)
DATE := $(or $(shell git log -1 --format=%cs 2>/dev/null),$(shell date +%Y-%m-%d))
export SOURCE_DATE_EPOCH := $(or $(shell git log -1 --format=%ct 2>/dev/null),$(shell date +%s))
ARCH := $(shell $(GO) env GOARCH)
PACKAGE := cutaway-$(VERSION)-linux-$(ARCH)
PARTS := build/packaging
TAR := tar --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --sort=name --mtime=@$(SOURCE_DATE_EPOCH)
package: build/$(PACKAGE).tar.gz

$(PARTS)/cutaway: $(SOURCES)
	@sh tools/install.sh window
	@mkdir -p $(@D)
	$(GO) build -tags $(TAGS) -trimpath -ldflags='-s -w $(LDFLAGS)' -o $@ .

build/$(PACKAGE).tar.gz: $(PARTS)/cutaway $(DIALOG) $(wildcard tools/package/*) README.md CONTRIBUTING.md CHANGELOG.md LICENSE $(wildcard docs/* docs/*/*)
	rm -rf $(PARTS)/linux $(PARTS)/macos $(PARTS)/windows
	CGO_ENABLED=0 $(GO) run -tags headless ./internal/packaging/cmd -o $(PARTS) -version $(VERSION) -date $(DATE) -program $< -program $(DIALOG) \
		-goroot "$$($(GO) env GOROOT)" -modcache "$$($(GO) env GOMODCACHE)"
	cp -R README.md CONTRIBUTING.md CHANGELOG.md LICENSE docs $(PARTS)/linux/share/doc/cutaway
	cp tools/package/* $(PARTS)/linux
	install -D -t $(PARTS)/linux/bin $< $(DIALOG)
	cp LICENSE $(PARTS)/windows/LICENSE.txt
	cp $(PARTS)/linux/share/doc/cutaway/THIRD-PARTY-LICENSES.txt $(PARTS)/windows
	$(TAR) --transform='s,^\.,$(PACKAGE),' -C $(PARTS)/linux -c . | gzip -9n >$@

# The tools of packages and releases are built from the module proxy, by tools/release/go.mod: nfpm, cyclonedx-gomod,
# go-winres.
RELEASETOOLS := build/tools/release
$(RELEASETOOLS)/nfpm: tools/release/go.mod tools/release/go.sum
	cd tools/release && $(GO) build -o ../../$(RELEASETOOLS)/ tool

# The same for dpkg and rpm: what install.sh puts below /usr, less what only its own uninstaller needs.
.PHONY: package-deb package-rpm
package-deb: build/cutaway_$(VERSION)-1_$(ARCH).deb
package-rpm: build/cutaway-$(VERSION)-1.$(shell uname -m).rpm

$(PARTS)/stage: build/$(PACKAGE).tar.gz
	rm -rf $@
	DESTDIR=$(CURDIR)/$@ sh $(PARTS)/linux/install.sh /usr
	cd $@/usr/share && rm applications/mimeapps.list cutaway/associations cutaway/files cutaway/uninstall.sh
	find $@ -exec touch -hd @$(SOURCE_DATE_EPOCH) {} +
	touch $@

build/%.deb build/%.rpm: $(PARTS)/stage $(RELEASETOOLS)/nfpm $(wildcard tools/release/*)
	VERSION=$(VERSION) ARCH=$(ARCH) MAINTAINER='$(or $(MAINTAINER),The Cutaway authors <maintainers@cutaway.invalid>)' \
		$(RELEASETOOLS)/nfpm package -f tools/release/nfpm.yaml -p $(subst .,,$(suffix $@)) -t $@

# The installer for Windows, by mingw-w64 and NSIS, which apt has: gcc-mingw-w64-x86-64 nsis. The window takes C
# compilers' minutes the first time. cutaway.exe is the window, cutaway.com the command line, which consoles take first.
WINDOWS := $(PARTS)/windows-installer
SETUP := build/Cutaway-$(VERSION)-setup.exe
.PHONY: package-windows
package-windows: $(SETUP)

$(WINDOWS)/cutaway.exe: $(SOURCES)
	@sh tools/install.sh windows
	GOOS=windows GOARCH=amd64 CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc $(GO) build -tags $(TAGS) -trimpath -ldflags='-s -w -H=windowsgui $(LDFLAGS)' -o $@ .

$(WINDOWS)/cutaway.com: $(SOURCES)
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 $(GO) build -tags headless -trimpath -ldflags='-s -w $(LDFLAGS)' -o $@ .

$(SETUP): $(WINDOWS)/cutaway.exe $(WINDOWS)/cutaway.com $(RELEASETOOLS)/nfpm $(wildcard internal/packaging/*)
	rm -rf $(WINDOWS)/windows && mkdir $(WINDOWS)/windows
	cp $(WINDOWS)/cutaway.exe $(WINDOWS)/cutaway.com LICENSE $(WINDOWS)/windows && mv $(WINDOWS)/windows/LICENSE $(WINDOWS)/windows/LICENSE.txt
	CGO_ENABLED=0 $(GO) run -tags headless ./internal/packaging/cmd -o $(WINDOWS) -version $(VERSION) -date $(DATE) -program $< -program $(WINDOWS)/cutaway.com \
		-goroot "$$($(GO) env GOROOT)" -modcache "$$($(GO) env GOMODCACHE)"
	cp $(WINDOWS)/linux/share/doc/cutaway/THIRD-PARTY-LICENSES.txt $(WINDOWS)/windows
	cd $(WINDOWS)/windows && for kind in exe com; do $(CURDIR)/$(RELEASETOOLS)/go-winres patch --no-backup --in $$kind.json cutaway.$$kind || exit 1; done
	find $(WINDOWS)/windows -exec touch -hd @$(SOURCE_DATE_EPOCH) {} +
	makensis -V2 -INPUTCHARSET UTF8 $(WINDOWS)/windows/cutaway.nsi
	mv $(WINDOWS)/windows/Cutaway-$(VERSION)-setup.exe $@

# What a release consists of: packages, the command line for every system, the sources, a bill of materials, licences,
# notes, and sums of all of them. make release makes it twice and compares.
DIST := build/dist
CLI := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64
.PHONY: release dist
release: $(RELEASETOOLS)/nfpm
	sh tools/release/release.sh

dist: package package-deb package-rpm package-windows
	rm -rf $(DIST) && mkdir -p $(DIST)
	cp build/$(PACKAGE).tar.gz build/*.deb build/*.rpm $(SETUP) $(DIST)
	for system in $(CLI); do name=cutaway-cli-$(VERSION)-$${system%/*}-$${system#*/} && mkdir -p build/cli/$$name && cp LICENSE build/cli/$$name && \
		GOOS=$${system%/*} GOARCH=$${system#*/} CGO_ENABLED=0 $(GO) build -tags headless -trimpath -ldflags='-s -w $(LDFLAGS)' -o build/cli/$$name/ . && \
		cp $(PARTS)/linux/share/doc/cutaway/THIRD-PARTY-LICENSES.txt build/cli/$$name && \
		$(TAR) -C build/cli -c $$name | gzip -9n >$(DIST)/$$name.tar.gz || exit 1; done
	git archive --format=tar --prefix=cutaway-$(VERSION)/ HEAD | gzip -9n >$(DIST)/cutaway-$(VERSION)-source.tar.gz
	for part in -linux:$(PARTS)/cutaway -windows:$(WINDOWS)/cutaway.exe; do \
		$(RELEASETOOLS)/cyclonedx-gomod bin -json -licenses -std -noserial -notimestamp -version v$(VERSION) \
			-output $(DIST)/cutaway-$(VERSION)$${part%%:*}.cdx.json $${part#*:} 2>/dev/null || exit 1; done
	cp $(PARTS)/linux/share/doc/cutaway/THIRD-PARTY-LICENSES.txt $(DIST)
	awk -v version=$(VERSION) -f tools/release/notes.awk CHANGELOG.md >$(DIST)/NOTES.md
	cd $(DIST) && sha256sum * >SHA256SUMS

# Under Wine (Debian: wine wine64), with the installer: what a user of Windows does, and the tests of what differs there.
.PHONY: test-windows
test-windows:
	@if sh tools/install.sh wine && command -v wine >/dev/null; then $(MAKE) package-windows && sh tools/wine/test.sh; \
		else echo "make test-windows: skipped, there is no Wine; Debian has it in wine and wine64"; fi

# The command line is built for other systems. The window needs their C libraries, but its code is held against macOS as far as
# that goes without: all but ./ui itself, which needs Fyne's driver.
test-cross:
	GOOS=darwin CGO_ENABLED=0 $(GO) vet -tags ci $$($(GO) list -tags ci $(SCREEN) | grep -vx cutaway/ui)
	GOOS=windows CGO_ENABLED=0 $(GO) vet -tags headless ./ ./ui/handover $(filter-out ./bench/...,$(PURE))
	for system in windows/amd64 darwin/arm64 darwin/amd64 linux/arm64; do \
		GOOS=$${system%/*} GOARCH=$${system#*/} CGO_ENABLED=0 $(GO) build -tags headless -o build/cross/$$system/ . || exit 1; done

# Fast ones first; at the end a line says what was skipped.
test: deps-test test-packages lint test-tagless test-race test-window
	@$(GO) run ./internal/gotest

.PHONY: deps-test
deps-test:
	@sh tools/install.sh test
	@rm -f build/skipped

# A machine that others keep busy takes long for the largest packages. Lint vets all of them, so that tests need not.
GOTEST := $(GO) run ./internal/gotest $(GO) test -vet=off -timeout 40m

# What takes longest comes first, so that no processor waits for it at the end. SCREEN has Fyne's own driver, without a screen.
test-packages:
	CGO_ENABLED=0 $(GO) vet -tags headless .
	CGO_ENABLED=0 $(GOTEST) -tags headless,ci ./ui/window ./decoders/udm ./internal/memory . $(SCREEN) $(PURE)

# As anyone would type it. Fyne's test driver is the same without tags, so that tests would show what they do with them.
test-tagless:
	$(GO) build -o build/cutaway-tagless .

# Packages that have a goroutine, in the program or in a test; those of decoders hold all formats against each other. Tests of
# one goroutine that would take minutes with the race detector are left out.
GOROUTINES := $(shell grep -rlE '\bgo func|[.]Go.func' --include='*.go' model source decoders | xargs -n1 dirname | sort -u | sed 's,^,./,')
SERIAL := ^(TestThemes|TestSmallWindow|TestInspectorLooks|TestBytesEqualsNaive|TestMutations|TestHashesTellWhatNodesTell|TestMeasuresLikeNodes|TestOthers|TestMemoryLimit|TestSame[A-Z].*|Test.*AreLevel|TestEscapeLeaves|TestTabGoesForward|TestNoKeyBehindDialogs)$$
test-race:
	$(GOTEST) -race -short -tags ci -skip '$(SERIAL)' ./ui/window $(SCREEN) $(GOROUTINES)

# The real window under Xvfb, driven by xdotool; screenshots stay in build/.
test-window: $(BIN) $(DIALOG) package
	$(GOTEST) -tags e2e -count=1 ./e2e/...

# Pictures of every pane, dialog, menu, empty and error state of the real window, in build/pictures with an index.html:
# both themes and those of high contrast, scales 1 and 2, 640×480 to 2,560×1,440. LOOK is a part of a look's name;
# LOOK=docs makes those of the pages, in docs/pictures.
.PHONY: pictures
pictures: $(BIN) $(DIALOG)
	@sh tools/install.sh test
	CUTAWAY_PICTURES=$(or $(LOOK),all) $(GO) test -tags e2e -count=1 -timeout 2h -run 'TestPictures$$' ./e2e

# Rewrites the golden transcripts and pictures.
golden:
	CGO_ENABLED=0 $(GO) test -tags ci $(shell grep -rlE 'decodertest\.(Golden|Region)|"update"' --include='*_test.go' . | xargs -n1 dirname | sort -u) -update

# Every fuzz target for TIME each (its workers' time by the clock). What makes one fail stays in testdata/fuzz of its package.
TIME := 10m
.PHONY: fuzz
fuzz:
	@for dir in $$(grep -rl '^func Fuzz' --include='*_test.go' . | xargs -n1 dirname | sort -u); do \
		for target in $$(cat $$dir/*_test.go | sed -n 's/^func \(Fuzz[A-Za-z0-9]*\)(.*/\1/p'); do \
			echo "== $$dir $$target"; \
			CGO_ENABLED=0 $(GO) test -tags headless -run '^$$' -fuzz "^$$target\$$" -fuzztime $(TIME) -fuzzminimizetime 2s $$dir || exit 1; \
		done; done

# 25 times the mutations of make test, of all formats; CUTAWAY_MUTATE=all tries every one, which takes hours.
mutate:
	CUTAWAY_MUTATE=$(or $(CUTAWAY_MUTATE),25) $(GO) test -timeout 6h -run Mutat ./decoders/...

# Ends every pass over every small file of testdata at one read after the other; make test takes five files a format.
ended:
	CUTAWAY_ENDED=all CGO_ENABLED=0 $(GO) test -tags headless,ci -timeout 2h -run 'TestEnded$$' ./decoders

# Reads files of many formats by the gallery's descriptions, and holds every field against Kaitai Struct's own reading.
KSYDIFF := build/ksydiff
ksydiff:
	@mkdir -p $(KSYDIFF)
	npm install --silent --prefix $(KSYDIFF) --no-save kaitai-struct-compiler@0.11.0 kaitai-struct@0.11.0 js-yaml@5
	[ -d $(KSYDIFF)/venv ] || python3 -m venv $(KSYDIFF)/venv
	$(KSYDIFF)/venv/bin/pip install --quiet --requirement internal/ksydiff/requirements.txt
	$(KSYDIFF)/venv/bin/python internal/ksydiff/collect.py $(KSYDIFF)/files
	CGO_ENABLED=0 $(GO) test -tags headless -count=1 -v ./internal/ksydiff -args -page ../../docs/kaitai.md

# The verdicts on 5,000 changed crates, 1,000 layers and 1,000 recordings beside those of usd-core and pyvrs, and how changes of
# UDM, Odin and live layers are seen, by two seeds; and those on the matrix of text, into docs/robustness.md.
verdicts:
	CUTAWAY_VERDICTS=all $(GO) run ./internal/gotest $(GO) test -count=1 -timeout 3h -run 'TestMatrix|TestVerdicts|TestSeen' ./internal/verdicts
	@$(GO) run ./internal/gotest

# What usd-core, LightUSD and the openusd crate say of the layers of testdata/ledger, into docs/usd-standard.md. A reader that
# is not here is skipped, and counted; the crate is built by cargo.
ledger:
	@rm -f build/skipped
	CUTAWAY_LEDGER=all $(GO) run ./internal/gotest $(GO) test -count=1 ./internal/ledger -update
	@$(GO) run ./internal/gotest

# The process's peak of memory over large and hostile files of every format, into docs/robustness.md.
memory:
	CUTAWAY_MEMORY=all CGO_ENABLED=0 $(GO) test -tags headless -count=1 -timeout 2h -v ./internal/memory

# Random clicks, keys, drags, opens, closes and resizes over all files, damaged, far and changing ones, for TIME from seed SEED
# on; what was done is in build/monkey.log.
SEED := 1
.PHONY: monkey tasks
monkey:
	@mkdir -p build
	FYNE_CACHE=5s CUTAWAY_MONKEY=$(TIME) CUTAWAY_SEED=$(SEED) CUTAWAY_MONKEY_LOG=$(CURDIR)/build/monkey.log CGO_ENABLED=0 \
		$(GO) test -tags ci -count=1 -timeout 24h -run 'TestMonkeyOfFiles|TestOpensAndCloses' -v ./ui

# Every task of docs/tasks.md by mouse and by keyboard in the real window; writes its table.
tasks: $(BIN) $(DIALOG)
	CUTAWAY_TASKS=all $(GO) test -tags e2e -count=1 -timeout 30m -run TestTasks -v ./e2e -args -update

bench: $(BIN) build/emptywindow
	$(GO) test -tags ci -run '^$$' -bench . -benchmem ./source/... ./hexview/... ./ui/...
	$(GO) test -run '^$$' -bench . -benchtime 1x -timeout 60m ./bench/...
	$(GO) test -tags e2e -run '^$$' -bench . -benchtime 1x -timeout 20m ./e2e

# Whole processes beside those of peers, in pairs, into docs/performance.md: on an idle machine a quarter of an hour. Peers
# come from their registries into build/peers; one that cannot be had is skipped, and counted. CUTAWAY_PAIRS=N: so many pairs;
# CUTAWAY_ONLY='PATTERN': only jobs like "vrs: all fields", and the page stays; CUTAWAY_KEEP=1: their files (6 GB) stay.
.PHONY: bench-peers
bench-peers: $(HEADLESS) $(BIN) build/emptywindow
	@rm -f build/skipped
	CUTAWAY_PEERS=all $(GO) run ./internal/gotest $(GO) test -count=1 -v -timeout 2h -run TestPeers ./bench
	@$(GO) run ./internal/gotest

# What the window's start and memory are compared with.
build/emptywindow: e2e/emptywindow/main.go go.mod
	@mkdir -p build
	$(GO) build -tags e2e,$(TAGS) -trimpath -ldflags='-s -w' -o $@ ./e2e/emptywindow

# The linter is built from the module proxy, by tools/go.mod: a minute and a half on two cores, once; after that Go's
# build cache has it.
LINT := build/tools/golangci-lint
$(LINT): tools/go.mod tools/go.sum
	@mkdir -p $(@D)
	cd tools && $(GO) build -o ../$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

lint: $(LINT)
	$(LINT) run --allow-parallel-runners ./...

clean:
	rm -rf build
