package export

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
)

// lossWidth is the width of the list of lost values.
const lossWidth = 640

// result shows that a file was written, above the panes. Losses are shown in a dialog, since the user asked for a whole file.
func (x *Exporter) result(path string, n int64, o *model.Omissions) {
	reduced := export.ReducedLines(o, wholeHint)
	r := Result{Path: path, Size: n, Reduced: strings.Join(reduced, "; ")}
	_, r.Lost = o.Lost()
	r.Show = func() { x.showLost(&r, o, reduced) }
	x.host.Exported(r)
	if r.Lost > 0 {
		r.Show()
		x.Log.Write("lossy", path, r.Lost)
	}
}

// showLost lists the losses of a file.
func (x *Exporter) showLost(r *Result, o *model.Omissions, reduced []string) {
	box := container.NewVBox(wrapped(phrase.Bytes(r.Size)+" written to "+r.Path+". "+LostText(r.Lost)+":"), list(export.LostLines(o)))
	if len(reduced) > 0 {
		box.Add(wrapped("Reduced, as the form or its options have it:"))
		box.Add(list(reduced))
	}
	x.ShowModal("Not everything was exported", theme.NewWarningThemedResource(theme.WarningIcon()), box, lossWidth,
		shell.Button{Text: "Copy", Act: func() bool {
			x.App.Clipboard().SetContent(accountText(o))
			return false
		}}, shell.Button{Text: "Close", Main: true})
}

// LostText says that n values are lost.
func LostText(n int64) string {
	if n == 1 {
		return "1 value is lost"
	}
	return model.Grouped(n) + " values are lost"
}

// wholeHint names the option that leaves nothing out.
func wholeHint(o model.Omission) string {
	if export.IsShortened(o) {
		return " (“Long arrays whole” writes all)"
	}
	return ""
}

func wrapped(text string) *widget.Label {
	label := widget.NewLabel(text)
	label.Wrapping = fyne.TextWrapWord
	return label
}

// list shows lines, each with a mark before it.
func list(lines []string) fyne.CanvasObject {
	return wrapped("·  " + strings.Join(lines, "\n·  "))
}

// accountText lists all lost and reduced values, a line each.
func accountText(o *model.Omissions) string {
	var b strings.Builder
	lost, n := o.Lost()
	for _, one := range lost {
		fmt.Fprintf(&b, "lost: %s\n", export.OmissionText(one))
	}
	if more := n - int64(len(lost)); more > 0 {
		fmt.Fprintf(&b, "lost: and %s more\n", model.Grouped(more))
	}
	for _, line := range export.ReducedLines(o, nil) {
		fmt.Fprintf(&b, "reduced: %s\n", line)
	}
	return b.String()
}
