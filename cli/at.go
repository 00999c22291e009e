package cli

import (
	"fmt"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/model/inspect"
)

type atVerb struct {
	File    string      `arg:"" help:"The file."`
	Offset  *byteOffset `arg:"" optional:"" help:"The byte's offset, decimal or 0x…; it may also be written as FILE:OFFSET."`
	JSON    bool        `name:"json" help:"Print one JSON object a line for each node."`
	Source  string      `placeholder:"NAME" help:"The source that the offset counts in (default: the file); a derived one has its path as name, as in the spans of \"tree --json\"."`
	Inspect bool        `help:"Also print the bytes from there on as every kind of number, text and time, in both byte orders."`
	fileFlags
}

func (*atVerb) Help() string {
	return `A byte that is split into bit fields is one node here; "tree" has the fields.

` +
		examples("at sample.usdc 0x3294", "at --json sample.usdc 12948",
			"at sample.usdc 12 --source layout/TOKENS/text@inflated", "at --inspect sample.usdc 0x3294")
}

func (v *atVerb) run(s *session) error {
	d, err := v.open(s, v.File)
	if err != nil {
		return err
	}
	defer d.shut()
	off, err := v.offset(d.target)
	if err != nil {
		return err
	}
	src := d.Source()
	if v.Source != "" {
		if src, err = d.SourceByName(s.ctx, v.Source); err != nil {
			return wrongUsage("there is no source %q (a derived one is named as in the spans of \"tree --json\"): %w", v.Source, err)
		}
	}
	leaf, err := d.nodeAt(s, src, off)
	if err != nil {
		return err
	}
	err = s.nodes(v.JSON, export.LineOptions{}, func(write func(*model.Place) error) error {
		for _, p := range leaf.Segments() {
			if err := write(p); err != nil {
				return err
			}
		}
		return nil
	})
	if help := leaf.Node.Help; err == nil && help != "" && !v.JSON {
		fmt.Fprintf(s.out, "\n%s: %s\n", s.style.Strong(oneLine(s.ctx, leaf.Node.Label())), oneLine(s.ctx, help))
	}
	if err == nil && v.Inspect {
		err = s.inspect(src, off, v.JSON)
	}
	return err
}

// offset returns the offset of the target, or the one given after it.
func (v *atVerb) offset(t decoders.Target) (int64, error) {
	switch {
	case t.Path != "":
		return 0, wrongUsage("at wants an offset, not the path %q", t.Path)
	case v.Offset != nil && t.Offset >= 0:
		return 0, wrongUsage("there are two offsets, %#x and %#x", t.Offset, int64(*v.Offset))
	case v.Offset != nil:
		return int64(*v.Offset), nil
	case t.Offset < 0:
		return 0, wrongUsage("at wants an offset: cutaway at FILE OFFSET")
	}
	return t.Offset, nil
}

// inspect prints what the bytes at off of src could be.
func (s *session) inspect(src *model.Source, off int64, json bool) error {
	b, err := src.Bytes(s.ctx, off, min(inspect.Most, src.Size()-off))
	if err != nil {
		return err
	}
	table := textTable{head: []string{"read as", "little endian", "big endian"}}
	for _, r := range inspect.Read(b) {
		if r.Len == 0 {
			continue
		}
		table.add(r.Name, r.Little.Text, r.Big.Text)
		if !json {
			continue
		}
		row := model.Object{{Key: "as", Value: model.Text(r.Name)}, {Key: "length", Value: model.Int(r.Len)}}
		for _, order := range []struct{ key, text string }{{"little", r.Little.Text}, {"big", r.Big.Text}} {
			if order.text != "" {
				row = append(row, model.Member{Key: order.key, Value: model.Text(order.text)})
			}
		}
		if err := s.object(row); err != nil {
			return err
		}
	}
	if !json {
		fmt.Fprintln(s.out)
		table.write(s)
	}
	return nil
}
