package export

import (
	"context"
	"fmt"

	"cutaway/model"
)

// shortened is the reason for a sequence that is shortened by default.
var shortened = fmt.Sprintf("only the first %d elements", FirstElements)

// IsShortened reports whether Request.Whole would have prevented the omission.
func IsShortened(o model.Omission) bool { return o.Reason == shortened }

// Reasons of several writers.
const (
	notBelow  = "nothing below it, as levels are limited"
	notUTF8   = "bytes that are not UTF-8 are replaced"
	notInTime = "only what lies within the times"
	nameless  = "numbers without their names"

	unreadable = "cannot all be read: %v"
)

// lose records a lost value of the node at p.
func (r *Request) lose(p *model.Place, format string, args ...any) {
	if r.Omitted != nil {
		r.Omitted.Lose(omittedPath(p), fmt.Sprintf(format, args...))
	}
}

// reduce records what a flag, a default or the form omits from the node at p.
func (r *Request) reduce(p *model.Place, format string, args ...any) {
	if r.Omitted != nil {
		r.Omitted.Reduce(omittedPath(p), fmt.Sprintf(format, args...))
	}
}

// limits records the parts of the node at p that a limit of this program left unread.
func (r *Request) limits(p *model.Place) {
	for i := range p.Node.Problems {
		if one := &p.Node.Problems[i]; one.Kind == model.Limit {
			r.lose(p, "%s", one.Message)
		}
	}
}

// omittedPath returns the path of a node for an omission, or "" if it has none or a very long one.
func omittedPath(p *model.Place) string {
	if p == nil || p.HasLongPath() {
		return ""
	}
	return p.Path()
}

// mostTold is the most lost values that are listed individually.
const mostTold = 10

// LostLines returns a line for each lost value, or for those after the tenth a line with their number.
func LostLines(o *model.Omissions) (lines []string) {
	list, n := o.Lost()
	for _, one := range list[:min(len(list), mostTold)] {
		lines = append(lines, omissionLine(one, 1))
	}
	if more := n - mostTold; more > 0 {
		lines = append(lines, fmt.Sprintf("and %s more", model.Grouped(more)))
	}
	return lines
}

// ReducedLines returns a line for each reason of a reduction. hint, if not nil, returns an addition to the line.
func ReducedLines(o *model.Omissions, hint func(model.Omission) string) (lines []string) {
	_, left := o.Reduced()
	for _, why := range o.WhyReduced() {
		line := omissionLine(why.First, why.Count)
		if hint != nil {
			line += hint(why.First)
		}
		lines, left = append(lines, line), left-why.Count
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf("and %s more", model.Grouped(left)))
	}
	return lines
}

// OmissionText returns an omission as a line for people.
func OmissionText(o model.Omission) string { return omissionLine(o, 1) }

// omissionLine returns an omission that occurred times times as a line for people.
func omissionLine(o model.Omission, times int64) string {
	where := PathText(o.Path)
	if times > 1 {
		if where == "" {
			return fmt.Sprintf("%s (%s times)", o.Reason, model.Grouped(times))
		}
		where += fmt.Sprintf(" and %s more", model.Grouped(times-1))
	}
	if where == "" {
		return o.Reason
	}
	return where + ": " + o.Reason
}

// limited returns a visitor that calls visit, and records the nodes at the depth limit that have descendants.
func (r *Request) limited(ctx context.Context, visit model.Visit) model.Visit {
	if r == nil || r.Omitted == nil || r.Depth < 0 {
		return visit
	}
	var open []*model.Place
	return func(p *model.Place) error {
		for len(open) > 0 && open[len(open)-1] != p.Parent {
			open = open[:len(open)-1]
		}
		if open = append(open, p); len(open) > r.Depth && hasBelow(ctx, p) {
			r.reduce(p, notBelow)
		}
		return visit(p)
	}
}

// hasBelow reports whether a node has descendants, as far as is known. Elements of an array are in its value.
func hasBelow(ctx context.Context, p *model.Place) bool {
	if len(p.Node.Derived) > 0 {
		return true
	}
	n, exact := p.Len(ctx)
	return !p.Node.Elements && (n > 0 || !exact)
}

// AppendOmissions appends the omissions of an export to a file as a JSON object, with the keys of docs/json.md.
func AppendOmissions(dst []byte, file, form string, o *model.Omissions) []byte {
	object := model.Object{{Key: "file", Value: model.Text(file)}, {Key: "form", Value: model.Text(form)}}
	add := func(key string, first []model.Omission, n int64) {
		list := model.Seq{}
		for _, one := range first {
			list = append(list, model.Object{{Key: "path", Value: JSONPath(one.Path)}, {Key: "reason", Value: model.Text(one.Reason)}})
		}
		object = append(object, model.Member{Key: key, Value: list})
		if n > int64(len(first)) {
			object = append(object, model.Member{Key: key + "Count", Value: model.Int(n)})
		}
	}
	lost, n := o.Lost()
	add("omitted", lost, n)
	reduced, n := o.Reduced()
	add("reduced", reduced, n)
	e := encoder{buf: dst, whole: true}
	e.value(object, 0)
	return e.buf
}
