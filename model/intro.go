package model

// An Intro introduces a node to a person in the words of its format. Parts that it lacks are made from the node.
type Intro struct {
	Title    string // or "" for the node's label
	Sentence string // one or two sentences with their full stops
	Facts    []Said // of a root the things that identify the file, otherwise values at a glance
	Stored   string // a sentence on the coding of its bytes, or ""
	Links    []Said // with labels such as "set by"
}

// A Said is a line of an introduction: a text, then links that show their Text. One without Text is the target of Label.
type Said struct {
	Label string
	Text  string
	Refs  []Ref
	Quiet bool // the text is a default that is not stored
}

// Say adds a line to lines, unless it is empty.
func Say(lines []Said, label, text string, refs ...Ref) []Said {
	if text == "" && len(refs) == 0 {
		return lines
	}
	return append(lines, Said{Label: label, Text: text, Refs: refs})
}
