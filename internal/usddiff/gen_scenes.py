"""Writes scenes out of a seed: crates that hold all that usd-core can write, in many mixtures.

    python3 gen_scenes.py FOLDER COUNT [SEED]

Scene k is FOLDER/scene-k.usdc and depends on SEED and k alone.
"""

import math
import os
import random
import sys

from pxr import Gf, Sdf, Ts, Vt

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../testdata/usdc"))
import make  # noqa: E402

NAMES = Sdf.ValueTypeNames
WORDS = ["World", "a", "B2", "größe", "子", "ﬁ_x", "листья", "_", "very_long_" * 9, "point", "xformOp:translate",
         "primvars:st:indices"]
TEXTS = ["", "plain", "with \"quotes\" and \\", "line\nline\r\n\ttab", "naïve \U0001F916", "x" * 300, "nul-free \x01\x7f"]
ASSETS = ["", "a.png", "./dir/b.usdc", "pkg.usdz[in/ner.usd]", "größe.exr", "tile.<UDIM>.tif", "http://host/a?b=c"]
EXPRESSIONS = ["/World//", "//B*{kind:prop}", "/a/b - /a/b/c", "%:other - /x", ""]
SPECIAL = [0.0, -0.0, math.nan, math.inf, -math.inf, 0.1, 1.0, -1.0, 65504.0, 1e-7, 5e-324, 1e300, 3.4e38, 127.0, 128.0,
           -128.0, -129.0, 0.5]
INTS = {"Bool": (0, 1), "UChar": (0, 255), "Int": (-1 << 31, (1 << 31) - 1), "UInt": (0, (1 << 32) - 1),
        "Int64": (-1 << 63, (1 << 63) - 1), "UInt64": (0, (1 << 64) - 1)}
FLOATS = ("Half", "Float", "Double")
VECTORS = [word + size for word in ("Double", "Float", "Half", "Int") for size in "234"]
MATRICES = ["Matrix2d", "Matrix3d", "Matrix4d"]
QUATERNIONS = ["Quatd", "Quatf", "Quath"]
ROLES = ["Color3f", "Point3f", "Normal3d", "TexCoord2f", "Vector3h", "Frame4d", "Color4d"]
TEXTUAL = ["String", "Token", "Asset", "PathExpression"]
KINDS = list(INTS) + list(FLOATS) + VECTORS + MATRICES + QUATERNIONS + ROLES + TEXTUAL + ["TimeCode"]
LENGTHS = [0, 0, 1, 2, 3, 15, 16, 17, 40, 63, 64, 65, 200]


