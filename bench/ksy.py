"""Reads all of a file by a module that Kaitai Struct's compiler has made, with its runtime for Python.

    python3 ksy.py MODULE FILE
"""

import importlib.util
import sys

spec = importlib.util.spec_from_file_location("described", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
top = module.Unequal.from_file(sys.argv[2])
print(len(top.records), "records", sum(r.whole for r in top.records), "bytes")
