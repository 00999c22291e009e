// Package closure finds the files that a file needs: those that it names, those that these name, and so on, each once.
package closure

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/source/far"
)

// Options control which files are found.
type Options struct {
	Open     decoders.OpenOptions // of each file
	Places   decoders.AssetPlaces // where they are looked for
	Progress model.Progress
}

// A State says what is known of a named file.
type State string

// The states.
const (
	Found   State = "found"
	Missing State = "missing"
	Broken  State = "broken"  // it exists, and has no content, or none that its format takes
	Cycle   State = "cycle"   // it is found, and its chain leads to itself
	Unknown State = "unknown" // it was not looked for
)

// Word returns the word for a state.
func (s State) Word() string {
	if s == Unknown {
		return "not looked at"
	}
	return string(s)
}

// Rules of files that others name, besides those of decoders.AssetFinder.
const (
	RuleBroken  = "assets.broken"
	RuleCycle   = "assets.cycle"
	RuleUnknown = "assets.unknown"
)

// A File is a file that another one names, or the first one.
type File struct {
	Target  decoders.Target // or the zero Target if it is not found
	State   State
	Asset   string                // its name in By
	Arc     string                // how By names it: "reference"
	By      *File                 // the first file that names it, or nil
	At      model.LocatedSpan     // where By names it first
	Depth   int                   // files in the chain before it
	Title   string                // its format and version, or "" if it was not opened
	Problem *model.LocatedProblem // in By, or in the file itself, or nil

	decoders.Seen
	Releases []model.Release // of the program that the format belongs to
}

// Chain returns the files from the first one to f.
func (f *File) Chain() []*File {
	var chain []*File
	for ; f != nil; f = f.By {
		chain = append(chain, f)
	}
	slices.Reverse(chain)
	return chain
}

// Name returns the name of the file, or that by which it is not found.
func (f *File) Name() string {
	if f.Target.File == "" {
		return f.Asset
	}
	return f.Target.String()
}

// About returns the file's state unless it is found, and what it is, in few words: "broken, empty", "USD text 1.0".
func (f *File) About() string {
	var words []string
	if f.State != Found {
		words = append(words, f.State.Word())
	}
	if i := strings.IndexAny(f.Is+":", ":;"); i > 0 {
		words = append(words, f.Is[:i])
	}
	if f.Title != "" {
		words = append(words, f.Title)
	}
	return strings.Join(words, ", ")
}

// Find gives the file t, and all that it needs, each once and after one that names it. Its error is that of give, of the
// context, or that the first file cannot be opened.
func Find(ctx context.Context, t decoders.Target, opt Options, give func(*File) error) error {
	s := &search{ctx: ctx, opt: opt, give: give, layers: map[decoders.Target]*layer{}, given: map[decoders.Target]*File{}, lost: map[string]bool{}, visited: map[visit]bool{}}
	root := &File{Target: clean(t), State: Found, Seen: decoders.Seen{Size: -1}}
	l, err := s.open(root)
	if err != nil {
		return err
	}
	s.given[root.Target] = root
	if err := give(root); err != nil || l == nil {
		return err
	}
	return s.follow(root, l, nil, false)
}

// clean returns a target with the shortest name of its file.
func clean(t decoders.Target) decoders.Target {
	if !far.IsAddress(t.File) {
		t.File = filepath.Clean(t.File)
	}
	return decoders.Target{File: t.File, Inner: t.Inner, Offset: -1}
}

// A search holds the files found so far. One is open at a time; the names in each are kept.
type search struct {
	ctx     context.Context
	opt     Options
	give    func(*File) error
	layers  map[decoders.Target]*layer // of files that name others, or nil
	given   map[decoders.Target]*File
	lost    map[string]bool // names without a file that were given
	visited map[visit]bool
	path    []*File // from the first file to the one that is followed
}

// A visit is one of a layer with the variables that its names are expanded by.
type visit struct {
	of        decoders.Target
	variables string
}

// follow gives the files that a file names, and follows them. The variables are those of the files that are composed with
// it; its own are added unless it is a part of the one that names it.
func (s *search) follow(f *File, l *layer, variables map[string]string, part bool) error {
	if !part {
		variables = overlaid(l.variables, variables)
	}
	v := visit{f.Target, texts(variables)}
	if s.visited[v] {
		return nil
	}
	s.visited[v] = true
	s.path = append(s.path, f)
	defer func() { s.path = s.path[:len(s.path)-1] }()
	for i := range l.mentions {
		if err := s.mentioned(f, l, &l.mentions[i], variables); err != nil {
			return err
		}
	}
	return nil
}

