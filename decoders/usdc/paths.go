package usdc

import (
	"context"

	"cutaway/model"
)

// pathTable is the table of paths (chapter 7).
type pathTable struct{ n int64 }

func (c *crate) paths(ctx context.Context, progress model.Progress) (*pathTable, error) {
	return c.pathTable.get(ctx, progress, func(context.Context, model.Progress) (*pathTable, error) { return &pathTable{}, nil })
}

func (p *pathTable) text(i uint32) (string, error) { return "", outOfRange("path", i, p.n) }

// pathRef leads to the encoded item that gives path i in the layout.
func (c *crate) pathRef(i uint32) model.Ref { return model.Ref{Kind: "path"} }

// sceneRef leads to path i in the scene view; its Text is the path.
func (c *crate) sceneRef(i uint32) model.Ref { return model.Ref{Kind: "target"} }
