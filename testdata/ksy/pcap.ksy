meta: {id: pcap_file, title: Captured packets, file-extension: pcap, license: MIT}
seq:
  - {id: magic, type: u4be, enum: orders}
  - {id: rest, type: rest}
types:
  rest:
    meta:
      endian: {switch-on: _root.magic, cases: {'orders::little': le, 'orders::big': be}}
    seq:
      - {id: major, type: u2}
      - {id: minor, type: u2}
      - {id: zone, type: s4}
      - {id: accuracy, type: u4}
      - {id: most, type: u4}
      - {id: link, type: u4}
      - {id: packets, type: packet, repeat: eos}
  packet:
    meta:
      endian: {switch-on: _root.magic, cases: {'orders::little': le, 'orders::big': be}}
    seq:
      - {id: seconds, type: u4}
      - {id: micros, type: u4, valid: {max: 999999}}
      - {id: len, type: u4}
      - {id: len_whole, type: u4, valid: {min: len}}
      - {id: body, size: len, type: frame}
  frame:
    seq:
      - {id: to, size: 6}
      - {id: from, size: 6}
      - {id: kind, type: u2be}
      - {id: body, size-eos: true}
enums:
  orders: {0xd4c3b2a1: little, 0xa1b2c3d4: big}
