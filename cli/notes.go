package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/model/marks"
)

type notesVerb struct {
	File   string  `arg:"" help:"The file; with --add the mark is on FILE#PATH, on the byte FILE:OFFSET, or on the whole file."`
	Add    *string `placeholder:"TEXT" help:"Add a mark with this note; \"\" makes a bookmark."`
	Length int64   `placeholder:"N" help:"With --add and FILE:OFFSET: on N bytes (default: those of the type, else 1)."`
	Colour string  `placeholder:"NAME" help:"With --add: yellow, red, green, blue, purple or grey (default yellow)."`
	Type   string  `placeholder:"TYPE" help:"With --add: what the bytes are, such as u16, f32be, u8[4], text; the mark then shows their value."`
	Remove string  `placeholder:"ID" help:"Remove the mark with this ID."`
	Import string  `placeholder:"FROM" help:"Add the marks of a file that --json wrote; - is standard input."`
	As     string  `placeholder:"FORM" enum:",ksy" default:"" help:"Write the marks in another form: ksy, a Kaitai Struct description to begin with, of the file's first bytes and the marks as fields."`
	JSON   bool    `name:"json" help:"Print one JSON object a line for each mark."`
	fileFlags
}

func (*notesVerb) Help() string {
	return `Marks are kept in $XDG_STATE_HOME/cutaway/marks, by default ~/.local/state/cutaway/marks. A file is
known again by its size and its first, middle and last MiB, wherever it is moved; where these have
changed, by its path.

Types are u8 to u64, i8 to i64, f16, f32, f64 and bool, with be after them for big-endian and [3] or [] for
several; text, utf16, utf16be.

` +
		examples("notes sample.usdc:0x58 --add 'the version?' --type 'u8[8]' --colour red", "notes sample.usdc#scene/Workshop --add 'to be split'",
			"notes sample.usdc", "notes --json sample.usdc", "notes --as ksy sample.usdc")
}

func (v *notesVerb) run(s *session) error {
	v.orBytes = true // marks describe bytes of any file
	d, err := v.open(s, v.File)
	if err != nil {
		return err
	}
	defer d.shut()
	store, err := marks.Open()
	if err != nil {
		return err
	}
	id, err := marks.Identity(s.ctx, d.Document)
	if err != nil {
		return unreadable(err)
	}
	n := &notes{s: s, d: d, store: store, identity: id}
	if err := v.change(n); err != nil {
		return err
	}
	if v.As != "" {
		return n.describe()
	}
	return n.print(v.JSON)
}

// describe prints a description that begins with the marks.
func (n *notes) describe() error {
	list, _, _, err := n.store.Load(n.identity, n.file())
	if err != nil {
		return err
	}
	text, err := marks.Description(n.s.ctx, n.file(), n.d.Source(), list)
	if err != nil {
		return unreadable(err)
	}
	_, err = io.WriteString(n.s.out, text)
	return err
}

// change does what was asked for besides printing.
func (v *notesVerb) change(n *notes) error {
	if v.Remove != "" {
		if err := n.store.Remove(n.identity, n.file(), v.Remove); err != nil {
			return wrongUsage("%w", err)
		}
	}
	if v.Import != "" {
		if err := n.importFrom(v.Import); err != nil {
			return err
		}
	}
	if v.Add == nil {
		if v.Length != 0 || v.Colour != "" || v.Type != "" {
			return wrongUsage("--length, --colour and --type go with --add")
		}
		return nil
	}
	m, err := v.mark(n)
	if err != nil {
		return err
	}
	if err := n.store.Add(n.identity, n.file(), m); err != nil {
		return wrongUsage("%w", err)
	}
	return nil
}

