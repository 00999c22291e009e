package marks

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"cutaway/model/export"
)

// FuzzMarksFile: whatever is in the files of the store, marks are read or refused, and a mark can be added to what was read.
func FuzzMarksFile(f *testing.F) {
	f.Add([]byte(`{"file":"/a","marks":[{"id":"x","path":"layout","text":"t","made":"2026-01-01T00:00:00Z"}]}`))
	f.Add([]byte(`{"marks":[{"offset":-1,"length":9223372036854775807,"type":"u32[9999999999]"}]}`))
	f.Add([]byte(`[`))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, text []byte) {
		s := &Store{t.TempDir()}
		name := s.marksFile("identity")
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		before, _, _, err := s.Load("identity", "/a")
		for i := range before {
			_, _ = ParseType(before[i].Type)
		}
		if err != nil {
			return
		}
		if err := s.Add("identity", "/a", Mark{Path: "layout", Text: "new"}); err != nil {
			return
		}
		after, _, _, err := s.Load("identity", "/a")
		if err != nil || len(after) != len(before)+1 {
			t.Errorf("%d marks and one more are %d: %v", len(before), len(after), err)
		}
	})
}

// FuzzRead: marks that were handed on are refused in words, or read, and read again as they are written.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"path":"layout","source":"","offset":0,"length":0,"text":"t","colour":"red","type":"","made":"2026-01-01T00:00:00Z","id":"x"}` + "\n"))
	f.Add([]byte(`{"source":"file","offset":16,"length":4,"text":"é","colour":"blue","type":"u32","value":7}{"path":"scene/a~2","text":""}`))
	f.Add([]byte(`{"colour":"no colour"}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		var written []byte
		for i := range list {
			if _, offset := list[i].Made.Zone(); offset%60 != 0 || list[i].Made.Nanosecond() != 0 || list[i].Made.Year() > 9999 {
				return // written to seconds
			}
			if written, err = export.AppendValue(t.Context(), written, list[i].Object(nil, false)); err != nil {
				t.Fatal(err)
			}
		}
		again, err := Read(bytes.NewReader(written))
		if err != nil || len(again) != len(list) {
			t.Fatalf("%d marks; as they are written, %d, %v: %s", len(list), len(again), err, written)
		}
		for i := range list {
			if a, b := list[i], again[i]; !a.Made.Equal(b.Made) {
				t.Errorf("%v is read as %v", a.Made, b.Made)
			} else if b.Made = a.Made; !reflect.DeepEqual(a, b) {
				t.Errorf("%+v is read as %+v", a, b)
			}
		}
	})
}
