//go:build cgo && linux && !ci && !headless

package native

// #cgo pkg-config: gtk+-3.0
// #cgo LDFLAGS: -lX11
// #include <stdlib.h>
// #include <X11/Xlib.h>
// #include <gtk/gtk.h>
// #include <gdk/gdkx.h>
//
// static GtkFileChooser *newDialog(char *title, int action, char *yes) {
// 	return GTK_FILE_CHOOSER(gtk_file_chooser_dialog_new(title, NULL, action, "Cancel", GTK_RESPONSE_CANCEL, yes, GTK_RESPONSE_ACCEPT, NULL));
// }
//
// // realized makes the dialog one of a window of another program.
// static void realized(GtkWidget *dialog, gpointer window) {
// 	GdkWindow *own = gtk_widget_get_window(dialog);
// 	if (GDK_IS_X11_WINDOW(own)) {
// 		XSetTransientForHint(GDK_WINDOW_XDISPLAY(own), GDK_WINDOW_XID(own), (Window)(guintptr)window);
// 	}
// }
//
// static void setAbove(GtkFileChooser *d, guintptr window) {
// 	g_signal_connect_after(d, "realize", G_CALLBACK(realized), (gpointer)window);
// }
import "C"

import (
	"errors"
	"strings"
	"unsafe"
)

// Show asks. It returns "" when the user changes their mind, and wants the process's main thread until the dialog is
// closed.
func Show(q Question) (path string, err error) {
	if C.gtk_init_check(nil, nil) == 0 {
		return "", errors.New("GTK cannot open the display")
	}
	action, yes := C.int(C.GTK_FILE_CHOOSER_ACTION_OPEN), "Open"
	switch q.What {
	case Folder:
		action = C.GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
	case Save:
		action, yes = C.GTK_FILE_CHOOSER_ACTION_SAVE, "Save"
	}
	d := C.newDialog(cString(q.Title), action, cString(yes))
	if q.Dir != "" {
		C.gtk_file_chooser_set_current_folder(d, cString(q.Dir))
	}
	if q.Name != "" {
		C.gtk_file_chooser_set_current_name(d, cString(q.Name))
	}
	for _, k := range q.Kinds {
		C.gtk_file_chooser_add_filter(d, filterOf(k))
	}
	if q.Above != 0 {
		C.setAbove(d, C.guintptr(q.Above))
	}
	C.gtk_file_chooser_set_do_overwrite_confirmation(d, C.TRUE)
	if C.gtk_dialog_run((*C.GtkDialog)(unsafe.Pointer(d))) != C.GTK_RESPONSE_ACCEPT {
		return "", nil
	}
	name := C.gtk_file_chooser_get_filename(d)
	if name == nil {
		return "", errors.New("what was chosen is no file of this computer")
	}
	return C.GoString(name), nil
}

// filterOf lists the files of a kind, also those whose endings are in capitals.
func filterOf(k Kind) *C.GtkFileFilter {
	f := C.gtk_file_filter_new()
	C.gtk_file_filter_set_name(f, cString(k.Title))
	for _, e := range k.Endings {
		C.gtk_file_filter_add_pattern(f, cString("*"+e))
		C.gtk_file_filter_add_pattern(f, cString("*"+strings.ToUpper(e)))
	}
	if len(k.Endings) == 0 {
		C.gtk_file_filter_add_pattern(f, cString("*"))
	}
	return f
}

// cString is for a process that ends with its answer: it is not freed.
func cString(s string) *C.char { return C.CString(s) }
