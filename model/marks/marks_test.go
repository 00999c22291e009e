package marks

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"cutaway/model"
)

func document(b []byte) *model.Document {
	return &model.Document{Sources: []*model.Source{model.NewFileSource("f", model.BytesReader(b))}}
}

func identity(t *testing.T, b []byte) string {
	t.Helper()
	id, err := Identity(t.Context(), document(b))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestIdentity(t *testing.T) {
	b := bytes.Repeat([]byte("0123456789"), 1<<20)
	of := func(at int) string {
		c := bytes.Clone(b)
		c[at] ^= 1
		return identity(t, c)
	}
	whole := identity(t, b)
	for _, at := range []int{0, 1<<20 - 1, len(b) / 2, len(b) - 1<<20, len(b) - 1} {
		if of(at) == whole {
			t.Errorf("a change at %d makes no other identity", at)
		}
	}
	if of(2<<20) != whole {
		t.Error("bytes that are not looked at count")
	}
	if identity(t, b[:100]) == identity(t, b[:101]) || identity(t, nil) == whole {
		t.Error("the size does not count")
	}
}

func TestFoundAgain(t *testing.T) {
	s := In(filepath.Join(t.TempDir(), "deep", "marks"))
	first, second := identity(t, []byte("first")), identity(t, []byte("second"))
	if _, found, _, err := s.Load(first, "/a/file"); found != Nothing || err != nil {
		t.Errorf("before anything was kept: %v, %v", found, err)
	}
	if err := s.Add(first, "/a/file", Mark{Path: "scene/World", Text: "look here"}); err != nil {
		t.Fatal(err)
	}
	whole, err := filepath.Abs("/a/file") // with a drive's letter on Windows
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		identity, file string
		found          Found
		n              int
	}{
		{first, "/a/file", ByContent, 1}, {first, "/b/moved", Elsewhere, 1}, {second, "/a/file", ByPath, 1}, {second, "/b/moved", ByPath, 1},
		{second, "/c/never", Nothing, 0},
	} {
		list, found, was, err := s.Load(c.identity, c.file)
		if found != c.found || len(list) != c.n || err != nil || c.n > 0 && was != whole {
			t.Errorf("%s at %s: %v, %v, was %q, %v", c.identity, c.file, list, found, was, err)
		}
	}
	// What is added to the changed file takes the marks over, and leaves those of the old content.
	if err := s.Add(second, "/a/file", Mark{Source: "file", Offset: 4, Length: 2, Type: "u16", Colour: "red"}); err != nil {
		t.Fatal(err)
	}
	list, found, _, err := s.Load(second, "/a/file")
	if found != ByContent || len(list) != 2 || err != nil {
		t.Fatalf("taken over: %v, %v, %v", list, found, err)
	}
	if err := s.Remove(second, "/a/file", list[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(second, "/a/file", list[0].ID); err == nil {
		t.Error("removed twice")
	}
	if list, _, _, _ := s.Load(first, "/a/file"); len(list) != 1 {
		t.Errorf("of the old content: %v", list)
	}
	for _, bad := range []Mark{{Colour: "pink"}, {Type: "u17"}, {Offset: -1}} {
		if err := s.Add(first, "/a/file", bad); err == nil {
			t.Errorf("%+v was kept", bad)
		}
	}
}

// TestNothingIsLost has several writers add marks at once.
func TestNothingIsLost(t *testing.T) {
	folder := t.TempDir()
	var wg sync.WaitGroup
	const writers, each = 4, 8
	for w := range writers {
		wg.Go(func() {
			s := In(folder)
			for i := range each {
				if err := s.Add("id", "/file", Mark{Text: fmt.Sprint(w, i)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	list, _, _, err := In(folder).Load("id", "/file")
	if len(list) != writers*each || err != nil {
		t.Errorf("%d of %d marks, %v", len(list), writers*each, err)
	}
	files, err := os.ReadDir(folder)
	if len(files) != 3 || err != nil { // marks, what was seen at the path, the lock
		t.Errorf("files that stay: %v, %v", files, err)
	}
}

func TestTypes(t *testing.T) {
	d := document([]byte("\x01\x02\x00\x00\x80\x3fAb\x00"))
	for _, c := range []struct {
		typ         string
		off, length int64
		want        string
	}{
		{"u16", 0, 2, "513"}, {"u16le", 0, 2, "513"}, {"u16be", 0, 2, "258"}, {"u16le[]", 0, 4, "[513, 0]"}, {"f32", 2, 4, "1"}, {"u8[]", 0, 3, "[1, 2, 0]"}, {"u8[2]", 0, 3, "[1, 2]"},
		{"text", 6, 2, "Ab"}, {"utf16", 7, 2, "b"}, {"utf16be", 7, 2, "戀"}, {"i64", 0, 4, ""}, {"", 0, 4, "01 02 00 00"}, {"u8", 100, 1, ""},
	} {
		m := Mark{Source: "file", Offset: c.off, Length: c.length, Type: c.typ}
		got := ""
		_, v, gone := m.Holds(t.Context(), d)
		if v != nil {
			got = model.Show(t.Context(), v, 40)
		}
		if (gone != "") != (c.off == 100) {
			t.Errorf("%s at %d: %q", c.typ, c.off, gone)
		}
		if got != c.want {
			t.Errorf("%s at %d: %q, want %q", c.typ, c.off, got, c.want)
		}
	}
	for _, bad := range []string{"u7", "text[]", "u8[", "u8[x]", "textbe", "be", "textle", "le", "u16lebe"} {
		if _, err := ParseType(bad); err == nil {
			t.Errorf("%q is a type", bad)
		}
	}
}

func TestReadSaysWhich(t *testing.T) {
	list, err := Read(strings.NewReader(`{"path":"a","colour":"red"} {"offset":3,"source":"file"}`))
	if err != nil || len(list) != 2 || list[1].Offset != 3 {
		t.Errorf("%+v, %v", list, err)
	}
	for _, text := range []string{`{"path":"a"} {"colour":"pink"}`, `{"path":"a"} nothing`} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), "mark 2: ") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
