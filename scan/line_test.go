package scan

import (
	"bytes"
	"testing"

	"cutaway/model/export"
)

// FuzzRead: lines of an earlier scan are refused in words, or read, and read again as they are written.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"file":"a.usdc","format":"usdc","version":"0.8.0","size":12,"sound":true,"errors":0,"warnings":1,"first":"w","facts":{"prims":7,"up":"Y","deep":{"a":[1,2.5,null,true]}},"seconds":0.1,"failed":null}` + "\n"))
	f.Add([]byte("\n" + `{"file":"b","size":null,"sound":null,"errors":0,"warnings":0,"facts":{},"seconds":0,"failed":"cannot be read","limits":2,"identity":"x","modified":"y","by":"z"}`))
	f.Add([]byte(`{"file":"c","facts":{"n":1e400,"m":-9223372036854775809}}`))
	f.Add([]byte(`{"file":""}`))
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
