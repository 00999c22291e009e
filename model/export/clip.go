package export

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"cutaway/model"
)

// clipForm returns the form that writes streams and times into a folder: as a file of their own format, and their pictures, sound and values
// as files that other programs read. It needs the Copier of a format.
func clipForm(own model.OwnForm, as *Form) *Form {
	c := &clipper{copied: as}
	for _, f := range Common {
		if f.Name == "png" || f.Name == "wav" || f.Name == "csv" {
			c.parts = append(c.parts, f)
		}
	}
	return &Form{Name: "clip", Title: "Clip (folder)", Help: "chosen streams and times in a folder: as " + own.Extension + ", pictures as PNG, sound as WAV, values as CSV",
		Binary: true, folder: true, refuse: as.refuse, timed: as.timed, files: c.files,
		write: func(context.Context, io.Writer, *Request) (Tally, error) {
			return Tally{}, errors.New("a clip is several files: give a folder for them")
		}}
}

// A clipper writes a clip: everything as one file of the own format, and the parts that other forms can write.
type clipper struct {
	copied *Form
	parts  []*Form
}

// files writes the copy first. What a part cannot write is lost; a part without items within the times has no file.
func (c *clipper) files(ctx context.Context, r *Request, create func(name string, write func(io.Writer) error) error) error {
	err := create(c.copied.FileName(r.Doc, r.Places), func(w io.Writer) error {
		_, err := c.copied.emit(ctx, w, r)
		return err
	})
	if err != nil {
		return err
	}
	within := *r
	if within.Times, err = c.absolute(ctx, r); err != nil {
		return err
	}
	for _, p := range r.Places {
		for _, f := range c.parts {
			if err := c.part(ctx, f, &within, p, "", create); err != nil {
				return err
			}
		}
	}
	return nil
}

// absolute returns the times of r as the file has them: those that are relative count from the first of all chosen streams.
func (c *clipper) absolute(ctx context.Context, r *Request) (Times, error) {
	all, ok := cardOf(ctx, &r.Places[0].Node, func(model.Copier) bool { return true })
	if !ok || r.Times == (Times{}) {
		return r.Times, nil
	}
	from, to, err := r.Times.bounds(all.Span())
	if err != nil {
		return Times{}, err
	}
	return Times{model.FormatFloat(from, 64), model.FormatFloat(to, 64)}, nil
}

// part writes the nearest nodes below a place that themselves suit a form.
func (c *clipper) part(ctx context.Context, f *Form, r *Request, p *model.Place, name string, create func(name string, write func(io.Writer) error) error) error {
	const levels = 3 // below the root: streams, their groups
	if err := p.Resolve(ctx, r.Progress); err != nil {
		return err
	}
	if p.Parent != nil {
		name = strings.TrimSpace(name + " " + r.Doc.View(p.Segments()[0].Path()).LabelOf(ctx, p))
	}
	one := *r
	one.Places = []*model.Place{p}
	if p.Parent != nil && f.own(ctx, &p.Node) {
		err := f.writePart(ctx, &one, cleanName(name), create)
		switch {
		case errors.Is(err, errNothingThen):
		case err != nil && ctx.Err() == nil:
			r.lose(p, "%s: %v", f.Title, err)
		}
		return ctx.Err()
	}
	if len(p.Segments()) >= levels || p.Node.Elements {
		return nil
	}
	n, _ := p.Len(ctx)
	for i := range n {
		if err := c.part(ctx, f, r, p.Child(ctx, i), name, create); err != nil {
			return err
		}
	}
	return nil
}

// writePart writes a node in a form, its items into a folder of their own.
func (f *Form) writePart(ctx context.Context, r *Request, name string, create func(name string, write func(io.Writer) error) error) error {
	if f.files != nil && f.count(ctx, r.Places[0]) > 0 {
		return f.files(ctx, r, func(item string, write func(io.Writer) error) error { return create(filepath.Join(name, item), write) })
	}
	return create(name+f.Extension, func(w io.Writer) error {
		_, err := f.emit(ctx, w, r)
		return err
	})
}
