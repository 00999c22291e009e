package hexpane

import (
	"context"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/inspect"
)

// leastPart is the minimum length of a part, in bytes. The entropy of fewer bytes is always low.
const leastPart = 1024

// Limits on reading for a profile, in bytes. A server's file has none.
const (
	sampled         = 16 << 10 // of each part
	largestProfiled = 64 << 20 // of a derived source, which may have to be decompressed as a whole
)

// Profile computes the strip of entropy and kinds of bytes in the background, once for a source, if the strip is shown.
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
