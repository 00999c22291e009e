package cli

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/model/facttext"
	"cutaway/scan"
)

type infoVerb struct {
	File  string `arg:"" help:"The file, or PKG.usdz[INNER] for a member of a package."`
	JSON  bool   `name:"json" help:"Print one JSON object."`
	Quick bool   `help:"Leave out the facts that need a scan of the file, and name them."`
	fileFlags
}

func (*infoVerb) Help() string {
	return `Headers and indexes are read. A fact that needs a scan of the file is scanned for, unless --quick is
given. Of a file that no format fits, standard error says what it is instead, and the exit status is 2.

` +
		examples("info sample.usdc", "info --json recording.vrs", "info --quick recording.vrs",
			"info 'package.usdz[root.usdc]'", "info --format usdc --at 0x400 dump.bin")
}

func (v *infoVerb) run(s *session) error {
	v.orBytes = true
	d, err := v.open(s, v.File)
	if err != nil {
		return err
	}
	defer d.shut()
	if d.Refused != nil {
		return v.inside(s, d)
	}
	if err := d.wholeFile("info"); err != nil {
		return err
	}
	var facts []model.Fact
	if d.Facts != nil {
		if facts, err = d.Facts(s.ctx, v.Quick, s.progress()); err != nil {
			return err
		}
	}
	if !v.Quick {
		if err := d.decodeTables(s); err != nil {
			return err
		}
	}
	var known export.Tally
	if err := scan.Known(s.ctx, d.Document, 0, known.Add); err != nil {
		return err
	}
	s.count(known)
	s.missed = d.Headless != nil
	s.meter.clear()
	if v.JSON {
		return s.object(infoObject(d.Document, facts, v.Quick))
	}
	s.infoText(d.Document, facts, v.Quick, known)
	return nil
}

// mostInside limits the files within an unknown one that are listed.
const mostInside = 20

// inside returns the error for a file of no known format, with the files of known formats inside.
func (v *infoVerb) inside(s *session, d *opened) error {
	err := unopened(d.target.String(), d.target, d.Refused)
	if v.Quick || d.Source().Size() == 0 {
		return err
	}
	var lines []string
	failed := decoders.Embedded(s.ctx, d.Source(), s.progress(), func(in decoders.Inside) bool {
		lines = append(lines, fmt.Sprintf("\n%s: --at %#x --format %s", in, in.Off, in.Format.Name))
		return len(lines) < mostInside
	})
	s.meter.clear()
	if failed != nil {
		return errors.Join(err, failed)
	}
	return fmt.Errorf("%w%s", err, strings.Join(lines, ""))
}

func infoObject(d *model.Document, facts []model.Fact, quick bool) model.Object {
	var values model.Object
	pending := model.Seq{}
	for _, f := range facts {
		values = append(values, model.Member{Key: f.Key, Value: f.Value})
		if f.Value == nil && f.Scan {
			pending = append(pending, model.Text(f.Key))
		}
	}
	o := model.Object{
		{Key: "format", Value: model.Text(d.Format)},
		{Key: "version", Value: model.Text(d.Version)},
		{Key: "size", Value: model.Int(size(d))},
		{Key: "why", Value: model.Text(d.Why)},
		{Key: "facts", Value: values},
	}
	if quick {
		o = append(o, model.Member{Key: "pending", Value: pending})
	}
	return o
}

// size is the number of bytes of the document's files.
func size(d *model.Document) int64 {
	var sum int64
	for _, src := range d.Sources {
		if src.Origin() == nil {
			sum += src.Size()
		}
	}
	return sum
}

func (s *session) infoText(d *model.Document, facts []model.Fact, quick bool, known export.Tally) {
	lines := []model.Fact{
		{Title: "format", Value: model.Text(d.Format)},
		{Title: "version", Value: model.Text(d.Version)},
		{Title: "size", Value: model.Text(model.Grouped(size(d)) + " bytes")},
		{Title: "why", Value: model.Text(d.Why)},
	}
	for _, f := range facts {
		if f.Key != "version" {
			lines = append(lines, f)
		}
	}
	width := len("problems")
	for _, l := range lines {
		width = max(width, utf8.RuneCountInString(l.Title))
	}
	fmt.Fprintf(s.out, "%s: %s\n", s.style.Strong(export.PathText(d.Name)), oneLine(s.ctx, d.Title))
	for _, l := range lines {
		s.fact(&l, width, quick)
	}
	fmt.Fprintf(s.out, "  %s  %s\n", s.style.Quiet(fill("problems", width)), known.Verdict("none", s.style.Severity)+looked(d, quick))
}

// looked says where problems were looked for.
func looked(d *model.Document, quick bool) string {
	switch {
	case len(d.Tables) == 0:
		return " in headers and indexes"
	case quick:
		return " in headers; check looks at all"
	}
	var names []string
	for _, path := range d.Tables {
		names = append(names, path[strings.LastIndexByte(path, '/')+1:])
	}
	return " in headers and the structure of " + strings.Join(names, ", ") + "; check looks at all"
}

// fact prints one fact; a table, and each line but one, is below its title.
func (s *session) fact(f *model.Fact, width int, quick bool) {
	shown := facttext.Show(s.ctx, f, 400)
	switch {
	case f.Value == nil && f.Scan && quick:
		shown.Lines = []string{s.style.Quiet("needs a scan (left out by --quick)")}
	case f.Value == nil:
		shown.Lines = []string{s.style.Quiet("not known")}
	}
	switch {
	case shown.Table != nil:
		fmt.Fprintf(s.out, "  %s\n", s.style.Quiet(f.Title))
		table := textTable{indent: "    ", head: shown.Table.Head, right: shown.Table.Right, rows: shown.Table.Rows}
		table.write(s)
	case len(shown.Lines) == 1:
		fmt.Fprintf(s.out, "  %s  %s\n", s.style.Quiet(fill(f.Title, width)), shown.Lines[0])
	case len(shown.Lines) > 1:
		fmt.Fprintf(s.out, "  %s\n    %s\n", s.style.Quiet(f.Title), strings.Join(shown.Lines, "\n    "))
	}
}
