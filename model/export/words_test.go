package export

import (
	"context"
	"io"
	"strings"
	"testing"

	"cutaway/model"
)

type wordsCard struct {
	model.CardBase
	text string
}

func (w wordsCard) WriteText(_ context.Context, out io.Writer, _ *model.Omissions) error {
	_, err := io.WriteString(out, w.text)
	return err
}

func TestWords(t *testing.T) {
	place := func(cards ...model.Card) *model.Place {
		src := model.NewFileSource("x", model.BytesReader(nil))
		v := &model.View{Name: "layer", Of: src, Root: func(context.Context) model.Node {
			return model.Node{Name: "layer", Cards: func(context.Context) []model.Card { return cards }}
		}}
		return v.Place(t.Context())
	}
	var b strings.Builder
	if err := Words(t.Context(), &b, nil, place(wordsCard{model.CardBase{Title: "Other"}, "no"}, wordsCard{model.CardBase{Title: "USDA"}, "yes"}), "usda"); err != nil || b.String() != "yes" {
		t.Errorf("wrote %q, %v", b.String(), err)
	}
	if err := Words(t.Context(), &b, nil, place(), "usda"); err == nil {
		t.Error("a node without the card is written")
	}
}
