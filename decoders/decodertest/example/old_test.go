package example

import (
	"context"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/grammar"
	"cutaway/model"
)

var oldFile = grammar.NewRecord("Tide file",
	grammar.F("magic", grammar.UTF8, magic).Sized(grammar.Const(4)).
		Check("tide.magic", func(_ grammar.Scope, v grammar.Value) bool { return v.String() == magic }, magic, "this is not a tide file"),
	grammar.F("version", grammar.U8, "always 1").Check("tide.version", grammar.Is(1), "1", "unknown version"),
	grammar.F("unit", grammar.Bits(2), "of levels").Symbols("millimetre", "centimetre", "foot"),
	grammar.F("corrected", grammar.Bits(1), "levels are corrected for air pressure"),
	grammar.F("unused", grammar.Bits(5), "").Pad(),
	grammar.F("padding", grammar.Raw, "").Sized(grammar.Const(2)).Pad(),
	grammar.F("count", grammar.U32, "stations that follow"),
	grammar.F("stations", station, "").TimesChecked(grammar.Ref("count"), "tide.stations"),
	grammar.F("trailing", grammar.Raw, "").ToEnd().Unknown().If(grammar.Less(grammar.Const(0), grammar.Left())).
		Expect("tide.trailing", func(grammar.Scope, grammar.Value) bool { return false }, "the end", "bytes follow the last station"),
)

var station = grammar.NewRecord("Station",
	grammar.F("length", grammar.U8, "bytes of the name"),
	grammar.F("name", grammar.UTF8, "UTF-8").Sized(grammar.Ref("length")),
	grammar.F("count", grammar.U32, "readings that follow"),
	grammar.F("readings", reading, "in the order of their times").Times(grammar.Ref("count")),
)

var reading = grammar.NewRecord("Reading",
	grammar.F("minutes", grammar.U32, "since 1970-01-01 00:00 UTC"),
	grammar.F("level", grammar.I16, "above the gauge's zero, in the file's unit"),
	grammar.F("grade", grammar.Bits(3), "best is 0"),
	grammar.F("estimated", grammar.Bits(1), ""),
	grammar.F("unused", grammar.Bits(4), "").Pad(),
	grammar.F("padding", grammar.U8, "").Pad(),
)

// old is the format by its old description.
var old = &model.Format{Name: "tide", Title: "Tide gauge readings", Rules: Format.Rules, Types: Format.Types, Detect: detect,
	Open: func(_ context.Context, req *model.OpenRequest) (*model.Document, error) {
		src := req.Source
		session := &grammar.Session{Truncated: "tide.truncated", Tile: true}
		root := oldFile.Open(session, grammar.Whole(src), 0)
		layout := func(ctx context.Context) model.Node { return root.Node(ctx, "file") }
		return &model.Document{
			Format: "tide", Version: "1", Title: "Tide gauge readings", Why: req.Why, Name: req.Name,
			Sources: []*model.Source{src},
			Views:   []*model.View{{Name: model.LayoutView, Title: "Layout", Of: src, Root: layout}},
			Facts: func(ctx context.Context, _ bool, _ model.Progress) ([]model.Fact, error) {
				return []model.Fact{{Key: "stations", Title: "Stations", Value: model.Uint(root.Uint(ctx, oldFile.Field("count")))}}, ctx.Err()
			},
		}, nil
	}}

func TestSame(t *testing.T) {
	decodertest.Same(t, old, Format, files, decodertest.MutateOptions{})
}
