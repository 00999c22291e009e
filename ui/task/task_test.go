package task

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"cutaway/model"
)

// direct is a group whose UI goroutine is whichever calls, one at a time.
func direct() (g *Group, failed *[]string) {
	failed = new([]string)
	var ui sync.Mutex
	post := func(f func()) {
		ui.Lock()
		defer ui.Unlock()
		f()
	}
	return NewGroup(post, func() {}, func(what string, err error) { *failed = append(*failed, what+": "+err.Error()) }), failed
}

// TestQuickWorkIsQuiet: work of less than 100 ms is not shown.
func TestQuickWorkIsQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, _ := direct()
		_, one := g.Start(t.Context(), "quick")
		if g.State().Task != nil {
			t.Error("shown at once")
		}
		time.Sleep(ShownAfter)
		if g.State().Task != one {
			t.Error("not shown after a while")
		}
		one.End()
		if g.State().Task != nil {
			t.Error("shown after its end")
		}
		time.Sleep(ShownAfter) // it looks once more
	})
}

// TestLateWorkIsDropped: what has gone gets no outcome, nor does anyone hear of its failure.
func TestLateWorkIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, failed := direct()
		shown := ""
		var last Latest
		for _, name := range []string{"first", "second"} {
			g.Go(last.Next(t.Context()), "", func(context.Context, model.Progress) func() {
				time.Sleep(time.Second)
				return func() { shown += name }
			})
			time.Sleep(time.Millisecond)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		oops := func(context.Context, model.Progress) (func(), error) { return nil, errors.New("oops") }
		g.Try(ended, "late", oops)
		g.Try(t.Context(), "in time", oops)
		g.Always(ended, "", func(context.Context, model.Progress) func() { return func() { shown += "always " } }, nil)
		g.After(ended, time.Second, func() { shown += "after" })
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if shown != "always second" || len(*failed) != 1 || (*failed)[0] != "in time: oops" {
			t.Errorf("shown %q, failed %q", shown, *failed)
		}
		if g.Len() != 0 {
			t.Errorf("%d tasks go on", g.Len())
		}
	})
}

// TestPanicsCostTheWork: work that panics ends as one that fails, and whoever waits for it gets to know.
func TestPanicsCostTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, failed := direct()
		broken := func(context.Context, model.Progress) func() { panic("broken") }
		var own error
		g.Always(t.Context(), "always", broken, func(err error) { own = err })
		g.Always(t.Context(), "untold", broken, nil)
		synctest.Wait()
		g.Go(t.Context(), "go", broken)
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		g.Go(ended, "late", broken)
		time.Sleep(2 * ShownAfter)
		synctest.Wait()
		if own == nil || !strings.Contains(own.Error(), "broken") {
			t.Errorf("%v", own)
		}
		if len(*failed) != 2 || !strings.HasPrefix((*failed)[0], "untold: Cutaway failed: broken") || !strings.HasPrefix((*failed)[1], "go: ") {
			t.Errorf("%q", *failed)
		}
		if g.State().Task != nil {
			t.Error("it is still shown")
		}
	})
}
