package cli

import (
	"context"
	"slices"

	"cutaway/model"
)

// judgeFor returns the releases that open the document, and of a release that a person names the first thing in the document, and in each
// member of a package, that it does not read.
func (o *opened) judgeFor(ctx context.Context, name string, many bool, progress model.Progress) (openedBy string, refused []model.LocatedProblem, err error) {
	if o.Releases == nil {
		if name != "" && !many {
			err = wrongUsage("--for: no releases are known that read %s", o.Title)
		}
		return "", nil, err
	}
	all, err := o.Releases(ctx, progress)
	if err != nil || name == "" {
		if ctx.Err() == nil && model.KindOf(err) == model.Unread {
			err = nil // the check reports what cannot be read
		}
		return model.OpenedBy(all), nil, err
	}
	judge := func(doc *model.Document, member string, all []model.Release) error {
		i := slices.IndexFunc(all, func(r model.Release) bool { return r.IsNamed(name) })
		switch {
		case i < 0 && len(all) > 0:
			return wrongUsage("--for: no release %q is known; %s %s to %s are", name, all[0].Program, all[0].Name, all[len(all)-1].Name)
		case i < 0 || !all[i].Refuses:
			return nil
		}
		found, err := all[i].First(ctx)
		if err == nil {
			located := doc.Locate(found.Path, found.Problem)
			located.Member = member
			refused = append(refused, located)
		}
		return err
	}
	if err = judge(o.Document, "", all); err == nil {
		err = o.EachMember(ctx, func(inner string, member *model.Document, err error) error {
			if err != nil || member.Releases == nil {
				return nil // the check reports it
			}
			of, err := member.Releases(ctx, progress)
			if err != nil {
				return err
			}
			return judge(member, inner, of)
		})
	}
	return model.OpenedBy(all), refused, err
}
