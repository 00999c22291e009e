//go:build linux && !ci && !headless

package sysdialog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"cutaway/ui/sysdialog/question"
)

// helper is the name of the program beside this one that shows the dialog. It alone links GTK, which would cost the
// window 13 MB of memory.
const helper = "cutaway-dialog"

var one sync.Mutex

func ask(q question.Question) (string, error) {
	one.Lock()
	defer one.Unlock()
	program, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNone, err)
	}
	asked, err := json.Marshal(q)
	if err != nil {
		return "", err
	}
	cmd := exec.Command(filepath.Join(filepath.Dir(program), helper), string(asked))
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
