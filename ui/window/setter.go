package window

import (
	"fmt"
	"slices"
	"strings"

	"cutaway/decoders"
	"cutaway/hexview"
	"cutaway/source"
	"cutaway/ui/look"
	"cutaway/ui/preferences"
	"cutaway/ui/shell"
	"cutaway/ui/tab"
)

// A setter changes what a user can set, and lists it: the dialog, the table of actions, docs/settings.md and what menus offer are made
// of its settings.
type setter struct{ w *Window }

// Settings lists everything that a user can set.
func (w *Window) Settings() []preferences.Setting { return w.setter.settings() }

func (o *setter) settings() []preferences.Setting {
	return slices.Concat(o.lookSettings(), o.bytesSettings(), o.paneSettings(), o.startSettings(), o.limitSettings(), o.descriptionSettings())
}

// Setting returns one by its key.
func (w *Window) Setting(key string) preferences.Setting {
	all := w.Settings()
	return all[slices.IndexFunc(all, func(s preferences.Setting) bool { return s.Key == key })]
}

// ShowSettings shows those settings that some words find, and where keys are listed.
func (w *Window) ShowSettings(words string) {
	w.Preferences = preferences.Show(w.Shell, w.Settings(), words, shell.Button{Text: "Keys…", Act: func() bool {
		w.showKeys()
		return false
	}})
}

// A choice is one of several values of a part of S.
type choice[S any] struct {
	title string
	set   func(s *S)
}

// choicesOf returns choices that change a part of now. use stores the new value.
func choicesOf[S comparable](now *S, all []choice[S], use func(S)) (choices []preferences.Choice) {
	for _, c := range all {
		next := func() S {
			s := *now
			c.set(&s)
			return s
		}
		choices = append(choices, preferences.Choice{Title: c.title, Holds: func() bool { return next() == *now }, Choose: func() { use(next()) }})
	}
	return choices
}

// looks returns choices of the window's look.
func (o *setter) looks(all ...choice[look.Settings]) []preferences.Choice {
	return choicesOf(&o.w.Shell.Store.Settings, all, o.SetLook)
}

// modes returns choices of how bytes are shown.
func (o *setter) modes(all ...choice[hexview.Mode]) []preferences.Choice {
	return choicesOf(&o.w.Shell.Store.Mode, all, o.setMode)
}

func (o *setter) lookSettings() []preferences.Setting {
	const group = "Look"
	theme := func(title string, to look.Choice) choice[look.Settings] {
		return choice[look.Settings]{title, func(s *look.Settings) { s.Choice = to }}
	}
	text := func(title string, to float32) choice[look.Settings] {
		return choice[look.Settings]{title, func(s *look.Settings) { s.Text = to }}
	}
	room := func(title string, to float32) choice[look.Settings] {
		return choice[look.Settings]{title, func(s *look.Settings) { s.Room = to }}
	}
	return []preferences.Setting{
		{Key: "theme", Group: group, Title: "Theme", Help: "The window's colours; those of high contrast have black and white grounds, and edges that are seen.",
			Choices: o.looks(theme("Like the system", look.System), theme("Light", look.Light), theme("Dark", look.Dark),
				theme("High contrast, light", look.StrongLight), theme("High contrast, dark", look.StrongDark))},
		{Key: "text_size", Group: group, Title: "Text size", Help: "The size of the font, also of the bytes.",
			Choices: o.looks(text("Usual", 0), text("Small", 0.88), text("Large", 1.2), text("Larger", 1.5))},
		{Key: "room", Group: group, Title: "Density", Help: "How much room is around what is shown.",
			Choices: o.looks(room("Usual", 0), room("Dense", 0.5), room("Roomy", 1.75))},
	}
}

// kept is a switch for a field of the store, which nothing follows but what is done later.
func (o *setter) kept(field *bool, means bool) *preferences.Switch {
	return &preferences.Switch{On: func() bool { return *field == means }, Set: func(on bool) {
		*field = on == means
		o.w.UpdateMenu()
		o.w.Shell.Save()
	}}
}

func (o *setter) paneSettings() []preferences.Setting {
	const group = "Panes"
	st := o.w.Shell.Store
	// panes is a switch that all open documents follow at once, or when they are looked at.
	panes := func(field *bool, show func(t *tab.Tab)) *preferences.Switch {
		return &preferences.Switch{On: func() bool { return *field }, Set: func(on bool) {
			if on == *field {
				return
			}
			if t := o.w.Active; t != nil && t.Pane != nil {
				show(t)
			} else {
				*field = on
				o.w.Shell.Save()
			}
			o.w.UpdateControls()
		}}
	}
	return []preferences.Setting{
		{Key: "inspector_open", Group: group, Title: "Inspector", Help: "At the foot of the card are the bytes at the cursor as numbers, bits and checksums.",
			Switch: panes(&st.InspectorOpen, func(t *tab.Tab) { t.Pane.Side.Fold() })},
		{Key: "time_folded", Group: group, Title: "Fold the time bar", Help: "Of the bar of times only its head is shown, also when something with times is selected.",
			Switch: panes(&st.TimeFolded, func(t *tab.Tab) {
				st.TimeFolded = !st.TimeFolded
				t.Pane.Time.ShowFolded()
				o.w.Shell.Save()
			})},
	}
}

