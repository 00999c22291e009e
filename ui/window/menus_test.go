package window_test

import (
	"testing"

	"cutaway/ui/window/windowtest"
)

// TestShortMenus: no menu has more than 14 lines, with a file open or without.
func TestShortMenus(t *testing.T) {
	const most = 14
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		short := func(when string) {
			for _, m := range b.W.Actions.Main.Items {
				n := 0
				for _, i := range m.Items {
					if !i.IsSeparator {
						n++
					}
				}
				if n > most {
					t.Errorf("%s %s has %d lines", when, m.Label, n)
				}
			}
		}
		short("without a file")
		b.Sample()
		short("with the sample")
	})
}
