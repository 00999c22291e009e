"""Reads VRS recordings with Meta's pyvrs, one by one, and says what it complains about.

Each line of standard input is the name of a file. Each line of standard output is one JSON object as of read_crates.py.
refused: the recording does not open. An error is an exception, or an error in the log, while all records are read; a
warning is one in the log. found: how many records, blocks of metadata and fields were read, for it says nothing of those
that it leaves out.
"""

import json
import os
import re
import resource
import sys
import tempfile

resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))  # what claims more ends the process, and not the machine
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

SAID = re.compile(r"\[(ERROR|WARNING)\]: (?:[-0-9]+ [:0-9]+: )?(.*?)\x1b")


def log_lines(log):
    """What was logged since it was asked last: (level, text)."""
    log.seek(0)
    text = log.read().decode("utf-8", "replace")
    os.ftruncate(log.fileno(), 0)
    log.seek(0)
    return SAID.findall(text)


def read(name):
    """Reads all of a recording: whether it does not open, and what it raises."""
    import pyvrs

    errors, found, size = [], 0, 0
    try:
        reader = pyvrs.SyncVRSReader(name)
    except Exception as error:  # whatever it is, it is what the library says
        return True, [str(error)], 0, 0
    try:
        for i in range(len(reader)):
            try:
                record = reader[i]
                found += 1
                for block in record.metadata_blocks:
                    found += 1 + len(dict(block))
                for blocks in (record.image_blocks, record.audio_blocks, record.custom_blocks):
                    for block in blocks:
                        size += len(bytes(block))
            except Exception as error:
                errors.append(str(error))
    finally:
        reader.close()
    return False, errors, found, size


def main():
    out = os.fdopen(os.dup(1), "w")
    with tempfile.TemporaryFile(buffering=0) as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        for line in sys.stdin:
            refused, errors, found, size = read(line.rstrip("\n"))
            logged = log_lines(log)
            print(json.dumps({
                "version": False, "refused": refused, "found": found, "bytes": size,
                "errors": errors + [text for level, text in logged if level == "ERROR"],
                "warnings": [text for level, text in logged if level == "WARNING"],
            }), file=out, flush=True)


if __name__ == "__main__":
    main()
