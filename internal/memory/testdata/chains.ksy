meta: {id: chains, endian: le}
seq:
  - {id: a, type: part}
  - {id: b, type: part}
  - {id: c, type: part}
  - {id: d, type: part}
types:
  part:
    seq:
      - {id: x, type: 'rec(_index)', repeat: expr, repeat-expr: _root._io.size / 4}
  rec:
    params: [{id: i, type: s4}]
    seq:
      - {id: n, type: u1}
      - {id: b, size: '(i == 0 ? 0 : _parent.x[i - 1].n)'}
