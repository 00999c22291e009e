package usda

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"cutaway/model"
	"cutaway/model/releases"
)

// A release holds the versions of files that a release of OpenUSD reads.
type release struct {
	name           string
	oldest, newest int    // minor versions of crates
	text           string // newest version of text that it takes in a header, or "" if it does not look
	inside         []program
}

// A program has a release inside, as a public source says.
type program struct{ name, source string }

// moonRay says which releases Houdini has.
const moonRay = "https://github.com/OpenMoonRay/openmoonray/discussions/160"

// openUSD are the releases of the Python package usd-core, oldest first. Those from 24.03 on opened crates and text of each version, and with
// each feature, that 26.11 had written. Of older ones, the versions are those that messages in their libraries name.
var openUSD = []release{
	{"20.11", 0, 9, "", nil}, {"21.02", 0, 9, "", nil}, {"21.05", 0, 9, "", nil}, {"21.08", 0, 9, "", []program{{"Houdini 19.0", moonRay}}}, {"21.11", 0, 9, "", nil},
	{"22.03", 0, 9, "", nil}, {"22.05", 0, 9, "", []program{{"Houdini 19.5", moonRay}}}, {"22.08", 0, 9, "", nil}, {"22.11", 0, 9, "", nil},
	{"23.02", 0, 9, "", nil}, {"23.05", 0, 9, "", nil}, {"23.08", 0, 9, "", nil}, {"23.11", 0, 10, "", nil},
	{"24.03", 0, 10, "", nil}, {"24.05", 0, 11, "", nil}, {"24.08", 0, 11, "", nil}, {"24.11", 0, 12, "", nil},
	{"25.02", 0, 12, "", []program{{"Blender 4.5", "build_files/build_environment/cmake/versions.cmake of blender-v4.5-release"}}}, {"25.05", 0, 12, "", nil}, {"25.08", 0, 13, "1.1", nil}, {"25.11", 0, 14, "1.2", nil},
	{"26.03", 0, 14, "1.2", nil}, {"26.05", 0, 14, "1.2", nil}, {"26.08", 0, 15, "1.3", nil}, {newestRelease, 4, NewestCrate, NewestText, nil},
}

// The newest release of OpenUSD that is known, and what it writes.
const (
	newestRelease = "26.11"
	NewestCrate   = 16 // minor version of crates
	NewestText    = "1.4"
)

// standard holds the versions that the AOUSD Core Specification 1.0.1 describes.
var standard = release{name: "1.0.1", oldest: 8, newest: 12, text: "1.0"}

// Judges are OpenUSD and the standard, and whether they judge layers of a version: of crates by its minor number, -1 for text.
func Judges(crate int, text string) []model.Judge {
	l := &Layer{Crate: crate, Text: text}
	return []model.Judge{
		{Name: "openusd", Title: "OpenUSD", Judges: crate >= 0 && crate <= NewestCrate || crate < 0 && text <= NewestText},
		{Name: "standard", Title: "the AOUSD Core Specification", Strict: true, Judges: standard.takes(l)},
	}
}

// A Feature is a kind of values that USD learnt after crates 0.7.
type Feature uint8

// The features, oldest first.
const (
	PayloadLists Feature = iota
	TimeCodes
	PathExpressions
	Relocates
	Splines
	AnimationBlocks
	TangentAlgorithms
	ArrayEdits
	LoopBoundaries
	Durations
)

// features have names, the minor version of crates that brought each, or 0 if none did, and the version of text. since is the first
// release that reads the feature, or "" if all do.
var features = [...]struct {
	name  string
	crate uint8
	text  string
	since string
}{
	PayloadLists:      {"lists of payloads", 8, "1.0", ""},
	TimeCodes:         {"time codes", 9, "1.0", ""},
	PathExpressions:   {"path expressions", 10, "1.0", "23.11"},
	Relocates:         {"relocates", 11, "1.0", "24.05"},
	Splines:           {"splines", 12, "1.0", "24.11"},
	AnimationBlocks:   {"animation blocks", 0, "1.0", "25.08"},
	TangentAlgorithms: {"tangent algorithms", 13, "1.1", "25.08"},
	ArrayEdits:        {"array edits", 14, "1.2", "25.11"},
	LoopBoundaries:    {"spline loop boundaries", 15, "1.3", "26.08"},
	Durations:         {"durations", NewestCrate, NewestText, newestRelease},
}

// String returns the name.
func (f Feature) String() string { return features[f].name }

// Crate returns the minor version of crates that brought the feature, or 0 if none did.
func (f Feature) Crate() uint8 { return features[f].crate }

// A FeatureSet is a set of features.
type FeatureSet uint16

// Add adds a feature if has is true.
func (s *FeatureSet) Add(f Feature, has bool) {
	if has {
		*s |= 1 << f
	}
}

// All yields the features, oldest first.
func (s FeatureSet) All() iter.Seq[Feature] {
	return func(yield func(Feature) bool) {
		for f := range Feature(len(features)) {
			if s>>f&1 == 1 && !yield(f) {
				return
			}
		}
	}
}

