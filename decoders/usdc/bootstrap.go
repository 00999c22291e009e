package usdc

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

// versionSupport says what of a file's version is known.
type versionSupport uint8

const (
	supported versionSupport = iota
	withdrawn                // 0.3.x, of which no reading fits; no reader opens it
	tooNew                   // the table of contents is read, the rest is not
	foreign                  // another major version, of which nothing is known
	cutShort                 // the version itself is missing
)

func (v version) support() versionSupport {
	switch {
	case v.major != 0:
		return foreign
	case v.minor == 3:
		return withdrawn
	case v.minor > newestMinor:
		return tooNew
	}
	return supported
}

// readBootstrap decodes the bootstrap and sets the version.
func (c *crate) readBootstrap(ctx context.Context) (node model.Node, tocAt int64) {
	session := &grammar.Session{Truncated: "usdc.bootstrap.truncated", Env: c}
	pass := grammar.NewReading(ctx, bootstrapSize)
	o := c.bootstrap(pass, session, bootstrapSize)
	scope := o.Scope(pass)
	c.support = cutShort
	if v, err := scope.Named("version"); err == nil && v.Object().OK() {
		part := func(name string) uint8 { return uint8(scope.In(v.Object()).Number(name)) }
		c.ver = version{part("major"), part("minor"), part("patch")}
		c.support = c.ver.support()
	}
	if tocAt = scope.Number("tocOffset"); !o.OK() || tocAt < bootstrapSize || tocAt >= c.size {
		tocAt = 0
	}
	return o.Node(ctx, "bootstrap"), tocAt
}

// bootstrap reads the bootstrap, which ends somewhere in its reserved bytes or after them.
func (c *crate) bootstrap(pass *grammar.Reading, session *grammar.Session, end int64) *grammar.Object {
	in := grammar.Stream{Source: c.src, End: min(end, c.size)}
	pass.Window(c.src, 0, in.End) // what cannot be read is a problem of the fields
	return c.plan.Record("Bootstrap").Read(pass, session, in, 0, grammar.IntValue(end), grammar.IntValue(c.size))
}

// showVersion shows the version in a word.
func showVersion(s grammar.Scope, _ grammar.Value, n *model.Node) { n.Brief = crateOf(s).ver.String() }

// tocRefs leads to the table of contents.
func tocRefs(_ context.Context, doc any, _ int64, kind string) []model.Ref {
	c := doc.(*crate)
	if !c.toc.known {
		return nil
	}
	return []model.Ref{{Kind: kind, Path: c.layout + "/toc"}}
}

// refusal returns the problem of a version that cannot be decoded, or that no reader opens.
func refusal(s grammar.Scope, _ grammar.Value) (model.Problem, bool) {
	var message string
	c := crateOf(s)
	v := c.ver
	switch v.support() {
	case foreign:
		message = fmt.Sprintf("version %s is not supported: of major versions other than 0 nothing is known", v)
	case withdrawn:
		reading := "neither of its two readings fits, so that its sections are shown as bytes"
		switch {
		case c.oneCount && c.support == supported:
			reading = "it is shown as compressed sections with one count in PATHS, which fits"
		case c.support == supported:
			reading = "it is shown as the uncompressed sections of 0.2, which fits"
		}
		message = fmt.Sprintf("version %s was withdrawn, and no reader opens it; %s", v, reading)
	case tooNew:
		message = fmt.Sprintf("version %s is not supported: the newest known is 0.%d; sections are shown as bytes", v, newestMinor)
	default:
		return model.Problem{}, false
	}
	return model.Problem{Message: message}.Want(fmt.Sprintf("0.0.1 to 0.%d, without 0.3", newestMinor), v), true
}

// versionText is the version for people; "?" for a file cut before it.
func (c *crate) versionText() string {
	if c.support == cutShort {
		return "?"
	}
	return c.ver.String()
}
