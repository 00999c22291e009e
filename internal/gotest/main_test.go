package main

import (
	"slices"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	const events = `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"A"}
{"Action":"output","Package":"p","Test":"A","Output":"    a_test.go:7: without ../../shared/x: gone\n"}
{"Action":"skip","Package":"p","Test":"A"}
{"Action":"output","Package":"p","Test":"B","Output":"    b_test.go:8: no bash here\n"}
{"Action":"skip","Package":"p","Test":"B"}
{"Action":"output","Package":"p","Test":"C","Output":"    c_test.go:9: wrong\n"}
{"Action":"fail","Package":"p","Test":"C"}
{"Action":"output","Package":"p","Test":"D","Output":"=== RUN D\n"}
{"Action":"pass","Package":"p","Test":"D"}
not JSON
{"Action":"output","Package":"p","Output":"PASS\n"}
{"Action":"output","Package":"p","Test":"E","Output":"panic: in another goroutine\n"}
{"Action":"output","Package":"q","Test":"F","Output":"goes on\n"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t1s\n"}
{"Action":"fail","Package":"p"}
`
	var said strings.Builder
	skipped := report(strings.NewReader(events), &said)
	if want := []string{"p A\t../shared is not here", "p B\tno bash here"}; !slices.Equal(skipped, want) {
		t.Errorf("%q, want %q", skipped, want)
	}
	if want := "    c_test.go:9: wrong\nnot JSON\nFAIL\tp\t1s\npanic: in another goroutine\n"; said.String() != want {
		t.Errorf("said %q, want %q", said.String(), want)
	}
}

// TestSum counts a test once, whichever runs skipped it.
func TestSum(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, run := range [][]string{{"p A\tno bash", "p B\tno links"}, {"p A\tno bash"}, nil} {
		if err := note(run); err != nil {
			t.Fatal(err)
		}
	}
	var said strings.Builder
	if err := sum(&said); err != nil || said.String() != "2 tests skipped (1: no bash; 1: no links)\n" {
		t.Errorf("%q, %v", said.String(), err)
	}
}
