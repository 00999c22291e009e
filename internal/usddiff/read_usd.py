"""Prints what usd-core reads from crates, as one JSON object a line for each spec:

    {"file", "path", "spec", "fields": {name: NODE}}        NODE = {"type", "value"}

    python3 read_usd.py FILE…

A file that usd-core refuses gives {"file", "error"}. Types have the names of the crate format's value types. Python
knows less about scalars inside of dictionaries than the file says: there the type is a list of candidates, "int|int64".
Values follow the product's JSON conventions, with all elements of arrays. Structured values are:

    dictionary            {key: NODE}
    list ops              {"explicit": bool, "items"|"added"|"prepended"|"appended"|"deleted"|"ordered": [item]}
    references, payloads  {"asset", "prim", "offset", "scale", "customData": {key: NODE}}
    TimeSamples           [[time, NODE]]
    Spline                see spline()
    UnregisteredValue     NODE
    array edits           {"edit": text}

A value that Python cannot reach, such as metadata that no schema knows or text that is not UTF-8, is left out.
"""

import json
import math
import os
import re
import sys
import tempfile

os.environ.setdefault("PXR_USDC_EMIT_DEPRECATION_WARNINGS", "0")

from pxr import Gf, Sdf, Tf, Ts, Usd, Vt  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../testdata/usdc"))
import make  # noqa: E402

CPP = {
    "bool": "bool", "unsigned char": "uchar", "int": "int", "unsigned int": "uint", "long": "int64",
    "unsigned long": "uint64", "pxr_half::half": "half", "float": "float", "double": "double", "string": "string",
    "TfToken": "token", "SdfAssetPath": "asset", "SdfTimeCode": "timecode", "GfTimeCode": "timecode", "GfDuration": "duration", "SdfPathExpression": "pathExpression",
    "VtDictionary": "dictionary", "SdfSpecifier": "Specifier", "SdfPermission": "Permission",
    "SdfVariability": "Variability", "SdfPayload": "Payload", "SdfValueBlock": "ValueBlock",
    "SdfAnimationBlock": "AnimationBlock", "TsSpline": "Spline", "SdfUnregisteredValue": "UnregisteredValue",
    "SdfPath": "Path", "SdfReference": "Reference", "SdfLayerOffset": "LayerOffset", "VtValue": "Value",
}
for size in "234":
    CPP.update({f"GfVec{size}{letter}": word + size for letter, word in zip("dfhi", ("double", "float", "half", "int"))})
    CPP[f"GfMatrix{size}d"] = f"matrix{size}d"
CPP.update({f"GfQuat{letter}": f"quat{letter}" for letter in "dfh"})

LIST_OP = {"token": "TokenListOp", "string": "StringListOp", "Path": "PathListOp", "Reference": "ReferenceListOp",
           "int": "IntListOp", "int64": "Int64ListOp", "uint": "UIntListOp", "uint64": "UInt64ListOp",
           "Payload": "PayloadListOp", "UnregisteredValue": "UnregisteredValueListOp"}
VECTOR = {"token": "TokenVector", "Path": "PathVector", "double": "DoubleVector", "string": "StringVector",
          "LayerOffset": "LayerOffsetVector"}


def crate_type(cpp):
    """The crate's name of a C++ type."""
    if cpp in CPP:
        return CPP[cpp]
    if cpp.startswith("SdfListOp<"):
        return LIST_OP[CPP[cpp[len("SdfListOp<"):-1]]]
    if cpp.startswith(("VtArray<", "VtArrayEdit<")):
        return CPP[cpp[cpp.index("<") + 1:-1]] + "[]"
    if cpp.startswith("vector<pair<SdfPath"):
        return "Relocates"
    if cpp.startswith("vector<"):
        return VECTOR[CPP[cpp[len("vector<"):cpp.index(",")]]]
    if cpp.startswith("map<string"):
        return "VariantSelectionMap"
    if cpp.startswith(("map<double", "SdfTimeSampleMap")):
        return "TimeSamples"
    raise ValueError(cpp)


PLAIN = "|".join(re.escape(name) for name in sorted(CPP, key=len, reverse=True))
FIELD = re.compile(rf"^    (\S+) ((?:(?:SdfListOp|VtArray|VtArrayEdit)<(?:{PLAIN})>)|(?:vector|map)<.*?> >|{PLAIN}) (.*)$")
SPEC = re.compile(r"^(/.*) SdfSpecType(\w+)$")


def dump_lines(layer):
    with tempfile.NamedTemporaryFile("r", suffix=".txt") as file:
        layer._WriteDataFile(file.name)
        return open(file.name, encoding="utf-8", errors="surrogateescape").read().split("\n")


