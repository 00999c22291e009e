"""Parses USD text layers with usd-core and holds them against what they should say.

Standard input: {name: {"usda": text, "layer": {path: spec}}}, the layers as in ../shared/corpus/omnilive/expected.json.
Standard output: {"problems": [text], "layers": n, "specs": n, "values": n}. What a text lists as not written is not
looked for; fields that Sdf does not know are only parsed.
"""
import json
import math
import re
import sys

from pxr import Gf, Sdf, Tf, Vt

problems = []
counts = {"layers": 0, "specs": 0, "values": 0}
BRACES = re.compile(r" *# not written: (.*?): (.*)")


def left_out(text):
    """Paths that are not written at all, and (path, field) or (path, time) pairs."""
    whole, fields = [], set()
    for line in text.splitlines():
        m = BRACES.match(line)
        if not m:
            continue
        path, what = m.group(1), m.group(2)
        field = re.match(r'field "?([^",: ]*)"?', what)
        sample = re.match(r"the sample at ([^:]*)", what)
        if field:
            fields.add((path, field.group(1)))
        elif sample:
            fields.add((path, "at " + sample.group(1)))
        else:
            whole.append(path)
    return whole, fields


def number(x):
    return {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}.get(x, x) if isinstance(x, str) else x


def same_number(got, want):
    want = number(want)
    if isinstance(want, bool) or isinstance(got, bool):
        return bool(got) == bool(want)
    if math.isnan(float(want)):
        return math.isnan(float(got))
    return float(got) == float(want) and math.copysign(1, float(got)) == math.copysign(1, float(want))


def flat(v):
    """The numbers of a vector, quaternion (imaginary part first) or matrix."""
    if isinstance(v, (Gf.Quatd, Gf.Quatf, Gf.Quath)):
        return list(v.imaginary) + [v.real]
    if isinstance(v, (Gf.Matrix2d, Gf.Matrix3d, Gf.Matrix4d)):
        n = v.dimension[0]
        return [v[i][k] for i in range(n) for k in range(n)]
    return list(v)


def same_text(got, want):
    return got[: len(want)] == want if len(want.encode()) >= 250 else got == want


def same_arc(got, want):
    offset = got.layerOffset
    ok = got.assetPath == want["asset"] and str(got.primPath) == want["path"]
    ok = ok and same_number(offset.offset, want["offset"]) and same_number(offset.scale, want["scale"])
    if want.get("customData"):
        ok = ok and same_dictionary(got.customData, want["customData"])
    return ok


def same_dictionary(got, want):
    return set(got) >= set(want) and all(same(got[k], w) for k, w in want.items())


def same_item(got, want):
    if isinstance(want, dict) and "asset" in want:
        return same_arc(got, want)
    if isinstance(want, dict):
        return same(got, want)
    if isinstance(want, list):
        return all(same_number(g, w) for g, w in zip(flat(got), want))
    if isinstance(got, (str, Sdf.Path, Sdf.AssetPath)):
        return same_text(got.path if isinstance(got, Sdf.AssetPath) else str(got), str(want))
    if isinstance(got, Sdf.TimeCode):
        got = got.GetValue()
    return same_number(got, want)


def same_items(got, want):
    return len(got) >= len(want) and all(same_item(g, w) for g, w in zip(got, want))


def same_list_op(got, want):
    if want["explicit"] != got.isExplicit:
        return False
    names = {"explicitItems": got.explicitItems, "added": got.addedItems, "prepended": got.prependedItems,
             "appended": got.appendedItems, "deleted": got.deletedItems, "ordered": got.orderedItems}
    return all(same_items(list(names[k]), v) for k, v in want.items() if k != "explicit")


