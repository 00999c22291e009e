package window_test

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"weak"

	"cutaway/ui/opening"
	"cutaway/ui/tab"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"

	"cutaway/source"
)

// TestMonkeyOfFiles clicks, types, drags, turns the wheel, opens, closes and resizes at random, over all files that there
// are, damaged ones, those of servers, and while they change: nothing may panic or hang, no pane may tell of another node
// than the one that is selected, and what the files took is given back when they are closed.
//
// It waits for files and sockets, so it is in no bubble; what it does is a number of events, not a time. CUTAWAY_MONKEY
// is a time for more of them, CUTAWAY_SEED where to begin, CUTAWAY_MONKEY_LOG a file for what is done.
func TestMonkeyOfFiles(t *testing.T) {
	events, seed, until := 250, uint64(1), time.Time{}
	if testing.Short() {
		events = 100
	}
	if text := os.Getenv("CUTAWAY_MONKEY"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		until, events = time.Now().Add(d), 5000
	}
	if text := os.Getenv("CUTAWAY_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seed = n
	}
	for ; ; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { newMonkey(t, seed).run(events, until) })
		if until.IsZero() || t.Failed() || !time.Now().Before(until) {
			return
		}
	}
}

// maxTabs is how many files a monkey has open at once.
const maxTabs = 5

// frozenAfter is what an event or an answer of the background may take of the UI goroutine's CPU.
const frozenAfter = 500 * time.Millisecond

// A monkey is a window and who plays with it.
type monkey struct {
	*windowtest.Bench
	rnd    *rand.Rand
	files  []string // that may be opened and changed
	first  map[string][]byte
	web    *httptest.Server
	log    io.Writer
	steps  []string // the last ones
	frozen []string
	clean  software.WindowlessCanvas // whose capture lets Fyne's caches drop what has expired
	long   bool                      // it has a time, and takes it
	tabs   map[weak.Pointer[tab.Tab]]int
	drawn  map[fyne.Widget]fyne.WidgetRenderer // what was shown at the last frame, and how
	at     fyne.Position                       // of the mouse
	over   desktop.Hoverable
	began  atomic.Int64 // when the step began, in ns of the clock; 0: none runs
	stack  atomic.Pointer[string]
}

func newMonkey(t *testing.T, seed uint64) *monkey {
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, home)
	}
	t.Setenv("PATH", home) // no editor, no player of sound
	dir := t.TempDir()
	m := &monkey{rnd: rand.New(rand.NewPCG(seed, 77)), log: io.Discard, clean: software.NewCanvas(), tabs: make(map[weak.Pointer[tab.Tab]]int), long: os.Getenv("CUTAWAY_MONKEY") != ""}
	m.clean.Resize(fyne.NewSize(1, 1))
	m.first, m.files = copyZoo(t, dir)
	t.Chdir(dir) // where exports go that name no folder
	m.Bench = windowtest.New(t)
	m.web = m.serve(dir)
	if path := os.Getenv("CUTAWAY_MONKEY_LOG"); path != "" {
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		m.log = f
	}
	return m
}

// copyZoo copies all test files and those of the corpus, where it is here, into dir.
func copyZoo(t *testing.T, dir string) (content map[string][]byte, paths []string) {
	t.Helper()
	content = make(map[string][]byte)
	for _, from := range []string{"../../testdata", "../../../shared/corpus"} {
		err := filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel(filepath.Dir(from), path)
			to := filepath.Join(dir, rel)
			content[to] = data
			paths = append(paths, to)
			if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
				return err
			}
			return os.WriteFile(to, data, 0o600)
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	slices.Sort(paths)
	return content, paths
}

// serve serves the files: as they are, slowly, and with answers that break off.
func (m *monkey) serve(dir string) *httptest.Server {
	files := http.FileServer(http.Dir(dir))
	var n atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		how, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		r.URL.Path = "/" + rest
		switch how {
		case "slow":
			time.Sleep(20 * time.Millisecond)
		case "broken":
			if n.Add(1)%5 == 0 {
				panic(http.ErrAbortHandler)
			}
		case "refused":
			if n.Add(1)%7 == 0 {
				http.Error(w, "no", http.StatusServiceUnavailable)
				return
			}
		}
		files.ServeHTTP(w, r)
	}))
	m.Cleanup(web.Close)
	return web
}

