package opening

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"

	"cutaway/source/far"
	"cutaway/ui/disk"
)

// Dropped calls then with the names and addresses that were dropped on the window.
func Dropped(post func(func()), uris []fyne.URI, then func(names []string)) {
	var paths []string
	for _, u := range uris {
		if address := addressOf(u); address != "" {
			paths = append(paths, far.Keep(address))
			continue
		}
		paths = append(paths, u.Path())
	}
	disk.Ask(post, func() []string { return undropped(paths) }, then)
}

// undropped returns the names of dropped files, which may come percent-encoded. It asks the file system which names
// are.
func undropped(paths []string) (names []string) {
	for _, path := range paths {
		if plain, err := url.PathUnescape(path); err == nil && !far.IsAddress(path) && StampOf(path) == (Stamp{}) {
			path = plain
		}
		if !far.IsAddress(path) {
			path = filepath.FromSlash(path)
		}
		names = append(names, path)
	}
	return names
}

// addressOf returns the address of a dropped link, or "" for a file. The driver takes every name for one of a file: it decodes
// what is percent-encoded, and puts the working folder before what does not begin with a slash, where "//" is "/" then.
func addressOf(u fyne.URI) string {
	if far.IsAddress(u.String()) {
		return u.String()
	}
	folder, err := os.Getwd()
	name, within := strings.CutPrefix(filepath.ToSlash(u.Path()), filepath.ToSlash(folder)+"/")
	scheme, rest, ok := strings.Cut(name, ":/")
	if address := scheme + "://" + rest; err == nil && within && ok && far.IsAddress(address) {
		before, query, _ := strings.Cut(strings.ReplaceAll(address, " ", "%20"), "?")
		if query != "" { // in a query + is a space
			before += "?" + strings.ReplaceAll(query, "+", "%2B")
		}
		return before
	}
	return ""
}
