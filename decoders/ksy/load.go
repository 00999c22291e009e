package ksy

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A Folder is a folder of descriptions. Nothing outside is read.
type Folder struct {
	Name string // prefix of file names in findings
	FS   fs.FS
	Own  bool // the folder of the description, not named by the user; only for relative imports
}

// Load reads a description and its imports. Relative imports are looked up beside the importing description, then in
// the named folders; absolute ones only in those. The error is a failure to read file itself; all else is a finding.
func Load(file string, folders ...string) (*Description, error) {
	file = filepath.Clean(file)
	absolute, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	var list []Folder
	at, name := -1, ""
	for _, folder := range folders {
		inside, err := filepath.Abs(folder)
		if err != nil {
			return nil, err
		}
		if inside, err = filepath.Rel(inside, absolute); err == nil && filepath.IsLocal(inside) && at < 0 {
			at, name = len(list), filepath.ToSlash(inside)
		}
		list = append(list, Folder{Name: folder})
	}
	if at < 0 {
		at, name = len(list), filepath.Base(file)
		list = append(list, Folder{Name: filepath.Dir(file), Own: true})
	}
	for i, folder := range list {
		root, err := os.OpenRoot(folder.Name)
		if err != nil {
			return nil, err
		}
		defer func() { _ = root.Close() }() // opened for reading only
		list[i].FS = root.FS()
	}
	return LoadFrom(list, at, name)
}

// LoadFrom reads the description name, a path with slashes, in folders[at].
func LoadFrom(folders []Folder, at int, name string) (*Description, error) {
	l := &loader{folders: folders, modules: map[moduleKey]*Module{}, d: &Description{}, tops: map[string]*Type{}}
	main, err := l.module(at, name)
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(l.d.Modules); i++ {
		l.readModule(l.d.Modules[i])
		if i+1 == len(l.d.Modules) {
			l.findOpaque()
		}
	}
	l.d.Main = main.Top
	check(l)
	l.d.Findings = l.report.sorted()
	return l.d, nil
}

type moduleKey struct {
	folder int
	path   string
}

// A loader holds the state that the passes share.
type loader struct {
	folders []Folder
	modules map[moduleKey]*Module
	d       *Description
	report  report
	tops    map[string]*Type // by meta/id
}

// module opens a file once. It is parsed later, so that circular imports end.
func (l *loader) module(folder int, name string) (*Module, error) {
	key := moduleKey{folder, name}
	if m := l.modules[key]; m != nil {
		return m, nil
	}
	opened, err := l.folders[folder].FS.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = opened.Close() }() // opened for reading only
	text, err := io.ReadAll(io.LimitReader(opened, maxText+1))
	if err != nil {
		return nil, err
	}
	m := &Module{Name: filepath.Join(l.folders[folder].Name, filepath.FromSlash(name)), Text: string(text), folder: folder, path: name}
	l.modules[key] = m
	l.d.Modules = append(l.d.Modules, m)
	return m, nil
}

func (l *loader) readModule(m *Module) {
	f := newFile(m.Name, strings.TrimPrefix(m.Text, "\uFEFF"))
	root, failed := readYAML(f)
	if failed != nil {
		l.report.add(Finding{Schema: m.Name, Line: failed.line, Column: failed.column, Message: failed.message})
		return
	}
	m.root = root
	r := &typeReader{loader: l, module: m}
	if m.Top = r.top(root); m.Top == nil {
		return
	}
	if l.tops[m.Top.Name] == nil {
		l.tops[m.Top.Name] = m.Top
	}
	r.imports(root.get("meta").get("imports"))
}

// imports opens the modules in a list of imports.
func (r *typeReader) imports(n *node) {
	if n == nil || !r.isList(n) {
		return
	}
	for _, item := range n.items {
		name, ok := r.text(item)
		if !ok {
			continue
		}
		if len(r.d.Modules) >= maxModules {
			r.report.atNode(item, "more than %d descriptions are imported", maxModules)
			return
		}
		if m := r.findImport(item, name); m != nil {
			r.module.Imports = append(r.module.Imports, m)
		}
	}
}

// findOpaque opens descriptions for undeclared types, if meta/ks-opaque-types allows it: from beside the description
// that names the type, or from a named folder.
func (l *loader) findOpaque() {
	c := &checker{loader: l}
	c.each(func(t *Type) {
		if !t.Meta.OpaqueTypes {
			return
		}
		r := &typeReader{loader: l, module: t.Top().Place.Module}
		for _, f := range t.readFields() {
			for _, u := range f.Uses() {
				if u.name == nil || len(u.name.Parts) != 1 || len(l.d.Modules) >= maxModules {
					continue
				}
				if found := c.findType(t, u.name); found != nil && found.Opaque {
					_, _, _ = r.openModule(r.placesOf(u.name.Parts[0])) // a missing module is a problem where it is read
				}
			}
		}
	})
	for _, m := range l.d.Modules {
		m.opaque = nil // of the types found now
	}
}

// openModule opens the first existing module of places.
func (r *typeReader) openModule(places []moduleKey) (m *Module, outside bool, err error) {
	for _, place := range places {
		if !fs.ValidPath(place.path) {
			outside = true
			continue
		}
		if m, err = r.loader.module(place.folder, place.path); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return m, outside, err
		}
	}
	return nil, outside, nil
}

// placesOf returns the candidate files of a module name.
func (r *typeReader) placesOf(name string) (places []moduleKey) {
	if !strings.HasPrefix(name, "/") {
		places = append(places, moduleKey{r.module.folder, path.Join(path.Dir(r.module.path), name) + ".ksy"})
	}
	for i, folder := range r.folders {
		if !folder.Own {
			places = append(places, moduleKey{i, strings.TrimPrefix(path.Clean(name), "/") + ".ksy"})
		}
	}
	return places
}

// findImport opens the module of an import.
func (r *typeReader) findImport(n *node, name string) *Module {
	places := r.placesOf(name)
	m, outside, err := r.openModule(places)
	switch {
	case err != nil:
		r.report.atNode(n, "the import %q can't be read: %v", name, err)
	case m != nil:
		return m
	case outside:
		r.report.atNode(n, "the import %q lies outside of the folders that may be read", name)
	case strings.HasPrefix(name, "/") && len(places) == 0:
		r.report.atNode(n, "the import %q begins with /, so it is looked for in the folders of descriptions, and none is named", name)
	case strings.HasPrefix(name, "/"):
		r.report.atNode(n, "no folder of descriptions has %q", name[1:]+".ksy")
	default:
		r.report.atNode(n, "there is no %q, neither beside this description nor in a folder of descriptions", name+".ksy")
	}
	return nil
}
