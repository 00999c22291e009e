package odin

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// memoryFiles are files beside the opened one.
type memoryFiles map[string]string

func (m memoryFiles) List() ([]string, error) { return slices.Sorted(maps.Keys(m)), nil }

func (m memoryFiles) Open(name string) (model.Reader, error) {
	text, ok := m[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return model.BytesReader([]byte(text)), nil
}

// TestNames: a payload is named by its GameObject, the objects of a carrier's list by what they are in the file, and files by the
// GUIDs in .meta files beside.
func TestNames(t *testing.T) {
	const guid = "e10ab24bd1c8f7abca1605dfcddbc499"
	text := "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &5\nGameObject:\n  m_Name: Door\n--- !u!4 &6\nTransform:\n  m_GameObject: {fileID: 5}\n" +
		"--- !u!114 &7\nMonoBehaviour:\n  m_GameObject: {fileID: 5}\n  SerializedFormat: 0\n" +
		"  SerializedBytesString: DAAAAAAMAQAAAAwCAAAADAMAAAAMBAAAAA==\n" + // five external references
		"  ReferencedUnityObjects:\n  - {fileID: 5}\n  - {fileID: 6}\n  - {fileID: 2100000, guid: " + guid + ", type: 2}\n" +
		"  - {fileID: 9}\n  - {fileID: 3, guid: 00000000000000000000000000000000, type: 0}\n"
	req := decodertest.Request(nil, model.NewFileSource("door.unity", model.BytesReader([]byte(text))), "door.unity")
	req.Files = memoryFiles{"Oak.mat.meta": "fileFormatVersion: 2\nguid: " + guid + "\n", "Oak.mat": "", "odd.meta": "guid: no\n"}
	doc, err := Format.Open(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	v := doc.View("objects")
	p := v.Place(t.Context()).Child(t.Context(), 0)
	if got := v.LabelOf(t.Context(), p); got != "Door" || p.Path() != "objects/SerializedBytesString" {
		t.Errorf("the payload is %q at %s", got, p.Path())
	}
	want := []string{"GameObject Door {fileID: 5}", "Transform of Door {fileID: 6}", "Oak.mat {fileID: 2100000, guid: " + guid + ", type: 2}",
		"{fileID: 9}", "{fileID: 3, guid: 00000000000000000000000000000000, type: 0}"}
	if err := p.Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	p = p.Fresh(t.Context())
	n, _ := p.Len(t.Context())
	for i := range n {
		got := model.Show(t.Context(), p.Child(t.Context(), i).Node.Value, 200)
		if _, object, _ := strings.Cut(got, ": "); object != want[i] {
			t.Errorf("reference %d is %q", i, got)
		}
	}
	if n != int64(len(want)) {
		t.Errorf("%d references", n)
	}
}
