package opening

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/inspect"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/treeview"
)

// textsAtOnce is the number of texts that are found before the user asks for more.
const textsAtOnce = 2000

// lookedInto is the largest size in bytes of a file that is searched unasked. Far files never are.
const lookedInto = 256 << 20

// Unknown lists the functions that the page on a file of no known format may call.
type Unknown struct {
	Ask          func() // asks as what it is to be opened
	As           func(format string)
	Descriptions func() // shows the settings of descriptions
	Describe     func() // begins a description
	Show         func(at model.Span)
	Open         func(title string, at model.Span) // in a tab of its own
}

// findings lists the files of known formats and the texts within a file of none.
type findings struct {
	shell.Opened
	host Unknown
	src  *model.Source
	data *treeview.Slice[finding]
	list *treeview.Tree
	said *widget.Label
	more *widget.Button

	next   int64 // where texts are looked for next
	inside []finding
	texts  []finding
	noise  int64 // characters without a word, which are not listed
}

// finding is a file that begins within another, or a text.
type finding struct {
	span model.Span
	what string
	text string
	open *model.Format // nil: it is a text
}

// NewUnknown makes a page on a file of no known format: its likely nature, help, why each format was refused, its contents.
func NewUnknown(opened shell.Opened, host Unknown) fyne.CanvasObject {
	src, e := opened.Doc.Source(), opened.Doc.Refused
	if src.Size() == 0 {
		return kit.Message("The file is empty.")
	}
	title := widget.NewLabel(phrase.Capital(e.Cause.Text))
	title.SizeName, title.TextStyle.Bold, title.Wrapping = theme.SizeNameSubHeadingText, true, fyne.TextWrapWord
	top := container.NewVBox(title)
	said := "It is shown as plain bytes."
	buttons := container.NewHBox(widget.NewButtonWithIcon("Open as…", theme.FolderOpenIcon(), host.Ask))
	likely := decoders.ByName(e.Cause.Format)
	if e.Cause.Hint != "" {
		said = "What helps: " + e.Cause.Hint + "\n" + said
	} else {
		said = "It is shown as plain bytes: search and mark them, read a part by a type or format (Ctrl+E), open what is found inside, or have a description " +
			"say what they are, one of Kaitai Struct or your own."
		if likely == nil { // else there is no room
			buttons.Add(widget.NewButton("Folders of descriptions…", host.Descriptions))
		}
		buttons.Add(widget.NewButton("New description…", host.Describe))
	}
	if likely != nil {
		open := widget.NewButtonWithIcon("Open as "+likely.Title, theme.FolderOpenIcon(), func() { host.As(likely.Name) })
		open.Importance = widget.HighImportance
		buttons.Objects = append([]fyne.CanvasObject{open}, buttons.Objects...)
	}
	words := kit.NewSelectable(said)
	words.Wrapping = fyne.TextWrapWord
	refused := widget.NewLabel("Why it is none of these")
	refused.TextStyle.Bold = true
	top.Objects = append(top.Objects, words, container.NewHScroll(buttons), refused)
	why := container.NewVScroll(kit.Padded(6, 6, 6, 10, container.NewVBox(top, refusals(e))))
	return container.New(besideOrUnder{}, newFindings(opened, host).object(), why)
}

// refusals are the formats, each with why it was refused.
func refusals(e *model.ErrUnrecognized) fyne.CanvasObject {
	grid := container.New(layout.NewFormLayout())
	for _, t := range e.Tried {
		if t.Format == decoders.PlainBytes {
			continue // as which it is shown
		}
		name := widget.NewLabel(formatTitle(t.Format))
		name.TextStyle.Bold = true
		why := widget.NewLabel(t.Reason)
		why.Wrapping = fyne.TextWrapWord
		grid.Add(kit.Dense(name))
		grid.Add(kit.Dense(why))
	}
	return grid
}

// besideOrUnder puts one part at the right of another, or where there is little width, above it.
type besideOrUnder struct{}

// The parts are side by side from a width of besideFrom, and in panes lower than lowPane: one part would have no row.
const besideFrom, firstShare, lowPane = 760, 0.58, 240

func (besideOrUnder) Layout(o []fyne.CanvasObject, size fyne.Size) {
	if size.Width >= besideFrom || size.Height < lowPane {
		w := size.Width * firstShare
		kit.Put(o[0], 0, 0, w, size.Height)
		kit.Put(o[1], w, 0, size.Width-w, size.Height)
		return
	}
	h := size.Height * (1 - firstShare)
	kit.Put(o[1], 0, 0, size.Width, h)
	kit.Put(o[0], 0, h, size.Width, size.Height-h)
}

// MinSize implements fyne.Layout. The parts scroll.
func (besideOrUnder) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(200, o[0].MinSize().Height)
}