class Scene:
    def __init__(self, seed, layer):
        self.random = random.Random(seed)
        self.layer = layer
        self.paths = ["/World"]

    # numbers

    def chance(self, p):
        return self.random.random() < p

    def pick(self, items):
        return self.random.choice(items)

    def integer(self, kind):
        low, high = INTS[kind]
        return self.pick([low, high, 0 if low == 0 else -1, 1, self.random.randint(max(low, -200), min(high, 200)),
                          self.random.randint(low, high)])

    def float(self):
        return self.pick([self.pick(SPECIAL), float(self.random.randint(-5, 5)), self.random.uniform(-10, 10),
                          self.random.gauss(0, 1e6)])

    def integers(self, kind, count):
        """A run of integers such as compression likes: steps of one size, few sizes, or none."""
        low, high = INTS[kind]
        steps = self.pick([[1], [0], [1, 1, 1, -3], [7, 300, -70000], None])
        if steps is None:
            return [self.integer(kind) for _ in range(count)]
        value, run = self.random.randint(max(low, -1000), min(high, 1000)), []
        for _ in range(count):
            value = min(max(value + self.pick(steps), low), high)
            run.append(value)
        return run

    def floats(self, count):
        """Floats that are coded as integers, through a table, or not at all."""
        style = self.random.randrange(3)
        if style == 0:
            return [float(self.random.randint(-50, 50)) for _ in range(count)]
        if style == 1:
            table = [self.float() for _ in range(3)]
            return [self.pick(table) for _ in range(count)]
        return [self.float() for _ in range(count)]

    # values

    def scalar(self, kind):
        if kind == "Bool":
            return self.chance(0.5)
        if kind in INTS:
            return self.integer(kind)
        if kind in FLOATS:
            return self.float()
        if kind in ("String", "Token"):
            return self.pick(TEXTS + WORDS)
        if kind == "Asset":
            return Sdf.AssetPath(self.pick(ASSETS))
        if kind == "PathExpression":
            return Sdf.PathExpression(self.pick(EXPRESSIONS))
        if kind == "TimeCode":
            return Sdf.TimeCode(self.float())
        of = getattr(NAMES, kind).type.pythonClass
        if kind in MATRICES or kind.startswith("Frame"):
            size = of.dimension[0]
            if self.chance(0.4):
                return of(self.random.randint(-5, 5))
            return of(*[self.float() for _ in range(size * size)])
        if kind in QUATERNIONS:
            return of(self.float(), *[self.float() for _ in range(3)])
        if of.__name__.endswith("i"):
            return of(*[self.pick([self.random.randint(-128, 127), self.integer("Int")]) for _ in range(of.dimension)])
        if self.chance(0.4):
            return of(*[float(self.random.randint(-129, 128)) for _ in range(of.dimension)])
        return of(*[self.float() for _ in range(of.dimension)])

    def array(self, kind):
        count = self.pick(LENGTHS)
        of = getattr(NAMES, kind + "Array").type.pythonClass
        if kind in INTS and kind != "Bool":
            return of(self.integers(kind, count))
        if kind in FLOATS:
            return of(self.floats(count))
        return of([self.scalar(kind) for _ in range(count)])

    def value(self, kind, array):
        if self.chance(0.04):
            return Sdf.ValueBlock()
        return self.array(kind) if array else self.scalar(kind)

    def dictionary(self, depth=0):
        entries = {}
        for _ in range(self.random.randrange(5)):
            key = self.pick(["key", "größe", "a", "b", "c", "inner", "list"])
            if depth < 4 and self.chance(0.3):
                entries[key] = self.dictionary(depth + 1)
            elif self.chance(0.3):
                entries[key] = self.array(self.pick(["Int", "Float", "String", "Token", "Double3", "Bool", "UInt64"]))
            else:
                entries[key] = self.scalar(self.pick(["Bool", "Int", "Double", "String", "Asset", "Float3", "Matrix4d", "Quatf"]))
        return entries

    def path(self):
        path = Sdf.Path(self.pick(self.paths + ["/Elsewhere", "/Elsewhere/größe.a:b"]))
        return path.StripAllVariantSelections()

    def prim_path(self):
        return self.path().GetPrimPath()

    def offset(self):
        if self.chance(0.5):
            return Sdf.LayerOffset()
        return Sdf.LayerOffset(self.random.uniform(-10, 10), self.pick([1.0, 0.5, -2.0]))

    def edit(self, listing, make_item):
        """Fills some lists of a list editor; a list holds no item twice."""
        def items(at_most=3):
            made = []
            for _ in range(self.random.randint(0, at_most)):
                one = make_item()
                if one not in made:
                    made.append(one)
            return made
        if self.chance(0.35):
            listing.explicitItems = items()
            return
        for name in ("prependedItems", "appendedItems", "deletedItems"):
            if self.chance(0.5):
                setattr(listing, name, items())
        if self.chance(0.15):
            listing.orderedItems = items()

    # specs

    def attribute(self, prim, name):
        kind, array = self.pick(KINDS), self.chance(0.45)
        type_name = getattr(NAMES, kind + "Array") if array else getattr(NAMES, kind)
        variability = self.pick([Sdf.VariabilityVarying, Sdf.VariabilityUniform])
        spec = Sdf.AttributeSpec(prim, name, type_name, variability, self.chance(0.5))
        if self.chance(0.8):
            spec.default = self.value(kind, array)
        if self.chance(0.3):
            times = self.random.sample([-3.5, 0.0, 1.0, 2.0, 10.25, 1e6], self.random.randint(1, 5))
            same = self.value(kind, array)
            for time in times:
                self.layer.SetTimeSample(spec.path, time, same if self.chance(0.3) else self.value(kind, array))
        elif not array and kind in FLOATS and self.chance(0.5):
            spec.SetInfo("spline", self.spline(kind.lower()))
        if self.chance(0.2):
            self.edit(spec.connectionPathList, self.path)
        if self.chance(0.2):
            spec.customData = self.dictionary()
        if self.chance(0.2):
            spec.documentation = self.pick(TEXTS)
        if self.chance(0.1):
            spec.SetInfo("interpolation", "vertex")
        if array and kind in ("Int", "Float3", "String", "Token", "Double") and self.chance(0.15):
            spec.default = self.array_edit(kind, type_name)
        self.paths.append(str(spec.path))

    def array_edit(self, kind, type_name):
        # usd-core's dump, which edits are compared by, writes text as it is: no lines in it
        literal = lambda: self.pick(WORDS) if kind in ("String", "Token") else self.scalar(kind)
        builder = getattr(Vt, type_name.type.pythonClass.__name__ + "EditBuilder")()
        for _ in range(self.random.randint(0, 4)):
            what = self.random.randrange(5)
            if what == 0:
                builder.Write(literal(), self.random.randint(0, 9))
            elif what == 1:
                builder.Append(literal())
            elif what == 2:
                builder.EraseRef(self.random.randint(0, 3))
            elif what == 3:
                builder.MinSize(self.random.randint(0, 20))
            else:
                builder.Insert(literal(), self.random.randint(0, 3))
        return builder.FinalizeAndReset()

    def spline(self, kind):
        spline = Ts.Spline(kind)
        hermite = self.chance(0.3)
        if hermite:
            spline.SetCurveType(Ts.CurveTypeHermite)
        number = lambda: float(self.random.randint(-8, 8)) / 4  # exact in every width
        for time in sorted(self.random.sample(range(-5, 30), self.random.randint(0, 5))):
            knot = Ts.Knot(typeName=kind, time=float(time), value=number(), preTanSlope=number(), postTanSlope=number(),
                           nextInterp=self.pick([Ts.InterpValueBlock, Ts.InterpHeld, Ts.InterpLinear, Ts.InterpCurve]))
            if hermite:
                knot.SetCurveType(Ts.CurveTypeHermite)
            else:
                knot.SetPreTanWidth(abs(number()))
                knot.SetPostTanWidth(abs(number()))
            if self.chance(0.3):
                knot.SetPreValue(number())
            if self.chance(0.2):
                knot.SetCustomData(self.dictionary())
            if self.chance(0.1):
                knot.SetPreTanAlgorithm(Ts.TangentAlgorithmAutoEase)
            spline.SetKnot(knot)
        for setter in (spline.SetPreExtrapolation, spline.SetPostExtrapolation):
            if self.chance(0.5):
                extrapolation = Ts.Extrapolation(self.pick([
                    Ts.ExtrapValueBlock, Ts.ExtrapHeld, Ts.ExtrapLinear, Ts.ExtrapSloped, Ts.ExtrapLoopRepeat,
                    Ts.ExtrapLoopReset, Ts.ExtrapLoopOscillate]))
                if extrapolation.mode == Ts.ExtrapSloped:
                    extrapolation.slope = number()
                setter(extrapolation)
        if self.chance(0.15):
            loop = Ts.LoopParams()
            loop.protoStart, loop.protoEnd, loop.numPreLoops, loop.numPostLoops, loop.valueOffset = 0.0, 8.0, 1, 2, 0.5
            spline.SetInnerLoopParams(loop)
        return spline

    def prim_metadata(self, prim):
        if self.chance(0.3):
            prim.customData = self.dictionary()
        if self.chance(0.15):
            prim.assetInfo = self.dictionary()
        if self.chance(0.2):
            prim.comment = self.pick(TEXTS)
        if self.chance(0.3):
            prim.kind = self.pick(["component", "group", "assembly"])
        if self.chance(0.2):
            prim.active = self.chance(0.5)
        if self.chance(0.2):
            prim.permission = self.pick([Sdf.PermissionPublic, Sdf.PermissionPrivate])
        if self.chance(0.3):
            self.edit(prim.referenceList, lambda: Sdf.Reference(
                self.pick(ASSETS), self.pick([Sdf.Path(), self.prim_path()]), self.offset(),
                self.dictionary() if self.chance(0.3) else {}))
        if self.chance(0.3):
            self.edit(prim.payloadList, lambda: Sdf.Payload(
                self.pick(ASSETS), self.pick([Sdf.Path(), self.prim_path()]), self.offset()))
        if self.chance(0.2):
            self.edit(prim.inheritPathList, self.prim_path)
        if self.chance(0.2):
            self.edit(prim.specializesList, self.prim_path)
        for name, kind in make.LIST_OPS.items():
            if self.chance(0.1):
                op = kind()
                low = {"intlistop": (-1 << 31, (1 << 31) - 1), "uintlistop": (0, (1 << 32) - 1),
                       "int64listop": (-1 << 63, (1 << 63) - 1), "uint64listop": (0, (1 << 64) - 1)}.get(name)
                self.edit(op, (lambda: self.pick(TEXTS + WORDS)) if low is None
                          else lambda: self.pick([low[0], low[1], self.random.randint(0, 50)]))
                prim.SetInfo("my_" + name, op)

    def prim(self, parent, name, depth):
        specifier = self.pick([Sdf.SpecifierDef, Sdf.SpecifierOver, Sdf.SpecifierClass])
        prim = Sdf.PrimSpec(parent, name, specifier, self.pick(["", "Xform", "Mesh", "Größe"]))
        self.paths.append(str(prim.path))
        self.prim_metadata(prim)
        self.content(prim, depth)
        return prim

    def content(self, prim, depth):
        for name in self.random.sample(WORDS, self.random.randint(0, 5)):
            if self.chance(0.15):
                rel = Sdf.RelationshipSpec(prim, name, self.chance(0.5))
                self.edit(rel.targetPathList, self.path)
            else:
                self.attribute(prim, name)
        names = [w for w in WORDS if ":" not in w]
        if depth < 4:
            for name in self.random.sample(names, self.pick([0, 0, 1, 1, 2])):
                self.prim(prim, name, depth + 1)
        if depth < 3 and self.chance(0.3):
            for set_name in self.random.sample(["size", "look", "größe"], self.random.randint(1, 2)):
                prim.variantSetNameList.prependedItems.append(set_name)
                variant_set = Sdf.VariantSetSpec(prim, set_name)
                for variant in self.random.sample(["a", "b-1", "größer", "v_2"], self.random.randint(0, 2)):
                    self.content(Sdf.VariantSpec(variant_set, variant).primSpec, depth + 1)
                if self.chance(0.7):
                    prim.variantSelections[set_name] = self.pick(["a", "b-1", "nowhere"])

    def layer_metadata(self):
        layer = self.layer
        for name in self.random.sample(["one.usda", "dir/two.usdc", "größe.usd"], self.random.randint(0, 3)):
            layer.subLayerPaths.append(name)
            layer.subLayerOffsets[len(layer.subLayerPaths) - 1] = self.offset()
        if self.chance(0.5):
            layer.customLayerData = self.dictionary()
        if self.chance(0.5):
            layer.startTimeCode, layer.endTimeCode = self.random.uniform(-5, 5), 100.0
        if self.chance(0.3):
            layer.documentation = self.pick(TEXTS)
        if self.chance(0.3):
            layer.expressionVariables = {"VAR": "text", "NUMBER": 3}
        if self.chance(0.2):
            layer.relocates = [("/World/from", "/World/to"), ("/World/gone", Sdf.Path.emptyPath)]

    def write(self, file):
        self.layer_metadata()
        self.prim(self.layer, "World", 0)
        self.layer.defaultPrim = "World"
        for name in self.random.sample(["Other", "größe"], self.random.randint(0, 2)):
            self.prim(self.layer, name, 1)
        self.layer.Export(file)


# Metadata that no schema knows cannot be set, but is kept when it is read from text.
UNREGISTERED = """#usda 1.0
(
    odd = "layer"
)
def "Odd" (
    oddText = "text"
    oddDict = {
        int a = 1
        dictionary b = {
            string c = "d"
        }
    }
    prepend oddList = ["x", "y"]
    delete oddList = ["z"]
)
{
    custom int x = 1 (
        oddNote = "n"
    )
}
"""


def main(folder, count, seed):
    make.register_list_ops()
    for k in range(count):
        layer = Sdf.Layer.CreateAnonymous(".usdc")
        if k % 10 == 0:
            layer.ImportFromString(UNREGISTERED)
        Scene(f"{seed}/{k}", layer).write(os.path.join(folder, f"scene-{k:03d}.usdc"))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "cutaway")