// cpu is the time that this thread has computed.
func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_THREAD, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// step does one thing on the UI goroutine.
func (m *monkey) step(what string, do func()) {
	m.steps = append(m.steps[max(0, len(m.steps)-40):], what)
	_, _ = fmt.Fprintln(m.log, what)
	m.stack.Store(nil)
	m.began.Store(time.Now().UnixNano())
	was := cpu()
	defer func() {
		took := cpu() - was
		m.began.Store(0)
		if took > frozenAfter {
			stack := ""
			if s := m.stack.Load(); s != nil {
				stack = "\n" + *s
			}
			m.frozen = append(m.frozen, fmt.Sprintf("%v of CPU: %s%s", took.Round(time.Millisecond), what, stack))
		}
		if p := recover(); p != nil {
			m.Logf("the last steps:\n%s", strings.Join(m.steps, "\n"))
			panic(p)
		}
	}()
	do()
}

// watch keeps the stack of a step that takes long, and ends the process where it takes a minute's.
func (m *monkey) watch(done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-time.After(50 * time.Millisecond):
		}
		began := m.began.Load()
		took := time.Duration(time.Now().UnixNano() - began)
		if began == 0 || took < 300*time.Millisecond {
			continue
		}
		if m.stack.Load() == nil {
			m.stack.Store(new(uiStack()))
		}
		if took > 10*time.Minute {
			panic("the UI goroutine hangs:\n" + uiStack())
		}
	}
}

// uiStack is the stack of the goroutine that does the steps.
func uiStack() string {
	buf := make([]byte, 1<<20)
	for _, one := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(one, "ui.(*monkey).step(") {
			lines := strings.Split(one, "\n")
			return strings.Join(lines[:min(len(lines), 40)], "\n")
		}
	}
	return ""
}

// pump runs what the background has posted.
func (m *monkey) pump() {
	for {
		select {
		case f := <-m.Queue:
			m.step("  (background)", f)
		default:
			return
		}
	}
}

// settle runs what the background posts until it rests.
func (m *monkey) settle() {
	for limit := time.Now().Add(time.Minute); time.Now().Before(limit); {
		select {
		case f := <-m.Queue:
			m.step("  (background)", f)
			continue
		case <-time.After(60 * time.Millisecond):
		}
		if m.W.Active == nil || m.W.Active.Tasks.State().Task == nil {
			return
		}
	}
}

// run plays and looks what has become of the window.
func (m *monkey) run(events int, until time.Time) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	done := make(chan struct{})
	defer close(done)
	go m.watch(done)
	m.eachFormat()
	before := m.rest()
	for i := 0; i < events && (until.IsZero() || time.Now().Before(until)); i++ {
		m.event()
		m.pump()
		if m.rnd.IntN(4) == 0 {
			time.Sleep(time.Duration(m.rnd.IntN(20)) * time.Millisecond)
			m.pump()
		}
		m.frame()
		if i%25 == 0 {
			m.checkPanes()
		}
		if m.Failed() {
			m.Fatalf("event %d, after:\n%s", i, strings.Join(m.steps, "\n"))
		}
	}
	after := m.rest()
	held := m.held()
	m.Logf("at rest before %v, after %v, %d of %d closed tabs still held", before, after, held, len(m.tabs))
	if m.long && held > tabsKept {
		m.Errorf("%d tabs that were closed are still held", held)
	}
	after.compare(m.T, before, m.heapKept())
	if f, err := os.Create(os.Getenv("CUTAWAY_MONKEY_LOG") + ".heap"); err == nil && os.Getenv("CUTAWAY_MONKEY_LOG") != "" {
		_ = pprof.WriteHeapProfile(f)
		_ = f.Close()
	}
	for _, f := range m.frozen {
		m.Logf("frozen: %s", f)
	}
}

// eachFormat opens and closes a file of each folder, so that what is made once is there.
func (m *monkey) eachFormat() {
	seen := make(map[string]bool)
	for _, path := range m.files {
		if dir := filepath.Dir(path); !seen[dir] {
			seen[dir] = true
			m.step("open "+path, func() { m.W.Open(opening.Target{File: path}) })
			m.settle()
		}
	}
}

