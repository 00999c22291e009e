package decoders

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/model"
)

// sceneOf lists the shapes of a file's scene at a time, each as its kind, the place of its origin and its paths.
func sceneOf(t *testing.T, file string, time float64) (list []string, timed bool) {
	t.Helper()
	doc := openSequences(t, file)
	root := doc.Views[0].Place(t.Context())
	if err := root.Node.Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	root = root.Fresh(t.Context())
	scenes := model.CardsOf[model.Scene](t.Context(), &root.Node)
	if len(scenes) != 1 {
		t.Fatalf("%s has %d scenes", file, len(scenes))
	}
	timed, err := scenes[0].Shapes(t.Context(), time, func(p model.Placed) error {
		if _, err := doc.Lookup(t.Context(), root.Path()+"/"+p.Paths[0]); err != nil {
			t.Error(err)
		}
		list = append(list, fmt.Sprintf("%s %.3f %.3f %.3f %s", p.Kind, p.To[12], p.To[13], p.To[14], strings.Join(p.Paths, " ")))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list, timed
}

// TestSceneOfSample: the sample has the shapes that USD draws of it, with those of the chosen variant, in a crate and in text.
func TestSceneOfSample(t *testing.T) {
	arm := "Workshop/Robot/Base/"
	want := []string{
		"mesh 0.000 0.000 0.000 Workshop/Table/Top Workshop/Table/Top",
		"mesh 0.000 0.000 0.000 " + arm + "Shell " + arm + "Shell",
	}
	still, timed := sceneOf(t, "../assets/sample.usdc", math.NaN())
	for _, w := range want {
		if !slices.Contains(still, w) {
			t.Errorf("%q is not in\n%s", w, strings.Join(still, "\n"))
		}
	}
	kinds := map[string]int{}
	for _, s := range still {
		kinds[strings.Fields(s)[0]]++
	}
	if kinds["mesh"] != 5 || kinds["cube"] != 2 || kinds["cylinder"] != 1 || len(kinds) != 3 || !timed {
		t.Errorf("%v, timed %v", kinds, timed)
	}
	at24, _ := sceneOf(t, "../assets/sample.usdc", 24)
	hand := "Base/UpperArm/Forearm/Wrist/Tool/Left"
	if moved := "cube -0.182 1.439 0.179 Workshop/Robot/{tool=gripper}/" + hand + " Workshop/Robot/" + hand; !slices.Contains(at24, moved) {
		t.Errorf("%q is not in\n%s", moved, strings.Join(at24, "\n"))
	}
}

// TestSceneOfText: transforms are applied in their order, an inverted one undone; what is hidden, a class or a guide has no shape, nor has
// an over; an instancer puts its prototypes.
func TestSceneOfText(t *testing.T) {
	file := filepath.Join(t.TempDir(), "scene.usda")
	text := `#usda 1.0
def Xform "A" {
    double3 xformOp:translate = (1, 2, 3)
    float xformOp:rotateZ = 90
    float3 xformOp:scale = (2, 2, 2)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ", "xformOp:scale"]
    def Cube "Moved" {
        double3 xformOp:translate = (1, 0, 0)
        double3 xformOp:translate:pivot = (0, 5, 0)
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:translate:pivot", "!invert!xformOp:translate:pivot"]
    }
    def Sphere "Alone" {
        double3 xformOp:translate = (7, 0, 0)
        uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:translate"]
    }
    def Cube "Hidden" { token visibility = "invisible" }
    def Cube "Guide" { uniform token purpose = "guide" }
    over Cube "Over" {}
    class Cube "Class" {}
    def Cube "Off" (active = false) {}
}
def Xform "Copy" (references = </A>) { uniform token[] xformOpOrder = [] }
def PointInstancer "Many" {
    rel prototypes = [</Many/One>]
    int[] protoIndices = [0, 0]
    point3f[] positions = [(10, 0, 0), (20, 0, 0)]
    def Cone "One" {}
}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, timed := sceneOf(t, file, math.NaN())
	want := []string{
		"cube 1.000 4.000 3.000 A/Moved A/Moved", "sphere 7.000 0.000 0.000 A/Alone A/Alone",
		"cube 1.000 0.000 0.000 A/Moved Copy/Moved", "sphere 7.000 0.000 0.000 A/Alone Copy/Alone",
		"cone 10.000 0.000 0.000 Many", "cone 20.000 0.000 0.000 Many",
	}
	if !slices.Equal(got, want) || timed {
		t.Errorf("timed %v\n%s", timed, strings.Join(got, "\n"))
	}
}
