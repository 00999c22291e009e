package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// OpenMember opens the member named inner. If there is none and inner is "member[inner]", it opens the member inner of
// that member.
func (d *Document) OpenMember(ctx context.Context, inner string) (*Document, error) {
	if d.Member == nil {
		return nil, fmt.Errorf("%s: %s has no members, so there is no %q", d.Name, d.Title, inner)
	}
	member, err := d.Member(ctx, inner)
	if err == nil {
		member.Inner = d.InnerOf(inner)
		return member, nil
	}
	first, rest, ok := strings.Cut(inner, "[")
	if !ok || first == "" || !strings.HasSuffix(rest, "]") {
		return nil, fmt.Errorf("%s[%s]: %w", d.Name, inner, err)
	}
	between, err := d.OpenMember(ctx, first)
	if err != nil {
		return nil, err
	}
	member, err = between.OpenMember(ctx, strings.TrimSuffix(rest, "]"))
	if err != nil {
		return nil, errors.Join(err, between.Close())
	}
	member.OnClose(between.Close)
	return member, nil
}

// InnerOf returns the Inner of a member with that inner path: "a[b[c]]" for c in "a[b]".
func (d *Document) InnerOf(inner string) string {
	if d.Inner == "" {
		return inner
	}
	open := strings.TrimRight(d.Inner, "]")
	return open + "[" + inner + "]" + d.Inner[len(open):]
}

// EachMember opens the Members and theirs, one at a time, and calls visit with each before closing it. If one cannot be
// opened, visit gets the error and its Inner. It ends with the first error of visit, or when ctx ends.
func (d *Document) EachMember(ctx context.Context, visit func(inner string, member *Document, err error) error) error {
	for _, name := range d.Members {
		member, err := d.OpenMember(ctx, name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		opened := err == nil
		if err = visit(d.InnerOf(name), member, err); opened {
			if err == nil {
				err = member.EachMember(ctx, visit)
			}
			_ = member.Close() // opened for reading only
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mostMembers is the most members of a package that a check opens: a small file can have any number of overlapping
// ones.
const mostMembers = 20_000

// checkMembers checks the members as documents of their own, and adds their problems and their number to r.
func (d *Document) checkMembers(ctx context.Context, r *Report, progress Progress, check CheckOptions) error {
	add := func(p LocatedProblem) {
		r.Problems = append(r.Problems, p)
		if check.Found != nil {
			check.Found(p)
		}
	}
	opened := 0
	err := d.EachMember(ctx, func(inner string, member *Document, err error) error {
		if opened++; opened > mostMembers {
			return errMostMembers
		}
		if err != nil || member.Format == "bytes" {
			return nil // the package reports problems of a member's bytes
		}
		r.Members++
		of := check
		of.Found = func(p LocatedProblem) {
			p.Member = inner
			add(p)
		}
		_, err = member.survey(ctx, WalkOptions{Resolve: true, Derived: true, Progress: progress}, of)
		return err
	})
	if errors.Is(err, errMostMembers) {
		add(LocatedProblem{Path: LayoutView, Problem: Problemf(Limit, "source.derive", d.Source().Whole(),
			"of the members in this package only the first %d are checked", mostMembers)})
		err = nil
	}
	return err
}

var errMostMembers = errors.New("too many members")
