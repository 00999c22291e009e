package description

import (
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/files"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
)

// editor is the command that opens a file at a line: {file} and {line} in its words stand for them, and a file that no word names
// comes last.
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

// OpenEditor opens a file in the program that the user has set, or that the system has for it.
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

// Ask asks for the folders of descriptions, the programs of processes and the editor. apply is told of them, and says what is wrong.
func Ask(sh *shell.Shell, folder string, apply func() error) {
	area := func(lines []string, hint string) *widget.Entry {
		e := widget.NewMultiLineEntry()
		e.SetText(strings.Join(lines, "\n"))
		e.SetPlaceHolder(hint)
		e.SetMinRowsVisible(3)
		e.Wrapping = fyne.TextWrapOff
		return e
	}
	folders := area(sh.Store.Formats, "one a line")
	codecs := area(sh.Store.Codecs, "one a line, such as my_codec=/path/to/program")
	program := widget.NewEntry()
	program.SetText(sh.Store.Editor)
	program.SetPlaceHolder("the system's; or such as code -g {file}:{line}")
	choose := kit.IconButton(theme.FolderOpenIcon(), "Choose a folder", func() {
		files.Choose(sh, "Choose a folder of descriptions", folder, nil, true, func(path string) {
			folders.SetText(strings.TrimLeft(strings.TrimRight(folders.Text, "\n")+"\n"+path, "\n"))
		})
	})
	wrong := widget.NewLabel("")
	wrong.Importance, wrong.Wrapping = widget.DangerImportance, fyne.TextWrapWord
	hint := func(text string) fyne.CanvasObject {
		l := widget.NewLabel(text)
		l.Importance, l.Wrapping = widget.LowImportance, fyne.TextWrapWord
		return kit.Dense(l)
	}
	form := container.New(layout.NewFormLayout(),
		widget.NewLabel("Folders"), container.NewBorder(nil, nil, nil, container.NewVBox(choose), folders),
		layout.NewSpacer(), hint("Files are known by the descriptions in them, and imports are looked for there."),
		widget.NewLabel("Codecs"), codecs,
		layout.NewSpacer(), hint("Programs that do a process of a description: they get bytes on standard input and give others."),
		widget.NewLabel("Editor"), program)
	sh.ShowModal("Descriptions", nil, container.NewVBox(form, wrong), 620, shell.Button{Text: "Cancel"}, shell.Button{Text: "Keep", Main: true, Act: func() bool {
		st, was := sh.Store, *sh.Store
		st.Formats, st.Codecs, st.Editor = linesOf(folders.Text), linesOf(codecs.Text), strings.TrimSpace(program.Text)
		if err := apply(); err != nil {
			st.Formats, st.Codecs, st.Editor = was.Formats, was.Codecs, was.Editor
			wrong.SetText(phrase.Sentence(err))
			return false
		}
		sh.Save()
		return true
	}})
	sh.Focus(folders)
}

// linesOf are the lines of a text that are not blank.
func linesOf(text string) (out []string) {
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}
