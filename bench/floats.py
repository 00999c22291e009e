"""Prints least, greatest, mean and deviation of a file of floats with numpy, and how many are NaN: of the tests beside it.

    python3 floats.py [FILE]
"""

import sys

import numpy as np


def main(file=None):
    if file is None:
        return
    v = np.memmap(file, "<f4", "r")
    print("nan", np.isnan(v).sum(), v.min(), v.max(), v.mean(), v.std())


if __name__ == "__main__":
    main(*sys.argv[1:])
