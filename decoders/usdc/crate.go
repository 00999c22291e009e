// Package usdc decodes OpenUSD crate files (.usdc and binary .usd), versions 0.0.1 to 0.16.0.
//
// records.go describes a file's records, as the specification does; the other files follow its chapters: bootstrap.go (3),
// toc.go (4), compress.go and integers.go (5), tokens.go, strings.go, fields.go, fieldsets.go, specs.go (6),
// pathsold.go and paths.go (7), rep.go and types.go (8, 9), those of values (10 to 13). layout.go, scene.go and
// pathtree.go make the views.
package usdc

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/model"
	"cutaway/source"
)

// none is the index that stands for "no token, string, path or field"; field sets end with it.
const none = 0xFFFFFFFF

// errNone is returned by accessors for the index none: it names nothing, and nothing is wrong.
var errNone = errors.New("none")

// version is the crate version of a file; versions compare as tuples.
type version struct{ major, minor, patch uint8 }

func (v version) String() string { return fmt.Sprintf("%d.%d.%d", v.major, v.minor, v.patch) }

// crate is one opened file. Its tables are loaded when they are first asked for and kept.
type crate struct {
	src             *model.Source
	layout          string // path of the layout's root: src.LayoutPath()
	size            int64  // of src, in bytes
	ver             version
	plan            *lang.Plan // the descriptions for ver and oneCount
	support         versionSupport
	oneCount        bool // of 0.3, where that reading fits: sections are compressed, and PATHS has one count
	toc             contents
	bootstrapEnd    int64          // where its bytes end: before a section in the reserved ones
	root            model.Children // of the layout
	regions         []region       // of value data, in the order of the file
	scene, pathTree *model.Lazy
	derived         source.Derived
	stream          grammar.Stream   // all of src
	session         *grammar.Session // that values are read in

	tokenTable    model.Once[tokens]
	stringTable   model.Once[stringTable]
	fieldTable    model.Once[fieldTable]
	fieldSetTable model.Once[fieldSets]
	pathTable     model.Once[pathTable]
	orderOfPaths  model.Once[string] // of those below the same one
	specTable     model.Once[specTable]

	values     values
	sceneTable model.Once[scene]
	hashTable  model.Once[itemHashes]
	links      links
}

// before reports whether the file's version is lower than 0.minor.patch.
func (c *crate) before(minor, patch uint8) bool {
	v := c.ver
	return v.major == 0 && (v.minor < minor || v.minor == minor && v.patch < patch)
}

// inflated reports whether the structural sections are compressed: from 0.4.0 on, and in a reading of 0.3.
func (c *crate) inflated() bool { return c.oneCount || !c.before(4, 0) }

// versionNumber returns the version as expressions have it.
func (c *crate) versionNumber() int64 { return lang.Version(c.ver.major, c.ver.minor, c.ver.patch) }

// codedNumber returns 1 if the structural sections are compressed.
func (c *crate) codedNumber() int64 { return truth(c.inflated()) }

// oneCountNumber returns 1 if PATHS has one count.
func (c *crate) oneCountNumber() int64 { return truth(c.oneCount) }

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// token is the text of token i. Its errors are errNone and Problems without a span.
func (c *crate) token(ctx context.Context, i uint32) (string, error) {
	if i == none {
		return "", errNone
	}
	t, err := c.tokens(ctx, nil)
	if err != nil {
		return "", err
	}
	return t.text(ctx, i)
}

// str is the text of string i, which is a token found through the string table; errors as those of token.
func (c *crate) str(ctx context.Context, i uint32) (string, error) {
	if i == none {
		return "", errNone
	}
	s, err := c.strings(ctx, nil)
	if err != nil {
		return "", err
	}
	token, err := s.token(i)
	if err != nil {
		return "", err
	}
	return c.token(ctx, token)
}

// path is the text of path i; "" for the empty path, which has a place in the table but no item. Errors as those
// of token.
func (c *crate) path(ctx context.Context, i uint32) (string, error) {
	if i == none {
		return "", errNone
	}
	p, err := c.paths(ctx, nil)
	if err != nil {
		return "", err
	}
	return p.text(ctx, i)
}

// outOfRange is the problem of an index that its table does not have; what is "token", "string", "path", "field"
// or "field-set". The caller adds the place with problemAt.
func outOfRange(what string, i uint32, n int64) model.Problem {
	return model.Problemf(model.Malformed, "usdc.index."+what+outOfRangeRule, model.Span{},
		"%s index %d is outside its table", what, i).Want(fmt.Sprintf("below %d", n), i)
}

// missing returns the problem of an index whose entry is lost because its table is damaged. It is a note: the damage is
// reported at its own place.
func missing(what string, i uint32) model.Problem {
	return model.Problemf(model.Assumed, "usdc.index."+what+missingRule, model.Span{}, "%s %d is lost, since its table is damaged: the table has a problem of its own", what, i)
}

const (
	missingRule    = "-missing"
	outOfRangeRule = "-out-of-range"
)

// isConsequence reports whether a problem only follows from damage that is reported at its own place.
func isConsequence(p model.Problem) bool { return strings.HasSuffix(p.Rule, missingRule) }

// tokenRef leads to token i in the layout.
func (c *crate) tokenRef(i uint32) model.Ref {
	return c.links.tokens.Ref("token", int64(i))
}

// stringRef leads to entry i of the string table.
func (c *crate) stringRef(i uint32) model.Ref {
	return c.links.strings.Ref("string", int64(i))
}

// fieldRef leads to field i: to its record below 0.4.0, else to its value rep.
func (c *crate) fieldRef(i uint32) model.Ref {
	return c.links.fields.Ref("field", int64(i))
}

// specRef leads to spec i: to its record below 0.4.0, else to its path index.
func (c *crate) specRef(i uint32) model.Ref {
	return c.links.specs.Ref("spec", int64(i))
}

// valueKind is the kind of the ref from a rep to its value.
const valueKind = "value"

// valueRef leads to the value whose data begins at off: to its node in the region of value data that holds it, or, of
// a damaged rep, to the byte alone, where something else is.
func (c *crate) valueRef(off int64) model.Ref {
	if c.regionAt(off) == nil {
		return model.Ref{Kind: valueKind, Span: c.src.Span(off, 1)}
	}
	return model.Ref{Kind: valueKind, Path: c.valuePath(off)}
}

// valuePath is the path of the value whose data begins at off. The nodes of a region are named by valueName.
func (c *crate) valuePath(off int64) string {
	return c.layout + "/" + c.regionName(off) + "/" + valueName(off)
}

// valueName is the name of the layout node of the value whose data begins at off.
func valueName(off int64) string { return fmt.Sprintf("%#x", off) }
