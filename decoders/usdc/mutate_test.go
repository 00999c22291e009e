package usdc

import (
	"path/filepath"
	"slices"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/internal/handgen"
)

// TestMutate changes and cuts sound files and looks at what becomes of them.
func TestMutate(t *testing.T) {
	files := slices.DeleteFunc(handgen.Files(t), func(f decodertest.File) bool {
		_, isDamaged := damaged[stem(f.Name)]
		return isDamaged
	})
	decodertest.Mutate(t, Format, files, decodertest.MutateOptions{Try: 800})
}

// FuzzOpen decodes arbitrary bytes.
func FuzzOpen(f *testing.F) {
	var seeds []decodertest.File
	for _, file := range handgen.Files(f) {
		if len(file.Data) < 1000 || filepath.Base(file.Name) == "scene-0.8.0.usdc" {
			seeds = append(seeds, file)
		}
	}
	decodertest.Fuzz(f, Format, seeds)
}
