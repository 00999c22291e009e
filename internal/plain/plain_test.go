package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "lower the ceilings to what there is")

// table has a line for each ceiling: what is counted, of what, how much it may be.
const table = "ceilings.txt"

// What is counted, and how much each may be that the table does not name.
const (
	lines    = "lines"   // of a package
	methods  = "methods" // of a type
	phrasing = "prose"   // phrases and names of a folder
)

var limits = map[string]int{lines: 6000, methods: 60, phrasing: 0}

// steps are those in which ceilings fall: a few lines more that mend something are no larger package.
var steps = map[string]int{lines: 100, methods: 1, phrasing: 1}

// TestCeilings: no package has more than 6,000 lines without tests, no type more than 60 methods, no comment or name the phrases of
// prose.go, but for what ceilings.txt names. With -update its numbers fall to what there is, and never rise.
func TestCeilings(t *testing.T) {
	t.Chdir("../..")
	found := map[string]map[string]int{lines: {}, methods: {}, phrasing: {}}
	var hits []hit
	for _, dir := range []string{"bench", "cli", "decoders", "hexview", "internal", "model", "scan", "source", "ui"} {
		err := eachFile(dir, func(name string, text []byte) {
			hits = append(hits, prose(name, text)...)
			if dir != "hexview" {
				(&sizes{found[lines], found[methods]}).add(name, text)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range hits {
		found[phrasing][h.folder()]++
	}
	ceilings := readCeilings(t)
	for what, of := range found {
		for name, n := range of {
			ceiling, named := ceilings[what][name]
			switch {
			case !named:
				ceiling = limits[what]
			case n < ceiling && *update:
				ceilings[what][name] = min(ceiling, (n+steps[what]-1)/steps[what]*steps[what])
			}
			if n > ceiling {
				t.Errorf("%s of %s: %d, at most %d", what, name, n, ceiling)
			}
		}
	}
	if t.Failed() {
		t.Log("go run ./internal/plain DIR lists phrases")
	}
	if *update {
		writeCeilings(t, ceilings, found)
	}
}

func readCeilings(t *testing.T) map[string]map[string]int {
	text, err := os.ReadFile("internal/plain/" + table)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]int{lines: {}, methods: {}, phrasing: {}}
	for line := range strings.Lines(string(text)) {
		var what, name string
		var n int
		if _, err := fmt.Sscan(line, &what, &name, &n); err != nil || all[what] == nil {
			t.Fatalf("%s: %q", table, line)
		}
		all[what][name] = n
	}
	return all
}

// writeCeilings leaves out what is gone or needs no line.
func writeCeilings(t *testing.T, ceilings, found map[string]map[string]int) {
	var b strings.Builder
	for _, what := range []string{lines, methods, phrasing} {
		for _, name := range slices.Sorted(maps.Keys(ceilings[what])) {
			if n := ceilings[what][name]; n > limits[what] && found[what][name] > 0 {
				fmt.Fprintln(&b, what, name, n)
			}
		}
	}
	if err := os.WriteFile("internal/plain/"+table, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestProse: each phrase and name is found once, and none in what is written plainly.
func TestProse(t *testing.T) {
	const text = `package p

// odd is what others lack; nil: there is none.
func odd() {}

// Len implements Children.
func (x X) Len() int // tells of it

type told struct{}

// lists returns the names, one of them twice, or nil if a caller who asks has none.
// It goes over all of a sentence that has very many words, far more than a reader can keep in mind before the end of
// it, which comes here.
type pair struct {
	a int // the first of two numbers, which come from a file, and precede each other there
	b int // the second of two numbers, which come from a file, and follow each other there
}
`
	var got []string
	for _, h := range prose("a/b.go", []byte(text)) {
		got = append(got, fmt.Sprint(h.line, " ", h.what))
	}
	want := []string{"3 defined by a clause", "3 nil: in place of or nil if", "4 name odd", "6 implements X", "7 tell", "7 of it", "9 type told",
		"11 who looks", "12 go over", "13 sentence of 29 to 40 words"}
	if !slices.Equal(got, want) {
		t.Errorf("found %q\nwant  %q", got, want)
	}
}
