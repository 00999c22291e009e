package main

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// A hit is a phrase or name that is better written otherwise.
type hit struct {
	file string
	line int
	what string
	text string
}

func (h hit) String() string { return fmt.Sprintf("%s:%d: [%s] %s", h.file, h.line, h.what, h.text) }

func (h hit) folder() string { return path.Dir(h.file) }

// A phrase is a kind of hit in comments.
type phrase struct {
	what   string
	find   *regexp.Regexp
	unless *regexp.Regexp // or nil
}

// clause and noun overlap: a comment counts for the first one.
const (
	clause = "defined by a clause"
	noun   = "what as a noun"
)

var inComments = []phrase{
	{clause, regexp.MustCompile(`^[A-Za-z_]+ (is|are) (what|how|where|which|whether|who|why|when|as many)( |$)`), nil},
	{noun, regexp.MustCompile(`(^|[ ,;:])(is|are|has|of|on|in|by|from|for) what `), nil},
	{"nil: in place of or nil if", regexp.MustCompile(`[;,] (nil|""|0|none|-1|unset|false): `), nil},
	{"tell", regexp.MustCompile(`(^| )(tells?|told)( |,|;|\.|$)`), nil},
	{"go over", regexp.MustCompile(`(^| )(goes?|gone|going) (over|through|on|by|up to|down)( |$)`), nil},
	{"let go", regexp.MustCompile(`(^| )lets? go( |$)`), nil},
	{"of it", regexp.MustCompile(`(^| )(of|to|in|on|for|from|with) (it|them|which|whom)([ .,;]|$)`), regexp.MustCompile(`one of (it|them)`)},
	{"there", regexp.MustCompile(`(is|are|was|were|what is|not) there([ .,;:]|$)`), nil},
	{"who looks", regexp.MustCompile(`(^| )who (asks|looks|reads|checks|measures|compares|listens|visits|has)( |$)`), nil},
	{"idiom", regexp.MustCompile(`(^| )(in place of|all the same|else[,.]|be had|takes? (down|part))( |$|[.,;])`), nil},
	{"implements X", regexp.MustCompile(`^[A-Z][A-Za-z]+ implements [A-Za-z]+(\.[A-Za-z]+)?\.$`), nil},
}

// Names without a meaning of their own, of functions and of types.
var (
	vague = words(`is are over put ever take took taken tell told has of at by in as to lack lay flat whole met made keep again below beside
		within letGo goes stand deed give be do bad good odd even one two all own around above alive calm apart`)
	vagueTypes = words("Stand Deed Below Beside Odd told deed stand place part piece thing seat room trail odd")
)

func words(list string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

var (
	comment  = regexp.MustCompile(`(?:^|[ \t])// `)
	function = regexp.MustCompile(`^func (?:\([^)]*\) )?([^\[(]*)`)
	typeName = regexp.MustCompile(`^type (\w+)[ \[]`)
)

// Sentences of more words than these are long.
const (
	longSentence    = 28
	longestSentence = 40
)

// prose finds the hits in the text of a file.
func prose(name string, text []byte) (hits []hit) {
	sentence := 0 // words so far
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimRight(line, "\n")
		add := func(what, text string) { hits = append(hits, hit{name, number, what, text}) }
		code, said := splitComment(line)
		if code || said == "" { // a comment behind code is a sentence of its own
			sentence = 0
		}
		if said != "" {
			inComment(said, add)
			sentence = inSentence(said, sentence, add)
		}
		if code {
			sentence = 0
		}
		if m := function.FindStringSubmatch(line); m != nil && vague[m[1]] {
			add("name "+m[1], line)
		}
		if m := typeName.FindStringSubmatch(line); m != nil && vagueTypes[m[1]] {
			add("type "+m[1], line)
		}
	}
	return hits
}

// splitComment returns the comment of a line, or "", and whether code precedes it.
func splitComment(line string) (code bool, said string) {
	if !strings.Contains(line, "// ") {
		return false, ""
	}
	at := comment.FindStringIndex(line)
	if at == nil {
		return false, ""
	}
	return strings.TrimSpace(line[:at[0]]) != "", line[at[1]:]
}

func inComment(said string, add func(what, text string)) {
	defined := false
	for _, p := range inComments {
		if defined && p.what == noun || !p.find.MatchString(said) || p.unless != nil && p.unless.MatchString(said) {
			continue
		}
		defined = defined || p.what == clause
		add(p.what, said)
	}
}

// inSentence counts the words of a line of comment on top of those before it, and returns those of the sentence it ends in.
func inSentence(said string, before int, add func(what, text string)) int {
	for _, w := range strings.Fields(said) {
		before++
		if !strings.ContainsAny(w[len(w)-1:], ".:;") {
			continue
		}
		switch {
		case before > longestSentence:
			add("sentence of more than 40 words", said)
		case before > longSentence:
			add("sentence of 29 to 40 words", said)
		}
		before = 0
	}
	return before
}