def dump(layer):
    """What usd-core's own dump of a layer says: {path: (spec type, {field: (C++ type, first line of the value)})}."""
    specs, fields = {}, {}
    for line in dump_lines(layer):
        if spec := SPEC.match(line):
            fields = {}
            specs[spec[1]] = (spec[2], fields)
        elif field := FIELD.match(line):
            fields[field[1]] = (field[2], field[3])
    return specs


def number(value):
    if isinstance(value, (Sdf.TimeCode, Gf.Duration)):
        value = value.GetValue()
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
    elif abs(value) > 1 << 53:
        return str(value)
    return value


def plain(value):
    """A value that is one scalar, text, enumeration or tuple."""
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, str):
        return value
    if isinstance(value, Sdf.AssetPath):
        return value.path
    if isinstance(value, (Sdf.TimeCode, Gf.Duration)):
        return number(value)
    if isinstance(value, (Sdf.Path, Sdf.PathExpression)):
        return str(value) if isinstance(value, Sdf.Path) else value.GetText()
    if isinstance(value, (Gf.Quatd, Gf.Quatf, Gf.Quath)):
        return [number(value.real)] + [number(v) for v in value.imaginary]
    if isinstance(value, (Gf.Matrix2d, Gf.Matrix3d, Gf.Matrix4d)):
        return [[number(v) for v in row] for row in value]
    if isinstance(value, Tf.Enum):
        return value.displayName.lower()
    return [number(v) for v in value]


SCALARS = {bool: "bool", int: "uchar|int|uint|int64|uint64", float: "half|float|double", str: "string|token",
           dict: "dictionary", Sdf.AssetPath: "asset", Sdf.TimeCode: "timecode", Sdf.PathExpression: "pathExpression"}


ELEMENTS = {"Bool": "bool", "UChar": "uchar", "Int": "int", "UInt": "uint", "Int64": "int64", "UInt64": "uint64",
            "Half": "half", "Float": "float", "Double": "double", "String": "string", "Token": "token",
            "AssetPath": "asset", "TimeCode": "timecode", "Duration": "duration", "PathExpression": "pathExpression"}


def python_type(value):
    """The candidates for the type of a Python value that came out of a VtValue."""
    if type(value) in SCALARS:
        return SCALARS[type(value)]
    name = type(value).__name__.removesuffix("Edit")
    if not name.endswith("Array"):
        return CPP["Gf" + name]
    name = name.removesuffix("Array")
    return (ELEMENTS.get(name) or CPP["Gf" + name]) + "[]"


def is_of(value, kind):
    """Whether a Python value may be of a type, which that of its attribute need not be."""
    blocked = isinstance(value, (Sdf.ValueBlock, Sdf.AnimationBlock)) or value in (Sdf.ValueBlock, Sdf.AnimationBlock)
    return kind and (blocked or kind in python_type(value).split("|"))


def node(value, kind=None):
    """A NODE of a Python value; kind is its type where that is known better."""
    if isinstance(value, Sdf.ValueBlock) or value == Sdf.ValueBlock:
        return {"type": "ValueBlock", "value": None}
    if isinstance(value, Sdf.AnimationBlock) or value == Sdf.AnimationBlock:
        return {"type": "AnimationBlock", "value": None}
    kind = kind or python_type(value)
    if isinstance(value, dict):
        return {"type": kind, "value": {key: node(v) for key, v in value.items()}}
    name = type(value).__name__
    if name.endswith("ArrayEdit"):
        return {"type": kind, "value": {"edit": str(value)}}
    if name.endswith("Array"):
        return {"type": kind, "value": [plain(v) for v in value]}
    return {"type": kind, "value": plain(value)}


def item(value):
    """An item of a list op."""
    if isinstance(value, Sdf.Reference):
        return {"asset": value.assetPath, "prim": str(value.primPath), "offset": number(value.layerOffset.offset),
                "scale": number(value.layerOffset.scale), "customData": node(value.customData)["value"]}
    if isinstance(value, Sdf.Payload):
        return {"asset": value.assetPath, "prim": str(value.primPath), "offset": number(value.layerOffset.offset),
                "scale": number(value.layerOffset.scale)}
    if isinstance(value, Sdf.UnregisteredValue):
        return node(value.value)
    return plain(value)


def list_op(op):
    result = {"explicit": op.isExplicit}
    for name, items in (("items", op.explicitItems), ("added", op.addedItems), ("prepended", op.prependedItems),
                        ("appended", op.appendedItems), ("deleted", op.deletedItems), ("ordered", op.orderedItems)):
        if items:
            result[name] = [item(i) for i in items]
    return result


def mode(value):
    """valueblock, held, linear, …: the last word of an enumeration's name."""
    return re.sub("^(Extrap|Interp|CurveType|TangentAlgorithm)", "", value.name.split(".")[-1]).lower()


