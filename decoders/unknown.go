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

// looksLike returns the MIME type and extension of a file by its first bytes, "application/zip (.zip)", or "" if
// unknown.
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

// kindOf returns the result of looksLike in words: "PNG image".
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

// withArticle returns a noun with its indefinite article. Abbreviations are pronounced letter by letter.
func withArticle(noun string) string {
	word, _, _ := strings.Cut(noun, " ")
	spelt := word == strings.ToUpper(word) && strings.ContainsAny(word[:1], "FHLMNRSX")
	if spelt || strings.ContainsAny(noun[:1], "AEIOaeio") {
		return "an " + noun
	}
	return "a " + noun
}

// An Inside is a file of a known format that begins within other bytes.
type Inside struct {
	Off    int64 // in bytes
	Format *model.Format
	Why    string // the format's reason
}

// scanned is the number of bytes of a block.
const scanned = 1 << 20

// longestMagic is greater than the offset of any end of a magic.
const longestMagic = 128

// Embedded finds files of known formats that begin in src after its first byte. Their magics are found, and confirmed
// by their formats' detection. It reads all of src in blocks and calls found, roughly in the order of offsets, until it
// returns false.
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

// places returns the files whose magics are in the block at off, by offset.
func places(block []byte, off int64, wanted []placed) []placed {
	var all []placed
	for _, m := range wanted {
		for from := 0; ; {
			k := bytes.Index(block[from:], []byte(m.magic.Text))
			if k < 0 || from+k >= scanned { // the next block begins with the magic
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

// beginsAt returns the file that begins at the magic, or nil if detection refuses it.
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

// A placed is a format's magic and the offset at which its file would begin.
type placed struct {
	format *model.Format
	magic  model.Magic
	off    int64
}

// leastMagic is the length in bytes of the shortest magic that is searched for. Shorter ones are found anywhere.
const leastMagic = 4

// magics returns the magics of all formats that are long enough.
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

// String returns a sentence for people.
func (in Inside) String() string {
	return fmt.Sprintf("%s begins at %#x", withArticle(in.Format.Title), in.Off)
}

// Entropy returns the entropy of a source in bits a byte: 0 if all bytes are equal, 8 if they could be random.
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