// Text returns the oldest version of text that has all features.
func (s FeatureSet) Text() string {
	newest := "1.0"
	for f := range s.All() {
		newest = max(newest, features[f].text)
	}
	return newest
}

// FeaturesOf returns the features that a node has by itself, without its children.
func FeaturesOf(n *model.Node) (s FeatureSet) {
	typ, edited := strings.CutSuffix(n.Type, " edit")
	s.Add(ArrayEdits, edited)
	element, _ := elementOf(typ)
	f, is := ofType[element]
	s.Add(f, is)
	switch n.Name {
	case "preLoopBoundary", "postLoopBoundary":
		s.Add(LoopBoundaries, true)
	case "tangentAlgorithms":
		number, ok := n.Value.(model.Uint)
		s.Add(TangentAlgorithms, ok && number != 0)
	}
	return s
}

// ofType has the features that types of values are.
var ofType = map[string]Feature{"timecode": TimeCodes, "pathExpression": PathExpressions, "Relocates": Relocates, "Spline": Splines,
	"AnimationBlock": AnimationBlocks, "duration": Durations}

// A Layer is a layer as releases see it.
type Layer struct {
	Scene   *model.View
	Crate   int           // minor version, or -1 for text
	Text    string        // version, or ""
	Version model.Problem // the place of the version, and what is found there
	At      string        // path of the version
	Has     FeatureSet
}

// Releases returns the releases of OpenUSD, oldest first. Those that refuse the layer say so.
func (l *Layer) Releases() []model.Release {
	var all []model.Release
	for i := range openUSD {
		r := &openUSD[i]
		of := model.Release{Program: "OpenUSD", Name: r.name}
		for _, p := range r.inside {
			of.Aliases = append(of.Aliases, p.name)
		}
		lacks := r.lacks(l.Has)
		switch {
		case lacks != 0:
			of.First = func(ctx context.Context) (model.LocatedProblem, error) { return l.firstOf(ctx, r, lacks) }
		case !r.takes(l):
			of.First = func(context.Context) (model.LocatedProblem, error) { return l.versionProblem(r), nil }
		}
		of.Refuses = of.First != nil
		all = append(all, of)
	}
	return all
}

// lacks returns those features that came after the release.
func (r *release) lacks(all FeatureSet) (lacks FeatureSet) {
	for f := range all.All() {
		lacks.Add(f, features[f].since > r.name)
	}
	return lacks
}

// crates names the versions of crates that the release takes.
func (r *release) crates() string {
	if r.oldest == 0 {
		return fmt.Sprintf("0.0.1 to 0.%d.0", r.newest)
	}
	return fmt.Sprintf("0.%d.0 to 0.%d.0", r.oldest, r.newest)
}

// takes reports whether the release takes the version of the layer.
func (r *release) takes(l *Layer) bool {
	if l.Crate >= 0 {
		return l.Crate >= r.oldest && l.Crate <= r.newest
	}
	return r.text == "" || l.Text >= "1.0" && l.Text <= r.text
}

// versionProblem is the problem of a release that does not take the version of the layer.
func (l *Layer) versionProblem(r *release) model.LocatedProblem {
	p := l.Version
	p.Rule, p.Kind = RuleRelease, model.Malformed
	p.Message = "OpenUSD " + r.name + " does not open files of this version"
	if p.Expected = r.crates(); l.Crate < 0 {
		p.Expected = "1.0 to " + r.text
	}
	return model.LocatedProblem{Path: l.At, Problem: p}
}

// RuleRelease is the rule of layers that a release of OpenUSD does not open.
const RuleRelease = "usd.release"

// errFound ends a walk.
var errFound = errors.New("found")

// firstOf returns the problem of the first node of the scene with one of the features, which the release lacks.
func (l *Layer) firstOf(ctx context.Context, r *release, lacks FeatureSet) (model.LocatedProblem, error) {
	located := l.versionProblem(r) // a value that the scene does not show
	err := model.Walk(ctx, l.Scene.Place(ctx), model.WalkOptions{Resolve: true}, func(at *model.Place) error {
		for f := range (FeaturesOf(&at.Node) & lacks).All() {
			located = model.LocatedProblem{Path: at.Path(), Problem: model.Problemf(model.Malformed, RuleRelease, at.Node.Span(),
				"OpenUSD %s does not read %s, which came with %s", r.name, f, features[f].since)}
			return errFound
		}
		return nil
	})
	if errors.Is(err, errFound) {
		err = nil
	}
	return located, err
}

// OpenedBy is the fact that names the releases which open the layer; quick leaves out its value.
func OpenedBy(all []model.Release) model.Fact {
	fact := model.Fact{Key: "openedBy", Title: "Version read by", Scan: true, Main: true}
	if all != nil {
		fact.Value = model.Text(releases.OpenedBy(all))
	}
	return fact
}
