package decoders

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

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

// EachMember opens the members of a package that its views do not show, then theirs, one after the other, and calls visit with
// each and its name as OpenMember takes it of the file; outer is that of doc, "" for the file itself. Where one cannot be opened,
// visit gets the error. It ends with the first error of visit, or when ctx ends.
func EachMember(ctx context.Context, doc *model.Document, outer string, visit func(name string, member *model.Document, err error) error) error {
	for _, name := range doc.Members {
		member, err := OpenMember(ctx, doc, name, Options{})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		full := within(outer, name)
		opened := err == nil
		if err = visit(full, member, err); opened {
			if err == nil {
				err = EachMember(ctx, member, full, visit)
			}
			_ = member.Close() // it was only read
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// within is the name of the member of a member: "a[b[c]]" of c in "a[b]".
func within(outer, name string) string {
	if outer == "" {
		return name
	}
	open := strings.TrimRight(outer, "]")
	return open + "[" + name + "]" + outer[len(open):]
}

// mostMembers bounds how many members CheckMembers opens: those of a small file that overlap can be any number.
const mostMembers = 20_000

// CheckMembers checks the members of a package that its views do not show, each as a document of its own, and returns how many
// of them there are. Of very many it checks the first ones, and tells of the limit.
func CheckMembers(ctx context.Context, doc *model.Document, outer string, progress model.Progress, found func(model.LocatedProblem)) (n int, err error) {
	opened := 0
	err = EachMember(ctx, doc, outer, func(name string, member *model.Document, err error) error {
		if opened++; opened > mostMembers {
			return errMostMembers
		}
		if err != nil || member.Format == "bytes" {
			return nil // the package says what is wrong with the bytes of one
		}
		n++
		_, err = member.CheckFound(ctx, progress, func(p model.LocatedProblem) {
			p.Member = name
			found(p)
		})
		return err
	})
	if errors.Is(err, errMostMembers) {
		p := model.Problemf(model.Limit, "source.derive", doc.Source().Whole(), "of the members in this package only the first %d are checked", mostMembers)
		found(model.LocatedProblem{Path: model.LayoutView, Problem: p})
		err = nil
	}
	return n, err
}

var errMostMembers = errors.New("too many members")
