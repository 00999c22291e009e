package document

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"cutaway/model"
	"cutaway/ui/kit"
	markspane "cutaway/ui/marks"
	"cutaway/ui/problems"
	"cutaway/ui/references"
	searchpane "cutaway/ui/search"
	"cutaway/ui/shell"
)

// The lists of a document. One can be open below its tree.
const (
	ListSearch = iota
	ListProblems
	ListReferences
	ListMarks
	noList
)

// A list is one of the lists of a document.
type list struct {
	title  func() string
	object func() fyne.CanvasObject // what to show now
}

// Listed are the lists with the keys of their actions, and other words that people search for.
var Listed = [noList]struct{ Name, Key, Words string }{
	ListSearch:     {"Search", "", "find hits results"},
	ListProblems:   {"Problems", "Alt+Shift+P", "errors warnings damage validation issues"},
	ListReferences: {"References", "Alt+Shift+R", "links used by uses targets"},
	ListMarks:      {"Marks", "Alt+Shift+M", "bookmarks notes annotations"},
}

// Lists are hits, problems, references of the selected node, and marks. At most one is open below the tree.
type Lists struct {
	shell.Opened
	pane     *Pane
	Search   *searchpane.Pane
	Problems *problems.Pane
	Refs     *references.Pane
	Kept     *markspane.Pane

	all    [noList]list
	Open   int // the list below the tree, or noList
	Bar    *kit.TabBar
	Object *fyne.Container // the tree, or it and the list
	tree   fyne.CanvasObject
	split  *container.Split // the tree and the list
	box    *fyne.Container
	close  *kit.Button

	flags *kit.Button // opens the marks, and has their number
	wrong *kit.Button // the same of the problems
}

