"""Writes sample.usdc, the scene that Cutaway has built in: a robot arm at work on a table.

    python3 assets/sample.py assets/sample.usdc

Needs usd-core (made with 26.11). The same version writes the same bytes each time. The scene is our own; it wants to
show each thing a crate can hold once, in a place where it makes sense.
"""

import math
import sys

from pxr import Gf, Sdf, Ts, Usd, UsdGeom, UsdLux, UsdShade, Vt

RINGS = 20  # vertices around a turned part
ROLL_CALL = ("base", "upper arm", "forearm", "wrist")


def lathe(stage, path, profile, note):
    """A mesh turned from (radius, height) pairs about the y axis, with normals and texture coordinates."""
    points, normals, sts, counts, indices = [], [], [], [], []
    last = len(profile) - 1
    for row, (radius, height) in enumerate(profile):
        below, above = profile[max(row - 1, 0)], profile[min(row + 1, last)]
        out = Gf.Vec2f(above[1] - below[1], below[0] - above[0]).GetNormalized()
        for k in range(RINGS + 1):
            turn = 2 * math.pi * k / RINGS
            points.append(Gf.Vec3f(radius * math.cos(turn), height, radius * math.sin(turn)))
            normals.append(Gf.Vec3f(out[0] * math.cos(turn), out[1], out[0] * math.sin(turn)))
            sts.append(Gf.Vec2f(k / RINGS, row / last))
    for row in range(last):
        for k in range(RINGS):
            a = row * (RINGS + 1) + k
            counts.append(4)
            indices += [a, a + RINGS + 1, a + RINGS + 2, a + 1]
    return mesh(stage, path, points, normals, sts, counts, indices, note)


def mesh(stage, path, points, normals, sts, counts, indices, note):
    m = UsdGeom.Mesh.Define(stage, path)
    m.CreatePointsAttr(Vt.Vec3fArray(points))
    m.CreateNormalsAttr(Vt.Vec3fArray(normals))
    m.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    m.CreateFaceVertexCountsAttr(Vt.IntArray(counts))
    m.CreateFaceVertexIndicesAttr(Vt.IntArray(indices))
    m.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    m.CreateExtentAttr(UsdGeom.Mesh.ComputeExtent(m.GetPointsAttr().Get()))
    st = UsdGeom.PrimvarsAPI(m).CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.vertex)
    st.Set(Vt.Vec2fArray(sts))
    m.GetPrim().SetDocumentation(note)
    return m


def slab(stage, path, size, cells, note):
    """A flat square of cells × cells quads, slightly worn: its heights are a sum of waves."""
    points, normals, sts, counts, indices = [], [], [], [], []
    for i in range(cells + 1):
        for j in range(cells + 1):
            u, v = i / cells, j / cells
            height = 0.002 * math.sin(9 * u) * math.cos(7 * v)
            points.append(Gf.Vec3f((u - 0.5) * size, height, (v - 0.5) * size))
            normals.append(Gf.Vec3f(0, 1, 0))
            sts.append(Gf.Vec2f(u, v))
            if i < cells and j < cells:
                a = i * (cells + 1) + j
                counts.append(4)
                indices += [a, a + 1, a + cells + 2, a + cells + 1]
    return mesh(stage, path, points, normals, sts, counts, indices, note)


def material(stage, path, colour, roughness, metallic, texture=None):
    m = UsdShade.Material.Define(stage, path)
    surface = UsdShade.Shader.Define(stage, path + "/Surface")
    surface.CreateIdAttr("UsdPreviewSurface")
    surface.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(roughness)
    surface.CreateInput("metallic", Sdf.ValueTypeNames.Float).Set(metallic)
    diffuse = surface.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f)
    diffuse.Set(Gf.Vec3f(*colour))
    m.CreateSurfaceOutput().ConnectToSource(surface.ConnectableAPI(), "surface")
    if texture:
        reader = UsdShade.Shader.Define(stage, path + "/Coordinates")
        reader.CreateIdAttr("UsdPrimvarReader_float2")
        reader.CreateInput("varname", Sdf.ValueTypeNames.String).Set("st")
        image = UsdShade.Shader.Define(stage, path + "/Grain")
        image.CreateIdAttr("UsdUVTexture")
        image.CreateInput("file", Sdf.ValueTypeNames.Asset).Set(Sdf.AssetPath(texture))
        image.CreateInput("st", Sdf.ValueTypeNames.Float2).ConnectToSource(reader.ConnectableAPI(), "result")
        diffuse.ConnectToSource(image.ConnectableAPI(), "rgb")
    return m


