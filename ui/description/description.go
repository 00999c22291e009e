// Package description shows the description that a document is decoded by, as a card of its stage. It marks the lines
// that describe the selected node. A click on a line selects a node that the line describes.
package description

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// Host lists the functions of its document that the pane may call.
type Host struct {
	Current  func() *model.Place // returns the selected node, or nil
	GoToNode func(path string)   // selects a node while the list keeps the keyboard
}

// A line is a row of the text, or a finding about the line before it.
type line struct {
	number int  // from 1; a finding has the number of its line
	told   bool // it is a finding
	text   string
	mark   treeview.Mark
	match  treeview.Match
}

// A Pane shows the text of a document's description.
type Pane struct {
	shell.Opened
	host   Host
	Object fyne.CanvasObject

	files    []model.DescriptionFile
	findings []model.SchemaFinding
	front    int // the index of the shown file
	lit      atomic.Pointer[[]model.Passage]
	data     *treeview.Slice[line]
	List     *treeview.Tree
	choice   *kit.Select
	Note     *widget.Label
	following,
	seeking task.Latest
}

// New makes the pane of a document that has a description.
func New(opened shell.Opened, host Host) *Pane {
	d := opened.Doc.Description
	p := &Pane{Opened: opened, host: host, files: slices.Clone(d.Files), findings: d.Findings, Note: widget.NewLabel("")}
	p.data = treeview.SliceOf(p.row)
	p.List = p.NewList(p.Ctx, "", p.data, []treeview.Column{{Title: "Line", Width: 64, Right: true, Quiet: true},
		{Title: "Text", Width: 200, Stretch: 1, Mono: true}})
	p.List.OnSelected, p.List.OnChosen = p.seek, p.seek
	p.choice = kit.NewSelect(nil, func(string) { p.show(p.choice.SelectedIndex()) })
	for _, f := range p.files {
		p.choice.Options = append(p.choice.Options, filepath.Base(f.Name))
	}
	edit := widget.NewButtonWithIcon("Open in editor", theme.DocumentCreateIcon(), p.Edit)
	edit.Importance = widget.LowImportance
	p.Note.Importance, p.Note.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	bar := kit.Border(nil, nil, p.choice, edit, p.Note)
	p.Object = kit.Under(kit.NewBacked(theme.ColorNameHeaderBackground, kit.Padded(2, 2, 4, 4, bar)), p.List)
	p.choice.SetSelectedIndex(0)
	return p
}

// row returns the row of a line. It runs in the background.
func (p *Pane) row(l line) treeview.Row {
	r := treeview.Row{Cells: []string{strconv.Itoa(l.number), l.text}, Mark: l.mark, Match: l.match, Lit: p.isLit(l)}
	if l.told {
		r.Cells[0] = ""
	}
	r.Dim = l.told || strings.HasPrefix(strings.TrimSpace(l.text), "#")
	return r
}

// Rows returns the rows of the text.
func (p *Pane) Rows() (rows []treeview.Row) {
	for _, l := range p.data.All() {
		rows = append(rows, p.row(l))
	}
	return rows
}

// isLit reports whether a line describes the selected node.
func (p *Pane) isLit(l line) bool {
	lit := p.lit.Load()
	return lit != nil && len(*lit) > 0 && l.number >= (*lit)[0].First && l.number <= (*lit)[0].Last
}

// show shows a file.
func (p *Pane) show(i int) {
	p.front = i
	p.lit.Store(nil)
	var lines []line
	for k, text := range strings.Split(strings.TrimSuffix(p.files[i].Text, "\n"), "\n") {
		one := line{number: k + 1, text: strings.TrimSuffix(text, "\r")}
		var told []line
		for _, f := range p.findings {
			if f.Schema == p.files[i].Name && f.Line == one.number {
				mark := treeview.Error
				if f.Warning {
					mark = treeview.Warning
				}
				one.mark, one.match = max(one.mark, mark), wordAt(one.text, f.Column)
				told = append(told, line{number: one.number, told: true, text: strings.Repeat(" ", max(f.Column-1, 0)) + "↑ " + f.Message})
			}
		}
		lines = append(append(lines, one), told...)
	}
	p.data.Set(lines)
	p.List.Recount()
}

// wordAt returns the range of the word at a column of a text, counted from 1. It is marked for a finding at the column.
func wordAt(text string, column int) treeview.Match {
	from := 0
	for range column - 1 {
		_, n := utf8.DecodeRuneInString(text[from:])
		from += n
	}
	to := len(text)
	if n := strings.IndexAny(text[from:], " ,]}"); n > 0 {
		to = from + n
	}
	return treeview.Match{Cell: 1, From: from, To: to}
}

