// Command packaging writes the files of a package that are made from the formats, the command line and the program:
// below linux what goes into a prefix, below macos and windows what their packages need.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cutaway/assets"
	"cutaway/cli"
	"cutaway/internal/packaging"
)

func main() {
	out := flag.String("o", "build/packaging", "folder to write")
	version := flag.String("version", "", "of the program")
	date := flag.String("date", "", "of the release, year-month-day")
	var programs []string
	flag.Func("program", "gather the licences of the modules in this program; may be repeated", func(name string) error {
		programs = append(programs, name)
		return nil
	})
	goRoot := flag.String("goroot", "", "Go's folder, for its licence")
	modCache := flag.String("modcache", "", "the module cache, for licences")
	flag.Parse()
	if *version == "" || *date == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	w := &writer{folder: *out}
	w.desktop(*version, *date)
	w.commandLine(*version, *date)
	w.others(*version)
	if programs != nil {
		text, err := packaging.Licences(programs, *goRoot, *modCache)
		w.failed(err)
		w.file("linux/share/doc/cutaway/THIRD-PARTY-LICENSES.txt", []byte(text))
	}
	if w.err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", w.err)
		os.Exit(1)
	}
}

// writer writes files until one fails.
type writer struct {
	folder string
	err    error
}

func (w *writer) failed(err error) { w.err = errors.Join(w.err, err) }

func (w *writer) file(name string, data []byte) {
	if w.err != nil {
		return
	}
	path := filepath.Join(w.folder, filepath.FromSlash(name))
	if w.err = os.MkdirAll(filepath.Dir(path), 0o755); w.err == nil {
		w.err = os.WriteFile(path, data, 0o644)
	}
}

// desktop writes what a Linux desktop reads.
func (w *writer) desktop(version, date string) {
	const share = "linux/share/"
	w.file(share+"mime/packages/"+packaging.ID+".xml", []byte(packaging.MIMEInfo()))
	w.file(share+"applications/"+packaging.ID+".desktop", []byte(packaging.DesktopEntry()))
	w.file("linux/mimeapps.list", []byte(packaging.Associations()))
	w.file(share+"metainfo/"+packaging.ID+".metainfo.xml", []byte(packaging.Metainfo(version, date)))
	w.file(share+"icons/hicolor/scalable/apps/"+packaging.ID+".svg", assets.Icon)
	for _, size := range packaging.IconSizes {
		picture, err := packaging.Icon(assets.Icon, size)
		w.failed(err)
		w.file(fmt.Sprintf("%sicons/hicolor/%dx%[2]d/apps/%s.png", share, size, packaging.ID), picture)
	}
}

// commandLine writes the manual page and the completions.
func (w *writer) commandLine(version, date string) {
	var page, packed bytes.Buffer
	w.failed(cli.Manual(&page, version, date))
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	w.failed(err)
	_, err = z.Write(page.Bytes())
	w.failed(errors.Join(err, z.Close()))
	w.file("linux/share/man/man1/cutaway.1.gz", packed.Bytes())
	for shell, place := range map[string]string{
		"bash": "bash-completion/completions/cutaway", "zsh": "zsh/site-functions/_cutaway", "fish": "fish/vendor_completions.d/cutaway.fish",
	} {
		var script, said bytes.Buffer
		if status := cli.Main(context.Background(), version, []string{"completion", shell}, &script, &said); status != cli.StatusSound {
			w.failed(fmt.Errorf("completion of %s: %s", shell, strings.TrimSpace(said.String())))
		}
		w.file("linux/share/"+place, script.Bytes())
	}
}

// others writes what the packages of other systems need.
func (w *writer) others(version string) {
	w.file("macos/documents.plist", []byte(packaging.DocumentTypes()))
	w.file("windows/cutaway.reg", []byte(packaging.RegistryFile(`C:\Program Files\Cutaway\cutaway.exe`)))
	w.file("windows/exe.json", []byte(packaging.Resources(version, "cutaway.exe", packaging.Name)))
	w.file("windows/com.json", []byte(packaging.Resources(version, "cutaway.com", packaging.Name+" on the command line")))
	pictures := make(map[int][]byte)
	for _, size := range packaging.WindowsIconSizes {
		picture, err := packaging.Icon(assets.Icon, size)
		w.failed(err)
		pictures[size] = picture
		w.file(fmt.Sprintf("windows/icon-%d.png", size), picture)
	}
	w.file("windows/cutaway.ico", packaging.ICO(pictures))
	var bytes int64
	for _, name := range []string{"cutaway.exe", "cutaway.com"} {
		if info, err := os.Stat(filepath.Join(w.folder, "windows", name)); err == nil {
			bytes += info.Size()
		}
	}
	w.file("windows/cutaway.nsi", []byte(packaging.Installer(version, bytes)))
}
