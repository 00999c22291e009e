package vrs

import (
	"slices"
	"testing"
)

// TestLabels: a label keeps what distinguishes a stream, and no two streams have the same.
func TestLabels(t *testing.T) {
	for _, c := range []struct{ names, flavors, want []string }{
		{[]string{"RGB Camera Class", "Generic Audio Stream"}, []string{"device/oatmeal", "device/oatmeal"}, []string{"RGB Camera", "Generic Audio"}},
		{[]string{"Pose Data Class", "Pose Data Class", "Pose Data Class"}, []string{"device/oatmeal/hand", "device/oatmeal/vio", "device/oatmeal/vio_high_frequency"},
			[]string{"Pose · hand", "Pose · vio", "Pose · vio_high_frequency"}},
		{[]string{"Camera Data (SLAM)", "Camera Data (SLAM)", "IMU Data (SLAM)"}, []string{"d/a", "d/a", "d/a"}, []string{"Camera (SLAM) 1", "Camera (SLAM) 2", "IMU (SLAM)"}},
		{[]string{"Annotation Data Class", "Annotation Data Class", "Annotation Data Class"}, []string{"rgbFlavor", "slamFlavor", "slamFlavor"},
			[]string{"Annotation · rgbFlavor", "Annotation · slamFlavor 1", "Annotation · slamFlavor 2"}},
		{[]string{"Pose", "Pose"}, []string{"a/vio", "a/vio/fast"}, []string{"Pose", "Pose · fast"}},
		{[]string{"Data Class", ""}, []string{"", ""}, []string{"Data Class", ""}},
		{[]string{"IMU", "IMU"}, []string{"", "x/y"}, []string{"IMU", "IMU · x/y"}},
	} {
		if got := labelsOf(c.names, c.flavors); !slices.Equal(got, c.want) {
			t.Errorf("%q, %q: %q, want %q", c.names, c.flavors, got, c.want)
		}
	}
}