// TestOpensAndCloses opens and closes files of all formats, CUTAWAY_OPENS times or 60, and looks for what is left of them.
func TestOpensAndCloses(t *testing.T) {
	times := 60
	if testing.Short() { // looks for races alone
		times = 20
	}
	m := newMonkey(t, 1)
	if n, err := strconv.Atoi(os.Getenv("CUTAWAY_OPENS")); err == nil {
		times, m.long = n, true
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	open := func(path string) {
		m.step("open "+path, func() { m.W.Open(opening.Target{File: path}) })
		m.settle()
		m.step("close "+path, func() {
			for len(m.W.Pages.All) > 0 {
				m.W.Pages.Shut(m.W.Pages.All[0])
			}
		})
		m.frame()
	}
	stride := max(len(m.files)/times, 1)
	for i := range 10 {
		open(m.files[i*stride%len(m.files)])
	}
	before := m.rest()
	for i := range times {
		open(m.files[i*stride%len(m.files)])
	}
	after := m.rest()
	t.Logf("%d opens: at rest before %v, after %v", times, before, after)
	after.compare(t, before, m.heapKept())
}

// rest closes everything, and returns what is still in use then.
func (m *monkey) rest() usage {
	m.step("close all", func() {
		m.dismiss()
		for len(m.W.Pages.All) > 0 {
			m.W.Pages.Shut(m.W.Pages.All[0])
		}
	})
	m.settle()
	m.expire()
	most := source.CacheLimit()
	source.SetCacheLimit(0) // inflated bytes may stay for the next that reads them
	defer source.SetCacheLimit(most)
	u := usage{}
	for limit := time.Now().Add(time.Minute); time.Now().Before(limit); {
		m.settle()
		m.web.CloseClientConnections() // else they idle for a while
		now := usageNow()
		if now.goroutines == u.goroutines && now.files == u.files {
			return now
		}
		u = now
	}
	return u
}

// frame does what the driver of the real window does at each frame, and that of tests does not: a window grows with what is in
// it, what has come is laid out, what is shown stays in Fyne's caches, and what has not been for a while leaves them (once in
// ten seconds, by the clock).
func (m *monkey) frame() {
	was := m.drawn
	m.drawn = make(map[fyne.Widget]fyne.WidgetRenderer, len(was))
	win := m.W.Shell.Win
	c := win.Canvas()
	if least := win.Content().MinSize(); c.Size() != c.Size().Max(least) {
		win.Resize(c.Size().Max(least))
	}
	for _, o := range append([]fyne.CanvasObject{c.Content()}, c.Overlays().List()...) {
		m.lay(o, was)
	}
	m.clean.Capture()
	for _, s := range m.W.Pages.Tabs() {
		if p := weak.Make(s); m.tabs[p] == 0 {
			m.tabs[p] = len(m.tabs) + 1
		}
	}
}

// lay lays out what is drawn in another way than it was: the cache had dropped that.
func (m *monkey) lay(o fyne.CanvasObject, was map[fyne.Widget]fyne.WidgetRenderer) {
	if !o.Visible() {
		return
	}
	if w, ok := o.(fyne.Widget); ok {
		r := test.WidgetRenderer(w)
		if m.drawn[w] = r; was[w] != r {
			r.Layout(w.Size())
		}
	}
	for _, part := range windowtest.PartsOf(o) {
		m.lay(part, was)
	}
}

// heapKept is by how much the heap may have grown at rest, in bytes.
func (m *monkey) heapKept() int64 {
	if m.long {
		return heapKept
	}
	return heapShown
}

// held is how many tabs that were closed are still held.
func (m *monkey) held() (n int) {
	for tab, number := range m.tabs {
		if s := tab.Value(); s != nil {
			n++
			m.Logf("held: tab %d %s, document %t", number, s.Title(), s.Pane != nil)
		}
	}
	return n
}

// expire waits until what is no longer shown has left Fyne's caches, where there is time for that.
func (m *monkey) expire() {
	if !m.long {
		return
	}
	kept := time.Minute
	if d, err := time.ParseDuration(os.Getenv("FYNE_CACHE")); err == nil {
		kept = d
	}
	for range 2 { // a clean takes the time from which what is used next is kept
		time.Sleep(max(kept, 10*time.Second) + time.Second)
		m.step("expire", m.frame)
	}
}

// dismiss closes what is above the window: dialogs as Escape does, or their keys would stay with the window.
func (m *monkey) dismiss() {
	c := m.W.Shell.Win.Canvas()
	for top := c.Overlays().Top(); top != nil; top = c.Overlays().Top() {
		if escape := c.OnTypedKey(); escape != nil {
			escape(&fyne.KeyEvent{Name: fyne.KeyEscape})
		}
		if c.Overlays().Top() == top { // a menu
			top.Hide()
			c.Overlays().Remove(top)
		}
	}
}

// usage is what the process holds.
type usage struct {
	goroutines, files int
	heap              int64          // bytes
	stacks, names     map[string]int // of goroutines and open files
}

func (u usage) String() string {
	return fmt.Sprintf("%d goroutines, %d open files, %.1f MB", u.goroutines, u.files, float64(u.heap)/(1<<20))
}

func usageNow() usage {
	u := usage{goroutines: runtime.NumGoroutine(), stacks: make(map[string]int), names: make(map[string]int), heap: live()}
	if list, err := os.ReadDir("/proc/self/fd"); err == nil {
		u.files = len(list)
		for _, e := range list {
			name, _ := os.Readlink("/proc/self/fd/" + e.Name())
			u.names[name]++
		}
	}
	buf := make([]byte, 4<<20)
	for _, one := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		_, stack, _ := strings.Cut(one, "\n")
		var calls []string
		for i, line := range strings.Split(stack, "\n") {
			if i%2 == 0 {
				call, _, _ := strings.Cut(line, "({")
				if at := strings.LastIndex(call, "(0x"); at > 0 {
					call = call[:at]
				}
				calls = append(calls, call)
			}
		}
		u.stacks[strings.Join(calls, " < ")]++
	}
	return u
}

