// Package windowtest drives a window of the test driver, for tests of its panes.
package windowtest

import (
	"image"
	"image/color"
	"image/png"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/inspect"
	"cutaway/source"
	"cutaway/ui/action"
	"cutaway/ui/card"
	"cutaway/ui/cards"
	"cutaway/ui/eventlog"
	exporting "cutaway/ui/export"
	"cutaway/ui/filter"
	"cutaway/ui/inspector"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/opening"
	searchpane "cutaway/ui/search"
	"cutaway/ui/settings"
	"cutaway/ui/tab"
	"cutaway/ui/treeview"
	"cutaway/ui/uitest"
	"cutaway/ui/window"
)

// Bench is a window of the test driver; work that the background posts is run by Until and Idle. Its tests run in a
// bubble of synctest, whose clock runs only while every goroutine waits: none depends on the machine's speed.
type Bench struct {
	*testing.T
	W     *window.Window
	Queue chan func()
}

func init() { source.KeepZstdDecoders = false }

// Run runs a test in a bubble, on a window of its own.
func Run(t *testing.T, test func(t *testing.T, b *Bench)) {
	synctest.Test(t, func(t *testing.T) { test(t, New(t)) })
}

// New makes a bench, which ends with the test.
func New(t *testing.T) *Bench {
	b := &Bench{T: t, Queue: make(chan func(), 10000)}
	a := test.NewTempApp(t)
	b.W = window.New(a, settings.Load(t.TempDir()+"/window.json"), &eventlog.Log{}, func(f func()) { b.Queue <- f })
	b.W.Shell.Win.Resize(fyne.NewSize(1200, 800))
	t.Cleanup(func() {
		close(b.W.Closed)
		b.W.Door.Close()
		for _, s := range b.W.Pages.All {
			s.End()
		}
		b.Idle() // what still runs ends now, or synctest fails the test
	})
	return b
}

// Fake opens a fake document without counting sizes: one of its parts is never decoded.
func (b *Bench) Fake() (*tab.Tab, *uitest.Document) {
	b.W.Shell.Uncounted = true
	doc := uitest.New()
	s := b.W.Add(opening.Subject{File: "fake.bin"})
	s.Show(doc.Document)
	b.Until("the root's details", func() bool { return s.Pane.Current() != nil && len(s.Pane.Side.Card.Rows.Objects) > 0 })
	return s, doc
}

// Until runs what the background posts until ok, and fails where that never is.
func (b *Bench) Until(what string, ok func() bool) {
	b.Helper()
	limit := time.After(time.Minute)
	for !ok() {
		select {
		case f := <-b.Queue:
			f()
		case <-limit:
			b.Fatalf("never came: %s", what)
		}
	}
}

// Idle runs what the background posts until nothing comes for a while.
func (b *Bench) Idle() {
	for {
		select {
		case f := <-b.Queue:
			f()
		case <-time.After(150 * time.Millisecond):
			return
		}
	}
}

// At waits until the node at path is selected.
func (b *Bench) At(s *tab.Tab, path string) {
	b.Helper()
	b.Until("selection of "+path, func() bool { return s.Pane.Current() != nil && s.Pane.Current().Path() == path })
}

// Menu is the item of the menus with a label, or of a submenu.
func (b *Bench) Menu(label string) *fyne.MenuItem {
	b.Helper()
	for all := b.W.Actions.Main.Items; len(all) > 0; {
		var below []*fyne.Menu
		for _, m := range all {
			for _, i := range m.Items {
				if kit.MenuTitle(i) == label {
					return i
				}
				if i.ChildMenu != nil {
					below = append(below, i.ChildMenu)
				}
			}
		}
		all = below
	}
	b.Fatalf("no item %q", label)
	return nil
}

// PartsOf are the objects that an object is made of.
func PartsOf(o fyne.CanvasObject) []fyne.CanvasObject {
	switch o := o.(type) {
	case *fyne.Container:
		return o.Objects
	case fyne.Widget:
		return test.WidgetRenderer(o).Objects()
	}
	return nil
}

// All returns o and its parts, in the order of drawing.
func All(o fyne.CanvasObject) iter.Seq[fyne.CanvasObject] {
	return func(yield func(fyne.CanvasObject) bool) { through(o, yield) }
}

func through(o fyne.CanvasObject, yield func(fyne.CanvasObject) bool) bool {
	if !yield(o) {
		return false
	}
	for _, part := range PartsOf(o) {
		if !through(part, yield) {
			return false
		}
	}
	return true
}

