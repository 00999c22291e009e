"""Opens a layer with tinyusdz and counts its prims.

    python3 tinyusd.py [FILE]
"""

import sys

import tinyusdz

for file in sys.argv[1:]:
    print(sum(1 for _ in tinyusdz.traverse(tinyusdz.load(file))), "prims")
