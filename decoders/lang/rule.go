package lang

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// A target is the record, the field or the elements of a field that a rule or a look is on.
type target struct {
	record, field string
	element       bool
	whole         bool // the record
}

// targets takes apart what a rule or a look is on.
func targets(on string) (list []target) {
	for one := range strings.SplitSeq(on, ",") {
		one, element := strings.CutSuffix(strings.TrimSpace(one), "[]")
		record, field, ofField := strings.Cut(one, ".")
		list = append(list, target{record, field, element, !ofField})
	}
	return list
}

// isField reports whether a target is a field, whose name may be written as expressions have it.
func (p target) isField(record, field string) bool {
	return !p.whole && p.record == record && (p.field == field || p.field == Underscored(field))
}

// rules adds the rules of a field.
func (c *lowering) rules(f *Field, low *grammar.Field) {
	if c.bare {
		return
	}
	for i := range c.language.Rules {
		rule := &c.language.Rules[i]
		c.ruleOn(f, low, rule, c.language.index.on[rule.On])
	}
	for i := range c.own {
		c.ruleOn(f, low, &c.own[i], targets(c.own[i].On))
	}
}

// ruleOn adds a rule to a field as often as the field is among its targets.
func (c *lowering) ruleOn(f *Field, low *grammar.Field, rule *Rule, on []target) {
	for _, p := range on {
		if p.isField(c.record.Name, f.Name) {
			c.rule(rule, p, low)
		}
	}
}

// recordRules adds the rules of the record as a whole.
func (c *lowering) recordRules(out *grammar.Record) {
	if c.bare {
		return
	}
	for i := range c.language.Rules {
		rule := &c.language.Rules[i]
		for _, p := range c.language.index.on[rule.On] {
			if p.whole && p.record == c.record.Name {
				out.Checks = append(out.Checks, c.check(rule, false))
			}
		}
	}
}

// check returns a rule as the engine has it.
func (c *lowering) check(rule *Rule, element bool) grammar.Check {
	return (&compiledRule{Rule: rule, id: c.language.rule(rule.ID), element: element, words: c.words, binding: c.binding(rule)}).check()
}

// rule adds a rule to a field.
func (c *lowering) rule(rule *Rule, p target, low *grammar.Field) {
	list := low.Repeat != nil
	if list && !p.element && rule.Holds == "fits" && rule.Says == "" && rule.If == "" {
		low.Repeat.Rule = c.language.rule(rule.ID) // the engine holds the count against the bytes before it reads
		return
	}
	check := c.check(rule, list && p.element)
	if list && !p.element {
		low.Repeat.Checks = append(low.Repeat.Checks, check)
		return
	}
	low.Checks = append(low.Checks, check)
}

// binding records whether a rule could be compiled, while the language is checked.
func (p *program) binding(rule *Rule) *binding {
	if p.checks == nil {
		return nil
	}
	if p.checks[rule] == nil {
		p.checks[rule] = new(binding)
	}
	return p.checks[rule]
}

// look completes a node.
type look = func(s Scope, it Value, n *Node)

// looks sets how the nodes of a field are completed.
func (c *lowering) looks(f *Field, low *grammar.Field) {
	if c.bare {
		return
	}
	whole, each := c.namedLooks(f, low)
	if e := c.language.index.entries[f.entries]; e != nil {
		each = append(e.looks(f.link), each...)
	}
	if f.parts != nil {
		each = append([]look{showParts(f.parts, f.of, f.hex)}, each...)
	}
	if low.Repeat != nil {
		whole = append(whole, f.looked...)
	} else {
		each = append(each, f.looked...)
	}
	if len(whole)+len(each) == 0 {
		return
	}
	low.Node = func(s Scope, it Value, n *Node) {
		if _, read := it.Uint(); f.parts != nil && low.Repeat == nil && !read {
			return // a number that could not be read has no parts to look at
		}
		looks := each
		if low.Repeat != nil && it.List() != nil {
			looks = whole
		}
		for _, look := range looks {
			look(s, it, n)
		}
	}
}

// namedLooks returns the looks of a list as a whole, and those of a field or of each element.
func (c *lowering) namedLooks(f *Field, low *grammar.Field) (whole, each []look) {
	for i := range c.language.Looks {
		l := &c.language.Looks[i]
		for _, p := range c.language.index.on[l.On] {
			if !p.isField(c.record.Name, f.Name) {
				continue
			}
			if l.Names != nil && low.Repeat != nil {
				low.Repeat.Names = l.Names
			}
			switch list := low.Repeat != nil; {
			case l.Node == nil, p.element && !list: // another field of the name is a list
			case list && !p.element:
				whole = append(whole, l.Node)
			default:
				each = append(each, l.Node)
			}
		}
	}
	return whole, each
}

// looks returns how the node of a field is completed that names an entry.
func (e *Entries) looks(kind string) (all []look) {
	if e.Refs != nil || e.Text != nil {
		all = append(all, e.show(kind))
	}
	if e.Show != nil {
		all = append(all, e.Show)
	}
	return all
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
			list[k].Clause = cmp.Or(list[k].Clause, l.clause(r.Standard))
			continue
		}
		list = append(list, model.Rule{ID: id, Help: help, Clause: l.clause(r.Standard), Forbidden: r.Forbidden, Discouraged: r.Discouraged})
	}
	return list
}
