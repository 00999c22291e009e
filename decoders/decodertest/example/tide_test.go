package example

import (
	"encoding/binary"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

type gauge struct {
	name   string
	levels []int16
}

// tideFile writes a tide file.
func tideFile(gauges ...gauge) []byte {
	b := append([]byte("TIDE"), 1, 0b101, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(gauges)))
	for _, g := range gauges {
		b = append(b, byte(len(g.name)))
		b = append(b, g.name...)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(g.levels)))
		for i, level := range g.levels {
			b = binary.LittleEndian.AppendUint32(b, uint32(i))
			b = binary.LittleEndian.AppendUint16(b, uint16(level))
			b = append(b, byte(i%16), 0)
		}
	}
	return b
}

var files = []decodertest.File{
	{Name: "two.tide", Data: tideFile(gauge{"Brest", []int16{-120, 340, 512}}, gauge{"Cuxhaven", []int16{7}})},
	{Name: "none.tide", Data: tideFile()},
	{Name: "trailing.tide", Data: append(tideFile(gauge{"Oslo", nil}), "more"...)},
}

func TestTide(t *testing.T) {
	decodertest.Detects(t, Format, files)
	decodertest.Mutate(t, Format, files, decodertest.MutateOptions{Exceptions: []decodertest.Exception{
		{Path: "layout/trailing", Cut: true, Reason: "what follows the last station is odd, its absence is not"},
	}})
	for _, f := range files {
		decodertest.Invariants(t, Format, func() *model.Document {
			return decodertest.Open(t, Format, f.Name, model.BytesReader(f.Data))
		})
	}
}

func TestLanguage(t *testing.T) { decodertest.Language(t, Format, language, 0) }

func TestTree(t *testing.T) {
	for _, f := range files {
		doc := decodertest.Open(t, Format, f.Name, model.BytesReader(f.Data))
		decodertest.Golden(t, "testdata/golden/"+f.Name+".txt", decodertest.Tree(t, doc, model.LayoutView))
	}
}

func TestLazy(t *testing.T) {
	large := model.BytesReader(tideFile(gauge{"Brest", make([]int16, 1_000_000)}, gauge{"Oslo", nil}))
	decodertest.Lazy(t, Format, "large.tide", large, decodertest.Limits{Path: "layout/stations/[0]/readings", Bytes: 4 << 10})
}

func FuzzTide(f *testing.F) { decodertest.Fuzz(f, Format, files) }