// The window keeps a little for good: caches of text sizes and glyphs, what is remembered, the last trees of fields.
const (
	heapKept      = 16 << 20
	heapShown     = 64 << 20 // what Fyne holds for a minute of what was shown
	filesKept     = 4
	goroutineKept = 4
	tabsKept      = 3 // whose node is kept to be compared, and the last one, by its items in the menus
)

// compare holds what is in use against what was before.
func (u usage) compare(t *testing.T, before usage, heap int64) {
	t.Helper()
	if u.heap > before.heap+heap {
		t.Errorf("the heap has %d MB more", (u.heap-before.heap)>>20)
	}
	if u.files > before.files+filesKept {
		t.Errorf("%d files are open, %d were", u.files, before.files)
	}
	if u.goroutines > before.goroutines+goroutineKept {
		t.Errorf("%d goroutines run, %d did", u.goroutines, before.goroutines)
	}
	more(t, "run", u.stacks, before.stacks)
	more(t, "are open", u.names, before.names)
}

// more logs what there are more of than before.
func more(t *testing.T, what string, now, before map[string]int) {
	t.Helper()
	for name, n := range now {
		if n > before[name] {
			t.Logf("%d more %s: %s", n-before[name], what, name)
		}
	}
}

// checkPanes looks whether what is told is of the node that is selected.
func (m *monkey) checkPanes() {
	s := m.W.Active
	if s == nil || s.Pane == nil || s.Pane.Current() == nil {
		return
	}
	path := s.Pane.Current().Path()
	if told := s.Pane.Side.Card.Path(); told != path {
		m.Errorf("%s is selected, the details are of %s", path, told)
	}
	if told := m.W.Place.Entry.Text; told != path && !m.W.Place.Entry.Focused && !m.typed() {
		m.Errorf("%s is selected, the location says %s", path, told)
	}
	if s.Pane.Lists.Refs.Path != path {
		m.Errorf("%s is selected, the references are of %s", path, s.Pane.Lists.Refs.Path)
	}
}

// typed reports whether something was typed into the location that leads nowhere.
func (m *monkey) typed() bool { return m.W.Place.Refused.Visible() }

