//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cutaway/internal/crategen"
)

// What is asked of the window's peak of memory: so much above an empty window, and so much for each item that needs a
// table of offsets. What the cache holds is allowed besides; it isn't counted here, which asks for more.
const (
	allowedMB    = 60
	allowedBytes = 24
)

const empty = "../build/emptywindow"

// bulk returns a generated crate of its kind's size, shared with ../bench.
func bulk(b *testing.B, kind crategen.Kind) string {
	b.Helper()
	name, err := crategen.Kept("../build/bench", kind, kind.DefaultSize())
	if err == nil {
		name, err = filepath.Abs(name)
	}
	if err != nil {
		b.Fatal(err)
	}
	return name
}

// status returns a field of /proc/PID/status that is in kB, in MB.
func status(b *testing.B, cmd *exec.Cmd, field string) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "\n"+field+":")
	line, _, _ := strings.Cut(rest, "kB")
	kB, err := strconv.ParseFloat(strings.TrimSpace(line), 64)
	if !found || err != nil {
		b.Fatalf("no %s in the status of %s", field, cmd.Path)
	}
	return kB * 1024 / 1e6
}

// mapped returns how much of a file is mapped and resident, in MB.
func mapped(b *testing.B, cmd *exec.Cmd, file string) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps", cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	sum, ours := 0.0, false
	for line := range strings.Lines(string(text)) {
		switch fields := strings.Fields(line); {
		case !strings.HasSuffix(fields[0], ":"): // the head of a mapping; what it maps comes last
			ours = strings.HasSuffix(strings.TrimSpace(line), "/"+filepath.Base(file))
		case ours && fields[0] == "Rss:":
			kB, err := strconv.ParseFloat(fields[1], 64)
			if err != nil {
				b.Fatal(err)
			}
			sum += kB * 1024 / 1e6
		}
	}
	return sum
}

// cpu returns the time that all threads of a process have run for, from /proc/PID/stat, which counts in steps of 10 ms.
func cpu(b *testing.B, cmd *exec.Cmd) time.Duration {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest) // from the third on; user and system time are the 14th and the 15th
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	if err := errors.Join(err1, err2); err != nil {
		b.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}

// spread puts the median and the 90th percentile of times into metrics, in ms.
func spread(b *testing.B, name string, times []time.Duration) {
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1e3, "ms-"+name)
	b.ReportMetric(float64(times[len(times)*9/10].Microseconds())/1e3, "ms-"+name+"-p90")
}

// on returns the part of the screen at a place on the window's canvas.
func (d *desktop) on(x, y, w, h float64) image.Rectangle {
	return image.Rect(d.x+int(x), d.y+int(y), d.x+int(x+w), d.y+int(y+h))
}

// point brings the pointer to a place on the window's canvas and waits until that has had its effect.
func (d *desktop) point(s *screen, x, y float64) {
	d.t.Helper()
	if err := s.fake(motion, 0, d.x+int(x), d.y+int(y)); err != nil {
		d.t.Fatal(err)
	}
	time.Sleep(time.Second)
}

// press presses and releases a button of the mouse or, with keyPress, a key.
func (s *screen) press(kind, detail byte) error {
	if err := s.fake(kind, detail, 0, 0); err != nil {
		return err
	}
	return s.fake(kind+1, detail, 0, 0)
}

