package usdc

import (
	"context"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// bootstrapSize is the length of the bootstrap (chapter 3), before which nothing else may be.
const bootstrapSize = 88

// reservedAt is where the bytes of the bootstrap begin that readers do not look at, so that some writers have other things there.
const reservedAt = 24

// newestMinor is the highest minor version whose bytes are known.
const newestMinor = 15

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

// bootstrap is the description of the first 88 bytes, versionBytes of the version in it. They are made by init, since what
// shows their fields uses the crate.
var bootstrap, versionBytes *grammar.Record

func init() {
	versionBytes = grammar.NewRecord("version",
		grammar.F("major", grammar.U8, "always 0"),
		grammar.F("minor", grammar.U8, "decides the layout"),
		grammar.F("patch", grammar.U8, "ignored by readers"))
	bootstrap = newBootstrap(bootstrapSize)
}

// newBootstrap is the description of a bootstrap that ends somewhere in its reserved bytes or after them.
func newBootstrap(end int64) *grammar.Record {
	quoted := func(_ grammar.Scope, v grammar.Value) string { return fmt.Sprintf("%q", v.String()) }
	rec := grammar.NewRecord("Bootstrap",
		grammar.F("magic", grammar.UTF8, "the letters PXR-USDC").Sized(grammar.Const(int64(len(magic)))).CheckBy(grammar.Check{
			Rule: "usdc.bootstrap.magic", OK: func(_ grammar.Scope, v grammar.Value) bool { return v.String() == magic },
			Expected: magic, Found: quoted, Message: "this is no crate: the magic is missing"}),
		grammar.F("version", versionBytes, "the layout of everything after depends on it").
			CheckBy(grammar.Check{Find: func(s grammar.Scope, _ grammar.Value) (model.Problem, bool) { return crateOf(s).refusal() }}).
			Shown(func(s grammar.Scope, _ grammar.Value, n *model.Node) { n.Brief = crateOf(s).ver.String() }),
		grammar.F("unused", grammar.Raw, "zero, or stale memory in old files").Sized(grammar.Const(5)).Pad(),
		grammar.F("tocOffset", grammar.I64, "where the table of contents begins").CheckBy(grammar.Check{Find: checkTOCOffset}).
			Shown(func(s grammar.Scope, _ grammar.Value, n *model.Node) {
				c := crateOf(s)
				n.Refs = func(context.Context) []model.Ref {
					if !c.toc.known {
						return nil
					}
					return []model.Ref{{Kind: "toc", Path: c.layout + "/toc"}}
				}
			}),
		grammar.F("reserved", grammar.Raw, "eight i64; zero, or stale memory in old files").
			Sized(grammar.Const(end-reservedAt)).Pad())
	rec.Help = "the first 88 bytes: what the file is and where its table of contents is"
	return rec
}

// readBootstrap decodes the bootstrap and sets the version.
func (c *crate) readBootstrap(ctx context.Context) (node model.Node, tocAt int64) {
	session := &grammar.Session{Truncated: "usdc.bootstrap.truncated", Env: c}
	pass := grammar.NewReading(ctx, bootstrapSize)
	o := bootstrap.Read(pass, session, grammar.Stream{Source: c.src, End: min(bootstrapSize, c.size)}, 0)
	scope := o.Scope(pass)
	c.support = cutShort
	if v, err := scope.Value(bootstrap.Field("version")); err == nil && v.Object().OK() {
		part := func(name string) uint8 { return uint8(scope.In(v.Object()).Int(versionBytes.Field(name))) }
		c.ver = version{part("major"), part("minor"), part("patch")}
		c.support = c.ver.support()
	}
	tocAt = scope.Int(bootstrap.Field("tocOffset"))
	if _, wrong := checkTOCOffset(scope, grammar.IntValue(tocAt)); wrong || !o.OK() {
		tocAt = 0
	}
	return o.Node(ctx, "bootstrap"), tocAt
}

// refusal is the problem of a version that cannot be decoded, or that no reader opens.
func (c *crate) refusal() (model.Problem, bool) {
	var message string
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
	return model.Problem{Rule: "usdc.bootstrap.version", Kind: model.Malformed, Message: message}.
		Want(fmt.Sprintf("0.0.1 to 0.%d, without 0.3", newestMinor), v), true
}

func checkTOCOffset(s grammar.Scope, v grammar.Value) (p model.Problem, wrong bool) {
	at, _ := v.Int()
	size := crateOf(s).size
	switch {
	case at >= size:
		p = model.Problemf(model.Truncated, "", model.Span{}, "the table of contents begins at %d, but the file has %d bytes", at, size)
	case at < bootstrapSize:
		p = model.Problemf(model.Malformed, "", model.Span{}, "the table of contents cannot begin inside the bootstrap or before the file")
	default:
		return p, false
	}
	p.Rule = "usdc.bootstrap.toc-offset"
	return p.Want(fmt.Sprintf("%d or more, inside the file", bootstrapSize), at), true
}

// versionText is the version for people; "?" for a file cut before it.
func (c *crate) versionText() string {
	if c.support == cutShort {
		return "?"
	}
	return c.ver.String()
}
