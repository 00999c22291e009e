//go:build cgo && linux && !ci && !headless

package native

// #cgo pkg-config: gtk+-3.0
// #cgo LDFLAGS: -lX11
// #include <X11/Xlib.h>
// #include <gtk/gtk.h>
// #include <gdk/gdkx.h>
//
// static char *title, *folder;
// static guintptr above;
// static gboolean lastIsAll;
//
// // realized is called for each widget that gets a window of its own, until that is the dialog.
// static gboolean realized(GSignalInvocationHint *hint, guint n, const GValue *values, gpointer data) {
// 	GObject *widget = g_value_get_object(values);
// 	if (!GTK_IS_FILE_CHOOSER_DIALOG(widget))
// 		return TRUE;
// 	GdkWindow *own = gtk_widget_get_window(GTK_WIDGET(widget));
// 	gtk_window_set_title(GTK_WINDOW(widget), title);
// 	if (folder)
// 		gtk_file_chooser_set_current_folder(GTK_FILE_CHOOSER(widget), folder);
// 	if (above && GDK_IS_X11_WINDOW(own))
// 		XSetTransientForHint(GDK_WINDOW_XDISPLAY(own), GDK_WINDOW_XID(own), (Window)above);
// 	GSList *filters = gtk_file_chooser_list_filters(GTK_FILE_CHOOSER(widget)), *last = g_slist_last(filters);
// 	if (last && lastIsAll)
// 		gtk_file_filter_add_pattern(last->data, "*");
// 	g_slist_free(filters);
// 	return FALSE;
// }
//
// static void watch(char *words, char *dir, guintptr window, gboolean all) {
// 	title = words;
// 	folder = dir;
// 	above = window;
// 	lastIsAll = all;
// 	g_type_class_ref(GTK_TYPE_WIDGET);
// 	g_signal_add_emission_hook(g_signal_lookup("realize", GTK_TYPE_WIDGET), 0, realized, NULL, NULL);
// }
import "C"

import "cutaway/ui/sysdialog/question"

// prepare sets the properties of the dialog that the library cannot: its title, the window below it, and the first
// folder of a dialog for folders. If the last kind is all files, it also lists files without an ending.
func prepare(q question.Question) {
	var all C.gboolean
	if n := len(q.Kinds); n > 0 && len(q.Kinds[n-1].Endings) == 0 {
		all = C.TRUE
	}
	var folder *C.char
	if q.What == question.Folder && q.Dir != "" {
		folder = C.CString(q.Dir)
	}
	C.watch(C.CString(q.Title), folder, C.guintptr(q.Above), all) // the process ends with its answer: nothing is freed
}
