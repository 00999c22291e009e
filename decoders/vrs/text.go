package vrs

import (
	"fmt"
	"strings"

	"cutaway/decoders/vrs/container"
	"cutaway/model"
)

// describe is the image in a few words.
func (s *imageSpec) describe() string {
	var parts []string
	if s.width > 0 && s.height > 0 {
		parts = append(parts, fmt.Sprintf("%d × %d", s.width, s.height))
	}
	if s.pixels > 0 {
		parts = append(parts, pixelFormats[s.pixels].name)
	}
	if s.codec != "" {
		parts = append(parts, s.codec)
	}
	if s.quality != noQuality {
		parts = append(parts, fmt.Sprintf("quality %d", s.quality))
	}
	switch {
	case s.keyIndex == 0:
		parts = append(parts, "key frame")
	case s.keyIndex > 0:
		parts = append(parts, fmt.Sprintf("frame %d after the key frame at %s", s.keyIndex, container.SecondsText(s.keyTime)))
	}
	if len(parts) == 0 {
		return s.format.String()
	}
	return strings.Join(parts, ", ")
}

// describe is the audio in a few words.
func (s *audioSpec) describe() string {
	var parts []string
	if s.channels > 0 {
		parts = append(parts, model.GroupedCount(s.channels, "channel"))
	}
	if s.samples > 0 {
		parts = append(parts, sampleFormats[s.samples].name)
	}
	if s.rate > 0 {
		parts = append(parts, fmt.Sprintf("%d Hz", s.rate))
	}
	if s.pairs > 0 {
		parts = append(parts, model.GroupedCount(s.pairs, "stereo pair"))
	}
	if s.count > 0 {
		parts = append(parts, model.GroupedCount(s.count, "sample frame"))
	}
	if len(parts) == 0 {
		return "nothing tells how the samples are written"
	}
	return strings.Join(parts, ", ")
}