func (o *setter) startSettings() []preferences.Setting {
	const group = "Starting"
	return []preferences.Setting{
		{Key: "no_tabs", Group: group, Title: "Open the tabs of the last time", Help: "A start opens what was open, as it was left, and in front the file that it is given.",
			Switch: o.kept(&o.w.Shell.Store.NoTabs, false)},
		{Key: "reuse_window", Group: group, Title: "Open files in the running window", Help: "A second start hands its files to a window that runs.",
			Switch: &preferences.Switch{On: func() bool { return o.w.Shell.Store.Reuse }, Set: o.setReuse}},
		{Key: "no_welcome", Group: group, Title: "Welcome beside the sample", Help: "The built-in sample has words on what this is, and how to begin.",
			Switch: &preferences.Switch{On: func() bool { return !o.w.Shell.Store.NoHello }, Set: func(on bool) {
				o.w.Shell.Store.NoHello = !on
				o.w.welcome.Update()
				o.w.Shell.Save()
			}}},
	}
}

// amounts returns choices of a number of MiB; 0 is the usual one.
func (o *setter) amounts(field *int64, usual int64, rest []int64, then func()) (choices []preferences.Choice) {
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
			o.w.Shell.Save()
		}})
	}
	return choices
}

func (o *setter) limitSettings() []preferences.Setting {
	const group = "Limits"
	return []preferences.Setting{
		{Key: "check_limit", Group: group, Title: "Check in the background", Help: "Files up to this size are checked for problems when they are opened.",
			Choices: o.amounts(&o.w.Shell.Store.CheckLimit, 64, []int64{-1, 8, 256, 1024, 16384}, func() {})},
		{Key: "cache", Group: group, Title: "Memory for inflated data", Help: "What was inflated is kept up to this size, for all files together; what a format keeps of an index goes by it, too.",
			Choices: o.amounts(&o.w.Shell.Store.Cache, 256, []int64{64, 128, 512, 1024, 2048, 4096}, o.useCache)},
	}
}

// useCache bounds the memory for inflated data as the user has set.
func (o *setter) useCache() { source.SetCacheLimit(o.w.Shell.Store.CacheBytes()) }

func (o *setter) descriptionSettings() []preferences.Setting {
	const group = "Descriptions"
	st := o.w.Shell.Store
	// lines is a setting that holds only when all of its lines can be used.
	lines := func(field *[]string, hint string) *preferences.Text {
		return &preferences.Text{Lines: true, Hint: hint, Get: func() string { return strings.Join(*field, "\n") }, Set: func(text string) error {
			was := *field
			*field = nil
			for l := range strings.Lines(text) {
				if l = strings.TrimSpace(l); l != "" {
					*field = append(*field, l)
				}
			}
			err := o.useDescriptions()
			if err != nil {
				*field = was
			}
			o.w.Shell.Save()
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
				o.w.Shell.Save()
				return nil
			}}},
		{Key: "assets", Group: "Files", Title: "Where named files are", Help: "Folders where files that a layer names are looked for too, or folders for addresses.",
			Text: lines(&st.Assets, "none; one a line, such as omniverse://host/=/folder")},
	}
}

// bytesSettings lists how bytes are shown.
func (o *setter) bytesSettings() []preferences.Setting {
	const group = "Bytes"
	return []preferences.Setting{
		{Key: "row_width", Group: group, Title: "Bytes per row", Help: "How many bytes a row has.", Choices: o.modes(rowChoices()...)},
		{Key: "group", Group: group, Title: "Group", Help: "How many bytes are shown together.", Choices: o.modes(groupChoices()...)},
		{Key: "number", Group: group, Title: "Shown as", Help: "What a group of bytes is shown as.", Choices: o.modes([]bytesChoice{
			{"Bytes", func(m *hexview.Mode) { m.Number = hexview.Bytes }}, {"Hexadecimal numbers", shownAs(hexview.Hex)},
			{"Unsigned numbers", shownAs(hexview.Unsigned)}, {"Signed numbers", shownAs(hexview.Signed)}, {"Floating point", shownAs(hexview.Float)}}...)},
		{Key: "big_endian", Group: group, Title: "Byte order", Help: "The order of the bytes in a number.", Choices: o.modes([]bytesChoice{
			{"Little endian", func(m *hexview.Mode) { m.BigEndian = false }}, {"Big endian", func(m *hexview.Mode) { m.BigEndian = true }}}...)},
		{Key: "decimal_offsets", Group: group, Title: "Offsets", Help: "How the offsets of rows are written.", Choices: o.modes([]bytesChoice{
			{"Hexadecimal", func(m *hexview.Mode) { m.DecimalOffsets = false }}, {"Decimal", func(m *hexview.Mode) { m.DecimalOffsets = true }}}...)},
		{Key: "text_encoding", Group: group, Title: "Text", Help: "What the column of text shows bytes as.", Choices: o.modes(textChoices()...)},
		{Key: "no_entropy", Group: group, Title: "Entropy", Help: "A strip beside the bytes shows how random they are, and their kinds.",
			Switch: &preferences.Switch{On: func() bool { return !o.w.Shell.Store.HideProfile },
				Set: func(on bool) { o.changeMode(func(m *hexview.Mode) { m.HideProfile = !on }) }}},
		{Key: "fold", Group: group, Title: "Fold equal and unexplained bytes", Help: "Of runs of equal bytes, and of what nothing explains, one row is shown.",
			Switch: &preferences.Switch{On: func() bool { return o.w.Shell.Store.Fold }, Set: func(on bool) { o.changeMode(func(m *hexview.Mode) { m.Fold = on }) }}},
		{Key: "second_bytes", Group: group, Title: "Second place", Help: "Bytes are shown at two places, one below the other.",
			Switch: &preferences.Switch{On: func() bool { return o.w.Shell.Store.SecondBytes }, Set: o.ShowSecond}},
	}
}

