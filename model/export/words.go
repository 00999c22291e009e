package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"cutaway/model"
)

// Words writes the text of the node's card with a title, such as the node in another notation.
func Words(ctx context.Context, w io.Writer, omitted *model.Omissions, p *model.Place, title string) error {
	card := wordsOf(ctx, &p.Node, title)
	if card == nil {
		return errors.New(noWords(p, title))
	}
	return writeWords(ctx, w, omitted, p, card)
}

// writeWords writes a card of the node at p.
func writeWords(ctx context.Context, w io.Writer, omitted *model.Omissions, p *model.Place, card model.Words) error {
	if omitted == nil {
		return card.WriteText(ctx, w, nil)
	}
	var lost model.Omissions
	err := card.WriteText(ctx, w, &lost)
	omitted.Take(&lost, omittedPath(p))
	return err
}

// wordsOf returns the node's card with a title, or nil.
func wordsOf(ctx context.Context, n *model.Node, title string) model.Words {
	for _, words := range model.CardsOf[model.Words](ctx, n) {
		if strings.EqualFold(words.CardTitle(), title) {
			return words
		}
	}
	return nil
}

func noWords(p *model.Place, title string) string {
	return fmt.Sprintf("%s has no form called %q", PathText(p.Path()), title)
}
