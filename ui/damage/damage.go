// Package damage shows the cost of a file's damage: the state of its sections, the views that open, the exports that it allows.
package damage

import (
	"context"
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"cutaway/model"
	"cutaway/model/profile"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/task"
)

// Host lists what the card may ask of its document.
type Host struct {
	Problems  func() []model.LocatedProblem // returns those that are known
	GoTo      func(path string)             // selects a node
	VisitSpan func(at model.Span)           // shows bytes.
	// Export returns the form that writes most of the rest of the file, and a function that asks where to.
	Export     func(ctx context.Context) (title string, ask func())
	ExportGood func(p *model.Place) // asks where to write what was made of the bytes before the damage
	ShowAll    func()               // lists the problems
}

// Pane is the card.
type Pane struct {
	shell.Opened
	host   Host
	body   *fyne.Container
	scroll *kit.Scroller
	next   task.Latest
	stale  bool // other problems are known than those that are shown
}

// New makes the card of a document; it looks at the problems when it is shown.
func New(opened shell.Opened, host Host) *Pane {
	p := &Pane{Opened: opened, host: host, body: container.NewVBox(kit.Message("reading…")), stale: true}
	p.scroll = kit.NewScroller(kit.Padded(margin, margin, margin, margin, p.body), false)
	return p
}

// margin is the room around the card, and gap that between its parts.
const margin, gap = 16, 12

// Object returns the card, which is then shown.
func (p *Pane) Object() fyne.CanvasObject {
	p.look()
	return p.scroll
}

// Follow notes that other problems are known, which Object shows.
func (p *Pane) Follow() { p.stale = true }

// Keys gives the keyboard to the card, which it scrolls.
func (p *Pane) Keys() { p.Focus(p.scroll.Parts()[0].(fyne.Focusable)) }

// found holds the content of the card.
type found struct {
	sections []profile.Damaged
	left     []model.Said
	title    string // of the form of the export
	export   func()
	broken   *model.Place // the first node with an error from whose bytes a source is made, or nil
	good     int64        // bytes of that source
}

// look reads what is left, unless that is shown.
func (p *Pane) look() {
	problems := p.host.Problems()
	if !p.stale || len(problems) == 0 {
		return
	}
	p.stale = false
	p.Tasks.Go(p.next.Next(p.Ctx), "looking at the damage", func(ctx context.Context, _ model.Progress) func() {
		f := &found{sections: profile.Damage(ctx, p.Doc, problems), left: profile.Left(ctx, p.Doc)}
		f.title, f.export = p.host.Export(ctx)
		f.broken, f.good = goodBytes(ctx, p.Doc, problems)
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			p.show(f)
			p.Log.Write("damage", len(f.sections), len(f.left))
		}
	})
}

// goodBytes returns the first node with an error that made a source nevertheless, and the length of that.
func goodBytes(ctx context.Context, doc *model.Document, problems []model.LocatedProblem) (*model.Place, int64) {
	for _, problem := range problems {
		if problem.Kind.Severity() != model.Error || problem.Member != "" {
			continue
		}
		at, err := doc.Lookup(ctx, problem.Path)
		if err != nil || len(at.Node.Derived) == 0 {
			continue
		}
		if src, _, err := at.Node.Derived[0].Open(ctx); err == nil && src.Size() > 0 {
			return at, src.Size()
		}
	}
	return nil, 0
}

func (p *Pane) show(f *found) {
	p.body.Objects = nil
	buttons := kit.Flow(nil)
	if f.export != nil && len(f.left) > 0 {
		buttons.Add(kit.NewTextButton("Export what is left as "+f.title+"…", f.export))
	}
	if f.broken != nil {
		buttons.Add(kit.NewTextButton("Export the "+model.Grouped(f.good)+" good bytes of "+f.broken.Label()+"…", func() { p.host.ExportGood(f.broken) }))
	}
	buttons.Add(kit.NewTextButton("All problems", p.host.ShowAll))
	p.body.Add(buttons)
	p.body.Add(kit.Padded(gap, 0, 0, 0, title("What the damage costs")))
	if len(f.sections) > 0 {
		p.body.Add(quiet("From the broken part down. A name leads to its bytes."))
		rows := container.New(columns{new(float32)})
		most := int64(1)
		for i := range f.sections {
			most = max(most, f.sections[i].At.Len)
		}
		for i := range f.sections {
			if s := &f.sections[i]; s.Worst == model.Note && s.Text == profile.Whole {
				continue // it holds nothing that could be lost
			}
			p.addSection(rows, &f.sections[i], float32(f.sections[i].At.Len)/float32(most))
		}
		p.body.Add(rows)
	} else {
		p.body.Add(quiet("Problems have all places; the file has no sections of its own."))
	}
	p.body.Add(kit.Padded(gap, 0, 0, 0, title("What is left")))
	for _, line := range f.left {
		link := kit.NewLink(line.Label, false, func() { p.host.GoTo(line.Refs[0].Path) })
		p.body.Add(container.NewHBox(link, quiet(line.Text)))
	}
	if len(f.left) == 0 {
		p.body.Add(quiet("Nothing of the file could be read but its layout."))
	}
	p.body.Refresh()
}