// The flag of marks.
var flagIcon = theme.NewThemedResource(fyne.NewStaticResource("flag.svg", []byte(
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M5 3h13l-3 5 3 5H7v8H5z"/></svg>`)))

// newLists makes the lists of a document below a tree, all closed.
func newLists(s *Pane, tree fyne.CanvasObject) *Lists {
	l := &Lists{Opened: s.Opened, pane: s, tree: tree, Open: noList, box: container.NewStack(), Object: container.NewStack(tree)}
	l.Bar = kit.NewTabBar(l.Show)
	l.Bar.OnClick = func(int) { l.giveKeys() }
	l.close = kit.IconButton(theme.CancelIcon(), "Close the list (Escape in it)", l.Close)
	l.flags = kit.IconButton(flagIcon, "Marks (Alt+Shift+M)", func() { l.toggle(ListMarks) })
	l.wrong = kit.IconButton(theme.WarningIcon(), "Problems (Alt+Shift+P)", func() { l.toggle(ListProblems) })
	l.Problems = problems.New(s.Opened, problemsHost(s, l))
	l.Search = searchpane.New(s.Opened, searchHost(s, l), s.Trail.Query)
	l.Refs = references.New(s.Opened, references.Host{Follow: s.Nav.Follow, Selection: s.Selection, ShowTitles: l.ShowTitles, ShowTab: l.refresh,
		ReferencesInFront: func() bool { return l.Open == ListReferences }})
	l.Kept = markspane.New(s.Opened, marksHost(s, l))
	l.all = [noList]list{{l.Search.Title, l.Search.Object}, {l.Problems.Title, l.Problems.Object}, {l.Refs.Title, l.Refs.Object}, {l.Kept.Title, l.Kept.Object}}
	head := newEnded(l.Bar, l.close)
	l.split = container.NewVSplit(tree, kit.Under(head, l.box))
	l.split.Offset = s.Store.ListSide
	l.ShowTitles()
	return l
}

// ShowTitles brings the titles of the lists up to date, and the numbers at the head of the trees.
func (l *Lists) ShowTitles() {
	var tabs []kit.Tab
	for _, list := range l.all {
		tabs = append(tabs, kit.Tab{Title: list.title()})
	}
	tabs[ListProblems].Bad = l.Problems.Errors > 0
	l.Bar.Set(tabs, min(l.Open, noList-1))
	count := func(b *kit.Button, n int) {
		text := ""
		if n > 0 {
			text = model.Grouped(int64(n))
		}
		if b.Text != text {
			b.SetText(text)
		}
	}
	count(l.flags, len(l.Kept.All()))
	count(l.wrong, len(l.Problems.Found()))
	sign := theme.WarningIcon()
	if l.Problems.Errors > 0 {
		sign = theme.NewErrorThemedResource(theme.WarningIcon())
	}
	if l.wrong.Icon.Name() != sign.Name() {
		l.wrong.SetIcon(sign)
	}
}

// Show opens a list below the tree, or shows it instead of the open one.
func (l *Lists) Show(i int) {
	first := l.Open == noList
	l.Open = i
	l.refresh()
	if first {
		l.split.Offset = l.Store.ListSide
		l.Object.Objects = []fyne.CanvasObject{l.split}
		l.Object.Refresh()
	}
	l.pane.Frame.showTree()
	if i == ListProblems {
		l.pane.host.Did(SawProblems, l.pane.current)
	}
	l.Save()
}

// ShowForKeys opens a list and gives it the keyboard.
func (l *Lists) ShowForKeys(i int) {
	l.Show(i)
	l.giveKeys()
}

// giveKeys gives the keyboard to the list that is open.
func (l *Lists) giveKeys() {
	if to := shell.KeyboardOf(l.box); to != nil {
		l.Focus(to)
	}
}

// toggle opens a list, or closes it where it is open.
func (l *Lists) toggle(i int) {
	if l.Open == i {
		l.Close()
	} else {
		l.ShowForKeys(i)
	}
}

// Close closes the list.
func (l *Lists) Close() {
	if l.Open == noList {
		return
	}
	l.storeDivider()
	had := l.HasKeys()
	l.Open = noList
	l.Object.Objects = []fyne.CanvasObject{l.tree}
	l.Object.Refresh()
	if had {
		l.pane.Trees.FocusTree()
	}
	l.Save()
}

// HasKeys reports whether the list that is open has the keyboard.
func (l *Lists) HasKeys() bool {
	return l.Open != noList && shell.Holds(l.box, l.Win.Canvas().Focused())
}

// refresh shows the open list after its content has changed.
func (l *Lists) refresh() {
	if l.Open != noList {
		kit.Swap(l.box, l.all[l.Open].object())
	}
	l.ShowTitles()
}

// storeDivider stores the height of the list.
func (l *Lists) storeDivider() {
	if l.Open != noList {
		l.Store.ListSide = l.split.Offset
	}
}

// name returns the name of the list that is open, or "".
func (l *Lists) name() string {
	if l.Open == noList {
		return ""
	}
	return Listed[l.Open].Name
}

// newEnded puts small buttons at the right end of a bar, on its ground.
func newEnded(bar fyne.CanvasObject, buttons ...fyne.CanvasObject) fyne.CanvasObject {
	return kit.NewBacked(theme.ColorNameBackground, container.New(ended{}, append([]fyne.CanvasObject{bar}, buttons...)...))
}

// ended lays out a bar and the buttons at its right end, as high as it is.
type ended struct{}

func (ended) Layout(o []fyne.CanvasObject, size fyne.Size) {
	right := size.Width
	for i := len(o) - 1; i > 0; i-- {
		width := buttonLeast
		if b, is := o[i].(*kit.Button); is && b.Text != "" {
			width = b.MinSize().Width - buttonTrim
		}
		right -= width
		kit.Put(o[i], right, 0, width, size.Height)
	}
	kit.Put(o[0], 0, 0, max(right, 0), size.Height)
}

// buttonLeast is the least width of a button at the end of a bar, and buttonTrim what it has less than elsewhere.
const buttonLeast, buttonTrim float32 = 28, 6

func (ended) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(o[0].MinSize().Width+buttonLeast*float32(len(o)-1), o[0].MinSize().Height)
}
