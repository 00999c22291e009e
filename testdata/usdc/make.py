"""Writes the small crates and packages of this folder that come from usd-core, one for each topic.

    python3 testdata/usdc/make.py testdata/usdc

Needs usd-core (made with 26.11). made-*.usdc, x-*.usdc and x-*.usdz come from internal/crategen instead.
"""

import json
import math
import os
import sys
import tempfile

from pxr import Gf, Plug, Sdf, Ts, UsdUtils, Vt

NAMES = Sdf.ValueTypeNames


def attribute(prim, name, kind, value):
    spec = Sdf.AttributeSpec(prim, name, kind)
    spec.default = value
    return spec


def prim_of(layer, name="World"):
    return Sdf.PrimSpec(layer, name, Sdf.SpecifierDef, "Scope")


def value_types(layer):
    prim = prim_of(layer)
    long = 9007199254740993
    for kind, values in (
        (NAMES.Bool, [True, False]), (NAMES.UChar, [0, 255]), (NAMES.Int, [-2147483648, 2147483647]),
        (NAMES.UInt, [0, 4294967295]), (NAMES.Int64, [-long, 5]), (NAMES.UInt64, [18446744073709551615, 5]),
        (NAMES.Half, [0.5, -math.inf]), (NAMES.Float, [0.1, math.nan]), (NAMES.Double, [0.1, -0.0]),
        (NAMES.String, ["", "a \"quoted\" word"]), (NAMES.Token, ["t", ""]),
        (NAMES.Asset, [Sdf.AssetPath("a.png"), Sdf.AssetPath("")]),
        (NAMES.Matrix2d, [Gf.Matrix2d(1, 2, 3, 4), Gf.Matrix2d(1)]),
        (NAMES.Matrix3d, [Gf.Matrix3d(3), Gf.Matrix3d(0.5)]),
        (NAMES.Matrix4d, [Gf.Matrix4d(1).SetTranslate((1, 2, 3)), Gf.Matrix4d(-2)]),
        (NAMES.Quatd, [Gf.Quatd(1, 2, 3, 4), Gf.Quatd(1)]), (NAMES.Quatf, [Gf.Quatf(1, 2, 3, 4), Gf.Quatf(1)]),
        (NAMES.Quath, [Gf.Quath(1, 2, 3, 4), Gf.Quath(1)]),
        (NAMES.Double2, [Gf.Vec2d(0.1, 2), Gf.Vec2d(1, -2)]), (NAMES.Float2, [Gf.Vec2f(0.1, 2), Gf.Vec2f(1, -2)]),
        (NAMES.Half2, [Gf.Vec2h(0.5, 2), Gf.Vec2h(1, -2)]), (NAMES.Int2, [Gf.Vec2i(1000, 2), Gf.Vec2i(1, -2)]),
        (NAMES.Double3, [Gf.Vec3d(0.1, 2, 3), Gf.Vec3d(1)]), (NAMES.Float3, [Gf.Vec3f(0.1, 2, 3), Gf.Vec3f(1)]),
        (NAMES.Half3, [Gf.Vec3h(0.5, 2, 3), Gf.Vec3h(1)]), (NAMES.Int3, [Gf.Vec3i(1000, 2, 3), Gf.Vec3i(1)]),
        (NAMES.Double4, [Gf.Vec4d(0.1, 2, 3, 4), Gf.Vec4d(1)]), (NAMES.Float4, [Gf.Vec4f(0.1, 2, 3, 4), Gf.Vec4f(1)]),
        (NAMES.Half4, [Gf.Vec4h(0.5, 2, 3, 4), Gf.Vec4h(1)]), (NAMES.Int4, [Gf.Vec4i(1000, 2, 3, 4), Gf.Vec4i(1)]),
        (NAMES.Color3f, [Gf.Vec3f(0.5, 0.25, 1), Gf.Vec3f(0)]), (NAMES.Frame4d, [Gf.Matrix4d(1), Gf.Matrix4d(2)]),
    ):
        name = str(kind)
        attribute(prim, name, kind, values[0])
        attribute(prim, name + "Small", kind, values[1])
        attribute(prim, name + "s", kind.arrayType, values)
    attribute(prim, "squares", NAMES.IntArray, [k * k % 50 for k in range(40)])
    attribute(prim, "none", NAMES.FloatArray, [])
    attribute(prim, "blocked", NAMES.Float, Sdf.ValueBlock())


LIST_OPS = {"tokenlistop": Sdf.TokenListOp, "stringlistop": Sdf.StringListOp, "intlistop": Sdf.IntListOp,
            "uintlistop": Sdf.UIntListOp, "int64listop": Sdf.Int64ListOp, "uint64listop": Sdf.UInt64ListOp}


