package export

import (
	"reflect"
	"testing"

	"cutaway/model"
	"cutaway/model/export/exporttest"
)

func TestStats(t *testing.T) {
	tests := map[string][]model.Stat{
		"section": {
			{Key: "header", Count: 4, Stored: 8, Logical: 8}, {Key: "points", Count: 1, Stored: 16, Logical: 16},
			{Key: "pac/ked", Count: 3, Stored: 8, Logical: 20}, {Key: "padding", Count: 1, Stored: 4, Logical: 4},
			{Key: "unknown", Count: 1, Stored: 4, Logical: 4},
		},
		"subtree": {
			{Key: "layout/header/magic", Count: 1, Stored: 4, Logical: 4}, {Key: "layout/header/flags", Count: 2, Stored: 1, Logical: 1},
			{Key: "layout/header/count", Count: 1, Stored: 3, Logical: 3}, {Key: "layout/points", Count: 1, Stored: 16, Logical: 16},
			{Key: "layout/pac%2Fked", Count: 3, Stored: 8, Logical: 20}, {Key: "layout/padding", Count: 1, Stored: 4, Logical: 4},
			{Key: "layout/unknown", Count: 1, Stored: 4, Logical: 4},
		},
		"type": {
			{Key: "record", Count: 2, Logical: 20}, {Key: "int[]", Count: 1, Stored: 16, Logical: 16}, {Key: "block", Count: 1, Stored: 8},
			{Key: "bytes", Count: 1, Stored: 4, Logical: 4}, {Key: "padding", Count: 1, Stored: 4, Logical: 4},
			{Key: "unknown", Count: 1, Stored: 4, Logical: 4}, {Key: "u24", Count: 1, Stored: 3, Logical: 3},
			{Key: "bits", Count: 2, Stored: 1, Logical: 1},
		},
	}
	for by, want := range tests {
		got, tally, err := Stats(ctx, exporttest.Sample(model.Malformed), by, nil)
		if err != nil || tally.Errors != 1 {
			t.Errorf("%s: %v, %+v", by, err, tally)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\ngot  %v\nwant %v", by, got, want)
		}
		var stored, logical int64
		for _, s := range got {
			stored += s.Stored
			logical += s.Logical
		}
		if stored != 40 || logical != 40-8+20 {
			t.Errorf("%s: %d bytes stored, %d logical", by, stored, logical)
		}
	}
}
