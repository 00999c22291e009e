package export

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"cutaway/model"
)

func put(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

func holds(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s holds %q, want %q; %v", path, got, want, err)
	}
}

func says(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// A file is there whole or not at all, and a failure leaves no temporary file.
func TestToFile(t *testing.T) {
	dir := t.TempDir()
	out, open := filepath.Join(dir, "out.txt"), put(t, filepath.Join(t.TempDir(), "open.bin"), "open")
	if err := ToFile(out, open, nil, says("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, out, "new")
	torn := errors.New("torn")
	err := ToFile(out, open, nil, func(w io.Writer) error {
		holds(t, out, "new") // nothing is seen of the other before it is whole
		return errors.Join(says("half")(w), torn)
	})
	if !errors.Is(err, torn) {
		t.Errorf("got %v", err)
	}
	holds(t, out, "new")
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%d files, %v", len(left), err)
	}
	if err := ToFile(filepath.Join(dir, "no", "x"), open, nil, says("")); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), ".cutaway") {
		t.Errorf("got %v", err)
	}
	if err := ToFile(dir, open, nil, says("")); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("got %v", err)
	}
}

// What is replaced keeps its permissions; of a link it is the file that is replaced, of a device nothing.
func TestToFileReplaces(t *testing.T) {
	dir := t.TempDir()
	file, link := put(t, filepath.Join(dir, "file"), "old"), filepath.Join(dir, "link")
	if err := os.Symlink(file, link); err != nil {
		t.Skip("no links here")
	}
	if _, err := os.Readlink(link); err != nil {
		t.Skip("no links here, though it said that it made one: ", err) // Wine 8
	}
	if err := ToFile(link, "", nil, says("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, file, "new")
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != os.ModeSymlink {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("permissions %v, %v", info.Mode(), err)
	}
	if err := ToFile(os.DevNull, "", nil, says("gone")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is %v, %v", os.DevNull, info.Mode(), err)
	}
}

// While a file is written that replaces a private one, nobody else can read what is there of it.
func TestToFileKeepsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such permissions here")
	}
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := ToFile(file, "", nil, func(w io.Writer) error {
		list, err := os.ReadDir(filepath.Dir(file))
		if len(list) != 2 {
			t.Errorf("%d files", len(list))
		}
		for _, entry := range list {
			if info, err := entry.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s has %v: %v", entry.Name(), info.Mode(), err)
			}
		}
		return errors.Join(err, says("new")(w))
	})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, file, "new")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("permissions %v, %v", info.Mode(), err)
	}
}

// Nothing that is read for the document is written over: the file, parts joined to it, deltas in an open folder.
func TestToFileSparesWhatIsRead(t *testing.T) {
	dir := t.TempDir()
	file, part := put(t, filepath.Join(dir, "a.vrs"), "open"), put(t, filepath.Join(dir, "a.vrs_1"), "open")
	src := bytesSource(nil).WithSegments([]model.Segment{{File: "a.vrs"}, {File: "a.vrs_1"}})
	second := put(t, filepath.Join(dir, "second"), "open")
	doc := &model.Document{Sources: []*model.Source{src, model.NewFileSource("second", named{model.BytesReader("open"), second})}}
	if err := os.Link(file, filepath.Join(dir, "other name")); err != nil {
		t.Skip("no links here")
	}
	for _, path := range []string{file, part, second, filepath.Join(dir, "other name"), filepath.Join(dir, ".", "a.vrs")} {
		if err := ToFile(path, file, doc, says("new")); err == nil || !strings.Contains(err.Error(), "never changed") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := ToFile(part, dir, nil, says("new")); err == nil {
		t.Error("a file in the open folder was written over")
	}
	if err := ToFile(filepath.Join(dir, "fresh"), dir, nil, says("new")); err != nil {
		t.Error(err)
	}
	holds(t, file, "open")
	holds(t, part, "open")
}

// named is a reader over a file.
type named struct {
	model.Reader
	path string
}

func (n named) Path() string { return n.path }

func TestFileName(t *testing.T) {
	place := func(name string) *model.Place {
		root := (&model.View{Name: "scene", Root: func(context.Context) model.Node {
			return model.Node{Name: "/", Children: model.NewList(model.Node{Name: name})}
		}}).Place(t.Context())
		return root.Child(t.Context(), 0)
	}
	doc := &model.Document{Name: "a.b.usdc"}
	for want, places := range map[string][]*model.Place{
		"points.json":                     {place(".points")},
		"points and 1 more.json":          {place(".points"), place("x")},
		"a.b [7].json":                    {place("[7]")},
		"a-b-c.json":                      {place("a/b:c")},
		"a.b.json":                        {place("x").Parent},
		"export.json":                     {place("...")},
		strings.Repeat("ä", 60) + ".json": {place(strings.Repeat("ä", 99))},
	} {
		if got := Common.ByName("json").FileName(doc, places); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := Common.ByName("html").FileName(doc, nil); got != "a.b report.html" {
		t.Errorf("%q", got)
	}
}
