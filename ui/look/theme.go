// Package look is the window's theme: its colours and measures, light and dark.
package look

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Look is the window's theme: quiet colours of our own, and measures that suit a dense tool.
type Look struct {
	fyne.Theme
	Settings
}

// Settings are the user's choices for the theme; the zero value is that of the first start.
type Settings struct {
	Choice Choice  `json:"theme,omitempty"`
	Text   float32 `json:"text_size,omitempty"` // times the usual size, which 0 means too
	Room   float32 `json:"room,omitempty"`      // around texts, times the usual room, which 0 means too
}

// Choice says whose colours the theme has.
type Choice string

// The choices.
const (
	System      Choice = ""
	Light       Choice = "light"
	Dark        Choice = "dark"
	StrongLight Choice = "high contrast light"
	StrongDark  Choice = "high contrast dark"
)

// New makes the theme of a choice.
func New(choice Choice) *Look { return Of(Settings{Choice: choice}) }

// Of makes the theme of settings.
func Of(s Settings) *Look { return &Look{theme.DefaultTheme(), s} }

// variant is the variant to draw, given the system's.
func (l *Look) variant(system fyne.ThemeVariant) fyne.ThemeVariant {
	switch l.Choice {
	case Light, StrongLight:
		return theme.VariantLight
	case Dark, StrongDark:
		return theme.VariantDark
	}
	return system
}

// Color returns a colour of the theme.
func (l *Look) Color(name fyne.ThemeColorName, system fyne.ThemeVariant) color.Color {
	v := l.variant(system)
	palettes := []map[fyne.ThemeColorName]color.Color{lightColors}
	if v == theme.VariantDark {
		palettes[0] = darkColors
	}
	switch l.Choice {
	case StrongLight:
		palettes = append(palettes, strongLightColors)
	case StrongDark:
		palettes = append(palettes, strongDarkColors)
	}
	for _, colors := range slices.Backward(palettes) {
		if c, ok := colors[name]; ok {
			return c
		}
	}
	return l.Theme.Color(name, v)
}

// Size returns a measure of the theme.
func (l *Look) Size(name fyne.ThemeSizeName) float32 {
	s, ok := sizes[name]
	if !ok {
		s = l.Theme.Size(name)
	}
	switch name {
	case theme.SizeNameText, theme.SizeNameCaptionText, theme.SizeNameSubHeadingText, theme.SizeNameHeadingText, theme.SizeNameInlineIcon,
		Title, Heading:
		return times(s, l.Text)
	case theme.SizeNamePadding, theme.SizeNameInnerPadding:
		return times(s, l.Room)
	}
	return s
}

// times is a size so many times; 0 times: once.
func times(size, factor float32) float32 {
	if factor == 0 {
		return size
	}
	return size * factor
}

var sizes = map[fyne.ThemeSizeName]float32{
	theme.SizeNameText:            13,
	theme.SizeNameCaptionText:     11.5,
	theme.SizeNameSubHeadingText:  16,
	theme.SizeNameHeadingText:     21,
	Title:                         17,
	Heading:                       11,
	theme.SizeNamePadding:         4,
	theme.SizeNameInnerPadding:    6,
	theme.SizeNameInlineIcon:      18,
	theme.SizeNameScrollBar:       12,
	theme.SizeNameScrollBarSmall:  4,
	theme.SizeNameInputRadius:     4,
	theme.SizeNameSelectionRadius: 3,
	theme.SizeNameButtonRadius:    4,
}

// Colours that Fyne has no name for.
const (
	Share fyne.ThemeColorName = "share" // of the file, as a bar below a number
	Wrong fyne.ThemeColorName = "wrong" // behind the errors of a node

	// Those of kinds of nodes.
	Group  fyne.ThemeColorName = "group"
	Shape  fyne.ThemeColorName = "shape" // pictures and sounds too
	Value  fyne.ThemeColorName = "value"
	Link   fyne.ThemeColorName = "link"
	Code   fyne.ThemeColorName = "code"
	Detail fyne.ThemeColorName = "detail" // of how a file says it

	Section fyne.ThemeColorName = "section" // of parts of a file; a number from 1 to 7 follows, which repeat

	// Those of the components of a vector.
	X fyne.ThemeColorName = "x"
	Y fyne.ThemeColorName = "y"
	Z fyne.ThemeColorName = "z"
)

// Sizes of text beside those of Fyne.
const (
	Title   fyne.ThemeSizeName = "title"   // of a card
	Heading fyne.ThemeSizeName = "heading" // above a part of a card, in capitals
)

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

func rgba(v uint32, a uint8) color.NRGBA {
	c := rgb(v)
	c.A = a
	return c
}

