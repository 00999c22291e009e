package decoders

import (
	"context"
	"errors"
	"fmt"
	"path"

	"cutaway/model"
)

// OpenMember opens the member of outer that inner names, or, where inner is "member[inner]" and no member has that
// whole name, the member of that member.
func OpenMember(ctx context.Context, outer *model.Document, inner string, opt Options) (*model.Document, error) {
	if outer.Member == nil {
		return nil, fmt.Errorf("%s: %s has no members, so there is no %q", outer.Name, outer.Title, inner)
	}
	doc, err := outer.Member(ctx, inner)
	if err != nil {
		first, rest, ok := SplitMember(inner, func(string) bool { return false })
		if !ok {
			return nil, fmt.Errorf("%s[%s]: %w", outer.Name, inner, err)
		}
		between, berr := outer.Member(ctx, first)
		if berr != nil {
			return nil, fmt.Errorf("%s[%s]: %w", outer.Name, first, berr)
		}
		doc, err = OpenMember(ctx, between, rest, opt)
		if err != nil {
			return nil, errors.Join(err, between.Close())
		}
		doc.OnClose(between.Close)
		return doc, nil
	}
	if opt.Format == "" && opt.At == 0 && len(opt.Options) == 0 {
		return doc, nil
	}
	again, err := Opener{}.OpenWith(ctx, doc.Source(), path.Base(inner), opt)
	if err != nil {
		return nil, errors.Join(err, doc.Close())
	}
	again.OnClose(doc.Close)
	return again, nil
}
