package decoders

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"cutaway/decoders/guard"
	"cutaway/model"
)

// looksLike says by its first bytes what a file of none of our formats is, as a MIME type and an ending: "application/zip (.zip)"; ""
// where no signature is known.
func looksLike(head []byte) string {
	is := mimetype.Detect(head)
	if len(head) == 0 || is.Is("application/octet-stream") {
		return ""
	}
	if is.Extension() == "" {
		return is.String()
	}
	return fmt.Sprintf("%s (%s)", is.String(), is.Extension())
}

// kindOf is in words what looksLike has found: "PNG image".
func kindOf(looks string) string {
	mime, ending, _ := strings.Cut(strings.TrimSuffix(looks, ")"), " (.")
	mime, _, _ = strings.Cut(mime, ";")
	family, kind, _ := strings.Cut(mime, "/")
	if known := map[string]string{"application/x-elf": "ELF file", "application/x-object": "ELF object file",
		"application/x-executable": "ELF executable", "application/x-sharedlib": "ELF executable or shared library", "application/x-coredump": "ELF core dump",
		"application/vnd.microsoft.portable-executable": "Windows executable", "application/x-mach-binary": "Mach-O executable",
		"application/pdf": "PDF document", "application/vnd.sqlite3": "SQLite database", "application/x-java-applet": "Java class",
		"application/wasm": "WebAssembly module", "application/x-tar": "tar archive", "application/x-7z-compressed": "7-Zip archive",
		"application/vnd.rar": "Rar archive"}[mime]; known != "" {
		return known
	}
	noun := map[string]string{"image": "image", "audio": "sound", "video": "video", "font": "font", "text": "text", "model": "model"}[family]
	return strings.ToUpper(cmp.Or(ending, kind)) + " " + cmp.Or(noun, "file")
}

// withArticle is a noun with the article that its beginning takes, letters that are spelt as they are spoken.
func withArticle(noun string) string {
	word, _, _ := strings.Cut(noun, " ")
	spelt := word == strings.ToUpper(word) && strings.ContainsAny(word[:1], "FHLMNRSX")
	if spelt || strings.ContainsAny(noun[:1], "AEIOaeio") {
		return "an " + noun
	}
	return "a " + noun
}

// Inside is where a file of one of our formats begins within other bytes.
type Inside struct {
	Off    int64 // in bytes
	Format *model.Format
	Why    string // the format's reason
}

// scanned is how many bytes are looked at at once.
const scanned = 1 << 20

// longestMagic is more than the bytes from the beginning of a file to the end of its magic.
const longestMagic = 128

// Embedded finds where files of our formats begin within a source, but for its beginning: places of their magics that the
// formats' own detection takes. It reads all of the source, in blocks, and hands on what it finds in the order of the
// offsets, more or less, until found returns false.
func Embedded(ctx context.Context, src *model.Source, progress model.Progress, found func(Inside) bool) error {
	size, wanted := src.Size(), magics()
	for off := int64(0); off < size; off += scanned {
		block, err := src.Bytes(ctx, off, min(scanned+longestMagic, size-off))
		if err != nil {
			return err
		}
		for _, at := range places(block, off, wanted) {
			if in := beginsAt(ctx, src, at); in != nil && !found(*in) {
				return nil
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		progress.Report(min(off+scanned, size), size, "bytes")
	}
	return nil
}

// places are where files could begin whose magics are in a block, which is at off, each once and in order.
func places(block []byte, off int64, wanted []placed) []placed {
	var all []placed
	for _, m := range wanted {
		for from := 0; ; {
			k := bytes.Index(block[from:], []byte(m.magic.Text))
			if k < 0 || from+k >= scanned { // the next block begins with it
				break
			}
			if m.off = off + int64(from+k-m.magic.Offset); m.off > 0 {
				all = append(all, m)
			}
			from += k + 1
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.off, b.off) })
	return all
}

// beginsAt is the file that begins where its magic says; nil: none does.
func beginsAt(ctx context.Context, src *model.Source, at placed) *Inside {
	rest := model.NewFileSource("", model.NewWindow(src, at.off, src.Size()-at.off))
	probe, err := NewProbe(ctx, rest, "")
	if err != nil {
		return nil
	}
	for m := at.magic.And; m != nil; m = m.And {
		if m.Offset > len(probe.Head) || !strings.HasPrefix(string(probe.Head[m.Offset:]), m.Text) {
			return nil
		}
	}
	if d := guard.Detect(ctx, at.format, probe); d.Confidence >= model.Guess {
		return &Inside{at.off, at.format, d.Reason}
	}
	return nil
}

// placed is a format's magic, and where a file would begin for it.
type placed struct {
	format *model.Format
	magic  model.Magic
	off    int64
}

// leastMagic is the length of a magic that is looked for, in bytes: less is found anywhere.
const leastMagic = 4

// magics are those of all formats that are long enough.
func magics() []placed {
	var all []placed
	for _, f := range All() {
		for _, t := range f.Types {
			for _, m := range t.Magic {
				if len(m.Text) >= leastMagic {
					all = append(all, placed{format: f, magic: m})
				}
			}
		}
	}
	return all
}

// String says it in a line, for people.
func (in Inside) String() string {
	return fmt.Sprintf("%s begins at %#x", withArticle(in.Format.Title), in.Off)
}

// Entropy is that of the bytes of a source, in bits a byte: 0 where all are equal, 8 where they could be random.
func Entropy(ctx context.Context, src *model.Source, progress model.Progress) (float64, error) {
	var counts [256]int64
	size := src.Size()
	for off := int64(0); off < size; off += scanned {
		block, err := src.Bytes(ctx, off, min(scanned, size-off))
		if err != nil {
			return 0, err
		}
		for _, b := range block {
			counts[b]++
		}
		progress.Report(off, size, "bytes")
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(size)
			sum -= p * math.Log2(p)
		}
	}
	return sum, nil
}