def bind(prim, target):
    UsdShade.MaterialBindingAPI.Apply(prim).Bind(target)


def swing(prim, axis, degrees, phase):
    """Animates a joint over four seconds, every second frame."""
    op = UsdGeom.Xformable(prim).AddXformOp(axis)
    for frame in range(0, 97, 2):
        op.Set(round(degrees * math.sin(2 * math.pi * frame / 96 + phase), 4), frame)


def table(stage, looks):
    UsdGeom.Xform.Define(stage, "/Workshop/Table").GetPrim().SetMetadata("kind", "component")
    top = slab(stage, "/Workshop/Table/Top", 2.4, 16, "The worktop, a little worn.")
    bind(top.GetPrim(), looks["Oak"])
    leg = lathe(stage, "/Prototypes/Leg", [(0.05, -0.9), (0.06, -0.88), (0.035, -0.6), (0.06, 0)], "A turned leg.")
    leg.GetPrim().SetSpecifier(Sdf.SpecifierOver)
    for k, (x, z) in enumerate([(1, 1), (1, -1), (-1, -1), (-1, 1)]):
        prim = UsdGeom.Xform.Define(stage, f"/Workshop/Table/Leg_{k}").GetPrim()
        prim.GetReferences().AddInternalReference("/Prototypes/Leg", Sdf.LayerOffset(12.0 * k, 1))
        prim.SetInstanceable(True)
        UsdGeom.XformCommonAPI(prim).SetTranslate((x * 1.1, 0, z * 1.1))
        bind(prim, looks["Oak"])


