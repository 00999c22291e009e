package crategen

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"

	"cutaway/assets"
)

// packageEntry is one entry of a damaged package.
type packageEntry struct {
	name       string
	data       []byte
	align      int    // extra bytes align the data to a multiple of align
	shift      int    // then that many more move it off
	deflated   bool   // the data is compressed
	descriptor bool   // sizes follow the data instead of in the header
	crc        uint32 // added to the right sum
}

// dataAlignment is the alignment of the data of an entry in a sound package (chapter 16).
const dataAlignment = 64

// packages returns the program's sample as a package, and .usdz files that break the rules of chapter 16 in the way that
// their names say.
func packages() (map[string][]byte, error) {
	layer, err := inMemory(Version{0, 8, 0}, func(w *Writer) { smallScene(w, Text("sound")) }, nil)
	if err != nil {
		return nil, err
	}
	good := func(name string, data []byte) packageEntry {
		return packageEntry{name: name, data: data, align: dataAlignment}
	}
	sound := zipped(good("root.usdc", layer))
	files := map[string][]byte{
		"made-sample.usdz":       zipped(good("sample.usdc", assets.Sample)),
		"x-deflated.usdz":        zipped(packageEntry{name: "root.usdc", data: layer, align: dataAlignment, deflated: true}),
		"x-unaligned.usdz":       zipped(packageEntry{name: "root.usdc", data: layer, align: dataAlignment, shift: 5}),
		"x-data-descriptor.usdz": zipped(packageEntry{name: "root.usdc", data: layer, align: dataAlignment, descriptor: true}, good("next.usdc", layer)),
		"x-wrong-crc.usdz":       zipped(packageEntry{name: "root.usdc", data: layer, align: dataAlignment, crc: 1}),
		"x-damaged-layer.usdz":   zipped(good("root.usdc", layer[:len(layer)/2])),
		"x-first-no-layer.usdz":  zipped(good("notes.txt", []byte("no layer")), good("root.usdc", layer)),
		"x-empty.usdz":           zipped(),
		"x-cut.usdz":             sound[:len(sound)/2],
		"x-no-directory.usdz":    sound[:bytes.Index(sound, []byte("PK\x01\x02"))],
	}
	nested := sound
	for range 40 {
		nested = zipped(good("inner.usdz", nested))
	}
	files["x-nested-40.usdz"] = nested
	return files, nil
}

// zipped writes a package by hand: archive/zip would not put the extra bytes where they align the data.
func zipped(entries ...packageEntry) []byte {
	var out bytes.Buffer
	var central bytes.Buffer
	for _, e := range entries {
		stored, method, flags := e.data, zip.Store, uint16(0)
		if e.deflated {
			stored, method = deflate(e.data), zip.Deflate
		}
		sum := crc32.ChecksumIEEE(e.data) + e.crc
		sizes := []uint32{sum, uint32(len(stored)), uint32(len(e.data))}
		inHeader := sizes
		if e.descriptor {
			flags, inHeader = 8, []uint32{0, 0, 0}
		}
		const header, extraHeader = 30, 4
		at := out.Len()
		extra := -(at+header+len(e.name)+extraHeader)&(e.align-1) + e.shift
		write(&out, []byte("PK\x03\x04"), uint16(10), flags, method, uint32(0), inHeader, uint16(len(e.name)),
			uint16(extraHeader+extra), []byte(e.name), uint16(0x1986), uint16(extra), make([]byte, extra), stored)
		if e.descriptor {
			write(&out, []byte("PK\x07\x08"), sizes)
		}
		write(&central, []byte("PK\x01\x02"), uint16(10), uint16(10), flags, method, uint32(0), sizes,
			uint16(len(e.name)), make([]byte, 12), uint32(at), []byte(e.name))
	}
	at, n := out.Len(), uint16(len(entries))
	write(&out, central.Bytes(), []byte("PK\x05\x06"), uint32(0), n, n, uint32(central.Len()), uint32(at), uint16(0))
	return out.Bytes()
}

// write puts fixed-size values down in little-endian order.
func write(out io.Writer, values ...any) {
	for _, v := range values {
		if err := binary.Write(out, binary.LittleEndian, v); err != nil {
			panic(err) // not a fixed-size value: a mistake here
		}
	}
}

func deflate(data []byte) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		panic(err) // the level is valid
	}
	if _, err := w.Write(data); err != nil {
		panic(err) // a buffer takes everything
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}
