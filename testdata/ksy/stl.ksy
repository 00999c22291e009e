meta: {id: stl_file, title: Solid of triangles, file-extension: stl, license: MIT, endian: le}
seq:
  - {id: words, type: str, size: 80, pad-right: 0x20, encoding: ASCII}
  - {id: num_triangles, type: u4}
  - {id: triangles, type: triangle, repeat: expr, repeat-expr: num_triangles}
types:
  triangle: {seq: [{id: normal, type: point}, {id: corners, type: point, repeat: expr, repeat-expr: 3}, {id: colour, type: u2}]}
  point: {seq: [{id: x, type: f4}, {id: y, type: f4}, {id: z, type: f4}]}
