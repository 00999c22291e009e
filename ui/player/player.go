// Package player plays sound with a program of the system.
package player

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"cutaway/model"
	"cutaway/model/export"
)

// A program plays a WAV file and exits at the file's end.
type program struct {
	name string
	args []string // before the name of the file, which is in the environment too
	env  bool     // the file is named only in the environment
}

// fileEnv is the environment variable with the name of the file.
const fileEnv = "CUTAWAY_SOUND"

// programs returns the players to look for, the preferred one first.
func programs() []program {
	switch runtime.GOOS {
	case "darwin":
		return []program{{name: "afplay"}}
	case "windows":
		return []program{{"powershell", []string{"-NoProfile", "-Command", "(New-Object Media.SoundPlayer $env:" + fileEnv + ").PlaySync()"}, true}}
	}
	return []program{{name: "pw-play"}, {name: "paplay"}, {name: "aplay", args: []string{"-q"}},
		{name: "ffplay", args: []string{"-nodisp", "-autoexit", "-loglevel", "error"}}}
}

// ErrNone reports that the system has no program that plays sound.
var ErrNone = errors.New("no program that plays sound is on the PATH (" + names() + ")")

func names() string {
	var list []string
	for _, p := range programs() {
		list = append(list, p.name)
	}
	return strings.Join(list, ", ")
}

// Play plays a sound from a frame on, and returns when it has ended. It calls began with the program's name when that
// starts. The sound is written to a temporary file, since not every program reads from a pipe.
func Play(ctx context.Context, s model.Sound, first int64, began func(name string)) error {
	var found []program
	for _, p := range programs() {
		if path, err := exec.LookPath(p.name); err == nil {
			p.name = path
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		return ErrNone
	}
	if s.Rate() <= 0 {
		return errors.New("the rate of the sound is not known")
	}
	dir, err := os.MkdirTemp("", "cutaway-sound-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // if this fails, the system clears its temporary folder
	file := filepath.Join(dir, "sound.wav")
	if err := write(ctx, file, &rest{s, first}); err != nil {
		return err
	}
	for _, p := range found {
		began(filepath.Base(p.name))
		args := p.args
		if !p.env {
			args = append(args, file)
		}
		cmd := exec.CommandContext(ctx, p.name, args...) //nolint:gosec // one of the programs above
		cmd.Env = append(os.Environ(), fileEnv+"="+file)
		said, failed := cmd.CombinedOutput()
		if failed == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		err = errors.Join(err, fmt.Errorf("%s: %w %s", filepath.Base(p.name), failed, strings.TrimSpace(string(said))))
	}
	return err
}

func write(ctx context.Context, file string, s model.Sound) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(export.Wave(ctx, f, s, true), f.Close())
}

// A rest is the part of a sound from a frame on.
type rest struct {
	model.Sound
	first int64
}

func (r *rest) Frames() int64 { return max(r.Sound.Frames()-r.first, 0) }

func (r *rest) Read(ctx context.Context, first int64, dst [][]float32) (int, error) {
	return r.Sound.Read(ctx, r.first+first, dst)
}
