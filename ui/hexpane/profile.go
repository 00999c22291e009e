package hexpane

import (
	"context"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/inspect"
)

// leastPart is the least bytes that tell what they are made of: of fewer the entropy is low, whatever they are.
const leastPart = 1024

// Limits on what is read to show what a source is made of: of a file at most sampled bytes in each of its parts; a derived source,
// which would have to be inflated for it, up to largestProfiled bytes; of a server's file nothing.
const (
	sampled         = 16 << 10
	largestProfiled = 64 << 20
)

// Profile has the strip of entropy and kinds of bytes worked out in the background, once for a source, if it is shown.
func (t *Tab) Profile() {
	p, src := t.pane, t.Src
	if p.Store.HideProfile || !t.View.Profiled || t.profiled == src || src.Size() == 0 || src.Origin() != nil && src.Size() > largestProfiled {
		return
	}
	t.profiled = src
	p.Tasks.Go(p.Ctx, "", func(ctx context.Context, _ model.Progress) func() {
		n := min(hexview.ProfileParts, max(src.Size()/leastPart, 1))
		parts := inspect.Profiles(ctx, src, int(n), sampled)
		return func() {
			if t.Src == src && parts != nil {
				t.View.SetProfile(parts)
				p.Log.Write("profile", src.Name(), len(parts))
			}
		}
	})
}