// Follow marks the lines that describe the node at a path.
func (p *Pane) Follow(path string) {
	p.Tasks.Go(p.following.Next(p.Ctx), "", func(ctx context.Context, _ model.Progress) func() {
		list, err := p.Doc.Description.Of(ctx, path)
		return func() {
			if err == nil && ctx.Err() == nil {
				p.mark(list)
			}
		}
	})
}

// mark marks the first of some passages and scrolls to its first line.
func (p *Pane) mark(list []model.Passage) {
	if len(list) == 0 {
		p.lit.Store(nil)
		p.List.Invalidate()
		return
	}
	if i := slices.IndexFunc(p.files, func(f model.DescriptionFile) bool { return f.Name == list[0].File }); i >= 0 && i != p.front {
		p.choice.SetSelectedIndex(i)
	}
	p.lit.Store(&list)
	p.List.Invalidate()
	if row := p.rowOf(list[0].First); row >= 0 {
		p.List.Reveal(int64(row))
	}
	p.Log.Write("described", list[0].File, list[0].First, list[0].Last)
}

// rowOf returns the row of a line, or -1 if the text has no such line.
func (p *Pane) rowOf(number int) int {
	return slices.IndexFunc(p.data.All(), func(l line) bool { return l.number == number && !l.told })
}

// seek selects the next node that a row's line describes.
func (p *Pane) seek(it treeview.Item) {
	l, ok := p.data.At(it)
	if !ok {
		return
	}
	after := ""
	if at := p.host.Current(); at != nil {
		after = at.Path()
	}
	file := p.files[p.front].Name
	p.Tasks.Try(p.seeking.Next(p.Ctx), fmt.Sprintf("looking for what line %d tells of", l.number), func(ctx context.Context, pr model.Progress) (func(), error) {
		path, err := p.Doc.Description.Next(ctx, file, l.number, after, pr)
		return func() {
			switch path {
			case "":
				p.Note.SetText("Nothing in this file comes from the line")
			case after:
				p.Note.SetText("Only this node comes from the line")
			default:
				p.Note.SetText("Enter: the next node of the line")
				p.host.GoToNode(path)
			}
		}, err
	})
}

// Wrong shows the texts as they are on disk now, with findings. The texts have changed, and are invalid: the document
// is still decoded by the former ones.
func (p *Pane) Wrong(findings []model.SchemaFinding) {
	files := slices.Clone(p.files)
	p.Tasks.Go(p.Ctx, "", func(context.Context, model.Progress) func() {
		for i := range files {
			if text, err := os.ReadFile(files[i].Name); err == nil {
				files[i].Text = string(text)
			}
		}
		return func() {
			p.files, p.findings = files, findings
			front := p.front
			for _, f := range findings {
				if i := slices.IndexFunc(files, func(one model.DescriptionFile) bool { return one.Name == f.Schema }); i >= 0 && !f.Warning {
					front = i
					p.choice.Selected = p.choice.Options[i]
					p.choice.Refresh()
					break
				}
			}
			p.show(front)
			for _, f := range findings {
				if row := p.rowOf(f.Line); f.Schema == files[front].Name && !f.Warning && row >= 0 {
					p.List.Reveal(int64(row))
					p.Note.SetText(phrase.Capital(f.Message))
					break
				}
			}
		}
	})
}

// Edit opens the shown file in the user's editor, at the selected line.
func (p *Pane) Edit() {
	number := 1
	if l, ok := p.data.At(p.List.Selected()); ok {
		number = l.number
	} else if lit := p.lit.Load(); lit != nil {
		number = (*lit)[0].First
	}
	if err := OpenEditor(p.Shell, p.files[p.front].Name, number); err != nil {
		p.Tell("opening the editor", err)
	}
}

// editor returns the command that opens a file at a line. It replaces {file} and {line} in the words of the setting. If
// no word has {file}, the file is the last word.
func editor(setting, file string, line int) []string {
	words := strings.Fields(setting)
	named := false
	for i, w := range words {
		named = named || strings.Contains(w, "{file}")
		words[i] = strings.NewReplacer("{file}", file, "{line}", strconv.Itoa(line)).Replace(w)
	}
	if len(words) > 0 && !named {
		words = append(words, file)
	}
	return words
}

// OpenEditor opens a file in the editor that the user has set or, without one, in the system's program for such files.
func OpenEditor(sh *shell.Shell, file string, line int) error {
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	words := editor(sh.Store.Editor, file, line)
	sh.Log.Write("editor", file, line)
	if len(words) == 0 {
		return sh.App.OpenURL(&url.URL{Scheme: "file", Path: filepath.ToSlash(file)})
	}
	cmd := exec.Command(words[0], words[1:]...) //nolint:gosec // the user's own setting names it
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // how the editor ends is the user's affair
	return nil
}
