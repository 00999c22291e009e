package bench

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"cutaway/internal/crategen"
	"cutaway/internal/filegen"
	"cutaway/internal/vrsgen"
)

// needle is what bytes are searched for: it is at the end of the file.
const needle = "not in this file"

// inputs make the files that peers read, below the folder of the peers; n is a thousand for the page, less for an ordinary
// test. They are named by what holds for both.
var inputs = map[string]func(f *os.File, n int64) error{
	"arrays.usdc":  func(f *os.File, n int64) error { return crategen.Bulk(f, crategen.Arrays, n<<20) },
	"specs.usdc":   func(f *os.File, n int64) error { return crategen.Bulk(f, crategen.Specs, 2000*n) },
	"floats.bin":   writeFloats,
	"floats.ksy":   func(f *os.File, _ int64) error { _, err := f.WriteString(floatsKsy); return err },
	"scene.usdc":   writeScene,
	"changed.usdc": writeChanged,
	"changed-specs.usdc": func(f *os.File, n int64) error {
		return changeLast(f, crategen.Bulk(f, crategen.Specs, 2000*n), half, 2)
	},
	"changed-arrays.usdc": func(f *os.File, n int64) error {
		err := crategen.Bulk(f, crategen.Arrays, n<<20)
		return errors.Join(err, flip(f, n<<19))
	},
	"changed.vrs": func(f *os.File, n int64) error {
		return changeLast(f, vrsgen.Bulk{Records: 1000 * n, Index: true}.Write(f), warmth, 0)
	},
	"index.vrs":    func(f *os.File, n int64) error { return vrsgen.Bulk{Records: 1000 * n, Index: true}.Write(f) },
	"walk.vrs":     func(f *os.File, n int64) error { return vrsgen.Bulk{Records: 1000 * n}.Write(f) },
	"unequal.recs": func(f *os.File, n int64) error { return writeUnequal(f, n*20<<10) },
	"empty.recs":   func(f *os.File, _ int64) error { return writeUnequal(f, 0) },
	"unequal.ksy":  func(f *os.File, _ int64) error { _, err := f.WriteString(unequal); return err },
	"many.zip":     writeZip,
	"many.png":     writePNG,
	"big.bin":      writeBig,
}

// inputFile returns a file of inputs, made on first use.
func inputFile(tb testing.TB, folder, name string, n int64) string {
	tb.Helper()
	file := filepath.Join(folder, name)
	if _, err := os.Stat(file); err == nil {
		return file
	}
	if err := filegen.Whole(file, func(f *os.File) error { return inputs[name](f, n) }); err != nil {
		tb.Fatal(err)
	}
	return file
}

func writeScene(f *os.File, n int64) error { return crategen.Bulk(f, crategen.Specs, 200*n) }

// half is 0.5 as the value of a sample of a crate, warmth 20.5 as the temperature of a record.
var (
	half   = []byte{0, 0, 0, 0x3f, 0, 0, 9, 0x40}
	warmth = []byte{0, 0, 0, 0, 0, 0x80, 0x34, 0x40}
)

// writeChanged writes scene.usdc with one bit of the value of its last sample changed.
func writeChanged(f *os.File, n int64) error { return changeLast(f, writeScene(f, n), half, 2) }

// changeLast changes a bit of byte k of the last place of some bytes in the first 64 MiB of a file that was written.
func changeLast(f *os.File, err error, what []byte, k int64) error {
	if err != nil {
		return err
	}
	text := make([]byte, 64<<20)
	n, err := f.ReadAt(text, 0)
	if err != nil && err != io.EOF {
		return err
	}
	at := bytes.LastIndex(text[:n], what)
	if at < 0 {
		return fmt.Errorf("%s has no % x", f.Name(), what)
	}
	return flip(f, int64(at)+k)
}

// flip changes one bit of a byte of a file.
func flip(f *os.File, at int64) error {
	var b [1]byte
	if _, err := f.ReadAt(b[:], at); err != nil {
		return err
	}
	b[0] ^= 0x40
	_, err := f.WriteAt(b[:], at)
	return err
}

// floatsKsy describes a file of floats.
const floatsKsy = `meta: {id: floats, endian: le}
seq: [{id: floats, type: f4, repeat: eos}]
`

// writeFloats writes n MiB of floats around 0.
func writeFloats(f *os.File, n int64) error {
	random := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 1<<20)
	for range n {
		for at := 0; at < len(b); at += 4 {
			binary.LittleEndian.PutUint32(b[at:], math.Float32bits(float32(random.NormFloat64())))
		}
		if _, err := f.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// writeZip writes an archive of 3 n stored members.
func writeZip(f *os.File, n int64) error {
	z := zip.NewWriter(f)
	for i := range 3 * n {
		text := fmt.Appendf(nil, "text %d\n", i)
		size := uint64(len(text))
		w, err := z.CreateRaw(&zip.FileHeader{Name: fmt.Sprintf("folder %d/file %d.txt", i%100, i), CRC32: crc32.ChecksumIEEE(text),
			CompressedSize64: size, UncompressedSize64: size}) // all in the header: no data descriptor
		if err != nil {
			return err
		}
		_, _ = w.Write(text) // Close tells
	}
	return z.Close()
}

// writePNG writes a picture with 20 n texts.
func writePNG(f *os.File, n int64) error {
	w := bufio.NewWriter(f)
	chunk := func(kind, data string) {
		_ = binary.Write(w, binary.BigEndian, uint32(len(data))) // Flush tells
		_, _ = w.WriteString(kind + data)
		_ = binary.Write(w, binary.BigEndian, crc32.ChecksumIEEE([]byte(kind+data)))
	}
	_, _ = w.WriteString("\x89PNG\r\n\x1a\n")
	chunk("IHDR", "\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00")
	for i := range 20 * n {
		chunk("tEXt", fmt.Sprintf("Comment\x00text %d", i))
	}
	chunk("IDAT", "x\x01\x01\x02\x00\xfd\xff\x00\x00\x00\x02\x00\x01")
	chunk("IEND", "")
	return w.Flush()
}

// writeBig writes n MiB in which many words recur and the last one is the needle.
func writeBig(f *os.File, n int64) error {
	b := make([]byte, 1<<20)
	random := uint64(1)
	for i := range n {
		for at := 0; at < len(b); at += 16 {
			random = random*6364136223846793005 + 1442695040888963407
			binary.LittleEndian.PutUint64(b[at:], random>>16) // two bytes of zero, as integers have
			copy(b[at+8:], "in a file"[random>>61:])
		}
		if i == n-1 {
			copy(b[len(b)-len(needle):], needle)
		}
		if _, err := f.Write(b); err != nil {
			return err
		}
	}
	return nil
}
