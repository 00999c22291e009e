package decoders

import (
	"bytes"
	"compress/bzip2"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cutaway/model"
	"cutaway/source"
)

// CauseMac is the cause of an AppleDouble file, where macOS stores metadata of another file on foreign disks.
const CauseMac = "appledouble"

// Ids of causes in JSON, in addition to those of the model.
const (
	causePage       = "page"
	causeZeros      = "zeros"
	causeCompressed = "compressed"
	causeCut        = "cut"
	causeConflict   = "conflict"
	causeEncoding   = "encoding"
	causeText       = "text"
	causeOther      = "other"
	causeUnknown    = "unknown"
)

// Broken returns the cause of a file that can have content of no format: it is empty, a pointer, zeros, or a page that
// a server sent instead. It returns nil for other files.
func Broken(head []byte, size int64, name string) *model.Cause {
	if size == 0 {
		return &model.Cause{ID: model.CauseEmpty, Text: "empty: the file has no bytes"}
	}
	if c := pointer(head); c != nil {
		return c
	}
	if c := zeros(head, size); c != nil {
		return c
	}
	if what, word := page(head); what != "" && isBinary(name) {
		return &model.Cause{ID: causePage, Text: what + word + " in place of the file", Hint: "fetch it again, perhaps after signing in"}
	}
	return nil
}

// CauseOf returns the cause why a file is of no known format. If the file is compressed, the cause names the one of
// formats that is inside.
func CauseOf(ctx context.Context, formats []*model.Format, head []byte, size int64, name string) model.Cause {
	if c := Broken(head, size, name); c != nil {
		return *c
	}
	for _, of := range []func() *model.Cause{
		func() *model.Cause { return compressed(ctx, formats, head) },
		func() *model.Cause { return cutMagic(formats, head, size, name) },
		func() *model.Cause { return conflicting(head) },
		func() *model.Cause { return encoded(head) },
		func() *model.Cause { return appleDouble(head) },
		func() *model.Cause { return another(head) },
	} {
		if c := of(); c != nil {
			return *c
		}
	}
	return model.Cause{ID: causeUnknown, Text: "not recognised: it begins as no format here does"}
}

// isPlain reports whether a file with this cause may be a damaged one of a format that detects it by name alone.
func isPlain(c *model.Cause) bool {
	return slices.Contains([]string{causeUnknown, causeCut, causeText, causeConflict}, c.ID)
}

// The first line of a pointer of any version of Git LFS; its size; the text that git-annex leaves for a file.
var (
	lfsVersion = regexp.MustCompile(`^version https?://(git-lfs\.github\.com/spec|hawser\.github\.com/spec|git-media\.io)/`)
	lfsSize    = regexp.MustCompile(`(?m)^size (\d{1,18})\s*$`)
	annexKey   = regexp.MustCompile(`^/?(?:\.\./)*(?:\.git/)?annex/objects/(?:\S*/)?[A-Z0-9_]+(?:-s(\d{1,18}))?(?:-\S*)?--\S`)
)

// pointer returns the cause of a file that stands for one that was not fetched, or nil.
func pointer(head []byte) *model.Cause {
	text := afterBlanks(head)
	what, hint, of := "", "", (*regexp.Regexp)(nil)
	switch {
	case lfsVersion.Match(text):
		what, hint, of = "a Git LFS pointer", "git lfs pull", lfsSize
	case annexKey.Match(text):
		what, hint, of = "a git-annex pointer", "git annex get", annexKey
	default:
		return nil
	}
	said := "bytes were"
	if m := of.FindSubmatch(text); m != nil && len(m[1]) > 0 {
		n, _ := strconv.ParseInt(string(m[1]), 10, 64) // at most 18 digits
		if said = model.GroupedCount(n, "byte") + " were"; n == 1 {
			said = "1 byte was"
		}
	}
	return &model.Cause{ID: model.CausePointer, Text: what + "; its " + said + " not fetched", Hint: hint}
}

// afterBlanks returns a text without byte order mark and leading blanks.
func afterBlanks(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n\f")
}

// zeros returns the cause of a file of zeros, such as an interrupted copy leaves, or nil.
func zeros(head []byte, size int64) *model.Cause {
	if len(head) == 0 || len(bytes.TrimLeft(head, "\x00")) > 0 {
		return nil
	}
	text := "only zeros: nothing was written into its " + model.GroupedCount(size, "byte")
	if int64(len(head)) < size {
		text = "zeros: its first " + model.GroupedCount(int64(len(head)), "byte") + " hold nothing else"
	}
	return &model.Cause{ID: causeZeros, Text: text, Hint: "copy or fetch it again"}
}

