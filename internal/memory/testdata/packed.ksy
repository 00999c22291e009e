meta:
  id: packed
  endian: le
seq:
  - id: packed
    size-eos: true
    process: zlib
    type: lines
types:
  lines:
    seq:
      - id: text
        size-eos: true
