// Package verdict finds what USD would not take of the tables of a crate: verdict.go of tokens, paths and specs, children.go and
// targets.go of the lists that must agree with specs, schema.go of the types of fields.
package verdict

import (
	"context"
	"slices"

	"cutaway/decoders/usdc/table"
	"cutaway/decoders/usdc/value"
	"cutaway/model"
)

// Check reports entries of tables that readers do not take though each index is sound, with the paths of their nodes in the layout.
// These are text that is not UTF-8, elements that no path has, and specs whose type does not fit their path. It reports values of
// another type than their field's too, and specs that disagree with the lists of their parents. Its error is that of the context.
func Check(ctx context.Context, crate *table.Crate, values *value.Values, progress model.Progress, report func(path string, p model.Problem)) error {
	k := &checker{crate: crate, values: values, listed: map[uint32]childLists{}, report: report}
	t, err := crate.Tokens(ctx, progress)
	if err != nil {
		return err
	}
	words, err := formsOf(ctx, progress, t)
	if err != nil {
		return err
	}
	if err := k.checkTexts(ctx, progress, t, words.notUTF8); err != nil {
		return err
	}
	k.tokens, k.names = t.Count, newFieldNames(crate, t.Count)
	if k.fields, err = crate.Fields(ctx, progress); err != nil {
		return err
	}
	if err := k.checkFieldTypes(ctx); err != nil {
		return err
	}
	if k.paths, err = crate.Paths(ctx, progress); err != nil {
		return err
	}
	if k.specs, err = crate.Specs(ctx, progress); err != nil {
		return err
	}
	if k.sets, err = crate.FieldSets(ctx, progress); err != nil {
		return err
	}
	if err := k.firstToken(ctx); err != nil {
		return err
	}
	k.lost = k.lostRange(t)
	k.parents, k.elements = k.paths.Parents.Cursor(), k.paths.Token.Cursor()
	k.forms = k.pathForms(ctx, words.of)
	k.under, k.branch = make([]uint32, k.paths.Items()), make(table.Bitset, k.paths.Items()/64+1)
	k.plain = make([]bool, len(k.sets.List))
	if err := k.addAll(ctx); err != nil {
		return err
	}
	if !k.paths.Complete {
		return nil // what is missing is reported at its own place
	}
	k.sublayers(ctx)
	if err := k.compare(ctx); err != nil {
		return err
	}
	if err := k.siblings(ctx); err != nil {
		return err
	}
	return k.targets(ctx)
}

// checkTexts reports the tokens that are not UTF-8.
func (k *checker) checkTexts(ctx context.Context, progress model.Progress, t *table.Tokens, notUTF8 []model.Span) error {
	for _, at := range notUTF8 {
		i, _ := t.Find(ctx, at.Source, at.Off)
		used, err := k.crate.Entries.Tokens.IsUsed(ctx, progress, i)
		if err != nil {
			return err
		}
		p := model.Problemf(model.Malformed, "usdc.tokens.utf-8", at, "the text is not UTF-8")
		if !used {
			p = model.Problemf(model.Suspicious, "usdc.tokens.utf-8", at, "the text is not UTF-8, and nothing uses it")
		}
		k.report(k.crate.Entries.TokenRef(uint32(i)).Path, p)
	}
	return nil
}

// lostRange returns the range of the section that lacks fields or names, or of the contents that lack a section, or no range.
func (k *checker) lostRange(t *table.Tokens) model.Span {
	if slices.ContainsFunc(table.Required[:], func(name string) bool { return k.crate.Contents.Section(name) == nil }) {
		return k.crate.ContentsSpan()
	}
	if lost := k.fields.Lost(k.fields.Count); lost.Source != nil {
		return lost
	}
	return t.Lost(t.Count)
}