// First returns the first object of its type in o, or nil.
func First[T fyne.CanvasObject](o fyne.CanvasObject) (none T) {
	for part := range All(o) {
		if found, ok := part.(T); ok {
			return found
		}
	}
	return none
}

// ButtonIn returns the first button in o that fits, or nil.
func ButtonIn(o fyne.CanvasObject, fits func(*widget.Button) bool) *widget.Button {
	for part := range All(o) {
		if text, ok := part.(*kit.TextButton); ok {
			part = &text.Button
		}
		if button, ok := part.(*widget.Button); ok && fits(button) {
			return button
		}
	}
	return nil
}

// ButtonWith returns the first button in o whose text begins so, or nil.
func ButtonWith(o fyne.CanvasObject, text string) *widget.Button {
	return ButtonIn(o, func(b *widget.Button) bool { return strings.HasPrefix(b.Text, text) })
}

// CheckIn returns the box of a text in o, or nil.
func CheckIn(o fyne.CanvasObject, text string) *kit.Check {
	for part := range All(o) {
		if box, ok := part.(*kit.Check); ok && box.Text == text {
			return box
		}
	}
	return nil
}

// Entries are the fields in o.
func Entries(o fyne.CanvasObject) (out []*widget.Entry) {
	for part := range All(o) {
		switch part := part.(type) {
		case *widget.Entry:
			out = append(out, part)
		case *kit.SelectEntry:
			out = append(out, &part.Entry)
		case *kit.Entry:
			out = append(out, &part.Entry)
		}
	}
	return out
}

// ShownTexts is every text on the screen below o, a line each.
func ShownTexts(o fyne.CanvasObject) string {
	if !o.Visible() {
		return ""
	}
	switch o := o.(type) {
	case *canvas.Text:
		return o.Text + "\n"
	case *widget.Label:
		return o.Text + "\n"
	case *kit.Selectable:
		return o.Text + "\n"
	case *widget.Entry:
		return o.Text + "\n"
	}
	var b strings.Builder
	for _, part := range PartsOf(o) {
		b.WriteString(ShownTexts(part))
	}
	return b.String()
}

// Press presses the first button below o with a text.
func (b *Bench) Press(o fyne.CanvasObject, text string) {
	b.Helper()
	button := ButtonIn(o, func(b *widget.Button) bool { return b.Text == text })
	if button == nil {
		b.Fatalf("no button %q", text)
	}
	test.Tap(button)
}

// PressMain presses the main button of the dialog in front.
func (b *Bench) PressMain() {
	b.Helper()
	top := b.W.Shell.Win.Canvas().Overlays().Top()
	if top == nil {
		b.Fatal("there is no dialog")
	}
	button := ButtonIn(top, func(b *widget.Button) bool { return b.Importance == widget.HighImportance && b.OnTapped != nil })
	if button == nil {
		b.Fatal("the dialog has no main button")
	}
	button.OnTapped()
}

// Tab waits until the tab in front has its document.
func (b *Bench) Tab() *tab.Tab {
	b.Helper()
	s := b.W.Active
	b.Until("the bytes", func() bool { return s.Pane != nil && s.Pane.Current() != nil })
	return s
}