// turn turns the wheel down, a step a frame.
func (d *desktop) turn(s *screen, steps int) {
	d.t.Helper()
	for range steps {
		if err := s.press(buttonPress, wheelDown); err != nil {
			d.t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// BenchmarkWindowMemory compares the memory of the window, after its user has opened a branch and scrolled tree and
// bytes, with that of an empty Fyne window:
//
//	MB-peak       the peak of resident memory (VmHWM): touched pages of the file, the program and libraries included,
//	              which the system shares and may drop
//	MB-of-file    the pages of the opened file among them in the end; they are the system's cache of it
//	MB-above      what the peak without those is above the empty window's
//	MB-allowed    what it may be, the cache's part left out
//	MB-own        resident memory in the end that is no file's (RssAnon and RssShmem)
//	MB-own-above  what that is above the empty window's
func BenchmarkWindowMemory(b *testing.B) {
	var base, baseOwn float64
	b.Run("empty", func(b *testing.B) {
		for b.Loop() {
			d := newDesktop(b, look{"dark", 1})
			cmd := d.open(empty, "^Empty$")
			base, baseOwn = reportMemory(b, cmd)
			end(cmd)
		}
	})
	for _, c := range []struct {
		name, branch string
		file         func(b *testing.B) string
		items        float64
	}{
		{"sample", "scene/Workshop", func(*testing.B) string { return sample }, 0},
		{"arrays", "scene/World", func(b *testing.B) string { return bulk(b, crategen.Arrays) }, 0},
		{"specs", "scene/World", func(b *testing.B) string { return bulk(b, crategen.Specs) }, float64(crategen.Specs.DefaultSize())},
	} {
		b.Run(c.name, func(b *testing.B) {
			file := c.file(b)
			for b.Loop() {
				d := newDesktop(b, look{"dark", 1})
				cmd := d.open(program, "· Cutaway$", file)
				s := d.screen()
				d.goTo("layout/bootstrap/magic")
				cell := d.wait("cell")
				d.goTo(c.branch)
				row := d.wait("row")
				d.point(s, row.number(0)+row.number(2)/2, row.number(1)+row.number(3)/2)
				if err := s.press(keyPress, keyRight); err != nil {
					b.Fatal(err)
				}
				time.Sleep(2 * time.Second) // the branch may need decoding
				d.turn(s, 50)
				d.point(s, cell.number(2), cell.number(3))
				d.turn(s, 200)
				time.Sleep(2 * time.Second)
				d.picture("bench-memory-" + c.name)
				peak, own := reportMemory(b, cmd)
				if base > 0 {
					ofFile := mapped(b, cmd, file)
					b.ReportMetric(ofFile, "MB-of-file")
					b.ReportMetric(peak-ofFile-base, "MB-above")
					b.ReportMetric(own-baseOwn, "MB-own-above")
				}
				b.ReportMetric(allowedMB+allowedBytes*c.items/1e6, "MB-allowed")
				end(cmd)
			}
		})
	}
}

func reportMemory(b *testing.B, cmd *exec.Cmd) (peak, own float64) {
	b.Helper()
	peak, own = status(b, cmd, "VmHWM"), status(b, cmd, "RssAnon")+status(b, cmd, "RssShmem")
	b.ReportMetric(0, "ns/op") // holds the waiting
	b.ReportMetric(peak, "MB-peak")
	b.ReportMetric(own, "MB-own")
	return peak, own
}

// BenchmarkScrollToPainted measures from a step of the mouse wheel over the hex pane, made by XTEST, to the first look
// at the X screen that shows other pixels there: the X server, GLFW's poll, Fyne's frame, the painter, the upload and
// the swap are in it; the way from a mouse to the server and from the server to a monitor is not. Steps come at any time
// within a frame, each after the one before is painted, so a mean wait of half a frame of 16.7 ms is in it too.
//
//	ms-painted, ms-painted-p90  median and 90th percentile
//	ms-settled, ms-settled-p90  the same until the last change, such as the tint of fields found in the background
//	ms-cpu                      time that all threads of the window ran for, software GL's included, a step
func BenchmarkScrollToPainted(b *testing.B) {
	d := newDesktop(b, look{"dark", 1})
	cmd := d.open(program, "· Cutaway$", bulk(b, crategen.Arrays))
	s := d.screen()
	d.goTo("layout/bootstrap/magic")
	cell := d.wait("cell")
	// Offsets, bytes and text of the second row, from the gutter on.
	row := d.on(cell.number(2)-60, cell.number(3)+cell.number(5), cell.number(6)-cell.number(2)+100, cell.number(5))
	d.point(s, cell.number(2), cell.number(3)+10*cell.number(5))
	d.turn(s, 20)
	rest(b, cmd)
	var painted, settled []time.Duration
	before := cpu(b, cmd)
	for b.Loop() {
		for range 100 {
			first, last := d.shown(s, row, func() error { return s.press(buttonPress, wheelDown) })
			painted, settled = append(painted, first), append(settled, last)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric((cpu(b, cmd)-before).Seconds()*1e3/float64(len(painted)), "ms-cpu")
	spread(b, "painted", painted)
	spread(b, "settled", settled)
}

// scrolled is something that the wheel scrolls, by its place on a window's canvas.
type scrolled struct {
	name  string
	d     *desktop
	s     *screen
	cmd   *exec.Cmd
	at    image.Point
	used  time.Duration // processor time of all steps
	times []time.Duration
}

// steps scrolls ten steps.
func (o *scrolled) steps(b *testing.B) {
	x, y := float64(o.at.X), float64(o.at.Y)
	o.d.point(o.s, x+60, y+50)
	for range 10 {
		before := cpu(b, o.cmd)
		first, _ := o.d.shown(o.s, o.d.on(x, y, 120, 100), func() error { return o.s.press(buttonPress, wheelDown) })
		o.used += cpu(b, o.cmd) - before
		o.times = append(o.times, first)
	}
}

// BenchmarkScrollStep measures in the same way a step of the wheel over the tree of a crate of two million specs, over its bytes,
// and over Fyne's list of as many short rows as fit, in turn:
//
//	ms-tree, ms-bytes, ms-list                medians; with -p90, the 90th percentiles
//	ms-tree-cpu, ms-bytes-cpu, ms-list-cpu    mean processor time of all threads, software GL's included, a step
func BenchmarkScrollStep(b *testing.B) {
	ours, list := newDesktop(b, look{"dark", 1}), newDesktop(b, look{"dark", 1})
	list.env = append(list.env, "EMPTYWINDOW=list")
	own, other := ours.open(program, "· Cutaway$", bulk(b, crategen.Specs)), list.open(empty, "^Empty$")
	screens := [2]*screen{ours.screen(), list.screen()}
	usual := patience
	patience = 10 * time.Minute // the file is checked in the background first
	ours.waitFor("done", func(e event) bool { return e.fields[0] == "check" })
	patience = usual
	ours.goTo("layout/bootstrap/magic")
	cell := ours.wait("cell")
	ours.goTo("scene/World")
	row := ours.wait("row")
	ours.point(screens[0], row.number(0)+row.number(2)/2, row.number(1)+row.number(3)/2)
	if err := screens[0].press(keyPress, keyRight); err != nil {
		b.Fatal(err)
	}
	time.Sleep(5 * time.Second) // the branch is decoded
	ours.turn(screens[0], 20)
	tree, bytes := image.Pt(int(row.number(0))+30, int(row.number(1))), image.Pt(int(cell.number(2))-60, int(cell.number(3)+cell.number(5)))
	all := []*scrolled{{name: "tree", d: ours, s: screens[0], cmd: own, at: tree}, {name: "bytes", d: ours, s: screens[0], cmd: own, at: bytes},
		{name: "list", d: list, s: screens[1], cmd: other, at: image.Pt(20, 200)}}
	for b.Loop() {
		for range 10 {
			for _, one := range all {
				one.steps(b)
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	for _, one := range all {
		spread(b, one.name, one.times)
		b.ReportMetric(one.used.Seconds()*1e3/float64(len(one.times)), "ms-"+one.name+"-cpu")
	}
}

// BenchmarkFindTyped measures from the beginning of typing a name into the search field, with Enter at its end, to the node of the
// first hit being selected; the pause after which the field looks for what was typed is in it:
//
//	ms-opened, ms-opened-cpu  at once after the file's first tree is there, while other work on the file goes on
//	ms-again, ms-again-cpu    with all of that done, of another name
//
// All are medians of five windows.
func BenchmarkFindTyped(b *testing.B) {
	for _, c := range []struct {
		kind         crategen.Kind
		name, second string
	}{{crategen.Arrays, "Mesh_0100", "Mesh_0099"}, {crategen.Specs, "prim_999", "group_499"}} {
		b.Run(string(c.kind), func(b *testing.B) {
			file := bulk(b, c.kind)
			times := make(map[string][]float64)
			for b.Loop() {
				for range 5 {
					d := newDesktop(b, look{"dark", 1})
					cmd := d.open(program, "· Cutaway$", file)
					s := d.screen()
					d.findTyped(s, cmd, c.name, "opened", times)
					rest(b, cmd)
					d.findTyped(s, cmd, c.second, "again", times)
					end(cmd)
				}
			}
			b.ReportMetric(0, "ns/op")
			for name, values := range times {
				slices.Sort(values)
				b.ReportMetric(values[len(values)/2], name)
			}
		})
	}
}

// rest waits until a program has done its work: it takes less than 50 ms of processor time a second.
func rest(b *testing.B, cmd *exec.Cmd) {
	b.Helper()
	for deadline := time.Now().Add(10 * time.Minute); time.Now().Before(deadline); {
		before := cpu(b, cmd)
		time.Sleep(time.Second)
		if cpu(b, cmd)-before < 50*time.Millisecond {
			return
		}
	}
	b.Fatal("the window never rests")
}

// findTyped types a name into the search field, goes to the first hit, and adds the time that took to times.
func (d *desktop) findTyped(s *screen, cmd *exec.Cmd, name, when string, times map[string][]float64) {
	b := d.t.(*testing.B)
	d.key("ctrl+f")
	d.waitFor("field", func(e event) bool { return e.fields[0] == "search" })
	begun, before := time.Now(), cpu(b, cmd)
	d.do("type", "--delay", "2", name)
	if err := s.press(keyPress, keyReturn); err != nil {
		b.Fatal(err)
	}
	if hit := d.wait("hit").fields[1]; !strings.HasSuffix(hit, "/"+name) {
		b.Errorf("the first hit of %s is %s", name, hit)
	}
	times["ms-"+when] = append(times["ms-"+when], float64(time.Since(begun).Milliseconds()))
	times["ms-"+when+"-cpu"] = append(times["ms-"+when+"-cpu"], float64((cpu(b, cmd) - before).Milliseconds()))
}

// BenchmarkBranchToPainted measures in the same way from the key that opens a branch of ten million children, whose
// places in the file are known, to its rows on the screen.
func BenchmarkBranchToPainted(b *testing.B) {
	d := start(b, "dark", bulk(b, crategen.Children))
	s := d.screen()
	d.goTo("scene/World")
	row := d.wait("row")
	under := d.on(row.number(0), row.number(1)+row.number(3), row.number(2), row.number(3))
	time.Sleep(time.Second)
	key := func(code byte) (first, last time.Duration) {
		return d.shown(s, under, func() error { return s.press(keyPress, code) })
	}
	var painted, settled []time.Duration
	for b.Loop() {
		for range 30 {
			first, last := key(keyRight)
			painted, settled = append(painted, first), append(settled, last)
			key(keyLeft)
		}
	}
	key(keyRight)
	d.picture("bench-branch")
	b.ReportMetric(0, "ns/op")
	spread(b, "painted", painted)
	spread(b, "settled", settled)
}

// shown does something at any time within a frame and returns how long it takes to the first and to the last change in
// a part of the screen.
func (d *desktop) shown(s *screen, r image.Rectangle, act func() error) (first, last time.Duration) {
	d.t.Helper()
	time.Sleep(time.Duration(rand.IntN(20_000)) * time.Microsecond)
	first, last, err := s.settle(r, 120*time.Millisecond, act)
	if err != nil {
		d.t.Fatal(err)
	}
	return first, last
}

// BenchmarkStartup measures from the start of the process:
//
//	ms-window   to its first pixels on the screen
//	ms-ready    to the log's word that the window is shown
//	ms-opened   to the word that the document is open and its first tree is made
//	ms-painted  to the last change of the tree's pixels
//
// All are medians of seven starts, the first of which may find the program's file outside the system's cache.
func BenchmarkStartup(b *testing.B) {
	for _, c := range []struct {
		name string
		file func(b *testing.B) string
	}{
		{"sample", func(*testing.B) string { return sample }},
		{"arrays", func(b *testing.B) string { return bulk(b, crategen.Arrays) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			file := c.file(b)
			d := newDesktop(b, look{"dark", 1})
			s := d.screen()
			times := make(map[string][]time.Duration)
			for b.Loop() {
				for range 7 {
					d.measureStart(s, file, times)
				}
			}
			b.ReportMetric(0, "ns/op")
			for name, t := range times {
				slices.Sort(t)
				b.ReportMetric(float64(t[len(t)/2].Milliseconds()), "ms-"+name)
			}
		})
	}
}

// measureStart starts the program once, adds the time of each event to times, and ends it.
func (d *desktop) measureStart(s *screen, file string, times map[string][]time.Duration) {
	d.t.Helper()
	if err := os.WriteFile(d.log, nil, 0o600); err != nil {
		d.t.Fatal(err)
	}
	var cmd *exec.Cmd
	var begun time.Time
	events := make(chan map[string]time.Duration, 1)
	tree := image.Rect(200, 0, 204, height) // wherever the window manager puts a window that nearly fills the screen
	first, last, err := s.settle(tree, time.Second, func() error {
		begun = time.Now()
		cmd = d.run(d.path(program), file)
		go func() { events <- d.logged(begun, "ready", "opened") }()
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
	seen := <-events
	seen["window"], seen["painted"] = first, last
	for name, t := range seen {
		times[name] = append(times[name], t)
	}
	end(cmd)
	time.Sleep(300 * time.Millisecond) // the window goes
}

// BenchmarkFirstFrame measures from the start of the process to the first pixels in the middle of its window, in pairs with
// an empty window, first the one, then the other first:
//
//	ms-frame, ms-empty          medians of the time
//	ms-frame-cpu, ms-empty-cpu  medians of the processor time of all threads until then, software GL's included
//	x-frame, x-cpu              the medians of the pairs' ratios; with -least and -most, the others
func BenchmarkFirstFrame(b *testing.B) {
	d := newDesktop(b, look{"dark", 1})
	s := d.screen()
	both := [2]string{program, empty}
	d.firstFrame(s, program) // files come into the system's cache
	d.firstFrame(s, empty)
	all := make(map[string][]float64)
	for i := 0; b.Loop(); i++ {
		var took, used [2]float64
		for k := range both {
			k = (k + i) % 2
			took[k], used[k] = d.firstFrame(s, both[k])
		}
		for name, value := range map[string]float64{
			"ms-frame": took[0], "ms-empty": took[1], "x-frame": took[0] / took[1],
			"ms-frame-cpu": used[0], "ms-empty-cpu": used[1], "x-cpu": used[0] / used[1],
		} {
			all[name] = append(all[name], value)
		}
	}
	b.ReportMetric(0, "ns/op")
	for name, values := range all {
		slices.Sort(values)
		b.ReportMetric(values[len(values)/2], name)
		if strings.HasPrefix(name, "x-") {
			b.ReportMetric(values[0], name+"-least")
			b.ReportMetric(values[len(values)-1], name+"-most")
		}
	}
}

// firstFrame starts a program, and ends it when its window has its first pixels: the time until then, and its processor
// time, in ms.
func (d *desktop) firstFrame(s *screen, binary string) (took, used float64) {
	b := d.t.(*testing.B)
	var cmd *exec.Cmd
	first, _, err := s.settle(image.Rect(width/2, height/3, width/2+4, height*2/3), 0, func() error {
		cmd = d.run(d.path(binary))
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	used = float64(cpu(b, cmd).Milliseconds())
	end(cmd)
	time.Sleep(300 * time.Millisecond) // the window goes
	return float64(first.Microseconds()) / 1e3, used
}

// logged waits until every event is in the log and returns when each was first seen there, from begun on.
func (d *desktop) logged(begun time.Time, names ...string) map[string]time.Duration {
	seen := make(map[string]time.Duration)
	for time.Since(begun) < patience && len(seen) < len(names) {
		time.Sleep(time.Millisecond)
		text, err := os.ReadFile(d.log)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			name, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			if _, known := seen[name]; !known && slices.Contains(names, name) {
				seen[name] = time.Since(begun)
			}
		}
	}
	return seen
}
