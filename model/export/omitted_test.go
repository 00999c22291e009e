package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/model"
)

var errTorn = errors.New("the tape is torn")

// notation is a card of words, with a title, that lacks something.
type notation struct {
	model.CardBase
	lost, reduced string // paths
}

func (n notation) WriteText(_ context.Context, w io.Writer, omitted *model.Omissions) error {
	if n.lost != "" {
		omitted.Lose(n.lost, "no word for it")
	}
	if n.reduced != "" {
		omitted.Reduce(n.reduced, "four decimals")
	}
	_, err := io.WriteString(w, "words")
	return err
}

// reducedPicture and reducedSound lack something; torn ones cannot be read.
type (
	reducedPicture struct {
		gray
		torn bool
	}
	reducedSound struct {
		tone
		torn bool
	}
)

func (reducedPicture) Reduced() string { return "low bits" }
func (p reducedPicture) Decode(ctx context.Context) (image.Image, error) {
	if p.torn {
		return nil, errTorn
	}
	return p.gray.Decode(ctx)
}

func (reducedSound) Reduced() string { return "low bits" }
func (reducedSound) Rate() float64   { return 44100.5 }
func (s reducedSound) Read(ctx context.Context, first int64, dst [][]float32) (int, error) {
	if s.torn {
		return 0, errTorn
	}
	return s.tone.Read(ctx, first, dst)
}

// reel is a media of four items, the second of which cannot be read, and the third has no bytes.
type reel struct {
	model.CardBase
	coding string
	src    *model.Source
}

func (r reel) Coding() string     { return r.coding }
func (reel) Items() int64         { return 4 }
func (reel) Time(i int64) float64 { return float64(i) }
func (reel) Sound(context.Context, int64, int64, model.Progress) (model.Sound, error) {
	return nil, errTorn
}
func (r reel) Item(_ context.Context, i int64) (item model.MediaItem, err error) {
	item.Name = fmt.Sprint(i)
	switch i {
	case 1:
		return item, errTorn
	case 0, 3:
		item.Stored = r.src.Span(i, 1)
	}
	return item, nil
}
func (r reel) Pictures(ctx context.Context, first, end int64, give func(int64, image.Image, error) error) error {
	for i := first; i < end; i++ {
		item, why := r.Item(ctx, i)
		if why == nil && item.Stored.Source == nil {
			continue
		}
		img, _ := gray{}.Decode(ctx)
		if err := give(i, img, why); err != nil {
			return err
		}
	}
	return nil
}
func (reel) Stream(_ context.Context, w io.Writer, _, _ int64, _ model.Progress) error {
	_, err := io.WriteString(w, "stream")
	return err
}

// copierCard copies as vrs, and lacks something.
type copierCard struct {
	model.CardBase
	lost, reduced string
}

func (copierCard) Format() string              { return "own copy" }
func (copierCard) Span() (first, last float64) { return 0, 1 }
func (c copierCard) Copy(ctx context.Context, w io.Writer, omitted *model.Omissions, _ []*model.Place, _, _ float64, _ model.Progress) error {
	return notation{lost: c.lost, reduced: c.reduced}.WriteText(ctx, w, omitted)
}

// unreadableSource fails from the fifth byte on.
type unreadableSource struct{ model.BytesReader }

func (u unreadableSource) ReadAt(ctx context.Context, b []byte, off int64) (int, error) {
	if off+int64(len(b)) > 4 {
		return 0, errTorn
	}
	return u.BytesReader.ReadAt(ctx, b, off)
}

// account is what one export must say: of what is lost the beginning of a line, or that it fails; of what is reduced likewise.
type account struct {
	node          model.Node
	request       Request
	lost, reduced string
	fails         string
}

