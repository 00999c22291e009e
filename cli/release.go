package cli

import (
	"context"
	"slices"

	"cutaway/model"
	"cutaway/model/releases"
)

// judgeFor returns the releases that open the document. Of a release that a person names it returns the first thing in the document, and
// in each member of a package, that the release does not read.
func (o *opened) judgeFor(ctx context.Context, name string, many bool, progress model.Progress) (openedBy string, refused []model.LocatedProblem, err error) {
	if o.Releases == nil {
		if name != "" && !many {
			err = wrongUsage("--for: no releases are known that read %s", o.Title)
		}
		return "", nil, err
	}
	all, err := o.Releases(ctx, progress)
	if err != nil || name == "" {
		if name == "" || ctx.Err() != nil || model.KindOf(err) == model.Unread {
			err = nil // the check meets it too, and reports what it has found so far
		}
		return releases.OpenedBy(all), nil, err
	}
	j := &judgement{ctx: ctx, name: name}
	if err = j.judge(o.Document, "", all); err == nil {
		err = o.EachMember(ctx, func(inner string, member *model.Document, err error) error {
			if err != nil || member.Releases == nil {
				return nil // the check reports it
			}
			of, err := member.Releases(ctx, progress)
			if err != nil {
				return err
			}
			return j.judge(member, inner, of)
		})
	}
	return releases.OpenedBy(all), j.refused, err
}

// A judgement collects what a release, named by a person, does not read.
type judgement struct {
	ctx     context.Context
	name    string
	refused []model.LocatedProblem
}

// judge adds the first thing in a document, or in a member of a package, that the release does not read. all are the known releases.
func (j *judgement) judge(doc *model.Document, member string, all []model.Release) error {
	i := slices.IndexFunc(all, func(r model.Release) bool { return releases.IsNamed(&r, j.name) })
	switch {
	case i < 0 && len(all) > 0:
		return wrongUsage("--for: no release %q is known; %s %s to %s are", j.name, all[0].Program, all[0].Name, all[len(all)-1].Name)
	case i < 0 || !all[i].Refuses:
		return nil
	}
	found, err := all[i].First(j.ctx)
	if err == nil {
		located := doc.Locate(found.Path, found.Problem)
		located.Member = member
		j.refused = append(j.refused, located)
	}
	return err
}
