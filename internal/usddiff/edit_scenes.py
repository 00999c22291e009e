"""Writes pairs of scenes: one out of gen_scenes.py with a stage of its own added, and the same after some edits by usd-core.

    python3 edit_scenes.py FOLDER COUNT [SEED]

Pair k is FOLDER/pair-k-a.usdc and pair-k-b.usdc; pair-k.json lists the edits, each as the change that a comparison is to
report: [change, path, field, other path].
"""

import json
import os
import random
import sys

from pxr import Gf, Sdf, Vt

import gen_scenes

NAMES = Sdf.ValueTypeNames
ROOT = Sdf.Path("/Stage")


def stage(layer, rand):
    """A branch with enough prims that each edit finds one of its own."""
    top = Sdf.PrimSpec(layer, "Stage", Sdf.SpecifierDef, "Xform")
    for i in range(10):
        group = Sdf.PrimSpec(top, f"Group_{i}", Sdf.SpecifierDef, "Xform")
        if i % 3 == 0:
            group.documentation = f"group {i}"
        for j in range(4):
            prim = Sdf.PrimSpec(group, f"Mesh_{j}", Sdf.SpecifierDef, "Mesh")
            Sdf.AttributeSpec(prim, "size", NAMES.Double).default = i + j / 10
            Sdf.AttributeSpec(prim, "label", NAMES.String).default = f"mesh {i} {j}"
            points = [Gf.Vec3f(rand.random(), i, j) for _ in range(rand.choice([3, 20, 200]))]
            Sdf.AttributeSpec(prim, "points", NAMES.Point3fArray).default = Vt.Vec3fArray(points)
            Sdf.AttributeSpec(prim, "indices", NAMES.IntArray).default = Vt.IntArray([rand.randint(0, 99) for _ in range(40)])
            moving = Sdf.AttributeSpec(prim, "moving", NAMES.Float)
            for time in range(5):
                layer.SetTimeSample(moving.path, float(time), rand.random())
            if j % 2:
                prim.referenceList.prependedItems = [Sdf.Reference(f"asset_{i}.usdc", "/Root")]


