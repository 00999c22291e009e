package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/scan"
	"cutaway/source"
	"cutaway/source/far"
)

// fileFlags are the flags of every verb that opens a file.
type fileFlags struct {
	Format    string            `group:"file" placeholder:"NAME" help:"Decode as this format, whatever detection says; see \"cutaway formats\"."`
	From      byteOffset        `group:"file" name:"at" placeholder:"OFFSET" help:"Decode from this offset of the file on, decimal or 0x…."`
	With      []string          `group:"file" sep:"none" placeholder:"FILE" help:"Open this file too, as one document with the first: live layers are applied in the order of their names. May be given several times, and contain * and ?."`
	Option    map[string]string `group:"file" mapsep:"none" placeholder:"NAME=VALUE" help:"Set an option of the document, such as step=2 of live layers; may be given several times."`
	Schema    string            `group:"file" placeholder:"FILE" help:"Decode by this schema: of FlatBuffers (.bfbs, .fbs), or a Kaitai Struct description (.ksy); short for --option schema=FILE."`
	Formats   []string          `group:"file" sep:"none" placeholder:"DIR" help:"Know files by the Kaitai Struct descriptions in this folder too; may be given several times."`
	Codec     []string          `group:"file" sep:"none" placeholder:"NAME=PROGRAM" help:"Run this program, with its arguments, for the process NAME of Kaitai Struct descriptions: it reads the bytes on standard input and writes the result to standard output, at most 256 MB within 20 s. May be given several times."`
	Patch     patchFile         `group:"file" placeholder:"LIST" help:"Read the file as if it contained these bytes: a file with an offset and bytes in each line, such as \"0x10 00 ff\". The file itself is never changed."`
	MaxMemory byteCount         `group:"file" placeholder:"SIZE" help:"Keep at most this much in memory of inflated data, and of the index of a text or stream; such as 512M or 2G (default 256M)."`
	Download  bool              `group:"file" help:"Get a file of a server that gives no ranges of it to a temporary file."`
	Strict    bool              `group:"file" help:"Warnings count like errors for the exit status."`
	Why       bool              `group:"file" help:"Where no format fits, say of each format why."`
	orBytes   bool              // as plain bytes where no format fits
}

// byteOffset is a flag or argument that names an offset.
type byteOffset int64

// UnmarshalText reads decimal or 0x….
func (o *byteOffset) UnmarshalText(text []byte) error {
	v, ok := decoders.ParseOffset(string(text))
	if !ok {
		return fmt.Errorf("%q is no offset: write it in decimal, or in hexadecimal after 0x", text)
	}
	*o = byteOffset(v)
	return nil
}

// patchFile is a flag that names a patch list.
type patchFile struct{ patch *source.Patch }

