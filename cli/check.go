package cli

import (
	"context"
	"fmt"
	"strings"

	"cutaway/model"
	"cutaway/model/export"
)

type checkVerb struct {
	File string `arg:"" help:"The file, or PKG.usdz[INNER] for a member of a package."`
	JSON bool   `name:"json" help:"Print one JSON object."`
	fileFlags
}

// Help implements kong.HelpProvider.
func (*checkVerb) Help() string {
	return examples("check recording.vrs", "check --json sample.usdc | jq .problems", "check --strict sample.usdc")
}

func (v *checkVerb) run(s *session) error {
	d, err := v.open(s, v.File)
	if err != nil {
		return err
	}
	defer d.shut()
	if err := d.whole("check"); err != nil {
		return err
	}
	report, err := d.CheckAll(s.ctx, s.progress())
	if report == nil {
		return err
	}
	s.meter.clear()
	var found export.Tally
	for i := range report.Problems {
		found.Add(&report.Problems[i].Problem)
	}
	s.met(found)
	if v.JSON {
		if werr := s.checkJSON(report); err == nil {
			err = werr
		}
	} else {
		s.checkText(report, found, err == nil)
	}
	for _, fault := range report.Tiling {
		fmt.Fprintf(s.errs, "cutaway: a fault of the decoder, not of the file: %s\n", fault)
	}
	return err
}

func (s *session) checkJSON(r *model.Report) error {
	buf := []byte(`{"problems":[`)
	for i := range r.Problems {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = export.AppendProblem(buf, r.Problems[i].Path, &r.Problems[i].Problem)
		if len(buf) >= 1<<16 {
			if _, err := s.out.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	buf = append(buf, `],"coverage":`...)
	var lines []model.Object
	for _, c := range r.Coverage {
		lines = append(lines, model.Object{
			{Key: "source", Value: model.Text(export.PathText(c.Source.Name()))},
			{Key: "size", Value: model.Int(c.Size)},
			{Key: "explained", Value: model.Int(c.Explained)},
			{Key: "padding", Value: model.Int(c.Padding)},
			{Key: "unreferenced", Value: model.Int(c.Unreferenced)},
			{Key: "unknown", Value: model.Int(c.Unknown)},
			{Key: "pending", Value: model.Int(c.Pending)},
			{Key: "shared", Value: model.Int(c.Shared)},
		})
	}
	buf = append(s.appendObjects(buf, lines), "}\n"...)
	_, err := s.out.Write(buf)
	return err
}

func (s *session) checkText(r *model.Report, found export.Tally, complete bool) {
	for i := range r.Problems {
		s.problem(&r.Problems[i])
	}
	if len(r.Problems) > 0 {
		fmt.Fprintln(s.out)
	}
	table := textTable{head: []string{"source", "size", "explained", "padding", "unreferenced", "unknown", "pending", "shared"}, left: 1}
	for _, c := range r.Coverage {
		table.add(export.PathText(c.Source.Name()), group(c.Size), group(c.Explained), group(c.Padding), group(c.Unreferenced),
			group(c.Unknown), group(c.Pending), group(c.Shared))
	}
	table.write(s)
	fmt.Fprintln(s.out)
	if complete {
		fmt.Fprintln(s.out, s.verdict(found, "sound"))
	} else {
		fmt.Fprintln(s.out, "not checked to the end; so far: "+s.verdict(found, "no problem"))
	}
}

// problem prints one problem: severity and message, then the place, then what was expected and found.
func (s *session) problem(p *model.LocatedProblem) {
	sev := p.Kind.Severity()
	fmt.Fprintf(s.out, "%s %s  %s\n", s.style.Severity(sev, export.Mark(sev)+" "+sev.String()+" ("+p.Kind.String()+")"),
		oneLine(s.ctx, p.Message), s.style.Quiet("["+p.Rule+"]"))
	fmt.Fprintf(s.out, "    at %s  %s\n", position(p.Span), export.PathText(p.Path))
	if p.Expected != "" || p.Found != "" {
		fmt.Fprintf(s.out, "    expected %s, found %s\n", orNothing(s.ctx, p.Expected), orNothing(s.ctx, p.Found))
	}
}

// position tells a span in words, with the file of a source that is spread over several.
func position(at model.Span) string {
	if at.Source == nil {
		return "no place"
	}
	where := fmt.Sprintf("%#x (%d), %s", at.Off, at.Off, count(at.Len, "byte"))
	for _, seg := range at.Source.Segments() {
		if at.Off >= seg.Start && at.Off < seg.Start+seg.Length {
			where += fmt.Sprintf(", %s at %#x", seg.File, at.Off-seg.Start)
		}
	}
	if at.Source.Origin() != nil {
		where += " of " + export.PathText(at.Source.Name())
	}
	return where
}

func orNothing(ctx context.Context, s string) string {
	if s == "" {
		return "nothing"
	}
	return oneLine(ctx, s)
}

func oneLine(ctx context.Context, s string) string { return model.Show(ctx, model.Text(s), len(s)+1) }

// verdict counts errors and warnings in words, or says clean where there are none. Notes are told but do not
// matter.
func (s *session) verdict(t export.Tally, clean string) string {
	var parts []string
	if t.Errors > 0 {
		parts = append(parts, s.style.Severity(model.Error, count(t.Errors, "error")))
	}
	if t.Warnings > 0 {
		parts = append(parts, s.style.Severity(model.Warning, count(t.Warnings, "warning")))
	}
	if t.Errors == 0 {
		parts = append([]string{clean}, parts...)
	}
	if t.Notes > 0 {
		parts = append(parts, s.style.Severity(model.Note, count(t.Notes, "note")))
	}
	return strings.Join(parts, ", ")
}
