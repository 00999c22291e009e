package decoders

import "cutaway/model"

// KindBy returns the kind of a problem by the format's program, or with strict by its standard.
func KindBy(strict bool, p *model.Problem) model.Kind {
	rule := RuleOf(p.Rule)
	switch {
	case !strict || rule == nil:
		return p.Kind
	case rule.Forbidden:
		return model.Malformed
	case rule.Discouraged && p.Kind == model.Assumed:
		return model.Suspicious
	}
	return p.Kind
}

// Verdicts returns in a word what each judge says of a file with these problems.
func Verdicts(judges []model.Judge, problems []model.LocatedProblem) []string {
	var words []string
	for _, j := range judges {
		worst := model.Note
		for i := range problems {
			worst = max(worst, KindBy(j.Strict, &problems[i].Problem).Severity())
		}
		words = append(words, [...]string{model.Note: "sound", model.Warning: "warns", model.Error: "refused"}[worst])
	}
	return words
}

// Parting returns in a line what the judges say of a file, or "" if they agree or only one judges its version.
func Parting(judges []model.Judge, problems []model.LocatedProblem) string {
	line, first, parts := "", "", false
	for i, word := range Verdicts(judges, problems) {
		if !judges[i].Judges {
			continue
		}
		if first == "" {
			line, first = judges[i].Title+": "+word, word
			continue
		}
		line, parts = line+"; "+judges[i].Title+": "+word, parts || word != first
	}
	if !parts {
		return ""
	}
	return line
}
