//go:build e2e

package e2e

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"image"
	"io"
	"net"
	"strings"
	"time"
)

// A screen is a connection to the X server that moves the mouse, presses keys (XTEST) and reads pixels, each in a
// fraction of a millisecond, where a call of xdotool or import takes tens. It speaks the X protocol, version 11, as far
// as that takes.
type screen struct {
	conn  net.Conn
	root  uint32
	xtest byte // the extension's opcode
	seed  maphash.Seed
}

// Events for fake.
const (
	keyPress      = 2
	keyRelease    = 3
	buttonPress   = 4
	buttonRelease = 5
	motion        = 6
)

// Key codes of Xvfb's keyboard, and buttons of its mouse.
const (
	keyReturn = 36
	keyLeft   = 113
	keyRight  = 114
	wheelUp   = 4
	wheelDown = 5
)

var order = binary.LittleEndian

// screen connects to the desktop's server until the test ends.
func (d *desktop) screen() *screen {
	d.t.Helper()
	conn, err := net.Dial("unix", "/tmp/.X11-unix/X"+strings.TrimPrefix(d.display, ":"))
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = conn.Close() })
	s := &screen{conn: conn, seed: maphash.MakeSeed()}
	if err := s.setUp(); err != nil {
		d.t.Fatal(err)
	}
	return s
}

// setUp greets the server and asks for the test extension.
func (s *screen) setUp() error {
	_ = s.conn.SetDeadline(time.Now().Add(patience))
	hello := make([]byte, 12)
	hello[0] = 'l'
	order.PutUint16(hello[2:], 11)
	if _, err := s.conn.Write(hello); err != nil {
		return err
	}
	head := make([]byte, 8)
	if _, err := io.ReadFull(s.conn, head); err != nil {
		return err
	}
	data := make([]byte, 4*int(order.Uint16(head[6:])))
	if _, err := io.ReadFull(s.conn, data); err != nil {
		return err
	}
	if head[0] != 1 {
		return fmt.Errorf("the X server refuses: %q", data)
	}
	vendor, formats := int(order.Uint16(data[16:])), int(data[21])
	s.root = order.Uint32(data[32+(vendor+3)/4*4+8*formats:])

	const name = "XTEST"
	query := make([]byte, 16)
	query[0] = 98 // QueryExtension
	order.PutUint16(query[2:], uint16(len(query)/4))
	order.PutUint16(query[4:], uint16(len(name)))
	copy(query[8:], name)
	reply, err := s.ask(query)
	if err == nil && reply[8] == 0 {
		err = fmt.Errorf("the X server has no %s", name)
	}
	if err != nil {
		return err
	}
	s.xtest = reply[9]
	return nil
}

// ask sends a request and returns its reply, head included. Events in between are dropped.
func (s *screen) ask(request []byte) ([]byte, error) {
	_ = s.conn.SetDeadline(time.Now().Add(patience))
	if _, err := s.conn.Write(request); err != nil {
		return nil, err
	}
	for {
		packet := make([]byte, 32)
		if _, err := io.ReadFull(s.conn, packet); err != nil {
			return nil, err
		}
		switch packet[0] {
		case 0:
			return nil, fmt.Errorf("X error %d of request %d", packet[1], packet[10])
		case 1:
			rest := make([]byte, 4*int(order.Uint32(packet[4:])))
			_, err := io.ReadFull(s.conn, rest)
			return append(packet, rest...), err
		}
	}
}

// fake makes an event of the mouse or the keyboard.
func (s *screen) fake(kind, detail byte, x, y int) error {
	request := make([]byte, 36)
	request[0], request[1] = s.xtest, 2 // FakeInput
	order.PutUint16(request[2:], uint16(len(request)/4))
	request[4], request[5] = kind, detail
	order.PutUint32(request[12:], s.root)
	order.PutUint16(request[24:], uint16(x))
	order.PutUint16(request[26:], uint16(y))
	_ = s.conn.SetDeadline(time.Now().Add(patience))
	_, err := s.conn.Write(request)
	return err
}

// pixels returns a hash of the pixels in r.
func (s *screen) pixels(r image.Rectangle) (uint64, error) {
	request := make([]byte, 20)
	request[0], request[1] = 73, 2 // GetImage, ZPixmap
	order.PutUint16(request[2:], uint16(len(request)/4))
	order.PutUint32(request[4:], s.root)
	order.PutUint16(request[8:], uint16(r.Min.X))
	order.PutUint16(request[10:], uint16(r.Min.Y))
	order.PutUint16(request[12:], uint16(r.Dx()))
	order.PutUint16(request[14:], uint16(r.Dy()))
	order.PutUint32(request[16:], ^uint32(0))
	reply, err := s.ask(request)
	if err != nil {
		return 0, err
	}
	return maphash.Bytes(s.seed, reply[32:]), nil
}

// poll is the time between two looks at the screen, and with that how late a change may be seen.
const poll = 500 * time.Microsecond

// settle does something and looks at r until nothing has changed there for as long as quiet says. It returns the times
// from act to the first change and to the last.
func (s *screen) settle(r image.Rectangle, quiet time.Duration, act func() error) (first, last time.Duration, err error) {
	was, err := s.pixels(r)
	if err != nil {
		return 0, 0, err
	}
	start := time.Now()
	if err := act(); err != nil {
		return 0, 0, err
	}
	for {
		time.Sleep(poll)
		now, err := s.pixels(r)
		if err != nil {
			return 0, 0, err
		}
		since := time.Since(start)
		switch {
		case now != was:
			was, last = now, since
			if first == 0 {
				first = since
			}
		case first > 0 && since-last > quiet:
			return first, last, nil
		case since > patience:
			return 0, 0, fmt.Errorf("no pixel of %v changes, or they never rest", r)
		}
	}
}
