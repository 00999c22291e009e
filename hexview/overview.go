package hexview

// MarkKind says what a Mark of the overview strip stands for. Kinds differ in place and shape, not only in colour.
type MarkKind uint8

// The kinds of marks. Later kinds are drawn over earlier ones.
const (
	MarkSection    MarkKind = iota // a section of the file: a block in the strip, its border a line
	MarkSectionOdd                 // the same in the other of two alternating tints
	MarkUnknown                    // bytes outside any rule: a hatched block
	MarkMatch                      // something found by a search: a short bar on the left
	MarkNote                       // a problem's place: a bar on the right, short for a note, longer for a warning, and
	MarkWarning                    // all over the strip for an error
	MarkError
)

// A Mark is a range shown in the overview strip.
type Mark struct {
	Range
	Kind MarkKind
}
