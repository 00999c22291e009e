package marks

import (
	"os"
	"path/filepath"
	"testing"
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