def same(got, want):
    """Whether a value of Sdf is the one of expected.json."""
    typ, value = want["type"], want["value"]
    if typ == "ValueBlock":
        return isinstance(got, Sdf.ValueBlock)
    if typ in ("Value", "UnregisteredValue"):
        return same(got, value)
    if want["isArray"]:
        return len(got) == want["count"] and all(
            same_number(g, number(w)) if not isinstance(w, (list, str)) or w in ("nan", "inf", "-inf") and not isinstance(g, str)
            else same_item(g, w) for g, w in zip(got, value))
    if typ in ("String", "Token", "AssetPath", "Path"):
        return same_item(got, value)
    if typ == "Dictionary":
        return same_dictionary(got, value)
    if typ == "VariantSelectionMap":
        return dict(got) == value
    if typ == "Payload":
        return len(got.explicitItems) == 1 and same_arc(got.explicitItems[0], value)
    if typ.endswith("ListOp"):
        return same_list_op(got, value)
    if typ in ("Specifier", "Permission", "Variability"):
        return str(got).lower().endswith(value)
    if isinstance(value, list):
        return same_items(list(got), value) if typ.endswith("Vector") else all(same_number(g, w) for g, w in zip(flat(got), value))
    if isinstance(got, Sdf.TimeCode):
        got = got.GetValue()
    return same_number(got, value)


KINDS = {"Attribute": Sdf.AttributeSpec, "Prim": Sdf.PrimSpec, "PseudoRoot": Sdf.PrimSpec, "Relationship": Sdf.RelationshipSpec,
         "Variant": Sdf.VariantSpec, "VariantSet": Sdf.VariantSetSpec}
CHILDREN = {"prims": lambda s: [c.name for c in s.nameChildren], "properties": lambda s: [c.name for c in s.properties]}


def below(path, tops):
    return any(path == t or path.startswith(t) and path[len(t)] in "/.{[" for t in tops)


def compare(name, layer, text, specs):
    whole, fields = left_out(text)
    for path, spec in specs.items():
        if below(path, whole) or spec["specType"] not in KINDS or spec.get("base") or path.startswith("#"):
            continue
        got = layer.pseudoRoot if path == "/" else layer.GetObjectAtPath(path)
        where = "%s: %s" % (name, path)
        if got is None or not isinstance(got, KINDS[spec["specType"]]):
            problems.append("%s is %r, want a %s" % (where, got, spec["specType"]))
            continue
        counts["specs"] += 1
        for kind, listed in CHILDREN.items():
            want = [c for c in spec["children"].get(kind, []) if not below(child(path, kind, c), whole)]
            want = list(dict.fromkeys(want))  # of sections with one path the first is written
            if hasattr(got, "nameChildren") and CHILDREN[kind](got) != want:
                problems.append("%s has the %s %s, want %s" % (where, kind, CHILDREN[kind](got), want))
        for key, want in spec["fields"].items():
            if (path, key) in fields or want.get("raw") is not None or want["type"] is None:
                continue
            known = key in ("default", "typeName") or key in got.GetMetaDataInfoKeys()
            if not known:
                continue
            try:
                value = got.default if key == "default" else got.typeName if key == "typeName" else got.GetInfo(key)
            except UnicodeDecodeError:
                continue  # text that is not UTF-8, which Python cannot have
            counts["values"] += 1
            if not same(str(value) if key == "typeName" else value, want):
                problems.append("%s: %s is %r, want %s" % (where, key, value, json.dumps(want)))
        samples = {} if not spec["timeSamples"] else layer_samples(layer, path)
        for want in spec["timeSamples"]:
            at = number(want["time"])
            if not math.isfinite(at) or (path, "at %g" % at) in fields or any(p == path and f.startswith("at ") and float(f[3:]) == at for p, f in fields):
                continue
            counts["values"] += 1
            if at not in samples or not same(samples[at], want):
                problems.append("%s: at %g is %r, want %s" % (where, at, samples.get(at), json.dumps(want)))


def child(path, kind, name):
    if kind == "properties":
        return path + "." + name
    return (path if path.endswith(("/", "}")) else path + "/") + name


def layer_samples(layer, path):
    return {t: layer.QueryTimeSample(path, t) for t in layer.ListTimeSamplesForPath(path)}


for name, entry in json.load(sys.stdin).items():
    layer = Sdf.Layer.CreateAnonymous(".usda")
    try:
        ok = layer.ImportFromString(entry["usda"])
    except Tf.ErrorException as e:
        ok = False
        problems.append("%s: %s" % (name, str(e)[:400]))
    if not ok:
        problems.append("%s is not parsed" % name)
        continue
    counts["layers"] += 1
    compare(name, layer, entry["usda"], entry["layer"] or {})
json.dump({"problems": problems, **counts}, sys.stdout)
