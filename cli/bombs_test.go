package cli

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pierrec/lz4/v4"

	"cutaway/decoders/decodertest"
)

// TestBombs checks the files of testdata/bombs.txt: each is told by its rule and takes little memory. docs/robustness.md has the list;
// -update writes it anew.
func TestBombs(t *testing.T) {
	list, err := os.ReadFile("testdata/bombs.txt")
	if err != nil {
		t.Fatal(err)
	}
	table := "| format | bomb | file | what is said |\n| --- | --- | --- | --- |\n"
	for line := range strings.Lines(string(list)) {
		row := strings.Split(strings.TrimSpace(line), "; ")
		if strings.HasPrefix(line, "#") {
			continue
		}
		table += fmt.Sprintf("| %s | %s | `%s` | `%s` |\n", row[0], row[1], row[2], row[3])
		checkBomb(t, row[2], row[3])
	}
	decodertest.Region(t, "../docs/robustness.md", "bombs", table)
}

// checkBomb checks a file that asks for much: a rule is reported.
func checkBomb(t *testing.T, file, rule string) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := execute(t.Context(), decoderLibrary{}, "check", "--json", filepath.Join("..", "testdata", file))
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 128<<20 {
		t.Errorf("%s takes %d bytes of memory", file, took)
	}
	if r.status > StatusErrors || !strings.Contains(r.out, `"rule":"`+rule+`"`) {
		t.Errorf("%s: status %d, without %s: %s%s", file, r.status, rule, cutTo(r.out), r.err)
	}
}

// TestMadeBombs checks bombs that are made here: zeros that inflate to 2 GB, and 1,000 packages inside one another. Each ends
// at a limit, which is named.
func TestMadeBombs(t *testing.T) {
	for _, c := range []struct {
		name, by, rule string
		make           func(t *testing.T) []byte
	}{
		{"zlib", "zlib", "ksy.limit", zlibBomb},
		{"zstd", "kaitai.compress.zstd", "ksy.limit", zstdBomb},
		{"LZ4", "kaitai.compress.lz4", "ksy.limit", lz4Bomb},
		{"packages", "", "source.derive", nestedPackages},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			args := []string{"check", "--json", "--max-memory=16M", filepath.Join(folder, "bomb.usdz")}
			if c.by != "" {
				description := filepath.Join(folder, "bomb.ksy")
				text := "meta: {id: bomb}\nseq:\n  - {id: zeros, size-eos: true, process: " + c.by + "}\n"
				if err := os.WriteFile(description, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				args = append(args, "--schema="+description)
			}
			if err := os.WriteFile(args[3], c.make(t), 0o644); err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r := execute(t.Context(), decoderLibrary{}, args...)
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 128<<20 {
				t.Errorf("it takes %d bytes of memory", took)
			}
			if r.status > StatusErrors || !strings.Contains(r.out, `"rule":"`+c.rule+`"`) || !strings.Contains(r.out, `"kind":"limit"`) {
				t.Errorf("status %d, without the limit %s: %s%s", r.status, c.rule, cutTo(r.out), r.err)
			}
		})
	}
}

const zeros = 2 << 30 // bytes that a bomb inflates to

// zlibBomb repeats what the second of two equal blocks of zeros becomes.
func zlibBomb(t *testing.T) []byte {
	const block = 16 << 20
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	ends := [2]int{}
	for i := range ends {
		if _, err := z.Write(make([]byte, block)); err != nil {
			t.Fatal(err)
		}
		if err := z.Flush(); err != nil {
			t.Fatal(err)
		}
		ends[i] = b.Len()
	}
	return append(b.Bytes(), bytes.Repeat(b.Bytes()[ends[0]:], zeros/block-2)...)
}

// zstdBomb is a frame without a content size, of blocks that are a byte each, 128 KiB times.
func zstdBomb(*testing.T) []byte {
	const block, repeated = 128 << 10, 1
	head := []byte{0x28, 0xB5, 0x2F, 0xFD, 0, 7 << 3} // a window of 128 KiB
	size := block<<3 | repeated<<1
	return append(head, bytes.Repeat([]byte{byte(size), byte(size >> 8), byte(size >> 16), 0}, zeros/block)...)
}

// lz4Bomb is a frame of equal blocks of zeros.
func lz4Bomb(t *testing.T) []byte {
	const block = 4 << 20
	coded := make([]byte, block)
	n, err := lz4.CompressBlock(make([]byte, block), coded, nil)
	if err != nil || n == 0 {
		t.Fatal(n, err)
	}
	one := append(binary.LittleEndian.AppendUint32(nil, uint32(n)), coded[:n]...)
	return append([]byte{4, 0x22, 0x4D, 0x18, 0x60, 0x70, 0x73}, bytes.Repeat(one, zeros/block)...)
}

func nestedPackages(t *testing.T) []byte {
	data, name := []byte("#usda 1.0\n"), "scene.usda"
	for range 1000 {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		member, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := member.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		data, name = b.Bytes(), "inner.usdz"
	}
	return data
}