def spline(value):
    result = {"valueType": value.GetValueTypeName() if not value.IsEmpty() else "", "curve": mode(value.GetCurveType()),
              "timeValued": value.IsTimeValued()}
    for name, extrapolation in (("pre", value.GetPreExtrapolation()), ("post", value.GetPostExtrapolation())):
        result[name] = {"mode": mode(extrapolation.mode)}
        if extrapolation.mode == Ts.ExtrapSloped:
            result[name]["slope"] = number(extrapolation.slope)
    loop = value.GetInnerLoopParams()
    if loop.protoEnd > loop.protoStart:
        result["loop"] = [number(loop.protoStart), number(loop.protoEnd), loop.numPreLoops, loop.numPostLoops,
                          number(loop.valueOffset)]
    knots = []
    for knot in value.GetKnots().values():
        entry = {"time": number(knot.GetTime()), "value": number(knot.GetValue()),
                 "interpolation": mode(knot.GetNextInterpolation()),
                 "preSlope": number(knot.GetPreTanSlope()), "postSlope": number(knot.GetPostTanSlope()),
                 "preAlgorithm": mode(knot.GetPreTanAlgorithm()), "postAlgorithm": mode(knot.GetPostTanAlgorithm()),
                 "customData": node(knot.GetCustomData())["value"]}
        if value.GetCurveType() == Ts.CurveTypeBezier:
            entry["preWidth"], entry["postWidth"] = number(knot.GetPreTanWidth()), number(knot.GetPostTanWidth())
        if knot.IsDualValued():
            entry["preValue"] = number(knot.GetPreValue())
        knots.append(entry)
    result["knots"] = knots
    return result


def attribute_type(layer, path):
    """The crate type of an attribute's values, by its type name."""
    spec = layer.GetAttributeAtPath(path)
    if not spec:
        return None
    cpp = spec.typeName.type.typeName
    return crate_type(cpp) if cpp and cpp != "TfType::_Unknown" else None


class Unreachable(Exception):
    """Python has no way to a value."""


class Reader:
    def __init__(self, layer):
        self.layer = layer
        self.stage = None

    def value(self, path, name, cpp, text):
        """The value of a field, as in NODE."""
        layer, kind = self.layer, crate_type(cpp)
        if kind == "TokenVector":
            return text[2:-2].split(" ") if len(text) > 3 else []
        if name == "subLayerOffsets":
            return [[number(o.offset), number(o.scale)] for o in layer.subLayerOffsets]
        if kind == "UnregisteredValue":
            return self.unregistered(path, name)
        try:
            value = layer.GetObjectAtPath(path).GetInfo(name)
        except (Tf.ErrorException, UnicodeDecodeError) as error:
            raise Unreachable from error
        if kind == "Relocates":
            return [[str(source), str(target)] for source, target in value]
        if kind.endswith("ListOp"):
            return list_op(value)
        if kind == "TimeSamples":
            of = attribute_type(layer, path)
            return [[number(time), node(v, of if is_of(v, of) else None)] for time, v in sorted(value.items())]
        if kind == "Spline":
            return spline(value)
        if kind in ("VariantSelectionMap", "StringVector", "DoubleVector"):
            return dict(value) if kind[0] == "V" else [plain(v) for v in value]
        if kind == "PathVector":
            return [str(p) for p in value]
        if kind == "Payload":
            return item(value)
        return node(value, kind)["value"]

    def unregistered(self, path, name):
        if not self.stage:
            self.stage = Usd.Stage.Open(self.layer, Sdf.Layer.CreateAnonymous(), Usd.Stage.LoadNone)
        owner = self.stage.GetObjectAtPath(path)
        value = owner.GetAllAuthoredMetadata().get(name) if owner else None
        if value is None:
            raise Unreachable
        value = value.value if isinstance(value, Sdf.UnregisteredValue) else value
        if isinstance(value, Sdf.UnregisteredValueListOp):
            return {"type": "UnregisteredValueListOp", "value": list_op(value)}
        return node(value)


def read(file):
    layer = Sdf.Layer.FindOrOpen(file)
    reader = Reader(layer)
    for path, (spec, fields) in dump(layer).items():
        record = {"file": file, "path": path, "spec": spec[0].lower() + spec[1:], "fields": {}}
        for name, (cpp, text) in fields.items():
            kind = crate_type(cpp)
            record["fields"][name] = field = {"type": kind}
            if "VtArrayEdit" in cpp:
                field["value"] = {"edit": text}
                continue
            try:
                field["value"] = reader.value(path, name, cpp, text)
            except Unreachable:
                pass
        yield record


def main(files):
    make.register_list_ops()
    for file in files:
        try:
            for record in read(file):
                print(json.dumps(record, ensure_ascii=True))
        except Tf.ErrorException as error:
            print(json.dumps({"file": file, "error": str(error)}))


if __name__ == "__main__":
    main(sys.argv[1:])
