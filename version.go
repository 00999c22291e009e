package main

import (
	_ "embed"
	"runtime/debug"
	"strings"
)

// metadata is where the version is, for us and for the fyne tool.
//
//go:embed FyneApp.toml
var metadata string

// commit is what the program was built from; make sets it.
var commit string

// version is the program's version, and in brackets the commit it was built from, where that is known.
func version() string {
	built := commit
	if info, ok := debug.ReadBuildInfo(); built == "" && ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				built = s.Value[:min(len(s.Value), 12)]
			}
		}
	}
	v := number(metadata)
	if built != "" {
		v += " (" + built + ")"
	}
	return v
}

// number is the version in the text of a FyneApp.toml.
func number(metadata string) string {
	for line := range strings.Lines(metadata) {
		if key, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(key) == "Version" {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}
