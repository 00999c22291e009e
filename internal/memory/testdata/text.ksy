meta:
  id: text
  endian: le
seq:
  - id: text
    type: strz
    encoding: UTF-8
  - id: after
    type: u4
