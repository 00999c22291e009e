package window

import (
	"os"
	"reflect"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// lookEvery is the interval at which end-to-end tests may ask what is on the screen.
const lookEvery = 20 * time.Millisecond

// answerLooks writes all texts on the screen into the log when a test asks by a file beside the log, whose name ends in .look. It
// removes that file, and ends with the window.
func answerLooks(w *Window) {
	asked := os.Getenv("CUTAWAY_LOG") + ".look"
	w.every(lookEvery, func() {
		if os.Remove(asked) == nil {
			w.Shell.Post(func() { logScreen(w) })
		}
	})
}

// logScreen writes the texts of the window, those in front last. Only the driver's canvas knows its
// menu bar and what the widgets are drawn by, and has a type without a name: hence reflection.
func logScreen(w *Window) {
	win := w.Shell.Win
	w.Shell.Log.Write("screen", win.Title())
	if walk := reflect.ValueOf(win.Canvas()).MethodByName("WalkTrees"); walk.IsValid() {
		visit := walk.Type().In(0)
		write := reflect.MakeFunc(visit, func(args []reflect.Value) []reflect.Value {
			node, _ := args[0].Interface().(interface{ Obj() fyne.CanvasObject })
			at, _ := args[1].Interface().(fyne.Position)
			if t, ok := node.Obj().(*canvas.Text); ok && t.Text != "" && t.Visible() {
				size := t.Size()
				w.Shell.Log.Write("text", at.X, at.Y, size.Width, size.Height, strings.NewReplacer("\t", " ", "\n", " ").Replace(t.Text))
			}
			return nil
		})
		walk.Call([]reflect.Value{write, reflect.Zero(visit)})
	}
	w.Shell.Log.Write("screen-end")
}
