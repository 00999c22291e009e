package container

import (
	"math"
	"time"

	"cutaway/model"
)

// Times for a person (chapter 7.7).

// Bounds of values that look like seconds since 1970 (chapter 7.7): 2015 to 2034.
const (
	firstEpoch = 1.42e9
	lastEpoch  = 2.05e9
)

// MomentText is the moment that a number of seconds looks like, for a help line; "" where it looks like none.
func MomentText(seconds float64) string {
	if !(seconds >= firstEpoch && seconds <= lastEpoch) {
		return ""
	}
	whole, part := math.Modf(seconds)
	return ": " + time.Unix(int64(whole), int64(part*1e9)).UTC().Format("2006-01-02 15:04:05.000 UTC")
}

// TimeText is momentText of a timestamp. The extreme ones have meanings.
func TimeText(seconds float64) string {
	if end := EndText(seconds); end != "" {
		return ": the " + end + " of all times"
	}
	return MomentText(seconds)
}

// SecondsText writes a timestamp for a person; the extreme ones have meanings.
func SecondsText(t float64) string {
	if end := EndText(t); end != "" {
		return end
	}
	return model.FormatFloat(t, 64) + " s"
}

// EndText names a timestamp that means before or after all others; "" of others.
func EndText(t float64) string {
	if math.Abs(t) == math.MaxFloat64 {
		return model.FormatTime(t)
	}
	return ""
}