// UnmarshalText reads the list.
func (p *patchFile) UnmarshalText(name []byte) error {
	f, err := os.Open(string(name))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	if p.patch, err = source.ReadPatch(f); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// ofOne refuses a patch list of several files.
func (p *patchFile) ofOne(files ...string) error {
	if p.patch != nil && (len(files) != 1 || isFolder(files[0])) {
		return wrongUsage("--patch works with one file only")
	}
	return nil
}

// byteCount is a flag that names an amount of memory.
type byteCount int64

// UnmarshalText reads a number of bytes, or of K, M, G or T (binary), after which B or iB may be.
func (c *byteCount) UnmarshalText(text []byte) error {
	s := strings.ToUpper(string(text))
	s = strings.TrimSuffix(strings.TrimSuffix(s, "B"), "I")
	shift := 0
	if i := strings.IndexByte("KMGT", last(s)); i >= 0 {
		shift = 10 * (i + 1)
		s = s[:len(s)-1]
	}
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil || v <= 0 || v > 1<<62>>shift {
		return fmt.Errorf("%q is no size: write a number of bytes, or of K, M or G", text)
	}
	*c = byteCount(v << shift)
	return nil
}

func last(s string) byte {
	if s == "" {
		return ' '
	}
	return s[len(s)-1]
}

// An opened holds a document and the part that the command line names.
type opened struct {
	*model.Document
	target decoders.Target
	s      *session
}

// shut closes the document and notes bytes that could not be read. Nothing was written, so closing cannot lose anything.
func (o *opened) shut() {
	if err := model.FailedRead(o.Document); err != nil {
		o.s.unread = append(o.s.unread, fmt.Errorf("%s was not read to its end: %w", export.PathText(o.target.String()), named(err, o.target.File)))
	}
	_ = o.Close()
}

// prepare applies the flags that are for all files, and gives the options of opening one.
func (f *fileFlags) prepare(s *session) (opt decoders.OpenOptions, err error) {
	s.strict, s.why = f.Strict, f.Why
	if f.Schema != "" {
		if f.Option == nil {
			f.Option = map[string]string{}
		}
		f.Option["schema"] = f.Schema
	}
	s.lib.describe(f.Formats)
	if err := s.lib.useCodecs(f.Codec); err != nil {
		return opt, wrongUsage("%v", err)
	}
	if f.MaxMemory > 0 {
		s.lib.limitCache(int64(f.MaxMemory))
	}
	if f.Format != "" && !knowsFormat(s.lib, f.Format) {
		return opt, wrongUsage("there is no format %q; there are %s", f.Format, formatNames(s.lib))
	}
	opt.Download, opt.Progress, opt.Patch = f.Download, s.progress(), f.Patch.patch
	opt.Format, opt.OrBytes, opt.At, opt.Options.Options = f.Format, f.orBytes, int64(f.From), f.Option
	return opt, nil
}

// open opens the file that arg names.
func (f *fileFlags) open(s *session, arg string) (o *opened, err error) {
	opt, err := f.prepare(s)
	if err != nil {
		return nil, err
	}
	arg = far.Keep(arg)
	t := decoders.ParseTarget(arg, s.lib.exists)
	defer func() { err = named(err, t.File) }()
	if opt.With, err = decoders.Expand(t.File, f.With); err != nil {
		return nil, wrongUsage("%w", err)
	}
	doc, err := s.lib.open(s.ctx, t, opt)
	if err != nil {
		if s.ctx.Err() != nil {
			return nil, s.ctx.Err()
		}
		if schema := new(model.ErrSchema); errors.As(err, &schema) || f.isAtFault(s, t) {
			return nil, wrongUsage("%w", err)
		}
		return nil, unopened(arg, t, err)
	}
	// Errors met at the opening count for every verb, whatever part of the file it shows.
	var known export.Tally
	if err := scan.Known(s.ctx, doc, 0, known.Add); err != nil {
		return nil, errors.Join(err, doc.Close())
	}
	s.count(known)
	return &opened{doc, t, s}, nil
}

// unopened returns the error for a file that does not open, with its name.
func unopened(arg string, t decoders.Target, err error) error {
	if !strings.Contains(err.Error(), filepath.Base(t.File)) && !strings.Contains(err.Error(), t.File) {
		err = fmt.Errorf("%s: %w", export.PathText(arg), err)
	}
	return unreadable(err)
}

// isAtFault reports whether the flags that name other files, a place or a setting are wrong: the file opens without them.
func (f *fileFlags) isAtFault(s *session, t decoders.Target) bool {
	if f.From == 0 && len(f.Option) == 0 && len(f.With) == 0 && f.Patch.patch.Len() == 0 {
		return false
	}
	var opt decoders.OpenOptions
	if f.From > 0 {
		opt.Format = decoders.PlainBytes
		if doc, err := s.lib.open(s.ctx, t, opt); err == nil {
			beyondEnd := size(doc) < int64(f.From)
			_ = doc.Close() // only its size was asked
			if beyondEnd {
				return true
			}
		}
	}
	opt.Format = f.Format
	if len(f.Option) > 0 {
		opt.At = int64(f.From)
	}
	doc, err := s.lib.open(s.ctx, t, opt)
	if err != nil {
		return false
	}
	_ = doc.Close() // only whether it opens was asked
	return true
}

func knowsFormat(lib library, name string) bool {
	for _, f := range lib.formats() {
		if f.Name == name {
			return true
		}
	}
	return false
}

func formatNames(lib library) string {
	var names []string
	for _, f := range lib.formats() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// isWhole reports whether the target names neither a node nor an offset.
func (o *opened) isWhole() bool { return o.target.Path == "" && o.target.Offset < 0 }

// wholeFile refuses a target that names a node or an offset, for verbs that are about the whole file.
func (o *opened) wholeFile(verb string) error {
	if !o.isWhole() {
		return wrongUsage("%s is about a whole file: leave out what follows %s", verb, export.PathText(o.target.File))
	}
	return nil
}

// start is the place that the target names: a node, or the deepest one over an offset, or the root of view. An
// empty view is the document's first.
func (o *opened) start(s *session, view string) (*model.Place, error) {
	switch {
	case o.target.Offset >= 0:
		if view != "" && view != model.LayoutView {
			return nil, wrongUsage("an offset is looked up in the layout; leave out --view or the offset")
		}
		return o.nodeAt(s, o.Source(), o.target.Offset)
	case o.target.Path != "":
		return o.lookup(s, view, o.target.Path)
	case view != "":
		return o.lookup(s, "", view)
	}
	return o.Views[0].Place(s.ctx), nil
}

// ofFormat is the path that a name of the format's own stands for, such as a USD path; with a view only one that begins with a
// slash is such a name.
func (o *opened) ofFormat(s *session, view, path string) (string, error) {
	begins := strings.HasPrefix(path, "/")
	if !begins && view != "" {
		return path, nil
	}
	known := o.PathNamed(s.ctx, path)
	if begins && known == path && o.Named != nil {
		return "", wrongUsage("there is no %s in it", path)
	}
	return known, nil
}

// lookup finds a path; where view is given, the path may leave it out.
func (o *opened) lookup(s *session, view, path string) (*model.Place, error) {
	path, err := o.ofFormat(s, view, path)
	if err != nil {
		return nil, err
	}
	path = strings.TrimSuffix(path, "/")
	first, _, _ := strings.Cut(path, "/")
	switch {
	case view != "" && o.View(view) == nil:
		return nil, o.noView(view)
	case view != "" && first != view && o.View(first) != nil:
		return nil, wrongUsage("the path %q is not in the view %q", path, view)
	case view != "" && first != view:
		path = view + "/" + path
	case o.View(first) == nil:
		return nil, o.noView(first)
	}
	p, err := o.Lookup(s.ctx, path)
	if err != nil && s.ctx.Err() == nil {
		return nil, wrongUsage("%w", err)
	}
	return p, err
}

func (o *opened) noView(name string) error {
	var names []string
	for _, v := range o.Views {
		names = append(names, v.Name)
	}
	return wrongUsage("there is no view %q; there are %s", name, strings.Join(names, ", "))
}

// outside returns the error for an offset beyond the end of a source of that name.
func outside(off int64, src *model.Source, name string) error {
	return wrongUsage("offset %#x is outside of %s, which has %d bytes", off, name, src.Size())
}

// nodeAt returns the deepest layout node over a byte. For a byte that is split into bit fields that is the whole byte: none of
// them is preferred.
func (o *opened) nodeAt(s *session, src *model.Source, off int64) (*model.Place, error) {
	p, err := o.ResolveAt(s.ctx, src, off, s.progress())
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, outside(off, src, export.PathText(src.Name()))
	}
	if field := p.Node.Span(); field.Mask != 0 && p.Parent != nil {
		if whole := p.Parent.Node.Span(); whole.Off == field.Off && whole.Len == field.Len {
			p = p.Parent
		}
	}
	return o.descend(s, p, off)
}

// descend continues in the source that stores a node's bytes as they are, such as a member of a package.
func (o *opened) descend(s *session, p *model.Place, off int64) (*model.Place, error) {
	for _, d := range p.Node.Derived {
		if d.Codec != model.StoredCodec {
			continue
		}
		src, _, err := d.Open(s.ctx)
		if err != nil {
			return nil, err
		}
		at, err := src.Origin().Map.To(s.ctx, off, 1)
		if err != nil {
			return nil, err
		}
		if len(at) == 1 {
			return o.nodeAt(s, src, at[0].Off)
		}
	}
	return p, nil
}

// decodeTables decodes what the rest of the file is found by.
func (o *opened) decodeTables(s *session) error {
	for _, path := range o.Tables {
		p, err := o.Lookup(s.ctx, path)
		if err == nil {
			err = p.Resolve(s.ctx, s.progress())
		}
		if s.ctx.Err() != nil {
			return err
		}
	}
	return nil
}
