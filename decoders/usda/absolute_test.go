package usda

import "testing"

// TestAbsolutePath holds what usd-core makes of relative paths.
func TestAbsolutePath(t *testing.T) {
	for _, test := range [][3]string{
		{"/World/A", "../Other", "/World/Other"}, {"/World/A", "../../x", "/x"}, {"/World/A", "A", "/World/A/A"},
		{"/World/A", ".arr", "/World/A.arr"}, {"/World/A", "../.arr", "/World.arr"}, {"/World/A", "..", "/World"},
		{"/World", "..", "/"}, {"/World/A", "../", "../"}, {"/World/A", "../../../x", "../x"}, {"/World/A", "/x", "/x"}, {"/World/A", "", ""},
		{"/World{look=red}A", "../../Other", "/World/Other"}, {"/World{look=red}A", "../../../Other", "/Other"},
		{"/World{look=red}A", "../Other", "/World{look=red}Other"}, {"/World{look=red}", "A", "/World{look=red}A"},
	} {
		if got := AbsolutePath(test[0], test[1]); got != test[2] {
			t.Errorf("%s in %s is %s, want %s", test[1], test[0], got, test[2])
		}
	}
	for _, test := range [][2]string{
		{"/World{look=red}A/B.x", "/World/A/B.x"}, {"/World{look=red}", "/World"}, {"/World{look=red}.x", "/World.x"},
		{"/World{a=b}{c=d}E{f=}", "/World/E"}, {"/World.x", "/World.x"},
	} {
		if got := WithoutVariants(test[0]); got != test[1] {
			t.Errorf("%s without variants is %s, want %s", test[0], got, test[1])
		}
	}
}