var lightColors = map[fyne.ThemeColorName]color.Color{
	theme.ColorNameBackground:          rgb(0xffffff),
	theme.ColorNameForeground:          rgb(0x191e27),
	theme.ColorNamePlaceHolder:         rgb(0x454e5c),
	theme.ColorNameDisabled:            rgb(0x525b68),
	theme.ColorNamePrimary:             rgb(0x1552b0),
	theme.ColorNameHyperlink:           rgb(0x006a72),
	theme.ColorNameHeaderBackground:    rgb(0xedeff3),
	theme.ColorNameMenuBackground:      rgb(0xf4f6f9),
	theme.ColorNameOverlayBackground:   rgb(0xffffff),
	theme.ColorNameButton:              rgb(0xe6eaf0),
	theme.ColorNameDisabledButton:      rgb(0xf4f6f9),
	theme.ColorNameInputBackground:     rgb(0xf4f6f9),
	theme.ColorNameInputBorder:         rgb(0x7b8494),
	theme.ColorNameSeparator:           rgb(0xdadfe7),
	theme.ColorNameHover:               rgba(0x191e27, 0x08),
	theme.ColorNamePressed:             rgb(0xeaf1fb),
	theme.ColorNameSelection:           rgb(0xcfe2ff),
	theme.ColorNameFocus:               rgba(0x1b62cf, 0x40),
	theme.ColorNameScrollBar:           rgba(0x191e27, 0x55),
	theme.ColorNameScrollBarBackground: rgba(0x191e27, 0x0a),
	theme.ColorNameForegroundOnPrimary: rgb(0xffffff),
	theme.ColorNameForegroundOnError:   rgb(0xffffff),
	theme.ColorNameForegroundOnWarning: rgb(0xffffff),
	theme.ColorNameForegroundOnSuccess: rgb(0xffffff),
	theme.ColorNameShadow:              rgba(0x191e27, 0x24),
	theme.ColorNameError:               rgb(0xb3261e),
	theme.ColorNameWarning:             rgb(0x7a4f00),
	theme.ColorNameSuccess:             rgb(0x146338),
	Share:                              rgb(0xb9d0f2),
	Wrong:                              rgb(0xfceae8),
	Group:                              rgb(0x4557c9),
	Shape:                              rgb(0x1c7a45),
	Value:                              rgb(0x8f5e00),
	Link:                               rgb(0x7c3fb3),
	Code:                               rgb(0xb3325a),
	Detail:                             rgb(0x606979),
	"section1":                         rgb(0x3f7bd0),
	"section2":                         rgb(0xb27a1e),
	"section3":                         rgb(0x7d5cc9),
	"section4":                         rgb(0xb8499a),
	"section5":                         rgb(0x2f8c57),
	"section6":                         rgb(0x1b8796),
	"section7":                         rgb(0x727c8b),
	X:                                  rgb(0xc2382e),
	Y:                                  rgb(0x1c7a45),
	Z:                                  rgb(0x1b62cf),
}

var darkColors = map[fyne.ThemeColorName]color.Color{
	theme.ColorNameBackground:          rgb(0x191d23),
	theme.ColorNameForeground:          rgb(0xe4e8ee),
	theme.ColorNamePlaceHolder:         rgb(0xb3bbc7),
	theme.ColorNameDisabled:            rgb(0xa8b0bc),
	theme.ColorNamePrimary:             rgb(0x78b2ff),
	theme.ColorNameHyperlink:           rgb(0x5cc6cf),
	theme.ColorNameHeaderBackground:    rgb(0x12151a),
	theme.ColorNameMenuBackground:      rgb(0x22272f),
	theme.ColorNameOverlayBackground:   rgb(0x22272f),
	theme.ColorNameButton:              rgb(0x2c323c),
	theme.ColorNameDisabledButton:      rgb(0x22272f),
	theme.ColorNameInputBackground:     rgb(0x22272f),
	theme.ColorNameInputBorder:         rgb(0x77818f),
	theme.ColorNameSeparator:           rgb(0x343b46),
	theme.ColorNameHover:               rgba(0xe4e8ee, 0x0b),
	theme.ColorNamePressed:             rgb(0x26303d),
	theme.ColorNameSelection:           rgb(0x1d3b66),
	theme.ColorNameFocus:               rgba(0x6aa9ff, 0x50),
	theme.ColorNameScrollBar:           rgba(0xe4e8ee, 0x55),
	theme.ColorNameScrollBarBackground: rgba(0xe4e8ee, 0x0a),
	theme.ColorNameForegroundOnPrimary: rgb(0x0f2138),
	theme.ColorNameForegroundOnError:   rgb(0x3a0d0a),
	theme.ColorNameForegroundOnWarning: rgb(0x33260a),
	theme.ColorNameForegroundOnSuccess: rgb(0x0c2e1a),
	theme.ColorNameShadow:              rgba(0x000000, 0x66),
	theme.ColorNameError:               rgb(0xff948b),
	theme.ColorNameWarning:             rgb(0xe8b84f),
	theme.ColorNameSuccess:             rgb(0x6ccb93),
	Share:                              rgb(0x3a4e6e),
	Wrong:                              rgb(0x3a1f20),
	Group:                              rgb(0x93a4ff),
	Shape:                              rgb(0x6ccb93),
	Value:                              rgb(0xddb067),
	Link:                               rgb(0xc795ee),
	Code:                               rgb(0xf08fa9),
	Detail:                             rgb(0x8f98a6),
	"section1":                         rgb(0x5e8fd6),
	"section2":                         rgb(0xc79446),
	"section3":                         rgb(0x9a7bdc),
	"section4":                         rgb(0xcf6fb4),
	"section5":                         rgb(0x55b07a),
	"section6":                         rgb(0x3fa6b5),
	"section7":                         rgb(0x7a8494),
	X:                                  rgb(0xf0857d),
	Y:                                  rgb(0x74cc8a),
	Z:                                  rgb(0x7cb2ff),
}

