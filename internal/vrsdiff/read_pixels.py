"""Prints the images that Meta's vrs makes of a recording's raw images, one a line as JSON: stream, width, height, bytes
of a sample, and the samples as hexadecimal digits.

    python3 read_pixels.py FILE
"""

import json
import os
import sys


def main(file):
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # the library logs to standard output
    import numpy
    import pyvrs

    reader = pyvrs.SyncVRSReader(file)
    reader.set_image_conversion(pyvrs.ImageConversion.NORMALIZE)
    for i in range(len(reader)):
        record = reader[i]
        for spec, block in zip(record.image_specs, record.image_blocks):
            pixels = numpy.array(block)
            out.write(json.dumps({
                "stream": record.stream_id, "width": spec.width, "height": spec.height, "size": pixels.itemsize,
                "samples": pixels.tobytes().hex(),
            }) + "\n")
    out.flush()


if __name__ == "__main__":
    main(sys.argv[1])