// Beginnings of pages, and patterns of the words that name their subject.
var (
	htmlStart = regexp.MustCompile(`(?i)^<(!doctype\s+html|html|head|body|title|meta|script|style|div|h1|p|center|iframe)\b`)
	xmlStart  = regexp.MustCompile(`^<(\?xml|!DOCTYPE|[A-Za-z_][\w.:-]*[\s/>])`)
	jsonStart = regexp.MustCompile(`^[{\[]\s*(["{\[\]}]|$)`)
	htmlWord  = regexp.MustCompile(`(?is)<(?:title|h[1-6]|body|center|p)\b[^>]*>\s*([^<\s][^<]*)`)
	xmlWord   = regexp.MustCompile(`<(?:Code|Message|message|title)>\s*([^<]+)`)
	jsonWord  = regexp.MustCompile(`"(?:message|error|detail|title|error_description)"\s*:\s*"((?:[^"\\]|\\.)+)"`)
)

// page returns the kind of a text that servers send instead of a file: HTML, XML or JSON, or "" for others. word is its
// subject in brackets, or "".
func page(head []byte) (what, word string) {
	text := afterBlanks(head)
	rest := afterComments(text)
	about := htmlWord
	switch {
	case htmlStart.Match(rest):
		what = "an HTML page"
	case xmlStart.Match(rest) && bytes.Contains(rest, []byte("</")) || bytes.HasPrefix(text, []byte("<?xml")):
		what, about = "an XML document", xmlWord
	case jsonStart.Match(rest):
		what, about = "a JSON document", jsonWord
	default:
		return "", ""
	}
	if m := about.FindSubmatch(text); m != nil {
		word = " (" + quoted(m[1]) + ")"
	}
	return what, word
}

// afterComments returns a page without the comments and declaration before its first element.
func afterComments(text []byte) []byte {
	for {
		end := ""
		switch {
		case bytes.HasPrefix(text, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(text, []byte("<?")):
			end = "?>"
		default:
			return text
		}
		i := bytes.Index(text, []byte(end))
		if i < 0 {
			return text
		}
		text = afterBlanks(text[i+len(end):])
	}
}

// quoted returns the first line of a text, shortened, in quotes.
func quoted(b []byte) string {
	const most = 60
	s := strings.Join(strings.Fields(strings.ToValidUTF8(string(b[:min(len(b), 16*most)]), "�")), " ")
	if r := []rune(s); len(r) > most {
		s = string(r[:most-1]) + "…"
	}
	return fmt.Sprintf("%q", s)
}

// binaryEndings are extensions of other binary files, such as the pictures and sounds that layers name.
var binaryEndings = strings.Fields(".png .jpg .jpeg .jxl .exr .hdr .tif .tiff .tga .bmp .gif .avif .heic .webp .tx .tex .dds .ktx .ktx2 .psd" +
	" .wav .mp3 .m4a .ogg .flac .mp4 .mov .vdb .nvdb .abc .fbx .glb .ttf .otf .zip .gz .zst")

// isBinary reports whether a file of that name cannot be a page.
func isBinary(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return slices.Contains(binaryEndings, ext) || Owner(name) != nil
}

// Owner returns the format that alone uses the extension of a file, or nil.
func Owner(name string) *model.Format { return ofExtension(name, (*model.Format).Owned) }

// Sharer returns the format that shares the extension of a file with other programs, or nil.
func Sharer(name string) *model.Format {
	if Owner(name) != nil {
		return nil
	}
	return ofExtension(name, (*model.Format).Extensions)
}

func ofExtension(name string, of func(*model.Format) []string) *model.Format {
	ext := strings.ToLower(path.Ext(name))
	for _, f := range All() {
		if slices.Contains(of(f), ext) {
			return f
		}
	}
	return nil
}

// A codec is a compression of whole files.
type codec struct {
	magic, name string
	unpack      string                                              // the command that decompresses a file
	inside      func(ctx context.Context, head []byte) (out []byte) // decompresses the head, or nil if that is not possible
}

var codecs = []codec{
	{"\x1f\x8b", "gzip", "gzip -dc FILE > NEW", inflateBy(source.CopyGzip)},
	{"\x28\xb5\x2f\xfd", "zstd", "zstd -dc FILE > NEW", inflateBy(source.CopyZstd)},
	{"\x04\x22\x4d\x18", "LZ4", "lz4 -dc FILE > NEW", inflateBy(source.CopyLZ4Frame)},
	{"BZh", "bzip2", "bzip2 -dc FILE > NEW", func(_ context.Context, head []byte) []byte {
		out, _ := io.ReadAll(io.LimitReader(bzip2.NewReader(bytes.NewReader(head)), model.ProbeSize)) // the head may end early
		return out
	}},
	{"\xfd7zXZ\x00", "xz", "xz -dc FILE > NEW", nil},
	{"PK\x03\x04", "zip", "unzip FILE", firstMember},
}

// inflateBy returns a function that decompresses the head of a file. It ignores the error that the head ends.
func inflateBy(copier source.Copier) func(ctx context.Context, head []byte) []byte {
	inflate := source.InMemory(copier)
	return func(ctx context.Context, head []byte) []byte {
		out, _ := inflate(ctx, head, -1, model.ProbeSize)
		return out
	}
}

// firstMember returns the head of the first member of a zip that is no folder, stored or deflated.
func firstMember(ctx context.Context, head []byte) []byte {
	const header, deflated = 30, 8
	for len(head) >= header && bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		name := header + int(binary.LittleEndian.Uint16(head[26:]))
		data := name + int(binary.LittleEndian.Uint16(head[28:]))
		method := binary.LittleEndian.Uint16(head[8:])
		switch {
		case data > len(head):
			return nil
		case bytes.HasSuffix(head[:name], []byte("/")):
			head = head[data:]
			continue
		case method == deflated:
			return inflateBy(source.CopyDeflate)(ctx, head[data:])
		case method == 0:
			return head[data:]
		}
		return nil
	}
	return nil
}

