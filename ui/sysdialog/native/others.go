//go:build cgo && (windows || darwin) && !ci && !headless

package native

import "cutaway/ui/sysdialog/question"

// prepare has nothing to add to what these systems do.
func prepare(question.Question) {}
