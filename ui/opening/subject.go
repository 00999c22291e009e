package opening

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"

	"cutaway/assets"
	"cutaway/decoders"
	"cutaway/model"
	"cutaway/source"
	"cutaway/ui/settings"
)

// A Subject names the file or the bytes of a tab, and says how they are read.
type Subject struct {
	File     string   // as it was named; "" for the sample and given bytes
	With     []string // other files of the document; nil where it is one
	Buffer   *Buffer  // bytes that are no file; nil for a file and the sample
	Options  decoders.Options
	Download bool // get the whole of a file whose server gives no ranges
}

// Title returns the text of its tab.
func (s *Subject) Title() string {
	switch {
	case s.Buffer != nil:
		return s.Buffer.Title
	case s.File == "":
		return "Sample"
	}
	return settings.RecentFile(s.Files()).Title()
}

// Files lists the files of the document, the first first.
func (s *Subject) Files() []string { return append([]string{s.File}, s.With...) }

// IsSample reports whether it is the built-in sample.
func (s *Subject) IsSample() bool { return s.File == "" && s.Buffer == nil }

// IsFile reports whether it is a file, or several.
func (s *Subject) IsFile() bool { return s.File != "" && s.Buffer == nil }

// IsOf reports whether it is the target's files, as what they look like.
func (s *Subject) IsOf(t Target) bool {
	own, err := Absolute(s.Files())
	its, err2 := Absolute(append([]string{t.File}, t.With...))
	return err == nil && err2 == nil && s.File != "" && s.Options.Format == "" && slices.Equal(own, its)
}

// Target returns the file, or the member of a package, that the name stands for. It asks the file system.
func (s *Subject) Target() decoders.Target {
	target := decoders.ParseTarget(s.File, func(file string) bool {
		_, err := os.Stat(file)
		return err == nil
	})
	if target.Inner == "" {
		return decoders.Target{File: s.File, Offset: -1} // whatever # and : are in its name
	}
	return target
}

// Open opens the target of the subject, the given bytes or the sample, with the bytes of a patch in it: as plain bytes where no format
// fits.
func (s *Subject) Open(ctx context.Context, target decoders.Target, patch *source.Patch, progress model.Progress) (*model.Document, error) {
	opts := s.Options
	opts.OrBytes = true
	if name, held := s.held(); held != nil {
		r, err := patch.Over(held)
		if err != nil {
			return nil, err
		}
		return decoders.Opener{}.OpenWith(ctx, model.NewFileSource(name, r), name, opts)
	}
	return decoders.OpenTarget(ctx, target, decoders.OpenOptions{Options: opts, With: s.With, Download: s.Download, Progress: progress, Patch: patch})
}

// held returns bytes that are no file, given ones or the sample, or nil.
func (s *Subject) held() (name string, r model.Reader) {
	switch {
	case s.Buffer != nil:
		return s.Buffer.Title, s.Buffer.Src.Reader()
	case s.File == "":
		return "sample.usdc", model.BytesReader(assets.Sample)
	}
	return "", nil
}

// Bytes opens the bytes of a target of the subject as they are.
func (s *Subject) Bytes(ctx context.Context, target decoders.Target) (decoders.Bytes, error) {
	if _, held := s.held(); held != nil {
		return heldBytes{held}, nil
	}
	return decoders.OpenBytes(ctx, target.File, decoders.OpenOptions{Download: s.Download})
}

// A heldBytes holds bytes that need not be closed.
type heldBytes struct{ model.Reader }

var _ decoders.Bytes = heldBytes{}

// Close does nothing.
func (heldBytes) Close() error { return nil }

// Choose keeps the options that the user has chosen for when the subject is opened again.
func (s *Subject) Choose(chosen map[string]string) {
	options := maps.Clone(s.Options.Options)
	if options == nil {
		options = make(map[string]string)
	}
	maps.Copy(options, chosen)
	s.Options.Options = options
}

const (
	schemaOption = "schema"
	// DescriptionEnding is that of Kaitai Struct descriptions.
	DescriptionEnding = ".ksy"
)

// ByDescription returns the settings by which any file is read by a description.
func ByDescription(file string) decoders.Options {
	return decoders.Options{Options: map[string]string{schemaOption: file}}
}

// HasDescription reports whether options name a description, or another schema.
func HasDescription(opts decoders.Options) bool { return opts.Options[schemaOption] != "" }

// DescriptionOf returns the description by which a document is read, or "".
func DescriptionOf(doc *model.Document) string {
	for _, o := range doc.Options {
		if o.Name == schemaOption && strings.HasSuffix(strings.ToLower(o.Value), DescriptionEnding) {
			return o.Value
		}
	}
	return ""
}

// Same returns options that open the file of an open document in the same format, even if its magic has changed.
func (s *Subject) Same(doc *model.Document) decoders.Options {
	opts, file := s.Options, DescriptionOf(doc)
	switch {
	case file != "" && !HasDescription(opts):
		opts = ByDescription(file)
		opts.At = s.Options.At
	case file == "" && opts.Format == "" && doc.Format != decoders.PlainBytes:
		opts.Format = doc.Format
	}
	return opts
}
