package verdicts

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"testing"
	"time"
)

// said is what a library says of a file.
type said struct {
	Version  bool     // it does not read files of this version
	Refused  bool     // it does not open the file
	Errors   []string // what it complains about
	Warnings []string // what it prints, and reads on
	Found    int      // how many things it read; 0 where the library tells of all that it leaves out
	Bytes    int      // how many bytes of images, sound and others these have
	Digest   string   // of what it read; "": it is not told
	stray    bool     // with other bytes in its memory it reads something else, or complains
	before   *said    // what it says of the file before the change
	ended    bool     // the file ended its process, or kept it busy for long
}

// complains reports whether anything is wrong for the library, or it leaves out what it read before the change, or takes
// bytes for it that are not its own. What it reads from memory that the file did not fill is no reading of the file. An image that it gives no bytes of any more because nothing tells its size is none of
// this: such a record is sound.
func (s *said) complains() bool {
	return s.ended || s.Refused || len(s.Errors) > 0 || s.stray || s.before != nil && (s.Found < s.before.Found || s.Bytes > s.before.Bytes)
}

// misread reports whether the library tells what it reads, and that is not what it read before the change.
func (s *said) misread() bool { return s.before != nil && s.Digest != s.before.Digest }

// A worker is a process of the library's, which some files end; the next one is then read by another.
type worker struct {
	t       *testing.T
	command []string
	memory  string // what memory is filled with when it is asked for; "": anything
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// patience is how long a library may read a file of a few KB.
const patience = 30 * time.Second

func (w *worker) start() {
	w.process = exec.Command(w.command[0], w.command[1:]...)
	if w.memory != "" {
		w.process.Env = append(w.process.Environ(), "MALLOC_PERTURB_="+w.memory)
	}
	var err error
	if w.in, err = w.process.StdinPipe(); err != nil {
		w.t.Fatal(err)
	}
	out, err := w.process.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	w.out = bufio.NewReader(out)
	if err := w.process.Start(); err != nil {
		w.t.Fatal(err)
	}
}

// read asks the library about a file.
func (w *worker) read(name string) *said {
	if w.process == nil {
		w.start()
	}
	if _, err := io.WriteString(w.in, name+"\n"); err != nil {
		w.t.Fatalf("%v does not read on: %v", w.command, err)
	}
	timer := time.AfterFunc(patience, func() { _ = w.process.Process.Kill() })
	line, err := w.out.ReadBytes('\n')
	timer.Stop()
	if err != nil {
		w.stop()
		return &said{ended: true}
	}
	s := new(said)
	if err := json.Unmarshal(line, s); err != nil {
		w.t.Fatalf("%v: %v", w.command, err)
	}
	return s
}

// A judge asks the library twice, by processes whose memory is filled with different bytes.
type judge [2]worker

func newJudge(t *testing.T, command ...string) *judge {
	return &judge{{t: t, command: command, memory: "90"}, {t: t, command: command, memory: "201"}}
}

// read asks the library about a file.
func (j *judge) read(name string) *said {
	s := j[0].read(name)
	if s.Digest != "" && !s.complains() {
		other := j[1].read(name)
		s.stray = other.complains() || other.Digest != s.Digest
	}
	return s
}

func (j *judge) stop() {
	for i := range j {
		j[i].stop()
	}
}

// stop ends the process; that of a library that was ended by a file has ended already.
func (w *worker) stop() {
	if w.process == nil {
		return
	}
	_ = w.in.Close()
	if err := w.process.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		w.t.Error(err)
	}
	w.process = nil
}