// What the themes of high contrast have of their own: text and its grounds are black and white, edges are seen.
var strongLightColors = map[fyne.ThemeColorName]color.Color{
	theme.ColorNameBackground:       rgb(0xffffff),
	theme.ColorNameForeground:       rgb(0x000000),
	theme.ColorNamePlaceHolder:      rgb(0x333333),
	theme.ColorNameDisabled:         rgb(0x3d3d3d),
	theme.ColorNamePrimary:          rgb(0x003e8a),
	theme.ColorNameHyperlink:        rgb(0x003e8a),
	theme.ColorNameHeaderBackground: rgb(0xf5f5f5),
	theme.ColorNameMenuBackground:   rgb(0xffffff),
	theme.ColorNameInputBorder:      rgb(0x444444),
	theme.ColorNameSeparator:        rgb(0x555555),
	theme.ColorNameShadow:           rgba(0x000000, 0x66), // what parts the panes, too
	theme.ColorNameError:            rgb(0x8a0f0a),
	theme.ColorNameWarning:          rgb(0x5c3600),
	theme.ColorNameSuccess:          rgb(0x0b4723),
	Share:                           rgb(0x555555),
	Group:                           rgb(0x2a379b),
	Shape:                           rgb(0x0b4723),
	Value:                           rgb(0x5c3600),
	Link:                            rgb(0x54218a),
	Code:                            rgb(0x7d123a),
	Detail:                          rgb(0x333333),
	X:                               rgb(0x8a0f0a),
	Y:                               rgb(0x0b4723),
	Z:                               rgb(0x003e8a),
}

var strongDarkColors = map[fyne.ThemeColorName]color.Color{
	theme.ColorNameBackground:        rgb(0x000000),
	theme.ColorNameForeground:        rgb(0xffffff),
	theme.ColorNamePlaceHolder:       rgb(0xd6d6d6),
	theme.ColorNameDisabled:          rgb(0xcccccc),
	theme.ColorNamePrimary:           rgb(0x9ccaff),
	theme.ColorNameHyperlink:         rgb(0x9ccaff),
	theme.ColorNameHeaderBackground:  rgb(0x101010),
	theme.ColorNameMenuBackground:    rgb(0x1c1c1c),
	theme.ColorNameOverlayBackground: rgb(0x0a0a0a),
	theme.ColorNameInputBackground:   rgb(0x000000),
	theme.ColorNameInputBorder:       rgb(0xbbbbbb),
	theme.ColorNameSeparator:         rgb(0xaaaaaa),
	theme.ColorNameSelection:         rgb(0x0f2b4e),
	theme.ColorNamePressed:           rgb(0x262a31),
	theme.ColorNameShadow:            rgba(0xffffff, 0x40), // the veil behind a dialog, too
	theme.ColorNameButton:            rgb(0x262a31),
	theme.ColorNameError:             rgb(0xffb3ae),
	theme.ColorNameWarning:           rgb(0xffd27a),
	theme.ColorNameSuccess:           rgb(0x8fe0ac),
	Share:                            rgb(0xaaaaaa),
	Group:                            rgb(0xb9c4ff),
	Shape:                            rgb(0x8fe0ac),
	Value:                            rgb(0xffd27a),
	Link:                             rgb(0xddbbff),
	Code:                             rgb(0xffb3c4),
	Detail:                           rgb(0xd6d6d6),
	X:                                rgb(0xffb3ae),
	Y:                                rgb(0x8fe0ac),
	Z:                                rgb(0x9ccaff),
}

// ChangeColor is the colour that stands beside the word for a change: it is seen on light and dark.
func ChangeColor(change string) color.Color {
	switch change {
	case "added":
		return rgb(0x2f9e5b)
	case "removed":
		return rgb(0xd64550)
	case "moved":
		return rgb(0x8a63d2)
	}
	return rgb(0xc07a10)
}

// MarkColor is the colour of a person's mark by its name: it is seen on light and dark.
func MarkColor(name string) color.Color {
	c, known := map[string]uint32{"yellow": 0xf0c000, "red": 0xd64550, "green": 0x2f9e5b, "blue": 0x3b7dd8, "purple": 0x8a63d2}[name]
	if !known {
		return rgb(0x8a919c)
	}
	return rgb(c)
}
