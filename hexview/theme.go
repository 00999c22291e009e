package hexview

import (
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// SectionColor begins the names of the colours of sections; a number from 1 to Tones follows.
const SectionColor = "section"

func themePalette(t fyne.Theme, v fyne.ThemeVariant) *palette {
	c := themeColors{
		background: t.Color(theme.ColorNameBackground, v),
		foreground: t.Color(theme.ColorNameForeground, v),
		primary:    t.Color(theme.ColorNamePrimary, v),
		danger:     t.Color(theme.ColorNameError, v),
		warning:    t.Color(theme.ColorNameWarning, v),
		selection:  known(t, theme.ColorNameSelection, v),
	}
	for i := range c.sections {
		c.sections[i] = known(t, fyne.ThemeColorName(SectionColor+strconv.Itoa(1+i)), v)
	}
	return newPalette(c)
}

// known returns an opaque colour of a theme, or nil if the theme has none by that name.
func known(t fyne.Theme, name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	c := t.Color(name, v)
	if c != nil {
		if _, _, _, a := c.RGBA(); a < 0xffff {
			return nil
		}
	}
	return c
}
