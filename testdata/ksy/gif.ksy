meta: {id: gif_file, title: GIF picture, file-extension: gif, license: MIT, endian: le}
seq:
  - {id: magic, contents: GIF}
  - {id: version, type: str, size: 3, encoding: ASCII}
  - {id: width, type: u2}
  - {id: height, type: u2}
  - {id: has_colours, type: b1}
  - {id: depth, type: b3}
  - {id: sorted, type: b1}
  - {id: log_colours, type: b3}
  - {id: background, type: u1}
  - {id: aspect, type: u1}
  - {id: colours, type: colour, repeat: expr, repeat-expr: 2 << log_colours, if: has_colours}
  - {id: blocks, type: block, repeat: until, repeat-until: _.kind == kinds::end}
types:
  colour:
    seq: [{id: red, type: u1}, {id: green, type: u1}, {id: blue, type: u1}]
  block:
    seq:
      - {id: kind, type: u1, enum: kinds}
      - id: body
        type: {switch-on: kind, cases: {'kinds::extension': extension, 'kinds::image': image}}
  extension:
    seq: [{id: label, type: u1}, {id: parts, type: part, repeat: until, repeat-until: _.len == 0}]
  image:
    seq:
      - {id: place, type: u2, repeat: expr, repeat-expr: 4}
      - {id: flags, type: u1}
      - {id: colours, size: '3 * (2 << (flags & 7))', if: flags & 0x80 != 0}
      - {id: code_size, type: u1}
      - {id: parts, type: part, repeat: until, repeat-until: _.len == 0}
  part:
    seq: [{id: len, type: u1}, {id: bytes, size: len}]
enums:
  kinds: {0x21: extension, 0x2c: image, 0x3b: end}
