//go:build ci || headless || (!linux && !(cgo && (windows || darwin)))

package sysdialog

func ask(question) (string, error) { return "", ErrNone }
