package ui

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"cutaway/source"
	"cutaway/ui/look"
	"cutaway/ui/preferences"
	"cutaway/ui/shell"
)

// settings is everything that a user can set. The dialog, the palette, docs/settings.md and what menus offer are made of it.
func (w *Window) settings() []preferences.Setting {
	return slices.Concat(w.lookSettings(), w.bytesSettings(), w.paneSettings(), w.startSettings(), w.limitSettings(), w.descriptionSettings())
}

// setting is one by its key.
func (w *Window) setting(key string) preferences.Setting {
	all := w.settings()
	return all[slices.IndexFunc(all, func(s preferences.Setting) bool { return s.Key == key })]
}

// showSettings shows those settings that some words find, and where keys are listed.
func (w *Window) showSettings(words string) {
	w.preferences = preferences.Show(w.Shell, w.settings(), words, shell.Button{Text: "Keys…", Act: func() bool {
		w.showKeys()
		return false
	}})
}

// settingItem is the item of a menu for a setting that is not typed.
func (w *Window) settingItem(s preferences.Setting) *fyne.MenuItem {
	if s.Switch != nil {
		item := w.MenuItem(s.Title, "", 0, func() { s.Switch.Set(!s.Switch.On()) })
		item.Checked = s.Switch.On()
		return item
	}
	item := fyne.NewMenuItem(s.Title, nil)
	item.ChildMenu = fyne.NewMenu("")
	for _, c := range s.Choices {
		one := w.MenuItem(c.Title, "", 0, c.Choose)
		one.Checked = c.Holds()
		item.ChildMenu.Items = append(item.ChildMenu.Items, one)
	}
	return item
}

// settingMenu are the choices of a setting.
func (w *Window) settingMenu(key string) *fyne.Menu { return w.settingItem(w.setting(key)).ChildMenu }

// lookChoice is a way the window may look.
type lookChoice struct {
	title string
	set   func(s *look.Settings)
}

// looks are ways the window may look, of which one holds at a time.
func (w *Window) looks(all []lookChoice) (choices []preferences.Choice) {
	for _, c := range all {
		next := func() look.Settings {
			s := w.Store.Settings
			c.set(&s)
			return s
		}
		choices = append(choices, preferences.Choice{Title: c.title, Holds: func() bool { return next() == w.Store.Settings }, Choose: func() { w.setLook(next()) }})
	}
	return choices
}

func (w *Window) lookSettings() []preferences.Setting {
	const group = "Look"
	theme := func(title string, to look.Choice) lookChoice {
		return lookChoice{title, func(s *look.Settings) { s.Choice = to }}
	}
	text := func(title string, to float32) lookChoice {
		return lookChoice{title, func(s *look.Settings) { s.Text = to }}
	}
	room := func(title string, to float32) lookChoice {
		return lookChoice{title, func(s *look.Settings) { s.Room = to }}
	}
	return []preferences.Setting{
		{Key: "theme", Group: group, Title: "Theme", Help: "The window's colours; those of high contrast have black and white grounds, and edges that are seen.",
			Choices: w.looks([]lookChoice{theme("Like the system", look.System), theme("Light", look.Light), theme("Dark", look.Dark),
				theme("High contrast, light", look.StrongLight), theme("High contrast, dark", look.StrongDark)})},
		{Key: "text_size", Group: group, Title: "Text size", Help: "The size of the font, also of the bytes.",
			Choices: w.looks([]lookChoice{text("Usual", 0), text("Small", 0.88), text("Large", 1.2), text("Larger", 1.5)})},
		{Key: "room", Group: group, Title: "Density", Help: "How much room is around what is shown.",
			Choices: w.looks([]lookChoice{room("Usual", 0), room("Dense", 0.5), room("Roomy", 1.75)})},
	}
}

// kept is a switch for a field of the store, which nothing follows but what is done later.
func (w *Window) kept(field *bool, means bool) *preferences.Switch {
	return &preferences.Switch{On: func() bool { return *field == means }, Set: func(on bool) {
		*field = on == means
		w.updateMenu()
		w.Save()
	}}
}

