//go:build cgo && (windows || darwin) && !ci && !headless

package native

import "cutaway/ui/sysdialog/question"

// prepare does nothing: the library sets all properties on these systems.
func prepare(question.Question) {}
