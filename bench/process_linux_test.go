package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// spent is what a process took, from its start to its end.
type spent struct {
	Wall, CPU float64 // seconds; CPU is user and system time of all threads
	Peak      int64   // most bytes resident at a time, pages of mapped files included
	Own       int64   // the same without pages of files, looked at every 5 ms
	Disk      int64   // bytes read from the disk
	Status    int
	Lines     int64  // of its standard output, where that was asked for
	Begin     string // of its standard output
}

// wrapped is the variable that makes the test binary start the command of its arguments, measure it and print what it
// spent to descriptor 3. A process that has just begun does that, since the kernel counts as a child's peak also that of
// who forked it. "read" has the command's output read, anything else goes to the null device.
const wrapped = "CUTAWAY_BENCH_PROCESS"

func init() { processes[wrapped] = wrap }

// process runs a command and measures it.
func process(tb testing.TB, read bool, env []string, args ...string) spent {
	tb.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	defer r.Close()
	how := "drop"
	if read {
		how = "read"
	}
	cmd := exec.CommandContext(tb.Context(), os.Args[0], args...)
	cmd.Env = append(append(os.Environ(), wrapped+"="+how), env...)
	cmd.ExtraFiles = []*os.File{w}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	w.Close()
	var s spent
	if err := errors.Join(json.NewDecoder(r).Decode(&s), cmd.Wait()); err != nil {
		tb.Fatalf("%q: %v\n%s", args, err, said.Bytes())
	}
	return s
}

// output counts lines and keeps the beginning.
type output struct {
	lines int64
	begin []byte
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) {
	o.lines += int64(bytes.Count(b, []byte{'\n'}))
	o.begin = append(o.begin, b[:min(len(b), 4096-len(o.begin))]...)
	return len(b), nil
}

// wrap is the process of the variable wrapped.
func wrap(args []string) error {
	var out output
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	if os.Getenv(wrapped) == "read" {
		cmd.Stdout = &out
	}
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	own := make(chan int64)
	go func() { own <- peakOwn(cmd.Process.Pid, ended) }()
	// The end is waited for without taking the process away, so that its counters can be read.
	const byPID, exited, stay = 1, 4, 0x01000000
	var info [128]byte
	for {
		_, _, e := syscall.Syscall6(syscall.SYS_WAITID, byPID, uintptr(cmd.Process.Pid), uintptr(unsafe.Pointer(&info)), exited|stay, 0, 0)
		if e == 0 {
			break
		}
		if e != syscall.EINTR {
			return e
		}
	}
	s := spent{Wall: time.Since(begun).Seconds()}
	close(ended)
	s.Own = <-own
	s.Disk = procNumber(cmd.Process.Pid, "io", "read_bytes")
	if exit := (*exec.ExitError)(nil); !errors.As(cmd.Wait(), &exit) && cmd.ProcessState == nil {
		return errors.New("no state of the process")
	}
	used := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	s.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	s.Peak, s.Status, s.Lines, s.Begin = used.Maxrss<<10, cmd.ProcessState.ExitCode(), out.lines, string(out.begin)
	return json.NewEncoder(os.NewFile(3, "result")).Encode(s)
}

// peakOwn is the most that a process has of memory that is no file's, until it has ended.
func peakOwn(pid int, ended <-chan struct{}) (most int64) {
	for {
		most = max(most, procNumber(pid, "status", "RssAnon")<<10)
		select {
		case <-ended:
			return most
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// procNumber is a number that /proc has of a process, or 0.
func procNumber(pid int, file, field string) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	if err != nil {
		return 0
	}
	m := regexp.MustCompile(`(?m)^` + field + `:\s*(\d+)`).FindSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.ParseInt(string(m[1]), 10, 64) // digits
	return n
}

// forget takes a file out of the system's cache, as far as the system does that.
func forget(tb testing.TB, file string) {
	f, err := os.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	const dontNeed = 4
	if err := f.Sync(); err != nil { // pages that are not written stay
		tb.Fatal(err)
	}
	if _, _, e := syscall.Syscall6(syscall.SYS_FADVISE64, f.Fd(), 0, 0, dontNeed, 0, 0); e != 0 {
		tb.Fatal(e)
	}
}