// overlaid returns variables, with those of others where there are any.
func overlaid(own, others map[string]string) map[string]string {
	if len(own) == 0 || len(others) == 0 {
		if len(own) == 0 {
			return others
		}
		return own
	}
	all := maps.Clone(own)
	maps.Copy(all, others)
	return all
}

// texts returns variables as one text.
func texts(variables map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		fmt.Fprintf(&b, "%q=%q,", name, variables[name])
	}
	return b.String()
}

// mentioned gives and follows the files that a name in by stands for.
func (s *search) mentioned(by *File, l *layer, m *mention, variables map[string]string) error {
	look := m.look
	if look == nil {
		look = l.look(s.ctx, m.asset, variables)
	}
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	if len(look.found) == 0 {
		return s.giveLost(by, l, m, look)
	}
	for _, t := range look.found {
		if err := s.found(by, l, m, clean(t), look, variables); err != nil {
			return err
		}
	}
	return nil
}

// giveLost gives a name without a file, once.
func (s *search) giveLost(by *File, l *layer, m *mention, look *outcome) error {
	key := look.asset
	if !strings.Contains(key, "://") && !filepath.IsAbs(key) {
		key = filepath.Join(filepath.Dir(by.Target.File), by.Target.Inner, key)
	}
	if s.lost[key] {
		return nil
	}
	s.lost[key] = true
	f := s.file(by, m, decoders.Target{}, look.asset)
	if f.State = Missing; look.err != nil {
		f.State = Unknown
		look.problem = model.Problemf(model.Assumed, RuleUnknown, model.Span{}, "%s", look.err)
	}
	f.set(look.problem, l)
	return s.give(f)
}

// found gives a file that is named, once, and follows what it names.
func (s *search) found(by *File, l *layer, m *mention, t decoders.Target, look *outcome, variables map[string]string) error {
	layered := l.names.Layered(m.arc)
	if i := slices.IndexFunc(s.path, func(f *File) bool { return f.Target == t }); i >= 0 {
		if !layered {
			return nil
		}
		return s.giveCycle(by, l, m, s.path[i:])
	}
	f := s.given[t]
	if f == nil {
		f = s.file(by, m, t, look.asset)
		s.given[t] = f
		if look.wrong {
			f.set(look.problem, l)
		}
		if err := s.examine(f, l, layered); err != nil {
			return err
		}
		if err := s.give(f); err != nil {
			return err
		}
	}
	if next := s.layers[t]; next != nil {
		return s.follow(f, next, variables, m.arc == l.names.Part)
	}
	return nil
}

// file returns a file that by names.
func (s *search) file(by *File, m *mention, t decoders.Target, asset string) *File {
	return &File{Target: t, State: Found, Asset: asset, Arc: m.arc, By: by, At: m.at, Depth: by.Depth + 1, Seen: decoders.Seen{Size: -1}}
}

// set sets the problem of a file that another names. It is an error if the file would become a part of the other.
func (f *File) set(p model.Problem, l *layer) {
	if p.Kind == model.Suspicious && l.names.Layered(f.Arc) {
		p.Kind = model.Malformed
	}
	p.Span = f.At.Span
	f.Problem = &model.LocatedProblem{Path: f.At.Path, Layer: l.first, Problem: p}
}

// giveCycle gives a file that is named by one of those in its chain.
func (s *search) giveCycle(by *File, l *layer, m *mention, round []*File) error {
	f := s.file(by, m, round[0].Target, m.asset)
	key := "cycle " + by.Name() + " " + f.Name()
	if s.lost[key] {
		return nil
	}
	s.lost[key] = true
	f.State = Cycle
	parts := m.arc == l.names.Part && !slices.ContainsFunc(round[1:], func(f *File) bool { return f.Arc != l.names.Part })
	if parts {
		f.set(model.Problemf(model.Suspicious, RuleCycle, model.Span{}, "%s is a %s of itself, which readers leave out", f.Name(), m.arc), l)
	} else {
		f.set(model.Problemf(model.Assumed, RuleCycle, model.Span{}, "%s leads to itself; whether readers take it depends on the prims", f.Name()), l)
	}
	return s.give(f)
}
