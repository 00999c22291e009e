package inspect

import (
	"math"
	"time"

	"cutaway/model"
)

// A number counts as a time only between these years, since any number is some time.
const firstYear, lastYear = 1980, 2100

// dosEpoch is the first year of DOS.
const dosEpoch = 1980

// Units of time, in nanoseconds.
const (
	microsecond = 1000
	millisecond = 1000 * microsecond
	second      = 1000 * millisecond
	tick        = 100 // of FILETIME and .NET
)

const noTime = "outside 1980–2100"

// Seconds until 1970 from 1601, the epoch of FILETIME, and from the year 1, the epoch of .NET.
var (
	from1601 = -time.Date(1601, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	from1    = -time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

// showTime returns a time with its decimals.
func showTime(t time.Time) (text, why string) {
	t = t.UTC()
	if t.Year() < firstYear || t.Year() >= lastYear {
		return "", noTime
	}
	return t.Format("2006-01-02T15:04:05.999999999Z"), ""
}

func showUnix32(b []byte, o order) (string, string) {
	return showTime(time.Unix(int64(o.number(b)), 0))
}

// showUnix returns an interpretation of a signed count of a unit since 1970.
func showUnix(unit int64) func(b []byte, o order) (string, string) {
	return func(b []byte, o order) (string, string) {
		v := int64(o.number(b))
		perSecond := second / unit
		return showTime(time.Unix(v/perSecond, v%perSecond*unit))
	}
}

func showUnixDouble(b []byte, o order) (string, string) {
	v := o.float(model.NumberF64, b)
	if !(v >= 0 && v < 1<<33) {
		return "", noTime
	}
	whole, part := math.Modf(v)
	return showTime(time.Unix(int64(whole), int64(part*second)).Round(microsecond)) // a double is no more precise
}

// showFiletime reads Windows' count of 100 ns since 1601.
func showFiletime(b []byte, o order) (string, string) {
	return showSince(o.number(b), from1601)
}

// showTicks reads a .NET DateTime: 100 ns since the year 1 in 62 bits, below 2 bits for the kind of clock.
func showTicks(b []byte, o order) (string, string) {
	const clockBits = 2
	v := o.number(b)
	return showSince(v<<clockBits>>clockBits, from1)
}

// showSince returns the time v ticks after an epoch, which is before seconds before 1970.
func showSince(v uint64, before int64) (string, string) {
	const perSecond = second / tick
	return showTime(time.Unix(int64(v/perSecond)-before, int64(v%perSecond)*tick))
}

// showDOS reads the time (lower half) and date of FAT and ZIP, in an unknown time zone.
func showDOS(b []byte, o order) (string, string) {
	v := o.number(b)
	clock, date := int(v&0xffff), int(v>>16)
	year, month, day := dosEpoch+date>>9, date>>5&15, date&31
	hour, minute, sec := clock>>11, clock>>5&63, clock&31*2
	t := time.Date(year, time.Month(month), day, hour, minute, sec, 0, time.UTC)
	// Date converts 31 February to 3 March; such a number is no time.
	if month < 1 || month > 12 || day < 1 || t.Day() != day || hour > 23 || minute > 59 || sec > 59 || year >= lastYear {
		return "", "not a date"
	}
	return t.Format("2006-01-02T15:04:05") + " local", ""
}
