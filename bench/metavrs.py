"""Does the like of a job with Meta's vrs and prints the seconds of processor time as JSON: of the tests beside it.

    python3 metavrs.py nothing | open FILE | fields FILE
"""

import json
import os
import sys
import time


def main(job, file=None):
    out = os.dup(1)
    os.dup2(2, 1)  # the library logs to standard output
    import pyvrs

    start = time.process_time()
    reader = pyvrs.SyncVRSReader(file) if file else []
    seen = len(reader)
    if job == "fields":
        motion = reader.filtered_by_fields(stream_ids={"241-1"}, record_types={"data"})
        start = time.process_time()
        seen = 0
        for record in motion:
            block = record.metadata_blocks[0]
            seen += len([block[name] for name in block])
    seconds = time.process_time() - start
    os.write(out, json.dumps({"Seconds": seconds, "Seen": seen}).encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