// checkFieldTypes reports values that are not of the type of their field, or none of it.
func (k *checker) checkFieldTypes(ctx context.Context) error {
	told := 0
	fields := k.fields
	return fields.EachRep(ctx, func(i int64, r table.Rep) {
		token := fields.Names.At(i)
		known := k.names.lookUp(ctx, token)
		if known == nil && token != table.None || told >= table.MaxReported {
			return
		}
		if token == table.None {
			told++
			k.report(k.crate.Entries.FieldRef(uint32(i)).Path, model.Problemf(model.Malformed, "usdc.fields.no-name", fields.RepSpan(i), "the field has no name"))
			return
		}
		name, _ := fields.Name(ctx, i)
		if p, wrong := wrongField(name, known, r, fields.RepSpan(i)); wrong {
			told++
			k.report(k.crate.Entries.FieldRef(uint32(i)).Path, p)
		}
	})
}

// pathForms returns the forms of all items' paths. It reports elements that no reader makes a path of, but for those of specs,
// which are reported with the specs.
func (k *checker) pathForms(ctx context.Context, words []table.ElementForm) []table.PathForm {
	p := k.paths
	all := make([]table.PathForm, p.Items())
	told := 0
	tokens := p.Token.Cursor()
	for i, above := range p.Parents.All() {
		parent, token := int32(above), tokens.At(i)
		switch {
		case parent == table.NoParent:
			all[i] = table.PathRoot
		case parent < 0 || int64(parent) >= i || int64(token) >= int64(len(words)):
			// not reached, or lost: reported at its own place
		default:
			item := int32(i)
			all[i] = all[parent].Extended(words[token], p.Property.Has(item))
			if all[i] != table.PathNone || all[parent] == table.PathNone || told >= table.MaxReported {
				continue
			}
			if _, has := k.specs.SpecAt(p.Index.At(i)); !has {
				told++
				path := p.Ref(ctx, item).Path
				k.report(path, k.badElement(ctx, model.Suspicious, item))
			}
		}
	}
	return all
}

// lostElement reports whether the token of an item, or of one above it, is missing, which is reported with the tokens.
func lostElement(p *table.Paths, item int32, tokens int64) bool {
	for ; item >= 0; item = p.Parent(item) {
		if int64(p.Token.At(int64(item))) >= tokens {
			return true
		}
	}
	return false
}

// badElement returns the problem of an item that no reader makes a path of.
func (k *checker) badElement(ctx context.Context, kind model.Kind, item int32) model.Problem {
	p := k.paths
	var at model.Span
	if spans := p.ItemSpans(ctx, item); len(spans) > 0 {
		at = spans[0]
	}
	return model.Problemf(kind, "usdc.paths.element", at, "readers make no path of %q: its last element %q is none there",
		p.ItemText(ctx, item), p.Element(ctx, item))
}

// addAll takes all specs, and reports those that are not of the type of their path, or of no path at all.
func (k *checker) addAll(ctx context.Context) error {
	told := 0
	tell := func(i int64, p model.Problem) {
		if told++; told <= table.MaxReported {
			k.report(k.crate.Entries.SpecRef(uint32(i)).Path, p)
		}
	}
	types := k.specs.Types.Cursor()
	return k.eachSpec(ctx, func(i int64, item int32) bool {
		form, typ := k.forms[item], types.At(i)
		if form == table.PathNone {
			if told < table.MaxReported && k.paths.Parent(item) != table.Unreached && !lostElement(k.paths, item, k.tokens) {
				tell(i, k.badElement(ctx, model.Malformed, item))
			}
			return true
		}
		k.add(item)
		if !form.Suits(typ) && told < table.MaxReported {
			tell(i, model.Problemf(model.Malformed, "usdc.specs.path", k.specs.TypePlace(ctx, i),
				"%s cannot be that of a spec of type %s", k.paths.ItemText(ctx, item), table.SpecTypeName(typ)))
		}
		return true
	})
}

// eachSpec visits each spec that stands for an item, until visit returns false.
func (k *checker) eachSpec(ctx context.Context, visit func(spec int64, item int32) bool) error {
	items, specs := k.paths.ByPath.Cursor(), k.specs.ByPath.Cursor()
	for spec, path := range k.specs.Paths.Slice(0, k.specs.Count()).All() {
		if spec&(1<<16-1) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if int64(path) >= k.specs.ByPath.Len() || specs.At(int64(path)) != uint32(spec) {
			continue
		}
		if item := int32(items.At(int64(path))); item >= 0 && !visit(spec, item) {
			return nil
		}
	}
	return nil
}
