//go:build cgo && linux && !ci && !headless

package sysdialog

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdlib.h>

// What of GTK 3 a file dialog takes; its interface is settled.
enum { actionOpen = 0, actionSave = 1, actionFolder = 2, accepted = -3 };

// choose returns the path chosen, which is NULL where none is. *failed says why the dialog cannot be shown.
static char *choose(const char *title, const char *dir, const char *name, int action, const char **failed) {
	void *gtk = dlopen("libgtk-3.so.0", RTLD_NOW | RTLD_GLOBAL);
	if (!gtk) {
		*failed = dlerror();
		return NULL;
	}
	int (*init)(int *, char ***) = dlsym(gtk, "gtk_init_check");
	void *(*make)(const char *, void *, int, const char *, const char *) = dlsym(gtk, "gtk_file_chooser_native_new");
	int (*start)(void *, const char *) = dlsym(gtk, "gtk_file_chooser_set_current_folder");
	int (*run)(void *) = dlsym(gtk, "gtk_native_dialog_run");
	char *(*chosen)(void *) = dlsym(gtk, "gtk_file_chooser_get_filename");
	void (*propose)(void *, const char *) = dlsym(gtk, "gtk_file_chooser_set_current_name");
	void (*confirm)(void *, int) = dlsym(gtk, "gtk_file_chooser_set_do_overwrite_confirmation");
	if (!init || !make || !start || !run || !chosen || !propose || !confirm) {
		*failed = "libgtk-3 is older than 3.20";
		return NULL;
	}
	if (!init(NULL, NULL)) {
		*failed = "GTK cannot open the display";
		return NULL;
	}
	void *dialog = make(title, NULL, action, NULL, NULL);
	start(dialog, dir);
	if (action == actionSave) {
		propose(dialog, name);
		confirm(dialog, 1);
	}
	return run(dialog) == accepted ? chosen(dialog) : NULL;
}
*/
import "C"

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
)

// The dialog is shown by a second process of this program, which alone loads GTK: that would make the window 13 MB
// larger for good. asked names the environment variable that holds its question.
const asked = "CUTAWAY_DIALOG"

var one sync.Mutex

func ask(q question) (string, error) {
	one.Lock()
	defer one.Unlock()
	cmd := exec.Command("/proc/self/exe") // the file of this very program, though another may have replaced it
	cmd.Args[0] = os.Args[0]
	cmd.Env = append(os.Environ(), asked+"="+strings.Join([]string{q.what, q.title, q.name, q.dir}, "\n"))
	var path, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &path, &said
	alive, err := cmd.StdinPipe() // ends when this process does
	if err != nil {
		return "", err
	}
	err = cmd.Run()
	_ = alive.Close()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", ErrNone, strings.TrimSpace(said.String()))
	}
	return path.String(), err
}

// Serve shows the dialog that this process was started for and prints the answer; where it was not, it returns false.
// It wants the main thread.
func Serve() (bool, error) {
	parts := strings.SplitN(os.Getenv(asked), "\n", 4)
	if len(parts) < 4 {
		return false, nil
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0) // the window is gone
	}()
	action := map[string]C.int{"file": C.actionOpen, "folder": C.actionFolder, "save": C.actionSave}[parts[0]]
	var failed *C.char
	path := C.choose(C.CString(parts[1]), C.CString(parts[3]), C.CString(parts[2]), action, &failed)
	if failed != nil {
		return true, errors.New(C.GoString(failed))
	}
	if path != nil {
		fmt.Print(C.GoString(path))
	}
	return true, nil
}
