// Package look is the window's theme: its colours and measures, light and dark.
package look

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Look is the window's theme: quiet colours of our own, and measures that suit a dense tool.
type Look struct {
	fyne.Theme
	forced Choice
}

// Choice says whether the theme follows the system.
type Choice string

// The choices.
const (
	System Choice = ""
	Light  Choice = "light"
	Dark   Choice = "dark"
)

// New makes the theme of a choice.
func New(choice Choice) *Look { return &Look{theme.DefaultTheme(), choice} }

// variant is the variant to draw, given the system's.
func (l *Look) variant(system fyne.ThemeVariant) fyne.ThemeVariant {
	switch l.forced {
	case Light:
		return theme.VariantLight
	case Dark:
		return theme.VariantDark
	}
	return system
}

// Color implements fyne.Theme.
func (l *Look) Color(name fyne.ThemeColorName, system fyne.ThemeVariant) color.Color {
	v := l.variant(system)
	colors := lightColors
	if v == theme.VariantDark {
		colors = darkColors
	}
	if c, ok := colors[name]; ok {
		return c
	}
	return l.Theme.Color(name, v)
}

// Size implements fyne.Theme.
func (l *Look) Size(name fyne.ThemeSizeName) float32 {
	if s, ok := sizes[name]; ok {
		return s
	}
	return l.Theme.Size(name)
}

var sizes = map[fyne.ThemeSizeName]float32{
	theme.SizeNameText:            13,
	theme.SizeNameCaptionText:     11.5,
	theme.SizeNameSubHeadingText:  16,
	theme.SizeNameHeadingText:     21,
	theme.SizeNamePadding:         4,
	theme.SizeNameInnerPadding:    6,
	theme.SizeNameInlineIcon:      18,
	theme.SizeNameScrollBar:       12,
	theme.SizeNameScrollBarSmall:  4,
	theme.SizeNameInputRadius:     4,
	theme.SizeNameSelectionRadius: 3,
	theme.SizeNameButtonRadius:    4,
}

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

func rgba(v uint32, a uint8) color.NRGBA {
	c := rgb(v)
	c.A = a
	return c
}

var lightColors = map[fyne.ThemeColorName]color.Color{
	theme.ColorNameBackground:          rgb(0xfbfbfc),
	theme.ColorNameForeground:          rgb(0x1f2430),
	theme.ColorNamePlaceHolder:         rgb(0x646c7a),
	theme.ColorNameDisabled:            rgb(0x6f7682),
	theme.ColorNamePrimary:             rgb(0x1f63b5),
	theme.ColorNameHyperlink:           rgb(0x1f63b5),
	theme.ColorNameHeaderBackground:    rgb(0xf0f2f5),
	theme.ColorNameMenuBackground:      rgb(0xf4f5f8),
	theme.ColorNameOverlayBackground:   rgb(0xffffff),
	theme.ColorNameButton:              rgb(0xe8ebf0),
	theme.ColorNameDisabledButton:      rgb(0xf0f2f5),
	theme.ColorNameInputBackground:     rgb(0xffffff),
	theme.ColorNameInputBorder:         rgb(0xcfd5de),
	theme.ColorNameSeparator:           rgb(0xdce0e7),
	theme.ColorNameHover:               rgba(0x1f2430, 0x0d),
	theme.ColorNamePressed:             rgb(0xe1e6ed),
	theme.ColorNameSelection:           rgb(0xc9dff8),
	theme.ColorNameFocus:               rgba(0x1f63b5, 0x40),
	theme.ColorNameScrollBar:           rgba(0x1f2430, 0x55),
	theme.ColorNameScrollBarBackground: rgba(0x1f2430, 0x0a),
	theme.ColorNameForegroundOnPrimary: rgb(0xffffff),
	theme.ColorNameForegroundOnError:   rgb(0xffffff),
	theme.ColorNameForegroundOnWarning: rgb(0xffffff),
	theme.ColorNameForegroundOnSuccess: rgb(0xffffff),
	theme.ColorNameShadow:              rgba(0x1f2430, 0x24),
	theme.ColorNameError:               rgb(0xb3261e),
	theme.ColorNameWarning:             rgb(0x9a5b00),
	theme.ColorNameSuccess:             rgb(0x1a7340),
}

var darkColors = map[fyne.ThemeColorName]color.Color{
	theme.ColorNameBackground:          rgb(0x1c1f25),
	theme.ColorNameForeground:          rgb(0xdde2ea),
	theme.ColorNamePlaceHolder:         rgb(0x9aa3b3),
	theme.ColorNameDisabled:            rgb(0x7f8898),
	theme.ColorNamePrimary:             rgb(0x6cabff),
	theme.ColorNameHyperlink:           rgb(0x6cabff),
	theme.ColorNameHeaderBackground:    rgb(0x252930),
	theme.ColorNameMenuBackground:      rgb(0x22262d),
	theme.ColorNameOverlayBackground:   rgb(0x2a2f37),
	theme.ColorNameButton:              rgb(0x323842),
	theme.ColorNameDisabledButton:      rgb(0x282c34),
	theme.ColorNameInputBackground:     rgb(0x15181d),
	theme.ColorNameInputBorder:         rgb(0x424a57),
	theme.ColorNameSeparator:           rgb(0x363c46),
	theme.ColorNameHover:               rgba(0xdde2ea, 0x10),
	theme.ColorNamePressed:             rgb(0x323842),
	theme.ColorNameSelection:           rgb(0x274468),
	theme.ColorNameFocus:               rgba(0x6cabff, 0x50),
	theme.ColorNameScrollBar:           rgba(0xdde2ea, 0x55),
	theme.ColorNameScrollBarBackground: rgba(0xdde2ea, 0x0a),
	theme.ColorNameForegroundOnPrimary: rgb(0x0f2138),
	theme.ColorNameForegroundOnError:   rgb(0x3a0d0a),
	theme.ColorNameForegroundOnWarning: rgb(0x33260a),
	theme.ColorNameForegroundOnSuccess: rgb(0x0c2e1a),
	theme.ColorNameShadow:              rgba(0x000000, 0x66),
	theme.ColorNameError:               rgb(0xff8078),
	theme.ColorNameWarning:             rgb(0xe6b450),
	theme.ColorNameSuccess:             rgb(0x67c58a),
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
	return rgb(0xd08a1d)
}

// MarkColor is the colour of a person's mark by its name.
func MarkColor(name string) color.Color {
	c, known := map[string]uint32{"yellow": 0xe0b020, "red": 0xd64550, "green": 0x2f9e5b, "blue": 0x3b7dd8, "purple": 0x8a63d2}[name]
	if !known {
		return rgb(0x8a919c)
	}
	return rgb(c)
}
