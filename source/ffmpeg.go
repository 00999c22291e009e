package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os/exec"
	"runtime/debug"
	"strings"
	"sync"
)

// ErrNoFFmpeg is the error that ffmpeg, which decodes video and Opus, is not installed.
var ErrNoFFmpeg = errors.New("ffmpeg, which decodes it, is not on the PATH; it can be exported as it is stored (h264, h265, opus)")

// FFmpeg runs ffmpeg with the input that write writes, and returns its output. Reading to the end returns the error of
// write or of the program, if any. Close ends the program; it must be called.
func FFmpeg(ctx context.Context, write func(io.Writer) error, args ...string) (io.ReadCloser, error) {
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		return nil, ErrNoFFmpeg
	}
	ctx, cancel := context.WithCancel(ctx)
	p := &program{cancel: cancel}
	p.cmd = exec.CommandContext(ctx, path, append([]string{"-nostdin", "-loglevel", "error"}, args...)...)
	p.cmd.Stderr = &p.said
	in, err := p.cmd.StdinPipe()
	if err == nil {
		p.out, err = p.cmd.StdoutPipe()
	}
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("ffmpeg does not start: %w", err)
	}
	p.fed = make(chan error, 1)
	go func() {
		err := p.feed(write, in)
		p.fed <- errors.Join(err, in.Close())
	}()
	return p, nil
}

// A program is a running program and its output.
type program struct {
	cmd    *exec.Cmd
	out    io.ReadCloser
	said   bytes.Buffer
	fed    chan error // the result of feeding it
	fault  error      // a panic of its writer; set before fed receives
	cancel context.CancelFunc
	end    sync.Once
	err    error
}

// feed passes the program's input to write. It recovers a panic of a decoder, which would end the process in this
// goroutine.
func (p *program) feed(write func(io.Writer) error, in io.Writer) error {
	defer func() {
		if r := recover(); r != nil {
			p.fault = fmt.Errorf("internal fault: %v\n%s", r, debug.Stack())
		}
	}()
	return write(in)
}

func (p *program) Read(b []byte) (int, error) {
	n, err := p.out.Read(b)
	if err == io.EOF {
		if failed := p.wait(); failed != nil {
			err = failed
		}
	}
	return n, err
}

func (p *program) wait() error {
	p.end.Do(func() {
		err := p.cmd.Wait()
		fed := <-p.fed
		switch said := strings.TrimSpace(p.said.String()); {
		case p.fault != nil: // whatever the program made of its partial input
			p.err = p.fault
		case err == nil: // input that the program did not read does not matter
		case said != "":
			p.err = fmt.Errorf("ffmpeg: %s", lastLine(said))
		default:
			p.err = errors.Join(fmt.Errorf("ffmpeg: %w", err), fed)
		}
	})
	return p.err
}

func lastLine(s string) string { return s[strings.LastIndexByte(s, '\n')+1:] }

func (p *program) Close() error {
	p.cancel()
	_ = p.wait() // it was killed
	return nil
}

// ReadPPM reads the next binary portable pixmap of 8 bits, or returns io.EOF.
func ReadPPM(r io.Reader) (image.Image, error) {
	var width, height, most int
	var one [1]byte
	if _, err := io.ReadFull(r, one[:]); err != nil {
		return nil, err
	}
	if n, err := fmt.Fscanf(&single{r}, "6\n%d %d\n%d\n", &width, &height, &most); one[0] != 'P' || n != 3 || err != nil || most != 255 {
		return nil, errors.New("ffmpeg made something else than pictures")
	}
	const pixel = 4 // bytes of memory
	switch most := int(min(CacheLimit()/4*3/pixel, 1<<28)); {
	case width < 1 || height < 1:
		return nil, fmt.Errorf("ffmpeg made a picture of %d × %d", width, height)
	case width > most/height:
		return nil, fmt.Errorf("ffmpeg made a picture of %d × %d; this program's limit is %d pixels, which --max-memory raises", width, height, most)
	}
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	row := make([]byte, 3*width)
	for y := range height {
		if _, err := io.ReadFull(r, row); err != nil {
			return nil, err
		}
		out := img.Pix[y*img.Stride:]
		for x := range width {
			out[4*x], out[4*x+1], out[4*x+2], out[4*x+3] = row[3*x], row[3*x+1], row[3*x+2], 255
		}
	}
	return img, nil
}

// single reads byte by byte, so that scanning a header consumes no more.
type single struct{ io.Reader }

func (s *single) ReadByte() (byte, error) {
	var b [1]byte
	_, err := io.ReadFull(s.Reader, b[:])
	return b[0], err
}
