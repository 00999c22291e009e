package scan

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"cutaway/model"
	"cutaway/model/export"
)

// TestReadNamesThatAreNoText: what is no text in a line is read as it was, not only what the file is called.
func TestReadNamesThatAreNoText(t *testing.T) {
	was := &File{Name: "caf\xe9.usdc", First: "no \xff", Failed: "caf\xe9.usdc is cut", Size: 7, Found: export.Tally{Warnings: 2, Limits: 1}}
	text, err := export.AppendValue(t.Context(), nil, was.Object())
	if err != nil {
		t.Fatal(err)
	}
	former, err := Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	f := former[was.Name]
	if f == nil || f.First != was.First || f.Failed != was.Failed || f.Size != was.Size || f.Found != was.Found {
		t.Errorf("%s is read as %+v", text, f)
	}
	for _, bad := range []string{`{"file":{"base64":"?"}}`, `{"file":{"base64":7}}`, `{"file":["a"]}`, `{"file":{}}`} {
		if _, err := Read(strings.NewReader(bad)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

// TestSound: what a limit kept from being read is not called sound, and an error is one all the same.
func TestSound(t *testing.T) {
	for _, c := range []struct {
		file File
		want model.Value
	}{
		{File{}, nil},
		{File{Found: export.Tally{Errors: 1}}, nil},
		{File{Checked: true}, model.Bool(true)},
		{File{Checked: true, Found: export.Tally{Warnings: 3}}, model.Bool(true)},
		{File{Checked: true, Found: export.Tally{Errors: 1}}, model.Bool(false)},
		{File{Checked: true, Found: export.Tally{Warnings: 1, Limits: 1}}, nil},
		{File{Checked: true, Found: export.Tally{Errors: 1, Warnings: 1, Limits: 1}}, model.Bool(false)},
	} {
		told := map[string]model.Value{}
		for _, m := range c.file.Object() {
			told[m.Key] = m.Value
		}
		if told["sound"] != c.want || told["limits"] != model.Value(model.Int(c.file.Found.Limits)) {
			t.Errorf("%+v: sound is %v, limits %v", c.file, told["sound"], told["limits"])
		}
		head, row := c.file.Cells(t.Context(), nil)
		cell := map[model.Value]string{nil: "", model.Bool(true): "true", model.Bool(false): "false"}[c.want]
		if row[slices.Index(head, "sound")] != cell {
			t.Errorf("%+v: %q are %q", c.file, head, row)
		}
	}
}

// FuzzRead: lines of an earlier scan are refused in words, or read, and read again as they are written.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"file":"a.usdc","format":"usdc","version":"0.8.0","size":12,"sound":true,"errors":0,"warnings":1,"first":"w","facts":{"prims":7,"up":"Y","deep":{"a":[1,2.5,null,true]}},"seconds":0.1,"failed":null}` + "\n"))
	f.Add([]byte("\n" + `{"file":"b","size":null,"sound":null,"errors":0,"warnings":0,"facts":{},"seconds":0,"failed":"cannot be read","limits":2,"identity":"x","modified":"y","by":"z"}`))
	f.Add([]byte(`{"file":"c","facts":{"n":1e400,"m":-9223372036854775809}}`))
	f.Add([]byte(`{"file":""}`))
	odd, err := export.AppendValue(f.Context(), nil, (&File{Name: "\xff", First: "\xfe", Failed: "\xfd", Size: -1}).Object())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(odd)
	f.Fuzz(func(t *testing.T, text []byte) {
		former, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		for name, file := range former {
			line, err := export.AppendValue(t.Context(), nil, file.Object())
			if err != nil {
				t.Fatal(err)
			}
			again, err := Read(bytes.NewReader(line))
			if err != nil || again[name] == nil {
				t.Fatalf("%q is written as %s, and that is read as %v, %v", text, line, again, err)
			}
			second, err := export.AppendValue(t.Context(), nil, again[name].Object())
			if err != nil || !bytes.Equal(line, second) {
				t.Errorf("%s is written as %s, %v", line, second, err)
			}
		}
	})
}
