package ui

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/source/far"
	"cutaway/ui/kit"
	"cutaway/ui/shell"
)

// openAddress asks for the address of a file of a server and opens it. What is secret in the address is kept by far, and
// is no part of what the window shows and stores.
func (w *Window) openAddress() {
	var m *shell.Modal
	address := kit.NewEntry(func() { m.Hide() })
	address.SetPlaceHolder("https://host/file.usdc")
	address.Validator = func(text string) error {
		if !far.IsAddress(strings.TrimSpace(text)) {
			return errors.New("an address that begins with http:// or https://")
		}
		return nil
	}
	if text := strings.TrimSpace(w.App.Clipboard().Content()); far.IsAddress(text) && !strings.ContainsAny(text, " \t\n") {
		address.SetText(text)
	}
	hint := widget.NewLabel("It is read by ranges: what you look at comes over the line. Signed addresses of object stores open too.")
	hint.Wrapping, hint.Importance = fyne.TextWrapWord, widget.LowImportance
	open := func() bool {
		text := strings.TrimSpace(address.Text)
		if !far.IsAddress(text) {
			return false
		}
		t := decoders.ParseTarget(text, nil)
		file := decoders.Target{File: t.File, Inner: t.Inner, Offset: -1}.String()
		w.open(Target{File: file, Path: t.Path})
		return true
	}
	form := widget.NewForm(&widget.FormItem{Text: "Address", Widget: address})
	m = w.ShowModal("Open address", nil, container.NewVBox(form, hint), 560, shell.Button{Text: "Cancel"},
		shell.Button{Text: "Open", Main: true, Act: open})
	address.OnSubmitted = func(string) {
		if open() {
			m.Hide()
		}
	}
	w.Focus(address)
}

// reasonOf is why a file does not open. Where the window asks whether to download it, no flag of the command line is named.
func reasonOf(err error) string {
	var whole *far.ErrNoRanges
	if errors.As(err, &whole) {
		return whole.Reason()
	}
	return err.Error()
}

// downloadButton gets a file that its server gives as a whole only; nil where that is not why it does not open.
func (s *session) downloadButton(err error) *widget.Button {
	var whole *far.ErrNoRanges
	if !errors.As(err, &whole) {
		return nil
	}
	return widget.NewButtonWithIcon(fmt.Sprintf("Download (%s)", whole.SizeText()), theme.DownloadIcon(), func() {
		s.download = true
		s.load(s.aim)
	})
}

// remembers reports whether files can be among the recent ones: an address with a secret could not be opened again.
func remembers(files ...string) bool {
	for _, f := range files {
		if far.HasSecret(f) {
			return false
		}
	}
	return true
}

// folderOf is the folder of a file; "" where it is on a server.
func folderOf(file string) string {
	if far.IsAddress(file) {
		return ""
	}
	return filepath.Dir(file)
}
