package lang

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// A place is what a rule or a look is on: a record, or a field of it, or each element of a field.
type place struct {
	record, field string
	element       bool
}

// places takes apart what a rule or a look is on.
func places(on string) (list []place) {
	for one := range strings.SplitSeq(on, ",") {
		one, element := strings.CutSuffix(strings.TrimSpace(one), "[]")
		record, field, _ := strings.Cut(one, ".")
		list = append(list, place{record, field, element})
	}
	return list
}

// isField reports whether a place is a field; blanks in its name may be written as underscores.
func (p place) isField(record, field string) bool {
	return p.record == record && (p.field == field || p.field == underscored(field))
}

// underscored returns a name as expressions have it.
func underscored(name string) string { return strings.ReplaceAll(name, " ", "_") }

// rules adds the rules of a field.
func (c *lowering) rules(f *Field, low *grammar.Field) {
	if c.bare {
		return
	}
	l := c.plan.language
	for i := range l.Rules {
		rule := &l.Rules[i]
		for _, p := range l.index.on[rule.On] {
			if p.isField(c.record.Name, f.Name) {
				c.rule(rule, p, low)
			}
		}
	}
}

// rule adds a rule to a field.
func (c *lowering) rule(rule *Rule, p place, low *grammar.Field) {
	id := c.plan.language.rule(rule.ID)
	list := low.Repeat != nil
	if list && !p.element && rule.Holds == "fits" && rule.Says == "" && rule.If == "" {
		low.Repeat.Rule = id // the engine holds the count against the bytes before it reads
		return
	}
	check := grammar.Rule{ID: id, Kind: rule.Kind, If: string(rule.If), Holds: string(rule.Holds), Want: rule.Want, Found: rule.Found,
		Says: rule.Says, Ends: rule.Stops, Element: list && p.element, Find: rule.Find}.Check()
	if list && !p.element {
		low.Repeat.Checks = append(low.Repeat.Checks, check)
		return
	}
	low.CheckBy(check)
}

// looks sets how the nodes of a field are completed.
func (c *lowering) looks(f *Field, low *grammar.Field) {
	if c.bare {
		return
	}
	l := c.plan.language
	var whole, each []func(s Scope, it Value, n *Node)
	if f.parts != nil {
		low.Parts = f.parts
		each = append(each, showParts(f.parts, f.hex))
	}
	if e := l.index.entries[f.entries]; e != nil && (e.Refs != nil || e.Text != nil) {
		each = append(each, e.show(f.link))
	}
	for i := range l.Looks {
		look := &l.Looks[i]
		for _, p := range l.index.on[look.On] {
			switch {
			case !p.isField(c.record.Name, f.Name):
			case look.Names != nil && low.Repeat != nil:
				low.Repeat.Names = look.Names
			case look.Node == nil:
			case low.Repeat != nil && !p.element:
				whole = append(whole, look.Node)
			default:
				each = append(each, look.Node)
			}
		}
	}
	if len(whole)+len(each) > 0 {
		low.Node = func(s Scope, it Value, n *Node) {
			looks := each
			if low.Repeat != nil && it.List() != nil {
				looks = whole
			}
			for _, look := range looks {
				look(s, it, n)
			}
		}
	}
}

// showParts shows a number as its parts.
func showParts(parts []Part, hex bool) func(s Scope, it Value, n *Node) {
	return func(_ Scope, it Value, n *Node) {
		number, ok := it.Uint()
		if !ok {
			return
		}
		if hex {
			n.Value, n.Brief = nil, fmt.Sprintf("%#0*x", int(2*n.Span().Len), number)
		}
		n.Children = grammar.PartsOf(number, n.Span(), parts)
	}
}

// show links a number to the entry that it names.
func (e *Entries) show(kind string) func(s Scope, it Value, n *Node) {
	return func(s Scope, it Value, n *Node) {
		i, ok := it.Int()
		if !ok {
			return
		}
		doc := s.Env()
		if e.Text != nil {
			n.Brief = e.Text(s.Reading().Context(), doc, i)
		}
		if e.Refs != nil {
			n.Refs = func(ctx context.Context) []model.Ref { return e.Refs(ctx, doc, i, kind) }
		}
	}
}

// RuleList returns the rules of the language, each id once, with a line of help.
func (l *Language) RuleList() []model.Rule {
	var list []model.Rule
	for i := range l.Rules {
		r := &l.Rules[i]
		help := r.Help
		if help == "" {
			help = r.Says
		}
		id := l.rule(r.ID)
		if k := slices.IndexFunc(list, func(r model.Rule) bool { return r.ID == id }); k >= 0 {
			if r.Help != "" {
				list[k].Help = r.Help
			}
			continue
		}
		list = append(list, model.Rule{ID: id, Help: help})
	}
	return list
}
