package main

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// eachFile calls f with each Go file below a folder that is neither a test nor generated, by its name with slashes.
func eachFile(dir string, f func(name string, text []byte)) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name != dir && (strings.HasPrefix(base, ".") || base == "testdata" || base == "build" || base == "reflection") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err == nil {
			f(filepath.ToSlash(name), text)
		}
		return err
	})
}

var method = regexp.MustCompile(`(?m)^func \((?:\w+ )?\*?(\w+)(?:\[[^\]]*\])?\) `)

// Sizes holds the lines of packages and the methods of types, such as "decoders/usdc" and "decoders/usdc.crate".
type sizes struct{ lines, methods map[string]int }

func (s *sizes) add(name string, text []byte) {
	folder := path.Dir(name)
	s.lines[folder] += bytes.Count(text, []byte("\n"))
	for _, m := range method.FindAllSubmatch(text, -1) {
		s.methods[folder+"."+string(m[1])]++
	}
}
