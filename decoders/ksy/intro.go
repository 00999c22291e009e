package ksy

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cutaway/model"
)

// numberType matches the names of the types of numbers.
var numberType = regexp.MustCompile(`^([usf])([1248])(le|be)?$`)

// typeWords says in words what a type is: "an unsigned number of 4 bytes, little endian".
func typeWords(n *model.Node) string {
	size := model.GroupedCount(n.Span().Len, "byte")
	match := numberType.FindStringSubmatch(n.Type)
	switch {
	case match != nil:
		text := map[string]string{"u": "A number of ", "s": "A number with a sign of ", "f": "A floating-point number of "}[match[1]] + size
		return text + map[string]string{"le": ", little endian", "be": ", big endian"}[match[3]]
	case n.Type == "str" || n.Type == "strz":
		return "A text of " + size
	case n.Type == "bytes":
		return capital(size)
	case n.Elements || strings.HasSuffix(n.Type, "[]"):
		return "A list of " + strings.TrimSuffix(n.Type, "[]")
	}
	return "A record of type " + n.Type
}

func capital(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// intro introduces a field by its type and its documentation. It links the fields whose place, size or number depend on the field.
func (f *describedFile) intro(_ context.Context, p *model.Place) (in model.Intro) {
	n := &p.Node
	if p.Parent == nil {
		in.Sentence = "A file as the description " + f.description.Main.title() + " has it."
		if n.Help != "" {
			in.Sentence += " " + capital(strings.TrimSuffix(n.Help, ".")) + "."
		}
		return in
	}
	in.Sentence = typeWords(n) + ", in " + cmp.Or(strings.TrimSuffix(p.Parent.Node.Type, "[]"), p.Parent.Label()) + "."
	field := f.fieldOf(p)
	if field == nil {
		return in
	}
	line := field.node.firstLine()
	if n.Help != "" {
		in.Sentence += " " + capital(strings.TrimSuffix(n.Help, ".")) + "."
	} else {
		in.Sentence += fmt.Sprintf(" The description says nothing more of it: add doc at line %d.", line)
	}
	in.Facts = model.Say(in.Facts, "described at", fmt.Sprintf("%s, line %d", field.node.file.name, line))
	in.Links = usedIn(p, field)
	return in
}

// followers are the keys of a field whose expressions decide on its place, size, number or type.
var followers = regexp.MustCompile(`(?m)^\s*-?\s*(repeat-expr|repeat-until|size|if|pos|value|switch-on|valid|io)\s*:(.*)$`)

// usedIn links to the fields beside a field whose expressions name it.
func usedIn(p *model.Place, field *Field) []model.Said {
	var refs []model.Ref
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(field.ID) + `\b`)
	for _, other := range slices.Concat(field.Owner.Seq, field.Owner.Instances) {
		at := other.node.passage()
		lines := strings.Split(other.Place.Module.Text, "\n")
		if at.First < 1 || at.Last > len(lines) {
			continue
		}
		for _, match := range followers.FindAllStringSubmatch(strings.Join(lines[at.First-1:at.Last], "\n"), -1) {
			if word.MatchString(match[2]) && other != field {
				refs = append(refs, model.Ref{Path: p.Parent.Path() + "/" + model.EscapeSegment(other.ID), Text: other.ID + " (" + match[1] + ")"})
			}
		}
	}
	return model.Say(nil, "used in", "", refs...)
}
