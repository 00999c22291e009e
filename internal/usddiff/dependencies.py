# Prints what usd-core finds that each layer named on standard input needs, a JSON object a line.
import json, os, sys
from pxr import UsdUtils

for file in sys.stdin.read().splitlines():
    os.chdir(os.path.dirname(file))
    try:
        layers, assets, unresolved = UsdUtils.ComputeAllDependencies(os.path.basename(file))
    except Exception:
        continue  # usd-core does not open the layer
    found = [layer.realPath or layer.identifier for layer in layers] + list(assets)
    print(json.dumps({"File": file, "Found": found, "Missing": [os.path.abspath(name) for name in unresolved]}))
