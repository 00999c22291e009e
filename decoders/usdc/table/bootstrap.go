package table

import (
	"context"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// bootstrapSize is the length of the bootstrap (chapter 3), before which nothing else may be.
const bootstrapSize = 88

// newestMinor is the highest minor version whose bytes are known.
const newestMinor = 16

// Support says what of a file's version is known.
type Support uint8

// The kinds of support.
const (
	Supported Support = iota // the whole file is read
	Withdrawn                // 0.3.x, and no reading fits; no reader opens it
	TooNew                   // the table of contents is read, the rest is not
	Foreign                  // another major version, whose layout is not known
	CutShort                 // the version itself is missing
)

func (v CrateVersion) support() Support {
	switch {
	case v.Major != 0:
		return Foreign
	case v.Minor == 3:
		return Withdrawn
	case v.Minor > newestMinor:
		return TooNew
	}
	return Supported
}

// readBootstrap decodes the bootstrap and sets the version.
func (c *Crate) readBootstrap(ctx context.Context) (node model.Node, tocAt int64) {
	session := &grammar.Session{Truncated: "usdc.bootstrap.truncated", Env: c}
	pass := grammar.NewReading(ctx, bootstrapSize)
	o := c.bootstrap(pass, session, bootstrapSize)
	scope := o.Scope(pass)
	c.Support = CutShort
	if v, err := scope.Named("version"); err == nil && v.Object().OK() {
		part := func(name string) uint8 { return uint8(scope.In(v.Object()).Number(name)) }
		c.ver = CrateVersion{part("major"), part("minor"), part("patch")}
		c.Support = c.ver.support()
	}
	if tocAt = scope.Number("tocOffset"); !o.OK() || tocAt < bootstrapSize || tocAt >= c.Size {
		tocAt = 0
	}
	return o.Node(ctx, "bootstrap"), tocAt
}

// bootstrap reads the bootstrap, which ends somewhere in its reserved bytes or after them.
func (c *Crate) bootstrap(pass *grammar.Reading, session *grammar.Session, end int64) *grammar.Object {
	in := grammar.Stream{Source: c.Src, End: min(end, c.Size)}
	pass.Window(c.Src, 0, in.End) // what cannot be read is a problem of the fields
	return c.plan.Record("Bootstrap").Read(pass, session, in, 0, grammar.IntValue(end), grammar.IntValue(c.Size))
}

// showVersion shows the version in a word.
func showVersion(s grammar.Scope, _ grammar.Value, n *model.Node) { n.Brief = CrateOf(s).ver.String() }

// tocRefs leads to the table of contents.
func tocRefs(_ context.Context, doc any, _ int64, kind string) []model.Ref {
	c := doc.(*Crate)
	if !c.Contents.Known {
		return nil
	}
	return []model.Ref{{Kind: kind, Path: c.Layout + "/toc"}}
}

// refusal returns the problem of a version that cannot be decoded, or that no reader opens.
func refusal(s grammar.Scope, _ grammar.Value) (model.Problem, bool) {
	var message string
	c := CrateOf(s)
	v := c.ver
	switch v.support() {
	case Foreign:
		message = fmt.Sprintf("version %s is not supported: of major versions other than 0 nothing is known", v)
	case Withdrawn:
		reading := "neither of its two readings fits, so that its sections are shown as bytes"
		switch {
		case c.oneCount && c.Support == Supported:
			reading = "it is shown as compressed sections with one count in PATHS, which fits"
		case c.Support == Supported:
			reading = "it is shown as the uncompressed sections of 0.2, which fits"
		}
		message = fmt.Sprintf("version %s was withdrawn, and no reader opens it; %s", v, reading)
	case TooNew:
		message = fmt.Sprintf("version %s is not supported: the newest known is 0.%d; sections are shown as bytes", v, newestMinor)
	default:
		return model.Problem{}, false
	}
	return model.Problem{Message: message}.Want(fmt.Sprintf("0.0.1 to 0.%d, without 0.3", newestMinor), v), true
}

// VersionText returns the version, or "?" if the file is cut before.
func (c *Crate) VersionText() string {
	if c.Support == CutShort {
		return "?"
	}
	return c.ver.String()
}
