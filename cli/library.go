package cli

import (
	"context"
	"os"
	"runtime/debug"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/source"
)

// A library provides the decoders to the verbs. Tests replace it by formats and documents of their own.
type library interface {
	formats() []*model.Format
	exists(file string) bool
	open(ctx context.Context, t decoders.Target, opt decoders.OpenOptions) (*model.Document, error)
	limitCache(bytes int64)
	describe(folders []string)
	descriptions() []decoders.Description
	useCodecs(list []string) error
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

// limitCache bounds what is kept in memory. The collector keeps near it, too, by collecting more often.
func (decoderLibrary) limitCache(bytes int64) {
	const program = 6 << 20 // what the program takes by itself
	source.SetCacheLimit(bytes)
	debug.SetMemoryLimit(bytes + bytes/16 + program)
}

func (decoderLibrary) describe(folders []string) { decoders.UseDescriptions(folders...) }

func (decoderLibrary) descriptions() []decoders.Description { return decoders.Descriptions() }

func (decoderLibrary) useCodecs(list []string) error { return decoders.UseCodecs(list...) }
