package export

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"cutaway/model"
	"cutaway/model/export/exporttest"
)

func TestTree(t *testing.T) {
	var b bytes.Buffer
	out := NewTree(ctx, &b, TextOptions{Value: 20})
	out.Head()
	if err := model.Walk(ctx, exporttest.Sample(model.Malformed).View("layout").Place(t.Context()), everything, out.Write); err != nil {
		t.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	want := `
name                                     value                type                       offset        size
layout                                                        file                          0x0          40
  header                                                      Header                        0x0           8
    magic                                00 01 02 03          bytes                         0x0           4
    flags                                                     u8                            0x4           1
      low                                4                    bits                          0x4      4 bits
      high                               0                    bits                          0x4      4 bits
    count                                3                    u24                           0x5           3
      ✗ error: the count is odd (expected an even number, found 3)  [fake.malformed]
  points                                 4: [0, 100…200, 300] int[]                         0x8          16
  pac/ked                                                     block                        0x18           8
    @inflated                                                 records                      @0x0          20
      a                                                       record                       @0x0          12
      b                                  two\nlines           record                       @0xc           8
  padding                                                                                  0x20           4
  unknown                                                                                  0x24           4
`
	if got := "\n" + b.String(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if out.Tally() != (Tally{Errors: 1}) {
		t.Errorf("tally %+v", out.Tally())
	}
}

func TestTreeColours(t *testing.T) {
	var plain, coloured bytes.Buffer
	for b, style := range map[*bytes.Buffer]Style{&plain: {}, &coloured: {Colour: true}} {
		out := NewTree(ctx, b, TextOptions{Style: style})
		if err := model.Walk(ctx, exporttest.Sample(model.Malformed).View("layout").Place(t.Context()), everything, out.Write); err != nil {
			t.Fatal(err)
		}
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(plain.String(), "\x1b") || !strings.Contains(coloured.String(), "\x1b[31m") {
		t.Errorf("plain %q\ncoloured %q", plain.String(), coloured.String())
	}
}

// A name, text or value can't break the lines of the tree.
func TestTreeKeepsLines(t *testing.T) {
	node := model.Node{Name: "a\nb", Type: "t\x1b[31m", Value: model.Text("x\ny\xff"), Problems: []model.Problem{
		{Rule: "r", Message: "one\ntwo"},
	}}
	var b bytes.Buffer
	out := NewTree(ctx, &b, TextOptions{})
	v := model.View{Name: "layout", Root: func(context.Context) model.Node { return node }}
	if err := out.Write(v.Place(t.Context())); err != nil {
		t.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	if strings.Count(b.String(), "\n") != 2 || strings.Contains(b.String(), "\x1b") {
		t.Errorf("got %q", b.String())
	}
}

func TestElide(t *testing.T) {
	for _, test := range []struct {
		s     string
		width int
		want  string
	}{
		{"short", 5, "short"}, {"longer", 5, "lo…er"}, {"äöüß", 4, "äöüß"}, {"äöüßé", 4, "äö…é"},
	} {
		if got := Elide(test.s, test.width); got != test.want {
			t.Errorf("Elide(%q, %d) = %q, want %q", test.s, test.width, got, test.want)
		}
	}
}

func TestText(t *testing.T) {
	place := func(n model.Node) *model.Place {
		v := model.View{Name: "scene", Root: func(context.Context) model.Node { return n }}
		return v.Place(t.Context())
	}
	tests := []struct {
		name string
		node model.Node
		want string
	}{
		{"the text of a value", model.Node{Name: "doc", Value: model.Text("line 1\nline 2")}, "line 1\nline 2\n"},
		{"words", model.Node{Name: "doc", Cards: func(context.Context) []model.Card { return []model.Card{words("in other words\n")} }}, "in other words\n"},
		{"a listing", model.Node{Name: "code", Cards: func(context.Context) []model.Card { return []model.Card{program(5000)} }}, strings.Repeat("NOP\n", 5000)},
	}
	for _, test := range tests {
		var b bytes.Buffer
		if _, err := Text(ctx, &b, &Request{Depth: -1}, place(test.node)); err != nil {
			t.Fatal(err)
		}
		if b.String() != test.want {
			t.Errorf("%s: got %q", test.name, Elide(b.String(), 200))
		}
	}
	var b bytes.Buffer
	tally, err := Text(ctx, &b, &Request{Depth: -1}, exporttest.Sample(model.Malformed).View("layout").Place(t.Context()))
	if err != nil || tally.Errors != 1 || strings.Count(b.String(), "\n") != 15 {
		t.Errorf("%v, %+v:\n%s", err, tally, b.String())
	}
}
