package closure

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/scan"
)

// A layer holds the names in a file.
type layer struct {
	names     *model.FileNames
	finder    *decoders.AssetFinder
	first     string // its First, if it is a package
	mentions  []mention
	variables map[string]string
}

// A mention is a name in a file, where it is first.
type mention struct {
	asset, arc string
	at         model.LocatedSpan
	look       *outcome // or nil if the name is an expression
}

// An outcome is that of looking for a name.
type outcome struct {
	asset   string // the name, without variables
	found   []decoders.Target
	problem model.Problem // if wrong
	wrong   bool
	err     error // why it was not looked for
}

// look looks for the files of a name.
func (l *layer) look(ctx context.Context, asset string, variables map[string]string) *outcome {
	o := &outcome{asset: asset}
	name, err := l.names.Expand(asset, variables)
	if o.err = err; err == nil {
		o.asset = name
		o.found, o.problem, o.wrong, o.err = l.finder.Look(ctx, name)
	}
	return o
}

// examine reads the beginning of a found file, and the names in one whose format has such.
func (s *search) examine(f *File, by *layer, layered bool) error {
	seen, p, wrong, err := by.finder.Broken(s.ctx, f.Target, f.Asset)
	f.Seen = seen
	switch {
	case s.ctx.Err() != nil:
		return s.ctx.Err()
	case err != nil:
		f.State = Unknown
		f.set(model.Problemf(model.Assumed, RuleUnknown, model.Span{}, "%s", err), by)
		return nil
	case wrong:
		if f.State = Broken; p.Rule != RuleBroken {
			f.State = Missing
		}
		f.set(p, by)
		return nil
	case namesFiles(f.Target):
	case layered:
		f.set(model.Problemf(model.Assumed, RuleUnknown, model.Span{}, "%s is no %s that is read without a plugin", f.Asset, by.names.Holder), by)
		return nil
	default:
		return nil
	}
	l, err := s.open(f)
	switch {
	case s.ctx.Err() != nil:
		return s.ctx.Err()
	case err != nil:
		f.State = Broken
		f.set(model.Problemf(model.Suspicious, RuleBroken, model.Span{}, "the file %s is there, but it does not open: %v", f.Asset, err), by)
	case l == nil && layered:
		f.State = Broken
		f.set(model.Problemf(model.Suspicious, RuleBroken, model.Span{}, "the file %s is there, but it is no %s: %s", f.Asset, by.names.Holder, f.Title), by)
	}
	return nil
}