// accounts has for every form what it can lose, or that it fails instead, and what it reduces. Forms that give bytes or numbers as they
// are have nothing to reduce but what is chosen.
func accounts() map[string][]account {
	titled := func(title string, c func(model.CardBase) model.Card) model.Node {
		return card(c(model.CardBase{Title: title}))
	}
	words := func(title, lost, reduced string) model.Node {
		return titled(title, func(b model.CardBase) model.Card { return notation{b, lost, reduced} })
	}
	var deep model.Value = model.Int(1)
	for range maxNesting + 2 {
		deep = model.Seq{deep}
	}
	long := model.Node{Name: "x", Value: numbers(FirstElements+1, -1)}
	torn := model.Node{Name: "x", Value: numbers(9, 5)}
	below := model.Node{Name: "x", Children: model.NewList(model.Node{Name: "y", Children: model.NewList(model.Node{Name: "z"})})}
	bytes := model.NewFileSource("torn", unreadableSource{model.BytesReader("0123456789")})
	blob := model.Node{Name: "x", Value: model.Blob{Span: bytes.Whole()}, Spans: []model.Span{bytes.Whole()}}
	limited := model.Node{Name: "x", Value: numbers(2, -1), Spans: []model.Span{bytesSource(make([]byte, 8)).Whole()}, Problems: []model.Problem{model.Problemf(model.Limit, "x.limit", model.Span{}, "only the first are listed")}}
	nested := []account{
		{node: limited, lost: "scene: only the first are listed"},
		{node: torn, lost: "scene: cannot all be read"},
		{node: blob, lost: "scene: cannot all be read"},
		{node: seqOf(deep), lost: "scene: what is nested in more than 64 levels"},
		{node: long, reduced: "scene: only the first 64 elements"},
		{node: model.Node{Name: "x", Value: model.Seq{model.Seq(make([]model.Value, FirstElements+1))}}, reduced: "scene: only the first 64 elements"},
		{node: long, request: Request{Whole: true}},
		{node: manyElements(), reduced: "scene: only the first 64 elements"},
		{node: manyElements(), request: Request{Elements: true, Depth: -1}},
		{node: below, request: Request{Depth: 1}, reduced: "scene/y: nothing below it"},
		{node: below, request: Request{Depth: 2}},
		{node: below, reduced: "scene: nothing below it"},
		{node: model.Node{Value: model.Object{{Key: "\xff", Value: model.Int(1)}}}, reduced: "scene: bytes that are not UTF-8"},
	}
	rows := []account{
		{node: limited, lost: "scene: only the first are listed"},
		{node: torn, fails: "element 5 is bad"},
		{node: model.Node{Name: "x", Value: numbers(9, -1)}, request: Request{Rows: "2:4"}, reduced: "scene: only the rows that were chosen"},
		{node: model.Node{Name: "x", Value: numbers(9, -1)}, request: Request{Rows: "0:9"}},
		{node: card(ramp(9)), request: Request{Times: Times{From: "+5"}}, reduced: "scene: only what lies within the times"},
		{node: card(ramp(9))},
	}
	symbols := seqOf(model.Symbol{Number: 1, Name: "one"}, model.Symbol{Number: 2, Name: "two"})
	anything := seqOf(model.Object{{Key: "a", Value: model.Int(1)}})
	film := func(coding string) model.Node {
		return titled("reel", func(b model.CardBase) model.Card { return reel{b, coding, bytesSource([]byte("0123"))} })
	}
	from := Request{Times: Times{From: "3"}}
	joined := func(coding string) []account {
		return []account{{node: film(coding)}, {node: film(coding), request: from, reduced: "scene: only what lies within the times"}}
	}
	return map[string][]account{
		"json": nested, "yaml": nested,
		"csv": rows,
		"npy": append([]account{
			{node: card(mixed{}), reduced: "scene: column gap: a cell without a value"},
			{node: seqOf(model.Text("\xff")), reduced: "scene: column value: bytes that are not UTF-8"},
			{node: seqOf(model.Text("a\x00")), reduced: "scene: column value: a text ends before its last NUL"},
			{node: symbols},
		}, rows...),
		"parquet": append([]account{{node: seqOf(model.Float32(1), nil, model.Float32(2))}, {node: symbols}}, rows...),
		"text": {
			{node: limited, lost: "scene: only the first are listed"}, {node: torn, lost: "scene: cannot all be read", reduced: "scene: shortened"},
			{node: words("words", "a/b", ""), lost: "scene/a/b: no word for it"},
			{node: words("words", "/World", ""), lost: "/World: no word for it"},
			{node: words("words", "", "a"), reduced: "scene/a: four decimals"},
			{node: model.Node{Name: "x", Children: model.NewList(model.Node{Name: "y", Value: model.Text(strings.Repeat("long ", 20))})}, request: Request{Depth: -1}, reduced: "scene/y: shortened"},
			{node: model.Node{Name: "x", Value: numbers(99, -1)}, reduced: "scene: shortened"},
			{node: model.Node{Name: "x", Value: numbers(2, -1)}},
			{node: below, request: Request{Depth: 1}, reduced: "scene/y: nothing below it"},
		},
		"raw": {{node: blob, fails: "torn"}, {node: limited}},
		"decoded": {
			{node: cutBlock(), lost: "scene@inflated: the block ends early"},
			{node: blob, fails: "torn"}, {node: torn, fails: "element 5 is bad"},
			{node: model.Node{Name: "x", Value: &model.Elements{Type: "u8", Count: 1, Make: func(context.Context, int64) (model.Value, error) { return model.Uint(300), nil }}}, fails: "cannot be written as bytes of type u8"},
			{node: arrayOfValues("", model.Text("a"), model.Text("b")), reduced: "scene: texts that follow one another"},
			{node: arrayOfValues("", model.Symbol{Number: 1, Name: "one"}), reduced: "scene: numbers without their names"},
		},
		"c":      {{node: limited, lost: "scene: only the first are listed"}, {node: torn, fails: "element 5 is bad"}, {node: anything, fails: "neither a number nor text"}, {node: model.Node{Name: "x", Value: numbers(0, -1)}, reduced: "scene: C has no arrays of length 0"}, {node: symbols}},
		"go":     {{node: torn, fails: "element 5 is bad"}, {node: anything, fails: "neither a number nor text"}, {node: model.Node{Name: "x", Value: numbers(0, -1)}}, {node: symbols}},
		"python": {{node: torn, fails: "element 5 is bad"}, {node: symbols, reduced: "scene: numbers without their names"}, {node: anything}},
		"png": {
			{node: card(reducedPicture{torn: true}), fails: "torn"}, {node: card(reducedPicture{}), reduced: "scene: low bits"}, {node: card(gray{})},
			{node: film("raw"), lost: "scene: the tape is torn", reduced: "scene: 1 item without data"},
		},
		"jpg": {{node: film("jpg"), lost: "scene: the tape is torn", reduced: "scene: 1 item without data"}, {node: film("jpg"), request: from, reduced: "scene: only what lies within the times"}},
		"wav": {
			{node: card(reducedSound{tone: 9, torn: true}), fails: "torn"}, {node: card(tone(9))},
			{node: card(reducedSound{tone: 9}), reduced: "scene: low bits"}, {node: card(reducedSound{tone: 9}), reduced: "scene: 44100.5 frames a second are 44101"},
		},
		"h264": joined("H.264"), "h265": joined("H.265"), "opus": joined("opus"),
		"html": {
			{node: model.Node{Spans: []model.Span{bytes.Whole()}}, lost: "the SHA-256 of torn: "},
			{node: blob, lost: "the bytes at 0x0 of file: "},
			{node: model.Node{}, request: Request{Quick: true}, reduced: "only what is known without"},
			{node: model.Node{Name: "x", Value: model.Text(strings.Repeat("x", 3*maxShown))}, reduced: "only the beginnings of texts"},
			{node: model.Node{Name: "x", Spans: make([]model.Span, maxSpans+1)}, reduced: "only 10 of 11 ranges"},
		},
		"own text": {
			{node: words("as written", "/World", ""), lost: "/World: no word for it"}, {node: words("as written", "", "/World"), reduced: "/World: four decimals"},
			{node: words("as written", "a", ""), lost: "scene/a: no word for it"}, {node: words("as written", "", ""), lost: ""},
			{node: words("as written", "", "a"), reduced: "scene/a: four decimals"},
		},
		"own copy": {
			{node: card(copierCard{lost: "layout/records/cut record"}), lost: "layout/records/cut record: no word for it"},
			{node: card(copierCard{reduced: "streams/1-1"}), reduced: "streams/1-1: four decimals"},
		},
		"clip": {
			{node: card(copierCard{lost: "layout/records/cut record"}), lost: "layout/records/cut record: no word for it"},
			{node: card(copierCard{reduced: "streams/1-1"}), reduced: "streams/1-1: four decimals"},
		},
	}
}

