package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"testing"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export/exporttest"
)

// fakeLibrary opens made-up documents by their file names.
type fakeLibrary struct {
	limit  *int64
	cancel context.CancelFunc // what "stuck.fake" calls when it is decoded
}

func (fakeLibrary) formats() []*model.Format {
	return []*model.Format{
		{Name: "fake", Title: "Fake files", Types: []model.FileType{{MIME: "application/x-fake", Extensions: []string{".fake", ".fk"}}}, Depth: "every byte",
			Specification: func() (model.Specification, error) { return fakeSpecification{}, nil }},
		{Name: "bytes", Title: "Plain bytes"},
	}
}

// fakeSpecification says nothing but what it was asked for.
type fakeSpecification struct{}

func (fakeSpecification) WriteText(w io.Writer) error {
	_, err := io.WriteString(w, "# Fake files\n")
	return err
}

func (fakeSpecification) Object() model.Object {
	return model.Object{{Key: "name", Value: model.Text("fake")}}
}

func (fakeSpecification) KSY() (string, error) { return "", errors.New("the field twice calls double") }

func (fakeLibrary) exists(file string) bool { return fakeFiles[file] != nil }

func (fakeLibrary) describe([]string) {}

func (fakeLibrary) descriptions() []decoders.Description { return nil }

func (fakeLibrary) useCodecs([]string) error { return nil }

func (l fakeLibrary) limitCache(bytes int64) {
	if l.limit != nil {
		*l.limit = bytes
	}
}

func (l fakeLibrary) open(_ context.Context, t decoders.Target, opt decoders.OpenOptions) (*model.Document, error) {
	if t.File == "stuck.fake" {
		return stuck(l.cancel), nil
	}
	open := fakeFiles[t.File]
	if open == nil {
		return nil, &fs.PathError{Op: "open", Path: t.File, Err: fs.ErrNotExist}
	}
	d, err := open()
	if err != nil {
		return nil, err
	}
	d.Name = t.File
	if opt.At > d.Source().Size() {
		return nil, fmt.Errorf("offset %#x is after the end", opt.At)
	}
	for name, value := range opt.Options.Options {
		if name != "step" {
			return nil, fmt.Errorf("there is no option %q", name)
		}
		d.Version += " step " + value
	}
	if opt.Format != "" {
		d.Why = "asked for by name"
	}
	return d, nil
}

var fakeFiles = map[string]func() (*model.Document, error){
	"sound.fake":     func() (*model.Document, error) { return fake(), nil },
	"noted.fake":     func() (*model.Document, error) { return fake(model.Assumed), nil },
	"odd.fake":       func() (*model.Document, error) { return fake(model.Suspicious), nil },
	"limited.fake":   func() (*model.Document, error) { return fake(model.Limit), nil },
	"bad.fake":       func() (*model.Document, error) { return fake(model.Malformed), nil },
	"truncated.fake": func() (*model.Document, error) { return fake(model.Truncated, model.Suspicious, model.Assumed), nil },
	"cut.fake":       func() (*model.Document, error) { return cut(), nil },
	"formulas.fake":  func() (*model.Document, error) { return formulas(), nil },
	"described.fake": func() (*model.Document, error) {
		return nil, &model.ErrSchema{Findings: []model.SchemaFinding{{Message: "no such type"}}}
	},
	"torn.fake": func() (*model.Document, error) { return torn(), nil },
	"strange.bin": func() (*model.Document, error) {
		return nil, &model.ErrUnrecognized{Tried: []model.Tried{{Format: "fake", Reason: "no FAKE at the start"}}, Nearest: "fake"}
	},
	"sumless.fake": func() (*model.Document, error) {
		d := fake()
		d.Checksums = func(context.Context, model.Progress) (model.Object, error) {
			return nil, errors.New("there is nothing to add up")
		}
		return d, nil
	},
	"panics.fake": func() (*model.Document, error) {
		d := fake()
		d.Facts = func(context.Context, bool, model.Progress) ([]model.Fact, error) { panic("a fault") }
		return d, nil
	},
}