// addSection adds a section: its name, its bytes, a bar of their part of the largest, and what is left.
func (p *Pane) addSection(rows *fyne.Container, s *profile.Damaged, part float32) {
	ink := map[model.Severity]fyne.ThemeColorName{model.Note: theme.ColorNameSuccess, model.Warning: theme.ColorNameWarning, model.Error: theme.ColorNameError}[s.Worst]
	bar := canvas.NewRaster(func(w, h int) image.Image {
		img := image.NewRGBA(image.Rect(0, 0, w, h))
		kit.Pen{Img: img, Width: 1}.Fill(0, 0, max(int(part*float32(w)), 2), h, kit.Paint(ink))
		return img
	})
	path := s.Place.Path()
	words := kit.NewSelectable(phrase.Capital(s.Text))
	what := container.NewHBox(kit.Bare(words))
	if len(s.Text) > short {
		words.Wrapping = fyne.TextWrapWord
		what = container.NewVBox(kit.Bare(words))
	}
	if s.Lost.Source != nil {
		link := kit.NewLink("at "+phrase.Offset(s.Lost), false, func() { p.host.VisitSpan(s.Lost) })
		what.Add(container.NewHBox(link))
	}
	rows.Objects = append(rows.Objects, kit.NewLink(s.Place.Node.Name, false, func() { p.host.GoTo(path) }),
		kit.NewLine(model.Grouped(s.At.Len), fyne.TextStyle{Monospace: true}, theme.ColorNamePlaceHolder, theme.SizeNameCaptionText), bar, canvas.NewCircle(kit.Paint(ink)), what)
}

// short is the most bytes of text that has an offset beside it.
const short = 36

func title(text string) fyne.CanvasObject {
	return kit.NewLine(text, fyne.TextStyle{Bold: true}, theme.ColorNameForeground, theme.SizeNameText)
}

func quiet(text string) fyne.CanvasObject {
	return kit.NewLine(text, fyne.TextStyle{}, theme.ColorNamePlaceHolder, theme.SizeNameText)
}

// columns lays out rows of five objects: a name, a number at its right end, a bar, a dot, and text that may wrap.
type columns struct{ *float32 }

const (
	cells                        = 5
	rowHigh, barHigh, dot        = 22, 12, 8
	leastName, mostName, barPart = 90, 170, 0.18
)

// Layout puts the rows below each other and notes their height.
func (c columns) Layout(o []fyne.CanvasObject, size fyne.Size) {
	name, number := float32(leastName), float32(0)
	for i := 0; i < len(o); i += cells {
		name, number = max(name, min(o[i].MinSize().Width, mostName)), max(number, o[i+1].MinSize().Width)
	}
	bar, y := max(barPart*size.Width, 20), float32(0)
	for i := 0; i < len(o); i += cells {
		put := func(o fyne.CanvasObject, x, width, high float32) { kit.Put(o, x, y+(rowHigh-high)/2, width, high) }
		put(o[i], 0, min(o[i].MinSize().Width, name), o[i].MinSize().Height)
		wide := o[i+1].MinSize().Width
		put(o[i+1], name+gap+number-wide, wide, o[i+1].MinSize().Height)
		x := name + gap + number + gap
		put(o[i+2], x, bar, barHigh)
		put(o[i+3], x+bar+gap, dot, dot)
		x += bar + gap + dot + gap
		rest := max(size.Width-x, 0)
		o[i+4].Resize(fyne.NewSize(rest, rowHigh)) // wrapped text gets its height from its width
		high := o[i+4].MinSize().Height
		kit.Put(o[i+4], x, y+2, rest, high)
		y += max(rowHigh, high+4)
	}
	*c.float32 = y
}

// MinSize returns the height that the rows had in the last layout, or that of rows of one line before the first.
func (c columns) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(leastName, max(*c.float32, float32(len(o)/cells)*rowHigh))
}
