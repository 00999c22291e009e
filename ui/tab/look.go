package tab

import (
	"errors"

	"cutaway/model"
	"cutaway/source/far"
	"cutaway/ui/disk"
	"cutaway/ui/opening"
)

// Look finds out in the background whether the tab's files have changed, unless it still does since the disk does not answer.
func (t *Tab) Look() {
	if t.Pane == nil {
		return
	}
	if t.Looking {
		t.lookForLoss()
		return
	}
	file, with, description := t.target.File, t.Subject.With, t.descriptionFiles()
	if !t.Subject.IsFile() || far.IsAddress(t.Subject.File) {
		file = ""
	}
	t.Looking = true
	disk.Ask(t.shell.Post, func() (now [2]opening.Stamp) {
		if file != "" {
			now[0] = opening.StampOf(file, with...)
		}
		if len(description) > 0 {
			now[1] = opening.StampOf(description[0], description[1:]...)
		}
		return now
	}, func(now [2]opening.Stamp) {
		t.Looking = false
		if t.Pane == nil || t.Ended() {
			return
		}
		if file != "" {
			t.lookForChange(now[0])
		}
		if len(description) > 0 {
			t.lookForDescription(description[0], now[1])
		}
		t.lookForLoss() // which says more than that there is a change
	})
}

// lookForChange offers to reload a file that has changed, now having another stamp.
func (t *Tab) lookForChange(now opening.Stamp) {
	if now == t.stamp {
		return
	}
	t.stamp = now
	text := "The file has changed since it was opened; what is shown may be wrong."
	if now == (opening.Stamp{}) {
		text = "The file is not there any more; what is shown may be incomplete."
	}
	t.offerReload(text)
}

// lookForLoss says that bytes of an opened file could not be read, once for each reason.
func (t *Tab) lookForLoss() {
	lost := model.FailedRead(t.Pane.Doc)
	if lost == nil || lost.Error() == t.lost {
		return
	}
	t.lost = lost.Error()
	t.shell.Log.Write("lost", t.lost)
	text := "Bytes of the file could not be read, and what is shown lacks them: " + t.lost
	if errors.As(lost, new(*far.ErrChanged)) {
		text = "The file has changed on its server since it was opened; nothing more is read of it."
	}
	t.offerReload(text)
	t.host.Changed()
}
