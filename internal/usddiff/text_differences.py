"""Compares what usd-core reads of layers with what it reads of text that was made of them.

    python3 text_differences.py LAYER TEXT [LAYER TEXT]…

Prints one JSON object a line for each layer: {"file", "fields": number of them, "differences": [DIFFERENCE]}, or
{"file", "refused": why} where usd-core does not read the layer, or {"file", "textRefused", "ownRefused"} where it does not
read the text; "ownRefused" says why it does not read the text that it writes itself. What TEXT does not say as the layer does:

    DIFFERENCE = {"path", "field", "layer", "text", "own"}

Each of the three is what usd-core reads: of the layer, of TEXT, and of the text that it writes itself. "" stands for none. The
field "" is the spec.
"""

import json
import re
import sys
import tempfile

from pxr import Sdf, Tf

import read_usd


# What text leaves out, since a reader takes it for that anyway.
UNSAID = re.compile(r"SdfVariability SdfVariabilityVarying|SdfSpecifier SdfSpecifierOver|vector<.*> \[ \]|SdfListOp<.*> \w+\(\)")

# Specs and fields that usd-core's readers make out of others.
DERIVED = ("Connection", "RelationshipTarget", "connectionChildren", "targetChildren")


def specs_of(layer):
    """What usd-core has of a layer: {path: {field: what it is}}."""
    reader = read_usd.Reader(layer)
    specs = {}
    for path, (spec, fields) in dump(layer).items():
        if spec in DERIVED:
            continue
        specs[path] = said = {"": spec}
        for name, (cpp, text) in fields.items():
            text = cpp + " " + text.rstrip("\n")
            if name in DERIVED or (name, text) == ("custom", "bool 0") or UNSAID.fullmatch(text):
                continue
            said[name] = text
            if cpp in ("VtDictionary", "SdfListOp<SdfReference>"):  # the dump lacks the types of entries
                try:
                    said[name] += " " + json.dumps(reader.value(path, name, cpp, text))
                except read_usd.Unreachable:
                    pass
    return specs


def dump(layer):
    """usd-core's own dump of a layer, as {path: (spec type, {field: (C++ type, value, which may have several lines)})}."""
    specs, fields, field = {}, {}, None
    for line in read_usd.dump_lines(layer):
        if spec := read_usd.SPEC.match(line):
            fields, field = {}, None
            specs[spec[1]] = (spec[2], fields)
        elif found := read_usd.FIELD.match(line):
            field = found[1]
            fields[field] = found[2], found[3]
        elif field:
            fields[field] = fields[field][0], fields[field][1] + "\n" + line
    return specs


def read(file):
    layer = Sdf.Layer.FindOrOpen(file)
    if not layer:
        raise Tf.ErrorException("no layer")
    return layer, specs_of(layer)


def read_own(layer):
    """What usd-core reads of the text that it writes."""
    with tempfile.NamedTemporaryFile("w", suffix=".usda", encoding="utf-8", errors="surrogateescape") as file:
        file.write(layer.ExportToString())
        file.flush()
        return read(file.name)


def tried(function, *args):
    try:
        return *function(*args), None
    except Tf.ErrorException as error:
        return None, None, str(error)


def compare(file, text):
    layer, want, refused = tried(read, file)
    if refused:
        return {"refused": refused}
    _, own, own_refused = tried(read_own, layer)
    _, got, text_refused = tried(read, text)
    if text_refused:
        return {"textRefused": text_refused, "ownRefused": own_refused or ""}
    differences = []
    for path in sorted(want.keys() | got.keys()):
        w, g, o = (specs.get(path, {}) for specs in (want, got, own or {}))
        for field in sorted(w.keys() | g.keys()):
            if w.get(field) != g.get(field):
                differences.append({"path": path, "field": field, "layer": w.get(field, ""), "text": g.get(field, ""),
                                    "own": o.get(field, "")})
    result = {"fields": sum(len(fields) for fields in want.values()), "differences": differences}
    if own_refused:
        result["ownRefused"] = own_refused
    return result


def main(args):
    read_usd.make.register_list_ops()
    for file, text in zip(args[::2], args[1::2]):
        print(json.dumps({"file": file} | compare(file, text)))


if __name__ == "__main__":
    main(sys.argv[1:])
