package verdict

import (
	"context"

	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// firstToken reports entries that name the first token. The standard keeps it free, since the sign of a token's index
// distinguishes prims from properties in paths.
func (k *checker) firstToken(ctx context.Context) error {
	if k.crate.Version().Minor < 8 {
		return nil // older than the standard
	}
	for i, name := range k.fields.Names.Slice(0, k.fields.Count).All() {
		if name == 0 {
			k.report(k.crate.Entries.FieldRef(uint32(i)).Path, model.Problemf(model.Assumed, "usdc.tokens.first", k.fields.RepSpan(i), "the name of a field is the first token"))
			break
		}
	}
	tables, err := k.crate.Tables(ctx, nil)
	if err != nil {
		return err
	}
	for i, token := range tables.Strings.Values.All() {
		if token == 0 {
			k.report(k.crate.Entries.StringRef(uint32(i)).Path, model.Problemf(model.Assumed, "usdc.tokens.first", model.Span{}, "a string is the first token"))
			break
		}
	}
	for item, token := range k.paths.Token.All() {
		if token == 0 && int32(k.paths.Parents.At(item)) != table.NoParent {
			var at model.Span
			if spans := k.paths.ItemSpans(ctx, int32(item)); len(spans) > 0 {
				at = spans[0]
			}
			k.report(k.paths.Ref(ctx, int32(item)).Path, model.Problemf(model.Assumed, "usdc.paths.first-token", at, "an element of a path is the first token"))
			break
		}
	}
	return ctx.Err()
}
