package profile

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"cutaway/model"
)

// A Damaged section is one of a file with problems, which may be sound itself.
type Damaged struct {
	Section
	Worst model.Severity // of its problems, or Note if it is whole
	Text  string         // the part that is left
	Lost  model.Span     // where it breaks, or no Source
}

// Whole is the text of a sound section without known content.
const Whole = "whole"

// mostDamaged is the most sections that are described.
const mostDamaged = 64

// mostMessage is the most bytes of a problem's message beside a section.
const mostMessage = 120

// Damage describes what problems leave of the sections of a file, the worst first.
func Damage(ctx context.Context, doc *model.Document, problems []model.LocatedProblem) (list []Damaged) {
	for _, s := range Sections(ctx, doc, doc.Source(), mostDamaged) {
		d := Damaged{Section: s}
		var first *model.LocatedProblem
		warnings := int64(0)
		for i := range problems {
			p := &problems[i]
			severity := p.Kind.Severity()
			if severity == model.Note || severity == model.Error && p.Because.Source != nil || p.Member != "" || !s.holds(p) {
				continue
			}
			if severity == model.Warning {
				warnings++
			}
			if first == nil || severity > d.Worst {
				first, d.Worst = p, severity
			}
		}
		if d.Text = Whole; d.Worst == model.Error {
			d.Text, d.Lost = leftOf(ctx, doc, first), first.Span
		} else {
			d.describe(ctx, warnings)
		}
		list = append(list, d)
	}
	slices.SortStableFunc(list, func(a, b Damaged) int {
		return cmp.Or(cmp.Compare(b.Worst, a.Worst), cmp.Compare(a.At.Off, b.At.Off))
	})
	return list
}

// holds reports whether a problem is in the section.
func (s *Section) holds(p *model.LocatedProblem) bool {
	path := s.Place.Path()
	return p.Path == path || strings.HasPrefix(p.Path, path+"/") || strings.HasPrefix(p.Path, path+"@")
}

// leftOf returns the words of the list that an error has cut, or else the error's.
func leftOf(ctx context.Context, doc *model.Document, p *model.LocatedProblem) string {
	if at, err := doc.Lookup(ctx, p.Path); err == nil && strings.HasSuffix(at.Node.Brief, " left") {
		return at.Node.Brief
	}
	text := strings.ToValidUTF8(p.Message[:min(len(p.Message), mostMessage)], "")
	if len(p.Message) > mostMessage {
		text = text[:strings.LastIndexByte(text, ' ')+1] + "…"
	}
	return text
}

// describe says what a section without errors holds, and how much of its bytes nothing refers to.
func (d *Damaged) describe(ctx context.Context, warnings int64) {
	brief, loose := d.Place.Node.Brief, int64(0)
	n, exact := d.Place.Len(ctx)
	for i := range min(n, mostLooked) {
		child := d.Place.Child(ctx, i).Node
		entries, isCount := child.Value.(model.Uint)
		switch {
		case child.Role == model.Unreferenced, child.Role == model.Unknown:
			loose += child.Span().Len
		case brief == "" && isCount && child.Name == "count":
			brief = model.Grouped(int64(min(entries, math.MaxInt64))) + map[bool]string{true: " entry", false: " entries"}[entries == 1]
		case brief == "" && child.Value == nil && strings.Contains(child.Brief, " "):
			brief = child.Brief
		}
	}
	var parts []string
	switch {
	case d.Place.Node.Role == model.Padding:
		d.Text = "padding"
	case !d.Explained:
		d.Text, d.Worst = roleWords[d.Place.Node.Role], max(d.Worst, model.Warning)
	case loose > d.At.Len/2 && exact:
		d.Worst = max(d.Worst, model.Warning)
		parts = append(parts, model.GroupedCount(loose, "byte")+" that nothing refers to now")
	default:
		parts = append(parts, joined(" ", brief, Whole))
	}
	if warnings > 0 {
		parts = append(parts, model.GroupedCount(warnings, "warning"))
	}
	if len(parts) > 0 {
		d.Text = strings.Join(parts, "; ")
	}
}

// Left returns a line for each view of a document by meaning that has something: its title and what its root holds.
func Left(ctx context.Context, doc *model.Document) (lines []model.Said) {
	for _, v := range doc.Views {
		if v.Name == model.LayoutView || v.Of != nil {
			continue
		}
		root := v.Place(ctx)
		if n, exact := root.Len(ctx); n == 0 && exact {
			continue
		}
		m := &maker{ctx: ctx, doc: doc, view: v, place: root}
		lines = model.Say(lines, v.Title, inWords(m.valueOf(root)), model.Ref{Path: v.Name})
	}
	return lines
}
