# With a folder: writes scenes of shapes below all kinds of transforms there, from a seed, and prints their names. Without: prints where the
# meshes, points and curves of each layer named on standard input lie at time 0, of the layer alone, as a JSON object a line: the number of
# shapes and the corners of the box around all their points.
import json, os, random, sys
from pxr import Gf, Sdf, Usd, UsdGeom

SCENES = 60


def vec(rnd, reach):
    return Gf.Vec3d(*[rnd.uniform(-reach, reach) for _ in range(3)])


def transform(rnd, prim):
    x = UsdGeom.Xformable(prim)
    if rnd.random() < 0.2:
        x.SetResetXformStack(True)
    double = UsdGeom.XformOp.PrecisionDouble
    for i in range(rnd.randrange(5)):
        name, kind = "n%d" % i, rnd.randrange(9)
        if kind == 0:
            op = x.AddTranslateOp(double, name)
            op.Set(vec(rnd, 5))
            if rnd.random() < 0.3:
                x.AddTranslateOp(double, name, True)
        elif kind == 1:
            x.AddScaleOp(double, name).Set(vec(rnd, 3))
        elif kind == 2:
            x.AddRotateXYZOp(double, name).Set(vec(rnd, 180))
        elif kind == 3:
            x.AddRotateZYXOp(double, name).Set(vec(rnd, 180))
        elif kind == 4:
            x.AddRotateYXZOp(double, name).Set(vec(rnd, 180))
        elif kind == 5:
            x.AddRotateXOp(double, name).Set(rnd.uniform(-180, 180))
        elif kind == 6:
            x.AddOrientOp(double, name).Set(Gf.Rotation(vec(rnd, 1), rnd.uniform(0, 360)).GetQuat())
        elif kind == 7:
            x.AddTransformOp(double, name).Set(Gf.Matrix4d().SetRotate(Gf.Rotation(vec(rnd, 1), 40)) * Gf.Matrix4d().SetTranslate(vec(rnd, 2)))
        else:
            op = x.AddTranslateOp(double, name)
            for time in (-4, 0, 8):
                op.Set(vec(rnd, 5), time)


def shape(rnd, stage, path):
    points = [Gf.Vec3f(vec(rnd, 1)) for _ in range(rnd.randrange(3, 9))]
    kind = rnd.randrange(3)
    if kind == 0:
        s = UsdGeom.Mesh.Define(stage, path)
        s.CreateFaceVertexCountsAttr([3])
        s.CreateFaceVertexIndicesAttr([0, 1, 2])
    elif kind == 1:
        s = UsdGeom.Points.Define(stage, path)
    else:
        s = UsdGeom.BasisCurves.Define(stage, path)
        s.CreateCurveVertexCountsAttr([len(points)])
        s.CreateTypeAttr("linear")
    s.CreatePointsAttr(points)
    if rnd.random() < 0.1:
        s.CreateVisibilityAttr("invisible")
    if rnd.random() < 0.1:
        s.GetPrim().SetActive(False)
    transform(rnd, s)


def grow(rnd, stage, path, depth):
    transform(rnd, UsdGeom.Xform.Define(stage, path))
    for i in range(rnd.randrange(1, 4)):
        below = path.AppendChild("c%d" % i)
        if depth == 0 or rnd.random() < 0.4:
            shape(rnd, stage, below)
        elif rnd.random() < 0.25:
            prim = stage.DefinePrim(below, "Xform")
            prim.GetReferences().AddInternalReference("/Kept")
            prim.SetInstanceable(rnd.random() < 0.5)
            transform(rnd, prim)
        else:
            grow(rnd, stage, below, depth - 1)


def make(folder):
    for k in range(SCENES):
        rnd = random.Random(k)
        path = os.path.join(folder, "scene%d.%s" % (k, "usdc" if k % 2 else "usda"))
        stage = Usd.Stage.CreateNew(path)
        kept = stage.CreateClassPrim("/Kept") if k % 3 else stage.OverridePrim("/Kept")
        shape(rnd, stage, kept.GetPath().AppendChild("Inner"))
        grow(rnd, stage, Sdf.Path("/World"), 3)
        stage.GetRootLayer().Save()
        print(path)


def measure(file):
    alone = Sdf.Layer.CreateAnonymous(".usda")  # whose relative names lead nowhere
    alone.TransferContent(Sdf.Layer.FindOrOpen(file))
    stage = Usd.Stage.Open(alone)
    count, box, time = 0, Gf.Range3d(), Usd.TimeCode(0)
    cache = UsdGeom.XformCache(time)
    for prim in stage.Traverse(Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)):
        points = prim.IsA(UsdGeom.PointBased) and UsdGeom.PointBased(prim).GetPointsAttr().Get(time)
        if not points or UsdGeom.Imageable(prim).ComputeVisibility(time) == "invisible":
            continue
        count += 1
        to = cache.GetLocalToWorldTransform(prim)
        for p in points:
            box.UnionWith(to.Transform(Gf.Vec3d(p)))
    return count, box


if len(sys.argv) > 1:
    make(sys.argv[1])
else:
    for file in sys.stdin.read().splitlines():
        try:
            count, box = measure(file)
        except Exception:
            continue  # usd-core does not open the layer
        if count:
            print(json.dumps({"File": file, "Shapes": count, "Low": list(box.GetMin()), "High": list(box.GetMax())}))
