"""Reads crates with usd-core, one by one, and says what it complains about.

Each line of standard input is the name of a file. Each line of standard output is one JSON object:

    {"version": bool, "refused": bool, "errors": [TEXT], "warnings": [TEXT], "digest": TEXT}

version: usd-core does not read files of this version. refused: the file does not open. An error is what usd-core
raises while it reads all fields of all specs, or writes the layer as text; text that is not UTF-8 is one, for Python
cannot have it. A warning is what usd-core prints and reads on. Some damage ends the process: whoever started it says so.
digest: of what was read, as a dump and as text. It reads some bytes of its memory that the file did not fill; two processes
with other memory (MALLOC_PERTURB_) then have other digests.
"""

import hashlib
import json
import os
import re
import resource
import sys
import tempfile

os.environ.setdefault("PXR_USDC_EMIT_DEPRECATION_WARNINGS", "0")
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))  # what claims more ends the process, and not the machine
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

from pxr import Sdf, Tf  # noqa: E402


# What it says of sound files, and about files of versions that it does not read.
HARMLESS = re.compile("is deprecated|RequestWriteVersionUpgrade")
OTHER_VERSION = re.compile("with obsolete version|file version mismatch")


def said(log):
    """The warnings that were printed to the file behind standard error since it was emptied."""
    log.seek(0)
    text = log.read().decode("utf-8", "replace")
    os.ftruncate(log.fileno(), 0)
    log.seek(0)
    return [line for line in text.split("\n") if line.startswith("Warning:") and not HARMLESS.search(line)]


def read(name, dump):
    """Reads all of a file; what is wrong with it, in order."""
    errors = []

    def attempt(what, *arguments):
        try:
            return what(*arguments)
        except Tf.ErrorException as error:
            errors.extend(str(e.commentary) for e in error.args)
        except UnicodeDecodeError as error:
            errors.append("not UTF-8: " + str(error))
        except TypeError:
            pass  # a value that Python has no type for
        return None

    layer = attempt(Sdf.Layer.OpenAsAnonymous, name)
    if not layer:
        return True, errors, ""
    attempt(layer._WriteDataFile, dump)
    text = attempt(layer.ExportToString) or ""
    with open(dump, "rb") as dumped:
        digest = hashlib.md5(dumped.read() + text.encode("utf-8", "replace")).hexdigest()
    paths = []
    attempt(layer.Traverse, "/", paths.append)
    for path in paths:
        spec = attempt(layer.GetObjectAtPath, path)
        if spec:
            for key in attempt(spec.ListInfoKeys) or []:
                attempt(spec.GetInfo, key)
    return False, errors, digest


def main():
    with tempfile.TemporaryDirectory() as folder, open(os.path.join(folder, "said"), "w+b", buffering=0) as log:
        os.dup2(log.fileno(), 2)
        for line in sys.stdin:
            refused, errors, digest = read(line.rstrip("\n"), os.path.join(folder, "dump"))
            version = any(OTHER_VERSION.search(error) for error in errors)
            print(json.dumps({"version": version, "refused": refused, "errors": errors, "warnings": said(log), "digest": digest}),
                  flush=True)


if __name__ == "__main__":
    main()