// namesFiles reports whether a file's name is that of a format whose files name others.
func namesFiles(t decoders.Target) bool {
	name := t.File
	if t.Inner != "" {
		name = strings.TrimRight(t.Inner[strings.LastIndexByte(t.Inner, '[')+1:], "]")
	}
	f := decoders.Owner(path.Base(strings.ReplaceAll(name, `\`, "/")))
	return f != nil && f.Files != nil
}

// open reads the names in a file, and what is wrong with the file. The layer is nil if its format names no files.
func (s *search) open(f *File) (*layer, error) {
	doc, err := decoders.OpenTarget(s.ctx, f.Target, s.opt.Open)
	if err != nil {
		return nil, err
	}
	defer func() { _ = doc.Close() }() // opened for reading only
	f.Title = doc.Title
	if src := doc.Source(); src != nil {
		f.Size = src.Size()
	}
	l := &layer{names: decoders.FilesOf(doc), first: doc.First, variables: map[string]string{}}
	if l.names == nil || len(doc.Views) == 0 {
		return nil, nil
	}
	if l.finder, err = decoders.NewAssetFinder(doc, f.Target); err != nil {
		return nil, err
	}
	l.finder.Also(s.opt.Places)
	r := &reading{search: s, of: f, doc: doc, layer: l, known: map[[2]string]bool{}}
	if err := r.read(); err != nil {
		return nil, err
	}
	l.finder = l.finder.Detached()
	s.layers[f.Target] = l
	return l, nil
}

// A reading collects the names in an open file.
type reading struct {
	*search
	of    *File
	doc   *model.Document
	layer *layer
	known map[[2]string]bool // names and arcs
}

// read collects the names, looks for those that are no expressions, and finds the first error.
func (r *reading) read() error {
	if err := scan.Known(r.ctx, r.doc, 0, func(p *model.Problem) { r.damaged("", p) }); err != nil {
		return err
	}
	view := r.doc.Views[0].Place(r.ctx)
	if err := view.Resolve(r.ctx, r.opt.Progress); err != nil {
		return err
	}
	r.layer.variables = r.layer.names.Variables(r.ctx, view)
	opt := model.WalkOptions{Resolve: true, Fleeting: true, Lean: true, Progress: r.opt.Progress}
	if err := model.Walk(r.ctx, view, opt, r.visit); err != nil {
		return err
	}
	if r.doc.Releases == nil {
		return nil
	}
	all, err := r.doc.Releases(r.ctx, r.opt.Progress)
	for _, of := range all {
		of.First = nil // it needs the document
		r.of.Releases = append(r.of.Releases, of)
	}
	if r.ctx.Err() == nil {
		err = nil // the walk met it too
	}
	return err
}

// visit collects the names in the value of a node.
func (r *reading) visit(at *model.Place) error {
	for i := range at.Node.Problems {
		r.damaged(at.Path(), &at.Node.Problems[i])
	}
	names := r.layer.names.Of(r.ctx, &at.Node)
	if len(names) == 0 {
		return nil
	}
	arc := r.layer.names.Arc(at)
	var elements map[string]model.LocatedSpan
	for _, asset := range names {
		key := [2]string{asset, arc}
		if r.known[key] {
			continue
		}
		if r.known[key] = true; elements == nil {
			at.Keep(r.ctx)
			elements = r.elements(at)
		}
		where, is := elements[asset]
		if !is {
			where = model.LocatedSpan{Path: at.Path(), Span: spelled(r.ctx, at.Node.Span(), asset)}
		}
		m := mention{asset: asset, arc: arc, at: where}
		if expanded, err := r.layer.names.Expand(asset, nil); err == nil && expanded == asset {
			m.look = r.layer.look(r.ctx, asset, nil)
		}
		r.layer.mentions = append(r.layer.mentions, m)
	}
	return r.ctx.Err()
}

// elements returns the places of the elements of an array by their texts.
func (r *reading) elements(at *model.Place) map[string]model.LocatedSpan {
	places := map[string]model.LocatedSpan{}
	if at.Node.Children == nil {
		return places
	}
	n, _ := at.Len(r.ctx)
	for i := range n {
		e := at.Child(r.ctx, i)
		if text, is := e.Node.Value.(model.Text); is {
			if _, known := places[string(text)]; !known {
				places[string(text)] = model.LocatedSpan{Path: e.Path(), Span: e.Node.Span()}
			}
		}
	}
	return places
}

// spelled returns the part of a range that spells a text, or the range.
func spelled(ctx context.Context, at model.Span, text string) model.Span {
	const most = 1 << 20
	if at.Source == nil || at.Len > most {
		return at
	}
	if b, err := at.Source.Bytes(ctx, at.Off, at.Len); err == nil {
		if i := bytes.Index(b, []byte(text)); i >= 0 {
			return at.Source.Span(at.Off+int64(i), int64(len(text)))
		}
	}
	return at
}

// damaged keeps the first error of the file.
func (r *reading) damaged(path string, p *model.Problem) {
	if p.Kind.Severity() != model.Error || r.of.Problem != nil && r.of.State == Broken {
		return
	}
	located := r.doc.Locate(path, *p)
	located.Message = fmt.Sprintf("%s has errors: %s", r.of.Name(), p.Message)
	r.of.Problem, r.of.State = &located, Broken
}
