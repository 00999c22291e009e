"""Does the like of a job with usd-core and prints the result as JSON: of the tests beside it.

    python3 usdcore.py nothing | first FILE | walk FILE | diff FILE OTHER
"""

import itertools
import json
import re
import sys
import time

from pxr import Sdf


def paths(layer):
    """The paths of all specs."""
    found = []
    layer.Traverse("/", found.append)
    return [path for path in found if layer.GetObjectAtPath(path)]


def fields(layer, path):
    """The fields of a spec; none where there is no spec."""
    spec = layer.GetObjectAtPath(path)
    return {key: spec.GetInfo(key) for key in spec.ListInfoKeys()} if spec else None


def diff(file, other):
    """The number of specs that two layers do not have alike."""
    a, b = Sdf.Layer.FindOrOpen(file), Sdf.Layer.FindOrOpen(other)
    return sum(fields(a, path) != fields(b, path) for path in {*paths(a), *paths(b)})


def look(job, file):
    """The number of names, or of specs and their fields."""
    layer = Sdf.Layer.FindOrOpen(file)
    children = layer.GetPrimAtPath("/World").nameChildren.keys()
    seen = len(list(itertools.islice(children, 50))) if job == "first" else 0

    def visit(path):
        nonlocal seen
        spec = layer.GetObjectAtPath(path)
        if spec:
            seen += 1 + len(spec.ListInfoKeys())

    if job == "walk":
        layer.Traverse("/", visit)
    return seen


def main(job, *files):
    start = time.perf_counter()
    seen = diff(*files) if job == "diff" else look(job, *files) if files else 0
    seconds = time.perf_counter() - start
    with open("/proc/self/status") as status:
        peak = int(re.search(r"VmHWM:\s*(\d+) kB", status.read())[1])
    print(json.dumps({"Seconds": seconds, "Nodes": seen, "Peak": peak}))


if __name__ == "__main__":
    main(*sys.argv[1:])
