package document

// Deed is what a user did to get where the window is now.
type Deed int

// The deeds. Whatever is none of the others has Selected a node.
const (
	Selected    Deed = iota
	AskedByte        // asked what a byte is, and sees it
	WentInto         // went from bytes to those that are made from them
	Followed         // followed a reference
	SawProblems      // brought the list of problems to the front
)
