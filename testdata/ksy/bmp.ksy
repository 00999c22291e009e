meta: {id: bmp_file, title: Windows bitmap, file-extension: bmp, license: MIT, endian: le}
seq:
  - {id: magic, contents: BM}
  - {id: len_file, type: u4, valid: _io.size}
  - {id: reserved, size: 4}
  - {id: ofs_pixels, type: u4}
  - {id: len_header, type: u4}
  - {id: header, type: header, size: len_header - 4}
  - {id: palette, type: u4, repeat: expr, repeat-expr: (ofs_pixels - 14 - len_header) / 4}
instances:
  rows: {pos: ofs_pixels, size: header.len_row, repeat: expr, repeat-expr: header.height}
types:
  header:
    seq:
      - {id: width, type: s4}
      - {id: height, type: s4}
      - {id: planes, type: u2, valid: 1}
      - {id: bits, type: u2}
      - {id: packing, type: u4}
      - {id: rest, size-eos: true}
    instances:
      len_row: {value: (width * bits + 31) / 32 * 4}
