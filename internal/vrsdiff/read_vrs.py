"""Prints what Meta's vrs reads of a recording, a record a line as JSON: its stream, type, timestamp, the fields of its
data layouts, and the sizes of its other blocks.

    python3 read_vrs.py FILE
"""

import json
import math
import os
import sys


def plain(value):
    """Turns a value into what JSON can hold: bytes as numbers, floats that are not finite as text."""
    if isinstance(value, bytes):
        return list(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return value


def main(file):
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # the library logs to standard output
    import pyvrs

    reader = pyvrs.SyncVRSReader(file)
    out.write(json.dumps({"fileTags": dict(reader.file_tags), "streams": sorted(reader.stream_ids)}) + "\n")
    for i in range(len(reader)):
        r = reader[i]
        record = {
            "stream": r.stream_id, "type": r.record_type, "version": r.format_version, "time": r.timestamp,
            "fields": [plain({name: block[name] for name in block}) for block in r.metadata_blocks],
            "images": [[s.width, s.height, len(bytes(b))] for s, b in zip(r.image_specs, r.image_blocks)],
            "audio": [[s.sample_count, s.channel_count, len(bytes(b))] for s, b in zip(r.audio_specs, r.audio_blocks)],
            "custom": [len(bytes(b)) for b in r.custom_blocks],
        }
        out.write(json.dumps(record) + "\n")
    out.flush()


if __name__ == "__main__":
    main(sys.argv[1])