class Edits:
    def __init__(self, layer, rand):
        self.layer = layer
        self.rand = rand
        self.free = [ROOT.AppendChild(f"Group_{i}") for i in range(10)]
        self.rand.shuffle(self.free)
        self.expected = []

    def expect(self, change, path, field="", other=""):
        self.expected.append([change, str(path), field, str(other)])

    def group(self):
        return self.free.pop()

    def mesh(self):
        return self.group().AppendChild(f"Mesh_{self.rand.randrange(4)}")

    def attribute(self, name):
        return self.layer.GetAttributeAtPath(self.mesh().AppendProperty(name))

    def namespace(self, edit):
        batch = Sdf.BatchNamespaceEdit()
        batch.Add(edit)
        assert self.layer.Apply(batch)

    # what a person does to a scene

    def value(self):
        spec = self.attribute("size")
        spec.default = spec.default + 1
        self.expect("changed", spec.path, "default")

    def text(self):
        spec = self.attribute("label")
        spec.default = spec.default + ", again"
        self.expect("changed", spec.path, "default")

    def point(self):
        spec = self.attribute("points")
        points = list(spec.default)
        points[self.rand.randrange(len(points))] += Gf.Vec3f(0, 0.5, 0)
        spec.default = Vt.Vec3fArray(points)
        self.expect("changed", spec.path, "default")

    def longer(self):
        spec = self.attribute("indices")
        spec.default = Vt.IntArray(list(spec.default) + [1, 2, 3])
        self.expect("changed", spec.path, "default")

    def sample(self):
        spec = self.attribute("moving")
        self.layer.SetTimeSample(spec.path, float(self.rand.randrange(5)), 7.5)
        self.expect("changed", spec.path, "timeSamples")

    def more_samples(self):
        spec = self.attribute("moving")
        self.layer.SetTimeSample(spec.path, 2.5, 7.5)
        self.expect("added", spec.path, "timeSamples")

    def fewer_samples(self):
        spec = self.attribute("moving")
        self.layer.EraseTimeSample(spec.path, float(self.rand.randrange(5)))
        self.expect("removed", spec.path, "timeSamples")

    def metadata(self):
        prim = self.layer.GetPrimAtPath(self.group())
        self.expect("changed" if prim.HasInfo("documentation") else "added", prim.path, "documentation")
        prim.documentation = "another text"

    def custom_data(self):
        prim = self.layer.GetPrimAtPath(self.mesh())
        prim.customData = {"note": "by hand", "weights": Vt.DoubleArray([1, 2, 3])}
        self.expect("added", prim.path, "customData")

    def rename(self):
        path = self.mesh()
        new = path.GetParentPath().AppendChild("Renamed")
        self.namespace(Sdf.NamespaceEdit.Rename(path, "Renamed"))
        self.expect("moved", path, "", new)

    def rename_and_edit(self):
        path = self.group()
        new = path.GetParentPath().AppendChild("Better_" + path.name)
        self.namespace(Sdf.NamespaceEdit.Rename(path, new.name))
        self.expect("moved", path, "", new)
        spec = self.layer.GetAttributeAtPath(new.AppendPath("Mesh_1.size"))
        spec.default = -1.0
        self.expect("changed", path.AppendPath("Mesh_1.size"), "default")

    def rename_attribute(self):
        spec = self.attribute("points")
        self.expect("moved", spec.path, "", spec.path.GetParentPath().AppendProperty("renamedPoints"))
        self.namespace(Sdf.NamespaceEdit.Rename(spec.path, "renamedPoints"))

    def reorder(self):
        path = self.group()
        first = path.AppendChild("First")
        self.namespace(Sdf.NamespaceEdit(path.AppendChild("Mesh_3"), first, 0))
        self.namespace(Sdf.NamespaceEdit.Rename(first, "Mesh_3"))
        self.expect("changed", path, "primChildren")

    def reference(self):
        prim = self.layer.GetPrimAtPath(self.mesh())
        had = list(prim.referenceList.prependedItems)
        prim.referenceList.prependedItems = had + [Sdf.Reference("more.usda", "/Stage/Group_0")]
        self.expect("added", prim.path, "references")

    def payload(self):
        prim = self.layer.GetPrimAtPath(self.mesh())
        prim.payloadList.prependedItems = [Sdf.Payload("heavy.usdc", "/Payload")]
        self.expect("added", prim.path, "payload")

    def move(self):
        path, to = self.mesh(), self.group()
        new = to.AppendChild("Moved")
        self.namespace(Sdf.NamespaceEdit.ReparentAndRename(path, to, "Moved", -1))
        self.expect("moved", path, "", new)

    def add(self):
        path = self.group()
        prim = Sdf.PrimSpec(self.layer.GetPrimAtPath(path), "New", Sdf.SpecifierDef, "Cube")
        Sdf.AttributeSpec(prim, "edge", NAMES.Double).default = 3.5
        self.expect("added", prim.path)

    def remove(self):
        path = self.mesh()
        del self.layer.GetPrimAtPath(path.GetParentPath()).nameChildren[path.name]
        self.expect("removed", path)

    def type_name(self):
        prim = self.layer.GetPrimAtPath(self.mesh())
        prim.typeName = "Points"
        self.expect("changed", prim.path, "typeName")

    def layer_metadata(self):
        self.expect("changed" if self.layer.HasStartTimeCode() else "added", "/", "startTimeCode")
        self.layer.startTimeCode = -77.0


KINDS = ["value", "text", "point", "longer", "sample", "more_samples", "fewer_samples", "metadata", "custom_data", "rename",
         "rename_and_edit", "rename_attribute", "reorder", "reference", "payload", "move", "add", "remove", "type_name",
         "layer_metadata"]


def main(folder, count, seed):
    gen_scenes.make.register_list_ops()
    for k in range(count):
        rand = random.Random(f"{seed}/edits/{k}")
        name = os.path.join(folder, f"pair-{k:03d}")
        layer = Sdf.Layer.CreateAnonymous(".usdc")
        stage(layer, rand)
        gen_scenes.Scene(f"{seed}/{k}", layer).write(name + "-b.usdc")
        # Reading a spline works out its tangents, so what is edited is what was read and written once.
        Sdf.Layer.OpenAsAnonymous(name + "-b.usdc").Export(name + "-a.usdc")
        edited = Sdf.Layer.OpenAsAnonymous(name + "-a.usdc")
        edits = Edits(edited, rand)
        # Every kind alone, then several at once.
        for kind in [KINDS[k % len(KINDS)]] if k < 3 * len(KINDS) else rand.sample(KINDS, rand.randint(1, 5)):
            getattr(edits, kind)()
        edited.Export(name + "-b.usdc")
        with open(name + ".json", "w") as out:
            json.dump(edits.expected, out)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "cutaway")
