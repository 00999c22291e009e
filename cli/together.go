package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/diff"
	"cutaway/model/export"
)

// together holds files side by side, whatever their format: what their bytes are to each other.
func (v *diffVerb) together(s *session, d *differences) error {
	if v.View != "" || v.Tolerance != 0 || v.Stored || v.Bytes {
		return wrongUsage("files are compared side by side by their bytes: leave out --view, --tolerance, --stored and --bytes")
	}
	v.Bytes = true
	flags := v.fileFlags
	if flags.Format == "" {
		flags.Format = decoders.PlainBytes
	}
	names := slices.Concat([]string{v.A, v.B}, v.More)
	var spans []model.Span
	for _, name := range names {
		o, err := flags.open(s, name)
		if err != nil {
			return err
		}
		defer o.shut()
		at, err := o.span(s)
		if err != nil {
			return err
		}
		spans = append(spans, at)
	}
	h := &heldTogether{d: d, names: names, spans: spans}
	err := diff.Together(s.ctx, spans, s.progress(), h.field)
	s.meter.clear()
	if err == nil {
		err = h.ends()
	}
	return err
}

// heldTogether prints what several files are to each other.
type heldTogether struct {
	d     *differences
	names []string
	spans []model.Span
	head  bool
	end   int64 // of the last field
}

// field prints a field.
func (h *heldTogether) field(f *diff.Field) error {
	h.end = f.Off + f.Len
	if f.Sort != diff.Constant {
		if err := h.d.add(diff.Changed); err != nil {
			return err
		}
	}
	s := h.d.s
	if h.d.v.Quiet {
		return nil
	}
	if h.d.v.JSON {
		return s.object(h.object(f))
	}
	s.meter.clear()
	if !h.head {
		h.head = true
		fmt.Fprintln(s.out, s.style.Quiet(fmt.Sprintf("%-12s%10s  %-8s%s", "offset", "bytes", "type", "what")))
	}
	_, err := fmt.Fprintf(s.out, "%-12s%10s  %-8s%s  %s\n", fmt.Sprintf("%#x", f.Off), model.Grouped(f.Len), f.Type, f.What(), s.style.Data(h.shown(f)))
	return err
}

// shown returns the values of the files there: each file's number, the constant bytes, or the first file's bytes.
func (h *heldTogether) shown(f *diff.Field) string {
	const few, fewBytes = 8, 24
	if f.Values == nil {
		at := h.spans[0]
		text := model.Show(h.d.s.ctx, model.Blob{Span: at.Source.Span(at.Off+f.Off, f.Len)}, fewBytes)
		if f.Sort == diff.Varies {
			text += " in the first"
		}
		return text
	}
	var list []string
	for _, n := range f.Values[:min(len(f.Values), few)] {
		list = append(list, strconv.FormatUint(n, 10))
	}
	if len(f.Values) > few {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}

func (h *heldTogether) object(f *diff.Field) model.Object {
	o := model.Object{{Key: "offset", Value: model.Int(f.Off)}, {Key: "length", Value: model.Int(f.Len)},
		{Key: "what", Value: model.Text(f.Sort.String())}, {Key: "type", Value: model.Text(f.Type)}, {Key: "values"}}
	if f.Values != nil {
		list := make(model.Seq, len(f.Values))
		for i, n := range f.Values {
			list[i] = model.Uint(n)
		}
		o[4].Value = list
	}
	switch f.Sort {
	case diff.Counts:
		o = append(o, model.Member{Key: "step", Value: model.Int(f.Step)})
	case diff.Length:
		o = append(o, model.Member{Key: "times", Value: model.Int(f.Times)}, model.Member{Key: "plus", Value: model.Int(f.Plus)})
	}
	return o
}

// ends reports the bytes that only the longer files have.
func (h *heldTogether) ends() error {
	for i, at := range h.spans {
		left := at.Len - h.end
		if left == 0 {
			continue
		}
		if err := h.d.add(diff.Changed); err != nil {
			return err
		}
		if h.d.v.JSON || h.d.v.Quiet {
			continue
		}
		if _, err := fmt.Fprintf(h.d.s.out, "%-12s%10s  %-8s%s\n", fmt.Sprintf("%#x", h.end), model.Grouped(left), "",
			"only in "+export.PathText(filepath.Base(h.names[i]))); err != nil {
			return err
		}
	}
	return nil
}