// mark is the mark that is to be added.
func (v *notesVerb) mark(n *notes) (marks.Mark, error) {
	m := marks.Mark{Text: *v.Add, Colour: v.Colour, Type: v.Type}
	t := n.d.target
	switch {
	case t.Path != "":
		p, err := n.d.start(n.s, "")
		if err != nil {
			return m, err
		}
		m.Path = p.Path()
		if at := p.Node.Span(); at.Source != nil {
			m.Source, m.Offset, m.Length = at.Source.Name(), at.Off, at.Len
		}
	case t.Offset >= 0:
		m.Source, m.Offset, m.Length = n.d.Source().Name(), t.Offset, max(v.Length, 1)
		if typ, err := marks.ParseType(v.Type); err == nil && v.Length == 0 && typ.Size() > 0 {
			m.Length = typ.Size()
		}
		if !n.d.Source().Holds(m.Offset, m.Length) {
			return m, wrongUsage("%d bytes from %#x on are not in the file, which has %d", m.Length, m.Offset, n.d.Source().Size())
		}
		if err := m.Fits(); err != nil {
			return m, wrongUsage("%w", err)
		}
	case v.Length != 0 || v.Type != "":
		return m, wrongUsage("--length and --type want a place: FILE:OFFSET or FILE#PATH")
	}
	return m, nil
}

// notes are the marks of a document.
type notes struct {
	s        *session
	d        *opened
	store    *marks.Store
	identity string
}

func (n *notes) file() string { return n.d.target.File }

// importFrom adds the marks of a file, a JSON object a line.
func (n *notes) importFrom(name string) error {
	in := io.Reader(os.Stdin)
	if name != "-" {
		f, err := os.Open(filepath.Clean(name))
		if err != nil {
			return wrongUsage("%w", err)
		}
		defer func() { _ = f.Close() }() // it was only read
		in = f
	}
	list, err := marks.Read(in)
	if err != nil {
		return wrongUsage("%s is no list of marks as --json writes it: %w", name, err)
	}
	if err := n.store.Add(n.identity, n.file(), list...); err != nil {
		return wrongUsage("%w", err)
	}
	return nil
}

// print prints the marks, and on standard error how they were found where that matters.
func (n *notes) print(asJSON bool) error {
	list, found, was, err := n.store.Load(n.identity, n.file())
	if err != nil {
		return err
	}
	switch found {
	case marks.Elsewhere:
		n.s.say("the marks were made when the file was %s", export.PathText(was))
	case marks.ByPath:
		n.s.say("the file has changed since the marks were made; they may be at other places now")
	}
	table := textTable{head: []string{"id", "where", "value", "note"}}
	for i := range list {
		m := &list[i]
		_, value, gone := m.Holds(n.s.ctx, n.d.Document)
		if asJSON {
			if err := n.s.object(m.Object(value, gone != "")); err != nil {
				return err
			}
			continue
		}
		shown := gone
		if value != nil {
			shown = model.Show(n.s.ctx, value, 40)
		}
		table.add(m.ID, oneLine(n.s.ctx, export.PathText(m.Where())), shown, strings.TrimSpace(oneLine(n.s.ctx, m.Text)+" ("+m.Colour+")"))
	}
	if !asJSON && len(list) > 0 {
		table.write(n.s)
	} else if !asJSON {
		n.s.say("no marks")
	}
	return nil
}

// reportNotes are the marks of a document for its report.
func (s *session) reportNotes(d *opened) ([]export.Note, error) {
	store, err := marks.Open()
	if err != nil {
		return nil, err
	}
	id, err := marks.Identity(s.ctx, d.Document)
	if err != nil {
		return nil, err
	}
	list, _, _, err := store.Load(id, d.target.File)
	if err != nil {
		return nil, err
	}
	var notes []export.Note
	for i := range list {
		m := &list[i]
		typ, value, gone := m.Holds(s.ctx, d.Document)
		notes = append(notes, export.Note{Where: m.Where(), Text: m.Text, Colour: m.Colour, Type: typ, Value: value, Gone: gone})
	}
	return notes, nil
}
