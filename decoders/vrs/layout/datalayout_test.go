package layout

import (
	"fmt"
	"testing"

	"cutaway/decoders/vrs/container"
	"cutaway/model"
)

// TestLayouts holds definitions against where they put their pieces.
func TestLayouts(t *testing.T) {
	for text, want := range map[string]string{
		`[{"name":"a","type":"DataPieceValue<uint8_t>"},{"name":"b","type":"DataPieceString"},{"name":"c","type":"DataPieceArray<Point3Df>","size":2}]`: "25: a {offset: 0, size: 1}, b {index: 0}, c {offset: 1, size: 24, count: 2}",
		`[{"name":"a","type":"DataPieceArray<int8_t>"},{"name":"b","type":"DataPieceValue<Bool>","offset":0}]`:                                          "1: a {offset: 0, size: 0, count: 0}, b {offset: 0, size: 1}",
		`[{"name":"a","type":"DataPieceValue<Quaternion>","offset":0},{"name":"b","type":"DataPieceValue<Bool>","offset":16}]`:                          "17: a {offset: 0, size: 16}, b {offset: 16, size: 1} ! vrs.layout.type",
		`[{"name":"a","type":"Surprise","index":0},{"name":"b","type":"DataPieceString","index":1}]`:                                                    "0: a {index: 0}, b {index: 1} ! vrs.layout.type",
		`[{"name":"a","type":"DataPieceVector<Quaternion>"}]`:                                                                                           "0: a {index: 0} ! vrs.layout.type",
		`[{"name":"a","type":"DataPieceValue<Bool>","offset":3}]`:                                                                                       "1: a {offset: 0, size: 1} ! vrs.layout.place",
		`[{"name":"a","type":"DataPieceString","index":3}]`:                                                                                             "0: a {index: 0} ! vrs.layout.place",
		`[{"type":"DataPieceValue<Bool>"},{"name":"b","type":"DataPieceValue<Bool>"}]`:                                                                  "1: b {offset: 0, size: 1} ! vrs.layout.piece",
		`[{"name":"a","type":"Surprise"}]`:                                                                                                              "broken ! vrs.layout.type",
		`[{"name":"a","type":"DataPieceValue<Quaternion>"}]`:                                                                                            "broken ! vrs.layout.type",
		`[{"name":"a","type":"DataPieceArray<Matrix4Dd>","size":4000000000}]`:                                                                           "broken ! vrs.layout.size",
		`[{"name":"a","type":"DataPieceValue<uint8_t>","default":NaN,"properties":{"min":-Infinity},"tags":{"unit":"m"},"required":true}]`:              "1: a {offset: 0, size: 1}",
	} {
		l := Parse(container.Tag{Value: `{"data_layout":` + text + "}"}, nil)
		got := "broken"
		if l.Broken == "" {
			got = fmt.Sprintf("%d:", l.Fixed)
			for i := range l.Pieces {
				if i > 0 {
					got += ","
				}
				got += " " + l.Pieces[i].Name + " " + model.ShowHeld(l.Pieces[i].Place(), 80)
			}
		}
		for _, p := range l.Problems {
			got += " ! " + p.Rule
		}
		if got != want {
			t.Errorf("%s:\n  %s, want\n  %s", text, got, want)
		}
	}
}
