package task

import "fmt"

// Fault turns a panic of a card into an error: it costs the card, not the window. Call it deferred.
func Fault[T any](got *T, err *error) {
	if r := recover(); r != nil {
		var none T
		*got, *err = none, fmt.Errorf("Cutaway failed: %v. This is a fault of the program, not of the file", r) //nolint:staticcheck // begins with a name
	}
}
