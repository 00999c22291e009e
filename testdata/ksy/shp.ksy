meta: {id: shp_file, title: Shapes of a map, file-extension: shp, license: MIT}
seq:
  - {id: magic, contents: [0, 0, 0x27, 0x0a]}
  - {id: unused, size: 20}
  - {id: len_words, type: s4be, valid: _io.size / 2}
  - {id: version, type: s4le, valid: 1000}
  - {id: kind, type: s4le, enum: kinds}
  - {id: box, type: f8le, repeat: expr, repeat-expr: 8}
  - {id: records, type: record, repeat: eos}
types:
  record:
    seq:
      - {id: number, type: s4be}
      - {id: len_words, type: s4be}
      - {id: shape, type: shape, size: len_words * 2}
  shape:
    seq:
      - {id: kind, type: s4le, enum: kinds}
      - {id: body, type: {switch-on: kind, cases: {'kinds::point': point, 'kinds::polygon': polygon}}}
  polygon:
    seq:
      - {id: box, type: f8le, repeat: expr, repeat-expr: 4}
      - {id: num_parts, type: s4le}
      - {id: num_points, type: s4le}
      - {id: parts, type: s4le, repeat: expr, repeat-expr: num_parts}
      - {id: points, type: point, repeat: expr, repeat-expr: num_points}
  point:
    seq: [{id: x, type: f8le}, {id: y, type: f8le}]
enums:
  kinds: {1: point, 3: line, 5: polygon}