// event does one thing.
func (m *monkey) event() {
	if len(m.W.Pages.All) == 0 {
		m.open()
		return
	}
	switch n := m.rnd.IntN(100); {
	case n < 8:
		m.open()
	case n < 12:
		m.step("close tab", func() { m.dismiss(); m.W.Pages.Shut(m.W.Pages.All[m.rnd.IntN(len(m.W.Pages.All))]) })
	case n < 15:
		p := m.W.Pages.All[m.rnd.IntN(len(m.W.Pages.All))]
		m.step("tab "+p.Title(), func() { m.W.Pages.Show(p) })
	case n < 18:
		w, h := 320+m.rnd.Float32()*1400, 240+m.rnd.Float32()*900
		m.step(fmt.Sprintf("resize %.0f×%.0f", w, h), func() {
			win := m.W.Shell.Win
			win.Resize(win.Content().MinSize().Max(fyne.NewSize(w, h))) // the system's windows get no smaller
		})
	case n < 21:
		m.change()
	case n < 28:
		m.menu()
	case n < 50:
		m.key()
	case n < 58:
		m.typeText()
	case n < 64:
		m.scroll()
	case n < 72:
		m.drag()
	case n < 74:
		m.step("paint", m.paint)
	case n < 76:
		if top := m.W.Shell.Win.Canvas().Overlays().Top(); top != nil {
			m.step("dismiss", m.dismiss)
		}
	default:
		m.click()
	}
}

// paint paints a window, if all in it has a size that can be.
func (m *monkey) paint() {
	c := m.W.Shell.Win.Canvas()
	var chain []string
	ok := true
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		if !o.Visible() || !ok {
			return
		}
		kind := fmt.Sprintf("%T", o)
		if c, ok := o.(*fyne.Container); ok {
			kind = fmt.Sprintf("container of %T", c.Layout)
		}
		chain = append(chain, fmt.Sprintf("%s %v at %v", kind, o.Size(), o.Position()))
		if size := o.Size(); size.Width < 0 || size.Height < 0 {
			ok = false
			m.Errorf("the window of %v has an object of a negative size:\n%s", c.Size(), strings.Join(chain, "\n"))
		}
		for _, part := range windowtest.PartsOf(o) {
			walk(part)
		}
		chain = chain[:len(chain)-1]
	}
	for _, o := range append([]fyne.CanvasObject{c.Content()}, c.Overlays().List()...) {
		walk(o)
	}
	if ok {
		c.Capture()
	}
}

// open opens a file: as it is, damaged, or of a server.
func (m *monkey) open() {
	if len(m.W.Pages.All) >= maxTabs {
		m.step("close tab", func() { m.W.Pages.Shut(m.W.Pages.All[m.rnd.IntN(len(m.W.Pages.All))]) })
	}
	path := m.files[m.rnd.IntN(len(m.files))]
	switch m.rnd.IntN(6) {
	case 0, 1:
		damaged := filepath.Join(filepath.Dir(path), fmt.Sprintf("mutant-%d-%s", m.rnd.IntN(20), filepath.Base(path)))
		if err := os.WriteFile(damaged, m.mutate(m.first[path]), 0o600); err != nil {
			m.Fatal(err)
		}
		path = damaged
	case 2:
		rel, _ := filepath.Rel(m.root(), path)
		path = m.web.URL + "/" + []string{"as-it-is", "slow", "broken", "refused"}[m.rnd.IntN(4)] + "/" + filepath.ToSlash(rel)
	}
	m.step("open "+path, func() { m.W.Open(opening.Target{File: path}) })
	if m.rnd.IntN(3) > 0 {
		m.settle()
	}
}

// root is the folder of the files.
func (m *monkey) root() string {
	dir, err := os.Getwd()
	if err != nil {
		m.Fatal(err)
	}
	return dir
}

// mutate damages bytes.
func (m *monkey) mutate(data []byte) []byte {
	out := bytes.Clone(data)
	for range 1 + m.rnd.IntN(4) {
		if len(out) == 0 {
			return out
		}
		at := m.rnd.IntN(len(out))
		end := min(len(out), at+1+m.rnd.IntN(16))
		switch m.rnd.IntN(6) {
		case 0:
			out = out[:at]
		case 1:
			out[at] ^= 1 << m.rnd.IntN(8)
		case 2:
			for i := range out[at:end] {
				out[at+i] = 0xff
			}
		case 3:
			out = slices.Delete(out, at, end)
		case 4:
			out = slices.Insert(out, at, out[at:end]...)
		default:
			out[at] = byte(m.rnd.IntN(256))
		}
	}
	return out
}