def register_list_ops():
    """Makes metadata "my_tokenlistop" and so on known, so that values of these types can be written."""
    with tempfile.TemporaryDirectory() as folder:
        info = {"SdfMetadata": {"my_" + name: {"type": name, "appliesTo": ["prims"]} for name in LIST_OPS}}
        with open(os.path.join(folder, "plugInfo.json"), "w") as file:
            json.dump({"Plugins": [{"Name": "cutaway", "Type": "resource", "Root": ".", "LibraryPath": "",
                                    "ResourcePath": ".", "Info": info}]}, file)
        Plug.Registry().RegisterPlugins(folder)


def list_ops(layer):
    for name, kind in LIST_OPS.items():
        items = "abcdef" if name in ("tokenlistop", "stringlistop") else [0, 2, 3, 4, 5, 2147483647]
        edit, full, bare, legacy = kind(), kind(), kind(), kind()
        edit.prependedItems, edit.appendedItems, edit.deletedItems = [items[0]], [items[1], items[5]], [items[2]]
        full.explicitItems = list(items[3:])
        bare.explicitItems = []
        legacy.addedItems, legacy.orderedItems = list(items[:2]), list(items[4:])
        for what, op in (("Edit", edit), ("Full", full), ("Bare", bare), ("Legacy", legacy)):
            Sdf.PrimSpec(layer, name + what, Sdf.SpecifierOver).SetInfo("my_" + name, op)
    prim = prim_of(layer)
    rel = Sdf.RelationshipSpec(prim, "rel")
    rel.targetPathList.prependedItems = ["/A", "/B.c"]
    rel.targetPathList.deletedItems = ["/D"]
    rel.targetPathList.appendedItems = ["/World"]
    prim.inheritPathList.explicitItems = ["/C"]
    prim.specializesList.appendedItems = ["/S"]


def variants(layer):
    prim = prim_of(layer)
    prim.variantSelections["size"] = "big"
    prim.variantSetNameList.prependedItems = ["size", "look"]
    for set_name in ("size", "look"):
        variant_set = Sdf.VariantSetSpec(prim, set_name)
        for name in ("big", "small-1"):
            if set_name == "size" or name == "big":
                inner = Sdf.VariantSpec(variant_set, name).primSpec
                child = Sdf.PrimSpec(inner, "Child", Sdf.SpecifierDef, "Cube")
                attribute(child, "size", NAMES.Double, 2.0)
                nested = Sdf.VariantSetSpec(child, "colour")
                attribute(Sdf.VariantSpec(nested, "red").primSpec, "hue", NAMES.Float, 0.0)


def samples(layer):
    prim = prim_of(layer)
    for name, kind, values in (
        ("number", NAMES.Double, {0: 1.5, 1: 0.1, 2: Sdf.ValueBlock(), 10.25: 4.0}),
        ("same", NAMES.Float, {0: 1.0, 1: 1.0, 2: 1.0, 10.25: 1.0}),
        ("points", NAMES.Point3fArray, {0: [Gf.Vec3f(k, 0, 0) for k in range(4)], 1: [], 5: [Gf.Vec3f(1, 2, 3)]}),
        ("ints", NAMES.IntArray, {0: list(range(20)), 1: list(range(20, 0, -1))}),
        ("word", NAMES.Token, {-1: "before", 1: "after"}),
        ("text", NAMES.StringArray, {0: ["a", "b"], 1: ["b"]}),
        ("turn", NAMES.Quatf, {0: Gf.Quatf(1, 0, 0, 0), 1: Gf.Quatf(0, 0, 0, 1)}),
    ):
        spec = Sdf.AttributeSpec(prim, name, kind)
        for time, value in values.items():
            layer.SetTimeSample(spec.path, time, kind.type.pythonClass(value) if isinstance(value, list) else value)


def arcs(layer):
    layer.subLayerPaths[:] = ["first.usda", "dir/second.usdc"]
    layer.subLayerOffsets[1] = Sdf.LayerOffset(24, 0.5)
    prim = prim_of(layer)
    prim.referenceList.prependedItems = [
        Sdf.Reference("a.usda", "/A", Sdf.LayerOffset(10, 2), {"note": "why", "inner": {"n": 1}}),
        Sdf.Reference("", "/B"), Sdf.Reference("whole.usdc", Sdf.Path())]
    prim.referenceList.deletedItems = [Sdf.Reference("gone.usda", "/Gone")]
    prim.payloadList.explicitItems = [Sdf.Payload("p.usdc", "/P", Sdf.LayerOffset(1, 1)), Sdf.Payload("", "/B")]
    Sdf.PrimSpec(layer, "B", Sdf.SpecifierClass)


