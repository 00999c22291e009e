package ksy

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// CodecsVariable names the environment variable with programs for processes: NAME=PROGRAM [ARGUMENT…], separated by
// semicolons.
const CodecsVariable = "CUTAWAY_CODECS"

// programTime is the time limit of a program for one field.
const programTime = 20 * time.Second

// programs are the programs that the user named. Nothing else is ever started: a description can only name a process.
var programs struct {
	mu     sync.Mutex
	byName map[string][]string
}

// UseCodecs sets the programs of processes, each NAME=PROGRAM [ARGUMENT…], in addition to those of the environment.
func UseCodecs(list ...string) error {
	byName, err := parseCodecs(list)
	if err != nil {
		return err
	}
	programs.mu.Lock()
	defer programs.mu.Unlock()
	programs.byName = byName
	return nil
}

func parseCodecs(list []string) (map[string][]string, error) {
	byName := map[string][]string{}
	for _, one := range list {
		name, command, ok := strings.Cut(one, "=")
		words := strings.Fields(command)
		if !ok || strings.TrimSpace(name) == "" || len(words) == 0 {
			return nil, fmt.Errorf("a codec is NAME=PROGRAM, not %q", one)
		}
		byName[strings.TrimSpace(name)] = words
	}
	return byName, nil
}

// programOf returns the program of a process and its first arguments, or nil if the user named none.
func programOf(name string) []string {
	programs.mu.Lock()
	defer programs.mu.Unlock()
	if words := programs.byName[name]; words != nil {
		return words
	}
	list := strings.FieldsFunc(os.Getenv(CodecsVariable), func(r rune) bool { return r == ';' })
	byName, err := parseCodecs(list)
	if err != nil {
		return nil
	}
	return maps.Clone(byName)[name]
}

// runProgram pipes bytes through a program. The arguments of the process follow the program's own: numbers and texts as
// they are, bytes in hex.
func runProgram(ctx context.Context, at model.Span, name string, words []string, args []grammar.Value, in []byte) ([]byte, error) {
	command := words[1:]
	for _, arg := range args {
		text := arg.String()
		if blob := arg.Blob(); blob != nil {
			b, err := blob.Read(ctx)
			if err != nil {
				return nil, err
			}
			text = hex.EncodeToString(b)
		}
		command = append(command[:len(command):len(command)], text)
	}
	limit, cancel := context.WithTimeout(ctx, programTime)
	defer cancel()
	cmd := exec.CommandContext(limit, words[0], command...) //nolint:gosec // the user's own setting names it
	cmd.Stdin, cmd.WaitDelay = bytes.NewReader(in), time.Second
	out, said := &boundedOutput{most: grammar.MaxBytes}, &boundedOutput{most: 1 << 10}
	cmd.Stdout, cmd.Stderr = out, said
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limit.Err() != nil:
		return nil, model.Problemf(model.Limit, ruleLimit, at, "the program of %q took more than %v", name, programTime)
	case errors.Is(err, errCapped):
		return nil, model.Problemf(model.Limit, ruleLimit, at, "the program of %q gave more than %d bytes", name, grammar.MaxBytes)
	case err != nil:
		first, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		return out.Bytes(), fmt.Errorf("the program of %q failed: %w %s", name, err, first)
	}
	return out.Bytes(), nil
}

var errCapped = errors.New("more than may be kept")

// A boundedOutput keeps the bytes that are written, up to a limit.
type boundedOutput struct {
	bytes.Buffer
	most int
}

func (c *boundedOutput) Write(p []byte) (int, error) {
	if c.Len()+len(p) > c.most {
		return 0, errCapped
	}
	return c.Buffer.Write(p)
}

var _ io.Writer = (*boundedOutput)(nil)
