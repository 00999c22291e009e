//go:build ci || headless || !cgo || !(linux || windows || darwin)

package sysdialog

func ask(question) (string, error) { return "", ErrNone }

// Serve returns false.
func Serve() (bool, error) { return false, nil }
