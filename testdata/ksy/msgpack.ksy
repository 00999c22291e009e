meta: {id: msgpack_value, title: MessagePack value, file-extension: msgpack, license: MIT, endian: be}
seq:
  - {id: head, type: u1}
  - id: number
    if: head >= 0xca and head <= 0xd3
    type:
      switch-on: head
      cases: {0xca: f4, 0xcb: f8, 0xcc: u1, 0xcd: u2, 0xce: u4, 0xcf: u8, 0xd0: s1, 0xd1: s2, 0xd2: s4, 0xd3: s8}
  - id: count
    if: head == 0xc4 or head == 0xc5 or head >= 0xd9 and head <= 0xdf
    type: {switch-on: head, cases: {0xc4: u1, 0xd9: u1, 0xc5: u2, 0xda: u2, 0xdc: u2, 0xde: u2, 0xdb: u4, 0xdd: u4, 0xdf: u4}}
  - {id: text, type: str, size: 'head & 0xe0 == 0xa0 ? head & 0x1f : count', encoding: UTF-8, if: head & 0xe0 == 0xa0 or head >= 0xd9 and head <= 0xdb}
  - {id: raw, size: count, if: head == 0xc4 or head == 0xc5}
  - {id: values, type: msgpack_value, repeat: expr, repeat-expr: num_values, if: num_values > 0}
instances:
  num_values:
    value: 'head & 0xf0 == 0x80 ? 2 * (head & 0xf) : head & 0xf0 == 0x90 ? head & 0xf : head == 0xdc or head == 0xdd ? count : head >= 0xde ? (head < 0xe0 ? 2 * count : 0) : 0'