// WriteFile makes a file and returns its path.
func WriteFile(t *testing.T, name string, data []byte) string {
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Open opens a target and waits for its document.
func (b *Bench) Open(t opening.Target) *tab.Tab {
	b.Helper()
	b.W.Open(t)
	s := b.W.Active
	b.Until("the file", func() bool { return s.Pane != nil && s.Pane.Current() != nil })
	return s
}

// Sample opens the built-in sample.
func (b *Bench) Sample() *tab.Tab {
	b.Helper()
	b.W.OpenSample()
	s := b.W.Active
	b.Until("the sample", func() bool { return s.Pane != nil && s.Pane.Current() != nil })
	return s
}

// AtPoints opens the sample at an array of its, whose path it returns.
func (b *Bench) AtPoints() (s *tab.Tab, path string) {
	b.Helper()
	path = "scene/Prototypes/Leg/.points/default"
	s = b.Open(opening.Target{File: "../../assets/sample.usdc"})
	s.Pane.Nav.GoTo(path)
	b.At(s, path)
	b.Idle()
	return s, path
}

// Words joins all texts of labels below o.
func Words(o fyne.CanvasObject) string {
	switch o := o.(type) {
	case *fyne.Container:
		var all []string
		for _, c := range o.Objects {
			all = append(all, Words(c))
		}
		return strings.Join(all, "\n")
	case *container.Scroll:
		return Words(o.Content)
	case *kit.Scroller:
		return Words(o.Content())
	case *widget.Label:
		return o.Text
	case *kit.Selectable:
		return o.Text
	case *kit.Line:
		return o.Whole()
	case *widget.Button:
		return o.Text
	case *kit.TextButton:
		return o.Text
	}
	return ""
}

// FilterBy types into the filter of the view that is shown and waits until the tree is filtered.
func (b *Bench) FilterBy(s *tab.Tab, text string) *filter.Filter {
	b.Helper()
	s.Pane.Trees.Filters.Entry.SetText(text)
	f := s.Pane.Trees.Filters.Now()
	b.Until("the tree filtered by "+text, func() bool { return f.Run != nil && f.Run.Done && f.Run.Text == text })
	return f
}

// ShownRows lists the rows of a filtered tree, with what is below matches left out.
func ShownRows(it treeview.Item) []string {
	f, ok := it.(*filter.Filtered)
	if !ok {
		return nil
	}
	rows := []string{filter.PlaceOf(it).Path()}
	for _, kid := range f.Kids {
		rows = append(rows, ShownRows(kid)...)
	}
	return rows
}

// MustLookup returns the node at a path.
func MustLookup(t *testing.T, doc *model.Document, path string) *model.Place {
	t.Helper()
	p, err := doc.Lookup(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// ExportDialog opens the export dialog with a form.
func (b *Bench) ExportDialog(s *tab.Tab, places []*model.Place, form string) *exporting.Dialog {
	b.Helper()
	return exporting.NewDialog(s.Pane.Actions.Exporter(), places, exporting.Suits(s.Pane.Ctx, exporting.Copies(places)), exporting.Forms.ByName(form))
}

// Chosen are the places that an export would take.
func (b *Bench) Chosen(s *tab.Tab) (places []*model.Place) {
	b.Helper()
	s.Pane.Trees.ChosenNodes("taking", func(p []*model.Place) { places = p })
	b.Until("the places", func() bool { return places != nil })
	return places
}

// BytesItem is an item of the menu View › Bytes.
func (b *Bench) BytesItem(labels ...string) *fyne.MenuItem {
	b.Helper()
	item := b.Menu("Bytes")
next:
	for _, l := range labels {
		for _, i := range item.ChildMenu.Items {
			if kit.MenuTitle(i) == l {
				item = i
				continue next
			}
		}
		b.Fatalf("no item %q below %q", l, kit.MenuTitle(item))
	}
	return item
}

// Pass runs what the background posts for a second, whether or not work goes on.
func (b *Bench) Pass() {
	for over := time.After(time.Second); ; {
		select {
		case f := <-b.Queue:
			f()
		case <-over:
			return
		}
	}
}

// Stage puts a card of the selected node on the stage, by its title, and returns it.
func (b *Bench) Stage(s *tab.Tab, title string) fyne.CanvasObject {
	b.Helper()
	b.Until("the cards", func() bool { return s.Pane.Stage.ChooseCard(title) })
	b.Idle()
	return s.Pane.Stage.Object.Objects[0]
}

// Gather returns what the card says of a node.
func (b *Bench) Gather(s *tab.Tab, p *model.Place) *card.Detail {
	return s.Pane.Side.Card.Gather(b.Context(), p, cards.Of(b.Context(), s.Pane.Doc, p))
}

// CardWords is the text of the card with all parts unfolded.
func (b *Bench) CardWords(s *tab.Tab) string {
	for part := range All(s.Pane.Side.Card.Rows) {
		if fold, ok := part.(*kit.Button); ok && fold.Tip == "Unfold" {
			fold.OnTapped()
			return b.CardWords(s)
		}
	}
	return Words(s.Pane.Side.Card.Rows)
}

// CardRow returns the first row of the card of a node with a label; the zero Row if there is none.
func (b *Bench) CardRow(s *tab.Tab, p *model.Place, label string) card.Row {
	for _, part := range b.Gather(s, p).Parts {
		for _, r := range part.Rows {
			if r.Label == label {
				return r
			}
		}
	}
	return card.Row{}
}

// Find searches and waits for the end.
func (b *Bench) Find(s *tab.Tab, what searchpane.Query) *searchpane.Run {
	b.Helper()
	p := s.Pane.Lists.Search
	p.Set(what)
	p.Begin()
	r := p.Run
	b.Until("the end of the search for "+what.Text, func() bool { return r.Over })
	return r
}

// ActionsFor opens the search field and returns the actions that it lists for words.
func (b *Bench) ActionsFor(words string) []action.Hit {
	b.W.Find.Open("> " + words)
	return b.W.Find.Acts
}

// Seek types into the search field and waits until nothing more is found.
func (b *Bench) Seek(text string) {
	b.W.Find.Open("")
	b.W.Find.Entry.SetText(text)
	b.Idle()
}

// Inspected waits until the inspector shows a place, and returns the row of that name.
func (b *Bench) Inspected(s *tab.Tab, off int64, name string) inspect.Row {
	b.Helper()
	i := s.Pane.Side.Inspector
	b.Until("the inspector", func() bool { return i.At.Off == off && i.Bits.Off <= off && len(i.RowData.All()) > 0 })
	b.Idle()
	if got, least := i.Bits.Size(), i.Bits.MinSize(); i.Front == inspector.BitFields && (got.Width < least.Width || got.Height < least.Height) {
		b.Errorf("the bits at %#x have %v of %v", off, got, least)
	}
	for _, r := range i.RowData.All() {
		if r.Name == name {
			return r
		}
	}
	b.Fatalf("no row %s", name)
	return inspect.Row{}
}

// Drawn are all texts of canvas.Text below o.
func Drawn(o fyne.CanvasObject) (all []string) {
	switch o := o.(type) {
	case *fyne.Container:
		for _, c := range o.Objects {
			all = append(all, Drawn(c)...)
		}
	case *canvas.Text:
		all = append(all, o.Text)
	}
	return all
}

// Texts joins the texts of labels and links.
func Texts(o fyne.CanvasObject) string {
	var b strings.Builder
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case *fyne.Container:
			for _, c := range o.Objects {
				walk(c)
			}
		case *widget.Label:
			b.WriteString(o.Text + "\n")
		case *kit.Selectable:
			b.WriteString(o.Text + "\n")
		case *kit.Link:
			b.WriteString(o.Text.Text + "\n")
		case *kit.Line:
			b.WriteString(o.Text.Text + "\n")
		}
	}
	walk(o)
	return b.String()
}

// Strongest is the highest contrast to the ground in the place of o.
func Strongest(img image.Image, o fyne.CanvasObject, scale float32, ground color.Color) float64 {
	at, size := fyne.CurrentApp().Driver().AbsolutePositionForObject(o), o.Size()
	most := 0.0
	for y := at.Y * scale; y < (at.Y+size.Height)*scale; y++ {
		for x := at.X * scale; x < (at.X+100)*scale; x++ {
			most = max(most, Contrast(img.At(int(x), int(y)), ground))
		}
	}
	return most
}

// KeepPicture keeps a picture where CUTAWAY_PICTURES names a folder.
func KeepPicture(t *testing.T, name string, img image.Image) {
	dir := os.Getenv("CUTAWAY_PICTURES")
	if dir == "" {
		return
	}
	f, err := os.Create(filepath.Join(dir, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
}

// Contrast returns the contrast of two colours, from 1 to 21.
func Contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Shortcut does what a key means, as far as it can be done now.
func (b *Bench) Shortcut(key fyne.KeyName, mod fyne.KeyModifier) {
	want := &desktop.CustomShortcut{KeyName: key, Modifier: mod}
	for _, do := range b.Keys(want.ShortcutName()) {
		do()
	}
}

// Keys returns the functions of the keys that have a shortcut's name, or of all keys where name is "".
func (b *Bench) Keys(name string) map[string]func() {
	keys := make(map[string]func())
	add := func(a *action.Action) {
		for key := range strings.FieldsSeq(a.Key) {
			if s := action.Shortcut(key).ShortcutName(); name != "" && s != name || a.Need != nil && a.Need() != "" {
				continue
			}
			keys[key+" "+a.Title] = b.W.Shell.Uncovered(a.Do)
		}
	}
	for _, g := range b.W.Actions.Groups {
		for _, a := range g.Actions {
			add(a)
		}
	}
	b.W.Actions.Each(func(_ string, a *action.Action) { add(a) }) // those of submenus
	return keys
}

// SetLook has the window look otherwise.
func (b *Bench) SetLook(to look.Settings) {
	b.W.Shell.Store.Settings = to
	b.W.Shell.App.Settings().SetTheme(look.Of(to))
	b.W.UpdateMenu()
}

// luminance is the relative luminance of WCAG 2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	line := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*line(r) + 0.7152*line(g) + 0.0722*line(b)
}