def robot(stage, looks):
    arm = UsdGeom.Xform.Define(stage, "/Workshop/Robot")
    prim = arm.GetPrim()
    prim.SetMetadata("kind", "component")
    prim.SetDocumentation("A small arm with four joints. Pick its tool and its colour by variant.")
    prim.SetAssetInfo({"identifier": Sdf.AssetPath("robots/arm.usd"), "name": "arm", "version": "3"})
    prim.SetCustomData({
        "maker": {"name": "Wagner & Töchter", "city": "Bozen", "founded": 1911},
        "payloadKilograms": 2.5,
        "serial": 9007199254740993,
        "joints": Vt.StringArray(ROLL_CALL),
        "calibration": {"date": "2026-03-14", "offsets": Vt.DoubleArray([0.01, -0.02, 0.005, 0.0]), "passed": True},
    })
    prim.GetInherits().AddInherit("/_Machine")
    prim.GetSpecializes().AddSpecialize("/_Tagged")

    joint = "/Workshop/Robot"
    parts = [
        ("Base", [(0.26, 0), (0.26, 0.06), (0.2, 0.1), (0.12, 0.22)], (0, 0, 0), None),
        ("UpperArm", [(0.1, 0), (0.11, 0.05), (0.08, 0.2), (0.07, 0.5), (0.09, 0.6)], (0, 0.22, 0), ("RotateY", 50, 0)),
        ("Forearm", [(0.08, 0), (0.06, 0.1), (0.05, 0.42), (0.07, 0.5)], (0, 0.6, 0), ("RotateZ", 35, 1)),
        ("Wrist", [(0.06, 0), (0.05, 0.05), (0.05, 0.12)], (0, 0.5, 0), ("RotateX", 20, 2)),
    ]
    for (name, profile, at, turn), word in zip(parts, ROLL_CALL):
        joint += "/" + name
        x = UsdGeom.Xform.Define(stage, joint)
        x.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Vec3d(*at))
        if turn:
            swing(x.GetPrim(), getattr(UsdGeom.XformOp, "Type" + turn[0]), turn[1], turn[2])
        shell = lathe(stage, joint + "/Shell", profile, f"The housing of the {word}.")
        bind(shell.GetPrim(), looks["Paint"])

    drives = prim.CreateRelationship("drives", custom=True)
    drives.SetTargets([stage.GetPrimAtPath(joint).GetAttribute("xformOp:rotateX").GetPath(),
                       "/Workshop/Robot/Base/UpperArm.xformOp:rotateY"])
    spare = prim.CreateRelationship("spareParts", custom=True)
    stage.GetEditTarget().GetLayer().GetRelationshipAtPath("/Workshop/Robot.spareParts").targetPathList.prependedItems = [
        "/Prototypes/Screw"]
    spare.SetMetadata("displayName", "Spare parts")

    tools = prim.GetVariantSets().AddVariantSet("tool")
    for tool in ("gripper", "pen"):
        tools.AddVariant(tool)
        tools.SetVariantSelection(tool)
        with tools.GetVariantEditContext():
            tip = joint + "/Tool"
            UsdGeom.Xform.Define(stage, tip).AddTranslateOp().Set(Gf.Vec3d(0, 0.12, 0))
            if tool == "pen":
                lathe(stage, tip + "/Pen", [(0.001, 0.16), (0.012, 0.13), (0.012, 0)], "A felt pen, tip upwards.")
                tip_colour = stage.GetPrimAtPath(tip).CreateAttribute("ink", Sdf.ValueTypeNames.Color3h)
                tip_colour.Set(Gf.Vec3h(0.1, 0.2, 0.9))
            else:
                for side in (-1, 1):
                    finger = UsdGeom.Cube.Define(stage, tip + ("/Left" if side < 0 else "/Right"))
                    finger.CreateSizeAttr(0.03)
                    finger.AddTranslateOp().Set(Gf.Vec3d(0.04 * side, 0.05, 0))
    tools.SetVariantSelection("gripper")

    colours = prim.GetVariantSets().AddVariantSet("colour")
    for colour, rgb in (("orange", (0.95, 0.4, 0.05)), ("blue", (0.1, 0.3, 0.8))):
        colours.AddVariant(colour)
        colours.SetVariantSelection(colour)
        with colours.GetVariantEditContext():
            stage.OverridePrim("/Workshop/Robot/Base/Shell").CreateAttribute(
                "primvars:displayColor", Sdf.ValueTypeNames.Color3fArray).Set([Gf.Vec3f(*rgb)])
    colours.SetVariantSelection("orange")


def log(stage):
    """A prim that holds one attribute of each remaining kind of value."""
    prim = UsdGeom.Scope.Define(stage, "/Workshop/Log").GetPrim()
    prim.SetDocumentation("What the arm has written down about itself: one attribute for each kind of value.")
    names = Sdf.ValueTypeNames
    for name, kind, value in (
        ("running", names.Bool, True),
        ("errors", names.UChar, 3),
        ("cycles", names.UInt64, 18446744073709551615),
        ("clock", names.Int64, -62135596800),
        ("temperature", names.Half, 36.6),
        ("pose", names.Quatd, Gf.Quatd(0.5, 0.5, -0.5, 0.5)),
        ("poses", names.QuatfArray, [Gf.Quatf(1, 0, 0, 0), Gf.Quatf(0, 1, 0, 0)]),
        ("home", names.Matrix4d, Gf.Matrix4d(1).SetTranslate((0, 0.22, 0))),
        ("unit", names.Matrix3d, Gf.Matrix3d(1)),
        ("started", names.TimeCode, Sdf.TimeCode(12.5)),
        ("stops", names.TimeCodeArray, [Sdf.TimeCode(24), Sdf.TimeCode(48)]),
        ("states", names.TokenArray, ["idle", "reach", "grip", "lift"] * 6),
        ("messages", names.StringArray, ["ready", "Werkstück gegriffen", "完了"]),
        ("manuals", names.AssetArray, [Sdf.AssetPath("docs/arm.pdf"), Sdf.AssetPath("docs/pen.pdf")]),
        ("currents", names.FloatArray, [round(2 + math.sin(k / 5), 2) for k in range(40)]),
        ("steps", names.IntArray, [k * k for k in range(200)]),
        ("levels", names.DoubleArray, [float(k % 7) for k in range(64)]),
        ("parts", names.PathExpression, Sdf.PathExpression("/Workshop/Robot// - //Shell")),
    ):
        prim.CreateAttribute("log:" + name, kind, custom=True).Set(value)
    voltage = prim.CreateAttribute("log:voltage", names.Double)
    voltage.Set(24.0, 0)
    voltage.Set(23.5, 40)
    voltage.Set(Sdf.ValueBlock(), 60)
    voltage.Set(24.0, 72)
    trace = prim.CreateAttribute("log:trace", names.Float3Array)
    for frame in (0, 24, 48):
        trace.Set([Gf.Vec3f(0.1 * k, 0.5 + 0.01 * frame, 0) for k in range(12)], frame)