// cutBlock has bytes of which the beginning alone can be inflated.
func cutBlock() model.Node {
	src := bytesSource([]byte("packed"))
	return model.Node{Name: "x", Spans: []model.Span{src.Whole()}, Derived: []*model.Derivation{{Name: "inflated", Open: func(context.Context) (*model.Source, model.Node, error) {
		d := model.Derive("scene", "inflated", "packed", model.BytesReader("pac"), model.Origin{Parent: src, Spans: []model.Span{src.Whole()}})
		return d, model.Node{Name: "inflated", Problems: []model.Problem{model.Problemf(model.Malformed, "x.cut", src.Whole(), "the block ends early")}}, nil
	}}}}
}

// manyElements is a long array whose elements are nodes too.
func manyElements() model.Node {
	n := int64(FirstElements + 1)
	return model.Node{Name: "x", Elements: true, Value: numbers(n, -1), Children: &model.Rows{Count: n, Make: func(_ context.Context, i int64) model.Node {
		return model.Node{Name: model.IndexName(i), Value: model.Int(i)}
	}}}
}

func arrayOfValues(elem string, vs ...model.Value) model.Node {
	return model.Node{Name: "x", Value: &model.Elements{Type: elem, Count: int64(len(vs)), Make: func(_ context.Context, i int64) (model.Value, error) { return vs[i], nil }}}
}

