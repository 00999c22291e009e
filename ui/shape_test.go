package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/ui/document"
	"cutaway/ui/kit"
)

// TestShape: a mesh is drawn with its faces; a click on a point tells of it and marks its bytes.
func TestShape(t *testing.T) { synctest.Test(t, testShape) }

func testShape(t *testing.T) {
	b := newBench(t)
	s := b.open(Target{File: "../assets/sample.usdc"})
	s.GoTo("scene/Prototypes/Leg")
	b.at(s, "scene/Prototypes/Leg")
	b.idle()
	k := slices.Index(s.Details.Cards.Titles(), "Shape")
	if k < 0 {
		t.Fatalf("cards %q", s.Details.Cards.Titles())
	}
	s.Details.Choose(document.FixedTabs + k)
	card := s.Details.Cards.Card(k).(*fyne.Container)
	b.until("the shape", func() bool { return strings.Contains(words(card), "84 points, 60 faces") })
	var table fyne.CanvasObject
	for _, o := range card.Objects {
		if _, ok := o.(fyne.Draggable); ok {
			table = o
		}
	}
	size := table.Size()
	for y := float32(0); y < size.Height && !strings.Contains(words(card), "]   ("); y += 6 {
		test.TapAt(table.(fyne.Tappable), fyne.NewPos(size.Width/2, y))
		b.idle()
	}
	if !strings.Contains(words(card), "]   (") {
		t.Fatalf("no point of the leg is in the middle: %q", words(card))
	}
	if _, n := s.Hex.Shown.View.Selection(); n != 12 {
		t.Errorf("%d bytes of the point are marked", n)
	}
}

// TestFollowIndex: a number that the format says is of another array leads there from the table, and the details name the array.
func TestFollowIndex(t *testing.T) { synctest.Test(t, testFollowIndex) }

func testFollowIndex(t *testing.T) {
	b := newBench(t)
	s := b.open(Target{File: "../assets/sample.usdc"})
	const mesh = "scene/Prototypes/Leg/"
	s.GoTo(mesh + ".faceVertexIndices/default")
	b.at(s, mesh+".faceVertexIndices/default")
	b.idle()
	b.until("where the numbers lead", func() bool { return linkOf(s.Details.Rows, mesh+".points/default") })
	k := slices.Index(s.Details.Cards.Titles(), "Values")
	s.Details.Choose(document.FixedTabs + k)
	card := s.Details.Cards.Card(k)
	b.until("the hint", func() bool {
		return strings.Contains(words(card), "Enter goes to the element of "+mesh+".points/default")
	})
	listOf(card).OnChosen(int64(1))
	p, err := s.Doc.Lookup(t.Context(), mesh+".faceVertexIndices/default/[1]")
	if err != nil {
		t.Fatal(err)
	}
	b.at(s, mesh+".points/default/["+fmt.Sprint(p.Node.Value)+"]")
}

// linkOf reports whether there is a link of a text.
func linkOf(o fyne.CanvasObject, text string) bool {
	switch o := o.(type) {
	case *fyne.Container:
		return slices.ContainsFunc(o.Objects, func(c fyne.CanvasObject) bool { return linkOf(c, text) })
	case *kit.Link:
		return o.Text.Text == text
	}
	return false
}
