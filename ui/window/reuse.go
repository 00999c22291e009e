package window

import (
	"context"
	"encoding/json"

	"fyne.io/fyne/v2"

	"cutaway/ui/handover"
	"cutaway/ui/opening"
)

// Give hands targets to a window that runs already and reports whether one has taken them.
func Give(targets []opening.Target) bool {
	for i := range targets {
		t := &targets[i]
		if !opening.Remembers(append(t.With, t.File)...) {
			return false // what is secret in an address does not leave the process
		}
		whole, err := opening.Absolute(append([]string{t.File}, t.With...))
		if err != nil {
			return false
		}
		t.File, t.With = whole[0], whole[1:]
	}
	request, err := json.Marshal(targets)
	return err == nil && handover.Give(handover.Folder(), request) == nil
}

// A Door takes what other starts are asked to open, while it is open.
type Door struct {
	w        *Window
	listener *handover.Listener // nil: nothing is taken
}

// Listen lets later starts hand their files to this window.
func (d *Door) Listen() error {
	l, err := handover.Listen(handover.Folder(), d.answers, func(request []byte) {
		var targets []opening.Target
		if json.Unmarshal(request, &targets) == nil { // else another version of the program wrote it
			d.w.Shell.Post(func() { d.open(targets) })
		}
	})
	d.listener = l
	return err
}

// answers returns once the UI goroutine does something.
func (d *Door) answers(ctx context.Context) error {
	done := make(chan struct{})
	d.w.Shell.Post(func() { close(done) })
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// open opens what another start was asked to open, and comes to the front.
func (d *Door) open(targets []opening.Target) {
	if d.w.Closing {
		return
	}
	for _, t := range targets {
		d.w.Open(t)
	}
	d.w.Shell.Win.Show() // it may be minimised
	d.w.Shell.Win.RequestFocus()
	d.w.Shell.Log.Write("taken", len(targets))
}

// Close lets later starts open windows of their own.
func (d *Door) Close() {
	if d.listener != nil {
		if err := d.listener.Close(); err != nil {
			fyne.LogError("closing the socket for other starts", err)
		}
		d.listener = nil
	}
}

// Used makes this the window that other starts find first.
func (d *Door) Used() {
	if d.listener != nil {
		d.listener.Used()
	}
}
