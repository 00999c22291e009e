"""Reads layers with usd-core, one by one. As ask_light.py, each line of standard input is the name of a file, and each
line of standard output one JSON object: {"refused": bool, "text": TEXT}. A layer is refused if usd-core does not open it,
or raises an error while it reads a field of a spec. The text is the layer as usd-core writes it. The first line is the
version."""

import json
import os
import resource
import sys

os.environ.setdefault("PXR_USDC_EMIT_DEPRECATION_WARNINGS", "0")
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

from pxr import Sdf, Tf, Usd  # noqa: E402


def read(name):
    layer = Sdf.Layer.OpenAsAnonymous(name)
    if not layer:
        raise ValueError("not opened")
    text = layer.ExportToString()
    paths = []
    layer.Traverse("/", paths.append)
    for path in paths:
        spec = layer.GetObjectAtPath(path)
        for key in spec.ListInfoKeys() if spec else []:
            try:
                spec.GetInfo(key)
            except TypeError:
                pass  # a value that Python has no type for
    return text


def main():
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    print(json.dumps("%d.%02d" % Usd.GetVersion()[1:]), flush=True)
    for line in sys.stdin:
        try:
            said = {"refused": False, "text": read(line.rstrip("\n"))}
        except (Tf.ErrorException, UnicodeDecodeError, ValueError):
            said = {"refused": True, "text": ""}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
