package description

import (
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"cutaway/ui/shell"
)

// editor returns the command that opens a file at a line. It replaces {file} and {line} in the words of the setting. If
// no word has {file}, the file is the last word.
func editor(setting, file string, line int) []string {
	words := strings.Fields(setting)
	named := false
	for i, w := range words {
		named = named || strings.Contains(w, "{file}")
		words[i] = strings.NewReplacer("{file}", file, "{line}", strconv.Itoa(line)).Replace(w)
	}
	if len(words) > 0 && !named {
		words = append(words, file)
	}
	return words
}

// OpenEditor opens a file in the editor that the user has set or, without one, in the system's program for such files.
func OpenEditor(sh *shell.Shell, file string, line int) error {
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	words := editor(sh.Store.Editor, file, line)
	sh.Log.Write("editor", file, line)
	if len(words) == 0 {
		return sh.App.OpenURL(&url.URL{Scheme: "file", Path: filepath.ToSlash(file)})
	}
	cmd := exec.Command(words[0], words[1:]...) //nolint:gosec // the user's own setting names it
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // how the editor ends is the user's affair
	return nil
}
