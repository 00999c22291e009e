package main

import (
	"regexp"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	if n := number("[Details]\nName = \"x\"\nVersion = \"2.10.3\"\nBuild = 4\n"); n != "2.10.3" {
		t.Errorf("found %q", n)
	}
	if v := version(); !regexp.MustCompile(`^\d+\.\d+\.\d+( \([0-9a-f]+\))?$`).MatchString(v) {
		t.Errorf("the program's version is %q", v)
	}
	defer func(was string) { commit = was }(commit)
	commit = "0123abc"
	if v := version(); !strings.HasSuffix(v, " (0123abc)") {
		t.Errorf("%q does not say what it was built from", v)
	}
}
