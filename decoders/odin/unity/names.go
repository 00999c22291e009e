package unity

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cutaway/model"
)

// A names finds the names of objects in the file, and of files beside it.
type names struct {
	byID  func() map[string]int
	files model.Files
	metas model.Once[map[string]string] // the names of files by GUID
}

// mostMetas bounds the .meta files that are read. They stay open as long as the document.
const mostMetas = 512

// Beside lets the file name the files beside it by the GUIDs in their .meta files, which are read when a GUID is looked up.
func (f *File) Beside(files model.Files) { f.known.files = files }

// metaGUID matches the GUID in a .meta file.
var metaGUID = regexp.MustCompile(`(?m)^guid: ([0-9a-f]{32})\s*$`)

// readMetas returns the names of files by the GUIDs in the .meta files beside them.
func (f *File) readMetas(ctx context.Context, _ model.Progress) (*map[string]string, error) {
	byGUID := map[string]string{}
	list, _ := f.known.files.List()
	list = slices.DeleteFunc(slices.Clone(list), func(name string) bool { return !strings.HasSuffix(name, ".meta") })
	for _, name := range list[:min(len(list), mostMetas)] {
		r, err := f.known.files.Open(name)
		if err != nil {
			continue
		}
		var head [512]byte
		n, _ := r.ReadAt(ctx, head[:], 0)
		if m := metaGUID.FindSubmatch(head[:n]); m != nil {
			byGUID[string(m[1])] = strings.TrimSuffix(name, ".meta")
		}
	}
	return &byGUID, ctx.Err()
}

// reference matches a reference to an object.
var reference = regexp.MustCompile(`fileID: (-?[0-9]+)(?:, guid: ([0-9a-f]{32}))?`)

// nameOf returns the name of the object that a reference such as {fileID: 5} names, the file of one that has a GUID, or "".
func (f *File) nameOf(ctx context.Context, text string) string {
	m := reference.FindStringSubmatch(text)
	switch {
	case m == nil:
		return ""
	case m[2] != "":
		if f.known.files == nil {
			return ""
		}
		metas, err := f.known.metas.Get(ctx, nil, f.readMetas)
		if err != nil {
			return ""
		}
		return (*metas)[m[2]]
	}
	i, ok := f.known.byID()[m[1]]
	if !ok {
		return ""
	}
	o := &f.objects[i]
	if o.name != "" {
		return o.class + " " + o.name
	}
	if owner, ok := f.known.byID()[o.owner]; ok && f.objects[owner].name != "" {
		return o.class + " of " + f.objects[owner].name
	}
	return o.class
}

// indexObjects lets nameOf find objects by their ids.
func (f *File) indexObjects() {
	f.known.byID = sync.OnceValue(func() map[string]int {
		byID := make(map[string]int, len(f.objects))
		for i := range f.objects {
			byID[f.objects[i].id()] = i
		}
		return byID
	})
}
