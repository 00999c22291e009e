package cli

import (
	"context"
	"fmt"
	"unicode/utf8"

	"cutaway/model"
	"cutaway/model/export"
)

type infoVerb struct {
	File  string `arg:"" help:"The file, or PKG.usdz[INNER] for a member of a package."`
	JSON  bool   `name:"json" help:"Print one JSON object."`
	Quick bool   `help:"Leave out the facts that need a scan of the file, and name them."`
	fileFlags
}

// Help implements kong.HelpProvider.
func (*infoVerb) Help() string {
	return examples("info sample.usdc", "info --json recording.vrs", "info --quick recording.vrs",
		"info 'package.usdz[root.usdc]'", "info --format usdc --at 0x400 dump.bin")
}

func (v *infoVerb) run(s *session) error {
	d, err := v.open(s, v.File)
	if err != nil {
		return err
	}
	defer d.shut()
	if err := d.whole("info"); err != nil {
		return err
	}
	var facts []model.Fact
	if d.Facts != nil {
		if facts, err = d.Facts(s.ctx, v.Quick, s.progress()); err != nil {
			return err
		}
	}
	known, err := knownProblems(s.ctx, d.Document, 0)
	if err != nil {
		return err
	}
	s.met(known)
	s.meter.clear()
	if v.JSON {
		return s.object(infoObject(d.Document, facts, v.Quick))
	}
	s.infoText(d.Document, facts, v.Quick, known)
	return nil
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
		{Title: "size", Value: model.Text(group(size(d)) + " bytes")},
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
	fmt.Fprintf(s.out, "%s: %s\n", s.style.Strong(d.Name), d.Title)
	for _, l := range lines {
		s.fact(&l, width, quick)
	}
	fmt.Fprintf(s.out, "  %s  %s\n", s.style.Quiet(fill("problems", width)), s.verdict(known, "none in headers and indexes"))
}

// fact prints one fact; a list of structures is a table below its title.
func (s *session) fact(f *model.Fact, width int, quick bool) {
	if table := factTable(s.ctx, f.Value); table != nil {
		fmt.Fprintf(s.out, "  %s\n", s.style.Quiet(f.Title))
		table.write(s)
		return
	}
	text := model.Show(s.ctx, f.Value, 400)
	switch {
	case f.Value == nil && f.Scan && quick:
		text = s.style.Quiet("needs a scan (left out by --quick)")
	case f.Value == nil:
		text = s.style.Quiet("not known")
	case text == "":
		return
	}
	fmt.Fprintf(s.out, "  %s  %s\n", s.style.Quiet(fill(f.Title, width)), text)
}

// factTable makes a table of a list of structures that have the same keys; nil: it is none.
func factTable(ctx context.Context, v model.Value) *textTable {
	head, rows, left, even := export.FactTable(ctx, v)
	if head == nil || !even {
		return nil
	}
	return &textTable{indent: "    ", head: head, rows: rows, left: left}
}
