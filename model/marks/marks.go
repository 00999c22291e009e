// Package marks keeps a user's bookmarks and notes on nodes, ranges and files in a folder of the user, never in the
// files. It identifies a file by its size and some of its bytes, wherever it is, or if these have changed by its path.
package marks

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"cutaway/internal/natural"
	"cutaway/model"
)

// A Mark is a bookmark, with or without a note, on a node, a range of bytes or a whole file.
type Mark struct {
	ID     string    `json:"id"`
	Path   string    `json:"path"`   // of the node; "" where there is none
	Source string    `json:"source"` // of the range; "" where there is none
	Offset int64     `json:"offset"`
	Length int64     `json:"length"`
	Text   string    `json:"text"`
	Colour string    `json:"colour"` // one of Colours
	Type   string    `json:"type"`   // what the range holds (ParseType); "" where that is not said
	Made   time.Time `json:"made"`
}

// Colours are the colours of marks, the default first.
var Colours = []string{"yellow", "red", "green", "blue", "purple", "grey"}

// Title returns a few words that name a mark.
func (m *Mark) Title() string {
	first, _, _ := strings.Cut(m.Text, "\n")
	switch {
	case first != "":
		return first
	case m.Path != "":
		return m.Path
	case m.Source != "":
		return fmt.Sprintf("%#x", m.Offset)
	}
	return "the file"
}

// Check returns the fault of a mark, or nil.
func (m *Mark) Check() error {
	if !slices.Contains(Colours, m.Colour) {
		return fmt.Errorf("there is no colour %q; there are %s", m.Colour, strings.Join(Colours, ", "))
	}
	if m.Offset < 0 || m.Length < 0 {
		return fmt.Errorf("a mark cannot be on %d bytes at %d", m.Length, m.Offset)
	}
	if m.Type == "" {
		return nil
	}
	_, err := ParseType(m.Type)
	return err
}

// Fits returns an error if the type of a mark takes more bytes than its range has.
func (m *Mark) Fits() error {
	if m.Type == "" {
		return nil
	}
	t, err := ParseType(m.Type)
	if err != nil || t.Size() <= m.Length {
		return err
	}
	return fmt.Errorf("%s takes %s, and %s marked", m.Type, model.GroupedCount(t.Size(), "byte"), verbFor(m.Length))
}

func verbFor(n int64) string {
	if n == 1 {
		return "one is"
	}
	return model.Grouped(n) + " are"
}

// Span returns the range of a mark in a document. ok is false if it has none, or the document lacks it.
func (m *Mark) Span(ctx context.Context, d *model.Document) (s model.Span, ok bool) {
	if m.Source == "" {
		return s, false
	}
	src, err := d.SourceByName(ctx, m.Source)
	if err != nil || !src.Holds(m.Offset, m.Length) {
		return s, false
	}
	return src.Span(m.Offset, m.Length), true
}

// notThere replaces the value of a mark whose node or range the document lacks.
const notThere = "not in the file any more"

// Holds returns the value of a mark's range by its type. Without a type it returns the value of the node or the bytes,
// which may be nil. typ names its type; gone is not "" if the document has no such node or range.
func (m *Mark) Holds(ctx context.Context, d *model.Document) (typ string, v model.Value, gone string) {
	if m.Path != "" {
		p, err := d.Lookup(ctx, m.Path)
		switch {
		case err != nil:
			return m.Type, nil, notThere
		case m.Type == "":
			return p.Node.Type, p.Node.Value, ""
		}
	}
	at, ok := m.Span(ctx, d)
	switch {
	case !ok && m.Source == "":
		return m.Type, nil, ""
	case !ok:
		return m.Type, nil, notThere
	case m.Type == "":
		return "", model.Blob{Span: at}, ""
	}
	t, err := ParseType(m.Type)
	if err != nil {
		return m.Type, nil, ""
	}
	return m.Type, t.Value(ctx, at), ""
}

// Identity returns an identifier of a document's content: a hash of the size of each file, and of bytes at its
// beginning, middle and end. Bytes of a patch do not count.
func Identity(ctx context.Context, d *model.Document) (string, error) {
	const part = 1 << 20
	sum := sha256.New()
	for _, src := range d.Sources {
		if r, ok := src.Reader().(interface{ Unpatched() model.Reader }); ok {
			src = model.NewFileSource(src.Title(), r.Unpatched())
		}
		size := src.Size()
		fmt.Fprintln(sum, size)
		last := int64(-1) // the end of the last read
		for _, off := range []int64{0, size/2 - part/2, size - part} {
			from := max(off, last, 0)
			to := min(max(off, 0)+part, size)
			if from >= to {
				continue
			}
			b, err := src.Bytes(ctx, from, to-from)
			if err != nil {
				return "", err
			}
			sum.Write(b)
			last = to
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:32], nil
}

// sorted sorts marks by place.
func sorted(list []Mark) []Mark {
	slices.SortStableFunc(list, func(a, b Mark) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Offset, b.Offset), natural.Compare(a.Path, b.Path), a.Made.Compare(b.Made))
	})
	return list
}
