"""Does the like of a job of bench_test.go with usd-core and prints the result as JSON.

    python3 usdcore.py first|walk FILE
"""

import itertools
import json
import re
import sys
import time

from pxr import Sdf


def main(job, file):
    start = time.perf_counter()
    layer = Sdf.Layer.FindOrOpen(file)
    children = layer.GetPrimAtPath("/World").nameChildren.keys()
    names = list(itertools.islice(children, 50)) if job == "first" else []
    seen = len(names)

    def visit(path):
        nonlocal seen
        spec = layer.GetObjectAtPath(path)
        if spec:
            seen += 1 + len(spec.ListInfoKeys())

    if job == "walk":
        layer.Traverse("/", visit)
    seconds = time.perf_counter() - start
    with open("/proc/self/status") as status:
        peak = int(re.search(r"VmHWM:\s*(\d+) kB", status.read())[1])
    print(json.dumps({"Seconds": seconds, "Nodes": seen, "Peak": peak}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
