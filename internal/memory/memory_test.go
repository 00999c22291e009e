package memory

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

var whole = flag.Bool("whole", os.Getenv("CUTAWAY_MEMORY") == "all", "with the files whose figures are written down")

// limits are what --max-memory is given, in bytes.
func limits() []int64 {
	if *whole {
		return []int64{16 * mib, 64 * mib, 256 * mib}
	}
	return []int64{16 * mib, 64 * mib}
}

// build makes the command line.
func build(t *testing.T) string {
	name := filepath.Join(t.TempDir(), "cutaway")
	c := exec.Command("go", "build", "-tags", "headless", "-o", name, "cutaway")
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return name
}

// ran is what a process took, and said.
type ran struct {
	peak   int64 // bytes that are not of files, the most that was seen
	status int
	said   string // the end of it
}

// run runs the program and looks at its memory meanwhile.
func run(t *testing.T, program string, args ...string) ran {
	t.Helper()
	var out ending
	c := exec.Command(program, args...)
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = c.Wait() // its status tells
		close(ended)
	}()
	r := ran{}
	for {
		select {
		case <-ended:
			r.status, r.said = c.ProcessState.ExitCode(), out.String()
			return r
		case <-time.After(time.Millisecond):
			r.peak = max(r.peak, anonymous(c.Process.Pid))
		}
	}
}

// ending keeps the end of what is written.
type ending struct{ bytes.Buffer }

func (e *ending) Write(p []byte) (int, error) {
	const most = 16 << 10
	_, _ = e.Buffer.Write(p) // a buffer takes all
	if n := e.Len(); n > 2*most {
		e.Next(n - most)
	}
	return len(p), nil
}

// anonymous is how many bytes of a process's memory are not of files, now; 0 where it has ended.
func anonymous(process int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "RssAnon:")
	text, _, _ := strings.Cut(rest, "kB")
	kib, _ := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return kib << 10
}

func TestMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the memory of another process is looked at in /proc")
	}
	if testing.Short() {
		t.Skip("it makes large files")
	}
	program := build(t)
	sample := int64(0)
	for range 5 {
		sample = max(sample, run(t, program, "info", "../../assets/sample.usdc").peak)
	}
	p := newPage(sample)
	for i := range files {
		c := &files[i]
		t.Run(c.name, func(t *testing.T) { c.measure(t, program, sample, p) })
	}
	if *whole && !t.Failed() {
		p.write(t)
	}
}

// measure checks a file with each limit.
func (c *file) measure(t *testing.T, program string, sample int64, p *page) {
	n := c.share
	if *whole {
		n = c.whole
	}
	name := c.make(t, t.TempDir(), n)
	for _, limit := range limits() {
		args := append([]string{"check", "--max-memory", strconv.FormatInt(limit, 10)}, c.flags...)
		r := run(t, program, append(args, name)...)
		p.add(c, n, r)
		most := limit + limit/2 + sample
		if !*whole {
			most += limit // on a machine that others keep busy the collector comes late
		}
		if r.peak > most {
			t.Errorf("with %d MiB it takes %.1f MiB; at most %.1f are allowed", limit/mib, float64(r.peak)/mib, float64(most)/mib)
		}
		// Where less is read of a file, that is a limit, which is a warning.
		if r.status != c.status {
			t.Errorf("with %d MiB the status is %d:\n%s", limit/mib, r.status, r.said)
		}
	}
}