def dictionaries(layer):
    prim = prim_of(layer)
    prim.customData = {
        "empty": {}, "nested": {"deep": {"deeper": {"number": 1, "text": "x"}}}, "flag": False,
        "array": Vt.IntArray(range(30)), "vector": Gf.Vec3d(1, 2, 3.5), "matrix": Gf.Matrix2d(1, 2, 3, 4),
        "asset": Sdf.AssetPath("a.png"), "texts": Vt.StringArray(["a", "b"]), "big": 1 << 60, "größe": "y",
    }
    prim.assetInfo = {"name": "thing", "version": "1"}
    layer.customLayerData = {"layer": {"made": "by make.py"}}
    attribute(prim, "noted", NAMES.Float, 1.0).customData = {"unit": "m"}


def relocates(layer):
    prim = prim_of(layer)
    Sdf.PrimSpec(prim, "New", Sdf.SpecifierOver)
    layer.relocates = [("/World/Old", "/World/New"), ("/World/Gone", Sdf.Path.emptyPath)]


def splines(layer):
    prim = prim_of(layer)

    def add(name, kind, knots, curve=Ts.CurveTypeBezier, pre=None, post=None):
        spline = Ts.Spline(kind)
        spline.SetCurveType(curve)
        for knot in knots:
            spline.SetKnot(Ts.Knot(typeName=kind, curveType=curve, **knot))
        if pre:
            spline.SetPreExtrapolation(pre)
        if post:
            spline.SetPostExtrapolation(post)
        Sdf.AttributeSpec(prim, name, getattr(NAMES, kind.capitalize())).SetInfo("spline", spline)

    sloped = Ts.Extrapolation(Ts.ExtrapSloped)
    sloped.slope = -1.5
    add("double", "double", [dict(time=1, value=8, postTanWidth=1.3, postTanSlope=0.125, nextInterp=Ts.InterpCurve),
                             dict(time=6, value=20, preTanWidth=1.3, preTanSlope=-0.2, nextInterp=Ts.InterpLinear)],
        post=sloped)
    add("float", "float", [dict(time=0, value=1, preValue=2, nextInterp=Ts.InterpHeld),
                           dict(time=2.5, value=3, nextInterp=Ts.InterpValueBlock, customData={"note": {"by": "hand"}})],
        pre=Ts.Extrapolation(Ts.ExtrapLoopReset), post=Ts.Extrapolation(Ts.ExtrapLoopOscillate))
    add("half", "half", [dict(time=0, value=1, preTanSlope=0.5, postTanSlope=0.5, nextInterp=Ts.InterpCurve)],
        curve=Ts.CurveTypeHermite)
    add("empty", "double", [])


def timecodes(layer):
    prim = prim_of(layer)
    attribute(prim, "start", NAMES.TimeCode, Sdf.TimeCode(12.5))
    attribute(prim, "stops", NAMES.TimeCodeArray, [Sdf.TimeCode(k / 4) for k in range(6)])
    spec = Sdf.AttributeSpec(prim, "cues", NAMES.TimeCode)
    layer.SetTimeSample(spec.path, 0, Sdf.TimeCode(1))


def durations(layer):
    prim = prim_of(layer)
    attribute(prim, "one", NAMES.Duration, Gf.Duration(2.5))
    attribute(prim, "many", NAMES.DurationArray, [Gf.Duration(k / 4) for k in range(40)])
    attribute(prim, "none", NAMES.DurationArray, Vt.DurationArray())
    for name, first in (("sampled", Gf.Duration(1)), ("sampledMany", Vt.DurationArray([Gf.Duration(-1)]))):
        spec = Sdf.AttributeSpec(prim, name, getattr(NAMES, "Duration" if name == "sampled" else "DurationArray"))
        layer.SetTimeSample(spec.path, 0, first)
        layer.SetTimeSample(spec.path, 24, Sdf.ValueBlock())
    spline = Ts.Spline("duration")
    for time, value in ((1.0, 2.5), (5.0, -3.25)):
        spline.SetKnot(Ts.Knot("duration", time=time, value=Gf.Duration(value), nextInterp=Ts.InterpCurve))
    Sdf.AttributeSpec(prim, "curve", NAMES.Duration).SetSpline(spline)
    edit = Vt.DurationArrayEditBuilder()
    edit.Append(Gf.Duration(3.5))
    edit.EraseRef(0)
    Sdf.AttributeSpec(prim, "edited", NAMES.DurationArray).default = edit.FinalizeAndReset()
    inner = {"one": Gf.Duration(0.125), "many": Vt.DurationArray([Gf.Duration(1), Gf.Duration(2)])}
    prim.customData = {"dictionary": inner, **inner}
    layer.customLayerData = inner