// TestAccounts: every form says what it loses and what it reduces, or fails, and says nothing where all is written.
func TestAccounts(t *testing.T) {
	all := accounts()
	for _, f := range FormsOf([]*model.Format{{Forms: []model.OwnForm{{Name: "own text", Words: "as written"}, {Name: "own copy"}}}}) {
		if len(all[f.Name]) == 0 {
			t.Errorf("nothing is known of what %s can lose", f.Name)
		}
		for i, a := range all[f.Name] {
			p := placeOf(t.Context(), a.node)
			r := a.request
			r.Doc = &model.Document{Name: "doc", Sources: []*model.Source{bytesSource(nil)}, Views: []*model.View{{Name: model.LayoutView, Root: func(context.Context) model.Node { return a.node }}}}
			if at := a.node.Span(); at.Source != nil {
				r.Doc.Sources[0] = at.Source
			}
			r.Places, r.Omitted = []*model.Place{p}, &model.Omissions{}
			write := func() (Tally, error) { return f.Write(t.Context(), io.Discard, &r) }
			if f.Many(t.Context(), r.Places) {
				write = func() (Tally, error) {
					return To(t.Context(), filepath.Join(t.TempDir(), "out"), "", f, &r, func(w io.Writer) io.Writer { return w })
				}
			}
			_, err := write()
			if (err != nil) != (a.fails != "") || err != nil && !strings.Contains(err.Error(), a.fails) {
				t.Errorf("%s %d: %v, want a failure with %q", f.Name, i, err, a.fails)
				continue
			}
			if err != nil {
				continue
			}
			told(t, fmt.Sprintf("%s %d lost", f.Name, i), a.lost, LostLines(r.Omitted))
			told(t, fmt.Sprintf("%s %d reduced", f.Name, i), a.reduced, ReducedLines(r.Omitted, nil))
		}
	}
}

// told wants a line that begins so; of none nothing.
func told(t *testing.T, what, want string, lines []string) {
	t.Helper()
	for _, line := range lines {
		if want != "" && strings.HasPrefix(line, want) {
			return
		}
	}
	if want != "" || len(lines) > 0 {
		t.Errorf("%s: %q, want %q", what, lines, want)
	}
}

// TestOmissionLines: after ten lost values it is said how many more there are; what is reduced has a line for each reason.
func TestOmissionLines(t *testing.T) {
	var o model.Omissions
	for i := range 2500 {
		o.Lose(fmt.Sprint("x", i), "gone")
		o.Reduce(fmt.Sprint("x", i), fmt.Sprint("reason ", i%2))
	}
	o.Reduce("", "in all")
	lost := LostLines(&o)
	if len(lost) != 11 || lost[0] != "x0: gone" || lost[10] != "and 2,490 more" {
		t.Errorf("%q", lost)
	}
	reduced := ReducedLines(&o, func(o model.Omission) string { return " (" + o.Reason[:1] + ")" })
	if len(reduced) != 3 || reduced[0] != "x0 and 1,249 more: reason 0 (r)" || reduced[2] != "in all (i)" {
		t.Errorf("%q", reduced)
	}
	for i := range 100 {
		o.Reduce("", fmt.Sprint("another ", i))
	}
	if reduced = ReducedLines(&o, nil); len(reduced) != 33 || reduced[32] != "and 71 more" {
		t.Errorf("%d, %q", len(reduced), reduced[len(reduced)-1])
	}
	if lines := append(LostLines(nil), ReducedLines(nil, nil)...); len(lines) > 0 {
		t.Errorf("%q", lines)
	}
}

// TestAppendOmissions: the object has all that is kept, and counts where that is not all.
func TestAppendOmissions(t *testing.T) {
	var o model.Omissions
	if got := string(AppendOmissions(nil, "a\xff", "csv", &o)); got != `{"file":{"base64":"Yf8="},"form":"csv","omitted":[],"reduced":[]}` {
		t.Error(got)
	}
	for i := range model.MostOmissions + 5 {
		o.Lose(fmt.Sprint("x", i, "\xff"), "gone")
	}
	o.Reduce("y", "less")
	var got struct {
		Omitted      []struct{ Path, Reason string }
		Reduced      []struct{ Path, Reason string }
		OmittedCount int
		ReducedCount *int
	}
	if err := json.Unmarshal(AppendOmissions(nil, "a", "csv", &o), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Omitted) != model.MostOmissions || got.Omitted[99].Path != "x99%FF" || got.OmittedCount != model.MostOmissions+5 || got.ReducedCount != nil || got.Reduced[0].Reason != "less" {
		t.Errorf("%d, %+v, %d, %v, %v", len(got.Omitted), got.Omitted[99], got.OmittedCount, got.ReducedCount, got.Reduced)
	}
}