// change changes the file of a tab under its window.
func (m *monkey) change() {
	tabs := m.W.Pages.Tabs()
	if len(tabs) == 0 {
		return
	}
	path := tabs[m.rnd.IntN(len(tabs))].Subject.File
	info, err := os.Stat(path)
	was, known := m.first[path]
	if !known || path == "" {
		return
	}
	switch m.rnd.IntN(5) {
	case 0:
		if err == nil {
			m.step("truncate "+path, func() { _ = os.Truncate(path, m.rnd.Int64N(info.Size()+1)) })
		}
	case 1:
		m.step("delete "+path, func() { _ = os.Remove(path) })
	case 2:
		m.step("replace "+path, func() { _ = os.WriteFile(path+".new", m.mutate(was), 0o600); _ = os.Rename(path+".new", path) })
	case 3:
		m.step("overwrite "+path, func() { _ = os.WriteFile(path, m.mutate(was), 0o600) })
	default:
		m.step("restore "+path, func() { _ = os.WriteFile(path, was, 0o600) })
	}
}

// menu chooses an item of the menus.
func (m *monkey) menu() {
	var items []*fyne.MenuItem
	var names []string
	var walk func(menu *fyne.Menu, in string)
	walk = func(menu *fyne.Menu, in string) {
		for _, i := range menu.Items {
			if i.ChildMenu != nil {
				walk(i.ChildMenu, in+" › "+i.Label)
			}
			if i.Action != nil && !i.Disabled && !i.IsQuit {
				items, names = append(items, i), append(names, in+" › "+i.Label)
			}
		}
	}
	for _, menu := range m.W.Actions.Main.Items {
		walk(menu, menu.Label)
	}
	if m.W.Shell.Win.Canvas().Overlays().Top() != nil { // which the menus are below
		m.step("dismiss", m.dismiss)
	}
	i := m.rnd.IntN(len(items))
	m.step("menu "+names[i], items[i].Action)
}

var monkeyKeys = []fyne.KeyName{fyne.KeyUp, fyne.KeyDown, fyne.KeyDown, fyne.KeyLeft, fyne.KeyRight, fyne.KeyRight, fyne.KeyRight, fyne.KeyHome,
	fyne.KeyEnd, fyne.KeyPageDown, fyne.KeyPageUp, fyne.KeyReturn, fyne.KeyReturn, fyne.KeyEscape, fyne.KeySpace, fyne.KeyTab, fyne.KeyDelete,
	fyne.KeyBackspace, fyne.KeyF3, fyne.KeyF7, fyne.KeyF8, fyne.KeyF11, fyne.KeyPlus, fyne.KeyMinus, fyne.KeyPeriod, fyne.KeyComma}

// key presses a key, or one of those that no item of a menu has.
func (m *monkey) key() {
	c := m.W.Shell.Win.Canvas()
	if m.rnd.IntN(12) == 0 {
		var names []string
		keys := m.Keys("")
		for name := range keys {
			names = append(names, name)
		}
		slices.Sort(names)
		name := names[m.rnd.IntN(len(names))]
		m.step("key "+name, keys[name])
		return
	}
	key := monkeyKeys[m.rnd.IntN(len(monkeyKeys))]
	m.step("key "+string(key), func() {
		e := &fyne.KeyEvent{Name: key}
		focused := c.Focused()
		switch {
		case key == fyne.KeyTab:
			c.FocusNext()
		case focused != nil:
			if keyable, ok := focused.(desktop.Keyable); ok {
				keyable.KeyDown(e)
				defer keyable.KeyUp(e)
			}
			focused.TypedKey(e)
		case c.OnTypedKey() != nil:
			c.OnTypedKey()(e)
		}
	})
}

// typeText types a word where the keyboard is.
func (m *monkey) typeText() {
	words := []string{"a", "*", "points", "type:prim", "size:>1k", "0x40", "end-16", "+8", "ff 00", "/(", "name:x", "layout/", "r", "c", "p", "s", "l", "0",
		"1", "+", "-", "?", "value:1", "1.5", "\u00e4\u6f22", "98.."}
	word := words[m.rnd.IntN(len(words))]
	c := m.W.Shell.Win.Canvas()
	m.step("type "+word, func() {
		for _, r := range word {
			if f := c.Focused(); f != nil {
				f.TypedRune(r)
			} else if do := c.OnTypedRune(); do != nil {
				do(r)
			}
		}
	})
}

