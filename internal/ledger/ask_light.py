"""Reads layers with LightUSD, one by one: ask_usd.py says how."""

import json
import resource
import sys

import lightusd

resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main():
    print(json.dumps(lightusd.__version__), flush=True)
    for line in sys.stdin:
        try:
            said = {"refused": False, "text": lightusd.load(line.rstrip("\n"), composed=False).export_usda()}
        except lightusd.UsdError:
            said = {"refused": True, "text": ""}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
