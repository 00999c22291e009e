package ui

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"

	"fyne.io/fyne/v2"

	"cutaway/source/far"
	"cutaway/ui/handover"
)

// giveToWindow hands targets to a window that runs already and reports whether one has taken them.
func giveToWindow(targets []Target) bool {
	for i := range targets {
		t := &targets[i]
		if !remembers(append(t.With, t.File)...) {
			return false // what is secret in an address does not leave the process
		}
		whole, err := absolute(append([]string{t.File}, t.With...))
		if err != nil {
			return false
		}
		t.File, t.With = whole[0], whole[1:]
	}
	request, err := json.Marshal(targets)
	return err == nil && handover.Give(handover.Folder(), request) == nil
}

// absolute makes paths mean the same in another folder.
func absolute(paths []string) ([]string, error) {
	whole := make([]string, len(paths))
	var errs error
	for i, p := range paths {
		if far.IsAddress(p) {
			whole[i] = p
			continue
		}
		abs, err := filepath.Abs(p)
		whole[i], errs = abs, errors.Join(errs, err)
	}
	return whole, errs
}

// listen lets later starts hand their files to this window.
func (w *Window) listen() error {
	l, err := handover.Listen(handover.Folder(), w.answers, func(request []byte) {
		var targets []Target
		if json.Unmarshal(request, &targets) == nil { // else another version of the program wrote it
			w.Post(func() { w.take(targets) })
		}
	})
	w.listener = l
	return err
}

// answers returns once the UI goroutine does something.
func (w *Window) answers(ctx context.Context) error {
	done := make(chan struct{})
	w.Post(func() { close(done) })
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// take opens what another start was asked to open, and comes to the front.
func (w *Window) take(targets []Target) {
	if w.closing {
		return
	}
	for _, t := range targets {
		w.open(t)
	}
	w.Win.Show() // it may be minimised
	w.Win.RequestFocus()
	w.Log.Write("taken", len(targets))
}

// stopListening lets later starts open windows of their own.
func (w *Window) stopListening() {
	if w.listener != nil {
		if err := w.listener.Close(); err != nil {
			fyne.LogError("closing the socket for other starts", err)
		}
		w.listener = nil
	}
}

// used tells other starts that this is the window last used.
func (w *Window) used() {
	if w.listener != nil {
		w.listener.Used()
	}
}

// setReuse chooses whether later starts hand their files to this window.
func (w *Window) setReuse(on bool) {
	w.stopListening()
	if on {
		if err := w.listen(); err != nil {
			w.Tell("listening for files of other starts", err)
			return
		}
	}
	w.Remembered(w.Store.SetReuse(on))
	w.updateMenu()
}
