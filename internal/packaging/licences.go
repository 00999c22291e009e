package packaging

import (
	"debug/buildinfo"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"unicode"
)

// licenceFile matches the names of files with the terms of a module, or of a part such as a font.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|ofl|unlicense)([-_.].*)?$|[-_.]licen[cs]e([-_.].*)?$`)

// Licences gathers the terms of Go and of all modules that are linked into programs, from the folder of Go and the
// module cache. A module without any is an error.
func Licences(programs []string, goRoot, modCache string) (string, error) {
	var goVersion string
	var modules []*debug.Module
	for _, program := range programs {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return "", err
		}
		goVersion = info.GoVersion
		for _, m := range info.Deps {
			if !slices.ContainsFunc(modules, func(known *debug.Module) bool { return known.Path == m.Path }) {
				modules = append(modules, m)
			}
		}
	}
	slices.SortFunc(modules, func(a, b *debug.Module) int { return strings.Compare(a.Path, b.Path) })
	var b strings.Builder
	fmt.Fprintf(&b, "%s is built with %s and these modules, under the terms below:\n\n", Name, goVersion)
	for _, m := range modules {
		fmt.Fprintf(&b, "    %s %s\n", m.Path, m.Version)
	}
	if err := appendTerms(&b, "Go, "+goVersion, goRoot, false); err != nil {
		return "", err
	}
	for _, m := range modules {
		if m.Replace != nil {
			m = m.Replace
		}
		folder := filepath.Join(modCache, escapedModule(m.Path)+"@"+escapedModule(m.Version))
		if err := appendTerms(&b, m.Path+" "+m.Version, folder, true); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// appendTerms appends all terms in a folder, and with deep in those below it.
func appendTerms(b *strings.Builder, title, folder string, deep bool) error {
	seen := make(map[string]bool)
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != folder && (!deep || d.Name() == "testdata"):
			return fs.SkipDir
		case !d.Type().IsRegular() || !licenceFile.MatchString(d.Name()) || strings.HasSuffix(d.Name(), ".go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || seen[string(text)] {
			return err
		}
		seen[string(text)] = true
		rel, err := filepath.Rel(folder, path)
		fmt.Fprintf(b, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 100), title, filepath.ToSlash(rel), strings.TrimSpace(string(text)))
		return err
	})
	if err == nil && len(seen) == 0 {
		err = fmt.Errorf("%s: no licence in %s", title, folder)
	}
	return err
}

// escapedModule writes a module's path or version as the module cache does: "!a" for "A".
func escapedModule(s string) string {
	var b strings.Builder
	for _, c := range s {
		if unicode.IsUpper(c) {
			b.WriteByte('!')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
