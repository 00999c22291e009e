package source

import (
	"errors"
	"runtime"
	"testing"
	"time"
	"weak"

	"cutaway/model"
)

func (d *Derived) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.held)
}

// collect collects garbage until ok.
func collect(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		runtime.GC()
		if time.Now().After(deadline) {
			t.Fatal(what)
		}
	}
}

// TestDerived: a source is made once while somebody holds it, and anew when nobody does.
func TestDerived(t *testing.T) {
	d := &Derived{}
	made := 0
	get := func(owner string) *model.Source {
		src, problems, err := d.Get(t.Context(), owner, "inflated", func() (*model.Source, []model.Problem, error) {
			made++
			src := model.Derive(owner, "inflated", "", model.BytesReader("derived bytes"), model.Origin{})
			return src, []model.Problem{{Rule: "test.cut-off"}}, nil
		})
		if err != nil || len(problems) != 1 {
			t.Fatalf("%d problems, error %v", len(problems), err)
		}
		return src
	}
	a, b := get("layout/a"), get("layout/b")
	if a == b || get("layout/a") != a || made != 2 {
		t.Errorf("%d sources made for two nodes", made)
	}
	runtime.KeepAlive(a)
	collect(t, "a source that nobody holds is still known", func() bool { return d.count() == 1 })
	if get("layout/b") != b {
		t.Error("a source that is held is made again")
	}
	if get("layout/a"); made != 3 {
		t.Errorf("%d sources made, want a third", made)
	}
	runtime.KeepAlive(b)
}

func TestDerivedFails(t *testing.T) {
	d, no := &Derived{}, errors.New("no")
	src, _, err := d.Get(t.Context(), "layout/a", "inflated", func() (*model.Source, []model.Problem, error) { return nil, nil, no })
	if src != nil || !errors.Is(err, no) || d.count() != 0 {
		t.Errorf("source %v, error %v, %d known", src, err, d.count())
	}
}

// TestDerivedInACycle: a document is let go of though its table lies in it, and its sources lead to it and are held by
// it, in the problems that the table keeps too.
func TestDerivedInACycle(t *testing.T) {
	type document struct {
		derived Derived
		src     *model.Source
	}
	var gone weak.Pointer[document]
	func() {
		doc := &document{}
		src, _, err := doc.derived.Get(t.Context(), "layout/a", "inflated", func() (*model.Source, []model.Problem, error) {
			src := model.Derive("layout/a", "inflated", "", leadsTo{model.BytesReader("derived bytes"), doc}, model.Origin{})
			return src, []model.Problem{{Span: src.Whole()}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		doc.src = src
		gone = weak.Make(doc)
	}()
	collect(t, "the document is kept", func() bool { return gone.Value() == nil })
}

// leadsTo is a reader that leads to something.
type leadsTo struct {
	model.Reader
	to any
}
