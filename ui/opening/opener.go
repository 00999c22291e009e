package opening

import (
	"errors"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/source/far"
	"cutaway/ui/files"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
)

// An Opener asks what to open, and as what. What is chosen goes to the window's functions.
type Opener struct {
	*shell.Shell
	Open    func(Target)
	Folder  func(dir string) // shows what the files of a folder are
	Subject func(Subject)    // opens it in a tab of its own
	Begin   func() string    // the folder where files are asked for
}

// AskFile asks for a file and opens it.
func (o *Opener) AskFile() {
	files.Choose(o.Shell, "Open a file", o.Begin(), FileKinds(), false, func(path string) { o.Open(Target{File: path}) })
}

// AskFolder asks for a folder and shows what its files are.
func (o *Opener) AskFolder() { files.Choose(o.Shell, "Open a folder", o.Begin(), nil, true, o.Folder) }

// AskSeveral asks for files and opens them as one document. The system's dialog gives one file only, so that the window's own is
// used.
func (o *Opener) AskSeveral() {
	files.ChooseSeveral(o.Shell, "Open parts as one", "Open as one", o.Begin(), files.Kinds("Files that can be one", decoders.TogetherEndings()),
		func(paths []string) { o.Open(TargetOf(paths)) })
}

// OpenSeveral opens files that were named together: as one document, if they can be one and the user says so, else each in a tab.
func (o *Opener) OpenSeveral(paths []string) {
	each := func() {
		for _, path := range paths {
			o.Open(Target{File: path})
		}
	}
	format := decoders.Together(paths)
	if format == nil {
		each()
		return
	}
	words := widget.NewLabel(fmt.Sprintf("These %d files can be one document, in which they follow one another in the order of their names, or a tab each.", len(paths)))
	words.Wrapping = fyne.TextWrapWord
	o.ShowModal("Open as one?", nil, words, 460, shell.Button{Text: "Cancel"},
		shell.Button{Text: "A tab each", Act: func() bool { each(); return true }},
		shell.Button{Text: "As one", Main: true, Act: func() bool { o.Open(TargetOf(paths)); return true }})
	o.Log.Write("asked", "together", len(paths))
}

// AskAddress asks for the address of a file of a server and opens it. What is secret in the address is kept by far, and is no part of
// what the window shows and stores.
func (o *Opener) AskAddress() {
	var m *shell.Modal
	address := kit.NewEntry(func() { m.Hide() })
	address.SetPlaceHolder("https://host/file.usdc")
	address.Validator = func(text string) error {
		if !far.IsAddress(strings.TrimSpace(text)) {
			return errors.New("an address that begins with http:// or https://")
		}
		return nil
	}
	if text := strings.TrimSpace(o.App.Clipboard().Content()); far.IsAddress(text) && !strings.ContainsAny(text, " \t\n") {
		address.SetText(text)
	}
	hint := widget.NewLabel("It is read by ranges: what you look at comes over the line. Signed addresses of object stores open too.")
	hint.Wrapping, hint.Importance = fyne.TextWrapWord, widget.LowImportance
	form := widget.NewForm(&widget.FormItem{Text: "Address", Widget: address})
	m = o.ShowModal("Open address", nil, container.NewVBox(form, hint), 560, shell.Button{Text: "Cancel"},
		shell.Button{Text: "Open", Main: true, Act: func() bool {
			text := strings.TrimSpace(address.Text)
			if !far.IsAddress(text) {
				return false
			}
			t := decoders.ParseTarget(text, nil)
			o.Open(Target{File: decoders.Target{File: t.File, Inner: t.Inner, Offset: -1}.String(), Path: t.Path})
			return true
		}})
	o.Focus(address)
}

// AskAs asks for a format and an offset and opens a subject as that.
func (o *Opener) AskAs(s Subject) {
	format := newFormatSelect(false)
	var m *shell.Modal
	offset := kit.NewEntry(func() { m.Hide() })
	offset.SetText("0")
	offset.SetPlaceHolder("0x400 or 1024")
	offset.Validator = func(text string) error {
		if _, ok := phrase.ParseCount(text); !ok {
			return errors.New("a number, decimal or 0x…")
		}
		return nil
	}
	form := widget.NewForm(
		&widget.FormItem{Text: "Format", Widget: format.choice},
		&widget.FormItem{Text: "From offset", Widget: offset, HintText: "where the format begins in the file"})
	m = o.ShowModal("Open "+s.Title()+" as", nil, form, 420, shell.Button{Text: "Cancel"}, shell.Button{Text: "Open", Main: true, Act: func() bool {
		at, ok := phrase.ParseCount(offset.Text)
		if ok {
			s.Options = format.chosen()
			s.Options.At = at
			o.Subject(s)
		}
		return ok
	}})
}

// AskPart asks how bytes of a tab are to be decoded and opens them in a tab of their own.
func (o *Opener) AskPart(at model.Span, of Tab) {
	if at.Len = min(at.Len, at.Source.Size()-at.Off); at.Len <= 0 {
		return
	}
	title := fmt.Sprintf("%s %#x+%d", at.Source.Title(), at.Off, at.Len)
	format := newFormatSelect(true)
	what := widget.NewLabel(fmt.Sprintf("%s at %s in %s. They open in a tab of their own.", phrase.Bytes(at.Len), phrase.Hex(at.Off), at.Source.Title()))
	what.Wrapping = fyne.TextWrapWord
	form := widget.NewForm(&widget.FormItem{Text: "Bytes", Widget: what}, &widget.FormItem{Text: "Format", Widget: format.choice})
	o.ShowModal("Read bytes as", nil, form, 440, shell.Button{Text: "Cancel"}, shell.Button{Text: "Read", Main: true, Act: func() bool {
		o.Subject(Subject{Buffer: NewBuffer(title, at, of), Options: format.chosen()})
		return true
	}})
}

// AskPasted opens what is in the clipboard, after saying what it was taken for.
func (o *Opener) AskPasted() {
	ways, why := readings(o.App.Clipboard().Content())
	if len(ways) == 0 {
		o.TellWords("Nothing to open", theme.InfoIcon(), "The clipboard holds no text. Copy bytes as hexadecimal digits or base64 and try again.")
		return
	}
	var names []string
	for _, r := range ways {
		names = append(names, r.name)
	}
	size := widget.NewLabel("")
	size.TextStyle.Monospace, size.Truncation = true, fyne.TextTruncateEllipsis
	notes := widget.NewLabel(strings.Join(why, "\n"))
	notes.Importance, notes.Wrapping = widget.LowImportance, fyne.TextWrapWord
	as := kit.NewSelect(names, nil)
	as.OnChanged = func(string) { size.SetText(headText(ways[as.SelectedIndex()].bytes)) }
	as.SetSelectedIndex(0)
	format := newFormatSelect(true)
	form := widget.NewForm(&widget.FormItem{Text: "Taken for", Widget: as}, &widget.FormItem{Text: "Bytes", Widget: size},
		&widget.FormItem{Text: "Format", Widget: format.choice})
	if len(why) > 0 {
		form.Append("", notes)
	}
	o.ShowModal("Open from clipboard", nil, form, 520, shell.Button{Text: "Cancel"}, shell.Button{Text: "Open", Main: true, Act: func() bool {
		r := ways[as.SelectedIndex()]
		o.Subject(Subject{Buffer: &Buffer{Title: "Clipboard", Src: model.NewFileSource("Clipboard", model.BytesReader(r.bytes))}, Options: format.chosen()})
		return true
	}})
}