func (w *Window) paneSettings() []preferences.Setting {
	const group = "Panes"
	st := w.Store
	// panes is a switch that all open documents follow at once, or when they are looked at.
	panes := func(field *bool, show func(s *session)) *preferences.Switch {
		return &preferences.Switch{On: func() bool { return *field }, Set: func(on bool) {
			if on == *field {
				return
			}
			if s := w.active; s != nil && s.Pane != nil {
				show(s)
			} else {
				*field = on
				w.Save()
			}
			w.updateControls()
		}}
	}
	return []preferences.Setting{
		{Key: "tree_sizes", Group: group, Title: "Sizes in the tree", Help: "The trees have columns of how much of the file a node takes, alone and with all below it.",
			Switch: &preferences.Switch{On: func() bool { return st.TreeSizes }, Set: w.showSizes}},
		{Key: "pane_hidden", Group: group, Title: "Hide the details", Help: "Of the pane of details only its tabs are shown.",
			Switch: panes(&st.PaneHidden, func(s *session) { s.Pane.Below.Hide(!st.PaneHidden) })},
		{Key: "pane_right", Group: group, Title: "Details at the right", Help: "The pane of details is at the right of the bytes, not below.",
			Switch: panes(&st.PaneRight, func(s *session) { s.Pane.Below.Turn() })},
		{Key: "inspector_in_tab", Group: group, Title: "Inspector beside the bytes", Help: "In wide windows the inspector is beside the bytes, else always in its tab.",
			Switch: &preferences.Switch{On: func() bool { return !st.InspectorInTab }, Set: func(bool) { w.flipInspector() }}},
		{Key: "description", Group: group, Title: "Description", Help: "The text of the description that a file is read by is shown beside its tree.",
			Switch: &preferences.Switch{On: func() bool { return st.Description }, Set: w.showDescriptions}},
		{Key: "time_folded", Group: group, Title: "Fold the time bar", Help: "Of the bar of times only its head is shown.",
			Switch: panes(&st.TimeFolded, func(s *session) { s.Pane.Time.Fold() })},
	}
}

func (w *Window) startSettings() []preferences.Setting {
	const group = "Starting"
	return []preferences.Setting{
		{Key: "no_tabs", Group: group, Title: "Open the tabs of the last time", Help: "A start opens what was open, as it was left, and in front the file that it is given.",
			Switch: w.kept(&w.Store.NoTabs, false)},
		{Key: "reuse_window", Group: group, Title: "Open files in the running window", Help: "A second start hands its files to a window that runs.",
			Switch: &preferences.Switch{On: func() bool { return w.Store.Reuse }, Set: w.setReuse}},
		{Key: "no_welcome", Group: group, Title: "Welcome beside the sample", Help: "The built-in sample has words on what this is, and how to begin.",
			Switch: &preferences.Switch{On: func() bool { return !w.Store.NoHello }, Set: func(on bool) {
				w.Store.NoHello = !on
				w.updateHello()
				w.Save()
			}}},
	}
}

// amounts are choices of a number of MiB; 0 is what is usual.
func (w *Window) amounts(field *int64, usual int64, rest []int64, then func()) (choices []preferences.Choice) {
	for _, n := range append([]int64{0}, rest...) {
		title := fmt.Sprintf("%d MiB", n)
		switch {
		case n == 0:
			title = fmt.Sprintf("%d MiB", usual)
		case n < 0:
			title = "Never"
		case n >= 1024:
			title = fmt.Sprintf("%d GiB", n>>10)
		}
		choices = append(choices, preferences.Choice{Title: title, Holds: func() bool { return *field == n }, Choose: func() {
			*field = n
			then()
			w.Save()
		}})
	}
	return choices
}

func (w *Window) limitSettings() []preferences.Setting {
	const group = "Limits"
	return []preferences.Setting{
		{Key: "check_limit", Group: group, Title: "Check in the background", Help: "Files up to this size are checked for problems when they are opened.",
			Choices: w.amounts(&w.Store.CheckLimit, 64, []int64{-1, 8, 256, 1024, 16384}, func() {})},
		{Key: "cache", Group: group, Title: "Memory for inflated data", Help: "What was inflated is kept up to this size, for all files together; what a format keeps of an index goes by it, too.",
			Choices: w.amounts(&w.Store.Cache, 256, []int64{64, 128, 512, 1024, 2048, 4096}, w.useCache)},
	}
}

// useCache bounds the memory for inflated data as the user has set.
func (w *Window) useCache() { source.SetCacheLimit(w.Store.CacheBytes()) }

func (w *Window) descriptionSettings() []preferences.Setting {
	const group = "Descriptions"
	st := w.Store
	// lines are what descriptions need, which holds only when all of it can be used.
	lines := func(field *[]string, hint string) *preferences.Text {
		return &preferences.Text{Lines: true, Hint: hint, Get: func() string { return strings.Join(*field, "\n") }, Set: func(text string) error {
			was := *field
			*field = nil
			for l := range strings.Lines(text) {
				if l = strings.TrimSpace(l); l != "" {
					*field = append(*field, l)
				}
			}
			err := w.useDescriptions()
			if err != nil {
				*field = was
			}
			w.Save()
			return err
		}}
	}
	return []preferences.Setting{
		{Key: "formats", Group: group, Title: "Folders of descriptions", Help: "Files are known by the Kaitai Struct descriptions in these folders, and imports are looked for there.",
			Text: lines(&st.Formats, "none; one a line")},
		{Key: "codecs", Group: group, Title: "Programs that do a process", Help: "A process of a description: a program gets its bytes on standard input and gives others.",
			Text: lines(&st.Codecs, "none; one a line, such as my_codec=/path/to/program")},
		{Key: "editor", Group: group, Title: "Editor of descriptions", Help: "The program that opens a description, at a line.",
			Text: &preferences.Text{Hint: "the system's; or code -g {file}:{line}", Get: func() string { return st.Editor }, Set: func(text string) error {
				st.Editor = strings.TrimSpace(text)
				w.Save()
				return nil
			}}},
	}
}
