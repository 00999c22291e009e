package source

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"hash/crc32"

	"github.com/cespare/xxhash/v2"

	"cutaway/model"
)

// A Checksum is a named checksum.
type Checksum struct {
	Name  string // "SHA-256"
	Value string // hexadecimal digits, most significant first
}

// ChecksumNames returns the names of the checksums, in the order of Checksums.
func ChecksumNames() []string {
	var names []string
	for _, h := range newHashes() {
		names = append(names, h.name)
	}
	return names
}

type namedHash struct {
	name string
	hash.Hash
}

func newHashes() []namedHash {
	return []namedHash{
		{"CRC-32", crc32.NewIEEE()},
		{"CRC-32C", crc32.New(crc32.MakeTable(crc32.Castagnoli))},
		{"xxHash64", xxhash.New()},
		{"SHA-1", sha1.New()},
		{"SHA-256", sha256.New()},
	}
}

// checksumBlock is the number of bytes of a block.
const checksumBlock = 256 << 10

// Checksums returns all checksums of the joined bytes of spans, ignoring masks. It fails if bytes cannot be read, and
// when ctx ends.
func Checksums(ctx context.Context, spans []model.Span, progress model.Progress) ([]Checksum, error) {
	var done, total int64
	for _, s := range spans {
		total += s.Len
	}
	hashes := newHashes()
	buf := make([]byte, min(total, checksumBlock))
	for _, s := range spans {
		for at := s.Off; at < s.End(); {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			part := buf[:min(int64(len(buf)), s.End()-at)]
			if _, err := s.Source.ReadFull(ctx, part, at); err != nil {
				return nil, err
			}
			for _, h := range hashes {
				h.Write(part) // never fails
			}
			at += int64(len(part))
			done += int64(len(part))
			progress.Report(done, total, "bytes")
		}
	}
	sums := make([]Checksum, len(hashes))
	for i, h := range hashes {
		sums[i] = Checksum{h.name, hex.EncodeToString(h.Sum(nil))}
	}
	return sums, nil
}
