package source

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"cutaway/model"
)

// lost is what a read of a disk that is gone fails with.
func lost(t *testing.T) error {
	t.Helper()
	_, err := model.NewFileSource("gone", goneReader{}).Bytes(t.Context(), 0, 1)
	if model.KindOf(err) != model.Unread {
		t.Fatal(err)
	}
	return err
}

type goneReader struct{}

func (goneReader) Size() int64 { return 1 }

func (goneReader) ReadAt(context.Context, []byte, int64) (int, error) {
	return 0, errors.New("the disk is gone")
}

// TestCachedAgain: what a disk did not give is inflated again when it is asked for after a while, in memory and in a file;
// what is damaged is not, nor is what could be read meanwhile.
func TestCachedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		limit int64
		fails error
		runs  int // after a while
	}{"in memory": {1 << 20, lost(t), 2}, "in a file": {100, lost(t), 2}, "damaged": {1 << 20, &Fault{Reason: "no such code"}, 1}} {
		t.Run(name, func(t *testing.T) {
			withLimit(t, c.limit)
			synctest.Test(t, func(t *testing.T) {
				runs := 0
				raw := noise(1000)
				r := Cached(1000, func(_ context.Context, w io.Writer) error {
					if runs++; runs > 1 {
						_, err := w.Write(raw)
						return err
					}
					if _, err := w.Write(raw[:600]); err != nil {
						return err
					}
					return c.fails
				})
				read := func(off int64) error {
					_, err := r.ReadAt(t.Context(), make([]byte, 10), off)
					return err
				}
				for range 10 {
					if read(0) != nil || read(700) == nil || read(595) == nil || runs != 1 {
						t.Fatalf("%v, %v, %d runs", read(0), read(700), runs)
					}
				}
				time.Sleep(time.Minute)
				if read(0) != nil || runs != 1 {
					t.Errorf("%d runs for what is there", runs)
				}
				if err := read(700); (err == nil) != (c.runs == 2) || runs != c.runs {
					t.Errorf("after a while: %v, %d runs, want %d", err, runs, c.runs)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			})
			if use := cacheUse(); use != 0 {
				t.Errorf("%d bytes are in use", use)
			}
		})
	}
}

// TestDerivedAgain: a source that lacks bytes is made anew after a while, a damaged one is not.
func TestDerivedAgain(t *testing.T) {
	for kind, want := range map[model.Kind]int{model.Unread: 2, model.Malformed: 1} {
		synctest.Test(t, func(t *testing.T) {
			d, made, file := &Derived{}, 0, model.NewFileSource("file", goneReader{})
			get := func() *model.Source {
				src, _, _ := d.Get(t.Context(), "layout/a", "inflated", func() (*model.Source, []model.Problem, error) {
					made++
					return model.Derive("layout/a", "inflated", "", model.BytesReader(make([]byte, made)), model.Origin{Parent: file}), []model.Problem{{Kind: kind}}, nil
				})
				return src
			}
			first := get()
			if get() != first || made != 1 {
				t.Errorf("made %d times at once", made)
			}
			time.Sleep(time.Minute)
			if again := get(); made != want || again.Same(first) != (want == 1) {
				t.Errorf("made %d times after a while, want %d", made, want)
			}
		})
	}
}
