package media

import (
	"encoding/binary"
	"math"
)

var le = binary.LittleEndian

func readF64(b []byte) float64 { return math.Float64frombits(le.Uint64(b)) }

func readF32(b []byte) float32 { return math.Float32frombits(le.Uint32(b)) }
