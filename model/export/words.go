package export

import (
	"context"
	"fmt"
	"io"
	"strings"

	"cutaway/model"
)

// Words writes the text of the node's card of that title, such as the node in another notation.
func Words(ctx context.Context, w io.Writer, p *model.Place, title string) error {
	if p.Node.Cards != nil {
		for _, c := range p.Node.Cards() {
			words, ok := c.(model.Words)
			if !ok || !strings.EqualFold(c.CardTitle(), title) {
				continue
			}
			text, err := words.Text(ctx)
			if err != nil {
				return err
			}
			_, err = io.WriteString(w, text)
			return err
		}
	}
	return fmt.Errorf("%s has no form called %q", p.Path(), title)
}
