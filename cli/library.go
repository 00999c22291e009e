package cli

import (
	"context"
	"os"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/source"
)

// library is what the verbs need of the decoders. Tests put formats and documents of their own in its place.
type library interface {
	formats() []*model.Format
	exists(file string) bool
	open(ctx context.Context, t decoders.Target, opt decoders.OpenOptions) (*model.Document, error)
	limitCache(bytes int64)
	describe(folders []string)
}

type decoderLibrary struct{}

func (decoderLibrary) formats() []*model.Format { return decoders.All() }

func (decoderLibrary) exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func (decoderLibrary) open(ctx context.Context, t decoders.Target, opt decoders.OpenOptions) (*model.Document, error) {
	return decoders.OpenTarget(ctx, t, opt)
}

func (decoderLibrary) limitCache(bytes int64) { source.SetCacheLimit(bytes) }

func (decoderLibrary) describe(folders []string) { decoders.UseDescriptions(folders...) }