func newFindings(opened shell.Opened, host Unknown) *findings {
	src := opened.Doc.Source()
	f := &findings{Opened: opened, host: host, src: src, said: widget.NewLabel("")}
	f.said.Truncation = fyne.TextTruncateEllipsis
	f.data = treeview.SliceOf(func(x finding) treeview.Row {
		return treeview.Row{Cells: []string{phrase.Hex(x.span.Off), x.what, x.text}}
	})
	f.list = f.NewList(f.Ctx, "found inside", f.data, []treeview.Column{{Title: "Offset", Width: 96, Mono: true, Right: true, Quiet: true},
		{Title: "What", Width: 120}, {Title: "Text", Width: 200, Stretch: 1, Mono: true}})
	f.list.OnSelected = func(it treeview.Item) {
		if x, ok := f.data.At(it); ok {
			host.Show(x.span)
		}
	}
	f.list.OnChosen = func(it treeview.Item) {
		if x, ok := f.data.At(it); ok && x.open != nil {
			host.Open(x.open.Title+" at "+phrase.Hex(x.span.Off), x.span)
		}
	}
	f.more = widget.NewButton("Look inside", f.look)
	f.more.Importance = widget.LowImportance
	if src.Size() <= lookedInto && !src.Far() {
		f.look()
	}
	return f
}

func (f *findings) object() fyne.CanvasObject {
	return kit.Under(kit.Border(nil, nil, nil, f.more, f.said), f.list)
}

// look looks for files and the first texts.
func (f *findings) look() {
	f.more.OnTapped = f.findTexts
	f.more.SetText("More texts")
	f.findInside()
	f.findTexts()
}

// findInside looks for files of known formats in all of the file.
func (f *findings) findInside() {
	f.Tasks.Try(f.Ctx, "looking for files inside", func(ctx context.Context, progress model.Progress) (func(), error) {
		var all []finding
		err := decoders.Embedded(ctx, f.src, progress, func(in decoders.Inside) bool {
			all = append(all, finding{span: f.src.Span(in.Off, f.src.Size()-in.Off), what: in.Format.Title,
				text: in.Why + "; Enter or a double click opens it in a tab", open: in.Format})
			return len(all) < textsAtOnce
		})
		return func() {
			f.inside = all
			f.show()
		}, err
	})
}

// findTexts looks for the next texts.
func (f *findings) findTexts() {
	f.more.Hide()
	from := f.next
	f.Tasks.Try(f.Ctx, "looking for texts", func(ctx context.Context, progress model.Progress) (func(), error) {
		var all []finding
		var noise int64
		next, err := inspect.Texts(ctx, f.src, from, progress, func(t inspect.Text) bool {
			if !hasWord(t.Text) {
				noise++
				return true
			}
			all = append(all, textFinding(f.src, t))
			return len(all) < textsAtOnce
		})
		return func() {
			f.next, f.texts, f.noise = next, append(f.texts, all...), f.noise+noise
			kit.SetVisible(f.more, next < f.src.Size())
			f.show()
		}, err
	})
}

// textFinding is a text without the spaces and line ends before it.
func textFinding(src *model.Source, t inspect.Text) finding {
	text := strings.TrimLeft(t.Text, " \t\r\n")
	before := int64(len(t.Text) - len(text))
	if t.Encoding != "UTF-8" {
		before *= 2
	}
	return finding{span: src.Span(t.Off+before, t.Len-before), what: t.Encoding, text: strings.TrimSpace(text)}
}

// show shows what is found: files first.
func (f *findings) show() {
	all := append(append([]finding(nil), f.inside...), f.texts...)
	f.data.Set(all)
	f.list.Recount()
	said := model.GroupedCount(int64(len(f.inside)), "file") + " of known formats and " + model.GroupedCount(int64(len(f.texts)), "text") + " inside"
	if f.next < f.src.Size() {
		said += ", up to " + phrase.Hex(f.next)
	}
	if f.noise > 0 {
		said += "; " + model.GroupedCount(f.noise, "run") + " of characters left out that have no word"
	}
	f.said.SetText(said)
	f.Log.Write("inside", len(f.inside), len(f.texts))
}

// leastWord is the length of a word that a text has and characters by chance have not; among signs that texts seldom have,
// one letter more does.
const leastWord = 4

// hasWord reports whether a text is more than characters by chance, as compressed bytes have them: it has a word, which is letters of
// one script, of Latin ones in one case but for the first, and with a vowel; or it is a number or a time.
func hasWord(text string) bool {
	if len(text) >= 2*leastWord && strings.Trim(text, "0123456789 .,:;+-/TZ") == "" {
		return strings.ContainsAny(text, "0123456789")
	}
	least := leastWord
	if strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" ._-/:,;()%'?!\"=", r)
	}) {
		least++
	}
	letters := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.ContainsFunc(letters, func(word string) bool {
		runes := []rune(word)
		if runes[0] > unicode.MaxASCII {
			return len(runes) >= least && slices.ContainsFunc(scripts, func(of *unicode.RangeTable) bool {
				return !slices.ContainsFunc(runes, func(r rune) bool { return !unicode.Is(of, r) })
			})
		}
		for from := 0; from < len(runes); { // camelCase is several words
			to := from + 1
			for to < len(runes) && (unicode.IsUpper(runes[to]) == unicode.IsUpper(runes[to-1]) || to == from+1 && unicode.IsUpper(runes[from])) {
				to++
			}
			if to-from >= least && strings.ContainsAny(strings.ToLower(string(runes[from:to])), "aeiouyäöüéèáóíúåø") {
				return true
			}
			from = to
		}
		return false
	})
}

// scripts are those whose letters make words, not chance.
var scripts = []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Arabic, unicode.Hebrew, unicode.Thai, unicode.Devanagari}
