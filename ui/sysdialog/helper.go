//go:build linux && !ci && !headless

package sysdialog

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// helper is the program beside this one that shows the dialog. It alone links GTK, which would make the window 13 MB
// larger for good.
const helper = "cutaway-dialog"

var one sync.Mutex

func ask(q question) (string, error) {
	one.Lock()
	defer one.Unlock()
	program, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNone, err)
	}
	cmd := exec.Command(filepath.Join(filepath.Dir(program), helper), q.what, q.title, q.dir, q.name)
	var path, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &path, &said
	alive, err := cmd.StdinPipe() // ends when this process does
	if err != nil {
		return "", err
	}
	err = cmd.Run()
	_ = alive.Close()
	if err != nil {
		return "", fmt.Errorf("%w: %w: %s", ErrNone, err, strings.TrimSpace(said.String()))
	}
	return path.String(), nil
}
