package cli

import (
	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export"
)

// kindBy returns the kind of a problem by the format's program, or with strict by its standard.
func kindBy(strict bool, p *model.Problem) model.Kind {
	if rule := decoders.RuleOf(p.Rule); strict && rule != nil && rule.Forbidden {
		return model.Malformed
	}
	return p.Kind
}

// verdictsOf returns in a word what each judge says of a file with these problems.
func verdictsOf(judges []model.Judge, problems []model.LocatedProblem) []string {
	var words []string
	for _, j := range judges {
		var found export.Tally
		for i := range problems {
			p := problems[i].Problem
			p.Kind = kindBy(j.Strict, &p)
			found.Add(&p)
		}
		word := "sound"
		switch {
		case found.Errors > 0:
			word = "refused"
		case found.Warnings > 0:
			word = "warns"
		}
		words = append(words, word)
	}
	return words
}

// verdictsObject returns the verdicts by the judges' names. They are null of a judge who does not judge the version, and of a file that
// was not read to its end.
func (c *checked) verdictsObject() model.Object {
	var all model.Object
	for i, j := range c.judges {
		m := model.Member{Key: j.Name}
		if j.Judges && c.whole && c.found.Limits == 0 {
			m.Value = model.Text(c.verdicts[i])
		}
		all = append(all, m)
	}
	return all
}

// otherVerdict returns in a line what the judges say who were not asked, where they say another thing.
func (c *checked) otherVerdict() string {
	asked := ""
	for i, j := range c.judges {
		if j.Name == c.by {
			asked = c.verdicts[i]
		}
	}
	for i, j := range c.judges {
		if j.Judges && c.whole && c.verdicts[i] != asked {
			return "by " + j.Title + ": " + c.verdicts[i]
		}
	}
	return ""
}