// fake is the sample with facts, statistics of its own and a view by meaning.
func fake(kinds ...model.Kind) *model.Document {
	d := exporttest.Sample(kinds...)
	src := d.Source()
	d.Version, d.Title, d.Why = "1.2", "Fake 1.2", "begins with FAKE"
	scene := &model.View{Name: "scene", Root: func(context.Context) model.Node {
		return model.Node{Name: "scene", Type: "scene", Children: model.NewList(
			model.Node{Name: "World", Type: "prim", Value: model.Text("/World"), Spans: []model.Span{src.Span(8, 16)}})}
	}}
	d.Views = append([]*model.View{scene}, d.Views...)
	d.Facts = func(_ context.Context, quick bool, progress model.Progress) ([]model.Fact, error) {
		progress.Report(1, 2, "scanning")
		records := model.Fact{Key: "records", Title: "Records", Scan: true}
		if !quick {
			records.Value = model.Int(1 << 60)
		}
		row := func(name string, size int64) model.Value {
			return model.Object{{Key: "name", Value: model.Text(name)}, {Key: "size", Value: model.Int(size)}}
		}
		return []model.Fact{{Key: "title", Title: "Title", Value: model.Text("a\nfake")}, records,
			{Key: "sections", Title: "Sections", Value: model.Seq{row("HEAD", 8), row("POINTS", 16)}}}, nil
	}
	d.StatKeys = []string{"prim"}
	d.Stats = func(context.Context, string, model.Progress) ([]model.Stat, error) {
		return []model.Stat{{Key: "/World", Count: 1, Stored: 16, Logical: 32}}, nil
	}
	return d
}

// cut has an error that is known at the opening, at the root of its layout, and a view by meaning without it.
func cut() *model.Document {
	d := fake()
	layout := d.View(model.LayoutView)
	whole := layout.Root
	layout.Root = func(ctx context.Context) model.Node {
		root := whole(ctx)
		root.Problems = []model.Problem{{Rule: "fake.cut", Kind: model.Truncated, Span: d.Source().Span(40, 0), Message: "the file is cut"}}
		return root
	}
	return d
}

// torn has twelve arrays that end early, and one that is long.
func torn() *model.Document {
	d := fake()
	d.View("scene").Root = func(context.Context) model.Node {
		array := func(name string, count, bad int64) model.Node {
			return model.Node{Name: name, Value: &model.Elements{Type: "int", Count: count, Make: func(_ context.Context, i int64) (model.Value, error) {
				if i == bad {
					return nil, errors.New("torn")
				}
				return model.Int(i), nil
			}}}
		}
		var nodes []model.Node
		for i := range 12 {
			nodes = append(nodes, array(fmt.Sprint("torn", i), 9, 5))
		}
		return model.Node{Name: "scene", Children: model.NewList(append(nodes, array("long", 100, -1))...)}
	}
	return d
}

// formulas has a table of texts that spreadsheets take for formulas.
func formulas() *model.Document {
	d := fake()
	d.View("scene").Root = func(context.Context) model.Node {
		return model.Node{Name: "scene", Cards: func(context.Context) []model.Card { return []model.Card{formulaTable{}} }}
	}
	return d
}

type formulaTable struct{ model.CardBase }

func (formulaTable) Columns() []model.Column { return []model.Column{{Name: "name"}, {Name: "=n"}} }
func (formulaTable) Rows() (int64, bool)     { return 4, true }
func (formulaTable) Read(_ context.Context, first int64, dst [][]model.Cell) (int, error) {
	names := []string{"=1+1", "@x", "\ta", "a=b"}[first:]
	n := min(len(dst), len(names))
	for i := range n {
		dst[i][0].Value, dst[i][1].Value = model.Text(names[i]), model.Int(-first-int64(i))
	}
	return n, nil
}

// stuck has a part whose decoding calls cancel and does not end before the context does.
func stuck(cancel context.CancelFunc) *model.Document {
	d := fake(model.Malformed)
	src := d.Source()
	wait := model.NewLazy(func(ctx context.Context, _ model.Progress) (model.Children, error) {
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	})
	root := func(context.Context) model.Node {
		return model.Node{Name: "layout", Spans: []model.Span{src.Whole()}, Children: model.NewList(
			model.Node{Name: "first", Spans: []model.Span{src.Span(0, 10)}},
			model.Node{Name: "slow", Spans: []model.Span{src.Span(10, 30)}, Children: wait})}
	}
	d.Views = []*model.View{{Name: model.LayoutView, Root: root, Of: src}}
	return d
}

type result struct {
	status   int
	out, err string
}

func execute(ctx context.Context, lib library, args ...string) result {
	var out, errs bytes.Buffer
	status := run(ctx, lib, "1.2.3 (abc)", args, &out, &errs)
	return result{status, out.String(), errs.String()}
}

func cutaway(t *testing.T, args ...string) result {
	t.Helper()
	return execute(context.Background(), fakeLibrary{}, args...)
}
