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

// Options control how a source is decoded.
type Options struct {
	Format  string            // name of the format, or "" to detect it
	OrBytes bool              // open as plain bytes if no format fits; the document's Refused says why
	At      int64             // first byte to decode; offsets in the document count from here
	Options map[string]string // settings of the document, by name
}

// maxNesting is the greatest depth of documents in documents, such as packages in packages.
const maxNesting = 16

// An Opener opens sources as documents. Its zero value knows all formats.
type Opener struct {
	formats []*model.Format // or nil for All
	files   model.Files     // or nil for none
	nesting int             // number of documents around this one
}

var _ model.Opener = Opener{}

// Open opens src with default options.
func (o Opener) Open(ctx context.Context, src *model.Source, name string) (*model.Document, error) {
	return o.OpenWith(ctx, src, name, Options{})
}

// OpenWith opens src. The error is *model.ErrUnrecognized, or reports an unknown format or option, or an offset beyond
// the end. Otherwise it is a failure to read, or the format finds nothing to show.
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
			return nil, refused // the options were meant for the refused format
		}
		return nil, err
	}
	doc.Refused = refused
	return doc, nil
}

// open calls f.Open behind the guard. If it panics, open returns plain bytes with the problem.
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

// knowsOptions returns an error and closes the document if it lacks one of the options.
func knowsOptions(f *model.Format, doc *model.Document, options map[string]string) error {
	for name := range options {
		if !slices.ContainsFunc(doc.Options, func(o model.Option) bool { return o.Name == name }) {
			_ = doc.Close() // the option is the error to report
			return unknownOption(f, doc, name)
		}
	}
	return nil
}

// choose returns the format and the reason for choosing it.
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

// refusal returns the error that no format fits. The nearest format is the one that the file resembles most, or else
// the one with its extension.
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