// spot is a place on the canvas: of an object that matches, or any.
func (m *monkey) spot(c fyne.Canvas, matches func(o fyne.CanvasObject) bool) fyne.Position {
	if all := windowtest.Targets(c, matches); len(all) > 0 && m.rnd.IntN(5) > 0 {
		t := all[m.rnd.IntN(len(all))]
		return fyne.NewPos(t.Seen.X+m.rnd.Float32()*(t.SeenUntil.X-t.Seen.X), t.Seen.Y+m.rnd.Float32()*(t.SeenUntil.Y-t.Seen.Y))
	}
	return fyne.NewPos(m.rnd.Float32()*c.Size().Width, m.rnd.Float32()*c.Size().Height)
}

// move moves the mouse.
func (m *monkey) move(c fyne.Canvas, to fyne.Position) {
	o, at := windowtest.Front(c, to, func(o fyne.CanvasObject) bool { _, ok := o.(desktop.Hoverable); return ok })
	e := &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at, AbsolutePosition: to}}
	now, _ := o.(desktop.Hoverable)
	switch {
	case now == m.over && now != nil:
		now.MouseMoved(e)
	default:
		if m.over != nil {
			m.over.MouseOut()
		}
		if now != nil {
			now.MouseIn(e)
		}
	}
	m.over, m.at = now, to
}

// click clicks: once or twice, with either button, with keys held.
func (m *monkey) click() {
	c := m.W.Shell.Win.Canvas()
	at := m.spot(c, windowtest.TakesClicks)
	button, twice := desktop.MouseButtonPrimary, m.rnd.IntN(6) == 0
	if m.rnd.IntN(8) == 0 {
		button, twice = desktop.MouseButtonSecondary, false
	}
	mod := []fyne.KeyModifier{0, 0, 0, 0, 0, 0, fyne.KeyModifierShift, fyne.KeyModifierControl, fyne.KeyModifierControl | fyne.KeyModifierShift}[m.rnd.IntN(9)]
	o, _ := windowtest.Front(c, at, windowtest.TakesClicks)
	m.step(fmt.Sprintf("click %.0f,%.0f button %d mod %d twice %t on %T", at.X, at.Y, button, mod, twice, o), func() {
		m.move(c, at)
		windowtest.Click(c, at, button, mod)
		if twice {
			windowtest.Click(c, at, button, mod)
			if o, p := windowtest.Front(c, at, windowtest.TakesClicks); o != nil {
				if d, ok := o.(fyne.DoubleTappable); ok {
					d.DoubleTapped(&fyne.PointEvent{Position: p, AbsolutePosition: at})
				}
			}
		}
	})
}

// scroll turns the wheel.
func (m *monkey) scroll() {
	scrolls := func(o fyne.CanvasObject) bool { _, ok := o.(fyne.Scrollable); return ok }
	c := m.W.Shell.Win.Canvas()
	at := m.spot(c, scrolls)
	o, p := windowtest.Front(c, at, scrolls)
	by := (m.rnd.Float32() - 0.5) * []float32{20, 200, 20_000}[m.rnd.IntN(3)]
	m.step(fmt.Sprintf("wheel %.0f,%.0f by %.0f on %T", at.X, at.Y, by, o), func() {
		m.move(c, at)
		if s, ok := o.(fyne.Scrollable); ok {
			s.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: p, AbsolutePosition: at}, Scrolled: fyne.NewDelta(0, by)})
		}
	})
}

// drag drags from one place to another.
func (m *monkey) drag() {
	drags := func(o fyne.CanvasObject) bool { _, ok := o.(fyne.Draggable); return ok }
	c := m.W.Shell.Win.Canvas()
	at := m.spot(c, drags)
	o, p := windowtest.Front(c, at, drags)
	if o == nil {
		return
	}
	steps, by := 1+m.rnd.IntN(5), fyne.NewDelta((m.rnd.Float32()-0.5)*300, (m.rnd.Float32()-0.5)*300)
	m.step(fmt.Sprintf("drag %.0f,%.0f by %v × %d on %T", at.X, at.Y, by, steps, o), func() {
		if mouseable, ok := o.(desktop.Mouseable); ok {
			mouseable.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: p, AbsolutePosition: at}, Button: desktop.MouseButtonPrimary})
			defer mouseable.MouseUp(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: p, AbsolutePosition: at}, Button: desktop.MouseButtonPrimary})
		}
		for range steps {
			p = p.AddXY(by.DX, by.DY)
			o.(fyne.Draggable).Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: p, AbsolutePosition: at}, Dragged: by})
		}
		o.(fyne.Draggable).DragEnd()
	})
}
