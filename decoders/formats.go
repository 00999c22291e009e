// Package decoders lists the formats that Cutaway knows, detects them and opens files.
package decoders

import (
	"context"
	"sort"

	"cutaway/decoders/flatbuffer"
	"cutaway/decoders/guard"
	"cutaway/decoders/ksy"
	"cutaway/decoders/odin"
	"cutaway/decoders/omnilive"
	"cutaway/decoders/udm"
	"cutaway/decoders/usdatext"
	"cutaway/decoders/usdc"
	"cutaway/decoders/usdz"
	"cutaway/decoders/vrs"
	"cutaway/model"
)

// All returns the formats in display order. Of equal detections the first wins.
func All() []*model.Format {
	return []*model.Format{
		usdc.Format,
		usdatext.Format,
		usdz.Format,
		vrs.Format,
		udm.Format,
		odin.Format,
		omnilive.Format,
		flatbuffer.Format,
		ksy.Format,
		bytesFormat,
	}
}

// A Description is a Kaitai Struct description in one of the user's folders.
type Description = ksy.Listed

// Descriptions returns those in the user's folders, by file.
func Descriptions() []Description { return ksy.List() }

// UseCodecs sets the programs that run processes of descriptions. Each is NAME=PROGRAM [ARGUMENT…].
func UseCodecs(list ...string) error { return ksy.UseCodecs(list...) }

// UseDescriptions sets the folders with the user's Kaitai Struct descriptions.
func UseDescriptions(folders ...string) { ksy.UseFolders(folders...) }

// ByName returns the format with the name that --format and JSON use, or nil.
func ByName(name string) *model.Format {
	for _, f := range All() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// A Candidate is a format and its answer for a file.
type Candidate struct {
	Format    *model.Format
	Detection model.Detection
}

// Fits reports whether the format would open the file. Below Guess the file only resembles the format.
func (c *Candidate) Fits() bool { return c.Detection.Confidence >= model.Guess }

// Detect asks every format about a file and returns the answers, surest first.
func Detect(ctx context.Context, p *model.Probe) []Candidate { return rank(ctx, All(), p) }

func rank(ctx context.Context, formats []*model.Format, p *model.Probe) []Candidate {
	var all []Candidate
	sure := false
	for _, f := range formats {
		if f.Slow && sure && len(p.Options) == 0 {
			all = append(all, Candidate{f, model.Detection{Reason: "not asked: another format is sure"}})
			continue
		}
		d := guard.Detect(ctx, f, p)
		sure = sure || d.Confidence >= model.Sure
		all = append(all, Candidate{f, d})
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Detection.Confidence > all[j].Detection.Confidence })
	return all
}

// NewProbe reads the head of src for detection; name is the file's base name.
func NewProbe(ctx context.Context, src *model.Source, name string) (*model.Probe, error) {
	head, err := src.Bytes(ctx, 0, min(src.Size(), model.ProbeSize))
	if err != nil {
		return nil, err
	}
	return &model.Probe{Source: src, Name: name, Head: head}, nil
}