// compressed returns the cause of a compressed file, which names the format inside if known, or nil.
func compressed(ctx context.Context, formats []*model.Format, head []byte) *model.Cause {
	i := slices.IndexFunc(codecs, func(c codec) bool { return bytes.HasPrefix(head, []byte(c.magic)) })
	if i < 0 {
		return nil
	}
	c := codecs[i]
	cause := &model.Cause{ID: causeCompressed, Text: "compressed by " + c.name, Hint: "unpack it first, " + c.unpack}
	if c.inside == nil {
		return cause
	}
	out := c.inside(ctx, head)
	if len(out) == 0 {
		cause.Text += ", and what is inside cannot be read"
		return cause
	}
	probe, err := NewProbe(ctx, model.NewFileSource("", model.BytesReader(out)), "")
	if err != nil {
		return cause
	}
	if ranked := rank(ctx, formats, probe); len(ranked) > 0 && ranked[0].Fits() {
		cause.Text = ranked[0].Format.Title + " compressed by " + c.name
		return cause
	}
	cause.Text += ", and no format here takes what is inside"
	cause.Hint = ""
	return cause
}

// cutMagic returns the cause of a file that ends before or inside its magic, or nil.
func cutMagic(formats []*model.Format, head []byte, size int64, name string) *model.Cause {
	ext := strings.ToLower(path.Ext(name))
	for _, f := range formats {
		for _, t := range f.Types {
			for _, m := range t.Magic {
				if size >= int64(m.Offset+len(m.Text)) {
					continue
				}
				begun := head[min(m.Offset, len(head)):]
				const significant = 4 // bytes that are unlikely to be equal by chance
				if strings.HasPrefix(m.Text, string(begun)) && (slices.Contains(t.Extensions, ext) || len(begun) >= significant) {
					where := "inside"
					if len(begun) == 0 {
						where = "before"
					}
					return &model.Cause{ID: causeCut, Text: fmt.Sprintf("cut off after %s, %s the magic %s", model.GroupedCount(size, "byte"), where, m.Text),
						Hint: "copy or fetch it again"}
				}
			}
		}
	}
	return nil
}

// conflicting returns the cause of a text with a merge conflict, or nil.
func conflicting(head []byte) *model.Cause {
	if !bytes.HasPrefix(head, []byte("<<<<<<< ")) || !bytes.Contains(head, []byte("\n=======")) {
		return nil
	}
	return &model.Cause{ID: causeConflict, Text: "two versions with the marks of a merge conflict", Hint: "resolve it"}
}

// encoded returns the cause of a text in UTF-16 or UTF-32, or nil.
func encoded(head []byte) *model.Cause {
	for _, k := range []struct{ mark, name string }{{"\xff\xfe\x00\x00", "UTF-32"}, {"\x00\x00\xfe\xff", "UTF-32"}, {"\xff\xfe", "UTF-16"}, {"\xfe\xff", "UTF-16"}} {
		if bytes.HasPrefix(head, []byte(k.mark)) {
			return &model.Cause{ID: causeEncoding, Text: k.name + " text, which no format here is written in", Hint: "save it as UTF-8"}
		}
	}
	return nil
}

// appleDouble returns CauseMac if the file is AppleDouble, or nil.
func appleDouble(head []byte) *model.Cause {
	if !bytes.HasPrefix(head, []byte("\x00\x05\x16\x07")) {
		return nil
	}
	return &model.Cause{ID: CauseMac, Text: "an AppleDouble file, in which macOS keeps what is known of another file"}
}

// whichNone ends the text of a cause that is no damage.
const whichNone = ", which no format here reads"

// another returns the cause of a file of a known kind that no format here reads, or nil.
func another(head []byte) *model.Cause {
	kind, _ := page(head)
	looks := looksLike(head)
	switch {
	case kind != "":
	case looks == "":
		return nil
	case strings.HasPrefix(looks, "text/plain"):
		return &model.Cause{ID: causeText, Text: "text" + whichNone}
	default:
		kind = withArticle(kindOf(looks))
	}
	return &model.Cause{ID: causeOther, Text: kind + whichNone}
}
