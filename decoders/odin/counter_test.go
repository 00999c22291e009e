package odin

import (
	"context"
	"strings"
	"testing"

	"cutaway/model"
	"cutaway/model/search"
)

// TestCounter: what VRChat's log says of an exception leads to the instruction, in the listing by a number alone too.
func TestCounter(t *testing.T) {
	doc := openDoc(t, corpusFile(t, "udon-program-large.odin.bin"))
	const log = "An exception occurred during EXTERN to 'UnityEngineCamera.__Render__SystemVoid'. Program Counter was at: "
	for text, want := range map[string]string{
		"pc 168": "0x00a8", "PC=0xA8": "0x00a8", log + "168": "0x00a8", log + "172  Stack Dump: 0xb0": "0x00a8", log + "0": "0x0000",
		"pc": "", "pc 5104": "", "pc 99999999999": "", "program counter": "", "168": "", "spc 168": "",
	} {
		p := search.Near(t.Context(), doc, nil, text)
		if want == "" && p != nil || want != "" && (p == nil || p.Path() != "udon/program/code/"+want) {
			t.Errorf("%q leads to %v, not %q", text, p, want)
		}
	}
	p, err := doc.Lookup(t.Context(), "udon/program/code")
	if err != nil {
		t.Fatal(err)
	}
	card := p.Node.Cards(t.Context())[0].(model.Listing)
	for text, want := range map[string]string{"168": "0x00a8", " 0xa8 ": "0x00a8", log + "168": "0x00a8", "5104": "", "loc": "", "": ""} {
		got := ""
		if i, ok := card.LineAt(text); ok {
			got = lineOf(t.Context(), card, i).Text[:6]
		}
		if got != want {
			t.Errorf("%q is line %q, not %q", text, got, want)
		}
	}
}

// lineOf reads line i of a listing.
func lineOf(ctx context.Context, card model.Listing, i int64) model.Line {
	line := make([]model.Line, 1)
	_, _ = card.Read(ctx, i, line)
	return line[0]
}

// TestListing: the tokens of all lines are in order within their texts and name nodes that exist; labels are where jumps lead, and
// the uses of a line name what it names.
func TestListing(t *testing.T) {
	for _, name := range []string{"udon-program-large.odin.bin", "udon-program-synced.odin.bin.gz", "udon-doc-example.odin.json", "udon-coredump.odin.bin"} {
		doc := openDoc(t, corpusFile(t, name))
		path, _ := doc.Views[0].Shows(t.Context(), doc.Views[0].Place(t.Context()))
		p, err := doc.Lookup(t.Context(), path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		card := p.Node.Cards(t.Context())[0].(model.Listing)
		n, _ := card.Lines()
		jumps := map[int64]int{}
		for i := range n {
			line := lineOf(t.Context(), card, i)
			at, names := 0, map[string]bool{}
			for _, k := range line.Tokens {
				if k.From < at || k.To < k.From || k.To > len(line.Text) {
					t.Errorf("%s, %q: token %+v", name, line.Text, k)
				}
				at = k.To
				if _, err := doc.Lookup(t.Context(), k.Path); k.Path != "" && err != nil {
					t.Errorf("%s, %q: %v", name, line.Text, err)
				}
				names[k.Path] = true
			}
			for _, k := range card.Uses(i)[:min(len(card.Uses(i)), 3)] {
				if other := lineOf(t.Context(), card, k); !sharesPath(other, names) && (line.Target >= 0 || !strings.HasSuffix(other.Text, "return")) {
					t.Errorf("%s: %q and %q name other things", name, line.Text, other.Text)
				}
			}
			if line.Target >= 0 {
				jumps[line.Target]++
			}
		}
		for _, l := range card.Labels() {
			if jumps[l.Line] -= len(l.From); jumps[l.Line] == 0 {
				delete(jumps, l.Line)
			}
			for _, from := range l.From {
				if lineOf(t.Context(), card, from).Target != l.Line {
					t.Errorf("%s: line %d does not jump to %s", name, from, l.Name)
				}
			}
		}
		if len(jumps) > 0 || len(card.Labels()) == 0 {
			t.Errorf("%s: %d labels, without one: %v", name, len(card.Labels()), jumps)
		}
	}
}

// sharesPath reports whether a line names one of the nodes.
func sharesPath(line model.Line, names map[string]bool) bool {
	for _, k := range line.Tokens {
		if k.Path != "" && names[k.Path] {
			return true
		}
	}
	return false
}