def lamp(stage):
    light = UsdLux.SphereLight.Define(stage, "/Workshop/Lamp")
    light.CreateRadiusAttr(0.08)
    light.CreateColorAttr(Gf.Vec3f(1, 0.93, 0.8))
    light.AddTranslateOp().Set(Gf.Vec3d(0.8, 1.6, 0.4))
    spline = Ts.Spline("float")
    for time, value, slope in ((0.0, 0.0, 0.0), (24.0, 800.0, 12.5), (96.0, 650.0, 0.0)):
        spline.SetKnot(Ts.Knot(typeName="float", time=time, value=value, nextInterp=Ts.InterpCurve,
                               preTanWidth=6.0, preTanSlope=slope, postTanWidth=6.0, postTanSlope=slope))
    light.CreateIntensityAttr().SetSpline(spline)


def main(out):
    layer = Sdf.Layer.CreateNew(out)
    stage = Usd.Stage.Open(layer)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(96)
    stage.SetTimeCodesPerSecond(24)
    layer.documentation = "A robot arm at work on a table: the sample that Cutaway has built in."
    layer.customLayerData = {"cutaway": {"sample": True, "year": 2026}}

    workshop = UsdGeom.Xform.Define(stage, "/Workshop").GetPrim()
    workshop.SetMetadata("kind", "assembly")
    stage.SetDefaultPrim(workshop)
    stage.CreateClassPrim("/_Machine").CreateAttribute("machine:volts", Sdf.ValueTypeNames.Int).Set(24)
    stage.CreateClassPrim("/_Tagged").SetCustomData({"tag": "sample"})
    prototypes = stage.OverridePrim("/Prototypes")
    prototypes.SetDocumentation("Parts that are used more than once, by reference.")
    screw = UsdGeom.Cylinder.Define(stage, "/Prototypes/Screw")
    screw.CreateRadiusAttr(0.004)
    screw.CreateHeightAttr(0.02)

    UsdGeom.Scope.Define(stage, "/Workshop/Looks")
    looks = {
        "Oak": material(stage, "/Workshop/Looks/Oak", (0.5, 0.35, 0.2), 0.6, 0, "textures/oak.png"),
        "Paint": material(stage, "/Workshop/Looks/Paint", (0.9, 0.4, 0.1), 0.3, 0),
        "Steel": material(stage, "/Workshop/Looks/Steel", (0.6, 0.6, 0.62), 0.25, 1),
    }
    table(stage, looks)
    robot(stage, looks)
    lamp(stage)
    log(stage)

    screws = UsdGeom.Xform.Define(stage, "/Workshop/Screws").GetPrim()
    screws.GetPayloads().AddInternalPayload("/Prototypes/Screw")
    Usd.CollectionAPI.Apply(screws, "metal").CreateIncludesRel().SetTargets(["/Workshop/Screws"])
    bind(screws, looks["Steel"])
    layer.relocates = [("/Workshop/Screws/Old", "/Workshop/Screws/New")]

    # A second layer takes the specs in their final order, so that the file holds no dead values.
    tidy = Sdf.Layer.CreateAnonymous(".usdc")
    tidy.TransferContent(layer)
    tidy.Export(out)


if __name__ == "__main__":
    main(sys.argv[1])