type bytesChoice = choice[hexview.Mode]

// ShowSecond shows bytes at a second place too, or no longer.
func (o *setter) ShowSecond(on bool) {
	o.w.Shell.Store.SecondBytes = on
	o.w.eachOpen(func(t *tab.Tab) { t.Pane.Hex.ShowSecond(on) })
	o.w.Shell.Log.Write("second", on)
	o.w.UpdateMenu()
	o.w.Shell.Save()
}

func rowChoices() []bytesChoice {
	all := []bytesChoice{{"As many as fit", func(m *hexview.Mode) { m.RowWidth = 0 }}}
	for _, n := range []int{8, 12, 16, 24, 32, 64} {
		all = append(all, bytesChoice{fmt.Sprint(n), func(m *hexview.Mode) { m.RowWidth = n }})
	}
	return all
}

// groupChoices are the sizes of groups. No float has one byte.
func groupChoices() []bytesChoice {
	all := []bytesChoice{{"1 byte", func(m *hexview.Mode) {
		m.Group = 0
		if m.Number == hexview.Float {
			m.Number = hexview.Bytes
		}
	}}}
	for _, n := range []int{2, 4, 8} {
		all = append(all, bytesChoice{fmt.Sprintf("%d bytes", n), func(m *hexview.Mode) { m.Group = n }})
	}
	return all
}

// shownAs shows numbers of a kind; of one byte there is no float, and a hexadecimal one looks as the byte does.
func shownAs(n hexview.Number) func(m *hexview.Mode) {
	return func(m *hexview.Mode) {
		m.Number = n
		if m.Group == 0 && (n == hexview.Float || n == hexview.Hex) {
			m.Group = 4
		}
	}
}

func textChoices() (all []bytesChoice) {
	for _, e := range hexview.Encodings {
		all = append(all, bytesChoice{e.Title, func(m *hexview.Mode) { m.Encoding = e.Encoding }})
	}
	return all
}

// changeMode changes a part of how bytes are shown.
func (o *setter) changeMode(set func(m *hexview.Mode)) {
	mode := o.w.Shell.Store.Mode
	set(&mode)
	o.setMode(mode)
}

// setMode changes how bytes are shown, everywhere and from now on.
func (o *setter) setMode(mode hexview.Mode) {
	o.w.Shell.Store.Mode = mode
	o.w.eachOpen(func(t *tab.Tab) {
		t.Pane.Hex.SetMode(o.w.Shell.Store.Mode)
		t.Pane.Side.Inspector.ShowOrder()
	})
	o.w.Shell.Log.Write("bytes", o.w.Shell.Store.Group, string(o.w.Shell.Store.Number), o.w.Shell.Store.BigEndian, o.w.Shell.Store.DecimalOffsets, string(o.w.Shell.Store.Encoding))
	o.w.UpdateMenu()
	o.w.Shell.Save()
}

// flipOrder has numbers read in the other byte order.
func (o *setter) flipOrder() { o.changeMode(func(m *hexview.Mode) { m.BigEndian = !m.BigEndian }) }

// SetLook changes the window's look.
func (o *setter) SetLook(to look.Settings) {
	o.w.Shell.Store.Settings = to
	o.w.Shell.App.Settings().SetTheme(look.Of(to))
	o.w.UpdateMenu()
	o.w.Shell.Save()
}

// useDescriptions takes the folders and programs that the user has set.
func (o *setter) useDescriptions() error {
	decoders.UseDescriptions(o.w.Shell.Store.Formats...)
	return decoders.UseCodecs(o.w.Shell.Store.Codecs...)
}

// setReuse chooses whether later starts hand their files to this window.
func (o *setter) setReuse(on bool) {
	o.w.Door.Close()
	if on {
		if err := o.w.Door.Listen(); err != nil {
			o.w.Shell.Tell("listening for files of other starts", err)
			return
		}
	}
	o.w.Shell.Remembered(o.w.Shell.Store.SetReuse(on))
	o.w.UpdateMenu()
}
