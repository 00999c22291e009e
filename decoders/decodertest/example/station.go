package example

import (
	"context"

	"cutaway/decoders/read"
	"cutaway/model"
)

const (
	leastStation = 5 // bytes of a station without name and readings
	readingSize  = 8
)

// stations finds the stations, which differ in size, when it is resolved. It does not read their readings.
func stations(at model.Span, count uint32) *model.Lazy {
	return model.NewLazy(func(ctx context.Context, progress model.Progress) (model.Children, error) {
		c := read.New(ctx, at.Source, at.Off, at.End(), "tide.truncated")
		for i := int64(0); i < int64(count) && c.Ok(); i++ {
			if i%1024 == 0 {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				progress.Report(c.Off()-at.Off, at.Len, "finding the stations")
			}
			c.Group(model.IndexName(i), "Station", "", func() { station(c) })
		}
		if c.Remaining() > 0 {
			c.Rest("trailing", model.Unknown, "")
			c.Problem(model.Problemf(model.Suspicious, "tide.trailing", model.Span{}, "bytes follow the last station"))
		}
		return model.NewList(c.Nodes()...), nil
	})
}

func station(c *read.Cursor) {
	length := c.U8("name length", "bytes of the name")
	c.Text("name", int64(length), "UTF-8")
	count := c.U32("count", "readings that follow")
	c.Records("readings", "Reading", uint64(count), readingSize, "in the order of their times", reading)
}

func reading(c *read.Cursor, _ int64) {
	c.U32("minutes", "since 1970-01-01 00:00 UTC")
	c.I16("level", "above the gauge's zero, in the header's unit")
	c.Bits("quality", 1, "", read.Bit{Name: "grade", Width: 3, Help: "0 is best"}, read.Bit{Name: "estimated", Width: 1})
	c.Pad("padding", 1, "")
}