def path_expressions(layer):
    prim = prim_of(layer)
    attribute(prim, "one", NAMES.PathExpression, Sdf.PathExpression("/World//{kind:prop} - %:other"))
    attribute(prim, "many", NAMES.PathExpressionArray, [Sdf.PathExpression("/A"), Sdf.PathExpression("//B*.size")])


def unicode_names(layer):
    prim = prim_of(layer, "Wörld")
    child = Sdf.PrimSpec(prim, "子_é_ﬁ", Sdf.SpecifierDef, "Scope")
    attribute(child, "größe:höhe", NAMES.String, "naïve \U0001F916 text\n\ttab \\ and \"quotes\"")
    attribute(child, "листья", NAMES.TokenArray, ["один", "", "два words"])
    prim.comment = "line one\nline two\r\n"
    prim.documentation = "x" * 200


def empty(layer):
    del layer


def unregistered(layer):
    layer.ImportFromString("""#usda 1.0
(
    layerNote = "unknown to the schema"
)
def Scope "World" (
    myText = "some text"
    myDict = {
        dictionary a = {
            int b = 1
        }
    }
    prepend myList = ["first", "second"]
    delete myList = ["third"]
)
{
    float x (
        unitNote = "metres"
    )
}
""")


def array_edits(layer):
    prim = prim_of(layer)
    for name, kind, builder, value in (("ints", NAMES.IntArray, Vt.IntArrayEditBuilder, 7),
                                       ("points", NAMES.Float3Array, Vt.Vec3fArrayEditBuilder, Gf.Vec3f(1, 2, 3)),
                                       ("words", NAMES.StringArray, Vt.StringArrayEditBuilder, "seven")):
        edit = builder().Write(value, 2).Prepend(value).Append(value).EraseRef(0).MinSize(4)
        attribute(prim, name, kind, edit.FinalizeAndReset())


CRATES = {"value-types": value_types, "list-ops": list_ops, "variants": variants, "samples": samples, "arcs": arcs,
          "dictionaries": dictionaries, "relocates": relocates, "splines": splines, "timecodes": timecodes,
          "path-expressions": path_expressions, "unicode": unicode_names, "empty": empty,
          "unregistered": unregistered, "array-edits": array_edits, "durations": durations}


def packages(folder):
    """A package of one layer, one of several files, and one that holds another."""
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        layers = {"shape.usdc": [], "look.usda": ["image.png"], "root.usdc": ["shape.usdc", "look.usda"]}
        with open("image.png", "wb") as image:
            image.write(bytes.fromhex(
                "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
                "0000000c49444154789c63f8cfc000000301010018dd8db00000000049454e44ae426082"))
        for name, uses in layers.items():
            layer = Sdf.Layer.CreateNew(name)
            prim = Sdf.PrimSpec(layer, "Root", Sdf.SpecifierDef, "Scope")
            layer.defaultPrim = "Root"
            for used in uses:
                if used.endswith(".png"):
                    attribute(prim, "file", NAMES.Asset, Sdf.AssetPath(used))
                else:
                    prim.referenceList.prependedItems.append(Sdf.Reference(used))
            layer.Save()
        for name in os.listdir():
            os.utime(name, (1767225600, 1767225600))  # packages keep the time; make them come out the same
        UsdUtils.CreateNewUsdzPackage("shape.usdc", os.path.join(folder, "single.usdz"))
        os.utime(os.path.join(folder, "single.usdz"), (1767225600, 1767225600))
        for package, first in (("several.usdz", "shape.usdc"), ("nested.usdz", os.path.join(folder, "single.usdz"))):
            with Sdf.ZipFileWriter.CreateNew(os.path.join(folder, package)) as writer:
                writer.AddFile("root.usdc")
                writer.AddFile(first, first if first in layers else "inner/single.usdz")
                writer.AddFile("look.usda")
                writer.AddFile("image.png")


def main(folder):
    folder = os.path.abspath(folder)
    register_list_ops()
    for name, make in CRATES.items():
        layer = Sdf.Layer.CreateAnonymous(".usdc")
        make(layer)
        layer.Export(os.path.join(folder, name + ".usdc"))
    packages(folder)


if __name__ == "__main__":
    main(sys.argv[1])
