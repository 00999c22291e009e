package usdc

import (
	"context"
	"fmt"

	"cutaway/decoders/read"
	"cutaway/model"
)

// bootstrapSize is the length of the bootstrap (chapter 3), before which nothing else may stand.
const bootstrapSize = 88

// newestMinor is the highest minor version whose bytes are known.
const newestMinor = 15

// support says what of a file's version is known.
type support uint8

const (
	supported support = iota
	withdrawn         // 0.3.x: a layout that no reader has
	tooNew            // the table of contents is read, the rest is not
	foreign           // another major version, of which nothing is known
	cutShort          // the version itself is missing
)

func (v version) support() support {
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

// readBootstrap decodes the first 88 bytes and sets the version.
func (c *crate) readBootstrap(ctx context.Context) (node model.Node, tocAt int64) {
	r := read.New(ctx, c.src, 0, bootstrapSize, "usdc.bootstrap.truncated")
	text := r.Text("magic", int64(len(magic)), "the letters PXR-USDC")
	r.Check(text == magic, "usdc.bootstrap.magic", magic, fmt.Sprintf("%q", text), "this is no crate: the magic is missing")
	r.Group("version", "version", "the layout of everything behind depends on it", func() {
		c.ver.major = r.U8("major", "0 in all files")
		c.ver.minor = r.U8("minor", "decides the layout")
		c.ver.patch = r.U8("patch", "ignored by readers")
	})
	c.support = cutShort
	if r.Ok() {
		c.support = c.ver.support()
		r.Field().Brief = c.ver.String()
		if p, bad := c.ver.refusal(); bad {
			r.Problem(p)
		}
	}
	r.Pad("unused", 5, "zero, or stale memory in old files")
	tocAt = r.I64("tocOffset", "where the table of contents begins")
	r.Field().Refs = func(context.Context) []model.Ref {
		if !c.toc.known {
			return nil
		}
		return []model.Ref{{Kind: "toc", Path: c.layout + "/toc"}}
	}
	if r.Ok() && !c.checkTOCOffset(r, tocAt) {
		r.Field().Refs = nil
		tocAt = 0
	}
	r.Pad("reserved", 64, "eight i64; zero, or stale memory in old files")
	node = r.Node("bootstrap", "Bootstrap", "the first 88 bytes: what the file is and where its table of contents stands")
	if !r.Ok() {
		return node, 0
	}
	return node, tocAt
}

// refusal is the problem of a version that cannot be decoded.
func (v version) refusal() (model.Problem, bool) {
	var message string
	switch v.support() {
	case foreign:
		message = fmt.Sprintf("version %s is not supported: of major versions other than 0 nothing is known", v)
	case withdrawn:
		message = fmt.Sprintf("version %s is not supported: 0.3 was withdrawn and no reader decodes it; its sections are shown as bytes", v)
	case tooNew:
		message = fmt.Sprintf("version %s is not supported: the newest known is 0.%d; sections are shown as bytes", v, newestMinor)
	default:
		return model.Problem{}, false
	}
	return model.Problem{Rule: "usdc.bootstrap.version", Kind: model.Malformed, Message: message}.
		Want(fmt.Sprintf("0.0.1 to 0.%d, without 0.3", newestMinor), v), true
}

func (c *crate) checkTOCOffset(r *read.Cursor, tocAt int64) bool {
	const rule = "usdc.bootstrap.toc-offset"
	want := fmt.Sprintf("%d or more, inside the file", bootstrapSize)
	if tocAt >= c.size {
		r.Problem(model.Problemf(model.Truncated, rule, model.Span{},
			"the table of contents begins at %d, but the file has %d bytes", tocAt, c.size).Want(want, tocAt))
		return false
	}
	return r.Check(tocAt >= bootstrapSize, rule, want, tocAt, "the table of contents cannot begin inside the bootstrap or before the file")
}

// versionText is the version for people; "?" for a file cut before it.
func (c *crate) versionText() string {
	if c.support == cutShort {
		return "?"
	}
	return c.ver.String()
}
