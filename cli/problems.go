package cli

import (
	"fmt"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export"
)

// problems prints the problems of a file: each, or equal ones as one with those that follow below.
func (s *session) problems(c *checked) {
	if c.files.v.Each {
		for i := range c.Problems {
			s.problem(&c.Problems[i])
		}
		return
	}
	groups := model.GroupProblems(c.Problems)
	follow := make([][]int, len(groups.List))
	for i, g := range groups.List {
		if g.Because >= 0 {
			follow[g.Because] = append(follow[g.Because], i)
		}
	}
	for i, g := range groups.List {
		if g.Because >= 0 {
			continue
		}
		s.problemGroup(c.Problems, g)
		for _, k := range follow[i] {
			of := groups.List[k]
			first := &c.Problems[of.First[0]]
			fmt.Fprintf(s.out, "    %s: %s  %s\n", followers(of.Count), oneLine(s.ctx, first.Message), s.style.Quiet("["+first.Rule+"]"))
		}
	}
}

func followers(n int) string {
	if n == 1 {
		return "1 follows from it"
	}
	return model.Grouped(int64(n)) + " follow from it, such as"
}

// problemGroup prints the first problem of a group, the places of the next, and how many there are.
func (s *session) problemGroup(all []model.LocatedProblem, g model.ProblemGroup) {
	first := &all[g.First[0]]
	s.problem(first)
	for _, i := range g.First[1:] {
		p := &all[i]
		if p.Message != first.Message {
			fmt.Fprintf(s.out, "    and %s\n", oneLine(s.ctx, p.Message))
		}
		s.placeOf(p)
		if p.Expected != first.Expected || p.Found != first.Found {
			s.expectation(p)
		}
	}
	if g.Count > len(g.First) {
		fmt.Fprintf(s.out, "    %s times in all; --each prints every one\n", model.Grouped(int64(g.Count)))
	}
}

// problem prints one problem: severity and message, then the place, then what was expected and found.
func (s *session) problem(p *model.LocatedProblem) {
	s.problemTitle(&p.Problem)
	s.placeOf(p)
	s.expectation(p)
}

// problemTitle prints the severity, the message and the rule of a problem.
func (s *session) problemTitle(p *model.Problem) {
	sev := p.Kind.Severity()
	fmt.Fprintf(s.out, "%s %s  %s\n", s.style.Severity(sev, export.Mark(sev)+" "+sev.String()+" ("+p.Kind.String()+")"),
		oneLine(s.ctx, p.Message), s.style.Quiet("["+p.Rule+"]"))
}

func (s *session) placeOf(p *model.LocatedProblem) {
	fmt.Fprintf(s.out, "    at %s  %s\n", position(p.Span), export.Elide(export.PathText(p.Where()), widestPath))
}

func (s *session) expectation(p *model.LocatedProblem) {
	if p.Expected != "" || p.Found != "" {
		fmt.Fprintf(s.out, "    expected %s, found %s\n", orNothing(s.ctx, p.Expected), orNothing(s.ctx, p.Found))
	}
}

// problemsJSON appends the problems of a file as JSON, or one of each group. It writes what is long.
func (s *session) problemsJSON(buf []byte, c *checked) ([]byte, error) {
	groups := model.GroupProblems(c.Problems)
	for i := range c.Problems {
		of := groups.Of[i]
		g := groups.List[of]
		in := export.Grouped{Group: of + 1, Because: g.Because + 1}
		if c.files.v.Fold {
			if i != g.First[0] {
				continue
			}
			in.Count = g.Count
			for _, k := range g.First {
				in.Places = append(in.Places, &c.Problems[k])
			}
		}
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = export.AppendProblem(buf, &c.Problems[i], decoders.RuleOf(c.Problems[i].Rule), in)
		if len(buf) >= 1<<16 {
			if _, err := s.out.Write(buf); err != nil {
				return nil, err
			}
			buf = buf[:0]
		}
	}
	return buf, nil
}
