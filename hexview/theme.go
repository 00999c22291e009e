package hexview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

func themePalette(t fyne.Theme, v fyne.ThemeVariant) *palette {
	return newPalette(themeColors{
		background: t.Color(theme.ColorNameBackground, v),
		foreground: t.Color(theme.ColorNameForeground, v),
		primary:    t.Color(theme.ColorNamePrimary, v),
		danger:     t.Color(theme.ColorNameError, v),
		warning:    t.Color(theme.ColorNameWarning, v),
	})
}
