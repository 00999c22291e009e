package decoders

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"cutaway/decoders/guard"
	"cutaway/model"
)

// Options say how to decode a source.
type Options struct {
	Format  string            // the format's name; "" lets detection choose
	OrBytes bool              // where no format fits, as plain bytes; the document's Refused says why
	At      int64             // decode from this offset on, in bytes; the document's offsets count from there
	Options map[string]string // settings of the document by name
}

// maxNesting bounds documents inside documents, such as packages in packages.
const maxNesting = 16

// Opener opens sources as documents among All formats. The zero value is ready; it implements model.Opener.
type Opener struct {
	formats []*model.Format // nil: All
	files   model.Files     // nil: none
	nesting int             // documents around this one
}

var _ model.Opener = Opener{}

// Open implements model.Opener.
func (o Opener) Open(ctx context.Context, src *model.Source, name string) (*model.Document, error) {
	return o.OpenWith(ctx, src, name, Options{})
}

// OpenWith opens src as opt says. The errors are *model.ErrUnrecognized, an unknown format, option or offset, what
// src says when it cannot be read, and what the format says when there is nothing to show.
func (o Opener) OpenWith(ctx context.Context, src *model.Source, name string, opt Options) (*model.Document, error) {
	if o.nesting >= maxNesting {
		return nil, model.Problemf(model.Limit, "source.derive", src.Whole(), "%s: more than %d documents inside one another", name, maxNesting)
	}
	if opt.At != 0 {
		if !src.Holds(opt.At, 0) {
			return nil, fmt.Errorf("%s: offset %#x is after the end, the size is %#x", name, opt.At, src.Size())
		}
		src = model.NewFileSource(fmt.Sprintf("%s from %#x", src.Title(), opt.At),
			model.NewWindow(src, opt.At, src.Size()-opt.At))
	}
	if o.formats == nil {
		o.formats = All()
	}
	f, why, err := o.choose(ctx, src, name, opt)
	var refused *model.ErrUnrecognized
	if opt.OrBytes && errors.As(err, &refused) {
		f, why, err = bytesFormat, "no format fits", nil
	}
	if err != nil {
		return nil, err
	}
	inner := o
	inner.files = nil
	inner.nesting++
	req := &model.OpenRequest{
		Source: src, Name: name, Why: why, Forced: opt.Format != "", Opener: inner, Files: o.files, Options: opt.Options,
	}
	if req.Files == nil {
		req.Files = model.NoFiles{}
	}
	doc, err := open(ctx, f, req)
	if err != nil {
		return nil, err
	}
	if err := knowsOptions(f, doc, opt.Options); err != nil {
		if refused != nil {
			return nil, refused // by what the options were meant for
		}
		return nil, err
	}
	doc.Refused = refused
	return doc, nil
}

// open is f.Open behind the guard. When it panics, the document is plain bytes with the problem.
func open(ctx context.Context, f *model.Format, req *model.OpenRequest) (*model.Document, error) {
	doc, err := guard.Open(ctx, f, req)
	p, ok := err.(model.Problem)
	if !ok || p.Rule != guard.FaultRule {
		return doc, err
	}
	if doc, err = openBytes(ctx, req); err != nil {
		return nil, err
	}
	p.Span = req.Source.Whole()
	doc.Format, doc.Title = f.Name, f.Title
	plain := doc.Views[0].Root
	doc.Views[0].Root = func(ctx context.Context) model.Node {
		n := plain(ctx)
		n.Problems = []model.Problem{p}
		return n
	}
	return doc, nil
}

// knowsOptions closes a document that does not have one of the options.
func knowsOptions(f *model.Format, doc *model.Document, options map[string]string) error {
	for name := range options {
		if !slices.ContainsFunc(doc.Options, func(o model.Option) bool { return o.Name == name }) {
			_ = doc.Close() // the option is the error to tell
			return unknownOption(f, doc, name)
		}
	}
	return nil
}

// choose finds the format and the reason for it.
func (o Opener) choose(ctx context.Context, src *model.Source, name string, opt Options) (*model.Format, string, error) {
	if opt.Format != "" {
		i := slices.IndexFunc(o.formats, func(f *model.Format) bool { return f.Name == opt.Format })
		if i < 0 {
			return nil, "", fmt.Errorf("there is no format %q; there are %s", opt.Format, names(o.formats))
		}
		return o.formats[i], "asked for by name", nil
	}
	probe, err := NewProbe(ctx, src, path.Base(name))
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	probe.Options = opt.Options
	ranked := rank(ctx, o.formats, probe)
	if err := ctx.Err(); err != nil {
		return nil, "", err // a format may have refused for that
	}
	best := Candidate{}
	if len(ranked) > 0 {
		best = ranked[0]
	}
	if best.Fits() && !best.Detection.ByName {
		return best.Format, best.Detection.Reason, nil
	}
	cause := CauseOf(ctx, o.formats, probe.Head, src.Size(), name)
	if best.Fits() && isPlain(&cause) {
		return best.Format, best.Detection.Reason, nil
	}
	return nil, "", refusal(ranked, name, probe.Head, cause)
}

// refusal says why no format fits. The nearest is the one that the file resembles most, else the one whose extension it has.
func refusal(ranked []Candidate, name string, head []byte, cause model.Cause) error {
	e := &model.ErrUnrecognized{Cause: cause}
	ext := strings.ToLower(path.Ext(name))
	nearest := -1
	for i, c := range ranked {
		e.Tried = append(e.Tried, model.Tried{Format: c.Format.Name, Reason: c.Detection.Reason})
		if nearest < 0 && ext != "" && slices.Contains(c.Format.Extensions(), ext) {
			nearest = i
		}
	}
	if len(ranked) > 0 && ranked[0].Detection.Confidence > model.No {
		nearest = 0
	}
	if nearest < 0 {
		return e
	}
	e.Nearest = e.Tried[nearest].Format
	if cause.ID == causeUnknown || cause.ID == causeText {
		what := "not recognised: "
		if cause.ID == causeText && Owner(name) != nil {
			what = "text (" + quoted(head) + "), "
		}
		e.Cause.Text, e.Cause.Format = what+e.Tried[nearest].Reason, e.Nearest
	}
	return e
}

func names(formats []*model.Format) string {
	var list []string
	for _, f := range formats {
		list = append(list, f.Name)
	}
	return strings.Join(list, ", ")
}

func unknownOption(f *model.Format, doc *model.Document, name string) error {
	var list []string
	for _, o := range doc.Options {
		list = append(list, o.Name)
	}
	if len(list) == 0 {
		return fmt.Errorf("there is no option %q: %s has none for this file", name, f.Name)
	}
	return fmt.Errorf("there is no option %q for %s; there are %s", name, f.Name, strings.Join(list, ", "))
}
