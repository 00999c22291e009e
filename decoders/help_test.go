package decoders

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"cutaway/model"
)

// chapters are places of pages that the user may not have.
var chapters = regexp.MustCompile(`(?i)\bchapter \d|\bsection \d+\.\d|§|\(\d+\.\d+\)`)

// badHelp says what is wrong with a help text.
func badHelp(help string) string {
	switch first, _ := utf8.DecodeRuneInString(help); {
	case help == "":
	case !unicode.IsLetter(first):
		return "begins with no letter"
	case chapters.MatchString(help):
		return "names a chapter"
	}
	return ""
}

// TestHelpInSource: help texts that are written in the formats begin with a letter and name no chapters.
func TestHelpInSource(t *testing.T) {
	texts := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			for _, e := range helpIn(n) {
				text, err := strconv.Unquote(e.Value)
				if err != nil {
					t.Error(err)
				}
				if texts++; badHelp(text) != "" {
					t.Errorf("%s: %q %s", set.Position(e.Pos()), text, badHelp(text))
				}
			}
			return true
		})
		return nil
	})
	if err != nil || texts < 600 {
		t.Errorf("%d texts, %v", texts, err)
	}
}

// helpIn are the texts that begin the help of a node, a rule or a field of a description.
func helpIn(n ast.Node) (list []*ast.BasicLit) {
	var of ast.Expr
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Help" {
			of = n.Value
		}
	case *ast.CallExpr:
		name, _ := n.Fun.(*ast.Ident) // in tables of records, which import lang with a dot
		if f, ok := n.Fun.(*ast.SelectorExpr); ok {
			name = f.Sel
		}
		if name != nil && name.Name == "F" && len(n.Args) == 3 {
			of = n.Args[2]
		}
	}
	for {
		sum, ok := of.(*ast.BinaryExpr)
		if !ok {
			break
		}
		of = sum.X
	}
	if text, ok := of.(*ast.BasicLit); ok && text.Kind == token.STRING && text.Value != `""` {
		list = append(list, text)
	}
	return list
}

// TestHelp: what the program says of a rule, an option or a node begins with a letter and names no chapters.
func TestHelp(t *testing.T) {
	for _, f := range All() {
		for _, r := range f.Rules {
			if bad := badHelp(r.Help); bad != "" || r.Help == "" {
				t.Errorf("rule %s: %q %s", r.ID, r.Help, bad)
			}
		}
	}
	told := map[string]bool{} // by format and text
	err := filepath.WalkDir("../testdata", func(path string, d fs.DirEntry, err error) error {
		const large = 256 << 10
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() > large {
			return err
		}
		doc, err := OpenFile(t.Context(), path, OpenOptions{})
		if err != nil {
			return nil // of no format
		}
		defer doc.Close()
		for _, v := range doc.Views {
			const enough = 1500
			seen := 0
			err := model.Walk(t.Context(), v.Place(t.Context()), model.WalkOptions{Resolve: true, Derived: true}, func(p *model.Place) error {
				if seen++; seen > enough {
					return errFound
				}
				help := p.Node.Help
				if key := doc.Format + help; help != "" && !told[key] {
					if told[key] = true; badHelp(help) != "" {
						t.Errorf("%s#%s: %q %s", path, p.Path(), help, badHelp(help))
					}
				}
				return nil
			})
			if err != nil && !errors.Is(err, errFound) {
				t.Errorf("%s: %v", path, err)
			}
		}
		return nil
	})
	if err != nil || len(told) < 1000 {
		t.Errorf("%d texts, %v", len(told), err)
	}
}

var errFound = errors.New("enough was seen")
